//! Parameters and what may follow them (C11 6.7.6.3).

use super::tight::PushTight;
use super::Parser;
use crate::names::NameClass;
use crate::token::TokenKind;
use crate::tree::{
    Attribute, BaseType, Contract, ContractKind, Expr, ExprKind, FunctionPart, Ident, Param,
    ParamStyle, TypeParam, Variadic,
};
use tenure_span::Span;
use TokenKind as K;

impl Parser<'_> {
    /// `(…)` with effect, bounds, contracts and attributes, at the `(`. Cyclone writes the bounds
    /// within the parentheses; behind them they are taken too, except in a parameter.
    pub(super) fn function_part(&mut self, type_params: Vec<TypeParam>) -> Box<FunctionPart> {
        let open = self.here();
        self.bump();
        let mut part = Box::new(FunctionPart {
            span: open,
            type_params,
            style: ParamStyle::Prototype,
            params: Vec::new(),
            variadic: None,
            effect: None,
            bounds: Vec::new(),
            contracts: Vec::new(),
            attributes: Vec::new(),
        });
        // Prototype scope (C11 6.2.1p4).
        self.names.push_scope();
        self.params_depth += 1;
        self.parameter_type_list(&mut part);
        self.params_depth -= 1;
        self.names.pop_scope();
        if self.eat(K::Semi) && !self.at(K::Colon) && !self.at(K::RParen) {
            part.effect = Some(self.effect());
        }
        self.colon_bounds(&mut part);
        self.close(K::RParen, open);
        while !self.panicking && self.function_suffix(&mut part) {}
        part.span = self.since(open);
        part
    }

    fn colon_bounds(&mut self, part: &mut FunctionPart) -> bool {
        let found = self.at(K::Colon) && self.bounds_follow(1);
        if found {
            self.bump();
            part.bounds.extend(self.bounds());
        }
        found
    }

    fn function_suffix(&mut self, part: &mut FunctionPart) -> bool {
        match self.kind() {
            K::Attribute => {
                self.attributes(&mut part.attributes);
                true
            }
            // Within parameters it is the enclosing function's.
            K::Colon if self.params_depth > 0 => false,
            K::Colon => self.colon_bounds(part),
            K::At if self.at_contract(1) => {
                self.bump();
                self.contract(part);
                true
            }
            _ => false,
        }
    }

    /// The word `ahead` is one of a function's contracts.
    pub(super) fn at_contract(&self, ahead: usize) -> bool {
        let words = &self.words;
        let token = self.token_at(ahead);
        match token.kind {
            K::Assert => true,
            K::Ident => {
                [words.requires, words.ensures, words.throws, words.nothrow].contains(&token.name)
                    || (token.name == words.effect
                        && self.kind_at(ahead + 1) == K::LParen
                        && matches!(self.kind_at(ahead + 2), K::LBrace | K::TypeVar | K::Regions))
            }
            _ => false,
        }
    }

    /// Behind the `@`.
    fn contract(&mut self, part: &mut FunctionPart) {
        let start = self.here();
        let word = self.bump();
        if word.name == self.words.nothrow {
            part.contracts.push_tight(Contract { span: start, kind: ContractKind::NoThrow });
            return;
        }
        let open = self.here();
        self.expect(K::LParen);
        let kind = if word.name == self.words.effect {
            part.effect = Some(self.effect());
            None
        } else if word.name == self.words.throws {
            let mut names = Vec::new();
            while self.qname_length(0) > 0 {
                names.push(self.qname());
                if !self.eat(K::Comma) {
                    break;
                }
            }
            Some(ContractKind::Throws(names))
        } else {
            let condition = Box::new(self.expression());
            Some(match word.kind {
                K::Assert => ContractKind::Assert(condition),
                _ if word.name == self.words.requires => ContractKind::Requires(condition),
                _ => ContractKind::Ensures(condition),
            })
        };
        self.close(K::RParen, open);
        if let Some(kind) = kind {
            part.contracts.push_tight(Contract { span: self.since(start), kind });
        }
    }

    /// C11 6.7.6.3p1: what stands between the parentheses.
    fn parameter_type_list(&mut self, part: &mut FunctionPart) {
        match self.kind() {
            K::RParen => {
                part.style = ParamStyle::Empty;
                return;
            }
            K::Void if matches!(self.kind_at(1), K::RParen | K::Semi | K::Colon) => {
                self.bump();
                return;
            }
            K::Semi | K::Colon => {
                part.style = ParamStyle::Empty;
                return;
            }
            K::Ident if self.identifier_list_follows() => {
                part.style = ParamStyle::Identifiers;
                while self.at(K::Ident) {
                    part.params.push_tight(self.identifier_param());
                    if !self.eat(K::Comma) {
                        break;
                    }
                }
                return;
            }
            _ => {}
        }
        loop {
            if self.at(K::Ellipsis) {
                part.variadic = Some(self.variadic());
                return;
            }
            part.params.push_tight(self.parameter_declaration());
            if self.panicking || !self.eat(K::Comma) {
                return;
            }
        }
    }

    /// K&R: names alone, none of which is a type.
    fn identifier_list_follows(&self) -> bool {
        self.names.class(self.token().name) != NameClass::Type
            && matches!(self.kind_at(1), K::Comma | K::RParen)
    }

    fn identifier_param(&mut self) -> Param {
        let token = self.bump();
        let span = token.span(self.file);
        let name = crate::tree::QName::plain(Ident { name: token.name, span });
        let mut specs = self.error_type(span.start()).specs;
        specs.base = BaseType::Missing;
        let declarator = crate::tree::Declarator {
            span,
            name: Some(name),
            params: Vec::new(),
            parts: Vec::new(),
            asm_label: None,
            attributes: Vec::new(),
        };
        Param { span, specs: *specs, declarator }
    }

    /// `...`, `... T x`, `...inject T x`
    fn variadic(&mut self) -> Variadic {
        let start = self.here();
        self.bump();
        let inject = self.at_word(self.words.inject) && !self.at_type_named_inject();
        if inject {
            self.bump();
        }
        let end = matches!(self.kind(), K::RParen | K::Semi | K::Colon);
        let param = (inject || !end).then(|| Box::new(self.parameter_declaration()));
        Variadic { span: self.since(start), inject, param }
    }

    fn at_type_named_inject(&self) -> bool {
        self.names.class(self.token().name) == NameClass::Type
    }

    /// C11 6.7.6.3p1; also a field of a tuple or of a datatype's constructor.
    pub(super) fn parameter_declaration(&mut self) -> Param {
        let start = self.here();
        let entered = self.enter();
        let specs = self.specifiers_with_type();
        if specs.is_missing() && specs.storage.is_none() && specs.quals.is_empty() {
            self.unexpected_code("E0107", "a parameter's type");
        }
        let declarator = self.any_declarator();
        if let Some(name) = declarator.name.as_ref().and_then(|name| name.as_ident()) {
            self.names.declare(name.name, NameClass::Ordinary);
        }
        if entered {
            self.leave();
        }
        Param { span: self.since(start), specs, declarator }
    }

    /// `__attribute__((a, b(c)))`, as many as there are (GNU).
    pub(super) fn attributes(&mut self, out: &mut Vec<Attribute>) {
        while self.at(K::Attribute) {
            self.bump();
            let outer = self.here();
            if !self.expect(K::LParen) {
                return;
            }
            let inner = self.here();
            self.expect(K::LParen);
            while !self.at(K::RParen) && !self.panicking {
                if self.eat(K::Comma) {
                    continue;
                }
                match self.attribute() {
                    Some(attribute) => out.push_tight(attribute),
                    None => break,
                }
            }
            self.close(K::RParen, inner);
            self.close(K::RParen, outer);
        }
    }

    /// One attribute; its name may be any word, and so may its arguments.
    fn attribute(&mut self) -> Option<Attribute> {
        let token = self.token();
        let is_word = token.kind == K::Ident || token.kind.is_ours() || token.kind.is_c_keyword();
        if !is_word {
            self.unexpected("the name of an attribute");
            return None;
        }
        self.bump();
        let span = token.span(self.file);
        let text = token.name.as_str();
        let bare = text.strip_prefix("__").and_then(|text| text.strip_suffix("__"));
        let name = Ident { name: bare.map_or(token.name, Into::into), span };
        // A statement, not a property of anything; the tree has it as `fallthru`.
        if name.name != *"fallthrough" {
            self.attributes.push(name);
        }
        let mut args = Vec::new();
        if self.at(K::LParen) {
            let open = self.here();
            self.bump();
            while !self.at(K::RParen) && !self.panicking {
                args.push_tight(self.attribute_argument());
                if !self.eat(K::Comma) {
                    break;
                }
            }
            self.close(K::RParen, open);
        }
        Some(Attribute { span: self.since(span), name, args })
    }

    fn attribute_argument(&mut self) -> Expr {
        let token = self.token();
        if token.kind.is_ours() && matches!(self.kind_at(1), K::Comma | K::RParen) {
            self.bump();
            let span: Span = token.span(self.file);
            let name = crate::tree::QName::plain(Ident { name: token.name, span });
            return Expr { span, kind: ExprKind::Name(name) };
        }
        if self.starts_type(0) {
            let ty = self.type_name();
            let span = ty.span;
            return Expr { span, kind: ExprKind::SizeofType(Box::new(ty)) };
        }
        self.assignment_expression()
    }
}
