//! The interner of types, regions, effects and sizes, and the tables of nominal types.

use super::{
    DatatypeDef, DatatypeId, Effect, EffectId, EnumDef, EnumId, Flags, RecordDef, RecordId, Region,
    RegionId, Size, SizeId, TyVar, TyVarId, Type, TypeFnDef, TypeFnId, TypeId,
};
use index_vec::{Idx, IndexVec};
use std::hash::Hash;
use tenure_span::FastMap;

/// Values that are the same id when they are equal.
#[derive(Clone, Debug)]
struct Interner<I: Idx, T> {
    /// By id, with what occurs inside.
    values: IndexVec<I, (T, Flags)>,
    /// By value.
    ids: FastMap<T, I>,
}

impl<I: Idx, T: Clone + Eq + Hash> Interner<I, T> {
    fn new() -> Self {
        Interner { values: IndexVec::new(), ids: FastMap::default() }
    }

    fn add(&mut self, value: T, flags: Flags) -> I {
        let id = self.values.push((value.clone(), flags));
        self.ids.insert(value, id);
        id
    }
}

/// All types of one translation unit.
#[derive(Clone, Debug)]
pub struct TypeTable {
    types: Interner<TypeId, Type>,
    /// How many parts each type has.
    extents: IndexVec<TypeId, u32>,
    regions: Interner<RegionId, Region>,
    effects: Interner<EffectId, Effect>,
    sizes: Interner<SizeId, Size>,
    pub vars: IndexVec<TyVarId, TyVar>,
    pub records: IndexVec<RecordId, RecordDef>,
    pub enums: IndexVec<EnumId, EnumDef>,
    pub datatypes: IndexVec<DatatypeId, DatatypeDef>,
    pub type_fns: IndexVec<TypeFnId, TypeFnDef>,
}

impl Default for TypeTable {
    fn default() -> Self {
        TypeTable {
            types: Interner::new(),
            extents: IndexVec::new(),
            regions: Interner::new(),
            effects: Interner::new(),
            sizes: Interner::new(),
            vars: IndexVec::new(),
            records: IndexVec::new(),
            enums: IndexVec::new(),
            datatypes: IndexVec::new(),
            type_fns: IndexVec::new(),
        }
    }
}

impl TypeTable {
    pub fn intern(&mut self, ty: Type) -> TypeId {
        match self.types.ids.get(&ty) {
            Some(&id) => id,
            None => {
                let flags = self.flags_of(&ty);
                self.extents.push(self.extent_of(&ty));
                self.types.add(ty, flags)
            }
        }
    }

    pub fn region(&mut self, region: Region) -> RegionId {
        match self.regions.ids.get(&region) {
            Some(&id) => id,
            None => {
                let flags = self.flags_of_region(&region);
                self.regions.add(region, flags)
            }
        }
    }

    /// Interns an effect; sorts its items and drops duplicates.
    pub fn effect(&mut self, mut effect: Effect) -> EffectId {
        effect.items.sort_unstable();
        effect.items.dedup();
        match self.effects.ids.get(&effect) {
            Some(&id) => id,
            None => {
                let flags = self.flags_of_effect(&effect);
                self.effects.add(effect, flags)
            }
        }
    }

    pub fn size(&mut self, size: Size) -> SizeId {
        match self.sizes.ids.get(&size) {
            Some(&id) => id,
            None => {
                let flags = self.flags_of_size(&size);
                self.sizes.add(size, flags)
            }
        }
    }

    pub fn get(&self, id: TypeId) -> &Type {
        &self.types.values[id].0
    }

    /// How many parts a type has, where it is written out.
    pub fn extent(&self, id: TypeId) -> u32 {
        self.extents[id]
    }

    pub fn get_region(&self, id: RegionId) -> &Region {
        &self.regions.values[id].0
    }

    pub fn get_effect(&self, id: EffectId) -> &Effect {
        &self.effects.values[id].0
    }

    pub fn get_size(&self, id: SizeId) -> &Size {
        &self.sizes.values[id].0
    }

    /// What occurs in the type.
    pub fn flags(&self, id: TypeId) -> Flags {
        self.types.values[id].1
    }

    pub fn region_flags(&self, id: RegionId) -> Flags {
        self.regions.values[id].1
    }

    pub fn effect_flags(&self, id: EffectId) -> Flags {
        self.effects.values[id].1
    }

    pub fn size_flags(&self, id: SizeId) -> Flags {
        self.sizes.values[id].1
    }
}
