//! Random C programs over types, initialisers and expressions: what Tenure makes of one prints what gcc's program does.
//!
//! `TENURE_C_PROGRAMS` says how many programs, `TENURE_C_SEED` where the random numbers begin. A failure prints the seed of its
//! program and leaves the program in the system's directory for temporary files.

mod expressions;
mod generate;
#[path = "../support/programs.rs"]
mod programs;
#[path = "../../../random/src/random.rs"]
mod random;
#[path = "../../../random/src/seeds.rs"]
mod seeds;
mod types;

use programs::{output, ran, ran_emitted};
use seeds::{for_each, from_environment};
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use tenure_driver::{front, Disk, Settings, TempDir};
use tenure_span::{Sink, SourceMap};

fn emitted(disk: &Disk, path: &Path) -> Result<String, String> {
    let mut map = SourceMap::new();
    let sink = Sink::new();
    let settings = Settings { whole_program: true, ..Settings::default() };
    let name = path.display().to_string();
    let result = front(disk, &disk.home, &name, &settings, &mut map, &sink, &mut String::new());
    let errors = sink.take().into_iter().filter(|d| d.is_error()).map(|error| {
        let line = map.line(error.primary.span).map_or(0, |(_, line)| line);
        format!("{line}: {} {}", error.code, error.headline)
    });
    let errors = errors.collect::<Vec<_>>().join("\n");
    let program = result.map_err(|_| errors)?;
    Ok(tenure_emit::emit(&program, &map, &tenure_emit::EmitOptions::default()))
}

/// What gcc's program prints. Overflow wraps in the language, and there.
fn expected(disk: &Disk, source: &Path, dir: &Path) -> Result<String, String> {
    let program = dir.join("c");
    let mut command = Command::new(disk.cc.program());
    command.args(["-std=gnu11", "-fwrapv", "-w", "-O0"]).arg(source).arg("-o").arg(&program);
    output(command.arg("-lm"))?;
    ran(&program)
}

/// The lines that differ, some of them.
fn difference(expected: &str, found: &str) -> String {
    let differing = expected.lines().zip(found.lines()).filter(|(a, b)| a != b).take(5);
    let lines: Vec<String> = differing.map(|(a, b)| format!("gcc {a}, here {b}")).collect();
    let (all, ours) = (expected.lines().count(), found.lines().count());
    format!("{all} lines of gcc's program, {ours} of this\n{}", lines.join("\n"))
}

fn attempt(disk: &Disk, seed: u64, dir: &Path) -> Result<(), String> {
    let path = dir.join("random.c");
    std::fs::write(&path, generate::program(seed)).map_err(|error| error.to_string())?;
    let expected = expected(disk, &path, dir)?;
    let c = emitted(disk, &path)?;
    for level in ["-O0", "-O2"] {
        let found = ran_emitted(disk, dir, &c, level)?;
        if found != expected {
            return Err(format!("{level}: {}", difference(&expected, &found)));
        }
    }
    Ok(())
}

fn check(disk: &Disk, seed: u64, programs: &Mutex<u64>) {
    let temp = TempDir::new().unwrap_or_else(|error| panic!("{error}"));
    if let Err(said) = attempt(disk, seed, temp.path()) {
        let kept = std::env::temp_dir().join(format!("tenure-c-{seed}.c"));
        let _ = std::fs::copy(temp.path().join("random.c"), &kept);
        panic!("seed {seed}, see {}:\n{said}", kept.display());
    }
    if let Ok(mut programs) = programs.lock() {
        *programs += 1;
    }
}

#[test]
fn programs_print_what_gccs_do() {
    let (first, count) =
        (from_environment("TENURE_C_SEED", 1), from_environment("TENURE_C_PROGRAMS", 4));
    assert_eq!(for_each(first..first + count, None, check), count);
}
