//! Typed statements.

use super::{Expr, GlobalId, Init, LabelId, LocalId, Pattern};
use crate::ty::TyVarId;
use tenure_span::Span;

#[derive(Clone, Debug)]
pub struct Block {
    /// The block's own stack region, if something may point into it.
    pub region: Option<TyVarId>,
    pub stmts: Vec<Stmt>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Empty,
    Expr(Expr),
    Decl(Decl),
    Block(Block),
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    While(Expr, Box<Stmt>),
    DoWhile(Box<Stmt>, Expr),
    For(Box<ForStmt>),
    Switch(Box<SwitchStmt>),
    /// Leaves the innermost loop or switch.
    Break,
    /// A `break` whose innermost loop, switch or handler is a handler: leaves the `try` statement.
    LeaveHandler,
    Continue,
    /// May enter the scope of a variable past its declaration (C11 6.8.6.1), which is then not executed: the variable
    /// is unassigned, and `lower` must see to it that one whose address is taken has been zeroed all the same. Never
    /// enters a scope of `Decl::Region`, `Open`, `Alias`, of a `try`, or of a clause that binds variables.
    Goto(LabelId),
    Label(LabelId, Box<Stmt>),
    Return(Option<Expr>),
    /// To the next clause's body; values for its variables, in the order of the pattern.
    Fallthru(Vec<Expr>),
    /// `try body catch`; what no clause matches is raised again.
    Try {
        body: Block,
        clauses: Vec<CatchClause>,
    },
}

#[derive(Clone, Debug)]
pub enum Decl {
    /// A variable, with its initialiser.
    Local { local: LocalId, init: Option<Init> },
    /// A `static` one (its initialiser is in the unit's global).
    Static(GlobalId),
    /// `let P = e;`: raises Match_Exception if P does not match. An owned value is a place that the pattern moves from,
    /// or an rvalue; it is a `Move` if the pattern is only `Bind`.
    Let { pattern: Pattern, value: Expr },
    /// `region<`r> h;`: to the end of the enclosing block.
    Region { region: TyVarId, handle: LocalId },
    /// `region h = open(key);`: likewise. The key is a unique path, without `Move`. `region` is the scope of the open;
    /// the handle's type names the region that is opened.
    Open { region: TyVarId, handle: LocalId, key: Expr },
    /// `let alias<`r> T x = e;`: likewise. The value is a unique path, without `Move`; conversions of the pointer may
    /// stand around it.
    Alias { region: TyVarId, local: LocalId, value: Expr },
}

impl Decl {
    /// Whether it opens something that ends with the block.
    pub fn opens(&self) -> bool {
        matches!(self, Decl::Region { .. } | Decl::Open { .. } | Decl::Alias { .. })
    }
}

#[derive(Clone, Debug)]
pub struct ForStmt {
    /// Declarations or an expression.
    pub init: Vec<Stmt>,
    pub cond: Option<Expr>,
    pub step: Option<Expr>,
    pub body: Stmt,
}

#[derive(Clone, Debug)]
pub struct SwitchStmt {
    /// A value, or a place when some pattern binds by reference. Owned parts of a tuple value are moved into it only if
    /// some pattern binds one; otherwise they are looked at where they are, and the tuple owns nothing.
    pub scrutinee: Expr,
    pub clauses: Vec<Clause>,
    /// Proved by the exhaustiveness check; otherwise an implicit `default: NoMatch` is needed (after a reported error
    /// only).
    pub exhaustive: bool,
}

#[derive(Clone, Debug)]
pub struct Clause {
    /// Alternatives (`case 1: case 2:`), tried in order; only one if it binds variables.
    pub patterns: Vec<Pattern>,
    pub guard: Option<Expr>,
    /// Variables that a `fallthru(…)` into this clause sets, in order.
    pub params: Vec<LocalId>,
    pub body: Block,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct CatchClause {
    /// Matched against the `exn` pointer; with guards as in a switch.
    pub clause: Clause,
}
