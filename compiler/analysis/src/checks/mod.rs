//! # Check elimination
//!
//! Goal: as few run-time checks as possible, without ever deleting one that could fail.
//!
//! Partition: a function's scalars, fat pointers and plain records are values in static single assignment form; memory
//! is divided by kinds and paths of accesses ([`alias`], [`memory`]). Facts `x - y <= k` and `x != y + k` over values
//! come from branches and from checks that passed, each for the part of the function that its place dominates.
//!
//! Across functions, what holds of parameters and results ([`program`]), of globals and fields that only their own
//! stores can change ([`slots`]), and between two fields of a record ([`invariants`]) is assumed until some call or
//! store does not keep it.
//!
//! Property: a check is marked proved only if, by induction over the steps of an execution, it cannot fail provided
//! that no earlier check failed. Arithmetic wraps: a sum is taken apart only where it is shown not to wrap.
//!
//! Removes: checks whose condition follows from constants, types, branches, loop bounds, earlier checks, and origins of
//! pointers. The method is the demand-driven proof over difference constraints of Bodík, Gupta and Sarkar ("ABCD:
//! eliminating array bounds checks on demand", PLDI 2000), on values instead of renamed variables.

mod address;
mod alias;
mod arithmetic;
mod assume;
mod build;
mod calls;
mod claims;
mod counters;
mod effects;
mod eval;
mod facts;
mod goals;
mod invariants;
mod memory;
mod place_phis;
mod products;
mod program;
mod prove;
mod reach;
mod slots;
mod store;
mod sums;
mod tables;
mod throwing;
mod value;

pub use program::prove;
pub use throwing::throwing;

use tenure_core::{CheckStatus, Function, StmtKind, VisitorMut};

/// Marks the checks of a function in the order in which they were numbered; `verify`: the proved ones are emitted.
pub fn mark(function: &mut Function, statuses: Vec<CheckStatus>, verify: bool) {
    let mut marker = Marker(statuses.into_iter(), verify);
    marker.block(&mut function.body);
}

struct Marker(std::vec::IntoIter<CheckStatus>, bool);

impl VisitorMut for Marker {
    fn stmt(&mut self, stmt: &mut tenure_core::Stmt) {
        if let StmtKind::Check(check) = &mut stmt.kind {
            if let Some(CheckStatus::Proved(fact)) = self.0.next() {
                if check.status == CheckStatus::Needed {
                    check.status = match self.1 {
                        true => CheckStatus::Verified(fact),
                        false => CheckStatus::Proved(fact),
                    };
                }
            }
            return;
        }
        tenure_core::walk_stmt_mut(self, stmt);
    }

    fn expr(&mut self, _: &mut tenure_core::Expr) {}
    fn place(&mut self, _: &mut tenure_core::Place) {}
}
