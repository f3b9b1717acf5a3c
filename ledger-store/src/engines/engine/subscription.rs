//! Subscriptions: every committed record from a number on, in order, once each, until the engine
//! ends.
//!
//! ```text
//! journal ─► reading thread ─► two rows at most ─► Subscription       (and the writer's latest
//!            ▲ woken by commits                                        commits, while it keeps up)
//! ```
//!
//! A subscription reads the journal with a connection of its own, and takes what was just committed
//! from the writer's hand where it has read all before it.
//! Who reads slowly holds back only its own thread; it falls behind, and reads on from the journal.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use ledger_core::id::Seq;
use ledger_core::ledger::Record;
use thiserror::Error;
use tokio::sync::mpsc;

use super::EngineError;
use super::shared::{Next, Shared};
use crate::bytes::chain::Chain;
use crate::bytes::codec;
use crate::bytes::frame::Row;
use crate::engines::sequencer::ReplayError;
use crate::journal::{Head, Journal, JournalError, OpenError, Reopen};

/// How many rows are read from the journal at once.
const ROWS_AT_ONCE: usize = 4;

/// How many rows wait for a subscriber.
const ROWS_AHEAD: usize = 2;

/// Why a subscription ended before its engine, or with it.
#[derive(Debug, Error)]
pub enum SubscriptionError {
    /// The journal could not be opened once more.
    #[error("the journal cannot be opened for reading")]
    Open(#[from] OpenError),
    /// A record could not be read, or is not what was written.
    #[error("the journal cannot be read on")]
    Broken(#[from] ReplayError),
    /// The engine has ended, and not in good order; every record known to be durable was given.
    #[error("the engine has ended")]
    Engine(#[from] EngineError),
}

/// The committed records of an engine, from a number on.
///
/// It ends with its engine, after the last record; an error is the last thing it gives.
/// Async code awaits [`Subscription::next`]; a plain thread iterates.
///
/// ```
/// use ledger_store::engine::Engine;
/// use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};
///
/// let journal = MemoryJournal::open(&MemoryDisk::new(), "live", OpenMode::create())?;
/// let engine = Engine::builder("live").start(Box::new(journal))?;
/// let records = engine.subscribe(1);
/// engine.stop()?; // It waits for records to come until the engine ends.
/// assert_eq!(records.into_iter().count(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Subscription {
    rows: mpsc::Receiver<Result<Vec<Record>, SubscriptionError>>,
    row: std::vec::IntoIter<Record>,
    shared: Arc<Shared>,
    gone: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// A subscription on a plain thread, which waits for the next record.
#[derive(Debug)]
pub struct Records(Subscription);

impl Subscription {
    pub(super) fn start(name: String, reopen: Reopen, from_seq: u64, shared: &Arc<Shared>) -> Self {
        let (give, rows) = mpsc::channel(ROWS_AHEAD);
        let gone = Arc::new(AtomicBool::new(false));
        shared.join();
        let (seen, by) = (Arc::clone(shared), Arc::clone(&gone));
        let read = move || {
            let ended = reopen.open().map_err(SubscriptionError::from).and_then(|journal| {
                let reader = Reader { journal, name, from_seq: from_seq.max(1), chain: None };
                reader.run(&seen, &by, &give)
            });
            if let Err(error) = ended {
                // Nobody may be listening any more.
                let _ = give.blocking_send(Err(error));
            }
            seen.leave();
        };
        let thread = std::thread::Builder::new().name("ledger-reads".to_owned()).spawn(read);
        let thread = thread.expect("the system gives a thread to whoever subscribes");
        let shared = Arc::clone(shared);
        Self { rows, row: Vec::new().into_iter(), shared, gone, thread: Some(thread) }
    }

    /// The next record; `None` when the engine has ended and every record was given.
    ///
    /// Dropped before it is ready, it loses nothing.
    pub async fn next(&mut self) -> Option<Result<Record, SubscriptionError>> {
        loop {
            if let Some(record) = self.row.next() {
                return Some(Ok(record));
            }
            match self.rows.recv().await? {
                Ok(row) => self.row = row.into_iter(),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

impl IntoIterator for Subscription {
    type Item = Result<Record, SubscriptionError>;
    type IntoIter = Records;

    fn into_iter(self) -> Records {
        Records(self)
    }
}

impl Iterator for Records {
    type Item = Result<Record, SubscriptionError>;

    fn next(&mut self) -> Option<Self::Item> {
        super::parked::wait(self.0.next())
    }
}

/// Ends its thread, and so its connection to the journal.
impl Drop for Subscription {
    fn drop(&mut self) {
        self.gone.store(true, Ordering::SeqCst);
        self.rows.close();
        self.shared.wake();
        if let Some(thread) = self.thread.take()
            && tokio::runtime::Handle::try_current().is_err()
        {
            // A reading thread that panicked has nobody left to tell.
            let _ = thread.join();
        }
    }
}

/// The reading thread's own.
struct Reader {
    journal: Box<dyn Journal>,
    name: String,
    from_seq: u64,
    /// The chain after the last row read; unknown before the first.
    chain: Option<Chain>,
}

/// Where a reading thread gives its rows.
type Give = mpsc::Sender<Result<Vec<Record>, SubscriptionError>>;

impl Reader {
    fn run(
        mut self,
        shared: &Shared,
        gone: &AtomicBool,
        give: &Give,
    ) -> Result<(), SubscriptionError> {
        loop {
            let next = self.chain.map_or(self.from_seq, |chain| chain.seq() + 1);
            let given = match shared.next(next, gone) {
                Next::Live(commit) if self.takes(commit.previous) => {
                    let algorithm = self.journal.identity().algorithm;
                    self.chain = Some(commit.previous.chain(algorithm));
                    self.give(&commit.rows, give)?
                }
                Next::Live(commit) => {
                    let rows = self.read(next, commit.head().seq)?;
                    self.give(&rows, give)?
                }
                Next::Journal(durable) => {
                    let rows = self.read(next, durable)?;
                    self.give(&rows, give)?
                }
                Next::Ended(None) | Next::Gone => return Ok(()),
                Next::Ended(Some(error)) => return Err(error.into()),
            };
            if !given {
                return Ok(());
            }
        }
    }

    /// Tells whether what follows `head` is what this reader reads next.
    fn takes(&self, head: Head) -> bool {
        self.chain.is_none_or(|chain| Head::from_chain(&chain) == head)
    }

    /// The rows that hold record `next` and some after it, up to the last that is durable.
    fn read(&mut self, next: u64, durable: u64) -> Result<Vec<Row>, ReplayError> {
        let mut rows = self.journal.read(next, ROWS_AT_ONCE)?;
        rows.retain(|row| row.first <= durable);
        let first = rows.first().map_or(next, |row| row.first);
        let algorithm = self.journal.identity().algorithm;
        if rows.is_empty() {
            let found = self.journal.head()?.seq;
            return Err(JournalError::Gap { expected: next, found }.into());
        }
        if self.chain.is_none() {
            self.chain = Some(match first {
                1 => Chain::genesis(algorithm, &self.name),
                _ => match self.journal.read(first - 1, 1)?.first() {
                    Some(before) => Chain::resume(algorithm, before.last(), before.link),
                    None => {
                        return Err(JournalError::Gap { expected: first - 1, found: first }.into());
                    }
                },
            });
        }
        Ok(rows)
    }

    /// Verifies, decodes and gives rows; `false` when nobody takes them.
    fn give(&mut self, rows: &[Row], give: &Give) -> Result<bool, ReplayError> {
        for row in rows {
            let chain = self.chain.as_mut().expect("known before the first row");
            let mut records = Vec::with_capacity(row.count as usize);
            let mut failed = None;
            row.verify(chain, |frame, _| {
                if frame.seq >= self.from_seq && failed.is_none() {
                    let seq = frame.seq;
                    match codec::decode(Seq(seq), frame.record) {
                        Ok(record) => records.push(record),
                        Err(source) => failed = Some(ReplayError::Codec { seq, source }),
                    }
                }
            })?;
            if let Some(failed) = failed {
                return Err(failed);
            }
            if give.blocking_send(Ok(records)).is_err() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
