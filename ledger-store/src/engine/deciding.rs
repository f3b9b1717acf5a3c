//! The deciding thread: takes what is queued, decides it all, cuts one commit of it.

use std::sync::mpsc::{Receiver, SyncSender};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use super::counters::Tally;
use super::queue::Queue;
use super::shared::Shared;
use super::writing::{Batch, Writer, lock};
use crate::book::Book;

/// How many jobs one batch holds. Reads add no record, so a batch of them ends by its number.
const LARGEST_BATCH: usize = 16_384;

/// The deciding thread's own.
pub(super) struct Decider {
    book: Book,
    largest_commit: usize,
    queue: Queue,
    ways: Ways,
    generation: u64,
}

/// How the deciding thread reaches the writing one.
pub(super) struct Ways {
    pub(super) batches: SyncSender<Batch>,
    pub(super) fresh: Receiver<Book>,
    pub(super) writer: Arc<Mutex<Writer>>,
    pub(super) shared: Arc<Shared>,
}

impl Decider {
    pub(super) fn new(book: Book, largest_commit: usize, queue: Queue, ways: Ways) -> Self {
        Self { book, largest_commit, queue, ways, generation: 0 }
    }

    /// Decides until there are no more jobs.
    pub(super) fn run(mut self) {
        while self.wait_for_a_job() {
            if let Ok(rebuilt) = self.ways.fresh.try_recv() {
                self.book = rebuilt;
                self.generation += 1;
            }
            let batch = self.decide();
            if !self.hand_over(batch) {
                return;
            }
        }
        self.ways.shared.decided_all();
    }

    /// Whether there is a job; waits for one.
    fn wait_for_a_job(&mut self) -> bool {
        if self.ways.shared.is_stopping() {
            self.queue.wait_for_the_last()
        } else {
            self.queue.wait()
        }
    }

    /// Decides what is there, as far as one commit holds it.
    fn decide(&mut self) -> Batch {
        let clock = Instant::now();
        let (mut jobs, mut tally) = (Vec::new(), Tally::default());
        while self.book.pending() < self.largest_commit && jobs.len() < LARGEST_BATCH {
            let Some(mut job) = self.queue.next() else { break };
            job.decide(&mut self.book, &mut tally);
            jobs.push(job);
        }
        let scribe = match self.book.fault() {
            Some(fault) => Err(fault),
            None => Ok(self.book.lay_down().then(|| self.book.scribe())),
        };
        self.ways.shared.counting.decided(tally, clock.elapsed());
        Batch { generation: self.generation, scribe, jobs }
    }

    /// Has the batch written: by the writing thread, so that the next can be decided meanwhile; by
    /// this one where there is no next, which spares a lone caller the way to another thread.
    /// `false` when nobody writes any more.
    fn hand_over(&mut self, batch: Batch) -> bool {
        let alone = matches!(batch.scribe, Ok(None)) || batch.jobs.len() == 1;
        if alone && self.ways.shared.is_writer_idle() && !self.queue.holds_another() {
            lock(&self.ways.writer).write(batch);
            return true;
        }
        self.ways.shared.handed_over();
        self.ways.batches.send(batch).is_ok()
    }
}
