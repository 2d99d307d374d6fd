//! What object files say of types: `TN_DEFINES` beside each definition, `TN_USES` for what other units define,
//! `TN_PROBES` for what only looks so.

use crate::reach::Reached;
use crate::unit::Unit;
use tenure_core::{FunctionDecl, IntTy, Linkage, Ty};
use tenure_span::{Span, Symbol};

impl Unit<'_> {
    pub(crate) fn signatures(&self, reached: &Reached) -> String {
        let mut lines = Vec::new();
        for &id in &reached.functions {
            let decl = &self.program.decls[id];
            if self.program.main == Some(id) {
                continue;
            }
            let word = if self.is_probe(decl) { "TN_PROBES" } else { word(decl.linkage) };
            let number = format!("{}, ", id.index());
            let number = if self.is_probe(decl) { &number } else { "" };
            lines.extend(self.line(word, number, decl.c_name, decl.signature, decl.span));
        }
        for &id in &reached.globals {
            let global = &self.program.globals[id];
            let word = word(global.linkage);
            lines.extend(self.line(word, "", global.c_name, global.signature, global.span));
        }
        lines.sort();
        lines.dedup();
        lines.concat()
    }

    /// `char f(void)`: what configuration scripts declare to see whether it links.
    fn is_probe(&self, decl: &FunctionDecl) -> bool {
        decl.linkage == Linkage::Import
            && matches!(self.types.get(decl.ty), Ty::Func(func) if func.params.is_empty()
                && !func.variadic
                && matches!(self.types.get(func.result), Ty::Int(IntTy::Char)))
    }

    /// Nothing for what has no word: what no other unit sees.
    fn line(
        &self,
        word: &str,
        number: &str,
        symbol: Symbol,
        signature: Option<u64>,
        span: Span,
    ) -> Option<String> {
        let signature = signature.filter(|_| !self.names.in_runtime(symbol.as_str()))?;
        if word.is_empty() {
            return None;
        }
        let place = self.map.locate(span);
        let place = place.map_or(String::new(), |at| format!("{}:{}", at.file, at.line));
        let (symbol, place) = (spelled(symbol.as_str()), plain(&place));
        Some(format!("{word}({number}\"{symbol}\", \"{signature:016x}\", \"{place}\");\n"))
    }
}

fn word(linkage: Linkage) -> &'static str {
    match linkage {
        Linkage::External | Linkage::Weak => "TN_DEFINES",
        Linkage::Import => "TN_USES",
        Linkage::Internal | Linkage::Inline => "",
    }
}

/// A symbol as part of another one, also where the assembler would want it quoted.
fn spelled(symbol: &str) -> String {
    let kept = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.');
    symbol
        .chars()
        .map(|c| if kept(c) { c.to_string() } else { format!("$u{:x}$", c as u32) })
        .collect()
}

/// The text between the quotes of an assembler's string in a C string.
fn plain(text: &str) -> String {
    let kept = |c: char| c.is_ascii_graphic() && !matches!(c, '"' | '\\');
    text.chars().map(|c| if kept(c) { c } else { '?' }).collect()
}
