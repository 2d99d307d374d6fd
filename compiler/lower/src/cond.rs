//! Conditions: logic that evaluates as little as it must, with the checks of each operand only where it is evaluated.

use crate::builder::{load, Builder};
use crate::loan::LoansBefore;
use crate::place::Access;
use tenure_core::{
    BinaryOp, Block, Expr, ExprKind, IntTy, LabelId, Stmt, StmtKind, Ty, TyId, UnaryOp,
};
use tenure_types::hir;
use tenure_types::ty::{Type, TypeId};

impl Builder<'_, '_> {
    /// An expression whose truth is the operand's, of a type that C's `if` takes.
    pub(crate) fn truth(&mut self, expr: &hir::Expr) -> Expr {
        let value = self.value(expr);
        self.thin_of(value)
    }

    pub(crate) fn not(&mut self, value: Expr) -> Expr {
        let int = self.int_ty(IntTy::Int);
        let inverse = match value.kind {
            ExprKind::Binary(op, a, b) => match inverse(op) {
                Some(op)
                    if self.int_kind(a.ty).is_some()
                        || matches!(self.ty(a.ty), Ty::Ptr { .. } | Ty::Checked { .. }) =>
                {
                    return Expr { kind: ExprKind::Binary(op, a, b), ty: int };
                }
                _ => ExprKind::Binary(op, a, b),
            },
            ExprKind::Unary(UnaryOp::Not, inner) if self.is_truth(&inner) => return *inner,
            kind => kind,
        };
        let value = Expr { kind: inverse, ty: value.ty };
        Expr { kind: ExprKind::Unary(UnaryOp::Not, Box::new(value)), ty: int }
    }

    /// Whether a value is 0 or 1 already.
    fn is_truth(&self, value: &Expr) -> bool {
        match &value.kind {
            ExprKind::Binary(op, ..) => {
                inverse(*op).is_some() || matches!(op, BinaryOp::And | BinaryOp::Or)
            }
            ExprKind::Unary(UnaryOp::Not, _) => true,
            _ => false,
        }
    }

    /// Comes out below when the condition holds; else breaks to the label.
    pub(crate) fn jump_if_false(&mut self, expr: &hir::Expr, target: LabelId) {
        match &expr.kind {
            hir::ExprKind::And(a, b) => {
                self.jump_if_false(a, target);
                self.jump_if_false(b, target);
            }
            hir::ExprKind::Or(a, b) => {
                if let Some(cond) = self.pure_truth(expr) {
                    self.break_unless(cond, target);
                    return;
                }
                let holds = self.label(None);
                let (body, ()) = self.in_block(|this| {
                    this.jump_if_true(a, holds);
                    this.jump_if_false(b, target);
                });
                self.emit(StmtKind::Block { label: Some(holds), body });
            }
            hir::ExprKind::Not(inner) => self.jump_if_true(inner, target),
            _ => {
                let cond = self.truth(expr);
                self.break_unless(cond, target);
            }
        }
    }

    /// Comes out below when the condition does not hold; else breaks to the label.
    pub(crate) fn jump_if_true(&mut self, expr: &hir::Expr, target: LabelId) {
        match &expr.kind {
            hir::ExprKind::Or(a, b) => {
                self.jump_if_true(a, target);
                self.jump_if_true(b, target);
            }
            hir::ExprKind::And(a, b) => {
                if let Some(cond) = self.pure_truth(expr) {
                    self.break_if(cond, target);
                    return;
                }
                let fails = self.label(None);
                let (body, ()) = self.in_block(|this| {
                    this.jump_if_false(a, fails);
                    this.jump_if_true(b, target);
                });
                self.emit(StmtKind::Block { label: Some(fails), body });
            }
            hir::ExprKind::Not(inner) => self.jump_if_false(inner, target),
            _ => {
                let cond = self.truth(expr);
                self.break_if(cond, target);
            }
        }
    }

    pub(crate) fn break_if(&mut self, cond: Expr, target: LabelId) {
        let (then, ()) = self.in_block(|this| this.emit(StmtKind::Break(target)));
        self.emit(StmtKind::If { cond, then, otherwise: None });
    }

    pub(crate) fn break_unless(&mut self, cond: Expr, target: LabelId) {
        let cond = self.not(cond);
        self.break_if(cond, target);
    }

    /// The condition as one pure expression, if evaluating it emits nothing.
    ///
    /// What was found impure is remembered, so that nested logic is not tried again at each level around it.
    pub(crate) fn pure_truth(&mut self, expr: &hir::Expr) -> Option<Expr> {
        let key = std::ptr::from_ref(expr) as usize;
        if self.impure.contains(&key) {
            return None;
        }
        let (block, value) = self.in_block(|this| this.pure_logic(expr));
        if block.stmts.is_empty() && block.locals.is_empty() && value.is_some() {
            return value;
        }
        self.impure.insert(key);
        None
    }

    fn pure_logic(&mut self, expr: &hir::Expr) -> Option<Expr> {
        let (op, a, b) = match &expr.kind {
            hir::ExprKind::And(a, b) => (BinaryOp::And, a, b),
            hir::ExprKind::Or(a, b) => (BinaryOp::Or, a, b),
            hir::ExprKind::Not(inner) => {
                let inner = self.pure_logic(inner)?;
                return Some(self.not(inner));
            }
            _ => {
                let value = self.truth(expr);
                return (self.mark() == 0).then_some(value);
            }
        };
        let left = self.pure_logic(a)?;
        let right = self.pure_logic(b)?;
        let int = self.int_ty(IntTy::Int);
        Some(Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty: int })
    }

    /// `&&`, `||`, `!` as a value: `int` 0 or 1.
    pub(crate) fn logical(&mut self, expr: &hir::Expr) -> Expr {
        if let hir::ExprKind::Not(inner) = &expr.kind {
            let value = self.truth(inner);
            return self.not(value);
        }
        if let Some(value) = self.pure_truth(expr) {
            return value;
        }
        let int = self.int_ty(IntTy::Int);
        let temp = self.temp(int);
        let place = self.local_place(temp);
        let zero = self.int(0, IntTy::Int);
        self.emit(StmtKind::Assign(place.clone(), zero));
        let end = self.label(None);
        let (body, ()) = self.in_block(|this| {
            this.jump_if_false(expr, end);
            let one = this.int(1, IntTy::Int);
            this.emit(StmtKind::Assign(place.clone(), one));
        });
        self.emit(StmtKind::Block { label: Some(end), body });
        load(place)
    }

    /// `a && f()` for its effects.
    pub(crate) fn effect_logical(&mut self, expr: &hir::Expr) {
        let end = self.label(None);
        let (body, ()) = self.in_block(|this| match &expr.kind {
            hir::ExprKind::And(a, b) => {
                this.jump_if_false(a, end);
                this.effect(b);
            }
            hir::ExprKind::Or(a, b) => {
                this.jump_if_true(a, end);
                this.effect(b);
            }
            _ => this.effect(expr),
        });
        self.emit(StmtKind::Block { label: Some(end), body });
    }

    /// Where `tagcheck(u.m)` has this truth: a union that holds a member which owns nothing owns nothing.
    fn know_member(&mut self, cond: &hir::Expr, truth: bool) {
        match &cond.kind {
            hir::ExprKind::Not(inner) => self.know_member(inner, !truth),
            hir::ExprKind::Coerce(_, inner) => self.know_member(inner, truth),
            hir::ExprKind::TagCheck(union, field)
                if truth && self.is_path(union) && self.member_owns_nothing(union.ty, *field) =>
            {
                let place = self.place(union, Access::Read);
                self.found_empty(&place);
            }
            _ => {}
        }
    }

    /// A member's type owns something, whatever its variables stand for, or never does.
    fn member_owns_nothing(&self, union: TypeId, field: u32) -> bool {
        let types = &self.lowerer.unit.types;
        let Type::Record(record, _) = types.get(union) else { return false };
        let fields = types.records[*record].fields.as_ref();
        let member = fields.and_then(|fields| fields.get(field as usize));
        member.is_some_and(|member| types.owned(member.ty.ty).is_none())
    }

    /// `if (cond) then else otherwise`, each filled by its closure.
    pub(crate) fn branch(
        &mut self,
        cond: &hir::Expr,
        then: impl FnOnce(&mut Self),
        otherwise: Option<impl FnOnce(&mut Self)>,
    ) {
        let then = |this: &mut Self| {
            this.know_member(cond, true);
            then(this);
        };
        let is_told = is_tag_check(cond);
        let otherwise = (is_told || otherwise.is_some()).then_some(|this: &mut Self| {
            this.know_member(cond, false);
            if let Some(otherwise) = otherwise {
                otherwise(this);
            }
        });
        if let Some(cond) = self.simple_cond(cond) {
            let (then, ()) = self.in_block(then);
            let otherwise = otherwise.map(|otherwise| Box::new(self.in_block(otherwise).0));
            self.emit(StmtKind::If { cond, then, otherwise });
            return;
        }
        let fails = self.label(None);
        match otherwise {
            None => {
                let (body, ()) = self.in_block(|this| {
                    this.jump_if_false(cond, fails);
                    then(this);
                });
                self.emit(StmtKind::Block { label: Some(fails), body });
            }
            Some(otherwise) => {
                let end = self.label(None);
                let (body, ()) = self.in_block(|this| {
                    let (first, ()) = this.in_block(|this| {
                        this.jump_if_false(cond, fails);
                        then(this);
                        if !this.is_terminated() {
                            this.emit(StmtKind::Break(end));
                        }
                    });
                    this.emit(StmtKind::Block { label: Some(fails), body: first });
                    otherwise(this);
                });
                self.emit(StmtKind::Block { label: Some(end), body });
            }
        }
    }

    /// A condition without `&&` or `||` over operands with statements: its statements go before the `if`.
    fn simple_cond(&mut self, cond: &hir::Expr) -> Option<Expr> {
        let mut inner = cond;
        while let hir::ExprKind::Not(next) = &inner.kind {
            inner = next;
        }
        if matches!(inner.kind, hir::ExprKind::And(..) | hir::ExprKind::Or(..)) {
            return self.pure_truth(cond);
        }
        Some(self.truth(cond))
    }

    pub(crate) fn conditional(
        &mut self,
        cond: &hir::Expr,
        a: &hir::Expr,
        b: &hir::Expr,
        ty: TypeId,
    ) -> Expr {
        let repr = self.repr(ty);
        if matches!(self.ty(repr), Ty::Void) {
            self.effect_conditional(cond, a, b);
            return self.zero(repr);
        }
        let before = self.loans_before();
        let (mut first, a) = self.arm(a, repr, before);
        let middle = self.loans_before();
        let (mut second, b) = self.arm(b, repr, before);
        let is_pure = |block: &Block| block.stmts.is_empty() && block.locals.is_empty();
        if is_pure(&first) && is_pure(&second) {
            if let Some(cond) = self.pure_truth(cond) {
                return Expr {
                    kind: ExprKind::Cond(Box::new(cond), Box::new(a), Box::new(b)),
                    ty: repr,
                };
            }
        }
        let temp = self.temp(repr);
        let place = self.local_place(temp);
        let span = self.span;
        first.stmts.push(Stmt { kind: StmtKind::Assign(place.clone(), a), span });
        second.stmts.push(Stmt { kind: StmtKind::Assign(place.clone(), b), span });
        self.branch(cond, |this| this.splice(first), Some(|this: &mut Self| this.splice(second)));
        self.lend_again(before, middle);
        load(place)
    }

    fn arm(&mut self, value: &hir::Expr, repr: TyId, before: LoansBefore) -> (Block, Expr) {
        self.in_block(|this| {
            let value = this.adapted(value, repr);
            this.end_arm(before);
            value
        })
    }

    fn adapted(&mut self, expr: &hir::Expr, repr: TyId) -> Expr {
        let value = self.value(expr);
        self.adapt(value, repr)
    }

    pub(crate) fn effect_conditional(&mut self, cond: &hir::Expr, a: &hir::Expr, b: &hir::Expr) {
        self.branch(cond, |this| this.effect(a), Some(|this: &mut Self| this.effect(b)));
    }

    /// A constant truth, for loops that never end.
    pub(crate) fn constant_truth(expr: &hir::Expr) -> Option<bool> {
        match &expr.kind {
            hir::ExprKind::Int(value) => Some(*value != 0),
            hir::ExprKind::Coerce(_, inner) => Self::constant_truth(inner),
            hir::ExprKind::Not(inner) => Self::constant_truth(inner).map(|truth| !truth),
            _ => None,
        }
    }
}

/// `tagcheck(u.m)`, or its negation.
fn is_tag_check(cond: &hir::Expr) -> bool {
    match &cond.kind {
        hir::ExprKind::Not(inner) | hir::ExprKind::Coerce(_, inner) => is_tag_check(inner),
        hir::ExprKind::TagCheck(..) => true,
        _ => false,
    }
}

/// The comparison that holds when `op` does not; valid for integers and pointers, not for floats.
fn inverse(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Eq => BinaryOp::Ne,
        BinaryOp::Ne => BinaryOp::Eq,
        BinaryOp::Lt => BinaryOp::Ge,
        BinaryOp::Ge => BinaryOp::Lt,
        BinaryOp::Gt => BinaryOp::Le,
        BinaryOp::Le => BinaryOp::Gt,
        _ => return None,
    })
}
