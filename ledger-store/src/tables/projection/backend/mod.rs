//! What keeps tables: SQLite or PostgreSQL, behind the few things that are asked of them; and what
//! keeps an outbox alone, in memory.
//!
//! Statements are written once, with `$1`, `$2` for values, and mean the same on both databases.
//! What an outbox is asked has methods and steps of its own, since memory knows no statements.

#[cfg(feature = "postgres")]
mod copying;
#[cfg(test)]
pub(super) mod failing;
pub(super) mod memory;
pub(super) mod outbox;
#[cfg(feature = "postgres")]
pub(super) mod postgres;
#[cfg(feature = "_sql")]
mod sql;
#[cfg(feature = "sqlite")]
pub(super) mod sqlite;
pub(super) mod step;
pub(super) mod target;
mod upgrade;

use std::path::Path;

use ledger_core::time::Instant;

pub use self::outbox::Acknowledged;
use self::outbox::{Pruned, Unacknowledged};
pub(crate) use self::step::Step;
use super::schema::extent::Extent;
use super::schema::table::{Cell, Cells, Table};
use super::schema::{EVERY_TABLE, OUTBOX};
use crate::journal::Source;

/// Why the tables could not be read or written.
#[derive(Debug, thiserror::Error)]
#[error("the tables' database failed")]
pub struct TablesFailed(#[source] pub Source);

/// Tells whether a transaction was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    /// All of it; its statements touched so many rows.
    Yes(u64),
    /// None of it: a statement did not find what it must.
    No,
}

/// A database with the tables in it.
pub(crate) trait Backend: Send {
    /// Tells whether there is a table of this name.
    fn has(&mut self, table: &str) -> Result<bool, TablesFailed>;

    /// Tells whether the tables are there: any of them, so that one that was dropped does not hide
    /// the others.
    fn has_tables(&mut self) -> Result<bool, TablesFailed> {
        for table in EVERY_TABLE {
            if self.has(table.name)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Makes these tables where they are not.
    fn make(&mut self, tables: &[&'static Table]) -> Result<(), TablesFailed>;

    /// Makes the tables of this extent where they are not, of the version that is written here.
    fn make_tables(&mut self, extent: Extent) -> Result<(), TablesFailed> {
        if self.has(OUTBOX.name)? {
            upgrade::upgrade(self)?;
        }
        let tables: Vec<_> = match extent {
            Extent::Outbox => vec![&OUTBOX, extent.checkpoint()],
            Extent::Whole | Extent::WithoutOutbox => EVERY_TABLE.to_vec(),
        };
        self.make(&tables)
    }

    /// Tells whether a table has this column.
    fn has_column(&mut self, table: &str, column: &str) -> Result<bool, TablesFailed>;

    /// The file they are in, where another writer of it waits for each of their transactions.
    fn file(&self) -> Option<&Path> {
        None
    }

    /// Gives back at once what rows took that are gone, where that is not done by itself.
    fn reclaim(&mut self, _: &[&'static Table]) -> Result<(), TablesFailed> {
        Ok(())
    }

    /// Tells whether there is an index of this name that whoever is connected may drop.
    fn owns_index(&mut self, index: &str) -> Result<bool, TablesFailed>;

    /// The statement by which makers of tables take turns, where beginning to write is no turn.
    fn turn(&self) -> Option<&'static str>;

    /// The statement by which the rest of a transaction waits for no reader for long, where it
    /// would.
    fn waits_briefly(&self) -> Option<&'static str> {
        None
    }

    /// Returns what a query finds.
    fn read(&mut self, sql: &str, values: &[Cell]) -> Result<Vec<Cells>, TablesFailed>;

    /// The one number that a query counts.
    fn count(&mut self, sql: &str, values: &[Cell]) -> Result<u64, TablesFailed> {
        let found = self.read(sql, values)?;
        let number = found.first().and_then(|row| row.first()?.number());
        Ok(number.and_then(|number| u64::try_from(number).ok()).unwrap_or_default())
    }

    /// Until [`Backend::end`], everything read is of one moment.
    fn begin(&mut self) -> Result<(), TablesFailed>;

    /// Ends what [`Backend::begin`] began.
    fn end(&mut self) -> Result<(), TablesFailed>;

    /// Does all steps in one transaction, or none.
    fn write(&mut self, steps: &[Step<'_>]) -> Result<Written, TablesFailed>;

    /// The row of a ledger's checkpoint, without the ledger; none where there is none.
    fn checkpoint(&mut self, extent: Extent, ledger: &str) -> Result<Option<Cells>, TablesFailed> {
        let table = extent.checkpoint();
        if !self.has(table.name)? {
            return Ok(None);
        }
        let sql = format!("SELECT {} FROM {} WHERE ledger = $1", table.own_columns(), table.name);
        Ok(self.read(&sql, &[ledger.into()])?.into_iter().next())
    }

    /// Entries that are not acknowledged, each with how many of its line come behind it.
    fn unacknowledged_rows(
        &mut self,
        asked: &Unacknowledged<'_>,
    ) -> Result<Vec<Cells>, TablesFailed> {
        outbox::unacknowledged_rows(self, asked)
    }

    /// How many entries of a kind are not acknowledged.
    fn unacknowledged_count(&mut self, ledger: &str, kind: &str) -> Result<u64, TablesFailed> {
        outbox::unacknowledged_count(self, ledger, kind)
    }

    /// Acknowledges an entry by its id; none where nothing has the id.
    fn acknowledge(
        &mut self,
        ledger: &str,
        id: &str,
        at: Instant,
    ) -> Result<Option<Acknowledged>, TablesFailed> {
        outbox::acknowledge(self, ledger, id, at)
    }

    /// Acknowledges entries by their ids, all at once; those that nothing has are passed over.
    fn acknowledge_all(
        &mut self,
        ledger: &str,
        ids: &[String],
        at: Instant,
    ) -> Result<(), TablesFailed> {
        outbox::acknowledge_all(self, ledger, ids, at)
    }

    /// Entries behind a place that are not acknowledged, each with how many of its line stand
    /// before it.
    fn after(
        &mut self,
        ledger: &str,
        place: (u64, u64),
        limit: usize,
    ) -> Result<Vec<Cells>, TablesFailed> {
        outbox::after(self, ledger, place, limit)
    }

    /// The first entry that is not acknowledged of each line that one of these is of.
    fn next_of_lines(&mut self, ledger: &str, ids: &[String]) -> Result<Vec<Cells>, TablesFailed> {
        outbox::next_of_lines(self, ledger, ids)
    }

    /// Removes what was acknowledged of records up to `seq`, as far as nothing pending comes before
    /// it.
    fn prune(&mut self, extent: Extent, ledger: &str, seq: u64) -> Result<Pruned, TablesFailed> {
        outbox::prune(self, extent, ledger, seq)
    }
}

#[cfg(feature = "_sql")]
impl From<sqlx::Error> for TablesFailed {
    fn from(error: sqlx::Error) -> Self {
        Self(error.into())
    }
}
