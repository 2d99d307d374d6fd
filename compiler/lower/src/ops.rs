//! Arithmetic, assignment, increment.

use crate::builder::{load, Builder};
use crate::clobber::reads_local;
use crate::place::Access;
use tenure_core::{
    BinaryOp, CastKind, CheckKind, Const, Expr, ExprKind, IntTy, Place, PlaceKind, StmtKind, Ty,
    TyId,
};
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

    /// Stores; the result is the stored value.
    pub(crate) fn assign(&mut self, target: &hir::Expr, value: &hir::Expr) -> Expr {
        let mut place = self.place(target, Access::Write);
        let value = self.keeping_place(&mut place, |this| this.value(value));
        // Not before the value is there: evaluating it may read the member that was written last, or throw.
        self.set_tag(&place);
        let stored = self.store(target, place.clone(), value);
        self.stored(target, &place);
        self.replaced(target, &place);
        let wanted = self.repr(target.ty);
        self.adapt(stored, wanted)
    }

    fn store(&mut self, target: &hir::Expr, place: Place, value: Expr) -> Expr {
        let value = self.adapt(value, place.ty);
        if matches!(self.ty(place.ty), Ty::Void) {
            self.lowerer.report_sizeless(target.span);
            return value;
        }
        let value = if self.is_fixed(&value) || !self.is_scalar(place.ty) {
            value
        } else {
            self.held(target, value)
        };
        self.zeroterm_store(target, &place, &value);
        self.emit(StmtKind::Assign(place.clone(), value.clone()));
        let reads_itself = place.root_local().is_some_and(|local| reads_local(&value, local));
        if self.is_fixed(&value) && !reads_itself && !self.is_bit_field(&place) {
            value
        } else {
            load(place)
        }
    }

    /// What is stored in a bit-field is not what was to be stored, but as much of it as fits.
    fn is_bit_field(&self, place: &Place) -> bool {
        let PlaceKind::Field(base, field) = &place.kind else { return false };
        let Ty::Record(record) = self.ty(base.ty) else { return false };
        let fields = self.lowerer.program.types.records[*record].fields.as_ref();
        fields
            .and_then(|fields| fields.get(*field as usize))
            .is_some_and(|field| field.bits.is_some())
    }

    /// A value that a check reads before the store, so it must not be computed twice from changing memory.
    fn held(&mut self, target: &hir::Expr, value: Expr) -> Expr {
        if self.is_zeroterm_element(target) {
            self.save(value)
        } else {
            value
        }
    }

    pub(crate) fn is_scalar(&self, ty: TyId) -> bool {
        matches!(
            self.ty(ty),
            Ty::Int(_)
                | Ty::Enum(_)
                | Ty::Float(_)
                | Ty::Ptr { .. }
                | Ty::Fat { .. }
                | Ty::Word
                | Ty::Handle
        )
    }

    pub(crate) fn assign_op(
        &mut self,
        target: &hir::Expr,
        op: hir::BinaryOp,
        compute: TypeId,
        value: &hir::Expr,
    ) -> Expr {
        let mut place = self.place(target, Access::Read);
        let wanted = self.repr(target.ty);
        let mut old = self.adapt(load(place.clone()), wanted);
        let right = self.keeping_place(&mut place, |this| {
            this.keeping(&mut [&mut old], |this| this.value(value))
        });
        let new = if self.pointer(target.ty).is_some() {
            self.moved(old, target.ty, right, op == hir::BinaryOp::Sub)
        } else {
            let compute = self.repr(compute);
            let left = self.convert(old, compute);
            let right = if matches!(op, hir::BinaryOp::Shl | hir::BinaryOp::Shr) {
                right
            } else {
                self.convert(right, compute)
            };
            let result = self.arithmetic(core_op(op), left, right, compute);
            self.convert(result, wanted)
        };
        let stored = self.store(target, place, new);
        self.adapt(stored, wanted)
    }

    pub(crate) fn inc_dec(
        &mut self,
        op: hir::IncDec,
        target: &hir::Expr,
        result_used: bool,
    ) -> Expr {
        let (negative, post) = match op {
            hir::IncDec::PreInc => (false, false),
            hir::IncDec::PreDec => (true, false),
            hir::IncDec::PostInc => (false, true),
            hir::IncDec::PostDec => (true, true),
        };
        let place = self.place(target, Access::Read);
        let wanted = self.repr(target.ty);
        let mut old = self.adapt(load(place.clone()), wanted);
        if post && result_used {
            old = self.save(old);
        }
        let new = if self.pointer(target.ty).is_some() {
            let one = self.int(1, IntTy::Int);
            self.moved(old.clone(), target.ty, one, negative)
        } else {
            self.stepped(old.clone(), wanted, negative)
        };
        let stored = self.store(target, place, new);
        if post && result_used {
            old
        } else {
            self.adapt(stored, wanted)
        }
    }

    /// `old + 1` or `old - 1` in the type's own arithmetic.
    fn stepped(&mut self, old: Expr, ty: TyId, negative: bool) -> Expr {
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
