//! Which private functions cc is told are worth inlining.
//!
//! cc inlines a small function of its own accord, and what stands here for one statement of the user's - temporaries, fat
//! pointers in three parts, checks - makes it look larger than its twin in C is. `inline` raises the size that cc accepts.

use tenure_core::{Check, CheckStatus, Expr, Function, Stmt, StmtKind, Visitor};

/// Statements and expressions of a function that is offered.
const LARGEST: usize = 400;

pub(crate) fn is_small(function: &Function) -> bool {
    let mut size = Size { nodes: 0, catches: false };
    size.block(&function.body);
    size.nodes <= LARGEST && !size.catches
}

struct Size {
    nodes: usize,
    /// cc inlines no function that calls setjmp.
    catches: bool,
}

impl Visitor for Size {
    fn stmt(&mut self, stmt: &Stmt) {
        self.nodes += 1;
        self.catches |= matches!(stmt.kind, StmtKind::Try(_));
        tenure_core::walk_stmt(self, stmt);
    }

    fn check(&mut self, check: &Check) {
        if check.status == CheckStatus::Needed {
            tenure_core::walk_check(self, check);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        self.nodes += 1;
        tenure_core::walk_expr(self, expr);
    }
}
