//! Representations: which C type stands for a type.
//!
//! - A type variable's value is a word; memory behind a pointer to one is words too (or, in a second copy, the
//!   instance's own type).
//! - Records are laid out by their declaration, whatever the arguments: a field of variable type is a word slot.
//! - Each scalar of a tuple has its own 8-byte slot, so that a tuple of words seen by polymorphic code and a tuple of
//!   smaller scalars seen by its instance agree (little-endian targets).
//! - A datatype object is a tag and the variant's arguments; a pointer to the datatype is a pointer to a record of the
//!   tag alone. The tag of an extensible variant is the address of its descriptor.

use crate::instance::Subst;
use crate::unit::Lowerer;
use tenure_core::{Field, FuncTy, IntTy, Quals, Record, RecordKind, Ty, TyId};
use tenure_span::{FastMap, Span, Symbol};
use tenure_types::names::QualName;
use tenure_types::ty::{
    self, ArrayLen, Bounds, DatatypeId, FieldDef, FunctionType, Kind, Pointer, QualType,
    RecordSort, Size, SizeId, Type, TypeId, Variadic,
};

/// Memo tables.
#[derive(Default)]
pub(crate) struct Repr {
    /// Of closed types and of types under the empty substitution.
    types: FastMap<TypeId, TyId>,
    records: FastMap<ty::RecordId, tenure_core::RecordId>,
    enums: FastMap<ty::EnumId, tenure_core::EnumId>,
    tuples: FastMap<Vec<TyId>, tenure_core::RecordId>,
    /// The record of the tag alone.
    bases: FastMap<DatatypeId, tenure_core::RecordId>,
    variants: FastMap<(DatatypeId, u32), tenure_core::RecordId>,
    /// Of references with bounds.
    pub(crate) fat_reference: Option<tenure_core::RecordId>,
    /// Datatypes' objects as members of structs.
    objects: FastMap<DatatypeId, tenure_core::RecordId>,
    /// Descriptors of extensible variants.
    tags: FastMap<(DatatypeId, u32), tenure_core::GlobalId>,
    /// How often a tag name was used, to keep emitted names apart.
    names: FastMap<Symbol, u32>,
}

impl Lowerer<'_> {
    /// The representation of a type under a substitution of type variables.
    pub(crate) fn repr(&mut self, ty: TypeId, subst: &Subst) -> TyId {
        if subst.is_empty() {
            if let Some(&known) = self.repr.types.get(&ty) {
                return known;
            }
        }
        let unit = self.unit;
        let repr = match unit.types.get(ty) {
            Type::Void | Type::Error | Type::Infer(_) => Ty::Void,
            Type::Int(int) => Ty::Int(*int),
            Type::Float(float) => Ty::Float(*float),
            Type::Complex(float) => Ty::Complex(*float),
            Type::Enum(id) => Ty::Enum(self.enum_repr(*id)),
            Type::Pointer(pointer) => self.pointer_repr(pointer, subst),
            Type::Array { elem, len, .. } => {
                let of = self.repr(elem.ty, subst);
                let len = match len {
                    ArrayLen::Known(size) => self.constant_size(*size).unwrap_or(0),
                    ArrayLen::Incomplete => 0,
                };
                Ty::Array { of, len }
            }
            Type::Function(function) => Ty::Func(self.function_repr(function, subst)),
            Type::Record(id, _) => Ty::Record(self.record_repr(*id)),
            Type::Tuple(parts) => Ty::Record(self.tuple_repr(parts, subst)),
            Type::Datatype(id, _) => Ty::Record(self.datatype_base(*id)),
            Type::Variant(id, variant, _) => Ty::Record(self.variant_repr(*id, *variant)),
            Type::Handle(_) => Ty::Handle,
            // Its value is never negative (`Builder::check_counts`).
            Type::Tag(_, int) => Ty::Int(*int),
            Type::Var(var) => match subst.get(*var) {
                Some(instance) => return instance,
                None if unit.types.vars[*var].kind == Kind::Any => Ty::Void,
                None => Ty::Word,
            },
            Type::VaList => Ty::VaList,
        };
        let repr = self.program.types.intern(repr);
        if subst.is_empty() {
            self.repr.types.insert(ty, repr);
        }
        repr
    }

    fn pointer_repr(&mut self, pointer: &Pointer, subst: &Subst) -> Ty {
        let to = self.repr(pointer.elem.ty, subst);
        let quals = pointer.elem.quals;
        let is_checked = self.unit.types.is_checked(pointer.region);
        match pointer.bounds {
            Bounds::Fat if is_checked => self.fat_reference(),
            Bounds::Thin(_) if is_checked => Ty::Checked { to, quals },
            Bounds::Fat => Ty::Fat { to, quals },
            Bounds::Thin(_) => Ty::Ptr { to, quals },
        }
    }

    pub(crate) fn function_repr(&mut self, function: &FunctionType, subst: &Subst) -> FuncTy {
        let mut params: Vec<TyId> =
            function.params.iter().map(|param| self.repr(param.ty, subst)).collect();
        match function.variadic {
            Variadic::No | Variadic::C => {}
            Variadic::Fat(elem) | Variadic::Inject(elem) => {
                let to = self.repr(elem, subst);
                params.push(self.program.types.intern(Ty::Fat { to, quals: Quals::default() }));
            }
        }
        FuncTy {
            result: self.repr(function.result.ty, subst),
            params,
            variadic: function.variadic == Variadic::C,
            noreturn: function.noreturn,
        }
    }

    /// The value of a size that is known at compile time.
    pub(crate) fn constant_size(&self, size: SizeId) -> Option<u64> {
        match *self.unit.types.get_size(size) {
            Size::Const(value) => Some(value),
            Size::Add(a, b) => self.constant_size(a)?.checked_add(self.constant_size(b)?),
            Size::Mul(a, b) => self.constant_size(a)?.checked_mul(self.constant_size(b)?),
            Size::Var(_) | Size::Infer(_) | Size::Error => None,
        }
    }

    /// A tag name for emitted C that nothing else has.
    fn unique_tag(&mut self, wanted: Symbol) -> Symbol {
        let count = self.repr.names.entry(wanted).or_insert(0);
        *count += 1;
        match *count {
            1 => wanted,
            n => Symbol::new(&format!("{}${n}", wanted.as_str())),
        }
    }

    fn tag_name(&mut self, name: Option<&QualName>, fallback: &str) -> Symbol {
        let wanted = match name {
            Some(name) => joined(name),
            None => Symbol::new(fallback),
        };
        self.unique_tag(wanted)
    }

    fn push_record(
        &mut self,
        kind: RecordKind,
        c_name: Symbol,
        span: Span,
    ) -> tenure_core::RecordId {
        self.program.types.records.push(Record {
            kind,
            c_name,
            fields: None,
            packed: false,
            align: None,
            span,
        })
    }

    fn record_repr(&mut self, id: ty::RecordId) -> tenure_core::RecordId {
        if let Some(&known) = self.repr.records.get(&id) {
            return known;
        }
        let unit = self.unit;
        let def = &unit.types.records[id];
        let c_name = self.tag_name(def.name.as_ref(), "anonymous$");
        let kind = match def.sort {
            RecordSort::Struct => RecordKind::Struct,
            RecordSort::Union => RecordKind::Union,
            RecordSort::TaggedUnion => RecordKind::TaggedUnion,
        };
        let record = self.push_record(kind, c_name, def.span);
        self.repr.records.insert(id, record);
        if let Some(fields) = &def.fields {
            let fields = fields.iter().map(|field| self.field_repr(field)).collect();
            let fields = match def.sort {
                RecordSort::TaggedUnion => self.tagged_fields(c_name, fields, def.span),
                RecordSort::Struct | RecordSort::Union => fields,
            };
            let record = &mut self.program.types.records[record];
            record.fields = Some(fields);
            record.packed = def.packed;
            record.align = def.align;
        }
        record
    }

    fn field_repr(&mut self, field: &FieldDef) -> Field {
        Field {
            name: field.name,
            ty: match self.unit.types.get(field.ty.ty) {
                Type::Datatype(id, _) => {
                    let record = self.datatype_object(*id);
                    self.program.types.intern(Ty::Record(record))
                }
                _ => self.repr(field.ty.ty, &Subst::default()),
            },
            quals: field.ty.quals,
            bits: field.bits,
            align: field.align,
        }
    }

    /// A tagged union is a tag and a union of the members.
    fn tagged_fields(&mut self, c_name: Symbol, members: Vec<Field>, span: Span) -> Vec<Field> {
        let name = self.unique_tag(Symbol::new(&format!("{}$members", c_name.as_str())));
        let union = self.push_record(RecordKind::Union, name, span);
        self.program.types.records[union].fields = Some(members);
        let tag = self.program.types.int(IntTy::UInt);
        let union = self.program.types.intern(Ty::Record(union));
        vec![plain_field("tag", tag), plain_field("value", union)]
    }

    fn enum_repr(&mut self, id: ty::EnumId) -> tenure_core::EnumId {
        if let Some(&known) = self.repr.enums.get(&id) {
            return known;
        }
        let unit = self.unit;
        let def = &unit.types.enums[id];
        let c_name = self.tag_name(def.name.as_ref(), "anonymous$enum");
        let constants = def
            .constants
            .iter()
            .flatten()
            .map(|(name, value, _)| (joined(name), *value))
            .collect::<Vec<(Symbol, i128)>>();
        let id_in_core = self.program.types.enums.push(tenure_core::EnumDef {
            c_name,
            underlying: def.underlying,
            constants,
        });
        self.repr.enums.insert(id, id_in_core);
        id_in_core
    }

    fn tuple_repr(&mut self, parts: &[QualType], subst: &Subst) -> tenure_core::RecordId {
        let reprs: Vec<TyId> = parts.iter().map(|part| self.repr(part.ty, subst)).collect();
        if let Some(&known) = self.repr.tuples.get(&reprs) {
            return known;
        }
        let name = Symbol::new(&format!("tuple${}", self.repr.tuples.len() + 1));
        let record = self.push_record(RecordKind::Tuple, name, Span::NONE);
        let fields = reprs
            .iter()
            .enumerate()
            .map(|(number, &ty)| {
                let small = matches!(self.program.types.get(ty), Ty::Int(int) if int.bits() < 64)
                    || matches!(
                        self.program.types.get(ty),
                        Ty::Enum(_) | Ty::Float(tenure_core::FloatTy::F32)
                    );
                Field { align: small.then_some(8), ..plain_field(&format!("f{number}"), ty) }
            })
            .collect();
        self.program.types.records[record].fields = Some(fields);
        self.repr.tuples.insert(reprs, record);
        record
    }

    /// Whether tags are descriptor addresses.
    pub(crate) fn is_extensible(&self, id: DatatypeId) -> bool {
        self.unit.types.datatypes[id].extensible
    }

    /// The type of a datatype's tag.
    pub(crate) fn tag_ty(&mut self, id: DatatypeId) -> TyId {
        if self.is_extensible(id) {
            let void = self.program.types.intern(Ty::Void);
            self.program
                .types
                .intern(Ty::Ptr { to: void, quals: Quals { is_const: true, is_volatile: false } })
        } else {
            self.program.types.int(IntTy::UInt)
        }
    }

    pub(crate) fn datatype_base(&mut self, id: DatatypeId) -> tenure_core::RecordId {
        if let Some(&known) = self.repr.bases.get(&id) {
            return known;
        }
        let unit = self.unit;
        let def = &unit.types.datatypes[id];
        let c_name = self.tag_name(Some(&def.name), "datatype$");
        let record = self.push_record(RecordKind::Struct, c_name, def.span);
        self.repr.bases.insert(id, record);
        let tag = self.tag_ty(id);
        self.program.types.records[record].fields = Some(vec![plain_field("tag", tag)]);
        self.program.types.records[record].align = self.align_of_objects(id);
        record
    }

    /// Low bits of their addresses are zero where those of other words are not.
    fn align_of_objects(&self, id: DatatypeId) -> Option<u32> {
        self.unit.types.datatypes[id].has_immediates().then_some(1 << tenure_types::ty::KIND_BITS)
    }

    /// A datatype's object as a member of a struct: room for each variant.
    pub(crate) fn datatype_object(&mut self, id: DatatypeId) -> tenure_core::RecordId {
        if let Some(&known) = self.repr.objects.get(&id) {
            return known;
        }
        let unit = self.unit;
        let def = &unit.types.datatypes[id];
        let name = self.tag_name(Some(&def.name), "datatype$");
        let c_name = self.unique_tag(Symbol::new(&format!("{}$object", name.as_str())));
        let record = self.push_record(RecordKind::Union, c_name, def.span);
        self.repr.objects.insert(id, record);
        let mut members = Vec::new();
        for variant in 0..def.variants.as_ref().map_or(0, Vec::len) {
            let variant = self.variant_repr(id, variant as u32);
            let ty = self.program.types.intern(Ty::Record(variant));
            members.push(plain_field(&format!("v{}", members.len()), ty));
        }
        self.program.types.records[record].fields = Some(members);
        record
    }

    pub(crate) fn variant_repr(&mut self, id: DatatypeId, variant: u32) -> tenure_core::RecordId {
        if let Some(&known) = self.repr.variants.get(&(id, variant)) {
            return known;
        }
        let unit = self.unit;
        let def = &unit.types.datatypes[id];
        let Some(variant_def) =
            def.variants.as_ref().and_then(|variants| variants.get(variant as usize))
        else {
            return self.datatype_base(id);
        };
        let name = format!("{}${}", joined(&def.name).as_str(), joined(&variant_def.name).as_str());
        let c_name = self.unique_tag(Symbol::new(&name));
        let record = self.push_record(RecordKind::Variant, c_name, variant_def.span);
        self.repr.variants.insert((id, variant), record);
        let mut fields = vec![plain_field("tag", self.tag_ty(id))];
        for (number, arg) in variant_def.args.iter().enumerate() {
            let ty = self.repr(arg.ty, &Subst::default());
            fields.push(plain_field(&format!("f{}", number + 1), ty));
        }
        self.program.types.records[record].fields = Some(fields);
        self.program.types.records[record].align = self.align_of_objects(id);
        record
    }

    /// The descriptor of an extensible variant: one global in the program that declares it.
    pub(crate) fn descriptor(
        &mut self,
        id: DatatypeId,
        variant: u32,
    ) -> Option<tenure_core::GlobalId> {
        if let Some(&known) = self.repr.tags.get(&(id, variant)) {
            return Some(known);
        }
        let unit = self.unit;
        let def = &unit.types.datatypes[id];
        let variant_def = def.variants.as_ref()?.get(variant as usize)?;
        let source_name = Symbol::new(&variant_def.name.to_string());
        let void = self.program.types.intern(Ty::Void);
        let linkage = if variant_def.is_extern {
            tenure_core::Linkage::Import
        } else {
            tenure_core::Linkage::Weak
        };
        // Two units' exceptions of one name that carry different values are two exceptions.
        let carried = crate::signature::of_variant(&unit.types, variant_def);
        let hash = carried.as_ref().map(|spelling| spelling.hash);
        let names = carried.map_or(Vec::new(), |spelling| spelling.names);
        let nominals = self.nominals_of(&names);
        let global = self.program.globals.push(tenure_core::Global {
            c_name: tenure_core::tag_name(joined(&variant_def.name), hash),
            source_name,
            ty: void,
            is_const: true,
            is_volatile: false,
            thread_local: false,
            linkage,
            align: None,
            init: (!variant_def.is_extern)
                .then_some(tenure_core::Initializer::Tag { name: source_name }),
            attributes: Vec::new(),
            signature: Some(tenure_core::Signature { hash: None, nominals }),
            span: variant_def.span,
        });
        self.repr.tags.insert((id, variant), global);
        Some(global)
    }

    /// Whether it is a word-sized scalar, so that memory that holds it can be read as words.
    pub(crate) fn is_word_sized(&self, ty: TyId) -> bool {
        match self.program.types.get(ty) {
            Ty::Int(int) => int.bits() == 64,
            Ty::Float(float) => *float == tenure_core::FloatTy::F64,
            Ty::Ptr { .. } | Ty::Checked { .. } | Ty::Word | Ty::Handle => true,
            _ => false,
        }
    }
}

fn plain_field(name: &str, ty: TyId) -> Field {
    Field { name: Some(Symbol::new(name)), ty, quals: Quals::default(), bits: None, align: None }
}

fn joined(name: &QualName) -> Symbol {
    tenure_core::c_name(&name.path, name.name)
}
