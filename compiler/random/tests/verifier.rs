//! The verifier of core finds checks that are gone, stand too early, or have a store behind them.
//!
//! `TENURE_VERIFIER_PROGRAMS` says how many functions, `TENURE_VERIFIER_SEED` where the random numbers begin.

use std::sync::Mutex;
use tenure_random::{broken, for_each, from_environment, mixed};

/// Functions in one program, and ways to break each.
const BATCH: usize = 50;
const WAYS: usize = 6;

#[test]
fn what_the_verifier_accepts_accesses_nothing_outside() {
    let first = from_environment("TENURE_VERIFIER_SEED", 1);
    let count = from_environment("TENURE_VERIFIER_PROGRAMS", 200).div_ceil(BATCH as u64);
    let asked: broken::Broken =
        for_each(first..first + count, None, |disk, seed, all: &Mutex<broken::Broken>| {
            let mut broken = broken::Broken::default();
            let mut batch = mixed::program(seed, BATCH);
            if let Err(failure) = broken::ask(disk, seed, &mut batch, WAYS, &mut broken) {
                panic!("seed {seed}: {}: {}", failure.kind, failure.said);
            }
            if let Ok(mut all) = all.lock() {
                all.changed += broken.changed;
                all.accepted += broken.accepted;
                all.interpreted += broken.interpreted;
            }
        });
    println!("{asked:?}");
    assert!(asked.interpreted > 0 && asked.accepted > 0 && asked.accepted < asked.changed);
}
