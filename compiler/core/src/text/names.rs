//! Unique printed names of everything that a text refers to by name.

use super::KEYWORDS;
use crate::{
    Block, Function, FunctionId, GlobalId, LabelId, LocalId, LocalKind, Program, RecordId, Stmt,
    StmtKind, Visitor,
};
use index_vec::IndexVec;
use std::fmt::Write;
use tenure_span::{FastMap, FastSet};

/// Names of a program's global items.
pub struct ItemNames {
    pub records: IndexVec<RecordId, String>,
    pub enums: Vec<String>,
    pub globals: IndexVec<GlobalId, String>,
    pub functions: IndexVec<FunctionId, String>,
}

impl ItemNames {
    pub fn new(program: &Program) -> ItemNames {
        let types = &program.types;
        let mut tags = Unique::default();
        let records = types.records.iter().map(|r| tags.name(r.c_name.as_str())).collect();
        let enums = types.enums.iter().map(|e| tags.name(e.c_name.as_str())).collect();
        let mut objects = Unique::default();
        let globals = program.globals.iter().map(|g| objects.name(g.c_name.as_str())).collect();
        let functions = program.decls.iter().map(|d| objects.name(d.c_name.as_str())).collect();
        ItemNames { records, enums, globals, functions }
    }
}

/// Names of a function's locals and labels.
pub struct LocalNames {
    pub locals: IndexVec<LocalId, String>,
    pub labels: IndexVec<LabelId, String>,
}

impl LocalNames {
    pub fn new(function: &Function) -> LocalNames {
        let mut order =
            DeclarationOrder { labels: Vec::new(), seen: FastSet::default(), order: Vec::new() };
        order.add(&function.params);
        order.block(&function.body);
        let all: Vec<LocalId> = function.locals.indices().collect();
        order.add(&all);
        let mut locals: IndexVec<LocalId, String> =
            function.locals.iter().map(|_| String::new()).collect();
        let mut unique = Unique::default();
        let mut temps = 0;
        for id in order.order.iter().copied() {
            let Some(local) = function.locals.get(id) else { continue };
            locals[id] = match local.name {
                Some(name) if local.kind != LocalKind::Temp => unique.name(name.as_str()),
                _ => {
                    temps += 1;
                    format!("%t{temps}")
                }
            };
        }
        LocalNames { locals, labels: label_names(function, &order.labels) }
    }
}

/// In order of first mention, which is the order in which the parser sees them.
fn label_names(function: &Function, mentioned: &[LabelId]) -> IndexVec<LabelId, String> {
    let mut unique = Unique::default();
    let mut names: IndexVec<LabelId, String> =
        function.labels.iter().map(|_| String::new()).collect();
    let all: Vec<LabelId> = function.labels.indices().collect();
    let mut count = 0;
    for &id in mentioned.iter().chain(&all) {
        let Some(label) = function.labels.get(id) else { continue };
        if !names[id].is_empty() {
            continue;
        }
        names[id] = match label.name {
            Some(name) => unique.name(name.as_str()),
            None => {
                count += 1;
                format!("%L{count}")
            }
        };
    }
    names
}

struct DeclarationOrder {
    labels: Vec<LabelId>,
    seen: FastSet<LocalId>,
    order: Vec<LocalId>,
}

impl DeclarationOrder {
    fn add(&mut self, locals: &[LocalId]) {
        for &local in locals {
            if self.seen.insert(local) {
                self.order.push(local);
            }
        }
    }
}

impl Visitor for DeclarationOrder {
    fn block(&mut self, block: &Block) {
        self.add(&block.locals);
        crate::walk_block(self, block);
    }
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Loop(l) => self.labels.push(l.label),
            StmtKind::Switch { label, .. } => self.labels.push(*label),
            StmtKind::Block { label, .. } => self.labels.extend(label),
            StmtKind::Break(label)
            | StmtKind::Continue(label)
            | StmtKind::Label(label)
            | StmtKind::Goto(label) => self.labels.push(*label),
            _ => {}
        }
        crate::walk_stmt(self, stmt);
    }
    fn expr(&mut self, _: &crate::Expr) {}
    fn place(&mut self, _: &crate::Place) {}
}

/// Makes names distinct by a suffix `.2`, `.3`, …
#[derive(Default)]
struct Unique {
    used: FastMap<String, u32>,
}

impl Unique {
    fn name(&mut self, wanted: &str) -> String {
        let count = self.used.entry(wanted.to_string()).or_insert(0);
        *count += 1;
        if *count == 1 {
            quoted(wanted, 0)
        } else {
            quoted(wanted, *count)
        }
    }
}

/// The name as the lexer reads it back: in backquotes if it is no plain identifier.
fn quoted(name: &str, suffix: u32) -> String {
    let plain = !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
        && !KEYWORDS.contains(&name);
    let mut text = String::new();
    if plain {
        text.push_str(name);
    } else {
        let _ = write!(text, "`{}`", name.replace(['`', '\n'], "_"));
    }
    if suffix > 0 {
        let _ = write!(text, ".{suffix}");
    }
    text
}

pub fn item_name(name: &str) -> String {
    quoted(name, 0)
}
