//! Pure expressions and places.

use crate::{FieldIndex, FunctionId, GlobalId, LocalId, StringId, TyId};

/// A value. Evaluating it has no effect and cannot fail, given the checks that stand before it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: TyId,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ExprKind {
    Const(Const),
    /// The value stored at a place.
    Load(Place),
    /// The address of a place, a thin pointer. An array place gives a pointer to the array; `Cast(PtrView)` makes it a
    /// pointer to the element.
    AddrOf(Place),
    Unary(UnaryOp, Box<Expr>),
    /// Both operands have the same type, except for shifts. Comparisons and logic give `int`.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    Cast(CastKind, Box<Expr>),
    /// `cond ? a : b`, all pure.
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A thin pointer plus a count of elements (may be negative); the check before it bounds the count.
    PtrAdd(Box<Expr>, Box<Expr>),
    /// Difference of two thin pointers in elements, type `long`.
    PtrDiff(Box<Expr>, Box<Expr>),
    /// A fat pointer from a thin pointer to the first element, an index and a length (both `unsigned int`).
    /// The length is 0 wherever the base may be NULL: so a fat pointer with an element is never NULL.
    MakeFat {
        base: Box<Expr>,
        idx: Box<Expr>,
        len: Box<Expr>,
    },
    /// Parts of a fat pointer.
    FatBase(Box<Expr>),
    FatIdx(Box<Expr>),
    FatLen(Box<Expr>),
    /// The current element's address as a thin pointer (unchecked; a check stands before), NULL for NULL. As an operand
    /// of a comparison, a difference or a conversion to an integer it needs no check: there it is the address that the
    /// pointer's position has, also one below its object.
    FatCur(Box<Expr>),
    /// A fat pointer moved by a count of elements (any integer type), modulo 2^32; a check of a longer step stands
    /// before.
    FatAdd(Box<Expr>, Box<Expr>),
    /// Elements from the current one to the end, 0 when out of bounds; `unsigned int`.
    FatCount(Box<Expr>),
    /// A record or array value from all its parts, in field order (missing ones are zero): C's compound literal.
    Aggregate(Vec<(FieldIndex, Expr)>),
    /// Size in bytes of a representation type, `unsigned long`; cc computes it.
    SizeOf(TyId),
    AlignOf(TyId),
    OffsetOf(TyId, FieldIndex),
    /// The length, up to and including the zero, of a zero-terminated sequence behind a non-null thin pointer;
    /// pure but not constant-time; `unsigned long`.
    ZeroTermSize(Box<Expr>),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Const {
    Int(i128),
    /// Exact bits of an `f64`; `float` constants are rounded when printed.
    Float(u64),
    /// A `long double` constant in the digits that the user wrote.
    LongFloat(String),
    /// NULL thin pointer, NULL fat pointer, zero word, or a zeroed aggregate.
    Zero,
    /// A string literal decayed to a thin pointer to its first element.
    Str(StringId),
    Function(FunctionId),
    /// The address of an exception's or datatype variant's descriptor global.
    TagAddress(GlobalId),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// Wraps.
    Neg,
    BitNot,
    /// `int` 0 or 1.
    Not,
    /// Parts of a complex number.
    Real,
    Imag,
    /// The complex number that a floating one is the imaginary part of.
    Imaginary,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    /// The checks before it exclude a zero divisor and `MIN / -1`.
    Div,
    Rem,
    BitAnd,
    BitOr,
    BitXor,
    /// Count taken modulo the width: emit masks it.
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// Pure operands; evaluates the right one only if needed.
    And,
    Or,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CastKind {
    /// Between integer types, enums and bool, C's rules.
    Int,
    IntToFloat,
    FloatToFloat,
    /// Saturates; NaN gives 0.
    FloatToInt,
    /// `!= 0` to bool.
    ToBool,
    /// Thin pointer to thin pointer of another element type or qualification; no check.
    PtrView,
    /// A reference of the checked heap, the value of a local, to the thin pointer that it stands for. It holds from a
    /// touch of that local up to the next statement that may move or delete objects ([`crate::StmtKind::may_move`]), so
    /// it is never kept.
    Address,
    /// Fat to fat with another C element type of the same size.
    FatView,
    /// Pointer to integer.
    PtrToInt,
    /// Scalar to word and back, bits preserved.
    ToWord,
    FromWord,
}

/// A place in memory: what can be loaded, stored and have its address taken.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    pub kind: PlaceKind,
    pub ty: TyId,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum PlaceKind {
    Local(LocalId),
    Global(GlobalId),
    /// `*p` of a thin pointer.
    Deref(Box<Expr>),
    /// A field of a record place.
    Field(Box<Place>, FieldIndex),
    /// An element of an array place.
    Index(Box<Place>, Box<Expr>),
    /// `p[i]` of a thin pointer to a sequence (`T *{n}`, zero-terminated).
    PtrIndex(Box<Expr>, Box<Expr>),
    /// `p[i]` of a fat pointer: `base[idx + i]`. The index may be any integer type.
    FatIndex(Box<Expr>, Box<Expr>),
}

impl Expr {
    /// Whether the value is, or is made of, an address in the checked heap that nothing keeps there: it holds for the
    /// statement that it stands in, and is not stored.
    pub fn is_unpinned(&self) -> bool {
        match &self.kind {
            ExprKind::Cast(CastKind::Address, _) => true,
            ExprKind::AddrOf(place) => place.is_unpinned(),
            ExprKind::Cast(CastKind::PtrView | CastKind::FatView | CastKind::ToWord, a)
            | ExprKind::FatAdd(a, _)
            | ExprKind::PtrAdd(a, _)
            | ExprKind::FatBase(a)
            | ExprKind::FatCur(a)
            | ExprKind::MakeFat { base: a, .. } => a.is_unpinned(),
            ExprKind::Cond(_, a, b) => a.is_unpinned() || b.is_unpinned(),
            _ => false,
        }
    }
}

impl Place {
    /// Whether the place is in an object of the checked heap, reached by an address that nothing keeps.
    pub fn is_unpinned(&self) -> bool {
        match &self.kind {
            PlaceKind::Local(_) | PlaceKind::Global(_) => false,
            PlaceKind::Deref(pointer)
            | PlaceKind::PtrIndex(pointer, _)
            | PlaceKind::FatIndex(pointer, _) => pointer.is_unpinned(),
            PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => base.is_unpinned(),
        }
    }
}
