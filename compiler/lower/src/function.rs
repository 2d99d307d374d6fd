//! One function body.

use crate::builder::{load, Builder};
use crate::instance::Subst;
use crate::prescan::Prescan;
use crate::unit::Lowerer;
use tenure_core::{
    Const, Expr, ExprKind, Function, FunctionId, Local, LocalId, LocalKind, StmtKind, Ty,
};
use tenure_types::hir;
use tenure_types::ty::{Size, Type};

/// Lowers a body as the definition of `id`. Arguments for the parameters numbered `noconsume` stay the caller's.
pub(crate) fn lower_function<'a>(
    lowerer: &mut Lowerer<'a>,
    body: &'a hir::Body,
    id: FunctionId,
    subst: Subst,
    noconsume: &[u32],
) -> Function {
    let repr = lowerer.program.decls[id].ty;
    let result = match lowerer.program.types.get(repr) {
        Ty::Func(func) => func.result,
        _ => repr,
    };
    let scan = Prescan::of(lowerer.unit, body);
    let (address_taken, goto_depths) = (scan.address_taken, scan.label_depths);
    let mut builder = Builder::new(lowerer, subst, result);
    builder.address_taken = address_taken;
    builder.goto_depths = goto_depths;
    for &name in &body.labels {
        let label = builder.label(Some(name));
        builder.goto_labels.push(label);
    }
    let mut params = Vec::new();
    for (number, &param) in body.params.iter().enumerate() {
        let mut local = builder.core_local(body, param, LocalKind::Param);
        local.noconsume = noconsume.contains(&(number as u32));
        let local = builder.locals.push(local);
        builder.local_map.insert(param, local);
        builder.note_size(body, param);
        params.push(local);
    }
    builder.body = Some(body);
    builder.own_params(body);
    builder.check_counts(body);
    builder.stmts(&body.block.stmts);
    builder.end_of_main(id, body);
    let (block, locals, labels) = builder.finish();
    let mut function = Function { id, params, locals, labels, body: block, end: body.end };
    crate::touch::place_touches(&mut function, &lowerer.program.decls);
    function
}

impl Builder<'_, '_> {
    /// A tag that C code passes may be negative; as a count of elements it would be a huge one.
    fn check_counts(&mut self, body: &hir::Body) {
        for &param in &body.params {
            let local = &body.locals[param];
            let Type::Tag(size, int) = *self.lowerer.unit.types.get(local.ty.ty) else { continue };
            if !int.is_signed() {
                continue;
            }
            let Some(&id) =
                self.local_map.get(&param).filter(|_| self.lowerer.constant_size(size).is_none())
            else {
                continue;
            };
            self.span = local.span;
            let value = load(self.local_place(id));
            self.check_count(value, int);
        }
    }

    /// Coming to the end of main returns 0 (C11 5.1.2.2.3).
    fn end_of_main(&mut self, id: FunctionId, body: &hir::Body) {
        let main = self.lowerer.unit.main.map(|main| self.lowerer.funcs[main]);
        if main == Some(id) && !self.is_terminated() && self.int_kind(self.result).is_some() {
            self.span = body.end;
            let zero = Expr { kind: ExprKind::Const(Const::Int(0)), ty: self.result };
            self.emit(StmtKind::Return(Some(zero)));
        }
    }

    /// Remembers that a local holds the value of a type-level integer.
    fn note_size(&mut self, body: &hir::Body, id: hir::LocalId) {
        if let Type::Tag(size, _) = self.lowerer.unit.types.get(body.locals[id].ty.ty) {
            if let Size::Var(var) = *self.lowerer.unit.types.get_size(*size) {
                self.size_locals.push((var, id));
            }
        }
    }

    fn core_local(&mut self, body: &hir::Body, id: hir::LocalId, kind: LocalKind) -> Local {
        let local = &body.locals[id];
        let ty = self.repr(local.ty.ty);
        Local {
            name: local.name,
            ty,
            kind: if local.name.is_some() { kind } else { LocalKind::Temp },
            is_const: local.ty.quals.is_const,
            is_volatile: local.ty.quals.is_volatile,
            address_taken: self.address_taken.contains(&id),
            zeroable: self.lowerer.is_zeroable(local.ty.ty),
            zero_at_entry: false,
            align: local.align,
            span: local.span,
            owned: self.owned(local.ty.ty),
            noconsume: false,
        }
    }

    /// Declares a user's variable in the innermost block.
    pub(crate) fn declare_user(&mut self, id: hir::LocalId) -> LocalId {
        if let Some(&known) = self.local_map.get(&id) {
            return known;
        }
        let Some(body) = self.body else {
            let void = self.intern(Ty::Void);
            return self.temp(void);
        };
        let local = self.core_local(body, id, LocalKind::User);
        // A goto may enter a scope past its start, so that what the scope's start does for its locals must be done
        // outside.
        let local =
            if body.labels.is_empty() { self.declare(local) } else { self.declare_outside(local) };
        self.local_map.insert(id, local);
        self.note_size(body, id);
        local
    }
}
