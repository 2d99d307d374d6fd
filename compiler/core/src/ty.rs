//! Representation types: what emitted C declares. No regions, no nullness, no type variables: those were
//! decided before core (a type variable's value is a [`Ty::Word`]).

use index_vec::{define_index_type, IndexVec};
use tenure_span::{FastMap, Span, Symbol};

define_index_type! { /// An interned type.
pub struct TyId = u32; }
define_index_type! { /// A struct, union, tuple, datatype variant or closure record.
pub struct RecordId = u32; }
define_index_type! { /// An enumeration, kept so that a debugger prints its constants' names.
pub struct EnumId = u32; }

/// Position of a field in [`Record::fields`].
pub type FieldIndex = u32;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Quals {
    pub is_const: bool,
    pub is_volatile: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IntTy {
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
    LLong,
    ULLong,
    I128,
    U128,
}

impl IntTy {
    /// How C writes the type.
    pub fn c_name(self) -> &'static str {
        match self {
            IntTy::Bool => "_Bool",
            IntTy::Char => "char",
            IntTy::SChar => "signed char",
            IntTy::UChar => "unsigned char",
            IntTy::Short => "short",
            IntTy::UShort => "unsigned short",
            IntTy::Int => "int",
            IntTy::UInt => "unsigned int",
            IntTy::Long => "long",
            IntTy::ULong => "unsigned long",
            IntTy::LLong => "long long",
            IntTy::ULLong => "unsigned long long",
            IntTy::I128 => "__int128",
            IntTy::U128 => "unsigned __int128",
        }
    }

    /// Width in bits on the LP64 targets that Tenure supports.
    pub fn bits(self) -> u32 {
        match self {
            IntTy::Bool | IntTy::Char | IntTy::SChar | IntTy::UChar => 8,
            IntTy::Short | IntTy::UShort => 16,
            IntTy::Int | IntTy::UInt => 32,
            IntTy::Long | IntTy::ULong | IntTy::LLong | IntTy::ULLong => 64,
            IntTy::I128 | IntTy::U128 => 128,
        }
    }

    /// Least and greatest value; `None` for the 128-bit types, which not even `i128` holds.
    pub fn range(self) -> Option<(i128, i128)> {
        match self.bits() {
            _ if self == IntTy::Bool => Some((0, 1)),
            128 => None,
            bits if self.is_signed() => Some((-(1 << (bits - 1)), (1 << (bits - 1)) - 1)),
            bits => Some((0, (1 << bits) - 1)),
        }
    }

    /// `value` converted to the type as C does on two's complement machines; itself for the 128-bit types.
    pub fn wrap(self, value: i128) -> i128 {
        let bits = self.bits();
        if self == IntTy::Bool {
            return i128::from(value != 0);
        }
        if bits == 128 {
            return value;
        }
        let low = value & ((1i128 << bits) - 1);
        if self.is_signed() && low >> (bits - 1) != 0 {
            low - (1i128 << bits)
        } else {
            low
        }
    }

    /// Whether values are signed. Plain `char` is signed here on every target: the driver passes `-fsigned-char`.
    pub fn is_signed(self) -> bool {
        matches!(
            self,
            IntTy::Char
                | IntTy::SChar
                | IntTy::Short
                | IntTy::Int
                | IntTy::Long
                | IntTy::LLong
                | IntTy::I128
        )
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatTy {
    F32,
    F64,
    /// `long double`.
    Long,
}

impl FloatTy {
    /// How C writes the type.
    pub fn c_name(self) -> &'static str {
        match self {
            FloatTy::F32 => "float",
            FloatTy::F64 => "double",
            FloatTy::Long => "long double",
        }
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Ty {
    Void,
    Int(IntTy),
    Enum(EnumId),
    Float(FloatTy),
    /// `float _Complex`, `double _Complex`, `long double _Complex`.
    Complex(FloatTy),
    /// One machine word, one element or none: `T *` of C.
    Ptr {
        to: TyId,
        quals: Quals,
    },
    /// A reference of the checked heap, one word: no address, but `Cast(Address)` gives one once it was touched.
    Checked {
        to: TyId,
        quals: Quals,
    },
    /// Two machine words: `{ T *base; uint32_t idx; uint32_t len; }`.
    Fat {
        to: TyId,
        quals: Quals,
    },
    Array {
        of: TyId,
        len: u64,
    },
    Record(RecordId),
    /// A function's type; only behind `Ptr` or as the type of a [`crate::FunctionDecl`].
    Func(FuncTy),
    /// A value of type-variable type: C's `tn_word`.
    Word,
    /// A region handle: `struct tn_arena *`, NULL for the heap.
    Handle,
    /// An arena object itself, the local behind a `region h;` scope: `struct tn_arena`.
    Arena,
    /// The frame of a `try`: `struct tn_handler`.
    HandlerFrame,
    /// What keeps an object of the checked heap where it is, and the link that a throw finds it by: `struct tn_pin`.
    Pin,
    /// C's `va_list`, only to cross to extern "C" code.
    VaList,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FuncTy {
    pub result: TyId,
    pub params: Vec<TyId>,
    /// C variadic (`...`); only extern "C" functions.
    pub variadic: bool,
    /// Declared without a prototype in C; only extern "C" functions.
    pub noreturn: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RecordKind {
    Struct,
    Union,
    /// `$(T1,T2)`: fields `f0`, `f1`, ….
    Tuple,
    /// One variant of a datatype: field 0 is the tag, the arguments follow.
    Variant,
    /// A `@tagged union`: field 0 `tag` (unsigned int), field 1 the union of the members.
    TaggedUnion,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// `None` for an anonymous member; its members are reached through it by index.
    pub name: Option<Symbol>,
    pub ty: TyId,
    pub quals: Quals,
    /// Width of a bit-field.
    pub bits: Option<u32>,
    /// `_Alignas` / `aligned(n)`, in bytes.
    pub align: Option<u32>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    pub kind: RecordKind,
    /// The tag as emitted C spells it: unique in the program, the user's own name wherever possible.
    pub c_name: Symbol,
    /// `None` while incomplete or abstract.
    pub fields: Option<Vec<Field>>,
    pub packed: bool,
    pub align: Option<u32>,
    /// The definition comes from a C system header that emitted C does not include; it is printed like the others.
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EnumDef {
    pub c_name: Symbol,
    pub underlying: IntTy,
    /// Constants with their emitted names.
    pub constants: Vec<(Symbol, i128)>,
}

/// The interner of types and the tables of nominal ones.
#[derive(Clone, Default, Debug)]
pub struct TypeTable {
    tys: IndexVec<TyId, Ty>,
    ids: FastMap<Ty, TyId>,
    pub records: IndexVec<RecordId, Record>,
    pub enums: IndexVec<EnumId, EnumDef>,
}

impl TypeTable {
    /// The id of `ty`, the same for equal types.
    pub fn intern(&mut self, ty: Ty) -> TyId {
        if let Some(&id) = self.ids.get(&ty) {
            return id;
        }
        let id = self.tys.push(ty.clone());
        self.ids.insert(ty, id);
        id
    }

    pub fn get(&self, id: TyId) -> &Ty {
        &self.tys[id]
    }

    /// The id of a type that was interned before, without interning it.
    pub fn find(&self, ty: &Ty) -> Option<TyId> {
        self.ids.get(ty).copied()
    }

    pub fn iter(&self) -> impl Iterator<Item = (TyId, &Ty)> {
        self.tys.iter_enumerated()
    }

    pub fn int(&mut self, int: IntTy) -> TyId {
        self.intern(Ty::Int(int))
    }

    pub fn ptr(&mut self, to: TyId) -> TyId {
        self.intern(Ty::Ptr { to, quals: Quals::default() })
    }
}
