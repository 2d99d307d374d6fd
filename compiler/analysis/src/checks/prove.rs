//! Proofs of `a - b <= c` at a place, on demand.
//!
//! A claim is reduced to others: by a fact that holds at the place, by the definition of a value (of a sum only where
//! it is shown not to wrap), and at a join by showing it at the end of every way in. A claim at a loop's head may
//! assume itself at the earlier times that control was there: the induction is over time, since each way in lies
//! before.

use super::facts::{Fact, Facts, Position, Relation, Source};
use super::value::{Def, Operands, ValueId, Values};
use crate::cfg::BlockId;
use crate::constant::bounds;
use crate::order::Order;
use tenure_core::IntTy;
use tenure_span::FastMap;

/// A place in the function: facts before the position hold.
pub type At = (BlockId, Position);

/// The end of a block.
pub const END: Position = Position::MAX;

/// Claims looked at for one goal; bounds the time for a function by the number of its checks.
const FUEL: u32 = 2000;
const DEEPEST: u32 = 48;
/// No level: a failure that is no fault of a claim around it.
const DECIDED: u32 = u32::MAX;
/// How much weaker a claim inside the same one is that went round a cycle of facts.
const ROUND: i128 = 4096;
/// Facts about one value that are followed.
const FOLLOWED: usize = 24;

/// The least bound that was shown, the assumption it needs, and a fact that it took.
type Shown = (i128, u32, Option<Source>);

/// `x - y <= k` at a join, for all times that control was there before.
#[derive(Clone, Copy)]
struct Assumed {
    x: ValueId,
    y: ValueId,
    k: i128,
    join: BlockId,
    /// At which it is being shown.
    level: u32,
}

pub struct Prover<'o> {
    pub values: Values<'o>,
    facts: Facts,
    order: &'o Order,
    pub fuel: u32,
    /// Claims at joins that are being shown.
    assumed: Vec<Assumed>,
    /// Numbers of the claims in `assumed`.
    stages: Vec<u32>,
    stage: u32,
    /// The least `c` for which a claim was shown, while the assumption with the number was made (0: none), and a fact
    /// that it took.
    shown: FastMap<(ValueId, ValueId, At), Shown>,
    /// The greatest `c` for which a claim failed, or is being looked at on a level.
    pub failed: FastMap<(ValueId, ValueId, BlockId, bool), (i128, u32)>,
    /// A claim around, inside of which a weaker one of the same values is looked at, too.
    loose: Option<(ValueId, ValueId, BlockId, bool)>,
    /// Claims inside each other that are being looked at.
    level: u32,
    /// The outermost level whose claim stood in the way of one inside it: until it is decided, what failed there may
    /// yet hold.
    blocked: u32,
    /// `x - y <= k` inside one side of a choice.
    pub chosen: Vec<(ValueId, ValueId, i128)>,
    /// Whether a claim around is being shown by a strict order.
    is_strict: bool,
    /// Facts used by the proof so far.
    pub used: Vec<Source>,
    resolved: FastMap<ValueId, ValueId>,
    /// Sums that were shown not to wrap at a place, without any assumption.
    pub exact: FastMap<(ValueId, ValueId, IntTy, At), ()>,
}

impl<'o> Prover<'o> {
    pub fn new(values: Values<'o>, facts: Facts, order: &'o Order) -> Prover<'o> {
        Prover {
            values,
            facts,
            order,
            fuel: 0,
            assumed: Vec::new(),
            stages: Vec::new(),
            stage: 0,
            shown: FastMap::default(),
            failed: FastMap::default(),
            loose: None,
            level: 0,
            blocked: DECIDED,
            chosen: Vec::new(),
            is_strict: false,
            used: Vec::new(),
            resolved: FastMap::default(),
            exact: FastMap::default(),
        }
    }

    pub fn zero(&self) -> ValueId {
        self.values.zero
    }

    /// A goal of its own, with fuel of its own.
    pub fn at_most(&mut self, a: ValueId, b: ValueId, c: i128, at: At) -> bool {
        self.fuel = FUEL;
        self.failed.clear();
        self.prove(a, b, c, at, DEEPEST)
    }

    /// Fuel for a goal that takes many claims.
    pub fn renew(&mut self) {
        self.fuel = 4 * FUEL;
        self.failed.clear();
    }

    pub fn at_least(&mut self, a: ValueId, n: i128, at: At) -> bool {
        let zero = self.zero();
        self.at_most(zero, a, -n, at)
    }

    /// Bounds of a value at a place.
    pub fn range(&mut self, a: ValueId, at: At) -> (i128, i128) {
        self.fuel = FUEL;
        self.failed.clear();
        let hi = self.upper(a, at, DEEPEST);
        self.fuel = FUEL;
        self.failed.clear();
        let lo = self.lower(a, at, DEEPEST);
        (lo, hi)
    }

    /// As [`Prover::range`]; where nothing bounds the value from above, one of the constants, which ascend, may.
    pub fn range_within(&mut self, a: ValueId, sizes: &[i128], at: At) -> (i128, i128) {
        const HUGE: i128 = 1 << 24;
        let (lo, mut hi) = self.range(a, at);
        if hi >= HUGE {
            let zero = self.zero();
            let (mut low, mut high) = (0, sizes.partition_point(|&size| size < hi));
            while low < high {
                let middle = (low + high) / 2;
                if self.at_most(a, zero, sizes[middle], at) {
                    (high, hi) = (middle, sizes[middle]);
                } else {
                    low = middle + 1;
                }
            }
        }
        (lo, hi)
    }

    /// Whether `a - b != 0` is a fact, or follows from an order of the two.
    pub fn differ(&mut self, a: ValueId, k: i128, at: At) -> bool {
        let zero = self.zero();
        self.at_most(a, zero, k - 1, at)
            || self.at_least(a, k + 1, at)
            || self.differ_by_facts(a, k, at, DEEPEST)
    }

    fn differ_by_facts(&mut self, a: ValueId, k: i128, at: At, depth: u32) -> bool {
        let zero = self.zero();
        let a = self.resolve(a);
        if let Some(n) = self.values.constant_of(a) {
            return n != k;
        }
        let value = self.values.get(a);
        if value.lo > k || value.hi < k {
            return true;
        }
        let fact = self.facts.about(a, self.order, at).find(|fact| {
            fact.relation == Relation::Differ && fact.x == a && fact.y == zero && fact.k == k
        });
        if let Some(fact) = fact {
            self.used.push(fact.source);
            return true;
        }
        if depth == 0 || self.fuel == 0 {
            return false;
        }
        self.fuel -= 1;
        match value.def {
            Def::Cast(x, int) if k == 0 => {
                self.is_exact_cast(x, int, at, depth) && self.differ_by_facts(x, k, at, depth - 1)
            }
            Def::Select(_, x, y) => {
                self.differ_by_facts(x, k, at, depth - 1)
                    && self.differ_by_facts(y, k, at, depth - 1)
            }
            _ => match self.values.meeting(a) {
                // Loops are not followed round: the way back asks for the same value again and runs out of depth.
                Some((_, operands)) => operands.into_iter().all(|(way, operand)| {
                    operand == a || self.differ_by_facts(operand, k, (way, END), depth / 2)
                }),
                None => false,
            },
        }
    }

    /// The one value that a phi can have, if all ways bring the same.
    pub fn resolve(&mut self, id: ValueId) -> ValueId {
        // Joins follow each other as often as a function is long.
        const JOINS: u32 = 64;
        self.resolve_within(id, JOINS)
    }

    fn resolve_within(&mut self, id: ValueId, joins: u32) -> ValueId {
        if let Some(&known) = self.resolved.get(&id) {
            return known;
        }
        if let Def::View(inner, _) = self.values.get(id).def {
            return self.resolve_within(inner, joins);
        }
        if joins == 0 {
            return id;
        }
        if let Some(other) = self.without_zero(id, joins - 1) {
            self.resolved.insert(id, other);
            return other;
        }
        if !matches!(self.values.get(id).def, Def::Phi(_) | Def::Part(..)) {
            return id;
        }
        // While it is looked at, it stands for itself.
        self.resolved.insert(id, id);
        let only = self.only_source(id, joins - 1).unwrap_or(id);
        self.resolved.insert(id, only);
        only
    }

    /// What a web of phis that bring each other round takes its values from, if that is one value: it is computed
    /// before control comes to the outermost loop of the web, so that it is the same all the time.
    fn only_source(&mut self, id: ValueId, joins: u32) -> Option<ValueId> {
        const WEB: usize = 32;
        let mut web = vec![id];
        let mut only = None;
        let mut next = 0;
        while let Some(&member) = web.get(next) {
            next += 1;
            let (_, operands) = self.values.meeting(member)?;
            if operands.len() > 8 {
                return None;
            }
            for (_, operand) in operands {
                let is_phi = matches!(self.values.get(operand).def, Def::Phi(_) | Def::Part(..));
                let known = self.resolved.get(&operand).copied();
                let operand = match known {
                    Some(known) => known,
                    None if is_phi => operand,
                    None => self.resolve_within(operand, joins),
                };
                if web.contains(&operand) || only == Some(operand) {
                    continue;
                }
                if self.values.meeting(operand).is_some() && web.len() < WEB {
                    web.push(operand);
                } else if only.is_none() {
                    only = Some(operand);
                } else {
                    return None;
                }
            }
        }
        only
    }

    /// The other operand of a sum whose one operand is always zero, and the length that is left at index zero.
    fn without_zero(&mut self, id: ValueId, joins: u32) -> Option<ValueId> {
        let zero = self.zero();
        let is_part =
            |id: ValueId, prover: &Prover| matches!(prover.values.get(id).def, Def::Part(..));
        match self.values.get(id).def {
            Def::Add(x, y, int) => {
                for (x, y) in [(x, y), (y, x)] {
                    if is_part(x, self) && self.resolve_within(x, joins) == zero {
                        let (value, all) = (self.values.get(y), bounds(int)?);
                        return (all.0 <= value.lo && value.hi <= all.1)
                            .then(|| self.resolve_within(y, joins));
                    }
                }
                None
            }
            Def::Count(idx, len) if is_part(idx, self) => {
                (self.resolve_within(idx, joins) == zero).then(|| self.resolve_within(len, joins))
            }
            _ => None,
        }
    }

    /// Without constants: they go to the right-hand side.
    pub fn normal(&mut self, a: ValueId, b: ValueId, c: i128) -> (ValueId, ValueId, i128) {
        let (mut a, mut b, mut c) = (self.resolve(a), self.resolve(b), c);
        let zero = self.zero();
        if let Some(n) = self.values.constant_of(a) {
            (a, c) = (zero, c - n);
        }
        if let Some(n) = self.values.constant_of(b) {
            (b, c) = (zero, c + n);
        }
        (a, b, c)
    }

    pub fn prove(&mut self, a: ValueId, b: ValueId, c: i128, at: At, depth: u32) -> bool {
        let (a, b, c) = self.normal(a, b, c);
        if a == b {
            return c >= 0;
        }
        let (x, y) = (self.values.get(a), self.values.get(b));
        if x.hi - y.lo <= c {
            return true;
        }
        if x.lo - y.hi > c || depth == 0 || self.fuel == 0 {
            return false;
        }
        if self.assumed.iter().any(|known| known.x == a && known.y == b && c >= known.k) {
            return true;
        }
        if self.chosen.iter().any(|&(p, q, k)| p == a && q == b && k <= c) {
            return true;
        }
        if self.was_shown(a, b, c, at) {
            return true;
        }
        let key = (a, b, at.0, at.1 == END);
        if let Some(&(failed, level)) = self.failed.get(&key) {
            // A little weaker, it would lead back to the same one only by way of a contradiction; much weaker claims
            // are made to show that a sum does not wrap.
            let round = level != DECIDED && c <= failed + ROUND && self.loose != Some(key);
            if c <= failed || round {
                self.blocked = self.blocked.min(level);
                return false;
            }
        }
        self.level += 1;
        let outside = std::mem::replace(&mut self.blocked, DECIDED);
        let before = self.failed.insert(key, (c, self.level));
        self.fuel -= 1;
        let mark = self.used.len();
        let together = self.meet_together(a, b);
        let proved = self.by_one_fact(a, b, c, at)
            || (together && self.by_join(a, b, c, depth - 1))
            || self.by_upper_side(a, x, b, c, at, depth - 1)
            || self.by_lower_side(a, b, y, c, at, depth - 1)
            || self.by_facts(a, b, c, at, depth - 1)
            || self.by_difference(a, b, c, at, depth - 1)
            || self.by_sums(a, b, c, at, depth - 1)
            || self.by_additions(a, b, c, at, depth - 1)
            || self.by_square(a, b, c, at, depth - 1)
            || (!together && self.by_join(a, b, c, depth - 1));
        let undecided = self.blocked < self.level;
        if proved || undecided {
            match before {
                Some(failed) => self.failed.insert(key, failed),
                None => self.failed.remove(&key),
            };
        } else {
            self.failed.insert(key, (c, DECIDED));
        }
        self.blocked = if undecided && !proved { outside.min(self.blocked) } else { outside };
        self.level -= 1;
        if !proved {
            self.used.truncate(mark);
        } else if self.chosen.is_empty() {
            let stage = self.stages.last().copied().unwrap_or(0);
            let source = self.used[mark..].last().copied();
            self.shown.insert((a, b, at), (c, stage, source));
        }
        proved
    }

    /// Whether the claim was shown, and nothing was assumed for it that is not assumed now.
    fn was_shown(&mut self, a: ValueId, b: ValueId, c: i128, at: At) -> bool {
        let Some(&(least, stage, source)) = self.shown.get(&(a, b, at)) else { return false };
        let holds = least <= c && (stage == 0 || self.stages.contains(&stage));
        if holds {
            self.used.extend(source);
        }
        holds
    }

    /// Whether nothing is assumed that is yet to be shown.
    pub fn is_unconditional(&self) -> bool {
        self.assumed.is_empty()
    }

    fn by_one_fact(&mut self, a: ValueId, b: ValueId, c: i128, at: At) -> bool {
        let side = if a == self.zero() { b } else { a };
        let fact = self.facts.about(side, self.order, at).take(FOLLOWED).find(|fact| {
            fact.relation == Relation::AtMost && fact.x == a && fact.y == b && fact.k <= c
        });
        if let Some(fact) = fact {
            self.used.push(fact.source);
        }
        fact.is_some()
    }

    pub fn facts_about(&self, value: ValueId, at: At) -> Vec<Fact> {
        if value == self.zero() {
            return Vec::new();
        }
        let mut facts: Vec<Fact> = Vec::new();
        for fact in self.facts.about(value, self.order, at).take(FOLLOWED) {
            let same = facts.iter_mut().find(|known| {
                known.relation == fact.relation && known.x == fact.x && known.y == fact.y
            });
            match same {
                Some(known) if fact.relation == Relation::AtMost => {
                    if fact.k < known.k {
                        *known = fact;
                    }
                }
                Some(known) if known.k == fact.k => {}
                _ => facts.push(fact),
            }
        }
        facts
    }

    fn by_facts(&mut self, a: ValueId, b: ValueId, c: i128, at: At, depth: u32) -> bool {
        for fact in self.facts_about(a, at) {
            if fact.relation == Relation::AtMost
                && fact.x == a
                && self.prove(fact.y, b, c - fact.k, at, depth)
            {
                self.used.push(fact.source);
                return true;
            }
        }
        for fact in self.facts_about(b, at) {
            if fact.relation == Relation::AtMost
                && fact.y == b
                && self.prove(a, fact.x, c - fact.k, at, depth)
            {
                self.used.push(fact.source);
                return true;
            }
        }
        for n in 0..self.assumed.len() {
            let Assumed { x, y, k, join, .. } = self.assumed[n];
            // Before control first comes to the join, its phis have no values to speak of.
            let defined = self.order.dominates(join, at.0) && y != b && y != self.zero();
            if x == a && defined && self.prove(y, b, c - k, at, depth) {
                return true;
            }
        }
        for (x, y, k) in self.chosen.clone() {
            if (x == a && self.prove(y, b, c - k, at, depth))
                || (y == b && self.prove(a, x, c - k, at, depth))
            {
                return true;
            }
        }
        false
    }

    /// `a - b <= c + 1` and they do not differ by `c + 1`.
    fn by_difference(&mut self, a: ValueId, b: ValueId, c: i128, at: At, depth: u32) -> bool {
        let side = if a == self.zero() { b } else { a };
        for fact in self.facts_about(side, at) {
            let fits = fact.relation == Relation::Differ
                && ((fact.x == a && fact.y == b && fact.k == c + 1)
                    || (fact.x == b && fact.y == a && fact.k == -c - 1));
            if fits {
                // That weaker claim is not the kind that goes round.
                let key = (a, b, at.0, at.1 == END);
                let loose = self.loose.replace(key);
                let shown = self.prove(a, b, c + 1, at, depth);
                self.loose = loose;
                if shown {
                    self.used.push(fact.source);
                    return true;
                }
            }
        }
        self.by_strict_order(a, b, c, at, depth)
    }

    /// `a <= y + k` and they are not equal, and `y + k - 1 <= b + c`.
    fn by_strict_order(&mut self, a: ValueId, b: ValueId, c: i128, at: At, depth: u32) -> bool {
        // Once on a way from claim to claim: a chain of these would go back and forth.
        const NEAR: u32 = 16;
        if std::mem::replace(&mut self.is_strict, true) {
            return false;
        }
        let shown = self.by_strict_fact(a, b, c, at, depth.min(NEAR));
        self.is_strict = false;
        shown
    }

    fn by_strict_fact(&mut self, a: ValueId, b: ValueId, c: i128, at: At, depth: u32) -> bool {
        let zero = self.zero();
        for fact in self.facts_about(a, at) {
            let (y, k) = match fact.relation {
                Relation::Differ if fact.x == a => (fact.y, fact.k),
                Relation::Differ if fact.y == a => (fact.x, -fact.k),
                _ => continue,
            };
            if y != zero
                && y != b
                && self.prove(a, y, k, at, depth)
                && self.prove(y, b, c - k + 1, at, depth)
            {
                self.used.push(fact.source);
                return true;
            }
        }
        false
    }

    /// What is known of `a + k` or `b + k`, where these do not wrap.
    fn by_sums(&mut self, a: ValueId, b: ValueId, c: i128, at: At, depth: u32) -> bool {
        const SUMS: usize = 4;
        for (sum, k, int) in self.values.sums_of(a).iter().copied().take(SUMS).collect::<Vec<_>>() {
            if self.is_known(sum, at)
                && self.is_exact_plus(a, k, int, at, depth)
                && self.prove(sum, b, c + k, at, depth)
            {
                return true;
            }
        }
        for (sum, k, int) in self.values.sums_of(b).iter().copied().take(SUMS).collect::<Vec<_>>() {
            if self.is_known(sum, at)
                && self.is_exact_plus(b, k, int, at, depth)
                && self.prove(a, sum, c - k, at, depth)
            {
                return true;
            }
        }
        false
    }

    /// What is known of `a + y`, where it does not wrap.
    fn by_additions(&mut self, a: ValueId, b: ValueId, c: i128, at: At, depth: u32) -> bool {
        const SUMS: usize = 4;
        let additions: Vec<_> = self.values.additions_of(a).iter().copied().take(SUMS).collect();
        additions.into_iter().any(|(sum, y, int)| {
            if !self.is_known(sum, at) || !self.is_exact_add(a, y, int, at, depth) {
                return false;
            }
            let least = self.lower(y, at, depth / 2);
            self.prove(sum, b, c + least, at, depth)
        })
    }

    /// `a <= b + c` because `a` is not negative and its square, which does not wrap, is at most that, or at most the
    /// square of `c` where `b` is zero.
    fn by_square(&mut self, a: ValueId, b: ValueId, c: i128, at: At, depth: u32) -> bool {
        let Some((square, int)) = self.values.square_of(a) else { return false };
        let Some((_, greatest)) = bounds(int) else { return false };
        if !self.is_known(square, at) {
            return false;
        }
        let zero = self.zero();
        let root = (greatest as f64).sqrt() as i128 - 1;
        if !self.prove(a, zero, root, at, depth) || !self.prove(zero, a, 0, at, depth) {
            return false;
        }
        let most = self.upper(square, at, depth / 2);
        (b == zero && c >= 0 && c < root && most < (c + 1) * (c + 1))
            || self.prove(square, b, c, at, depth)
    }

    /// Whether any fact is about the value.
    pub fn is_known(&self, value: ValueId, at: At) -> bool {
        self.facts.about(value, self.order, at).next().is_some()
    }

    /// Whether the value is the same at the end of every way into the join as it is in the join.
    pub fn is_fixed_at(&self, value: ValueId, join: BlockId) -> bool {
        let home = self.values.get(value).home;
        home != join && self.order.dominates(home, join)
    }

    pub fn is_way_back(&self, way: BlockId, join: BlockId) -> bool {
        self.order.dominates(join, way)
    }

    /// Whether both are phis of one join: what relates them is mostly kept from round to round.
    fn meet_together(&self, a: ValueId, b: ValueId) -> bool {
        let join = self.values.join_of(b);
        join.is_some() && self.values.join_of(a) == join
    }

    pub fn by_join(&mut self, a: ValueId, b: ValueId, c: i128, depth: u32) -> bool {
        // A stronger claim about the same values would lead to a stronger one still.
        if let Some(goal) = self.assumed.iter().find(|goal| goal.x == a && goal.y == b) {
            self.blocked = self.blocked.min(goal.level);
            return false;
        }
        let (left, right) = (self.values.meeting(a), self.values.meeting(b));
        let (join, ways): (BlockId, Vec<(BlockId, ValueId, ValueId)>) = match (left, right) {
            (Some((join, xs)), Some((other, ys))) if join == other => {
                let pairs = xs.iter().zip(&ys).map(|(&(way, x), &(_, y))| (way, x, y));
                (join, pairs.collect())
            }
            (Some((join, xs)), _) if self.is_fixed_at(b, join) => {
                (join, xs.into_iter().map(|(way, x)| (way, x, b)).collect())
            }
            (_, Some((join, ys))) if self.is_fixed_at(a, join) => {
                (join, ys.into_iter().map(|(way, y)| (way, a, y)).collect())
            }
            _ => return false,
        };
        // What a choice says was said of the values as they are now, not as they were on the way here.
        let chosen = std::mem::take(&mut self.chosen);
        self.assumed.push(Assumed { x: a, y: b, k: c, join, level: self.level });
        self.stage += 1;
        self.stages.push(self.stage);
        // What failed, or is being looked at around, may hold now that more is assumed.
        let failed = std::mem::take(&mut self.failed);
        let proved = ways.into_iter().all(|(way, x, y)| self.prove(x, y, c, (way, END), depth));
        self.assumed.pop();
        self.stages.pop();
        self.failed = failed;
        self.chosen = chosen;
        proved
    }

    /// A constant that the value does not exceed here: of the nearest facts, not the best one.
    pub fn upper(&mut self, id: ValueId, at: At, depth: u32) -> i128 {
        let id = self.resolve(id);
        let value = self.values.get(id);
        let mut best = value.hi;
        for fact in self.facts_about(id, at) {
            if fact.relation == Relation::AtMost && fact.x == id {
                best = best.min(self.values.get(fact.y).hi + fact.k);
            }
        }
        if depth > 0 && self.fuel > 0 {
            self.fuel -= 1;
            if let Some(upper) = self.upper_by_definition(value.def, at, depth) {
                best = best.min(upper);
            }
        }
        best - i128::from(self.is_not(id, best, at))
    }

    /// Whether it is a fact that the value is another.
    fn is_not(&self, id: ValueId, n: i128, at: At) -> bool {
        let zero = self.zero();
        self.facts_about(id, at).into_iter().any(|fact| {
            fact.relation == Relation::Differ && fact.x == id && fact.y == zero && fact.k == n
        })
    }

    fn upper_by_definition(&mut self, def: Def, at: At, depth: u32) -> Option<i128> {
        let half = depth / 2;
        match def {
            Def::Plus(x, k, int) => self
                .is_exact_plus(x, k, int, at, depth)
                .then(|| self.upper(x, at, half))
                .map(|upper| upper + k),
            Def::Cast(x, int) => {
                self.is_exact_cast(x, int, at, depth).then(|| self.upper(x, at, half))
            }
            Def::Mul(x, y, int) => {
                let Some((x, n)) = self.times(x, y) else {
                    return self.upper_of_product(Operands { x, y, int }, at, half);
                };
                let exact = self.is_exact_mul(x, n, int, at, depth);
                exact.then(|| self.upper(x, at, half).saturating_mul(n))
            }
            Def::Div(x, y) => {
                let n = self.values.constant_of(y).filter(|&n| n > 0)?;
                Some(self.upper(x, at, half) / n)
            }
            Def::Shr(x, count) => Some(self.upper(x, at, half) >> count),
            Def::Sub(x, y, int) => {
                let exact = self.is_exact_sub(x, y, int, at, half);
                exact.then(|| self.upper(x, at, half) - self.lower(y, at, half))
            }
            Def::Select(_, x, y) => Some(self.upper(x, at, half).max(self.upper(y, at, half))),
            _ => None,
        }
    }

    /// The product of the greatest that two factors can be, neither of which is negative, if nothing wraps.
    fn upper_of_product(&mut self, factors: Operands, at: At, depth: u32) -> Option<i128> {
        let Operands { x, y, int } = factors;
        let zero = self.zero();
        let most = self.upper(x, at, depth).checked_mul(self.upper(y, at, depth))?;
        let fits = bounds(int).is_some_and(|(_, greatest)| most <= greatest);
        (fits && self.prove(zero, x, 0, at, depth) && self.prove(zero, y, 0, at, depth))
            .then_some(most)
    }

    /// A product with a positive constant.
    pub fn times(&self, x: ValueId, y: ValueId) -> Option<(ValueId, i128)> {
        match (self.values.constant_of(x), self.values.constant_of(y)) {
            (_, Some(n)) if n > 0 => Some((x, n)),
            (Some(n), _) if n > 0 => Some((y, n)),
            _ => None,
        }
    }

    pub fn lower(&mut self, id: ValueId, at: At, depth: u32) -> i128 {
        let id = self.resolve(id);
        let value = self.values.get(id);
        let mut best = value.lo;
        for fact in self.facts_about(id, at) {
            if fact.relation == Relation::AtMost && fact.y == id {
                best = best.max(self.values.get(fact.x).lo - fact.k);
            }
        }
        let zero = self.zero();
        // Counting up from zero is the most common reason, and no fact.
        if best < 0 && depth > 0 && self.prove(zero, id, 0, at, depth - 1) {
            best = 0;
        }
        if depth > 0 {
            if let Def::Plus(x, k, int) = value.def {
                if self.is_exact_plus(x, k, int, at, depth) {
                    best = best.max(self.lower(x, at, depth / 2) + k);
                }
            }
        }
        best + i128::from(self.is_not(id, best, at))
    }
}
