//! Walks the dominator tree once: numbers values, collects facts, and states the goal of each check.

use super::claims::Goal;
use super::eval::Object;
use super::facts::{Facts, Position, Relation, Source};
use super::invariants::Claim;
use super::memory::{Memory, Var, ALL};
use super::program::Summaries;
use super::slots::SlotId;
use super::value::{Def, ValueId, Values, POINTER};
use crate::cfg::{BlockId, Cfg, End, Item};
use crate::order::Order;
use index_vec::IndexVec;
use tenure_core::{
    Check, Expr, Function, FunctionId, LocalId, Place, Program, Stmt, StmtKind, TyId,
};
use tenure_span::{FastMap, FastSet, Span};

pub struct Site<'a> {
    pub ordinal: u32,
    pub check: &'a Check,
    pub span: Span,
    pub at: (BlockId, Position),
    /// From where on it is known to have passed.
    pub passed: (BlockId, Position),
    pub goal: Goal,
    /// Equal for checks of equal operands.
    pub key: ValueId,
    /// Width of the index that is checked.
    pub bits: u32,
}

/// What is known of a function: input of the prover.
pub struct Known<'a, 'o> {
    pub values: Values<'o>,
    pub facts: Facts,
    pub sites: Vec<Site<'a>>,
    pub calls: Vec<Call>,
    /// Values returned.
    pub returns: Vec<(ValueId, (BlockId, Position))>,
    /// Integers stored to slots.
    pub stores: Vec<(SlotId, ValueId, (BlockId, Position))>,
    /// Relations between fields that have to hold.
    pub claims: Vec<Claim>,
}

/// A call of a function whose parameters are followed.
pub struct Call {
    pub callee: FunctionId,
    pub args: Vec<ValueId>,
    pub at: (BlockId, Position),
}

pub struct Builder<'a, 'o, 's> {
    pub program: &'a Program,
    pub function: &'a Function,
    pub cfg: &'o Cfg<'a>,
    pub order: &'o Order,
    pub values: Values<'o>,
    pub facts: Facts,
    pub memory: Memory<'s>,
    pub objects: FastMap<Object, u32>,
    /// Elements that the string literals behind an address have at most.
    pub longest: FastMap<ValueId, i128>,
    pub sites: Vec<Site<'a>>,
    pub calls: Vec<Call>,
    returns: Vec<(ValueId, (BlockId, Position))>,
    pub stores: Vec<(SlotId, ValueId, (BlockId, Position))>,
    pub claims: Vec<Claim>,
    /// Values of fields whose relation is a fact already, by block.
    pub obtained: FastSet<(ValueId, ValueId, BlockId)>,
    pub summaries: &'s Summaries,
    /// What the last call cannot give more than, for functions of C's library that give counts.
    pub at_most: Option<ValueId>,
    /// The value of each variable here.
    pub now: Vec<Option<ValueId>>,
    /// What to restore when the walk leaves a block.
    undo: Vec<(Var, Option<ValueId>)>,
    /// Phis of each block, by variable.
    pub phis: IndexVec<BlockId, Vec<(Var, ValueId)>>,
    /// What is known when a block is entered: a condition and its outcome, or a switch value and its range.
    pending: FastMap<BlockId, Vec<Pending>>,
    pub block: BlockId,
    pub position: Position,
}

#[derive(Clone, Copy)]
enum Pending {
    Truth(ValueId, bool, Span),
    Between(ValueId, i128, i128, Span),
    Not(ValueId, i128, Span),
}

pub fn build<'a, 'o>(
    program: &'a Program,
    function: &'a Function,
    cfg: &'o Cfg<'a>,
    order: &'o Order,
    summaries: &Summaries,
) -> Known<'a, 'o> {
    let address_taken = super::address::taken(function);
    let mut memory = Memory::new(program, function, &address_taken, summaries.shared());
    let places = super::place_phis::place(function, cfg, order, &mut memory);
    let mut builder = Builder {
        program,
        function,
        cfg,
        order,
        values: Values::new(order, cfg.entry),
        facts: Facts::new(cfg.blocks.len()),
        memory,
        objects: FastMap::default(),
        longest: FastMap::default(),
        sites: Vec::new(),
        calls: Vec::new(),
        returns: Vec::new(),
        stores: Vec::new(),
        claims: Vec::new(),
        obtained: FastSet::default(),
        summaries,
        at_most: None,
        now: Vec::new(),
        undo: Vec::new(),
        phis: IndexVec::new(),
        pending: FastMap::default(),
        block: cfg.entry,
        position: 0,
    };
    builder.start(places);
    builder.walk();
    let Builder { values, facts, sites, calls, returns, stores, claims, .. } = builder;
    Known { values, facts, sites, calls, returns, stores, claims }
}

impl<'a, 'o> Builder<'a, 'o, '_> {
    fn start(&mut self, places: IndexVec<BlockId, Vec<Var>>) {
        self.now = vec![None; self.memory.vars as usize];
        self.parameters();
        self.phis = places
            .iter_enumerated()
            .map(|(block, vars)| {
                let phis = vars.iter().map(|&var| {
                    let range = match self.memory.local_of(var) {
                        Some(local) if self.memory.is_value(local) => {
                            self.range(self.function.locals[local].ty)
                        }
                        _ => super::value::WIDEST,
                    };
                    (var, self.values.phi(range, block))
                });
                phis.collect()
            })
            .collect();
    }

    /// Preorder over the dominator tree; children in reverse postorder, so that all forward ways into a join come
    /// before it.
    fn walk(&mut self) {
        let mut stack = vec![(self.cfg.entry, 0usize, 0usize)];
        self.enter(self.cfg.entry);
        while let Some((block, next, mark)) = stack.pop() {
            if let Some(&child) = self.order.children[block].get(next) {
                stack.push((block, next + 1, mark));
                stack.push((child, 0, self.undo.len()));
                self.enter(child);
            } else {
                while self.undo.len() > mark {
                    if let Some((var, old)) = self.undo.pop() {
                        self.now[var as usize] = old;
                    }
                }
            }
        }
    }

    /// Kinds of memory that nothing stores to appear when they are first loaded.
    fn known(&mut self, var: Var) {
        if self.now.len() <= var as usize {
            self.now.resize(var as usize + 1, None);
        }
    }

    pub fn current(&mut self, var: Var) -> ValueId {
        self.known(var);
        if let Some(value) = self.now[var as usize] {
            return value;
        }
        let range = match self.memory.local_of(var) {
            Some(local) if self.memory.is_value(local) => {
                self.range(self.function.locals[local].ty)
            }
            _ => super::value::WIDEST,
        };
        // Memory has a version before the function runs; a local has no value yet, and nothing reads it.
        let home = if self.memory.local_of(var).is_some() { self.block } else { self.cfg.entry };
        let value = self.values.unknown(range, home);
        if home == self.cfg.entry {
            self.now[var as usize] = Some(value);
        }
        value
    }

    pub fn set(&mut self, var: Var, value: ValueId) {
        self.known(var);
        let old = self.now[var as usize].replace(value);
        self.undo.push((var, old));
    }

    pub fn changed(&mut self, var: Var) -> ValueId {
        let block = self.block;
        let version = self.values.unknown(super::value::WIDEST, block);
        self.set(var, version);
        version
    }

    pub fn here(&self) -> (BlockId, Position) {
        (self.block, self.position)
    }

    fn enter(&mut self, block: BlockId) {
        self.block = block;
        self.position = 0;
        for (var, phi) in self.phis[block].clone() {
            self.set(var, phi);
        }
        for pending in self.pending.remove(&block).unwrap_or_default() {
            match pending {
                Pending::Truth(cond, truth, span) => {
                    self.assume(cond, truth, Source::Branch(span), 0);
                }
                Pending::Between(value, low, high, span) => {
                    self.between(value, low, high, Source::Branch(span));
                }
                Pending::Not(value, k, span) => {
                    let zero = self.values.zero;
                    let place = self.here();
                    let source = Source::Branch(span);
                    self.fact(Relation::Differ, (value, zero, k), place, source);
                }
            }
        }
        let cfg = self.cfg;
        let mut last = None;
        for item in &cfg.blocks[block].items {
            self.position += 1;
            match *item {
                Item::Test(expr, _) => last = Some(self.test(expr)),
                Item::Stmt(stmt) => self.stmt(stmt),
                Item::Result(stmt) => self.result(stmt),
                Item::Check(ordinal, check, span) => self.check(ordinal, check, span),
                Item::Enter(locals) => self.scope(locals),
                Item::Leave(..) => {}
                Item::Caught(exn) => {
                    let value = self.values.unknown((1, POINTER.1), block);
                    let var = self.memory.local_var(exn);
                    self.set(var, value);
                }
            }
        }
        self.leave(last);
    }

    fn test(&mut self, expr: &Expr) -> ValueId {
        if matches!(self.cfg.blocks[self.block].end, End::Branch { .. }) {
            self.condition(expr)
        } else {
            self.eval(expr)
        }
    }

    /// Passes on what the block's end tells its successors, and the values that meet there.
    fn leave(&mut self, tested: Option<ValueId>) {
        let cfg = self.cfg;
        match (&cfg.blocks[self.block].end, tested) {
            (End::Branch { then, otherwise, .. }, Some(value)) => {
                let span = self.test_span();
                self.pend(*then, Pending::Truth(value, true, span));
                self.pend(*otherwise, Pending::Truth(value, false, span));
            }
            (End::Switch { arms, default, .. }, Some(value)) => {
                for (arm, block) in arms {
                    let low = arm.values.iter().map(|v| v.0).min();
                    let high = arm.values.iter().map(|v| v.1).max();
                    if let (Some(low), Some(high)) = (low, high) {
                        self.pend(*block, Pending::Between(value, low, high, self.test_span()));
                    }
                }
                let few = arms.iter().flat_map(|(arm, _)| &arm.values).take(16);
                for &(low, high) in few {
                    if low == high {
                        self.pend(*default, Pending::Not(value, low, self.test_span()));
                    }
                }
            }
            _ => {}
        }
        for to in cfg.blocks[self.block].successors() {
            for n in 0..self.phis[to].len() {
                let (var, phi) = self.phis[to][n];
                let value = self.current(var);
                if let Def::Phi(index) = self.values.get(phi).def {
                    self.values.phis[index as usize].operands.push((self.block, value));
                }
            }
        }
    }

    /// The place of the statement whose condition ends this block.
    fn test_span(&self) -> Span {
        match self.cfg.blocks[self.block].items.last() {
            Some(Item::Test(_, span)) => *span,
            _ => Span::NONE,
        }
    }

    fn pend(&mut self, block: BlockId, pending: Pending) {
        if self.cfg.blocks[block].preds.len() == 1 {
            self.pending.entry(block).or_default().push(pending);
        }
    }

    fn scope(&mut self, locals: &[LocalId]) {
        for &local in locals {
            // What is zeroed at each entry of its scope is stored to there.
            if self.cfg.zeroed.contains(local.index()) {
                if self.memory.is_shared(local) {
                    let ty = self.function.locals[local].ty;
                    for var in self.memory.all_and_inside(ty) {
                        self.changed(var);
                    }
                } else if !self.memory.is_value(local) {
                    let var = self.memory.local_var(local);
                    self.changed(var);
                } else {
                    let var = self.memory.local_var(local);
                    let ty = self.function.locals[local].ty;
                    let value = self.zero_of(ty);
                    self.set(var, value);
                }
            }
        }
    }

    fn zero_of(&mut self, ty: TyId) -> ValueId {
        use tenure_core::Ty;
        match self.program.types.get(ty) {
            Ty::Int(_) | Ty::Enum(_) | Ty::Ptr { .. } | Ty::Fat { .. } | Ty::Record(_) => {
                self.values.zero
            }
            _ => self.unknown(ty),
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Assign(place, expr) | StmtKind::Init(place, expr) => {
                let value = self.eval(expr);
                self.store(place, value);
            }
            StmtKind::Zero(place) => {
                let value = self.zero_of(place.ty);
                self.store(place, value);
            }
            StmtKind::Call { callee, args, .. } => {
                self.call(callee, args);
                for var in self.memory.called(callee) {
                    self.changed(var);
                }
            }
            StmtKind::Return(Some(expr)) => {
                let value = self.eval(expr);
                self.publish(value, expr.ty);
                self.returns.push((value, self.here()));
            }
            StmtKind::Eval(expr)
            | StmtKind::Throw { exn: expr }
            | StmtKind::Rethrow { exn: expr } => {
                self.eval(expr);
            }
            StmtKind::Open { key, handle } => {
                self.changed(ALL);
                let ty = self.function.locals[*handle].ty;
                let value = self.unknown(ty);
                let var = self.memory.local_var(*handle);
                self.set(var, value);
                self.forget(key);
            }
            StmtKind::Close { key, .. } => {
                self.changed(ALL);
                self.forget(key);
            }
            StmtKind::RegionEnter(local) => {
                let var = self.memory.local_var(*local);
                self.changed(var);
            }
            _ => {}
        }
    }

    /// The place has some other value now.
    pub fn forget(&mut self, place: &Place) {
        let value = self.unknown(place.ty);
        self.store(place, value);
    }

    fn result(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Call { dest: Some(place), callee, .. } => self.call_result(place, callee),
            StmtKind::Alloc(alloc) => {
                let block = self.block;
                let value = self.values.unknown((1, POINTER.1), block);
                self.store(&alloc.dest, value);
            }
            StmtKind::Pin { dest, .. } => self.forget(dest),
            _ => {}
        }
    }
}
