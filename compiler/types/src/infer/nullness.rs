//! Whether a pointer may be NULL, where nobody wrote it: decided at the end of the body from all that flows into it, so
//! that the order of arguments and statements does not matter.
//!
//! An open pointer type reads as one that may be NULL. A conversion from or to it is checked as if it were not NULL in
//! the end, and the check falls away with the solution that shows it needless.

use super::Checker;
use crate::ty::{NullVid, Pointer, TypeId};

/// An open nullness.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NullVar {
    value: Option<bool>,
    /// Another one that it was made equal to.
    link: Option<NullVid>,
    /// Something that may be NULL flows into it.
    low: bool,
}

/// What is known by now of whether a pointer may be NULL.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Nullness {
    Known(bool),
    Open(NullVid),
}

impl Checker<'_> {
    pub fn fresh_null(&mut self) -> NullVid {
        self.infer.nulls.push(NullVar::default())
    }

    fn shallow_null(&self, mut vid: NullVid) -> NullVid {
        while let Some(next) = self.infer.nulls[vid].link {
            vid = next;
        }
        vid
    }

    pub fn nullness(&self, pointer: &Pointer) -> Nullness {
        match pointer.open {
            Some(vid) if pointer.nullable => self.null_var(vid),
            _ => Nullness::Known(pointer.nullable),
        }
    }

    pub(super) fn null_var(&self, vid: NullVid) -> Nullness {
        let vid = self.shallow_null(vid);
        match self.infer.nulls[vid].value {
            Some(value) => Nullness::Known(value),
            None => Nullness::Open(vid),
        }
    }

    /// The pointer type may be NULL from now on, if that is open; false if it may not.
    pub fn allow_null(&mut self, pointer: &Pointer) -> bool {
        match self.nullness(pointer) {
            Nullness::Known(nullable) => nullable,
            Nullness::Open(vid) => {
                self.infer.nulls[vid].value = Some(true);
                true
            }
        }
    }

    /// A pointer flows from one type to the other: whether that needs a check.
    pub fn flow_null(&mut self, from: &Pointer, to: &Pointer) -> bool {
        match (self.nullness(from), self.nullness(to)) {
            (Nullness::Known(false), _) | (_, Nullness::Known(true)) => false,
            (_, Nullness::Known(false)) => true,
            (Nullness::Known(true), Nullness::Open(to)) => {
                self.infer.nulls[to].low = true;
                true
            }
            (Nullness::Open(from), Nullness::Open(to)) => {
                if from != to {
                    self.infer.null_flows.push((from, to));
                }
                from != to
            }
        }
    }

    /// Whether a pointer of the one type is one of the other as it is, with no check in between.
    pub fn sub_null(&mut self, from: &Pointer, to: &Pointer) -> bool {
        match (self.nullness(from), self.nullness(to)) {
            (Nullness::Known(from), Nullness::Known(to)) => to || !from,
            (Nullness::Known(false), _) => true,
            (Nullness::Known(true), Nullness::Open(to)) => {
                self.infer.nulls[to].value = Some(true);
                true
            }
            (Nullness::Open(from), Nullness::Known(to)) => {
                if !to {
                    self.infer.nulls[from].value = Some(false);
                }
                true
            }
            (Nullness::Open(from), Nullness::Open(to)) => {
                self.equate_null_vars(from, to);
                true
            }
        }
    }

    /// Whether the one may be NULL just when the other may, as far as is known.
    pub fn nulls_alike(&self, x: &Pointer, y: &Pointer) -> bool {
        match (self.nullness(x), self.nullness(y)) {
            (Nullness::Known(x), Nullness::Known(y)) => x == y,
            _ => true,
        }
    }

    /// Makes both may-be-NULL or both not.
    pub fn unify_null(&mut self, x: &Pointer, y: &Pointer) -> bool {
        match (self.nullness(x), self.nullness(y)) {
            (Nullness::Known(x), Nullness::Known(y)) => x == y,
            (Nullness::Open(vid), Nullness::Known(value))
            | (Nullness::Known(value), Nullness::Open(vid)) => {
                self.infer.nulls[vid].value = Some(value);
                true
            }
            (Nullness::Open(x), Nullness::Open(y)) => {
                self.equate_null_vars(x, y);
                true
            }
        }
    }

    fn equate_null_vars(&mut self, x: NullVid, y: NullVid) {
        if x != y {
            self.infer.nulls[y].low |= self.infer.nulls[x].low;
            self.infer.nulls[x].link = Some(y);
        }
    }

    /// Carries what flows in along all flows.
    pub(super) fn propagate_nulls(&mut self) {
        let mut changed = !self.infer.null_flows.is_empty();
        while changed {
            changed = false;
            for index in 0..self.infer.null_flows.len() {
                let (from, to) = self.infer.null_flows[index];
                let to = self.shallow_null(to);
                if self.shown_null(from) && !self.infer.nulls[to].low {
                    self.infer.nulls[to].low = true;
                    changed = true;
                }
            }
        }
    }

    fn shown_null(&self, vid: NullVid) -> bool {
        let var = self.infer.nulls[self.shallow_null(vid)];
        var.value.unwrap_or(var.low)
    }

    /// Whether the pointer may be NULL as far as can be seen by now, for messages.
    pub fn seems_nullable(&self, pointer: &Pointer) -> bool {
        match pointer.open {
            Some(vid) if pointer.nullable => self.shown_null(vid),
            _ => pointer.nullable,
        }
    }

    /// Decides an open nullness from what has flowed in so far.
    pub(super) fn decide_null(&mut self, vid: NullVid) -> bool {
        let vid = self.shallow_null(vid);
        let value = self.shown_null(vid);
        self.infer.nulls[vid].value = Some(value);
        value
    }

    /// Decides what is open in a type whose values are taken apart by patterns: which cases there are depends on it.
    pub fn decide_nulls(&mut self, ty: TypeId) -> TypeId {
        if self.infer.nulls.is_empty() {
            return ty;
        }
        self.propagate_nulls();
        self.map_type(ty, &mut super::zonk::Solutions::deciding_nulls())
    }
}
