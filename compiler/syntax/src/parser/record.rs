//! `struct`, `union` and `enum` (C11 6.7.2.1, 6.7.2.2).

use super::tight::PushTight;
use super::Parser;
use crate::names::NameClass;
use crate::token::TokenKind;
use crate::tree::{
    BaseType, Bound, EnumSpec, Enumerator, Field, FieldDecl, Member, QName, RecordBody, RecordKind,
    RecordSpec, TypeArg, TypeParam,
};
use tenure_span::{Diagnostic, Span};
use TokenKind as K;

impl Parser<'_> {
    /// C11 6.7.2.1, at `struct`, `union` or `@tagged union`.
    pub(super) fn record_specifier(
        &mut self,
        start: Span,
        is_abstract: bool,
        mut tagged: bool,
    ) -> BaseType {
        if self.at(K::At) {
            self.bump();
            tagged = self.eat_word(self.words.tagged);
        }
        let kind = match self.kind() {
            K::Struct => RecordKind::Struct,
            K::Union => RecordKind::Union,
            _ => {
                self.unexpected("`union`");
                return BaseType::Error;
            }
        };
        self.bump();
        let mut attributes = Vec::new();
        self.attributes(&mut attributes);
        let name = self.tag_name();
        let args = if self.at(K::Lt) { self.type_args() } else { Vec::new() };
        let body = if self.at(K::LBrace) && !self.panicking { self.record_body() } else { None };
        if body.is_some() {
            self.check_binders(&args);
            self.attributes(&mut attributes);
        } else if name.is_none() {
            self.unexpected("the name of a struct or union, or `{`");
        }
        let span = self.since(start);
        let spec = RecordSpec { span, kind, tagged, is_abstract, attributes, name, args, body };
        BaseType::Record(Box::new(spec))
    }

    /// In a definition, what stands between `<` and `>` binds variables.
    pub(super) fn check_binders(&mut self, args: &[TypeArg]) {
        for arg in args.iter().filter(|arg| arg.as_param().is_none()) {
            let headline = "a definition's parameter is no type variable";
            self.report(
                Diagnostic::error("E0119", headline, arg.span)
                    .help("bind a variable, such as `` `a `` or `` `r::R ``"),
            );
        }
    }

    fn tag_name(&mut self) -> Option<QName> {
        if self.at(K::LBrace) {
            return None;
        }
        if self.at_name() || self.at(K::ColonColon) || self.token().kind.is_ours() {
            return self.expect_qname("a name");
        }
        None
    }

    fn record_body(&mut self) -> Option<RecordBody> {
        let open = self.here();
        self.bump();
        if !self.enter() {
            return None;
        }
        let (exists, exists_bounds) = self.existentials();
        let mut members = Vec::new();
        while !matches!(self.kind(), K::RBrace | K::Eof) {
            let before = self.pos;
            if self.eat(K::Semi) {
                continue;
            }
            if self.at(K::StaticAssert) {
                members.push_tight(Member::Assert(self.static_assert()));
            } else {
                members.push_tight(Member::Field(self.member_declaration()));
            }
            if self.panicking {
                self.recover_in_block(before);
                if self.pos == before {
                    self.bump();
                }
            }
        }
        self.leave();
        self.close(K::RBrace, open);
        Some(RecordBody { span: self.since(open), exists, exists_bounds, members })
    }

    /// `` <`a,`r> : bounds ``, or nothing.
    pub(super) fn existentials(&mut self) -> (Vec<TypeParam>, Vec<Bound>) {
        if !self.at(K::Lt) {
            return (Vec::new(), Vec::new());
        }
        let params = self.type_params();
        let mut bounds = Vec::new();
        if self.at(K::Colon) && self.bounds_follow(1) {
            self.bump();
            bounds = self.bounds();
        }
        (params, bounds)
    }

    /// C11 6.7.2.1p1
    fn member_declaration(&mut self) -> FieldDecl {
        let start = self.here();
        let specs = self.declaration_specifiers();
        let mut fields = Vec::new();
        if matches!(specs.base, BaseType::Missing) {
            self.unexpected_code("E0107", "a member's type");
        }
        while !self.at(K::Semi) && !self.panicking {
            fields.push_tight(self.member_declarator());
            if !self.eat(K::Comma) {
                break;
            }
        }
        self.expect_semi("a member");
        FieldDecl { span: self.since(start), specs, fields }
    }

    fn member_declarator(&mut self) -> Field {
        let mut declarator =
            if self.at(K::Colon) { self.abstract_declarator() } else { self.declarator() };
        let width = self.eat(K::Colon).then(|| self.conditional_expression());
        let mut requires = None;
        if self.at(K::At) && self.word_at(1, self.words.requires) {
            self.bump();
            self.bump();
            let open = self.here();
            let parenthesised = self.eat(K::LParen);
            requires = Some(self.conditional_expression());
            if parenthesised {
                self.close(K::RParen, open);
            }
        }
        self.attributes(&mut declarator.attributes);
        Field { declarator, width, requires }
    }

    /// C11 6.7.2.2
    pub(super) fn enum_specifier(&mut self) -> BaseType {
        let start = self.here();
        self.bump();
        let mut attributes = Vec::new();
        self.attributes(&mut attributes);
        let name = self.tag_name();
        let body = self.at(K::LBrace).then(|| self.enumerators());
        if body.is_some() {
            self.attributes(&mut attributes);
        } else if name.is_none() {
            self.unexpected("the name of an enum, or `{`");
        }
        BaseType::Enum(Box::new(EnumSpec { span: self.since(start), attributes, name, body }))
    }

    fn enumerators(&mut self) -> Vec<Enumerator> {
        let open = self.here();
        self.bump();
        let mut list = Vec::new();
        while !matches!(self.kind(), K::RBrace | K::Eof) && !self.panicking {
            let start = self.here();
            let Some(name) = self.declared_name("the name of an enumerator") else { break };
            let mut attributes = Vec::new();
            self.attributes(&mut attributes);
            let value = self.eat(K::Eq).then(|| self.conditional_expression());
            self.names.declare(name.name, NameClass::Ordinary);
            list.push_tight(Enumerator { span: self.since(start), name, attributes, value });
            if !self.separated(K::Comma) {
                break;
            }
        }
        self.close(K::RBrace, open);
        list
    }
}
