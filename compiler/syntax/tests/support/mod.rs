//! What the tests of the parser share.
#![allow(dead_code)] // each test program uses a part of it

use tenure_span::{Diagnostic, FileId};
use tenure_syntax::tree::Tree;

/// Sources that use every construct of the language.
pub fn corpus() -> Vec<(&'static str, &'static str)> {
    vec![
        ("c11", include_str!("../corpus/c11.cyc")),
        ("gnu", include_str!("../corpus/gnu.cyc")),
        ("types", include_str!("../corpus/types.cyc")),
        ("statements", include_str!("../corpus/statements.cyc")),
        ("papers", include_str!("../corpus/papers.cyc")),
    ]
}

pub fn parse(text: &str) -> (Tree, Vec<Diagnostic>) {
    tenure_syntax::parse(FileId(0), text)
}

/// The tree of a text in which nothing is wrong.
#[track_caller]
pub fn parse_clean(name: &str, text: &str) -> Tree {
    let (tree, diagnostics) = parse(text);
    if let Some(first) = diagnostics.first() {
        let span = first.primary.span;
        let line = text[..span.lo as usize].matches('\n').count() + 1;
        let shown = text.lines().nth(line - 1).unwrap_or("");
        panic!("{name}:{line}: {} {}\n{shown}", first.code, first.headline);
    }
    tree
}

#[track_caller]
pub fn assert_round_trip(name: &str, text: &str) {
    let tree = parse_clean(name, text);
    let printed = tenure_syntax::print(&tree);
    let again = parse_clean(&format!("{name}, printed"), &printed);
    let (left, right) = (without_spans(&tree), without_spans(&again));
    if left != right {
        let at = left.lines().zip(right.lines()).position(|(a, b)| a != b).unwrap_or(0);
        let near = |text: &str| {
            let from = at.saturating_sub(12);
            text.lines().skip(from).take(20).collect::<Vec<_>>().join("\n")
        };
        panic!("{name} changed:\n{}\n--- to ---\n{}\n{printed}", near(&left), near(&right));
    }
}

/// The tree in Rust's debug form, with the spans taken out.
fn without_spans(tree: &Tree) -> String {
    let text = format!("{tree:#?}");
    let mut out = String::new();
    for line in text.lines() {
        let value = line.trim().trim_end_matches(',');
        let value = value.rsplit(": ").next().unwrap_or(value);
        let is_span = value.split_once("..").is_some_and(|(head, tail)| {
            let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit() || b == b':');
            head.contains(':') && digits(head) && digits(tail)
        });
        if !is_span {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

/// `line code` of each diagnostic, in order.
pub fn codes(text: &str) -> Vec<String> {
    let (_, diagnostics) = parse(text);
    diagnostics
        .iter()
        .map(|diagnostic| {
            let lo = diagnostic.primary.span.lo as usize;
            format!("{} {}", text[..lo].matches('\n').count() + 1, diagnostic.code)
        })
        .collect()
}
