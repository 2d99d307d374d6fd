//! Patterns: a variable that is bound to an owned value moves it out of what is matched.

use super::expr::describe;
use super::path::NoPath;
use super::Ownership;
use crate::hir::{Pattern, PatternKind};
use tenure_span::Diagnostic;

/// Whether the pattern binds a variable to something owned.
pub(super) fn moves(own: &Ownership, pattern: &Pattern) -> bool {
    match &pattern.kind {
        PatternKind::Bind(_, inner) => {
            own.owned(pattern.ty).is_some() || inner.as_ref().is_some_and(|inner| moves(own, inner))
        }
        PatternKind::BindRef(_, Some(inner)) | PatternKind::Pointer(inner) => moves(own, inner),
        PatternKind::Fields { fields, .. } => fields.iter().any(|(_, field)| moves(own, field)),
        PatternKind::Variant { args, .. } => args.iter().any(|(_, arg)| moves(own, arg)),
        PatternKind::UnionMember { pattern, .. } => moves(own, pattern),
        _ => false,
    }
}

impl Ownership<'_, '_> {
    /// `movable`: nothing else reaches what is matched.
    pub(super) fn pattern(&mut self, pattern: &Pattern, movable: Result<(), NoPath>) {
        match &pattern.kind {
            PatternKind::Bind(_, inner) => {
                self.bind(pattern, inner.as_deref(), movable);
                if let Some(inner) = inner {
                    self.pattern(inner, movable);
                }
            }
            PatternKind::BindRef(_, inner) => {
                // What others reach already can only be swapped, by whatever pointer.
                if movable.is_ok() && self.is_owned_pointer(pattern.ty) {
                    let text = "the address of an owned pointer would be a second way to it";
                    let error = Diagnostic::error("E0527", text, pattern.span)
                        .label(format!("this is `{}`", self.checker.show_type(pattern.ty)));
                    self.checker.error(error.help("bind the pointer itself, without `*`"));
                }
                if let Some(inner) = inner {
                    self.pattern(inner, movable);
                }
            }
            PatternKind::Pointer(inner) => {
                let why = "other pointers may lead here";
                let movable = movable.and(match self.leads_on(pattern.ty) {
                    true => Ok(()),
                    false => Err(NoPath { span: pattern.span, why }),
                });
                if self.is_owned_pointer(pattern.ty) && points_into(inner) {
                    let text = "this points into an owned object, and would outlive it";
                    let error = Diagnostic::error("E0527", text, inner.span)
                        .help("lend the object first: `let alias<`r> T *`r a = p;`, and match `a`");
                    self.checker.error(error);
                }
                self.pattern(inner, movable);
            }
            PatternKind::Fields { fields, .. } => {
                fields.iter().for_each(|(_, field)| self.pattern(field, movable));
            }
            PatternKind::Variant { args, .. } => {
                args.iter().for_each(|(_, arg)| self.pattern(arg, movable));
            }
            PatternKind::UnionMember { pattern, .. } => self.pattern(pattern, movable),
            PatternKind::Wild
            | PatternKind::Range(..)
            | PatternKind::Float(_)
            | PatternKind::Null
            | PatternKind::Str(_)
            | PatternKind::Error => {}
        }
    }

    fn bind(&mut self, pattern: &Pattern, inner: Option<&Pattern>, movable: Result<(), NoPath>) {
        let Some(owned) = self.owned(pattern.ty) else { return };
        if let Err(no) = movable {
            let text = format!("{} is moved out of what others may reach", describe(owned));
            let error = Diagnostic::error("E0534", text, pattern.span)
                .label(format!("this is `{}`", self.checker.show_type(pattern.ty)))
                .secondary(no.span, no.why)
                .help(
                    "match a variable, or what a unique pointer in one points to; or swap it out",
                );
            self.checker.error(error);
        }
        if let Some(inner) = inner.filter(|inner| moves(self, inner) || points_into(inner)) {
            let text = "the whole and a part of it would both be bound";
            let error = Diagnostic::error("E0534", text, pattern.span)
                .secondary(inner.span, "a part of it is bound here");
            self.checker.error(error.help("bind one of them, and reach the other through it"));
        }
    }
}

/// Whether the pattern binds a pointer to a part of the object, not looking behind other pointers.
fn points_into(pattern: &Pattern) -> bool {
    match &pattern.kind {
        PatternKind::BindRef(..) => true,
        PatternKind::Bind(_, Some(inner)) => points_into(inner),
        PatternKind::Fields { fields, .. } => fields.iter().any(|(_, field)| points_into(field)),
        PatternKind::Variant { args, .. } => args.iter().any(|(_, arg)| points_into(arg)),
        PatternKind::UnionMember { pattern, .. } => points_into(pattern),
        _ => false,
    }
}
