use super::{Block, Ident, QName, TypeArg, TypeName};
use tenure_span::{Span, Symbol};

/// C11 6.5
#[derive(Clone, Debug)]
pub struct Expr {
    pub span: Span,
    pub kind: ExprKind,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Name(QName),
    Int(IntLit),
    Float(FloatLit),
    Char(CharLit),
    Str(Box<StrLit>),
    Null,
    /// `(e)`. Kept for warnings about `if ((a = b))` and for printing; see [`Expr::peel`].
    Paren(Box<Expr>),
    Unary(UnaryOp, Box<Expr>),
    /// `++` and `--`, which need a place
    Step(StepOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a = b`, or `a op= b`
    Assign(Option<BinaryOp>, Box<Expr>, Box<Expr>),
    /// `a :=: b`
    Swap(Box<Expr>, Box<Expr>),
    /// `c ? a : b`; without `a` in GNU's `c ?: b`
    Cond(Box<Expr>, Option<Box<Expr>>, Box<Expr>),
    /// `a, b, c`: two or more
    Comma(Vec<Expr>),
    /// Also a constructor of a datatype or struct: `Cons(x, y)`
    Call(Box<Expr>, Vec<Expr>),
    Index(Box<Expr>, Box<Expr>),
    /// `e.m`, or `e->m` if the flag is set
    Member(Box<Expr>, bool, Ident),
    /// `e.1`, or `e->1` if the flag is set; the span is the number's
    TupleMember(Box<Expr>, bool, u32, Span),
    Cast(Box<TypeName>, Box<Expr>),
    /// `(T){…}`; the expression is an initialiser list
    Compound(Box<TypeName>, Box<Expr>),
    /// `S{…}`, ``S{<T> …}``
    StructLit(Box<StructLit>),
    /// `{…}`, only where an initialiser may stand
    InitList(Vec<InitItem>),
    /// `{for i < n : e}`, only where an initialiser may stand
    Comprehension(Box<Comprehension>),
    /// `$(a, b)`
    Tuple(Vec<Expr>),
    SizeofType(Box<TypeName>),
    SizeofExpr(Box<Expr>),
    /// `_Alignof(T)`
    AlignofType(Box<TypeName>),
    /// `__alignof__ e` (GNU)
    AlignofExpr(Box<Expr>),
    Offsetof(Box<TypeName>, Vec<Designator>),
    VaArg(Box<Expr>, Box<TypeName>),
    TypesCompatible(Box<TypeName>, Box<TypeName>),
    /// `__builtin_choose_expr(c, a, b)`
    Choose(Box<Expr>, Box<Expr>, Box<Expr>),
    Generic(Box<GenericExpr>),
    /// `({ … })` (GNU)
    StmtExpr(Box<Block>),
    /// `&&label` (GNU), which the checker rejects
    LabelAddr(Ident),
    /// `__extension__ e`
    Extension(Box<Expr>),
    New(Box<NewExpr>),
    /// `malloc(n)`, `rcalloc(h, n, s)`, …
    Alloc(AllocOp, Vec<Expr>),
    Throw(Box<Expr>),
    Numelts(Box<Expr>),
    /// `tagcheck(e.f)`; the flag is set for `->`
    TagCheck(Box<Expr>, bool, Ident),
    /// `` valueof(`n) ``, `valueof(T)`
    Valueof(Box<TypeArg>),
    /// `tagof(e)`
    Tagof(Box<Expr>),
    /// `e@<T, …>`
    Instantiate(Box<Expr>, Vec<TypeArg>),
    /// `e<>`: stays polymorphic
    Polymorphic(Box<Expr>),
    /// `assert(e)`, checked always; `@assert(e)` is the flag, checked statically
    Assert(Box<Expr>, bool),
    /// `asm(…)` as an expression, in C code only
    Asm(Box<super::AsmStmt>),
    /// The text was in error, which has been reported.
    Error,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntLit {
    pub value: u64,
    pub unsigned: bool,
    pub size: IntSize,
    /// Decimal constants do not become unsigned by themselves (C11 6.4.4.1).
    pub base: IntBase,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntSize {
    Plain,
    Long,
    LongLong,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntBase {
    Binary,
    Octal,
    Decimal,
    Hex,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FloatLit {
    pub value: f64,
    /// The digits without the suffix, for constants that a double does not hold exactly.
    pub text: Symbol,
    pub size: FloatSize,
    /// GNU's `i` or `j`
    pub imaginary: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatSize {
    Float,
    Double,
    LongDouble,
    FloatN(super::FloatN),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CharLit {
    /// As C gives it: `'\xff'` is −1 where plain char is signed, and `'ab'` has two bytes.
    pub value: i64,
    pub encoding: Encoding,
}

/// C11 6.4.5
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    Plain,
    /// `u8`
    Utf8,
    /// `u`
    Utf16,
    /// `U`
    Utf32,
    /// `L`
    Wide,
}

/// One or more adjacent string literals, escapes resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrLit {
    pub span: Span,
    pub encoding: Encoding,
    /// Without the terminating zero. For `Plain` and `Utf8` each unit is a byte.
    pub units: StrUnits,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StrUnits {
    Bytes(Vec<u8>),
    Wide(Vec<u32>),
}

impl StrLit {
    /// Elements without the terminating zero.
    pub fn len(&self) -> usize {
        match &self.units {
            StrUnits::Bytes(bytes) => bytes.len(),
            StrUnits::Wide(units) => units.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes of a narrow string.
    pub fn as_bytes(&self) -> Option<&[u8]> {
        match &self.units {
            StrUnits::Bytes(bytes) => Some(bytes),
            StrUnits::Wide(_) => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    Plus,
    Neg,
    /// `~`
    Compl,
    /// `!`
    Not,
    /// `&`
    AddrOf,
    /// `*`
    Deref,
    /// `__real__` (GNU)
    Real,
    /// `__imag__` (GNU)
    Imag,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StepOp {
    PreInc,
    PreDec,
    PostInc,
    PostDec,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
}

#[derive(Clone, Debug)]
pub struct StructLit {
    pub name: QName,
    /// What the existential variables stand for.
    pub type_args: Vec<TypeArg>,
    pub items: Vec<InitItem>,
}

/// `.x[1] = e`; the value may again be an initialiser list.
#[derive(Clone, Debug)]
pub struct InitItem {
    pub designators: Vec<Designator>,
    pub value: Expr,
}

#[derive(Clone, Debug)]
pub enum Designator {
    /// `.x`, or GNU's `x:`
    Field(Ident),
    /// `.1` of a tuple, in `offsetof` and patterns too
    Position(u32, Span),
    Index(Box<Expr>),
    /// `[1 ... 5]` (GNU)
    Range(Box<Expr>, Box<Expr>),
}

/// `for i < n : e`
#[derive(Clone, Debug)]
pub struct Comprehension {
    pub var: Ident,
    pub bound: Expr,
    pub value: Expr,
}

/// `new e`, `rnew(h) e`, `new {for i < n : e}`.
#[derive(Clone, Debug)]
pub struct NewExpr {
    pub op: NewOp,
    /// The handle of `rnew`, the qualifier of `qnew`.
    pub handle: Option<Expr>,
    /// May be an initialiser list or a comprehension.
    pub init: Expr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NewOp {
    New,
    /// `rnew(h)`
    Rnew,
    /// `qnew(q)`
    Qnew,
    /// `unew`
    Unew,
    /// `rcnew`
    Rcnew,
}

/// The allocation words; the checker gives each its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AllocOp {
    Malloc,
    Calloc,
    Rmalloc,
    RmallocInline,
    Rcalloc,
    Rvmalloc,
    Qmalloc,
    Qcalloc,
}

#[derive(Clone, Debug)]
pub struct GenericExpr {
    pub control: Expr,
    /// Without a type for `default`.
    pub arms: Vec<(Option<TypeName>, Expr)>,
}

impl Expr {
    /// Without parentheses and `__extension__`.
    pub fn peel(&self) -> &Expr {
        let mut expr = self;
        while let ExprKind::Paren(inner) | ExprKind::Extension(inner) = &expr.kind {
            expr = inner;
        }
        expr
    }
}
