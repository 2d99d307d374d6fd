//! Conversions.

use crate::builder::{load, Builder};
use crate::place::Access;
use tenure_core::{
    BinaryOp, CastKind, CheckKind, Const, Expr, ExprKind, IntTy, Quals, StmtKind, Ty, TyId,
};
use tenure_types::hir::{self, Coercion};
use tenure_types::ty::{ArrayLen, Bounds, Pointer, Type, TypeId};

impl Builder<'_, '_> {
    pub(crate) fn coerce(&mut self, coercion: Coercion, inner: &hir::Expr, ty: TypeId) -> Expr {
        let to = self.repr(ty);
        match coercion {
            Coercion::Discard => {
                self.effect(inner);
                self.zero(to)
            }
            Coercion::ArrayToThin => self.array_to_thin(inner, to),
            Coercion::ArrayToFat => self.array_to_fat(inner, ty),
            _ => {
                let value = self.value(inner);
                let outer = std::mem::replace(&mut self.null_span, inner.span);
                let value = self.coerce_value(coercion, value, inner.ty, ty);
                self.null_span = outer;
                value
            }
        }
    }

    /// A number to a tag and back. What is not a constant may be more than a tag holds.
    fn convert_tag(&mut self, value: Expr, ty: TypeId, to: TyId) -> Expr {
        let Type::Tag(_, int) = *self.lowerer.unit.types.get(ty) else {
            return self.convert(value, to);
        };
        if matches!(value.kind, ExprKind::Const(_)) || int.bits() == 64 {
            return self.convert(value, to);
        }
        let value = self.repeatable(value);
        self.check_count(value.clone(), int);
        self.convert(value, to)
    }

    /// That an integer is one that a tag of a type may have.
    pub(crate) fn check_count(&mut self, index: Expr, int: IntTy) {
        let bits = int.bits() - u32::from(int.is_signed());
        let size = self.int(1 << bits, IntTy::ULong);
        self.check(CheckKind::Index { index, size });
    }

    fn coerce_value(&mut self, coercion: Coercion, value: Expr, from: TypeId, ty: TypeId) -> Expr {
        let to = self.repr(ty);
        match coercion {
            Coercion::Arithmetic => self.convert(value, to),
            Coercion::Tag => self.convert_tag(value, ty, to),
            Coercion::ToBool => {
                let value = self.thin_of(value);
                Expr { kind: ExprKind::Cast(CastKind::ToBool, Box::new(value)), ty: to }
            }
            Coercion::ThinToFat => self.thin_to_fat(value, from, to),
            Coercion::ZeroTermToFat if self.is_reference(from) => {
                self.zeroterm_to_fat_reference(value, from, ty)
            }
            Coercion::ZeroTermToFat => self.zeroterm_to_fat(value, from, ty),
            Coercion::FatToThin => self.fat_to_thin(value, from, ty),
            Coercion::FatToZeroTerm if self.is_reference(from) => {
                self.fat_to_zeroterm_reference(value, from, ty)
            }
            Coercion::FatToZeroTerm => self.fat_to_zeroterm(value, ty, to),
            Coercion::NonNull => {
                let value = self.repeatable(value);
                let thin = self.thin_of(value.clone());
                let span = self.null_span;
                self.check_at(CheckKind::NonNull(thin), span);
                self.adapt(value, to)
            }
            Coercion::ViewBits => self.view_bits(value, from, ty),
            Coercion::PointerToInt => {
                let value = self.thin_of(value);
                Expr { kind: ExprKind::Cast(CastKind::PtrToInt, Box::new(value)), ty: to }
            }
            Coercion::Embed => self.embed(value, from),
            Coercion::Same
            | Coercion::FunctionView
            | Coercion::Instantiate
            | Coercion::Pack
            | Coercion::Discard
            | Coercion::ArrayToThin
            | Coercion::ArrayToFat => self.adapt(value, to),
        }
    }

    /// A variant as the object of a datatype in a struct.
    fn embed(&mut self, value: Expr, from: TypeId) -> Expr {
        let Type::Variant(datatype, variant, _) = *self.lowerer.unit.types.get(from) else {
            return value;
        };
        let object = self.lowerer.datatype_object(datatype);
        let ty = self.intern(Ty::Record(object));
        Expr { kind: ExprKind::Aggregate(vec![(variant, value)]), ty }
    }

    /// The address of an array's first element.
    fn first_element(&mut self, array: &hir::Expr, to: TyId) -> (Expr, u64) {
        if let hir::ExprKind::Str { units, unit_size } = &array.kind {
            return (self.literal(units, *unit_size, array.ty), units.len() as u64 + 1);
        }
        let place = self.place(array, Access::Read);
        let len = match self.ty(place.ty) {
            Ty::Array { len, .. } => *len,
            _ => 1,
        };
        let array_pointer = self.intern(Ty::Ptr { to: place.ty, quals: Quals::default() });
        let address = Expr { kind: ExprKind::AddrOf(place), ty: array_pointer };
        (Expr { kind: ExprKind::Cast(CastKind::PtrView, Box::new(address)), ty: to }, len)
    }

    fn array_to_thin(&mut self, array: &hir::Expr, to: TyId) -> Expr {
        if matches!(self.ty(to), Ty::Checked { .. }) {
            let place = self.place(array, Access::Read);
            return self.reference_to(&place, to);
        }
        let (first, _) = self.first_element(array, to);
        self.adapt(first, to)
    }

    /// Whether the target is a pointer through which the zero that ends a sequence could be overwritten: it leaves it
    /// out.
    pub(crate) fn leaves_terminator_out(&self, ty: TypeId) -> bool {
        self.pointer(ty).is_some_and(|target| !target.zeroterm && !target.elem.quals.is_const)
    }

    fn array_to_fat(&mut self, array: &hir::Expr, ty: TypeId) -> Expr {
        let to = self.repr(ty);
        if self.is_fat_reference(to) {
            return self.array_to_reference(array, ty);
        }
        let Ty::Fat { to: elem, quals } = *self.ty(to) else {
            return self.array_to_thin(array, to);
        };
        let thin = self.intern(Ty::Ptr { to: elem, quals });
        let (first, len) = self.first_element(array, thin);
        let base = self.adapt(first, thin);
        let types = &self.lowerer.unit.types;
        let zeroterm = matches!(types.get(array.ty), Type::Array { zeroterm: true, .. });
        let len = len.saturating_sub(u64::from(zeroterm && self.leaves_terminator_out(ty)));
        let len = self.int(i128::from(len), IntTy::UInt);
        self.fat_from(base, len, to)
    }

    /// A fat pointer at its first element.
    pub(crate) fn fat_from(&mut self, base: Expr, len: Expr, to: TyId) -> Expr {
        let idx = self.int(0, IntTy::UInt);
        Expr {
            kind: ExprKind::MakeFat {
                base: Box::new(base),
                idx: Box::new(idx),
                len: Box::new(len),
            },
            ty: to,
        }
    }

    fn thin_elem(&mut self, fat: TyId) -> TyId {
        match *self.ty(fat) {
            Ty::Fat { to, quals } => self.intern(Ty::Ptr { to, quals }),
            _ => fat,
        }
    }

    fn thin_to_fat(&mut self, value: Expr, from: TypeId, to: TyId) -> Expr {
        if let ExprKind::Const(Const::Zero) = value.kind {
            return self.zero(to);
        }
        let Some(shape) = self.pointer(from).cloned() else { return self.adapt(value, to) };
        let Bounds::Thin(size) = shape.bounds else { return self.adapt(value, to) };
        let value = self.repeatable(value);
        let count = self.size_value(size);
        let len = self.length(count);
        self.fat_unless_null(value, &shape, len, to)
    }

    /// A length as 32 bits, after the check that it fits.
    pub(crate) fn length(&mut self, count: Expr) -> Expr {
        let one = self.int(1, IntTy::ULong);
        self.length_of(count, one)
    }

    /// Likewise of memory for elements of `size` bytes.
    pub(crate) fn allocated_length(&mut self, count: Expr, elem: TyId) -> Expr {
        let ulong = self.int_ty(IntTy::ULong);
        let size = match self.ty(elem) {
            Ty::Int(IntTy::Char | IntTy::SChar | IntTy::UChar) => self.int(1, IntTy::ULong),
            _ => Expr { kind: ExprKind::SizeOf(elem), ty: ulong },
        };
        self.length_of(count, size)
    }

    fn length_of(&mut self, count: Expr, size: Expr) -> Expr {
        let uint = self.int_ty(IntTy::UInt);
        if let ExprKind::Const(Const::Int(value)) = count.kind {
            if (0..=i128::from(u32::MAX)).contains(&value) {
                return self.int(value, IntTy::UInt);
            }
        }
        let count = self.repeatable(count);
        self.check(CheckKind::Fits32 { count: count.clone(), size });
        Expr { kind: ExprKind::Cast(CastKind::Int, Box::new(count)), ty: uint }
    }

    fn fat_unless_null(&mut self, value: Expr, shape: &Pointer, len: Expr, to: TyId) -> Expr {
        let thin = self.thin_elem(to);
        let len = if shape.nullable {
            let null = self.is_null(value.clone());
            let none = self.int(0, IntTy::UInt);
            let uint = len.ty;
            Expr { kind: ExprKind::Cond(Box::new(null), Box::new(none), Box::new(len)), ty: uint }
        } else {
            len
        };
        if self.is_fat_reference(to) {
            let idx = self.int(0, IntTy::UInt);
            return self.fat_reference(value, idx, len);
        }
        let base = self.adapt(value, thin);
        self.fat_from(base, len, to)
    }

    /// Measures a zero-terminated sequence.
    fn zeroterm_to_fat(&mut self, value: Expr, from: TypeId, ty: TypeId) -> Expr {
        let to = self.repr(ty);
        let without = i128::from(self.leaves_terminator_out(ty));
        if let ExprKind::Const(Const::Zero) = value.kind {
            return self.zero(to);
        }
        let thin = self.thin_elem(to);
        if let ExprKind::Const(Const::Str(id)) = value.kind {
            let len = self.lowerer.program.strings[id].units.len() as i128 + 1 - without;
            let len = self.int(len, IntTy::UInt);
            let base = self.adapt(value, thin);
            return self.fat_from(base, len, to);
        }
        let nullable = self.pointer(from).is_some_and(|shape| shape.nullable);
        let value = self.repeatable(value);
        let mut measured = self.ulong(ExprKind::ZeroTermSize(Box::new(value.clone())));
        if without != 0 {
            let one = self.int(without, IntTy::ULong);
            measured =
                self.ulong(ExprKind::Binary(BinaryOp::Sub, Box::new(measured), Box::new(one)));
        }
        let size = if nullable {
            let null = self.is_null(value.clone());
            let none = self.int(0, IntTy::ULong);
            self.ulong(ExprKind::Cond(Box::new(null), Box::new(none), Box::new(measured)))
        } else {
            measured
        };
        let size = self.save(size);
        let len = self.length(size);
        let base = self.adapt(value, thin);
        self.fat_from(base, len, to)
    }

    fn fat_to_thin(&mut self, value: Expr, from: TypeId, ty: TypeId) -> Expr {
        let to = self.repr(ty);
        let value = self.repeatable(value);
        let shape = self.pointer(ty).cloned();
        let nullable = shape.as_ref().is_some_and(|shape| shape.nullable);
        let count = match shape.map(|shape| shape.bounds) {
            Some(Bounds::Thin(size)) => self.size_value(size),
            _ => self.int(1, IntTy::ULong),
        };
        if let (true, Some(from)) = (self.is_fat_reference(value.ty), self.pointer(from).cloned()) {
            return self.fat_to_thin_reference(value, (&from, nullable), count, to);
        }
        self.check(CheckKind::FatCount { ptr: value.clone(), count, nullable });
        let thin = self.thin_of(value);
        self.adapt(thin, to)
    }

    fn fat_to_zeroterm(&mut self, value: Expr, ty: TypeId, to: TyId) -> Expr {
        let value = self.repeatable(value);
        let nullable = self.pointer(ty).is_some_and(|shape| shape.nullable);
        let thin = self.thin_of(value.clone());
        if nullable {
            let null = self.is_null(thin.clone());
            let int = self.int_ty(IntTy::Int);
            let present =
                Expr { kind: ExprKind::Unary(tenure_core::UnaryOp::Not, Box::new(null)), ty: int };
            let (then, ()) = self.in_block(|this| this.check(CheckKind::HasZero { ptr: value }));
            self.emit(StmtKind::If { cond: present, then, otherwise: None });
        } else {
            self.check(CheckKind::HasZero { ptr: value });
        }
        self.adapt(thin, to)
    }

    /// The same bytes as elements of another size.
    fn view_bits(&mut self, value: Expr, from: TypeId, ty: TypeId) -> Expr {
        let to = self.repr(ty);
        let (source, target) = (self.pointer(from).cloned(), self.pointer(ty).cloned());
        let (Some(source), Some(target)) = (source, target) else { return self.adapt(value, to) };
        let (from_elem, to_elem) = (self.repr(source.elem.ty), self.repr(target.elem.ty));
        if self.is_fat_reference(value.ty) {
            return self.view_reference(value, from_elem, to_elem);
        }
        let same_size = self.scalar_size(from_elem).is_some()
            && self.scalar_size(from_elem) == self.scalar_size(to_elem);
        let both_fat = matches!(self.ty(value.ty), Ty::Fat { .. });
        if from_elem == to_elem || same_size && both_fat || !matches!(self.ty(to), Ty::Fat { .. }) {
            return self.adapt(value, to);
        }
        let thin = self.thin_elem(to);
        if !matches!(self.ty(value.ty), Ty::Fat { .. }) {
            let value = self.repeatable(value);
            let count = match source.bounds {
                Bounds::Thin(size) => self.size_value(size),
                Bounds::Fat => self.int(1, IntTy::ULong),
            };
            let count = self.scaled(count, from_elem, to_elem);
            let len = self.length(count);
            let base = self.adapt(value, thin);
            return self.fat_unless_null(base, &source, len, to);
        }
        let value = self.repeatable(value);
        let source_thin = self.thin_elem(value.ty);
        let uint = self.int_ty(IntTy::UInt);
        let part = |kind: fn(Box<Expr>) -> ExprKind, ty: TyId| Expr {
            kind: kind(Box::new(value.clone())),
            ty,
        };
        let base = part(ExprKind::FatBase, source_thin);
        let (idx, len) = (part(ExprKind::FatIdx, uint), part(ExprKind::FatLen, uint));
        let base = self.adapt(base, thin);
        let idx = self.scaled(idx, from_elem, to_elem);
        let idx = self.length(idx);
        let len = self.scaled(len, from_elem, to_elem);
        let len = self.length(len);
        Expr {
            kind: ExprKind::MakeFat {
                base: Box::new(base),
                idx: Box::new(idx),
                len: Box::new(len),
            },
            ty: to,
        }
    }

    /// A count of elements of one type as a count of another, whose size divides it.
    pub(crate) fn scaled(&mut self, count: Expr, from: TyId, to: TyId) -> Expr {
        let ulong = self.int_ty(IntTy::ULong);
        let count = self.convert(count, ulong);
        let sizes = (self.scalar_size(from), self.scalar_size(to));
        match sizes {
            (Some(from), Some(to)) if from == to => return count,
            (Some(from), Some(to)) if to != 0 && from % to == 0 => {
                let factor = self.int(i128::from(from / to), IntTy::ULong);
                return self.ulong(ExprKind::Binary(
                    BinaryOp::Mul,
                    Box::new(count),
                    Box::new(factor),
                ));
            }
            _ => {}
        }
        let from = self.ulong(ExprKind::SizeOf(from));
        let bytes = self.ulong(ExprKind::Binary(BinaryOp::Mul, Box::new(count), Box::new(from)));
        if sizes.1 == Some(1) {
            return bytes;
        }
        let to = self.ulong(ExprKind::SizeOf(to));
        self.check(CheckKind::NonZero(to.clone()));
        self.ulong(ExprKind::Binary(BinaryOp::Div, Box::new(bytes), Box::new(to)))
    }

    /// The size in bytes of a type whose size is the same on every target.
    fn scalar_size(&self, ty: TyId) -> Option<u32> {
        match self.ty(ty) {
            Ty::Int(int) => Some(int.bits() / 8),
            Ty::Float(tenure_core::FloatTy::F32) => Some(4),
            Ty::Float(tenure_core::FloatTy::F64) => Some(8),
            _ => None,
        }
    }

    /// A function's name: its address, of the instance that serves.
    pub(crate) fn function_value(
        &mut self,
        func: hir::FuncId,
        instance: &[tenure_types::ty::GenericArg],
        ty: TypeId,
    ) -> Expr {
        let span = self.span;
        let subst = self.subst.clone();
        let id = self.lowerer.instance(func, instance, &subst, span);
        let function = self.lowerer.program.decls[id].ty;
        let own = self.intern(Ty::Ptr { to: function, quals: Quals::default() });
        let value = Expr { kind: ExprKind::Const(Const::Function(id)), ty: own };
        match self.lowerer.unit.types.get(ty) {
            Type::Function(_) => value,
            _ => {
                let wanted = self.repr(ty);
                self.adapt(value, wanted)
            }
        }
    }

    /// An array's known length.
    pub(crate) fn array_len(&self, ty: TypeId) -> u64 {
        match self.lowerer.unit.types.get(ty) {
            Type::Array { len: ArrayLen::Known(size), .. } => {
                self.lowerer.constant_size(*size).unwrap_or(0)
            }
            _ => 0,
        }
    }

    pub(crate) fn load_local(&self, local: tenure_core::LocalId) -> Expr {
        load(self.local_place(local))
    }
}
