//! Whether control can come to the end of a statement: a syntactic question, answered generously.

use crate::hir::{Block, Expr, ExprKind, Stmt, StmtKind};
use crate::ty::{Type, TypeTable};

/// Whether control may come to the end of the block.
pub(crate) fn completes(types: &TypeTable, block: &Block) -> bool {
    sequence(types, &block.stmts)
}

fn sequence(types: &TypeTable, stmts: &[Stmt]) -> bool {
    let mut reachable = true;
    for stmt in stmts {
        reachable = (reachable || has_label(stmt)) && stmt_completes(types, stmt);
    }
    reachable
}

fn stmt_completes(types: &TypeTable, stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Empty => true,
        StmtKind::Expr(e) => !never_returns(types, e),
        StmtKind::Decl(decl) => match decl {
            crate::hir::Decl::Let { value, .. } => !never_returns(types, value),
            _ => true,
        },
        StmtKind::Block(block) => completes(types, block),
        StmtKind::If(_, then, other) => {
            stmt_completes(types, then)
                || other.as_ref().is_none_or(|other| stmt_completes(types, other))
        }
        StmtKind::While(cond, body) => !is_true(cond) || breaks(body),
        StmtKind::DoWhile(body, cond) => !is_true(cond) || breaks(body),
        StmtKind::For(stmt) => {
            stmt.cond.as_ref().is_some_and(|cond| !is_true(cond)) || breaks(&stmt.body)
        }
        StmtKind::Switch(switch) => {
            switch.clauses.is_empty()
                || switch.clauses.iter().any(|clause| {
                    completes(types, &clause.body) || clause.body.stmts.iter().any(breaks)
                })
        }
        StmtKind::Break
        | StmtKind::LeaveHandler
        | StmtKind::Continue
        | StmtKind::Goto(_)
        | StmtKind::Return(_)
        | StmtKind::Fallthru(_) => false,
        StmtKind::Label(_, inner) => stmt_completes(types, inner),
        StmtKind::Try { body, clauses } => {
            completes(types, body)
                || clauses.iter().any(|clause| {
                    let body = &clause.clause.body;
                    completes(types, body) || body.stmts.iter().any(leaves_handler)
                })
        }
    }
}

fn is_true(cond: &Expr) -> bool {
    match &cond.kind {
        ExprKind::Int(value) => *value != 0,
        ExprKind::Coerce(_, inner) => is_true(inner),
        ExprKind::Not(inner) => matches!(inner.kind, ExprKind::Int(0)),
        _ => false,
    }
}

fn never_returns(types: &TypeTable, e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Throw(_) => true,
        ExprKind::Call(call) => {
            let ty = match types.get(call.callee.ty) {
                Type::Pointer(pointer) => types.get(pointer.elem.ty),
                other => other,
            };
            matches!(ty, Type::Function(function) if function.noreturn)
        }
        ExprKind::Coerce(_, inner) => never_returns(types, inner),
        ExprKind::Comma(parts) => parts.iter().any(|part| never_returns(types, part)),
        ExprKind::Cond(_, then, other) => never_returns(types, then) && never_returns(types, other),
        _ => false,
    }
}

/// Whether a `break` in the body of a loop or switch leaves that.
fn breaks(stmt: &Stmt) -> bool {
    leaves(stmt, |kind| matches!(kind, StmtKind::Break))
}

/// Whether a `break` in a handler leaves that.
fn leaves_handler(stmt: &Stmt) -> bool {
    leaves(stmt, |kind| matches!(kind, StmtKind::LeaveHandler))
}

/// Whether the statement is such a `break`, or has one inside that is of no loop, switch or handler further in.
fn leaves(stmt: &Stmt, is_it: fn(&StmtKind) -> bool) -> bool {
    let inside = |stmt: &Stmt| leaves(stmt, is_it);
    is_it(&stmt.kind)
        || match &stmt.kind {
            StmtKind::Block(block) => block.stmts.iter().any(inside),
            StmtKind::If(_, then, other) => {
                inside(then) || other.as_ref().is_some_and(|other| inside(other))
            }
            StmtKind::Label(_, stmt) => inside(stmt),
            StmtKind::Try { body, .. } => body.stmts.iter().any(inside),
            _ => false,
        }
}

fn has_label(stmt: &Stmt) -> bool {
    contains(stmt, |kind| matches!(kind, StmtKind::Label(..)))
}

/// Whether control may come to the body from elsewhere than its head, the clause above having this body.
pub(crate) fn is_entered_otherwise(above: Option<&Block>, body: &Block) -> bool {
    let falls = |stmt: &Stmt| contains(stmt, |kind| matches!(kind, StmtKind::Fallthru(_)));
    body.stmts.iter().any(has_label) || above.is_some_and(|above| above.stmts.iter().any(falls))
}

/// Whether the statement is, or has inside, one of a kind.
fn contains(stmt: &Stmt, is_it: fn(&StmtKind) -> bool) -> bool {
    let inside = |stmt: &Stmt| contains(stmt, is_it);
    is_it(&stmt.kind)
        || match &stmt.kind {
            StmtKind::Label(_, stmt) => inside(stmt),
            StmtKind::Block(block) => block.stmts.iter().any(inside),
            StmtKind::If(_, then, other) => {
                inside(then) || other.as_ref().is_some_and(|other| inside(other))
            }
            StmtKind::While(_, body) | StmtKind::DoWhile(body, _) => inside(body),
            StmtKind::For(stmt) => inside(&stmt.body),
            StmtKind::Switch(switch) => {
                switch.clauses.iter().any(|clause| clause.body.stmts.iter().any(inside))
            }
            StmtKind::Try { body, clauses } => {
                body.stmts.iter().any(inside)
                    || clauses.iter().any(|clause| clause.clause.body.stmts.iter().any(inside))
            }
            _ => false,
        }
}
