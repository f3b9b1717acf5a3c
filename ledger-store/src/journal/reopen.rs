//! A ledger that is opened once more, for reading.

use std::fmt;
use std::sync::Arc;

use super::{Journal, OpenError};

/// Opens one ledger for reading, as often as it is asked.
#[derive(Clone)]
pub struct Reopen(Arc<Open>);

type Open = dyn Fn() -> Result<Box<dyn Journal>, OpenError> + Send + Sync;

impl Reopen {
    /// Opens it anew by `open`, each time that it is asked for.
    pub fn by<J: Journal + 'static>(
        open: impl Fn() -> Result<J, OpenError> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(move || Ok(Box::new(open()?))))
    }

    /// Opens the ledger.
    ///
    /// # Errors
    ///
    /// When it cannot be opened for reading.
    pub fn open(&self) -> Result<Box<dyn Journal>, OpenError> {
        (self.0)()
    }
}

impl fmt::Debug for Reopen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reopen").finish_non_exhaustive()
    }
}
