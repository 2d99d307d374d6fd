//! Arithmetic conversions (C11 6.3.1).

use super::coercion;
use crate::checker::Checker;
use crate::hir::{Coercion, Expr, ExprKind};
use crate::ty::{FloatTy, IntTy, Type, TypeId};

impl Checker<'_> {
    pub fn is_arithmetic(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), Type::Int(_) | Type::Float(_) | Type::Complex(_) | Type::Enum(_))
    }

    pub fn is_integer(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), Type::Int(_) | Type::Enum(_) | Type::Tag(..))
    }

    /// The integer type behind a type: an enumeration's is its underlying one.
    pub fn integer_of(&self, ty: TypeId) -> Option<IntTy> {
        match self.kind(ty) {
            Type::Int(int) => Some(*int),
            Type::Enum(id) => Some(self.types.enums[*id].underlying),
            Type::Tag(..) => Some(IntTy::ULong),
            _ => None,
        }
    }

    pub(super) fn convert_arithmetic(&mut self, expr: Expr, to: TypeId) -> Expr {
        let from = self.shallow(expr.ty);
        if from == to {
            return expr;
        }
        if matches!(self.types.get(to), Type::Int(IntTy::Bool)) {
            return coercion(Coercion::ToBool, expr, to);
        }
        coercion(Coercion::Arithmetic, expr, to)
    }

    /// Integer promotions (C11 6.3.1.1p2), after arrays and functions have become pointers and tags integers.
    pub fn promote(&mut self, expr: Expr) -> Expr {
        let expr = self.decay(expr);
        if matches!(self.kind(expr.ty), Type::Tag(..)) {
            return coercion(Coercion::Tag, expr, self.basics.ulong);
        }
        let Some(int) = self.integer_of(expr.ty) else { return expr };
        let to = match self.bit_width(&expr) {
            // A bit-field narrower than int fits into int (C11 6.3.1.1p2).
            Some(width) if width < 32 || width == 32 && int.is_signed() => self.basics.int,
            Some(32) => self.basics.uint,
            _ => self.promoted(int),
        };
        self.convert_arithmetic(expr, to)
    }

    fn promoted(&mut self, int: IntTy) -> TypeId {
        match int {
            IntTy::Bool
            | IntTy::Char
            | IntTy::SChar
            | IntTy::UChar
            | IntTy::Short
            | IntTy::UShort => self.basics.int,
            other => self.types.intern(Type::Int(other)),
        }
    }

    /// The width of a bit-field, if the expression is one or what was stored into one: an assignment has the type of
    /// its left side (C11 6.5.16p3), which is the bit-field's, and so has `e, s.f` with gcc.
    pub fn bit_width(&self, expr: &Expr) -> Option<u32> {
        let (base, path) = match &expr.kind {
            ExprKind::Field(base, path) => (base, path),
            ExprKind::Assign(place, _)
            | ExprKind::AssignOp { place, .. }
            | ExprKind::IncDec(_, place) => return self.bit_width(place),
            ExprKind::Comma(parts) => return parts.last().and_then(|last| self.bit_width(last)),
            _ => return None,
        };
        let mut ty = self.shallow(base.ty);
        let mut bits = None;
        for &index in path {
            let Type::Record(record, _) = *self.types.get(ty) else { return None };
            let field = self.types.records[record].fields.as_ref()?.get(index as usize)?;
            bits = field.bits;
            ty = self.shallow(field.ty.ty);
        }
        bits
    }

    /// The usual arithmetic conversions (C11 6.3.1.8): both operands in their common type. Operands that are not
    /// arithmetic come back as they are, with the error type.
    pub fn usual_arithmetic(&mut self, a: Expr, b: Expr) -> (Expr, Expr, TypeId) {
        let (a, b) = (self.promote(a), self.promote(b));
        if !self.is_arithmetic(a.ty) || !self.is_arithmetic(b.ty) {
            return (a, b, self.basics.error);
        }
        let common = self.common_arithmetic(a.ty, b.ty);
        let (a, b) = (self.convert_arithmetic(a, common), self.convert_arithmetic(b, common));
        (a, b, common)
    }

    /// The common type of two promoted arithmetic types.
    pub fn common_arithmetic(&mut self, a: TypeId, b: TypeId) -> TypeId {
        let (a, b) = (self.shallow(a), self.shallow(b));
        if a == b {
            return a;
        }
        let (x, y) = (self.types.get(a).clone(), self.types.get(b).clone());
        let float = |ty: &Type| match ty {
            Type::Float(float) => Some((*float, false)),
            Type::Complex(float) => Some((*float, true)),
            _ => None,
        };
        match (float(&x), float(&y)) {
            (None, None) => self.common_integer(a, b),
            (p, q) => {
                let rank = |float: FloatTy| match float {
                    FloatTy::F32 => 0,
                    FloatTy::F64 => 1,
                    FloatTy::Long => 2,
                };
                let (p, q) = (p.or(q), q.or(p));
                let wide = match (p, q) {
                    (Some((p, _)), Some((q, _))) if rank(p) < rank(q) => q,
                    (Some((p, _)), _) => p,
                    _ => FloatTy::F64,
                };
                let complex = matches!(x, Type::Complex(_)) || matches!(y, Type::Complex(_));
                let ty = if complex { Type::Complex(wide) } else { Type::Float(wide) };
                self.types.intern(ty)
            }
        }
    }

    fn common_integer(&mut self, a: TypeId, b: TypeId) -> TypeId {
        let (Some(x), Some(y)) = (self.integer_of(a), self.integer_of(b)) else {
            return self.basics.error;
        };
        let rank = |int: IntTy| match int {
            IntTy::Int | IntTy::UInt => 0,
            IntTy::Long | IntTy::ULong => 1,
            IntTy::LLong | IntTy::ULLong => 2,
            IntTy::I128 | IntTy::U128 => 3,
            _ => 0,
        };
        let common = if x.is_signed() == y.is_signed() {
            if rank(x) >= rank(y) {
                x
            } else {
                y
            }
        } else {
            let (signed, unsigned) = if x.is_signed() { (x, y) } else { (y, x) };
            if rank(unsigned) >= rank(signed) {
                unsigned
            } else if signed.bits() > unsigned.bits() {
                signed
            } else {
                unsigned_of(signed)
            }
        };
        self.types.intern(Type::Int(common))
    }
}

/// The unsigned type of the same rank.
pub(crate) fn unsigned_of(int: IntTy) -> IntTy {
    match int {
        IntTy::Char | IntTy::SChar => IntTy::UChar,
        IntTy::Short => IntTy::UShort,
        IntTy::Int => IntTy::UInt,
        IntTy::Long => IntTy::ULong,
        IntTy::LLong => IntTy::ULLong,
        IntTy::I128 => IntTy::U128,
        other => other,
    }
}
