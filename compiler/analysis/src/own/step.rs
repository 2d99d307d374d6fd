//! What one item of a block does to ownership.

use super::path::{PathId, Step};
use super::problem::{Problem, Wish};
use super::shared::mentions;
use super::solve::Engine;
use super::state::{Fact, Gone, Mark, Site, State, Way};
use crate::cfg::Item;
use tenure_core::{
    CastKind, Const, ConsumeHow, Expr, ExprKind, LocalId, Place, PlaceKind, RestoreHow, Stmt,
    StmtKind, Ty, Visitor,
};
use tenure_span::Span;

/// Problems are collected once the states are known.
pub type Found = Option<Vec<Problem>>;

impl Engine<'_> {
    pub fn item(&mut self, site: Site, item: &Item, state: &mut State, found: &mut Found) {
        match *item {
            Item::Enter(locals) => self.forget(locals, state),
            Item::Leave(locals, span) => {
                if let Some(found) = found {
                    self.end_of_scope(locals, span, state, found);
                }
                self.forget(locals, state);
            }
            Item::Caught(_) => {}
            Item::Test(expr, span) => self.uses(state, found, span, |uses| uses.expr(expr)),
            Item::Check(_, check, _) => {
                self.uses(state, found, check.span, |uses| uses.check(check));
            }
            Item::Result(stmt) => self.result(stmt, state),
            Item::Stmt(stmt) => match &stmt.kind {
                StmtKind::Consume { place, how } => {
                    let Some(at) = self.paths.find(place) else { return };
                    self.consume(at.path, how, site, state, found);
                }
                StmtKind::Restore { place, how } => {
                    let Some(at) = self.paths.find(place) else { return };
                    self.restore(at.path, how, site, state, found);
                }
                _ => {
                    let visit = |uses: &mut Uses| tenure_core::walk_operands(uses, stmt);
                    self.uses(state, found, stmt.span, visit);
                    self.statement(stmt, state);
                }
            },
        }
    }

    fn forget(&self, locals: &[LocalId], state: &mut State) {
        for &local in locals {
            match self.paths.root_of_local(local) {
                Some(root) => {
                    state.remove(&self.paths, root);
                    state.replaced.remove(&local);
                }
                None => {
                    state.facts.remove(&local);
                    state.empty_parts.remove(&local);
                }
            }
        }
    }

    fn uses(
        &self,
        state: &State,
        found: &mut Found,
        span: Span,
        visit: impl FnOnce(&mut Uses<'_, '_>),
    ) {
        if let Some(found) = found {
            visit(&mut Uses { engine: self, state, span, found });
        }
    }

    fn statement(&self, stmt: &Stmt, state: &mut State) {
        match &stmt.kind {
            StmtKind::Init(place, value) => self.stored_value(place, value, state),
            StmtKind::Assign(place, value) => {
                self.replaces(place, state);
                self.stored_value(place, value, state);
            }
            StmtKind::Zero(place) => {
                self.replaces(place, state);
                self.stored(place, Some(Fact::Null), state);
            }
            StmtKind::Open { key, .. } => {
                let path = match key.kind {
                    PlaceKind::Local(local) => match state.facts.get(&local) {
                        Some(Fact::Same(path)) => Some(*path),
                        _ => self.paths.root_of_local(local),
                    },
                    _ => self.paths.find(key).map(|at| at.path),
                };
                let Some(path) = path else { return };
                if let Mark::Borrowed { at, since, null, .. } = state.at(&self.paths, path) {
                    state.set(&self.paths, path, Mark::Borrowed { at, since, null, open: true });
                }
            }
            _ => {}
        }
    }

    fn result(&self, stmt: &Stmt, state: &mut State) {
        match &stmt.kind {
            StmtKind::Call { dest: Some(place), .. } => {
                self.replaces(place, state);
                self.stored(place, None, state);
            }
            StmtKind::Alloc(alloc) => {
                self.replaces(&alloc.dest, state);
                if let PlaceKind::Local(local) = alloc.dest.kind {
                    state.empty_parts.remove(&local);
                }
                let fact = alloc.zeroed.then_some(Fact::Zeroed);
                self.stored(&alloc.dest, fact, state);
            }
            StmtKind::Pin { dest, .. } => self.stored(dest, None, state),
            _ => {}
        }
    }

    fn replaces(&self, place: &Place, state: &mut State) {
        if let PlaceKind::Local(local) = place.kind {
            if self.paths.root_of_local(local).is_some() {
                state.replaced.insert(local);
            }
        }
    }

    fn stored_value(&self, place: &Place, value: &Expr, state: &mut State) {
        if let ExprKind::Aggregate(parts) = &value.kind {
            if let Some(at) = self.paths.find(place).filter(|at| at.exact) {
                // Parts that are left out are zero.
                state.stored.push((at.path, Some(Fact::Null)));
                for (field, part) in parts {
                    let step = Step::Field(*field);
                    let child = self.paths.children(at.path).find(|&c| self.paths.step(c) == step);
                    if let Some(child) = child {
                        state.stored.push((child, self.fact(part, state)));
                    }
                }
                return;
            }
        }
        let fact = self.fact(value, state);
        self.filled(place, value, state);
        self.stored(place, fact, state);
        if let Some(at) = self.paths.find(place).filter(|at| at.exact) {
            let empty = self.emptied(at.path, value, state);
            state.stored.extend(empty.into_iter().map(|part| (part, Some(Fact::Null))));
        }
        // From now on the temporary tells about the path.
        let (Some(at), None, Some(from)) = (self.paths.find(place), fact, temporary(value)) else {
            return;
        };
        if at.exact && self.paths.root_of_local(from).is_none() {
            state.facts.insert(from, Fact::Same(at.path));
        }
    }

    /// Notes what is stored. A path is live only once `Restore` says so.
    fn stored(&self, place: &Place, fact: Option<Fact>, state: &mut State) {
        if let PlaceKind::Local(local) = place.kind {
            state.nulls.retain(|null| !mentions(null, local));
        }
        if let Some(at) = self.paths.find(place) {
            if at.exact {
                state.stored.push((at.path, fact));
                state.facts.retain(|_, fact| match fact {
                    Fact::Same(path) => !self.paths.is_within(*path, at.path),
                    _ => true,
                });
            } else if self.is_member_of(place, at.path) {
                // One member is all that the union holds.
                state.stored.push((at.path, fact.filter(|fact| *fact == Fact::Null)));
            }
            return;
        }
        match (&place.kind, fact) {
            (PlaceKind::Local(local), Some(fact)) => drop(state.facts.insert(*local, fact)),
            (PlaceKind::Local(local), None) => drop(state.facts.remove(local)),
            (_, fact) if !state.swapping.is_empty() || !state.nulls.is_empty() => {
                let written = self.definitions.written(place);
                state.nulls.retain(|null| *null != written);
                if fact == Some(Fact::Null) && !state.swapping.is_empty() {
                    state.nulls.push(written);
                }
            }
            _ => {}
        }
    }

    /// Whether the place is a whole member of the tagged union at the path.
    fn is_member_of(&self, place: &Place, path: PathId) -> bool {
        let union = place.tagged_union(&self.program.types);
        let union = union.and_then(|union| self.paths.find(union));
        union.is_some_and(|at| at.exact && at.path == path)
    }

    /// What is known of a value.
    pub fn fact(&self, expr: &Expr, state: &State) -> Option<Fact> {
        match &expr.kind {
            ExprKind::Const(Const::Zero | Const::Int(0)) => Some(Fact::Null),
            ExprKind::Cast(
                CastKind::PtrView | CastKind::FatView | CastKind::ToWord | CastKind::FromWord,
                inner,
            )
            | ExprKind::MakeFat { base: inner, .. }
            | ExprKind::FatBase(inner)
            | ExprKind::FatCur(inner) => self.fact(inner, state),
            ExprKind::Cond(_, a, b) => {
                self.fact(a, state).filter(|fact| Some(*fact) == self.fact(b, state))
            }
            ExprKind::Load(place) => {
                if let PlaceKind::Local(local) = place.kind {
                    if let Some(fact) = state.facts.get(&local) {
                        return Some(*fact);
                    }
                    if state.empty_parts.contains_key(&local) {
                        return Some(Fact::Fresh(local));
                    }
                }
                let Some(at) = self.paths.find(place) else {
                    let is_null = !state.nulls.is_empty()
                        && state.nulls.contains(&self.definitions.written(place));
                    return is_null.then_some(Fact::Null);
                };
                let path = Some(at).filter(|at| at.exact)?.path;
                match state.at(&self.paths, path) {
                    Mark::Null => Some(Fact::Null),
                    Mark::Live { zeroed: true, .. }
                        if state.below(&self.paths, path).is_empty() =>
                    {
                        Some(Fact::Zeroed)
                    }
                    _ => Some(Fact::Same(path)),
                }
            }
            _ => None,
        }
    }

    fn consume(
        &self,
        path: PathId,
        how: &ConsumeHow,
        site: Site,
        state: &mut State,
        found: &mut Found,
    ) {
        let wish = match how {
            ConsumeHow::Move => Wish::Move,
            ConsumeHow::Free { .. } => Wish::Free,
            ConsumeHow::Borrow => Wish::Lend,
            ConsumeHow::Bind(_) => Wish::Bind,
            ConsumeHow::Swap => Wish::Swap,
        };
        let at = self.sites.span(site);
        if let Some(found) = found {
            self.check_consumed(path, wish, at, state, found);
            if let ConsumeHow::Free { parts } = how {
                self.check_parts(path, parts, at, state, found);
            }
        }
        let (since, null) = match state.at(&self.paths, path) {
            Mark::Live { since, .. } => (since, false),
            Mark::Null => (site, true),
            Mark::Unassigned => (site, false),
            // An error; the state stays what it is.
            Mark::Borrowed { .. } | Mark::Gone(_) | Mark::Maybe(_) => return,
        };
        let missing = |&(_, mark): &(PathId, Mark)| match mark {
            Mark::Borrowed { .. } => true,
            Mark::Gone(_) | Mark::Maybe(_) => wish != Wish::Free,
            _ => false,
        };
        if state.below(&self.paths, path).iter().any(missing) {
            return;
        }
        let gone = |way| Mark::Gone(Gone { at: site, way });
        let mark = match how {
            ConsumeHow::Move => gone(Way::Moved),
            ConsumeHow::Free { .. } => gone(Way::Freed),
            ConsumeHow::Bind(local) => gone(Way::Bound(*local)),
            ConsumeHow::Borrow => Mark::Borrowed { at: site, since, null, open: false },
            ConsumeHow::Swap => {
                state.swapping.push(path);
                return;
            }
        };
        state.set(&self.paths, path, mark);
    }

    /// Requirements on a path that is given away: it is there, whole, and nobody else's.
    fn check_consumed(
        &self,
        path: PathId,
        wish: Wish,
        at: Span,
        state: &State,
        found: &mut Vec<Problem>,
    ) {
        if let Some(problem) = self.not_usable(path, wish, at, state) {
            found.push(problem);
            return;
        }
        for (part, mark) in state.below(&self.paths, path) {
            match mark {
                Mark::Borrowed { at: by, open, .. } => {
                    found.push(Problem::Lent { path: part, at, by, open, wish });
                }
                Mark::Gone(gone) | Mark::Maybe(gone) if wish != Wish::Free => {
                    found.push(Problem::NotWhole { path, part, at, gone, wish });
                }
                _ => {}
            }
        }
        if wish != Wish::Swap {
            let mut above = Some(path);
            while let Some(prefix) = above {
                if let Some(&(path, address)) = self.exposed.get(&prefix) {
                    found.push(Problem::Exposed { path, at, address });
                    break;
                }
                above = self.paths.parent(prefix);
            }
        }
        let inside = self.paths.is_behind_pointer(path);
        let stays = match wish {
            Wish::Lend | Wish::Bind => true,
            Wish::Swap => inside,
            _ => false,
        };
        if self.is_kept(path) && !stays {
            found.push(Problem::Kept { path, at, wish });
        }
    }

    /// The root is a parameter that the call does not consume, or bound to a part of one.
    fn is_kept(&self, path: PathId) -> bool {
        self.kept.contains_key(&self.paths.local(path))
    }

    fn not_usable(&self, path: PathId, wish: Wish, at: Span, state: &State) -> Option<Problem> {
        let (holder, mark) = state.holder(&self.paths, path);
        match mark {
            Mark::Gone(gone) => {
                Some(Problem::Used { path: holder, at, gone, some_way: false, wish })
            }
            Mark::Maybe(gone) => {
                Some(Problem::Used { path: holder, at, gone, some_way: true, wish })
            }
            Mark::Borrowed { at: by, open, .. } => {
                Some(Problem::Lent { path: holder, at, by, open, wish })
            }
            Mark::Unassigned | Mark::Null | Mark::Live { .. } => None,
        }
    }

    fn check_parts(
        &self,
        path: PathId,
        parts: &[Place],
        at: Span,
        state: &State,
        found: &mut Vec<Problem>,
    ) {
        if !matches!(state.at(&self.paths, path), Mark::Live { .. }) {
            return;
        }
        let mut lost = Vec::new();
        for part in parts {
            let Some(part) = self.paths.find(part).filter(|part| part.exact) else { continue };
            let array =
                matches!(self.program.types.get(self.paths.ty(part.path)), Ty::Array { .. });
            if !array && matches!(state.at(&self.paths, part.path), Mark::Live { .. }) {
                lost.push(part.path);
            }
        }
        if !lost.is_empty() {
            found.push(Problem::PartsLost { path, parts: lost, at });
        }
    }

    fn restore(
        &mut self,
        path: PathId,
        how: &RestoreHow,
        site: Site,
        state: &mut State,
        found: &mut Found,
    ) {
        match how {
            RestoreHow::Store => self.store(path, site, state, found),
            RestoreHow::Unborrow => {
                if let Mark::Borrowed { since, null, .. } = state.at(&self.paths, path) {
                    let back = if null { Mark::Null } else { Mark::Live { since, zeroed: false } };
                    state.set(&self.paths, path, back);
                }
            }
            RestoreHow::Unbind(local) => self.unbind(path, *local, site, state, found),
            RestoreHow::Clear => {
                state.stored.push((path, Some(Fact::Null)));
                self.store(path, site, state, found);
            }
            RestoreHow::Empty => {
                if let Mark::Live { .. } = state.at(&self.paths, path) {
                    state.set(&self.paths, path, Mark::Null);
                }
            }
        }
    }

    fn store(&self, path: PathId, site: Site, state: &mut State, found: &mut Found) {
        let at = self.sites.span(site);
        let swapped = state.swapping.iter().position(|&swapped| swapped == path);
        if let Some(position) = swapped {
            state.swapping.remove(position);
        }
        let known = swapped.is_some()
            || state.stored.iter().any(|(stored, _)| self.paths.is_within(path, *stored));
        let fact = self.take_fact(path, state);
        let old = state.at(&self.paths, path);
        if let (Mark::Live { since, .. }, false) = (old, known) {
            // A parameter that is a struct: what it owns, it owns from the start.
            if self.sites.is_param(since) && !self.paths.is_behind_pointer(path) {
                return;
            }
        }
        if let Some(found) = found {
            let mut around = state.below(&self.paths, path);
            around.push(state.holder(&self.paths, path));
            let lent = around.into_iter().find_map(|(path, mark)| match mark {
                Mark::Borrowed { at: by, open, .. } => {
                    Some(Problem::Lent { path, at, by, open, wish: Wish::Store })
                }
                _ => None,
            });
            match (lent, old) {
                (Some(problem), _) => found.push(problem),
                (None, Mark::Live { since, .. }) if swapped.is_none() && !self.is_array(path) => {
                    found.push(Problem::Overwritten { path, at, since });
                }
                _ => {}
            }
            let inside = self.paths.is_behind_pointer(path);
            let begins = matches!(old, Mark::Unassigned);
            if self.is_kept(path) && !inside && swapped.is_none() && !begins {
                found.push(Problem::Kept { path, at, wish: Wish::Store });
            }
        }
        let above = self.paths.parent(path).map(|parent| state.at(&self.paths, parent));
        if matches!(above, Some(Mark::Gone(_) | Mark::Maybe(_) | Mark::Borrowed { .. })) {
            return;
        }
        let mark = match fact {
            Some(Fact::Null) => Mark::Null,
            Some(Fact::Zeroed) => Mark::Live { since: site, zeroed: true },
            _ => Mark::Live { since: site, zeroed: false },
        };
        state.set(&self.paths, path, mark);
        if let Some(Fact::Fresh(temp)) = fact {
            for part in self.empty_behind(path, temp, state) {
                state.set_alone(part, Mark::Null);
            }
        }
    }

    pub fn is_array(&self, path: PathId) -> bool {
        matches!(self.program.types.get(self.paths.ty(path)), Ty::Array { .. })
    }

    /// What is known of the value that was stored last to the path, or to what it is a part of.
    fn take_fact(&self, path: PathId, state: &mut State) -> Option<Fact> {
        let covers = |&(stored, fact): &(PathId, Option<Fact>)| {
            stored == path
                || (self.paths.is_within(path, stored)
                    && fact == Some(Fact::Null)
                    && !self.paths.is_behind_pointer(path))
        };
        state.stored.iter().rev().find(|stored| covers(stored))?.1
    }

    fn unbind(
        &mut self,
        path: PathId,
        local: LocalId,
        site: Site,
        state: &mut State,
        found: &mut Found,
    ) {
        let Some(root) = self.paths.root_of_local(local) else { return };
        let bound = match state.get(path) {
            Some(Mark::Gone(gone)) if gone.way == Way::Bound(local) => Some(gone),
            _ => None,
        };
        let mark = state.at(&self.paths, root);
        let replaced = state.replaced.remove(&local);
        match (mark, bound) {
            (Mark::Live { .. } | Mark::Null, Some(_)) if !replaced => {
                self.give_back(path, root, state);
            }
            // The place has its old value still, which somebody else owns, or nobody.
            (Mark::Live { since, .. }, _) => {
                if let Some(found) = found {
                    let at = self.sites.span(site);
                    found.push(Problem::Ended { path: root, since, at });
                }
            }
            // The path stays consumed; where the variable was consumed says more than where it was bound.
            (Mark::Gone(gone), Some(_)) => state.set_alone(path, Mark::Gone(gone)),
            (Mark::Maybe(gone), Some(_)) => state.set_alone(path, Mark::Maybe(gone)),
            _ => {}
        }
        state.remove(&self.paths, root);
    }

    /// The path is what the variable was, down to the parts of it.
    fn give_back(&mut self, path: PathId, root: PathId, state: &mut State) {
        state.set(&self.paths, path, state.at(&self.paths, root));
        let mut work = vec![(root, path)];
        while let Some((from, to)) = work.pop() {
            let children: Vec<PathId> = self.paths.children(from).collect();
            for child in children {
                let (step, ty) = (self.paths.step(child), self.paths.ty(child));
                let inside = state.below(&self.paths, child);
                let own = state.get(child);
                if own.is_none() && inside.is_empty() {
                    continue;
                }
                let target = self.paths.child(to, step, ty);
                if self.paths.is_leaf(child) {
                    self.paths.set_leaf(target);
                }
                if let Some(mark) = own {
                    state.set_alone(target, mark);
                }
                work.push((child, target));
            }
        }
    }

    fn end_of_scope(&self, locals: &[LocalId], at: Span, state: &State, found: &mut Vec<Problem>) {
        for &local in locals {
            let Some(root) = self.paths.root_of_local(local) else { continue };
            if self.function.locals[local].noconsume {
                continue;
            }
            let mut leaves = self.paths.outer_leaves(root);
            if leaves.is_empty() {
                leaves.push(root);
            }
            for path in leaves {
                if let Mark::Live { since, .. } = state.at(&self.paths, path) {
                    if !self.is_array(path) {
                        found.push(Problem::Ended { path, since, at });
                    }
                }
            }
        }
    }
}

/// The local that a value is loaded from, seen through views.
fn temporary(value: &Expr) -> Option<LocalId> {
    match &value.kind {
        ExprKind::Load(Place { kind: PlaceKind::Local(local), .. }) => Some(*local),
        ExprKind::Cast(CastKind::PtrView | CastKind::FatView, inner) => temporary(inner),
        _ => None,
    }
}

/// Finds the reads of paths that own nothing, or nothing yet.
struct Uses<'s, 'a> {
    engine: &'s Engine<'a>,
    state: &'s State,
    span: Span,
    found: &'s mut Vec<Problem>,
}

impl Uses<'_, '_> {
    fn read(&mut self, place: &Place, address: bool) {
        let Some(at) = self.engine.paths.find(place) else { return };
        if !(at.exact && self.engine.consumed_next == Some(at.path)) {
            let problem = self.engine.not_usable(at.path, Wish::Use, self.span, self.state);
            self.found.extend(problem);
        }
        if !(address && at.exact) {
            return;
        }
        // Who has the address may read every part.
        for (part, mark) in self.state.below(&self.engine.paths, at.path) {
            if matches!(mark, Mark::Gone(_) | Mark::Maybe(_) | Mark::Borrowed { .. }) {
                let problem = self.engine.not_usable(part, Wish::Use, self.span, self.state);
                self.found.extend(problem);
            }
        }
    }
}

impl Visitor for Uses<'_, '_> {
    fn expr(&mut self, expr: &Expr) {
        // Parts first: the pointer on the way is the first to be missed.
        tenure_core::walk_expr(self, expr);
        match &expr.kind {
            ExprKind::Load(place) => self.read(place, false),
            ExprKind::AddrOf(place) => self.read(place, true),
            _ => {}
        }
    }
}
