//! What the threads of an engine and its subscriptions share: how far it is durable, and how it
//! ended.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use ledger_core::ledger::State;

use super::EngineError;
use super::counters::Counting;
use crate::journal::{Commit, Head};

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
    /// Whether the deciding thread came to its end, and did not break off.
    decided_all: AtomicBool,
    /// Whether another writer is known to have taken over.
    fenced: AtomicBool,
    /// For how many batches more the state after them is shown to whoever reads.
    wanted: AtomicU32,
    progress: Mutex<Progress>,
    moved: Condvar,
}

#[derive(Debug)]
struct Progress {
    /// The last record that is durable for certain.
    head: Head,
    /// The state at that record, while somebody reads it.
    state: Option<Arc<State>>,
    recent: VecDeque<Arc<Commit>>,
    readers: usize,
    /// Why nothing is written any more, from the moment that it is not.
    dead: Option<EngineError>,
    end: Option<Result<Head, EngineError>>,
}

/// What a subscription does next.
#[derive(Debug)]
pub(super) enum Next {
    /// The commit that holds the record it waits for.
    Live(Arc<Commit>),
    /// The record is in the journal.
    Journal,
    /// The engine has ended, and every record before was given.
    Ended(Option<EngineError>),
    /// Nobody listens any more.
    Gone,
}

impl Shared {
    pub(super) fn new(head: Head) -> Self {
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
                dead: None,
                end: None,
            }),
            moved: Condvar::new(),
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
    pub(super) fn landed(&self, commit: Commit, state: Option<Box<State>>) {
        let mut progress = self.progress();
        progress.head = commit.head();
        progress.state = state.map(Arc::from);
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
    pub(super) fn committed(&self) -> Result<Option<Arc<State>>, EngineError> {
        self.unfenced()?;
        self.wanted.store(SHOWN, Ordering::Relaxed);
        let progress = self.progress();
        match (&progress.dead, &progress.end) {
            (Some(why), _) => Err(why.clone()),
            (None, Some(end)) => Err(end.clone().err().unwrap_or(EngineError::Ended)),
            (None, None) => Ok(progress.state.clone()),
        }
    }

    /// Nothing is written any more.
    pub(super) fn died(&self, why: &EngineError) {
        self.progress().dead.get_or_insert_with(|| why.clone());
    }

    /// Why nothing is written any more, or how it ended.
    pub(super) fn standing(&self) -> Option<Result<Head, EngineError>> {
        let progress = self.progress();
        progress.dead.clone().map(Err).or_else(|| progress.end.clone())
    }

    /// Whether the state after the batch that was decided is to be shown.
    pub(super) fn wants_state(&self) -> bool {
        let left = self.wanted.load(Ordering::Relaxed);
        self.wanted.store(left.saturating_sub(1), Ordering::Relaxed);
        left > 0
    }

    /// Another writer has taken over: nobody is answered by this engine any more.
    pub(super) fn fence(&self) {
        self.fenced.store(true, Ordering::SeqCst);
        self.ended(Some(EngineError::Fenced));
    }

    /// Whether nobody knows of another writer.
    pub(super) fn unfenced(&self) -> Result<(), EngineError> {
        if self.fenced.load(Ordering::SeqCst) { Err(EngineError::Fenced) } else { Ok(()) }
    }

    /// The engine has ended, well or not; the first word counts.
    pub(super) fn ended(&self, error: Option<EngineError>) {
        let mut progress = self.progress();
        let head = progress.head;
        progress.end.get_or_insert(error.map_or(Ok(head), Err));
        drop(progress);
        self.moved.notify_all();
    }

    /// The last record that is durable for certain.
    pub(super) fn head(&self) -> Head {
        self.progress().head
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
                    None => Next::Journal,
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
