//! `switch` (C11 6.8.4.2) and `try`, whose clauses have patterns.

use super::tight::PushTight;
use super::Parser;
use crate::token::TokenKind;
use crate::tree::{Clause, Ident, InnerCase, PatternKind, Stmt, StmtKind, SwitchStmt};
use tenure_span::{Diagnostic, Symbol};
use TokenKind as K;

impl Parser<'_> {
    /// `switch (e) {…}`, `switch x {…}`, `switch $(a, b) {…}`
    pub(super) fn switch_statement(&mut self) -> StmtKind {
        self.bump();
        let no_struct = std::mem::replace(&mut self.no_struct, true);
        let scrutinee = self.expression();
        self.no_struct = no_struct;
        let mut prelude = Vec::new();
        self.inner_cases.push(Some(Vec::new()));
        let clauses = if self.at(K::LBrace) {
            self.clause_block(Some(&mut prelude))
        } else if matches!(self.kind(), K::Case | K::Default) {
            self.names.push_scope();
            let clause = self.clause_head();
            let statement = self.statement();
            self.names.pop_scope();
            vec![Clause { body: vec![statement], ..clause }]
        } else {
            self.unexpected("the `{` of the `switch`");
            Vec::new()
        };
        let inner = self.inner_cases.pop().flatten().unwrap_or_default();
        StmtKind::Switch(Box::new(SwitchStmt { scrutinee, prelude, clauses, inner }))
    }

    /// `case 1: case 2: s` within the statements of a clause, as in a loop that is entered in the
    /// middle. Each head becomes a clause of the innermost switch that jumps here.
    pub(super) fn inner_case(&mut self) -> StmtKind {
        let start = self.here();
        let label = Ident { name: Symbol::new(&format!("case_{}", start.lo)), span: start };
        let mut heads = Vec::new();
        while matches!(self.kind(), K::Case | K::Default) && !self.panicking {
            self.names.push_scope();
            let head = self.clause_head();
            self.names.pop_scope();
            let binds = head.pattern.as_ref().is_some_and(|pattern| {
                use PatternKind as P;
                !matches!(pattern.kind, P::Name(_) | P::Const(_) | P::Range(..) | P::Error)
            });
            if binds || head.guard.is_some() {
                let headline = "a case within a statement can only be a constant or a range";
                self.report(Diagnostic::error("E0114", headline, head.head));
                continue;
            }
            heads.push_tight(head);
        }
        let stmt = self.labeled_body();
        let Some(Some(inner)) = self.inner_cases.last_mut() else {
            let headline = "a case outside of a `switch`";
            self.report(Diagnostic::error(
                "E0114",
                headline,
                heads.first().map_or(start, |c| c.head),
            ));
            return StmtKind::Error;
        };
        for head in &heads {
            let goto =
                Stmt { span: head.head, kind: StmtKind::Goto(Ident { span: head.head, ..label }) };
            inner.push_tight(Clause { body: vec![goto], ..head.clone() });
        }
        StmtKind::Case(Box::new(InnerCase { heads, label, stmt }))
    }

    /// `try s catch { case P: … }`
    pub(super) fn try_statement(&mut self) -> StmtKind {
        self.bump();
        let body = Box::new(self.statement());
        if !self.eat(K::Catch) {
            self.unexpected("the `catch` of the `try`");
            return StmtKind::Error;
        }
        if !self.at(K::LBrace) {
            self.unexpected("the `{` of the `catch`");
            return StmtKind::Error;
        }
        self.inner_cases.push(None);
        let clauses = self.clause_block(None);
        self.inner_cases.pop();
        StmtKind::Try(body, clauses)
    }

    /// The clauses between braces. C allows statements before the first case of a `switch`, and
    /// what they are worth is for the checker to say.
    fn clause_block(&mut self, prelude: Option<&mut Vec<Stmt>>) -> Vec<Clause> {
        let open = self.here();
        let mut clauses = Vec::new();
        if !self.enter() {
            return clauses;
        }
        self.bump();
        self.names.push_scope();
        let mut before_first = Vec::new();
        while !matches!(self.kind(), K::Case | K::Default | K::RBrace | K::Eof) {
            self.block_item(&mut before_first);
        }
        match (prelude, before_first.first()) {
            (Some(prelude), _) => *prelude = before_first,
            (None, Some(stmt)) => {
                let headline = "a statement before the first case of a `catch`";
                self.report(
                    Diagnostic::error("E0114", headline, stmt.span).label("nothing leads to it"),
                );
            }
            (None, None) => {}
        }
        while matches!(self.kind(), K::Case | K::Default) {
            self.names.push_scope();
            clauses.push_tight(self.clause());
            self.names.pop_scope();
        }
        self.names.pop_scope();
        self.leave();
        self.close_block(open);
        clauses
    }

    /// One clause, at `case` or `default`.
    fn clause(&mut self) -> Clause {
        let mut clause = self.clause_head();
        let opened = self.names.here();
        while !matches!(self.kind(), K::Case | K::Default | K::RBrace | K::Eof) {
            self.block_item(&mut clause.body);
        }
        self.names.leave(opened);
        clause.span = self.since(clause.span);
        clause
    }

    /// `case P && e:`, `default:`
    fn clause_head(&mut self) -> Clause {
        let start = self.here();
        let mut pattern = None;
        let mut guard = None;
        if self.bump().kind == K::Case {
            pattern = Some(self.pattern());
            if self.eat(K::AndAnd) {
                guard = Some(self.logical_expression());
            }
        }
        if !self.eat(K::Colon) && !self.panicking {
            self.unexpected("`:` after the case");
        }
        if self.panicking {
            self.skip_to_colon();
        }
        let head = self.since(start);
        Clause { span: start, head, pattern, guard, body: Vec::new() }
    }

    /// After an error in a case: to behind a colon on the same line, if there is one.
    fn skip_to_colon(&mut self) {
        let mut ahead = 0;
        loop {
            let token = self.token_at(ahead);
            if token.kind == K::Colon {
                self.pos += ahead + 1;
                self.panicking = self.gave_up;
                return;
            }
            let stops = matches!(token.kind, K::Semi | K::LBrace | K::RBrace | K::Eof);
            if stops || (ahead > 0 && token.line_start) {
                return;
            }
            ahead += 1;
        }
    }
}
