//! Where tables are: an SQLite file or a PostgreSQL database, the journal's own or another.

use std::path::PathBuf;

use super::postgres::PostgresTables;
use super::sqlite::SqliteTables;
use super::{Backend, TablesFailed};
use crate::journal::PostgresServer;

/// A database for tables.
#[derive(Clone, Debug)]
pub enum Target {
    /// An SQLite file. In the journal's own file a projector and the engine wait for each other's
    /// transactions; a busy ledger that is followed has its tables in a file of their own.
    Sqlite(PathBuf),
    /// A database of a PostgreSQL server.
    Postgres(PostgresServer),
}

impl Target {
    /// For writing: made where missing.
    pub(in crate::projection) fn writing(&self) -> Result<Box<dyn Backend>, TablesFailed> {
        let mut backend: Box<dyn Backend> = match self {
            Self::Sqlite(path) => Box::new(SqliteTables::writing(path)?),
            Self::Postgres(server) => Box::new(PostgresTables::open(server)?),
        };
        backend.make_tables()?;
        Ok(backend)
    }

    /// For reading; none where no tables are.
    pub(in crate::projection) fn reading(&self) -> Result<Option<Box<dyn Backend>>, TablesFailed> {
        let Some(mut backend) = self.connect()? else { return Ok(None) };
        Ok(if backend.has_tables()? { Some(backend) } else { None })
    }

    /// For reading whatever is there; none where there is no file.
    pub(crate) fn connect(&self) -> Result<Option<Box<dyn Backend>>, TablesFailed> {
        Ok(match self {
            Self::Sqlite(path) if !path.exists() => None,
            Self::Sqlite(path) => Some(Box::new(SqliteTables::reading(path)?)),
            Self::Postgres(server) => Some(Box::new(PostgresTables::open(server)?)),
        })
    }
}
