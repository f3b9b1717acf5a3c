//! The orders that wait for a worker: first those to be told, then those that are handed out, then
//! those that are to be.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::engines::provider::order::Task;
use crate::engines::provider::outcome_facts::Next;
use crate::tables::projection::Entry;

/// A queue between the dispatcher and its workers.
pub(super) struct Jobs {
    queue: Mutex<Queue>,
    changed: Condvar,
}

struct Queue {
    /// Orders whose outcome is there, to be told.
    ended: VecDeque<(Entry, Next)>,
    given: VecDeque<(Entry, Box<Task>)>,
    waiting: VecDeque<Entry>,
    /// How many more orders may be in flight; none where each has a worker until it is told.
    room: Option<usize>,
    closed: bool,
}

/// The next step of a worker.
pub(super) enum Job {
    /// Tells what came of an order that was in flight.
    Tell(Box<Entry>, Next),
    /// Carries out what is handed out.
    CarryOut(Box<Entry>, Box<Task>),
    /// Hands these out.
    HandOut(Vec<Entry>),
}

impl Jobs {
    /// A queue of orders, of which `room` may be in flight; none where each has a worker.
    pub(super) fn new(room: Option<usize>) -> Self {
        let (ended, given, waiting) = (VecDeque::new(), VecDeque::new(), VecDeque::new());
        let queue = Queue { ended, given, waiting, room, closed: false };
        Self { queue: Mutex::new(queue), changed: Condvar::new() }
    }

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

    /// Gives the workers the outcome of an order that was in flight, and another its room.
    pub(super) fn end(&self, entry: Entry, next: Next) {
        self.queue().ended.push_back((entry, next));
        self.make_room(1);
    }

    /// So many orders that were taken to be handed out are not in flight.
    pub(super) fn make_room(&self, orders: usize) {
        if let Some(room) = &mut self.queue().room {
            *room += orders;
        }
        self.changed.notify_all();
    }

    /// Takes back what no worker has begun, though it may be handed out: it is given again under
    /// its key to whoever goes on.
    pub(super) fn take_back(&self) -> Vec<Entry> {
        let Queue { given, waiting, room, .. } = &mut *self.queue();
        if let Some(room) = room {
            *room += given.len();
        }
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
        let waited = self.changed.wait_while(self.queue(), |queue| queue.is_idle());
        let mut queue = waited.unwrap_or_else(PoisonError::into_inner);
        if let Some((entry, next)) = queue.ended.pop_front() {
            return Some(Job::Tell(Box::new(entry), next));
        }
        if let Some((entry, task)) = queue.given.pop_front() {
            return Some(Job::CarryOut(Box::new(entry), task));
        }
        let most = queue.room.map_or(most, |room| most.min(room));
        let taken = most.min(queue.waiting.len().div_ceil(2));
        if let Some(room) = &mut queue.room {
            *room -= taken;
        }
        (taken > 0).then(|| Job::HandOut(queue.waiting.drain(..taken).collect()))
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        // Nothing panics between two changes of the queue.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queue {
    /// Tells whether there is nothing for a worker to do now.
    fn is_idle(&self) -> bool {
        let none_to_hand_out = self.waiting.is_empty() || self.room == Some(0);
        self.ended.is_empty() && self.given.is_empty() && none_to_hand_out && !self.closed
    }
}
