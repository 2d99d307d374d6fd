//! Constants, spelled so that any text may follow them.

use super::Printer;
use crate::tree::{
    CharLit, Encoding, FloatLit, FloatN, FloatSize, IntBase, IntLit, IntSize, StrLit, StrUnits,
};
use std::fmt::Write as _;

impl Printer {
    pub(super) fn int(&mut self, int: IntLit) {
        let value = int.value;
        let digits = match int.base {
            IntBase::Binary => format!("0b{value:b}"),
            IntBase::Octal => format!("0{value:o}"),
            IntBase::Decimal => value.to_string(),
            IntBase::Hex => format!("0x{value:x}"),
        };
        self.word(&digits);
        self.word(if int.unsigned { "u" } else { "" });
        self.word(match int.size {
            IntSize::Plain => "",
            IntSize::Long => "l",
            IntSize::LongLong => "ll",
        });
    }

    pub(super) fn float(&mut self, float: FloatLit) {
        self.word(float.text.as_str());
        self.word(match float.size {
            FloatSize::Float => "f",
            FloatSize::Double => "",
            FloatSize::LongDouble => "l",
            FloatSize::FloatN(FloatN::F16) => "f16",
            FloatSize::FloatN(FloatN::F32) => "f32",
            FloatSize::FloatN(FloatN::F64) => "f64",
            FloatSize::FloatN(FloatN::F128) => "f128",
            FloatSize::FloatN(FloatN::F32x) => "f32x",
            FloatSize::FloatN(FloatN::F64x) => "f64x",
        });
        self.word(if float.imaginary { "i" } else { "" });
    }

    pub(super) fn character(&mut self, literal: CharLit) {
        self.word(prefix(literal.encoding));
        self.word("'");
        if literal.encoding == Encoding::Plain {
            let bytes = (literal.value as u32).to_be_bytes();
            let single = (-128..256).contains(&literal.value);
            let first = bytes.iter().position(|&byte| byte != 0).unwrap_or(3);
            for &byte in if single { &bytes[3..] } else { &bytes[first..] } {
                self.byte(byte, b'\'');
            }
        } else {
            match char::from_u32(literal.value as u32) {
                Some(c) if c.is_ascii() => self.byte(c as u8, b'\''),
                Some(c) => self.out.push(c),
                None => {
                    let _ = write!(self.out, "\\x{:x}", literal.value as u32);
                }
            }
        }
        self.word("'");
    }

    fn byte(&mut self, byte: u8, quote: u8) {
        match byte {
            b'\n' => self.word("\\n"),
            b'\t' => self.word("\\t"),
            b'\\' => self.word("\\\\"),
            _ if byte == quote => {
                self.out.push('\\');
                self.out.push(char::from(byte));
            }
            b' '..=b'~' => self.out.push(char::from(byte)),
            // Three digits: no digit that follows can be taken for a fourth.
            _ => {
                let _ = write!(self.out, "\\{byte:03o}");
            }
        }
    }

    pub(super) fn string(&mut self, literal: &StrLit) {
        self.word(prefix(literal.encoding));
        self.word("\"");
        match &literal.units {
            StrUnits::Bytes(bytes) => {
                for &byte in bytes {
                    self.byte(byte, b'"');
                }
            }
            StrUnits::Wide(units) => self.wide_units(literal.encoding, units),
        }
        self.word("\"");
    }

    fn wide_units(&mut self, encoding: Encoding, units: &[u32]) {
        let mut rest = units;
        while let [unit, tail @ ..] = rest {
            rest = tail;
            if let (0xd800..=0xdbff, Some(low @ 0xdc00..=0xdfff)) = (unit, tail.first()) {
                if encoding == Encoding::Utf16 {
                    let code = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
                    let _ = write!(self.out, "\\U{code:08x}");
                    rest = &tail[1..];
                    continue;
                }
            }
            match char::from_u32(*unit) {
                Some(c) if c.is_ascii() => self.byte(c as u8, b'"'),
                Some(_) if encoding != Encoding::Utf16 || *unit < 0x10000 => {
                    let _ = write!(self.out, "\\U{unit:08x}");
                }
                // A new literal, so that no digit is taken for one of the escape's.
                _ => {
                    let _ = write!(self.out, "\\x{unit:x}\" {}\"", prefix(encoding));
                }
            }
        }
    }
}

fn prefix(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Plain => "",
        Encoding::Utf8 => "u8",
        Encoding::Utf16 => "u",
        Encoding::Utf32 => "U",
        Encoding::Wide => "L",
    }
}
