//! Sizes, casts, compound literals, and the words of C that have no safe meaning.

use crate::checker::{Checker, Why};
use crate::convert::Elision;
use crate::hir::{Expr, ExprKind};
use crate::ty::{ArrayLen, Bounds, QualType, SizeId, Type, TypeId};
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
            K::Tagof(_) => self.fail(
                Diagnostic::error("E0323", "`tagof` is not supported", span)
                    .help("keep the `tag_t` value in a variable"),
            ),
            _ => self.unsafe_expr(e),
        }
    }

    /// A type written in an expression: what it leaves out is inferred.
    pub(crate) fn local_type(&mut self, name: &tree::TypeName) -> QualType {
        let elision = if self.fx.func.is_some() { Elision::Infer } else { Elision::Heap };
        self.convert_type_name(name, elision)
    }

    /// `offsetof(T, a.b)`.
    fn offset_expr(
        &mut self,
        name: &tree::TypeName,
        path: &[tree::Designator],
        span: Span,
    ) -> Expr {
        let record = self.local_type(name).ty;
        let mut ty = record;
        let mut steps = Vec::new();
        for designator in path {
            let tree::Designator::Field(member) = designator else {
                let text = "`offsetof` takes a member, not an element";
                return self.fail(Diagnostic::error("E0323", text, span));
            };
            match self.lookup_field(ty, *member) {
                Ok(field) if field.bits.is_some() => {
                    let text = "a bit-field has no offset in bytes";
                    return self.fail(Diagnostic::error("E0433", text, member.span));
                }
                Ok(field) => {
                    steps.extend(field.path);
                    ty = field.ty.ty;
                }
                Err(proof) => return self.error_expr(proof, span),
            }
        }
        let ulong = self.basics.ulong;
        Expr::value(ExprKind::OffsetOf(record, steps), ulong, span)
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

    fn sizeof_expr(&mut self, ty: TypeId, what: Span, span: Span) -> Expr {
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
