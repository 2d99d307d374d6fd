//! Random programs over owned pointers: unique and counted ones, aliases, dynamic regions, and what owns them.
//!
//! A model of what the language's rules leave alive keeps a function well-typed; every second one has a wrong turn, which is
//! mostly rejected. What is accepted uses no dead object, and frees none twice.

mod generate;
mod mutate;
mod structures;

use crate::batch::{Batch, Function};
use crate::Random;
use std::collections::BTreeSet;

const OWN: &[&str] = &[
    "make", "node", "look", "poke", "both", "watch", "eat", "put", "get", "fail", "same", "pass",
    "carry", "unload", "apply", "discard", "perform", "total", "weigh", "pool", "stock", "kept",
    "note", "bring", "cut",
];

/// A program of that many functions.
pub fn program(seed: u64, functions: usize) -> Batch {
    let mut random = Random::new(seed);
    let functions = (0..functions).map(|number| {
        let mut lines = generate::function(&mut random, &format!("f{number}"));
        let mutated = number % 2 == 1;
        if mutated {
            mutate::mutate(&mut random, &mut lines);
        }
        Function { lines, features: BTreeSet::new(), mutated }
    });
    let functions = functions.collect();
    Batch::new(generate::PRELUDE, functions).with_names_of_c(&mut random, OWN)
}
