//! Whether a clause of a handler only looks at the exception that it binds.
//!
//! A variable for the object, or for a pointer into it, is *looked at* where it is matched, compared, followed for a
//! value that is copied, stored through, passed to a function that cannot keep it, or thrown on. Counted are all places
//! that name such a variable, and those that are one of these: if they are as many, nothing else has what the variable
//! refers to when the clause ends. Whatever is not known here is no look.

use crate::caught::keeps_pattern;
use tenure_span::FastSet;
use tenure_types::hir::{
    Body, Call, Clause, Expr, ExprKind, InitElem, LocalId, NewInit, Stmt, StmtKind, SwitchStmt,
    Unit, VarArgs, Where,
};
use tenure_types::ty::{EffectItem, Flags, FunctionType, Region, Type};

/// Functions that call each other to make an exception, at most.
const DEEPEST: u32 = 4;

pub(crate) struct Looks<'u> {
    unit: &'u Unit,
    bound: FastSet<LocalId>,
    /// What is thrown inside a `try` may come back into the clause.
    tries: u32,
    looked: usize,
}

impl<'u> Looks<'u> {
    /// Whether the clause only looks at what the variables refer to.
    pub(crate) fn at(unit: &'u Unit, clause: &Clause, bound: &[LocalId]) -> bool {
        let bound: FastSet<LocalId> = bound.iter().copied().collect();
        let mut looks = Looks { unit, bound, tries: 0, looked: 0 };
        let named = crate::prescan::count_mentions(clause, &looks.bound.clone(), &mut looks);
        named == looks.looked
    }

    pub(crate) fn enter_try(&mut self) {
        self.tries += 1;
    }

    pub(crate) fn leave_try(&mut self) {
        self.tries -= 1;
    }

    pub(crate) fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Switch(switch) => self.switch(switch),
            StmtKind::Return(Some(value)) => self.value(value),
            StmtKind::Expr(Expr { kind: ExprKind::Throw(exn), .. }) if self.tries == 0 => {
                self.operand(exn);
            }
            _ => {}
        }
    }

    fn switch(&mut self, switch: &SwitchStmt) {
        let copies = |clause: &Clause| !clause.patterns.iter().any(keeps_pattern);
        if switch.clauses.iter().all(copies) {
            self.operand(&switch.scrutinee);
        }
    }

    pub(crate) fn init(&mut self, init: &InitElem) {
        if let InitElem::Expr(value) = init {
            self.value(value);
        }
    }

    pub(crate) fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Not(a) => self.operand(a),
            ExprKind::PointerCompare(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.operand(a);
                self.operand(b);
            }
            ExprKind::Binary(_, a, b) => {
                self.value(a);
                self.value(b);
            }
            ExprKind::Assign(place, value) => {
                self.value(place);
                self.value(value);
            }
            ExprKind::AssignOp { place, value, .. } => {
                self.value(place);
                self.value(value);
            }
            ExprKind::IncDec(_, place) => self.value(place),
            ExprKind::Swap(a, b) => {
                self.value(a);
                self.value(b);
            }
            ExprKind::Call(call) => self.call(call),
            _ => {}
        }
    }

    /// A look at the variable itself.
    fn operand(&mut self, e: &Expr) {
        self.looked += usize::from(self.is_bound(e));
    }

    /// A look at what it refers to, whose value is copied or replaced.
    fn value(&mut self, e: &Expr) {
        if let ExprKind::Deref(pointer) = &peel(e).kind {
            let whole = matches!(self.unit.types.get(peel(e).ty), Type::Array { .. });
            self.looked += usize::from(!whole && self.is_bound(pointer));
        }
    }

    fn is_bound(&self, e: &Expr) -> bool {
        matches!(&peel(e).kind, ExprKind::Local(local) if self.bound.contains(local))
    }

    fn call(&mut self, call: &Call) {
        call.args.iter().for_each(|arg| self.value(arg));
        if let VarArgs::Inject(inject) = &call.rest {
            inject.args.iter().for_each(|arg| self.value(arg));
        }
        let ExprKind::Func(func, _) = &peel(&call.callee).kind else { return };
        let Type::Function(function) = self.unit.types.get(self.unit.funcs[*func].ty) else {
            return;
        };
        for (number, arg) in call.args.iter().enumerate() {
            if self.is_bound(arg) && self.cannot_keep(function, number) {
                self.looked += 1;
            }
        }
    }

    /// Whether the parameter's region is a variable of the function's own that nothing else of its type mentions, so
    /// that what points there can be stored nowhere.
    fn cannot_keep(&self, function: &FunctionType, number: usize) -> bool {
        let types = &self.unit.types;
        let own_region = |ty| match types.get(ty) {
            Type::Pointer(pointer) => match *types.get_region(pointer.region) {
                Region::Var(var) if function.vars.contains(&var) => Some((var, pointer.elem.ty)),
                _ => None,
            },
            _ => None,
        };
        let plain = |ty| !types.flags(ty).has(Flags::VAR);
        let Some((var, elem)) = function.params.get(number).and_then(|param| own_region(param.ty))
        else {
            return false;
        };
        let others = function.params.iter().enumerate().filter(|(other, _)| *other != number);
        let apart = others.into_iter().all(|(_, param)| {
            plain(param.ty)
                || own_region(param.ty).is_some_and(|(other, elem)| other != var && plain(elem))
        });
        let bounded = function.bounds.iter().any(|(set, _)| {
            let items = &types.get_effect(*set).items;
            items.iter().any(|item| {
                matches!(item, EffectItem::Region(region) if *types.get_region(*region) == Region::Var(var))
            })
        });
        plain(elem)
            && plain(function.result.ty)
            && apart
            && !bounded
            && function.variadic == tenure_types::ty::Variadic::No
    }
}

/// What is converted.
pub(crate) fn peel(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Coerce(_, inner) => peel(inner),
        _ => e,
    }
}

/// Whether the exception was made by the expression itself, so that nothing else refers to it.
pub(crate) fn is_fresh(unit: &Unit, exn: &Expr, depth: u32) -> bool {
    match &peel(exn).kind {
        ExprKind::New { place: Where::Heap, init: NewInit::Value(_) } => true,
        ExprKind::Cond(_, a, b) => is_fresh(unit, a, depth) && is_fresh(unit, b, depth),
        ExprKind::Comma(parts) => parts.last().is_some_and(|last| is_fresh(unit, last, depth)),
        ExprKind::Call(call) => match &peel(&call.callee).kind {
            ExprKind::Func(func, _) if depth < DEEPEST => {
                let body = unit.funcs[*func].body.as_ref();
                body.is_some_and(|body| returns_fresh(unit, body, depth + 1))
            }
            _ => false,
        },
        _ => false,
    }
}

/// Whether the function does nothing but return an exception that it makes.
fn returns_fresh(unit: &Unit, body: &Body, depth: u32) -> bool {
    match &body.block.stmts[..] {
        [before @ .., Stmt { kind: StmtKind::Return(Some(exn)), .. }] => {
            let plain = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Expr(_) | StmtKind::Decl(_));
            before.iter().all(plain) && is_fresh(unit, exn, depth)
        }
        _ => false,
    }
}
