//! Nesting is bounded with one clear error; what is merely long is not nesting.

mod support;

use support::{codes, parse, parse_clean};
use tenure_syntax::MAX_DEPTH;

fn nested(open: &str, inner: &str, close: &str, count: usize) -> String {
    format!("{}{inner}{}", open.repeat(count), close.repeat(count))
}

/// Each way to nest, deep enough to exhaust a stack that is not guarded.
fn towers(count: usize) -> Vec<String> {
    let in_function = |text: String| format!("int f(int x) {{ {text} ; }}");
    vec![
        in_function(nested("(", "x", ")", count)),
        in_function(nested("- ", "x", "", count)),
        in_function(nested("(int)", "x", "", count)),
        in_function(nested("f(", "x", ")", count)),
        in_function(nested("x[", "x", "]", count)),
        in_function(nested("sizeof ", "x", "", count)),
        in_function(nested("x = ", "x", "", count)),
        in_function(nested("x ? ", "x", " : x", count)),
        in_function(nested("({", "x", ";})", count)),
        in_function(nested("new ", "x", "", count)),
        in_function(nested("$(", "x", ")", count)),
        in_function(nested("P{", "x", "}", count)),
        in_function(nested("if (x) ", ";", "", count)),
        in_function(nested("while (x) { ", ";", "}", count)),
        in_function(nested("for (;;) ", ";", "", count)),
        in_function(nested("L: ", ";", "", count)),
        in_function(nested("switch (x) { case 1: ", ";", "}", count)),
        in_function(nested("try { ", ";", "} catch {}", count)),
        in_function(format!("let {} = x", nested("&", "y", "", count))),
        in_function(format!("let {} = x", nested("C(", "y", ")", count))),
        format!("int x = {};", nested("{", "1", "}", count)),
        format!("int {};", nested("(*", "x", ")", count)),
        format!("int {}x{};", nested("(", "", "", count), nested(")", "", "", count)),
        format!("int x{};", nested("(int", "", ")", count)),
        format!("int {}x;", "*".repeat(count)),
        format!("int x{};", "[1]".repeat(count)),
        format!("typedef int l; {} x;", nested("l<", "int", ">", count)),
        format!("{} x;", nested("$(", "int", ")", count)),
        format!("{} x;", nested("typeof(", "int", ")", count)),
        nested("datatype D { C(", "int", "); }", count) + ";",
        nested("struct { ", "int x;", "} y;", count),
        nested("namespace N { ", "int x;", "}", count),
        nested("extern \"C\" { ", "int x;", "}", count),
        "using N;".repeat(count),
    ]
}

#[test]
fn deep_nesting_is_one_error() {
    for text in towers(3000) {
        let (_, diagnostics) = parse(&text);
        let found: Vec<&str> = diagnostics.iter().map(|d| d.code).collect();
        assert_eq!(found, ["E0109"], "{}", &text[..60]);
    }
}

#[test]
fn nesting_within_the_bound_is_accepted() {
    for text in towers(MAX_DEPTH as usize / 4) {
        parse_clean(&text[..40.min(text.len())], &text);
    }
}

/// C11 5.2.4.1: 127 levels of blocks.
#[test]
fn blocks_nest_as_deep_as_c_wants() {
    for open in ["{ ", "if (x) { ", "while (x) { ", "for (;;) { ", "do { "] {
        let close = if open.starts_with("do") { "} while (x);" } else { "}" };
        let text = format!("int f(int x) {{ {} }}", nested(open, "x++;", close, 126));
        parse_clean(open, &text);
    }
}

#[test]
fn long_is_not_deep() {
    let many = 3000;
    let items = vec!["1"; many];
    let cases: Vec<String> = (0..many).map(|n| format!("case {n}: x++;")).collect();
    let chain = "if (x) x = 1; else ".repeat(many / 2);
    for text in [
        format!("int x = {};", items.join(" + ")),
        format!("int x = {};", items.join(" - ")),
        format!("int x[] = {{{}}};", items.join(", ")),
        format!("int f(int x) {{ x = ({}); }}", items.join(", ")),
        format!("int f(int x) {{ f({}); }}", items.join(", ")),
        format!("int f(int x) {{ {chain} x = 2; }}"),
        format!("int f(int x) {{ switch (x) {{ {} }} }}", cases.join(" ")),
        format!("int f(int x) {{ {} }}", "x = 1;".repeat(many)),
        format!("char *s = {};", vec!["\"s\""; many].join(" ")),
        format!("int f(int x) {{ return x{}; }}", "->next".repeat(many)),
        format!("int x = {}1;", "1 ? 2 : ".repeat(many)),
    ] {
        parse_clean(&text[..40], &text);
    }
}

/// Each of these would take minutes if an error were as dear as the rest of the text is long.
#[test]
fn many_errors_take_time_in_proportion_to_the_text() {
    let many = 5_000;
    for line in [
        "int x = f(a b\n",
        "f(a b\n",
        "char *s = \"open\nint y\n",
        "int g() { (((\n",
        "x ? y : {\n",
        "case 1 2\n",
        "A::B::C x ::\n",
        "$($($(\n",
        "struct S { int\n",
        "#x §\n",
    ] {
        let (_, diagnostics) = parse(&line.repeat(many));
        assert!(!diagnostics.is_empty(), "{line}");
    }
}

#[test]
fn a_chain_beyond_the_bound_on_height_is_an_error() {
    let text = format!("int x = {}\n;", vec!["1"; 100_000].join(" + "));
    assert_eq!(codes(&text), ["1 E0109"]);
    let text = format!("int f(int x) {{ {} x = 2; }}", "if (x) x = 1; else ".repeat(100_000));
    assert_eq!(codes(&text), ["1 E0109"]);
}
