//! Places in source text, interned names, and diagnostics as data.

mod diagnostic;
mod intern;
mod sink;
mod source_map;
mod span;

pub use diagnostic::{Diagnostic, Help, Label, Severity};
pub use intern::Symbol;
pub use sink::{ErrorGuaranteed, Sink};
pub use source_map::{Place, SourceMap};
pub use span::{FileId, Span};
