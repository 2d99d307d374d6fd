//! How long a thrown object lives (reference, section 8).
//!
//! The object of `throw new X(…)` is the throw's own: until a handler has it, nothing else refers to it. A clause whose
//! pattern copies values out of the object, and binds neither the object nor a pointer into it, is the last to see it,
//! and frees it before its body. A clause that binds one and only looks at it (`looks`) *holds* the object: it is freed
//! on every way out of the clause, exceptions included, for which the handler's frame is linked again; or it is thrown
//! on and the next handler's. Any other clause may keep the object, which then lives for ever, as all of the heap's
//! objects do; so does an object that the program made before it threw it. The runtime keeps with each handler whether
//! the object that it caught is the throw's own (`tenure/exception.h`); here it is told of the places where that begins
//! and ends.

use crate::builder::{Builder, Cleanup};
use crate::looks::{self, Looks};
use tenure_core::{Expr, ExprKind, LocalId, Quals, Ty};
use tenure_span::{FastMap, Span};
use tenure_types::hir::{self, CatchClause, Clause, Pattern, PatternKind, Unit};

/// What a clause does with the object that was caught.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fate {
    /// Nothing: it is freed before the body.
    Freed,
    /// It looks at it.
    Held,
    /// It may have stored it.
    Kept,
}

/// What a handler does with the object that it caught.
#[derive(Clone, Default)]
pub(crate) struct Caught {
    /// The frame of the handler whose clauses are being lowered, for the bodies that free the object.
    pub(crate) frees: Option<LocalId>,
    /// What each of these does with it.
    pub(crate) fates: Vec<Fate>,
    /// Variables for objects that clauses around hold, each with the frame of its handler.
    held: FastMap<hir::LocalId, LocalId>,
}

/// By clause of a handler; none if the object may be stored before a clause is chosen.
pub(crate) fn fates(unit: &Unit, clauses: &[CatchClause]) -> Option<Vec<Fate>> {
    let fates: Vec<Fate> = clauses.iter().map(|clause| fate(unit, &clause.clause)).collect();
    let guarded = |(clause, fate): (&CatchClause, &Fate)| {
        clause.clause.guard.is_some() && *fate == Fate::Kept
    };
    // A guard runs while later clauses may still get the object: what it keeps of it must stay.
    if clauses.iter().zip(&fates).any(guarded) {
        return None;
    }
    // Control may come into the next clause past what begins it.
    if clauses.iter().any(|clause| crate::switch::falls_through(&clause.clause.body)) {
        let unheld = |fate| if fate == Fate::Held { Fate::Kept } else { fate };
        return Some(fates.into_iter().map(unheld).collect());
    }
    Some(fates)
}

fn fate(unit: &Unit, clause: &Clause) -> Fate {
    if !keeps(clause) {
        return Fate::Freed;
    }
    let mut bound = Vec::new();
    let known = clause.patterns.iter().all(|pattern| references(pattern, &mut bound));
    match known && Looks::at(unit, clause, &bound) {
        true => Fate::Held,
        false => Fate::Kept,
    }
}

/// Collects the variables for the object and for pointers into it; false if there are others than are known here.
fn references(pattern: &Pattern, out: &mut Vec<hir::LocalId>) -> bool {
    match &pattern.kind {
        PatternKind::Bind(local, None) => {
            out.push(*local);
            true
        }
        PatternKind::Pointer(object) => match &object.kind {
            PatternKind::Variant { args, .. } => args.iter().all(|(_, arg)| match &arg.kind {
                PatternKind::BindRef(local, None) => {
                    out.push(*local);
                    true
                }
                _ => !refers(arg),
            }),
            _ => !keeps_pattern(pattern),
        },
        _ => !keeps_pattern(pattern),
    }
}

impl Builder<'_, '_> {
    /// Before the clauses of a handler are tested.
    pub(crate) fn begin_caught(&mut self, frame: LocalId, clauses: &[CatchClause]) {
        match fates(self.lowerer.unit, clauses) {
            None => {
                self.caught.frees = None;
                self.tell_handler("tn_caught_keep", frame);
            }
            Some(fates) => {
                self.caught.frees = Some(frame);
                self.caught.fates = fates;
            }
        }
    }

    /// At the head of a clause's body, behind its guard.
    pub(crate) fn enter_caught(&mut self, clause: &Clause, caught: Option<(LocalId, Fate)>) {
        let Some((frame, fate)) = caught else { return };
        match fate {
            Fate::Freed => self.tell_handler("tn_caught_free", frame),
            Fate::Held => {
                for pattern in &clause.patterns {
                    if let PatternKind::Bind(local, _) = pattern.kind {
                        self.caught.held.insert(local, frame);
                    }
                }
                self.tell_handler("tn_caught_hold", frame);
                self.cleanups.push(Cleanup::Caught(frame));
            }
            Fate::Kept => {}
        }
    }

    /// On a way out of a clause that holds what it caught.
    pub(crate) fn release_caught(&mut self, frame: LocalId) {
        self.tell_handler("tn_caught_release", frame);
    }

    /// Before a throw of `exn`.
    pub(crate) fn tell_throw(&mut self, exn: &hir::Expr, value: &Expr) {
        if looks::is_fresh(self.lowerer.unit, exn, 0) {
            let void = self.intern(Ty::Void);
            self.call_runtime("tn_thrown_new", None, void, vec![value.clone()]);
        } else if let hir::ExprKind::Local(local) = &looks::peel(exn).kind {
            if let Some(&frame) = self.caught.held.get(local) {
                self.tell_handler("tn_caught_again", frame);
            }
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

/// Whether the clause binds the object or a pointer into it.
fn keeps(clause: &Clause) -> bool {
    clause.patterns.iter().any(keeps_pattern)
}

pub(crate) fn keeps_pattern(pattern: &Pattern) -> bool {
    match &pattern.kind {
        PatternKind::Bind(..) => true,
        PatternKind::Pointer(object) => {
            matches!(object.kind, PatternKind::Bind(..)) || refers(object)
        }
        _ => refers(pattern),
    }
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
