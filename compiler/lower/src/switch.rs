//! Switches and `let` patterns.
//!
//! Partition: a switch over constants becomes core's switch; one whose patterns are constructors of one datatype (or
//! NULL), with what matches anything last, switches on the tag and tests the rest inside each arm; anything else tests
//! its clauses in order.

use crate::builder::{load, Builder, Cleanup, NextClause, Target};
use crate::place::Access;
use crate::prescan::{binds_by_reference, binds_by_value, binds_parts};
use tenure_core::{Expr, LabelId, Place, StmtKind, SwitchArm, Ty};
use tenure_types::hir::{self, Clause, Pattern, PatternKind, SwitchStmt};
use tenure_types::ty::DatatypeId;
use tenure_types::Ranges;

/// Labels at the starts of bodies that a `fallthru` goes to.
type Entries = Vec<Option<LabelId>>;

/// The values of each clause's patterns, disjoint; `None` if one has none left.
fn arm_values(clauses: &[&Clause]) -> Option<Vec<Vec<(i128, i128)>>> {
    // The first clause that matches a value has it.
    let mut taken = Ranges::default();
    let mut all = Vec::new();
    for clause in clauses {
        let mut values = Vec::new();
        let mut wild = false;
        for pattern in &clause.patterns {
            match pattern.kind {
                PatternKind::Range(low, high) => values.extend(taken.add((low, high))),
                _ => wild = true,
            }
        }
        if values.is_empty() && !wild {
            return None;
        }
        all.push(values);
    }
    Some(all)
}

impl Builder<'_, '_> {
    pub(crate) fn switch(&mut self, switch: &SwitchStmt) {
        let label = self.label(None);
        self.breaks.push(Target { label, cleanups: self.cleanups.len() });
        let (body, ()) = self.in_block(|this| this.switch_body(switch, label));
        self.breaks.pop();
        self.emit(StmtKind::Block { label: Some(label), body });
    }

    fn switch_body(&mut self, switch: &SwitchStmt, label: LabelId) {
        let clauses: Vec<&Clause> = switch.clauses.iter().collect();
        let ty = self.repr(switch.scrutinee.ty);
        let by_value =
            clauses.iter().all(|clause| is_constant_clause(clause)) && self.int_kind(ty).is_some();
        if let Some(values) = by_value.then(|| arm_values(&clauses)).flatten() {
            let value = self.value(&switch.scrutinee);
            self.constant_switch(value, &clauses, values, label);
            return;
        }
        let subject = self.subject(switch);
        let guarded = clauses.iter().any(|clause| clause.guard.is_some());
        let path =
            (guarded && self.matches_path(switch)).then(|| Box::new(switch.scrutinee.clone()));
        self.rematched.push(path);
        let by_tag = tag_switch(&clauses).filter(|&datatype| !self.lowerer.is_extensible(datatype));
        if let Some(datatype) = by_tag {
            self.tag_clauses(datatype, &clauses, &subject, label);
        } else {
            self.clause_chain(&clauses, &subject, label);
        }
        self.rematched.pop();
        if !self.is_terminated() {
            self.emit(StmtKind::NoMatch);
        }
    }

    fn matches_path(&self, switch: &SwitchStmt) -> bool {
        self.owned(switch.scrutinee.ty).is_some() && self.is_path(&switch.scrutinee)
    }

    /// A guard before may have changed what leads to a unique path: it is checked again.
    fn check_rematched(&mut self, clauses: &[&Clause]) {
        let Some(Some(path)) = self.rematched.last() else { return };
        if clauses.iter().any(|clause| clause.guard.is_some()) {
            let path = path.clone();
            self.place(&path, Access::Read);
        }
    }

    /// What is matched: the place itself if a pattern refers to it, else a copy of the value.
    fn subject(&mut self, switch: &SwitchStmt) -> Place {
        let by_reference =
            switch.clauses.iter().flat_map(|clause| &clause.patterns).any(binds_by_reference);
        if (by_reference || self.matches_path(switch)) && switch.scrutinee.is_place() {
            let mut place = self.place(&switch.scrutinee, Access::Read);
            // A guard may change what the place is found by.
            if switch.clauses.iter().any(|clause| clause.guard.is_some()) {
                self.settle_place(&mut place);
            }
            return place;
        }
        let value = self.value(&switch.scrutinee);
        let ty = value.ty;
        let temp = if by_reference {
            self.memory_temp(ty)
        } else {
            let temp = self.temp(ty);
            self.local_place(temp)
        };
        self.emit(StmtKind::Assign(temp.clone(), value));
        temp
    }

    /// Declares the variables that `fallthru` sets, in a scope around all clauses, and makes labels for the bodies it
    /// goes to.
    fn entries(&mut self, clauses: &[&Clause]) -> Entries {
        let mut entries = vec![None; clauses.len()];
        for (number, clause) in clauses.iter().enumerate() {
            let falls = number > 0 && falls_through(&clauses[number - 1].body);
            if falls {
                for &param in &clause.params {
                    self.declare_user(param);
                }
                entries[number] = Some(self.label(None));
            }
        }
        entries
    }

    /// A clause's body, then out of the switch.
    fn clause_body(
        &mut self,
        clauses: &[&Clause],
        number: usize,
        entries: &Entries,
        end: LabelId,
        (leaves, depth): (bool, usize),
    ) {
        if let Some(entry) = entries[number] {
            self.emit(StmtKind::Label(entry));
        }
        let next = entries.get(number + 1).copied().flatten().map(|label| NextClause {
            label,
            params: clauses[number + 1].params.clone(),
            cleanups: depth,
        });
        self.fallthrus.push(next);
        let (body, ()) = self.in_block(|this| this.stmts(&clauses[number].body.stmts));
        self.fallthrus.pop();
        if body.locals.is_empty() {
            self.splice(body);
        } else {
            let ends = body.stmts.last().is_some_and(|stmt| stmt.kind.is_jump());
            self.emit(StmtKind::Block { label: None, body });
            if ends {
                return;
            }
        }
        if leaves && !self.is_terminated() {
            self.leave_to(depth);
            self.emit(StmtKind::Break(end));
        }
    }

    pub(crate) fn fallthru(&mut self, values: &[hir::Expr]) {
        let Some(next) = self.fallthrus.last().cloned().flatten() else { return };
        let values = self.values(values.iter());
        // All values are computed before any variable changes.
        let values: Vec<Expr> = if values.len() > 1 {
            values.into_iter().map(|value| self.save(value)).collect()
        } else {
            values
        };
        for (&param, value) in next.params.iter().zip(values) {
            let local = self.declare_user(param);
            let place = self.local_place(local);
            let value = self.adapt(value, place.ty);
            self.emit(StmtKind::Assign(place.clone(), value));
            let ty = self.body.map(|body| body.locals[param].ty.ty);
            if let Some(ty) = ty {
                self.initialised(&place, ty);
            }
        }
        self.leave_to(next.cleanups);
        self.emit(StmtKind::Goto(next.label));
    }

    fn constant_switch(
        &mut self,
        value: Expr,
        clauses: &[&Clause],
        mut values: Vec<Vec<(i128, i128)>>,
        label: LabelId,
    ) {
        let entries = self.entries(clauses);
        let mut arms = Vec::new();
        let mut default = None;
        for (number, clause) in clauses.iter().enumerate() {
            let depth = self.cleanups.len();
            let (body, ()) = self.in_block(|this| {
                this.clause_body(clauses, number, &entries, label, (false, depth))
            });
            if clause.patterns.iter().any(|pattern| matches!(pattern.kind, PatternKind::Wild)) {
                default = Some(body);
                // Later clauses never match, but a fallthru may go there.
                continue;
            }
            arms.push(SwitchArm { values: std::mem::take(&mut values[number]), body });
        }
        if default.is_none() {
            let (body, ()) = self.in_block(|this| this.emit(StmtKind::NoMatch));
            default = Some(body);
        }
        let inner = self.label(None);
        let default = default.map(Box::new);
        self.emit(StmtKind::Switch { value, arms, default, label: inner });
        self.emit(StmtKind::Break(label));
    }

    /// Clauses tested in order; each body leaves by `end`. Control comes out below when none matches.
    pub(crate) fn clause_chain(&mut self, clauses: &[&Clause], subject: &Place, end: LabelId) {
        let entries = self.entries(clauses);
        for number in 0..clauses.len() {
            self.clause(clauses, number, &entries, subject, end);
        }
    }

    fn clause(
        &mut self,
        clauses: &[&Clause],
        number: usize,
        entries: &Entries,
        subject: &Place,
        end: LabelId,
    ) {
        let clause = clauses[number];
        let outer = std::mem::replace(&mut self.span, clause.span);
        // A switch in a guard or in the body is none of the handler's clauses.
        let caught = self.caught.clone();
        let fate = caught.fates.get(number).copied();
        let frees = self.caught.frees.take().zip(fate);
        let next = self.label(None);
        let (body, ()) = self.in_block(|this| {
            this.check_rematched(&clauses[..number]);
            match &clause.patterns[..] {
                [pattern] => this.test(pattern, subject, next),
                patterns => {
                    let found = this.label(None);
                    let (tests, ()) =
                        this.in_block(|this| this.alternatives(patterns, subject, found, next));
                    this.emit(StmtKind::Block { label: Some(found), body: tests });
                }
            }
            let depth = this.cleanups.len();
            let binds = clause.patterns.iter().any(binds_by_value);
            if binds {
                let pending = std::mem::take(&mut this.pending);
                let bound = this.take_bound(pending);
                this.cleanups.push(Cleanup::Bound(bound));
            }
            this.guarded_body(clauses, number, entries, end, (next, depth, frees));
            this.cleanups.truncate(depth);
        });
        self.emit(StmtKind::Block { label: Some(next), body });
        self.caught = caught;
        self.span = outer;
    }

    /// A clause's body, if its guard holds; else what the pattern took is given back, and control goes to `next`.
    fn guarded_body(
        &mut self,
        clauses: &[&Clause],
        number: usize,
        entries: &Entries,
        end: LabelId,
        (next, depth, frees): (LabelId, usize, Option<(tenure_core::LocalId, crate::caught::Fate)>),
    ) {
        let Some(guard) = &clauses[number].guard else {
            self.enter_caught(clauses[number], frees);
            self.clause_body(clauses, number, entries, end, (true, depth));
            return;
        };
        let took = matches!(self.cleanups.last(), Some(Cleanup::Bound(bound)) if !bound.is_empty())
            && self.cleanups.len() > depth;
        if !took {
            self.jump_if_false(guard, next);
            self.enter_caught(clauses[number], frees);
            self.clause_body(clauses, number, entries, end, (true, depth));
            return;
        }
        let fails = self.label(None);
        let (body, ()) = self.in_block(|this| {
            this.jump_if_false(guard, fails);
            this.enter_caught(clauses[number], frees);
            this.clause_body(clauses, number, entries, end, (true, depth));
        });
        self.emit(StmtKind::Block { label: Some(fails), body });
        self.leave_to(depth);
        self.emit(StmtKind::Break(next));
    }

    /// Goes to `found` at the first alternative that matches, else to `next`.
    fn alternatives(
        &mut self,
        patterns: &[Pattern],
        subject: &Place,
        found: LabelId,
        next: LabelId,
    ) {
        for pattern in patterns {
            let fails = self.label(None);
            let (body, ()) = self.in_block(|this| {
                this.test(pattern, subject, fails);
                this.emit(StmtKind::Break(found));
            });
            self.emit(StmtKind::Block { label: Some(fails), body });
        }
        self.emit(StmtKind::Break(next));
    }

    /// One switch on the tag, then the clauses that match anything.
    fn tag_clauses(
        &mut self,
        datatype: DatatypeId,
        clauses: &[&Clause],
        subject: &Place,
        end: LabelId,
    ) {
        let entries = self.entries(clauses);
        let first_default = clauses
            .iter()
            .position(|clause| variant_of(clause).is_none() && !is_null(clause))
            .unwrap_or(clauses.len());
        let (special, defaults) = (0..first_default, first_default..clauses.len());
        let otherwise = self.label(None);
        let (body, ()) = self.in_block(|this| {
            let pointer = load(subject.clone());
            let pointer = this.thin_of(pointer);
            let nulls: Vec<usize> =
                special.clone().filter(|&number| is_null(clauses[number])).collect();
            let nullable = clauses
                .iter()
                .flat_map(|clause| &clause.patterns)
                .any(|pattern| this.pointer(pattern.ty).is_some_and(|shape| shape.nullable));
            if nullable {
                let null = this.is_null(pointer.clone());
                let (then, ()) = this.in_block(|this| {
                    for number in nulls {
                        this.clause(clauses, number, &entries, subject, end);
                    }
                    if !this.is_terminated() {
                        this.emit(StmtKind::Break(otherwise));
                    }
                });
                this.emit(StmtKind::If { cond: null, then, otherwise: None });
            }
            let outer = clauses[0].patterns.first().map(|pattern| pattern.ty);
            let pointer = outer.map_or(pointer.clone(), |ty| this.opened(pointer, ty));
            let tag = this.tag_of(pointer, datatype);
            let arms = this.tag_arms(datatype, clauses, special.clone(), &entries, subject, end);
            let label = this.label(None);
            this.emit(StmtKind::Switch { value: tag, arms, default: None, label });
        });
        self.emit(StmtKind::Block { label: Some(otherwise), body });
        for number in defaults {
            self.clause(clauses, number, &entries, subject, end);
        }
    }

    fn tag_arms(
        &mut self,
        datatype: DatatypeId,
        clauses: &[&Clause],
        special: std::ops::Range<usize>,
        entries: &Entries,
        subject: &Place,
        end: LabelId,
    ) -> Vec<SwitchArm> {
        let mut order: Vec<u32> = Vec::new();
        for number in special.clone() {
            if let Some((_, variant)) = variant_of(clauses[number]) {
                if !order.contains(&variant) {
                    order.push(variant);
                }
            }
        }
        order
            .into_iter()
            .map(|variant| {
                let (body, ()) = self.in_block(|this| {
                    for number in special.clone() {
                        if variant_of(clauses[number]).is_some_and(|(_, found)| found == variant) {
                            this.known_variant = true;
                            this.clause(clauses, number, entries, subject, end);
                            this.known_variant = false;
                        }
                    }
                });
                let tag = i128::from(self.lowerer.unit.types.datatypes[datatype].tag(variant));
                SwitchArm { values: vec![(tag, tag)], body }
            })
            .collect()
    }

    /// `let P = e;`: the variables live on; no match raises.
    pub(crate) fn let_pattern(&mut self, pattern: &Pattern, value: &hir::Expr) {
        if let PatternKind::Bind(local, None) = &pattern.kind {
            let lowered = self.value(value);
            let local = self.declare_user(*local);
            let place = self.local_place(local);
            let stored = self.adapt(lowered, place.ty);
            self.emit(StmtKind::Init(place.clone(), stored));
            self.initialised(&place, pattern.ty);
            return;
        }
        self.declare_bound(pattern);
        let on_path = self.owned(value.ty).is_some() && self.is_path(value);
        let subject = if (binds_by_reference(pattern) || on_path) && value.is_place() {
            self.place(value, Access::Read)
        } else {
            let value = self.value(value);
            let ty = value.ty;
            if matches!(self.ty(ty), Ty::Void) {
                return;
            }
            let place = self.memory_temp_if(binds_by_reference(pattern), ty);
            self.emit(StmtKind::Assign(place.clone(), value));
            place
        };
        let (matched, fails) = (self.label(None), self.label(None));
        let (body, used) = self.in_block(|this| {
            this.test(pattern, &subject, fails);
            let used = uses_label(this.stmts_since(0), fails);
            if used {
                this.emit(StmtKind::Break(matched));
            }
            used
        });
        if used {
            let (outer, ()) = self.in_block(|this| {
                this.emit(StmtKind::Block { label: Some(fails), body });
                this.emit(StmtKind::NoMatch);
            });
            self.emit(StmtKind::Block { label: Some(matched), body: outer });
        } else {
            self.splice(body);
        }
        if binds_parts(pattern) {
            let pending = std::mem::take(&mut self.pending);
            let bound = self.take_bound(pending);
            self.cleanups.push(Cleanup::Bound(bound));
        }
    }

    fn memory_temp_if(&mut self, in_memory: bool, ty: tenure_core::TyId) -> Place {
        if in_memory {
            return self.memory_temp(ty);
        }
        let temp = self.temp(ty);
        self.local_place(temp)
    }

    /// Declares a pattern's variables in the current scope.
    fn declare_bound(&mut self, pattern: &Pattern) {
        match &pattern.kind {
            PatternKind::Bind(local, inner) | PatternKind::BindRef(local, inner) => {
                self.declare_user(*local);
                if let Some(inner) = inner {
                    self.declare_bound(inner);
                }
            }
            PatternKind::Pointer(inner) | PatternKind::UnionMember { pattern: inner, .. } => {
                self.declare_bound(inner)
            }
            PatternKind::Fields { fields, .. } => {
                fields.iter().for_each(|(_, pattern)| self.declare_bound(pattern))
            }
            PatternKind::Variant { args, .. } => {
                args.iter().for_each(|(_, pattern)| self.declare_bound(pattern))
            }
            _ => {}
        }
    }
}

fn uses_label(stmts: &[tenure_core::Stmt], label: LabelId) -> bool {
    stmts.iter().any(|stmt| match &stmt.kind {
        StmtKind::Break(target) => *target == label,
        StmtKind::If { then, otherwise, .. } => {
            uses_label(&then.stmts, label)
                || otherwise.as_ref().is_some_and(|block| uses_label(&block.stmts, label))
        }
        StmtKind::Block { body, .. } => uses_label(&body.stmts, label),
        _ => false,
    })
}

fn is_constant_clause(clause: &Clause) -> bool {
    clause.guard.is_none()
        && clause
            .patterns
            .iter()
            .all(|pattern| matches!(pattern.kind, PatternKind::Range(..) | PatternKind::Wild))
}

/// The variant that a clause's one pattern asks for, through a pointer.
fn variant_of(clause: &Clause) -> Option<(DatatypeId, u32)> {
    let [pattern] = &clause.patterns[..] else { return None };
    let PatternKind::Pointer(inner) = &pattern.kind else { return None };
    match &inner.kind {
        PatternKind::Variant { datatype, variant, .. } => Some((*datatype, *variant)),
        _ => None,
    }
}

fn is_null(clause: &Clause) -> bool {
    matches!(&clause.patterns[..], [pattern] if matches!(pattern.kind, PatternKind::Null))
}

/// The datatype if its tag decides: at least two variants asked for, everything else last, numbered tags.
fn tag_switch(clauses: &[&Clause]) -> Option<DatatypeId> {
    let special: Vec<_> =
        clauses.iter().map(|clause| variant_of(clause).is_some() || is_null(clause)).collect();
    let first_default = special.iter().position(|special| !special).unwrap_or(special.len());
    if special[first_default..].iter().any(|&special| special) {
        return None;
    }
    let variants: Vec<_> =
        clauses[..first_default].iter().filter_map(|clause| variant_of(clause)).collect();
    let (datatype, _) = *variants.first()?;
    (variants.len() >= 2).then_some(datatype)
}

/// Whether a body contains a `fallthru` of its own clause.
pub(crate) fn falls_through(block: &hir::Block) -> bool {
    block.stmts.iter().any(stmt_falls_through)
}

fn stmt_falls_through(stmt: &hir::Stmt) -> bool {
    match &stmt.kind {
        hir::StmtKind::Fallthru(_) => true,
        hir::StmtKind::Block(block) => falls_through(block),
        hir::StmtKind::If(_, then, otherwise) => {
            stmt_falls_through(then)
                || otherwise.as_ref().is_some_and(|otherwise| stmt_falls_through(otherwise))
        }
        hir::StmtKind::While(_, body)
        | hir::StmtKind::DoWhile(body, _)
        | hir::StmtKind::Label(_, body) => stmt_falls_through(body),
        hir::StmtKind::For(stmt) => stmt_falls_through(&stmt.body),
        hir::StmtKind::Try { body, clauses } => {
            falls_through(body) || clauses.iter().any(|clause| falls_through(&clause.clause.body))
        }
        _ => false,
    }
}
