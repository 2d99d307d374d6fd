//! Random programs over owned pointers: what the compiler accepts runs clean under AddressSanitizer with the runtime's
//! canaries and poisoning, and so does what it accepts of programs that were made wrong.
//!
//! `TENURE_OWNERSHIP_PROGRAMS` says how many functions (2,000 by default, half of them mutated), `TENURE_OWNERSHIP_SEED` where the random
//! numbers begin; `TENURE_OWNERSHIP_VALGRIND` runs each batch under valgrind too. A failure prints the seed of its batch.

mod generate;
mod mutate;
#[path = "../../../random/src/random.rs"]
mod random;
#[path = "../../../random/src/seeds.rs"]
mod seeds;
mod structures;

use generate::PRELUDE;
use random::Random;
use seeds::{for_each, from_environment};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use tenure_driver::{archives, front, Disk, Settings, TempDir, Variant};
use tenure_span::{Sink, SourceMap};

/// Functions in one program.
const BATCH: usize = 250;

struct Batch {
    /// Lines of each function, and whether it was mutated.
    functions: Vec<(Vec<String>, bool)>,
    kept: BTreeSet<usize>,
}

/// How many functions the compiler took, of those as generated and of those mutated.
#[derive(Default, Debug)]
struct Taken {
    sound: [usize; 2],
    mutated: [usize; 2],
}

fn generate(seed: u64) -> Batch {
    let mut random = Random::new(seed);
    let mut functions = Vec::new();
    for number in 0..BATCH {
        let mut lines = generate::function(&mut random, &format!("f{number}"));
        let mutated = number % 2 == 1;
        if mutated {
            mutate::mutate(&mut random, &mut lines);
        }
        functions.push((lines, mutated));
    }
    Batch { functions, kept: (0..BATCH).collect() }
}

/// The program of the functions that are kept, and the lines of each.
fn program(batch: &Batch) -> (String, Vec<(usize, Range<u32>)>) {
    let mut text = PRELUDE.to_string();
    let mut line = text.lines().count() as u32 + 1;
    let mut places = Vec::new();
    for &number in &batch.kept {
        let lines = &batch.functions[number].0;
        let start = line;
        for part in lines {
            text.push_str(part);
            text.push('\n');
            line += 1;
        }
        places.push((number, start..line));
    }
    // A function of its own for each handler: cc takes long for many in one.
    for number in &batch.kept {
        let call = format!(
            "int guarded{number}(int s) {{ try return f{number}(s); catch {{ case _: return 1; }} }}\n"
        );
        text.push_str(&call);
    }
    text.push_str("int main(void) {\nfor (int s = 0; s < 6; s++) {\n");
    for number in &batch.kept {
        let _ = writeln!(text, "sink += guarded{number}(s);");
    }
    text.push_str("}\n");
    text.push_str("printf(\"done\\n\");\nreturn 0;\n}\n");
    (text, places)
}

/// The emitted C of all functions that the compiler takes; drops the others from the batch.
fn accepted(disk: &Disk, dir: &Path, batch: &mut Batch) -> String {
    let path = dir.join("random.cyc");
    let mut rounds = 0;
    loop {
        rounds += 1;
        assert!(rounds < 50, "rejected functions do not become fewer");
        let (text, places) = program(batch);
        std::fs::write(&path, &text).unwrap_or_else(|error| panic!("{error}"));
        let mut map = SourceMap::new();
        let sink = Sink::new();
        let settings = Settings::default();
        let mut shown = String::new();
        let name = path.display().to_string();
        let result = front(disk, &disk.home, &name, &settings, &mut map, &sink, &mut shown);
        let errors: Vec<_> = sink.take().into_iter().filter(|d| d.is_error()).collect();
        if let (Ok(program), true) = (result, errors.is_empty()) {
            return tenure_emit::emit(&program, &map, &tenure_emit::EmitOptions::default());
        }
        let before = batch.kept.len();
        for error in &errors {
            let line = map.line(error.primary.span).map_or(0, |(_, line)| line);
            let at = places.iter().find(|(_, lines)| lines.contains(&line));
            let Some((number, _)) = at else {
                panic!("{} {} in line {line} of no function", error.code, error.headline)
            };
            if std::env::var_os("TENURE_OWNERSHIP_SHOW").is_some() && !batch.functions[*number].1 {
                let text = text.lines().nth(line as usize - 1).unwrap_or_default();
                println!("f{number}: {} {}: {text}", error.code, error.headline);
                println!("{}", batch.functions[*number].0.join("\n"));
            }
            batch.kept.remove(number);
        }
        assert!(batch.kept.len() < before, "an error that is in no function");
    }
}

fn build(disk: &Disk, dir: &Path, c: &str, variant: Variant) -> PathBuf {
    let (source, program) = (dir.join("random.c"), dir.join("random"));
    std::fs::write(&source, c).unwrap_or_else(|error| panic!("{error}"));
    let mut command = Command::new(disk.cc.program());
    // What is compiled runs once: the variant's own level of optimisation would take five times as long.
    command.args(disk.cc.emitted_flags(true)).args(variant.flags()).args(["-O0", "-g0"]);
    command.arg(format!("-I{}", disk.home.runtime_include().display()));
    command.arg(&source).arg("-o").arg(&program);
    let archives = archives(&disk.home, &disk.cc, variant);
    command.args(archives.unwrap_or_else(|error| panic!("{}", error.0)));
    let output = command.args(["-lm", "-pthread"]).output();
    let output = output.unwrap_or_else(|error| panic!("{error}"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    program
}

/// A mutation may have made a loop without an end, which is nobody's memory error.
const SECONDS: &str = "20";
const OUT_OF_TIME: i32 = 124;

/// What a run reports; nothing if it is clean.
fn report(program: &Path, launcher: &[&str]) -> Option<String> {
    let mut command = Command::new("timeout");
    command.arg(SECONDS).args(launcher).arg(program);
    command.env("ASAN_OPTIONS", "detect_leaks=0:detect_stack_use_after_return=0");
    command.env("TENURE_DEBUG_LEVEL", "3");
    let output = command.output().unwrap_or_else(|error| panic!("{error}"));
    let mut said = String::from_utf8_lossy(&output.stderr).into_owned();
    let done = String::from_utf8_lossy(&output.stdout) == "done\n";
    let ended = output.status.success() && done;
    if (ended || output.status.code() == Some(OUT_OF_TIME)) && said.is_empty() {
        return None;
    }
    let _ = write!(said, "{:?}", output.status);
    Some(said)
}

fn check(disk: &Disk, seed: u64, taken: &Mutex<Taken>) {
    let temp = TempDir::new().unwrap_or_else(|error| panic!("{error}"));
    let mut batch = generate(seed);
    let c = accepted(disk, temp.path(), &mut batch);
    let mut counted = Taken::default();
    for (number, (_, mutated)) in batch.functions.iter().enumerate() {
        let counts = if *mutated { &mut counted.mutated } else { &mut counted.sound };
        counts[usize::from(batch.kept.contains(&number))] += 1;
    }
    if let Ok(mut taken) = taken.lock() {
        for at in 0..2 {
            taken.sound[at] += counted.sound[at];
            taken.mutated[at] += counted.mutated[at];
        }
    }
    let program = build(disk, temp.path(), &c, Variant::Sanitized);
    let mut said = report(&program, &[]);
    if said.is_none() && std::env::var_os("TENURE_OWNERSHIP_VALGRIND").is_some() {
        let program = build(disk, temp.path(), &c, Variant::Release);
        said = report(&program, &["valgrind", "-q", "--error-exitcode=9"]);
    }
    if let Some(said) = said {
        let kept = std::env::temp_dir().join(format!("tenure-ownership-{seed}.cyc"));
        let _ = std::fs::copy(temp.path().join("random.cyc"), &kept);
        panic!("seed {seed}, see {}:\n{said}", kept.display());
    }
}

#[test]
fn what_is_accepted_runs_clean() {
    let programs = from_environment("TENURE_OWNERSHIP_PROGRAMS", 2000);
    let first = from_environment("TENURE_OWNERSHIP_SEED", 1);
    let taken: Taken = for_each(first..first + programs.div_ceil(BATCH as u64), None, check);
    println!("(rejected, accepted): {taken:?}");
    let [rejected, accepted] = taken.sound;
    assert!(accepted > rejected * 20, "the generator's own programs are rejected: {taken:?}");
    let [rejected, accepted] = taken.mutated;
    assert!(rejected > accepted / 10 && accepted > 0, "mutations change nothing: {taken:?}");
}
