//! Random records and enumerations: all that C and this compiler may lay out differently.

use crate::random::Random;
use std::fmt::Write;

const SCALARS: &[&str] = &[
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long long",
    "_Bool",
    "float",
    "double",
    "long double",
    "__int128",
];

/// What has an alignment of its own, beside those.
const OTHERS: &[&str] = &["_Complex float", "_Complex double", "_Complex long double"];

/// Types of bit-fields and how many bits they may have.
const BITS: &[(&str, u64)] = &[
    ("int", 32),
    ("unsigned", 32),
    ("signed char", 8),
    ("unsigned char", 8),
    ("unsigned short", 16),
    ("short", 16),
    ("long", 64),
    ("unsigned long", 64),
    ("unsigned long long", 64),
    ("_Bool", 1),
];

/// Values of an enumeration's constants: what decides its width and its sign.
const VALUES: &[&str] = &[
    "0",
    "1",
    "-1",
    "255",
    "0x7fffffff",
    "-0x7fffffff - 1",
    "0x80000000u",
    "0xffffffffu",
    "0x100000000ll",
    "-0x80000001ll",
    "0xffffffffffffffffull",
    "0x7fffffffffffffffll",
];

struct Writer {
    random: Random,
    out: String,
    names: u64,
    records: u64,
    /// Whether members may be truth values, and whether pointers.
    truth: bool,
    pointers: bool,
    /// Whether the record that is being written has a pointer, and the records that have none.
    held: bool,
    plain: Vec<u64>,
}

/// Records and enumerations at file scope, without a function.
pub fn records(seed: u64) -> String {
    let mut writer = Writer::new(seed, true);
    for _ in 0..4 {
        writer.enumeration();
    }
    for _ in 0..24 {
        writer.definition();
    }
    writer.out
}

/// A program that prints the bytes of records of which one member after the other is set.
pub fn program(seed: u64) -> String {
    let mut writer = Writer::new(seed, false);
    writer.out.push_str(
        "#include <stdio.h>\n#include <string.h>\n\nstatic void show(const unsigned char b[64], int n)\n{\n    \
         for (int i = 0; i < n && i < 64; i++)\n        printf(\"%02x\", b[i]);\n    printf(\"\\n\");\n}\n\n",
    );
    let mut main = String::from("int main(void)\n{\n    unsigned char bytes[64];\n");
    for number in 0..12 {
        let members = writer.bit_record(number);
        for (member, value) in members {
            let _ = write!(
                main,
                "    {{\n        struct B{number} s;\n        memset(&s, 0, sizeof s);\n        s.{member} = {value};\n        \
                 memset(bytes, 0, sizeof bytes);\n        \
                 memcpy(bytes, &s, sizeof s < 64 ? sizeof s : 64);\n        printf(\"B{number}.{member} %d \", (int)sizeof s);\n        \
                 show(bytes, (int)sizeof s);\n    }}\n"
            );
        }
    }
    writer.out + &main + "    return 0;\n}\n"
}

impl Writer {
    fn new(seed: u64, pointers: bool) -> Writer {
        Writer {
            random: Random::new(seed),
            out: String::new(),
            names: 0,
            records: 0,
            pointers,
            held: false,
            plain: Vec::new(),
            truth: pointers,
        }
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("m{}", self.names)
    }

    fn enumeration(&mut self) {
        self.names += 1;
        let tag = self.names;
        let signed = self.random.one_in(2);
        let count = 1 + self.random.below(3);
        let mut constants = Vec::new();
        for at in 0..count {
            let value = self.random.pick(VALUES);
            // One type must hold all of them.
            let fits = !(signed && value.ends_with("ull")) && (signed || !value.starts_with('-'));
            constants.push(format!("E{tag}_{at} = {}", if fits { value } else { "3" }));
        }
        let _ = writeln!(self.out, "enum E{tag} {{ {} }};", constants.join(", "));
    }

    fn definition(&mut self) {
        let pack = self.random.one_in(12);
        let tail = self.record_attributes();
        let (keyword, body, plain) = self.tight_body(2, pack || tail.contains("packed"));
        let number = self.records;
        self.records += 1;
        if plain {
            self.plain.push(number);
        }
        if pack {
            self.out.push_str("#pragma pack(push, 1)\n");
        }
        if self.random.one_in(4) {
            let _ = writeln!(self.out, "typedef {keyword} {{ {body}}}{tail} T{number};");
            let _ = writeln!(self.out, "{keyword} R{number} {{ T{number} whole; }};");
        } else {
            let _ = writeln!(self.out, "{keyword} R{number} {{ {body}}}{tail};");
        }
        if pack {
            self.out.push_str("#pragma pack(pop)\n");
        }
    }

    fn record_attributes(&mut self) -> String {
        match self.random.below(10) {
            0 => " __attribute__((packed))".to_string(),
            1 => format!(" __attribute__((aligned({})))", 1 << self.random.below(7)),
            2 => format!(" __attribute__((packed, aligned({})))", 1 << self.random.below(5)),
            3 => " __attribute__((aligned))".to_string(),
            _ => String::new(),
        }
    }

    /// As [`Writer::body`], without pointers in a packed record, which are refused there; whether none is in it at all.
    fn tight_body(&mut self, depth: u32, packed: bool) -> (&'static str, String, bool) {
        let outer = (self.pointers, self.held);
        self.pointers &= !packed;
        self.held = false;
        let (keyword, body) = self.body(depth);
        let plain = !self.held;
        self.pointers = outer.0;
        self.held |= outer.1;
        (keyword, body, plain)
    }

    /// `struct` or `union`, and members.
    fn body(&mut self, depth: u32) -> (&'static str, String) {
        let keyword = if self.random.one_in(4) { "union" } else { "struct" };
        let count = 1 + self.random.below(6);
        let mut members: String = (0..count).map(|_| self.member(depth)).collect();
        let name = self.name();
        let _ = write!(members, "char {name}; ");
        if keyword == "struct" && depth == 2 && self.random.one_in(6) {
            let name = self.name();
            let of = self.random.pick(SCALARS);
            let _ = write!(members, "{of} {name}[]; ");
        }
        (keyword, members)
    }

    fn member(&mut self, depth: u32) -> String {
        let name = self.name();
        match self.random.below(12) {
            0 | 1 => self.bit_field(&name),
            2 => {
                let (word, _) = self.bits();
                format!("{word} : 0; ")
            }
            3 => {
                let (word, most) = self.bits();
                format!("{word} : {}; ", 1 + self.random.below(most))
            }
            4 if depth > 0 => {
                let tail = match self.random.one_in(4) {
                    true => self.record_attributes(),
                    false => String::new(),
                };
                let (keyword, body, _) = self.tight_body(depth - 1, tail.contains("packed"));
                let name = if self.random.one_in(2) { String::new() } else { name };
                format!("{keyword} {{ {body}}}{tail} {name}; ")
            }
            5 if self.records > 0 => {
                let number = self.random.below(self.records);
                if !self.pointers && !self.plain.contains(&number) {
                    return format!("int {name}; ");
                }
                self.held |= !self.plain.contains(&number);
                let flexible = format!("R{number} {{ ");
                let line = self.out.lines().find(|line| line.contains(&flexible)).unwrap_or("");
                match (line.contains("[];"), line.starts_with("union")) {
                    (true, _) => format!("int {name}; "),
                    (_, true) => format!("union R{number} {name}; "),
                    (_, false) => format!("struct R{number} {name}; "),
                }
            }
            6 if self.pointers => {
                self.held = true;
                format!("int *{name}; ")
            }
            7 if self.pointers => {
                self.held = true;
                format!("void (*{name})(int); ")
            }
            8 => {
                let count = 1 + self.random.below(4);
                let of = self.random.pick(SCALARS);
                format!("{of} {name}[{count}]; ")
            }
            9 => {
                let of = self.random.pick(SCALARS);
                let align = 16 << self.random.below(3);
                match self.random.below(2) {
                    0 => format!("_Alignas({align}) {of} {name}; "),
                    _ => format!("{of} {name} __attribute__((aligned({}))); ", align >> 3),
                }
            }
            10 => {
                let of = self.random.pick(OTHERS);
                format!("{of} {name}; ")
            }
            _ => {
                let of = self.random.pick(SCALARS);
                format!("{of} {name}; ")
            }
        }
    }

    fn bit_field(&mut self, name: &str) -> String {
        let (word, most) = self.bits();
        format!("{word} {name} : {}; ", 1 + self.random.below(most))
    }

    /// The type of a bit-field. A record with a `_Bool` has no bytes to show.
    fn bits(&mut self) -> (&'static str, u64) {
        let count = if self.truth { BITS.len() } else { BITS.len() - 1 };
        BITS[self.random.index(count)]
    }

    /// A record of bit-fields and scalars; its members, each with a value to set.
    fn bit_record(&mut self, number: u64) -> Vec<(String, &'static str)> {
        let mut members = Vec::new();
        let mut body = String::new();
        for _ in 0..2 + self.random.below(6) {
            let name = self.name();
            match self.random.below(6) {
                0 => {
                    let (word, _) = self.bits();
                    let _ = write!(body, "{word} : 0; ");
                }
                1 => {
                    let (word, most) = self.bits();
                    let _ = write!(body, "{word} : {}; ", 1 + self.random.below(most));
                }
                2 => {
                    let word = self.random.pick(&["char", "short", "int", "long"]);
                    let _ = write!(body, "{word} {name}; ");
                    members.push((name, "-1"));
                }
                _ => {
                    body += &self.bit_field(&name);
                    members.push((name, "-1"));
                }
            }
        }
        let last = self.name();
        let packed = if self.random.one_in(3) { " __attribute__((packed))" } else { "" };
        let _ = writeln!(self.out, "struct B{number} {{ {body}char {last}; }}{packed};");
        members.push((last, "1"));
        members
    }
}
