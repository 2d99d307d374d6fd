//! Facts about values, each with the part of the function in which it holds.

use super::value::ValueId;
use crate::cfg::BlockId;
use crate::order::Order;
use index_vec::IndexVec;
use tenure_span::Span;

/// Position in a block: facts from a branch stand at 0, the n-th item is n + 1.
pub type Position = u32;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// `x - y <= k`.
    AtMost,
    /// `x - y != k`.
    Differ,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    Branch(Span),
    Check(Span),
}

/// Holds from `position` in `block` on, and in all blocks that it dominates.
#[derive(Clone, Copy, Debug)]
pub struct Fact {
    pub relation: Relation,
    pub x: ValueId,
    pub y: ValueId,
    pub k: i128,
    pub block: BlockId,
    pub position: Position,
    pub source: Source,
    next_x: u32,
    next_y: u32,
}

const NONE: u32 = u32::MAX;

pub struct Facts {
    all: Vec<Fact>,
    /// Newest fact with the value on either side.
    heads: Vec<u32>,
    in_block: IndexVec<BlockId, Vec<u32>>,
}

impl Facts {
    pub fn new(blocks: usize) -> Facts {
        let in_block = (0..blocks).map(|_| Vec::new()).collect();
        Facts { all: Vec::new(), heads: Vec::new(), in_block }
    }

    pub fn add(
        &mut self,
        relation: Relation,
        (x, y, k): (ValueId, ValueId, i128),
        (block, position): (BlockId, Position),
        source: Source,
    ) {
        let id = self.all.len() as u32;
        let most = x.index().max(y.index()) + 1;
        if self.heads.len() < most {
            self.heads.resize(most.next_power_of_two(), NONE);
        }
        let next_x = std::mem::replace(&mut self.heads[x.index()], id);
        let next_y = if x == y { NONE } else { std::mem::replace(&mut self.heads[y.index()], id) };
        self.all.push(Fact { relation, x, y, k, block, position, source, next_x, next_y });
        self.in_block[block].push(id);
    }

    /// Facts that were added for a block, in order.
    pub fn of_block(&self, block: BlockId) -> Vec<Fact> {
        self.in_block[block].iter().map(|&id| self.all[id as usize]).collect()
    }

    /// Facts with `value` on a side, newest first, that hold at the place.
    pub fn about<'s>(
        &'s self,
        value: ValueId,
        order: &'s Order,
        (block, position): (BlockId, Position),
    ) -> impl Iterator<Item = Fact> + 's {
        let mut at = self.heads.get(value.index()).copied().unwrap_or(NONE);
        let all = std::iter::from_fn(move || {
            let fact = *self.all.get(at as usize)?;
            at = if fact.x == value { fact.next_x } else { fact.next_y };
            Some(fact)
        });
        all.filter(move |fact| {
            if fact.block == block {
                fact.position < position
            } else {
                order.dominates(fact.block, block)
            }
        })
    }
}
