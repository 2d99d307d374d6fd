//! Claims taken apart by how their values are computed.

use super::prove::{At, Prover};
use super::value::{Def, Operands, Value, ValueId};
use crate::constant::bounds;
use tenure_core::{BinaryOp, IntTy};

impl Prover<'_> {
    pub fn is_exact_plus(&mut self, x: ValueId, k: i128, int: IntTy, at: At, depth: u32) -> bool {
        let Some((least, greatest)) = bounds(int) else { return false };
        let zero = self.zero();
        if k >= 0 {
            self.prove(x, zero, greatest - k, at, depth.saturating_sub(1))
        } else {
            self.prove(zero, x, k - least, at, depth.saturating_sub(1))
        }
    }

    pub fn is_exact_cast(&mut self, x: ValueId, int: IntTy, at: At, depth: u32) -> bool {
        let Some((least, greatest)) = bounds(int) else { return false };
        let zero = self.zero();
        let depth = depth.saturating_sub(1);
        self.prove(zero, x, -least, at, depth) && self.prove(x, zero, greatest, at, depth)
    }

    pub fn is_exact_add(&mut self, x: ValueId, y: ValueId, int: IntTy, at: At, depth: u32) -> bool {
        let key = (x, y, int, at);
        if self.exact.contains_key(&key) {
            return true;
        }
        let exact = self.is_exact_add_anew(Operands { x, y, int }, at, depth);
        if exact && self.is_unconditional() && self.chosen.is_empty() {
            self.exact.insert(key, ());
        }
        exact
    }

    fn is_exact_add_anew(&mut self, sum: Operands, at: At, depth: u32) -> bool {
        let Operands { x, y, int } = sum;
        let Some((least, greatest)) = bounds(int) else { return false };
        if self.remainder(sum, at, depth).is_some() {
            return true;
        }
        let (low, high) = (
            self.lower(x, at, depth / 2) + self.lower(y, at, depth / 2),
            self.upper(x, at, depth / 2) + self.upper(y, at, depth / 2),
        );
        if low >= least && high <= greatest {
            return true;
        }
        // Half of the range for each is what indices have.
        let zero = self.zero();
        let half = greatest / 2;
        let depth = depth.saturating_sub(1);
        low >= least && self.prove(x, zero, half, at, depth) && self.prove(y, zero, half, at, depth)
    }

    /// `x + (q - x) / 2` with `x <= q`: the middle of `x` and `q`, rounded down.
    pub fn split_middle(
        &mut self,
        x: ValueId,
        y: ValueId,
        at: At,
        depth: u32,
    ) -> Option<(ValueId, ValueId)> {
        let depth = depth.checked_sub(1)?;
        for (x, y) in [(x, y), (y, x)] {
            let difference = match self.values.get(y).def {
                Def::Div(d, two) if self.values.constant_of(two) == Some(2) => d,
                Def::Shr(d, 1) => d,
                _ => continue,
            };
            let Def::Sub(q, p, int) = self.values.get(difference).def else { continue };
            if p == x && self.is_exact_sub(q, p, int, at, depth) && self.prove(p, q, 0, at, depth) {
                return Some((p, q));
            }
        }
        None
    }

    pub fn is_exact_sub(&mut self, x: ValueId, y: ValueId, int: IntTy, at: At, depth: u32) -> bool {
        let Some((least, greatest)) = bounds(int) else { return false };
        if !int.is_signed() {
            return self.prove(y, x, 0, at, depth.saturating_sub(1));
        }
        let low = self.lower(x, at, depth / 2) - self.upper(y, at, depth / 2);
        let high = self.upper(x, at, depth / 2) - self.lower(y, at, depth / 2);
        low >= least && high <= greatest
    }

    /// By what `a` is made of.
    pub fn by_upper_side(
        &mut self,
        a: ValueId,
        x: Value,
        b: ValueId,
        c: i128,
        at: At,
        depth: u32,
    ) -> bool {
        let zero = self.zero();
        if a == zero || depth == 0 {
            return false;
        }
        match x.def {
            Def::Plus(x, k, int) => {
                self.is_exact_plus(x, k, int, at, depth) && self.prove(x, b, c - k, at, depth)
            }
            Def::Add(x, y, int) => {
                if let Some((p, q)) = self.split_middle(x, y, at, depth) {
                    return (self.prove(p, b, c, at, depth) && self.prove(q, b, c + 1, at, depth))
                        || (self.prove(q, b, c, at, depth) && self.prove(p, b, c + 1, at, depth));
                }
                if let Some(p) = self.remainder(Operands { x, y, int }, at, depth) {
                    if self.prove(p, b, c, at, depth) {
                        return true;
                    }
                }
                if !self.is_exact_add(x, y, int, at, depth) {
                    return false;
                }
                if x == b || y == b {
                    return self.prove(if x == b { y } else { x }, zero, c, at, depth);
                }
                let (most_x, most_y) = (self.upper(x, at, depth / 2), self.upper(y, at, depth / 2));
                self.prove(x, b, c - most_y, at, depth) || self.prove(y, b, c - most_x, at, depth)
            }
            Def::Sub(x, y, int) => {
                if !self.is_exact_sub(x, y, int, at, depth) {
                    return false;
                }
                if b == zero {
                    return self.prove(x, y, c, at, depth);
                }
                let least = self.lower(y, at, depth / 2);
                self.prove(x, b, c + least, at, depth)
            }
            Def::Cast(x, int) => {
                self.is_exact_cast(x, int, at, depth) && self.prove(x, b, c, at, depth)
            }
            Def::Select(cond, x, y) => self.each_choice(cond, at, &[(x, b, c), (y, b, c)], depth),
            Def::Count(_, len) => self.prove(len, b, c, at, depth),
            _ => self.quotient_from_above(x.def, b, c, at, depth),
        }
    }

    pub fn quotient_from_above(
        &mut self,
        def: Def,
        b: ValueId,
        c: i128,
        at: At,
        depth: u32,
    ) -> bool {
        let zero = self.zero();
        match def {
            Def::Mul(x, y, int) => {
                let Some((x, factor)) = self.times(x, y) else {
                    return b == zero && self.is_small_product(x, y, c, int, at, depth);
                };
                b == zero
                    && self.is_exact_mul(x, factor, int, at, depth)
                    && self.prove(x, zero, c.div_euclid(factor), at, depth)
            }
            Def::Div(x, y) => {
                let divisor = self.values.constant_of(y);
                if let (true, Some(d @ 1..)) = (b == zero, divisor) {
                    let most = if c >= 0 { c * d + d - 1 } else { c * d };
                    if self.prove(x, zero, most, at, depth) {
                        return true;
                    }
                }
                let floor = self.prove(zero, x, 0, at, depth);
                if divisor == Some(2) && self.middle_from_above(x, floor, b, c, at, depth) {
                    return true;
                }
                let least = if floor && b == zero { self.lower(y, at, depth / 2) } else { 0 };
                if least > 1 && c >= 0 && self.prove(x, zero, c * least + least - 1, at, depth) {
                    return true;
                }
                floor && self.prove(zero, y, -1, at, depth) && self.prove(x, b, c, at, depth)
            }
            Def::Shr(x, count) => {
                let d = 1i128 << count;
                if b == zero && self.prove(x, zero, c * d + d - 1, at, depth) {
                    return true;
                }
                if count == 1 && self.middle_from_above(x, true, b, c, at, depth) {
                    return true;
                }
                self.prove(zero, x, 0, at, depth) && self.prove(x, b, c, at, depth)
            }
            Def::Rem(x, y) => {
                (self.prove(y, b, c + 1, at, depth) && self.prove(zero, y, -1, at, depth))
                    || (self.prove(x, b, c, at, depth) && self.prove(zero, x, 0, at, depth))
            }
            Def::BitAnd(x, y) => {
                (self.prove(y, b, c, at, depth) && self.prove(zero, y, 0, at, depth))
                    || (self.prove(x, b, c, at, depth) && self.prove(zero, x, 0, at, depth))
            }
            _ => false,
        }
    }

    pub fn is_exact_mul(&mut self, x: ValueId, n: i128, int: IntTy, at: At, depth: u32) -> bool {
        let Some((least, greatest)) = bounds(int) else { return false };
        let zero = self.zero();
        let lowest = -(least.div_euclid(n) + i128::from(least % n != 0));
        // Not negative is a claim that loops keep, other than one about the least number.
        self.prove(x, zero, greatest.div_euclid(n), at, depth)
            && (self.prove(zero, x, 0, at, depth) || self.prove(zero, x, lowest, at, depth))
    }

    /// Neither factor is negative, and the product does not wrap.
    fn is_natural_product(
        &mut self,
        x: ValueId,
        y: ValueId,
        int: IntTy,
        at: At,
        depth: u32,
    ) -> bool {
        let Some((_, greatest)) = bounds(int) else { return false };
        let zero = self.zero();
        let natural = self.prove(zero, x, 0, at, depth) && self.prove(zero, y, 0, at, depth);
        if !natural {
            return false;
        }
        if x == y {
            let root = (greatest as f64).sqrt() as i128 - 1;
            return self.prove(x, zero, root, at, depth);
        }
        let (p, q) = (self.upper(x, at, depth / 2), self.upper(y, at, depth / 2));
        let root = (greatest as f64).sqrt() as i128 - 1;
        p.checked_mul(q).is_some_and(|most| most <= greatest)
            || (self.prove(x, zero, root, at, depth) && self.prove(y, zero, root, at, depth))
    }

    /// Neither factor is negative, and the product of the greatest that they can be is at most `c`.
    fn is_small_product(
        &mut self,
        x: ValueId,
        y: ValueId,
        c: i128,
        int: IntTy,
        at: At,
        depth: u32,
    ) -> bool {
        let Some((_, greatest)) = bounds(int) else { return false };
        let zero = self.zero();
        let (p, q) = (self.upper(x, at, depth / 2), self.upper(y, at, depth / 2));
        p.checked_mul(q).is_some_and(|most| most <= c.min(greatest))
            && self.prove(zero, x, 0, at, depth)
            && self.prove(zero, y, 0, at, depth)
    }

    /// The two of which `sum` is twice the middle: `p + q`, or `p + (q - p) / 2` taken apart.
    pub fn halves(&mut self, sum: ValueId, at: At, depth: u32) -> Option<(ValueId, ValueId, i128)> {
        match self.values.get(sum).def {
            Def::Add(p, q, int) => self.is_exact_add(p, q, int, at, depth).then_some((p, q, 0)),
            Def::Plus(inner, k, int) => match self.values.get(inner).def {
                Def::Add(p, q, same) if same == int => {
                    let exact = self.is_exact_add(p, q, int, at, depth)
                        && self.is_exact_plus(inner, k, int, at, depth);
                    exact.then_some((p, q, k))
                }
                _ => {
                    let exact = self.is_exact_plus(inner, k, int, at, depth);
                    exact.then(|| (inner, self.zero(), k))
                }
            },
            _ => None,
        }
    }

    /// `(p + q + k) / 2 <= b + c`; `floor` says that the division rounds down.
    pub fn middle_from_above(
        &mut self,
        sum: ValueId,
        floor: bool,
        b: ValueId,
        c: i128,
        at: At,
        depth: u32,
    ) -> bool {
        let Some((p, q, k)) = self.halves(sum, at, depth) else { return false };
        let spare = i128::from(floor) - k;
        (self.prove(p, b, c, at, depth) && self.prove(q, b, c + spare, at, depth))
            || (self.prove(q, b, c, at, depth) && self.prove(p, b, c + spare, at, depth))
    }

    /// By what `b` is made of.
    pub fn by_lower_side(
        &mut self,
        a: ValueId,
        b: ValueId,
        y: Value,
        c: i128,
        at: At,
        depth: u32,
    ) -> bool {
        let zero = self.zero();
        if b == zero || depth == 0 {
            return false;
        }
        match y.def {
            Def::Plus(x, k, int) => {
                self.is_exact_plus(x, k, int, at, depth) && self.prove(a, x, c + k, at, depth)
            }
            Def::Add(x, y, int) => {
                if let Some((p, q)) = self.split_middle(x, y, at, depth) {
                    return self.prove(a, p, c, at, depth) && self.prove(a, q, c, at, depth);
                }
                if !self.is_exact_add(x, y, int, at, depth) {
                    return false;
                }
                if x == a || y == a {
                    return self.prove(zero, if x == a { y } else { x }, c, at, depth);
                }
                let (least_x, least_y) =
                    (self.lower(x, at, depth / 2), self.lower(y, at, depth / 2));
                self.prove(a, x, c + least_y, at, depth) || self.prove(a, y, c + least_x, at, depth)
            }
            Def::Sub(x, y, int) => {
                if !self.is_exact_sub(x, y, int, at, depth) {
                    return false;
                }
                if a == zero {
                    return self.prove(y, x, c, at, depth);
                }
                let most = self.upper(y, at, depth / 2);
                self.prove(a, x, c - most, at, depth)
            }
            Def::Cast(x, int) => {
                self.is_exact_cast(x, int, at, depth) && self.prove(a, x, c, at, depth)
            }
            Def::Select(cond, x, y) => self.each_choice(cond, at, &[(a, x, c), (a, y, c)], depth),
            // At least `len - idx`, whichever is greater.
            Def::Count(idx, len) => {
                let most = self.upper(idx, at, depth / 2);
                self.prove(a, len, c - most, at, depth)
            }
            Def::Element(p, _) | Def::FieldOf(p, _) => {
                a == zero && c >= -1 && self.prove(zero, p, -1, at, depth)
            }
            Def::Mul(p, q, int) if a != zero => match self.times(p, q) {
                Some((x, n)) => self.below_product(a, b, (x, n, int), c, at, depth),
                None => false,
            },
            Def::Mul(p, q, int) => {
                let factor = self.times(p, q);
                if let Some((x, n)) = factor {
                    if self.doubles_exactly(b, (x, n), int, at, depth) {
                        return self.prove(zero, x, c.div_euclid(n), at, depth);
                    }
                }
                self.quotient_from_below(a, y.def, c, at, depth)
            }
            _ => self.quotient_from_below(a, y.def, c, at, depth),
        }
    }

    pub fn quotient_from_below(
        &mut self,
        a: ValueId,
        def: Def,
        c: i128,
        at: At,
        depth: u32,
    ) -> bool {
        let zero = self.zero();
        let from_zero = a == zero && c >= 0;
        match def {
            Def::Mul(x, y, int) => {
                let Some((x, n)) = self.times(x, y) else {
                    return from_zero && self.is_natural_product(x, y, int, at, depth);
                };
                // x >= ceil(-c / n)
                a == zero
                    && self.is_exact_mul(x, n, int, at, depth)
                    && self.prove(zero, x, c.div_euclid(n), at, depth)
            }
            Def::Div(x, y) => match self.values.constant_of(y) {
                Some(d @ 1..) => {
                    let most = if c >= 0 { c * d + d - 1 } else { c * d };
                    (a == zero && self.prove(zero, x, most, at, depth))
                        || (d == 2 && self.middle_from_below(a, x, c, at, depth))
                }
                _ => {
                    from_zero
                        && self.prove(zero, x, 0, at, depth)
                        && self.prove(zero, y, -1, at, depth)
                }
            },
            Def::Shr(x, count) => {
                (a == zero && self.prove(zero, x, c * (1i128 << count), at, depth))
                    || (count == 1 && self.middle_from_below(a, x, c, at, depth))
            }
            Def::Rem(x, _) => from_zero && self.prove(zero, x, 0, at, depth),
            Def::BitAnd(x, y) => {
                from_zero
                    && (self.prove(zero, x, 0, at, depth) || self.prove(zero, y, 0, at, depth))
            }
            _ => false,
        }
    }

    /// `a - c <= (p + q + k) / 2` for `k` that is not negative.
    pub fn middle_from_below(
        &mut self,
        a: ValueId,
        sum: ValueId,
        c: i128,
        at: At,
        depth: u32,
    ) -> bool {
        let Some((p, q, k)) = self.halves(sum, at, depth) else { return false };
        k >= 0 && self.prove(a, p, c, at, depth) && self.prove(a, q, c, at, depth)
    }

    /// Both sides of a choice, each with what its condition says.
    pub fn each_choice(
        &mut self,
        cond: ValueId,
        at: At,
        sides: &[(ValueId, ValueId, i128); 2],
        depth: u32,
    ) -> bool {
        for (side, &(a, b, c)) in sides.iter().enumerate() {
            let mark = self.chosen.len();
            self.choose(cond, side == 0);
            if self.chosen[mark..].iter().any(|&(x, y, k)| self.is_impossible(x, y, k)) {
                self.chosen.truncate(mark);
                continue;
            }
            // What failed without the choice may hold with it.
            let failed = std::mem::take(&mut self.failed);
            let proved = self.prove(a, b, c, at, depth);
            self.failed = failed;
            self.chosen.truncate(mark);
            if !proved {
                return false;
            }
        }
        true
    }

    /// Whether the ranges of the values leave no room for `x - y <= k`.
    fn is_impossible(&self, x: ValueId, y: ValueId, k: i128) -> bool {
        self.values.get(x).lo - self.values.get(y).hi > k
    }

    pub fn choose(&mut self, cond: ValueId, truth: bool) {
        match self.values.get(cond).def {
            Def::Not(x) => self.choose(x, !truth),
            Def::Both(x, y) if truth => {
                self.choose(x, true);
                self.choose(y, true);
            }
            Def::Compare(op, x, y) => {
                let (x, y, k) = match (op, truth) {
                    (BinaryOp::Lt, true) | (BinaryOp::Ge, false) => (x, y, -1),
                    (BinaryOp::Le, true) | (BinaryOp::Gt, false) => (x, y, 0),
                    (BinaryOp::Gt, true) | (BinaryOp::Le, false) => (y, x, -1),
                    (BinaryOp::Ge, true) | (BinaryOp::Lt, false) => (y, x, 0),
                    _ => return,
                };
                let (x, y, k) = self.normal(x, y, k);
                self.chosen.push((x, y, k));
            }
            _ => {}
        }
    }
}
