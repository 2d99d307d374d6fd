//! The typed tree: what the checker hands to `lower`.
//!
//! Names are resolved, every expression has its type, every conversion is explicit, every pattern is resolved, implicit
//! regions are inferred (no inference variable is left in any type). Polymorphism is still there: a type variable's
//! value is a word, and `lower` inserts the conversions to and from words by comparing a declaration's own type with
//! its instance.

mod expr;
mod pattern;
mod stmt;
pub mod walk;

pub use expr::{
    BinaryOp, Call, CheckedOp, Coercion, ComprehensionInit, CountedOp, Expr, ExprKind, FieldPath,
    IncDec, Init, InitElem, Inject, NewInit, Place, UnaryOp, VarArgs, Where,
};
pub use pattern::{Pattern, PatternKind};
pub use stmt::{Block, CatchClause, Clause, Decl, ForStmt, Stmt, StmtKind, SwitchStmt};

use crate::names::QualName;
use crate::ty::{GenericArg, QualType, TyVarId, TypeId, TypeTable};
use index_vec::{define_index_type, IndexVec};
use tenure_span::{Span, Symbol};

define_index_type! { /// A function, declared or defined.
pub struct FuncId = u32; }
define_index_type! { /// A variable with static storage (file scope or `static` in a function).
pub struct GlobalId = u32; }
define_index_type! { /// A parameter or automatic variable of one function body.
pub struct LocalId = u32; }
define_index_type! { /// A goto label of one function body.
pub struct LabelId = u32; }

/// A checked translation unit.
#[derive(Clone, Debug)]
pub struct Unit {
    pub types: TypeTable,
    pub funcs: IndexVec<FuncId, Func>,
    pub globals: IndexVec<GlobalId, Global>,
    /// The user's `main`, if it is defined here.
    pub main: Option<FuncId>,
    /// Interfaces that are believed, for `--list-trusted`: header or file, name, type as text.
    pub trusted: Vec<Trusted>,
    /// Conversions that are checked at run time and were not written as casts: what is warned of if the check is not
    /// proved.
    pub implicit_checks: Vec<Span>,
    /// A part of the library, which may define the library's symbols.
    pub is_library: bool,
}

#[derive(Clone, Debug)]
pub struct Trusted {
    pub name: QualName,
    pub ty: String,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Linkage {
    External,
    Internal,
    /// Declared, not defined here.
    Import,
    Inline,
}

#[derive(Clone, Debug)]
pub struct Func {
    pub name: QualName,
    /// `__attribute__((link_name("…")))`, `__asm__("…")`, or the plain name for extern "C".
    pub link_name: Option<Symbol>,
    pub extern_c: bool,
    /// A `Type::Function`.
    pub ty: TypeId,
    pub linkage: Linkage,
    pub is_inline: bool,
    pub param_names: Vec<Option<Symbol>>,
    /// Attributes that pass to cc unchanged.
    pub attributes: Vec<String>,
    pub body: Option<Body>,
    pub span: Span,
}

/// A function's body.
#[derive(Clone, Debug)]
pub struct Body {
    /// One for each parameter, then (for a variadic function) the fat pointer to the rest.
    pub params: Vec<LocalId>,
    pub locals: IndexVec<LocalId, Local>,
    pub labels: IndexVec<LabelId, Symbol>,
    pub block: Block,
    pub end: Span,
}

#[derive(Clone, Debug)]
pub struct Local {
    /// `None` for one that the checker invented.
    pub name: Option<Symbol>,
    pub ty: QualType,
    pub align: Option<u32>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Global {
    pub name: QualName,
    /// For a `static` in a function.
    pub owner: Option<FuncId>,
    pub link_name: Option<Symbol>,
    pub extern_c: bool,
    pub ty: QualType,
    pub linkage: Linkage,
    pub thread_local: bool,
    pub align: Option<u32>,
    pub attributes: Vec<String>,
    /// Constant; checked to be so.
    pub init: Option<Init>,
    pub span: Span,
}

/// A use of a polymorphic function: which instance.
pub type Instance = Vec<GenericArg>;

/// Type variables that a body's function quantifies over, for second copies.
pub type Quantified = Vec<TyVarId>;
