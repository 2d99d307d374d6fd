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
            CheckStatus::Proved(_) => "proved",
        };
        self.seen += 1;
        if expected != found {
            self.wrong.push(format!("line {line}: expected {expected}, {found}: {rest}"));
        }
    }
}

fn expect(name: &str, text: &str) {
    let mut program = parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(verify(&program), [], "{name}");
    let sink = Sink::new();
    run(&mut program, &Options::default(), &sink);
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
    ($($test:ident),*) => {$(
        #[test]
        fn $test() {
            expect(stringify!($test), include_str!(concat!("cases/", stringify!($test), ".core")));
        }
    )*};
}

cases!(
    calls, globals, loops, pointers, branches, arithmetic, memory, strings, tables, handlers,
    wrapping
);
