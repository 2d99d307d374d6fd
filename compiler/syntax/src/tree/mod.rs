//! The tree of a translation unit, as written: owned, no types, no resolved names.
//!
//! Declarators are kept flat. `int *(*f)(int)` has the specifiers `int` and the parts
//! `[Pointer, Function(int), Pointer]`, from the name outwards, so that its type is found by
//! starting from the specifiers and applying the parts in reverse order.
//!
//! The height of a tree is bounded (see the parser's limits), so consumers may recurse.

mod decl;
mod expr;
mod name;
mod pattern;
mod stmt;
mod types;

pub use decl::*;
pub use expr::*;
pub use name::*;
pub use pattern::*;
pub use stmt::*;
pub use types::*;

use tenure_span::{FileId, Span};

/// A translation unit.
#[derive(Clone, Debug)]
pub struct Tree {
    pub file: FileId,
    pub decls: Vec<Decl>,
    /// `#pragma` lines (C11 6.10.6), in order. Line markers are known to the source map instead.
    pub pragmas: Vec<Pragma>,
    /// The names of all attributes, wherever they stand.
    pub attributes: Vec<Ident>,
}

/// The rest of a `#pragma` line. `#pragma tenure cyclone1` and the like are read by later phases.
#[derive(Clone, Debug)]
pub struct Pragma {
    pub span: Span,
    pub text: String,
}
