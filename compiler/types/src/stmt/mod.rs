//! Statements.

mod declare;
mod flow;
mod jump;
mod pin;
mod switch;

pub(crate) use flow::{completes, is_entered_otherwise};
pub(crate) use jump::Flow;

use crate::checker::{Checker, Why};
use crate::hir::{self, Block, Expr, ExprKind, Stmt, StmtKind};
use crate::ty::{Type, TypeId};
use jump::{Barrier, Breakable};
use tenure_span::{Diagnostic, Span};
use tenure_syntax::tree::{self, ForInit, StmtKind as K};

impl Checker<'_> {
    /// A block with its own scope and region.
    pub(crate) fn block(&mut self, block: &tree::Block, label: Option<tree::Ident>) -> Block {
        self.push_block(label, block.span);
        let stmts = self.block_contents(block);
        let region = self.pop_block();
        Block { region, stmts, span: block.span }
    }

    /// The statements of a block whose scope is open already.
    pub(crate) fn block_contents(&mut self, block: &tree::Block) -> Vec<Stmt> {
        self.stmts(&block.stmts)
    }

    /// Statements to the end of their block: what regions they open ends with it.
    pub(super) fn stmts(&mut self, stmts: &[tree::Stmt]) -> Vec<Stmt> {
        let barriers = self.fx.flow.barriers.len();
        let mut out = Vec::with_capacity(stmts.len());
        for stmt in stmts {
            self.stmt_into(stmt, &mut out);
        }
        self.fx.flow.barriers.truncate(barriers);
        out
    }

    /// The block of a statement expression; its last expression is its value.
    pub(crate) fn statement_block(
        &mut self,
        block: &tree::Block,
        expected: Option<TypeId>,
    ) -> Block {
        self.push_block(None, block.span);
        self.fx.flow.enter(Barrier::StatementExpr, block.span);
        let barriers = self.fx.flow.barriers.len();
        let mut stmts = Vec::new();
        let last = block.stmts.len().saturating_sub(1);
        for (index, stmt) in block.stmts.iter().enumerate() {
            match &stmt.kind {
                K::Expr(e) if index == last => {
                    let value = self.expr(e, expected);
                    let value = self.decay(value);
                    stmts.push(Stmt { kind: StmtKind::Expr(value), span: stmt.span });
                }
                _ => self.stmt_into(stmt, &mut stmts),
            }
        }
        self.fx.flow.barriers.truncate(barriers - 1);
        let region = self.pop_block();
        Block { region, stmts, span: block.span }
    }

    /// Checks a statement; a declaration may become several.
    fn stmt_into(&mut self, stmt: &tree::Stmt, out: &mut Vec<Stmt>) {
        let span = stmt.span;
        match &stmt.kind {
            K::Decl(decl) => self.declaration(decl, out),
            K::Error => {}
            _ => {
                let kind = self.stmt_kind(stmt);
                out.push(Stmt { kind, span });
            }
        }
        self.settle_subs(0);
    }

    /// A statement as one.
    fn stmt(&mut self, stmt: &tree::Stmt) -> Stmt {
        let span = stmt.span;
        let mut out = Vec::new();
        self.stmt_into(stmt, &mut out);
        if out.len() == 1 {
            return out.remove(0);
        }
        let block = Block { region: None, stmts: out, span };
        Stmt { kind: StmtKind::Block(block), span }
    }

    fn stmt_kind(&mut self, stmt: &tree::Stmt) -> StmtKind {
        let span = stmt.span;
        match &stmt.kind {
            K::Expr(e) => StmtKind::Expr(self.effect(e)),
            K::Block(block) => StmtKind::Block(self.block(block, None)),
            K::Label(name, _, inner) => self.labelled(*name, inner),
            K::Case(case) => self.inner_case(case),
            K::If(cond, then, other) => {
                let cond = self.condition(cond);
                let then = Box::new(self.stmt(then));
                let other = other.as_ref().map(|other| Box::new(self.stmt(other)));
                StmtKind::If(cond, then, other)
            }
            K::While(cond, body) => {
                let cond = self.condition(cond);
                StmtKind::While(cond, Box::new(self.loop_body(body)))
            }
            K::DoWhile(body, cond) => {
                let body = Box::new(self.loop_body(body));
                StmtKind::DoWhile(body, self.condition(cond))
            }
            K::For(stmt) => self.for_stmt(stmt, span),
            K::Switch(switch) => self.switch(switch),
            K::Goto(name) => self.goto(*name),
            K::Break => self.leave("break", span, StmtKind::Break),
            K::Continue => self.leave("continue", span, StmtKind::Continue),
            K::Return(value) => self.return_stmt(value.as_deref(), span),
            K::Fallthru(args) => self.fallthru(args.as_deref(), span),
            K::Try(body, clauses) => self.try_stmt(body, clauses, span),
            K::GotoComputed(_) => {
                let error = Diagnostic::error("E0720", "a computed goto could go anywhere", span)
                    .help("use a `switch`");
                self.error(error);
                StmtKind::Empty
            }
            K::Asm(_) => {
                let error = Diagnostic::error("E0803", "`asm` can do anything to memory", span)
                    .help("put it into a C file and declare the function in `extern \"C\"`");
                self.error(error);
                StmtKind::Empty
            }
            K::Empty | K::Decl(_) | K::Error => StmtKind::Empty,
        }
    }

    /// An expression for its effect.
    fn effect(&mut self, e: &tree::Expr) -> Expr {
        let value = self.expr(e, None);
        if let Type::Function(_) = self.kind(value.ty) {
            if !value.is_error() {
                let text = "this names a function and does not call it";
                self.warn(Diagnostic::warning("W0302", text, e.span).help("add `()` to call it"));
            }
            return self.decay(value);
        }
        value
    }

    fn loop_body(&mut self, body: &tree::Stmt) -> Stmt {
        self.fx.flow.breakable.push(Breakable::Loop);
        let body = self.stmt(body);
        self.fx.flow.breakable.pop();
        body
    }

    fn for_stmt(&mut self, stmt: &tree::ForStmt, span: Span) -> StmtKind {
        self.push_block(None, span);
        let barriers = self.fx.flow.barriers.len();
        let mut init = Vec::new();
        match &stmt.init {
            ForInit::None => {}
            ForInit::Expr(e) => {
                let kind = StmtKind::Expr(self.effect(e));
                init.push(Stmt { kind, span: e.span });
            }
            ForInit::Decl(decl) => self.declaration(decl, &mut init),
        }
        let cond = stmt.cond.as_ref().map(|cond| self.condition(cond));
        let step = stmt.step.as_ref().map(|step| self.effect(step));
        let body = self.loop_body(&stmt.body);
        self.fx.flow.barriers.truncate(barriers);
        let region = self.pop_block();
        let opens =
            init.iter().any(|stmt| matches!(&stmt.kind, StmtKind::Decl(decl) if decl.opens()));
        let stmt = StmtKind::For(Box::new(hir::ForStmt { init, cond, step, body }));
        if region.is_none() && !opens {
            return stmt;
        }
        let stmts = vec![Stmt { kind: stmt, span }];
        StmtKind::Block(Block { region, stmts, span })
    }

    fn leave(&mut self, word: &str, span: Span, kind: StmtKind) -> StmtKind {
        let around = &self.fx.flow.breakable;
        let inside = match (word, around.last()) {
            ("break", Some(Breakable::Handler)) => return StmtKind::LeaveHandler,
            ("break", innermost) => innermost.is_some(),
            _ => around.contains(&Breakable::Loop),
        };
        if inside {
            return kind;
        }
        let place = if word == "break" { "loop, switch or handler" } else { "loop" };
        let text = format!("`{word}` outside of a {place}");
        self.error(Diagnostic::error("E0702", text, span));
        kind
    }

    fn return_stmt(&mut self, value: Option<&tree::Expr>, span: Span) -> StmtKind {
        let Some(result) = self.fx.result else {
            if let Some(value) = value {
                self.expr(value, None);
            }
            return StmtKind::Return(None);
        };
        let declared = match self.fx.func {
            Some(func) => self.funcs[func].span,
            None => Span::NONE,
        };
        let void = matches!(self.kind(result.ty), Type::Void);
        match value {
            None if void => StmtKind::Return(None),
            None => {
                let shown = self.show_type(result.ty);
                let text = format!("`return` without a value in a function that returns `{shown}`");
                let error = Diagnostic::error("E0703", text, span);
                self.error(error.secondary(declared, "declared here"));
                StmtKind::Return(None)
            }
            Some(value) if void => self.return_void(value, declared, span),
            Some(value) => {
                let value = self.expr_to(value, result.ty, Why::Return { declared });
                StmtKind::Return(Some(value))
            }
        }
    }

    /// `return f();` where `f` has no value either: GNU C takes it.
    fn return_void(&mut self, value: &tree::Expr, declared: Span, span: Span) -> StmtKind {
        let value = self.expr(value, None);
        let plain = matches!(self.kind(value.ty), Type::Void | Type::Error);
        if !plain && !matches!(value.kind, ExprKind::Error) {
            let text = "`return` with a value in a function that returns none";
            let error = Diagnostic::error("E0703", text, value.span);
            self.error(error.secondary(declared, "declared here"));
        }
        let stmts = vec![
            Stmt { span: value.span, kind: StmtKind::Expr(value) },
            Stmt { span, kind: StmtKind::Return(None) },
        ];
        StmtKind::Block(Block { region: None, stmts, span })
    }

    fn try_stmt(&mut self, body: &tree::Stmt, clauses: &[tree::Clause], span: Span) -> StmtKind {
        self.push_block(None, body.span);
        self.fx.flow.enter(Barrier::Try, body.span);
        let stmts = match &body.kind {
            K::Block(block) => self.block_contents(block),
            _ => vec![self.stmt(body)],
        };
        self.fx.flow.barriers.pop();
        let region = self.pop_block();
        let body = Block { region, stmts, span: body.span };
        let clauses = self.catch_clauses(clauses, span);
        StmtKind::Try { body, clauses }
    }
}
