//! `__attribute__((overload(f, g)))`: one name for functions that C's single type cannot be.

use crate::checker::Checker;
use crate::hir::{Expr, ExprKind, FuncId};
use crate::scope::{Entry, ValueDef};
use crate::ty::{Bounds, Pointer, Type, TypeId};
use tenure_span::Symbol;

impl Checker<'_> {
    /// The functions that may stand for this one.
    pub(super) fn overloads(&self, func: FuncId) -> Vec<FuncId> {
        let info = &self.decls.funcs[func];
        let find = |name: &Symbol| {
            let found = match info.ns {
                Some(ns) => self.scopes.declared_at(ns, *name),
                None => self.scopes.find_at_file_scope(*name),
            };
            match found {
                Some((Entry::Value(ValueDef::Func(func)), _)) => Some(func),
                _ => None,
            }
        };
        info.overloads.iter().filter_map(find).collect()
    }

    /// The first of the functions whose pointer parameters the arguments fit, before it one that takes a
    /// zero-terminated buffer with its last zero where one is given; the function itself if none is.
    pub(super) fn choose_overload(&self, func: FuncId, others: &[FuncId], args: &[Expr]) -> FuncId {
        let fits = |candidate: &FuncId| self.fits_overload(*candidate, args);
        let whole =
            others.iter().find(|candidate| fits(candidate) && self.takes_whole(**candidate, args));
        let first = || std::iter::once(&func).chain(others).find(|candidate| fits(candidate));
        whole.or_else(first).copied().unwrap_or(func)
    }

    fn takes_whole(&self, func: FuncId, args: &[Expr]) -> bool {
        let Type::Function(function) = self.kind(self.funcs[func].ty) else { return false };
        function.params.iter().zip(args).any(|(param, arg)| match self.kind(param.ty) {
            Type::Pointer(param) => {
                let is_buffer =
                    param.zeroterm && param.bounds == Bounds::Fat && !param.elem.quals.is_const;
                is_buffer && !matches!(arg.kind, ExprKind::Null | ExprKind::Error)
            }
            _ => false,
        })
    }

    fn fits_overload(&self, func: FuncId, args: &[Expr]) -> bool {
        let Type::Function(function) = self.kind(self.funcs[func].ty) else { return false };
        function.params.iter().zip(args).all(|(param, arg)| self.fits_param(param.ty, arg))
    }

    fn fits_param(&self, param: TypeId, arg: &Expr) -> bool {
        let Type::Pointer(param) = self.kind(param) else { return true };
        if matches!(arg.kind, ExprKind::Null | ExprKind::Error) {
            return true;
        }
        let (elem, zeroterm) = match self.kind(arg.ty) {
            Type::Pointer(Pointer { elem, zeroterm, .. }) => (*elem, *zeroterm),
            Type::Array { elem, zeroterm, .. } => {
                (super::access::with_quals(*elem, arg.quals), *zeroterm)
            }
            _ => return false,
        };
        if elem.quals.is_const && !param.elem.quals.is_const || param.zeroterm && !zeroterm {
            return false;
        }
        match (self.kind(param.elem.ty), self.kind(elem.ty)) {
            (Type::Pointer(wanted), Type::Pointer(found)) => {
                let fat = |pointer: &Pointer| pointer.bounds == Bounds::Fat;
                fat(wanted) == fat(found) && wanted.elem.quals.is_const == found.elem.quals.is_const
            }
            (Type::Pointer(_), _) => false,
            _ => true,
        }
    }
}
