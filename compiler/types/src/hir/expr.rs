//! Typed expressions.

use super::{FuncId, GlobalId, Instance, LocalId};
use crate::ty::{DatatypeId, GenericArg, RegionId, TypeId};
use tenure_core::Quals;
use tenure_span::Span;

/// An expression. It is a *place* if [`Expr::is_place`]; elsewhere a place stands for the value stored there.
#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: TypeId,
    /// Of the place, if it is one.
    pub quals: Quals,
    pub span: Span,
}

/// A place is an expression whose kind `is_place`.
pub type Place = Expr;

#[derive(Clone, Debug)]
pub enum ExprKind {
    /// An error was reported; only in units that are not lowered.
    Error,
    Int(i128),
    /// Bits of an `f64`.
    Float(u64),
    /// `long double` constant in the user's digits.
    LongFloat(String),
    /// Place: a zero-terminated array of units (type `Array` with zeroterm), units without the terminator. If the
    /// element type is const it may stand in read-only memory; otherwise the program may write to it, so it is a static
    /// array of its own.
    Str {
        units: Vec<u32>,
        unit_size: u8,
    },
    /// NULL of the expression's pointer type.
    Null,
    /// Place.
    Local(LocalId),
    /// Place.
    Global(GlobalId),
    /// A function's name (its address), with the arguments for its quantified variables.
    Func(FuncId, Instance),
    /// Operand converted already.
    Unary(UnaryOp, Box<Expr>),
    /// Arithmetic and comparisons on arithmetic types: both operands of the same type (after the usual conversions),
    /// except shifts.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `p + n` / `p - n` (negative set) on a fat or zero-terminated pointer; the count of any integer type.
    PointerAdd {
        ptr: Box<Expr>,
        count: Box<Expr>,
        negative: bool,
    },
    /// `p - q`.
    PointerDiff(Box<Expr>, Box<Expr>),
    /// Comparison of pointers, also with `Null`: by address. Both are fat or both are thin; their elements' types may
    /// differ in regions and qualifiers, or be `void`. Also (`Eq`, `Ne` only) of two values of one type variable or two
    /// handles.
    PointerCompare(BinaryOp, Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    /// Operands are scalars tested against zero or NULL; result `int`.
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    Comma(Vec<Expr>),
    /// The value is converted to the place's type. Result is the value stored.
    Assign(Box<Place>, Box<Expr>),
    /// `place op= value`: computed in type `compute`, then converted back. For pointers `op` is Add or Sub and
    /// `compute` the pointer's type.
    AssignOp {
        place: Box<Place>,
        op: BinaryOp,
        compute: TypeId,
        value: Box<Expr>,
    },
    IncDec(IncDec, Box<Place>),
    /// `a :=: b`; void.
    Swap(Box<Place>, Box<Place>),
    Call(Box<Call>),
    /// Place: `*p` of a pointer value, or element 0 of a fat one.
    Deref(Box<Expr>),
    /// Place: `p[i]` of a pointer value (thin with bounds, zero-terminated, or fat).
    PointerIndex(Box<Expr>, Box<Expr>),
    /// Place: `a[i]` of an array place.
    ArrayIndex(Box<Place>, Box<Expr>),
    /// Place if the base is one: member of a struct or union (through anonymous members too), element of a tuple,
    /// argument of a known variant.
    Field(Box<Expr>, FieldPath),
    /// The value's own type says which; the place's address as a thin non-null pointer.
    AddrOf(Box<Place>),
    Coerce(Coercion, Box<Expr>),
    SizeOf(TypeId),
    AlignOf(TypeId),
    OffsetOf(TypeId, FieldPath),
    /// `numelts(p)`.
    Numelts(Box<Expr>),
    /// `tagcheck(u.f)`: the place of the tagged union and the member.
    TagCheck(Box<Place>, u32),
    /// `new`, `rnew(h)`: allocates and initialises; the type is the pointer.
    New {
        place: Where,
        init: NewInit,
    },
    /// `malloc`, `rmalloc`, `calloc`, …: `count` elements of `elem` (None: one); the type is the pointer.
    Malloc {
        place: Where,
        elem: TypeId,
        count: Option<Box<Expr>>,
        zeroed: bool,
    },
    /// Place: a compound literal's unnamed object in the enclosing block.
    CompoundLiteral(Box<Init>),
    /// A struct, union or array value from an initialiser (constructor syntax, `Pair(1,2)`).
    Aggregate(Box<Init>),
    Tuple(Vec<Expr>),
    /// A datatype variant's value, type `Variant`; behind `New` it becomes the datatype's pointer. Existential
    /// arguments for the constructor's bound variables are erased.
    Construct {
        datatype: DatatypeId,
        variant: u32,
        instance: Vec<GenericArg>,
        args: Vec<Expr>,
    },
    /// A product, sum or difference of two counts (`unsigned long`), which is the largest one where it does not fit.
    Saturating(BinaryOp, Box<Expr>, Box<Expr>),
    /// The heap's handle.
    HeapHandle,
    Throw(Box<Expr>),
    /// `free(p)`. A pointer that `TypeTable::owned` calls `Unique` is freed: the operand is then a unique path (a
    /// place, without `Move`) or an rvalue. Any other pointer is evaluated, and with a heap that does not collect
    /// nothing else happens. Void.
    Free(Box<Expr>),
    /// An owned value leaves this place, a unique path (LANGUAGE, section 3). The type is the place's. Every copy of an
    /// owned value out of a place is one; a place of an owned type elsewhere is only looked at.
    Move(Box<Place>),
    /// An owned pointer that is lent to the innermost enclosing `Call` for its duration: a unique path (a place,
    /// without `Move`) or an rvalue. A reference of the checked heap may stand anywhere: its object is pinned. The type
    /// is that of the aliased pointer, or the pointer's own type for a `noconsume` parameter. It may stand under
    /// `Coerce`, and under the `Deref` of a place whose address is an argument (`f(&u->m)`).
    Borrow(Box<Expr>),
    /// An operation on a counted pointer, fat or thin. The operand of `Drop` is like that of `Free`; the others' is
    /// looked at.
    Counted(CountedOp, Box<Expr>),
    /// An operation on a reference of the checked heap.
    Checked(CheckedOp, Box<Expr>),
    /// `realloc(p, n)`: `old` is fat. New memory of `count` elements (zeroed), into which the old ones are copied as
    /// far as they fit. The type is fat. Of a unique pointer, `old` is like the operand of `Free`, under `Coerce` where
    /// it was thin, and the old memory is freed once the new one is there; any other old memory stays.
    Realloc {
        old: Box<Expr>,
        elem: TypeId,
        count: Box<Expr>,
    },
    /// `assert(e)`, also `@assert`: raises `Assert_Exception` unless the scalar is true. Void.
    Assert(Box<Expr>),
    /// GNU statement expression, extern "C" code only, and what the checker itself needs.
    StmtExpr(Box<super::Block>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CountedOp {
    /// `alias_refptr(p)`: one more pointer, of the same type.
    Alias,
    /// `drop_refptr(p)`: void.
    Drop,
    /// `refptr_count(p)`: `int`.
    Count,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckedOp {
    /// `delete(p)`: void.
    Delete,
    /// `pin_forever(p)`: the same object as a pointer into the heap.
    PinForever,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    Neg,
    /// Of a complex number the conjugate (GNU).
    BitNot,
    /// Parts of a complex number.
    Real,
    Imag,
    /// The complex number that a floating one is the imaginary part of.
    Imaginary,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IncDec {
    PreInc,
    PreDec,
    PostInc,
    PostDec,
}

/// Indices from the record's own fields inwards through anonymous members; one element for an ordinary field.
pub type FieldPath = Vec<u32>;

/// A conversion, made explicit. The target is the `Coerce` expression's own type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coercion {
    /// Between integers, enums, bool, floats (C's rules, closed: saturating, wrapping).
    Arithmetic,
    /// Scalar to `_Bool`.
    ToBool,
    /// To void.
    Discard,
    /// Array place to a thin pointer to its first element (target says the bounds).
    ArrayToThin,
    /// Array place to a fat pointer over all its elements. The terminator of a zero-terminated array is left
    /// out if the target's elements are neither const nor zero-terminated, because it could be overwritten.
    ArrayToFat,
    /// Thin pointer with a static bound to fat; NULL stays NULL.
    ThinToFat,
    /// Zero-terminated thin to fat: measures the length; the terminator is left out likewise.
    ZeroTermToFat,
    /// Fat to thin: checks that the target's count of elements is there; a non-null target also that it is not NULL.
    FatToThin,
    /// Fat to zero-terminated thin: checks that a zero stands ahead. Made only where that zero stays: from a
    /// zero-terminated fat pointer, for an argument of a C function, and in the body of one.
    FatToZeroTerm,
    /// Nullable to non-null: checks.
    NonNull,
    /// Same representation: sub-typing, regions, qualifiers, fewer elements, typedefs, datatype variant to datatype.
    Same,
    /// A pointer to bits viewed as a pointer to other bits of no larger alignment (`char` views). Counts are scaled.
    ViewBits,
    /// Pointer to integer.
    PointerToInt,
    /// Function name or pointer to a function pointer type with another representation (word parameters): may need a
    /// thunk.
    FunctionView,
    /// Integer of known value to `tag_t`, and back.
    Tag,
    /// A polymorphic value at other arguments; representation by `lower`.
    Instantiate,
    /// A value packed into a struct with existentials: erased.
    Pack,
    /// A constructor's value as a member of datatype type.
    Embed,
}

/// Where an allocation goes.
#[derive(Clone, Debug)]
pub enum Where {
    Heap,
    /// A handle's value.
    Arena(Box<Expr>),
    Unique,
    Counted,
    Checked,
}

#[derive(Clone, Debug)]
pub enum NewInit {
    /// One object with this value.
    Value(Box<Init>),
    /// `new {for i < n : e}`: so many elements.
    Comprehension(Box<ComprehensionInit>),
    /// `new "text"`, `new { a, b, c }`: an array of that many elements, the pointer's type is fat or counted.
    Array { elem: TypeId, len: u64, init: Box<Init> },
}

#[derive(Clone, Debug)]
pub struct Call {
    /// A function's name, or a thin non-null pointer value.
    pub callee: Expr,
    /// Fixed arguments, converted to the instance's parameter types.
    pub args: Vec<Expr>,
    pub rest: VarArgs,
    /// What is lent to this call stays lent until the call around is over, because the result keeps it.
    pub outward: bool,
    /// Regions at which the call's elided and written variables were instantiated, for the ownership analysis.
    pub instance: Instance,
}

#[derive(Clone, Debug)]
pub enum VarArgs {
    None,
    /// C's promotions done.
    C(Vec<Expr>),
    /// Elements of a fat array on the caller's stack.
    Fat {
        elem: TypeId,
        args: Vec<Expr>,
    },
    /// Each is injected; the array holds pointers to datatype objects on the caller's stack.
    Inject(Inject),
    /// The caller's own rest parameter forwarded whole.
    Forward(Box<Expr>),
}

#[derive(Clone, Debug)]
pub struct Inject {
    /// The array's element type: pointer to the datatype.
    pub elem: TypeId,
    /// Each a `Construct` expression.
    pub args: Vec<Expr>,
    pub region: RegionId,
    /// The format string's constant text, if it is one and was checked.
    pub format: Option<Vec<u32>>,
}

/// An initialiser, resolved: every sub-object at most once, in order of evaluation.
#[derive(Clone, Debug)]
pub struct Init {
    pub kind: InitElem,
    pub ty: TypeId,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum InitElem {
    /// Converted to the type.
    Expr(Expr),
    /// Everything zero.
    Zero,
    /// By field index of the record, tuple; missing ones are zero.
    Record(Vec<(u32, Init)>),
    /// By element; missing ones are zero. Ranges are (first, last).
    Array(Vec<((u64, u64), Init)>),
    /// `{for i < n : e}` for an array of known length.
    Comprehension(Box<ComprehensionInit>),
    /// An array of characters from a literal, padded with zeros or cut as C says.
    String { units: Vec<u32>, unit_size: u8 },
}

#[derive(Clone, Debug)]
pub struct ComprehensionInit {
    pub index: LocalId,
    /// Number of elements, type `unsigned long`.
    pub count: Expr,
    pub elem: TypeId,
    pub value: Init,
}

impl Expr {
    /// Whether it denotes an object that can be assigned or have its address taken.
    pub fn is_place(&self) -> bool {
        match &self.kind {
            ExprKind::Str { .. }
            | ExprKind::Local(_)
            | ExprKind::Global(_)
            | ExprKind::Deref(_)
            | ExprKind::PointerIndex(..)
            | ExprKind::ArrayIndex(..)
            | ExprKind::CompoundLiteral(_) => true,
            ExprKind::Field(base, _) => base.is_place(),
            _ => false,
        }
    }
}
