//! What an allocation's size says: of which type the elements are, and how many there are.
//!
//! A size is a sum of products of numbers and `sizeof`s, as C writes it: `n * sizeof(T)`, `sizeof(struct S) * n * 2`,
//! `sizeof(T) * n + sizeof(T)`, `calloc(n, sizeof *p)`. The `sizeof` names the element type and what it is multiplied
//! by is the count. A size without one is a number of bytes: so many characters, or as many elements of the type that
//! the context wants as fit.
//!
//! None of this can be wrong in a way that matters to safety: the count that is found here is both what is allocated
//! (times the size of one element) and the bound of the pointer that results. Products and sums of counts that do not
//! fit are the largest number there is, which no allocation satisfies, so that they raise `Bad_alloc` and do not wrap
//! around to a small one.

use crate::checker::Checker;
use crate::hir::{BinaryOp, Expr, ExprKind};
use crate::ty::{ArrayLen, Type, TypeId};
use tenure_span::{Diagnostic, Span};
use tenure_syntax::tree::{self, ExprKind as K};

/// What is to be allocated.
pub(super) struct Wanted {
    pub(super) elem: TypeId,
    /// Elements; none for one object.
    pub(super) count: Option<Expr>,
}

/// What an expression stands for as a part of a size.
enum Amount {
    /// So many objects of a type; none is one.
    Elements(TypeId, Option<Expr>),
    Number(Expr),
}

type Found<T> = Result<T, Expr>;

impl Checker<'_> {
    /// `malloc(size)`.
    pub(super) fn byte_size(
        &mut self,
        size: &tree::Expr,
        expected: Option<TypeId>,
    ) -> Found<Wanted> {
        let amount = self.amount(size, expected)?;
        self.wanted(amount, expected, size.span)
    }

    /// `calloc(n, size)`, whichever of the two is the count.
    pub(super) fn counted_size(
        &mut self,
        count: &tree::Expr,
        size: &tree::Expr,
        expected: Option<TypeId>,
    ) -> Found<Wanted> {
        let (a, b) = (self.amount(count, expected)?, self.amount(size, expected)?);
        let span = count.span.to(size.span);
        let amount = match (a, b) {
            // `calloc(n, 1)` counts as far as `n` says.
            (Amount::Number(a), Amount::Number(b)) if self.const_int(&b) == Some(1) => {
                Amount::Number(a)
            }
            (a, b) => self.product(a, b, span)?,
        };
        self.wanted(amount, expected, span)
    }

    fn amount(&mut self, e: &tree::Expr, expected: Option<TypeId>) -> Found<Amount> {
        let e = e.peel();
        if let Some(ty) = self.size_operand(e) {
            return Ok(self.elements(ty, expected));
        }
        match &e.kind {
            K::Cast(_, inner) if names_size(inner) => self.amount(inner, expected),
            K::Binary(tree::BinaryOp::Mul, left, right) if names_size(e) => {
                let (a, b) = (self.amount(left, expected)?, self.amount(right, expected)?);
                self.product(a, b, e.span)
            }
            K::Binary(op @ (tree::BinaryOp::Add | tree::BinaryOp::Sub), left, right)
                if names_size(e) =>
            {
                let (a, b) = (self.amount(left, expected)?, self.amount(right, expected)?);
                let op = if *op == tree::BinaryOp::Add { BinaryOp::Add } else { BinaryOp::Sub };
                self.sum_of(op, a, b, e.span)
            }
            _ => {
                let value = self.value(e, None);
                Ok(Amount::Number(self.count(value, "malloc")?))
            }
        }
    }

    /// `sizeof` an array is the size of its elements, unless the context wants arrays.
    fn elements(&mut self, ty: TypeId, expected: Option<TypeId>) -> Amount {
        let wanted = self.wanted_elem(expected);
        let wants_array =
            wanted.is_some_and(|wanted| matches!(self.kind(wanted), Type::Array { .. }));
        match *self.kind(ty) {
            Type::Array { elem, len: ArrayLen::Known(len), .. } if !wants_array => {
                match self.size_value(len) {
                    Some(count) => {
                        let count = ExprKind::Int(i128::from(count));
                        let count = Expr::value(count, self.basics.ulong, Span::NONE);
                        Amount::Elements(elem.ty, Some(count))
                    }
                    None => Amount::Elements(ty, None),
                }
            }
            _ => Amount::Elements(ty, None),
        }
    }

    fn product(&mut self, a: Amount, b: Amount, span: Span) -> Found<Amount> {
        Ok(match (a, b) {
            (Amount::Elements(elem, None), Amount::Number(number))
            | (Amount::Number(number), Amount::Elements(elem, None)) => {
                Amount::Elements(elem, Some(number))
            }
            (Amount::Elements(elem, Some(a)), Amount::Number(b))
            | (Amount::Number(a), Amount::Elements(elem, Some(b))) => {
                Amount::Elements(elem, Some(self.saturating(BinaryOp::Mul, a, b, span)))
            }
            (a, b) => {
                let (a, b) = (self.bytes(a, span)?, self.bytes(b, span)?);
                Amount::Number(self.saturating(BinaryOp::Mul, a, b, span))
            }
        })
    }

    fn sum_of(&mut self, op: BinaryOp, a: Amount, b: Amount, span: Span) -> Found<Amount> {
        Ok(match (a, b) {
            (Amount::Elements(x, a), Amount::Elements(y, b)) if self.same_shape(x, y) => {
                let (a, b) = (self.at_least_one(a, span), self.at_least_one(b, span));
                Amount::Elements(x, Some(self.saturating(op, a, b, span)))
            }
            (a, b) => {
                let (a, b) = (self.bytes(a, span)?, self.bytes(b, span)?);
                Amount::Number(self.saturating(op, a, b, span))
            }
        })
    }

    fn at_least_one(&mut self, count: Option<Expr>, span: Span) -> Expr {
        count.unwrap_or_else(|| Expr::value(ExprKind::Int(1), self.basics.ulong, span))
    }

    fn bytes(&mut self, amount: Amount, span: Span) -> Found<Expr> {
        match amount {
            Amount::Number(number) => Ok(number),
            Amount::Elements(elem, count) => {
                let size = self.sizeof_expr(elem, span, span);
                if size.is_error() {
                    return Err(size);
                }
                let count = self.at_least_one(count, span);
                Ok(self.saturating(BinaryOp::Mul, count, size, span))
            }
        }
    }

    /// `a op b` of counts; what does not fit is the largest number.
    fn saturating(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        let ulong = self.basics.ulong;
        let a = self.count_as_ulong(a, "the count of elements");
        let b = self.count_as_ulong(b, "the count of elements");
        let known = match (self.const_int(&a), self.const_int(&b)) {
            (Some(a), Some(b)) => match op {
                BinaryOp::Mul => a.checked_mul(b),
                BinaryOp::Add => a.checked_add(b),
                _ => a.checked_sub(b),
            },
            _ => None,
        };
        if let Some(value) = known {
            let value = u64::try_from(value).unwrap_or(u64::MAX);
            return Expr::value(ExprKind::Int(i128::from(value)), ulong, span);
        }
        Expr::value(ExprKind::Saturating(op, Box::new(a), Box::new(b)), ulong, span)
    }

    fn wanted_elem(&self, expected: Option<TypeId>) -> Option<TypeId> {
        let elem = expected.and_then(|ty| match self.kind(ty) {
            Type::Pointer(pointer) => Some(pointer.elem.ty),
            _ => None,
        });
        elem.filter(|&elem| !matches!(self.kind(elem), Type::Infer(_) | Type::Void | Type::Error))
    }

    fn wanted(&mut self, amount: Amount, expected: Option<TypeId>, span: Span) -> Found<Wanted> {
        let wanted = self.wanted_elem(expected);
        match amount {
            Amount::Elements(elem, count) => {
                let Some(wanted) = wanted else { return Ok(Wanted { elem, count }) };
                if self.same_shape(wanted, elem) || self.same_size_of_integer(wanted, elem) {
                    // The context's type says the regions and qualifiers.
                    return Ok(Wanted { elem: wanted, count });
                }
                if self.is_byte(wanted) || self.is_byte(elem) {
                    let bytes = self.bytes(Amount::Elements(elem, count), span)?;
                    return self.wanted(Amount::Number(bytes), expected, span);
                }
                Ok(Wanted { elem, count })
            }
            Amount::Number(number) => {
                let elem = wanted.unwrap_or(self.basics.char_);
                if self.is_byte(elem) {
                    return Ok(Wanted { elem, count: Some(number) });
                }
                let count = self.that_fit(number, elem, span)?;
                Ok(Wanted { elem, count: Some(count) })
            }
        }
    }

    /// How many elements fit into so many bytes.
    fn that_fit(&mut self, bytes: Expr, elem: TypeId, span: Span) -> Found<Expr> {
        let size = self.sizeof_expr(elem, span, span);
        let size = match self.const_int(&size) {
            Some(size) if size > 0 => size,
            _ if size.is_error() => return Err(size),
            _ => return Err(self.no_element_type(span)),
        };
        let ulong = self.basics.ulong;
        let bytes = self.count_as_ulong(bytes, "the size");
        if let Some(known) = self.const_int(&bytes).and_then(|bytes| u64::try_from(bytes).ok()) {
            let count = ExprKind::Int(i128::from(known) / size);
            return Ok(Expr::value(count, ulong, span));
        }
        let size = Expr::value(ExprKind::Int(size), ulong, span);
        let count = ExprKind::Binary(BinaryOp::Div, Box::new(bytes), Box::new(size));
        Ok(Expr::value(count, ulong, span))
    }

    /// `int` and `unsigned`: zeros are zeros of both.
    fn same_size_of_integer(&self, a: TypeId, b: TypeId) -> bool {
        matches!((self.kind(a), self.kind(b)), (Type::Int(a), Type::Int(b)) if a.bits() == b.bits())
    }

    /// The type whose size an operand is.
    fn size_operand(&mut self, e: &tree::Expr) -> Option<TypeId> {
        match &e.peel().kind {
            K::SizeofType(name) => Some(self.size_type(name)),
            K::SizeofExpr(inner) => Some(self.type_of_unevaluated(inner)),
            K::Cast(_, inner) => self.size_operand(inner),
            _ => None,
        }
    }

    fn no_element_type(&mut self, span: Span) -> Expr {
        let text = "what is allocated here is not known";
        let error = Diagnostic::error("E0441", text, span)
            .help("write the size as `n * sizeof(T)`: the compiler reads the element type from it");
        self.fail(error)
    }
}

/// Whether a `sizeof` is a factor or a term of the expression.
fn names_size(e: &tree::Expr) -> bool {
    use tree::BinaryOp as B;
    match &e.peel().kind {
        K::SizeofType(_) | K::SizeofExpr(_) => true,
        K::Cast(_, inner) => names_size(inner),
        K::Binary(B::Mul | B::Add | B::Sub, left, right) => names_size(left) || names_size(right),
        _ => false,
    }
}
