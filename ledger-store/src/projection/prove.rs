//! The proof that tables are the fold: they are made once more, elsewhere, from the first record up
//! to their checkpoint, and compared value by value.

use thiserror::Error;

use super::checkpoint::Checkpoint;
use super::error::ProjectError;
use super::keeper::{Keeper, TablesFailed};
use super::place::Place;
use super::projector::Projector;
use super::sqlite::SqliteTables;
use super::table::{Cell, Cells, Table};
use super::tables::{OUTBOX, TABLES};
use crate::journal::{Head, Journal};

/// How many rows are compared at once.
const AT_ONCE: i64 = 5_000;

/// Tables that were proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proved {
    /// Their checkpoint.
    pub head: Head,
    /// How many rows were compared.
    pub rows: u64,
}

/// Why tables are not the fold.
#[derive(Debug, Error)]
pub enum ProveError {
    /// They could not be made once more.
    #[error(transparent)]
    Project(#[from] ProjectError),
    /// They could not be read.
    #[error(transparent)]
    Tables(#[from] TablesFailed),
    /// A value differs.
    #[error("table {table}, {key}: column {column} says {found}, the journal says {expected}")]
    Differs {
        /// The table.
        table: &'static str,
        /// The row's key.
        key: String,
        /// The column.
        column: &'static str,
        /// What the journal says.
        expected: Cell,
        /// What the table says.
        found: Cell,
    },
    /// A row is missing.
    #[error("table {table}, {key}: the row is missing")]
    Missing {
        /// The table.
        table: &'static str,
        /// The row's key.
        key: String,
    },
    /// A row is there that no record made.
    #[error("table {table}, {key}: no record made this row")]
    Invented {
        /// The table.
        table: &'static str,
        /// The row's key.
        key: String,
    },
}

/// Proves the tables of the ledger named `name`; none where there are none.
///
/// # Errors
///
/// [`ProveError`], naming the first difference.
pub fn prove(
    journal: &mut dyn Journal,
    name: &str,
    place: &Place,
) -> Result<Option<Proved>, ProveError> {
    let Some(mut keeper) = place.reading()? else { return Ok(None) };
    // The tables may be filled meanwhile: they are compared as of one moment.
    keeper.begin()?;
    let proved = of_one_moment(journal, name, &mut *keeper);
    let ended = keeper.end();
    let proved = proved?;
    ended?;
    Ok(proved)
}

fn of_one_moment(
    journal: &mut dyn Journal,
    name: &str,
    keeper: &mut dyn Keeper,
) -> Result<Option<Proved>, ProveError> {
    let Some(found) = Checkpoint::find(keeper, name)? else { return Ok(None) };
    let mut scratch = SqliteTables::scratch()?;
    scratch.make_tables()?;
    let mut again = Projector::up_to(journal, name, Box::new(scratch), &found)?;
    let mut rows = 0;
    for table in TABLES {
        rows += compare(table, name, again.keeper(), keeper, &found)?;
    }
    Ok(Some(Proved { head: found.head, rows }))
}

fn compare(
    table: &'static Table,
    ledger: &str,
    again: &mut dyn Keeper,
    found: &mut dyn Keeper,
    checkpoint: &Checkpoint,
) -> Result<u64, ProveError> {
    let mut after: Option<Cells> = None;
    let mut count = 0;
    loop {
        let expected = next(table, ledger, again, after.as_deref(), checkpoint)?;
        let actual = next(table, ledger, found, after.as_deref(), checkpoint)?;
        let mut pairs = expected.iter().zip(&actual);
        if let Some(error) = pairs.find_map(|(expected, actual)| differ(table, expected, actual)) {
            return Err(error);
        }
        let key = |row: &Cells| key(table, row);
        if let Some(row) = expected.get(actual.len()) {
            return Err(ProveError::Missing { table: table.name, key: key(row) });
        }
        if let Some(row) = actual.get(expected.len()) {
            return Err(ProveError::Invented { table: table.name, key: key(row) });
        }
        count += expected.len() as u64;
        match expected.last() {
            Some(last) => after = Some(last[..table.key].to_vec()),
            None => return Ok(count),
        }
    }
}

/// The next rows in the order of their keys.
fn next(
    table: &Table,
    ledger: &str,
    keeper: &mut dyn Keeper,
    after: Option<&[Cell]>,
    checkpoint: &Checkpoint,
) -> Result<Vec<Cells>, TablesFailed> {
    let mut values = vec![Cell::from(ledger), AT_ONCE.into()];
    let names = table.columns[..table.key].iter().map(|column| column.name);
    let names = names.collect::<Vec<_>>().join(", ");
    let mut beyond = String::new();
    if let Some(after) = after {
        let places = (0..after.len()).map(|place| format!("${}", place + 3));
        beyond = format!(" AND ({names}) > ({})", places.collect::<Vec<_>>().join(", "));
        values.extend_from_slice(after);
    }
    if table.name == OUTBOX.name {
        // What was pruned is gone on purpose; what a rebuild has not come to is only remembered.
        values.push(checkpoint.pruned.into());
        let place = values.len();
        beyond = format!("{beyond} AND body IS NOT NULL AND seq > ${place}");
    }
    let columns = table.own_columns();
    let sql = format!(
        "SELECT {columns} FROM {} WHERE ledger = $1{beyond} ORDER BY {names} LIMIT $2",
        table.name
    );
    keeper.read(&sql, &values)
}

fn differ(table: &'static Table, expected: &Cells, actual: &Cells) -> Option<ProveError> {
    let own = &expected[..table.key];
    match own.cmp(&actual[..table.key]) {
        std::cmp::Ordering::Less => {
            return Some(ProveError::Missing { table: table.name, key: key(table, expected) });
        }
        std::cmp::Ordering::Greater => {
            return Some(ProveError::Invented { table: table.name, key: key(table, actual) });
        }
        std::cmp::Ordering::Equal => {}
    }
    let columns = table.columns.iter().zip(expected.iter().zip(actual));
    // Whether something was acknowledged is not in the journal.
    let mut differing = columns.filter(|(column, (expected, actual))| {
        column.name != "acknowledged_at" && expected != actual
    });
    let (column, (expected_cell, found)) = differing.next()?;
    Some(ProveError::Differs {
        table: table.name,
        key: key(table, expected),
        column: column.name,
        expected: expected_cell.clone(),
        found: found.clone(),
    })
}

fn key(table: &Table, row: &Cells) -> String {
    let columns = table.columns[..table.key].iter().zip(row);
    let parts = columns.map(|(column, cell)| format!("{} {cell}", column.name));
    parts.collect::<Vec<_>>().join(", ")
}
