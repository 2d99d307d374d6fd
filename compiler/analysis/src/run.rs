//! The passes in their order.

use crate::cfg::Cfg;
use crate::order::Order;
use crate::{assign, bytes, checks, flow, own, setjmp, touch};
use tenure_core::{
    Check, CheckStatus, Expr, Fact, Function, FunctionId, Place, Program, StmtKind, VisitorMut,
};
use tenure_span::{FastSet, Sink};

/// What the user asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Keep run-time checks that are not proved. Without them a program is as unsafe as C.
    pub checks: bool,
    /// Look for proofs of checks.
    pub prove: bool,
    /// Emit proved checks too, and end the program where one fails.
    pub verify: bool,
    /// This unit is all of the program but for C's library: no other object calls its functions or names its globals.
    /// Only then are facts collected of what is not `static`.
    pub whole_program: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { checks: true, prove: true, verify: false, whole_program: false }
    }
}

/// Analyses all functions of a program: reports what is wrong to `sink`, and writes into the program which locals start
/// as zero, which are volatile, and which checks are proved.
pub fn run(program: &mut Program, options: &Options, sink: &Sink) {
    let prove = options.checks && options.prove;
    let throwing = if prove { checks::throwing(program) } else { FastSet::default() };
    let mut graphs = Vec::new();
    let mut zeroed = Vec::new();
    for function in &program.functions {
        let mut cfg = Cfg::noting(program, function, &throwing, false);
        let order = Order::new(&cfg);
        flow::report(program, function, &cfg, &order, sink);
        own::report(program, function, &cfg, &order, sink);
        let locals = assign::report(program, function, &cfg, &order, sink);
        locals.iter().for_each(|local| cfg.zeroed.insert(local.index()));
        zeroed.push(locals);
        if prove {
            graphs.push(without_returns(program, function, (cfg, order), &throwing));
        }
    }
    // Proofs know which locals start as zero; they need not know which are volatile for C's sake.
    let statuses = prove.then(|| checks::prove(program, &graphs, options.whole_program));
    drop(graphs);
    // Without checks, what a local holds before it is assigned is as undefined as in C.
    for (function, locals) in program.functions.iter_mut().zip(zeroed) {
        locals.into_iter().for_each(|local| function.locals[local].zero_at_entry = options.checks);
    }
    if options.checks {
        for index in 0..program.functions.len() {
            for local in bytes::unwritten(program, &program.functions[index]) {
                program.functions[index].locals[local].zero_at_entry = true;
            }
        }
    }
    for (function, statuses) in program.functions.iter_mut().zip(statuses.into_iter().flatten()) {
        checks::mark(function, statuses, options.verify);
    }
    if prove {
        touch::find_still(program, options.whole_program);
        for function in &mut program.functions {
            touch::prove_touches(function, &program.decls, options.verify);
        }
    }
    for index in 0..program.functions.len() {
        for local in setjmp::volatile(program, &program.functions[index]) {
            program.functions[index].locals[local].is_volatile = true;
        }
        if !options.checks {
            SwitchOff.block(&mut program.functions[index].body);
        }
    }
}

/// The graph in which calls of functions that never return end their blocks. Only proofs look at it: definite
/// assignment and the rules of ownership go by what declarations say.
fn without_returns<'a>(
    program: &'a Program,
    function: &'a Function,
    (cfg, order): (Cfg<'a>, Order),
    throwing: &FastSet<FunctionId>,
) -> (Cfg<'a>, Order) {
    if !cfg.calls_throwing {
        return (cfg, order);
    }
    let mut proofs = Cfg::noting(program, function, throwing, true);
    proofs.zeroed = cfg.zeroed;
    let order = Order::new(&proofs);
    (proofs, order)
}

/// # `--no-checks`
///
/// Goal: a program without run-time checks, to measure what they cost. Partition: none. Property: none; the program is
/// as unsafe as C. Removes: every check, marked so that no one takes it for a proof.
struct SwitchOff;

impl VisitorMut for SwitchOff {
    fn stmt(&mut self, stmt: &mut tenure_core::Stmt) {
        match &mut stmt.kind {
            StmtKind::Check(check) => self.check(check),
            _ => tenure_core::walk_stmt_mut(self, stmt),
        }
    }
    fn check(&mut self, check: &mut Check) {
        if check.status == CheckStatus::Needed {
            check.status = CheckStatus::Proved(Fact::SwitchedOff);
        }
    }
    fn expr(&mut self, _: &mut Expr) {}
    fn place(&mut self, _: &mut Place) {}
}
