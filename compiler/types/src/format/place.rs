//! Where units of a string literal stand in the source, for messages: escapes are longer there, and one string may be
//! several literals.

use std::ops::Range;
use tenure_span::Span;

/// The part of `literal` that gives these units. The whole of it where they come from more than one literal, or
/// its text is not known.
pub fn place(source: &str, literal: Span, units: Range<usize>) -> Span {
    let text = source.get(literal.lo as usize..literal.hi as usize);
    match text.and_then(|text| part(text, &units)) {
        Some(part) => {
            Span::new(literal.file, literal.lo + part.start as u32, literal.lo + part.end as u32)
        }
        None => literal,
    }
}

fn part(text: &str, units: &Range<usize>) -> Option<Range<usize>> {
    let mut unit = 0;
    let mut at = 0;
    while at < text.len() {
        // Prefixes, blanks and line markers stand between literals; names of files in those are quoted too.
        at += text[at..].find(['"', '#'])?;
        if text[at..].starts_with('#') {
            at += text[at..].find('\n')?;
            continue;
        }
        at += 1;
        let mut start = None;
        while let Some(c) = text[at..].chars().next().filter(|&c| c != '"') {
            if unit == units.start {
                start = Some(at);
            }
            let (length, wide) = if c == '\\' { escape(&text[at..]) } else { own_length(c) };
            at += length;
            unit += wide;
            if unit >= units.end {
                return Some(start?..at);
            }
        }
        if unit > units.start {
            return None;
        }
        at += 1;
    }
    None
}

/// A character's bytes in the source, and its units.
fn own_length(c: char) -> (usize, usize) {
    (c.len_utf8(), c.len_utf8())
}

fn escape(text: &str) -> (usize, usize) {
    let digits = |from: usize, most: usize, radix: u32| {
        let rest = text.get(from..).unwrap_or("").chars().take(most);
        rest.take_while(|c| c.is_digit(radix)).count()
    };
    match text[1..].chars().next() {
        Some('0'..='7') => (1 + digits(1, 3, 8), 1),
        Some('x') => (2 + digits(2, usize::MAX, 16), 1),
        Some(kind @ ('u' | 'U')) => {
            let length = 2 + digits(2, if kind == 'u' { 4 } else { 8 }, 16);
            let code = u32::from_str_radix(&text[2..length], 16).ok();
            (length, code.and_then(char::from_u32).map_or(1, char::len_utf8))
        }
        Some(c) => (1 + c.len_utf8(), usize::from(c != '\n')),
        None => (1, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenure_span::FileId;

    fn at(text: &str, units: Range<usize>) -> &str {
        let whole = Span::new(FileId(0), 0, text.len() as u32);
        let part = place(text, whole, units);
        &text[part.lo as usize..part.hi as usize]
    }

    #[test]
    fn units_are_found_behind_escapes_and_in_later_literals() {
        assert_eq!(at(r#""%d %s""#, 3..5), "%s");
        assert_eq!(at(r#""\t\x41\101\u00e9é%s""#, 7..9), "%s");
        assert_eq!(at("\"ab\"\n# 3 \"x%s\"\n u8\"c%ld\"", 3..6), "%ld");
        assert_eq!(at(r#""\045d""#, 0..2), r"\045d");
        // From two literals, and behind the end.
        assert_eq!(at(r#""%" "ld""#, 0..3), r#""%" "ld""#);
        assert_eq!(at(r#""%d""#, 1..9), r#""%d""#);
    }
}
