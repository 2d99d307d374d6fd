//! Places in source text, interned names, and diagnostics as data.

mod intern;
mod span;

pub use intern::Symbol;
pub use span::{FileId, Span};
