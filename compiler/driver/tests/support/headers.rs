//! All headers of the library in one program.

use std::path::Path;
use std::process::Command;
use tenure_driver::Home;

/// The names of the headers below a directory, as `#include` has them, whose text is wanted.
pub fn names(root: &Path, dir: &Path, wanted: &dyn Fn(&str) -> bool, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(dir).expect("the library's headers").flatten() {
        let path = entry.path();
        if path.is_dir() {
            names(root, &path, wanted, found);
        } else if let Ok(name) = path.strip_prefix(root) {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            if !text.contains("#error") && wanted(&text) {
                found.push(name.display().to_string());
            }
        }
    }
}

/// What the headers declare whose text is wanted, in core's text, in a file with that ending.
pub fn all_in_core(ending: &str, wanted: impl Fn(&str) -> bool) -> String {
    let root = Home::find().expect("the library").library_include().to_path_buf();
    let mut found = Vec::new();
    names(&root, &root, &wanted, &mut found);
    found.sort();
    let name = format!("tenure-all-headers-{}.{ending}", std::process::id());
    let source = std::env::temp_dir().join(name);
    let lines: String = found.iter().map(|name| format!("#include <{name}>\n")).collect();
    std::fs::write(&source, lines).expect("a temporary file");
    let output = Command::new(env!("CARGO_BIN_EXE_tenure"))
        .args(["build", "--emit=core"])
        .arg(&source)
        .output()
        .expect("tenure runs");
    let _ = std::fs::remove_file(&source);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}
