//! Declarations: what they add to the scopes, the types and the unit.

mod attribute;
mod builtin;
mod c_interface;
mod datatype;
mod field;
mod file;
mod function;
mod header;
mod key;
mod local;
mod packing;
mod record;
mod typedef;
mod variable;

pub(crate) use field::FoundField;
pub(crate) use header::{header_of, instead_of};

use crate::hir::{FuncId, GlobalId};
use crate::scope::NsId;
use crate::ty::{DatatypeId, QualType, TyVarId};
use index_vec::{define_index_type, IndexVec};
use tenure_span::{Span, Symbol};

define_index_type! { pub(crate) struct TypedefId = u32; }

/// A typedef's type, of its parameters.
#[derive(Clone, Debug)]
pub(crate) struct TypedefDef {
    pub name: Symbol,
    pub params: Vec<TyVarId>,
    pub ty: QualType,
    /// Declared by a C header, with a type that says too little.
    pub unsafe_reason: Option<String>,
    /// It is a pointer whose region was left out, so it points into the heap: the place of the name.
    pub heap_pointer: Option<Span>,
}

/// What is known of a function beside its type.
#[derive(Clone, Debug, Default)]
pub(crate) struct FuncInfo {
    /// Takes and gives plain bytes: `__attribute__((bytes))`.
    pub bytes: bool,
    /// Other functions that may be meant: `__attribute__((overload(f, g)))`.
    pub overloads: Vec<Symbol>,
    pub ns: Option<NsId>,
    /// Typedefs of pointers into the heap that its parameters use without saying so.
    pub heap_typedefs: Vec<TypedefId>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct GlobalInfo {
    /// Defined with an initialiser, and not only tentatively.
    pub initialised: bool,
}

/// A declaration of a C header that cannot be used as it is.
#[derive(Clone, Debug)]
pub(crate) struct UnsafeDecl {
    pub name: Symbol,
    pub reason: String,
    pub span: Span,
    pub reported: bool,
    /// A function whose further arguments have no types, of the program's own.
    pub untyped: bool,
    /// A function that is declared `unavailable`: what to use in its place.
    pub instead: Option<Symbol>,
}

#[derive(Debug, Default)]
pub(crate) struct DeclState {
    /// Arrays that were indexed before their length was declared, and where.
    pub of_open_length: Vec<(crate::hir::GlobalId, tenure_span::Span)>,
    pub typedefs: IndexVec<TypedefId, TypedefDef>,
    pub funcs: IndexVec<FuncId, FuncInfo>,
    pub globals: IndexVec<GlobalId, GlobalInfo>,
    pub unsafe_decls: Vec<UnsafeDecl>,
    /// In the order of the file.
    pub packings: Vec<packing::Packing>,
    pub main: Option<FuncId>,
    pub exn: Option<DatatypeId>,
    /// Inside `extern "C"`.
    pub extern_c: bool,
    /// What the declarations of an include's override block give: they replace the header's.
    pub overriding: bool,
}
