//! An interpreter of core, slow and simple: memory is bytes with their C layout, every check is executed,
//! proved or not.
//!
//! It is the second opinion on what a program means, beside the compiled program, and on whether it is safe:
//! an access outside of a live object, a read of bytes that nobody wrote, or a proved check that fails, is a
//! [`Bug`]. What it does not model (complex and `long double` arithmetic, most of C's library) stops it with
//! [`Stop::Unknown`].

mod check;
mod checked;
mod expr;
mod layout;
mod library;
mod memory;
mod owned;
mod stmt;

use checked::Checked;
use layout::{shape, Shape};
use memory::{Address, Cells, Kind, Memory};
use owned::Owned;
use std::collections::HashMap;
use std::rc::Rc;
use tenure_core::{
    Function, FunctionId, GlobalId, Initializer, LabelId, Linkage, LocalId, Program, StringId, Ty,
    TyId,
};

/// A value. Pointers, words and handles are integers.
#[derive(Clone, Debug)]
pub enum Value {
    Int(i128),
    Float(f64),
    Fat {
        base: Address,
        idx: u32,
        len: u32,
    },
    /// A record or an array.
    Cells(Cells),
}

/// Why control leaves a statement otherwise than by its end.
#[derive(Debug)]
pub enum Stop {
    Break(LabelId),
    Continue(LabelId),
    Goto(LabelId),
    Return(Option<Value>),
    /// The exception, and whether the throw owns it.
    Throw(Address, bool),
    /// The program ends itself.
    Exit(i32),
    /// Steps ran out.
    Tired,
    /// The interpreter does not know what this is.
    Unknown(String),
    /// The program, or the compiler, is wrong.
    Bug(String),
}

type Flow = Result<(), Stop>;

fn bug<T>(text: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Bug(text.into()))
}

fn unknown<T>(text: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Unknown(text.into()))
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// What was printed, and the status.
    Ended(String, i32),
    Tired,
    Unknown(String),
    Bug(String),
}

/// What a function's activation holds.
#[derive(Default)]
struct Frame {
    locals: HashMap<LocalId, Address>,
}

pub struct Machine<'p> {
    program: &'p Program,
    function: &'p Function,
    functions: HashMap<FunctionId, &'p Function>,
    memory: Memory,
    globals: Vec<Address>,
    strings: HashMap<StringId, Address>,
    addresses: HashMap<FunctionId, Address>,
    /// Descriptors of exceptions that the program does not mention.
    descriptors: HashMap<&'static str, Address>,
    /// Objects of each arena that is open.
    arenas: HashMap<Address, Vec<Address>>,
    owned: Owned,
    checked: Checked,
    shapes: HashMap<TyId, Option<Rc<Shape>>>,
    frame: Frame,
    steps: u64,
    depth: u32,
    output: Vec<u8>,
    /// How many checks ran that were proved.
    pub proved_run: u64,
    /// What the verifier of core does not promise raises an exception.
    pub forgiving: bool,
}

impl<'p> Machine<'p> {
    /// None if the program has no `main`.
    pub fn new(program: &'p Program, steps: u64) -> Option<Machine<'p>> {
        let functions: HashMap<_, _> = program.functions.iter().map(|f| (f.id, f)).collect();
        let function = *functions.get(&program.main?)?;
        Some(Machine {
            program,
            function,
            functions,
            memory: Memory::new(),
            globals: Vec::new(),
            strings: HashMap::new(),
            addresses: HashMap::new(),
            descriptors: HashMap::new(),
            arenas: HashMap::new(),
            owned: Owned::default(),
            checked: Checked::default(),
            shapes: HashMap::new(),
            frame: Frame::default(),
            steps,
            depth: 0,
            output: Vec::new(),
            proved_run: 0,
            forgiving: false,
        })
    }

    /// Runs `main` to its end.
    pub fn run(&mut self) -> Outcome {
        let flow = self.globals().and_then(|()| {
            let body = &self.function.body;
            self.block(body, None)
        });
        let printed = String::from_utf8_lossy(&self.output).into_owned();
        match flow {
            Ok(()) | Err(Stop::Return(None)) => Outcome::Ended(printed, 0),
            Err(Stop::Return(Some(Value::Int(status)))) => {
                Outcome::Ended(printed, status as i32 & 0xff)
            }
            Err(Stop::Exit(status)) => Outcome::Ended(printed, status & 0xff),
            Err(Stop::Throw(..)) => Outcome::Ended(printed, 1),
            Err(Stop::Tired) => Outcome::Tired,
            Err(Stop::Unknown(what)) => Outcome::Unknown(what),
            Err(Stop::Bug(what)) => Outcome::Bug(what),
            Err(other) => Outcome::Bug(format!("{other:?} leaves main")),
        }
    }

    fn globals(&mut self) -> Flow {
        for global in &self.program.globals {
            let shape = self.shape(global.ty)?;
            let address = self.memory.place(Cells::zero(shape.size), Kind::Data);
            self.globals.push(address);
        }
        for (id, global) in self.program.globals.iter_enumerated() {
            if let (Some(init), false) = (&global.init, global.linkage == Linkage::Import) {
                let address = self.globals[GlobalId::index(id)];
                self.initialise(address, global.ty, init)?;
            }
        }
        Ok(())
    }

    fn initialise(&mut self, at: Address, ty: TyId, init: &'p Initializer) -> Flow {
        match init {
            Initializer::Value(expr) => {
                let value = self.eval(expr)?;
                self.put(at, ty, value)
            }
            Initializer::Record(parts) => {
                let shape = self.shape(ty)?;
                for (field, part) in parts {
                    let slot = shape.slots[*field as usize];
                    let of = self.field_ty(ty, *field)?;
                    let address = memory::moved(at, i128::from(slot.offset));
                    match (slot.bits, part) {
                        (Some(bits), Initializer::Value(expr)) => {
                            let value = self.int(expr)?;
                            self.memory.write_bits(address, bits.0, bits.1, value as u128)?;
                        }
                        _ => self.initialise(address, of, part)?,
                    }
                }
                Ok(())
            }
            Initializer::Array(parts) => {
                for (index, part) in parts {
                    let (of, address) = self.element(at, ty, *index)?;
                    self.initialise(address, of, part)?;
                }
                Ok(())
            }
            Initializer::Repeat { from, to, value } => {
                for index in *from..*to {
                    let (of, address) = self.element(at, ty, index)?;
                    self.initialise(address, of, value)?;
                }
                Ok(())
            }
            Initializer::Bytes(id) => {
                let literal = &self.program.strings[*id];
                let mut bytes = Vec::new();
                for unit in &literal.units {
                    let unit = unit.to_le_bytes();
                    bytes.extend_from_slice(&unit[..usize::from(literal.unit_size)]);
                }
                bytes.truncate(self.shape(ty)?.size as usize);
                self.memory.write(at, &Cells::of(&bytes))
            }
            Initializer::Tag { .. } => Ok(()),
        }
    }

    fn element(&mut self, at: Address, ty: TyId, index: u64) -> Result<(TyId, Address), Stop> {
        let Ty::Array { of, .. } = *self.program.types.get(ty) else {
            return unknown("an initialiser of elements");
        };
        let size = self.shape(of)?.size;
        Ok((of, memory::moved(at, i128::from(index) * i128::from(size))))
    }

    fn field_ty(&self, ty: TyId, field: u32) -> Result<TyId, Stop> {
        if let Ty::Record(id) = self.program.types.get(ty) {
            let fields = self.program.types.records[*id].fields.as_ref();
            if let Some(field) = fields.and_then(|fields| fields.get(field as usize)) {
                return Ok(field.ty);
            }
        }
        bug("no such field")
    }

    fn shape(&mut self, ty: TyId) -> Result<Rc<Shape>, Stop> {
        let program = self.program;
        let known = self.shapes.entry(ty).or_insert_with(|| shape(program, ty).map(Rc::new));
        known
            .clone()
            .ok_or_else(|| Stop::Unknown(format!("the layout of {:?}", self.program.types.get(ty))))
    }

    /// The descriptor of one of the predefined exceptions.
    fn descriptor(&mut self, name: &'static str) -> Address {
        let mut globals = self.program.globals.iter_enumerated();
        match globals.find(|(_, global)| global.source_name.as_str() == name) {
            Some((id, _)) => self.globals[GlobalId::index(id)],
            None => *self
                .descriptors
                .entry(name)
                .or_insert_with(|| self.memory.place(Cells::default(), Kind::Data)),
        }
    }

    /// Raises a predefined exception.
    fn raise<T>(&mut self, name: &'static str) -> Result<T, Stop> {
        let descriptor = self.descriptor(name);
        let object = self.memory.place(Cells::of(&descriptor.to_le_bytes()), Kind::Data);
        Err(Stop::Throw(object, false))
    }

    fn local(&self, local: LocalId) -> Result<Address, Stop> {
        match self.frame.locals.get(&local) {
            Some(&address) => Ok(address),
            None => bug("a local outside of its scope"),
        }
    }

    fn bind(&mut self, local: LocalId, cells: Cells) {
        let address = self.memory.place(cells, Kind::Data);
        if let Some(before) = self.frame.locals.insert(local, address) {
            self.memory.kill(before);
        }
    }

    fn unbind(&mut self, local: LocalId) {
        if let Some(address) = self.frame.locals.remove(&local) {
            self.close_arena(address);
            self.memory.kill(address);
        }
    }

    fn close_arena(&mut self, arena: Address) {
        for object in self.arenas.remove(&arena).unwrap_or_default() {
            self.memory.kill(object);
        }
    }
}
