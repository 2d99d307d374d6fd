//! Ownership in a checked body (LANGUAGE, section 3): which reads of owned values are moves, and whether the place may
//! be moved out of at all. Runs on final types. When something leaves, and whether it was there, is `analysis`'s to
//! say.
//!
//! Every expression stands in one of two contexts. Where its value is *copied* (initialisers, assignments, arguments,
//! returned values, parts of aggregates) an owned place becomes a `Move`, which needs a unique path. Where it is only
//! *looked at* (behind `*` and `->`, comparisons, conditions, operands of `:=:`, what is matched) it stays a place.

mod expr;
mod guard;
mod leak;
mod path;
mod pattern;
mod stmt;

pub(crate) use leak::Parts;

use crate::checker::Checker;
use crate::hir::{Body, Expr};
use crate::ty::{Owned, TypeId};

/// What becomes of an expression's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cx {
    Copy,
    Look,
}

/// The walk over one body.
struct Ownership<'c, 'a> {
    checker: &'c Checker<'a>,
    parts: Parts,
}

impl Checker<'_> {
    /// Finds the moves of a body whose types are final.
    pub fn own_body(&mut self, body: &mut Body) {
        let mut ownership = Ownership { checker: self, parts: Parts::default() };
        ownership.block(&mut body.block);
        let parts = ownership.parts;
        self.lost.add(parts);
    }
}

impl Ownership<'_, '_> {
    fn owned(&self, ty: TypeId) -> Option<Owned> {
        self.checker.types.owned(ty)
    }

    fn is_owned_pointer(&self, ty: TypeId) -> bool {
        matches!(self.owned(ty), Some(Owned::Unique | Owned::Counted))
    }

    fn show(&self, e: &Expr) -> String {
        self.checker.show_type(e.ty)
    }
}
