//! Conversions between pointers, and from arrays and functions to pointers (LANGUAGE, section 1).

use super::{coercion, join_quals};
use crate::checker::{Checker, Why};
use crate::hir::{Coercion, Expr, ExprKind};
use crate::infer::{Mismatch, Origin};
use crate::ty::{ArrayLen, Bounds, Pointer, QualType, Quals, RegionId, SizeId, Type, TypeId};

type Converted = Result<Expr, (Expr, Mismatch)>;

impl Checker<'_> {
    /// An array or a function to a pointer type.
    pub(super) fn convert_designator(&mut self, expr: Expr, to: TypeId, why: &Why) -> Converted {
        let Type::Pointer(target) = self.kind(to).clone() else {
            return Err((expr, Mismatch::Bounds));
        };
        if let Type::Function(_) = self.kind(expr.ty) {
            return self.convert_function(expr, to, &target, why);
        }
        if let Type::Array { len: ArrayLen::Incomplete, .. } = self.kind(expr.ty) {
            return Ok(Expr { ty: to, ..self.no_length(&expr) });
        }
        let expr = if target.bounds == Bounds::Fat {
            if let Err(mismatch) = self.has_least(&expr, &target) {
                return Err((expr, mismatch));
            }
            self.array_to_fat(expr, &target)
        } else {
            self.decay(expr)
        };
        let Type::Pointer(source) = self.kind(expr.ty).clone() else {
            return Err((expr, Mismatch::Bounds));
        };
        self.convert_pointer(expr, &source, to, &target, why)
    }

    /// An array has the number of elements that a pointer with bounds promises.
    fn has_least(&mut self, expr: &Expr, target: &Pointer) -> Result<(), Mismatch> {
        let Type::Array { len: ArrayLen::Known(have), .. } = *self.kind(expr.ty) else {
            return Ok(());
        };
        let short = self.size_value(have).is_some_and(|have| have < target.least);
        if short {
            let need = self.size_const(target.least);
            return Err(Mismatch::Sizes(have, need));
        }
        Ok(())
    }

    /// An array as a fat pointer. The terminator of a zero-terminated array is left out where it could be overwritten.
    fn array_to_fat(&mut self, expr: Expr, target: &Pointer) -> Expr {
        let Type::Array { elem, .. } = *self.kind(expr.ty) else { return expr };
        let region = self.region_of_place(&expr);
        let elem = join_quals(elem, expr.quals);
        let quals =
            Quals { is_const: elem.quals.is_const || target.elem.quals.is_const, ..elem.quals };
        let ty = self.pointer_to(Pointer {
            least: 0,
            elem: QualType { ty: elem.ty, quals },
            nullable: false,
            open: None,
            bounds: Bounds::Fat,
            zeroterm: target.zeroterm,
            region,
        });
        coercion(Coercion::ArrayToFat, expr, ty)
    }

    /// A zero-terminated array, or a sum of one and counts, that decayed to a pointer which knows its zero alone: the
    /// pointer with the bounds of the array that `target` may have. Any other expression as it is.
    fn sum_with_bounds(&mut self, expr: Expr, target: &Pointer) -> Expr {
        if !is_array_sum(&expr) {
            return expr;
        }
        let span = expr.span;
        match expr.kind {
            ExprKind::Coerce(_, array) => {
                let fat = self.array_to_fat(*array, target);
                Expr { span, ..fat }
            }
            ExprKind::PointerAdd { ptr, count, negative } => {
                let ptr = Box::new(self.sum_with_bounds(*ptr, target));
                let ty = ptr.ty;
                Expr::value(ExprKind::PointerAdd { ptr, count, negative }, ty, span)
            }
            kind => Expr { kind, ..expr },
        }
    }

    /// Likewise, with the zero, for arithmetic that goes back.
    pub(crate) fn with_first_element(&mut self, expr: Expr) -> Expr {
        match self.kind(expr.ty).clone() {
            Type::Pointer(pointer) if pointer.zeroterm && pointer.bounds != Bounds::Fat => {
                self.sum_with_bounds(expr, &Pointer { bounds: Bounds::Fat, ..pointer })
            }
            _ => expr,
        }
    }

    /// A pointer to a pointer type. The order of steps: elements, qualifiers, termination and bounds, nullness, region.
    pub(super) fn convert_pointer(
        &mut self,
        expr: Expr,
        from: &Pointer,
        to_ty: TypeId,
        to: &Pointer,
        why: &Why,
    ) -> Converted {
        let origin = Origin { span: expr.span, declared: why.declared() };
        if let Type::Function(_) = self.kind(from.elem.ty) {
            if matches!(self.kind(to.elem.ty), Type::Function(_)) {
                return self.convert_function_pointer(expr, from, to_ty, to, origin);
            }
        }
        let lent = self.lends_to(from.region, to.region, why);
        let (expr, from) = match lent {
            Some(region) => (self.lend(expr, region), &Pointer { region, ..from.clone() }),
            None => (expr, from),
        };
        if let Err(mismatch) = self.convert_elements(from, to, origin) {
            return Err((expr, mismatch));
        }
        if let Err(mismatch) = self.flow_region(from.region, to.region, origin) {
            return Err((expr, mismatch));
        }
        let expr = self.convert_bounds(expr, from, to_ty, to, why)?;
        let have = match self.kind(expr.ty) {
            Type::Pointer(pointer) => pointer.clone(),
            _ => from.clone(),
        };
        if self.flow_null(&have, to) {
            self.note_check(&expr, why);
            return Ok(coercion(Coercion::NonNull, expr, to_ty));
        }
        Ok(coercion(Coercion::Same, expr, to_ty))
    }

    /// What the pointers point to: equal, or below it where nothing can be written.
    pub(super) fn convert_elements(
        &mut self,
        from: &Pointer,
        to: &Pointer,
        origin: Origin,
    ) -> Result<(), Mismatch> {
        let (have, need) = (from.elem.quals, to.elem.quals);
        if matches!(self.kind(to.elem.ty), Type::Void)
            && !matches!(self.kind(from.elem.ty), Type::Void | Type::Function(_))
        {
            // Nothing can be read or written through it.
            let known = self.kind(from.elem.ty);
            return match known {
                Type::Infer(_) => self.unify(from.elem.ty, to.elem.ty),
                _ => keeps_quals(have, need),
            };
        }
        keeps_quals(have, need)?;
        let (x, y) = (self.shallow(from.elem.ty), self.shallow(to.elem.ty));
        if x == y {
            return Ok(());
        }
        if let (Type::Variant(d, _, xs), Type::Datatype(e, ys)) =
            (self.types.get(x), self.types.get(y))
        {
            if d == e {
                let (xs, ys) = (xs.clone(), ys.clone());
                return self.same_args(&xs, &ys);
            }
        }
        if need.is_const {
            self.sub_type(x, y, origin)
        } else {
            self.unify(x, y)
        }
    }

    /// A pointer flows from a type with the one region to a type with the other.
    pub(super) fn flow_region(
        &mut self,
        from: RegionId,
        to: RegionId,
        origin: Origin,
    ) -> Result<(), Mismatch> {
        let alone = |checker: &Checker, region: RegionId| {
            checker.types.stands_alone(checker.shallow_region(region))
        };
        if alone(self, from) || alone(self, to) {
            return self.unify_regions(from, to);
        }
        self.outlives(from, to, origin);
        Ok(())
    }

    /// Bounds and termination. The result's type may still be nullable.
    fn convert_bounds(
        &mut self,
        expr: Expr,
        from: &Pointer,
        to_ty: TypeId,
        to: &Pointer,
        why: &Why,
    ) -> Converted {
        if matches!(self.kind(to.elem.ty), Type::Void) && from.bounds != Bounds::Fat {
            return match to.bounds {
                Bounds::Fat => Err((expr, Mismatch::Bounds)),
                Bounds::Thin(_) => Ok(expr),
            };
        }
        match (from.bounds, to.bounds) {
            (Bounds::Thin(have), Bounds::Fat)
                if to.least > 0 && self.size_value(have).is_some_and(|have| have < to.least) =>
            {
                let need = self.size_const(to.least);
                Err((expr, Mismatch::Sizes(have, need)))
            }
            (Bounds::Fat, Bounds::Fat) => match (from.zeroterm, to.zeroterm) {
                (true, false) if !to.elem.quals.is_const => Err((expr, Mismatch::ZeroTerm)),
                (false, true) => Err((expr, Mismatch::ZeroTerm)),
                _ => Ok(expr),
            },
            (Bounds::Thin(size), Bounds::Fat) => self.thin_to_fat(expr, from, size, to_ty, to),
            (Bounds::Fat, Bounds::Thin(_)) => self.fat_to_thin(expr, from, to_ty, to, why),
            (Bounds::Thin(have), Bounds::Thin(need)) => {
                if to.zeroterm && !from.zeroterm {
                    return Err((expr, Mismatch::ZeroTerm));
                }
                if from.zeroterm && !to.zeroterm && !to.elem.quals.is_const {
                    return Err((expr, Mismatch::ZeroTerm));
                }
                match self.enough(have, need) {
                    Ok(()) => Ok(expr),
                    Err(mismatch) => Err((expr, mismatch)),
                }
            }
        }
    }

    /// A pointer gets the bounds that its type has, or those that its zero gives it.
    fn thin_to_fat(
        &mut self,
        expr: Expr,
        from: &Pointer,
        size: SizeId,
        to_ty: TypeId,
        to: &Pointer,
    ) -> Converted {
        if to.zeroterm && !from.zeroterm {
            return Err((expr, Mismatch::ZeroTerm));
        }
        if from.zeroterm && is_array_sum(&expr) {
            return Ok(self.sum_with_bounds(expr, to));
        }
        let kind = if from.zeroterm {
            self.require_live(from.region, expr.span, "its length is measured here");
            Coercion::ZeroTermToFat
        } else {
            if let Some(error) = self.uncounted(size, 0, expr.span) {
                return Ok(Expr { ty: to_ty, ..error });
            }
            Coercion::ThinToFat
        };
        let pointer = Pointer { nullable: from.nullable, open: from.open, ..to.clone() };
        let ty = self.pointer_to(pointer);
        Ok(coercion(kind, expr, ty))
    }

    /// A pointer leaves its bounds behind: a check says that they were enough.
    fn fat_to_thin(
        &mut self,
        expr: Expr,
        from: &Pointer,
        to_ty: TypeId,
        to: &Pointer,
        why: &Why,
    ) -> Converted {
        if to.zeroterm {
            // The zero must stay where it is for as long as the new pointer lives: nobody may overwrite it through
            // the old one. C code that is called looks once.
            let safe = from.zeroterm || self.believes_zero(why);
            if !safe {
                return Err((expr, Mismatch::ZeroTerm));
            }
            self.note_check(&expr, why);
            self.require_live(from.region, expr.span, "its end is looked for here");
            return Ok(coercion(Coercion::FatToZeroTerm, expr, to_ty));
        }
        if from.zeroterm && !to.elem.quals.is_const {
            return Err((expr, Mismatch::ZeroTerm));
        }
        self.note_check(&expr, why);
        Ok(coercion(Coercion::FatToThin, expr, to_ty))
    }

    /// A conversion that may fail at run time, unless the user asked for it by a cast.
    fn note_check(&mut self, expr: &Expr, why: &Why) {
        if !matches!(why, Why::Cast) {
            self.implicit_checks.push(expr.span);
        }
    }

    /// A string is lent to a C function for the time of the call, or the cast stands in C code, which is believed.
    fn believes_zero(&self, why: &Why) -> bool {
        match why {
            Why::Argument { .. } => self.infer.calls_c,
            Why::Cast => self.fx.extern_c,
            _ => false,
        }
    }

    /// A function's name to a function pointer type.
    fn convert_function(
        &mut self,
        expr: Expr,
        to: TypeId,
        target: &Pointer,
        why: &Why,
    ) -> Converted {
        let origin = Origin { span: expr.span, declared: why.declared() };
        let from = self.shallow(expr.ty);
        let (source, wanted) = (self.types.get(from).clone(), self.kind(target.elem.ty).clone());
        let (Type::Function(source), Type::Function(wanted)) = (source, wanted) else {
            if matches!(self.kind(target.elem.ty), Type::Infer(_)) {
                let decayed = self.decay(expr);
                return self.equate_function_pointer(decayed, to);
            }
            return Err((expr, Mismatch::Types(from, target.elem.ty)));
        };
        if target.bounds == Bounds::Fat {
            return Err((expr, Mismatch::Bounds));
        }
        let instance = match self.sub_function(&source, &wanted, origin) {
            Ok(instance) => instance,
            Err(mismatch) => return Err((expr, mismatch)),
        };
        let kind = match expr.kind {
            ExprKind::Func(func, old) if old.is_empty() => ExprKind::Func(func, instance),
            other => other,
        };
        Ok(Expr { kind, ty: to, quals: Quals::default(), span: expr.span })
    }

    fn equate_function_pointer(&mut self, expr: Expr, to: TypeId) -> Converted {
        match self.unify(expr.ty, to) {
            Ok(()) => Ok(expr),
            Err(mismatch) => Err((expr, mismatch)),
        }
    }

    fn convert_function_pointer(
        &mut self,
        expr: Expr,
        from: &Pointer,
        to_ty: TypeId,
        to: &Pointer,
        origin: Origin,
    ) -> Converted {
        let (x, y) = (self.kind(from.elem.ty).clone(), self.kind(to.elem.ty).clone());
        let (Type::Function(x), Type::Function(y)) = (x, y) else {
            return Err((expr, Mismatch::Types(from.elem.ty, to.elem.ty)));
        };
        if let (Bounds::Fat, Bounds::Thin(_)) | (Bounds::Thin(_), Bounds::Fat) =
            (from.bounds, to.bounds)
        {
            return Err((expr, Mismatch::Bounds));
        }
        let instance = match self.sub_function(&x, &y, origin) {
            Ok(instance) => instance,
            Err(mismatch) => return Err((expr, mismatch)),
        };
        let expr = match expr {
            Expr { kind: ExprKind::Func(func, old), .. } if old.is_empty() => {
                Expr { kind: ExprKind::Func(func, instance), ..expr }
            }
            other => other,
        };
        let expr = coercion(Coercion::Same, expr, to_ty);
        if self.flow_null(from, to) {
            return Ok(Expr {
                kind: ExprKind::Coerce(Coercion::NonNull, Box::new(strip_same(expr))),
                ty: to_ty,
                quals: Quals::default(),
                span: origin.span,
            });
        }
        Ok(expr)
    }
}

/// A zero-terminated array that decayed, or that and counts.
fn is_array_sum(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Coerce(Coercion::ArrayToThin, _) => true,
        ExprKind::PointerAdd { ptr, .. } => is_array_sum(ptr),
        _ => false,
    }
}

/// The expression under a conversion that changes nothing.
fn strip_same(expr: Expr) -> Expr {
    match expr.kind {
        ExprKind::Coerce(Coercion::Same, inner) => *inner,
        _ => expr,
    }
}

fn keeps_quals(have: Quals, need: Quals) -> Result<(), Mismatch> {
    let lost = have.is_const && !need.is_const || have.is_volatile && !need.is_volatile;
    if lost {
        Err(Mismatch::Quals)
    } else {
        Ok(())
    }
}
