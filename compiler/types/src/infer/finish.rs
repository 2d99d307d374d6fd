//! The end of a body: regions are solved, what is left open is decided or reported, and the typed tree gets its final types.

use super::zonk::Solutions;
use super::{Checker, InferState};
use crate::hir::{self, walk::TypesMut};
use crate::ty::{Flags, GenericArg, RegionId, Type, TypeId};
use tenure_span::{Diagnostic, Span};

struct Finish<'c, 'a> {
    checker: &'c mut Checker<'a>,
    solutions: Solutions,
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
        let solutions = Solutions::finishing();
        let mut finish = Finish { checker: self, solutions };
        finish.body(body);
        finish.statics();
        let unsolved = finish.solutions.unsolved;
        self.check_locals(body);
        self.end_inference(unsolved);
    }

    /// Likewise for the initialiser of a variable at file scope.
    pub fn finish_init(&mut self, init: &mut hir::Init) {
        self.solve_regions();
        let solutions = Solutions::finishing();
        let mut finish = Finish { checker: self, solutions };
        finish.init(init);
        let unsolved = finish.solutions.unsolved;
        self.end_inference(unsolved);
    }

    /// Locals whose type was inferred are objects too.
    fn check_locals(&mut self, body: &hir::Body) {
        for local in &body.locals {
            let bad = match self.types.get(local.ty.ty) {
                Type::Datatype(..) | Type::Void | Type::Function(_) => true,
                Type::Record(id, _) => self.types.records[*id].fields.is_none(),
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
