//! Uniform code over variables of any size.
//!
//! A `::A` variable's elements have no size in uniform code, only in the copies of a template. Pointers to them may be
//! passed on and counted there; whatever would need an element's size (its value, a step to the next one) is refused.

use crate::unit::Lowerer;
use tenure_core::{walk_expr, walk_place, walk_stmt, Expr, ExprKind, Function, Place, PlaceKind};
use tenure_core::{Stmt, Ty, TyId, TypeTable, Visitor};
use tenure_span::{Diagnostic, Span};

/// The first place in a function that needs a size.
struct Search<'t> {
    types: &'t TypeTable,
    at: Span,
    found: Option<Span>,
}

impl Lowerer<'_> {
    /// Reports what in a uniform body needs the size of an element that has none.
    pub(crate) fn require_sizes(&mut self, function: &Function) {
        let mut search = Search { types: &self.program.types, at: function.end, found: None };
        if function.locals.iter().any(|local| search.is_sizeless(local.ty)) {
            search.found = Some(function.end);
        }
        search.block(&function.body);
        if let Some(span) = search.found {
            self.report_sizeless(span);
        }
    }

    pub(crate) fn report_sizeless(&mut self, span: Span) {
        self.report(
            Diagnostic::error("E0350", "the size of these elements is not known here", span)
                .label("this needs an element's size")
                .note("a `::A` variable may stand for a type of any size: code that is compiled once can only pass pointers to it on")
                .help("make the function `static` or `inline`, so that a copy is compiled for each type"),
        );
    }
}

impl Search<'_> {
    fn is_sizeless(&self, ty: TyId) -> bool {
        matches!(self.types.get(ty), Ty::Void)
    }

    fn points_to_sizeless(&self, ty: TyId) -> bool {
        match self.types.get(ty) {
            Ty::Ptr { to, .. } | Ty::Fat { to, .. } => self.is_sizeless(*to),
            _ => false,
        }
    }
}

impl Visitor for Search<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        self.at = stmt.span;
        walk_stmt(self, stmt);
    }

    fn expr(&mut self, expr: &Expr) {
        let needs_size = match &expr.kind {
            ExprKind::Load(place) => self.is_sizeless(place.ty),
            ExprKind::PtrAdd(pointer, _) | ExprKind::PtrDiff(pointer, _) => {
                self.points_to_sizeless(pointer.ty)
            }
            ExprKind::FatCur(pointer) => self.points_to_sizeless(pointer.ty),
            ExprKind::SizeOf(ty) | ExprKind::AlignOf(ty) => self.is_sizeless(*ty),
            _ => false,
        };
        if needs_size && self.found.is_none() {
            self.found = Some(self.at);
        }
        walk_expr(self, expr);
    }

    fn place(&mut self, place: &Place) {
        if matches!(
            place.kind,
            PlaceKind::Index(..) | PlaceKind::PtrIndex(..) | PlaceKind::FatIndex(..)
        ) && self.is_sizeless(place.ty)
            && self.found.is_none()
        {
            self.found = Some(self.at);
        }
        walk_place(self, place);
    }
}
