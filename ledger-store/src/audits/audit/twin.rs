//! The second replay of an audit, beside the first: it takes the rows that were read and followed
//! for both, refuses records in other bytes than a ledger writes, and comes to a state of its own.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use crate::audits::digest::digest;
use crate::bytes::chain::Link;
use crate::engines::sequencer::read_ahead::VerifiedRows;
use crate::engines::sequencer::{ReplayError, Sequencer};

/// How many reads of the first replay wait for the second.
const AHEAD: usize = 16;

/// A replay on a thread of its own.
pub(super) struct Twin {
    rows: SyncSender<Message>,
    thread: JoinHandle<Result<Link, ReplayError>>,
}

/// What it is given.
enum Message {
    /// Rows to be replayed.
    Rows(VerifiedRows),
    /// Says so to whoever waits, once everything before was replayed.
    Reached(SyncSender<()>),
}

impl Twin {
    /// Begins with a sequencer that is where the first replay begins; `None` where the system gives
    /// no thread.
    pub(super) fn begin(sequencer: Sequencer) -> Option<Self> {
        let (rows, given) = sync_channel(AHEAD);
        let thread = std::thread::Builder::new().name("ledger-audits".to_owned());
        let thread = thread.spawn(move || replay(sequencer.exact(), &given)).ok()?;
        Some(Self { rows, thread })
    }

    /// Has rows replayed; waits while too many are.
    pub(super) fn take(&self, rows: VerifiedRows) {
        // One that has ended says why once it is asked.
        let _ = self.rows.send(Message::Rows(rows));
    }

    /// Waits until everything it was given is replayed; `false` where something cannot be.
    pub(super) fn is_sound(&self) -> bool {
        let (reached, waits) = sync_channel(1);
        self.rows.send(Message::Reached(reached)).is_ok() && waits.recv().is_ok()
    }

    /// Ends it once everything it was given is replayed, and does `meanwhile`; gives what that
    /// gives, and the state hash that it came to.
    pub(super) fn end<T>(self, meanwhile: impl FnOnce() -> T) -> (T, Result<Link, ReplayError>) {
        drop(self.rows);
        let done = meanwhile();
        match self.thread.join() {
            Ok(state) => (done, state),
            Err(panicked) => std::panic::resume_unwind(panicked),
        }
    }
}

fn replay(mut sequencer: Sequencer, given: &Receiver<Message>) -> Result<Link, ReplayError> {
    for message in given {
        match message {
            Message::Rows(rows) => sequencer.replay_verified(&rows, &mut |_, _| ())?,
            Message::Reached(waits) => {
                // Who asked waits for it.
                let _ = waits.send(());
            }
        }
    }
    Ok(digest(sequencer.ledger()))
}
