//! The types that expressions and places have by their operands.

use crate::{
    BinaryOp, Const, Expr, ExprKind, FloatTy, Function, IntTy, LocalId, Place, PlaceKind, Program,
    Quals, Ty, TyId, UnaryOp,
};

/// The type that `expr` has by its operands; `None` where they do not determine it (casts, NULL, aggregates) or that
/// type was never interned.
pub fn type_of_expr(program: &Program, expr: &Expr) -> Option<TyId> {
    let types = &program.types;
    match &expr.kind {
        ExprKind::Const(constant) => type_of_const(program, constant),
        ExprKind::Load(place) => Some(place.ty),
        ExprKind::AddrOf(place) => types.find(&Ty::Ptr { to: place.ty, quals: Quals::default() }),
        ExprKind::Unary(UnaryOp::Not, _) => types.find(&Ty::Int(IntTy::Int)),
        ExprKind::Unary(UnaryOp::Real | UnaryOp::Imag, a) => match *types.get(a.ty) {
            Ty::Complex(float) => types.find(&Ty::Float(float)),
            _ => None,
        },
        ExprKind::Unary(UnaryOp::Imaginary, a) => match *types.get(a.ty) {
            Ty::Float(float) => types.find(&Ty::Complex(float)),
            _ => None,
        },
        ExprKind::Unary(_, a) => Some(a.ty),
        ExprKind::Binary(op, a, _) if op.is_arithmetic() => Some(a.ty),
        ExprKind::Binary(..) => types.find(&Ty::Int(IntTy::Int)),
        ExprKind::Cast(..) | ExprKind::Aggregate(_) => None,
        ExprKind::Cond(_, a, _) | ExprKind::PtrAdd(a, _) | ExprKind::FatAdd(a, _) => Some(a.ty),
        ExprKind::PtrDiff(..) => types.find(&Ty::Int(IntTy::Long)),
        ExprKind::MakeFat { base, .. } => match *types.get(base.ty) {
            Ty::Ptr { to, quals } => types.find(&Ty::Fat { to, quals }),
            _ => None,
        },
        ExprKind::FatBase(a) | ExprKind::FatCur(a) => match *types.get(a.ty) {
            Ty::Fat { to, quals } => types.find(&Ty::Ptr { to, quals }),
            _ => None,
        },
        ExprKind::FatIdx(_) | ExprKind::FatLen(_) | ExprKind::FatCount(_) => {
            types.find(&Ty::Int(IntTy::UInt))
        }
        ExprKind::SizeOf(_)
        | ExprKind::AlignOf(_)
        | ExprKind::OffsetOf(..)
        | ExprKind::ZeroTermSize(_) => types.find(&Ty::Int(IntTy::ULong)),
    }
}

fn type_of_const(program: &Program, constant: &Const) -> Option<TyId> {
    let types = &program.types;
    match constant {
        Const::Int(_) => types.find(&Ty::Int(IntTy::Int)),
        Const::Float(_) => types.find(&Ty::Float(FloatTy::F64)),
        Const::LongFloat(_) => types.find(&Ty::Float(FloatTy::Long)),
        Const::Str(id) if program.strings.get(*id).is_some_and(|s| s.unit_size == 1) => {
            let char = types.find(&Ty::Int(IntTy::Char))?;
            types.find(&Ty::Ptr { to: char, quals: Quals::default() })
        }
        Const::Function(id) => {
            let to = program.decls.get(*id)?.ty;
            types.find(&Ty::Ptr { to, quals: Quals::default() })
        }
        Const::Zero | Const::Str(_) | Const::TagAddress(_) => None,
    }
}

/// The type of the object at `place` by its parts; `None` if they do not fit each other.
pub fn type_of_place(
    program: &Program,
    function: Option<&Function>,
    place: &Place,
) -> Option<TyId> {
    let types = &program.types;
    match &place.kind {
        PlaceKind::Local(local) => type_of_local(function?, *local),
        PlaceKind::Global(global) => program.globals.get(*global).map(|g| g.ty),
        PlaceKind::Deref(p) | PlaceKind::PtrIndex(p, _) => match *types.get(p.ty) {
            Ty::Ptr { to, .. } => Some(to),
            _ => None,
        },
        PlaceKind::FatIndex(p, _) => match *types.get(p.ty) {
            Ty::Fat { to, .. } => Some(to),
            _ => None,
        },
        PlaceKind::Field(base, index) => match *types.get(base.ty) {
            Ty::Record(id) => {
                let fields = types.records.get(id)?.fields.as_ref()?;
                fields.get(*index as usize).map(|f| f.ty)
            }
            _ => None,
        },
        PlaceKind::Index(base, _) => match *types.get(base.ty) {
            Ty::Array { of, .. } => Some(of),
            _ => None,
        },
    }
}

fn type_of_local(function: &Function, local: LocalId) -> Option<TyId> {
    function.locals.get(local).map(|l| l.ty)
}

impl BinaryOp {
    /// The result has the left operand's type; the others give `int`.
    pub fn is_arithmetic(self) -> bool {
        use BinaryOp::*;
        matches!(self, Add | Sub | Mul | Div | Rem | BitAnd | BitOr | BitXor | Shl | Shr)
    }

    pub fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(self, Eq | Ne | Lt | Le | Gt | Ge)
    }
}
