//! What `tenure --version` says behind the number: the commit that a release was built from, where there is one.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // Debug builds would be made anew for each commit.
    let release = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let commit = release.then(|| git(&["rev-parse", "--short=10", "HEAD"])).flatten();
    let shown = match commit {
        Some(commit) => format!("{} ({commit})", env!("CARGO_PKG_VERSION")),
        None => env!("CARGO_PKG_VERSION").to_string(),
    };
    println!("cargo:rustc-env=TENURE_VERSION={shown}");
    for part in if release { ["HEAD", "logs/HEAD"].as_slice() } else { &[] } {
        let file = git(&["rev-parse", "--git-path", part]);
        if let Some(file) = file.filter(|file| Path::new(file).exists()) {
            println!("cargo:rerun-if-changed={file}");
        }
    }
}

/// None from an archive of the source, or without git.
fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !text.trim().is_empty()).then(|| text.trim().to_string())
}
