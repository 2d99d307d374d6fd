//! # Ends of functions and unreachable code
//!
//! Goal: no function that gives a value ends without one, none returns that is declared not to, and no statement stands
//! where control cannot come unnoticed. Partition: blocks of the control-flow graph, reached or not. Property: an error
//! means that a way to the closing brace exists in the graph; a warning, that no way to the statement does. Code that a
//! constant condition switches off is not warned of, nor is what the compiler wrote itself. Removes: nothing.

use crate::bits::Bits;
use crate::cfg::{BlockId, Cfg, Item};
use crate::order::Order;
use std::collections::BTreeSet;
use tenure_core::{Function, FunctionDecl, Program, StmtKind, Ty};
use tenure_span::{Diagnostic, FastSet, Sink, Span};

pub fn report(program: &Program, function: &Function, cfg: &Cfg, order: &Order, sink: &Sink) {
    forbidden_return(program, function, cfg, order, sink);
    missing_return(program, function, cfg, order, sink);
    if cfg.blocks.indices().any(|block| !order.is_reached(block)) {
        unreachable_code(cfg, order, sink);
    }
}

/// A call of a `noreturn` function ends its way in the caller, so that no way in the function itself may return.
fn forbidden_return(program: &Program, function: &Function, cfg: &Cfg, order: &Order, sink: &Sink) {
    let decl = &program.decls[function.id];
    if !is_noreturn(program, decl) {
        return;
    }
    let reached = cfg.blocks.iter_enumerated().filter(|(block, _)| order.is_reached(*block));
    let items = reached.flat_map(|(_, content)| &content.items);
    let returns = items.filter_map(|item| match item {
        Item::Stmt(stmt) if matches!(stmt.kind, StmtKind::Return(_)) => Some(stmt.span),
        _ => None,
    });
    for span in returns.collect::<BTreeSet<Span>>() {
        let headline = format!("`{}` returns, and is declared not to", decl.source_name);
        sink.emit(
            Diagnostic::error("E0733", headline, span)
                .secondary(decl.span, "declared here")
                .help(END_OTHERWISE),
        );
    }
}

const END_OTHERWISE: &str =
    "leave out `noreturn`, or end every way with a call that does not return, a throw or a loop";

fn is_noreturn(program: &Program, decl: &FunctionDecl) -> bool {
    decl.noreturn || matches!(program.types.get(decl.ty), Ty::Func(func) if func.noreturn)
}

fn missing_return(program: &Program, function: &Function, cfg: &Cfg, order: &Order, sink: &Sink) {
    let decl = &program.decls[function.id];
    let Ty::Func(func) = program.types.get(decl.ty) else { return };
    if !order.is_reached(cfg.end) {
        return;
    }
    let name = decl.source_name;
    if is_noreturn(program, decl) {
        let headline = format!("`{name}` may return, and is declared not to");
        sink.emit(
            Diagnostic::error("E0733", headline, function.end)
                .label("control can come here")
                .secondary(decl.span, "declared here")
                .help(END_OTHERWISE),
        );
        return;
    }
    if *program.types.get(func.result) == Ty::Void {
        return;
    }
    let headline = format!("`{name}` may end without returning a value");
    sink.emit(
        Diagnostic::error("E0733", headline, function.end)
            .label("control can come here")
            .secondary(decl.span, "declared here with a result")
            .help("return a value on every way, or declare the result as `void`"),
    );
}

fn unreachable_code(cfg: &Cfg, order: &Order, sink: &Sink) {
    let excused = reached_if_switched_on(cfg);
    let mut reached: FastSet<Span> = FastSet::default();
    let mut unreached = Vec::new();
    for (block, content) in cfg.blocks.iter_enumerated() {
        for item in &content.items {
            let Some((span, by_user)) = place(item) else { continue };
            if order.is_reached(block) {
                reached.insert(span);
            } else if by_user && !excused.contains(block.index()) {
                unreached.push((block, span));
            }
        }
    }
    // One warning for a stretch of blocks that follow each other.
    let mut warned: FastSet<BlockId> = FastSet::default();
    for (block, span) in unreached {
        let follows = cfg.blocks[block].preds.iter().any(|pred| !order.is_reached(*pred));
        if reached.contains(&span) || follows || !warned.insert(block) {
            continue;
        }
        sink.emit(
            Diagnostic::warning("W0731", "this statement is never reached", span)
                .label("no way leads here"),
        );
    }
}

/// Blocks that control would come to if no constant condition switched them off.
fn reached_if_switched_on(cfg: &Cfg) -> Bits {
    let mut reached = Bits::new(cfg.blocks.len());
    let mut work = cfg.switched_off.clone();
    while let Some(block) = work.pop() {
        if !reached.contains(block.index()) {
            reached.insert(block.index());
            work.extend(cfg.blocks[block].successors());
        }
    }
    reached
}

/// Where an item stands, and whether the user wrote it as a statement that does something.
fn place(item: &Item) -> Option<(Span, bool)> {
    let (span, by_user) = match item {
        Item::Stmt(stmt) => {
            let wrote = matches!(
                stmt.kind,
                StmtKind::Assign(..)
                    | StmtKind::Init(..)
                    | StmtKind::Call { .. }
                    | StmtKind::Alloc(_)
                    | StmtKind::Throw { .. }
            );
            (stmt.span, wrote)
        }
        Item::Result(stmt) => (stmt.span, false),
        Item::Check(_, check, _) => (check.span, false),
        Item::Test(_, span) => (*span, true),
        Item::Enter(_) | Item::Leave(..) | Item::Caught(_) => return None,
    };
    (!span.is_none()).then_some((span, by_user))
}
