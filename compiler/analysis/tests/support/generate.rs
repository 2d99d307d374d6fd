//! Random functions in core's text form. They look like programs: bounds are tested, mostly rightly, before elements are used.

use super::random::Random;
use std::fmt::Write;

const HEADER: &str = "\
struct S { a: int, n: uint, p: *int, f: ?int, next: *struct S }
struct T { k: int, lo: int, hi: int, m: uint, f: ?int }
global gr: struct T internal;
global ga: [8]int internal;
global gc: int internal;
global gd: int internal;
global gt: [4]int internal const = array { 0: 3, 1: 5, 2: 1, 3: 7 };
global gi: int external;
global gs: struct S external;
fn ext() -> int import;

";

const PARAMS: &str = "(i0: int, i1: int, u0: uint, c0: uchar, l0: long, p0: *int, f0: ?int, s0: *struct S, z0: *char, t0: *struct T) -> int";

const LOCALS: &str = "\
  var i2: int;
  var i3: int;
  var i4: int addr;
  var u1: uint;
  var u2: uint;
  var l1: long;
  var f1: ?int;
  var f2: ?int;
  var p1: *int;
  var m: *int;
  var s1: *struct S;
  var z1: *char;
  var r: struct S;
  var t1: *struct T;
  var tv: struct T;
  var tp: struct T addr;
  var arr: [6]int;
  var pub: [5]int addr;
  temp %t1: int;
  i2 = 0;
  i3 = i0;
  i4 = 3;
  u1 = 0:uint;
  u2 = u0;
  l1 = l0;
  f1 = f0;
  f2 = NULL:?int;
  p1 = p0;
  m = NULL:*int;
  s1 = s0;
  z1 = z0;
  zero r;
  t1 = t0;
  zero tv;
  zero tp;
  zero arr;
  zero pub;
";

/// Calls the function with what it makes itself: nothing of it comes from another object.
const MAIN: &str = "
fn main(i0: int, i1: int, u0: uint, c0: uchar, z0: *char) -> int external {
  var x: int addr;
  var few: [5]int addr;
  var s: struct S addr;
  var t: struct T addr;
  var made: *struct T;
  temp %t1: int;
  zero x;
  zero few;
  zero s;
  zero t;
  s.a = i0;
  s.p = &x;
  s.next = &s;
  made = &t;
  if i1 > 3 {
    made = alloc heap struct T zeroed;
    init (*made) = agg struct T { 0: 2, 1: 1, 2: 5, 3: 0:uint, 4: fat(view(&few, *int), 0:uint, 5:uint) };
  }
  %t1 = call f(i0, i1, u0, c0, 0:long, &x, fat(view(&few, *int), 0:uint, 5:uint), &s, z0, made);
  return %t1;
}
main main;
";

const INTS: &[&str] = &["i0", "i1", "i2", "i3", "i2", "i3", "i4"];
const UINTS: &[&str] = &["u0", "u1", "u2"];
const FATS: &[&str] = &["f0", "f1", "f2", "f1"];
const POINTERS: &[&str] = &["p0", "p1"];
const RECORDS: &[&str] = &["s0", "s1"];
const COUNTERS: &[&str] = &["t0", "t1"];

pub struct Generator {
    random: Random,
    out: String,
    /// The function; empty if it has no helpers.
    name: &'static str,
    depth: usize,
    frames: u32,
    labels: u32,
    /// Loops around, which `break` and `continue` may name.
    loops: Vec<(String, bool)>,
    /// In a `try` body nothing may be left.
    tries: u32,
    declared: u32,
}

/// Two helpers that only this unit can call, and the function that calls them; of a whole program, its `main` too.
pub fn program(seed: u64, whole: bool) -> String {
    let mut random = Random::new(seed);
    let mut text = HEADER.to_string();
    let helpers = random.below(3);
    for (name, linkage) in [("g1", "internal"), ("g2", "internal"), ("f", "external")] {
        if name != "f" && helpers == 0 {
            continue;
        }
        text.push_str(&format!("\nfn {name}{PARAMS} {linkage} {{\n{LOCALS}"));
        text.push_str(&body(random.number(), if helpers > 0 { name } else { "" }));
    }
    if whole {
        text.push_str(MAIN);
    }
    text
}

fn body(seed: u64, name: &'static str) -> String {
    let mut generator = Generator {
        random: Random::new(seed),
        out: String::new(),
        name,
        depth: 1,
        frames: 0,
        labels: 0,
        loops: Vec::new(),
        tries: 0,
        declared: 0,
    };
    let statements = if name == "f" || name.is_empty() { 6 } else { 2 };
    let statements = statements + generator.random.below(10);
    for _ in 0..statements {
        generator.statement(4);
    }
    let result = generator.int(1);
    generator.line(&format!("return {result};"));
    generator.out.push_str("}\n");
    generator.out
}

impl Generator {
    fn line(&mut self, text: &str) {
        for _ in 0..self.depth {
            self.out.push_str("  ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn small(&mut self) -> i64 {
        match self.random.below(12) {
            0 => -1,
            1 => 8,
            2 => 7,
            3 => 9,
            _ => self.random.below(8) as i64,
        }
    }

    fn int(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.one_in(3) {
            return match self.random.below(4) {
                0 => self.small().to_string(),
                _ => self.random.pick(INTS).to_string(),
            };
        }
        let a = self.int(depth - 1);
        let k = self.random.below(4) + 1;
        match self.random.below(16) {
            0..=2 => format!("({a} + {k})"),
            3 | 4 => format!("({a} - {k})"),
            5 => format!("({a} + {})", self.int(depth - 1)),
            6 => format!("({a} - {})", self.int(depth - 1)),
            7 => format!("({a} * {k})"),
            8 => format!("({a} / {k})"),
            9 => format!("({a} % {})", k + 4),
            10 => format!("({a} & {})", k + 3),
            11 => format!("({a} >> {k})"),
            12 => format!("cast({}, int)", self.uint(depth - 1)),
            13 => format!("select({}, {a}, {})", self.cond(depth - 1), self.int(depth - 1)),
            14 => ["cast(c0, int)", "::gc", "::gi", "r.a", "::gd", "cast(l1, int)"]
                [self.random.below(6) as usize]
                .to_string(),
            _ => format!("(({a} + {}) / 2)", self.int(depth - 1)),
        }
    }

    fn uint(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.one_in(3) {
            return match self.random.below(4) {
                0 => format!("{}:uint", self.random.below(9)),
                _ => self.random.pick(UINTS).to_string(),
            };
        }
        let a = self.uint(depth - 1);
        let k = self.random.below(4) + 1;
        match self.random.below(12) {
            0..=2 => format!("({a} + {k}:uint)"),
            3 | 4 => format!("({a} - {k}:uint)"),
            5 => format!("({a} + {})", self.uint(depth - 1)),
            6 => format!("({a} - {})", self.uint(depth - 1)),
            7 => format!("({a} % {}:uint)", k + 4),
            8 => format!("count({})", self.random.pick(FATS)),
            9 => format!("len({})", self.random.pick(FATS)),
            10 => format!("cast({}, uint)", self.int(depth - 1)),
            _ => ["cast(c0, uint)", "r.n", "idx(f1)"][self.random.below(3) as usize].to_string(),
        }
    }

    fn cond(&mut self, depth: u32) -> String {
        let op = self.random.pick(&["<", "<=", ">", ">=", "==", "!=", "<", "<"]);
        match self.random.below(if depth == 0 { 5 } else { 11 }) {
            10 | 4 if depth == 0 || self.random.one_in(2) => match self.random.below(2) {
                0 => format!("(l1 {op} {}:long)", self.small()),
                _ => format!("(l1 {op} cast({}, long))", self.uint(1)),
            },
            0 | 1 => format!("({} {op} {})", self.int(1), self.int(1)),
            2 => format!("({} {op} {})", self.uint(1), self.uint(1)),
            3 => match self.random.below(4) {
                0 => format!("({} != NULL:*int)", self.random.pick(POINTERS)),
                1 => format!("({} != NULL:*struct S)", self.random.pick(RECORDS)),
                2 => format!("({} != NULL:?int)", self.random.pick(FATS)),
                _ => format!("({} == NULL:*int)", self.random.pick(POINTERS)),
            },
            4 | 5 | 10 => format!("({} && {})", self.cond(depth - 1), self.cond(depth - 1)),
            6 => format!("({} || {})", self.cond(depth - 1), self.cond(depth - 1)),
            7 => format!("!{}", self.cond(depth - 1)),
            8 => format!("({} {op} {})", self.random.pick(INTS), self.small()),
            _ => format!("(cast({}, uint) {op} {})", self.random.pick(INTS), self.uint(1)),
        }
    }

    fn block(&mut self, statements: u64, depth: u32) {
        self.depth += 1;
        let number = 1 + self.random.below(statements);
        for _ in 0..number {
            self.statement(depth);
        }
        self.depth -= 1;
    }

    fn label(&mut self) -> String {
        self.labels += 1;
        format!("%L{}", self.labels)
    }

    fn statement(&mut self, depth: u32) {
        match self.random.below(if depth == 0 { 16 } else { 27 }) {
            0 | 1 => self.assign(),
            2..=4 => self.element(),
            5..=7 => self.fat_element(),
            8 if self.random.one_in(3) => self.call(),
            8 => self.fat_assign(),
            9 | 10 => self.pointer(),
            11 => self.field(),
            12 => self.counter(),
            13 if self.random.one_in(2) => self.own_global(),
            13 => self.division(),
            14 => self.sequence(),
            15 => self.rare(),
            16..=18 => self.if_statement(depth - 1),
            19..=21 => self.counted_loop(depth - 1),
            22 => self.other_loop(depth - 1),
            23 => self.short_circuit(depth - 1),
            24 => self.switch(depth - 1),
            25 => self.try_statement(depth - 1),
            _ => self.fat_loop(depth - 1),
        }
    }

    fn assign(&mut self) {
        let text = match self.random.below(8) {
            0..=3 => {
                let to = self.random.pick(&["i2", "i3", "i1", "i4", "r.a"]);
                format!("{to} = {};", self.int(2))
            }
            4 | 5 => {
                let to = self.random.pick(&["u1", "u2", "r.n"]);
                format!("{to} = {};", self.uint(2))
            }
            6 => match self.random.below(3) {
                0 => format!("l1 = cast({}, long);", self.int(1)),
                1 => "l1 = l1 + cast(u1, long);".to_string(),
                _ => format!("l1 = l1 & {}:long;", self.random.below(9)),
            },
            _ => format!("::gi = {};", self.int(1)),
        };
        self.line(&text);
    }

    fn any_index(&mut self) -> String {
        match self.random.below(7) {
            0 => self.uint(1),
            1 => "c0".to_string(),
            2 => self
                .random
                .pick(&["l1", "(l1 + 1:long)", "cast(i2, long)", "(l1 - 1:long)"])
                .to_string(),
            _ => self.int(1),
        }
    }

    /// Bounds that only wrapping would break.
    fn wide(&mut self) {
        let i = self.random.pick(INTS);
        let k = self.random.below(3) + 1;
        let text = match self.random.below(6) {
            0 => format!("if {i} >= 0 {{\n  check index({i} + {k}, 4294967296:ulong);\n}}"),
            1 => format!("if {i} > {} {{\n  check assert({i} - {k} < {i});\n}}", self.small()),
            2 => format!("if {i} >= {} {{\n  check assert({i} + {k} > 0);\n}}", self.small()),
            3 => {
                let u = self.random.pick(UINTS);
                format!("if {u} < 9:uint {{\n  check index({u} - {k}:uint, 9:ulong);\n}}")
            }
            4 => {
                let j = self.random.pick(INTS);
                format!("if {i} >= 0 && {j} > {i} {{\n  check assert(({i} + {j}) / 2 <= {j});\n}}")
            }
            _ => format!("check assert({i} < {i} + {k});"),
        };
        text.lines().for_each(|line| self.line(line));
    }

    fn element(&mut self) {
        if self.random.one_in(6) {
            self.wide();
            return;
        }
        let index = self.any_index();
        let (array, size) = [("arr", 6), ("pub", 5), ("::ga", 8)][self.random.below(3) as usize];
        self.line(&format!("check index({index}, {size}:ulong);"));
        let text = match self.random.below(3) {
            0 => format!("{array}[{index}] = {};", self.int(1)),
            1 => format!("i2 = {array}[{index}];"),
            _ => format!("i3 = i3 + {array}[{index}];"),
        };
        self.line(&text);
    }

    fn fat_element(&mut self) {
        let (fat, index) = (self.random.pick(FATS), self.any_index());
        self.line(&format!("check fat_index({fat}, {index});"));
        let text = match self.random.below(3) {
            0 => format!("{fat}[{index}] = {};", self.int(1)),
            _ => format!("i2 = {fat}[{index}];"),
        };
        self.line(&text);
    }

    fn fat_assign(&mut self) {
        let (to, from) = (self.random.pick(FATS), self.random.pick(FATS));
        match self.random.below(7) {
            0 => self.line(&format!("{to} = {from};")),
            1 => {
                let by = self.any_index();
                self.line(&format!("{to} = fat_add({from}, {by});"));
            }
            2 => self.line(&format!("{to} = fat_add({to}, 1);")),
            3 => self.line(&format!("{to} = fat(view(&pub, *int), 0:uint, 5:uint);")),
            4 => {
                let count = self.random.below(6);
                let nullable = if self.random.one_in(2) { " nullable" } else { "" };
                self.line(&format!("check fat_count({from}, {count}:uint){nullable};"));
            }
            _ => {
                let n = self.uint(1);
                self.line(&format!("u2 = {n};"));
                self.line("check fits32(u2, 4:ulong);");
                self.line("m = alloc heap int elements cast(u2, ulong) zeroed;");
                self.line(&format!("{to} = fat(m, 0:uint, u2);"));
            }
        }
    }

    fn pointer(&mut self) {
        let p = self.random.pick(POINTERS);
        match self.random.below(6) {
            0 => self.line("p1 = &i4;"),
            1 => {
                let index = self.int(1);
                self.line(&format!("check index({index}, 5:ulong);"));
                self.line(&format!("p1 = &pub[{index}];"));
            }
            2 => self.line("p1 = NULL:*int;"),
            3 => self.line("p1 = &::gi;"),
            _ => {
                self.line(&format!("check nonnull({p});"));
                let text = match self.random.below(2) {
                    0 => format!("(*{p}) = {};", self.int(1)),
                    _ => format!("i3 = (*{p});"),
                };
                self.line(&text);
            }
        }
    }

    fn field(&mut self) {
        let s = self.random.pick(RECORDS);
        if self.random.one_in(6) {
            let from = self.random.pick(&["s0", "NULL:*struct S", "&::gs"]);
            self.line(&format!("s1 = {from};"));
            return;
        }
        self.line(&format!("check nonnull({s});"));
        match self.random.below(9) {
            0 => {
                let value = self.int(1);
                self.line(&format!("{s}->a = {value};"));
            }
            1 => {
                let value = self.uint(1);
                self.line(&format!("{s}->n = {value};"));
            }
            2 => self.line(&format!("check index({s}->a, 8:ulong);")),
            3 => {
                self.line(&format!("check fat_index({s}->f, {s}->n);"));
                self.line(&format!("i2 = {s}->f[{s}->n];"));
            }
            4 => self.line(&format!("s1 = {s}->next;")),
            5 => {
                self.line(&format!("check nonnull({s}->p);"));
                self.line(&format!("(*{s}->p) = i2;"));
            }
            6 => self.line(&format!("r = (*{s});")),
            7 => self.line(&format!("{s}->f = f1;")),
            _ => {
                self.line(&format!("if {s}->a >= 0 && {s}->a < 8 {{"));
                self.block(2, 0);
                self.line(&format!("  check nonnull({s});"));
                self.line(&format!("  check index({s}->a, 8:ulong);"));
                self.line(&format!("  ::ga[{s}->a] = i2;"));
                self.line("}");
            }
        }
    }

    /// A record whose fields keep within bounds and in order, mostly.
    fn counter(&mut self) {
        let t = self.random.pick(COUNTERS);
        if self.random.one_in(6) {
            let from = self.random.pick(&["t0", "&tp", "&::gr", "&tp"]);
            self.line(&format!("t1 = {from};"));
            return;
        }
        self.line(&format!("check nonnull({t});"));
        let k = self.random.below(4);
        let text = match self.random.below(18) {
            0 => format!("if {t}->k < 8 {{\n  {t}->k = {t}->k + 1;\n}}"),
            1 => format!("check index({t}->k, 9:ulong);\ni2 = {t}->k;"),
            2 => format!("if {t}->lo < {t}->hi {{\n  {t}->lo = {t}->lo + 1;\n}}"),
            3 => format!("check assert({t}->lo <= {t}->hi);"),
            4 => format!("check fat_index({t}->f, {t}->m);\ni2 = {t}->f[{t}->m];"),
            5 => format!("if {t}->m < count({t}->f) {{\n  {t}->m = {t}->m + 1:uint;\n}}"),
            6 => format!("if {t}->m <= count(f1) {{\n  {t}->f = f1;\n}}"),
            7 => format!("(*{t}) = agg struct T {{ 0: {k}, 2: {k}, 4: f1 }};"),
            8 => format!("tv = (*{t});"),
            9 => format!("tv.lo = {k};\ntv.hi = tv.lo + {k};"),
            10 => format!("(*{t}) = tv;"),
            11 => format!("if {t}->hi < 1000 {{\n  {t}->hi = {t}->hi + {k};\n}}"),
            12 => format!("{t}->k = {k};"),
            13 => format!("if {t}->k > 0 {{\n  {t}->k = {t}->k - 1;\n  check index({t}->k, 8:ulong);\n}}"),
            14 => format!("if {t}->m > 0:uint {{\n  {t}->m = {t}->m - 1:uint;\n}}\ncheck fat_index({t}->f, {t}->m);"),
            15 => format!("check index({t}->hi - {t}->lo, 4294967296:ulong);"),
            16 if self.random.one_in(3) => format!("{t}->hi = {};", self.int(1)),
            16 => format!("tp.k = {k};\ntp.m = 0:uint;"),
            _ if self.random.one_in(4) => format!("{t}->f = f1;"),
            _ => format!("check index({t}->k + {k}, 12:ulong);"),
        };
        text.lines().for_each(|line| self.line(line));
    }

    fn division(&mut self) {
        let (a, b) = (self.int(1), self.int(1));
        self.line(&format!("check nonzero({b});"));
        self.line(&format!("check no_div_overflow({a}, {b});"));
        let op = self.random.pick(&["/", "%"]);
        self.line(&format!("i3 = {a} {op} {b};"));
    }

    fn sequence(&mut self) {
        let z = self.random.pick(&["z0", "z1"]);
        match self.random.below(6) {
            0 => {
                let label = self.label();
                self.line(&format!("while {label} (*{z}) != 0:char {{"));
                self.line(&format!("  check zeroterm_index({z}, 1);"));
                self.line(&format!("  {z} = ptr_add({z}, 1);"));
                self.line("}");
            }
            1 => {
                let label = self.label();
                self.line("i2 = 0;");
                self.line(&format!("while {label} head {{"));
                self.line(&format!("  check zeroterm_index({z}, i2);"));
                self.line(&format!("}} {z}[i2] != 0:char {{"));
                if self.random.one_in(2) {
                    self.line(&format!("  check zeroterm_store({z}, i2, 1:char);"));
                    self.line(&format!("  {z}[i2] = 1:char;"));
                }
                self.line("} step {");
                self.line("  i2 = i2 + 1;");
                self.line("}");
            }
            2 => {
                let value = self.random.below(2);
                self.line(&format!("check zeroterm_store({z}, 0, {value}:char);"));
                self.line(&format!("{z}[0] = {value}:char;"));
            }
            3 => {
                self.line(&format!("if (*{z}) != 0:char {{"));
                self.line(&format!("  check zeroterm_index({z}, 1);"));
                self.line(&format!("  if {z}[1] != 0:char {{"));
                self.block(2, 0);
                self.line(&format!("    check zeroterm_index({z}, 2);"));
                self.line(&format!("    i2 = cast({z}[2], int);"));
                self.line("  }");
                self.line("}");
            }
            4 => self.line("z1 = z0;"),
            _ => {
                self.line(&format!("check zeroterm_index({z}, i3);"));
                self.line(&format!("i2 = cast({z}[i3], int);"));
            }
        }
    }

    fn call(&mut self) {
        let callee = match self.name {
            "f" => self.random.pick(&["g1", "g2", "g1"]),
            "g1" => self.random.pick(&["g2", "g2", "g2", "g1"]),
            "g2" => {
                if !self.random.one_in(4) {
                    return;
                }
                "g1"
            }
            _ => return,
        };
        let (a, b, u) = (self.int(1), self.int(1), self.uint(1));
        let p = self.random.pick(&["p0", "p1", "&i4", "&i4", "m"]);
        let f = self.random.pick(&["f0", "f1", "f2", "fat(view(&pub, *int), 0:uint, 5:uint)"]);
        let s = self.random.pick(&["s0", "s1", "&::gs", "&::gs"]);
        let t = self.random.pick(&["t0", "t1", "&tp", "&::gr"]);
        let (a, b) = match self.random.below(4) {
            0 => (self.small().to_string(), "cast(len(f1), int)".to_string()),
            1 => ("i2".to_string(), (self.random.below(6)).to_string()),
            _ => (a, b),
        };
        let u = if self.random.one_in(2) { format!("count({f})") } else { u };
        let depth = "if l0 < 1:long {";
        self.line(depth);
        self.line(&format!(
            "  i3 = call {callee}({a}, {b}, {u}, c0, l0 + 1:long, {p}, {f}, {s}, z1, {t});"
        ));
        self.line("}");
    }

    /// A counter or stack pointer of this unit alone.
    fn own_global(&mut self) {
        let g = self.random.pick(&["::gc", "::gd"]);
        match self.random.below(6) {
            0 => {
                self.line(&format!("check index({g}, 8:ulong);"));
                self.line(&format!("{g} = {g} + 1;"));
            }
            1 => {
                self.line(&format!("if {g} > 0 {{"));
                self.line(&format!("  {g} = {g} - 1;"));
                self.line(&format!("  check index({g}, 8:ulong);"));
                self.line(&format!("  ::ga[{g}] = i2;"));
                self.line("}");
            }
            2 => {
                let limit = self.random.below(9);
                self.line(&format!("if {g} < {limit} {{"));
                self.line(&format!("  {g} = {g} + 1;"));
                self.line("}");
            }
            3 => self.line(&format!("{g} = 0;")),
            4 => {
                let index = self.any_index();
                self.line(&format!("check index({index}, 4:ulong);"));
                self.line(&format!("check index(::gt[{index}], 8:ulong);"));
                self.line(&format!("i2 = ::gt[{index}];"));
            }
            _ if self.random.one_in(6) => {
                let value = self.int(1);
                self.line(&format!("{g} = {value};"));
            }
            _ => self.line(&format!("check index({g}, 8:ulong);")),
        }
    }

    fn rare(&mut self) {
        if self.random.one_in(2) {
            self.call();
            return;
        }
        match self.random.below(7) {
            0 => self.line("call nothrow ext();"),
            1 => self.line("i2 = call ext();"),
            2 => {
                let cond = self.cond(1);
                self.line(&format!("check assert({cond});"));
            }
            3 if self.tries == 0 => {
                let cond = self.cond(1);
                self.line(&format!("if {cond} {{"));
                self.line("  return 1;");
                self.line("}");
            }
            4 | 5 => {
                let Some((label, inside)) = self.loops.last().cloned() else { return };
                if !inside {
                    let cond = self.cond(1);
                    let word = self.random.pick(&["break", "continue"]);
                    self.line(&format!("if {cond} {{"));
                    self.line(&format!("  {word} {label};"));
                    self.line("}");
                }
            }
            _ => {
                let tag = self.random.below(3);
                self.line(&format!("check tag(u1) is {tag};"));
            }
        }
    }

    fn if_statement(&mut self, depth: u32) {
        let cond = match self.random.below(4) {
            0 => {
                let i = self.random.pick(INTS);
                format!("{i} >= 0 && {i} < {}", 4 + self.random.below(5))
            }
            1 => format!("{} < count({})", self.uint(1), self.random.pick(FATS)),
            _ => self.cond(2),
        };
        self.line(&format!("if {cond} {{"));
        self.block(3, depth);
        if self.random.one_in(2) {
            self.line("} else {");
            self.block(3, depth);
        }
        self.line("}");
    }

    fn counted_loop(&mut self, depth: u32) {
        let label = self.label();
        let (var, start, cond, step) = match self.random.below(7) {
            0 => ("i2", "0".into(), format!("i2 < {}", self.small()), "i2 + 1"),
            1 => ("i3", self.int(1), format!("i3 < {}", self.int(1)), "i3 + 1"),
            2 => ("u1", "0:uint".into(), format!("u1 < {}", self.uint(1)), "u1 + 1:uint"),
            3 => {
                let fat = self.random.pick(FATS);
                ("u1", "0:uint".into(), format!("u1 < count({fat})"), "u1 + 1:uint")
            }
            4 => ("i2", self.small().to_string(), "i2 >= 0".into(), "i2 - 1"),
            5 => ("i2", "0".into(), format!("i2 != {}", self.small()), "i2 + 1"),
            _ => ("i3", "1".into(), format!("i3 <= {}", self.small()), "i3 + 2"),
        };
        self.line(&format!("{var} = {start};"));
        self.line(&format!("while {label} {cond} {{"));
        self.loops.push((label, false));
        self.block(4, depth);
        self.loops.pop();
        self.line("} step {");
        self.line(&format!("  {var} = {step};"));
        self.line("}");
    }

    fn fat_loop(&mut self, depth: u32) {
        let label = self.label();
        let fat = self.random.pick(&["f1", "f2"]);
        let test = self.random.pick(&["> 0:uint", "!= 0:uint", ">= 1:uint", "> 1:uint"]);
        self.line(&format!("while {label} count({fat}) {test} {{"));
        self.line(&format!("  check fat_index({fat}, 0);"));
        self.line(&format!("  {fat}[0] = i2;"));
        self.loops.push((label, false));
        self.block(2, depth);
        self.loops.pop();
        self.line("} step {");
        self.line(&format!("  {fat} = fat_add({fat}, 1);"));
        self.line("}");
    }

    fn other_loop(&mut self, depth: u32) {
        let label = self.label();
        if self.random.one_in(2) {
            self.line(&format!("do {label} {{"));
            self.loops.push((label, false));
            self.block(4, depth);
            self.loops.pop();
            let cond = self.cond(1);
            self.line(&format!("}} while {cond};"));
            return;
        }
        // A search between two bounds.
        self.line("i2 = 0;");
        let top = self.random.pick(&["8", "7", "6", "9"]);
        self.line(&format!("i3 = {top};"));
        let test = self.random.pick(&["<", "<="]);
        self.line(&format!("while {label} i2 {test} i3 {{"));
        self.declared += 1;
        let mid = format!("mid{}", self.declared);
        self.line(&format!("  var {mid}: int;"));
        let middle = self.random.pick(&["(i2 + i3) / 2", "i2 + (i3 - i2) / 2", "(i2 + i3) >> 1"]);
        self.line(&format!("  {mid} = {middle};"));
        self.line(&format!("  check index({mid}, 8:ulong);"));
        self.line(&format!("  if ::ga[{mid}] < i0 {{"));
        let up = self.random.pick(&["+ 1", "+ 1", "+ 0"]);
        self.line(&format!("    i2 = {mid} {up};"));
        self.line("  } else {");
        let down = self.random.pick(&["- 1", "+ 0"]);
        self.line(&format!("    i3 = {mid} {down};"));
        self.line("  }");
        self.line("}");
    }

    fn short_circuit(&mut self, depth: u32) {
        let (first, second) = (self.cond(1), self.cond(1));
        let and = self.random.one_in(2);
        self.line(&format!("%t1 = {};", i32::from(!and)));
        let test = if and { first } else { format!("!{first}") };
        self.line(&format!("if {test} {{"));
        let index = self.int(1);
        self.line(&format!("  check index({index}, 8:ulong);"));
        self.line(&format!("  %t1 = ::ga[{index}] > 2 && {second};"));
        self.line("}");
        self.line("if %t1 != 0 {");
        self.block(3, depth);
        self.line("} else {");
        self.block(3, depth);
        self.line("}");
    }

    fn switch(&mut self, depth: u32) {
        let label = self.label();
        let value = self.int(1);
        self.line(&format!("switch {label} {value} {{"));
        let mut low = -1;
        for _ in 0..1 + self.random.below(3) {
            low += 1 + self.random.below(3) as i64;
            let high = low + self.random.below(3) as i64;
            self.line(&format!("case {low}..{high} {{"));
            low = high;
            self.block(2, depth);
            self.line("}");
        }
        self.line("default {");
        self.block(2, depth);
        self.line("}");
        self.line("}");
    }

    fn try_statement(&mut self, depth: u32) {
        self.frames += 1;
        let n = self.frames;
        self.line("scope {");
        self.line(&format!("  var frame{n}: frame;"));
        self.line(&format!("  var exn{n}: *int;"));
        self.line(&format!("  try frame{n} {{"));
        self.tries += 1;
        self.loops.push((String::new(), true));
        self.block(4, depth);
        self.loops.pop();
        self.tries -= 1;
        let mut exit = String::new();
        let _ = write!(exit, "    try_exit frame{n};");
        self.line(&exit);
        self.line(&format!("  }} catch exn{n} {{"));
        self.block(3, depth);
        self.line("  }");
        self.line("}");
    }
}
