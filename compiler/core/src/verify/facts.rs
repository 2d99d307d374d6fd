//! What checks and branches have shown, for as long as it holds.
//!
//! A fact about values holds wherever the check that showed it has been passed: values do not change. So it ends with
//! the statement list that the check stands in. (That an object is where its reference says ends also where objects may
//! move.) Which member a tagged union holds is no value: such a fact ends also at what may store another.

use super::values::Number;
use crate::{LocalId, RecordId, Ty, TyId, TypeTable};
use tenure_span::FastMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Fact {
    /// The element of the fat pointer exists.
    FatIndex(Number, Number),
    /// So many elements stand from the current one on.
    FatCount(Number, Number),
    /// The index is below the size.
    Index(Number, Number),
    /// The index is below some size.
    Bounded(Number),
    /// The zero-terminated sequence reaches to the element.
    Reaches(Number, Number),
    NonZero(Number),
    /// The reference of the checked heap, which is the value of the local, was touched.
    Touched(LocalId, Number),
    /// The union at the address holds the member.
    Holds(Number, i128),
}

/// Where a scope began.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    len: usize,
    cleared: u32,
}

/// When a fact was shown; of a union, its type and whether only direct stores reach it.
#[derive(Clone, Copy)]
struct Shown {
    at: u32,
    union: Option<RecordId>,
    is_private: bool,
}

#[derive(Default)]
pub(super) struct Facts {
    shown: FastMap<Fact, Shown>,
    /// What was added, and what was known before.
    log: Vec<(Fact, Option<Shown>)>,
    cleared: u32,
    clock: u32,
    /// When a member of some union of the type was last stored.
    stored: FastMap<RecordId, u32>,
    /// When anything in memory was.
    called: u32,
    /// When objects of the checked heap may have been moved or deleted last.
    moved: u32,
}

impl Facts {
    pub(super) fn add(&mut self, fact: Fact) {
        self.insert(fact, None, false);
    }

    pub(super) fn add_member(
        &mut self,
        address: Number,
        member: i128,
        union: RecordId,
        is_private: bool,
    ) {
        self.insert(Fact::Holds(address, member), Some(union), is_private);
    }

    fn insert(&mut self, fact: Fact, union: Option<RecordId>, is_private: bool) {
        self.clock += 1;
        let shown = Shown { at: self.clock, union, is_private };
        let before = self.shown.insert(fact, shown);
        self.log.push((fact, before));
    }

    pub(super) fn has(&self, fact: Fact) -> bool {
        let Some(shown) = self.shown.get(&fact) else { return false };
        if let Fact::Touched(..) = fact {
            return shown.at > self.moved;
        }
        let Some(union) = shown.union else { return true };
        let stored = self.stored.get(&union).is_some_and(|&at| at > shown.at);
        !stored && (shown.is_private || self.called < shown.at)
    }

    pub(super) fn mark(&self) -> Mark {
        Mark { len: self.log.len(), cleared: self.cleared }
    }

    /// The end of a scope that control need not have come through; false if a label stands in it.
    pub(super) fn forget_since(&mut self, mark: Mark) -> bool {
        if mark.cleared != self.cleared {
            self.forget_all();
            return false;
        }
        while self.log.len() > mark.len {
            let Some((fact, before)) = self.log.pop() else { break };
            match before {
                Some(before) => self.shown.insert(fact, before),
                None => self.shown.remove(&fact),
            };
        }
        true
    }

    /// A label: control may come from anywhere.
    pub(super) fn forget_all(&mut self) {
        self.shown.clear();
        self.log.clear();
        self.cleared += 1;
    }

    /// Objects of the checked heap may move or die.
    pub(super) fn move_objects(&mut self) {
        self.clock += 1;
        self.moved = self.clock;
    }

    pub(super) fn moved(&self) -> u32 {
        self.moved
    }

    /// Control that comes here has not been where objects were moved since then.
    pub(super) fn unmoved(&mut self, since: u32) {
        self.moved = since;
    }

    /// Anything may be called.
    pub(super) fn call(&mut self) {
        self.clock += 1;
        self.called = self.clock;
    }

    /// A value of the type is stored: it may be, or contain, a tagged union that is known under another name.
    pub(super) fn store(&mut self, types: &TypeTable, ty: TyId) {
        let mut work = vec![ty];
        let mut seen = Vec::new();
        while let Some(ty) = work.pop() {
            match types.get(ty) {
                Ty::Array { of, .. } => work.push(*of),
                Ty::Record(id) if !seen.contains(id) => {
                    seen.push(*id);
                    if types.records[*id].kind == crate::RecordKind::TaggedUnion {
                        self.store_member(*id);
                    }
                    let fields = types.records[*id].fields.iter().flatten();
                    work.extend(fields.map(|field| field.ty));
                }
                _ => {}
            }
        }
    }

    pub(super) fn store_member(&mut self, union: RecordId) {
        self.clock += 1;
        self.stored.insert(union, self.clock);
    }
}
