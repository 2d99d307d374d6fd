//! Branches, switches, handlers and jumps.

use crate::exprs::prec;
use crate::functions::{Body, Construct, ConstructKind};
use tenure_core::{
    Block, Const, Expr, ExprKind, IntTy, LabelId, Stmt, StmtKind, SwitchArm, Try, Ty,
};

impl Body<'_, '_> {
    pub(crate) fn control(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::If { cond, then, otherwise } => {
                self.branch("", cond, then, otherwise.as_deref());
            }
            StmtKind::Loop(l) => self.loop_stmt(l, None),
            StmtKind::Switch { value, arms, default, label } => {
                self.switch(value, arms, default.as_deref(), *label);
            }
            StmtKind::Block { label, body } => self.scope(*label, body),
            StmtKind::Break(label) => {
                let text = self.break_text(*label);
                self.out.line(&text);
            }
            StmtKind::Continue(label) => {
                let text = self.continue_text(*label);
                self.out.line(&text);
            }
            StmtKind::Label(label) if self.goto_targets.contains(label) => {
                let name = self.label(*label);
                self.out.plain(&format!("{name}:;"));
            }
            StmtKind::Goto(label) => {
                let name = self.label(*label);
                self.out.line(&format!("goto {name};"));
            }
            StmtKind::Return(value) => self.return_stmt(value.as_ref()),
            StmtKind::Try(t) => self.try_stmt(t),
            _ => {}
        }
    }

    fn return_stmt(&mut self, value: Option<&Expr>) {
        if self.never_returns {
            // cc relies on it.
            self.out.line("__builtin_trap();");
            return;
        }
        let Some(value) = value else {
            self.out.line("return;");
            return;
        };
        let text = match self.result_type() {
            Some(result) => self.value(value, result),
            None => self.expr(value),
        };
        self.out.line(&format!("return {};", text.text));
    }

    fn branch(&mut self, lead: &str, cond: &Expr, then: &Block, otherwise: Option<&Block>) {
        let cond = self.condition(cond).text;
        self.out.line(&format!("{lead}if ({cond}) {{"));
        self.nested(then);
        let Some(otherwise) = otherwise.filter(|b| !(b.stmts.is_empty() && b.locals.is_empty()))
        else {
            self.out.plain("}");
            return;
        };
        match otherwise.stmts.as_slice() {
            [Stmt { kind: StmtKind::If { cond, then, otherwise: rest }, span }]
                if otherwise.locals.is_empty() =>
            {
                self.span = *span;
                self.out.at(self.location(*span));
                if self.unit.options.lines {
                    self.out.plain("}");
                    self.branch("else ", cond, then, rest.as_deref());
                } else {
                    self.branch("} else ", cond, then, rest.as_deref());
                }
            }
            _ => {
                self.out.plain("} else {");
                self.nested(otherwise);
                self.out.plain("}");
            }
        }
    }

    pub(crate) fn nested(&mut self, block: &Block) {
        self.out.indent();
        self.block(block);
        self.out.dedent();
    }

    fn scope(&mut self, label: Option<LabelId>, body: &Block) {
        if let Some(label) = label {
            self.constructs.push(Construct { label, kind: ConstructKind::Block });
        }
        if !self.for_with_variable(body) {
            let braces = !body.locals.is_empty();
            if braces {
                self.out.plain("{");
                self.nested(body);
                self.out.plain("}");
            } else {
                self.block(body);
            }
        }
        if let Some(label) = label {
            self.constructs.pop();
            self.label_after(label);
        }
    }

    /// The label after a construct that a goto leaves.
    pub(crate) fn label_after(&mut self, label: LabelId) {
        if self.left_by_goto.remove(&label) {
            let name = self.label(label);
            self.out.plain(&format!("break_{name}:;"));
        }
    }

    fn break_text(&mut self, label: LabelId) -> String {
        let innermost =
            self.constructs.iter().rev().find(|construct| construct.kind != ConstructKind::Block);
        if innermost.is_some_and(|construct| construct.label == label) {
            return "break;".to_string();
        }
        self.left_by_goto.insert(label);
        format!("goto break_{};", self.label(label))
    }

    fn continue_text(&mut self, label: LabelId) -> String {
        let innermost = self
            .constructs
            .iter()
            .rev()
            .find(|construct| matches!(construct.kind, ConstructKind::Loop { .. }));
        let plain = ConstructKind::Loop { plain_continue: true };
        if innermost.is_some_and(|c| c.label == label && c.kind == plain) {
            return "continue;".to_string();
        }
        self.continued_by_goto.insert(label);
        format!("goto continue_{};", self.label(label))
    }

    fn switch(
        &mut self,
        value: &Expr,
        arms: &[SwitchArm],
        default: Option<&Block>,
        label: LabelId,
    ) {
        let truth = matches!(
            value.kind,
            ExprKind::Unary(tenure_core::UnaryOp::Not, _) | ExprKind::Binary(..)
        );
        let is_bool = matches!(self.ty(value.ty), Ty::Int(IntTy::Bool));
        let text = if is_bool || (truth && matches!(self.ty(value.ty), Ty::Int(IntTy::Int))) {
            format!("(int){}", self.expr(value).at(prec::UNARY))
        } else {
            self.expr(value).text
        };
        self.out.line(&format!("switch ({text}) {{"));
        self.constructs.push(Construct { label, kind: ConstructKind::Switch });
        for arm in arms {
            if self.cases(value, arm) {
                self.arm(&arm.body);
            }
        }
        let is_enum = matches!(self.ty(value.ty), Ty::Enum(_));
        match default {
            Some(body) => {
                self.out.plain("default:");
                self.arm(body);
            }
            None if is_enum || arms.is_empty() => {
                self.out.plain("default:");
                self.arm(&Block::default());
            }
            None => {}
        }
        self.constructs.pop();
        self.out.plain("}");
        self.label_after(label);
    }

    /// The `case` labels of an arm; none if no value of the type reaches it.
    fn cases(&mut self, value: &Expr, arm: &SwitchArm) -> bool {
        let int = match self.ty(value.ty) {
            Ty::Int(int) => *int,
            Ty::Enum(id) => self.unit.program.types.enums[*id].underlying,
            _ => IntTy::Long,
        };
        let (low, high) = range(int);
        let mut any = false;
        for &(from, to) in &arm.values {
            let (from, to) = (from.max(low), to.min(high));
            if from > to {
                continue;
            }
            any = true;
            let mut constant = |n: i128| {
                let e = Expr { kind: ExprKind::Const(Const::Int(n)), ty: value.ty };
                self.expr(&e).arg()
            };
            let text = if from == to {
                format!("case {}:", constant(from))
            } else {
                format!("case {} ... {}:", constant(from), constant(to))
            };
            self.out.plain(&text);
        }
        any
    }

    fn arm(&mut self, body: &Block) {
        self.out.indent();
        let braces = !body.locals.is_empty();
        if braces {
            self.out.plain("{");
            self.out.indent();
        }
        self.block(body);
        if !ends_in_jump(body) {
            self.out.plain("break;");
        }
        if braces {
            self.out.dedent();
            self.out.plain("}");
        }
        self.out.dedent();
    }

    fn try_stmt(&mut self, t: &Try) {
        let own_frame = self.declared.insert(t.frame);
        if own_frame {
            self.out.plain("{");
            self.out.indent();
            self.declare(t.frame);
        }
        self.region_of_try(t);
        if own_frame {
            self.out.dedent();
            self.out.plain("}");
        }
    }

    fn region_of_try(&mut self, t: &Try) {
        self.note_read(t.frame);
        let frame = self.local_name(t.frame);
        self.out.line(&format!("tn_handler_push(&{frame});"));
        self.out.line(&format!("if (TN_SETJMP(&{frame}) == 0) {{"));
        self.nested(&t.body);
        self.out.plain("} else {");
        self.out.indent();
        let caught = if self.declared.insert(t.exn) {
            self.declarator(t.exn)
        } else {
            self.local_name(t.exn)
        };
        self.out.line(&format!("{caught} = tn_caught(&{frame});"));
        self.handlers.push(t.frame);
        self.block(&t.handler);
        self.handlers.pop();
        self.out.dedent();
        self.out.plain("}");
    }
}

/// The values of an integer type.
fn range(int: IntTy) -> (i128, i128) {
    let bits = int.bits();
    match (int, int.is_signed()) {
        (IntTy::Bool, _) => (0, 1),
        (IntTy::I128 | IntTy::U128, _) => (i128::MIN, i128::MAX),
        (_, true) => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        (_, false) => (0, (1 << bits) - 1),
    }
}

/// Control does not come to the end of the block.
pub(crate) fn ends_in_jump(block: &Block) -> bool {
    block.stmts.last().is_some_and(|stmt| match &stmt.kind {
        StmtKind::If { then, otherwise: Some(otherwise), .. } => {
            ends_in_jump(then) && ends_in_jump(otherwise)
        }
        kind => kind.is_jump(),
    })
}
