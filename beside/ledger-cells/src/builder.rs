//! Opening cells: which ledgers, and the directory over them.

use std::sync::{Arc, Mutex, RwLock};

use ledger_core::contract::Tokens;
use ledger_core::directory::{CellIdentity, Command, Placement};
use ledger_core::id::{Environment, LedgerName};
use ledger_core::ledger::Residence;
use ledger_core::time::Instant;

use super::turn::IdsUnderWay;
use super::{Cell, CellLedger, Cells, CellsRefused};
use crate::directory::DirectoryJournal;
use ledger_store::journal::Journal;

/// What a cell's key check is made of: a text that is no API key, hashed under its vault's key.
const KEY_CHECK: &str = "custody-ledger cell identity v1";

/// Ledgers that can be cells of one directory, which is to be opened over them.
#[derive(Debug)]
#[must_use = "cells open by `open`"]
pub struct CellsBuilder<L> {
    cells: Vec<Cell<L>>,
    unclaimed: usize,
}

impl<L: CellLedger + Clone> CellsBuilder<L> {
    /// These ledgers, in whatever order. Blocks until each has said what it is called.
    ///
    /// # Errors
    ///
    /// [`CellsRefused`] where there is none, one has ended, or they are no cells of one directory.
    pub fn new(ledgers: impl IntoIterator<Item = L>) -> Result<Self, CellsRefused> {
        let cells: Result<Vec<_>, _> = ledgers.into_iter().map(Cell::for_ledger).collect();
        let mut cells = cells?;
        cells.sort_by_key(|cell| cell.name.to_string());
        assert_fit(&cells)?;
        Ok(Self { cells, unclaimed: 0 })
    }

    /// The cell of this name takes what nobody claims, such as a PIX without a charge: the first by
    /// name unless said. It should stay the same one, since what was set aside stays where it was.
    ///
    /// # Errors
    ///
    /// [`CellsRefused::UnclaimedUnknown`] where none of the ledgers is called so.
    pub fn with_unclaimed_cell(self, name: &str) -> Result<Self, CellsRefused> {
        let found = self.cells.iter().position(|cell| *cell.name == *name);
        let unknown = || CellsRefused::UnclaimedUnknown { name: name.to_owned() };
        let unclaimed = found.ok_or_else(unknown)?;
        Ok(Self { unclaimed, ..self })
    }

    /// The environment that the ledgers are of.
    #[must_use]
    pub fn environment(&self) -> Environment {
        self.cells[0].name.environment()
    }

    /// Opens the directory of a journal: takes it over, takes in every ledger as a cell, and places
    /// the accounts that are in one already. Blocks.
    ///
    /// # Errors
    ///
    /// [`CellsRefused`] where the directory knows a cell more, contradicts a ledger, or cannot be
    /// read or written.
    pub fn open(self, journal: Box<dyn Journal>, at: Instant) -> Result<Cells<L>, CellsRefused> {
        let Self { cells, unclaimed } = self;
        let mut writer = DirectoryJournal::open(journal)?;
        let given = |name: &str| cells.iter().any(|cell| *cell.name == *name);
        let missing = writer.directory().cells().find(|cell| !given(&cell.name));
        if let Some(missing) = missing {
            return Err(CellsRefused::CellMissing { cell: missing.name.to_string() });
        }
        for cell in &cells {
            writer.execute(&Command::AddCell(cell.identity()), at)?;
        }
        for cell in &cells {
            adopt(&mut writer, cell, at)?;
        }
        let (known, tokens) = (RwLock::new(writer.directory().clone()), *writer.tokens());
        let (writer, under_way) = (Mutex::new(writer), Arc::new(IdsUnderWay::default()));
        let leaving = Mutex::default();
        Ok(Cells { writer, known, tokens, each: cells, unclaimed, under_way, leaving })
    }
}

impl<L: CellLedger + Clone> Cell<L> {
    fn for_ledger(ledger: L) -> Result<Self, CellsRefused> {
        let said = ledger
            .engine()
            .decide(|sequencer| (sequencer.ledger().state.name.clone(), *sequencer.tokens()));
        let (name, tokens): (LedgerName, Tokens) = said.wait()?;
        Ok(Self { name, tokens, ledger })
    }

    /// Returns what tells it from a ledger of the same name in another store.
    fn identity(&self) -> CellIdentity {
        CellIdentity {
            name: (*self.name).into(),
            environment: self.name.environment(),
            key_check: self.tokens.api_key(KEY_CHECK).0,
        }
    }
}

/// Tells whether these ledgers, in the order of their names, can be cells of one directory.
fn assert_fit<L>(cells: &[Cell<L>]) -> Result<(), CellsRefused> {
    if cells.is_empty() {
        return Err(CellsRefused::NoLedgers);
    }
    for pair in cells.windows(2) {
        let [one, next] = pair else { unreachable!("a window of two has two") };
        if *one.name == *next.name {
            return Err(CellsRefused::NameTwice { name: one.name.to_string() });
        }
        if one.name.environment() != next.name.environment() {
            return Err(CellsRefused::EnvironmentsDiffer {
                name: one.name.to_string(),
                environment: one.name.environment(),
                other: next.name.to_string(),
            });
        }
    }
    Ok(())
}

/// Places the accounts that a ledger has and the directory does not know: they were opened before
/// there was one. An account that moved away is known to have lived there.
fn adopt<L: CellLedger + Clone>(
    writer: &mut DirectoryJournal,
    cell: &Cell<L>,
    at: Instant,
) -> Result<(), CellsRefused> {
    let state = cell.ledger.engine().committed_now()?;
    for (_, account) in state.accounts() {
        // One that never arrived lives nowhere here: its move was given up.
        let gave_up = matches!(account.residence, Residence::Arriving(_));
        let (account, directory) = (&account.name, writer.directory());
        match directory.account(account) {
            None => {
                let placement = Placement::Named((*cell.name).into());
                writer.execute(&Command::Place { account: account.clone(), placement }, at)?;
            }
            Some(known) => {
                if !gave_up && !directory.cells_with(known).any(|name| **name == *cell.name) {
                    return Err(CellsRefused::AccountElsewhere {
                        account: account.to_string(),
                        found: cell.name.to_string(),
                        cell: known.cell.to_string(),
                    });
                }
            }
        }
    }
    Ok(())
}

impl<L> std::fmt::Debug for Cell<L> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cell").field("name", &&*self.name).finish_non_exhaustive()
    }
}
