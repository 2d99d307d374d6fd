//! Runs the literate tests: the Markdown files of tests/ and the pages of docs/errors/.
//!
//! Some are also built for aarch64 and run by an emulator, where both are installed.
//!
//! `TENURE_TEST=all` also builds each program with -O2, without checks and with sanitizers, and has clang look at its C.

mod build;
mod expect;
mod markdown;
mod world;

use build::{Build, FURTHER, PLAIN};
use libtest_mimic::{Arguments, Failed, Trial};
use markdown::{Case, Kind};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tenure_driver::{to_c, Cc, Disk, Home, TempDir};
use world::{TestWorld, FILE};

fn main() {
    let args = Arguments::from_args();
    let disk = match (Home::find(), Cc::find()) {
        (Ok(home), Ok(cc)) => Arc::new(Disk { cc, home }),
        (Err(text), _) => fail(&text),
        (_, Err(error)) => fail(&error.0),
    };
    let root = disk.home.root().to_path_buf();
    let all = std::env::var("TENURE_TEST").is_ok_and(|value| value == "all");
    let dirs: Vec<PathBuf> = match std::env::var_os("TENURE_TEST_DIR") {
        Some(dir) => vec![PathBuf::from(dir)],
        None => vec![root.join("tests"), root.join("docs")],
    };
    let foreign = build::foreign_cc().map(|cc| Arc::new(Disk { cc, home: disk.home.clone() }));
    if foreign.is_none() {
        eprintln!(
            "nothing is built for aarch64: aarch64-linux-gnu-gcc or qemu-aarch64 is not here"
        );
    }
    let mut trials = Vec::new();
    for dir in dirs {
        let cases = markdown::cases_below(&root, &dir);
        trials.extend(neighbours(&cases));
        for case in cases {
            trials.extend(foreign.iter().filter_map(|disk| foreign_trial(disk, &case)));
            add(&mut trials, &disk, case, all);
        }
    }
    libtest_mimic::run(&args, trials).exit();
}

fn fail(text: &str) -> ! {
    eprintln!("{text}");
    std::process::exit(2)
}

fn add(trials: &mut Vec<Trial>, disk: &Arc<Disk>, case: Case, all: bool) {
    let runs = matches!(case.kind, Kind::Run { .. } | Kind::Raise { .. });
    if !runs {
        trials.push(trial(disk, &case, case.name.clone(), check_only));
        return;
    }
    trials.push(trial(disk, &case, case.name.clone(), |disk, case| run(disk, case, &PLAIN)));
    if !all {
        return;
    }
    for further in FURTHER {
        // What a check reports is not there without it.
        if further.no_checks && (case.checked || matches!(case.kind, Kind::Raise { .. })) {
            continue;
        }
        let name = format!("{} [{}]", case.name, further.name);
        trials.push(trial(disk, &case, name, |disk, case| run(disk, case, further)));
    }
    let name = format!("{} [clang]", case.name);
    trials.push(trial(disk, &case, name, build::clang_warnings));
}

/// Whoever reads why a program about ownership is rejected sees the nearest one that is not.
const WITH_NEIGHBOURS: &str = "tests/ownership";

fn neighbours(cases: &[Case]) -> Option<Trial> {
    let cases: Vec<&Case> =
        cases.iter().filter(|case| case.place.starts_with(WITH_NEIGHBOURS)).collect();
    let accepted: HashSet<&str> =
        cases.iter().filter(|case| case.kind != Kind::Reject).map(|case| case.section()).collect();
    let alone: Vec<String> = cases
        .iter()
        .filter(|case| case.kind == Kind::Reject && !accepted.contains(case.section()))
        .map(|case| case.place.clone())
        .collect();
    let check = move || match alone.is_empty() {
        true => Ok(()),
        false => Err(Failed::from(format!("without one:\n{}", alone.join("\n")))),
    };
    let name = format!("{WITH_NEIGHBOURS}: rejected programs have an accepted neighbour");
    (!cases.is_empty()).then(|| Trial::test(name, check))
}

fn foreign_trial(disk: &Arc<Disk>, case: &Case) -> Option<Trial> {
    let runs = matches!(case.kind, Kind::Run { .. } | Kind::Raise { .. });
    let chosen = build::FOREIGN_CASES.iter().any(|file| case.place.starts_with(file));
    let name = format!("{} [{}]", case.name, build::FOREIGN.name);
    (runs && chosen).then(|| trial(disk, case, name, |disk, case| run(disk, case, &build::FOREIGN)))
}

fn run(disk: &Disk, case: &Case, build: &Build) -> Result<(), String> {
    build::check(disk, case, build)
}

fn trial(
    disk: &Arc<Disk>,
    case: &Case,
    name: String,
    check: impl FnOnce(&Disk, &Case) -> Result<(), String> + Send + 'static,
) -> Trial {
    let (disk, case) = (Arc::clone(disk), case.clone());
    Trial::test(name, move || {
        let place = case.place.clone();
        let worker = std::thread::Builder::new()
            .stack_size(tenure_driver::STACK_BYTES)
            .spawn(move || check(&disk, &case))
            .map_err(|error| Failed::from(error.to_string()))?;
        match worker.join() {
            Ok(Ok(())) => Ok(()),
            Ok(Err(text)) => Err(Failed::from(format!("{place}:\n{text}"))),
            Err(_) => Err(Failed::from(format!("{place}: the compiler panicked"))),
        }
    })
}

/// A test that needs no program: the phases run in this process.
fn check_only(disk: &Disk, case: &Case) -> Result<(), String> {
    let temp = if case.files.is_empty() { None } else { Some(files(case)?) };
    let world = TestWorld::new(disk, case, temp.as_ref().map(TempDir::path));
    let mut shown = String::new();
    let result = to_c(&world, &disk.home, FILE, &build::settings(case), &mut shown);
    let want_errors = case.kind == Kind::Reject;
    let differences =
        expect::compare(&expect::marks(&case.text), &world.found.borrow(), want_errors);
    if !differences.is_empty() {
        return Err(format!("{differences}\n{}", world.rendered.borrow()));
    }
    match (result, want_errors) {
        (Err(_), false) => Err(format!("it was rejected:\n{}", world.rendered.borrow())),
        _ => Ok(()),
    }
}

fn files(case: &Case) -> Result<TempDir, String> {
    let temp = TempDir::new().map_err(|error| error.to_string())?;
    for (name, text) in &case.files {
        let path: &Path = &temp.path().join(name);
        if let Some(dir) = path.parent() {
            std::fs::create_dir_all(dir).map_err(|error| error.to_string())?;
        }
        std::fs::write(path, text).map_err(|error| error.to_string())?;
    }
    Ok(temp)
}
