//! Printing of statements.

use super::names::LocalNames;
use super::print_expr::Names;
use crate::{
    AllocCount, AllocPlace, Allocation, Block, Callee, Check, CheckKind, CheckStatus, ConsumeHow,
    Expr, Fact, Function, LabelId, Local, LocalId, LocalKind, Loop, LoopTest, Owned, Place,
    RestoreHow, Stmt, StmtKind, SwitchArm,
};
use std::fmt::Write;
use tenure_span::Span;

pub struct BodyPrinter<'a> {
    pub out: &'a mut String,
    pub names: &'a Names<'a>,
    pub function: &'a Function,
    pub locals: &'a LocalNames,
    pub snippet: &'a dyn Fn(Span) -> Option<String>,
}

pub fn local_flags(out: &mut String, local: &Local) {
    for (flag, word) in [
        (local.is_const, " const"),
        (local.is_volatile, " volatile"),
        (local.address_taken, " addr"),
        (!local.zeroable, " nonzero"),
        (local.zero_at_entry, " zeroed"),
    ] {
        if flag {
            out.push_str(word);
        }
    }
    if let Some(align) = local.align {
        let _ = write!(out, " align {align}");
    }
    match local.owned {
        Some(Owned::Unique) => out.push_str(" unique"),
        Some(Owned::Counted) => out.push_str(" counted"),
        Some(Owned::Aggregate) => out.push_str(" owning"),
        None => {}
    }
    if local.noconsume {
        out.push_str(" noconsume");
    }
}

impl BodyPrinter<'_> {
    pub fn function(&mut self) {
        self.out.push(' ');
        self.block(&self.function.body, 0);
        self.out.push('\n');
    }

    fn local(&self, id: LocalId) -> &str {
        self.locals.locals.get(id).map_or("%unknown", String::as_str)
    }

    fn label(&self, id: LabelId) -> &str {
        self.locals.labels.get(id).map_or("%unknown", String::as_str)
    }

    fn indent(&mut self, depth: usize) {
        for _ in 0..depth {
            self.out.push_str("  ");
        }
    }

    /// `{ … }` without a line end after it.
    fn block(&mut self, block: &Block, depth: usize) {
        self.out.push_str("{\n");
        for &id in &block.locals {
            self.indent(depth + 1);
            self.declaration(id);
        }
        for stmt in &block.stmts {
            self.stmt(stmt, depth + 1);
        }
        self.indent(depth);
        self.out.push('}');
    }

    fn declaration(&mut self, id: LocalId) {
        let Some(local) = self.function.locals.get(id) else { return };
        let word = match local.kind {
            LocalKind::Temp => "temp",
            LocalKind::User | LocalKind::Param => "var",
        };
        let name = self.local(id).to_string();
        let _ = write!(self.out, "{word} {name}: ");
        self.names.ty(self.out, local.ty);
        local_flags(self.out, local);
        self.out.push_str(";\n");
    }

    fn stmt(&mut self, stmt: &Stmt, depth: usize) {
        self.indent(depth);
        match &stmt.kind {
            StmtKind::If { cond, then, otherwise } => {
                self.out.push_str("if ");
                self.expr(cond);
                self.out.push(' ');
                self.block(then, depth);
                if let Some(block) = otherwise {
                    self.out.push_str(" else ");
                    self.block(block, depth);
                }
            }
            StmtKind::Loop(l) => self.loop_stmt(l, depth),
            StmtKind::Switch { value, arms, default, label } => {
                self.switch(value, arms, default.as_deref(), *label, depth);
            }
            StmtKind::Block { label, body } => {
                match label {
                    Some(label) => {
                        let label = self.label(*label).to_string();
                        let _ = write!(self.out, "block {label} ");
                    }
                    None => self.out.push_str("scope "),
                }
                self.block(body, depth);
            }
            StmtKind::Try(t) => {
                let (frame, exn) = (self.local(t.frame).to_string(), self.local(t.exn).to_string());
                let _ = write!(self.out, "try {frame} ");
                self.block(&t.body, depth);
                let _ = write!(self.out, " catch {exn} ");
                self.block(&t.handler, depth);
            }
            _ => {
                self.simple(stmt);
                self.out.push(';');
            }
        }
        self.out.push('\n');
    }

    fn loop_stmt(&mut self, l: &Loop, depth: usize) {
        let label = self.label(l.label).to_string();
        let word = match l.test {
            LoopTest::Forever => "forever",
            LoopTest::Before { .. } => "while",
            LoopTest::After { .. } => "do",
        };
        let _ = write!(self.out, "{word} {label} ");
        if let LoopTest::Before { head, cond } = &l.test {
            self.head(head, depth);
            self.expr(cond);
            self.out.push(' ');
        }
        self.block(&l.body, depth);
        if !l.step.is_empty() {
            self.out.push_str(" step {\n");
            for stmt in &l.step {
                self.stmt(stmt, depth + 1);
            }
            self.indent(depth);
            self.out.push('}');
        }
        if let LoopTest::After { head, cond } = &l.test {
            self.out.push_str(" while ");
            self.head(head, depth);
            self.expr(cond);
            self.out.push(';');
        }
    }

    fn head(&mut self, head: &Block, depth: usize) {
        if !head.stmts.is_empty() || !head.locals.is_empty() {
            self.out.push_str("head ");
            self.block(head, depth);
            self.out.push(' ');
        }
    }

    fn switch(
        &mut self,
        value: &Expr,
        arms: &[SwitchArm],
        default: Option<&Block>,
        label: LabelId,
        depth: usize,
    ) {
        let label = self.label(label).to_string();
        let _ = write!(self.out, "switch {label} ");
        self.expr(value);
        self.out.push_str(" {\n");
        for arm in arms {
            self.indent(depth + 1);
            self.out.push_str("case ");
            for (n, (low, high)) in arm.values.iter().enumerate() {
                if n > 0 {
                    self.out.push_str(", ");
                }
                let _ = write!(self.out, "{low}");
                if high != low {
                    let _ = write!(self.out, "..{high}");
                }
            }
            self.out.push(' ');
            self.block(&arm.body, depth + 1);
            self.out.push('\n');
        }
        if let Some(block) = default {
            self.indent(depth + 1);
            self.out.push_str("default ");
            self.block(block, depth + 1);
            self.out.push('\n');
        }
        self.indent(depth);
        self.out.push('}');
    }

    fn expr(&mut self, expr: &Expr) {
        self.names.expr(self.out, expr);
    }

    fn place(&mut self, place: &Place) {
        self.names.place(self.out, place);
    }

    fn word_local(&mut self, word: &str, id: LocalId) {
        let name = self.local(id).to_string();
        let _ = write!(self.out, "{word} {name}");
    }

    fn word_label(&mut self, word: &str, id: LabelId) {
        let name = self.label(id).to_string();
        let _ = write!(self.out, "{word} {name}");
    }

    fn word_expr(&mut self, word: &str, expr: &Expr) {
        self.out.push_str(word);
        self.out.push(' ');
        self.expr(expr);
    }

    fn word_place(&mut self, word: &str, place: &Place) {
        self.out.push_str(word);
        self.out.push(' ');
        self.place(place);
    }

    /// Statements that contain no other.
    fn simple(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Assign(place, value) => {
                self.place(place);
                self.word_expr(" =", value);
            }
            StmtKind::Init(place, value) => {
                self.word_place("init", place);
                self.word_expr(" =", value);
            }
            StmtKind::Zero(place) => self.word_place("zero", place),
            StmtKind::Eval(value) => self.word_expr("eval", value),
            StmtKind::Call { dest, callee, args, may_throw } => {
                self.call(dest.as_ref(), callee, args, *may_throw);
            }
            StmtKind::Alloc(alloc) => self.alloc(alloc),
            StmtKind::Check(check) => self.check(check),
            StmtKind::Break(label) => self.word_label("break", *label),
            StmtKind::Continue(label) => self.word_label("continue", *label),
            StmtKind::Label(label) => self.word_label("label", *label),
            StmtKind::Goto(label) => self.word_label("goto", *label),
            StmtKind::Return(None) => self.out.push_str("return"),
            StmtKind::Return(Some(value)) => self.word_expr("return", value),
            StmtKind::RegionEnter(local) => self.word_local("region_enter", *local),
            StmtKind::RegionExit(local) => self.word_local("region_exit", *local),
            StmtKind::TryExit(local) => self.word_local("try_exit", *local),
            StmtKind::Throw { exn } => self.word_expr("throw", exn),
            StmtKind::Rethrow { exn } => self.word_expr("rethrow", exn),
            StmtKind::NoMatch => self.out.push_str("no_match"),
            StmtKind::Consume { place, how } => self.consume(place, how),
            StmtKind::Restore { place, how } => {
                self.word_place("restore", place);
                match how {
                    RestoreHow::Store => {}
                    RestoreHow::Unborrow => self.out.push_str(" unborrow"),
                    RestoreHow::Empty => self.out.push_str(" empty"),
                    RestoreHow::Clear => self.out.push_str(" clear"),
                    RestoreHow::Unbind(local) => self.word_local(" unbind", *local),
                }
            }
            StmtKind::Open { key, handle } => {
                self.word_place("open", key);
                self.word_local(" as", *handle);
            }
            StmtKind::Close { key, handle } => {
                self.word_place("close", key);
                self.word_local(" as", *handle);
            }
            StmtKind::Pin { pin, dest, reference } => {
                self.word_place("pin", dest);
                self.word_expr(" =", reference);
                self.word_local(" by", *pin);
            }
            StmtKind::Unpin(pin) => self.word_local("unpin", *pin),
            StmtKind::Unreachable => self.out.push_str("unreachable"),
            StmtKind::If { .. }
            | StmtKind::Loop(_)
            | StmtKind::Switch { .. }
            | StmtKind::Block { .. }
            | StmtKind::Try(_) => {}
        }
    }

    fn consume(&mut self, place: &Place, how: &ConsumeHow) {
        self.word_place("consume", place);
        match how {
            ConsumeHow::Move => {}
            ConsumeHow::Borrow => self.out.push_str(" borrow"),
            ConsumeHow::Swap => self.out.push_str(" swap"),
            ConsumeHow::Bind(local) => self.word_local(" bind", *local),
            ConsumeHow::Free { parts } => {
                self.out.push_str(" free(");
                for (n, part) in parts.iter().enumerate() {
                    if n > 0 {
                        self.out.push_str(", ");
                    }
                    self.place(part);
                }
                self.out.push(')');
            }
        }
    }

    fn call(&mut self, dest: Option<&Place>, callee: &Callee, args: &[Expr], may_throw: bool) {
        if let Some(place) = dest {
            self.place(place);
            self.out.push_str(" = ");
        }
        self.out.push_str("call ");
        if !may_throw {
            self.out.push_str("nothrow ");
        }
        match callee {
            Callee::Direct(id) => self.out.push_str(&self.names.items.functions[*id]),
            Callee::Indirect(expr) => {
                self.out.push_str("(*");
                self.expr(expr);
                self.out.push(')');
            }
        }
        let args: Vec<&Expr> = args.iter().collect();
        self.names.args(self.out, "", &args);
    }

    fn alloc(&mut self, alloc: &Allocation) {
        self.place(&alloc.dest);
        self.out.push_str(" = alloc ");
        match &alloc.place {
            AllocPlace::Heap => self.out.push_str("heap "),
            AllocPlace::Unique => self.out.push_str("unique "),
            AllocPlace::Counted => self.out.push_str("counted "),
            AllocPlace::Checked => self.out.push_str("checked "),
            AllocPlace::Arena(handle) => {
                self.out.push_str("arena(");
                self.expr(handle);
                self.out.push_str(") ");
            }
        }
        self.names.ty(self.out, alloc.elem);
        match &alloc.count {
            AllocCount::One => {}
            AllocCount::Elements(count) => self.word_expr(" elements", count),
            AllocCount::Bytes(count) => self.word_expr(" bytes", count),
        }
        if alloc.zeroed {
            self.out.push_str(" zeroed");
        }
    }

    fn check(&mut self, check: &Check) {
        let (word, operands) = check_parts(&check.kind);
        let _ = write!(self.out, "check {word}");
        self.names.args(self.out, "", &operands);
        match check.kind {
            CheckKind::Tag { expected, .. } => {
                let _ = write!(self.out, " is {expected}");
            }
            CheckKind::FatCount { nullable: true, .. } => self.out.push_str(" nullable"),
            _ => {}
        }
        if let Some(text) = (self.snippet)(check.span) {
            let _ = write!(self.out, " @ {text:?}");
        }
        let (word, fact) = match &check.status {
            CheckStatus::Needed => return,
            CheckStatus::Proved(fact) => ("proved", fact),
            CheckStatus::Verified(fact) => ("verified", fact),
        };
        let _ = write!(self.out, " {word}(");
        self.fact(fact);
        self.out.push(')');
    }

    fn fact(&mut self, fact: &Fact) {
        match fact {
            Fact::Constant => self.out.push_str("constant"),
            Fact::Origin(_) => self.out.push_str("origin"),
            Fact::Branch(_) => self.out.push_str("branch"),
            Fact::EarlierCheck(_) => self.out.push_str("earlier_check"),
            Fact::Range { local, low, high } => {
                self.out.push_str("range ");
                if let Some(local) = local {
                    let name = self.local(*local).to_string();
                    let _ = write!(self.out, "{name} ");
                }
                let _ = write!(self.out, "{low}..{high}");
            }
            Fact::LessThan(_) => self.out.push_str("less_than"),
            Fact::SwitchedOff => self.out.push_str("switched_off"),
        }
    }
}

/// The word of a check and its operands in order.
pub fn check_parts(kind: &CheckKind) -> (&'static str, Vec<&Expr>) {
    match kind {
        CheckKind::NonNull(p) => ("nonnull", vec![p]),
        CheckKind::Index { index, size } => ("index", vec![index, size]),
        CheckKind::IndexOrEnd { index, size } => ("index_or_end", vec![index, size]),
        CheckKind::FatIndex { ptr, index } => ("fat_index", vec![ptr, index]),
        CheckKind::FatCount { ptr, count, .. } => ("fat_count", vec![ptr, count]),
        CheckKind::FatStep { ptr, count } => ("fat_step", vec![ptr, count]),
        CheckKind::NonZero(n) => ("nonzero", vec![n]),
        CheckKind::NoDivOverflow { dividend, divisor } => {
            ("no_div_overflow", vec![dividend, divisor])
        }
        CheckKind::Tag { tag, .. } => ("tag", vec![tag]),
        CheckKind::ZeroTermIndex { ptr, index } => ("zeroterm_index", vec![ptr, index]),
        CheckKind::ZeroTermStore { ptr, index, value } => {
            ("zeroterm_store", vec![ptr, index, value])
        }
        CheckKind::HasZero { ptr } => ("has_zero", vec![ptr]),
        CheckKind::Fits32 { count, size } => ("fits32", vec![count, size]),
        CheckKind::Touch(reference) => ("touch", vec![reference]),
        CheckKind::Assert(cond) => ("assert", vec![cond]),
    }
}
