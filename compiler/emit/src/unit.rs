//! A whole translation unit.

use crate::functions::Body;
use crate::inlining::Inlining;
use crate::names::Names;
use crate::reach::{self, Reached};
use crate::types::Types;
use crate::walk::Visitor;
use crate::writer::{Location, Writer};
use crate::EmitOptions;
use std::collections::{HashMap, HashSet};
use tenure_core::{FuncTy, FunctionId, GlobalId, Linkage, Program, Ty, TyId};
use tenure_span::{SourceMap, Span, Symbol};

/// What is known and collected while a unit is printed.
pub(crate) struct Unit<'a> {
    pub(crate) program: &'a Program,
    pub(crate) options: EmitOptions,
    pub(crate) names: Names,
    pub(crate) types: Types<'a>,
    pub(crate) map: &'a SourceMap,
    /// Numbers of the check sites, by place and function.
    sites: HashMap<(Span, Option<FunctionId>), usize>,
    /// Sites of the function at hand, to be printed before it.
    new_sites: Vec<String>,
    /// Lines that a unit has once.
    printed_once: HashSet<&'static str>,
    /// How many enumerations declare a constant of this name; what has it at file scope counts too.
    constants: HashMap<Symbol, usize>,
    pub(crate) inlining: Inlining,
}

impl<'a> Unit<'a> {
    pub(crate) fn new(program: &'a Program, map: &'a SourceMap, options: EmitOptions) -> Unit<'a> {
        let mut constants = HashMap::new();
        for def in &program.types.enums {
            for (name, _) in &def.constants {
                *constants.entry(*name).or_insert(0) += 1;
            }
        }
        let names = Names::new(program);
        for name in names.at_file_scope() {
            constants.entry(Symbol::new(name)).and_modify(|count| *count += 1);
        }
        Unit {
            program,
            options,
            names,
            types: Types::new(program),
            map,
            sites: HashMap::new(),
            new_sites: Vec::new(),
            printed_once: HashSet::new(),
            constants,
            inlining: Inlining::of(program),
        }
    }

    pub(crate) fn emit(mut self) -> String {
        let reached = Reached::from(self.program);
        let prototypes = self.prototypes(&reached);
        let globals = self.globals(&reached);
        let functions = self.functions(&reached);
        let main = self.main();
        let signatures = self.signatures(&reached);
        let mut out = Writer::new(false);
        out.plain("#include \"tenure/rt.h\"");
        out.blank();
        let mut types = Writer::new(false);
        let names = std::mem::replace(&mut self.names, Names::none());
        self.types.define(&mut types, &names);
        let mut text = out.finish();
        for part in [types.finish(), prototypes, globals, functions, main, signatures] {
            if !part.is_empty() {
                text.push_str(part.trim_end());
                text.push_str("\n\n");
            }
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
        text
    }

    fn prototypes(&mut self, reached: &Reached) -> String {
        let mut ids: Vec<FunctionId> = reached.functions.iter().copied().collect();
        ids.sort_unstable_by_key(|id| id.index());
        let mut out = String::new();
        let mut seen = HashSet::new();
        for id in ids {
            let decl = &self.program.decls[id];
            let by_runtime =
                decl.linkage == Linkage::Import && self.names.in_runtime(decl.c_name.as_str());
            if by_runtime {
                continue;
            }
            let text = self.prototype(id);
            if seen.insert(text.clone()) {
                out.push_str(&text);
                out.push('\n');
            }
        }
        out
    }

    /// All globals are declared before any is defined, since initial values may refer to later ones.
    fn globals(&mut self, reached: &Reached) -> String {
        let mut ids: Vec<GlobalId> = reached.globals.iter().copied().collect();
        ids.sort_unstable_by_key(|id| id.index());
        let needs_declaration = forward_references(self.program, &ids);
        let mut out = String::new();
        for &id in &ids {
            let global = &self.program.globals[id];
            let symbol = global.c_name.as_str();
            let import = global.linkage == Linkage::Import;
            if import && self.names.in_runtime(symbol) {
                continue;
            }
            let renamed = self.names.global(id) != symbol;
            if import || needs_declaration.contains(&id) || renamed {
                let private = matches!(global.linkage, Linkage::Internal | Linkage::Inline);
                let lead = if private { "" } else { "extern " };
                let declaration = self.global_declaration(id, true);
                out.push_str(&format!("{lead}{declaration};\n"));
            }
        }
        for &id in &ids {
            if self.program.globals[id].linkage != Linkage::Import {
                let mut writer = Writer::new(self.options.lines);
                writer.at(self.location(self.program.globals[id].span));
                let text = self.global_definition(id);
                writer.line(&text);
                out.push_str(&writer.finish());
            }
        }
        out
    }

    fn functions(&mut self, reached: &Reached) -> String {
        let mut out = String::new();
        for function in &self.program.functions {
            if !reached.functions.contains(&function.id) {
                continue;
            }
            let text = Body::define(self, function);
            for site in std::mem::take(&mut self.new_sites) {
                out.push_str(&site);
                out.push('\n');
            }
            out.push_str(&text);
            out.push('\n');
        }
        out
    }

    pub(crate) fn location(&self, span: Span) -> Option<Location> {
        if !self.options.lines {
            return None;
        }
        self.map.line(span)
    }

    /// The user's text under a span, on one line and not too long.
    pub(crate) fn source_text(&self, span: Span) -> String {
        let text = match self.map.locate(span) {
            Some(place) => {
                let from = place.column.saturating_sub(1) as usize;
                place.line_text.chars().skip(from).take(place.length as usize).collect()
            }
            None => self.map.snippet(span).to_string(),
        };
        let words: Vec<&str> = text.split_whitespace().collect();
        let text = words.join(" ");
        if text.chars().count() > 100 {
            let head: String = text.chars().take(97).collect();
            return format!("{head}...");
        }
        text
    }

    /// The part of a `switch` before its clauses; another statement as a whole.
    pub(crate) fn head_of_switch(&self, span: Span) -> Span {
        let text = self.map.snippet(span);
        match text.find('{') {
            Some(at) if text.starts_with("switch") => {
                let head = text[..at].trim_end().len() as u32;
                Span { hi: span.lo + head, ..span }
            }
            _ => span,
        }
    }

    /// The address of the description of a place in a function.
    pub(crate) fn site(&mut self, span: Span, function: Option<FunctionId>) -> String {
        let number = self.sites.len();
        if let Some(known) = self.sites.get(&(span, function)) {
            return format!("&tn_site_{known}");
        }
        let Some(place) = self.map.locate(span) else {
            return "NULL".to_string();
        };
        self.sites.insert((span, function), number);
        let name = match function {
            Some(id) => crate::constants::quote(self.program.decls[id].source_name.as_str()),
            None => "NULL".to_string(),
        };
        let what = crate::constants::quote(&self.source_text(span));
        let file = crate::constants::quote(&place.file);
        self.new_sites.push(format!(
            "static const struct tn_site tn_site_{number} = {{{file}, {}, {}, {name}, {what}}};",
            place.line, place.column
        ));
        format!("&tn_site_{number}")
    }

    /// A declaration that the function at hand needs.
    pub(crate) fn before_function(&mut self, text: String) {
        if !self.new_sites.contains(&text) {
            self.new_sites.push(text);
        }
    }

    /// A line that the unit needs once, before the function at hand if it is the first to need it.
    pub(crate) fn once(&mut self, text: &'static str) {
        if self.printed_once.insert(text) {
            self.new_sites.push(text.to_string());
        }
    }

    /// Only one enumeration declares a constant of this name, and nothing else has it.
    pub(crate) fn constant_is_unique(&self, name: Symbol) -> bool {
        self.constants.get(&name) == Some(&1)
    }

    /// C's `main`, around the user's.
    fn main(&mut self) -> String {
        let Some(id) = self.program.main else {
            return String::new();
        };
        let decl = &self.program.decls[id];
        let Ty::Func(func) = self.types.get(decl.ty) else {
            return String::new();
        };
        let args = self.main_arguments(func);
        let mut out = Writer::new(self.options.lines);
        out.at(self.location(decl.span));
        out.line("int main(int argc, char **argv) {");
        out.indent();
        let uses_args = args.contains("args.");
        if uses_args {
            out.line("struct tn_fat args = tn_start(argc, argv);");
        } else {
            out.line("(void)tn_start(argc, argv);");
        }
        if matches!(self.types.get(func.result), Ty::Void) {
            out.line(&format!("main$user({args});"));
            out.line("return 0;");
        } else {
            out.line(&format!("return main$user({args});"));
        }
        out.dedent();
        out.line("}");
        out.finish()
    }

    fn main_arguments(&mut self, func: &FuncTy) -> String {
        let mut args = Vec::new();
        for (at, &param) in func.params.iter().enumerate() {
            args.push(match at {
                0 => "argc".to_string(),
                1 => self.argv(param),
                _ => "NULL".to_string(),
            });
        }
        args.join(", ")
    }

    /// The arguments in the form that the parameter has: a fat pointer to fat or to thin ones, or C's own.
    fn argv(&mut self, param: TyId) -> String {
        let name = self.types.declare(param, "");
        match self.types.get(param) {
            Ty::Fat { to, .. } if matches!(self.types.get(*to), Ty::Fat { .. }) => {
                format!("({name}){{args.base, args.idx, args.len}}")
            }
            Ty::Fat { to, .. } => {
                let base = self.types.pointer_to(*to, Default::default(), "");
                format!("({name}){{({base})argv, 0, (unsigned int)argc + 1}}")
            }
            _ => format!("({name})argv"),
        }
    }
}

/// Globals that an initial value before their own definition refers to.
fn forward_references(program: &Program, ids: &[GlobalId]) -> HashSet<GlobalId> {
    struct Seen {
        defined: HashSet<GlobalId>,
        early: HashSet<GlobalId>,
    }
    impl Visitor for Seen {
        fn global(&mut self, id: GlobalId) {
            if !self.defined.contains(&id) {
                self.early.insert(id);
            }
        }
    }
    let mut seen = Seen { defined: HashSet::new(), early: HashSet::new() };
    for &id in ids {
        seen.defined.insert(id);
        if let Some(init) = &program.globals[id].init {
            reach::initializer(&mut seen, init);
        }
    }
    seen.early
}
