//! How messages speak of places.

use crate::checker::Checker;
use crate::hir::{Expr, ExprKind};
use tenure_span::Span;

/// The variable that a place is, or is a part of, and where it is declared.
pub(crate) fn place_name(checker: &Checker, place: &Expr) -> Option<(String, Span)> {
    match &place.kind {
        ExprKind::Local(local) => {
            let local = &checker.fx.locals[*local];
            Some((local.name?.to_string(), local.span))
        }
        ExprKind::Global(global) => {
            let global = &checker.globals[*global];
            Some((global.name.to_string(), global.span))
        }
        ExprKind::Coerce(_, inner) => place_name(checker, inner),
        _ => None,
    }
}

/// Where the type of a place was stated.
pub(crate) fn declared(checker: &Checker, place: &Expr) -> Span {
    match &place.kind {
        ExprKind::Field(base, _)
        | ExprKind::ArrayIndex(base, _)
        | ExprKind::Deref(base)
        | ExprKind::PointerIndex(base, _) => declared(checker, base),
        _ => place_name(checker, place).map_or(Span::NONE, |(_, span)| span),
    }
}

/// `a value of type …`.
pub(super) fn a_value_of(ty: &str) -> String {
    format!("a value of type `{ty}`")
}
