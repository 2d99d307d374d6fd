//! Which checks are proved: each check in `tests/cases/*.core` says on its line what is expected of it.

use tenure_analysis::{run, Options};
use tenure_core::{parse, verify, Check, CheckStatus, Visitor};
use tenure_span::Sink;

struct Statuses<'t> {
    text: &'t str,
    wrong: Vec<String>,
    seen: usize,
}

impl Visitor for Statuses<'_> {
    fn check(&mut self, check: &Check) {
        let at = check.span.lo as usize;
        let line = 1 + self.text[..at].matches('\n').count();
        let rest = self.text[at..].lines().next().unwrap_or("");
        let expected = match rest.split_once("// ") {
            Some((_, note)) => note.split_whitespace().next().unwrap_or("").to_string(),
            None => String::new(),
        };
        let found = match &check.status {
            CheckStatus::Needed => "needed",
            CheckStatus::Proved(_) | CheckStatus::Verified(_) => "proved",
        };
        self.seen += 1;
        if expected != found {
            self.wrong.push(format!("line {line}: expected {expected}, {found}: {rest}"));
        }
    }
}

fn expect(name: &str, text: &str, whole_program: bool) {
    let mut program = parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(verify(&program), [], "{name}");
    let sink = Sink::new();
    run(&mut program, &Options { whole_program, ..Options::default() }, &sink);
    let headlines: Vec<String> = sink.take().into_iter().map(|d| d.headline).collect();
    assert!(headlines.is_empty(), "{name}: {headlines:?}");
    let mut statuses = Statuses { text, wrong: Vec::new(), seen: 0 };
    for function in &program.functions {
        statuses.block(&function.body);
    }
    assert!(statuses.seen > 0, "{name} has no checks");
    assert!(statuses.wrong.is_empty(), "{name}:\n{}", statuses.wrong.join("\n"));
    assert_eq!(verify(&program), [], "{name}");
}

macro_rules! cases {
    ($whole:literal: $($test:ident),*) => {$(
        #[test]
        fn $test() {
            expect(stringify!($test), include_str!(concat!("cases/", stringify!($test), ".core")), $whole);
        }
    )*};
}

cases!(
    false: calls, globals, loops, pointers, branches, arithmetic, memory, strings, tables, handlers,
    wrapping, products, aliases
);
cases!(true: fields, overlays, stored);

#[test]
fn long_and_deep_functions_do_not_overflow_the_stack() {
    let mut text = String::from(
        "fn f(c: int, p: *int) -> int external {\n  var x: int;\n  var a: [10]int;\n  zero a;\n  x = 0;\n",
    );
    for _ in 0..4000 {
        text.push_str("  if c > x {\n    x = x + 1;\n  }\n");
        text.push_str("  check index(x & 7, 10:ulong);\n  a[x & 7] = 1;\n");
    }
    for n in 0..240 {
        text.push_str(&format!("  while L{n} x < {n} {{\n"));
    }
    text.push_str("  check nonnull(p);\n  x = x + (*p);\n");
    text.push_str(&"}\n".repeat(240));
    text.push_str("  return x;\n}\n");
    // The parser of the text form has frames of its own for each level.
    const PARSER_STACK_BYTES: usize = 64 << 20;
    let parser = std::thread::Builder::new().stack_size(PARSER_STACK_BYTES);
    let parsed = parser
        .spawn(move || parse(&text))
        .and_then(|thread| thread.join().map_err(|_| std::io::Error::other("the parser panicked")));
    let Ok(Ok(mut program)) = parsed else { panic!("the text is no program") };
    run(&mut program, &Options::default(), &Sink::new());
    let count = tenure_analysis::count_checks(&program);
    assert_eq!((count.proved, count.needed), (4000, 1));
}
