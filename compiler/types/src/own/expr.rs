//! Expressions.

use super::leak::{DROPPED, FREED};
use super::path::NoPath;
use super::{Cx, Ownership};
use crate::hir::{
    BinaryOp, Call, Coercion, ComprehensionInit, CountedOp, Expr, ExprKind, Init, InitElem,
    NewInit, VarArgs, Where,
};
use crate::ty::{Owned, Type, TypeId};
use tenure_span::Diagnostic;

impl Ownership<'_, '_> {
    /// An expression whose value is copied, or looked at.
    pub(super) fn value(&mut self, e: &mut Expr, cx: Cx) {
        if e.is_place() {
            return self.place_value(e, cx);
        }
        match &mut e.kind {
            ExprKind::Coerce(kind, inner) => {
                let kind = *kind;
                match kind {
                    Coercion::ToBool | Coercion::PointerToInt => {
                        self.looked_at(inner);
                        self.value(inner, Cx::Look);
                    }
                    Coercion::Discard => self.value(inner, Cx::Look),
                    Coercion::ArrayToThin | Coercion::ArrayToFat => self.place(inner),
                    _ => self.value(inner, cx),
                }
                self.conversion(e);
            }
            ExprKind::Borrow(inner) => self.borrow(inner),
            ExprKind::Cond(cond, a, b) => {
                self.value(cond, Cx::Look);
                self.value(a, cx);
                self.value(b, cx);
            }
            ExprKind::Comma(parts) => {
                if let Some((last, others)) = parts.split_last_mut() {
                    others.iter_mut().for_each(|part| self.value(part, Cx::Look));
                    self.value(last, cx);
                }
            }
            ExprKind::Assign(place, value) => {
                self.place(place);
                self.value(value, Cx::Copy);
                self.second_copy(e, cx);
            }
            ExprKind::AssignOp { place, value, .. } => {
                self.place(place);
                self.value(value, Cx::Copy);
                self.no_arithmetic(e);
            }
            ExprKind::IncDec(_, place) => {
                self.place(place);
                self.no_arithmetic(e);
            }
            ExprKind::PointerAdd { ptr, count, .. } => {
                self.value(ptr, Cx::Look);
                self.value(count, Cx::Copy);
                self.no_arithmetic(e);
            }
            ExprKind::AddrOf(place) => {
                self.place(place);
                self.address(e);
            }
            ExprKind::Field(base, _) => {
                let cx = if cx == Cx::Copy && self.owned(e.ty).is_some() { cx } else { Cx::Look };
                self.value(base, cx);
            }
            ExprKind::Free(operand) => self.given_up(operand, FREED),
            ExprKind::Counted(CountedOp::Drop, operand) => self.given_up(operand, DROPPED),
            ExprKind::StmtExpr(block) => self.statement_expr(block, cx),
            ExprKind::Tuple(parts) => parts.iter_mut().for_each(|part| self.value(part, cx)),
            _ => self.operands(e),
        }
    }

    /// What copies all its operands, or looks at all of them.
    fn operands(&mut self, e: &mut Expr) {
        match &mut e.kind {
            ExprKind::Swap(a, b) => {
                if self.owned(a.ty).is_some() {
                    self.taken_apart(a);
                    self.taken_apart(b);
                }
                self.place(a);
                self.place(b);
            }
            ExprKind::TagCheck(place, _) => self.place(place),
            ExprKind::PointerDiff(a, b) | ExprKind::PointerCompare(_, a, b)
                if self.is_reference(a) || self.is_reference(b) =>
            {
                self.compared(e);
            }
            ExprKind::Unary(_, a)
            | ExprKind::Not(a)
            | ExprKind::Numelts(a)
            | ExprKind::Assert(a)
            | ExprKind::Counted(_, a)
            | ExprKind::Checked(_, a) => self.value(a, Cx::Look),
            ExprKind::Binary(_, a, b)
            | ExprKind::Saturating(_, a, b)
            | ExprKind::PointerDiff(a, b)
            | ExprKind::PointerCompare(_, a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b) => {
                self.looked_at(a);
                self.looked_at(b);
                self.value(a, Cx::Look);
                self.value(b, Cx::Look);
            }
            ExprKind::Throw(value) => self.value(value, Cx::Copy),
            ExprKind::Construct { args, .. } => self.copies(args),
            ExprKind::Aggregate(init) => self.init(init),
            ExprKind::Call(call) => self.call(call),
            ExprKind::New { place, init } => {
                self.allocation(place, e.ty);
                match init {
                    NewInit::Value(init) | NewInit::Array { init, .. } => self.init(init),
                    NewInit::Comprehension(init) => self.comprehension(init),
                }
            }
            ExprKind::Malloc { place, count, .. } => {
                self.allocation(place, e.ty);
                if let Some(count) = count {
                    self.value(count, Cx::Copy);
                }
            }
            ExprKind::Realloc { .. } => self.realloc(e),
            _ => {}
        }
    }

    fn is_reference(&self, e: &Expr) -> bool {
        self.checker.types.is_reference(e.ty)
    }

    /// References of the checked heap are equal to references alone, and in no order.
    fn compared(&mut self, e: &mut Expr) {
        let span = e.span;
        let (op, a, b) = match &mut e.kind {
            ExprKind::PointerCompare(op, a, b) => (Some(*op), a, b),
            ExprKind::PointerDiff(a, b) => (None, a, b),
            _ => return,
        };
        self.value(a, Cx::Look);
        self.value(b, Cx::Look);
        let is_null = |e: &Expr| matches!(e.kind, ExprKind::Null);
        let both = (self.is_reference(a) || is_null(a)) && (self.is_reference(b) || is_null(b));
        let text = match op {
            Some(BinaryOp::Eq | BinaryOp::Ne) if both => return,
            Some(BinaryOp::Eq | BinaryOp::Ne) => {
                "a reference of the checked heap is compared with a pointer into another region"
            }
            _ => "references of the checked heap are in no order",
        };
        let error = Diagnostic::error("E0541", text, span)
            .label(format!("these are `{}` and `{}`", self.show(a), self.show(b)))
            .help("lend both: `let alias<`r> T *`r a = p;` gives a pointer that can be compared with others");
        self.checker.error(error);
    }

    fn copies(&mut self, values: &mut [Expr]) {
        values.iter_mut().for_each(|value| self.value(value, Cx::Copy));
    }

    fn allocation(&mut self, place: &mut Where, ty: TypeId) {
        let Where::Arena(handle) = place else { return };
        self.value(handle, Cx::Copy);
        // Inference may have found the region after the allocation was seen.
        if self.is_owned_pointer(ty) {
            let text = "the region of this handle turns out to be owned";
            let error = Diagnostic::error("E0520", text, handle.span);
            self.checker.error(error.help("allocate with `unew` or `rcnew`"));
        }
    }

    fn call(&mut self, call: &mut Call) {
        self.value(&mut call.callee, Cx::Look);
        call.args.iter().for_each(|arg| self.shown(arg));
        self.copies(&mut call.args);
        match &mut call.rest {
            VarArgs::None => {}
            VarArgs::C(args) | VarArgs::Fat { args, .. } => self.copies(args),
            VarArgs::Inject(inject) => self.copies(&mut inject.args),
            VarArgs::Forward(rest) => self.value(rest, Cx::Look),
        }
    }

    pub(super) fn init(&mut self, init: &mut Init) {
        match &mut init.kind {
            InitElem::Expr(value) => self.value(value, Cx::Copy),
            InitElem::Zero | InitElem::String { .. } => {}
            InitElem::Record(fields) => fields.iter_mut().for_each(|(_, init)| self.init(init)),
            InitElem::Array(elems) => elems.iter_mut().for_each(|(_, init)| self.init(init)),
            InitElem::Comprehension(init) => self.comprehension(init),
        }
    }

    fn comprehension(&mut self, init: &mut ComprehensionInit) {
        self.value(&mut init.count, Cx::Copy);
        self.init(&mut init.value);
    }

    /// The parts of a place: pointers are looked through.
    pub(super) fn place(&mut self, place: &mut Expr) {
        match &mut place.kind {
            ExprKind::Deref(pointer) => {
                self.looked_at(pointer);
                self.value(pointer, Cx::Look);
            }
            ExprKind::PointerIndex(pointer, index) => {
                self.looked_at(pointer);
                self.value(pointer, Cx::Look);
                self.value(index, Cx::Copy);
            }
            ExprKind::ArrayIndex(base, index) => {
                self.place(base);
                self.value(index, Cx::Copy);
            }
            ExprKind::Field(base, _) if base.is_place() => self.place(base),
            ExprKind::Field(base, _) => self.value(base, Cx::Look),
            ExprKind::CompoundLiteral(init) => self.init(init),
            ExprKind::Local(_) | ExprKind::Global(_) | ExprKind::Str { .. } => {}
            // What was no place after all: an error was reported.
            _ => self.value(place, Cx::Look),
        }
    }

    fn place_value(&mut self, e: &mut Expr, cx: Cx) {
        self.place(e);
        let Some(owned) = self.owned(e.ty) else { return };
        if cx == Cx::Look {
            return;
        }
        let span = e.span;
        let place = std::mem::replace(e, Expr::value(ExprKind::Error, e.ty, span));
        // A literal's object has no name: its value is used here and nowhere else.
        if let ExprKind::CompoundLiteral(init) = place.kind {
            e.kind = ExprKind::Aggregate(init);
            return;
        }
        self.taken_apart(&place);
        if let Err(no) = self.path(&place) {
            self.cannot_move(&place, owned, no);
        }
        e.kind = ExprKind::Move(Box::new(place));
    }

    fn cannot_move(&self, place: &Expr, owned: Owned, no: NoPath) {
        let what = describe(owned);
        let text = format!("{what} can only be swapped out of this place");
        let error = Diagnostic::error("E0526", text, place.span)
            .label(format!("this is `{}`", self.show(place)))
            .secondary(no.span, no.why)
            .help(
                "exchange it with a variable: `x :=: place`, and put another value there, or NULL",
            );
        self.checker.error(error);
    }

    /// The operand of `free` and `drop_refptr`: a place that is given up, or a value.
    fn given_up(&mut self, operand: &mut Expr, done: &'static str) {
        let mut pointer = &*operand;
        while let ExprKind::Coerce(_, inner) = &pointer.kind {
            pointer = inner;
        }
        let span = operand.span;
        self.object_goes(&pointer.clone(), done, span);
        if !operand.is_place() || !self.is_owned_pointer(operand.ty) {
            let cx = if self.is_owned_pointer(operand.ty) { Cx::Copy } else { Cx::Look };
            return self.value(operand, cx);
        }
        self.place(operand);
        if let Err(no) = self.path(operand) {
            let owned = self.owned(operand.ty).unwrap_or(Owned::Unique);
            self.cannot_move(operand, owned, no);
        }
    }

    /// What is lent to a call: a unique path, or a value.
    fn borrow(&mut self, operand: &mut Expr) {
        // Others may reach what is pinned.
        if self.checker.types.is_reference(operand.ty) {
            return self.value(operand, Cx::Look);
        }
        if !operand.is_place() {
            return self.value(operand, Cx::Copy);
        }
        self.place(operand);
        if let Err(no) = self.path(operand) {
            let text = "only what nothing else reaches can be lent to a call";
            let error = Diagnostic::error("E0530", text, operand.span)
                .label(format!("this is `{}`", self.show(operand)))
                .secondary(no.span, no.why)
                .help("swap it into a variable, lend that one, and swap it back");
            self.checker.error(error);
        }
    }

    /// No conversion makes an owned pointer one that can be copied.
    fn conversion(&mut self, e: &Expr) {
        let ExprKind::Coerce(kind, inner) = &e.kind else { return };
        if matches!(kind, Coercion::Discard | Coercion::ToBool | Coercion::PointerToInt) {
            return;
        }
        if let Coercion::ArrayToThin | Coercion::ArrayToFat = kind {
            return self.interior(e);
        }
        let types = &self.checker.types;
        let region = |e: &Expr| match types.get(e.ty) {
            Type::Pointer(pointer) => Some(pointer.region),
            _ => None,
        };
        let (Some(from), Some(to)) = (region(inner), region(e)) else { return };
        let alone = types.stands_alone(from) || types.stands_alone(to);
        if alone && from != to {
            let text = format!(
                "a `{}` cannot become a `{}`",
                self.show(inner),
                self.checker.show_type(e.ty)
            );
            let error = Diagnostic::error("E0501", text, e.span)
                .help("such a pointer stays in its region; lend it with `let alias`");
            self.checker.error(error);
        }
    }

    fn second_copy(&self, e: &Expr, cx: Cx) {
        if cx == Cx::Copy && self.owned(e.ty).is_some() {
            let text = "the value of this assignment would be a second copy of what it stored";
            let error = Diagnostic::error("E0529", text, e.span)
                .label(format!("this is `{}`", self.show(e)))
                .help("assign first, then use the variable");
            self.checker.error(error);
        }
    }

    fn no_arithmetic(&self, e: &Expr) {
        if self.is_owned_pointer(e.ty) {
            let text = format!("no arithmetic on an owned pointer, this is `{}`", self.show(e));
            let error = Diagnostic::error("E0528", text, e.span)
                .note("it could not be freed from the middle of its object")
                .help("use `p[i]`, or move an alias: `let alias<`r> T ?`r a = p;`");
            self.checker.error(error);
        }
    }

    fn address(&self, e: &Expr) {
        let ExprKind::AddrOf(place) = &e.kind else { return };
        if self.is_owned_pointer(place.ty) {
            let text = "the address of an owned pointer would be a second way to it";
            let error = Diagnostic::error("E0527", text, e.span)
                .label(format!("this is `{}`", self.show(place)))
                .help("pass the pointer itself, and take it back as a result");
            self.checker.error(error);
            return;
        }
        self.interior(e);
    }

    /// A pointer into an owned object, which would stay when that is freed.
    pub(super) fn interior(&self, e: &Expr) {
        if self.is_owned_pointer(e.ty) {
            let text = "this points into an owned object, and would outlive it";
            let error = Diagnostic::error("E0527", text, e.span)
                .help("lend the object first: `let alias<`r> T *`r a = p;`, then use `a`");
            self.checker.error(error);
        }
    }

    fn realloc(&mut self, e: &mut Expr) {
        let ExprKind::Realloc { old, elem, count } = &mut e.kind else { return };
        self.value(count, Cx::Copy);
        if self.checker.types.owned(old.ty) == Some(Owned::Unique) {
            return self.reallocated(old);
        }
        let owned = self.is_owned_pointer(old.ty) || self.owned(*elem).is_some();
        self.value(old, Cx::Look);
        if owned {
            let text = format!("`realloc` of a `{}` would copy what is owned", self.show(old));
            let error = Diagnostic::error("E0536", text, old.span)
                .help("allocate anew, swap the elements over, and free the old memory");
            self.checker.error(error);
        }
    }

    /// The unique pointer under the conversion to one with bounds.
    fn reallocated(&mut self, old: &mut Expr) {
        match &mut old.kind {
            ExprKind::Coerce(_, inner) => self.reallocated(inner),
            _ => self.given_up(old, FREED),
        }
    }
}

pub(super) fn describe(owned: Owned) -> &'static str {
    match owned {
        Owned::Unique => "a unique pointer",
        Owned::Counted => "a counted pointer",
        Owned::Aggregate => "a value with owned pointers in it",
    }
}
