//! Guards run while a match is under way. What they free must not be what later clauses look at.

use super::Ownership;
use crate::hir::{Clause, Expr, ExprKind, Pattern, PatternKind};
use tenure_span::Diagnostic;

impl Ownership<'_, '_> {
    /// Clauses that look behind an owned pointer which is on no unique path, so that a guard might take it away
    /// unnoticed.
    pub(super) fn guards<'p>(
        &self,
        clauses: impl Iterator<Item = &'p Clause> + Clone,
        movable: bool,
    ) {
        let guard = clauses.clone().filter_map(|clause| clause.guard.as_ref());
        let Some(guard) = guard.into_iter().find(|guard| !is_plain(guard)) else { return };
        let followed = clauses
            .flat_map(|clause| &clause.patterns)
            .find_map(|pattern| self.followed(pattern, movable));
        let Some(followed) = followed else { return };
        let text = "a guard that may do anything runs while an owned object is matched";
        let error = Diagnostic::error("E0538", text, guard.span)
            .label("this could free what the next clause looks at")
            .secondary(followed.span, "here the match looks behind an owned pointer")
            .help("swap or move the pointer into a variable, and match that");
        self.checker.error(error);
    }

    /// Clauses that take what they bind out of a value without a name: what a guard gives away of it, no flow of
    /// statements shows, and the next clause would bind it once more.
    pub(super) fn guards_of_a_value(&self, clauses: &[Clause]) {
        let guards = || clauses.iter().filter_map(|clause| clause.guard.as_ref());
        let Some(guard) = guards().find(|guard| !is_plain(guard)) else { return };
        let text =
            "a guard that may do anything runs while an owned value without a name is matched";
        let error = Diagnostic::error("E0538", text, guard.span)
            .label("this could give away what the next clause binds")
            .help("move the value into a variable, and match that");
        self.checker.error(error);
    }

    /// A pattern behind an owned pointer that is not told apart from others.
    fn followed<'p>(&self, pattern: &'p Pattern, movable: bool) -> Option<&'p Pattern> {
        match &pattern.kind {
            PatternKind::Pointer(inner) => {
                if self.is_owned_pointer(pattern.ty) && !movable {
                    return Some(pattern);
                }
                self.followed(inner, movable && self.leads_on(pattern.ty))
            }
            PatternKind::Bind(_, Some(inner)) | PatternKind::BindRef(_, Some(inner)) => {
                self.followed(inner, movable)
            }
            PatternKind::Fields { fields, .. } => {
                fields.iter().find_map(|(_, field)| self.followed(field, movable))
            }
            PatternKind::Variant { args, .. } => {
                args.iter().find_map(|(_, arg)| self.followed(arg, movable))
            }
            PatternKind::UnionMember { pattern, .. } => self.followed(pattern, movable),
            PatternKind::Str(_) if self.is_owned_pointer(pattern.ty) && !movable => Some(pattern),
            _ => None,
        }
    }
}

/// Whether evaluating the expression changes nothing.
fn is_plain(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Error
        | ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::LongFloat(_)
        | ExprKind::Str { .. }
        | ExprKind::Null
        | ExprKind::Local(_)
        | ExprKind::Global(_)
        | ExprKind::Func(..)
        | ExprKind::HeapHandle
        | ExprKind::SizeOf(_)
        | ExprKind::AlignOf(_)
        | ExprKind::OffsetOf(..) => true,
        ExprKind::Unary(_, a)
        | ExprKind::Not(a)
        | ExprKind::Deref(a)
        | ExprKind::Field(a, _)
        | ExprKind::AddrOf(a)
        | ExprKind::Coerce(_, a)
        | ExprKind::Numelts(a)
        | ExprKind::TagCheck(a, _) => is_plain(a),
        ExprKind::Binary(_, a, b)
        | ExprKind::Saturating(_, a, b)
        | ExprKind::PointerDiff(a, b)
        | ExprKind::PointerCompare(_, a, b)
        | ExprKind::And(a, b)
        | ExprKind::Or(a, b)
        | ExprKind::PointerIndex(a, b)
        | ExprKind::ArrayIndex(a, b)
        | ExprKind::PointerAdd { ptr: a, count: b, .. } => is_plain(a) && is_plain(b),
        ExprKind::Cond(a, b, c) => is_plain(a) && is_plain(b) && is_plain(c),
        ExprKind::Comma(parts) => parts.iter().all(is_plain),
        _ => false,
    }
}
