//! How `serve` comes to several ledgers of real money: each by its name and store, and the
//! directory that says which account lives in which.

use ledger_core::id::{Designation, Environment, LedgerName};
use ledger_http::{Ledgers, OpenLedger, system_clock};
use ledger_sim::Sandbox;
use ledger_store::{Journal, OpenError, OpenMode};

use super::cell::Cell;
use super::opening::{builder, open_ledger, open_one};
use super::settings::Settings;
use crate::Failure;
use crate::commands::directory::verify_directory;
use crate::store::{self, Store};

/// A cell whose store is known, and the vault key that its ledger has, if it was made.
struct CellStore {
    name: String,
    store: Store,
    vault_key: Option<[u8; 32]>,
}

impl CellStore {
    fn look(cell: &Cell) -> Result<Self, Failure> {
        let store = Store::parse(cell.store())?;
        let vault_key = match store.open_named(cell.name(), OpenMode::ReadOnly) {
            Ok(journal) => Some(of_real_money(&store, cell.name(), &*journal)?),
            Err(OpenError::LedgerUnknown { .. } | OpenError::Missing { .. }) => None,
            Err(error) => return Err(open_failure(&store, cell.name(), &error)),
        };
        Ok(Self { name: cell.name().to_owned(), store, vault_key })
    }

    fn open(
        &self,
        settings: &Settings,
        vault_key: &mut Option<[u8; 32]>,
    ) -> Result<OpenLedger, Failure> {
        let Self { name, store, .. } = self;
        let designation = Some(Designation::Chosen(Environment::Live));
        let mode = OpenMode::Create { vault_key: *vault_key, algorithm: None, designation };
        let builder = builder(store, settings, name)?;
        let started = || -> Result<_, Box<dyn std::error::Error>> {
            let journal = store.open_named(name, mode)?;
            vault_key.get_or_insert(journal.identity().vault_key);
            open_ledger(store, settings, name, builder.start(journal)?)
        };
        started().map_err(|error| open_failure(store, name, &*error))
    }
}

/// Opens every cell, the directory over them, and the ledger of test keys beside it. What cannot
/// belong together is found out before anything is made.
pub(super) fn open(store: &Store, settings: &Settings) -> Result<Ledgers, Failure> {
    let cells = Cell::all(&settings.cell)?;
    let found: Vec<CellStore> = cells.iter().map(CellStore::look).collect::<Result<_, _>>()?;
    let mut vault_key = settings.vault_key.as_deref().map(store::vault_key).transpose()?;
    for cell in &found {
        let Some(its) = cell.vault_key else { continue };
        if *vault_key.get_or_insert(its) != its {
            return Err(Failure::new(format!(
                "{}: ledger {} has another vault key than the cells before it, or than vault-key: \
                 all cells of a service have one",
                cell.store, cell.name
            )));
        }
    }
    // A file that is not there holds no directory.
    let missing = store.open_directory(OpenMode::ReadOnly);
    let is_missing = matches!(missing, Err(OpenError::Missing { .. }));
    if let Some(known) = if is_missing { None } else { verify_directory(store, &[])? } {
        let given = |name: &str| found.iter().any(|cell| cell.name == name);
        if let Some(missing) = known.directory.cells().find(|cell| !given(&cell.name)) {
            return Err(Failure::new(format!(
                "{store}: the directory has a cell {}, which is not among those that are to be \
                 served: say --cell {}=STORE",
                missing.name, missing.name
            )));
        }
    }
    let sandbox = open_one(store, settings, Environment::Sandbox)?;
    let sandbox = sandbox.played_by(Sandbox::new(settings.sandbox_seed));
    let mut ledgers = Vec::with_capacity(found.len());
    for cell in &found {
        ledgers.push(cell.open(settings, &mut vault_key)?);
    }
    let mode = OpenMode::Directory { environment: Some(Environment::Live) };
    let mut directory = store.open_directory(mode)?;
    if settings.take_over {
        directory.open_writer()?;
    }
    let opened = Ledgers::of_cells(ledgers, directory, sandbox, system_clock()());
    opened
        .map_err(|error| Failure::because(&format!("{store}: the cells cannot be opened"), &error))
}

/// The vault key of a ledger that was made; one of test keys is refused.
fn of_real_money(store: &Store, name: &str, journal: &dyn Journal) -> Result<[u8; 32], Failure> {
    let identity = journal.identity();
    if LedgerName::with_designation(name, identity.designation).environment() == Environment::Live {
        return Ok(identity.vault_key);
    }
    Err(Failure::new(format!(
        "{store}: ledger {name} is of test keys, and cells are of real money"
    )))
}

fn open_failure(store: &Store, name: &str, error: &(dyn std::error::Error + 'static)) -> Failure {
    Failure::because(&format!("{store}: ledger {name} cannot be opened"), error)
}
