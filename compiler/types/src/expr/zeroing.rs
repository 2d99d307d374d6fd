//! `memset(p, 0, sizeof *p)` where the object is not made of bits alone: each of its members gets its zero, NULL for a pointer. It is the assignment
//! `*p = (T){0}`, and is checked as that.

use crate::checker::{Checker, Why};
use crate::hir::{Expr, ExprKind, Init, InitElem};
use crate::scope::ValueDef;
use crate::ty::{QualType, Type, TypeId};
use tenure_span::Span;
use tenure_syntax::tree::{self, ExprKind as K};

impl Checker<'_> {
    /// The assignment that a call of `memset` for its effect is; none if it is not of this form.
    pub(crate) fn zeroing(&mut self, e: &tree::Expr) -> Option<Expr> {
        let K::Call(callee, args) = &e.peel().kind else { return None };
        let (K::Name(name), [to, zero, size]) = (&callee.peel().kind, &args[..]) else {
            return None;
        };
        let is_literal = matches!(zero.peel().kind, K::Int(_) | K::Char(_));
        if !is_literal || self.eval_int_constant(zero) != Ok(0) || !self.is_memset(name) {
            return None;
        }
        let object = self.size_operand(size)?;
        let is_record = matches!(self.kind(object), Type::Record(..) | Type::Tuple(_));
        if !is_record || self.is_bits(object) || self.zero_is_value(object).is_err() {
            return None;
        }
        Some(self.zeroed(to, object, e.span))
    }

    fn is_memset(&self, name: &tree::QName) -> bool {
        let is_function = |def| match def {
            Some(ValueDef::Func(func)) => {
                self.decls.funcs[func].bytes && self.in_library_header(self.funcs[func].span)
            }
            _ => false,
        };
        name.name.name == *"memset" && is_function(self.find_value(name))
    }

    fn zeroed(&mut self, to: &tree::Expr, object: TypeId, span: Span) -> Expr {
        let region = self.fresh_region(to.span);
        let pointer = self.thin_pointer(QualType::plain(object), region, true);
        let why = Why::Argument { index: 0, callee: None, declared: Span::NONE };
        let pointer = self.expr_to(to, pointer, why);
        if pointer.is_error() {
            return pointer;
        }
        let place = self.deref_value(pointer, "*", span);
        if place.is_error() {
            return place;
        }
        if let Err(error) = self.assignable(&place, "=") {
            return error;
        }
        let zero = Init { kind: InitElem::Zero, ty: object, span };
        let zero =
            Expr::place(ExprKind::CompoundLiteral(Box::new(zero)), QualType::plain(object), span);
        let value = self.coerce(zero, place.ty, Why::Operand("="));
        let ty = place.ty;
        Expr::value(ExprKind::Assign(Box::new(place), Box::new(value)), ty, span)
    }
}
