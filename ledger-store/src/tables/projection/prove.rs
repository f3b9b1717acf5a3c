//! The proof that tables are the fold: they are made once more, elsewhere, from the first record up
//! to their checkpoint, and compared value by value.

use thiserror::Error;

use super::backend::sqlite::SqliteTables;
use super::backend::target::Target;
use super::backend::{Backend, TablesFailed};
use super::checkpoint::Checkpoint;
use super::deliveries::{DELIVERIES, WrongDelivery, wrong_delivery};
use super::error::ProjectError;
use super::projector::Projector;
use super::rebuild::pruned_here;
use super::schema::extent::Extent;
use super::schema::table::{Cell, Cells, Table};
use super::schema::{CHECKPOINT, OUTBOX};
use crate::engines::sequencer::ReplayError;
use crate::journal::{Head, Journal};

/// How many rows are compared at once.
const AT_ONCE: i64 = 5_000;

/// Tables that were proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proved {
    /// The head up to which they are the journal's fold.
    pub head: Head,
    /// How many rows were compared.
    pub rows: u64,
}

/// Why tables are not the fold.
#[derive(Debug, Error)]
#[allow(missing_docs)] // Where a field has no line, the message says what it is.
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
        table: &'static str,
        /// The row's key.
        key: String,
        column: &'static str,
        /// What the journal says.
        expected: Cell,
        /// What the table says.
        found: Cell,
    },
    /// A row is missing.
    #[error("table {table}, {key}: the row is missing")]
    Missing {
        table: &'static str,
        /// The row's key.
        key: String,
    },
    /// A table is not there, though others are.
    #[error("table {table} is missing; rebuild (--rebuild) makes it anew")]
    NoTable { table: &'static str },
    /// A table has rows of the ledger, and no checkpoint says up to which record.
    #[error(
        "table {table} holds {rows} rows, and projection_checkpoint has no row of the ledger: what \
         they are of cannot be proved; rebuild (--rebuild)"
    )]
    NoCheckpoint {
        table: &'static str,
        /// How many rows.
        rows: u64,
    },
    /// The outbox says that it was pruned where it cannot have been.
    #[error("the outbox says that it was pruned up to record {pruned}: {why}")]
    Pruned {
        /// The value of `outbox_pruned_seq`, beside their checkpoint.
        pruned: u64,
        /// Why it was not.
        why: &'static str,
    },
    /// A row is there that no record made.
    #[error("table {table}, {key}: no record made this row")]
    Invented {
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
    target: &Target,
) -> Result<Option<Proved>, ProveError> {
    let Some(mut backend) = target.reading()? else { return Ok(None) };
    // The tables may be filled meanwhile: they are compared as of one moment.
    backend.begin()?;
    let proved = of_one_moment(journal, name, &mut *backend);
    let ended = backend.end();
    let proved = proved?;
    ended?;
    Ok(proved)
}

fn of_one_moment(
    journal: &mut dyn Journal,
    name: &str,
    backend: &mut dyn Backend,
) -> Result<Option<Proved>, ProveError> {
    if Checkpoint::find(Extent::Outbox, backend, name)?.is_none() {
        return of_extent(Extent::Whole, journal, name, backend);
    }
    let outbox = of_extent(Extent::Outbox, journal, name, backend)?;
    // Where an engine keeps the outbox, there need be no other table.
    let tables = if others(backend)? {
        of_extent(Extent::WithoutOutbox, journal, name, backend)?
    } else {
        None
    };
    let rows = [outbox, tables].into_iter().flatten().map(|proved| proved.rows).sum();
    Ok(tables.or(outbox).map(|Proved { head, .. }| Proved { head, rows }))
}

/// Tells whether there is any table beside the outbox.
fn others(backend: &mut dyn Backend) -> Result<bool, TablesFailed> {
    for table in Extent::WithoutOutbox.tables().chain([&CHECKPOINT]) {
        if backend.has(table.name)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn of_extent(
    extent: Extent,
    journal: &mut dyn Journal,
    name: &str,
    backend: &mut dyn Backend,
) -> Result<Option<Proved>, ProveError> {
    for table in extent.tables().chain([extent.checkpoint()]) {
        if !backend.has(table.name)? {
            return Err(ProveError::NoTable { table: table.name });
        }
    }
    let Some(found) = Checkpoint::find(extent, backend, name)? else {
        return without_checkpoint(extent, backend, name);
    };
    let mut scratch = SqliteTables::scratch()?;
    scratch.make_tables(extent)?;
    // Beside an outbox that an engine keeps, it says what was pruned before.
    pruned_within(journal, &found)?;
    if extent.has_outbox() {
        pruned_wholly(backend, name, &found)?;
    }
    let mut again = Projector::up_to(journal, name, (extent, Box::new(scratch)), &found)?;
    as_of(extent, again.backend(), name, &found)?;
    if extent.has_outbox() {
        pruned_at_an_entry(again.backend(), name, &found)?;
        deliveries(again.backend(), backend, name)?;
    }
    let mut rows = 0;
    for table in extent.tables() {
        rows += compare(table, name, again.backend(), backend, &found)?;
    }
    Ok(Some(Proved { head: found.head, rows }))
}

/// Without a checkpoint a ledger has no tables: no row of them is its.
fn without_checkpoint(
    extent: Extent,
    backend: &mut dyn Backend,
    name: &str,
) -> Result<Option<Proved>, ProveError> {
    for table in extent.tables() {
        let sql = format!("SELECT count(*) FROM {} WHERE ledger = $1", table.name);
        let rows = backend.count(&sql, &[name.into()])?;
        if rows > 0 {
            return Err(ProveError::NoCheckpoint { table: table.name, rows });
        }
    }
    Ok(None)
}

/// The instant of a checkpoint is that of its record.
fn as_of(
    extent: Extent,
    again: &mut dyn Backend,
    name: &str,
    found: &Checkpoint,
) -> Result<(), ProveError> {
    let expected = Checkpoint::find(extent, again, name)?.and_then(|made| made.as_of);
    if expected == found.as_of {
        return Ok(());
    }
    Err(ProveError::Differs {
        table: extent.checkpoint().name,
        key: String::new(),
        column: "as_of",
        expected: expected.as_deref().into(),
        found: found.as_of.as_deref().into(),
    })
}

/// Each delivery of a webhook is of a notice.
fn deliveries(
    again: &mut dyn Backend,
    found: &mut dyn Backend,
    name: &str,
) -> Result<(), ProveError> {
    let Some(WrongDelivery { event, differs }) = wrong_delivery(again, found, name)? else {
        return Ok(());
    };
    let (table, key) = (DELIVERIES, format!("event {event}"));
    Err(match differs {
        None => ProveError::Invented { table, key },
        Some((column, expected, found)) => {
            ProveError::Differs { table, key, column, expected, found }
        }
    })
}

/// Tells whether the outbox was pruned up to a record of this journal, and within its tables.
fn pruned_within(journal: &mut dyn Journal, found: &Checkpoint) -> Result<(), ProveError> {
    let pruned = found.pruned;
    let wrong = |why| Err(ProveError::Pruned { pruned, why });
    if pruned > journal.head().map_err(ReplayError::from).map_err(ProjectError::from)?.seq {
        return wrong("the journal ends before it");
    }
    let here = pruned_here(journal, found).map_err(ReplayError::from);
    if !here.map_err(ProjectError::from)? {
        return wrong("its outbox_pruned_check is not of that record");
    }
    Ok(())
}

/// What was pruned is gone: an entry there would be sent and is compared with nothing.
fn pruned_wholly(
    backend: &mut dyn Backend,
    name: &str,
    found: &Checkpoint,
) -> Result<(), ProveError> {
    let pruned = found.pruned;
    let sql = "SELECT count(*) FROM outbox \
        WHERE ledger = $1 AND seq <= $2 AND body IS NOT NULL AND acknowledged_at IS NULL";
    if backend.count(sql, &[name.into(), pruned.into()])? > 0 {
        return Err(ProveError::Pruned { pruned, why: "entries of before are pending in it" });
    }
    Ok(())
}

/// Only what stood in the outbox was pruned: the last of it is an entry of the fold, where the fold
/// has come to it.
fn pruned_at_an_entry(
    again: &mut dyn Backend,
    name: &str,
    found: &Checkpoint,
) -> Result<(), ProveError> {
    let pruned = found.pruned;
    if pruned == 0 || found.head.seq < pruned {
        return Ok(());
    }
    let sql = "SELECT count(*) FROM outbox WHERE ledger = $1 AND seq = $2";
    if again.count(sql, &[name.into(), pruned.into()])? == 0 {
        return Err(ProveError::Pruned { pruned, why: "that record put nothing into it" });
    }
    Ok(())
}

fn compare(
    table: &'static Table,
    ledger: &str,
    again: &mut dyn Backend,
    found: &mut dyn Backend,
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
    backend: &mut dyn Backend,
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
    backend.read(&sql, &values)
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
