//! The parts of locals that definite assignment follows: whole scalars and arrays, and the fields of records.

use std::ops::Range;
use tenure_core::{Function, LocalId, LocalKind, Place, PlaceKind, Program, RecordKind, Ty, TyId};

/// Fields of one local that are followed; a larger record is one unit.
const MOST: usize = 64;
/// Records in records that are looked into.
const DEEPEST: u32 = 64;

pub struct Units<'a> {
    program: &'a Program,
    function: &'a Function,
    /// Units of each local; empty for those that are not followed.
    ranges: Vec<Range<usize>>,
    /// Whether the unit is or holds an array, or is a record too large to follow: it is assigned part by part.
    pub arrays: Vec<bool>,
}

/// The part of a local that a place is.
pub struct Part {
    pub local: LocalId,
    pub units: Range<usize>,
    /// Assigning the place assigns all of the units. A member of a union does; an element and what lies in one does
    /// not.
    pub covers: bool,
}

impl<'a> Units<'a> {
    pub fn new(program: &'a Program, function: &'a Function) -> Units<'a> {
        let mut units = Units { program, function, ranges: Vec::new(), arrays: Vec::new() };
        for local in &function.locals {
            let start = units.arrays.len();
            if local.kind == LocalKind::User {
                units.add(local.ty);
            }
            units.ranges.push(start..units.arrays.len());
        }
        units
    }

    pub fn count(&self) -> usize {
        self.arrays.len()
    }

    pub fn of(&self, local: LocalId) -> Range<usize> {
        self.ranges[local.index()].clone()
    }

    fn add(&mut self, ty: TyId) {
        match self.program.types.get(ty) {
            Ty::Arena | Ty::HandlerFrame | Ty::Pin | Ty::VaList | Ty::Void | Ty::Func(_) => {}
            Ty::Array { .. } => self.arrays.push(true),
            _ => {
                let leaves = self.leaves(ty, 0);
                if leaves > 1 && leaves <= MOST {
                    self.add_fields(ty);
                } else {
                    self.arrays.push(self.is_in_parts(ty, 0));
                }
            }
        }
    }

    fn add_fields(&mut self, ty: TyId) {
        for field in self.fields(ty) {
            match self.program.types.get(field) {
                Ty::Array { .. } => self.arrays.push(true),
                _ if self.leaves(field, 0) > 1 => self.add_fields(field),
                _ => self.arrays.push(self.is_in_parts(field, 0)),
            }
        }
    }

    /// What is one unit but need not be assigned at once.
    fn is_in_parts(&self, ty: TyId, depth: u32) -> bool {
        match self.program.types.get(ty) {
            Ty::Array { .. } => true,
            Ty::Record(id) => {
                let too_large = depth > DEEPEST || self.leaves(ty, depth) > 1;
                let mut fields = self.program.types.records[*id].fields.iter().flatten();
                too_large || fields.any(|field| self.is_in_parts(field.ty, depth + 1))
            }
            _ => false,
        }
    }

    fn is_union(&self, ty: TyId) -> bool {
        match self.program.types.get(ty) {
            Ty::Record(id) => matches!(
                self.program.types.records[*id].kind,
                RecordKind::Union | RecordKind::TaggedUnion
            ),
            _ => false,
        }
    }

    /// Types of the fields of a plain record.
    fn fields(&self, ty: TyId) -> Vec<TyId> {
        match self.program.types.get(ty) {
            Ty::Record(id) => {
                if self.is_union(ty) {
                    return Vec::new();
                }
                self.program.types.records[*id]
                    .fields
                    .iter()
                    .flatten()
                    .map(|field| field.ty)
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    /// How many fields a type has in the end; any number above `MOST` says that there are too many to follow.
    fn leaves(&self, ty: TyId, depth: u32) -> usize {
        let fields = self.fields(ty);
        if depth > DEEPEST {
            return MOST + 1;
        }
        let mut count = 0;
        for field in &fields {
            count += self.leaves(*field, depth + 1);
            if count > MOST {
                break;
            }
        }
        count.max(1)
    }

    /// The followed part that `place` is or lies in, if it is in a local without any pointer in between.
    pub fn part(&self, place: &Place) -> Option<Part> {
        let mut path = Vec::new();
        let mut at = place;
        loop {
            match &at.kind {
                PlaceKind::Field(base, field) => {
                    path.push(Some(*field));
                    at = base;
                }
                PlaceKind::Index(base, _) => {
                    path.push(None);
                    at = base;
                }
                PlaceKind::Local(local) => return self.follow(*local, &path),
                _ => return None,
            }
        }
    }

    fn follow(&self, local: LocalId, path: &[Option<u32>]) -> Option<Part> {
        let mut units = self.of(local);
        if units.is_empty() {
            return None;
        }
        let mut ty = self.function.locals[local].ty;
        for (at, step) in path.iter().enumerate().rev() {
            let fields = self.fields(ty);
            let followed = units.len() > 1 || fields.len() == 1;
            let (Some(field), true) = (step, followed && !fields.is_empty()) else {
                let covers = self.is_union(ty) && path[..=at].iter().all(Option::is_some);
                return Some(Part { local, units, covers });
            };
            if units.len() == 1 {
                ty = fields[0];
                continue;
            }
            let mut start = units.start;
            for &before in fields.iter().take(*field as usize) {
                start += self.leaves_of_field(before);
            }
            ty = *fields.get(*field as usize)?;
            units = start..start + self.leaves_of_field(ty);
        }
        Some(Part { local, units, covers: true })
    }

    fn leaves_of_field(&self, ty: TyId) -> usize {
        match self.program.types.get(ty) {
            Ty::Array { .. } => 1,
            _ => self.leaves(ty, 0).max(1),
        }
    }

    /// How the user would write the first of the units that `missing` accepts.
    pub fn name(&self, local: LocalId, missing: impl Fn(usize) -> bool) -> String {
        let declared = &self.function.locals[local];
        let mut text = declared.name.map_or("it".to_string(), |name| name.as_str().to_string());
        let mut units = self.of(local);
        let all = units.clone().all(&missing);
        let mut ty = declared.ty;
        while !all && units.len() > 1 {
            let Ty::Record(id) = self.program.types.get(ty) else { break };
            let mut start = units.start;
            let mut found = None;
            for field in self.program.types.records[*id].fields.iter().flatten() {
                let range = start..start + self.leaves_of_field(field.ty);
                if found.is_none() && range.clone().any(&missing) {
                    found = Some((field, range.clone()));
                }
                start = range.end;
            }
            let Some((field, range)) = found else { break };
            if let Some(name) = field.name {
                text.push('.');
                text.push_str(name.as_str());
            }
            (ty, units) = (field.ty, range);
        }
        text
    }
}
