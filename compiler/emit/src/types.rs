//! Types: declarators, and definitions in the order of their dependence.

use crate::names::Names;
use crate::words;
use crate::writer::Writer;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use tenure_core::{EnumId, Field, Program, Quals, Record, RecordId, RecordKind, Ty, TyId};

/// Spelling of types, and which of them this unit has mentioned.
pub(crate) struct Types<'a> {
    program: &'a Program,
    /// Names of the fat pointers' structs, by element type and volatility.
    fats: HashMap<(TyId, bool), String>,
    fat_names: HashSet<String>,
    /// Tags of the structs whose objects are variants' objects.
    datatypes: HashSet<&'static str>,
    /// What was mentioned, hence must be declared.
    records: HashSet<RecordId>,
    enums: HashSet<EnumId>,
    /// In order of first mention.
    fat_order: Vec<(TyId, bool)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Node {
    Record(RecordId),
    Fat(TyId, bool),
}

impl<'a> Types<'a> {
    pub(crate) fn new(program: &'a Program) -> Types<'a> {
        let variants = program.types.records.iter().filter(|r| r.kind == RecordKind::Variant);
        let datatypes = variants.filter_map(|r| r.c_name.as_str().rsplit_once('$'));
        Types {
            program,
            datatypes: datatypes.map(|(datatype, _)| datatype).collect(),
            fats: HashMap::new(),
            // Fat pointers' structs and the user's share C's name space of tags.
            fat_names: program.types.records.iter().map(|r| tag(r).into_owned()).collect(),
            records: HashSet::new(),
            enums: HashSet::new(),
            fat_order: Vec::new(),
        }
    }

    pub(crate) fn get(&self, ty: TyId) -> &'a Ty {
        self.program.types.get(ty)
    }

    /// Bytes that an object of the type has at least: padding and what is nested too deeply are not counted.
    pub(crate) fn size_at_least(&self, ty: TyId, nesting: u32) -> u64 {
        match self.get(ty) {
            Ty::Int(int) => u64::from(int.bits() / 8),
            Ty::Enum(_) | Ty::Float(_) | Ty::Complex(_) => 4,
            Ty::Ptr { .. } | Ty::Checked { .. } | Ty::Word | Ty::Handle => 8,
            Ty::Fat { .. } => 16,
            Ty::Array { of, len } if nesting > 0 => {
                len.saturating_mul(self.size_at_least(*of, nesting - 1))
            }
            Ty::Record(id) if nesting > 0 => {
                let record = &self.program.types.records[*id];
                let fields = record.fields.iter().flatten().filter(|field| field.bits.is_none());
                let sizes = fields.map(|field| self.size_at_least(field.ty, nesting - 1));
                match record.kind {
                    RecordKind::Union => sizes.max().unwrap_or(0),
                    _ => sizes.fold(0, u64::saturating_add),
                }
            }
            _ => 0,
        }
    }

    /// A zero in braces: `{0}`, or `{}` where the first thing in the object is one without a value, which takes no
    /// zero. Of a union the longest member is named, if it is not the first: what is behind a shorter one some
    /// compilers leave as it is.
    pub(crate) fn zero_braces(&self, ty: TyId) -> String {
        match self.begins_with_value(ty) {
            true => self.longest_member(ty).unwrap_or_else(|| "{0}".to_string()),
            false => "{}".to_string(),
        }
    }

    /// The zero of an object that begins with a union whose first member is not its longest.
    fn longest_member(&self, ty: TyId) -> Option<String> {
        match self.get(ty) {
            Ty::Array { of, .. } => Some(format!("{{{}}}", self.longest_member(*of)?)),
            Ty::Record(id) => {
                let record = &self.program.types.records[*id];
                let fields = record.fields.as_deref()?;
                if record.kind != RecordKind::Union {
                    return Some(format!("{{{}}}", self.longest_member(fields.first()?.ty)?));
                }
                let size =
                    |field: &Field| self.program.types.layout(field.ty).map(|layout| layout.0);
                let at = (0..fields.len()).rev().max_by_key(|&at| size(&fields[at]))?;
                let longest = &fields[at];
                let inner = self.longest_member(longest.ty);
                if inner.is_none() && size(fields.first()?) == size(longest) {
                    return None;
                }
                let scalar = !matches!(self.get(longest.ty), Ty::Record(_) | Ty::Array { .. });
                let zero = match inner {
                    Some(inner) => inner,
                    None if scalar => "0".to_string(),
                    None => self.zero_braces(longest.ty),
                };
                Some(format!("{{.{} = {zero}}}", field_name(record, at)))
            }
            _ => None,
        }
    }

    /// Whether objects of the type have no bytes.
    pub(crate) fn is_empty(&self, ty: TyId) -> bool {
        match self.get(ty) {
            Ty::Array { of, len } => *len == 0 || self.is_empty(*of),
            Ty::Record(id) => {
                let mut fields = self.program.types.records[*id].fields.iter().flatten();
                fields.all(|field| field.bits.is_none() && self.is_empty(field.ty))
            }
            _ => false,
        }
    }

    fn begins_with_value(&self, ty: TyId) -> bool {
        match self.get(ty) {
            Ty::Array { of, len } => *len > 0 && self.begins_with_value(*of),
            Ty::Record(id) => {
                let fields = self.program.types.records[*id].fields.iter().flatten();
                let named = |field: &&Field| field.bits.is_none() || field.name.is_some();
                fields.into_iter().find(named).is_some_and(|field| self.begins_with_value(field.ty))
            }
            _ => true,
        }
    }

    /// `T name`, in C's inside-out notation; an empty name gives the type alone.
    pub(crate) fn declare(&mut self, ty: TyId, name: &str) -> String {
        self.qualified(ty, Quals::default(), name)
    }

    /// As [`Types::declare`], with qualifiers on the declared object itself.
    pub(crate) fn qualified(&mut self, ty: TyId, quals: Quals, inner: &str) -> String {
        match self.get(ty) {
            Ty::Ptr { to, quals: pointee } => {
                let inner = with_quals("*", quals, inner);
                let inner = match self.get(*to) {
                    Ty::Array { .. } | Ty::Func(_) => format!("({inner})"),
                    _ => inner,
                };
                if matches!(self.get(*to), Ty::Word) {
                    return with_base("tn_word_alias", *pointee, &inner);
                }
                self.qualified(*to, *pointee, &inner)
            }
            Ty::Array { of, len } => self.qualified(*of, quals, &format!("{inner}[{len}]")),
            Ty::Func(func) => {
                let mut params: Vec<String> =
                    func.params.iter().map(|&param| self.declare(param, "")).collect();
                if func.variadic {
                    params.push("...".to_string());
                } else if params.is_empty() {
                    params.push("void".to_string());
                }
                self.declare(func.result, &format!("{inner}({})", params.join(", ")))
            }
            _ => {
                let base = self.base(ty);
                with_base(&base, quals, inner)
            }
        }
    }

    /// The specifier of a type that is no derived declarator.
    fn base(&mut self, ty: TyId) -> String {
        match self.get(ty) {
            Ty::Void => "void".to_string(),
            Ty::Int(int) => int.c_name().to_string(),
            Ty::Float(float) => float.c_name().to_string(),
            Ty::Complex(float) => format!("_Complex {}", float.c_name()),
            Ty::Enum(id) => {
                self.enums.insert(*id);
                format!("enum {}", words::free(self.program.types.enums[*id].c_name.as_str()))
            }
            Ty::Record(id) => self.record(*id),
            Ty::Fat { to, quals } => self.fat(*to, quals.is_volatile),
            Ty::Word => "tn_word".to_string(),
            Ty::Handle => "struct tn_arena *".to_string(),
            Ty::Arena => "struct tn_arena".to_string(),
            Ty::HandlerFrame => "struct tn_handler".to_string(),
            Ty::Checked { .. } => "struct tn_object *".to_string(),
            Ty::Pin => "struct tn_pin".to_string(),
            Ty::VaList => "__builtin_va_list".to_string(),
            Ty::Ptr { .. } | Ty::Array { .. } | Ty::Func(_) => self.declare(ty, ""),
        }
    }

    /// `struct Name`, whose definition will be printed.
    pub(crate) fn record(&mut self, id: RecordId) -> String {
        let record = &self.program.types.records[id];
        if self.records.insert(id) {
            // What it is made of is mentioned with it.
            for field in record.fields.iter().flatten() {
                self.declare(field.ty, "");
            }
        }
        format!("{} {}", keyword(record.kind), tag(record))
    }

    /// `struct tn_fat_…`: one for each element type; `const` does not matter, since a const and a
    /// mutable fat pointer convert into each other all the time.
    pub(crate) fn fat(&mut self, to: TyId, volatile: bool) -> String {
        if let Some(name) = self.fats.get(&(to, volatile)) {
            return format!("struct {name}");
        }
        let stem = format!("tn_fat_{}{}", if volatile { "volatile_" } else { "" }, self.stem(to));
        let mut name = stem.clone();
        let mut number = 1;
        while !self.fat_names.insert(name.clone()) {
            number += 1;
            name = format!("{stem}_{number}");
        }
        self.fats.insert((to, volatile), name.clone());
        self.fat_order.push((to, volatile));
        self.declare(to, "");
        format!("struct {name}")
    }

    /// A type as a part of an identifier.
    fn stem(&self, ty: TyId) -> String {
        match self.get(ty) {
            Ty::Void => "void".to_string(),
            Ty::Int(int) => int.c_name().replace(' ', "_"),
            Ty::Float(float) => float.c_name().replace(' ', "_"),
            Ty::Complex(float) => format!("complex_{}", float.c_name().replace(' ', "_")),
            Ty::Enum(id) => self.program.types.enums[*id].c_name.to_string(),
            Ty::Record(id) => self.program.types.records[*id].c_name.to_string(),
            Ty::Ptr { to, .. } => format!("ptr_{}", self.stem(*to)),
            Ty::Fat { to, .. } => format!("fat_{}", self.stem(*to)),
            Ty::Array { of, len } => format!("array{len}_{}", self.stem(*of)),
            Ty::Func(_) => "function".to_string(),
            Ty::Word => "word".to_string(),
            Ty::Handle => "handle".to_string(),
            Ty::Arena => "arena".to_string(),
            Ty::HandlerFrame => "handler".to_string(),
            Ty::Checked { to, .. } => format!("ref_{}", self.stem(*to)),
            Ty::Pin => "pin".to_string(),
            Ty::VaList => "va_list".to_string(),
        }
    }

    /// All definitions that what was mentioned needs.
    pub(crate) fn define(&mut self, out: &mut Writer, names: &Names) {
        let mut enums: Vec<EnumId> = self.enums.iter().copied().collect();
        enums.sort_unstable_by_key(|id| id.index());
        // An enumeration of a block's may share a constant's name with what stands at file scope.
        let mut constants = names.at_file_scope().map(str::to_string).collect();
        for id in enums {
            self.define_enum(out, id, &mut constants);
        }
        let mut records: Vec<RecordId> = self.records.iter().copied().collect();
        records.sort_unstable_by_key(|id| id.index());
        records.retain(|&id| !is_runtimes(names, &self.program.types.records[id]));
        for &id in &records {
            let record = &self.program.types.records[id];
            out.plain(&format!("{} {};", keyword(record.kind), tag(record)));
        }
        let mut done = HashSet::new();
        // Defining may mention more fat pointers, at the end of the list.
        let mut next = 0;
        while next < self.fat_order.len() {
            let (to, volatile) = self.fat_order[next];
            self.define_node(out, names, Node::Fat(to, volatile), &mut done);
            next += 1;
        }
        for id in records {
            self.define_node(out, names, Node::Record(id), &mut done);
        }
    }

    fn define_enum(&mut self, out: &mut Writer, id: EnumId, constants: &mut HashSet<String>) {
        let def = &self.program.types.enums[id];
        let tag = words::free(def.c_name.as_str());
        let mut parts: BTreeMap<usize, String> = BTreeMap::new();
        for (at, (name, value)) in def.constants.iter().enumerate() {
            let (text, _) = crate::constants::integer(*value, def.underlying);
            // What something else is called too is printed as a number, but cc counts the constants in a switch.
            let name = match constants.insert(name.to_string()) {
                true => words::free(name.as_str()),
                false => Cow::Owned(format!("{tag}${name}")),
            };
            parts.insert(at, format!("{name} = {text}"));
        }
        if parts.is_empty() {
            // C has no enumeration without a constant.
            parts.insert(0, format!("{tag}$none"));
        }
        let body: Vec<String> = parts.into_values().collect();
        out.plain(&format!("enum {tag} {{ {} }};", body.join(", ")));
    }

    fn define_node(
        &mut self,
        out: &mut Writer,
        names: &Names,
        node: Node,
        done: &mut HashSet<Node>,
    ) {
        if !done.insert(node) {
            return;
        }
        match node {
            Node::Fat(to, volatile) => {
                // `T (*base)[n]` needs T to be complete; other elements need only be declared.
                if let Ty::Array { of, .. } = self.get(to) {
                    self.define_whole(out, names, *of, done);
                }
                let name = self.fat(to, volatile);
                let quals = Quals { is_const: false, is_volatile: volatile };
                let base = self.pointer_to(to, quals, "base");
                out.plain(&format!("{name} {{"));
                out.plain(&format!("    {base};"));
                out.plain("    unsigned int idx;");
                out.plain("    unsigned int len;");
                out.plain("};");
            }
            Node::Record(id) => {
                let record = &self.program.types.records[id];
                if is_runtimes(names, record) {
                    return;
                }
                let Some(fields) = &record.fields else {
                    return;
                };
                for field in fields {
                    self.define_whole(out, names, field.ty, done);
                }
                let padding = self.program.types.padding(id).unwrap_or_default();
                self.define_record(out, record, fields, &padding);
            }
        }
    }

    /// Defines what must be complete before an object of the type can be declared.
    fn define_whole(
        &mut self,
        out: &mut Writer,
        names: &Names,
        ty: TyId,
        done: &mut HashSet<Node>,
    ) {
        match self.get(ty) {
            Ty::Record(id) => self.define_node(out, names, Node::Record(*id), done),
            Ty::Fat { to, quals } => {
                self.fat(*to, quals.is_volatile);
                self.define_node(out, names, Node::Fat(*to, quals.is_volatile), done);
            }
            Ty::Array { of, .. } => self.define_whole(out, names, *of, done),
            Ty::Ptr { to, .. } => {
                if let Ty::Array { of, .. } = self.get(*to) {
                    self.define_whole(out, names, *of, done);
                }
            }
            _ => {}
        }
    }

    /// `T *inner` for an element type that may be an array.
    pub(crate) fn pointer_to(&mut self, to: TyId, quals: Quals, inner: &str) -> String {
        let inner = format!("*{inner}");
        match self.get(to) {
            Ty::Word => with_base("tn_word_alias", quals, &inner),
            Ty::Array { .. } | Ty::Func(_) => self.qualified(to, quals, &format!("({inner})")),
            _ => self.qualified(to, quals, &inner),
        }
    }

    /// Padding that a program may look at is declared, so that C copies it and initialises it to zero as it does every
    /// member.
    fn define_record(
        &mut self,
        out: &mut Writer,
        record: &Record,
        fields: &[Field],
        padding: &[i128],
    ) {
        out.plain(&format!("{} {} {{", keyword(record.kind), tag(record)));
        out.indent();
        self.define_fields(out, record, fields, padding);
        out.dedent();
        let mut tail = attributes(record);
        if self.is_datatype(record) {
            // Its objects are those of its variants: the tag is read through this type.
            tail.push_str(" TN_MAY_ALIAS");
        }
        out.plain(&format!("}}{tail};"));
    }

    /// The type that all variants of a datatype are seen as.
    fn is_datatype(&self, record: &Record) -> bool {
        self.datatypes.contains(record.c_name.as_str())
    }

    fn define_fields(
        &mut self,
        out: &mut Writer,
        record: &Record,
        fields: &[Field],
        padding: &[i128],
    ) {
        for (at, field) in fields.iter().enumerate() {
            let align = field.align.map_or(String::new(), |n| format!("_Alignas({n}) "));
            let anonymous = match (field.name, field.bits, self.get(field.ty)) {
                (None, None, Ty::Record(id)) if plain(record.kind) => {
                    Some(&self.program.types.records[*id])
                }
                _ => None,
            };
            if let Some(member) = anonymous {
                out.plain(&format!("{align}{} {{", keyword(member.kind)));
                out.indent();
                self.define_fields(out, member, member.fields.as_deref().unwrap_or(&[]), &[]);
                out.dedent();
                out.plain(&format!("}}{};", attributes(member)));
                continue;
            }
            let name = if field.name.is_none() && field.bits.is_some() {
                String::new()
            } else {
                field_name(record, at)
            };
            // Constness of members was checked; without it a fresh object can be filled in.
            let quals = Quals { is_const: false, ..field.quals };
            let text = self.qualified(field.ty, quals, &name);
            let bits = field.bits.map_or(String::new(), |bits| format!(" : {bits}"));
            out.plain(&format!("{align}{text}{bits};"));
            if let Some(bytes @ 1..) = padding.get(at) {
                out.plain(&format!("char padding${at}[{bytes}];"));
            }
        }
    }
}

/// Records whose fields the user names.
fn plain(kind: RecordKind) -> bool {
    matches!(kind, RecordKind::Struct | RecordKind::Union)
}

/// What a field is called; those without a name of the user's are numbered.
/// The runtime's own: a struct that it declares and the unit does not look into.
fn is_runtimes(names: &Names, record: &Record) -> bool {
    record.fields.is_none() && names.in_runtime(record.c_name.as_str())
}

/// A record that the unit defines is none of the runtime's, whatever it is called.
fn tag(record: &Record) -> Cow<'_, str> {
    match record.fields {
        Some(_) => words::free(record.c_name.as_str()),
        None => Cow::Borrowed(record.c_name.as_str()),
    }
}

pub(crate) fn field_name(record: &Record, at: usize) -> String {
    let name = record.fields.as_ref().and_then(|fields| fields.get(at)).and_then(|f| f.name);
    match (name, record.kind, at) {
        (Some(name), _, _) => crate::words::free(name.as_str()).into_owned(),
        (None, RecordKind::Variant | RecordKind::TaggedUnion, 0) => "tag".to_string(),
        (None, RecordKind::TaggedUnion, _) => "as".to_string(),
        (None, RecordKind::Variant, _) => format!("f{}", at - 1),
        (None, _, _) => format!("f{at}"),
    }
}

fn attributes(record: &Record) -> String {
    let mut out = String::new();
    if record.packed {
        out.push_str(" __attribute__((packed))");
    }
    if let Some(align) = record.align {
        out.push_str(&format!(" __attribute__((aligned({align})))"));
    }
    out
}

fn keyword(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Union => "union",
        _ => "struct",
    }
}

/// `*const inner`.
fn with_quals(star: &str, quals: Quals, inner: &str) -> String {
    let mut out = star.to_string();
    for (wanted, word) in [(quals.is_const, "const"), (quals.is_volatile, "volatile")] {
        if wanted {
            out.push_str(word);
            out.push(' ');
        }
    }
    out.push_str(inner);
    out.trim_end().to_string()
}

/// `const T inner`.
fn with_base(base: &str, quals: Quals, inner: &str) -> String {
    let pointer = base.strip_suffix('*');
    let mut out = String::new();
    let mut words = String::new();
    for (wanted, word) in [(quals.is_const, "const "), (quals.is_volatile, "volatile ")] {
        if wanted {
            words.push_str(word);
        }
    }
    match pointer {
        // The qualifiers are those of the pointer.
        Some(_) => {
            out.push_str(base);
            out.push_str(&words);
        }
        None => {
            out.push_str(&words);
            out.push_str(base);
            if !inner.is_empty() {
                out.push(' ');
            }
        }
    }
    out.push_str(inner);
    out.trim_end().to_string()
}
