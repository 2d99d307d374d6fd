//! References of the checked heap: pointers in region `` `D ``.
//!
//! A reference is a word that is copied like any other and never followed. To follow one, it is put into a local, that
//! local is *touched* (a check), and `Address` of the local is followed there and then. What is made of such an address
//! (an element, a member, a pointer with bounds) is never kept: [`Builder::steady`] keeps what it is made of instead,
//! and makes it anew. So it does not matter what is evaluated between; where that may move or delete objects,
//! [`crate::touch`] touches again, right before the access.
//!
//! What is kept of a member's address is a reference to it: the object's and a distance. A pointer with bounds is a
//! record of a reference to the first element, the position and the length; its checks need no touch.
//!
//! A reference that is lent is pinned: its object stays where it is, and as it is, until the pin goes on every way out.

use crate::builder::{load, Builder, Cleanup};
use crate::loan::Lent;
use crate::place::Access;
use crate::unit::Lowerer;
use tenure_core::{
    BinaryOp, CastKind, CheckKind, Const, Expr, ExprKind, Field, IntTy, LocalId, LocalKind, Place,
    PlaceKind, Quals, Record, RecordKind, StmtKind, Ty, TyId,
};
use tenure_span::{Span, Symbol};
use tenure_types::hir::{self, CheckedOp};
use tenure_types::ty::{Bounds, Pointer, Type, TypeId};

/// The fields of a reference with bounds.
const BASE: u32 = 0;
const IDX: u32 = 1;
const LEN: u32 = 2;

impl Lowerer<'_> {
    /// The record that a reference with bounds is.
    pub(crate) fn fat_reference(&mut self) -> Ty {
        if let Some(known) = self.repr.fat_reference {
            return Ty::Record(known);
        }
        let types = &mut self.program.types;
        let void = types.intern(Ty::Void);
        let base = types.intern(Ty::Checked { to: void, quals: Quals::default() });
        let uint = types.int(IntTy::UInt);
        let field = |name: &str, ty: TyId| Field {
            name: Some(Symbol::new(name)),
            ty,
            quals: Quals::default(),
            bits: None,
            align: None,
        };
        let record = types.records.push(Record {
            kind: RecordKind::Tuple,
            c_name: Symbol::new("fat$reference"),
            fields: Some(vec![field("base", base), field("idx", uint), field("len", uint)]),
            packed: false,
            align: None,
            span: Span::NONE,
        });
        self.repr.fat_reference = Some(record);
        Ty::Record(record)
    }
}

impl Builder<'_, '_> {
    /// Whether values of the type are references of the checked heap.
    pub(crate) fn is_reference(&self, ty: TypeId) -> bool {
        self.lowerer.unit.types.is_reference(ty)
    }

    fn is_checked(&self, ty: TyId) -> bool {
        matches!(self.ty(ty), Ty::Checked { .. })
    }

    fn checked_ty(&mut self, to: TyId, quals: Quals) -> TyId {
        self.intern(Ty::Checked { to, quals })
    }

    /// Whether the local holds a reference that nothing else changes, and may be touched in place.
    fn is_touchable(&self, local: LocalId) -> bool {
        let local = &self.locals[local];
        !local.address_taken && !local.is_volatile && !local.is_const
    }

    /// The address that a reference stands for, after its touch, which also finds NULL.
    pub(crate) fn touched(&mut self, reference: Expr) -> Expr {
        if let ExprKind::Load(Place { kind: PlaceKind::Local(local), .. }) = reference.kind {
            // What is touched in the variable itself need not be touched in its next copy.
            if self.is_touchable(local) && self.locals[local].kind != LocalKind::Temp {
                self.touch(reference.clone());
            }
        }
        let held = self.save(reference);
        self.touch(held.clone());
        self.addressed(held)
    }

    fn touch(&mut self, reference: Expr) {
        let span = if self.null_span.is_none() { self.span } else { self.null_span };
        self.check_at(CheckKind::Touch(reference), span);
    }

    /// The address of a reference in a temporary.
    pub(crate) fn addressed(&mut self, reference: Expr) -> Expr {
        let Ty::Checked { to, quals } = *self.ty(reference.ty) else { return reference };
        let ty = self.intern(Ty::Ptr { to, quals });
        Expr { kind: ExprKind::Cast(CastKind::Address, Box::new(reference)), ty }
    }

    /// A pointer as one that can be followed: references are touched, others stay as they are. `ty` is the value's
    /// type.
    pub(crate) fn opened(&mut self, value: Expr, ty: TypeId) -> Expr {
        if !self.is_reference(ty) {
            return value;
        }
        if self.is_checked(value.ty) {
            return self.touched(value);
        }
        let Some(shape) = self.pointer(ty).cloned() else { return value };
        let whole = self.held(value);
        let base = load(self.core_field(whole.clone(), BASE));
        let (to, quals) = (self.repr(shape.elem.ty), shape.elem.quals);
        let typed = self.checked_ty(to, quals);
        let base = self.adapt(base, typed);
        let base = self.touched(base);
        self.bounded(base, &whole)
    }

    /// The record in a local.
    fn held(&mut self, value: Expr) -> Place {
        match value.kind {
            ExprKind::Load(place @ Place { kind: PlaceKind::Local(local), .. })
                if self.locals[local].kind == LocalKind::Temp
                    && !self.locals[local].address_taken =>
            {
                place
            }
            kind => {
                let ty = value.ty;
                let temp = self.temp(ty);
                let place = self.local_place(temp);
                self.emit(StmtKind::Assign(place.clone(), Expr { kind, ty }));
                place
            }
        }
    }

    /// A pointer with bounds from a thin one to the first element, and the position and length of the record.
    fn bounded(&mut self, base: Expr, whole: &Place) -> Expr {
        let idx = load(self.core_field(whole.clone(), IDX));
        let len = load(self.core_field(whole.clone(), LEN));
        let ty = match *self.ty(base.ty) {
            Ty::Ptr { to, quals } => self.intern(Ty::Fat { to, quals }),
            _ => base.ty,
        };
        let kind =
            ExprKind::MakeFat { base: Box::new(base), idx: Box::new(idx), len: Box::new(len) };
        Expr { kind, ty }
    }

    /// The position and length alone, for checks and counts that follow nothing.
    fn bounds_alone(&mut self, whole: &Place, shape: &Pointer) -> Expr {
        let to = self.repr(shape.elem.ty);
        let ty = self.intern(Ty::Ptr { to, quals: shape.elem.quals });
        let base = self.zero(ty);
        self.bounded(base, whole)
    }

    /// A reference with bounds: to `base`, which is a reference to the first element.
    pub(crate) fn fat_reference(&mut self, base: Expr, idx: Expr, len: Expr) -> Expr {
        let ty = self.lowerer.fat_reference();
        let ty = self.intern(ty);
        let void = self.intern(Ty::Void);
        let wanted = self.checked_ty(void, Quals::default());
        let base = self.adapt(base, wanted);
        Expr { kind: ExprKind::Aggregate(vec![(BASE, base), (IDX, idx), (LEN, len)]), ty }
    }

    /// Whether the representation is that of a reference with bounds.
    pub(crate) fn is_fat_reference(&self, ty: TyId) -> bool {
        let Ty::Record(record) = *self.ty(ty) else { return false };
        self.lowerer.repr.fat_reference == Some(record)
    }

    /// What tells whether a reference is NULL: itself, or the base of one with bounds.
    pub(crate) fn base_reference(&mut self, value: Expr) -> Expr {
        if !self.is_fat_reference(value.ty) {
            return value;
        }
        if let ExprKind::Const(Const::Zero) = value.kind {
            let void = self.intern(Ty::Void);
            let ty = self.checked_ty(void, Quals::default());
            return self.zero(ty);
        }
        let whole = self.held(value);
        load(self.core_field(whole, BASE))
    }

    /// A value that is made of an address in the checked heap, which cannot be kept: its parts are, so that it can be
    /// made again.
    pub(crate) fn steady(&mut self, mut value: Expr) -> Expr {
        let mut leaves = Vec::new();
        unpinned_leaves(&mut value, &mut leaves);
        for leaf in leaves {
            if !self.is_fixed(leaf) {
                let taken = std::mem::replace(leaf, self.zero(leaf.ty));
                *leaf = self.save(taken);
            }
        }
        value
    }

    /// The address of a place in the checked heap as a reference to it, of type `wanted`.
    pub(crate) fn reference_to(&mut self, place: &Place, wanted: TyId) -> Expr {
        let ulong = self.int_ty(IntTy::ULong);
        let mut distance = self.int(0, IntTy::ULong);
        let Some(object) = self.object_of(place, &mut distance) else {
            return self.zero(wanted);
        };
        if matches!(distance.kind, ExprKind::Const(Const::Int(0))) {
            return self.adapt(object, wanted);
        }
        let char = self.int_ty(IntTy::Char);
        let bytes = self.checked_ty(char, Quals::default());
        let object = self.adapt(object, bytes);
        let distance = self.convert(distance, ulong);
        let kind = ExprKind::PtrAdd(Box::new(object), Box::new(distance));
        let moved = Expr { kind, ty: bytes };
        self.adapt(moved, wanted)
    }

    /// The reference that a place is reached by, and how far it is from there.
    fn object_of(&mut self, place: &Place, distance: &mut Expr) -> Option<Expr> {
        match &place.kind {
            PlaceKind::Local(_) | PlaceKind::Global(_) => None,
            PlaceKind::Deref(pointer) => self.object_behind(pointer, distance),
            PlaceKind::Field(base, field) => {
                let ty = self.int_ty(IntTy::ULong);
                let offset = Expr { kind: ExprKind::OffsetOf(base.ty, *field), ty };
                self.go_on(distance, offset);
                self.object_of(base, distance)
            }
            PlaceKind::Index(base, index) => {
                self.go_on_elements(distance, (**index).clone(), place.ty);
                self.object_of(base, distance)
            }
            PlaceKind::PtrIndex(pointer, index) => {
                self.go_on_elements(distance, (**index).clone(), place.ty);
                self.object_behind(pointer, distance)
            }
            PlaceKind::FatIndex(pointer, index) => {
                let ExprKind::MakeFat { base, idx, .. } = &pointer.kind else { return None };
                // The element was found to exist: its number is the sum modulo 2^32.
                let uint = self.int_ty(IntTy::UInt);
                let index = self.convert((**index).clone(), uint);
                let sum = ExprKind::Binary(BinaryOp::Add, idx.clone(), Box::new(index));
                self.go_on_elements(distance, Expr { kind: sum, ty: uint }, place.ty);
                self.object_behind(base, distance)
            }
        }
    }

    fn object_behind(&mut self, pointer: &Expr, distance: &mut Expr) -> Option<Expr> {
        match &pointer.kind {
            ExprKind::Cast(CastKind::Address, reference) => Some((**reference).clone()),
            ExprKind::Cast(CastKind::PtrView, inner) => self.object_behind(inner, distance),
            ExprKind::AddrOf(place) => self.object_of(place, distance),
            ExprKind::PtrAdd(inner, count) => {
                let Ty::Ptr { to, .. } = *self.ty(inner.ty) else { return None };
                self.go_on_elements(distance, (**count).clone(), to);
                self.object_behind(inner, distance)
            }
            _ => None,
        }
    }

    fn go_on(&mut self, distance: &mut Expr, by: Expr) {
        let is_none = matches!(distance.kind, ExprKind::Const(Const::Int(0)));
        let so_far = std::mem::replace(distance, by);
        if !is_none {
            let by = std::mem::replace(distance, self.zero(so_far.ty));
            *distance = self.ulong(ExprKind::Binary(BinaryOp::Add, Box::new(so_far), Box::new(by)));
        }
    }

    fn go_on_elements(&mut self, distance: &mut Expr, count: Expr, elem: TyId) {
        if matches!(count.kind, ExprKind::Const(Const::Int(0))) {
            return;
        }
        let ulong = self.int_ty(IntTy::ULong);
        let count = self.convert(count, ulong);
        let size = self.ulong(ExprKind::SizeOf(elem));
        let bytes = self.ulong(ExprKind::Binary(BinaryOp::Mul, Box::new(count), Box::new(size)));
        self.go_on(distance, bytes);
    }

    /// A reference moved by a count of elements: one with bounds, or one to a sequence that the checks before have
    /// looked at.
    pub(crate) fn moved_reference(&mut self, value: Expr, shape: &Pointer, count: Expr) -> Expr {
        if !self.is_fat_reference(value.ty) {
            let ty = value.ty;
            let kind = ExprKind::PtrAdd(Box::new(value), Box::new(count));
            return Expr { kind, ty };
        }
        let whole = self.held(value);
        let uint = self.int_ty(IntTy::UInt);
        let is_wide = self.int_kind(count.ty).is_some_and(|int| int.bits() > 32);
        let count = if is_wide {
            let count = self.repeatable(count);
            let ptr = self.bounds_alone(&whole, shape);
            self.check(CheckKind::FatStep { ptr, count: count.clone() });
            count
        } else {
            count
        };
        let count = self.convert(count, uint);
        let base = load(self.core_field(whole.clone(), BASE));
        let idx = load(self.core_field(whole.clone(), IDX));
        let len = load(self.core_field(whole, LEN));
        let kind = ExprKind::Binary(BinaryOp::Add, Box::new(idx), Box::new(count));
        self.fat_reference(base, Expr { kind, ty: uint }, len)
    }

    /// A reference to a sequence that is no longer than its bounds, or its zero, say, moved by a count that was
    /// checked.
    pub(crate) fn stepped_reference(&mut self, value: Expr, shape: &Pointer, count: Expr) -> Expr {
        let address = self.touched(value.clone());
        match (shape.zeroterm, shape.bounds) {
            (false, Bounds::Thin(size)) => {
                let size = self.size_value(size);
                self.check(CheckKind::IndexOrEnd { index: count.clone(), size });
            }
            _ => self.check(CheckKind::ZeroTermIndex { ptr: address, index: count.clone() }),
        }
        self.moved_reference(value, shape, count)
    }

    /// `numelts` of a reference to a zero-terminated sequence.
    pub(crate) fn reference_length(&mut self, value: Expr, shape: &Pointer) -> Expr {
        if !shape.nullable {
            let address = self.touched(value);
            let size = self.ulong(ExprKind::ZeroTermSize(Box::new(address)));
            return self.save(size);
        }
        let ulong = self.int_ty(IntTy::ULong);
        let temp = self.temp(ulong);
        let result = self.local_place(temp);
        let none = self.int(0, IntTy::ULong);
        self.emit(StmtKind::Assign(result.clone(), none));
        let null = self.is_null(value.clone());
        let present = self.not(null);
        let (then, ()) = self.in_block(|this| {
            let address = this.touched(value);
            let size = this.ulong(ExprKind::ZeroTermSize(Box::new(address)));
            this.emit(StmtKind::Assign(result.clone(), size));
        });
        self.emit(StmtKind::If { cond: present, then, otherwise: None });
        load(result)
    }

    /// `==` and `!=` of references with bounds: the same element of the same object.
    pub(crate) fn compared_with_bounds(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        let int = self.int_ty(IntTy::Int);
        let part = |this: &mut Self, value: &Expr, field: u32| match value.kind {
            ExprKind::Const(_) if field == BASE => this.base_reference(value.clone()),
            ExprKind::Const(_) => this.int(0, IntTy::UInt),
            _ => {
                let whole = this.held(value.clone());
                load(this.core_field(whole, field))
            }
        };
        let (first, second) = (part(self, &a, BASE), part(self, &b, BASE));
        let (at, other) = (part(self, &a, IDX), part(self, &b, IDX));
        let is = |a: Expr, b: Expr| Expr {
            kind: ExprKind::Binary(op, Box::new(a), Box::new(b)),
            ty: int,
        };
        let both = if op == BinaryOp::Ne { BinaryOp::Or } else { BinaryOp::And };
        let kind = ExprKind::Binary(both, Box::new(is(first, second)), Box::new(is(at, other)));
        Expr { kind, ty: int }
    }

    /// `numelts` of a reference with bounds.
    pub(crate) fn reference_count(&mut self, value: Expr, shape: &Pointer) -> Expr {
        let whole = self.held(value);
        let bounds = self.bounds_alone(&whole, shape);
        let uint = self.int_ty(IntTy::UInt);
        Expr { kind: ExprKind::FatCount(Box::new(bounds)), ty: uint }
    }

    /// A reference with bounds leaves them behind, after the check that `count` elements are there.
    pub(crate) fn fat_to_thin_reference(
        &mut self,
        value: Expr,
        (from, nullable): (&Pointer, bool),
        count: Expr,
        to: TyId,
    ) -> Expr {
        let whole = self.held(value);
        let base = load(self.core_field(whole.clone(), BASE));
        let ptr = self.bounds_alone(&whole, from);
        let check = CheckKind::FatCount { ptr, count, nullable: false };
        let elem = self.repr(from.elem.ty);
        let typed = self.checked_ty(elem, from.elem.quals);
        let idx = load(self.core_field(whole, IDX));
        if !nullable {
            self.check(check);
            let base = self.adapt(base, typed);
            let at = self.element_reference(base, idx, typed);
            return self.adapt(at, to);
        }
        let temp = self.temp(typed);
        let result = self.local_place(temp);
        let none = self.zero(typed);
        self.emit(StmtKind::Assign(result.clone(), none));
        let null = self.is_null(base.clone());
        let present = self.not(null);
        let (then, ()) = self.in_block(|this| {
            this.check(check);
            let base = this.adapt(base, typed);
            let at = this.element_reference(base, idx, typed);
            this.emit(StmtKind::Assign(result.clone(), at));
        });
        self.emit(StmtKind::If { cond: present, then, otherwise: None });
        self.adapt(load(result), to)
    }

    fn element_reference(&mut self, base: Expr, idx: Expr, ty: TyId) -> Expr {
        Expr { kind: ExprKind::PtrAdd(Box::new(base), Box::new(idx)), ty }
    }

    /// `delete(p)`, `pin_forever(p)`.
    pub(crate) fn checked(&mut self, op: CheckedOp, pointer: &hir::Expr, ty: TypeId) -> Expr {
        let value = self.value(pointer);
        let whole = match self.is_fat_reference(value.ty) {
            true => Some(self.held(value.clone())),
            false => None,
        };
        let reference = match &whole {
            Some(whole) => load(self.core_field(whole.clone(), BASE)),
            None => value,
        };
        let void = self.intern(Ty::Void);
        let object = self.checked_ty(void, Quals::default());
        let reference = self.adapt(reference, object);
        match op {
            CheckedOp::Delete => {
                self.call_checked("tn_object_delete", None, void, reference);
                self.zero_of(ty)
            }
            CheckedOp::PinForever => {
                let wanted = self.repr(ty);
                let thin = self.intern(Ty::Ptr { to: void, quals: Quals::default() });
                let temp = self.temp(thin);
                let dest = self.local_place(temp);
                self.call_checked("tn_object_pin_forever", Some(dest.clone()), thin, reference);
                let Some(whole) = whole else { return self.adapt(load(dest), wanted) };
                let Ty::Fat { to, quals } = *self.ty(wanted) else { return self.zero(wanted) };
                let typed = self.intern(Ty::Ptr { to, quals });
                let base = self.adapt(load(dest), typed);
                self.bounded(base, &whole)
            }
        }
    }

    fn call_checked(
        &mut self,
        name: &'static str,
        dest: Option<Place>,
        result: TyId,
        reference: Expr,
    ) {
        let function = self.lowerer.runtime_function(name, result, vec![reference.ty]);
        let decl = &mut self.lowerer.program.decls[function];
        if decl.attributes.is_empty() {
            decl.attributes.push("site_argument".into());
        }
        let callee = tenure_core::Callee::Direct(function);
        self.emit(StmtKind::Call { dest, callee, args: vec![reference], may_throw: true });
    }

    /// Pins the object of a reference: the pointer that may be followed until the pin goes, and the pin.
    pub(crate) fn pin(&mut self, value: Expr, ty: TypeId) -> (Expr, LocalId) {
        let frame = self.intern(Ty::Pin);
        let pin = self.new_local(frame);
        let pin = self.declare(tenure_core::Local { address_taken: true, ..pin });
        let Some(shape) = self.pointer(ty).cloned() else { return (value, pin) };
        let (to, quals) = (self.repr(shape.elem.ty), shape.elem.quals);
        let typed = self.checked_ty(to, quals);
        let whole = (shape.bounds == Bounds::Fat).then(|| self.held(value.clone()));
        let reference = match &whole {
            Some(whole) => load(self.core_field(whole.clone(), BASE)),
            None => value,
        };
        let reference = self.adapt(reference, typed);
        let thin = self.intern(Ty::Ptr { to, quals });
        let temp = self.temp(thin);
        let dest = self.local_place(temp);
        self.emit(StmtKind::Pin { pin, dest: dest.clone(), reference });
        let pinned = match whole {
            Some(whole) => self.bounded(load(dest), &whole),
            None => load(dest),
        };
        (pinned, pin)
    }

    /// A reference lent to the call around: its object is pinned until that is over.
    pub(crate) fn borrow_reference(&mut self, operand: &hir::Expr) -> Expr {
        let value = self.value(operand);
        let (pinned, pin) = self.pin(value, operand.ty);
        self.note_pin(pinned.clone(), pin);
        pinned
    }

    /// Whether what an alias is made of is a reference.
    pub(crate) fn pins(&self, value: &hir::Expr) -> bool {
        match &value.kind {
            hir::ExprKind::Coerce(_, inner) => self.pins(inner),
            hir::ExprKind::Borrow(inner) => self.is_reference(inner.ty),
            _ => false,
        }
    }

    /// `let alias<`r> a = p;` of a reference: pinned to the end of the scope.
    pub(crate) fn alias_reference(&mut self, local: hir::LocalId, value: &hir::Expr) {
        self.loans.push(Lent::default());
        let pinned = self.value(value);
        let lent = self.loans.pop().unwrap_or_default();
        let local = self.declare_user(local);
        let target = self.local_place(local);
        let pinned = self.adapt(pinned, target.ty);
        self.emit(StmtKind::Init(target, pinned));
        self.cleanups.extend(lent.pins().map(Cleanup::Pin));
    }

    /// Whether the place is reached by an address in the checked heap.
    pub(crate) fn is_unpinned_place(&self, place: &Place) -> bool {
        place.is_unpinned()
    }

    /// The representation of a pattern's variable.
    pub(crate) fn bound_repr(&mut self, local: hir::LocalId) -> TyId {
        let local = self.declare_user(local);
        self.locals[local].ty
    }

    /// An array in an object of the checked heap as a reference with bounds.
    pub(crate) fn array_to_reference(&mut self, array: &hir::Expr, ty: TypeId) -> Expr {
        let place = self.place(array, Access::Read);
        let (elem, len) = match *self.ty(place.ty) {
            Ty::Array { of, len } => (of, len),
            _ => (place.ty, 1),
        };
        let is_zeroterm =
            matches!(self.lowerer.unit.types.get(array.ty), Type::Array { zeroterm: true, .. });
        let len = len.saturating_sub(u64::from(is_zeroterm && self.leaves_terminator_out(ty)));
        let typed = self.checked_ty(elem, Quals::default());
        let base = self.reference_to(&place, typed);
        let (idx, len) = (self.int(0, IntTy::UInt), self.int(i128::from(len), IntTy::UInt));
        self.fat_reference(base, idx, len)
    }

    /// Measures a zero-terminated sequence.
    pub(crate) fn zeroterm_to_fat_reference(
        &mut self,
        value: Expr,
        from: TypeId,
        ty: TypeId,
    ) -> Expr {
        let Some(shape) = self.pointer(from).cloned() else { return value };
        if let ExprKind::Const(Const::Zero) = value.kind {
            return self.zero_of(ty);
        }
        let value = self.save(value);
        let mut count = self.reference_length(value.clone(), &shape);
        if self.leaves_terminator_out(ty) {
            let (one, none) = (self.int(1, IntTy::ULong), self.int(0, IntTy::ULong));
            let kind = ExprKind::Binary(BinaryOp::Sub, Box::new(count.clone()), Box::new(one));
            let less = self.ulong(kind);
            let int = self.int_ty(IntTy::Int);
            let kind = ExprKind::Binary(BinaryOp::Ne, Box::new(count), Box::new(none.clone()));
            let some = Expr { kind, ty: int };
            let kind = ExprKind::Cond(Box::new(some), Box::new(less), Box::new(none));
            count = self.ulong(kind);
        }
        let count = self.save(count);
        let len = self.length(count);
        let idx = self.int(0, IntTy::UInt);
        self.fat_reference(value, idx, len)
    }

    /// From the current element on there is a zero.
    pub(crate) fn fat_to_zeroterm_reference(
        &mut self,
        value: Expr,
        from: TypeId,
        ty: TypeId,
    ) -> Expr {
        let to = self.repr(ty);
        let Some(shape) = self.pointer(from).cloned() else { return value };
        let whole = self.held(value);
        let elem = self.repr(shape.elem.ty);
        let typed = self.checked_ty(elem, shape.elem.quals);
        let base = load(self.core_field(whole.clone(), BASE));
        let null = self.is_null(base.clone());
        let present = self.not(null);
        let ptr = load(whole.clone());
        let (then, ()) = self.in_block(|this| {
            let ptr = this.opened(ptr, from);
            this.check(CheckKind::HasZero { ptr });
        });
        self.emit(StmtKind::If { cond: present, then, otherwise: None });
        if !self.pointer(ty).is_some_and(|target| target.nullable) {
            self.check(CheckKind::NonNull(base.clone()));
        }
        let idx = load(self.core_field(whole, IDX));
        let base = self.adapt(base, typed);
        let at = self.element_reference(base, idx, typed);
        self.adapt(at, to)
    }

    /// The same bytes of an object as elements of another size.
    pub(crate) fn view_reference(&mut self, value: Expr, from: TyId, to: TyId) -> Expr {
        let whole = self.held(value);
        let base = load(self.core_field(whole.clone(), BASE));
        let idx = load(self.core_field(whole.clone(), IDX));
        let len = load(self.core_field(whole, LEN));
        let idx = self.scaled(idx, from, to);
        let idx = self.length(idx);
        let len = self.scaled(len, from, to);
        let len = self.length(len);
        self.fat_reference(base, idx, len)
    }
}

/// The parts of a value made of an address that are values of their own: indices and conditions.
pub(crate) fn unpinned_leaves<'e>(value: &'e mut Expr, leaves: &mut Vec<&'e mut Expr>) {
    if !value.is_unpinned() {
        leaves.push(value);
        return;
    }
    match &mut value.kind {
        ExprKind::AddrOf(place) => place_leaves(place, leaves),
        ExprKind::Cast(CastKind::Address, _) => {}
        ExprKind::Cast(_, a) | ExprKind::FatBase(a) | ExprKind::FatCur(a) => {
            unpinned_leaves(a, leaves);
        }
        ExprKind::FatAdd(a, n) | ExprKind::PtrAdd(a, n) => {
            unpinned_leaves(a, leaves);
            leaves.push(n);
        }
        ExprKind::MakeFat { base, idx, len } => {
            unpinned_leaves(base, leaves);
            leaves.extend([&mut **idx, &mut **len]);
        }
        ExprKind::Cond(c, a, b) => {
            leaves.push(c);
            unpinned_leaves(a, leaves);
            unpinned_leaves(b, leaves);
        }
        _ => {}
    }
}

fn place_leaves<'e>(place: &'e mut Place, leaves: &mut Vec<&'e mut Expr>) {
    match &mut place.kind {
        PlaceKind::Local(_) | PlaceKind::Global(_) => {}
        PlaceKind::Deref(pointer) => unpinned_leaves(pointer, leaves),
        PlaceKind::Field(base, _) => place_leaves(base, leaves),
        PlaceKind::Index(base, index) => {
            place_leaves(base, leaves);
            leaves.push(index);
        }
        PlaceKind::PtrIndex(pointer, index) | PlaceKind::FatIndex(pointer, index) => {
            unpinned_leaves(pointer, leaves);
            leaves.push(index);
        }
    }
}
