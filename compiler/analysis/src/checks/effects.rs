//! Which slots a call may store to.
//!
//! A function stores to what it or anything that it calls stores to other than in its own locals and in memory that it
//! just allocated. Calls of other objects, and through pointers, may come back to any function whose address is taken
//! or that others can name.

use super::slots::{SlotId, Slots};
use crate::bits::Bits;
use std::collections::BTreeSet;
use tenure_core::{
    Callee, FunctionId, Linkage, Place, PlaceKind, Program, Stmt, StmtKind, Visitor,
};
use tenure_span::FastMap;

#[derive(Default)]
pub struct Effects {
    by_function: FastMap<FunctionId, Bits>,
    /// Of everything that code elsewhere may call back.
    called_back: Bits,
}

impl Effects {
    /// `order`: indices of functions, callers first as far as there are no cycles; `taken`: functions whose address is
    /// taken.
    pub fn new(
        program: &Program,
        whole_program: bool,
        slots: &Slots,
        order: &[usize],
        taken: &BTreeSet<FunctionId>,
    ) -> Effects {
        if slots.count() == 0 {
            return Effects::default();
        }
        let mut own: Vec<Direct> = program
            .functions
            .iter()
            .map(|function| {
                let mut direct = Direct::new(program, slots);
                direct.block(&function.body);
                direct
            })
            .collect();
        // Of a weak function, another object may have the definition that is kept.
        let kept = program
            .functions
            .iter()
            .enumerate()
            .filter(|(_, function)| program.decls[function.id].linkage != Linkage::Weak);
        let index: FastMap<FunctionId, usize> = kept.map(|(n, f)| (f.id, n)).collect();
        let visible = |n: usize| {
            let id = program.functions[n].id;
            let linkage = program.decls[id].linkage;
            taken.contains(&id)
                || linkage == Linkage::Weak
                || !whole_program && linkage != Linkage::Internal
        };
        let mut called_back = Bits::new(slots.count());
        loop {
            let mut grew = false;
            for &n in order.iter().rev() {
                for call in own[n].calls.clone() {
                    let more = match index.get(&call) {
                        Some(&callee) => own[callee].stored.clone(),
                        None => called_back.clone(),
                    };
                    grew |= own[n].stored.union(&more);
                }
                if own[n].calls_any {
                    grew |= own[n].stored.union(&called_back);
                }
                if visible(n) {
                    grew |= called_back.union(&own[n].stored);
                }
            }
            if !grew {
                break;
            }
        }
        let stored = own.into_iter().map(|direct| direct.stored);
        let by_function = program.functions.iter().map(|f| f.id).zip(stored);
        let by_function = by_function.filter(|(id, _)| index.contains_key(id)).collect();
        Effects { by_function, called_back }
    }

    pub fn may_store(&self, callee: &Callee, slot: SlotId) -> bool {
        let known = match callee {
            Callee::Direct(id) => self.by_function.get(id),
            Callee::Indirect(_) => None,
        };
        known.unwrap_or(&self.called_back).contains(slot as usize)
    }
}

struct Direct<'p> {
    program: &'p Program,
    slots: &'p Slots,
    stored: Bits,
    calls: BTreeSet<FunctionId>,
    /// It calls something that is not known.
    calls_any: bool,
}

impl<'p> Direct<'p> {
    fn new(program: &'p Program, slots: &'p Slots) -> Direct<'p> {
        let stored = Bits::new(slots.count());
        Direct { program, slots, stored, calls: BTreeSet::new(), calls_any: false }
    }
}

impl Visitor for Direct<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            // Memory that was just allocated is in no one else's hands.
            StmtKind::Init(place, _) if !matches!(place.root().kind, PlaceKind::Global(_)) => {
                return
            }
            StmtKind::Open { key, .. } | StmtKind::Close { key, .. } => self.dest(key),
            StmtKind::Call { callee: Callee::Direct(id), .. } => {
                self.calls.insert(*id);
            }
            StmtKind::Call { callee: Callee::Indirect(_), .. } => self.calls_any = true,
            _ => {}
        }
        tenure_core::walk_stmt(self, stmt);
    }

    fn dest(&mut self, place: &Place) {
        if place.root_local().is_some() {
            return;
        }
        if let Some(slot) = self.slots.of(self.program, place) {
            self.stored.insert(slot as usize);
            return;
        }
        let mut inside = Vec::new();
        self.slots.inside(self.program, place.ty, &mut inside);
        for slot in inside {
            self.stored.insert(slot as usize);
        }
    }

    fn expr(&mut self, _: &tenure_core::Expr) {}
    fn place(&mut self, _: &Place) {}
    fn check(&mut self, _: &tenure_core::Check) {}
}
