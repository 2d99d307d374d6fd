//! Inference: variables for types, regions, effects and sizes, their solution by unification, and for regions also by
//! *outlives* constraints that are collected over a whole body and solved at its end, so that order does not matter.

mod bind;
mod constraint;
mod finish;
mod instance;
mod later;
mod nullness;
mod report;
mod solve;
mod subst;
mod unify;
mod zonk;

pub(crate) use constraint::{Constraint, Origin, Requirement};
pub(crate) use later::Conversion;
pub(crate) use nullness::Nullness;
pub(crate) use subst::Subst;
pub(crate) use unify::Mismatch;

use crate::checker::Checker;
use crate::ty::{
    Effect, EffectId, EffectItem, EffectVid, GenericArg, Kind, NullVid, Region, RegionId,
    RegionVid, Size, SizeId, SizeVid, TyVarId, Type, TypeId, TypeVid,
};
use index_vec::IndexVec;
use tenure_span::{FastMap, FastSet, Span};

/// A variable's solution or, while it has none, where and why it was made.
#[derive(Clone, Debug)]
pub(crate) struct InferVar<T> {
    pub value: Option<T>,
    /// The innermost region scope where it was made: what it stands for must be in scope there.
    pub scope: Option<TyVarId>,
    pub span: Span,
    /// The bound variable of which it is an instance, whose name messages give while there is no solution.
    pub stands_for: Option<TyVarId>,
}

/// The call whose arguments are being checked, as an argument of another.
#[derive(Clone, Default, Debug)]
pub(crate) struct Lending {
    /// The scope of a call around, to which the result of this one is passed directly.
    pub around: Option<TyVarId>,
    /// What the callee returns.
    pub result: Option<TypeId>,
    /// Something is lent to the call around, because the result keeps it.
    pub outward: bool,
    /// The expression about to be checked, if it is an argument.
    pub argument: ArgumentForm,
}

/// What an expression is as an argument: neither, if it is none.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct ArgumentForm {
    /// A call, or something reached through its result; or one of two such values.
    pub is_call: bool,
    /// `?:`, or a comma.
    pub is_choice: bool,
}

/// The inference variables and constraints of one body.
#[derive(Debug)]
pub(crate) struct InferState {
    pub types: IndexVec<TypeVid, InferVar<TypeId>>,
    /// Kind of each type variable: `Boxed` if it stands for a `::B` variable's instance.
    pub type_kinds: IndexVec<TypeVid, Kind>,
    /// Those whose instance must be a word of full size, because memory of it is handed to code that does not know it.
    pub full_words: FastSet<TypeVid>,
    pub regions: IndexVec<RegionVid, InferVar<RegionId>>,
    /// Those that stand for an `::R` variable's instance, whose pointers are copied freely: none of them is an owned
    /// region.
    pub aliasable: FastSet<RegionVid>,
    /// Likewise of type variables.
    pub aliasable_types: FastSet<TypeVid>,
    /// Instances of variables whose values are copied freely, checked at the end of the body.
    pub instances: Vec<(TyVarId, GenericArg, Span)>,
    /// The scope of the innermost call whose arguments are being checked: what is lent to it is in this region.
    pub call: Option<TyVarId>,
    /// What else is known of that call.
    pub lending: Lending,
    /// Regions that `open` makes live, and the scope in which they are.
    pub opens: Vec<(RegionId, TyVarId)>,
    pub effects: IndexVec<EffectVid, InferVar<EffectId>>,
    pub sizes: IndexVec<SizeVid, InferVar<SizeId>>,
    pub nulls: IndexVec<NullVid, nullness::NullVar>,
    /// Pointers flow from where the first is open to where the second is.
    pub null_flows: Vec<(NullVid, NullVid)>,
    /// What is checked when more is known.
    pub later_counts: Vec<later::LaterCount>,
    pub later_subs: Vec<later::LaterSub>,
    /// The conversion that is being checked, for what it leaves for later.
    pub conversion: Option<Conversion>,
    pub constraints: Vec<Constraint>,
    pub requirements: Vec<Requirement>,
    /// Outlives facts that are assumed: from the function's type and from opened existentials.
    pub facts: Vec<(EffectId, RegionId)>,
    /// Opened existentials, and the region scope that each belongs to.
    pub opened: FastMap<TyVarId, TyVarId>,
    /// What the function's own effect says is live.
    pub live: FastSet<EffectItem>,
    /// The place that is being checked, for demands that arise inside unification.
    pub at: Span,
    /// The arguments being converted are those of a C function, which looks at them only during the call.
    pub calls_c: bool,
    /// Variables of the body with static storage, whose initialisers are finished with it.
    pub statics: Vec<crate::hir::GlobalId>,
}

impl Default for InferState {
    fn default() -> InferState {
        InferState {
            types: IndexVec::new(),
            type_kinds: IndexVec::new(),
            full_words: FastSet::default(),
            regions: IndexVec::new(),
            aliasable: FastSet::default(),
            aliasable_types: FastSet::default(),
            instances: Vec::new(),
            call: None,
            lending: Lending::default(),
            opens: Vec::new(),
            effects: IndexVec::new(),
            sizes: IndexVec::new(),
            nulls: IndexVec::new(),
            null_flows: Vec::new(),
            later_counts: Vec::new(),
            later_subs: Vec::new(),
            conversion: None,
            constraints: Vec::new(),
            requirements: Vec::new(),
            facts: Vec::new(),
            opened: FastMap::default(),
            live: FastSet::default(),
            at: Span::NONE,
            calls_c: false,
            statics: Vec::new(),
        }
    }
}

impl Checker<'_> {
    /// An unknown type. `kind` is `Boxed` where only a word may stand.
    pub fn fresh_type(&mut self, span: Span, kind: Kind) -> TypeId {
        let scope = self.scopes.regions.current();
        let vid = self.infer.types.push(InferVar { value: None, scope, span, stands_for: None });
        self.infer.type_kinds.push(kind);
        self.types.intern(Type::Infer(vid))
    }

    pub fn fresh_region(&mut self, span: Span) -> RegionId {
        let scope = self.scopes.regions.current();
        let vid = self.infer.regions.push(InferVar { value: None, scope, span, stands_for: None });
        self.types.region(Region::Infer(vid))
    }

    pub fn fresh_effect(&mut self, span: Span) -> EffectId {
        let scope = self.scopes.regions.current();
        let vid = self.infer.effects.push(InferVar { value: None, scope, span, stands_for: None });
        self.types.effect(Effect { items: vec![EffectItem::Infer(vid)] })
    }

    pub fn fresh_size(&mut self, span: Span) -> SizeId {
        let scope = self.scopes.regions.current();
        let vid = self.infer.sizes.push(InferVar { value: None, scope, span, stands_for: None });
        self.types.size(Size::Infer(vid))
    }

    /// Follows solved variables at the outside of a type.
    pub fn shallow(&self, mut ty: TypeId) -> TypeId {
        while let Type::Infer(vid) = self.types.get(ty) {
            match self.infer.types[*vid].value {
                Some(next) => ty = next,
                None => break,
            }
        }
        ty
    }

    pub fn shallow_region(&self, mut region: RegionId) -> RegionId {
        while let Region::Infer(vid) = self.types.get_region(region) {
            match self.infer.regions[*vid].value {
                Some(next) => region = next,
                None => break,
            }
        }
        region
    }

    pub fn shallow_size(&self, mut size: SizeId) -> SizeId {
        while let Size::Infer(vid) = self.types.get_size(size) {
            match self.infer.sizes[*vid].value {
                Some(next) => size = next,
                None => break,
            }
        }
        size
    }

    /// The size's value, if it is known.
    pub fn size_value(&self, size: SizeId) -> Option<u64> {
        match *self.types.get_size(self.shallow_size(size)) {
            Size::Const(value) => Some(value),
            Size::Add(a, b) => self.size_value(a)?.checked_add(self.size_value(b)?),
            Size::Mul(a, b) => self.size_value(a)?.checked_mul(self.size_value(b)?),
            _ => None,
        }
    }
}
