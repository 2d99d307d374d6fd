//! Primary and postfix expressions (C11 6.5.1, 6.5.2).

use super::tight::PushTight;
use super::Parser;
use crate::literal::{self, StringUnits};
use crate::token::TokenKind;
use crate::tree::{
    AllocOp, Encoding, Expr, ExprKind, GenericExpr, Ident, QName, StepOp, StrLit, StrUnits,
    StructLit,
};
use tenure_span::{Diagnostic, Span};
use TokenKind as K;

impl Parser<'_> {
    /// C11 6.5.2
    pub(super) fn postfix_expression(&mut self) -> Expr {
        let primary = self.primary_expression();
        self.postfix_operators(primary)
    }

    pub(super) fn postfix_operators(&mut self, mut expr: Expr) -> Expr {
        let start = expr.span;
        while !self.panicking {
            let height = self.height;
            let kind = match self.kind() {
                K::LParen => {
                    let args = self.arguments();
                    self.height = self.height.max(height);
                    ExprKind::Call(Box::new(expr), args)
                }
                K::LBracket => {
                    let open = self.here();
                    self.bump();
                    let no_struct = std::mem::replace(&mut self.no_struct, false);
                    let index = Box::new(self.expression());
                    self.no_struct = no_struct;
                    self.height = self.height.max(height);
                    self.close(K::RBracket, open);
                    ExprKind::Index(Box::new(expr), index)
                }
                K::Dot | K::Arrow => self.member(expr),
                K::PlusPlus => {
                    self.bump();
                    ExprKind::Step(StepOp::PostInc, Box::new(expr))
                }
                K::MinusMinus => {
                    self.bump();
                    ExprKind::Step(StepOp::PostDec, Box::new(expr))
                }
                K::At if self.kind_at(1) == K::Lt => {
                    self.bump();
                    ExprKind::Instantiate(Box::new(expr), self.type_args())
                }
                K::Lt if self.kind_at(1) == K::Gt => {
                    self.bump();
                    self.bump();
                    ExprKind::Polymorphic(Box::new(expr))
                }
                _ => return expr,
            };
            if !self.grow(self.height) {
                return self.error_expr(start);
            }
            expr = Expr { span: self.since(start), kind };
        }
        expr
    }

    /// `.m`, `->m`, `.1`, `->1`
    fn member(&mut self, base: Expr) -> ExprKind {
        let arrow = self.bump().kind == K::Arrow;
        if self.at(K::LBracket) && self.kind_at(1) == K::Number && self.kind_at(2) == K::RBracket {
            // `p->[0]`, as `t[0]` is `t.0`.
            self.bump();
            let (index, span) = self.tuple_index();
            self.bump();
            return ExprKind::TupleMember(Box::new(base), arrow, index, span);
        }
        if self.at(K::Number) {
            let (index, span) = self.tuple_index();
            return ExprKind::TupleMember(Box::new(base), arrow, index, span);
        }
        match self.member_name() {
            Some(name) => ExprKind::Member(Box::new(base), arrow, name),
            None => ExprKind::Error,
        }
    }

    /// The number of a tuple's field: digits alone.
    pub(super) fn tuple_index(&mut self) -> (u32, Span) {
        let token = self.bump();
        let span = token.span(self.file);
        let index = self.text_of(token).parse();
        if index.is_err() {
            let problem = Diagnostic::error("E0111", "this is no index of a tuple", span);
            self.report(problem.label("expected a small decimal number"));
        }
        (index.unwrap_or(0), span)
    }

    /// `(e, …)`; the height is that of the highest argument.
    fn arguments(&mut self) -> Vec<Expr> {
        let open = self.here();
        self.bump();
        let no_struct = std::mem::replace(&mut self.no_struct, false);
        let mut args = Vec::new();
        let mut height = 0;
        while !self.at(K::RParen) && !self.panicking {
            args.push_tight(self.assignment_expression());
            height = height.max(self.height);
            if !self.eat(K::Comma) {
                break;
            }
        }
        self.height = height;
        self.no_struct = no_struct;
        self.close(K::RParen, open);
        args
    }

    /// C11 6.5.1
    fn primary_expression(&mut self) -> Expr {
        let start = self.here();
        self.height = 1;
        let kind = match self.kind() {
            K::Ident | K::ColonColon if self.qname_length(0) > 0 => return self.name(),
            K::Number => self.number(),
            K::Char => self.character(),
            K::Str => match self.string_literal() {
                Some(literal) => ExprKind::Str(Box::new(literal)),
                None => ExprKind::Error,
            },
            K::Null => {
                self.bump();
                ExprKind::Null
            }
            K::LParen => return self.parenthesised(),
            K::DollarParen => return self.tuple(),
            K::LBrace => self.misplaced_list(),
            K::Generic => self.generic_selection(),
            K::Wildcard if self.kind_at(1) == K::LParen => return self.keyword_name(),
            K::Malloc
            | K::Calloc
            | K::Rmalloc
            | K::RmallocInline
            | K::Rcalloc
            | K::Rvmalloc
            | K::Qmalloc
            | K::Qcalloc => return self.allocation(),
            K::Tagcheck => self.tagcheck(),
            K::Valueof => {
                self.bump();
                let open = self.here();
                self.expect(K::LParen);
                let arg = Box::new(self.type_arg());
                self.close(K::RParen, open);
                ExprKind::Valueof(arg)
            }
            K::Tagof => self.unary_call(ExprKind::Tagof),
            K::Assert => self.unary_call(|e| ExprKind::Assert(e, false)),
            K::At if self.kind_at(1) == K::Assert => {
                self.bump();
                self.unary_call(|e| ExprKind::Assert(e, true))
            }
            K::BuiltinVaArg => self.va_arg(),
            K::BuiltinOffsetof => self.offsetof(),
            K::BuiltinTypesCompatible => self.types_compatible(),
            K::BuiltinChoose => self.choose(),
            K::Asm => {
                let asm = self.asm_body();
                asm.map_or(ExprKind::Error, |asm| ExprKind::Asm(Box::new(asm)))
            }
            kind if kind.is_ours() && self.in_c(self.token()) => return self.keyword_name(),
            _ => {
                self.expected_expression();
                ExprKind::Error
            }
        };
        Expr { span: self.since(start), kind }
    }

    fn expected_expression(&mut self) {
        let token = self.token();
        if token.kind.is_ours() {
            let headline = format!("`{}` is a reserved word, not a value", token.name);
            self.error(Diagnostic::error("E0108", headline, token.span(self.file)));
            return;
        }
        if token.kind == K::TypeVar && self.text_of(token).starts_with('\'') {
            let headline = format!("the type variable `{}` is no value", self.text_of(token));
            let span = token.span(self.file);
            self.error(
                Diagnostic::error("E0106", headline, span).label("expected an expression").suggest(
                    "a character constant is closed by a quote",
                    span.end(),
                    "'",
                ),
            );
            return;
        }
        self.unexpected_code("E0106", "an expression");
    }

    /// A name, or a struct literal if a brace follows.
    fn name(&mut self) -> Expr {
        let start = self.here();
        let name = self.qname();
        if self.at(K::LBrace) && !self.no_struct {
            return self.struct_literal(name);
        }
        Expr { span: self.since(start), kind: ExprKind::Name(name) }
    }

    /// A word of ours that C code uses as a name.
    fn keyword_name(&mut self) -> Expr {
        let token = self.bump();
        let span = token.span(self.file);
        let name = QName::plain(Ident { name: token.name, span });
        Expr { span, kind: ExprKind::Name(name) }
    }

    /// `S{…}`, `` S{<T> …} ``
    fn struct_literal(&mut self, name: QName) -> Expr {
        let start = name.span;
        let open = self.here();
        if !self.enter() {
            return self.error_expr(start);
        }
        self.bump();
        let type_args = if self.at(K::Lt) { self.type_args() } else { Vec::new() };
        let (items, height) = self.initializer_items();
        self.height = height;
        self.close(K::RBrace, open);
        self.leave();
        self.grow(height);
        let kind = ExprKind::StructLit(Box::new(StructLit { name, type_args, items }));
        Expr { span: self.since(start), kind }
    }

    fn number(&mut self) -> ExprKind {
        let token = self.bump();
        match literal::number(self.text_of(token)) {
            Ok(kind) => kind,
            Err(problem) => {
                let span = token.span(self.file);
                let found = self.text_of(token);
                let headline = format!("`{found}` is no number");
                self.report(Diagnostic::error("E0111", headline, span).label(problem));
                ExprKind::Error
            }
        }
    }

    fn character(&mut self) -> ExprKind {
        let token = self.bump();
        match literal::character(self.text_of(token)) {
            Ok(literal) => ExprKind::Char(literal),
            Err(problem) => {
                self.bad_literal("character constant", token.span(self.file), problem);
                ExprKind::Error
            }
        }
    }

    /// The lexer has reported a literal that is not closed.
    fn bad_literal(&mut self, what: &str, span: Span, problem: String) {
        if !self.is_unclosed(span.hi) {
            let headline = format!("this is no well-formed {what}");
            self.report(Diagnostic::error("E0112", headline, span).label(problem));
        }
    }

    /// One or more adjacent string literals (C11 6.4.5p5); none, and reported, if there is none.
    pub(super) fn string_literal(&mut self) -> Option<StrLit> {
        if !self.at(K::Str) {
            self.unexpected("a string literal");
            return None;
        }
        let start = self.here();
        let mut count = 0;
        let mut encoding = Encoding::Plain;
        while self.kind_at(count) == K::Str {
            let found = literal::string_encoding(self.text_of(self.token_at(count)));
            if encoding == Encoding::Plain {
                encoding = found;
            } else if found != Encoding::Plain && found != encoding {
                let span = self.token_at(count).span(self.file);
                let problem = "it has another prefix than the literal before it".to_string();
                self.bad_literal("string literal", span, problem);
            }
            count += 1;
        }
        let mut out = StringUnits { encoding, units: Vec::new() };
        for _ in 0..count {
            let token = self.bump();
            let text = &self.text[token.lo as usize..token.hi as usize];
            if let Err(problem) = literal::string(text, &mut out) {
                self.bad_literal("string literal", token.span(self.file), problem);
            }
        }
        let units = match encoding {
            Encoding::Plain | Encoding::Utf8 => {
                StrUnits::Bytes(out.units.into_iter().map(|unit| unit as u8).collect())
            }
            _ => StrUnits::Wide(out.units),
        };
        Some(StrLit { span: self.since(start), encoding, units })
    }

    /// `(e)` or `({ … })`
    fn parenthesised(&mut self) -> Expr {
        let open = self.here();
        self.bump();
        let no_struct = std::mem::replace(&mut self.no_struct, false);
        let kind = if self.at(K::LBrace) {
            let block = self.compound_statement();
            self.height = 1;
            ExprKind::StmtExpr(Box::new(block))
        } else {
            ExprKind::Paren(Box::new(self.expression()))
        };
        self.no_struct = no_struct;
        self.close(K::RParen, open);
        self.grow(self.height);
        Expr { span: self.since(open), kind }
    }

    /// `$(a, b)`
    fn tuple(&mut self) -> Expr {
        let open = self.here();
        let items = self.arguments();
        self.grow(self.height);
        Expr { span: self.since(open), kind: ExprKind::Tuple(items) }
    }

    fn misplaced_list(&mut self) -> ExprKind {
        let start = self.here();
        let list = self.braced_initializer();
        self.report(
            Diagnostic::error("E0118", "a braced list is no value", start)
                .label("it may only initialise a variable, or follow `new` or a type's name")
                .help("write the struct's name before it, as in `S{1, 2}`"),
        );
        list.kind
    }

    /// C11 6.5.1.1
    fn generic_selection(&mut self) -> ExprKind {
        self.bump();
        let open = self.here();
        self.expect(K::LParen);
        let control = self.assignment_expression();
        let mut arms = Vec::new();
        while !self.panicking && self.eat(K::Comma) {
            let ty = if self.eat(K::Default) { None } else { Some(self.type_name()) };
            self.expect(K::Colon);
            arms.push((ty, self.assignment_expression()));
        }
        self.close(K::RParen, open);
        ExprKind::Generic(Box::new(GenericExpr { control, arms }))
    }

    /// `malloc(n)` and the like; without arguments the word is a function's name.
    fn allocation(&mut self) -> Expr {
        let start = self.here();
        if self.kind_at(1) != K::LParen {
            return self.keyword_name();
        }
        let op = match self.bump().kind {
            K::Calloc => AllocOp::Calloc,
            K::Rmalloc => AllocOp::Rmalloc,
            K::RmallocInline => AllocOp::RmallocInline,
            K::Rcalloc => AllocOp::Rcalloc,
            K::Rvmalloc => AllocOp::Rvmalloc,
            K::Qmalloc => AllocOp::Qmalloc,
            K::Qcalloc => AllocOp::Qcalloc,
            _ => AllocOp::Malloc,
        };
        let args = self.arguments();
        self.grow(self.height);
        Expr { span: self.since(start), kind: ExprKind::Alloc(op, args) }
    }

    /// `word(e)`
    fn unary_call(&mut self, kind: impl FnOnce(Box<Expr>) -> ExprKind) -> ExprKind {
        self.bump();
        let open = self.here();
        self.expect(K::LParen);
        let operand = Box::new(self.expression());
        self.close(K::RParen, open);
        self.grow(self.height);
        kind(operand)
    }

    /// `tagcheck(e.f)`
    fn tagcheck(&mut self) -> ExprKind {
        let start = self.here();
        let kind = self.unary_call(|operand| operand.kind);
        match kind {
            ExprKind::Member(base, arrow, name) => ExprKind::TagCheck(base, arrow, name),
            ExprKind::Error => ExprKind::Error,
            _ => {
                let span = self.since(start);
                self.report(
                    Diagnostic::error("E0106", "`tagcheck` takes a member of a union", span)
                        .help("write `tagcheck(e.f)` or `tagcheck(e->f)`"),
                );
                ExprKind::Error
            }
        }
    }

    fn va_arg(&mut self) -> ExprKind {
        self.bump();
        let open = self.here();
        self.expect(K::LParen);
        let list = Box::new(self.assignment_expression());
        self.expect(K::Comma);
        let ty = Box::new(self.type_name());
        self.close(K::RParen, open);
        ExprKind::VaArg(list, ty)
    }

    /// C11 7.19
    fn offsetof(&mut self) -> ExprKind {
        self.bump();
        let open = self.here();
        self.expect(K::LParen);
        let ty = Box::new(self.type_name());
        self.expect(K::Comma);
        let mut path = Vec::new();
        match self.position() {
            Some(position) => path.push(position),
            None => path.extend(self.member_name().map(crate::tree::Designator::Field)),
        }
        path.extend(self.designators());
        self.close(K::RParen, open);
        ExprKind::Offsetof(ty, path)
    }

    fn types_compatible(&mut self) -> ExprKind {
        self.bump();
        let open = self.here();
        self.expect(K::LParen);
        let left = Box::new(self.type_name());
        self.expect(K::Comma);
        let right = Box::new(self.type_name());
        self.close(K::RParen, open);
        ExprKind::TypesCompatible(left, right)
    }

    fn choose(&mut self) -> ExprKind {
        self.bump();
        let open = self.here();
        self.expect(K::LParen);
        let condition = Box::new(self.assignment_expression());
        self.expect(K::Comma);
        let yes = Box::new(self.assignment_expression());
        self.expect(K::Comma);
        let no = Box::new(self.assignment_expression());
        self.close(K::RParen, open);
        ExprKind::Choose(condition, yes, no)
    }
}
