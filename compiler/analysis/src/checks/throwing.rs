//! Functions that do not return, by how they end.

use tenure_core::{Callee, Function, FunctionId, Linkage, Program, Stmt, StmtKind, Visitor};
use tenure_span::FastSet;

/// Functions whose last statement throws, or calls one that does, and that have no `return` and no way round it.
pub fn throwing(program: &Program) -> FastSet<FunctionId> {
    // Each round finds those that end in a call of one found before; longer chains are rare.
    const ROUNDS: u32 = 3;
    let mut found = FastSet::default();
    for _ in 0..ROUNDS {
        let before = found.len();
        for function in &program.functions {
            let kept = program.decls[function.id].linkage != Linkage::Weak;
            if kept && !found.contains(&function.id) && never_returns(program, function, &found) {
                found.insert(function.id);
            }
        }
        if found.len() == before {
            break;
        }
    }
    found
}

fn never_returns(program: &Program, function: &Function, found: &FastSet<FunctionId>) -> bool {
    let throws = function.body.stmts.iter().any(|stmt| match &stmt.kind {
        StmtKind::Throw { .. } | StmtKind::Rethrow { .. } | StmtKind::NoMatch => true,
        StmtKind::Call { callee: Callee::Direct(id), .. } => {
            found.contains(id) || program.decls[*id].noreturn
        }
        _ => false,
    });
    if !throws {
        return false;
    }
    // Control comes to the statement in the function's own list unless something leaves the list before.
    let mut jumps = Jumps(false);
    jumps.block(&function.body);
    !jumps.0
}

struct Jumps(bool);

impl Visitor for Jumps {
    fn stmt(&mut self, stmt: &Stmt) {
        match stmt.kind {
            StmtKind::Return(_) | StmtKind::Goto(_) | StmtKind::Label(_) => self.0 = true,
            _ => tenure_core::walk_stmt(self, stmt),
        }
    }
    fn expr(&mut self, _: &tenure_core::Expr) {}
}
