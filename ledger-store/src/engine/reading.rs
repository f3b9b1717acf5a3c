//! What is read of an engine beside whoever writes: the committed state, and how the engine stands.

use std::sync::Arc;

use ledger_core::ledger::State;

use super::{Engine, EngineError};
use crate::journal::Head;

/// How an engine stands.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EngineStatus {
    /// It takes jobs and writes.
    Writing,
    /// Another writer has taken over.
    Fenced,
    /// It has stopped: where the chain ends, or why.
    Stopped(Result<Head, EngineError>),
}

impl Engine {
    /// The state at the last record that is durable, without waiting for whoever writes.
    ///
    /// Whoever was answered sees what was answered. The first read after a while asks the deciding
    /// thread, as [`Engine::view`] does; from then on every commit shows the state after it, and
    /// reads cost a lock and a pointer. That another writer has taken over is learned with the next
    /// job, which asks the journal: [`Engine::view`] is one.
    ///
    /// ```
    /// # use ledger_store::engine::Engine;
    /// # use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};
    /// # let journal = MemoryJournal::open(&MemoryDisk::new(), "live", OpenMode::create())?;
    /// # let engine = Engine::builder("live").start(Box::new(journal))?;
    /// assert_eq!(engine.committed_now()?.seq.0, 0); // On a plain thread.
    /// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    /// # runtime.block_on(async {
    /// assert_eq!(engine.committed().await?.seq.0, 0); // In async code.
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`EngineError`] when the engine has ended.
    pub async fn committed(&self) -> Result<Arc<State>, EngineError> {
        match self.shared.committed()? {
            Some(state) => Ok(state),
            None => self.reserve().await?.view().await.map(Arc::new),
        }
    }

    /// [`Engine::committed`], on a plain thread.
    ///
    /// # Errors
    ///
    /// As of [`Engine::committed`].
    pub fn committed_now(&self) -> Result<Arc<State>, EngineError> {
        match self.shared.committed()? {
            Some(state) => Ok(state),
            None => self.view().wait().map(Arc::new),
        }
    }

    /// How the engine stands. Costs nothing; asks no thread.
    #[must_use]
    pub fn status(&self) -> EngineStatus {
        match self.shared.standing() {
            None => EngineStatus::Writing,
            Some(Ok(head)) => EngineStatus::Stopped(Ok(head)),
            Some(Err(EngineError::Fenced)) => EngineStatus::Fenced,
            Some(Err(error)) => EngineStatus::Stopped(Err(error)),
        }
    }
}
