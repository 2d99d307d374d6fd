//! Sizes, casts, compound literals, and the words of C that have no safe meaning.

use crate::checker::{Checker, Why};
use crate::convert::Elision;
use crate::hir::{Expr, ExprKind};
use crate::scope::{Entry, ValueDef};
use crate::ty::{ArrayLen, Bounds, QualType, Size, SizeId, Type, TypeId};
use tenure_span::{Diagnostic, Span};
use tenure_syntax::tree::{self, ExprKind as K};

impl Checker<'_> {
    pub(super) fn size_or_unsafe(&mut self, e: &tree::Expr) -> Expr {
        let span = e.span;
        match &e.kind {
            K::SizeofType(name) => {
                let ty = self.size_type(name);
                self.sizeof_expr(ty, name.span, span)
            }
            K::SizeofExpr(inner) => {
                let ty = self.type_of_unevaluated(inner);
                self.sizeof_expr(ty, inner.span, span)
            }
            K::AlignofType(name) => {
                let ty = self.size_type(name);
                self.alignof_expr(ty, span)
            }
            K::AlignofExpr(inner) => {
                let ty = self.type_of_unevaluated(inner);
                self.alignof_expr(ty, span)
            }
            K::Offsetof(name, path) => self.offset_expr(name, path, span),
            K::TypesCompatible(a, b) => {
                let (a, b) = (self.local_type(a), self.local_type(b));
                let same = self.same_but_regions(a.ty, b.ty);
                Expr::value(ExprKind::Int(i128::from(same)), self.basics.int, span)
            }
            K::Valueof(arg) => {
                let size = self.size_arg(arg);
                self.size_expr(size, span)
            }
            K::Tagof(inner) => self.tagof(inner, span),
            _ => self.unsafe_expr(e),
        }
    }

    /// A type written in an expression: what it leaves out is inferred.
    pub(crate) fn local_type(&mut self, name: &tree::TypeName) -> QualType {
        let elision = if self.fx.func.is_some() { Elision::Infer } else { Elision::Heap };
        self.convert_type_name(name, elision)
    }

    /// `offsetof(T, a.b[i])`: the sum of the parts between elements.
    fn offset_expr(
        &mut self,
        name: &tree::TypeName,
        path: &[tree::Designator],
        span: Span,
    ) -> Expr {
        let mut record = self.local_type(name).ty;
        let mut ty = record;
        let mut steps = Vec::new();
        let mut total: Option<Expr> = None;
        for designator in path {
            match designator {
                tree::Designator::Field(member) => match self.lookup_field(ty, *member) {
                    Ok(field) if field.bits.is_some() => {
                        let text = "a bit-field has no offset in bytes";
                        return self.fail(Diagnostic::error("E0433", text, member.span));
                    }
                    Ok(field) => {
                        steps.extend(field.path);
                        ty = field.ty.ty;
                    }
                    Err(proof) => return self.error_expr(proof, span),
                },
                tree::Designator::Index(index) => {
                    let Type::Array { elem, .. } = *self.kind(ty) else {
                        let text = format!("`{}` has no elements", self.show_type(ty));
                        return self.fail(Diagnostic::error("E0432", text, index.span));
                    };
                    let elem = elem.ty;
                    let members = std::mem::take(&mut steps);
                    total = Some(self.offset_sum(total, record, members, span));
                    let part = match self.offset_of_element(index, elem) {
                        Ok(part) => part,
                        Err(error) => return error,
                    };
                    total = Some(self.sum(total, part, span));
                    (record, ty) = (elem, elem);
                }
                _ => {
                    let text = "`offsetof` takes a member or an element";
                    return self.fail(Diagnostic::error("E0323", text, span));
                }
            }
        }
        match steps.is_empty() && total.is_some() {
            true => total.unwrap_or_else(|| Expr::value(ExprKind::Int(0), self.basics.ulong, span)),
            false => self.offset_sum(total, record, steps, span),
        }
    }

    fn offset_sum(
        &mut self,
        total: Option<Expr>,
        record: TypeId,
        steps: Vec<u32>,
        span: Span,
    ) -> Expr {
        let part = Expr::value(ExprKind::OffsetOf(record, steps), self.basics.ulong, span);
        self.sum(total, part, span)
    }

    fn sum(&mut self, total: Option<Expr>, part: Expr, span: Span) -> Expr {
        let Some(total) = total else { return part };
        let sum = ExprKind::Binary(crate::hir::BinaryOp::Add, Box::new(total), Box::new(part));
        Expr::value(sum, self.basics.ulong, span)
    }

    /// How far an element is from the first one.
    fn offset_of_element(&mut self, index: &tree::Expr, elem: TypeId) -> Result<Expr, Expr> {
        let span = index.span;
        let ulong = self.basics.ulong;
        let value = self.value(index, None);
        if self.const_int(&value).is_some_and(|value| value < 0) {
            let text = "an element before the first has no offset";
            return Err(self.fail(Diagnostic::error("E0433", text, span)));
        }
        let count = self.coerce(value, ulong, Why::Count("the index in `offsetof`"));
        if count.is_error() {
            return Err(count);
        }
        let size = self.sizeof_expr(elem, span, span);
        if size.is_error() {
            return Err(size);
        }
        let product = ExprKind::Binary(crate::hir::BinaryOp::Mul, Box::new(count), Box::new(size));
        Ok(Expr::value(product, ulong, span))
    }

    /// `tagof(p)`: the number of elements that the type of `p` states, as the one value of its `tag_t`.
    fn tagof(&mut self, inner: &tree::Expr, span: Span) -> Expr {
        let value = self.expr(inner, None);
        if value.is_error() {
            return value;
        }
        let size = match self.kind(value.ty).clone() {
            Type::Array { len: ArrayLen::Known(size), zeroterm: false, .. } => Some(size),
            Type::Pointer(pointer) if !pointer.zeroterm => match pointer.bounds {
                // NULL has no elements, whatever its type says.
                Bounds::Thin(size)
                    if !self.seems_nullable(&pointer) || self.size_value(size).is_some() =>
                {
                    Some(size)
                }
                _ => None,
            },
            _ => None,
        };
        if let Some(error) = size.and_then(|size| self.uncounted(size, 0, span)) {
            return error;
        }
        let Some(size) = size else {
            let found = self.show_type(value.ty);
            let text = format!("`tagof` needs a pointer whose type states its elements, and that is not NULL, found `{found}`");
            let error = Diagnostic::error("E0432", text, value.span)
                .help("use `numelts`, which counts them when it runs");
            return self.fail(error);
        };
        let ulong = self.basics.ulong;
        let number = match self.size_value(size) {
            Some(number) => ExprKind::Int(i128::from(number)),
            None => ExprKind::Numelts(Box::new(value)),
        };
        let number = Expr::value(number, ulong, span);
        let ty = self.types.intern(Type::Tag(size, crate::ty::IntTy::Int));
        Expr::value(ExprKind::Coerce(crate::hir::Coercion::Tag, Box::new(number)), ty, span)
    }

    /// What C has and no check can make safe.
    fn unsafe_expr(&mut self, e: &tree::Expr) -> Expr {
        let (code, text, help) = match &e.kind {
            K::VaArg(..) => (
                "E0442",
                "`va_arg` reads arguments of types that nobody checks",
                "declare the rest as `... T name`: it arrives as `T ?name`, a pointer with bounds",
            ),
            K::LabelAddr(_) => {
                ("E0720", "the address of a label would let a jump go anywhere", "use a `switch`")
            }
            _ => (
                "E0803",
                "`asm` can do anything to memory",
                "put it into a C file and declare the function in `extern \"C\"`",
            ),
        };
        self.fail(Diagnostic::error(code, text, e.span).help(help))
    }

    /// The type that `sizeof` is asked about.
    pub(super) fn size_type(&mut self, name: &tree::TypeName) -> TypeId {
        self.local_type(name).ty
    }

    /// The type of an expression that is not evaluated: it demands nothing.
    pub(crate) fn type_of_unevaluated(&mut self, e: &tree::Expr) -> TypeId {
        let marks = (self.infer.constraints.len(), self.infer.requirements.len());
        let ty = self.expr_for(e, None, super::Use::Write).ty;
        self.infer.constraints.truncate(marks.0);
        self.infer.requirements.truncate(marks.1);
        ty
    }

    /// Likewise of its value: arrays and functions are pointers.
    pub(super) fn type_of_value(&mut self, e: &tree::Expr) -> TypeId {
        let marks = (self.infer.constraints.len(), self.infer.requirements.len());
        let ty = self.value(e, None).ty;
        self.infer.constraints.truncate(marks.0);
        self.infer.requirements.truncate(marks.1);
        ty
    }

    pub(super) fn sizeof_expr(&mut self, ty: TypeId, what: Span, span: Span) -> Expr {
        let unknown = match self.kind(ty) {
            Type::Void | Type::Function(_) | Type::Datatype(..) => true,
            Type::Array { len, .. } => matches!(len, ArrayLen::Incomplete),
            Type::Record(record, _) => self.types.records[*record].fields.is_none(),
            Type::Error => {
                let proof = self.already_reported(span);
                return self.error_expr(proof, span);
            }
            _ => false,
        };
        if unknown {
            let text = format!("the size of `{}` is not known", self.show_type(ty));
            return self.fail(Diagnostic::error("E0339", text, what));
        }
        Expr::value(ExprKind::SizeOf(ty), self.basics.ulong, span)
    }

    fn alignof_expr(&mut self, ty: TypeId, span: Span) -> Expr {
        match self.sizeof_expr(ty, span, span) {
            Expr { kind: ExprKind::SizeOf(ty), .. } => {
                Expr::value(ExprKind::AlignOf(ty), self.basics.ulong, span)
            }
            error => error,
        }
    }

    /// A type-level integer as a value, where it is a constant.
    pub(super) fn size_expr(&mut self, size: SizeId, span: Span) -> Expr {
        match self.size_value(size) {
            Some(value) => Expr::value(ExprKind::Int(i128::from(value)), self.basics.ulong, span),
            None => {
                let text = "this length is not known at run time";
                let error = Diagnostic::error("E0329", text, span)
                    .help("pass it as a `tag_t` parameter and use that");
                self.fail(error)
            }
        }
    }

    /// An error if nothing that can be read here says how many elements there are, which more than the first `sure`
    /// need.
    pub(crate) fn uncounted(&mut self, size: SizeId, sure: u64, span: Span) -> Option<Expr> {
        if self.is_counted(size) || sure > 0 && self.least(size) >= sure {
            return None;
        }
        let text = format!("the number of elements, {}, is not known here", self.show_size(size));
        let error = Diagnostic::error("E0329", text, span)
            .help("keep it in a variable or parameter of type `tag_t`");
        Some(self.fail(error))
    }

    /// Whether the number is a constant, or made of numbers that visible variables hold.
    fn is_counted(&self, size: SizeId) -> bool {
        match *self.types.get_size(self.shallow_size(size)) {
            Size::Const(_) | Size::Infer(_) | Size::Error => true,
            Size::Add(a, b) | Size::Mul(a, b) => self.is_counted(a) && self.is_counted(b),
            Size::Var(var) => self.fx.locals.iter_enumerated().any(|(id, local)| {
                let Type::Tag(size, _) = *self.kind(local.ty.ty) else { return false };
                let holds = *self.types.get_size(self.shallow_size(size)) == Size::Var(var);
                let visible = local.name.and_then(|name| self.scopes.find(name)).is_some_and(
                    |(entry, _)| matches!(entry, Entry::Value(ValueDef::Local(seen)) if seen == id),
                );
                holds && visible
            }),
        }
    }

    pub(super) fn numelts(&mut self, inner: &tree::Expr, span: Span) -> Expr {
        let value = self.expr(inner, None);
        if value.is_error() {
            return value;
        }
        match self.kind(value.ty).clone() {
            Type::Array { len: ArrayLen::Known(len), .. } => self.size_expr(len, span),
            Type::Pointer(pointer) => {
                let ulong = self.basics.ulong;
                if pointer.bounds == Bounds::Fat {
                    return Expr::value(ExprKind::Numelts(Box::new(value)), ulong, span);
                }
                if let (Bounds::Thin(size), false) = (pointer.bounds, pointer.zeroterm) {
                    if let Some(error) = self.uncounted(size, 0, span) {
                        return error;
                    }
                }
                self.require_live(pointer.region, span, "its elements are counted here");
                Expr::value(ExprKind::Numelts(Box::new(value)), ulong, span)
            }
            Type::Error => value,
            _ => {
                let text =
                    format!("`numelts` needs a pointer, found `{}`", self.show_type(value.ty));
                self.fail(Diagnostic::error("E0432", text, value.span))
            }
        }
    }

    pub(super) fn cast_expr(
        &mut self,
        name: &tree::TypeName,
        inner: &tree::Expr,
        span: Span,
    ) -> Expr {
        let to = self.local_type(name);
        let value = self.expr(inner, Some(to.ty));
        if value.is_error() {
            return value;
        }
        if let Type::Void = self.kind(to.ty) {
            return self.discard(value);
        }
        let mut value = self.cast(value, to.ty, span);
        value.span = span;
        value
    }

    pub(super) fn compound_literal(
        &mut self,
        name: &tree::TypeName,
        init: &tree::Expr,
        span: Span,
    ) -> Expr {
        let ty = self.local_type(name);
        if self.is_error_type(ty.ty) {
            let proof = self.already_reported(span);
            return self.error_expr(proof, span);
        }
        let init = self.initializer(init, ty.ty, None, name.span);
        let ty = QualType { ty: init.ty, quals: ty.quals };
        Expr::place(ExprKind::CompoundLiteral(Box::new(init)), ty, span)
    }

    /// The element type of a string literal.
    pub(super) fn literal_elem(&mut self, lit: &tree::StrLit) -> TypeId {
        let ty = super::literal::char_type(lit.encoding).0;
        self.types.intern(Type::Int(ty))
    }

    /// Converts a count to `unsigned long`.
    pub(crate) fn count_as_ulong(&mut self, count: Expr, what: &'static str) -> Expr {
        let ulong = self.basics.ulong;
        self.coerce(count, ulong, Why::Count(what))
    }
}
