//! Literals.

use crate::checker::Checker;
use crate::hir::{Expr, ExprKind, UnaryOp};
use crate::ty::{ArrayLen, Bounds, IntTy, Pointer, QualType, Quals, Type, TypeId};
use tenure_span::{Diagnostic, Span};
use tenure_syntax::tree::{self, Encoding, FloatSize, IntBase, IntLit, IntSize};

/// The type of an integer constant: the first of C11 6.4.4.1p5's list in which its value fits.
pub(crate) fn int_literal_type(lit: &IntLit) -> IntTy {
    use IntTy::*;
    let list: &[IntTy] = match (lit.size, lit.unsigned, lit.base) {
        (IntSize::Plain, false, IntBase::Decimal) => &[Int, Long, LLong],
        (IntSize::Plain, false, _) => &[Int, UInt, Long, ULong],
        (IntSize::Plain, true, _) => &[UInt, ULong],
        (IntSize::Long, false, IntBase::Decimal) => &[Long, LLong],
        (IntSize::Long, false, _) => &[Long, ULong],
        (IntSize::Long, true, _) => &[ULong],
        (IntSize::LongLong, false, IntBase::Decimal) => &[LLong],
        (IntSize::LongLong, false, _) => &[LLong, ULLong],
        (IntSize::LongLong, true, _) => &[ULLong],
    };
    let fits = |ty: &IntTy| {
        let bits = ty.bits() - u32::from(ty.is_signed());
        bits >= 64 || lit.value >> bits == 0
    };
    // A decimal constant that no signed 64-bit type holds: gcc makes it __int128.
    list.iter().copied().find(fits).unwrap_or(I128)
}

/// The element type of a literal and its size.
pub(super) fn char_type(encoding: Encoding) -> (IntTy, u8) {
    match encoding {
        Encoding::Plain | Encoding::Utf8 => (IntTy::Char, 1),
        Encoding::Utf16 => (IntTy::UShort, 2),
        Encoding::Utf32 => (IntTy::UInt, 4),
        Encoding::Wide => (IntTy::Int, 4),
    }
}

/// The units of a literal without its terminator.
pub(crate) fn units_of(lit: &tree::StrLit) -> (Vec<u32>, u8) {
    let units = match &lit.units {
        tree::StrUnits::Bytes(bytes) => bytes.iter().map(|&b| u32::from(b)).collect(),
        tree::StrUnits::Wide(units) => units.clone(),
    };
    (units, char_type(lit.encoding).1)
}

impl Checker<'_> {
    pub(super) fn literal(&mut self, e: &tree::Expr, expected: Option<TypeId>) -> Expr {
        let span = e.span;
        match &e.kind {
            tree::ExprKind::Int(lit) => {
                let ty = self.types.intern(Type::Int(int_literal_type(lit)));
                Expr::value(ExprKind::Int(i128::from(lit.value)), ty, span)
            }
            tree::ExprKind::Char(lit) => {
                let ty = match lit.encoding {
                    Encoding::Plain | Encoding::Utf8 => IntTy::Int,
                    other => char_type(other).0,
                };
                let ty = self.types.intern(Type::Int(ty));
                Expr::value(ExprKind::Int(i128::from(lit.value)), ty, span)
            }
            tree::ExprKind::Float(lit) => self.float_literal(lit, span),
            tree::ExprKind::Str(lit) => self.string_literal(lit, expected, span),
            _ => self.null(expected, span),
        }
    }

    fn float_literal(&mut self, lit: &tree::FloatLit, span: Span) -> Expr {
        let value = self.real_literal(lit, span);
        match *self.kind(value.ty) {
            Type::Float(float) if lit.imaginary => {
                let ty = self.types.intern(Type::Complex(float));
                Expr::value(ExprKind::Unary(UnaryOp::Imaginary, Box::new(value)), ty, span)
            }
            _ => value,
        }
    }

    fn real_literal(&mut self, lit: &tree::FloatLit, span: Span) -> Expr {
        match lit.size {
            FloatSize::Float => {
                let value = f64::from(lit.value as f32);
                Expr::value(ExprKind::Float(value.to_bits()), self.basics.float, span)
            }
            FloatSize::Double => {
                Expr::value(ExprKind::Float(lit.value.to_bits()), self.basics.double, span)
            }
            FloatSize::LongDouble => {
                let ty = self.types.intern(Type::Float(crate::ty::FloatTy::Long));
                Expr::value(ExprKind::LongFloat(lit.text.to_string()), ty, span)
            }
            FloatSize::FloatN(tree::FloatN::F32) => {
                let value = f64::from(lit.value as f32);
                Expr::value(ExprKind::Float(value.to_bits()), self.basics.float, span)
            }
            FloatSize::FloatN(tree::FloatN::F64 | tree::FloatN::F32x) => {
                Expr::value(ExprKind::Float(lit.value.to_bits()), self.basics.double, span)
            }
            FloatSize::FloatN(_) => {
                let text = "constants of this type are not supported";
                self.fail(Diagnostic::error("E0323", text, span))
            }
        }
    }

    /// A string: a zero-terminated array. Its characters are const unless the context wants a pointer through which
    /// they may be written.
    pub(super) fn string_literal(
        &mut self,
        lit: &tree::StrLit,
        expected: Option<TypeId>,
        span: Span,
    ) -> Expr {
        let (units, unit_size) = units_of(lit);
        let (int, _) = char_type(lit.encoding);
        let writable = expected.is_some_and(|ty| match self.kind(ty) {
            Type::Pointer(Pointer { elem, .. }) => !elem.quals.is_const,
            _ => false,
        });
        let elem = QualType {
            ty: self.types.intern(Type::Int(int)),
            quals: Quals { is_const: !writable, is_volatile: false },
        };
        let len = ArrayLen::Known(self.size_const(units.len() as u64 + 1));
        let ty = self.types.intern(Type::Array { elem, len, zeroterm: true });
        Expr::value(ExprKind::Str { units, unit_size }, ty, span)
    }

    /// NULL takes its type from the context; without one it is a pointer to something still unknown.
    pub(crate) fn null(&mut self, expected: Option<TypeId>, span: Span) -> Expr {
        if let Some(ty) = expected {
            match self.kind(ty) {
                Type::Error => return Expr::value(ExprKind::Null, ty, span),
                Type::Pointer(pointer) => {
                    let pointer = Pointer { nullable: true, open: None, ..pointer.clone() };
                    let ty = self.pointer_to(pointer);
                    return Expr::value(ExprKind::Null, ty, span);
                }
                Type::Infer(_) => {}
                // Only its truth can be meant, or the context is wrong.
                _ => {
                    let elem = QualType::plain(self.basics.void);
                    let ty = self.thin_pointer(elem, self.basics.heap, true);
                    return Expr::value(ExprKind::Null, ty, span);
                }
            }
        }
        let elem = QualType::plain(self.fresh_type(span, crate::ty::Kind::Any));
        let region = self.fresh_region(span);
        let bounds = Bounds::Thin(self.basics.one);
        let pointer =
            Pointer { least: 0, elem, nullable: true, open: None, bounds, zeroterm: false, region };
        let ty = self.pointer_to(pointer);
        Expr::value(ExprKind::Null, ty, span)
    }
}
