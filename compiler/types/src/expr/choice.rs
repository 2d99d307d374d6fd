//! Expressions that choose: `?:`, `_Generic`; and those that leave: `throw`, `assert`; statement expressions.

use super::operator::is_zero;
use super::Use;
use crate::checker::{Checker, Why};
use crate::hir::{self, Coercion, Expr, ExprKind};
use crate::infer::Nullness;
use crate::ty::{Bounds, Pointer, QualType, Quals, Type, TypeId};
use tenure_span::{Diagnostic, Span};
use tenure_syntax::tree;

/// The type that is expected of an expression.
#[derive(Clone, Copy)]
struct Expected {
    ty: Option<TypeId>,
    /// It is a parameter's.
    by_call: bool,
}

/// How owned pointers in the branches of an argument are lent to the call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lent {
    /// As one, where they have met.
    Whole,
    /// Each by itself, beside one that is not owned.
    Each,
}

impl Checker<'_> {
    pub(super) fn conditional(
        &mut self,
        cond: &tree::Expr,
        then: Option<&tree::Expr>,
        other: &tree::Expr,
        expected: Option<TypeId>,
        span: Span,
    ) -> Expr {
        let Some(then) = then else { return self.elvis(cond, other, expected, span) };
        let argument = std::mem::take(&mut self.infer.lending.argument);
        let cond = self.condition(cond);
        let a = self.part_of_argument(then, expected, argument);
        let b = self.part_of_argument(other, expected, argument);
        let expected = Expected { ty: expected, by_call: argument.is_choice };
        self.join(cond, a, b, expected, span)
    }

    /// GNU's `a ?: b`: `a` is evaluated once.
    fn elvis(
        &mut self,
        first: &tree::Expr,
        other: &tree::Expr,
        expected: Option<TypeId>,
        span: Span,
    ) -> Expr {
        let first = self.value(first, expected);
        if first.is_error() {
            return first;
        }
        let ty = QualType::plain(first.ty);
        let local = self.invented_local(ty, first.span);
        let place = Expr::place(ExprKind::Local(local), ty, first.span);
        let cond = self.truth(place.clone());
        let b = self.expr(other, expected);
        let expected = Expected { ty: expected, by_call: false };
        let value = self.join(cond, place, b, expected, span);
        let init = hir::Init { ty: first.ty, span: first.span, kind: hir::InitElem::Expr(first) };
        let decl = hir::Decl::Local { local, init: Some(init) };
        let ty = value.ty;
        let stmts = vec![
            hir::Stmt { kind: hir::StmtKind::Decl(decl), span },
            hir::Stmt { kind: hir::StmtKind::Expr(value), span },
        ];
        let block = hir::Block { region: None, stmts, span };
        Expr::value(ExprKind::StmtExpr(Box::new(block)), ty, span)
    }

    /// A variable that the checker makes up.
    pub(crate) fn invented_local(&mut self, ty: QualType, span: Span) -> hir::LocalId {
        let region = match self.storage_region() {
            Some(var) => self.region_var(var),
            None => self.basics.heap,
        };
        self.fx.local_regions.push(region);
        self.fx.locals.push(hir::Local { name: None, ty, align: None, span })
    }

    /// Both branches at one type.
    fn join(&mut self, cond: Expr, a: Expr, b: Expr, expected: Expected, span: Span) -> Expr {
        for part in [&cond, &a, &b] {
            if part.is_error() {
                return part.clone();
            }
        }
        let (a, b, ty) = match self.joined(a, b, expected, span) {
            Ok(found) => found,
            Err(error) => return error,
        };
        Expr::value(ExprKind::Cond(Box::new(cond), Box::new(a), Box::new(b)), ty, span)
    }

    fn joined(
        &mut self,
        a: Expr,
        b: Expr,
        expected: Expected,
        span: Span,
    ) -> Result<(Expr, Expr, TypeId), Expr> {
        // A branch that throws has whatever type the other one has.
        if let ExprKind::Throw(_) = a.kind {
            let b = self.decay(b);
            let ty = b.ty;
            return Ok((Expr { ty, ..a }, b, ty));
        }
        if let ExprKind::Throw(_) = b.kind {
            let a = self.decay(a);
            let ty = a.ty;
            return Ok((a, Expr { ty, ..b }, ty));
        }
        let void = |ty: TypeId, cx: &Self| matches!(cx.kind(ty), Type::Void);
        if void(a.ty, self) || void(b.ty, self) {
            let (a, b) = (self.discard(a), self.discard(b));
            return Ok((a, b, self.basics.void));
        }
        if self.is_number(a.ty, false) && self.is_number(b.ty, false) {
            return Ok(self.usual_arithmetic(a, b));
        }
        if self.points(&a) || self.points(&b) {
            return self.joined_pointers(a, b, expected);
        }
        if self.unify(a.ty, b.ty).is_err() {
            let text = format!(
                "the branches of `?:` have different types: `{}` and `{}`",
                self.show_type(a.ty),
                self.show_type(b.ty)
            );
            return Err(self.fail(Diagnostic::error("E0337", text, span)));
        }
        let ty = a.ty;
        Ok((a, b, ty))
    }

    fn points(&self, e: &Expr) -> bool {
        matches!(self.kind(e.ty), Type::Pointer(_) | Type::Array { .. } | Type::Function(_))
    }

    /// Pointers meet at the type that the context wants; otherwise at the least type that holds both, in a region that
    /// both outlive.
    fn joined_pointers(
        &mut self,
        a: Expr,
        b: Expr,
        expected: Expected,
    ) -> Result<(Expr, Expr, TypeId), Expr> {
        let lent = self.lent_branches(&a, &b, expected);
        let wanted = expected.ty.filter(|&ty| self.is_pointer(ty) && lent != Some(Lent::Whole));
        let lent = lent.is_some() && wanted.is_some();
        let target = match wanted {
            Some(ty) => ty,
            None => {
                let is_null = |e: &Expr| matches!(e.kind, ExprKind::Null) || is_zero(e);
                let (a, b) = (self.decay(a.clone()), self.decay(b.clone()));
                match (self.kind(a.ty).clone(), self.kind(b.ty).clone()) {
                    (Type::Pointer(p), _) if is_null(&b) => {
                        self.pointer_to(Pointer { nullable: true, open: None, ..p })
                    }
                    (_, Type::Pointer(q)) if is_null(&a) => {
                        self.pointer_to(Pointer { nullable: true, open: None, ..q })
                    }
                    (Type::Pointer(p), Type::Pointer(q)) => self.least_pointer(&p, &q, a.span),
                    _ => a.ty,
                }
            }
        };
        let (first, second) = (a.span, b.span);
        let a = self.coerce(a, target, Why::Branch { other: second, lent });
        let b = self.coerce(b, target, Why::Branch { other: first, lent });
        Ok((a, b, target))
    }

    /// How branches that are owned pointers meet, if the context takes them as aliases.
    fn lent_branches(&self, a: &Expr, b: &Expr, expected: Expected) -> Option<Lent> {
        let wanted = self.pointer(expected.ty?)?.region;
        if !self.may_lend_to(wanted) {
            return None;
        }
        let is_owned = |e: &Expr| {
            let region = self.pointer(e.ty).map(|pointer| self.shallow_region(pointer.region));
            region.is_some_and(|region| self.types.stands_alone(region))
        };
        let is_null = |e: &Expr| matches!(e.kind, ExprKind::Null) || is_zero(e);
        let has_place = |e: &Expr| !is_owned(e) || self.is_of_a_place(e);
        match (is_owned(a), is_owned(b)) {
            (false, false) => None,
            (first, second) if (first || is_null(a)) && (second || is_null(b)) => Some(Lent::Whole),
            _ => (expected.by_call && has_place(a) && has_place(b)).then_some(Lent::Each),
        }
    }

    fn pointer(&self, ty: TypeId) -> Option<&Pointer> {
        match self.kind(ty) {
            Type::Pointer(pointer) => Some(pointer),
            _ => None,
        }
    }

    fn least_pointer(&mut self, p: &Pointer, q: &Pointer, span: Span) -> TypeId {
        let quals = Quals {
            is_const: p.elem.quals.is_const || q.elem.quals.is_const,
            is_volatile: p.elem.quals.is_volatile || q.elem.quals.is_volatile,
        };
        let bounds = match (p.bounds, q.bounds) {
            (Bounds::Thin(x), Bounds::Thin(y)) if x == y => p.bounds,
            // Each keeps its own length, or the shorter one would cut the longer one.
            (Bounds::Thin(_), Bounds::Thin(_)) if !(p.zeroterm && q.zeroterm) => Bounds::Fat,
            (Bounds::Thin(x), Bounds::Thin(y)) => match (self.size_value(x), self.size_value(y)) {
                (Some(x), Some(y)) => Bounds::Thin(self.size_const(x.min(y))),
                _ => Bounds::Thin(self.basics.one),
            },
            _ => Bounds::Fat,
        };
        let region = self.fresh_region(span);
        let (nullable, open) = match (self.nullness(p), self.nullness(q)) {
            (Nullness::Known(p), Nullness::Known(q)) => (p || q || bounds == Bounds::Fat, None),
            _ if bounds == Bounds::Fat => (true, None),
            // Both branches flow into it.
            _ => (true, Some(self.fresh_null())),
        };
        self.pointer_to(Pointer {
            least: 0,
            elem: QualType { ty: p.elem.ty, quals },
            nullable,
            open,
            bounds,
            zeroterm: p.zeroterm && q.zeroterm,
            region,
        })
    }

    /// The value is not used.
    pub(crate) fn discard(&mut self, e: Expr) -> Expr {
        if matches!(self.kind(e.ty), Type::Void) || e.is_error() {
            return e;
        }
        let (span, void) = (e.span, self.basics.void);
        Expr::value(ExprKind::Coerce(Coercion::Discard, Box::new(e)), void, span)
    }

    pub(super) fn generic(
        &mut self,
        generic: &tree::GenericExpr,
        expected: Option<TypeId>,
        usage: Use,
    ) -> Expr {
        let control = self.type_of_value(&generic.control);
        let (mut default, mut in_c) = (None, None);
        for (name, arm) in &generic.arms {
            let Some(name) = name else {
                default = Some(arm);
                continue;
            };
            let ty = self.local_type(name).ty;
            if self.is_error_type(ty) || self.same_but_regions(ty, control) {
                return self.expr_for(arm, expected, usage);
            }
            // No two types of one list are the same in C, unless it was written for this language.
            if in_c.is_none() && self.same_in_c(ty, control) {
                in_c = Some(arm);
            }
        }
        match in_c.or(default) {
            Some(arm) => self.expr_for(arm, expected, usage),
            None => {
                let found = self.show_type(control);
                let text = format!("no association of this `_Generic` is for `{found}`");
                self.fail(Diagnostic::error("E0338", text, generic.control.span))
            }
        }
    }

    pub(super) fn choose(
        &mut self,
        cond: &tree::Expr,
        then: &tree::Expr,
        other: &tree::Expr,
        expected: Option<TypeId>,
        usage: Use,
    ) -> Expr {
        match self.eval_int_constant(cond) {
            Ok(0) => self.expr_for(other, expected, usage),
            Ok(_) => self.expr_for(then, expected, usage),
            Err(proof) => self.error_expr(proof, cond.span),
        }
    }

    pub(super) fn throw(
        &mut self,
        inner: &tree::Expr,
        expected: Option<TypeId>,
        span: Span,
    ) -> Expr {
        let exn = self.exception_type();
        let value = self.expr(inner, Some(exn));
        if value.is_error() {
            return value;
        }
        if let Type::Variant(..) = self.kind(value.ty) {
            let text = "an exception is thrown by pointer";
            let error = Diagnostic::error("E0611", text, inner.span).suggest(
                "allocate it",
                inner.span.start(),
                "new ",
            );
            return self.fail(error);
        }
        let value = self.coerce(value, exn, Why::Throw);
        let ty = expected.unwrap_or(self.basics.void);
        Expr::value(ExprKind::Throw(Box::new(value)), ty, span)
    }

    /// The type of what is thrown: a pointer to `exn`.
    pub(crate) fn exception_type(&mut self) -> TypeId {
        let Some(exn) = self.decls.exn else { return self.basics.error };
        let exn = QualType::plain(self.types.intern(Type::Datatype(exn, Vec::new())));
        let heap = self.basics.heap;
        self.thin_pointer(exn, heap, false)
    }

    pub(super) fn assertion(&mut self, inner: &tree::Expr, span: Span) -> Expr {
        let cond = self.condition(inner);
        let void = self.basics.void;
        Expr::value(ExprKind::Assert(Box::new(cond)), void, span)
    }

    /// GNU's `({ … })`: the value of its last expression.
    pub(super) fn statement_expr(
        &mut self,
        block: &tree::Block,
        expected: Option<TypeId>,
        span: Span,
    ) -> Expr {
        if !self.fx.extern_c {
            let text = "statement expressions are for C code only";
            let error = Diagnostic::error("E0802", text, span)
                .help("write a function, or move the statements before this one");
            return self.fail(error);
        }
        let block = self.statement_block(block, expected);
        let ty = match block.stmts.last() {
            Some(hir::Stmt { kind: hir::StmtKind::Expr(last), .. }) => last.ty,
            _ => self.basics.void,
        };
        Expr::value(ExprKind::StmtExpr(Box::new(block)), ty, span)
    }
}
