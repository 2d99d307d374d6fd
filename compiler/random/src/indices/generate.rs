//! Functions full of indices, which call one another.

use crate::Random;

const INTS: &[&str] = &["a", "b", "i", "j", "k", "n", "m", "i", "j", "k"];
const ASSIGNED: &[&str] = &["i", "j", "k", "n", "m"];
const UNSIGNED: &[&str] = &["u", "v", "w", "v", "w"];
const LONGS: &[&str] = &["l", "x", "z"];
const NARROW: &[&str] = &["c", "d", "h"];
const COMPARISONS: &[&str] = &["<", "<", "<=", ">", ">=", "!=", "=="];
const TABLES: &[(&str, i64)] = &[
    ("ga", 16),
    ("gb", 64),
    ("gh", 32),
    ("gs", 8),
    ("s->few", 6),
    ("la", 7),
    ("gt", 5),
    ("gm[1]", 4),
];

pub struct Generator<'r> {
    random: &'r mut Random,
    lines: Vec<String>,
    indent: usize,
    /// What the names of the functions begin with, and the number of the one that is written.
    group: String,
    number: usize,
    labels: u32,
    /// Loops around; and whether a `try` is inside the innermost.
    loops: u32,
    tries: u32,
}

/// Functions in a group; each may call those before it.
const FUNCTIONS: usize = 8;

/// The lines of a group of functions, and of the function of that name that calls some of them.
pub fn group(random: &mut Random, name: &str) -> Vec<String> {
    let mut generator = Generator {
        random,
        lines: Vec::new(),
        indent: 0,
        group: format!("{name}_"),
        number: 0,
        labels: 0,
        loops: 0,
        tries: 0,
    };
    for number in 0..FUNCTIONS {
        generator.function(number);
    }
    generator.caller(name);
    generator.lines
}

impl Generator<'_> {
    fn line(&mut self, text: &str) {
        self.lines.push("  ".repeat(self.indent) + text);
    }

    fn open(&mut self, text: &str) {
        self.line(text);
        self.indent += 1;
    }

    fn close(&mut self) {
        self.indent -= 1;
        self.line("}");
    }

    fn function(&mut self, number: usize) {
        (self.number, self.labels) = (number, 0);
        self.open(&format!(
            "static int {}{number}(int a, int b, unsigned u, long l, int ?`H p, struct S @`H s) {{",
            self.group
        ));
        self.line("int i = 0, j = a, k = 1, n = b, m = 0;");
        self.line("unsigned v = u, w = 0;");
        self.line("long x = l, z = 0;");
        self.line("unsigned char c = 0; signed char d = 0; short h = 0;");
        self.line("int la[7] = {0};");
        self.line("int ?q = p;");
        self.line("struct S @t = s;");
        let seen = self.random.pick(&["m", "ga[3]", "ga[3]"]);
        self.line(&format!("int @r = &{seen};"));
        for _ in 0..3 + self.random.below(6) {
            self.statement(3);
        }
        let result = self.int(2);
        self.line(&format!("return {result};"));
        self.close();
    }

    /// Calls some functions from outside with anything; the others are left to what calls them.
    fn caller(&mut self, name: &str) {
        self.open(&format!("static int {name}(int a, int b) {{"));
        self.open("for (int n = a * 10; n < a * 10 + 10; n++) {");
        for number in 0..FUNCTIONS {
            if number + 2 < FUNCTIONS && !self.random.one_in(3) {
                continue;
            }
            self.line("reset();");
            self.open("try {");
            let arguments = match self.random.below(3) {
                0 => "any(), any(), (unsigned)any(), any(), part(n), &one".to_string(),
                1 => "n & 15, n % 7, (unsigned)n >> 3 & 31, n, all, &two".to_string(),
                _ => format!("{}, n & 7, 3, (long)any() * any(), part(any()), &one", self.small()),
            };
            let group = self.group.clone();
            self.line(&format!("sum += (unsigned){group}{number}({arguments});"));
            self.indent -= 1;
            self.line(
                "} catch { case &Array_bounds: sum += 3; case &Null_Exception: sum += 5; \
                 case _: sum += 7; }",
            );
            self.line(&format!("noted({number});"));
        }
        self.close();
        self.line("return (int)sum + b;");
        self.close();
    }

    fn small(&mut self) -> i64 {
        match self.random.below(14) {
            0 => -1,
            1 => 15,
            2 => 16,
            3 => 31,
            4 => 64,
            _ => self.random.below(8) as i64,
        }
    }

    fn int(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.one_in(3) {
            return match self.random.below(5) {
                0 => self.small().to_string(),
                _ => self.random.pick(INTS).to_string(),
            };
        }
        let a = self.int(depth - 1);
        let k = self.random.below(5) + 1;
        match self.random.below(24) {
            0..=2 => format!("({a} + {k})"),
            3 | 4 => format!("({a} - {k})"),
            5 => format!("({a} + {})", self.int(depth - 1)),
            6 => format!("({a} - {})", self.int(depth - 1)),
            7 => format!("({a} * {k})"),
            8 => format!("({a} / {k})"),
            9 => format!("({a} % {})", k + 3),
            10 => format!("({a} & {})", [3, 7, 15, 31, 5, 12][k as usize]),
            11 => format!("({a} >> {k})"),
            12 => format!("(int){}", self.unsigned(depth - 1)),
            13 => format!("({} ? {a} : {})", self.condition(depth - 1), self.int(depth - 1)),
            14 => format!("({a} < {b} ? {a} : {b})", b = self.int(depth - 1)),
            15 => format!("(({a} + {}) / 2)", self.int(depth - 1)),
            16 => self
                .random
                .pick(&["s->pos", "s->size", "t->pos", "(int)s->count", "s->kind"])
                .into(),
            17 => self.random.pick(&["gi", "gn", "(int)gu", "gtop", "*r"]).into(),
            18 => self
                .random
                .pick(&["(int)numelts(p)", "(int)numelts(q)", "(int)numelts(s->buf)"])
                .into(),
            19 => self.random.pick(NARROW).into(),
            20 => format!("(int){}", self.long(depth - 1)),
            21 => format!("gh[{a} & 31]"),
            22 => format!("(({a} * {}) + {})", self.int(depth - 1), self.int(depth - 1)),
            _ => format!("({a} ^ {k})"),
        }
    }

    fn unsigned(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.one_in(3) {
            return self.random.pick(UNSIGNED).to_string();
        }
        let a = self.unsigned(depth - 1);
        let k = self.random.below(5) + 1;
        match self.random.below(11) {
            0 | 1 => format!("({a} + {k})"),
            2 => format!("({a} - {k})"),
            3 => format!("({a} + {})", self.unsigned(depth - 1)),
            4 => format!("({a} - {})", self.unsigned(depth - 1)),
            5 => format!("({a} >> {})", k * 6),
            6 => format!("({a} % {})", k + 6),
            7 => format!("(unsigned){}", self.int(depth - 1)),
            8 => self.random.pick(&["s->count", "gu", "numelts(p)", "numelts(q)"]).into(),
            9 => format!("({a} & {})", [7, 15, 31, 63, 9, 1][k as usize]),
            _ => format!("({a} * {k})"),
        }
    }

    fn long(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.one_in(3) {
            return self.random.pick(LONGS).to_string();
        }
        let a = self.long(depth - 1);
        let k = self.random.below(5) + 1;
        match self.random.below(7) {
            0 => format!("({a} + {k})"),
            1 => format!("({a} - {k})"),
            2 => format!("((long){} * {})", self.int(depth - 1), self.int(depth - 1)),
            3 => format!("(long){}", self.int(depth - 1)),
            4 => format!("((long){} - {a})", self.unsigned(depth - 1)),
            5 => format!("({a} / {k})"),
            _ => format!("({a} & 15)"),
        }
    }

    fn any(&mut self, depth: u32) -> String {
        match self.random.below(6) {
            0 | 1 => self.unsigned(depth),
            2 => self.long(depth),
            _ => self.int(depth),
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        let op = self.random.pick(COMPARISONS);
        let simple = match self.random.below(9) {
            0 => format!("{} {op} {}", self.unsigned(depth), self.unsigned(depth)),
            1 => format!("{} {op} {}", self.long(depth), self.int(depth)),
            2 => format!("{} {op} {}", self.unsigned(depth), self.int(depth)),
            3 => format!("{} < (int)numelts(q)", self.int(depth)),
            4 => format!("{} {op} {}", self.random.pick(INTS), self.small()),
            5 => format!("{} {op} s->size", self.int(depth)),
            _ => format!("{} {op} {}", self.int(depth), self.int(depth)),
        };
        if depth == 0 {
            return simple;
        }
        match self.random.below(8) {
            0 => format!("({simple}) || {}", self.condition(depth - 1)),
            1 => format!("!({simple})"),
            2 | 3 => format!("{simple} && {}", self.condition(depth - 1)),
            _ => simple,
        }
    }

    /// An array, its size, and an index that often is a variable.
    fn table(&mut self) -> (&'static str, i64) {
        TABLES[self.random.below(TABLES.len() as u64) as usize]
    }

    fn variable(&mut self) -> &'static str {
        match self.random.below(6) {
            0 | 1 => self.random.pick(&["v", "w"]),
            2 => self.random.pick(&["x", "z"]),
            _ => self.random.pick(ASSIGNED),
        }
    }

    /// One off now and then.
    fn about(&mut self, n: i64) -> i64 {
        match self.random.below(12) {
            0 => n + 1,
            1 | 2 => n - 1,
            _ => n,
        }
    }

    fn use_element(&mut self, table: &str, index: &str) {
        let text = match self.random.below(5) {
            0 if table != "gt" => format!("{table}[{index}] = {};", self.random.pick(INTS)),
            1 if table != "gt" => format!("{table}[{index}]++;"),
            2 => format!("{} = {table}[{index}];", self.random.pick(ASSIGNED)),
            _ => format!("sink += {table}[{index}];"),
        };
        self.line(&text);
    }

    fn access(&mut self) {
        let (table, size) = self.table();
        let about = self.about(size);
        let e = self.any(1);
        let v = self.variable();
        let k = self.random.below(3);
        match self.random.below(14) {
            0 => self.use_element(table, &format!("{} & {}", parenthesised(&e), about - 1)),
            1 => self.use_element(table, &format!("(unsigned)({e}) % {about}")),
            2 => self.guarded(&format!("{v} >= 0 && {v} < {about}"), table, v),
            3 => self.guarded(&format!("(unsigned){v} < {about}"), table, v),
            4 => {
                let k = k as i64;
                self.guarded(
                    &format!("{v} >= 0 && {v} + {k} < {about}"),
                    table,
                    &format!("{v} + {k}"),
                );
            }
            5 => self.guarded(&format!("{v} > 0 && {v} <= {about}"), table, &format!("{v} - 1")),
            6 => {
                let w = self.variable();
                let test = format!("0 <= {v} && {v} <= {w} && {w} < {about}");
                self.guarded(&test, table, v);
            }
            7 => self.guarded(&format!("{v} >= 0 && {v} < (int)numelts(q)"), "q", v),
            8 => self.guarded("s->pos >= 0 && s->pos < s->size", "s->buf", "s->pos"),
            9 => {
                let (op, most) = (self.random.pick(&["<", "<="]), self.about(15));
                self.open(&format!("if (gtop {op} {most}) {{"));
                self.line(&format!("ga[gtop++] = {v};"));
                self.close();
            }
            10 => {
                self.open("if (gtop > 0) {");
                self.line("sink += ga[--gtop];");
                self.close();
            }
            11 => {
                self.guarded(&format!("{v} / 4 < {about} && {v} >= 0"), table, &format!("{v} / 4"))
            }
            12 => self.use_element("q", v),
            _ => self.use_element(table, v),
        }
    }

    fn guarded(&mut self, test: &str, table: &str, index: &str) {
        self.open(&format!("if ({test}) {{"));
        if self.random.one_in(6) {
            self.change();
        }
        self.use_element(table, index);
        self.close();
    }

    /// An assignment of something that indices or bounds are made of.
    fn change(&mut self) {
        let text = match self.random.below(20) {
            0..=3 => format!("{} = {};", self.random.pick(ASSIGNED), self.int(2)),
            4 => format!("{}++;", self.variable()),
            5 => format!("{}--;", self.variable()),
            6 => format!("{} += {};", self.variable(), self.any(1)),
            7 => format!("{} = {};", self.random.pick(&["v", "w"]), self.unsigned(2)),
            8 => format!("{} = {};", self.random.pick(&["x", "z"]), self.long(2)),
            9 => format!("{} = {};", self.random.pick(NARROW), self.int(1)),
            10 => format!("{}++;", self.random.pick(NARROW)),
            11 => self
                .random
                .pick(&["q++;", "q = p;", "q = q + 1;", "q = p + i;", "q = s->buf;"])
                .into(),
            12 => format!("s->pos = {};", self.int(1)),
            13 => self.random.pick(&["s->pos++;", "s->pos--;", "t->pos = 0;", "s->size--;"]).into(),
            14 => {
                self.random.pick(&["t = &two;", "t = s;", "s = &one;", "*r = i;", "r = &n;"]).into()
            }
            15 => {
                self.random.pick(&["s->buf = q;", "s->count = numelts(q);", "t->buf = p;"]).into()
            }
            16 => format!("gi = {};", self.int(1)),
            17 => format!("gn = {} & 15;", parenthesised(&self.int(1))),
            18 => self.random.pick(&["gu++;", "gi++;", "gtop = 0;", "gu = gu >> 1;"]).into(),
            _ => format!("s->count = {};", self.unsigned(1)),
        };
        self.line(&text);
    }

    fn statement(&mut self, depth: u32) {
        if depth == 0 || self.random.one_in(3) {
            return if self.random.one_in(3) { self.change() } else { self.access() };
        }
        match self.random.below(13) {
            0..=4 => self.counting(depth),
            5 | 6 => self.branch(depth),
            7 => self.other_loop(depth),
            8 => self.call(),
            9 => self.choice(depth),
            10 => self.attempt(depth),
            11 => self.jump(depth),
            _ => self.access(),
        }
    }

    fn body(&mut self, depth: u32) {
        for _ in 0..1 + self.random.below(3) {
            self.statement(depth - 1);
        }
    }

    fn branch(&mut self, depth: u32) {
        let condition = self.condition(1);
        self.open(&format!("if ({condition}) {{"));
        self.body(depth);
        match self.random.below(6) {
            0 if self.tries == 0 => self.line("return i;"),
            1 if self.loops > 0 && self.tries == 0 => {
                let leave = self.random.pick(&["break;", "continue;"]).to_string();
                self.line(&leave);
            }
            2 | 3 => {
                self.indent -= 1;
                self.open("} else {");
                self.body(depth);
            }
            _ => {}
        }
        self.close();
    }

    fn counting(&mut self, depth: u32) {
        let v = self.variable();
        let (table, size) = self.table();
        let bound = match self.random.below(8) {
            0 => "(int)numelts(q)".to_string(),
            1 => self.random.pick(&["n", "a", "b", "s->size", "gn"]).to_string(),
            2 => self.int(1),
            _ => self.about(size).to_string(),
        };
        let start = self.random.below(2);
        let head = match self.random.below(9) {
            0..=3 => format!("for ({v} = {start}; {v} < {bound}; {v}++)"),
            4 => format!("for ({v} = {bound} - 1; {v} >= 0; {v}--)"),
            5 => format!("for ({v} = {bound}; {v}-- > 0;)"),
            6 => format!("for ({v} = {start}; {v} < {bound}; {v} += {})", self.random.below(3) + 1),
            7 => format!("for ({v} = {start}; {v} != {bound}; {v}++)"),
            _ => format!("for ({v} = {}; {v} <= {bound}; {v}++)", self.int(1)),
        };
        self.open(&format!("{head} {{"));
        self.line("if (--fuel < 0) return 0;");
        let outside = (std::mem::take(&mut self.tries), self.loops);
        self.loops += 1;
        if self.random.one_in(4) {
            self.body(depth);
        }
        let index = match self.random.below(6) {
            0 => format!("{v} + 1"),
            1 => format!("{v} - 1"),
            2 => format!("{v} * 2"),
            _ => v.to_string(),
        };
        let table = if self.random.one_in(5) { "q" } else { table };
        self.use_element(table, &index);
        if self.random.one_in(3) {
            self.body(depth);
        }
        (self.tries, self.loops) = outside;
        self.close();
    }

    fn other_loop(&mut self, depth: u32) {
        let (table, size) = self.table();
        let about = self.about(size);
        let outside = (std::mem::take(&mut self.tries), self.loops);
        self.loops += 1;
        match self.random.below(5) {
            0 => {
                self.line(&format!("i = 0; j = {};", about - 1));
                self.open("while (i < j) {");
                self.line("if (--fuel < 0) return 0;");
                self.use_element(table, "i");
                self.use_element(table, "j");
                self.line("i++; j--;");
            }
            1 => {
                self.line(&format!("i = 0; j = {about};"));
                self.open("while (i < j) {");
                self.line("if (--fuel < 0) return 0;");
                let middle = self.random.pick(&["(i + j) / 2", "i + (j - i) / 2", "(i + j) >> 1"]);
                self.line(&format!("k = {middle};"));
                self.use_element(table, "k");
                let right = self.random.pick(&["k", "k", "k", "k - 1"]);
                self.line(&format!("if (gh[k & 31] < a) i = k + 1; else j = {right};"));
            }
            2 => {
                self.line("z = 0;");
                self.open(&format!(
                    "for (k = 0; k < {}; k++) for (m = 0; m < 4; m++) {{",
                    about / 4
                ));
                self.line("if (--fuel < 0) return 0;");
                let index = self.random.pick(&["k * 4 + m", "m * 4 + k", "z"]);
                self.use_element(table, index);
                self.line("z++;");
            }
            3 => {
                let condition = self.condition(1);
                self.open(&format!("while ({condition}) {{"));
                self.line("if (--fuel < 0) return 0;");
                self.body(depth);
            }
            _ => {
                self.line("n = 0;");
                self.open(&format!("for (i = 0; i < {about}; i++) {{"));
                self.line("if (--fuel < 0) return 0;");
                let test = self.condition(0);
                self.open(&format!("if ({test}) {{"));
                self.use_element(table, "n");
                self.line("n++;");
                self.close();
            }
        }
        (self.tries, self.loops) = outside;
        self.close();
    }

    fn call(&mut self) {
        let Some(last) = self.number.checked_sub(1) else { return self.access() };
        let callee = last - self.random.below(last as u64 + 1).min(6) as usize;
        let a = match self.random.below(4) {
            0 => self.small().to_string(),
            1 => format!("{} & 7", parenthesised(&self.int(1))),
            _ => self.int(1),
        };
        let p = self.random.pick(&["q", "p", "p", "all", "s->buf"]);
        let s = self.random.pick(&["s", "t", "&one"]);
        let rest = format!("{}, {}, {}, {p}, {s}", self.int(1), self.unsigned(1), self.long(1));
        let variable = self.random.pick(ASSIGNED);
        let group = self.group.clone();
        self.line(&format!("{variable} = {group}{callee}({a}, {rest});"));
    }

    fn choice(&mut self, depth: u32) {
        let e = self.int(1);
        self.open(&format!("switch ({e} & 7) {{"));
        for label in ["case 0:", "case 1: case 2:", "case 3:", "default:"] {
            self.line(label);
            self.indent += 1;
            // `break` would leave the switch, not the loop.
            let outside = std::mem::replace(&mut self.loops, 0);
            self.body(depth);
            self.loops = outside;
            self.line("break;");
            self.indent -= 1;
        }
        self.close();
    }

    fn attempt(&mut self, depth: u32) {
        self.open("try {");
        self.tries += 1;
        self.body(depth);
        self.tries -= 1;
        self.indent -= 1;
        self.line("} catch { case _: sink++; }");
    }

    fn jump(&mut self, depth: u32) {
        if self.tries > 0 {
            return self.access();
        }
        self.labels += 1;
        let label = format!("again{}", self.labels);
        self.line(&format!("{label}: sink++;"));
        self.line("if (--fuel < 0) return 0;");
        self.body(depth);
        let condition = self.condition(1);
        self.line(&format!("if ({condition}) goto {label};"));
    }
}

fn parenthesised(text: &str) -> String {
    if text.contains(' ') {
        format!("({text})")
    } else {
        text.to_string()
    }
}
