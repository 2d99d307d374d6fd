//! Orders over a control-flow graph: reverse postorder, dominators, dominance frontiers.

use crate::cfg::{BlockId, Cfg};
use index_vec::IndexVec;

pub struct Order {
    /// Blocks that control can come to, in reverse postorder.
    pub rpo: Vec<BlockId>,
    /// Position in `rpo`; `u32::MAX` for blocks that control never comes to.
    pub position: IndexVec<BlockId, u32>,
    /// Immediate dominator; the entry's is itself.
    pub idom: IndexVec<BlockId, BlockId>,
    /// Numbers of a walk over the dominator tree: `a` dominates `b` iff `b`'s interval lies in `a`'s.
    enter: IndexVec<BlockId, u32>,
    leave: IndexVec<BlockId, u32>,
    /// Children in the dominator tree, in reverse postorder.
    pub children: IndexVec<BlockId, Vec<BlockId>>,
}

pub const UNREACHED: u32 = u32::MAX;

impl Order {
    pub fn new(cfg: &Cfg) -> Order {
        let rpo = reverse_postorder(cfg);
        let mut position: IndexVec<BlockId, u32> = cfg.blocks.iter().map(|_| UNREACHED).collect();
        for (n, &block) in rpo.iter().enumerate() {
            position[block] = n as u32;
        }
        let idom = dominators(cfg, &rpo, &position);
        let mut children: IndexVec<BlockId, Vec<BlockId>> =
            cfg.blocks.iter().map(|_| Vec::new()).collect();
        for &block in rpo.iter().skip(1) {
            children[idom[block]].push(block);
        }
        let zeros: IndexVec<BlockId, u32> = cfg.blocks.iter().map(|_| 0).collect();
        let mut order = Order { rpo, position, idom, enter: zeros.clone(), leave: zeros, children };
        order.number_tree(cfg.entry);
        order
    }

    pub fn is_reached(&self, block: BlockId) -> bool {
        self.position[block] != UNREACHED
    }

    pub fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        self.enter[a] <= self.enter[b] && self.leave[b] <= self.leave[a]
    }

    /// Position of a block in a walk over the dominator tree.
    pub fn number(&self, block: BlockId) -> u32 {
        self.enter[block]
    }

    fn number_tree(&mut self, entry: BlockId) {
        let mut clock = 0;
        let mut stack = vec![(entry, 0)];
        self.enter[entry] = clock;
        while let Some((block, next)) = stack.pop() {
            clock += 1;
            if let Some(&child) = self.children[block].get(next) {
                stack.push((block, next + 1));
                self.enter[child] = clock;
                stack.push((child, 0));
            } else {
                self.leave[block] = clock;
            }
        }
    }

    /// The dominance frontier of every block: where definitions of a variable meet.
    pub fn frontiers(&self, cfg: &Cfg) -> IndexVec<BlockId, Vec<BlockId>> {
        let mut frontiers: IndexVec<BlockId, Vec<BlockId>> =
            cfg.blocks.iter().map(|_| Vec::new()).collect();
        for &block in &self.rpo {
            let preds = &cfg.blocks[block].preds;
            if preds.len() < 2 {
                continue;
            }
            for &pred in preds.iter().filter(|&&pred| self.is_reached(pred)) {
                let mut at = pred;
                while at != self.idom[block] {
                    if frontiers[at].last() != Some(&block) {
                        frontiers[at].push(block);
                    }
                    if at == self.idom[at] {
                        break;
                    }
                    at = self.idom[at];
                }
            }
        }
        frontiers
    }
}

fn reverse_postorder(cfg: &Cfg) -> Vec<BlockId> {
    let mut seen: IndexVec<BlockId, bool> = cfg.blocks.iter().map(|_| false).collect();
    let mut order = Vec::with_capacity(cfg.blocks.len());
    let mut stack = vec![(cfg.entry, cfg.blocks[cfg.entry].ways())];
    seen[cfg.entry] = true;
    while let Some((block, left)) = stack.pop() {
        // The last successor first, so that a branch's `then` comes before what follows it.
        let Some(to) = left.checked_sub(1).and_then(|n| cfg.blocks[block].successor(n)) else {
            order.push(block);
            continue;
        };
        stack.push((block, left - 1));
        if !seen[to] {
            seen[to] = true;
            stack.push((to, cfg.blocks[to].ways()));
        }
    }
    order.reverse();
    order
}

/// Cooper, Harvey and Kennedy's iteration over reverse postorder.
fn dominators(
    cfg: &Cfg,
    rpo: &[BlockId],
    position: &IndexVec<BlockId, u32>,
) -> IndexVec<BlockId, BlockId> {
    let mut idom: IndexVec<BlockId, Option<BlockId>> = cfg.blocks.iter().map(|_| None).collect();
    idom[cfg.entry] = Some(cfg.entry);
    let mut changed = true;
    while changed {
        changed = false;
        for &block in rpo.iter().skip(1) {
            let mut new: Option<BlockId> = None;
            for &pred in &cfg.blocks[block].preds {
                if idom[pred].is_some() {
                    new = Some(match new {
                        None => pred,
                        Some(other) => meet(&idom, position, pred, other),
                    });
                }
            }
            if new.is_some() && idom[block] != new {
                idom[block] = new;
                changed = true;
            }
        }
    }
    idom.iter_enumerated().map(|(block, dom)| dom.unwrap_or(block)).collect()
}

fn meet(
    idom: &IndexVec<BlockId, Option<BlockId>>,
    position: &IndexVec<BlockId, u32>,
    mut a: BlockId,
    mut b: BlockId,
) -> BlockId {
    while a != b {
        while position[a] > position[b] {
            let Some(up) = idom[a] else { return b };
            a = up;
        }
        while position[b] > position[a] {
            let Some(up) = idom[b] else { return a };
            b = up;
        }
    }
    a
}
