//! From core's expressions and places to values.

use super::build::Builder;
use super::facts::{Relation, Source};
use super::memory::Access;
use super::value::{Def, ValueId, IDX, LEN, POINTER, WIDEST};
use crate::constant::{bounds, int_of, wrap};
use tenure_core::{
    BinaryOp, CastKind, Const, Expr, ExprKind, IntTy, Place, PlaceKind, Ty, TyId, UnaryOp,
};

/// Tags of operators of which only equality is known; each plus a type or operator number.
pub mod tag {
    pub const FLOAT: u32 = 1000;
    pub const BITS: u32 = 2000;
    pub const TO_WORD: u32 = 4000;
    pub const DIFFERENCE: u32 = 5000;
    pub const TERMINATED: u32 = 5001;
    pub const FLOAT_TRUTH: u32 = 5002;
    pub const FROM_WORD: u32 = 1 << 24;
    pub const SIZE: u32 = 2 << 24;
    pub const FROM_FLOAT: u32 = 3 << 24;
    pub const CHECK: u32 = 4 << 24;
}

/// Which object an address is of.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Object {
    Local(u32),
    Global(u32),
    String(u32),
    Function(u32),
}

impl Builder<'_, '_, '_> {
    /// Bounds of all values of a type.
    pub fn range(&self, ty: TyId) -> (i128, i128) {
        if let Some(int) = int_of(self.program, ty) {
            return bounds(int).unwrap_or(WIDEST);
        }
        match self.program.types.get(ty) {
            Ty::Ptr { .. } | Ty::Checked { .. } | Ty::Handle => POINTER,
            _ => WIDEST,
        }
    }

    fn int(&self, expr: &Expr) -> Option<IntTy> {
        int_of(self.program, expr.ty).filter(|&int| bounds(int).is_some())
    }

    fn is_fat(&self, ty: TyId) -> bool {
        matches!(self.program.types.get(ty), Ty::Fat { .. })
    }

    pub fn unknown(&mut self, ty: TyId) -> ValueId {
        let range = self.range(ty);
        let block = self.block;
        self.values.unknown(range, block)
    }

    fn object(&mut self, object: Object) -> ValueId {
        let next = self.objects.len() as u32;
        let key = *self.objects.entry(object).or_insert(next);
        self.values.address(key)
    }

    pub fn eval(&mut self, expr: &Expr) -> ValueId {
        match &expr.kind {
            ExprKind::Const(constant) => self.constant(constant, expr.ty),
            ExprKind::Load(place) => self.load(place),
            ExprKind::AddrOf(place) => self.address_of(place),
            ExprKind::Unary(op, a) => self.unary(*op, a, expr),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, expr),
            ExprKind::Cast(kind, a) => self.cast(*kind, a, expr),
            ExprKind::Cond(c, a, b) => {
                let (c, a, b) = (self.condition(c), self.eval(a), self.eval(b));
                self.values.select(c, a, b)
            }
            ExprKind::PtrAdd(p, n) => {
                let (p, n) = (self.eval(p), self.eval(n));
                self.values.element(p, n)
            }
            ExprKind::PtrDiff(p, q) => {
                let (p, q) = (self.eval(p), self.eval(q));
                let range = self.range(expr.ty);
                self.values.other_in(tag::DIFFERENCE, p, q, range)
            }
            ExprKind::Aggregate(parts) => self.aggregate(parts, expr.ty),
            ExprKind::SizeOf(ty) | ExprKind::AlignOf(ty) | ExprKind::OffsetOf(ty, _) => {
                self.size(&expr.kind, *ty)
            }
            ExprKind::ZeroTermSize(p) => self.terminated_size(p),
            _ => self.fat(expr),
        }
    }

    fn fat(&mut self, expr: &Expr) -> ValueId {
        match &expr.kind {
            ExprKind::MakeFat { base, idx, len } => {
                let (base, idx, len) = (self.eval(base), self.eval(idx), self.eval(len));
                self.values.fat(base, idx, len)
            }
            ExprKind::FatBase(p) => self.part(p, super::value::BASE),
            ExprKind::FatIdx(p) => self.part(p, IDX),
            ExprKind::FatLen(p) => self.part(p, LEN),
            ExprKind::FatCur(p) => {
                let [base, idx, _] = self.parts(p);
                self.values.element(base, idx)
            }
            ExprKind::FatAdd(p, n) => {
                let [base, idx, len] = self.parts(p);
                let idx = self.moved(idx, n);
                self.values.fat(base, idx, len)
            }
            ExprKind::FatCount(p) => {
                let [_, idx, len] = self.parts(p);
                self.values.count(idx, len)
            }
            _ => self.unknown(expr.ty),
        }
    }

    fn part(&mut self, p: &Expr, part: u32) -> ValueId {
        let p = self.eval(p);
        self.values.fat_part(p, part)
    }

    /// Base, index and length.
    pub fn parts(&mut self, p: &Expr) -> [ValueId; 3] {
        let p = self.eval(p);
        [0, 1, 2].map(|part| self.values.fat_part(p, part))
    }

    /// An index moved by a number of elements, modulo 2^32.
    pub fn moved(&mut self, idx: ValueId, by: &Expr) -> ValueId {
        let by = self.eval(by);
        let by = self.values.cast(by, IntTy::UInt);
        self.values.add(idx, by, IntTy::UInt)
    }

    /// 0 or 1: whether a scalar is not zero.
    pub fn condition(&mut self, expr: &Expr) -> ValueId {
        let value = self.eval(expr);
        if self.is_fat(expr.ty) {
            let base = self.values.fat_part(value, super::value::BASE);
            return self.values.truth(base);
        }
        if self.is_scalar(expr.ty) {
            return self.values.truth(value);
        }
        self.values.other_in(tag::FLOAT_TRUTH, value, value, (0, 1))
    }

    /// Integers of up to 64 bits and thin pointers: what values are numbers of.
    fn is_scalar(&self, ty: TyId) -> bool {
        match self.program.types.get(ty) {
            Ty::Ptr { .. } | Ty::Checked { .. } | Ty::Handle => true,
            _ => int_of(self.program, ty).is_some_and(|int| bounds(int).is_some()),
        }
    }

    fn constant(&mut self, constant: &Const, ty: TyId) -> ValueId {
        match constant {
            Const::Int(n) => match int_of(self.program, ty) {
                Some(int) if bounds(int).is_some() => self.values.constant(wrap(*n, int)),
                _ => self.unknown(ty),
            },
            Const::Zero => match self.program.types.get(ty) {
                Ty::Float(_) | Ty::Complex(_) | Ty::Array { .. } => self.unknown(ty),
                _ => self.values.zero,
            },
            Const::Str(id) => {
                let address = self.object(Object::String(id.index() as u32));
                if let Some(literal) = self.program.strings.get(*id) {
                    // Stores may shorten it but not lengthen it.
                    self.longest.insert(address, literal.units.len() as i128 + 1);
                }
                address
            }
            Const::Function(id) => self.object(Object::Function(id.index() as u32)),
            Const::TagAddress(id) => self.object(Object::Global(id.index() as u32)),
            Const::Float(_) | Const::LongFloat(_) => self.unknown(ty),
        }
    }

    fn unary(&mut self, op: UnaryOp, a: &Expr, expr: &Expr) -> ValueId {
        if op == UnaryOp::Not {
            let truth = self.condition(a);
            return self.values.not(truth);
        }
        let Some(int) = self.int(expr) else { return self.unknown(expr.ty) };
        let a = self.eval(a);
        match op {
            UnaryOp::Neg => {
                let zero = self.values.zero;
                self.values.sub(zero, a, int)
            }
            _ => {
                let ones = self.values.constant(wrap(-1, int));
                self.values.sub(ones, a, int)
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr, expr: &Expr) -> ValueId {
        if matches!(op, BinaryOp::And | BinaryOp::Or) {
            let (a, b) = (self.condition(a), self.condition(b));
            let def = if op == BinaryOp::And { Def::Both(a, b) } else { Def::Either(a, b) };
            return self.values.two(def, a, b, (0, 1));
        }
        if op.is_comparison() {
            return self.comparison(op, a, b);
        }
        let int = self.int(expr);
        let (x, y) = (self.eval(a), self.eval(b));
        let Some(int) = int else {
            let range = self.range(expr.ty);
            return self.values.other_in(tag::FLOAT + op as u32, x, y, range);
        };
        match op {
            BinaryOp::Add => self.values.add(x, y, int),
            BinaryOp::Sub => self.values.sub(x, y, int),
            BinaryOp::Mul => self.values.mul(x, y, int),
            BinaryOp::Div | BinaryOp::Rem => self.division(op, x, y, int),
            _ => self.bits(op, x, y, int),
        }
    }

    fn comparison(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> ValueId {
        let (x, y) = (self.eval(a), self.eval(b));
        if self.is_scalar(a.ty) {
            return self.values.compare(op, x, y);
        }
        let zero = Some(0);
        if self.is_fat(a.ty) && matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            // A fat pointer is NULL if and only if its base is.
            for (p, other) in [(x, y), (y, x)] {
                if self.values.constant_of(other) == zero {
                    let base = self.values.fat_part(p, super::value::BASE);
                    let null = self.values.zero;
                    return self.values.compare(op, base, null);
                }
            }
        }
        self.values.other_in(tag::FLOAT + op as u32, x, y, (0, 1))
    }

    fn division(&mut self, op: BinaryOp, x: ValueId, y: ValueId, int: IntTy) -> ValueId {
        let (a, b) = (self.values.get(x), self.values.get(y));
        if let (Def::Const(n), Def::Const(d)) = (a.def, b.def) {
            if d != 0 {
                let result = if op == BinaryOp::Div { n / d } else { n % d };
                return self.values.constant(wrap(result, int));
            }
        }
        let (least, greatest) = bounds(int).unwrap_or(WIDEST);
        let widest = a.lo.abs().max(a.hi.abs());
        if op == BinaryOp::Div {
            let range = match b.def {
                Def::Const(d) if d > 0 => (a.lo / d, a.hi / d),
                _ if a.lo >= 0 && b.lo >= 0 => (0, a.hi),
                _ => ((-widest).max(least), widest.min(greatest)),
            };
            return self.values.two(Def::Div(x, y), x, y, range);
        }
        let most = (b.lo.abs().max(b.hi.abs()) - 1).min(widest).max(0);
        let lo = if a.lo >= 0 { 0 } else { -most };
        let hi = if a.hi <= 0 { 0 } else { most };
        self.values.two(Def::Rem(x, y), x, y, (lo, hi))
    }

    fn bits(&mut self, op: BinaryOp, x: ValueId, y: ValueId, int: IntTy) -> ValueId {
        let (a, b) = (self.values.get(x), self.values.get(y));
        let all = bounds(int).unwrap_or(WIDEST);
        let operator = tag::BITS + op as u32 + 100 * int as u32;
        let count = self.values.constant_of(y).map(|n| (n & i128::from(int.bits() - 1)) as u32);
        match (op, count) {
            (BinaryOp::Shl, Some(count)) => {
                let factor = self.values.constant(1i128 << count);
                self.values.mul(x, factor, int)
            }
            (BinaryOp::Shr, Some(0)) => x,
            (BinaryOp::Shr, Some(count)) => {
                self.values.one(Def::Shr(x, count), x, (a.lo >> count, a.hi >> count))
            }
            (BinaryOp::Shr, None) if a.lo >= 0 => self.values.other_in(operator, x, y, (0, a.hi)),
            (BinaryOp::BitAnd, _) => {
                if let (Def::Const(n), Def::Const(m)) = (a.def, b.def) {
                    return self.values.constant(n & m);
                }
                let range = match (a.lo >= 0, b.lo >= 0) {
                    (true, true) => (0, a.hi.min(b.hi)),
                    (true, false) => (0, a.hi),
                    (false, true) => (0, b.hi),
                    _ => all,
                };
                self.values.two(Def::BitAnd(x, y), x, y, range)
            }
            (BinaryOp::BitOr | BinaryOp::BitXor, _) if a.lo >= 0 && b.lo >= 0 => {
                let above = (a.hi.max(b.hi).max(0) as u128 + 1).next_power_of_two() as i128;
                self.values.other_in(operator, x, y, (0, above - 1))
            }
            _ => self.values.other_in(operator, x, y, all),
        }
    }

    fn cast(&mut self, kind: CastKind, a: &Expr, expr: &Expr) -> ValueId {
        let x = self.eval(a);
        let range = self.range(expr.ty);
        let number = expr.ty.index() as u32;
        match kind {
            CastKind::Int => match (self.int(expr), self.int(a)) {
                (Some(int), Some(_)) => self.int_cast(x, int),
                _ => self.unknown(expr.ty),
            },
            CastKind::ToBool => self.condition(a),
            // The same object, whether it is moved or not.
            CastKind::PtrView | CastKind::Address => self.pointer_view(x, a.ty, expr.ty),
            CastKind::FatView => {
                let [base, idx, len] = [0, 1, 2].map(|part| self.values.fat_part(x, part));
                let base = self.values.view(base, number);
                self.values.fat(base, idx, len)
            }
            CastKind::PtrToInt => match self.int(expr) {
                Some(int) if self.is_scalar(a.ty) => self.values.cast(x, int),
                _ => self.unknown(expr.ty),
            },
            CastKind::ToWord => {
                self.values.other_in(tag::TO_WORD + a.ty.index() as u32 % 900, x, x, WIDEST)
            }
            CastKind::FromWord => self.values.other_in(tag::FROM_WORD + number, x, x, range),
            CastKind::FloatToInt => self.values.other_in(tag::FROM_FLOAT + number, x, x, range),
            CastKind::IntToFloat | CastKind::FloatToFloat => self.unknown(expr.ty),
        }
    }

    /// A number is never above itself as an unsigned one of a type that has room for it.
    fn int_cast(&mut self, x: ValueId, int: IntTy) -> ValueId {
        let count = self.values.all.len();
        let cast = self.values.cast(x, int);
        let room = bounds(int).is_some_and(|(_, most)| self.values.get(x).hi <= most);
        if self.values.all.len() > count && !int.is_signed() && room {
            let place = (self.cfg.entry, 0);
            let source = Source::Branch(tenure_span::Span::NONE);
            self.fact(Relation::AtMost, (x, cast, 0), place, source);
        }
        cast
    }

    fn pointer_view(&mut self, x: ValueId, from: TyId, to: TyId) -> ValueId {
        let pointee = |ty| match *self.program.types.get(ty) {
            Ty::Ptr { to, .. } | Ty::Checked { to, .. } => Some(to),
            _ => None,
        };
        let (Some(from), Some(to)) = (pointee(from), pointee(to)) else { return self.unknown(to) };
        if from == to {
            return x;
        }
        match *self.program.types.get(from) {
            Ty::Array { of, .. } if of == to => self.values.decay(x, to.index() as u32),
            _ => self.values.view(x, to.index() as u32),
        }
    }

    fn aggregate(&mut self, parts: &[(u32, Expr)], ty: TyId) -> ValueId {
        let record = match self.program.types.get(ty) {
            Ty::Record(id) => Some(*id),
            _ => None,
        };
        let mut value = self.values.zero;
        for (field, part) in parts {
            let part_ty = part.ty;
            let part = self.eval(part);
            self.publish(part, part_ty);
            let Some(record) = record else { continue };
            if let Some(slot) = self.summaries.slots.field(record, *field) {
                self.store_slot(slot, part);
            }
            value = self.values.with(value, *field, part);
        }
        match record {
            Some(_) => value,
            None => self.unknown(ty),
        }
    }

    fn size(&mut self, kind: &ExprKind, ty: TyId) -> ValueId {
        if let (ExprKind::SizeOf(_), Some((size, _))) = (kind, self.program.types.layout(ty)) {
            return self.values.constant(size);
        }
        let what = match kind {
            ExprKind::SizeOf(_) => 0,
            ExprKind::AlignOf(_) => 1,
            ExprKind::OffsetOf(_, field) => 2 + *field,
            _ => return self.unknown(ty),
        };
        let what = self.values.constant(i128::from(what));
        let zero = self.values.zero;
        self.values.other_in(tag::SIZE + ty.index() as u32, what, zero, (0, i64::MAX as i128))
    }

    fn terminated_size(&mut self, p: &Expr) -> ValueId {
        let address = self.eval(p);
        let memory = self.sequence_memory(p);
        let most = self.longest(address, 8).unwrap_or(1 << 60);
        let size = self.values.other_in(tag::TERMINATED, address, memory, (1, 1 << 60));
        let here = (self.values.get(size).home, 0);
        let (zero, source) = (self.values.zero, Source::Branch(tenure_span::Span::NONE));
        if most < 1 << 60 {
            self.fact(Relation::AtMost, (size, zero, most), here, source);
        }
        size
    }

    pub fn address_of(&mut self, place: &Place) -> ValueId {
        match &place.kind {
            PlaceKind::Local(local) => self.object(Object::Local(local.index() as u32)),
            PlaceKind::Global(global) => self.object(Object::Global(global.index() as u32)),
            PlaceKind::Deref(p) => self.eval(p),
            PlaceKind::Field(base, field) => {
                let base = self.address_of(base);
                self.values.field_of(base, *field)
            }
            PlaceKind::Index(base, index) => {
                let (base, index) = (self.address_of(base), self.eval(index));
                let base = self.values.decay(base, place.ty.index() as u32);
                self.values.element(base, index)
            }
            PlaceKind::PtrIndex(p, index) => {
                let (p, index) = (self.eval(p), self.eval(index));
                self.values.element(p, index)
            }
            PlaceKind::FatIndex(p, index) => {
                let [base, idx, _] = self.parts(p);
                let index = self.moved(idx, index);
                self.values.element(base, index)
            }
        }
    }

    fn load(&mut self, place: &Place) -> ValueId {
        if let Some(value) = self.table_entry(place) {
            return value;
        }
        match self.memory.access(self.function, place) {
            Access::Value(local, path) => self.value_part(local, &path),
            Access::Private(local) => {
                let var = self.memory.local_var(local);
                let memory = self.current(var);
                self.remembered(place, memory)
            }
            Access::Shared => match self.memory.loaded(place) {
                Some(vars) => {
                    let memory = self.versions(&vars);
                    let value = self.remembered(place, memory);
                    self.obtain_field(place);
                    value
                }
                None => self.unknown(place.ty),
            },
            Access::Opaque | Access::Volatile => {
                let value = self.unknown(place.ty);
                self.obtain(value, place.ty);
                value
            }
        }
    }

    /// Bounds of what the place holds at any time.
    fn place_range(&self, place: &Place) -> (i128, i128) {
        let slot = self.summaries.slots.of(self.program, place);
        let kept = slot.and_then(|slot| self.summaries.slots.range(slot));
        kept.unwrap_or_else(|| self.range(place.ty))
    }

    /// The value of a load by its address and the version of memory.
    fn remembered(&mut self, place: &Place, memory: ValueId) -> ValueId {
        let address = self.address_of(place);
        let range = self.place_range(place);
        self.load_from(address, memory, place.ty, range)
    }

    pub fn load_from(
        &mut self,
        address: ValueId,
        memory: ValueId,
        ty: TyId,
        range: (i128, i128),
    ) -> ValueId {
        let def = Def::Load { address, memory, ty: ty.index() as u32 };
        match self.values.find(def) {
            Some(value) => value,
            None => self.values.load(def, range),
        }
    }

    fn value_part(&mut self, local: tenure_core::LocalId, path: &[u32]) -> ValueId {
        let mut value = self.current(self.memory.local_var(local));
        let mut ty = self.function.locals[local].ty;
        for &field in path {
            let range = self.field_range(ty, field);
            ty = self.field_type(ty, field);
            value = self.values.part(value, field, range);
        }
        value
    }

    /// Bounds of a field of any record of the type.
    pub fn field_range(&self, record: TyId, field: u32) -> (i128, i128) {
        let slot = match self.program.types.get(record) {
            Ty::Record(id) => self.summaries.slots.field(*id, field),
            _ => None,
        };
        let kept = slot.and_then(|slot| self.summaries.slots.range(slot));
        kept.unwrap_or_else(|| self.range(self.field_type(record, field)))
    }

    pub fn field_type(&self, record: TyId, field: u32) -> TyId {
        if let Ty::Record(id) = self.program.types.get(record) {
            let fields = self.program.types.records[*id].fields.as_deref().unwrap_or_default();
            if let Some(field) = fields.get(field as usize) {
                return field.ty;
            }
        }
        record
    }

    pub fn versions(&mut self, vars: &[u32]) -> ValueId {
        let mut memory = self.current(vars[0]);
        for &var in &vars[1..] {
            let version = self.current(var);
            memory = self.values.two(Def::Versions(memory, version), memory, version, WIDEST);
        }
        memory
    }

    /// A part of a global that keeps its initial values.
    fn table_entry(&mut self, place: &Place) -> Option<ValueId> {
        let content = self.summaries.tables.content(self.program, place)?;
        if !self.is_scalar(place.ty) {
            return None;
        }
        if content.lo == content.hi {
            return Some(self.values.constant(content.lo));
        }
        let (least, greatest) = self.range(place.ty);
        let address = self.address_of(place);
        let memory = self.values.zero;
        let def = Def::Load { address, memory, ty: place.ty.index() as u32 };
        let value = match self.values.find(def) {
            Some(value) => value,
            None => self.values.load(def, (content.lo.max(least), content.hi.min(greatest))),
        };
        if let Some(longest) = content.longest {
            self.longest.insert(value, i128::from(longest));
        }
        Some(value)
    }

    /// Elements that a zero-terminated sequence has at most, with its zero, if it is a string literal.
    fn longest(&self, address: ValueId, depth: u32) -> Option<i128> {
        if let Some(&longest) = self.longest.get(&address) {
            return Some(longest);
        }
        if depth == 0 {
            return None;
        }
        match self.values.get(address).def {
            Def::Select(_, a, b) => {
                Some(self.longest(a, depth - 1)?.max(self.longest(b, depth - 1)?))
            }
            Def::View(inner, _) => self.longest(inner, depth - 1),
            Def::Phi(index) => {
                let phi = &self.values.phis[index as usize];
                let ways = &self.cfg.blocks[phi.block].preds;
                let reached = ways.iter().filter(|&&way| self.order.is_reached(way)).count();
                if phi.operands.len() != reached {
                    return None;
                }
                let mut all = phi.operands.iter().map(|&(_, value)| self.longest(value, depth - 1));
                all.try_fold(0, |most, one| Some(most.max(one?)))
            }
            _ => None,
        }
    }
}
