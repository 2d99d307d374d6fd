//! How long a thrown object lives (reference, section 8).
//!
//! The object of `throw new X(…)` is the throw's own: until a handler has it, nothing else refers to it. A clause whose
//! pattern copies values out of the object, and binds neither the object nor a pointer into it, is the last to see it, and
//! frees it before its body. Every other clause may keep the object, which then lives for ever, as all of the heap's objects
//! do; so does an object that the program made before it threw it. The runtime keeps with each handler whether the object
//! that it caught is the throw's own (`tenure/exception.h`); here it is told of the places where that begins and ends.

use crate::builder::Builder;
use tenure_core::{Expr, ExprKind, LocalId, Quals, Ty};
use tenure_span::Span;
use tenure_types::hir::{self, CatchClause, Clause, Pattern, PatternKind, Stmt, StmtKind};

/// What a handler does with the object that it caught.
#[derive(Clone, Copy, Default)]
pub(crate) struct Caught {
    /// The frame of the handler whose clauses are being lowered, for the bodies that free the object.
    pub(crate) frees: Option<LocalId>,
    /// The variable that a clause throws on as its last statement, and the frame of its handler.
    throws_on: Option<(hir::LocalId, LocalId)>,
}

impl Builder<'_, '_> {
    /// Before the clauses of a handler are tested.
    pub(crate) fn begin_caught(&mut self, frame: LocalId, clauses: &[CatchClause]) {
        // A guard runs while later clauses may still get the object: what it keeps of it must stay.
        let escapes = |clause: &CatchClause| clause.clause.guard.is_some() && keeps(&clause.clause);
        if clauses.iter().any(escapes) {
            self.tell_handler("tn_caught_keep", frame);
        } else {
            self.caught.frees = Some(frame);
        }
    }

    /// At the head of a clause's body, behind its guard.
    pub(crate) fn enter_caught(&mut self, clause: &Clause, frame: Option<LocalId>) {
        let Some(frame) = frame else { return };
        if !keeps(clause) {
            self.tell_handler("tn_caught_free", frame);
        } else if let Some(local) = thrown_on(clause) {
            self.caught.throws_on = Some((local, frame));
        }
    }

    /// Before a throw of `exn`.
    pub(crate) fn tell_throw(&mut self, exn: &hir::Expr, value: &Expr) {
        match &peel(exn).kind {
            hir::ExprKind::New { place: hir::Where::Heap, .. } => {
                let void = self.intern(Ty::Void);
                self.call_runtime("tn_thrown_new", None, void, vec![value.clone()]);
            }
            hir::ExprKind::Local(local) => match self.caught.throws_on {
                Some((thrown, frame)) if thrown == *local => {
                    self.tell_handler("tn_caught_again", frame);
                }
                _ => {}
            },
            _ => {}
        }
    }

    fn tell_handler(&mut self, function: &'static str, frame: LocalId) {
        let place = self.local_place(frame);
        let ty = self.intern(Ty::Ptr { to: place.ty, quals: Quals::default() });
        let handler = Expr { kind: ExprKind::AddrOf(place), ty };
        let void = self.intern(Ty::Void);
        // Nothing that the user wrote: a handler that is never reached is no mistake.
        let span = std::mem::replace(&mut self.span, Span::NONE);
        self.call_runtime(function, None, void, vec![handler]);
        self.span = span;
    }
}

fn peel(e: &hir::Expr) -> &hir::Expr {
    match &e.kind {
        hir::ExprKind::Coerce(_, inner) => peel(inner),
        _ => e,
    }
}

/// Whether the clause binds the object or a pointer into it.
fn keeps(clause: &Clause) -> bool {
    clause.patterns.iter().any(|pattern| match &pattern.kind {
        PatternKind::Bind(..) => true,
        PatternKind::Pointer(object) => {
            matches!(object.kind, PatternKind::Bind(..)) || refers(object)
        }
        _ => refers(pattern),
    })
}

fn refers(pattern: &Pattern) -> bool {
    match &pattern.kind {
        PatternKind::BindRef(..) | PatternKind::Error => true,
        PatternKind::Bind(_, inner) => inner.as_deref().is_some_and(refers),
        PatternKind::Pointer(inner) | PatternKind::UnionMember { pattern: inner, .. } => {
            refers(inner)
        }
        PatternKind::Fields { fields, .. } => fields.iter().any(|(_, pattern)| refers(pattern)),
        PatternKind::Variant { args, .. } => args.iter().any(|(_, pattern)| refers(pattern)),
        _ => false,
    }
}

/// The variable for the object that a clause names once, to throw it on as its last statement: `case e: report(); throw e;`.
fn thrown_on(clause: &Clause) -> Option<hir::LocalId> {
    let [Pattern { kind: PatternKind::Bind(local, None), .. }] = &clause.patterns[..] else {
        return None;
    };
    let (Stmt { kind: StmtKind::Expr(last), .. }, before) = clause.body.stmts.split_last()? else {
        return None;
    };
    let hir::ExprKind::Throw(exn) = &peel(last).kind else { return None };
    let same = matches!(&peel(exn).kind, hir::ExprKind::Local(thrown) if thrown == local);
    let elsewhere = clause.guard.is_some() || crate::prescan::statements_mention(before, *local);
    (same && !elsewhere).then_some(*local)
}
