//! Leaks that no path of the flow analysis shows: parts of an object that goes where they cannot be followed (behind a
//! counted pointer, in an array, in a datatype), and owned results that an expression only looks at.
//!
//! Whether such an object still had its parts when it went is not known. A function that takes parts out of objects of
//! the type, or hands such objects to another function, is believed to know; one that does neither loses what they own.
//! A counted pointer is often not the last one: there it is enough that any function of the unit takes such objects
//! apart.

use super::Ownership;
use crate::checker::Checker;
use crate::hir::{Expr, ExprKind, Pattern, PatternKind};
use crate::ty::{Bounds, DatatypeId, Owned, RecordId, Size, Type, TypeId};
use tenure_span::{Diagnostic, FastSet, Span};

/// What happens to an object.
pub(super) const FREED: &str = "freed";
pub(super) const DROPPED: &str = "dropped";

/// What objects are, whatever their arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Record(RecordId),
    Datatype(DatatypeId),
    Other(TypeId),
}

/// An object that went with all its parts.
struct Gone {
    kind: Kind,
    elem: TypeId,
    at: Span,
    done: &'static str,
}

/// What is known of a body when its end is reached, or of a unit.
#[derive(Default)]
pub(crate) struct Parts {
    gone: Vec<Gone>,
    /// Kinds of objects that are taken apart.
    opened: FastSet<Kind>,
    /// Those that the function shows to another.
    shown: FastSet<Kind>,
}

impl Parts {
    /// A body's, to those of the unit.
    pub(super) fn add(&mut self, body: Parts) {
        let Parts { gone, opened, shown } = body;
        let counted = |gone: &Gone| gone.done == DROPPED || !opened.contains(&gone.kind);
        self.gone
            .extend(gone.into_iter().filter(|gone| counted(gone) && !shown.contains(&gone.kind)));
        self.opened.extend(opened);
    }
}

impl Ownership<'_, '_> {
    fn kind(&self, ty: TypeId) -> Kind {
        match self.checker.types.get(ty) {
            Type::Record(record, _) => Kind::Record(*record),
            Type::Datatype(datatype, _) | Type::Variant(datatype, _, _) => {
                Kind::Datatype(*datatype)
            }
            _ => Kind::Other(ty),
        }
    }

    fn pointee(&self, ty: TypeId) -> Option<TypeId> {
        match self.checker.types.get(ty) {
            Type::Pointer(pointer) => Some(pointer.elem.ty),
            _ => None,
        }
    }

    /// `free` or `drop_refptr` of a pointer.
    pub(super) fn object_goes(&mut self, pointer: &Expr, done: &'static str, at: Span) {
        let Type::Pointer(shape) = self.checker.types.get(pointer.ty) else { return };
        let elem = shape.elem.ty;
        if self.is_key(elem) {
            let (text, help) = match done {
                FREED => ("`free` of a key would lose its region", "use `free_ukey(key)`"),
                _ => ("`drop_refptr` of a key would lose its region", "use `free_rckey(key)`"),
            };
            let error = Diagnostic::error("E0539", text, at)
                .label(format!("this is `{}`", self.show(pointer)));
            self.checker.error(error.help(help));
            return;
        }
        if self.checker.types.owned(elem).is_none() && !self.variants_own(elem) {
            return;
        }
        let one = match shape.bounds {
            Bounds::Fat => false,
            Bounds::Thin(size) => *self.checker.types.get_size(size) == Size::Const(1),
        };
        let datatype = matches!(self.checker.types.get(elem), Type::Datatype(..));
        let followed = self.owned(pointer.ty) == Some(Owned::Unique) && one && !datatype;
        if !followed {
            let kind = self.kind(elem);
            self.parts.gone.push(Gone { kind, elem, at, done });
        }
    }

    fn is_key(&self, ty: TypeId) -> bool {
        match self.checker.types.get(ty) {
            Type::Record(record, _) => self.checker.key_record(*record) == "DynamicRegion",
            _ => false,
        }
    }

    /// Whether a value of a datatype may own something.
    fn variants_own(&self, ty: TypeId) -> bool {
        let types = &self.checker.types;
        let Type::Datatype(datatype, _) = types.get(ty) else { return false };
        let variants = &types.datatypes[*datatype].variants;
        variants
            .iter()
            .flatten()
            .any(|variant| variant.args.iter().any(|arg| types.owned(arg.ty).is_some()))
    }

    /// Something owned is swapped or moved out of, or into, the place: the objects around it are taken apart.
    pub(super) fn taken_apart(&mut self, place: &Expr) {
        let mut place = place;
        loop {
            let kind = self.kind(place.ty);
            self.parts.opened.insert(kind);
            place = match &place.kind {
                ExprKind::Field(base, _) | ExprKind::ArrayIndex(base, _) => base,
                ExprKind::Deref(inner)
                | ExprKind::PointerIndex(inner, _)
                | ExprKind::Coerce(_, inner) => inner,
                _ => return,
            };
        }
    }

    /// An argument: the function that gets it may take the object apart.
    pub(super) fn shown(&mut self, argument: &Expr) {
        if let Some(elem) = self.pointee(argument.ty) {
            let kind = self.kind(elem);
            self.parts.shown.insert(kind);
        }
    }

    /// A pattern that binds something owned.
    pub(super) fn pattern_takes_apart(&mut self, pattern: &Pattern) {
        let kind = self.kind(pattern.ty);
        self.parts.opened.insert(kind);
        match &pattern.kind {
            PatternKind::Bind(_, Some(inner)) | PatternKind::BindRef(_, Some(inner)) => {
                self.pattern_takes_apart(inner);
            }
            PatternKind::Pointer(inner) => self.pattern_takes_apart(inner),
            PatternKind::Fields { fields, .. } => {
                fields.iter().for_each(|(_, field)| self.pattern_takes_apart(field));
            }
            PatternKind::Variant { args, .. } => {
                args.iter().for_each(|(_, arg)| self.pattern_takes_apart(arg));
            }
            PatternKind::UnionMember { pattern, .. } => self.pattern_takes_apart(pattern),
            _ => {}
        }
    }

    /// A value that is followed, or compared, and then gone.
    pub(super) fn looked_at(&self, value: &Expr) {
        let mut value = value;
        while let ExprKind::Coerce(_, inner) = &value.kind {
            value = inner;
        }
        let made = matches!(
            value.kind,
            ExprKind::Call(_)
                | ExprKind::New { .. }
                | ExprKind::Malloc { .. }
                | ExprKind::Realloc { .. }
        );
        if made && self.is_owned_pointer(value.ty) {
            let text = "leak: nobody takes the owned result of this expression";
            let warning = Diagnostic::warning("W0701", text, value.span)
                .label(format!("this is `{}`", self.show(value)))
                .help("give it to a variable and free it");
            self.checker.warn(warning);
        }
    }
}

impl Checker<'_> {
    /// At the end of a unit.
    pub(crate) fn report_lost_parts(&self) {
        let Parts { gone, opened, .. } = &self.lost;
        for gone in gone.iter().filter(|gone| gone.done != DROPPED || !opened.contains(&gone.kind))
        {
            let shown = self.show_type(gone.elem);
            let text =
                format!("leak: what an object of `{shown}` owns is lost when it is {}", gone.done);
            let label = match gone.done {
                DROPPED => "if this is the last pointer to it, its parts go unfreed",
                _ => "its parts go unfreed",
            };
            let warning = Diagnostic::warning("W0701", text, gone.at).label(label);
            self.warn(warning.help("swap its parts out and free them first"));
        }
    }
}
