//! Substitution of bound variables, and instantiation of polymorphic things.

use super::{Checker, Nullness};
use crate::hir::Instance;
use crate::ty::{
    ArrayLen, Bounds, Effect, EffectId, EffectItem, Flags, FunctionType, GenericArg, Kind, NullVid,
    Pointer, QualType, Region, RegionId, Size, SizeId, TyVarId, Type, TypeId, Variadic,
};
use tenure_span::{FastMap, Span};

/// What stands for which bound variable.
#[derive(Clone, Debug, Default)]
pub(crate) struct Subst {
    /// Few enough that a scan is faster than a table.
    pairs: Vec<(TyVarId, GenericArg)>,
}

impl Subst {
    pub fn new(vars: &[TyVarId], args: &[GenericArg]) -> Subst {
        Subst { pairs: vars.iter().copied().zip(args.iter().copied()).collect() }
    }

    pub fn push(&mut self, var: TyVarId, arg: GenericArg) {
        self.pairs.push((var, arg));
    }

    pub fn get(&self, var: TyVarId) -> Option<GenericArg> {
        self.pairs.iter().find(|pair| pair.0 == var).map(|pair| pair.1)
    }

    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }
}

/// A change of the leaves of types: bound variables for a substitution, inference variables for zonking.
pub(super) trait Leaves {
    /// Which types have a leaf that may change.
    const FLAGS: Flags;
    fn ty(&mut self, checker: &mut Checker, ty: TypeId) -> Option<TypeId>;
    fn region(&mut self, checker: &mut Checker, region: RegionId) -> Option<RegionId>;
    fn size(&mut self, checker: &mut Checker, size: SizeId) -> Option<SizeId>;
    /// Adds what stands for the item, if it changes.
    fn effect(
        &mut self,
        checker: &mut Checker,
        item: EffectItem,
        out: &mut Vec<EffectItem>,
    ) -> bool;
    /// What a pointer whose nullness is open becomes.
    fn null(&mut self, _: &mut Checker, open: NullVid) -> Nullness {
        Nullness::Open(open)
    }
    fn memo(&mut self) -> Option<&mut FastMap<TypeId, TypeId>> {
        None
    }
}

struct Apply<'s>(&'s Subst);

impl Leaves for Apply<'_> {
    const FLAGS: Flags = Flags::VAR;

    fn ty(&mut self, checker: &mut Checker, ty: TypeId) -> Option<TypeId> {
        let Type::Var(var) = *checker.types.get(ty) else { return None };
        match self.0.get(var) {
            Some(GenericArg::Type(to)) => Some(to),
            _ => Some(ty),
        }
    }

    fn region(&mut self, checker: &mut Checker, region: RegionId) -> Option<RegionId> {
        let Region::Var(var) = *checker.types.get_region(region) else { return None };
        match self.0.get(var) {
            Some(GenericArg::Region(to)) => Some(to),
            _ => Some(region),
        }
    }

    fn size(&mut self, checker: &mut Checker, size: SizeId) -> Option<SizeId> {
        let Size::Var(var) = *checker.types.get_size(size) else { return None };
        match self.0.get(var) {
            Some(GenericArg::Size(to)) => Some(to),
            _ => Some(size),
        }
    }

    fn effect(
        &mut self,
        checker: &mut Checker,
        item: EffectItem,
        out: &mut Vec<EffectItem>,
    ) -> bool {
        let EffectItem::Var(var) = item else { return false };
        match self.0.get(var) {
            Some(GenericArg::Effect(to)) => out.extend(&checker.types.get_effect(to).items),
            _ => out.push(item),
        }
        true
    }
}

impl Checker<'_> {
    pub fn subst(&mut self, ty: TypeId, subst: &Subst) -> TypeId {
        if subst.is_empty() || !self.types.flags(ty).has(Flags::VAR) {
            return ty;
        }
        self.map_type(ty, &mut Apply(subst))
    }

    pub fn subst_qual(&mut self, ty: QualType, subst: &Subst) -> QualType {
        QualType { ty: self.subst(ty.ty, subst), quals: ty.quals }
    }

    pub fn subst_region(&mut self, region: RegionId, subst: &Subst) -> RegionId {
        self.map_region(region, &mut Apply(subst))
    }

    pub fn subst_effect(&mut self, effect: EffectId, subst: &Subst) -> EffectId {
        self.map_effect(effect, &mut Apply(subst))
    }

    pub(super) fn apply_function(
        &mut self,
        function: &FunctionType,
        subst: &Subst,
    ) -> FunctionType {
        self.map_function(function, &mut Apply(subst))
    }

    /// Fresh inference variables for bound ones.
    pub fn fresh_args(&mut self, vars: &[TyVarId], span: Span) -> Vec<GenericArg> {
        vars.iter().map(|&var| self.fresh_instance(var, span)).collect()
    }

    /// A fresh variable that stands for a bound one, and for no more than that one may.
    pub fn fresh_instance(&mut self, var: TyVarId, span: Span) -> GenericArg {
        let arg = self.fresh_arg(self.types.vars[var].kind, span);
        self.note_instance(var, arg, span);
        self.name_instance(var, arg);
        arg
    }

    fn name_instance(&mut self, var: TyVarId, arg: GenericArg) {
        let stands_for = Some(var);
        match arg {
            GenericArg::Type(ty) => {
                if let Type::Infer(vid) = *self.types.get(ty) {
                    self.infer.types[vid].stands_for = stands_for;
                }
            }
            GenericArg::Region(region) => {
                if let Region::Infer(vid) = *self.types.get_region(region) {
                    self.infer.regions[vid].stands_for = stands_for;
                }
            }
            GenericArg::Size(size) => {
                if let Size::Infer(vid) = *self.types.get_size(size) {
                    self.infer.sizes[vid].stands_for = stands_for;
                }
            }
            GenericArg::Effect(_) => {}
        }
    }

    pub fn fresh_arg(&mut self, kind: Kind, span: Span) -> GenericArg {
        match kind {
            Kind::Boxed | Kind::Any => GenericArg::Type(self.fresh_type(span, kind)),
            Kind::Region | Kind::UniqueRegion => GenericArg::Region(self.fresh_region(span)),
            Kind::Effect => GenericArg::Effect(self.fresh_effect(span)),
            Kind::Size => GenericArg::Size(self.fresh_size(span)),
        }
    }

    /// A polymorphic function's type at given arguments, with fresh variables for those that are not given.
    pub fn instantiate_function(
        &mut self,
        function: &FunctionType,
        explicit: &[GenericArg],
        span: Span,
    ) -> (FunctionType, Instance) {
        if function.vars.is_empty() {
            return (function.clone(), Vec::new());
        }
        let mut instance: Instance = explicit.to_vec();
        instance.truncate(function.vars.len());
        for (&var, &arg) in function.vars.iter().zip(&instance) {
            self.note_instance(var, arg, span);
        }
        for &var in &function.vars[instance.len()..] {
            instance.push(self.fresh_instance(var, span));
        }
        let subst = Subst::new(&function.vars, &instance);
        let mut leaves = Apply(&subst);
        let mut result = self.map_function(function, &mut leaves);
        result.vars = Vec::new();
        (result, instance)
    }

    pub(super) fn map_type<L: Leaves>(&mut self, ty: TypeId, leaves: &mut L) -> TypeId {
        if !self.types.flags(ty).has(L::FLAGS) {
            return ty;
        }
        if let Some(&known) = leaves.memo().and_then(|memo| memo.get(&ty)) {
            return known;
        }
        let mapped = match leaves.ty(self, ty) {
            Some(mapped) => mapped,
            None => {
                let copy = self.types.get(ty).clone();
                let mapped = self.map_parts(copy, leaves);
                self.types.intern(mapped)
            }
        };
        if let Some(memo) = leaves.memo() {
            memo.insert(ty, mapped);
        }
        mapped
    }

    fn map_parts<L: Leaves>(&mut self, ty: Type, leaves: &mut L) -> Type {
        match ty {
            Type::Pointer(pointer) => {
                let (nullable, open) = match pointer.open.map(|open| leaves.null(self, open)) {
                    None => (pointer.nullable, None),
                    Some(Nullness::Known(nullable)) => (nullable, None),
                    Some(Nullness::Open(open)) => (true, Some(open)),
                };
                Type::Pointer(Pointer {
                    elem: self.map_qual(pointer.elem, leaves),
                    nullable,
                    open,
                    bounds: match pointer.bounds {
                        Bounds::Fat => Bounds::Fat,
                        Bounds::Thin(size) => Bounds::Thin(self.map_size(size, leaves)),
                    },
                    region: self.map_region(pointer.region, leaves),
                    ..pointer
                })
            }
            Type::Array { elem, len, zeroterm } => Type::Array {
                elem: self.map_qual(elem, leaves),
                len: match len {
                    ArrayLen::Known(size) => ArrayLen::Known(self.map_size(size, leaves)),
                    ArrayLen::Incomplete => ArrayLen::Incomplete,
                },
                zeroterm,
            },
            Type::Function(function) => {
                Type::Function(Box::new(self.map_function(&function, leaves)))
            }
            Type::Record(id, args) => Type::Record(id, self.map_args(&args, leaves)),
            Type::Datatype(id, args) => Type::Datatype(id, self.map_args(&args, leaves)),
            Type::Variant(id, variant, args) => {
                Type::Variant(id, variant, self.map_args(&args, leaves))
            }
            Type::Tuple(fields) => {
                Type::Tuple(fields.into_iter().map(|field| self.map_qual(field, leaves)).collect())
            }
            Type::Handle(region) => Type::Handle(self.map_region(region, leaves)),
            Type::Tag(size, int) => Type::Tag(self.map_size(size, leaves), int),
            other => other,
        }
    }

    pub(super) fn map_qual<L: Leaves>(&mut self, ty: QualType, leaves: &mut L) -> QualType {
        QualType { ty: self.map_type(ty.ty, leaves), quals: ty.quals }
    }

    pub(super) fn map_function<L: Leaves>(
        &mut self,
        function: &FunctionType,
        leaves: &mut L,
    ) -> FunctionType {
        FunctionType {
            vars: function.vars.clone(),
            params: function.params.iter().map(|&ty| self.map_qual(ty, leaves)).collect(),
            result: self.map_qual(function.result, leaves),
            effect: self.map_effect(function.effect, leaves),
            bounds: function
                .bounds
                .iter()
                .map(|&(set, region)| {
                    (self.map_effect(set, leaves), self.map_region(region, leaves))
                })
                .collect(),
            variadic: match function.variadic {
                Variadic::Fat(ty) => Variadic::Fat(self.map_type(ty, leaves)),
                Variadic::Inject(ty) => Variadic::Inject(self.map_type(ty, leaves)),
                plain => plain,
            },
            noreturn: function.noreturn,
            noconsume: function.noconsume.clone(),
            format: function.format,
        }
    }

    pub(super) fn map_args<L: Leaves>(
        &mut self,
        args: &[GenericArg],
        leaves: &mut L,
    ) -> Vec<GenericArg> {
        args.iter().map(|&arg| self.map_arg(arg, leaves)).collect()
    }

    pub(super) fn map_arg<L: Leaves>(&mut self, arg: GenericArg, leaves: &mut L) -> GenericArg {
        match arg {
            GenericArg::Type(ty) => GenericArg::Type(self.map_type(ty, leaves)),
            GenericArg::Region(region) => GenericArg::Region(self.map_region(region, leaves)),
            GenericArg::Effect(effect) => GenericArg::Effect(self.map_effect(effect, leaves)),
            GenericArg::Size(size) => GenericArg::Size(self.map_size(size, leaves)),
        }
    }

    pub(super) fn map_region<L: Leaves>(&mut self, region: RegionId, leaves: &mut L) -> RegionId {
        if !self.types.region_flags(region).has(L::FLAGS) {
            return region;
        }
        if let Some(mapped) = leaves.region(self, region) {
            return mapped;
        }
        match *self.types.get_region(region) {
            Region::Apply(function, inner) => {
                let inner = self.map_region(inner, leaves);
                self.types.region(Region::Apply(function, inner))
            }
            _ => region,
        }
    }

    pub(super) fn map_size<L: Leaves>(&mut self, size: SizeId, leaves: &mut L) -> SizeId {
        if !self.types.size_flags(size).has(L::FLAGS) {
            return size;
        }
        if let Some(mapped) = leaves.size(self, size) {
            return mapped;
        }
        match *self.types.get_size(size) {
            Size::Add(a, b) => {
                let (a, b) = (self.map_size(a, leaves), self.map_size(b, leaves));
                self.size_sum(a, b)
            }
            Size::Mul(a, b) => {
                let (a, b) = (self.map_size(a, leaves), self.map_size(b, leaves));
                self.size_product(a, b)
            }
            _ => size,
        }
    }

    /// `a + b`, computed where both are known.
    pub fn size_sum(&mut self, a: SizeId, b: SizeId) -> SizeId {
        match (self.size_value(a), self.size_value(b)) {
            (Some(x), Some(y)) => match x.checked_add(y) {
                Some(sum) => self.types.size(Size::Const(sum)),
                None => self.types.size(Size::Error),
            },
            _ => self.types.size(Size::Add(a, b)),
        }
    }

    pub fn size_product(&mut self, a: SizeId, b: SizeId) -> SizeId {
        match (self.size_value(a), self.size_value(b)) {
            (Some(x), Some(y)) => match x.checked_mul(y) {
                Some(product) => self.types.size(Size::Const(product)),
                None => self.types.size(Size::Error),
            },
            _ => self.types.size(Size::Mul(a, b)),
        }
    }

    pub(super) fn map_effect<L: Leaves>(&mut self, effect: EffectId, leaves: &mut L) -> EffectId {
        if !self.types.effect_flags(effect).has(L::FLAGS) {
            return effect;
        }
        let items = self.types.get_effect(effect).items.clone();
        let mut out = Vec::with_capacity(items.len());
        for item in items {
            if leaves.effect(self, item, &mut out) {
                continue;
            }
            match item {
                EffectItem::Region(region) => {
                    let region = self.map_region(region, leaves);
                    out.push(EffectItem::Region(region));
                }
                EffectItem::RegionsOf(ty) => {
                    let ty = self.map_type(ty, leaves);
                    self.regions_of(ty, &mut out);
                }
                EffectItem::Var(_) | EffectItem::Infer(_) => out.push(item),
            }
        }
        self.types.effect(Effect { items: out })
    }
}
