//! The deciding thread: takes what is queued, decides it all, lays it down for the next commit.

use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, Weak};
use std::time::Instant;

use ledger_core::ledger::Prefetched;

use super::queue::{Queue, Waited};
use super::reading::readers::Readers;
use super::resting::{Rested, Threads};
use super::shared::Shared;
use super::slot::{Batch, Drafted, LARGEST_BATCH, PushOutcome, Slot};
use super::ticket::Job;
use super::writing::{self, Writer, lock};
use crate::engines::sequencer::Sequencer;

/// The deciding thread's own.
pub(super) struct Decider {
    /// Holds the sequencer, which readers look at between two batches.
    readers: Arc<Readers>,
    largest_commit: usize,
    queue: Queue,
    writing: WriterHandle,
    generation: u64,
    /// Why the sequencer cannot be gone on with, until it is rebuilt from the journal.
    broken: Option<String>,
    /// When something was last asked that it is kept awake for.
    used: Instant,
    /// Tells whether it has just written and answered a batch itself, as nothing followed that.
    answered: bool,
}

/// How the deciding thread reaches the writing one.
pub(super) struct WriterHandle {
    pub(super) slot: Arc<Slot>,
    pub(super) fresh: Receiver<Sequencer>,
    pub(super) writer: Arc<Mutex<Writer>>,
    pub(super) shared: Arc<Shared>,
    pub(super) threads: Arc<Threads>,
}

impl Decider {
    pub(super) fn new(
        readers: Arc<Readers>,
        largest_commit: usize,
        queue: Queue,
        writing: WriterHandle,
    ) -> Self {
        let (generation, broken, used, answered) = (0, None, Instant::now(), false);
        Self { readers, largest_commit, queue, writing, generation, broken, used, answered }
    }

    /// Who may read in what it decides by, as long as it does.
    pub(super) fn readers(&self) -> Weak<Readers> {
        Arc::downgrade(&self.readers)
    }

    /// Tells whether there is a job; waits for one.
    fn wait_for_a_job(&mut self) -> Waited {
        if self.writing.shared.is_stopping() {
            self.queue.wait_for_the_last()
        } else {
            self.queue.wait(self.used, self.answered)
        }
    }

    /// Goes on with what was rebuilt from the journal, if it was.
    fn take_rebuilt(&mut self) {
        if let Ok(mut rebuilt) = self.writing.fresh.try_recv() {
            let mut sequencer = self.readers.sequencer();
            rebuilt.work_as(&sequencer);
            let lost = std::mem::replace(&mut *sequencer, rebuilt);
            drop(sequencer);
            // Readers do not wait until all of its index is given back.
            drop(lost);
            self.queue.forget();
            self.generation += 1;
            self.broken = None;
        }
    }

    /// Gives back what it needs no more for now, and leaves itself where the next job wakes it;
    /// gives itself back where it cannot rest yet.
    fn rest(mut self: Box<Self>) -> Option<Box<dyn Rested>> {
        if !self.writing.slot.rest() {
            // The database takes its time.
            self.used = Instant::now();
            return Some(self);
        }
        self.take_rebuilt();
        let mut sequencer = self.readers.sequencer();
        self.writing.shared.rests(sequencer.ledger().state.clone(), self.used);
        sequencer.rest();
        drop(sequencer);
        self.readers.rest();
        lock(&self.writing.writer).rest();
        self.queue.shrink();
        let end = Arc::clone(self.queue.end());
        end.leave(self)
    }

    /// Decides what is there, as far as one commit holds it, or as far as nothing panics.
    fn decide(&mut self) -> Batch {
        let clock = Instant::now();
        let readers = Arc::clone(&self.readers);
        let sequencer = &mut *readers.sequencer();
        let mut jobs = Vec::new();
        while sequencer.pending() < self.largest_commit && jobs.len() < LARGEST_BATCH {
            let Some((mut job, known)) = self.next(sequencer) else { break };
            if job.is_use() {
                self.used = clock;
            }
            let torn = self.broken.is_none() && !decides(&mut *job, sequencer, known);
            jobs.push(job);
            if torn {
                self.broken = Some("a job of the same commit panicked".to_owned());
                break;
            }
        }
        let drafted = match self.broken.clone().or_else(|| sequencer.fault()) {
            Some(fault) => Err(fault),
            None => Ok(self.stage(sequencer)),
        };
        let (erased, tally) = (sequencer.take_erased(), sequencer.take_tally());
        self.writing.shared.counting.count_decided(jobs.len(), tally, clock.elapsed());
        Batch { generation: self.generation, drafted, erased, jobs }
    }

    /// The next job, if there is one already, with what is known of its command.
    fn next(&mut self, sequencer: &Sequencer) -> Option<(Box<dyn Job>, Prefetched)> {
        // What is torn is not looked at.
        self.queue.next(self.broken.is_none().then_some(sequencer))
    }

    fn stage(&self, sequencer: &mut Sequencer) -> Drafted {
        let records = sequencer.pending();
        let drafts = usize::from(sequencer.stage());
        let entries = sequencer.take_outbox_entries();
        let wanted = self.writing.shared.wants_state();
        let state = &sequencer.ledger().state;
        let as_of = state.now;
        let state = wanted.then(|| Box::new(state.clone()));
        let commit_builder = sequencer.commit_builder();
        Drafted { commit_builder, drafts, records, entries, as_of, state }
    }

    /// Has the batch written: by the writing thread, so that the next can be decided meanwhile; by
    /// this one where there is no next, which spares a lone caller the way to another thread.
    /// `false` when nobody writes any more.
    fn hand_over(&mut self, batch: Batch) -> bool {
        let lone = || matches!(&*batch.jobs, [job] if !job.is_followed());
        let alone = batch.only_reads() || lone();
        self.answered = alone && self.writing.slot.is_idle() && !self.queue.holds_another();
        if self.answered {
            lock(&self.writing.writer).write(batch);
            return true;
        }
        self.writing.submit(batch)
    }
}

/// Decides a job; `false` when it panicked in the midst of a change to the sequencer.
///
/// A job that only read is caught and the sequencer is as it was. Of one that changed something
/// nobody knows how much: the sequencer is dropped, as after a failed append.
fn decides(job: &mut dyn Job, sequencer: &mut Sequencer, known: Prefetched) -> bool {
    let before = sequencer.change_attempts();
    job.decide(sequencer, known).is_ok() || sequencer.change_attempts() == before
}

impl Rested for Decider {
    fn has_a_job(&mut self) -> bool {
        self.queue.holds_another() || self.writing.shared.is_stopping()
    }

    fn work(mut self: Box<Self>) -> Option<Box<dyn Rested>> {
        loop {
            match self.wait_for_a_job() {
                Waited::Job => {
                    self.take_rebuilt();
                    let batch = self.decide();
                    if !self.hand_over(batch) {
                        return None;
                    }
                }
                Waited::Quiet => return self.rest(),
                Waited::End => {
                    self.writing.shared.decided_all();
                    return None;
                }
            }
        }
    }
}

impl WriterHandle {
    /// Has a batch written by the writing thread, which is started where there is none. `false`
    /// when nobody writes any more.
    fn submit(&self, batch: Batch) -> bool {
        match self.slot.push(batch) {
            PushOutcome::Taken => true,
            PushOutcome::Abandoned => false,
            PushOutcome::Unattended => {
                let Self { slot, writer, shared, .. } = self;
                let its = (Arc::clone(writer), Arc::clone(slot), Arc::clone(shared));
                let begun = self.threads.start("ledger-writes", move || {
                    writing::run(&its.0, &its.1, &its.2);
                });
                if begun.is_err() {
                    // The system gives no thread: this one writes, and nothing is decided
                    // meanwhile.
                    slot.rest_after_this();
                    writing::run(writer, slot, shared);
                }
                true
            }
        }
    }
}

/// However the deciding thread ends, the writing one hears of it; where there is none, this one
/// comes to the end.
impl Drop for WriterHandle {
    fn drop(&mut self) {
        if self.slot.end() {
            writing::run(&self.writer, &self.slot, &self.shared);
        }
    }
}
