//! Constant formats: `printf` and its kin whose format was checked call C's own directly, without an object and a
//! pointer for each argument (`tn_…_direct` in lib/src/shim_stdio.c and shim_text.c).
//!
//! A number is passed as its directive reads it; a thin zero-terminated string as it is; one with bounds as `%.*s`, so
//! that no more of it is read than is there. What has no such form keeps the whole call as it was.

use crate::builder::Builder;
use tenure_core::{
    BinaryOp, CastKind, Const, Expr, ExprKind, FuncTy, FunctionId, IntTy, Quals, Ty, TyId,
};
use tenure_types::format::{parse_printf, Want, WantKind};
use tenure_types::hir::{self, Call, Coercion, Inject, VarArgs};

/// A function of the library with a form for constant formats.
struct Form {
    slow: &'static str,
    /// Where the format stands among the fixed arguments.
    at: usize,
    fast: &'static str,
    /// The text goes to a buffer with bounds, the first argument, which may be too small.
    fills_buffer: bool,
}

const FORMS: &[Form] = &[
    Form { slow: "tn_printf", at: 0, fast: "tn_printf_direct", fills_buffer: false },
    Form { slow: "tn_fprintf", at: 1, fast: "tn_fprintf_direct", fills_buffer: false },
    Form { slow: "tn_sprintf", at: 1, fast: "tn_sprintf_direct", fills_buffer: true },
    Form { slow: "tn_snprintf", at: 2, fast: "tn_snprintf_direct", fills_buffer: true },
    Form { slow: "tn_sprintf_z", at: 1, fast: "tn_sprintf_direct", fills_buffer: true },
    Form { slow: "tn_snprintf_z", at: 2, fast: "tn_snprintf_direct", fills_buffer: true },
];

/// What the library prints for a string that is NULL.
const NULL_TEXT: &str = "(null)";

/// A call that has a direct form.
pub(crate) struct Direct<'c> {
    form: &'static Form,
    /// The function that is called otherwise, and its parameters.
    slow: FunctionId,
    params: Vec<TyId>,
    inject: &'c Inject,
    format: &'c [u32],
    wants: Vec<Want>,
}

impl Direct<'_> {
    pub(crate) fn params(&self) -> &[TyId] {
        &self.params
    }

    pub(crate) fn may_throw(&self) -> bool {
        self.form.fills_buffer
    }
}

impl Builder<'_, '_> {
    pub(crate) fn direct_form<'c>(&self, call: &'c Call) -> Option<Direct<'c>> {
        let hir::ExprKind::Func(func, _) = call.callee.kind else {
            return None;
        };
        let id = self.lowerer.funcs[func];
        let name = self.lowerer.program.decls[id].c_name.as_str();
        let form = FORMS.iter().find(|form| form.slow == name)?;
        let VarArgs::Inject(inject) = &call.rest else {
            return None;
        };
        let format = inject.format.as_deref()?;
        let wants = parse_printf(format).ok()?;
        let fits = call.args.len() == form.at + 1
            && wants.len() == inject.args.len()
            && wants.iter().zip(&inject.args).all(|(want, arg)| has_form(want, arg));
        let params = match self.ty(self.lowerer.program.decls[id].ty) {
            Ty::Func(function) => function.params.clone(),
            _ => return None,
        };
        fits.then_some(Direct { form, slow: id, params, inject, format, wants })
    }

    /// The arguments of the direct form, and its declaration. `fixed` are those before the format, evaluated already.
    pub(crate) fn print_directly(
        &mut self,
        direct: &Direct<'_>,
        mut fixed: Vec<Expr>,
    ) -> (FunctionId, Vec<Expr>) {
        if direct.form.fills_buffer && !fixed.is_empty() {
            let buffer = self.repeatable(fixed.remove(0));
            fixed.splice(0..0, self.current_and_count(buffer));
        }
        let mut format = Vec::with_capacity(direct.format.len());
        let mut copied = 0;
        let mut values: Vec<Expr> = Vec::new();
        for (want, arg) in direct.wants.iter().zip(&direct.inject.args) {
            let Some(arg) = field_of(arg) else { continue };
            let mut kept: Vec<&mut Expr> = fixed.iter_mut().chain(values.iter_mut()).collect();
            let parts = self.keeping(&mut kept, |this| this.printed(want, arg));
            if parts.len() == 2 {
                // `%-10s` becomes `%-10.*s`.
                format.extend_from_slice(&direct.format[copied..want.end - 1]);
                format.extend(".*".chars().map(u32::from));
                copied = want.end - 1;
            }
            values.extend(parts);
        }
        format.extend_from_slice(&direct.format[copied..]);
        fixed.push(self.text_constant(&format));
        let int = self.int_ty(IntTy::Int);
        let params = fixed.iter().map(|arg| arg.ty).collect();
        let ty = FuncTy { result: int, params, variadic: true, noreturn: false };
        let function = self.lowerer.runtime_function_of(direct.form.fast, ty);
        // What it raises, it raises in the name of the function that was called.
        let slow = &self.lowerer.program.decls[direct.slow];
        let (source_name, attributes) = (slow.source_name, slow.attributes.clone());
        let fast = &mut self.lowerer.program.decls[function];
        (fast.source_name, fast.attributes) = (source_name, attributes);
        fixed.append(&mut values);
        (function, fixed)
    }

    fn printed(&mut self, want: &Want, arg: &hir::Expr) -> Vec<Expr> {
        match want.kind {
            WantKind::Text => self.printed_text(arg),
            WantKind::Int { .. } | WantKind::Char | WantKind::Star => {
                let value = self.value(without_widening(arg));
                let int = integer_type(want);
                let ty = self.int_ty(int);
                vec![self.convert(value, ty)]
            }
            _ => vec![self.value(arg)],
        }
    }

    /// Where a buffer's current element is, and how many there are from it on.
    fn current_and_count(&mut self, buffer: Expr) -> [Expr; 2] {
        let char = self.int_ty(IntTy::Char);
        let to_char = self.intern(Ty::Ptr { to: char, quals: Quals::default() });
        let uint = self.int_ty(IntTy::UInt);
        let current = Expr { kind: ExprKind::FatCur(Box::new(buffer.clone())), ty: to_char };
        [current, Expr { kind: ExprKind::FatCount(Box::new(buffer)), ty: uint }]
    }

    /// A string that ends in a zero; or, of one with bounds, how much of it there is, and where.
    fn printed_text(&mut self, arg: &hir::Expr) -> Vec<Expr> {
        let thin = self.text_type();
        if let hir::ExprKind::Coerce(Coercion::ZeroTermToFat, inner) = &peeled(arg).kind {
            let text = self.value(inner);
            return vec![self.convert_pointer(text, thin)];
        }
        let fat = self.value(arg);
        if let ExprKind::MakeFat { base, .. } = &fat.kind {
            if matches!(base.kind, ExprKind::Const(Const::Str(_))) {
                return vec![self.convert_pointer((**base).clone(), thin)];
            }
        }
        let fat = self.repeatable(fat);
        let base = Expr { kind: ExprKind::FatBase(Box::new(fat.clone())), ty: thin };
        let null = self.zero(thin);
        let int = self.int_ty(IntTy::Int);
        let is_null =
            Expr { kind: ExprKind::Binary(BinaryOp::Eq, Box::new(base), Box::new(null)), ty: int };
        let units: Vec<u32> = NULL_TEXT.chars().map(u32::from).collect();
        let (null_text, null_size) =
            (self.text_constant(&units), self.int(units.len() as i128, IntTy::Int));
        let current = Expr { kind: ExprKind::FatCur(Box::new(fat.clone())), ty: thin };
        let size = self.printed_size(fat);
        let choice = |a: Expr, b: Expr| {
            let ty = a.ty;
            Expr { kind: ExprKind::Cond(Box::new(is_null.clone()), Box::new(a), Box::new(b)), ty }
        };
        vec![choice(null_size, size), choice(null_text, current)]
    }

    /// The elements from the current one on as a precision, which is an `int`: a negative one would be none.
    fn printed_size(&mut self, fat: Expr) -> Expr {
        let uint = self.int_ty(IntTy::UInt);
        let int = self.int_ty(IntTy::Int);
        let count = Expr { kind: ExprKind::FatCount(Box::new(fat)), ty: uint };
        let most = self.int(i128::from(i32::MAX), IntTy::UInt);
        let over = Expr {
            kind: ExprKind::Binary(BinaryOp::Gt, Box::new(count.clone()), Box::new(most.clone())),
            ty: int,
        };
        let clipped = Expr {
            kind: ExprKind::Cond(Box::new(over), Box::new(most), Box::new(count)),
            ty: uint,
        };
        Expr { kind: ExprKind::Cast(CastKind::Int, Box::new(clipped)), ty: int }
    }

    fn convert_pointer(&mut self, pointer: Expr, ty: TyId) -> Expr {
        if pointer.ty == ty {
            return pointer;
        }
        Expr { kind: ExprKind::Cast(CastKind::PtrView, Box::new(pointer)), ty }
    }

    fn text_type(&mut self) -> TyId {
        let char = self.int_ty(IntTy::Char);
        let quals = Quals { is_const: true, is_volatile: false };
        self.intern(Ty::Ptr { to: char, quals })
    }

    fn text_constant(&mut self, units: &[u32]) -> Expr {
        let id = self.lowerer.string(units, 1);
        Expr { kind: ExprKind::Const(Const::Str(id)), ty: self.text_type() }
    }
}

/// The value in an injected argument's object.
fn field_of(arg: &hir::Expr) -> Option<&hir::Expr> {
    match &arg.kind {
        hir::ExprKind::Construct { args, .. } => args.first(),
        _ => None,
    }
}

fn has_form(want: &Want, arg: &hir::Expr) -> bool {
    if field_of(arg).is_none() {
        return false;
    }
    match want.kind {
        // A size of the user's own would have to be compared with the string's.
        WantKind::Text => !want.text.contains('.'),
        WantKind::Int { .. } => !want.text.contains('Z'),
        WantKind::Char | WantKind::Star | WantKind::Double | WantKind::LongDouble => true,
        _ => false,
    }
}

/// What the directive makes libc read.
fn integer_type(want: &Want) -> IntTy {
    let WantKind::Int { .. } = want.kind else {
        return IntTy::Int;
    };
    let signed = want.text.ends_with(['d', 'i']);
    match (want.text.contains(['l', 'q', 'j', 'z', 't', 'L']), signed) {
        (true, true) => IntTy::Long,
        (true, false) => IntTy::ULong,
        (false, true) => IntTy::Int,
        (false, false) => IntTy::UInt,
    }
}

/// The number that was widened for the argument's object: converted at once to what is read, it is the same.
fn without_widening(arg: &hir::Expr) -> &hir::Expr {
    match &arg.kind {
        hir::ExprKind::Coerce(Coercion::Arithmetic, inner) => inner,
        _ => arg,
    }
}

/// Under conversions that keep the representation.
fn peeled(arg: &hir::Expr) -> &hir::Expr {
    match &arg.kind {
        hir::ExprKind::Coerce(Coercion::Same, inner) => peeled(inner),
        _ => arg,
    }
}
