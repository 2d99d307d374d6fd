//! Random programs over indices: no check that was proved fails, and a program says the same with the proved checks and without.
//!
//! `TENURE_PROOF_PROGRAMS` says how many programs, `TENURE_PROOF_SEED` where the random numbers begin. A failure prints the seed
//! of its program and leaves the program in the system's directory for temporary files.

mod generate;
#[path = "../support/programs.rs"]
mod programs;
#[path = "../../../random/src/random.rs"]
mod random;
#[path = "../../../random/src/seeds.rs"]
mod seeds;

use programs::ran_emitted;
use seeds::{for_each, from_environment};
use std::path::Path;
use std::sync::Mutex;
use tenure_driver::{front, Disk, Settings, TempDir};
use tenure_span::{Sink, SourceMap};

/// Checks of all programs, and how many of them were proved.
#[derive(Default)]
struct Tally {
    all: usize,
    proved: usize,
}

fn emitted(disk: &Disk, path: &Path, verify_proofs: bool, tally: &Mutex<Tally>) -> String {
    let mut map = SourceMap::new();
    let sink = Sink::new();
    let settings = Settings { verify_proofs, whole_program: true, ..Settings::default() };
    let name = path.display().to_string();
    let result = front(disk, &disk.home, &name, &settings, &mut map, &sink, &mut String::new());
    let errors: Vec<String> = sink
        .take()
        .into_iter()
        .filter(|d| d.is_error())
        .map(|error| {
            let line = map.line(error.primary.span).map_or(0, |(_, line)| line);
            format!("{line}: {} {}", error.code, error.headline)
        })
        .collect();
    let Ok(program) = result else { panic!("{}", errors.join("\n")) };
    if let (true, Ok(mut tally)) = (verify_proofs, tally.lock()) {
        let count = tenure_analysis::count_checks(&program);
        tally.all += count.all();
        tally.proved += count.proved;
    }
    tenure_emit::emit(&program, &map, &tenure_emit::EmitOptions::default())
}

fn attempt(disk: &Disk, seed: u64, dir: &Path, tally: &Mutex<Tally>) -> Result<(), String> {
    let path = dir.join("random.cyc");
    std::fs::write(&path, generate::program(seed)).map_err(|error| error.to_string())?;
    let with = ran_emitted(disk, dir, &emitted(disk, &path, true, tally), "-O0")?;
    let without = ran_emitted(disk, dir, &emitted(disk, &path, false, tally), "-O2")?;
    if with == without {
        Ok(())
    } else {
        Err(format!("with the proved checks: {with}, without: {without}"))
    }
}

fn check(disk: &Disk, seed: u64, tally: &Mutex<Tally>) {
    let temp = TempDir::new().unwrap_or_else(|error| panic!("{error}"));
    if let Err(said) = attempt(disk, seed, temp.path(), tally) {
        let kept = std::env::temp_dir().join(format!("tenure-proofs-{seed}.cyc"));
        let _ = std::fs::copy(temp.path().join("random.cyc"), &kept);
        panic!("seed {seed}, see {}:\n{said}", kept.display());
    }
}

#[test]
fn no_proved_check_fails() {
    let first = from_environment("TENURE_PROOF_SEED", 1);
    let tally: Tally =
        for_each(first..first + from_environment("TENURE_PROOF_PROGRAMS", 2), None, check);
    println!("{} of {} checks proved", tally.proved, tally.all);
    // A test that proves nothing shows nothing.
    assert!(tally.proved * 5 > tally.all, "{} of {}", tally.proved, tally.all);
}
