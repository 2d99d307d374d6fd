use crate::Span;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Severity {
    Error,
    Warning,
    Note,
}

impl Severity {
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

/// A place and what is to be said about it; the text may be empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    pub span: Span,
    pub text: String,
}

/// What the user may do, and if it is known, the text that would do it. An empty span inserts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Help {
    pub text: String,
    pub replacement: Option<(Span, String)>,
}

/// One thing that is wrong, as data. Texts are lower case without a full stop; the headline reads
/// well alone, notes explain, helps suggest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// `E0301`, `W0101`; its page is `docs/errors/<code>.md`.
    pub code: &'static str,
    pub severity: Severity,
    pub headline: String,
    pub primary: Label,
    /// Where the other facts come from.
    pub secondary: Vec<Label>,
    pub notes: Vec<String>,
    pub helps: Vec<Help>,
    /// The declaration that is to be mended. Of errors with one code, headline and cause the first is kept, with the
    /// number of the others.
    pub cause: Option<Span>,
}

impl Diagnostic {
    pub fn new(
        severity: Severity,
        code: &'static str,
        headline: impl Into<String>,
        span: Span,
    ) -> Diagnostic {
        Diagnostic {
            code,
            severity,
            headline: headline.into(),
            primary: Label { span, text: String::new() },
            secondary: Vec::new(),
            notes: Vec::new(),
            helps: Vec::new(),
            cause: None,
        }
    }

    pub fn error(code: &'static str, headline: impl Into<String>, span: Span) -> Diagnostic {
        Diagnostic::new(Severity::Error, code, headline, span)
    }

    pub fn warning(code: &'static str, headline: impl Into<String>, span: Span) -> Diagnostic {
        Diagnostic::new(Severity::Warning, code, headline, span)
    }

    /// The declaration, or whatever else there is one of, that all errors like this one come from.
    pub fn caused_by(mut self, span: Span) -> Diagnostic {
        self.cause = (!span.is_none()).then_some(span);
        self
    }

    /// The text under the primary place.
    pub fn label(mut self, text: impl Into<String>) -> Diagnostic {
        self.primary.text = text.into();
        self
    }

    pub fn secondary(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.helps.push(Help { text: text.into(), replacement: None });
        self
    }

    /// A help whose fix is known: put `replacement` in the place of `span`.
    pub fn suggest(
        mut self,
        text: impl Into<String>,
        span: Span,
        replacement: impl Into<String>,
    ) -> Diagnostic {
        let replacement = Some((span, replacement.into()));
        self.helps.push(Help { text: text.into(), replacement });
        self
    }

    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
