//! # Touches
//!
//! Goal: a reference of the checked heap that was touched is not touched again while nothing can have moved or deleted
//! its object.
//!
//! Partition: the locals of a function that hold references, each touched or not at each point
//! (`tenure_core::Touched`). Property: a touch is marked proved only if its local was touched on each way that leads to
//! it, was not stored to since, and no statement since then may move or delete objects: no call, no allocation in the
//! checked heap, no end of a pin. Removes: the touches of a variable that is followed twice, and of copies of it, also
//! in loops around which it was touched.
//!
//! A call of a function of this unit moves nothing if nothing in that function may ([`find_still`]): the greatest such
//! set of functions, found by taking out of it, until nothing changes, each that calls one outside. What other units
//! define, what C defines and what a pointer leads to may do anything.

use index_vec::IndexVec;
use tenure_core::{
    Check, CheckKind, CheckStatus, Expr, ExprKind, Fact, Function, FunctionDecl, FunctionId,
    Linkage, LocalId, Place, PlaceKind, Program, Stmt, Touched, TouchedVisitor,
};
use tenure_span::Span;

/// Finds the functions that keep objects where they are. One that another object could replace is none of them.
pub(crate) fn find_still(program: &mut Program, whole_program: bool) {
    let is_own = |linkage: Linkage| match linkage {
        Linkage::Internal | Linkage::Inline => true,
        Linkage::External => whole_program,
        Linkage::Import | Linkage::Weak => false,
    };
    for function in &program.functions {
        let decl = &mut program.decls[function.id];
        decl.is_still = is_own(decl.linkage);
    }
    loop {
        let moving = program.functions.iter().filter(|function| {
            program.decls[function.id].is_still
                && tenure_core::block_may_move(&function.body, &program.decls)
        });
        let moving: Vec<FunctionId> = moving.map(|function| function.id).collect();
        if moving.is_empty() {
            return;
        }
        for id in moving {
            program.decls[id].is_still = false;
        }
    }
}

/// Marks what need not be touched again; `verify`: it is, to see whether that is right.
pub(crate) fn prove_touches(
    function: &mut Function,
    decls: &IndexVec<FunctionId, FunctionDecl>,
    verify: bool,
) {
    tenure_core::walk_touched(function, decls, &mut Prover { verify });
}

struct Prover {
    verify: bool,
}

impl TouchedVisitor for Prover {
    fn addresses(&mut self, _: &[LocalId], _: &Touched, _: Span) -> Vec<Stmt> {
        Vec::new()
    }

    fn check(&mut self, check: &mut Check, known: &Touched) {
        let CheckKind::Touch(Expr { kind: ExprKind::Load(Place { kind, .. }), .. }) = &check.kind
        else {
            return;
        };
        let PlaceKind::Local(local) = *kind else { return };
        if check.status != CheckStatus::Needed || !known.has(local) {
            return;
        }
        let fact = Fact::EarlierCheck(check.span);
        check.status = match self.verify {
            true => CheckStatus::Verified(fact),
            false => CheckStatus::Proved(fact),
        };
    }
}
