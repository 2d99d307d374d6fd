//! Types, regions and effects as the checker sees them: interned, compared by id.

mod extent;
mod flags;
mod free;
mod immediate;
mod memory;
mod nominal;
mod owned;
mod table;

pub(crate) use extent::LARGEST_TYPEDEF;
pub use flags::Flags;
pub use immediate::{number_immediates, Immediate, IMMEDIATE_BITS, KIND_BITS, MOST_WITH_ARGUMENTS};

pub use nominal::{
    DatatypeDef, DatatypeId, EnumDef, EnumId, FieldDef, RecordDef, RecordId, RecordSort, TypeFnDef,
    TypeFnId, VariantDef,
};
pub use owned::Owned;
pub use table::TypeTable;

use index_vec::define_index_type;
use tenure_span::{Span, Symbol};

pub use tenure_core::{FloatTy, IntTy, Quals};

define_index_type! { /// An interned type.
pub struct TypeId = u32; }
define_index_type! { /// An interned region.
pub struct RegionId = u32; }
define_index_type! { /// An interned effect: a set of regions and effect variables.
pub struct EffectId = u32; }
define_index_type! { /// An interned integer at the type level: the argument of `tag_t`, of `@numelts`.
pub struct SizeId = u32; }
define_index_type! { /// A bound type, region, effect or integer variable (parameter, existential, lexical region, block).
pub struct TyVarId = u32; }
define_index_type! { /// A type inference variable.
pub struct TypeVid = u32; }
define_index_type! { /// A region inference variable.
pub struct RegionVid = u32; }
define_index_type! { /// An effect inference variable.
pub struct EffectVid = u32; }
define_index_type! { /// A type-level integer inference variable.
pub struct SizeVid = u32; }
define_index_type! { /// A variable for whether a pointer may be NULL.
pub struct NullVid = u32; }

/// A type with the qualifiers of the place that has it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct QualType {
    pub ty: TypeId,
    pub quals: Quals,
}

impl QualType {
    pub fn plain(ty: TypeId) -> QualType {
        QualType { ty, quals: Quals::default() }
    }
}

/// The kind of a type-level variable (LANGUAGE, section 4).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// `::B`, the default: one word.
    Boxed,
    /// `::A` and `::M`: any type, only behind a pointer.
    Any,
    /// `::R`.
    Region,
    /// `::UR`, `::TR`: a region that may be unique or counted; `::Q`, which Cyclone 1.0 calls an alias qualifier.
    UniqueRegion,
    /// `::E`.
    Effect,
    /// `::I`.
    Size,
}

/// A bound variable.
#[derive(Clone, PartialEq, Debug)]
pub struct TyVar {
    /// As the user wrote it, without the backquote. `None` for the implicit region of an unannotated parameter type;
    /// messages then say "the region of `p`" with `origin`.
    pub name: Option<Symbol>,
    pub kind: Kind,
    /// Of a type variable: it may stand for an owned type (kinds `UB`, `TB`, `UA`, `TA`), so its values are not copied
    /// freely.
    pub unique: bool,
    pub origin: TyVarOrigin,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TyVarOrigin {
    /// Parameter of a struct, union, datatype or typedef.
    TypeParam,
    /// Parameter of a function type, written.
    FunctionParam,
    /// The fresh region of a pointer in a parameter's type where none was written: parameter number.
    Elided { param: u32 },
    /// Bound by `<…>` in a struct body or a datatype constructor; seen from inside the definition.
    Existential,
    /// An existential opened by a pattern.
    Opened,
    /// A labelled or unlabelled block's stack region; depth of nesting in the function, the function's own block is 0.
    Block { depth: u32 },
    /// `region<`r> h;`.
    Lexical { depth: u32 },
    /// `let alias<`r>` and `region h = open(k)`.
    Borrowed { depth: u32 },
    /// The duration of a call, in which owned pointers are lent to it.
    Call,
}

/// What a pointer's region may be.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Region {
    /// `` `H ``: outlives everything.
    Heap,
    /// `` `U ``.
    Unique,
    /// `` `RC ``.
    Counted,
    /// `` `D ``: the checked heap. Pointers into it are references, which are looked at before each access.
    Checked,
    Var(TyVarId),
    Infer(RegionVid),
    /// `next_rgn<`r>`: an abstract type-level function applied.
    Apply(TypeFnId, RegionId),
    /// An error was reported where this was made.
    Error,
}

/// A member of an effect.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum EffectItem {
    /// The region is live.
    Region(RegionId),
    /// All regions that occur in the type: `regions(`a)`.
    RegionsOf(TypeId),
    Var(TyVarId),
    Infer(EffectVid),
}

/// An effect: sorted, without duplicates.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Effect {
    pub items: Vec<EffectItem>,
}

/// A type-level integer.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Size {
    Const(u64),
    /// `valueof(`n)`.
    Var(TyVarId),
    Infer(SizeVid),
    /// `valueof(`n) + k`, `* k`: kept symbolic, compared structurally.
    Add(SizeId, SizeId),
    Mul(SizeId, SizeId),
    Error,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    Void,
    Int(IntTy),
    Float(FloatTy),
    Complex(FloatTy),
    Enum(EnumId),
    Pointer(Pointer),
    Array {
        elem: QualType,
        len: ArrayLen,
        zeroterm: bool,
    },
    Function(Box<FunctionType>),
    /// Struct, union or tagged union with its arguments.
    Record(RecordId, Vec<GenericArg>),
    Tuple(Vec<QualType>),
    /// `datatype T<…>`: abstract, used behind a pointer.
    Datatype(DatatypeId, Vec<GenericArg>),
    /// `datatype T.A<…>`: a known variant.
    Variant(DatatypeId, u32, Vec<GenericArg>),
    /// `region_t<`r>`.
    Handle(RegionId),
    /// `region_key_t<`r>`-like keys and other built-in owned types come with the ownership issue as records of the
    /// library. `tag_t<n, int>`: the one integer `n`, as an integer of that type.
    Tag(SizeId, IntTy),
    Var(TyVarId),
    Infer(TypeVid),
    /// C's `va_list`, only in extern "C" code.
    VaList,
    /// An error was reported where this was made: unifies with everything, silences what follows.
    Error,
}

/// A pointer type's five parts.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Pointer {
    pub elem: QualType,
    pub nullable: bool,
    /// Inference has yet to say whether it may be NULL; `nullable` is true for as long. None in the types that leave
    /// the checker.
    pub open: Option<NullVid>,
    pub bounds: Bounds,
    pub zeroterm: bool,
    /// For a fat pointer: a number of elements that it is promised to have where it is made (`T ?{n}`). Accesses are
    /// checked as ever, so nothing depends on it for safety; 0 for thin ones.
    pub least: u64,
    pub region: RegionId,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bounds {
    /// `@fat`, `T ?`.
    Fat,
    /// `@thin` with so many elements; 1 if nothing was written. For a zero-terminated pointer a lower bound.
    Thin(SizeId),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArrayLen {
    Known(SizeId),
    /// `[]` in a parameter was adjusted away; elsewhere a flexible array member or to be completed by the initialiser.
    Incomplete,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GenericArg {
    Type(TypeId),
    Region(RegionId),
    Effect(EffectId),
    Size(SizeId),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FunctionType {
    /// Quantified variables, in order of `f@<…>`: the written ones, then the elided regions.
    pub vars: Vec<TyVarId>,
    pub params: Vec<QualType>,
    pub result: QualType,
    /// Regions that must be live at a call.
    pub effect: EffectId,
    /// Outlives facts: assumed in the body, proved at each call. First is an effect (set), second the region all of it
    /// outlives.
    pub bounds: Vec<(EffectId, RegionId)>,
    pub variadic: Variadic,
    pub noreturn: bool,
    /// `noconsume(n)`: parameter numbers from 0 that the call does not consume.
    pub noconsume: Vec<u32>,
    /// `format(printf, n, m)` / `format(scanf, n, m)`: numbers from 0.
    pub format: Option<Format>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Format {
    pub scanf: bool,
    pub string_param: u32,
    pub first_arg: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Variadic {
    No,
    /// C's `...`: extern "C" functions only.
    C,
    /// `... T x`: the rest arrives as `T ?`.
    Fat(TypeId),
    /// `... inject datatype D x`: each argument is injected into the datatype's one-argument constructor of its type.
    Inject(TypeId),
}
