//! Names that mean one thing in Tenure and another in C, found when both are linked.
//!
//! A program's own function that is called as one of C's stands under another symbol (`own.getline`), so a unit in C
//! that calls it would get C's. And what a program calls as a function of a shared library takes that one's place
//! inside the library, which calls it at another type. Neither is seen by the linker; both are errors here.
//!
//! Which files refer to a symbol the linker says (`--trace-symbol`), since it knows which members of an archive it
//! takes. What a shared library defines stands in its table of dynamic symbols.

use crate::cc::Cc;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tenure_span::{Diagnostic, Span};

/// A definition of a unit in Tenure: its symbol, and where it stands.
pub(crate) type Definition<'n> = (&'n str, &'n str);

/// The names among definitions that are C's too.
pub(crate) fn own_names<'n>(definitions: &[Definition<'n>]) -> BTreeSet<&'n str> {
    let own = definitions.iter().map(|(symbol, _)| (symbol, tenure_core::without_own(symbol)));
    own.filter(|(symbol, name)| **symbol != *name).map(|(_, name)| name).collect()
}

/// What makes the linker say who refers to them.
pub(crate) fn tracing(names: &BTreeSet<&str>) -> Vec<String> {
    names.iter().map(|name| format!("-Wl,--trace-symbol={name}")).collect()
}

/// The file that a line of the linker's says refers to a name: `ld: PATH: reference to NAME`, with an archive's member
/// in parentheses.
fn reference<'s>(line: &'s str, names: &BTreeSet<&str>) -> Option<(&'s str, &'s str)> {
    let (before, name) = line.split_once(": reference to ")?;
    let path = before.rsplit_once(": ").map_or(before, |(_, path)| path);
    names.contains(name.trim()).then_some((path.trim(), name.trim()))
}

/// Whether a line is there because it was asked for.
pub(crate) fn is_trace(line: &str, names: &BTreeSet<&str>) -> bool {
    let asked =
        |sign: &str| line.rsplit_once(sign).is_some_and(|(_, name)| names.contains(name.trim()));
    ["reference to ", "definition of ", "lazy definition of "].into_iter().any(asked)
}

/// An error for each name that a file in C means as C's.
pub(crate) fn called_from_c(
    said: &str,
    definitions: &[Definition<'_>],
    is_in_c: impl Fn(&Path) -> bool,
) -> Vec<Diagnostic> {
    let names = own_names(definitions);
    let mut found: BTreeSet<(&str, &str)> = BTreeSet::new();
    for (path, name) in said.lines().filter_map(|line| reference(line, &names)) {
        let file = path.split_once('(').map_or(path, |(archive, _)| archive);
        if is_in_c(Path::new(file)) {
            found.insert((name, path));
        }
    }
    let places = |name: &str| {
        definitions.iter().find(|(symbol, _)| tenure_core::without_own(symbol) == name)
    };
    let error = |(name, path): (&str, &str)| {
        let shown = Path::new(path).file_name().map_or(path.into(), |name| name.to_string_lossy());
        let text = format!(
            "`{name}` is C's in `{shown}`, and a function or variable of the program's in Tenure"
        );
        let mut error = Diagnostic::error("E0911", text, Span::NONE);
        if let Some((_, place)) = places(name) {
            error = error.note(format!("the program's is defined at {place}"));
        }
        error.help("give the program's another name: what C defines cannot be replaced from here")
    };
    found.into_iter().map(error).collect()
}

/// An error for each definition whose name a shared library of the command line has for itself.
pub(crate) fn taken_from_library(
    library: &Path,
    definitions: &[Definition<'_>],
) -> Vec<Diagnostic> {
    let Ok(bytes) = std::fs::read(library) else { return Vec::new() };
    let defined = dynamic_symbols(&bytes).unwrap_or_default();
    let shown = library.file_name().map_or(String::new(), |name| name.to_string_lossy().into());
    let error = |(symbol, place): &Definition<'_>| {
        let text = format!("`{symbol}` would take the place of the one in `{shown}`");
        Diagnostic::error("E0911", text, Span::NONE)
            .note(format!("the program's is defined at {place}"))
            .help("give the program's another name, or make it `static`")
    };
    definitions.iter().filter(|(symbol, _)| defined.contains(symbol)).map(error).collect()
}

/// The shared libraries that `-l` names and no directory of the command line has.
pub(crate) fn system_libraries(cc: &Cc, command: &[String]) -> Vec<PathBuf> {
    // What they define is in the list of C's symbols.
    const KNOWN: &[&str] = &["c", "m", "pthread", "dl", "rt", "gc", "gcc_s", "util"];
    let names = command.iter().filter_map(|word| word.strip_prefix("-l"));
    let names =
        names.filter(|name| !name.is_empty() && !KNOWN.contains(name) && !name.starts_with(':'));
    let path = |name: &str| {
        let args = [format!("-print-file-name=lib{name}.so")];
        let output = cc.output(&args).ok()?;
        let path = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
        path.is_absolute().then_some(path)
    };
    names.filter_map(path).collect()
}

/// The names that a shared library in ELF for 64 bits, little-endian, defines for others. Nothing else is expected
/// here.
fn dynamic_symbols(bytes: &[u8]) -> Option<BTreeSet<&str>> {
    const DYNAMIC_SYMBOLS: u64 = 11;
    let number = |at: usize, size: usize| -> Option<u64> {
        let field = bytes.get(at..at.checked_add(size)?)?;
        Some(field.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte)))
    };
    if bytes.get(..6)? != b"\x7fELF\x02\x01" {
        return None;
    }
    let (table, size, count) =
        (number(0x28, 8)? as usize, number(0x3a, 2)? as usize, number(0x3c, 2)? as usize);
    let section = |n: usize| table.checked_add(n.checked_mul(size)?);
    let kind = |n: &usize| section(*n).and_then(|at| number(at + 4, 4)) == Some(DYNAMIC_SYMBOLS);
    let symbols = section((0..count).find(kind)?)?;
    let strings = section(number(symbols + 0x28, 4)? as usize)?;
    let text = number(strings + 0x18, 8)? as usize;
    let (start, length) =
        (number(symbols + 0x18, 8)? as usize, number(symbols + 0x20, 8)? as usize);
    let mut found = BTreeSet::new();
    for at in (start..start.checked_add(length)?).step_by(24) {
        let (name, section) = (number(at, 4)? as usize, number(at + 6, 2)?);
        let name = bytes.get(text.checked_add(name)?..)?;
        let end = name.iter().position(|&byte| byte == 0)?;
        if section != 0 {
            found.extend(std::str::from_utf8(&name[..end]).ok().filter(|name| !name.is_empty()));
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_linker_says_who_refers_to_a_name() {
        let names = BTreeSet::from(["getline"]);
        for (line, path) in [
            ("/usr/bin/ld: b.o: reference to getline", "b.o"),
            ("/usr/bin/ld: lib/libb.a(b.o): reference to getline", "lib/libb.a(b.o)"),
            ("trace-symbol: b.o: reference to getline", "b.o"),
            ("b.o: reference to getline", "b.o"),
        ] {
            assert_eq!(reference(line, &names), Some((path, "getline")));
            assert!(is_trace(line, &names));
        }
        assert!(is_trace("/usr/bin/ld: libc.so.6: definition of getline", &names));
        assert!(!is_trace("undefined reference to `getdelim'", &names));
    }

    #[test]
    fn a_text_has_no_dynamic_symbols() {
        assert_eq!(dynamic_symbols(b"/* GNU ld script */"), None);
        assert_eq!(dynamic_symbols(b"\x7fELF\x02\x01"), None);
    }
}
