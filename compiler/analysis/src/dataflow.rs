//! Dataflow over a control-flow graph to a fixpoint, with one state per block.

use crate::cfg::{BlockId, Cfg};
use crate::order::Order;
use index_vec::IndexVec;
use std::collections::BTreeSet;

/// A problem: what flows, how it meets, what a block does to it.
pub trait Problem {
    type State: Clone;

    /// Takes `other` in where paths meet; whether `state` changed.
    fn join(&self, state: &mut Self::State, other: &Self::State) -> bool;

    /// Carries a state through the items of a block, in the direction of the flow.
    fn transfer(&self, block: BlockId, state: &mut Self::State);
}

/// The state at the start of every block that is reached from the entry.
pub fn forward<P: Problem>(
    cfg: &Cfg,
    order: &Order,
    problem: &P,
    entry: P::State,
) -> IndexVec<BlockId, Option<P::State>> {
    let mut states: IndexVec<BlockId, Option<P::State>> = cfg.blocks.iter().map(|_| None).collect();
    states[cfg.entry] = Some(entry);
    // Blocks by their position in the order: each round takes the earliest.
    let mut work = BTreeSet::from([0u32]);
    while let Some(position) = work.pop_first() {
        let block = order.rpo[position as usize];
        let Some(mut state) = states[block].clone() else { continue };
        problem.transfer(block, &mut state);
        for to in cfg.blocks[block].successors() {
            let changed = match &mut states[to] {
                Some(old) => problem.join(old, &state),
                none => {
                    *none = Some(state.clone());
                    true
                }
            };
            if changed {
                work.insert(order.position[to]);
            }
        }
    }
    states
}

/// The state at the end of every block that is reached from the entry; `bottom` where nothing follows.
pub fn backward<P: Problem>(
    cfg: &Cfg,
    order: &Order,
    problem: &P,
    bottom: P::State,
) -> IndexVec<BlockId, P::State> {
    let mut states: IndexVec<BlockId, P::State> =
        cfg.blocks.iter().map(|_| bottom.clone()).collect();
    let mut work: BTreeSet<u32> = (0..order.rpo.len() as u32).collect();
    while let Some(position) = work.pop_last() {
        let block = order.rpo[position as usize];
        let mut state = states[block].clone();
        problem.transfer(block, &mut state);
        for &from in &cfg.blocks[block].preds {
            if order.is_reached(from) && problem.join(&mut states[from], &state) {
                work.insert(order.position[from]);
            }
        }
    }
    states
}
