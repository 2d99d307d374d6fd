//! Initialisers (C11 6.7.9).

use super::tight::PushTight;
use super::Parser;
use crate::names::NameClass;
use crate::token::TokenKind;
use crate::tree::{Comprehension, Designator, Expr, ExprKind, InitItem};
use TokenKind as K;

impl Parser<'_> {
    /// C11 6.7.9p1
    pub(super) fn initializer(&mut self) -> Expr {
        if self.at(K::LBrace) {
            return self.braced_initializer();
        }
        self.assignment_expression()
    }

    /// `{…}` or `{for i < n : e}`, at the `{`.
    pub(super) fn braced_initializer(&mut self) -> Expr {
        let open = self.here();
        if !self.enter() {
            return Expr { span: open, kind: ExprKind::Error };
        }
        let no_struct = std::mem::replace(&mut self.no_struct, false);
        self.bump();
        let kind = if self.at(K::For) {
            self.comprehension()
        } else {
            let (items, height) = self.initializer_items();
            self.height = height;
            ExprKind::InitList(items)
        };
        self.close(K::RBrace, open);
        self.no_struct = no_struct;
        self.leave();
        self.grow(self.height);
        Expr { span: self.since(open), kind }
    }

    /// The items up to the `}`, and the height of the highest.
    pub(super) fn initializer_items(&mut self) -> (Vec<InitItem>, u32) {
        let mut items = Vec::new();
        let mut height = 0;
        while !matches!(self.kind(), K::RBrace | K::Eof) && !self.panicking {
            let designators = self.designation();
            let value = self.initializer();
            height = height.max(self.height);
            items.push_tight(InitItem { designators, value });
            if !self.eat(K::Comma) {
                break;
            }
        }
        (items, height)
    }

    /// C11 6.7.9p1, also GNU's `x: e` and `[1 ... 5] = e`.
    fn designation(&mut self) -> Vec<Designator> {
        if self.kind() == K::Ident && self.kind_at(1) == K::Colon {
            let name = self.bump();
            self.bump();
            let span = name.span(self.file);
            return vec![Designator::Field(crate::tree::Ident { name: name.name, span })];
        }
        let designators = self.designators();
        // GNU's old `[1] e` has no `=`.
        if !designators.is_empty() && !self.at(K::LBrace) {
            self.expect(K::Eq);
        }
        designators
    }

    /// `.x[1]`, as many as there are.
    pub(super) fn designators(&mut self) -> Vec<Designator> {
        let mut list = Vec::new();
        loop {
            match self.kind() {
                K::Dot => {
                    self.bump();
                    match self.position() {
                        Some(position) => list.push_tight(position),
                        None => match self.member_name() {
                            Some(name) => list.push_tight(Designator::Field(name)),
                            None => return list,
                        },
                    }
                }
                K::LBracket => {
                    let open = self.here();
                    self.bump();
                    let first = Box::new(self.conditional_expression());
                    let designator = if self.eat(K::Ellipsis) {
                        Designator::Range(first, Box::new(self.conditional_expression()))
                    } else {
                        Designator::Index(first)
                    };
                    self.close(K::RBracket, open);
                    list.push_tight(designator);
                }
                _ => return list,
            }
            if self.panicking {
                return list;
            }
        }
    }

    /// The number of a tuple's field.
    pub(super) fn position(&mut self) -> Option<Designator> {
        if !self.at(K::Number) {
            return None;
        }
        let (index, span) = self.tuple_index();
        Some(Designator::Position(index, span))
    }

    /// Behind `{`, at `for`.
    fn comprehension(&mut self) -> ExprKind {
        self.bump();
        let Some(var) = self.declared_name("the name of the index") else {
            return ExprKind::Error;
        };
        if !self.expect(K::Lt) {
            return ExprKind::Error;
        }
        let bound = self.conditional_expression();
        self.expect(K::Colon);
        self.names.push_scope();
        self.names.declare(var.name, NameClass::Ordinary);
        let value = self.initializer();
        self.names.pop_scope();
        ExprKind::Comprehension(Box::new(Comprehension { var, bound, value }))
    }
}
