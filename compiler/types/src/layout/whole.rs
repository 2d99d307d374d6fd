//! Which stores write all bytes of what they store.
//!
//! An untagged union may be read at its members of bits, whichever was written last. So each of its bytes must have
//! been written: it is zero from its birth, and what is stored to a member leaves none as the processor or cc happens
//! to have it. That holds of bits, whose padding the emitted struct has as a member, and of what has no padding. What
//! is behind a shorter member stays as it was: written.

use crate::checker::Checker;
use crate::hir::{Expr, ExprKind, Init, InitElem};
use crate::ty::{Kind, RecordId, RecordSort, Type, TypeId};
use tenure_span::{Diagnostic, Span};

impl Checker<'_> {
    /// Reports a store to a place in a union that leaves bytes of its value unwritten.
    pub(crate) fn check_whole_store(&mut self, place: &Expr) {
        if let Some(record) = self.readable_union_around(place) {
            self.require_whole(place.ty, record, place.span);
        }
    }

    /// Likewise of the member of a union that an initialiser gives as one value.
    pub(crate) fn check_whole_init(&mut self, init: &Init) {
        let (Type::Record(record, _), InitElem::Record(fields)) =
            (self.types.get(init.ty).clone(), &init.kind)
        else {
            return;
        };
        if !self.shows_bytes(record) {
            return;
        }
        for (_, field) in fields {
            if let InitElem::Expr(_) = field.kind {
                self.require_whole(field.ty, record, field.span);
            }
        }
    }

    fn require_whole(&mut self, ty: TypeId, record: RecordId, span: Span) {
        if self.is_whole(ty) {
            return;
        }
        let name = self.show_type(ty);
        let text = format!(
            "a `{name}` has bytes that no store writes, and another member would show them"
        );
        let error = Diagnostic::error("E0444", text, span)
            .secondary(self.types.records[record].span, "in this union")
            .help("store its members one by one, or declare the union `@tagged`");
        self.error(error);
    }

    /// The untagged union, with members that can be read, of which the place is a part.
    fn readable_union_around(&self, place: &Expr) -> Option<RecordId> {
        match &place.kind {
            ExprKind::Field(base, path) => {
                let mut ty = base.ty;
                for &index in path {
                    let Type::Record(record, _) = *self.types.get(ty) else { break };
                    if self.shows_bytes(record) {
                        return Some(record);
                    }
                    ty = self.types.records[record].fields.as_ref()?.get(index as usize)?.ty.ty;
                }
                self.readable_union_around(base)
            }
            ExprKind::ArrayIndex(base, _) => self.readable_union_around(base),
            _ => None,
        }
    }

    fn shows_bytes(&self, record: RecordId) -> bool {
        let def = &self.types.records[record];
        def.sort == RecordSort::Union
            && def.fields.iter().flatten().any(|field| self.is_bits(field.ty.ty))
    }

    /// Whether a store of a value of the type writes all its bytes.
    fn is_whole(&mut self, ty: TypeId) -> bool {
        if self.is_bits(ty) {
            return true;
        }
        match self.types.get(ty).clone() {
            Type::Int(_) | Type::Pointer(_) | Type::Handle(_) | Type::Tag(..) | Type::Error => true,
            Type::Var(var) => self.types.vars[var].kind == Kind::Boxed,
            Type::Array { elem, .. } => self.is_whole(elem.ty),
            Type::Tuple(fields) => fields.iter().all(|field| {
                self.is_whole(field.ty) && self.size_of(field.ty).is_some_and(|size| size % 8 == 0)
            }),
            Type::Record(record, _) => self.is_whole_record(record, ty),
            _ => false,
        }
    }

    fn is_whole_record(&mut self, record: RecordId, ty: TypeId) -> bool {
        let def = &self.types.records[record];
        let (sort, plain) = (def.sort, def.existentials.is_empty());
        let Some(fields) = def.fields.clone().filter(|_| plain) else { return false };
        let mut sum = 0;
        for field in &fields {
            match self.size_of(field.ty.ty) {
                Some(size) if field.bits.is_none() && self.is_whole(field.ty.ty) => sum += size,
                _ => return false,
            }
        }
        match sort {
            RecordSort::Struct => self.size_of(ty) == Some(sum),
            // It obeys the same rule.
            RecordSort::Union => true,
            RecordSort::TaggedUnion => false,
        }
    }
}
