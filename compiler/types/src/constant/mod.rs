//! Integer constant expressions (C11 6.6): the typed tree, folded. Arithmetic is Tenure's, so signed overflow wraps.

use crate::checker::Checker;
use crate::hir::{BinaryOp, Coercion, Expr, ExprKind, FieldPath, UnaryOp};
use crate::ty::{FloatTy, IntTy, Type, TypeId};
use tenure_span::{Diagnostic, ErrorGuaranteed, Span};
use tenure_syntax::tree;

/// A folded value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Const {
    Int(i128),
    Float(f64),
}

impl Checker<'_> {
    /// The value of an integer constant expression; reports if it is none.
    pub fn eval_int_constant(&mut self, e: &tree::Expr) -> Result<i128, ErrorGuaranteed> {
        if let tree::ExprKind::Int(literal) = &e.kind {
            return Ok(i128::from(literal.value));
        }
        let expr = self.expr(e, None);
        if expr.is_error() {
            return Err(self.already_reported(e.span));
        }
        match self.const_int(&expr) {
            Some(value) => Ok(value),
            None => Err(self.not_constant(&expr)),
        }
    }

    fn not_constant(&mut self, expr: &Expr) -> ErrorGuaranteed {
        let text = "an integer constant is needed here";
        let mut error = Diagnostic::error("E0310", text, expr.span);
        if self.is_integer(expr.ty) {
            error = error.label("the value of this is not known at compile time");
        } else {
            error = error.label(format!("this is `{}`", self.show_type(expr.ty)));
        }
        self.error(error)
    }

    /// The value of a typed expression, if it is an integer constant.
    pub fn const_int(&mut self, expr: &Expr) -> Option<i128> {
        match self.const_value(expr)? {
            Const::Int(value) => Some(value),
            Const::Float(_) => None,
        }
    }

    /// The value of a typed expression, if it is a constant number.
    pub fn const_value(&mut self, expr: &Expr) -> Option<Const> {
        match &expr.kind {
            ExprKind::Int(value) => Some(Const::Int(*value)),
            ExprKind::Float(bits) => Some(Const::Float(f64::from_bits(*bits))),
            ExprKind::Unary(op, operand) => self.const_unary(*op, operand, expr.ty),
            ExprKind::Binary(op, a, b) => self.const_binary(*op, a, b, expr.ty),
            ExprKind::Not(operand) => {
                let value = self.const_truth(operand)?;
                Some(Const::Int(i128::from(!value)))
            }
            ExprKind::And(a, b) => {
                let value = self.const_truth(a)? && self.const_truth(b)?;
                Some(Const::Int(i128::from(value)))
            }
            ExprKind::Or(a, b) => {
                let value = self.const_truth(a)? || self.const_truth(b)?;
                Some(Const::Int(i128::from(value)))
            }
            ExprKind::Cond(cond, yes, no) => match self.const_truth(cond)? {
                true => self.const_value(yes),
                false => self.const_value(no),
            },
            ExprKind::Coerce(Coercion::Arithmetic | Coercion::ToBool | Coercion::Same, operand) => {
                let value = self.const_value(operand)?;
                self.const_convert(value, expr.ty)
            }
            ExprKind::Coerce(Coercion::Tag, operand) => match *self.kind(operand.ty) {
                Type::Tag(size, _) => {
                    self.size_value(size).map(|value| Const::Int(i128::from(value)))
                }
                _ => self.const_value(operand),
            },
            ExprKind::SizeOf(ty) => self.size_of(*ty).map(|size| Const::Int(i128::from(size))),
            ExprKind::AlignOf(ty) => self.align_of(*ty).map(|align| Const::Int(i128::from(align))),
            ExprKind::OffsetOf(ty, path) => {
                self.offset_of(*ty, path).map(|offset| Const::Int(i128::from(offset)))
            }
            _ => None,
        }
    }

    /// The offset of a member in bytes.
    pub fn offset_of(&mut self, ty: TypeId, path: &FieldPath) -> Option<u64> {
        let mut ty = self.shallow(ty);
        let mut total = 0u64;
        for &index in path {
            let Type::Record(record, args) = self.types.get(ty).clone() else { return None };
            let (offsets, _) = self.record_offsets(record, &args)?;
            total = total.checked_add(*offsets.get(index as usize)?)?;
            let field = self.types.records[record].fields.as_ref()?.get(index as usize)?.ty.ty;
            let params = self.types.records[record].params.clone();
            let field = self.subst(field, &crate::infer::Subst::new(&params, &args));
            ty = self.shallow(field);
        }
        Some(total)
    }

    pub(crate) fn const_truth(&mut self, expr: &Expr) -> Option<bool> {
        Some(match self.const_value(expr)? {
            Const::Int(value) => value != 0,
            Const::Float(value) => value != 0.0,
        })
    }

    fn const_unary(&mut self, op: UnaryOp, operand: &Expr, ty: TypeId) -> Option<Const> {
        match (op, self.const_value(operand)?) {
            (UnaryOp::Neg, Const::Int(value)) => self.wrap(value.wrapping_neg(), ty),
            (UnaryOp::Neg, Const::Float(value)) => Some(Const::Float(-value)),
            (UnaryOp::BitNot, Const::Int(value)) => self.wrap(!value, ty),
            _ => None,
        }
    }

    fn const_binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr, ty: TypeId) -> Option<Const> {
        let operand = self.integer_of(a.ty);
        match (self.const_value(a)?, self.const_value(b)?) {
            (Const::Int(x), Const::Int(y)) => {
                let value = fold_int(op, x, y, operand?)?;
                self.wrap(value, ty)
            }
            (Const::Float(x), Const::Float(y)) => self.rounded(fold_float(op, x, y)?, ty),
            _ => None,
        }
    }

    fn const_convert(&mut self, value: Const, to: TypeId) -> Option<Const> {
        match (value, self.kind(to)) {
            (Const::Int(value), Type::Int(IntTy::Bool)) => Some(Const::Int(i128::from(value != 0))),
            (Const::Float(value), Type::Int(IntTy::Bool)) => {
                Some(Const::Int(i128::from(value != 0.0)))
            }
            (Const::Int(_), Type::Int(_) | Type::Enum(_)) => match value {
                Const::Int(value) => self.wrap(value, to),
                Const::Float(_) => None,
            },
            (Const::Int(value), Type::Float(float)) => int_to_float(value, *float),
            (Const::Float(value), Type::Float(FloatTy::F32)) => {
                Some(Const::Float(f64::from(value as f32)))
            }
            (Const::Float(value), Type::Float(_)) => Some(Const::Float(value)),
            (Const::Float(value), Type::Int(int)) => {
                let (min, max) = int_range(*int);
                let value = if value.is_nan() { 0 } else { value as i128 };
                Some(Const::Int(value.clamp(min, max)))
            }
            _ => None,
        }
    }

    /// What a computation in a floating type gives. A `long double` has more digits than are kept here.
    fn rounded(&self, value: Const, ty: TypeId) -> Option<Const> {
        match (value, self.kind(ty)) {
            (Const::Float(value), Type::Float(FloatTy::F32)) => {
                Some(Const::Float(f64::from(value as f32)))
            }
            (Const::Float(_), Type::Float(FloatTy::Long)) => None,
            _ => Some(value),
        }
    }

    /// The value modulo the width of an integer type.
    fn wrap(&self, value: i128, ty: TypeId) -> Option<Const> {
        self.integer_of(ty).map(|int| Const::Int(int.wrap(value)))
    }

    /// `_Static_assert(e, "…")`.
    pub fn static_assert(&mut self, e: &tree::Expr, text: Option<&tree::StrLit>, span: Span) {
        if let Ok(0) = self.eval_int_constant(e) {
            let message = text
                .and_then(|text| text.as_bytes())
                .map(|bytes| format!(": {}", String::from_utf8_lossy(bytes)))
                .unwrap_or_default();
            let headline = format!("static assertion failed{message}");
            self.error(Diagnostic::error("E0311", headline, span));
        }
    }
}

/// Values of an integer type. 128-bit unsigned ones beyond `i128` are not represented.
pub(crate) fn int_range(int: IntTy) -> (i128, i128) {
    let least = if int.is_signed() { i128::MIN } else { 0 };
    int.range().unwrap_or((least, i128::MAX))
}

/// `int` is the type of the left operand. None for a division by zero.
fn fold_int(op: BinaryOp, x: i128, y: i128, int: IntTy) -> Option<i128> {
    let shift = (y & i128::from(int.bits().max(32) - 1)) as u32;
    Some(match op {
        BinaryOp::Add => x.wrapping_add(y),
        BinaryOp::Sub => x.wrapping_sub(y),
        BinaryOp::Mul => x.wrapping_mul(y),
        BinaryOp::Div => x.checked_div(y)?,
        BinaryOp::Rem => x.checked_rem(y)?,
        BinaryOp::BitAnd => x & y,
        BinaryOp::BitOr => x | y,
        BinaryOp::BitXor => x ^ y,
        BinaryOp::Shl => x.wrapping_shl(shift),
        BinaryOp::Shr => x.wrapping_shr(shift),
        BinaryOp::Eq => i128::from(x == y),
        BinaryOp::Ne => i128::from(x != y),
        BinaryOp::Lt => i128::from(x < y),
        BinaryOp::Le => i128::from(x <= y),
        BinaryOp::Gt => i128::from(x > y),
        BinaryOp::Ge => i128::from(x >= y),
    })
}

/// Rounded once; none if a `long double` would hold digits that a double does not.
fn int_to_float(value: i128, to: FloatTy) -> Option<Const> {
    let double = value as f64;
    match to {
        FloatTy::F32 => Some(Const::Float(f64::from(value as f32))),
        FloatTy::F64 => Some(Const::Float(double)),
        FloatTy::Long => (double as i128 == value).then_some(Const::Float(double)),
    }
}

fn fold_float(op: BinaryOp, x: f64, y: f64) -> Option<Const> {
    Some(match op {
        BinaryOp::Add => Const::Float(x + y),
        BinaryOp::Sub => Const::Float(x - y),
        BinaryOp::Mul => Const::Float(x * y),
        BinaryOp::Div => Const::Float(x / y),
        BinaryOp::Eq => Const::Int(i128::from(x == y)),
        BinaryOp::Ne => Const::Int(i128::from(x != y)),
        BinaryOp::Lt => Const::Int(i128::from(x < y)),
        BinaryOp::Le => Const::Int(i128::from(x <= y)),
        BinaryOp::Gt => Const::Int(i128::from(x > y)),
        BinaryOp::Ge => Const::Int(i128::from(x >= y)),
        _ => return None,
    })
}
