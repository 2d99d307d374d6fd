//! Objects: allocation, tuples, datatype variants.

use crate::builder::{load, Builder};
use crate::owned::without_conversions;
use tenure_core::{
    AllocCount, AllocPlace, Allocation, BinaryOp, CastKind, CheckKind, Const, Expr, ExprKind,
    IntTy, LoopTest, Owned, Place, PlaceKind, Quals, StmtKind, Ty, TyId,
};
use tenure_types::hir::{self, NewInit, Where};
use tenure_types::ty::{DatatypeId, TypeId};

impl Builder<'_, '_> {
    fn alloc_place(&mut self, place: &Where) -> AllocPlace {
        match place {
            Where::Heap => AllocPlace::Heap,
            Where::Unique => AllocPlace::Unique,
            Where::Counted => AllocPlace::Counted,
            Where::Checked => AllocPlace::Checked,
            Where::Arena(handle) => {
                let handle = self.value(handle);
                AllocPlace::Arena(self.repeatable(handle))
            }
        }
    }

    /// Allocates and gives the thin pointer, in a temporary.
    fn allocate(&mut self, place: AllocPlace, elem: TyId, count: AllocCount, zeroed: bool) -> Expr {
        let pointer = match place {
            AllocPlace::Checked => Ty::Checked { to: elem, quals: Quals::default() },
            _ => Ty::Ptr { to: elem, quals: Quals::default() },
        };
        let pointer = self.intern(pointer);
        let temp = self.temp(pointer);
        let dest = self.local_place(temp);
        self.emit(StmtKind::Alloc(Box::new(Allocation {
            dest: dest.clone(),
            place,
            elem,
            count,
            zeroed,
        })));
        load(dest)
    }

    /// The allocated memory as the pointer type that the program gets.
    fn as_pointer(&mut self, pointer: Expr, len: Expr, ty: TypeId) -> Expr {
        let wanted = self.repr(ty);
        if self.is_fat_reference(wanted) {
            let idx = self.int(0, IntTy::UInt);
            return self.fat_reference(pointer, idx, len);
        }
        if let Ty::Fat { to, quals } = *self.ty(wanted) {
            let thin = self.intern(Ty::Ptr { to, quals });
            let base = self.adapt(pointer, thin);
            return self.fat_from(base, len, wanted);
        }
        self.adapt(pointer, wanted)
    }

    pub(crate) fn new_object(&mut self, place: &Where, init: &NewInit, ty: TypeId) -> Expr {
        match init {
            NewInit::Value(init) => self.new_value(place, init, ty),
            NewInit::Array { elem, len, init } => {
                let place = self.alloc_place(place);
                let elem = self.repr(*elem);
                let count = self.int(i128::from(*len), IntTy::ULong);
                let pointer = self.allocate(place, elem, AllocCount::Elements(count), true);
                let array = self.intern(Ty::Array { of: elem, len: *len });
                let whole = self.pointed(pointer.clone(), array);
                self.init(init, whole, true);
                let len = self.int(i128::from(*len), IntTy::UInt);
                self.as_pointer(pointer, len, ty)
            }
            NewInit::Comprehension(comprehension) => {
                self.new_comprehension(place, comprehension, ty)
            }
        }
    }

    fn new_value(&mut self, place: &Where, init: &hir::Init, ty: TypeId) -> Expr {
        let mut place = self.alloc_place(place);
        let one = self.int(1, IntTy::UInt);
        if let hir::InitElem::Expr(value) = &init.kind {
            if let hir::ExprKind::Construct { datatype, variant, args, .. } = &value.kind {
                if let Some(immediate) = self.immediate_of(*datatype, *variant) {
                    if !matches!(place, AllocPlace::Heap | AllocPlace::Arena(_)) {
                        self.not_owned(value);
                    }
                    let record = self.lowerer.variant_repr(*datatype, *variant);
                    let record = self.intern(Ty::Record(record));
                    let values = self.variant_args(record, args);
                    let base = self.lowerer.datatype_base(*datatype);
                    let base = self.intern(Ty::Record(base));
                    let word = self.immediate_word(&immediate, values, base);
                    return self.as_pointer(word, one, ty);
                }
                return self.new_variant(place, *datatype, *variant, args, ty);
            }
            let mut kept = handle_of(&mut place);
            let value = self.keeping(&mut kept, |this| this.value(value));
            let elem = value.ty;
            let value = self.settle(value);
            let pointer = self.allocate(place, elem, AllocCount::One, false);
            let target = self.pointed(pointer.clone(), elem);
            self.emit(StmtKind::Init(target, value));
            return self.as_pointer(pointer, one, ty);
        }
        let elem = self.repr(init.ty);
        let pointer = self.allocate(place, elem, AllocCount::One, true);
        let target = self.pointed(pointer.clone(), elem);
        self.init(init, target, true);
        self.as_pointer(pointer, one, ty)
    }

    /// A value that an allocation between its evaluation and its use cannot change.
    fn settle(&mut self, value: Expr) -> Expr {
        if self.is_fixed(&value) {
            value
        } else {
            self.save(value)
        }
    }

    pub(crate) fn pointed(&mut self, pointer: Expr, ty: TyId) -> Place {
        let to = self.intern(Ty::Ptr { to: ty, quals: Quals::default() });
        let pointer = self.addressed(pointer);
        let pointer = self.adapt(pointer, to);
        Place { kind: PlaceKind::Deref(Box::new(pointer)), ty }
    }

    fn new_comprehension(
        &mut self,
        place: &Where,
        comprehension: &hir::ComprehensionInit,
        ty: TypeId,
    ) -> Expr {
        let mut place = self.alloc_place(place);
        let elem = self.repr(comprehension.elem);
        let ulong = self.int_ty(IntTy::ULong);
        let mut kept = handle_of(&mut place);
        let count = self.keeping(&mut kept, |this| this.value(&comprehension.count));
        let count = self.convert(count, ulong);
        let count = self.settle(count);
        let len = self.allocated_length(count.clone(), elem);
        let pointer = self.allocate(place, elem, AllocCount::Elements(count.clone()), true);
        let base = self.addressed(pointer.clone());
        self.comprehend(comprehension, count.clone(), |this, index| {
            this.check(CheckKind::Index { index: index.clone(), size: count });
            Place { kind: PlaceKind::PtrIndex(Box::new(base.clone()), Box::new(index)), ty: elem }
        });
        self.as_pointer(pointer, len, ty)
    }

    /// `for index < count`: each element's place gets its value.
    pub(crate) fn comprehend(
        &mut self,
        comprehension: &hir::ComprehensionInit,
        count: Expr,
        element: impl FnOnce(&mut Self, Expr) -> Place,
    ) {
        let (body, ()) = self.in_block(|this| {
            let index = this.declare_user(comprehension.index);
            let place = this.local_place(index);
            let ty = place.ty;
            let zero = Expr { kind: ExprKind::Const(Const::Int(0)), ty };
            this.emit(StmtKind::Assign(place.clone(), zero));
            let label = this.label(None);
            let (body, ()) = this.in_block(|this| {
                let index = this.load_local(index);
                let target = element(this, index);
                this.init(&comprehension.value, target, true);
            });
            let int = this.int_ty(IntTy::Int);
            let limit = this.convert(count, ty);
            let cond = Expr {
                kind: ExprKind::Binary(
                    BinaryOp::Lt,
                    Box::new(load(place.clone())),
                    Box::new(limit),
                ),
                ty: int,
            };
            let one = Expr { kind: ExprKind::Const(Const::Int(1)), ty };
            let next = Expr {
                kind: ExprKind::Binary(BinaryOp::Add, Box::new(load(place.clone())), Box::new(one)),
                ty,
            };
            let step =
                vec![tenure_core::Stmt { kind: StmtKind::Assign(place, next), span: this.span }];
            let test = LoopTest::Before { head: tenure_core::Block::default(), cond };
            this.emit(StmtKind::Loop(Box::new(tenure_core::Loop { label, test, body, step })));
        });
        self.emit(StmtKind::Block { label: None, body });
    }

    pub(crate) fn malloc(
        &mut self,
        place: &Where,
        elem: TypeId,
        count: Option<&hir::Expr>,
        zeroed: bool,
        ty: TypeId,
    ) -> Expr {
        let mut place = self.alloc_place(place);
        let elem = self.repr(elem);
        let ulong = self.int_ty(IntTy::ULong);
        let Some(count) = count else {
            let pointer = self.allocate(place, elem, AllocCount::One, true);
            let one = self.int(1, IntTy::UInt);
            return self.as_pointer(pointer, one, ty);
        };
        let mut kept = handle_of(&mut place);
        let count = self.keeping(&mut kept, |this| this.value(count));
        let count = self.convert(count, ulong);
        let count = self.settle(count);
        let len = self.allocated_length(count.clone(), elem);
        // Uninitialised reads are no question of types alone: what is not zeroed here would show old bytes.
        let _ = zeroed;
        let pointer = self.allocate(place, elem, AllocCount::Elements(count), true);
        self.as_pointer(pointer, len, ty)
    }

    /// New memory with the old elements copied as far as they fit. A unique pointer is given up only when the new
    /// memory is there, so that it is whole where that raises.
    pub(crate) fn realloc(
        &mut self,
        old: &hir::Expr,
        elem: TypeId,
        count: &hir::Expr,
        ty: TypeId,
    ) -> Expr {
        let elem = self.repr(elem);
        let unique = self.owned(old.ty) == Some(Owned::Unique);
        let place = if unique { AllocPlace::Unique } else { AllocPlace::Heap };
        let is_path = unique && without_conversions(old).is_place();
        let (uint, ulong, int) =
            (self.int_ty(IntTy::UInt), self.int_ty(IntTy::ULong), self.int_ty(IntTy::Int));
        let mut taken = (!is_path).then(|| self.value(old));
        let mut kept: Vec<&mut Expr> = taken.iter_mut().collect();
        let count = self.keeping(&mut kept, |this| this.value(count));
        let taken = taken.map(|taken| self.save(taken));
        let count = self.convert(count, ulong);
        let count = self.settle(count);
        let len = self.allocated_length(count.clone(), elem);
        let size = count.clone();
        let pointer = self.allocate(place, elem, AllocCount::Elements(count), true);
        let path = is_path.then_some(old);
        let old = match taken {
            Some(taken) => taken,
            None => {
                let value = self.value(old);
                self.save(value)
            }
        };
        let fits = |count: Expr| Expr { kind: ExprKind::FatCount(Box::new(count)), ty: uint };
        let present = self.save(fits(old.clone()));
        let less = binary(BinaryOp::Lt, present.clone(), len.clone(), int);
        let kept = Expr {
            kind: ExprKind::Cond(Box::new(less), Box::new(present), Box::new(len.clone())),
            ty: uint,
        };
        let kept = self.save(kept);
        let index = self.temp(uint);
        let index = self.local_place(index);
        let zero = self.int(0, IntTy::UInt);
        self.emit(StmtKind::Assign(index.clone(), zero));
        let label = self.label(None);
        let (body, ()) = self.in_block(|this| {
            let at = load(index.clone());
            this.check(CheckKind::FatIndex { ptr: old.clone(), index: at.clone() });
            this.check(CheckKind::Index { index: at.clone(), size });
            let from = Place {
                kind: PlaceKind::FatIndex(Box::new(old.clone()), Box::new(at.clone())),
                ty: elem,
            };
            let to = Place {
                kind: PlaceKind::PtrIndex(Box::new(pointer.clone()), Box::new(at)),
                ty: elem,
            };
            this.emit(StmtKind::Assign(to, load(from)));
        });
        let cond = binary(BinaryOp::Lt, load(index.clone()), kept, int);
        let one = self.int(1, IntTy::UInt);
        let next = binary(BinaryOp::Add, load(index.clone()), one, uint);
        let step = vec![tenure_core::Stmt { kind: StmtKind::Assign(index, next), span: self.span }];
        let test = LoopTest::Before { head: tenure_core::Block::default(), cond };
        self.emit(StmtKind::Loop(Box::new(tenure_core::Loop { label, test, body, step })));
        if let Some(path) = path {
            self.give_away(path);
        }
        if unique {
            self.release_value(old);
        }
        self.as_pointer(pointer, len, ty)
    }

    /// The tag's value: a number, or the address of the descriptor.
    pub(crate) fn tag_value(&mut self, datatype: DatatypeId, variant: u32) -> Expr {
        let ty = self.lowerer.tag_ty(datatype);
        if !self.lowerer.is_extensible(datatype) {
            let tag = self.lowerer.unit.types.datatypes[datatype].tag(variant);
            return self.int(i128::from(tag), IntTy::UInt);
        }
        match self.lowerer.descriptor(datatype, variant) {
            Some(descriptor) => Expr { kind: ExprKind::Const(Const::TagAddress(descriptor)), ty },
            None => self.zero(ty),
        }
    }

    /// The tag of a datatype object behind a pointer (`ty`), read as what every variant starts with.
    pub(crate) fn tag_of(&mut self, pointer: Expr, datatype: DatatypeId) -> Expr {
        if self.has_immediates(datatype) {
            return self.kind_of(pointer, datatype);
        }
        let ty = self.lowerer.tag_ty(datatype);
        load(self.pointed(pointer, ty))
    }

    fn variant_args(&mut self, record: TyId, args: &[hir::Expr]) -> Vec<Expr> {
        let mut values = self.values(args.iter());
        let Ty::Record(id) = *self.ty(record) else { return values };
        for (number, value) in values.iter_mut().enumerate() {
            let slot = self.lowerer.program.types.records[id]
                .fields
                .as_ref()
                .and_then(|fields| fields.get(number + 1));
            if let Some(slot) = slot.map(|slot| slot.ty) {
                let taken = std::mem::replace(value, self.zero(slot));
                *value = self.adapt(taken, slot);
            }
        }
        values
    }

    fn new_variant(
        &mut self,
        place: AllocPlace,
        datatype: DatatypeId,
        variant: u32,
        args: &[hir::Expr],
        ty: TypeId,
    ) -> Expr {
        let mut place = place;
        let record = self.lowerer.variant_repr(datatype, variant);
        let record = self.intern(Ty::Record(record));
        let mut kept = handle_of(&mut place);
        let values = self.keeping(&mut kept, |this| this.variant_args(record, args));
        let values: Vec<Expr> = values.into_iter().map(|value| self.settle(value)).collect();
        let pointer = self.allocate(place, record, AllocCount::One, false);
        let target = self.pointed(pointer.clone(), record);
        self.fill_variant(target, datatype, variant, values);
        let one = self.int(1, IntTy::UInt);
        self.as_pointer(pointer, one, ty)
    }

    fn fill_variant(
        &mut self,
        target: Place,
        datatype: DatatypeId,
        variant: u32,
        values: Vec<Expr>,
    ) {
        let tag = self.tag_value(datatype, variant);
        let slot = self.core_field(target.clone(), 0);
        self.emit(StmtKind::Init(slot, tag));
        for (number, value) in values.into_iter().enumerate() {
            let slot = self.core_field(target.clone(), number as u32 + 1);
            self.emit(StmtKind::Init(slot, value));
        }
    }

    /// A variant as a value: tag and arguments.
    pub(crate) fn construct_value(
        &mut self,
        datatype: DatatypeId,
        variant: u32,
        args: &[hir::Expr],
    ) -> Expr {
        let record = self.lowerer.variant_repr(datatype, variant);
        let ty = self.intern(Ty::Record(record));
        let values = self.variant_args(ty, args);
        let tag = self.tag_value(datatype, variant);
        let mut parts = vec![(0, tag)];
        parts.extend(
            values.into_iter().enumerate().map(|(number, value)| (number as u32 + 1, value)),
        );
        Expr { kind: ExprKind::Aggregate(parts), ty }
    }

    pub(crate) fn tuple(&mut self, parts: &[hir::Expr], ty: TypeId) -> Expr {
        let ty = self.repr(ty);
        let values = self.values(parts.iter());
        let parts =
            values.into_iter().enumerate().map(|(number, value)| (number as u32, value)).collect();
        Expr { kind: ExprKind::Aggregate(parts), ty }
    }

    /// Values of expressions evaluated in order.
    pub(crate) fn values<'e>(&mut self, exprs: impl Iterator<Item = &'e hir::Expr>) -> Vec<Expr> {
        let mut values: Vec<Expr> = Vec::new();
        for expr in exprs {
            let mut kept: Vec<&mut Expr> = values.iter_mut().collect();
            let value = self.keeping(&mut kept, |this| this.value(expr));
            values.push(value);
        }
        values
    }

    /// A place that holds a datatype object of a known variant, seen from a pointer to the datatype.
    pub(crate) fn variant_place(
        &mut self,
        pointer: Expr,
        datatype: DatatypeId,
        variant: u32,
    ) -> Place {
        let record = self.lowerer.variant_repr(datatype, variant);
        let ty = self.intern(Ty::Record(record));
        self.pointed(pointer, ty)
    }

    /// A plain view of a pointer as a pointer to `to`.
    pub(crate) fn pointer_to(&mut self, pointer: Expr, to: TyId) -> Expr {
        let ty = self.intern(Ty::Ptr { to, quals: Quals::default() });
        if pointer.ty == ty {
            return pointer;
        }
        Expr { kind: ExprKind::Cast(CastKind::PtrView, Box::new(pointer)), ty }
    }
}

fn binary(op: BinaryOp, a: Expr, b: Expr, ty: TyId) -> Expr {
    Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), ty }
}

fn handle_of(place: &mut AllocPlace) -> Vec<&mut Expr> {
    match place {
        AllocPlace::Arena(handle) => vec![handle],
        _ => Vec::new(),
    }
}
