//! Alias inference: owned pointers are lent to a call whose parameter may point into any region (papers/000, §3.1).

use super::coercion;
use crate::checker::{Checker, Why};
use crate::hir::{Coercion, Expr, ExprKind};
use crate::ty::{EffectItem, Pointer, Region, RegionId, Type, TypeId};

impl Checker<'_> {
    /// The region of the call to which an owned pointer is lent, if it is: the parameter's region is a variable of kind
    /// `R`, which nothing owned can stand for.
    pub(super) fn lends_to(&mut self, from: RegionId, to: RegionId, why: &Why) -> Option<RegionId> {
        let is_argument =
            matches!(why, Why::Argument { .. } | Why::Rest { .. } | Why::Branch { lent: true, .. });
        if !is_argument {
            return None;
        }
        let (from, to) = (self.shallow_region(from), self.shallow_region(to));
        if !self.types.stands_alone(from) {
            return None;
        }
        let call = self.infer.call?;
        let call = self.region_var(call);
        match *self.types.get_region(to) {
            Region::Infer(vid) if self.infer.aliasable.contains(&vid) => {
                let kept = EffectItem::Region(to);
                Some(self.lend_outward(kept).unwrap_or(call))
            }
            Region::Infer(_) => None,
            _ => {
                let around = self.infer.lending.around.filter(|_| self.infer.lending.outward);
                let around = around.map(|around| self.region_var(around));
                (to == call || Some(to) == around).then_some(to)
            }
        }
    }

    /// Whether an owned pointer that goes where pointers into the region go would be lent to a call.
    pub(crate) fn may_lend_to(&self, region: RegionId) -> bool {
        match *self.types.get_region(self.shallow_region(region)) {
            Region::Infer(vid) => self.infer.aliasable.contains(&vid),
            Region::Var(var) => {
                Some(var) == self.infer.call || Some(var) == self.infer.lending.around
            }
            _ => false,
        }
    }

    /// The region of the call around, if the result of this call, which goes there, keeps what the item stands for.
    fn lend_outward(&mut self, item: EffectItem) -> Option<RegionId> {
        let around = self.infer.lending.around?;
        let mut kept = Vec::new();
        self.regions_of(self.infer.lending.result?, &mut kept);
        if !kept.contains(&item) {
            return None;
        }
        self.infer.lending.outward = true;
        Some(self.region_var(around))
    }

    /// An owned pointer as one into the region, for the call around.
    pub(super) fn lend(&mut self, expr: Expr, region: RegionId) -> Expr {
        let ty = self.with_region(expr.ty, region);
        if self.is_reference(expr.ty) {
            // Whatever it was made of, it says by itself which object is pinned.
            return match expr.kind {
                ExprKind::Null | ExprKind::Throw(_) => Expr { ty, ..expr },
                _ => Expr { quals: Default::default(), span: expr.span, ty, kind: borrow(expr) },
            };
        }
        if self.is_one_of_several(&expr) {
            return self.lend_each(expr, ty, &mut |this, value| this.lend(value, region));
        }
        match expr.kind {
            ExprKind::Null | ExprKind::Throw(_) => Expr { ty, ..expr },
            ExprKind::Coerce(kind, inner) if self.is_conversion_of_pointer(kind, inner.ty) => {
                let inner = self.lend(*inner, region);
                Expr { kind: ExprKind::Coerce(kind, Box::new(inner)), ty, ..expr }
            }
            ExprKind::AddrOf(place) => {
                let place = self.lend_around(*place, region);
                Expr { kind: ExprKind::AddrOf(Box::new(place)), ty, ..expr }
            }
            ExprKind::Coerce(kind @ (Coercion::ArrayToThin | Coercion::ArrayToFat), place) => {
                let place = self.lend_around(*place, region);
                Expr { kind: ExprKind::Coerce(kind, Box::new(place)), ty, ..expr }
            }
            ExprKind::PointerAdd { ptr, count, negative } => {
                let ptr = Box::new(self.lend(*ptr, region));
                Expr { kind: ExprKind::PointerAdd { ptr, count, negative }, ty, ..expr }
            }
            _ => Expr { quals: Default::default(), span: expr.span, ty, kind: borrow(expr) },
        }
    }

    /// `c ? p : q` and `(f(), p)`: the value is that of a place, whichever it is, and not an object that nobody else
    /// has.
    fn is_one_of_several(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Cond(_, a, b) => self.is_of_a_place(a) && self.is_of_a_place(b),
            ExprKind::Comma(parts) => parts.last().is_some_and(|last| self.is_of_a_place(last)),
            _ => false,
        }
    }

    pub(crate) fn is_of_a_place(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Null | ExprKind::Throw(_) | ExprKind::AddrOf(_) => true,
            ExprKind::Coerce(Coercion::ArrayToThin | Coercion::ArrayToFat, _) => true,
            ExprKind::Coerce(_, inner) => self.is_of_a_place(inner),
            ExprKind::PointerAdd { ptr, .. } => self.is_of_a_place(ptr),
            _ => expr.is_place() || self.is_one_of_several(expr),
        }
    }

    /// Lends what the value may be.
    fn lend_each(
        &mut self,
        expr: Expr,
        ty: TypeId,
        lend: &mut dyn FnMut(&mut Self, Expr) -> Expr,
    ) -> Expr {
        let kind = match expr.kind {
            ExprKind::Cond(cond, a, b) => {
                let (a, b) = (lend(self, *a), lend(self, *b));
                ExprKind::Cond(cond, Box::new(a), Box::new(b))
            }
            ExprKind::Comma(mut parts) => {
                if let Some(last) = parts.pop() {
                    parts.push(lend(self, last));
                }
                ExprKind::Comma(parts)
            }
            other => other,
        };
        Expr { kind, ty, ..expr }
    }

    /// A place inside an owned object, reached through an alias of that object's pointer.
    fn lend_around(&mut self, place: Expr, region: RegionId) -> Expr {
        let kind = match place.kind {
            ExprKind::Field(base, path) => {
                ExprKind::Field(Box::new(self.lend_around(*base, region)), path)
            }
            ExprKind::ArrayIndex(base, index) => {
                ExprKind::ArrayIndex(Box::new(self.lend_around(*base, region)), index)
            }
            ExprKind::Deref(pointer) => ExprKind::Deref(Box::new(self.lend(*pointer, region))),
            ExprKind::PointerIndex(pointer, index) => {
                ExprKind::PointerIndex(Box::new(self.lend(*pointer, region)), index)
            }
            other => other,
        };
        Expr { kind, ..place }
    }

    /// An argument in place of C's `...`, which may point anywhere.
    pub(crate) fn lend_to_c(&mut self, expr: Expr) -> Expr {
        let Type::Pointer(pointer) = self.kind(expr.ty) else { return expr };
        let region = self.shallow_region(pointer.region);
        match (self.types.stands_alone(region), self.infer.call) {
            (true, Some(call)) if !matches!(expr.kind, ExprKind::Null) => {
                let region = self.region_var(call);
                self.lend(expr, region)
            }
            _ => expr,
        }
    }

    /// Likewise where the parameter's type is a variable: it stands for the type of the alias.
    pub(super) fn lends_to_unknown(
        &mut self,
        from: RegionId,
        to: TypeId,
        why: &Why,
    ) -> Option<RegionId> {
        if !matches!(why, Why::Argument { .. } | Why::Rest { .. }) {
            return None;
        }
        let Type::Infer(vid) = *self.kind(to) else { return None };
        let from = self.shallow_region(from);
        self.types.owned_region(from)?;
        let call = self.infer.call?;
        if !self.infer.aliasable_types.contains(&vid) {
            return None;
        }
        let to = self.shallow(to);
        let outward = self.lend_outward(EffectItem::RegionsOf(to));
        Some(outward.unwrap_or_else(|| self.region_var(call)))
    }

    /// An argument that the call does not consume.
    pub(crate) fn lend_unconsumed(&mut self, expr: Expr) -> Expr {
        let owned = match self.kind(expr.ty) {
            Type::Pointer(pointer) => self.types.owned_region(self.shallow_region(pointer.region)),
            _ => None,
        };
        if owned.is_none() || expr.is_error() {
            return expr;
        }
        if self.is_one_of_several(&expr) {
            let ty = expr.ty;
            return self.lend_each(expr, ty, &mut Self::lend_unconsumed);
        }
        match expr.kind {
            ExprKind::Null | ExprKind::Throw(_) => expr,
            ExprKind::Coerce(kind, inner) if self.is_conversion_of_pointer(kind, inner.ty) => {
                let inner = self.lend_unconsumed(*inner);
                coercion(kind, Expr { span: expr.span, ..inner }, expr.ty)
            }
            _ => {
                Expr { quals: Default::default(), span: expr.span, ty: expr.ty, kind: borrow(expr) }
            }
        }
    }

    /// Whether the type, as far as inference has come, is that of a pointer into the checked heap.
    pub(crate) fn is_reference(&self, ty: TypeId) -> bool {
        match self.kind(ty) {
            Type::Pointer(pointer) => self.types.is_checked(self.shallow_region(pointer.region)),
            _ => false,
        }
    }

    fn is_conversion_of_pointer(&self, kind: Coercion, from: TypeId) -> bool {
        !matches!(kind, Coercion::ArrayToThin | Coercion::ArrayToFat)
            && matches!(self.kind(from), Type::Pointer(_))
    }

    fn with_region(&mut self, ty: TypeId, region: RegionId) -> TypeId {
        match self.kind(ty).clone() {
            Type::Pointer(pointer) => self.pointer_to(Pointer { region, ..pointer }),
            _ => ty,
        }
    }
}

fn borrow(expr: Expr) -> ExprKind {
    ExprKind::Borrow(Box::new(expr))
}
