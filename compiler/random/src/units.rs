//! A program as three units that are compiled apart: its declarations with `main`, and its functions in two halves.
//!
//! Linked in any order they are the program that they are as one; and a unit that declares something of another at a
//! different type does not link with it.

use crate::batch::Batch;

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
        for (at, line) in batch.functions[number].lines.iter().enumerate() {
            let line = if at == 0 { line.trim_start_matches("static ") } else { line };
            halves[number % 2] += &format!("{line}\n");
        }
    }
    whole += &batch.main();
    let [even, odd] = halves;
    [whole, even, odd]
}

/// A unit that is right but for the type of one global.
pub fn disagreeing(batch: &Batch) -> String {
    let types = declared(&batch.prelude);
    types.replace("extern int fixed;", "extern long fixed;")
        + "long disagreement(void) { return fixed; }\n"
}

pub const ORDERS: [[usize; 3]; 6] =
    [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
