//! The orders that wait for a worker.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::projection::Entry;

/// A queue between the dispatcher and its workers.
#[derive(Default)]
pub(super) struct Jobs {
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<Entry>,
    closed: bool,
}

impl Jobs {
    /// Gives the workers one more.
    pub(super) fn add(&self, entry: Entry) {
        self.queue().waiting.push_back(entry);
        self.changed.notify_one();
    }

    /// Takes back what no worker has begun.
    pub(super) fn take_back(&self) -> VecDeque<Entry> {
        std::mem::take(&mut self.queue().waiting)
    }

    /// Lets the workers go, once nothing waits.
    pub(super) fn close(&self) {
        self.queue().closed = true;
        self.changed.notify_all();
    }

    /// The next, as soon as there is one, and up to `most` where many wait, half of which are left
    /// to others. None once it is closed.
    pub(super) fn next(&self, most: usize) -> Option<Vec<Entry>> {
        let idle = |queue: &mut Queue| queue.waiting.is_empty() && !queue.closed;
        let queue = self.changed.wait_while(self.queue(), idle);
        let waiting = &mut queue.unwrap_or_else(PoisonError::into_inner).waiting;
        let taken = most.min(waiting.len().div_ceil(2));
        (taken > 0).then(|| waiting.drain(..taken).collect())
    }

    /// Leaves what was taken to others, first of all.
    pub(super) fn put_back(&self, entries: Vec<Entry>) {
        let mut queue = self.queue();
        for entry in entries.into_iter().rev() {
            queue.waiting.push_front(entry);
        }
        drop(queue);
        self.changed.notify_all();
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        // Nothing panics between two changes of the queue.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
