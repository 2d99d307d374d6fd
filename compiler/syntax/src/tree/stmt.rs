use super::{Attribute, Decl, Expr, Ident, Pattern, StrLit};
use tenure_span::Span;

/// C11 6.8
#[derive(Clone, Debug)]
pub struct Stmt {
    pub span: Span,
    pub kind: StmtKind,
}

#[derive(Clone, Debug)]
pub struct Block {
    /// With the braces.
    pub span: Span,
    pub stmts: Vec<Stmt>,
    /// `__label__ a, b;` (GNU)
    pub local_labels: Vec<Ident>,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `;`
    Empty,
    Expr(Box<Expr>),
    Decl(Box<Decl>),
    Block(Block),
    /// `L: s`; if `s` is a block, its region is `` `L ``
    Label(Ident, Vec<Attribute>, Box<Stmt>),
    If(Box<Expr>, Box<Stmt>, Option<Box<Stmt>>),
    While(Box<Expr>, Box<Stmt>),
    /// `do s while (e);`
    DoWhile(Box<Stmt>, Box<Expr>),
    For(Box<ForStmt>),
    Switch(Box<SwitchStmt>),
    /// `case 7: s` in a statement within a clause (C11 6.8.4.2): a place that the switch jumps to
    Case(Box<InnerCase>),
    Goto(Ident),
    /// `goto *e;` (GNU), which the checker rejects
    GotoComputed(Box<Expr>),
    Break,
    Continue,
    Return(Option<Box<Expr>>),
    /// `fallthru;` has no list, `fallthru(e, …);` has one. The attribute of that name is the
    /// former.
    Fallthru(Option<Vec<Expr>>),
    /// `try b catch { … }`
    Try(Box<Stmt>, Vec<Clause>),
    Asm(Box<AsmStmt>),
    /// The text was in error, which has been reported.
    Error,
}

#[derive(Clone, Debug)]
pub struct ForStmt {
    pub init: ForInit,
    pub cond: Option<Expr>,
    pub step: Option<Expr>,
    pub body: Stmt,
}

#[derive(Clone, Debug)]
pub enum ForInit {
    None,
    Expr(Expr),
    Decl(Decl),
}

#[derive(Clone, Debug)]
pub struct SwitchStmt {
    /// A tuple expression in `switch $(a,b) {…}`.
    pub scrutinee: Expr,
    /// What stands before the first case. C allows it, but nothing leads there.
    pub prelude: Vec<Stmt>,
    pub clauses: Vec<Clause>,
    /// One `case P: goto L;` for each head of an [`InnerCase`] that belongs to this switch. Here
    /// only: printing shows them where they stand.
    pub inner: Vec<Clause>,
}

/// `case 1: case 2: s`, somewhere in the statements of a clause. No fall through is implicit here:
/// such a case is a label, and control passes it as it passes any.
#[derive(Clone, Debug)]
pub struct InnerCase {
    /// Without bodies.
    pub heads: Vec<Clause>,
    /// What the switch jumps to; no name of the program's.
    pub label: Ident,
    pub stmt: Stmt,
}

/// `case P && e: …` or `default: …`. A clause whose body is empty is the next one's too, if both
/// bind nothing.
#[derive(Clone, Debug)]
pub struct Clause {
    pub span: Span,
    /// From `case` to the colon.
    pub head: Span,
    /// Absent for `default`.
    pub pattern: Option<Pattern>,
    pub guard: Option<Expr>,
    pub body: Vec<Stmt>,
}

/// GNU asm, in C code only.
#[derive(Clone, Debug)]
pub struct AsmStmt {
    pub volatile: bool,
    pub goto: bool,
    pub template: StrLit,
    pub outputs: Vec<AsmOperand>,
    pub inputs: Vec<AsmOperand>,
    pub clobbers: Vec<StrLit>,
    pub labels: Vec<Ident>,
}

#[derive(Clone, Debug)]
pub struct AsmOperand {
    pub name: Option<Ident>,
    pub constraint: StrLit,
    pub expr: Expr,
}
