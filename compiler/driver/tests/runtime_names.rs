//! A program may use any name that the runtime's headers have, for anything: emitted C includes those headers, and cc takes it.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Words of the language, and what its own declarations hold.
const OURS: &[&str] = &[
    "abstract",
    "alias",
    "as",
    "asm",
    "assert",
    "auto",
    "bool",
    "break",
    "calloc",
    "case",
    "catch",
    "char",
    "const",
    "continue",
    "datatype",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "export",
    "extern",
    "fallthru",
    "float",
    "for",
    "goto",
    "if",
    "inject",
    "inline",
    "int",
    "let",
    "long",
    "main",
    "malloc",
    "namespace",
    "new",
    "numelts",
    "offsetof",
    "open",
    "rcalloc",
    "region",
    "region_t",
    "regions",
    "register",
    "restrict",
    "return",
    "rmalloc",
    "rnew",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "tag_t",
    "tagcheck",
    "throw",
    "try",
    "typedef",
    "typeof",
    "union",
    "unsigned",
    "using",
    "valueof",
    "void",
    "volatile",
    "while",
    "NULL",
    "exn",
    "Null_Exception",
    "Array_bounds",
    "Match_Exception",
    "Bad_alloc",
    "Arithmetic_Exception",
    "Region_Exhausted",
    "Assert_Exception",
];

/// By role, a program piece in which `@` is the name.
const ROLES: &[(&str, &str)] = &[
    ("struct", "struct @ { int x; };\nint f_@(struct @ *p) { struct @ y = *p; region r; return *rnew(r) y.x; }"),
    ("union", "union @ { int x; char c; };\nint f_@(union @ *p) { union @ y = *p; return y.x; }"),
    ("enum", "enum @ { E_@ };\nint f_@(enum @ p) { return p == E_@; }"),
    ("enumerator", "enum E_@ { @ };\nint f_@(enum E_@ p) { return p == @; }"),
    ("typedef", "typedef int @;\nint f_@(@ *p) { @ y = *p; return y; }"),
    ("member", "struct S_@ { int @; int *p; };\nint f_@(struct S_@ *p) { struct S_@ y = {.@ = 3}; return p->@ + y.@; }"),
    ("variant", "datatype T_@ { @(int), D_@; };\nint f_@(datatype T_@ @p) { switch (p) { case &@(x): return x; case &D_@: return 0; } }"),
    ("exception", "@extensible datatype exn { @(int) };\nint f_@(int x) { try throw new @(x); catch { case &@(y): return y; } return 2; }"),
    ("local", "int g_@(int *);\nint f_@(int ?p) { int @ = p[0]; for (int i = 0; i < @; i++) { int @ = p[i]; g_@(&@); } return @; }"),
    ("parameter", "int f_@(int ?@, int n) { region r; int *p = rnew(r) @[n]; return *p; }"),
    ("global", "int @ = 3;\nint f_@(int n) { @ = n; return @; }"),
    ("function", "int @(int x) { return x; }\nint f_@(int n) { return @(n); }"),
    ("label", "int f_@(int n) { @: if (n++ < 3) goto @; return n; }"),
];

fn words() -> BTreeSet<String> {
    let headers = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime/include/tenure");
    let mut words = BTreeSet::new();
    for header in [
        "arena",
        "check",
        "counted",
        "dynamic",
        "exception",
        "heap",
        "platform",
        "rt",
        "signature",
        "start",
        "unique",
        "value",
    ] {
        let text = std::fs::read_to_string(headers.join(format!("{header}.h"))).expect("a header");
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let names = text.split(|c: char| !is_word(c)).filter(|word| {
            let first = word.chars().next();
            first.is_some_and(|c| c.is_ascii_alphabetic())
                && !OURS.contains(word)
                && word.len() > 1
                && !word.starts_with("__")
        });
        words.extend(names.map(str::to_string));
    }
    words
}

#[test]
fn every_name_of_the_runtime_is_free() {
    let words = words();
    assert!(words.len() > 400, "{} words", words.len());
    let dir = std::env::temp_dir().join(format!("tenure-runtime-names-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a temporary directory");
    for (role, piece) in ROLES {
        let source = dir.join(format!("{role}.cyc"));
        // `@` begins words of the language too.
        let piece = piece.replace("@extensible", "\u{1}").replace(" @p)", " \u{2}p)");
        let text: Vec<String> = words.iter().map(|word| piece.replace('@', word)).collect();
        let text = text.join("\n").replace('\u{1}', "@extensible").replace('\u{2}', "@");
        std::fs::write(&source, text).expect("a file of the test");
        let mut compile = Command::new(env!("CARGO_BIN_EXE_tenure"));
        let output = compile
            .args(["cc", "-c", "-O0", "-o"])
            .arg(dir.join("out.o"))
            .arg(&source)
            .output()
            .expect("tenure runs");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{role}: {}", &errors[..errors.len().min(2000)]);
    }
    let _ = std::fs::remove_dir_all(dir);
}
