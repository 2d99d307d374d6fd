//! Core that was made wrong: checks that are gone, stand too early, or have a store behind them. The verifier of core finds
//! each that matters: what it accepts accesses nothing outside of an object when every check runs.
//!
//! ```text
//! mixed ─front end─▶ core ─one change in each function─▶ verifier ─rejected─▶ as it was
//!                                                          └──accepted──▶ Machine: no access outside
//! ```
//!
//! Only what the verifier promises is asked: bounds of elements, tags, divisors. That a pointer which no check looks at is not NULL, that
//! regions live, and that locals were assigned are shown elsewhere; where a changed program breaks these, the interpreter
//! ends the function with an exception and goes on.

use crate::batch::Batch;
use crate::machine::{Machine, Outcome};
use crate::oracle::{accepted, failure, Failure};
use crate::Random;
use std::collections::HashSet;
use tenure_core::{
    verify, Block, Check, CheckKind, CheckStatus, Function, FunctionId, StmtKind, VisitorMut,
};
use tenure_driver::{Disk, TempDir};

/// Steps of the interpreter.
const STEPS: u64 = 20_000_000;

/// What was asked.
#[derive(Default, Debug)]
pub struct Broken {
    /// Changed functions, and how many of them the verifier accepted.
    pub changed: usize,
    pub accepted: usize,
    pub interpreted: usize,
}

/// All checks run, whatever was proved of the program as it was.
struct Needed;

impl VisitorMut for Needed {
    fn check(&mut self, check: &mut Check) {
        check.status = CheckStatus::Needed;
    }
}

/// Changes the list of statements of that number among those with a check.
struct Change<'r> {
    random: &'r mut Random,
    /// Lists until the one; a count of all where there is none.
    until: usize,
    lists: usize,
    done: bool,
}

impl VisitorMut for Change<'_> {
    fn block(&mut self, block: &mut Block) {
        if block.stmts.iter().any(|stmt| matches!(stmt.kind, StmtKind::Check(_))) {
            if self.lists == self.until {
                self.done = change(self.random, block);
            }
            self.lists += 1;
        }
        tenure_core::walk_block_mut(self, block);
    }
}

/// Whether the interpreter sees that the check is missing, and the verifier promises to.
fn guards(kind: &CheckKind) -> bool {
    matches!(
        kind,
        CheckKind::Index { .. }
            | CheckKind::FatIndex { .. }
            | CheckKind::FatCount { .. }
            | CheckKind::NonZero(_)
            | CheckKind::Tag { .. }
            | CheckKind::ZeroTermIndex { .. }
    )
}

fn change(random: &mut Random, block: &mut Block) -> bool {
    let stmts = &mut block.stmts;
    let is_check = |kind: &StmtKind| matches!(kind, StmtKind::Check(_));
    let checks: Vec<usize> = (0..stmts.len()).filter(|&at| is_check(&stmts[at].kind)).collect();
    let at = checks[random.index(checks.len())];
    match random.below(4) {
        0 => {
            let gone = matches!(&stmts[at].kind, StmtKind::Check(check) if guards(&check.kind));
            if gone {
                stmts.remove(at);
            }
            gone
        }
        1 | 2 => {
            let to = at.saturating_sub(1 + random.index(4));
            let check = stmts.remove(at);
            stmts.insert(to, check);
            to != at
        }
        _ => {
            let changing =
                |kind: &StmtKind| matches!(kind, StmtKind::Assign(..) | StmtKind::Call { .. });
            let stores: Vec<usize> =
                (0..stmts.len()).filter(|&at| changing(&stmts[at].kind)).collect();
            if stores.is_empty() {
                return false;
            }
            let store = stmts[stores[random.index(stores.len())]].clone();
            stmts.insert(at + 1, store);
            true
        }
    }
}

fn changed(random: &mut Random, function: &mut Function) -> bool {
    let mut count = Change { random, until: usize::MAX, lists: 0, done: false };
    count.block(&mut function.body);
    let lists = count.lists;
    if lists == 0 {
        return false;
    }
    let until = random.index(lists);
    let mut change = Change { random, until, lists: 0, done: false };
    change.block(&mut function.body);
    change.done
}

/// Asks about that many ways to break the program.
pub fn ask(
    disk: &Disk,
    seed: u64,
    batch: &mut Batch,
    ways: usize,
    broken: &mut Broken,
) -> Result<(), Failure> {
    let temp = TempDir::new().map_err(|error| failure("disk", error.to_string()))?;
    let path = temp.path().join("random.cyc");
    let whole = accepted(disk, &path, batch, true, &mut Default::default())?;
    let mut random = Random::new(seed ^ 0x51ed_270b);
    let mut sound = whole.program;
    for function in &mut sound.functions {
        Needed.block(&mut function.body);
    }
    for way in 0..ways {
        let mut program = sound.clone();
        let mut touched: HashSet<FunctionId> = HashSet::new();
        for function in &mut program.functions {
            if changed(&mut random, function) {
                touched.insert(function.id);
            }
        }
        let wrong: HashSet<FunctionId> = verify(&program).iter().map(|v| v.function).collect();
        for (function, before) in program.functions.iter_mut().zip(&sound.functions) {
            if wrong.contains(&function.id) {
                function.clone_from(before);
            }
        }
        broken.changed += touched.len();
        broken.accepted += touched.len() - wrong.len();
        let Some(mut machine) = Machine::new(&program, STEPS) else { return Ok(()) };
        machine.forgiving = true;
        match machine.run() {
            Outcome::Bug(said) => {
                let names: Vec<_> =
                    touched.difference(&wrong).map(|id| program.decls[*id].c_name).collect();
                let kept = std::env::temp_dir().join(format!("tenure-verifier-{seed}-{way}.core"));
                let _ = std::fs::write(&kept, tenure_core::print(&program));
                return Err(failure(
                    "verifier",
                    format!("{said}; changed: {names:?}; see {}", kept.display()),
                ));
            }
            Outcome::Ended(..) => broken.interpreted += 1,
            _ => {}
        }
    }
    Ok(())
}
