//! Rules 4 and 6: types, ids.

use super::Verifier;
use crate::{
    type_of_place, AllocCount, AllocPlace, BinaryOp, Callee, CastKind, Const, ConsumeHow, Expr,
    ExprKind, FuncTy, Place, Program, Stmt, StmtKind, Ty, TyId,
};

impl Verifier<'_> {
    fn show(&self, ty: TyId) -> String {
        format!("{:?}", self.program.types.get(ty))
    }

    fn expect_same(&mut self, found: TyId, wanted: TyId, what: &str) {
        if !same(self.program, found, wanted) {
            let (found, wanted) = (self.show(found), self.show(wanted));
            self.violation(format!("{what}: {found} where {wanted} is wanted"));
        }
    }

    pub(super) fn types_of_place(&mut self, place: &Place) {
        match type_of_place(self.program, Some(self.function), place) {
            None => self.violation("the parts of a place do not fit each other"),
            Some(ty) => self.expect_same(place.ty, ty, "a place says its type is"),
        }
    }

    pub(super) fn types_of_expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Const(constant) => self.constant(constant),
            ExprKind::Load(place) => self.expect_same(expr.ty, place.ty, "a load has type"),
            ExprKind::Cast(kind, a) => self.cast(*kind, a.ty, expr.ty),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, expr.ty),
            ExprKind::PtrAdd(a, _) | ExprKind::FatAdd(a, _) => {
                self.expect_same(expr.ty, a.ty, "a moved pointer has type");
            }
            ExprKind::Cond(_, a, b) => {
                self.expect_same(a.ty, expr.ty, "a chosen value has type");
                self.expect_same(b.ty, expr.ty, "a chosen value has type");
            }
            ExprKind::MakeFat { base, idx, len } => {
                if !matches!(self.program.types.get(base.ty), Ty::Ptr { .. }) {
                    self.violation("the base of a fat pointer is no thin pointer");
                }
                self.uint(idx);
                self.uint(len);
            }
            ExprKind::FatBase(a)
            | ExprKind::FatIdx(a)
            | ExprKind::FatLen(a)
            | ExprKind::FatCur(a)
            | ExprKind::FatCount(a)
                if !matches!(self.program.types.get(a.ty), Ty::Fat { .. }) =>
            {
                self.violation("a part is taken of what is no fat pointer");
            }
            _ => {}
        }
    }

    /// A reference of the checked heap becomes a thin pointer by `Address` alone.
    fn cast(&mut self, kind: CastKind, from: TyId, to: TyId) {
        let types = &self.program.types;
        let reference = |ty: TyId| matches!(types.get(ty), Ty::Checked { .. });
        let fits = match kind {
            CastKind::Address => reference(from) && matches!(types.get(to), Ty::Ptr { .. }),
            CastKind::PtrView => reference(from) == reference(to),
            _ => true,
        };
        if !fits {
            self.violation(
                "a reference of the checked heap is seen as a pointer, or a pointer as one",
            );
        }
    }

    fn uint(&mut self, expr: &Expr) {
        if *self.program.types.get(expr.ty) != Ty::Int(crate::IntTy::UInt) {
            let found = self.show(expr.ty);
            self.violation(format!("a fat pointer's index or length is {found}"));
        }
    }

    fn constant(&mut self, constant: &Const) {
        let known = match constant {
            Const::Str(id) => self.program.strings.get(*id).is_some(),
            Const::Function(id) => self.program.decls.get(*id).is_some(),
            Const::TagAddress(id) => self.program.globals.get(*id).is_some(),
            Const::Int(_) | Const::Float(_) | Const::LongFloat(_) | Const::Zero => true,
        };
        if !known {
            self.violation("a constant names what does not exist");
        }
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr, result: TyId) {
        if op.is_arithmetic() {
            self.expect_same(a.ty, result, "an operand has type");
        }
        if !matches!(op, BinaryOp::Shl | BinaryOp::Shr | BinaryOp::And | BinaryOp::Or) {
            self.expect_same(b.ty, a.ty, "the right operand has type");
        }
    }

    pub(super) fn types_of_statement(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Assign(place, value) | StmtKind::Init(place, value) => {
                self.expect_same(value.ty, place.ty, "a stored value has type");
            }
            StmtKind::Return(value) => {
                let Some(func) = self.func_of_decl() else { return };
                let result = func.result;
                match value {
                    Some(value) => self.expect_same(value.ty, result, "a returned value has type"),
                    None if *self.program.types.get(result) != Ty::Void => {
                        self.violation("a return gives no value");
                    }
                    None => {}
                }
            }
            StmtKind::Consume { place, how } => {
                self.path(place);
                if let ConsumeHow::Free { parts } = how {
                    parts.iter().for_each(|part| self.path(part));
                }
            }
            StmtKind::Restore { place, .. } => self.path(place),
            StmtKind::Call { dest, callee, args, .. } => self.call(dest.as_ref(), callee, args),
            StmtKind::Alloc(alloc) => {
                match *self.program.types.get(alloc.dest.ty) {
                    Ty::Ptr { to, .. } if alloc.place != AllocPlace::Checked => {
                        self.expect_same(to, alloc.elem, "memory is allocated as")
                    }
                    Ty::Checked { to, .. } if alloc.place == AllocPlace::Checked => {
                        self.expect_same(to, alloc.elem, "memory is allocated as")
                    }
                    _ => self.violation("an allocation goes to what is no thin pointer"),
                }
                if let AllocCount::Elements(n) | AllocCount::Bytes(n) = &alloc.count {
                    if *self.program.types.get(n.ty) != Ty::Int(crate::IntTy::ULong) {
                        self.violation("a count of an allocation is no unsigned long");
                    }
                }
            }
            _ => {}
        }
    }

    fn path(&mut self, place: &Place) {
        if place.path_root().is_none() {
            self.violation("ownership changes of what is no path of a local");
        }
    }

    fn func_of_decl(&self) -> Option<&FuncTy> {
        match self.program.types.get(self.program.decls.get(self.function.id)?.ty) {
            Ty::Func(func) => Some(func),
            _ => None,
        }
    }

    fn call(&mut self, dest: Option<&Place>, callee: &Callee, args: &[Expr]) {
        let program = self.program;
        let ty = match callee {
            Callee::Direct(id) => program.decls.get(*id).map(|decl| decl.ty),
            Callee::Indirect(expr) => match *program.types.get(expr.ty) {
                Ty::Ptr { to, .. } => Some(to),
                _ => None,
            },
        };
        let Some(Ty::Func(func)) = ty.map(|ty| program.types.get(ty)) else {
            self.violation("what is called is no function");
            return;
        };
        if args.len() < func.params.len() || (args.len() > func.params.len() && !func.variadic) {
            self.violation("a call has another number of arguments than parameters");
        }
        for (arg, &param) in args.iter().zip(&func.params) {
            self.expect_same(arg.ty, param, "an argument has type");
        }
        if let Some(dest) = dest {
            self.expect_same(func.result, dest.ty, "a result has type");
        }
    }
}

/// Equal up to qualifiers, and up to an enumeration and its underlying type.
fn same(program: &Program, a: TyId, b: TyId) -> bool {
    let mut pairs = vec![(a, b)];
    while let Some((a, b)) = pairs.pop() {
        if a == b {
            continue;
        }
        match (program.types.get(a), program.types.get(b)) {
            (Ty::Ptr { to: a, .. }, Ty::Ptr { to: b, .. })
            | (Ty::Checked { to: a, .. }, Ty::Checked { to: b, .. })
            | (Ty::Fat { to: a, .. }, Ty::Fat { to: b, .. }) => pairs.push((*a, *b)),
            (Ty::Array { of: a, len: n }, Ty::Array { of: b, len: m }) if n == m => {
                pairs.push((*a, *b));
            }
            (Ty::Enum(id), Ty::Int(int)) | (Ty::Int(int), Ty::Enum(id)) => {
                if program.types.enums.get(*id).map(|def| def.underlying) != Some(*int) {
                    return false;
                }
            }
            (Ty::Func(a), Ty::Func(b))
                if a.params.len() == b.params.len() && a.variadic == b.variadic =>
            {
                pairs.push((a.result, b.result));
                pairs.extend(a.params.iter().copied().zip(b.params.iter().copied()));
            }
            _ => return false,
        }
    }
    true
}
