//! Brace lists: designators, brace elision, overriding.

use super::overriding::{put, Value};
use super::Target;
use crate::checker::{Checker, Why};
use crate::hir::{Expr, ExprKind, Init, InitElem};
use crate::ty::{ArrayLen, FieldDef, GenericArg, QualType, RecordSort, Type, TypeId};
use tenure_span::{Diagnostic, FastSet, Span, Symbol};
use tenure_syntax::tree::{self, Designator, ExprKind as K, InitItem};

/// An initialiser that is being put together.
#[derive(Clone)]
pub(super) enum Node {
    Leaf(Init),
    Aggregate(Aggregate),
}

#[derive(Clone)]
pub(super) struct Aggregate {
    pub(super) shape: Shape,
    /// What was given so far, in order of evaluation.
    pub(super) parts: Vec<(Step, Node)>,
    /// Behind the last part of which something was given.
    pub(super) end: u64,
}

impl Aggregate {
    pub(super) fn new(shape: Shape) -> Aggregate {
        Aggregate { shape, parts: Vec::new(), end: 0 }
    }
}

/// What an aggregate consists of.
#[derive(Clone)]
pub(super) struct Shape {
    pub(super) ty: TypeId,
    span: Span,
    /// Of a record or tuple.
    fields: Vec<QualType>,
    defs: Vec<FieldDef>,
    pub(super) is_union: bool,
    /// Of an array.
    pub(super) elem: Option<QualType>,
    pub(super) len: Option<u64>,
}

/// From an aggregate to parts of it: the first and the last, which for fields are the same.
pub(super) type Step = (u64, u64);

/// The items of one pair of braces, read from the left.
struct Items<'t> {
    rest: &'t [InitItem],
    /// The first item's value, if it was evaluated to see whether it is for a whole aggregate.
    evaluated: Option<Expr>,
}

impl<'t> Items<'t> {
    fn next(&mut self) {
        self.rest = &self.rest[1..];
        self.evaluated = None;
    }
}

impl Checker<'_> {
    pub(super) fn braced(
        &mut self,
        items: &[InitItem],
        ty: TypeId,
        explicit: Option<Vec<GenericArg>>,
        target: Target,
        span: Span,
    ) -> Init {
        if !self.is_aggregate(ty) {
            return self.braced_scalar(items, ty, target, span);
        }
        if let [InitItem { designators, value }] = items {
            // C11 6.7.9p14: a literal for an array of characters may be in braces.
            let string = matches!(value.peel().kind, K::Str(_)) && self.is_for_whole(value, ty);
            if designators.is_empty() && string {
                return self.init_object(value, ty, target);
            }
        }
        let shape = self.shape(ty, explicit, span);
        if let Type::Record(record, _) = *self.kind(ty) {
            if self.types.records[record].fields.is_none() {
                let text = format!("`{}` is not defined here, only declared", self.show_type(ty));
                self.error(Diagnostic::error("E0434", text, span));
                return Init { kind: InitElem::Zero, ty, span };
            }
        }
        let mut items = Items { rest: items, evaluated: None };
        let node = self.fill(&mut items, shape, true, target);
        self.finish_node(node)
    }

    fn is_aggregate(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), Type::Record(..) | Type::Tuple(_) | Type::Array { .. })
    }

    /// `{3}` for a scalar; `{}` is zero.
    fn braced_scalar(
        &mut self,
        items: &[InitItem],
        ty: TypeId,
        target: Target,
        span: Span,
    ) -> Init {
        let plain = items.iter().all(|item| item.designators.is_empty());
        match items {
            [] => {
                if let Err(reason) = self.zero_is_value(ty) {
                    self.missing(ty, reason, target.name, target.declared, span);
                }
                Init { kind: InitElem::Zero, ty, span }
            }
            [item] if plain => self.init_object(&item.value, ty, target),
            _ => {
                let text =
                    format!("a `{}` is initialised by one value, found a list", self.show_type(ty));
                self.error(Diagnostic::error("E0343", text, span));
                Init { kind: InitElem::Zero, ty, span }
            }
        }
    }

    pub(super) fn shape(
        &mut self,
        ty: TypeId,
        explicit: Option<Vec<GenericArg>>,
        span: Span,
    ) -> Shape {
        let (mut defs, mut is_union, mut elem, mut len) = (Vec::new(), false, None, None);
        match *self.kind(ty) {
            Type::Record(record, _) => {
                let def = &self.types.records[record];
                is_union = def.sort != RecordSort::Struct;
                defs = def.fields.clone().unwrap_or_default();
            }
            Type::Array { elem: of, len: known, .. } => {
                elem = Some(of);
                len = match known {
                    ArrayLen::Known(size) => self.size_value(size),
                    ArrayLen::Incomplete => None,
                };
            }
            _ => {}
        }
        let fields = self.fields_to_initialise(ty, explicit, span);
        Shape { ty, span, fields, defs, is_union, elem, len }
    }

    /// Initialises the parts of an aggregate from the items, its own (between braces) or those that an enclosing list
    /// has left.
    fn fill(&mut self, items: &mut Items, shape: Shape, braces: bool, target: Target) -> Node {
        let mut whole = Aggregate::new(shape);
        let mut position = 0;
        // Where the last designator led, if that was further in than a part of this aggregate.
        let mut inside: Vec<Step> = Vec::new();
        while let Some(item) = items.rest.first() {
            let span = item.value.span;
            if let Some((first, rest)) = item.designators.split_first() {
                if !braces {
                    break;
                }
                let Some(steps) = self.resolve_designators(&whole.shape, first, rest) else {
                    self.expr_of_skipped(&item.value);
                    items.next();
                    continue;
                };
                position = steps[0].1.saturating_add(1);
                let mut value = Value::Source(&item.value);
                self.set(&mut whole, &steps, &mut value, target);
                inside = steps;
                items.next();
                continue;
            }
            if self.go_on_inside(&mut whole, &mut inside, items, target) {
                continue;
            }
            let Some((step, next)) = next_position(&whole.shape, position) else {
                if !braces {
                    break;
                }
                let text =
                    format!("too many initialisers for `{}`", self.show_type(whole.shape.ty));
                self.error(Diagnostic::error("E0344", text, span));
                break;
            };
            let (ty, name, declared) = part(&whole.shape, step, target);
            let child = self.part_from(items, ty, Target { name, declared });
            put(&mut whole, step, child);
            position = next;
        }
        Node::Aggregate(whole)
    }

    /// After a designator that leads further in the list goes on there, then in what is around that (C11 6.7.9p17).
    /// Returns whether an item was used.
    fn go_on_inside(
        &mut self,
        whole: &mut Aggregate,
        inside: &mut Vec<Step>,
        items: &mut Items,
        target: Target,
    ) -> bool {
        while let [path @ .., last] = &inside[..] {
            if path.is_empty() {
                break;
            }
            let next = inner(whole, path).and_then(|part_of| {
                let (step, _) = next_position(&part_of.shape, last.1.saturating_add(1))?;
                Some((step, part(&part_of.shape, step, target)))
            });
            let Some((step, (ty, name, declared))) = next else {
                inside.pop();
                continue;
            };
            if path.iter().any(|(first, last)| first != last) {
                let text = "which member this is for is not clear after a range of elements";
                let error = Diagnostic::error("E0345", text, items.rest[0].value.span)
                    .help("give this value a designator too");
                self.error(error);
                self.expr_of_skipped(&items.rest[0].value);
                items.next();
                return true;
            }
            let child = self.part_from(items, ty, Target { name, declared });
            if let Some(part_of) = inner(whole, path) {
                put(part_of, step, child);
            }
            if let Some(last) = inside.last_mut() {
                *last = step;
            }
            return true;
        }
        false
    }

    /// Names in a value that is not used are checked all the same.
    fn expr_of_skipped(&mut self, value: &tree::Expr) {
        if !matches!(value.peel().kind, K::InitList(_) | K::Comprehension(_)) {
            self.expr(value, None);
        }
    }

    /// The initialiser of the part whose turn it is: the next item, or if that is for a part of the part, as many items
    /// as it takes.
    fn part_from(&mut self, items: &mut Items, ty: QualType, target: Target) -> Node {
        let item = &items.rest[0];
        let value = &item.value;
        let why = Why::Init { name: target.name, declared: target.declared };
        if !self.is_aggregate(ty.ty) {
            let init = match items.evaluated.take() {
                Some(evaluated) => {
                    let span = evaluated.span;
                    let evaluated = self.coerce(evaluated, ty.ty, why);
                    Init { kind: InitElem::Expr(evaluated), ty: ty.ty, span }
                }
                None => self.init_object(value, ty.ty, target),
            };
            items.next();
            return Node::Leaf(init);
        }
        if items.evaluated.is_none() && self.is_for_whole(value, ty.ty) {
            let init = self.init_object(value, ty.ty, target);
            items.next();
            return Node::Leaf(init);
        }
        let literal =
            matches!(value.peel().kind, K::Null | K::Int(_) | K::Str(_) | K::Char(_) | K::Float(_));
        let is_array = matches!(self.kind(ty.ty), Type::Array { .. });
        if items.evaluated.is_none() && !literal && !is_array {
            items.evaluated = Some(self.expr(value, Some(ty.ty)));
        }
        if let (Some(evaluated), false) = (&items.evaluated, is_array) {
            if self.is_error_type(evaluated.ty) || self.same_shape(evaluated.ty, ty.ty) {
                let span = evaluated.span;
                let evaluated = self.coerce(evaluated.clone(), ty.ty, why);
                items.next();
                return Node::Leaf(Init { kind: InitElem::Expr(evaluated), ty: ty.ty, span });
            }
        }
        let shape = self.shape(ty.ty, None, value.span);
        if shape.elem.is_some() && shape.len.is_none() {
            self.flexible_member(value.span);
            items.next();
            return Node::Leaf(Init { kind: InitElem::Zero, ty: ty.ty, span: value.span });
        }
        let before = items.rest.len();
        let node = self.fill(items, shape, false, target);
        if items.rest.len() == before {
            // An aggregate without parts takes nothing.
            items.next();
        }
        node
    }

    fn is_for_whole(&self, value: &tree::Expr, ty: TypeId) -> bool {
        match &value.peel().kind {
            K::InitList(_) | K::Comprehension(_) => true,
            K::Str(_) => match self.kind(ty) {
                Type::Array { elem, .. } => self.integer_of(elem.ty).is_some(),
                _ => false,
            },
            _ => false,
        }
    }

    fn resolve_designators(
        &mut self,
        shape: &Shape,
        first: &Designator,
        rest: &[Designator],
    ) -> Option<Vec<Step>> {
        let mut steps = self.resolve_designator(shape.ty, shape.len, first)?;
        let mut ty = shape.ty;
        for step in &steps {
            ty = self.step_type(ty, *step)?;
        }
        for designator in rest {
            let len = match *self.kind(ty) {
                Type::Array { len: ArrayLen::Known(size), .. } => self.size_value(size),
                _ => None,
            };
            let more = self.resolve_designator(ty, len, designator)?;
            for step in &more {
                ty = self.step_type(ty, *step)?;
            }
            steps.extend(more);
        }
        Some(steps)
    }

    fn step_type(&self, ty: TypeId, step: Step) -> Option<TypeId> {
        match self.kind(ty) {
            Type::Record(record, _) => {
                let fields = self.types.records[*record].fields.as_ref()?;
                Some(fields.get(step.0 as usize)?.ty.ty)
            }
            Type::Tuple(fields) => Some(fields.get(step.0 as usize)?.ty),
            Type::Array { elem, .. } => Some(elem.ty),
            _ => None,
        }
    }

    fn resolve_designator(
        &mut self,
        ty: TypeId,
        len: Option<u64>,
        designator: &Designator,
    ) -> Option<Vec<Step>> {
        match designator {
            Designator::Field(name) => {
                if let Some(path) = self.member_path(ty, name.name) {
                    return Some(path.into_iter().map(|i| (u64::from(i), u64::from(i))).collect());
                }
                if !self.is_error_type(ty) {
                    let text = format!("`{}` has no member `{}`", self.show_type(ty), name.name);
                    self.error(Diagnostic::error("E0309", text, name.span));
                }
                None
            }
            Designator::Position(number, span) => {
                let count = match self.kind(ty) {
                    Type::Tuple(fields) => fields.len(),
                    _ => 0,
                };
                if (*number as usize) < count {
                    return Some(vec![(u64::from(*number), u64::from(*number))]);
                }
                let text = format!("`{}` has no element `.{number}`", self.show_type(ty));
                self.error(Diagnostic::error("E0309", text, *span));
                None
            }
            Designator::Index(index) => {
                let index = self.element_number(ty, len, index)?;
                Some(vec![(index, index)])
            }
            Designator::Range(low, high) => {
                let (first, last) =
                    (self.element_number(ty, len, low)?, self.element_number(ty, len, high)?);
                if last < first {
                    let text = "this range is empty";
                    self.error(Diagnostic::error("E0348", text, low.span.to(high.span)));
                    return None;
                }
                Some(vec![(first, last)])
            }
        }
    }

    fn element_number(&mut self, ty: TypeId, len: Option<u64>, e: &tree::Expr) -> Option<u64> {
        let value = self.eval_int_constant(e).ok()?;
        if !matches!(self.kind(ty), Type::Array { .. }) {
            let text = format!("`[…]` is for arrays, this is `{}`", self.show_type(ty));
            self.error(Diagnostic::error("E0309", text, e.span));
            return None;
        }
        // Objects have fewer than 2^32 elements, so a designator cannot make an array huge.
        let limit = len.unwrap_or(u64::from(u32::MAX));
        match u64::try_from(value) {
            Ok(value) if value < limit => Some(value),
            _ => {
                let text = format!("there is no element {value}: the array has {limit}");
                self.error(Diagnostic::error("E0348", text, e.span));
                None
            }
        }
    }

    /// The way to a member, through anonymous members.
    pub(crate) fn member_path(&self, ty: TypeId, name: Symbol) -> Option<Vec<u32>> {
        let Type::Record(record, _) = self.kind(ty) else { return None };
        let fields = self.types.records[*record].fields.as_ref()?;
        if let Some(index) = fields.iter().position(|field| field.name == Some(name)) {
            return Some(vec![index as u32]);
        }
        fields.iter().enumerate().find_map(|(index, field)| {
            if field.name.is_some() || field.bits.is_some() {
                return None;
            }
            let mut path = self.member_path(field.ty.ty, name)?;
            path.insert(0, index as u32);
            Some(path)
        })
    }

    fn finish_node(&mut self, node: Node) -> Init {
        match node {
            Node::Leaf(init) => init,
            Node::Aggregate(Aggregate { shape, parts, .. }) if shape.elem.is_some() => {
                self.finish_elems(shape, parts)
            }
            Node::Aggregate(Aggregate { shape, parts, .. }) => self.finish_fields(shape, parts),
        }
    }

    /// There is no room behind an object for elements of a flexible array member.
    fn flexible_member(&mut self, span: Span) {
        let text = "a flexible array member cannot be initialised";
        self.error(Diagnostic::error("E0346", text, span));
    }

    fn finish_fields(&mut self, shape: Shape, parts: Vec<(Step, Node)>) -> Init {
        let given: FastSet<u32> = parts.iter().map(|part| part.0 .0 as u32).collect();
        let parts = parts.into_iter().map(|(step, node)| (step.0 as u32, self.finish_node(node)));
        let fields: Vec<(u32, Init)> = parts.collect();
        for (index, init) in &fields {
            let member = shape.fields.get(*index as usize).map(|field| field.ty);
            let empty = match &init.kind {
                InitElem::Zero => true,
                InitElem::Array(elems) => elems.is_empty(),
                _ => false,
            };
            if member.is_some_and(|ty| self.is_flexible(ty)) && !empty {
                self.flexible_member(init.span);
            }
        }
        if shape.is_union {
            if given.is_empty() {
                if let Err(reason) = self.zero_is_value(shape.ty) {
                    self.missing(shape.ty, reason, None, Span::NONE, shape.span);
                }
            }
        } else {
            for (index, field) in shape.fields.iter().enumerate() {
                if given.contains(&(index as u32)) {
                    continue;
                }
                if let Err(reason) = self.zero_is_value(field.ty) {
                    let def = shape.defs.get(index);
                    let name = def.and_then(|def| def.name);
                    let declared = def.map_or(Span::NONE, |def| def.span);
                    self.missing(field.ty, reason, name, declared, shape.span);
                }
            }
        }
        Init { kind: InitElem::Record(fields), ty: shape.ty, span: shape.span }
    }

    fn finish_elems(&mut self, shape: Shape, parts: Vec<(Step, Node)>) -> Init {
        let Some(elem) = shape.elem else {
            return Init { kind: InitElem::Zero, ty: shape.ty, span: shape.span };
        };
        let parts = parts.into_iter().map(|(range, node)| (range, self.finish_node(node)));
        let elems: Vec<(Step, Init)> = parts.collect();
        let end = elems.iter().map(|((_, last), _)| last + 1).max().unwrap_or(0);
        let count: u64 = elems.iter().map(|((first, last), _)| last - first + 1).sum();
        let len = shape.len.unwrap_or(end);
        if count < len {
            if let Err(reason) = self.zero_is_value(elem.ty) {
                self.missing(elem.ty, reason, None, Span::NONE, shape.span);
            }
        }
        let zeroterm = matches!(self.kind(shape.ty), Type::Array { zeroterm: true, .. });
        if zeroterm {
            let last = elems.iter().find(|((_, last), _)| *last + 1 == len);
            let ends_in_zero = match last {
                None => len > 0,
                Some((_, Init { kind: InitElem::Zero, .. })) => true,
                Some((_, Init { kind: InitElem::Expr(e), .. })) => is_constant_zero(e),
                Some(_) => false,
            };
            if !ends_in_zero {
                let text = "the last element of a zero-terminated array must be the constant 0";
                self.error(Diagnostic::error("E0443", text, shape.span));
            }
        }
        let size = self.size_const(len);
        let ty = self.types.intern(Type::Array { elem, len: ArrayLen::Known(size), zeroterm });
        Init { kind: InitElem::Array(elems), ty, span: shape.span }
    }

    /// A part without an initialiser, whose type has no zero.
    fn missing(
        &mut self,
        ty: TypeId,
        reason: String,
        name: Option<Symbol>,
        declared: Span,
        span: Span,
    ) {
        let shown = self.show_type(ty);
        let text = match name {
            Some(name) => format!("`{name}` has no initialiser, and zero is no `{shown}`"),
            None => format!("a part has no initialiser, and zero is no `{shown}`"),
        };
        let mut error = Diagnostic::error("E0349", text, span).note(reason);
        if !declared.is_none() {
            error = error.secondary(declared, "declared here");
        }
        self.error(error);
    }
}

fn is_constant_zero(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Int(value) => *value == 0,
        ExprKind::Coerce(_, inner) => is_constant_zero(inner),
        _ => false,
    }
}

/// The part at a position, or the next one that takes an initialiser, and the position after it.
fn next_position(shape: &Shape, position: u64) -> Option<(Step, u64)> {
    if shape.elem.is_some() {
        let limit = shape.len.unwrap_or(u64::from(u32::MAX));
        return (position < limit).then_some(((position, position), position + 1));
    }
    if shape.is_union && position > 0 {
        return None;
    }
    let mut index = position as usize;
    while index < shape.fields.len() {
        // An unnamed bit-field is padding.
        let padding =
            shape.defs.get(index).is_some_and(|def| def.name.is_none() && def.bits.is_some());
        if !padding {
            return Some(((index as u64, index as u64), index as u64 + 1));
        }
        index += 1;
    }
    None
}

pub(super) fn part(shape: &Shape, step: Step, target: Target) -> (QualType, Option<Symbol>, Span) {
    if let Some(elem) = shape.elem {
        return (elem, target.name, target.declared);
    }
    let index = step.0 as usize;
    let ty = shape.fields.get(index).copied().unwrap_or(QualType::plain(shape.ty));
    match shape.defs.get(index) {
        Some(def) => (ty, def.name, def.span),
        None => (ty, None, target.declared),
    }
}

/// The aggregate at the end of a path.
fn inner<'a>(whole: &'a mut Aggregate, path: &[Step]) -> Option<&'a mut Aggregate> {
    let mut aggregate = whole;
    for step in path {
        let at = aggregate.parts.iter().position(|part| part.0 == *step)?;
        aggregate = match &mut aggregate.parts[at].1 {
            Node::Aggregate(inner) => inner,
            Node::Leaf(_) => return None,
        };
    }
    Some(aggregate)
}
