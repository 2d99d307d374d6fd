//! Random programs that look like C programs full of indices: bounds are tested before elements are used, mostly rightly.
//!
//! A function of a program is a group: some that call one another with what the analysis of a whole program assumes, and
//! one that calls some of them with anything.

mod generate;

use crate::batch::{Batch, Function};
use crate::Random;
use std::collections::BTreeSet;

const OWN: &[&str] = &[
    "ga", "gb", "gh", "gt", "elements", "all", "any", "part", "one", "two", "turn", "noted", "note",
];

const PRELUDE: &str = include_str!("prelude.cyc");

/// A program of that many groups.
pub fn program(seed: u64, groups: usize) -> Batch {
    let mut random = Random::new(seed);
    let functions = (0..groups).map(|number| {
        let lines = generate::group(&mut random, &format!("f{number}"));
        Function { lines, features: BTreeSet::new(), mutated: false }
    });
    let functions = functions.collect();
    Batch::new(PRELUDE, functions).with_names_of_c(&mut random, OWN)
}
