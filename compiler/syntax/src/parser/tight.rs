//! Vectors without slack.

/// A tree has very many vectors of one or two large items, for which `Vec`'s first capacity of
/// four is mostly memory that is paged in for nothing.
pub(super) trait PushTight<T> {
    /// Like `push`, but capacities go 1, 2, 4, 8.
    fn push_tight(&mut self, item: T);
}

impl<T> PushTight<T> for Vec<T> {
    fn push_tight(&mut self, item: T) {
        if self.len() == self.capacity() {
            self.reserve_exact(self.len().max(1));
        }
        self.push(item);
    }
}
