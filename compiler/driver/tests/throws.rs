//! Memory is steady at any number of throws: the program of `tests/exceptions/lives.md`, which catches in each way, grows by no page for each round.

use std::path::Path;
use std::process::Command;

/// The first program of the page.
fn program() -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/exceptions/lives.md");
    let page = std::fs::read_to_string(page).expect("the page is there");
    let (_, from) = page.split_once("```cyc run\n").expect("it has a program");
    from.split_once("```").expect("the program ends").0.to_string()
}

fn grown(program: &Path, rounds: &str) -> i64 {
    let output = Command::new(program).arg(rounds).output().expect("the program runs");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).trim().parse().expect("it prints a number")
}

#[test]
fn rounds_of_throws_leave_nothing_behind() {
    let dir = std::env::temp_dir().join(format!("tenure-throws-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a temporary directory");
    let (source, built) = (dir.join("throws.cyc"), dir.join("throws"));
    std::fs::write(&source, program()).expect("a file of the test");
    let mut build = Command::new(env!("CARGO_BIN_EXE_tenure"));
    let status = build.arg("build").arg(&source).arg("-o").arg(&built).status();
    assert!(status.expect("tenure runs").success());
    // One object of 16 bytes a round would be 500 pages.
    for rounds in ["10000", "100000"] {
        let pages = grown(&built, rounds);
        assert!(pages < 50, "{pages} pages in {rounds} rounds");
    }
    let _ = std::fs::remove_dir_all(dir);
}
