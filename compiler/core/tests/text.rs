//! The text form parses back to the same program, and the verifier finds each broken rule.

use tenure_core::{parse, print, verify};

const SAMPLE: &str = include_str!("sample.core");

#[test]
fn printing_what_was_parsed_gives_the_same_text() {
    let program = parse(SAMPLE).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(print(&program), SAMPLE);
}

#[test]
fn the_sample_breaks_no_rule() {
    let program = parse(SAMPLE).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(verify(&program), []);
}

#[test]
fn every_prefix_of_a_program_is_an_error_and_no_panic() {
    for (end, _) in SAMPLE.char_indices().step_by(7) {
        let _ = parse(&SAMPLE[..end]);
    }
    let deep = format!("fn f() -> int external {{ return {}1; }}", "(".repeat(100_000));
    assert!(parse(&deep).is_err());
}

#[test]
fn the_verifier_finds_each_broken_rule() {
    let broken =
        [include_str!("broken.core"), include_str!("access.core"), include_str!("touch.core")]
            .concat();
    for case in broken.split("//~ ").skip(1) {
        let (expected, text) = case.split_once('\n').unwrap_or((case, ""));
        let program = parse(text).unwrap_or_else(|error| panic!("{expected}: {error}"));
        let found = verify(&program);
        let texts: Vec<&str> = found.iter().map(|violation| violation.message.as_str()).collect();
        assert!(
            texts.iter().any(|text| text.contains(expected.trim())),
            "expected `{expected}`, found {texts:?}"
        );
    }
}
