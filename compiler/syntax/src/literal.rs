//! What the text of a constant means (C11 6.4.4, 6.4.5).

use crate::tree::{
    CharLit, Encoding, ExprKind, FloatLit, FloatN, FloatSize, IntBase, IntLit, IntSize,
};
use tenure_span::Symbol;

/// A number's tree node, or what is wrong with it.
pub fn number(text: &str) -> Result<ExprKind, String> {
    let lower = text.to_ascii_lowercase();
    let (base, digits) = match lower.as_bytes() {
        [b'0', b'x', ..] => (IntBase::Hex, &lower[2..]),
        [b'0', b'b', ..] => (IntBase::Binary, &lower[2..]),
        [b'0', _, ..] => (IntBase::Octal, &lower[1..]),
        _ => (IntBase::Decimal, &lower[..]),
    };
    let hex = base == IntBase::Hex;
    let is_float = digits.contains('.')
        || (hex && digits.contains('p'))
        || (!hex && base != IntBase::Binary && digits.contains('e'));
    if is_float {
        return float(text, &lower, hex);
    }
    let radix = match base {
        IntBase::Binary => 2,
        IntBase::Octal => 8,
        IntBase::Decimal => 10,
        IntBase::Hex => 16,
    };
    let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    if suffix.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(format!("the digit `{}` is not one of base {radix}", &suffix[..1]));
    }
    let (unsigned, size) = match suffix {
        "" => (false, IntSize::Plain),
        "u" => (true, IntSize::Plain),
        "l" => (false, IntSize::Long),
        "ul" | "lu" => (true, IntSize::Long),
        "ll" => (false, IntSize::LongLong),
        "ull" | "llu" => (true, IntSize::LongLong),
        "f" if base == IntBase::Decimal => return float(text, &lower, false),
        "i" | "j" => return float(text, &lower, hex),
        _ => return Err(format!("`{suffix}` is no suffix of an integer constant")),
    };
    if digits.is_empty() && matches!(base, IntBase::Hex | IntBase::Binary) {
        return Err("the digits are missing".into());
    }
    let value = if digits.is_empty() { Ok(0) } else { u64::from_str_radix(digits, radix) };
    match value {
        Ok(value) => Ok(ExprKind::Int(IntLit { value, unsigned, size, base })),
        Err(_) => Err("it does not fit in 64 bits".into()),
    }
}

fn float(text: &str, lower: &str, hex: bool) -> Result<ExprKind, String> {
    let exponent = if hex { 'p' } else { 'e' };
    let mantissa_end = lower.find(exponent).unwrap_or(lower.len());
    let is_digit = |c: char| if hex { c.is_ascii_hexdigit() } else { c.is_ascii_digit() };
    let mut end = if mantissa_end < lower.len() {
        let tail = &lower[mantissa_end + 1..];
        let sign = tail.starts_with(['+', '-']) as usize;
        let digits = tail[sign..].find(|c: char| !c.is_ascii_digit());
        let digits = digits.unwrap_or(tail.len() - sign);
        if digits == 0 {
            return Err("the exponent has no digits".into());
        }
        mantissa_end + 1 + sign + digits
    } else {
        let start = if hex { 2 } else { 0 };
        let rest = &lower[start..];
        start + rest.find(|c| !(is_digit(c) || c == '.')).unwrap_or(rest.len())
    };
    if hex && mantissa_end == lower.len() {
        return Err("a hexadecimal floating constant needs an exponent".into());
    }
    if hex {
        end = end.max(2);
    }
    let mut suffix = &lower[end..];
    let imaginary = suffix.ends_with(['i', 'j']);
    if imaginary {
        suffix = &suffix[..suffix.len() - 1];
    }
    let size = match suffix {
        "" => FloatSize::Double,
        "f" => FloatSize::Float,
        "l" => FloatSize::LongDouble,
        "f16" => FloatSize::FloatN(FloatN::F16),
        "f32" => FloatSize::FloatN(FloatN::F32),
        "f64" => FloatSize::FloatN(FloatN::F64),
        "f128" | "q" => FloatSize::FloatN(FloatN::F128),
        "f32x" => FloatSize::FloatN(FloatN::F32x),
        "f64x" => FloatSize::FloatN(FloatN::F64x),
        _ => return Err(format!("`{suffix}` is no suffix of a floating constant")),
    };
    let single = matches!(size, FloatSize::Float | FloatSize::FloatN(FloatN::F32));
    let value = match (hex, single) {
        (true, _) => hex_float(&lower[2..end], if single { SINGLE } else { DOUBLE }),
        (false, true) => lower[..end].parse::<f32>().ok().map(f64::from),
        (false, false) => lower[..end].parse().ok(),
    };
    let Some(value) = value else {
        return Err("it is no well-formed floating constant".into());
    };
    let text = Symbol::new(&text[..end]);
    Ok(ExprKind::Float(FloatLit { value, text, size, imaginary }))
}

/// How many bits a format's mantissa has, and the exponent of its least number.
type Format = (i64, i64);
const SINGLE: Format = (24, -149);
const DOUBLE: Format = (53, -1074);

/// `1.8p3` in base 16, rounded once to the nearest number of the format, ties to even.
fn hex_float(text: &str, format: Format) -> Option<f64> {
    let (mantissa, exponent) = text.split_once('p')?;
    let mut exponent: i64 = exponent.parse().unwrap_or(i64::from(i32::MAX)).clamp(-9999, 9999);
    let mut bits: u64 = 0;
    let mut sticky = false;
    let mut seen_dot = false;
    for c in mantissa.chars() {
        let Some(digit) = c.to_digit(16) else {
            if c != '.' || seen_dot {
                return None;
            }
            seen_dot = true;
            continue;
        };
        if bits >> 58 == 0 {
            bits = (bits << 4) | u64::from(digit);
            exponent -= if seen_dot { 4 } else { 0 };
        } else {
            sticky |= digit != 0;
            exponent += if seen_dot { 0 } else { 4 };
        }
    }
    // Digits below the 58 kept bits matter only as "there are more", which one low bit says.
    bits |= u64::from(sticky);
    let value = scale(bits, exponent, format);
    Some(if format == SINGLE { f64::from(value as f32) } else { value })
}

/// `bits * 2^exponent`, rounded once.
fn scale(bits: u64, exponent: i64, (digits, least): Format) -> f64 {
    if bits == 0 {
        return 0.0;
    }
    let width = 64 - i64::from(bits.leading_zeros());
    // The exponent of the last bit that the result can hold.
    let last = (exponent + width - digits).max(least);
    let shift = last - exponent;
    let rounded = if shift <= 0 {
        bits
    } else if shift > 63 {
        0
    } else {
        let half = 1u64 << (shift - 1);
        let low = bits & ((1u64 << shift) - 1);
        let high = bits >> shift;
        high + u64::from(low > half || (low == half && high & 1 == 1))
    };
    let power = if shift <= 0 { exponent } else { last };
    // Two steps: each factor is a power of two within range, and the product is exact.
    let first = power.clamp(-1000, 1000);
    rounded as f64 * 2f64.powi(first as i32) * 2f64.powi((power - first).clamp(-1000, 1000) as i32)
}

/// A literal's prefix and what stands between its quotes.
fn split(text: &str, quote: char) -> (Encoding, &str) {
    let open = text.find(quote).unwrap_or(0);
    let encoding = match &text[..open] {
        "L" => Encoding::Wide,
        "u" => Encoding::Utf16,
        "U" => Encoding::Utf32,
        "u8" => Encoding::Utf8,
        _ => Encoding::Plain,
    };
    let body = text.get(open + 1..).unwrap_or("");
    (encoding, body.strip_suffix(quote).unwrap_or(body))
}

/// C11 6.4.4.4. The text is what the lexer calls a character constant.
pub fn character(text: &str) -> Result<CharLit, String> {
    let (encoding, body) = split(text, '\'');
    let mut value: i64 = 0;
    let mut count = 0;
    let mut problem = None;
    units(body, |unit| {
        let unit = unit.unwrap_or_else(|error| {
            problem = Some(error);
            Unit::Code(0)
        });
        match (encoding, unit) {
            (Encoding::Plain | Encoding::Utf8, Unit::Char(c)) => {
                for &byte in c.encode_utf8(&mut [0; 4]).as_bytes() {
                    value = (value << 8) | i64::from(byte);
                    count += 1;
                }
            }
            (Encoding::Plain | Encoding::Utf8, Unit::Code(code)) => {
                if code > 0xff {
                    problem = Some("the escape does not fit in a char".into());
                }
                value = (value << 8) | i64::from(code & 0xff);
                count += 1;
            }
            (_, Unit::Char(c)) => {
                value = i64::from(u32::from(c));
                count += 1;
            }
            (_, Unit::Code(code)) => {
                value = i64::from(code);
                count += 1;
            }
        }
    });
    if let Some(problem) = problem {
        return Err(problem);
    }
    match count {
        0 => Err("it is empty".into()),
        // Plain char is signed on every target that is supported.
        1 if encoding == Encoding::Plain => {
            Ok(CharLit { value: value as u8 as i8 as i64, encoding })
        }
        1 => Ok(CharLit { value, encoding }),
        2..=4 if encoding == Encoding::Plain => {
            Ok(CharLit { value: value as i32 as i64, encoding })
        }
        _ => Err("it has too many characters".into()),
    }
}

/// The units of one string literal, appended to those of the literals before it.
pub struct StringUnits {
    pub encoding: Encoding,
    /// Bytes for plain and UTF-8 strings.
    pub units: Vec<u32>,
}

/// Appends a literal (C11 6.4.5p5: a prefix on one is a prefix on all). Characters are kept as
/// code points until the encoding of the whole is known.
pub fn string_encoding(text: &str) -> Encoding {
    split(text, '"').0
}

/// Appends the units of one literal, given the encoding of the whole.
pub fn string(text: &str, out: &mut StringUnits) -> Result<(), String> {
    let (_, body) = split(text, '"');
    let encoding = out.encoding;
    if !body.contains('\\') && matches!(encoding, Encoding::Plain | Encoding::Utf8) {
        out.units.extend(body.bytes().map(u32::from));
        return Ok(());
    }
    let mut problem = None;
    units(body, |unit| match unit {
        Err(error) => problem = Some(error),
        Ok(Unit::Char(c)) => match encoding {
            Encoding::Plain | Encoding::Utf8 => {
                let mut buffer = [0; 4];
                out.units.extend(c.encode_utf8(&mut buffer).bytes().map(u32::from));
            }
            Encoding::Utf16 => {
                let mut buffer = [0; 2];
                out.units.extend(c.encode_utf16(&mut buffer).iter().map(|&u| u32::from(u)));
            }
            Encoding::Utf32 | Encoding::Wide => out.units.push(u32::from(c)),
        },
        Ok(Unit::Code(code)) => {
            let limit = match encoding {
                Encoding::Plain | Encoding::Utf8 => 0xff,
                Encoding::Utf16 => 0xffff,
                Encoding::Utf32 | Encoding::Wide => u32::MAX,
            };
            if code > limit {
                problem = Some("the escape does not fit in a character of the string".into());
            }
            out.units.push(code & limit);
        }
    });
    problem.map_or(Ok(()), Err)
}

enum Unit {
    /// Written as itself or by `\u`, so encoded.
    Char(char),
    /// Written by number, so taken as it is.
    Code(u32),
}

fn units(body: &str, mut each: impl FnMut(Result<Unit, String>)) {
    let mut rest = body;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        if c != '\\' {
            each(Ok(Unit::Char(c)));
            continue;
        }
        let Some(escape) = rest.chars().next() else {
            each(Err("the escape is not complete".into()));
            return;
        };
        rest = &rest[escape.len_utf8()..];
        match escape {
            '\n' => {}
            '0'..='7' => {
                let mut code = escape as u32 - '0' as u32;
                for _ in 0..2 {
                    let Some(digit) = rest.chars().next().and_then(|c| c.to_digit(8)) else {
                        break;
                    };
                    code = code * 8 + digit;
                    rest = &rest[1..];
                }
                each(Ok(Unit::Code(code)));
            }
            'x' => {
                let length = rest.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(rest.len());
                let digits = &rest[..length];
                rest = &rest[length..];
                each(match u32::from_str_radix(digits, 16) {
                    Ok(code) => Ok(Unit::Code(code)),
                    Err(_) if digits.is_empty() => Err("`\\x` without a digit".into()),
                    Err(_) => Err("the escape does not fit in 32 bits".into()),
                });
            }
            'u' | 'U' => {
                let length = if escape == 'u' { 4 } else { 8 };
                let digits = rest.get(..length).unwrap_or("");
                let code = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
                rest = rest.get(length..).unwrap_or("");
                each(match code {
                    Some(c) => Ok(Unit::Char(c)),
                    None => Err(format!("`\\{escape}{digits}` names no character")),
                });
            }
            _ => each(match simple_escape(escape) {
                Some(code) => Ok(Unit::Code(code)),
                None => Err(format!("`\\{escape}` is no escape")),
            }),
        }
    }
}

fn simple_escape(escape: char) -> Option<u32> {
    Some(match escape {
        'n' => 10,
        't' => 9,
        'r' => 13,
        'a' => 7,
        'b' => 8,
        'f' => 12,
        'v' => 11,
        'e' => 27,
        '\\' | '\'' | '"' | '?' => u32::from(escape),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(text: &str) -> Option<(u64, bool, IntSize)> {
        match number(text) {
            Ok(ExprKind::Int(lit)) => Some((lit.value, lit.unsigned, lit.size)),
            _ => None,
        }
    }

    fn float_value(text: &str) -> Option<f64> {
        match number(text) {
            Ok(ExprKind::Float(lit)) => Some(lit.value),
            _ => None,
        }
    }

    #[test]
    fn integers_have_a_base_and_a_suffix() {
        assert_eq!(int("0"), Some((0, false, IntSize::Plain)));
        assert_eq!(int("0xFFul"), Some((255, true, IntSize::Long)));
        assert_eq!(int("0755"), Some((493, false, IntSize::Plain)));
        assert_eq!(int("0b101"), Some((5, false, IntSize::Plain)));
        assert_eq!(int("18446744073709551615LLU"), Some((u64::MAX, true, IntSize::LongLong)));
        for wrong in ["08", "18446744073709551616", "1abc", "0x", "12lul"] {
            assert!(number(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn floats_are_rounded_once() {
        assert_eq!(float_value("1.5"), Some(1.5));
        assert_eq!(float_value("1e3f"), Some(1000.0));
        assert_eq!(float_value(".5L"), Some(0.5));
        assert_eq!(float_value("0x1.8p3"), Some(12.0));
        assert_eq!(float_value("0x1p-1074"), Some(f64::from_bits(1)));
        assert_eq!(float_value("0x1.fffffffffffff8p1023"), Some(f64::INFINITY));
        assert_eq!(float_value("0x1.00000000000008p0"), Some(1.0));
        assert_eq!(float_value("0x1.000000000000080001p0"), Some(1.0 + f64::EPSILON));
        assert_eq!(float_value("1.f32"), Some(1.0));
        assert_eq!(float_value("09.5"), Some(9.5));
        for wrong in ["1e", "1.5q7", "0x1.8", "1.2.3"] {
            assert!(number(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn characters_have_the_value_of_c() {
        let value = |text| character(text).map(|lit| lit.value).ok();
        assert_eq!(value("'a'"), Some(97));
        assert_eq!(value(r"'\n'"), Some(10));
        assert_eq!(value(r"'\xff'"), Some(-1));
        assert_eq!(value(r"'\377'"), Some(-1));
        assert_eq!(value("L'é'"), Some(0xe9));
        assert_eq!(value("'ab'"), Some(0x6162));
        assert_eq!(value("''"), None);
        assert_eq!(value(r"'\q'"), None);
    }

    #[test]
    fn strings_have_their_escapes_resolved() {
        let units = |text: &str| {
            let mut out = StringUnits { encoding: string_encoding(text), units: Vec::new() };
            string(text, &mut out).map(|()| out.units)
        };
        assert_eq!(units(r#""a\tb\0c""#), Ok(vec![97, 9, 98, 0, 99]));
        assert_eq!(units(r#""\1234""#), Ok(vec![83, 52]));
        assert_eq!(units("\"é\""), Ok(vec![0xc3, 0xa9]));
        assert_eq!(units("L\"é\""), Ok(vec![0xe9]));
        assert_eq!(units("u\"\u{1f600}\""), Ok(vec![0xd83d, 0xde00]));
        assert!(units(r#""\x""#).is_err());
    }
}
