//! A program as three units that are compiled apart: its declarations with `main`, and its functions in two halves.
//!
//! Linked in any order they are the program that they are as one; and a unit that declares something of another at a
//! different type does not link with it.

use crate::batch::Batch;
use crate::names::renamed;

/// What stands before `static` in a line that begins a definition of the prelude is its own.
fn defined(prelude: &str) -> String {
    let lines = prelude.lines().map(|line| line.strip_prefix("static ").unwrap_or(line));
    lines.map(|line| format!("{line}\n")).collect()
}

/// The head of a function's definition, if the line begins one.
fn head(line: &str) -> Option<&str> {
    let at = line.find(") {")?;
    let head = &line[..=at];
    (!head.contains('=') && !head.contains(';')).then_some(head)
}

/// The prelude as another unit sees it: types, and declarations of all that it defines.
pub fn declared(prelude: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for line in prelude.lines() {
        let Some(definition) = line.strip_prefix("static ") else {
            // What is left of the body of a function.
            if !inside {
                out += &format!("{line}\n");
            }
            inside &= line != "}";
            continue;
        };
        match head(definition) {
            Some(head) => {
                out += &format!("{head};\n");
                inside = !line.ends_with('}');
            }
            None => {
                let name = definition.split(" = ").next().unwrap_or(definition);
                out += &format!("extern {};\n", name.trim_end_matches(';'));
            }
        }
    }
    out
}

/// The texts of the three units.
pub fn units(batch: &Batch) -> [String; 3] {
    let mut whole = defined(&batch.prelude);
    let mut halves = [declared(&batch.prelude), declared(&batch.prelude)];
    for &number in &batch.kept {
        whole += &format!("int f{number}(int a, int b);\n");
        let own = format!("static int f{number}(");
        for line in &batch.functions[number].lines {
            let line = if line.starts_with(&own) { &line["static ".len()..] } else { line };
            halves[number % 2] += &format!("{line}\n");
        }
    }
    whole += &batch.main();
    let [even, odd] = halves;
    [whole, even, odd].map(|text| renamed(&text, &batch.names))
}

/// What a unit may say otherwise than the one that defines it, and a use of it.
const DISAGREEMENTS: &[[&str; 3]] = &[
    ["extern unsigned sink;", "extern long sink;", "sink"],
    ["void note(long n);", "void note(int n);", "(note(1), 1)"],
    ["void note(long n);", "__attribute__((noreturn)) void note(long n);", "(note(1), 1)"],
    ["int agreed(int n, unsigned m);", "int agreed(int n, int m);", "agreed(1, 2)"],
    ["int agreed(int n, unsigned m);", "unsigned agreed(int n, unsigned m);", "agreed(1, 2)"],
    ["int agreed(int n, unsigned m);", "int agreed(int n);", "agreed(1)"],
    ["short few[3];", "short few[4];", "shared.n"],
    ["short few[3];", "unsigned short few[3];", "shared.n"],
    ["extern struct Shared shared;", "extern struct Shared shared[2];", "shared[1].n"],
    ["extern struct Shared shared;", "extern const struct Shared shared;", "shared.n"],
];

/// A unit that is right but for one declaration, the one of that number.
pub fn disagreeing(batch: &Batch, number: u64) -> (&'static str, String) {
    let [from, to, used] = DISAGREEMENTS[number as usize % DISAGREEMENTS.len()];
    let text = declared(&batch.prelude).replace(from, to);
    let text = format!("{text}long disagreement(void) {{ return {used}; }}\n");
    (to, renamed(&text, &batch.names))
}

pub const ORDERS: [[usize; 3]; 6] =
    [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
