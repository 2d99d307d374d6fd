//! Rule 5: a check is true when the access happens.
//!
//! The verifier goes through a function as it runs and numbers values ([`super::values`]): a local has the number of
//! what was last stored to it, a load one that depends on the version of memory. A check shows a fact about numbers
//! ([`super::facts`]), and an access needs the facts about the numbers of its own operands. So a check of what was
//! since changed shows nothing: the access has another number. A fact lasts to the end of the statement list that the
//! check stands in; after a branch, a loop or a labelled block, locals that were stored to inside have new numbers, and
//! after a label all have.
//!
//! *What stores change.* A local whose address nobody takes is changed by direct stores alone. Any other store, and any
//! call, makes a new version of memory. What a path of an owned local leads to is the exception: nothing but the path
//! itself, and what it was lent to, can change it, and both leave statements (a store, `Consume`, `Restore`) that make
//! a new version. Which member a tagged union holds is changed by calls, and by stores of types that are or contain a
//! tagged union of the same type; no pointer leads inside one, which is verified too.
//!
//! *NULL.* Whether a pointer's type has NULL was decided before core. What is known here is that an expression which
//! some check of the function looks at may be NULL: wherever that expression is followed, a check (or a branch) must
//! show that this value is not.
//!
//! *The checked heap.* An address is a value of its own only within one statement. It is that of a local which was
//! touched since the last statement that may move objects; what is made of it is followed there and then, and never
//! kept.
//!
//! What the verifier cannot know: that a pointer that no check looks at is never NULL, that regions are live, and which
//! shared pointers lie on the paths of owned locals.

use super::facts::{Fact, Facts, Mark};
use super::values::{Number, Numbers, Op};
use crate::{
    Block, Callee, CastKind, Check, CheckKind, Const, Expr, ExprKind, Function, FunctionDecl,
    FunctionId, LocalId, Loop, LoopTest, Place, PlaceKind, Program, RecordId, RecordKind, Stmt,
    StmtKind, Ty, TyId, Visitor,
};
use index_vec::IndexVec;
use std::collections::BTreeSet;
use std::hash::Hash;
use tenure_span::{FastMap, FastSet, Span};

/// What happens at a place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Load,
    Address,
    /// A whole member of a tagged union may be stored whatever was there.
    Store,
    /// The first store to memory that nothing reads before all of it is there.
    Init,
}

/// A store that was checked and must come.
pub(super) struct Ready {
    pub(super) pointer: Number,
    pub(super) index: Number,
    pub(super) value: Number,
}

/// What a local or its paths had before.
enum Undo {
    Local(LocalId, Option<Number>),
    Path(Number, Option<Number>),
}

/// Where a block began.
struct Scope {
    mark: Mark,
    stores: usize,
    memory: Number,
    moved: u32,
}

pub(super) struct Accesses<'a> {
    pub(super) program: &'a Program,
    pub(super) function: &'a Function,
    /// Each broken rule and where.
    pub(super) found: Vec<(Span, &'static str)>,
    span: Span,
    pub(super) numbers: Numbers,
    pub(super) facts: Facts,
    pub(super) locals: FastMap<LocalId, Number>,
    /// What stores have changed, in order.
    undo: Vec<Undo>,
    pub(super) memory: Number,
    /// Versions of places on the paths of owned locals, and of what lies behind them, by address.
    pub(super) paths: FastMap<Number, Number>,
    /// A member was stored: the tag of its union must be next.
    member: Option<(Number, i128)>,
    pub(super) ready: Vec<Ready>,
    /// Pointers that some check says may be NULL.
    nullable: FastSet<Expr>,
    /// Constant sizes that indices were checked against.
    pub(super) sizes: BTreeSet<i128>,
}

impl<'a> Accesses<'a> {
    pub(super) fn new(program: &'a Program, function: &'a Function) -> Accesses<'a> {
        let mut numbers = Numbers::default();
        let memory = numbers.unknown();
        Accesses {
            program,
            function,
            found: Vec::new(),
            span: function.end,
            numbers,
            facts: Facts::default(),
            locals: FastMap::default(),
            undo: Vec::new(),
            memory,
            paths: FastMap::default(),
            member: None,
            ready: Vec::new(),
            nullable: FastSet::default(),
            sizes: BTreeSet::new(),
        }
    }

    pub(super) fn run(mut self) -> Vec<(Span, &'static str)> {
        let mut pointers = Pointers::default();
        pointers.block(&self.function.body);
        self.nullable = pointers.checked;
        self.list(&self.function.body.stmts);
        self.found
    }

    pub(super) fn broken(&mut self, message: &'static str) {
        self.found.push((self.span, message));
    }

    fn list(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.statement(stmt);
        }
    }

    /// A block that need not run, or need not run to its end.
    fn nested(&mut self, block: &Block) {
        let scope = self.enter();
        self.list(&block.stmts);
        self.leave(scope, false);
    }

    fn enter(&self) -> Scope {
        let (stores, memory) = (self.undo.len(), self.memory);
        Scope { mark: self.facts.mark(), stores, memory, moved: self.facts.moved() }
    }

    /// If the block ended in a jump, control that comes here has not been in it.
    fn leave(&mut self, scope: Scope, jumped: bool) {
        let is_straight = self.facts.forget_since(scope.mark);
        if jumped && is_straight {
            while self.undo.len() > scope.stores {
                match self.undo.pop() {
                    Some(Undo::Local(local, before)) => put(&mut self.locals, local, before),
                    Some(Undo::Path(at, before)) => put(&mut self.paths, at, before),
                    None => break,
                }
            }
            self.memory = scope.memory;
            self.facts.unmoved(scope.moved);
            return;
        }
        for at in scope.stores..self.undo.len() {
            let number = self.numbers.unknown();
            match self.undo[at] {
                Undo::Local(local, _) => self.locals.insert(local, number),
                Undo::Path(address, _) => self.paths.insert(address, number),
            };
        }
        // What it stored to memory depends on the way that control took.
        self.memory = self.numbers.unknown();
    }

    fn branch(&mut self, cond: &Expr, truth: bool, block: &Block) {
        let scope = self.enter();
        self.assume(cond, truth);
        self.list(&block.stmts);
        self.leave(scope, ends(block));
    }

    fn statement(&mut self, stmt: &Stmt) {
        self.span = stmt.span;
        self.expected(stmt);
        match &stmt.kind {
            StmtKind::If { cond, then, otherwise } => {
                self.value(cond);
                self.branch(cond, true, then);
                if let Some(otherwise) = otherwise {
                    self.branch(cond, false, otherwise);
                }
                match otherwise {
                    _ if ends(then) => self.assume(cond, false),
                    Some(otherwise) if ends(otherwise) => self.assume(cond, true),
                    _ => {}
                }
            }
            StmtKind::Loop(l) => self.loop_statement(l),
            StmtKind::Switch { value, arms, default, .. } => {
                self.value(value);
                let blocks = arms.iter().map(|arm| &arm.body).chain(default.as_deref());
                blocks.for_each(|block| self.nested(block));
            }
            StmtKind::Block { label: Some(_), body } => self.nested(body),
            StmtKind::Block { label: None, body } => self.list(&body.stmts),
            StmtKind::Try(t) => {
                self.nested(&t.body);
                // What a call or a store has changed before the throw.
                self.any_call();
                self.facts.move_objects();
                self.nested(&t.handler);
            }
            _ => self.simple(stmt),
        }
    }

    fn pin(&mut self, dest: &Place, reference: &Expr) {
        self.kept(reference);
        self.place(dest, Access::Store);
        self.stored(dest, None);
    }

    fn loop_statement(&mut self, l: &Loop) {
        let stores = Stores::of(l, &self.program.decls);
        for local in stores.stored {
            self.set_local(local, None);
        }
        for root in stores.roots {
            let address = self.numbers.number(Op::LocalAddress(root), &[]);
            self.change_behind(address);
        }
        for ty in stores.types {
            self.facts.store(&self.program.types, ty);
        }
        if stores.calls {
            self.facts.call();
        }
        if stores.moves {
            self.facts.move_objects();
        }
        self.memory = self.numbers.unknown();
        let scope = self.enter();
        match &l.test {
            LoopTest::Before { head, cond } => {
                self.list(&head.stmts);
                self.value(cond);
                self.assume(cond, true);
                self.nested(&l.body);
                self.list(&l.step);
            }
            LoopTest::After { head, cond } => {
                self.nested(&l.body);
                self.list(&l.step);
                self.list(&head.stmts);
                self.value(cond);
            }
            LoopTest::Forever => {
                self.nested(&l.body);
                self.list(&l.step);
            }
        }
        self.leave(scope, false);
    }

    /// What must come after some stores and checks.
    fn expected(&mut self, stmt: &Stmt) {
        if stmt.kind.is_ownership() {
            return;
        }
        if let Some((union, member)) = self.member.take() {
            let sets = match &stmt.kind {
                StmtKind::Assign(tag, value) => self.tag_of(tag).is_some_and(|(place, _)| {
                    let address = self.address(place);
                    address == union && is_int(value, member)
                }),
                _ => false,
            };
            if !sets {
                self.broken("a member of a tagged union is stored without its tag");
            }
        }
        let may_stand_between = matches!(stmt.kind, StmtKind::Assign(..) | StmtKind::Check(_));
        if !may_stand_between && !self.ready.is_empty() {
            self.ready.clear();
            self.broken("something stands between the check of a store and the store");
        }
    }

    fn simple(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Assign(place, value) => self.store(place, value, Access::Store),
            StmtKind::Init(place, value) => self.store(place, value, Access::Init),
            StmtKind::Zero(place) => {
                self.place(place, Access::Init);
                self.stored(place, None);
            }
            StmtKind::Eval(value)
            | StmtKind::Return(Some(value))
            | StmtKind::Throw { exn: value }
            | StmtKind::Rethrow { exn: value } => {
                self.kept(value);
            }
            StmtKind::Call { dest, callee, args, .. } => {
                if let Callee::Indirect(pointer) = callee {
                    self.followed(pointer);
                }
                for arg in args {
                    self.kept(arg);
                }
                self.any_call();
                if stmt.kind.may_move(&self.program.decls) {
                    self.facts.move_objects();
                }
                if let Some(dest) = dest {
                    self.place(dest, Access::Store);
                    self.stored(dest, None);
                }
            }
            StmtKind::Alloc(alloc) => {
                self.place(&alloc.dest, Access::Store);
                self.stored(&alloc.dest, None);
                let pointer = self.load(&alloc.dest);
                self.facts.add(Fact::NonZero(pointer));
                if stmt.kind.may_move(&self.program.decls) {
                    self.facts.move_objects();
                    self.touched(&Expr {
                        kind: ExprKind::Load(alloc.dest.clone()),
                        ty: alloc.dest.ty,
                    });
                }
            }
            StmtKind::Pin { dest, reference, .. } => self.pin(dest, reference),
            StmtKind::Unpin(_) => self.facts.move_objects(),
            StmtKind::Check(check) => self.check(check),
            StmtKind::Consume { place, .. } | StmtKind::Restore { place, .. } => {
                let address = self.address(place);
                self.change_behind(address);
            }
            StmtKind::Label(_) => {
                self.facts.forget_all();
                self.locals.clear();
                self.paths.clear();
                self.memory = self.numbers.unknown();
            }
            _ => {}
        }
    }

    /// A thin pointer is about to be followed, or called.
    pub(super) fn followed(&mut self, pointer: &Expr) -> Number {
        let number = self.value(pointer);
        if self.nullable.contains(unviewed(pointer)) && !self.is_present(number) {
            self.broken("no check stands before a pointer that may be NULL");
        }
        number
    }

    fn is_present(&self, number: Number) -> bool {
        if self.facts.has(Fact::NonZero(number)) {
            return true;
        }
        let Some(def) = self.numbers.def(number) else { return false };
        match def.op {
            Op::LocalAddress(_)
            | Op::GlobalAddress(_)
            | Op::FieldAddress(_)
            | Op::ElementAddress
            | Op::Const(Const::Str(_) | Const::Function(_) | Const::TagAddress(_)) => true,
            Op::PtrAdd => self.is_present(def.of[0]),
            _ => false,
        }
    }

    fn any_call(&mut self) {
        self.facts.call();
        self.memory = self.numbers.unknown();
    }

    fn store(&mut self, place: &Place, value: &Expr, access: Access) {
        let number = self.kept(value);
        let address = self.place(place, access);
        self.ready_store(address, number);
        if let Some((union, record)) = self.tag_of(place) {
            self.facts.store_member(record);
            if let ExprKind::Const(Const::Int(member)) = value.kind {
                let union_address = self.address(union);
                self.facts.add_member(union_address, member, record, self.is_private(union));
            }
        }
        self.stored(place, Some(number));
        if access == Access::Init {
            self.show_members(place);
        }
    }

    /// A checked store comes.
    fn ready_store(&mut self, address: Number, value: Number) {
        let mut ready = std::mem::take(&mut self.ready);
        ready.retain(|ready| {
            let element = self.numbers.number(Op::ElementAddress, &[ready.pointer, ready.index]);
            let first = self.numbers.int(ready.index) == Some(0) && ready.pointer == address;
            ready.value != value || (element != address && !first)
        });
        self.ready = ready;
    }

    fn stored(&mut self, place: &Place, value: Option<Number>) {
        self.facts.store(&self.program.types, place.ty);
        match place.root_local().filter(|&local| !self.is_shared(local)) {
            Some(local) => {
                let whole = matches!(place.kind, PlaceKind::Local(_));
                self.set_local(local, value.filter(|_| whole));
            }
            None => {
                self.memory = self.numbers.unknown();
                if place.path_root().is_some() {
                    let address = self.address(place);
                    self.set_path(address);
                }
            }
        }
        let Some(union) = place.tagged_union(&self.program.types) else { return };
        let PlaceKind::Field(_, field) = place.kind else { return };
        let at = self.address(union);
        if !self.facts.has(Fact::Holds(at, i128::from(field))) {
            self.member = Some((at, i128::from(field)));
        }
    }

    fn set_local(&mut self, local: LocalId, value: Option<Number>) {
        let number = value.unwrap_or_else(|| self.numbers.unknown());
        let before = self.locals.insert(local, number);
        self.undo.push(Undo::Local(local, before));
    }

    /// The place at the address, on a path of an owned local, may have another value.
    fn set_path(&mut self, address: Number) {
        let version = self.numbers.unknown();
        let before = self.paths.insert(address, version);
        self.undo.push(Undo::Path(address, before));
    }

    /// What lies behind the pointer at the address was lent or moved.
    fn change_behind(&mut self, address: Number) {
        let behind = self.numbers.number(Op::Behind, &[address]);
        self.set_path(behind);
    }

    /// Stores that do not name the local may reach it.
    pub(super) fn is_shared(&self, local: LocalId) -> bool {
        self.function.locals.get(local).is_none_or(|local| local.address_taken)
    }

    /// Only stores that name it reach the place.
    pub(super) fn is_private(&self, place: &Place) -> bool {
        place.root_local().is_some_and(|local| !self.is_shared(local))
    }

    /// The union whose tag the place is.
    pub(super) fn tag_of<'p>(&self, place: &'p Place) -> Option<(&'p Place, RecordId)> {
        let PlaceKind::Field(union, 0) = &place.kind else { return None };
        let Ty::Record(record) = *self.program.types.get(union.ty) else { return None };
        let is_tagged = self.program.types.records[record].kind == RecordKind::TaggedUnion;
        is_tagged.then_some((&**union, record))
    }

    /// What was just initialised may be read.
    fn show_members(&mut self, place: &Place) {
        let (PlaceKind::Field(base, _) | PlaceKind::Index(base, _)) = &place.kind else { return };
        self.show_members(base);
        self.show_member(place);
    }

    fn show_member(&mut self, place: &Place) {
        let Some(union) = place.tagged_union(&self.program.types) else { return };
        let (PlaceKind::Field(_, field), Ty::Record(record)) =
            (&place.kind, self.program.types.get(union.ty))
        else {
            return;
        };
        let address = self.address(union);
        let is_private = self.is_private(union);
        self.facts.add_member(address, i128::from(*field), *record, is_private);
    }
}

/// The pointer as it was before it was seen as one to another type.
fn unviewed(mut pointer: &Expr) -> &Expr {
    while let ExprKind::Cast(CastKind::PtrView | CastKind::Address, inner) = &pointer.kind {
        pointer = inner;
    }
    pointer
}

/// Pointers that checks look at.
#[derive(Default)]
struct Pointers {
    checked: FastSet<Expr>,
}

impl Visitor for Pointers {
    fn check(&mut self, check: &Check) {
        if let CheckKind::NonNull(pointer) = &check.kind {
            self.checked.insert(unviewed(pointer).clone());
        }
    }

    fn expr(&mut self, _: &Expr) {}
}

fn is_int(expr: &Expr, n: i128) -> bool {
    matches!(expr.kind, ExprKind::Const(Const::Int(found)) if found == n)
}

fn ends(block: &Block) -> bool {
    block.stmts.last().is_some_and(|stmt| stmt.kind.is_jump())
}

fn put<K: Eq + Hash>(numbers: &mut FastMap<K, Number>, key: K, number: Option<Number>) {
    match number {
        Some(number) => numbers.insert(key, number),
        None => numbers.remove(&key),
    };
}

/// What a loop changes before control comes back to its head.
struct Stores<'a> {
    decls: &'a IndexVec<FunctionId, FunctionDecl>,
    stored: FastSet<LocalId>,
    roots: FastSet<LocalId>,
    types: FastSet<TyId>,
    calls: bool,
    moves: bool,
}

impl<'a> Stores<'a> {
    fn of(l: &Loop, decls: &'a IndexVec<FunctionId, FunctionDecl>) -> Stores<'a> {
        let mut stores = Stores {
            decls,
            stored: FastSet::default(),
            roots: FastSet::default(),
            types: FastSet::default(),
            calls: false,
            moves: false,
        };
        if let LoopTest::Before { head, .. } | LoopTest::After { head, .. } = &l.test {
            stores.block(head);
        }
        stores.block(&l.body);
        l.step.iter().for_each(|stmt| stores.stmt(stmt));
        stores
    }
}

impl Visitor for Stores<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        self.calls |= matches!(stmt.kind, StmtKind::Call { .. } | StmtKind::Try(_));
        self.moves |= stmt.kind.may_move(self.decls) || matches!(stmt.kind, StmtKind::Try(_));
        if let StmtKind::Consume { place, .. } | StmtKind::Restore { place, .. } = &stmt.kind {
            self.roots.extend(place.path_root());
        }
        crate::walk_stmt(self, stmt);
    }

    fn dest(&mut self, place: &Place) {
        match place.root_local() {
            Some(local) => drop(self.stored.insert(local)),
            None => self.roots.extend(place.path_root()),
        }
        // A store to a tag is a store to its union.
        let whole = match &place.kind {
            PlaceKind::Field(union, 0) => union.ty,
            _ => place.ty,
        };
        self.types.insert(whole);
    }

    fn expr(&mut self, _: &Expr) {}
}
