//! Unique paths: the places that an owned value can leave.

use super::Ownership;
use crate::hir::{Coercion, Expr, ExprKind, FieldPath};
use crate::ty::{Bounds, RecordSort, Region, Size, Type, TypeId};
use tenure_span::Span;

/// The part of a place that makes it no unique path.
#[derive(Clone, Copy, Debug)]
pub(super) struct NoPath {
    pub span: Span,
    pub why: &'static str,
}

impl Ownership<'_, '_> {
    /// Whether nothing else reaches the place: a local variable, fields of a path, and what a unique pointer at a path
    /// points to.
    pub(super) fn path(&self, place: &Expr) -> Result<(), NoPath> {
        let no = |why| Err(NoPath { span: place.span, why });
        match &place.kind {
            ExprKind::Local(_) => Ok(()),
            ExprKind::Field(base, path) if base.is_place() => {
                if self.passes_union(base.ty, path) {
                    return no("a member of a union is there only while no other one is written");
                }
                self.path(base)
            }
            ExprKind::Deref(pointer) => {
                if !self.leads_on(pointer.ty) {
                    return no("other pointers may lead here");
                }
                self.path(through_conversions(pointer))
            }
            ExprKind::Global(_) => no("every function can reach a variable with static storage"),
            ExprKind::ArrayIndex(..) | ExprKind::PointerIndex(..) => {
                no("elements of an array are not told apart")
            }
            _ => no("this is no variable"),
        }
    }

    /// Whether the pointer is the only one to its object, and that is one element.
    pub(super) fn leads_on(&self, ty: TypeId) -> bool {
        let types = &self.checker.types;
        let Type::Pointer(pointer) = types.get(ty) else { return false };
        let one = match pointer.bounds {
            Bounds::Fat => false,
            Bounds::Thin(size) => *types.get_size(size) == Size::Const(1),
        };
        one && !pointer.zeroterm && *types.get_region(pointer.region) == Region::Unique
    }

    /// Whether a step of the path leads into a union.
    fn passes_union(&self, ty: TypeId, path: &FieldPath) -> bool {
        let types = &self.checker.types;
        let mut ty = ty;
        for &index in path {
            let Type::Record(record, _) = *types.get(ty) else { return false };
            let def = &types.records[record];
            if def.sort != RecordSort::Struct {
                return true;
            }
            let Some(field) = def.fields.as_ref().and_then(|fields| fields.get(index as usize))
            else {
                return true;
            };
            ty = field.ty.ty;
        }
        false
    }
}

/// The pointer under conversions that leave it the same pointer.
fn through_conversions(mut e: &Expr) -> &Expr {
    while let ExprKind::Coerce(Coercion::Same | Coercion::NonNull, inner) = &e.kind {
        e = inner;
    }
    e
}
