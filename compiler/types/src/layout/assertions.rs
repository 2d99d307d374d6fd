//! What the checker believes of each type's layout, as C: static assertions that a C compiler answers from its own
//! headers.
//!
//! Goal: C code and this compiler agree on every type that both have. Of each record without parameters stand its size,
//! alignment, and of each member that C can name the offset, the size and the kind (integer and its signedness,
//! floating, complex, pointer, record); of each enumeration its size, signedness and constants; of each typedef of the
//! file the same of its type. Bit-fields have no address, so that only what surrounds them is compared here.

use super::Layout;
use crate::checker::Checker;
use crate::decl::TypedefId;
use crate::scope::{Entry, Tag};
use crate::ty::{ArrayLen, Bounds, EnumId, IntTy, RecordId, RecordSort, Type, TypeId};

impl Checker<'_> {
    /// The assertions, one on a line.
    pub(crate) fn layout_assertions(&mut self) -> String {
        let mut out = String::new();
        for id in 0..self.types.records.len() {
            self.assert_record(RecordId::from_usize(id), &mut out);
        }
        for id in 0..self.types.enums.len() {
            self.assert_enum(EnumId::from_usize(id), &mut out);
        }
        for id in 0..self.decls.typedefs.len() {
            let id = TypedefId::from_usize(id);
            let (name, ty) = (self.decls.typedefs[id].name, self.decls.typedefs[id].ty.ty);
            let found = self.scopes.find_at_file_scope(name).map(|(entry, _)| entry);
            if found == Some(Entry::Typedef(id)) && self.decls.typedefs[id].params.is_empty() {
                self.assert_typedef(name.as_str(), ty, &mut out);
            }
        }
        out
    }

    fn assert_record(&mut self, id: RecordId, out: &mut String) {
        let def = &self.types.records[id];
        if def.not_c.is_some() {
            return;
        }
        let Some(name) = def.name.as_ref().filter(|_| def.params.is_empty()) else { return };
        if self.scopes.find_tag(name.name).map(|(tag, _)| tag) != Some(Tag::Record(id)) {
            return;
        }
        let keyword = if def.sort == RecordSort::Struct { "struct" } else { "union" };
        let name = format!("{keyword} {name}");
        self.assert_members(&name, id, out);
    }

    fn assert_members(&mut self, name: &str, id: RecordId, out: &mut String) {
        let ty = self.types.intern(Type::Record(id, Vec::new()));
        let sort = self.types.records[id].sort;
        let Some(Layout { size, align }) = self.layout(ty) else { return };
        line(out, &format!("sizeof({name}) == {size}"));
        line(out, &format!("_Alignof({name}) == {align}"));
        if sort != RecordSort::TaggedUnion {
            self.assert_fields(name, id, 0, out);
        }
    }

    /// The members of a record that lies `base` bytes from the start of `name`.
    fn assert_fields(&mut self, name: &str, id: RecordId, base: u64, out: &mut String) {
        let Some((offsets, _)) = self.record_offsets(id, &[]) else { return };
        let fields = self.types.records[id].fields.clone().unwrap_or_default();
        for (field, offset) in fields.iter().zip(offsets) {
            let offset = base + offset;
            match (field.name, field.bits) {
                (_, Some(_)) => {}
                (Some(member), None) => {
                    let place = format!("(({name} *)0)->{member}");
                    line(out, &format!("__builtin_offsetof({name}, {member}) == {offset}"));
                    self.assert_kind(&place, field.ty.ty, out);
                }
                (None, None) => {
                    if let Type::Record(inner, _) = *self.kind(field.ty.ty) {
                        self.assert_fields(name, inner, offset, out);
                    }
                }
            }
        }
    }

    /// Size and kind of what the expression is.
    fn assert_kind(&mut self, place: &str, ty: TypeId, out: &mut String) {
        if let Type::Array { elem, len, .. } = *self.kind(ty) {
            if matches!(len, ArrayLen::Known(_)) {
                if let Some(size) = self.size_of(ty) {
                    line(out, &format!("sizeof({place}) == {size}"));
                }
            }
            return self.assert_kind(&format!("({place})[0]"), elem.ty, out);
        }
        let Some(size) = self.size_of(ty) else { return };
        line(out, &format!("sizeof({place}) == {size}"));
        let class = format!("__builtin_classify_type({place})");
        if let Some(int) = self.integer_of(ty) {
            let less = if int.is_signed() { "<" } else { ">" };
            let like = if int == IntTy::Bool { "(_Bool)0" } else { "0" };
            line(out, &format!("{class} == __builtin_classify_type({like})"));
            line(out, &format!("(__typeof__({place}))-1 {less} (__typeof__({place}))0"));
            return;
        }
        let like = match self.kind(ty) {
            Type::Float(_) => "0.0",
            Type::Complex(_) => "*(double _Complex *)0",
            Type::Pointer(pointer) if pointer.bounds != Bounds::Fat => "(char *)0",
            Type::Record(id, _) if self.types.records[*id].sort == RecordSort::Union => {
                "*(union { int i; } *)0"
            }
            _ => "*(struct { int i; } *)0",
        };
        line(out, &format!("{class} == __builtin_classify_type({like})"));
    }

    fn assert_enum(&mut self, id: EnumId, out: &mut String) {
        let def = &self.types.enums[id];
        let constants = def.constants.clone().unwrap_or_default();
        if constants
            .iter()
            .any(|(constant, ..)| self.scopes.find_at_file_scope(constant.name).is_none())
        {
            return;
        }
        let name = def.name.as_ref().map(|name| format!("enum {name}"));
        for (constant, value, _) in constants.iter().filter(|(_, value, _)| *value >= 0) {
            line(out, &format!("{constant} == {value}ull"));
        }
        for (constant, value, _) in constants.iter().filter(|(_, value, _)| *value < 0) {
            line(out, &format!("{constant} + 1 == {}ll", value + 1));
        }
        if let Some(name) = name.filter(|_| !constants.is_empty()) {
            let ty = self.types.intern(Type::Enum(id));
            self.assert_kind(&format!("*({name} *)0"), ty, out);
        }
    }

    fn assert_typedef(&mut self, name: &str, ty: TypeId, out: &mut String) {
        match *self.kind(ty) {
            Type::Record(id, ref args) if args.is_empty() => {
                let def = &self.types.records[id];
                if def.name.is_none() && def.not_c.is_none() {
                    self.assert_members(name, id, out);
                }
            }
            Type::Function(_) | Type::Void | Type::Datatype(..) => {}
            _ => self.assert_kind(&format!("*({name} *)0"), ty, out),
        }
    }
}

fn line(out: &mut String, condition: &str) {
    out.push_str(&format!("_Static_assert({condition}, \"\");\n"));
}
