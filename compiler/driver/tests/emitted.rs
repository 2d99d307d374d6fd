//! Emitted C, from core in its text form: both compilers take it without a warning, it runs as it should under
//! optimisation and sanitizers.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn tenure(args: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_tenure");
    Command::new(program).args(args).env("LC_ALL", "C").output().expect("tenure runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn core_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/core")
}

fn emitted(name: &str) -> String {
    let path = core_dir().join(name).display().to_string();
    // With -g the text has its #line directives, as cc gets it.
    let output = tenure(&["check", "-g", "--emit=c", &path]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

fn runs(name: &str, stdout: &str, status: i32, last_line: &str) {
    for flags in [&["-O0"][..], &["-O2"], &["--sanitize"]] {
        let path = core_dir().join(name).display().to_string();
        let mut args = vec!["run"];
        args.extend(flags);
        args.push(&path);
        std::env::set_var("ASAN_OPTIONS", "detect_leaks=0");
        let output = tenure(&args);
        assert_eq!(text(&output.stdout), stdout, "{flags:?}: {}", text(&output.stderr));
        assert_eq!(output.status.code(), Some(status), "{flags:?}");
        assert!(text(&output.stderr).contains(last_line), "{flags:?}: {}", text(&output.stderr));
    }
}

#[test]
fn both_compilers_take_emitted_c_without_a_warning() {
    for name in ["arithmetic.core", "control.core", "memory.core", "exceptions.core"] {
        let c = emitted(name);
        let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime/include");
        for cc in ["gcc", "clang"] {
            let file = std::env::temp_dir().join(format!("tenure-{}-{name}.c", std::process::id()));
            std::fs::write(&file, &c).expect("a temporary file");
            let output = Command::new(cc)
                .args(["-std=c11", "-O2", "-fwrapv", "-Wall", "-Wextra", "-c", "-o", "/dev/null"])
                .arg(format!("-I{}", include.display()))
                .arg(&file)
                .output();
            std::fs::remove_file(&file).expect("it is still there");
            let Ok(output) = output else { continue };
            assert_eq!(text(&output.stderr), "", "{cc} on {name}");
        }
    }
}

#[test]
fn arithmetic_wraps_saturates_and_is_checked() {
    let out = "-2147483648 -2147483648\n42 -128\n1 -8\n2147483647 -1\n0.1 1\n7 7\n1 -2147483648\n\
               -2147483648 -2\n1.5 1\n";
    runs("arithmetic.core", out, 1, "Arithmetic_Exception: division by zero");
}

#[test]
fn structured_control_flow_does_what_core_says() {
    runs("control.core", "5\n9\n54\n0\n", 0, "");
}

#[test]
fn a_verified_proof_of_a_loops_head_is_tested_each_time() {
    let path = core_dir().join("verified.core").display().to_string();
    let output = tenure(&["run", &path]);
    assert_eq!(text(&output.stdout), "");
    assert!(text(&output.stderr).contains("proof"), "{}", text(&output.stderr));
}

#[test]
fn memory_has_the_layout_that_core_says() {
    let out = "15 9\n20 13\n2 1\nhere 5\n2 9\n3 5\n0 42\n";
    runs("memory.core", out, 1, "Array_bounds: index 15, size 8");
}

#[test]
fn exceptions_unwind_arenas_and_handlers() {
    runs("exceptions.core", "2\n43\n", 1, "Null_Exception");
}

#[test]
fn the_users_names_are_kept() {
    let c = emitted("arithmetic.core");
    for name in ["int bits(int a, int n)", "int asm_2", "char narrow(char c)"] {
        assert!(c.contains(name), "{name} in\n{c}");
    }
}
