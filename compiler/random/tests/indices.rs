//! Random programs over indices: no check that was proved fails, and a program says the same with the proved checks and without.
//!
//! `TENURE_INDICES_PROGRAMS` says how many groups of functions, `TENURE_INDICES_SEED` where the random numbers begin.

use tenure_random::{indices, suite};

/// Groups of functions in one program.
const BATCH: usize = 4;

#[test]
fn no_proved_check_fails() {
    let tally = suite::run("indices", BATCH, 16, |seed| indices::program(seed, BATCH));
    let [rejected, accepted] = tally.sound;
    assert!(rejected == 0 && accepted > 0, "the generator's own programs are rejected: {tally:?}");
    // A test that proves nothing shows nothing.
    assert!(tally.proved * 5 > tally.checks, "{} of {}", tally.proved, tally.checks);
}
