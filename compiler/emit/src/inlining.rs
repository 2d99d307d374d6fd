//! Which private functions cc is told are worth inlining.
//!
//! cc inlines a small function of its own accord, and what stands here for one statement of the user's - temporaries,
//! fat pointers in three parts, checks - makes it look larger than its twin in C is. `inline` raises the size that cc
//! accepts.

use std::collections::HashSet;
use tenure_core::{
    Callee, Check, Expr, Function, FunctionId, Place, Program, Stmt, StmtKind, Visitor,
};

/// Statements and expressions of a function that is offered.
const LARGEST: usize = 400;

/// Functions that are called in a loop.
pub(crate) struct Inlining {
    repeated: HashSet<FunctionId>,
}

impl Inlining {
    pub(crate) fn of(program: &Program) -> Inlining {
        let mut calls = Calls { loops: 0, repeated: HashSet::new() };
        program.functions.iter().for_each(|function| calls.block(&function.body));
        Inlining { repeated: calls.repeated }
    }

    /// Next to a loop in a loop a call costs nothing, unless it is in a loop itself; and cc allocates registers better
    /// for a function of its own.
    pub(crate) fn is_offered(&self, function: &Function) -> bool {
        let mut size = Size { nodes: 0, catches: false, loops: 0, nested: false };
        size.block(&function.body);
        let pays = !size.nested || self.repeated.contains(&function.id);
        size.nodes <= LARGEST && !size.catches && pays
    }
}

struct Calls {
    /// Around the statement at hand.
    loops: u32,
    repeated: HashSet<FunctionId>,
}

impl Visitor for Calls {
    fn stmt(&mut self, stmt: &Stmt) {
        if let (1.., StmtKind::Call { callee: Callee::Direct(id), .. }) = (self.loops, &stmt.kind) {
            self.repeated.insert(*id);
        }
        let is_loop = u32::from(matches!(stmt.kind, StmtKind::Loop(_)));
        self.loops += is_loop;
        tenure_core::walk_stmt(self, stmt);
        self.loops -= is_loop;
    }

    fn expr(&mut self, _: &Expr) {}
    fn place(&mut self, _: &Place) {}
    fn check(&mut self, _: &Check) {}
}

struct Size {
    nodes: usize,
    /// cc inlines no function that calls setjmp.
    catches: bool,
    /// Around the statement at hand.
    loops: u32,
    nested: bool,
}

impl Visitor for Size {
    fn stmt(&mut self, stmt: &Stmt) {
        self.nodes += 1;
        self.catches |= matches!(stmt.kind, StmtKind::Try(_));
        let is_loop = matches!(stmt.kind, StmtKind::Loop(_));
        self.nested |= is_loop && self.loops > 0;
        self.loops += u32::from(is_loop);
        tenure_core::walk_stmt(self, stmt);
        self.loops -= u32::from(is_loop);
    }

    fn check(&mut self, check: &Check) {
        if check.status.is_emitted() {
            tenure_core::walk_check(self, check);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        self.nodes += 1;
        tenure_core::walk_expr(self, expr);
    }
}
