//! Resolved patterns.

use super::LocalId;
use crate::ty::{DatatypeId, TyVarId, TypeId};
use tenure_span::Span;

/// A pattern and the type of what it is matched against.
#[derive(Clone, Debug)]
pub struct Pattern {
    pub kind: PatternKind,
    pub ty: TypeId,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum PatternKind {
    /// `_`, and `...` for the rest of a list.
    Wild,
    /// `x`, `x as P`: the matched value is copied; one of an owned type is moved out of the matched path.
    Bind(LocalId, Option<Box<Pattern>>),
    /// `*x`: the local is a pointer to the matched place.
    BindRef(LocalId, Option<Box<Pattern>>),
    /// Integer, character or enum constants, inclusive.
    Range(i128, i128),
    /// Bits of an `f64`.
    Float(u64),
    Null,
    /// `&P`: the value is a pointer that is not NULL; P matches what it points to (element 0).
    Pointer(Box<Pattern>),
    /// Struct, tuple or known-variant fields by index; others are ignored. `opened` are the existentials that it binds.
    Fields {
        fields: Vec<(u32, Pattern)>,
        opened: Vec<TyVarId>,
    },
    /// A datatype object whose tag is this variant (the value is the object, behind `Pointer`), with its arguments.
    Variant {
        datatype: DatatypeId,
        variant: u32,
        args: Vec<(u32, Pattern)>,
        opened: Vec<TyVarId>,
    },
    /// Member of a tagged union.
    UnionMember {
        field: u32,
        pattern: Box<Pattern>,
    },
    /// A string of `char ?` or zero-terminated `char *`: equal text.
    Str(Vec<u32>),
    Error,
}
