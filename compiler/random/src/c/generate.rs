//! Random programs in what C and Tenure have in common: objects of random types with random initialisers, all of whose
//! parts are printed, and random expressions and assignments.

use super::expressions::{constant, floating, floating_constant, integer, DECLARED};
use super::types::{Record, Type, Types};
use crate::Random;

const RECORDS: usize = 8;
const FUNCTIONS: usize = 6;
const OBJECTS: usize = 4;

const HEADER: &str = "#include <stdio.h>
#ifdef __TENURE__
#define FALL fallthru;
#define POINTER(T) T ?
#else
#define FALL
#define POINTER(T) T *
#endif
enum E { A, B = 5, C };
static void whole(__int128 v) { printf(\"%llx %llx\\n\", (unsigned long long)(v >> 64), (unsigned long long)v); }
static int steps, turns[8];
static int turn(int n) { steps += n; turns[steps & 7] ^= n; return turns[n & 7] + steps; }
static void real(long double v) { printf(\"%La\\n\", v); }
";

struct Generator {
    random: Random,
    types: Types,
    out: String,
    objects: u32,
}

/// The text of the program.
pub fn program(seed: u64) -> String {
    let mut random = Random::new(seed);
    let types = Types::new(&mut random, RECORDS);
    let mut generator = Generator { random, types, out: HEADER.to_string(), objects: 0 };
    generator.whole();
    generator.out
}

impl Generator {
    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn whole(&mut self) {
        for i in 0..RECORDS {
            let record = self.types.records[i].clone();
            self.line(&(record.definition() + ";"));
            self.shows(&record);
        }
        let globals: Vec<(String, Type)> =
            (0..RECORDS).map(|_| self.object("static ", true)).collect();
        for i in 0..FUNCTIONS {
            self.function(i);
        }
        self.line("int main() {");
        for (name, of) in &globals {
            self.shown(name, of);
        }
        for i in 0..FUNCTIONS {
            self.line(&format!("for (int n = 0; n < 3; n++) f{i}(n);"));
        }
        self.line("return 0;\n}");
    }

    /// A function that prints a record that is passed to it, and one that returns it.
    fn shows(&mut self, record: &Record) {
        let (keyword, name) = (record.keyword(), &record.name);
        self.line(&format!("static void show{name}({keyword} {name} it) {{"));
        self.shown("it", &Type::Record(record.clone()));
        self.line(&format!(
            "}}\nstatic {keyword} {name} same{name}({keyword} {name} it) {{ return it; }}"
        ));
    }

    fn shown(&mut self, object: &str, of: &Type) {
        let mut lines = String::new();
        of.leaves(object, &mut |leaf, of| {
            let by = if matches!(of, Type::Float(_)) { "real" } else { "whole" };
            lines += &format!("{by}({leaf});\n");
        });
        self.out += &lines;
    }

    /// Declares an object.
    fn object(&mut self, storage: &str, fixed: bool) -> (String, Type) {
        self.objects += 1;
        let (name, of) = (format!("o{}", self.objects), self.types.any(&mut self.random, 2));
        let mut value = self.initialiser(&of, fixed);
        if matches!(&of, Type::Record(_)) && !of.has_union() && self.random.one_in(4) {
            let mut all = Vec::new();
            self.without_braces(&of, fixed, &mut all);
            let count = 1 + self.random.index(all.len());
            value = format!("{{{}}}", all[..count].join(", "));
        }
        self.line(&format!("{storage}{} = {value};", of.declared(&name)));
        (name, of)
    }

    fn initialiser(&mut self, of: &Type, fixed: bool) -> String {
        match of {
            Type::Integer(_) | Type::Bits(..) if fixed || self.random.one_in(2) => {
                constant(&mut self.random)
            }
            Type::Integer(_) | Type::Bits(..) => integer(&mut self.random, 2),
            Type::Float(_) if fixed || self.random.one_in(2) => floating_constant(&mut self.random),
            Type::Float(_) => floating(&mut self.random, 2),
            Type::Array(of, count) => self.elements(of, *count, fixed),
            Type::Record(record) if record.union => {
                let member = &record.members[record.active];
                let value = self.initialiser(&member.of, fixed);
                if record.active == 0 && (member.name.is_empty() || self.random.one_in(2)) {
                    return format!("{{{value}}}");
                }
                match self.designator(record, record.active) {
                    Some((path, of)) => format!("{{{path} = {}}}", self.initialiser(&of, fixed)),
                    None => "{}".to_string(),
                }
            }
            Type::Record(record) => self.members(record, fixed),
        }
    }

    /// Values for the scalars of an object one after the other, as C takes them without the braces of its parts.
    fn without_braces(&mut self, of: &Type, fixed: bool, list: &mut Vec<String>) {
        match of {
            Type::Array(of, count) => {
                (0..*count).for_each(|_| self.without_braces(of, fixed, list))
            }
            Type::Record(record) => {
                record
                    .members
                    .iter()
                    .for_each(|member| self.without_braces(&member.of, fixed, list));
            }
            _ => list.push(self.initialiser(of, fixed)),
        }
    }

    fn elements(&mut self, of: &Type, count: u64, fixed: bool) -> String {
        let mut list = Vec::new();
        if let Type::Integer("char" | "signed char" | "unsigned char") = of {
            if self.random.one_in(2) {
                let text =
                    &"a\\0\\377\\x80b"[..[1, 3, 7, 11][self.random.index(count.min(4) as usize)]];
                return format!("\"{text}\"");
            }
        }
        if self.random.one_in(2) {
            for _ in 0..1 + self.random.below(count) {
                list.push(self.initialiser(of, fixed));
            }
        } else {
            for _ in 0..1 + self.random.below(3) {
                let from = self.random.below(count);
                let value = self.initialiser(of, fixed);
                let to = from + self.random.below(count - from);
                list.push(match self.random.below(3) {
                    // Of a range's aggregates gcc wants constants.
                    0 if to > from
                        && (fixed || !matches!(of, Type::Array(..) | Type::Record(_))) =>
                    {
                        format!("[{from} ... {to}] = {value}")
                    }
                    _ => {
                        let (path, of) = self.within(of.clone());
                        let value =
                            if path.is_empty() { value } else { self.initialiser(&of, fixed) };
                        format!("[{from}]{path} = {value}")
                    }
                });
            }
        }
        format!("{{{}}}", list.join(", "))
    }

    fn members(&mut self, record: &Record, fixed: bool) -> String {
        let mut list = Vec::new();
        if self.random.one_in(2) {
            let count = 1 + self.random.index(record.members.len());
            for member in &record.members[..count] {
                list.push(self.initialiser(&member.of, fixed));
            }
        } else {
            for _ in 0..1 + self.random.below(4) {
                let i = self.random.index(record.members.len());
                if let Some((path, of)) = self.designator(record, i) {
                    list.push(format!("{path} = {}", self.initialiser(&of, fixed)));
                }
            }
        }
        format!("{{{}}}", list.join(", "))
    }

    /// A designator of a record's member, or of a part of it, and its type.
    fn designator(&mut self, record: &Record, i: usize) -> Option<(String, Type)> {
        let member = &record.members[i];
        if !member.name.is_empty() {
            let (path, of) = self.within(member.of.clone());
            return Some((format!(".{}{path}", member.name), of));
        }
        let Type::Record(inner) = &member.of else { return None };
        let i = if inner.union { inner.active } else { self.random.index(inner.members.len()) };
        self.designator(inner, i)
    }

    /// A way into an object, or the object.
    fn within(&mut self, of: Type) -> (String, Type) {
        match of {
            Type::Array(of, count) if self.random.one_in(3) => {
                let (path, inner) = self.within(*of);
                (format!("[{}]{path}", self.random.below(count)), inner)
            }
            Type::Record(record) if self.random.one_in(3) => {
                let i = if record.union {
                    record.active
                } else {
                    self.random.index(record.members.len())
                };
                self.designator(&record, i).unwrap_or((String::new(), Type::Record(record)))
            }
            of => (String::new(), of),
        }
    }

    fn function(&mut self, number: usize) {
        self.line(&format!("static void f{number}(int n) {{\n{DECLARED}"));
        self.line("vi += n; vu -= n; vd *= n;");
        let mut objects = Vec::new();
        for _ in 0..OBJECTS {
            let fixed = self.random.one_in(4);
            objects.push(self.object(if fixed { "static " } else { "" }, fixed));
        }
        for (name, of) in &objects {
            self.changed(name, of);
            self.shown(name, of);
            self.passed(name, of);
        }
        self.control();
        self.pointers();
        self.effects();
        for _ in 0..6 {
            let (whole, real) = (integer(&mut self.random, 4), floating(&mut self.random, 3));
            self.line(&format!("whole({whole});\nreal({real});"));
        }
        self.line("}");
    }

    /// A loop with a switch in it.
    fn control(&mut self) {
        let mut cases: Vec<String> = Vec::new();
        for i in 0..5 {
            let value = integer(&mut self.random, 2);
            let ends = self.random.pick(&[
                "break;",
                "continue;",
                "FALL",
                "if (i > 3) goto out; FALL",
                "{ i++; continue; }",
            ]);
            let label = match i {
                4 => "default:".to_string(),
                3 => "case 20 ... 25:".to_string(),
                _ => format!("case {}:", i * 2 + self.random.below(2)),
            };
            cases.insert(
                self.random.index(cases.len() + 1),
                format!("{label} whole({value}); {ends}"),
            );
        }
        cases.push("case 30: break;".to_string());
        let (on, cases) = (integer(&mut self.random, 2), cases.join("\n"));
        self.line(&format!(
            "for (int i = 0; i < 6; i++) {{\nswitch ((int)({on} + i) & 31) {{\n{cases}\n}}"
        ));
        self.line("whole(i);\n}\nout: ;");
    }

    /// Loops over the elements of an array, below its first and beyond its last one.
    fn pointers(&mut self) {
        let of = self.random.pick(&["int", "short", "unsigned char", "long", "double"]);
        let (count, from) = (3 + self.random.below(5), self.random.below(3));
        let (step, back) = (1 + self.random.below(2), 1 + self.random.below(2));
        self.line(&format!(
            "{{ {of} a[{count}] = {{1, 2}}; POINTER({of}) p; POINTER({of}) q = a + {from};"
        ));
        self.line(&format!(
            "for (p = a + {count} - 1; p >= a; p -= {back}) {{ *p += 3; whole(p - q); }}"
        ));
        self.line("whole(p < a); whole(p - a); whole(a - p); whole(q > p);");
        self.line(&format!(
            "for (p = a; p < a + {count}; p += {step}) whole((long)*p + (p != q));"
        ));
        self.line(&format!(
            "whole(p - a); whole(p == a + {count}); p = q; whole(*p++); whole(p > q);"
        ));
        let value = integer(&mut self.random, 1);
        self.line(&format!("if ({value} > 3) goto past; whole(-*q);"));
        self.line("past: whole(*--p); }");
    }

    /// Calls and assignments as operands, where C says which of them is first.
    fn effects(&mut self) {
        for _ in 0..4 {
            let (left, right) = (self.effect(), self.effect());
            let other = integer(&mut self.random, 1);
            let text = match self.random.below(5) {
                0 => format!("({left} > 2 && {right})"),
                1 => format!("({left} || {right} > 5)"),
                2 => format!("({left} & 1 ? {right} : {other})"),
                3 => format!("({left}, {right})"),
                _ => format!("({left} > {other} ? {other} : {right})"),
            };
            self.line(&format!("whole({text}); whole(steps); whole(vi);"));
        }
    }

    fn effect(&mut self) -> String {
        let value = integer(&mut self.random, 1);
        match self.random.below(5) {
            0 | 1 => format!("turn((int)({value}) & 15)"),
            2 => format!("(vi = {value})"),
            3 => format!("(vh += {value})"),
            _ => "turns[steps & 7]--".into(),
        }
    }

    /// Assignments to an object's parts.
    fn changed(&mut self, name: &str, of: &Type) {
        let mut parts = Vec::new();
        of.leaves(name, &mut |leaf, of| parts.push((leaf.to_string(), of.clone())));
        for _ in 0..4 {
            let Some((leaf, of)) = parts.get(self.random.index(parts.len())).cloned() else {
                return;
            };
            let statement = match of {
                Type::Float(_) => {
                    let operator = self.random.pick(&["=", "+=", "-=", "*="]);
                    format!("{leaf} {operator} {};", floating(&mut self.random, 2))
                }
                _ => self.assignment(&leaf),
            };
            self.line(&statement);
        }
    }

    fn assignment(&mut self, leaf: &str) -> String {
        let value = integer(&mut self.random, 2);
        match self.random.below(8) {
            0 => format!("whole({leaf}++);"),
            1 => format!("whole(--{leaf});"),
            2 => format!("whole({leaf} = {value});"),
            3 => format!("{leaf} {} ({value} & 7);", self.random.pick(&["<<=", ">>="])),
            4 => format!("{leaf} {} (({value} & 7) + 1);", self.random.pick(&["/=", "%="])),
            _ => format!(
                "{leaf} {} {value};",
                self.random.pick(&["=", "+=", "-=", "*=", "&=", "|=", "^="])
            ),
        }
    }

    /// Copies of an object, and literals of its type.
    fn passed(&mut self, name: &str, of: &Type) {
        let Type::Record(record) = of else { return };
        let (keyword, tag) = (record.keyword(), &record.name);
        let literal = self.initialiser(of, false);
        self.line(&format!(
            "show{tag}(same{tag}({name}));\nshow{tag}(({keyword} {tag}){literal});"
        ));
        self.line(&format!("{{ {keyword} {tag} copy; copy = {name}; show{tag}(copy); }}"));
        self.line(&format!("{{ {keyword} {tag} *p = &{name};"));
        self.changed("(*p)", of);
        self.line(&format!("show{tag}(*p);\n}}"));
    }
}
