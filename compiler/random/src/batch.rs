//! A program of many functions that do not know each other, so that any of them can be left out.

use crate::names::{borrowed, renamed, Names};
use crate::Random;
use std::collections::BTreeSet;
use std::ops::Range;

/// What all programs have: `sink`, `note`, and what units may disagree about.
const COMMON: &str = include_str!("common.cyc");

#[derive(Clone, Debug)]
pub struct Function {
    /// Defines `static int fN(int, int)`.
    pub lines: Vec<String>,
    pub features: BTreeSet<&'static str>,
    /// It was made wrong: the compiler may reject it.
    pub mutated: bool,
}

#[derive(Clone, Debug)]
pub struct Batch {
    /// Declarations, among them `reset`, `note` and `sink`.
    pub prelude: String,
    pub functions: Vec<Function>,
    pub kept: BTreeSet<usize>,
    /// Own names that are C's.
    pub names: Names,
}

/// The function of each line of a program's text.
pub type Places = Vec<(usize, Range<u32>)>;

impl Batch {
    /// `prelude` defines `reset`, and begins with what it includes.
    pub fn new(prelude: &str, functions: Vec<Function>) -> Batch {
        let kept = (0..functions.len()).collect();
        Batch { prelude: COMMON.to_string() + prelude, functions, kept, names: Names::new() }
    }

    /// Some of these names become C's.
    pub fn with_names_of_c(self, random: &mut Random, own: &[&str]) -> Batch {
        let names = borrowed(random, own, &self.text().0);
        Batch { names, ..self }
    }

    /// The program of the functions that are kept, and where each stands.
    pub fn text(&self) -> (String, Places) {
        let mut text = self.prelude.clone();
        let mut line = text.lines().count() as u32 + 1;
        let mut places = Vec::new();
        for &number in &self.kept {
            let lines = &self.functions[number].lines;
            places.push((number, line..line + lines.len() as u32));
            for part in lines {
                text.push_str(part);
                text.push('\n');
            }
            line += lines.len() as u32;
        }
        text += &self.main();
        (renamed(&text, &self.names), places)
    }

    /// `main`, which calls each function with some arguments and prints what they noted.
    pub fn main(&self) -> String {
        let mut text = String::new();
        // A function of its own for each handler: cc takes long for many in one.
        for number in &self.kept {
            text += &format!(
                "static void run{number}(int n) {{ reset(); sink = 0; try note(f{number}(n, n * 3 - 4)); catch {{ \
                 case &Null_Exception: note(-2); case &Array_bounds: note(-3); case &Match_Exception: note(-4); \
                 case &Arithmetic_Exception: note(-5); case _: note(-6); }} printf(\"{number} %d %u\\n\", n, sink); }}\n"
            );
        }
        text.push_str("int main(void) {\nfor (int n = 0; n < 4; n++) {\n");
        for number in &self.kept {
            text += &format!("run{number}(n);\n");
        }
        text.push_str("}\nreturn 0;\n}\n");
        text
    }
}
