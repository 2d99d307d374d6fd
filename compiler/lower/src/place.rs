//! Places: where a value is, with the checks that make it safe to go there.

use crate::builder::{load, Builder};
use tenure_core::{
    BinaryOp, CastKind, Check, CheckKind, CheckStatus, Const, Expr, ExprKind, Initializer, IntTy,
    LocalId, LocalKind, Place, PlaceKind, Quals, StmtKind, Ty, TyId,
};
use tenure_span::Span;
use tenure_types::hir;
use tenure_types::ty::{Bounds, Pointer, RecordSort, Size, SizeId, TyVarId, Type, TypeId};

/// What is going to happen at a place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// Reading, or taking the address: the tag of a tagged union is checked.
    Read,
    /// Storing a whole value: the tag of a tagged union is about to be set.
    Write,
}

impl Builder<'_, '_> {
    pub(crate) fn check(&mut self, kind: CheckKind) {
        let span = self.span;
        self.emit(StmtKind::Check(Box::new(Check { kind, status: CheckStatus::Needed, span })));
    }

    /// A check whose message shows another text than the access.
    pub(crate) fn check_at(&mut self, kind: CheckKind, span: Span) {
        let outer = std::mem::replace(&mut self.span, span);
        self.check(kind);
        self.span = outer;
    }

    /// The type's pointer parts, if it is a pointer.
    pub(crate) fn pointer(&self, ty: TypeId) -> Option<&'_ Pointer> {
        match self.lowerer.unit.types.get(ty) {
            Type::Pointer(pointer) => Some(pointer),
            _ => None,
        }
    }

    /// The place of an expression. One that is a value only is put into a temporary.
    pub(crate) fn place(&mut self, expr: &hir::Expr, access: Access) -> Place {
        let outer = std::mem::replace(&mut self.span, expr.span);
        let place = self.place_inner(expr, access);
        self.span = outer;
        place
    }

    fn place_inner(&mut self, expr: &hir::Expr, access: Access) -> Place {
        match &expr.kind {
            hir::ExprKind::Local(local) => {
                let local = self.declare_user(*local);
                self.local_place(local)
            }
            hir::ExprKind::Global(global) => {
                let global = self.lowerer.globals[*global];
                Place {
                    kind: PlaceKind::Global(global),
                    ty: self.lowerer.program.globals[global].ty,
                }
            }
            hir::ExprKind::Str { units, unit_size } => {
                let pointer = self.literal(units, *unit_size, expr.ty);
                let ty = self.repr(expr.ty);
                let pointer = self.view(pointer, ty);
                Place { kind: PlaceKind::Deref(Box::new(pointer)), ty }
            }
            hir::ExprKind::Deref(pointer) => {
                if let Some(place) = self.walked(pointer) {
                    return place;
                }
                let value = self.value(pointer);
                let outer = std::mem::replace(&mut self.null_span, pointer.span);
                let value = self.used_pointer(value, pointer);
                let value = self.opened(value, pointer.ty);
                let place = self.deref_place(value, pointer.ty);
                self.null_span = outer;
                place
            }
            hir::ExprKind::PointerIndex(pointer, index) => self.pointer_index(pointer, index),
            hir::ExprKind::ArrayIndex(array, index) => self.array_index(array, index),
            hir::ExprKind::Field(base, path) => {
                // A member of a member is written in part, so the outer one is read.
                let inner = self.place(base, Access::Read);
                self.field_place(inner, base.ty, path, access)
            }
            hir::ExprKind::CompoundLiteral(init) => {
                let ty = self.repr(expr.ty);
                let place = self.memory_temp(ty);
                self.init(init, place.clone(), false);
                place
            }
            _ => {
                let value = self.value(expr);
                let place = self.memory_temp(value.ty);
                self.emit(StmtKind::Assign(place.clone(), value));
                place
            }
        }
    }

    /// `*p++` with a nullable zero-terminated `p`: the element that `p` is at. Then `p` steps on, or where that element
    /// is the zero, becomes NULL: it has nowhere to go.
    fn walked(&mut self, pointer: &hir::Expr) -> Option<Place> {
        let hir::ExprKind::IncDec(hir::IncDec::PostInc, target) = &pointer.kind else {
            return None;
        };
        let shape = self.pointer(pointer.ty)?.clone();
        if !shape.zeroterm || !shape.nullable || shape.bounds == Bounds::Fat {
            return None;
        }
        let place = self.place(target, Access::Read);
        let wanted = self.repr(pointer.ty);
        let old = self.adapt(load(place.clone()), wanted);
        let old = self.save(old);
        let address = match self.is_reference(pointer.ty) {
            true => self.touched(old.clone()),
            false => {
                self.check_at(CheckKind::NonNull(old.clone()), pointer.span);
                old.clone()
            }
        };
        let ty = self.repr(shape.elem.ty);
        let at = Place { kind: PlaceKind::Deref(Box::new(address)), ty };
        let element = self.save(load(at.clone()));
        let more = self.is_nonzero(element);
        let one = self.int(1, IntTy::Int);
        let next = Expr { kind: ExprKind::PtrAdd(Box::new(old), Box::new(one)), ty: wanted };
        let none = self.zero(wanted);
        let kind = ExprKind::Cond(Box::new(more), Box::new(next), Box::new(none));
        self.store(target, place, Expr { kind, ty: wanted }, Access::Read);
        Some(at)
    }

    /// Whether an element of a zero-terminated sequence is not its zero.
    pub(crate) fn is_nonzero(&mut self, element: Expr) -> Expr {
        let int = self.int_ty(IntTy::Int);
        let zero = match self.ty(element.ty) {
            Ty::Int(_) | Ty::Enum(_) => {
                Expr { kind: ExprKind::Const(Const::Int(0)), ty: element.ty }
            }
            _ => self.zero(element.ty),
        };
        let kind = ExprKind::Binary(BinaryOp::Ne, Box::new(element), Box::new(zero));
        Expr { kind, ty: int }
    }

    /// `*p`: element 0 of a pointer of the given type, after its check.
    pub(crate) fn deref_place(&mut self, value: Expr, pointer_ty: TypeId) -> Place {
        let Some(pointer) = self.pointer(pointer_ty).cloned() else {
            let ty = value.ty;
            return Place { kind: PlaceKind::Deref(Box::new(value)), ty };
        };
        let ty = self.repr(pointer.elem.ty);
        match pointer.bounds {
            Bounds::Fat => {
                let index = self.int(0, IntTy::Int);
                self.fat_element(value, index, ty)
            }
            Bounds::Thin(size) => {
                // A touch finds NULL, too.
                let nullable = pointer.nullable && !self.is_reference(pointer_ty);
                let value = if nullable { self.repeated(value) } else { value };
                if nullable {
                    let span = self.null_span;
                    self.check_at(CheckKind::NonNull(value.clone()), span);
                }
                if !pointer.zeroterm && self.lowerer.constant_size(size) != Some(1) {
                    let index = self.int(0, IntTy::ULong);
                    let size = self.size_value(size);
                    self.check(CheckKind::Index { index, size });
                }
                Place { kind: PlaceKind::Deref(Box::new(value)), ty }
            }
        }
    }

    /// A pointer that is used twice. On a unique path it stays what it is, so that the flow analysis sees whose pointer
    /// it is.
    fn repeated(&mut self, value: Expr) -> Expr {
        if matches!(&value.kind, ExprKind::Load(place) if self.steady.contains(place)) {
            value
        } else {
            self.repeatable(value)
        }
    }

    fn fat_element(&mut self, value: Expr, index: Expr, ty: TyId) -> Place {
        let value = self.repeated(value);
        self.check(CheckKind::FatIndex { ptr: value.clone(), index: index.clone() });
        Place { kind: PlaceKind::FatIndex(Box::new(value), Box::new(index)), ty }
    }

    fn pointer_index(&mut self, base: &hir::Expr, index: &hir::Expr) -> Place {
        let mut value = self.value(base);
        value = self.used_pointer(value, base);
        if self.owned(base.ty).is_none() {
            value = self.repeatable_unless_fixed(value);
        }
        let index = self.keeping(&mut [&mut value], |this| {
            let index = this.value(index);
            this.repeatable_unless_fixed(index)
        });
        let Some(pointer) = self.pointer(base.ty).cloned() else {
            return self.deref_place(value, base.ty);
        };
        let ty = self.repr(pointer.elem.ty);
        let outer = std::mem::replace(&mut self.null_span, base.span);
        let value = self.opened(value, base.ty);
        self.null_span = outer;
        match pointer.bounds {
            Bounds::Fat => self.fat_element(value, index, ty),
            Bounds::Thin(size) => {
                if pointer.nullable && !self.is_reference(base.ty) {
                    self.check_at(CheckKind::NonNull(value.clone()), base.span);
                }
                if pointer.zeroterm {
                    self.check(CheckKind::ZeroTermIndex {
                        ptr: value.clone(),
                        index: index.clone(),
                    });
                } else {
                    let size = self.size_value(size);
                    self.check(CheckKind::Index { index: index.clone(), size });
                }
                Place { kind: PlaceKind::PtrIndex(Box::new(value), Box::new(index)), ty }
            }
        }
    }

    fn array_index(&mut self, array: &hir::Expr, index: &hir::Expr) -> Place {
        let mut base = self.place(array, Access::Read);
        let index = self.keeping_access(&mut base, Access::Read, |this| {
            let index = this.value(index);
            this.repeatable_unless_fixed(index)
        });
        let Ty::Array { of, len } = *self.ty(base.ty) else { return base };
        let size = self.int(i128::from(len), IntTy::ULong);
        self.check(CheckKind::Index { index: index.clone(), size });
        let elem = self.element_ty(array.ty, of);
        // A slot that holds a word stays one, however small the instance's elements are; who reads or stores converts.
        let is_slot = matches!(self.ty(of), Ty::Word);
        if elem != of && !is_slot {
            let viewed = self.intern(Ty::Array { of: elem, len });
            base = self.view_place(base, viewed);
            return Place { kind: PlaceKind::Index(Box::new(base), Box::new(index)), ty: elem };
        }
        Place { kind: PlaceKind::Index(Box::new(base), Box::new(index)), ty: of }
    }

    /// The representation of an array type's elements as this copy sees them.
    fn element_ty(&mut self, array: TypeId, declared: TyId) -> TyId {
        match self.lowerer.unit.types.get(array) {
            Type::Array { elem, .. } => {
                let elem = elem.ty;
                self.repr(elem)
            }
            _ => declared,
        }
    }

    /// The same memory seen as another type.
    pub(crate) fn view_place(&mut self, place: Place, ty: TyId) -> Place {
        let from = self.intern(Ty::Ptr { to: place.ty, quals: Quals::default() });
        let to = self.intern(Ty::Ptr { to: ty, quals: Quals::default() });
        let address = Expr { kind: ExprKind::AddrOf(place), ty: from };
        let viewed = Expr { kind: ExprKind::Cast(CastKind::PtrView, Box::new(address)), ty: to };
        Place { kind: PlaceKind::Deref(Box::new(viewed)), ty }
    }

    /// A simple operand of arithmetic on locals and constants needs no temporary to be used twice; anything that reads
    /// memory does.
    fn repeatable_unless_fixed(&mut self, value: Expr) -> Expr {
        if self.is_fixed(&value) {
            value
        } else {
            self.save(value)
        }
    }

    /// Reads only constants and locals whose address nobody has.
    pub(crate) fn is_fixed(&self, value: &Expr) -> bool {
        match &value.kind {
            ExprKind::Const(_) | ExprKind::SizeOf(_) => true,
            ExprKind::Load(place) | ExprKind::AddrOf(place) => self.is_fixed_place(place),
            ExprKind::Unary(_, a)
            | ExprKind::Cast(_, a)
            | ExprKind::FatBase(a)
            | ExprKind::FatIdx(a)
            | ExprKind::FatLen(a) => self.is_fixed(a),
            ExprKind::Binary(op, a, b) => {
                !matches!(op, BinaryOp::Div | BinaryOp::Rem) && self.is_fixed(a) && self.is_fixed(b)
            }
            _ => false,
        }
    }

    fn is_fixed_place(&self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Local(local) => {
                !self.locals[*local].address_taken && !self.locals[*local].is_volatile
            }
            PlaceKind::Field(base, _) => self.is_fixed_place(base),
            _ => false,
        }
    }

    /// A type-level integer's value, `unsigned long`.
    pub(crate) fn size_value(&mut self, size: SizeId) -> Expr {
        let ulong = self.int_ty(IntTy::ULong);
        match *self.lowerer.unit.types.get_size(size) {
            Size::Const(value) => self.int(i128::from(value), IntTy::ULong),
            Size::Var(var) => match self.size_local(var) {
                Some(local) => {
                    let value = load(self.local_place(local));
                    self.convert(value, ulong)
                }
                None => self.int(0, IntTy::ULong),
            },
            Size::Add(a, b) | Size::Mul(a, b) => {
                let op = match self.lowerer.unit.types.get_size(size) {
                    Size::Add(..) => BinaryOp::Add,
                    _ => BinaryOp::Mul,
                };
                let (a, b) = (self.size_value(a), self.size_value(b));
                Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), ty: ulong }
            }
            Size::Infer(_) | Size::Error => self.int(0, IntTy::ULong),
        }
    }

    /// A local in scope that holds the value of a type-level integer; the checker has seen to it that there is one.
    fn size_local(&self, var: TyVarId) -> Option<LocalId> {
        let mut holders = self.size_locals.iter().filter(|known| known.0 == var);
        holders.find_map(|(_, holder)| {
            let local = *self.local_map.get(holder)?;
            let in_scope = self.locals[local].kind == LocalKind::Param
                || self.blocks.iter().any(|block| block.locals.contains(&local));
            in_scope.then_some(local)
        })
    }

    /// A member, through anonymous ones, of the record at `base` whose type is `record_ty`.
    pub(crate) fn field_place(
        &mut self,
        base: Place,
        record_ty: TypeId,
        path: &[u32],
        access: Access,
    ) -> Place {
        let mut place = base;
        let mut ty = Some(record_ty);
        for (step, &field) in path.iter().enumerate() {
            let last = step + 1 == path.len();
            let (next, is_tagged) = self.member(ty, field);
            place = if is_tagged {
                let access = if last { access } else { Access::Read };
                self.tagged_member(place, field, access)
            } else {
                self.plain_member(place, ty, field)
            };
            ty = next;
        }
        place
    }

    /// A member's declared type where it leads on to another member, and whether its record is a tagged union.
    fn member(&self, record: Option<TypeId>, field: u32) -> (Option<TypeId>, bool) {
        let Some(record) = record else { return (None, false) };
        let types = &self.lowerer.unit.types;
        let Type::Record(id, _) = types.get(record) else { return (None, false) };
        let def = &types.records[*id];
        let ty = def
            .fields
            .as_ref()
            .and_then(|fields| fields.get(field as usize))
            .map(|field| field.ty.ty);
        (ty, def.sort == RecordSort::TaggedUnion)
    }

    fn plain_member(&mut self, base: Place, record: Option<TypeId>, field: u32) -> Place {
        // A known variant's arguments stand behind its tag.
        let is_variant =
            record.is_some_and(|ty| matches!(self.lowerer.unit.types.get(ty), Type::Variant(..)));
        let field = if is_variant { field + 1 } else { field };
        self.core_field(base, field)
    }

    /// Field number `field` of a record place in core.
    pub(crate) fn core_field(&mut self, base: Place, field: u32) -> Place {
        let ty = match self.ty(base.ty) {
            Ty::Record(record) => self.lowerer.program.types.records[*record]
                .fields
                .as_ref()
                .and_then(|fields| fields.get(field as usize))
                .map(|field| field.ty),
            _ => None,
        };
        let ty = ty.unwrap_or(base.ty);
        Place { kind: PlaceKind::Field(Box::new(base), field), ty }
    }

    /// A member of a tagged union: reading checks the tag; who stores sets it, by [`Self::put`].
    fn tagged_member(&mut self, base: Place, field: u32, access: Access) -> Place {
        if access == Access::Read {
            self.check_tag(&base, field);
        }
        let members = self.core_field(base, 1);
        self.core_field(members, field)
    }

    fn check_tag(&mut self, union: &Place, field: u32) {
        let tag = self.core_field(union.clone(), 0);
        self.check(CheckKind::Tag { tag: load(tag), expected: i128::from(field) });
    }

    /// The checks of all tagged unions whose members lead to a place, outermost first. The place itself may be a member
    /// that is about to be written.
    pub(crate) fn check_tags(&mut self, place: &Place, access: Access) {
        match &place.kind {
            PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => {
                self.check_tags(base, Access::Read);
            }
            _ => return,
        }
        if access == Access::Write {
            return;
        }
        let union = place.tagged_union(&self.lowerer.program.types).cloned();
        if let (Some(union), PlaceKind::Field(_, field)) = (union, &place.kind) {
            self.check_tag(&union, *field);
        }
    }

    /// A string literal as a thin pointer to its first unit. One that the program may write to is an array of its own.
    pub(crate) fn literal(&mut self, units: &[u32], unit_size: u8, ty: TypeId) -> Expr {
        let id = self.lowerer.string(units, unit_size);
        let elem = match self.lowerer.unit.types.get(ty) {
            Type::Array { elem, .. } => Some(*elem),
            _ => None,
        };
        let (to, quals) = match elem {
            Some(elem) => (self.repr(elem.ty), elem.quals),
            None => (self.int_ty(IntTy::Char), Quals { is_const: true, is_volatile: false }),
        };
        let pointer = self.intern(Ty::Ptr { to, quals });
        if quals.is_const {
            return Expr { kind: ExprKind::Const(Const::Str(id)), ty: pointer };
        }
        let array = self.intern(Ty::Array { of: to, len: units.len() as u64 + 1 });
        let span = self.span;
        let bytes = Initializer::Bytes(id);
        let global = self.lowerer.anonymous_global(array, bytes, false, span);
        let place = Place { kind: PlaceKind::Global(global), ty: array };
        let whole = self.intern(Ty::Ptr { to: array, quals: Quals::default() });
        let address = Expr { kind: ExprKind::AddrOf(place), ty: whole };
        Expr { kind: ExprKind::Cast(CastKind::PtrView, Box::new(address)), ty: pointer }
    }

    /// A thin pointer to memory seen as `ty`.
    fn view(&mut self, pointer: Expr, ty: TyId) -> Expr {
        let to = self.intern(Ty::Ptr { to: ty, quals: Quals::default() });
        Expr { kind: ExprKind::Cast(CastKind::PtrView, Box::new(pointer)), ty: to }
    }
}
