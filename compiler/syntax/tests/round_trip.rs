//! A printed tree parses back to an equal tree.

mod support;

use support::{assert_round_trip, corpus};

#[test]
fn every_sample_survives_printing() {
    for (name, text) in corpus() {
        assert_round_trip(name, text);
    }
}

#[test]
fn constants_survive_printing() {
    assert_round_trip(
        "constants",
        r#"int a[] = {0, 017, 0x1F, 0b11, 1u, 2ul, 3ll, 'a', '\n', '\'', '\0', '\xff', 'ab', L'é'};
           double d[] = {1.5, .5f, 1e10, 0x1p3, 1.0l, 2.f, 1e3i};
           char *s = "a\"b\\\n\0019\x7f" "tail"; int *w = L"é\xd800z\x12345g"; void *u = u"😀";"#,
    );
}

#[test]
fn operators_that_would_run_together_are_kept_apart() {
    assert_round_trip(
        "operators",
        "int f(int x, int *p) { return - -x + + +x - --x + x++ + ++x * **&p & &*p == ~!x; }",
    );
}
