//! Which parts of a preprocessed text have Cyclone 1.0's rules: files with `#pragma tenure cyclone1`, and with
//! `--cyclone1` every file of the program's own.

use crate::home::Home;
use std::collections::HashSet;
use tenure_span::{FileId, Span};

const PRAGMA: &str = "tenure cyclone1";

/// A stretch of text from one file.
struct Part<'t> {
    name: &'t str,
    system: bool,
    from: u32,
    to: u32,
    has_pragma: bool,
}

/// The parts in which a call consumes no argument unless the function says so.
pub(crate) fn cyclone1(home: &Home, text: &str, file: FileId, everywhere: bool) -> Vec<Span> {
    if !everywhere && !text.contains(PRAGMA) {
        return Vec::new();
    }
    let own = home.library_include().display().to_string();
    let parts = parts(text);
    let named: HashSet<&str> =
        parts.iter().filter(|part| part.has_pragma).map(|part| part.name).collect();
    (parts.iter())
        .filter(|part| {
            let library = part.system || part.name.starts_with(&own);
            everywhere && !library || named.contains(part.name)
        })
        .map(|part| Span::new(file, part.from, part.to))
        .collect()
}

fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut part = Part { name: "", system: false, from: 0, to: 0, has_pragma: false };
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let marker =
            line.strip_prefix("# ").filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        if let Some(rest) = marker {
            let flags = rest.rsplit_once('"').map_or("", |(_, flags)| flags);
            let name = rest.split('"').nth(1).unwrap_or("");
            let system = flags.split_whitespace().any(|flag| flag == "3");
            let next = Part { name, system, from: at, to: at, has_pragma: false };
            parts.push(Part { to: at, ..std::mem::replace(&mut part, next) });
        }
        let pragma = line.strip_prefix("#pragma").map(|rest| rest.split_whitespace());
        part.has_pragma |= pragma.is_some_and(|words| words.eq(PRAGMA.split(' ')));
        at += line.len() as u32;
    }
    parts.push(Part { to: at, ..part });
    parts
}
