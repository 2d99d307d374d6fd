//! Declarators (C11 6.7.6), parsed inside out into a flat list of parts.

use super::tight::PushTight;
use super::{Parser, MAX_DEPTH};
use crate::names::NameClass;
use crate::token::TokenKind;
use crate::tree::{ArrayPart, ArraySize, Declarator, Part, QName, Quals, TypeParam};
use tenure_span::Span;
use TokenKind as K;

/// Whether a name is to be found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Named,
    Abstract,
    /// In parameters, either way.
    Either,
}

/// A declarator before its attributes.
struct Core {
    name: Option<QName>,
    params: Vec<TypeParam>,
    parts: Vec<Part>,
}

impl Parser<'_> {
    /// C11 6.7.6, with a name.
    pub(super) fn declarator(&mut self) -> Declarator {
        self.declarator_in(Mode::Named)
    }

    /// C11 6.7.7, without one.
    pub(super) fn abstract_declarator(&mut self) -> Declarator {
        self.declarator_in(Mode::Abstract)
    }

    /// Of a parameter or member, where the name may be absent.
    pub(super) fn any_declarator(&mut self) -> Declarator {
        self.declarator_in(Mode::Either)
    }

    fn declarator_in(&mut self, mode: Mode) -> Declarator {
        let start = self.here();
        let mut attributes = Vec::new();
        self.attributes(&mut attributes);
        let core = self.declarator_core(mode);
        let span = if self.prev_end() > start.lo { self.since(start) } else { start.start() };
        let mut asm_label = None;
        if mode != Mode::Abstract {
            self.attributes(&mut attributes);
            if self.at(K::Asm) {
                asm_label = self.asm_label();
            }
            self.attributes(&mut attributes);
        }
        let parts = core.parts;
        Declarator { span, name: core.name, params: core.params, parts, asm_label, attributes }
    }

    fn declarator_core(&mut self, mode: Mode) -> Core {
        if !self.enter() {
            return Core { name: None, params: Vec::new(), parts: Vec::new() };
        }
        let mut pointers = Vec::new();
        while let Some(pointer) = self.pointer() {
            pointers.push_tight(Part::Pointer(pointer));
        }
        let mut core = self.direct_declarator(mode);
        pointers.reverse();
        if core.parts.is_empty() {
            core.parts = pointers;
        } else {
            core.parts.extend(pointers);
        }
        if core.parts.len() > MAX_DEPTH as usize {
            self.give_up("a declarator with too many parts", format!("more than {MAX_DEPTH}"));
            core.parts.clear();
        }
        self.leave();
        core
    }

    /// C11 6.7.6p1
    fn direct_declarator(&mut self, mode: Mode) -> Core {
        let mut core = Core { name: None, params: Vec::new(), parts: Vec::new() };
        if self.at(K::LParen) && self.parenthesised_declarator(mode) {
            let open = self.here();
            self.bump();
            let mut ignored = Vec::new();
            self.attributes(&mut ignored);
            core = self.declarator_core(mode);
            self.close(K::RParen, open);
        } else if mode != Mode::Abstract {
            core.name = self.declarator_name(mode);
        }
        self.declarator_suffixes(&mut core);
        core
    }

    fn declarator_name(&mut self, mode: Mode) -> Option<QName> {
        if self.qname_length(0) > 0 {
            return Some(self.qname());
        }
        if self.at(K::Wildcard) && self.in_c(self.token()) {
            let token = self.bump();
            let span = token.span(self.file);
            return Some(QName::plain(crate::tree::Ident { name: token.name, span }));
        }
        let reserved = self.token().kind.is_ours() && !self.token().line_start;
        if mode == Mode::Named || self.at_name() || (reserved && self.may_follow_name(1)) {
            return self.declared_name("a name to declare").map(QName::plain);
        }
        None
    }

    /// A token that may follow the declared name.
    fn may_follow_name(&self, ahead: usize) -> bool {
        matches!(
            self.kind_at(ahead),
            K::Comma | K::RParen | K::Semi | K::Eq | K::LBracket | K::Colon
        )
    }

    /// At a `(`: whether a declarator is inside, and not parameters (C11 6.7.6.3p11).
    fn parenthesised_declarator(&self, mode: Mode) -> bool {
        match self.kind_at(1) {
            K::Star | K::At | K::Question => !(self.kind_at(1) == K::At && self.starts_type(1)),
            K::LParen | K::LBracket | K::Attribute => true,
            K::Ident | K::ColonColon => match mode {
                Mode::Named => true,
                Mode::Abstract => false,
                Mode::Either => self.class_at(1) != NameClass::Type && self.kind_at(2) != K::Ident,
            },
            _ if mode == Mode::Named => self.token_at(1).kind.is_ours() && !self.starts_type(1),
            _ => false,
        }
    }

    fn declarator_suffixes(&mut self, core: &mut Core) {
        loop {
            match self.kind() {
                K::LBracket => {
                    let part = self.array_part();
                    core.parts.push_tight(Part::Array(part));
                }
                K::LParen => {
                    let part = self.function_part(Vec::new());
                    core.parts.push_tight(Part::Function(part));
                }
                K::Lt if self.kind_at(1) == K::TypeVar && core.params.is_empty() => {
                    let params = self.type_params();
                    if self.at(K::LParen) {
                        let part = self.function_part(params);
                        core.parts.push_tight(Part::Function(part));
                    } else {
                        core.params = params;
                    }
                }
                _ => return,
            }
            if self.panicking || core.parts.len() > MAX_DEPTH as usize {
                return;
            }
        }
    }

    /// C11 6.7.6.2, with `@zeroterm` and a region after it.
    fn array_part(&mut self) -> ArrayPart {
        let open = self.here();
        self.bump();
        let mut is_static = false;
        let mut quals = Quals::default();
        loop {
            if self.eat(K::Static) {
                is_static = true;
            } else if !self.type_qualifier(&mut quals) {
                break;
            }
        }
        let size = match self.kind() {
            K::RBracket => ArraySize::None,
            K::Star if self.kind_at(1) == K::RBracket => {
                self.bump();
                ArraySize::Star
            }
            _ => ArraySize::Expr(Box::new(self.assignment_expression())),
        };
        self.close(K::RBracket, open);
        let mut zeroterm = None;
        while self.at(K::At) {
            let here = self.here();
            let yes = self.word_at(1, self.words.zeroterm);
            if !yes && !self.word_at(1, self.words.nozeroterm) {
                break;
            }
            self.bump();
            self.bump();
            zeroterm = Some((yes, self.since(here)));
        }
        let region = self.at(K::TypeVar).then(|| Box::new(self.region()));
        let span = self.since(open);
        ArrayPart { span, size, is_static, quals, zeroterm, region }
    }

    /// `asm("symbol")` (GNU)
    fn asm_label(&mut self) -> Option<(tenure_span::Symbol, Span)> {
        let start = self.here();
        self.bump();
        let open = self.here();
        if !self.expect(K::LParen) {
            return None;
        }
        let text = self.string_literal();
        self.close(K::RParen, open);
        let text = text?;
        let name = String::from_utf8_lossy(text.as_bytes().unwrap_or_default()).into_owned();
        Some((tenure_span::Symbol::new(&name), self.since(start)))
    }
}
