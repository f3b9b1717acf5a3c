//! The deciding thread: takes what is queued, decides it all, lays it down for the next commit.

use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use super::queue::Queue;
use super::shared::Shared;
use super::slot::{Batch, Drafted, LARGEST_BATCH, Slot};
use super::ticket::Job;
use super::writing::{Writer, lock};
use crate::sequencer::Sequencer;

/// The deciding thread's own.
pub(super) struct Decider {
    sequencer: Sequencer,
    largest_commit: usize,
    queue: Queue,
    writing: WriterHandle,
    generation: u64,
    keeps_outbox: bool,
    /// Why the sequencer cannot be gone on with, until it is rebuilt from the journal.
    broken: Option<String>,
}

/// How the deciding thread reaches the writing one.
pub(super) struct WriterHandle {
    pub(super) slot: Arc<Slot>,
    pub(super) fresh: Receiver<Sequencer>,
    pub(super) writer: Arc<Mutex<Writer>>,
    pub(super) shared: Arc<Shared>,
}

impl Decider {
    pub(super) fn new(
        sequencer: Sequencer,
        largest_commit: usize,
        queue: Queue,
        writing: WriterHandle,
    ) -> Self {
        let keeps_outbox = sequencer.keeps_outbox();
        let (generation, broken) = (0, None);
        Self { sequencer, largest_commit, queue, writing, generation, keeps_outbox, broken }
    }

    /// Decides until there are no more jobs.
    pub(super) fn run(mut self) {
        while self.wait_for_a_job() {
            if let Ok(rebuilt) = self.writing.fresh.try_recv() {
                self.sequencer = rebuilt;
                if self.keeps_outbox {
                    self.sequencer.keep_outbox();
                }
                self.generation += 1;
                self.broken = None;
            }
            let batch = self.decide();
            if !self.hand_over(batch) {
                return;
            }
        }
        self.writing.shared.decided_all();
    }

    /// Whether there is a job; waits for one.
    fn wait_for_a_job(&mut self) -> bool {
        if self.writing.shared.is_stopping() {
            self.queue.wait_for_the_last()
        } else {
            self.queue.wait()
        }
    }

    /// Decides what is there, as far as one commit holds it, or as far as nothing panics.
    fn decide(&mut self) -> Batch {
        let clock = Instant::now();
        let mut jobs = Vec::new();
        while self.sequencer.pending() < self.largest_commit && jobs.len() < LARGEST_BATCH {
            let Some(mut job) = self.queue.next() else { break };
            let torn = self.broken.is_none() && !self.decides(&mut *job);
            jobs.push(job);
            if torn {
                self.broken = Some("a job of the same commit panicked".to_owned());
                break;
            }
        }
        let drafted = match self.broken.clone().or_else(|| self.sequencer.fault()) {
            Some(fault) => Err(fault),
            None => Ok(self.stage()),
        };
        let (erased, tally) = (self.sequencer.take_erased(), self.sequencer.take_tally());
        self.writing.shared.counting.decided(jobs.len(), tally, clock.elapsed());
        Batch { generation: self.generation, drafted, erased, jobs }
    }

    /// Decides a job; `false` when it panicked in the midst of a change to the sequencer.
    ///
    /// A job that only read is caught and the sequencer is as it was. Of one that changed something
    /// nobody knows how much: the sequencer is dropped, as after a failed append.
    fn decides(&mut self, job: &mut dyn Job) -> bool {
        let before = self.sequencer.begun();
        job.decide(&mut self.sequencer).is_ok() || self.sequencer.begun() == before
    }

    fn stage(&mut self) -> Drafted {
        let records = self.sequencer.pending();
        let drafts = usize::from(self.sequencer.stage());
        let entries = self.sequencer.take_outbox_entries();
        let wanted = self.writing.shared.wants_state();
        let state = &self.sequencer.ledger().state;
        let as_of = state.now;
        let state = wanted.then(|| Box::new(state.clone()));
        let commit_builder = self.sequencer.commit_builder();
        Drafted { commit_builder, drafts, records, entries, as_of, state }
    }

    /// Has the batch written: by the writing thread, so that the next can be decided meanwhile; by
    /// this one where there is no next, which spares a lone caller the way to another thread.
    /// `false` when nobody writes any more.
    fn hand_over(&mut self, batch: Batch) -> bool {
        let alone = batch.only_reads() || batch.jobs.len() == 1;
        if alone && self.writing.slot.is_idle() && !self.queue.holds_another() {
            lock(&self.writing.writer).write(batch);
            return true;
        }
        self.writing.slot.put(batch)
    }
}

/// However the deciding thread ends, the writing one hears of it.
impl Drop for WriterHandle {
    fn drop(&mut self) {
        self.slot.end();
    }
}
