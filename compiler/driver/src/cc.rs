//! The system's C compiler: which one, what it can do, and running it.

use std::collections::hash_map::DefaultHasher;
use std::ffi::OsStr;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A C compiler that was found, with the flags that it takes.
#[derive(Clone, Debug)]
pub struct Cc {
    program: PathBuf,
    flags: Vec<String>,
    is_clang: bool,
    /// Where it looks for the system's headers.
    include_directories: Vec<String>,
    is_arm64: bool,
}

/// Why there is no C compiler to run, or what it said; a message for the user.
#[derive(Clone, Debug)]
pub struct CcError(pub String);

/// Close what C leaves undefined, where core relies on a definition.
///
/// `-fno-strict-aliasing`: which accesses may touch the same bytes is the language's to say, and it says more than C's
/// effective types do. The address of a union's member is a pointer like any other, and memory of variable type is that
/// of the instance.
const WANTED: &[&str] = &[
    "-fno-strict-aliasing",
    "-fwrapv",
    "-fno-strict-overflow",
    "-fno-delete-null-pointer-checks",
    "-fno-finite-loops",
    "-fsigned-char",
    "-fstack-clash-protection",
    // One definition of a variable, not several that may be of different types.
    "-fno-common",
];

/// Those of them that only matter to a program with checks.
const FOR_CHECKS: &[&str] = &["-fwrapv", "-fno-strict-overflow", "-fno-delete-null-pointer-checks"];

/// The language of emitted C. Warnings about it are for those who work on Tenure, in its tests.
const EMITTED: &[&str] = &["-std=c11", "-w"];

impl Cc {
    /// `TENURE_CC`, `CC`, or the first of gcc, clang and cc that is there.
    pub fn find() -> Result<Cc, CcError> {
        let mut asked = Vec::new();
        for variable in ["TENURE_CC", "CC"] {
            match std::env::var(variable) {
                // `CC="tenure cc"` is what a build is told; it is not what Tenure itself runs.
                Ok(value) if !value.trim().is_empty() && !value.contains("tenure") => {
                    asked.push(value);
                }
                _ => {}
            }
        }
        for value in &asked {
            let words: Vec<&str> = value.split_whitespace().collect();
            if let Some(cc) = words.first().and_then(|word| Cc::at(word)) {
                return Ok(cc);
            }
        }
        let found = ["gcc", "clang", "cc"].iter().find_map(|name| Cc::at(name));
        found.ok_or_else(|| {
            CcError(
                "no C compiler was found: looked for `gcc`, `clang` and `cc` on PATH; \
                 install one, or set TENURE_CC to its path"
                    .to_string(),
            )
        })
    }

    /// A compiler of this name or path, with its capabilities.
    pub fn at(name: &str) -> Option<Cc> {
        let program = which(name)?;
        let mut cc = Cc {
            program,
            flags: Vec::new(),
            is_clang: false,
            include_directories: Vec::new(),
            is_arm64: false,
        };
        cc.probe();
        Some(cc)
    }

    pub fn program(&self) -> &Path {
        &self.program
    }

    pub fn name(&self) -> String {
        self.program.display().to_string()
    }

    pub fn is_clang(&self) -> bool {
        self.is_clang
    }

    pub(crate) fn include_directories(&self) -> &[String] {
        &self.include_directories
    }

    pub fn is_arm64(&self) -> bool {
        self.is_arm64
    }

    /// What compiling emitted C takes. Without checks there is nothing that cc's assumptions about undefined cases
    /// could delete, and arithmetic is C's own.
    pub fn emitted_flags(&self, checks: bool) -> impl Iterator<Item = &str> {
        let flags = self.flags.iter().map(String::as_str);
        let kept = flags.filter(move |flag| checks || !FOR_CHECKS.contains(flag));
        EMITTED.iter().copied().chain(kept)
    }

    /// What keeps C's undefined cases closed, for C of our own.
    pub fn closing_flags(&self) -> impl Iterator<Item = &str> {
        self.flags.iter().map(String::as_str)
    }

    /// Runs it with its output as ours.
    pub fn run<S: AsRef<OsStr>>(&self, args: &[S]) -> Result<bool, CcError> {
        let status = Command::new(&self.program).args(args).status();
        status.map(|status| status.success()).map_err(|error| self.cannot_run(&error))
    }

    /// Runs it and collects what it says.
    pub fn output<S: AsRef<OsStr>>(&self, args: &[S]) -> Result<Output, CcError> {
        let output = Command::new(&self.program).args(args).stdin(Stdio::null()).output();
        output.map_err(|error| self.cannot_run(&error))
    }

    fn cannot_run(&self, error: &std::io::Error) -> CcError {
        CcError(format!("cannot run the C compiler `{}`: {error}", self.name()))
    }

    /// Tells one compiler, and one version of it, from another, and what one version of Tenure asks of it from what
    /// another does.
    pub fn identity(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        WANTED.hash(&mut hasher);
        self.program.hash(&mut hasher);
        if let Ok(meta) = std::fs::metadata(&self.program) {
            meta.len().hash(&mut hasher);
            meta.modified().ok().hash(&mut hasher);
        }
        hasher.finish()
    }

    /// Finds out, once for each compiler, which flags it takes; the answer is kept in the cache.
    fn probe(&mut self) {
        let mut hasher = DefaultHasher::new();
        (self.identity(), WANTED, "real directories too, machine").hash(&mut hasher);
        let cache = cache_dir().map(|dir| dir.join(format!("cc-{:016x}", hasher.finish())));
        if let Some(text) = cache.as_ref().and_then(|path| std::fs::read_to_string(path).ok()) {
            let mut lines = text.lines();
            self.is_clang = lines.next() == Some("clang");
            self.is_arm64 = lines.next() == Some("aarch64");
            let (dirs, flags) = lines.partition(|line: &&str| line.starts_with('/'));
            let owned = |lines: Vec<&str>| lines.into_iter().map(str::to_string).collect();
            (self.include_directories, self.flags) = (owned(dirs), owned(flags));
            return;
        }
        let version = self.output(&["--version"]).map(|output| output.stdout).unwrap_or_default();
        self.is_clang = String::from_utf8_lossy(&version).contains("clang");
        let machine =
            self.output(&["-dumpmachine"]).map(|output| output.stdout).unwrap_or_default();
        self.is_arm64 = machine.starts_with(b"aarch64") || machine.starts_with(b"arm64");
        let accepted = WANTED.iter().filter(|flag| self.takes(flag));
        self.flags = accepted.map(ToString::to_string).collect();
        let said = self.output(&["-E", "-v", "-x", "c", "/dev/null"]).map(|said| said.stderr);
        let said = String::from_utf8_lossy(&said.unwrap_or_default()).into_owned();
        let dirs = said.lines().map(str::trim).skip_while(|line| !line.starts_with("#include <"));
        let dirs = dirs.skip(1).take_while(|line| line.starts_with('/'));
        self.include_directories = dirs.flat_map(names_of).collect();
        if let Some(path) = cache {
            let kind = if self.is_clang { "clang" } else { "gcc" };
            let machine = if self.is_arm64 { "aarch64" } else { "other" };
            let lines = [&self.flags[..], &self.include_directories].concat().join("\n");
            let text = format!("{kind}\n{machine}\n{lines}\n");
            // A cache that cannot be written costs time only.
            let _ = write_atomically(&path, text.as_bytes());
        }
    }

    fn takes(&self, flag: &str) -> bool {
        let args = ["-Werror", flag, "-x", "c", "-fsyntax-only", "/dev/null"];
        self.output(&args).is_ok_and(|output| output.status.success())
    }
}

/// A directory as it is listed and, where gcc resolves `…/12/../../../../aarch64-linux-gnu/include` in line markers,
/// its real name.
fn names_of(dir: &str) -> Vec<String> {
    let mut names = vec![dir.trim_end_matches('/').to_string()];
    let real = std::fs::canonicalize(dir).map(|path| path.display().to_string());
    names.extend(real.ok().filter(|real| *real != names[0]));
    names
}

/// The path of a program: as it is if it has a directory, else looked up on PATH.
fn which(name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        let path = PathBuf::from(name);
        return path.is_file().then_some(path);
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|dir| dir.join(name)).find(|path| path.is_file())
}

/// Where things are kept that can be made again.
pub(crate) fn cache_dir() -> Option<PathBuf> {
    if let Some(dir) = std::env::var_os("TENURE_CACHE") {
        return Some(PathBuf::from(dir));
    }
    if let Some(dir) = std::env::var_os("XDG_CACHE_HOME").filter(|dir| !dir.is_empty()) {
        return Some(PathBuf::from(dir).join("tenure"));
    }
    std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache/tenure"))
}

/// Writes a file so that others see nothing or the whole.
pub(crate) fn write_atomically(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let dir = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(dir)?;
    let temporary = dir.join(format!(".tmp-{}-{:p}", std::process::id(), bytes));
    std::fs::write(&temporary, bytes)?;
    std::fs::rename(&temporary, path)
}
