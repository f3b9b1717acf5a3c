//! The orders that wait for a worker: first those that are handed out, then those that are to be.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::projection::Entry;
use crate::provider::order::Task;

/// A queue between the dispatcher and its workers.
#[derive(Default)]
pub(super) struct Jobs {
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    given: VecDeque<(Entry, Box<Task>)>,
    waiting: VecDeque<Entry>,
    closed: bool,
}

/// The next step of a worker.
pub(super) enum Job {
    /// Carries out what is handed out.
    CarryOut(Box<Entry>, Box<Task>),
    /// Hands these out.
    HandOut(Vec<Entry>),
}

impl Jobs {
    /// Gives the workers one more, which is to be handed out.
    pub(super) fn add(&self, entry: Entry) {
        self.queue().waiting.push_back(entry);
        self.changed.notify_one();
    }

    /// Gives them orders that were handed out: a free worker carries out the next, though another
    /// is held up by one of the same commit.
    pub(super) fn give(&self, handed_out: Vec<(Entry, Box<Task>)>) {
        self.queue().given.extend(handed_out);
        self.changed.notify_all();
    }

    /// Takes back what no worker has begun, though it may be handed out: it is given again under
    /// its key to whoever goes on.
    pub(super) fn take_back(&self) -> Vec<Entry> {
        let Queue { given, waiting, .. } = &mut *self.queue();
        given.drain(..).map(|(entry, _)| entry).chain(waiting.drain(..)).collect()
    }

    /// Lets the workers go, once nothing waits.
    pub(super) fn close(&self) {
        self.queue().closed = true;
        self.changed.notify_all();
    }

    /// The next, as soon as there is one; up to `most` are handed out at once, and half of what
    /// waits is left to others. None once it is closed.
    pub(super) fn next(&self, most: usize) -> Option<Job> {
        let idle =
            |queue: &mut Queue| queue.given.is_empty() && queue.waiting.is_empty() && !queue.closed;
        let mut queue =
            self.changed.wait_while(self.queue(), idle).unwrap_or_else(PoisonError::into_inner);
        if let Some((entry, task)) = queue.given.pop_front() {
            return Some(Job::CarryOut(Box::new(entry), task));
        }
        let taken = most.min(queue.waiting.len().div_ceil(2));
        (taken > 0).then(|| Job::HandOut(queue.waiting.drain(..taken).collect()))
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        // Nothing panics between two changes of the queue.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
