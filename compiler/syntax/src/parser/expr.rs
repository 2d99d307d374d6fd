//! Expressions (C11 6.5) from the comma down to the unary operators.

use super::tight::PushTight;
use super::Parser;
use crate::token::TokenKind;
use crate::tree::{BinaryOp, Expr, ExprKind, NewExpr, NewOp, StepOp, UnaryOp};
use tenure_span::Span;
use TokenKind as K;

/// The binary operators, tighter binding above looser (C11 6.5.5 to 6.5.14).
fn binary_operator(kind: TokenKind) -> Option<(u8, BinaryOp)> {
    Some(match kind {
        K::Star => (10, BinaryOp::Mul),
        K::Slash => (10, BinaryOp::Div),
        K::Percent => (10, BinaryOp::Rem),
        K::Plus => (9, BinaryOp::Add),
        K::Minus => (9, BinaryOp::Sub),
        K::Shl => (8, BinaryOp::Shl),
        K::Shr => (8, BinaryOp::Shr),
        K::Lt => (7, BinaryOp::Lt),
        K::Gt => (7, BinaryOp::Gt),
        K::Le => (7, BinaryOp::Le),
        K::Ge => (7, BinaryOp::Ge),
        K::EqEq => (6, BinaryOp::Eq),
        K::Ne => (6, BinaryOp::Ne),
        K::Amp => (5, BinaryOp::BitAnd),
        K::Caret => (4, BinaryOp::BitXor),
        K::Pipe => (3, BinaryOp::BitOr),
        K::AndAnd => (2, BinaryOp::And),
        K::OrOr => (1, BinaryOp::Or),
        _ => return None,
    })
}

const LOOSEST: u8 = 1;
const BITWISE: u8 = 3;
const ADDITIVE: u8 = 9;

/// C11 6.5.16
fn assignment_operator(kind: TokenKind) -> Option<Option<BinaryOp>> {
    Some(match kind {
        K::Eq => None,
        K::StarEq => Some(BinaryOp::Mul),
        K::SlashEq => Some(BinaryOp::Div),
        K::PercentEq => Some(BinaryOp::Rem),
        K::PlusEq => Some(BinaryOp::Add),
        K::MinusEq => Some(BinaryOp::Sub),
        K::ShlEq => Some(BinaryOp::Shl),
        K::ShrEq => Some(BinaryOp::Shr),
        K::AmpEq => Some(BinaryOp::BitAnd),
        K::CaretEq => Some(BinaryOp::BitXor),
        K::PipeEq => Some(BinaryOp::BitOr),
        _ => return None,
    })
}

impl Parser<'_> {
    pub(super) fn error_expr(&self, span: Span) -> Expr {
        Expr { span, kind: ExprKind::Error }
    }

    /// C11 6.5.17
    pub(super) fn expression(&mut self) -> Expr {
        let start = self.here();
        let first = self.assignment_expression();
        if !self.at(K::Comma) || self.panicking {
            return first;
        }
        let mut height = self.height;
        let mut list = vec![first];
        while !self.panicking && self.eat(K::Comma) {
            list.push_tight(self.assignment_expression());
            height = height.max(self.height);
        }
        self.grow(height);
        Expr { span: self.since(start), kind: ExprKind::Comma(list) }
    }

    /// C11 6.5.16, also `:=:`
    pub(super) fn assignment_expression(&mut self) -> Expr {
        let start = self.here();
        if !self.enter() {
            return self.error_expr(start);
        }
        let left = self.conditional_expression();
        let height = self.height;
        let expr = if self.panicking {
            left
        } else if self.eat(K::Swap) {
            let right = Box::new(self.assignment_expression());
            self.grow(height.max(self.height));
            Expr { span: self.since(start), kind: ExprKind::Swap(Box::new(left), right) }
        } else if let Some(op) = assignment_operator(self.kind()) {
            self.bump();
            let right = Box::new(self.assignment_expression());
            self.grow(height.max(self.height));
            Expr { span: self.since(start), kind: ExprKind::Assign(op, Box::new(left), right) }
        } else {
            left
        };
        self.leave();
        expr
    }

    /// C11 6.5.15. Chains `a ? b : c ? d : e` are collected first, so that they do not nest here.
    pub(super) fn conditional_expression(&mut self) -> Expr {
        let mut arms = Vec::new();
        let mut last = self.binary_expression(LOOSEST);
        let mut height = self.height;
        while !self.panicking && self.eat(K::Question) {
            let then = (!self.at(K::Colon)).then(|| Box::new(self.expression()));
            height = height.max(self.height);
            if !self.expect(K::Colon) {
                return self.error_expr(last.span);
            }
            let next = self.binary_expression(LOOSEST);
            height = height.max(self.height);
            arms.push((std::mem::replace(&mut last, next), then));
        }
        self.height = height;
        for (condition, then) in arms.into_iter().rev() {
            if !self.grow(self.height) {
                return self.error_expr(condition.span);
            }
            let span = condition.span.to(last.span);
            let kind = ExprKind::Cond(Box::new(condition), then, Box::new(last));
            last = Expr { span, kind };
        }
        last
    }

    /// Above `&&`: a constant in a pattern, whose guard follows `&&`.
    pub(super) fn bitwise_expression(&mut self) -> Expr {
        self.binary_expression(BITWISE)
    }

    /// Above the comparisons: a constant among type arguments.
    pub(super) fn additive_expression(&mut self) -> Expr {
        self.binary_expression(ADDITIVE)
    }

    /// Without `?:`: a guard, which a `:` follows, and the operand of `new` and `throw`.
    pub(super) fn logical_expression(&mut self) -> Expr {
        self.binary_expression(LOOSEST)
    }

    /// C11 6.5.5 to 6.5.14, by precedence climbing. Only a tighter operator on the right recurses,
    /// and there are ten levels of them.
    fn binary_expression(&mut self, loosest: u8) -> Expr {
        let mut left = self.cast_expression();
        loop {
            let Some((level, op)) = binary_operator(self.kind()) else { return left };
            if level < loosest || self.panicking {
                return left;
            }
            let height = self.height;
            self.bump();
            let right = self.binary_expression(level + 1);
            if !self.grow(height.max(self.height)) {
                return self.error_expr(left.span);
            }
            let span = left.span.to(right.span);
            left = Expr { span, kind: ExprKind::Binary(op, Box::new(left), Box::new(right)) };
        }
    }

    /// C11 6.5.4, 6.5.3
    pub(super) fn cast_expression(&mut self) -> Expr {
        if self.at(K::LParen) && self.cast_follows() {
            return self.cast_or_compound();
        }
        let start = self.here();
        let op = match self.kind() {
            K::Plus => UnaryOp::Plus,
            K::Minus => UnaryOp::Neg,
            K::Tilde => UnaryOp::Compl,
            K::Bang => UnaryOp::Not,
            K::Amp => UnaryOp::AddrOf,
            K::Star => UnaryOp::Deref,
            K::Real => UnaryOp::Real,
            K::Imag => UnaryOp::Imag,
            K::PlusPlus => return self.prefix(|e| ExprKind::Step(StepOp::PreInc, e)),
            K::MinusMinus => return self.prefix(|e| ExprKind::Step(StepOp::PreDec, e)),
            K::Extension => return self.prefix(ExprKind::Extension),
            K::Numelts => return self.prefix(ExprKind::Numelts),
            K::Sizeof | K::Alignof => return self.size_of(),
            K::New | K::Rnew | K::Qnew | K::Unew | K::Rcnew => return self.new_expression(start),
            K::Throw => {
                self.bump();
                let operand = self.guarded(start, Parser::logical_expression);
                let kind = ExprKind::Throw(Box::new(operand));
                return Expr { span: self.since(start), kind };
            }
            K::AndAnd => return self.label_address(),
            _ => return self.postfix_expression(),
        };
        self.prefix(|operand| ExprKind::Unary(op, operand))
    }

    /// Takes the operator and its operand, one level deeper.
    fn prefix(&mut self, kind: impl FnOnce(Box<Expr>) -> ExprKind) -> Expr {
        let start = self.here();
        self.bump();
        let operand = self.guarded(start, Parser::cast_expression);
        Expr { span: self.since(start), kind: kind(Box::new(operand)) }
    }

    /// Parses one level deeper.
    fn guarded(&mut self, start: Span, parse: impl FnOnce(&mut Self) -> Expr) -> Expr {
        if !self.enter() {
            return self.error_expr(start);
        }
        let expr = parse(self);
        self.leave();
        self.grow(self.height);
        expr
    }

    /// At a `(`: whether a type is inside, and not a value whose constructor has a type's name.
    fn cast_follows(&self) -> bool {
        if !self.starts_type(1) {
            return self.unknown_cast();
        }
        let length = self.qname_length(1);
        if length == 0 {
            return self.kind_at(1) != K::DollarParen || self.starts_type(2);
        }
        match self.kind_at(1 + length) {
            K::LBrace | K::Dot | K::Arrow => false,
            K::LParen => {
                let next = self.kind_at(2 + length);
                matches!(next, K::Star | K::At | K::Question | K::RParen)
                    || self.starts_type(2 + length)
            }
            _ => true,
        }
    }

    /// `(unknown_t *)x`: the name is not known, but nothing else can be meant.
    fn unknown_cast(&self) -> bool {
        let length = self.qname_length(1);
        length > 0
            && matches!(self.kind_at(1 + length), K::Star | K::At | K::Question)
            && self.kind_at(2 + length) == K::RParen
    }

    /// C11 6.5.4, 6.5.2.5
    fn cast_or_compound(&mut self) -> Expr {
        let open = self.here();
        self.bump();
        let ty = Box::new(self.type_name());
        self.close(K::RParen, open);
        if self.at(K::LBrace) && !self.no_struct {
            let list = Box::new(self.braced_initializer());
            let kind = ExprKind::Compound(ty, list);
            return self.postfix_operators(Expr { span: self.since(open), kind });
        }
        let operand = self.guarded(open, Parser::cast_expression);
        Expr { span: self.since(open), kind: ExprKind::Cast(ty, Box::new(operand)) }
    }

    /// C11 6.5.3.4
    fn size_of(&mut self) -> Expr {
        let start = self.here();
        let is_size = self.bump().kind == K::Sizeof;
        if self.at(K::LParen) && self.cast_follows() {
            let open = self.here();
            self.bump();
            let ty = Box::new(self.type_name());
            self.close(K::RParen, open);
            if self.at(K::LBrace) {
                let list = Box::new(self.braced_initializer());
                let compound = Expr { span: self.since(open), kind: ExprKind::Compound(ty, list) };
                let operand = Box::new(self.postfix_operators(compound));
                let of = if is_size { ExprKind::SizeofExpr } else { ExprKind::AlignofExpr };
                return Expr { span: self.since(start), kind: of(operand) };
            }
            self.height = 1;
            let of = if is_size { ExprKind::SizeofType } else { ExprKind::AlignofType };
            return Expr { span: self.since(start), kind: of(ty) };
        }
        let operand = Box::new(self.guarded(start, Parser::cast_expression));
        let of = if is_size { ExprKind::SizeofExpr } else { ExprKind::AlignofExpr };
        Expr { span: self.since(start), kind: of(operand) }
    }

    /// `&&label` (GNU)
    fn label_address(&mut self) -> Expr {
        let start = self.here();
        self.bump();
        self.height = 1;
        match self.declared_name("the name of a label") {
            Some(name) => Expr { span: self.since(start), kind: ExprKind::LabelAddr(name) },
            None => self.error_expr(start),
        }
    }

    /// `new e`, `rnew(h) e`, with an initialiser list or a comprehension for `e`.
    fn new_expression(&mut self, start: Span) -> Expr {
        let op = match self.bump().kind {
            K::Rnew => NewOp::Rnew,
            K::Qnew => NewOp::Qnew,
            K::Unew => NewOp::Unew,
            K::Rcnew => NewOp::Rcnew,
            _ => NewOp::New,
        };
        let mut handle = None;
        if matches!(op, NewOp::Rnew | NewOp::Qnew) {
            let open = self.here();
            self.expect(K::LParen);
            handle = Some(self.expression());
            self.close(K::RParen, open);
        }
        let init = if self.at(K::LBrace) {
            self.braced_initializer()
        } else {
            self.guarded(start, Parser::logical_expression)
        };
        let kind = ExprKind::New(Box::new(NewExpr { op, handle, init }));
        Expr { span: self.since(start), kind }
    }
}
