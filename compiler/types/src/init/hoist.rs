//! Compound literals in initialisers at file scope are objects with static storage (C11 6.5.2.5p5).

use crate::checker::Checker;
use crate::decl::GlobalInfo;
use crate::hir::{Expr, ExprKind, Global, GlobalId, Init, InitElem, Linkage};
use crate::names::QualName;
use crate::ty::QualType;
use tenure_span::{Span, Symbol};

impl Checker<'_> {
    /// Makes variables of the literals whose addresses an initialiser takes. Its types are final.
    pub(crate) fn hoist_literals(&mut self, init: &mut Init) {
        match &mut init.kind {
            InitElem::Expr(e) => self.hoist_in(e),
            InitElem::Record(parts) => {
                parts.iter_mut().for_each(|(_, part)| self.hoist_literals(part));
            }
            InitElem::Array(parts) => {
                parts.iter_mut().for_each(|(_, part)| self.hoist_literals(part));
            }
            InitElem::Comprehension(init) => self.hoist_literals(&mut init.value),
            InitElem::Zero | InitElem::String { .. } => {}
        }
    }

    fn hoist_in(&mut self, e: &mut Expr) {
        match &mut e.kind {
            ExprKind::CompoundLiteral(init) => {
                self.hoist_literals(init);
                let init = (**init).clone();
                let ty = QualType { ty: e.ty, quals: e.quals };
                e.kind = ExprKind::Global(self.unnamed_global(ty, init, e.span));
            }
            ExprKind::Coerce(_, inner)
            | ExprKind::AddrOf(inner)
            | ExprKind::Field(inner, _)
            | ExprKind::ArrayIndex(inner, _)
            | ExprKind::PointerAdd { ptr: inner, .. } => self.hoist_in(inner),
            ExprKind::Cond(_, then, other) => {
                self.hoist_in(then);
                self.hoist_in(other);
            }
            ExprKind::Aggregate(init) => self.hoist_literals(init),
            ExprKind::Tuple(parts) | ExprKind::Construct { args: parts, .. } => {
                parts.iter_mut().for_each(|part| self.hoist_in(part));
            }
            _ => {}
        }
    }

    fn unnamed_global(&mut self, ty: QualType, init: Init, span: Span) -> GlobalId {
        let name = Symbol::new(&format!("literal${}", self.globals.len()));
        self.decls.globals.push(GlobalInfo { initialised: true });
        self.globals.push(Global {
            name: QualName { path: Vec::new(), name },
            owner: None,
            link_name: None,
            extern_c: false,
            ty,
            linkage: Linkage::Internal,
            thread_local: false,
            align: None,
            attributes: Vec::new(),
            init: Some(init),
            span,
        })
    }
}
