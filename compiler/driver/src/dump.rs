//! What `--emit`, `--checks` and `--list-trusted` print.

use std::fmt::Write;
use tenure_span::SourceMap;

/// Each interface that is believed, by header.
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
