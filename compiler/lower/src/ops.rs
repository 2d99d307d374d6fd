//! Arithmetic.

use crate::builder::Builder;
use tenure_core::{BinaryOp, CastKind, CheckKind, Const, Expr, ExprKind, IntTy, Ty, TyId};
use tenure_types::hir;
use tenure_types::ty::TypeId;

pub(crate) fn core_op(op: hir::BinaryOp) -> BinaryOp {
    match op {
        hir::BinaryOp::Add => BinaryOp::Add,
        hir::BinaryOp::Sub => BinaryOp::Sub,
        hir::BinaryOp::Mul => BinaryOp::Mul,
        hir::BinaryOp::Div => BinaryOp::Div,
        hir::BinaryOp::Rem => BinaryOp::Rem,
        hir::BinaryOp::BitAnd => BinaryOp::BitAnd,
        hir::BinaryOp::BitOr => BinaryOp::BitOr,
        hir::BinaryOp::BitXor => BinaryOp::BitXor,
        hir::BinaryOp::Shl => BinaryOp::Shl,
        hir::BinaryOp::Shr => BinaryOp::Shr,
        hir::BinaryOp::Eq => BinaryOp::Eq,
        hir::BinaryOp::Ne => BinaryOp::Ne,
        hir::BinaryOp::Lt => BinaryOp::Lt,
        hir::BinaryOp::Le => BinaryOp::Le,
        hir::BinaryOp::Gt => BinaryOp::Gt,
        hir::BinaryOp::Ge => BinaryOp::Ge,
    }
}

impl Builder<'_, '_> {
    pub(crate) fn binary(
        &mut self,
        op: hir::BinaryOp,
        a: &hir::Expr,
        b: &hir::Expr,
        ty: TypeId,
    ) -> Expr {
        let mut left = self.value(a);
        let right = self.keeping(&mut [&mut left], |this| this.value(b));
        let ty = self.repr(ty);
        self.arithmetic(core_op(op), left, right, ty)
    }

    /// `left op right` after the checks of division.
    pub(crate) fn arithmetic(&mut self, op: BinaryOp, left: Expr, right: Expr, ty: TyId) -> Expr {
        let divides = matches!(op, BinaryOp::Div | BinaryOp::Rem);
        let (left, right) = match self.int_kind(left.ty) {
            Some(int) if divides => self.checked_division(int, left, right),
            _ => (left, right),
        };
        let shift = self.division_as_shift(&left, &right).filter(|_| op == BinaryOp::Div);
        if let Some(count) = shift {
            let count = Expr { kind: ExprKind::Const(Const::Int(count.into())), ..right };
            return Expr {
                kind: ExprKind::Binary(BinaryOp::Shr, Box::new(left), Box::new(count)),
                ty,
            };
        }
        Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty }
    }

    fn checked_division(&mut self, int: IntTy, left: Expr, right: Expr) -> (Expr, Expr) {
        if let ExprKind::Const(Const::Int(value)) = right.kind {
            if value != 0 && value != -1 {
                return (left, right);
            }
        }
        let left = self.fixed(left);
        let right = self.fixed(right);
        self.check(CheckKind::NonZero(right.clone()));
        if int.is_signed() {
            self.check(CheckKind::NoDivOverflow { dividend: left.clone(), divisor: right.clone() });
        }
        (left, right)
    }

    /// The value as something that may be repeated and cannot change before it is used.
    fn fixed(&mut self, value: Expr) -> Expr {
        if self.is_fixed(&value) {
            value
        } else {
            self.save(value)
        }
    }

    pub(crate) fn is_scalar(&self, ty: TyId) -> bool {
        matches!(
            self.ty(ty),
            Ty::Int(_)
                | Ty::Enum(_)
                | Ty::Float(_)
                | Ty::Ptr { .. }
                | Ty::Checked { .. }
                | Ty::Fat { .. }
                | Ty::Word
                | Ty::Handle
        )
    }

    /// `old + 1` or `old - 1` in the type's own arithmetic.
    pub(crate) fn stepped(&mut self, old: Expr, ty: TyId, negative: bool) -> Expr {
        let op = if negative { BinaryOp::Sub } else { BinaryOp::Add };
        if let Ty::Float(_) = self.ty(ty) {
            let one = Expr { kind: ExprKind::Const(Const::Float(1f64.to_bits())), ty };
            return Expr { kind: ExprKind::Binary(op, Box::new(old), Box::new(one)), ty };
        }
        let promoted = match self.int_kind(ty) {
            Some(int) if int.bits() >= 32 => self.int_ty(int),
            _ => self.int_ty(IntTy::Int),
        };
        let old = self.convert(old, promoted);
        let one = Expr { kind: ExprKind::Const(Const::Int(1)), ty: promoted };
        let sum = Expr { kind: ExprKind::Binary(op, Box::new(old), Box::new(one)), ty: promoted };
        self.convert(sum, ty)
    }

    /// Arithmetic conversion between representations, by C's rules as this language closes them.
    pub(crate) fn convert(&mut self, value: Expr, to: TyId) -> Expr {
        if value.ty == to {
            return value;
        }
        let kind = match (self.ty(value.ty), self.ty(to)) {
            (_, Ty::Int(IntTy::Bool)) => CastKind::ToBool,
            (Ty::Int(_) | Ty::Enum(_), Ty::Int(_) | Ty::Enum(_)) => CastKind::Int,
            (Ty::Int(_) | Ty::Enum(_), Ty::Float(_) | Ty::Complex(_)) => CastKind::IntToFloat,
            (Ty::Float(_) | Ty::Complex(_), Ty::Float(_) | Ty::Complex(_)) => {
                CastKind::FloatToFloat
            }
            (Ty::Float(_) | Ty::Complex(_), Ty::Int(_) | Ty::Enum(_)) => CastKind::FloatToInt,
            _ => return self.adapt(value, to),
        };
        if let (ExprKind::Const(Const::Int(number)), CastKind::Int, Some(int)) =
            (&value.kind, kind, self.int_kind(to))
        {
            if fits(*number, int) {
                return Expr { kind: value.kind, ty: to };
            }
        }
        Expr { kind: ExprKind::Cast(kind, Box::new(value)), ty: to }
    }
}

/// Whether the type represents the number exactly.
fn fits(number: i128, int: IntTy) -> bool {
    int.range().is_some_and(|(least, greatest)| (least..=greatest).contains(&number))
}
