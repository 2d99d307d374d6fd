use super::Printer;
use crate::tree::{AsmOperand, AsmStmt, Block, Clause, ForInit, ForStmt, Stmt, StmtKind};

impl Printer {
    pub(super) fn block(&mut self, block: &Block) {
        let labels = self.apart(|p| {
            if !block.local_labels.is_empty() {
                p.word(" __label__ ");
                p.list(&block.local_labels, ", ", |p, label| p.word(label.name.as_str()));
                p.word(";");
            }
        });
        let start = self.out.len() + 1;
        self.lines(&block.stmts, Printer::stmt);
        self.out.insert_str(start, &labels);
    }

    pub(super) fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Expr(value) => {
                self.expr(value);
                self.word(";");
            }
            StmtKind::Decl(decl) => self.decl(decl),
            StmtKind::Block(block) => self.block(block),
            StmtKind::Label(name, attributes, body) => {
                self.word(name.name.as_str());
                self.word(": ");
                self.attributes(attributes);
                self.stmt(body);
            }
            StmtKind::If(condition, then, other) => self.if_chain(condition, then, other),
            StmtKind::While(condition, body) => {
                self.word("while (");
                self.expr(condition);
                self.word(") ");
                self.stmt(body);
            }
            StmtKind::DoWhile(body, condition) => {
                self.word("do ");
                self.stmt(body);
                self.word(" while (");
                self.expr(condition);
                self.word(");");
            }
            StmtKind::For(stmt) => self.for_stmt(stmt),
            StmtKind::Switch(switch) => {
                self.word("switch ");
                self.expr(&switch.scrutinee);
                self.word(" ");
                self.clauses(&switch.prelude, &switch.clauses);
            }
            StmtKind::Case(case) => {
                for head in &case.heads {
                    self.clause_head(head);
                    self.word(" ");
                }
                self.stmt(&case.stmt);
            }
            StmtKind::Try(body, clauses) => {
                self.word("try ");
                self.stmt(body);
                self.word(" catch ");
                self.clauses(&[], clauses);
            }
            StmtKind::Asm(asm) => {
                self.asm(asm);
                self.word(";");
            }
            _ => self.jump(stmt),
        }
    }

    /// C11 6.8.6, and `fallthru`.
    fn jump(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Goto(label) => {
                self.word("goto ");
                self.word(label.name.as_str());
                self.word(";");
            }
            StmtKind::GotoComputed(target) => {
                self.word("goto *");
                self.expr(target);
                self.word(";");
            }
            StmtKind::Break => self.word("break;"),
            StmtKind::Continue => self.word("continue;"),
            StmtKind::Return(value) => {
                self.word("return");
                if let Some(value) = value {
                    self.word(" ");
                    self.expr(value);
                }
                self.word(";");
            }
            StmtKind::Fallthru(args) => {
                self.word("fallthru");
                if let Some(args) = args {
                    self.word("(");
                    self.list(args, ", ", Printer::expr);
                    self.word(")");
                }
                self.word(";");
            }
            _ => self.word(";"),
        }
    }

    fn if_chain(&mut self, condition: &crate::tree::Expr, then: &Stmt, other: &Option<Box<Stmt>>) {
        let mut arm = Some((condition, then, other));
        while let Some((condition, then, other)) = arm.take() {
            self.word("if (");
            self.expr(condition);
            self.word(") ");
            self.stmt(then);
            if let Some(other) = other {
                self.word(" else ");
                match &other.kind {
                    StmtKind::If(condition, then, other) => arm = Some((condition, then, other)),
                    _ => self.stmt(other),
                }
            }
        }
    }

    fn for_stmt(&mut self, stmt: &ForStmt) {
        self.word("for (");
        match &stmt.init {
            ForInit::None => self.word(";"),
            ForInit::Expr(value) => {
                self.expr(value);
                self.word(";");
            }
            ForInit::Decl(decl) => self.decl(decl),
        }
        if let Some(condition) = &stmt.cond {
            self.word(" ");
            self.expr(condition);
        }
        self.word(";");
        if let Some(step) = &stmt.step {
            self.word(" ");
            self.expr(step);
        }
        self.word(") ");
        self.stmt(&stmt.body);
    }

    fn clauses(&mut self, prelude: &[Stmt], clauses: &[Clause]) {
        self.word("{");
        self.indent += 1;
        for stmt in prelude {
            self.newline();
            self.stmt(stmt);
        }
        for clause in clauses {
            self.newline();
            self.clause(clause);
        }
        self.indent -= 1;
        self.newline();
        self.word("}");
    }

    fn clause_head(&mut self, clause: &Clause) {
        match &clause.pattern {
            Some(pattern) => {
                self.word("case ");
                self.pattern(pattern);
            }
            None => self.word("default"),
        }
        if let Some(guard) = &clause.guard {
            self.word(" && ");
            self.expr(guard);
        }
        self.word(":");
    }

    fn clause(&mut self, clause: &Clause) {
        self.clause_head(clause);
        self.indent += 1;
        for stmt in &clause.body {
            self.newline();
            self.stmt(stmt);
        }
        self.indent -= 1;
    }

    pub(super) fn asm(&mut self, asm: &AsmStmt) {
        self.word("asm ");
        self.word(if asm.volatile { "volatile " } else { "" });
        self.word(if asm.goto { "goto " } else { "" });
        self.word("(");
        self.string(&asm.template);
        self.word(" : ");
        self.list(&asm.outputs, ", ", Printer::asm_operand);
        self.word(" : ");
        self.list(&asm.inputs, ", ", Printer::asm_operand);
        self.word(" : ");
        self.list(&asm.clobbers, ", ", Printer::string);
        if !asm.labels.is_empty() {
            self.word(" : ");
            self.list(&asm.labels, ", ", |p, label| p.word(label.name.as_str()));
        }
        self.word(")");
    }

    fn asm_operand(&mut self, operand: &AsmOperand) {
        if let Some(name) = operand.name {
            self.word("[");
            self.word(name.name.as_str());
            self.word("] ");
        }
        self.string(&operand.constraint);
        self.word(" (");
        self.expr(&operand.expr);
        self.word(")");
    }
}
