//! Patterns as tests.

use crate::builder::{load, Builder};
use crate::place::Access;
use tenure_core::{
    BinaryOp, CheckKind, Const, Expr, ExprKind, IntTy, LabelId, Owned, Place, PlaceKind, Quals,
    StmtKind, Ty, TyId,
};
use tenure_types::hir::{Pattern, PatternKind};
use tenure_types::ty::{Bounds, DatatypeId};

impl Builder<'_, '_> {
    /// Comes out below with the variables bound when the subject matches; else breaks to `fails`.
    pub(crate) fn test(&mut self, pattern: &Pattern, subject: &Place, fails: LabelId) {
        let known = std::mem::take(&mut self.known_variant);
        let outer = std::mem::replace(&mut self.span, pattern.span);
        match &pattern.kind {
            PatternKind::Wild | PatternKind::Error => {}
            PatternKind::Bind(local, inner) => {
                if let Some(inner) = inner {
                    self.test(inner, subject, fails);
                }
                if self.owned(pattern.ty).is_some() {
                    let local = self.declare_user(*local);
                    self.pending.push((local, subject.clone(), pattern.ty));
                } else {
                    self.bind(*local, load(subject.clone()));
                }
            }
            PatternKind::BindRef(local, inner) => {
                if let Some(inner) = inner {
                    self.test(inner, subject, fails);
                }
                if self.is_unpinned_place(subject) {
                    let wanted = self.bound_repr(*local);
                    let reference = self.reference_to(subject, wanted);
                    self.bind(*local, reference);
                    self.span = outer;
                    return;
                }
                let ty = subject.ty;
                let pointer = self.intern(Ty::Ptr { to: ty, quals: Quals::default() });
                self.bind(*local, Expr { kind: ExprKind::AddrOf(subject.clone()), ty: pointer });
            }
            PatternKind::Range(low, high) => {
                self.test_range(pattern, subject, (*low, *high), fails)
            }
            PatternKind::Float(bits) => {
                let value = self.subject_value(pattern, subject);
                let wanted = Expr { kind: ExprKind::Const(Const::Float(*bits)), ty: value.ty };
                self.break_unless_equal(value, wanted, fails);
            }
            PatternKind::Null => {
                let value = self.subject_value(pattern, subject);
                let value = self.thin_of(value);
                let null = self.zero(value.ty);
                self.break_unless_equal(value, null, fails);
            }
            PatternKind::Pointer(inner) => self.test_pointer(pattern, inner, subject, fails, known),
            PatternKind::Fields { fields, .. } => {
                for (field, part) in fields {
                    let place =
                        self.field_place(subject.clone(), pattern.ty, &[*field], Access::Read);
                    self.test(part, &place, fails);
                }
            }
            PatternKind::Variant { datatype, variant, args, .. } => {
                self.test_variant(subject, (*datatype, *variant), args, fails, known);
            }
            PatternKind::UnionMember { field, pattern: member } => {
                let empty = self.owned(pattern.ty).is_some() && self.owned(member.ty).is_none();
                self.test_tag(subject, *field, fails);
                if empty {
                    self.found_empty(subject);
                }
                let members = self.core_field(subject.clone(), 1);
                let place = self.core_field(members, *field);
                self.test(member, &place, fails);
            }
            PatternKind::Str(units) => self.test_string(pattern, subject, units, fails),
        }
        self.span = outer;
    }

    fn bind(&mut self, local: tenure_types::hir::LocalId, value: Expr) {
        let local = self.declare_user(local);
        let place = self.local_place(local);
        let value = self.adapt(value, place.ty);
        if matches!(self.ty(place.ty), Ty::Void) {
            return;
        }
        self.emit(StmtKind::Init(place, value));
    }

    /// The value at the subject in the pattern's own representation.
    fn subject_value(&mut self, pattern: &Pattern, subject: &Place) -> Expr {
        let wanted = self.repr(pattern.ty);
        self.adapt(load(subject.clone()), wanted)
    }

    fn break_unless_equal(&mut self, a: Expr, b: Expr, fails: LabelId) {
        let int = self.int_ty(IntTy::Int);
        let equal =
            Expr { kind: ExprKind::Binary(BinaryOp::Eq, Box::new(a), Box::new(b)), ty: int };
        self.break_unless(equal, fails);
    }

    fn test_range(
        &mut self,
        pattern: &Pattern,
        subject: &Place,
        (low, high): (i128, i128),
        fails: LabelId,
    ) {
        let value = self.subject_value(pattern, subject);
        let ty = value.ty;
        let constant = |number: i128| Expr { kind: ExprKind::Const(Const::Int(number)), ty };
        if low == high {
            self.break_unless_equal(value, constant(low), fails);
            return;
        }
        let int = self.int_ty(IntTy::Int);
        // A side that the whole type keeps is not asked about: cc would warn of it.
        let all = |bound: i128| matches!(self.ty(ty), Ty::Int(of) if of.wrap(bound) != bound);
        let (open_below, open_above) = (all(low - 1), all(high + 1));
        if !open_below {
            let kind =
                ExprKind::Binary(BinaryOp::Lt, Box::new(value.clone()), Box::new(constant(low)));
            self.break_if(Expr { kind, ty: int }, fails);
        }
        if !open_above {
            let kind = ExprKind::Binary(BinaryOp::Gt, Box::new(value), Box::new(constant(high)));
            self.break_if(Expr { kind, ty: int }, fails);
        }
    }

    fn test_pointer(
        &mut self,
        pattern: &Pattern,
        inner: &Pattern,
        subject: &Place,
        fails: LabelId,
        known: bool,
    ) {
        let value = self.subject_value(pattern, subject);
        let Some(shape) = self.pointer(pattern.ty).cloned() else { return };
        let elem = self.repr(shape.elem.ty);
        let on_path = self.owned(pattern.ty) == Some(Owned::Unique) && self.is_tracked(subject);
        let value = if on_path || self.is_fixed(&value) { value } else { self.save(value) };
        let place = match shape.bounds {
            Bounds::Fat => {
                let uint = self.int_ty(IntTy::UInt);
                let count = match self.is_fat_reference(value.ty) {
                    true => self.reference_count(value.clone(), &shape),
                    false => Expr { kind: ExprKind::FatCount(Box::new(value.clone())), ty: uint },
                };
                let none = self.int(0, IntTy::UInt);
                let int = self.int_ty(IntTy::Int);
                let empty = Expr {
                    kind: ExprKind::Binary(BinaryOp::Eq, Box::new(count), Box::new(none)),
                    ty: int,
                };
                self.break_if(empty, fails);
                let value = self.opened(value, pattern.ty);
                let thin = self.thin_of(value);
                Place { kind: PlaceKind::Deref(Box::new(thin)), ty: elem }
            }
            Bounds::Thin(_) => {
                if shape.nullable && !known {
                    let null = self.is_null(value.clone());
                    self.break_if(null, fails);
                }
                let value = self.opened(value, pattern.ty);
                Place { kind: PlaceKind::Deref(Box::new(value)), ty: elem }
            }
        };
        self.known_variant = known;
        self.test(inner, &place, fails);
        self.known_variant = false;
    }

    fn test_variant(
        &mut self,
        subject: &Place,
        (datatype, variant): (DatatypeId, u32),
        args: &[(u32, Pattern)],
        fails: LabelId,
        known: bool,
    ) {
        let pointer = match &subject.kind {
            PlaceKind::Deref(pointer) => (**pointer).clone(),
            // A datatype's object in a struct.
            _ => {
                let ty = self.intern(Ty::Ptr { to: subject.ty, quals: Quals::default() });
                Expr { kind: ExprKind::AddrOf(subject.clone()), ty }
            }
        };
        if let Some(immediate) = self.immediate_of(datatype, variant) {
            if !known {
                self.test_kind(&pointer, (datatype, variant), fails);
            }
            for (number, part) in args {
                let part_ty = self.repr(part.ty);
                let place = self.immediate_place(&pointer, &immediate, *number as usize, part_ty);
                self.test(part, &place, fails);
            }
            return;
        }
        if !known && self.has_immediates(datatype) {
            self.test_kind(&pointer, (datatype, variant), fails);
        } else if !known && !self.is_only_variant(datatype) {
            let tag = self.tag_of(pointer.clone(), datatype);
            let wanted = self.tag_value(datatype, variant);
            self.break_unless_equal(tag, wanted, fails);
        }
        let object = self.variant_place(pointer, datatype, variant);
        for (number, part) in args {
            let place = self.core_field(object.clone(), number + 1);
            self.test(part, &place, fails);
        }
    }

    fn is_only_variant(&self, datatype: DatatypeId) -> bool {
        let def = &self.lowerer.unit.types.datatypes[datatype];
        !def.extensible && def.variants.as_ref().is_some_and(|variants| variants.len() == 1)
    }

    fn test_tag(&mut self, subject: &Place, field: u32, fails: LabelId) {
        let tag = load(self.core_field(subject.clone(), 0));
        let wanted = self.int(i128::from(field), IntTy::UInt);
        self.break_unless_equal(tag, wanted, fails);
    }

    /// Equal text, up to and including the zero.
    fn test_string(&mut self, pattern: &Pattern, subject: &Place, units: &[u32], fails: LabelId) {
        let value = self.subject_value(pattern, subject);
        let value = if self.is_fixed(&value) { value } else { self.save(value) };
        let Some(shape) = self.pointer(pattern.ty).cloned() else { return };
        let elem = self.repr(shape.elem.ty);
        let int = self.int_ty(IntTy::Int);
        if shape.nullable && self.is_reference(pattern.ty) {
            let reference = self.base_reference(value.clone());
            let null = self.is_null(reference);
            self.break_if(null, fails);
        }
        let value = self.opened(value, pattern.ty);
        if shape.bounds != Bounds::Fat {
            if shape.nullable && !self.is_reference(pattern.ty) {
                let null = self.is_null(value.clone());
                self.break_if(null, fails);
            }
            for (number, unit) in units.iter().copied().chain([0]).enumerate() {
                self.test_unit(&value, false, (number, unit), elem, fails);
            }
            return;
        }
        // A string with bounds ends at its first zero or at its bound.
        let uint = self.int_ty(IntTy::UInt);
        let count = Expr { kind: ExprKind::FatCount(Box::new(value.clone())), ty: uint };
        let count = self.save(count);
        let length = self.int(units.len() as i128, IntTy::UInt);
        let compare = |op: BinaryOp| Expr {
            kind: ExprKind::Binary(op, Box::new(count.clone()), Box::new(length.clone())),
            ty: int,
        };
        let (short, longer) = (compare(BinaryOp::Lt), compare(BinaryOp::Gt));
        self.break_if(short, fails);
        for (number, &unit) in units.iter().enumerate() {
            self.test_unit(&value, true, (number, unit), elem, fails);
        }
        let end = (units.len(), 0);
        let (then, ()) = self.in_block(|this| this.test_unit(&value, true, end, elem, fails));
        self.emit(StmtKind::If { cond: longer, then, otherwise: None });
    }

    /// One unit of a string must be as wanted.
    fn test_unit(
        &mut self,
        string: &Expr,
        is_fat: bool,
        (number, unit): (usize, u32),
        elem: TyId,
        fails: LabelId,
    ) {
        let index = self.int(number as i128, IntTy::Int);
        let pointer = string.clone();
        let kind = if is_fat {
            self.check(CheckKind::FatIndex { ptr: pointer.clone(), index: index.clone() });
            PlaceKind::FatIndex(Box::new(pointer), Box::new(index))
        } else {
            self.check(CheckKind::ZeroTermIndex { ptr: pointer.clone(), index: index.clone() });
            PlaceKind::PtrIndex(Box::new(pointer), Box::new(index))
        };
        let found = load(Place { kind, ty: elem });
        let wanted = Expr { kind: ExprKind::Const(Const::Int(i128::from(unit))), ty: elem };
        self.break_unless_equal(found, wanted, fails);
    }
}
