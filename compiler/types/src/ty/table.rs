//! The interner of types, regions, effects and sizes, and the tables of nominal types.

use super::{
    DatatypeDef, DatatypeId, Effect, EffectId, EnumDef, EnumId, RecordDef, RecordId, Region,
    RegionId, Size, SizeId, TyVar, TyVarId, Type, TypeFnDef, TypeFnId, TypeId,
};
use index_vec::{Idx, IndexVec};
use std::collections::HashMap;
use std::hash::Hash;

/// Values that are the same id when they are equal.
#[derive(Clone, Debug)]
struct Interner<I: Idx, T> {
    /// By id.
    values: IndexVec<I, T>,
    /// By value.
    ids: HashMap<T, I>,
}

impl<I: Idx, T: Clone + Eq + Hash> Interner<I, T> {
    fn new() -> Self {
        Interner { values: IndexVec::new(), ids: HashMap::new() }
    }

    fn intern(&mut self, value: T) -> I {
        if let Some(&id) = self.ids.get(&value) {
            return id;
        }
        let id = self.values.push(value.clone());
        self.ids.insert(value, id);
        id
    }
}

/// All types of one translation unit.
#[derive(Clone, Debug)]
pub struct TypeTable {
    types: Interner<TypeId, Type>,
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
        self.types.intern(ty)
    }

    pub fn region(&mut self, region: Region) -> RegionId {
        self.regions.intern(region)
    }

    /// Interns an effect; sorts its items and drops duplicates.
    pub fn effect(&mut self, mut effect: Effect) -> EffectId {
        effect.items.sort_by_key(|item| format!("{item:?}"));
        effect.items.dedup();
        self.effects.intern(effect)
    }

    pub fn size(&mut self, size: Size) -> SizeId {
        self.sizes.intern(size)
    }

    pub fn get(&self, id: TypeId) -> &Type {
        &self.types.values[id]
    }

    pub fn get_region(&self, id: RegionId) -> &Region {
        &self.regions.values[id]
    }

    pub fn get_effect(&self, id: EffectId) -> &Effect {
        &self.effects.values[id]
    }

    pub fn get_size(&self, id: SizeId) -> &Size {
        &self.sizes.values[id]
    }
}
