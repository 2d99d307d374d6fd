//! Programs that are compiled and run: what they print, or what went wrong.

use std::path::Path;
use std::process::{Command, Output};
use tenure_driver::{archives, Disk, Variant};

/// What a command prints that ends well.
pub fn output(command: &mut Command) -> Result<String, String> {
    let Output { status, stdout, stderr } = command.output().map_err(|error| error.to_string())?;
    if status.success() {
        Ok(String::from_utf8_lossy(&stdout).into_owned())
    } else {
        Err(format!("{status}\n{}", String::from_utf8_lossy(&stderr)))
    }
}

/// What a program prints; one that hangs is ended.
pub fn ran(program: &Path) -> Result<String, String> {
    output(Command::new("timeout").arg("300").arg(program))
}

/// What a program prints whose emitted C this is, compiled at that level of optimisation in the directory, with the C of a file
/// `beside.c` there.
pub fn ran_emitted(disk: &Disk, dir: &Path, c: &str, level: &str) -> Result<String, String> {
    let (source, program) = (dir.join("emitted.c"), dir.join("emitted"));
    std::fs::write(&source, c).map_err(|error| error.to_string())?;
    let mut command = Command::new(disk.cc.program());
    command.args(disk.cc.emitted_flags(true)).args([level, "-w"]);
    command.arg(format!("-I{}", disk.home.runtime_include().display()));
    command.arg(&source).arg("-o").arg(&program);
    let beside = dir.join("beside.c");
    if beside.exists() {
        command.arg(beside);
    }
    command.args(archives(&disk.home, &disk.cc, Variant::Release).map_err(|error| error.0)?);
    output(command.args(["-lm", "-pthread"]))?;
    ran(&program)
}
