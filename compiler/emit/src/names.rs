//! Which identifier each thing gets in emitted C.

use crate::builtins::{known, Known};
use crate::walk::{self, Visitor};
use crate::words;
use std::collections::{HashMap, HashSet};
use tenure_core::{
    Block, Function, FunctionId, GlobalId, Linkage, LocalId, LoopTest, Program, Stmt, StmtKind,
    TyId,
};

/// The header texts whose names are declared already.
const RUNTIME_HEADERS: &[&str] = &[
    include_str!("../../../runtime/include/tenure/arena.h"),
    include_str!("../../../runtime/include/tenure/check.h"),
    include_str!("../../../runtime/include/tenure/counted.h"),
    include_str!("../../../runtime/include/tenure/dynamic.h"),
    include_str!("../../../runtime/include/tenure/exception.h"),
    include_str!("../../../runtime/include/tenure/heap.h"),
    include_str!("../../../runtime/include/tenure/checked_inline.h"),
    include_str!("../../../runtime/include/tenure/object.h"),
    include_str!("../../../runtime/include/tenure/start.h"),
    include_str!("../../../runtime/include/tenure/unique.h"),
    include_str!("../../../runtime/include/tenure/value.h"),
];

/// What an identifier at file scope stands for: two declarations of one symbol may view it at different types, and C
/// lets one identifier have one.
#[derive(Clone, Copy, PartialEq)]
struct Thing<'p> {
    symbol: &'p str,
    ty: TyId,
    /// Apart from imports, of which several may be one, each function is its own.
    number: Option<usize>,
}

/// The wanted identifier, or one like it if that is another thing's already.
fn unique<'p>(given: &mut HashMap<String, Thing<'p>>, wanted: String, thing: Thing<'p>) -> String {
    let mut name = wanted.clone();
    let mut number = 1;
    while *given.entry(name.clone()).or_insert(thing) != thing {
        number += 1;
        name = format!("{wanted}$${number}");
    }
    name
}

/// Identifiers of everything at file scope.
pub(crate) struct Names {
    functions: HashMap<FunctionId, String>,
    globals: HashMap<GlobalId, String>,
    /// Names that `tenure/rt.h` declares.
    runtime: HashSet<&'static str>,
}

impl Names {
    /// Without any names.
    pub(crate) fn none() -> Names {
        Names { functions: HashMap::new(), globals: HashMap::new(), runtime: HashSet::new() }
    }

    pub(crate) fn new(program: &Program) -> Names {
        let mut runtime = HashSet::new();
        for text in RUNTIME_HEADERS {
            let word = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
            runtime.extend(text.split(word).filter(|name| name.starts_with("tn_")));
        }
        let mut names = Names { functions: HashMap::new(), globals: HashMap::new(), runtime };
        let defined: HashSet<FunctionId> = program.functions.iter().map(|f| f.id).collect();
        let mut given: HashMap<String, Thing<'_>> = HashMap::new();
        for (id, decl) in program.decls.iter_enumerated() {
            let symbol = decl.c_name.as_str();
            let meaning = known(&program.types, symbol, Some(decl.ty));
            let clash =
                meaning == Known::Different || (meaning == Known::Same && defined.contains(&id));
            let import = decl.linkage == Linkage::Import;
            let name = match program.main == Some(id) {
                true => "main$user".to_string(),
                false => {
                    let wanted = names.identifier(symbol, clash, import);
                    let thing = Thing { symbol, ty: decl.ty, number: import.then_some(0) };
                    unique(
                        &mut given,
                        wanted,
                        Thing { number: thing.number.or(Some(id.index())), ..thing },
                    )
                }
            };
            names.functions.insert(id, name);
        }
        for (id, global) in program.globals.iter_enumerated() {
            let symbol = global.c_name.as_str();
            let clash = known(&program.types, symbol, None) != Known::No;
            let wanted = names.identifier(symbol, clash, global.linkage == Linkage::Import);
            let thing = Thing { symbol, ty: global.ty, number: None };
            let name = unique(&mut given, wanted, thing);
            names.globals.insert(id, name);
        }
        names
    }

    /// A symbol of a program's own with C's name has a `.` in it. Imports need not keep clear of the words that only
    /// begin as the implementation's do: nothing else in the text has their names.
    fn identifier(&self, symbol: &str, clash: bool, import: bool) -> String {
        let runtime = self.runtime.contains(symbol);
        let builtin = symbol.starts_with("__builtin_");
        let taken =
            words::is_taken(symbol) && !(import && symbol.starts_with(['_', 't'])) || builtin;
        if (runtime && import) || !(clash || runtime || taken || symbol.contains('.')) {
            symbol.to_string()
        } else {
            format!("c${}", tenure_core::without_own(symbol).replace('.', "$"))
        }
    }

    /// The identifiers of functions and globals.
    pub(crate) fn at_file_scope(&self) -> impl Iterator<Item = &str> {
        self.functions.values().chain(self.globals.values()).map(String::as_str)
    }

    pub(crate) fn function(&self, id: FunctionId) -> &str {
        self.functions.get(&id).map_or("tn_unknown", String::as_str)
    }

    pub(crate) fn global(&self, id: GlobalId) -> &str {
        self.globals.get(&id).map_or("tn_unknown", String::as_str)
    }

    /// `tenure/rt.h` declares a thing of this name.
    pub(crate) fn in_runtime(&self, name: &str) -> bool {
        self.runtime.contains(name)
    }

    /// The names of a function's parameters and locals, by [`LocalId`].
    pub(crate) fn locals(&self, program: &Program, function: &Function) -> Vec<String> {
        let mut mentioned = Mentioned::default();
        walk::block(&mut mentioned, &function.body);
        let mut file_scope: HashSet<&str> = HashSet::new();
        file_scope.extend(mentioned.functions.iter().map(|&id| self.function(id)));
        file_scope.extend(mentioned.globals.iter().map(|&id| self.global(id)));
        for (_, def) in program.types.enums.iter_enumerated() {
            file_scope.extend(def.constants.iter().map(|(name, _)| name.as_str()));
        }
        let mut users: HashSet<&str> = HashSet::new();
        users.extend(function.locals.iter().filter_map(|l| l.name.map(|name| name.as_str())));
        let mut scopes = Scopes {
            function,
            file_scope,
            users,
            visible: HashMap::new(),
            names: vec![String::new(); function.locals.len()],
            temporaries: 0,
        };
        for &param in &function.params {
            scopes.declare(param, &function.body);
        }
        // C takes the parameters and the outermost locals for one scope.
        let params = scopes.visible.keys().cloned().collect();
        scopes.block_beside(&function.body, params);
        scopes.names
    }
}

#[derive(Default)]
struct Mentioned {
    functions: HashSet<FunctionId>,
    globals: HashSet<GlobalId>,
}

impl Visitor for Mentioned {
    fn global(&mut self, global: GlobalId) {
        self.globals.insert(global);
    }
    fn function(&mut self, function: FunctionId) {
        self.functions.insert(function);
    }
}

/// Gives names in C's scopes: an inner local may hide an outer one of its name if the outer one is not mentioned
/// inside.
struct Scopes<'a> {
    function: &'a Function,
    /// Names of file scope that the function mentions, which no local may hide.
    file_scope: HashSet<&'a str>,
    users: HashSet<&'a str>,
    visible: HashMap<String, LocalId>,
    names: Vec<String>,
    temporaries: usize,
}

impl Scopes<'_> {
    fn declare(&mut self, local: LocalId, scope: &Block) {
        if !self.names[local.index()].is_empty() {
            return;
        }
        let name = match self.function.locals[local].name {
            None => self.temporary(),
            Some(name) => self.user_name(name.as_str(), scope),
        };
        self.visible.insert(name.clone(), local);
        self.names[local.index()] = name;
    }

    fn temporary(&mut self) -> String {
        loop {
            self.temporaries += 1;
            let name = format!("t{}", self.temporaries);
            if !self.users.contains(name.as_str()) && !self.file_scope.contains(name.as_str()) {
                return name;
            }
        }
    }

    fn user_name(&self, wanted: &str, scope: &Block) -> String {
        let reserved = words::is_taken(wanted);
        let mut name = wanted.to_string();
        let mut number = 1;
        loop {
            let hides = self.visible.get(&name).is_some_and(|&outer| mentions(scope, outer));
            let first_free = number == 1 || !self.users.contains(name.as_str());
            let free = !self.file_scope.contains(name.as_str()) && !hides && first_free;
            if free && !(reserved && number == 1) {
                return name;
            }
            number += 1;
            name = format!("{wanted}_{number}");
        }
    }

    fn block(&mut self, block: &Block) {
        self.block_beside(block, HashSet::new());
    }

    /// A block in whose scope the names `here` are declared already.
    fn block_beside(&mut self, block: &Block, mut here: HashSet<String>) {
        let outer = self.visible.clone();
        for &local in &block.locals {
            self.declare(local, block);
            // Two locals of one block never share a name, whatever is mentioned.
            let name = self.names[local.index()].clone();
            if !here.insert(name.clone()) {
                let mut number = 2;
                while here.contains(&format!("{name}_{number}")) {
                    number += 1;
                }
                let other = format!("{name}_{number}");
                here.insert(other.clone());
                self.visible.insert(other.clone(), local);
                self.names[local.index()] = other;
            }
        }
        self.stmts(&block.stmts);
        self.visible = outer;
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::If { then, otherwise, .. } => {
                    self.block(then);
                    otherwise.iter().for_each(|b| self.block(b));
                }
                StmtKind::Loop(l) => {
                    let head = match &l.test {
                        LoopTest::Before { head, .. } | LoopTest::After { head, .. } => head,
                        LoopTest::Forever => &Block::default(),
                    };
                    // The head's locals are still in scope in the body that is printed after it.
                    let outer = self.visible.clone();
                    for &local in &head.locals {
                        self.declare(local, &l.body);
                    }
                    self.stmts(&head.stmts);
                    self.block(&l.body);
                    self.visible = outer;
                    self.stmts(&l.step);
                }
                StmtKind::Switch { arms, default, .. } => {
                    arms.iter().for_each(|arm| self.block(&arm.body));
                    default.iter().for_each(|b| self.block(b));
                }
                StmtKind::Block { body, .. } => self.block(body),
                StmtKind::Try(t) => {
                    for undeclared in [t.frame, t.exn] {
                        self.declare(undeclared, &t.handler);
                    }
                    self.block(&t.body);
                    self.block(&t.handler);
                }
                _ => {}
            }
        }
    }
}

fn mentions(scope: &Block, local: LocalId) -> bool {
    struct Search(LocalId, bool);
    impl Visitor for Search {
        fn local(&mut self, local: LocalId) {
            self.1 |= local == self.0;
        }
    }
    let mut search = Search(local, false);
    walk::block(&mut search, scope);
    search.1
}
