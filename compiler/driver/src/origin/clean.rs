//! The library's headers as they are without a program's macros.
//!
//! A macro that is defined before a header of the library's is included would change what the header says, and what it
//! says is believed. So where one could, the header is preprocessed a second time by itself, and what it says there
//! takes the place of what the program made of it, line for line. Macros that only give functions of C's another name
//! are kept.
//!
//! Invariant: of a header that was disturbed, either each line is taken from the second reading, once, or the program
//! is rejected.

use super::{marker, Disturbance, Tampering};
use std::collections::{BTreeMap, HashMap, HashSet};

/// What the preprocessor is to read: each header that was disturbed, with the names that its functions have.
pub(crate) fn request(disturbed: &[Disturbance]) -> String {
    let mut input = String::new();
    let mut last: &[(String, String)] = &[];
    for header in disturbed {
        for (name, _) in last {
            input.push_str(&format!("#undef {name}\n"));
        }
        for (name, own) in &header.renames {
            input.push_str(&format!("#define {name} {own}\n"));
        }
        last = &header.renames;
        input.push_str(&format!("#include \"{}\"\n", header.file));
    }
    input
}

/// The lines of each header that say something, by their number. One that uses macros is in pieces, with markers
/// between them.
type Lines<'t> = HashMap<&'t str, BTreeMap<usize, String>>;

/// The program's text with the headers as they are by themselves. An error where that cannot be, or where the program
/// would choose which lines of a header are read: what is declared for another system has another layout.
pub(crate) fn restore(
    text: &str,
    clean: &str,
    disturbed: &[Disturbance],
) -> Result<String, Vec<Tampering>> {
    let mut lines: Lines<'_> =
        disturbed.iter().map(|header| (header.file.as_str(), BTreeMap::new())).collect();
    for part in parts(clean) {
        let Some(lines) = lines.get_mut(part.file) else { continue };
        for (number, line) in
            (part.first..).zip(part.lines).filter(|(_, line)| says_something(line))
        {
            let known = lines.entry(number).or_default();
            known.truncate(known.trim_end().len());
            known.push(' ');
            known.push_str(line);
        }
    }
    let silent: HashSet<&str> =
        lines.iter().filter(|(_, lines)| lines.is_empty()).map(|(file, _)| *file).collect();
    let (mut chosen, mut seen) = (HashSet::new(), HashSet::new());
    let mut out = String::with_capacity(text.len());
    for part in parts(text) {
        out.push_str(part.marker);
        let says = part.lines.iter().any(|line| says_something(line));
        let Some(lines) = lines.get_mut(part.file).filter(|_| says) else {
            part.lines.iter().for_each(|line| out.push_str(line));
            continue;
        };
        for (number, line) in (part.first..).zip(part.lines) {
            let clean = lines.remove(&number);
            if clean.is_some() != says_something(line) && !seen.contains(&(part.file, number)) {
                chosen.insert(part.file);
            }
            seen.insert((part.file, number));
            out.push_str(clean.as_deref().unwrap_or("\n"));
        }
    }
    let is_changed = |header: &&Disturbance| {
        let file = &header.file[..];
        let is_left = lines.get(file).is_none_or(|lines| !lines.is_empty());
        is_left || silent.contains(file) || header.is_asked && chosen.contains(file)
    };
    let mut changed: Vec<Tampering> =
        disturbed.iter().filter(is_changed).map(|header| header.by.clone()).collect();
    // A macro is refused once, however many headers ask for it.
    let mut places = HashSet::new();
    changed.retain(|by| places.insert((by.file.clone(), by.line)));
    if changed.is_empty() {
        Ok(out)
    } else {
        Err(changed)
    }
}

fn says_something(line: &str) -> bool {
    !line.trim().is_empty() && !line.starts_with('#')
}

/// What stands between two line markers.
struct Part<'t> {
    marker: &'t str,
    file: &'t str,
    first: usize,
    lines: Vec<&'t str>,
}

fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = vec![Part { marker: "", file: "", first: 1, lines: Vec::new() }];
    for line in text.split_inclusive('\n') {
        match marker(line) {
            Some(found) => {
                parts.push(Part {
                    marker: line,
                    file: found.file,
                    first: found.line,
                    lines: Vec::new(),
                });
            }
            None => parts.last_mut().into_iter().for_each(|part| part.lines.push(line)),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn disturbed() -> [Disturbance; 1] {
        let by = Tampering { file: "a.c".into(), line: 1, kind: super::super::Kind::Marker };
        [Disturbance {
            file: "/x.h".into(),
            renames: vec![("f".into(), "g".into())],
            is_asked: false,
            by,
        }]
    }

    #[test]
    fn a_header_is_asked_for_with_its_renamed_functions() {
        assert_eq!(request(&disturbed()), "#define f g\n#include \"/x.h\"\n");
    }

    #[test]
    fn a_header_says_what_it_says_by_itself() {
        let clean = "# 1 \"/x.h\" 1\nint a;\n\nint b;\n";
        let text =
            "# 1 \"a.c\"\nint x;\n# 1 \"/x.h\" 1\nlong a;\n\nint b;\n# 3 \"a.c\" 2\nint y;\n";
        let want = text.replace("long a", " int a").replace("int b", " int b");
        assert_eq!(restore(text, clean, &disturbed()), Ok(want));
    }

    #[test]
    fn a_line_in_pieces_is_put_together() {
        let clean = "# 1 \"/x.h\" 1\nint a\n# 1 \"/x.h\" 3\nb\n# 1 \"/x.h\"\n;\n";
        let text = "# 1 \"/x.h\" 1\nlong\n# 1 \"/x.h\" 3\nc;\n";
        let want = "# 1 \"/x.h\" 1\n int a b ;\n# 1 \"/x.h\" 3\n\n";
        assert_eq!(restore(text, clean, &disturbed()), Ok(want.to_string()));
    }

    #[test]
    fn a_header_of_which_a_part_is_not_read_is_refused() {
        let clean = "# 1 \"/x.h\" 1\nint a;\n# 20 \"/x.h\"\nint b;\n";
        let text = "# 1 \"/x.h\" 1\nint a;\n";
        assert!(restore(text, clean, &disturbed()).is_err());
        assert!(restore(text, "", &disturbed()).is_err());
    }
}
