//! Versions of memory.
//!
//! What a load gives is named by its address and the version of the memory that it reads. Each location that the
//! function loads from ([`super::alias`]) has a variable whose value is a version; so has each kind of location, and
//! memory as a whole. A store makes a new version of every location that it may touch by [`Aliases::may_touch`], or of
//! a kind where it touches all locations of it that are loaded; a load names the versions of its location, of the kind
//! and of all. So the store and the load have a variable in common if and only if the table says that they may touch;
//! nothing else decides what is forgotten.
//!
//! - A local whose address is never taken is changed only by stores that name it.
//! - A slot ([`super::slots`]) is changed by stores that name it, by those of whole records that hold it, and by calls
//!   that may run one of these.
//! - A store of a whole object, to a union or inside of one, and a call, change all but these.

use super::alias::{passes_union, Aliases, Kind, Location, Overlays, KINDS};
use super::effects::Effects;
use super::invariants::Invariants;
use super::slots::{SlotId, Slots};
use tenure_core::{
    Callee, Check, CheckKind, Expr, ExprKind, Function, LocalId, Place, PlaceKind, Program, Quals,
    RecordKind, Ty, TyId, Visitor,
};
use tenure_span::{FastMap, FastSet};

/// Index of something that has a new value after an assignment: a local or a kind of memory.
pub type Var = u32;

/// All memory that is not a private local.
pub const ALL: Var = 0;
/// By kind: all locations of it.
const FIRST_KIND: Var = 1;
const FIRST_LOCAL: Var = FIRST_KIND + KINDS.len() as Var;

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
    aliases: Aliases<'a>,
    /// Locations that the function loads from, each with its variable.
    loaded: Vec<(Location, Var)>,
    slot_vars: FastMap<SlotId, Var>,
    /// What a store to each location changes, as far as it was asked for.
    changes: FastMap<Location, Vec<Var>>,
    pub vars: u32,
    locals: u32,
    slots: &'a Slots,
    effects: &'a Effects,
    /// Slots that the function names, and those that a relation ties to them.
    named: Vec<SlotId>,
}

impl<'a> Memory<'a> {
    pub fn new(
        program: &'a Program,
        function: &'a Function,
        address_taken: &[bool],
        shared: Shared<'a>,
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
        let mut memory = Memory {
            program,
            homes: homes.collect(),
            aliases: Aliases::new(program, shared.overlays),
            loaded: Vec::new(),
            slot_vars: FastMap::default(),
            changes: FastMap::default(),
            vars: FIRST_LOCAL + locals,
            locals,
            slots: shared.slots,
            effects: shared.effects,
            named: shared.named(function),
        };
        for location in Loads::of(program, function) {
            memory.loaded.push((location, memory.vars));
            memory.vars += 1;
        }
        memory
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
        match Location::of(self.program, place) {
            Some(_) => Access::Shared,
            None => Access::Opaque,
        }
    }

    /// The versions that a store to shared memory at `place` changes.
    pub fn stored(&mut self, place: &Place) -> Vec<Var> {
        if let Some(slot) = self.slots.of(self.program, place) {
            return vec![self.slot_var(slot)];
        }
        let Some(location) = Location::of(self.program, place) else {
            return self.all_and_inside(place.ty);
        };
        if let Some(known) = self.changes.get(&location) {
            return known.clone();
        }
        let mut vars = Vec::new();
        for kind in KINDS {
            let all = self.loaded.iter().filter(|(loaded, _)| loaded.kind == kind);
            let touched =
                all.clone().filter(|(loaded, _)| self.aliases.may_touch(location, *loaded));
            match touched.clone().count() {
                0 => {}
                // One version for all of them.
                count if count > 1 && count == all.count() => vars.push(kind_var(kind)),
                _ => vars.extend(touched.map(|&(_, var)| var)),
            }
        }
        self.changes.insert(location, vars.clone());
        vars
    }

    /// All memory, and the slots of a record of the type that the function names.
    pub fn all_and_inside(&mut self, ty: TyId) -> Vec<Var> {
        let mut inside = Vec::new();
        self.slots.inside(self.program, ty, &mut inside);
        let mut vars = vec![ALL];
        for slot in inside {
            let var = self.slot_var(slot);
            if self.named.contains(&slot) && !vars.contains(&var) {
                vars.push(var);
            }
        }
        vars
    }

    pub fn slot_var(&mut self, slot: SlotId) -> Var {
        let next = self.vars;
        let var = *self.slot_vars.entry(slot).or_insert(next);
        if var == next {
            self.vars += 1;
        }
        var
    }

    /// The versions that a call changes.
    pub fn called(&mut self, callee: &Callee) -> Vec<Var> {
        let mut vars = vec![ALL];
        for slot in self.named.clone() {
            if self.effects.may_store(callee, slot) {
                vars.push(self.slot_var(slot));
            }
        }
        vars
    }

    /// The versions that a load from `place` depends on; `None` if it is not remembered.
    pub fn loaded(&mut self, place: &Place) -> Option<Vec<Var>> {
        if let Some(slot) = self.slots.of(self.program, place) {
            return Some(vec![self.slot_var(slot)]);
        }
        let location = Location::of(self.program, place)?;
        let &(_, var) = self.loaded.iter().find(|(loaded, _)| *loaded == location)?;
        Some(vec![ALL, kind_var(location.kind), var])
    }
}

fn kind_var(kind: Kind) -> Var {
    FIRST_KIND + kind.number() as Var
}

/// What is known of the whole program.
#[derive(Clone, Copy)]
pub struct Shared<'a> {
    pub slots: &'a Slots,
    pub effects: &'a Effects,
    pub invariants: &'a Invariants,
    pub overlays: &'a Overlays,
}

impl Shared<'_> {
    fn named(&self, function: &Function) -> Vec<SlotId> {
        let mut named = self.slots.named(function.id).to_vec();
        for &slot in self.slots.named(function.id) {
            let Some(record) = self.slots.record_of(slot) else { continue };
            for related in self.invariants.of(record) {
                let fields = [related.x, related.y].map(|field| self.slots.field(record, field));
                for tied in fields.into_iter().flatten() {
                    if !named.contains(&tied) {
                        named.push(tied);
                    }
                }
            }
        }
        named
    }
}

/// Locations that a function loads from.
struct Loads<'p> {
    program: &'p Program,
    found: Vec<Location>,
    seen: FastSet<Location>,
}

impl<'p> Loads<'p> {
    fn of(program: &'p Program, function: &Function) -> Vec<Location> {
        let mut loads = Loads { program, found: Vec::new(), seen: FastSet::default() };
        loads.block(&function.body);
        loads.found
    }

    fn add(&mut self, place: &Place) {
        let Some(location) = Location::of(self.program, place) else { return };
        // Words are never remembered: what they are read as may differ.
        if location.kind != Kind::Word && self.seen.insert(location) {
            self.found.push(location);
        }
    }

    /// The elements of a zero-terminated sequence.
    fn elements(&mut self, pointer: &Expr) {
        if let Ty::Ptr { to, .. } = *self.program.types.get(pointer.ty) {
            let kind = PlaceKind::Deref(Box::new(pointer.clone()));
            self.add(&Place { kind, ty: to });
        }
    }
}

impl Visitor for Loads<'_> {
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Load(place) => self.add(place),
            ExprKind::ZeroTermSize(pointer) => self.elements(pointer),
            _ => {}
        }
        tenure_core::walk_expr(self, expr);
    }

    fn check(&mut self, check: &Check) {
        if let CheckKind::ZeroTermIndex { ptr, .. } | CheckKind::ZeroTermStore { ptr, .. } =
            &check.kind
        {
            self.elements(ptr);
        }
        tenure_core::walk_check(self, check);
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
        Ty::Array { .. }
        | Ty::Arena
        | Ty::HandlerFrame
        | Ty::Pin
        | Ty::VaList
        | Ty::Func(_)
        | Ty::Void => false,
        _ => true,
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
