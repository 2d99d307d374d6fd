//! Equality of types.

use super::{Checker, Subst};
use crate::ty::{
    ArrayLen, Bounds, Effect, EffectId, EffectItem, FunctionType, GenericArg, Pointer, QualType,
    Region, RegionId, RegionVid, Size, SizeId, TyVarId, Type, TypeId, Variadic,
};
use tenure_span::Span;

/// How two types differ: the innermost difference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mismatch {
    Types(TypeId, TypeId),
    Quals,
    Nullness,
    Bounds,
    ZeroTerm,
    Regions(RegionId, RegionId),
    Sizes(SizeId, SizeId),
    Effects,
    /// A type that would contain itself.
    Infinite,
    /// Not one word, where a `::B` variable's instance must be.
    NotWord(TypeId),
    /// Not a word of full size, where memory of an existential must be words.
    NotFullWord(TypeId),
    /// `void` or a function where a value's type must be.
    NotValue(TypeId),
    /// An opened existential that would be known outside.
    Escapes(TyVarId),
}

impl Checker<'_> {
    /// Makes two types equal, as far as inference variables allow.
    pub fn unify(&mut self, a: TypeId, b: TypeId) -> Result<(), Mismatch> {
        let (a, b) = (self.shallow(a), self.shallow(b));
        if a == b {
            return Ok(());
        }
        match (self.types.get(a), self.types.get(b)) {
            (Type::Error, _) | (_, Type::Error) => Ok(()),
            (&Type::Infer(vid), _) => self.bind_type(vid, b),
            (_, &Type::Infer(vid)) => self.bind_type(vid, a),
            (Type::Pointer(x), Type::Pointer(y)) => {
                let (x, y) = (x.clone(), y.clone());
                self.unify_pointers(&x, &y)
            }
            (
                &Type::Array { elem: x, len: m, zeroterm: p },
                &Type::Array { elem: y, len: n, zeroterm: q },
            ) => {
                if p != q {
                    return Err(Mismatch::ZeroTerm);
                }
                if let (ArrayLen::Known(m), ArrayLen::Known(n)) = (m, n) {
                    self.unify_sizes(m, n)?;
                }
                self.unify_quals(x, y)
            }
            (Type::Function(x), Type::Function(y)) => {
                let (x, y) = (x.clone(), y.clone());
                self.unify_functions(&x, &y)
            }
            (Type::Record(x, xs), Type::Record(y, ys)) if x == y => {
                let (xs, ys) = (xs.clone(), ys.clone());
                self.unify_args(&xs, &ys)
            }
            (Type::Datatype(x, xs), Type::Datatype(y, ys)) if x == y => {
                let (xs, ys) = (xs.clone(), ys.clone());
                self.unify_args(&xs, &ys)
            }
            (Type::Variant(x, i, xs), Type::Variant(y, j, ys)) if x == y && i == j => {
                let (xs, ys) = (xs.clone(), ys.clone());
                self.unify_args(&xs, &ys)
            }
            (Type::Tuple(xs), Type::Tuple(ys)) if xs.len() == ys.len() => {
                let (xs, ys) = (xs.clone(), ys.clone());
                xs.iter().zip(&ys).try_for_each(|(&x, &y)| self.unify_quals(x, y))
            }
            (&Type::Handle(x), &Type::Handle(y)) => self.unify_regions(x, y),
            (&Type::Tag(x, a), &Type::Tag(y, b)) if a == b => self.unify_sizes(x, y),
            _ => Err(Mismatch::Types(a, b)),
        }
    }

    fn unify_pointers(&mut self, x: &Pointer, y: &Pointer) -> Result<(), Mismatch> {
        if !self.unify_null(x, y) {
            return Err(Mismatch::Nullness);
        }
        if x.zeroterm != y.zeroterm {
            return Err(Mismatch::ZeroTerm);
        }
        match (x.bounds, y.bounds) {
            (Bounds::Fat, Bounds::Fat) => {}
            (Bounds::Thin(m), Bounds::Thin(n)) => self.unify_sizes(m, n)?,
            _ => return Err(Mismatch::Bounds),
        }
        self.unify_quals(x.elem, y.elem)?;
        self.unify_regions(x.region, y.region)
    }

    /// Equality of types with the qualifiers of their places.
    pub fn unify_quals(&mut self, x: QualType, y: QualType) -> Result<(), Mismatch> {
        self.unify(x.ty, y.ty)?;
        let silent = self.is_error(x.ty) || self.is_error(y.ty);
        if x.quals == y.quals || silent {
            Ok(())
        } else {
            Err(Mismatch::Quals)
        }
    }

    pub fn is_error(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), Type::Error)
    }

    pub fn unify_regions(&mut self, a: RegionId, b: RegionId) -> Result<(), Mismatch> {
        let (a, b) = (self.shallow_region(a), self.shallow_region(b));
        if a == b {
            return Ok(());
        }
        match (self.types.get_region(a), self.types.get_region(b)) {
            (Region::Error, _) | (_, Region::Error) => Ok(()),
            (&Region::Infer(vid), _) if self.may_stand_for(vid, b) => {
                self.bind_region(vid, b);
                Ok(())
            }
            (_, &Region::Infer(vid)) if self.may_stand_for(vid, a) => {
                self.bind_region(vid, a);
                Ok(())
            }
            (&Region::Apply(f, x), &Region::Apply(g, y)) if f == g => self.unify_regions(x, y),
            _ => Err(Mismatch::Regions(a, b)),
        }
    }

    /// Whether a region variable may be solved by the region: one whose pointers are copied freely not by an owned one.
    fn may_stand_for(&self, vid: RegionVid, region: RegionId) -> bool {
        !self.infer.aliasable.contains(&vid) || self.types.owned_region(region).is_none()
    }

    pub fn unify_sizes(&mut self, a: SizeId, b: SizeId) -> Result<(), Mismatch> {
        let (a, b) = (self.shallow_size(a), self.shallow_size(b));
        if a == b {
            return Ok(());
        }
        match (self.types.get_size(a), self.types.get_size(b)) {
            (Size::Error, _) | (_, Size::Error) => Ok(()),
            (&Size::Infer(vid), _) => self.bind_size(vid, b),
            (_, &Size::Infer(vid)) => self.bind_size(vid, a),
            (&Size::Add(x, y), &Size::Add(p, q)) | (&Size::Mul(x, y), &Size::Mul(p, q)) => {
                self.unify_sizes(x, p)?;
                self.unify_sizes(y, q)
            }
            _ if self.size_value(a).is_some() && self.size_value(a) == self.size_value(b) => Ok(()),
            _ => Err(Mismatch::Sizes(a, b)),
        }
    }

    pub fn unify_generic_args(
        &mut self,
        xs: &[GenericArg],
        ys: &[GenericArg],
    ) -> Result<(), Mismatch> {
        self.unify_args(xs, ys)
    }

    fn unify_args(&mut self, xs: &[GenericArg], ys: &[GenericArg]) -> Result<(), Mismatch> {
        xs.iter().zip(ys).try_for_each(|(&x, &y)| match (x, y) {
            (GenericArg::Type(x), GenericArg::Type(y)) => self.unify(x, y),
            (GenericArg::Region(x), GenericArg::Region(y)) => self.unify_regions(x, y),
            (GenericArg::Size(x), GenericArg::Size(y)) => self.unify_sizes(x, y),
            (GenericArg::Effect(x), GenericArg::Effect(y)) => self.unify_effects(x, y),
            _ => Err(Mismatch::Effects),
        })
    }

    /// Effects are equal as sets; an inference variable takes what the other side has more.
    pub(super) fn unify_effects(&mut self, a: EffectId, b: EffectId) -> Result<(), Mismatch> {
        let (a, b) = (self.resolve_effect(a), self.resolve_effect(b));
        if a == b {
            return Ok(());
        }
        if self.grow_effect(a, b) || self.grow_effect(b, a) {
            return Ok(());
        }
        let (x, y) = (self.types.get_effect(a).clone(), self.types.get_effect(b).clone());
        let same = x.items.iter().all(|item| y.items.contains(item))
            && y.items.iter().all(|item| x.items.contains(item));
        if same {
            Ok(())
        } else {
            Err(Mismatch::Effects)
        }
    }

    /// If `to` has a variable, solves it by what `from` has beyond it.
    fn grow_effect(&mut self, to: EffectId, from: EffectId) -> bool {
        let items = self.types.get_effect(to).items.clone();
        let vid = items.iter().find_map(|item| match item {
            EffectItem::Infer(vid) => Some(*vid),
            _ => None,
        });
        let Some(vid) = vid else { return false };
        let more: Vec<EffectItem> = (self.types.get_effect(from).items.iter().copied())
            .filter(|item| !items.contains(item) || *item == EffectItem::Infer(vid))
            .filter(|item| *item != EffectItem::Infer(vid))
            .collect();
        let value = self.types.effect(Effect { items: more });
        self.infer.effects[vid].value = Some(value);
        true
    }

    /// An effect with its solved variables replaced.
    pub fn resolve_effect(&mut self, effect: EffectId) -> EffectId {
        if !self.types.effect_flags(effect).has(crate::ty::Flags::INFER) {
            return effect;
        }
        self.zonk_effect(effect)
    }

    /// Function types are equal if some renaming of their variables makes them so.
    fn unify_functions(&mut self, x: &FunctionType, y: &FunctionType) -> Result<(), Mismatch> {
        let differ = x.params.len() != y.params.len() || x.vars.len() != y.vars.len();
        if differ {
            let a = self.types.intern(Type::Function(Box::new(x.clone())));
            let b = self.types.intern(Type::Function(Box::new(y.clone())));
            return Err(Mismatch::Types(a, b));
        }
        if y.vars.is_empty() {
            return self.unify_signatures(x, y);
        }
        let args = self.fresh_args(&y.vars, Span::NONE);
        let renamed = self.apply_function(y, &Subst::new(&y.vars, &args));
        self.unify_signatures(x, &renamed)?;
        self.is_renaming(&x.vars, &args, &y.vars)
    }

    fn unify_signatures(&mut self, x: &FunctionType, y: &FunctionType) -> Result<(), Mismatch> {
        for (&x, &y) in x.params.iter().zip(&y.params) {
            // Qualifiers of parameters are the callee's own affair (C11 6.7.6.3p15).
            self.unify(x.ty, y.ty)?;
        }
        self.unify(x.result.ty, y.result.ty)?;
        match (x.variadic, y.variadic) {
            (Variadic::No, Variadic::No) | (Variadic::C, Variadic::C) => {}
            (Variadic::Fat(x), Variadic::Fat(y)) | (Variadic::Inject(x), Variadic::Inject(y)) => {
                self.unify(x, y)?;
            }
            _ => return Err(Mismatch::Effects),
        }
        if x.noreturn != y.noreturn || !same_numbers(&x.noconsume, &y.noconsume) {
            return Err(Mismatch::Effects);
        }
        self.unify_effects(x.effect, y.effect)?;
        if x.bounds.len() != y.bounds.len() {
            return Err(Mismatch::Effects);
        }
        for (&(xs, x), &(ys, y)) in x.bounds.iter().zip(&y.bounds) {
            self.unify_effects(xs, ys)?;
            self.unify_regions(x, y)?;
        }
        Ok(())
    }

    /// Whether the arguments are the variables, each once.
    fn is_renaming(
        &mut self,
        vars: &[TyVarId],
        args: &[GenericArg],
        old: &[TyVarId],
    ) -> Result<(), Mismatch> {
        let mut seen: Vec<TyVarId> = Vec::with_capacity(vars.len());
        for (&arg, &old) in args.iter().zip(old) {
            let var = match arg {
                GenericArg::Type(ty) => match *self.kind(ty) {
                    Type::Var(var) => Some(var),
                    _ => None,
                },
                GenericArg::Region(region) => {
                    match *self.types.get_region(self.shallow_region(region)) {
                        Region::Var(var) => Some(var),
                        _ => None,
                    }
                }
                GenericArg::Size(size) => match *self.types.get_size(self.shallow_size(size)) {
                    Size::Var(var) => Some(var),
                    _ => None,
                },
                GenericArg::Effect(effect) => {
                    let effect = self.resolve_effect(effect);
                    match self.types.get_effect(effect).items[..] {
                        [EffectItem::Var(var)] => Some(var),
                        _ => None,
                    }
                }
            };
            match var {
                // A variable that occurs nowhere stays unsolved, which is as good.
                Some(var) if !vars.contains(&var) || seen.contains(&var) => {
                    return Err(Mismatch::Effects)
                }
                // A variable that stands for words and one that stands for anything are not the same.
                Some(var) if self.types.vars[var].kind != self.types.vars[old].kind => {
                    return Err(Mismatch::Effects)
                }
                // Nor are one that may be owned and one whose values are copied.
                Some(var) if self.types.vars[var].unique != self.types.vars[old].unique => {
                    return Err(Mismatch::Effects)
                }
                Some(var) => seen.push(var),
                None if self.is_unsolved(arg) => {}
                None => return Err(Mismatch::Effects),
            }
        }
        Ok(())
    }

    fn is_unsolved(&self, arg: GenericArg) -> bool {
        match arg {
            GenericArg::Type(ty) => matches!(self.kind(ty), Type::Infer(_)),
            GenericArg::Region(region) => {
                matches!(self.types.get_region(self.shallow_region(region)), Region::Infer(_))
            }
            GenericArg::Size(size) => {
                matches!(self.types.get_size(self.shallow_size(size)), Size::Infer(_))
            }
            GenericArg::Effect(_) => true,
        }
    }
}

fn same_numbers(x: &[u32], y: &[u32]) -> bool {
    x.iter().all(|n| y.contains(n)) && y.iter().all(|n| x.contains(n))
}
