//! Bounds of integer globals that only this unit can name and whose address nobody takes.
//!
//! A global has its initial value or one that some statement of the unit stores; so if all stores keep within bounds,
//! provided that the global was within them before, it always is. The bounds start at the initial value and are widened, as
//! stores ask for it, to sizes of arrays, which counters and stack pointers end at.

use crate::constant::{bounds, int_of, wrap};
use std::collections::BTreeSet;
use tenure_core::{
    Check, CheckKind, Const, Expr, ExprKind, FunctionId, GlobalId, Initializer, Linkage, Place,
    PlaceKind, Program, Visitor,
};
use tenure_span::{FastMap, FastSet};

/// Joins after which bounds are widened, and after which they are given up.
const EXACT: u32 = 3;
const MOST: u32 = 10;

#[derive(Clone, Copy, Debug)]
struct Bounds {
    lo: i128,
    hi: i128,
    all: (i128, i128),
    joins: u32,
}

#[derive(Default)]
pub struct Globals {
    followed: FastMap<GlobalId, Bounds>,
    readers: FastMap<GlobalId, BTreeSet<FunctionId>>,
    storing: FastSet<FunctionId>,
    /// Sizes of arrays, ascending.
    sizes: Vec<i128>,
}

impl Globals {
    pub fn new(program: &Program, whole_program: bool) -> Globals {
        let mut scan =
            Scan { globals: Globals::default(), taken: FastSet::default(), function: None };
        for function in &program.functions {
            scan.function = Some(function.id);
            scan.block(&function.body);
        }
        scan.function = None;
        for global in &program.globals {
            if let Some(init) = &global.init {
                tenure_core::walk_initializer(&mut scan, init);
            }
        }
        let Scan { mut globals, taken, .. } = scan;
        globals.sizes.sort_unstable();
        globals.sizes.dedup();
        for (id, global) in program.globals.iter_enumerated() {
            let own = global.linkage == Linkage::Internal
                || whole_program && global.linkage == Linkage::External;
            let Some(all) = int_of(program, global.ty).and_then(bounds) else { continue };
            if !own || global.is_volatile || global.thread_local || taken.contains(&id) {
                continue;
            }
            let first = match &global.init {
                None => Some(0),
                Some(Initializer::Value(Expr { kind: ExprKind::Const(Const::Int(n)), ty })) => {
                    int_of(program, *ty).map(|int| wrap(*n, int))
                }
                Some(_) => None,
            };
            if let Some(n) = first.filter(|n| all.0 <= *n && *n <= all.1) {
                globals.followed.insert(id, Bounds { lo: n, hi: n, all, joins: 0 });
            }
        }
        globals
    }

    /// Bounds of the global's value at any time.
    pub fn range(&self, place: &Place) -> Option<(i128, i128)> {
        let PlaceKind::Global(id) = place.kind else { return None };
        self.followed.get(&id).map(|bounds| (bounds.lo, bounds.hi))
    }

    /// The global behind a place, if stores to it matter.
    pub fn followed(&self, place: &Place) -> Option<GlobalId> {
        match place.kind {
            PlaceKind::Global(id) if self.followed.contains_key(&id) => Some(id),
            _ => None,
        }
    }

    /// Whether the function may store to a followed global.
    pub fn is_storing(&self, id: FunctionId) -> bool {
        self.storing.contains(&id)
    }

    /// Takes in a stored value; the functions to look at again, if the bounds changed.
    pub fn store(&mut self, id: GlobalId, (lo, hi): (i128, i128)) -> Vec<FunctionId> {
        let Some(bounds) = self.followed.get_mut(&id) else { return Vec::new() };
        let (lo, hi) = (lo.max(bounds.all.0), hi.min(bounds.all.1));
        // A store that no execution comes to.
        if lo > hi || (lo >= bounds.lo && hi <= bounds.hi) {
            return Vec::new();
        }
        bounds.joins += 1;
        if lo < bounds.lo {
            bounds.lo = match bounds.joins {
                ..=EXACT => lo,
                ..=MOST if lo >= 0 => 0,
                ..=MOST if lo >= -1 => -1,
                _ => bounds.all.0,
            };
        }
        if hi > bounds.hi {
            let end = self.sizes.iter().copied().find(|&size| size >= hi);
            bounds.hi = match (bounds.joins, end) {
                (..=EXACT, _) => hi,
                (..=MOST, Some(end)) => end.min(bounds.all.1),
                _ => bounds.all.1,
            };
        }
        self.readers.get(&id).map(|set| set.iter().copied().collect()).unwrap_or_default()
    }
}

struct Scan {
    globals: Globals,
    taken: FastSet<GlobalId>,
    function: Option<FunctionId>,
}

impl Visitor for Scan {
    fn check(&mut self, check: &Check) {
        if let CheckKind::Index { size, .. } = &check.kind {
            if let ExprKind::Const(Const::Int(n)) = size.kind {
                self.globals.sizes.extend([n - 1, n]);
            }
        }
        tenure_core::walk_check(self, check);
    }

    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::AddrOf(place) = &expr.kind {
            if let PlaceKind::Global(id) = place.root().kind {
                self.taken.insert(id);
            }
        }
        tenure_core::walk_expr(self, expr);
    }

    fn place(&mut self, place: &Place) {
        if let (PlaceKind::Global(id), Some(function)) = (&place.kind, self.function) {
            self.globals.readers.entry(*id).or_default().insert(function);
        }
        tenure_core::walk_place(self, place);
    }

    fn dest(&mut self, place: &Place) {
        if let (PlaceKind::Global(_), Some(function)) = (&place.kind, self.function) {
            self.globals.storing.insert(function);
        }
        self.place(place);
    }
}
