//! Opening cells: which ledgers, and the directory over them.

use std::sync::Arc;

use ledger_cells::directory::{DIRECTORY, DirectoryReplayError};
use ledger_cells::{self as cells, CellsRefused};
use ledger_store::OpenMode;

use super::{Cells, CellsError, OpenCells};
use crate::ledger::{Ledger, Pending, Store};

/// Cells to be opened; see [`Cells::builder`].
///
/// ```
/// use custody_ledger::{Cells, Ledger};
///
/// let open = |name: &str| Ledger::builder("memory:").name(name).open().wait();
/// let builder = Cells::builder("memory:").cell(open("cell-a")?).cell(open("cell-b")?);
/// let cells = builder.unclaimed_cell("cell-b").open().wait()?;
/// assert_eq!(cells.ledgers().count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "cells open by `open`"]
pub struct CellsBuilder {
    store: Store,
    ledgers: Vec<Ledger>,
    unclaimed: Option<String>,
    take_over: bool,
}

impl CellsBuilder {
    pub(super) fn new(store: Store) -> Self {
        Self { store, ledgers: Vec::new(), unclaimed: None, take_over: false }
    }

    /// One ledger more.
    pub fn cell(mut self, ledger: Ledger) -> Self {
        self.ledgers.push(ledger);
        self
    }

    /// The cell of this name takes what nobody claims, such as a PIX without a charge: the first by
    /// name unless said. It should stay the same one, since what was set aside stays where it was.
    pub fn unclaimed_cell(mut self, name: &str) -> Self {
        self.unclaimed = Some(name.to_owned());
        self
    }

    /// Takes the directory from another process that holds it, and whose cells place nothing more
    /// from then on; without this, it is refused by the name of that process
    /// ([`Builder::take_over`](crate::Builder::take_over) says the same of one ledger).
    pub fn take_over(mut self) -> Self {
        self.take_over = true;
        self
    }

    /// Opens them: takes over the directory, takes in every ledger as a cell, and places the
    /// accounts that are in one already. The clock is that of the first ledger.
    pub fn open(self) -> Pending<Result<Cells, CellsError>> {
        Pending::blocking(move || self.open_blocking())
    }

    fn open_blocking(self) -> Result<Cells, CellsError> {
        let clock = self.ledgers.first().map(|ledger| Arc::clone(&ledger.0.clock));
        let clock = clock.ok_or(CellsRefused::NoLedgers)?;
        let mut builder = cells::CellsBuilder::new(self.ledgers)?;
        if let Some(name) = &self.unclaimed {
            builder = builder.with_unclaimed_cell(name)?;
        }
        let environment = Some(builder.environment());
        let mut journal =
            self.store.medium()?.journal(DIRECTORY, OpenMode::Directory { environment })?;
        if self.take_over {
            journal
                .open_writer()
                .map_err(|error| CellsRefused::from(DirectoryReplayError::from(error)))?;
        }
        let cells = builder.open(journal, clock.now())?;
        Ok(Cells(Arc::new(OpenCells { cells, clock })))
    }
}
