//! Initialisers of what was initialised before: the later one counts (C11 6.7.9p19), as far as it goes.

use super::list::{part, Aggregate, Node, Step};
use super::Target;
use crate::checker::Checker;
use crate::hir::{Expr, ExprKind, Init, InitElem};
use crate::ty::{Type, TypeId};
use tenure_span::{Diagnostic, Span};
use tenure_syntax::tree;

/// The value that a path of designators leads to. It is checked once, however many parts of a range take it.
pub(super) enum Value<'t> {
    Source(&'t tree::Expr),
    Checked(Init),
}

impl Checker<'_> {
    /// Puts a value at the end of a path of designators, over what was there.
    pub(super) fn set(
        &mut self,
        whole: &mut Aggregate,
        steps: &[Step],
        value: &mut Value,
        target: Target,
    ) {
        let Some((&step, rest)) = steps.split_first() else { return };
        let (ty, name, declared) = part(&whole.shape, step, target);
        let inner = Target { name, declared };
        if rest.is_empty() {
            let init = match value {
                Value::Source(source) => self.init_object(source, ty.ty, inner),
                Value::Checked(init) => init.clone(),
            };
            *value = Value::Checked(init.clone());
            put(whole, step, Node::Leaf(init));
            return;
        }
        let span = match value {
            Value::Source(source) => source.span,
            Value::Checked(init) => init.span,
        };
        for (piece, old) in carve(whole, step) {
            let mut child = match old {
                Some(old) => self.reopen(old, span),
                None => Aggregate::new(self.shape(ty.ty, None, span)),
            };
            self.set(&mut child, rest, value, inner);
            put(whole, piece, Node::Aggregate(child));
        }
    }

    /// What was initialised as a whole, as parts, of which one is about to change.
    fn reopen(&mut self, node: Node, span: Span) -> Aggregate {
        let init = match node {
            Node::Aggregate(aggregate) => return aggregate,
            Node::Leaf(init) => init,
        };
        let mut opened = Aggregate::new(self.shape(init.ty, None, span));
        let hides = matches!(*self.kind(init.ty), Type::Record(record, _) if !self.types.records[record].existentials.is_empty());
        let parts: Vec<(Step, Init)> = match init.kind {
            InitElem::Zero => Vec::new(),
            InitElem::Record(fields) if !hides => {
                fields.into_iter().map(|(at, part)| ((at.into(), at.into()), part)).collect()
            }
            InitElem::Array(elems) => elems,
            InitElem::String { ref units, .. } => self.characters(units, &opened, init.span),
            _ => {
                let text = "this changes a part of what was given as one value";
                let error = Diagnostic::error("E0345", text, span)
                    .secondary(init.span, "all of it is initialised here")
                    .help("initialise each part, or assign to the one afterwards");
                self.error(error);
                Vec::new()
            }
        };
        for (step, part) in parts {
            put(&mut opened, step, Node::Leaf(part));
        }
        opened
    }

    /// A literal's characters as elements of an array; its own zero may have no room there.
    fn characters(&mut self, units: &[u32], array: &Aggregate, span: Span) -> Vec<(Step, Init)> {
        let Some(elem) = array.shape.elem else { return Vec::new() };
        let room = array.shape.len.unwrap_or(u64::MAX);
        let character = |(at, unit): (u64, &u32)| ((at, at), self.character(*unit, elem.ty, span));
        (0..room).zip(units).map(character).collect()
    }

    fn character(&self, unit: u32, ty: TypeId, span: Span) -> Init {
        let value = i128::from(unit);
        let value = self.integer_of(ty).map_or(value, |int| int.wrap(value));
        let value = Expr::value(ExprKind::Int(value), ty, span);
        Init { kind: InitElem::Expr(value), ty, span }
    }
}

/// Takes out what is there for the step, in pieces of which each has one value so far or none.
fn carve(whole: &mut Aggregate, (first, last): Step) -> Vec<(Step, Option<Node>)> {
    if whole.end <= first {
        return vec![((first, last), None)];
    }
    let mut inside = Vec::new();
    let mut kept = Vec::with_capacity(whole.parts.len());
    for ((low, high), old) in whole.parts.drain(..) {
        if high < first || last < low {
            kept.push(((low, high), old));
            continue;
        }
        if low < first {
            kept.push(((low, first - 1), old.clone()));
        }
        if last < high {
            kept.push(((last + 1, high), old.clone()));
        }
        inside.push(((low.max(first), high.min(last)), Some(old)));
    }
    whole.parts = kept;
    inside.sort_by_key(|(step, _)| *step);
    let mut pieces = Vec::with_capacity(inside.len() + 1);
    let mut next = first;
    for ((low, high), old) in inside {
        if next < low {
            pieces.push(((next, low - 1), None));
        }
        next = high.saturating_add(1);
        pieces.push(((low, high), old));
    }
    if next <= last {
        pieces.push(((next, last), None));
    }
    pieces
}

/// Puts a part in; what was there before for the same sub-objects is dropped.
pub(super) fn put(whole: &mut Aggregate, step: Step, child: Node) {
    if whole.shape.is_union {
        whole.parts.clear();
    }
    carve(whole, step);
    whole.end = whole.end.max(step.1.saturating_add(1));
    whole.parts.push((step, child));
}
