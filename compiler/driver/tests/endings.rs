//! How the command ends where files, streams and signals are not as one would wish.

use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

struct Dir(PathBuf);

impl Dir {
    fn new(name: &str, files: &[(&str, &[u8])]) -> Dir {
        let path = std::env::temp_dir().join(format!("tenure-{name}-{}", std::process::id()));
        std::fs::create_dir_all(path.join("temporary")).expect("a temporary directory");
        for (file, bytes) in files {
            let path = path.join(file);
            std::fs::create_dir_all(path.parent().expect("it is in the directory")).expect("ours");
            std::fs::write(path, bytes).expect("a file of the test");
        }
        Dir(path)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tenure"));
        let temporary = self.0.join("temporary");
        command.args(args).current_dir(&self.0).env("TMPDIR", temporary).env("LC_ALL", "C");
        command
    }

    fn tenure(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("tenure runs")
    }

    fn status(&self, args: &[&str]) -> Option<i32> {
        self.tenure(args).status.code()
    }

    /// Temporary files that are still there.
    fn left(&self) -> usize {
        std::fs::read_dir(self.0.join("temporary")).map_or(9, Iterator::count)
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const EMPTY: &[u8] = b"int main(void) { return 0; }";

#[test]
fn files_that_cannot_be_read_or_written_make_a_wrong_command() {
    let dir =
        Dir::new("wrong-files", &[("dir.cyc/x", b""), ("good.cyc", EMPTY), ("two.c", b"int two;")]);
    for args in [
        ["check", "dir.cyc"].as_slice(),
        &["run", "none.cyc"],
        &["cc", "-c", "dir.cyc"],
        &["cc", "none.c"],
        &["build", "good.cyc", "-o", "no/such/dir"],
        &["build", "good.cyc", "-o", "dir.cyc"],
        &["cc", "-c", "good.cyc", "-o", "no/such/dir"],
        &["cc", "-c", "good.cyc", "two.c", "-o", "one.o"],
        &["cc", "--no-such-flag", "-c", "good.cyc"],
        &["cc", "good.cyc", "-lno-such-library"],
    ] {
        let output = dir.tenure(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains("tenure: "), "{args:?}: {}", text(&output.stderr));
    }
    assert_eq!(dir.left(), 0);
}

#[test]
fn any_text_is_read_as_it_is_meant() {
    let include =
        "\u{feff}#include <stdio.h>\r\nint main(void) {\r\n  puts(\"x\");\r\n  return 0;\r\n}";
    let dir = Dir::new(
        "texts",
        &[
            ("marked.cyc", include.as_bytes()),
            ("a b/m n.cyc", b"#include \"h.h\"\nint main(void) { return K; }\n"),
            ("a b/h.h", b"#define K 0\n"),
            ("q'u\"o\nte/m.cyc", b"#include \"h.h\"\nint main(void) { return K; }\n"),
            ("q'u\"o\nte/h.h", b"#define K 0\n"),
            ("empty.cyc", b""),
            ("around.cyc", b"#include \"around.cyc\"\n"),
            ("zero.cyc", b"int main(void) {\0 return 0; }\n"),
        ],
    );
    for good in ["marked.cyc", "a b/m n.cyc", "q'u\"o\nte/m.cyc"] {
        let output = dir.tenure(&["run", good]);
        assert_eq!(output.status.code(), Some(0), "{good}: {}", text(&output.stderr));
    }
    assert_eq!(dir.status(&["check", "empty.cyc"]), Some(0));
    let output = dir.tenure(&["run", "empty.cyc"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("error[E0908]: the program has no `main`"));
    assert_eq!(dir.status(&["check", "around.cyc"]), Some(1));
    assert_eq!(dir.status(&["check", "zero.cyc"]), Some(1));
}

#[test]
fn standard_input_is_a_source() {
    let dir = Dir::new("stdin", &[]);
    for args in [["run", "-"].as_slice(), &["cc", "-x", "c", "-", "-o", "program"]] {
        let mut child = dir.command(args).stdin(Stdio::piped()).spawn().expect("tenure runs");
        let mut stdin = child.stdin.take().expect("a pipe");
        std::io::Write::write_all(&mut stdin, EMPTY).expect("it is read");
        drop(stdin);
        assert!(child.wait().expect("it ends").success(), "{args:?}");
    }
}

#[test]
fn output_that_is_lost_is_a_failure() {
    let dir = Dir::new("full", &[("good.cyc", EMPTY), ("bad.cyc", b"int x = y;")]);
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").expect("it is there");
    for args in [["explain", "E0301"].as_slice(), &["check", "--emit=c", "good.cyc"]] {
        let output = dir.command(args).stdout(full()).output().expect("tenure runs");
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(text(&output.stderr), "tenure: cannot write: no space left on device\n");
    }
    let status = dir.command(&["check", "bad.cyc"]).stderr(full()).status();
    assert_eq!(status.expect("tenure runs").code(), Some(1));
}

#[test]
fn a_program_that_is_run_has_its_signals_and_its_status() {
    let waits = "#include <stdio.h>\n#include <unistd.h>\n\
                 int main(void) { puts(\"x\"); fflush(stdout); for (;;) pause(); return 0; }\n";
    let dir = Dir::new("signal", &[("waits.cyc", waits.as_bytes())]);
    let mut child =
        dir.command(&["run", "waits.cyc"]).stdout(Stdio::piped()).spawn().expect("tenure runs");
    let mut first = [0];
    let out = child.stdout.as_mut().expect("a pipe");
    std::io::Read::read_exact(out, &mut first).expect("the program says that it runs");
    let killed = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(killed.expect("kill runs").success());
    assert_eq!(child.wait().expect("it ends").signal(), Some(15));
    assert_eq!(dir.left(), 0);
}

#[test]
fn flags_that_change_layouts_are_refused_and_none_opens_what_is_closed() {
    let source = "int main(int argc, char ??argv) { int k = 2147483646 + argc; k++; return k < 0 ? 0 : 1; }\n";
    let dir = Dir::new("flags", &[("wraps.c", source.as_bytes())]);
    for flag in ["-fpack-struct", "-mlong-double-64", "-fshort-enums", "-m32"] {
        let output = dir.tenure(&["cc", flag, "-c", "wraps.c"]);
        assert_eq!(output.status.code(), Some(2), "{flag}");
        assert!(text(&output.stderr).contains("would not agree with the library"), "{flag}");
    }
    assert_eq!(dir.status(&["cc", "-O2", "-fno-wrapv", "wraps.c", "-o", "wraps"]), Some(0));
    let status = Command::new(dir.0.join("wraps")).status().expect("it runs");
    assert_eq!(status.code(), Some(0));
}

#[test]
fn what_was_preprocessed_is_checked_too() {
    let dir = Dir::new(
        "preprocessed",
        &[("x.i", b"# 1 \"x.c\"\nint *f(void) { int n = 1; return &n; }\n")],
    );
    assert_eq!(dir.status(&["cc", "-c", "x.i"]), Some(1));
}

#[test]
fn results_of_several_files_are_one_sarif_log() {
    let dir = Dir::new(
        "sarif",
        &[("a.cyc", b"int x = y;"), ("b.cyc", b"int *p = 3.0;"), ("c.cyc", EMPTY)],
    );
    let output = dir.tenure(&["check", "--error-format=sarif", "a.cyc", "b.cyc", "c.cyc"]);
    let log = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(log.matches("\"version\": \"2.1.0\"").count(), 1, "{log}");
    assert_eq!(log.matches("\"ruleId\"").count(), 2, "{log}");
}

#[test]
fn very_many_errors_and_very_long_names_take_no_longer_than_they_are() {
    let mut many = String::from("int main(void) {\n");
    for number in 0..10_000 {
        many.push_str(&format!("  x{number} = {number};\n"));
    }
    many.push_str("}\n");
    let long = format!("int {0}; int main(void) {{ return b{0}; }}\n", "a".repeat(200_000));
    let dir = Dir::new("many", &[("many.cyc", many.as_bytes()), ("long.cyc", long.as_bytes())]);
    let said = text(&dir.tenure(&["check", "many.cyc"]).stderr);
    assert!(said.contains("9900 more errors are not shown"));
    // A name that is not declared either is no suggestion.
    assert!(!said.contains("in scope"), "{said}");
    assert_eq!(dir.status(&["check", "long.cyc"]), Some(1));
}
