//! The shortest list found that still fails the same way.

use std::time::Instant;

use super::kind;
use crate::failure::wrong::Mismatch;

/// What a list can be played to.
pub(super) trait Trial {
    /// What a list is of.
    type Item: Clone;

    /// The list as far as it is reached and understood, with how it fails; none when it passes.
    fn play_list(&self, list: &[Self::Item]) -> Option<FailingList<Self::Item>>;
}

/// A list that fails, down to the item it fails at.
pub(super) struct FailingList<T> {
    pub(super) list: Vec<T>,
    pub(super) what: Mismatch,
}

/// A search for as long as there is time.
pub(super) struct Search<T> {
    pub(super) trial: T,
    /// What kind of failure is looked for.
    pub(super) kind: String,
    pub(super) until: Instant,
    pub(super) tried: u64,
}

impl<T: Trial> Search<T> {
    /// The list as far as it is reached and understood, if it fails the same way.
    pub(super) fn fails(&mut self, list: &[T::Item]) -> Option<FailingList<T::Item>> {
        self.tried += 1;
        self.trial.play_list(list).filter(|found| kind(&found.what) == self.kind)
    }

    /// The same, if it fails in any way, which is the one that is looked for from now on.
    pub(super) fn fails_otherwise(&mut self, list: &[T::Item]) -> Option<FailingList<T::Item>> {
        self.tried += 1;
        let found = self.trial.play_list(list)?;
        self.kind = kind(&found.what);
        Some(found)
    }

    pub(super) fn has_time(&self) -> bool {
        Instant::now() < self.until
    }

    /// Takes out stretches, halves first and single items at last, from the end on.
    pub(super) fn take_out(&mut self, found: &mut FailingList<T::Item>) {
        let mut length = found.list.len().div_ceil(2);
        loop {
            let mut end = found.list.len();
            let before = end;
            while end > 0 && self.has_time() {
                let start = end.saturating_sub(length);
                let mut list = found.list.clone();
                list.drain(start..end);
                if let Some(less) = self.fails(&list) {
                    *found = less;
                }
                end = start.min(found.list.len());
            }
            if !self.has_time() || length == 1 && found.list.len() == before {
                return;
            }
            length = length.div_ceil(2);
        }
    }
}
