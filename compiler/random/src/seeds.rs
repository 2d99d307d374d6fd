//! Random programs by seed: where the numbers begin, and two threads that take one after the other.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Mutex;
use std::time::Instant;
use tenure_driver::{Cc, Disk, Home, STACK_BYTES};

pub fn from_environment(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(otherwise)
}

/// Checks each seed with the compiler of this checkout, until that time at most; what the checks counted.
pub fn for_each<T: Default + Send>(
    seeds: Range<u64>,
    end: Option<Instant>,
    check: impl Fn(&Disk, u64, &Mutex<T>) + Sync,
) -> T {
    let home = Home::find().unwrap_or_else(|text| panic!("{text}"));
    let cc = Cc::find().unwrap_or_else(|error| panic!("{}", error.0));
    let disk = Disk { cc, home };
    let (next, counted) = (AtomicU64::new(seeds.start), Mutex::new(T::default()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            let work = || loop {
                let seed = next.fetch_add(1, Ordering::Relaxed);
                if seed >= seeds.end || end.is_some_and(|end| Instant::now() > end) {
                    return;
                }
                check(&disk, seed, &counted);
            };
            let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
            thread.spawn_scoped(scope, work).unwrap_or_else(|error| panic!("{error}"));
        }
    });
    counted.into_inner().unwrap_or_default()
}
