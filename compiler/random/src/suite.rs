//! Runs a generator's programs through the oracles, on two threads.

use crate::batch::Batch;
use crate::minimise::minimised;
use crate::oracle::{Failure, Oracles, Tally};
use crate::seeds::{for_each, from_environment};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use tenure_driver::Disk;

/// As many functions as `TENURE_NAME_PROGRAMS` says, in programs of `batch`; what was counted.
pub fn run(
    name: &str,
    batch: usize,
    otherwise: u64,
    program: impl Fn(u64) -> Batch + Sync,
) -> Tally {
    let variable = |what: &str| format!("TENURE_{}_{what}", name.to_uppercase());
    let first = from_environment(&variable("SEED"), 1);
    let seconds = from_environment(&variable("SECONDS"), 0);
    let end = (seconds > 0).then(|| Instant::now() + Duration::from_secs(seconds));
    let otherwise = if end.is_some() { u64::from(u32::MAX) } else { otherwise };
    let functions = from_environment(&variable("PROGRAMS"), otherwise);
    let count = functions.div_ceil(batch as u64);
    let counted: Mutex<Tally> = Mutex::new(Tally::default());
    let check = |disk: &Disk, seed: u64, _: &Mutex<()>| {
        let mut tally = Tally::default();
        let mut batch = program(seed);
        let oracles = &Oracles::of(seed);
        if let Err(failure) = oracles.ask(disk, &mut batch, &mut tally) {
            fail(disk, oracles, name, seed, &batch, &failure);
        }
        if let Ok(mut counted) = counted.lock() {
            counted.add(tally);
        }
    };
    for_each(first..first + count, end, check);
    let tally = counted.into_inner().unwrap_or_default();
    println!("{name}: {}", tally.report());
    // A form that the interpreter does not know would end the interpreting of every program that has it.
    assert!(tally.unknown.is_empty(), "{name}: not interpreted: {:?}", tally.unknown);
    assert!(tally.interpreted > tally.tired * 10, "{name}: {} programs ran too long", tally.tired);
    tally
}

/// Leaves the failing program, as it is and made smaller.
fn fail(
    disk: &Disk,
    oracles: &Oracles,
    name: &str,
    seed: u64,
    batch: &Batch,
    failure: &Failure,
) -> ! {
    let dir = std::env::temp_dir();
    let whole = dir.join(format!("tenure-{name}-{seed}.cyc"));
    let small = dir.join(format!("tenure-{name}-{seed}-small.cyc"));
    let _ = std::fs::write(&whole, batch.text().0);
    let time = Duration::from_secs(from_environment("TENURE_RANDOM_MINIMISE", 60));
    let (least, said) = minimised(disk, oracles, batch, failure, time);
    let _ = std::fs::write(&small, least.text().0);
    panic!(
        "seed {seed}: {}: {}\nsee {} and, made smaller, {}: {}",
        failure.kind,
        failure.said,
        whole.display(),
        small.display(),
        said.said
    );
}
