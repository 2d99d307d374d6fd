//! The passes in their order.

use crate::cfg::Cfg;
use crate::order::Order;
use crate::{assign, checks, flow, setjmp};
use tenure_core::{
    Check, CheckStatus, Expr, Fact, Function, LocalId, Place, Program, StmtKind, VisitorMut,
};
use tenure_span::Sink;

/// What the user asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Keep run-time checks that are not proved. Without them a program is as unsafe as C.
    pub checks: bool,
    /// Look for proofs of checks.
    pub prove: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { checks: true, prove: true }
    }
}

/// What the passes found out about a function.
struct Findings {
    volatile: Vec<LocalId>,
    checks: Vec<CheckStatus>,
}

/// Analyses all functions of a program: reports what is wrong to `sink`, and writes into the program which locals start
/// as zero, which are volatile, and which checks are proved.
pub fn run(program: &mut Program, options: &Options, sink: &Sink) {
    for index in 0..program.functions.len() {
        for local in assignments(program, &program.functions[index], sink) {
            program.functions[index].locals[local].zero_at_entry = true;
        }
        // Proofs know which locals start as zero.
        let findings = findings(program, &program.functions[index], options);
        let function = &mut program.functions[index];
        for local in findings.volatile {
            function.locals[local].is_volatile = true;
        }
        checks::mark(function, findings.checks);
        if !options.checks {
            SwitchOff.block(&mut function.body);
        }
    }
}

fn assignments(program: &Program, function: &Function, sink: &Sink) -> Vec<LocalId> {
    let cfg = Cfg::new(program, function);
    let order = Order::new(&cfg);
    flow::report(program, function, &cfg, &order, sink);
    assign::report(program, function, &cfg, &order, sink)
}

fn findings(program: &Program, function: &Function, options: &Options) -> Findings {
    let wanted = options.checks && options.prove;
    let cfg = Cfg::new(program, function);
    if !(wanted && cfg.checks > 0) && cfg.tries.is_empty() {
        return Findings { volatile: Vec::new(), checks: Vec::new() };
    }
    let order = Order::new(&cfg);
    let checks = if wanted { checks::prove(program, function, &cfg, &order) } else { Vec::new() };
    Findings { volatile: setjmp::volatile(program, function, &cfg, &order), checks }
}

/// # `--no-checks`
///
/// Goal: a program without run-time checks, to measure what they cost. Partition: none. Property: none; the program is as
/// unsafe as C. Removes: every check, marked so that no one takes it for a proof.
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
