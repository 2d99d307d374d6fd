//! # Locals that survive a throw
//!
//! Goal: handlers see the values that locals had at the throw. C keeps them across `setjmp` only if they are volatile;
//! to keep that few, exactly those are marked that a `try` body assigns and that are live where its handler starts.
//! Partition: whole locals. Property: an unmarked local is not assigned in any `try` body, or is assigned again before
//! it is read after the throw, or is an array, which lives in memory. Removes: nothing.

use crate::bits::Bits;
use crate::cfg::{BlockId, Cfg, Item};
use crate::dataflow::{backward, Problem};
use crate::order::Order;
use tenure_core::{
    Block, Function, Local, LocalId, Place, PlaceKind, Program, Stmt, StmtKind, Try, Ty, Visitor,
};

/// The locals to be made volatile.
pub fn volatile(program: &Program, function: &Function) -> Vec<LocalId> {
    // Only a function with a local for the frame has a `try`.
    let frame = |local: &Local| *program.types.get(local.ty) == Ty::HandlerFrame;
    if !function.locals.iter().any(frame) {
        return Vec::new();
    }
    let cfg = &Cfg::new(program, function);
    let order = &Order::new(cfg);
    let size = function.locals.len();
    let problem = Live { cfg };
    let ends = backward(cfg, order, &problem, Bits::new(size));
    let mut marked = Bits::new(size);
    for &(t, handler) in &cfg.tries {
        if !order.is_reached(handler) {
            continue;
        }
        let mut live = ends[handler].clone();
        problem.transfer(handler, &mut live);
        let changed = Changed::by(t, function);
        for local in function.locals.indices() {
            let own = changed.declared.contains(local.index());
            let reached = live.contains(local.index()) || function.locals[local].address_taken;
            if !own && reached && changed.assigned.contains(local.index()) {
                marked.insert(local.index());
            }
        }
    }
    let wanted = |local: &LocalId| {
        let ty = program.types.get(function.locals[*local].ty);
        let in_memory =
            matches!(ty, Ty::Array { .. } | Ty::Arena | Ty::HandlerFrame | Ty::Pin | Ty::VaList);
        marked.contains(local.index()) && !in_memory
    };
    function.locals.indices().filter(wanted).collect()
}

struct Live<'p, 'a> {
    cfg: &'p Cfg<'a>,
}

impl Problem for Live<'_, '_> {
    type State = Bits;

    fn join(&self, state: &mut Bits, other: &Bits) -> bool {
        state.union(other)
    }

    fn transfer(&self, block: BlockId, state: &mut Bits) {
        for item in self.cfg.blocks[block].items.iter().rev() {
            let mut effect = Effect { used: Vec::new(), killed: None };
            effect.item(item);
            if let Some(local) = effect.killed {
                state.remove(local.index());
            }
            effect.used.iter().for_each(|local| state.insert(local.index()));
        }
    }
}

/// What an item reads, and the local that it assigns as a whole.
struct Effect {
    used: Vec<LocalId>,
    killed: Option<LocalId>,
}

impl Effect {
    fn item(&mut self, item: &Item) {
        match *item {
            Item::Enter(_) | Item::Leave(..) => {}
            Item::Caught(local) => self.killed = Some(local),
            Item::Test(expr, _) => self.expr(expr),
            Item::Check(_, check, _) => self.check(check),
            Item::Stmt(stmt) if stmt.kind.is_ownership() => {}
            Item::Stmt(stmt) => match &stmt.kind {
                // The destination is another item.
                StmtKind::Call { .. } | StmtKind::Alloc(_) | StmtKind::Pin { .. } => {
                    tenure_core::walk_operands(self, stmt);
                    self.killed = None;
                }
                _ => tenure_core::walk_operands(self, stmt),
            },
            Item::Result(stmt) => self.result(stmt),
        }
    }

    fn result(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Call { dest: Some(place), .. } => self.dest(place),
            StmtKind::Alloc(alloc) => self.dest(&alloc.dest),
            StmtKind::Pin { dest, .. } => self.dest(dest),
            _ => {}
        }
    }
}

impl Visitor for Effect {
    fn dest(&mut self, place: &Place) {
        match place.kind {
            PlaceKind::Local(local) => self.killed = Some(local),
            _ => self.place(place),
        }
    }

    fn local(&mut self, local: &LocalId) {
        self.used.push(*local);
    }
}

/// What a `try` body assigns, and what it declares itself.
struct Changed {
    assigned: Bits,
    declared: Bits,
}

impl Changed {
    fn by(t: &Try, function: &Function) -> Changed {
        let size = function.locals.len();
        let mut changed = Changed { assigned: Bits::new(size), declared: Bits::new(size) };
        // Whoever has the address of a local may change it in any call or store.
        for (id, local) in function.locals.iter_enumerated() {
            if local.address_taken {
                changed.assigned.insert(id.index());
            }
        }
        changed.block(&t.body);
        changed
    }
}

impl Visitor for Changed {
    fn block(&mut self, block: &Block) {
        for local in &block.locals {
            self.declared.insert(local.index());
        }
        tenure_core::walk_block(self, block);
    }

    fn dest(&mut self, place: &Place) {
        if let Some(local) = place.root_local() {
            self.assigned.insert(local.index());
        }
    }
}
