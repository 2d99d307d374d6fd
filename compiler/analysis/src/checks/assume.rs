//! What the outcome of a condition says.

use super::build::Builder;
use super::facts::{Relation, Source};
use super::value::{Def, ValueId};
use crate::cfg::BlockId;
use tenure_core::BinaryOp;

/// Conditions inside conditions that are looked into.
const DEEPEST: u32 = 8;
/// Facts of a way that are carried over a join.
const CARRIED: usize = 64;

impl Builder<'_, '_, '_> {
    /// `cond`, any integer, is not zero (or zero) from here on.
    pub fn assume(&mut self, cond: ValueId, truth: bool, source: Source, depth: u32) {
        if depth > DEEPEST {
            return;
        }
        match self.values.get(cond).def {
            Def::Const(_) => {}
            Def::Not(x) => self.assume(x, !truth, source, depth + 1),
            Def::Truth(x) => self.assume(x, truth, source, depth + 1),
            Def::Cast(x, _) if truth => self.assume(x, true, source, depth + 1),
            Def::Both(x, y) if truth => {
                self.assume(x, true, source, depth + 1);
                self.assume(y, true, source, depth + 1);
            }
            Def::Either(x, y) if !truth => {
                self.assume(x, false, source, depth + 1);
                self.assume(y, false, source, depth + 1);
            }
            Def::Compare(op, x, y) => self.assume_comparison(op, x, y, truth, source, depth),
            Def::Select(c, x, y) => self.assume_select((c, x, y), truth, source, depth),
            Def::Phi(_) => {
                self.assume_zero(cond, truth, source);
                self.assume_phi(cond, truth, source, depth);
            }
            _ => self.assume_zero(cond, truth, source),
        }
    }

    fn assume_zero(&mut self, value: ValueId, truth: bool, source: Source) {
        let (zero, place) = (self.values.zero, self.here());
        if truth {
            self.fact(Relation::Differ, (value, zero, 0), place, source);
        } else {
            self.fact(Relation::AtMost, (value, zero, 0), place, source);
            self.fact(Relation::AtMost, (zero, value, 0), place, source);
        }
    }

    fn assume_comparison(
        &mut self,
        op: BinaryOp,
        x: ValueId,
        y: ValueId,
        truth: bool,
        source: Source,
        depth: u32,
    ) {
        let place = self.here();
        let op = if truth { op } else { negated(op) };
        let mut at_most = |x, y, k| self.fact(Relation::AtMost, (x, y, k), place, source);
        match op {
            BinaryOp::Lt => at_most(x, y, -1),
            BinaryOp::Le => at_most(x, y, 0),
            BinaryOp::Gt => at_most(y, x, -1),
            BinaryOp::Ge => at_most(y, x, 0),
            BinaryOp::Eq => {
                at_most(x, y, 0);
                at_most(y, x, 0);
                // `t == 1` of a truth value.
                if self.values.constant_of(y).is_some_and(|n| n != 0) {
                    self.assume(x, true, source, depth + 1);
                }
            }
            BinaryOp::Ne => self.fact(Relation::Differ, (x, y, 0), place, source),
            _ => {}
        }
    }

    fn assume_select(
        &mut self,
        (c, x, y): (ValueId, ValueId, ValueId),
        truth: bool,
        source: Source,
        depth: u32,
    ) {
        let fits = |n: Option<i128>| n.is_none_or(|n| (n != 0) == truth);
        let x_fits = fits(self.values.constant_of(x));
        let y_fits = fits(self.values.constant_of(y));
        if x_fits && !y_fits {
            self.assume(c, true, source, depth + 1);
            self.assume(x, truth, source, depth + 1);
        } else if y_fits && !x_fits {
            self.assume(c, false, source, depth + 1);
            self.assume(y, truth, source, depth + 1);
        }
    }

    /// A truth value that was computed on several ways: if only one of them can have given this outcome, control came
    /// that way, and all that was known at its end holds.
    ///
    /// This is what `a && b` becomes when `b` needs a check. It is sound because from the last time that control came
    /// to the join it has not been on the way again.
    fn assume_phi(&mut self, phi: ValueId, truth: bool, source: Source, depth: u32) {
        let Def::Phi(index) = self.values.get(phi).def else { return };
        let join = self.values.phis[index as usize].block;
        let operands = self.values.phis[index as usize].operands.clone();
        let ways = self.cfg.blocks[join].preds.iter().filter(|&&way| self.order.is_reached(way));
        if operands.len() != ways.count() {
            // A loop's head: the way back has not been walked yet.
            return;
        }
        let possible: Vec<(BlockId, ValueId)> = operands
            .into_iter()
            .filter(|&(way, value)| !self.contradicts(way, value, truth))
            .collect();
        let [(way, value)] = possible[..] else { return };
        // On the way back into a loop's head, names stand for values of the round before.
        if self.order.dominates(join, way) {
            return;
        }
        let stop = self.order.idom[join];
        let mut at = way;
        let mut carried = Vec::new();
        while at != stop && at != self.order.idom[at] {
            carried.extend(self.facts.of_block(at));
            at = self.order.idom[at];
        }
        let place = self.here();
        for fact in carried.into_iter().take(CARRIED) {
            self.fact(fact.relation, (fact.x, fact.y, fact.k), place, fact.source);
        }
        self.assume(value, truth, source, depth + 1);
    }

    /// Whether `value` cannot be `truth` at the end of the block.
    fn contradicts(&self, way: BlockId, value: ValueId, truth: bool) -> bool {
        if let Some(n) = self.values.constant_of(value) {
            return (n != 0) != truth;
        }
        let number = self.values.get(value);
        if truth && number.lo == 0 && number.hi == 0 {
            return true;
        }
        let at = (way, u32::MAX);
        match self.values.get(value).def {
            Def::Compare(op, x, y) => {
                let op = if truth { negated(op) } else { op };
                self.knows(op, x, y, at)
            }
            Def::Not(x) => self.contradicts(way, x, !truth),
            Def::Truth(x) => self.contradicts(way, x, truth),
            _ => {
                let zero = self.values.zero;
                self.knows(if truth { BinaryOp::Eq } else { BinaryOp::Ne }, value, zero, at)
            }
        }
    }

    /// Whether the very comparison is a fact at the place.
    fn knows(&self, op: BinaryOp, x: ValueId, y: ValueId, at: (BlockId, u32)) -> bool {
        let at_most = |x: ValueId, y: ValueId, k: i128| {
            self.facts.about(x, self.order, at).any(|fact| {
                fact.relation == Relation::AtMost && fact.x == x && fact.y == y && fact.k <= k
            })
        };
        match op {
            BinaryOp::Lt => at_most(x, y, -1),
            BinaryOp::Le => at_most(x, y, 0),
            BinaryOp::Gt => at_most(y, x, -1),
            BinaryOp::Ge => at_most(y, x, 0),
            BinaryOp::Eq => at_most(x, y, 0) && at_most(y, x, 0),
            BinaryOp::Ne => self.facts.about(x, self.order, at).any(|fact| {
                fact.relation == Relation::Differ && fact.x == x && fact.y == y && fact.k == 0
            }),
            _ => false,
        }
    }
}

fn negated(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Ge,
        BinaryOp::Le => BinaryOp::Gt,
        BinaryOp::Gt => BinaryOp::Le,
        BinaryOp::Ge => BinaryOp::Lt,
        BinaryOp::Eq => BinaryOp::Ne,
        BinaryOp::Ne => BinaryOp::Eq,
        other => other,
    }
}
