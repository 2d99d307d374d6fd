//! Linking, and what is said when units do not agree about the type of what they share.
//!
//! The linker finds it out: a unit that uses a symbol refers to a second one, `tn$type$SYMBOL$TYPE`, which only a unit that
//! defines the symbol at that type has. Notes in the object files say where in the sources either stands.

use crate::link::Failed;
use crate::settings::Settings;
use crate::world::{Disk, World};
use std::collections::BTreeSet;
use tenure_span::{Diagnostic, SourceMap, Span};

const MARKER: &str = "tn$type$";
const NOTE: &[u8] = b"tenure-type: ";

/// Runs cc to link; its messages about markers are replaced by ones about the program. False if cc said why it failed.
pub(crate) fn link(world: &Disk, command: &[String], settings: &Settings) -> Result<bool, Failed> {
    let output = world.cc.output(command)?;
    crate::run::print(&String::from_utf8_lossy(&output.stdout));
    let said = String::from_utf8_lossy(&output.stderr);
    let missing = missing(&said);
    if output.status.success() || missing.is_empty() {
        eprint!("{said}");
        return Ok(output.status.success());
    }
    let about_others = said.lines().filter(|line| !line.contains(MARKER));
    let about_others: Vec<&str> = about_others.filter(|line| is_error(line)).collect();
    if !about_others.is_empty() {
        eprintln!("{}", about_others.join("\n"));
    }
    let notes = notes(command);
    let errors: Vec<Diagnostic> =
        missing.iter().map(|wanted| disagreement(wanted, &notes)).collect();
    world.report(&errors, &SourceMap::default(), settings);
    Err(Failed::Reported)
}

/// A line of the linker's that says more than that there was an error, or where.
fn is_error(line: &str) -> bool {
    let summary = ["collect2:", "clang:", "clang++:"].iter().any(|word| line.starts_with(word));
    !summary && !line.ends_with(':')
}

/// A symbol and the type that a unit believes it to have.
#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Wanted {
    symbol: String,
    signature: String,
}

/// The markers that the linker did not find.
fn missing(said: &str) -> BTreeSet<Wanted> {
    let in_symbol = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.');
    let mut found = BTreeSet::new();
    for (at, _) in said.match_indices(MARKER) {
        let rest = &said[at + MARKER.len()..];
        let end = rest.find(|c| !in_symbol(c)).unwrap_or(rest.len());
        if let Some((symbol, signature)) = rest[..end].rsplit_once('$') {
            let wanted = Wanted { symbol: symbol.to_string(), signature: signature.to_string() };
            found.insert(wanted);
        }
    }
    found
}

/// What a file says of a symbol.
struct Note {
    defines: bool,
    symbol: String,
    signature: String,
    place: String,
}

fn notes(command: &[String]) -> Vec<Note> {
    let mut notes = Vec::new();
    for path in command {
        // Flags and libraries that are looked up are no paths.
        let Ok(bytes) = std::fs::read(path) else { continue };
        let starts = bytes.windows(NOTE.len()).enumerate();
        for (at, _) in starts.filter(|(_, window)| *window == NOTE) {
            let rest = &bytes[at + NOTE.len()..];
            let end = rest.iter().position(|&byte| byte == 0).unwrap_or(rest.len());
            let text = String::from_utf8_lossy(&rest[..end]).into_owned();
            let words: Vec<&str> = text.splitn(4, ' ').collect();
            if let [role, symbol, signature, place] = words[..] {
                notes.push(Note {
                    defines: role == "define",
                    symbol: symbol.to_string(),
                    signature: signature.to_string(),
                    place: place.to_string(),
                });
            }
        }
    }
    notes
}

fn disagreement(wanted: &Wanted, notes: &[Note]) -> Diagnostic {
    let about = |note: &&Note| note.symbol == wanted.symbol;
    let places = |defines: bool| -> BTreeSet<&str> {
        let of_role = notes.iter().filter(about).filter(|note| note.defines == defines);
        let relevant = of_role.filter(|note| defines || note.signature == wanted.signature);
        relevant.map(|note| note.place.as_str()).collect()
    };
    // `N::x` is `N$x` in object files.
    let name = wanted.symbol.replace('$', "::");
    let (uses, definitions) = (places(false), places(true));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_found_in_what_each_linker_says() {
        let said =
            "/usr/bin/ld: a.o:(.tenure.types+0x0): undefined reference to `tn$type$N$f$12ab'\n\
                    ld.lld: error: undefined symbol: tn$type$g$34cd\n>>> referenced by b.o";
        let found = missing(said);
        let pairs: Vec<(&str, &str)> =
            found.iter().map(|w| (w.symbol.as_str(), w.signature.as_str())).collect();
        assert_eq!(pairs, [("N$f", "12ab"), ("g", "34cd")]);
        assert!(missing("undefined reference to `f'").is_empty());
    }
}
