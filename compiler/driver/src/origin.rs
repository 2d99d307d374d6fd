//! Where the parts of a preprocessed text come from, and what of that is believed.
//!
//! What stands in a header of the system's or of the library's is believed, so a program must not put anything there. Three ways lead there:
//! a line marker that names such a header (`# 1 "/usr/include/x.h" 1 3`), `#pragma GCC system_header` in a header of the program's, and a macro
//! of a word that a header of the library's uses. The first is rejected; the second has no effect, because a part counts as the system's
//! only if its file is in a directory of the system's; the third is rejected where the header is entered while such a macro is defined.
//!
//! The preprocessor is asked for the definitions of macros too (`-dD`); their lines are blank in what goes on.

use std::collections::{HashMap, HashSet};
use std::path::Path;

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
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Tampering {
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) kind: Kind,
}

#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A macro's name, and the header that has the word.
    Macro(String, String),
    Marker,
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
    /// It only gives a function of C's a name of the program's own.
    renames: bool,
}

/// The words of a header that a macro would replace, and those among them that an opening parenthesis follows.
#[derive(Default)]
struct Words {
    all: HashSet<String>,
    called: HashSet<String>,
}

struct Reader<'a> {
    origins: &'a Origins<'a>,
    out: String,
    file: String,
    line: usize,
    origin: Origin,
    active: HashMap<String, Macro>,
    words: HashMap<String, Words>,
    looked_at: HashSet<String>,
    /// A macro that is undefined may come back: pragmas that save and restore one leave no trace.
    restores: bool,
    found: Vec<Tampering>,
}

/// The text without definitions of macros, with markers that can be believed; or what the program does to them.
pub(crate) fn read(text: &str, origins: &Origins<'_>) -> Result<String, Vec<Tampering>> {
    let mut reader = Reader {
        origins,
        out: String::with_capacity(text.len()),
        file: String::new(),
        line: 0,
        origin: Origin::Program,
        active: HashMap::new(),
        words: HashMap::new(),
        looked_at: HashSet::new(),
        restores: false,
        found: Vec::new(),
    };
    for line in text.split_inclusive('\n') {
        reader.line(line);
    }
    match reader.found.is_empty() {
        true => Ok(reader.out),
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
            if !self.restores {
                self.active.remove(name.trim());
            }
            self.out.push('\n');
        } else {
            self.out.push_str(line);
        }
        self.line += 1;
    }

    fn define(&mut self, definition: &str) {
        let end = definition.find(|c: char| !(c.is_alphanumeric() || c == '_'));
        let (name, rest) = definition.split_at(end.unwrap_or(definition.len()));
        let body = rest.trim();
        let is_word = body.chars().all(|c| c.is_alphanumeric() || c == '_') && !body.is_empty();
        let own = is_word
            && !tenure_core::is_reserved_symbol(body)
            && !body.starts_with(char::is_numeric);
        let renames = own && tenure_core::is_reserved_symbol(name) && !name.starts_with('_');
        self.activate(name, rest.starts_with('('), renames);
    }

    fn activate(&mut self, name: &str, takes_arguments: bool, renames: bool) {
        match self.origin {
            Origin::Program => {
                let (file, line) = (self.file.clone(), self.line);
                self.active
                    .insert(name.to_string(), Macro { file, line, takes_arguments, renames });
            }
            // What a header defines itself stands for what the program had.
            Origin::Library | Origin::System => {
                self.active.remove(name);
            }
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

    /// A header of the library's begins or goes on: none of its words may be a macro of the program's.
    fn compare(&mut self) {
        if self.active.keys().all(|name| name.starts_with("__TENURE")) {
            return;
        }
        let file = self.file.clone();
        if !self.words.contains_key(&file) {
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            // Any header may use this one's macros.
            let link = std::fs::read_to_string(format!("{}/tn/link.h", self.origins.library));
            let mut words = Words::default();
            words.add(&text);
            words.add(&link.unwrap_or_default());
            self.words.insert(file.clone(), words);
        }
        let Some(words) = self.words.get(&file) else { return };
        let mut hit: Vec<&String> = Vec::new();
        for (name, found) in &self.active {
            let set = if found.takes_arguments { &words.called } else { &words.all };
            if !found.renames && set.contains(name) {
                hit.push(name);
            }
        }
        let hit: Vec<String> = hit.into_iter().cloned().collect();
        for name in hit {
            if let Some(found) = self.active.remove(&name) {
                let kind = Kind::Macro(name, file.clone());
                self.found.push(Tampering { file: found.file, line: found.line, kind });
            }
        }
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

impl Words {
    /// The words of a header outside of comments, literals and directives, and those that its macros stand for.
    fn add(&mut self, text: &str) {
        let text = without_comments(text);
        let mut continued = false;
        for line in text.lines() {
            let directive = line.trim_start().strip_prefix('#');
            let goes_on = line.trim_end().ends_with('\\');
            if directive.is_none() || continued {
                self.line(line);
            } else if let Some(body) = directive.and_then(body_of_definition) {
                self.line(body);
            }
            continued = goes_on && (continued || directive.is_some());
        }
    }

    fn line(&mut self, line: &str) {
        let mut rest = line;
        while let Some(start) = rest.find(|c: char| c.is_alphabetic() || c == '_') {
            let word = &rest[start..];
            let end = word.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(word.len());
            let (word, after) = word.split_at(end);
            self.all.insert(word.to_string());
            if after.trim_start().starts_with('(') {
                self.called.insert(word.to_string());
            }
            rest = after;
        }
    }
}

fn body_of_definition(directive: &str) -> Option<&str> {
    let rest = directive.trim_start().strip_prefix("define")?.trim_start();
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'))?;
    let body = &rest[end..];
    Some(match body.strip_prefix('(') {
        Some(parameters) => parameters.split_once(')').map_or("", |(_, body)| body),
        None => body,
    })
}

fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("/*") {
        out.push_str(&rest[..start]);
        let comment = &rest[start..];
        let end = comment.find("*/").map_or(comment.len(), |end| end + 2);
        out.extend(comment[..end].chars().filter(|c| *c == '\n'));
        rest = &comment[end..];
    }
    out.push_str(rest);
    out
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
        assert_eq!(read(text, &origins), Ok(want.to_string()));
    }
}
