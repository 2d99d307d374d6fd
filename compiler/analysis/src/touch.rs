//! # Touches
//!
//! Goal: a reference of the checked heap that was touched is not touched again while nothing can have moved or deleted its object.
//!
//! Partition: the locals of a function that hold references, each touched or not at each point (`tenure_core::Touched`). Property: a touch is
//! marked proved only if its local was touched on each way that leads to it, was not stored to since, and no statement since then may
//! move or delete objects: no call, no allocation in the checked heap, no end of a pin. Removes: the touches of a variable that is
//! followed twice, and of copies of it, also in loops around which it was touched.

use tenure_core::{
    Check, CheckKind, CheckStatus, Expr, ExprKind, Fact, Function, LocalId, Place, PlaceKind, Stmt,
    Touched, TouchedVisitor,
};
use tenure_span::Span;

/// Marks what need not be touched again; `verify`: it is, to see whether that is right.
pub(crate) fn prove_touches(function: &mut Function, verify: bool) {
    tenure_core::walk_touched(function, &mut Prover { verify });
}

struct Prover {
    verify: bool,
}

impl TouchedVisitor for Prover {
    fn addresses(&mut self, _: &[LocalId], _: &Touched, _: Span) -> Vec<Stmt> {
        Vec::new()
    }

    fn check(&mut self, check: &mut Check, known: &Touched) {
        let CheckKind::Touch(Expr { kind: ExprKind::Load(Place { kind, .. }), .. }) = &check.kind
        else {
            return;
        };
        let PlaceKind::Local(local) = *kind else { return };
        if check.status != CheckStatus::Needed || !known.has(local) {
            return;
        }
        let fact = Fact::EarlierCheck(check.span);
        check.status = match self.verify {
            true => CheckStatus::Verified(fact),
            false => CheckStatus::Proved(fact),
        };
    }
}
