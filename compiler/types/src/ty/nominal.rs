//! Named types: records, enumerations, datatypes, abstract type functions.

use super::{
    EffectId, GenericArg, Immediate, Kind, QualType, Quals, RegionId, TyVarId, Type, TypeId,
    TypeTable,
};
use crate::names::QualName;
use index_vec::define_index_type;
use tenure_core::IntTy;
use tenure_span::{FastSet, Span, Symbol};

define_index_type! { pub struct RecordId = u32; }
define_index_type! { pub struct EnumId = u32; }
define_index_type! { pub struct DatatypeId = u32; }
define_index_type! { pub struct TypeFnId = u32; }

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordSort {
    Struct,
    Union,
    /// `@tagged union`.
    TaggedUnion,
}

#[derive(Clone, Debug)]
pub struct RecordDef {
    /// `None` for an anonymous one.
    pub name: Option<QualName>,
    pub sort: RecordSort,
    pub params: Vec<TyVarId>,
    /// Declared with C linkage (no mangling of the namespace).
    pub extern_c: bool,
    /// `abstract`, or declared in a header without a body so far.
    pub fields: Option<Vec<FieldDef>>,
    pub is_abstract: bool,
    /// Existential variables bound at the start of the body, with bounds on them.
    pub existentials: Vec<TyVarId>,
    pub bounds: Vec<(EffectId, RegionId)>,
    pub packed: bool,
    pub align: Option<u32>,
    /// C's type of the same name is another one: `__attribute__((not_c("…")))` says what crosses to C in its place.
    pub not_c: Option<Symbol>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct FieldDef {
    /// `None` for an anonymous member and for padding bit-fields.
    pub name: Option<Symbol>,
    pub ty: QualType,
    pub bits: Option<u32>,
    pub align: Option<u32>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct EnumDef {
    pub name: Option<QualName>,
    pub underlying: IntTy,
    /// `None` while incomplete.
    pub constants: Option<Vec<(QualName, i128, Span)>>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct DatatypeDef {
    pub name: QualName,
    pub params: Vec<TyVarId>,
    /// `@extensible`: variants are added by later declarations, tags are addresses.
    pub extensible: bool,
    /// `None` while only declared. An extensible one starts with an empty list.
    pub variants: Option<Vec<VariantDef>>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct VariantDef {
    pub name: QualName,
    pub existentials: Vec<TyVarId>,
    pub bounds: Vec<(EffectId, RegionId)>,
    pub args: Vec<QualType>,
    /// `@immediate`: its value is no object, but lies in the pointer's word.
    pub immediate: Option<Immediate>,
    /// Declared `extern` here, its descriptor is defined in another unit (extensible datatypes).
    pub is_extern: bool,
    pub span: Span,
}

/// `typedef _::R next_rgn<`r::R>`.
#[derive(Clone, Debug)]
pub struct TypeFnDef {
    pub name: QualName,
    pub param: Kind,
    pub result: Kind,
    pub span: Span,
}

impl TypeTable {
    /// Whether a datatype's object is a member of the struct.
    pub fn embeds_datatype(&self, id: RecordId) -> bool {
        let fields = self.records[id].fields.as_deref().unwrap_or_default();
        fields.iter().any(|field| matches!(self.get(field.ty.ty), Type::Datatype(..)))
    }

    /// A record that C has otherwise and a value of the type is, has in it or leads to.
    pub fn not_c(&self, ty: TypeId) -> Option<RecordId> {
        let mut found = None;
        self.reaches(ty, &mut |ty| match ty {
            Type::Record(id, _) if self.records[*id].not_c.is_some() => {
                found = Some(*id);
                true
            }
            _ => false,
        });
        found
    }

    /// Whether a value of the type is, or leads to, a reference of the checked heap.
    pub fn mentions_reference(&self, ty: TypeId) -> bool {
        self.reaches(ty, &mut |ty| match ty {
            Type::Pointer(pointer) => self.is_checked(pointer.region),
            _ => false,
        })
    }

    /// Whether the type, or one that values of it have in them or lead to, is as wanted.
    fn reaches(&self, ty: TypeId, wanted: &mut dyn FnMut(&Type) -> bool) -> bool {
        let mut seen = FastSet::default();
        let mut work = vec![ty];
        while let Some(ty) = work.pop() {
            if !seen.insert(ty) {
                continue;
            }
            if wanted(self.get(ty)) {
                return true;
            }
            match self.get(ty) {
                Type::Pointer(pointer) => work.push(pointer.elem.ty),
                Type::Array { elem, .. } => work.push(elem.ty),
                Type::Tuple(parts) => work.extend(parts.iter().map(|part| part.ty)),
                Type::Function(function) => {
                    work.push(function.result.ty);
                    work.extend(function.params.iter().map(|param| param.ty));
                }
                Type::Record(id, args) => {
                    let def = &self.records[*id];
                    work.extend(def.fields.iter().flatten().map(|field| field.ty.ty));
                    work.extend(args.iter().filter_map(|arg| match arg {
                        GenericArg::Type(ty) => Some(*ty),
                        _ => None,
                    }));
                }
                _ => {}
            }
        }
        false
    }

    /// A datatype's object, and what has one in it, stays what its constructor made of it: pointers to the arguments
    /// may be there. So it is not copied either.
    pub fn is_fixed_in_place(&self, ty: TypeId) -> bool {
        match self.get(ty) {
            Type::Datatype(..) => true,
            Type::Record(id, _) => self.embeds_datatype(*id),
            _ => false,
        }
    }
}

impl FieldDef {
    pub fn quals(&self) -> Quals {
        self.ty.quals
    }
}
