//! The queue of jobs, and its end: a job that comes too late is answered so, never left waiting.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering, fence};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tokio::sync::mpsc;

use super::ticket::Job;

/// How many jobs are taken off the queue at once.
const HANDFUL: usize = 256;

/// How often a closed queue looks whether a caller that has a permit already still comes.
const LAST_LOOKS: u32 = 50;

/// How long it rests between two looks.
const LAST_PAUSE: Duration = Duration::from_millis(1);

/// The deciding thread's end of the queue.
pub(super) struct Queue {
    jobs: mpsc::Receiver<Box<dyn Job>>,
    /// Jobs off the queue, not yet decided.
    taken: VecDeque<Box<dyn Job>>,
    handful: Vec<Box<dyn Job>>,
    end: Arc<QueueEnd>,
}

/// Where the queue is left when nobody decides any more.
///
/// Who has a permit can still put a job there. The last look of the deciding thread and the
/// sender's own look at `over` are ordered by fences, so that one of the two finds it.
#[derive(Debug, Default)]
pub(super) struct QueueEnd {
    over: AtomicBool,
    jobs: Mutex<Option<mpsc::Receiver<Box<dyn Job>>>>,
}

impl Queue {
    pub(super) fn new(jobs: mpsc::Receiver<Box<dyn Job>>, end: Arc<QueueEnd>) -> Self {
        let (taken, handful) = (VecDeque::new(), Vec::with_capacity(HANDFUL));
        Self { jobs, taken, handful, end }
    }

    /// Waits for a job; `false` when none will come.
    pub(super) fn wait(&mut self) -> bool {
        if self.taken.is_empty() {
            self.jobs.blocking_recv_many(&mut self.handful, HANDFUL);
            self.taken.extend(self.handful.drain(..));
        }
        !self.taken.is_empty()
    }

    /// Closes; whether a job is left. Who has a permit and does not use it is waited for a moment
    /// only.
    pub(super) fn wait_for_the_last(&mut self) -> bool {
        self.jobs.close();
        for _ in 0..LAST_LOOKS {
            match self.look() {
                Poll::Ready(another) => return another,
                Poll::Pending => std::thread::sleep(LAST_PAUSE),
            }
        }
        false
    }

    /// Whether there is a job already.
    pub(super) fn holds_another(&mut self) -> bool {
        self.look() == Poll::Ready(true)
    }

    /// The next job, if there is one already.
    pub(super) fn next(&mut self) -> Option<Box<dyn Job>> {
        if self.holds_another() { self.taken.pop_front() } else { None }
    }

    /// Whether there is a job now, or pending while one may still come; waits for none.
    fn look(&mut self) -> Poll<bool> {
        if !self.taken.is_empty() {
            return Poll::Ready(true);
        }
        let mut context = Context::from_waker(Waker::noop());
        let jobs = self.jobs.poll_recv_many(&mut context, &mut self.handful, HANDFUL);
        self.taken.extend(self.handful.drain(..));
        jobs.map(|jobs| jobs > 0)
    }
}

/// However the deciding thread ends, whoever still waits is answered.
impl Drop for Queue {
    fn drop(&mut self) {
        self.jobs.close();
        // The one in its place is never received from.
        let jobs = std::mem::replace(&mut self.jobs, mpsc::channel(1).1);
        *self.end.jobs.lock().unwrap_or_else(PoisonError::into_inner) = Some(jobs);
        self.end.over.store(true, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        self.end.turn_away();
    }
}

impl QueueEnd {
    /// Called after a job was sent.
    pub(super) fn turn_away_late(&self) {
        fence(Ordering::SeqCst);
        if self.over.load(Ordering::SeqCst) {
            self.turn_away();
        }
    }

    /// Drops the jobs that are left, by which they are told that nothing of them was decided.
    fn turn_away(&self) {
        let mut left = Vec::new();
        {
            let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
            while let Some(Ok(job)) = jobs.as_mut().map(mpsc::Receiver::try_recv) {
                left.push(job);
            }
        }
        // Not under the lock: a job may hold the last of its own engine.
        drop(left);
    }
}
