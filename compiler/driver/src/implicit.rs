//! Warnings about conversions that the user did not write and that may fail when the program runs.

use crate::home::Home;
use tenure_core::{CheckKind, CheckStatus, Program, StmtKind, Visitor};
use tenure_span::{Diagnostic, FastSet, Sink, SourceMap, Span};

/// Warns of each of the `implicit` conversions whose check the analysis did not prove. The library's own headers are
/// believed.
pub(crate) fn warn(
    home: &Home,
    implicit: &[Span],
    program: &Program,
    map: &SourceMap,
    sink: &Sink,
) {
    if implicit.is_empty() {
        return;
    }
    let mut found = Unproved { implicit: implicit.iter().copied().collect(), checks: Vec::new() };
    for function in &program.functions {
        found.block(&function.body);
    }
    let own = home.library_include().display().to_string();
    for (span, label, help) in found.checks {
        if map.locate(span).is_some_and(|place| place.file.starts_with(&own)) {
            continue;
        }
        let text = "this conversion is checked when the program runs, and may raise an exception";
        sink.emit(Diagnostic::warning("W0401", text, span).label(label).help(help));
    }
}

struct Unproved {
    implicit: FastSet<Span>,
    checks: Vec<(Span, &'static str, &'static str)>,
}

impl Visitor for Unproved {
    fn stmt(&mut self, stmt: &tenure_core::Stmt) {
        if let StmtKind::Check(check) = &stmt.kind {
            let said = match check.kind {
                CheckKind::NonNull(_) => Some((
                    "this may be NULL",
                    "test it before, or write the cast that asks for the check",
                )),
                CheckKind::FatCount { .. } => Some((
                    "too few elements may be left",
                    "take a pointer with bounds, or write the cast that asks for the check",
                )),
                CheckKind::HasZero { .. } => Some((
                    "no zero may end it",
                    "take `const char ?`, or write the cast that asks for the check",
                )),
                _ => None,
            };
            let needed = check.status == CheckStatus::Needed && self.implicit.contains(&check.span);
            if let (Some((label, help)), true) = (said, needed) {
                self.checks.push((check.span, label, help));
            }
        }
        tenure_core::walk_stmt(self, stmt);
    }
}
