//! Random programs: generators, an interpreter of core that says what they mean, builds under sanitizers,
//! and a minimiser.
//!
//! ```text
//! seed ─generator─▶ Batch ─front end─▶ core ─┬─ Machine, every check runs ──▶ output ─┐
//!                    ▲ rejected functions    ├─ -O0, verified, sanitizers ──▶ output ─┼─ equal
//!                    └────── are dropped     └─ -O2, proofs believed ───────▶ output ─┘
//! ```

mod batch;
pub mod broken;
pub mod c;
pub mod indices;
mod machine;
mod minimise;
pub mod mixed;
mod mutate;
mod names;
mod oracle;
pub mod ownership;
mod random;
mod seeds;
pub mod suite;
mod units;

pub use batch::{Batch, Function};
pub use machine::{Machine, Outcome, Value};
pub use minimise::minimised;
pub use oracle::{Failure, Oracles, Tally};
pub use random::Random;
pub use seeds::{for_each, from_environment};
