//! Assignments whose order of evaluation shows, in text that was written for another order.

use crate::checker::Checker;
use crate::hir::walk::TypesMut;
use crate::hir::{Expr, ExprKind, LocalId};
use crate::ty::{GenericArg, RegionId, TypeId};
use tenure_span::{Diagnostic, FastSet, Span};

/// What evaluating an expression reads and changes, as far as an expression shows it.
#[derive(Default)]
struct Touched {
    reads: FastSet<LocalId>,
    writes: FastSet<LocalId>,
    calls: bool,
}

impl Touched {
    fn by(e: &Expr) -> Touched {
        let mut touched = Touched::default();
        touched.expr(&mut e.clone());
        touched
    }

    fn changes(&self, other: &Touched) -> bool {
        self.writes.iter().any(|local| other.reads.contains(local) || other.writes.contains(local))
    }
}

impl TypesMut for Touched {
    fn ty(&mut self, _: &mut TypeId) {}

    fn region(&mut self, _: &mut RegionId) {}

    fn arg(&mut self, _: &mut GenericArg) {}

    fn expr(&mut self, e: &mut Expr) {
        match &e.kind {
            ExprKind::Local(local) => {
                self.reads.insert(*local);
            }
            ExprKind::IncDec(_, place)
            | ExprKind::Assign(place, _)
            | ExprKind::AssignOp { place, .. } => {
                if let ExprKind::Local(local) = place.kind {
                    self.writes.insert(local);
                }
            }
            ExprKind::Call(_) => self.calls = true,
            _ => {}
        }
        self.expr_parts(e);
    }
}

impl Checker<'_> {
    /// Cyclone 1.0 evaluated the right side of an assignment first, this language the left one.
    pub(super) fn warn_order(&self, place: &Expr, value: &Expr, span: Span) {
        if !self.in_cyclone1(span) || matches!(place.kind, ExprKind::Local(_) | ExprKind::Global(_))
        {
            return;
        }
        let (left, right) = (Touched::by(place), Touched::by(value));
        if left.changes(&right) || right.changes(&left) || left.calls && right.calls {
            let text = "the left side of this assignment is evaluated first; in Cyclone 1.0 the right side was";
            let warning = Diagnostic::warning("W0303", text, span)
                .help("keep what must come first in a variable");
            self.warn(warning);
        }
    }
}
