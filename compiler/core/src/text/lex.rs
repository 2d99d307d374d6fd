//! Tokens of the text form.

use tenure_span::{FileId, Span};

#[derive(Clone, PartialEq, Debug)]
pub enum Token {
    /// A name; `true` if it was quoted, so that it is no keyword.
    Name(String, bool),
    Int(i128),
    Float(String),
    Text(String),
    Punct(&'static str),
    End,
}

/// Longest first.
const PUNCTS: &[&str] = &[
    "...", "..", "::", "->", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+", "-", "*", "/",
    "%", "&", "|", "^", "~", "!", "<", ">", "=", "(", ")", "[", "]", "{", "}", ",", ";", ":", ".",
    "?", "#", "@",
];

/// Splits `text`; the error is a message and the place of the offending byte.
pub fn lex(text: &str, file: FileId) -> Result<Vec<(Token, Span)>, (String, Span)> {
    let mut lexer = Lexer { text, at: 0 };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blanks();
        let start = lexer.at;
        let token = match lexer.token() {
            Ok(token) => token,
            Err(message) => return Err((message, span(file, start, start))),
        };
        let end = token == Token::End;
        tokens.push((token, span(file, start, lexer.at)));
        if end {
            return Ok(tokens);
        }
    }
}

fn span(file: FileId, lo: usize, hi: usize) -> Span {
    Span::new(file, lo as u32, hi as u32)
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start().len();
            self.at += blank;
            if !self.rest().starts_with("//") {
                return;
            }
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    fn take(&mut self, accept: impl Fn(char) -> bool) -> String {
        let taken: String = self.rest().chars().take_while(|&c| accept(c)).collect();
        self.at += taken.len();
        taken
    }

    fn token(&mut self) -> Result<Token, String> {
        let Some(first) = self.rest().chars().next() else { return Ok(Token::End) };
        match first {
            '`' => {
                self.at += 1;
                let name = self.take(|c| c != '`');
                if self.at >= self.text.len() {
                    return Err("a quoted name has no end".into());
                }
                self.at += 1;
                Ok(Token::Name(name + &self.suffix(), true))
            }
            '"' => self.string(),
            '0'..='9' => self.number(),
            '%' if self.rest()[1..].starts_with(['t', 'L', 'u']) => {
                self.at += 1;
                let name = self.take(|c| c.is_ascii_alphanumeric());
                Ok(Token::Name(format!("%{name}"), true))
            }
            c if c.is_ascii_alphabetic() || c == '_' || c == '$' => {
                let name = self.take(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$');
                let suffix = self.suffix();
                Ok(Token::Name(name + &suffix, !suffix.is_empty()))
            }
            _ => {
                let found = PUNCTS.iter().find(|p| self.rest().starts_with(**p));
                let punct = found.ok_or_else(|| format!("no token starts with {first:?}"))?;
                self.at += punct.len();
                Ok(Token::Punct(punct))
            }
        }
    }

    /// `.2` after a name.
    fn suffix(&mut self) -> String {
        let rest = self.rest().as_bytes();
        if rest.len() > 1 && rest[0] == b'.' && rest[1].is_ascii_digit() {
            self.at += 1;
            return format!(".{}", self.take(|c| c.is_ascii_digit()));
        }
        String::new()
    }

    fn number(&mut self) -> Result<Token, String> {
        if self.rest().starts_with("0x") {
            self.at += 2;
            let digits = self.take(|c| c.is_ascii_hexdigit());
            let value = u128::from_str_radix(&digits, 16).map_err(|e| e.to_string())?;
            return Ok(Token::Int(value as i128));
        }
        let start = self.at;
        self.take(|c| c.is_ascii_digit());
        let rest = self.rest().as_bytes();
        let fraction = rest.len() > 1 && rest[0] == b'.' && rest[1].is_ascii_digit();
        if fraction {
            self.at += 1;
            self.take(|c| c.is_ascii_digit());
        }
        let exponent = self.rest().starts_with('e');
        if exponent {
            self.at += 1;
            if self.rest().starts_with(['-', '+']) {
                self.at += 1;
            }
            self.take(|c| c.is_ascii_digit());
        }
        let text = &self.text[start..self.at];
        if fraction || exponent {
            return Ok(Token::Float(text.to_string()));
        }
        text.parse().map(Token::Int).map_err(|e| format!("{text}: {e}"))
    }

    /// Escapes as Rust's debug form writes them.
    fn string(&mut self) -> Result<Token, String> {
        self.at += 1;
        let mut text = String::new();
        loop {
            let mut chars = self.rest().chars();
            let Some(c) = chars.next() else { return Err("a string has no end".into()) };
            self.at += c.len_utf8();
            match c {
                '"' => return Ok(Token::Text(text)),
                '\\' => text.push(self.escape()?),
                c => text.push(c),
            }
        }
    }

    fn escape(&mut self) -> Result<char, String> {
        let c = self.rest().chars().next().ok_or("a string has no end")?;
        self.at += c.len_utf8();
        Ok(match c {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            '0' => '\0',
            'u' => {
                self.at += 1;
                let digits = self.take(|c| c.is_ascii_hexdigit());
                self.at += 1;
                let value = u32::from_str_radix(&digits, 16).map_err(|e| e.to_string())?;
                char::from_u32(value).ok_or("no such character")?
            }
            other => other,
        })
    }
}
