//! Conversions: each becomes explicit in the typed tree, or is reported.

mod arithmetic;
mod cast;
mod explain;
mod lend;
mod pointer;
mod subtype;

use crate::checker::{Checker, Why};
use crate::hir::{Coercion, Expr, ExprKind};
use crate::infer::{Conversion, Mismatch, Origin};
use crate::ty::{
    Bounds, IntTy, Kind, Pointer, QualType, Quals, Region, Size, SizeId, Type, TypeId,
};
use tenure_span::Span;

/// What a `tag_t` holds at most: no pointer with bounds has more elements than 32 bits count.
fn tag_limit(int: IntTy) -> i128 {
    match int {
        IntTy::Int => i128::from(i32::MAX),
        _ => i128::from(u32::MAX),
    }
}

impl Checker<'_> {
    /// Converts a value to a type as if by assignment (C11 6.5.16.1). Reports what cannot be, and stands for it then.
    pub fn coerce(&mut self, expr: Expr, to: TypeId, why: Why) -> Expr {
        let (from, to) = (self.shallow(expr.ty), self.shallow(to));
        if let (Type::Datatype(..), false) = (self.types.get(from), expr.is_error()) {
            return self.no_copy_of_datatype(&expr);
        }
        if from == to && !matches!(expr.kind, ExprKind::Null) {
            return expr;
        }
        if matches!(expr.kind, ExprKind::Error) || self.is_error(from) || self.is_error(to) {
            return Expr {
                kind: ExprKind::Error,
                ty: to,
                quals: Quals::default(),
                span: expr.span,
            };
        }
        self.infer.at = expr.span;
        self.infer.conversion = Some(Conversion { from, to, span: expr.span, why: why.clone() });
        match self.convert(expr, to, &why) {
            Ok(expr) => expr,
            Err((expr, mismatch)) => {
                let failed = self.explain(expr, to, mismatch, &why);
                // What could not be inferred for this reason is not reported again.
                if let Type::Infer(vid) = *self.types.get(self.shallow(to)) {
                    self.infer.types[vid].value = Some(self.basics.error);
                }
                failed
            }
        }
    }

    /// Only a constructor knows how large its object is.
    pub(crate) fn no_copy_of_datatype(&mut self, expr: &Expr) -> Expr {
        let found = self.show_type(expr.ty);
        let text = format!("a `{found}` cannot be copied: its constructors differ in size");
        let error = tenure_span::Diagnostic::error("E0306", text, expr.span);
        let proof = self.error(error.help("copy the pointer, or construct anew"));
        self.error_expr(proof, expr.span)
    }

    /// The conversion itself. On failure the expression comes back with the innermost difference.
    fn convert(&mut self, expr: Expr, to: TypeId, why: &Why) -> Result<Expr, (Expr, Mismatch)> {
        let from = self.shallow(expr.ty);
        if self.is_null_constant(&expr) && self.is_pointer(to) {
            return self.null_to(expr, to);
        }
        if matches!(expr.kind, ExprKind::Null)
            && matches!(self.types.get(to), Type::Int(IntTy::Bool))
        {
            return Ok(Expr { kind: ExprKind::Int(0), ty: to, ..expr });
        }
        match (self.types.get(from), self.types.get(to)) {
            (_, Type::Infer(vid)) => {
                let kind = self.infer.type_kinds[*vid];
                self.convert_to_unknown(expr, to, kind, why)
            }
            (Type::Infer(_), _) => self.equate(expr, to),
            (Type::Array { .. } | Type::Function(_), Type::Pointer(_)) => {
                self.convert_designator(expr, to, why)
            }
            (Type::Pointer(x), Type::Pointer(y)) => {
                let (x, y) = (x.clone(), y.clone());
                self.convert_pointer(expr, &x, to, &y, why)
            }
            (Type::Variant(known, _, args), Type::Datatype(id, _)) if known == id => {
                let whole = Type::Datatype(*id, args.clone());
                let whole = self.types.intern(whole);
                match self.unify(whole, to) {
                    Ok(()) => Ok(coercion(Coercion::Embed, expr, to)),
                    Err(mismatch) => Err((expr, mismatch)),
                }
            }
            (Type::Pointer(_), Type::Int(IntTy::Bool)) => Ok(coercion(Coercion::ToBool, expr, to)),
            (Type::Tag(..), _) | (_, Type::Tag(..)) => self.convert_tag(expr, to),
            _ if self.is_arithmetic(from) && self.is_arithmetic(to) => {
                Ok(self.convert_arithmetic(expr, to))
            }
            _ => self.equate(expr, to),
        }
    }

    /// Types that must be equal, up to what inference can do.
    fn equate(&mut self, expr: Expr, to: TypeId) -> Result<Expr, (Expr, Mismatch)> {
        match self.unify(expr.ty, to) {
            Ok(()) => Ok(coercion(Coercion::Same, expr, to)),
            Err(mismatch) => Err((expr, mismatch)),
        }
    }

    /// To a type that is to be inferred: it becomes the value's, with a fresh region at its outermost pointer into
    /// which the value flows, so that values from several regions may follow.
    fn convert_to_unknown(
        &mut self,
        expr: Expr,
        to: TypeId,
        kind: Kind,
        why: &Why,
    ) -> Result<Expr, (Expr, Mismatch)> {
        let expr = match self.kind(expr.ty) {
            Type::Array { zeroterm, .. } => {
                let fat = !zeroterm && kind != Kind::Boxed;
                if fat {
                    self.decay_fat(expr)
                } else {
                    self.decay(expr)
                }
            }
            _ => self.decay(expr),
        };
        let from = self.shallow(expr.ty);
        let Type::Pointer(pointer) = self.types.get(from).clone() else {
            return self.equate(expr, to);
        };
        let (expr, pointer) = match self.lends_to_unknown(pointer.region, to, why) {
            Some(region) => (self.lend(expr, region), Pointer { region, ..pointer }),
            None => (expr, pointer),
        };
        // A reference flows to other references alone.
        let from_region = self.shallow_region(pointer.region);
        let region = match self.types.is_checked(from_region) {
            true => from_region,
            false => self.fresh_region(expr.span),
        };
        // What stands for a variable whose values are copied points nowhere owned.
        if let (&Type::Infer(ty), &Region::Infer(region)) =
            (self.kind(to), self.types.get_region(region))
        {
            if self.infer.aliasable_types.contains(&ty) {
                self.infer.aliasable.insert(region);
            }
        }
        let literal =
            matches!(expr.kind, ExprKind::Coerce(Coercion::ArrayToThin, _)) && pointer.zeroterm;
        let open = Some(self.fresh_null());
        let target = Pointer { region, nullable: true, open, ..pointer.clone() };
        let bounds = match literal {
            // Strings of any length are of one type.
            true => Bounds::Thin(self.basics.one),
            false => self.open_bounds(pointer.bounds, expr.span),
        };
        if matches!(expr.kind, ExprKind::Null) {
            self.allow_null(&target);
        }
        let checked = self.flow_null(&pointer, &target);
        let fresh = self.pointer_to(Pointer { bounds, ..target });
        if let Err(mismatch) = self.unify(fresh, to) {
            return Err((expr, mismatch));
        }
        let origin = Origin { span: expr.span, declared: why.declared() };
        self.flow_region(pointer.region, region, origin)
            .map_err(|mismatch| (expr.clone(), mismatch))?;
        if checked {
            self.implicit_checks.push(expr.span);
            return Ok(coercion(Coercion::NonNull, expr, to));
        }
        Ok(coercion(Coercion::Same, expr, to))
    }

    /// `NULL`, or an integer constant expression with the value 0 (C11 6.3.2.3p3), also cast to `void *`.
    pub fn is_null_constant(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Null => true,
            ExprKind::Int(0) => matches!(self.kind(expr.ty), Type::Int(_)),
            _ => false,
        }
    }

    fn null_to(&mut self, expr: Expr, to: TypeId) -> Result<Expr, (Expr, Mismatch)> {
        let nullable = match self.kind(to).clone() {
            Type::Pointer(pointer) => self.allow_null(&pointer),
            _ => false,
        };
        if !nullable {
            return Err((expr, Mismatch::Nullness));
        }
        Ok(Expr { kind: ExprKind::Null, ty: to, quals: Quals::default(), span: expr.span })
    }

    /// Integers of known value to a tag type, and tags to integers.
    fn convert_tag(&mut self, expr: Expr, to: TypeId) -> Result<Expr, (Expr, Mismatch)> {
        let from = self.shallow(expr.ty);
        match (self.types.get(from).clone(), self.types.get(to).clone()) {
            (Type::Tag(x, a), Type::Tag(y, b)) if a != b => match self.unify_sizes(x, y) {
                Ok(()) => Ok(coercion(Coercion::Tag, expr, to)),
                Err(mismatch) => Err((expr, mismatch)),
            },
            (Type::Tag(..), Type::Tag(..)) => self.equate(expr, to),
            (Type::Tag(..), _) if self.is_arithmetic(to) => {
                let expr = coercion(Coercion::Tag, expr, self.basics.ulong);
                Ok(self.convert_arithmetic(expr, to))
            }
            (Type::Int(_), Type::Tag(size, int)) => {
                let value = self.const_int(&expr).filter(|&value| value <= tag_limit(int));
                let value = value.and_then(|value| u64::try_from(value).ok());
                let Some(value) = value else {
                    return Err((expr, Mismatch::Types(from, to)));
                };
                let known = self.size_const(value);
                match self.unify_sizes(size, known) {
                    Ok(()) => Ok(coercion(Coercion::Tag, expr, to)),
                    Err(mismatch) => Err((expr, mismatch)),
                }
            }
            _ => Err((expr, Mismatch::Types(from, to))),
        }
    }

    /// Arrays to pointers to their first elements, functions to pointers to themselves (C11 6.3.2.1); other expressions
    /// stay.
    pub fn decay(&mut self, expr: Expr) -> Expr {
        match *self.kind(expr.ty) {
            Type::Array { elem, len, zeroterm } => {
                let crate::ty::ArrayLen::Known(bounds) = len else {
                    return self.no_length(&expr);
                };
                let region = self.region_of_place(&expr);
                let elem = join_quals(elem, expr.quals);
                let bounds = Bounds::Thin(bounds);
                let ty = self.pointer_to(Pointer {
                    least: 0,
                    elem,
                    nullable: false,
                    open: None,
                    bounds,
                    zeroterm,
                    region,
                });
                coercion(Coercion::ArrayToThin, expr, ty)
            }
            Type::Function(_) => {
                let elem = QualType::plain(self.shallow(expr.ty));
                let ty = self.thin_pointer(elem, self.basics.heap, false);
                Expr { ty, ..expr }
            }
            _ => expr,
        }
    }

    /// An array whose declaration leaves the length open cannot be used: no check knows where it ends.
    pub(crate) fn no_length(&mut self, expr: &Expr) -> Expr {
        let proof = self.report_no_length(expr.ty, expr.span);
        self.error_expr(proof, expr.span)
    }

    pub(crate) fn report_no_length(
        &mut self,
        array: TypeId,
        span: Span,
    ) -> tenure_span::ErrorGuaranteed {
        let text = format!("the length of this `{}` is not known", self.show_type(array));
        let error = tenure_span::Diagnostic::error("E0435", text, span)
            .help("write the length where it is declared, or declare a pointer with bounds, `T ?`");
        self.error(error)
    }

    /// An array as a fat pointer over all its elements.
    pub fn decay_fat(&mut self, expr: Expr) -> Expr {
        let Type::Array { elem, zeroterm, len: crate::ty::ArrayLen::Known(_) } =
            *self.kind(expr.ty)
        else {
            return self.decay(expr);
        };
        let region = self.region_of_place(&expr);
        let elem = join_quals(elem, expr.quals);
        let ty = self.pointer_to(Pointer {
            least: 0,
            elem,
            nullable: true,
            open: None,
            bounds: Bounds::Fat,
            zeroterm,
            region,
        });
        coercion(Coercion::ArrayToFat, expr, ty)
    }

    /// A scalar to be tested against zero or NULL.
    pub fn truth(&mut self, expr: Expr) -> Expr {
        let expr = self.decay(expr);
        let ok = match self.kind(expr.ty) {
            Type::Pointer(_) | Type::Tag(..) | Type::Error | Type::Infer(_) => true,
            _ => self.is_arithmetic(expr.ty),
        };
        if ok {
            return expr;
        }
        let found = self.show_type(expr.ty);
        let text = format!("a condition must be a number or a pointer, found `{found}`");
        let error = tenure_span::Diagnostic::error("E0303", text, expr.span);
        self.error(error);
        Expr { kind: ExprKind::Error, ty: self.basics.error, ..expr }
    }

    /// Whether a count of elements is enough: known numbers by order, symbolic ones if they are the same.
    fn enough(&mut self, have: SizeId, need: SizeId) -> Result<(), Mismatch> {
        if self.count_later(have, need) {
            return Ok(());
        }
        self.enough_now(have, need)
    }

    pub(crate) fn enough_now(&mut self, have: SizeId, need: SizeId) -> Result<(), Mismatch> {
        match (self.size_value(have), self.size_value(need)) {
            (Some(have), Some(need)) if have >= need => Ok(()),
            (_, Some(0)) => Ok(()),
            // valueof(`n) + k elements are at least k.
            (None, Some(need)) if self.least(have) >= need && need > 0 => Ok(()),
            _ => self.unify_sizes(have, need),
        }
    }

    /// A number that the size is at least.
    pub(crate) fn least(&self, size: SizeId) -> u64 {
        match *self.types.get_size(self.shallow_size(size)) {
            Size::Const(value) => value,
            Size::Add(a, b) => self.least(a).saturating_add(self.least(b)),
            Size::Mul(a, b) => self.least(a).saturating_mul(self.least(b)),
            _ => 0,
        }
    }
}

/// Wraps an expression in a conversion to a type.
pub(crate) fn coercion(kind: Coercion, expr: Expr, to: TypeId) -> Expr {
    let span = expr.span;
    if expr.ty == to && kind == Coercion::Same {
        return expr;
    }
    Expr { kind: ExprKind::Coerce(kind, Box::new(expr)), ty: to, quals: Quals::default(), span }
}

/// An element's type with the qualifiers of the array that it is in.
fn join_quals(elem: QualType, outer: Quals) -> QualType {
    let quals = Quals {
        is_const: elem.quals.is_const || outer.is_const,
        is_volatile: elem.quals.is_volatile || outer.is_volatile,
    };
    QualType { ty: elem.ty, quals }
}

impl Why {
    /// The place where the expected type was stated, or none.
    pub(crate) fn declared(&self) -> Span {
        match self {
            Why::Argument { declared, .. }
            | Why::Rest { declared, .. }
            | Why::Assign { declared }
            | Why::Return { declared }
            | Why::Init { declared, .. }
            | Why::Construct { declared, .. } => *declared,
            Why::Branch { other, .. } => *other,
            Why::Pattern { scrutinee } => *scrutinee,
            Why::Cast | Why::Operand(_) | Why::Throw | Why::Count(_) => Span::NONE,
        }
    }
}
