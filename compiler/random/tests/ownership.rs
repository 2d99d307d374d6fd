//! Random programs over owned pointers: no dead object is used, none is freed twice, and what was made wrong is rejected.
//!
//! `TENURE_OWNERSHIP_PROGRAMS` says how many functions, `TENURE_OWNERSHIP_SEED` where the random numbers begin.

use tenure_random::{ownership, suite};

/// Functions in one program.
const BATCH: usize = 250;

#[test]
fn what_is_accepted_uses_no_dead_object() {
    let tally = suite::run("ownership", BATCH, 2000, |seed| ownership::program(seed, BATCH));
    let [rejected, accepted] = tally.sound;
    assert!(accepted > rejected * 20, "the generator's own programs are rejected: {tally:?}");
    let [rejected, accepted] = tally.mutated;
    assert!(rejected > accepted / 10 && accepted > 0, "mutations change nothing: {tally:?}");
}
