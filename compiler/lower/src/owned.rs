//! Ownership made explicit: each copy of an owned place consumes it, each store gives ownership to its place, a loan
//! begins and ends, and a pattern gives back what its clause did not use.
//!
//! The checker has said where a copy may be made (`hir::ExprKind::Move`); this module writes the statements that the
//! flow analysis reads. They name *leaves*: places that hold one owned pointer, or something owned that is only ever
//! moved whole.

use crate::builder::{load, Builder, Cleanup};
use crate::place::Access;
use tenure_core::{
    walk_expr, walk_place, Callee, CastKind, ConsumeHow, Expr, ExprKind, FunctionId, IntTy, Local,
    LocalId, Owned, Place, PlaceKind, Program, Quals, RecordKind, RestoreHow, Stmt, StmtKind, Ty,
    TyId, Visitor,
};
use tenure_span::{Diagnostic, Span};
use tenure_types::hir::{self, CountedOp};
use tenure_types::ty::{self, Bounds, TypeId};

const UNIQUE_FREE: &str = "tn_unique_free";
const COUNTED_DROP: &str = "tn_counted_drop";

/// A variable that a pattern bound to an owned place, and that place.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    pub(crate) local: LocalId,
    pub(crate) leaf: Place,
}

impl Builder<'_, '_> {
    /// The discipline of a type whose copies are moves.
    pub(crate) fn owned(&self, ty: TypeId) -> Option<Owned> {
        self.lowerer.unit.types.owned(ty).map(|owned| match owned {
            ty::Owned::Unique => Owned::Unique,
            ty::Owned::Counted => Owned::Counted,
            ty::Owned::Aggregate => Owned::Aggregate,
        })
    }

    /// Whether the expression is a unique path: a local, members of it, and what its unique pointers point to.
    pub(crate) fn is_path(&self, expr: &hir::Expr) -> bool {
        match &expr.kind {
            hir::ExprKind::Local(local) => {
                self.body.is_some_and(|body| self.owned(body.locals[*local].ty.ty).is_some())
            }
            hir::ExprKind::Field(base, _) => self.is_path(base),
            hir::ExprKind::Deref(pointer) => {
                self.owned(pointer.ty) == Some(Owned::Unique) && self.is_path(pointer)
            }
            hir::ExprKind::Coerce(hir::Coercion::Same | hir::Coercion::NonNull, inner) => {
                self.is_path(inner)
            }
            _ => false,
        }
    }

    /// Whether the flow analysis follows the place: it is a path whose local owns something.
    pub(crate) fn is_tracked(&self, place: &Place) -> bool {
        path_root(place).is_some_and(|local| self.locals[local].owned.is_some())
    }

    /// An owned pointer that is about to be followed. One that is loaded from a unique path stays that load: nothing
    /// but what the flow analysis sees can change it. One from anywhere else, or from a variable whose address is
    /// taken, is read once, and noted, for a call may free what it points to.
    pub(crate) fn used_pointer(&mut self, value: Expr, pointer: &hir::Expr) -> Expr {
        if self.owned(pointer.ty).is_none() || !looks_at_a_place(pointer) {
            return value;
        }
        if self.is_path(pointer) {
            if let ExprKind::Load(place) = &value.kind {
                if !path_root(place).is_some_and(|local| self.locals[local].address_taken) {
                    self.steady.push(place.clone());
                    return value;
                }
            }
        }
        let held = self.save(value);
        if let ExprKind::Load(Place { kind: PlaceKind::Local(local), .. }) = held.kind {
            self.peeked.insert(local);
        }
        held
    }

    /// The leaves of an owned value of type `ty` at `place`.
    fn leaves(&mut self, place: &Place, ty: TypeId) -> Vec<Place> {
        let mut leaves: Vec<Place> = Vec::new();
        for (path, _) in self.lowerer.unit.types.owned_leaves(ty) {
            let leaf = self.field_place(place.clone(), ty, &path, Access::Write);
            let leaf = self.leaf(leaf);
            // Parts of a union's member are the same union, and come one after another.
            if leaves.last() != Some(&leaf) {
                leaves.push(leaf);
            }
        }
        leaves
    }

    /// A tagged union is owned as a whole, so a member of one stands for it.
    pub(crate) fn leaf(&self, place: Place) -> Place {
        self.outermost_union(&place).unwrap_or(place)
    }

    fn outermost_union(&self, place: &Place) -> Option<Place> {
        match &place.kind {
            PlaceKind::Field(base, _) => self.outermost_union(base).or_else(|| {
                let Ty::Record(record) = *self.ty(base.ty) else { return None };
                let kind = self.lowerer.program.types.records[record].kind;
                (kind == RecordKind::TaggedUnion).then(|| (**base).clone())
            }),
            PlaceKind::Deref(pointer) => {
                path_of(pointer).and_then(|inner| self.outermost_union(inner))
            }
            _ => None,
        }
    }

    /// A copy of an owned place: its value, and the place has given it away.
    pub(crate) fn move_out(&mut self, expr: &hir::Expr) -> Expr {
        let place = self.place(expr, Access::Read);
        let value = self.save(load(place.clone()));
        if self.is_path(expr) && self.is_tracked(&place) {
            for leaf in self.leaves(&place, expr.ty) {
                self.emit(StmtKind::Consume { place: leaf, how: ConsumeHow::Move });
            }
        }
        value
    }

    /// After a store to `place` through the expression `target`.
    pub(crate) fn stored(&mut self, target: &hir::Expr, place: &Place) {
        if self.owned(target.ty).is_some() && self.is_path(target) && self.is_tracked(place) {
            self.restore_leaves(place, target.ty);
        }
    }

    /// After the initialisation of a part of a local, or of all of it.
    pub(crate) fn initialised(&mut self, place: &Place, ty: TypeId) {
        if self.is_local_part(place) && self.owned(ty).is_some() {
            self.restore_leaves(place, ty);
        }
    }

    /// After an initialiser that left the members outside `written` zero.
    pub(crate) fn initialised_rest(&mut self, place: &Place, ty: TypeId, written: &[u32]) {
        if !self.is_local_part(place) || self.owned(ty).is_none() {
            return;
        }
        for (path, _) in self.lowerer.unit.types.owned_leaves(ty) {
            if path.first().is_some_and(|first| !written.contains(first)) {
                let leaf = self.field_place(place.clone(), ty, &path, Access::Write);
                let place = self.leaf(leaf);
                self.emit(StmtKind::Restore { place, how: RestoreHow::Store });
            }
        }
    }

    /// A tagged union that was matched holds a member that owns nothing.
    pub(crate) fn found_empty(&mut self, union: &Place) {
        if self.is_tracked(union) && self.leaf(union.clone()) == *union {
            self.emit(StmtKind::Restore { place: union.clone(), how: RestoreHow::Empty });
        }
    }

    /// After a store of a member that owns nothing to a tagged union.
    pub(crate) fn replaced(&mut self, target: &hir::Expr, place: &Place) {
        if self.owned(target.ty).is_some() || !self.is_path(target) {
            return;
        }
        let union = place.tagged_union(&self.lowerer.program.types);
        if let Some(union) = union.filter(|union| self.is_tracked(union)) {
            let place = self.leaf(union.clone());
            if place == *union {
                self.emit(StmtKind::Restore { place, how: RestoreHow::Clear });
            }
        }
    }

    fn restore_leaves(&mut self, place: &Place, ty: TypeId) {
        for place in self.leaves(place, ty) {
            self.emit(StmtKind::Restore { place, how: RestoreHow::Store });
        }
    }

    /// Members, not behind any pointer, of a local that owns something.
    pub(crate) fn is_local_part(&self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Local(local) => self.locals[*local].owned.is_some(),
            PlaceKind::Field(base, _) => self.is_local_part(base),
            _ => false,
        }
    }

    /// Parameters that are structs own their parts from the start.
    pub(crate) fn own_params(&mut self, body: &hir::Body) {
        for &param in &body.params {
            let ty = body.locals[param].ty.ty;
            if self.owned(ty) == Some(Owned::Aggregate) {
                let local = self.declare_user(param);
                let place = self.local_place(local);
                self.restore_leaves(&place, ty);
            }
        }
    }

    /// Puts an owned value into a temporary that the flow analysis follows.
    pub(crate) fn kept(&mut self, value: Expr, ty: TypeId) -> Place {
        let local = Local { owned: self.owned(ty), ..self.new_local(value.ty) };
        let local = self.declare(local);
        let place = self.local_place(local);
        self.emit(StmtKind::Init(place.clone(), value));
        self.restore_leaves(&place, ty);
        place
    }

    /// An owned result that nobody takes.
    pub(crate) fn dropped(&mut self, value: Expr, ty: TypeId) {
        if !matches!(self.ty(value.ty), Ty::Void) {
            self.kept(value, ty);
        }
    }

    /// `let alias<`r> a = x;`: to the end of the scope.
    pub(crate) fn alias(&mut self, local: hir::LocalId, value: &hir::Expr) {
        if self.pins(value) {
            return self.alias_reference(local, value);
        }
        let path = without_conversions(value);
        let (lent, place) = if path.is_place() {
            let lent = self.value(value);
            let place = self.place(path, Access::Read);
            let tracked = self.is_path(path) && self.is_tracked(&place);
            (lent, tracked.then(|| self.leaf(place)))
        } else {
            let lent = self.value(value);
            let place = self.kept(lent, value.ty);
            (load(place.clone()), Some(place))
        };
        let local = self.declare_user(local);
        let target = self.local_place(local);
        let lent = self.adapt(lent, target.ty);
        self.emit(StmtKind::Init(target, lent));
        if let Some(place) = place.clone() {
            self.emit(StmtKind::Consume { place, how: ConsumeHow::Borrow });
        }
        self.cleanups.push(Cleanup::Alias(place));
    }

    /// `region h = open(key);`: to the end of the scope.
    pub(crate) fn open(&mut self, handle: hir::LocalId, key: &hir::Expr) {
        let place = if key.is_place() {
            self.place(key, Access::Read)
        } else {
            let value = self.value(key);
            self.kept(value, key.ty)
        };
        let tracked = self.is_tracked(&place);
        let value = self.save(load(place.clone()));
        let ExprKind::Load(held) = value.kind else { return };
        if tracked {
            let place = self.leaf(place.clone());
            self.emit(StmtKind::Consume { place, how: ConsumeHow::Borrow });
        }
        let handle = self.declare_user(handle);
        self.emit(StmtKind::Open { key: held.clone(), handle });
        let lent = tracked.then(|| self.leaf(place));
        self.cleanups.push(Cleanup::Open { key: held, handle, lent });
    }

    /// `free(p)`.
    pub(crate) fn free(&mut self, pointer: &hir::Expr) {
        if self.owned(pointer.ty) == Some(Owned::Unique) {
            self.release(pointer, UNIQUE_FREE);
        } else {
            self.effect(pointer);
        }
    }

    /// `alias_refptr(p)`, `drop_refptr(p)`, `refptr_count(p)`.
    pub(crate) fn counted(&mut self, op: CountedOp, pointer: &hir::Expr, ty: TypeId) -> Expr {
        match op {
            CountedOp::Drop => {
                self.release(pointer, COUNTED_DROP);
                self.zero_of(ty)
            }
            CountedOp::Alias => {
                let value = self.value(pointer);
                let value = self.save(value);
                let object = self.object(value.clone());
                let void = object.ty;
                let again = self.temp(void);
                let dest = self.local_place(again);
                self.call_runtime("tn_counted_alias", Some(dest), void, vec![object]);
                value
            }
            CountedOp::Count => {
                let value = self.value(pointer);
                let object = self.object(value);
                let count = self.int_ty(IntTy::ULong);
                let temp = self.temp(count);
                let dest = self.local_place(temp);
                self.call_runtime("tn_counted_count", Some(dest.clone()), count, vec![object]);
                let wanted = self.repr(ty);
                self.convert(load(dest), wanted)
            }
        }
    }

    /// Gives a pointer back to the allocator it came from, by the runtime's function.
    fn release(&mut self, pointer: &hir::Expr, function: &'static str) {
        let value = if pointer.is_place() {
            let place = self.place(pointer, Access::Read);
            let value = self.save(load(place.clone()));
            if self.is_path(pointer) && self.is_tracked(&place) {
                let parts = self.parts(pointer, &place);
                let place = self.leaf(place);
                self.emit(StmtKind::Consume { place, how: ConsumeHow::Free { parts } });
            }
            value
        } else {
            self.value(pointer)
        };
        self.release_to(value, function);
    }

    fn release_to(&mut self, value: Expr, function: &'static str) {
        let object = self.object(value);
        let void = self.intern(Ty::Void);
        self.call_runtime(function, None, void, vec![object]);
    }

    /// Frees the memory behind the value of a unique pointer.
    pub(crate) fn release_value(&mut self, value: Expr) {
        self.release_to(value, UNIQUE_FREE);
    }

    /// A unique path, perhaps under conversions, has given its pointer away.
    pub(crate) fn give_away(&mut self, pointer: &hir::Expr) {
        let path = without_conversions(pointer);
        let place = self.place(path, Access::Read);
        if self.is_path(path) && self.is_tracked(&place) {
            let place = self.leaf(place);
            self.emit(StmtKind::Consume { place, how: ConsumeHow::Move });
        }
    }

    /// The owned leaves of the object behind a pointer that is freed.
    fn parts(&mut self, pointer: &hir::Expr, place: &Place) -> Vec<Place> {
        let Some(shape) = self.pointer(pointer.ty).cloned() else { return Vec::new() };
        let Bounds::Thin(size) = shape.bounds else { return Vec::new() };
        let is_one = self.lowerer.constant_size(size) == Some(1) && !shape.zeroterm;
        if !is_one || self.owned(pointer.ty) != Some(Owned::Unique) {
            return Vec::new();
        }
        // Of a datatype's object it is not known which constructor's parts are there.
        let datatype = matches!(self.lowerer.unit.types.get(shape.elem.ty), ty::Type::Datatype(..));
        if datatype || self.owned(shape.elem.ty).is_none() {
            return Vec::new();
        }
        let ty = self.repr(shape.elem.ty);
        let object = Place { kind: PlaceKind::Deref(Box::new(load(place.clone()))), ty };
        self.leaves(&object, shape.elem.ty)
    }

    /// A pointer's object as `void *`.
    fn object(&mut self, pointer: Expr) -> Expr {
        let void = self.intern(Ty::Void);
        let wanted = self.intern(Ty::Ptr { to: void, quals: Quals::default() });
        if let Ty::Fat { to, quals } = *self.ty(pointer.ty) {
            let thin = self.intern(Ty::Ptr { to, quals });
            let base = Expr { kind: ExprKind::FatBase(Box::new(pointer)), ty: thin };
            return self.adapt(base, wanted);
        }
        self.adapt(pointer, wanted)
    }

    /// A call of a function of the runtime that cannot raise.
    pub(crate) fn call_runtime(
        &mut self,
        name: &'static str,
        dest: Option<Place>,
        result: TyId,
        args: Vec<Expr>,
    ) {
        let params = args.iter().map(|arg| arg.ty).collect();
        let function = self.lowerer.runtime_function(name, result, params);
        let callee = Callee::Direct(function);
        self.emit(StmtKind::Call { dest, callee, args, may_throw: false });
    }

    /// Before and after a swap: both sides must be whole, and are whole again.
    pub(crate) fn swap_leaves(&mut self, sides: &[(&hir::Expr, &Place)]) -> Vec<Place> {
        let mut leaves = Vec::new();
        for &(expr, place) in sides {
            if self.is_path(expr) && self.is_tracked(place) && self.owned(expr.ty).is_some() {
                leaves.extend(self.leaves(place, expr.ty));
            }
        }
        leaves
    }

    /// An object that is exchanged with a part of itself would own itself.
    pub(crate) fn check_apart(&mut self, sides: [(&hir::Expr, &Place); 2]) {
        let [a, b] = sides.map(|side| self.swap_leaves(&[side]));
        let inside = |outer: &[Place], inner: &[Place]| {
            outer.iter().any(|o| inner.iter().any(|i| o != i && is_prefix(o, i)))
        };
        let [(first, _), (second, _)] = sides;
        let (outer, part) = match (inside(&a, &b), inside(&b, &a)) {
            (true, _) => (first.span, second.span),
            (_, true) => (second.span, first.span),
            _ => return,
        };
        self.reported_moves.insert(self.span);
        let text = "an object is exchanged with what it owns itself";
        self.lowerer.report(
            Diagnostic::error("E0748", text, part)
                .label("this place lies in the object of the other")
                .secondary(outer, "which is this one's")
                .help("take the part out first: `t :=: x->part`, then `t :=: x`"),
        );
    }

    /// The variables that a pattern binds to owned places take them over, now that it has matched.
    pub(crate) fn take_bound(&mut self, pending: Vec<(LocalId, Place, TypeId)>) -> Vec<Bound> {
        let mut taken = Vec::new();
        let leaves: Vec<Place> =
            pending.iter().map(|(_, place, _)| self.leaf(place.clone())).collect();
        for (local, place, _) in &pending {
            let target = self.local_place(*local);
            let value = self.adapt(load(place.clone()), target.ty);
            self.emit(StmtKind::Init(target, value));
        }
        for (index, (local, place, ty)) in pending.into_iter().enumerate() {
            let target = self.local_place(local);
            let leaf = leaves[index].clone();
            if self.is_tracked(&leaf) {
                // Several parts of one union are owned by their variables alone: no one of them stands for the whole.
                let shared = leaves.iter().filter(|other| **other == leaf).count() > 1;
                let is_one = !shared && self.owned(ty) != Some(Owned::Aggregate);
                let how = if is_one { ConsumeHow::Bind(local) } else { ConsumeHow::Move };
                if !leaves[..index].contains(&leaf) {
                    for place in self.leaves(&place, ty) {
                        self.emit(StmtKind::Consume { place, how: how.clone() });
                    }
                }
                if is_one {
                    taken.push(Bound { local, leaf });
                }
            }
            self.restore_leaves(&target, ty);
        }
        taken
    }

    /// Where the statements since `mark` give away, or may free, what `kept` reads through a pointer.
    pub(crate) fn given_away(&self, kept: &Expr, mark: usize) -> Option<Span> {
        let mut loads = Loads::default();
        loads.expr(kept);
        loads.paths.retain(|path| self.is_tracked(path));
        let peeks = loads.locals.iter().any(|local| self.peeked.contains(local));
        if loads.paths.is_empty() && !peeks {
            return None;
        }
        let mut given = Given::new(&self.lowerer.program);
        for stmt in self.all_stmts().iter().skip(mark) {
            given.stmt(stmt);
        }
        let gone = given.places.iter().find(|(given, lent, _)| {
            let goes = |path| is_prefix(given, path) && !(*lent && given == path);
            loads.paths.iter().any(goes)
        });
        let freed = given.calls.first().filter(|_| peeks);
        gone.map(|(_, _, span)| *span).or(freed.copied())
    }

    /// An expression goes on to use a pointer that was given away inside it.
    pub(crate) fn report_kept(&mut self, span: Span) {
        let used = self.span;
        if self.reported_moves.insert(span) {
            self.lowerer.report(
                Diagnostic::error(
                    "E0355",
                    "a pointer is given away or changed while the same expression still uses it",
                    span,
                )
                .label("it goes here")
                .secondary(used, "the expression goes on to use the old pointer")
                .help("do this in a statement of its own, before or after"),
            );
        }
    }
}

/// What stands under conversions of a pointer.
pub(crate) fn without_conversions(expr: &hir::Expr) -> &hir::Expr {
    match &expr.kind {
        hir::ExprKind::Coerce(_, inner) => without_conversions(inner),
        _ => expr,
    }
}

/// Loads of paths inside an expression.
#[derive(Default)]
pub(crate) struct Loads {
    pub(crate) paths: Vec<Place>,
    locals: Vec<LocalId>,
}

impl Visitor for Loads {
    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::Load(place) = &expr.kind {
            if let Some(root) = path_root(place) {
                self.paths.push(place.clone());
                self.locals.push(root);
            }
        }
        walk_expr(self, expr);
    }

    fn place(&mut self, place: &Place) {
        walk_place(self, place);
    }
}

/// Places whose pointers go away or change in statements, and calls that may free what other places own.
pub(crate) struct Given<'p> {
    program: &'p Program,
    /// Whether it was only lent: then the pointer stays, but what lies behind it may change.
    pub(crate) places: Vec<(Place, bool, Span)>,
    calls: Vec<Span>,
}

impl<'p> Given<'p> {
    pub(crate) fn new(program: &'p Program) -> Given<'p> {
        Given { program, places: Vec::new(), calls: Vec::new() }
    }

    /// A function of C's cannot reach a place that owns something; the runtime's own that free can.
    fn may_free(&self, callee: &Callee, may_throw: bool) -> bool {
        let is_release = |id: &FunctionId| {
            let name = self.program.decls[*id].c_name;
            name.as_str() == UNIQUE_FREE || name.as_str() == COUNTED_DROP
        };
        may_throw || matches!(callee, Callee::Direct(id) if is_release(id))
    }
}

impl Visitor for Given<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Consume { place, how } => {
                let lent = matches!(how, ConsumeHow::Borrow);
                self.places.push((place.clone(), lent, stmt.span));
            }
            StmtKind::Restore { place, how: RestoreHow::Store } => {
                self.places.push((place.clone(), false, stmt.span));
            }
            StmtKind::Call { callee, may_throw, .. } if self.may_free(callee, *may_throw) => {
                self.calls.push(stmt.span);
            }
            _ => {}
        }
        tenure_core::walk_stmt(self, stmt);
    }
}

/// Whether `outer` is `inner` or a place on the way to it.
pub(crate) fn is_prefix(outer: &Place, inner: &Place) -> bool {
    if outer == inner {
        return true;
    }
    match &inner.kind {
        PlaceKind::Field(base, _) => is_prefix(outer, base),
        PlaceKind::Deref(pointer) => path_of(pointer).is_some_and(|base| is_prefix(outer, base)),
        _ => false,
    }
}

/// The place that a pointer expression loads, through changes of its type.
fn path_of(pointer: &Expr) -> Option<&Place> {
    match &pointer.kind {
        ExprKind::Load(place) => Some(place),
        ExprKind::Cast(CastKind::PtrView | CastKind::FromWord, inner) => path_of(inner),
        _ => None,
    }
}

fn path_root(place: &Place) -> Option<LocalId> {
    match &place.kind {
        PlaceKind::Local(local) => Some(*local),
        PlaceKind::Field(base, _) => path_root(base),
        PlaceKind::Deref(pointer) => path_of(pointer).and_then(path_root),
        _ => None,
    }
}

/// Whether the pointer may be one that a place holds still: what is new, or was moved, is in no other place.
fn looks_at_a_place(pointer: &hir::Expr) -> bool {
    use hir::ExprKind as E;
    let pointer = without_conversions(pointer);
    match &pointer.kind {
        // A loan keeps its owner from going away.
        E::Call(_)
        | E::New { .. }
        | E::Malloc { .. }
        | E::Move(_)
        | E::Counted(..)
        | E::Checked(..)
        | E::Borrow(_) => false,
        _ => true,
    }
}
