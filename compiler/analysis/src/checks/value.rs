//! Values of a function in static single assignment form, each with one number.
//!
//! A value stands for a mathematical integer (pointers count as their addresses): operators say in which C type
//! they wrap. Equal operators on equal operands are one value; loads are values of their address and the version of
//! the memory they read. A value never changes between the place where its operands are defined and
//! the next time control passes there, so that a fact about it holds in all that its place dominates.

use crate::cfg::BlockId;
use crate::constant::{bounds, compare, wrap};
use crate::order::Order;
use index_vec::{define_index_type, IndexVec};
use tenure_core::{BinaryOp, IntTy};
use tenure_span::FastMap;

define_index_type! { pub struct ValueId = u32; }

/// Two values of an operation, and the type that it is done in.
#[derive(Clone, Copy)]
pub struct Operands {
    pub x: ValueId,
    pub y: ValueId,
    pub int: IntTy,
}

/// How a value comes about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Def {
    Const(i128),
    /// Known by its number only.
    Unknown(u32),
    /// The address of an object or a function, by a number of the builder's.
    Address(u32),
    /// `x + k` of the least magnitude, wrapped.
    Plus(ValueId, i128, IntTy),
    Add(ValueId, ValueId, IntTy),
    Sub(ValueId, ValueId, IntTy),
    Mul(ValueId, ValueId, IntTy),
    /// Towards zero; the divisor is not zero, the quotient fits.
    Div(ValueId, ValueId),
    Rem(ValueId, ValueId),
    BitAnd(ValueId, ValueId),
    /// By a constant below the width: rounds down.
    Shr(ValueId, u32),
    Cast(ValueId, IntTy),
    Compare(BinaryOp, ValueId, ValueId),
    Both(ValueId, ValueId),
    Either(ValueId, ValueId),
    Not(ValueId),
    /// `x != 0`.
    Truth(ValueId),
    Select(ValueId, ValueId, ValueId),
    /// Meets at a join; the operands are in [`Values::phis`].
    Phi(u32),
    /// A part of an aggregate or fat pointer that is otherwise unknown; of a phi, it is a phi itself.
    Part(ValueId, u32),
    /// A fat pointer: base, index, length.
    Fat(ValueId, ValueId, ValueId),
    /// A record but for one field.
    With(ValueId, u32, ValueId),
    /// `idx < len ? len - idx : 0`.
    Count(ValueId, ValueId),
    /// Address of the element so many on from an address.
    Element(ValueId, ValueId),
    /// Address of a field of the record at an address.
    FieldOf(ValueId, u32),
    /// What is read as a type at an address from a version of memory.
    Load {
        address: ValueId,
        memory: ValueId,
        ty: u32,
    },
    /// The same address as a pointer to another type.
    View(ValueId, u32),
    /// Versions of several kinds of memory together.
    Versions(ValueId, ValueId),
    /// Any other pure operator.
    Other(u32, ValueId, ValueId),
}

#[derive(Clone, Copy, Debug)]
pub struct Value {
    pub def: Def,
    /// Bounds that hold wherever the value is defined.
    pub lo: i128,
    pub hi: i128,
    /// The block that dominates all where the value is defined; entering it again may change the value.
    pub home: BlockId,
}

pub struct Phi {
    pub id: ValueId,
    pub block: BlockId,
    pub operands: Vec<(BlockId, ValueId)>,
}

/// Parts of a fat pointer.
pub const BASE: u32 = 0;
pub const IDX: u32 = 1;
pub const LEN: u32 = 2;

pub const WIDEST: (i128, i128) = (-(1 << 100), 1 << 100);
pub const UINT: (i128, i128) = (0, u32::MAX as i128);
pub const POINTER: (i128, i128) = (0, u64::MAX as i128);

pub struct Values<'o> {
    pub all: IndexVec<ValueId, Value>,
    pub phis: Vec<Phi>,
    pub zero: ValueId,
    numbers: FastMap<Def, ValueId>,
    /// Sums of a value with others that are no constants.
    additions: FastMap<ValueId, Vec<(ValueId, ValueId, IntTy)>>,
    /// The product of a value with itself.
    squares: FastMap<ValueId, (ValueId, IntTy)>,
    /// Sums of a value with constants.
    sums: FastMap<ValueId, Vec<(ValueId, i128, IntTy)>>,
    order: &'o Order,
    entry: BlockId,
    fresh: u32,
}

impl<'o> Values<'o> {
    pub fn new(order: &'o Order, entry: BlockId) -> Values<'o> {
        let mut values = Values {
            all: IndexVec::new(),
            phis: Vec::new(),
            zero: ValueId::from_raw(0),
            numbers: FastMap::default(),
            additions: FastMap::default(),
            squares: FastMap::default(),
            sums: FastMap::default(),
            order,
            entry,
            fresh: 0,
        };
        values.zero = values.constant(0);
        values
    }

    pub fn get(&self, id: ValueId) -> Value {
        self.all[id]
    }

    pub fn constant_of(&self, id: ValueId) -> Option<i128> {
        match self.all[id].def {
            Def::Const(n) => Some(n),
            _ => None,
        }
    }

    pub fn find(&self, def: Def) -> Option<ValueId> {
        self.numbers.get(&def).copied()
    }

    pub fn constant(&mut self, n: i128) -> ValueId {
        self.number(Def::Const(n), n, n, self.entry)
    }

    /// A value that nothing is known of but its bounds.
    pub fn unknown(&mut self, (lo, hi): (i128, i128), home: BlockId) -> ValueId {
        self.fresh += 1;
        self.all.push(Value { def: Def::Unknown(self.fresh), lo, hi, home })
    }

    pub fn phi(&mut self, (lo, hi): (i128, i128), block: BlockId) -> ValueId {
        let def = Def::Phi(self.phis.len() as u32);
        let id = self.all.push(Value { def, lo, hi, home: block });
        self.phis.push(Phi { id, block, operands: Vec::new() });
        id
    }

    fn number(&mut self, def: Def, lo: i128, hi: i128, home: BlockId) -> ValueId {
        if let Some(&id) = self.numbers.get(&def) {
            return id;
        }
        let id = self.all.push(Value { def, lo, hi, home });
        self.numbers.insert(def, id);
        id
    }

    /// The deeper of two blocks of which one dominates the other.
    fn deeper(&self, a: BlockId, b: BlockId) -> BlockId {
        if self.order.dominates(a, b) {
            b
        } else {
            a
        }
    }

    pub fn one(&mut self, def: Def, a: ValueId, (lo, hi): (i128, i128)) -> ValueId {
        let home = self.all[a].home;
        self.number(def, lo, hi, home)
    }

    pub fn two(&mut self, def: Def, a: ValueId, b: ValueId, (lo, hi): (i128, i128)) -> ValueId {
        let home = self.deeper(self.all[a].home, self.all[b].home);
        self.number(def, lo, hi, home)
    }

    pub fn address(&mut self, key: u32) -> ValueId {
        self.number(Def::Address(key), 1, POINTER.1, self.entry)
    }

    /// A load's value is known again wherever the same memory is read at the same address.
    pub fn load(&mut self, def: Def, bounds: (i128, i128)) -> ValueId {
        match def {
            Def::Load { address, memory, .. } => self.two(def, address, memory, bounds),
            _ => self.zero,
        }
    }

    /// After a store, what is read there is what was stored.
    pub fn forward(&mut self, def: Def, stored: ValueId) {
        self.numbers.insert(def, stored);
    }

    pub fn plus(&mut self, x: ValueId, k: i128, int: IntTy) -> ValueId {
        let Some((least, greatest)) = bounds(int) else { return self.other2(90, x, x) };
        let signed = least_magnitude(k, int);
        let value = self.all[x];
        match value.def {
            Def::Const(n) => return self.constant(wrap(n + signed, int)),
            Def::Plus(inner, more, same) if same == int => {
                return self.plus(inner, signed + more, int);
            }
            _ if signed == 0 && value.lo >= least && value.hi <= greatest => return x,
            _ => {}
        }
        let (lo, hi) = within(value.lo + signed, value.hi + signed, int);
        let known = self.all.len();
        let sum = self.one(Def::Plus(x, signed, int), x, (lo, hi));
        if self.all.len() > known {
            self.sums.entry(x).or_default().push((sum, signed, int));
        }
        sum
    }

    /// Sums of the value with constants that the function computes.
    pub fn sums_of(&self, x: ValueId) -> &[(ValueId, i128, IntTy)] {
        self.sums.get(&x).map_or(&[], Vec::as_slice)
    }

    pub fn add(&mut self, a: ValueId, b: ValueId, int: IntTy) -> ValueId {
        if let Some(k) = self.constant_of(b) {
            return self.plus(a, k, int);
        }
        if let Some(k) = self.constant_of(a) {
            return self.plus(b, k, int);
        }
        // Constants move outwards, and operands have one order, so that equal sums are one value.
        if let Def::Plus(inner, k, same) = self.all[a].def {
            if same == int {
                let sum = self.add(inner, b, int);
                return self.plus(sum, k, int);
            }
        }
        if let Def::Plus(inner, k, same) = self.all[b].def {
            if same == int {
                let sum = self.add(a, inner, int);
                return self.plus(sum, k, int);
            }
        }
        // `a + (b - a)` is `b`, and so under wrapping.
        for (x, y) in [(a, b), (b, a)] {
            if let Def::Sub(from, less, same) = self.all[y].def {
                if same == int && less == x {
                    return from;
                }
            }
        }
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        let (x, y) = (self.all[a], self.all[b]);
        let known = self.all.len();
        let range = within(x.lo + y.lo, x.hi + y.hi, int);
        let sum = self.two(Def::Add(a, b, int), a, b, range);
        if self.all.len() > known {
            self.additions.entry(a).or_default().push((sum, b, int));
            self.additions.entry(b).or_default().push((sum, a, int));
        }
        sum
    }

    /// Sums of the value with others that the function computes, each with the other.
    pub fn additions_of(&self, x: ValueId) -> &[(ValueId, ValueId, IntTy)] {
        self.additions.get(&x).map_or(&[], Vec::as_slice)
    }

    /// The square of the value, if the function computes it.
    pub fn square_of(&self, x: ValueId) -> Option<(ValueId, IntTy)> {
        self.squares.get(&x).copied()
    }

    pub fn sub(&mut self, a: ValueId, b: ValueId, int: IntTy) -> ValueId {
        if a == b {
            return self.zero;
        }
        if let Some(k) = self.constant_of(b) {
            return self.plus(a, -k, int);
        }
        if let Def::Plus(inner, k, same) = self.all[a].def {
            if same == int {
                let difference = self.sub(inner, b, int);
                return self.plus(difference, k, int);
            }
        }
        let (x, y) = (self.all[a], self.all[b]);
        self.two(Def::Sub(a, b, int), a, b, within(x.lo - y.hi, x.hi - y.lo, int))
    }

    pub fn mul(&mut self, a: ValueId, b: ValueId, int: IntTy) -> ValueId {
        let (x, y) = (self.all[a], self.all[b]);
        if let (Def::Const(n), Def::Const(m)) = (x.def, y.def) {
            if let Some(product) = n.checked_mul(m) {
                return self.constant(wrap(product, int));
            }
        }
        for (one, other) in [(x.def, b), (y.def, a)] {
            match one {
                Def::Const(1) => return other,
                Def::Const(0) => return self.zero,
                _ => {}
            }
        }
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        let corners = [
            x.lo.checked_mul(y.lo),
            x.lo.checked_mul(y.hi),
            x.hi.checked_mul(y.lo),
            x.hi.checked_mul(y.hi),
        ];
        let mut range = bounds(int).unwrap_or(WIDEST);
        if let [Some(p), Some(q), Some(r), Some(s)] = corners {
            range = within(p.min(q).min(r).min(s), p.max(q).max(r).max(s), int);
        }
        let product = self.two(Def::Mul(a, b, int), a, b, range);
        if a == b {
            self.squares.insert(a, (product, int));
        }
        product
    }

    pub fn cast(&mut self, x: ValueId, int: IntTy) -> ValueId {
        let Some((lo, hi)) = bounds(int) else { return self.other2(91, x, x) };
        let value = self.all[x];
        if value.lo >= lo && value.hi <= hi {
            return x;
        }
        if int == IntTy::Bool {
            return self.truth(x);
        }
        match value.def {
            Def::Const(n) => return self.constant(wrap(n, int)),
            // What was cut off before is cut off now.
            Def::Cast(inner, wider) if wider.bits() >= int.bits() => return self.cast(inner, int),
            _ => {}
        }
        self.one(Def::Cast(x, int), x, (lo, hi))
    }

    pub fn truth(&mut self, x: ValueId) -> ValueId {
        match self.all[x] {
            Value { def: Def::Const(n), .. } => self.constant(i128::from(n != 0)),
            Value { lo: 0.., hi: ..=1, .. } => x,
            Value { lo, hi, .. } if lo > 0 || hi < 0 => self.constant(1),
            _ => self.one(Def::Truth(x), x, (0, 1)),
        }
    }

    pub fn not(&mut self, x: ValueId) -> ValueId {
        match self.all[x].def {
            Def::Const(n) => self.constant(i128::from(n == 0)),
            _ => self.one(Def::Not(x), x, (0, 1)),
        }
    }

    pub fn compare(&mut self, op: BinaryOp, a: ValueId, b: ValueId) -> ValueId {
        if self.constant_of(b) == Some(0) && op == BinaryOp::Ne {
            return self.truth(a);
        }
        if self.constant_of(b) == Some(0) && op == BinaryOp::Eq {
            let truth = self.truth(a);
            return self.not(truth);
        }
        if let (Some(x), Some(y)) = (self.constant_of(a), self.constant_of(b)) {
            if let Some(known) = compare(op, x, y) {
                return self.constant(i128::from(known));
            }
        }
        self.two(Def::Compare(op, a, b), a, b, (0, 1))
    }

    pub fn select(&mut self, cond: ValueId, a: ValueId, b: ValueId) -> ValueId {
        if a == b {
            return a;
        }
        match self.constant_of(cond) {
            Some(0) => return b,
            Some(_) => return a,
            None => {}
        }
        let (x, y) = (self.all[a], self.all[b]);
        let home = self.deeper(self.deeper(x.home, y.home), self.all[cond].home);
        self.number(Def::Select(cond, a, b), x.lo.min(y.lo), x.hi.max(y.hi), home)
    }

    pub fn fat(&mut self, base: ValueId, idx: ValueId, len: ValueId) -> ValueId {
        let home =
            self.deeper(self.deeper(self.all[base].home, self.all[idx].home), self.all[len].home);
        self.number(Def::Fat(base, idx, len), WIDEST.0, WIDEST.1, home)
    }

    /// Base, index or length of a fat pointer.
    pub fn fat_part(&mut self, fat: ValueId, part: u32) -> ValueId {
        self.part(fat, part, if part == BASE { POINTER } else { UINT })
    }

    /// A part of a record value or fat pointer, itself or as a part of what is otherwise unknown.
    pub fn part(&mut self, mut whole: ValueId, part: u32, range: (i128, i128)) -> ValueId {
        loop {
            match self.all[whole].def {
                Def::Fat(base, idx, len) => return [base, idx, len][part as usize % 3],
                Def::With(_, k, value) if k == part => return value,
                Def::With(rest, ..) => whole = rest,
                Def::Const(_) => return self.zero,
                Def::Select(cond, a, b) => {
                    let (a, b) = (self.part(a, part, range), self.part(b, part, range));
                    return self.select(cond, a, b);
                }
                _ => return self.one(Def::Part(whole, part), whole, range),
            }
        }
    }

    /// The join at which a phi, or a part of one, meets.
    pub fn join_of(&self, mut id: ValueId) -> Option<BlockId> {
        while let Def::Part(whole, _) = self.all[id].def {
            id = whole;
        }
        match self.all[id].def {
            Def::Phi(index) => Some(self.phis[index as usize].block),
            Def::Load { memory, .. } => match self.all[memory].def {
                Def::Phi(index) => Some(self.phis[index as usize].block),
                _ => None,
            },
            _ => None,
        }
    }

    /// The join, and by way into it the operand, of a phi or of a part of one.
    pub fn meeting(&mut self, id: ValueId) -> Option<(BlockId, Vec<(BlockId, ValueId)>)> {
        match self.all[id].def {
            Def::Phi(index) => {
                let phi = &self.phis[index as usize];
                Some((phi.block, phi.operands.clone()))
            }
            Def::Part(whole, part) => {
                let Value { lo, hi, .. } = self.all[id];
                let (join, mut operands) = self.meeting(whole)?;
                for (_, operand) in &mut operands {
                    *operand = self.part(*operand, part, (lo, hi));
                }
                Some((join, operands))
            }
            // What is read where versions of memory meet, if the address is none that changes there.
            Def::Load { address, memory, ty } => {
                let (join, operands) = match self.all[memory].def {
                    Def::Phi(_) => self.meeting(memory)?,
                    _ => return None,
                };
                let home = self.all[address].home;
                if home == join || !self.order.dominates(home, join) {
                    return None;
                }
                let Value { lo, hi, .. } = self.all[id];
                let operands = operands.into_iter().map(|(way, memory)| {
                    let def = Def::Load { address, memory, ty };
                    let known = self.find(def);
                    (way, known.unwrap_or_else(|| self.load(def, (lo, hi))))
                });
                Some((join, operands.collect()))
            }
            _ => None,
        }
    }

    pub fn with(&mut self, record: ValueId, field: u32, value: ValueId) -> ValueId {
        self.two(Def::With(record, field, value), record, value, WIDEST)
    }

    /// An operator of which nothing is known but that it is pure; `tag` tells operators apart.
    pub fn other2(&mut self, tag: u32, a: ValueId, b: ValueId) -> ValueId {
        self.two(Def::Other(tag, a, b), a, b, WIDEST)
    }

    /// As [`Values::other2`] with bounds, which must be the same for equal tags and operands.
    pub fn other_in(&mut self, tag: u32, a: ValueId, b: ValueId, range: (i128, i128)) -> ValueId {
        self.two(Def::Other(tag, a, b), a, b, range)
    }

    pub fn count(&mut self, idx: ValueId, len: ValueId) -> ValueId {
        if self.constant_of(idx) == Some(0) {
            return len;
        }
        if let (Some(i), Some(n)) = (self.constant_of(idx), self.constant_of(len)) {
            return self.constant((n - i).max(0));
        }
        let hi = self.all[len].hi;
        self.two(Def::Count(idx, len), idx, len, (0, hi))
    }

    pub fn element(&mut self, address: ValueId, index: ValueId) -> ValueId {
        if self.constant_of(index) == Some(0) {
            return address;
        }
        if let Def::Element(base, first) = self.all[address].def {
            // Addresses in elements do not wrap: both were checked.
            let sum = self.add(first, index, IntTy::Long);
            return self.element(base, sum);
        }
        let lo = i128::from(self.all[address].lo > 0);
        self.two(Def::Element(address, index), address, index, (lo, POINTER.1))
    }

    /// `address` as a pointer to the type with number `ty`.
    pub fn view(&mut self, address: ValueId, ty: u32) -> ValueId {
        let value = self.all[address];
        match value.def {
            Def::Const(_) => address,
            Def::View(inner, _) => self.one(Def::View(inner, ty), inner, (value.lo, value.hi)),
            _ => self.one(Def::View(address, ty), address, (value.lo, value.hi)),
        }
    }

    /// The address of an array as the address of its first element; apart from it where the two move in different
    /// strides.
    pub fn decay(&mut self, address: ValueId, element: u32) -> ValueId {
        match self.all[address].def {
            Def::Element(..) => self.view(address, element),
            _ => address,
        }
    }

    pub fn field_of(&mut self, address: ValueId, field: u32) -> ValueId {
        let lo = i128::from(self.all[address].lo > 0);
        self.one(Def::FieldOf(address, field), address, (lo, POINTER.1))
    }
}

/// The number congruent to `k` modulo the width of `int` that is nearest to zero.
fn least_magnitude(k: i128, int: IntTy) -> i128 {
    let bits = int.bits();
    let low = k & ((1i128 << bits) - 1);
    if low >> (bits - 1) != 0 {
        low - (1i128 << bits)
    } else {
        low
    }
}

/// The range if arithmetic in `int` does not wrap in it, else all of the type.
fn within(lo: i128, hi: i128, int: IntTy) -> (i128, i128) {
    match bounds(int) {
        Some((least, greatest)) if lo >= least && hi <= greatest => (lo, hi),
        Some(all) => all,
        None => WIDEST,
    }
}
