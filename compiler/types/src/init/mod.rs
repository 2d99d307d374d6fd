//! Initialisers (C11 6.7.9): which sub-object each expression is for, and what is left to be zero.

mod constant;
mod facts;
mod hoist;
mod list;
mod overriding;

use crate::checker::{Checker, Why};
use crate::hir::{ComprehensionInit, ExprKind, Init, InitElem};
use crate::infer::{Origin, Subst};
use crate::ty::{ArrayLen, GenericArg, QualType, Quals, Type, TypeId};
use tenure_span::{Diagnostic, Span, Symbol};
use tenure_syntax::tree::{self, ExprKind as K};

/// What an initialiser is for.
#[derive(Clone, Copy)]
struct Target {
    name: Option<Symbol>,
    declared: Span,
}

impl Checker<'_> {
    /// The initialiser of an object of a type. An incomplete array type is completed: the result has it.
    pub(crate) fn initializer(
        &mut self,
        e: &tree::Expr,
        ty: TypeId,
        name: Option<Symbol>,
        declared: Span,
    ) -> Init {
        self.init_object(e, ty, Target { name, declared })
    }

    /// `{…}` of a record, array or tuple; `explicit` are the types that a record's existentials stand for, if written.
    pub(crate) fn init_list(
        &mut self,
        items: &[tree::InitItem],
        ty: TypeId,
        explicit: Option<Vec<GenericArg>>,
        span: Span,
    ) -> Init {
        let target = Target { name: None, declared: Span::NONE };
        self.braced(items, ty, explicit, target, span)
    }

    fn init_object(&mut self, e: &tree::Expr, ty: TypeId, target: Target) -> Init {
        let span = e.span;
        if self.is_error_type(ty) {
            if !matches!(e.peel().kind, K::InitList(_) | K::Comprehension(_)) {
                self.expr(e, None);
            }
            return Init { kind: InitElem::Zero, ty, span };
        }
        match &e.peel().kind {
            K::InitList(items) => self.braced(items, ty, None, target, span),
            K::Comprehension(comprehension) => self.init_comprehension(comprehension, ty, span),
            K::Str(lit) => match self.init_string(lit, ty, span) {
                Some(init) => init,
                None => self.init_value(e, ty, target),
            },
            _ => self.init_value(e, ty, target),
        }
    }

    fn init_value(&mut self, e: &tree::Expr, ty: TypeId, target: Target) -> Init {
        if let Type::Array { .. } = self.kind(ty) {
            let span = e.span;
            let value = self.expr(e, Some(ty));
            if let crate::hir::ExprKind::Aggregate(init) = value.kind {
                return *init;
            }
            if !value.is_error() {
                let text = format!(
                    "an array is initialised element by element, found a value of type `{}`",
                    self.show_type(value.ty)
                );
                let error = Diagnostic::error("E0340", text, span)
                    .help("write `{…}`, or copy the elements in a loop");
                self.error(error);
            }
            return Init { kind: InitElem::Zero, ty, span };
        }
        let why = Why::Init { name: target.name, declared: target.declared };
        let value = self.expr_to(e, ty, why);
        Init { span: e.span, kind: InitElem::Expr(value), ty }
    }

    /// A literal for an array of characters; none if the type is no such array.
    fn init_string(&mut self, lit: &tree::StrLit, ty: TypeId, span: Span) -> Option<Init> {
        let Type::Array { elem, len, zeroterm } = *self.kind(ty) else { return None };
        let (units, unit_size) = crate::expr::units_of(lit);
        let int = self.integer_of(elem.ty)?;
        if int.bits() != u32::from(unit_size) * 8 {
            let text = format!(
                "this literal's characters have {} bits, the array's elements are `{}`",
                u32::from(unit_size) * 8,
                self.show_type(elem.ty)
            );
            self.error(Diagnostic::error("E0341", text, span));
            return Some(Init { kind: InitElem::Zero, ty, span });
        }
        let full = units.len() as u64 + 1;
        let ty = match len {
            ArrayLen::Incomplete => {
                let len = ArrayLen::Known(self.size_const(full));
                self.types.intern(Type::Array { elem, len, zeroterm })
            }
            ArrayLen::Known(size) => {
                let len = self.size_value(size).unwrap_or(full);
                // C drops the terminator if just that does not fit.
                let least = if zeroterm { full } else { full - 1 };
                if len < least {
                    let text = format!(
                        "this literal needs {full} elements with its zero, the array has {len}"
                    );
                    self.error(Diagnostic::error("E0341", text, span));
                }
                ty
            }
        };
        Some(Init { kind: InitElem::String { units, unit_size }, ty, span })
    }

    fn init_comprehension(
        &mut self,
        comprehension: &tree::Comprehension,
        ty: TypeId,
        span: Span,
    ) -> Init {
        let Type::Array { elem, len, zeroterm } = *self.kind(ty) else {
            let text = format!(
                "`{{for …}}` initialises an array, found the type `{}`",
                self.show_type(ty)
            );
            self.error(Diagnostic::error("E0340", text, span));
            return Init { kind: InitElem::Zero, ty, span };
        };
        let mut init = self.comprehension(comprehension, Some(elem.ty), span);
        let count = self.eval_int_constant(&comprehension.bound);
        let Ok(count) = count else { return Init { kind: InitElem::Zero, ty, span } };
        init.count.kind = ExprKind::Int(count);
        let count = u64::try_from(count).unwrap_or(0);
        let ty = match len {
            ArrayLen::Incomplete => {
                let len = ArrayLen::Known(self.size_const(count));
                self.types.intern(Type::Array { elem, len, zeroterm })
            }
            ArrayLen::Known(size) => {
                let len = self.size_value(size);
                if len.is_some_and(|len| len != count) {
                    let text = format!(
                        "the array has {} elements, this initialises {count}",
                        len.unwrap_or(0)
                    );
                    self.error(Diagnostic::error("E0342", text, comprehension.bound.span));
                }
                ty
            }
        };
        if zeroterm {
            let text = "a comprehension cannot show that a zero comes last";
            self.error(Diagnostic::error("E0443", text, span));
        }
        Init { kind: InitElem::Comprehension(Box::new(init)), ty, span }
    }

    /// `for i < n : e`, of elements of a type, or of the value's own type.
    pub(crate) fn comprehension(
        &mut self,
        comprehension: &tree::Comprehension,
        elem: Option<TypeId>,
        span: Span,
    ) -> ComprehensionInit {
        let count = self.value(&comprehension.bound, None);
        let count = self.count_as_ulong(count, "the number of elements");
        self.scopes.push();
        let ty =
            QualType { ty: self.basics.ulong, quals: Quals { is_const: true, is_volatile: false } };
        let index = self.declare_local(comprehension.var, ty);
        let value = match elem {
            Some(elem) => self.initializer(&comprehension.value, elem, None, span),
            None => {
                let value = self.value(&comprehension.value, None);
                Init { ty: value.ty, span: value.span, kind: InitElem::Expr(value) }
            }
        };
        self.scopes.pop();
        ComprehensionInit { index, count, elem: value.ty, value }
    }

    /// The types of a record's or tuple's fields where one is made: its existentials stand for something that is yet to
    /// be found, or that was written.
    pub(crate) fn fields_to_initialise(
        &mut self,
        ty: TypeId,
        explicit: Option<Vec<GenericArg>>,
        span: Span,
    ) -> Vec<QualType> {
        match self.kind(ty).clone() {
            Type::Tuple(fields) => fields,
            Type::Record(record, args) => {
                let def = self.types.records[record].clone();
                let mut subst = Subst::new(&def.params, &args);
                let parts: Vec<QualType> =
                    def.fields.iter().flatten().map(|field| field.ty).collect();
                for (index, &var) in def.existentials.iter().enumerate() {
                    let arg = self.fresh_witness(var, &parts, span);
                    let given = explicit.as_ref().and_then(|args| args.get(index).copied());
                    if let Some(Err(_)) =
                        given.map(|given| self.unify_generic_args(&[arg], &[given]))
                    {
                        let text = "what is written for the existential cannot stand for it";
                        self.error(Diagnostic::error("E0305", text, span));
                    }
                    subst.push(var, arg);
                }
                let origin = Origin { span, declared: def.span };
                self.require_substituted(&def.bounds, &subst, origin);
                let fields = def.fields.unwrap_or_default();
                fields.iter().map(|field| self.subst_qual(field.ty, &subst)).collect()
            }
            _ => Vec::new(),
        }
    }
}
