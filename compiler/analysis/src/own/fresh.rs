//! Which parts of a new object are NULL: it is filled through temporaries before a path owns it.

use super::path::{PathId, Step};
use super::solve::Engine;
use super::state::{Fact, State};
use std::collections::BTreeSet;
use tenure_core::{CastKind, Expr, ExprKind, FieldIndex, LocalId, Place, PlaceKind, Ty, TyId};

impl Engine<'_> {
    /// Notes a store to a part of a temporary, or of the new object behind it.
    pub fn filled(&self, place: &Place, value: &Expr, state: &mut State) {
        if let PlaceKind::Field(base, field) = &place.kind {
            let Some(temp) = self.filled_temp(base) else { return };
            let null = self.fact(value, state) == Some(Fact::Null);
            let parts = state.empty_parts.entry(temp).or_default();
            match null {
                true => drop(parts.insert(*field)),
                false => drop(parts.remove(field)),
            }
        } else if let Some(temp) = self.filled_temp(place) {
            let parts = self.empty_parts(value, state);
            state.empty_parts.insert(temp, parts);
        }
    }

    /// The temporary that the place is, or that points to it.
    fn filled_temp(&self, place: &Place) -> Option<LocalId> {
        let local = match &place.kind {
            PlaceKind::Local(local) => *local,
            _ => match place.pointer_path()?.kind {
                PlaceKind::Local(local) => local,
                _ => return None,
            },
        };
        self.paths.root_of_local(local).is_none().then_some(local)
    }

    /// The fields of a record's value that are NULL.
    fn empty_parts(&self, value: &Expr, state: &State) -> BTreeSet<FieldIndex> {
        match &value.kind {
            ExprKind::Aggregate(parts) => {
                let filled = |field: &FieldIndex| {
                    let part = parts.iter().find(|(at, _)| at == field);
                    part.is_some_and(|(_, part)| self.fact(part, state) != Some(Fact::Null))
                };
                self.fields(value.ty).filter(|field| !filled(field)).collect()
            }
            ExprKind::Load(place) => match place.kind {
                PlaceKind::Local(local) => {
                    state.empty_parts.get(&local).cloned().unwrap_or_default()
                }
                _ => BTreeSet::new(),
            },
            ExprKind::Cast(CastKind::PtrView, inner) => self.empty_parts(inner, state),
            _ => BTreeSet::new(),
        }
    }

    fn fields(&self, ty: TyId) -> std::ops::Range<FieldIndex> {
        match self.program.types.get(ty) {
            Ty::Record(id) => {
                let fields = self.program.types.records[*id].fields.as_ref();
                0..fields.map_or(0, |fields| fields.len() as FieldIndex)
            }
            _ => 0..0,
        }
    }

    /// The parts of the record at `path` that a store of `value` makes NULL.
    pub fn emptied(&self, path: PathId, value: &Expr, state: &State) -> Vec<PathId> {
        let parts = self.empty_parts(value, state);
        self.children_at(path, &parts)
    }

    /// The parts of the object behind `path` that are NULL in the new object behind `temp`.
    pub fn empty_behind(&self, path: PathId, temp: LocalId, state: &State) -> Vec<PathId> {
        let Some(parts) = state.empty_parts.get(&temp) else { return Vec::new() };
        let mut objects = self.paths.children(path);
        let object = objects.find(|&child| self.paths.step(child) == Step::Deref);
        object.map_or_else(Vec::new, |object| self.children_at(object, parts))
    }

    fn children_at(&self, path: PathId, fields: &BTreeSet<FieldIndex>) -> Vec<PathId> {
        let wanted = |step| matches!(step, Step::Field(field) if fields.contains(&field));
        self.paths.children(path).filter(|&child| wanted(self.paths.step(child))).collect()
    }
}
