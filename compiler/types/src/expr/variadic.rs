//! The arguments behind the fixed ones: C's `...`, `... T`, `... inject T`, and their formats.

use super::call::{Arg, Callee};
use crate::checker::{Checker, Why};
use crate::format::{int_bits, parse_printf, parse_scanf, place, BadFormat, Want, WantKind};
use crate::hir::{Coercion, Expr, ExprKind, Inject, VarArgs};
use crate::infer::Origin;
use crate::ty::{
    Bounds, DatatypeId, FloatTy, Format, FunctionType, GenericArg, IntTy, Pointer, QualType, Type,
    TypeId, Variadic,
};
use tenure_span::{Diagnostic, Span};
use tenure_syntax::tree::ExprKind as K;

/// A constant format: where it stands, its text, and what it wants.
struct Checked {
    span: Span,
    units: Vec<u32>,
    wants: Vec<Want>,
}

impl Checker<'_> {
    pub(super) fn rest_arguments(
        &mut self,
        function: &FunctionType,
        callee: Callee,
        fixed: &[Expr],
        rest: Vec<Arg>,
        span: Span,
    ) -> VarArgs {
        if function.variadic == Variadic::No {
            return VarArgs::None;
        }
        if let Some(forwarded) = self.forwarded(function, &rest) {
            return forwarded;
        }
        let format = function.format.and_then(|format| self.constant_format(format, fixed));
        let expected = match function.variadic {
            Variadic::Fat(elem) => Some(elem),
            _ => None,
        };
        let mut rest: Vec<Expr> = rest.into_iter().map(|arg| self.arg(arg, expected)).collect();
        if let Some(format) = &format {
            self.check_format(format, &mut rest, span);
        }
        let why = Why::Rest { callee: callee.name, declared: callee.declared };
        match function.variadic {
            Variadic::C => VarArgs::C(rest.into_iter().map(|arg| self.c_argument(arg)).collect()),
            Variadic::Fat(elem) => {
                let args = rest.into_iter().map(|arg| self.coerce(arg, elem, why.clone()));
                VarArgs::Fat { elem, args: args.collect() }
            }
            Variadic::Inject(elem) => self.inject_all(elem, rest, format, callee, span),
            Variadic::No => VarArgs::None,
        }
    }

    /// The caller's own rest, given as the only argument where a rest is wanted.
    fn forwarded(&mut self, function: &FunctionType, rest: &[Arg]) -> Option<VarArgs> {
        let own = self.fx.rest?;
        let [Arg::Tree(arg)] = rest else { return None };
        let K::Name(name) = &arg.peel().kind else { return None };
        let Some(crate::scope::ValueDef::Local(local)) = self.find_value(name) else { return None };
        if local != own {
            return None;
        }
        let (Variadic::Fat(elem) | Variadic::Inject(elem)) = function.variadic else { return None };
        let region = self.fresh_region(arg.span);
        let to = self.fat_pointer(QualType::plain(elem), region);
        let value = self.expr(arg, None);
        let value = self.coerce(value, to, Why::Operand("..."));
        Some(VarArgs::Forward(Box::new(value)))
    }

    /// C's default argument promotions (C11 6.5.2.2p6). What is no plain value of C cannot be passed.
    fn c_argument(&mut self, arg: Expr) -> Expr {
        let arg = self.decay(arg);
        if arg.is_error() {
            return arg;
        }
        match self.kind(arg.ty).clone() {
            Type::Int(_) | Type::Enum(_) | Type::Tag(..) => self.promote(arg),
            Type::Float(FloatTy::F32) => {
                let (span, double) = (arg.span, self.basics.double);
                Expr::value(ExprKind::Coerce(Coercion::Arithmetic, Box::new(arg)), double, span)
            }
            Type::Float(_) => arg,
            Type::Pointer(pointer) if pointer.bounds != Bounds::Fat => self.lend_to_c(arg),
            Type::Error => arg,
            _ => {
                let text = format!(
                    "`{}` cannot be passed to a C function in place of `...`",
                    self.show_type(arg.ty)
                );
                let error = Diagnostic::error("E0801", text, arg.span)
                    .help("pass a number or a thin pointer");
                self.fail(error)
            }
        }
    }

    fn inject_all(
        &mut self,
        elem: TypeId,
        rest: Vec<Expr>,
        format: Option<Checked>,
        callee: Callee,
        span: Span,
    ) -> VarArgs {
        let target = match self.kind(elem).clone() {
            Type::Pointer(pointer) => match self.kind(pointer.elem.ty).clone() {
                Type::Datatype(datatype, args) => Some((pointer.region, datatype, args)),
                _ => None,
            },
            _ => None,
        };
        let Some((region, datatype, generics)) = target else {
            // Its declaration was refused.
            return VarArgs::None;
        };
        if !rest.is_empty() {
            if let Some(block) = self.storage_region() {
                let own = self.block_region(block);
                self.outlives(own, region, Origin::at(span));
            }
        }
        let wants = format.as_ref().map(|format| format.wants.clone()).unwrap_or_default();
        let mut args = Vec::with_capacity(rest.len());
        for (index, arg) in rest.into_iter().enumerate() {
            let want = wants.get(index).map(|want| want.kind);
            args.push(self.inject(arg, datatype, &generics, want, callee));
        }
        let format = format.map(|format| format.units);
        VarArgs::Inject(Inject { elem, args, region, format })
    }

    /// The argument in the constructor that fits its type best.
    fn inject(
        &mut self,
        arg: Expr,
        datatype: DatatypeId,
        generics: &[GenericArg],
        want: Option<WantKind>,
        callee: Callee,
    ) -> Expr {
        if arg.is_error() || self.is_error_type(arg.ty) {
            return arg;
        }
        let span = arg.span;
        let count = self.types.datatypes[datatype].variants.as_ref().map_or(0, Vec::len) as u32;
        let mut best: Option<(u32, u32, QualType)> = None;
        for variant in 0..count {
            let fields = self.variant_fields(datatype, variant, generics);
            let [field] = fields[..] else { continue };
            let Some(score) = self.injection_score(&arg, field.ty, want) else { continue };
            if best.is_none_or(|(other, ..)| score > other) {
                best = Some((score, variant, field));
            }
        }
        let Some((_, variant, field)) = best else {
            return self.no_constructor(&arg, datatype, callee);
        };
        let arg = self.as_injected(arg, field.ty);
        let why = Why::Rest { callee: callee.name, declared: callee.declared };
        let arg = self.coerce(arg, field.ty, why);
        let ty = self.types.intern(Type::Variant(datatype, variant, generics.to_vec()));
        let instance = generics.to_vec();
        let kind = ExprKind::Construct { datatype, variant, instance, args: vec![arg] };
        Expr::value(kind, ty, span)
    }

    fn no_constructor(&mut self, arg: &Expr, datatype: DatatypeId, callee: Callee) -> Expr {
        let def = &self.types.datatypes[datatype];
        let (name, declared) = (def.name.clone(), def.span);
        let text =
            format!("{} takes no argument of type `{}`", callee.text(), self.show_type(arg.ty));
        let error = Diagnostic::error("E0613", text, arg.span)
            .secondary(declared, format!("no constructor of `{name}` takes it"));
        self.fail(error)
    }

    /// How well an argument fits a constructor's field: none if it does not, more for the better.
    fn injection_score(&self, arg: &Expr, field: TypeId, want: Option<WantKind>) -> Option<u32> {
        if self.shallow(arg.ty) == self.shallow(field) {
            return Some(100);
        }
        match (self.kind(arg.ty), self.kind(field)) {
            (Type::Int(_) | Type::Enum(_) | Type::Tag(..), Type::Int(int)) => {
                let own = self.integer_of(arg.ty).map_or(64, int_bits);
                (int_bits(*int) >= own).then_some(int_bits(*int))
            }
            (Type::Float(FloatTy::F32), Type::Float(FloatTy::F64)) => Some(60),
            (Type::Float(FloatTy::F32 | FloatTy::F64), Type::Float(FloatTy::Long)) => Some(50),
            (Type::Float(FloatTy::F64), Type::Float(FloatTy::F64)) => Some(90),
            (
                Type::Pointer(_) | Type::Array { .. } | Type::Function(_),
                Type::Int(IntTy::ULong),
            ) => (want == Some(WantKind::Pointer)).then_some(80),
            (Type::Array { elem, .. }, Type::Pointer(field)) => {
                let elem = super::access::with_quals(*elem, arg.quals);
                self.pointer_score(elem, field, want)
            }
            (Type::Pointer(_), Type::Pointer(field)) if matches!(arg.kind, ExprKind::Null) => {
                (self.is_char(field.elem.ty)).then_some(30)
            }
            (Type::Pointer(own), Type::Pointer(field)) => self.pointer_score(own.elem, field, want),
            (Type::Var(_), Type::Var(_)) => None,
            _ => None,
        }
    }

    fn pointer_score(&self, own: QualType, field: &Pointer, want: Option<WantKind>) -> Option<u32> {
        if want == Some(WantKind::Pointer) || (own.quals.is_const && !field.elem.quals.is_const) {
            return None;
        }
        if self.same_shape(own.ty, field.elem.ty) {
            return Some(70);
        }
        match (self.kind(own.ty), self.kind(field.elem.ty)) {
            (Type::Int(a), Type::Int(b)) if a.bits() == b.bits() && *a != IntTy::Bool => {
                Some(if a.is_signed() == b.is_signed() { 65 } else { 40 })
            }
            _ => None,
        }
    }

    fn is_char(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), Type::Int(IntTy::Char))
    }

    /// A pointer for `%p` becomes its address; one to an integer of the same size and another name is viewed as the
    /// field's.
    fn as_injected(&mut self, arg: Expr, field: TypeId) -> Expr {
        let span = arg.span;
        match self.kind(field).clone() {
            Type::Int(_) if !self.is_number(arg.ty, true) => {
                let arg = self.decay(arg);
                let ulong = self.basics.ulong;
                Expr::value(ExprKind::Coerce(Coercion::PointerToInt, Box::new(arg)), ulong, span)
            }
            Type::Pointer(wanted) => {
                if matches!(arg.kind, ExprKind::Null) {
                    return self.null(Some(field), span);
                }
                let arg = match self.kind(arg.ty) {
                    Type::Array { .. } if self.same_elem(&arg, &wanted) => return arg,
                    _ => self.decay(arg),
                };
                let Type::Pointer(own) = self.kind(arg.ty).clone() else { return arg };
                if self.same_shape(own.elem.ty, wanted.elem.ty) {
                    return arg;
                }
                let elem = QualType { ty: wanted.elem.ty, quals: own.elem.quals };
                let ty = self.pointer_to(Pointer { elem, ..own });
                Expr::value(ExprKind::Coerce(Coercion::ViewBits, Box::new(arg)), ty, span)
            }
            _ => arg,
        }
    }

    fn same_elem(&self, arg: &Expr, wanted: &Pointer) -> bool {
        match self.kind(arg.ty) {
            Type::Array { elem, .. } => self.same_shape(elem.ty, wanted.elem.ty),
            _ => false,
        }
    }

    /// The format among the fixed arguments, if it is a constant.
    fn constant_format(&mut self, format: Format, fixed: &[Expr]) -> Option<Checked> {
        let arg = fixed.get(format.string_param as usize)?;
        let (units, span) = string_units(arg)?;
        // What stands behind the first zero is not read.
        let end = units.iter().position(|&unit| unit == 0).unwrap_or(units.len());
        let units = units[..end].to_vec();
        let parsed = if format.scanf { parse_scanf(&units) } else { parse_printf(&units) };
        match parsed {
            Ok(wants) => Some(Checked { span, units, wants }),
            Err(BadFormat { reason, start, end }) => {
                let span = place(&self.options.source, span, start..end);
                self.error(Diagnostic::error("E0410", reason, span));
                None
            }
        }
    }

    /// Arguments that the format does not take are errors from here on.
    fn check_format(&mut self, format: &Checked, rest: &mut [Expr], span: Span) {
        for (want, arg) in format.wants.iter().zip(rest.iter_mut()) {
            if !arg.is_error() && !self.is_error_type(arg.ty) && !self.satisfies(want.kind, arg) {
                let proof = self.wrong_directive(want, arg, format.span);
                *arg = self.error_expr(proof, arg.span);
            }
        }
        let (wanted, found) = (format.wants.len(), rest.len());
        if found < wanted {
            let missing = &format.wants[found];
            let text = format!(
                "the format wants {wanted} argument{}, found {found}",
                if wanted == 1 { "" } else { "s" }
            );
            let label = format!("`{}` has no argument", missing.text);
            let place = place(&self.options.source, format.span, missing.start..missing.end);
            let error = Diagnostic::error("E0411", text, span).secondary(place, label);
            self.error(error);
        } else if let Some(extra) = rest.get(wanted) {
            let text = format!(
                "the format wants {wanted} argument{}, found {found}",
                if wanted == 1 { "" } else { "s" }
            );
            let error = Diagnostic::error("E0411", text, extra.span)
                .label("no directive is for this argument")
                .secondary(format.span, "the format");
            self.error(error);
        }
    }

    fn wrong_directive(
        &mut self,
        want: &Want,
        arg: &Expr,
        format: Span,
    ) -> tenure_span::ErrorGuaranteed {
        let found = self.show_type(arg.ty);
        let text = format!("`{}` wants {}, found `{found}`", want.text, want.kind.describe());
        let place = place(&self.options.source, format, want.start..want.end);
        let label = format!("wanted by `{}`", want.text);
        let mut error = Diagnostic::error("E0412", text, arg.span).secondary(place, label);
        if want.kind.is_pointer() {
            if arg.is_place() && !self.is_pointer(arg.ty) {
                error = error.help("pass its address, with `&`");
            }
        } else if let Some(better) = self.better_directive(arg) {
            error = error.help(format!("`{better}` prints `{found}`"));
        }
        self.error(error)
    }

    /// The plain directive for a type, if `printf` has one.
    fn better_directive(&self, arg: &Expr) -> Option<&'static str> {
        match self.kind(arg.ty) {
            Type::Int(_) | Type::Enum(_) | Type::Tag(..) => {
                let int = self.integer_of(arg.ty)?;
                Some(match (int.bits(), int.is_signed()) {
                    (64, true) => "%ld",
                    (64, false) => "%lu",
                    (32, false) => "%u",
                    _ => "%d",
                })
            }
            Type::Float(FloatTy::Long) => Some("%Lg"),
            Type::Float(_) => Some("%g"),
            Type::Pointer(pointer) if self.is_char(pointer.elem.ty) => Some("%s"),
            Type::Array { elem, .. } if self.is_char(elem.ty) => Some("%s"),
            _ => None,
        }
    }

    fn satisfies(&self, want: WantKind, arg: &Expr) -> bool {
        let bits = self.integer_of(arg.ty).map(int_bits);
        let elem = match self.kind(arg.ty) {
            Type::Pointer(pointer) => Some(pointer.elem),
            Type::Array { elem, .. } => Some(*elem),
            _ => None,
        };
        match want {
            WantKind::Star | WantKind::Char => bits.is_some_and(|bits| bits <= 32),
            WantKind::Int { bits: wanted } => bits.is_some_and(|bits| bits <= wanted),
            WantKind::Double => {
                matches!(self.kind(arg.ty), Type::Float(FloatTy::F32 | FloatTy::F64))
            }
            WantKind::LongDouble => matches!(self.kind(arg.ty), Type::Float(FloatTy::Long)),
            WantKind::Text => {
                matches!(arg.kind, ExprKind::Null) || elem.is_some_and(|elem| self.is_text(elem.ty))
            }
            WantKind::Pointer => elem.is_some() || matches!(self.kind(arg.ty), Type::Function(_)),
            WantKind::IntPointer { bits: wanted, signed } => elem.is_some_and(|elem| {
                self.integer_of(elem.ty)
                    .is_some_and(|int| int_bits(int) == wanted && int.is_signed() == signed)
            }),
            WantKind::FloatPointer(float) => {
                elem.is_some_and(|elem| matches!(self.kind(elem.ty), Type::Float(f) if *f == float))
            }
            WantKind::Buffer => {
                elem.is_some_and(|elem| !elem.quals.is_const && self.is_text(elem.ty))
            }
        }
    }

    fn is_text(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), Type::Int(IntTy::Char | IntTy::SChar | IntTy::UChar))
    }
}

/// The text of a literal under conversions, and where it stands.
fn string_units(e: &Expr) -> Option<(&[u32], Span)> {
    match &e.kind {
        ExprKind::Str { units, unit_size: 1 } => Some((units, e.span)),
        ExprKind::Coerce(_, inner) => string_units(inner),
        _ => None,
    }
}
