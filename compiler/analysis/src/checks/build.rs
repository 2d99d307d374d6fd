//! Walks the dominator tree once: numbers values, collects facts, and states the goal of each check.

use super::eval::{tag, Object};
use super::facts::{Facts, Position, Relation, Source};
use super::memory::{Access, Memory, Var, ALL};
use super::program::Summaries;
use super::value::{Def, FastMap, ValueId, Values, POINTER};
use crate::cfg::{BlockId, Cfg, End, Item};
use crate::order::Order;
use index_vec::IndexVec;
use std::collections::HashMap;
use tenure_core::{
    Check, CheckKind, Expr, Function, FunctionId, LocalId, Place, PlaceKind, Program, Stmt,
    StmtKind, TyId,
};
use tenure_span::Span;

/// What must be shown for a check never to fail.
#[derive(Clone, Debug)]
pub enum Goal {
    /// `0 <= index` and `index - size <= most`.
    Index {
        index: ValueId,
        size: ValueId,
        most: i128,
    },
    /// `0 <= element < len`, where the element is `idx + index` modulo the width of the index and at least 2^32; or `index` lies in
    /// what `idx` leaves of `len`.
    Fat {
        base: ValueId,
        element: ValueId,
        idx: ValueId,
        index: ValueId,
        len: ValueId,
    },
    /// `count` elements from `idx` on.
    Count {
        base: ValueId,
        idx: ValueId,
        len: ValueId,
        count: ValueId,
        nullable: bool,
    },
    /// Not NULL, not zero.
    NonZero(ValueId),
    NoDivOverflow {
        dividend: ValueId,
        divisor: ValueId,
        least: i128,
    },
    Equal(ValueId, i128),
    /// The elements below `index` are not zero in this version of memory.
    Terminated {
        address: ValueId,
        index: ValueId,
        memory: ValueId,
        ty: TyId,
    },
    /// One of the two: the old element is not zero, the new one is.
    KeepsTerminator {
        old: ValueId,
        new: ValueId,
    },
    Fits32(ValueId),
    Holds(ValueId),
    /// Only an earlier check of the same operands helps.
    Never,
}

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
}

/// What is known of a function: input of the prover.
pub struct Known<'a, 'o> {
    pub values: Values<'o>,
    pub facts: Facts,
    pub sites: Vec<Site<'a>>,
    pub calls: Vec<Call>,
    /// Values returned.
    pub returns: Vec<(ValueId, (BlockId, Position))>,
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
    cfg: &'o Cfg<'a>,
    order: &'o Order,
    pub values: Values<'o>,
    pub facts: Facts,
    pub memory: Memory<'a>,
    pub objects: HashMap<Object, u32>,
    /// Elements that the string literals behind an address have at most.
    pub longest: FastMap<ValueId, i128>,
    sites: Vec<Site<'a>>,
    pub calls: Vec<Call>,
    returns: Vec<(ValueId, (BlockId, Position))>,
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
    pending: HashMap<BlockId, Vec<Pending>>,
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
    let mut memory = Memory::new(program, function, &address_taken);
    let places = super::place_phis::place(function, cfg, order, &mut memory);
    let mut builder = Builder {
        program,
        function,
        cfg,
        order,
        values: Values::new(order, cfg.entry),
        facts: Facts::new(cfg.blocks.len()),
        memory,
        objects: HashMap::new(),
        longest: FastMap::default(),
        sites: Vec::new(),
        calls: Vec::new(),
        returns: Vec::new(),
        summaries,
        at_most: None,
        now: Vec::new(),
        undo: Vec::new(),
        phis: IndexVec::new(),
        pending: HashMap::new(),
        block: cfg.entry,
        position: 0,
    };
    builder.start(places);
    builder.walk();
    let Builder { values, facts, sites, calls, returns, .. } = builder;
    Known { values, facts, sites, calls, returns }
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

    /// Preorder over the dominator tree; children in reverse postorder, so that all forward ways into a join come before it.
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

    fn set(&mut self, var: Var, value: ValueId) {
        self.known(var);
        let old = self.now[var as usize].replace(value);
        self.undo.push((var, old));
    }

    fn changed(&mut self, var: Var) -> ValueId {
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
            if self.function.locals[local].zero_at_entry {
                if self.memory.is_shared(local) {
                    self.changed(ALL);
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
                self.changed(ALL);
            }
            StmtKind::Return(Some(value)) if self.summaries.is_followed(self.function.id) => {
                let value = self.eval(value);
                self.returns.push((value, self.here()));
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
            _ => {}
        }
    }

    pub fn store(&mut self, place: &Place, value: ValueId) {
        match self.memory.access(self.function, place) {
            Access::Value(local, path) => {
                let var = self.memory.local_var(local);
                let ty = self.function.locals[local].ty;
                let value = if path.is_empty() {
                    value
                } else {
                    let old = self.current(var);
                    self.replaced(old, ty, &path, value)
                };
                self.set(var, value);
            }
            Access::Private(local) => {
                let address = self.address_of(place);
                let var = self.memory.local_var(local);
                let memory = self.changed(var);
                self.remember(place, address, memory, value);
            }
            Access::Shared => {
                let address = self.address_of(place);
                for var in self.memory.stored(place) {
                    self.changed(var);
                }
                if let Some(vars) = self.memory.loaded(place) {
                    let memory = self.versions(&vars);
                    self.remember(place, address, memory, value);
                }
            }
            Access::Opaque | Access::Volatile => {
                for var in self.memory.stored(place) {
                    self.changed(var);
                }
            }
        }
    }

    /// A record with one part, which may lie deeper, replaced.
    fn replaced(&mut self, old: ValueId, ty: TyId, path: &[u32], value: ValueId) -> ValueId {
        let Some((&field, rest)) = path.split_first() else { return value };
        let field_ty = self.field_type(ty, field);
        let range = self.range(field_ty);
        let part = self.values.part(old, field, range);
        let part = self.replaced(part, field_ty, rest, value);
        self.values.with(old, field, part)
    }

    fn remember(&mut self, place: &Place, address: ValueId, memory: ValueId, value: ValueId) {
        if !self.is_bit_field(place) {
            let ty = place.ty.index() as u32;
            let def = Def::Load { address, memory, ty };
            self.values.forward(def, value);
        }
    }

    fn is_bit_field(&self, place: &Place) -> bool {
        let PlaceKind::Field(base, index) = &place.kind else { return false };
        let tenure_core::Ty::Record(id) = self.program.types.get(base.ty) else { return false };
        let fields = self.program.types.records[*id].fields.as_deref().unwrap_or_default();
        fields.get(*index as usize).is_none_or(|field| field.bits.is_some())
    }

    /// The version of memory behind a thin pointer to a sequence.
    pub fn sequence_memory(&mut self, p: &Expr) -> ValueId {
        match self.sequence(p) {
            Some((_, memory, _)) => memory,
            None => self.unknown(p.ty),
        }
    }

    /// Address, memory and type of the elements behind a thin pointer.
    fn sequence(&mut self, p: &Expr) -> Option<(ValueId, ValueId, TyId)> {
        let tenure_core::Ty::Ptr { to, quals } = *self.program.types.get(p.ty) else { return None };
        let place = Place { kind: PlaceKind::Deref(Box::new(p.clone())), ty: to };
        if !matches!(self.memory.access(self.function, &place), Access::Shared) {
            return None;
        }
        let vars = self.memory.loaded(&place).filter(|_| !quals.is_volatile)?;
        let memory = self.versions(&vars);
        Some((self.eval(p), memory, to))
    }

    fn check(&mut self, ordinal: u32, check: &'a Check, span: Span) {
        let (goal, key) = self.goal(&check.kind);
        let at = self.here();
        // A check that a handler may follow tells only what comes after it in order.
        if let End::MayThrow { next, .. } = self.cfg.blocks[self.block].end {
            if self.position as usize == self.cfg.blocks[self.block].items.len() {
                (self.block, self.position) = (next, 0);
            }
        }
        self.learn(&goal, Source::Check(check.span));
        self.sites.push(Site { ordinal, check, span, at, passed: self.here(), goal, key });
        (self.block, self.position) = at;
    }

    fn key(&mut self, kind: u32, a: ValueId, b: ValueId) -> ValueId {
        self.values.other_in(tag::CHECK + kind, a, b, super::value::WIDEST)
    }

    fn goal(&mut self, kind: &CheckKind) -> (Goal, ValueId) {
        match kind {
            CheckKind::NonNull(e) | CheckKind::NonZero(e) => {
                let value = self.eval(e);
                (Goal::NonZero(value), self.key(0, value, value))
            }
            CheckKind::Index { index, size } => self.index_goal(index, size, -1),
            CheckKind::IndexOrEnd { index, size } => self.index_goal(index, size, 0),
            CheckKind::FatIndex { ptr, index } => {
                let [base, idx, len] = self.parts(ptr);
                let element = self.checked_element(idx, index);
                let index = self.eval(index);
                let whole = self.key(3, idx, len);
                let goal = Goal::Fat { base, element, idx, index, len };
                let whole = self.key(3, whole, element);
                (goal, self.key(3, whole, index))
            }
            CheckKind::FatCount { ptr, count, nullable } => {
                let [base, idx, len] = self.parts(ptr);
                let count = self.eval(count);
                let goal = Goal::Count { base, idx, len, count, nullable: *nullable };
                let whole = self.key(4 + u32::from(*nullable), idx, len);
                let whole = self.key(4, whole, base);
                (goal, self.key(4, whole, count))
            }
            CheckKind::NoDivOverflow { dividend, divisor } => {
                let int = crate::constant::int_of(self.program, dividend.ty);
                let least = int.and_then(crate::constant::bounds).map(|b| b.0);
                let (dividend, divisor) = (self.eval(dividend), self.eval(divisor));
                let key = self.key(6, dividend, divisor);
                match least {
                    Some(least) => (Goal::NoDivOverflow { dividend, divisor, least }, key),
                    None => (Goal::Never, key),
                }
            }
            CheckKind::Tag { tag, expected } => {
                let value = self.eval(tag);
                let constant = self.values.constant(*expected);
                (Goal::Equal(value, *expected), self.key(7, value, constant))
            }
            CheckKind::ZeroTermIndex { ptr, index } => self.terminated_goal(ptr, index),
            CheckKind::ZeroTermStore { ptr, index, value } => {
                let address = self.eval(ptr);
                let index = self.eval(index);
                let new = self.eval(value);
                let key = self.key(9, address, index);
                let key = self.key(9, key, new);
                let Some((_, memory, ty)) = self.sequence(ptr) else { return (Goal::Never, key) };
                let old = self.sequence_element(address, index, memory, ty);
                (Goal::KeepsTerminator { old, new }, self.key(9, key, memory))
            }
            CheckKind::HasZero { ptr } => {
                let [base, idx, len] = self.parts(ptr);
                let whole = self.key(10, idx, len);
                let whole = self.key(10, whole, base);
                let memory = self.unknown_version();
                (Goal::Never, self.key(10, whole, memory))
            }
            CheckKind::Fits32(e) => {
                let value = self.eval(e);
                (Goal::Fits32(value), self.key(11, value, value))
            }
            CheckKind::Assert(cond) => {
                let value = self.condition(cond);
                (Goal::Holds(value), self.key(12, value, value))
            }
        }
    }

    /// The element that a check looks at: a 64-bit index is not cut off.
    fn checked_element(&mut self, idx: ValueId, index: &Expr) -> ValueId {
        match crate::constant::int_of(self.program, index.ty) {
            Some(int) if int.bits() > 32 && crate::constant::bounds(int).is_some() => {
                let index = self.eval(index);
                self.values.add(idx, index, int)
            }
            _ => self.moved(idx, index),
        }
    }

    fn unknown_version(&mut self) -> ValueId {
        let block = self.block;
        self.values.unknown(super::value::WIDEST, block)
    }

    fn index_goal(&mut self, index: &Expr, size: &Expr, most: i128) -> (Goal, ValueId) {
        let (index, size) = (self.eval(index), self.eval(size));
        let key = self.key(if most == 0 { 2 } else { 1 }, index, size);
        (Goal::Index { index, size, most }, key)
    }

    fn terminated_goal(&mut self, ptr: &Expr, index: &Expr) -> (Goal, ValueId) {
        let index = self.eval(index);
        let Some((address, memory, ty)) = self.sequence(ptr) else {
            let fresh = self.unknown_version();
            return (Goal::Never, fresh);
        };
        // The elements that a proof may ask for get their numbers while this memory is current.
        if let Some(few @ 1..=4) = self.values.constant_of(index) {
            for n in 0..few {
                let n = self.values.constant(n);
                self.sequence_element(address, n, memory, ty);
            }
        }
        let key = self.key(8, address, index);
        (Goal::Terminated { address, index, memory, ty }, self.key(8, key, memory))
    }

    fn sequence_element(
        &mut self,
        address: ValueId,
        index: ValueId,
        memory: ValueId,
        ty: TyId,
    ) -> ValueId {
        let address = self.values.element(address, index);
        let range = self.range(ty);
        let def = Def::Load { address, memory, ty: ty.index() as u32 };
        match self.values.find(def) {
            Some(value) => value,
            None => self.values.load(def, range),
        }
    }

    /// What a check that passed tells about all that it dominates.
    fn learn(&mut self, goal: &Goal, source: Source) {
        let zero = self.values.zero;
        let place = self.here();
        match *goal {
            Goal::Index { index, size, most } => {
                self.fact(Relation::AtMost, (zero, index, 0), place, source);
                self.fact(Relation::AtMost, (index, size, most), place, source);
            }
            Goal::Fat { base, element, len, .. } => {
                self.fact(Relation::AtMost, (zero, element, 0), place, source);
                self.fact(Relation::AtMost, (element, len, -1), place, source);
                self.fact(Relation::Differ, (base, zero, 0), place, source);
            }
            // NULL passes with no element, so that a nullable check says nothing of the count.
            Goal::Count { base, idx, len, count, nullable: false } => {
                self.fact(Relation::Differ, (base, zero, 0), place, source);
                let left = self.values.count(idx, len);
                self.fact(Relation::AtMost, (count, left, 0), place, source);
            }
            Goal::NonZero(value) => {
                self.fact(Relation::Differ, (value, zero, 0), place, source);
            }
            Goal::Equal(value, k) => self.between(value, k, k, source),
            Goal::Fits32(value) => self.between(value, 0, i128::from(u32::MAX), source),
            Goal::Holds(cond) => self.assume(cond, true, source, 0),
            Goal::Count { .. }
            | Goal::NoDivOverflow { .. }
            | Goal::Terminated { .. }
            | Goal::KeepsTerminator { .. }
            | Goal::Never => {}
        }
    }

    /// Adds a fact with constants on the right.
    pub fn fact(
        &mut self,
        relation: Relation,
        (mut x, mut y, mut k): (ValueId, ValueId, i128),
        place: (BlockId, Position),
        source: Source,
    ) {
        let zero = self.values.zero;
        if let Some(n) = self.values.constant_of(x) {
            (x, k) = (zero, k - n);
        }
        if let Some(n) = self.values.constant_of(y) {
            (y, k) = (zero, k + n);
        }
        if relation == Relation::Differ && x == zero {
            (x, y, k) = (y, x, -k);
        }
        if x != y {
            self.facts.add(relation, (x, y, k), place, source);
        }
        if relation == Relation::AtMost {
            if (x == zero) != (y == zero) {
                self.quotient_fact((x, y, k), place, source);
            }
            self.conversion_fact((x, y, k), place, source);
        }
    }

    /// `(unsigned)i <= n + k` where that is at most the greatest signed number: so `0 <= i <= n + k`.
    fn conversion_fact(
        &mut self,
        (x, y, k): (ValueId, ValueId, i128),
        place: (BlockId, Position),
        source: Source,
    ) {
        let Def::Cast(inner, int) = self.values.get(x).def else { return };
        let inside = self.values.get(inner);
        // A negative number of the same or a smaller width becomes one of the upper half.
        let signed_max = (1i128 << (int.bits() - 1)) - 1;
        let narrow = inside.lo >= -signed_max - 1 && inside.hi <= signed_max;
        if !int.is_signed() && narrow && self.values.get(y).hi + k <= signed_max {
            let zero = self.values.zero;
            self.fact(Relation::AtMost, (zero, inner, 0), place, source);
            self.fact(Relation::AtMost, (inner, y, k), place, source);
        }
    }

    /// What a bound of a quotient says of the dividend.
    fn quotient_fact(
        &mut self,
        (x, y, k): (ValueId, ValueId, i128),
        place: (BlockId, Position),
        source: Source,
    ) {
        let zero = self.values.zero;
        let (quotient, upper) = if y == zero { (x, true) } else { (y, false) };
        let (dividend, d, floor) = match self.values.get(quotient).def {
            Def::Div(v, d) => match self.values.constant_of(d) {
                Some(d) if d > 0 => (v, d, false),
                _ => return,
            },
            Def::Shr(v, count) => (v, 1i128 << count, true),
            _ => return,
        };
        // Division rounds towards zero, a shift down.
        let rounds = if floor { upper } else { k >= 0 };
        let slack = if rounds { d - 1 } else { 0 };
        let Some(k) = k.checked_mul(d).and_then(|k| k.checked_add(slack)) else { return };
        let claim = if upper { (dividend, zero, k) } else { (zero, dividend, k) };
        self.fact(Relation::AtMost, claim, place, source);
    }

    fn between(&mut self, value: ValueId, low: i128, high: i128, source: Source) {
        let zero = self.values.zero;
        let place = self.here();
        self.fact(Relation::AtMost, (value, zero, high), place, source);
        self.fact(Relation::AtMost, (zero, value, -low), place, source);
    }

    pub fn cfg(&self) -> &'o Cfg<'a> {
        self.cfg
    }

    pub fn order(&self) -> &'o Order {
        self.order
    }
}
