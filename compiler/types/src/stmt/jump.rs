//! Labels and `goto`, and what of a function's flow the checker keeps.

use crate::checker::Checker;
use crate::hir::{LabelId, StmtKind};
use crate::ty::TypeId;
use index_vec::IndexVec;
use tenure_span::{Diagnostic, FastMap, Span, Symbol};
use tenure_syntax::tree::{self, Ident};

/// A scope that no jump may enter from outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Barrier {
    Region,
    Try,
    /// A clause that binds variables.
    Clause,
    StatementExpr,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entered {
    /// Tells it from others of its kind.
    number: u32,
    barrier: Barrier,
    span: Span,
}

/// A switch or handler whose clause is being checked.
#[derive(Default, Debug)]
pub(crate) struct SwitchCx {
    /// There is a clause after this one.
    pub has_next: bool,
    /// The `fallthru` statements of the clause: the types of their values.
    pub fallthrus: Vec<(Vec<TypeId>, Span)>,
    /// Where its `default` stands, if that came already.
    pub default: Option<Span>,
}

#[derive(Debug)]
struct Label {
    /// It is a `case` within a statement, which the switch jumps to.
    case: bool,
    /// Where it stands, and what is around it there.
    defined: Option<(Span, Vec<Entered>)>,
    gotos: Vec<(Span, Vec<Entered>)>,
}

/// What a `break` leaves: the innermost of these around it. The body of a `try` is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Breakable {
    Loop,
    Switch,
    Handler,
}

/// Labels, loops, switches, handlers of the function that is being checked.
#[derive(Default, Debug)]
pub(crate) struct Flow {
    pub breakable: Vec<Breakable>,
    pub switches: Vec<SwitchCx>,
    pub barriers: Vec<Entered>,
    /// Barriers so far.
    entered: u32,
    /// Names by label.
    names: IndexVec<LabelId, Symbol>,
    labels: IndexVec<LabelId, Label>,
    by_name: FastMap<Symbol, LabelId>,
}

impl Flow {
    /// Opens a scope that no jump may enter. It is closed by cutting back `barriers`.
    pub fn enter(&mut self, barrier: Barrier, span: Span) {
        self.entered += 1;
        self.barriers.push(Entered { number: self.entered, barrier, span });
    }

    fn label(&mut self, name: Symbol) -> LabelId {
        if let Some(&label) = self.by_name.get(&name) {
            return label;
        }
        let label = self.names.push(name);
        self.labels.push(Label { case: false, defined: None, gotos: Vec::new() });
        self.by_name.insert(name, label);
        label
    }
}

impl Checker<'_> {
    pub(super) fn labelled(&mut self, name: Ident, inner: &tree::Stmt) -> StmtKind {
        let label = self.fx.flow.label(name.name);
        let around = self.fx.flow.barriers.clone();
        let earlier = self.fx.flow.labels[label].defined.as_ref().map(|found| found.0);
        match earlier {
            Some(earlier) => {
                let text = format!("the label `{}` stands twice in this function", name.name);
                let error = Diagnostic::error("E0704", text, name.span);
                self.error(error.secondary(earlier, "the first one"));
            }
            None => self.fx.flow.labels[label].defined = Some((name.span, around)),
        }
        let inner = match &inner.kind {
            tree::StmtKind::Block(block) => crate::hir::Stmt {
                kind: StmtKind::Block(self.block(block, Some(name))),
                span: inner.span,
            },
            _ => self.stmt(inner),
        };
        StmtKind::Label(label, Box::new(inner))
    }

    /// `case 7: s` within a statement: its switch has a `goto` to it.
    pub(super) fn inner_case(&mut self, case: &tree::InnerCase) -> StmtKind {
        let label = self.fx.flow.label(case.label.name);
        self.fx.flow.labels[label].case = true;
        self.labelled(case.label, &case.stmt)
    }

    pub(super) fn goto(&mut self, name: Ident) -> StmtKind {
        let label = self.fx.flow.label(name.name);
        let around = self.fx.flow.barriers.clone();
        self.fx.flow.labels[label].gotos.push((name.span, around));
        StmtKind::Goto(label)
    }

    /// The labels of the function whose statements are all checked; reports jumps that have no target or a forbidden
    /// one.
    pub(crate) fn finish_labels(&mut self) -> IndexVec<LabelId, Symbol> {
        let flow = std::mem::take(&mut self.fx.flow);
        for (id, label) in flow.labels.iter_enumerated() {
            let name = flow.names[id];
            let Some((defined, inside)) = &label.defined else {
                if let Some((span, _)) = label.gotos.first() {
                    let text = format!("there is no label `{name}` in this function");
                    self.error(Diagnostic::error("E0705", text, *span));
                }
                continue;
            };
            for (span, around) in &label.gotos {
                if let Some(entered) = inside.iter().find(|entered| !around.contains(entered)) {
                    self.forbidden_jump(name, label.case, (*span, *defined), *entered);
                }
            }
        }
        flow.names
    }

    fn forbidden_jump(
        &mut self,
        name: Symbol,
        case: bool,
        (span, defined): (Span, Span),
        entered: Entered,
    ) {
        let (what, label) = match entered.barrier {
            Barrier::Region => ("the scope of a region", "the region is opened here"),
            Barrier::Try => ("a `try`", "the handlers are set up here"),
            Barrier::Clause => ("a clause that binds variables", "they are bound here"),
            Barrier::StatementExpr => ("a statement expression", "it begins here"),
        };
        let text = match case {
            true => format!("this case lies within {what}, into which no `switch` jumps"),
            false => format!("`goto {name}` jumps into {what}"),
        };
        let mut error = Diagnostic::error("E0706", text, span).secondary(entered.span, label);
        if !case {
            error = error.secondary(defined, "the label stands here");
        }
        self.error(error);
    }
}
