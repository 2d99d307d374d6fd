//! Demands on regions, collected over a body.

use super::Checker;
use crate::ty::{
    Effect, EffectId, EffectItem, FunctionType, GenericArg, Kind, Region, RegionId, TyVar, TyVarId,
    TyVarOrigin, Type, TypeId,
};
use tenure_span::Span;

use super::Subst;

/// Where a demand comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    /// The expression whose pointer flows, or that is accessed.
    pub span: Span,
    /// Where the other side was stated, if that has a place.
    pub declared: Span,
}

impl Origin {
    pub fn at(span: Span) -> Origin {
        Origin { span, declared: Span::NONE }
    }
}

/// `longer` outlives `shorter`: a pointer flows from a type with the one to a type with the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Constraint {
    pub longer: RegionId,
    pub shorter: RegionId,
    pub origin: Origin,
}

/// A demand that is checked when everything is solved.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Requirement {
    /// The region is live where it is used.
    Live { region: RegionId, scope: Option<TyVarId>, origin: Origin, what: &'static str },
    /// The region may be named in `scope`.
    InScope { region: RegionId, scope: Option<TyVarId>, origin: Origin },
    /// All regions of the effect outlive the region (a bound of a callee or a constructor).
    Bound { set: EffectId, region: RegionId, origin: Origin },
    /// The effect of a function value is within that of the function type it is used at.
    Within { inner: EffectId, outer: EffectId, origin: Origin },
    /// All regions of the effect are live.
    LiveEffect { effect: EffectId, scope: Option<TyVarId>, origin: Origin, what: &'static str },
}

impl Checker<'_> {
    /// `longer` must outlive `shorter`: demanded where a pointer flows from one to the other.
    pub fn outlives(&mut self, longer: RegionId, shorter: RegionId, origin: Origin) {
        let (longer, shorter) = (self.shallow_region(longer), self.shallow_region(shorter));
        if longer == shorter || self.known_outlives(longer, shorter) {
            return;
        }
        self.infer.constraints.push(Constraint { longer, shorter, origin });
    }

    /// The region must be live here.
    pub fn require_live(&mut self, region: RegionId, span: Span, what: &'static str) {
        let region = self.shallow_region(region);
        let scope = self.scopes.regions.current();
        if self.is_live(region, scope) {
            return;
        }
        let origin = Origin::at(span);
        self.infer.requirements.push(Requirement::Live { region, scope, origin, what });
    }

    /// All regions of the effect must be live here.
    pub fn require_effect(&mut self, effect: EffectId, span: Span, what: &'static str) {
        if effect == self.basics.no_effect {
            return;
        }
        let scope = self.scopes.regions.current();
        let origin = Origin::at(span);
        self.infer.requirements.push(Requirement::LiveEffect { effect, scope, origin, what });
    }

    /// All regions of `set` must outlive `region`.
    pub fn require_bound(&mut self, set: EffectId, region: RegionId, origin: Origin) {
        self.infer.requirements.push(Requirement::Bound { set, region, origin });
    }

    /// Bounds of a function type or constructor, at an instance.
    pub fn require_bounds(&mut self, bounds: &[(EffectId, RegionId)], origin: Origin) {
        for &(set, region) in bounds {
            self.require_bound(set, region, origin);
        }
    }

    /// Whether a known region is live in `scope`; false if it is not known yet.
    pub(super) fn is_live(&self, region: RegionId, scope: Option<TyVarId>) -> bool {
        match *self.types.get_region(region) {
            Region::Heap | Region::Unique | Region::Counted | Region::Checked | Region::Error => {
                true
            }
            Region::Infer(_) => self.live_by_effect(region),
            Region::Var(var) if self.scopes.regions.get(var).is_some() => {
                scope.is_some_and(|scope| self.scopes.regions.encloses(var, scope))
            }
            Region::Var(_) | Region::Apply(..) => {
                self.live_by_effect(region) || self.is_open(region, scope)
            }
        }
    }

    /// Whether the scope is inside one where the region's key is open.
    fn is_open(&self, region: RegionId, scope: Option<TyVarId>) -> bool {
        self.infer.opens.iter().any(|&(open, home)| {
            open == region && scope.is_some_and(|scope| self.scopes.regions.encloses(home, scope))
        })
    }

    /// Live because the function's effect says so, or because it outlives something live.
    fn live_by_effect(&self, region: RegionId) -> bool {
        if self.infer.live.contains(&EffectItem::Region(region)) {
            return true;
        }
        self.infer.facts.iter().any(|&(set, bound)| {
            let items = &self.types.get_effect(set).items;
            items.contains(&EffectItem::Region(region))
                && bound != region
                && self.bound_is_live(bound, 0)
        })
    }

    fn bound_is_live(&self, region: RegionId, depth: u32) -> bool {
        match *self.types.get_region(region) {
            Region::Heap => return true,
            // A block's region is live wherever it can be named.
            Region::Var(var) if self.scopes.regions.get(var).is_some() => return true,
            _ => {}
        }
        self.infer.live.contains(&EffectItem::Region(region))
            || depth < 16
                && self.infer.facts.iter().any(|&(set, bound)| {
                    let items = &self.types.get_effect(set).items;
                    items.contains(&EffectItem::Region(region))
                        && bound != region
                        && self.bound_is_live(bound, depth + 1)
                })
    }

    /// `regions(T)` for a type variable is live.
    pub(super) fn regions_of_var_live(&self, ty: TypeId) -> bool {
        let item = EffectItem::RegionsOf(ty);
        self.infer.live.contains(&item)
            || self.infer.facts.iter().any(|&(set, bound)| {
                self.types.get_effect(set).items.contains(&item) && self.bound_is_live(bound, 0)
            })
    }

    /// Whether one known region outlives the other, by their nature or by a declared bound.
    pub(super) fn known_outlives(&self, longer: RegionId, shorter: RegionId) -> bool {
        self.outlives_within(longer, shorter, 16)
    }

    fn outlives_within(&self, longer: RegionId, shorter: RegionId, fuel: u32) -> bool {
        if longer == shorter {
            return !matches!(self.types.get_region(longer), Region::Infer(_)) || longer == shorter;
        }
        let (a, b) = (self.types.get_region(longer), self.types.get_region(shorter));
        match (a, b) {
            (Region::Error, _) | (_, Region::Error) => return true,
            // What may be owned is ordered with nothing: whoever has the one pointer may free the object at any time.
            // Nor is what is checked at each access: its pointers are no addresses.
            _ if self.types.stands_alone(longer) || self.types.stands_alone(shorter) => {
                return false
            }
            (Region::Heap, Region::Infer(_)) => return false,
            (Region::Heap, _) => return true,
            (Region::Infer(_), _) | (_, Region::Infer(_)) => return false,
            _ => {}
        }
        // An open region is kept until the scope of the open ends.
        if let &Region::Var(inner) = b {
            if self.scopes.regions.get(inner).is_some() && self.is_open(longer, Some(inner)) {
                return true;
            }
        }
        if let (&Region::Var(x), &Region::Var(y)) = (a, b) {
            let (outer, inner) = (self.scopes.regions.get(x), self.scopes.regions.get(y));
            match (outer, inner) {
                (Some(_), Some(_)) if self.scopes.regions.encloses(x, y) => return true,
                // What the function's caller or an opened value keeps alive outlives the function's own blocks.
                (None, Some(_))
                    if self.live_by_effect(longer) && !self.infer.opened.contains_key(&x) =>
                {
                    return true
                }
                _ => {}
            }
        }
        fuel > 0
            && self.infer.facts.iter().any(|&(set, bound)| {
                self.types.get_effect(set).items.contains(&EffectItem::Region(longer))
                    && bound != longer
                    && self.outlives_within(bound, shorter, fuel - 1)
            })
    }

    /// `regions(T)` of a type variable outlive a region.
    pub(super) fn regions_of_var_outlive(&self, ty: TypeId, shorter: RegionId) -> bool {
        let item = EffectItem::RegionsOf(ty);
        self.infer.facts.iter().any(|&(set, bound)| {
            self.types.get_effect(set).items.contains(&item) && self.known_outlives(bound, shorter)
        }) || self.is_own_block(shorter) && self.infer.live.contains(&item)
    }

    fn is_own_block(&self, region: RegionId) -> bool {
        match *self.types.get_region(region) {
            Region::Var(var) => self.scopes.regions.get(var).is_some(),
            _ => false,
        }
    }

    /// Takes the facts that a function's type states for its body.
    pub fn assume_function(&mut self, function: &FunctionType) {
        let items = self.types.get_effect(function.effect).items.clone();
        self.infer.live.extend(items);
        self.infer.facts.extend(function.bounds.iter().copied());
    }

    /// Fresh variables for existentials that a pattern opens in the innermost region scope, the bounds on them assumed.
    /// Types of the pattern's fields are then substituted with the result.
    pub fn open_existentials(
        &mut self,
        vars: &[TyVarId],
        names: &[Option<tenure_span::Symbol>],
        bounds: &[(EffectId, RegionId)],
        outer: &Subst,
        span: Span,
    ) -> (Vec<TyVarId>, Subst) {
        let mut subst = outer.clone();
        let mut opened = Vec::with_capacity(vars.len());
        for (index, &var) in vars.iter().enumerate() {
            let old = self.types.vars[var].clone();
            let name = names.get(index).copied().flatten().or(old.name);
            let origin = TyVarOrigin::Opened;
            let new = TyVar { name, kind: old.kind, unique: old.unique, origin, span };
            let new = self.types.vars.push(new);
            if let Some(scope) = self.scopes.regions.current() {
                self.infer.opened.insert(new, scope);
            }
            let arg = self.var_arg(new);
            subst.push(var, arg);
            opened.push(new);
        }
        for &(set, region) in bounds {
            let fact = (self.subst_effect(set, &subst), self.subst_region(region, &subst));
            let set = self.resolve_effect(fact.0);
            let region = self.zonk_region(fact.1);
            self.assume_of_opened(set, region, &opened);
        }
        (opened, subst)
    }

    /// A fact that an opened value brings holds only while the value is open. So only what it says of the opened
    /// variables is kept, which are known only there.
    fn assume_of_opened(&mut self, set: EffectId, region: RegionId, opened: &[TyVarId]) {
        let is_opened = |checker: &Checker, item: &EffectItem| match *item {
            EffectItem::Region(region) => match *checker.types.get_region(region) {
                Region::Var(var) => opened.contains(&var),
                _ => false,
            },
            EffectItem::RegionsOf(ty) => match *checker.types.get(ty) {
                Type::Var(var) => opened.contains(&var),
                _ => false,
            },
            EffectItem::Var(var) => opened.contains(&var),
            EffectItem::Infer(_) => false,
        };
        let mut items = self.types.get_effect(set).items.clone();
        if !is_opened(self, &EffectItem::Region(region)) {
            items.retain(|item| is_opened(self, item));
        }
        if !items.is_empty() {
            let set = self.types.effect(Effect { items });
            self.infer.facts.push((set, region));
        }
    }

    /// A variable as an argument of its own kind.
    pub fn var_arg(&mut self, var: TyVarId) -> GenericArg {
        match self.types.vars[var].kind {
            Kind::Boxed | Kind::Any => GenericArg::Type(self.types.intern(Type::Var(var))),
            Kind::Region | Kind::UniqueRegion => GenericArg::Region(self.region_var(var)),
            Kind::Effect => {
                let items = vec![EffectItem::Var(var)];
                GenericArg::Effect(self.types.effect(Effect { items }))
            }
            Kind::Size => GenericArg::Size(self.types.size(crate::ty::Size::Var(var))),
        }
    }
}
