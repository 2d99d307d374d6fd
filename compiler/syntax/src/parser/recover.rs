//! What is said about an error, and where to go on after it.

use super::Parser;
use crate::token::TokenKind;
use tenure_span::{Diagnostic, Span};
use TokenKind as K;

/// How far ahead a closing bracket is looked for after an error. Without a bound, a text of many
/// errors would be read to its end for each of them.
const FARTHEST_BRACKET: usize = 1000;

impl Parser<'_> {
    /// Reports, unless an error before it has not been recovered from, and goes on as if nothing
    /// were wrong.
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        if !self.panicking && !self.lexer_reported() {
            self.diagnostics.push(diagnostic);
        }
    }

    /// What is wrong here is that the lexer could not make tokens of the text.
    fn lexer_reported(&self) -> bool {
        let token = self.token();
        token.kind == K::Unknown || (token.line_start && self.is_unclosed(self.prev_end()))
    }

    /// The literal that ends there is not closed.
    pub(super) fn is_unclosed(&self, end: u32) -> bool {
        self.unclosed.binary_search(&end).is_ok()
    }

    /// Reports and panics.
    pub(super) fn error(&mut self, diagnostic: Diagnostic) {
        self.report(diagnostic);
        self.panicking = true;
    }

    /// The current token, as a message names it.
    pub(super) fn found(&self) -> String {
        let token = self.token();
        match token.kind {
            K::Eof => "the end of the file".to_string(),
            kind if kind.is_spelling() => format!("`{}`", self.text_of(token)),
            kind => format!("the {} `{}`", kind.text(), shorten(self.text_of(token))),
        }
    }

    pub(super) fn unexpected(&mut self, what: &str) {
        self.unexpected_code("E0105", what);
    }

    pub(super) fn unexpected_code(&mut self, code: &'static str, what: &str) {
        let found = self.found();
        let headline = format!("expected {what}, found {found}");
        let diagnostic = Diagnostic::error(code, headline, self.here());
        self.error(diagnostic.label(format!("expected {what}")));
    }

    /// Takes the token or reports that it is missing.
    pub(super) fn expect(&mut self, kind: TokenKind) -> bool {
        if self.eat(kind) {
            return true;
        }
        self.unexpected(&format!("`{}`", kind.text()));
        false
    }

    /// A `;` that ends `what`. If it is only forgotten, the next line goes on as usual.
    pub(super) fn expect_semi(&mut self, what: &str) {
        if self.eat(K::Semi) {
            // What was wrong ends here.
            self.panicking = self.gave_up;
            return;
        }
        if self.panicking {
            return;
        }
        let at = self.after_prev();
        let found = self.found();
        let mut diagnostic = Diagnostic::error("E0105", format!("expected `;` after {what}"), at)
            .label(format!("before {found}"));
        let forgotten = self.token().line_start || matches!(self.kind(), K::RBrace | K::Eof);
        if forgotten || self.starts_type(0) || begins_statement(self.kind()) {
            diagnostic = diagnostic.suggest("end it here", at, ";");
        }
        self.error(diagnostic);
        if forgotten {
            self.panicking = false;
        }
    }

    /// Between the items of a braced list of names, takes a `,` or `;`. If only that is forgotten
    /// it is reported and the list goes on; false at the end of the list.
    pub(super) fn separated(&mut self, usual: TokenKind) -> bool {
        if self.eat(K::Comma) || self.eat(K::Semi) {
            return true;
        }
        if self.panicking || !self.at(K::Ident) {
            return false;
        }
        let at = self.after_prev();
        let text = usual.text();
        let found = self.found();
        self.report(
            Diagnostic::error("E0105", format!("expected `{text}`, found {found}"), at).suggest(
                "separate them",
                at,
                text,
            ),
        );
        true
    }

    /// Takes the bracket that closes the one at `open`. After an error it looks for it ahead, and
    /// if it is there before the statement ends, goes on from it.
    pub(super) fn close(&mut self, kind: TokenKind, open: Span) {
        if !self.panicking {
            if self.eat(kind) {
                return;
            }
            let text = kind.text();
            let found = self.found();
            let headline = format!("expected `{text}`, found {found}");
            let diagnostic = Diagnostic::error("E0105", headline, self.here())
                .label(format!("expected `{text}`"))
                .secondary(open, "to close this");
            self.error(diagnostic);
        }
        if self.gave_up {
            return;
        }
        let start = self.pos;
        let mut nesting = 0u32;
        for at in start..self.tokens.len().min(start + FARTHEST_BRACKET) {
            let token = self.tokens[at];
            match token.kind {
                found if nesting == 0 && found == kind => {
                    self.pos = at + 1;
                    self.panicking = false;
                    return;
                }
                K::Eof | K::Semi => return,
                K::LBrace if kind != K::RBrace => return,
                K::LParen | K::LBracket | K::LBrace | K::DollarParen => nesting += 1,
                K::RParen | K::RBracket | K::RBrace if nesting == 0 => return,
                K::RParen | K::RBracket | K::RBrace => nesting -= 1,
                found if token.line_start && begins_statement(found) => return,
                _ => {}
            }
        }
    }

    /// After an error in a statement or declaration of a block: to behind its `;` or `}`, or to
    /// what looks like the next one.
    pub(super) fn recover_in_block(&mut self, start: usize) {
        self.recover(start, false);
    }

    /// After an error at file scope.
    pub(super) fn recover_at_file_scope(&mut self, start: usize) {
        self.recover(start, true);
    }

    fn recover(&mut self, start: usize, file_scope: bool) {
        if self.gave_up || !self.panicking {
            return;
        }
        self.panicking = false;
        let mut nesting = 0u32;
        loop {
            let token = self.token();
            match token.kind {
                K::Eof => return,
                K::Semi if nesting == 0 => {
                    self.bump();
                    return;
                }
                K::LBrace | K::LParen | K::LBracket | K::DollarParen => nesting += 1,
                K::RBrace if nesting == 0 && !file_scope => return,
                K::RBrace if nesting <= 1 => {
                    self.bump();
                    // `};` ends a declaration, `}` alone a function.
                    self.eat(K::Semi);
                    return;
                }
                K::RParen | K::RBracket | K::RBrace => nesting = nesting.saturating_sub(1),
                kind if nesting == 0
                    && token.line_start
                    && self.pos > start
                    && (begins_statement(kind) || self.starts_type(0)) =>
                {
                    return;
                }
                _ => {}
            }
            self.bump();
        }
    }
}

/// Words that begin a statement or declaration and stand nowhere else, or hardly.
fn begins_statement(kind: TokenKind) -> bool {
    matches!(
        kind,
        K::If
            | K::While
            | K::For
            | K::Do
            | K::Switch
            | K::Case
            | K::Default
            | K::Return
            | K::Break
            | K::Continue
            | K::Goto
            | K::Try
            | K::Let
            | K::Typedef
            | K::Extern
            | K::Static
            | K::Namespace
            | K::Using
            | K::Fallthru
    )
}

fn shorten(text: &str) -> String {
    const LONGEST: usize = 30;
    if text.chars().count() <= LONGEST {
        return text.to_string();
    }
    let head: String = text.chars().take(LONGEST - 3).collect();
    format!("{head}...")
}
