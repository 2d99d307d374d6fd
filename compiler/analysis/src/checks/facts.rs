//! Facts about values, each with the part of the function in which it holds.

use super::value::ValueId;
use crate::cfg::BlockId;
use crate::order::Order;
use index_vec::IndexVec;
use tenure_span::{FastMap, Span};

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
}

/// Facts about one value that are looked through for those that hold at a place.
const SCANNED: usize = 96;

pub struct Facts {
    all: Vec<Fact>,
    /// By value on either side, in the order in which the dominator tree is walked.
    about: FastMap<ValueId, Vec<u32>>,
    /// Facts that hold wherever their values are defined.
    everywhere: FastMap<ValueId, Vec<u32>>,
    in_block: IndexVec<BlockId, Vec<u32>>,
}

impl Facts {
    pub fn new(blocks: usize) -> Facts {
        let in_block = (0..blocks).map(|_| Vec::new()).collect();
        Facts {
            all: Vec::new(),
            about: FastMap::default(),
            everywhere: FastMap::default(),
            in_block,
        }
    }

    /// `everywhere`: the place is the function's start, and the fact needs no statement to have run.
    pub fn add(&mut self, fact: Fact, everywhere: bool) {
        let id = self.all.len() as u32;
        let lists = if everywhere { &mut self.everywhere } else { &mut self.about };
        lists.entry(fact.x).or_default().push(id);
        if fact.x != fact.y {
            lists.entry(fact.y).or_default().push(id);
        }
        if !everywhere {
            self.in_block[fact.block].push(id);
        }
        self.all.push(fact);
    }

    /// Facts that were added for a block, in order.
    pub fn of_block(&self, block: BlockId) -> Vec<Fact> {
        self.in_block[block].iter().map(|&id| self.all[id as usize]).collect()
    }

    /// Facts with `value` on a side that hold at the place, nearest first.
    pub fn about<'s>(
        &'s self,
        value: ValueId,
        order: &'s Order,
        (block, position): (BlockId, Position),
    ) -> impl Iterator<Item = Fact> + 's {
        let list = self.about.get(&value).map_or(&[][..], Vec::as_slice);
        // What was added later than at the place cannot dominate it.
        let here = order.number(block);
        let end = list.partition_point(|&id| order.number(self.all[id as usize].block) <= here);
        let near = list[..end].iter().rev().take(SCANNED).map(|&id| self.all[id as usize]);
        let holds = move |fact: &Fact| {
            if fact.block == block {
                fact.position < position
            } else {
                order.dominates(fact.block, block)
            }
        };
        let everywhere = self.everywhere.get(&value).map_or(&[][..], Vec::as_slice);
        near.filter(holds).chain(everywhere.iter().map(|&id| self.all[id as usize]))
    }
}
