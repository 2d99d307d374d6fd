//! The verifier. It runs after every pass in debug builds and tests, and states what a pass may rely on:
//!
//! 1. *Scopes.* A local is a parameter or is declared by exactly one block, and is used only inside that block.
//! 2. *Labels.* `Break` names an enclosing loop, switch or block, `Continue` an enclosing loop, `Goto` a `Label`
//!    statement of the same function, which stands there once.
//! 3. *Ways out.* Arenas and `try` bodies are left in the reverse order of entering, each by its own `RegionExit` or
//!    `TryExit`, before every `Break`, `Continue`, `Goto`, `Return` and fall through that leaves them; none is left
//!    twice. A `Goto` finds at its label the arenas and `try` bodies that it left open. (A throw is unwound by the
//!    runtime.)
//! 4. *Types.* A place has the type that its parts give. The value stored, passed or returned has the type of what it
//!    is stored in, up to qualifiers; operands of a binary operator have one type, except for shifts. Integer types
//!    never mix without a cast (an enumeration and its underlying type do).
//! 5. *Checks hold at their accesses.* Before an element of a fat pointer, of an array, or behind a thin pointer, an
//!    integer division, and a member of a tagged union stands, in the same or a dominating statement list, a check (or
//!    a branch) of the same operands, and nothing between may change what it checked. A store that was checked not to
//!    take away the zero of a sequence comes directly after its check; what is stored to a member of a tagged union
//!    sets its tag; no pointer leads inside one. See [`access`]. The address of an object of the checked heap is taken
//!    of a local that was touched since objects may have been moved or deleted last, and is used in the same statement:
//!    no pointer made of it is stored, passed or returned. A function that is said to keep the objects of the checked
//!    heap where they are has no statement that may move or delete them.
//! 6. *Ids.* Every id names something.
//! 7. *Ownership.* `Consume` and `Restore` name paths: a local, fields, and what a thin pointer at a path points to.

mod access;
mod facts;
mod operands;
mod types;
mod values;

use crate::{
    Block, Expr, Function, FunctionId, LabelId, LocalId, Loop, LoopTest, Place, Program, Stmt,
    StmtKind, Visitor,
};
use std::fmt;
use tenure_span::{FastMap, Span};

/// A rule that a program breaks. Always the compiler's fault, never the user's.
#[derive(Clone, PartialEq, Debug)]
pub struct Violation {
    pub function: FunctionId,
    /// The function's name in the object file.
    pub name: String,
    pub span: Span,
    pub message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {:?}: {}", self.name, self.span, self.message)
    }
}

/// All violations of the rules above; empty for a sound program.
pub fn verify(program: &Program) -> Vec<Violation> {
    let mut violations = Vec::new();
    for function in &program.functions {
        let mut verifier = Verifier {
            program,
            function,
            violations: &mut violations,
            span: function.end,
            visible: FastMap::default(),
            declared: FastMap::default(),
            targets: Vec::new(),
            open: Some(Vec::new()),
            labels: FastMap::default(),
            gotos: Vec::new(),
        };
        verifier.run();
        for (span, message) in access::Accesses::new(program, function).run() {
            verifier.span = span;
            verifier.violation(message);
        }
    }
    violations
}

/// A scope that must be left explicitly.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Scope {
    Arena(LocalId),
    Try(LocalId),
    Pin(LocalId),
}

struct Target {
    label: LabelId,
    is_loop: bool,
    open: Option<Vec<Scope>>,
}

struct Verifier<'a> {
    program: &'a Program,
    function: &'a Function,
    violations: &'a mut Vec<Violation>,
    /// Of the statement being looked at.
    span: Span,
    visible: FastMap<LocalId, ()>,
    declared: FastMap<LocalId, ()>,
    targets: Vec<Target>,
    /// What is open here; `None` where control does not come.
    open: Option<Vec<Scope>>,
    labels: FastMap<LabelId, Option<Vec<Scope>>>,
    gotos: Vec<(LabelId, Span, Option<Vec<Scope>>)>,
}

impl<'a> Verifier<'a> {
    fn violation(&mut self, message: impl Into<String>) {
        let id = self.function.id;
        let name = self.program.decls.get(id).map_or("?", |decl| decl.c_name.as_str());
        self.violations.push(Violation {
            function: id,
            name: name.to_string(),
            span: self.span,
            message: message.into(),
        });
    }

    fn local_name(&self, id: LocalId) -> String {
        match self.function.locals.get(id).and_then(|local| local.name) {
            Some(name) => format!("local {} ({})", name, id.index()),
            None => format!("local {}", id.index()),
        }
    }

    fn run(&mut self) {
        let function = self.function;
        let decls = &self.program.decls;
        let is_still = decls.get(function.id).is_some_and(|decl| decl.is_still);
        if is_still && crate::block_may_move(&function.body, decls) {
            self.violation("a function that is said to keep objects where they are may move them");
        }
        self.declare(&function.params);
        self.block(&function.body);
        if self.open.as_ref().is_some_and(|open| !open.is_empty()) {
            self.violation("the function ends with a scope open");
        }
        for (label, span, open) in std::mem::take(&mut self.gotos) {
            self.span = span;
            match self.labels.get(&label) {
                None => self.violation("goto names no label"),
                Some(at) => {
                    if let (Some(at), Some(open)) = (at, &open) {
                        if at != open {
                            self.violation(
                                "goto does not leave the scopes that its label is outside of",
                            );
                        }
                    }
                }
            }
        }
    }

    fn declare(&mut self, locals: &[LocalId]) {
        for &local in locals {
            if self.function.locals.get(local).is_none() {
                self.violation("a block declares a local that does not exist");
            }
            if self.declared.insert(local, ()).is_some() {
                let name = self.local_name(local);
                self.violation(format!("{name} is declared twice"));
            }
            self.visible.insert(local, ());
        }
    }

    fn block(&mut self, block: &'a Block) {
        self.declare(&block.locals);
        self.list(&block.stmts);
        for local in &block.locals {
            self.visible.remove(local);
        }
    }

    fn list(&mut self, stmts: &'a [Stmt]) {
        for stmt in stmts {
            self.statement(stmt);
        }
    }

    /// A block that ends where it began, as to open scopes.
    fn closed(&mut self, block: &'a Block, what: &str) {
        let before = self.open.clone();
        self.block(block);
        self.same_open(&before, what);
    }

    fn same_open(&mut self, before: &Option<Vec<Scope>>, what: &str) {
        if let (Some(before), Some(after)) = (before, &self.open) {
            if before != after {
                self.violation(format!("{what} ends with other scopes open than it began with"));
            }
        }
    }

    fn statement(&mut self, stmt: &'a Stmt) {
        self.span = stmt.span;
        match &stmt.kind {
            StmtKind::If { cond, then, otherwise } => {
                self.value(cond);
                let before = self.open.clone();
                self.closed(then, "a branch");
                let after = std::mem::replace(&mut self.open, before);
                if let Some(block) = otherwise {
                    self.closed(block, "a branch");
                }
                self.join(after);
            }
            StmtKind::Loop(l) => self.loop_statement(l),
            StmtKind::Switch { value, arms, default, label } => {
                self.value(value);
                let before = self.open.clone();
                self.enter(*label, false);
                let mut after = if default.is_none() { before.clone() } else { None };
                let blocks = arms.iter().map(|arm| &arm.body).chain(default.as_deref());
                for block in blocks {
                    self.open.clone_from(&before);
                    self.closed(block, "an arm");
                    after = after.or(self.open.take());
                }
                self.open = after;
                self.leave(before);
            }
            StmtKind::Block { label, body } => {
                let before = self.open.clone();
                if let Some(label) = label {
                    self.enter(*label, false);
                }
                self.closed(body, "a block");
                if label.is_some() {
                    self.leave(before);
                }
            }
            StmtKind::Try(t) => {
                self.known_local(t.frame);
                self.known_local(t.exn);
                let before = self.open.clone();
                if let Some(open) = &mut self.open {
                    open.push(Scope::Try(t.frame));
                }
                self.block(&t.body);
                self.same_open(&before, "the body of a try");
                let after = std::mem::replace(&mut self.open, before);
                self.closed(&t.handler, "a handler");
                self.join(after);
            }
            _ => self.simple(stmt),
        }
    }

    fn join(&mut self, other: Option<Vec<Scope>>) {
        if self.open.is_none() {
            self.open = other;
        }
    }

    fn enter(&mut self, label: LabelId, is_loop: bool) {
        if self.function.labels.get(label).is_none() {
            self.violation("a label does not exist");
        }
        self.targets.push(Target { label, is_loop, open: self.open.clone() });
    }

    /// Ends a labelled statement; a `Break` may have come to its end even if nothing fell through.
    fn leave(&mut self, before: Option<Vec<Scope>>) {
        self.targets.pop();
        self.join(before);
    }

    fn loop_statement(&mut self, l: &'a Loop) {
        let before = self.open.clone();
        self.enter(l.label, true);
        if let LoopTest::Before { head, cond } = &l.test {
            self.head(head, cond);
        }
        self.closed(&l.body, "a loop's body");
        self.open.clone_from(&before);
        self.list(&l.step);
        self.same_open(&before, "a loop's step");
        if let LoopTest::After { head, cond } = &l.test {
            self.head(head, cond);
        }
        self.leave(before);
    }

    /// The condition may use the head's locals.
    fn head(&mut self, head: &'a Block, cond: &'a Expr) {
        let before = self.open.clone();
        self.declare(&head.locals);
        self.list(&head.stmts);
        self.value(cond);
        self.same_open(&before, "a loop's head");
        for local in &head.locals {
            self.visible.remove(local);
        }
    }

    fn simple(&mut self, stmt: &'a Stmt) {
        let mut uses = Uses { verifier: self };
        crate::walk_operands(&mut uses, stmt);
        self.types_of_statement(stmt);
        match &stmt.kind {
            StmtKind::RegionEnter(local) => {
                if let Some(open) = &mut self.open {
                    open.push(Scope::Arena(*local));
                }
            }
            StmtKind::Pin { pin, .. } => {
                if let Some(open) = &mut self.open {
                    open.push(Scope::Pin(*pin));
                }
            }
            StmtKind::Unpin(pin) => self.exit(Scope::Pin(*pin)),
            StmtKind::RegionExit(local) => self.exit(Scope::Arena(*local)),
            StmtKind::TryExit(local) => self.exit(Scope::Try(*local)),
            StmtKind::Break(label) => self.jump(*label, false),
            StmtKind::Continue(label) => self.jump(*label, true),
            StmtKind::Goto(label) => {
                self.gotos.push((*label, self.span, self.open.take()));
            }
            StmtKind::Label(label) => self.label(*label),
            StmtKind::Return(_) => {
                if self.open.as_ref().is_some_and(|open| !open.is_empty()) {
                    self.violation("a return leaves a scope open");
                }
                self.open = None;
            }
            StmtKind::Throw { .. }
            | StmtKind::Rethrow { .. }
            | StmtKind::NoMatch
            | StmtKind::Unreachable => self.open = None,
            _ => {}
        }
    }

    fn label(&mut self, label: LabelId) {
        // What falls through to the label tells what is open; else any goto does.
        let open = self.open.clone().or_else(|| {
            self.gotos.iter().find(|(to, ..)| *to == label).and_then(|(.., open)| open.clone())
        });
        if self.open.is_none() {
            self.open.clone_from(&open);
        }
        if self.labels.insert(label, open).is_some() {
            self.violation("a label stands twice");
        }
    }

    fn exit(&mut self, scope: Scope) {
        let Some(open) = &mut self.open else { return };
        if open.pop() != Some(scope) {
            self.violation(format!("{scope:?} is left but is not the innermost open scope"));
        }
    }

    fn jump(&mut self, label: LabelId, to_loop: bool) {
        let target = self.targets.iter().rev().find(|target| target.label == label);
        let open = self.open.take();
        match target {
            None => self.violation("a jump names no enclosing statement"),
            Some(target) if to_loop && !target.is_loop => {
                self.violation("continue names what is no loop");
            }
            Some(target) => {
                if let (Some(at), Some(open)) = (&target.open, &open) {
                    if at != open {
                        self.violation(
                            "a jump does not leave the scopes between it and its target",
                        );
                    }
                }
            }
        }
    }

    fn known_local(&mut self, local: LocalId) {
        if !self.visible.contains_key(&local) {
            let name = self.local_name(local);
            self.violation(format!("{name} is used outside its block"));
        }
    }

    /// An operand of a statement that contains others.
    fn value(&mut self, expr: &'a Expr) {
        Uses { verifier: self }.expr(expr);
    }
}

/// Visits the operands of one statement.
struct Uses<'v, 'a> {
    verifier: &'v mut Verifier<'a>,
}

impl Visitor for Uses<'_, '_> {
    fn expr(&mut self, expr: &Expr) {
        crate::walk_expr(self, expr);
        self.verifier.types_of_expr(expr);
    }

    fn place(&mut self, place: &Place) {
        crate::walk_place(self, place);
        self.verifier.types_of_place(place);
    }

    fn local(&mut self, local: &LocalId) {
        self.verifier.known_local(*local);
    }
}
