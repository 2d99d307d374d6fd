//! Ordinary C compiles as it stands, or with annotations that vanish under a C compiler, and does what cc's program does:
//! optimised or not, with checks or without.

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn main() {
    let args = Arguments::from_args();
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let mut programs: Vec<PathBuf> = std::fs::read_dir(&dir)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "c"))
        .collect();
    programs.sort();
    let trial = |path: PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Trial::test(name, move || agrees(&path).map_err(Failed::from))
    };
    libtest_mimic::run(&args, programs.into_iter().map(trial).collect()).exit();
}

const BUILDS: &[&[&str]] = &[&["-O0"], &["-O2"], &["-O2", "--no-checks"]];

fn agrees(path: &Path) -> Result<(), String> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let dir = std::env::temp_dir().join(format!("tenure-c-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&dir).map_err(|error| error.to_string())?;
    let result = compare(path, &dir);
    std::fs::remove_dir_all(&dir).map_err(|error| error.to_string())?;
    result
}

fn compare(path: &Path, dir: &Path) -> Result<(), String> {
    let program = dir.join("program");
    let source = path.display().to_string();
    let output = program.display().to_string();
    build("cc", &["-std=c11", "-O1", "-w", &source, "-o", &output, "-lm"])?;
    let wanted = run(&program, path)?;
    // The same program is accepted by the safe language at every level, so one check-only run says most.
    for flags in BUILDS {
        let mut args = vec!["build"];
        args.extend(*flags);
        args.extend([source.as_str(), "-o", &output, "-lm"]);
        build(env!("CARGO_BIN_EXE_tenure"), &args)?;
        let got = run(&program, path)?;
        if got.stdout != wanted.stdout || got.status.code() != wanted.status.code() {
            return Err(format!(
                "{flags:?}: exit status {:?}, expected {:?}\n{}expected\n{}{}",
                got.status.code(),
                wanted.status.code(),
                String::from_utf8_lossy(&got.stdout),
                String::from_utf8_lossy(&wanted.stdout),
                String::from_utf8_lossy(&got.stderr),
            ));
        }
    }
    Ok(())
}

fn build(program: &str, args: &[&str]) -> Result<(), String> {
    let output = Command::new(program).args(args).output().map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{program} {}:\n{}", args.join(" "), String::from_utf8_lossy(&output.stderr)))
}

fn run(program: &Path, source: &Path) -> Result<Output, String> {
    let stdin = match std::fs::File::open(source.with_extension("in")) {
        Ok(file) => Stdio::from(file),
        Err(_) => Stdio::null(),
    };
    Command::new(program).stdin(stdin).output().map_err(|error| error.to_string())
}
