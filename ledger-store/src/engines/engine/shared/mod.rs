//! What the threads of an engine and its subscriptions share: how far it is durable, and how it
//! ended.

mod erasing;
mod failing;
mod rested;
mod waiting;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ledger_core::ledger::State;

use super::EngineError;
use super::counters::Counting;
use super::lease::{Lease, Moment};
use crate::journal::{Commit, Head};
use erasing::Unscrubbed;
pub use failing::WritingFails;
use waiting::Waiters;

/// How many commits are kept for subscriptions that have read all before them. Who lags behind
/// reads the journal, so that a slow reader costs no memory.
const RECENT: usize = 4;

/// For how many batches after a read the state after them is shown: a clone of it costs the
/// deciding thread little, and nothing while nobody reads.
const SHOWN: u32 = 256;

/// Shared by the engine, its threads and its subscriptions.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) counting: Counting,
    stopping: AtomicBool,
    /// Tells whether the deciding thread came to its end, and did not break off.
    decided_all: AtomicBool,
    /// Tells whether another writer is known to have taken over.
    fenced: AtomicBool,
    /// For how many batches more the state after them is shown to whoever reads.
    wanted: AtomicU32,
    progress: Mutex<Progress>,
    moved: Condvar,
    pub(super) unscrubbed: Unscrubbed,
    /// Why no lock keeps other writers out.
    pub(super) unlocked: Option<String>,
    /// Since when nothing is written, and why, while that is so.
    failing: Mutex<Option<WritingFails>>,
}

#[derive(Debug)]
struct Progress {
    /// The last record that is durable for certain.
    head: Head,
    /// The state at that record, while somebody reads it.
    state: Option<Arc<State>>,
    recent: VecDeque<Arc<Commit>>,
    readers: usize,
    waiters: Waiters,
    /// The lease, where the engine holds one.
    lease: Option<Lease>,
    /// When it was used last, as far as it has rested since.
    used: Instant,
    /// When it was last asked, while it rested, whether another writer has taken over.
    asked: Instant,
    /// Since when another writer is known to have taken over.
    fenced: Option<Instant>,
    /// Why nothing is written any more, from the moment that it is not.
    dead: Option<EngineError>,
    end: Option<Result<Head, EngineError>>,
}

/// What a subscription does next.
#[derive(Debug)]
pub(super) enum Next {
    /// The commit that holds the record it waits for.
    Live(Arc<Commit>),
    /// The record is in the journal, as are all up to this one; what stands behind it there may be
    /// another writer's.
    Journal(u64),
    /// The engine has ended, and every record before was given.
    Ended(Option<EngineError>),
    /// Nobody listens any more.
    Gone,
}

/// What an engine may say of its lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Belief {
    /// It holds none, and the journal is asked instead.
    Unleased,
    /// Nobody has taken over.
    Holds,
    /// Somebody may have.
    Lapsed,
}

impl Progress {
    /// Why nothing is written any more, or how it ended.
    fn end_reached(&self) -> Option<Result<Head, EngineError>> {
        self.dead.clone().map(Err).or_else(|| self.end.clone())
    }

    /// Tells whether it takes jobs and writes.
    fn writes(&self) -> Result<(), EngineError> {
        match self.end_reached() {
            None => Ok(()),
            Some(end) => Err(end.err().unwrap_or(EngineError::Ended)),
        }
    }

    fn belief(&self, now: Moment) -> Belief {
        match self.lease {
            None => Belief::Unleased,
            Some(lease) if lease.holds(now) => Belief::Holds,
            Some(_) => Belief::Lapsed,
        }
    }

    /// Tells whether what is known here may be told.
    fn believes(&self, now: Moment) -> Result<(), EngineError> {
        match self.belief(now) {
            Belief::Unleased | Belief::Holds => Ok(()),
            Belief::Lapsed => self.writes().and(Err(EngineError::LeaseLapsed)),
        }
    }
}

impl Shared {
    pub(super) fn new(head: Head, lease: Option<Lease>, unlocked: Option<String>) -> Self {
        let now = Instant::now();
        Self {
            counting: Counting::default(),
            stopping: AtomicBool::new(false),
            decided_all: AtomicBool::new(false),
            fenced: AtomicBool::new(false),
            wanted: AtomicU32::new(0),
            progress: Mutex::new(Progress {
                head,
                state: None,
                recent: VecDeque::new(),
                readers: 0,
                waiters: Waiters::default(),
                lease,
                used: now,
                asked: now,
                fenced: None,
                dead: None,
                end: None,
            }),
            moved: Condvar::new(),
            unscrubbed: Unscrubbed::default(),
            unlocked,
            failing: Mutex::default(),
        }
    }

    /// From now on no job is taken.
    pub(super) fn stop(&self) {
        self.stopping.store(true, Ordering::SeqCst);
    }

    pub(super) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::SeqCst)
    }

    /// The deciding thread has come to its end.
    pub(super) fn decided_all(&self) {
        self.decided_all.store(true, Ordering::SeqCst);
    }

    pub(super) fn is_all_decided(&self) -> bool {
        self.decided_all.load(Ordering::SeqCst)
    }

    /// `commit` is durable, and so is the state after it.
    pub(super) fn publish_commit(&self, commit: Commit, state: Option<Box<State>>) {
        let mut progress = self.progress();
        progress.head = commit.head();
        progress.state = state.map(Arc::from);
        let durable = progress.head.seq;
        progress.waiters.wake(durable);
        if progress.readers == 0 {
            return;
        }
        if progress.recent.len() == RECENT {
            progress.recent.pop_front();
        }
        progress.recent.push_back(Arc::new(commit));
        drop(progress);
        self.moved.notify_all();
    }

    /// The state that is durable, where it is not shown yet.
    pub(super) fn show(&self, state: Option<Box<State>>) {
        let mut progress = self.progress();
        if progress.state.is_none() {
            progress.state = state.map(Arc::from);
        }
    }

    /// The state at the last record that is durable, where it is shown; from now on it is, for as
    /// many batches as [`SHOWN`] says.
    pub(super) fn committed_state(&self) -> Result<Option<Arc<State>>, EngineError> {
        self.ensure_unfenced()?;
        self.wanted.store(SHOWN, Ordering::Relaxed);
        let now = Moment::now();
        let progress = self.progress();
        progress.writes().and_then(|()| progress.believes(now))?;
        Ok(progress.state.clone())
    }

    /// [`Shared::committed_state`], within a lease and nowhere else.
    pub(super) fn committed_by_lease(&self) -> Option<Arc<State>> {
        self.ensure_unfenced().ok()?;
        self.wanted.store(SHOWN, Ordering::Relaxed);
        let now = Moment::now();
        let progress = self.progress();
        let holds = progress.writes().is_ok() && progress.belief(now) == Belief::Holds;
        progress.state.clone().filter(|_| holds)
    }

    /// Returns what the engine may say of the lease now.
    pub(super) fn belief(&self) -> Belief {
        let now = Moment::now();
        self.progress().belief(now)
    }

    /// For how long the lease needs no renewal; `None` for an engine without one.
    pub(super) fn lease_rests(&self) -> Option<Duration> {
        let now = Moment::now();
        self.progress().lease.map(|lease| lease.rest(now))
    }

    /// A renewal of the lease that was sent at this moment came to an end.
    pub(super) fn lease_tried(&self, sent: Moment, succeeded: bool) {
        if let Some(lease) = &mut self.progress().lease {
            lease.record_attempt(sent, succeeded);
        }
    }

    /// From now on nothing is believed of the lease.
    pub(super) fn gives_lease_up(&self) {
        if let Some(lease) = &mut self.progress().lease {
            lease.give_up();
        }
    }

    /// Tells whether the engine ends within so long; waits for it.
    pub(super) fn ends_within(&self, rest: Duration) -> bool {
        let goes_on = |progress: &mut Progress| progress.end.is_none();
        let waited = self.moved.wait_timeout_while(self.progress(), rest, goes_on);
        !waited.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }

    /// Waits until record `seq` is durable.
    pub(super) async fn durable(&self, seq: u64) -> Result<(), EngineError> {
        loop {
            let waiting = {
                let mut progress = self.progress();
                if progress.head.seq >= seq {
                    return Ok(());
                }
                progress.writes()?;
                progress.waiters.join(seq)
            };
            // Woken or let go of: what has become of it is looked at either way.
            let _ = waiting.await;
        }
    }

    /// Waits until nothing is written any more; how it ended.
    pub(super) async fn over(&self) -> Result<Head, EngineError> {
        loop {
            let waiting = {
                let mut progress = self.progress();
                if let Some(end) = progress.end_reached() {
                    return end;
                }
                progress.waiters.join(Waiters::END)
            };
            let _ = waiting.await;
        }
    }

    /// Why nothing is written any more, or how it ended.
    pub(super) fn end_reached(&self) -> Option<Result<Head, EngineError>> {
        self.progress().end_reached()
    }

    /// Since when another writer is known to have taken over.
    pub(super) fn fenced_since(&self) -> Option<Instant> {
        self.progress().fenced
    }

    /// Tells whether the state after the batch that was decided is to be shown.
    pub(super) fn wants_state(&self) -> bool {
        let left = self.wanted.load(Ordering::Relaxed);
        self.wanted.store(left.saturating_sub(1), Ordering::Relaxed);
        left > 0
    }

    /// Another writer has taken over: nobody is answered by this engine any more.
    pub(super) fn fence(&self) {
        self.progress().fenced.get_or_insert_with(Instant::now);
        self.fenced.store(true, Ordering::SeqCst);
        self.record_end(Some(EngineError::Fenced));
    }

    /// Tells whether nobody knows of another writer.
    pub(super) fn ensure_unfenced(&self) -> Result<(), EngineError> {
        if self.fenced.load(Ordering::SeqCst) { Err(EngineError::Fenced) } else { Ok(()) }
    }

    /// The engine has ended, well or not; the first word counts.
    pub(super) fn record_end(&self, error: Option<EngineError>) {
        let mut progress = self.progress();
        let head = progress.head;
        progress.end.get_or_insert(error.map_or(Ok(head), Err));
        progress.waiters.wake(Waiters::END);
        drop(progress);
        self.moved.notify_all();
    }

    /// The last record that is durable for certain, unless the lease has lapsed.
    pub(super) fn head(&self) -> Result<Head, EngineError> {
        self.ensure_unfenced()?;
        let now = Moment::now();
        let progress = self.progress();
        progress.believes(now)?;
        Ok(progress.head)
    }

    /// How it ended, if it has.
    pub(super) fn end(&self) -> Option<Result<Head, EngineError>> {
        self.progress().end.clone()
    }

    /// A subscription begins.
    pub(super) fn join(&self) {
        self.progress().readers += 1;
    }

    /// A subscription ends.
    pub(super) fn leave(&self) {
        let mut progress = self.progress();
        progress.readers -= 1;
        if progress.readers == 0 {
            progress.recent.clear();
        }
    }

    /// Wakes the subscriptions, so that one which is `gone` sees it.
    pub(super) fn wake(&self) {
        // Under the lock, so that none is between looking and waiting.
        drop(self.progress());
        self.moved.notify_all();
    }

    /// Waits until record `seq` is durable, or will not be.
    pub(super) fn next(&self, seq: u64, gone: &AtomicBool) -> Next {
        let mut progress = self.progress();
        loop {
            if gone.load(Ordering::SeqCst) {
                return Next::Gone;
            }
            if seq <= progress.head.seq {
                let holds = |commit: &&Arc<Commit>| commit.previous.seq < seq;
                let live = progress.recent.iter().rev().find(holds);
                return match live.filter(|commit| seq <= commit.head().seq) {
                    Some(commit) => Next::Live(Arc::clone(commit)),
                    None => Next::Journal(progress.head.seq),
                };
            }
            if let Some(end) = &progress.end {
                return Next::Ended(end.clone().err());
            }
            progress = self.moved.wait(progress).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn progress(&self) -> MutexGuard<'_, Progress> {
        // Nothing can panic between two writes that belong together.
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
