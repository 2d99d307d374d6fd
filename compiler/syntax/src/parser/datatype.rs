//! `datatype`, also spelled `tunion` and `xtunion`.

use super::tight::PushTight;
use super::Parser;
use crate::token::TokenKind;
use crate::tree::{BaseType, DatatypeSpec, Expr, Storage, Variant, VariantField};
use tenure_span::Span;
use TokenKind as K;

impl Parser<'_> {
    /// `datatype T<…> { … }`, `datatype T.A`, at the word.
    pub(super) fn datatype_specifier(&mut self, start: Span, mut extensible: bool) -> BaseType {
        extensible |= self.at(K::XDatatype);
        self.bump();
        let Some(name) = self.expect_qname("the name of a datatype") else {
            return BaseType::Error;
        };
        let args = if self.at(K::Lt) { self.type_args() } else { Vec::new() };
        let mut variant = None;
        if self.at(K::Dot) {
            self.bump();
            variant = self.expect_qname("the name of a constructor");
        }
        let body = (self.at(K::LBrace) && !self.panicking).then(|| self.variants());
        if body.is_some() {
            self.check_binders(&args);
        }
        let span = self.since(start);
        BaseType::Datatype(Box::new(DatatypeSpec { span, extensible, name, args, variant, body }))
    }

    fn variants(&mut self) -> Vec<Variant> {
        let open = self.here();
        self.bump();
        let mut list = Vec::new();
        while !matches!(self.kind(), K::RBrace | K::Eof) {
            let before = self.pos;
            match self.variant() {
                Some(variant) => list.push_tight(variant),
                None => self.panicking = true,
            }
            if self.panicking {
                self.recover_in_block(before);
                if self.pos == before {
                    self.bump();
                }
                continue;
            }
            // Both separators are in use, and the last may be left out.
            if !self.separated(K::Semi) {
                break;
            }
        }
        self.close(K::RBrace, open);
        list
    }

    /// `C`, `C(T, …)`, `` <`a> C(T) ``, `` C<`a>(T) ``, `@immediate C(T : width)`
    fn variant(&mut self) -> Option<Variant> {
        let start = self.here();
        let storage = match self.kind() {
            K::Static => Some((Storage::Static, start)),
            K::Extern => Some((Storage::Extern, start)),
            _ => None,
        };
        if storage.is_some() {
            self.bump();
        }
        let mut immediate = None;
        if self.at(K::At) && self.word_at(1, self.words.immediate) {
            immediate = Some(self.here());
            self.bump();
            self.bump();
        }
        let (mut exists, mut exists_bounds) = self.existentials();
        let name = self.expect_qname("the name of a constructor")?;
        if self.at(K::Lt) {
            (exists, exists_bounds) = self.existentials();
        }
        let mut fields = None;
        if self.at(K::LParen) {
            let open = self.here();
            self.bump();
            if self.at(K::Lt) {
                (exists, exists_bounds) = self.existentials();
            }
            fields = Some(self.variant_fields());
            self.close(K::RParen, open);
        }
        let span = self.since(start);
        Some(Variant { span, storage, immediate, name, exists, exists_bounds, fields })
    }

    /// `: 61` behind an argument. Boxed, as the argument is: datatypes nest, and each level is a frame of the stack.
    fn width_of_field(&mut self) -> Option<Box<Expr>> {
        self.eat(K::Colon).then(|| Box::new(self.conditional_expression()))
    }

    fn variant_fields(&mut self) -> Vec<VariantField> {
        let mut fields = Vec::new();
        self.names.push_scope();
        while !self.at(K::RParen) && !self.panicking {
            let param = Box::new(self.parameter_declaration());
            let width = self.width_of_field();
            fields.push_tight(VariantField { param, width });
            if !self.eat(K::Comma) && !self.eat(K::Semi) {
                break;
            }
        }
        self.names.pop_scope();
        fields
    }
}
