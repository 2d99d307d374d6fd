//! Sets of small integers.

/// A set of integers below a size that its user knows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bits {
    words: Vec<u64>,
}

impl Bits {
    pub fn new(size: usize) -> Bits {
        Bits { words: vec![0; size.div_ceil(64)] }
    }

    pub fn contains(&self, index: usize) -> bool {
        self.words.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 != 0)
    }

    pub fn insert(&mut self, index: usize) {
        self.words[index / 64] |= 1 << (index % 64);
    }

    pub fn remove(&mut self, index: usize) {
        self.words[index / 64] &= !(1 << (index % 64));
    }

    /// Whether `self` grew.
    pub fn union(&mut self, other: &Bits) -> bool {
        let mut grew = false;
        for (word, &more) in self.words.iter_mut().zip(&other.words) {
            grew |= more & !*word != 0;
            *word |= more;
        }
        grew
    }

    /// Whether `self` shrank.
    pub fn intersect(&mut self, other: &Bits) -> bool {
        let mut shrank = false;
        for (word, &kept) in self.words.iter_mut().zip(&other.words) {
            shrank |= *word & !kept != 0;
            *word &= kept;
        }
        shrank
    }
}
