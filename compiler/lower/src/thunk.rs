//! Functions seen at another type: `double f(double)` where polymorphic code expects a function from words to words.
//!
//! The two agree on where arguments and results travel only if each differs at most between scalars that are words in
//! an integer register. Anything else needs a wrapper, which can be made for a function known by name; a function
//! pointer's value cannot be wrapped, and the use is an error (E0351).

use crate::builder::{load, Builder};
use crate::instance::Subst;
use crate::unit::Lowerer;
use tenure_core as core;
use tenure_core::{Callee, Const, Expr, ExprKind, FuncTy, LocalKind, Quals, StmtKind, Ty, TyId};
use tenure_span::{Diagnostic, Span, Symbol};

impl Lowerer<'_> {
    /// The function type behind a pointer to one.
    pub(crate) fn pointed_function(&self, pointer: TyId) -> Option<(TyId, &FuncTy)> {
        let Ty::Ptr { to, .. } = self.program.types.get(pointer) else { return None };
        match self.program.types.get(*to) {
            Ty::Func(function) => Some((*to, function)),
            _ => None,
        }
    }

    /// Whether both are whole words in an integer register.
    fn same_word(&self, a: TyId, b: TyId) -> bool {
        let is_whole = |ty: TyId| match self.program.types.get(ty) {
            Ty::Int(int) => int.bits() == 64,
            Ty::Ptr { .. } | Ty::Checked { .. } | Ty::Word | Ty::Handle => true,
            _ => false,
        };
        let fat = |ty: TyId| matches!(self.program.types.get(ty), Ty::Fat { .. });
        a == b || is_whole(a) && is_whole(b) || fat(a) && fat(b)
    }

    fn is_integer(&self, ty: TyId) -> bool {
        self.is_word_sized(ty) && !matches!(self.program.types.get(ty), Ty::Float(_))
            || matches!(self.program.types.get(ty), Ty::Int(int) if int.bits() <= 64)
            || matches!(self.program.types.get(ty), Ty::Enum(_))
    }

    /// A call through one type reaches a function of the other as it should, without a wrapper.
    fn callable_as(&self, actual: &FuncTy, wanted: &FuncTy) -> bool {
        actual.variadic == wanted.variadic
            && actual.params.len() == wanted.params.len()
            && actual.params.iter().zip(&wanted.params).all(|(&a, &b)| self.same_word(a, b))
            && self.same_word(actual.result, wanted.result)
    }

    /// The same for a pointer's value: words may also be narrower integers, whose upper bits nobody looks at.
    fn viewable_as(&self, actual: &FuncTy, wanted: &FuncTy) -> bool {
        let param =
            |a: TyId, b: TyId| self.same_word(a, b) || self.is_integer(a) && self.is_integer(b);
        let narrows = self.is_integer(actual.result)
            && self.is_integer(wanted.result)
            && self.is_word_sized(actual.result);
        actual.variadic == wanted.variadic
            && actual.params.len() == wanted.params.len()
            && actual.params.iter().zip(&wanted.params).all(|(&a, &b)| param(a, b))
            && (self.same_word(actual.result, wanted.result) || narrows)
    }

    /// A wrapper of type `wanted` around a function.
    fn thunk(&mut self, target: core::FunctionId, wanted: TyId, span: Span) -> core::FunctionId {
        if let Some(&known) = self.thunks.get(&(target, wanted)) {
            return known;
        }
        let decl = self.program.decls[target].clone();
        let number = self.thunks.len() + 1;
        let id = self.program.decls.push(core::FunctionDecl {
            c_name: Symbol::new(&format!("{}$view{number}", decl.c_name.as_str())),
            ty: wanted,
            linkage: core::Linkage::Internal,
            is_inline: false,
            is_still: false,
            is_extern_c: false,
            signature: None,
            param_names: Vec::new(),
            attributes: Vec::new(),
            ..decl
        });
        self.thunks.insert((target, wanted), id);
        let function = self.thunk_body(target, id, span);
        self.program.functions.push(function);
        id
    }

    fn thunk_body(
        &mut self,
        target: core::FunctionId,
        id: core::FunctionId,
        span: Span,
    ) -> core::Function {
        let func_of = |this: &Self, id: core::FunctionId| match this
            .program
            .types
            .get(this.program.decls[id].ty)
        {
            Ty::Func(function) => function.clone(),
            _ => FuncTy {
                result: this.program.decls[id].ty,
                params: Vec::new(),
                variadic: false,
                noreturn: false,
            },
        };
        let (actual, wanted) = (func_of(self, target), func_of(self, id));
        let mut builder = Builder::new(self, Subst::default(), wanted.result);
        builder.span = span;
        let mut params = Vec::new();
        let mut args = Vec::new();
        for (&outer, &inner) in wanted.params.iter().zip(&actual.params) {
            let local = core::Local { kind: LocalKind::Param, ..builder.new_local(outer) };
            let local = builder.locals.push(local);
            params.push(local);
            let value = load(builder.local_place(local));
            args.push(builder.adapt(value, inner));
        }
        let callee = Callee::Direct(target);
        if matches!(builder.ty(actual.result), Ty::Void) {
            builder.emit(StmtKind::Call { dest: None, callee, args, may_throw: true });
            builder.emit(StmtKind::Return(None));
        } else {
            let result = builder.temp(actual.result);
            let place = builder.local_place(result);
            builder.emit(StmtKind::Call {
                dest: Some(place.clone()),
                callee,
                args,
                may_throw: true,
            });
            let value = builder.adapt(load(place), wanted.result);
            builder.emit(StmtKind::Return(Some(value)));
        }
        let (body, locals, labels) = builder.finish();
        core::Function { id, params, locals, labels, body, end: span }
    }
}

impl Builder<'_, '_> {
    /// A function pointer as another function pointer type. `None` if neither is one.
    pub(crate) fn adapt_function(&mut self, value: &Expr, wanted: TyId) -> Option<Expr> {
        let (actual_ty, actual) = self.lowerer.pointed_function(value.ty)?;
        let (wanted_ty, target) = self.lowerer.pointed_function(wanted)?;
        if actual_ty == wanted_ty || self.lowerer.callable_as(actual, target) {
            return None;
        }
        if let ExprKind::Const(Const::Function(function)) = value.kind {
            let span = self.span;
            let thunk = self.lowerer.thunk(function, wanted_ty, span);
            let own = self.intern(Ty::Ptr { to: wanted_ty, quals: Quals::default() });
            let value = Expr { kind: ExprKind::Const(Const::Function(thunk)), ty: own };
            return Some(if own == wanted { value } else { Expr { ty: wanted, ..value } });
        }
        if self.lowerer.viewable_as(actual, target) {
            return None;
        }
        let span = self.span;
        self.lowerer.report(
            Diagnostic::error("E0351", "a function pointer cannot change how its arguments travel", span)
                .label("its arguments or result are words here, and of another kind in the function")
                .note("polymorphic code passes words in integer registers; a function of floating-point or small types needs a wrapper")
                .help("name the function itself here, so that a wrapper can be made for it, or write one"),
        );
        Some(self.zero(wanted))
    }
}
