//! A translation unit in core.

use crate::{Expr, FieldIndex, Function, TyId, TypeTable};
use index_vec::{define_index_type, IndexVec};
use tenure_span::{Span, Symbol};

define_index_type! { pub struct FunctionId = u32; }
define_index_type! { pub struct GlobalId = u32; }
define_index_type! { pub struct StringId = u32; }
define_index_type! { pub struct NominalId = u32; }

/// A translation unit: what one emitted C file holds.
#[derive(Clone, Default, Debug)]
pub struct Program {
    pub types: TypeTable,
    pub decls: IndexVec<FunctionId, FunctionDecl>,
    pub functions: Vec<Function>,
    pub globals: IndexVec<GlobalId, Global>,
    pub strings: IndexVec<StringId, StringLiteral>,
    /// The named types that signatures speak of.
    pub nominals: IndexVec<NominalId, Nominal>,
    /// The `main` of the language, if this unit has one: emit adds C's `main` around it.
    pub main: Option<FunctionId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Linkage {
    /// Visible to other objects.
    External,
    /// `static`, and private copies of polymorphic functions.
    Internal,
    /// Declared here, defined in another object.
    Import,
    /// `inline` without `extern`: emitted `static inline`.
    Inline,
    /// Weak: one definition is kept of those in all objects.
    Weak,
}

#[derive(Clone, PartialEq, Debug)]
pub struct FunctionDecl {
    /// The symbol in the object file.
    pub c_name: Symbol,
    /// The name as the user wrote it, for messages and `--checks`.
    pub source_name: Symbol,
    /// A `Ty::Func`.
    pub ty: TyId,
    pub param_names: Vec<Option<Symbol>>,
    pub linkage: Linkage,
    pub is_inline: bool,
    pub noreturn: bool,
    /// No object of the checked heap moves or is deleted while it runs: it has a body, and nothing in that may. Set by
    /// `analysis`.
    pub is_still: bool,
    /// Attributes that pass to cc unchanged (`cold`, `hot`, `section("…")`, …).
    pub attributes: Vec<String>,
    /// A function of C's own: its prototype is printed from here; emitted C includes no system header.
    pub is_extern_c: bool,
    /// None for what C defines, and for functions that the compiler made.
    pub signature: Option<Signature>,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Global {
    pub c_name: Symbol,
    pub source_name: Symbol,
    pub ty: TyId,
    pub is_const: bool,
    pub is_volatile: bool,
    pub thread_local: bool,
    pub linkage: Linkage,
    pub align: Option<u32>,
    /// `None`: zero-initialised (or, for an import, defined elsewhere).
    pub init: Option<Initializer>,
    pub attributes: Vec<String>,
    /// As a function's.
    pub signature: Option<Signature>,
    pub span: Span,
}

/// What stands for a type in object files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// Of the type, regions and all: a unit that uses the symbol links only with one that defines it at the same type.
    /// None where the symbol itself has it.
    pub hash: Option<u64>,
    /// The named types in it: units that know what is in them know the same.
    pub nominals: Vec<NominalId>,
}

/// A named type as other units may know it too.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Nominal {
    /// With the keyword before it.
    pub name: Symbol,
    /// Of its members, constants or variants, those in turn by name; none where this unit does not know them.
    pub contents: Option<u64>,
    /// The named types in those.
    pub parts: Vec<NominalId>,
    pub span: Span,
}

/// A static initial value: constant expressions only.
#[derive(Clone, PartialEq, Debug)]
pub enum Initializer {
    Value(Expr),
    /// By field; others are zero.
    Record(Vec<(FieldIndex, Initializer)>),
    /// By element, ascending; others are zero.
    Array(Vec<(u64, Initializer)>),
    /// Elements from..to all have this value (`{for i < n : constant}`, GNU ranges).
    Repeat {
        from: u64,
        to: u64,
        value: Box<Initializer>,
    },
    /// A character array filled from a string literal's bytes.
    Bytes(crate::StringId),
    /// Descriptor of an exception or extensible-datatype variant: `{ "name", … }`.
    Tag {
        name: Symbol,
    },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StringLiteral {
    /// Without the terminating zero, which is always emitted.
    pub units: Vec<u32>,
    /// 1 for char, 4 for wchar_t and char32_t, 2 for char16_t.
    pub unit_size: u8,
}
