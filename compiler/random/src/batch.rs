//! A program of many functions that do not know each other, so that any of them can be left out.

use std::collections::BTreeSet;
use std::ops::Range;

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
}

/// The function of each line of a program's text.
pub type Places = Vec<(usize, Range<u32>)>;

impl Batch {
    pub fn new(prelude: String, functions: Vec<Function>) -> Batch {
        let kept = (0..functions.len()).collect();
        Batch { prelude, functions, kept }
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
        (text, places)
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
