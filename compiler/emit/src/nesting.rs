//! Which temporaries are printed where they are used.
//!
//! core names the result of each call and each value that must be computed before another. Where the next statement is
//! the only one to use it, C's own nesting says the same, reads better, and leaves cc the order of evaluation that it
//! has for its like in C.
//!
//! A value without effects may stand anywhere in the next statement. A call may only if it is evaluated once and
//! always, and nothing else that the statement reads can be changed by it, since C does not say which of the two is
//! evaluated first.

use crate::functions::CALLER_SITE;
use crate::spots::Scope;
use crate::stmts::whole_store;
use crate::walk;
use std::collections::{HashMap, HashSet};
use tenure_core::{
    Block, Callee, Expr, ExprKind, Function, LocalId, LocalKind, LoopTest, Place, PlaceKind,
    Program, Quals, Stmt, StmtKind, Ty, Visitor, VisitorMut,
};

/// Expressions of a value that is put into another; a longer one keeps its own line.
const LARGEST: usize = 40;

/// A declaration, a store, a use.
const MENTIONS_OF_A_VALUE_USED_ONCE: usize = 3;

/// Puts values without effects where they are used. What is left to the printer are calls, which core has no expression
/// for.
pub(crate) fn nest_values(program: &mut Program) {
    for at in 0..program.functions.len() {
        let mut body = std::mem::take(&mut program.functions[at].body);
        let candidates = Candidates::new(program, &program.functions[at], &body);
        let mut values = Values { candidates, moved: HashSet::new() };
        values.block(&mut body);
        program.functions[at].body = body;
    }
}

/// The temporaries of a function that stand for a call and get no declaration.
pub(crate) fn nested_calls(program: &Program, function: &Function) -> HashSet<LocalId> {
    let candidates = Candidates::new(program, function, &function.body);
    let mut calls = Calls { candidates, found: HashSet::new() };
    calls.block(&function.body);
    calls.found
}

/// A statement that nothing is printed for.
pub(crate) fn is_silent(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Check(check) => !check.status.is_emitted(),
        StmtKind::Consume { .. } | StmtKind::Restore { .. } | StmtKind::Close { .. } => true,
        _ => false,
    }
}

/// How often each local is declared, stored to or read.
#[derive(Default)]
struct Mentions(HashMap<LocalId, usize>);

impl walk::Visitor for Mentions {
    fn local(&mut self, local: LocalId) {
        *self.0.entry(local).or_default() += 1;
    }
}

/// Temporaries that one statement sets and one other place uses.
struct Candidates<'a> {
    scope: Scope<'a>,
    mentions: HashMap<LocalId, usize>,
}

impl<'a> Candidates<'a> {
    fn new(program: &'a Program, function: &'a Function, body: &Block) -> Candidates<'a> {
        let mut mentions = Mentions::default();
        walk::block(&mut mentions, body);
        Candidates { scope: Scope { program, locals: &function.locals }, mentions: mentions.0 }
    }

    fn of(&self, stmt: &Stmt) -> Option<LocalId> {
        let id = whole_store(stmt)?;
        let local = &self.scope.locals[id];
        let plain = local.kind == LocalKind::Temp
            && !local.address_taken
            && !local.is_volatile
            && !local.zero_at_entry
            && local.align.is_none();
        let once = self.mentions.get(&id) == Some(&MENTIONS_OF_A_VALUE_USED_ONCE);
        (plain && once).then_some(id)
    }

    /// A temporary set to a value that may stand elsewhere.
    fn value(&self, stmt: &Stmt) -> Option<LocalId> {
        let (StmtKind::Assign(place, value) | StmtKind::Init(place, value)) = &stmt.kind else {
            return None;
        };
        let ty = self.scope.program.types.get(place.ty);
        let scalar = matches!(ty, Ty::Int(_) | Ty::Enum(_) | Ty::Float(_) | Ty::Ptr { .. });
        // A constant stands in its place already; what has none of C's types by itself needs the temporary's.
        let plain = !matches!(value.kind, ExprKind::Const(_) | ExprKind::Aggregate(_));
        if !scalar || !plain || value.ty != place.ty || !self.is_movable(value) {
            return None;
        }
        self.of(stmt)
    }

    /// A temporary set to the result of a call.
    fn call(&self, stmt: &Stmt) -> Option<LocalId> {
        let StmtKind::Call { dest: Some(dest), callee, .. } = &stmt.kind else {
            return None;
        };
        let array = matches!(self.scope.program.types.get(dest.ty), Ty::Array { .. });
        if array || self.tells_caller(callee) {
            return None;
        }
        self.of(stmt)
    }

    /// What says where it is called prints a statement of its own.
    fn tells_caller(&self, callee: &Callee) -> bool {
        let Callee::Direct(id) = callee else {
            return false;
        };
        self.scope.program.decls[*id].attributes.iter().any(|name| name == CALLER_SITE)
    }

    /// The temporary may stand in what the statement evaluates first.
    fn fits(&self, stmt: &Stmt, local: LocalId, calls: bool) -> bool {
        let array =
            |place: &Place| matches!(self.scope.program.types.get(place.ty), Ty::Array { .. });
        let mut exprs: Vec<&Expr> = Vec::new();
        let mut places: Vec<&Place> = Vec::new();
        match &stmt.kind {
            StmtKind::Assign(place, value) | StmtKind::Init(place, value) if !array(place) => {
                exprs.push(value);
                places.push(place);
            }
            StmtKind::If { cond: value, .. }
            | StmtKind::Switch { value, .. }
            | StmtKind::Return(Some(value)) => exprs.push(value),
            StmtKind::Call { dest, callee, args, .. } if !(calls && self.tells_caller(callee)) => {
                exprs.extend(args);
                if let Callee::Indirect(pointer) = callee {
                    exprs.push(pointer);
                }
                places.extend(dest);
            }
            _ => return false,
        }
        self.scope.fits(&exprs, &places, local, calls)
    }

    /// Small enough to stand in another, and not of those that must be read exactly once.
    fn is_movable(&self, value: &Expr) -> bool {
        let mut reads = Reads { scope: self.scope, size: 0, volatile: false };
        reads.expr(value);
        reads.size <= LARGEST && !reads.volatile
    }
}

struct Reads<'a> {
    scope: Scope<'a>,
    size: usize,
    volatile: bool,
}

impl Visitor for Reads<'_> {
    fn expr(&mut self, expr: &Expr) {
        self.size += 1;
        tenure_core::walk_expr(self, expr);
    }

    fn place(&mut self, place: &Place) {
        let quals = |pointer: &Expr| match self.scope.program.types.get(pointer.ty) {
            Ty::Ptr { quals, .. } | Ty::Fat { quals, .. } => *quals,
            _ => Quals::default(),
        };
        self.volatile |= match &place.kind {
            PlaceKind::Local(id) => self.scope.locals[*id].is_volatile,
            PlaceKind::Global(id) => self.scope.program.globals[*id].is_volatile,
            PlaceKind::Deref(p) | PlaceKind::PtrIndex(p, _) | PlaceKind::FatIndex(p, _) => {
                quals(p).is_volatile
            }
            PlaceKind::Field(base, field) => match self.scope.program.types.get(base.ty) {
                Ty::Record(id) => {
                    let fields = self.scope.program.types.records[*id].fields.as_deref();
                    let field = fields.and_then(|fields| fields.get(*field as usize));
                    field.is_some_and(|field| field.quals.is_volatile)
                }
                _ => false,
            },
            PlaceKind::Index(..) => false,
        };
        tenure_core::walk_place(self, place);
    }
}

/// Moves values into the statements that use them.
struct Values<'a> {
    candidates: Candidates<'a>,
    /// Temporaries whose values were moved.
    moved: HashSet<LocalId>,
}

impl Values<'_> {
    /// In a sequence of statements, and the condition that is evaluated after them.
    fn stmts(&mut self, stmts: &mut Vec<Stmt>, mut last: Option<&mut Expr>) {
        let mut moved = vec![false; stmts.len()];
        for at in 0..stmts.len() {
            let Some(local) = self.candidates.value(&stmts[at]) else {
                continue;
            };
            let next = (at + 1..stmts.len()).find(|&next| !is_silent(&stmts[next]));
            let fits = match (next, &last) {
                (Some(next), _) => self.candidates.fits(&stmts[next], local, false),
                (None, Some(cond)) => self.candidates.scope.fits(&[cond], &[], local, false),
                (None, None) => false,
            };
            if !fits {
                continue;
            }
            let kind = std::mem::replace(&mut stmts[at].kind, StmtKind::Unreachable);
            let (StmtKind::Assign(_, value) | StmtKind::Init(_, value)) = kind else {
                continue;
            };
            let mut put = Put { local, value: Some(value) };
            match (next, &mut last) {
                (Some(next), _) => put.in_operands(&mut stmts[next]),
                (None, Some(cond)) => put.expr(cond),
                (None, None) => {}
            }
            moved[at] = true;
            self.moved.insert(local);
        }
        let mut moved = moved.into_iter();
        stmts.retain(|_| moved.next() != Some(true));
    }
}

impl VisitorMut for Values<'_> {
    fn block(&mut self, block: &mut Block) {
        self.stmts(&mut block.stmts, None);
        tenure_core::walk_block_mut(self, block);
        // A temporary is declared in the block of its statements or around it.
        block.locals.retain(|local| !self.moved.contains(local));
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        if let StmtKind::Loop(l) = &mut stmt.kind {
            if let LoopTest::Before { head, cond } | LoopTest::After { head, cond } = &mut l.test {
                self.stmts(&mut head.stmts, Some(cond));
            }
        }
        tenure_core::walk_stmt_mut(self, stmt);
    }

    fn check(&mut self, _: &mut tenure_core::Check) {}
    fn expr(&mut self, _: &mut Expr) {}
    fn place(&mut self, _: &mut Place) {}
}

/// Replaces the one use of a temporary.
struct Put {
    local: LocalId,
    value: Option<Expr>,
}

impl Put {
    fn in_operands(&mut self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::If { cond: value, .. } | StmtKind::Switch { value, .. } => self.expr(value),
            _ => tenure_core::walk_stmt_mut(self, stmt),
        }
    }
}

impl VisitorMut for Put {
    fn expr(&mut self, expr: &mut Expr) {
        let here = matches!(&expr.kind, ExprKind::Load(Place { kind: PlaceKind::Local(id), .. }) if *id == self.local);
        match self.value.take() {
            Some(value) if here => *expr = value,
            value => {
                self.value = value;
                tenure_core::walk_expr_mut(self, expr);
            }
        }
    }
}

/// Finds the calls that the printer nests.
struct Calls<'a> {
    candidates: Candidates<'a>,
    found: HashSet<LocalId>,
}

impl Calls<'_> {
    fn stmts(&mut self, stmts: &[Stmt], last: Option<&Expr>) {
        for (at, stmt) in stmts.iter().enumerate() {
            let Some(local) = self.candidates.call(stmt) else {
                continue;
            };
            let next = stmts[at + 1..].iter().find(|next| !is_silent(next));
            let fits = match (next, last) {
                (Some(next), _) => self.candidates.fits(next, local, true),
                (None, Some(cond)) => self.candidates.scope.fits(&[cond], &[], local, true),
                (None, None) => false,
            };
            if fits {
                self.found.insert(local);
            }
        }
    }
}

impl Visitor for Calls<'_> {
    fn block(&mut self, block: &Block) {
        self.stmts(&block.stmts, None);
        tenure_core::walk_block(self, block);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        if let StmtKind::Loop(l) = &stmt.kind {
            if let LoopTest::Before { head, cond } | LoopTest::After { head, cond } = &l.test {
                self.stmts(&head.stmts, Some(cond));
            }
        }
        tenure_core::walk_stmt(self, stmt);
    }

    fn check(&mut self, _: &tenure_core::Check) {}
    fn expr(&mut self, _: &Expr) {}
    fn place(&mut self, _: &Place) {}
}
