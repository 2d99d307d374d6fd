//! The end of a body: regions are solved, what is left open is decided or reported, and the typed tree gets its final types.

use super::zonk::Solutions;
use super::{Checker, InferState};
use crate::hir::{self, walk::TypesMut};
use crate::ty::{Flags, GenericArg, Kind, RegionId, TyVarId, Type, TypeId, TypeTable};
use tenure_span::{Diagnostic, Span};

struct Finish<'c, 'a> {
    checker: &'c mut Checker<'a>,
    solutions: Solutions,
    /// A type argument was seen whose values nobody may copy.
    fixed_args: bool,
}

/// Looks for uses of functions at a type whose values nobody may copy. A function that others call cannot copy them.
struct FixedArgs<'c, 'a> {
    checker: &'c Checker<'a>,
    found: Vec<(TypeId, Option<Span>)>,
    at: Option<Span>,
}

impl TypesMut for FixedArgs<'_, '_> {
    fn ty(&mut self, _: &mut TypeId) {}

    fn region(&mut self, _: &mut RegionId) {}

    fn arg(&mut self, arg: &mut GenericArg) {
        if let GenericArg::Type(ty) = *arg {
            if self.checker.is_fixed_in_place(ty) {
                self.found.push((ty, self.at));
            }
        }
    }

    fn call(&mut self, call: &mut hir::Call) {
        let copies = match call.callee.kind {
            hir::ExprKind::Func(func, _) => self.checker.may_copy_any(func),
            _ => true,
        };
        if copies {
            self.at = Some(call.callee.span);
            self.expr(&mut call.callee);
            self.at = None;
        }
        for arg in &mut call.args {
            self.at = Some(arg.span);
            self.expr(arg);
            self.at = None;
        }
        match &mut call.rest {
            hir::VarArgs::None => {}
            hir::VarArgs::C(args) | hir::VarArgs::Fat { args, .. } => self.exprs(args),
            hir::VarArgs::Inject(inject) => self.exprs(&mut inject.args),
            hir::VarArgs::Forward(rest) => self.expr(rest),
        }
    }
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

    fn region(&mut self, region: &mut RegionId) {
        *region = self.checker.map_region(*region, &mut self.solutions);
    }

    fn arg(&mut self, arg: &mut GenericArg) {
        *arg = self.checker.map_arg(*arg, &mut self.solutions);
        if let GenericArg::Type(ty) = *arg {
            self.fixed_args |= self.checker.is_fixed_in_place(ty);
        }
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
        self.solve_regions();
        self.check_instances();
        let solutions = Solutions::finishing();
        let mut finish = Finish { checker: self, solutions, fixed_args: false };
        finish.body(body);
        finish.statics();
        let (unsolved, fixed_args) = (finish.solutions.unsolved, finish.fixed_args);
        if fixed_args {
            self.check_fixed_args(body);
        }
        self.check_locals(body);
        self.check_any_size(body);
        if self.sink.has_errors().is_none() {
            self.own_body(body);
        }
        self.end_inference(unsolved);
    }

    /// Likewise for the initialiser of a variable at file scope.
    pub fn finish_init(&mut self, init: &mut hir::Init) {
        self.solve_regions();
        self.check_instances();
        let solutions = Solutions::finishing();
        let mut finish = Finish { checker: self, solutions, fixed_args: false };
        finish.init(init);
        let unsolved = finish.solutions.unsolved;
        self.end_inference(unsolved);
    }

    /// A datatype's object, and what has one in it, stays as it was made.
    fn is_fixed_in_place(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Type::Datatype(..) => true,
            Type::Record(id, _) => self.embeds_datatype(*id),
            _ => false,
        }
    }

    /// Whether the function may copy values of its type variables of kind `A`: see `check_any_size`.
    fn may_copy_any(&self, func: hir::FuncId) -> bool {
        matches!(self.funcs[func].linkage, hir::Linkage::Internal | hir::Linkage::Inline)
    }

    fn check_fixed_args(&mut self, body: &mut hir::Body) {
        let mut search = FixedArgs { checker: self, found: Vec::new(), at: None };
        search.body(body);
        let found = search.found;
        for (ty, at) in found {
            let shown = self.show_type(ty);
            let text = format!("a function that may copy its objects is used at `{shown}`");
            let span = at.or_else(|| self.fx.func.map(|func| self.funcs[func].span));
            let error = Diagnostic::error("E0306", text, span.unwrap_or(Span::NONE));
            self.error(error.note("a constructor's object stays what it was made"));
        }
    }

    /// A function that others call is compiled once, so it cannot handle values whose size it does not know. A private one is
    /// copied for each type.
    fn check_any_size(&mut self, body: &mut hir::Body) {
        let Some(func) = self.fx.func else { return };
        let def = &self.funcs[func];
        if self.may_copy_any(func) {
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
            let bad = match self.types.get(local.ty.ty) {
                Type::Datatype(..) | Type::Void | Type::Function(_) => true,
                Type::Record(id, _) => {
                    self.types.records[*id].fields.is_none() || self.embeds_datatype(*id)
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

    /// A type as far as it is known by now, for a declaration that outlives the inference of this body: regions that are still
    /// open are the heap.
    pub fn settle(&mut self, ty: TypeId, span: Span) -> TypeId {
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
