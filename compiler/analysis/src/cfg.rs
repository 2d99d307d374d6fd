//! The control-flow graph of a function, derived from structured core.
//!
//! Blocks hold references to core's statements. Inside a `try`, whatever may raise ends its block, with one edge to
//! what follows and one to the handler; so a fact or an assignment belongs to a whole block or to an edge, never to a
//! part of a block. What a call or an allocation assigns is an item of its own, after the edge to the handler.

use crate::bits::Bits;
use crate::constant::truth;
use index_vec::{define_index_type, IndexVec};
use std::collections::HashMap;
use tenure_core::{
    Block, Callee, Check, Expr, Function, FunctionId, LabelId, LocalId, Loop, LoopTest, Program,
    Stmt, StmtKind, SwitchArm, Try,
};
use tenure_span::{FastSet, Span};

define_index_type! { pub struct BlockId = u32; }

pub struct Cfg<'a> {
    pub blocks: IndexVec<BlockId, BasicBlock<'a>>,
    pub entry: BlockId,
    /// Where control falls off the end of the function.
    pub end: BlockId,
    /// First blocks of branches that a constant condition switches off.
    pub switched_off: Vec<BlockId>,
    /// Every `try` with the first block of its handler.
    pub tries: Vec<(&'a Try, BlockId)>,
    /// Locals that are zero where their scope begins: what definite assignment asks for.
    pub zeroed: Bits,
    /// Whether some call is of a function that is known not to return, other than by its declaration.
    pub calls_throwing: bool,
    /// Number of checks, each with an ordinal in the order in which walking the function meets them.
    pub checks: u32,
}

#[derive(Default)]
pub struct BasicBlock<'a> {
    pub items: Vec<Item<'a>>,
    pub end: End<'a>,
    pub preds: Vec<BlockId>,
}

#[derive(Clone, Copy)]
pub enum Item<'a> {
    /// The scope of these locals begins: they have no value yet.
    Enter(&'a [LocalId]),
    /// The scope of these locals ends, on a way that is not a throw; only of scopes with a local that owns something.
    /// The span is that of the statement that leaves the scope or stands last in it.
    Leave(&'a [LocalId], Span),
    /// Any statement without a destination of its own, or a call or allocation up to its return.
    Stmt(&'a Stmt),
    /// The destination of a call or an allocation is assigned.
    Result(&'a Stmt),
    Check(u32, &'a Check, Span),
    /// The exception arrives in the handler's local.
    Caught(LocalId),
    /// A condition or switch value is evaluated; the block's end says what comes of it. The span is the whole
    /// statement's.
    Test(&'a Expr, Span),
}

/// How a block ends; the successors' order is that of [`BasicBlock::successors`].
#[derive(Default)]
pub enum End<'a> {
    /// Return, uncaught throw, or control never comes to the end.
    #[default]
    Stop,
    Goto(BlockId),
    /// On the condition that is the last item.
    Branch {
        then: BlockId,
        otherwise: BlockId,
    },
    /// On the value that is the last item.
    Switch {
        arms: Vec<(&'a SwitchArm, BlockId)>,
        default: BlockId,
    },
    /// The last item may raise.
    MayThrow {
        next: BlockId,
        handler: BlockId,
    },
}

impl BasicBlock<'_> {
    pub fn successors(&self) -> impl Iterator<Item = BlockId> + '_ {
        (0..).map_while(|n| self.successor(n))
    }

    /// The number of successors.
    pub fn ways(&self) -> usize {
        match &self.end {
            End::Stop => 0,
            End::Goto(_) => 1,
            End::Branch { .. } | End::MayThrow { .. } => 2,
            End::Switch { arms, .. } => arms.len() + 1,
        }
    }

    pub fn successor(&self, n: usize) -> Option<BlockId> {
        match (&self.end, n) {
            (End::Goto(to), 0) => Some(*to),
            (End::Branch { then: to, .. }, 0) | (End::Branch { otherwise: to, .. }, 1) => Some(*to),
            (End::MayThrow { next: to, .. }, 0) | (End::MayThrow { handler: to, .. }, 1) => {
                Some(*to)
            }
            (End::Switch { arms, .. }, _) if n < arms.len() => Some(arms[n].1),
            (End::Switch { arms, default }, _) if n == arms.len() => Some(*default),
            _ => None,
        }
    }
}

impl<'a> Cfg<'a> {
    pub fn new(program: &'a Program, function: &'a Function) -> Cfg<'a> {
        Cfg::noting(program, function, &FastSet::default(), false)
    }

    /// `throwing`: functions that do not return, though their declarations do not say so; whether a call of one is
    /// noted only, or ends its block.
    pub fn noting(
        program: &'a Program,
        function: &'a Function,
        throwing: &FastSet<FunctionId>,
        ends: bool,
    ) -> Cfg<'a> {
        let mut blocks = IndexVec::new();
        let entry = blocks.push(BasicBlock::default());
        let end = blocks.push(BasicBlock::default());
        let cfg = Cfg {
            blocks,
            entry,
            end,
            switched_off: Vec::new(),
            tries: Vec::new(),
            zeroed: zeroed(function),
            calls_throwing: false,
            checks: 0,
        };
        let mut builder = Builder {
            program,
            throwing,
            ends,
            cfg,
            at: Some(entry),
            targets: Vec::new(),
            labels: vec![None; function.labels.len()],
            handlers: Vec::new(),
            scopes: Vec::new(),
            label_scopes: HashMap::new(),
            function,
        };
        if builder.owns(&function.params) {
            builder.scopes.push(&function.params);
        }
        if function.locals.iter().any(|local| local.owned.is_some()) {
            let mut labels = LabelScopes { builder: &mut builder };
            labels.block(&function.body);
        }
        builder.block(&function.body);
        builder.leave(0, function.end);
        if let Some(at) = builder.at {
            builder.close(at, End::Goto(end));
        }
        let mut cfg = builder.cfg;
        for from in cfg.blocks.indices() {
            for n in 0..cfg.blocks[from].ways() {
                if let Some(to) = cfg.blocks[from].successor(n) {
                    cfg.blocks[to].preds.push(from);
                }
            }
        }
        cfg
    }
}

/// What core says already.
fn zeroed(function: &Function) -> Bits {
    let mut zeroed = Bits::new(function.locals.len());
    for (id, local) in function.locals.iter_enumerated() {
        if local.zero_at_entry {
            zeroed.insert(id.index());
        }
    }
    zeroed
}

struct Target {
    label: LabelId,
    after: BlockId,
    again: Option<BlockId>,
    /// Number of scopes around.
    scopes: usize,
}

struct Builder<'a, 't> {
    program: &'a Program,
    throwing: &'t FastSet<FunctionId>,
    ends: bool,
    function: &'a Function,
    cfg: Cfg<'a>,
    /// The open block. `None` after a jump: a block that nothing reaches is made when a statement follows.
    at: Option<BlockId>,
    targets: Vec<Target>,
    labels: Vec<Option<BlockId>>,
    /// Frame and first handler block of the `try` bodies around, innermost last.
    handlers: Vec<(LocalId, BlockId)>,
    /// The scopes around with a local that owns something, the parameters' first.
    scopes: Vec<&'a [LocalId]>,
    /// The scopes around each label that a goto names.
    label_scopes: HashMap<LabelId, Vec<&'a [LocalId]>>,
}

impl<'a> Builder<'a, '_> {
    fn fresh(&mut self) -> BlockId {
        self.cfg.blocks.push(BasicBlock::default())
    }

    fn close(&mut self, block: BlockId, end: End<'a>) {
        self.cfg.blocks[block].end = end;
    }

    fn here(&mut self) -> BlockId {
        match self.at {
            Some(at) => at,
            None => {
                let fresh = self.fresh();
                self.at = Some(fresh);
                fresh
            }
        }
    }

    fn item(&mut self, item: Item<'a>) {
        let at = self.here();
        self.cfg.blocks[at].items.push(item);
    }

    /// Ends the open block, if there is one, with a jump.
    fn jump(&mut self, to: BlockId) {
        if let Some(at) = self.at.take() {
            self.close(at, End::Goto(to));
        }
    }

    fn stop(&mut self) {
        if let Some(at) = self.at.take() {
            self.close(at, End::Stop);
        }
    }

    fn start(&mut self, block: BlockId) {
        self.at = Some(block);
    }

    fn may_throw(&mut self) {
        let Some(&(_, handler)) = self.handlers.last() else { return };
        let at = self.here();
        let next = self.fresh();
        self.close(at, End::MayThrow { next, handler });
        self.at = Some(next);
    }

    fn throw(&mut self) {
        match self.handlers.last() {
            Some(&(_, handler)) => self.jump(handler),
            None => self.stop(),
        }
    }

    fn block(&mut self, block: &'a Block) {
        if !block.locals.is_empty() {
            self.item(Item::Enter(&block.locals));
        }
        let owns = self.owns(&block.locals);
        if owns {
            self.scopes.push(&block.locals);
        }
        self.list(&block.stmts);
        if owns {
            let whole = std::ptr::eq(block, &self.function.body);
            let last = if whole { None } else { block.stmts.last() };
            let end = last.map_or(self.function.end, |last| last.span);
            self.leave(self.scopes.len() - 1, end);
            self.scopes.pop();
        }
    }

    fn owns(&self, locals: &[LocalId]) -> bool {
        locals.iter().any(|&local| self.function.locals[local].owned.is_some())
    }

    /// Control, if it is here, leaves all but the outermost `kept` scopes.
    fn leave(&mut self, kept: usize, span: Span) {
        if self.at.is_none() {
            return;
        }
        for at in (kept..self.scopes.len()).rev() {
            self.item(Item::Leave(self.scopes[at], span));
        }
    }

    fn list(&mut self, stmts: &'a [Stmt]) {
        let mut left = None;
        for stmt in stmts {
            if let StmtKind::TryExit(frame) = stmt.kind {
                if left.is_none() {
                    left = Some(self.handlers.clone());
                }
                if let Some(position) = self.handlers.iter().rposition(|h| h.0 == frame) {
                    self.handlers.truncate(position);
                }
            }
            self.stmt(stmt);
        }
        if let Some(handlers) = left {
            self.handlers = handlers;
        }
    }

    fn stmt(&mut self, stmt: &'a Stmt) {
        match &stmt.kind {
            StmtKind::If { cond, then, otherwise } => {
                self.branch(cond, stmt.span, then, otherwise.as_deref());
            }
            StmtKind::Loop(l) => self.loop_stmt(l, stmt.span),
            StmtKind::Switch { value, arms, default, label } => {
                let targets = (arms.as_slice(), default.as_deref());
                self.switch(value, stmt.span, targets, *label);
            }
            StmtKind::Block { label, body } => match label {
                Some(label) => {
                    let after = self.fresh();
                    self.target(*label, after, None);
                    self.block(body);
                    self.targets.pop();
                    self.jump(after);
                    self.start(after);
                }
                None => self.block(body),
            },
            StmtKind::Try(t) => self.try_stmt(t),
            StmtKind::Break(label) | StmtKind::Continue(label) => {
                let target = self.targets.iter().rev().find(|target| target.label == *label);
                let to = target.and_then(|target| match stmt.kind {
                    StmtKind::Break(_) => Some((target.after, target.scopes)),
                    _ => target.again.map(|again| (again, target.scopes)),
                });
                match to {
                    Some((to, scopes)) => {
                        self.leave(scopes, stmt.span);
                        self.jump(to);
                    }
                    None => self.stop(),
                }
            }
            StmtKind::Label(label) => {
                let to = self.label(*label);
                self.jump(to);
                self.start(to);
            }
            StmtKind::Goto(label) => {
                let to = self.label(*label);
                self.here();
                if let Some(around) = self.label_scopes.get(label) {
                    let same = |(a, b): &(&&[LocalId], &&[LocalId])| std::ptr::eq(**a, **b);
                    let kept = self.scopes.iter().zip(around).take_while(same).count();
                    self.leave(kept, stmt.span);
                }
                self.jump(to);
            }
            _ => self.simple(stmt),
        }
    }

    fn target(&mut self, label: LabelId, after: BlockId, again: Option<BlockId>) {
        let scopes = self.scopes.len();
        self.targets.push(Target { label, after, again, scopes });
    }

    fn label(&mut self, label: LabelId) -> BlockId {
        if let Some(Some(block)) = self.labels.get(label.index()) {
            return *block;
        }
        let block = self.fresh();
        if let Some(entry) = self.labels.get_mut(label.index()) {
            *entry = Some(block);
        }
        block
    }

    fn simple(&mut self, stmt: &'a Stmt) {
        match &stmt.kind {
            StmtKind::Check(check) => {
                let ordinal = self.cfg.checks;
                self.cfg.checks += 1;
                self.item(Item::Check(ordinal, check, stmt.span));
                self.may_throw();
            }
            StmtKind::Call { dest, callee, may_throw, .. } => {
                self.item(Item::Stmt(stmt));
                if *may_throw {
                    self.may_throw();
                }
                if self.never_returns(callee) {
                    self.stop();
                } else if dest.is_some() {
                    self.item(Item::Result(stmt));
                }
            }
            StmtKind::Alloc(_) | StmtKind::Pin { .. } => {
                self.item(Item::Stmt(stmt));
                self.may_throw();
                self.item(Item::Result(stmt));
            }
            StmtKind::RegionEnter(_) | StmtKind::Open { .. } => {
                self.item(Item::Stmt(stmt));
                self.may_throw();
            }
            StmtKind::Throw { .. } | StmtKind::Rethrow { .. } | StmtKind::NoMatch => {
                self.item(Item::Stmt(stmt));
                self.throw();
            }
            StmtKind::Return(_) => {
                self.item(Item::Stmt(stmt));
                self.leave(0, stmt.span);
                self.stop();
            }
            StmtKind::Unreachable => {
                self.item(Item::Stmt(stmt));
                self.stop();
            }
            _ => self.item(Item::Stmt(stmt)),
        }
    }

    fn never_returns(&mut self, callee: &Callee) -> bool {
        let Callee::Direct(id) = callee else { return false };
        let throws = self.throwing.contains(id);
        self.cfg.calls_throwing |= throws;
        throws && self.ends || self.program.decls.get(*id).is_some_and(|decl| decl.noreturn)
    }

    /// A block of its own for the way to `to`, so that what the test says holds in a block that has no other way in.
    fn edge(&mut self, to: BlockId) -> BlockId {
        let block = self.fresh();
        self.close(block, End::Goto(to));
        block
    }

    /// Ends the open block with a test; a constant condition leaves one way only.
    fn test(&mut self, cond: &'a Expr, span: Span, then: BlockId, otherwise: BlockId) {
        self.item(Item::Test(cond, span));
        let at = self.here();
        self.at = None;
        let end = match truth(cond) {
            Some(true) => End::Goto(then),
            Some(false) => End::Goto(otherwise),
            None => End::Branch { then, otherwise },
        };
        self.close(at, end);
    }

    fn branch(
        &mut self,
        cond: &'a Expr,
        span: Span,
        then: &'a Block,
        otherwise: Option<&'a Block>,
    ) {
        let (yes, no) = (self.fresh(), self.fresh());
        match truth(cond) {
            Some(true) => self.cfg.switched_off.push(no),
            Some(false) => self.cfg.switched_off.push(yes),
            None => {}
        }
        self.test(cond, span, yes, no);
        let after = self.fresh();
        self.start(yes);
        self.block(then);
        self.jump(after);
        self.start(no);
        if let Some(block) = otherwise {
            self.block(block);
        }
        self.jump(after);
        self.start(after);
    }

    fn loop_stmt(&mut self, l: &'a Loop, span: Span) {
        let (body, step, after) = (self.fresh(), self.fresh(), self.fresh());
        let top = self.fresh();
        self.jump(top);
        self.start(top);
        // The test may leave the loop as well as the body may.
        self.target(l.label, after, Some(step));
        if let LoopTest::Before { head, cond } = &l.test {
            self.block(head);
            if truth(cond) == Some(false) {
                self.cfg.switched_off.push(body);
            }
            let out = self.edge(after);
            self.test(cond, span, body, out);
        } else {
            self.jump(body);
        }
        self.start(body);
        self.block(&l.body);
        self.jump(step);
        self.start(step);
        self.list(&l.step);
        if let LoopTest::After { head, cond } = &l.test {
            self.block(head);
            let (again, out) = (self.edge(top), self.edge(after));
            self.test(cond, span, again, out);
        } else {
            self.jump(top);
        }
        self.targets.pop();
        self.start(after);
    }

    fn switch(
        &mut self,
        value: &'a Expr,
        span: Span,
        (arms, default): (&'a [SwitchArm], Option<&'a Block>),
        label: LabelId,
    ) {
        self.item(Item::Test(value, span));
        let at = self.here();
        let after = self.fresh();
        let targets: Vec<_> = arms.iter().map(|arm| (arm, self.fresh())).collect();
        let other = self.fresh();
        self.close(at, End::Switch { arms: targets.clone(), default: other });
        self.target(label, after, None);
        for (arm, block) in targets {
            self.start(block);
            self.block(&arm.body);
            self.jump(after);
        }
        self.start(other);
        if let Some(block) = default {
            self.block(block);
        }
        self.jump(after);
        self.targets.pop();
        self.start(after);
    }

    fn try_stmt(&mut self, t: &'a Try) {
        let (handler, after) = (self.fresh(), self.fresh());
        self.cfg.tries.push((t, handler));
        // The body gets a block of its own: what stands before it is not undone by a throw inside.
        let body = self.fresh();
        self.jump(body);
        self.start(body);
        let outside = self.handlers.clone();
        self.handlers.push((t.frame, handler));
        self.block(&t.body);
        self.handlers = outside;
        self.jump(after);
        self.start(handler);
        self.item(Item::Caught(t.exn));
        self.block(&t.handler);
        self.jump(after);
        self.start(after);
    }
}

/// Notes the scopes around every label, before the gotos are met that may stand before it.
struct LabelScopes<'b, 'a, 't> {
    builder: &'b mut Builder<'a, 't>,
}

impl<'a> LabelScopes<'_, 'a, '_> {
    fn block(&mut self, block: &'a Block) {
        let owns = self.builder.owns(&block.locals);
        if owns {
            self.builder.scopes.push(&block.locals);
        }
        self.list(&block.stmts);
        if owns {
            self.builder.scopes.pop();
        }
    }

    fn list(&mut self, stmts: &'a [Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &'a Stmt) {
        match &stmt.kind {
            StmtKind::Label(label) => {
                self.builder.label_scopes.insert(*label, self.builder.scopes.clone());
            }
            StmtKind::If { then, otherwise, .. } => {
                self.block(then);
                otherwise.iter().for_each(|block| self.block(block));
            }
            StmtKind::Loop(l) => {
                self.block(&l.body);
                self.list(&l.step);
            }
            StmtKind::Switch { arms, default, .. } => {
                arms.iter().for_each(|arm| self.block(&arm.body));
                default.iter().for_each(|block| self.block(block));
            }
            StmtKind::Block { body, .. } => self.block(body),
            StmtKind::Try(t) => {
                self.block(&t.body);
                self.block(&t.handler);
            }
            _ => {}
        }
    }
}
