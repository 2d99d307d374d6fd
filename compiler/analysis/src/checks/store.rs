//! What a store changes.

use super::build::Builder;
use super::memory::Access;
use super::slots::SlotId;
use super::value::{Def, ValueId};
use tenure_core::{Place, PlaceKind, TyId};

impl Builder<'_, '_, '_> {
    pub fn store(&mut self, place: &Place, value: ValueId) {
        if let Some(slot) = self.summaries.slots.of(self.program, place) {
            self.store_slot(slot, value);
        }
        match self.memory.access(self.function, place) {
            Access::Value(local, path) => {
                let var = self.memory.local_var(local);
                let ty = self.function.locals[local].ty;
                let value = if path.is_empty() {
                    value
                } else {
                    let old = self.current(var);
                    self.replaced(old, ty, &path, value)
                };
                self.set(var, value);
            }
            Access::Private(local) => {
                let address = self.address_of(place);
                let var = self.memory.local_var(local);
                let memory = self.changed(var);
                self.remember(place, address, memory, value);
            }
            Access::Shared => {
                let address = self.address_of(place);
                for var in self.memory.stored(place) {
                    self.changed(var);
                }
                if let Some(vars) = self.memory.loaded(place) {
                    let memory = self.versions(&vars);
                    self.remember(place, address, memory, value);
                }
                self.publish_field(place);
            }
            Access::Opaque | Access::Volatile => {
                self.publish(value, place.ty);
                for var in self.memory.stored(place) {
                    self.changed(var);
                }
                self.publish_field(place);
            }
        }
    }

    /// Something comes to be in the slot.
    pub fn store_slot(&mut self, slot: SlotId, value: ValueId) {
        if self.summaries.slots.has_bounds(slot) {
            let here = self.here();
            self.stores.push((slot, value, here));
        }
    }

    /// A record with one part, which may lie deeper, replaced.
    fn replaced(&mut self, old: ValueId, ty: TyId, path: &[u32], value: ValueId) -> ValueId {
        let Some((&field, rest)) = path.split_first() else { return value };
        let field_ty = self.field_type(ty, field);
        let range = self.field_range(ty, field);
        let part = self.values.part(old, field, range);
        let part = self.replaced(part, field_ty, rest, value);
        self.values.with(old, field, part)
    }

    fn remember(&mut self, place: &Place, address: ValueId, memory: ValueId, value: ValueId) {
        if !self.is_bit_field(place) {
            let ty = place.ty.index() as u32;
            let def = Def::Load { address, memory, ty };
            self.values.forward(def, value);
        }
    }

    fn is_bit_field(&self, place: &Place) -> bool {
        let PlaceKind::Field(base, index) = &place.kind else { return false };
        let tenure_core::Ty::Record(id) = self.program.types.get(base.ty) else { return false };
        let fields = self.program.types.records[*id].fields.as_deref().unwrap_or_default();
        fields.get(*index as usize).is_none_or(|field| field.bits.is_some())
    }
}
