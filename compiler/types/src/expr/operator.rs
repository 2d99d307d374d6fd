//! Operators: arithmetic, comparisons, logic, assignment, `?:`, comma.

use super::{describe, Use};
use crate::checker::{Checker, Why};
use crate::hir::{BinaryOp, Coercion, Expr, ExprKind, IncDec, UnaryOp};
use crate::ty::{Bounds, Pointer, Type, TypeId};
use tenure_span::{Diagnostic, Span};
use tenure_syntax::tree::{self, ExprKind as K, StepOp};

/// The typed tree's operator and its spelling; none for `&&` and `||`.
fn arithmetic_op(op: tree::BinaryOp) -> Option<BinaryOp> {
    use tree::BinaryOp as B;
    Some(match op {
        B::Mul => BinaryOp::Mul,
        B::Div => BinaryOp::Div,
        B::Rem => BinaryOp::Rem,
        B::Add => BinaryOp::Add,
        B::Sub => BinaryOp::Sub,
        B::Shl => BinaryOp::Shl,
        B::Shr => BinaryOp::Shr,
        B::Lt => BinaryOp::Lt,
        B::Gt => BinaryOp::Gt,
        B::Le => BinaryOp::Le,
        B::Ge => BinaryOp::Ge,
        B::Eq => BinaryOp::Eq,
        B::Ne => BinaryOp::Ne,
        B::BitAnd => BinaryOp::BitAnd,
        B::BitXor => BinaryOp::BitXor,
        B::BitOr => BinaryOp::BitOr,
        B::And | B::Or => return None,
    })
}

pub(super) fn spelling(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Eq | Ne | Lt | Le | Gt | Ge)
}

fn needs_integers(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Rem | BitAnd | BitOr | BitXor | Shl | Shr)
}

impl Checker<'_> {
    pub(super) fn operator(
        &mut self,
        e: &tree::Expr,
        expected: Option<TypeId>,
        usage: Use,
    ) -> Expr {
        let span = e.span;
        match &e.kind {
            K::Unary(tree::UnaryOp::Deref, inner) => self.deref(inner, span),
            K::Unary(tree::UnaryOp::AddrOf, inner) => self.address_of(inner, expected, span),
            K::Unary(op, inner) => self.unary(*op, inner, span),
            K::Step(op, inner) => self.step(*op, inner, span),
            K::Binary(op, left, right) => self.binary(*op, left, right, span),
            K::Assign(None, left, right) => self.assign(left, right, span),
            K::Assign(Some(op), left, right) => self.assign_op(*op, left, right, span),
            K::Swap(left, right) => self.swap(left, right, span),
            _ => self.expr_for(e, expected, usage),
        }
    }

    fn unary(&mut self, op: tree::UnaryOp, inner: &tree::Expr, span: Span) -> Expr {
        let (name, hir_op) = match op {
            tree::UnaryOp::Not => {
                let operand = self.condition(inner);
                return Expr::value(ExprKind::Not(Box::new(operand)), self.basics.int, span);
            }
            tree::UnaryOp::Real => return self.complex_part(UnaryOp::Real, inner, span),
            tree::UnaryOp::Imag => return self.complex_part(UnaryOp::Imag, inner, span),
            tree::UnaryOp::Plus => ("+", None),
            tree::UnaryOp::Neg => ("-", Some(UnaryOp::Neg)),
            _ => ("~", Some(UnaryOp::BitNot)),
        };
        let operand = self.value(inner, None);
        if operand.is_error() {
            return operand;
        }
        let integers_only = hir_op == Some(UnaryOp::BitNot);
        if !self.is_number(operand.ty, integers_only) {
            return self.bad_operand(name, integers_only, &operand);
        }
        let mut operand = self.promote(operand);
        match hir_op {
            None => {
                // `+x` is no place.
                operand = Expr::value(
                    ExprKind::Coerce(Coercion::Arithmetic, Box::new(operand.clone())),
                    operand.ty,
                    span,
                );
                operand
            }
            Some(op) => {
                let ty = operand.ty;
                Expr::value(ExprKind::Unary(op, Box::new(operand)), ty, span)
            }
        }
    }

    /// `__real__ z`, `__imag__ z`: values. A real number's are itself and zero.
    fn complex_part(&mut self, op: UnaryOp, inner: &tree::Expr, span: Span) -> Expr {
        let operand = self.value(inner, None);
        if operand.is_error() {
            return operand;
        }
        if !self.is_number(operand.ty, false) {
            let name = if op == UnaryOp::Real { "__real__" } else { "__imag__" };
            return self.bad_operand(name, false, &operand);
        }
        let ty = operand.ty;
        match (self.kind(ty), op) {
            (&Type::Complex(float), _) => {
                let ty = self.types.intern(Type::Float(float));
                Expr::value(ExprKind::Unary(op, Box::new(operand)), ty, span)
            }
            (_, UnaryOp::Real) => {
                Expr::value(ExprKind::Coerce(Coercion::Arithmetic, Box::new(operand)), ty, span)
            }
            _ => {
                let zero = Expr::value(ExprKind::Int(0), self.basics.int, span);
                let zero = self.coerce(zero, ty, Why::Operand("__imag__"));
                let operand = self.discard(operand);
                Expr::value(ExprKind::Comma(vec![operand, zero]), ty, span)
            }
        }
    }

    /// Whether operators of arithmetic take the type; type-level integers count as the integers that they are.
    pub(crate) fn is_number(&self, ty: TypeId, integers_only: bool) -> bool {
        match self.kind(ty) {
            Type::Int(_) | Type::Enum(_) | Type::Tag(..) => true,
            Type::Float(_) | Type::Complex(_) => !integers_only,
            _ => false,
        }
    }

    pub(crate) fn is_pointer(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), Type::Pointer(_))
    }

    fn bad_operand(&mut self, op: &str, integers_only: bool, operand: &Expr) -> Expr {
        if self.is_error_type(operand.ty) {
            let proof = self.already_reported(operand.span);
            return self.error_expr(proof, operand.span);
        }
        if let Type::Void = self.kind(operand.ty) {
            let error = Diagnostic::error("E0354", "this expression has no value", operand.span);
            return self.fail(error.label("its type is `void`"));
        }
        let wanted = if integers_only { "an integer" } else { "a number" };
        let found = self.show_type(operand.ty);
        let text = format!("`{op}` needs {wanted}, found `{found}`");
        self.fail(Diagnostic::error("E0322", text, operand.span))
    }

    fn binary(
        &mut self,
        op: tree::BinaryOp,
        left: &tree::Expr,
        right: &tree::Expr,
        span: Span,
    ) -> Expr {
        let Some(op) = arithmetic_op(op) else {
            let a = Box::new(self.condition(left));
            let b = Box::new(self.condition(right));
            let kind = match op {
                tree::BinaryOp::And => ExprKind::And(a, b),
                _ => ExprKind::Or(a, b),
            };
            return Expr::value(kind, self.basics.int, span);
        };
        if is_comparison(op) && is_null(left) {
            let b = self.value(right, None);
            let a = self.null_like(b.ty, left.span);
            return self.compare(op, a, b, span);
        }
        let a = self.expr(left, None);
        if is_comparison(op) && is_null(right) {
            let a = self.decay(a);
            let b = self.null_like(a.ty, right.span);
            return self.compare(op, a, b, span);
        }
        let hint = is_comparison(op).then_some(a.ty);
        let b = self.expr(right, hint);
        if a.is_error() || b.is_error() {
            return if a.is_error() { a } else { b };
        }
        self.binary_typed(op, a, b, span)
    }

    /// NULL to be compared with a pointer of that type; what is no pointer is reported by the comparison.
    fn null_like(&mut self, ty: TypeId, span: Span) -> Expr {
        self.null(Some(ty), span)
    }

    fn binary_typed(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        let pointers = (self.is_pointer_like(a.ty), self.is_pointer_like(b.ty));
        match (op, pointers) {
            (BinaryOp::Add, (true, false)) => self.pointer_add(a, b, false, span),
            (BinaryOp::Add, (false, true)) => self.pointer_add(b, a, false, span),
            (BinaryOp::Sub, (true, false)) => self.pointer_add(a, b, true, span),
            (BinaryOp::Sub, (true, true)) => self.pointer_difference(a, b, span),
            _ => {
                let (a, b) = (self.decay(a), self.decay(b));
                if is_comparison(op) {
                    self.compare(op, a, b, span)
                } else {
                    self.arithmetic(op, a, b, span)
                }
            }
        }
    }

    fn is_pointer_like(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), Type::Pointer(_) | Type::Array { .. })
    }

    fn arithmetic(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        let integers_only = needs_integers(op);
        for operand in [&a, &b] {
            if operand.is_error() {
                return operand.clone();
            }
            if !self.is_number(operand.ty, integers_only) {
                return self.bad_operand(spelling(op), integers_only, operand);
            }
        }
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            let (a, b) = (self.promote(a), self.promote(b));
            let ty = a.ty;
            return Expr::value(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span);
        }
        let complex = |cx: &Self, e: &Expr| matches!(cx.kind(e.ty), Type::Complex(_));
        let ordered = is_comparison(op) && !matches!(op, BinaryOp::Eq | BinaryOp::Ne);
        if ordered && (complex(self, &a) || complex(self, &b)) {
            let text = format!("`{}` needs real numbers: complex ones have no order", spelling(op));
            return self.fail(Diagnostic::error("E0322", text, span));
        }
        let (a, b, ty) = self.usual_arithmetic(a, b);
        let ty = if is_comparison(op) { self.basics.int } else { ty };
        Expr::value(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span)
    }

    /// A comparison of numbers or of pointers.
    fn compare(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        if a.is_error() || b.is_error() {
            return if a.is_error() { a } else { b };
        }
        match (self.is_pointer(a.ty), self.is_pointer(b.ty)) {
            (true, true) => self.compare_pointers(op, a, b, span),
            (true, false) if is_zero(&b) => {
                let b = self.null(Some(a.ty), b.span);
                self.compare_pointers(op, a, b, span)
            }
            (false, true) if is_zero(&a) => {
                let a = self.null(Some(b.ty), a.span);
                self.compare_pointers(op, a, b, span)
            }
            (false, false) => self.compare_values(op, a, b, span),
            (first, _) => {
                let (pointer, other) = if first { (&a, &b) } else { (&b, &a) };
                let text = format!(
                    "a pointer is compared with {}",
                    describe::a_value_of(&self.show_type(other.ty))
                );
                let label = format!("this is `{}`", self.show_type(pointer.ty));
                let error = Diagnostic::error("E0324", text, span).secondary(pointer.span, label);
                self.fail(error)
            }
        }
    }

    /// Values of a type variable may be compared for identity; other values must be numbers.
    fn compare_values(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        let words = matches!(self.kind(a.ty), Type::Var(_) | Type::Handle(_));
        let same = self.shallow(a.ty) == self.shallow(b.ty);
        if words && same && matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            let int = self.basics.int;
            return Expr::value(ExprKind::PointerCompare(op, Box::new(a), Box::new(b)), int, span);
        }
        self.arithmetic(op, a, b, span)
    }

    fn compare_pointers(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        let int = self.basics.int;
        let Some(target) = self.comparable(&a, &b) else {
            let text = format!(
                "pointers to different types are compared: `{}` and `{}`",
                self.show_type(a.ty),
                self.show_type(b.ty)
            );
            return self.fail(Diagnostic::error("E0325", text, span));
        };
        let (a, b) = (self.as_comparable(a, target), self.as_comparable(b, target));
        Expr::value(ExprKind::PointerCompare(op, Box::new(a), Box::new(b)), int, span)
    }

    /// Regions, qualifiers and bounds do not matter to a comparison; the pointer that it is done on is fat if either
    /// is.
    fn comparable(&mut self, a: &Expr, b: &Expr) -> Option<TypeId> {
        let (Type::Pointer(p), Type::Pointer(q)) =
            (self.kind(a.ty).clone(), self.kind(b.ty).clone())
        else {
            return None;
        };
        let void = |ty: TypeId, cx: &Self| matches!(cx.kind(ty), Type::Void);
        let null = matches!(a.kind, ExprKind::Null) || matches!(b.kind, ExprKind::Null);
        let same = null
            || void(p.elem.ty, self)
            || void(q.elem.ty, self)
            || self.same_shape(p.elem.ty, q.elem.ty);
        same.then_some(if p.bounds == Bounds::Fat { a.ty } else { b.ty })
    }

    /// The operand at the representation of the other one.
    fn as_comparable(&mut self, e: Expr, target: TypeId) -> Expr {
        let (Type::Pointer(own), Type::Pointer(wanted)) =
            (self.kind(e.ty).clone(), self.kind(target).clone())
        else {
            return e;
        };
        if matches!(e.kind, ExprKind::Null) {
            return Expr { ty: target, ..e };
        }
        if own.bounds != Bounds::Fat && wanted.bounds == Bounds::Fat {
            let span = e.span;
            let ty = self.pointer_to(Pointer {
                bounds: Bounds::Fat,
                nullable: true,
                open: None,
                zeroterm: false,
                ..own
            });
            return Expr::value(ExprKind::Coerce(Coercion::ThinToFat, Box::new(e)), ty, span);
        }
        e
    }

    /// The pointer that arithmetic is done on: fat, or zero-terminated.
    pub(super) fn movable(&mut self, e: Expr, op: &'static str) -> Result<Expr, Expr> {
        let span = e.span;
        let place = describe::place_name(self, &e);
        let e = match self.kind(e.ty) {
            Type::Array { zeroterm: true, .. } => self.decay(e),
            Type::Array { elem, .. } => {
                let elem = *elem;
                let region = self.region_of_place(&e);
                let fat = self.fat_pointer(elem, region);
                self.coerce(e, fat, Why::Operand(op))
            }
            _ => e,
        };
        let Type::Pointer(pointer) = self.kind(e.ty).clone() else { return Err(e) };
        if matches!(self.kind(pointer.elem.ty), Type::Void | Type::Function(_)) {
            let found = self.show_type(e.ty);
            let text = format!("no arithmetic on `{found}`: the size of an element is not known");
            return Err(self.fail(Diagnostic::error("E0431", text, span)));
        }
        match pointer.bounds {
            Bounds::Fat => Ok(e),
            Bounds::Thin(_) if pointer.zeroterm => {
                self.require_live(pointer.region, span, "its end is looked for here");
                Ok(e)
            }
            Bounds::Thin(size) if size != self.basics.one => {
                let fat = self.fat_pointer(pointer.elem, pointer.region);
                Ok(self.coerce(e, fat, Why::Operand(op)))
            }
            Bounds::Thin(_) => {
                let found = self.show_type(e.ty);
                let text = format!("no pointer arithmetic on `{found}`: it has no bounds");
                let elem = self.show_type(pointer.elem.ty);
                let mut error = Diagnostic::error("E0430", text, span)
                    .label(format!("`{op}` would leave the one element that it points to"))
                    .help(format!("declare it `{elem} ?`, a pointer with bounds"));
                if let Some((name, declared)) = place {
                    error = error.secondary(declared, format!("`{name}` is declared here"));
                    error = error.caused_by(declared);
                }
                Err(self.fail(error))
            }
        }
    }

    fn pointer_add(&mut self, ptr: Expr, count: Expr, negative: bool, span: Span) -> Expr {
        if ptr.is_error() || count.is_error() {
            return if ptr.is_error() { ptr } else { count };
        }
        let op = if negative { "-" } else { "+" };
        let count = match self.count(count, op) {
            Ok(count) => count,
            Err(error) => return error,
        };
        let ptr = match self.movable(ptr, op) {
            Ok(ptr) => ptr,
            Err(error) => return error,
        };
        let back = negative || self.const_int(&count).is_some_and(|count| count < 0);
        let ptr = if back { self.with_first_element(ptr) } else { ptr };
        if back && self.walks_to_zero(ptr.ty) {
            return self.no_way_back(&ptr, op);
        }
        let ty = self.moved_type(ptr.ty);
        let (ptr, count) = (Box::new(ptr), Box::new(count));
        Expr::value(ExprKind::PointerAdd { ptr, count, negative }, ty, span)
    }

    /// Whether the pointer knows its end by a zero alone, and nothing of where it began.
    fn walks_to_zero(&self, ty: TypeId) -> bool {
        matches!(
            self.kind(ty),
            Type::Pointer(Pointer { zeroterm: true, bounds: Bounds::Thin(_), .. })
        )
    }

    fn no_way_back(&mut self, ptr: &Expr, op: &str) -> Expr {
        let found = self.show_type(ptr.ty);
        let Type::Pointer(pointer) = self.kind(ptr.ty).clone() else { return ptr.clone() };
        let text = format!("`{op}` on `{found}`, which does not know where its string begins");
        let elem = self.show_qual(pointer.elem);
        let mut error = Diagnostic::error("E0430", text, ptr.span)
            .help(format!("declare it `{elem} ?`, a pointer with bounds"));
        if let Some((name, declared)) = describe::place_name(self, ptr) {
            error = error.secondary(declared, format!("`{name}` is declared here"));
            error = error.caused_by(declared);
        }
        self.fail(error)
    }

    /// How many elements: an integer.
    pub(super) fn count(&mut self, count: Expr, op: &str) -> Result<Expr, Expr> {
        if !self.is_number(count.ty, true) {
            if self.is_error_type(count.ty) {
                return Err(count);
            }
            return Err(self.bad_operand(op, true, &count));
        }
        Ok(self.promote(count))
    }

    /// The type of a pointer that was moved: of a zero-terminated one only the terminator is sure to stand ahead.
    pub(super) fn moved_type(&mut self, ty: TypeId) -> TypeId {
        let Type::Pointer(pointer) = self.kind(ty).clone() else { return ty };
        let bounds = match pointer.bounds {
            Bounds::Fat => Bounds::Fat,
            Bounds::Thin(_) => Bounds::Thin(self.basics.one),
        };
        self.pointer_to(Pointer { bounds, least: 0, ..pointer })
    }

    fn pointer_difference(&mut self, a: Expr, b: Expr, span: Span) -> Expr {
        let (a, b) = match (self.movable(a, "-"), self.movable(b, "-")) {
            (Ok(a), Ok(b)) => (a, b),
            (Err(error), _) | (_, Err(error)) => return error,
        };
        let Some(target) = self.comparable(&a, &b) else {
            let text = format!(
                "pointers to different types are subtracted: `{}` and `{}`",
                self.show_type(a.ty),
                self.show_type(b.ty)
            );
            return self.fail(Diagnostic::error("E0325", text, span));
        };
        let (a, b) = (self.as_comparable(a, target), self.as_comparable(b, target));
        let long = self.basics.long;
        Expr::value(ExprKind::PointerDiff(Box::new(a), Box::new(b)), long, span)
    }

    pub(super) fn comma(
        &mut self,
        parts: &[tree::Expr],
        expected: Option<TypeId>,
        span: Span,
    ) -> Expr {
        let argument = std::mem::take(&mut self.infer.lending.argument);
        let last = parts.len().saturating_sub(1);
        let mut values = Vec::with_capacity(parts.len());
        for (i, part) in parts.iter().enumerate() {
            values.push(if i == last {
                let value = self.part_of_argument(part, expected, argument);
                self.decay(value)
            } else {
                self.expr(part, None)
            });
        }
        let ty = values.last().map_or(self.basics.void, |value| value.ty);
        Expr::value(ExprKind::Comma(values), ty, span)
    }

    fn step(&mut self, op: StepOp, inner: &tree::Expr, span: Span) -> Expr {
        let (name, kind) = match op {
            StepOp::PreInc => ("++", IncDec::PreInc),
            StepOp::PreDec => ("--", IncDec::PreDec),
            StepOp::PostInc => ("++", IncDec::PostInc),
            StepOp::PostDec => ("--", IncDec::PostDec),
        };
        let place = self.expr(inner, None);
        if place.is_error() {
            return place;
        }
        if let Err(error) = self.assignable(&place, name) {
            return error;
        }
        if self.is_pointer(place.ty) {
            if let Err(error) = self.movable_in_place(&place, name) {
                return error;
            }
            if name == "--" && self.walks_to_zero(place.ty) {
                return self.no_way_back(&place, name);
            }
        } else if let Type::Tag(..) = self.kind(place.ty) {
            return self.fixed_tag(&place);
        } else if !self.is_number(place.ty, false) {
            return self.bad_operand(name, false, &place);
        }
        let ty = place.ty;
        Expr::value(ExprKind::IncDec(kind, Box::new(place)), ty, span)
    }

    /// A variable that is to be moved itself cannot be converted first.
    fn movable_in_place(&mut self, place: &Expr, op: &'static str) -> Result<(), Expr> {
        let moved = self.movable(place.clone(), op)?;
        if matches!(moved.kind, ExprKind::Coerce(..)) && !moved.is_error() {
            let found = self.show_type(place.ty);
            let text = format!("`{op}` would move a `{found}`, whose bound is part of its type");
            let error = Diagnostic::error("E0430", text, place.span)
                .help("declare it with `?`, a pointer with bounds");
            return Err(self.fail(error));
        }
        if let Type::Pointer(Pointer { zeroterm: true, bounds: Bounds::Thin(size), .. }) =
            self.kind(place.ty)
        {
            if *size != self.basics.one {
                let text = "a pointer with a minimum length cannot be moved";
                return Err(self.fail(Diagnostic::error("E0430", text, place.span)));
            }
        }
        Ok(())
    }

    fn assign(&mut self, left: &tree::Expr, right: &tree::Expr, span: Span) -> Expr {
        let place = self.expr_for(left, None, Use::Write);
        if place.is_error() {
            self.expr(right, None);
            return place;
        }
        if let Err(error) = self.assignable(&place, "=") {
            return error;
        }
        let declared = describe::declared(self, &place);
        let value = self.expr_to(right, place.ty, Why::Assign { declared });
        self.warn_order(&place, &value, span);
        let ty = place.ty;
        Expr::value(ExprKind::Assign(Box::new(place), Box::new(value)), ty, span)
    }

    fn assign_op(
        &mut self,
        op: tree::BinaryOp,
        left: &tree::Expr,
        right: &tree::Expr,
        span: Span,
    ) -> Expr {
        let Some(op) = arithmetic_op(op) else {
            return self.binary(op, left, right, span);
        };
        let place = self.expr(left, None);
        let value = self.value(right, None);
        if place.is_error() || value.is_error() {
            return if place.is_error() { place } else { value };
        }
        if let Err(error) = self.assignable(&place, "op=") {
            return error;
        }
        if let Type::Tag(..) = self.kind(place.ty) {
            return self.fixed_tag(&place);
        }
        self.warn_order(&place, &value, span);
        let ty = place.ty;
        let (value, compute) = if self.is_pointer(ty) && matches!(op, BinaryOp::Add | BinaryOp::Sub)
        {
            let name = if op == BinaryOp::Add { "+=" } else { "-=" };
            let count = match self.count(value, name) {
                Ok(count) => count,
                Err(error) => return error,
            };
            if let Err(error) = self.movable_in_place(&place, name) {
                return error;
            }
            if op == BinaryOp::Sub && self.walks_to_zero(ty) {
                return self.no_way_back(&place, name);
            }
            (count, ty)
        } else {
            match self.arithmetic(op, place.clone(), value, span) {
                Expr { kind: ExprKind::Binary(_, a, b), .. } => (*b, a.ty),
                error => return error,
            }
        };
        let (place, value) = (Box::new(place), Box::new(value));
        Expr::value(ExprKind::AssignOp { place, op, compute, value }, ty, span)
    }

    /// A `tag_t<…>` has one value, which other types rely on.
    fn fixed_tag(&mut self, place: &Expr) -> Expr {
        let text = format!("a `{}` cannot change: it is one integer", self.show_type(place.ty));
        let error = Diagnostic::error("E0328", text, place.span)
            .help("copy it to a variable of type `unsigned long`");
        self.fail(error)
    }

    fn swap(&mut self, left: &tree::Expr, right: &tree::Expr, span: Span) -> Expr {
        let (a, b) = (self.expr(left, None), self.expr(right, None));
        if a.is_error() || b.is_error() {
            return if a.is_error() { a } else { b };
        }
        for place in [&a, &b] {
            if let Err(error) = self.assignable(place, ":=:") {
                return error;
            }
            if matches!(&place.kind, ExprKind::Field(..)) && self.is_bit_field(place) {
                let text = "`:=:` cannot exchange a bit-field";
                return self.fail(Diagnostic::error("E0433", text, place.span));
            }
        }
        if self.unify(a.ty, b.ty).is_err() {
            let text = format!(
                "`:=:` exchanges two places of one type, found `{}` and `{}`",
                self.show_type(a.ty),
                self.show_type(b.ty)
            );
            return self.fail(Diagnostic::error("E0326", text, span));
        }
        let void = self.basics.void;
        Expr::value(ExprKind::Swap(Box::new(a), Box::new(b)), void, span)
    }

    /// Whether a place may be stored to.
    pub(super) fn assignable(&mut self, place: &Expr, op: &str) -> Result<(), Expr> {
        let error = if !place.is_place() {
            let text = format!("`{op}` needs a place to store to, found a value");
            Diagnostic::error("E0327", text, place.span)
        } else if let Type::Array { .. } = self.kind(place.ty) {
            Diagnostic::error("E0327", "an array cannot be assigned as a whole", place.span)
                .help("assign its elements, or use memcpy")
        } else if matches!(self.kind(place.ty), Type::Function(_) | Type::Void) {
            let text = format!("`{op}` cannot store to a `{}`", self.show_type(place.ty));
            Diagnostic::error("E0327", text, place.span)
        } else if let Type::Datatype(..) = self.kind(place.ty) {
            let text = format!(
                "a `{}` lives only behind a pointer: its constructors differ in size",
                self.show_type(place.ty)
            );
            Diagnostic::error("E0306", text, place.span).help("assign the pointer")
        } else if place.quals.is_const {
            let mut error = Diagnostic::error("E0328", "this place is const", place.span);
            if let Some((name, declared)) = describe::place_name(self, place) {
                error.headline = format!("`{name}` is const and cannot be changed");
                error = error.secondary(declared, "declared here");
            }
            error
        } else if self.has_const_member(place.ty) {
            let text = format!("`{}` has a const member", self.show_type(place.ty));
            Diagnostic::error("E0328", text, place.span)
                .note("assigning the whole would change the member")
        } else {
            return Ok(());
        };
        Err(self.fail(error))
    }
}

/// `NULL` as written.
pub(super) fn is_null(e: &tree::Expr) -> bool {
    matches!(e.peel().kind, K::Null)
}

/// The constant 0, which C takes for NULL.
pub(super) fn is_zero(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Int(0) => true,
        ExprKind::Coerce(Coercion::Arithmetic | Coercion::Same, inner) => is_zero(inner),
        _ => false,
    }
}
