//! Powers of two that an expression is a multiple of, whatever its variables are.
//!
//! Arithmetic wraps modulo a power of two, so that what is even stays even. Division of such a signed number needs no
//! rounding towards zero: it is a shift. cc finds this out where an overflow may be taken not to happen, and here it
//! may not.

use crate::builder::Builder;
use tenure_core::{BinaryOp, CastKind, Const, Expr, ExprKind, IntTy, Place, PlaceKind};

const DEEPEST: u32 = 16;

impl Builder<'_, '_> {
    /// The count of the shift that divides a number of a signed type by a constant, without a remainder.
    pub(crate) fn division_as_shift(&self, dividend: &Expr, divisor: &Expr) -> Option<u32> {
        let int = self.int_kind(dividend.ty).filter(|int| int.is_signed())?;
        let ExprKind::Const(Const::Int(n)) = divisor.kind else { return None };
        let count = n.trailing_zeros();
        // The greatest power of two of a signed type is its least number.
        let fits = n > 1 && n & (n - 1) == 0 && count + 1 < int.bits();
        (fits && self.trailing_zeros(dividend, DEEPEST) >= count).then_some(count)
    }

    /// Zero bits that the number has at its end at least.
    fn trailing_zeros(&self, expr: &Expr, depth: u32) -> u32 {
        let Some(depth) = depth.checked_sub(1) else { return 0 };
        match &expr.kind {
            ExprKind::Const(Const::Int(n)) => n.trailing_zeros(),
            ExprKind::Cast(CastKind::Int, inner) if self.int_kind(expr.ty) != Some(IntTy::Bool) => {
                self.trailing_zeros(inner, depth)
            }
            ExprKind::Binary(op, a, b) => {
                let (x, y) = (self.trailing_zeros(a, depth), self.trailing_zeros(b, depth));
                match op {
                    BinaryOp::Mul => {
                        let successive = self.are_successive(a, b) || self.are_successive(b, a);
                        x.saturating_add(y).max(u32::from(successive))
                    }
                    BinaryOp::Add | BinaryOp::Sub | BinaryOp::BitOr | BinaryOp::BitXor => x.min(y),
                    BinaryOp::BitAnd => x.max(y),
                    _ => 0,
                }
            }
            _ => 0,
        }
    }

    /// Whether `b` is `a + 1`: one of the two is even.
    fn are_successive(&self, a: &Expr, b: &Expr) -> bool {
        let (smaller, one) = match (&a.kind, &b.kind) {
            (_, ExprKind::Binary(BinaryOp::Add, b, one)) if **b == *a => (a, one),
            (ExprKind::Binary(BinaryOp::Sub, a, one), _) if **a == *b => (b, one),
            _ => return false,
        };
        matches!(one.kind, ExprKind::Const(Const::Int(1))) && self.is_repeatable(smaller, DEEPEST)
    }

    /// Whether evaluating it twice gives the same.
    fn is_repeatable(&self, expr: &Expr, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        match &expr.kind {
            ExprKind::Const(_) => true,
            ExprKind::Load(Place { kind: PlaceKind::Local(local), .. }) => {
                !self.locals[*local].address_taken && !self.locals[*local].is_volatile
            }
            ExprKind::Cast(CastKind::Int, inner) => self.is_repeatable(inner, depth),
            ExprKind::Binary(_, a, b) => {
                self.is_repeatable(a, depth) && self.is_repeatable(b, depth)
            }
            _ => false,
        }
    }
}
