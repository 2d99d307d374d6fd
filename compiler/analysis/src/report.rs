//! `--checks`: the run-time checks that remain, and why.

use std::fmt::Write;
use tenure_core::{
    Callee, Check, CheckKind, CheckStatus, Const, Expr, ExprKind, Fact, Function, FunctionId,
    Linkage, LocalKind, Place, PlaceKind, Program, StmtKind, Visitor,
};
use tenure_span::{FastMap, SourceMap, Span};

/// Checks of a function or program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CheckCount {
    pub proved: usize,
    pub switched_off: usize,
    pub needed: usize,
}

impl CheckCount {
    pub fn all(self) -> usize {
        self.proved + self.switched_off + self.needed
    }

    fn add(&mut self, check: &Check) {
        match check.status {
            CheckStatus::Needed => self.needed += 1,
            CheckStatus::Proved(Fact::SwitchedOff) => self.switched_off += 1,
            CheckStatus::Proved(_) | CheckStatus::Verified(_) => self.proved += 1,
        }
    }
}

/// The checks of all functions of a program that may run.
pub fn count_checks(program: &Program) -> CheckCount {
    let mut count = CheckCount::default();
    for function in reached(program) {
        for (check, _) in collect(function) {
            count.add(check);
        }
    }
    count
}

/// Per function: how many checks there were, how many are proved, and each that remains with its place and why.
pub fn report_checks(program: &Program, sources: &SourceMap) -> String {
    let mut out = String::new();
    let mut total = CheckCount::default();
    for function in reached(program) {
        let checks = collect(function);
        let mut count = CheckCount::default();
        checks.iter().for_each(|(check, _)| count.add(check));
        checks.iter().for_each(|(check, _)| total.add(check));
        if count.all() == 0 {
            continue;
        }
        let name = program.decls[function.id].source_name;
        let _ = writeln!(out, "{name}: {}", summary(count));
        for (check, span) in checks {
            if check.status == CheckStatus::Needed {
                let span = if check.span.is_none() { span } else { check.span };
                let _ = writeln!(
                    out,
                    "  {}: {} of `{}` remains: {}",
                    place(sources, span),
                    word(&check.kind),
                    sources.snippet(span).split_whitespace().collect::<Vec<_>>().join(" "),
                    reason(program, function, &check.kind),
                );
            }
        }
    }
    let _ = writeln!(out, "all: {}", summary(total));
    out
}

/// Functions that others can call, and what these call or name: the rest of what headers define is not part of the
/// program.
fn reached(program: &Program) -> impl Iterator<Item = &Function> {
    struct Names(Vec<FunctionId>);
    impl Visitor for Names {
        fn stmt(&mut self, stmt: &tenure_core::Stmt) {
            if let StmtKind::Call { callee: Callee::Direct(id), .. } = &stmt.kind {
                self.0.push(*id);
            }
            tenure_core::walk_stmt(self, stmt);
        }
        fn expr(&mut self, expr: &Expr) {
            if let ExprKind::Const(Const::Function(id)) = &expr.kind {
                self.0.push(*id);
            }
            tenure_core::walk_expr(self, expr);
        }
    }
    let index: FastMap<FunctionId, usize> =
        program.functions.iter().enumerate().map(|(n, function)| (function.id, n)).collect();
    let mut work = Names(Vec::new());
    for function in &program.functions {
        let linkage = program.decls[function.id].linkage;
        if !matches!(linkage, Linkage::Internal | Linkage::Inline) {
            work.0.push(function.id);
        }
    }
    for global in &program.globals {
        if let Some(init) = &global.init {
            tenure_core::walk_initializer(&mut work, init);
        }
    }
    let mut seen = vec![false; program.functions.len()];
    while let Some(id) = work.0.pop() {
        if let Some(&n) = index.get(&id) {
            if !std::mem::replace(&mut seen[n], true) {
                work.block(&program.functions[n].body);
            }
        }
    }
    program.functions.iter().zip(seen).filter_map(|(function, seen)| seen.then_some(function))
}

fn summary(count: CheckCount) -> String {
    let all = count.all();
    let percent = (count.proved * 100).checked_div(all).unwrap_or(100);
    let mut text = format!("{all} checks, {} proved ({percent}%)", count.proved);
    if count.switched_off > 0 {
        let _ = write!(text, ", {} switched off", count.switched_off);
    }
    let _ = write!(text, ", {} remain", count.needed);
    text
}

fn place(sources: &SourceMap, span: Span) -> String {
    match sources.line(span) {
        Some((file, line)) => format!("{file}:{line}"),
        None => "?".to_string(),
    }
}

fn collect(function: &Function) -> Vec<(&Check, Span)> {
    let mut checks = Vec::new();
    let mut lists: Vec<&[tenure_core::Stmt]> = vec![&function.body.stmts];
    // In order of the text: a stack of what is left of each list.
    while let Some(list) = lists.pop() {
        let Some((first, rest)) = list.split_first() else { continue };
        lists.push(rest);
        let mut parts = lists_of(first);
        parts.reverse();
        lists.extend(parts);
        if let tenure_core::StmtKind::Check(check) = &first.kind {
            checks.push((&**check, first.span));
        }
    }
    checks
}

/// The statement lists inside a statement.
fn lists_of(stmt: &tenure_core::Stmt) -> Vec<&[tenure_core::Stmt]> {
    use tenure_core::{LoopTest, StmtKind};
    match &stmt.kind {
        StmtKind::If { then, otherwise, .. } => std::iter::once(then)
            .chain(otherwise.as_deref())
            .map(|block| block.stmts.as_slice())
            .collect(),
        StmtKind::Loop(l) => {
            let mut lists = vec![l.body.stmts.as_slice(), l.step.as_slice()];
            match &l.test {
                LoopTest::Before { head, .. } => lists.insert(0, &head.stmts),
                LoopTest::After { head, .. } => lists.push(&head.stmts),
                LoopTest::Forever => {}
            }
            lists
        }
        StmtKind::Switch { arms, default, .. } => {
            let blocks = arms.iter().map(|arm| &arm.body).chain(default.as_deref());
            blocks.map(|block| block.stmts.as_slice()).collect()
        }
        StmtKind::Block { body, .. } => vec![&body.stmts],
        StmtKind::Try(t) => vec![&t.body.stmts, &t.handler.stmts],
        _ => Vec::new(),
    }
}

fn word(kind: &CheckKind) -> &'static str {
    match kind {
        CheckKind::NonNull(_) => "null check",
        CheckKind::Index { .. } | CheckKind::IndexOrEnd { .. } => "index check",
        CheckKind::FatIndex { .. } | CheckKind::FatCount { .. } => "bounds check",
        CheckKind::FatStep { .. } => "step check",
        CheckKind::NonZero(_) => "zero check",
        CheckKind::NoDivOverflow { .. } => "overflow check",
        CheckKind::Tag { .. } => "tag check",
        CheckKind::ZeroTermIndex { .. } => "string bounds check",
        CheckKind::ZeroTermStore { .. } => "terminator check",
        CheckKind::HasZero { .. } => "terminator search",
        CheckKind::Fits32 { .. } => "size check",
        CheckKind::Touch(_) => "touch",
        CheckKind::Assert(_) => "assertion",
    }
}

fn reason(program: &Program, function: &Function, kind: &CheckKind) -> String {
    let describe = |expr: &Expr| describe(program, function, expr);
    match kind {
        CheckKind::NonNull(p) => format!("{} may be NULL", describe(p)),
        CheckKind::Index { index, size } | CheckKind::IndexOrEnd { index, size } => {
            format!("nothing bounds {} by {}", describe(index), describe(size))
        }
        CheckKind::FatIndex { ptr, index } => {
            format!("nothing relates {} to the bounds of {}", describe(index), describe(ptr))
        }
        CheckKind::FatCount { ptr, count, .. } => {
            format!("nothing says that {} has {} elements left", describe(ptr), describe(count))
        }
        CheckKind::FatStep { count, .. } => format!("{} may be too large", describe(count)),
        CheckKind::NonZero(d) => format!("{} may be zero", describe(d)),
        CheckKind::NoDivOverflow { divisor, .. } => format!("{} may be -1", describe(divisor)),
        CheckKind::Tag { .. } => "the member that was stored last is not known".to_string(),
        CheckKind::ZeroTermIndex { index, .. } => {
            format!("the elements before {} may be zero", describe(index))
        }
        CheckKind::ZeroTermStore { .. } => "it may be the terminator that is stored to".to_string(),
        CheckKind::HasZero { .. } => "the elements are only known at run time".to_string(),
        CheckKind::Fits32 { count, .. } => format!("{} may be too large", describe(count)),
        CheckKind::Touch(p) => {
            format!("the object of {} may have been deleted or moved", describe(p))
        }
        CheckKind::Assert(_) => "the condition does not follow from what is known".to_string(),
    }
}

/// A value as the user knows it.
fn describe(program: &Program, function: &Function, expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Const(tenure_core::Const::Int(n)) => format!("{n}"),
        ExprKind::Load(place) => describe_place(program, function, place),
        ExprKind::Cast(_, inner) | ExprKind::FatCur(inner) => describe(program, function, inner),
        ExprKind::FatCount(inner) => {
            format!("the number of elements of {}", describe(program, function, inner))
        }
        _ => "the computed value".to_string(),
    }
}

fn describe_place(program: &Program, function: &Function, place: &Place) -> String {
    match &place.kind {
        PlaceKind::Local(local) => {
            let local = &function.locals[*local];
            match (local.name, local.kind) {
                (Some(name), LocalKind::Param) => format!("the parameter `{name}`"),
                (Some(name), LocalKind::User) => format!("`{name}`"),
                _ => "the computed value".to_string(),
            }
        }
        PlaceKind::Global(id) => format!("the global `{}`", program.globals[*id].source_name),
        PlaceKind::Field(base, index) => {
            let name = match program.types.get(base.ty) {
                tenure_core::Ty::Record(id) => {
                    let fields = program.types.records[*id].fields.as_deref().unwrap_or_default();
                    fields.get(*index as usize).and_then(|field| field.name)
                }
                _ => None,
            };
            match name {
                Some(name) => format!("the field `{name}`"),
                None => "the field".to_string(),
            }
        }
        _ => "what was read from memory".to_string(),
    }
}
