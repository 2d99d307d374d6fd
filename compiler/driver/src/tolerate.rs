//! `tenure tolerate`: hands over to `tenure-tolerate`, which stands by itself.

use crate::home::Home;
use crate::run::{complain, WRONG_COMMAND};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;

/// Exit status when a command is not found, as a shell has it.
const NOT_FOUND: i32 = 127;

/// Beside this executable, or where a checkout builds it.
fn places() -> Vec<PathBuf> {
    let name = "tenure-tolerate";
    let beside = std::env::current_exe().ok().and_then(|exe| exe.canonicalize().ok());
    let mut places: Vec<PathBuf> = Vec::new();
    places.extend(beside.as_deref().and_then(|exe| exe.parent()).map(|dir| dir.join(name)));
    if let Ok(home) = Home::find() {
        places.push(home.root().join("runtime/tolerant/build").join(name));
    }
    places
}

/// Runs the command with the arguments in this process's stead; the exit status if that fails.
pub(crate) fn main(args: &[String]) -> i32 {
    let program = places().into_iter().find(|place| place.is_file());
    let program = program.unwrap_or_else(|| PathBuf::from("tenure-tolerate"));
    let error = Command::new(&program).args(args).exec();
    if error.kind() == std::io::ErrorKind::NotFound {
        complain("tenure-tolerate is not installed; `make -C runtime/tolerant install` builds it");
        return NOT_FOUND;
    }
    complain(&format!("{}: {error}", program.display()));
    WRONG_COMMAND
}
