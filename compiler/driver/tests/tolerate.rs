//! `tenure tolerate`, from the command to the program that runs under the malloc.

use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// `tenure` beside a built `tenure-tolerate`, as where both are installed.
fn installed() -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tolerate");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime/tolerant");
    let made = Command::new("make")
        .args(["-s", "-j2", "-C"])
        .arg(&source)
        .arg(format!("BUILD={}", directory.display()))
        .output()
        .expect("make runs");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let tenure = directory.join("tenure");
    let _ = std::fs::remove_file(&tenure);
    let built = env!("CARGO_BIN_EXE_tenure");
    if std::fs::hard_link(built, &tenure).is_err() {
        std::fs::copy(built, &tenure).expect("a copy of the command");
    }
    tenure
}

fn tolerate(tenure: &Path, args: &[&str]) -> Output {
    Command::new(tenure).arg("tolerate").args(args).output().expect("tenure runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_program_runs_under_the_malloc_and_its_report_is_shown() {
    let tenure = installed();
    let inside = ["--cold=1", "--", "sh", "-c", "grep -q libtenure-tolerant /proc/self/maps"];
    assert!(tolerate(&tenure, &inside).status.success());
    let echo = tolerate(&tenure, &["--", "printf", "%s|", "a b", "--cold=9", "--help"]);
    assert_eq!(text(&echo.stdout), "a b|--cold=9|--help|");

    assert_eq!(tolerate(&tenure, &["--", "sh", "-c", "exit 3"]).status.code(), Some(3));
    assert_eq!(tolerate(&tenure, &["--", "sh", "-c", "kill -TERM $$"]).status.signal(), Some(15));

    let report = tenure.with_file_name("report");
    let _ = std::fs::remove_file(&report);
    let option = format!("--report={}", report.display());
    assert!(tolerate(&tenure, &[&option, "--", "sort", "/dev/null"]).status.success());
    let shown = tolerate(&tenure, &[&format!("--show={}", report.display())]);
    assert!(text(&shown.stdout).starts_with("process "), "{}", text(&shown.stderr));

    let help = tolerate(&tenure, &["--help"]);
    assert!(help.status.success() && text(&help.stdout).contains("--cold-allocations=N"));
    for (args, status, words) in [
        (&["--", "/nowhere/program"][..], 127, "/nowhere/program"),
        (&["--nonsense=1", "--", "true"][..], 2, "no such option"),
        (&["--cold=3", "--", "true"][..], 2, "not a number from 0 to 2"),
        (&["--show=/nowhere/report"][..], 1, "/nowhere/report"),
        (&[][..], 2, "usage: tenure tolerate"),
    ] {
        let output = tolerate(&tenure, args);
        assert_eq!(output.status.code(), Some(status), "{args:?}");
        assert!(text(&output.stderr).contains(words), "{args:?}: {}", text(&output.stderr));
    }
}

#[test]
fn where_it_is_not_installed_that_is_said() {
    let output = Command::new(env!("CARGO_BIN_EXE_tenure"))
        .args(["tolerate", "--", "true"])
        .env("TENURE_HOME", "/nowhere")
        .env("PATH", "/nowhere")
        .output()
        .expect("tenure runs");
    assert_eq!(output.status.code(), Some(127));
    assert!(text(&output.stderr).contains("tenure-tolerate is not installed"));
}
