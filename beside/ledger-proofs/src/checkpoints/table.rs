//! Checkpoints in a table beside the journal: rows are added and never changed, and what was sent
//! of them to a witness is remembered beside them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{CheckpointError, rules};
use crate::checkpoint::Checkpoint;
use ledger_store::ServiceTables;
use ledger_store::projection::schema::table::{Cell, Cells};
use ledger_store::projection::{TablesFailed, Target};
use ledger_store::signing::note::Note;

/// The table of checkpoints.
const TABLE: &str = "ledger_checkpoint";

/// The table of what was sent; the last that is made.
const SENT: &str = "ledger_checkpoint_sent";

const MAKE_TABLE: &str = "CREATE TABLE IF NOT EXISTS ledger_checkpoint (ledger TEXT NOT NULL, \
    records BIGINT NOT NULL CHECK (records > 0), note TEXT NOT NULL, \
    PRIMARY KEY (ledger, records))";

const MAKE_SENT: &str = "CREATE TABLE IF NOT EXISTS ledger_checkpoint_sent (ledger TEXT NOT NULL, \
    url TEXT NOT NULL, records BIGINT NOT NULL, PRIMARY KEY (ledger, url))";

/// Witnesses that took more than the table has.
const TAKEN_AND_GONE: &str = "SELECT sent.ledger, sent.url, sent.records, COALESCE(kept.last, 0) \
    FROM ledger_checkpoint_sent sent LEFT JOIN \
    (SELECT ledger, MAX(records) AS last FROM ledger_checkpoint GROUP BY ledger) kept \
    ON kept.ledger = sent.ledger \
    WHERE sent.records > COALESCE(kept.last, 0) ORDER BY sent.ledger, sent.url";

/// The table of checkpoints of a store's ledgers.
#[derive(Clone, Debug)]
pub struct CheckpointsTable(Arc<Mutex<ServiceTables>>);

impl CheckpointsTable {
    /// Opens the table to add to it, and makes it where it is missing.
    ///
    /// ```
    /// use ledger_proofs::checkpoints::CheckpointsTable;
    /// use ledger_store::projection::Target;
    /// use ledger_store::signing::{key::Signer, note::Note};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let target = Target::Sqlite(folder.path().join("ledger.db"));
    /// let signer = Signer::new("ledger.example.com", [7; 32])?.of_ledger("live", "live");
    /// let note = Note::sign("ledger.example.com/live/live\n7\n...\n", &signer);
    /// let table = CheckpointsTable::open(&target)?;
    /// table.add("live", 7, &note)?;
    /// assert_eq!(CheckpointsTable::notes(&target, "live")?, [(7, note)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`CheckpointError::Table`] when the database cannot be written.
    pub fn open(target: &Target) -> Result<Self, CheckpointError> {
        let making = [&[MAKE_TABLE], rules::making(target), &[MAKE_SENT]].concat();
        Ok(Self(Arc::new(Mutex::new(ServiceTables::open(target, SENT, &making)?))))
    }

    fn tables(&self) -> MutexGuard<'_, ServiceTables> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Every checkpoint of a ledger with its number of records, in order, as it was signed; none
    /// where there is no such table. The database is read and nothing is made.
    ///
    /// # Errors
    ///
    /// [`CheckpointError`] when it cannot be read, or a row holds no note of as many records.
    pub fn notes(target: &Target, ledger: &str) -> Result<Vec<(u64, Note)>, CheckpointError> {
        let Some(mut tables) = ServiceTables::open_to_read(target, TABLE)? else {
            return Ok(Vec::new());
        };
        let sql = format!("{SELECT} ORDER BY records");
        let notes = of_rows(&tables.read(&sql, &[ledger.into()])?, ledger)?;
        let says = |note: &Note| note.text.lines().nth(1).and_then(|size| size.parse().ok());
        match notes.iter().find(|(records, note)| says(note) != Some(*records)) {
            Some((records, _)) => {
                Err(CheckpointError::Row { ledger: ledger.to_owned(), records: *records })
            }
            None => Ok(notes),
        }
    }

    /// Checks that the database lets no row be changed or removed: the triggers of the table are
    /// those that it was made with. A store without such a table passes. What a witness took must
    /// be in the table.
    ///
    /// # Errors
    ///
    /// [`CheckpointError::Rules`] that names what is missing, changed or was added; when the
    /// database cannot be read.
    pub fn check_rules(target: &Target) -> Result<(), CheckpointError> {
        let Some(mut tables) = ServiceTables::open_to_read(target, TABLE)? else { return Ok(()) };
        let mut faults = rules::faults(target, &mut tables)?;
        if tables.has(SENT)? {
            faults.extend(tables.read(TAKEN_AND_GONE, &[])?.iter().filter_map(|row| {
                let (ledger, url) = (row.first()?.text()?, row.get(1)?.text()?);
                let (sent, last) = (row.get(2)?.number()?, row.get(3)?.number()?);
                Some(format!(
                    "{url} took the checkpoint of {ledger} at {sent} records, and the last is of \
                     {last}"
                ))
            }));
        }
        match &*faults {
            [] => Ok(()),
            faults => Err(CheckpointError::Rules { faults: faults.join(", ") }),
        }
    }

    /// The last checkpoint of a ledger.
    ///
    /// # Errors
    ///
    /// [`CheckpointError`] when the table cannot be read, or the row holds none.
    pub fn last(&self, ledger: &str) -> Result<Option<Checkpoint>, CheckpointError> {
        let sql = format!("{SELECT} ORDER BY records DESC LIMIT 1");
        let rows = self.tables().read(&sql, &[ledger.into()])?;
        let last = of_rows(&rows, ledger)?.pop();
        let last = last.map(|(records, note)| {
            Checkpoint::parse(&note.text)
                .map_err(|_| CheckpointError::Row { ledger: ledger.to_owned(), records })
        });
        last.transpose()
    }

    /// Adds a note of so many records, durably. One that stands there already stays.
    ///
    /// # Errors
    ///
    /// [`CheckpointError::Table`].
    pub fn add(&self, ledger: &str, records: u64, note: &Note) -> Result<(), CheckpointError> {
        let sql = "INSERT INTO ledger_checkpoint (ledger, records, note) VALUES ($1, $2, $3) \
            ON CONFLICT (ledger, records) DO NOTHING";
        let values = vec![Cell::from(ledger), records.into(), (&*note.to_string()).into()];
        self.tables().write(&[(sql.to_owned(), values)])?;
        Ok(())
    }

    /// The checkpoints of a ledger that this URL was not sent yet, at most so many, in order.
    ///
    /// # Errors
    ///
    /// [`CheckpointError`] when the table cannot be read, or a row holds no note.
    pub fn unsent(
        &self,
        ledger: &str,
        url: &str,
        most: u32,
    ) -> Result<Vec<(u64, Note)>, CheckpointError> {
        let sql = format!(
            "{SELECT} AND records > COALESCE((SELECT sent.records FROM ledger_checkpoint_sent sent \
             WHERE sent.ledger = $1 AND sent.url = $2), 0) ORDER BY records LIMIT $3"
        );
        let values = [ledger.into(), url.into(), i64::from(most).into()];
        of_rows(&self.tables().read(&sql, &values)?, ledger)
    }

    /// Remembers that the URL took every checkpoint of a ledger up to this one.
    ///
    /// # Errors
    ///
    /// [`CheckpointError::Table`].
    pub fn record_sent(
        &self,
        ledger: &str,
        url: &str,
        records: u64,
    ) -> Result<(), CheckpointError> {
        let sql = "INSERT INTO ledger_checkpoint_sent (ledger, url, records) VALUES ($1, $2, $3) \
            ON CONFLICT (ledger, url) DO UPDATE SET records = excluded.records";
        let values = vec![ledger.into(), url.into(), records.into()];
        self.tables().write(&[(sql.to_owned(), values)])?;
        Ok(())
    }
}

const SELECT: &str = "SELECT records, note FROM ledger_checkpoint WHERE ledger = $1";

/// Rows of numbers and notes, each in the one form that it was written in.
fn of_rows(rows: &[Cells], ledger: &str) -> Result<Vec<(u64, Note)>, CheckpointError> {
    let row = |row: &Cells| {
        let records = row.first().and_then(|cell| u64::try_from(cell.number()?).ok());
        let records = records.unwrap_or_default();
        let text = row.get(1).and_then(Cell::text).unwrap_or_default();
        match <[Note; 1]>::try_from(Note::all(text)) {
            Ok([note]) if note.to_string() == text => Ok((records, note)),
            _ => Err(CheckpointError::Row { ledger: ledger.to_owned(), records }),
        }
    };
    rows.iter().map(row).collect()
}

impl From<TablesFailed> for CheckpointError {
    fn from(error: TablesFailed) -> Self {
        Self::Table(error)
    }
}
