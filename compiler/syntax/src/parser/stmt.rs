//! Statements (C11 6.8).

use super::tight::PushTight;
use super::{Parser, MAX_HEIGHT};
use crate::token::TokenKind;
use crate::tree::{
    AsmOperand, AsmStmt, Attribute, Block, DeclKind, Expr, ForInit, ForStmt, Ident, Stmt, StmtKind,
};
use tenure_span::{Diagnostic, Span};
use TokenKind as K;

impl Parser<'_> {
    /// C11 6.8.2, at the `{`.
    pub(super) fn compound_statement(&mut self) -> Block {
        let open = self.here();
        let mut block = Block { span: open, stmts: Vec::new(), local_labels: Vec::new() };
        if !self.expect(K::LBrace) || !self.enter() {
            return block;
        }
        let no_struct = std::mem::replace(&mut self.no_struct, false);
        self.names.push_scope();
        let opened = self.names.here();
        while self.at(K::Label) {
            self.local_labels(&mut block.local_labels);
        }
        while !matches!(self.kind(), K::RBrace | K::Eof) {
            self.block_item(&mut block.stmts);
            if matches!(self.kind(), K::Case | K::Default) {
                self.drop_fallthru(&mut block.stmts);
            }
        }
        self.names.leave(opened);
        self.names.pop_scope();
        self.no_struct = no_struct;
        self.leave();
        self.close_block(open);
        block.span = self.since(open);
        block
    }

    /// Control passes a case within a statement without `fallthru`; one that stands there anyhow,
    /// as gcc wants it, says no more than that.
    fn drop_fallthru(&self, stmts: &mut [Stmt]) {
        if let Some(last) = stmts.last_mut() {
            if matches!(last.kind, StmtKind::Fallthru(None)) {
                last.kind = StmtKind::Empty;
            }
        }
    }

    /// The `}`; at the end of the file the `{` is what is wrong.
    pub(super) fn close_block(&mut self, open: Span) {
        if self.at(K::Eof) && !self.panicking {
            self.error(
                Diagnostic::error("E0110", "a `{` is not closed", open)
                    .label("the file ends before its `}`"),
            );
            return;
        }
        self.close(K::RBrace, open);
    }

    /// `__label__ a, b;` (GNU)
    fn local_labels(&mut self, labels: &mut Vec<Ident>) {
        self.bump();
        while let Some(name) = self.declared_name("the name of a label") {
            labels.push(name);
            if !self.eat(K::Comma) {
                break;
            }
        }
        self.expect_semi("the labels");
    }

    /// One statement or declaration; goes on after errors and always takes something.
    pub(super) fn block_item(&mut self, stmts: &mut Vec<Stmt>) {
        let before = self.pos;
        stmts.push_tight(self.statement_or_declaration());
        if self.panicking {
            self.recover_in_block(before);
        }
        if self.pos == before && !self.at(K::RBrace) {
            self.bump();
        }
    }

    fn statement_or_declaration(&mut self) -> Stmt {
        if self.at(K::Using) {
            return self.using_in_block();
        }
        if self.begins_label() || self.begins_fallthrough_attribute() {
            return self.statement();
        }
        if self.begins_declaration() {
            let start = self.here();
            let decl = self.declaration(false);
            return Stmt { span: self.since(start), kind: StmtKind::Decl(Box::new(decl)) };
        }
        self.statement()
    }

    /// `using N;`, or `using N { … }`, which is the block `{ using N; … }`.
    fn using_in_block(&mut self) -> Stmt {
        let start = self.here();
        let opened = self.names.here();
        let decl = self.declaration(false);
        let span = self.since(start);
        let using = Stmt { span, kind: StmtKind::Decl(Box::new(decl)) };
        if !self.at(K::LBrace) || self.tokens[self.pos - 1].kind == K::Semi {
            return using;
        }
        let mut block = self.compound_statement();
        self.names.leave(opened);
        block.stmts.insert(0, using);
        Stmt { span: self.since(start), kind: StmtKind::Block(block) }
    }

    fn begins_label(&self) -> bool {
        self.at(K::Ident) && self.kind_at(1) == K::Colon
    }

    /// `__attribute__((fallthrough));` (GNU), which is no declaration.
    fn begins_fallthrough_attribute(&self) -> bool {
        self.at(K::Attribute)
            && matches!(self.token_at(3).name.as_str(), "fallthrough" | "__fallthrough__")
    }

    /// C11 6.8p1
    pub(super) fn statement(&mut self) -> Stmt {
        let start = self.here();
        if self.at(K::LBrace) {
            let kind = StmtKind::Block(self.compound_statement());
            return Stmt { span: self.since(start), kind };
        }
        if !self.enter() {
            return Stmt { span: start, kind: StmtKind::Error };
        }
        let kind = self.statement_kind();
        self.leave();
        Stmt { span: self.since(start), kind }
    }

    fn statement_kind(&mut self) -> StmtKind {
        match self.kind() {
            K::Semi => {
                self.bump();
                StmtKind::Empty
            }
            K::If => self.if_statement(),
            K::While => {
                self.bump();
                let condition = Box::new(self.condition());
                StmtKind::While(condition, Box::new(self.statement()))
            }
            K::Do => self.do_statement(),
            K::For => self.for_statement(),
            K::Switch => self.switch_statement(),
            K::Try => self.try_statement(),
            K::Goto => self.goto_statement(),
            K::Break => self.word_statement("`break`", StmtKind::Break),
            K::Continue => self.word_statement("`continue`", StmtKind::Continue),
            K::Return => {
                self.bump();
                let value = (!self.at(K::Semi)).then(|| Box::new(self.expression()));
                self.expect_semi("`return`");
                StmtKind::Return(value)
            }
            K::Fallthru => self.fallthru_statement(),
            K::Asm => {
                let asm = self.asm_body();
                self.expect_semi("`asm`");
                asm.map_or(StmtKind::Error, |asm| StmtKind::Asm(Box::new(asm)))
            }
            K::Attribute => {
                self.attributes(&mut Vec::new());
                self.expect_semi("the attribute");
                StmtKind::Fallthru(None)
            }
            K::Ident if self.begins_label() => self.labeled_statement(),
            K::Case | K::Default => self.inner_case(),
            K::Else => {
                self.misplaced("E0116", "an `else` without its `if`");
                StmtKind::Error
            }
            K::Catch => {
                self.misplaced("E0116", "a `catch` without its `try`");
                StmtKind::Error
            }
            _ if self.begins_declaration() => self.declaration_as_statement(),
            _ => {
                let value = Box::new(self.expression());
                self.expect_semi("the expression");
                StmtKind::Expr(value)
            }
        }
    }

    /// `if (x) int y;`: it declares nothing that could be used.
    fn declaration_as_statement(&mut self) -> StmtKind {
        let decl = self.declaration(false);
        if !matches!(decl.kind, DeclKind::Error | DeclKind::Empty) {
            self.report(
                Diagnostic::error("E0116", "a declaration is no statement", decl.span)
                    .help("put it in braces"),
            );
        }
        StmtKind::Error
    }

    /// Reports a word that stands wrongly, and goes on behind it.
    fn misplaced(&mut self, code: &'static str, headline: &str) {
        let here = self.here();
        self.report(Diagnostic::error(code, headline, here));
        self.bump();
    }

    fn word_statement(&mut self, what: &str, kind: StmtKind) -> StmtKind {
        self.bump();
        self.expect_semi(what);
        kind
    }

    /// `(e)` after `if`, `while` and the like.
    fn condition(&mut self) -> Expr {
        let open = self.here();
        if !self.expect(K::LParen) {
            return self.error_expr(open);
        }
        // In `if (x {` the brace is the body's, and the parenthesis is missing.
        let no_struct = std::mem::replace(&mut self.no_struct, true);
        let condition = self.expression();
        self.no_struct = no_struct;
        self.close(K::RParen, open);
        condition
    }

    /// C11 6.8.4.1. A chain of `else if` is a loop here; the tree it makes is bounded in height.
    fn if_statement(&mut self) -> StmtKind {
        let mut arms: Vec<(Span, Expr, Stmt)> = Vec::new();
        let mut last = None;
        loop {
            let start = self.here();
            self.bump();
            let condition = self.condition();
            let then = self.statement();
            arms.push((start, condition, then));
            if self.panicking || !self.eat(K::Else) {
                break;
            }
            if !self.at(K::If) {
                last = Some(Box::new(self.statement()));
                break;
            }
            if arms.len() as u32 >= MAX_HEIGHT {
                self.grow(MAX_HEIGHT);
                break;
            }
        }
        while let Some((start, condition, then)) = arms.pop() {
            let kind = StmtKind::If(Box::new(condition), Box::new(then), last.take());
            if arms.is_empty() {
                return kind;
            }
            last = Some(Box::new(Stmt { span: self.since(start), kind }));
        }
        StmtKind::Error
    }

    /// C11 6.8.5.2
    fn do_statement(&mut self) -> StmtKind {
        self.bump();
        let body = Box::new(self.statement());
        if !self.expect(K::While) {
            return StmtKind::Error;
        }
        let condition = Box::new(self.condition());
        self.expect_semi("`do … while (…)`");
        StmtKind::DoWhile(body, condition)
    }

    /// C11 6.8.5.3
    fn for_statement(&mut self) -> StmtKind {
        self.bump();
        let open = self.here();
        if !self.expect(K::LParen) {
            return StmtKind::Error;
        }
        self.names.push_scope();
        let init = if self.eat(K::Semi) {
            ForInit::None
        } else if self.begins_declaration() {
            ForInit::Decl(self.declaration(false))
        } else {
            let value = self.expression();
            self.expect_in_for();
            ForInit::Expr(value)
        };
        let cond = (!self.at(K::Semi)).then(|| self.expression());
        self.expect_in_for();
        let step = (!self.at(K::RParen)).then(|| self.expression());
        self.close(K::RParen, open);
        let body = self.statement();
        self.names.pop_scope();
        StmtKind::For(Box::new(ForStmt { init, cond, step, body }))
    }

    fn expect_in_for(&mut self) {
        if !self.eat(K::Semi) {
            self.unexpected("`;` between the parts of `for`");
        }
    }

    /// C11 6.8.6.1, and GNU's computed form.
    fn goto_statement(&mut self) -> StmtKind {
        self.bump();
        if self.eat(K::Star) {
            let target = Box::new(self.expression());
            self.expect_semi("`goto`");
            return StmtKind::GotoComputed(target);
        }
        let label = self.declared_name("the name of a label");
        self.expect_semi("`goto`");
        label.map_or(StmtKind::Error, StmtKind::Goto)
    }

    /// C11 6.8.1. A declaration may follow the label, as in C23.
    fn labeled_statement(&mut self) -> StmtKind {
        let name = self.bump();
        self.bump();
        let label = Ident { name: name.name, span: name.span(self.file) };
        let mut attributes: Vec<Attribute> = Vec::new();
        if self.at(K::Attribute) && !self.begins_fallthrough_attribute() {
            self.attributes(&mut attributes);
        }
        StmtKind::Label(label, attributes, Box::new(self.labeled_body()))
    }

    /// What stands behind a label. In front of a `}` it may be nothing, as in C23.
    pub(super) fn labeled_body(&mut self) -> Stmt {
        let start = self.here();
        if self.at(K::RBrace) {
            return Stmt { span: start.start(), kind: StmtKind::Empty };
        }
        self.statement_or_declaration()
    }

    fn fallthru_statement(&mut self) -> StmtKind {
        self.bump();
        let mut args = None;
        if self.at(K::LParen) {
            let open = self.here();
            self.bump();
            let mut list = Vec::new();
            while !self.at(K::RParen) && !self.panicking {
                list.push(self.assignment_expression());
                if !self.eat(K::Comma) {
                    break;
                }
            }
            self.close(K::RParen, open);
            args = Some(list);
        }
        self.expect_semi("`fallthru`");
        StmtKind::Fallthru(args)
    }

    /// GNU asm, without its `;`.
    pub(super) fn asm_body(&mut self) -> Option<AsmStmt> {
        self.bump();
        let mut volatile = false;
        let mut goto = false;
        loop {
            match self.kind() {
                K::Volatile => volatile = true,
                K::Goto => goto = true,
                K::Inline => {}
                _ => break,
            }
            self.bump();
        }
        let open = self.here();
        if !self.expect(K::LParen) {
            return None;
        }
        let template = self.string_literal()?;
        let mut asm = AsmStmt {
            volatile,
            goto,
            template,
            outputs: Vec::new(),
            inputs: Vec::new(),
            clobbers: Vec::new(),
            labels: Vec::new(),
        };
        let mut section = 0;
        while !self.panicking && !matches!(self.kind(), K::RParen | K::Eof) {
            // `::` is two empty sections' worth of colons.
            section += match self.kind() {
                K::Colon => 1,
                K::ColonColon => 2,
                _ => {
                    self.unexpected("`:` or `)`");
                    break;
                }
            };
            self.bump();
            self.asm_section(section, &mut asm);
        }
        self.close(K::RParen, open);
        Some(asm)
    }

    fn asm_section(&mut self, section: u32, asm: &mut AsmStmt) {
        while !self.panicking
            && !matches!(self.kind(), K::Colon | K::ColonColon | K::RParen | K::Eof)
        {
            match section {
                1 => asm.outputs.extend(self.asm_operand()),
                2 => asm.inputs.extend(self.asm_operand()),
                3 => asm.clobbers.extend(self.string_literal()),
                _ => asm.labels.extend(self.declared_name("the name of a label")),
            }
            if !self.eat(K::Comma) {
                break;
            }
        }
    }

    fn asm_operand(&mut self) -> Option<AsmOperand> {
        let mut name = None;
        if self.at(K::LBracket) {
            let open = self.here();
            self.bump();
            name = self.declared_name("the name of an operand");
            self.close(K::RBracket, open);
        }
        let constraint = self.string_literal()?;
        let open = self.here();
        self.expect(K::LParen);
        let expr = self.expression();
        self.close(K::RParen, open);
        Some(AsmOperand { name, constraint, expr })
    }
}
