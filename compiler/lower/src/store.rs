//! Stores to places that were there before: assignment, compound assignment, increment, swap. (What initialises new
//! memory is in `init`; a type's initialisers keep its rules by themselves.)
//!
//! A store has three steps, of which each of them makes the same use. *Before*: the place is found and its checks are
//! made, the value is evaluated, and what that may have changed is checked again ([`Builder::keeping_access`]).
//! *Ready*: the value is what will be stored, and what must hold of it there is checked ([`Builder::ready`]): it does
//! not take the zero of a zero-terminated sequence away. *Put*: the value is there, and so is the tag of the union
//! whose member it is ([`Builder::put`]). Between ready and put nothing is evaluated, so that what was checked still
//! holds.

use crate::builder::{load, Builder};
use crate::clobber::reads_local;
use crate::place::Access;
use tenure_core::{
    BinaryOp, CheckKind, Const, ConsumeHow, Expr, ExprKind, IntTy, Place, PlaceKind, Quals,
    RecordKind, RestoreHow, StmtKind, Ty,
};
use tenure_types::hir;
use tenure_types::ty::{ArrayLen, Type, TypeId};

impl Builder<'_, '_> {
    /// Stores; the result is the stored value.
    pub(crate) fn assign(&mut self, target: &hir::Expr, value: &hir::Expr) -> Expr {
        let mut place = self.place(target, Access::Write);
        let value = self.keeping_access(&mut place, Access::Write, |this| this.value(value));
        let stored = self.store(target, place.clone(), value, Access::Write);
        self.stored(target, &place);
        self.replaced(target, &place);
        let wanted = self.repr(target.ty);
        self.adapt(stored, wanted)
    }

    /// Gives the stored value. The place was found for `access`: with `Write`, the tag is still to be set.
    pub(crate) fn store(
        &mut self,
        target: &hir::Expr,
        place: Place,
        value: Expr,
        access: Access,
    ) -> Expr {
        if matches!(self.ty(place.ty), Ty::Void) {
            self.lowerer.report_sizeless(target.span);
            return self.adapt(value, place.ty);
        }
        let value = self.ready(target, &place, value);
        self.put(&place, value.clone(), access);
        let reads_itself = place.root_local().is_some_and(|local| reads_local(&value, local));
        if self.is_fixed(&value) && !reads_itself && !self.is_bit_field(&place) {
            value
        } else {
            load(place)
        }
    }

    /// The value as it will be stored, after the checks that allow it to be.
    fn ready(&mut self, target: &hir::Expr, place: &Place, value: Expr) -> Expr {
        let value = self.adapt(value, place.ty);
        let ends = self.is_zeroterm_element(target);
        let held = ends && self.is_scalar(place.ty) || self.may_overlap(place, &value);
        let value = if held && !self.is_fixed(&value) { self.save(value) } else { value };
        if ends {
            self.check_terminator(place, &value);
        }
        value
    }

    /// The store itself. A whole member of a tagged union becomes the one that may be read, once its value is there:
    /// that may be read from the member that was written before.
    fn put(&mut self, place: &Place, value: Expr, access: Access) {
        self.emit(StmtKind::Assign(place.clone(), value));
        if access == Access::Write {
            self.set_tag(place);
        }
    }

    /// If the place is a whole member of a tagged union, makes that the member that may be read.
    pub(crate) fn set_tag(&mut self, place: &Place) {
        let Some(union) = place.tagged_union(&self.lowerer.program.types) else { return };
        let PlaceKind::Field(_, field) = &place.kind else { return };
        let number = self.int(i128::from(*field), IntTy::UInt);
        let tag = self.core_field(union.clone(), 0);
        self.emit(StmtKind::Assign(tag, number));
    }

    /// Two members of one union stand in the same memory: what is copied from one to the other is not copied in place.
    fn may_overlap(&self, place: &Place, value: &Expr) -> bool {
        let ExprKind::Load(source) = &value.kind else { return false };
        !self.is_scalar(place.ty) && self.is_in_union(place) && self.is_in_union(source)
    }

    fn is_in_union(&self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Field(base, _) => {
                let Ty::Record(record) = *self.ty(base.ty) else { return false };
                let kind = self.lowerer.program.types.records[record].kind;
                kind == RecordKind::Union || self.is_in_union(base)
            }
            PlaceKind::Index(base, _) => self.is_in_union(base),
            _ => false,
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

    /// Before `value` is stored where a zero-terminated sequence may be: the zero that ends it stays.
    fn check_terminator(&mut self, place: &Place, value: &Expr) {
        if matches!(value.kind, ExprKind::Const(Const::Int(0) | Const::Zero)) {
            return;
        }
        let value = match (&place.kind, self.last_of(place)) {
            (PlaceKind::Index(_, index), Some(last)) => match index.kind {
                ExprKind::Const(Const::Int(index)) if index < i128::from(last) => return,
                _ => self.stored_last(index, last, value),
            },
            _ => value.clone(),
        };
        let to = self.intern(Ty::Ptr { to: place.ty, quals: Quals::default() });
        let (ptr, index) = match &place.kind {
            PlaceKind::PtrIndex(pointer, index) => ((**pointer).clone(), (**index).clone()),
            PlaceKind::Deref(pointer) => ((**pointer).clone(), self.int(0, IntTy::Int)),
            _ => (Expr { kind: ExprKind::AddrOf(place.clone()), ty: to }, self.int(0, IntTy::Int)),
        };
        self.check(CheckKind::ZeroTermStore { ptr, index, value });
    }

    /// The number of the last element of the array that a place is an element of.
    fn last_of(&self, place: &Place) -> Option<u64> {
        let PlaceKind::Index(array, _) = &place.kind else { return None };
        let Ty::Array { len, .. } = *self.ty(array.ty) else { return None };
        len.checked_sub(1).filter(|&last| last > 0)
    }

    /// What a store of `value` to element `index` puts into the last element. A zero-terminated array whose length is
    /// known may be filled from the front: whichever of its elements are zero, the last one is and stays it, so that
    /// every pointer into it finds one.
    fn stored_last(&mut self, index: &Expr, last: u64, value: &Expr) -> Expr {
        let (ulong, int) = (self.int_ty(IntTy::ULong), self.int_ty(IntTy::Int));
        let index = self.convert(index.clone(), ulong);
        let last = self.int(i128::from(last), IntTy::ULong);
        let kind = ExprKind::Binary(BinaryOp::Lt, Box::new(index), Box::new(last));
        let before = Expr { kind, ty: int };
        let zero = match self.ty(value.ty) {
            Ty::Int(_) | Ty::Enum(_) => Expr { kind: ExprKind::Const(Const::Int(0)), ty: value.ty },
            _ => self.zero(value.ty),
        };
        let kind = ExprKind::Cond(Box::new(before), Box::new(zero), Box::new(value.clone()));
        Expr { kind, ty: value.ty }
    }

    fn is_zeroterm_element(&self, target: &hir::Expr) -> bool {
        let types = &self.lowerer.unit.types;
        match &target.kind {
            hir::ExprKind::Deref(pointer) | hir::ExprKind::PointerIndex(pointer, _) => {
                self.pointer(pointer.ty).is_some_and(|pointer| pointer.zeroterm)
            }
            hir::ExprKind::ArrayIndex(array, _) => {
                matches!(
                    types.get(array.ty),
                    Type::Array { zeroterm: true, len: ArrayLen::Known(_), .. }
                )
            }
            _ => false,
        }
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
        let right = self.keeping_access(&mut place, Access::Read, |this| {
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
            let result = self.arithmetic(crate::ops::core_op(op), left, right, compute);
            self.convert(result, wanted)
        };
        let stored = self.store(target, place, new, Access::Read);
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
        let stored = self.store(target, place, new, Access::Read);
        if post && result_used {
            old
        } else {
            self.adapt(stored, wanted)
        }
    }

    /// `a :=: b`: each place is found once, and both values are ready before one of them is stored.
    pub(crate) fn swap(&mut self, a: &hir::Expr, b: &hir::Expr, ty: TypeId) -> Expr {
        let mut first = self.place(a, Access::Read);
        let mut second =
            self.keeping_access(&mut first, Access::Read, |this| this.place(b, Access::Read));
        // The first store may change what the second place is found by.
        self.hold_place(&mut second, &first);
        let leaves = self.swap_leaves(&[(a, &first), (b, &second)]);
        let held = self.save(load(first.clone()));
        let other = self.save(load(second.clone()));
        self.check_apart([(a, &first), (b, &second)]);
        let other = self.ready(a, &first, other);
        let held = self.ready(b, &second, held);
        self.keeping_place(&mut second, |this| {
            for place in leaves.clone() {
                this.emit(StmtKind::Consume { place, how: ConsumeHow::Swap });
            }
            this.put(&first, other, Access::Read);
        });
        self.put(&second, held, Access::Read);
        for place in leaves {
            self.emit(StmtKind::Restore { place, how: RestoreHow::Store });
        }
        self.zero_of(ty)
    }
}
