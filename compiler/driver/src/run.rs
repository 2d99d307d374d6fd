//! The commands of our own: `run`, `build`, `check`, `plot`, `explain`.

use crate::link::{self, Failed};
use crate::pipeline;
use crate::plot;
use crate::settings::{kind_of, Kind, Settings};
use crate::world::Disk;
use std::io::Write;
use std::os::fd::AsRawFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit status when the program is wrong.
pub(crate) const WRONG_PROGRAM: i32 = 1;
/// Exit status when the command is wrong, or cannot be carried out.
pub(crate) const WRONG_COMMAND: i32 = 2;

/// Whether standard output took everything.
static IS_PRINTED: AtomicBool = AtomicBool::new(true);

/// Standard output; a reader that went away is no reason to complain.
pub(crate) fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush()) else { return };
    let is_lost = error.kind() != std::io::ErrorKind::BrokenPipe;
    if is_lost && IS_PRINTED.swap(false, Ordering::Relaxed) {
        complain(&format!("cannot write: {}", pipeline::io_text(&error)));
    }
}

/// The exit status of a command, which did not do its work if its output is lost.
pub(crate) fn with_output(status: i32) -> i32 {
    crate::world::finish_sarif();
    match status {
        0 if !IS_PRINTED.load(Ordering::Relaxed) => WRONG_COMMAND,
        status => status,
    }
}

/// Standard error, which may be closed.
pub(crate) fn say(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// Says why a command was not carried out.
pub(crate) fn complain(text: &str) {
    say(&format!("tenure: {text}\n"));
}

pub(crate) fn status(result: Result<(), Failed>) -> i32 {
    match result {
        Ok(()) | Err(Failed::Done) => 0,
        Err(Failed::Reported) => WRONG_PROGRAM,
        Err(Failed::System(text)) => {
            complain(&text);
            WRONG_COMMAND
        }
    }
}

/// Says which files of a command line cannot be read. `-` is standard input.
pub(crate) fn unreadable(files: &[String]) -> bool {
    let mut found = false;
    for file in files.iter().filter(|file| *file != "-") {
        let why = match std::fs::File::open(file) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                format!("there is no file `{file}`")
            }
            Err(error) => format!("cannot read `{file}`: {}", pipeline::io_text(&error)),
            Ok(_) if Path::new(file).is_dir() => format!("`{file}` is a directory"),
            Ok(_) => continue,
        };
        complain(&why);
        found = true;
    }
    found
}

/// `tenure build`.
pub(crate) fn build(
    world: &Disk,
    files: &[String],
    settings: &Settings,
    output: Option<&Path>,
) -> i32 {
    let default = default_output(files);
    status(link::program(world, files, settings, output.unwrap_or(&default)))
}

/// The first source file's name without its extension; never the file itself.
fn default_output(files: &[String]) -> PathBuf {
    let first = files.iter().find(|f| kind_of(f) != Kind::Other).or(files.first());
    let stem = first.and_then(|f| Path::new(f).file_stem()).unwrap_or_else(|| "a".as_ref());
    let path = PathBuf::from(stem);
    if files.iter().any(|f| Path::new(f) == path) {
        path.with_extension("out")
    } else {
        path
    }
}

/// `tenure run`: the program's exit status. The runtime writes the trace.
pub(crate) fn run(
    world: &Disk,
    files: &[String],
    settings: &Settings,
    args: &[String],
    memory_trace: Option<&Path>,
) -> i32 {
    let temp = match link::temporary() {
        Ok(temp) => temp,
        Err(failed) => return status(Err(failed)),
    };
    let program = temp.path().join("program");
    if let Err(failed) = link::program(world, files, settings, &program) {
        return status(Err(failed));
    }
    crate::world::finish_sarif();
    let trace = memory_trace.map(|file| ("TENURE_MEMORY_TRACE", file));
    let why = |error: std::io::Error| {
        Failed::System(format!("cannot run the program: {}", pipeline::io_text(&error)))
    };
    // A sanitizer's report names lines, which it looks up in the program's file.
    if settings.sanitize || !Path::new("/proc/self/fd").exists() {
        return match Command::new(&program).args(args).envs(trace).status() {
            Ok(status) => status.code().or_else(|| status.signal().map(|n| 128 + n)).unwrap_or(1),
            Err(error) => status(Err(why(error))),
        };
    }
    // The program takes this process's place: its signals and its status are its own, and nothing of it is left behind.
    let file = match std::fs::File::open(&program) {
        Ok(file) => file,
        Err(error) => return status(Err(why(error))),
    };
    drop(temp);
    let mut command = Command::new(format!("/proc/self/fd/{}", file.as_raw_fd()));
    command.arg0(&program).args(args).envs(trace);
    status(Err(why(command.exec())))
}

/// `tenure check`.
pub(crate) fn check(world: &Disk, files: &[String], settings: &Settings) -> i32 {
    let mut worst = 0;
    let mut settings = Settings {
        check_only: settings.emit.is_none(),
        whole_program: files.len() == 1,
        ..settings.clone()
    };
    for (number, file) in files.iter().enumerate() {
        settings.is_last = number + 1 == files.len();
        if kind_of(file) == Kind::Other {
            complain(&format!("`{file}` is no source file: names end in .cyc or .c"));
            worst = worst.max(WRONG_COMMAND);
            continue;
        }
        let result = link::to_c_printing(world, file, &settings).map(|_| ());
        worst = worst.max(status(result));
    }
    worst
}

/// `tenure plot`: the picture stands beside the trace unless `output` says otherwise.
pub(crate) fn plot(trace: &Path, output: Option<&Path>) -> i32 {
    let default = trace.with_extension("svg");
    let output = output.unwrap_or(&default);
    let why = |path: &Path, error: &std::io::Error| {
        Failed::System(format!("{}: {}", path.display(), pipeline::io_text(error)))
    };
    let draw = || {
        let text = std::fs::read_to_string(trace).map_err(|error| why(trace, &error))?;
        let title = trace.file_stem().unwrap_or_default().to_string_lossy();
        let picture = plot::svg(&text, &title)
            .map_err(|error| Failed::System(format!("{}: {error}", trace.display())))?;
        std::fs::write(output, picture).map_err(|error| why(output, &error))
    };
    status(draw())
}

/// `tenure explain CODE`.
pub(crate) fn explain(code: &str) -> i32 {
    match tenure_span::explain(&code.to_uppercase()) {
        Some(page) => {
            print(page);
            0
        }
        None => {
            complain(&format!("there is no diagnostic `{code}`; codes look like E0301 or W0701"));
            WRONG_COMMAND
        }
    }
}
