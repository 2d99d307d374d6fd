//! Rule 5, the operands: the numbers of values and addresses, what checks and conditions show, and what each access
//! needs.

use super::access::{Access, Accesses, Ready};
use super::facts::Fact;
use super::values::{Number, Op};
use crate::{
    BinaryOp, CastKind, Check, CheckKind, Const, Expr, ExprKind, LocalId, Place, PlaceKind, Ty,
    TyId, UnaryOp,
};

/// Sizes of checks, the largest first, that an access to an array is compared with: a bound, so that verifying stays
/// linear.
const SIZES: usize = 64;

impl Accesses<'_> {
    /// The number of a value that is stored, passed or returned: no pointer into a tagged union is.
    pub(super) fn kept(&mut self, expr: &Expr) -> Number {
        if self.points_into_union(expr) {
            self.broken("a pointer into a tagged union is kept");
        }
        if expr.is_unpinned() {
            self.broken("the address of an object of the checked heap is kept");
        }
        self.value(expr)
    }

    fn points_into_union(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::AddrOf(place) => self.is_in_union(place),
            ExprKind::Cast(_, a) | ExprKind::FatAdd(a, _) | ExprKind::PtrAdd(a, _) => {
                self.points_into_union(a)
            }
            ExprKind::MakeFat { base, .. } => self.points_into_union(base),
            ExprKind::Cond(_, a, b) => self.points_into_union(a) || self.points_into_union(b),
            _ => false,
        }
    }

    fn is_in_union(&self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => {
                place.tagged_union(&self.program.types).is_some() || self.is_in_union(base)
            }
            _ => false,
        }
    }

    /// The number of a value; its accesses have been checked.
    pub(super) fn value(&mut self, expr: &Expr) -> Number {
        let (op, operands): (Op, Vec<&Expr>) = match &expr.kind {
            ExprKind::Const(constant) => (Op::Const(constant.clone()), Vec::new()),
            ExprKind::Load(place) => {
                self.place(place, Access::Load);
                return self.load(place);
            }
            ExprKind::AddrOf(place) => return self.place(place, Access::Address),
            ExprKind::Binary(op, a, b) => {
                let (x, y) = (self.value(a), self.value(b));
                if matches!(op, BinaryOp::Div | BinaryOp::Rem) && self.is_integer(a.ty) {
                    self.divisor(y);
                }
                return self.numbers.number(Op::Binary(*op), &[x, y]);
            }
            // The same memory seen as another type.
            ExprKind::Cast(CastKind::PtrView | CastKind::FatView, a) => return self.value(a),
            ExprKind::Cast(CastKind::Address, a) => return self.addressed(a),
            ExprKind::Cast(kind, a) => (Op::Cast(*kind, expr.ty), vec![a]),
            ExprKind::Unary(op, a) => (Op::Unary(*op), vec![a]),
            ExprKind::Cond(c, a, b) => return self.choice(c, a, b),
            ExprKind::PtrAdd(a, b) => (Op::PtrAdd, vec![a, b]),
            ExprKind::PtrDiff(a, b) => (Op::PtrDiff, vec![a, b]),
            ExprKind::MakeFat { base, idx, len } => (Op::MakeFat, vec![base, idx, len]),
            ExprKind::FatBase(a) => (Op::FatBase, vec![a]),
            ExprKind::FatIdx(a) => (Op::FatIdx, vec![a]),
            ExprKind::FatLen(a) => (Op::FatLen, vec![a]),
            ExprKind::FatCur(a) => (Op::FatCur, vec![a]),
            ExprKind::FatAdd(a, b) => (Op::FatAdd, vec![a, b]),
            ExprKind::FatCount(a) => (Op::FatCount, vec![a]),
            ExprKind::SizeOf(ty) => (Op::SizeOf(*ty), Vec::new()),
            ExprKind::AlignOf(ty) => (Op::AlignOf(*ty), Vec::new()),
            ExprKind::OffsetOf(ty, field) => (Op::OffsetOf(*ty, *field), Vec::new()),
            ExprKind::ZeroTermSize(a) => {
                let a = self.value(a);
                return self.numbers.number(Op::ZeroTermSize, &[a, self.memory]);
            }
            ExprKind::Aggregate(parts) => {
                for (_, part) in parts {
                    self.kept(part);
                }
                return self.numbers.unknown();
            }
        };
        let operands: Vec<Number> = operands.into_iter().map(|e| self.value(e)).collect();
        self.numbers.number(op, &operands)
    }

    /// The address that a reference stands for: that of a local which was touched.
    fn addressed(&mut self, reference: &Expr) -> Number {
        let number = self.value(reference);
        let touched = match reference.kind {
            ExprKind::Load(Place { kind: PlaceKind::Local(local), .. }) => {
                !self.is_shared(local) && self.facts.has(Fact::Touched(local, number))
            }
            _ => false,
        };
        if !touched {
            self.broken("no touch stands before the address of an object of the checked heap");
        }
        number
    }

    /// The reference was touched.
    pub(super) fn touched(&mut self, reference: &Expr) {
        let number = self.value(reference);
        if let ExprKind::Load(Place { kind: PlaceKind::Local(local), .. }) = reference.kind {
            self.facts.add(Fact::Touched(local, number));
        }
    }

    /// Only one of the two is evaluated.
    fn choice(&mut self, cond: &Expr, a: &Expr, b: &Expr) -> Number {
        let cond_value = self.value(cond);
        let mark = self.facts.mark();
        self.assume(cond, true);
        let a = self.value(a);
        self.facts.forget_since(mark);
        self.assume(cond, false);
        let b = self.value(b);
        self.facts.forget_since(mark);
        self.numbers.number(Op::Cond, &[cond_value, a, b])
    }

    fn is_integer(&self, ty: TyId) -> bool {
        matches!(self.program.types.get(ty), Ty::Int(_) | Ty::Enum(_))
    }

    fn divisor(&mut self, divisor: Number) {
        let constant = self.numbers.int(divisor).is_some_and(|n| n != 0);
        if !constant && !self.facts.has(Fact::NonZero(divisor)) {
            self.broken("no check stands before a division");
        }
    }

    /// The value at a place whose access has been checked.
    pub(super) fn load(&mut self, place: &Place) -> Number {
        if let Some(number) = self.part(place) {
            return number;
        }
        if self.is_volatile(place) {
            return self.numbers.unknown();
        }
        let address = self.address(place);
        let version = self.version(place);
        self.numbers.number(Op::Load(place.ty), &[address, version])
    }

    /// The value of a local, or of a member of its value.
    fn part(&mut self, place: &Place) -> Option<Number> {
        match &place.kind {
            PlaceKind::Local(local) if !self.is_shared(*local) => Some(self.local(*local)),
            PlaceKind::Field(base, field) => {
                let whole = self.part(base)?;
                Some(self.numbers.number(Op::Part(*field), &[whole]))
            }
            _ => None,
        }
    }

    fn local(&mut self, local: LocalId) -> Number {
        match self.locals.get(&local) {
            Some(&number) => number,
            None => {
                let number = self.numbers.unknown();
                self.locals.insert(local, number);
                number
            }
        }
    }

    /// The version of the memory that a place is in.
    fn version(&mut self, place: &Place) -> Number {
        if let Some(local) = place.root_local().filter(|&local| !self.is_shared(local)) {
            return self.local(local);
        }
        let root = place.path_root().filter(|&root| {
            let local = self.function.locals.get(root);
            local.is_some_and(|local| local.owned.is_some() && !local.address_taken)
        });
        if root.is_none() {
            return self.memory;
        }
        let mut version = self.numbers.number(Op::Versions, &[]);
        let mut at = Some(place);
        while let Some(place) = at {
            let address = self.address(place);
            let behind = self.numbers.number(Op::Behind, &[address]);
            for key in [address, behind] {
                if let Some(&changed) = self.paths.get(&key) {
                    version = self.numbers.number(Op::Versions, &[version, changed]);
                }
            }
            at = match &place.kind {
                PlaceKind::Field(base, _) => Some(&**base),
                _ => place.pointer_path(),
            };
        }
        version
    }

    fn is_volatile(&self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Local(_) => false,
            PlaceKind::Global(id) => self.program.globals.get(*id).is_some_and(|g| g.is_volatile),
            PlaceKind::Deref(p) | PlaceKind::PtrIndex(p, _) | PlaceKind::FatIndex(p, _) => {
                match self.program.types.get(p.ty) {
                    Ty::Ptr { quals, .. } | Ty::Fat { quals, .. } => quals.is_volatile,
                    _ => false,
                }
            }
            PlaceKind::Field(base, field) => {
                let Ty::Record(record) = self.program.types.get(base.ty) else { return false };
                let fields = self.program.types.records[*record].fields.as_ref();
                let field = fields.and_then(|fields| fields.get(*field as usize));
                field.is_some_and(|field| field.quals.is_volatile) || self.is_volatile(base)
            }
            PlaceKind::Index(base, _) => self.is_volatile(base),
        }
    }

    /// The address of a place whose access has been checked, or is not one.
    pub(super) fn address(&mut self, place: &Place) -> Number {
        let known = self.found.len();
        let address = self.place(place, Access::Init);
        self.found.truncate(known);
        address
    }

    /// The address of a place that is accessed.
    pub(super) fn place(&mut self, place: &Place, access: Access) -> Number {
        match &place.kind {
            PlaceKind::Local(local) => self.numbers.number(Op::LocalAddress(*local), &[]),
            PlaceKind::Global(global) => self.numbers.number(Op::GlobalAddress(*global), &[]),
            PlaceKind::Deref(pointer) => self.followed(pointer),
            PlaceKind::Field(base, field) => {
                let inner = if access == Access::Init { access } else { Access::Load };
                let base_address = self.place(base, inner);
                if matches!(access, Access::Load | Access::Address) {
                    self.member(place, *field);
                }
                self.numbers.number(Op::FieldAddress(*field), &[base_address])
            }
            PlaceKind::Index(base, index) => {
                let inner = if access == Access::Init { access } else { Access::Load };
                let base_address = self.place(base, inner);
                let index = self.value(index);
                self.array_element(base.ty, index);
                self.numbers.number(Op::ElementAddress, &[base_address, index])
            }
            PlaceKind::PtrIndex(pointer, index) => {
                let (pointer, index) = (self.followed(pointer), self.value(index));
                // The first one is what the pointer points to.
                let bounded = self.numbers.int(index) == Some(0)
                    || self.facts.has(Fact::Bounded(index))
                    || self.facts.has(Fact::Reaches(pointer, index));
                if !bounded {
                    self.broken("no check stands before an element behind a pointer");
                }
                self.numbers.number(Op::ElementAddress, &[pointer, index])
            }
            PlaceKind::FatIndex(pointer, index) => {
                let (pointer, index) = (self.value(pointer), self.value(index));
                self.fat_element(pointer, index);
                self.numbers.number(Op::ElementAddress, &[pointer, index])
            }
        }
    }

    fn array_element(&mut self, array: TyId, index: Number) {
        let Ty::Array { len, .. } = *self.program.types.get(array) else { return };
        let inside = self.numbers.int(index).is_some_and(|n| n >= 0 && n < i128::from(len));
        let below = |size: &&i128| **size <= i128::from(len);
        let sizes: Vec<i128> = self.sizes.iter().rev().filter(below).take(SIZES).copied().collect();
        let found = inside
            || sizes.into_iter().any(|size| {
                let size = self.numbers.number(Op::Const(Const::Int(size)), &[]);
                self.facts.has(Fact::Index(index, size))
            });
        if !found {
            self.broken("no check stands before an element of an array");
        }
    }

    fn fat_element(&mut self, pointer: Number, index: Number) {
        if self.facts.has(Fact::FatIndex(pointer, index)) {
            return;
        }
        let one = self.numbers.number(Op::Const(Const::Int(1)), &[]);
        let first = self.numbers.int(index) == Some(0);
        if !first || !self.facts.has(Fact::FatCount(pointer, one)) {
            self.broken("no check stands before an element of a fat pointer");
        }
    }

    /// A member of a tagged union is read, pointed to, or stored in part.
    fn member(&mut self, place: &Place, field: u32) {
        let Some(union) = place.tagged_union(&self.program.types) else { return };
        let address = self.address(union);
        if !self.facts.has(Fact::Holds(address, i128::from(field))) {
            self.broken("no check of the tag stands before a member of a tagged union");
        }
    }

    /// A check was passed.
    pub(super) fn check(&mut self, check: &Check) {
        match &check.kind {
            CheckKind::NonNull(e) | CheckKind::NonZero(e) => {
                let value = self.value(e);
                self.facts.add(Fact::NonZero(value));
            }
            CheckKind::Index { index, size } => {
                let (index, size) = (self.value(index), self.value(size));
                self.sizes.extend(self.numbers.int(size));
                self.facts.add(Fact::Index(index, size));
                self.facts.add(Fact::Bounded(index));
            }
            CheckKind::FatIndex { ptr, index } => {
                let (pointer, index) = (self.value(ptr), self.value(index));
                self.facts.add(Fact::FatIndex(pointer, index));
            }
            CheckKind::FatCount { ptr, count, nullable } => {
                let (pointer, count) = (self.value(ptr), self.value(count));
                if !nullable {
                    self.facts.add(Fact::FatCount(pointer, count));
                }
            }
            CheckKind::Tag { tag, expected } => {
                self.value(tag);
                self.shows_tag(tag, *expected);
            }
            CheckKind::ZeroTermIndex { ptr, index } => {
                let (pointer, index) = (self.value(ptr), self.value(index));
                self.facts.add(Fact::Reaches(pointer, index));
            }
            CheckKind::ZeroTermStore { ptr, index, value } => {
                let (pointer, index) = (self.value(ptr), self.value(index));
                let mut number = self.value(value);
                // Of an array, a store before its last element is as one of zero.
                if let ExprKind::Cond(before, none, stored) = &value.kind {
                    let is_less = matches!(before.kind, ExprKind::Binary(BinaryOp::Lt, ..));
                    let is_zero = matches!(none.kind, ExprKind::Const(Const::Int(0) | Const::Zero));
                    if is_less && is_zero {
                        number = self.value(stored);
                    }
                }
                self.ready.push(Ready { pointer, index, value: number });
            }
            CheckKind::IndexOrEnd { index: a, size: b }
            | CheckKind::FatStep { ptr: a, count: b }
            | CheckKind::NoDivOverflow { dividend: a, divisor: b } => {
                self.value(a);
                self.value(b);
            }
            CheckKind::HasZero { ptr: a } | CheckKind::Fits32 { count: a, .. } => {
                self.value(a);
            }
            CheckKind::Touch(reference) => self.touched(reference),
            CheckKind::Assert(cond) => {
                self.value(cond);
                self.assume(cond, true);
            }
        }
    }

    fn shows_tag(&mut self, tag: &Expr, member: i128) {
        let ExprKind::Load(place) = &tag.kind else { return };
        let Some((union, record)) = self.tag_of(place) else { return };
        let address = self.address(union);
        let is_private = self.is_private(union);
        self.facts.add_member(address, member, record, is_private);
    }

    /// Control went on because the condition has this truth.
    pub(super) fn assume(&mut self, cond: &Expr, truth: bool) {
        // The condition was looked at where it stands. What a branch has changed since then may be what it is made of:
        // it is not evaluated again, and what it shows of changed values, which are unknown ones, serves nobody.
        let before = self.found.len();
        self.shown(cond, truth);
        self.found.truncate(before);
    }

    fn shown(&mut self, cond: &Expr, truth: bool) {
        match &cond.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => self.shown(inner, !truth),
            ExprKind::Binary(BinaryOp::And, a, b) if truth => {
                self.shown(a, true);
                self.shown(b, true);
            }
            ExprKind::Binary(BinaryOp::Or, a, b) if !truth => {
                self.shown(a, false);
                self.shown(b, false);
            }
            ExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), a, b) => {
                let equal = (*op == BinaryOp::Eq) == truth;
                match b.kind {
                    ExprKind::Const(Const::Int(n)) if equal => self.shows_tag(a, n),
                    ExprKind::Const(Const::Int(0) | Const::Zero) if !equal => self.shows_some(a),
                    _ => {}
                }
            }
            ExprKind::Load(_) | ExprKind::FatCur(_) if truth => self.shows_some(cond),
            _ => {}
        }
    }

    /// The value is not zero.
    fn shows_some(&mut self, expr: &Expr) {
        let value = self.value(expr);
        self.facts.add(Fact::NonZero(value));
        if let ExprKind::FatCount(pointer) = &expr.kind {
            let pointer = self.value(pointer);
            let one = self.numbers.number(Op::Const(Const::Int(1)), &[]);
            self.facts.add(Fact::FatCount(pointer, one));
        }
    }
}
