//! Random programs of several units, in Tenure and in C, linked in any order and built in several ways: each prints what was known
//! when it was written.
//!
//! `TENURE_LINKED_PROGRAMS` says how many, `TENURE_LINKED_SEED` where the random numbers begin, `TENURE_LINKED_ONLY` which part of them (`names`,
//! `record`, `stream`, `list`, `throws`, `agree`), `TENURE_LINKED_OTHER` another `tenure` to try. A failure prints the seed and leaves the
//! files in the directory for temporary files.

mod generate;
#[path = "../../../random/src/random.rs"]
mod random;
#[path = "../../../random/src/seeds.rs"]
mod seeds;

use random::Random;
use seeds::{for_each, from_environment};
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use tenure_driver::{Disk, TempDir};

/// What a command prints that ends well.
fn output(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!(
            "{command:?}: {}\n{}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        )),
    }
}

fn tenure(dir: &Path) -> Command {
    // Another version of the compiler shows which of its mistakes these programs find.
    let other = std::env::var_os("TENURE_LINKED_OTHER");
    let mut command = match &other {
        Some(other) => Command::new(other),
        None => Command::new(env!("CARGO_BIN_EXE_tenure")),
    };
    if other.is_some() {
        command.env_remove("TENURE_HOME");
    }
    command.current_dir(dir);
    command
}

/// Whether the collector's header is here.
fn has_collector() -> bool {
    Path::new("/usr/include/gc/gc.h").exists()
}

fn attempt(disk: &Disk, seed: u64, dir: &Path) -> Result<(), String> {
    let only = std::env::var("TENURE_LINKED_ONLY").ok();
    let program = generate::program(seed, only.as_deref());
    let (disagreeing, differing) = &program.disagreeing;
    for (name, text) in [
        ("first.cyc", &program.first),
        ("second.cyc", &program.second),
        ("other.cyc", disagreeing),
        ("third.c", &program.c),
    ] {
        std::fs::write(dir.join(name), text).map_err(|error| error.to_string())?;
    }
    let mut random = Random::new(seed ^ 0x7f4a);
    let level = random.pick(&["-O0", "-O2", "-O2"]);
    output(
        Command::new(disk.cc.program())
            .current_dir(dir)
            .args([level, "-w", "-c", "third.c", "-o", "third.o"]),
    )?;
    // Each unit in a way of its own; checks are left out of one at most.
    for unit in ["first", "second"] {
        let how = random.pick(&["-O2", "-O0", "-g", "--no-checks", "--cyclone1"]);
        let how = if unit == "first" && how == "--no-checks" { "-O1" } else { how };
        let (source, object) = (format!("{unit}.cyc"), format!("{unit}.o"));
        output(tenure(dir).args(["cc", "-c", how, &source, "-o", &object]))?;
    }
    let mut objects = ["first.o", "second.o", "third.o"];
    objects.rotate_left(random.index(3));
    if random.one_in(2) {
        objects.swap(0, 1);
    }
    let mut link = tenure(dir);
    link.arg("build").args(objects).args(["-o", "program"]);
    if program.collected && has_collector() {
        link.arg("--gc");
    }
    output(&mut link)?;
    if only.is_none_or(|only| only == "agree") {
        output(tenure(dir).args(["cc", "-c", "other.cyc"]))?;
        let link = tenure(dir).args(["build", "first.o", "other.o", "third.o"]).output();
        if link.is_ok_and(|link| link.status.success()) {
            return Err(format!("a unit that says `{differing}` links"));
        }
    }
    let found = output(Command::new("timeout").arg("60").arg(dir.join("program")))?;
    match found == program.expected {
        true => Ok(()),
        false => Err(format!("expected\n{}found\n{found}", program.expected)),
    }
}

fn check(disk: &Disk, seed: u64, programs: &Mutex<u64>) {
    let temp = TempDir::new().unwrap_or_else(|error| panic!("{error}"));
    if let Err(said) = attempt(disk, seed, temp.path()) {
        let kept = std::env::temp_dir().join(format!("tenure-linked-{seed}"));
        let _ = std::fs::create_dir_all(&kept);
        for name in ["first.cyc", "second.cyc", "other.cyc", "third.c"] {
            let _ = std::fs::copy(temp.path().join(name), kept.join(name));
        }
        panic!("seed {seed}, see {}: {said}", kept.display());
    }
    if let Ok(mut programs) = programs.lock() {
        *programs += 1;
    }
}

#[test]
fn units_of_both_languages_agree() {
    let first = from_environment("TENURE_LINKED_SEED", 1);
    let count = from_environment("TENURE_LINKED_PROGRAMS", 6);
    assert_eq!(for_each(first..first + count, None, check), count);
}
