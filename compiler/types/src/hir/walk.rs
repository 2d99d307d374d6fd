//! A walk over a body that may change every type in it.

use super::{
    Block, Body, Call, CatchClause, Clause, ComprehensionInit, Decl, Expr, ExprKind, Init,
    InitElem, NewInit, Pattern, PatternKind, Stmt, StmtKind, VarArgs, Where,
};
use crate::ty::{GenericArg, RegionId, TypeId};

/// What to do with each type, region and type argument; the rest is the walk.
pub trait TypesMut {
    fn ty(&mut self, ty: &mut TypeId);
    fn region(&mut self, region: &mut RegionId);
    fn arg(&mut self, arg: &mut GenericArg);

    fn body(&mut self, body: &mut Body) {
        for local in &mut body.locals {
            self.ty(&mut local.ty.ty);
        }
        self.block(&mut body.block);
    }

    fn block(&mut self, block: &mut Block) {
        for stmt in &mut block.stmts {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::Empty
            | StmtKind::Break
            | StmtKind::LeaveHandler
            | StmtKind::Continue
            | StmtKind::Goto(_) => {}
            StmtKind::Expr(expr) => self.expr(expr),
            StmtKind::Decl(decl) => self.decl(decl),
            StmtKind::Block(block) => self.block(block),
            StmtKind::If(cond, yes, no) => {
                self.expr(cond);
                self.stmt(yes);
                if let Some(no) = no {
                    self.stmt(no);
                }
            }
            StmtKind::While(cond, body) | StmtKind::DoWhile(body, cond) => {
                self.expr(cond);
                self.stmt(body);
            }
            StmtKind::For(stmt) => {
                for init in &mut stmt.init {
                    self.stmt(init);
                }
                for expr in stmt.cond.iter_mut().chain(&mut stmt.step) {
                    self.expr(expr);
                }
                self.stmt(&mut stmt.body);
            }
            StmtKind::Switch(switch) => {
                self.expr(&mut switch.scrutinee);
                for clause in &mut switch.clauses {
                    self.clause(clause);
                }
            }
            StmtKind::Label(_, stmt) => self.stmt(stmt),
            StmtKind::Return(value) => {
                if let Some(value) = value {
                    self.expr(value);
                }
            }
            StmtKind::Fallthru(values) => self.exprs(values),
            StmtKind::Try { body, clauses } => {
                self.block(body);
                for CatchClause { clause } in clauses {
                    self.clause(clause);
                }
            }
        }
    }

    fn clause(&mut self, clause: &mut Clause) {
        for pattern in &mut clause.patterns {
            self.pattern(pattern);
        }
        if let Some(guard) = &mut clause.guard {
            self.expr(guard);
        }
        self.block(&mut clause.body);
    }

    fn decl(&mut self, decl: &mut Decl) {
        match decl {
            Decl::Local { init, .. } => {
                if let Some(init) = init {
                    self.init(init);
                }
            }
            Decl::Static(_) | Decl::Region { .. } => {}
            Decl::Let { pattern, value } => {
                self.pattern(pattern);
                self.expr(value);
            }
            Decl::Open { key, .. } => self.expr(key),
            Decl::Alias { value, .. } => self.expr(value),
        }
    }

    fn pattern(&mut self, pattern: &mut Pattern) {
        self.ty(&mut pattern.ty);
        match &mut pattern.kind {
            PatternKind::Wild
            | PatternKind::Range(..)
            | PatternKind::Float(_)
            | PatternKind::Null
            | PatternKind::Str(_)
            | PatternKind::Error => {}
            PatternKind::Bind(_, inner) | PatternKind::BindRef(_, inner) => {
                if let Some(inner) = inner {
                    self.pattern(inner);
                }
            }
            PatternKind::Pointer(inner) => self.pattern(inner),
            PatternKind::Fields { fields, .. } => {
                for (_, field) in fields {
                    self.pattern(field);
                }
            }
            PatternKind::Variant { args, .. } => {
                for (_, arg) in args {
                    self.pattern(arg);
                }
            }
            PatternKind::UnionMember { pattern, .. } => self.pattern(pattern),
        }
    }

    fn exprs(&mut self, exprs: &mut [Expr]) {
        for expr in exprs {
            self.expr(expr);
        }
    }

    fn args(&mut self, args: &mut [GenericArg]) {
        for arg in args {
            self.arg(arg);
        }
    }

    fn expr(&mut self, expr: &mut Expr) {
        self.expr_parts(expr);
    }

    fn expr_parts(&mut self, expr: &mut Expr) {
        self.ty(&mut expr.ty);
        match &mut expr.kind {
            ExprKind::Error
            | ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::LongFloat(_)
            | ExprKind::Str { .. }
            | ExprKind::Null
            | ExprKind::Local(_)
            | ExprKind::Global(_)
            | ExprKind::HeapHandle => {}
            ExprKind::Func(_, instance) => self.args(instance),
            ExprKind::SizeOf(ty) | ExprKind::AlignOf(ty) | ExprKind::OffsetOf(ty, _) => self.ty(ty),
            ExprKind::Unary(_, a)
            | ExprKind::Not(a)
            | ExprKind::IncDec(_, a)
            | ExprKind::Deref(a)
            | ExprKind::Field(a, _)
            | ExprKind::AddrOf(a)
            | ExprKind::Coerce(_, a)
            | ExprKind::Numelts(a)
            | ExprKind::TagCheck(a, _)
            | ExprKind::Free(a)
            | ExprKind::Move(a)
            | ExprKind::Borrow(a)
            | ExprKind::Counted(_, a)
            | ExprKind::Checked(_, a)
            | ExprKind::Assert(a)
            | ExprKind::Throw(a) => self.expr(a),
            ExprKind::Binary(_, a, b)
            | ExprKind::Saturating(_, a, b)
            | ExprKind::PointerDiff(a, b)
            | ExprKind::PointerCompare(_, a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::Assign(a, b)
            | ExprKind::Swap(a, b)
            | ExprKind::PointerIndex(a, b)
            | ExprKind::ArrayIndex(a, b)
            | ExprKind::PointerAdd { ptr: a, count: b, .. } => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Cond(a, b, c) => {
                self.expr(a);
                self.expr(b);
                self.expr(c);
            }
            ExprKind::Comma(exprs) | ExprKind::Tuple(exprs) => self.exprs(exprs),
            ExprKind::AssignOp { place, compute, value, .. } => {
                self.expr(place);
                self.ty(compute);
                self.expr(value);
            }
            ExprKind::Call(call) => self.call(call),
            ExprKind::New { place, init } => self.new_expr(place, init),
            ExprKind::Malloc { place, elem, count, .. } => self.malloc(place, elem, count),
            ExprKind::Realloc { old, elem, count } => {
                self.expr(old);
                self.ty(elem);
                self.expr(count);
            }
            ExprKind::CompoundLiteral(init) | ExprKind::Aggregate(init) => self.init(init),
            ExprKind::Construct { instance, args, .. } => {
                self.args(instance);
                self.exprs(args);
            }
            ExprKind::StmtExpr(block) => self.block(block),
        }
    }

    fn place(&mut self, place: &mut Where) {
        if let Where::Arena(handle) = place {
            self.expr(handle);
        }
    }

    fn malloc(&mut self, place: &mut Where, elem: &mut TypeId, count: &mut Option<Box<Expr>>) {
        self.place(place);
        self.ty(elem);
        if let Some(count) = count {
            self.expr(count);
        }
    }

    fn new_expr(&mut self, place: &mut Where, init: &mut NewInit) {
        self.place(place);
        match init {
            NewInit::Value(init) => self.init(init),
            NewInit::Comprehension(init) => self.comprehension(init),
            NewInit::Array { elem, init, .. } => {
                self.ty(elem);
                self.init(init);
            }
        }
    }

    fn call(&mut self, call: &mut Call) {
        self.expr(&mut call.callee);
        self.exprs(&mut call.args);
        self.args(&mut call.instance);
        match &mut call.rest {
            VarArgs::None => {}
            VarArgs::C(args) => self.exprs(args),
            VarArgs::Fat { elem, args } => {
                self.ty(elem);
                self.exprs(args);
            }
            VarArgs::Inject(inject) => {
                self.ty(&mut inject.elem);
                self.region(&mut inject.region);
                self.exprs(&mut inject.args);
            }
            VarArgs::Forward(rest) => self.expr(rest),
        }
    }

    fn init(&mut self, init: &mut Init) {
        self.init_parts(init);
    }

    fn init_parts(&mut self, init: &mut Init) {
        self.ty(&mut init.ty);
        match &mut init.kind {
            InitElem::Expr(expr) => self.expr(expr),
            InitElem::Zero | InitElem::String { .. } => {}
            InitElem::Record(fields) => {
                for (_, field) in fields {
                    self.init(field);
                }
            }
            InitElem::Array(elems) => {
                for (_, elem) in elems {
                    self.init(elem);
                }
            }
            InitElem::Comprehension(init) => self.comprehension(init),
        }
    }

    fn comprehension(&mut self, init: &mut ComprehensionInit) {
        self.expr(&mut init.count);
        self.ty(&mut init.elem);
        self.init(&mut init.value);
    }
}
