//! Looking at tokens and taking them.

use super::{Parser, MAX_DEPTH, MAX_HEIGHT};
use crate::names::NameClass;
use crate::token::{Token, TokenKind};
use crate::tree::{Ident, QName};
use tenure_span::{Diagnostic, Span, Symbol};
use TokenKind as K;

impl Parser<'_> {
    pub(super) fn token(&self) -> Token {
        self.tokens[self.pos]
    }

    /// The token `ahead` of the current one; the end of file goes on for ever.
    pub(super) fn token_at(&self, ahead: usize) -> Token {
        self.tokens[(self.pos + ahead).min(self.tokens.len() - 1)]
    }

    /// The kind of the current token. A word of ours that C code declared as a name is a name
    /// there.
    pub(super) fn kind(&self) -> TokenKind {
        self.effective(self.tokens[self.pos])
    }

    pub(super) fn kind_at(&self, ahead: usize) -> TokenKind {
        self.effective(self.token_at(ahead))
    }

    fn effective(&self, token: Token) -> TokenKind {
        if token.kind.is_ours()
            && self.in_c(token)
            && self.names.class(token.name) != NameClass::Unknown
        {
            return K::Ident;
        }
        token.kind
    }

    /// The token stands in C code.
    pub(super) fn in_c(&self, token: Token) -> bool {
        self.c_depth > 0 || token.system
    }

    pub(super) fn at(&self, kind: TokenKind) -> bool {
        self.kind() == kind
    }

    /// At this word, which is an identifier elsewhere.
    pub(super) fn at_word(&self, word: Symbol) -> bool {
        self.word_at(0, word)
    }

    pub(super) fn word_at(&self, ahead: usize, word: Symbol) -> bool {
        let token = self.token_at(ahead);
        token.name == word && token.kind != K::TypeVar
    }

    pub(super) fn bump(&mut self) -> Token {
        let token = self.tokens[self.pos];
        if token.kind != K::Eof {
            self.pos += 1;
        }
        token
    }

    pub(super) fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    pub(super) fn eat_word(&mut self, word: Symbol) -> bool {
        let found = self.at_word(word);
        if found {
            self.bump();
        }
        found
    }

    /// The span of the current token.
    pub(super) fn here(&self) -> Span {
        self.token().span(self.file)
    }

    /// From `start` to the end of the last token that was taken.
    pub(super) fn since(&self, start: Span) -> Span {
        let end = self.prev_end();
        Span { hi: end.max(start.lo), ..start }
    }

    pub(super) fn prev_end(&self) -> u32 {
        match self.pos.checked_sub(1) {
            Some(prev) => self.tokens[prev].hi,
            None => 0,
        }
    }

    /// The empty span after the last token that was taken.
    pub(super) fn after_prev(&self) -> Span {
        Span::new(self.file, self.prev_end(), self.prev_end())
    }

    pub(super) fn text_of(&self, token: Token) -> &str {
        &self.text[token.lo as usize..token.hi as usize]
    }

    /// Takes the `>` that closes type arguments, also the first half of `>>`, `>=` or `>>=`.
    pub(super) fn eat_gt(&mut self) -> bool {
        let rest = match self.kind() {
            K::Gt => {
                self.bump();
                return true;
            }
            K::Shr => K::Gt,
            K::Ge => K::Eq,
            K::ShrEq => K::Ge,
            _ => return false,
        };
        let token = &mut self.tokens[self.pos];
        token.kind = rest;
        token.lo += 1;
        true
    }

    pub(super) fn at_gt(&self) -> bool {
        matches!(self.kind(), K::Gt | K::Shr | K::Ge | K::ShrEq)
    }

    /// An identifier, or in C code a word of ours that is used as one.
    pub(super) fn at_name(&self) -> bool {
        let token = self.token();
        self.at(K::Ident) || (token.kind.is_ours() && self.in_c(token))
    }

    /// A name that is declared here. A reserved word is reported and taken as the name.
    pub(super) fn declared_name(&mut self, what: &str) -> Option<Ident> {
        let token = self.token();
        if self.at_name() {
            self.bump();
        } else if token.kind.is_ours() || token.kind.is_c_keyword() {
            // `int return` is more likely a missing name than a name.
            if token.kind.is_c_keyword() || token.line_start {
                self.unexpected(what);
                return None;
            }
            self.reserved(token);
            self.bump();
        } else {
            self.unexpected(what);
            return None;
        }
        Some(Ident { name: token.name, span: token.span(self.file) })
    }

    fn reserved(&mut self, token: Token) {
        let name = token.name;
        self.report(
            Diagnostic::error(
                "E0108",
                format!("`{name}` is a reserved word"),
                token.span(self.file),
            )
            .label("a name is expected here")
            .suggest("choose another name", token.span(self.file), format!("{name}_")),
        );
    }

    /// The name after `.` or `->`, where any word is one.
    pub(super) fn member_name(&mut self) -> Option<Ident> {
        let token = self.token();
        if token.kind == K::Ident || token.kind.is_ours() {
            self.bump();
            return Some(Ident { name: token.name, span: token.span(self.file) });
        }
        self.unexpected("the name of a member");
        None
    }

    /// How many tokens a qualified name takes from `ahead` on; 0 if there is none.
    pub(super) fn qname_length(&self, ahead: usize) -> usize {
        let mut length = usize::from(self.kind_at(ahead) == K::ColonColon);
        if self.kind_at(ahead + length) != K::Ident {
            return 0;
        }
        length += 1;
        while self.kind_at(ahead + length) == K::ColonColon
            && self.kind_at(ahead + length + 1) == K::Ident
        {
            length += 2;
        }
        length
    }

    /// `x`, `N::x`, `::x`. The caller has seen that one begins here.
    pub(super) fn qname(&mut self) -> QName {
        let start = self.here();
        let absolute = self.eat(K::ColonColon);
        let mut name = self.raw_ident();
        let mut scope = Vec::new();
        while self.at(K::ColonColon) && self.kind_at(1) == K::Ident {
            self.bump();
            scope.push(std::mem::replace(&mut name, self.raw_ident()));
        }
        QName { span: self.since(start), absolute, scope, name }
    }

    fn raw_ident(&mut self) -> Ident {
        let token = self.bump();
        Ident { name: token.name, span: token.span(self.file) }
    }

    /// A qualified name, or the report that `what` was expected.
    pub(super) fn expect_qname(&mut self, what: &str) -> Option<QName> {
        if self.qname_length(0) > 0 {
            return Some(self.qname());
        }
        self.declared_name(what).map(QName::plain)
    }

    /// What the qualified name `ahead` is.
    pub(super) fn class_at(&self, ahead: usize) -> NameClass {
        let length = self.qname_length(ahead);
        if length == 1 {
            return self.names.class(self.token_at(ahead).name);
        }
        let absolute = self.kind_at(ahead) == K::ColonColon;
        let first = ahead + usize::from(absolute);
        let path: Vec<Symbol> =
            (first..ahead + length).step_by(2).map(|at| self.token_at(at).name).collect();
        match path.split_last() {
            Some((&name, scope)) => self.names.class_in(absolute, scope, name),
            None => NameClass::Unknown,
        }
    }

    /// Goes one level deeper; false, and reported, if that is too deep. Each `true` is followed
    /// by one [`Parser::leave`].
    pub(super) fn enter(&mut self) -> bool {
        if self.depth >= MAX_DEPTH {
            self.give_up("nested too deeply", format!("more than {MAX_DEPTH} levels"));
            return false;
        }
        self.depth += 1;
        true
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Notes that the tree that is being built is so high; false, and reported, if too high.
    pub(super) fn grow(&mut self, height: u32) -> bool {
        self.height = height + 1;
        if self.height > MAX_HEIGHT {
            self.give_up("too many operators in a row", format!("more than {MAX_HEIGHT}"));
            return false;
        }
        true
    }

    /// Reports an exceeded limit and reads no further.
    pub(super) fn give_up(&mut self, headline: &str, label: String) {
        let problem = Diagnostic::error("E0109", headline, self.here()).label(label);
        if !self.gave_up {
            self.panicking = false;
            self.report(problem);
        }
        self.panicking = true;
        self.gave_up = true;
        self.pos = self.tokens.len() - 1;
    }
}
