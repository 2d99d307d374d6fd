//! Constant conditions, as far as control flow depends on them.

use tenure_core::{BinaryOp, CastKind, Const, Expr, ExprKind, IntTy, Ty, UnaryOp};

/// What a condition always is, if it is written with constants alone.
pub fn truth(cond: &Expr) -> Option<bool> {
    match &cond.kind {
        ExprKind::Unary(UnaryOp::Not, a) => truth(a).map(|t| !t),
        ExprKind::Cast(CastKind::ToBool, a) => truth(a),
        ExprKind::Binary(BinaryOp::And, a, b) => match (truth(a), truth(b)) {
            (Some(false), _) => Some(false),
            (Some(true), other) => other,
            _ => None,
        },
        ExprKind::Binary(BinaryOp::Or, a, b) => match (truth(a), truth(b)) {
            (Some(true), _) => Some(true),
            (Some(false), other) => other,
            _ => None,
        },
        ExprKind::Binary(op, a, b) => compare(*op, number(a)?, number(b)?),
        _ => number(cond).map(|n| n != 0),
    }
}

fn number(expr: &Expr) -> Option<i128> {
    match &expr.kind {
        ExprKind::Const(Const::Int(n)) => Some(*n),
        ExprKind::Const(Const::Zero) => Some(0),
        _ => None,
    }
}

pub fn compare(op: BinaryOp, a: i128, b: i128) -> Option<bool> {
    Some(match op {
        BinaryOp::Eq => a == b,
        BinaryOp::Ne => a != b,
        BinaryOp::Lt => a < b,
        BinaryOp::Le => a <= b,
        BinaryOp::Gt => a > b,
        BinaryOp::Ge => a >= b,
        _ => return None,
    })
}

/// Least and greatest value; `None` for the 128-bit types, whose arithmetic this analysis leaves alone.
pub fn bounds(int: IntTy) -> Option<(i128, i128)> {
    int.range()
}

/// `value` converted to an integer type as C does on two's complement machines.
pub fn wrap(value: i128, int: IntTy) -> i128 {
    int.wrap(value)
}

/// The integer type behind an enumeration or an integer type.
pub fn int_of(program: &tenure_core::Program, ty: tenure_core::TyId) -> Option<IntTy> {
    match program.types.get(ty) {
        Ty::Int(int) => Some(*int),
        Ty::Enum(id) => program.types.enums.get(*id).map(|def| def.underlying),
        _ => None,
    }
}
