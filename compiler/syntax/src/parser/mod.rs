//! A recursive descent parser. Functions are named after the grammar's rules and cite the clauses
//! of C11 that they extend.
//!
//! It never fails: what is in error becomes an `Error` node. After an error the parser is
//! *panicking*: it reports nothing more until it has found a place from which to go on, so that
//! one mistake is one message. Recursion is bounded by [`MAX_DEPTH`]; loops that build trees
//! leaning to the left by [`MAX_HEIGHT`].

mod cursor;
mod datatype;
mod decl;
mod declarator;
mod effect;
mod expr;
mod extern_c;
mod function;
mod init;
mod pattern;
mod pointer;
mod primary;
mod record;
mod recover;
mod spec;
mod stmt;
mod switch;
mod tight;

use crate::lexer::Lexer;
use crate::names::Names;
use crate::token::{Token, TokenKind};
use crate::tree::{Clause, Ident, Pragma, Tree};
use crate::words::Words;
use tenure_span::{Diagnostic, FileId, Span};

/// Nesting of expressions, statements, declarators and types. A compound statement in another
/// counts twice; C11 5.2.4.1 wants 127 of them.
pub const MAX_DEPTH: u32 = 280;

/// Height of the tree of one expression or statement, which long chains of operators and of
/// `else if` raise without nesting.
pub const MAX_HEIGHT: u32 = 4000;

pub(crate) struct Parser<'t> {
    text: &'t str,
    file: FileId,
    /// Ends with [`TokenKind::Eof`].
    tokens: Vec<Token>,
    pos: usize,
    diagnostics: Vec<Diagnostic>,
    /// Names of attributes so far.
    attributes: Vec<Ident>,
    /// Where the literals end that the lexer found unclosed, in order.
    unclosed: Vec<u32>,
    panicking: bool,
    /// A limit was exceeded: nothing more is reported or read.
    gave_up: bool,
    depth: u32,
    /// Height of the expression that was parsed last.
    height: u32,
    names: Names,
    words: Words,
    /// Enclosing `extern "C"`s, in which only C's words are reserved as names.
    c_depth: u32,
    /// Enclosing parameter lists.
    params_depth: u32,
    /// A `{` after a name does not begin a struct literal: it is the body of a `switch`.
    no_struct: bool,
    /// For each enclosing `switch` the clauses that lead to the cases within its statements; None
    /// for a handler, whose cases stand in its braces only.
    inner_cases: Vec<Option<Vec<Clause>>>,
}

/// Parses a translation unit, preprocessed or without directives. The tree is there whatever the
/// text is; it is complete if no diagnostic is an error. Takes time and memory linear in the text.
pub fn parse(file: FileId, text: &str) -> (Tree, Vec<Diagnostic>) {
    if text.len() >= u32::MAX as usize {
        let at = Span::new(file, 0, 0);
        let problem = Diagnostic::error("E0109", "the file is larger than 4 GiB", at);
        return (
            Tree { file, decls: Vec::new(), pragmas: Vec::new(), attributes: Vec::new() },
            vec![problem],
        );
    }
    let mut lexer = Lexer::new(file, text);
    let mut tokens = Vec::with_capacity(text.len() / 5 + 1);
    let mut pragmas = Vec::new();
    loop {
        let token = lexer.next_token();
        match token.kind {
            TokenKind::Space | TokenKind::Comment => continue,
            TokenKind::Directive => {
                let line = &text[token.lo as usize + 1..token.hi as usize];
                if let Some(rest) = line.trim().strip_prefix("pragma") {
                    let span = token.span(file);
                    pragmas.push(Pragma { span, text: rest.trim().to_string() });
                }
                continue;
            }
            _ => tokens.push(token),
        }
        if token.kind == TokenKind::Eof {
            break;
        }
    }
    let is_unclosed = |d: &&Diagnostic| d.code == "E0103";
    let unclosed = lexer.diagnostics.iter().filter(is_unclosed).map(|d| d.primary.span.hi);
    let mut parser = Parser {
        unclosed: unclosed.collect(),
        text,
        file,
        tokens,
        pos: 0,
        diagnostics: lexer.diagnostics,
        attributes: Vec::new(),
        panicking: false,
        gave_up: false,
        depth: 0,
        height: 0,
        names: Names::new(),
        words: Words::new(),
        c_depth: 0,
        params_depth: 0,
        no_struct: false,
        inner_cases: Vec::new(),
    };
    let decls = parser.translation_unit();
    let attributes = parser.attributes;
    let mut diagnostics = parser.diagnostics;
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span.lo);
    (Tree { file, decls, pragmas, attributes }, diagnostics)
}
