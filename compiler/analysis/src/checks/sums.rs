//! Sums and products that other facts keep from wrapping.

use super::facts::Relation;
use super::prove::{At, Prover};
use super::value::{Def, Operands, ValueId};
use crate::constant::bounds;
use tenure_core::IntTy;

impl Prover<'_> {
    /// `x + y <= p` where `y` is at most what `x` leaves of `p`: then `x + y` does not wrap, and neither is negative.
    pub fn remainder(&mut self, sum: Operands, at: At, depth: u32) -> Option<ValueId> {
        let Operands { x, y, int } = sum;
        let depth = depth.checked_sub(1)?;
        let (_, greatest) = bounds(int)?;
        for (x, y) in [(x, y), (y, x)] {
            let Some(p) = self.whole_of(x, y, at) else { continue };
            if self.values.get(p).hi > greatest {
                continue;
            }
            let zero = self.zero();
            // With `0 <= x <= p`, the difference is exact, and so are the conversions of it and of what is at most
            // that.
            if self.prove(zero, x, 0, at, depth)
                && self.prove(x, p, 0, at, depth)
                && self.prove(zero, y, 0, at, depth)
            {
                return Some(p);
            }
        }
        None
    }

    /// The `p` of which it is a fact that `y`, before a conversion, is at most `p - x`.
    fn whole_of(&mut self, x: ValueId, y: ValueId, at: At) -> Option<ValueId> {
        let (mut inner, mut most) = (y, i128::MAX);
        if let Def::Cast(before, int) = self.values.get(y).def {
            // What is not negative and at most a number of the type is kept.
            if self.values.get(before).lo < 0 {
                return None;
            }
            (inner, most) = (before, bounds(int)?.1);
        }
        let x = self.resolve(x);
        let candidates: Vec<ValueId> = self
            .facts_about(inner, at)
            .into_iter()
            .filter(|fact| fact.relation == Relation::AtMost && fact.x == inner && fact.k <= 0)
            .map(|fact| fact.y)
            .collect();
        for mut whole in candidates {
            let mut wide = true;
            while let Def::Cast(before, int) = self.values.get(whole).def {
                let from = self.values.get(before);
                wide &= bounds(int).is_some_and(|(_, most)| from.hi <= most);
                whole = before;
            }
            if let Def::Sub(p, less, int) = self.values.get(whole).def {
                let hi = self.values.get(p).hi;
                let room = hi <= most && bounds(int).is_some_and(|(_, most)| hi <= most);
                if wide && room && self.resolve(less) == x {
                    return Some(p);
                }
            }
        }
        None
    }

    /// `2 * x` in a signed type, for `x` that is not negative, wraps to a negative number or not at all.
    pub fn doubles_exactly(
        &mut self,
        product: ValueId,
        (x, n): (ValueId, i128),
        int: IntTy,
        at: At,
        depth: u32,
    ) -> bool {
        n == 2
            && int.is_signed()
            && self.is_at_least_zero(product, at)
            && self.keeps_above(x, 0, at, depth)
    }

    /// `x >= least`, by what it is from round to round in the first place.
    fn keeps_above(&mut self, x: ValueId, least: i128, at: At, depth: u32) -> bool {
        let (zero, x) = (self.zero(), self.resolve(x));
        (depth > 0 && self.by_join(zero, x, -least, depth - 1))
            || self.prove(zero, x, -least, at, depth)
    }

    fn is_at_least_zero(&mut self, value: ValueId, at: At) -> bool {
        let zero = self.zero();
        let fact = self.facts_about(value, at).into_iter().find(|fact| {
            fact.relation == Relation::AtMost
                && fact.y == value
                && self.values.get(fact.x).lo - fact.k >= 0
                && (fact.x == zero || self.values.get(fact.x).lo >= 0)
        });
        if let Some(fact) = fact {
            self.used.push(fact.source);
        }
        fact.is_some()
    }

    /// `a - n * x <= c`: as `a - x <= c + (n - 1) * x`, for the least `x` that may be.
    pub fn below_product(
        &mut self,
        a: ValueId,
        product: ValueId,
        (x, n, int): (ValueId, i128, IntTy),
        c: i128,
        at: At,
        depth: u32,
    ) -> bool {
        let zero = self.zero();
        if a == zero || n < 2 {
            return false;
        }
        let exact = self.doubles_exactly(product, (x, n), int, at, depth)
            || self.is_exact_mul(x, n, int, at, depth);
        if !exact {
            return false;
        }
        if self.resolve(x) == a {
            let least = (-c).div_euclid(n - 1) + i128::from((-c).rem_euclid(n - 1) != 0);
            return self.keeps_above(x, least, at, depth);
        }
        self.prove(zero, x, 0, at, depth) && self.prove(a, x, c, at, depth)
    }
}
