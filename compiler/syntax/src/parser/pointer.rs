//! `* @ ?` and what may follow them.

use super::tight::PushTight;
use super::Parser;
use crate::token::TokenKind;
use crate::tree::{
    AliasName, AliasQual, PointerPart, PointerQual, PointerQualKind, Quals, Sigil, TypeArg,
    TypeArgKind,
};
use tenure_span::Diagnostic;
use TokenKind as K;

impl Parser<'_> {
    /// C11 6.7.6.1: one pointer derivation, if one begins here.
    pub(super) fn pointer(&mut self) -> Option<PointerPart> {
        let start = self.here();
        let sigil = match self.kind() {
            K::Star => Sigil::Star,
            K::Question => Sigil::Question,
            // `@requires` and its like follow a function's parameters.
            K::At if self.at_contract(1) => return None,
            K::At => Sigil::At,
            _ => return None,
        };
        let mut part = PointerPart {
            span: start,
            sigil,
            pointer_quals: Vec::new(),
            quals: Quals::default(),
            attributes: Vec::new(),
        };
        if sigil == Sigil::At && self.qualifier_word(1) {
            // `int @fat p`: the star was forgotten.
            let at = start.start();
            part.sigil = Sigil::Star;
            self.report(
                Diagnostic::error("E0117", "a pointer qualifier without a pointer", start).suggest(
                    "qualifiers follow a `*`",
                    at,
                    "*",
                ),
            );
        } else {
            self.bump();
        }
        while self.pointer_qualifier(&mut part) {}
        part.span = self.since(start);
        Some(part)
    }

    /// The word `ahead` is the name of a pointer qualifier.
    fn qualifier_word(&self, ahead: usize) -> bool {
        let words = &self.words;
        let token = self.token_at(ahead);
        matches!(token.kind, K::Ident | K::Numelts | K::Region)
            && [
                words.thin,
                words.fat,
                words.notnull,
                words.nonnull,
                words.nullable,
                words.numelts,
                words.zeroterm,
                words.nozeroterm,
                words.region,
                words.effect,
                words.aqual,
                words.autoreleased,
            ]
            .contains(&token.name)
    }

    /// Takes one qualifier, region, bound or attribute of a pointer; false if there is none.
    fn pointer_qualifier(&mut self, part: &mut PointerPart) -> bool {
        let start = self.here();
        let kind = match self.kind() {
            K::LBrace => {
                self.bump();
                let bound = self.conditional_expression();
                self.close(K::RBrace, start);
                PointerQualKind::Numelts(Box::new(bound))
            }
            K::TypeVar => PointerQualKind::Region(Box::new(self.region())),
            K::Wildcard if !self.in_c(self.token()) => {
                PointerQualKind::Region(Box::new(self.region()))
            }
            K::Backslash => match self.alias_abbreviation() {
                Some(name) => PointerQualKind::Aqual(Box::new(AliasQual::Name(name))),
                None => return false,
            },
            K::At if self.qualifier_word(1) => {
                self.bump();
                self.named_qualifier()
            }
            K::Attribute => {
                self.attributes(&mut part.attributes);
                return true;
            }
            _ => return self.type_qualifier(&mut part.quals),
        };
        part.pointer_quals.push_tight(PointerQual { span: self.since(start), kind });
        !self.panicking
    }

    /// Behind the `@`.
    fn named_qualifier(&mut self) -> PointerQualKind {
        let word = self.bump().name;
        let words = &self.words;
        if word == words.thin {
            return PointerQualKind::Thin;
        } else if word == words.fat {
            return PointerQualKind::Fat;
        } else if word == words.notnull || word == words.nonnull {
            return PointerQualKind::NotNull;
        } else if word == words.nullable {
            return PointerQualKind::Nullable;
        } else if word == words.zeroterm {
            return PointerQualKind::ZeroTerm;
        } else if word == words.nozeroterm {
            return PointerQualKind::NoZeroTerm;
        } else if word == words.autoreleased {
            return PointerQualKind::AutoReleased;
        }
        let is_numelts = word == words.numelts;
        let is_region = word == words.region;
        let is_effect = word == words.effect;
        let open = self.here();
        self.expect(K::LParen);
        let kind = if is_numelts {
            PointerQualKind::Numelts(Box::new(self.conditional_expression()))
        } else if is_region {
            PointerQualKind::Region(Box::new(self.type_arg()))
        } else if is_effect {
            PointerQualKind::Effect(Box::new(self.type_arg()))
        } else {
            PointerQualKind::Aqual(Box::new(self.alias_qualifier()))
        };
        self.close(K::RParen, open);
        kind
    }

    /// A region behind a pointer: `` `r ``, `_`.
    pub(super) fn region(&mut self) -> TypeArg {
        let start = self.here();
        let ty = if self.at(K::TypeVar) {
            crate::tree::BaseType::Var(self.type_var())
        } else {
            self.bump();
            crate::tree::BaseType::Wildcard(None)
        };
        let mut name = self.error_type(self.since(start));
        name.specs.base = ty;
        TypeArg { span: name.span, kind: TypeArgKind::Type(name) }
    }

    /// `\U`, `\RC`, `\A`, `\T`
    pub(super) fn alias_abbreviation(&mut self) -> Option<AliasName> {
        self.bump();
        let words = &self.words;
        let name = self.token().name;
        let found = if name == words.u {
            AliasName::Unique
        } else if name == words.rc {
            AliasName::Refcnt
        } else if name == words.a {
            AliasName::Aliasable
        } else if name == words.t {
            AliasName::Restricted
        } else {
            self.unexpected_code("E0119", "`U`, `RC`, `A` or `T` after `\\`");
            return None;
        };
        self.bump();
        Some(found)
    }

    /// `UNIQUE`, `aquals(`a)`, `` `q ``
    pub(super) fn alias_qualifier(&mut self) -> AliasQual {
        match self.kind() {
            K::TypeVar => return AliasQual::Var(self.type_var()),
            K::Backslash => {
                let name = self.alias_abbreviation();
                return AliasQual::Name(name.unwrap_or(AliasName::Aliasable));
            }
            K::Aquals => {
                self.bump();
                let open = self.here();
                self.expect(K::LParen);
                let arg = self.type_arg();
                self.close(K::RParen, open);
                return AliasQual::Of(Box::new(arg));
            }
            _ => {}
        }
        match self.alias_name() {
            Some(name) => {
                self.bump();
                AliasQual::Name(name)
            }
            None => {
                self.unexpected_code("E0119", "`UNIQUE`, `REFCNT`, `ALIASABLE` or `RESTRICTED`");
                AliasQual::Name(AliasName::Aliasable)
            }
        }
    }

    /// The constant alias qualifier that the current token names.
    pub(super) fn alias_name(&self) -> Option<AliasName> {
        let token = self.token();
        let words = &self.words;
        let known = [
            (words.unique, AliasName::Unique),
            (words.refcnt, AliasName::Refcnt),
            (words.aliasable, AliasName::Aliasable),
            (words.restricted, AliasName::Restricted),
        ];
        if token.kind != K::Ident {
            return None;
        }
        known.into_iter().find(|(word, _)| *word == token.name).map(|(_, name)| name)
    }
}
