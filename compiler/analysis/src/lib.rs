//! Analyses over core: what the front end's types leave to be shown about the flow of control and of values.
//!
//! Each pass is a module that opens with its goal, partition, property and what it removes. [`run`] runs them all.

mod assign;
mod bits;
mod bytes;
mod cfg;
mod checks;
mod constant;
mod dataflow;
mod flow;
mod order;
mod own;
mod report;
mod run;
mod setjmp;
mod touch;
mod units;

pub use report::{count_checks, report_checks, CheckCount};
pub use run::{run, Options};
