//! Places in source text, interned names, and diagnostics as data.

mod codes;
mod diagnostic;
mod hash;
mod intern;
mod render;
mod sink;
mod source_map;
mod span;

pub use codes::{codes, explain};
pub use diagnostic::{Diagnostic, Help, Label, Severity};
pub use hash::{FastMap, FastSet};
pub use intern::Symbol;
pub use render::{render_human, render_json, render_sarif, SarifLog};
pub use sink::{ErrorGuaranteed, Sink};
pub use source_map::{Place, SourceMap};
pub use span::{FileId, Span};
