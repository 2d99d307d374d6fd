//! Where the values of variables meet: phis at the iterated dominance frontier of their assignments, but none for
//! locals that no block reads before it assigns them.

use super::memory::{Access, Memory, Var, ALL};
use crate::bits::Bits;
use crate::cfg::{BlockId, Cfg, Item};
use crate::order::Order;
use index_vec::IndexVec;
use tenure_core::{Function, LocalId, Place, PlaceKind, Stmt, StmtKind, Visitor};

pub fn place<'a>(
    function: &'a Function,
    cfg: &Cfg<'a>,
    order: &Order,
    memory: &mut Memory,
) -> IndexVec<BlockId, Vec<Var>> {
    let mut scan = Scan {
        function,
        zeroed: &cfg.zeroed,
        memory,
        assigned: Vec::new(),
        exposed: Bits::new(function.locals.len()),
        here: vec![u32::MAX; function.locals.len()],
        block: cfg.entry,
    };
    for &block in &order.rpo {
        scan.block = block;
        for item in &cfg.blocks[block].items {
            scan.item(item);
        }
    }
    let Scan { assigned, exposed, .. } = scan;
    let frontiers = order.frontiers(cfg);
    let mut phis: IndexVec<BlockId, Vec<Var>> = cfg.blocks.iter().map(|_| Vec::new()).collect();
    let mut placed: IndexVec<BlockId, Var> = cfg.blocks.iter().map(|_| Var::MAX).collect();
    for (var, blocks) in assigned.into_iter().enumerate() {
        let var = var as Var;
        let local = memory.local_of(var);
        if local.is_some_and(|local| !exposed.contains(local.index())) {
            continue;
        }
        let mut work = blocks;
        while let Some(block) = work.pop() {
            for &join in &frontiers[block] {
                if placed[join] != var {
                    placed[join] = var;
                    phis[join].push(var);
                    work.push(join);
                }
            }
        }
    }
    phis
}

struct Scan<'s, 'm> {
    function: &'s Function,
    zeroed: &'s Bits,
    memory: &'s mut Memory<'m>,
    /// Blocks that assign each variable.
    assigned: Vec<Vec<BlockId>>,
    /// Locals that some block reads before it assigns them.
    exposed: Bits,
    /// The last block that assigned each local.
    here: Vec<u32>,
    block: BlockId,
}

impl Scan<'_, '_> {
    fn item(&mut self, item: &Item) {
        match *item {
            Item::Enter(locals) => {
                for &local in locals {
                    if self.zeroed.contains(local.index()) {
                        self.assign_local(local);
                    }
                }
            }
            Item::Leave(..) => {}
            Item::Stmt(stmt) => self.statement(stmt),
            Item::Result(stmt) => {
                if let StmtKind::Call { dest: Some(place), .. } = &stmt.kind {
                    self.assign(place);
                }
                if let StmtKind::Alloc(alloc) = &stmt.kind {
                    self.assign(&alloc.dest);
                }
                if let StmtKind::Pin { dest, .. } = &stmt.kind {
                    self.assign(dest);
                }
            }
            Item::Check(_, check, _) => self.check(check),
            Item::Caught(local) => self.assign_local(local),
            Item::Test(expr, _) => self.expr(expr),
        }
    }

    fn statement(&mut self, stmt: &Stmt) {
        tenure_core::walk_operands(self, stmt);
        match &stmt.kind {
            StmtKind::Assign(place, _) | StmtKind::Init(place, _) | StmtKind::Zero(place) => {
                self.assign(place);
            }
            StmtKind::Call { callee, .. } => {
                for var in self.memory.called(callee) {
                    self.var(var);
                }
            }
            StmtKind::Open { key, handle } | StmtKind::Close { key, handle } => {
                self.var(ALL);
                self.assign_local(*handle);
                self.assign(key);
            }
            StmtKind::RegionEnter(local) => self.assign_local(*local),
            _ => {}
        }
    }

    fn var(&mut self, var: Var) {
        let index = var as usize;
        if self.assigned.len() <= index {
            self.assigned.resize(index + 1, Vec::new());
        }
        if self.assigned[index].last() != Some(&self.block) {
            self.assigned[index].push(self.block);
        }
    }

    fn assign_local(&mut self, local: LocalId) {
        self.here[local.index()] = self.block.raw();
        let var = self.memory.local_var(local);
        self.var(var);
        if self.memory.is_shared(local) {
            for var in self.memory.all_and_inside(self.function.locals[local].ty) {
                self.var(var);
            }
        }
    }

    fn assign(&mut self, place: &Place) {
        match self.memory.access(self.function, place) {
            Access::Value(local, _) | Access::Private(local) => {
                self.here[local.index()] = self.block.raw();
                let var = self.memory.local_var(local);
                self.var(var);
            }
            Access::Shared | Access::Opaque | Access::Volatile => {
                for var in self.memory.stored(place) {
                    self.var(var);
                }
            }
        }
    }
}

impl Visitor for Scan<'_, '_> {
    fn dest(&mut self, place: &Place) {
        // A part of a local is put into what the rest of it was.
        if !matches!(place.kind, PlaceKind::Local(_)) {
            self.place(place);
        }
    }

    fn local(&mut self, local: &LocalId) {
        if self.here[local.index()] != self.block.raw() {
            self.exposed.insert(local.index());
        }
    }
}
