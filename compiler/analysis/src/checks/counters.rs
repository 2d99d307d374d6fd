//! Numbers that change by a constant in each round of a loop, put in terms of another that facts bound.
//!
//! With `i` from `i0` by one and `p` from `p0` by `k` a round, `p` is congruent to `p0 + k * (i - i0)` modulo two to
//! the power of the lesser width: each round adds to both, and the loop is left and entered anew before `p0` or `i0`
//! can change.

use super::prove::{At, Prover};
use super::value::{Def, ValueId};
use crate::cfg::BlockId;

/// A phi that is `start` when its loop is entered and changes by `step` on every way back.
#[derive(Clone, Copy)]
pub struct Counter {
    pub join: BlockId,
    pub start: ValueId,
    pub step: i128,
}

/// Counters of one loop that are looked at.
const COUNTERS: usize = 16;

impl Prover<'_> {
    /// The counter that the value is, modulo two to the power of `bits`.
    pub fn counter(&mut self, id: ValueId, bits: u32) -> Option<Counter> {
        let Def::Phi(_) = self.values.get(id).def else { return None };
        let (join, operands) = self.values.meeting(id)?;
        let (mut start, mut step) = (None, None);
        for (way, operand) in operands {
            if self.is_way_back(way, join) {
                let operand = self.resolve(operand);
                let Def::Plus(x, k, int) = self.values.get(operand).def else {
                    return None;
                };
                if self.resolve(x) != id || int.bits() < bits || step.is_some_and(|s| s != k) {
                    return None;
                }
                step = Some(k);
            } else {
                let operand = self.resolve(operand);
                if start.is_some_and(|s| s != operand) || !self.is_fixed_at(operand, join) {
                    return None;
                }
                start = Some(operand);
            }
        }
        Some(Counter { join, start: start?, step: step? })
    }

    /// A counter of the same loop, by one a round, that facts are about at the place.
    pub fn known_counter(
        &mut self,
        join: BlockId,
        but: ValueId,
        bits: u32,
        at: At,
    ) -> Option<(ValueId, ValueId)> {
        let phis = self.values.phis.iter().filter(|phi| phi.block == join && phi.id != but);
        let phis: Vec<ValueId> = phis.map(|phi| phi.id).take(COUNTERS).collect();
        phis.into_iter().find_map(|id| {
            let counter = self.counter(id, bits).filter(|counter| counter.step == 1)?;
            self.is_known(id, at).then_some((id, counter.start))
        })
    }
}
