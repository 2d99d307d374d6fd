//! Ways from an object to a scalar in it.

use super::body::Body;
use super::world::{Form, Type};

/// A scalar in an object.
#[derive(Clone, Debug)]
pub struct Leaf {
    pub text: String,
    pub of: Type,
    /// Its address may be taken.
    pub addressable: bool,
    pub global: bool,
    /// What is stored in it outlives the function.
    pub long_lived: bool,
    /// Members of tagged unions that must be the ones written last, from the outside in.
    pub tagged: Vec<String>,
    pub features: Vec<&'static str>,
}

impl Leaf {
    pub fn is_integer(&self) -> bool {
        matches!(self.of, Type::Int(_) | Type::Bits(..) | Type::Volatile(_))
    }

    /// Exactly an `int` that is not volatile.
    pub fn is_int(&self) -> bool {
        self.of == Type::Int("int")
    }

    /// What must hold for a store: of the innermost member only if the scalar is no more than a part of it.
    pub fn condition_to_store(&self) -> Option<String> {
        let sets = self.tagged.last() == Some(&self.text);
        let tagged = self.tagged[..self.tagged.len() - usize::from(sets)].to_vec();
        Leaf { tagged, ..self.clone() }.condition()
    }

    /// What must hold for a read.
    pub fn condition(&self) -> Option<String> {
        let checks: Vec<String> = self.tagged.iter().map(|m| format!("tagcheck({m})")).collect();
        (!checks.is_empty()).then(|| checks.join(" && "))
    }
}

impl Body<'_> {
    /// A scalar that fits, of a random object.
    pub fn leaf(&mut self, fits: impl Fn(&Leaf) -> bool) -> Option<Leaf> {
        for _ in 0..16 {
            let leaf = self.any_leaf();
            if fits(&leaf) {
                return Some(leaf);
            }
        }
        None
    }

    pub fn any_leaf(&mut self) -> Leaf {
        let locals = self.locals.len();
        if locals > 0 && !self.random.one_in(3) {
            let (name, of) = self.locals[self.random.index(locals)].clone();
            return self.descend(name, of, false);
        }
        let global = self.random.index(self.world.globals.len());
        self.leaf_of(global)
    }

    pub fn leaf_of(&mut self, global: usize) -> Leaf {
        let (name, of) = self.world.globals[global].clone();
        self.descend(name, of, true)
    }

    fn descend(&mut self, name: String, of: Type, global: bool) -> Leaf {
        let world = self.world;
        let mut leaf = Leaf {
            text: name,
            of,
            addressable: true,
            global,
            long_lived: global,
            tagged: Vec::new(),
            features: Vec::new(),
        };
        loop {
            match leaf.of.clone() {
                Type::Array(of, count) => {
                    leaf.text += &format!("[{}]", self.index(count));
                    leaf.of = *of;
                }
                Type::Record(id) => {
                    let record = &world.records[id];
                    let (name, of) = &record.members[self.random.index(record.members.len())];
                    leaf.text += &format!(".{name}");
                    leaf.of = of.clone();
                    match record.form {
                        Form::Struct => {}
                        Form::Packed => leaf.features.push("packed"),
                        Form::Union => leaf.features.push("union"),
                        Form::Tagged => {
                            leaf.tagged.push(leaf.text.clone());
                            leaf.features.push("tagged union");
                        }
                    }
                    if matches!(record.form, Form::Packed | Form::Tagged) {
                        leaf.addressable = false;
                    }
                }
                Type::Tuple(parts) => {
                    let at = self.random.index(parts.len());
                    leaf.text += &format!(".{at}");
                    leaf.of = parts[at].clone();
                    leaf.features.push("tuple");
                }
                Type::Generic(_, of) => {
                    let member = self.random.pick(&["x", "y", "x"]);
                    leaf.text += &format!(".{member}");
                    leaf.of = *of;
                    // The instance of a local one is a pointer to what outlives the function, too.
                    leaf.long_lived = true;
                    leaf.features.push("type variable");
                }
                Type::Bits(..) => {
                    leaf.features.push("bit-field");
                    leaf.addressable = false;
                    return leaf;
                }
                Type::Volatile(_) => {
                    leaf.features.push("volatile");
                    return leaf;
                }
                _ => return leaf,
            }
        }
    }

    /// An index of an array of so many elements, nearly always one of them.
    pub fn index(&mut self, count: u64) -> String {
        if self.nesting > 1 {
            return self.random.below(count).to_string();
        }
        self.nesting += 1;
        let text = match self.random.below(10) {
            0..=3 => self.random.below(count).to_string(),
            4..=6 => format!("{} & {}", self.random.pick(&["i", "j", "k"]), count - 1),
            7 => format!("{} & {}", self.call_of_change(), count - 1),
            8 => format!("(unsigned)({}) % {count}", self.integer(1)),
            _ => self.random.pick(&["i", "j", "k"]).to_string(),
        };
        self.nesting -= 1;
        text
    }
}
