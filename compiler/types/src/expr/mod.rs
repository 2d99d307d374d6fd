//! Expressions: from the tree to the typed tree.
//!
//! [`Checker::expr`] gives an expression its type, conversions excepted; a place stays a place. The expected type is a
//! hint for what has no type of its own (NULL, literals, `new`, `malloc`, braces) and is never taken as a fact: callers
//! convert with `coerce`.

mod access;
mod alloc;
mod alloc_size;
mod call;
mod choice;
mod clear;
mod construct;
mod describe;
mod literal;
mod operator;
mod order;
mod overload;
mod shape;
mod sizes;
mod variadic;

pub(crate) use describe::place_name;
pub(crate) use literal::units_of;

use crate::checker::{Checker, Why};
use crate::hir::{self, Expr, ExprKind};
use crate::scope::ValueDef;
use crate::ty::{QualType, Quals, Type, TypeId};
use tenure_span::{Diagnostic, ErrorGuaranteed, Span};
use tenure_syntax::tree;

/// What a place is wanted for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Use {
    /// Its value is read, or its address taken.
    Read,
    /// It is the left side of a plain assignment.
    Write,
}

impl Expr {
    /// A value.
    pub(crate) fn value(kind: ExprKind, ty: TypeId, span: Span) -> Expr {
        Expr { kind, ty, quals: Quals::default(), span }
    }

    /// An object of that type.
    pub(crate) fn place(kind: ExprKind, ty: QualType, span: Span) -> Expr {
        Expr { kind, ty: ty.ty, quals: ty.quals, span }
    }

    pub(crate) fn is_error(&self) -> bool {
        matches!(self.kind, ExprKind::Error)
    }
}

impl Checker<'_> {
    /// The expression that stands for a reported error.
    pub(crate) fn error_expr(&self, _: ErrorGuaranteed, span: Span) -> Expr {
        Expr::value(ExprKind::Error, self.basics.error, span)
    }

    /// Reports an error and stands for it.
    pub(crate) fn fail(&self, diagnostic: Diagnostic) -> Expr {
        let span = diagnostic.primary.span;
        let proof = self.error(diagnostic);
        self.error_expr(proof, span)
    }

    pub(crate) fn is_error_type(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), Type::Error)
    }

    /// An expression, as it is: a place or a value, arrays and functions not decayed.
    pub(crate) fn expr(&mut self, e: &tree::Expr, expected: Option<TypeId>) -> Expr {
        let open = self.infer.later_subs.len();
        let expr = self.expr_for(e, expected, Use::Read);
        // With a context, what it expects may say more.
        if expected.is_none() {
            self.settle_subs(open);
        }
        expr
    }

    /// Likewise, converted to a type.
    pub(crate) fn expr_to(&mut self, e: &tree::Expr, to: TypeId, why: Why) -> Expr {
        let value = self.expr(e, Some(to));
        self.coerce(value, to, why)
    }

    /// A value of some type: arrays and functions become pointers.
    pub(crate) fn value(&mut self, e: &tree::Expr, expected: Option<TypeId>) -> Expr {
        let expr = self.expr(e, expected);
        let expr = self.decay(expr);
        if matches!(self.kind(expr.ty), Type::Void) && !expr.is_error() {
            let text = "this expression has no value";
            let error = Diagnostic::error("E0354", text, expr.span).label("its type is `void`");
            return self.fail(error);
        }
        expr
    }

    /// A condition: a scalar that is compared with zero or NULL.
    pub(crate) fn condition(&mut self, e: &tree::Expr) -> Expr {
        if let tree::ExprKind::Assign(None, ..) = &e.kind {
            let text = "assignment as a condition";
            let warning = Diagnostic::warning("W0301", text, e.span)
                .help("compare with `==`, or put the assignment in parentheses");
            self.warn(warning);
        }
        let value = self.value(e, None);
        self.truth(value)
    }

    /// Likewise, for a use. No expression has a type too large to walk.
    pub(crate) fn expr_for(
        &mut self,
        e: &tree::Expr,
        expected: Option<TypeId>,
        usage: Use,
    ) -> Expr {
        let expr = self.unbounded_expr(e, expected, usage);
        let ty = self.bounded(expr.ty, e.span);
        if ty == expr.ty {
            return expr;
        }
        Expr::value(ExprKind::Error, ty, e.span)
    }

    fn unbounded_expr(&mut self, e: &tree::Expr, expected: Option<TypeId>, usage: Use) -> Expr {
        use tree::ExprKind as K;
        let span = e.span;
        match &e.kind {
            K::Paren(inner) | K::Extension(inner) => {
                let mut expr = self.expr_for(inner, expected, usage);
                expr.span = span;
                expr
            }
            K::Name(name) => self.name(name, span, expected),
            K::Int(_) | K::Float(_) | K::Char(_) | K::Str(_) | K::Null => self.literal(e, expected),
            K::Unary(..) | K::Step(..) | K::Binary(..) | K::Assign(..) | K::Swap(..) => {
                self.operator(e, expected, usage)
            }
            K::Cond(cond, then, other) => {
                self.conditional(cond, then.as_deref(), other, expected, span)
            }
            K::Comma(parts) => self.comma(parts, expected, span),
            K::Call(callee, args) => self.call(callee, args, expected, span),
            K::Index(base, index) => self.index(base, index, usage, span),
            K::Member(base, arrow, name) => self.member(base, *arrow, *name, usage, span),
            K::TupleMember(base, arrow, number, _) => {
                self.tuple_member(base, *arrow, *number, usage, span)
            }
            K::TagCheck(base, arrow, name) => self.tag_check(base, *arrow, *name, span),
            K::Cast(ty, inner) => self.cast_expr(ty, inner, span),
            K::Compound(ty, init) => self.compound_literal(ty, init, span),
            K::StructLit(lit) => self.struct_literal(lit, expected, span),
            K::InitList(_) | K::Comprehension(_) => self.braces(e, expected),
            K::Tuple(parts) => self.tuple(parts, expected, span),
            K::New(new) => self.new_expr(new, expected, span),
            K::Alloc(op, args) => self.alloc_expr(*op, args, expected, span),
            K::Throw(inner) => self.throw(inner, expected, span),
            K::Numelts(inner) => self.numelts(inner, span),
            K::Instantiate(inner, args) => self.instantiate_expr(inner, args, span),
            K::Polymorphic(inner) => self.polymorphic(inner, span),
            K::Assert(inner, _) => self.assertion(inner, span),
            K::StmtExpr(block) => self.statement_expr(block, expected, span),
            K::Generic(generic) => self.generic(generic, expected, usage),
            K::Choose(cond, then, other) => self.choose(cond, then, other, expected, usage),
            K::Error => {
                let proof = self.already_reported(span);
                self.error_expr(proof, span)
            }
            _ => self.size_or_unsafe(e),
        }
    }

    fn name(&mut self, name: &tree::QName, span: Span, expected: Option<TypeId>) -> Expr {
        let handle = match name.name.name.as_str() {
            "heap_region" | "al_qual" | "alias_qual" => Some(self.basics.heap),
            "unique_region" | "unique_qual" => Some(self.basics.unique),
            "checked_region" => Some(self.basics.checked),
            "refcnt_region" | "refcnt_qual" => Some(self.basics.counted),
            _ => None,
        };
        if let Some(region) = handle.filter(|_| self.find_value(name).is_none()) {
            let ty = self.types.intern(Type::Handle(region));
            return Expr::value(ExprKind::HeapHandle, ty, span);
        }
        if let Some(func) = self.function_name(name) {
            return self.string_literal(&func, None, span);
        }
        let def = match self.lookup_value(name) {
            Ok(def) => def,
            Err(proof) => return self.error_expr(proof, span),
        };
        match def {
            ValueDef::Func(func) => self.function_value(func, &[], span),
            ValueDef::Variant(datatype, variant) => {
                self.construct_variant(datatype, variant, None, expected, span)
            }
            _ => self.defined_value(def, name, span),
        }
    }

    /// `__func__` (C11 6.4.2.2), and GNU's name for it.
    fn function_name(&self, name: &tree::QName) -> Option<tree::StrLit> {
        let ident = name.as_ident()?;
        if ident.name != *"__func__" && ident.name != *"__FUNCTION__" {
            return None;
        }
        let text = self.funcs[self.fx.func?].name.name.as_str();
        let units = tree::StrUnits::Bytes(text.as_bytes().to_vec());
        Some(tree::StrLit { span: name.span, encoding: tree::Encoding::Plain, units })
    }

    fn defined_value(&mut self, def: ValueDef, name: &tree::QName, span: Span) -> Expr {
        match def {
            ValueDef::Local(local) => {
                let ty = self.fx.locals[local].ty;
                Expr::place(ExprKind::Local(local), ty, span)
            }
            ValueDef::Global(global) => {
                let ty = self.globals[global].ty;
                Expr::place(ExprKind::Global(global), ty, span)
            }
            ValueDef::EnumConst(value, ty) => Expr::value(ExprKind::Int(value), ty, span),
            ValueDef::Record(_) => self.fail(
                Diagnostic::error("E0202", format!("`{name}` is a type, not a value"), span)
                    .help(format!("to make a value of it, write `{name}(…)` or `{name}{{…}}`")),
            ),
            ValueDef::Func(func) => self.function_value(func, &[], span),
            ValueDef::Variant(datatype, variant) => {
                self.construct_variant(datatype, variant, None, None, span)
            }
        }
    }

    /// A function as a value: an instance of its type.
    pub(crate) fn function_value(
        &mut self,
        func: hir::FuncId,
        explicit: &[crate::ty::GenericArg],
        span: Span,
    ) -> Expr {
        let ty = self.funcs[func].ty;
        let Type::Function(function) = self.kind(ty).clone() else {
            let proof = self.already_reported(span);
            return self.error_expr(proof, span);
        };
        let (function, instance) = self.instantiate_function(&function, explicit, span);
        let ty = self.types.intern(Type::Function(Box::new(function)));
        Expr::value(ExprKind::Func(func, instance), ty, span)
    }
}
