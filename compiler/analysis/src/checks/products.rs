//! Bounds of indices with products of variables, such as `y * w + x` of a matrix in rows.
//!
//! An index is a polynomial in values that are taken as they are. It is congruent to what the machine computes modulo
//! two to the power of its width, so that it is equal to that if it lies in the bounds, whether or not something
//! wrapped on the way. To show that a polynomial is not negative, its variables are replaced one after the other by
//! bounds that facts give, in the direction in which it falls, until nothing negative is left.

use super::facts::Relation;
use super::prove::{At, Prover};
use super::value::{Def, ValueId};
use crate::constant::bounds;
use std::collections::BTreeMap;
use tenure_core::IntTy;

/// Factors of a term, terms of a polynomial.
const FACTORS: usize = 3;
const TERMS: usize = 24;
/// Replacements after each other, and all together for one goal.
const REPLACED: u32 = 8;
const TRIED: u32 = 160;
const DEPTH: u32 = 24;

/// A sum of products: coefficients by sorted factors; without factors, the constant.
#[derive(Clone, PartialEq, Debug, Default)]
struct Poly {
    terms: BTreeMap<Vec<ValueId>, i128>,
}

impl Poly {
    fn constant(n: i128) -> Poly {
        let mut poly = Poly::default();
        poly.add_term(Vec::new(), n);
        poly
    }

    fn variable(id: ValueId) -> Poly {
        let mut poly = Poly::default();
        poly.add_term(vec![id], 1);
        poly
    }

    fn add_term(&mut self, factors: Vec<ValueId>, n: i128) {
        let sum = self.terms.entry(factors.clone()).or_insert(0);
        *sum = sum.saturating_add(n);
        if *sum == 0 {
            self.terms.remove(&factors);
        }
    }

    /// `self + n * other`.
    fn plus(mut self, other: &Poly, n: i128) -> Poly {
        for (factors, k) in &other.terms {
            self.add_term(factors.clone(), k.saturating_mul(n));
        }
        self
    }

    fn times(&self, other: &Poly) -> Option<Poly> {
        let mut product = Poly::default();
        for (a, n) in &self.terms {
            for (b, m) in &other.terms {
                let mut factors = a.clone();
                factors.extend(b);
                factors.sort_unstable();
                if factors.len() > FACTORS {
                    return None;
                }
                product.add_term(factors, n.checked_mul(*m)?);
            }
        }
        (product.terms.len() <= TERMS).then_some(product)
    }

    /// `c` and `rest` of `c * v + rest`, if the variable stands alone in each term.
    fn apart(&self, v: ValueId) -> Option<(Poly, Poly)> {
        let (mut c, mut rest) = (Poly::default(), Poly::default());
        for (factors, &n) in &self.terms {
            match factors.iter().filter(|&&factor| factor == v).count() {
                0 => rest.add_term(factors.clone(), n),
                1 => c.add_term(factors.iter().copied().filter(|&f| f != v).collect(), n),
                _ => return None,
            }
        }
        Some((c, rest))
    }

    fn divided(&self, d: i128) -> Option<Poly> {
        let mut result = Poly::default();
        for (factors, n) in &self.terms {
            if n % d != 0 {
                return None;
            }
            result.add_term(factors.clone(), n / d);
        }
        Some(result)
    }

    /// A constant, or one variable once.
    fn is_plain(&self) -> bool {
        let plain = |(factors, &n): (&Vec<ValueId>, &i128)| {
            factors.is_empty() || (factors.len() == 1 && n == 1)
        };
        self.terms.len() < 2 && self.terms.iter().all(plain)
    }

    fn variables(&self) -> Vec<ValueId> {
        let mut all: Vec<ValueId> = self.terms.keys().flatten().copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

impl Prover<'_> {
    /// Whether `0 <= index < size` for an index, of `bits` bits, with products or sums in it.
    pub fn fits_product(&mut self, index: ValueId, size: ValueId, bits: u32, at: At) -> bool {
        let Some(plain) = self.expand(index, bits, DEPTH) else { return false };
        self.renew();
        let size = self.exactly(size, at, DEPTH);
        if !(plain.is_plain() && size.is_plain()) && self.is_within(&plain, &size, at) {
            return true;
        }
        let counted = self.by_counters(&plain, bits, at);
        counted.is_some_and(|index| self.is_within(&index, &size, at))
    }

    fn is_within(&mut self, index: &Poly, size: &Poly, at: At) -> bool {
        self.renew();
        let room = size.clone().plus(index, -1).plus(&Poly::constant(-1), 1);
        let mut left = TRIED;
        self.is_natural(index, at, REPLACED, &mut left)
            && self.is_natural(&room, at, REPLACED, &mut left)
    }

    /// Whether numbers below the size are none that a signed index of the width takes for negative.
    pub fn is_half_of(&self, size: ValueId, bits: u32) -> bool {
        bits <= 64 && self.values.get(size).hi <= 1i128 << (bits - 1)
    }

    /// What a value is congruent to modulo two to the power of `bits`.
    fn expand(&mut self, id: ValueId, bits: u32, depth: u32) -> Option<Poly> {
        let id = self.resolve(id);
        let wide = |int: IntTy| int.bits() >= bits;
        let depth = depth.checked_sub(1)?;
        match self.values.get(id).def {
            Def::Const(n) => Some(Poly::constant(n)),
            Def::Plus(x, k, int) if wide(int) => {
                Some(self.expand(x, bits, depth)?.plus(&Poly::constant(k), 1))
            }
            Def::Add(x, y, int) if wide(int) => {
                let y = self.expand(y, bits, depth)?;
                Some(self.expand(x, bits, depth)?.plus(&y, 1))
            }
            Def::Sub(x, y, int) if wide(int) => {
                let y = self.expand(y, bits, depth)?;
                Some(self.expand(x, bits, depth)?.plus(&y, -1))
            }
            Def::Mul(x, y, int) if wide(int) => {
                let (a, b) = (self.expand(x, bits, depth)?, self.expand(y, bits, depth)?);
                a.times(&b).or_else(|| Some(Poly::variable(id)))
            }
            Def::Cast(x, int) if wide(int) && int != IntTy::Bool => self.expand(x, bits, depth),
            _ => Some(Poly::variable(id)),
        }
    }

    /// With counters of loops in terms of others that are known; `None` if there are none.
    fn by_counters(&mut self, poly: &Poly, bits: u32, at: At) -> Option<Poly> {
        let mut result = poly.clone();
        for v in poly.variables() {
            let Some(counter) = self.counter(v, bits) else { continue };
            let known = self.known_counter(counter.join, v, bits, at);
            let (Some((other, start)), Some((c, rest))) = (known, result.apart(v)) else {
                continue;
            };
            let rounds = Poly::variable(other).plus(&self.expand(start, bits, DEPTH)?, -1);
            let value = self.expand(counter.start, bits, DEPTH)?.plus(&rounds, counter.step);
            result = c.times(&value)?.plus(&rest, 1);
        }
        (result != *poly && result.terms.len() <= TERMS).then_some(result)
    }

    /// What a value is, taken apart where nothing wraps at the place.
    fn exactly(&mut self, id: ValueId, at: At, depth: u32) -> Poly {
        let id = self.resolve(id);
        let Some(depth) = depth.checked_sub(1) else { return Poly::variable(id) };
        match self.values.get(id).def {
            Def::Const(n) => return Poly::constant(n),
            Def::Plus(x, k, int) if self.is_exact_plus(x, k, int, at, DEPTH) => {
                return self.exactly(x, at, depth).plus(&Poly::constant(k), 1);
            }
            Def::Add(x, y, int) if self.is_exact_add(x, y, int, at, DEPTH) => {
                let y = self.exactly(y, at, depth);
                return self.exactly(x, at, depth).plus(&y, 1);
            }
            Def::Sub(x, y, int) if self.is_exact_sub(x, y, int, at, DEPTH) => {
                let y = self.exactly(y, at, depth);
                return self.exactly(x, at, depth).plus(&y, -1);
            }
            Def::Cast(x, int) if self.is_exact_cast(x, int, at, DEPTH) => {
                return self.exactly(x, at, depth);
            }
            Def::Mul(x, y, int) if self.is_exact_product(x, y, int, at) => {
                let (a, b) = (self.exactly(x, at, depth), self.exactly(y, at, depth));
                if let Some(product) = a.times(&b) {
                    return product;
                }
            }
            _ => {}
        }
        Poly::variable(id)
    }

    fn is_exact_product(&mut self, x: ValueId, y: ValueId, int: IntTy, at: At) -> bool {
        let Some((least, greatest)) = bounds(int) else { return false };
        let (a, b) = (self.lower(x, at, DEPTH), self.upper(x, at, DEPTH));
        let (c, d) = (self.lower(y, at, DEPTH), self.upper(y, at, DEPTH));
        [(a, c), (a, d), (b, c), (b, d)].into_iter().all(|(p, q)| {
            p.checked_mul(q).is_some_and(|product| least <= product && product <= greatest)
        })
    }

    fn is_natural(&mut self, poly: &Poly, at: At, depth: u32, left: &mut u32) -> bool {
        let zero = self.zero();
        let mut negative = Vec::new();
        for (factors, &n) in &poly.terms {
            if n < 0 {
                negative.extend(factors.iter().copied());
            }
            if factors.iter().any(|&factor| !self.prove(zero, factor, 0, at, DEPTH)) {
                return false;
            }
        }
        if poly.terms.values().all(|&n| n >= 0) {
            return true;
        }
        if depth == 0 {
            return false;
        }
        let mut ways = Vec::new();
        for v in poly.variables() {
            let Some((c, rest)) = poly.apart(v) else { continue };
            let falls = c.terms.values().all(|&n| n <= 0);
            let rises = c.terms.values().all(|&n| n >= 0);
            if !falls && !rises || (falls && !negative.contains(&v)) {
                continue;
            }
            for bound in self.bounds_of(v, falls, at) {
                if bound.poly == Poly::variable(v) {
                    continue;
                }
                let Some(least) = c.divided(bound.times).and_then(|c| c.times(&bound.poly)) else {
                    continue;
                };
                let least = least.plus(&rest, 1);
                if least.terms.len() <= TERMS {
                    ways.push((bound.rank, least));
                }
            }
        }
        self.orders(poly, &negative, at, &mut ways);
        ways.sort_by_key(|(rank, _)| *rank);
        for (_, least) in ways {
            if *left == 0 {
                return false;
            }
            *left -= 1;
            if self.is_natural(&least, at, depth - 1, left) {
                return true;
            }
        }
        false
    }

    /// Replacements of a variable by another of the polynomial that is not above it.
    fn orders(&mut self, poly: &Poly, negative: &[ValueId], at: At, ways: &mut Vec<(Rank, Poly)>) {
        for v in poly.variables() {
            let Some((c, rest)) = poly.apart(v) else { continue };
            if c.terms.values().any(|&n| n < 0) {
                continue;
            }
            for &u in negative {
                if u != v && self.prove(u, v, 0, at, DEPTH) {
                    if let Some(least) = c.times(&Poly::variable(u)) {
                        ways.push((Rank::Below, least.plus(&rest, 1)));
                    }
                }
            }
        }
    }

    /// What the variable is at most, or at least.
    fn bounds_of(&mut self, v: ValueId, above: bool, at: At) -> Vec<Bound> {
        let zero = self.zero();
        let mut found = Vec::new();
        for fact in self.facts_about(v, at) {
            if fact.relation != Relation::AtMost {
                continue;
            }
            if above && fact.x == v {
                let poly = self.exactly(fact.y, at, DEPTH);
                // Without the constant, a term of a product may cancel another.
                if fact.k < 0 {
                    found.push(Bound { poly: poly.clone(), times: 1, rank: Rank::Relaxed });
                }
                let rank = if fact.y == zero { Rank::Constant } else { Rank::Above };
                found.push(Bound { poly: poly.plus(&Poly::constant(fact.k), 1), times: 1, rank });
            } else if !above && fact.y == v && (fact.x != zero || fact.k < 0) {
                let poly = self.exactly(fact.x, at, DEPTH).plus(&Poly::constant(-fact.k), 1);
                let rank = if fact.x == zero { Rank::Constant } else { Rank::Below };
                found.push(Bound { poly, times: 1, rank });
            }
        }
        let quotient = match self.values.get(v).def {
            Def::Div(x, d) => self.values.constant_of(d).filter(|&d| d > 0).map(|d| (x, d)),
            Def::Shr(x, count) => Some((x, 1i128 << count)),
            _ => None,
        };
        if let Some((x, d)) = quotient {
            if self.prove(zero, x, 0, at, DEPTH) {
                let slack = if above { 0 } else { 1 - d };
                let poly = self.exactly(x, at, DEPTH).plus(&Poly::constant(slack), 1);
                found.push(Bound { poly, times: d, rank: Rank::Above });
            }
        }
        if let Def::Rem(_, y) = self.values.get(v).def {
            if above && self.prove(zero, y, -1, at, DEPTH) {
                let poly = self.exactly(y, at, DEPTH);
                found.push(Bound { poly: poly.clone(), times: 1, rank: Rank::Relaxed });
                let poly = poly.plus(&Poly::constant(-1), 1);
                found.push(Bound { poly, times: 1, rank: Rank::Above });
            }
        }
        let value = self.values.get(v);
        if above && value.hi < 1 << 31 {
            let poly = Poly::constant(value.hi);
            found.push(Bound { poly, times: 1, rank: Rank::Constant });
        }
        found
    }
}

/// `times * v` is at most, or at least, the polynomial.
struct Bound {
    poly: Poly,
    times: i128,
    rank: Rank,
}

/// What is tried first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Above,
    Below,
    Relaxed,
    Constant,
}
