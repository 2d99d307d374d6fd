//! Which initialisers objects with static storage may have (C11 6.6, 6.7.9p4).

use crate::checker::Checker;
use crate::constant::Const;
use crate::hir::{Coercion, Expr, ExprKind, Init, InitElem};
use crate::ty::{FloatTy, Type};
use tenure_span::{Diagnostic, Span};

/// Why an expression is not constant.
struct NotConstant {
    span: Span,
    what: &'static str,
}

type Verdict = Result<(), NotConstant>;

impl Checker<'_> {
    /// Reports what in an initialiser of a static object is not constant; numbers are folded.
    pub(crate) fn require_constant_init(&mut self, init: &mut Init) {
        self.fold(init);
        if let Err(NotConstant { span, what }) = self.constant_init(init) {
            let error = Diagnostic::error(
                "E0353",
                format!("this initialiser is not constant: {what}"),
                span,
            )
            .note("a variable with static storage is initialised before the program starts");
            self.error(error);
        }
    }

    fn fold(&mut self, init: &mut Init) {
        if let InitElem::Expr(Expr { kind: ExprKind::CompoundLiteral(literal), .. }) = &init.kind {
            // Its value, and not its address, is wanted: it is the initialiser (as in GNU C).
            *init = (**literal).clone();
        }
        match &mut init.kind {
            InitElem::Expr(e) if self.integer_of(e.ty).is_some() => {
                if let (Some(value), Type::Int(_) | Type::Enum(_)) =
                    (self.const_int(e), self.kind(e.ty))
                {
                    e.kind = ExprKind::Int(value);
                }
            }
            InitElem::Expr(e) => {
                let kept = matches!(self.kind(e.ty), Type::Float(FloatTy::F32 | FloatTy::F64));
                match self.const_value(e).filter(|_| kept) {
                    Some(Const::Float(value)) if !value.is_nan() => {
                        e.kind = ExprKind::Float(value.to_bits());
                    }
                    _ => {}
                }
            }
            InitElem::Record(parts) => parts.iter_mut().for_each(|(_, part)| self.fold(part)),
            InitElem::Array(parts) => parts.iter_mut().for_each(|(_, part)| self.fold(part)),
            InitElem::Comprehension(init) => self.fold(&mut init.value),
            _ => {}
        }
    }

    fn constant_init(&self, init: &Init) -> Verdict {
        match &init.kind {
            InitElem::Expr(e) => self.constant(e),
            InitElem::Zero | InitElem::String { .. } => Ok(()),
            InitElem::Record(parts) => {
                parts.iter().try_for_each(|(_, part)| self.constant_init(part))
            }
            InitElem::Array(parts) => {
                parts.iter().try_for_each(|(_, part)| self.constant_init(part))
            }
            InitElem::Comprehension(init) => self.constant_init(&init.value),
        }
    }

    fn constant(&self, e: &Expr) -> Verdict {
        let no = |what| Err(NotConstant { span: e.span, what });
        match &e.kind {
            ExprKind::Error
            | ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::LongFloat(_)
            | ExprKind::Null
            | ExprKind::Func(..)
            | ExprKind::HeapHandle
            | ExprKind::SizeOf(_)
            | ExprKind::AlignOf(_)
            | ExprKind::OffsetOf(..) => Ok(()),
            ExprKind::Unary(_, a) | ExprKind::Not(a) => self.constant(a),
            ExprKind::Binary(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.constant(a)?;
                self.constant(b)
            }
            ExprKind::Cond(a, b, c) => {
                self.constant(a)?;
                self.constant(b)?;
                self.constant(c)
            }
            ExprKind::Tuple(parts) | ExprKind::Construct { args: parts, .. } => {
                parts.iter().try_for_each(|part| self.constant(part))
            }
            ExprKind::Aggregate(init) => self.constant_init(init),
            ExprKind::AddrOf(place) => self.static_place(place),
            ExprKind::Coerce(coercion, inner) => match coercion {
                Coercion::ArrayToThin | Coercion::ArrayToFat => self.static_place(inner),
                Coercion::Arithmetic
                | Coercion::ToBool
                | Coercion::Same
                | Coercion::ViewBits
                | Coercion::FunctionView
                | Coercion::Tag
                | Coercion::Instantiate
                | Coercion::Pack
                | Coercion::ThinToFat
                | Coercion::NonNull => self.constant(inner),
                Coercion::PointerToInt => no("an address as a number"),
                _ => no("a conversion that is checked at run time"),
            },
            ExprKind::PointerAdd { ptr, count, .. } => {
                self.constant(ptr)?;
                self.constant(count)
            }
            ExprKind::Call(_) => no("a call"),
            ExprKind::New { .. } | ExprKind::Malloc { .. } | ExprKind::Realloc { .. } => {
                no("an allocation")
            }
            ExprKind::Local(_) | ExprKind::Global(_) => no("the value of a variable"),
            ExprKind::Field(..) | ExprKind::ArrayIndex(..) | ExprKind::PointerIndex(..) => {
                no("a value in memory")
            }
            _ => no("an expression that must be evaluated"),
        }
    }

    /// A place whose address is known before the program starts.
    fn static_place(&self, place: &Expr) -> Verdict {
        match &place.kind {
            ExprKind::Error | ExprKind::Global(_) | ExprKind::Str { .. } => Ok(()),
            ExprKind::CompoundLiteral(init) if self.fx.func.is_none() => self.constant_init(init),
            ExprKind::Field(base, _) => self.static_place(base),
            ExprKind::ArrayIndex(base, index) => {
                self.static_place(base)?;
                self.constant(index)
            }
            _ => Err(NotConstant {
                span: place.span,
                what: "the address of an object that is not static",
            }),
        }
    }
}
