//! Which values no pattern matches, and which patterns match nothing that earlier ones leave.
//!
//! The algorithm is that of L. Maranget, "Warnings for pattern matching", JFP 17(3), 2007: a row of patterns is
//! *useful* after a matrix of rows if some vector of values is matched by it and by none of them. A match is exhaustive
//! if a row of wildcards is not useful after it. Integer columns are split at the ends of the ranges in them, so that
//! within a column constructors are disjoint.
//!
//! The module knows nothing of types but what [`Spaces`] tells, so that it can be tested by itself.

mod ranges;
#[cfg(test)]
mod tests;

pub use ranges::Ranges;

/// The values of a type, as patterns divide them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Space {
    /// All integers of a range.
    Int {
        min: i128,
        max: i128,
    },
    /// The constants of an enumeration.
    Enum(Vec<i128>),
    Pointer {
        nullable: bool,
    },
    /// Struct, tuple, known variant: one constructor.
    Product,
    /// Number of variants; an open datatype has more than are known.
    Variants {
        count: u32,
        open: bool,
    },
    /// Number of members of a tagged union.
    Members(u32),
    /// Never exhausted by constants: floats, and whatever has no patterns of its own.
    Open,
}

/// A head of a pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Con {
    /// Inclusive.
    Range(i128, i128),
    Null,
    NonNull,
    Product,
    Variant(u32),
    Member(u32),
    /// Text of a string that is not NULL.
    Str(Vec<u32>),
    /// Bits of a float.
    Float(u64),
}

/// A pattern in normal form: a constructor has all its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pat<T> {
    Wild,
    Con { con: Con, ty: T, args: Vec<Pat<T>> },
}

/// A value, or a set of them, that nothing matches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Witness<T> {
    Any,
    /// `args` is empty if they do not matter.
    Con {
        con: Con,
        ty: T,
        args: Vec<Witness<T>>,
    },
    /// A value of the type that is none of the constants in the patterns.
    Other(T),
}

/// What the algorithm asks about types.
pub trait Spaces<T> {
    fn space(&self, ty: T) -> Space;
}

/// The answer cannot be computed in reasonable time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooComplex;

/// What may still be spent on the questions about one switch before the answer is [`TooComplex`]: matching is
/// exponential in the worst case. Counted in rows that are looked at.
#[derive(Debug)]
pub struct Effort(u32);

impl Default for Effort {
    fn default() -> Effort {
        Effort(2_000_000)
    }
}

type Row<'p, T> = Vec<&'p Pat<T>>;
type Answer<T> = Result<Option<Vec<Witness<T>>>, TooComplex>;

/// A value that no row matches, if there is one. Rows with guards must have been left out.
pub fn missing<T: Copy + PartialEq>(
    spaces: &impl Spaces<T>,
    rows: &[&Pat<T>],
) -> Result<Option<Witness<T>>, TooComplex> {
    // A `default` ends the search, which would look at each of many constants otherwise.
    if rows.iter().any(|pat| matches!(pat, Pat::Wild)) {
        return Ok(None);
    }
    let rows: Vec<Row<T>> = rows.iter().map(|pat| vec![*pat]).collect();
    let mut effort = Effort::default();
    let mut search = Search { spaces, effort: &mut effort };
    Ok(search.useful(&rows, &[&Pat::Wild])?.and_then(|mut found| found.pop()))
}

/// Whether some value matches `pat` and none of the earlier `rows`.
pub fn is_useful<T: Copy + PartialEq>(
    spaces: &impl Spaces<T>,
    rows: &[&Pat<T>],
    pat: &Pat<T>,
    effort: &mut Effort,
) -> Result<bool, TooComplex> {
    let rows: Vec<Row<T>> = rows.iter().map(|pat| vec![*pat]).collect();
    let mut search = Search { spaces, effort };
    Ok(search.useful(&rows, &[pat])?.is_some())
}

struct Search<'s, S> {
    spaces: &'s S,
    effort: &'s mut Effort,
}

impl<'s, S> Search<'s, S> {
    /// A witness for each column of `row`, that matches it and none of `rows`.
    fn useful<T: Copy + PartialEq>(&mut self, rows: &[Row<T>], row: &[&Pat<T>]) -> Answer<T>
    where
        S: Spaces<T>,
    {
        let cost = u32::try_from(rows.len()).unwrap_or(u32::MAX).saturating_add(1);
        self.effort.0 = self.effort.0.checked_sub(cost).ok_or(TooComplex)?;
        let Some((head, rest)) = row.split_first() else {
            return Ok(rows.is_empty().then(Vec::new));
        };
        match head {
            Pat::Con { con, ty, args } => self.useful_con(rows, con, *ty, args, rest),
            Pat::Wild => self.useful_wild(rows, rest),
        }
    }

    fn useful_con<T: Copy + PartialEq>(
        &mut self,
        rows: &[Row<T>],
        con: &Con,
        ty: T,
        args: &[Pat<T>],
        rest: &[&Pat<T>],
    ) -> Answer<T>
    where
        S: Spaces<T>,
    {
        for part in split(con, rows) {
            let inner: Vec<&Pat<T>> = args.iter().chain(rest.iter().copied()).collect();
            let rows = specialise(rows, &part, args.len());
            if let Some(found) = self.useful(&rows, &inner)? {
                return Ok(Some(wrap(part, ty, args.len(), found)));
            }
        }
        Ok(None)
    }

    fn useful_wild<T: Copy + PartialEq>(&mut self, rows: &[Row<T>], rest: &[&Pat<T>]) -> Answer<T>
    where
        S: Spaces<T>,
    {
        let heads: Vec<(&Con, T, usize)> = rows
            .iter()
            .filter_map(|row| match row.first() {
                Some(Pat::Con { con, ty, args }) => Some((con, *ty, args.len())),
                _ => None,
            })
            .collect();
        let Some(&(_, ty, _)) = heads.first() else {
            let found = self.useful(&defaults(rows), rest)?;
            return Ok(found.map(|found| prepend(Witness::Any, found)));
        };
        if let Some(absent) = absent(&self.spaces.space(ty), ty, &heads) {
            if let Some(found) = self.useful(&defaults(rows), rest)? {
                return Ok(Some(prepend(absent, found)));
            }
        }
        let wild = Pat::Wild;
        let mut seen: Vec<Con> = Vec::new();
        for (con, _, arity) in &heads {
            for part in split(con, rows) {
                if seen.contains(&part) {
                    continue;
                }
                let inner: Vec<&Pat<T>> =
                    std::iter::repeat_n(&wild, *arity).chain(rest.iter().copied()).collect();
                let rows = specialise(rows, &part, *arity);
                if let Some(found) = self.useful(&rows, &inner)? {
                    return Ok(Some(wrap(part, ty, *arity, found)));
                }
                seen.push(part);
            }
        }
        Ok(None)
    }
}

fn prepend<T>(first: Witness<T>, mut rest: Vec<Witness<T>>) -> Vec<Witness<T>> {
    rest.insert(0, first);
    rest
}

/// Puts the first `arity` witnesses under a constructor.
fn wrap<T>(con: Con, ty: T, arity: usize, mut found: Vec<Witness<T>>) -> Vec<Witness<T>> {
    let rest = found.split_off(arity);
    prepend(Witness::Con { con, ty, args: found }, rest)
}

/// The parts of a range between the ends of all ranges in the first column; other constructors are their own only part.
fn split<T>(con: &Con, rows: &[Row<T>]) -> Vec<Con> {
    let &Con::Range(low, high) = con else { return vec![con.clone()] };
    let mut starts = vec![low];
    for row in rows {
        if let Some(Pat::Con { con: Con::Range(l, h), .. }) = row.first() {
            starts.extend(
                [*l, h.saturating_add(1)].into_iter().filter(|s| (low + 1..=high).contains(s)),
            );
        }
    }
    starts.sort_unstable();
    starts.dedup();
    let ends = starts.iter().skip(1).map(|s| s - 1).chain([high]);
    starts.iter().zip(ends).map(|(&start, end)| Con::Range(start, end)).collect()
}

/// Rows that match `con` in the first column, with its arguments in place of it.
fn specialise<'p, T>(rows: &[Row<'p, T>], con: &Con, arity: usize) -> Vec<Row<'p, T>> {
    rows.iter()
        .filter_map(|row| {
            let (head, rest) = row.split_first()?;
            let args: Row<'p, T> = match head {
                Pat::Wild => std::iter::repeat_n(&Pat::Wild, arity).collect(),
                Pat::Con { con: own, args, .. } => match (own, con) {
                    (Con::Range(low, high), Con::Range(l, h)) => {
                        (low <= l && h <= high).then(Vec::new)?
                    }
                    // A text is a pointer that is not NULL.
                    (Con::NonNull, Con::Str(_)) => {
                        args.iter().all(|arg| matches!(arg, Pat::Wild)).then(Vec::new)?
                    }
                    _ if own == con => args.iter().collect(),
                    _ => return None,
                },
            };
            Some(args.into_iter().chain(rest.iter().copied()).collect())
        })
        .collect()
}

/// Rows that match whatever stands in the first column, without it.
fn defaults<'p, T>(rows: &[Row<'p, T>]) -> Vec<Row<'p, T>> {
    rows.iter()
        .filter(|row| matches!(row.first(), Some(Pat::Wild)))
        .map(|row| row[1..].to_vec())
        .collect()
}

/// A value of the space that has none of the heads, if they do not cover it.
fn absent<T: Copy>(space: &Space, ty: T, heads: &[(&Con, T, usize)]) -> Option<Witness<T>> {
    let has = |con: &Con| heads.iter().any(|(head, _, _)| *head == con);
    let covers = |value: i128| {
        heads
            .iter()
            .any(|(head, _, _)| matches!(head, Con::Range(l, h) if (*l..=*h).contains(&value)))
    };
    let one = |con: Con| Some(Witness::Con { con, ty, args: Vec::new() });
    match space {
        Space::Int { min, max } => {
            let mut candidates: Vec<i128> = vec![0.clamp(*min, *max), *min];
            candidates.extend(heads.iter().filter_map(|(head, _, _)| match head {
                Con::Range(_, high) if high < max => Some(high + 1),
                _ => None,
            }));
            let free = candidates.into_iter().find(|&value| !covers(value))?;
            one(Con::Range(free, free))
        }
        Space::Enum(values) => {
            let free = values.iter().copied().find(|&value| !covers(value))?;
            one(Con::Range(free, free))
        }
        Space::Pointer { nullable } => {
            if *nullable && !has(&Con::Null) {
                return one(Con::Null);
            }
            if has(&Con::NonNull) {
                None
            } else if heads.iter().any(|(head, _, _)| matches!(head, Con::Str(_))) {
                Some(Witness::Other(ty))
            } else {
                one(Con::NonNull)
            }
        }
        Space::Product => None,
        Space::Variants { count, open } => match (0..*count).find(|&v| !has(&Con::Variant(v))) {
            Some(variant) if !open => one(Con::Variant(variant)),
            _ if *open => Some(Witness::Other(ty)),
            _ => None,
        },
        Space::Members(count) => {
            let free = (0..*count).find(|&member| !has(&Con::Member(member)))?;
            one(Con::Member(free))
        }
        Space::Open => Some(Witness::Other(ty)),
    }
}
