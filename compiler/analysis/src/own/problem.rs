//! What can be wrong, as data; [`super::message`] has the words.

use super::path::PathId;
use super::state::{Gone, Site, Way};
use tenure_span::Span;

/// What a statement wants to do with a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Wish {
    Use,
    Store,
    Move,
    Free,
    Lend,
    Bind,
    Swap,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Problem {
    /// A path is used that is consumed, on every way or on some.
    Used { path: PathId, at: Span, gone: Gone, some_way: bool, wish: Wish },
    /// A path is used, stored to or given away while it is lent.
    Lent { path: PathId, at: Span, by: Site, open: bool, wish: Wish },
    /// An object is given away that is not whole.
    NotWhole { path: PathId, part: PathId, at: Span, gone: Gone, wish: Wish },
    /// Consumed although a pointer to the local exists.
    Exposed { path: PathId, at: Span, address: Span },
    /// A parameter that the call does not consume is consumed or replaced.
    Kept { path: PathId, at: Span, wish: Wish },
    /// A live path is overwritten.
    Overwritten { path: PathId, at: Span, since: Site },
    /// The scope of a live path ends.
    Ended { path: PathId, since: Site, at: Span },
    /// An object is freed that owns others.
    PartsLost { path: PathId, parts: Vec<PathId>, at: Span },
    /// Live on one way, consumed on the other.
    Disagree { path: PathId, gone: Gone, test: Option<Span> },
}

impl Problem {
    pub fn path(&self) -> PathId {
        match *self {
            Problem::Used { path, .. }
            | Problem::Lent { path, .. }
            | Problem::NotWhole { path, .. }
            | Problem::Exposed { path, .. }
            | Problem::Kept { path, .. }
            | Problem::Overwritten { path, .. }
            | Problem::Ended { path, .. }
            | Problem::PartsLost { path, .. }
            | Problem::Disagree { path, .. } => path,
        }
    }

    pub fn is_leak(&self) -> bool {
        matches!(
            self,
            Problem::Overwritten { .. }
                | Problem::Ended { .. }
                | Problem::PartsLost { .. }
                | Problem::Disagree { .. }
        )
    }

    /// Problems with equal keys are told once.
    pub fn key(&self) -> (u8, PathId, u64) {
        let span = |span: Span| u64::from(span.lo);
        match *self {
            Problem::Used { path, gone, .. } => (0, path, u64::from(gone.at)),
            Problem::Lent { path, at, .. } => (1, path, span(at)),
            Problem::NotWhole { part, gone, .. } => (2, part, u64::from(gone.at)),
            Problem::Exposed { path, at, .. } => (3, path, span(at)),
            Problem::Kept { path, at, .. } => (4, path, span(at)),
            Problem::Overwritten { path, at, .. } => (5, path, span(at)),
            Problem::Ended { path, since, .. } => (6, path, u64::from(since)),
            Problem::PartsLost { path, at, .. } => (7, path, span(at)),
            Problem::Disagree { path, gone, .. } => (8, path, u64::from(gone.at)),
        }
    }
}

impl Way {
    /// What happened, as in "after it was …".
    pub fn done(self) -> &'static str {
        match self {
            Way::Moved => "moved",
            Way::Freed => "freed",
            Way::Bound(_) => "moved to a pattern's variable",
            Way::Lent => "lent",
        }
    }
}

impl Wish {
    /// What cannot be done, as in "cannot be …".
    pub fn done(self) -> &'static str {
        match self {
            Wish::Use => "used",
            Wish::Store => "assigned",
            Wish::Move => "moved",
            Wish::Free => "freed",
            Wish::Lend => "lent",
            Wish::Bind => "moved to a pattern's variable",
            Wish::Swap => "swapped",
        }
    }
}
