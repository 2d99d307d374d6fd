//! # Bytes that nobody wrote
//!
//! Goal: each byte that a program can look at was written. A local whose members are assigned one after the other keeps
//! what lies between them, or behind the shorter member of a union, as it was; a view as characters, or a read of the
//! longer member, would show it.
//!
//! Partition: the locals of types that are bits alone and have such bytes
//! ([`tenure_core::TypeTable::has_unwritten_bytes`]), and of which some statement stores to a part. Property: such a
//! local is zero where its block starts. What is assigned whole has the bytes of what it is a copy of; an initialiser
//! is lowered as zeros and its members, and memory from an allocator is zero unless an initialiser follows. cc drops
//! the zeros that nobody sees.

use tenure_core::{Function, LocalId, Place, PlaceKind, Program, Visitor};

/// The locals that start as zero for it.
pub fn unwritten(program: &Program, function: &Function) -> Vec<LocalId> {
    let mut parts = Parts(vec![false; function.locals.len()]);
    parts.block(&function.body);
    let is_unwritten = |id: LocalId| {
        parts.0[id.index()] && program.types.has_unwritten_bytes(function.locals[id].ty)
    };
    let ids = function.locals.indices();
    ids.filter(|&id| !function.params.contains(&id) && is_unwritten(id)).collect()
}

/// By local, whether a part of it is stored to.
struct Parts(Vec<bool>);

impl Visitor for Parts {
    fn dest(&mut self, place: &Place) {
        if let (Some(local), false) =
            (place.root_local(), matches!(place.kind, PlaceKind::Local(_)))
        {
            self.0[local.index()] = true;
        }
    }
    fn check(&mut self, _: &tenure_core::Check) {}
    fn expr(&mut self, _: &tenure_core::Expr) {}
    fn place(&mut self, _: &Place) {}
}
