//! Locals whose address some expression takes.

use tenure_core::{Expr, ExprKind, Function, PlaceKind, Visitor};

struct Taken(Vec<bool>);

impl Visitor for Taken {
    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::AddrOf(place) = &expr.kind {
            if let PlaceKind::Local(local) = place.root().kind {
                self.0[local.index()] = true;
            }
        }
        tenure_core::walk_expr(self, expr);
    }
}

/// By local; what core says is believed too.
pub fn taken(function: &Function) -> Vec<bool> {
    let mut taken = Taken(function.locals.iter().map(|local| local.address_taken).collect());
    taken.block(&function.body);
    taken.0
}
