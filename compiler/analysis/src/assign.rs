//! # Definite assignment
//!
//! Goal: nothing is read before it is assigned. Partition: each user's local is one unit, a record one per field, an
//! array one as a whole ([`crate::units`]); entering a scope takes the values of its locals away. Property: where no
//! error is reported, every way to a read of a unit assigns it first, or the local is zero at the entry of its scope.
//! That is chosen only where no way to tell is left: for arrays, which are assigned element by element, and for locals
//! whose address is used before they are assigned; and only if zero is a value of the type. Removes: nothing.

use crate::bits::Bits;
use crate::cfg::{BlockId, Cfg, Item};
use crate::dataflow::{forward, Problem};
use crate::order::Order;
use crate::units::{Part, Units};
use std::collections::BTreeSet;
use tenure_core::{Expr, ExprKind, Function, LocalId, Place, Program, Stmt, StmtKind, Visitor};
use tenure_span::{Diagnostic, Sink, Span};

/// Reports reads of what was not assigned; gives the locals that must be zero at the entry of their scope.
pub fn report(
    program: &Program,
    function: &Function,
    cfg: &Cfg,
    order: &Order,
    sink: &Sink,
) -> Vec<LocalId> {
    let units = Units::new(program, function);
    if units.count() == 0 {
        return Vec::new();
    }
    let problem = Assigned { cfg, units: &units };
    let states = forward(cfg, order, &problem, Bits::new(units.count()));
    let mut reporter = Reporter {
        function,
        units: &units,
        ever: ever_assigned(cfg, &units),
        sink,
        reported: BTreeSet::new(),
        zeroed: BTreeSet::new(),
        span: Span::NONE,
    };
    for &block in &order.rpo {
        let Some(mut state) = states[block].clone() else { continue };
        for item in &cfg.blocks[block].items {
            reporter.span = span_of(item).unwrap_or(function.end);
            step(item, &units, &mut state, &mut reporter);
        }
    }
    reporter.zeroed.into_iter().collect()
}

fn span_of(item: &Item) -> Option<Span> {
    match item {
        Item::Stmt(stmt) | Item::Result(stmt) => Some(stmt.span),
        Item::Check(_, check, _) => Some(check.span),
        Item::Test(_, span) => Some(*span),
        Item::Enter(_) | Item::Leave(..) | Item::Caught(_) => None,
    }
}

struct Assigned<'p, 'a> {
    cfg: &'p Cfg<'a>,
    units: &'p Units<'a>,
}

impl Problem for Assigned<'_, '_> {
    type State = Bits;

    fn join(&self, state: &mut Bits, other: &Bits) -> bool {
        state.intersect(other)
    }

    fn transfer(&self, block: BlockId, state: &mut Bits) {
        for item in &self.cfg.blocks[block].items {
            step(item, self.units, state, &mut Silent);
        }
    }
}

/// What is told about reads on the way through a block.
trait Listener {
    fn read(&mut self, part: Part, state: &Bits);
    /// The address of a part is taken.
    fn address(&mut self, part: &Part, state: &Bits);
}

struct Silent;

impl Listener for Silent {
    fn read(&mut self, _: Part, _: &Bits) {}
    fn address(&mut self, _: &Part, _: &Bits) {}
}

/// One item: first what it reads, then what it assigns.
fn step<L: Listener>(item: &Item, units: &Units, state: &mut Bits, listener: &mut L) {
    match *item {
        Item::Enter(locals) => {
            for &local in locals {
                for unit in units.of(local) {
                    state.remove(unit);
                }
            }
        }
        Item::Leave(..) => {}
        Item::Caught(local) => assign_local(units, state, local),
        Item::Test(expr, _) => Reads { units, state, listener }.expr(expr),
        Item::Check(_, check, _) => Reads { units, state, listener }.check(check),
        Item::Stmt(stmt) if stmt.kind.is_ownership() => {}
        Item::Stmt(stmt) => {
            tenure_core::walk_operands(&mut Reads { units, state, listener }, stmt);
            statement(stmt, units, state);
        }
        Item::Result(stmt) => match &stmt.kind {
            StmtKind::Call { dest: Some(place), .. } => assign(units, state, place),
            StmtKind::Alloc(alloc) => assign(units, state, &alloc.dest),
            StmtKind::Pin { dest, .. } => assign(units, state, dest),
            _ => {}
        },
    }
}

fn statement(stmt: &Stmt, units: &Units, state: &mut Bits) {
    match &stmt.kind {
        StmtKind::Assign(place, _) | StmtKind::Init(place, _) | StmtKind::Zero(place) => {
            assign(units, state, place);
        }
        StmtKind::Open { handle, .. } => assign_local(units, state, *handle),
        _ => {}
    }
}

fn assign_local(units: &Units, state: &mut Bits, local: LocalId) {
    for unit in units.of(local) {
        state.insert(unit);
    }
}

fn assign(units: &Units, state: &mut Bits, place: &Place) {
    if let Some(part) = units.part(place) {
        if part.covers {
            part.units.for_each(|unit| state.insert(unit));
        }
    }
}

struct Reads<'s, 'u, L> {
    units: &'s Units<'u>,
    state: &'s mut Bits,
    listener: &'s mut L,
}

impl<L: Listener> Visitor for Reads<'_, '_, L> {
    fn expr(&mut self, expr: &Expr) {
        tenure_core::walk_expr(self, expr);
        match &expr.kind {
            ExprKind::Load(place) => {
                if let Some(part) = self.units.part(place) {
                    self.listener.read(part, self.state);
                }
            }
            ExprKind::AddrOf(place) => {
                if let Some(part) = self.units.part(place) {
                    self.listener.address(&part, self.state);
                    // Whoever has the address may assign it; until then it is zero.
                    part.units.for_each(|unit| self.state.insert(unit));
                }
            }
            _ => {}
        }
    }
}

/// Units that some statement assigns at least a part of, or whose address is taken.
fn ever_assigned(cfg: &Cfg, units: &Units) -> Bits {
    struct Ever<'u, 'a> {
        units: &'u Units<'a>,
        bits: Bits,
    }
    impl Ever<'_, '_> {
        fn add(&mut self, place: &Place) {
            if let Some(part) = self.units.part(place) {
                part.units.for_each(|unit| self.bits.insert(unit));
            }
        }
    }
    impl Visitor for Ever<'_, '_> {
        fn dest(&mut self, place: &Place) {
            self.add(place);
            self.place(place);
        }
        fn expr(&mut self, expr: &Expr) {
            if let ExprKind::AddrOf(place) = &expr.kind {
                self.add(place);
            }
            tenure_core::walk_expr(self, expr);
        }
    }
    let mut ever = Ever { units, bits: Bits::new(units.count()) };
    for block in &cfg.blocks {
        for item in &block.items {
            match *item {
                Item::Stmt(stmt) => tenure_core::walk_operands(&mut ever, stmt),
                Item::Check(_, check, _) => ever.check(check),
                Item::Test(expr, _) => ever.expr(expr),
                Item::Result(_) | Item::Enter(_) | Item::Leave(..) | Item::Caught(_) => {}
            }
        }
    }
    ever.bits
}

struct Reporter<'r, 'a> {
    function: &'a Function,
    units: &'r Units<'a>,
    ever: Bits,
    sink: &'r Sink,
    /// Locals that were complained about: once is enough.
    reported: BTreeSet<LocalId>,
    zeroed: BTreeSet<LocalId>,
    span: Span,
}

impl Listener for Reporter<'_, '_> {
    fn read(&mut self, part: Part, state: &Bits) {
        let missing: Vec<usize> =
            part.units.clone().filter(|&unit| !state.contains(unit)).collect();
        if missing.is_empty() || self.function.locals[part.local].zero_at_entry {
            return;
        }
        let never = missing.iter().any(|&unit| !self.ever.contains(unit));
        let only_arrays = missing.iter().all(|&unit| self.units.arrays[unit]);
        if only_arrays && !never {
            self.zero(&part, state);
        } else {
            self.unassigned(&part, state, only_arrays);
        }
    }

    fn address(&mut self, part: &Part, state: &Bits) {
        if part.units.clone().any(|unit| !state.contains(unit)) {
            self.zero(part, state);
        }
    }
}

impl Reporter<'_, '_> {
    fn zero(&mut self, part: &Part, state: &Bits) {
        let local = &self.function.locals[part.local];
        if local.zeroable {
            self.zeroed.insert(part.local);
            return;
        }
        if !self.reported.insert(part.local) {
            return;
        }
        let range = part.units.clone();
        let name = self.units.name(part.local, |u| range.contains(&u) && !state.contains(u));
        let headline = format!("`{name}` is not assigned where its address or an element is used");
        self.sink.emit(
            Diagnostic::error("E0732", headline, self.span)
                .label("used here")
                .secondary(local.span, "declared here without a value")
                .note("its type contains a pointer that is never NULL, so that it cannot start as zero")
                .help("give it a value where it is declared"),
        );
    }

    fn unassigned(&mut self, part: &Part, state: &Bits, array: bool) {
        if !self.reported.insert(part.local) {
            return;
        }
        let local = &self.function.locals[part.local];
        let range = part.units.clone();
        let missing = |unit: usize| range.contains(&unit) && !state.contains(unit);
        let name = self.units.name(part.local, missing);
        let some_way = range.clone().any(|unit| missing(unit) && self.ever.contains(unit));
        let (code, headline) = if array {
            ("E0734", format!("`{name}` is read but none of its elements is ever assigned"))
        } else if some_way {
            ("E0731", format!("`{name}` may be used before it is assigned"))
        } else {
            ("E0731", format!("`{name}` is used but never assigned"))
        };
        let mut diagnostic = Diagnostic::error(code, headline, self.span)
            .label("used here")
            .secondary(local.span, "declared here without a value");
        if some_way {
            diagnostic = diagnostic.note("not every way from the declaration to here assigns it");
        }
        self.sink.emit(diagnostic.help("give it a value where it is declared"));
    }
}
