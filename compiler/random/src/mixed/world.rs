//! What the functions of a program share: random types, objects of them, and functions that change the
//! objects.

use crate::Random;

/// A type of an object. What a pointer points to is an `int`.
#[derive(Clone, PartialEq, Debug)]
pub enum Type {
    Int(&'static str),
    Bits(&'static str, u64),
    Volatile(&'static str),
    Pointer,
    Fat,
    /// The length is a power of two.
    Array(Box<Type>, u64),
    Record(usize),
    Tuple(Vec<Type>),
    /// A struct with fields of type-variable type, and the instance.
    Generic(usize, Box<Type>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    Struct,
    Packed,
    Union,
    Tagged,
}

#[derive(Clone, Debug)]
pub struct Record {
    pub name: String,
    pub form: Form,
    pub members: Vec<(String, Type)>,
}

pub struct World {
    pub records: Vec<Record>,
    /// Structs with a type parameter, by name.
    pub generics: Vec<String>,
    pub globals: Vec<(String, Type)>,
    /// One function for each global that changes a part of it, and some that change several.
    pub changes: usize,
}

pub const SCALARS: &[&str] = &[
    "char",
    "unsigned char",
    "signed char",
    "short",
    "unsigned short",
    "int",
    "int",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "_Bool",
    "enum E",
];

const BITS: &[(&str, u64)] =
    &[("int", 32), ("unsigned", 32), ("unsigned char", 8), ("long", 64), ("unsigned short", 16)];

pub const RECORDS: usize = 7;

impl Type {
    /// A packed record may not have it as a member: a pointer in it would not be aligned.
    fn has_pointer(&self, records: &[Record]) -> bool {
        match self {
            Type::Pointer | Type::Fat | Type::Generic(..) => true,
            Type::Array(of, _) => of.has_pointer(records),
            Type::Record(id) => records[*id].members.iter().any(|m| m.1.has_pointer(records)),
            _ => false,
        }
    }

    /// Any bits are a value: a union may have it as a member.
    fn is_bits(&self, records: &[Record]) -> bool {
        match self {
            Type::Int(word) | Type::Bits(word, _) | Type::Volatile(word) => {
                !matches!(*word, "_Bool" | "enum E")
            }
            Type::Array(of, _) => of.is_bits(records),
            Type::Record(id) => {
                let record = &records[*id];
                record.form != Form::Tagged && record.members.iter().all(|m| m.1.is_bits(records))
            }
            _ => false,
        }
    }
}

impl World {
    pub fn new(random: &mut Random) -> World {
        let generics = vec!["P0".to_string(), "P1".to_string()];
        let mut world = World { records: Vec::new(), generics, globals: Vec::new(), changes: 0 };
        let forms = [
            Form::Struct,
            Form::Packed,
            Form::Union,
            Form::Tagged,
            Form::Struct,
            Form::Tagged,
            Form::Union,
        ];
        for (at, form) in forms.into_iter().enumerate().take(RECORDS) {
            let mut members = Vec::new();
            for number in 0..2 + random.below(4) {
                let of = world.member(random, form);
                members.push((format!("m{number}"), of));
            }
            world.records.push(Record { name: format!("S{at}"), form, members });
        }
        for at in 0..RECORDS {
            world.globals.push((format!("g{at}"), Type::Record(at)));
        }
        let more = [
            world.tuple(random),
            world.generic(random),
            Type::Generic(0, Box::new(Type::Pointer)),
            Type::Array(Box::new(Type::Int("int")), 8),
            Type::Array(Box::new(Type::Record(0)), 4),
            Type::Array(Box::new(Type::Record(3)), 2),
            Type::Array(Box::new(world.scalar(random)), 4),
            Type::Int("int"),
            Type::Volatile("int"),
            Type::Pointer,
            Type::Fat,
            Type::Tuple(vec![Type::Int("int"), Type::Int("int")]),
        ];
        for of in more {
            world.globals.push((format!("g{}", world.globals.len()), of));
        }
        world.changes = world.globals.len() + 4;
        world
    }

    pub fn scalar(&self, random: &mut Random) -> Type {
        Type::Int(SCALARS[random.index(SCALARS.len())])
    }

    fn tuple(&self, random: &mut Random) -> Type {
        let count = 2 + random.below(2);
        Type::Tuple((0..count).map(|_| self.scalar(random)).collect())
    }

    fn generic(&self, random: &mut Random) -> Type {
        let of = if random.one_in(3) { Type::Pointer } else { self.scalar(random) };
        Type::Generic(random.index(self.generics.len()), Box::new(of))
    }

    fn member(&self, random: &mut Random, form: Form) -> Type {
        for _ in 0..20 {
            let of = self.any(random, 1);
            if let (Type::Bits(..), Form::Tagged) = (&of, form) {
                continue;
            }
            let allowed = match form {
                Form::Union => of.is_bits(&self.records),
                Form::Packed => !of.has_pointer(&self.records),
                _ => true,
            };
            if allowed {
                return of;
            }
        }
        Type::Int("int")
    }

    /// A type that a member may have.
    fn any(&self, random: &mut Random, depth: u32) -> Type {
        match random.below(14) {
            0 | 1 => {
                let (word, most) = BITS[random.index(BITS.len())];
                Type::Bits(word, 1 + random.below(most))
            }
            2 => Type::Volatile(SCALARS[random.index(SCALARS.len())]),
            3 => Type::Pointer,
            4 => Type::Fat,
            5 | 6 if depth > 0 => {
                let of = self.any(random, depth - 1);
                let of = if let Type::Bits(word, _) = of { Type::Int(word) } else { of };
                Type::Array(Box::new(of), 1 << (1 + random.below(3)))
            }
            7 | 8 if !self.records.is_empty() => Type::Record(random.index(self.records.len())),
            9 => self.tuple(random),
            10 => self.generic(random),
            _ => self.scalar(random),
        }
    }

    /// The declaration of a name with this type.
    pub fn declared(&self, of: &Type, name: &str) -> String {
        match of {
            Type::Int(word) => format!("{word} {name}"),
            Type::Bits(word, bits) => format!("{word} {name} : {bits}"),
            Type::Volatile(word) => format!("volatile {word} {name}"),
            Type::Pointer => format!("int *{name}"),
            Type::Fat => format!("int ?{name}"),
            Type::Array(of, count) => self.declared(of, &format!("{name}[{count}]")),
            Type::Record(id) => {
                let record = &self.records[*id];
                let union = matches!(record.form, Form::Union | Form::Tagged);
                format!("{} {} {name}", if union { "union" } else { "struct" }, record.name)
            }
            Type::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.declared(part, "")).collect();
                let parts: Vec<&str> = parts.iter().map(|part| part.trim_end()).collect();
                format!("$({}) {name}", parts.join(", "))
            }
            Type::Generic(id, of) => {
                let of = self.declared(of, "");
                format!("struct {}<{}> {name}", self.generics[*id], of.trim_end())
            }
        }
    }

    pub fn definition(&self, record: &Record) -> String {
        let members: String =
            record.members.iter().map(|(name, of)| self.declared(of, name) + "; ").collect();
        let (before, after) = match record.form {
            Form::Struct => ("struct", ""),
            Form::Packed => ("struct", " __attribute__((packed))"),
            Form::Union => ("union", ""),
            Form::Tagged => ("@tagged union", ""),
        };
        format!("{before} {} {{ {members}}}{after};\n", record.name)
    }
}
