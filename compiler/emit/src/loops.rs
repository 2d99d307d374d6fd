//! Loops as `while`, `for` and `do`.

use crate::functions::{Body, Construct, ConstructKind};
use crate::nesting::is_silent;
use crate::stmts::whole_store;
use tenure_core::{Block, Const, Expr, ExprKind, Loop, LoopTest, PlaceKind, Stmt, StmtKind, Ty};

impl Body<'_, '_> {
    /// A loop; `first` is the declaration that a `for` begins with.
    pub(crate) fn loop_stmt(&mut self, l: &Loop, first: Option<String>) {
        match &l.test {
            LoopTest::Before { head, cond } if self.is_nested(head) => {
                self.hold_all(head);
                self.test_first(l, Some(cond), first)
            }
            LoopTest::Forever => self.test_first(l, None, first),
            LoopTest::Before { head, cond } => self.head_first(l, head, cond, first),
            LoopTest::After { head, cond } => self.test_last(l, head, cond, first),
        }
    }

    fn test_first(&mut self, l: &Loop, cond: Option<&Expr>, first: Option<String>) {
        let step = self.step_text(&l.step);
        let in_head = step.is_some();
        let step = step.unwrap_or_default();
        let text = match cond {
            Some(cond) => self.condition(cond).text,
            None => String::new(),
        };
        if first.is_none() && step.is_empty() && cond.is_some() {
            self.out.line(&format!("while ({text}) {{"));
        } else {
            let first = first.map_or(";".to_string(), |first| format!("{first};"));
            let cond = if text.is_empty() { ";".to_string() } else { format!(" {text};") };
            let step = if step.is_empty() { step } else { format!(" {step}") };
            self.out.line(&format!("for ({first}{cond}{step}) {{"));
        }
        self.out.indent();
        self.body(l, in_head);
        if !in_head {
            self.steps(&l.step);
        }
        self.out.dedent();
        self.end_of_loop(l);
    }

    /// Statements compute the condition: the test stands inside.
    fn head_first(&mut self, l: &Loop, head: &Block, cond: &Expr, first: Option<String>) {
        let step = self.step_text(&l.step);
        let in_head = step.is_some();
        let step = step.filter(|s| !s.is_empty()).map_or(String::new(), |s| format!(" {s}"));
        let first = first.unwrap_or_default();
        let head_line = format!("for ({first};;{step}) {{");
        self.out.line(&head_line);
        self.out.indent();
        self.block(head);
        self.leave_unless(cond);
        let braces = !head.locals.is_empty() && !l.body.locals.is_empty();
        if braces {
            self.out.plain("{");
            self.out.indent();
        }
        self.body(l, in_head);
        if braces {
            self.out.dedent();
            self.out.plain("}");
        }
        if !in_head {
            self.steps(&l.step);
        }
        self.out.dedent();
        self.end_of_loop(l);
    }

    fn test_last(&mut self, l: &Loop, head: &Block, cond: &Expr, first: Option<String>) {
        let first = first.unwrap_or_default();
        let simple = self.is_nested(head) && l.step.is_empty() && first.is_empty();
        if simple {
            self.out.line("do {");
            self.out.indent();
            self.body(l, true);
            self.out.dedent();
            self.hold_all(head);
            let cond = self.condition(cond).text;
            self.out.line(&format!("}} while ({cond});"));
            self.label_after(l.label);
            return;
        }
        self.out.line(&format!("for ({first};;) {{"));
        self.out.indent();
        let braces = !head.locals.is_empty() && !l.body.locals.is_empty();
        if braces {
            self.out.plain("{");
            self.out.indent();
        }
        self.body(l, false);
        if braces {
            self.out.dedent();
            self.out.plain("}");
        }
        self.steps(&l.step);
        self.block(head);
        self.leave_unless(cond);
        self.out.dedent();
        self.end_of_loop(l);
    }

    /// Nothing of a loop's head is printed before the condition.
    fn is_nested(&self, head: &Block) -> bool {
        head.stmts.iter().all(|stmt| {
            is_silent(stmt) || whole_store(stmt).is_some_and(|local| self.nested.contains(&local))
        })
    }

    fn hold_all(&mut self, head: &Block) {
        for stmt in &head.stmts {
            self.stmt(stmt);
        }
    }

    fn leave_unless(&mut self, cond: &Expr) {
        if matches!(cond.kind, ExprKind::Const(Const::Int(1))) {
            return;
        }
        let cond = self.condition(cond).at(crate::exprs::prec::UNARY);
        self.out.line(&format!("if (!{cond}) break;"));
    }

    fn body(&mut self, l: &Loop, plain_continue: bool) {
        let kind = ConstructKind::Loop { plain_continue };
        self.constructs.push(Construct { label: l.label, kind });
        self.block(&l.body);
        self.constructs.pop();
        if self.continued_by_goto.remove(&l.label) {
            let name = self.label(l.label);
            self.out.plain(&format!("continue_{name}:;"));
        }
    }

    fn steps(&mut self, step: &[Stmt]) {
        for stmt in step {
            self.stmt(stmt);
        }
    }

    fn end_of_loop(&mut self, l: &Loop) {
        self.out.plain("}");
        self.label_after(l.label);
    }

    /// The steps of a loop as expressions, if all are.
    fn step_text(&mut self, step: &[Stmt]) -> Option<String> {
        let simple = |stmt: &Stmt| match &stmt.kind {
            StmtKind::Assign(place, _) => !matches!(self.ty(place.ty), Ty::Array { .. }),
            _ => false,
        };
        if !step.iter().all(simple) || step.len() > 3 {
            return None;
        }
        let mut texts = Vec::new();
        for stmt in step {
            if let StmtKind::Assign(place, e) = &stmt.kind {
                texts.push(self.assignment(place, e));
            }
        }
        Some(texts.join(", "))
    }

    /// `for (int i = 0; …)`: a scope of one variable that is set and then looped over.
    pub(crate) fn for_with_variable(&mut self, body: &Block) -> bool {
        let ([local], [first, last]) = (body.locals.as_slice(), body.stmts.as_slice()) else {
            return false;
        };
        let StmtKind::Loop(l) = &last.kind else {
            return false;
        };
        let (StmtKind::Assign(place, e) | StmtKind::Init(place, e)) = &first.kind else {
            return false;
        };
        let itself = matches!(&e.kind, ExprKind::Load(p) if matches!(p.kind, PlaceKind::Local(id) if id == *local));
        let scalar = matches!(
            self.ty(place.ty),
            Ty::Int(_) | Ty::Ptr { .. } | Ty::Float(_) | Ty::Fat { .. }
        );
        let zeroed = self.local(*local).is_none_or(|local| local.zero_at_entry);
        if whole_store(first) != Some(*local) || itself || !scalar || zeroed {
            return false;
        }
        self.span = first.span;
        self.out.at(self.location(first.span));
        let declarator = self.declarator(*local);
        let value = self.initialiser(e, place.ty);
        self.loop_stmt(l, Some(format!("{declarator} = {value}")));
        true
    }
}
