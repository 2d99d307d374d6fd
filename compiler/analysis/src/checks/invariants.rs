//! What always holds between two fields of one record: `x - y <= k`, where a fat pointer stands for the number of its
//! elements.
//!
//! The fields are slots ([`super::slots`]), so that every store to them is known. A relation is assumed of every record
//! in memory, of every record that a function is given and of every result; and it is shown wherever a record comes to
//! be there: after a store to one of the fields, where a whole record is stored, passed or returned. A local record
//! whose address nobody takes may be filled in any order. What cannot be shown is weakened, then dropped, and all that
//! may have relied on it is looked at again: so in the end, by induction over the steps of an execution, what is left
//! holds.

use super::build::Builder;
use super::facts::{Relation, Source};
use super::prove::{At, Prover};
use super::slots::Slots;
use super::value::{ValueId, IDX, LEN};
use crate::cfg::Cfg;
use crate::order::Order;
use tenure_core::{
    Const, Expr, ExprKind, Initializer, Place, PlaceKind, Program, RecordId, StmtKind, Ty, TyId,
    Visitor,
};
use tenure_span::{FastMap, FastSet, Span};

/// Fields of a record that are related; a larger record has no relations.
const MOST_FIELDS: usize = 8;

#[derive(Clone, Copy, Debug)]
pub struct Related {
    pub x: u32,
    pub y: u32,
    /// `None`: dropped.
    pub k: Option<i128>,
}

#[derive(Default)]
pub struct Invariants {
    by_record: FastMap<RecordId, Vec<Related>>,
}

/// A claim that the relation of the record with this number holds of two values.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    pub record: RecordId,
    pub number: usize,
    pub x: ValueId,
    pub y: ValueId,
    pub at: At,
}

impl Invariants {
    pub fn new(program: &Program, graphs: &[(Cfg, Order)], slots: &Slots) -> Invariants {
        let zeroed = Zeroed::of(program, graphs);
        let mut by_record = FastMap::default();
        for (id, record) in program.types.records.iter_enumerated() {
            if zeroed.held.contains(&id) {
                continue;
            }
            let fields = record.fields.as_deref().unwrap_or_default();
            let wanted = |ty: TyId| match program.types.get(ty) {
                Ty::Int(int) => int.bits() >= 16,
                Ty::Fat { .. } => true,
                _ => false,
            };
            let known: Vec<(u32, bool)> = (0..fields.len() as u32)
                .filter(|&k| slots.field(id, k).is_some() && wanted(fields[k as usize].ty))
                .map(|k| (k, matches!(program.types.get(fields[k as usize].ty), Ty::Int(_))))
                .collect();
            if known.len() < 2 || known.len() > MOST_FIELDS {
                continue;
            }
            let less = if zeroed.zeroed.contains(&id) { 0 } else { -1 };
            let mut list = Vec::new();
            for &(x, _) in known.iter().filter(|(_, is_int)| *is_int) {
                let others = known.iter().filter(|(y, _)| *y != x);
                // Two numbers that are both less than the other would be a contradiction to begin with.
                list.extend(others.map(|&(y, is_int)| {
                    let k = Some(if is_int { 0 } else { less });
                    Related { x, y, k }
                }));
            }
            if !list.is_empty() {
                by_record.insert(id, list);
            }
        }
        Invariants { by_record }
    }

    pub fn of(&self, record: RecordId) -> &[Related] {
        self.by_record.get(&record).map_or(&[], Vec::as_slice)
    }

    /// Shows the claim, or weakens what it claims; the fields that the relation is about, if it changed.
    pub fn settle(&mut self, claim: &Claim, prover: &mut Prover) -> Option<(u32, u32)> {
        let related = &mut self.by_record.get_mut(&claim.record)?[claim.number];
        let old = related.k?;
        let shown = (old..=0).find(|&k| prover.at_most(claim.x, claim.y, k, claim.at));
        if shown == related.k {
            return None;
        }
        related.k = shown;
        Some((related.x, related.y))
    }
}

/// Records that come to be as zeros, and those that other records or initialised globals hold.
struct Zeroed<'p> {
    program: &'p Program,
    zeroed: FastSet<RecordId>,
    held: FastSet<RecordId>,
}

impl<'p> Zeroed<'p> {
    fn of(program: &'p Program, graphs: &[(Cfg, Order)]) -> Zeroed<'p> {
        let mut found = Zeroed { program, zeroed: FastSet::default(), held: FastSet::default() };
        for (function, (cfg, _)) in program.functions.iter().zip(graphs) {
            for (id, local) in function.locals.iter_enumerated() {
                if cfg.zeroed.contains(id.index()) {
                    found.zero(local.ty);
                }
            }
            found.block(&function.body);
        }
        for global in &program.globals {
            match &global.init {
                None => found.zero(global.ty),
                Some(Initializer::Value(_)) => {}
                Some(_) => {
                    let held = found.records(global.ty);
                    found.held.extend(held);
                }
            }
        }
        for record in &program.types.records {
            for field in record.fields.iter().flatten() {
                let is_record = matches!(program.types.get(field.ty), Ty::Record(_));
                let records = if is_record { found.records(field.ty) } else { Vec::new() };
                found.held.extend(records);
            }
        }
        found
    }

    fn zero(&mut self, ty: TyId) {
        let zeroed = self.records(ty);
        self.zeroed.extend(zeroed);
    }

    /// The records that a value of the type is or holds.
    fn records(&self, ty: TyId) -> Vec<RecordId> {
        let (mut found, mut work) = (Vec::new(), vec![ty]);
        while let Some(ty) = work.pop() {
            match self.program.types.get(ty) {
                Ty::Array { of, .. } => work.push(*of),
                Ty::Record(id) if !found.contains(id) => {
                    found.push(*id);
                    let fields = self.program.types.records[*id].fields.iter().flatten();
                    work.extend(fields.map(|field| field.ty));
                }
                _ => {}
            }
        }
        found
    }
}

impl Visitor for Zeroed<'_> {
    fn stmt(&mut self, stmt: &tenure_core::Stmt) {
        match &stmt.kind {
            StmtKind::Zero(place) => self.zero(place.ty),
            StmtKind::Alloc(alloc) => self.zero(alloc.elem),
            _ => {}
        }
        tenure_core::walk_stmt(self, stmt);
    }

    fn expr(&mut self, expr: &Expr) {
        if matches!(expr.kind, ExprKind::Const(Const::Zero)) {
            self.zero(expr.ty);
        }
        tenure_core::walk_expr(self, expr);
    }
}

impl Builder<'_, '_, '_> {
    fn record(&self, ty: TyId) -> Option<RecordId> {
        match self.program.types.get(ty) {
            Ty::Record(id) => Some(*id),
            _ => None,
        }
    }

    /// The number of elements of a fat pointer, or the value itself.
    pub fn extent_of(&mut self, value: ValueId, ty: TyId) -> ValueId {
        match self.program.types.get(ty) {
            Ty::Fat { .. } => {
                let [idx, len] = [IDX, LEN].map(|part| self.values.fat_part(value, part));
                self.values.count(idx, len)
            }
            _ => value,
        }
    }

    fn field_value(&mut self, whole: ValueId, record: TyId, field: u32) -> ValueId {
        let range = self.field_range(record, field);
        let value = self.values.part(whole, field, range);
        let ty = self.field_type(record, field);
        self.extent_of(value, ty)
    }

    /// A record of the type comes to where all relations are assumed.
    pub fn publish(&mut self, whole: ValueId, ty: TyId) {
        let Some(record) = self.record(ty) else { return };
        let summaries = self.summaries;
        for (number, related) in summaries.invariants.of(record).iter().enumerate() {
            if related.k.is_some() {
                let x = self.field_value(whole, ty, related.x);
                let y = self.field_value(whole, ty, related.y);
                let at = self.here();
                self.claims.push(Claim { record, number, x, y, at });
            }
        }
    }

    /// A record of the type comes from where all relations hold.
    pub fn obtain(&mut self, whole: ValueId, ty: TyId) {
        let Some(record) = self.record(ty) else { return };
        let summaries = self.summaries;
        for related in summaries.invariants.of(record) {
            if let Some(k) = related.k {
                let x = self.field_value(whole, ty, related.x);
                let y = self.field_value(whole, ty, related.y);
                let place = self.here();
                self.fact(Relation::AtMost, (x, y, k), place, Source::Branch(Span::NONE));
            }
        }
    }

    /// The relations that involve a field in memory, with the values of both fields now.
    fn related(&mut self, place: &Place) -> Vec<(RecordId, usize, i128, ValueId, ValueId)> {
        let PlaceKind::Field(base, field) = &place.kind else { return Vec::new() };
        let Some(record) = self.record(base.ty) else { return Vec::new() };
        let summaries = self.summaries;
        let list = summaries.invariants.of(record);
        if list.is_empty() {
            return Vec::new();
        }
        let address = self.address_of(base);
        let mut found = Vec::new();
        for (number, related) in list.iter().enumerate() {
            let Some(k) = related.k else { continue };
            if related.x == *field || related.y == *field {
                let x = self.field_in_memory(address, base.ty, record, related.x);
                let y = self.field_in_memory(address, base.ty, record, related.y);
                if let (Some(x), Some(y)) = (x, y) {
                    found.push((record, number, k, x, y));
                }
            }
        }
        found
    }

    fn field_in_memory(
        &mut self,
        address: ValueId,
        ty: TyId,
        record: RecordId,
        field: u32,
    ) -> Option<ValueId> {
        let slot = self.summaries.slots.field(record, field)?;
        let var = self.memory.slot_var(slot);
        let memory = self.current(var);
        let address = self.values.field_of(address, field);
        let range = self.field_range(ty, field);
        let field_ty = self.field_type(ty, field);
        let value = self.load_from(address, memory, field_ty, range);
        Some(self.extent_of(value, field_ty))
    }

    /// A field of a record in memory was stored to: its relations have to hold again.
    pub fn publish_field(&mut self, place: &Place) {
        for (record, number, _, x, y) in self.related(place) {
            let at = self.here();
            self.claims.push(Claim { record, number, x, y, at });
        }
    }

    /// A field of a record in memory is loaded.
    pub fn obtain_field(&mut self, place: &Place) {
        for (_, _, k, x, y) in self.related(place) {
            let at = self.here();
            if self.obtained.insert((x, y, at.0)) {
                self.fact(Relation::AtMost, (x, y, k), at, Source::Branch(Span::NONE));
            }
        }
    }
}
