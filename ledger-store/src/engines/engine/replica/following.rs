//! The thread of a replica: looks at the journal, replays what came, and answers reads between.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;
use tracing::warn;

use super::{Look, ReplicaError, Stated};
use crate::engines::engine::StartError;
use crate::engines::engine::builder::is_away;
use crate::engines::engine::opening::opened_to_read;
use crate::engines::engine::ticket::message;
use crate::engines::sequencer::Sequencer;
use crate::journal::{Head, Journal, JournalError, in_one_line};
use crate::state::snapshot::Snapshots;

/// How long a replica rests before it looks again at a store that failed.
const PAUSE: Duration = Duration::from_millis(200);

/// How many rows are read from the journal at once.
const ROWS_AT_ONCE: usize = 16;

/// The longest time for which nobody looks whether it is to stop.
const MOMENT: Duration = Duration::from_millis(50);

/// How it stands, as whoever holds the replica sees it.
#[derive(Debug, Default)]
pub(super) struct Shared(Mutex<Standpoint>);

#[derive(Debug, Default)]
struct Standpoint {
    head: Option<Head>,
    fault: Option<ReplicaError>,
    stopped: bool,
}

impl Shared {
    pub(super) fn head(&self) -> Option<Head> {
        self.at().head
    }

    pub(super) fn fault(&self) -> Option<ReplicaError> {
        self.at().fault.clone()
    }

    pub(super) fn stop(&self) {
        self.at().stopped = true;
    }

    /// Why it has ended.
    pub(super) fn end_error(&self) -> ReplicaError {
        let stopped = || ReplicaError::Ended("it was stopped".to_owned());
        self.fault().unwrap_or_else(stopped)
    }

    fn is_stopped(&self) -> bool {
        self.at().stopped
    }

    fn at(&self) -> MutexGuard<'_, Standpoint> {
        // Nothing can panic between two writes that belong together.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a read is given.
pub(super) type With<'a> = (&'a mut Sequencer, &'a mut dyn Journal);

type Reads = dyn FnOnce(Result<With<'_>, ReplicaError>) -> Result<(), String> + Send;

/// A read, with the way back to whoever waits for it; says whether it panicked.
pub(super) struct Work(Box<Reads>);

impl Work {
    pub(super) fn new<T: Send + 'static>(
        read: impl FnOnce(&mut Sequencer, &mut dyn Journal) -> Result<T, JournalError> + Send + 'static,
    ) -> (Self, Look<T>) {
        let (give, answer) = oneshot::channel();
        let reads = move |with: Result<With<'_>, ReplicaError>| {
            let (sequencer, journal) = match with {
                Ok(with) => with,
                Err(error) => {
                    // Whoever waits no longer needs no answer, here and below.
                    let _ = give.send(Err(error));
                    return Ok(());
                }
            };
            let seq = sequencer.ledger().state.seq.0;
            match catch_unwind(AssertUnwindSafe(|| read(sequencer, journal))) {
                Ok(Ok(answer)) => drop(give.send(Ok(Stated { seq, answer }))),
                Ok(Err(error)) => {
                    drop(give.send(Err(ReplicaError::Away(in_one_line(&error)))));
                }
                Err(panic) => {
                    let message = message(&*panic);
                    drop(give.send(Err(ReplicaError::Panicked(message.clone()))));
                    return Err(message);
                }
            }
            Ok(())
        };
        (Self(Box::new(reads)), Look::new(answer))
    }

    fn fails(self, error: ReplicaError) {
        // Nothing is read, so nothing panics.
        let _ = (self.0)(Err(error));
    }
}

/// A read at some record or after it, and until when it waits for that.
pub(super) struct PendingRead {
    pub(super) seq: u64,
    /// None where that is beyond all time.
    pub(super) until: Option<Instant>,
    pub(super) work: Work,
}

/// The thread's own.
pub(super) struct Follower {
    name: String,
    snapshots: Option<Snapshots>,
    journal: Box<dyn Journal>,
    queue: Receiver<PendingRead>,
    shared: Arc<Shared>,
    waiting: Vec<PendingRead>,
    sequencer: Option<Sequencer>,
    /// When something last came.
    moved: Instant,
    /// Where it stood when the journal last could not be replayed.
    failed_at: Option<u64>,
}

impl Follower {
    pub(super) fn new(
        (name, snapshots): (String, Option<Snapshots>),
        journal: Box<dyn Journal>,
        queue: Receiver<PendingRead>,
        shared: Arc<Shared>,
    ) -> Self {
        let (waiting, sequencer, moved, failed_at) = (Vec::new(), None, Instant::now(), None);
        Self { name, snapshots, journal, queue, shared, waiting, sequencer, moved, failed_at }
    }

    /// Follows until it is stopped, or the journal proves to be damaged; the sequencer, if whole.
    pub(super) fn run(mut self) -> Option<Sequencer> {
        let mut next_look = Instant::now();
        while !self.shared.is_stopped() {
            if next_look <= Instant::now() {
                match self.look() {
                    Ok(rest) => next_look = Instant::now() + rest,
                    Err(error) => match self.record_failure(&error) {
                        Some(rest) => next_look = Instant::now() + rest,
                        None => return self.fail_waiting(),
                    },
                }
            }
            self.answer_those_there();
            let rest = next_look.saturating_duration_since(Instant::now());
            match self.queue.recv_timeout(self.rest_at_most(rest)) {
                Ok(asked) => self.waiting.push(asked),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            self.waiting.extend(self.queue.try_iter());
        }
        self.fail_waiting();
        self.sequencer.filter(|sequencer| sequencer.fault().is_none())
    }

    /// Nobody waits beyond the limit that was set.
    fn rest_at_most(&self, rest: Duration) -> Duration {
        let now = Instant::now();
        let limits = self.waiting.iter().filter_map(|asked| asked.until);
        let first = limits.map(|until| until.saturating_duration_since(now)).min();
        rest.min(first.unwrap_or(MOMENT)).min(MOMENT)
    }

    /// Replays what was committed; how long to rest before the next look.
    fn look(&mut self) -> Result<Duration, StartError> {
        let Self { name, snapshots, journal, shared, sequencer, moved, .. } = self;
        if sequencer.as_ref().is_some_and(|sequencer| sequencer.fault().is_some()) {
            // Something that had left memory could not be read back.
            *sequencer = None;
        }
        let sequencer = match sequencer {
            Some(sequencer) => sequencer,
            none => none.insert(opened_to_read(&mut **journal, name, snapshots.as_ref())?),
        };
        let rows = journal.read(sequencer.ledger().state.seq.next().0, ROWS_AT_ONCE)?;
        for row in &rows {
            sequencer.replay(row)?;
        }
        let mut at = shared.at();
        (at.head, at.fault) = (Some(sequencer.head()), None);
        drop(at);
        if !rows.is_empty() {
            *moved = Instant::now();
            return Ok(Duration::ZERO);
        }
        self.failed_at = None;
        Ok(journal.next_look(moved.elapsed()))
    }

    /// Returns what a failure means: how long to rest before the store is tried again; none where
    /// the journal cannot be followed any more.
    fn record_failure(&mut self, error: &StartError) -> Option<Duration> {
        let said = in_one_line(error);
        warn!(error = said, "the ledger cannot be followed");
        if is_away(error) {
            self.shared.at().fault = Some(ReplicaError::Away(said));
            return Some(PAUSE);
        }
        // A server may have been replaced by one that lacks what was not acknowledged: it is
        // replayed anew once; what cannot be replayed then either is damaged.
        let at = self.shared.head().map_or(0, |head| head.seq);
        self.sequencer = None;
        if self.failed_at.replace(at) == Some(at) {
            self.shared.at().fault = Some(ReplicaError::Ended(said));
            return None;
        }
        self.shared.at().fault = Some(ReplicaError::Away(said));
        Some(PAUSE)
    }

    /// Answers whoever waits for a record that is there, or has waited long enough.
    fn answer_those_there(&mut self) {
        let now = Instant::now();
        for asked in std::mem::take(&mut self.waiting) {
            let at = self.sequencer.as_ref().map(|sequencer| sequencer.ledger().state.seq.0);
            let late = asked.until.is_some_and(|until| until <= now);
            match (at, &mut self.sequencer) {
                (Some(at), Some(sequencer)) if asked.seq <= at => {
                    let done = (asked.work.0)(Ok((sequencer, &mut *self.journal)));
                    if done.is_err() || sequencer.fault().is_some() {
                        self.sequencer = None;
                    }
                }
                _ if late => asked.work.fails(self.why_not(asked.seq)),
                _ => self.waiting.push(asked),
            }
        }
    }

    /// Why a record is not there.
    fn why_not(&self, asked: u64) -> ReplicaError {
        let at = self.shared.at();
        let behind = ReplicaError::Behind { asked, at: at.head.map_or(0, |head| head.seq) };
        at.fault.clone().unwrap_or(behind)
    }

    /// Whoever waits hears of the end.
    fn fail_waiting(&mut self) -> Option<Sequencer> {
        for asked in std::mem::take(&mut self.waiting).into_iter().chain(self.queue.try_iter()) {
            asked.work.fails(self.shared.end_error());
        }
        None
    }
}
