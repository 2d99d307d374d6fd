//! Solving the region constraints of a body.
//!
//! A region variable's solution is the longest-lived region that everything which flows into it outlives: their meet.
//! With nothing flowing in it is the heap. The order in which constraints were found does not matter.

use super::{Checker, Constraint, Origin, Requirement};
use crate::ty::{Effect, EffectId, EffectItem, Region, RegionId, RegionVid, TyVarId, Type};
use index_vec::IndexVec;
use tenure_span::Span;

/// What is known of a region variable while its class is solved.
#[derive(Clone, Copy, Debug)]
struct Lower {
    region: RegionId,
    /// The constraint that brought it so low, for messages.
    because: usize,
}

impl Checker<'_> {
    /// Solves all region variables, then checks all demands; reports what does not hold.
    pub(super) fn solve_regions(&mut self) {
        let mut constraints = std::mem::take(&mut self.infer.constraints);
        self.bounds_as_flows(&mut constraints);
        self.spread_checked(&constraints);
        let lower = self.propagate(&constraints);
        let scopes: Vec<(RegionVid, Option<TyVarId>)> = (self.infer.regions.iter_enumerated())
            .filter(|(_, var)| var.value.is_none())
            .map(|(vid, var)| (vid, var.scope))
            .collect();
        for &(vid, _) in &scopes {
            let region = lower[vid].map_or(self.basics.heap, |lower| lower.region);
            self.infer.regions[vid].value = Some(region);
        }
        for &(vid, scope) in &scopes {
            let Some(low) = lower[vid] else { continue };
            if !self.region_in_scope(low.region, scope) {
                let origin = constraints[low.because].origin;
                self.report_escape(low.region, scope, self.infer.regions[vid].span, origin);
                self.infer.regions[vid].value = Some(self.basics.region_error);
            }
        }
        let mut failed: Vec<Span> = Vec::new();
        for constraint in &constraints {
            if !self.check_constraint(constraint) {
                failed.push(constraint.origin.span);
            }
        }
        let requirements = std::mem::take(&mut self.infer.requirements);
        for requirement in requirements {
            // A bound on what was given is not reported beside the argument that breaks it.
            if let Requirement::Bound { origin, .. } = &requirement {
                if failed.iter().any(|&part| origin.span.contains(part)) {
                    continue;
                }
            }
            self.check_requirement(requirement);
        }
    }

    /// What flows into or out of the checked heap is in it, since that is ordered with no other region.
    fn spread_checked(&mut self, constraints: &[Constraint]) {
        let checked = self.basics.checked;
        let mut open: Vec<&Constraint> = constraints.iter().collect();
        loop {
            let before = open.len();
            open.retain(|constraint| {
                let longer = self.shallow_region(constraint.longer);
                let shorter = self.shallow_region(constraint.shorter);
                let other = match (longer == checked, shorter == checked) {
                    (true, false) => shorter,
                    (false, true) => longer,
                    _ => return true,
                };
                if let Region::Infer(vid) = *self.types.get_region(other) {
                    self.bind_region(vid, checked);
                }
                false
            });
            if open.len() == before {
                return;
            }
        }
    }

    /// A bound on a region that is to be inferred lowers it like a pointer that flows into it.
    fn bounds_as_flows(&mut self, constraints: &mut Vec<Constraint>) {
        for index in 0..self.infer.requirements.len() {
            let Requirement::Bound { set, region, origin } = self.infer.requirements[index] else {
                continue;
            };
            let shorter = self.shallow_region(region);
            if !matches!(self.types.get_region(shorter), Region::Infer(_)) {
                continue;
            }
            for item in self.flatten_effect(set) {
                if let EffectItem::Region(longer) = item {
                    constraints.push(Constraint { longer, shorter, origin });
                }
            }
        }
    }

    /// The meet of what flows into each unsolved variable.
    fn propagate(&mut self, constraints: &[Constraint]) -> IndexVec<RegionVid, Option<Lower>> {
        let count = self.infer.regions.len();
        let mut lower: IndexVec<RegionVid, Option<Lower>> = index_vec::index_vec![None; count];
        let mut edges: Vec<(RegionId, RegionVid, usize)> = Vec::new();
        for (index, constraint) in constraints.iter().enumerate() {
            let to = self.shallow_region(constraint.shorter);
            if let Region::Infer(vid) = *self.types.get_region(to) {
                edges.push((self.shallow_region(constraint.longer), vid, index));
            }
        }
        // Values only descend, and no chain of regions is longer than the nesting of scopes.
        let mut changed = true;
        let mut fuel = edges.len() + 64;
        // Regions that are not ordered have no meet; the limit is for those, which are reported afterwards.
        while changed && fuel > 0 {
            changed = false;
            fuel -= 1;
            // Forwards and backwards in turn: chains of either direction are done in two rounds.
            edges.reverse();
            for &(from, to, index) in &edges {
                let source = match *self.types.get_region(from) {
                    Region::Infer(vid) => match lower[vid] {
                        Some(low) => low.region,
                        None => continue,
                    },
                    _ => from,
                };
                let met = match lower[to] {
                    None => source,
                    Some(low) => self.meet(low.region, source, self.infer.regions[to].scope),
                };
                if lower[to].map(|low| low.region) != Some(met) {
                    lower[to] = Some(Lower { region: met, because: index });
                    changed = true;
                }
            }
        }
        lower
    }

    /// The longest-lived region that both outlive; one of them if there is none (the failed constraint is reported when
    /// it is checked).
    fn meet(&mut self, a: RegionId, b: RegionId, scope: Option<TyVarId>) -> RegionId {
        if a == b || self.known_outlives(a, b) {
            return b;
        }
        if self.known_outlives(b, a) {
            return a;
        }
        if let Some(root) = self.scopes.regions.root() {
            let root = self.types.region(Region::Var(root));
            if self.known_outlives(a, root) && self.known_outlives(b, root) {
                return root;
            }
        }
        if let Some(scope) = self.common_open(a, b, scope) {
            return scope;
        }
        // Neither: keep the first, so that the other's constraint fails and says so. The order is that of the ids, lest
        // two passes swap them for ever.
        a.min(b)
    }

    /// The innermost scope of an open around `scope` which both regions outlive, one of them because it is opened
    /// there.
    fn common_open(
        &mut self,
        a: RegionId,
        b: RegionId,
        scope: Option<TyVarId>,
    ) -> Option<RegionId> {
        let scope = scope?;
        let opens = self.infer.opens.clone();
        for (opened, home) in opens.into_iter().rev() {
            if (opened == a || opened == b) && self.scopes.regions.encloses(home, scope) {
                let region = self.types.region(Region::Var(home));
                if self.known_outlives(a, region) && self.known_outlives(b, region) {
                    return Some(region);
                }
            }
        }
        None
    }

    fn check_constraint(&mut self, constraint: &Constraint) -> bool {
        let longer = self.zonk_region(constraint.longer);
        let shorter = self.zonk_region(constraint.shorter);
        let holds = longer == shorter || self.known_outlives(longer, shorter);
        if !holds {
            self.report_outlives(longer, shorter, constraint.origin);
        }
        holds
    }

    fn check_requirement(&mut self, requirement: Requirement) {
        match requirement {
            Requirement::Live { region, scope, origin, what } => {
                let region = self.zonk_region(region);
                if !self.is_live(region, scope) {
                    self.report_dead(region, origin, what);
                }
            }
            Requirement::InScope { region, scope, origin } => {
                let region = self.zonk_region(region);
                if !self.region_in_scope(region, scope) {
                    self.report_escape(region, scope, origin.declared, origin);
                }
            }
            Requirement::Bound { set, region, origin } => {
                let region = self.zonk_region(region);
                for item in self.flatten_effect(set) {
                    self.check_bound_item(item, region, origin);
                }
            }
            Requirement::Within { inner, outer, origin } => self.check_within(inner, outer, origin),
            Requirement::LiveEffect { effect, scope, origin, what } => {
                for item in self.flatten_effect(effect) {
                    self.check_live_item(item, scope, origin, what);
                }
            }
        }
    }

    /// The effect's items, solved, with `regions(T)` taken apart as far as T is known.
    pub(super) fn flatten_effect(&mut self, effect: EffectId) -> Vec<EffectItem> {
        let effect = self.zonk_effect(effect);
        let items = self.types.get_effect(effect).items.clone();
        let mut out = Vec::with_capacity(items.len());
        for item in items {
            match item {
                EffectItem::RegionsOf(ty) => self.regions_of(ty, &mut out),
                other => out.push(other),
            }
        }
        let flat = self.types.effect(Effect { items: out });
        self.types.get_effect(flat).items.clone()
    }

    fn check_live_item(
        &mut self,
        item: EffectItem,
        scope: Option<TyVarId>,
        origin: Origin,
        what: &'static str,
    ) {
        match item {
            EffectItem::Region(region) => {
                let region = self.zonk_region(region);
                if !self.is_live(region, scope) {
                    self.report_dead(region, origin, what);
                }
            }
            EffectItem::RegionsOf(ty) => {
                let known = matches!(self.kind(ty), Type::Var(_));
                if known && !self.regions_of_var_live(ty) {
                    self.report_dead_regions_of(ty, origin, what);
                }
            }
            EffectItem::Var(_) => {
                if !self.infer.live.contains(&item) {
                    self.report_dead_effect(item, origin, what);
                }
            }
            EffectItem::Infer(_) => {}
        }
    }

    fn check_bound_item(&mut self, item: EffectItem, shorter: RegionId, origin: Origin) {
        match item {
            EffectItem::Region(region) => {
                let region = self.zonk_region(region);
                let held = self.types.is_checked(region)
                    || matches!(self.types.get_region(region), Region::Unique | Region::Counted);
                if region != shorter && !held && !self.known_outlives(region, shorter) {
                    self.report_bound(region, shorter, origin);
                }
            }
            EffectItem::RegionsOf(ty) => {
                let known = matches!(self.kind(ty), Type::Var(_));
                if known && !self.regions_of_var_outlive(ty, shorter) {
                    self.report_bound_regions_of(ty, shorter, origin);
                }
            }
            EffectItem::Var(_) => {
                let holds = self.infer.facts.iter().any(|&(set, bound)| {
                    self.types.get_effect(set).items.contains(&item)
                        && self.known_outlives(bound, shorter)
                });
                if !holds {
                    self.report_dead_effect(item, origin, "this bound");
                }
            }
            EffectItem::Infer(_) => {}
        }
    }

    fn check_within(&mut self, inner: EffectId, outer: EffectId, origin: Origin) {
        let allowed = self.flatten_effect(outer);
        for item in self.flatten_effect(inner) {
            let ok = match item {
                EffectItem::Region(region) => {
                    let owned = matches!(
                        self.types.get_region(region),
                        Region::Heap
                            | Region::Unique
                            | Region::Counted
                            | Region::Checked
                            | Region::Error
                    );
                    owned || allowed.contains(&item)
                }
                EffectItem::Infer(_) => true,
                _ => allowed.contains(&item),
            };
            if !ok {
                self.report_effect(item, origin);
            }
        }
    }
}
