//! Which declaration a name means: namespaces, `using`, tags, typedefs, values, block scopes, and the regions of
//! blocks.

mod layers;
mod regions;

pub(crate) use layers::{nearest, NsId, Scopes};
pub(crate) use regions::RegionScopes;

use crate::decl::TypedefId;
use crate::hir::{FuncId, GlobalId, LocalId};
use crate::ty::{DatatypeId, EnumId, RecordId, TypeFnId, TypeId};

/// What a name in the space of ordinary identifiers (C11 6.2.3) means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Entry {
    Value(ValueDef),
    Typedef(TypedefId),
    TypeFn(TypeFnId),
    /// Declared by a C header with a type that is not safe; the index is into `DeclState::unsafe_decls`.
    Unsafe(u32),
    /// Its declaration was in error, which was reported.
    Error,
}

/// What a name in an expression means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ValueDef {
    Local(LocalId),
    Global(GlobalId),
    Func(FuncId),
    /// Value and type (`int`, or the enumeration).
    EnumConst(i128, TypeId),
    /// A constructor of a datatype.
    Variant(DatatypeId, u32),
    /// The name of a struct, tagged union or union, used as a constructor: nothing else has the name.
    Record(RecordId),
}

/// What a tag means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tag {
    Record(RecordId),
    Enum(EnumId),
    Datatype(DatatypeId),
}
