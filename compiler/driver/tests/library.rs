//! The library's headers say of each function and object what its definition says.

#[path = "support/headers.rs"]
mod headers;

use std::collections::{HashMap, HashSet};
use std::path::Path;
use tenure_driver::{archives, Cc, Disk, Home, Variant};

/// The signatures at which symbols are defined in an archive.
fn definitions(archive: &Path) -> HashMap<String, HashSet<u64>> {
    let bytes = std::fs::read(archive).expect("the library's archive");
    let text = String::from_utf8_lossy(&bytes);
    let mut found: HashMap<String, HashSet<u64>> = HashMap::new();
    for note in text.split("tenure-type: define ").skip(1) {
        let mut words = note.split(' ');
        if let (Some(symbol), Some(signature)) = (words.next(), words.next()) {
            let signature = u64::from_str_radix(signature, 16).expect("a signature");
            found.entry(symbol.to_string()).or_default().insert(signature);
        }
    }
    found
}

/// The symbol and the signature of an import in core's text.
fn import(line: &str) -> Option<(String, u64)> {
    let (head, tail) = line.split_once(" import")?;
    let signature = tail.split_once(" signature ")?.1;
    let digits: String = signature.chars().take_while(char::is_ascii_digit).collect();
    let name = head.strip_prefix("fn ").or_else(|| head.strip_prefix("global "))?;
    let name = name.split(['(', ':']).next()?;
    // A second declaration of one symbol has a number behind it.
    let name = name.split_once('.').map_or(name, |(name, _)| name);
    Some((name.to_string(), digits.parse().ok()?))
}

#[test]
fn what_headers_declare_is_what_the_library_defines() {
    let home = Home::find().expect("the library");
    let cc = Cc::find().map_err(|error| error.0).expect("a C compiler");
    let disk = Disk { cc, home };
    let core = headers::all_in_core("cyc", |_| true);
    let built = archives(&disk.home, &disk.cc, Variant::Release).map_err(|error| error.0);
    let definitions = definitions(&built.expect("the library builds")[0]);
    let imports: Vec<(String, u64)> = core.lines().filter_map(import).collect();
    assert!(imports.len() > 400, "{} imports", imports.len());
    for (symbol, signature) in imports {
        let defined = definitions.get(&symbol);
        assert!(defined.is_some(), "{symbol} is declared outside of extern \"C\" and not defined");
        let agrees = defined.is_some_and(|found| found.contains(&signature));
        assert!(agrees, "{symbol} is declared at another type than it is defined at");
    }
}
