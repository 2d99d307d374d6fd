//! Programs in, diagnostics out. Errors are marked in the text as in the literate tests: `//~ E0322` on the line, `//~^` above.

mod conversions;
mod declarations;
mod expressions;
mod formats;
mod initialisers;
mod regions;
mod statements;

use tenure_span::{FileId, Sink};

/// Checks that a program has just the diagnostics that it is marked with.
fn check(text: &str) {
    let (mut wanted, mut found) = (marks(text), diagnostics(text));
    wanted.sort();
    found.sort();
    let shown: Vec<(u32, String)> = found.iter().map(|d| (d.0, d.1.clone())).collect();
    assert_eq!(wanted, shown, "\n{text}\n{found:#?}");
}

/// Line and code of each `//~` mark.
fn marks(text: &str) -> Vec<(u32, String)> {
    let mut marks = Vec::new();
    for (index, line) in text.lines().enumerate() {
        for mark in line.split("//~").skip(1) {
            let above = mark.chars().take_while(|&c| c == '^').count();
            let code = mark[above..].split_whitespace().next().unwrap_or_default();
            marks.push(((index + 1 - above) as u32, code.to_string()));
        }
    }
    marks
}

/// Line, code and headline of each diagnostic.
fn diagnostics(text: &str) -> Vec<(u32, String, String)> {
    let sink = Sink::new();
    let (tree, problems) = tenure_syntax::parse(FileId(0), text);
    sink.emit_all(problems);
    let options = tenure_types::Options::default();
    let unit = tenure_types::check(&tree, &options, &sink);
    assert_eq!(unit.is_some(), sink.has_errors().is_none());
    let line = |at: u32| text[..at as usize].matches('\n').count() as u32 + 1;
    sink.take()
        .into_iter()
        .map(|d| {
            let at = if d.primary.span.is_none() { 0 } else { d.primary.span.lo };
            (line(at), d.code.to_string(), d.headline)
        })
        .collect()
}
