//! Linking, and what is said when units do not agree about the type of what they share.
//!
//! The linker finds it out: a unit that uses a symbol refers to a second one, `tn.type$SYMBOL$TYPE`, which only a unit
//! that defines the symbol at that type has. And a unit that knows what is in a shared struct defines and uses a third
//! one, `tn.contents$struct$NAME$CONTENTS`, in a group of which one is kept for each struct. Notes in the object files
//! say where in the sources either stands.

use crate::clash;
use crate::link::Failed;
use crate::settings::Settings;
use crate::world::{Disk, World};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tenure_span::{Diagnostic, SourceMap, Span};

const TYPE: &str = "tn.type$";
const CONTENTS: &str = "tn.contents$";
const NOTE: &[u8] = b"tenure-type: ";

/// Runs cc to link; its messages about markers are replaced by ones about the program.
pub(crate) fn link(world: &Disk, command: &[String], settings: &Settings) -> Result<(), Failed> {
    let inputs = inputs(command);
    let defined = notes(&inputs);
    let definitions = definitions(&defined);
    let names = clash::own_names(&definitions);
    let traced: Vec<String> = command.iter().cloned().chain(clash::tracing(&names)).collect();
    let output = world.cc.output(&traced)?;
    let [printed, said] =
        [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    let traces = format!("{printed}\n{said}");
    let asked = |line: &&str| !clash::is_trace(line, &names);
    crate::run::print(&printed.split_inclusive('\n').filter(asked).collect::<String>());
    let said: String = said.split_inclusive('\n').filter(asked).collect();
    let missing = missing(&said);
    if output.status.success() {
        crate::run::say(&said);
        let is_in_c = |path: &Path| inputs.iter().any(|input| input == path) && is_in_c(path);
        let mut errors = clash::called_from_c(&traces, &definitions, is_in_c);
        let libraries =
            shared(&inputs).into_iter().chain(clash::system_libraries(&world.cc, command));
        errors.extend(taken_from_libraries(&libraries.collect::<Vec<_>>(), &defined));
        if !errors.is_empty() {
            return Err(no_program(world, command, &errors, settings));
        }
        return agrees_with_libraries(world, command, settings);
    }
    let no_main = said.lines().any(is_about_main);
    if missing.is_empty() && !no_main {
        crate::run::say(&said);
        let is_ours = ["undefined reference", "undefined symbol", "multiple definition"];
        return Err(match is_ours.iter().any(|text| said.contains(text)) {
            true => Failed::Reported,
            false => Failed::System("the program could not be linked".to_string()),
        });
    }
    let about_others = said.lines().filter(|line| is_error(line) && !is_about_main(line));
    let said_better = |line: &&str| missing.iter().any(|wanted| wanted.is_meant_by(line));
    let about_others: Vec<&str> = about_others.filter(|line| !said_better(line)).collect();
    if !about_others.is_empty() {
        crate::run::say(&format!("{}\n", about_others.join("\n")));
    }
    let mut errors: Vec<Diagnostic> = missing.iter().map(|wanted| wanted.error(&defined)).collect();
    if no_main {
        let error = Diagnostic::error("E0908", "the program has no `main`", Span::NONE);
        errors.push(
            error.help("a program begins at `int main(void)` or `int main(int argc, char ??argv)`"),
        );
    }
    world.report(&errors, &SourceMap::default(), settings);
    Err(Failed::Reported)
}

/// What the linker says where the C library's start-up code finds nothing to call.
fn is_about_main(line: &str) -> bool {
    let named = ["`main'", "'main'", "undefined symbol: main"];
    line.contains("undefined") && named.iter().any(|name| line.contains(name))
}

/// A line of the linker's that says more than that there was an error, or where.
fn is_error(line: &str) -> bool {
    let summary = ["collect2:", "clang:", "clang++:", "lto-wrapper:", "compilation terminated."]
        .iter()
        .any(|word| line.starts_with(word));
    let is_marker = line.contains(TYPE) || line.contains(CONTENTS);
    let is_where = line.ends_with(':') || line.contains(": in function `");
    !summary && !is_marker && !is_where && !line.ends_with("error: lto-wrapper failed")
}

/// A shared library has groups of its own, which the linker does not compare with the program's.
fn agrees_with_libraries(
    world: &Disk,
    command: &[String],
    settings: &Settings,
) -> Result<(), Failed> {
    let mut notes = notes(&shared(&inputs(command)));
    let output = command.iter().rposition(|word| word == "-o").and_then(|at| command.get(at + 1));
    if let (false, Some(output)) = (notes.is_empty(), output) {
        notes.extend(self::notes(&[PathBuf::from(output)]));
        let errors = differing(&notes);
        if !errors.is_empty() {
            return Err(no_program(world, command, &errors, settings));
        }
    }
    Ok(())
}

/// What was linked is no program.
fn no_program(
    world: &Disk,
    command: &[String],
    errors: &[Diagnostic],
    settings: &Settings,
) -> Failed {
    world.report(errors, &SourceMap::default(), settings);
    let output = command.iter().rposition(|word| word == "-o").and_then(|at| command.get(at + 1));
    if let Some(output) = output {
        let _ = std::fs::remove_file(output);
    }
    Failed::Reported
}

fn shared(inputs: &[PathBuf]) -> Vec<PathBuf> {
    let is_shared = |path: &&PathBuf| {
        let name = path.file_name().map_or(String::new(), |name| name.to_string_lossy().into());
        name.ends_with(".so") || name.contains(".so.")
    };
    inputs.iter().filter(is_shared).cloned().collect()
}

/// Whether a file is no unit or library of Tenure's: those refer to the runtime, and say what they share.
fn is_in_c(path: &Path) -> bool {
    let is_shared = !shared(&[path.to_path_buf()]).is_empty();
    let text = |bytes: &[u8]| find(bytes, NOTE).is_none() && find(bytes, b"tn_").is_none();
    !is_shared && std::fs::read(path).is_ok_and(|bytes| text(&bytes))
}

/// The symbols that units in Tenure define, and where.
fn definitions(notes: &[Note]) -> Vec<clash::Definition<'_>> {
    let defined = notes.iter().filter(|note| note.role == Role::Defines && note.symbol != "main");
    defined.map(|note| (note.symbol.as_str(), note.place.as_str())).collect()
}

/// Definitions that take the place of a library's, unless that is in Tenure too and has the same type.
fn taken_from_libraries(libraries: &[PathBuf], defined: &[Note]) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    for library in libraries {
        let theirs = notes(std::slice::from_ref(library));
        let is_theirs = |symbol: &str, place: &str| {
            let ours = defined.iter().find(|note| note.symbol == symbol && note.place == place);
            let same = |note: &Note| {
                note.role == Role::Defines
                    && note.symbol == symbol
                    && ours.is_some_and(|ours| ours.signature == note.signature)
            };
            theirs.iter().any(same)
        };
        let mut definitions = definitions(defined);
        definitions.retain(|(symbol, place)| !is_theirs(symbol, place));
        errors.extend(clash::taken_from_library(library, &definitions));
    }
    errors
}

fn differing(notes: &[Note]) -> Vec<Diagnostic> {
    let mut known: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for note in notes.iter().filter(|note| note.role == Role::Contents) {
        known.entry(&note.symbol).or_default().insert(&note.signature);
    }
    let differ = known.iter().filter(|(_, contents)| contents.len() > 1);
    differ.map(|(name, _)| two_definitions(name, notes)).collect()
}

/// What a unit believes, and nobody defines.
#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Wanted {
    Type {
        symbol: String,
        signature: String,
    },
    /// Of what is in a named type. Each unit says what it believes, so one error is enough.
    Contents {
        name: String,
    },
}

/// The markers that the linker did not find.
fn missing(said: &str) -> BTreeSet<Wanted> {
    let types = markers(said, TYPE).map(|(symbol, signature)| Wanted::Type { symbol, signature });
    let contents = markers(said, CONTENTS).map(|(name, _)| Wanted::Contents { name });
    types.chain(contents).collect()
}

fn markers<'s>(said: &'s str, marker: &'static str) -> impl Iterator<Item = (String, String)> + 's {
    let in_symbol = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.');
    said.match_indices(marker).filter_map(move |(at, _)| {
        let rest = &said[at + marker.len()..];
        let end = rest.find(|c| !in_symbol(c)).unwrap_or(rest.len());
        let (symbol, hash) = rest[..end].rsplit_once('$')?;
        // gold also says which group it is.
        let is_hash = hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit());
        is_hash.then(|| (symbol.to_string(), hash.to_string()))
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Defines,
    Uses,
    Contents,
}

/// What a file says of a symbol or a named type.
struct Note {
    role: Role,
    symbol: String,
    signature: String,
    place: String,
}

fn notes(files: &[PathBuf]) -> Vec<Note> {
    let mut notes = Vec::new();
    for path in files {
        // Flags and the linker's own libraries are no paths.
        let Ok(bytes) = std::fs::read(path) else { continue };
        let mut rest = &bytes[..];
        while let Some(at) = find(rest, NOTE) {
            rest = &rest[at + NOTE.len()..];
            let end = rest.iter().position(|&byte| byte == 0).unwrap_or(rest.len());
            notes.extend(note(&String::from_utf8_lossy(&rest[..end])));
        }
    }
    notes
}

/// The files of a command line, libraries in its directories among them.
fn inputs(command: &[String]) -> Vec<PathBuf> {
    let directories: Vec<&Path> =
        command.iter().filter_map(|word| word.strip_prefix("-L")).map(Path::new).collect();
    let library = |name: &str| match name.strip_prefix(':') {
        Some(file) => vec![file.to_string()],
        None => vec![format!("lib{name}.so"), format!("lib{name}.a")],
    };
    let mut inputs = Vec::new();
    for word in command {
        match word.strip_prefix("-l") {
            Some(name) => {
                let files = library(name);
                let found = directories.iter().flat_map(|dir| files.iter().map(|f| dir.join(f)));
                inputs.extend(found.filter(|path| path.is_file()));
            }
            None => inputs.push(PathBuf::from(word)),
        }
    }
    inputs
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = bytes[from..].iter().position(|&byte| byte == wanted[0]) {
        if bytes[from + at..].starts_with(wanted) {
            return Some(from + at);
        }
        from += at + 1;
    }
    None
}

fn note(text: &str) -> Option<Note> {
    let words: Vec<&str> = text.splitn(4, ' ').collect();
    let [role, symbol, signature, place] = words[..] else { return None };
    let role = match role {
        "define" => Role::Defines,
        "use" => Role::Uses,
        _ => Role::Contents,
    };
    Some(Note {
        role,
        symbol: symbol.to_string(),
        signature: signature.to_string(),
        place: place.to_string(),
    })
}

impl Wanted {
    /// The linker says that a symbol is not there beside its type.
    fn is_meant_by(&self, line: &str) -> bool {
        match self {
            Wanted::Type { symbol, .. } => {
                line.ends_with(&format!("undefined reference to `{symbol}'"))
                    || line.ends_with(&format!("undefined symbol: {symbol}"))
            }
            Wanted::Contents { .. } => false,
        }
    }

    fn error(&self, notes: &[Note]) -> Diagnostic {
        match self {
            Wanted::Type { symbol, signature } => disagreement(symbol, signature, notes),
            Wanted::Contents { name } => two_definitions(name, notes),
        }
    }
}

fn disagreement(symbol: &str, signature: &str, notes: &[Note]) -> Diagnostic {
    let places = |role: Role| -> BTreeSet<&str> {
        let of_role = notes.iter().filter(|note| note.symbol == symbol && note.role == role);
        let relevant = of_role.filter(|n| role == Role::Defines || n.signature == signature);
        relevant.map(|note| note.place.as_str()).collect()
    };
    // `N::x` is `N$x` in object files.
    let name = tenure_core::without_own(symbol).replace('$', "::");
    let (uses, definitions) = (places(Role::Uses), places(Role::Defines));
    let headline = if definitions.is_empty() {
        format!("`{name}` is used, but no unit in Tenure defines it")
    } else {
        format!("`{name}` is declared at another type than it is defined at")
    };
    let mut error = Diagnostic::error("E0907", headline, Span::NONE);
    for place in uses {
        error = error.note(format!("it is declared at {place}"));
    }
    for place in &definitions {
        error = error.note(format!("it is defined at {place}"));
    }
    if definitions.is_empty() {
        error.help("link the unit that defines it; what C defines is declared in `extern \"C\"`")
    } else {
        error.help("declare it once, in a header that both units include")
    }
}

fn two_definitions(symbol: &str, notes: &[Note]) -> Diagnostic {
    // `struct N::x` is `struct$N$x`.
    let name = symbol.replacen('$', " ", 1).replace('$', "::");
    let mut error =
        Diagnostic::error("E0907", format!("units define `{name}` differently"), Span::NONE);
    let of_this = notes.iter().filter(|n| n.role == Role::Contents && n.symbol == symbol);
    let places: BTreeSet<(&str, &str)> =
        of_this.map(|note| (note.signature.as_str(), note.place.as_str())).collect();
    for (_, place) in places {
        error = error.note(format!("it is defined at {place}"));
    }
    error
        .note("both units share it with others, in the type of a function or a variable")
        .help("define it once, in a header that both units include, or give one another name")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_found_in_what_each_linker_says() {
        let said =
            "/usr/bin/ld: a.o:(.tenure.types+0x0): undefined reference to `tn.type$N$f$12ab12ab12ab12ab'\n\
                    ld.lld: error: undefined symbol: tn.type$g$34cd34cd34cd34cd\n>>> referenced by b.o";
        let found = missing(said);
        let wanted = |symbol: &str, signature: &str| Wanted::Type {
            symbol: symbol.to_string(),
            signature: signature.to_string(),
        };
        let both = [wanted("N$f", "12ab12ab12ab12ab"), wanted("g", "34cd34cd34cd34cd")];
        assert!(found.into_iter().eq(both));
        assert!(missing("undefined reference to `f'").is_empty());
        let contents = missing(
            "c.o: error: symbol \"tn.contents$struct$N$p$7123456789abcdee\"\n  section group: \"tn.contents$struct$N$p\"",
        );
        assert!(contents.into_iter().eq([Wanted::Contents { name: "struct$N$p".to_string() }]));
    }
}
