//! # Ownership
//!
//! Goal: an object that was freed or given away is never used, and what would be lost is warned of (papers/000…, §3).
//! Partition: *paths*, places reached from a local through fields and unique pointers ([`path`]), each with the state
//! that [`state::Mark`] lists; the front end says with `Consume` and `Restore` where ownership leaves and comes.
//! Property: where no error is reported, no statement reads through a path that is consumed, or lent, on any way to it;
//! a handler sees the states of all points of its `try` body that may raise. Every pointer to a unique object is a
//! path, for what aliases one is either lent, so that the path is out of use until the alias is gone, or stands where
//! only an exchange can reach it; so no pointer to a freed object is followed. Leak warnings promise nothing: they
//! stand where two ways disagree, where a live path is overwritten or leaves its scope, and where an object is freed
//! that still owns something. Removes: nothing.
//!
//! The analysis is intraprocedural, flow-sensitive and path-insensitive, but for tests of a path against NULL.

mod fresh;
mod join;
mod message;
mod path;
mod problem;
mod refine;
mod shared;
mod solve;
mod state;
mod step;

use crate::cfg::Cfg;
use crate::order::Order;
use tenure_core::{Function, Program};
use tenure_span::Sink;

/// Reports misuse of what is owned, and leaks. Functions without a local that owns anything cost nothing.
pub fn report(program: &Program, function: &Function, cfg: &Cfg, order: &Order, sink: &Sink) {
    if function.locals.iter().all(|local| local.owned.is_none()) {
        return;
    }
    let mut engine = solve::Engine::new(program, function, cfg, order);
    let states = engine.solve();
    let problems = engine.problems(states);
    message::emit(&engine, &problems, sink);
}
