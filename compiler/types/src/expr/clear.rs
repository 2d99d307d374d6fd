//! `memset(p, 0, sizeof *p)` of an object that holds references.
//!
//! Bytes of such an object are not written one by one: a reference is never made of parts. But C programs clear structs
//! in this way, and what they mean is that each member becomes zero or NULL. So the call is the assignment
//! `*p = (T){}`, if the size is that of the object, and the rules of assignments hold: NULL is refused where a member
//! may not be it, and what is owned leaks.
//!
//! A union is left to its bytes: the zero of its first member is not all of it.

use super::Use;
use crate::checker::{Checker, Why};
use crate::hir::{Expr, ExprKind, FuncId};
use crate::ty::{QualType, RecordSort, Type, TypeId};
use tenure_span::Span;
use tenure_syntax::tree::{self, ExprKind as K, UnaryOp};

/// The symbol of the library's `memset`, which no function of a program's has.
const MEMSET: &str = "tn_memset";

impl Checker<'_> {
    /// The assignment that a call means, or nothing where it is a call.
    pub(super) fn clearing(
        &mut self,
        func: FuncId,
        args: &[tree::Expr],
        span: Span,
    ) -> Option<Expr> {
        let [to, zero, size] = args else { return None };
        let is_memset = self.funcs[func].link_name.is_some_and(|name| name.as_str() == MEMSET);
        if !is_memset || !is_zero_literal(zero) {
            return None;
        }
        let target = match &to.peel().kind {
            K::Unary(UnaryOp::AddrOf, place) => (**place).clone(),
            K::Name(_) | K::Member(..) | K::Index(..) => {
                let Type::Pointer(_) = *self.kind_of(to)? else { return None };
                let kind = K::Unary(UnaryOp::Deref, Box::new(to.clone()));
                tree::Expr { kind, span: to.span }
            }
            _ => return None,
        };
        let ty = match &to.peel().kind {
            K::Unary(UnaryOp::AddrOf, place) => self.type_of_unevaluated(place),
            _ => match self.kind_of(to)? {
                Type::Pointer(pointer) => pointer.elem.ty,
                _ => return None,
            },
        };
        if self.is_bits(ty) || !self.holds_no_union(ty) || !self.is_size_of(size, ty) {
            return None;
        }
        let place = self.expr_for(&target, None, Use::Write);
        if place.is_error() {
            return Some(place);
        }
        if let Err(error) = self.assignable(&place, "=") {
            return Some(error);
        }
        let braces = tree::Expr { kind: K::InitList(Vec::new()), span };
        let init = self.initializer(&braces, place.ty, None, span);
        let whole = QualType { ty: init.ty, quals: crate::ty::Quals::default() };
        let value = Expr::place(ExprKind::CompoundLiteral(Box::new(init)), whole, span);
        let declared = super::describe::declared(self, &place);
        let value = self.coerce(value, place.ty, Why::Assign { declared });
        let ty = place.ty;
        Some(Expr::value(ExprKind::Assign(Box::new(place), Box::new(value)), ty, span))
    }

    fn kind_of(&mut self, e: &tree::Expr) -> Option<&Type> {
        let ty = self.type_of_unevaluated(e);
        Some(self.kind(ty))
    }

    /// `sizeof` of an object or type of that type.
    fn is_size_of(&mut self, size: &tree::Expr, ty: TypeId) -> bool {
        let of = match &size.peel().kind {
            K::SizeofExpr(e) => self.type_of_unevaluated(e),
            K::SizeofType(name) => self.size_type(name),
            _ => return false,
        };
        self.kind(of) == self.kind(ty)
    }

    /// A struct that is known and has no union or hidden type in it.
    fn holds_no_union(&self, ty: TypeId) -> bool {
        match self.kind(ty) {
            Type::Record(record, _) => {
                let def = &self.types.records[*record];
                let is_struct = def.sort == RecordSort::Struct && def.existentials.is_empty();
                let fields = def.fields.as_deref();
                is_struct
                    && fields.is_some_and(|fields| {
                        fields.iter().all(|field| self.has_plain_zero(field.ty.ty))
                    })
            }
            _ => false,
        }
    }

    fn has_plain_zero(&self, ty: TypeId) -> bool {
        match self.kind(ty) {
            Type::Record(..) => self.holds_no_union(ty),
            Type::Array { elem, .. } => self.has_plain_zero(elem.ty),
            Type::Tuple(fields) => fields.iter().all(|field| self.has_plain_zero(field.ty)),
            _ => true,
        }
    }
}

fn is_zero_literal(e: &tree::Expr) -> bool {
    match &e.peel().kind {
        K::Int(literal) => literal.value == 0,
        K::Char(literal) => literal.value == 0,
        _ => false,
    }
}
