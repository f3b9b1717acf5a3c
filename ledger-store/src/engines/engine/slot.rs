//! The slot between the threads: one batch, which grows while the one before it is written.
//!
//! Whoever decides adds to it, whoever writes takes it whole. So what comes during one write shares
//! the next, in one commit and not in several; a batch that is large enough is waited behind.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use ledger_core::ledger::State as LedgerState;
use ledger_core::time::Instant;

use super::ticket::Job;
use crate::bytes::commit_builder::CommitBuilder;
use crate::state::vault::Token;
use crate::tables::projection::Pending;

/// How many jobs one batch holds. Reads add no record, so a batch of them ends by its number.
pub(super) const LARGEST_BATCH: usize = 16_384;

/// What is decided together and made durable together: first what is erased, then what is recorded.
pub(super) struct Batch {
    /// Of how many books this one is the last: what was decided on a lost one is not written.
    pub(super) generation: u64,
    /// The records; or why nothing that was decided holds.
    pub(super) drafted: Result<Drafted, String>,
    /// Tokens whose values are erased in the journal before the records come there: whoever was
    /// brought again after the erasure comes with them.
    pub(super) erased: Vec<Token>,
    pub(super) jobs: Vec<Box<dyn Job>>,
}

/// Drafts that a commit builder frames into one commit; none where nothing was recorded.
pub(super) struct Drafted {
    pub(super) commit_builder: CommitBuilder,
    pub(super) drafts: usize,
    pub(super) records: usize,
    /// What they ask to be sent and carried out, where an outbox is kept.
    pub(super) entries: Vec<Pending>,
    /// The instant of the last of them.
    pub(super) as_of: Instant,
    /// The state after them, where somebody reads what is committed.
    pub(super) state: Option<Box<LedgerState>>,
}

/// Where the next batch stands.
pub(super) struct Slot {
    largest_commit: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    next: Option<Batch>,
    attendance: Attendance,
    /// Tells whether a batch was taken and its writer has not come back.
    writing: bool,
    /// Nobody decides any more.
    ended: bool,
    /// Nobody writes any more.
    abandoned: bool,
}

/// Tells whether a thread takes batches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Attendance {
    #[default]
    Nobody,
    There,
    /// It goes once there is no batch, as the engine rests.
    Leaving,
}

/// What became of a batch that was pushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PushOutcome {
    /// It is taken when it is its turn.
    Taken,
    /// The same, once whoever pushed it has begun to take batches, or has had a thread begin.
    Unattended,
    /// Nobody writes any more.
    Abandoned,
}

/// What a writer finds.
pub(super) enum Next {
    Batch(Batch),
    /// Nothing for now: it goes, and whoever pushes the next batch has another begin.
    Rest,
    /// No batch follows.
    End,
}

impl Batch {
    /// Takes in what was decided after it, or gives it back.
    fn join(&mut self, mut later: Self, largest_commit: usize) -> Result<(), Self> {
        let fits = match (&self.drafted, &later.drafted) {
            (Ok(mine), Ok(more)) => {
                // What is erased later may be what this one still brings.
                later.erased.is_empty()
                    && self.generation == later.generation
                    && mine.records + more.records <= largest_commit
                    && self.jobs.len() + later.jobs.len() <= LARGEST_BATCH
            }
            _ => false,
        };
        if !fits {
            return Err(later);
        }
        if let (Ok(mine), Ok(more)) = (&mut self.drafted, later.drafted) {
            mine.drafts += more.drafts;
            mine.records += more.records;
            mine.entries.extend(more.entries);
            mine.as_of = more.as_of;
            // The earlier one is past before anybody could see it.
            mine.state = more.state;
        }
        self.jobs.append(&mut later.jobs);
        Ok(())
    }

    /// Tells whether nothing of it needs writing.
    pub(super) fn only_reads(&self) -> bool {
        self.erased.is_empty() && self.drafted.as_ref().is_ok_and(|drafted| drafted.drafts == 0)
    }
}

impl Slot {
    pub(super) fn new(largest_commit: usize) -> Self {
        Self { largest_commit, state: Mutex::default(), changed: Condvar::new() }
    }

    /// Adds a batch behind those before it; waits while there is no room.
    pub(super) fn push(&self, mut batch: Batch) -> PushOutcome {
        let mut state = self.state();
        loop {
            if state.abandoned {
                return PushOutcome::Abandoned;
            }
            match &mut state.next {
                None => {
                    state.next = Some(batch);
                    break;
                }
                Some(next) => match next.join(batch, self.largest_commit) {
                    Ok(()) => break,
                    Err(back) => batch = back,
                },
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let unattended = state.attendance == Attendance::Nobody;
        let outcome = if unattended { PushOutcome::Unattended } else { PushOutcome::Taken };
        state.attendance = Attendance::There;
        drop(state);
        self.changed.notify_all();
        outcome
    }

    /// Takes the next batch, the one before being done with; waits for it, unless it is to rest.
    pub(super) fn take(&self) -> Next {
        let mut state = self.state();
        state.writing = false;
        loop {
            if let Some(batch) = state.next.take() {
                state.writing = true;
                drop(state);
                self.changed.notify_all();
                return Next::Batch(batch);
            }
            if state.ended {
                return Next::End;
            }
            if state.attendance == Attendance::Leaving {
                state.attendance = Attendance::Nobody;
                return Next::Rest;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Has the thread that takes batches go, until another is pushed; `false` while one is under
    /// way.
    pub(super) fn rest(&self) -> bool {
        let mut state = self.state();
        if state.next.is_some() || state.writing {
            return false;
        }
        if state.attendance == Attendance::There {
            state.attendance = Attendance::Leaving;
        }
        drop(state);
        self.changed.notify_all();
        true
    }

    /// Has whoever takes batches go once none is left.
    pub(super) fn rest_after_this(&self) {
        self.state().attendance = Attendance::Leaving;
    }

    /// Tells whether every batch is written and answered.
    pub(super) fn is_idle(&self) -> bool {
        let state = self.state();
        state.next.is_none() && !state.writing
    }

    /// No batch follows; `true` when no thread takes any, and whoever says it comes to the end.
    pub(super) fn end(&self) -> bool {
        let mut state = self.state();
        state.ended = true;
        let unattended = state.attendance == Attendance::Nobody;
        drop(state);
        self.changed.notify_all();
        unattended
    }

    /// Nobody writes any more: what stands here is told so.
    pub(super) fn abandon(&self) {
        let mut state = self.state();
        state.abandoned = true;
        let left = state.next.take();
        drop(state);
        self.changed.notify_all();
        drop(left);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
