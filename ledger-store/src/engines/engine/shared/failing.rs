//! Since when a medium takes no commit.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Instant;

use super::Shared;
use super::waiting::Waiters;
use crate::engines::engine::EngineError;

/// Since when the medium takes no commit, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WritingFails {
    /// By this process's monotonic clock.
    pub since: Instant,
    /// What the medium said first.
    pub why: String,
}

impl Shared {
    /// The medium took no commit; tells whether it was known.
    pub(in crate::engines::engine) fn writing_fails(&self, why: &str) -> bool {
        let mut failing = self.failing.lock().unwrap_or_else(PoisonError::into_inner);
        let known = failing.is_some();
        failing.get_or_insert_with(|| WritingFails { since: Instant::now(), why: why.to_owned() });
        known
    }

    /// The medium takes commits again; since when it did not, where that was so.
    pub(in crate::engines::engine) fn writes_again(&self) -> Option<WritingFails> {
        self.failing.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Since when the medium takes no commit, and why, while that is so.
    pub(in crate::engines::engine) fn failing(&self) -> Option<WritingFails> {
        self.failing.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Nothing is written any more.
    pub(in crate::engines::engine) fn end_writing(&self, why: &EngineError) {
        let mut progress = self.progress();
        if *why == EngineError::Fenced {
            // Whoever hears of the end finds it said at every door.
            progress.fenced.get_or_insert_with(Instant::now);
            self.fenced.store(true, Ordering::SeqCst);
        }
        progress.dead.get_or_insert_with(|| why.clone());
        progress.waiters.wake(Waiters::END);
        if let Some(lease) = &mut progress.lease {
            lease.give_up();
        }
    }
}
