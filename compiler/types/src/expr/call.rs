//! Calls.

use super::describe::a_value_of;
use crate::checker::{Checker, Why};
use crate::hir::{Call, CheckedOp, Coercion, CountedOp, Expr, ExprKind, FuncId, Instance};
use crate::infer::{ArgumentForm, Nullness, Origin};
use crate::scope::ValueDef;
use crate::ty::{Bounds, FunctionType, GenericArg, Pointer, Type, TypeId, Variadic};
use tenure_span::{Diagnostic, Span, Symbol};
use tenure_syntax::tree::{self, AllocOp, ExprKind as K};

/// An argument, checked already or not yet.
#[derive(Clone)]
pub(super) enum Arg<'t> {
    Tree(&'t tree::Expr),
    Typed(Expr),
}

/// What is called, for messages.
#[derive(Clone, Copy)]
pub(super) struct Callee {
    pub name: Option<Symbol>,
    pub func: Option<FuncId>,
    pub declared: Span,
}

impl Callee {
    pub fn text(self) -> String {
        self.name.map_or_else(|| "this function".into(), |name| format!("`{name}`"))
    }
}

/// A call, or a part of what its result points to; or one of two such values.
fn is_reached_through_call(e: &tree::Expr) -> bool {
    match &e.peel().kind {
        K::Call(..) => true,
        K::Cond(_, Some(then), other) => {
            is_reached_through_call(then) || is_reached_through_call(other)
        }
        K::Comma(parts) => parts.last().is_some_and(is_reached_through_call),
        K::Cast(_, inner)
        | K::Member(inner, ..)
        | K::TupleMember(inner, ..)
        | K::Index(inner, _)
        | K::Binary(tree::BinaryOp::Add | tree::BinaryOp::Sub, inner, _)
        | K::Unary(tree::UnaryOp::Deref | tree::UnaryOp::AddrOf, inner) => {
            is_reached_through_call(inner)
        }
        _ => false,
    }
}

impl Checker<'_> {
    /// An argument, or what the value of one is; `around` says what form the whole has.
    pub(super) fn part_of_argument(
        &mut self,
        e: &tree::Expr,
        expected: Option<TypeId>,
        around: ArgumentForm,
    ) -> Expr {
        self.infer.lending.argument = ArgumentForm {
            is_call: around.is_call && is_reached_through_call(e),
            is_choice: around.is_choice && matches!(e.peel().kind, K::Cond(..) | K::Comma(..)),
        };
        let value = self.expr(e, expected);
        self.infer.lending.argument = ArgumentForm::default();
        value
    }

    pub(super) fn arg(&mut self, arg: Arg, expected: Option<TypeId>) -> Expr {
        match arg {
            Arg::Tree(e) => {
                self.part_of_argument(e, expected, ArgumentForm { is_call: true, is_choice: true })
            }
            Arg::Typed(e) => e,
        }
    }

    pub(super) fn call(
        &mut self,
        callee: &tree::Expr,
        args: &[tree::Expr],
        expected: Option<TypeId>,
        span: Span,
    ) -> Expr {
        let is_argument = std::mem::take(&mut self.infer.lending.argument).is_call;
        if let Some(result) = self.call_special(callee, args, expected, is_argument, span) {
            return result;
        }
        let scope = self.begin_call(span, is_argument);
        let (value, name) = match &callee.peel().kind {
            K::Name(name) => (self.expr(callee, None), Some(name.name.name)),
            _ => (self.expr(callee, None), None),
        };
        let args: Vec<Arg> = args.iter().map(Arg::Tree).collect();
        let value = self.call_value(value, name, args, span);
        self.end_call(scope);
        value
    }

    /// Calls of names that are no function values: constructors, overloaded functions, `free`, `realloc`.
    fn call_special(
        &mut self,
        callee: &tree::Expr,
        args: &[tree::Expr],
        expected: Option<TypeId>,
        is_argument: bool,
        span: Span,
    ) -> Option<Expr> {
        let (name, explicit) = match &callee.peel().kind {
            K::Name(name) => (name, None),
            K::Instantiate(inner, types) => match &inner.peel().kind {
                K::Name(name) => (name, Some(types)),
                _ => return None,
            },
            _ => return None,
        };
        match self.find_value(name) {
            Some(ValueDef::Variant(datatype, variant)) => {
                Some(self.construct_variant(datatype, variant, Some(args), expected, span))
            }
            Some(ValueDef::Record(record)) => {
                Some(self.construct_record(record, args, expected, span))
            }
            Some(ValueDef::Func(func)) if explicit.is_none() => {
                let others = self.overloads(func);
                if others.is_empty() {
                    return None;
                }
                if let Some(assignment) = self.clearing(func, args, span) {
                    return Some(assignment);
                }
                let scope = self.begin_call(span, is_argument);
                let args: Vec<Expr> =
                    args.iter().map(|arg| self.arg(Arg::Tree(arg), None)).collect();
                let func = self.choose_overload(func, &others, &args);
                let value = self.function_value(func, &[], callee.span);
                let args = args.into_iter().map(Arg::Typed).collect();
                let value = self.call_value(value, Some(name.name.name), args, span);
                self.end_call(scope);
                Some(value)
            }
            None => match built_in(name)? {
                "free" | "ufree" => Some(self.free(args, span)),
                "rufree" => Some(self.free_in_region(args, span)),
                "alias_refptr" => Some(self.counted_op(CountedOp::Alias, args, span)),
                "delete" => Some(self.checked_op(CheckedOp::Delete, args, span)),
                "pin_forever" => Some(self.checked_op(CheckedOp::PinForever, args, span)),
                "drop_refptr" => Some(self.counted_op(CountedOp::Drop, args, span)),
                "refptr_count" => Some(self.counted_op(CountedOp::Count, args, span)),
                "rcmalloc" => Some(self.counted_malloc(AllocOp::Malloc, args, expected, span)),
                "rccalloc" => Some(self.counted_malloc(AllocOp::Calloc, args, expected, span)),
                "realloc" => Some(self.realloc(args, expected, span)),
                _ => None,
            },
            _ => None,
        }
    }

    fn call_value(
        &mut self,
        value: Expr,
        name: Option<Symbol>,
        args: Vec<Arg>,
        span: Span,
    ) -> Expr {
        let func = match &value.kind {
            ExprKind::Func(func, _) => Some(*func),
            _ => None,
        };
        let declared = match func {
            Some(func) => self.funcs[func].span,
            None => super::describe::declared(self, &value),
        };
        let callee = Callee { name, func, declared };
        match self.callable(value, callee) {
            Ok((value, function, instance)) => {
                self.call_function(value, function, instance, callee, args, span)
            }
            Err(error) => {
                for arg in args {
                    self.arg(arg, None);
                }
                error
            }
        }
    }

    /// The function that a value is, or a pointer to one.
    fn callable(
        &mut self,
        value: Expr,
        callee: Callee,
    ) -> Result<(Expr, FunctionType, Instance), Expr> {
        if value.is_error() {
            return Err(value);
        }
        let span = value.span;
        match self.kind(value.ty).clone() {
            Type::Function(function) => {
                let instance = match &value.kind {
                    ExprKind::Func(_, instance) => instance.clone(),
                    _ => Vec::new(),
                };
                Ok((value, *function, instance))
            }
            Type::Pointer(pointer) => {
                let Type::Function(function) = self.kind(pointer.elem.ty).clone() else {
                    return Err(self.not_callable(&value, callee));
                };
                self.require_live(pointer.region, span, "it is called here");
                let value = self.without_null(value, &pointer);
                let (function, instance) = self.instantiate_function(&function, &[], span);
                Ok((value, function, instance))
            }
            Type::Error => {
                let proof = self.already_reported(span);
                Err(self.error_expr(proof, span))
            }
            _ => Err(self.not_callable(&value, callee)),
        }
    }

    fn not_callable(&mut self, value: &Expr, callee: Callee) -> Expr {
        let found = a_value_of(&self.show_type(value.ty));
        let text = match callee.name {
            Some(name) => format!("`{name}` is called, but it is {found}"),
            None => format!("only functions can be called, not {found}"),
        };
        let mut error = Diagnostic::error("E0334", text, value.span);
        if !callee.declared.is_none() {
            error = error.secondary(callee.declared, "declared here");
        }
        self.fail(error)
    }

    /// The pointer as one that is not NULL, checked if its type does not say so.
    pub(super) fn without_null(&mut self, value: Expr, pointer: &Pointer) -> Expr {
        if self.nullness(pointer) == Nullness::Known(false) || pointer.bounds == Bounds::Fat {
            return value;
        }
        let span = value.span;
        let ty = self.pointer_to(Pointer { nullable: false, ..pointer.clone() });
        Expr::value(ExprKind::Coerce(Coercion::NonNull, Box::new(value)), ty, span)
    }

    fn call_function(
        &mut self,
        value: Expr,
        function: FunctionType,
        instance: Instance,
        callee: Callee,
        args: Vec<Arg>,
        span: Span,
    ) -> Expr {
        let fixed = function.params.len();
        if args.len() < fixed || (args.len() > fixed && function.variadic == Variadic::No) {
            let proof = self.wrong_count(&function, callee, args.len(), span);
            for arg in args {
                self.arg(arg, None);
            }
            return Expr { ty: function.result.ty, ..self.error_expr(proof, span) };
        }
        self.infer.lending.result = Some(function.result.ty);
        let mut args = args.into_iter();
        let mut values = Vec::with_capacity(fixed);
        for (index, param) in function.params.iter().enumerate() {
            let Some(arg) = args.next() else { break };
            let value = self.argument(arg, param.ty, index, callee);
            values.push(match function.noconsume.contains(&(index as u32)) {
                true => self.lend_unconsumed(value),
                false => value,
            });
        }
        let rest = self.rest_arguments(&function, callee, &values, args.collect(), span);
        self.require_call(&function, callee.declared, span);
        let ty = function.result.ty;
        let outward = self.infer.lending.outward;
        let call = Call { callee: value, args: values, rest, instance, outward };
        Expr::value(ExprKind::Call(Box::new(call)), ty, span)
    }

    fn argument(&mut self, arg: Arg, param: TypeId, index: usize, callee: Callee) -> Expr {
        let why = Why::Argument { index, callee: callee.name, declared: callee.declared };
        if callee
            .func
            .is_some_and(|func| self.funcs[func].extern_c && !self.decls.funcs[func].bytes)
        {
            return self.lent_argument(arg, param, why);
        }
        let value = self.arg(arg, Some(param));
        if callee.func.is_some_and(|func| self.decls.funcs[func].bytes) {
            return self.coerce_bytes(value, param, why);
        }
        self.coerce(value, param, why)
    }

    /// An argument of a C function: a string with bounds may be lent to it as a zero-terminated one, with or without a
    /// cast.
    fn lent_argument(&mut self, arg: Arg, param: TypeId, why: Why) -> Expr {
        let fat = match &arg {
            Arg::Tree(e) => match &e.peel().kind {
                K::Cast(_, inner) if self.is_zero_terminated(param) => {
                    let value = self.arg(Arg::Tree(inner), Some(param));
                    self.is_fat(value.ty).then_some(value)
                }
                _ => None,
            },
            Arg::Typed(_) => None,
        };
        let value = match fat {
            Some(value) => value,
            None => self.arg(arg, Some(param)),
        };
        let outer = std::mem::replace(&mut self.infer.calls_c, true);
        let value = self.coerce(value, param, why);
        self.infer.calls_c = outer;
        value
    }

    fn is_zero_terminated(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), Type::Pointer(pointer) if pointer.zeroterm)
    }

    fn is_fat(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), Type::Pointer(pointer) if pointer.bounds == Bounds::Fat)
    }

    /// What a callee demands: its regions live, its bounds true.
    fn require_call(&mut self, function: &FunctionType, declared: Span, span: Span) {
        self.require_effect(function.effect, span, "it is needed by this call");
        self.require_bounds(&function.bounds, Origin { span, declared });
    }

    fn wrong_count(
        &mut self,
        function: &FunctionType,
        callee: Callee,
        found: usize,
        span: Span,
    ) -> tenure_span::ErrorGuaranteed {
        let wanted = function.params.len();
        let more = if function.variadic == Variadic::No { "" } else { "at least " };
        let plural = if wanted == 1 { "" } else { "s" };
        let text =
            format!("{} takes {more}{wanted} argument{plural}, found {found}", callee.text());
        let mut error = Diagnostic::error("E0333", text, span);
        if !callee.declared.is_none() {
            error = error.secondary(callee.declared, "declared here");
        }
        self.error(error)
    }

    pub(super) fn instantiate_expr(
        &mut self,
        inner: &tree::Expr,
        args: &[tree::TypeArg],
        span: Span,
    ) -> Expr {
        if let K::Name(name) = &inner.peel().kind {
            if let Some(ValueDef::Func(func)) = self.find_value(name) {
                return self.function_at(func, args, span);
            }
        }
        let value = self.value(inner, None);
        let Type::Pointer(pointer) = self.kind(value.ty).clone() else {
            return self.not_polymorphic(&value, span);
        };
        let Type::Function(function) = self.kind(pointer.elem.ty).clone() else {
            return self.not_polymorphic(&value, span);
        };
        let explicit = self.explicit_args(&function, args, span);
        let (function, _) = self.instantiate_function(&function, &explicit, span);
        let elem = self.types.intern(Type::Function(Box::new(function)));
        let elem = crate::ty::QualType { ty: elem, quals: pointer.elem.quals };
        let ty = self.pointer_to(Pointer { elem, ..pointer });
        Expr::value(ExprKind::Coerce(Coercion::Instantiate, Box::new(value)), ty, span)
    }

    fn function_at(&mut self, func: FuncId, args: &[tree::TypeArg], span: Span) -> Expr {
        let ty = self.funcs[func].ty;
        match self.kind(ty).clone() {
            Type::Function(function) => {
                let explicit = self.explicit_args(&function, args, span);
                self.function_value(func, &explicit, span)
            }
            _ => self.function_value(func, &[], span),
        }
    }

    fn not_polymorphic(&mut self, value: &Expr, span: Span) -> Expr {
        if value.is_error() {
            return value.clone();
        }
        let found = self.show_type(value.ty);
        let text = format!("`@<…>` needs a polymorphic function, found `{found}`");
        self.fail(Diagnostic::error("E0335", text, span))
    }

    fn explicit_args(
        &mut self,
        function: &FunctionType,
        args: &[tree::TypeArg],
        span: Span,
    ) -> Vec<GenericArg> {
        if args.len() > function.vars.len() {
            let text = format!(
                "{} type arguments are given, the function has {}",
                args.len(),
                function.vars.len()
            );
            self.error(Diagnostic::error("E0335", text, span));
        }
        let vars = &function.vars[..args.len().min(function.vars.len())];
        self.explicit_type_args(args, vars)
    }

    /// `f<>`: the function's own, polymorphic type.
    pub(super) fn polymorphic(&mut self, inner: &tree::Expr, span: Span) -> Expr {
        if let K::Name(name) = &inner.peel().kind {
            if let Some(ValueDef::Func(func)) = self.find_value(name) {
                let ty = self.funcs[func].ty;
                return Expr::value(ExprKind::Func(func, Vec::new()), ty, span);
            }
        }
        let value = self.value(inner, None);
        self.not_polymorphic(&value, span)
    }
}

/// The name of what the compiler knows itself; the library's places for them are in `Core`.
fn built_in(name: &tree::QName) -> Option<&str> {
    let named = match &name.scope[..] {
        [] => !name.absolute,
        [scope] => scope.name == *"Core",
        _ => false,
    };
    named.then(|| name.name.name.as_str())
}
