//! Visitors over statements, expressions and places, immutable and mutable.
//!
//! A visitor overrides the methods it cares about and calls the `walk_…` function of the same name to go on
//! into the parts. Lists are iterated; the recursion is as deep as the program's nesting, which the parser bounds.
//! Parts are visited in order of evaluation: a statement's operands before its destination, a loop's head before its
//! body before its step.

use crate::{
    AllocCount, AllocPlace, Block, Callee, CastKind, Check, CheckKind, ConsumeHow, Expr, ExprKind,
    Initializer, LocalId, LoopTest, Place, PlaceKind, RecordKind, RestoreHow, Stmt, StmtKind, Ty,
    TypeTable,
};

macro_rules! visitor {
    ($trait:ident, $iter:ident, $block:ident, $stmt:ident, $check:ident, $operands:ident, $expr:ident, $place:ident, $($mut:tt)?) => {
        pub trait $trait {
            fn block(&mut self, block: &$($mut)? Block) {
                $block(self, block);
            }
            fn stmt(&mut self, stmt: &$($mut)? Stmt) {
                $stmt(self, stmt);
            }
            fn check(&mut self, check: &$($mut)? Check) {
                $check(self, check);
            }
            fn expr(&mut self, expr: &$($mut)? Expr) {
                $expr(self, expr);
            }
            /// A place that is loaded, stored to, or whose address is taken.
            fn place(&mut self, place: &$($mut)? Place) {
                $place(self, place);
            }
            /// A place that is stored to; called before [`Self::place`] would be, which it calls.
            fn dest(&mut self, place: &$($mut)? Place) {
                self.place(place);
            }
            /// Any mention of a local.
            fn local(&mut self, _local: &$($mut)? LocalId) {}
        }

        pub fn $block<V: $trait + ?Sized>(v: &mut V, block: &$($mut)? Block) {
            for stmt in block.stmts.$iter() {
                v.stmt(stmt);
            }
        }

        pub fn $stmt<V: $trait + ?Sized>(v: &mut V, stmt: &$($mut)? Stmt) {
            match &$($mut)? stmt.kind {
                StmtKind::If { cond, then, otherwise } => {
                    v.expr(cond);
                    v.block(then);
                    if let Some(block) = otherwise {
                        v.block(block);
                    }
                }
                StmtKind::Loop(l) => {
                    if let LoopTest::Before { head, cond } = &$($mut)? l.test {
                        v.block(head);
                        v.expr(cond);
                    }
                    v.block(&$($mut)? l.body);
                    for stmt in l.step.$iter() {
                        v.stmt(stmt);
                    }
                    if let LoopTest::After { head, cond } = &$($mut)? l.test {
                        v.block(head);
                        v.expr(cond);
                    }
                }
                StmtKind::Switch { value, arms, default, .. } => {
                    v.expr(value);
                    for arm in arms.$iter() {
                        v.block(&$($mut)? arm.body);
                    }
                    if let Some(block) = default {
                        v.block(block);
                    }
                }
                StmtKind::Block { body, .. } => v.block(body),
                StmtKind::Try(t) => {
                    v.local(&$($mut)? t.frame);
                    v.block(&$($mut)? t.body);
                    v.local(&$($mut)? t.exn);
                    v.block(&$($mut)? t.handler);
                }
                _ => $operands(v, stmt),
            }
        }

        /// The operands of a statement that contains no other statement.
        pub fn $operands<V: $trait + ?Sized>(v: &mut V, stmt: &$($mut)? Stmt) {
            match &$($mut)? stmt.kind {
                StmtKind::Assign(place, expr) | StmtKind::Init(place, expr) => {
                    v.expr(expr);
                    v.dest(place);
                }
                StmtKind::Zero(place) => v.dest(place),
                StmtKind::Eval(expr) | StmtKind::Throw { exn: expr } | StmtKind::Rethrow { exn: expr } => v.expr(expr),
                StmtKind::Call { dest, callee, args, .. } => {
                    if let Callee::Indirect(expr) = callee {
                        v.expr(expr);
                    }
                    for arg in args.$iter() {
                        v.expr(arg);
                    }
                    if let Some(place) = dest {
                        v.dest(place);
                    }
                }
                StmtKind::Alloc(alloc) => {
                    if let AllocPlace::Arena(handle) = &$($mut)? alloc.place {
                        v.expr(handle);
                    }
                    if let AllocCount::Elements(count) | AllocCount::Bytes(count) = &$($mut)? alloc.count {
                        v.expr(count);
                    }
                    v.dest(&$($mut)? alloc.dest);
                }
                StmtKind::Check(check) => v.check(check),
                StmtKind::Return(value) => {
                    if let Some(expr) = value {
                        v.expr(expr);
                    }
                }
                StmtKind::RegionEnter(local) | StmtKind::RegionExit(local) | StmtKind::TryExit(local) => v.local(local),
                StmtKind::Consume { place, how } => {
                    v.place(place);
                    match how {
                        ConsumeHow::Free { parts } => parts.$iter().for_each(|part| v.place(part)),
                        ConsumeHow::Bind(local) => v.local(local),
                        ConsumeHow::Move | ConsumeHow::Borrow | ConsumeHow::Swap => {}
                    }
                }
                StmtKind::Restore { place, how } => {
                    v.place(place);
                    if let RestoreHow::Unbind(local) = how {
                        v.local(local);
                    }
                }
                StmtKind::Open { key, handle } | StmtKind::Close { key, handle } => {
                    v.place(key);
                    v.local(handle);
                }
                StmtKind::If { .. } | StmtKind::Loop(_) | StmtKind::Switch { .. } | StmtKind::Block { .. } | StmtKind::Try(_) => {}
                StmtKind::Break(_) | StmtKind::Continue(_) | StmtKind::Label(_) | StmtKind::Goto(_) => {}
                StmtKind::Pin { pin, dest, reference } => {
                    v.local(pin);
                    v.expr(reference);
                    v.dest(dest);
                }
                StmtKind::Unpin(pin) => v.local(pin),
                StmtKind::NoMatch | StmtKind::Unreachable => {}
            }
        }

        pub fn $check<V: $trait + ?Sized>(v: &mut V, check: &$($mut)? Check) {
            match &$($mut)? check.kind {
                CheckKind::NonNull(a) | CheckKind::NonZero(a) | CheckKind::Assert(a) | CheckKind::Touch(a) => v.expr(a),
                CheckKind::Tag { tag: a, .. } | CheckKind::HasZero { ptr: a } => v.expr(a),
                CheckKind::Index { index: a, size: b }
                | CheckKind::Fits32 { count: a, size: b }
                | CheckKind::IndexOrEnd { index: a, size: b }
                | CheckKind::FatIndex { ptr: a, index: b }
                | CheckKind::FatCount { ptr: a, count: b, .. }
                | CheckKind::FatStep { ptr: a, count: b }
                | CheckKind::NoDivOverflow { dividend: a, divisor: b }
                | CheckKind::ZeroTermIndex { ptr: a, index: b } => {
                    v.expr(a);
                    v.expr(b);
                }
                CheckKind::ZeroTermStore { ptr, index, value } => {
                    v.expr(ptr);
                    v.expr(index);
                    v.expr(value);
                }
            }
        }

        pub fn $expr<V: $trait + ?Sized>(v: &mut V, expr: &$($mut)? Expr) {
            match &$($mut)? expr.kind {
                ExprKind::Const(_) | ExprKind::SizeOf(_) | ExprKind::AlignOf(_) | ExprKind::OffsetOf(..) => {}
                ExprKind::Load(place) | ExprKind::AddrOf(place) => v.place(place),
                ExprKind::Unary(_, a)
                | ExprKind::Cast(_, a)
                | ExprKind::FatBase(a)
                | ExprKind::FatIdx(a)
                | ExprKind::FatLen(a)
                | ExprKind::FatCur(a)
                | ExprKind::FatCount(a)
                | ExprKind::ZeroTermSize(a) => v.expr(a),
                ExprKind::Binary(_, a, b) | ExprKind::PtrAdd(a, b) | ExprKind::PtrDiff(a, b) | ExprKind::FatAdd(a, b) => {
                    v.expr(a);
                    v.expr(b);
                }
                ExprKind::Cond(a, b, c) | ExprKind::MakeFat { base: a, idx: b, len: c } => {
                    v.expr(a);
                    v.expr(b);
                    v.expr(c);
                }
                ExprKind::Aggregate(parts) => {
                    for (_, part) in parts.$iter() {
                        v.expr(part);
                    }
                }
            }
        }

        pub fn $place<V: $trait + ?Sized>(v: &mut V, place: &$($mut)? Place) {
            match &$($mut)? place.kind {
                PlaceKind::Local(local) => v.local(local),
                PlaceKind::Global(_) => {}
                PlaceKind::Deref(expr) => v.expr(expr),
                PlaceKind::Field(base, _) => v.place(base),
                PlaceKind::Index(base, index) => {
                    v.place(base);
                    v.expr(index);
                }
                PlaceKind::PtrIndex(base, index) | PlaceKind::FatIndex(base, index) => {
                    v.expr(base);
                    v.expr(index);
                }
            }
        }
    };
}

visitor!(Visitor, iter, walk_block, walk_stmt, walk_check, walk_operands, walk_expr, walk_place,);
visitor!(
    VisitorMut,
    iter_mut,
    walk_block_mut,
    walk_stmt_mut,
    walk_check_mut,
    walk_operands_mut,
    walk_expr_mut,
    walk_place_mut,
    mut
);

/// The expressions of a static initial value.
pub fn walk_initializer<V: Visitor + ?Sized>(v: &mut V, init: &Initializer) {
    match init {
        Initializer::Value(expr) => v.expr(expr),
        Initializer::Record(parts) => parts.iter().for_each(|(_, part)| walk_initializer(v, part)),
        Initializer::Array(parts) => parts.iter().for_each(|(_, part)| walk_initializer(v, part)),
        Initializer::Repeat { value, .. } => walk_initializer(v, value),
        Initializer::Bytes(_) | Initializer::Tag { .. } => {}
    }
}

impl Place {
    /// The local or global whose object this place is a part of without any pointer in between.
    pub fn root(&self) -> &Place {
        let mut place = self;
        while let PlaceKind::Field(base, _) | PlaceKind::Index(base, _) = &place.kind {
            place = base;
        }
        place
    }

    /// The tagged union that this is a whole member of.
    pub fn tagged_union(&self, types: &TypeTable) -> Option<&Place> {
        let PlaceKind::Field(members, _) = &self.kind else { return None };
        let PlaceKind::Field(union, 1) = &members.kind else { return None };
        let Ty::Record(record) = types.get(union.ty) else { return None };
        (types.records[*record].kind == RecordKind::TaggedUnion).then_some(union)
    }

    /// The place that the pointer of a dereference is loaded from, seen through views as other types.
    pub fn pointer_path(&self) -> Option<&Place> {
        let PlaceKind::Deref(pointer) = &self.kind else { return None };
        let mut pointer = &**pointer;
        while let ExprKind::Cast(CastKind::PtrView | CastKind::FromWord, inner) = &pointer.kind {
            pointer = inner;
        }
        match &pointer.kind {
            ExprKind::Load(place) => Some(place),
            _ => None,
        }
    }

    /// The local at the root of a path: a local, a field of a path, or what a thin pointer at a path points to.
    pub fn path_root(&self) -> Option<LocalId> {
        let mut place = self;
        loop {
            place = match &place.kind {
                PlaceKind::Local(local) => return Some(*local),
                PlaceKind::Field(base, _) => base,
                _ => place.pointer_path()?,
            };
        }
    }

    /// The local of which this place is a part without any pointer in between.
    pub fn root_local(&self) -> Option<LocalId> {
        match self.root().kind {
            PlaceKind::Local(local) => Some(local),
            _ => None,
        }
    }
}
