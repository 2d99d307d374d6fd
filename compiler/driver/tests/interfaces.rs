//! The table of C's interfaces (`core/src/interfaces.txt`) says what the library's headers declare, and the functions do what it says.

#[path = "interfaces/calls.rs"]
mod calls;
#[path = "support/headers.rs"]
mod headers;

use std::collections::{BTreeMap, BTreeSet};
use tenure_core::{interfaces, Interface};

/// A function that the headers declare, as core's text has it.
struct Declared {
    symbol: String,
    /// The name and the type of each parameter.
    params: Vec<(String, String)>,
    result: String,
}

/// `fn SYMBOL(NAME: TYPE, …) -> TYPE import … source "NAME"`; names of namespaces and of Cyclone's library are no interfaces of C's.
fn declared(core: &str) -> BTreeMap<String, Declared> {
    let mut found = BTreeMap::new();
    for line in core.lines() {
        let Some((head, tail)) =
            line.strip_prefix("fn ").and_then(|line| line.split_once(" import"))
        else {
            continue;
        };
        let (symbol, rest) = head.split_once('(').expect("parameters");
        let (params, result) = rest.split_at(closing(rest));
        let symbol = symbol.split('.').next().unwrap_or(symbol).trim_matches('`').to_string();
        let source = tail.split_once("source \"").and_then(|(_, rest)| rest.split_once('"'));
        let name = source.map_or(symbol.clone(), |(name, _)| name.to_string());
        if symbol.contains('$') || name.contains("::") || name.starts_with("__builtin") {
            continue;
        }
        let params = params.split(", ").filter_map(|param| param.split_once(": "));
        let params = params.map(|(name, ty)| (name.to_string(), ty.to_string())).collect();
        found.insert(name, Declared { symbol, params, result: result.to_string() });
    }
    found
}

/// Where the parenthesis closes that was opened before a text.
fn closing(text: &str) -> usize {
    let mut depth = 0;
    let at = text.find(|c| {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        depth < 0
    });
    at.unwrap_or(text.len())
}

/// What a fact says of which parameter.
fn of_parameter(fact: &str) -> Option<(&str, &str)> {
    let (verb, rest) = fact.split_once(' ')?;
    let verbs = ["text", "reads", "writes", "updates", "ignores", "keeps", "stream"];
    let name = rest.split('[').next().unwrap_or(rest);
    verbs.contains(&verb).then_some((verb, name))
}

fn is_pointer(ty: &str) -> bool {
    ty.contains(['*', '?'])
}

/// What is wrong with a row, compared to a declaration.
fn wrong(row: &Interface, declared: &Declared) -> Option<String> {
    if declared.symbol != row.symbol {
        return Some(format!("its symbol is {}", declared.symbol));
    }
    let facts: Vec<(&str, &str)> = row.facts.iter().filter_map(|fact| of_parameter(fact)).collect();
    for (name, ty) in declared.params.iter().filter(|(_, ty)| is_pointer(ty)) {
        let said: Vec<&str> =
            facts.iter().filter(|fact| fact.1 == name).map(|fact| fact.0).collect();
        let [verb] = said[..] else {
            return Some(format!("the table says {said:?} of its {name}, a {ty}"));
        };
        let constant = ty.starts_with("?const") || ty.starts_with("*const");
        if constant && ["writes", "updates"].contains(&verb) {
            return Some(format!("{name} is const and is written"));
        }
        if verb == "keeps" && !ty.starts_with("*fn") {
            return Some(format!("{name} is kept and may die"));
        }
    }
    let gives = row.facts.iter().any(|fact| fact.starts_with("gives "));
    (gives != is_pointer(&declared.result)).then(|| "what it gives is not said, or nothing".into())
}

#[test]
fn each_function_of_the_headers_has_its_row() {
    let core = headers::all_in_core("c", |text| !text.contains("namespace "));
    let declared = declared(&core);
    let rows: BTreeMap<&str, &Interface> = interfaces().iter().map(|row| (row.name, row)).collect();
    assert_eq!(rows.len(), interfaces().len(), "a name has two rows");
    let mut problems: BTreeSet<String> = BTreeSet::new();
    for (name, declared) in &declared {
        match rows.get(name.as_str()) {
            None => {
                problems.insert(format!("{name} has no row"));
            }
            Some(row) => {
                problems.extend(wrong(row, declared).map(|what| format!("{name}: {what}")))
            }
        }
    }
    for name in rows.keys().filter(|name| !declared.contains_key(**name)) {
        problems.insert(format!("no header declares {name}"));
    }
    assert!(problems.is_empty(), "{problems:#?}");
}

#[test]
fn each_function_stays_within_the_shortest_buffers_that_it_takes() {
    if let Err(problem) = calls::run() {
        panic!("{problem}");
    }
}
