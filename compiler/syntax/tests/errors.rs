//! One mistake is one error at its place, and what follows it is read as if nothing had happened.

mod support;

use support::{codes, parse};

#[test]
fn a_dozen_independent_errors_are_all_reported() {
    let source = "\
int a = 1
int f(int x) {
  int y = x +;
  if (x { y = 1; }
  f(a b, y);
  for (int i = 0; i < 3, i++) { y++; }
  y = (1 + 2;
  return y
}
int new;
struct S { int a int b; };
unsigned float z;
int g(int x) {
  x = 08;
  case 3: x = 1;
  else x = 1;
  switch (x) { case : break; case 1: x = 2; }
  g(;
  x = \"open;
  x = 5 § 2;
  return x;
}
int @fat p;
enum { A, B C };
datatype T { D(int) E; };
int ok(void) { return 0; }
} int last;
";
    let expected = [
        "1 E0105", "3 E0106", "4 E0105", "5 E0105", "6 E0105", "7 E0105", "8 E0105", "10 E0108",
        "11 E0105", "12 E0113", "14 E0111", "15 E0114", "16 E0116", "17 E0115", "18 E0106",
        "19 E0103", "20 E0101", "23 E0117", "24 E0105", "25 E0105", "27 E0110",
    ];
    assert_eq!(codes(source), expected);
}

/// The headline of the only diagnostic.
#[track_caller]
fn headline(source: &str) -> String {
    let (_, diagnostics) = parse(source);
    let all: Vec<&str> = diagnostics.iter().map(|d| d.headline.as_str()).collect();
    assert_eq!(all.len(), 1, "{source}: {all:?}");
    all[0].to_string()
}

#[test]
fn a_message_names_what_was_expected_and_what_was_found() {
    assert_eq!(headline("int x = 1\nint y;"), "expected `;` after the declaration");
    assert_eq!(headline("int f( { }"), "expected a parameter's type, found `{`");
    assert_eq!(headline("int f() { return 1 +; }"), "expected an expression, found `;`");
    assert_eq!(headline("int f() { g(1 2); }"), "expected `)`, found the number `2`");
    assert_eq!(headline("int x[3;"), "expected `]`, found `;`");
    assert_eq!(headline("int f() {"), "a `{` is not closed");
    assert_eq!(headline("}"), "a `}` that closes nothing");
    assert_eq!(headline("int let;"), "`let` is a reserved word");
    assert_eq!(headline("int x = 'ab;"), "the type variable `'ab` is no value");
    assert_eq!(headline("char *s = \"a\\q\";"), "this is no well-formed string literal");
    assert_eq!(headline("int x = 09;"), "`09` is no number");
    assert_eq!(headline("int x = {1, 2} 3;"), "expected `;` after the declaration");
    assert_eq!(headline("int f() { x = {1}; }"), "a braced list is no value");
    assert_eq!(
        headline("struct S<int> { int x; };"),
        "a definition's parameter is no type variable"
    );
    assert_eq!(headline("int x; /* open"), "a comment is not closed");
    assert_eq!(headline("/* a /* b */ int x;"), "`/*` within a comment");
    assert_eq!(
        headline("int f() { int g() { return 1; } }"),
        "a function is defined within a function"
    );
    assert_eq!(headline("extern \"Ada\" int x;"), "an unknown language after `extern`");
    assert_eq!(headline("static extern int x;"), "two storage classes in one declaration");
    assert_eq!(headline("#define X 1\nint x;"), "a preprocessor directive in preprocessed text");
}

#[test]
fn a_missing_bracket_shows_the_open_one() {
    let (_, diagnostics) = parse("int f(int x) { return (x + 1; }");
    let secondary = diagnostics.first().and_then(|d| d.secondary.first());
    assert_eq!(
        secondary.map(|label| (label.span.lo, label.text.as_str())),
        Some((22, "to close this"))
    );
}

#[test]
fn a_fix_is_offered_where_it_is_known() {
    let fix = |source: &str| {
        let (_, diagnostics) = parse(source);
        let help = diagnostics.first().and_then(|d| d.helps.first()).cloned();
        help.and_then(|help| help.replacement).map(|(span, text)| (span.lo, text))
    };
    assert_eq!(fix("int x = 1\nint y;"), Some((9, ";".into())));
    assert_eq!(fix("int @fat p;"), Some((4, "*".into())));
    assert_eq!(fix("int new;"), Some((4, "new_".into())));
}

#[test]
fn statements_after_an_error_are_kept() {
    let (tree, diagnostics) = parse("int f(int x) { x = ; g(x); if (x h(x); y = 1; } int z;");
    assert_eq!(diagnostics.len(), 2);
    assert_eq!(tree.decls.len(), 2);
    let printed = tenure_syntax::print(&tree);
    assert!(printed.contains("g(x);") && printed.contains("y = 1;"), "{printed}");
}
