use super::{Designator, Expr, Ident, QName, TypeName, TypeParam};
use tenure_span::Span;

/// A pattern of `case`, `catch` and `let`.
#[derive(Clone, Debug)]
pub struct Pattern {
    pub span: Span,
    pub kind: PatternKind,
}

#[derive(Clone, Debug)]
pub enum PatternKind {
    /// `_`
    Wildcard,
    /// A new variable, a constant's or enumerator's name, or a constructor without arguments:
    /// the checker knows which.
    Name(QName),
    /// `T x`: a variable with its type
    Typed(Box<TypeName>, Ident),
    /// `x as P`
    As(Ident, Box<Pattern>),
    /// `*x`: binds the location; `*x as P` has the pattern
    Location(Ident, Option<Box<Pattern>>),
    /// `alias<`r> T x`
    Alias(TypeParam, Box<TypeName>, Ident),
    /// ``x<`n>``: binds an integer and its tag variable
    Tag(Ident, TypeParam),
    /// A constant expression: `1`, `-1`, `'a'`, `sizeof(int)`, `X|Y`
    Const(Box<Expr>),
    /// `'a' ... 'z'`, also `'a' .. 'z'`; both ends belong to it
    Range(Box<Expr>, Box<Expr>),
    /// A string literal, compared by contents
    Str(Box<super::StrLit>),
    /// `NULL`
    Null,
    /// `&P`
    Pointer(Box<Pattern>),
    /// `$(P, P)`
    Tuple(PatternList),
    /// `C(P, P)`: a constructor or a struct by position
    Construct(Box<ConstructPattern>),
    /// `S{P, .x = P}`, `{.f = P}`
    Struct(Box<StructPattern>),
    /// The text was in error, which has been reported.
    Error,
}

/// Patterns by position; `...` at the end stands for the other fields.
#[derive(Clone, Debug)]
pub struct PatternList {
    pub items: Vec<Pattern>,
    pub rest: Option<Span>,
}

#[derive(Clone, Debug)]
pub struct ConstructPattern {
    pub name: QName,
    /// ``C<`a>(…)``: names for the existential variables
    pub exists: Vec<TypeParam>,
    pub args: PatternList,
}

#[derive(Clone, Debug)]
pub struct StructPattern {
    /// Absent in `{.f = p}`.
    pub name: Option<QName>,
    /// ``S{<`a,`r> …}``
    pub exists: Vec<TypeParam>,
    pub fields: Vec<FieldPattern>,
    pub rest: Option<Span>,
}

#[derive(Clone, Debug)]
pub struct FieldPattern {
    /// Empty for a pattern by position.
    pub designators: Vec<Designator>,
    pub pattern: Pattern,
}
