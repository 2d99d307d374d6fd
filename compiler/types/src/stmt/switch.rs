//! `switch`, `catch` and `fallthru`.

use super::completes;
use super::jump::{Barrier, Breakable, SwitchCx};
use crate::checker::{Checker, Why};
use crate::hir::{
    Block, CatchClause, Clause, Expr, ExprKind, LocalId, Pattern, PatternKind, StmtKind, SwitchStmt,
};
use crate::pattern::{binds_places, Matched};
use crate::ty::{Kind, Type, TypeId};
use tenure_span::{Diagnostic, Span};
use tenure_syntax::tree;

/// A clause of the typed tree before it is checked: one with a body, and those without one above it.
struct Group<'t> {
    heads: Vec<&'t tree::Clause>,
}

impl<'t> Group<'t> {
    fn last(&self) -> &'t tree::Clause {
        self.heads[self.heads.len() - 1]
    }

    fn body(&self) -> &'t [tree::Stmt] {
        &self.last().body
    }
}

/// A clause whose body is empty is the next one's too.
fn group<'t>(clauses: impl Iterator<Item = &'t tree::Clause>) -> Vec<Group<'t>> {
    let mut groups: Vec<Group> = Vec::new();
    let mut open = false;
    for clause in clauses {
        match groups.last_mut() {
            Some(group) if open => group.heads.push(clause),
            _ => groups.push(Group { heads: vec![clause] }),
        }
        open = clause.body.is_empty() && clause.guard.is_none();
    }
    groups
}

impl Checker<'_> {
    pub(super) fn switch(&mut self, switch: &tree::SwitchStmt) -> StmtKind {
        // The cases within statements come first: control never falls into their jumps.
        let all = || switch.inner.iter().chain(&switch.clauses);
        let patterns = || all().filter_map(|clause| clause.pattern.as_ref());
        let scrutinee = self.expr(&switch.scrutinee, None);
        let scrutinee = match scrutinee.kind {
            ExprKind::Error => scrutinee,
            _ if patterns().any(binds_places) => scrutinee,
            _ => self.decay(scrutinee),
        };
        let scrutinee = self.matchable(scrutinee);
        self.check_scrutinee(&scrutinee);
        for stmt in &switch.prelude {
            let text = "this stands before the first `case` and is never reached";
            self.error(Diagnostic::error("E0707", text, stmt.span));
        }
        let matched = Matched::of(self, &scrutinee);
        let mut clauses = self.clauses(group(all()), &matched, false);
        let exhaustive = self.check_switch(&mut clauses, &scrutinee, switch.scrutinee.span);
        StmtKind::Switch(Box::new(SwitchStmt { scrutinee, clauses, exhaustive }))
    }

    /// What is matched is held for the time of the match, as a copy or by its address. Of a datatype's object neither
    /// will do: how large it is only its tag tells, and its members are reached through a pointer to it.
    pub(super) fn matchable(&mut self, value: Expr) -> Expr {
        let ty = self.shallow(value.ty);
        if self.types.is_fixed_in_place(ty) {
            return self.no_copy_of_datatype(&value);
        }
        value
    }

    fn check_scrutinee(&mut self, scrutinee: &Expr) {
        if scrutinee.is_error() {
            return;
        }
        if matches!(self.kind(scrutinee.ty), Type::Void | Type::Function(_)) {
            let text = "`switch` needs a value, this expression has none";
            self.error(Diagnostic::error("E0354", text, scrutinee.span));
        }
    }

    pub(super) fn catch_clauses(
        &mut self,
        clauses: &[tree::Clause],
        span: Span,
    ) -> Vec<CatchClause> {
        let exn = self.exception_type();
        let matched = Matched::value(exn, span);
        let mut clauses = self.clauses(group(clauses.iter()), &matched, true);
        self.check_useful(&mut clauses);
        clauses.into_iter().map(|clause| CatchClause { clause }).collect()
    }

    fn clauses(&mut self, groups: Vec<Group>, matched: &Matched, is_catch: bool) -> Vec<Clause> {
        let count = groups.len();
        self.fx.flow.switches.push(SwitchCx::default());
        let kind = if is_catch { Breakable::Handler } else { Breakable::Switch };
        self.fx.flow.breakable.push(kind);
        let mut out: Vec<Clause> = Vec::with_capacity(count);
        for (index, group) in groups.iter().enumerate() {
            if let Some(cx) = self.fx.flow.switches.last_mut() {
                cx.has_next = index + 1 < count;
            }
            let later = &groups[index + 1..];
            let clause = self.clause(group, later, matched);
            if !is_catch && index + 1 < count && completes(&self.types, &clause.body) {
                self.implicit_fall_through(group.last(), later[0].heads[0].head);
            }
            out.push(clause);
        }
        self.fx.flow.switches.pop();
        self.fx.flow.breakable.pop();
        out
    }

    fn implicit_fall_through(&mut self, clause: &tree::Clause, next: Span) {
        let error = Diagnostic::error(
            "E0701",
            "control falls from this clause into the next one",
            clause.head,
        )
        .secondary(next, "the next clause")
        .help("end it with `break;`, or with `fallthru;` if it shall go on there");
        self.error(error);
    }

    fn clause(&mut self, group: &Group, later: &[Group], matched: &Matched) -> Clause {
        let last = group.last();
        let span = group.heads[0].span.to(last.span);
        self.push_block(None, span);
        let mark = self.fx.locals.len();
        let mut patterns = Vec::new();
        for (index, head) in group.heads.iter().enumerate() {
            match &head.pattern {
                Some(pattern) if index > 0 => {
                    self.scopes.push();
                    patterns.push(self.pattern(pattern, matched.clone()));
                    self.scopes.pop();
                }
                Some(pattern) => patterns.push(self.pattern(pattern, matched.clone())),
                None => self.default_patterns(head, later, matched, &mut patterns),
            }
        }
        let params: Vec<LocalId> = (mark..self.fx.locals.len()).map(LocalId::from).collect();
        if group.heads.len() > 1 && !params.is_empty() {
            let text = "alternatives of one clause cannot bind variables";
            let error = Diagnostic::error("E0602", text, group.heads[0].head)
                .help("use `_` for the parts that do not matter");
            self.error(error);
        }
        let barriers = self.fx.flow.barriers.len();
        if !params.is_empty() {
            self.fx.flow.enter(Barrier::Clause, last.head);
        }
        self.receive_fallthrus(&patterns, &params, last.head);
        let guard = last.guard.as_ref().map(|guard| self.condition(guard));
        let stmts = self.stmts(group.body());
        self.fx.flow.barriers.truncate(barriers);
        let region = self.pop_block();
        let body_span = match (group.body().first(), group.body().last()) {
            (Some(first), Some(end)) => first.span.to(end.span),
            _ => last.head,
        };
        let body = Block { region, stmts, span: body_span };
        Clause { patterns, guard, params, body, span: last.head }
    }

    /// `default` matches what no case does, wherever it stands (C11 6.8.4.2). Clauses are tried in order, so one that
    /// is not last matches the integers that the later ones do not name.
    fn default_patterns(
        &mut self,
        head: &tree::Clause,
        later: &[Group],
        matched: &Matched,
        patterns: &mut Vec<Pattern>,
    ) {
        let span = head.head;
        let ty = matched.ty;
        let earlier = match self.fx.flow.switches.last_mut() {
            Some(cx) => cx.default.replace(span),
            None => None,
        };
        if let Some(earlier) = earlier {
            let error = Diagnostic::error("E0614", "this switch has two `default`s", span);
            self.error(error.secondary(earlier, "the first one"));
            patterns.push(Pattern { kind: PatternKind::Error, ty, span });
            return;
        }
        let rest: Vec<&tree::Clause> =
            later.iter().flat_map(|group| group.heads.iter().copied()).collect();
        if rest.is_empty() {
            patterns.push(Pattern { kind: PatternKind::Wild, ty, span });
            return;
        }
        let Some((min, max)) = self.int_range(ty) else {
            let text = "`default` comes before other clauses, which are then never reached";
            self.error(Diagnostic::error("E0603", text, span).help("put it last"));
            patterns.push(Pattern { kind: PatternKind::Wild, ty, span });
            return;
        };
        let mut named = Vec::new();
        for clause in rest {
            let Some(pattern) = &clause.pattern else { continue };
            match self.constant_range(pattern, ty) {
                Some(range) if clause.guard.is_none() => named.push(range),
                _ => {
                    let text = "`default` must come last where cases are more than constants";
                    self.error(Diagnostic::error("E0603", text, span));
                    return;
                }
            }
        }
        named.sort_unstable();
        let mut start = min;
        for (low, high) in named {
            if low > start {
                let kind = PatternKind::Range(start, low - 1);
                patterns.push(Pattern { kind, ty, span });
            }
            start = start.max(high.saturating_add(1));
        }
        if start <= max {
            patterns.push(Pattern { kind: PatternKind::Range(start, max), ty, span });
        }
    }

    pub(super) fn fallthru(&mut self, args: Option<&[tree::Expr]>, span: Span) -> StmtKind {
        let has_next = match self.fx.flow.switches.last() {
            Some(cx) => cx.has_next,
            None => {
                let text = "`fallthru` outside of a switch";
                self.error(Diagnostic::error("E0702", text, span));
                return StmtKind::Empty;
            }
        };
        let mut values = Vec::new();
        let mut types = Vec::new();
        for arg in args.unwrap_or_default() {
            let ty = self.fresh_type(arg.span, Kind::Any);
            values.push(self.expr_to(arg, ty, Why::Assign { declared: arg.span }));
            types.push(ty);
        }
        if !has_next {
            let text = "`fallthru` in the last clause";
            self.error(Diagnostic::error("E0708", text, span).help("leave it out"));
            return StmtKind::Empty;
        }
        if let Some(cx) = self.fx.flow.switches.last_mut() {
            cx.fallthrus.push((types, span));
        }
        StmtKind::Fallthru(values)
    }

    /// The previous clause's `fallthru` statements set this one's variables.
    fn receive_fallthrus(&mut self, patterns: &[Pattern], params: &[LocalId], head: Span) {
        let fallthrus = match self.fx.flow.switches.last_mut() {
            Some(cx) => std::mem::take(&mut cx.fallthrus),
            None => return,
        };
        let opens = patterns.iter().any(crate::pattern::opens_existentials);
        for (types, span) in fallthrus {
            if opens {
                let text = "the next clause opens existential types, which `fallthru` cannot give";
                let error = Diagnostic::error("E0709", text, span);
                self.error(error.secondary(head, "the next clause"));
                continue;
            }
            self.receive(&types, params, span, head);
        }
    }

    fn receive(&mut self, types: &[TypeId], params: &[LocalId], span: Span, head: Span) {
        if types.len() != params.len() {
            let (wanted, found) = (params.len(), types.len());
            let plural = if wanted == 1 { "" } else { "s" };
            let text = format!(
                "the next clause binds {wanted} variable{plural}, `fallthru` gives {found}"
            );
            let mut error =
                Diagnostic::error("E0709", text, span).secondary(head, "the next clause");
            if found == 0 {
                error = error.help("give their values: `fallthru(…);`");
            }
            self.error(error);
            return;
        }
        for (&given, &param) in types.iter().zip(params) {
            let wanted = self.fx.locals[param].ty.ty;
            if self.unify(given, wanted).is_err() {
                let text = format!(
                    "`fallthru` gives `{}` for a variable of type `{}`",
                    self.show_type(given),
                    self.show_type(wanted)
                );
                let declared = self.fx.locals[param].span;
                let error = Diagnostic::error("E0709", text, span);
                self.error(error.secondary(declared, "bound here"));
            }
        }
    }
}
