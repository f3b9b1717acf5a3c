//! The writing thread: makes batches durable, shows them to the followers, answers them.

mod failing;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use ledger_core::ledger::State;
use ledger_core::time::Instant as LedgerInstant;
use tracing::field::Empty;
use tracing::{debug_span, error, warn};

use super::EngineError;
use super::counters::micros;
use super::lease::Moment;
use super::outbox::{OutboxKeeper, OutboxProgress};
use super::shared::{Belief, Shared};
use super::slot::{Batch, Next, Slot};
use crate::engines::sequencer::Sequencer;
use crate::journal::{Commit, Journal, JournalError, Reopen, Scrub, in_one_line};
use crate::state::snapshot::Snapshots;
use crate::state::vault::Token;
use crate::tables::projection::Pending;

/// Sees every commit, in order: inline projections, or whatever must not run behind the answers.
pub trait Follower: Send {
    /// Called once `commit` is durable, before it is answered; every answer waits for it.
    ///
    /// Commits that were durable when the engine started are not shown: a follower that keeps
    /// something compares its own checkpoint with [`Commit::previous`].
    ///
    /// # Errors
    ///
    /// What went wrong, for a person. The engine then stops, since a follower that has missed a
    /// commit must see no later one; the commit stays durable, and its answers say so.
    fn follow(&mut self, commit: &Commit) -> Result<(), String>;
}

/// The journal and who follows it; used by one thread at a time.
pub(super) struct Writer {
    journal: Box<dyn Journal>,
    name: String,
    snapshots: Option<Snapshots>,
    followers: Vec<Box<dyn Follower>>,
    outbox: Option<OutboxKeeper>,
    /// How often the sequencer was rebuilt: what was decided on a lost one is not written.
    generation: u64,
    dead: Option<EngineError>,
    /// Tells whether it is not known where the journal ends: its medium was away when that was to
    /// be found out.
    lost: bool,
    /// When it was last tried whether the medium takes a commit.
    probed: Instant,
    /// How long a lease lasts that is held, until it is given up.
    lease: Option<Duration>,
    /// Up to which record the sequencer may count on the journal.
    durable: Arc<AtomicU64>,
    rebuilt: SyncSender<Sequencer>,
    shared: Arc<Shared>,
}

/// What a writer is built with.
pub(super) struct Setup {
    pub(super) name: String,
    pub(super) snapshots: Option<Snapshots>,
    pub(super) followers: Vec<Box<dyn Follower>>,
    pub(super) outbox: Option<OutboxKeeper>,
    pub(super) lease: Option<Duration>,
}

/// Writes batches until the engine rests, or until there are no more: then it says how it ended.
pub(super) fn run(writer: &Mutex<Writer>, slot: &Slot, shared: &Shared) {
    let ending = Ending(slot, shared);
    loop {
        match slot.take() {
            Next::Batch(batch) => lock(writer).write(batch),
            Next::End => break,
            Next::Rest => {
                std::mem::forget(ending);
                return;
            }
        }
    }
    if shared.is_all_decided() {
        let mut writer = lock(writer);
        // Nobody else begins before what is to be sent is known.
        writer.outbox.take();
        writer.release();
        shared.record_end(writer.dead.clone());
    }
    drop(ending);
}

/// Says that the engine broke, unless its end was told before.
struct Ending<'a>(&'a Slot, &'a Shared);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.abandon();
        self.1.record_end(Some(EngineError::thread_lost()));
    }
}

/// The writer, unless a thread has panicked with it: then this one does too.
pub(super) fn lock(writer: &Mutex<Writer>) -> MutexGuard<'_, Writer> {
    writer.lock().expect("the journal has panicked, and nobody knows what it holds")
}

impl Writer {
    pub(super) fn new(
        journal: Box<dyn Journal>,
        setup: Setup,
        durable: Arc<AtomicU64>,
        rebuilt: SyncSender<Sequencer>,
        shared: Arc<Shared>,
    ) -> Self {
        let Setup { name, snapshots, followers, outbox, lease } = setup;
        Self {
            journal,
            name,
            snapshots,
            followers,
            outbox,
            generation: 0,
            dead: None,
            lost: false,
            probed: Instant::now(),
            lease,
            durable,
            rebuilt,
            shared,
        }
    }

    /// How the journal is opened once more.
    pub(super) fn reopen(&self) -> Reopen {
        self.journal.reopen()
    }

    /// How far the outbox is, where one is kept.
    pub(super) fn outbox(&self) -> Option<OutboxProgress> {
        self.outbox.as_ref().map(OutboxKeeper::progress)
    }

    /// Gives back what the journal needs while it is used only.
    pub(super) fn rest(&mut self) {
        // What is renewed all the time is in use.
        if self.lease.is_none() {
            self.journal.rest();
        }
    }

    /// Makes a batch durable, shows it to the followers, and answers it.
    pub(super) fn write(&mut self, batch: Batch) {
        let clock = Instant::now();
        self.keep_lease();
        let Batch { generation, drafted, erased, jobs } = batch;
        let written = match (&self.dead, drafted) {
            (Some(error), _) => Err(error.clone()),
            (None, _) if self.lost => Err(self.find_again()),
            (None, _) if generation != self.generation => {
                Err(EngineError::NotWritten("a commit before it failed".to_owned()))
            }
            (None, Err(fault)) => Err(self.fail_with(EngineError::NotWritten(fault))),
            (None, Ok(drafted)) => self.erase(&erased).and_then(|()| {
                match drafted.commit_builder.frame(drafted.drafts) {
                    // What an append proves on the way, a batch of reads and refusals asks for.
                    None => self.verify().map(|()| self.shared.show(drafted.state)),
                    Some(commit) => {
                        let asked = (drafted.entries, drafted.as_of);
                        self.commit(commit, asked, drafted.state)
                    }
                }
            }),
        };
        for job in jobs {
            job.answer(written.clone());
        }
        self.shared.counting.wrote_for(clock.elapsed());
    }

    /// Erases values in the journal, and leaves no copy of them in its tables. Should the first
    /// fail, they are still known, by the sequencer as well; should the second, they are not, and
    /// what is left is told by [`Engine::scrub_warnings`](super::Engine::scrub_warnings).
    fn erase(&mut self, tokens: &[Token]) -> Result<(), EngineError> {
        for token in tokens {
            self.journal.erase(*token).map_err(|error| match error {
                JournalError::Fenced { .. } => self.fail_with(EngineError::Fenced),
                error => self.fail_with(EngineError::NotWritten(in_one_line(&error))),
            })?;
        }
        if !tokens.is_empty() {
            let left = self.journal.scrub(Scrub::Tables);
            self.shared.unscrubbed.set(left.unwrap_or_else(|error| vec![in_one_line(&error)]));
        }
        Ok(())
    }

    /// Renews the lease where it is time to; `false` when the engine has none to renew any more.
    pub(super) fn keep_lease(&mut self) -> bool {
        let Some(lease) = self.lease else { return false };
        if self.dead.is_some() {
            return false;
        }
        if self.lost {
            return true;
        }
        if self.shared.lease_rests().is_some_and(|rest| !rest.is_zero()) {
            return true;
        }
        let sent = Moment::now();
        let renewed = self.journal.renew(lease);
        self.shared.lease_tried(sent, renewed.is_ok());
        match renewed {
            Ok(()) => true,
            Err(JournalError::Fenced { .. }) => {
                self.fence();
                false
            }
            Err(error) => {
                let why = in_one_line(&error);
                warn!(error = why, "the lease is not renewed");
                if error.is_displaced() {
                    self.fails(&why);
                }
                true
            }
        }
    }

    /// Believes nothing any more, and lets others take over at once.
    fn release(&mut self) {
        self.shared.gives_lease_up();
        self.lease = None;
        if let Err(error) = self.journal.release() {
            warn!(error = in_one_line(&error), "what it held the ledger by ends by itself");
        }
    }

    /// Tells whether what was read is what the ledger is: nobody has taken over.
    fn verify(&mut self) -> Result<(), EngineError> {
        self.probe();
        match self.shared.belief() {
            Belief::Holds => return Ok(()),
            Belief::Lapsed => return Err(EngineError::LeaseLapsed),
            Belief::Unleased => {}
        }
        match self.journal.is_last_writer() {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.fence()),
            Err(error) => {
                let why = in_one_line(&error);
                if error.is_displaced() {
                    self.fails(&why);
                }
                Err(EngineError::Unverified(why))
            }
        }
    }

    /// Another writer has taken over: the engine stops, and says so at every door.
    fn fence(&mut self) -> EngineError {
        self.dies(EngineError::Fenced);
        self.shared.fence();
        EngineError::Fenced
    }

    /// From now on nothing is written, and whoever asks is told why.
    fn dies(&mut self, why: EngineError) {
        self.shared.end_writing(&why);
        self.dead = Some(why);
    }

    fn commit(
        &mut self,
        commit: Commit,
        asked: (Vec<Pending>, LedgerInstant),
        state: Option<Box<State>>,
    ) -> Result<(), EngineError> {
        let records = commit.head().seq - commit.previous.seq;
        let bytes = commit.rows.iter().map(|row| row.payload.len() as u64).sum();
        let span =
            debug_span!("ledger.commit", ledger = %self.name, records, bytes, micros = Empty);
        let _entered = span.enter();
        let clock = Instant::now();
        let appended = self.append(&commit);
        span.record("micros", micros(clock.elapsed()));
        appended.map_err(|error| self.fail_with(error))?;
        // Its records may leave memory now.
        self.durable.store(commit.head().seq, Ordering::Release);
        self.shared.counting.count_written(records, bytes);
        let followed = self.follow(&commit, asked);
        self.shared.publish_commit(commit, state);
        followed
    }

    /// Shows a commit to whoever follows, and hands what it asks for to the outbox.
    fn follow(
        &mut self,
        commit: &Commit,
        (entries, as_of): (Vec<Pending>, LedgerInstant),
    ) -> Result<(), EngineError> {
        let mut followed = Ok(());
        if let Some(outbox) = &self.outbox {
            followed = outbox.take(commit, entries, as_of);
        }
        for follower in &mut self.followers {
            followed = followed.and_then(|()| follower.follow(commit));
        }
        followed.map_err(|why| {
            error!(from = commit.previous.seq + 1, why, "a follower failed: the engine stops");
            let stopped = format!("the engine has stopped, since a follower failed: {why}");
            self.dies(EngineError::NotWritten(stopped));
            self.release();
            EngineError::NotFollowed(why)
        })
    }
}
