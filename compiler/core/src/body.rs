//! Functions and statements.

use crate::{Check, Expr, FunctionDecl, FunctionId, Place, TyId};
use index_vec::{define_index_type, IndexVec};
use tenure_span::{Span, Symbol};

define_index_type! { pub struct LocalId = u32; }
define_index_type! { /// A target of break, continue or goto.
pub struct LabelId = u32; }

/// A function with a body. Its name, type and linkage are in the [`crate::FunctionDecl`].
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    pub id: FunctionId,
    pub params: Vec<LocalId>,
    pub locals: IndexVec<LocalId, Local>,
    pub labels: IndexVec<LabelId, Label>,
    pub body: Block,
    /// Position of the closing brace, for the debugger.
    pub end: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Local {
    /// The user's name; `None` for a temporary.
    pub name: Option<Symbol>,
    pub ty: TyId,
    pub kind: LocalKind,
    pub is_const: bool,
    /// Declared volatile by the user, or assigned in a `try` body and read in its handler or after it.
    pub is_volatile: bool,
    /// Some expression takes its address, so that writes through pointers may change it.
    pub address_taken: bool,
    pub align: Option<u32>,
    /// Reading it before it is assigned is an error (user variables) or impossible (temporaries).
    pub span: Span,
    /// How a diagnostic about ownership calls its type's discipline; `None` when copying it is free.
    pub owned: Option<Owned>,
    /// A parameter whose argument stays the caller's: it may be used but neither given away nor freed.
    pub noconsume: bool,
    /// All-zero bytes are a valid value of the user's type (it contains no `T @`). Set by `lower`.
    pub zeroable: bool,
    /// It may be read, or its address may be used, before it is assigned: `emit` fills it with zero bytes where its
    /// block starts. Set by `analysis`, only on zeroable locals.
    pub zero_at_entry: bool,
}

impl Local {
    /// A local without a name or any special property.
    pub fn new(ty: TyId, kind: LocalKind, span: Span) -> Local {
        Local {
            name: None,
            ty,
            kind,
            is_const: false,
            is_volatile: false,
            address_taken: false,
            align: None,
            span,
            owned: None,
            noconsume: false,
            zeroable: true,
            zero_at_entry: false,
        }
    }
}

/// Discipline of a local whose copies are moves. Used by the ownership analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owned {
    Unique,
    Counted,
    /// A record with owned fields.
    Aggregate,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LocalKind {
    Param,
    User,
    Temp,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Label {
    /// The user's label, for goto targets.
    pub name: Option<Symbol>,
}

/// A scope: its locals live from its start to its end.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Block {
    pub locals: Vec<LocalId>,
    pub stmts: Vec<Stmt>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

/// Large parts are behind boxes: lists of statements are long, and most statements are stores and calls.
#[derive(Clone, PartialEq, Debug)]
pub enum StmtKind {
    /// Store; also of whole records and fat pointers.
    Assign(Place, Expr),
    /// The first store to a local with const type, or to memory just allocated.
    Init(Place, Expr),
    /// Fill with zero bytes.
    Zero(Place),
    /// Evaluate for a volatile read only, or to keep an unused value visible.
    Eval(Expr),
    Call {
        dest: Option<Place>,
        callee: Callee,
        args: Vec<Expr>,
        may_throw: bool,
    },
    Alloc(Box<Allocation>),
    Check(Box<Check>),
    If {
        cond: Expr,
        then: Block,
        otherwise: Option<Box<Block>>,
    },
    Loop(Box<Loop>),
    /// No implicit fall through; an arm that completes leaves the switch. `Break(label)` also does.
    Switch {
        value: Expr,
        arms: Vec<SwitchArm>,
        default: Option<Box<Block>>,
        label: LabelId,
    },
    /// A scope; `Break(label)` leaves it.
    Block {
        label: Option<LabelId>,
        body: Block,
    },
    /// Leave the labelled loop, switch or block.
    Break(LabelId),
    /// Go to the step (or test) of the labelled loop.
    Continue(LabelId),
    /// The place that `Goto` goes to; unique in its function.
    Label(LabelId),
    Goto(LabelId),
    Return(Option<Expr>),
    /// Start an arena scope: the local has type `Arena`.
    RegionEnter(LocalId),
    /// End it, freeing its objects.
    RegionExit(LocalId),
    Try(Box<Try>),
    /// Leave the `try` whose frame is this local, on a way out that is not a throw.
    TryExit(LocalId),
    /// Raise; does not come back.
    Throw {
        exn: Expr,
    },
    /// Raise again the exception that a handler did not want.
    Rethrow {
        exn: Expr,
    },
    /// No case matched: raise `Match_Exception`.
    NoMatch,
    /// Ownership leaves this place. No code.
    Consume {
        place: Place,
        how: ConsumeHow,
    },
    /// Ownership comes (back) to this place. No code.
    Restore {
        place: Place,
        how: RestoreHow,
    },
    /// `region h = open(key)`: pins the dynamic region behind `key`, gives its handle.
    Open {
        key: Place,
        handle: LocalId,
    },
    /// End of the open scope.
    Close {
        key: Place,
        handle: LocalId,
    },
    /// Touches the reference and keeps its object where it is and as it is; `dest`, a thin pointer, is its address,
    /// NULL for NULL. Raises `Dangling_Exception`.
    Pin {
        pin: LocalId,
        dest: Place,
        reference: Expr,
    },
    /// End of the pin: what was deleted meanwhile goes.
    Unpin(LocalId),
    /// Control never comes here (after a noreturn call).
    Unreachable,
}

impl StmtKind {
    /// The statement says who owns what and runs nothing.
    pub fn is_ownership(&self) -> bool {
        matches!(self, StmtKind::Consume { .. } | StmtKind::Restore { .. })
    }
}

impl StmtKind {
    /// Objects of the checked heap may be moved or deleted when this runs, so that no address taken before holds after
    /// it. Of a statement that contains others, what it does itself is meant.
    pub fn may_move(&self, decls: &IndexVec<FunctionId, FunctionDecl>) -> bool {
        match self {
            StmtKind::Call { callee: Callee::Direct(id), .. } => !decls[*id].is_still,
            StmtKind::Call { .. } | StmtKind::Unpin(_) | StmtKind::Label(_) => true,
            // Where memory is short, what a program may do without is deleted.
            StmtKind::Alloc(alloc) => alloc.place == AllocPlace::Checked,
            _ => false,
        }
    }
}

/// How ownership leaves a place.
#[derive(Clone, PartialEq, Debug)]
pub enum ConsumeHow {
    /// Copied to another place, passed, returned or thrown.
    Move,
    /// The object is freed; `parts` are the places inside it that own something themselves.
    Free { parts: Vec<Place> },
    /// Lent: nobody may use the place until it is given back.
    Borrow,
    /// Exchanged with another place: it must be whole, and a `Restore` with `Store` follows the exchange.
    Swap,
    /// Moved to a variable of a pattern, which gives it back at the end of its scope.
    Bind(LocalId),
}

/// How ownership comes to a place.
#[derive(Clone, PartialEq, Debug)]
pub enum RestoreHow {
    /// A value was just stored.
    Store,
    /// What was lent comes back.
    Unborrow,
    /// A pattern's variable that still owns what it was bound to gives it back.
    Unbind(LocalId),
    /// A tagged union that is there is found to hold a member that owns nothing.
    Empty,
    /// A member that owns nothing was stored to a tagged union, in place of what it held.
    Clear,
}

impl StmtKind {
    /// Control does not come to what follows in the list, unless something jumps there.
    pub fn is_jump(&self) -> bool {
        matches!(
            self,
            StmtKind::Break(_)
                | StmtKind::Continue(_)
                | StmtKind::Goto(_)
                | StmtKind::Return(_)
                | StmtKind::Throw { .. }
                | StmtKind::Rethrow { .. }
                | StmtKind::NoMatch
                | StmtKind::Unreachable
        )
    }
}

#[derive(Clone, PartialEq, Debug)]
pub enum Callee {
    Direct(FunctionId),
    /// A thin pointer to a function, checked before.
    Indirect(Box<Expr>),
}

/// `dest = allocate count elements of elem`.
#[derive(Clone, PartialEq, Debug)]
pub struct Allocation {
    /// A thin pointer (or a reference) to `elem`; never NULL afterwards (failure raises `Bad_alloc`).
    pub dest: Place,
    pub place: AllocPlace,
    pub elem: TyId,
    pub count: AllocCount,
    /// The memory must read as zero; false if the statements that follow initialise all of it before anything reads it.
    pub zeroed: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub enum AllocPlace {
    Heap,
    /// Value of type `Handle`.
    Arena(Expr),
    Unique,
    Counted,
    /// The destination is a reference.
    Checked,
}

#[derive(Clone, PartialEq, Debug)]
pub enum AllocCount {
    One,
    /// `unsigned long`; overflow of the product raises `Bad_alloc`.
    Elements(Expr),
    /// A size in bytes: the object is `elem` with a flexible tail.
    Bytes(Expr),
}

/// `while`, `for`, `do`: `head` and `cond` run before (or, for `PostTest`, after) each round.
#[derive(Clone, PartialEq, Debug)]
pub struct Loop {
    pub label: LabelId,
    pub test: LoopTest,
    pub body: Block,
    /// Runs after the body and on `Continue`.
    pub step: Vec<Stmt>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum LoopTest {
    Forever,
    /// Statements that compute the condition (checks, calls), then the condition.
    Before {
        head: Block,
        cond: Expr,
    },
    After {
        head: Block,
        cond: Expr,
    },
}

#[derive(Clone, PartialEq, Debug)]
pub struct SwitchArm {
    /// Inclusive ranges of constants, disjoint from the other arms'.
    pub values: Vec<(i128, i128)>,
    pub body: Block,
}

/// `try body catch handler`. On a throw, frames are unwound to this one and `handler` runs with the exception in `exn`.
#[derive(Clone, PartialEq, Debug)]
pub struct Try {
    /// Local of type `HandlerFrame`, declared outside.
    pub frame: LocalId,
    pub body: Block,
    /// Thin pointer to the exception object.
    pub exn: LocalId,
    pub handler: Block,
}
