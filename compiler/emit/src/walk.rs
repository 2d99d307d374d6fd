//! Visiting what a function mentions, in the order in which it is printed.

use tenure_core::{
    AllocCount, AllocPlace, Block, Callee, Check, CheckKind, Expr, ExprKind, LocalId, LoopTest,
    Place, PlaceKind, Stmt, StmtKind, TyId,
};

/// Told of each mention. A check that was proved mentions nothing.
pub(crate) trait Visitor {
    fn local(&mut self, _local: LocalId) {}
    fn global(&mut self, _global: tenure_core::GlobalId) {}
    fn function(&mut self, _function: tenure_core::FunctionId) {}
    fn ty(&mut self, _ty: TyId) {}
}

pub(crate) fn block(v: &mut impl Visitor, block: &Block) {
    for &local in &block.locals {
        v.local(local);
    }
    stmts(v, &block.stmts);
}

pub(crate) fn stmts(v: &mut impl Visitor, stmts: &[Stmt]) {
    for s in stmts {
        stmt(v, s);
    }
}

pub(crate) fn stmt(v: &mut impl Visitor, stmt: &Stmt) {
    match &stmt.kind {
        StmtKind::Assign(p, e) | StmtKind::Init(p, e) => {
            place(v, p);
            expr(v, e);
        }
        StmtKind::Zero(p) => place(v, p),
        StmtKind::Consume { .. } | StmtKind::Restore { .. } => {}
        StmtKind::Eval(e) | StmtKind::Throw { exn: e } | StmtKind::Rethrow { exn: e } => expr(v, e),
        StmtKind::Call { dest, callee, args, .. } => {
            dest.iter().for_each(|d| place(v, d));
            match callee {
                Callee::Direct(id) => v.function(*id),
                Callee::Indirect(e) => expr(v, e),
            }
            args.iter().for_each(|a| expr(v, a));
        }
        StmtKind::Alloc(a) => {
            place(v, &a.dest);
            v.ty(a.elem);
            if let AllocPlace::Arena(e) = &a.place {
                expr(v, e);
            }
            if let AllocCount::Elements(e) | AllocCount::Bytes(e) = &a.count {
                expr(v, e);
            }
        }
        StmtKind::Check(c) => check(v, c),
        StmtKind::If { cond, then, otherwise } => {
            expr(v, cond);
            block(v, then);
            otherwise.iter().for_each(|b| block(v, b));
        }
        StmtKind::Loop(l) => {
            if let LoopTest::Before { head, cond } | LoopTest::After { head, cond } = &l.test {
                block(v, head);
                expr(v, cond);
            }
            block(v, &l.body);
            stmts(v, &l.step);
        }
        StmtKind::Switch { value, arms, default, .. } => {
            expr(v, value);
            arms.iter().for_each(|arm| block(v, &arm.body));
            default.iter().for_each(|b| block(v, b));
        }
        StmtKind::Block { body, .. } => block(v, body),
        StmtKind::Return(e) => e.iter().for_each(|e| expr(v, e)),
        StmtKind::RegionEnter(l) | StmtKind::RegionExit(l) | StmtKind::TryExit(l) => v.local(*l),
        StmtKind::Try(t) => {
            v.local(t.frame);
            v.local(t.exn);
            block(v, &t.body);
            block(v, &t.handler);
        }
        StmtKind::Open { key, handle } | StmtKind::Close { key, handle } => {
            place(v, key);
            v.local(*handle);
        }
        StmtKind::Pin { pin, dest, reference } => {
            v.local(*pin);
            place(v, dest);
            expr(v, reference);
        }
        StmtKind::Unpin(pin) => v.local(*pin),
        StmtKind::Break(_)
        | StmtKind::Continue(_)
        | StmtKind::Label(_)
        | StmtKind::Goto(_)
        | StmtKind::NoMatch
        | StmtKind::Unreachable => {}
    }
}

fn check(v: &mut impl Visitor, check: &Check) {
    if !check.status.is_emitted() {
        return;
    }
    match &check.kind {
        CheckKind::NonNull(a)
        | CheckKind::NonZero(a)
        | CheckKind::HasZero { ptr: a }
        | CheckKind::Tag { tag: a, .. }
        | CheckKind::Touch(a)
        | CheckKind::Assert(a) => expr(v, a),
        CheckKind::Index { index: a, size: b }
        | CheckKind::Fits32 { count: a, size: b }
        | CheckKind::IndexOrEnd { index: a, size: b }
        | CheckKind::FatIndex { ptr: a, index: b }
        | CheckKind::FatCount { ptr: a, count: b, .. }
        | CheckKind::FatStep { ptr: a, count: b }
        | CheckKind::NoDivOverflow { dividend: a, divisor: b }
        | CheckKind::ZeroTermIndex { ptr: a, index: b } => {
            expr(v, a);
            expr(v, b);
        }
        CheckKind::ZeroTermStore { ptr, index, value } => {
            expr(v, ptr);
            expr(v, index);
            expr(v, value);
        }
    }
}

pub(crate) fn expr(v: &mut impl Visitor, e: &Expr) {
    use tenure_core::Const;
    v.ty(e.ty);
    match &e.kind {
        ExprKind::Const(Const::Function(id)) => v.function(*id),
        ExprKind::Const(Const::TagAddress(id)) => v.global(*id),
        ExprKind::Const(_) => {}
        ExprKind::Load(p) | ExprKind::AddrOf(p) => place(v, p),
        ExprKind::Unary(_, a)
        | ExprKind::Cast(_, a)
        | ExprKind::FatBase(a)
        | ExprKind::FatIdx(a)
        | ExprKind::FatLen(a)
        | ExprKind::FatCur(a)
        | ExprKind::FatCount(a)
        | ExprKind::ZeroTermSize(a) => expr(v, a),
        ExprKind::Binary(_, a, b)
        | ExprKind::PtrAdd(a, b)
        | ExprKind::PtrDiff(a, b)
        | ExprKind::FatAdd(a, b) => {
            expr(v, a);
            expr(v, b);
        }
        ExprKind::Cond(a, b, c) | ExprKind::MakeFat { base: a, idx: b, len: c } => {
            expr(v, a);
            expr(v, b);
            expr(v, c);
        }
        ExprKind::Aggregate(parts) => parts.iter().for_each(|(_, e)| expr(v, e)),
        ExprKind::SizeOf(ty) | ExprKind::AlignOf(ty) | ExprKind::OffsetOf(ty, _) => v.ty(*ty),
    }
}

pub(crate) fn place(v: &mut impl Visitor, p: &Place) {
    v.ty(p.ty);
    match &p.kind {
        PlaceKind::Local(id) => v.local(*id),
        PlaceKind::Global(id) => v.global(*id),
        PlaceKind::Deref(e) => expr(v, e),
        PlaceKind::Field(base, _) => place(v, base),
        PlaceKind::Index(base, e) => {
            place(v, base);
            expr(v, e);
        }
        PlaceKind::PtrIndex(a, b) | PlaceKind::FatIndex(a, b) => {
            expr(v, a);
            expr(v, b);
        }
    }
}
