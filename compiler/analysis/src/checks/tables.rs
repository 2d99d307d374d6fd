//! Globals that keep their initial values: constants, and what only this unit can name and nothing of it stores to.

use std::cell::RefCell;
use tenure_core::{
    Const, Expr, ExprKind, GlobalId, Initializer, Linkage, Place, PlaceKind, Program, StmtKind, Ty,
    TyId, Visitor,
};
use tenure_span::FastMap;

/// What is true of every value that a part of a table holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Content {
    pub lo: i128,
    pub hi: i128,
    /// For pointers to zero-terminated strings: none has more elements, with the zero.
    pub longest: Option<u64>,
}

/// A step from a table to a part of it; elements are not told apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Step {
    Field(u32),
    Element,
}

/// Contents of parts, by global and way.
type Known = FastMap<(GlobalId, Vec<Step>), Option<Content>>;

pub struct Tables {
    fixed: Vec<bool>,
    known: RefCell<Known>,
}

impl Tables {
    pub fn new(program: &Program, whole_program: bool) -> Tables {
        let mut changed = Changed(vec![false; program.globals.len()]);
        for function in &program.functions {
            changed.block(&function.body);
        }
        for global in &program.globals {
            if let Some(init) = &global.init {
                tenure_core::walk_initializer(&mut changed, init);
            }
        }
        let fixed = program.globals.iter_enumerated().map(|(id, global)| {
            let here = !matches!(global.linkage, Linkage::Import | Linkage::Weak);
            let own = global.linkage == Linkage::Internal || whole_program;
            let kept = own && !changed.0[id.index()];
            here && !global.is_volatile && (global.is_const || kept)
        });
        Tables { fixed: fixed.collect(), known: RefCell::default() }
    }

    /// What holds of the scalar at `place`, if it is a part of a global that never changes.
    pub fn content(&self, program: &Program, place: &Place) -> Option<Content> {
        let PlaceKind::Global(id) = place.root().kind else { return None };
        if !self.fixed[id.index()] {
            return None;
        }
        let mut steps = Vec::new();
        let mut at = place;
        loop {
            match &at.kind {
                PlaceKind::Field(base, field) => {
                    steps.push(Step::Field(*field));
                    at = base;
                }
                PlaceKind::Index(base, _) => {
                    steps.push(Step::Element);
                    at = base;
                }
                _ => break,
            }
        }
        steps.reverse();
        let key = (id, steps);
        if let Some(known) = self.known.borrow().get(&key) {
            return *known;
        }
        let global = &program.globals[id];
        let content = match &global.init {
            Some(init) => summary(program, init, global.ty, &key.1),
            None => Some(ZERO),
        };
        self.known.borrow_mut().insert(key, content);
        content
    }
}

const ZERO: Content = Content { lo: 0, hi: 0, longest: None };

fn join(a: Option<Content>, b: Option<Content>) -> Option<Content> {
    let (a, b) = (a?, b?);
    let longest = match (a.longest, b.longest) {
        (Some(a), Some(b)) => Some(a.max(b)),
        _ => None,
    };
    Some(Content { lo: a.lo.min(b.lo), hi: a.hi.max(b.hi), longest })
}

fn summary(program: &Program, init: &Initializer, ty: TyId, steps: &[Step]) -> Option<Content> {
    let Some((step, rest)) = steps.split_first() else { return scalar(program, init) };
    match (step, init, program.types.get(ty)) {
        (Step::Field(k), Initializer::Record(parts), Ty::Record(id)) => {
            let record = &program.types.records[*id];
            if record.kind == tenure_core::RecordKind::Union {
                return None;
            }
            let field = record.fields.as_ref()?.get(*k as usize)?;
            // What does not fit a bit-field is another number when it is read.
            if field.bits.is_some() {
                return None;
            }
            match parts.iter().find(|(n, _)| n == k) {
                Some((_, part)) => summary(program, part, field.ty, rest),
                None => Some(ZERO),
            }
        }
        (Step::Element, Initializer::Array(parts), Ty::Array { of, len }) => {
            let mut filled = 0;
            let mut all: Option<Option<Content>> = None;
            for (_, part) in parts {
                let (count, inner) = match part {
                    Initializer::Repeat { from, to, value } => (to - from + 1, value.as_ref()),
                    part => (1, part),
                };
                filled += count;
                let one = summary(program, inner, *of, rest);
                all = Some(all.map_or(one, |all| join(all, one)));
            }
            // What is not initialised is zero.
            if filled < *len {
                all = Some(all.map_or(Some(ZERO), |all| join(all, Some(ZERO))));
            }
            all.flatten()
        }
        (Step::Element, Initializer::Bytes(id), Ty::Array { .. }) => {
            let units = &program.strings.get(*id)?.units;
            let hi = units.iter().map(|&unit| i128::from(unit)).max().unwrap_or(0);
            // Above 127, whether a character is negative depends on its type.
            (hi < 128).then_some(Content { lo: 0, hi, longest: None })
        }
        _ => None,
    }
}

fn scalar(program: &Program, init: &Initializer) -> Option<Content> {
    let Initializer::Value(expr) = init else { return None };
    let mut expr = expr;
    while let ExprKind::Cast(tenure_core::CastKind::PtrView, inner) = &expr.kind {
        expr = inner;
    }
    let address = Content { lo: 1, hi: i128::from(u64::MAX), longest: None };
    match &expr.kind {
        ExprKind::Const(Const::Int(n)) => {
            let int = crate::constant::int_of(program, expr.ty)?;
            crate::constant::bounds(int)?;
            let n = crate::constant::wrap(*n, int);
            Some(Content { lo: n, hi: n, longest: None })
        }
        ExprKind::Const(Const::Zero) => Some(ZERO),
        ExprKind::Const(Const::Str(id)) => {
            let longest = program.strings.get(*id).map(|s| s.units.len() as u64 + 1);
            Some(Content { longest, ..address })
        }
        ExprKind::Const(Const::Function(_)) | ExprKind::AddrOf(_) => Some(address),
        _ => None,
    }
}

/// Globals that some statement stores to or takes the address of.
struct Changed(Vec<bool>);

impl Changed {
    fn place_changes(&mut self, place: &Place) {
        if let PlaceKind::Global(id) = place.root().kind {
            self.0[id.index()] = true;
        }
    }
}

impl Visitor for Changed {
    fn stmt(&mut self, stmt: &tenure_core::Stmt) {
        if let StmtKind::Open { key, .. } | StmtKind::Close { key, .. } = &stmt.kind {
            self.place_changes(key);
        }
        tenure_core::walk_stmt(self, stmt);
    }

    fn dest(&mut self, place: &Place) {
        self.place_changes(place);
        self.place(place);
    }

    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::AddrOf(place) = &expr.kind {
            self.place_changes(place);
        }
        tenure_core::walk_expr(self, expr);
    }
}
