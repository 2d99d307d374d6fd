//! Calls and variadic arguments.

use crate::builder::{load, Builder};
use crate::loan::{Lent, Loan};
use crate::printing::Direct;
use tenure_core::{
    Callee, Expr, ExprKind, FuncTy, IntTy, Place, PlaceKind, Quals, StmtKind, Ty, TyId,
};
use tenure_types::hir::{self, Call, VarArgs};
use tenure_types::ty::TypeId;

/// A call ready to be emitted.
struct Ready {
    callee: Callee,
    args: Vec<Expr>,
    function: Option<FuncTy>,
    may_throw: bool,
    noreturn: bool,
    /// What the arguments lend, and what was lent to calls among them.
    loans: Vec<Loan>,
    /// These stay lent to the call around.
    outward: bool,
}

impl Builder<'_, '_> {
    pub(crate) fn call(&mut self, call: &Call, ty: TypeId) -> Expr {
        let ready = self.prepare(call);
        let wanted = self.repr(ty);
        let result = ready.function.as_ref().map_or(wanted, |function| function.result);
        if matches!(self.ty(result), Ty::Void) {
            self.emit_call(None, ready);
            return self.zero(wanted);
        }
        let temp = self.temp(result);
        let place = self.local_place(temp);
        self.emit_call(Some(place.clone()), ready);
        let value = load(place);
        self.adapt(value, wanted)
    }

    pub(crate) fn call_effect(&mut self, call: &Call) {
        let ready = self.prepare(call);
        self.emit_call(None, ready);
    }

    fn emit_call(&mut self, dest: Option<Place>, ready: Ready) {
        let Ready { callee, args, may_throw, noreturn, loans, outward, .. } = ready;
        self.emit(StmtKind::Call { dest, callee, args, may_throw });
        if noreturn {
            self.emit(StmtKind::Unreachable);
        } else if let Some(lent) = self.loans.last_mut().filter(|_| outward) {
            lent.held.extend(loans);
        } else {
            self.end_loans(loans);
        }
    }

    fn prepare(&mut self, call: &Call) -> Ready {
        if let Some(direct) = self.direct_form(call) {
            return self.prepare_direct(call, &direct);
        }
        let mut direct = None;
        let mut indirect = None;
        match &call.callee.kind {
            hir::ExprKind::Func(func, instance) => {
                let span = call.callee.span;
                let subst = self.subst.clone();
                direct = Some(self.lowerer.instance(*func, instance, &subst, span));
            }
            // As it is declared, not as this instance sees it: that is how the function takes its arguments.
            _ => indirect = Some(self.callee_value(&call.callee)),
        }
        self.loans.push(Lent::default());
        let mut args: Vec<Expr> = Vec::new();
        for arg in &call.args {
            let mut kept: Vec<&mut Expr> = args.iter_mut().chain(indirect.as_mut()).collect();
            let value = self.keeping(&mut kept, |this| this.value(arg));
            args.push(value);
        }
        let (function, may_throw, noreturn) = self.signature(direct, indirect.as_ref());
        let declared =
            function.as_ref().and_then(|function| function.params.get(args.len()).copied());
        {
            let mut kept: Vec<&mut Expr> = args.iter_mut().chain(indirect.as_mut()).collect();
            let rest = self.keeping(&mut kept, |this| this.rest(&call.rest, declared));
            args.extend(rest);
        }
        if let Some(function) = &function {
            let params = function.params.clone();
            for (arg, param) in args.iter_mut().zip(params) {
                let value = std::mem::replace(arg, self.zero(param));
                *arg = self.adapt(value, param);
            }
        }
        let callee = match (direct, indirect) {
            (Some(direct), _) => Callee::Direct(direct),
            (None, Some(pointer)) => Callee::Indirect(Box::new(pointer)),
            (None, None) => Callee::Indirect(Box::new(self.int(0, IntTy::Int))),
        };
        let lent = self.loans.pop().unwrap_or_default();
        let loans = self.begin_loans(lent, &mut args, call.outward);
        Ready { callee, args, function, may_throw, noreturn, loans, outward: call.outward }
    }

    /// A call of the form for constant formats, whose last fixed argument is the format.
    fn prepare_direct(&mut self, call: &Call, direct: &Direct<'_>) -> Ready {
        self.loans.push(Lent::default());
        let (_, before) = call.args.split_last().unwrap_or((&call.callee, &[]));
        let mut fixed = self.values(before.iter());
        for (arg, param) in fixed.iter_mut().zip(direct.params()) {
            let value = std::mem::replace(arg, self.zero(*param));
            *arg = self.adapt(value, *param);
        }
        let (id, mut args) = self.print_directly(direct, fixed);
        let lent = self.loans.pop().unwrap_or_default();
        let loans = self.begin_loans(lent, &mut args, call.outward);
        let function = match self.ty(self.lowerer.program.decls[id].ty) {
            Ty::Func(function) => Some(function.clone()),
            _ => None,
        };
        Ready {
            callee: Callee::Direct(id),
            args,
            function,
            may_throw: direct.may_throw(),
            noreturn: false,
            loans,
            outward: call.outward,
        }
    }

    fn callee_value(&mut self, callee: &hir::Expr) -> Expr {
        let outer = std::mem::replace(&mut self.span, callee.span);
        let value = self.value_inner(callee);
        self.span = outer;
        value
    }

    fn signature(
        &self,
        direct: Option<tenure_core::FunctionId>,
        indirect: Option<&Expr>,
    ) -> (Option<FuncTy>, bool, bool) {
        if let Some(id) = direct {
            let decl = &self.lowerer.program.decls[id];
            let function = match self.ty(decl.ty) {
                Ty::Func(function) => Some(function.clone()),
                _ => None,
            };
            let takes_code = function
                .as_ref()
                .is_some_and(|function| function.params.iter().any(|&param| self.is_code(param)));
            return (function, !decl.is_extern_c || takes_code, decl.noreturn);
        }
        let function = indirect.and_then(|pointer| match self.ty(pointer.ty) {
            Ty::Ptr { to, .. } => match self.ty(*to) {
                Ty::Func(function) => Some(function.clone()),
                _ => None,
            },
            Ty::Func(function) => Some(function.clone()),
            _ => None,
        });
        let noreturn = function.as_ref().is_some_and(|function| function.noreturn);
        (function, true, noreturn)
    }

    fn is_code(&self, ty: TyId) -> bool {
        match self.ty(ty) {
            Ty::Ptr { to, .. } => matches!(self.ty(*to), Ty::Func(_)),
            _ => false,
        }
    }

    /// The variadic arguments; `declared` is the parameter that takes them as a fat pointer.
    fn rest(&mut self, rest: &VarArgs, declared: Option<TyId>) -> Vec<Expr> {
        match rest {
            VarArgs::None => Vec::new(),
            VarArgs::C(args) => self.values(args.iter()),
            VarArgs::Fat { elem, args } => {
                let elem = match declared.map(|declared| self.ty(declared)) {
                    Some(Ty::Fat { to, .. }) => *to,
                    _ => self.repr(*elem),
                };
                let values = self.values(args.iter());
                vec![self.stack_array(elem, values)]
            }
            VarArgs::Inject(inject) => {
                let elem = self.repr(inject.elem);
                let mut pointers: Vec<Expr> = Vec::new();
                for arg in &inject.args {
                    let mut kept: Vec<&mut Expr> = pointers.iter_mut().collect();
                    let pointer = self.keeping(&mut kept, |this| this.injected(arg, elem));
                    pointers.push(pointer);
                }
                vec![self.stack_array(elem, pointers)]
            }
            VarArgs::Forward(rest) => vec![self.value(rest)],
        }
    }

    /// The address of a datatype object in this function's frame.
    fn injected(&mut self, arg: &hir::Expr, elem: TyId) -> Expr {
        let value = self.value(arg);
        if matches!(self.ty(value.ty), Ty::Ptr { .. }) {
            return self.adapt(value, elem);
        }
        let ty = value.ty;
        let place = self.memory_temp(ty);
        self.emit(StmtKind::Init(place.clone(), value));
        let pointer = self.intern(Ty::Ptr { to: ty, quals: Quals::default() });
        let address = Expr { kind: ExprKind::AddrOf(place), ty: pointer };
        self.adapt(address, elem)
    }

    /// A fat pointer to values put into an array in this function's frame.
    fn stack_array(&mut self, elem: TyId, values: Vec<Expr>) -> Expr {
        let fat = self.intern(Ty::Fat { to: elem, quals: Quals::default() });
        if values.is_empty() {
            return self.zero(fat);
        }
        let len = values.len() as u64;
        let array = self.intern(Ty::Array { of: elem, len });
        let place = self.memory_temp(array);
        for (number, value) in values.into_iter().enumerate() {
            let index = self.int(number as i128, IntTy::ULong);
            let target = Place {
                kind: PlaceKind::Index(Box::new(place.clone()), Box::new(index)),
                ty: elem,
            };
            let value = self.adapt(value, elem);
            self.emit(StmtKind::Init(target, value));
        }
        let array_pointer = self.intern(Ty::Ptr { to: array, quals: Quals::default() });
        let address = Expr { kind: ExprKind::AddrOf(place), ty: array_pointer };
        let base = self.pointer_to(address, elem);
        let len = self.int(i128::from(len), IntTy::UInt);
        self.fat_from(base, len, fat)
    }
}
