//! Typedefs, and abstract functions on types.

use super::{TypedefDef, TypedefId};
use crate::checker::Checker;
use crate::convert::Elision;
use crate::infer::Subst;
use crate::names::QualName;
use crate::scope::Entry;
use crate::ty::{Kind, QualType, TyVarOrigin, Type, TypeFnDef, LARGEST_TYPEDEF};
use tenure_span::{Diagnostic, Span};
use tenure_syntax::tree::{BaseType, Declarator, Part, PointerQual, PointerQualKind, Specifiers};

impl Checker<'_> {
    pub(super) fn typedef(
        &mut self,
        specs: &Specifiers,
        base: Option<QualType>,
        declarator: &Declarator,
    ) {
        let Some(name) = &declarator.name else { return };
        if let (BaseType::Wildcard(kind), []) = (&specs.base, &declarator.parts[..]) {
            return self.type_function(declarator, kind.as_ref());
        }
        self.convert.unsafe_reason = None;
        self.scopes.push_types();
        let params = self.bind_vars(&declarator.params, TyVarOrigin::TypeParam);
        // A type variable of the base is the typedef's own, also where the base is defined right here.
        let base = match base {
            Some(base) if !params.is_empty() => self.rename_definition(base),
            other => other,
        };
        let ty = self.declared_type(specs, base, &declarator.parts, Elision::Heap);
        let too_large = self.types.extent(ty.ty) > LARGEST_TYPEDEF;
        let ty = if too_large { QualType { ty: self.basics.error, ..ty } } else { ty };
        for var in &params {
            self.convert.unfixed.remove(var);
        }
        self.scopes.pop();
        let attributes = self.attributes(&[&specs.attributes, &declarator.attributes]);
        self.aligned_typedef(ty.ty, attributes.align, name.span);
        let symbol = name.name.name;
        if too_large {
            let text =
                format!("the type that `{symbol}` names has more than {LARGEST_TYPEDEF} parts");
            let help = "give one of its parts a name of its own: put it into a struct";
            self.error(Diagnostic::error("E0244", text, name.span).help(help));
        }
        let unsafe_reason = self.convert.unsafe_reason.take();
        if let Some((old, declared)) = self.scopes.declared_here(symbol) {
            if let Entry::Typedef(old) = old {
                let id = self.redeclared_typedef(old, &params, ty);
                if id {
                    return;
                }
            }
            if !self.convert.c_header {
                return self.conflicting(name.span, symbol, declared, "E0208");
            }
        }
        let heap_pointer = leaves_region_out(declarator).then_some(name.span);
        let def = TypedefDef { name: symbol, params, ty, unsafe_reason, heap_pointer };
        let id = self.decls.typedefs.push(def);
        self.scopes.declare(symbol, Entry::Typedef(id), name.span);
    }

    /// A record that the typedef itself defines, at the typedef's variables of the same names; other types are
    /// converted anew.
    fn rename_definition(&mut self, base: QualType) -> Option<QualType> {
        let Type::Record(id, _) = *self.types.get(base.ty) else { return None };
        let params = self.types.records[id].params.clone();
        let mut args = Vec::with_capacity(params.len());
        for param in params {
            let name = self.types.vars[param].name;
            let same = name.and_then(|name| self.scopes.find_type_var(name)).unwrap_or(param);
            self.fix_kind(same, self.types.vars[param].kind, self.types.vars[param].span);
            args.push(self.var_arg(same));
        }
        Some(QualType { ty: self.types.intern(Type::Record(id, args)), quals: base.quals })
    }

    /// C11 6.7p3: the same type may be defined again.
    fn redeclared_typedef(
        &mut self,
        old: TypedefId,
        params: &[crate::ty::TyVarId],
        ty: QualType,
    ) -> bool {
        let def = self.decls.typedefs[old].clone();
        if def.params.len() != params.len() {
            return false;
        }
        let args: Vec<_> = params.iter().map(|&var| self.var_arg(var)).collect();
        let old = self.subst_qual(def.ty, &Subst::new(&def.params, &args));
        self.unify_quals(old, ty).is_ok()
    }

    pub(super) fn conflicting(
        &mut self,
        span: Span,
        name: tenure_span::Symbol,
        declared: Span,
        code: &'static str,
    ) {
        let text = format!("`{name}` is declared again, and differently");
        let mut error = Diagnostic::error(code, text, span);
        if !declared.is_none() {
            error = error.secondary(declared, "first declared here");
        }
        self.type_error(error);
    }

    /// `typedef _::R next_rgn<`r::R>`.
    fn type_function(&mut self, declarator: &Declarator, kind: Option<&tenure_syntax::tree::Kind>) {
        let Some(name) = &declarator.name else { return };
        let result = kind.map_or(Kind::Boxed, |kind| self.written_kind(kind));
        let param = declarator.params.first().and_then(|param| param.kind.as_ref());
        let param = param.map_or(Kind::Region, |kind| self.written_kind(kind));
        let supported = declarator.params.len() == 1
            && matches!(result, Kind::Region | Kind::UniqueRegion)
            && matches!(param, Kind::Region | Kind::UniqueRegion);
        if !supported {
            let text = "an abstract type-level function takes one region and gives a region";
            self.error(Diagnostic::error("E0224", text, name.span));
            self.scopes.declare(name.name.name, Entry::Error, name.span);
            return;
        }
        let qualified: QualName = self.scopes.qualify(name.name.name);
        let def = TypeFnDef { name: qualified, param, result, span: name.span };
        let id = self.types.type_fns.push(def);
        self.scopes.declare(name.name.name, Entry::TypeFn(id), name.span);
    }
}

/// Whether the declarator makes a pointer and says nothing of its region.
fn leaves_region_out(declarator: &Declarator) -> bool {
    match declarator.parts.first() {
        Some(Part::Pointer(pointer)) => {
            let is_region = |qual: &PointerQual| matches!(qual.kind, PointerQualKind::Region(_));
            !pointer.pointer_quals.iter().any(is_region)
        }
        _ => false,
    }
}
