//! Which references of the checked heap are known to lead to their objects, at each point of a function.
//!
//! A local is *touched* from the check that touches it (or the allocation that it comes from) until it is stored to, or
//! a statement may move or delete objects ([`StmtKind::may_move`]). A copy of a touched local is touched, since it is
//! the same reference, as new. At a join the locals are touched that are so on each way that leads there; at the head
//! of a loop, those that nothing in the loop changes; behind a label, and in a handler, none.
//!
//! `lower` writes touches by this, and `analysis` removes by it those that show nothing new. The verifier knows the
//! rule by other means (`verify/access`).

use crate::{
    walk_block, walk_operands, walk_stmt, AllocPlace, Block, CastKind, Check, CheckKind, Expr,
    ExprKind, Function, FunctionDecl, FunctionId, Local, LocalId, Loop, LoopTest, Place, PlaceKind,
    Stmt, StmtKind, Visitor,
};
use index_vec::IndexVec;
use std::collections::BTreeSet;
use std::rc::Rc;
use tenure_span::Span;

/// Whether anything in a block may move or delete objects.
pub fn block_may_move(block: &Block, decls: &Decls) -> bool {
    let mut found = Moves { decls, found: false };
    found.block(block);
    found.found
}

struct Moves<'d> {
    decls: &'d Decls,
    found: bool,
}

impl Visitor for Moves<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        let moves = stmt.kind.may_move(self.decls) && !matches!(stmt.kind, StmtKind::Label(_));
        self.found |= moves;
        walk_stmt(self, stmt);
    }

    fn expr(&mut self, _: &Expr) {}
}

/// What is said of the program's functions.
type Decls = IndexVec<FunctionId, FunctionDecl>;

/// The locals whose references were touched.
#[derive(Clone, Debug, Default)]
pub struct Touched {
    locals: BTreeSet<LocalId>,
    /// Locals that stores which do not name them may change: nothing is known of these.
    shared: Rc<BTreeSet<LocalId>>,
}

impl Touched {
    fn nothing(function: &Function) -> Touched {
        let is_shared = |local: &Local| local.address_taken || local.is_volatile;
        let locals = function.locals.iter_enumerated();
        let shared = locals.filter(|(_, local)| is_shared(local)).map(|(id, _)| id).collect();
        Touched { locals: BTreeSet::new(), shared: Rc::new(shared) }
    }

    pub fn has(&self, local: LocalId) -> bool {
        self.locals.contains(&local)
    }

    fn forget(&mut self) {
        self.locals.clear();
    }

    /// What is known on both ways.
    fn meet(&mut self, other: &Touched) {
        self.locals.retain(|local| other.has(*local));
    }

    fn lose(&mut self, changes: &Changes<'_>) {
        if changes.moves {
            self.forget();
        }
        self.locals.retain(|local| !changes.stored.contains(local));
    }

    /// What a statement that contains no other does.
    fn after(&mut self, stmt: &Stmt, decls: &Decls) {
        let copied = match &stmt.kind {
            StmtKind::Assign(place, value) | StmtKind::Init(place, value) => {
                local_of(value).filter(|&from| self.has(from)).and(whole_local(place))
            }
            StmtKind::Alloc(alloc) if alloc.place == AllocPlace::Checked => {
                whole_local(&alloc.dest)
            }
            StmtKind::Check(check) => match &check.kind {
                CheckKind::Touch(reference) => local_of(reference),
                _ => None,
            },
            _ => None,
        };
        let mut changes = Changes::new(decls);
        changes.stmt(stmt);
        self.lose(&changes);
        self.locals.extend(copied.filter(|local| !self.shared.contains(local)));
    }
}

/// What looks at, or changes, the statements of a function with what is touched there.
pub trait TouchedVisitor {
    /// A statement, or a condition, takes the addresses that the locals stand for. What is returned stands before it.
    fn addresses(&mut self, locals: &[LocalId], known: &Touched, span: Span) -> Vec<Stmt>;

    /// A check, with what is known before it.
    fn check(&mut self, check: &mut Check, known: &Touched);
}

/// Goes through a function as it runs.
pub fn walk_touched(function: &mut Function, decls: &Decls, visitor: &mut dyn TouchedVisitor) {
    let mut uses = Uses::default();
    uses.block(&function.body);
    if !uses.touches {
        return;
    }
    let mut walker = Walker { visitor, decls, known: Touched::nothing(function) };
    walker.block(&mut function.body);
}

struct Walker<'v> {
    visitor: &'v mut dyn TouchedVisitor,
    decls: &'v Decls,
    known: Touched,
}

impl Walker<'_> {
    fn block(&mut self, block: &mut Block) {
        self.list(&mut block.stmts);
    }

    fn list(&mut self, stmts: &mut Vec<Stmt>) {
        let mut out = Vec::with_capacity(stmts.len());
        for mut stmt in std::mem::take(stmts) {
            let operands = Uses::of_operands(&stmt);
            self.before(&operands, stmt.span, &mut out);
            self.statement(&mut stmt);
            out.push(stmt);
        }
        *stmts = out;
    }

    /// The addresses that are about to be taken.
    fn before(&mut self, locals: &[LocalId], span: Span, out: &mut Vec<Stmt>) {
        if locals.is_empty() {
            return;
        }
        for mut stmt in self.visitor.addresses(locals, &self.known, span) {
            self.statement(&mut stmt);
            out.push(stmt);
        }
    }

    fn statement(&mut self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::If { then, otherwise, .. } => {
                let before = self.known.clone();
                self.block(then);
                let after = std::mem::replace(&mut self.known, before);
                if let Some(block) = otherwise {
                    self.block(block);
                }
                let (first, second) = (ends(then), otherwise.as_deref().is_some_and(ends));
                match (first, second) {
                    (true, _) => {}
                    (false, true) => self.known = after,
                    (false, false) => self.known.meet(&after),
                }
            }
            StmtKind::Loop(l) => self.loop_statement(l),
            StmtKind::Switch { arms, default, .. } => {
                let mut changes = Changes::new(self.decls);
                let before = self.known.clone();
                let blocks = arms.iter_mut().map(|arm| &mut arm.body);
                for block in blocks.chain(default.as_deref_mut()) {
                    changes.block(block);
                    self.known.clone_from(&before);
                    self.block(block);
                }
                self.known = before;
                self.known.lose(&changes);
            }
            StmtKind::Block { label: None, body } => self.block(body),
            StmtKind::Block { label: Some(_), body } => {
                let mut after = self.known.clone();
                let mut changes = Changes::new(self.decls);
                changes.block(body);
                after.lose(&changes);
                self.block(body);
                self.known = after;
            }
            StmtKind::Try(t) => {
                self.block(&mut t.body);
                self.known.forget();
                self.block(&mut t.handler);
                self.known.forget();
            }
            StmtKind::Check(check) => {
                self.visitor.check(check, &self.known);
                self.known.after(stmt, self.decls);
            }
            _ => self.known.after(stmt, self.decls),
        }
    }

    fn loop_statement(&mut self, l: &mut Loop) {
        let mut changes = Changes::new(self.decls);
        changes.loop_parts(l);
        self.known.lose(&changes);
        let head = self.known.clone();
        let span = l.body.stmts.first().map_or(Span::NONE, |stmt| stmt.span);
        match &mut l.test {
            LoopTest::Before { head: block, cond } => {
                self.block(block);
                self.condition(block, cond, span);
                let after = self.known.clone();
                self.block(&mut l.body);
                self.known.clone_from(&head);
                self.list(&mut l.step);
                self.known = after;
                self.known.meet(&head);
            }
            LoopTest::After { head: block, cond } => {
                self.block(&mut l.body);
                self.known.clone_from(&head);
                self.list(&mut l.step);
                self.block(block);
                self.condition(block, cond, span);
                self.known = head;
            }
            LoopTest::Forever => {
                self.block(&mut l.body);
                self.known.clone_from(&head);
                self.list(&mut l.step);
                self.known = head;
            }
        }
    }

    /// A loop's condition is evaluated after the statements of its head.
    fn condition(&mut self, head: &mut Block, cond: &Expr, span: Span) {
        let mut uses = Uses::default();
        uses.expr(cond);
        let span = head.stmts.last().map_or(span, |stmt| stmt.span);
        self.before(&uses.locals, span, &mut head.stmts);
    }
}

fn ends(block: &Block) -> bool {
    block.stmts.last().is_some_and(|stmt| stmt.kind.is_jump())
}

fn whole_local(place: &Place) -> Option<LocalId> {
    match place.kind {
        PlaceKind::Local(local) => Some(local),
        _ => None,
    }
}

/// The local that a reference is the value of, perhaps as one to another type.
fn local_of(reference: &Expr) -> Option<LocalId> {
    match &reference.kind {
        ExprKind::Load(place) => whole_local(place),
        ExprKind::Cast(CastKind::PtrView, inner) => local_of(inner),
        _ => None,
    }
}

/// What statements change.
struct Changes<'d> {
    decls: &'d Decls,
    moves: bool,
    stored: BTreeSet<LocalId>,
}

impl<'d> Changes<'d> {
    fn new(decls: &'d Decls) -> Changes<'d> {
        Changes { decls, moves: false, stored: BTreeSet::new() }
    }

    fn loop_parts(&mut self, l: &Loop) {
        if let LoopTest::Before { head, .. } | LoopTest::After { head, .. } = &l.test {
            self.block(head);
        }
        self.block(&l.body);
        l.step.iter().for_each(|stmt| self.stmt(stmt));
    }
}

impl Visitor for Changes<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        self.moves |= stmt.kind.may_move(self.decls) || matches!(stmt.kind, StmtKind::Try(_));
        walk_stmt(self, stmt);
    }

    fn dest(&mut self, place: &Place) {
        self.stored.extend(place.root_local());
    }

    fn expr(&mut self, _: &Expr) {}
}

/// The locals whose addresses in the checked heap something takes.
#[derive(Default)]
struct Uses {
    locals: Vec<LocalId>,
    /// There is a touch anywhere.
    touches: bool,
}

impl Uses {
    /// Of the statement itself, not of those in it.
    fn of_operands(stmt: &Stmt) -> Vec<LocalId> {
        let mut uses = Uses::default();
        match &stmt.kind {
            StmtKind::If { cond: value, .. } | StmtKind::Switch { value, .. } => uses.expr(value),
            _ => walk_operands(&mut uses, stmt),
        }
        uses.locals
    }
}

impl Visitor for Uses {
    fn block(&mut self, block: &Block) {
        walk_block(self, block);
    }

    fn check(&mut self, check: &Check) {
        self.touches |= matches!(check.kind, CheckKind::Touch(_));
        crate::walk_check(self, check);
    }

    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::Cast(CastKind::Address, inner) = &expr.kind {
            self.touches = true;
            if let Some(local) = local_of(inner).filter(|local| !self.locals.contains(local)) {
                self.locals.push(local);
            }
        }
        crate::walk_expr(self, expr);
    }
}
