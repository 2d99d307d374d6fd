//! Sets of integers as disjoint ranges, for switches with many constants: each operation takes time logarithmic in the
//! set's ranges, and linear in those that it touches.

use std::collections::BTreeMap;

/// Which integers are in the set.
#[derive(Clone, Debug, Default)]
pub struct Ranges {
    /// From the first of each range to its last; disjoint.
    ranges: BTreeMap<i128, i128>,
}

impl Ranges {
    /// Whether all integers from `low` to `high` are in the set.
    pub fn has_all(&self, range: (i128, i128)) -> bool {
        self.missing(range).is_empty()
    }

    /// Adds the integers from `low` to `high`, and gives those of them that were not there, in order.
    pub fn add(&mut self, range: (i128, i128)) -> Vec<(i128, i128)> {
        let added = self.missing(range);
        self.ranges.extend(added.iter().copied());
        added
    }

    fn missing(&self, (low, high): (i128, i128)) -> Vec<(i128, i128)> {
        let mut added = Vec::new();
        let mut from = Some(low);
        for (first, last) in self.overlapping(low, high) {
            let Some(at) = from else { break };
            if at < first {
                added.push((at, first - 1));
            }
            from = last.checked_add(1);
        }
        if let Some(at) = from.filter(|&at| at <= high) {
            added.push((at, high));
        }
        added
    }

    /// The ranges that have an integer from `low` to `high`, in order.
    fn overlapping(&self, low: i128, high: i128) -> Vec<(i128, i128)> {
        if low > high {
            return Vec::new();
        }
        let before = self.ranges.range(..low).next_back();
        let before = before.filter(|(_, &last)| last >= low);
        before.into_iter().chain(self.ranges.range(low..=high)).map(|(&a, &b)| (a, b)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Ranges;

    #[test]
    fn what_is_added_is_what_was_not_there() {
        let mut set = Ranges::default();
        assert_eq!(set.add((3, 5)), [(3, 5)]);
        assert_eq!(set.add((9, 9)), [(9, 9)]);
        assert_eq!(set.add((4, 4)), []);
        assert_eq!(set.add((5, 3)), []);
        assert_eq!(set.add((1, 12)), [(1, 2), (6, 8), (10, 12)]);
        assert_eq!(set.add((2, 11)), []);
        assert_eq!(set.add((i128::MIN, i128::MAX)), [(i128::MIN, 0), (13, i128::MAX)]);
        assert_eq!(set.add((i128::MAX, i128::MAX)), []);
    }
}
