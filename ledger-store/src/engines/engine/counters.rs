//! What an engine has done, in numbers that cost nothing to keep.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::engines::sequencer::Tally;

/// What an engine has done since it started; a snapshot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Jobs that were decided: calls, commands, views, and whatever else was run on the deciding
    /// thread.
    pub jobs: u64,
    /// Calls handled and commands executed, reads and repeats included, those within
    /// [`Engine::decide`](super::Engine::decide) too.
    pub commands: u64,
    /// Those of them that were refused: by the rules, or for what they said.
    pub refusals: u64,
    /// Records made durable.
    pub records: u64,
    /// Commits made durable.
    pub commits: u64,
    /// Bytes of the rows of those commits.
    pub bytes: u64,
    /// Commits that failed.
    pub failures: u64,
    /// Reads carried out beside the deciding thread.
    pub reads: u64,
    /// Jobs that wait in the queue now.
    pub queued: u64,
    /// Microseconds spent deciding.
    pub deciding_micros: u64,
    /// Microseconds spent writing: appends, and what follows them, until the answers.
    pub writing_micros: u64,
    /// Microseconds spent reading beside the deciding thread, of all readers together.
    pub reading_micros: u64,
}

/// The counters as both threads keep them.
///
/// Each is only ever added to and read, so none orders anything.
#[derive(Debug, Default)]
pub(super) struct Counting {
    jobs: AtomicU64,
    commands: AtomicU64,
    refusals: AtomicU64,
    records: AtomicU64,
    commits: AtomicU64,
    bytes: AtomicU64,
    failures: AtomicU64,
    reads: AtomicU64,
    deciding_micros: AtomicU64,
    writing_micros: AtomicU64,
    reading_micros: AtomicU64,
}

impl Counting {
    pub(super) fn count_decided(&self, jobs: usize, tally: Tally, took: Duration) {
        add(&self.jobs, jobs as u64);
        add(&self.commands, tally.commands);
        add(&self.refusals, tally.refusals);
        add(&self.deciding_micros, micros(took));
    }

    pub(super) fn count_read(&self, tally: Tally, took: Duration) {
        add(&self.reads, 1);
        add(&self.commands, tally.commands);
        add(&self.refusals, tally.refusals);
        add(&self.reading_micros, micros(took));
    }

    pub(super) fn count_written(&self, records: u64, bytes: u64) {
        add(&self.records, records);
        add(&self.commits, 1);
        add(&self.bytes, bytes);
    }

    pub(super) fn count_failure(&self) {
        add(&self.failures, 1);
    }

    pub(super) fn wrote_for(&self, took: Duration) {
        add(&self.writing_micros, micros(took));
    }

    pub(super) fn snapshot(&self, queued: usize) -> Counters {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Counters {
            jobs: read(&self.jobs),
            commands: read(&self.commands),
            refusals: read(&self.refusals),
            records: read(&self.records),
            commits: read(&self.commits),
            bytes: read(&self.bytes),
            failures: read(&self.failures),
            reads: read(&self.reads),
            queued: queued as u64,
            deciding_micros: read(&self.deciding_micros),
            writing_micros: read(&self.writing_micros),
            reading_micros: read(&self.reading_micros),
        }
    }
}

fn add(counter: &AtomicU64, amount: u64) {
    counter.fetch_add(amount, Ordering::Relaxed);
}

/// Half a million years of them fit.
pub(super) fn micros(took: Duration) -> u64 {
    u64::try_from(took.as_micros()).unwrap_or(u64::MAX)
}
