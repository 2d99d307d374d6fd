//! Which memory an access may touch.
//!
//! Memory is divided by the C types and fields of accesses (core is strict-aliasing clean, but for views as
//! characters and words). Each division is a variable whose value is a version: a store makes a new one, a load
//! names those that a store to its bytes would have changed.
//!
//! Soundness argument, by kinds of store:
//! - to field `k` of record `R` with type `T`: seen by loads of the same field, and through pointers to `T`;
//! - through a pointer to `T`: seen by loads through pointers to `T` and of fields of type `T`;
//! - characters through a pointer: may be a view of anything made of bits, so seen by all but pointers;
//! - anything made of bits: may be seen through a pointer to characters;
//! - words: may be seen as any word-sized scalar; loads of words are never remembered;
//! - whole records, unions, and calls: seen by all.
//!
//! A local whose address is never taken is only changed by stores that name it, and so is a slot ([`super::slots`]) but for stores of
//! whole records and calls.

use super::effects::Effects;
use super::slots::{SlotId, Slots};
use tenure_core::{
    Callee, Function, IntTy, LocalId, Place, PlaceKind, Program, Quals, RecordId, RecordKind, Ty,
    TyId,
};
use tenure_span::FastMap;

/// Index of something that has a new value after an assignment: a local or a kind of memory.
pub type Var = u32;

/// All memory that is not a private local.
pub const ALL: Var = 0;
/// Stores of characters through pointers.
pub const CHARS: Var = 1;
/// Stores of anything else made of bits.
pub const NON_CHARS: Var = 2;
const FIRST_LOCAL: Var = 3;

/// Types that alias each other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Group {
    Bits8,
    Bits16,
    Bits32,
    Bits64,
    Float32,
    Float64,
    Pointer,
    Fat,
    Word,
    /// Everything else: not remembered.
    Rest,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Class {
    Field(RecordId, u32),
    /// Through a pointer to the type, or the whole object.
    Object(Group),
    /// All fields of the type together.
    AnyField(Group),
    Slot(SlotId),
}

/// How a place is reached.
pub enum Access {
    /// A local that is a value, with the fields on the way to the part.
    Value(LocalId, Vec<u32>),
    /// A part of a local that is not a value but whose address is never taken.
    Private(LocalId),
    /// Other memory.
    Shared,
    /// Never remembered; a store changes all memory.
    Opaque,
    /// A volatile object: a store changes nothing that is remembered.
    Volatile,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Home {
    Value,
    Private,
    Shared,
}

pub struct Memory<'a> {
    program: &'a Program,
    homes: Vec<Home>,
    classes: FastMap<Class, Var>,
    pub vars: u32,
    locals: u32,
    slots: &'a Slots,
    effects: &'a Effects,
    /// Slots that the function names.
    named: &'a [SlotId],
}

impl<'a> Memory<'a> {
    pub fn new(
        program: &'a Program,
        function: &'a Function,
        address_taken: &[bool],
        (slots, effects): (&'a Slots, &'a Effects),
    ) -> Self {
        let homes = function.locals.iter_enumerated().map(|(id, local)| {
            if address_taken[id.index()] || local.is_volatile {
                Home::Shared
            } else if is_value(program, local.ty, 0) {
                Home::Value
            } else {
                Home::Private
            }
        });
        let locals = function.locals.len() as u32;
        Memory {
            program,
            homes: homes.collect(),
            classes: FastMap::default(),
            vars: FIRST_LOCAL + locals,
            locals,
            slots,
            effects,
            named: slots.named(function.id),
        }
    }

    pub fn local_var(&self, local: LocalId) -> Var {
        FIRST_LOCAL + local.index() as u32
    }

    /// The local whose value the variable is, or whose version.
    pub fn local_of(&self, var: Var) -> Option<LocalId> {
        let index = var.checked_sub(FIRST_LOCAL)?;
        (index < self.locals).then(|| LocalId::from_raw(index))
    }

    pub fn is_value(&self, local: LocalId) -> bool {
        self.homes[local.index()] == Home::Value
    }

    pub fn is_shared(&self, local: LocalId) -> bool {
        self.homes[local.index()] == Home::Shared
    }

    fn class(&mut self, class: Class) -> Var {
        let next = self.vars;
        let var = *self.classes.entry(class).or_insert(next);
        if var == next {
            self.vars += 1;
        }
        var
    }

    pub fn access(&mut self, function: &Function, place: &Place) -> Access {
        if is_volatile(self.program, function, place) {
            return Access::Volatile;
        }
        if let Some(local) = place.root_local() {
            match self.homes[local.index()] {
                Home::Value => {
                    let mut path = Vec::new();
                    let mut at = place;
                    while let PlaceKind::Field(base, field) = &at.kind {
                        path.push(*field);
                        at = base;
                    }
                    path.reverse();
                    return Access::Value(local, path);
                }
                Home::Private => return Access::Private(local),
                Home::Shared => {}
            }
        }
        if self.slots.of(self.program, place).is_some() {
            return Access::Shared;
        }
        if passes_union(self.program, place) {
            return Access::Opaque;
        }
        match self.innermost(place) {
            Some(_) => Access::Shared,
            None => Access::Opaque,
        }
    }

    fn innermost(&self, place: &Place) -> Option<(Class, Group)> {
        let group = group(self.program, place.ty);
        if group == Group::Rest {
            return None;
        }
        let class = match &place.kind {
            PlaceKind::Field(base, field) => match self.program.types.get(base.ty) {
                Ty::Record(id) => Class::Field(*id, *field),
                _ => return None,
            },
            _ => Class::Object(group),
        };
        Some((class, group))
    }

    /// The versions that a store to shared memory at `place` changes.
    pub fn stored(&mut self, place: &Place) -> Vec<Var> {
        if let Some(slot) = self.slots.of(self.program, place) {
            return vec![self.class(Class::Slot(slot))];
        }
        if passes_union(self.program, place) {
            return vec![ALL];
        }
        let Some((class, group)) = self.innermost(place) else {
            return self.all_and_inside(place.ty);
        };
        let field = matches!(class, Class::Field(..));
        if group == Group::Word && !field {
            return vec![ALL];
        }
        let mut vars = vec![self.class(class)];
        if field {
            vars.push(self.class(Class::AnyField(group)));
        }
        match group {
            Group::Bits8 if !field => vars.push(CHARS),
            Group::Word => {
                for seen_as in [Group::Pointer, Group::Bits64, Group::Float64] {
                    vars.push(self.class(Class::AnyField(seen_as)));
                }
                vars.push(NON_CHARS);
            }
            Group::Pointer | Group::Fat => {}
            _ => vars.push(NON_CHARS),
        }
        vars
    }

    /// All memory, and the slots of a record of the type that the function names.
    pub fn all_and_inside(&mut self, ty: TyId) -> Vec<Var> {
        let mut inside = Vec::new();
        self.slots.inside(self.program, ty, &mut inside);
        let mut vars = vec![ALL];
        for slot in inside {
            let var = self.class(Class::Slot(slot));
            if self.named.contains(&slot) && !vars.contains(&var) {
                vars.push(var);
            }
        }
        vars
    }

    pub fn slot_var(&mut self, slot: SlotId) -> Var {
        self.class(Class::Slot(slot))
    }

    /// The versions that a call changes.
    pub fn called(&mut self, callee: &Callee) -> Vec<Var> {
        let mut vars = vec![ALL];
        for &slot in self.named {
            if self.effects.may_store(callee, slot) {
                vars.push(self.class(Class::Slot(slot)));
            }
        }
        vars
    }

    /// The versions that a load from `place` depends on; `None` if it is not remembered.
    pub fn loaded(&mut self, place: &Place) -> Option<Vec<Var>> {
        if let Some(slot) = self.slots.of(self.program, place) {
            return Some(vec![self.class(Class::Slot(slot))]);
        }
        let (class, group) = self.innermost(place)?;
        if group == Group::Word {
            return None;
        }
        let field = matches!(class, Class::Field(..));
        let mut vars = vec![ALL, self.class(class)];
        vars.push(self.class(if field { Class::Object(group) } else { Class::AnyField(group) }));
        match group {
            Group::Bits8 => vars.push(NON_CHARS),
            Group::Pointer | Group::Fat => {}
            _ => vars.push(CHARS),
        }
        if group == Group::Bits8 && field {
            vars.push(CHARS);
        }
        Some(vars)
    }
}

pub fn group(program: &Program, ty: TyId) -> Group {
    let int = match program.types.get(ty) {
        Ty::Int(int) => *int,
        Ty::Enum(id) => program.types.enums[*id].underlying,
        Ty::Float(tenure_core::FloatTy::F32) => return Group::Float32,
        Ty::Float(tenure_core::FloatTy::F64) => return Group::Float64,
        Ty::Ptr { .. } | Ty::Handle => return Group::Pointer,
        Ty::Fat { .. } => return Group::Fat,
        Ty::Word => return Group::Word,
        _ => return Group::Rest,
    };
    match int {
        IntTy::I128 | IntTy::U128 => Group::Rest,
        _ => match int.bits() {
            8 => Group::Bits8,
            16 => Group::Bits16,
            32 => Group::Bits32,
            _ => Group::Bits64,
        },
    }
}

/// Whether a local of the type can be followed as one value: scalars, fat pointers, and records of these.
fn is_value(program: &Program, ty: TyId, depth: u32) -> bool {
    match program.types.get(ty) {
        Ty::Record(id) => {
            let record = &program.types.records[*id];
            let plain = !matches!(record.kind, RecordKind::Union | RecordKind::TaggedUnion);
            let fields = record.fields.as_deref().unwrap_or_default();
            plain
                && depth < 4
                && fields.iter().all(|field| {
                    field.bits.is_none()
                        && !field.quals.is_volatile
                        && is_value(program, field.ty, depth + 1)
                })
        }
        Ty::Array { .. } | Ty::Arena | Ty::HandlerFrame | Ty::VaList | Ty::Func(_) | Ty::Void => {
            false
        }
        _ => true,
    }
}

fn passes_union(program: &Program, place: &Place) -> bool {
    let mut at = place;
    loop {
        match &at.kind {
            PlaceKind::Field(base, _) => {
                if let Ty::Record(id) = program.types.get(base.ty) {
                    if program.types.records[*id].kind == RecordKind::Union {
                        return true;
                    }
                }
                at = base;
            }
            PlaceKind::Index(base, _) => at = base,
            _ => return false,
        }
    }
}

fn is_volatile(program: &Program, function: &Function, place: &Place) -> bool {
    let of = |ty: TyId| match program.types.get(ty) {
        Ty::Ptr { quals, .. } | Ty::Fat { quals, .. } => *quals,
        _ => Quals::default(),
    };
    let mut at = place;
    loop {
        match &at.kind {
            PlaceKind::Local(local) => return function.locals[*local].is_volatile,
            PlaceKind::Global(global) => return program.globals[*global].is_volatile,
            PlaceKind::Deref(p) | PlaceKind::PtrIndex(p, _) | PlaceKind::FatIndex(p, _) => {
                return of(p.ty).is_volatile;
            }
            PlaceKind::Field(base, field) => {
                if let Ty::Record(id) = program.types.get(base.ty) {
                    let fields = program.types.records[*id].fields.as_deref().unwrap_or_default();
                    if fields.get(*field as usize).is_some_and(|f| f.quals.is_volatile) {
                        return true;
                    }
                }
                at = base;
            }
            PlaceKind::Index(base, _) => at = base,
        }
    }
}
