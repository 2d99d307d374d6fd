//! Scalars in memory of which every store is known: globals, elements of global arrays, and fields of records, that no
//! pointer to the scalar itself and no view as another type can reach.
//!
//! Whatever is in such a slot was put there by a statement that names it, or by one that writes a whole record. So a
//! store changes only loads of the same slot, a call only what the functions that it may run store to, and the integers
//! in a slot stay within bounds that hold of its initial value and of everything that is stored, provided that they
//! held before. The bounds start at the initial value and are widened, as stores ask for it, to sizes of arrays, which
//! counters and stack pointers end at.
//!
//! A field belongs to all records of its type together. A record type has slots only if no value of it crosses to
//! another object, no pointer to it (or to what holds it by value) is viewed as another type or the reverse, and no
//! union holds it.

use super::reach::Reach;
use crate::constant::{bounds, int_of, wrap};
use std::collections::BTreeSet;
use tenure_core::{
    Check, CheckKind, Const, Expr, ExprKind, FunctionId, GlobalId, Initializer, IntTy, Linkage,
    Place, PlaceKind, Program, RecordId, RecordKind, Ty, TyId, Visitor,
};
use tenure_span::FastMap;

/// Joins after which bounds are widened to the next size, to greater ones, and after which they are given up.
const EXACT: u32 = 2;
const NEXT: u32 = 6;
const MOST: u32 = 9;

pub type SlotId = u32;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Slot {
    Global(GlobalId),
    /// Any element of the array that the global is.
    Element(GlobalId),
    Field(RecordId, u32),
}

#[derive(Clone, Copy, Debug)]
struct Bounds {
    lo: i128,
    hi: i128,
    all: (i128, i128),
    joins: u32,
}

#[derive(Default)]
pub struct Slots {
    ids: FastMap<Slot, SlotId>,
    /// `None` for what is no integer.
    bounds: Vec<Option<Bounds>>,
    readers: Vec<BTreeSet<FunctionId>>,
    /// By slot, the record whose field it is.
    records: Vec<Option<RecordId>>,
    /// Constants that the slot is compared with.
    compared: Vec<Vec<i128>>,
    /// Slots that each function names.
    named: FastMap<FunctionId, Vec<SlotId>>,
    /// Functions that may store to an integer in a slot, or make a record that has one.
    storing: BTreeSet<FunctionId>,
    /// What a bound is widened to: sizes of arrays and one less, ascending.
    steps: Vec<i128>,
    /// These, and what is less by a constant that is added to an index, ascending.
    sizes: Vec<i128>,
}

impl Slots {
    pub fn new(program: &Program, whole_program: bool) -> Slots {
        let reach = Reach::of(program, whole_program);
        let mut slots = Slots::default();
        for (id, global) in program.globals.iter_enumerated() {
            let own = global.linkage == Linkage::Internal
                || whole_program && global.linkage == Linkage::External;
            if !own || global.is_volatile || global.thread_local {
                continue;
            }
            if is_scalar(program, global.ty) && !reach.is_global_taken(id) {
                slots.add(program, Slot::Global(id), global.ty);
            }
            if let Ty::Array { of, .. } = *program.types.get(global.ty) {
                if is_scalar(program, of) && !reach.is_global_taken(id) {
                    slots.add(program, Slot::Element(id), of);
                }
            }
        }
        if whole_program {
            for (id, record) in program.types.records.iter_enumerated() {
                let plain = matches!(record.kind, RecordKind::Struct | RecordKind::Tuple);
                if !plain || reach.is_escaped(id) {
                    continue;
                }
                for (k, field) in record.fields.iter().flatten().enumerate() {
                    let plain = field.bits.is_none() && !field.quals.is_volatile;
                    if plain && is_scalar(program, field.ty) && !reach.is_field_taken(id, k as u32)
                    {
                        slots.add(program, Slot::Field(id, k as u32), field.ty);
                    }
                }
            }
        }
        for (id, global) in program.globals.iter_enumerated() {
            slots.initial(program, Some(Slot::Global(id)), global.ty, global.init.as_ref());
        }
        slots.scan(program);
        slots
    }

    fn add(&mut self, program: &Program, slot: Slot, ty: TyId) {
        let id = self.bounds.len() as SlotId;
        self.ids.insert(slot, id);
        let all = int_of(program, ty).and_then(bounds);
        // Only a global has a value of its own before anything is stored; all else is zero, or is stored to first.
        let none = matches!(slot, Slot::Global(_));
        let bounds = all.map(|all| match none {
            true => Bounds { lo: i128::MAX, hi: i128::MIN, all, joins: 0 },
            false => Bounds { lo: 0, hi: 0, all, joins: 0 },
        });
        self.bounds.push(bounds);
        self.readers.push(BTreeSet::new());
        self.records.push(match slot {
            Slot::Field(record, _) => Some(record),
            _ => None,
        });
        self.compared.push(Vec::new());
    }

    fn scan(&mut self, program: &Program) {
        let mut scan = Scan { program, slots: self, function: None };
        for function in &program.functions {
            scan.function = Some(function.id);
            scan.block(&function.body);
        }
        self.steps.sort_unstable();
        self.steps.dedup();
        self.sizes.sort_unstable();
        self.sizes.dedup();
    }

    pub fn count(&self) -> usize {
        self.bounds.len()
    }

    /// The slot that a place is.
    pub fn of(&self, program: &Program, place: &Place) -> Option<SlotId> {
        let slot = match &place.kind {
            PlaceKind::Global(id) => Slot::Global(*id),
            PlaceKind::Index(base, _) => match base.kind {
                PlaceKind::Global(id) => Slot::Element(id),
                _ => return None,
            },
            PlaceKind::Field(base, field) => match program.types.get(base.ty) {
                Ty::Record(id) => Slot::Field(*id, *field),
                _ => return None,
            },
            _ => return None,
        };
        self.ids.get(&slot).copied()
    }

    pub fn field(&self, record: RecordId, field: u32) -> Option<SlotId> {
        self.ids.get(&Slot::Field(record, field)).copied()
    }

    /// Bounds of the integer in the slot at any time.
    pub fn range(&self, slot: SlotId) -> Option<(i128, i128)> {
        let bounds = self.bounds[slot as usize].as_ref()?;
        (bounds.lo <= bounds.hi).then_some((bounds.lo, bounds.hi))
    }

    /// Whether stores to the slot have to be looked at.
    pub fn has_bounds(&self, slot: SlotId) -> bool {
        self.bounds[slot as usize].is_some_and(|b| (b.lo, b.hi) != b.all)
    }

    /// Whether the function may store to an integer in a slot.
    pub fn is_storing(&self, id: FunctionId) -> bool {
        self.storing.contains(&id)
    }

    /// The record whose field the slot is.
    pub fn record_of(&self, slot: SlotId) -> Option<RecordId> {
        self.records.get(slot as usize).copied().flatten()
    }

    /// Functions that name a field.
    pub fn readers(&self, record: RecordId, field: u32) -> Vec<FunctionId> {
        let slot = self.field(record, field);
        slot.map_or(Vec::new(), |slot| self.readers[slot as usize].iter().copied().collect())
    }

    /// Constants that bound indices somewhere, ascending.
    pub fn sizes(&self) -> &[i128] {
        &self.sizes
    }

    /// The slots that a function names.
    pub fn named(&self, id: FunctionId) -> &[SlotId] {
        self.named.get(&id).map_or(&[], Vec::as_slice)
    }

    /// The slots in a value of the type, as often as it has them.
    pub fn inside(&self, program: &Program, ty: TyId, found: &mut Vec<SlotId>) {
        // Records nest as deep as their declarations do.
        match program.types.get(ty) {
            Ty::Array { of, .. } => self.inside(program, *of, found),
            Ty::Record(id) => {
                for (k, field) in program.types.records[*id].fields.iter().flatten().enumerate() {
                    match self.field(*id, k as u32) {
                        Some(slot) => found.push(slot),
                        None => self.inside(program, field.ty, found),
                    }
                }
            }
            _ => {}
        }
    }

    fn initial(
        &mut self,
        program: &Program,
        slot: Option<Slot>,
        ty: TyId,
        init: Option<&Initializer>,
    ) {
        let id = slot.and_then(|slot| self.ids.get(&slot).copied());
        match (init, program.types.get(ty)) {
            (Some(Initializer::Record(parts)), Ty::Record(record)) => {
                for (k, part) in parts {
                    let fields = program.types.records[*record].fields.as_deref();
                    let Some(field) = fields.unwrap_or_default().get(*k as usize) else { continue };
                    let inner = Some(Slot::Field(*record, *k));
                    self.initial(program, inner, field.ty, Some(part));
                }
            }
            (Some(Initializer::Array(parts)), Ty::Array { of, .. }) => {
                let inner = match slot {
                    Some(Slot::Global(id)) => Some(Slot::Element(id)),
                    _ => None,
                };
                for (_, part) in parts {
                    let part = match part {
                        Initializer::Repeat { value, .. } => value,
                        part => part,
                    };
                    self.initial(program, inner, *of, Some(part));
                }
            }
            (Some(Initializer::Bytes(_)), Ty::Array { .. }) => {
                if let Some(Slot::Global(id)) = slot {
                    if let Some(&id) = self.ids.get(&Slot::Element(id)) {
                        self.give_up(id);
                    }
                }
            }
            (None, _) => self.take(id, Some(0)),
            (Some(Initializer::Value(Expr { kind: ExprKind::Const(c), ty })), _) => {
                let n = match c {
                    Const::Int(n) => int_of(program, *ty).map(|int| wrap(*n, int)),
                    Const::Zero => Some(0),
                    _ => None,
                };
                self.take(id, n);
            }
            _ => self.take(id, None),
        }
    }

    fn take(&mut self, id: Option<SlotId>, n: Option<i128>) {
        let Some(id) = id else { return };
        let Some(bounds) = self.bounds[id as usize].as_mut() else { return };
        match n.filter(|n| bounds.all.0 <= *n && *n <= bounds.all.1) {
            Some(n) => (bounds.lo, bounds.hi) = (bounds.lo.min(n), bounds.hi.max(n)),
            None => self.give_up(id),
        }
    }

    fn give_up(&mut self, id: SlotId) {
        if let Some(bounds) = self.bounds[id as usize].as_mut() {
            (bounds.lo, bounds.hi) = bounds.all;
        }
    }

    /// Takes in a stored value; the functions that name the slot, if the bounds changed.
    pub fn store(&mut self, id: SlotId, (lo, hi): (i128, i128)) -> Option<Vec<FunctionId>> {
        let bounds = self.bounds[id as usize].as_mut()?;
        let (lo, hi) = (lo.max(bounds.all.0), hi.min(bounds.all.1));
        // A store that no execution comes to.
        if lo > hi || (lo >= bounds.lo && hi <= bounds.hi) {
            return None;
        }
        bounds.joins += 1;
        if lo < bounds.lo {
            bounds.lo = match bounds.joins {
                ..=EXACT => lo,
                ..=MOST if lo >= 0 => 0,
                ..=MOST if lo >= -1 => -1,
                _ => bounds.all.0,
            };
        }
        if hi > bounds.hi {
            let own = self.compared[id as usize].iter().copied().filter(|&n| n >= hi).min();
            // Steps grow, so that few are enough.
            let least = if bounds.joins > NEXT { hi.saturating_mul(4) } else { hi };
            let any = self.steps.iter().copied().find(|&size| size >= least);
            bounds.hi = match (bounds.joins, own.or(any)) {
                (..=EXACT, _) => hi,
                (..=MOST, Some(end)) => end.min(bounds.all.1),
                _ => bounds.all.1,
            };
        }
        Some(self.readers[id as usize].iter().copied().collect())
    }
}

/// What a slot may hold: whatever is followed as one value and has no parts in memory.
fn is_scalar(program: &Program, ty: TyId) -> bool {
    match program.types.get(ty) {
        Ty::Ptr { .. } | Ty::Checked { .. } | Ty::Fat { .. } | Ty::Float(_) | Ty::Handle => true,
        _ => int_of(program, ty).is_some_and(|int| !matches!(int, IntTy::I128 | IntTy::U128)),
    }
}

struct Scan<'s, 'p> {
    program: &'p Program,
    slots: &'s mut Slots,
    function: Option<FunctionId>,
}

impl Scan<'_, '_> {
    fn compared(&mut self, a: &Expr, b: &Expr) {
        if let ExprKind::Const(Const::Int(n)) = b.kind {
            self.slots.sizes.extend([n - 1, n]);
        }
        if let (ExprKind::Load(place), ExprKind::Const(Const::Int(n))) = (&a.kind, &b.kind) {
            if let Some(slot) = self.slots.of(self.program, place) {
                let known = &mut self.slots.compared[slot as usize];
                if !known.contains(n) {
                    known.push(*n);
                }
            }
        }
    }

    fn storing(&mut self) {
        if let Some(function) = self.function {
            self.slots.storing.insert(function);
        }
    }
}

impl Visitor for Scan<'_, '_> {
    fn check(&mut self, check: &Check) {
        if let CheckKind::Index { index, size } = &check.kind {
            if let ExprKind::Const(Const::Int(n)) = size.kind {
                self.slots.steps.extend([n - 1, n]);
                self.slots.sizes.extend([n - 1, n]);
                if let Some(k) = constant_offset(index) {
                    self.slots.sizes.push(n - 1 - k);
                }
            }
        }
        tenure_core::walk_check(self, check);
    }

    fn expr(&mut self, expr: &Expr) {
        if let (ExprKind::Aggregate(_), Ty::Record(id)) =
            (&expr.kind, self.program.types.get(expr.ty))
        {
            let fields = self.program.types.records[*id].fields.iter().flatten();
            if (0..fields.count()).any(|k| self.slots.field(*id, k as u32).is_some()) {
                self.storing();
            }
        }
        if let ExprKind::Binary(op, a, b) = &expr.kind {
            if op.is_comparison() {
                self.compared(a, b);
            }
        }
        tenure_core::walk_expr(self, expr);
    }

    fn place(&mut self, place: &Place) {
        if let (Some(slot), Some(function)) = (self.slots.of(self.program, place), self.function) {
            if self.slots.readers[slot as usize].insert(function) {
                self.slots.named.entry(function).or_default().push(slot);
            }
        }
        tenure_core::walk_place(self, place);
    }

    fn dest(&mut self, place: &Place) {
        if self.slots.of(self.program, place).is_some() {
            self.storing();
        }
        self.place(place);
    }
}

/// The constant that is added to an index.
fn constant_offset(index: &Expr) -> Option<i128> {
    match &index.kind {
        ExprKind::Binary(tenure_core::BinaryOp::Add, _, k) => match k.kind {
            ExprKind::Const(Const::Int(k)) => Some(k),
            _ => None,
        },
        ExprKind::Cast(tenure_core::CastKind::Int, inner) => constant_offset(inner),
        _ => None,
    }
}
