//! The parser of format strings.

use super::{BadFormat, Want, WantKind};
use crate::ty::FloatTy;

/// Length modifiers (C11 7.21.6.1p7).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Length {
    None,
    Char,
    Short,
    Long,
    LongDouble,
}

impl Length {
    fn int_bits(self) -> u32 {
        match self {
            Length::Char => 8,
            Length::Short => 16,
            Length::None => 32,
            Length::Long | Length::LongDouble => 64,
        }
    }
}

/// A reader of the units of a format.
struct Cursor<'f> {
    units: &'f [u32],
    pos: usize,
    /// Where the current directive starts.
    start: usize,
}

impl Cursor<'_> {
    fn peek(&self) -> Option<char> {
        self.units.get(self.pos).and_then(|&unit| char::from_u32(unit))
    }

    fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.pos += usize::from(found);
        found
    }

    /// The units up to the next directive are skipped; whether there is one.
    fn next_directive(&mut self) -> bool {
        while self.pos < self.units.len() {
            if self.eat('%') {
                self.start = self.pos - 1;
                return true;
            }
            self.pos += 1;
        }
        false
    }

    fn digits(&mut self) -> bool {
        let start = self.pos;
        while self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.pos += 1;
        }
        self.pos > start
    }

    fn length(&mut self) -> Length {
        if self.eat('h') {
            return if self.eat('h') { Length::Char } else { Length::Short };
        }
        if self.eat('l') {
            self.eat('l');
            return Length::Long;
        }
        if self.eat('q') || self.eat('j') || self.eat('z') || self.eat('Z') || self.eat('t') {
            return Length::Long;
        }
        if self.eat('L') {
            return Length::LongDouble;
        }
        Length::None
    }

    fn text(&self) -> String {
        let units = self.units[self.start..self.pos].iter();
        units.filter_map(|&unit| char::from_u32(unit)).map(visible).collect()
    }

    fn want(&self, kind: WantKind) -> Want {
        Want { kind, text: self.text(), start: self.start, end: self.pos }
    }

    fn bad(&self, reason: impl Into<String>) -> BadFormat {
        BadFormat { reason: reason.into(), start: self.start, end: self.pos }
    }

    /// `%1$d` is POSIX's, and would have to be the rule for the whole string.
    fn no_position(&self) -> Result<(), BadFormat> {
        if self.peek() == Some('$') {
            return Err(self.bad("numbered arguments (`%1$d`) are not supported"));
        }
        Ok(())
    }

    fn unknown(&self, conversion: char) -> BadFormat {
        let text = self.text();
        match conversion {
            'S' | 'C' => {
                self.bad(format!("`{text}` is for wide characters, which are not supported"))
            }
            _ => self.bad(format!(
                "`{text}` is no directive: there is no conversion `{}`",
                visible(conversion)
            )),
        }
    }
}

/// A character for a message, which is one line.
fn visible(c: char) -> String {
    if c.is_control() {
        c.escape_debug().to_string()
    } else {
        c.to_string()
    }
}

/// The arguments that a format of printf wants, in order.
pub fn parse_printf(units: &[u32]) -> Result<Vec<Want>, BadFormat> {
    let mut cursor = Cursor { units, pos: 0, start: 0 };
    let mut wants = Vec::new();
    while cursor.next_directive() {
        while cursor.peek().is_some_and(|c| "-+ #0'".contains(c)) {
            cursor.pos += 1;
        }
        let first = wants.len();
        if cursor.eat('*') {
            wants.push(cursor.want(WantKind::Star));
        } else {
            cursor.digits();
        }
        cursor.no_position()?;
        if cursor.eat('.') {
            if cursor.eat('*') {
                wants.push(cursor.want(WantKind::Star));
            } else {
                cursor.digits();
            }
        }
        let length = cursor.length();
        let Some(conversion) = cursor.peek() else {
            return Err(cursor.bad("the format ends in the middle of a directive"));
        };
        cursor.pos += 1;
        let kind = match (conversion, length) {
            ('%', _) => None,
            ('d' | 'i' | 'o' | 'u' | 'x' | 'X', _) => {
                // An argument shorter than int arrives promoted (C11 6.5.2.2p6).
                Some(WantKind::Int { bits: length.int_bits().max(32) })
            }
            ('c', Length::None) => Some(WantKind::Char),
            ('s', Length::None) => Some(WantKind::Text),
            ('e' | 'E' | 'f' | 'F' | 'g' | 'G' | 'a' | 'A', Length::LongDouble) => {
                Some(WantKind::LongDouble)
            }
            ('e' | 'E' | 'f' | 'F' | 'g' | 'G' | 'a' | 'A', Length::None | Length::Long) => {
                Some(WantKind::Double)
            }
            ('p', Length::None) => Some(WantKind::Pointer),
            ('n', Length::Short) => Some(WantKind::IntPointer { bits: 16, signed: true }),
            ('n', Length::Long) => Some(WantKind::IntPointer { bits: 64, signed: true }),
            ('n', Length::None) => Some(WantKind::IntPointer { bits: 32, signed: true }),
            ('s' | 'c', _) => return Err(cursor.unknown(conversion.to_ascii_uppercase())),
            _ => return Err(cursor.unknown(conversion)),
        };
        if let Some(kind) = kind {
            wants.push(cursor.want(kind));
        }
        let (text, end) = (cursor.text(), cursor.pos);
        for want in &mut wants[first..] {
            want.text.clone_from(&text);
            want.end = end;
        }
    }
    Ok(wants)
}

/// The arguments that a format of scanf wants, in order.
pub fn parse_scanf(units: &[u32]) -> Result<Vec<Want>, BadFormat> {
    let mut cursor = Cursor { units, pos: 0, start: 0 };
    let mut wants = Vec::new();
    while cursor.next_directive() {
        if cursor.eat('%') {
            continue;
        }
        let assigns = !cursor.eat('*');
        cursor.digits();
        cursor.no_position()?;
        if cursor.eat('m') {
            return Err(cursor
                .bad("`%m` allocates, which is not supported: read a line with getline instead"));
        }
        let length = cursor.length();
        let Some(conversion) = cursor.peek() else {
            return Err(cursor.bad("the format ends in the middle of a directive"));
        };
        cursor.pos += 1;
        let bits = length.int_bits();
        let kind = match (conversion, length) {
            ('d' | 'i' | 'n', _) => WantKind::IntPointer { bits, signed: true },
            ('o' | 'u' | 'x' | 'X', _) => WantKind::IntPointer { bits, signed: false },
            ('e' | 'E' | 'f' | 'F' | 'g' | 'G' | 'a' | 'A', _) => {
                WantKind::FloatPointer(match length {
                    Length::Long => FloatTy::F64,
                    Length::LongDouble => FloatTy::Long,
                    _ => FloatTy::F32,
                })
            }
            ('s' | 'c', Length::None) => WantKind::Buffer,
            ('[', Length::None) => {
                scan_set(&mut cursor)?;
                WantKind::Buffer
            }
            ('p', _) => {
                return Err(cursor.bad("`%p` would make a pointer out of text, which is not safe"));
            }
            ('s' | 'c' | '[', _) => return Err(cursor.unknown(conversion.to_ascii_uppercase())),
            _ => return Err(cursor.unknown(conversion)),
        };
        if assigns {
            wants.push(cursor.want(kind));
        }
    }
    Ok(wants)
}

/// The rest of `%[…]`; a `]` that comes first belongs to the set.
fn scan_set(cursor: &mut Cursor) -> Result<(), BadFormat> {
    cursor.eat('^');
    cursor.eat(']');
    while cursor.pos < cursor.units.len() {
        if cursor.eat(']') {
            return Ok(());
        }
        cursor.pos += 1;
    }
    Err(cursor.bad("`%[` has no closing `]`"))
}
