//! Soundness by experiment: random functions run on random arguments, with every check executed. A check that was
//! proved must not fail.
//!
//! `TENURE_SOAK=seconds cargo test -p tenure-analysis --test fuzz` goes on for that long, from a seed of the clock's;
//! `TENURE_SEED=n` tries one seed again.

mod support;

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use support::generate;
use support::interpret::Machine;
use tenure_analysis::{count_checks, run, Options};
use tenure_core::{parse, verify};
use tenure_span::Sink;

const RUNS: u64 = 8;

#[derive(Default)]
struct Tally {
    proved: usize,
    all: usize,
    proved_run: u64,
}

fn try_seed(seed: u64, tally: &mut Tally) {
    let whole = seed.is_multiple_of(2);
    let text = generate::program(seed, whole);
    let mut program = match parse(&text) {
        Ok(program) => program,
        Err(error) => panic!("seed {seed}: {error}\n{text}"),
    };
    let violations = verify(&program);
    assert!(violations.is_empty(), "seed {seed}: {violations:?}\n{text}");
    run(&mut program, &Options { whole_program: whole, ..Options::default() }, &Sink::new());
    let count = count_checks(&program);
    tally.proved += count.proved;
    tally.all += count.all();
    let main = program.functions.last();
    let Some(function) = main else { return };
    for n in 0..RUNS {
        let mut machine = Machine::new(&program, function, seed * RUNS + n);
        if let Err(bug) = machine.run() {
            let at = bug.0.split("0:").nth(1).and_then(|rest| rest.split("..").next());
            let line = at.and_then(|at| at.parse::<usize>().ok()).map(|at| {
                (1 + text[..at].matches('\n').count(), text[at..].lines().next().unwrap_or(""))
            });
            panic!("seed {seed}, run {n}: {} {line:?}\n{text}", bug.0);
        }
        tally.proved_run += machine.proved_run;
    }
}

#[test]
fn no_proved_check_fails() {
    let mut tally = Tally::default();
    if let Some(seed) = std::env::var("TENURE_SEED").ok().and_then(|text| text.parse().ok()) {
        return try_seed(seed, &mut tally);
    }
    let soak = std::env::var("TENURE_SOAK").ok().and_then(|text| text.parse().ok());
    match soak {
        Some(seconds) => {
            let clock = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |d| d.as_secs());
            let mut seed = clock << 20;
            let end = Instant::now() + Duration::from_secs(seconds);
            while Instant::now() < end {
                seed += 1;
                try_seed(seed, &mut tally);
            }
            eprintln!("{} of {} checks proved", tally.proved, tally.all);
        }
        None => (1..=16).for_each(|seed| try_seed(seed, &mut tally)),
    }
    // A test that proves nothing shows nothing.
    assert!(tally.proved * 5 > tally.all, "{} of {}", tally.proved, tally.all);
    assert!(tally.proved_run > 500, "{}", tally.proved_run);
}
