//! Type arguments: `List<int,`H>`, regions, effects, bounds.

use super::vars::kind_name;
use super::Elision;
use crate::checker::Checker;
use crate::decl::TypedefId;
use crate::infer::Subst;
use crate::scope::Entry;
use crate::ty::{
    ArrayLen, Effect, EffectId, EffectItem, GenericArg, Kind, QualType, Region, RegionId, TyVar,
    TyVarId, TyVarOrigin, Type, TypeId,
};
use tenure_span::{Diagnostic, Span, Symbol};
use tenure_syntax::tree::{
    self, AliasName, AliasQual, BaseType, Bound, BoundOp, EffectMemberKind, TypeArg, TypeArgKind,
    TypeName, TypeVar,
};

impl Checker<'_> {
    /// Arguments for a list of parameters. Those that are left out at the end follow the place's rule for regions.
    pub(crate) fn generic_args(
        &mut self,
        params: &[TyVarId],
        args: &[TypeArg],
        elision: Elision,
        name: &str,
        span: Span,
    ) -> Vec<GenericArg> {
        if args.len() > params.len() {
            let text =
                format!("`{name}` takes {} type arguments, found {}", params.len(), args.len());
            self.type_error(Diagnostic::error("E0207", text, args[params.len()].span));
        }
        let mut out = Vec::with_capacity(params.len());
        for (index, &param) in params.iter().enumerate() {
            let arg = match args.get(index) {
                Some(arg) => self.generic_arg(param, arg, elision),
                None => self.missing_arg(param, elision, name, span),
            };
            if !self.convert.unfixed.contains(&param) {
                let span = args.get(index).map_or(span, |arg| arg.span);
                self.written_instance(param, arg, span);
            }
            out.push(arg);
        }
        out
    }

    fn generic_arg(&mut self, param: TyVarId, arg: &TypeArg, elision: Elision) -> GenericArg {
        if self.convert.unfixed.contains(&param) {
            // A recursive mention before the kinds are known: the argument's own kind decides.
            if let Some(var) = arg.as_param().and_then(|var| self.scopes.find_type_var(var.name)) {
                if !self.convert.unfixed.contains(&var) {
                    let kind = self.types.vars[var].kind;
                    self.fix_kind(param, kind, arg.span);
                }
            }
        }
        self.arg_of_kind(self.types.vars[param].kind, arg, elision)
    }

    pub(crate) fn arg_of_kind(
        &mut self,
        kind: Kind,
        arg: &TypeArg,
        elision: Elision,
    ) -> GenericArg {
        match kind {
            Kind::Region | Kind::UniqueRegion => GenericArg::Region(self.region_arg(arg, elision)),
            Kind::Effect => GenericArg::Effect(self.effect_arg(arg)),
            Kind::Size => GenericArg::Size(self.size_arg(arg)),
            Kind::Boxed | Kind::Any => GenericArg::Type(self.generic_type_arg(arg, kind, elision)),
        }
    }

    fn generic_type_arg(&mut self, arg: &TypeArg, kind: Kind, elision: Elision) -> TypeId {
        let name = match &arg.kind {
            TypeArgKind::Type(name) => name,
            _ => {
                let text = "a type is needed here";
                return self.type_error(Diagnostic::error("E0206", text, arg.span));
            }
        };
        let ty = self.convert_type_name(name, elision).ty;
        if kind == Kind::Boxed && !self.is_word(ty) {
            let text = format!(
                "`{}` is not one word, so it cannot stand for a type variable",
                self.show_type(ty)
            );
            let error = Diagnostic::error("E0305", text, arg.span).help("put it behind a pointer");
            return self.type_error(error);
        }
        ty
    }

    fn missing_arg(
        &mut self,
        param: TyVarId,
        elision: Elision,
        name: &str,
        span: Span,
    ) -> GenericArg {
        let kind = self.types.vars[param].kind;
        match (kind, elision) {
            (Kind::Region | Kind::UniqueRegion, _) => {
                GenericArg::Region(self.elided_region(elision, span))
            }
            (_, Elision::Infer) => self.fresh_arg(kind, span),
            (_, Elision::Param(number)) => {
                let origin = TyVarOrigin::Elided { param: number };
                let var =
                    self.types.vars.push(TyVar { name: None, kind, unique: false, origin, span });
                if let Some(binder) = self.convert.binders.last_mut() {
                    binder.elided.push(var);
                }
                self.var_arg(var)
            }
            (Kind::Effect, Elision::Heap) => GenericArg::Effect(self.basics.no_effect),
            (_, Elision::Heap) => {
                let what = kind_name(kind);
                let text = format!("`{name}` needs {what} as argument");
                let error = Diagnostic::error("E0207", text, span)
                    .secondary(self.types.vars[param].span, "for this parameter");
                self.type_error(error);
                match kind {
                    Kind::Size => GenericArg::Size(self.types.size(crate::ty::Size::Error)),
                    _ => GenericArg::Type(self.basics.error),
                }
            }
        }
    }

    /// A typedef's type at its arguments.
    pub(super) fn typedef_instance(
        &mut self,
        id: TypedefId,
        args: &[TypeArg],
        elision: Elision,
        span: Span,
    ) -> QualType {
        let def = &self.decls.typedefs[id];
        let (ty, name) = (def.ty, def.name);
        if def.params.is_empty() && args.is_empty() {
            if self.convert.c_header {
                if let Some(reason) = &self.decls.typedefs[id].unsafe_reason {
                    self.convert.unsafe_reason.get_or_insert(reason.clone());
                }
            }
            return ty;
        }
        let params = def.params.clone();
        let args = self.generic_args(&params, args, elision, name.as_str(), span);
        let instance = self.subst_qual(ty, &Subst::new(&params, &args));
        QualType { ty: self.bounded(instance.ty, span), quals: instance.quals }
    }

    /// A region, as an argument or in a pointer's qualifiers.
    pub(crate) fn region_arg(&mut self, arg: &TypeArg, elision: Elision) -> RegionId {
        match &arg.kind {
            TypeArgKind::Type(name) => self.region_name(name, elision),
            TypeArgKind::Alias(alias) => match self.alias_region(alias, elision, arg.span) {
                Some(region) => region,
                None if matches!(**alias, AliasQual::Name(AliasName::Aliasable)) => {
                    self.basics.heap
                }
                None => self.no_region(arg.span),
            },
            TypeArgKind::Effect(effect) => match &effect.members[..] {
                [member] => match &member.kind {
                    EffectMemberKind::Region(name) => self.region_name(name, elision),
                    EffectMemberKind::Var(var) => self.region_of_var(var),
                    EffectMemberKind::Regions(_) => self.no_region(arg.span),
                },
                _ => self.no_region(arg.span),
            },
            TypeArgKind::Value(_) => self.no_region(arg.span),
        }
    }

    /// The region that an alias qualifier of Cyclone 1.0 says: an object that is unique or counted is in `` `U `` or
    /// `` `RC ``, and one that may be either, in a region that nobody knows.
    pub(super) fn alias_region(
        &mut self,
        alias: &AliasQual,
        elision: Elision,
        span: Span,
    ) -> Option<RegionId> {
        match alias {
            AliasQual::Name(AliasName::Unique) => Some(self.basics.unique),
            AliasQual::Name(AliasName::Refcnt) => Some(self.basics.counted),
            AliasQual::Name(AliasName::Aliasable) => None,
            AliasQual::Name(AliasName::Restricted) => match elision {
                Elision::Param(_) => {
                    let region = self.elided_region(elision, span);
                    if let Region::Var(var) = *self.types.get_region(region) {
                        self.types.vars[var].kind = Kind::UniqueRegion;
                    }
                    Some(region)
                }
                _ => {
                    let text = "`RESTRICTED` is for parameters: what is it here?";
                    let error = Diagnostic::error("E0217", text, span)
                        .help("write `UNIQUE`, `REFCNT`, or a variable of kind `Q`");
                    self.type_error(error);
                    Some(self.basics.region_error)
                }
            },
            AliasQual::Var(var) => {
                let kind = tree::Kind { name: Symbol::new("Q"), alias: None, span: var.span };
                let var = TypeVar { kind: Some(var.kind.unwrap_or(kind)), ..var.clone() };
                Some(self.region_of_var(&var))
            }
            AliasQual::Of(_) => {
                let text = "the qualifier of a type variable's values is not known";
                self.type_error(Diagnostic::error("E0217", text, span));
                Some(self.basics.region_error)
            }
        }
    }

    fn no_region(&mut self, span: Span) -> RegionId {
        self.type_error(Diagnostic::error("E0206", "a region is needed here", span));
        self.basics.region_error
    }

    fn region_name(&mut self, name: &TypeName, elision: Elision) -> RegionId {
        if !name.parts.is_empty() {
            return self.no_region(name.span);
        }
        match &name.specs.base {
            BaseType::Var(var) => self.region_of_var(var),
            BaseType::Wildcard(_) => self.elided_region(elision, name.span),
            BaseType::Named(function, args) => match self.scopes.find_qualified(function) {
                Some((Entry::TypeFn(id), _)) if args.len() == 1 => {
                    let inner = self.region_arg(&args[0], elision);
                    self.types.region(Region::Apply(id, inner))
                }
                _ => self.no_region(name.span),
            },
            BaseType::Error => self.basics.region_error,
            _ => self.no_region(name.span),
        }
    }

    pub(crate) fn region_of_var(&mut self, var: &TypeVar) -> RegionId {
        match var.name.as_str() {
            "H" => self.basics.heap,
            "U" => self.basics.unique,
            "RC" => self.basics.counted,
            "D" => self.basics.checked,
            _ => match self.type_var_of(var, Kind::Region) {
                Some(id) if self.is_block_var(id) => self.block_region(id),
                Some(id) => self.region_var(id),
                None => self.basics.region_error,
            },
        }
    }

    fn is_block_var(&self, var: TyVarId) -> bool {
        matches!(self.types.vars[var].origin, TyVarOrigin::Block { .. })
    }

    /// An effect, as an argument.
    pub(crate) fn effect_arg(&mut self, arg: &TypeArg) -> EffectId {
        match &arg.kind {
            TypeArgKind::Effect(effect) => self.convert_effect(effect),
            TypeArgKind::Type(name) => match (&name.parts[..], &name.specs.base) {
                ([], BaseType::Var(var)) => {
                    let items = self.effect_of_var(var).into_iter().collect();
                    self.types.effect(Effect { items })
                }
                _ => {
                    let region = self.region_name(name, Elision::Heap);
                    self.types.effect(Effect { items: vec![EffectItem::Region(region)] })
                }
            },
            _ => {
                let text = "an effect is needed here";
                self.type_error(Diagnostic::error("E0206", text, arg.span));
                self.basics.no_effect
            }
        }
    }

    /// A variable in an effect: an effect variable or, as in `` `r+`H ``, a region.
    fn effect_of_var(&mut self, var: &TypeVar) -> Option<EffectItem> {
        match var.name.as_str() {
            "H" => return None,
            "U" | "RC" | "D" => return None,
            _ => {}
        }
        let known = self.known_kind(var);
        match known {
            Some(Kind::Region | Kind::UniqueRegion) => {
                Some(EffectItem::Region(self.region_of_var(var)))
            }
            _ => self.type_var_of(var, Kind::Effect).map(EffectItem::Var),
        }
    }

    /// The kind of a variable that is bound already and whose kind is known.
    fn known_kind(&self, var: &TypeVar) -> Option<Kind> {
        let bound = self.scopes.find_type_var(var.name).or_else(|| {
            let binder = self.convert.binders.first()?;
            binder.written.iter().find(|written| written.0 == var.name).map(|written| written.1)
        })?;
        (!self.convert.unfixed.contains(&bound)).then(|| self.types.vars[bound].kind)
    }

    /// `` {`r,`s}+`e+regions(`a) ``.
    pub(crate) fn convert_effect(&mut self, effect: &tree::Effect) -> EffectId {
        let mut items = Vec::with_capacity(effect.members.len());
        for member in &effect.members {
            match &member.kind {
                EffectMemberKind::Region(name) => {
                    let region = self.region_name(name, Elision::Heap);
                    if region != self.basics.heap {
                        items.push(EffectItem::Region(region));
                    }
                }
                EffectMemberKind::Var(var) => items.extend(self.effect_of_var(var)),
                EffectMemberKind::Regions(name) => {
                    let ty = self.convert_type_name(name, Elision::Heap).ty;
                    self.regions_of(ty, &mut items);
                }
            }
        }
        self.types.effect(Effect { items })
    }

    /// Bounds on variables: pairs of a set and the region that all of it outlives.
    pub(crate) fn convert_bounds_list(&mut self, bounds: &[Bound]) -> Vec<(EffectId, RegionId)> {
        let mut out = Vec::with_capacity(bounds.len());
        for bound in bounds {
            let Some(right) = &bound.right else { continue };
            match bound.op {
                BoundOp::Outlives | BoundOp::Subset => {
                    if matches!(bound.left.kind, TypeArgKind::Alias(_)) {
                        continue;
                    }
                    let set = self.outliving(&bound.left);
                    let region = self.region_arg(right, Elision::Heap);
                    out.push((set, region));
                }
                BoundOp::Equal => {
                    let (set, region) =
                        (self.outliving(&bound.left), self.region_arg(right, Elision::Heap));
                    out.push((set, region));
                    let (set, region) =
                        (self.outliving(right), self.region_arg(&bound.left, Elision::Heap));
                    out.push((set, region));
                }
                // These say nothing about lifetimes.
                BoundOp::Disjoint | BoundOp::Single => {}
            }
        }
        out
    }

    /// The left side of a bound: regions. A lone variable without a kind is a region.
    fn outliving(&mut self, arg: &TypeArg) -> EffectId {
        if let Some(var) = arg.as_param() {
            if !matches!(self.known_kind(var), Some(Kind::Effect)) {
                let region = self.region_of_var(var);
                return self.types.effect(Effect { items: vec![EffectItem::Region(region)] });
            }
        }
        self.effect_arg(arg)
    }

    /// A type without qualifiers for an argument position of constructors and tuples.
    pub(crate) fn constructor_param(&mut self, param: &tree::Param, elision: Elision) -> QualType {
        let ty = self.declared_type(&param.specs, None, &param.declarator.parts, elision);
        if let Some(error) = self.variable_array(ty.ty, param.span) {
            return QualType::plain(error);
        }
        let (code, text) = match self.kind(ty.ty) {
            Type::Void => ("E0306", "`void` is not the type of a value"),
            Type::Function(_) => ("E0210", "a function is no object: a pointer to it is"),
            Type::Array { len: ArrayLen::Incomplete, .. } => {
                ("E0210", "the array's length is missing")
            }
            _ => return ty,
        };
        QualType::plain(self.type_error(Diagnostic::error(code, text, param.span)))
    }
}
