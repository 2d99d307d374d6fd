//! What `--emit`, `--checks` and `--list-trusted` print.

use std::fmt::Write;
use tenure_core::{Check, CheckKind, CheckStatus, Fact, Program, VisitorMut};
use tenure_span::{SourceMap, Span};

/// The tree, indented.
pub(crate) fn tree(tree: &tenure_syntax::tree::Tree, _text: &str) -> String {
    format!("{tree:#?}\n")
}

/// The typed tree.
#[cfg(feature = "whole")]
pub(crate) fn unit(unit: &tenure_types::hir::Unit) -> String {
    format!("{unit:#?}\n")
}

/// Each interface that is believed, by header.
#[cfg(feature = "whole")]
pub(crate) fn trusted(unit: &tenure_types::hir::Unit, map: &SourceMap) -> String {
    let mut out = String::new();
    let mut last = String::new();
    for item in &unit.trusted {
        let (file, line) =
            map.line(item.span).map_or_else(Default::default, |(f, l)| (f.to_string(), l));
        if file != last {
            let _ = writeln!(out, "trusted interfaces of {file}:");
            last.clone_from(&file);
        }
        let _ = writeln!(out, "  {line}: {}: {}", item.name, item.ty);
    }
    out
}

struct Off;

impl VisitorMut for Off {
    fn check(&mut self, check: &mut Check) {
        if check.status == CheckStatus::Needed {
            check.status = CheckStatus::Proved(Fact::SwitchedOff);
        }
    }
}

/// `--no-checks`.
pub(crate) fn switch_off_checks(program: &mut Program) {
    for function in &mut program.functions {
        tenure_core::walk_block_mut(&mut Off, &mut function.body);
    }
}

struct Count<'m> {
    map: &'m SourceMap,
    lines: Vec<String>,
    proved: usize,
}

impl tenure_core::Visitor for Count<'_> {
    fn check(&mut self, check: &Check) {
        let (line, text) = self.at(check.span);
        let what = describe(&check.kind);
        match &check.status {
            CheckStatus::Needed => {
                self.lines.push(format!("  line {line}: {what} of {text}: not proved"));
            }
            CheckStatus::Proved(fact) => {
                self.proved += 1;
                let why = self.fact(fact);
                self.lines.push(format!("  line {line}: {what} of {text}: proved, {why}"));
            }
        }
    }
}

impl Count<'_> {
    fn at(&self, span: Span) -> (u32, String) {
        let line = self.map.line(span).map_or(0, |(_, line)| line);
        let words: Vec<&str> = self.map.snippet(span).split_whitespace().collect();
        (line, format!("`{}`", words.join(" ")))
    }

    fn fact(&self, fact: &Fact) -> String {
        let line = |span: &Span| self.at(*span).0;
        match fact {
            Fact::Constant => "its operands are constants".to_string(),
            Fact::Origin(span) => format!("by where the pointer comes from (line {})", line(span)),
            Fact::Branch(span) => format!("by the test in line {}", line(span)),
            Fact::EarlierCheck(span) => format!("by the check in line {}", line(span)),
            Fact::Range { low, high, .. } => format!("the index is between {low} and {high}"),
            Fact::LessThan(span) => format!("by the comparison in line {}", line(span)),
            Fact::SwitchedOff => "no: checks are switched off".to_string(),
        }
    }
}

/// The checks of each function: those that remain, and those that were proved and why.
pub(crate) fn checks(program: &Program, map: &SourceMap) -> String {
    let mut out = String::new();
    let (mut all, mut proved) = (0, 0);
    for function in &program.functions {
        let mut count = Count { map, lines: Vec::new(), proved: 0 };
        tenure_core::walk_block(&mut count, &function.body);
        if count.lines.is_empty() {
            continue;
        }
        all += count.lines.len();
        proved += count.proved;
        let remaining = count.lines.len() - count.proved;
        let name = program.decls[function.id].source_name;
        let _ = writeln!(out, "{name}: {remaining} of {} checks remain", count.lines.len());
        for line in count.lines {
            out.push_str(&line);
            out.push('\n');
        }
    }
    let share = if all == 0 { 100.0 } else { 100.0 * proved as f64 / all as f64 };
    let _ = writeln!(out, "{proved} of {all} checks proved ({share:.0}%)");
    out
}

fn describe(kind: &CheckKind) -> &'static str {
    match kind {
        CheckKind::NonNull(_) => "null check",
        CheckKind::Index { .. } | CheckKind::IndexOrEnd { .. } => "index check",
        CheckKind::FatIndex { .. } | CheckKind::FatCount { .. } => "bounds check",
        CheckKind::NonZero(_) | CheckKind::NoDivOverflow { .. } => "division check",
        CheckKind::Tag { .. } => "tag check",
        CheckKind::ZeroTermIndex { .. }
        | CheckKind::ZeroTermStore { .. }
        | CheckKind::HasZero { .. } => "terminator check",
        CheckKind::Fits32(_) => "size check",
        CheckKind::Assert(_) => "assertion",
    }
}
