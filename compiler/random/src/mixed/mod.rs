//! Random programs over everything that the language has beside indices and ownership: unions, tagged
//! unions, tuples, type variables, existential types, volatile and packed objects, bit-fields,
//! zero-terminated arrays, swaps, exceptions, `goto`, views as characters, and calls in every operand that
//! change what the place around was checked for.
//!
//! A program has a [`World`], functions that change parts of it, and functions that read and change it with
//! statements that are well-typed by construction.

mod body;
mod forms;
mod paths;
mod throws;
mod values;
mod world;

use crate::batch::{Batch, Function};
use crate::mutate::mutate;
use crate::Random;
use body::Body;
use world::World;

const PRELUDE: &str = include_str!("prelude.cyc");

const OWN: &[&str] = &[
    "where",
    "part",
    "pick",
    "apply",
    "total",
    "length",
    "set_through",
    "run_int",
    "run_pointer",
    "run_long",
    "get0",
    "set0",
    "swap0",
    "between0",
    "put_tuple",
    "first",
    "fixed",
    "cells",
    "hidden",
    "bring",
    "bring",
    "note",
    "text",
    "fuel",
    "ch0",
    "ch3",
    "ch5",
    "g5",
    "g7",
    "agreed",
];

/// A program of that many functions; every eighth has a wrong turn.
pub fn program(seed: u64, functions: usize) -> Batch {
    let mut random = Random::new(seed);
    let world = World::new(&mut random);
    let prelude = declarations(&mut random, &world);
    let functions = (0..functions).map(|number| {
        let mut body = Body::new(&mut random, &world);
        body.function(number);
        let mut function =
            Function { lines: body.lines, features: body.features, mutated: number % 8 == 7 };
        if function.mutated {
            mutate(&mut random, &mut function.lines);
        }
        function
    });
    let functions = functions.collect();
    Batch::new(&prelude, functions).with_names_of_c(&mut random, OWN)
}

fn declarations(random: &mut Random, world: &World) -> String {
    let mut text = PRELUDE.to_string();
    for record in &world.records {
        text += &world.definition(record);
    }
    for (name, of) in &world.globals {
        text += &format!("static {};\n", world.declared(of, name));
        text += &format!("static {};\n", world.declared(of, &format!("z{name}")));
    }
    let mut body = Body::new(random, world);
    body.reset();
    for number in 0..world.changes {
        body.change(number);
    }
    for line in body.lines {
        text += &line;
        text.push('\n');
    }
    text
}
