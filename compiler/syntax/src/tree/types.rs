use super::{AliasName, Attribute, Decl, Expr, Ident, Kind, Param, QName, TypeVar};
use std::ops::{Deref, DerefMut};
use tenure_span::{Span, Symbol};

/// Declaration specifiers (C11 6.7): what stands before the declarators. The rare ones are fields
/// of [`RareSpecifiers`], which can be read from here.
#[derive(Clone, Debug)]
pub struct Specifiers {
    pub span: Span,
    /// `typedef`, `extern`, … (C11 6.7.1); `_Thread_local` is a flag of its own.
    pub storage: Option<(Storage, Span)>,
    pub quals: Quals,
    pub base: BaseType,
    /// The tokens of `base`; equal to `span` if there is nothing else.
    pub base_span: Span,
    rare: Option<Box<RareSpecifiers>>,
}

/// What few declarations have.
#[derive(Clone, Debug)]
pub struct RareSpecifiers {
    pub thread_local: Option<Span>,
    /// C11 6.7.4
    pub inline: Option<Span>,
    pub noreturn: Option<Span>,
    /// `__extension__` was written: no pedantic warnings.
    pub extension: bool,
    /// `_Alignas` (C11 6.7.5)
    pub alignas: Vec<AlignAs>,
    pub attributes: Vec<Attribute>,
}

static NO_RARE: RareSpecifiers = RareSpecifiers {
    thread_local: None,
    inline: None,
    noreturn: None,
    extension: false,
    alignas: Vec::new(),
    attributes: Vec::new(),
};

impl Specifiers {
    /// A base type and nothing else.
    pub fn plain(span: Span, base: BaseType) -> Specifiers {
        Specifiers {
            span,
            storage: None,
            quals: Quals::default(),
            base,
            base_span: span,
            rare: None,
        }
    }

    /// No type specifier was written.
    pub fn is_missing(&self) -> bool {
        matches!(self.base, BaseType::Missing)
    }
}

impl Deref for Specifiers {
    type Target = RareSpecifiers;

    fn deref(&self) -> &RareSpecifiers {
        self.rare.as_deref().unwrap_or(&NO_RARE)
    }
}

impl DerefMut for Specifiers {
    fn deref_mut(&mut self) -> &mut RareSpecifiers {
        self.rare.get_or_insert_with(|| Box::new(NO_RARE.clone()))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    Typedef,
    Extern,
    Static,
    Auto,
    Register,
}

/// Type qualifiers (C11 6.7.3). Which ones is read from [`QualSpans`].
#[derive(Clone, Debug, Default)]
pub struct Quals(Option<Box<QualSpans>>);

/// The qualifiers that were written, each with its place.
#[derive(Clone, Debug)]
pub struct QualSpans {
    pub constant: Option<Span>,
    pub volatile: Option<Span>,
    pub restrict: Option<Span>,
    pub atomic: Option<Span>,
}

static NO_QUALS: QualSpans =
    QualSpans { constant: None, volatile: None, restrict: None, atomic: None };

impl Deref for Quals {
    type Target = QualSpans;

    fn deref(&self) -> &QualSpans {
        self.0.as_deref().unwrap_or(&NO_QUALS)
    }
}

impl DerefMut for Quals {
    fn deref_mut(&mut self) -> &mut QualSpans {
        self.0.get_or_insert_with(|| Box::new(NO_QUALS.clone()))
    }
}

impl Quals {
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }
}

#[derive(Clone, Debug)]
pub enum AlignAs {
    Type(Box<TypeName>),
    Expr(Box<Expr>),
}

/// The type specifier (C11 6.7.2), with combinations like `unsigned long int` already resolved.
#[derive(Clone, Debug)]
pub enum BaseType {
    Void,
    Arith(Arith),
    /// A typedef name with its type arguments: `list_t<int,`H>`, `N::t`.
    Named(QName, Vec<TypeArg>),
    /// `struct`, `union`, `@tagged union`, `abstract struct`
    Record(Box<RecordSpec>),
    Enum(Box<EnumSpec>),
    /// `datatype T<…>`, `datatype T.A`, with or without its declaration
    Datatype(Box<DatatypeSpec>),
    TypeofExpr(Box<Expr>),
    TypeofType(Box<TypeName>),
    /// `` `a ``, `` `r::R ``; also the constants `` `H ``, `` `U ``, `` `RC ``
    Var(TypeVar),
    /// `_` or `_::R`: a type to be inferred, or in a typedef one that is abstract
    Wildcard(Option<Kind>),
    /// `$(int, char *)`
    Tuple(Vec<Param>),
    /// `region_t<`r>`
    RegionHandle(Box<TypeArg>),
    /// `` tag_t<`n> ``, `` tag_t<`n, size_t> ``; `tag_t` alone, whose variable is fresh, has no argument
    Tag(Option<Box<TypeArg>>, Option<Box<TypeName>>),
    /// `aqual_t<…>`
    AliasQualType(Box<TypeArg>),
    /// `valueof_t(e)`: the constant `e` as a type of kind `I`
    ValueOf(Box<Expr>),
    /// `_Atomic(T)`
    Atomic(Box<TypeName>),
    /// `__builtin_va_list`
    VaList,
    /// `__auto_type`
    Auto,
    /// No type specifier was written: C89's implicit int, `tag_t n` parameters of `f(n)` in K&R
    /// lists, and `const x`; each is for the checker to judge.
    Missing,
    /// The text was in error, which has been reported.
    Error,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arith {
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
    Float,
    Double,
    LongDouble,
    /// `_Float16`, `_Float32`, `_Float64`, `_Float128`, `__float128`, `_Float32x`, `_Float64x`
    FloatN(FloatN),
    ComplexFloat,
    ComplexDouble,
    ComplexLongDouble,
    ComplexFloatN(FloatN),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatN {
    F16,
    F32,
    F64,
    F128,
    F32x,
    F64x,
}

/// A type without a name: specifiers and an abstract declarator (C11 6.7.7).
#[derive(Clone, Debug)]
pub struct TypeName {
    pub span: Span,
    pub specs: Box<Specifiers>,
    /// From the outermost derivation to the innermost, as in [`Declarator`].
    pub parts: Vec<Part>,
}

/// A declarator (C11 6.7.6), flat.
#[derive(Clone, Debug)]
pub struct Declarator {
    pub span: Span,
    /// Absent in abstract declarators and unnamed bit-fields. Qualified in `int N::x = 1;`.
    pub name: Option<QName>,
    /// `typedef struct List<`a> *list_t<`a>`: the parameters of the defined type. A function's
    /// own are in its [`FunctionPart`].
    pub params: Vec<TypeParam>,
    /// From the name outwards: the first part says what the name *is*.
    pub parts: Vec<Part>,
    /// `asm("symbol")`
    pub asm_label: Option<(Symbol, Span)>,
    pub attributes: Vec<Attribute>,
}

/// One derivation of a declarator.
#[derive(Clone, Debug)]
pub enum Part {
    Pointer(PointerPart),
    Array(ArrayPart),
    Function(Box<FunctionPart>),
}

/// `* @ ?` with all that follows it.
#[derive(Clone, Debug)]
pub struct PointerPart {
    pub span: Span,
    pub sigil: Sigil,
    /// In source order; `{e}` and `` `r `` appear as [`PointerQualKind::Numelts`] and
    /// [`PointerQualKind::Region`].
    pub pointer_quals: Vec<PointerQual>,
    /// Qualifiers of the pointer itself: `*const`.
    pub quals: Quals,
    pub attributes: Vec<Attribute>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sigil {
    /// `*`
    Star,
    /// `@`: never NULL
    At,
    /// `?`: fat
    Question,
}

#[derive(Clone, Debug)]
pub struct PointerQual {
    pub span: Span,
    pub kind: PointerQualKind,
}

#[derive(Clone, Debug)]
pub enum PointerQualKind {
    /// `@numelts(e)`, `{e}`
    Numelts(Box<Expr>),
    Fat,
    Thin,
    /// `@notnull`, `@nonnull`
    NotNull,
    Nullable,
    ZeroTerm,
    NoZeroTerm,
    /// `@region(`r)`, `` `r ``, `_`
    Region(Box<TypeArg>),
    /// `@effect(e)`
    Effect(Box<TypeArg>),
    /// `@aqual(UNIQUE)`, `\U`
    Aqual(Box<AliasQual>),
    AutoReleased,
}

#[derive(Clone, Debug)]
pub enum AliasQual {
    Name(AliasName),
    /// `@aqual(`q)`
    Var(TypeVar),
    /// `@aqual(aquals(`a))`
    Of(Box<TypeArg>),
}

/// `[static const n]`, with `@zeroterm`/`@nozeroterm` after it.
#[derive(Clone, Debug)]
pub struct ArrayPart {
    pub span: Span,
    pub size: ArraySize,
    /// Only in parameters (C11 6.7.6.3p7).
    pub is_static: bool,
    pub quals: Quals,
    /// `Some(true)` for `@zeroterm`, `Some(false)` for `@nozeroterm`.
    pub zeroterm: Option<(bool, Span)>,
    /// `[n]`` `r ``: the region of the pointer that an array parameter is.
    pub region: Option<Box<TypeArg>>,
}

#[derive(Clone, Debug)]
pub enum ArraySize {
    /// `[]`
    None,
    /// `[*]`
    Star,
    Expr(Box<Expr>),
}

/// `(params) effect bounds contracts`.
#[derive(Clone, Debug)]
pub struct FunctionPart {
    pub span: Span,
    /// `f<`a,`r::R>(…)`
    pub type_params: Vec<TypeParam>,
    pub style: ParamStyle,
    pub params: Vec<Param>,
    pub variadic: Option<Variadic>,
    /// `; {`r}+`e`
    pub effect: Option<Effect>,
    /// `: {`s} > `r, …`
    pub bounds: Vec<Bound>,
    pub contracts: Vec<Contract>,
    pub attributes: Vec<Attribute>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamStyle {
    /// `(int x)` and `(void)`
    Prototype,
    /// `()`
    Empty,
    /// `(a, b)`: the parameters have names and [`BaseType::Missing`]; in a definition their
    /// types stand in [`super::FunctionDef::old_style`].
    Identifiers,
}

/// `...`, `... T x`, `...inject T x`.
#[derive(Clone, Debug)]
pub struct Variadic {
    pub span: Span,
    pub inject: bool,
    pub param: Option<Box<Param>>,
}

/// `@requires(e)`, `@ensures(e)`, `@assert(e)`, `@throws(A, B)`.
#[derive(Clone, Debug)]
pub struct Contract {
    pub span: Span,
    pub kind: ContractKind,
}

#[derive(Clone, Debug)]
pub enum ContractKind {
    Requires(Box<Expr>),
    Ensures(Box<Expr>),
    Assert(Box<Expr>),
    Throws(Vec<QName>),
    /// `@nothrow`
    NoThrow,
}

/// `` `a ``, `` `r::R `` where it is bound.
pub type TypeParam = TypeVar;

/// What may stand between `<` and `>`, in `@region(…)`, and on either side of a bound.
#[derive(Clone, Debug)]
pub struct TypeArg {
    pub span: Span,
    pub kind: TypeArgKind,
}

#[derive(Clone, Debug)]
pub enum TypeArgKind {
    /// A type or a region; a lone `` `r `` is a type whose base is [`BaseType::Var`].
    Type(TypeName),
    /// `` {`r,`s}+`e ``, `regions(`a)`, `` `r+`H ``
    Effect(Effect),
    /// `UNIQUE`, `aquals(`a)`, `\U`
    Alias(Box<AliasQual>),
    /// `tag_t<3>`, `valueof`
    Value(Box<Expr>),
}

/// A set of regions: the union of its members.
#[derive(Clone, Debug)]
pub struct Effect {
    pub span: Span,
    /// Empty for `{}`.
    pub members: Vec<EffectMember>,
}

#[derive(Clone, Debug)]
pub struct EffectMember {
    pub span: Span,
    pub kind: EffectMemberKind,
}

#[derive(Clone, Debug)]
pub enum EffectMemberKind {
    /// Written inside braces, so a region: `` {`r} ``, `{next_rgn<`r>}`
    Region(TypeName),
    /// Written outside, so an effect variable, or a region in `` `r+`H ``
    Var(TypeVar),
    /// `regions(`a)`, `regions(T)`
    Regions(TypeName),
}

/// A bound on type-level variables.
#[derive(Clone, Debug)]
pub struct Bound {
    pub span: Span,
    pub left: TypeArg,
    pub op: BoundOp,
    /// Absent for `single`.
    pub right: Option<TypeArg>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundOp {
    /// `` {`s} > `r ``: each region of the left outlives the right
    Outlives,
    /// `` {`r} <= `s ``: left is a subset of the right; for alias qualifiers, left is below right
    Subset,
    /// `` `r | `s ``
    Disjoint,
    /// `` `r == `s ``
    Equal,
    /// `` single(`a) ``
    Single,
}

/// `struct S<…> { … }`, `union`, or a mention of one.
#[derive(Clone, Debug)]
pub struct RecordSpec {
    pub span: Span,
    pub kind: RecordKind,
    /// `@tagged union`
    pub tagged: bool,
    /// `abstract struct`: the members are not known elsewhere
    pub is_abstract: bool,
    pub attributes: Vec<Attribute>,
    /// Absent for an anonymous record.
    pub name: Option<QName>,
    /// What stands between `<` and `>`. In a definition or a lone `struct S<`a>;` all are
    /// variables: see [`TypeArg::as_param`].
    pub args: Vec<TypeArg>,
    pub body: Option<RecordBody>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordKind {
    Struct,
    Union,
}

#[derive(Clone, Debug)]
pub struct RecordBody {
    pub span: Span,
    /// `` <`a,`r> ``: existentially bound in the members
    pub exists: Vec<TypeParam>,
    pub exists_bounds: Vec<Bound>,
    pub members: Vec<Member>,
}

#[derive(Clone, Debug)]
pub enum Member {
    Field(FieldDecl),
    /// A `_Static_assert` among the members.
    Assert(Decl),
}

/// A member declaration (C11 6.7.2.1). Without declarators it is an anonymous member.
#[derive(Clone, Debug)]
pub struct FieldDecl {
    pub span: Span,
    pub specs: Specifiers,
    pub fields: Vec<Field>,
}

#[derive(Clone, Debug)]
pub struct Field {
    pub declarator: Declarator,
    /// The width of a bit-field.
    pub width: Option<Expr>,
    /// `@requires(e)` on a union member (Cyclone 1.0)
    pub requires: Option<Expr>,
}

#[derive(Clone, Debug)]
pub struct EnumSpec {
    pub span: Span,
    pub attributes: Vec<Attribute>,
    pub name: Option<QName>,
    pub body: Option<Vec<Enumerator>>,
}

#[derive(Clone, Debug)]
pub struct Enumerator {
    pub span: Span,
    pub name: Ident,
    pub attributes: Vec<Attribute>,
    pub value: Option<Expr>,
}

/// `datatype T<…> { … }` or a mention of one, or of one of its variants.
#[derive(Clone, Debug)]
pub struct DatatypeSpec {
    pub span: Span,
    /// `@extensible`, or spelled `xtunion`
    pub extensible: bool,
    pub name: QName,
    pub args: Vec<TypeArg>,
    /// `datatype T.A`
    pub variant: Option<QName>,
    pub body: Option<Vec<Variant>>,
}

/// A constructor of a datatype.
#[derive(Clone, Debug)]
pub struct Variant {
    pub span: Span,
    /// `static` or `extern` before it
    pub storage: Option<(Storage, Span)>,
    /// `@immediate` before it
    pub immediate: Option<Span>,
    pub name: QName,
    pub exists: Vec<TypeParam>,
    pub exists_bounds: Vec<Bound>,
    /// Absent for a constant constructor `C`; `C()` has an empty list.
    pub fields: Option<Vec<VariantField>>,
}

/// An argument of a constructor.
#[derive(Clone, Debug)]
pub struct VariantField {
    pub param: Box<Param>,
    /// `long : 61`, of an `@immediate` constructor
    pub width: Option<Box<Expr>>,
}

impl TypeArg {
    /// The variable, if that is all it is.
    pub fn as_param(&self) -> Option<&TypeParam> {
        match &self.kind {
            TypeArgKind::Type(ty) if ty.parts.is_empty() => match &ty.specs.base {
                BaseType::Var(var) => Some(var),
                _ => None,
            },
            TypeArgKind::Effect(effect) => match &effect.members[..] {
                [EffectMember { kind: EffectMemberKind::Var(var), .. }] => Some(var),
                _ => None,
            },
            _ => None,
        }
    }
}
