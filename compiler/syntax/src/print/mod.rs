//! A tree as source text, in one layout: what `--emit=tree` shows. It parses back to an equal
//! tree, spans aside.

mod decl;
mod expr;
mod literal;
mod pattern;
mod stmt;
mod types;

use crate::tree::Tree;

/// The text of a tree that was parsed without an error.
pub fn print(tree: &Tree) -> String {
    let mut printer = Printer { out: String::new(), indent: 0 };
    for pragma in &tree.pragmas {
        printer.word("#pragma ");
        printer.word(&pragma.text);
        printer.newline();
    }
    for decl in &tree.decls {
        printer.decl(decl);
        printer.newline();
    }
    printer.out
}

struct Printer {
    out: String,
    indent: usize,
}

impl Printer {
    fn word(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn newline(&mut self) {
        let end = self.out.trim_end_matches(' ').len();
        self.out.truncate(end);
        self.out.push('\n');
        for _ in 0..self.indent {
            self.out.push_str("    ");
        }
    }

    /// Puts `separator` between the items.
    fn list<T>(&mut self, items: &[T], separator: &str, mut each: impl FnMut(&mut Self, &T)) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.word(separator);
            }
            each(self, item);
        }
    }

    /// A braced block of lines.
    fn lines<T>(&mut self, items: &[T], mut each: impl FnMut(&mut Self, &T)) {
        self.word("{");
        self.indent += 1;
        for item in items {
            self.newline();
            each(self, item);
        }
        self.indent -= 1;
        self.newline();
        self.word("}");
    }

    /// What `each` prints, apart.
    fn apart(&mut self, each: impl FnOnce(&mut Self)) -> String {
        let before = std::mem::take(&mut self.out);
        each(self);
        std::mem::replace(&mut self.out, before)
    }
}
