//! What a store holds beside the one ledger that is opened: every ledger by name, and whatever
//! belongs to none.
//!
//! A ledger that was renamed, deleted or given another number leaves rows behind that no opening
//! looks at. They are counted here, by the tables alone.

use std::fmt;

use crate::journal::DIRECTORY;
use crate::tables::projection::Target;
use crate::tables::projection::backend::{Backend, TablesFailed};
use crate::tables::projection::schema::table::Cell;
use crate::tables::projection::schema::{CHECKPOINT, EVERY_TABLE, OUTBOX_CHECKPOINT};

/// The service's tables whose rows name a ledger.
const BY_LEDGER: [&str; 4] =
    ["ledger_checkpoint", "ledger_checkpoint_sent", "ledger_cosignature", "webhook_deliveries"];

/// What a store holds.
///
/// ```
/// use ledger_store::projection::Target;
/// use ledger_store::survey::survey;
/// use ledger_store::{OpenMode, SqliteJournal};
///
/// let folder = tempfile::tempdir()?;
/// let file = folder.path().join("ledger.db");
/// SqliteJournal::open(&file, "live", OpenMode::create())?;
/// let found = survey(&Target::Sqlite(file), &[])?;
/// assert_eq!((&*found.ledgers[0].name, found.ledgers[0].has_records), ("live", false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// Every ledger that the store names.
    pub ledgers: Vec<Ledger>,
    /// Rows of no ledger, and rows beside a ledger that has no records.
    pub unowned: Vec<Unowned>,
}

/// A ledger of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ledger {
    /// Its name, which is its identity.
    pub name: String,
    /// Tells whether it has a record.
    pub has_records: bool,
}

impl Ledger {
    /// Tells whether it is the directory of cells, which stands beside ledgers under a name of its
    /// own.
    #[must_use]
    pub fn is_directory(&self) -> bool {
        self.name == DIRECTORY
    }
}

/// Rows that no ledger accounts for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unowned {
    /// The table that they stand in.
    pub table: &'static str,
    /// The ledger they say they are of: its name, or its number in an SQLite file.
    pub ledger: String,
    /// How many there are.
    pub rows: u64,
    /// Tells whether there is such a ledger, without a record.
    pub is_empty: bool,
}

/// Surveys the ledgers of `store`, and the tables in each of `tables`, which may be the same
/// database.
///
/// # Errors
///
/// When a database cannot be read.
pub fn survey(store: &Target, tables: &[Target]) -> Result<Survey, TablesFailed> {
    let mut found = Survey::default();
    let mut called = Vec::new();
    if let (Some(mut backend), Some((ledgers, call))) = (store.connect()?, store.ledgers()) {
        let backend = &mut *backend;
        if !backend.has("ledger")? {
            return Ok(found);
        }
        for row in backend.read(ledgers, &[])? {
            if let [Cell::Text(name), Cell::Text(number)] = &row[..] {
                found.ledgers.push(Ledger { name: name.clone(), has_records: false });
                called.push(number.clone());
            }
        }
        let records = counts(backend, "journal", call)?;
        for (known, number) in found.ledgers.iter_mut().zip(&called) {
            known.has_records = records.iter().any(|(ledger, _)| ledger == number);
        }
        found.note("journal", records, &called);
        found.note("vault", counts(backend, "vault", call)?, &called);
        // Cells keep the service's tables beside their directory.
        if !found.ledgers.iter().any(Ledger::is_directory) {
            let names = found.names();
            for table in BY_LEDGER {
                if backend.has(table)? {
                    found.note(table, counts(backend, table, "ledger")?, &names);
                }
            }
        }
    }
    let names = found.names();
    for target in tables {
        let Some(mut backend) = target.connect()? else { continue };
        // Memory is gone with its process: nothing stands there that nobody owns.
        for table in EVERY_TABLE.iter().filter(|_| target.ledgers().is_some()) {
            if backend.has(table.name)? {
                let counted = counts(&mut *backend, table.name, "ledger")?;
                found.note(table.name, counted, &names);
            }
        }
    }
    Ok(found)
}

/// How many rows of a table each ledger has.
fn counts(
    backend: &mut dyn Backend,
    table: &str,
    call: &str,
) -> Result<Vec<(String, u64)>, TablesFailed> {
    let sql = format!("SELECT {call}, count(*) FROM {table} GROUP BY ledger ORDER BY ledger");
    let rows = backend.read(&sql, &[])?;
    let count = |row: &Vec<Cell>| {
        let rows = u64::try_from(row.get(1)?.number()?).ok()?;
        Some((row.first()?.text()?.to_owned(), rows))
    };
    let counts: Option<Vec<_>> = rows.iter().map(count).collect();
    counts.ok_or_else(|| TablesFailed(format!("the ledgers of table {table} are malformed").into()))
}

impl Survey {
    fn names(&self) -> Vec<String> {
        self.ledgers.iter().map(|ledger| ledger.name.clone()).collect()
    }

    /// Notes rows of no ledger, and of one without a record: there, a checkpoint may stand at none.
    fn note(&mut self, table: &'static str, counted: Vec<(String, u64)>, called: &[String]) {
        for (ledger, rows) in counted {
            let place = called.iter().position(|known| *known == ledger);
            let known = place.map(|place| &self.ledgers[place]);
            let is_empty = known.is_some_and(|known| !known.has_records);
            let is_checkpoint = [CHECKPOINT.name, OUTBOX_CHECKPOINT.name].contains(&table);
            let waits = is_empty && is_checkpoint;
            if (known.is_none() || is_empty) && !waits {
                let ledger = known.map_or(ledger, |known| known.name.clone());
                self.unowned.push(Unowned { table, ledger, rows, is_empty });
            }
        }
    }
}

impl fmt::Display for Unowned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { table, ledger, rows, is_empty } = self;
        write!(f, "table {table} holds {rows} rows of ledger {ledger}, ")?;
        f.write_str(if *is_empty {
            "which has no record: its records were deleted"
        } else {
            "and there is none: it was deleted, renamed or renumbered"
        })
    }
}
