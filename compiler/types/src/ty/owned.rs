//! Which values are owned: copied by nobody, consumed instead (LANGUAGE, section 3).

use super::{
    GenericArg, Kind, RecordSort, Region, RegionId, TyVarId, Type, TypeFnId, TypeId, TypeTable,
};

/// How a value is owned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owned {
    /// A pointer into `` `U ``, or into a region that may be `` `U ``; a value of a type variable that may stand for
    /// one.
    Unique,
    /// A pointer into `` `RC ``.
    Counted,
    /// A struct, union, tuple or array with something owned in it.
    Aggregate,
}

/// What the parameters of the record around stand for.
#[derive(Clone, Copy)]
struct Env<'e> {
    params: &'e [TyVarId],
    args: &'e [GenericArg],
    outer: Option<&'e Env<'e>>,
    /// Records around.
    depth: u32,
}

const EMPTY: Env<'static> = Env { params: &[], args: &[], outer: None, depth: 0 };

/// A record cannot be in itself except behind a pointer; one that is all the same has been reported.
const DEEPEST: u32 = 200;

impl<'e> Env<'e> {
    fn get(&self, var: TyVarId) -> Option<(GenericArg, &'e Env<'e>)> {
        let index = self.params.iter().position(|&param| param == var)?;
        Some((*self.args.get(index)?, self.outer.unwrap_or(&EMPTY)))
    }

    fn inside(&'e self, params: &'e [TyVarId], args: &'e [GenericArg]) -> Env<'e> {
        Env { params, args, outer: Some(self), depth: self.depth + 1 }
    }
}

impl TypeTable {
    /// Whether and how values of the type are owned. Inference variables are taken to be not.
    pub fn owned(&self, ty: TypeId) -> Option<Owned> {
        self.owned_in(ty, &EMPTY)
    }

    /// The leaves of an owned value, each by the members that lead to it: owned pointers and values of type variables,
    /// and what is only ever moved whole (unions and arrays with something owned in them). Pointers are not followed.
    pub fn owned_leaves(&self, ty: TypeId) -> Vec<(Vec<u32>, Owned)> {
        let mut leaves = Vec::new();
        self.leaves_in(ty, &EMPTY, &mut Vec::new(), &mut leaves);
        leaves
    }

    fn leaves_in(
        &self,
        ty: TypeId,
        env: &Env,
        path: &mut Vec<u32>,
        leaves: &mut Vec<(Vec<u32>, Owned)>,
    ) {
        let Some(owned) = self.owned_in(ty, env) else { return };
        let mut part = |number: usize, ty: TypeId, env: &Env| {
            path.push(number as u32);
            self.leaves_in(ty, env, path, leaves);
            path.pop();
        };
        match self.get(ty) {
            Type::Var(var) => match env.get(*var) {
                Some((GenericArg::Type(ty), outer)) => self.leaves_in(ty, outer, path, leaves),
                _ => leaves.push((path.clone(), owned)),
            },
            Type::Tuple(fields) => {
                for (number, field) in fields.iter().enumerate() {
                    part(number, field.ty, env);
                }
            }
            Type::Record(id, args) if self.records[*id].sort == RecordSort::Struct => {
                let def = &self.records[*id];
                let inner = env.inside(&def.params, args);
                for (number, field) in def.fields.iter().flatten().enumerate() {
                    part(number, field.ty.ty, &inner);
                }
            }
            Type::Variant(id, variant, args) => {
                let def = &self.datatypes[*id];
                let inner = env.inside(&def.params, args);
                let variant = def.variants.iter().flatten().nth(*variant as usize);
                for (number, arg) in variant.iter().flat_map(|variant| &variant.args).enumerate() {
                    part(number, arg.ty, &inner);
                }
            }
            _ => leaves.push((path.clone(), owned)),
        }
    }

    /// Whether pointers into the region are owned.
    pub fn owned_region(&self, region: RegionId) -> Option<Owned> {
        self.owned_region_in(region, &EMPTY)
    }

    /// Whether pointers into the region are references of the checked heap, which no other pointer is represented like.
    pub fn is_checked(&self, region: RegionId) -> bool {
        matches!(self.get_region(region), Region::Checked)
    }

    /// Whether the region outlives no other one and is outlived by none: a pointer into it flows to the region itself
    /// alone.
    pub fn stands_alone(&self, region: RegionId) -> bool {
        self.is_checked(region) || self.owned_region(region).is_some()
    }

    /// Whether a value of the type is a reference of the checked heap.
    pub fn is_reference(&self, ty: TypeId) -> bool {
        matches!(self.get(ty), Type::Pointer(pointer) if self.is_checked(pointer.region))
    }

    fn owned_region_in(&self, region: RegionId, env: &Env) -> Option<Owned> {
        match *self.get_region(region) {
            Region::Unique => Some(Owned::Unique),
            Region::Counted => Some(Owned::Counted),
            Region::Var(var) => match env.get(var) {
                Some((GenericArg::Region(region), outer)) => self.owned_region_in(region, outer),
                _ => (self.vars[var].kind == Kind::UniqueRegion).then_some(Owned::Unique),
            },
            Region::Apply(function, _) => self.owned_function(function),
            Region::Heap | Region::Checked | Region::Infer(_) | Region::Error => None,
        }
    }

    fn owned_function(&self, function: TypeFnId) -> Option<Owned> {
        (self.type_fns[function].result == Kind::UniqueRegion).then_some(Owned::Unique)
    }

    fn owned_in(&self, ty: TypeId, env: &Env) -> Option<Owned> {
        match self.get(ty) {
            Type::Pointer(pointer) => self.owned_region_in(pointer.region, env),
            Type::Var(var) => match env.get(*var) {
                Some((GenericArg::Type(ty), outer)) => self.owned_in(ty, outer),
                _ => self.vars[*var].unique.then_some(Owned::Unique),
            },
            Type::Array { elem, .. } => self.part(elem.ty, env),
            Type::Tuple(fields) => fields.iter().find_map(|field| self.part(field.ty, env)),
            Type::Record(..) | Type::Variant(..) | Type::Datatype(..) if env.depth > DEEPEST => {
                Some(Owned::Aggregate)
            }
            Type::Datatype(id, args) => {
                let def = &self.datatypes[*id];
                let inner = env.inside(&def.params, args);
                let mut parts = def.variants.iter().flatten().flat_map(|variant| &variant.args);
                parts.find_map(|arg| self.part(arg.ty, &inner))
            }
            Type::Record(id, args) => {
                let def = &self.records[*id];
                let inner = env.inside(&def.params, args);
                self.parts(def.fields.iter().flatten().map(|field| field.ty.ty), &inner)
            }
            Type::Variant(id, variant, args) => {
                let def = &self.datatypes[*id];
                let inner = env.inside(&def.params, args);
                let variant = def.variants.as_ref()?.get(*variant as usize)?;
                variant.args.iter().find_map(|arg| self.part(arg.ty, &inner))
            }
            _ => None,
        }
    }

    /// Of several parts each type is looked into once, or a tower of structs with two members each would take for ever.
    fn parts(&self, parts: impl Iterator<Item = TypeId>, env: &Env) -> Option<Owned> {
        let mut seen: Vec<TypeId> = Vec::new();
        for ty in parts {
            let compound = !matches!(self.get(ty), Type::Pointer(_) | Type::Var(_));
            if compound && seen.contains(&ty) {
                continue;
            }
            if let Some(owned) = self.part(ty, env) {
                return Some(owned);
            }
            if compound {
                seen.push(ty);
            }
        }
        None
    }

    fn part(&self, ty: TypeId, env: &Env) -> Option<Owned> {
        self.owned_in(ty, env).map(|_| Owned::Aggregate)
    }
}
