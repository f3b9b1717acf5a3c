//! A connection to tables of operators, which may not be there yet.

use std::sync::{Mutex, PoisonError};

use ledger_store::projection::{TablesFailed, Target};

/// Tables of operators, of one connection.
pub(crate) trait OperatorTables: Sized {
    /// Makes them where there are none.
    fn open(target: &Target) -> Result<Self, TablesFailed>;

    /// Those that are there; none where nobody made them.
    fn existing(target: &Target) -> Result<Option<Self>, TablesFailed>;
}

/// One connection, begun when it is needed. Its methods block.
pub(super) struct Connection<S> {
    target: Target,
    tables: Mutex<Option<S>>,
}

impl<S: OperatorTables> Connection<S> {
    pub(super) const fn to(target: Target) -> Self {
        Self { target, tables: Mutex::new(None) }
    }

    /// Reads or writes the tables; nothing where there are none.
    pub(super) fn existing<T>(
        &self,
        work: impl FnOnce(&mut S) -> Result<T, TablesFailed>,
    ) -> Result<Option<T>, TablesFailed> {
        // What it reads and writes is whole in the database, whichever thread panicked.
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        if tables.is_none() {
            *tables = S::existing(&self.target)?;
        }
        tables.as_mut().map(work).transpose()
    }

    /// Reads or writes the tables, which are made where there are none.
    pub(super) fn with_tables<T>(
        &self,
        work: impl FnOnce(&mut S) -> Result<T, TablesFailed>,
    ) -> Result<T, TablesFailed> {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *tables {
            Some(tables) => work(tables),
            none => work(none.insert(S::open(&self.target)?)),
        }
    }
}
