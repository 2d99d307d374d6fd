//! Sub-typing without a change of representation: non-null under nullable, more elements under fewer, longer-lived
//! region under shorter-lived, covariant below a `const` pointer only.

use crate::checker::Checker;
use crate::hir::Instance;
use crate::infer::{Mismatch, Origin, Requirement};
use crate::ty::{
    Bounds, FunctionType, GenericArg, Pointer, Region, RegionId, TyVarId, Type, TypeId, Variadic,
};

impl Checker<'_> {
    /// A value of `from` may be used where one of `to` is expected, as it is.
    pub fn sub_type(&mut self, from: TypeId, to: TypeId, origin: Origin) -> Result<(), Mismatch> {
        let (from, to) = (self.shallow(from), self.shallow(to));
        if from == to {
            return Ok(());
        }
        if self.sub_later(from, to, origin) {
            return Ok(());
        }
        match (self.types.get(from), self.types.get(to)) {
            (Type::Pointer(x), Type::Pointer(y)) => {
                let (x, y) = (x.clone(), y.clone());
                self.sub_pointer(&x, &y, origin)
            }
            (Type::Tuple(xs), Type::Tuple(ys)) if xs.len() == ys.len() => {
                let (xs, ys) = (xs.clone(), ys.clone());
                xs.iter().zip(&ys).try_for_each(|(x, y)| self.sub_type(x.ty, y.ty, origin))
            }
            _ => self.unify(from, to),
        }
    }

    fn sub_pointer(&mut self, x: &Pointer, y: &Pointer, origin: Origin) -> Result<(), Mismatch> {
        if !self.sub_null(x, y) {
            return Err(Mismatch::Nullness);
        }
        match (x.bounds, y.bounds) {
            (Bounds::Fat, Bounds::Fat) => {}
            (Bounds::Thin(have), Bounds::Thin(need)) => self.enough(have, need)?,
            _ => return Err(Mismatch::Bounds),
        }
        if y.zeroterm && !x.zeroterm || x.zeroterm && !y.zeroterm && !y.elem.quals.is_const {
            return Err(Mismatch::ZeroTerm);
        }
        let (f, g) = (self.kind(x.elem.ty).clone(), self.kind(y.elem.ty).clone());
        if let (Type::Function(f), Type::Function(g)) = (f, g) {
            self.sub_function(&f, &g, origin)?;
            return Ok(());
        }
        self.convert_elements(x, y, origin)?;
        self.flow_region(x.region, y.region, origin)
    }

    /// Whether the shorter region of a bound is one of the variables.
    fn bounds_only(&self, vars: &[TyVarId], region: RegionId) -> bool {
        match *self.types.get_region(region) {
            Region::Var(var) => vars.contains(&var),
            _ => false,
        }
    }

    pub(super) fn same_args(
        &mut self,
        xs: &[GenericArg],
        ys: &[GenericArg],
    ) -> Result<(), Mismatch> {
        self.unify_generic_args(xs, ys)
    }

    /// A function of type `from` may be called through `to`: instantiated, it takes what `to` takes and returns what
    /// `to` returns, and needs no more to be live.
    pub(super) fn sub_function(
        &mut self,
        from: &FunctionType,
        to: &FunctionType,
        origin: Origin,
    ) -> Result<Instance, Mismatch> {
        let (inst, instance) = self.instantiate_function(from, &[], origin.span);
        if inst.params.len() != to.params.len() {
            let a = self.types.intern(Type::Function(Box::new(from.clone())));
            let b = self.types.intern(Type::Function(Box::new(to.clone())));
            return Err(Mismatch::Types(a, b));
        }
        for (have, given) in inst.params.iter().zip(&to.params) {
            self.sub_type(given.ty, have.ty, origin)?;
        }
        if !matches!(self.kind(to.result.ty), Type::Void)
            || !matches!(self.kind(inst.result.ty), Type::Void)
        {
            self.sub_type(inst.result.ty, to.result.ty, origin)?;
        }
        if to.noreturn && !inst.noreturn {
            return Err(Mismatch::Effects);
        }
        // What a caller through `to` keeps, the function must not consume.
        if to.noconsume.iter().any(|n| !inst.noconsume.contains(n)) {
            return Err(Mismatch::Effects);
        }
        match (inst.variadic, to.variadic) {
            (Variadic::No, Variadic::No) | (Variadic::C, Variadic::C) => {}
            (Variadic::Fat(x), Variadic::Fat(y)) | (Variadic::Inject(x), Variadic::Inject(y)) => {
                self.unify(x, y)?;
            }
            _ => return Err(Mismatch::Effects),
        }
        // What `to` demands of its callers holds of its own variables, which are known nowhere else.
        let own = to.bounds.iter().filter(|bound| self.bounds_only(&to.vars, bound.1));
        let own: Vec<_> = own.copied().collect();
        self.infer.facts.extend(own);
        self.require_bounds(&inst.bounds, origin);
        if inst.effect != to.effect {
            let (inner, outer) = (inst.effect, to.effect);
            self.infer.requirements.push(Requirement::Within { inner, outer, origin });
        }
        Ok(instance)
    }
}
