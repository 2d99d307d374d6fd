//! Random programs that are C as well as Tenure: types, initialisers, expressions, statements and pointers. What the compiler
//! makes of one prints what gcc's program does, and so does the interpreter of core.

mod expressions;
mod generate;
mod types;

use crate::machine::{Machine, Outcome};
use crate::oracle::{built, compiled, failure, ran, succeeded, Accepted, Failure};
use std::path::Path;
use std::process::Command;
use tenure_driver::{Disk, TempDir, Variant};

pub use generate::program;

/// Steps of the interpreter.
const STEPS: u64 = 20_000_000;

/// What was asked of programs.
#[derive(Default, Debug)]
pub struct Asked {
    pub programs: usize,
    pub interpreted: usize,
    /// What the interpreter does not know.
    pub unknown: Vec<String>,
}

/// What gcc's program prints. Overflow wraps in the language, and there.
fn expected(disk: &Disk, source: &Path, dir: &Path) -> Result<String, Failure> {
    let program = dir.join("c");
    let mut command = Command::new(disk.cc.program());
    command.args(["-std=gnu11", "-fwrapv", "-w", "-O0"]).arg(source).arg("-o").arg(&program);
    succeeded(command.arg("-lm"))?;
    ran(&program)
}

/// The lines that differ, some of them.
fn equal(how: &str, expected: &str, found: &str) -> Result<(), Failure> {
    if expected == found {
        return Ok(());
    }
    let differing = expected.lines().zip(found.lines()).enumerate().filter(|(_, (a, b))| a != b);
    let lines: Vec<String> =
        differing.take(5).map(|(n, (a, b))| format!("line {n}: gcc {a}, here {b}")).collect();
    let (all, ours) = (expected.lines().count(), found.lines().count());
    Err(failure(how, format!("{all} lines of gcc's program, {ours} of this\n{}", lines.join("\n"))))
}

fn interpreted(program: &Accepted, expected: &str, asked: &mut Asked) -> Result<(), Failure> {
    let Some(mut machine) = Machine::new(&program.program, STEPS) else { return Ok(()) };
    match machine.run() {
        Outcome::Ended(text, 0) => {
            asked.interpreted += 1;
            equal("interpreter", expected, &text)
        }
        Outcome::Tired => Ok(()),
        Outcome::Unknown(what) => {
            asked.unknown.push(what);
            Ok(())
        }
        other => Err(failure("interpreter", format!("{other:?}"))),
    }
}

/// Asks about the program of a seed, whose text stays in the directory for temporary files if it fails.
pub fn ask(disk: &Disk, seed: u64, build: bool, asked: &mut Asked) -> Result<(), Failure> {
    let temp = TempDir::new().map_err(|error| failure("disk", error.to_string()))?;
    let path = temp.path().join("random.c");
    let text = program(seed);
    std::fs::write(&path, &text).map_err(|error| failure("disk", error.to_string()))?;
    let result = asked_of(disk, &path, temp.path(), build, asked);
    asked.programs += 1;
    result.map_err(|failure| {
        let kept = std::env::temp_dir().join(format!("tenure-c-{seed}.c"));
        let _ = std::fs::write(&kept, text);
        Failure { said: format!("{}\nsee {}", failure.said, kept.display()), ..failure }
    })
}

fn asked_of(
    disk: &Disk,
    path: &Path,
    dir: &Path,
    build: bool,
    asked: &mut Asked,
) -> Result<(), Failure> {
    let expected = expected(disk, path, dir)?;
    let accepted =
        compiled(disk, path, true)?.map_err(|errors| failure("rejected", format!("{errors:?}")))?;
    interpreted(&accepted, &expected, asked)?;
    if !build {
        return Ok(());
    }
    let options = tenure_emit::EmitOptions::default();
    let c = tenure_emit::emit(&accepted.program, &accepted.map, &options);
    for (variant, level) in [(Variant::Release, "-O0"), (Variant::Release, "-O2")] {
        equal(level, &expected, &ran(&built(disk, dir, &c, variant, &[level])?)?)?;
    }
    Ok(())
}
