//! Puts the pages of docs/errors into the compiler, so that `explain` and the book are one text.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let pages = manifest.join("../../docs/errors");
    println!("cargo:rerun-if-changed=build.rs");
    // A directory that is absent is looked for again at each build.
    println!("cargo:rerun-if-changed={}", pages.display());
    fs::write(out.join("codes.rs"), table(&pages)?)
}

/// The source of a sorted table of codes and pages; empty if there are none.
fn table(pages: &Path) -> io::Result<String> {
    let mut files: Vec<PathBuf> = match fs::read_dir(pages) {
        Ok(entries) => entries.filter_map(|entry| Some(entry.ok()?.path())).collect(),
        Err(_) => Vec::new(),
    };
    files.sort();
    let mut table = String::from("pub static PAGES: &[(&str, &str)] = &[\n");
    for file in files {
        let code = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or("");
        let is_code = code.len() == 5
            && code.starts_with(['E', 'W'])
            && code[1..].bytes().all(|byte| byte.is_ascii_digit());
        if is_code && file.extension().is_some_and(|extension| extension == "md") {
            let path = fs::canonicalize(&file)?;
            println!("cargo:rerun-if-changed={}", path.display());
            let _ = writeln!(table, "    ({code:?}, include_str!({path:?})),");
        }
    }
    table.push_str("];\n");
    Ok(table)
}
