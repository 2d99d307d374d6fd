//! The function being built: blocks, temporaries, labels, and the scopes around the current point.

use crate::instance::Subst;
use crate::loan::Lent;
use crate::owned::Bound;
use crate::unit::Lowerer;
use index_vec::IndexVec;
use tenure_core::{
    Block, Const, Expr, ExprKind, IntTy, Label, LabelId, Local, LocalId, LocalKind, Place,
    PlaceKind, RestoreHow, Stmt, StmtKind, Ty, TyId,
};
use tenure_span::{FastMap, FastSet, Span, Symbol};
use tenure_types::hir;
use tenure_types::ty::{TyVarId, TypeId};

/// What a way out of a scope must undo, innermost last.
#[derive(Clone, Debug)]
pub(crate) enum Cleanup {
    /// An arena local.
    Arena(LocalId),
    /// A handler frame local.
    Try(LocalId),
    /// What is lent to an alias, if the flow analysis follows it.
    Alias(Option<Place>),
    /// An open dynamic region: the pointer to it, its handle, and the key if the flow analysis follows it.
    Open { key: Place, handle: LocalId, lent: Option<Place> },
    /// A pin on an object of the checked heap.
    Pin(LocalId),
    /// The handler of a clause that holds what it caught.
    Caught(LocalId),
    /// Variables of a pattern that hold what the matched object owns.
    Bound(Vec<Bound>),
}

/// Where `break` or `continue` goes, and how many cleanups stand around it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    pub(crate) label: LabelId,
    pub(crate) cleanups: usize,
}

/// The next clause of a switch, for `fallthru`.
#[derive(Clone, Debug)]
pub(crate) struct NextClause {
    pub(crate) label: LabelId,
    pub(crate) params: Vec<hir::LocalId>,
    pub(crate) cleanups: usize,
}

/// A function under construction.
pub(crate) struct Builder<'l, 'a> {
    pub(crate) lowerer: &'l mut Lowerer<'a>,
    pub(crate) subst: Subst,
    /// The body being lowered; `None` for a static initialiser.
    pub(crate) body: Option<&'a hir::Body>,
    pub(crate) locals: IndexVec<LocalId, Local>,
    pub(crate) labels: IndexVec<LabelId, Label>,
    /// Blocks being filled, the innermost last. Never empty.
    pub(crate) blocks: Vec<Block>,
    pub(crate) cleanups: Vec<Cleanup>,
    pub(crate) breaks: Vec<Target>,
    /// The object that the innermost handler being lowered has caught.
    pub(crate) caught: crate::caught::Caught,
    /// Behind each handler that is being lowered.
    pub(crate) handlers: Vec<Target>,
    pub(crate) continues: Vec<Target>,
    pub(crate) fallthrus: Vec<Option<NextClause>>,
    pub(crate) local_map: FastMap<hir::LocalId, LocalId>,
    pub(crate) goto_labels: IndexVec<hir::LabelId, LabelId>,
    /// Cleanups around each goto label.
    pub(crate) goto_depths: FastMap<hir::LabelId, usize>,
    /// Locals whose address something takes.
    pub(crate) address_taken: FastSet<hir::LocalId>,
    /// Locals that hold the value of a type-level integer.
    pub(crate) size_locals: Vec<(TyVarId, hir::LocalId)>,
    /// Of what is being lowered, for statements and checks.
    pub(crate) span: Span,
    /// Of the pointer that is being dereferenced, for the message of its null check.
    pub(crate) null_span: Span,
    pub(crate) result: TyId,
    /// Conditions (by address) whose evaluation was found to need statements.
    pub(crate) impure: FastSet<usize>,
    /// The switch around the pattern to be tested has looked at the outer pointer and tag already.
    pub(crate) known_variant: bool,
    /// What is lent to the calls whose arguments are being evaluated, the innermost call last.
    pub(crate) loans: Vec<Lent>,
    /// Owned variables of the pattern being tested, with the places they come from.
    pub(crate) pending: Vec<(LocalId, Place, TypeId)>,
    /// Loads of owned pointers from unique paths, which nothing changes behind the flow analysis' back.
    pub(crate) steady: Vec<Place>,
    /// Blocks' depths and numbers of statements at which kept values may still be set ([`Builder::keeping`]): no
    /// statement is put before the last one of its block.
    pub(crate) kept_from: Vec<(usize, usize)>,
    /// Temporaries that hold an owned pointer which still stands somewhere else.
    pub(crate) peeked: FastSet<LocalId>,
    /// Of each switch around, the unique path that it matches if a guard may change what leads there.
    pub(crate) rematched: Vec<Option<Box<hir::Expr>>>,
    /// Where E0355 was reported.
    pub(crate) reported_moves: FastSet<Span>,
}

impl<'l, 'a> Builder<'l, 'a> {
    pub(crate) fn new(lowerer: &'l mut Lowerer<'a>, subst: Subst, result: TyId) -> Self {
        Builder {
            lowerer,
            subst,
            body: None,
            locals: IndexVec::new(),
            labels: IndexVec::new(),
            blocks: vec![Block::default()],
            cleanups: Vec::new(),
            breaks: Vec::new(),
            caught: Default::default(),
            handlers: Vec::new(),
            continues: Vec::new(),
            fallthrus: Vec::new(),
            local_map: FastMap::default(),
            goto_labels: IndexVec::new(),
            goto_depths: FastMap::default(),
            address_taken: FastSet::default(),
            size_locals: Vec::new(),
            span: Span::NONE,
            null_span: Span::NONE,
            result,
            impure: FastSet::default(),
            known_variant: false,
            loans: Vec::new(),
            pending: Vec::new(),
            steady: Vec::new(),
            kept_from: Vec::new(),
            peeked: FastSet::default(),
            rematched: Vec::new(),
            reported_moves: FastSet::default(),
        }
    }

    /// The representation of a type in this copy.
    pub(crate) fn repr(&mut self, ty: TypeId) -> TyId {
        self.lowerer.repr(ty, &self.subst)
    }

    pub(crate) fn intern(&mut self, ty: Ty) -> TyId {
        self.lowerer.program.types.intern(ty)
    }

    pub(crate) fn ty(&self, ty: TyId) -> &Ty {
        self.lowerer.program.types.get(ty)
    }

    pub(crate) fn int_ty(&mut self, int: IntTy) -> TyId {
        self.lowerer.program.types.int(int)
    }

    pub(crate) fn emit(&mut self, kind: StmtKind) {
        let span = self.span;
        self.current().stmts.push(Stmt { kind, span });
    }

    fn current(&mut self) -> &mut Block {
        if self.blocks.is_empty() {
            self.blocks.push(Block::default());
        }
        let last = self.blocks.len() - 1;
        &mut self.blocks[last]
    }

    /// Statements of the innermost block so far.
    pub(crate) fn mark(&mut self) -> usize {
        self.current().stmts.len()
    }

    pub(crate) fn stmts_since(&mut self, mark: usize) -> &[Stmt] {
        &self.current().stmts[mark..]
    }

    /// How many blocks are open.
    pub(crate) fn depth(&self) -> usize {
        self.blocks.len()
    }

    /// All statements of the innermost block.
    pub(crate) fn all_stmts(&self) -> &[Stmt] {
        self.blocks.last().map_or(&[], |block| &block.stmts)
    }

    /// The same, to change them.
    pub(crate) fn stmts_mut(&mut self) -> &mut [Stmt] {
        &mut self.current().stmts
    }

    pub(crate) fn insert(&mut self, at: usize, kind: StmtKind) {
        let span = self.span;
        self.current().stmts.insert(at, Stmt { kind, span });
    }

    /// Runs `fill` with a new innermost block and returns it filled.
    pub(crate) fn in_block<R>(&mut self, fill: impl FnOnce(&mut Self) -> R) -> (Block, R) {
        self.blocks.push(Block::default());
        let result = fill(self);
        let mut block = self.blocks.pop().unwrap_or_default();
        // Most blocks are short, and what a vector keeps for more is several statements.
        block.stmts.shrink_to_fit();
        (block, result)
    }

    /// Moves a finished block's contents into the innermost one.
    pub(crate) fn splice(&mut self, block: Block) {
        let current = self.current();
        current.locals.extend(block.locals);
        current.stmts.extend(block.stmts);
    }

    /// The whole body, at the end.
    pub(crate) fn finish(mut self) -> (Block, IndexVec<LocalId, Local>, IndexVec<LabelId, Label>) {
        let body = self.blocks.pop().unwrap_or_default();
        (body, self.locals, self.labels)
    }

    /// Whether control cannot reach the point after the statements so far.
    pub(crate) fn is_terminated(&mut self) -> bool {
        matches!(self.current().stmts.last(), Some(stmt) if stmt.kind.is_jump())
    }

    pub(crate) fn label(&mut self, name: Option<Symbol>) -> LabelId {
        self.labels.push(Label { name })
    }

    /// Declares a local in the innermost block.
    pub(crate) fn declare(&mut self, local: Local) -> LocalId {
        let id = self.locals.push(local);
        self.current().locals.push(id);
        id
    }

    /// Declares a local in the function's outermost block.
    pub(crate) fn declare_outside(&mut self, local: Local) -> LocalId {
        let id = self.locals.push(local);
        if let Some(outermost) = self.blocks.first_mut() {
            outermost.locals.push(id);
        }
        id
    }

    /// A local that the user did not write.
    pub(crate) fn new_local(&self, ty: TyId) -> Local {
        Local {
            name: None,
            ty,
            kind: LocalKind::Temp,
            is_const: false,
            is_volatile: false,
            address_taken: false,
            zeroable: true,
            zero_at_entry: false,
            align: None,
            span: self.span,
            owned: None,
            noconsume: false,
        }
    }

    pub(crate) fn temp(&mut self, ty: TyId) -> LocalId {
        let local = self.new_local(ty);
        self.declare(local)
    }

    /// A temporary that lives in memory because its address is used.
    pub(crate) fn memory_temp(&mut self, ty: TyId) -> Place {
        let local = Local { address_taken: true, ..self.new_local(ty) };
        let id = self.declare(local);
        self.local_place(id)
    }

    pub(crate) fn local_place(&self, local: LocalId) -> Place {
        Place { kind: PlaceKind::Local(local), ty: self.locals[local].ty }
    }

    /// The value of an expression, held in a fresh temporary.
    pub(crate) fn save(&mut self, value: Expr) -> Expr {
        if value.is_unpinned() {
            return self.steady(value);
        }
        let ty = value.ty;
        let temp = self.temp(ty);
        let place = self.local_place(temp);
        self.emit(StmtKind::Assign(place.clone(), value));
        load(place)
    }

    /// The same expression if repeating it costs nothing, else a temporary that holds its value.
    pub(crate) fn repeatable(&mut self, value: Expr) -> Expr {
        match &value.kind {
            ExprKind::Const(_) => value,
            ExprKind::Load(Place { kind: PlaceKind::Local(local), .. })
                if !self.locals[*local].address_taken =>
            {
                value
            }
            _ => self.save(value),
        }
    }

    pub(crate) fn int(&mut self, value: i128, int: IntTy) -> Expr {
        let ty = self.int_ty(int);
        Expr { kind: ExprKind::Const(Const::Int(value)), ty }
    }

    pub(crate) fn zero(&self, ty: TyId) -> Expr {
        Expr { kind: ExprKind::Const(Const::Zero), ty }
    }

    /// Leaves cleanup scopes until so many are left, without forgetting them.
    pub(crate) fn leave_to(&mut self, depth: usize) {
        let leaving: Vec<Cleanup> = self.cleanups.iter().skip(depth).rev().cloned().collect();
        for cleanup in leaving {
            self.leave(cleanup);
        }
    }

    pub(crate) fn leave(&mut self, cleanup: Cleanup) {
        match cleanup {
            Cleanup::Arena(arena) => self.emit(StmtKind::RegionExit(arena)),
            Cleanup::Pin(pin) => self.emit(StmtKind::Unpin(pin)),
            Cleanup::Caught(frame) => self.release_caught(frame),
            Cleanup::Try(frame) => self.emit(StmtKind::TryExit(frame)),
            Cleanup::Alias(lent) => self.unborrow(lent),
            Cleanup::Open { key, handle, lent } => {
                self.emit(StmtKind::Close { key, handle });
                self.unborrow(lent);
            }
            Cleanup::Bound(bound) => {
                for Bound { local, leaf } in bound {
                    let how = RestoreHow::Unbind(local);
                    self.emit(StmtKind::Restore { place: leaf, how });
                }
            }
        }
    }

    fn unborrow(&mut self, lent: Option<Place>) {
        if let Some(place) = lent {
            self.emit(StmtKind::Restore { place, how: RestoreHow::Unborrow });
        }
    }
}

/// The value at a place.
pub(crate) fn load(place: Place) -> Expr {
    let ty = place.ty;
    Expr { kind: ExprKind::Load(place), ty }
}
