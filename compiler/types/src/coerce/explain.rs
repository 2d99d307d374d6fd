//! What is said when a conversion cannot be: what was expected and why, what was found, and what would do.

use crate::checker::{Checker, Why};
use crate::hir::{Expr, ExprKind};
use crate::infer::Mismatch;
use crate::ty::{Bounds, Quals, Type, TypeId};
use tenure_span::Diagnostic;

impl Checker<'_> {
    /// Reports that a value cannot be converted, and stands for it.
    pub(crate) fn explain(
        &mut self,
        expr: Expr,
        to: TypeId,
        mismatch: Mismatch,
        why: &Why,
    ) -> Expr {
        let (code, reason) = self.reason(&expr, to, mismatch);
        let headline = self.headline(&expr, to, why);
        let mut error = Diagnostic::error(code, headline, expr.span);
        if let Some(reason) = reason {
            error = error.label(reason);
        }
        if let Some((span, text)) = self.stated(why, to) {
            error = error.secondary(span, text);
        }
        if let Why::Argument { declared, callee: Some(_), .. } = why {
            error = error.caused_by(*declared);
        }
        if let Some(help) = self.conversion_help(&expr, to, mismatch, why) {
            error = error.help(help);
        }
        self.error(error);
        Expr { kind: ExprKind::Error, ty: to, quals: Quals::default(), span: expr.span }
    }

    fn headline(&self, expr: &Expr, to: TypeId, why: &Why) -> String {
        let wanted = quoted(&self.show_type(to));
        let found = match expr.kind {
            ExprKind::Null => "NULL".to_string(),
            _ => quoted(&self.show_type(expr.ty)),
        };
        match why {
            Why::Argument { index, callee: Some(name), .. } => {
                format!("argument {} of `{name}` must be {wanted}, found {found}", index + 1)
            }
            Why::Argument { index, callee: None, .. } => {
                format!("argument {} must be {wanted}, found {found}", index + 1)
            }
            Why::Rest { callee: Some(name), .. } => {
                format!("the further arguments of `{name}` must be {wanted}, found {found}")
            }
            Why::Rest { callee: None, .. } => {
                format!("the further arguments must be {wanted}, found {found}")
            }
            Why::Assign { .. } => format!("expected a value of type {wanted}, found {found}"),
            Why::Return { .. } => format!("the function returns {wanted}, found {found}"),
            Why::Init { name: Some(name), .. } => {
                format!("`{name}` is {wanted} and cannot be initialised with {found}")
            }
            Why::Init { name: None, .. } => {
                format!("expected {wanted} as initialiser, found {found}")
            }
            Why::Construct { name, index, .. } => {
                format!("argument {} of `{name}` must be {wanted}, found {found}", index + 1)
            }
            Why::Cast => format!("{found} cannot be cast to {wanted}"),
            Why::Operand(op) => format!("an operand of `{op}` must be {wanted}, found {found}"),
            Why::Branch { .. } => {
                format!("the branches of `?:` differ: expected {wanted}, found {found}")
            }
            Why::Throw => {
                format!("only exceptions can be thrown: expected {wanted}, found {found}")
            }
            Why::Count(what) => format!("{what} must be {wanted}, found {found}"),
            Why::Pattern { .. } => format!("the pattern is of type {found}, the value {wanted}"),
        }
    }

    /// The second place: where the expected type was stated.
    fn stated(&self, why: &Why, to: TypeId) -> Option<(tenure_span::Span, String)> {
        let span = why.declared();
        if span.is_none() {
            return None;
        }
        let text = match why {
            Why::Argument { .. } | Why::Rest { .. } => "the function is declared here".to_string(),
            Why::Assign { .. } | Why::Init { .. } => "declared here".to_string(),
            Why::Return { .. } => "the result type is stated here".to_string(),
            Why::Construct { .. } => "the constructor is declared here".to_string(),
            Why::Branch { .. } => format!("this one is `{}`", self.show_type(to)),
            Why::Pattern { .. } => "the value that is matched".to_string(),
            Why::Cast | Why::Operand(_) | Why::Throw | Why::Count(_) => return None,
        };
        Some((span, text))
    }

    /// The code, and what exactly is wrong.
    fn reason(
        &self,
        expr: &Expr,
        to: TypeId,
        mismatch: Mismatch,
    ) -> (&'static str, Option<String>) {
        match mismatch {
            Mismatch::Types(a, b) => {
                let whole =
                    self.shallow(expr.ty) == self.shallow(a) || self.shallow(to) == self.shallow(b);
                let text = format!("`{}` is not `{}`", self.show_type(a), self.show_type(b));
                ("E0301", (!whole).then_some(text))
            }
            Mismatch::Quals => {
                ("E0402", Some("this would allow a write to what is const".to_string()))
            }
            Mismatch::Nullness if self.null_at_the_outside(expr, to) => {
                ("E0403", Some("this may be NULL".to_string()))
            }
            Mismatch::Nullness => {
                let text = "what is inside may be NULL in one of the types alone";
                ("E0403", Some(text.to_string()))
            }
            Mismatch::Bounds => {
                ("E0404", Some("a pointer with bounds and one without differ".to_string()))
            }
            Mismatch::Sizes(have, need) => {
                let text = format!(
                    "this has {} elements, {} are needed",
                    self.show_size(have),
                    self.show_size(need)
                );
                ("E0404", Some(text))
            }
            Mismatch::ZeroTerm => ("E0406", Some(self.zeroterm_reason(expr, to))),
            Mismatch::Regions(a, b) => {
                let text = format!(
                    "this names {}, expected is {}",
                    self.describe_region(a),
                    self.describe_region(b)
                );
                ("E0506", Some(text))
            }
            Mismatch::Effects => {
                ("E0302", Some("the functions differ in what they take or need".to_string()))
            }
            Mismatch::Infinite => {
                ("E0304", Some("the type would have to contain itself".to_string()))
            }
            Mismatch::NotWord(ty) => {
                let what = "is not one word, so it cannot stand for a type variable";
                ("E0305", Some(format!("`{}` {what}", self.show_type(ty))))
            }
            Mismatch::NotFullWord(ty) => {
                let text = format!(
                    "memory of `{}` cannot stand behind an existential, whose elements are taken to be words of 8 bytes",
                    self.show_type(ty)
                );
                ("E0305", Some(text))
            }
            Mismatch::NotValue(ty) => {
                ("E0306", Some(format!("`{}` is not the type of a value", self.show_type(ty))))
            }
            Mismatch::Escapes(var) => {
                let text =
                    format!("{} is known only where the pattern opened it", self.show_var(var));
                ("E0507", Some(text))
            }
        }
    }

    /// Whether the value itself may be NULL where it must not, and not what it points to or holds.
    fn null_at_the_outside(&self, expr: &Expr, to: TypeId) -> bool {
        match (self.kind(expr.ty), self.kind(to)) {
            (Type::Pointer(from), Type::Pointer(to)) => {
                matches!(expr.kind, ExprKind::Null)
                    || self.seems_nullable(from) && !self.seems_nullable(to)
            }
            _ => matches!(expr.kind, ExprKind::Null),
        }
    }

    fn zeroterm_reason(&self, expr: &Expr, to: TypeId) -> String {
        let wanted = matches!(self.kind(to), Type::Pointer(pointer) if pointer.zeroterm);
        let fat = matches!(self.kind(expr.ty), Type::Pointer(p) if p.bounds == Bounds::Fat);
        match (wanted, fat) {
            (true, true) => "its characters may be overwritten, also the zero that ends them",
            (true, false) => "nothing says that a zero ends it",
            (false, _) => "through the other pointer the zero that ends it could be overwritten",
        }
        .to_string()
    }

    /// What would make a string of it, or take what is no string.
    fn zeroterm_help(&self, expr: &Expr, to: TypeId, why: &Why) -> String {
        let Type::Pointer(wanted) = self.kind(to) else { return String::new() };
        let (quals, elem) = (wanted.elem.quals, self.show_type(wanted.elem.ty));
        let fat = format!("{}{elem} ?", if quals.is_const { "const " } else { "" });
        if !wanted.zeroterm {
            return match wanted.bounds {
                Bounds::Fat => "take it as `const`, or with `@zeroterm`",
                Bounds::Thin(_) => "take it as `const`, or as a pointer with bounds",
            }
            .to_string();
        }
        let mut inner = expr;
        while let ExprKind::Coerce(_, under) = &inner.kind {
            inner = under;
        }
        let whole = match why {
            Why::Argument { .. } => format!("declare the parameter `{fat}`"),
            Why::Return { .. } => format!("return `{fat}`"),
            _ => format!("declare what takes it `{fat}`"),
        };
        match (&inner.kind, self.kind(inner.ty)) {
            (ExprKind::AddrOf(_), _) => {
                format!("one character is a `{elem} *@nozeroterm`; or {whole}")
            }
            (_, Type::Array { .. }) => {
                format!("declare the array `@zeroterm`, which keeps its last zero, or {whole}")
            }
            _ if self.fx.extern_c => format!("{whole}; in C code a cast is believed"),
            _ => format!("{whole}, a pointer with bounds"),
        }
    }

    fn conversion_help(
        &self,
        expr: &Expr,
        to: TypeId,
        mismatch: Mismatch,
        why: &Why,
    ) -> Option<String> {
        let text = match mismatch {
            Mismatch::Nullness if !self.null_at_the_outside(expr, to) => return None,
            Mismatch::Nullness => match expr.kind {
                ExprKind::Null => "declare the pointer with `*` if it may be NULL",
                _ => "test it first, or cast it, which checks",
            },
            Mismatch::ZeroTerm => return Some(self.zeroterm_help(expr, to, why)),
            Mismatch::NotWord(_) => "put it behind a pointer",
            Mismatch::NotFullWord(_) => {
                "use `long`, `double` or a pointer, or a struct around the element"
            }
            Mismatch::Sizes(..) => "use a pointer with bounds (`?`), which carries the number",
            Mismatch::Quals => "take a pointer to `const`",
            Mismatch::Types(a, b) => match (self.kind(a), self.kind(b)) {
                (Type::Pointer(_), Type::Int(_)) => "dereference the pointer with `*`",
                (Type::Void, _) if self.is_pointer(expr.ty) => {
                    "a `void *` does not say what it points to: use a type variable, as in `a *"
                }
                _ => return None,
            },
            _ => return None,
        };
        Some(text.to_string())
    }
}

/// A type in a sentence; one that begins with a variable's own mark stands between two.
fn quoted(shown: &str) -> String {
    match shown.starts_with('`') {
        true => format!("`` {shown} ``"),
        false => format!("`{shown}`"),
    }
}
