//! The queue of jobs, and its end: a job wakes an engine that rests, and one that comes too late is
//! answered so, never left waiting.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU8, Ordering, fence};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use ledger_core::ledger::{BLOCK, Prefetched};
use tokio::sync::mpsc;

use super::parked;
use super::resting::{Rested, Threads, Waits, decides};
use super::ticket::Job;
use crate::engines::sequencer::Sequencer;

/// How many jobs are taken off the queue at once.
const HANDFUL: usize = 256;

/// What fewer jobs than these name is not looked up together: each looks for itself, as quickly.
const MANY: usize = 16;

/// How long a thread that has just answered a batch itself stays awake: whoever waited for that
/// alone often asks again at once, and waking a thread takes longer.
const SOON: Duration = Duration::from_micros(50);

/// How often a closed queue looks whether a caller that has a permit already still comes.
const LAST_LOOKS: u32 = 50;

/// How long it rests between two looks.
const LAST_PAUSE: Duration = Duration::from_millis(1);

/// The deciding thread's end of the queue.
pub(super) struct Queue {
    jobs: mpsc::Receiver<Box<dyn Job>>,
    /// Jobs off the queue, not yet decided, each with what is known of its command.
    taken: VecDeque<(Box<dyn Job>, Prefetched)>,
    /// Of how many of these, the first, what their commands name was looked up.
    looked_up: usize,
    handful: Vec<Box<dyn Job>>,
    end: Arc<QueueEnd>,
}

/// What came of waiting for a job.
pub(super) enum Waited {
    Job,
    /// Nothing was asked for so long that the engine may rest.
    Quiet,
    /// No job will come.
    End,
}

/// A thread decides.
const AWAKE: u8 = 0;

/// What it works with waits for a job.
const RESTING: u8 = 1;

/// Nobody decides any more.
const OVER: u8 = 2;

/// Where the queue is left when nobody decides any more, and what decides, while it rests.
///
/// Who has a permit can put a job there meanwhile. The last look of the deciding thread and the
/// sender's own look at `state` are ordered by fences, so that one of the two finds it.
#[derive(Default)]
pub(super) struct QueueEnd {
    state: AtomicU8,
    rested: Mutex<Option<Box<dyn Rested>>>,
    jobs: Mutex<Option<mpsc::Receiver<Box<dyn Job>>>>,
    threads: Arc<Threads>,
}

impl Queue {
    pub(super) fn new(jobs: mpsc::Receiver<Box<dyn Job>>, end: Arc<QueueEnd>) -> Self {
        let (taken, handful) = (VecDeque::new(), Vec::with_capacity(HANDFUL));
        Self { jobs, taken, looked_up: 0, handful, end }
    }

    /// Waits for a job until the engine may rest, having been in use last at `used`; awake for a
    /// moment first, where somebody was just `answered`.
    pub(super) fn wait(&mut self, used: Instant, answered: bool) -> Waited {
        let (mut found, since) = (self.look(), Instant::now());
        while answered && found.is_pending() && since.elapsed() < SOON {
            // Whoever was answered may want this core.
            std::thread::yield_now();
            found = self.look();
        }
        if let Poll::Ready(another) = found {
            return if another { Waited::Job } else { Waited::End };
        }
        let waits = Waits::begin();
        let Self { jobs, handful, .. } = self;
        let received = |context: &mut Context<'_>| jobs.poll_recv_many(context, handful, HANDFUL);
        let received = parked::wait_until(used + waits.linger(), std::future::poll_fn(received));
        self.take_handful();
        match received {
            Some(0) => Waited::End,
            Some(_) => Waited::Job,
            None => Waited::Quiet,
        }
    }

    /// Closes; whether a job is left. Who has a permit and does not use it is waited for a moment
    /// only.
    pub(super) fn wait_for_the_last(&mut self) -> Waited {
        self.jobs.close();
        for _ in 0..LAST_LOOKS {
            match self.look() {
                Poll::Ready(true) => return Waited::Job,
                Poll::Ready(false) => break,
                Poll::Pending => std::thread::sleep(LAST_PAUSE),
            }
        }
        Waited::End
    }

    /// Where it is left.
    pub(super) const fn end(&self) -> &Arc<QueueEnd> {
        &self.end
    }

    /// Gives back the memory of jobs that are done.
    pub(super) fn shrink(&mut self) {
        self.taken.shrink_to_fit();
    }

    /// Tells whether there is a job already.
    pub(super) fn holds_another(&mut self) -> bool {
        self.look() == Poll::Ready(true)
    }

    /// The next job, if there is one already, with what is known of its command: what those of many
    /// name is looked up together, where there is a sequencer to look it up in.
    pub(super) fn next(
        &mut self,
        sequencer: Option<&Sequencer>,
    ) -> Option<(Box<dyn Job>, Prefetched)> {
        if !self.holds_another() {
            return None;
        }
        if let (0, Some(sequencer)) = (self.looked_up, sequencer) {
            self.look_ahead(sequencer);
        }
        self.looked_up = self.looked_up.saturating_sub(1);
        self.taken.pop_front()
    }

    fn look_ahead(&mut self, sequencer: &Sequencer) {
        if self.taken.len() < MANY {
            return;
        }
        self.looked_up = BLOCK.min(self.taken.len());
        let commands = self.taken.iter().take(BLOCK).filter_map(|(job, _)| job.command());
        let prefetched = sequencer.ledger().look_ahead(commands);
        let jobs = self.taken.iter_mut().take(BLOCK).filter(|(job, _)| job.command().is_some());
        for ((_, known), prefetched) in jobs.zip(prefetched) {
            *known = prefetched;
        }
    }

    /// Forgets what was looked up: another sequencer decides from now on.
    pub(super) fn forget(&mut self) {
        self.looked_up = 0;
        for (_, known) in &mut self.taken {
            *known = Prefetched::default();
        }
    }

    fn take_handful(&mut self) {
        let known = Prefetched::default();
        self.taken.extend(self.handful.drain(..).map(|job| (job, known)));
    }

    /// Tells whether there is a job now, or pending while one may still come; waits for none.
    fn look(&mut self) -> Poll<bool> {
        if !self.taken.is_empty() {
            return Poll::Ready(true);
        }
        let mut context = Context::from_waker(Waker::noop());
        let jobs = self.jobs.poll_recv_many(&mut context, &mut self.handful, HANDFUL);
        self.take_handful();
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
        self.end.state.store(OVER, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        self.end.turn_away();
    }
}

impl QueueEnd {
    pub(super) fn new(threads: Arc<Threads>) -> Self {
        Self { threads, ..Self::default() }
    }

    /// Called after a job was sent.
    pub(super) fn signal_job(&self) {
        fence(Ordering::SeqCst);
        match self.state.load(Ordering::SeqCst) {
            AWAKE => {}
            RESTING => self.wake(),
            _ => self.turn_away(),
        }
    }

    /// Tells whether the engine rests.
    pub(super) fn is_resting(&self) -> bool {
        self.state.load(Ordering::SeqCst) == RESTING
    }

    /// Leaves what decides here, until a job comes; gives it back where one has come already.
    pub(super) fn leave(&self, mut rested: Box<dyn Rested>) -> Option<Box<dyn Rested>> {
        let mut place = self.place();
        self.state.store(RESTING, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        if rested.has_a_job() {
            self.state.store(AWAKE, Ordering::SeqCst);
            return Some(rested);
        }
        *place = Some(rested);
        None
    }

    /// Has a thread go on with what rests here, if anything does. Where the system gives none, it
    /// rests on, until it is woken once more.
    pub(super) fn wake(&self) {
        let mut place = self.place();
        let Some(rested) = place.take() else { return };
        match decides(&self.threads, rested) {
            // Whoever finds it awake finds its thread, too.
            Ok(()) => self.state.store(AWAKE, Ordering::SeqCst),
            Err((rested, _)) => *place = Some(rested),
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

    fn place(&self) -> MutexGuard<'_, Option<Box<dyn Rested>>> {
        self.rested.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for QueueEnd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("QueueEnd").field("resting", &self.is_resting()).finish_non_exhaustive()
    }
}
