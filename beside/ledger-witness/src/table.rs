//! The cosignatures of a ledger's checkpoints, in a table beside theirs.

use ledger_store::ServiceTables;
use ledger_store::projection::schema::table::Cell;
use ledger_store::projection::{TablesFailed, Target};

use crate::key::PublicKey;
use crate::note::SignatureLine;

/// The table; a row stands for one witness and one checkpoint, and is never changed. A ledger is
/// named by the origin of its checkpoints: a witness knows a renamed log as another one.
const TABLE: &str = "ledger_cosignature";

const MAKE_TABLE: &str = "CREATE TABLE IF NOT EXISTS ledger_cosignature (ledger TEXT NOT NULL, \
    records BIGINT NOT NULL CHECK (records > 0), witness TEXT NOT NULL, line TEXT NOT NULL, \
    PRIMARY KEY (ledger, witness, records))";

/// The cosignatures of the checkpoints of a store's ledgers.
#[derive(Debug)]
pub struct CosignaturesTable(ServiceTables);

impl CosignaturesTable {
    /// Opens the table to add to it, and makes it where it is missing.
    ///
    /// # Errors
    ///
    /// [`TablesFailed`] when the database cannot be written.
    pub fn open(target: &Target) -> Result<Self, TablesFailed> {
        Ok(Self(ServiceTables::open(target, TABLE, &[MAKE_TABLE])?))
    }

    /// Opens the table to read it; none where there is none.
    ///
    /// # Errors
    ///
    /// [`TablesFailed`] when the database cannot be read.
    pub fn open_to_read(target: &Target) -> Result<Option<Self>, TablesFailed> {
        Ok(ServiceTables::open_to_read(target, TABLE)?.map(Self))
    }

    /// Adds the cosignature of an origin's checkpoint of so many records, durably; an earlier one
    /// of the same witness stays.
    ///
    /// # Errors
    ///
    /// [`TablesFailed`].
    pub fn add(
        &mut self,
        origin: &str,
        records: u64,
        witness: &PublicKey,
        line: &SignatureLine,
    ) -> Result<(), TablesFailed> {
        let sql = "INSERT INTO ledger_cosignature (ledger, records, witness, line) \
            VALUES ($1, $2, $3, $4) ON CONFLICT (ledger, witness, records) DO NOTHING";
        let (witness, line) = (witness.to_string(), line.to_string());
        let values = vec![origin.into(), records.into(), (&*witness).into(), (&*line).into()];
        self.0.write(&[(sql.to_owned(), values)])?;
        Ok(())
    }

    /// The records of the last checkpoint of an origin that a witness cosigned; 0 where there is
    /// none.
    ///
    /// # Errors
    ///
    /// [`TablesFailed`].
    pub fn last(&mut self, origin: &str, witness: &PublicKey) -> Result<u64, TablesFailed> {
        let sql = "SELECT COALESCE(MAX(records), 0) FROM ledger_cosignature \
            WHERE ledger = $1 AND witness = $2";
        let rows = self.0.read(sql, &[origin.into(), (&*witness.to_string()).into()])?;
        let number = rows.first().and_then(|row| row.first()?.number());
        Ok(number.and_then(|number| u64::try_from(number).ok()).unwrap_or_default())
    }

    /// The lines of an origin's checkpoint of so many records, in the order of the witnesses' keys.
    /// A text that is no line is passed over: it proves nothing. Rows of earlier versions, which
    /// name the ledger alone, come first: in a note a later line of a key takes an earlier one's
    /// place.
    ///
    /// # Errors
    ///
    /// [`TablesFailed`].
    pub fn lines(
        &mut self,
        origin: &str,
        records: u64,
    ) -> Result<Vec<SignatureLine>, TablesFailed> {
        let ledger = origin.rsplit('/').next().unwrap_or(origin);
        let sql = "SELECT line FROM ledger_cosignature WHERE ledger IN ($1, $3) AND records = $2 \
            ORDER BY length(ledger), witness";
        let rows = self.0.read(sql, &[origin.into(), records.into(), ledger.into()])?;
        let lines = rows.iter().filter_map(|row| row.first().and_then(Cell::text)?.parse().ok());
        Ok(lines.collect())
    }
}
