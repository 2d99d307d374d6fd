//! What is asked about each program that the compiler accepts.
//!
//! - The compiler does not panic, nor break core's own rules.
//! - The interpreter of core finds no access outside of an object, no read of what nobody wrote, and no proved check
//!   that fails.
//! - cc takes the emitted C. Without optimisation, with the proved checks kept and under AddressSanitizer and UBSan,
//!   and optimised without those checks, the program prints what the interpreter does.

use crate::batch::{Batch, Places};
use crate::machine::{Machine, Outcome};
use crate::seeds::from_environment;
use crate::units;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tenure_core::{Check, CheckStatus, Program, VisitorMut};
use tenure_driver::{archives, front, Disk, Settings, TempDir, Variant};
use tenure_emit::EmitOptions;
use tenure_span::{Sink, SourceMap};

/// Which questions are asked.
#[derive(Clone, Copy, Debug)]
pub struct Oracles {
    pub interpret: bool,
    pub sanitized: bool,
    pub optimised: bool,
    /// Nothing else calls what the program defines.
    pub whole_program: bool,
    /// Also as separate units.
    pub units: bool,
    /// Which disagreement of units is tried.
    pub number: u64,
    /// Steps of the interpreter.
    pub steps: u64,
}

/// What went wrong: the kind stays when the program is made smaller.
#[derive(Clone, Debug)]
pub struct Failure {
    pub kind: String,
    pub said: String,
}

/// What was counted over all programs.
#[derive(Default, Debug)]
pub struct Tally {
    pub batches: usize,
    /// Rejected and accepted functions, as generated and as mutated.
    pub sound: [usize; 2],
    pub mutated: [usize; 2],
    /// Rejected and accepted functions by feature; mutated ones are not counted.
    pub features: BTreeMap<&'static str, [usize; 2]>,
    /// Errors in functions that were not mutated, by code, and one of them.
    pub errors: BTreeMap<String, (usize, String)>,
    pub checks: usize,
    pub proved: usize,
    pub proved_run: u64,
    /// Programs that were also interpreted, and built.
    pub interpreted: usize,
    /// Programs for which the interpreter's steps did not suffice.
    pub tired: usize,
    pub built: usize,
    /// Programs on which cc ended with an internal error of its own.
    pub cc_failed: usize,
    /// Programs that were also built as units, linked in every order.
    pub apart: usize,
    /// What the interpreter does not know.
    pub unknown: BTreeSet<String>,
}

pub fn failure(kind: &str, said: impl Into<String>) -> Failure {
    Failure { kind: kind.to_string(), said: said.into() }
}

/// A program that was accepted.
pub struct Accepted {
    pub program: Program,
    pub map: SourceMap,
}

/// The compiler's opinion of a text: core, or the errors with their lines.
pub fn compiled(
    disk: &Disk,
    path: &Path,
    whole_program: bool,
) -> Result<Result<Accepted, Vec<(String, u32)>>, Failure> {
    let run = || {
        let mut map = SourceMap::new();
        let sink = Sink::new();
        let settings = Settings { whole_program, ..Settings::default() };
        let name = path.display().to_string();
        let result = front(disk, &disk.home, &name, &settings, &mut map, &sink, &mut String::new());
        let errors: Vec<(String, u32)> = sink
            .take()
            .into_iter()
            .filter(|diagnostic| diagnostic.is_error())
            .map(|error| {
                let line = map.line(error.primary.span).map_or(0, |(_, line)| line);
                (format!("{} {}", error.code, error.headline), line)
            })
            .collect();
        match (result, errors.is_empty()) {
            (Ok(program), true) => Ok(Accepted { program, map }),
            _ => Err(errors),
        }
    };
    let result = catch_unwind(AssertUnwindSafe(run));
    let result = result.map_err(|_| failure("panic", "the compiler panics"))?;
    if let Err(errors) = &result {
        if let Some((internal, line)) = errors.iter().find(|(text, _)| text.starts_with("E0901")) {
            return Err(failure("internal error", format!("line {line}: {internal}")));
        }
    }
    Ok(result)
}

fn function_at(places: &Places, line: u32) -> Option<usize> {
    places.iter().find(|(_, lines)| lines.contains(&line)).map(|(number, _)| *number)
}

/// Whether an error says of a name that its declaration is not right.
fn is_about(error: &str, name: &str) -> bool {
    const CODES: &[&str] = &["E0249", "E0108", "E0208", "E0203"];
    CODES.iter().any(|code| error.starts_with(code)) && error.contains(&format!("`{name}`"))
}

/// Drops the functions that the compiler rejects.
pub fn accepted(
    disk: &Disk,
    path: &Path,
    batch: &mut Batch,
    whole_program: bool,
    errors: &mut BTreeMap<String, (usize, String)>,
) -> Result<Accepted, Failure> {
    loop {
        let (text, places) = batch.text();
        std::fs::write(path, &text).map_err(|error| failure("disk", error.to_string()))?;
        let found = match compiled(disk, path, whole_program)? {
            Ok(accepted) => return Ok(accepted),
            Err(found) => found,
        };
        // One that a header declares is C's, and no program's own.
        let declared = |taken: &str| found.iter().any(|(error, _)| is_about(error, taken));
        if let Some(at) = batch.names.iter().position(|(_, taken)| declared(taken)) {
            batch.names.remove(at);
            continue;
        }
        // A macro may have made another name of it.
        let outside = found.iter().find(|(_, line)| function_at(&places, *line).is_none());
        if outside.is_some_and(|(error, _)| error.starts_with("E0208")) && !batch.names.is_empty() {
            batch.names.clear();
            continue;
        }
        let before = batch.kept.len();
        for (error, line) in &found {
            let Some(number) = function_at(&places, *line) else {
                return Err(failure("declarations", format!("line {line}: {error}")));
            };
            if !batch.functions[number].mutated {
                let code = error.split(' ').next().unwrap_or_default();
                let (count, example) = errors.entry(code.to_string()).or_default();
                *count += 1;
                *example =
                    format!("{error}: {}", text.lines().nth(*line as usize - 1).unwrap_or(""));
            }
            batch.kept.remove(&number);
        }
        if batch.kept.len() == before || batch.kept.is_empty() {
            return Err(failure("rejected", format!("{found:?}")));
        }
    }
}

/// Keeps the proved checks.
struct Verify;

impl VisitorMut for Verify {
    fn check(&mut self, check: &mut Check) {
        if let CheckStatus::Proved(fact) = &check.status {
            check.status = CheckStatus::Verified(fact.clone());
        }
    }
}

fn verified(program: &mut Program) {
    for function in &mut program.functions {
        Verify.block(&mut function.body);
    }
}

/// What a program printed, or what ended it.
pub fn ran(program: &Path) -> Result<String, Failure> {
    let mut command = Command::new("timeout");
    command.arg("60").arg(program);
    command.env("ASAN_OPTIONS", "detect_leaks=0").env("TENURE_DEBUG_LEVEL", "3");
    let Output { status, stdout, stderr } =
        command.output().map_err(|error| failure("disk", error.to_string()))?;
    let said = String::from_utf8_lossy(&stderr);
    if status.success() && said.is_empty() {
        return Ok(String::from_utf8_lossy(&stdout).into_owned());
    }
    let kind = if said.contains("AddressSanitizer") {
        "AddressSanitizer"
    } else if said.contains("runtime error") {
        "UBSan"
    } else if said.contains("proved") {
        "proof"
    } else {
        "status"
    };
    let text: Vec<&str> = said.lines().take(24).collect();
    Err(failure(kind, format!("{status}\n{}", text.join("\n"))))
}

/// What another version of the compiler makes of the program: it shows which mistakes of that version a generator finds.
fn with_another(tenure: &Path, dir: &Path, source: &Path, expected: &str) -> Result<(), Failure> {
    let program = dir.join("another");
    let mut command = Command::new(tenure);
    command.arg("build").arg(source).arg("-o").arg(&program).arg("-O2");
    command.env_remove("TENURE_HOME");
    let built = succeeded(command.env("XDG_CACHE_HOME", std::env::temp_dir().join("another")));
    built.map_err(|said| Failure { kind: "another: build".to_string(), ..said })?;
    equal("another: meaning", expected, &ran(&program)?)
}

/// valgrind finds nothing wrong with a program.
fn valgrind(program: &Path) -> Result<(), Failure> {
    let mut command = Command::new("timeout");
    command.args(["600", "valgrind", "-q", "--error-exitcode=9"]).arg(program);
    succeeded(&mut command).map_err(|said| Failure { kind: "valgrind".to_string(), ..said })
}

/// The emitted C, compiled and linked.
pub fn built(
    disk: &Disk,
    dir: &Path,
    c: &str,
    variant: Variant,
    flags: &[&str],
) -> Result<PathBuf, Failure> {
    let (source, program) = (dir.join("emitted.c"), dir.join("emitted"));
    std::fs::write(&source, c).map_err(|error| failure("disk", error.to_string()))?;
    let mut command = Command::new(disk.cc.program());
    command.args(disk.cc.emitted_flags(true)).args(variant.flags()).args(flags).arg("-w");
    command.arg(format!("-I{}", disk.home.runtime_include().display()));
    command.arg(&source).arg("-o").arg(&program);
    command.args(archives(&disk.home, &disk.cc, variant).map_err(|e| failure("disk", e.0))?);
    succeeded(command.args(["-lm", "-pthread"])).map(|()| program)
}

pub fn succeeded(command: &mut Command) -> Result<(), Failure> {
    let output = command.output().map_err(|error| failure("disk", error.to_string()))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let kind = if said.contains("internal compiler error") { CC_FAILED } else { "cc" };
    Err(failure(kind, said.lines().take(12).collect::<Vec<_>>().join("\n")))
}

/// Both printed the same, or the first line in which they differ.
fn equal(kind: &str, expected: &str, found: &str) -> Result<(), Failure> {
    if expected == found {
        return Ok(());
    }
    let differing = expected.lines().zip(found.lines()).find(|(a, b)| a != b);
    Err(failure(kind, format!("expected, found: {differing:?}")))
}

/// cc has a mistake of its own: counted, and no reason to stop.
const CC_FAILED: &str = "cc's internal error";

/// Steps of the interpreter that are enough for a program of some hundred functions.
const STEPS: u64 = 20_000_000;

impl Oracles {
    /// All of them; builds, which take by far the most time, of every so many programs as `TENURE_RANDOM_BUILD` says, of none
    /// where that is 0.
    pub fn of(seed: u64) -> Oracles {
        let every = from_environment("TENURE_RANDOM_BUILD", 1);
        let build = every != 0 && seed.is_multiple_of(every);
        // Units take six links and runs.
        let units = build && (seed / every).is_multiple_of(4);
        let number = seed / every.max(1) / 4;
        Oracles {
            interpret: true,
            sanitized: build,
            optimised: build,
            whole_program: !seed.is_multiple_of(3),
            units,
            number,
            steps: STEPS,
        }
    }

    /// All questions about a program; rejected functions are dropped from it.
    pub fn ask(&self, disk: &Disk, batch: &mut Batch, tally: &mut Tally) -> Result<(), Failure> {
        let temp = TempDir::new().map_err(|error| failure("disk", error.to_string()))?;
        let dir = temp.path();
        let (path, errors) = (dir.join("random.cyc"), &mut tally.errors);
        let mut accepted = accepted(disk, &path, batch, self.whole_program, errors)?;
        tally.count(batch, &accepted.program);
        let mut printed = None;
        if self.interpret {
            if let Some(mut machine) = Machine::new(&accepted.program, self.steps) {
                let outcome = machine.run();
                tally.proved_run += machine.proved_run;
                match outcome {
                    Outcome::Ended(text, 0) => printed = Some(text),
                    Outcome::Ended(_, status) => {
                        return Err(failure("status", format!("{status} in the interpreter")));
                    }
                    Outcome::Bug(said) => return Err(failure("interpreter", said)),
                    Outcome::Tired => {
                        tally.tired += 1;
                        return Ok(());
                    }
                    Outcome::Unknown(what) => drop(tally.unknown.insert(what)),
                }
                tally.interpreted += usize::from(printed.is_some());
            }
        }
        match self.builds(disk, dir, batch, &mut accepted, printed, tally) {
            Err(failure) if failure.kind == CC_FAILED => {
                tally.cc_failed += 1;
                Ok(())
            }
            other => other,
        }
    }

    fn builds(
        &self,
        disk: &Disk,
        dir: &Path,
        batch: &Batch,
        accepted: &mut Accepted,
        mut printed: Option<String>,
        tally: &mut Tally,
    ) -> Result<(), Failure> {
        let options = EmitOptions::default();
        if let (Some(other), Some(expected)) = (std::env::var_os("TENURE_RANDOM_OTHER"), &printed) {
            let path = dir.join("random.cyc");
            return with_another(Path::new(&other), dir, &path, expected);
        }
        if self.optimised {
            let c = tenure_emit::emit(&accepted.program, &accepted.map, &options);
            let found = ran(&built(disk, dir, &c, Variant::Release, &["-O2"])?)?;
            if let Some(expected) = &printed {
                equal("meaning at -O2", expected, &found)?;
            }
            if std::env::var_os("TENURE_RANDOM_VALGRIND").is_some() {
                valgrind(&dir.join("emitted"))?;
            }
            printed = Some(found);
            tally.built += 1;
        }
        if self.sanitized {
            verified(&mut accepted.program);
            let c = tenure_emit::emit(&accepted.program, &accepted.map, &options);
            let flags = ["-O0", "-g0"];
            let found = ran(&built(disk, dir, &c, Variant::Sanitized, &flags)?)?;
            if let Some(expected) = &printed {
                equal("meaning at -O0", expected, &found)?;
            }
        }
        if let (true, Some(expected)) = (self.units, &printed) {
            apart(disk, dir, batch, self.number, expected)?;
            tally.apart += 1;
        }
        Ok(())
    }
}

/// The program as units, linked in every order.
fn apart(
    disk: &Disk,
    dir: &Path,
    batch: &Batch,
    number: u64,
    expected: &str,
) -> Result<(), Failure> {
    let objects = units::units(batch)
        .iter()
        .enumerate()
        .map(|(number, text)| object(disk, dir, &format!("unit{number}"), text))
        .collect::<Result<Vec<_>, _>>()?;
    for order in units::ORDERS {
        let linked = order.map(|at| objects[at].as_path());
        let program = linked_with(disk, dir, &linked)?;
        let Some(program) = program else {
            return Err(failure("units", format!("do not link in the order {order:?}")));
        };
        equal("meaning of units", expected, &ran(&program)?)?;
    }
    let (differing, text) = units::disagreeing(batch, number);
    let other = object(disk, dir, "other", &text)?;
    let mut all: Vec<&Path> = objects.iter().map(PathBuf::as_path).collect();
    all.push(&other);
    match linked_with(disk, dir, &all)? {
        Some(_) => Err(failure("units", format!("one that says `{differing}` links"))),
        None => Ok(()),
    }
}

/// A unit on its own, compiled under the sanitizers.
fn object(disk: &Disk, dir: &Path, name: &str, text: &str) -> Result<PathBuf, Failure> {
    let (path, object) = (dir.join(format!("{name}.cyc")), dir.join(format!("{name}.o")));
    std::fs::write(&path, text).map_err(|error| failure("disk", error.to_string()))?;
    let mut accepted = match compiled(disk, &path, false)? {
        Ok(accepted) => accepted,
        Err(errors) => return Err(failure("unit", format!("{name}: {errors:?}"))),
    };
    verified(&mut accepted.program);
    let c = tenure_emit::emit(&accepted.program, &accepted.map, &EmitOptions::default());
    let source = dir.join(format!("{name}.c"));
    std::fs::write(&source, c).map_err(|error| failure("disk", error.to_string()))?;
    let mut command = Command::new(disk.cc.program());
    command.args(disk.cc.emitted_flags(true)).args(Variant::Sanitized.flags());
    command.args(["-O0", "-g0", "-w", "-c"]);
    command.arg(format!("-I{}", disk.home.runtime_include().display()));
    succeeded(command.arg(&source).arg("-o").arg(&object)).map(|()| object)
}

/// The program of the objects in that order, if they link.
fn linked_with(disk: &Disk, dir: &Path, objects: &[&Path]) -> Result<Option<PathBuf>, Failure> {
    let program = dir.join("linked");
    let mut command = Command::new(disk.cc.program());
    command.args(Variant::Sanitized.flags()).args(objects).arg("-o").arg(&program);
    let archives = archives(&disk.home, &disk.cc, Variant::Sanitized);
    command.args(archives.map_err(|e| failure("disk", e.0))?).args(["-lm", "-pthread"]);
    match succeeded(&mut command) {
        Ok(()) => Ok(Some(program)),
        Err(said) if said.said.contains("undefined reference to `tn.type$") => Ok(None),
        Err(said) => Err(said),
    }
}

impl Tally {
    fn count(&mut self, batch: &Batch, program: &Program) {
        self.batches += 1;
        for (number, function) in batch.functions.iter().enumerate() {
            let at = usize::from(batch.kept.contains(&number));
            if function.mutated {
                self.mutated[at] += 1;
                continue;
            }
            self.sound[at] += 1;
            for feature in &function.features {
                self.features.entry(feature).or_default()[at] += 1;
            }
        }
        let checks = tenure_analysis::count_checks(program);
        self.checks += checks.all();
        self.proved += checks.proved;
    }

    pub fn add(&mut self, other: Tally) {
        self.batches += other.batches;
        for at in 0..2 {
            self.sound[at] += other.sound[at];
            self.mutated[at] += other.mutated[at];
        }
        for (feature, counts) in other.features {
            let all = self.features.entry(feature).or_default();
            all[0] += counts[0];
            all[1] += counts[1];
        }
        for (code, (count, example)) in other.errors {
            let all = self.errors.entry(code).or_default();
            *all = (all.0 + count, example);
        }
        self.checks += other.checks;
        self.proved += other.proved;
        self.proved_run += other.proved_run;
        self.interpreted += other.interpreted;
        self.tired += other.tired;
        self.built += other.built;
        self.cc_failed += other.cc_failed;
        self.apart += other.apart;
        self.unknown.extend(other.unknown);
    }

    /// A table for people.
    pub fn report(&self) -> String {
        let mut text = format!(
            "{} programs: {} functions accepted, {} rejected; of {} mutated {} accepted; \
             {} interpreted, {} built, {} also as units, {} where cc failed; \
             {} of {} checks proved, {} proved ones run\n",
            self.batches,
            self.sound[1],
            self.sound[0],
            self.mutated[0] + self.mutated[1],
            self.mutated[1],
            self.interpreted,
            self.built,
            self.apart,
            self.cc_failed,
            self.proved,
            self.checks,
            self.proved_run,
        );
        for (feature, [rejected, accepted]) in &self.features {
            text += &format!("  {feature}: {accepted} accepted, {rejected} rejected\n");
        }
        for (count, example) in self.errors.values() {
            text += &format!("  {count} times as {example}\n");
        }
        for what in &self.unknown {
            text += &format!("  not interpreted: {what}\n");
        }
        text
    }
}
