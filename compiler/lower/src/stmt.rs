//! Statements.

use crate::builder::{load, Builder, Cleanup, Target};
use tenure_core::{Block, Expr, ExprKind, Local, LocalKind, Loop, LoopTest, Quals, StmtKind, Ty};
use tenure_types::hir::{self, Decl, ForStmt, Stmt};

impl Builder<'_, '_> {
    /// Statements of one scope: its arenas end where it ends.
    pub(crate) fn stmts(&mut self, stmts: &[Stmt]) {
        let depth = self.cleanups.len();
        for stmt in stmts {
            self.stmt(stmt);
        }
        self.end_scope(depth);
    }

    fn end_scope(&mut self, depth: usize) {
        if !self.is_terminated() {
            self.leave_to(depth);
        }
        self.cleanups.truncate(depth);
    }

    pub(crate) fn stmt(&mut self, stmt: &Stmt) {
        let outer = std::mem::replace(&mut self.span, stmt.span);
        self.stmt_inner(stmt);
        self.span = outer;
    }

    fn stmt_inner(&mut self, stmt: &Stmt) {
        use hir::StmtKind as S;
        match &stmt.kind {
            S::Empty => {}
            S::Expr(expr) => self.effect(expr),
            S::Decl(decl) => self.decl(decl),
            S::Block(block) => self.scope(block),
            S::If(cond, then, otherwise) => self.branch(
                cond,
                |this| this.nested(then),
                otherwise.as_deref().map(|otherwise| |this: &mut Self| this.nested(otherwise)),
            ),
            S::While(cond, body) => self.while_loop(Some(cond), body, None),
            S::DoWhile(body, cond) => self.do_while(body, cond),
            S::For(stmt) => self.for_loop(stmt),
            S::Switch(switch) => self.switch(switch),
            S::LeaveHandler => self.jump(self.handlers.last().copied(), StmtKind::Break),
            S::Break => self.jump(self.breaks.last().copied(), StmtKind::Break),
            S::Continue => self.jump(self.continues.last().copied(), StmtKind::Continue),
            S::Goto(label) => {
                let depth = self.goto_depths.get(label).copied().unwrap_or(0);
                let target = Target { label: self.goto_labels[*label], cleanups: depth };
                self.jump(Some(target), StmtKind::Goto);
            }
            S::Label(label, inner) => {
                let label = self.goto_labels[*label];
                self.emit(StmtKind::Label(label));
                self.stmt(inner);
            }
            S::Return(value) => self.return_value(value.as_ref()),
            S::Fallthru(values) => self.fallthru(values),
            S::Try { body, clauses } => self.try_catch(body, clauses),
        }
    }

    /// A statement under an `if` or a loop: its own scope, without a second pair of braces.
    pub(crate) fn nested(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            hir::StmtKind::Block(block) => self.stmts(&block.stmts),
            _ => self.stmts(std::slice::from_ref(stmt)),
        }
    }

    fn scope(&mut self, block: &hir::Block) {
        let (body, ()) = self.in_block(|this| this.stmts(&block.stmts));
        self.emit(StmtKind::Block { label: None, body });
    }

    /// Leaves the scopes inside the target, then goes there.
    fn jump(&mut self, target: Option<Target>, kind: fn(tenure_core::LabelId) -> StmtKind) {
        let Some(target) = target else { return };
        self.leave_to(target.cleanups);
        self.emit(kind(target.label));
    }

    fn return_value(&mut self, value: Option<&hir::Expr>) {
        let Some(value) = value else {
            self.leave_to(0);
            self.emit(StmtKind::Return(None));
            return;
        };
        if self.is_void(value.ty) {
            self.effect(value);
            self.leave_to(0);
            self.emit(StmtKind::Return(None));
            return;
        }
        let wanted = self.result;
        let value = self.value(value);
        let mut value = self.adapt(value, wanted);
        if !self.cleanups.is_empty() && !self.is_fixed(&value) {
            value = self.save(value);
        }
        self.leave_to(0);
        self.emit(StmtKind::Return(Some(value)));
    }

    fn decl(&mut self, decl: &Decl) {
        match decl {
            Decl::Local { local, init } => {
                let core_local = self.declare_user(*local);
                let place = self.local_place(core_local);
                match init {
                    None => {}
                    // Its parts are stored one by one, and none may be read before the last is.
                    Some(init) if crate::prescan::mentions(init, *local) => {
                        let whole = self.temp(place.ty);
                        let whole = self.local_place(whole);
                        self.init(init, whole.clone(), false);
                        self.emit(StmtKind::Init(place.clone(), load(whole)));
                        self.initialised(&place, init.ty);
                    }
                    Some(init) => self.init(init, place, false),
                }
            }
            Decl::Static(_) => {}
            Decl::Let { pattern, value } => self.let_pattern(pattern, value),
            Decl::Region { handle, .. } => self.region(*handle),
            Decl::Open { handle, key, .. } => self.open(*handle, key),
            Decl::Alias { local, value, .. } => self.alias(*local, value),
        }
    }

    /// `region<`r> h;`: an arena in this frame, to the end of the scope.
    fn region(&mut self, handle: hir::LocalId) {
        let ty = self.intern(Ty::Arena);
        let arena = Local { address_taken: true, ..self.new_local(ty) };
        let arena = self.declare(arena);
        self.emit(StmtKind::RegionEnter(arena));
        self.cleanups.push(Cleanup::Arena(arena));
        let handle = self.declare_user(handle);
        let place = self.local_place(handle);
        let pointer = self.intern(Ty::Ptr { to: ty, quals: Quals::default() });
        let address = Expr { kind: ExprKind::AddrOf(self.local_place(arena)), ty: pointer };
        let handle_ty = place.ty;
        self.emit(StmtKind::Init(place, Expr { ty: handle_ty, ..address }));
    }

    /// A loop's body, with where `break` and `continue` go.
    fn loop_body(&mut self, label: tenure_core::LabelId, body: &Stmt) -> Block {
        let target = Target { label, cleanups: self.cleanups.len() };
        self.breaks.push(target);
        self.continues.push(target);
        let (block, ()) = self.in_block(|this| this.nested(body));
        self.breaks.pop();
        self.continues.pop();
        block
    }

    fn while_loop(&mut self, cond: Option<&hir::Expr>, body: &Stmt, step: Option<&hir::Expr>) {
        let label = self.label(None);
        let test = match cond {
            None => LoopTest::Forever,
            Some(cond) if Self::constant_truth(cond) == Some(true) => LoopTest::Forever,
            Some(cond) => self.loop_test(cond, label),
        };
        let body = self.loop_body(label, body);
        let (step, ()) = self.in_block(|this| {
            if let Some(step) = step {
                this.effect(step);
            }
        });
        let mut locals = step.locals;
        let step = step.stmts;
        if locals.is_empty() {
            self.emit(StmtKind::Loop(Box::new(Loop { label, test, body, step })));
            return;
        }
        // Temporaries of the step live around the loop.
        let (outer, ()) = self
            .in_block(|this| this.emit(StmtKind::Loop(Box::new(Loop { label, test, body, step }))));
        locals.extend(outer.locals);
        self.emit(StmtKind::Block { label: None, body: Block { locals, stmts: outer.stmts } });
    }

    fn loop_test(&mut self, cond: &hir::Expr, label: tenure_core::LabelId) -> LoopTest {
        if let Some(cond) = self.pure_truth(cond) {
            return LoopTest::Before { head: Block::default(), cond };
        }
        let (head, cond) = self.in_block(|this| match &cond.kind {
            hir::ExprKind::And(a, b) => {
                this.jump_if_false(a, label);
                this.last_cond(b, label)
            }
            _ => this.truth(cond),
        });
        LoopTest::Before { head, cond }
    }

    /// The last operand of a chain of `&&`.
    fn last_cond(&mut self, cond: &hir::Expr, label: tenure_core::LabelId) -> Expr {
        match &cond.kind {
            hir::ExprKind::And(a, b) => {
                self.jump_if_false(a, label);
                self.last_cond(b, label)
            }
            _ => self.truth(cond),
        }
    }

    fn do_while(&mut self, body: &Stmt, cond: &hir::Expr) {
        let label = self.label(None);
        let body = self.loop_body(label, body);
        let (head, cond) = match Self::constant_truth(cond) {
            Some(truth) => (Block::default(), self.int(i128::from(truth), tenure_core::IntTy::Int)),
            None => self.in_block(|this| this.truth(cond)),
        };
        let test = LoopTest::After { head, cond };
        self.emit(StmtKind::Loop(Box::new(Loop { label, test, body, step: Vec::new() })));
    }

    fn for_loop(&mut self, stmt: &ForStmt) {
        if stmt
            .init
            .iter()
            .all(|init| matches!(init.kind, hir::StmtKind::Expr(_) | hir::StmtKind::Empty))
        {
            stmt.init.iter().for_each(|init| self.stmt(init));
            self.while_loop(stmt.cond.as_ref(), &stmt.body, stmt.step.as_ref());
            return;
        }
        let (body, ()) = self.in_block(|this| {
            let depth = this.cleanups.len();
            stmt.init.iter().for_each(|init| this.stmt(init));
            this.while_loop(stmt.cond.as_ref(), &stmt.body, stmt.step.as_ref());
            this.end_scope(depth);
        });
        self.emit(StmtKind::Block { label: None, body });
    }

    fn try_catch(&mut self, body: &hir::Block, clauses: &[hir::CatchClause]) {
        let frame_ty = self.intern(Ty::HandlerFrame);
        let frame =
            Local { address_taken: true, kind: LocalKind::Temp, ..self.new_local(frame_ty) };
        let frame = self.declare(frame);
        let void = self.intern(Ty::Void);
        let exn_ty = self.intern(Ty::Ptr { to: void, quals: Quals::default() });
        let exn = self.temp(exn_ty);
        let depth = self.cleanups.len();
        self.cleanups.push(Cleanup::Try(frame));
        let (body, ()) = self.in_block(|this| {
            this.stmts(&body.stmts);
            if !this.is_terminated() {
                this.emit(StmtKind::TryExit(frame));
            }
        });
        self.cleanups.truncate(depth);
        let (handler, ()) = self.in_block(|this| this.catch_clauses(frame, exn, clauses));
        self.emit(StmtKind::Try(Box::new(tenure_core::Try { frame, body, exn, handler })));
    }

    fn catch_clauses(
        &mut self,
        frame: tenure_core::LocalId,
        exn: tenure_core::LocalId,
        clauses: &[hir::CatchClause],
    ) {
        let subject = self.local_place(exn);
        let around = self.caught.clone();
        self.begin_caught(frame, clauses);
        let clauses: Vec<&hir::Clause> = clauses.iter().map(|clause| &clause.clause).collect();
        let end = self.label(None);
        self.handlers.push(Target { label: end, cleanups: self.cleanups.len() });
        let (body, ()) = self.in_block(|this| {
            this.rematched.push(None);
            this.clause_chain(&clauses, &subject, end);
            this.rematched.pop();
            if !this.is_terminated() {
                this.emit(StmtKind::Rethrow { exn: load(subject.clone()) });
            }
        });
        self.handlers.pop();
        self.caught = around;
        self.emit(StmtKind::Block { label: Some(end), body });
    }
}
