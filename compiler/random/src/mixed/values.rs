//! Expressions: what is evaluated first may change what is evaluated later, and the place around.

use super::body::Body;
use super::paths::Leaf;
use super::world::Type;

const COMPARISONS: &[&str] = &["<", "<=", ">", ">=", "==", "!="];

impl Body<'_> {
    pub fn has(&mut self, feature: &'static str) {
        self.features.insert(feature);
    }

    pub fn uses(&mut self, leaf: &Leaf) {
        self.features.extend(leaf.features.iter());
    }

    fn constant(&mut self) -> String {
        match self.random.below(8) {
            0 => "-1".into(),
            1 => "2147483647".into(),
            2 => (self.random.below(300) as i64 - 20).to_string(),
            _ => self.random.below(9).to_string(),
        }
    }

    /// The call of a function that changes what others see.
    pub fn call_of_change(&mut self) -> String {
        if self.changing == 0 {
            return self.constant();
        }
        self.has("call in an operand");
        let at = self.random.index(self.changing);
        format!("ch{at}({})", self.random.below(8))
    }

    /// A read of a scalar that is an integer.
    fn read(&mut self) -> String {
        let Some(leaf) = self.leaf(Leaf::is_integer) else { return "i".into() };
        self.uses(&leaf);
        match leaf.condition() {
            None => leaf.text,
            Some(_) if self.random.one_in(8) => leaf.text,
            Some(condition) => format!("({condition} ? {} : 2)", leaf.text),
        }
    }

    /// An expression of some integer type.
    pub fn integer(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.one_in(4) {
            return match self.random.below(6) {
                0 => self.constant(),
                1 | 2 => self.random.pick(&["i", "j", "k", "a", "b"]).into(),
                _ => self.read(),
            };
        }
        let next = depth - 1;
        match self.random.below(22) {
            0..=4 => {
                let op = self.random.pick(&["+", "-", "*", "&", "|", "^"]);
                let (left, right) = (self.integer(next), self.integer(next));
                format!("({left} {op} {right})")
            }
            5 => {
                let op = self.random.pick(&["/", "%"]);
                let (left, right) = (self.integer(next), self.integer(next));
                format!("({left} {op} ({right} | 1))")
            }
            6 => {
                let op = self.random.pick(&["<<", ">>"]);
                format!("({} {op} {})", self.integer(next), self.random.below(40))
            }
            7 => format!("({})", self.condition(next)),
            8 => format!(
                "({} ? {} : {})",
                self.condition(next),
                self.integer(next),
                self.integer(next)
            ),
            9 => format!("({})({})", self.random.pick(super::world::SCALARS), self.integer(next)),
            10 | 11 => self.call_of_change(),
            12 => self.changed(next),
            13 => format!("({}, {})", self.integer(next), self.integer(next)),
            14 => self.pointed(next),
            15 => self.polymorphic(next),
            16 => format!("-{}", parenthesised(&self.integer(next))),
            17 => format!("text.s[{}]", self.in_text()),
            18 => {
                self.has("length in a type");
                self.random.pick(&["total(8, cells)", "numelts(q)", "length(text.s)"]).into()
            }
            _ => self.read(),
        }
    }

    pub fn in_text(&mut self) -> String {
        self.has("zero-terminated");
        match self.random.below(5) {
            0 => "i & 15".into(),
            // The last one, which is the zero that ends it.
            1 => "11".into(),
            2 => format!("{} & 3", self.call_of_change()),
            _ => self.random.below(4).to_string(),
        }
    }

    /// An assignment, increment or decrement as a value.
    fn changed(&mut self, depth: u32) -> String {
        let found = self.leaf(|leaf| leaf.is_integer() && leaf.tagged.is_empty());
        let Some(leaf) = found else { return "2".into() };
        self.uses(&leaf);
        self.has("assignment in an operand");
        let text = &leaf.text;
        match (&leaf.of, self.random.below(6)) {
            (Type::Int("enum E"), _) | (Type::Volatile("enum E"), _) => {
                format!("({text} = {})", self.random.pick(&["A", "B", "C"]))
            }
            (Type::Int("_Bool") | Type::Volatile("_Bool"), _) | (_, 0 | 1) => {
                format!("({text} = {})", self.integer(depth))
            }
            (_, 2) => format!("{text}++"),
            (_, 3) => format!("--{text}"),
            _ => format!("({text} += {})", self.integer(depth)),
        }
    }

    /// A read behind a pointer that may be NULL.
    fn pointed(&mut self, depth: u32) -> String {
        self.has("pointer");
        match self.random.below(6) {
            0 => format!("q[{}]", self.integer(depth.min(1))),
            1 => "(q != NULL && numelts(q) > 0 ? *q : 4)".into(),
            2 => "*p".into(),
            3 => format!("*where({})", self.integer(depth.min(1))),
            _ => "(p != NULL ? *p : 3)".into(),
        }
    }

    fn polymorphic(&mut self, depth: u32) -> String {
        self.has("polymorphic call");
        let (v, w) = (self.integer(depth), self.integer(depth));
        match self.random.below(6) {
            0 => format!("pick({}, (long)({v}), (long)({w}))", self.condition(0)),
            1 => format!("apply(run_int, (int)({v}))"),
            2 => "apply(run_pointer, p)".into(),
            3 => format!("apply(run_pointer, where((int)({v})))"),
            4 => format!("pick((int)({v}), (int)({v}), (int)({w}))"),
            _ => "first(&hidden_tuple)".into(),
        }
    }

    pub fn condition(&mut self, depth: u32) -> String {
        if depth > 0 && self.random.one_in(5) {
            let op = self.random.pick(&["&&", "||"]);
            return format!("({} {op} {})", self.condition(depth - 1), self.condition(depth - 1));
        }
        match self.random.below(8) {
            0 => "p != NULL".into(),
            1 => self.random.pick(&["q >= part(1)", "numelts(q) > 2", "q == NULL"]).into(),
            2 => match self.leaf(|leaf| !leaf.tagged.is_empty()) {
                Some(leaf) => {
                    self.uses(&leaf);
                    leaf.condition().unwrap_or_default()
                }
                None => "i".into(),
            },
            _ => {
                let op = self.random.pick(COMPARISONS);
                format!("{} {op} {}", self.integer(depth), self.integer(depth))
            }
        }
    }

    /// A value to store in a scalar.
    pub fn value(&mut self, of: &Type, global: bool) -> String {
        match of {
            Type::Pointer => self.address(global),
            Type::Fat => self.fat(global),
            Type::Int("enum E") | Type::Volatile("enum E") => {
                self.random.pick(&["A", "B", "C"]).into()
            }
            _ => self.integer(2),
        }
    }

    /// A value of a type that is not a scalar, if there is one.
    pub fn whole_value(&mut self, of: &Type) -> Option<String> {
        match of {
            Type::Record(at) => {
                let name = &self.world.globals[*at].0;
                Some(format!("{}{name}", self.random.pick(&["", "z"])))
            }
            Type::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.value(part, true)).collect();
                Some(format!("$({})", parts.join(", ")))
            }
            Type::Generic(..) => {
                let same = self.world.globals.iter().find(|(_, other)| other == of);
                same.map(|(name, _)| name.clone())
            }
            Type::Array(..) => None,
            scalar => Some(self.value(scalar, true)),
        }
    }

    /// A pointer to an `int` that outlives the function, if that is wanted.
    pub fn address(&mut self, global: bool) -> String {
        self.has("pointer");
        match self.random.below(7) {
            0 => "NULL".into(),
            1 => format!("where({})", self.integer(1)),
            2 if !global => "p".into(),
            3 => "&fixed".into(),
            _ => {
                let found =
                    self.leaf(|leaf| leaf.is_int() && leaf.addressable && (leaf.global || !global));
                match found {
                    Some(leaf) => {
                        self.uses(&leaf);
                        if leaf.features.contains(&"union") {
                            self.has("address of a union's member");
                        }
                        format!("&{}", leaf.text)
                    }
                    None => "&cells[2]".into(),
                }
            }
        }
    }

    pub fn fat(&mut self, global: bool) -> String {
        self.has("fat pointer");
        match self.random.below(6) {
            0 => "NULL".into(),
            1 => format!("part({})", self.integer(1)),
            2 if !global => "q + 1".into(),
            3 if !global => format!("q - {}", self.random.below(3)),
            4 => format!("part(1) + {}", self.integer(1)),
            _ => "cells".into(),
        }
    }
}

pub fn parenthesised(text: &str) -> String {
    format!("({text})")
}
