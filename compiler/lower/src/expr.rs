//! Values.

use crate::builder::{load, Builder};
use crate::place::Access;
use tenure_core::{
    BinaryOp, CastKind, CheckKind, Const, Expr, ExprKind, IntTy, RecordId, RecordKind, StmtKind,
    Ty, TyId, UnaryOp,
};
use tenure_types::hir::{self, CountedOp};
use tenure_types::ty::{Bounds, Type, TypeId};

impl Builder<'_, '_> {
    /// The value of an expression, in its type's representation. Emits what must happen before.
    pub(crate) fn value(&mut self, expr: &hir::Expr) -> Expr {
        let outer = std::mem::replace(&mut self.span, expr.span);
        let value = self.value_inner(expr);
        let wanted = self.repr(expr.ty);
        let value = self.adapt(value, wanted);
        self.span = outer;
        value
    }

    pub(crate) fn value_inner(&mut self, expr: &hir::Expr) -> Expr {
        use hir::ExprKind as E;
        match &expr.kind {
            E::Error => self.zero_of(expr.ty),
            E::Int(value) => self.constant(Const::Int(*value), expr.ty),
            E::Float(bits) => self.constant(Const::Float(*bits), expr.ty),
            E::LongFloat(digits) => self.constant(Const::LongFloat(digits.clone()), expr.ty),
            E::Null | E::HeapHandle => self.zero_of(expr.ty),
            E::Func(func, instance) => self.function_value(*func, instance, expr.ty),
            E::Str { .. }
            | E::Local(_)
            | E::Global(_)
            | E::Deref(_)
            | E::PointerIndex(..)
            | E::ArrayIndex(..)
            | E::CompoundLiteral(_) => load(self.place(expr, Access::Read)),
            E::Field(base, path) => self.field_value(base, path),
            E::Unary(op, operand) => self.unary(*op, operand, expr.ty),
            E::Binary(op, a, b) => self.binary(*op, a, b, expr.ty),
            E::Saturating(op, a, b) => self.saturating(*op, a, b),
            E::PointerAdd { ptr, count, negative } => self.pointer_add(ptr, count, *negative),
            E::PointerDiff(a, b) => self.pointer_diff(a, b),
            E::PointerCompare(op, a, b) => self.pointer_compare(*op, a, b),
            E::Not(_) | E::And(..) | E::Or(..) => self.logical(expr),
            E::Cond(cond, a, b) => self.conditional(cond, a, b, expr.ty),
            E::Comma(parts) => self.comma(parts, expr.ty),
            E::Assign(place, value) => self.assign(place, value),
            E::AssignOp { place, op, compute, value } => {
                self.assign_op(place, *op, *compute, value)
            }
            E::IncDec(op, place) => self.inc_dec(*op, place, true),
            E::Swap(a, b) => self.swap(a, b, expr.ty),
            E::Call(call) => self.call(call, expr.ty),
            E::AddrOf(place) => self.address(place, expr.ty),
            E::Coerce(coercion, inner) => self.coerce(*coercion, inner, expr.ty),
            E::SizeOf(ty) => {
                let of = self.repr(*ty);
                self.ulong(ExprKind::SizeOf(of))
            }
            E::AlignOf(ty) => {
                let of = self.repr(*ty);
                self.ulong(ExprKind::AlignOf(of))
            }
            E::OffsetOf(ty, path) => self.offset_of(*ty, path),
            E::Numelts(pointer) => self.numelts(pointer),
            E::TagCheck(place, field) => self.tag_check(place, *field),
            E::New { place, init } => self.new_object(place, init, expr.ty),
            E::Malloc { place, elem, count, zeroed } => {
                self.malloc(place, *elem, count.as_deref(), *zeroed, expr.ty)
            }
            E::Free(pointer) => {
                self.free(pointer);
                self.zero_of(expr.ty)
            }
            E::Move(place) => self.move_out(place),
            E::Borrow(operand) => self.borrow(operand, expr.ty),
            E::Counted(op, pointer) => self.counted(*op, pointer, expr.ty),
            E::Checked(op, pointer) => self.checked(*op, pointer, expr.ty),
            E::Realloc { old, elem, count } => self.realloc(old, *elem, count, expr.ty),
            E::Assert(cond) => self.assert(cond, expr.ty),
            E::Aggregate(init) => self.aggregate(init, expr.ty),
            E::Tuple(parts) => self.tuple(parts, expr.ty),
            E::Construct { datatype, variant, .. }
                if self.immediate_of(*datatype, *variant).is_some() =>
            {
                self.not_a_word(expr);
                self.zero_of(expr.ty)
            }
            E::Construct { datatype, variant, args, .. } => {
                self.construct_value(*datatype, *variant, args)
            }
            E::Throw(exn) => self.throw(exn, expr.ty),
            E::StmtExpr(block) => self.statement_expr(block, expr.ty),
        }
    }

    fn assert(&mut self, cond: &hir::Expr, ty: TypeId) -> Expr {
        let inner_span = cond.span;
        let cond = self.truth(cond);
        self.check_at(CheckKind::Assert(cond), inner_span);
        self.zero_of(ty)
    }

    pub(crate) fn constant(&mut self, constant: Const, ty: TypeId) -> Expr {
        let ty = self.repr(ty);
        Expr { kind: ExprKind::Const(constant), ty }
    }

    pub(crate) fn zero_of(&mut self, ty: TypeId) -> Expr {
        let ty = self.repr(ty);
        self.zero(ty)
    }

    pub(crate) fn ulong(&mut self, kind: ExprKind) -> Expr {
        let ty = self.int_ty(IntTy::ULong);
        Expr { kind, ty }
    }

    /// Evaluates for its effects only.
    pub(crate) fn effect(&mut self, expr: &hir::Expr) {
        use hir::ExprKind as E;
        let outer = std::mem::replace(&mut self.span, expr.span);
        match &expr.kind {
            E::IncDec(op, place) => {
                self.inc_dec(*op, place, false);
            }
            E::Coerce(hir::Coercion::Discard, inner) => self.effect(inner),
            E::Comma(parts) => parts.iter().for_each(|part| self.effect(part)),
            E::Cond(cond, a, b) => self.effect_conditional(cond, a, b),
            E::And(..) | E::Or(..) => self.effect_logical(expr),
            E::Call(call) if self.owned(expr.ty).is_none() => self.call_effect(call),
            E::Call(_) | E::New { .. } | E::Malloc { .. } | E::Counted(CountedOp::Alias, _)
                if self.owned(expr.ty).is_some() =>
            {
                let value = self.value(expr);
                self.dropped(value, expr.ty);
            }
            _ => {
                let value = self.value_inner(expr);
                if self.reads_volatile(&value) {
                    self.emit(StmtKind::Eval(value));
                }
            }
        }
        self.span = outer;
    }

    fn reads_volatile(&self, value: &Expr) -> bool {
        match &value.kind {
            ExprKind::Load(place) => match place.root_local() {
                Some(local) => self.locals[local].is_volatile,
                None => match &place.kind {
                    tenure_core::PlaceKind::Deref(pointer) => {
                        matches!(self.ty(pointer.ty), Ty::Ptr { quals, .. } if quals.is_volatile)
                    }
                    tenure_core::PlaceKind::Global(global) => {
                        self.lowerer.program.globals[*global].is_volatile
                    }
                    _ => false,
                },
            },
            _ => false,
        }
    }

    /// Gives a value the wanted representation, where a declaration's own type and its instance differ: words, pointers
    /// to words.
    pub(crate) fn adapt(&mut self, value: Expr, wanted: TyId) -> Expr {
        if value.ty == wanted {
            return value;
        }
        if let Some(function) = self.adapt_function(&value, wanted) {
            return function;
        }
        let kind = match (self.ty(value.ty), self.ty(wanted)) {
            (_, Ty::Void) | (Ty::Void, _) => return Expr { ty: wanted, ..value },
            (Ty::Word, _) => CastKind::FromWord,
            (_, Ty::Word) => CastKind::ToWord,
            (Ty::Ptr { .. }, Ty::Ptr { .. }) | (Ty::Checked { .. }, Ty::Checked { .. }) => {
                CastKind::PtrView
            }
            (Ty::Fat { .. }, Ty::Fat { .. }) => CastKind::FatView,
            (Ty::Enum(_) | Ty::Int(_), Ty::Enum(_) | Ty::Int(_)) => CastKind::Int,
            (Ty::Func(_), _) | (_, Ty::Func(_)) => return Expr { ty: wanted, ..value },
            (Ty::Record(from), Ty::Record(to)) => {
                let (from, to) = (*from, *to);
                return self.adapt_tuple(value, from, to, wanted);
            }
            _ => return value,
        };
        if let ExprKind::Const(Const::Zero) = value.kind {
            return self.zero(wanted);
        }
        Expr { kind: ExprKind::Cast(kind, Box::new(value)), ty: wanted }
    }

    /// A tuple whose parts travel in another way, part by part.
    fn adapt_tuple(&mut self, value: Expr, from: RecordId, to: RecordId, wanted: TyId) -> Expr {
        let records = &self.lowerer.program.types.records;
        let tuple = |id: RecordId| match (&records[id].kind, &records[id].fields) {
            (RecordKind::Tuple, Some(fields)) => Some(fields.iter().map(|f| f.ty).collect()),
            _ => None,
        };
        let (before, after): (Option<Vec<TyId>>, _) = (tuple(from), tuple(to));
        let after: Vec<TyId> = match (before, after) {
            (Some(before), Some(after)) if before.len() == after.len() => after,
            _ => return value,
        };
        let ExprKind::Load(place) = self.save(value).kind else { return self.zero(wanted) };
        let mut parts = Vec::with_capacity(after.len());
        for (number, ty) in after.into_iter().enumerate() {
            let part = load(self.core_field(place.clone(), number as u32));
            parts.push((number as u32, self.adapt(part, ty)));
        }
        Expr { kind: ExprKind::Aggregate(parts), ty: wanted }
    }

    fn field_value(&mut self, base: &hir::Expr, path: &[u32]) -> Expr {
        let place = if base.is_place() {
            self.place(base, Access::Read)
        } else {
            let value = self.value(base);
            let ty = value.ty;
            let temp = self.temp(ty);
            let place = self.local_place(temp);
            self.emit(StmtKind::Assign(place.clone(), value));
            place
        };
        load(self.field_place(place, base.ty, path, Access::Read))
    }

    fn address(&mut self, place: &hir::Expr, ty: TypeId) -> Expr {
        let place = self.place(place, Access::Read);
        let wanted = self.repr(ty);
        if self.is_reference(ty) {
            return self.reference_to(&place, wanted);
        }
        let quals = match self.ty(wanted) {
            Ty::Ptr { quals, .. } => *quals,
            _ => tenure_core::Quals::default(),
        };
        let pointer = self.intern(Ty::Ptr { to: place.ty, quals });
        Expr { kind: ExprKind::AddrOf(place), ty: pointer }
    }

    fn offset_of(&mut self, ty: TypeId, path: &[u32]) -> Expr {
        let mut record = self.repr(ty);
        let mut sum: Option<Expr> = None;
        for &field in path {
            let part = self.ulong(ExprKind::OffsetOf(record, field));
            sum = Some(match sum {
                None => part,
                Some(before) => {
                    self.ulong(ExprKind::Binary(BinaryOp::Add, Box::new(before), Box::new(part)))
                }
            });
            let Ty::Record(id) = *self.ty(record) else { break };
            let next = self.lowerer.program.types.records[id]
                .fields
                .as_ref()
                .and_then(|fields| fields.get(field as usize));
            let Some(next) = next else { break };
            record = next.ty;
        }
        sum.unwrap_or_else(|| self.zero(record))
    }

    fn numelts(&mut self, pointer: &hir::Expr) -> Expr {
        let Some(shape) = self.pointer(pointer.ty).cloned() else {
            // An array's own length.
            let place = self.place(pointer, Access::Read);
            let len = match self.ty(place.ty) {
                Ty::Array { len, .. } => *len,
                _ => 0,
            };
            return self.int(i128::from(len), IntTy::ULong);
        };
        let value = self.value(pointer);
        match shape.bounds {
            Bounds::Fat if self.is_fat_reference(value.ty) => {
                let count = self.reference_count(value, &shape);
                self.ulong(ExprKind::Cast(CastKind::Int, Box::new(count)))
            }
            Bounds::Fat => {
                let uint = self.int_ty(IntTy::UInt);
                let value = self.repeatable(value);
                let count = Expr { kind: ExprKind::FatCount(Box::new(value)), ty: uint };
                self.ulong(ExprKind::Cast(CastKind::Int, Box::new(count)))
            }
            Bounds::Thin(size) => {
                let value = self.repeatable(value);
                let count = if shape.zeroterm && self.is_reference(pointer.ty) {
                    return self.reference_length(value, &shape);
                } else if shape.zeroterm {
                    self.ulong(ExprKind::ZeroTermSize(Box::new(value.clone())))
                } else {
                    self.size_value(size)
                };
                if shape.nullable {
                    let null = self.is_null(value);
                    let none = self.int(0, IntTy::ULong);
                    self.ulong(ExprKind::Cond(Box::new(null), Box::new(none), Box::new(count)))
                } else {
                    count
                }
            }
        }
    }

    /// `p == NULL` of a thin pointer.
    pub(crate) fn is_null(&mut self, value: Expr) -> Expr {
        let null = self.zero(value.ty);
        let int = self.int_ty(IntTy::Int);
        Expr { kind: ExprKind::Binary(BinaryOp::Eq, Box::new(value), Box::new(null)), ty: int }
    }

    fn tag_check(&mut self, place: &hir::Expr, field: u32) -> Expr {
        let place = self.place(place, Access::Read);
        let tag = self.core_field(place, 0);
        let expected = self.int(i128::from(field), IntTy::UInt);
        let int = self.int_ty(IntTy::Int);
        Expr {
            kind: ExprKind::Binary(BinaryOp::Eq, Box::new(load(tag)), Box::new(expected)),
            ty: int,
        }
    }

    fn comma(&mut self, parts: &[hir::Expr], ty: TypeId) -> Expr {
        let Some((last, before)) = parts.split_last() else { return self.zero_of(ty) };
        before.iter().for_each(|part| self.effect(part));
        self.value(last)
    }

    fn throw(&mut self, exn: &hir::Expr, ty: TypeId) -> Expr {
        let value = self.value(exn);
        self.tell_throw(exn, &value);
        self.emit(StmtKind::Throw { exn: value });
        self.zero_of(ty)
    }

    fn statement_expr(&mut self, block: &hir::Block, ty: TypeId) -> Expr {
        let repr = self.repr(ty);
        let is_void = matches!(self.ty(repr), Ty::Void);
        let Some((last, before)) = block.stmts.split_last() else { return self.zero(repr) };
        match &last.kind {
            hir::StmtKind::Expr(value) if !is_void => {
                let temp = self.temp(repr);
                let place = self.local_place(temp);
                let (body, ()) = self.in_block(|this| {
                    this.stmts(before);
                    let value = this.value(value);
                    let value = this.adapt(value, repr);
                    this.emit(StmtKind::Assign(place.clone(), value));
                });
                self.emit(StmtKind::Block { label: None, body });
                load(place)
            }
            _ => {
                let (body, ()) = self.in_block(|this| this.stmts(&block.stmts));
                self.emit(StmtKind::Block { label: None, body });
                self.zero(repr)
            }
        }
    }

    /// Statically known sign and width of a type's integers.
    pub(crate) fn int_kind(&self, ty: TyId) -> Option<IntTy> {
        match self.ty(ty) {
            Ty::Int(int) => Some(*int),
            Ty::Enum(id) => Some(self.lowerer.program.types.enums[*id].underlying),
            _ => None,
        }
    }

    fn unary(&mut self, op: hir::UnaryOp, operand: &hir::Expr, ty: TypeId) -> Expr {
        let value = self.value(operand);
        let ty = self.repr(ty);
        let op = match op {
            hir::UnaryOp::Neg => UnaryOp::Neg,
            hir::UnaryOp::BitNot => UnaryOp::BitNot,
            hir::UnaryOp::Real => UnaryOp::Real,
            hir::UnaryOp::Imag => UnaryOp::Imag,
            hir::UnaryOp::Imaginary => UnaryOp::Imaginary,
        };
        Expr { kind: ExprKind::Unary(op, Box::new(value)), ty }
    }

    fn pointer_compare(&mut self, op: hir::BinaryOp, a: &hir::Expr, b: &hir::Expr) -> Expr {
        let mut left = self.value(a);
        let right = self.keeping(&mut [&mut left], |this| this.value(b));
        if self.is_fat_reference(left.ty) && self.is_fat_reference(right.ty) {
            return self.compared_with_bounds(crate::ops::core_op(op), left, right);
        }
        let left = self.thin_of(left);
        let right = self.thin_of(right);
        let right = self.adapt(right, left.ty);
        let int = self.int_ty(IntTy::Int);
        Expr {
            kind: ExprKind::Binary(crate::ops::core_op(op), Box::new(left), Box::new(right)),
            ty: int,
        }
    }

    /// The address of a fat pointer's current element; other pointers as they are.
    pub(crate) fn thin_of(&mut self, value: Expr) -> Expr {
        if self.is_fat_reference(value.ty) {
            return self.base_reference(value);
        }
        let Ty::Fat { to, quals } = *self.ty(value.ty) else { return value };
        let thin = self.intern(Ty::Ptr { to, quals });
        if let ExprKind::Const(Const::Zero) = value.kind {
            return self.zero(thin);
        }
        Expr { kind: ExprKind::FatCur(Box::new(value)), ty: thin }
    }

    fn pointer_diff(&mut self, a: &hir::Expr, b: &hir::Expr) -> Expr {
        let mut left = self.value(a);
        let right = self.keeping(&mut [&mut left], |this| this.value(b));
        let left = self.thin_of(left);
        let right = self.thin_of(right);
        let right = self.adapt(right, left.ty);
        let ty = self.int_ty(IntTy::Long);
        Expr { kind: ExprKind::PtrDiff(Box::new(left), Box::new(right)), ty }
    }

    fn pointer_add(&mut self, pointer: &hir::Expr, count: &hir::Expr, negative: bool) -> Expr {
        let mut value = self.value(pointer);
        let count = self.keeping(&mut [&mut value], |this| this.value(count));
        self.moved(value, pointer.ty, count, negative)
    }

    /// A pointer moved by a count of elements.
    pub(crate) fn moved(
        &mut self,
        value: Expr,
        pointer_ty: TypeId,
        count: Expr,
        negative: bool,
    ) -> Expr {
        let ty = value.ty;
        let is_wide = self.int_kind(count.ty).is_some_and(|int| int.bits() > 32);
        let count = if negative { self.negated(count) } else { count };
        if self.is_fat_reference(ty) {
            let Some(shape) = self.pointer(pointer_ty).cloned() else { return value };
            return self.moved_reference(value, &shape, count);
        }
        if matches!(self.ty(ty), Ty::Fat { .. }) {
            let (value, count) =
                if is_wide { self.checked_step(value, count) } else { (value, count) };
            return Expr { kind: ExprKind::FatAdd(Box::new(value), Box::new(count)), ty };
        }
        let value = self.repeatable(value);
        let count = self.repeatable(count);
        let shape = self.pointer(pointer_ty).cloned();
        if let (true, Some(shape)) = (self.is_reference(pointer_ty), &shape) {
            return self.stepped_reference(value, shape, count);
        }
        if shape.as_ref().is_some_and(|shape| shape.nullable) {
            self.check(CheckKind::NonNull(value.clone()));
        }
        match shape.map(|shape| (shape.zeroterm, shape.bounds)) {
            Some((false, Bounds::Thin(size))) => {
                let size = self.size_value(size);
                self.check(CheckKind::IndexOrEnd { index: count.clone(), size });
            }
            _ => self.check(CheckKind::ZeroTermIndex { ptr: value.clone(), index: count.clone() }),
        }
        Expr { kind: ExprKind::PtrAdd(Box::new(value), Box::new(count)), ty }
    }

    /// A step that 32 bits may not hold.
    fn checked_step(&mut self, value: Expr, count: Expr) -> (Expr, Expr) {
        let is_short = |n: i128| i32::try_from(n).is_ok();
        if matches!(count.kind, ExprKind::Const(Const::Int(n)) if is_short(n)) {
            return (value, count);
        }
        let value = self.repeatable(value);
        let count = self.repeatable(count);
        self.check(CheckKind::FatStep { ptr: value.clone(), count: count.clone() });
        (value, count)
    }

    /// `-count`, as wide as a pointer difference.
    fn negated(&mut self, count: Expr) -> Expr {
        let long = self.int_ty(IntTy::Long);
        if let ExprKind::Const(Const::Int(value)) = count.kind {
            return self.int(-value, IntTy::Long);
        }
        let wide = Expr { kind: ExprKind::Cast(CastKind::Int, Box::new(count)), ty: long };
        Expr { kind: ExprKind::Unary(UnaryOp::Neg, Box::new(wide)), ty: long }
    }

    /// Whether the type is void in this copy.
    pub(crate) fn is_void(&self, ty: TypeId) -> bool {
        matches!(self.lowerer.unit.types.get(ty), Type::Void)
    }
}
