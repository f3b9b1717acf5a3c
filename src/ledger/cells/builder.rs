//! Opening cells: which ledgers, and the directory over them.

use std::sync::{Arc, Mutex, RwLock};

use ledger_core::directory::{CellIdentity, Command, Placement};
use ledger_core::id::LedgerName;
use ledger_core::time::Instant;
use ledger_store::OpenMode;
use ledger_store::directory::{DIRECTORY, DirectoryJournal};

use super::pix::IdsUnderWay;
use super::{Cell, Cells, CellsError, OpenCells};
use crate::ledger::{Ledger, Pending, Store};

/// What a cell's key check is made of: a text that is no API key, hashed under its vault's key.
const KEY_CHECK: &str = "custody-ledger cell identity v1";

/// Cells to be opened; see [`Cells::builder`].
///
/// ```
/// use custody_ledger::{Cells, Ledger};
///
/// let open = |name: &str| Ledger::builder("memory:").name(name).open().wait();
/// let builder = Cells::builder("memory:").cell(open("cell-a")?).cell(open("cell-b")?);
/// let cells = builder.unclaimed("cell-b").open().wait()?;
/// assert_eq!(cells.ledgers().count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "cells open by `open`"]
pub struct CellsBuilder {
    store: Store,
    ledgers: Vec<Ledger>,
    unclaimed: Option<String>,
}

impl CellsBuilder {
    pub(super) fn new(store: Store) -> Self {
        Self { store, ledgers: Vec::new(), unclaimed: None }
    }

    /// One ledger more.
    pub fn cell(mut self, ledger: Ledger) -> Self {
        self.ledgers.push(ledger);
        self
    }

    /// The cell of this name takes what nobody claims, such as a PIX without a charge: the first by
    /// name unless said. It should stay the same one, since what was set aside stays where it was.
    pub fn unclaimed(mut self, name: &str) -> Self {
        self.unclaimed = Some(name.to_owned());
        self
    }

    /// Opens them: takes over the directory, takes in every ledger as a cell, and places the
    /// accounts that are in one already. The clock is that of the first ledger.
    pub fn open(self) -> Pending<Result<Cells, CellsError>> {
        Pending::blocking(move || self.opened())
    }

    fn opened(self) -> Result<Cells, CellsError> {
        let clock = self.ledgers.first().map(|ledger| Arc::clone(&ledger.0.clock));
        let clock = clock.ok_or(CellsError::NoLedgers)?;
        let mut cells = Vec::new();
        for ledger in self.ledgers {
            let (name, key_check) = identity(&ledger)?;
            cells.push((Cell { name, ledger }, key_check));
        }
        cells.sort_by_key(|(cell, _)| cell.name.to_string());
        assert_fit(&cells)?;
        let unclaimed = match &self.unclaimed {
            None => 0,
            Some(name) => cells
                .iter()
                .position(|(cell, _)| *cell.name == **name)
                .ok_or_else(|| CellsError::UnclaimedUnknown { name: name.clone() })?,
        };
        let environment = Some(cells[0].0.ledger.environment());
        let journal =
            self.store.medium()?.journal(DIRECTORY, OpenMode::Directory { environment })?;
        let mut writer = DirectoryJournal::open(journal)?;
        let given = |name: &str| cells.iter().any(|(cell, _)| *cell.name == *name);
        let missing = writer.directory().cells().find(|cell| !given(&cell.name));
        if let Some(missing) = missing {
            return Err(CellsError::CellMissing { cell: missing.name.to_string() });
        }
        let at = clock.now();
        for (cell, key_check) in &cells {
            let (name, environment) = ((*cell.name).into(), cell.ledger.environment());
            let identity = CellIdentity { name, environment, key_check: *key_check };
            writer.execute(&Command::AddCell(identity), at)?;
        }
        let cells: Vec<Cell> = cells.into_iter().map(|(cell, _)| cell).collect();
        for cell in &cells {
            adopt(&mut writer, cell, at)?;
        }
        let (known, tokens) = (RwLock::new(writer.directory().clone()), *writer.tokens());
        let (writer, under_way) = (Mutex::new(writer), IdsUnderWay::default());
        let open = OpenCells { writer, known, tokens, cells, unclaimed, under_way, clock };
        Ok(Cells(Arc::new(open)))
    }
}

/// Whether these ledgers, in the order of their names, can be cells of one directory.
fn assert_fit(cells: &[(Cell, [u8; 32])]) -> Result<(), CellsError> {
    for pair in cells.windows(2) {
        let [(one, _), (next, _)] = pair else { unreachable!("a window of two has two") };
        if *one.name == *next.name {
            return Err(CellsError::NameTwice { name: one.name.to_string() });
        }
        if one.ledger.environment() != next.ledger.environment() {
            return Err(CellsError::EnvironmentsDiffer {
                name: one.name.to_string(),
                environment: one.ledger.environment(),
                other: next.name.to_string(),
            });
        }
    }
    Ok(())
}

/// The name of a ledger, and what tells it from one of the same name in another store.
fn identity(ledger: &Ledger) -> Result<(LedgerName, [u8; 32]), CellsError> {
    let said = ledger.decide(|sequencer| {
        let check = sequencer.tokens().api_key(KEY_CHECK).0;
        (sequencer.ledger().state.name.clone(), check)
    });
    Ok(said?)
}

/// Places the accounts that a ledger has and the directory does not know: they were opened before
/// there was one. An account that moved away is known to have lived there.
fn adopt(writer: &mut DirectoryJournal, cell: &Cell, at: Instant) -> Result<(), CellsError> {
    let said = cell.ledger.decide(|sequencer| {
        let accounts = sequencer.ledger().state.accounts();
        accounts.map(|(_, account)| account.name.clone()).collect::<Vec<_>>()
    });
    for account in said? {
        let directory = writer.directory();
        match directory.account(&account) {
            None => {
                let placement = Placement::Named((*cell.name).into());
                writer.execute(&Command::Place { account, placement }, at)?;
            }
            Some(known) => {
                let is_here = |name: &str| *name == *cell.name;
                let moving = known.moving.as_ref().and_then(|id| directory.move_of(id));
                let lives_or_lived = is_here(&known.cell)
                    || known.before.iter().any(|name| is_here(name))
                    || moving.is_some_and(|moving| is_here(&moving.to));
                if !lives_or_lived {
                    return Err(CellsError::AccountElsewhere {
                        account: account.into(),
                        found: cell.name.to_string(),
                        cell: known.cell.to_string(),
                    });
                }
            }
        }
    }
    Ok(())
}
