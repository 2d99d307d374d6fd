//! Functions that call themselves on every way that does not end in an exception.
//!
//! They end, but gcc warns of endless recursion, since it does not count an exception as an end. Their calls of
//! themselves go by a second declaration of the same symbol.

use tenure_core::{Block, Callee, Function, FunctionId, Stmt, StmtKind};

/// Every way through the body calls the function itself, jumps aside.
pub(crate) fn always_recurses(function: &Function) -> bool {
    way(&function.body, function.id) == Way::Recurses
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Calls itself, or does not go on and does not return.
    Recurses,
    /// May come to its end.
    GoesOn,
    /// May return or leave by a jump first.
    Leaves,
}

fn way(block: &Block, id: FunctionId) -> Way {
    for stmt in &block.stmts {
        match of_stmt(stmt, id) {
            Way::GoesOn => {}
            decided => return decided,
        }
    }
    Way::GoesOn
}

fn of_stmt(stmt: &Stmt, id: FunctionId) -> Way {
    match &stmt.kind {
        StmtKind::Call { callee: Callee::Direct(callee), .. } if *callee == id => Way::Recurses,
        StmtKind::Throw { .. } | StmtKind::Rethrow { .. } | StmtKind::NoMatch => Way::Recurses,
        StmtKind::Unreachable => Way::Recurses,
        StmtKind::If { then, otherwise, .. } => {
            let other = otherwise.as_ref().map_or(Way::GoesOn, |block| way(block, id));
            match (way(then, id), other) {
                (Way::Leaves, _) | (_, Way::Leaves) => Way::Leaves,
                (Way::Recurses, Way::Recurses) => Way::Recurses,
                _ => Way::GoesOn,
            }
        }
        StmtKind::Block { label: None, body } => way(body, id),
        StmtKind::Break(_) | StmtKind::Continue(_) => Way::Leaves,
        _ if may_leave(stmt) => Way::Leaves,
        _ => Way::GoesOn,
    }
}

/// A return or a goto stands in the statement.
fn may_leave(stmt: &Stmt) -> bool {
    struct Search(bool);
    impl tenure_core::Visitor for Search {
        fn stmt(&mut self, stmt: &Stmt) {
            self.0 |=
                matches!(stmt.kind, StmtKind::Return(_) | StmtKind::Goto(_) | StmtKind::Label(_));
            tenure_core::walk_stmt(self, stmt);
        }
    }
    let mut search = Search(false);
    tenure_core::Visitor::stmt(&mut search, stmt);
    search.0
}
