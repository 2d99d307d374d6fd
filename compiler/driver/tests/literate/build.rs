//! Compiling, running and comparing programs of tests.

use crate::markdown::{Case, Kind};
use crate::world::{TestWorld, FILE};
use std::ffi::OsStr;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tenure_driver::{archives, to_c, Cc, Disk, Settings, TempDir, Variant};

/// A way to build the same program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Build {
    pub name: &'static str,
    pub flags: &'static [&'static str],
    pub no_checks: bool,
    /// Checks that were proved run, too.
    pub verify_proofs: bool,
    pub variant: Variant,
    /// What runs the program, if this machine cannot.
    pub runner: &'static [&'static str],
}

pub const PLAIN: Build = Build {
    name: "-O0",
    flags: &["-O0"],
    no_checks: false,
    verify_proofs: false,
    variant: Variant::Release,
    runner: &[],
};

/// Beside the plain build, when all are asked for.
pub const FURTHER: &[Build] = &[
    Build {
        name: "-O2",
        flags: &["-O2"],
        no_checks: false,
        verify_proofs: false,
        variant: Variant::Release,
        runner: &[],
    },
    Build {
        name: "--no-checks",
        flags: &["-O2"],
        no_checks: true,
        verify_proofs: false,
        variant: Variant::Release,
        runner: &[],
    },
    Build {
        name: "--verify-proofs",
        flags: &["-O0"],
        no_checks: false,
        verify_proofs: true,
        variant: Variant::Release,
        runner: &[],
    },
    Build {
        name: "sanitized",
        flags: &[],
        no_checks: false,
        verify_proofs: false,
        variant: Variant::Sanitized,
        runner: &[],
    },
];

/// Another machine's code, by its cc (see `foreign_cc`), run by an emulator.
pub const FOREIGN: Build = Build {
    name: "aarch64",
    flags: &["-O2"],
    no_checks: false,
    verify_proofs: false,
    variant: Variant::Release,
    runner: &["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"],
};

/// Cases that are built for the other machine too: what depends on layouts, on how values are passed, on the runtime's own jumps.
pub const FOREIGN_CASES: &[&str] = &[
    "tests/c11/bit_fields.md",
    "tests/c11/numbers.md",
    "tests/c11/varargs.md",
    "tests/data/structs.md",
    "tests/data/words.md",
    "tests/exceptions/exceptions.md",
    "tests/lib/printf.md",
    "tests/lib/regions.md",
    "tests/pointers/fat_variants.md",
    "tests/regions/exits.md",
];

/// The cc for aarch64, if that and the emulator are here.
pub fn foreign_cc() -> Option<Cc> {
    let emulator = Command::new(FOREIGN.runner[0]).arg("--version").output();
    emulator.ok().filter(|output| output.status.success())?;
    Cc::at("aarch64-linux-gnu-gcc")
}

const SECONDS: u64 = 300;

/// Builds and runs a case and compares what it does; the differences.
pub fn check(disk: &Disk, case: &Case, build: &Build) -> Result<(), String> {
    let temp = TempDir::new().map_err(|error| error.to_string())?;
    for (name, text) in &case.files {
        std::fs::write(temp.path().join(name), text).map_err(|error| error.to_string())?;
    }
    let program = compile(disk, case, build, temp.path())?;
    let ran = run(&program, build.runner, case)?;
    compare(case, &ran)
}

/// Flags of `tenure` in a case, as settings.
pub fn settings(case: &Case) -> Settings {
    let mut settings = Settings::default();
    for flag in &case.flags {
        match flag.as_str() {
            "--cyclone1" => settings.cyclone1 = true,
            "--no-checks" => settings.no_checks = true,
            flag => match flag.strip_prefix("-W") {
                Some(warning) => drop(settings.warnings.option(warning)),
                None => settings.cpp_args.push(flag.to_string()),
            },
        }
    }
    settings
}

/// The emitted C of a unit of a case.
pub fn emitted(
    disk: &Disk,
    case: &Case,
    unit: &str,
    dir: &Path,
    build: &Build,
) -> Result<String, String> {
    let world = TestWorld::new(disk, case, Some(dir));
    let mut settings = settings(case);
    settings.no_checks |= build.no_checks;
    settings.verify_proofs = build.verify_proofs;
    // As `tenure run` does with one file.
    let unit_of_ours = |name: &String| name.ends_with(".cyc") || name.ends_with(".c");
    settings.whole_program = !case.files.iter().any(|(name, _)| unit_of_ours(name));
    let mut shown = String::new();
    to_c(&world, &disk.home, unit, &settings, &mut shown)
        .map_err(|_| format!("it was rejected:\n{}", world.rendered.borrow()))
}

fn compile(disk: &Disk, case: &Case, build: &Build, dir: &Path) -> Result<PathBuf, String> {
    let mut inputs: Vec<String> = Vec::new();
    let units = std::iter::once(FILE).chain(
        case.files.iter().map(|(name, _)| name.as_str()).filter(|name| name.ends_with(".cyc")),
    );
    for (number, unit) in units.enumerate() {
        let text = emitted(disk, case, unit, dir, build)?;
        let path = dir.join(format!("unit{number}.c"));
        std::fs::write(&path, text).map_err(|error| error.to_string())?;
        inputs.push(path.display().to_string());
    }
    let plain = case.files.iter().filter(|(name, _)| name.ends_with(".c"));
    inputs.extend(plain.map(|(name, _)| dir.join(name).display().to_string()));
    let program = dir.join("program");
    let mut command = Command::new(disk.cc.program());
    let flags = disk.cc.emitted_flags(!build.no_checks).filter(|flag| *flag != "-w");
    command.args(flags).args(build.flags);
    if let (true, Some(level)) = (build.name == PLAIN.name, &case.optimize) {
        command.arg(format!("-O{level}"));
    }
    if build.variant == Variant::Sanitized {
        command.args(build.variant.flags());
    }
    // Without checks cc may see that an access is out of bounds, and say so.
    if !build.no_checks {
        command.args(["-Wall", "-Wextra"]);
    } else {
        command.arg("-w");
    }
    command.arg(format!("-I{}", disk.home.runtime_include().display()));
    command.args(&inputs).arg("-o").arg(&program);
    command.args(archives(&disk.home, &disk.cc, build.variant).map_err(|error| error.0)?);
    command.args(["-lm", "-pthread"]);
    let output = command.output().map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        return Err(format!("cc rejects the emitted C ({}):\n{said}", build.name));
    }
    if !said.is_empty() {
        return Err(format!("the emitted C draws warnings ({}):\n{said}", build.name));
    }
    Ok(program)
}

/// What clang says about the emitted C of a case.
pub fn clang_warnings(disk: &Disk, case: &Case) -> Result<(), String> {
    let temp = TempDir::new().map_err(|error| error.to_string())?;
    for (name, text) in &case.files {
        std::fs::write(temp.path().join(name), text).map_err(|error| error.to_string())?;
    }
    let text = emitted(disk, case, FILE, temp.path(), &PLAIN)?;
    let path = temp.path().join("unit.c");
    std::fs::write(&path, text).map_err(|error| error.to_string())?;
    let output = Command::new("clang")
        .args(["-std=c11", "-fwrapv", "-Wall", "-Wextra", "-fsyntax-only"])
        .arg(format!("-I{}", disk.home.runtime_include().display()))
        .arg(&path)
        .output()
        .map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if said.is_empty() {
        Ok(())
    } else {
        Err(format!("clang says of the emitted C:\n{said}"))
    }
}

struct Ran {
    status: Option<i32>,
    stdout: String,
    stderr: String,
}

fn run(program: &Path, runner: &[&str], case: &Case) -> Result<Ran, String> {
    let mut words: Vec<&OsStr> = runner.iter().map(OsStr::new).collect();
    words.push(program.as_os_str());
    let mut child = Command::new(words[0])
        .args(&words[1..])
        .args(&case.args)
        .current_dir(program.parent().unwrap_or(Path::new(".")))
        .env("ASAN_OPTIONS", "detect_leaks=0:detect_stack_use_after_return=0")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    if let Some(mut stdin) = child.stdin.take() {
        // A program need not read its input.
        let _ = stdin.write_all(case.input.as_bytes());
    }
    let stdout = reader(child.stdout.take());
    let stderr = reader(child.stderr.take());
    let end = Instant::now() + Duration::from_secs(SECONDS);
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if Instant::now() < end => std::thread::sleep(Duration::from_millis(1)),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("it did not end within {SECONDS} seconds"));
            }
        }
    };
    let text = |thread: std::thread::JoinHandle<Vec<u8>>| {
        String::from_utf8_lossy(&thread.join().unwrap_or_default()).into_owned()
    };
    Ok(Ran { status: status.code(), stdout: text(stdout), stderr: text(stderr) })
}

/// Reads a pipe to its end beside the program, which would stop if it were full.
fn reader(pipe: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
    })
}

fn compare(case: &Case, ran: &Ran) -> Result<(), String> {
    let (want, stream, got, status) = match &case.kind {
        Kind::Run { output, status } => (output, "standard output", &ran.stdout, *status),
        Kind::Raise { stderr, status } => (stderr, "standard error", &ran.stderr, *status),
        Kind::Reject | Kind::Accept => return Ok(()),
    };
    let mut out = String::new();
    if ran.status != Some(status) {
        out.push_str(&format!("exit status {:?}, expected {status}\n", ran.status));
    }
    if want.as_ref().is_some_and(|want| want != got) {
        let want = want.as_deref().unwrap_or_default();
        out.push_str(&format!("{stream} is\n{got}expected\n{want}"));
    }
    if out.is_empty() {
        return Ok(());
    }
    if stream == "standard output" && !ran.stderr.is_empty() {
        out.push_str(&format!("standard error:\n{}", ran.stderr));
    }
    Err(out)
}
