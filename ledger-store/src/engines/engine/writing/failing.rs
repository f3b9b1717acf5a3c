//! What the writing thread does where a medium takes no commit, or does not say whether it did.

use std::time::{Duration, Instant};

use tracing::{error, info, warn, warn_span};

use super::super::lease::Moment;
use super::super::lease::claiming::claim;
use super::super::outbox::OutboxKeeper;
use super::super::{EngineError, opening};
use super::Writer;
use crate::engines::sequencer::ReplayError;
use crate::journal::{AppendError, Commit, JournalError, Opening, in_one_line};

/// How long is rested before a medium that took no commit is tried again while nothing is written.
const PROBES: Duration = Duration::from_secs(1);

/// For how long it is tried to find out at once what became of an append.
const SETTLES: Duration = Duration::from_secs(2);

/// How long is rested before a medium that is away is asked again.
const AWAY: Duration = Duration::from_millis(200);

impl Writer {
    /// The medium took no commit: it is said once.
    pub(super) fn fails(&mut self, why: &str) {
        self.probed = Instant::now();
        if !self.shared.writing_fails(why) {
            error!(ledger = %self.name, why, "nothing is written: the medium takes no commit");
        }
    }

    /// The medium took a commit, or what was tried in its place.
    pub(super) fn succeeds(&self) {
        if let Some(failed) = self.shared.writes_again() {
            let seconds = failed.since.elapsed().as_secs();
            info!(ledger = %self.name, seconds, "the medium takes commits again");
        }
    }

    /// Takes over anew after the medium was away, and rebuilds what is decided by from what is
    /// durable; what became of a batch that was decided before.
    pub(super) fn find_again(&mut self) -> EngineError {
        match claim(&mut *self.journal, self.lease) {
            Ok((_, sent)) => {
                self.shared.lease_tried(sent, true);
                self.succeeds();
                let error = EngineError::NotWritten("the store was away".to_owned());
                self.recover(&error);
                error
            }
            Err(JournalError::Leased { .. } | JournalError::InUse { .. }) => self.fence(),
            Err(JournalError::Medium(why)) => {
                let why = in_one_line(&*why);
                self.fails(&why);
                EngineError::NotWritten(why)
            }
            Err(error) => {
                let error = EngineError::Stopped(in_one_line(&error));
                self.dies(error.clone());
                error
            }
        }
    }

    /// Tries, now and then, whether a medium that took no commit takes them again.
    pub(super) fn probe(&mut self) {
        if self.probed.elapsed() < PROBES || self.shared.failing().is_none() {
            return;
        }
        self.probed = Instant::now();
        if self.journal.probe().is_ok() {
            self.succeeds();
        }
    }

    /// Appends, and finds out what became of a commit whose outcome is unknown.
    pub(super) fn append(&mut self, commit: &Commit) -> Result<(), EngineError> {
        let turn = self.outbox.as_ref().map(OutboxKeeper::turn);
        let appended = self.journal.append(commit);
        drop(turn);
        match appended {
            Ok(()) => {
                self.succeeds();
                Ok(())
            }
            Err(AppendError::Fenced { .. } | AppendError::HeadMoved { .. }) => {
                Err(EngineError::Fenced)
            }
            Err(error @ (AppendError::Failed(_) | AppendError::NotWriting)) => {
                let why = in_one_line(&error);
                self.fails(&why);
                Err(EngineError::NotWritten(why))
            }
            Err(AppendError::Unknown(source)) => {
                let why = in_one_line(&*source);
                let (opening, sent) = self.settle(&why)?;
                self.shared.lease_tried(sent, true);
                if opening.head == commit.head() {
                    self.succeeds();
                    Ok(())
                } else if opening.head == commit.previous {
                    self.fails(&why);
                    Err(EngineError::NotWritten(why))
                } else {
                    Err(EngineError::Fenced)
                }
            }
        }
    }

    /// Takes over anew, to find out what became of an append whose outcome is not known. A medium
    /// that is away is waited for, but not for long: whoever asked is told that nobody knows, and
    /// it is found out before anything else is written.
    pub(super) fn settle(&mut self, why: &str) -> Result<(Opening, Moment), EngineError> {
        let begun = Instant::now();
        loop {
            match claim(&mut *self.journal, self.lease) {
                Ok(claimed) => return Ok(claimed),
                // Whoever holds it has taken over before.
                Err(JournalError::Leased { .. } | JournalError::InUse { .. }) => {
                    return Err(EngineError::Fenced);
                }
                Err(JournalError::Medium(_)) if self.journal.may_recover() => {
                    self.fails(why);
                    if begun.elapsed() > SETTLES || self.shared.is_stopping() {
                        return Err(EngineError::Unknown(why.to_owned()));
                    }
                    std::thread::sleep(AWAY);
                }
                Err(error) => return Err(EngineError::Stopped(in_one_line(&error))),
            }
        }
    }

    /// After a failed append, or a decision on something unreadable: a new sequencer from the
    /// journal, or the end.
    pub(super) fn fail_with(&mut self, error: EngineError) -> EngineError {
        self.shared.counting.count_failure();
        self.recover(&error);
        error
    }

    pub(super) fn recover(&mut self, error: &EngineError) {
        warn!(%error, "a commit failed");
        if matches!(error, EngineError::Unknown(_)) {
            self.lost = true;
            return;
        }
        let EngineError::NotWritten(what) = error else {
            self.dies(error.clone());
            if *error == EngineError::Fenced {
                self.shared.fence();
            }
            return;
        };
        let _entered = warn_span!("ledger.rebuild", ledger = %self.name).entered();
        let snapshots = self.snapshots.as_ref();
        match opening::open_sequencer(&mut *self.journal, &self.name, snapshots, |_, _| ()) {
            Ok(sequencer) => {
                self.generation += 1;
                self.durable = sequencer.durable();
                self.lost = false;
                // The deciding thread takes it before it decides the next batch.
                let _ = self.rebuilt.send(sequencer);
            }
            Err(ReplayError::Journal(JournalError::Medium(why))) if self.journal.may_recover() => {
                self.fails(&in_one_line(&*why));
                self.lost = true;
            }
            Err(why) => {
                error!(%why, "the journal cannot be read back: the engine stops");
                let stopped = format!("{what}; then: {}", in_one_line(&why));
                self.dies(EngineError::Stopped(stopped));
            }
        }
    }
}
