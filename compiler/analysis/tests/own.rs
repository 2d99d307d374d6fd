//! Ownership: use after consumption, loans, parts, leaks.
//!
//! Each case of `tests/own/*.core` is a program after a line `//// name`. `//~ CODE headline` marks the line of each diagnostic,
//! `//~ at: label` the line of each further place that it names. `//~ …` may stand more than once on a line.

use tenure_analysis::{run, Options};
use tenure_core::{parse, verify};
use tenure_span::{Diagnostic, Sink};

fn line_of(text: &str, offset: u32) -> usize {
    text[..offset as usize].matches('\n').count()
}

fn told(text: &str, diagnostic: &Diagnostic) -> Vec<(usize, String)> {
    let primary = line_of(text, diagnostic.primary.span.lo);
    let mut lines = vec![(primary, format!("{} {}", diagnostic.code, diagnostic.headline))];
    for label in &diagnostic.secondary {
        lines.push((line_of(text, label.span.lo), format!("at: {}", label.text)));
    }
    lines
}

fn check(all: &str) -> usize {
    let mut cases = 0;
    let mut wrong = Vec::new();
    for case in all.split("//// ").skip(1) {
        let (name, text) = case.split_once('\n').unwrap_or((case, ""));
        let mut program = parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(verify(&program), [], "{name}");
        let sink = Sink::new();
        run(&mut program, &Options::default(), &sink);
        let mut found: Vec<(usize, String)> =
            sink.take().iter().flat_map(|diagnostic| told(text, diagnostic)).collect();
        let mut expected: Vec<(usize, String)> = Vec::new();
        for (number, line) in text.lines().enumerate() {
            expected.extend(line.split("//~ ").skip(1).map(|told| (number, told.trim().into())));
        }
        found.sort();
        expected.sort();
        if found != expected {
            wrong.push(format!("{name}:\n   found {found:#?}\nexpected {expected:#?}"));
        }
        cases += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    cases
}

#[test]
fn misuse_is_reported_with_both_places() {
    assert!(check(include_str!("own/misuse.core")) > 25);
}

#[test]
fn leaks_are_reported_with_both_places() {
    assert!(check(include_str!("own/leaks.core")) > 20);
}

#[test]
fn sound_programs_are_left_alone() {
    assert!(check(include_str!("own/sound.core")) > 20);
}
