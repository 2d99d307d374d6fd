//! A program of three files, each in turn as C and as Tenure: docs/porting.md's promise. Every combination is built under
//! AddressSanitizer and UBSan and prints what the program of C alone prints.
//!
//! The files share structs that hold the system's types between other members, streams that either side opens and closes,
//! structs by value, enumerations, truth values, bit-fields, counted arrays and functions by pointer.

use std::path::{Path, PathBuf};
use std::process::Command;
use tenure_driver::{Cc, TempDir};

const FILES: [&str; 3] = ["main", "store", "report"];
const FLAGS: [&str; 3] = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover"];

/// Compiles or links with a command, which must work.
fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
}

fn tenure() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tenure"));
    command.arg("cc").args(FLAGS);
    command
}

/// What the program prints in which the files of the set are C.
fn printed(cc: &Cc, dir: &Path, is_c: [bool; 3]) -> String {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mixed/program");
    let c_files = FILES.iter().zip(is_c).filter(|(_, is_c)| *is_c);
    let defines: Vec<String> =
        c_files.map(|(name, _)| format!("-D{}_IS_C", name.to_uppercase())).collect();
    let mut objects: Vec<PathBuf> = Vec::new();
    for (name, is_c) in FILES.iter().zip(is_c) {
        let object = dir.join(format!("{name}.o"));
        let mut command = if is_c { Command::new(cc.program()) } else { tenure() };
        command.args(FLAGS).args(&defines).arg("-c").arg(source.join(format!("{name}.c")));
        run(command.arg("-o").arg(&object));
        objects.push(object);
    }
    let program = dir.join("program");
    run(tenure().args(&objects).arg("-o").arg(&program));
    let output = Command::new(&program).current_dir(dir).output();
    let output = output.unwrap_or_else(|error| panic!("{error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "C: {defines:?}\n{said}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn each_file_may_be_c_or_tenure() {
    let temp = TempDir::new().unwrap_or_else(|error| panic!("{error}"));
    let cc = Cc::find().unwrap_or_else(|error| panic!("{}", error.0));
    let expected = printed(&cc, temp.path(), [true; 3]);
    assert!(expected.lines().count() > 40, "{expected}");
    for set in 0..7 {
        let is_c = [0, 1, 2].map(|file| set >> file & 1 == 1);
        assert_eq!(printed(&cc, temp.path(), is_c), expected, "C: {is_c:?} of {FILES:?}");
    }
}
