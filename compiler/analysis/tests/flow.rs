//! Definite assignment, returns, unreachable code, and what the passes write into locals.
//!
//! Each case of `tests/flow.core` is a program after a line `//~ name: codes`; the text `//~ E0731` marks the line of each
//! diagnostic. Locals that must become zero or volatile are listed after `zeroed:` and `volatile:`.

use tenure_analysis::{run, Options};
use tenure_core::{parse, verify};
use tenure_span::Sink;

fn line_of(text: &str, offset: u32) -> usize {
    text[..offset as usize].matches('\n').count()
}

fn names(function: &tenure_core::Function, wanted: impl Fn(&tenure_core::Local) -> bool) -> String {
    let mut names: Vec<&str> = function
        .locals
        .iter()
        .filter(|l| wanted(l))
        .filter_map(|l| Some(l.name?.as_str()))
        .collect();
    names.sort_unstable();
    names.join(" ")
}

#[test]
fn diagnostics_stand_where_the_text_says() {
    let all = include_str!("flow.core");
    let mut cases = 0;
    for case in all.split("//// ").skip(1) {
        let (name, text) = case.split_once('\n').unwrap_or((case, ""));
        let mut program = parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(verify(&program), [], "{name}");
        let sink = Sink::new();
        run(&mut program, &Options::default(), &sink);
        let mut found: Vec<(usize, String)> = sink
            .take()
            .iter()
            .map(|d| (line_of(text, d.primary.span.lo), d.code.to_string()))
            .collect();
        found.sort();
        let mut expected: Vec<(usize, String)> = Vec::new();
        let (mut zeroed, mut volatile) = ("", "");
        for (number, line) in text.lines().enumerate() {
            if let Some((_, codes)) = line.split_once("//~ ") {
                expected.extend(codes.split_whitespace().map(|code| (number, code.to_string())));
            }
            zeroed = line.split_once("zeroed: ").map_or(zeroed, |(_, names)| names);
            volatile = line.split_once("volatile: ").map_or(volatile, |(_, names)| names);
        }
        assert_eq!(found, expected, "{name}");
        let function = &program.functions[0];
        assert_eq!(names(function, |local| local.zero_at_entry), zeroed, "{name}: zeroed");
        assert_eq!(names(function, |local| local.is_volatile), volatile, "{name}: volatile");
        cases += 1;
    }
    assert!(cases > 20);
}

#[test]
fn switched_off_checks_are_no_proofs() {
    let text = "fn f(p: *int) -> int external { check nonnull(p); return (*p); }";
    let mut program = parse(text).unwrap_or_else(|error| panic!("{error}"));
    run(&mut program, &Options { checks: false, ..Options::default() }, &Sink::new());
    let count = tenure_analysis::count_checks(&program);
    assert_eq!((count.switched_off, count.proved, count.needed), (1, 0, 0));
}
