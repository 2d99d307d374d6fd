//! Nothing that a few lines can say takes time or memory without bound. Each shape is checked at a size where anything exponential in it
//! would not end: either as a program, or with an error that says what is too large.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Seconds, and KiB of addresses, that checking one program may take in a build without optimisation on a busy machine.
const SECONDS: &str = "60";
const MEMORY: u64 = 4_000_000;

struct Dir(PathBuf);

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Checks a program; the codes of its errors. Fails if that does not end.
fn codes(dir: &Path, name: &str, text: &str) -> Vec<String> {
    let path = dir.join(format!("{name}.cyc"));
    std::fs::write(&path, text).expect("a file of the test");
    let script = format!("ulimit -v {MEMORY}; exec timeout {SECONDS} \"$0\" check \"$1\"");
    let output = Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_tenure")])
        .arg(&path)
        .output()
        .expect("sh runs");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{name}: {}\n{errors}", output.status);
    let code = |line: &str| Some(line.strip_prefix("error[")?.split(']').next()?.to_string());
    errors.lines().filter_map(code).collect()
}

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut text, n| {
        let _ = writeln!(text, "{}", line(n));
        text
    })
}

/// Shapes that are rejected: each by the code of the limit that it meets.
fn too_large() -> Vec<(&'static str, String, &'static str)> {
    let inferred = |first: &str, make: fn(usize) -> String| {
        format!("void f(int x0) {{ {first}\n{}}}", lines(60, make))
    };
    let record = |leaf: &str, member: fn(usize) -> String| {
        format!("struct S0 {{ {leaf} a, b; }};\n{}", lines(60, member))
    };
    let two = |n: usize| format!("struct S{} {{ struct S{n} a; struct S{n} b; }};", n + 1);
    let both = |n: usize| format!("struct S{} {{ struct S{n} a; $(struct S{n}, int) b; }};", n + 1);
    let array = |n: usize| format!("struct S{} {{ struct S{n} a[2]; }};", n + 1);
    let at_itself = format!("{}int{}", "P<".repeat(60), ">".repeat(60));
    let doubled = |n: usize| format!("struct S{n}<`a> {{ struct S{}<$(`a,`a)*> *next; }};", n + 1);
    vec![
        ("tuples", inferred("", |n| format!("let x{} = $(x{n}, x{n});", n + 1)), "E0244"),
        ("allocated", inferred("", |n| format!("let x{} = new $(x{n}, x{n});", n + 1)), "E0244"),
        ("typeof", inferred("", |n| format!("$(typeof(x{n}), typeof(x{n})) x{};", n + 1)), "E0244"),
        ("typedef", format!("typedef $(`a, `a) *P<`a>;\nvoid f({at_itself} x) {{}}"), "E0244"),
        (
            "generic",
            lines(60, |n| format!("struct S{n}<`a>;"))
                + &lines(59, doubled)
                + &format!("struct S59<`a> {{ `a x; }};\nint f(struct S0<int> *p) {{ return p{} == NULL; }}", "->next".repeat(58)),
            "E0244",
        ),
        ("ints", record("int", two), "E0246"),
        ("pointers", record("int *", two), "E0246"),
        ("unique", record("int *`U", two), "E0246"),
        ("mixed", record("int", both), "E0246"),
        ("arrays", record("char", array), "E0246"),
        ("global", "int a[4000000000] = {[3999999999] = 1};".to_string(), "E0246"),
        ("local", "int f(int i) { int a[4000000000]; a[i] = 1; return a[1]; }".to_string(), "E0246"),
        ("together", "int a[1 << 27]; int b[1 << 27]; int c[1];".to_string(), "E0246"),
        (
            "copies",
            "static int f0(`a::A *p) { `a x = *p; return sizeof x; }\n".to_string()
                + &lines(40, |n| {
                    format!("static int f{}(`a::A *p) {{ $(`a, int) x = $(*p, 1); $(int, `a) y = $(1, *p); return f{n}(&x) + f{n}(&y); }}", n + 1)
                })
                + "int main(void) { int x = 1; return f40(&x); }",
            "E0356",
        ),
    ]
}

/// Switches whose cases are laid so that each divides what all others leave.
fn patterns(count: usize) -> String {
    let row = |at: usize| {
        let mut row = vec!["_"; count];
        row[at] = "&T";
        row[(at * 7 + 3) % count] = "&F";
        format!("case $({}): return {at};", row.join(", "))
    };
    let types = vec!["datatype B @"; count].join(", ");
    format!(
        "datatype B {{ T; F; }};\nint f($({types}) x) {{ switch (x) {{\n{}default: return 1; }} }}",
        lines(count, row)
    )
}

/// Shapes that are programs.
fn accepted() -> Vec<(&'static str, String)> {
    let nested = |open: fn(usize) -> String, close: &str| {
        format!(
            "int f(int ?a, int n) {{ int t = 0;\n{}{}return t; }}",
            lines(40, open),
            close.repeat(40)
        )
    };
    let tower = |open: &str, inner: &str, close: fn(usize) -> String| {
        format!("int f(int ?a, int n) {{ return {}{inner}{}; }}", open.repeat(60), lines(60, close))
    };
    vec![
        (
            "loops",
            nested(|n| format!("for (int i{n} = 0; i{n} < n; i{n}++) {{ t += a[i{n}];"), "}"),
        ),
        (
            "breaks",
            nested(
                |n| format!("while (t < n) {{ t++; if (a[t] == {n}) break; if (t) continue;"),
                "}",
            ),
        ),
        ("tries", nested(|n| format!("try {{ t += a[{n}];"), "} catch { default: t++; }\n")),
        ("handlers", nested(|n| format!("try {{ t += a[{n}]; }} catch {{ default: t++;"), "}")),
        (
            "arenas",
            nested(|n| format!("{{ region r{n}; t += *rnew(r{n}) t; if (t == 3) return t;"), "}"),
        ),
        (
            "switches",
            nested(
                |_| {
                    "switch (t) { case 1: t++; fallthru; case 2: if (n) break; return 3; default:"
                        .to_string()
                },
                "break; }",
            ),
        ),
        ("choices", tower("(n ? ", "a[n]", |n| format!(" : a[{n}])"))),
        ("conditions", tower("(", "n", |n| format!(" && a[{n}] || a[n - {n}])"))),
        (
            "jumps",
            format!(
                "int f(int ?a, int n) {{\n{}return n; }}",
                lines(40, |n| format!("L{n}: if (a[n]) goto L{}; n++;", (n * 7 + 3) % 40))
            ),
        ),
        ("patterns", patterns(40)),
        (
            "chain",
            format!(
                "void f(int x0) {{\n{}}}",
                lines(200, |n| format!("let x{} = $(x{n}, 1);", n + 1))
            ),
        ),
        (
            "graph",
            lines(200, |n| {
                format!(
                    "struct S{n} {{ struct S{} *a; struct S{} *b; }};",
                    (n + 1) % 200,
                    (n * 3 + 1) % 200
                )
            }),
        ),
        (
            "members",
            "struct S0 { int *`U a, b; };\n".to_string()
                + &lines(10, |n| format!("struct S{} {{ struct S{n} a; struct S{n} b; }};", n + 1))
                + "void f(struct S10 x) { struct S10 y = x; }",
        ),
    ]
}

#[test]
fn what_few_lines_say_ends() {
    let dir = Dir(std::env::temp_dir().join(format!("tenure-growth-{}", std::process::id())));
    std::fs::create_dir_all(&dir.0).expect("a temporary directory");
    for (name, text, code) in too_large() {
        let found = codes(&dir.0, name, &text);
        assert_eq!(found.first().map(String::as_str), Some(code), "{name}: {found:?}");
    }
    for (name, text) in accepted() {
        let found = codes(&dir.0, name, &text);
        assert!(found.is_empty(), "{name}: {found:?}");
    }
}
