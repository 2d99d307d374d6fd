//! Statements. A `goto` is a search: the list that holds its label, however deep, goes on there.

use super::memory::{Cells, NULL};
use super::{bug, Flow, Frame, Machine, Stop, Value};
use tenure_core::{
    Block, Callee, Expr, FunctionId, LabelId, Loop, LoopTest, Place, Stmt, StmtKind, SwitchArm, Try,
};

const DEEPEST: u32 = 200;

fn holds(block: &Block, label: LabelId) -> bool {
    block.stmts.iter().any(|stmt| holds_stmt(stmt, label))
}

fn holds_stmt(stmt: &Stmt, label: LabelId) -> bool {
    match &stmt.kind {
        StmtKind::Label(here) => *here == label,
        StmtKind::If { then, otherwise, .. } => {
            holds(then, label) || otherwise.as_ref().is_some_and(|block| holds(block, label))
        }
        StmtKind::Loop(l) => holds(&l.body, label) || l.step.iter().any(|s| holds_stmt(s, label)),
        StmtKind::Switch { arms, default, .. } => {
            arms.iter().any(|arm| holds(&arm.body, label))
                || default.as_ref().is_some_and(|block| holds(block, label))
        }
        StmtKind::Block { body, .. } => holds(body, label),
        StmtKind::Try(t) => holds(&t.body, label) || holds(&t.handler, label),
        _ => false,
    }
}

fn caught(flow: Flow, label: LabelId) -> Flow {
    match flow {
        Err(Stop::Break(to)) if to == label => Ok(()),
        other => other,
    }
}

impl<'p> Machine<'p> {
    /// Runs a block from its start, or from a label in it.
    pub(super) fn block(&mut self, block: &'p Block, from: Option<LabelId>) -> Flow {
        self.enter(block)?;
        let flow = self.list(&block.stmts, from);
        self.leave(block);
        flow
    }

    fn enter(&mut self, block: &'p Block) -> Flow {
        for &local in &block.locals {
            let declared = &self.function.locals[local];
            let size = self.shape(declared.ty)?.size;
            let cells =
                if declared.zero_at_entry { Cells::zero(size) } else { Cells::unwritten(size) };
            self.bind(local, cells);
        }
        Ok(())
    }

    fn leave(&mut self, block: &'p Block) {
        for &local in &block.locals {
            self.unbind(local);
        }
    }

    fn list(&mut self, stmts: &'p [Stmt], from: Option<LabelId>) -> Flow {
        let (mut at, mut seek) = (0, from);
        if let Some(label) = from {
            at = stmts.iter().position(|stmt| holds_stmt(stmt, label)).unwrap_or(stmts.len());
        }
        while at < stmts.len() {
            let flow = self.stmt(&stmts[at], seek.take());
            match self.forgiven(flow) {
                Err(Stop::Goto(label)) => {
                    match stmts.iter().position(|stmt| holds_stmt(stmt, label)) {
                        Some(there) => (at, seek) = (there, Some(label)),
                        None => return Err(Stop::Goto(label)),
                    }
                }
                other => {
                    other?;
                    at += 1;
                }
            }
        }
        Ok(())
    }

    /// A program that was made wrong goes on elsewhere where it breaks what is not asked of it.
    fn forgiven(&mut self, flow: Flow) -> Flow {
        const ASKED: &[&str] =
            &["outside of its array", "in an object of", "a division", "whose tag"];
        match flow {
            Err(Stop::Bug(said))
                if self.forgiving && !ASKED.iter().any(|asked| said.contains(asked)) =>
            {
                self.raise("Match_Exception")
            }
            other => other,
        }
    }

    fn tick(&mut self) -> Flow {
        self.steps = self.steps.checked_sub(1).ok_or(Stop::Tired)?;
        Ok(())
    }

    fn stmt(&mut self, stmt: &'p Stmt, seek: Option<LabelId>) -> Flow {
        self.tick()?;
        match &stmt.kind {
            StmtKind::Assign(place, expr) | StmtKind::Init(place, expr) => {
                let value = self.eval(expr)?;
                self.store(place, value)
            }
            StmtKind::Zero(place) => {
                let value = self.zero(place.ty)?;
                self.store(place, value)
            }
            StmtKind::Eval(expr) => self.eval(expr).map(|_| ()),
            StmtKind::Call { dest, callee, args, .. } => self.call(dest.as_ref(), callee, args),
            StmtKind::Alloc(alloc) => self.alloc(alloc),
            StmtKind::Check(check) => self.check(check),
            StmtKind::If { cond, then, otherwise } => {
                let first = match seek {
                    Some(label) => holds(then, label),
                    None => self.truth(cond)?,
                };
                match (first, otherwise) {
                    (true, _) => self.block(then, seek),
                    (false, Some(block)) => self.block(block, seek),
                    (false, None) => Ok(()),
                }
            }
            StmtKind::Loop(l) => self.loop_stmt(l, seek),
            StmtKind::Switch { value, arms, default, label } => {
                let flow = self.switch(value, arms, default.as_deref(), seek);
                caught(flow, *label)
            }
            StmtKind::Block { label: Some(label), body } => caught(self.block(body, seek), *label),
            StmtKind::Block { label: None, body } => self.block(body, seek),
            StmtKind::Try(t) => self.try_stmt(t, seek),
            _ => self.simple(stmt),
        }
    }

    fn switch(
        &mut self,
        value: &'p Expr,
        arms: &'p [SwitchArm],
        default: Option<&'p Block>,
        seek: Option<LabelId>,
    ) -> Flow {
        let body = match seek {
            Some(label) => {
                let mut bodies = arms.iter().map(|arm| &arm.body).chain(default);
                bodies.find(|body| holds(body, label))
            }
            None => {
                let value = self.int(value)?;
                let taken = arms
                    .iter()
                    .find(|arm| arm.values.iter().any(|&(lo, hi)| lo <= value && value <= hi));
                taken.map(|arm| &arm.body).or(default)
            }
        };
        body.map_or(Ok(()), |body| self.block(body, seek))
    }

    fn try_stmt(&mut self, t: &'p Try, seek: Option<LabelId>) -> Flow {
        if let Some(label) = seek.filter(|label| holds(&t.handler, *label)) {
            return self.block(&t.handler, Some(label));
        }
        let pins = self.pins();
        match self.block(&t.body, seek) {
            Err(Stop::Throw(exn, owned)) => {
                self.unpin_to(pins)?;
                let frame = self.local(t.frame)?;
                self.catch(frame, exn, owned);
                let at = self.local(t.exn)?;
                let ty = self.function.locals[t.exn].ty;
                self.put(at, ty, Value::Int(i128::from(exn)))?;
                self.block(&t.handler, None)
            }
            other => other,
        }
    }

    /// Statements that only go elsewhere, open and close scopes, or do nothing here.
    fn simple(&mut self, stmt: &'p Stmt) -> Flow {
        match &stmt.kind {
            StmtKind::Break(label) => Err(Stop::Break(*label)),
            StmtKind::Continue(label) => Err(Stop::Continue(*label)),
            StmtKind::Goto(label) => Err(Stop::Goto(*label)),
            StmtKind::Return(None) => Err(Stop::Return(None)),
            StmtKind::Return(Some(value)) => Err(Stop::Return(Some(self.eval(value)?))),
            StmtKind::Throw { exn } => match self.pointer(exn)? {
                NULL => self.raise("Null_Exception"),
                exn => self.throw(exn),
            },
            StmtKind::Rethrow { exn } => {
                let exn = self.pointer(exn)?;
                self.throw_again(exn)
            }
            StmtKind::NoMatch => self.raise("Match_Exception"),
            StmtKind::Pin { dest, reference, .. } => self.pin(dest, reference),
            StmtKind::Unpin(_) => self.unpin_to(self.pins().saturating_sub(1)),
            StmtKind::Unreachable => bug("control comes to where it never comes"),
            StmtKind::RegionEnter(local) => {
                let arena = self.local(*local)?;
                self.arenas.insert(arena, Vec::new());
                Ok(())
            }
            StmtKind::RegionExit(local) => {
                let arena = self.local(*local)?;
                self.close_arena(arena);
                Ok(())
            }
            // The handle of a dynamic region is its key.
            StmtKind::Open { key, handle } => {
                let key = self.load_place(key)?;
                let handle_ty = self.function.locals[*handle].ty;
                let at = self.local(*handle)?;
                self.put(at, handle_ty, key)
            }
            StmtKind::Close { .. } => Ok(()),
            _ => Ok(()),
        }
    }

    /// Whether the loop goes on; what computes that may leave it too.
    fn condition(&mut self, l: &'p Loop, head: &'p Block, cond: &'p Expr) -> Result<bool, Stop> {
        self.enter(head)?;
        let flow = self.list(&head.stmts, None);
        let holds = flow.and_then(|()| self.truth(cond));
        self.leave(head);
        match holds {
            Err(Stop::Break(label)) if label == l.label => Ok(false),
            other => other,
        }
    }

    fn loop_stmt(&mut self, l: &'p Loop, from: Option<LabelId>) -> Flow {
        let mut seek = from;
        loop {
            if let (LoopTest::Before { head, cond }, None) = (&l.test, seek) {
                if !self.condition(l, head, cond)? {
                    return Ok(());
                }
            }
            let in_step = seek.filter(|label| l.step.iter().any(|s| holds_stmt(s, *label)));
            if in_step.is_none() {
                match self.block(&l.body, seek) {
                    Err(Stop::Break(label)) if label == l.label => return Ok(()),
                    Err(Stop::Continue(label)) if label == l.label => {}
                    other => other?,
                }
            }
            seek = None;
            self.list(&l.step, in_step)?;
            if let LoopTest::After { head, cond } = &l.test {
                if !self.condition(l, head, cond)? {
                    return Ok(());
                }
            }
            self.tick()?;
        }
    }

    fn call(&mut self, dest: Option<&'p Place>, callee: &'p Callee, args: &'p [Expr]) -> Flow {
        let id = match callee {
            Callee::Direct(id) => *id,
            Callee::Indirect(pointer) => {
                let pointer = self.pointer(pointer)?;
                match self.memory.function(pointer) {
                    Some(id) => id,
                    None => return bug("a call of what is no function"),
                }
            }
        };
        let values = args.iter().map(|arg| self.eval(arg)).collect::<Result<Vec<_>, _>>()?;
        let value = match self.functions.get(&id) {
            Some(_) => self.invoke(id, values)?,
            None => self.library(id, values)?,
        };
        match (dest, value) {
            (Some(place), Some(value)) => self.store(place, value),
            (Some(_), None) => bug("a result that nobody returned"),
            (None, _) => Ok(()),
        }
    }

    pub(super) fn invoke(
        &mut self,
        id: FunctionId,
        args: Vec<Value>,
    ) -> Result<Option<Value>, Stop> {
        let callee = self.functions[&id];
        if self.depth >= DEEPEST {
            return Err(Stop::Tired);
        }
        if callee.params.len() != args.len() {
            return bug("arguments do not fit the parameters");
        }
        let frame = std::mem::take(&mut self.frame);
        let caller = std::mem::replace(&mut self.function, callee);
        self.depth += 1;
        let flow = self.activation(args);
        self.depth -= 1;
        self.function = caller;
        let inner: Frame = std::mem::replace(&mut self.frame, frame);
        for address in inner.locals.into_values() {
            self.memory.kill(address);
        }
        match flow {
            Ok(()) => Ok(None),
            Err(Stop::Return(value)) => Ok(value),
            Err(other) => Err(other),
        }
    }

    fn activation(&mut self, args: Vec<Value>) -> Flow {
        let callee = self.function;
        for (&param, value) in callee.params.iter().zip(args) {
            let ty = callee.locals[param].ty;
            let size = self.shape(ty)?.size;
            self.bind(param, Cells::unwritten(size));
            let at = self.local(param)?;
            self.put(at, ty, value)?;
        }
        self.block(&callee.body, None)
    }
}
