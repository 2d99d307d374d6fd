//! Random C programs over types, initialisers and expressions: what Tenure makes of one prints what gcc's program does.
//!
//! `TENURE_C_PROGRAMS` says how many programs, `TENURE_C_SEED` where the random numbers begin, `TENURE_RANDOM_BUILD` how many
//! of them are built and not only interpreted. A failure prints the seed of its program and leaves the program.

use std::time::{Duration, Instant};
use tenure_random::{c, for_each, from_environment};

#[test]
fn programs_print_what_gccs_do() {
    let (first, count) =
        (from_environment("TENURE_C_SEED", 1), from_environment("TENURE_C_PROGRAMS", 4));
    let seconds = from_environment("TENURE_C_SECONDS", 0);
    let end = (seconds > 0).then(|| Instant::now() + Duration::from_secs(seconds));
    let count = if end.is_some() { u64::from(u32::MAX) } else { count };
    let every = from_environment("TENURE_RANDOM_BUILD", 1);
    let asked: c::Asked = for_each(first..first + count, end, |disk, seed, all| {
        let mut asked = c::Asked::default();
        let build = every != 0 && seed.is_multiple_of(every);
        if let Err(failure) = c::ask(disk, seed, build, &mut asked) {
            panic!("seed {seed}: {}: {}", failure.kind, failure.said);
        }
        if let Ok(mut all) = all.lock() {
            let all: &mut c::Asked = &mut all;
            all.programs += asked.programs;
            all.interpreted += asked.interpreted;
            all.unknown.append(&mut asked.unknown);
        }
    });
    println!("{asked:?}");
    assert!(end.is_some() || asked.programs as u64 == count);
}
