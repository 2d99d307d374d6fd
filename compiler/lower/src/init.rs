//! Initialisers, of automatic and of static objects.

use crate::builder::{load, Builder};
use crate::instance::Subst;
use crate::unit::Lowerer;
use tenure_core::{
    BinaryOp, CheckKind, Const, Expr, ExprKind, Initializer, IntTy, LoopTest, Place, PlaceKind,
    Stmt, StmtKind, Ty, TyId,
};
use tenure_span::Diagnostic;
use tenure_types::hir::{self, Init, InitElem};
use tenure_types::ty::{Type, TypeId};

/// Elements set by one range of an initialiser are written out up to so many; more become a loop.
const UNROLLED_ELEMENTS: u64 = 4;
/// An array with at least so many constant elements is copied from a constant table.
const TABLE_ELEMENTS: usize = 8;

impl Builder<'_, '_> {
    /// Stores an initialiser into memory that nothing has read. `zeroed`: it holds zeros already.
    pub(crate) fn init(&mut self, init: &Init, place: Place, zeroed: bool) {
        let outer = std::mem::replace(&mut self.span, init.span);
        match &init.kind {
            InitElem::Expr(expr) => {
                let mut place = place;
                let value = self.keeping_place(&mut place, |this| this.value(expr));
                let value = self.adapt(value, place.ty);
                self.emit(StmtKind::Init(place.clone(), value));
                self.initialised(&place, init.ty);
            }
            InitElem::Zero => {
                if !zeroed {
                    self.emit(StmtKind::Zero(place.clone()));
                }
                self.initialised(&place, init.ty);
            }
            InitElem::Record(fields) => self.init_record(init, fields, place, zeroed),
            InitElem::Array(elems) => {
                self.init_array(init, elems, place.clone(), zeroed);
                self.initialised(&place, init.ty);
            }
            InitElem::Comprehension(comprehension) => {
                if !zeroed && place.root_local().is_some() {
                    self.emit(StmtKind::Zero(place.clone()));
                }
                let ulong = self.int_ty(IntTy::ULong);
                let count = self.value(&comprehension.count);
                let count = self.convert(count, ulong);
                let elem = self.element(place.ty);
                self.comprehend(comprehension, count, |this, index| {
                    this.check_element(&index, place.ty);
                    let kind = PlaceKind::Index(Box::new(place.clone()), Box::new(index));
                    Place { kind, ty: elem }
                });
                self.initialised(&place, init.ty);
            }
            InitElem::String { .. } => self.copy_table(init, place),
        }
        self.span = outer;
    }

    /// The check of an element that the initialiser's own loop goes to.
    fn check_element(&mut self, index: &Expr, array: TyId) {
        if let Ty::Array { len, .. } = *self.ty(array) {
            let size = self.int(i128::from(len), IntTy::ULong);
            self.check(CheckKind::Index { index: index.clone(), size });
        }
    }

    fn element(&self, array: TyId) -> TyId {
        self.lowerer.element_type(array)
    }

    fn init_record(&mut self, init: &Init, fields: &[(u32, Init)], place: Place, zeroed: bool) {
        let whole = self.record_fields(init.ty);
        let is_union = matches!(self.ty(place.ty), Ty::Record(id) if self.lowerer.program.types.records[*id].kind != tenure_core::RecordKind::Struct
            && self.lowerer.program.types.records[*id].kind != tenure_core::RecordKind::Tuple
            && self.lowerer.program.types.records[*id].kind != tenure_core::RecordKind::Variant);
        // C has no name for an anonymous member, so that one is never zeroed by itself.
        let anonymous = fields.iter().any(|(field, _)| self.is_anonymous(init.ty, *field));
        // Nor does a store to a member write what lies between members.
        let unwritten = self.lowerer.program.types.has_unwritten_bytes(place.ty);
        let covered = whole == Some(fields.len()) && !is_union && !anonymous && !unwritten;
        if !zeroed && !covered {
            self.emit(StmtKind::Zero(place.clone()));
        }
        let written: Vec<u32> = fields.iter().map(|(field, _)| *field).collect();
        self.initialised_rest(&place, init.ty, &written);
        for (field, part) in fields {
            let target =
                self.field_place(place.clone(), init.ty, &[*field], crate::place::Access::Write);
            self.init(part, target.clone(), zeroed || !covered);
            self.set_tag(&target);
        }
    }

    fn is_anonymous(&self, ty: TypeId, field: u32) -> bool {
        let types = &self.lowerer.unit.types;
        let Type::Record(id, _) = types.get(ty) else { return false };
        let fields = types.records[*id].fields.as_ref();
        fields.and_then(|fields| fields.get(field as usize)).is_some_and(|def| def.name.is_none())
    }

    /// How many members a record type has.
    fn record_fields(&self, ty: TypeId) -> Option<usize> {
        let types = &self.lowerer.unit.types;
        match types.get(ty) {
            Type::Record(id, _) => types.records[*id].fields.as_ref().map(Vec::len),
            Type::Tuple(parts) => Some(parts.len()),
            _ => None,
        }
    }

    fn init_array(
        &mut self,
        init: &Init,
        elems: &[((u64, u64), Init)],
        place: Place,
        zeroed: bool,
    ) {
        if elems.len() >= TABLE_ELEMENTS && elems.iter().all(|(_, part)| is_plain_constant(part)) {
            self.copy_table(init, place);
            return;
        }
        let len = self.array_len(init.ty);
        let covered: u64 = elems.iter().map(|((first, last), _)| last - first + 1).sum();
        // An array that is filled element by element counts as assigned only if it was zeroed first; cc drops what is
        // overwritten.
        if !zeroed && (covered < len || place.root_local().is_some()) {
            self.emit(StmtKind::Zero(place.clone()));
        }
        let elem = self.element(place.ty);
        for ((first, last), part) in elems {
            if first < last && !is_plain_constant(part) && !self.owns(part.ty) {
                self.init_range_once((*first, *last), part, &place, zeroed || covered < len);
                continue;
            }
            if last - first < UNROLLED_ELEMENTS {
                for number in *first..=*last {
                    let index = self.int(i128::from(number), IntTy::ULong);
                    let target = Place {
                        kind: PlaceKind::Index(Box::new(place.clone()), Box::new(index)),
                        ty: elem,
                    };
                    self.init(part, target, zeroed || covered < len);
                }
            } else {
                self.init_range(*first, *last, part, &place);
            }
        }
    }

    fn owns(&self, ty: TypeId) -> bool {
        self.lowerer.unit.types.owned(ty).is_some()
    }

    /// The value is evaluated once, as in GNU C: the other elements are copies of the first.
    fn init_range_once(
        &mut self,
        (first, last): (u64, u64),
        part: &Init,
        place: &Place,
        zeroed: bool,
    ) {
        let elem = self.element(place.ty);
        let first_index = self.int(i128::from(first), IntTy::ULong);
        let kind = PlaceKind::Index(Box::new(place.clone()), Box::new(first_index));
        let source = Place { kind, ty: elem };
        self.init(part, source.clone(), zeroed);
        self.fill((first + 1, last), place, |this, target| {
            this.emit(StmtKind::Init(target, load(source.clone())));
        });
    }

    /// What one element owns no other can: the value is evaluated for each.
    fn init_range(&mut self, first: u64, last: u64, part: &Init, place: &Place) {
        self.fill((first, last), place, |this, target| this.init(part, target, false));
    }

    /// A loop over elements.
    fn fill(
        &mut self,
        (first, last): (u64, u64),
        place: &Place,
        each: impl FnOnce(&mut Self, Place),
    ) {
        let elem = self.element(place.ty);
        let ulong = self.int_ty(IntTy::ULong);
        let counter = self.temp(ulong);
        let counter = self.local_place(counter);
        let start = self.int(i128::from(first), IntTy::ULong);
        self.emit(StmtKind::Assign(counter.clone(), start));
        let label = self.label(None);
        let (body, ()) = self.in_block(|this| {
            let index = Box::new(load(counter.clone()));
            this.check_element(&index, place.ty);
            let target = Place { kind: PlaceKind::Index(Box::new(place.clone()), index), ty: elem };
            each(this, target);
        });
        let int = self.int_ty(IntTy::Int);
        let limit = self.int(i128::from(last), IntTy::ULong);
        let cond = Expr {
            kind: ExprKind::Binary(BinaryOp::Le, Box::new(load(counter.clone())), Box::new(limit)),
            ty: int,
        };
        let one = self.int(1, IntTy::ULong);
        let next = Expr {
            kind: ExprKind::Binary(BinaryOp::Add, Box::new(load(counter.clone())), Box::new(one)),
            ty: ulong,
        };
        let step = vec![Stmt { kind: StmtKind::Assign(counter, next), span: self.span }];
        let test = LoopTest::Before { head: tenure_core::Block::default(), cond };
        self.emit(StmtKind::Loop(Box::new(tenure_core::Loop { label, test, body, step })));
    }

    /// Copies a constant object.
    fn copy_table(&mut self, init: &Init, place: Place) {
        let Some(table) = self.lowerer.static_init(init, place.ty) else {
            self.emit(StmtKind::Zero(place));
            return;
        };
        let span = self.span;
        let global = self.lowerer.anonymous_global(place.ty, table, true, span);
        let source = Place { kind: PlaceKind::Global(global), ty: place.ty };
        self.emit(StmtKind::Init(place, load(source)));
    }

    /// A struct, union or array value.
    pub(crate) fn aggregate(&mut self, init: &Init, ty: TypeId) -> Expr {
        let ty = self.repr(ty);
        let temp = self.temp(ty);
        let place = self.local_place(temp);
        self.init(init, place.clone(), false);
        load(place)
    }
}

/// A number, or numbers all the way down: worth a table.
fn is_plain_constant(init: &Init) -> bool {
    match &init.kind {
        InitElem::Expr(expr) => is_number(expr),
        InitElem::Zero | InitElem::String { .. } => true,
        InitElem::Record(fields) => fields.iter().all(|(_, part)| is_plain_constant(part)),
        InitElem::Array(elems) => elems.iter().all(|(_, part)| is_plain_constant(part)),
        InitElem::Comprehension(_) => false,
    }
}

fn is_number(expr: &hir::Expr) -> bool {
    match &expr.kind {
        hir::ExprKind::Int(_) | hir::ExprKind::Float(_) | hir::ExprKind::Null => true,
        hir::ExprKind::Unary(_, inner) => is_number(inner),
        hir::ExprKind::Coerce(hir::Coercion::Arithmetic | hir::Coercion::Same, inner) => {
            is_number(inner)
        }
        hir::ExprKind::Coerce(
            hir::Coercion::ArrayToFat | hir::Coercion::ArrayToThin | hir::Coercion::ZeroTermToFat,
            inner,
        ) => matches!(inner.kind, hir::ExprKind::Str { .. }) || is_number(inner),
        _ => false,
    }
}

impl Lowerer<'_> {
    /// A constant initialiser of an object of the type. `None`: all zero.
    pub(crate) fn static_init(&mut self, init: &Init, wanted: TyId) -> Option<Initializer> {
        Some(match &init.kind {
            InitElem::Zero => return None,
            InitElem::Expr(expr) => match constructed(expr) {
                Some(parts) => return self.static_init(parts, wanted),
                None => Initializer::Value(self.static_value(expr, wanted)),
            },
            InitElem::Record(fields) => self.static_record(fields, init.ty, wanted),
            InitElem::Array(elems) => {
                let mut parts = Vec::new();
                let elem = self.element_type(wanted);
                for ((first, last), part) in elems {
                    let Some(value) = self.static_init(part, elem) else { continue };
                    parts.push(if first == last {
                        (*first, value)
                    } else {
                        (
                            *first,
                            Initializer::Repeat {
                                from: *first,
                                to: *last + 1,
                                value: Box::new(value),
                            },
                        )
                    });
                }
                Initializer::Array(parts)
            }
            InitElem::String { units, unit_size } => {
                Initializer::Bytes(self.string(units, *unit_size))
            }
            InitElem::Comprehension(comprehension) => {
                let count = match comprehension.count.kind {
                    hir::ExprKind::Int(count) if count > 0 => count as u64,
                    _ => return None,
                };
                let elem = self.element_type(wanted);
                let value = self.static_init(&comprehension.value, elem)?;
                let whole = Initializer::Repeat { from: 0, to: count, value: Box::new(value) };
                Initializer::Array(vec![(0, whole)])
            }
        })
    }

    fn element_type(&self, array: TyId) -> TyId {
        match self.program.types.get(array) {
            Ty::Array { of, .. } => *of,
            _ => array,
        }
    }

    /// The type that a member has in memory: a word where it is declared as a type variable.
    fn static_member(&self, record: TyId, field: u32) -> Option<TyId> {
        let Ty::Record(id) = self.program.types.get(record) else { return None };
        let fields = self.program.types.records[*id].fields.as_ref()?;
        fields.get(field as usize).map(|field| field.ty)
    }

    fn static_record(&mut self, fields: &[(u32, Init)], ty: TypeId, wanted: TyId) -> Initializer {
        let types = &self.unit.types;
        let tagged = matches!(types.get(ty), Type::Record(id, _) if types.records[*id].sort == tenure_types::ty::RecordSort::TaggedUnion);
        let mut parts = Vec::new();
        // The members of a tagged union stand behind its tag.
        let members = if tagged { self.static_member(wanted, 1) } else { Some(wanted) };
        for (field, part) in fields {
            let own = members.and_then(|members| self.static_member(members, *field));
            let own = own.unwrap_or_else(|| self.repr(part.ty, &Subst::default()));
            if let Some(value) = self.static_init(part, own) {
                parts.push((*field, value));
            }
        }
        if !tagged {
            return Initializer::Record(parts);
        }
        let Some((field, _)) = fields.first() else { return Initializer::Record(Vec::new()) };
        let uint = self.program.types.int(IntTy::UInt);
        let tag = Expr { kind: ExprKind::Const(Const::Int(i128::from(*field))), ty: uint };
        Initializer::Record(vec![(0, Initializer::Value(tag)), (1, Initializer::Record(parts))])
    }

    /// A constant expression's value. The checker let only constants through, so nothing is emitted.
    fn static_value(&mut self, expr: &hir::Expr, wanted: TyId) -> Expr {
        if let Some(value) = self.static_object(expr) {
            return value;
        }
        let result = self.program.types.intern(Ty::Void);
        let mut builder = Builder::new(self, Subst::default(), result);
        builder.span = expr.span;
        let value = builder.value(expr);
        let value = builder.adapt(value, wanted);
        let holds = builder.stmts_since(0).iter().all(|stmt| match &stmt.kind {
            StmtKind::Check(check) => holds(&check.kind),
            _ => false,
        });
        if !holds {
            let zero = builder.zero(wanted);
            self.report(
                Diagnostic::error(
                    "E0352",
                    "a static initialiser would raise an exception",
                    expr.span,
                )
                .label("a check of this fails, or cannot be made before the program runs"),
            );
            return zero;
        }
        value
    }

    /// `&(struct S){…}`, `new` of a constant: the address of a global made for it.
    fn static_object(&mut self, expr: &hir::Expr) -> Option<Expr> {
        let hir::ExprKind::AddrOf(place) = &expr.kind else { return None };
        let hir::ExprKind::CompoundLiteral(init) = &place.kind else { return None };
        let ty = self.repr(place.ty, &Subst::default());
        let value = self.static_init(init, ty).unwrap_or(Initializer::Record(Vec::new()));
        let global = self.anonymous_global(ty, value, place.quals.is_const, expr.span);
        let pointer = self.repr(expr.ty, &Subst::default());
        let place = Place { kind: PlaceKind::Global(global), ty };
        Some(Expr { kind: ExprKind::AddrOf(place), ty: pointer })
    }
}

/// What a constructor or a compound literal says of its parts.
fn constructed(expr: &hir::Expr) -> Option<&Init> {
    match &expr.kind {
        hir::ExprKind::Aggregate(init) => Some(init),
        hir::ExprKind::Coerce(hir::Coercion::Same, inner) => constructed(inner),
        _ => None,
    }
}

/// Whether a check of constants passes.
fn holds(check: &CheckKind) -> bool {
    let number = |expr: &Expr| match expr.kind {
        ExprKind::Const(Const::Int(value)) => Some(value),
        _ => None,
    };
    match check {
        CheckKind::Index { index, size } => match (number(index), number(size)) {
            (Some(index), Some(size)) => (0..size).contains(&index),
            _ => false,
        },
        CheckKind::IndexOrEnd { index, size } => match (number(index), number(size)) {
            (Some(index), Some(size)) => (0..=size).contains(&index),
            _ => false,
        },
        CheckKind::FatCount { ptr, count, .. } => match &ptr.kind {
            ExprKind::MakeFat { idx, len, .. } => match (number(idx), number(len), number(count)) {
                (Some(idx), Some(len), Some(count)) => idx + count <= len,
                _ => false,
            },
            _ => false,
        },
        CheckKind::NonNull(pointer) => match &pointer.kind {
            ExprKind::AddrOf(_) | ExprKind::Const(Const::Str(_) | Const::Function(_)) => true,
            ExprKind::Cast(_, inner) => holds(&CheckKind::NonNull((**inner).clone())),
            _ => false,
        },
        CheckKind::Fits32 { count, .. } => {
            number(count).is_some_and(|value| u32::try_from(value).is_ok())
        }
        CheckKind::NonZero(value) => number(value).is_some_and(|value| value != 0),
        _ => false,
    }
}
