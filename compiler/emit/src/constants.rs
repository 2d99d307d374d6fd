//! C's spelling of numbers, characters and strings.

use tenure_core::{FloatTy, IntTy};

/// A string literal of bytes, with its quotes.
pub(crate) fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for byte in text.bytes() {
        escape(&mut out, u32::from(byte));
    }
    out.push('"');
    out
}

/// A string literal of code units of the given size; `wide` says which of L and U a four-byte one is.
pub(crate) fn string_literal(units: &[u32], unit_size: u8, wide: bool) -> String {
    let mut out = String::with_capacity(units.len() + 3);
    out.push_str(match (unit_size, wide) {
        (2, _) => "u",
        (4, true) => "L",
        (4, false) => "U",
        _ => "",
    });
    out.push('"');
    for &unit in units {
        if unit_size == 1 {
            escape(&mut out, unit & 0xff);
        } else if unit < 0x80 {
            escape(&mut out, unit);
        } else {
            // A hexadecimal escape takes all digits that follow: close and reopen.
            out.push_str(&format!("\\x{unit:x}"));
            out.push_str("\" ");
            out.push_str(match (unit_size, wide) {
                (2, _) => "u\"",
                (_, true) => "L\"",
                (_, false) => "U\"",
            });
        }
    }
    out.push('"');
    out
}

/// One unit below 256. Always three octal digits, so that a digit may follow.
fn escape(out: &mut String, unit: u32) {
    match char::from_u32(unit) {
        Some('"') => out.push_str("\\\""),
        Some('\\') => out.push_str("\\\\"),
        Some('\n') => out.push_str("\\n"),
        Some('\t') => out.push_str("\\t"),
        // No trigraph arises.
        Some('?') if out.ends_with('?') => out.push_str("\\?"),
        Some(c @ ' '..='~') => out.push(c),
        _ => out.push_str(&format!("\\{unit:03o}")),
    }
}

/// A character constant, for a value that prints as itself.
pub(crate) fn char_constant(value: i128) -> Option<String> {
    Some(match u8::try_from(value).ok()? {
        b'\'' => "'\\''".to_string(),
        b'\\' => "'\\\\'".to_string(),
        b'\n' => "'\\n'".to_string(),
        b'\t' => "'\\t'".to_string(),
        0 => "'\\0'".to_string(),
        byte @ b' '..=b'~' => format!("'{}'", byte as char),
        _ => return None,
    })
}

/// An integer constant of the type; the flag says that it is no primary expression.
pub(crate) fn integer(value: i128, int: IntTy) -> (String, bool) {
    let value = int.wrap(value);
    let suffix = match int {
        IntTy::UInt => "u",
        IntTy::Long => "L",
        IntTy::ULong => "UL",
        IntTy::LLong => "LL",
        IntTy::ULLong => "ULL",
        IntTy::I128 | IntTy::U128 => return wide_integer(value, int),
        _ => "",
    };
    let lowest = match int {
        IntTy::Int => i128::from(i32::MIN),
        IntTy::Long | IntTy::LLong => i128::from(i64::MIN),
        _ => return (format!("{value}{suffix}"), value < 0),
    };
    if value == lowest {
        return (format!("(-{}{suffix} - 1)", -(value + 1)), false);
    }
    (format!("{value}{suffix}"), value < 0)
}

/// C has no constants of 128 bits: they are put together from two halves.
fn wide_integer(value: i128, int: IntTy) -> (String, bool) {
    let name = if int == IntTy::I128 { "__int128" } else { "unsigned __int128" };
    if let Ok(small) = u64::try_from(value) {
        return (format!("(({name}){small}UL)"), false);
    }
    let (high, low) = ((value as u128 >> 64) as u64, value as u64);
    (format!("(({name})((unsigned __int128){high}UL << 64 | {low}UL))"), false)
}

/// A floating constant; the flag says that it is no primary expression.
pub(crate) fn float(bits: u64, ty: FloatTy) -> (String, bool) {
    let value = f64::from_bits(bits);
    let suffix = match ty {
        FloatTy::F32 => "f",
        FloatTy::F64 => "",
        FloatTy::Long => "l",
    };
    let negative = value.is_sign_negative();
    let text = if value.is_nan() {
        format!("__builtin_nan{suffix}(\"\")")
    } else if value.is_infinite() {
        format!("__builtin_inf{suffix}()")
    } else if ty == FloatTy::F32 {
        format!("{:?}f", (value as f32).abs())
    } else {
        format!("{:?}{}", value.abs(), if ty == FloatTy::Long { "L" } else { "" })
    };
    if negative && !value.is_nan() {
        (format!("-{text}"), true)
    } else {
        (text, false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_survive_quotes_control_characters_digits_and_trigraphs() {
        assert_eq!(quote("a\"b\\c\n"), r#""a\"b\\c\n""#);
        assert_eq!(string_literal(&[1, 0x31, 200], 1, false), r#""\0011\310""#);
        assert_eq!(quote("what??!"), r#""what?\?!""#);
        assert_eq!(string_literal(&[0x3b1, 0x61], 4, true), "L\"\\x3b1\" L\"a\"");
    }

    #[test]
    fn integers_have_their_type_and_the_lowest_is_an_expression() {
        assert_eq!(integer(5, IntTy::ULong).0, "5UL");
        assert_eq!(integer(-1, IntTy::UInt).0, "4294967295u");
        assert_eq!(integer(i128::from(i32::MIN), IntTy::Int).0, "(-2147483647 - 1)");
        assert_eq!(integer(300, IntTy::UChar).0, "44");
        assert_eq!(integer(-1, IntTy::U128).0.matches("18446744073709551615UL").count(), 2);
    }

    #[test]
    fn floats_read_back_as_the_same_value() {
        assert_eq!(float(0.1f64.to_bits(), FloatTy::F64).0, "0.1");
        assert_eq!(float(1e300f64.to_bits(), FloatTy::F64).0, "1e300");
        assert_eq!(float((0.1f32 as f64).to_bits(), FloatTy::F32).0, "0.1f");
        assert_eq!(float((-0.0f64).to_bits(), FloatTy::F64), ("-0.0".into(), true));
        assert_eq!(float(f64::INFINITY.to_bits(), FloatTy::F32).0, "__builtin_inff()");
    }
}
