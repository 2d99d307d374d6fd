//! Touches where objects may have moved: before each access by an address of the checked heap stands a touch of its
//! local, with nothing between that may move or delete objects.
//!
//! Places are lowered long before they are accessed: between stand the evaluation of other operands, guards of
//! patterns, and what is assigned. So this runs last, over the finished body, and asks at each statement which locals
//! were touched ([`Touched`]); where the statement takes the address of one that was not, a touch is written before it.

use index_vec::IndexVec;
use tenure_core::{
    Check, CheckKind, CheckStatus, Expr, ExprKind, Function, FunctionDecl, FunctionId, LocalId,
    Place, PlaceKind, Stmt, StmtKind, Touched, TouchedVisitor,
};
use tenure_span::Span;

/// Writes the touches that are missing.
pub(crate) fn place_touches(function: &mut Function, decls: &IndexVec<FunctionId, FunctionDecl>) {
    let locals: Vec<_> = function.locals.iter().map(|local| local.ty).collect();
    let mut writer = Writer { locals };
    tenure_core::walk_touched(function, decls, &mut writer);
}

struct Writer {
    /// The locals' types.
    locals: Vec<tenure_core::TyId>,
}

impl TouchedVisitor for Writer {
    fn addresses(&mut self, locals: &[LocalId], known: &Touched, span: Span) -> Vec<Stmt> {
        let missing = locals.iter().filter(|local| !known.has(**local));
        missing.map(|&local| self.touch(local, span)).collect()
    }

    fn check(&mut self, _check: &mut Check, _known: &Touched) {}
}

impl Writer {
    fn touch(&self, local: LocalId, span: Span) -> Stmt {
        let ty = self.locals[local.index()];
        let place = Place { kind: PlaceKind::Local(local), ty };
        let reference = Expr { kind: ExprKind::Load(place), ty };
        let kind = CheckKind::Touch(reference);
        let check = Check { kind, status: CheckStatus::Needed, span };
        Stmt { kind: StmtKind::Check(Box::new(check)), span }
    }
}
