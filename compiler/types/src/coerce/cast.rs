//! Casts: what assignment would do, and what only the user may ask for.

use super::coercion;
use crate::checker::{Checker, Why};
use crate::hir::{Coercion, Expr, ExprKind};
use crate::infer::Origin;
use crate::ty::{ArrayLen, Bounds, FloatTy, IntTy, Pointer, Quals, Type, TypeId};
use tenure_span::{Diagnostic, Span};

impl Checker<'_> {
    /// `(to)expr`.
    pub fn cast(&mut self, expr: Expr, to: TypeId, span: Span) -> Expr {
        let mut result = self.cast_value(expr, to, span);
        result.span = span;
        result
    }

    fn cast_value(&mut self, expr: Expr, to: TypeId, span: Span) -> Expr {
        let to = self.shallow(to);
        if matches!(self.types.get(to), Type::Void) {
            return coercion(Coercion::Discard, expr, to);
        }
        if matches!(expr.kind, ExprKind::Error) || self.is_error(expr.ty) || self.is_error(to) {
            return Expr { kind: ExprKind::Error, ty: to, quals: Quals::default(), span };
        }
        if self.is_null_constant(&expr) && self.is_pointer(to) {
            return self.coerce(expr, to, Why::Cast);
        }
        if let (Type::Array { .. }, Type::Pointer(target)) =
            (self.kind(expr.ty), self.types.get(to))
        {
            if !self.is_view(expr.ty, &target.clone()) {
                return self.coerce(expr, to, Why::Cast);
            }
        }
        let expr = self.decay(expr);
        let from = self.shallow(expr.ty);
        match (self.types.get(from).clone(), self.types.get(to).clone()) {
            (Type::Pointer(x), Type::Pointer(y)) => self.cast_pointer(expr, &x, to, &y),
            (Type::Pointer(_), Type::Int(int)) if int != IntTy::Bool => {
                let word = coercion(Coercion::PointerToInt, expr, self.basics.ulong);
                self.convert_arithmetic(word, to)
            }
            (_, Type::Pointer(_)) if self.is_integer(from) => {
                let text = "an integer cannot be made a pointer";
                let error = Diagnostic::error("E0405", text, expr.span)
                    .label(format!("this is `{}`", self.show_type(from)))
                    .help("keep the pointer itself, or an index into an array");
                self.error(error);
                Expr { kind: ExprKind::Error, ty: to, quals: Quals::default(), span }
            }
            _ => self.coerce(expr, to, Why::Cast),
        }
    }

    fn cast_pointer(&mut self, expr: Expr, from: &Pointer, to: TypeId, target: &Pointer) -> Expr {
        let view = self.is_bits_view(from, target);
        if !view {
            return self.coerce(expr, to, Why::Cast);
        }
        self.view_bits(expr, from, to, target, &Why::Cast)
    }

    fn is_view(&self, array: TypeId, target: &Pointer) -> bool {
        let mut elem = array;
        while let Type::Array { elem: inner, .. } = self.kind(elem) {
            elem = inner.ty;
            if self.shallow(elem) == self.shallow(target.elem.ty) {
                return false;
            }
        }
        self.is_byte(target.elem.ty) || self.is_other_sign(elem, target.elem.ty)
    }

    /// Whether the target views the source's elements as bytes, or as the same integers with the other sign.
    fn is_bits_view(&self, from: &Pointer, to: &Pointer) -> bool {
        let (x, y) = (self.shallow(from.elem.ty), self.shallow(to.elem.ty));
        x != y && self.is_bits(x) && (self.is_byte(y) || self.is_other_sign(x, y))
    }

    fn is_other_sign(&self, x: TypeId, y: TypeId) -> bool {
        match (self.kind(x), self.kind(y)) {
            (Type::Int(x), Type::Int(y)) => {
                x != y
                    && super::arithmetic::unsigned_of(*x) == super::arithmetic::unsigned_of(*y)
                    && *x != IntTy::Bool
            }
            _ => false,
        }
    }

    pub(crate) fn is_byte(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), Type::Int(IntTy::Char | IntTy::SChar | IntTy::UChar))
    }

    /// Whether any bytes are a value of the type: such objects may be viewed as bytes and read from a union after
    /// another member was written. `_Bool` is not: most bytes are no value of it. Nor is `long double`: no store writes
    /// all its bytes.
    pub fn is_bits(&self, ty: TypeId) -> bool {
        match self.kind(ty) {
            Type::Int(int) => *int != IntTy::Bool,
            Type::Float(float) | Type::Complex(float) => *float != FloatTy::Long,
            Type::Enum(_) | Type::Error => true,
            Type::Array { elem, zeroterm, len } => {
                !zeroterm && *len != ArrayLen::Incomplete && self.is_bits(elem.ty)
            }
            Type::Record(record, args) => {
                let def = &self.types.records[*record];
                let Some(fields) = &def.fields else { return false };
                def.sort != crate::ty::RecordSort::TaggedUnion
                    && def.existentials.is_empty()
                    && args.is_empty()
                    && fields.iter().all(|field| self.is_bits(field.ty.ty))
            }
            Type::Tuple(fields) => fields.iter().all(|field| self.is_bits(field.ty)),
            _ => false,
        }
    }

    /// A pointer to bits viewed as a pointer to bytes.
    pub fn view_bits(
        &mut self,
        expr: Expr,
        from: &Pointer,
        to: TypeId,
        target: &Pointer,
        why: &Why,
    ) -> Expr {
        let elem = target.elem;
        let lost = from.elem.quals.is_const && !elem.quals.is_const;
        if lost || from.zeroterm && !elem.quals.is_const || target.zeroterm {
            return self.coerce(expr, to, why.clone());
        }
        let (Some(have), Some(unit)) = (self.size_of(from.elem.ty), self.size_of(elem.ty)) else {
            return self.coerce(expr, to, why.clone());
        };
        let factor = have / unit.max(1);
        let bounds = match from.bounds {
            Bounds::Fat => Bounds::Fat,
            Bounds::Thin(size) => {
                let factor = self.size_const(factor);
                Bounds::Thin(self.size_product(size, factor))
            }
        };
        let region = self.fresh_region(expr.span);
        let origin = Origin { span: expr.span, declared: why.declared() };
        if self.flow_region(from.region, region, origin).is_err() {
            return self.coerce(expr, to, why.clone());
        }
        let view = self.pointer_to(Pointer {
            least: 0,
            elem,
            nullable: from.nullable,
            open: from.open,
            bounds,
            zeroterm: false,
            region,
        });
        let viewed = coercion(Coercion::ViewBits, expr, view);
        self.coerce(viewed, to, why.clone())
    }

    /// Likewise for an argument of a function that takes bytes (`__attribute__((bytes))`): whatever is bits may be
    /// handed over.
    pub fn coerce_bytes(&mut self, expr: Expr, to: TypeId, why: Why) -> Expr {
        let Type::Pointer(target) = self.kind(to).clone() else {
            return self.coerce(expr, to, why);
        };
        let expr = match self.kind(expr.ty) {
            Type::Array { elem, .. } if self.shallow(elem.ty) != self.shallow(target.elem.ty) => {
                self.decay(expr)
            }
            _ => expr,
        };
        match self.kind(expr.ty).clone() {
            Type::Pointer(source) if self.is_bits_view(&source, &target) => {
                self.view_bits(expr, &source, to, &target, &why)
            }
            _ => self.coerce(expr, to, why),
        }
    }
}
