//! Keeping left-to-right evaluation: a value already computed is moved into a temporary only if what is evaluated after
//! it may change it.

use crate::builder::{load, Builder};
use crate::checked::unpinned_leaves;
use crate::place::Access;
use tenure_core::{
    walk_expr, walk_expr_mut, walk_place, walk_stmt, Expr, ExprKind, LocalId, Place, PlaceKind,
    Stmt, StmtKind, Ty, Visitor, VisitorMut,
};
use tenure_span::FastSet;

/// What statements may change.
#[derive(Default)]
struct Effects {
    /// Locals stored to directly.
    locals: FastSet<LocalId>,
    /// A call, or a store that is not to a local: anything in memory, and any local whose address is taken.
    memory: bool,
}

impl Visitor for Effects {
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Call { .. }
            | StmtKind::Alloc(_)
            | StmtKind::RegionExit(_)
            | StmtKind::Try(_) => self.memory = true,
            _ => {}
        }
        walk_stmt(self, stmt);
    }

    fn dest(&mut self, place: &Place) {
        match place.root_local() {
            Some(local) => {
                self.locals.insert(local);
            }
            None => self.memory = true,
        }
        self.place(place);
    }
}

/// Puts a temporary in the place of an expression.
struct Rename<'r> {
    value: &'r Expr,
    place: &'r Place,
}

impl VisitorMut for Rename<'_> {
    fn expr(&mut self, expr: &mut Expr) {
        if expr == self.value {
            *expr = load(self.place.clone());
        } else {
            walk_expr_mut(self, expr);
        }
    }
}

/// What an expression reads.
#[derive(Default)]
struct Reads {
    locals: FastSet<LocalId>,
    memory: bool,
}

impl Visitor for Reads {
    fn place(&mut self, place: &Place) {
        match place.root_local() {
            Some(local) => {
                self.locals.insert(local);
            }
            None => self.memory = true,
        }
        walk_place(self, place);
    }

    fn expr(&mut self, expr: &Expr) {
        if matches!(expr.kind, ExprKind::ZeroTermSize(_)) {
            self.memory = true;
        }
        walk_expr(self, expr);
    }
}

pub(crate) fn reads_local(expr: &Expr, local: LocalId) -> bool {
    let mut reads = Reads::default();
    reads.expr(expr);
    reads.locals.contains(&local)
}

impl Builder<'_, '_> {
    /// Runs `then`, and afterwards moves each of `kept` that `then`'s statements may have changed into a temporary set
    /// before them.
    pub(crate) fn keeping<R>(
        &mut self,
        kept: &mut [&mut Expr],
        then: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let mark = self.mark();
        self.kept_from.push((self.blocks.len(), mark));
        let result = then(self);
        self.kept_from.pop();
        if self.mark() == mark {
            return result;
        }
        let mut effects = Effects::default();
        for stmt in self.stmts_since(mark) {
            effects.stmt(stmt);
        }
        let mut at = mark;
        let mut held = Vec::new();
        for expr in kept {
            let given = self.given_away(expr, at);
            // A number is read before the object goes; a pointer would be followed after.
            let number = matches!(self.ty(expr.ty), Ty::Int(_) | Ty::Enum(_) | Ty::Float(_));
            if let (Some(span), false) = (given, number) {
                self.report_kept(span);
            }
            let steady = matches!(&expr.kind, ExprKind::Load(place) if self.steady.contains(place));
            if !steady && (given.is_some() || self.is_changed(expr, &effects)) {
                at += usize::from(self.hold_once(expr, at, &mut held));
            }
        }
        result
    }

    /// As [`Builder::hold`], but one temporary for all that are the same variable: their checks are on the first one's.
    /// False if there was one.
    fn hold_once(&mut self, expr: &mut Expr, at: usize, held: &mut Vec<(Expr, Expr)>) -> bool {
        if let Some((_, temp)) = held.iter().find(|(value, _)| value == expr) {
            *expr = temp.clone();
            return false;
        }
        let value = expr.clone();
        self.hold(expr, at);
        if self.is_fixed(&value) {
            held.push((value, expr.clone()));
        }
        true
    }

    /// Moves a value into a temporary that is set at the statement with number `at`.
    fn hold(&mut self, expr: &mut Expr, at: usize) {
        if expr.is_unpinned() {
            let mut leaves = Vec::new();
            unpinned_leaves(expr, &mut leaves);
            for leaf in leaves.into_iter().rev() {
                if !matches!(leaf.kind, ExprKind::Const(_)) {
                    self.hold(leaf, at);
                }
            }
            return;
        }
        let value = std::mem::replace(expr, self.zero(expr.ty));
        let temp = self.temp(value.ty);
        let place = self.local_place(temp);
        let before =
            if self.is_fixed(&value) { self.rename_around(at, &value, &place) } else { at };
        self.insert(before, StmtKind::Assign(place.clone(), value));
        *expr = load(place);
    }

    /// Makes `place` one that a store to `changed` leaves where it is.
    pub(crate) fn hold_place(&mut self, place: &mut Place, changed: &Place) {
        let mut effects = Effects::default();
        match changed.root_local() {
            Some(local) => drop(effects.locals.insert(local)),
            None => effects.memory = true,
        }
        let mut parts = Vec::new();
        place_operands(place, &mut parts);
        let mut held = Vec::new();
        for expr in parts {
            let steady = matches!(&expr.kind, ExprKind::Load(place) if self.steady.contains(place));
            if !steady && self.is_changed(expr, &effects) {
                let at = self.mark();
                self.hold_once(expr, at, &mut held);
            }
        }
    }

    /// Makes `place` one that nothing moves: what it is found by is in temporaries, but for unique paths.
    pub(crate) fn settle_place(&mut self, place: &mut Place) {
        let mut parts = Vec::new();
        place_operands(place, &mut parts);
        for expr in parts {
            let steady = matches!(&expr.kind, ExprKind::Load(place) if self.steady.contains(place));
            if !steady && !matches!(expr.kind, ExprKind::Const(_)) {
                let at = self.mark();
                self.hold(expr, at);
            }
        }
    }

    /// Where the checks begin that stand directly before a statement, as far as they are of the same operand: those of
    /// an operand before it, which is kept in its turn, stand before the statement at which it is set.
    fn first_check_before(&self, at: usize) -> usize {
        let depth = self.blocks.len();
        let outer = self.kept_from.iter().rev().find(|(other, _)| *other == depth);
        let from = outer.map_or(0, |&(_, mark)| mark.min(at));
        let checks = self.all_stmts()[from..at]
            .iter()
            .rev()
            .take_while(|stmt| matches!(stmt.kind, StmtKind::Check(_)));
        at - checks.count()
    }

    /// The checks of an access are on the temporary that the access uses, and so is what was read between. Gives the
    /// place where the temporary must be set.
    fn rename_around(&mut self, at: usize, value: &Expr, place: &Place) -> usize {
        let first = self.first_check_before(at);
        let locals = &self.locals;
        let is_temp = |place: &Place| matches!(place.kind, PlaceKind::Local(local) if locals[local].name.is_none());
        let harmless = |stmt: &Stmt| match &stmt.kind {
            StmtKind::Check(_) => true,
            StmtKind::Assign(place, _) => is_temp(place),
            _ => false,
        };
        let after = self.all_stmts()[at..].iter().take_while(|stmt| harmless(stmt)).count();
        let mut rename = Rename { value, place };
        for stmt in &mut self.stmts_mut()[first..at + after] {
            rename.stmt(stmt);
        }
        first
    }

    /// The same for a place: the values in it (indices, pointers) are kept, not what is stored there.
    pub(crate) fn keeping_place<R>(
        &mut self,
        place: &mut Place,
        then: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let mut parts = Vec::new();
        place_operands(place, &mut parts);
        self.keeping(&mut parts, then)
    }

    /// The same for a place whose checks have been made and that will be gone to after `then`: where that may have set
    /// another member of a tagged union on the way, the tag is checked again.
    pub(crate) fn keeping_access<R>(
        &mut self,
        place: &mut Place,
        access: Access,
        then: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let mark = self.mark();
        let result = self.keeping_place(place, then);
        let mut effects = Effects::default();
        for stmt in self.stmts_since(mark) {
            effects.stmt(stmt);
        }
        if self.is_changed(&load(place.clone()), &effects) {
            self.check_tags(place, access);
        }
        result
    }

    fn is_changed(&self, expr: &Expr, effects: &Effects) -> bool {
        let mut reads = Reads::default();
        reads.expr(expr);
        (reads.memory && effects.memory)
            || reads.locals.iter().any(|local| {
                effects.locals.contains(local)
                    || (effects.memory && self.locals[*local].address_taken)
            })
            || (reads.memory
                && effects.locals.iter().any(|local| self.locals[*local].address_taken))
    }
}

fn place_operands<'p>(place: &'p mut Place, parts: &mut Vec<&'p mut Expr>) {
    match &mut place.kind {
        PlaceKind::Local(_) | PlaceKind::Global(_) => {}
        PlaceKind::Deref(pointer) => parts.push(pointer),
        PlaceKind::Field(base, _) => place_operands(base, parts),
        PlaceKind::Index(base, index) => {
            parts.push(index);
            place_operands(base, parts);
        }
        PlaceKind::PtrIndex(pointer, index) | PlaceKind::FatIndex(pointer, index) => {
            parts.push(pointer);
            parts.push(index);
        }
    }
}
