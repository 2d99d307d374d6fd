//! What a body's statements need to know before they are lowered: which locals have their address taken anywhere, and
//! how many scopes with a cleanup stand around each goto label.

use crate::caught::{self, Fate};
use crate::looks::Looks;
use tenure_span::{FastMap, FastSet};
use tenure_types::hir::{
    Block, Body, Call, Clause, Coercion, Decl, Expr, ExprKind, Init, InitElem, LabelId, LocalId,
    NewInit, Pattern, PatternKind, Stmt, StmtKind, Unit, VarArgs, Where,
};

#[derive(Default)]
pub(crate) struct Prescan<'l, 'u> {
    pub(crate) address_taken: FastSet<LocalId>,
    pub(crate) label_depths: FastMap<LabelId, usize>,
    /// Cleanup scopes around the current statement.
    depth: usize,
    /// Every local that is named anywhere.
    named: FastSet<LocalId>,
    /// The unit, where handlers are of interest.
    unit: Option<&'u Unit>,
    /// What is asked of each statement and expression, and how often its locals are named.
    looks: Option<&'l mut Looks<'u>>,
    counted: FastSet<LocalId>,
    count: usize,
}

/// How often a clause of a handler names the locals; asks `looks` of all in it.
pub(crate) fn count_mentions<'u>(
    clause: &Clause,
    counted: &FastSet<LocalId>,
    looks: &mut Looks<'u>,
) -> usize {
    let mut scan = Prescan { looks: Some(looks), counted: counted.clone(), ..Prescan::default() };
    scan.clause(clause, None, false);
    scan.count
}

/// Whether an initialiser that stores part by part names the local.
pub(crate) fn mentions(init: &Init, local: LocalId) -> bool {
    if matches!(init.kind, InitElem::Expr(_) | InitElem::Zero | InitElem::String { .. }) {
        return false;
    }
    let mut scan = Prescan::default();
    scan.init(init);
    scan.named.contains(&local)
}

impl<'u> Prescan<'_, 'u> {
    pub(crate) fn of(unit: &'u Unit, body: &Body) -> Prescan<'u, 'u> {
        let mut scan = Prescan { unit: Some(unit), ..Prescan::default() };
        scan.block(&body.block);
        scan
    }

    fn take_address(&mut self, place: &Expr) {
        match &place.kind {
            ExprKind::Local(local) => {
                self.address_taken.insert(*local);
            }
            ExprKind::Field(base, _) | ExprKind::ArrayIndex(base, _) => self.take_address(base),
            ExprKind::Coerce(_, inner) => self.take_address(inner),
            _ => {}
        }
    }

    fn block(&mut self, block: &Block) {
        let depth = self.depth;
        block.stmts.iter().for_each(|stmt| self.stmt(stmt));
        self.depth = depth;
    }

    fn stmt(&mut self, stmt: &Stmt) {
        if let Some(looks) = &mut self.looks {
            looks.stmt(stmt);
        }
        match &stmt.kind {
            StmtKind::Empty
            | StmtKind::Break
            | StmtKind::LeaveHandler
            | StmtKind::Continue
            | StmtKind::Goto(_) => {}
            StmtKind::Expr(expr) => self.expr(expr),
            StmtKind::Decl(decl) => self.decl(decl),
            StmtKind::Block(block) => self.block(block),
            StmtKind::If(cond, then, otherwise) => {
                self.expr(cond);
                self.stmt(then);
                otherwise.iter().for_each(|stmt| self.stmt(stmt));
            }
            StmtKind::While(cond, body) | StmtKind::DoWhile(body, cond) => {
                self.expr(cond);
                self.stmt(body);
            }
            StmtKind::For(stmt) => {
                stmt.init.iter().for_each(|init| self.stmt(init));
                stmt.cond.iter().chain(&stmt.step).for_each(|expr| self.expr(expr));
                self.stmt(&stmt.body);
            }
            StmtKind::Switch(switch) => {
                self.expr(&switch.scrutinee);
                for clause in &switch.clauses {
                    self.clause(clause, Some(&switch.scrutinee), false);
                }
            }
            StmtKind::Label(label, inner) => {
                self.label_depths.insert(*label, self.depth);
                self.stmt(inner);
            }
            StmtKind::Return(value) => value.iter().for_each(|value| self.expr(value)),
            StmtKind::Fallthru(values) => values.iter().for_each(|value| self.expr(value)),
            StmtKind::Try { body, clauses } => {
                self.depth += 1;
                self.looks.iter_mut().for_each(|looks| looks.enter_try());
                self.block(body);
                self.looks.iter_mut().for_each(|looks| looks.leave_try());
                self.depth -= 1;
                let fates = self.unit.and_then(|unit| caught::fates(unit, clauses));
                for (number, clause) in clauses.iter().enumerate() {
                    let held = fates.as_ref().is_some_and(|fates| fates[number] == Fate::Held);
                    self.clause(&clause.clause, None, held);
                }
            }
        }
    }

    fn clause(&mut self, clause: &Clause, scrutinee: Option<&Expr>, held: bool) {
        for pattern in &clause.patterns {
            self.pattern(pattern, scrutinee);
        }
        clause.guard.iter().for_each(|guard| self.expr(guard));
        let depth = self.depth;
        self.depth += usize::from(clause.patterns.iter().any(binds_by_value)) + usize::from(held);
        self.block(&clause.body);
        self.depth = depth;
    }

    /// A pattern that binds by reference takes the address of what it is matched against.
    fn pattern(&mut self, pattern: &Pattern, subject: Option<&Expr>) {
        if let (true, Some(subject)) = (binds_by_reference(pattern), subject) {
            self.take_address(subject);
        }
    }

    fn decl(&mut self, decl: &Decl) {
        match decl {
            Decl::Local { init, .. } => init.iter().for_each(|init| self.init(init)),
            Decl::Static(_) => {}
            Decl::Let { pattern, value } => {
                self.expr(value);
                self.pattern(pattern, Some(value));
                self.depth += usize::from(binds_parts(pattern));
            }
            Decl::Region { .. } => self.depth += 1,
            Decl::Open { key, .. } => {
                self.expr(key);
                self.depth += 1;
            }
            Decl::Alias { value, .. } => {
                self.expr(value);
                self.depth += 1;
            }
        }
    }

    fn init(&mut self, init: &Init) {
        if let Some(looks) = &mut self.looks {
            looks.init(&init.kind);
        }
        match &init.kind {
            InitElem::Expr(expr) => self.expr(expr),
            InitElem::Zero | InitElem::String { .. } => {}
            InitElem::Record(fields) => fields.iter().for_each(|(_, init)| self.init(init)),
            InitElem::Array(elems) => elems.iter().for_each(|(_, init)| self.init(init)),
            InitElem::Comprehension(comprehension) => {
                self.expr(&comprehension.count);
                self.init(&comprehension.value);
            }
        }
    }

    fn exprs<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) {
        exprs.into_iter().for_each(|expr| self.expr(expr));
    }

    fn expr(&mut self, expr: &Expr) {
        if let Some(looks) = &mut self.looks {
            looks.expr(expr);
        }
        match &expr.kind {
            ExprKind::Local(local) => {
                self.named.insert(*local);
                self.count += usize::from(self.counted.contains(local));
            }
            ExprKind::AddrOf(place) => {
                self.take_address(place);
                self.expr(place);
            }
            ExprKind::Coerce(coercion, inner) => {
                if matches!(coercion, Coercion::ArrayToThin | Coercion::ArrayToFat) {
                    self.take_address(inner);
                }
                self.expr(inner);
            }
            ExprKind::Unary(_, a)
            | ExprKind::Not(a)
            | ExprKind::Deref(a)
            | ExprKind::Numelts(a)
            | ExprKind::Throw(a)
            | ExprKind::Free(a)
            | ExprKind::Move(a)
            | ExprKind::Borrow(a)
            | ExprKind::Counted(_, a)
            | ExprKind::Checked(_, a)
            | ExprKind::Assert(a)
            | ExprKind::Field(a, _)
            | ExprKind::TagCheck(a, _)
            | ExprKind::IncDec(_, a) => self.expr(a),
            ExprKind::Binary(_, a, b)
            | ExprKind::Saturating(_, a, b)
            | ExprKind::PointerDiff(a, b)
            | ExprKind::PointerCompare(_, a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::Assign(a, b)
            | ExprKind::AssignOp { place: a, value: b, .. }
            | ExprKind::PointerAdd { ptr: a, count: b, .. }
            | ExprKind::Swap(a, b)
            | ExprKind::Realloc { old: a, count: b, .. }
            | ExprKind::PointerIndex(a, b)
            | ExprKind::ArrayIndex(a, b) => self.exprs([&**a, &**b]),
            ExprKind::Cond(a, b, c) => self.exprs([&**a, &**b, &**c]),
            ExprKind::Comma(exprs) | ExprKind::Tuple(exprs) => self.exprs(exprs),
            ExprKind::Construct { args, .. } => self.exprs(args),
            ExprKind::CompoundLiteral(init) | ExprKind::Aggregate(init) => self.init(init),
            ExprKind::StmtExpr(block) => self.block(block),
            ExprKind::Call(call) => self.call(call),
            ExprKind::New { place, init } => {
                self.where_(place);
                match init {
                    NewInit::Value(init) | NewInit::Array { init, .. } => self.init(init),
                    NewInit::Comprehension(comprehension) => {
                        self.expr(&comprehension.count);
                        self.init(&comprehension.value);
                    }
                }
            }
            ExprKind::Malloc { place, count, .. } => {
                self.where_(place);
                count.iter().for_each(|count| self.expr(count));
            }
            _ => {}
        }
    }

    fn call(&mut self, call: &Call) {
        self.expr(&call.callee);
        self.exprs(&call.args);
        match &call.rest {
            VarArgs::None => {}
            VarArgs::C(args) | VarArgs::Fat { args, .. } => self.exprs(args),
            VarArgs::Inject(inject) => self.exprs(&inject.args),
            VarArgs::Forward(rest) => self.expr(rest),
        }
    }

    fn where_(&mut self, place: &Where) {
        if let Where::Arena(handle) = place {
            self.expr(handle);
        }
    }
}

/// Whether a pattern binds variables by value, which may take over what the matched object owns. Its clause is a scope
/// that gives back what was not used.
pub(crate) fn binds_by_value(pattern: &Pattern) -> bool {
    match &pattern.kind {
        PatternKind::Bind(..) => true,
        PatternKind::BindRef(_, inner) => inner.as_deref().is_some_and(binds_by_value),
        PatternKind::Pointer(inner) | PatternKind::UnionMember { pattern: inner, .. } => {
            binds_by_value(inner)
        }
        PatternKind::Fields { fields, .. } => {
            fields.iter().any(|(_, pattern)| binds_by_value(pattern))
        }
        PatternKind::Variant { args, .. } => {
            args.iter().any(|(_, pattern)| binds_by_value(pattern))
        }
        _ => false,
    }
}

/// The same for a `let` whose pattern takes a value apart.
pub(crate) fn binds_parts(pattern: &Pattern) -> bool {
    !matches!(pattern.kind, PatternKind::Bind(_, None)) && binds_by_value(pattern)
}

/// Whether matching needs the place itself, not a copy of its value.
pub(crate) fn binds_by_reference(pattern: &Pattern) -> bool {
    match &pattern.kind {
        PatternKind::BindRef(..) => true,
        PatternKind::Bind(_, inner) => {
            inner.as_ref().is_some_and(|inner| binds_by_reference(inner))
        }
        PatternKind::Fields { fields, .. } => {
            fields.iter().any(|(_, pattern)| binds_by_reference(pattern))
        }
        PatternKind::UnionMember { pattern, .. } => binds_by_reference(pattern),
        // Behind a pointer the place is the pointer's target, whatever the pointer's own place.
        _ => false,
    }
}
