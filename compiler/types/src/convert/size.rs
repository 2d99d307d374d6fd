//! Numbers at the type level: array lengths, `@numelts`, `tag_t`, `valueof`.

use super::Elision;
use crate::checker::Checker;
use crate::ty::{ArrayLen, IntTy, Kind, Size, SizeId, TyVar, TyVarOrigin, Type, TypeId};
use tenure_span::{Diagnostic, ErrorGuaranteed, Span, Symbol};
use tenure_syntax::tree::{BaseType, BinaryOp, Expr, ExprKind, TypeArg, TypeArgKind, TypeName};

/// A pointer with bounds counts its elements with 32 bits.
const LIMIT: u64 = u32::MAX as u64;

impl Checker<'_> {
    /// The length of an array or a pointer's number of elements: a constant, or made of `valueof`.
    pub(crate) fn array_size(&mut self, e: &Expr) -> Result<SizeId, ErrorGuaranteed> {
        if let ExprKind::Int(literal) = &e.kind {
            if literal.value <= LIMIT {
                return Ok(self.size_const(literal.value));
            }
        }
        if let Some(size) = self.symbolic_size(e)? {
            return Ok(size);
        }
        let expr = self.expr(e, None);
        if expr.is_error() {
            return Err(self.already_reported(e.span));
        }
        match self.const_int(&expr) {
            Some(value) => match u64::try_from(value) {
                Ok(value) if value <= LIMIT => Ok(self.size_const(value)),
                _ => {
                    let text = format!("an array cannot have {value} elements");
                    Err(self.error(Diagnostic::error("E0312", text, e.span)))
                }
            },
            None => Err(self.variable_length(e.span)),
        }
    }

    fn variable_length(&mut self, span: Span) -> ErrorGuaranteed {
        let text = "the length of an array must be a constant";
        let error = Diagnostic::error("E0313", text, span).help(
            "take a pointer with bounds: `T ?a = new {for i < n : 0}`, or `rnew(h)` in a region that ends with the block",
        );
        self.error(error)
    }

    /// The error of an array type that stands for objects and whose length mentions a variable: records have one layout
    /// for all arguments, and frames one size. Such types exist as parameters, which are pointers with bounds, and as
    /// what a typedef with a parameter names; everything else that is made of a type comes through here.
    pub(crate) fn variable_array(&mut self, ty: TypeId, span: Span) -> Option<TypeId> {
        let Type::Array { len: ArrayLen::Known(size), .. } = *self.kind(ty) else { return None };
        if self.size_value(size).is_some() {
            return None;
        }
        let text =
            format!("the length of an array must be a constant, found `{}`", self.show_size(size));
        let error = Diagnostic::error("E0313", text, span).help(
            "a pointer with bounds may have such a length: `T @{valueof(`n)}`, beside the `tag_t<`n>` that says it",
        );
        Some(self.type_error(error))
    }

    /// The length of a parameter's array: none if it depends on an ordinary variable (C11's variable length).
    pub(super) fn param_array_size(&mut self, e: &Expr) -> Result<Option<SizeId>, ErrorGuaranteed> {
        if let ExprKind::Int(literal) = &e.kind {
            return Ok(Some(self.size_const(literal.value)));
        }
        if self.names_param(e) {
            return self.symbolic_size(e);
        }
        self.array_size(e).map(Some)
    }

    /// Whether the expression mentions a parameter of the function type under construction.
    fn names_param(&self, e: &Expr) -> bool {
        match &e.peel().kind {
            ExprKind::Name(name) => {
                name.as_ident().is_some_and(|ident| self.param_so_far(ident.name).is_some())
            }
            ExprKind::Binary(_, a, b) => self.names_param(a) || self.names_param(b),
            ExprKind::Cast(_, inner) | ExprKind::Unary(_, inner) => self.names_param(inner),
            _ => false,
        }
    }

    fn param_so_far(&self, name: Symbol) -> Option<TypeId> {
        let binder = self.convert.binders.last()?;
        binder.params.iter().rev().find(|param| param.0 == name).map(|param| param.1)
    }

    /// A size made of `valueof` and tagged parameters; none if the expression is something else.
    fn symbolic_size(&mut self, e: &Expr) -> Result<Option<SizeId>, ErrorGuaranteed> {
        match &e.peel().kind {
            ExprKind::Valueof(arg) => Ok(Some(self.size_arg(arg))),
            ExprKind::Name(name) => {
                let Some(ident) = name.as_ident() else { return Ok(None) };
                let Some(ty) = self.param_so_far(ident.name) else { return Ok(None) };
                match *self.kind(ty) {
                    Type::Tag(size, _) => Ok(Some(size)),
                    _ => Ok(None),
                }
            }
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Mul), a, b) => {
                let (x, y) = (self.symbolic_size(a)?, self.symbolic_size(b)?);
                let (x, y) = match (x, y) {
                    (None, None) => return Ok(None),
                    (Some(x), Some(y)) => (x, y),
                    (Some(x), None) => (x, self.array_size(b)?),
                    (None, Some(y)) => (self.array_size(a)?, y),
                };
                Ok(Some(match op {
                    BinaryOp::Add => self.size_sum(x, y),
                    _ => self.size_product(x, y),
                }))
            }
            _ => Ok(None),
        }
    }

    /// The integer type that a tag is to C.
    pub(super) fn tag_width(&mut self, name: &TypeName) -> Result<IntTy, TypeId> {
        let ty = self.convert_type_name(name, Elision::Heap).ty;
        match *self.kind(ty) {
            Type::Int(int @ (IntTy::Int | IntTy::UInt | IntTy::Long | IntTy::ULong)) => Ok(int),
            Type::Error => Err(ty),
            _ => {
                let text = format!(
                    "a tag is an `int`, a `long` or one of them without a sign, found `{}`",
                    self.show_type(ty)
                );
                Err(self.type_error(Diagnostic::error("E0219", text, name.span)))
            }
        }
    }

    /// `tag_t<…>`. Without an argument it is a fresh variable, named like the parameter.
    pub(super) fn tag_type(
        &mut self,
        arg: Option<&TypeArg>,
        int: IntTy,
        elision: Elision,
        span: Span,
    ) -> TypeId {
        let size = match (arg, elision) {
            (Some(arg), _) => self.size_arg(arg),
            (None, Elision::Param(param)) => {
                let origin = TyVarOrigin::Elided { param };
                let var = self.types.vars.push(TyVar {
                    name: None,
                    kind: Kind::Size,
                    unique: false,
                    origin,
                    span,
                });
                if let Some(binder) = self.convert.binders.last_mut() {
                    binder.elided.push(var);
                }
                self.types.size(Size::Var(var))
            }
            (None, Elision::Infer) => self.fresh_size(span),
            (None, Elision::Heap) => {
                let text = "`tag_t` needs its number here";
                let error = Diagnostic::error("E0218", text, span)
                    .help("write `tag_t<`n>` with an existential variable, or `tag_t<3>`");
                return self.type_error(error);
            }
        };
        self.types.intern(Type::Tag(size, int))
    }

    /// What stands in `tag_t<…>` and `valueof(…)`.
    pub(crate) fn size_arg(&mut self, arg: &TypeArg) -> SizeId {
        let result = match &arg.kind {
            TypeArgKind::Value(e) => self.array_size(e),
            TypeArgKind::Type(name) if name.parts.is_empty() => match &name.specs.base {
                BaseType::Var(var) => {
                    return match self.type_var_of(var, Kind::Size) {
                        Some(var) => self.types.size(Size::Var(var)),
                        None => self.types.size(Size::Error),
                    }
                }
                BaseType::ValueOf(e) => self.array_size(e),
                _ => {
                    Err(self.error(Diagnostic::error("E0219", "a number is needed here", arg.span)))
                }
            },
            _ => match arg.as_param() {
                Some(var) => {
                    return match self.type_var_of(var, Kind::Size) {
                        Some(var) => self.types.size(Size::Var(var)),
                        None => self.types.size(Size::Error),
                    }
                }
                None => {
                    Err(self.error(Diagnostic::error("E0219", "a number is needed here", arg.span)))
                }
            },
        };
        match result {
            Ok(size) => size,
            Err(_) => self.types.size(Size::Error),
        }
    }
}
