//! From emitted C to objects and programs.

use crate::cc::{Cc, CcError};
use crate::home::Home;
use crate::library::{archives, Variant};
use crate::pipeline::{self, Stop};
use crate::preprocess::Preprocess;
use crate::settings::{kind_of, Kind, Settings};
use crate::temp::TempDir;
use crate::world::{Disk, World};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use tenure_span::{render_human, Diagnostic, SourceMap};

/// Why there is no object or program.
#[derive(Debug)]
pub(crate) enum Failed {
    /// What was asked for instead is printed.
    Done,
    /// Errors of the program, reported already.
    Reported,
    /// cc or the system does not do its part.
    System(String),
}

impl From<CcError> for Failed {
    fn from(error: CcError) -> Failed {
        Failed::System(error.0)
    }
}

/// Compiles source files to objects and links them with the other files.
pub(crate) fn program(
    world: &Disk,
    files: &[String],
    settings: &Settings,
    output: &Path,
) -> Result<(), Failed> {
    let settings = &Settings { whole_program: is_whole(files, settings), ..settings.clone() };
    let temp = temporary()?;
    let mut objects: Vec<String> = Vec::new();
    let mut stop = None;
    for (number, file) in files.iter().enumerate() {
        if kind_of(file) == Kind::Other {
            objects.push(file.clone());
            continue;
        }
        let object = temp.path().join(format!("{number}.o"));
        // All files are checked, so that one run shows the errors of all.
        match object_of(world, file, settings, &object, temp.path()) {
            Ok(()) => objects.push(object.display().to_string()),
            Err(failed @ Failed::System(_)) => return Err(failed),
            Err(failed) => stop = Some(failed),
        }
    }
    match stop {
        Some(failed) => Err(failed),
        None => link(world, &objects, settings, output),
    }
}

/// Whether nothing but one source file and the libraries that every program is linked with makes the program: what is
/// in any other may call the functions of that file and use its variables.
fn is_whole(files: &[String], settings: &Settings) -> bool {
    const EVERYWHERE: &[&str] = &["-lm", "-lc", "-lpthread", "-ldl", "-lrt"];
    let known = |arg: &String| EVERYWHERE.contains(&arg.as_str());
    files.len() == 1
        && settings.link_args.iter().all(known)
        && std::env::var_os("LIBRARY_PATH").is_none()
}

/// One source file to one object file.
pub(crate) fn object_of(
    world: &Disk,
    file: &str,
    settings: &Settings,
    object: &Path,
    temp: &Path,
) -> Result<(), Failed> {
    let c = temp.join(c_name(file));
    let text = to_c_printing(world, file, settings)?;
    std::fs::write(&c, text).map_err(|error| write_failed(&c, &error))?;
    let mut args = vec!["-c".to_string()];
    args.extend(compile_args(world, settings, temp));
    args.extend([c.display().to_string(), "-o".to_string(), object.display().to_string()]);
    run_cc(&world.cc, &args, file)
}

/// The phases, with what `--emit` and the lists ask for on standard output.
pub(crate) fn to_c_printing(
    world: &Disk,
    file: &str,
    settings: &Settings,
) -> Result<String, Failed> {
    let mut shown = String::new();
    let result = pipeline::to_c(world, &world.home, file, settings, &mut shown);
    crate::run::print(&shown);
    result.map_err(|stop| match stop {
        Stop::Done => Failed::Done,
        Stop::Errors => Failed::Reported,
    })
}

/// What cc is told to compile emitted C.
pub(crate) fn compile_args(world: &Disk, settings: &Settings, temp: &Path) -> Vec<String> {
    let mut args = settings.cc_args.clone();
    // Behind the user's own, so that none of those opens what these close.
    args.extend(world.cc.emitted_flags(!settings.no_checks).map(str::to_string));
    // No path of a temporary file gets into the debug information.
    args.push(format!("-ffile-prefix-map={}=.", temp.display()));
    args.push(format!("-I{}", world.home.runtime_include().display()));
    if settings.sanitize {
        args.extend(Variant::Sanitized.flags().iter().map(ToString::to_string));
    }
    args
}

/// Runs cc on text of ours: what it says is a mistake of ours, or of the flags that it was given.
pub(crate) fn run_cc(cc: &Cc, args: &[String], file: &str) -> Result<(), Failed> {
    let output = cc.output(args)?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).trim_end().to_string();
    Err(Failed::System(format!("`{}` failed on the C emitted for {file}:\n{said}", cc.name())))
}

/// Links objects and archives with the library and the runtime.
pub(crate) fn link(
    world: &Disk,
    objects: &[String],
    settings: &Settings,
    output: &Path,
) -> Result<(), Failed> {
    let mut args: Vec<String> = objects.to_vec();
    if settings.sanitize {
        args.extend(Variant::Sanitized.flags().iter().map(ToString::to_string));
    }
    args.extend(settings.cc_args.iter().cloned());
    args.extend(settings.link_args.iter().cloned());
    args.extend(library_args(world, settings)?);
    args.extend(["-o".to_string(), output.display().to_string()]);
    crate::signatures::link(world, &args, settings)
}

/// The archives and libraries at the end of a linker's command line.
pub(crate) fn library_args(world: &Disk, settings: &Settings) -> Result<Vec<String>, Failed> {
    let variant = Variant::of(settings);
    let mut args: Vec<String> = Vec::new();
    if settings.collector {
        let collector = crate::library::collector(&world.home, &world.cc, variant)?;
        // Taken although nothing has asked yet, so that it comes before the runtime's own.
        args.push("-Wl,--undefined=tn_source_take".to_string());
        args.push(collector.display().to_string());
    }
    let archives = archives(&world.home, &world.cc, variant)?;
    args.extend(archives.iter().map(|path| path.display().to_string()));
    if settings.collector {
        args.push("-lgc".to_string());
    }
    args.extend(["-lm".to_string(), "-pthread".to_string()]);
    Ok(args)
}

/// The disk, but diagnostics are kept: those of the library are not about the user's program.
struct Quiet(Disk, RefCell<String>);

impl World for Quiet {
    fn read(&self, path: &str) -> std::io::Result<String> {
        self.0.read(path)
    }

    fn preprocess(
        &self,
        request: &Preprocess<'_>,
        map: &mut SourceMap,
    ) -> Result<String, Vec<Diagnostic>> {
        self.0.preprocess(request, map)
    }

    fn is_arm64(&self) -> bool {
        self.0.is_arm64()
    }

    fn report(&self, diagnostics: &[Diagnostic], map: &SourceMap, _: &Settings) {
        for diagnostic in diagnostics.iter().filter(|diagnostic| diagnostic.is_error()) {
            self.1.borrow_mut().push_str(&render_human(diagnostic, map, false));
        }
    }
}

/// The C of one file of the library, for the archives; what is wrong with it as text.
pub(crate) fn emit_file(
    home: &Home,
    cc: &Cc,
    source: &Path,
    c: &Path,
    settings: &Settings,
) -> Result<(), String> {
    let world = Quiet(Disk { cc: cc.clone(), home: home.clone() }, RefCell::default());
    let mut shown = String::new();
    let path = source.display().to_string();
    let text = pipeline::to_c(&world, home, &path, settings, &mut shown)
        .map_err(|_| world.1.borrow().clone())?;
    std::fs::write(c, text).map_err(|error| error.to_string())
}

pub(crate) fn temporary() -> Result<TempDir, Failed> {
    TempDir::new().map_err(|error| {
        let why = pipeline::io_text(&error);
        let dir = std::env::temp_dir();
        Failed::System(format!("cannot make a temporary directory in {}: {why}", dir.display()))
    })
}

pub(crate) fn write_failed(path: &Path, error: &std::io::Error) -> Failed {
    Failed::System(format!("cannot write {}: {}", path.display(), pipeline::io_text(error)))
}

/// `dir/x.cyc` gives `x.c`.
pub(crate) fn c_name(file: &str) -> PathBuf {
    let stem = Path::new(file).file_stem().unwrap_or_else(|| "unit".as_ref());
    PathBuf::from(stem).with_extension("c")
}
