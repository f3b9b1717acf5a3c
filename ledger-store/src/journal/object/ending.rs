//! Where a log ends is proven: no object of the ledger speaks of an entry after its last one.
//!
//! ```text
//! a later entry or merged object      it was written after the entry that is not there
//! a value of the vault                its writer had read every entry before the number in it
//! a mark                              its writer had written every entry up to the number in it
//! ```
//!
//! A value whose number is the next entry's speaks of no more than is there: its writer was stopped
//! before its commit landed. One with a greater number was written by somebody who had read an
//! entry that is gone.
//! A mark follows each commit, behind the writer, and stands in the name of its epoch: a writer
//! that was overtaken moves nobody else's.

use std::sync::{Arc, Mutex, PoisonError};

use minicbor::{Decode, Encode};
use tracing::warn;

use super::ObjectJournal;
use super::format::entry::to_cbor;
use super::format::names::{Names, block_of, entry_of, value_of};
use super::log::{Log, medium};
use super::reached::Reached;
use super::store::requests::{Failed, Requests, in_parallel};
use crate::journal::JournalError;

/// How far a writer has come, as it writes it down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
struct Mark {
    /// Its last entry.
    #[n(0)]
    number: u64,
    /// The last record up to there.
    #[n(1)]
    seq: u64,
}

impl Log {
    /// Tells whether the log ends where it seems to, by what objects are known to say.
    pub(super) async fn assert_end(&mut self) -> Result<(), JournalError> {
        if self.reached.number < self.state.next {
            return Ok(());
        }
        // Whoever wrote what was seen may have gone on since the log was read.
        self.follow().await?;
        if self.reached.number < self.state.next {
            return Ok(());
        }
        let (number, head) = (self.state.next, self.state.head());
        let entry = self.names.entry(number, self.state.epoch);
        let missing = format!("the object {entry}, or {}", self.names.block(self.base.next));
        let Reached { number: last, by } = &self.reached;
        let evidence = format!("{by} says that entries up to {last} were written");
        Err(JournalError::loss(head, missing, evidence))
    }

    /// Tells whether the log ends where it seems to, by every object that could say more.
    pub(super) async fn prove_end(&mut self) -> Result<(), JournalError> {
        self.look_beyond().await?;
        self.look_at_values().await?;
        self.assert_end().await
    }

    /// Looks for entries and merged objects beyond the end, and at the marks of writers.
    pub(super) async fn look_beyond(&mut self) -> Result<(), JournalError> {
        let after = self.names.entry(self.state.next, 0);
        let listed = self.requests.list(&self.names.entries(), Some(&after)).await;
        for path in listed.map_err(medium)? {
            if let Some((number, _)) = entry_of(&path) {
                self.reached.note(number, &path);
            }
        }
        for path in self.requests.list(&self.names.merged_folder(), None).await.map_err(medium)? {
            if let Some(from) = block_of(&path) {
                self.reached.note(from, &path);
            }
        }
        self.look_at_marks().await
    }

    /// Looks at the marks of writers.
    pub(super) async fn look_at_marks(&mut self) -> Result<(), JournalError> {
        let marks = self.requests.list(&self.names.marks(), None).await.map_err(medium)?;
        let read = in_parallel(marks, async |path| {
            let found = self.requests.get(&path).await?;
            Ok((path, found))
        });
        for (path, found) in read.await.map_err(medium)? {
            // One that was removed since is of a writer that was overtaken.
            let Some(found) = found else { continue };
            if let Ok(Mark { number, .. }) = minicbor::decode(&found.bytes) {
                self.reached.note(number, &path);
            }
        }
        Ok(())
    }

    /// Looks at the names of values: each was written by somebody who had read what came before.
    pub(super) async fn look_at_values(&mut self) -> Result<(), JournalError> {
        for path in self.requests.list(&self.names.values(), None).await.map_err(medium)? {
            if let Some((_, place)) = value_of(&path) {
                self.reached.note(place.number.saturating_sub(1), &path);
            }
        }
        Ok(())
    }

    /// Writes down how far this writer has come, and removes the marks of those before it, which
    /// say less.
    async fn mark_alone(&self) -> Result<(), Failed> {
        let own = self.names.mark(self.state.epoch);
        let mark = Mark { number: self.state.next - 1, seq: self.state.head().seq };
        mark.write(&self.requests, &self.names, self.state.epoch).await?;
        let marks = self.requests.list(&self.names.marks(), None).await?;
        let older = marks.iter().filter(|path| **path < own);
        in_parallel(older, async |path| self.requests.delete(path).await).await.map(drop)
    }
}

impl Mark {
    async fn write(self, requests: &Requests, names: &Names, epoch: u64) -> Result<(), Failed> {
        requests.overwrite(&names.mark(epoch), to_cbor(&self)).await.map(drop)
    }
}

/// The mark that is to be written next, and whether somebody is about it.
#[derive(Clone, Debug, Default)]
pub(super) struct Marking(Arc<Mutex<Waiting>>);

#[derive(Debug, Default)]
struct Waiting {
    next: Option<(u64, Mark)>,
    runs: bool,
}

impl Marking {
    fn with<T>(&self, work: impl FnOnce(&mut Waiting) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Writes what is to be written, until nothing is.
    async fn run(self, requests: Requests, names: Names) {
        loop {
            let next = self.with(|waiting| {
                waiting.runs = waiting.next.is_some();
                waiting.next.take()
            });
            let Some((epoch, mark)) = next else { return };
            if let Err(failed) = mark.write(&requests, &names, epoch).await {
                warn!(error = %failed, "how far the log has come is not marked");
            }
        }
    }
}

impl ObjectJournal {
    /// Writes down how far this writer has come. Where the store refuses it, less is proven of the
    /// end, and nothing is lost.
    pub(super) async fn marked_alone(&self) {
        if let Err(failed) = self.log.mark_alone().await {
            warn!(error = %failed, "how far the log has come is not marked");
        }
    }

    /// Writes down, behind the writer, how far it has come: of several marks the last.
    pub(super) fn mark(&self) {
        let Some(epoch) = self.epoch else { return };
        let state = &self.log.state;
        let mark = Mark { number: state.next - 1, seq: state.head().seq };
        let begins = self.marking.with(|waiting| {
            waiting.next = Some((epoch, mark));
            !std::mem::replace(&mut waiting.runs, true)
        });
        if !begins {
            return;
        }
        let (requests, names) = (self.log.requests.clone(), self.log.names.clone());
        let work = self.marking.clone().run(requests, names);
        if self.storage.merges().inline {
            self.storage.run(async || work.await);
        } else {
            self.storage.spawn(work);
        }
    }
}
