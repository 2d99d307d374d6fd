//! Where the parts of a preprocessed text come from, and what of that is believed.
//!
//! What stands in a header of the system's or of the library's is believed, so a program must not put anything there.
//! Three ways lead there: a line marker that names such a header (`# 1 "/usr/include/x.h" 1 3`),
//! `#pragma GCC system_header` in a header of the program's, and a macro of a word that a header of the library's uses.
//! The first is rejected; the second has no effect, because a part counts as the system's only if its file is in a
//! directory of the system's; the third has none either, because a header that is entered while such a macro is defined
//! is read again without it (`clean`).
//!
//! The preprocessor is asked for the definitions of macros too (`-dD`); their lines are blank in what goes on.

mod clean;
mod words;

pub(crate) use clean::{request, restore};

use std::collections::{HashMap, HashSet};
use std::path::Path;
use words::{words_of, Bodies, Words};

/// The beginning of macros that say what the library's headers are read for.
const OURS: &str = "__TENURE";

/// How files are told apart.
pub(crate) struct Origins<'a> {
    /// The directory of the library's headers.
    pub(crate) library: &'a str,
    /// Those of the system's.
    pub(crate) system: &'a [String],
    /// The text was preprocessed before: its own line markers say where it comes from.
    pub(crate) is_preprocessed: bool,
    /// The path and the text of the file that is compiled.
    pub(crate) main: (&'a str, &'a str),
}

/// What a program does to what is believed, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Tampering {
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) kind: Kind,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A macro's name, and the header that has the word.
    Macro(String, String),
    Marker,
}

/// A header of the library's that a macro of the program's may have changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Disturbance {
    pub(crate) file: String,
    /// The macros that give functions of C's another name, and the names; also ours that chooses C's names.
    pub(crate) renames: Vec<(String, String)>,
    /// A conditional of the header's asks for a macro of the program's.
    pub(crate) is_asked: bool,
    /// One of the macros that may have changed it, one that is asked for before others.
    pub(crate) by: Tampering,
}

/// A text without the definitions of macros, with markers that can be believed.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Text {
    pub(crate) text: String,
    /// In the order in which they were read.
    pub(crate) disturbed: Vec<Disturbance>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    Program,
    Library,
    System,
}

struct Macro {
    file: String,
    line: usize,
    takes_arguments: bool,
    /// The name of the program's own that it gives to a function of C's, and does nothing else.
    renames: Option<String>,
}

struct Reader<'a> {
    origins: &'a Origins<'a>,
    out: String,
    file: String,
    line: usize,
    origin: Origin,
    active: HashMap<String, Macro>,
    /// What the macros of headers stand for.
    bodies: Bodies,
    /// Headers that were entered while a macro could change them, and have said nothing yet.
    pending: HashMap<String, Disturbance>,
    disturbed: Vec<Disturbance>,
    looked_at: HashSet<String>,
    /// A macro that is undefined may come back: pragmas that save and restore one leave no trace.
    restores: bool,
    found: Vec<Tampering>,
}

/// The text without definitions of macros, with markers that can be believed; or what the program does to them.
pub(crate) fn read(text: &str, origins: &Origins<'_>) -> Result<Text, Vec<Tampering>> {
    let mut reader = Reader {
        origins,
        out: String::with_capacity(text.len()),
        file: String::new(),
        line: 0,
        origin: Origin::Program,
        active: HashMap::new(),
        bodies: HashMap::new(),
        pending: HashMap::new(),
        disturbed: Vec::new(),
        looked_at: HashSet::new(),
        restores: false,
        found: Vec::new(),
    };
    for line in text.split_inclusive('\n') {
        reader.line(line);
    }
    match reader.found.is_empty() {
        true => Ok(Text { text: reader.out, disturbed: reader.disturbed }),
        false => Err(reader.found),
    }
}

impl Reader<'_> {
    fn line(&mut self, line: &str) {
        if let Some(marker) = marker(line) {
            self.marker(line, &marker);
            return;
        }
        if let Some(definition) = line.strip_prefix("#define ") {
            self.define(definition);
            self.out.push('\n');
        } else if let Some(name) = line.strip_prefix("#undef ") {
            self.undefine(name.trim());
            self.out.push('\n');
        } else {
            self.restores |= line.starts_with("#pragma") && line.contains("_macro");
            if self.origin == Origin::Library && !line.trim().is_empty() {
                self.disturbed.extend(self.pending.remove(&self.file));
            }
            self.out.push_str(line);
        }
        self.line += 1;
    }

    fn define(&mut self, definition: &str) {
        let end = definition.find(|c: char| !(c.is_alphanumeric() || c == '_'));
        let (name, rest) = definition.split_at(end.unwrap_or(definition.len()));
        let takes_arguments = rest.starts_with('(');
        let body = rest.trim();
        let is_word = body.chars().all(|c| c.is_alphanumeric() || c == '_') && !body.is_empty();
        let own = is_word
            && !tenure_core::is_reserved_symbol(body)
            && !body.starts_with(char::is_numeric);
        let renames = own && tenure_core::is_reserved_symbol(name) && !name.starts_with('_');
        if self.origin == Origin::Program {
            self.activate(name, takes_arguments, renames.then(|| body.to_string()));
            return;
        }
        // What a header defines itself stands for what the program had, until that is restored.
        if !self.restores {
            self.active.remove(name);
        }
        let words = words_of(body).map(|(word, is_called)| (word.to_string(), is_called));
        self.bodies.insert(name.to_string(), words.collect());
    }

    fn activate(&mut self, name: &str, takes_arguments: bool, renames: Option<String>) {
        let (file, line) = (self.file.clone(), self.line);
        self.active.insert(name.to_string(), Macro { file, line, takes_arguments, renames });
    }

    fn undefine(&mut self, name: &str) {
        let is_headers = self.bodies.contains_key(name);
        if self.origin == Origin::Program && is_headers {
            // A header may ask for it.
            self.activate(name, false, None);
        } else if !self.restores {
            self.active.remove(name);
        }
        if self.origin != Origin::Program {
            self.bodies.remove(name);
        }
    }

    fn marker(&mut self, text: &str, marker: &Marker<'_>) {
        self.file = marker.file.to_string();
        self.line = marker.line;
        self.origin = self.origin_of(marker.file);
        let claims = marker.flags.split_whitespace().any(|flag| flag == "3");
        if claims && self.origin == Origin::Program {
            self.out.push_str(&text.replacen(marker.flags, &marker.flags.replacen('3', " ", 1), 1));
        } else {
            self.out.push_str(text);
        }
        match self.origin {
            Origin::Library if !marker.flags.trim().is_empty() => self.compare(),
            Origin::Program => self.look_at_file(),
            _ => {}
        }
    }

    fn origin_of(&self, file: &str) -> Origin {
        let within = |dir: &str| file.strip_prefix(dir).is_some_and(|rest| rest.starts_with('/'));
        if within(self.origins.library) {
            Origin::Library
        } else if file == "<built-in>" || self.origins.system.iter().any(|dir| within(dir)) {
            Origin::System
        } else {
            Origin::Program
        }
    }

    /// A header of the library's begins or goes on: what it says from here on is disturbed if one of its words is a
    /// macro of the program's.
    fn compare(&mut self) {
        self.pending.remove(&self.file);
        let is_read_again = self.disturbed.iter().any(|header| header.file == self.file);
        if is_read_again || self.active.keys().all(|name| name.starts_with(OURS)) {
            return;
        }
        let mut words = Words::default();
        words.add(&std::fs::read_to_string(&self.file).unwrap_or_default());
        words.follow(&self.bodies);
        let own = |name: &str, found: &Macro| {
            let own = found.renames.clone().filter(|_| !words.link(name));
            own.or_else(|| name.starts_with(OURS).then(|| "1".to_string()))
        };
        let hits = self.active.iter().filter(|(name, found)| {
            own(name, found).is_none() && words.have(name, found.takes_arguments)
        });
        let by = hits.max_by_key(|(name, _)| (words.test(name), *name));
        let Some((name, found)) = by else { return };
        let kind = Kind::Macro(name.clone(), self.file.clone());
        let by = Tampering { file: found.file.clone(), line: found.line, kind };
        let own = |(name, found): (&String, &Macro)| Some((name.clone(), own(name, found)?));
        let mut renames: Vec<(String, String)> = self.active.iter().filter_map(own).collect();
        renames.sort();
        let (file, is_asked) = (self.file.clone(), words.test(name));
        self.pending.insert(file.clone(), Disturbance { file, renames, is_asked, by });
    }

    /// A file of the program's has no line marker that speaks of the system.
    fn look_at_file(&mut self) {
        if self.file.starts_with('<') || !self.looked_at.insert(self.file.clone()) {
            return;
        }
        let file = self.file.clone();
        let (main, text) = self.origins.main;
        if file == main {
            self.look_at(&file, text);
        } else if let Ok(text) = crate::world::read_text(Path::new(&file)) {
            self.look_at(&file, &text);
        }
    }

    fn look_at(&mut self, file: &str, text: &str) {
        self.restores |= ["push_macro", "_Pragma"].iter().any(|word| text.contains(word));
        if !self.origins.is_preprocessed {
            for line in forged(text) {
                self.found.push(Tampering { file: file.to_string(), line, kind: Kind::Marker });
            }
        }
    }
}

struct Marker<'t> {
    line: usize,
    file: &'t str,
    flags: &'t str,
}

/// `# 12 "file" 1 3`.
fn marker(line: &str) -> Option<Marker<'_>> {
    let rest = line.strip_prefix("# ")?;
    let (number, rest) = rest.split_once(" \"")?;
    let (file, flags) = rest.rsplit_once('"')?;
    Some(Marker { line: number.parse().ok()?, file, flags })
}

/// The lines, from 1, of markers that say that what follows is the system's.
pub(crate) fn forged(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut logical = String::new();
    let mut first = 1;
    for (number, line) in (1..).zip(text.lines()) {
        if logical.is_empty() {
            first = number;
        }
        let spliced = line.trim_end().strip_suffix('\\');
        logical.push_str(spliced.unwrap_or(line));
        if spliced.is_some() {
            continue;
        }
        if is_forged(&logical) {
            found.push(first);
        }
        logical.clear();
    }
    if is_forged(&logical) {
        found.push(first);
    }
    found
}

fn is_forged(line: &str) -> bool {
    ["#", "%:", "??="].iter().any(|sign| {
        let Some((before, after)) = line.split_once(sign) else { return false };
        let begins = before.trim().is_empty() || before.trim_end().ends_with("*/");
        let mut rest = after.trim_start();
        while let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.split_once("*/").map_or("", |(_, rest)| rest).trim_start();
        }
        let numbered = rest.starts_with(|c: char| c.is_ascii_digit());
        let flags = rest.rsplit_once('"').map_or("", |(_, flags)| flags);
        begins && numbered && flags.contains('3')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_that_speak_of_the_system_are_found() {
        assert_eq!(forged("int x;\n# 1 \"/usr/include/x.h\" 1 3\n"), [2]);
        assert_eq!(forged("/* a */ %: /* b */ 1 \"x\" 3 4\n#\\\n1 \"x\" 3"), [1, 2]);
        assert!(forged("#line 3 \"x\"\n# 1 \"x.y\"\n#include \"3\"\nchar *s = \"# 1\"; /* 3 */")
            .is_empty());
    }

    #[test]
    fn a_header_in_no_directory_of_the_systems_is_the_programs() {
        let system = ["/usr/include".to_string()];
        let origins = Origins {
            library: "/lib/include",
            system: &system,
            main: ("", ""),
            is_preprocessed: true,
        };
        let text = "# 1 \"x.h\" 1 3\nint a;\n# 1 \"/usr/include/y.h\" 1 3 4\n#define a b\nint b;\n";
        let want = "# 1 \"x.h\" 1  \nint a;\n# 1 \"/usr/include/y.h\" 1 3 4\n\nint b;\n";
        let want = Text { text: want.to_string(), disturbed: Vec::new() };
        assert_eq!(read(text, &origins), Ok(want));
    }
}
