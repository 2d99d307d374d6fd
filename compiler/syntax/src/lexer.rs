//! From text to tokens (C11 6.4), after the preprocessor.

use crate::token::{Token, TokenKind};
use tenure_span::{Diagnostic, FileId, Span, Symbol};
use TokenKind as K;

/// Splits a text into tokens that together cover each of its bytes, trivia included.
pub struct Lexer<'t> {
    text: &'t str,
    bytes: &'t [u8],
    file: FileId,
    pos: usize,
    /// No token but trivia since the last newline.
    line_start: bool,
    /// State of the line markers.
    system: bool,
    /// The kinds of the last two tokens, for `x.1.2`.
    last: [TokenKind; 2],
    empty: Symbol,
    names: NameCache,
    pub diagnostics: Vec<Diagnostic>,
}

/// Remembers recent names, so that the global table is asked once for each, not once for each
/// use. Direct-mapped: a collision only costs a look-up.
struct NameCache {
    slots: Vec<Option<CachedName>>,
}

#[derive(Clone, Copy)]
struct CachedName {
    /// Where it last stood in the text, to compare with.
    lo: u32,
    len: u32,
    kind: TokenKind,
    name: Symbol,
}

const CACHE_SLOTS: usize = 4096;

impl<'t> Lexer<'t> {
    /// `text` must be shorter than 4 GiB: [`crate::parse`] sees to it.
    pub fn new(file: FileId, text: &'t str) -> Lexer<'t> {
        Lexer {
            text,
            bytes: text.as_bytes(),
            file,
            pos: 0,
            line_start: true,
            system: false,
            last: [K::Eof; 2],
            empty: Symbol::new(""),
            names: NameCache { slots: vec![None; CACHE_SLOTS] },
            diagnostics: Vec::new(),
        }
    }

    /// The next token, trivia included; [`TokenKind::Eof`] for ever at the end.
    pub fn next_token(&mut self) -> Token {
        let lo = self.pos;
        let was_line_start = self.line_start;
        let mut name = self.empty;
        let kind = match self.peek(0) {
            None => K::Eof,
            Some(byte) => self.scan(byte, &mut name),
        };
        if !kind.is_trivia() {
            self.line_start = false;
            self.last = [self.last[1], kind];
        }
        Token {
            kind,
            line_start: was_line_start,
            system: self.system,
            name,
            lo: lo as u32,
            hi: self.pos as u32,
        }
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.pos + ahead).copied()
    }

    fn scan(&mut self, byte: u8, name: &mut Symbol) -> TokenKind {
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => self.spaces(),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.word(name),
            b'0'..=b'9' => self.number(),
            b'.' if self.peek(1).is_some_and(|b| b.is_ascii_digit()) && !self.after_operand() => {
                self.number()
            }
            b'"' => self.quoted(b'"'),
            b'\'' => self.quote(name),
            b'`' => match self.type_var_end() {
                Some(end) => self.type_var(end, name),
                None => self.unknown(),
            },
            b'/' if self.peek(1) == Some(b'/') => self.line_comment(),
            b'/' if self.peek(1) == Some(b'*') => self.block_comment(),
            b'#' if self.line_start => self.directive(),
            b'\\' if matches!(self.peek(1), Some(b'\n' | b'\r')) => self.spaces(),
            b'$' if self.peek(1) == Some(b'(') => self.take(K::DollarParen, 2),
            0x80.. => self.wide_word(name),
            b'\\' if self.universal(self.pos).is_some() => self.wide_word(name),
            _ => self.punctuator(byte),
        }
    }

    fn take(&mut self, kind: TokenKind, length: usize) -> TokenKind {
        self.pos += length;
        kind
    }

    /// Whether a `.` here follows an operand, so that `.1` is a tuple's member and no number, or what a member's index
    /// follows.
    fn after_operand(&self) -> bool {
        matches!(
            self.last,
            [_, K::Ident | K::RParen | K::RBracket | K::Str | K::Dot | K::Arrow]
                | [K::Dot | K::Arrow, K::Number]
        )
    }

    fn spaces(&mut self) -> TokenKind {
        loop {
            match self.peek(0) {
                Some(b'\n') => self.line_start = true,
                Some(b' ' | b'\t' | b'\r' | 0x0b | 0x0c) => {}
                // A spliced line goes on (C11 5.1.1.2).
                Some(b'\\') if self.peek(1) == Some(b'\n') => self.pos += 1,
                Some(b'\\') if self.peek(1) == Some(b'\r') => self.pos += 1,
                _ => return K::Space,
            }
            self.pos += 1;
        }
    }

    /// C11 6.4.1, 6.4.2. A word before a quote may be the prefix of a literal.
    fn word(&mut self, name: &mut Symbol) -> TokenKind {
        let lo = self.pos;
        let mut hash: u32 = 0x811c_9dc5;
        while let Some(byte @ (b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'0'..=b'9')) = self.peek(0) {
            hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
            self.pos += 1;
        }
        match self.peek(0) {
            Some(b'"') if matches!(&self.text[lo..self.pos], "L" | "u" | "U" | "u8") => {
                return self.quoted(b'"');
            }
            Some(b'\'')
                if matches!(&self.text[lo..self.pos], "L" | "u" | "U")
                    && self.type_var_end().is_none() =>
            {
                return self.quoted(b'\'');
            }
            Some(0x80..) => {
                self.pos = lo;
                return self.wide_word(name);
            }
            Some(b'\\') if self.universal(self.pos).is_some() => {
                self.pos = lo;
                return self.wide_word(name);
            }
            _ => {}
        }
        let length = self.pos - lo;
        let slot = (hash ^ (hash >> 15)) as usize % CACHE_SLOTS;
        if let Some(cached) = self.names.slots[slot] {
            let known = &self.bytes[cached.lo as usize..(cached.lo + cached.len) as usize];
            if known == &self.bytes[lo..self.pos] {
                *name = cached.name;
                return cached.kind;
            }
        }
        let text = &self.text[lo..self.pos];
        *name = Symbol::new(text);
        let kind = TokenKind::keyword(text).unwrap_or(K::Ident);
        let cached = CachedName { lo: lo as u32, len: length as u32, kind, name: *name };
        self.names.slots[slot] = Some(cached);
        kind
    }

    /// A name with letters beyond ASCII (C11 annex D), also as universal character names. GNU C's `$` is no letter:
    /// names in object files that no program can spell have one.
    fn wide_word(&mut self, name: &mut Symbol) -> TokenKind {
        let lo = self.pos;
        let mut word = String::new();
        while let Some(c) = self.text[self.pos..].chars().next() {
            let (letter, length) = match c {
                '\\' => match self.universal(self.pos) {
                    Some(universal) => universal,
                    None => break,
                },
                _ => (c, c.len_utf8()),
            };
            if !(letter.is_alphanumeric() || letter == '_') {
                break;
            }
            word.push(letter);
            self.pos += length;
        }
        if self.pos == lo {
            return self.unknown();
        }
        *name = Symbol::new(&word);
        K::Ident
    }

    /// The letter that `\u00e9` or `\U000000e9` at a position means, and how long that is (C11 6.4.3).
    fn universal(&self, at: usize) -> Option<(char, usize)> {
        let digits = match self.bytes.get(at + 1)? {
            b'u' => 4,
            b'U' => 8,
            _ => return None,
        };
        let text = self.text.get(at + 2..at + 2 + digits)?;
        if !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let letter = char::from_u32(u32::from_str_radix(text, 16).ok()?)?;
        (letter as u32 >= 0xa0 && letter.is_alphanumeric()).then_some((letter, 2 + digits))
    }

    /// A preprocessing number (C11 6.4.8); what it means is found when it is parsed. After a dot
    /// it is the index of a tuple's member, which has digits only.
    fn number(&mut self) -> TokenKind {
        let index = matches!(self.last[1], K::Dot | K::Arrow);
        while let Some(byte) = self.peek(0) {
            match byte {
                b'0'..=b'9' => {}
                _ if index => break,
                b'e' | b'E' | b'p' | b'P' if matches!(self.peek(1), Some(b'+' | b'-')) => {
                    self.pos += 1;
                }
                // `1...3` is a range.
                b'.' if self.peek(1) == Some(b'.') => break,
                b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'.' => {}
                _ => break,
            }
            self.pos += 1;
        }
        K::Number
    }

    /// `'`: a character constant or a type variable, which no quote closes.
    fn quote(&mut self, name: &mut Symbol) -> TokenKind {
        match self.type_var_end() {
            Some(end) if self.bytes.get(end) != Some(&b'\'') => self.type_var(end, name),
            _ => self.quoted(b'\''),
        }
    }

    /// If a name follows the quote, where it ends.
    fn type_var_end(&self) -> Option<usize> {
        let start = self.pos + 1;
        if !matches!(self.bytes.get(start), Some(b'a'..=b'z' | b'A'..=b'Z' | b'_')) {
            return None;
        }
        let rest = &self.bytes[start..];
        let part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
        let end = start + rest.iter().take_while(|b| part(b)).count();
        (self.bytes[self.pos] == b'`' || self.bytes.get(end) != Some(&b'\'')).then_some(end)
    }

    fn type_var(&mut self, end: usize, name: &mut Symbol) -> TokenKind {
        *name = Symbol::new(&self.text[self.pos + 1..end]);
        self.pos = end;
        K::TypeVar
    }

    /// C11 6.4.4.4, 6.4.5: to the closing quote; a newline ends it too, with an error.
    fn quoted(&mut self, quote: u8) -> TokenKind {
        let kind = if quote == b'"' { K::Str } else { K::Char };
        let lo = self.pos;
        while self.peek(0) != Some(quote) {
            self.pos += 1;
        }
        self.pos += 1;
        loop {
            match self.peek(0) {
                Some(byte) if byte == quote => {
                    self.pos += 1;
                    return kind;
                }
                Some(b'\\') if self.peek(1).is_some() => {
                    self.pos += 1;
                    self.skip_char();
                }
                None | Some(b'\n') => {
                    let span = Span::new(self.file, lo as u32, self.pos as u32);
                    self.diagnostics.push(unclosed(kind, span));
                    return kind;
                }
                Some(_) => self.skip_char(),
            }
        }
    }

    fn skip_char(&mut self) {
        let length = self.text[self.pos..].chars().next().map_or(0, char::len_utf8);
        self.pos += length;
    }

    fn line_comment(&mut self) -> TokenKind {
        while let Some(byte) = self.peek(0) {
            match byte {
                b'\n' => break,
                b'\\' if self.peek(1) == Some(b'\n') => self.pos += 2,
                _ => self.pos += 1,
            }
        }
        K::Comment
    }

    /// C11 6.4.9: comments do not nest, though Cyclone's did, hence the warning.
    fn block_comment(&mut self) -> TokenKind {
        let lo = self.pos;
        self.pos += 2;
        let mut warned = false;
        loop {
            match (self.peek(0), self.peek(1)) {
                (Some(b'*'), Some(b'/')) => {
                    self.pos += 2;
                    return K::Comment;
                }
                (Some(b'/'), Some(b'*')) if !warned && self.peek(2) != Some(b'/') => {
                    warned = true;
                    let at = self.pos as u32;
                    let inner = Span::new(self.file, at, at + 2);
                    let outer = Span::new(self.file, lo as u32, lo as u32 + 2);
                    self.diagnostics.push(
                        Diagnostic::warning("W0101", "`/*` within a comment", inner)
                            .label("comments do not nest: the first `*/` ends both")
                            .secondary(outer, "the comment begins here"),
                    );
                    self.pos += 2;
                }
                (Some(byte), _) => {
                    self.line_start |= byte == b'\n';
                    self.pos += 1;
                }
                (None, _) => {
                    let span = Span::new(self.file, lo as u32, lo as u32 + 2);
                    self.diagnostics.push(
                        Diagnostic::error("E0102", "a comment is not closed", span)
                            .label("it begins here and goes on to the end of the file"),
                    );
                    return K::Comment;
                }
            }
        }
    }

    /// A line marker, a pragma, or what the preprocessor should have dealt with.
    fn directive(&mut self) -> TokenKind {
        let lo = self.pos;
        while let Some(byte) = self.peek(0) {
            match byte {
                b'\n' => break,
                b'\\' if self.peek(1) == Some(b'\n') => self.pos += 2,
                _ => self.pos += 1,
            }
        }
        let line = self.text[lo + 1..self.pos].trim();
        let rest = line.strip_prefix("line").unwrap_or(line).trim_start();
        if rest.starts_with(|c: char| c.is_ascii_digit()) {
            // Flags 3 and 4 of cc's markers: a system header, and one whose text is C.
            let flags = rest.rsplit('"').next().unwrap_or("");
            self.system = flags.split_whitespace().any(|flag| flag == "3" || flag == "4");
        } else if !(line.is_empty()
            || line.starts_with("pragma")
            || line.starts_with("ident")
            || line.starts_with("sccs"))
        {
            let span = Span::new(self.file, lo as u32, self.pos as u32);
            self.diagnostics.push(
                Diagnostic::error("E0104", "a preprocessor directive in preprocessed text", span)
                    .label("the preprocessor would have taken this line away"),
            );
        }
        K::Directive
    }

    fn unknown(&mut self) -> TokenKind {
        let lo = self.pos as u32;
        self.skip_char();
        // A byte order mark at the start of the file says nothing.
        if lo == 0 && self.text.starts_with('\u{feff}') {
            return K::Space;
        }
        let span = Span::new(self.file, lo, self.pos as u32);
        let found = &self.text[lo as usize..self.pos];
        let headline = format!("the character `{}` has no meaning here", found.escape_debug());
        let mut error = Diagnostic::error("E0101", headline, span);
        if found == "$" {
            error = error.help("names have letters, digits and `_`; `$(` begins a tuple");
        }
        self.diagnostics.push(error);
        K::Unknown
    }

    /// C11 6.4.6, the longest that fits.
    fn punctuator(&mut self, byte: u8) -> TokenKind {
        let next = self.peek(1);
        let third = self.peek(2);
        let (kind, length) = match (byte, next, third) {
            (b'(', ..) => (K::LParen, 1),
            (b')', ..) => (K::RParen, 1),
            (b'[', ..) => (K::LBracket, 1),
            (b']', ..) => (K::RBracket, 1),
            (b'{', ..) => (K::LBrace, 1),
            (b'}', ..) => (K::RBrace, 1),
            (b';', ..) => (K::Semi, 1),
            (b',', ..) => (K::Comma, 1),
            (b'?', ..) => (K::Question, 1),
            (b'@', ..) => (K::At, 1),
            (b'~', ..) => (K::Tilde, 1),
            (b'\\', ..) => (K::Backslash, 1),
            (b'#', ..) => (K::Hash, 1),
            (b'.', Some(b'.'), Some(b'.')) => (K::Ellipsis, 3),
            // Of a range in a pattern.
            (b'.', Some(b'.'), _) => (K::DotDot, 2),
            (b'.', ..) => (K::Dot, 1),
            (b':', Some(b'='), Some(b':')) => (K::Swap, 3),
            (b':', Some(b':'), _) => (K::ColonColon, 2),
            (b':', Some(b'>'), _) => (K::RBracket, 2),
            (b':', ..) => (K::Colon, 1),
            (b'<' | b'>' | b'-' | b'+' | b'&' | b'|' | b'=' | b'!' | b'*' | b'/', ..)
            | (b'%' | b'^', ..) => operator(byte, next, third),
            _ => return self.unknown(),
        };
        self.take(kind, length)
    }
}

/// The operators, which may be followed by `=` or by themselves.
fn operator(byte: u8, next: Option<u8>, third: Option<u8>) -> (TokenKind, usize) {
    match (byte, next, third) {
        (b'<', Some(b'<'), Some(b'=')) => (K::ShlEq, 3),
        (b'<', Some(b'<'), _) => (K::Shl, 2),
        (b'<', Some(b'='), _) => (K::Le, 2),
        // A digraph, unless `<::` opens type arguments.
        (b'<', Some(b':'), third) if third != Some(b':') => (K::LBracket, 2),
        (b'<', Some(b'%'), _) => (K::LBrace, 2),
        (b'<', ..) => (K::Lt, 1),
        (b'>', Some(b'>'), Some(b'=')) => (K::ShrEq, 3),
        (b'>', Some(b'>'), _) => (K::Shr, 2),
        (b'>', Some(b'='), _) => (K::Ge, 2),
        (b'>', ..) => (K::Gt, 1),
        (b'-', Some(b'>'), _) => (K::Arrow, 2),
        (b'-', Some(b'-'), _) => (K::MinusMinus, 2),
        (b'-', Some(b'='), _) => (K::MinusEq, 2),
        (b'-', ..) => (K::Minus, 1),
        (b'+', Some(b'+'), _) => (K::PlusPlus, 2),
        (b'+', Some(b'='), _) => (K::PlusEq, 2),
        (b'+', ..) => (K::Plus, 1),
        (b'&', Some(b'&'), _) => (K::AndAnd, 2),
        (b'&', Some(b'='), _) => (K::AmpEq, 2),
        (b'&', ..) => (K::Amp, 1),
        (b'|', Some(b'|'), _) => (K::OrOr, 2),
        (b'|', Some(b'='), _) => (K::PipeEq, 2),
        (b'|', ..) => (K::Pipe, 1),
        (b'=', Some(b'='), _) => (K::EqEq, 2),
        (b'=', ..) => (K::Eq, 1),
        (b'!', Some(b'='), _) => (K::Ne, 2),
        (b'!', ..) => (K::Bang, 1),
        (b'*', Some(b'='), _) => (K::StarEq, 2),
        (b'*', ..) => (K::Star, 1),
        (b'/', Some(b'='), _) => (K::SlashEq, 2),
        (b'/', ..) => (K::Slash, 1),
        (b'%', Some(b'='), _) => (K::PercentEq, 2),
        (b'%', Some(b'>'), _) => (K::RBrace, 2),
        (b'%', ..) => (K::Percent, 1),
        (_, Some(b'='), _) => (K::CaretEq, 2),
        _ => (K::Caret, 1),
    }
}

fn unclosed(kind: TokenKind, span: Span) -> Diagnostic {
    let what = kind.text();
    let quote = if kind == K::Str { '"' } else { '\'' };
    Diagnostic::error("E0103", format!("a {what} is not closed"), span)
        .label(format!("no `{quote}` before the end of the line"))
}
