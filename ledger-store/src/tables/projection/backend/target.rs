//! Where tables are: an SQLite file or a PostgreSQL database, the journal's own or another; or
//! where an outbox is that has none beside it.

// Without a database no target fails to open.
#![cfg_attr(not(feature = "_sql"), allow(clippy::unnecessary_wraps))]

use std::path::Path;

use super::memory::MemoryOutboxes;
#[cfg(feature = "postgres")]
use super::postgres::PostgresTables;
#[cfg(feature = "sqlite")]
use super::sqlite::SqliteTables;
use super::{Backend, TablesFailed};
use crate::tables::projection::schema::extent::Extent;
use crate::tables::projection::schema::table::Cell;

/// A database for tables; which there are, features say. Memory has an outbox alone: any other
/// table that is asked of it is refused by [`TablesFailed`].
#[derive(Clone, Debug)]
pub enum Target {
    /// An SQLite file. In the journal's own file a projector and the engine wait for each other's
    /// transactions; a busy ledger that is followed has its tables in a file of their own.
    #[cfg(feature = "sqlite")]
    Sqlite(std::path::PathBuf),
    /// A database of a PostgreSQL server.
    #[cfg(feature = "postgres")]
    Postgres(crate::journal::PostgresServer),
    /// Outboxes in memory, beside journals in memory.
    Memory(MemoryOutboxes),
}

impl Target {
    /// The file that lets one writer in at a time, where the tables are in one.
    pub(crate) fn file(&self) -> Option<&Path> {
        match *self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(ref path) => Some(path),
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => None,
            Self::Memory(_) => None,
        }
    }

    /// For filling tables of this extent: made where missing.
    pub(in crate::tables::projection) fn filling(
        &self,
        extent: Extent,
    ) -> Result<Box<dyn Backend>, TablesFailed> {
        let mut backend = self.writing()?;
        backend.make_tables(extent)?;
        Ok(backend)
    }

    /// For writing to tables that are there.
    pub(in crate::tables::projection) fn writing(&self) -> Result<Box<dyn Backend>, TablesFailed> {
        match *self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(ref path) => Ok(Box::new(SqliteTables::writing(path)?)),
            #[cfg(feature = "postgres")]
            Self::Postgres(ref server) => Ok(Box::new(PostgresTables::open(server)?)),
            Self::Memory(ref outboxes) => Ok(Box::new(outboxes.clone())),
        }
    }

    /// For writing what nothing can make again.
    pub(crate) fn lasting(&self) -> Result<Box<dyn Backend>, TablesFailed> {
        match *self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(ref path) => Ok(Box::new(SqliteTables::lasting(path)?)),
            #[cfg(feature = "postgres")]
            Self::Postgres(ref server) => Ok(Box::new(PostgresTables::open(server)?)),
            Self::Memory(ref outboxes) => Ok(Box::new(outboxes.clone())),
        }
    }

    /// For reading; none where no tables are.
    pub(in crate::tables::projection) fn reading(
        &self,
    ) -> Result<Option<Box<dyn Backend>>, TablesFailed> {
        let Some(mut backend) = self.connect()? else { return Ok(None) };
        Ok(if backend.has_tables()? { Some(backend) } else { None })
    }

    /// Tells whether the journal of a ledger of this name is kept here, beside whatever tables
    /// there are.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn holds_ledger(&self, name: &str) -> Result<bool, TablesFailed> {
        let (Some(mut backend), Some((ledgers, _))) = (self.connect()?, self.ledgers()) else {
            return Ok(false);
        };
        // Somebody else's table may be called so, too; a store has both.
        if !(backend.has("ledger")? && backend.has("journal")?) {
            return Ok(false);
        }
        let rows = backend.read(ledgers, &[])?;
        Ok(rows.iter().any(|row| row.first().and_then(Cell::text) == Some(name)))
    }

    /// Tells whether this is the same file or the same database, whoever connects to it. A server
    /// that has several names is the same under each name only.
    #[must_use]
    pub fn is_same_place(&self, other: &Self) -> bool {
        match (self, other) {
            #[cfg(feature = "sqlite")]
            (Self::Sqlite(here), Self::Sqlite(there)) => {
                let (one, two) = (here.canonicalize(), there.canonicalize());
                here == there || one.is_ok_and(|one| two.is_ok_and(|two| one == two))
            }
            #[cfg(feature = "postgres")]
            (Self::Postgres(here), Self::Postgres(there)) => here.is_same_database(there),
            _ => false,
        }
    }

    /// Tells whether it is a PostgreSQL server, for statements that mean nothing elsewhere.
    #[must_use]
    pub const fn is_postgres(&self) -> bool {
        match self {
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => true,
            _ => false,
        }
    }

    /// The ledgers that a store here names, each with what its rows call it; and how their columns
    /// give that as text. Memory is no store of ledgers.
    pub(crate) fn ledgers(&self) -> Option<(&'static str, &'static str)> {
        match *self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(_) => {
                let ledgers = "SELECT name, CAST(id AS TEXT) FROM ledger ORDER BY id";
                Some((ledgers, "CAST(ledger AS TEXT)"))
            }
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => {
                Some(("SELECT ledger, ledger FROM ledger ORDER BY ledger", "ledger"))
            }
            Self::Memory(_) => None,
        }
    }

    /// For reading whatever is there; none where there is no file.
    pub(crate) fn connect(&self) -> Result<Option<Box<dyn Backend>>, TablesFailed> {
        match *self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(ref path) if !path.exists() => Ok(None),
            #[cfg(feature = "sqlite")]
            Self::Sqlite(ref path) => Ok(Some(Box::new(SqliteTables::reading(path)?))),
            #[cfg(feature = "postgres")]
            Self::Postgres(ref server) => Ok(Some(Box::new(PostgresTables::open(server)?))),
            Self::Memory(ref outboxes) => Ok(Some(Box::new(outboxes.clone()))),
        }
    }
}

/// Tells whether a journal and tables are in one file, where one writer waits for the other.
pub(crate) fn in_one_file(journal: Option<&Path>, tables: Option<&Path>) -> bool {
    let whole = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    journal.zip(tables).is_some_and(|(one, other)| whole(one) == whole(other))
}
