//! Patterns that are constants: numbers, ranges, strings, and integers with their tags.

use super::Matched;
use crate::checker::Checker;
use crate::hir::{Expr, ExprKind, PatternKind, UnaryOp};
use crate::ty::{Bounds, IntTy, QualType, TyVar, TyVarOrigin, Type, TypeId};
use tenure_span::{Diagnostic, Span};
use tenure_syntax::tree::{self, Ident, PatternKind as K};

impl Checker<'_> {
    /// The values of an integer type.
    pub(crate) fn int_range(&self, ty: TypeId) -> Option<(i128, i128)> {
        self.integer_of(ty).map(|int| int.range().unwrap_or((i128::MIN, i128::MAX)))
    }

    /// The values that a pattern names, if it is an integer constant or a range of them.
    pub(crate) fn constant_range(
        &mut self,
        pattern: &tree::Pattern,
        ty: TypeId,
    ) -> Option<(i128, i128)> {
        let (low, high) = match &pattern.kind {
            K::Const(e) => {
                let value = self.eval_int_constant(e).ok()?;
                (value, value)
            }
            K::Range(low, high) => {
                (self.eval_int_constant(low).ok()?, self.eval_int_constant(high).ok()?)
            }
            K::Name(name) => match self.find_value(name) {
                Some(crate::scope::ValueDef::EnumConst(value, _)) => (value, value),
                _ => return None,
            },
            _ => return None,
        };
        Some((self.as_case(low, ty)?, self.as_case(high, ty)?))
    }

    /// A constant converted to the promoted type of what is matched (C11 6.8.4.2p5); none if no such value is.
    fn as_case(&self, value: i128, ty: TypeId) -> Option<i128> {
        let (min, max) = self.int_range(ty)?;
        if (min..=max).contains(&value) {
            return Some(value);
        }
        let int = self.integer_of(ty)?;
        if int.bits() < 32 || int.bits() > 64 {
            return None;
        }
        let span = 1i128 << int.bits();
        let wrapped = value.rem_euclid(span);
        Some(if wrapped > max { wrapped - span } else { wrapped })
    }

    pub(super) fn constant_pattern(
        &mut self,
        pattern: &tree::Pattern,
        matched: &Matched,
    ) -> PatternKind {
        let span = pattern.span;
        match self.kind(matched.ty) {
            Type::Error => return PatternKind::Error,
            Type::Float(_) => return self.float_pattern(pattern, matched, span),
            _ => {}
        }
        if !self.is_number(matched.ty, true) {
            let pointer = self.is_pointer(matched.ty);
            if let (K::Const(e), true) = (&pattern.kind, pointer) {
                if matches!(self.eval_int_constant(e), Ok(0)) {
                    return PatternKind::Null;
                }
            }
            let shown = self.show_type(matched.ty);
            let text = format!("a number is matched against `{shown}`");
            let error = Diagnostic::error("E0608", text, span);
            return self.bad_pattern(error.secondary(matched.source, "matched here"));
        }
        let (low, high) = match &pattern.kind {
            K::Range(low, high) => (low, high),
            K::Const(e) => (e, e),
            _ => return PatternKind::Error,
        };
        match (self.eval_int_constant(low), self.eval_int_constant(high)) {
            (Ok(low), Ok(high)) => self.int_pattern(low, high, matched, span),
            _ => PatternKind::Error,
        }
    }

    pub(super) fn int_pattern(
        &mut self,
        low: i128,
        high: i128,
        matched: &Matched,
        span: Span,
    ) -> PatternKind {
        let (Some(first), Some(last)) =
            (self.as_case(low, matched.ty), self.as_case(high, matched.ty))
        else {
            let shown = self.show_type(matched.ty);
            let value = if self.as_case(low, matched.ty).is_none() { low } else { high };
            let text = format!("no `{shown}` has the value {value}");
            let error = Diagnostic::error("E0605", text, span);
            return self.bad_pattern(error.secondary(matched.source, "matched here"));
        };
        if last < first {
            let text = "this range is empty";
            return self.bad_pattern(Diagnostic::error("E0605", text, span));
        }
        PatternKind::Range(first, last)
    }

    fn float_pattern(
        &mut self,
        pattern: &tree::Pattern,
        matched: &Matched,
        span: Span,
    ) -> PatternKind {
        if let K::Const(e) = &pattern.kind {
            let value = self.expr(e, None);
            if let Some(value) = float_value(&value) {
                return PatternKind::Float(value.to_bits());
            }
            if value.is_error() {
                return PatternKind::Error;
            }
        }
        let shown = self.show_type(matched.ty);
        let text = format!("a `{shown}` is matched by a constant like `1.5`");
        self.bad_pattern(Diagnostic::error("E0608", text, span))
    }

    pub(super) fn string_pattern(
        &mut self,
        lit: &tree::StrLit,
        matched: &Matched,
        span: Span,
    ) -> PatternKind {
        let (units, unit_size) = crate::expr::units_of(lit);
        let is_string = match self.kind(matched.ty) {
            Type::Pointer(pointer) => {
                let counted = pointer.bounds == Bounds::Fat || pointer.zeroterm;
                let bits = self.integer_of(pointer.elem.ty).map_or(0, IntTy::bits);
                counted && bits == u32::from(unit_size) * 8
            }
            Type::Error => return PatternKind::Error,
            _ => false,
        };
        if is_string {
            if let Type::Pointer(pointer) = self.kind(matched.ty) {
                self.require_live(pointer.region, span, "its text is compared here");
            }
            return PatternKind::Str(units);
        }
        let shown = self.show_type(matched.ty);
        let text = format!("a string is matched against `{shown}`");
        let error = Diagnostic::error("E0608", text, span)
            .help("strings are matched as `char ?` or `char *`");
        self.bad_pattern(error.secondary(matched.source, "matched here"))
    }

    /// ``x<`n>``: the integer, and a type-level name for it.
    pub(super) fn tag_pattern(
        &mut self,
        name: Ident,
        var: &tree::TypeParam,
        matched: &Matched,
    ) -> PatternKind {
        if self.shallow(matched.ty) != self.basics.ulong {
            let shown = self.show_type(matched.ty);
            let text = format!(
                "`` {}<`{}> `` binds an `unsigned long`, this is `{shown}`",
                name.name, var.name
            );
            let error = Diagnostic::error("E0608", text, name.span);
            return self.bad_pattern(error.secondary(matched.source, "matched here"));
        }
        let opened = self.types.vars.push(TyVar {
            name: Some(var.name),
            kind: crate::ty::Kind::Size,
            unique: false,
            origin: TyVarOrigin::Opened,
            span: var.span,
        });
        self.scopes.declare_type_var(var.name, opened);
        let size = self.types.size(crate::ty::Size::Var(opened));
        let ty = self.types.intern(Type::Tag(size, IntTy::Int));
        PatternKind::Bind(self.declare_local(name, QualType::plain(ty)), None)
    }
}

/// A floating or integer constant, maybe negated.
fn float_value(e: &Expr) -> Option<f64> {
    match &e.kind {
        ExprKind::Float(bits) => Some(f64::from_bits(*bits)),
        ExprKind::Int(value) => Some(*value as f64),
        ExprKind::Unary(UnaryOp::Neg, inner) => Some(-float_value(inner)?),
        ExprKind::Coerce(_, inner) => float_value(inner),
        _ => None,
    }
}
