//! Readers: what is committed is read beside the thread that decides.
//!
//! A read is a job first, which takes the state as it stands, in O(1), and is answered when that is
//! durable and nobody has taken over. What it shows is then computed by a thread of the reader's
//! own, of that state and of the archive that goes on, whose index it looks in between two batches.
//! Records that have left memory are read back by a connection of its own, opened when one is.
//!
//! A persistent index, which would clone as the state does, would cost each write several times as
//! much, and a second copy twice the memory.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use ledger_core::ledger::State;

use crate::engines::engine::EngineError;
use crate::engines::engine::shared::Shared;
use crate::engines::engine::ticket::message;
use crate::engines::sequencer::Sequencer;
use crate::journal::Reopen;
use crate::state::archive::{JournalArchive, Reading, SharedArchive};
use crate::state::vault::{SharedVault, Vault};

/// The outcome of a read, when all that it shows is durable.
#[must_use = "what is prepared is read by whoever has it"]
#[derive(Debug)]
pub enum Read<T> {
    /// The deciding thread answered it.
    Answered(T),
    /// It is to be read of what was committed when it was asked.
    Prepared(CommittedRead<T>),
}

/// A read of what was committed when it was asked, to be carried out by whichever thread has time.
///
/// While it waits it keeps the state as it was, and nothing else of the engine.
#[must_use = "nothing is read until it is carried out"]
pub struct CommittedRead<T>(Box<dyn FnOnce() -> Result<T, EngineError> + Send>);

/// The sequencer that decides, to be looked at between two batches.
pub(in crate::engines::engine) struct Deciding(Mutex<Sequencer>);

/// The readers of one engine.
pub(in crate::engines::engine) struct Readers {
    deciding: Arc<Deciding>,
    reopen: Reopen,
    /// The connections to the journal of those who read nothing now, and what these have read; none
    /// is kept from a rest on until the next read is prepared.
    idle: Mutex<Option<Vec<Reading>>>,
    shared: Arc<Shared>,
}

impl<T> Read<T> {
    /// The answer, read on this thread where that is left to do.
    ///
    /// # Errors
    ///
    /// As of [`CommittedRead::carry_out`].
    pub fn answer(self) -> Result<T, EngineError> {
        match self {
            Self::Answered(answer) => Ok(answer),
            Self::Prepared(read) => read.carry_out(),
        }
    }
}

impl<T> CommittedRead<T> {
    /// Reads, on this thread. Blocks: records may be read back from the journal.
    ///
    /// # Errors
    ///
    /// [`EngineError::Ended`] when the engine has ended, [`EngineError::NotWritten`] when something
    /// cannot be read back, and [`EngineError::Panicked`] when what reads panics.
    pub fn carry_out(self) -> Result<T, EngineError> {
        (self.0)()
    }
}

impl Readers {
    pub(in crate::engines::engine) fn new(
        sequencer: Sequencer,
        reopen: Reopen,
        shared: Arc<Shared>,
    ) -> Self {
        let deciding = Arc::new(Deciding(Mutex::new(sequencer)));
        Self { deciding, reopen, idle: Mutex::default(), shared }
    }

    /// The sequencer that decides; who reads waits while it is held.
    pub(in crate::engines::engine) fn sequencer(&self) -> MutexGuard<'_, Sequencer> {
        self.deciding.lock()
    }

    /// Keeps nothing that can be opened or read anew.
    pub(in crate::engines::engine) fn rest(&self) {
        *self.idle() = None;
    }

    /// Prepares to read of the state as it is now.
    pub(in crate::engines::engine) fn prepare<T: 'static>(
        self: &Arc<Self>,
        state: State,
        work: impl FnOnce(&mut Sequencer) -> T + Send + 'static,
    ) -> Read<T> {
        self.idle().get_or_insert_default();
        let readers = Arc::downgrade(self);
        Read::Prepared(CommittedRead(Box::new(move || {
            readers.upgrade().ok_or(EngineError::Ended)?.read(state, work)
        })))
    }

    fn read<T>(
        &self,
        state: State,
        work: impl FnOnce(&mut Sequencer) -> T,
    ) -> Result<T, EngineError> {
        let clock = Instant::now();
        let reading = self.reading();
        let mut sequencer = self.sequencer().reader(state, &self.deciding, reading);
        let done = catch_unwind(AssertUnwindSafe(|| work(&mut sequencer)));
        self.shared.counting.count_read(sequencer.take_tally(), clock.elapsed());
        if let Some(fault) = sequencer.fault() {
            return Err(EngineError::NotWritten(fault));
        }
        if done.is_ok() {
            self.keep(sequencer.into_reading());
        }
        done.map_err(|panic| EngineError::Panicked(message(&*panic)))
    }

    /// Keeps a connection for the next reader, unless the engine rests.
    fn keep(&self, reading: Reading) {
        if let Some(idle) = &mut *self.idle() {
            idle.push(reading);
        }
    }

    /// The part that reads the journal back: that of a reader before, or a new one.
    fn reading(&self) -> Reading {
        let known = self.idle().as_mut().and_then(Vec::pop);
        known.unwrap_or_else(|| Reading::new(self.reopen.clone()))
    }

    fn idle(&self) -> MutexGuard<'_, Option<Vec<Reading>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Deciding {
    fn lock(&self) -> MutexGuard<'_, Sequencer> {
        // What panics in the midst of a change has changed nothing that is committed.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SharedArchive for Deciding {
    fn look(&self, look: &mut dyn FnMut(&JournalArchive)) {
        look(&self.lock().ledger().archive);
    }
}

impl SharedVault for Deciding {
    fn look(&self, look: &mut dyn FnMut(&Vault)) {
        look(self.lock().vault());
    }
}

impl<T> fmt::Debug for CommittedRead<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CommittedRead").finish_non_exhaustive()
    }
}

impl fmt::Debug for Readers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Readers").finish_non_exhaustive()
    }
}
