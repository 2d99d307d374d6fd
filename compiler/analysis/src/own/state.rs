//! What is known of ownership at a point of a function.

use super::path::{PathId, Paths, Step};
use std::collections::{BTreeMap, BTreeSet};
use tenure_core::{FieldIndex, LocalId, Place};

/// Where something happened: an index of [`super::solve::Sites`].
pub type Site = u32;

/// Why a place owns nothing any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    Moved,
    Freed,
    Bound(LocalId),
    Lent,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gone {
    pub at: Site,
    pub way: Way,
}

/// The state of a path. A path without one has that of the nearest prefix, as [`State::at`] says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// Declared, without a value.
    Unassigned,
    /// It is NULL on every way here, so that nothing is owned.
    Null,
    /// It owns an object, or may be NULL. What lies below is whole, or NULL if the object is fresh and zeroed.
    Live { since: Site, zeroed: bool },
    /// Lent, to a call or an alias, or its region is open.
    Borrowed { at: Site, since: Site, null: bool, open: bool },
    /// Consumed on every way here, or NULL.
    Gone(Gone),
    /// Consumed on some way here.
    Maybe(Gone),
}

/// What is known of a value that is on its way to a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fact {
    Null,
    /// A fresh object whose bytes are zero.
    Zeroed,
    /// A fresh object that the temporary points to, some of whose parts are NULL.
    Fresh(LocalId),
    /// What the path holds, as long as nothing is stored there.
    Same(PathId),
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct State {
    marks: BTreeMap<PathId, Mark>,
    /// Of temporaries.
    pub facts: BTreeMap<LocalId, Fact>,
    /// Fields that are NULL, of temporaries and of new objects behind them.
    pub empty_parts: BTreeMap<LocalId, BTreeSet<FieldIndex>>,
    /// The last stores, until the statement that says that ownership came with them.
    pub stored: Vec<(PathId, Option<Fact>)>,
    /// Places in the middle of an exchange.
    pub swapping: Vec<PathId>,
    /// Places that nobody follows and that got NULL in an exchange. Somebody else may have stored there since; only
    /// leak warnings depend on it.
    pub nulls: Vec<Place>,
    /// Variables that, on some way here, got another value than the one they were declared or bound with.
    pub replaced: BTreeSet<LocalId>,
}

impl State {
    pub fn get(&self, path: PathId) -> Option<Mark> {
        self.marks.get(&path).copied()
    }

    pub fn marks(&self) -> impl Iterator<Item = (PathId, Mark)> + '_ {
        self.marks.iter().map(|(&path, &mark)| (path, mark))
    }

    /// The state of a path: its own, or what follows from that of the nearest prefix.
    pub fn at(&self, paths: &Paths, path: PathId) -> Mark {
        self.holder(paths, path).1
    }

    /// The nearest prefix with a state, and the state that `path` has by it.
    pub fn holder(&self, paths: &Paths, path: PathId) -> (PathId, Mark) {
        let mut at = path;
        let mut behind = false;
        loop {
            if let Some(&mark) = self.marks.get(&at) {
                let mark = match mark {
                    Mark::Live { zeroed: true, .. } if behind => Mark::Null,
                    mark => mark,
                };
                return (at, mark);
            }
            behind |= paths.step(at) == Step::Deref;
            match paths.parent(at) {
                Some(parent) => at = parent,
                None => return (at, Mark::Unassigned),
            }
        }
    }

    /// Gives a path a state and everything below it the one that follows from it.
    pub fn set(&mut self, paths: &Paths, path: PathId, mark: Mark) {
        self.remove_below(paths, path);
        self.marks.insert(path, mark);
    }

    /// Gives a path a state and leaves what is below.
    pub fn set_alone(&mut self, path: PathId, mark: Mark) {
        self.marks.insert(path, mark);
    }

    fn remove_below(&mut self, paths: &Paths, path: PathId) {
        for below in paths.below(path) {
            self.marks.remove(&below);
        }
    }

    pub fn remove(&mut self, paths: &Paths, path: PathId) {
        self.remove_below(paths, path);
        self.marks.remove(&path);
        self.swapping.retain(|&swapped| !paths.is_within(swapped, path));
    }

    /// The paths below `path` that have states of their own.
    pub fn below(&self, paths: &Paths, path: PathId) -> Vec<(PathId, Mark)> {
        let mark = |below| Some((below, *self.marks.get(&below)?));
        paths.below(path).into_iter().filter_map(mark).collect()
    }

    /// Takes another state in where ways meet; whether this changed.
    pub fn join(&mut self, paths: &Paths, other: &State) -> bool {
        let mut joined = State { swapping: self.swapping.clone(), ..State::default() };
        let keys = self.marks.keys().chain(other.marks.keys());
        let keys: BTreeSet<PathId> = keys.copied().collect();
        for path in keys {
            // Below what is not live nothing has a state of its own.
            let held = paths.parent(path).is_none_or(|parent| {
                !joined.has(paths, parent)
                    || matches!(joined.at(paths, parent), Mark::Live { .. } | Mark::Unassigned)
            });
            if held {
                let mark = join(self.at(paths, path), other.at(paths, path));
                joined.marks.insert(path, mark);
            }
        }
        for &path in &other.swapping {
            if !joined.swapping.contains(&path) {
                joined.swapping.push(path);
            }
        }
        for (&local, fact) in &self.facts {
            if other.facts.get(&local) == Some(fact) {
                joined.facts.insert(local, *fact);
            }
        }
        for (local, parts) in &self.empty_parts {
            if other.empty_parts.get(local) == Some(parts) {
                joined.empty_parts.insert(*local, parts.clone());
            }
        }
        joined.nulls = self.nulls.iter().filter(|p| other.nulls.contains(p)).cloned().collect();
        joined.stored.clone_from(&self.stored);
        joined.replaced = &self.replaced | &other.replaced;
        let changed = joined != *self;
        *self = joined;
        changed
    }

    fn has(&self, paths: &Paths, path: PathId) -> bool {
        self.marks.contains_key(&self.holder(paths, path).0)
    }
}

fn join(a: Mark, b: Mark) -> Mark {
    use Mark::*;
    match (a, b) {
        (a, b) if a == b => a,
        (Unassigned, other) | (other, Unassigned) => other,
        (Null, Null) => Null,
        (Null, other @ (Live { .. } | Gone(_) | Maybe(_)))
        | (other @ (Live { .. } | Gone(_) | Maybe(_)), Null) => other,
        (Live { since: s, zeroed: y }, Live { since: t, zeroed: z }) => {
            Live { since: s.min(t), zeroed: y && z }
        }
        (Gone(a), Gone(b)) => Gone(either(a, b)),
        (Gone(a) | Maybe(a), Gone(b) | Maybe(b)) => Maybe(either(a, b)),
        (Gone(a) | Maybe(a), Live { .. }) | (Live { .. }, Gone(a) | Maybe(a)) => Maybe(a),
        (
            Borrowed { at: a, since: s, null: x, open: y },
            Borrowed { at: b, since: t, null: z, open: w },
        ) if a == b => Borrowed { at: a, since: s.min(t), null: x && z, open: y || w },
        (Borrowed { at, .. }, _) | (_, Borrowed { at, .. }) => {
            Maybe(super::state::Gone { at, way: Way::Lent })
        }
    }
}

/// One of two ways of losing a place. Only if both are the same binding is the place given back by it.
fn either(a: Gone, b: Gone) -> Gone {
    let (first, second) = if a.at <= b.at { (a, b) } else { (b, a) };
    match (first.way, second.way) {
        _ if first == second => first,
        (Way::Bound(_), Way::Bound(_)) => Gone { way: Way::Moved, ..first },
        (Way::Bound(_), _) => second,
        _ => first,
    }
}
