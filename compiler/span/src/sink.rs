use crate::{Diagnostic, Severity, Span};
use crate::{FastMap, FastSet};
use std::cell::RefCell;

/// Proof that an error was reported. Code that cannot go on holds one; only a sink makes them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ErrorGuaranteed(());

/// Collects diagnostics. The same code at the same place is kept once, errors of one cause once with the number of the
/// others, and errors beyond a limit are counted but not kept.
#[derive(Debug)]
pub struct Sink {
    state: RefCell<State>,
    /// Errors that are kept.
    limit: usize,
}

#[derive(Debug, Default)]
struct State {
    kept: Vec<Diagnostic>,
    seen: FastSet<(&'static str, Span)>,
    /// Of each cause, the diagnostic that is kept, and how many others came from it.
    causes: FastMap<(&'static str, String, Span), (Option<usize>, usize)>,
    errors: usize,
    warnings: usize,
    dropped: usize,
}

impl Default for Sink {
    fn default() -> Sink {
        Sink::new()
    }
}

impl Sink {
    /// Errors kept by a sink made with [`Sink::new`].
    pub const DEFAULT_LIMIT: usize = 100;

    pub fn new() -> Sink {
        Sink::with_limit(Sink::DEFAULT_LIMIT)
    }

    pub fn with_limit(limit: usize) -> Sink {
        Sink { state: RefCell::default(), limit }
    }

    /// Takes a diagnostic of any severity; the proof is there if it was an error.
    pub fn emit(&self, diagnostic: Diagnostic) -> Option<ErrorGuaranteed> {
        let mut state = self.state.borrow_mut();
        let is_error = diagnostic.is_error();
        let proof = is_error.then_some(ErrorGuaranteed(()));
        if !state.seen.insert((diagnostic.code, diagnostic.primary.span)) {
            return proof;
        }
        if let Some(cause) = diagnostic.cause {
            let key = (diagnostic.code, diagnostic.headline.clone(), cause);
            if let Some((_, others)) = state.causes.get_mut(&key) {
                *others += 1;
                return proof;
            }
            let kept = state.kept.len();
            state.causes.insert(key, (Some(kept), 0));
        }
        match diagnostic.severity {
            Severity::Error => state.errors += 1,
            Severity::Warning => state.warnings += 1,
            Severity::Note => {}
        }
        if is_error && state.errors > self.limit {
            state.dropped += 1;
        } else {
            state.kept.push(diagnostic);
        }
        proof
    }

    /// Takes an error; a diagnostic of less severity is made one.
    pub fn error(&self, mut diagnostic: Diagnostic) -> ErrorGuaranteed {
        diagnostic.severity = Severity::Error;
        self.emit(diagnostic);
        ErrorGuaranteed(())
    }

    pub fn emit_all(&self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        for diagnostic in diagnostics {
            self.emit(diagnostic);
        }
    }

    pub fn has_errors(&self) -> Option<ErrorGuaranteed> {
        (self.error_count() > 0).then_some(ErrorGuaranteed(()))
    }

    /// All errors, kept or not.
    pub fn error_count(&self) -> usize {
        self.state.borrow().errors
    }

    pub fn warning_count(&self) -> usize {
        self.state.borrow().warnings
    }

    /// Errors beyond the limit.
    pub fn dropped_count(&self) -> usize {
        self.state.borrow().dropped
    }

    /// What was kept so far, in order of arrival; counts and de-duplication go on.
    pub fn take(&self) -> Vec<Diagnostic> {
        let mut state = self.state.borrow_mut();
        let mut kept = std::mem::take(&mut state.kept);
        for (index, others) in state.causes.values_mut() {
            if let Some(first) = index.take().and_then(|index| kept.get_mut(index)) {
                match *others {
                    0 => {}
                    1 => first.notes.push("and 1 more place".to_string()),
                    n => first.notes.push(format!("and {n} more places")),
                }
            }
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FileId;

    fn at(lo: u32) -> Span {
        Span::new(FileId(0), lo, lo + 1)
    }

    #[test]
    fn the_same_code_at_the_same_place_is_kept_once() {
        let sink = Sink::new();
        sink.emit(Diagnostic::error("E0101", "a", at(0)));
        sink.emit(Diagnostic::error("E0101", "b", at(0)));
        sink.emit(Diagnostic::error("E0102", "c", at(0)));
        sink.emit(Diagnostic::error("E0101", "d", at(1)));
        assert_eq!(sink.error_count(), 3);
        let kept: Vec<String> = sink.take().into_iter().map(|d| d.headline).collect();
        assert_eq!(kept, ["a", "c", "d"]);
    }

    #[test]
    fn errors_of_one_cause_are_one_with_a_count() {
        let sink = Sink::new();
        for lo in 1..4 {
            sink.emit(Diagnostic::error("E0101", "a", at(lo)).caused_by(at(0)));
        }
        sink.emit(Diagnostic::error("E0101", "b", at(5)).caused_by(at(0)));
        sink.emit(Diagnostic::error("E0101", "a", at(6)).caused_by(at(9)));
        assert_eq!(sink.error_count(), 3);
        let notes: Vec<Vec<String>> = sink.take().into_iter().map(|d| d.notes).collect();
        assert_eq!(notes, [vec!["and 2 more places".to_string()], vec![], vec![]]);
    }

    #[test]
    fn errors_beyond_the_limit_are_counted_and_warnings_are_no_errors() {
        let sink = Sink::with_limit(2);
        assert!(sink.emit(Diagnostic::warning("W0101", "w", at(9))).is_none());
        assert!(sink.has_errors().is_none());
        for lo in 0..5 {
            sink.error(Diagnostic::error("E0101", "e", at(lo)));
        }
        assert!(sink.has_errors().is_some());
        assert_eq!((sink.error_count(), sink.dropped_count(), sink.warning_count()), (5, 3, 1));
        assert_eq!(sink.take().len(), 3);
    }
}
