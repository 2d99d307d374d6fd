//! Random programs over everything that the language has beside indices and ownership.
//!
//! `TENURE_MIXED_PROGRAMS` says how many functions, `TENURE_MIXED_SEED` where the random numbers begin, and
//! `TENURE_MIXED_SECONDS` for how long instead. A failure prints the seed of its program and leaves it, made smaller, in
//! the directory for temporary files.

use tenure_random::{mixed, suite};

/// Functions in one program.
const BATCH: usize = 100;

#[test]
fn what_is_accepted_is_safe_and_means_what_core_says() {
    let tally = suite::run("mixed", BATCH, 100, |seed| mixed::program(seed, BATCH));
    let [rejected, accepted] = tally.sound;
    assert!(accepted > rejected * 10, "the generator's own programs are rejected: {tally:?}");
    // A generator whose every use of a form is rejected shows nothing of the form.
    for (form, [rejected, accepted]) in &tally.features {
        assert!(accepted > rejected, "{form}: {accepted} accepted, {rejected} rejected");
    }
    assert!(tally.proved * 5 > tally.checks, "{} of {}", tally.proved, tally.checks);
}
