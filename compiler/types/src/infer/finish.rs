//! The end of a body: regions are solved, what is left open is decided or reported, and the typed tree gets its final
//! types.

use super::zonk::Solutions;
use super::{Checker, InferState};
use crate::hir::{self, walk::TypesMut};
use crate::ty::{Flags, GenericArg, Kind, RegionId, TyVarId, Type, TypeId, TypeTable};
use tenure_span::{Diagnostic, Span};

struct Finish<'c, 'a> {
    checker: &'c mut Checker<'a>,
    solutions: Solutions,
}

/// Looks for expressions whose type is a variable of kind `A`.
struct AnySize<'t> {
    types: &'t TypeTable,
    found: bool,
}

impl TypesMut for AnySize<'_> {
    fn ty(&mut self, ty: &mut TypeId) {
        if let Type::Var(var) = self.types.get(*ty) {
            self.found |= self.types.vars[*var].kind == Kind::Any;
        }
    }

    fn region(&mut self, _: &mut RegionId) {}

    fn arg(&mut self, _: &mut GenericArg) {}
}

impl TypesMut for Finish<'_, '_> {
    fn ty(&mut self, ty: &mut TypeId) {
        if self.checker.types.flags(*ty).has(Flags::INFER) {
            *ty = self.checker.map_type(*ty, &mut self.solutions);
        }
    }

    fn init(&mut self, init: &mut hir::Init) {
        self.init_parts(init);
        self.checker.check_whole_init(init);
    }

    /// A check for NULL that inference has shown to be needless falls away.
    fn expr(&mut self, expr: &mut hir::Expr) {
        self.expr_parts(expr);
        if let hir::ExprKind::Assign(place, _) = &expr.kind {
            self.checker.check_whole_store(place);
        }
        if let hir::ExprKind::Coerce(kind @ hir::Coercion::NonNull, inner) = &mut expr.kind {
            let nullable =
                |ty| matches!(self.checker.types.get(ty), Type::Pointer(p) if p.nullable);
            if nullable(expr.ty) || !nullable(inner.ty) {
                *kind = hir::Coercion::Same;
            }
        }
    }

    fn region(&mut self, region: &mut RegionId) {
        *region = self.checker.map_region(*region, &mut self.solutions);
    }

    fn arg(&mut self, arg: &mut GenericArg) {
        *arg = self.checker.map_arg(*arg, &mut self.solutions);
    }
}

impl Finish<'_, '_> {
    fn statics(&mut self) {
        for global in std::mem::take(&mut self.checker.infer.statics) {
            if let Some(mut init) = self.checker.globals[global].init.take() {
                self.init(&mut init);
                self.checker.globals[global].ty.ty = init.ty;
                self.checker.globals[global].init = Some(init);
            }
        }
    }
}

impl Checker<'_> {
    /// Ends the inference of a function's body: solves, reports, and writes the solutions into the body.
    pub fn finish_body(&mut self, body: &mut hir::Body) {
        self.solve();
        self.check_instances();
        let solutions = Solutions::finishing();
        let mut finish = Finish { checker: self, solutions };
        finish.body(body);
        finish.statics();
        let unsolved = finish.solutions.unsolved;
        self.check_locals(body);
        self.check_any_size(body);
        if self.sink.has_errors().is_none() {
            self.own_body(body);
        }
        self.end_inference(unsolved);
    }

    fn solve(&mut self) {
        self.settle_subs(0);
        self.solve_counts();
        self.propagate_nulls();
        self.solve_regions();
    }

    /// Likewise for the initialiser of a variable at file scope.
    pub fn finish_init(&mut self, init: &mut hir::Init) {
        self.solve();
        self.check_instances();
        let solutions = Solutions::finishing();
        let mut finish = Finish { checker: self, solutions };
        finish.init(init);
        let unsolved = finish.solutions.unsolved;
        self.end_inference(unsolved);
    }

    /// A function that others call is compiled once, so it cannot handle values whose size it does not know. A private
    /// one is copied for each type.
    fn check_any_size(&mut self, body: &mut hir::Body) {
        let Some(func) = self.fx.func else { return };
        let def = &self.funcs[func];
        if matches!(def.linkage, hir::Linkage::Internal | hir::Linkage::Inline) {
            return;
        }
        let Type::Function(function) = self.types.get(def.ty) else { return };
        let is_any = |var: &&TyVarId| self.types.vars[**var].kind == Kind::Any;
        let Some(&var) = function.vars.iter().find(is_any) else { return };
        let mut search = AnySize { types: &self.types, found: false };
        search.body(body);
        if search.found {
            let name = self.show_var(var);
            let text = format!(
                "the function uses values of type {name}, of which it does not know the size"
            );
            let error = Diagnostic::error("E0243", text, def.span)
                .secondary(self.types.vars[var].span, "it may be any type")
                .help("declare the function `static` or `static inline`: then a copy is made for each type");
            self.error(error);
        }
    }

    /// Locals whose type was inferred are objects too.
    fn check_locals(&mut self, body: &hir::Body) {
        for local in &body.locals {
            self.bound_variable(local.ty.ty, local.span);
            let bad = match self.types.get(local.ty.ty) {
                Type::Datatype(..) | Type::Void | Type::Function(_) => true,
                Type::Record(id, _) => {
                    self.types.records[*id].fields.is_none() || self.types.embeds_datatype(*id)
                }
                _ => false,
            };
            if bad && self.sink.has_errors().is_none() {
                let text = format!(
                    "a variable cannot be of type `{}`, which has no known size",
                    self.show_type(local.ty.ty)
                );
                let error = Diagnostic::error("E0210", text, local.span);
                self.error(error.help("keep a pointer to it"));
            }
        }
    }

    /// A type as far as it is known by now, for a declaration that outlives the inference of this body: regions that
    /// are still open are the heap.
    pub fn settle(&mut self, ty: TypeId, span: Span) -> TypeId {
        self.settle_subs(0);
        self.propagate_nulls();
        let mut solutions = Solutions::finishing();
        let settled = self.map_type(ty, &mut solutions);
        if !solutions.unsolved.is_empty() {
            let text = "the type is not known yet";
            self.error(Diagnostic::error("E0314", text, span));
        }
        settled
    }

    fn end_inference(&mut self, unsolved: Vec<crate::ty::TypeVid>) {
        let mut spans: Vec<_> = unsolved.iter().map(|&vid| self.infer.types[vid].span).collect();
        spans.sort();
        spans.dedup();
        for span in spans {
            if self.sink.has_errors().is_none() {
                let text = "the type cannot be inferred from its uses";
                let error = Diagnostic::error("E0314", text, span);
                self.error(error.help("write the type, or give it a value of a known type"));
            }
        }
        self.infer = InferState::default();
        self.scopes.regions.clear();
    }
}
