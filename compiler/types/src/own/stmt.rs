//! Statements and declarations.

use super::path::NoPath;
use super::pattern::moves;
use super::{Cx, Ownership};
use crate::hir::{
    Block, Clause, Decl, Expr, ExprKind, Pattern, PatternKind, Stmt, StmtKind, SwitchStmt,
};
use tenure_span::Diagnostic;

impl Ownership<'_, '_> {
    pub(super) fn block(&mut self, block: &mut Block) {
        block.stmts.iter_mut().for_each(|stmt| self.stmt(stmt));
    }

    /// A block whose last expression is a value.
    pub(super) fn statement_expr(&mut self, block: &mut Block, cx: Cx) {
        let Some((last, others)) = block.stmts.split_last_mut() else { return };
        others.iter_mut().for_each(|stmt| self.stmt(stmt));
        match &mut last.kind {
            StmtKind::Expr(value) => self.value(value, cx),
            _ => self.stmt(last),
        }
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::Empty
            | StmtKind::Break
            | StmtKind::LeaveHandler
            | StmtKind::Continue
            | StmtKind::Goto(_) => {}
            StmtKind::Expr(value) => self.value(value, Cx::Look),
            StmtKind::Decl(decl) => self.decl(decl),
            StmtKind::Block(block) => self.block(block),
            StmtKind::If(cond, yes, no) => {
                self.value(cond, Cx::Look);
                self.stmt(yes);
                if let Some(no) = no {
                    self.stmt(no);
                }
            }
            StmtKind::While(cond, body) | StmtKind::DoWhile(body, cond) => {
                self.value(cond, Cx::Look);
                self.stmt(body);
            }
            StmtKind::For(stmt) => {
                stmt.init.iter_mut().for_each(|init| self.stmt(init));
                for expr in stmt.cond.iter_mut().chain(&mut stmt.step) {
                    self.value(expr, Cx::Look);
                }
                self.stmt(&mut stmt.body);
            }
            StmtKind::Switch(switch) => self.switch(switch),
            StmtKind::Label(_, stmt) => self.stmt(stmt),
            StmtKind::Return(Some(value)) => self.value(value, Cx::Copy),
            StmtKind::Return(None) => {}
            StmtKind::Fallthru(values) => {
                values.iter_mut().for_each(|value| self.value(value, Cx::Copy));
            }
            StmtKind::Try { body, clauses } => {
                self.block(body);
                self.guards(clauses.iter().map(|catch| &catch.clause), false);
                // Whoever caught the exception before may hold it still.
                for catch in clauses {
                    let why = "others may have the exception still";
                    let shared = NoPath { span: catch.clause.span, why };
                    self.clause(&mut catch.clause, Err(shared));
                }
            }
        }
    }

    fn switch(&mut self, switch: &mut SwitchStmt) {
        let takes = switch
            .clauses
            .iter()
            .flat_map(|clause| &clause.patterns)
            .any(|pattern| moves(self, pattern));
        let named = switch.scrutinee.is_place();
        let movable = self.scrutinee(&mut switch.scrutinee, takes);
        if takes && !named {
            self.guards_of_a_value(&switch.clauses);
        }
        self.guards(switch.clauses.iter(), movable.is_ok());
        switch.clauses.iter_mut().for_each(|clause| self.clause(clause, movable));
    }

    /// What is matched: whether patterns may move out of it. A value is taken whole if one of them does.
    fn scrutinee(&mut self, value: &mut Expr, takes: bool) -> Result<(), NoPath> {
        if value.is_place() {
            self.place(value);
            return self.path(value);
        }
        self.value(value, if takes { Cx::Copy } else { Cx::Look });
        match takes {
            true => Ok(()),
            false => Err(NoPath { span: value.span, why: "this value is only looked at" }),
        }
    }

    fn clause(&mut self, clause: &mut Clause, movable: Result<(), NoPath>) {
        for pattern in &clause.patterns {
            self.pattern(pattern, movable);
            if moves(self, pattern) {
                self.pattern_takes_apart(pattern);
            }
        }
        if let Some(guard) = &mut clause.guard {
            self.value(guard, Cx::Look);
        }
        self.block(&mut clause.body);
    }

    fn decl(&mut self, decl: &mut Decl) {
        match decl {
            Decl::Local { init: Some(init), .. } => self.init(init),
            Decl::Local { init: None, .. } | Decl::Static(_) | Decl::Region { .. } => {}
            Decl::Let { pattern: Pattern { kind: PatternKind::Bind(_, None), .. }, value } => {
                self.value(value, Cx::Copy);
            }
            Decl::Let { pattern, value } => {
                let takes = moves(self, pattern);
                let movable = self.scrutinee(value, takes);
                if takes {
                    self.pattern_takes_apart(pattern);
                }
                self.pattern(pattern, movable);
            }
            Decl::Open { key, .. } => self.pinned(key, "open"),
            Decl::Alias { value, .. } => self.pinned(value, "alias"),
        }
    }

    /// What `let alias` and `open` hold to the end of the block.
    fn pinned(&mut self, value: &mut Expr, what: &str) {
        if let ExprKind::Coerce(_, inner) = &mut value.kind {
            return self.pinned(inner, what);
        }
        if let ExprKind::Borrow(inner) = &mut value.kind {
            return self.value(inner, Cx::Look);
        }
        self.value(value, Cx::Look);
        let place = &*value;
        let why = match place.is_place() {
            true => match self.path(place) {
                Ok(()) => return,
                Err(no) => (no.span, no.why),
            },
            false => (place.span, "this value has no name that could give it back"),
        };
        let text = match what {
            "open" => "only a key that nothing else reaches can be opened",
            _ => "only a pointer that nothing else reaches can be lent to a block",
        };
        let error = Diagnostic::error("E0530", text, place.span)
            .label(format!("this is `{}`", self.show(place)))
            .secondary(why.0, why.1)
            .help("move or swap it into a variable first");
        self.checker.error(error);
    }
}
