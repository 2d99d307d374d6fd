//! What a branch tells about NULL.

use super::path::PathId;
use super::solve::Engine;
use super::state::{Fact, Mark, State};
use tenure_core::{BinaryOp, CastKind, Const, Expr, ExprKind, PlaceKind, UnaryOp};

impl Engine<'_> {
    /// Takes in that `cond` is true, or false: a path that is NULL owns nothing.
    pub fn refine(&self, state: &mut State, cond: &Expr, truth: bool) {
        let mut known = Vec::new();
        self.known(state, cond, truth, &mut known);
        for path in known {
            if let Mark::Live { .. } = state.at(&self.paths, path) {
                state.set(&self.paths, path, Mark::Null);
            }
        }
    }

    /// The paths that are NULL if `cond` has this truth.
    fn known(&self, state: &State, cond: &Expr, truth: bool, found: &mut Vec<PathId>) {
        match &cond.kind {
            ExprKind::Unary(UnaryOp::Not, a) => self.known(state, a, !truth, found),
            ExprKind::Cast(CastKind::ToBool | CastKind::Int, a) => {
                self.known(state, a, truth, found);
            }
            ExprKind::Binary(BinaryOp::And, a, b) if truth => {
                self.known(state, a, true, found);
                self.known(state, b, true, found);
            }
            ExprKind::Binary(BinaryOp::Or, a, b) if !truth => {
                self.known(state, a, false, found);
                self.known(state, b, false, found);
            }
            ExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), a, b) => {
                let equal = truth == (*op == BinaryOp::Eq);
                let other = match (is_zero(a), is_zero(b)) {
                    (false, true) => a,
                    (true, false) => b,
                    _ => return,
                };
                match self.path_of_value(state, other) {
                    Some(path) if equal => found.push(path),
                    Some(_) => {}
                    None => self.known(state, other, !equal, found),
                }
            }
            _ if !truth => found.extend(self.path_of_value(state, cond)),
            _ => {}
        }
    }

    /// The path that holds the value of an expression, also through a temporary.
    fn path_of_value(&self, state: &State, expr: &Expr) -> Option<PathId> {
        match &expr.kind {
            ExprKind::Load(place) => match place.kind {
                PlaceKind::Local(local) => match state.facts.get(&local) {
                    Some(Fact::Same(path)) => Some(*path),
                    _ => self.paths.value_of(expr),
                },
                _ => self.paths.value_of(expr),
            },
            ExprKind::Cast(CastKind::PtrView | CastKind::FatView | CastKind::PtrToInt, inner)
            | ExprKind::FatBase(inner)
            | ExprKind::FatCur(inner) => self.path_of_value(state, inner),
            _ => None,
        }
    }
}

fn is_zero(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Const(Const::Zero | Const::Int(0)) => true,
        ExprKind::Cast(_, inner) => is_zero(inner),
        _ => false,
    }
}
