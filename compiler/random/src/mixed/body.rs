//! Statements of a function.

use super::paths::Leaf;
use super::world::{Form, Type, World};
use crate::Random;
use std::collections::BTreeSet;

pub struct Body<'w> {
    pub random: &'w mut Random,
    pub world: &'w World,
    pub lines: Vec<String>,
    pub features: BTreeSet<&'static str>,
    pub locals: Vec<(String, Type)>,
    /// Functions that change something and may be called here.
    pub changing: usize,
    /// Indices around.
    pub nesting: u32,
    indent: usize,
    labels: u32,
    names: u32,
    pub(super) loops: u32,
    /// The function that does not return and may be called here.
    pub(super) leaver: Option<String>,
    /// What a `return` gives, if one may stand here.
    pub returns: bool,
}

impl<'w> Body<'w> {
    pub fn new(random: &'w mut Random, world: &'w World) -> Body<'w> {
        Body {
            random,
            world,
            lines: Vec::new(),
            features: BTreeSet::new(),
            locals: Vec::new(),
            changing: 0,
            nesting: 0,
            indent: 0,
            labels: 0,
            names: 0,
            loops: 0,
            leaver: None,
            returns: true,
        }
    }

    pub fn line(&mut self, text: impl AsRef<str>) {
        self.lines.push("  ".repeat(self.indent) + text.as_ref());
    }

    pub fn open(&mut self, text: impl AsRef<str>) {
        self.line(text);
        self.indent += 1;
    }

    pub fn close(&mut self) {
        self.indent -= 1;
        self.line("}");
    }

    /// `} else {` and the like.
    pub fn turn(&mut self, text: &str) {
        self.indent -= 1;
        self.open(text);
    }

    pub fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    /// One of the functions that a program is made of.
    pub fn function(&mut self, number: usize) {
        self.changing = self.world.changes;
        self.leaver(number);
        self.open(format!("static int f{number}(int a, int b) {{"));
        self.variables();
        for _ in 0..2 {
            let at = self.random.index(self.world.globals.len());
            let (from, of) = self.world.globals[at].clone();
            if matches!(of, Type::Array(..)) {
                continue;
            }
            let name = self.name("v");
            self.line(format!("{} = {from};", self.world.declared(&of, &name)));
            self.locals.push((name, of));
        }
        for _ in 0..2 + self.random.below(5) {
            self.statement(2);
        }
        self.line("note(p == NULL ? 5 : *p);");
        let result = self.integer(1);
        self.line(format!("return (int)({result});"));
        self.close();
    }

    fn variables(&mut self) {
        self.line("int i = a, j = b, k = 0; unsigned u = (unsigned)a; long l = b; char c = 'c';");
        self.line("int *p = NULL; int ?q = cells; char *s = text.s;");
        for (name, of) in
            [("i", "int"), ("j", "int"), ("k", "int"), ("u", "unsigned"), ("l", "long")]
        {
            self.locals.push((name.into(), Type::Int(of)));
        }
        self.locals.push(("p".into(), Type::Pointer));
        self.locals.push(("q".into(), Type::Fat));
    }

    /// A function that puts everything back as it was.
    pub fn reset(&mut self) {
        self.open("static void reset(void) {");
        self.line(
            "fuel = 60; fixed = 11; hidden = Hidden(1, run_int, 2, 3); hidden_tuple = $(3, 4);",
        );
        self.line("for (int i = 0; i < 8; i++) cells[i] = i * 3 - 4;");
        self.line("text = ztext;");
        for at in 0..self.world.globals.len() {
            let (name, of) = &self.world.globals[at];
            match of {
                Type::Array(_, count) => {
                    self.line(format!("for (int i = 0; i < {count}; i++) {name}[i] = z{name}[i];"));
                }
                _ => self.line(format!("{name} = z{name};")),
            }
        }
        for at in 0..self.world.globals.len() {
            self.start(at);
        }
        self.close();
    }

    /// Gives a part of a global a value.
    fn start(&mut self, at: usize) {
        self.nesting = 2;
        let leaf = self.leaf_of(at);
        self.nesting = 0;
        let value = match leaf.of {
            Type::Pointer => "&fixed".to_string(),
            Type::Fat => "cells".to_string(),
            Type::Int("enum E") | Type::Volatile("enum E") => "B".to_string(),
            _ => self.random.below(6).to_string(),
        };
        if leaf.condition_to_store().is_none() {
            self.line(format!("{} = {value};", leaf.text));
        }
    }

    /// The function of that number changes something of the global of that number, or of several.
    pub fn change(&mut self, number: usize) {
        let several = number >= self.world.globals.len();
        self.changing = if several { number } else { 0 };
        self.open(format!("static int ch{number}(int a) {{"));
        self.line("int b = 2, i = a, j = 1, k = 0; int *p = &fixed; int ?q = cells;");
        self.line("if (--fuel < 0) return 1;");
        let count = if several { 2 } else { 1 };
        for _ in 0..count {
            let at = if several { self.random.index(self.world.globals.len()) } else { number };
            let leaf = self.leaf_of(at);
            self.store(&leaf, true);
        }
        match self.random.below(8) {
            0 => self.line("hidden = Hidden(where(a), run_pointer, 1, NULL);"),
            1 => self.line("hidden = Hidden((long)a, run_long, a, 7L);"),
            2 => self.line("text.s[a & 7] = a & 1 ? 'x' : 0;"),
            3 => self.line("fixed = a;"),
            _ => {}
        }
        self.line("note(i + j + k); return a + 1;");
        self.close();
        self.changing = 0;
    }

    /// Stores something in a scalar.
    pub fn store(&mut self, leaf: &Leaf, global: bool) {
        self.uses(leaf);
        let value = self.value(&leaf.of, global || leaf.long_lived);
        match leaf.condition_to_store() {
            Some(condition) => self.line(format!("if ({condition}) {} = {value};", leaf.text)),
            None => self.line(format!("{} = {value};", leaf.text)),
        }
    }

    pub fn statement(&mut self, depth: u32) {
        if depth == 0 || self.random.below(3) != 0 {
            return match self.random.below(5) {
                0 | 1 => self.plain(),
                2 => self.observed(),
                _ => self.form(),
            };
        }
        match self.random.below(10) {
            0..=2 => self.branch(depth),
            3 | 4 => self.counting(depth),
            5 => self.attempt(depth),
            6 => self.jump(depth),
            7 => self.choice(depth),
            8 => self.arena(depth),
            _ => self.endless(depth),
        }
    }

    /// A block: what it declares goes with it.
    pub fn block(&mut self, depth: u32) {
        let locals = self.locals.len();
        for _ in 0..1 + self.random.below(3) {
            self.statement(depth - 1);
        }
        self.locals.truncate(locals);
    }

    pub(super) fn observed(&mut self) {
        let value = self.integer(2);
        self.line(format!("note({value});"));
    }

    /// A store of some kind.
    pub(super) fn plain(&mut self) {
        let leaf = self.any_leaf();
        if !leaf.is_integer() || self.random.one_in(3) {
            return self.store(&leaf, false);
        }
        self.uses(&leaf);
        let number =
            !matches!(leaf.of, Type::Int("_Bool" | "enum E") | Type::Volatile("_Bool" | "enum E"));
        let text = match self.random.below(4) {
            0 if number => format!("{}++;", leaf.text),
            1 if number => format!("--{};", leaf.text),
            _ if number => {
                let op = self.random.pick(&["+=", "-=", "*=", "|=", "^=", "&=", "<<=", ">>="]);
                let value = self.integer(2);
                format!("{} {op} {value};", leaf.text)
            }
            _ => return self.store(&leaf, false),
        };
        match leaf.condition() {
            Some(condition) if !self.random.one_in(4) => {
                self.line(format!("if ({condition}) {text}"))
            }
            _ => self.line(text),
        }
    }

    fn branch(&mut self, depth: u32) {
        let condition = self.condition(1);
        self.open(format!("if ({condition}) {{"));
        self.block(depth);
        if let (Some(leaver), true) = (self.leaver.clone(), self.random.one_in(4)) {
            self.has("noreturn");
            self.line(format!("{leaver}(i, (int)l);"));
        }
        if self.random.one_in(3) {
            self.turn("} else {");
            self.block(depth);
        }
        if self.returns && self.random.one_in(8) {
            self.line("return i;");
        } else if self.loops > 0 && self.random.one_in(4) {
            let leave = self.random.pick(&["break;", "continue;"]);
            self.line(leave);
        }
        self.close();
    }

    fn looped(&mut self, depth: u32) {
        self.has("loop");
        self.line("if (--fuel < 0) return 0;");
        self.loops += 1;
        self.block(depth);
        self.loops -= 1;
    }

    fn counting(&mut self, depth: u32) {
        let v = self.name("n");
        let count = 1 + self.random.below(8);
        let step = self.random.pick(&["++", "++", " += 2"]);
        self.open(format!("for (int {v} = 0; {v} < {count}; {v}{step}) {{"));
        self.locals.push((v.clone(), Type::Int("int")));
        self.looped(depth);
        if self.random.one_in(2) {
            let table = self.random.pick(&["cells", "q", "cells"]);
            self.line(format!("{table}[{v}] += {v};"));
        }
        self.close();
        self.locals.retain(|(name, _)| *name != v);
    }

    fn endless(&mut self, depth: u32) {
        let condition = self.condition(1);
        if self.random.one_in(2) {
            self.open(format!("while ({condition}) {{"));
            self.looped(depth);
            self.close();
        } else {
            self.open("do {");
            self.looped(depth);
            self.close();
            let last = self.lines.pop().unwrap_or_default();
            self.lines.push(format!("{last} while ({condition});"));
        }
    }

    fn jump(&mut self, depth: u32) {
        self.has("goto");
        self.labels += 1;
        let label = format!("L{}", self.labels);
        let condition = self.condition(1);
        if self.random.one_in(3) {
            // Backwards, as long as there is fuel.
            self.line(format!("{label}: note(1);"));
            self.open("{");
            self.block(depth);
            self.close();
            self.line(format!("if (--fuel > 0 && {condition}) goto {label};"));
        } else {
            self.line(format!("if ({condition}) goto {label};"));
            self.open("{");
            self.block(depth);
            self.close();
            self.line(format!("{label}: note(2);"));
        }
    }

    fn choice(&mut self, depth: u32) {
        self.has("switch");
        let value = self.integer(1);
        self.open(format!("switch ((int)({value}) & 3) {{"));
        let loops = std::mem::take(&mut self.loops);
        for case in ["case 0:", "case 1: case 3:", "default:"] {
            self.line(case);
            self.open("{");
            self.block(depth);
            self.close();
            let end =
                if case != "default:" && self.random.one_in(4) { "fallthru;" } else { "break;" };
            self.line(end);
        }
        self.loops = loops;
        self.close();
    }

    fn arena(&mut self, depth: u32) {
        self.has("region");
        let (region, object) = (self.name("h"), self.name("o"));
        self.open("{");
        self.line(format!("region {region};"));
        let structs: Vec<usize> = (0..self.world.records.len())
            .filter(|at| self.world.records[*at].form == Form::Struct)
            .collect();
        let of = Type::Record(structs[self.random.index(structs.len())]);
        let from = self.world.globals.iter().find(|(_, other)| *other == of);
        let from = from.map_or(String::new(), |(name, _)| name.clone());
        let whole = self.world.declared(&of, &format!("*{object}"));
        self.line(format!("{whole} = rnew({region}) {from};"));
        self.locals.push((format!("(*{object})"), of));
        self.block(depth);
        self.locals.retain(|(name, _)| *name != format!("(*{object})"));
        self.close();
    }
}
