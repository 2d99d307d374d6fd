//! Expectations beside the lines that they are about: `//~ E0301 words`, `//~^ W0123` for the line above, `//~ at words` for a
//! further place that a diagnostic names.

use std::collections::BTreeSet;

/// Stands for the code of a place that is not a diagnostic's own. These places need not be marked.
pub const FURTHER_PLACE: &str = "at";

/// One marked diagnostic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    pub line: u32,
    pub code: String,
    /// Must occur in the message.
    pub words: String,
}

/// One diagnostic as it was reported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    pub line: u32,
    pub code: String,
    /// Headline, labels, notes and helps.
    pub message: String,
    pub is_error: bool,
}

/// The marks of a text.
pub fn marks(text: &str) -> Vec<Mark> {
    let mut marks = Vec::new();
    for (at, line) in text.lines().enumerate() {
        for mark in line.split("//~").skip(1) {
            let above = mark.chars().take_while(|&c| c == '^').count();
            let mut words = mark[above..].split_whitespace();
            let code = words.next().unwrap_or_default().to_string();
            let words: Vec<&str> = words.collect();
            let line = (at + 1).saturating_sub(above) as u32;
            marks.push(Mark { line, code, words: words.join(" ") });
        }
    }
    marks
}

/// What differs between marks and reality; empty if nothing.
pub fn compare(marks: &[Mark], found: &[Found], want_errors: bool) -> String {
    let mut out = String::new();
    let marked: BTreeSet<(u32, &str)> = marks.iter().map(|m| (m.line, m.code.as_str())).collect();
    let reported: BTreeSet<(u32, &str)> = found.iter().map(|f| (f.line, f.code.as_str())).collect();
    for (line, code) in marked.difference(&reported) {
        out.push_str(&format!("line {line}: expected {code}, which was not reported\n"));
    }
    for item in found {
        // A rejected program may draw warnings that its test is not about.
        let matters = item.is_error || (!want_errors && item.code != FURTHER_PLACE);
        if matters && !marked.contains(&(item.line, item.code.as_str())) {
            let headline = item.message.lines().next().unwrap_or_default();
            out.push_str(&format!("line {}: unexpected {}: {headline}\n", item.line, item.code));
        }
    }
    for mark in marks.iter().filter(|mark| !mark.words.is_empty()) {
        let mut here =
            found.iter().filter(|f| (f.line, &f.code) == (mark.line, &mark.code)).peekable();
        if here.peek().is_none() {
            continue;
        }
        let texts: Vec<&str> = here.map(|f| f.message.as_str()).collect();
        if !texts.iter().any(|text| text.contains(&mark.words)) {
            out.push_str(&format!(
                "line {}: {} does not say `{}`, but:\n{}\n",
                mark.line,
                mark.code,
                mark.words,
                texts.join("\n")
            ));
        }
    }
    if want_errors && found.iter().all(|f| !f.is_error) {
        out.push_str("the program was accepted\n");
    }
    out
}
