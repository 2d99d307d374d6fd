//! Random types: structs and unions of scalars, bit-fields, arrays, and of one another, some without a name, some packed.

use crate::Random;

#[derive(Clone)]
pub enum Type {
    Integer(&'static str),
    Float(&'static str),
    /// A bit-field of so many bits.
    Bits(&'static str, u64),
    Array(Box<Type>, u64),
    Record(Record),
}

#[derive(Clone)]
pub struct Record {
    /// "" for one that is described where it is used.
    pub name: String,
    pub union: bool,
    pub packed: bool,
    pub members: Vec<Member>,
    /// The member of a union that initialisers set, and that is read.
    pub active: usize,
}

#[derive(Clone)]
pub struct Member {
    /// "" for a struct or union whose members are those of what it is in.
    pub name: String,
    pub of: Type,
}

pub const INTEGERS: &[&str] = &[
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "_Bool",
    "enum E",
    "__int128",
    "unsigned __int128",
];

const FLOATS: &[&str] = &["float", "double", "long double"];

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

impl Record {
    pub fn keyword(&self) -> &'static str {
        if self.union {
            "union"
        } else {
            "struct"
        }
    }

    /// `struct S { … }`, with attributes.
    pub fn definition(&self) -> String {
        let members: Vec<String> =
            self.members.iter().map(|m| m.of.declared(&m.name) + "; ").collect();
        let packed = if self.packed { " __attribute__((packed))" } else { "" };
        format!("{} {} {{ {}}}{packed}", self.keyword(), self.name, members.concat())
    }
}

impl Type {
    /// The declaration of a name with this type.
    pub fn declared(&self, name: &str) -> String {
        match self {
            Type::Integer(word) | Type::Float(word) => format!("{word} {name}"),
            Type::Bits(word, bits) => format!("{word} {name} : {bits}"),
            Type::Array(of, count) => of.declared(&format!("{name}[{count}]")),
            Type::Record(record) if record.name.is_empty() => {
                format!("{} {name}", record.definition())
            }
            Type::Record(record) => format!("{} {} {name}", record.keyword(), record.name),
        }
    }

    /// Whether any bytes are a value, so that it may be read from a union.
    fn has_any_bytes(&self) -> bool {
        match self {
            Type::Integer(word) | Type::Bits(word, _) => !matches!(*word, "_Bool" | "enum E"),
            Type::Float(_) => true,
            Type::Array(of, _) => of.has_any_bytes(),
            Type::Record(record) => record.members.iter().all(|member| member.of.has_any_bytes()),
        }
    }

    pub fn has_union(&self) -> bool {
        match self {
            Type::Array(of, _) => of.has_union(),
            Type::Record(record) => {
                record.union || record.members.iter().any(|member| member.of.has_union())
            }
            _ => false,
        }
    }

    /// Calls `leaf` for each scalar of an object that has a value.
    pub fn leaves(&self, object: &str, leaf: &mut dyn FnMut(&str, &Type)) {
        match self {
            Type::Array(of, count) => {
                for i in 0..*count {
                    of.leaves(&format!("{object}[{i}]"), leaf);
                }
            }
            Type::Record(record) => {
                for (i, member) in record.members.iter().enumerate() {
                    if record.union && i != record.active {
                        continue;
                    }
                    let dot = if member.name.is_empty() { "" } else { "." };
                    member.of.leaves(&format!("{object}{dot}{}", member.name), leaf);
                }
            }
            _ => leaf(object, self),
        }
    }
}

pub struct Types {
    pub records: Vec<Record>,
    members: u32,
}

impl Types {
    pub fn new(random: &mut Random, count: usize) -> Types {
        let mut types = Types { records: Vec::new(), members: 0 };
        for i in 0..count {
            let mut record = types.record(random, 2);
            record.name = format!("S{i}");
            types.records.push(record);
        }
        types
    }

    fn record(&mut self, random: &mut Random, depth: u32) -> Record {
        let union = random.one_in(5);
        let count = 1 + random.below(5);
        let mut members: Vec<Member> = (0..count).map(|_| self.member(random, depth)).collect();
        let read = random.index(members.len());
        let found = members[read..].iter().position(|member| !union || member.of.has_any_bytes());
        let active = found.map_or(members.len(), |at| read + at);
        if found.is_none() {
            members.push(Member { name: format!("u{}", self.members), of: Type::Integer("long") });
        }
        Record { name: String::new(), union, packed: random.one_in(6), members, active }
    }

    fn member(&mut self, random: &mut Random, depth: u32) -> Member {
        self.members += 1;
        let name = format!("m{}", self.members);
        match random.below(8) {
            0 | 1 => {
                let (word, most) = BITS[random.index(BITS.len())];
                Member { name, of: Type::Bits(word, 1 + random.below(most)) }
            }
            2 if depth > 0 => {
                let of = Type::Record(self.record(random, depth - 1));
                Member { name: if random.one_in(2) { String::new() } else { name }, of }
            }
            _ => Member { name, of: self.any(random, 2) },
        }
    }

    /// Any type that an object may have.
    pub fn any(&self, random: &mut Random, depth: u32) -> Type {
        match random.below(8) {
            0 | 1 if depth > 0 => {
                Type::Array(Box::new(self.any(random, depth - 1)), 1 + random.below(4))
            }
            2 | 3 if !self.records.is_empty() => {
                Type::Record(self.records[random.index(self.records.len())].clone())
            }
            4 => Type::Float(FLOATS[random.index(FLOATS.len())]),
            _ => Type::Integer(INTEGERS[random.index(INTEGERS.len())]),
        }
    }
}
