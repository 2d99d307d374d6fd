//! What each check claims, and what is known once it has passed.

use super::build::{Builder, Site};
use super::eval::tag;
use super::facts::{Fact, Position, Relation, Source};
use super::memory::Access;
use super::value::{Def, ValueId};
use crate::cfg::{BlockId, End};
use tenure_core::{Check, CheckKind, Expr, Place, PlaceKind, TyId};
use tenure_span::Span;

/// What must be shown for a check never to fail.
#[derive(Clone, Debug)]
pub enum Goal {
    /// `0 <= index` and `index - size <= most`.
    Index {
        index: ValueId,
        size: ValueId,
        most: i128,
    },
    /// `0 <= element < len`, where the element is `idx + index` modulo the width of the index and at least 2^32; or
    /// `index` lies in what `idx` leaves of `len`.
    Fat {
        base: ValueId,
        element: ValueId,
        idx: ValueId,
        index: ValueId,
        len: ValueId,
    },
    /// `count` elements from `idx` on.
    Count {
        base: ValueId,
        idx: ValueId,
        len: ValueId,
        count: ValueId,
        nullable: bool,
    },
    /// Not NULL, not zero.
    NonZero(ValueId),
    NoDivOverflow {
        dividend: ValueId,
        divisor: ValueId,
        least: i128,
    },
    Equal(ValueId, i128),
    /// The elements below `index` are not zero in this version of memory.
    Terminated {
        address: ValueId,
        index: ValueId,
        memory: ValueId,
        ty: TyId,
    },
    /// One of the two: the old element is not zero, the new one is.
    KeepsTerminator {
        old: ValueId,
        new: ValueId,
    },
    Fits32(ValueId),
    /// A step of `count` elements from `idx` leads to where a pointer may stand.
    Step {
        idx: ValueId,
        len: ValueId,
        count: ValueId,
    },
    Holds(ValueId),
    /// Only an earlier check of the same operands helps.
    Never,
}

impl<'a> Builder<'a, '_, '_> {
    /// The version of memory behind a thin pointer to a sequence.
    pub fn sequence_memory(&mut self, p: &Expr) -> ValueId {
        match self.sequence(p) {
            Some((_, memory, _)) => memory,
            None => self.unknown(p.ty),
        }
    }

    /// Address, memory and type of the elements behind a thin pointer.
    pub fn sequence(&mut self, p: &Expr) -> Option<(ValueId, ValueId, TyId)> {
        let tenure_core::Ty::Ptr { to, quals } = *self.program.types.get(p.ty) else { return None };
        let place = Place { kind: PlaceKind::Deref(Box::new(p.clone())), ty: to };
        if !matches!(self.memory.access(self.function, &place), Access::Shared) {
            return None;
        }
        let vars = self.memory.loaded(&place).filter(|_| !quals.is_volatile)?;
        let memory = self.versions(&vars);
        Some((self.eval(p), memory, to))
    }

    pub fn check(&mut self, ordinal: u32, check: &'a Check, span: Span) {
        let (goal, key) = self.goal(&check.kind);
        let at = self.here();
        // A check that a handler may follow tells only what comes after it in order.
        if let End::MayThrow { next, .. } = self.cfg.blocks[self.block].end {
            if self.position as usize == self.cfg.blocks[self.block].items.len() {
                (self.block, self.position) = (next, 0);
            }
        }
        self.learn(&goal, Source::Check(check.span));
        let bits = self.index_bits(&check.kind);
        let passed = self.here();
        self.sites.push(Site { ordinal, check, span, at, passed, goal, key, bits });
        (self.block, self.position) = at;
    }

    /// Modulo two to the power of what the index is computed; a fat pointer's own index has 32 bits.
    fn index_bits(&self, kind: &CheckKind) -> u32 {
        let bits = |index: &Expr| {
            crate::constant::int_of(self.program, index.ty).map_or(u32::MAX, |int| int.bits())
        };
        match kind {
            CheckKind::Index { index, .. } => bits(index),
            CheckKind::FatIndex { index, .. } => bits(index).max(32),
            _ => u32::MAX,
        }
    }

    pub fn key(&mut self, kind: u32, a: ValueId, b: ValueId) -> ValueId {
        self.values.other_in(tag::CHECK + kind, a, b, super::value::WIDEST)
    }

    pub fn goal(&mut self, kind: &CheckKind) -> (Goal, ValueId) {
        match kind {
            CheckKind::NonNull(e) | CheckKind::NonZero(e) => {
                let value = self.eval(e);
                (Goal::NonZero(value), self.key(0, value, value))
            }
            CheckKind::Index { index, size } => self.index_goal(index, size, -1),
            CheckKind::IndexOrEnd { index, size } => self.index_goal(index, size, 0),
            CheckKind::FatIndex { ptr, index } => {
                let [base, idx, len] = self.parts(ptr);
                let element = self.checked_element(idx, index);
                let index = self.eval(index);
                let whole = self.key(3, idx, len);
                let goal = Goal::Fat { base, element, idx, index, len };
                let whole = self.key(3, whole, element);
                (goal, self.key(3, whole, index))
            }
            CheckKind::FatCount { ptr, count, nullable } => {
                let [base, idx, len] = self.parts(ptr);
                let count = self.eval(count);
                let goal = Goal::Count { base, idx, len, count, nullable: *nullable };
                let whole = self.key(4 + u32::from(*nullable), idx, len);
                let whole = self.key(4, whole, base);
                (goal, self.key(4, whole, count))
            }
            CheckKind::NoDivOverflow { dividend, divisor } => {
                let int = crate::constant::int_of(self.program, dividend.ty);
                let least = int.and_then(crate::constant::bounds).map(|b| b.0);
                let (dividend, divisor) = (self.eval(dividend), self.eval(divisor));
                let key = self.key(6, dividend, divisor);
                match least {
                    Some(least) => (Goal::NoDivOverflow { dividend, divisor, least }, key),
                    None => (Goal::Never, key),
                }
            }
            CheckKind::Tag { tag, expected } => {
                let value = self.eval(tag);
                let constant = self.values.constant(*expected);
                (Goal::Equal(value, *expected), self.key(7, value, constant))
            }
            CheckKind::ZeroTermIndex { ptr, index } => self.terminated_goal(ptr, index),
            CheckKind::ZeroTermStore { ptr, index, value } => {
                let address = self.eval(ptr);
                let index = self.eval(index);
                let new = self.eval(value);
                let key = self.key(9, address, index);
                let key = self.key(9, key, new);
                let Some((_, memory, ty)) = self.sequence(ptr) else { return (Goal::Never, key) };
                let old = self.sequence_element(address, index, memory, ty);
                (Goal::KeepsTerminator { old, new }, self.key(9, key, memory))
            }
            CheckKind::HasZero { ptr } => {
                let [base, idx, len] = self.parts(ptr);
                let whole = self.key(10, idx, len);
                let whole = self.key(10, whole, base);
                let memory = self.unknown_version();
                (Goal::Never, self.key(10, whole, memory))
            }
            CheckKind::Fits32 { count, .. } => {
                let value = self.eval(count);
                (Goal::Fits32(value), self.key(11, value, value))
            }
            CheckKind::FatStep { ptr, count } => {
                let [_, idx, len] = self.parts(ptr);
                let count = self.eval(count);
                let key = self.key(13, idx, len);
                (Goal::Step { idx, len, count }, self.key(13, key, count))
            }
            // What [`crate::touch`] knows of it, values do not.
            CheckKind::Touch(reference) => {
                let value = self.eval(reference);
                let memory = self.unknown_version();
                (Goal::Never, self.key(14, value, memory))
            }
            CheckKind::Assert(cond) => {
                let value = self.condition(cond);
                (Goal::Holds(value), self.key(12, value, value))
            }
        }
    }

    /// The element that a check looks at: a 64-bit index is not cut off.
    pub fn checked_element(&mut self, idx: ValueId, index: &Expr) -> ValueId {
        match crate::constant::int_of(self.program, index.ty) {
            Some(int) if int.bits() > 32 && crate::constant::bounds(int).is_some() => {
                let index = self.eval(index);
                self.values.add(idx, index, int)
            }
            _ => self.moved(idx, index),
        }
    }

    pub fn unknown_version(&mut self) -> ValueId {
        let block = self.block;
        self.values.unknown(super::value::WIDEST, block)
    }

    pub fn index_goal(&mut self, index: &Expr, size: &Expr, most: i128) -> (Goal, ValueId) {
        let (index, size) = (self.eval(index), self.eval(size));
        let key = self.key(if most == 0 { 2 } else { 1 }, index, size);
        (Goal::Index { index, size, most }, key)
    }

    pub fn terminated_goal(&mut self, ptr: &Expr, index: &Expr) -> (Goal, ValueId) {
        let index = self.eval(index);
        let Some((address, memory, ty)) = self.sequence(ptr) else {
            let fresh = self.unknown_version();
            return (Goal::Never, fresh);
        };
        // The elements that a proof may ask for get their numbers while this memory is current.
        if let Some(few @ 1..=4) = self.values.constant_of(index) {
            for n in 0..few {
                let n = self.values.constant(n);
                self.sequence_element(address, n, memory, ty);
            }
        }
        let key = self.key(8, address, index);
        (Goal::Terminated { address, index, memory, ty }, self.key(8, key, memory))
    }

    pub fn sequence_element(
        &mut self,
        address: ValueId,
        index: ValueId,
        memory: ValueId,
        ty: TyId,
    ) -> ValueId {
        let address = self.values.element(address, index);
        let range = self.range(ty);
        let def = Def::Load { address, memory, ty: ty.index() as u32 };
        match self.values.find(def) {
            Some(value) => value,
            None => self.values.load(def, range),
        }
    }

    /// What a check that passed tells about all that it dominates.
    pub fn learn(&mut self, goal: &Goal, source: Source) {
        let zero = self.values.zero;
        let place = self.here();
        match *goal {
            Goal::Index { index, size, most } => {
                self.fact(Relation::AtMost, (zero, index, 0), place, source);
                self.fact(Relation::AtMost, (index, size, most), place, source);
            }
            Goal::Fat { base, element, len, .. } => {
                self.fact(Relation::AtMost, (zero, element, 0), place, source);
                self.fact(Relation::AtMost, (element, len, -1), place, source);
                self.fact(Relation::Differ, (base, zero, 0), place, source);
            }
            // NULL passes with no element, so that a nullable check says nothing of the count.
            Goal::Count { base, idx, len, count, nullable: false } => {
                self.fact(Relation::Differ, (base, zero, 0), place, source);
                let left = self.values.count(idx, len);
                self.fact(Relation::AtMost, (count, left, 0), place, source);
            }
            Goal::NonZero(value) => {
                self.fact(Relation::Differ, (value, zero, 0), place, source);
            }
            Goal::Equal(value, k) => self.between(value, k, k, source),
            Goal::Fits32(value) => self.between(value, 0, i128::from(u32::MAX), source),
            Goal::Holds(cond) => self.assume(cond, true, source, 0),
            Goal::Count { .. }
            | Goal::Step { .. }
            | Goal::NoDivOverflow { .. }
            | Goal::Terminated { .. }
            | Goal::KeepsTerminator { .. }
            | Goal::Never => {}
        }
    }

    /// Adds a fact with constants on the right.
    pub fn fact(
        &mut self,
        relation: Relation,
        (mut x, mut y, mut k): (ValueId, ValueId, i128),
        place: (BlockId, Position),
        source: Source,
    ) {
        let zero = self.values.zero;
        if let Some(n) = self.values.constant_of(x) {
            (x, k) = (zero, k - n);
        }
        if let Some(n) = self.values.constant_of(y) {
            (y, k) = (zero, k + n);
        }
        if relation == Relation::Differ && x == zero {
            (x, y, k) = (y, x, -k);
        }
        if x != y {
            let (block, position) = place;
            let everywhere = position == 0 && block == self.cfg.entry;
            self.facts.add(Fact { relation, x, y, k, block, position, source }, everywhere);
        }
        if relation == Relation::AtMost {
            if (x == zero) != (y == zero) {
                self.quotient_fact((x, y, k), place, source);
            }
            self.conversion_fact((x, y, k), place, source);
        }
    }

    /// `(unsigned)i <= n + k` where that is at most the greatest signed number: so `0 <= i <= n + k`.
    pub fn conversion_fact(
        &mut self,
        (x, y, k): (ValueId, ValueId, i128),
        place: (BlockId, Position),
        source: Source,
    ) {
        let Def::Cast(inner, int) = self.values.get(x).def else { return };
        let inside = self.values.get(inner);
        // A negative number of the same or a smaller width becomes one of the upper half.
        let signed_max = (1i128 << (int.bits() - 1)) - 1;
        let narrow = inside.lo >= -signed_max - 1 && inside.hi <= signed_max;
        if !int.is_signed() && narrow && self.values.get(y).hi + k <= signed_max {
            let zero = self.values.zero;
            self.fact(Relation::AtMost, (zero, inner, 0), place, source);
            self.fact(Relation::AtMost, (inner, y, k), place, source);
        }
    }

    /// What a bound of a quotient says of the dividend.
    pub fn quotient_fact(
        &mut self,
        (x, y, k): (ValueId, ValueId, i128),
        place: (BlockId, Position),
        source: Source,
    ) {
        let zero = self.values.zero;
        let (quotient, upper) = if y == zero { (x, true) } else { (y, false) };
        let (dividend, d, floor) = match self.values.get(quotient).def {
            Def::Div(v, d) => match self.values.constant_of(d) {
                Some(d) if d > 0 => (v, d, false),
                _ => return,
            },
            Def::Shr(v, count) => (v, 1i128 << count, true),
            _ => return,
        };
        // Division rounds towards zero, a shift down.
        let rounds = if floor { upper } else { k >= 0 };
        let slack = if rounds { d - 1 } else { 0 };
        let Some(k) = k.checked_mul(d).and_then(|k| k.checked_add(slack)) else { return };
        let claim = if upper { (dividend, zero, k) } else { (zero, dividend, k) };
        self.fact(Relation::AtMost, claim, place, source);
    }

    pub fn between(&mut self, value: ValueId, low: i128, high: i128, source: Source) {
        let zero = self.values.zero;
        let place = self.here();
        self.fact(Relation::AtMost, (value, zero, high), place, source);
        self.fact(Relation::AtMost, (zero, value, -low), place, source);
    }
}
