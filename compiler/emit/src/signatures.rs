//! What object files say of types: `TN_DEFINES` beside each definition, `TN_USES` for what other units define,
//! `TN_PROBES` for what only looks so, `TN_CONTAINS` for the named types in the types of all of them.

use crate::reach::Reached;
use crate::unit::Unit;
use std::collections::HashSet;
use tenure_core::{FunctionDecl, IntTy, Linkage, NominalId, Signature, Ty};
use tenure_span::{Span, Symbol};

impl Unit<'_> {
    pub(crate) fn signatures(&self, reached: &Reached) -> String {
        let mut lines = Vec::new();
        let mut shared = Vec::new();
        for &id in &reached.functions {
            let decl = &self.program.decls[id];
            if self.program.main == Some(id) {
                continue;
            }
            let word = if self.is_probe(decl) { "TN_PROBES" } else { word(decl.linkage) };
            let number = format!("{}, ", id.index());
            let number = if self.is_probe(decl) { &number } else { "" };
            let line = self.line(word, number, decl.c_name, decl.signature.as_ref(), decl.span);
            shared.extend(line.iter().flat_map(|_| &decl.signature));
            lines.extend(line);
        }
        for &id in &reached.globals {
            let global = &self.program.globals[id];
            let word = word(global.linkage);
            let signature = global.signature.as_ref();
            lines.extend(self.line(word, "", global.c_name, signature, global.span));
            // The name of an exception's descriptor has its own hash.
            shared.extend(signature.filter(|_| !word.is_empty()));
        }
        lines.extend(self.contents(shared));
        lines.sort();
        lines.dedup();
        lines.concat()
    }

    /// What this unit believes to be in the named types that it shares, and in those that they are made of.
    fn contents(&self, shared: Vec<&Signature>) -> Vec<String> {
        let mut pending: Vec<NominalId> =
            shared.iter().flat_map(|signature| signature.nominals.iter().copied()).collect();
        let mut seen = HashSet::new();
        let mut lines = Vec::new();
        while let Some(id) = pending.pop() {
            let Some(nominal) = self.program.nominals.get(id).filter(|_| seen.insert(id)) else {
                continue;
            };
            pending.extend(&nominal.parts);
            if let Some(contents) = nominal.contents {
                let name = spelled(&nominal.name.as_str().replace("::", "$").replace(' ', "$"));
                let place = self.place(nominal.span);
                lines.push(format!("TN_CONTAINS(\"{name}\", \"{contents:016x}\", \"{place}\");\n"));
            }
        }
        lines
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
        signature: Option<&Signature>,
        span: Span,
    ) -> Option<String> {
        let signature = signature.filter(|_| !self.names.in_runtime(symbol.as_str()))?.hash?;
        if word.is_empty() {
            return None;
        }
        let (symbol, place) = (spelled(symbol.as_str()), self.place(span));
        Some(format!("{word}({number}\"{symbol}\", \"{signature:016x}\", \"{place}\");\n"))
    }

    fn place(&self, span: Span) -> String {
        let place = self.map.locate(span);
        plain(&place.map_or(String::new(), |at| format!("{}:{}", at.file, at.line)))
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
