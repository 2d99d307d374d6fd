//! The archives that every program is linked with: the runtime and the library.
//!
//! An installation has them ready. In a checkout they are built on first use, and again when a source, the compiler
//! or cc changes: each build has a directory of its own in the cache, named by all that went into it, so that
//! parallel runs never see half of one.

use crate::cc::{cache_dir, Cc, CcError};
use crate::home::Home;
use crate::settings::Settings;
use crate::temp::TempDir;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Which build of the archives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Variant {
    Release,
    /// AddressSanitizer and UBSan, for tests.
    Sanitized,
}

impl Variant {
    pub(crate) fn of(settings: &Settings) -> Variant {
        if settings.sanitize {
            Variant::Sanitized
        } else {
            Variant::Release
        }
    }

    pub fn flags(self) -> &'static [&'static str] {
        match self {
            Variant::Release => &["-O2"],
            Variant::Sanitized => SANITIZE,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Variant::Release => "release",
            Variant::Sanitized => "sanitized",
        }
    }
}

/// What cc takes for a sanitized build, also of emitted C.
pub(crate) const SANITIZE: &[&str] = &[
    "-O1",
    "-g",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=undefined",
    "-fno-omit-frame-pointer",
];

/// The archives to link, in the linker's order: the library, then the runtime that it uses.
pub fn archives(home: &Home, cc: &Cc, variant: Variant) -> Result<Vec<PathBuf>, CcError> {
    if !home.is_checkout() {
        return Ok(["libtenure-lib.a", "libtenure.a"]
            .iter()
            .map(|a| home.root().join(a))
            .collect());
    }
    let runtime = archive(home, cc, variant, "libtenure.a", &runtime_sources(home), false)?;
    let library = archive(home, cc, variant, "libtenure-lib.a", &library_sources(home), true)?;
    Ok(vec![library, runtime])
}

/// The archive that puts the collector in the place of malloc; to be linked before the others, with `-lgc`.
pub(crate) fn collector(home: &Home, cc: &Cc, variant: Variant) -> Result<PathBuf, CcError> {
    let name = "libtenure-gc.a";
    if !home.is_checkout() {
        let path = home.root().join(name);
        let absent = || CcError("this installation was made without the collector".to_string());
        return path.is_file().then_some(path).ok_or_else(absent);
    }
    let mut files = files_in(&home.root().join("runtime/collector"), &["c"]);
    files.extend(runtime_sources(home).into_iter().filter(|file| !is_source(file)));
    archive(home, cc, variant, name, &files, false).map_err(|error| {
        if error.0.contains("gc/gc.h") {
            let needs =
                "`--gc` needs the Boehm-Demers-Weiser collector, Debian's package libgc-dev";
            CcError(needs.to_string())
        } else {
            error
        }
    })
}

fn is_source(file: &Path) -> bool {
    file.extension().is_some_and(|ext| ext != "h")
}

fn runtime_sources(home: &Home) -> Vec<PathBuf> {
    let mut files = files_in(&home.root().join("runtime/prim"), &["c", "h"]);
    for layer in ["region", "checked", "checked/tagged", "checked/moving"] {
        files.extend(files_in(&home.root().join("runtime").join(layer), &["c", "h"]));
    }
    files.extend(files_in(&home.root().join("runtime/include/tenure"), &["h"]));
    files
}

fn library_sources(home: &Home) -> Vec<PathBuf> {
    let mut files = files_in(&home.root().join("lib/src"), &["c", "h", "cyc"]);
    files.extend(files_in(&home.root().join("lib/include"), &["h"]));
    files.extend(files_in(&home.root().join("lib/include/tn"), &["h"]));
    files.extend(files_in(&home.root().join("runtime/include/tenure"), &["h"]));
    files
}

/// Files of a directory with one of the extensions, sorted.
fn files_in(dir: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(dir) else {
        return Vec::new();
    };
    let wanted = |path: &PathBuf| {
        let extension = path.extension().and_then(|ext| ext.to_str());
        extension.is_some_and(|ext| extensions.contains(&ext))
    };
    let mut files: Vec<PathBuf> = entries.flatten().map(|e| e.path()).filter(wanted).collect();
    files.sort();
    files
}

fn archive(
    home: &Home,
    cc: &Cc,
    variant: Variant,
    name: &str,
    files: &[PathBuf],
    uses_compiler: bool,
) -> Result<PathBuf, CcError> {
    let mut hasher = DefaultHasher::new();
    (cc.identity(), variant, name).hash(&mut hasher);
    let exe = std::env::current_exe().ok().filter(|_| uses_compiler);
    for file in files.iter().chain(exe.as_ref()) {
        file.hash(&mut hasher);
        if let Ok(meta) = std::fs::metadata(file) {
            meta.len().hash(&mut hasher);
            meta.modified().ok().hash(&mut hasher);
        }
    }
    let cache = cache_dir().unwrap_or_else(std::env::temp_dir);
    let dir = cache.join(format!("{}-{:016x}", variant.name(), hasher.finish()));
    let path = dir.join(name);
    if path.is_file() {
        return Ok(path);
    }
    let failed = |error: std::io::Error| CcError(format!("cannot build {name}: {error}"));
    let temp = TempDir::new().map_err(failed)?;
    let objects = compile_all(home, cc, variant, files, temp.path())?;
    let built = temp.path().join(name);
    let status = Command::new("ar").arg("rcs").arg(&built).args(&objects).status();
    match status {
        Ok(status) if status.success() => {}
        _ => return Err(CcError(format!("cannot build {name}: `ar` failed or is missing"))),
    }
    let bytes = std::fs::read(&built).map_err(failed)?;
    crate::cc::write_atomically(&path, &bytes).map_err(failed)?;
    forget_old_builds(&cache);
    Ok(path)
}

/// Builds that are kept, the newest first: two archives in each of two variants, for some compilers.
const KEPT_BUILDS: usize = 16;

/// Younger builds than this may be in use by a process that runs beside this one.
const IN_USE: std::time::Duration = std::time::Duration::from_secs(3600);

/// Removes builds that other sources, another compiler or another cc have made useless.
fn forget_old_builds(cache: &Path) {
    let mut builds: Vec<(std::time::SystemTime, PathBuf)> = Vec::new();
    for entry in std::fs::read_dir(cache).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_build = [Variant::Release, Variant::Sanitized]
            .iter()
            .any(|variant| name.starts_with(&format!("{}-", variant.name())));
        if let (true, Ok(meta)) = (is_build, entry.metadata()) {
            builds.push((meta.modified().unwrap_or(std::time::UNIX_EPOCH), entry.path()));
        }
    }
    builds.sort();
    let surplus = builds.len().saturating_sub(KEPT_BUILDS);
    for (built, dir) in builds.into_iter().take(surplus) {
        if built.elapsed().is_ok_and(|age| age > IN_USE) {
            // What cannot be removed is only in the way.
            let _ = std::fs::remove_dir_all(dir);
        }
    }
}

/// Compiles the C and Tenure sources among the files, on all processors.
fn compile_all(
    home: &Home,
    cc: &Cc,
    variant: Variant,
    files: &[PathBuf],
    dir: &Path,
) -> Result<Vec<PathBuf>, CcError> {
    let sources: Vec<&PathBuf> = files.iter().filter(|file| is_source(file)).collect();
    let next = std::sync::atomic::AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(1, |n| n.get()).min(8);
    let results: Vec<Result<Option<PathBuf>, CcError>> = std::thread::scope(|scope| {
        let work = || {
            let mut done = Vec::new();
            loop {
                let at = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                let Some(source) = sources.get(at) else {
                    return done;
                };
                let object = dir.join(format!("{at}.o"));
                done.push(compile_one(home, cc, variant, source, &object));
            }
        };
        let spawn = |_| {
            std::thread::Builder::new().stack_size(crate::STACK_BYTES).spawn_scoped(scope, work)
        };
        let handles: Vec<_> = (0..workers).map(spawn).collect();
        let join = |handle: std::io::Result<std::thread::ScopedJoinHandle<'_, Vec<_>>>| {
            handle.map(|handle| handle.join().unwrap_or_default()).unwrap_or_default()
        };
        handles.into_iter().flat_map(join).collect()
    });
    let mut objects = Vec::new();
    for result in results {
        objects.extend(result?);
    }
    objects.sort();
    Ok(objects)
}

fn compile_one(
    home: &Home,
    cc: &Cc,
    variant: Variant,
    source: &Path,
    object: &Path,
) -> Result<Option<PathBuf>, CcError> {
    let fail = |text: &str| {
        Err(CcError(format!("cannot compile {}, a part of Tenure:\n{text}", source.display())))
    };
    let mut args: Vec<String> = vec!["-c".into(), "-fPIC".into(), "-pthread".into()];
    if source.extension().is_some_and(|ext| ext == "cyc") {
        let settings = crate::settings::Settings { library: true, ..Default::default() };
        let c = object.with_extension("c");
        match crate::link::emit_file(home, cc, source, &c, &settings) {
            Ok(()) => {}
            // While the compiler itself is worked on, what does compile can be worked with.
            Err(_) if cfg!(debug_assertions) => {
                let source = source.display();
                crate::run::complain(&format!(
                    "{source} has errors and is left out of the library"
                ));
                return Ok(None);
            }
            Err(text) => return fail(&text),
        }
        args.extend(cc.emitted_flags(true).map(str::to_string));
        args.push(c.display().to_string());
    } else {
        args.extend(["-std=gnu11".to_string(), source.display().to_string()]);
        args.extend(cc.closing_flags().map(str::to_string));
    }
    args.extend(variant.flags().iter().map(ToString::to_string));
    for dir in [home.runtime_include(), home.root().join("runtime"), home.root().join("lib/src")] {
        args.push(format!("-I{}", dir.display()));
    }
    args.extend(["-o".to_string(), object.display().to_string()]);
    let output = cc.output(&args)?;
    if output.status.success() {
        return Ok(Some(object.to_path_buf()));
    }
    fail(&String::from_utf8_lossy(&output.stderr))
}
