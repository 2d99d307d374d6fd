//! Printing of a program's items.

use super::names::{item_name, ItemNames};
use super::print_body::BodyPrinter;
use super::print_expr::{int_name, record_word, Names};
use crate::{
    Expr, Field, Function, FunctionDecl, FunctionId, Global, Initializer, Linkage, NominalId,
    Program, Signature, Ty,
};
use std::fmt::Write;
use tenure_span::Span;

/// The text of a whole program.
pub fn print(program: &Program) -> String {
    print_with(program, &|_| None)
}

/// The text of a whole program; `snippet` gives the source text that a check's message quotes.
pub fn print_with(program: &Program, snippet: &dyn Fn(Span) -> Option<String>) -> String {
    let items = ItemNames::new(program);
    let names = Names { program, items: &items, locals: None };
    let mut out = String::new();
    for index in 0..program.types.enums.len() {
        print_enum(&mut out, &names, index);
    }
    for id in program.types.records.indices() {
        print_record(&mut out, &names, id);
    }
    for (id, literal) in program.strings.iter_enumerated() {
        let _ = write!(out, "string #{} size {} = [", id.index(), literal.unit_size);
        let text: Option<String> = literal
            .units
            .iter()
            .map(|&u| char::from_u32(u).filter(|&c| u < 127 && c != '`'))
            .collect();
        match text {
            Some(text) if literal.unit_size == 1 => {
                out.pop();
                let _ = write!(out, "{text:?}");
            }
            _ => {
                let units: Vec<String> = literal.units.iter().map(u32::to_string).collect();
                let _ = write!(out, "{}]", units.join(", "));
            }
        }
        out.push_str(";\n");
    }
    for (id, nominal) in program.nominals.iter_enumerated() {
        let _ = write!(out, "nominal #{} {:?}", id.index(), nominal.name.as_str());
        if let Some(contents) = nominal.contents {
            let _ = write!(out, " contents {contents}");
        }
        of_nominals(&mut out, &nominal.parts);
        out.push_str(";\n");
    }
    for (id, global) in program.globals.iter_enumerated() {
        print_global(&mut out, &names, &items.globals[id], global);
    }
    let defined: std::collections::HashSet<FunctionId> =
        program.functions.iter().map(|f| f.id).collect();
    for id in program.decls.indices().filter(|id| !defined.contains(id)) {
        header(&mut out, &names, id, None);
        out.push_str(";\n");
    }
    for function in &program.functions {
        print_body(&mut out, program, &items, function, snippet);
    }
    if let Some(main) = program.main {
        let _ = writeln!(out, "main {};", items.functions[main]);
    }
    out
}

/// The text of one function.
pub fn print_function(
    program: &Program,
    function: &Function,
    snippet: &dyn Fn(Span) -> Option<String>,
) -> String {
    let mut out = String::new();
    print_body(&mut out, program, &ItemNames::new(program), function, snippet);
    out
}

fn print_body(
    out: &mut String,
    program: &Program,
    items: &ItemNames,
    function: &Function,
    snippet: &dyn Fn(Span) -> Option<String>,
) {
    let locals = super::names::LocalNames::new(function);
    let names = Names { program, items, locals: Some(&locals) };
    out.push('\n');
    header(out, &names, function.id, Some(function));
    BodyPrinter { out, names: &names, function, locals: &locals, snippet }.function();
}

fn print_enum(out: &mut String, names: &Names, index: usize) {
    let def = &names.program.types.enums[index];
    let _ = write!(out, "enum {}: {} {{", names.items.enums[index], int_name(def.underlying));
    for (n, (name, value)) in def.constants.iter().enumerate() {
        out.push_str(if n > 0 { ", " } else { " " });
        let _ = write!(out, "{} = {value}", item_name(name.as_str()));
    }
    out.push_str(" }\n");
}

fn print_record(out: &mut String, names: &Names, id: crate::RecordId) {
    let record = &names.program.types.records[id];
    let _ = write!(out, "{} {}", record_word(record.kind), names.items.records[id]);
    if record.packed {
        out.push_str(" packed");
    }
    if let Some(align) = record.align {
        let _ = write!(out, " align {align}");
    }
    let Some(fields) = &record.fields else {
        out.push_str(";\n");
        return;
    };
    out.push_str(" {");
    for (n, field) in fields.iter().enumerate() {
        out.push_str(if n > 0 { ", " } else { " " });
        print_field(out, names, field);
    }
    out.push_str(" }\n");
}

fn print_field(out: &mut String, names: &Names, field: &Field) {
    match field.name {
        Some(name) => out.push_str(&item_name(name.as_str())),
        None => out.push('_'),
    }
    out.push_str(": ");
    if field.quals.is_const {
        out.push_str("const ");
    }
    if field.quals.is_volatile {
        out.push_str("volatile ");
    }
    names.ty(out, field.ty);
    if let Some(bits) = field.bits {
        let _ = write!(out, " bits {bits}");
    }
    if let Some(align) = field.align {
        let _ = write!(out, " align {align}");
    }
}

pub fn linkage_word(linkage: Linkage) -> &'static str {
    match linkage {
        Linkage::External => "external",
        Linkage::Internal => "internal",
        Linkage::Import => "import",
        Linkage::Inline => "inline",
        Linkage::Weak => "weak",
    }
}

fn print_global(out: &mut String, names: &Names, name: &str, global: &Global) {
    let _ = write!(out, "global {name}: ");
    names.ty(out, global.ty);
    let _ = write!(out, " {}", linkage_word(global.linkage));
    for (flag, word) in [
        (global.is_const, " const"),
        (global.is_volatile, " volatile"),
        (global.thread_local, " thread_local"),
    ] {
        if flag {
            out.push_str(word);
        }
    }
    if let Some(align) = global.align {
        let _ = write!(out, " align {align}");
    }
    signature(out, global.signature.as_ref());
    tail(out, global.c_name.as_str(), global.source_name.as_str(), &global.attributes);
    if let Some(init) = &global.init {
        out.push_str(" = ");
        initializer(out, names, init);
    }
    out.push_str(";\n");
}

fn initializer(out: &mut String, names: &Names, init: &Initializer) {
    match init {
        Initializer::Value(expr) => value(out, names, expr),
        Initializer::Record(parts) => {
            let parts = parts.iter().map(|(n, part)| (u64::from(*n), part));
            numbered(out, names, "record", parts);
        }
        Initializer::Array(parts) => {
            numbered(out, names, "array", parts.iter().map(|(n, part)| (*n, part)));
        }
        Initializer::Repeat { from, to, value } => {
            let _ = write!(out, "repeat {from}, {to}, ");
            initializer(out, names, value);
        }
        Initializer::Bytes(id) => {
            let _ = write!(out, "bytes #{}", id.index());
        }
        Initializer::Tag { name } => {
            let _ = write!(out, "exception {:?}", name.as_str());
        }
    }
}

fn numbered<'a>(
    out: &mut String,
    names: &Names,
    word: &str,
    parts: impl Iterator<Item = (u64, &'a Initializer)>,
) {
    out.push_str(word);
    out.push_str(" {");
    for (n, (index, part)) in parts.enumerate() {
        out.push_str(if n > 0 { ", " } else { " " });
        let _ = write!(out, "{index}: ");
        initializer(out, names, part);
    }
    out.push_str(" }");
}

fn value(out: &mut String, names: &Names, expr: &Expr) {
    names.expr(out, expr);
}

fn header(out: &mut String, names: &Names, id: FunctionId, body: Option<&Function>) {
    let program = names.program;
    let decl = &program.decls[id];
    let _ = write!(out, "fn {}(", names.items.functions[id]);
    let Ty::Func(func) = program.types.get(decl.ty) else { return };
    for (n, &ty) in func.params.iter().enumerate() {
        if n > 0 {
            out.push_str(", ");
        }
        match (body, names.locals) {
            (Some(f), Some(locals)) if n < f.params.len() => {
                out.push_str(&locals.locals[f.params[n]]);
                out.push_str(": ");
                names.ty(out, ty);
                super::print_body::local_flags(out, &f.locals[f.params[n]]);
            }
            _ => {
                let name = decl.param_names.get(n).copied().flatten();
                out.push_str(&name.map_or("_".to_string(), |n| item_name(n.as_str())));
                out.push_str(": ");
                names.ty(out, ty);
            }
        }
    }
    if func.variadic {
        out.push_str(if func.params.is_empty() { "..." } else { ", ..." });
    }
    out.push_str(") -> ");
    names.ty(out, func.result);
    if func.noreturn {
        out.push_str(" never");
    }
    header_flags(out, decl);
}

fn header_flags(out: &mut String, decl: &FunctionDecl) {
    let _ = write!(out, " {}", linkage_word(decl.linkage));
    for (flag, word) in [
        (decl.is_inline, " inlined"),
        (decl.noreturn, " noreturn"),
        (decl.is_still, " still"),
        (decl.is_extern_c, " extern_c"),
    ] {
        if flag {
            out.push_str(word);
        }
    }
    signature(out, decl.signature.as_ref());
    tail(out, decl.c_name.as_str(), decl.source_name.as_str(), &decl.attributes);
}

fn signature(out: &mut String, signature: Option<&Signature>) {
    let Some(signature) = signature else { return };
    out.push_str(" signature");
    if let Some(hash) = signature.hash {
        let _ = write!(out, " {hash}");
    }
    of_nominals(out, &signature.nominals);
}

fn of_nominals(out: &mut String, nominals: &[NominalId]) {
    for (n, id) in nominals.iter().enumerate() {
        let _ = write!(out, "{} #{}", if n == 0 { " of" } else { "" }, id.index());
    }
}

fn tail(out: &mut String, c_name: &str, source_name: &str, attributes: &[String]) {
    if c_name != source_name {
        let _ = write!(out, " source {source_name:?}");
    }
    for attribute in attributes {
        let _ = write!(out, " attribute {attribute:?}");
    }
}
