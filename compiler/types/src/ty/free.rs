//! Free variables of types.

use super::{
    ArrayLen, Bounds, EffectId, EffectItem, Flags, GenericArg, Region, RegionId, Size, SizeId,
    TyVarId, Type, TypeId, TypeTable, Variadic,
};

impl TypeTable {
    /// A variable that occurs in the type, is not one of `bound`, and is not bound by a function type inside.
    pub fn free_var(&self, ty: TypeId, bound: &[TyVarId]) -> Option<TyVarId> {
        if !self.flags(ty).has(Flags::VAR) {
            return None;
        }
        match self.get(ty) {
            Type::Var(var) => (!bound.contains(var)).then_some(*var),
            Type::Pointer(pointer) => (self.free_in_region(pointer.region, bound))
                .or_else(|| match pointer.bounds {
                    Bounds::Thin(size) => self.free_in_size(size, bound),
                    Bounds::Fat => None,
                })
                .or_else(|| self.free_var(pointer.elem.ty, bound)),
            Type::Array { elem, len, .. } => match len {
                ArrayLen::Known(size) => self.free_in_size(*size, bound),
                ArrayLen::Incomplete => None,
            }
            .or_else(|| self.free_var(elem.ty, bound)),
            Type::Function(function) => {
                let mut inner = bound.to_vec();
                inner.extend(&function.vars);
                let rest = match function.variadic {
                    Variadic::Fat(ty) | Variadic::Inject(ty) => Some(ty),
                    Variadic::No | Variadic::C => None,
                };
                (function.params.iter().map(|param| param.ty))
                    .chain([function.result.ty])
                    .chain(rest)
                    .find_map(|ty| self.free_var(ty, &inner))
                    .or_else(|| self.free_in_effect(function.effect, &inner))
            }
            Type::Record(_, args) | Type::Datatype(_, args) | Type::Variant(_, _, args) => {
                args.iter().find_map(|&arg| self.free_in_arg(arg, bound))
            }
            Type::Tuple(fields) => fields.iter().find_map(|field| self.free_var(field.ty, bound)),
            Type::Handle(region) => self.free_in_region(*region, bound),
            Type::Tag(size, _) => self.free_in_size(*size, bound),
            _ => None,
        }
    }

    fn free_in_arg(&self, arg: GenericArg, bound: &[TyVarId]) -> Option<TyVarId> {
        match arg {
            GenericArg::Type(ty) => self.free_var(ty, bound),
            GenericArg::Region(region) => self.free_in_region(region, bound),
            GenericArg::Effect(effect) => self.free_in_effect(effect, bound),
            GenericArg::Size(size) => self.free_in_size(size, bound),
        }
    }

    fn free_in_region(&self, region: RegionId, bound: &[TyVarId]) -> Option<TyVarId> {
        match *self.get_region(region) {
            Region::Var(var) => (!bound.contains(&var)).then_some(var),
            Region::Apply(_, inner) => self.free_in_region(inner, bound),
            _ => None,
        }
    }

    fn free_in_size(&self, size: SizeId, bound: &[TyVarId]) -> Option<TyVarId> {
        match *self.get_size(size) {
            Size::Var(var) => (!bound.contains(&var)).then_some(var),
            Size::Add(a, b) | Size::Mul(a, b) => {
                self.free_in_size(a, bound).or_else(|| self.free_in_size(b, bound))
            }
            _ => None,
        }
    }

    fn free_in_effect(&self, effect: EffectId, bound: &[TyVarId]) -> Option<TyVarId> {
        self.get_effect(effect).items.iter().find_map(|&item| match item {
            EffectItem::Region(region) => self.free_in_region(region, bound),
            EffectItem::RegionsOf(ty) => self.free_var(ty, bound),
            EffectItem::Var(var) => (!bound.contains(&var)).then_some(var),
            EffectItem::Infer(_) => None,
        })
    }
}
