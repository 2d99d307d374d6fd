//! Counts of elements that are computed for an allocation: what does not fit is the largest `unsigned long`, which no
//! memory has.

use crate::builder::Builder;
use tenure_core::{BinaryOp, Const, Expr, ExprKind, IntTy};
use tenure_types::hir;

const MAX: i128 = u64::MAX as i128;

impl Builder<'_, '_> {
    /// `a op b` of two counts, where `op` is a product, a sum or a difference.
    pub(crate) fn saturating(&mut self, op: hir::BinaryOp, a: &hir::Expr, b: &hir::Expr) -> Expr {
        let ulong = self.int_ty(IntTy::ULong);
        let mut a = self.value(a);
        let b = self.keeping(&mut [&mut a], |this| this.value(b));
        let (a, b) = (self.repeatable(a), self.repeatable(b));
        let (op, beyond) = match op {
            hir::BinaryOp::Mul => (BinaryOp::Mul, self.product_may_not_fit(&a, &b)),
            hir::BinaryOp::Add => {
                let max = self.int(MAX, IntTy::ULong);
                let room = self.of(BinaryOp::Sub, max, b.clone(), IntTy::ULong);
                (BinaryOp::Add, self.of(BinaryOp::Gt, a.clone(), room, IntTy::Int))
            }
            _ => (BinaryOp::Sub, self.of(BinaryOp::Lt, a.clone(), b.clone(), IntTy::Int)),
        };
        let value = Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), ty: ulong };
        let max = self.int(MAX, IntTy::ULong);
        let kind = ExprKind::Cond(Box::new(beyond), Box::new(max), Box::new(value));
        Expr { kind, ty: ulong }
    }

    /// Exact beside a constant; of two that are not known, whether one of them is more than a pointer can count.
    fn product_may_not_fit(&mut self, a: &Expr, b: &Expr) -> Expr {
        let constant = |e: &Expr| match e.kind {
            ExprKind::Const(Const::Int(value)) if value > 0 => Some(value),
            _ => None,
        };
        let (other, known) = match (constant(a), constant(b)) {
            (_, Some(known)) => (a, known),
            (Some(known), None) => (b, known),
            (None, None) => {
                let either = self.of(BinaryOp::BitOr, a.clone(), b.clone(), IntTy::ULong);
                let limit = self.int(i128::from(u32::MAX), IntTy::ULong);
                return self.of(BinaryOp::Gt, either, limit, IntTy::Int);
            }
        };
        let most = self.int(MAX / known, IntTy::ULong);
        self.of(BinaryOp::Gt, other.clone(), most, IntTy::Int)
    }

    fn of(&mut self, op: BinaryOp, a: Expr, b: Expr, ty: IntTy) -> Expr {
        let ty = self.int_ty(ty);
        Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), ty }
    }
}
