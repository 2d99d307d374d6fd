//! The core language: where safety is decided.
//!
//! Core is a structured, monomorphic, C-like language. Its rules, which the verifier checks:
//!
//! - Expressions and places are *pure*: evaluating one has no effect and cannot fail. Everything that
//!   can fail or has an effect is a statement.
//! - An access that needs a proof is preceded, in the same or a dominating statement list, by an explicit
//!   [`Check`] whose operands are the access's own operands. Only `analysis` marks a check as proved,
//!   and only with the [`Fact`] that justifies it.
//! - Every way out of a scope is explicit: before a `Break`, `Continue`, `Goto`, `Return` or fall through that leaves
//!   an arena scope or the body of a `try`, the matching `RegionExit` or `TryExit` statements stand in order.
//! - Each local is declared by exactly one [`Block`] (or is a parameter) and is used only inside it.
//!
//! `emit` prints core and decides nothing.

mod body;
mod check;
mod expr;
mod interfaces;
mod layout;
mod names;
mod program;
mod reserved;
mod text;
mod touched;
mod ty;
mod typing;
mod verify;
mod walk;

pub use body::{
    AllocCount, AllocPlace, Allocation, Block, Callee, ConsumeHow, Function, Label, LabelId, Local,
    LocalId, LocalKind, Loop, LoopTest, Owned, RestoreHow, Stmt, StmtKind, SwitchArm, Try,
};
pub use check::{Check, CheckKind, CheckStatus, Fact};
pub use expr::{BinaryOp, CastKind, Const, Expr, ExprKind, Place, PlaceKind, UnaryOp};
pub use interfaces::{interfaces, result_at_most, Interface};
pub use names::{c_name, derived_name, tag_name, tagged_variant};
pub use program::{
    FunctionDecl, FunctionId, Global, GlobalId, Initializer, Linkage, Nominal, NominalId, Program,
    Signature, StringId, StringLiteral,
};
pub use reserved::{c_symbols, is_reserved_symbol, own_symbol, without_own};
pub use text::{parse, print, print_function, print_with, ParseError};
pub use touched::{block_may_move, walk_touched, Touched, TouchedVisitor};
pub use ty::{
    EnumDef, EnumId, Field, FieldIndex, FloatTy, FuncTy, IntTy, Quals, Record, RecordId,
    RecordKind, Ty, TyId, TypeTable,
};
pub use typing::{type_of_expr, type_of_place};
pub use verify::{verify, Violation};
pub use walk::{
    walk_block, walk_block_mut, walk_check, walk_check_mut, walk_expr, walk_expr_mut,
    walk_initializer, walk_operands, walk_operands_mut, walk_place, walk_place_mut, walk_stmt,
    walk_stmt_mut, Visitor, VisitorMut,
};
