//! A ledger that is opened once more, for reading.

use std::fmt;
use std::sync::Arc;

use super::{Journal, OpenError};

/// Opens one ledger for reading, as often as it is asked.
#[derive(Clone)]
pub struct Reopen {
    reading: Arc<Open>,
    writing: Option<Arc<Open>>,
}

type Open = dyn Fn() -> Result<Box<dyn Journal>, OpenError> + Send + Sync;

impl Reopen {
    /// Opens it anew by `open`, each time that it is asked for.
    pub fn by<J: Journal + 'static>(
        open: impl Fn() -> Result<J, OpenError> + Send + Sync + 'static,
    ) -> Self {
        Self { reading: Arc::new(move || Ok(Box::new(open()?))), writing: None }
    }

    /// The same, which `open` also opens for writing what stands beside the records: no epoch is
    /// taken, so whoever writes these goes on.
    #[must_use]
    pub fn writing_by<J: Journal + 'static>(
        self,
        open: impl Fn() -> Result<J, OpenError> + Send + Sync + 'static,
    ) -> Self {
        Self { writing: Some(Arc::new(move || Ok(Box::new(open()?)))), ..self }
    }

    /// Opens the ledger.
    ///
    /// # Errors
    ///
    /// When it cannot be opened for reading.
    pub fn open(&self) -> Result<Box<dyn Journal>, OpenError> {
        (self.reading)()
    }

    /// Opens the ledger for writing what stands beside its records; none where nobody may.
    pub(crate) fn open_beside(&self) -> Option<Result<Box<dyn Journal>, OpenError>> {
        self.writing.as_ref().map(|open| open())
    }
}

impl fmt::Debug for Reopen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reopen").finish_non_exhaustive()
    }
}
