//! Values of aggregate types: tuples, structs by constructor, variants of datatypes.

use crate::checker::{Checker, Why};
use crate::convert::Elision;
use crate::hir::{Expr, ExprKind, Init, InitElem};
use crate::infer::{Origin, Subst};
use crate::ty::{DatatypeId, GenericArg, QualType, RecordId, RecordSort, Type, TypeId};
use tenure_span::{Diagnostic, Span};
use tenure_syntax::tree;

impl Checker<'_> {
    pub(super) fn tuple(
        &mut self,
        parts: &[tree::Expr],
        expected: Option<TypeId>,
        span: Span,
    ) -> Expr {
        let hints: Option<Vec<QualType>> = expected.and_then(|ty| match self.kind(ty) {
            Type::Tuple(fields) if fields.len() == parts.len() => Some(fields.clone()),
            _ => None,
        });
        let mut values = Vec::with_capacity(parts.len());
        let mut types = Vec::with_capacity(parts.len());
        for (index, part) in parts.iter().enumerate() {
            let hint = hints.as_ref().map(|hints| hints[index]);
            let value = match hint {
                Some(hint) if !matches!(self.kind(hint.ty), Type::Infer(_)) => {
                    self.expr_to(part, hint.ty, Why::Init { name: None, declared: part.span })
                }
                _ => self.value(part, None),
            };
            let quals = hint.map(|hint| hint.quals).unwrap_or_default();
            types.push(QualType { ty: value.ty, quals });
            values.push(value);
        }
        let ty = self.types.intern(Type::Tuple(types));
        Expr::value(ExprKind::Tuple(values), ty, span)
    }

    /// The types of a variant's arguments at an instance of its datatype. Existential variables stay as they are.
    pub(crate) fn variant_fields(
        &mut self,
        datatype: DatatypeId,
        variant: u32,
        args: &[GenericArg],
    ) -> Vec<QualType> {
        let def = &self.types.datatypes[datatype];
        let subst = Subst::new(&def.params, args);
        let fields = match def.variants.as_ref().and_then(|all| all.get(variant as usize)) {
            Some(variant) => variant.args.clone(),
            None => return Vec::new(),
        };
        fields.into_iter().map(|field| self.subst_qual(field, &subst)).collect()
    }

    /// The arguments of a datatype or record that the context names, or unknown ones.
    fn generics_of(
        &mut self,
        params: &[crate::ty::TyVarId],
        hint: Option<Vec<GenericArg>>,
        span: Span,
    ) -> Vec<GenericArg> {
        match hint {
            Some(args) if args.len() == params.len() => args,
            _ => self.fresh_args(params, span),
        }
    }

    pub(super) fn construct_variant(
        &mut self,
        datatype: DatatypeId,
        variant: u32,
        args: Option<&[tree::Expr]>,
        expected: Option<TypeId>,
        span: Span,
    ) -> Expr {
        let def = &self.types.datatypes[datatype];
        let params = def.params.clone();
        let Some(def) = def.variants.as_ref().and_then(|all| all.get(variant as usize)).cloned()
        else {
            let proof = self.already_reported(span);
            return self.error_expr(proof, span);
        };
        let hint = expected.and_then(|ty| match self.kind(ty) {
            Type::Datatype(id, args) | Type::Variant(id, _, args) if *id == datatype => {
                Some(args.clone())
            }
            _ => None,
        });
        let generics = self.generics_of(&params, hint, span);
        let found = args.map_or(0, <[tree::Expr]>::len);
        let name = def.name.name;
        if found != def.args.len() {
            let wanted = def.args.len();
            let plural = if wanted == 1 { "" } else { "s" };
            let text = format!("`{name}` takes {wanted} argument{plural}, found {found}");
            let error = Diagnostic::error("E0333", text, span).secondary(def.span, "declared here");
            return self.fail(error);
        }
        let mut subst = Subst::new(&params, &generics);
        for &var in &def.existentials {
            let arg = self.fresh_witness(var, &def.args, span);
            subst.push(var, arg);
        }
        let mut values = Vec::with_capacity(found);
        for (index, (arg, field)) in args.unwrap_or_default().iter().zip(&def.args).enumerate() {
            let to = self.subst(field.ty, &subst);
            let why = Why::Construct { name, index, declared: def.span };
            values.push(self.expr_to(arg, to, why));
        }
        let origin = Origin { span, declared: def.span };
        self.require_substituted(&def.bounds, &subst, origin);
        let ty = self.types.intern(Type::Variant(datatype, variant, generics.clone()));
        let kind = ExprKind::Construct { datatype, variant, instance: generics, args: values };
        Expr::value(kind, ty, span)
    }

    /// Bounds on existentials hold for what they stand for.
    pub(crate) fn require_substituted(
        &mut self,
        bounds: &[(crate::ty::EffectId, crate::ty::RegionId)],
        subst: &Subst,
        origin: Origin,
    ) {
        for &(set, region) in bounds {
            let set = self.subst_effect(set, subst);
            let region = self.subst_region(region, subst);
            self.require_bound(set, region, origin);
        }
    }

    /// Type arguments as written, for as many variables as there are.
    pub(super) fn explicit_type_args(
        &mut self,
        args: &[tree::TypeArg],
        vars: &[crate::ty::TyVarId],
    ) -> Vec<GenericArg> {
        let pairs = vars.iter().zip(args);
        pairs
            .map(|(&var, arg)| {
                let kind = self.types.vars[var].kind;
                self.arg_of_kind(kind, arg, Elision::Infer)
            })
            .collect()
    }

    /// A record type at the instance that the context names, or at an unknown one.
    pub(super) fn record_type(
        &mut self,
        record: RecordId,
        expected: Option<TypeId>,
        span: Span,
    ) -> TypeId {
        let hint = expected.and_then(|ty| match self.kind(ty) {
            Type::Record(id, args) if *id == record => Some(args.clone()),
            _ => None,
        });
        let params = self.types.records[record].params.clone();
        let generics = self.generics_of(&params, hint, span);
        self.types.intern(Type::Record(record, generics))
    }

    /// `Pair(1, 2)`.
    pub(super) fn construct_record(
        &mut self,
        record: RecordId,
        args: &[tree::Expr],
        expected: Option<TypeId>,
        span: Span,
    ) -> Expr {
        let ty = self.record_type(record, expected, span);
        let def = &self.types.records[record];
        let declared = def.span;
        let sort = def.sort;
        let Some(defs) = def.fields.clone() else {
            let text = format!("`{}` is not defined here, only declared", self.show_type(ty));
            let error = Diagnostic::error("E0434", text, span).secondary(declared, "declared here");
            return self.fail(error);
        };
        if sort != RecordSort::Struct {
            let text = format!("a union has no constructor `{}(…)`", self.show_type(ty));
            let error = Diagnostic::error("E0336", text, span)
                .help("initialise one member: `{.member = value}`");
            return self.fail(error);
        }
        let types = self.fields_to_initialise(ty, None, span);
        let named: Vec<u32> =
            (0..defs.len() as u32).filter(|&i| defs[i as usize].name.is_some()).collect();
        if named.len() != args.len() {
            let plural = if named.len() == 1 { "" } else { "s" };
            let text = format!(
                "`{}` has {} member{plural}, found {} argument(s)",
                self.show_type(ty),
                named.len(),
                args.len()
            );
            let error = Diagnostic::error("E0333", text, span).secondary(declared, "declared here");
            return self.fail(error);
        }
        let mut fields = Vec::with_capacity(args.len());
        for (&index, arg) in named.iter().zip(args) {
            let def = &defs[index as usize];
            let field = types[index as usize];
            fields.push((index, self.initializer(arg, field.ty, def.name, def.span)));
        }
        let init = Init { kind: InitElem::Record(fields), ty, span };
        Expr::value(ExprKind::Aggregate(Box::new(init)), ty, span)
    }

    /// `Pair{.x = 1, .y = 2}`.
    pub(super) fn struct_literal(
        &mut self,
        lit: &tree::StructLit,
        expected: Option<TypeId>,
        span: Span,
    ) -> Expr {
        let Some((crate::scope::Tag::Record(record), _)) =
            self.scopes.find_tag_qualified(&lit.name)
        else {
            let text = format!("there is no struct or union `{}`", lit.name);
            return self.fail(Diagnostic::error("E0203", text, lit.name.span));
        };
        let ty = self.record_type(record, expected, span);
        let explicit = (!lit.type_args.is_empty()).then(|| {
            let vars = self.types.records[record].existentials.clone();
            self.explicit_type_args(&lit.type_args, &vars)
        });
        let init = self.init_list(&lit.items, ty, explicit, span);
        let ty = init.ty;
        Expr::value(ExprKind::Aggregate(Box::new(init)), ty, span)
    }

    /// `{…}` where an expression stands: a value of the type that the context wants.
    pub(super) fn braces(&mut self, e: &tree::Expr, expected: Option<TypeId>) -> Expr {
        let aggregate = expected.filter(|&ty| {
            matches!(self.kind(ty), Type::Record(..) | Type::Tuple(_) | Type::Array { .. })
        });
        match aggregate {
            Some(ty) => {
                let init = self.initializer(e, ty, None, e.span);
                let ty = init.ty;
                Expr::value(ExprKind::Aggregate(Box::new(init)), ty, e.span)
            }
            // The parser takes braces where a value may follow, and has reported the others.
            None if expected.is_some() && self.sink.has_errors().is_some() => {
                let proof = self.already_reported(e.span);
                self.error_expr(proof, e.span)
            }
            None => {
                let text = "the type of these braces is not known";
                let error = Diagnostic::error("E0329", text, e.span)
                    .help("write the struct's name before them, or `new` for an array");
                self.fail(error)
            }
        }
    }
}
