//! Queries that a person writes over the tables: bounded, and of nothing but the tables.
//!
//! The tables stand in one database with the journal, the vault and the hashes of keys, so three
//! guards stand before those, each without need of the others:
//!
//! 1. `allowed` reads the query and lets pass what is named: tables, columns, functions, operators.
//!    What the database gets is written anew from what was understood.
//! 2. SQLite says what its program for the query opens, and anything but the tables is refused;
//!    on PostgreSQL the role of the connection may read the tables alone.
//! 3. The connection cannot write: the file is opened for reading, the transaction is read-only.
//!
//! ```
//! use std::time::Duration;
//!
//! use ledger_store::projection::{Projector, QueryBounds, QueryError, TableQueries, Target};
//! use ledger_store::{OpenMode, SqliteJournal};
//!
//! let folder = tempfile::tempdir()?;
//! let file = folder.path().join("ledger.db");
//! let mut journal = SqliteJournal::open(&file, "live", OpenMode::create())?;
//! Projector::open(&mut journal, "live", &Target::Sqlite(file.clone()))?;
//!
//! let queries = TableQueries::new(Target::Sqlite(file));
//! let bounds = QueryBounds { rows: 10, bytes: 10_000, time: Duration::from_secs(5) };
//! let found = queries.ask("SELECT count(*) AS operations FROM operations", bounds)?;
//! assert_eq!((&*found.columns[0].name, found.rows[0][0].text()), ("operations", Some("0")));
//! let refused = queries.ask("SELECT * FROM vault", bounds);
//! assert!(matches!(refused, Err(QueryError::Refused(_))));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod allowed;
#[cfg(feature = "postgres")]
mod postgres;
mod rows;
#[cfg(feature = "sqlite")]
mod sqlite;

use std::time::Duration;

use thiserror::Error;

pub use allowed::{QueryRefused, readable_tables};
pub use rows::{QueryColumn, QueryRows, QueryValue};

use super::TablesFailed;
use super::backend::target::Target;
use super::checkpoint::Checkpoint;
use super::schema::extent::Extent;

/// How much a query may find, and for how long it may look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueryBounds {
    /// How many rows, at most.
    pub rows: usize,
    /// How many bytes of values, at most.
    pub bytes: usize,
    /// How long it may take.
    pub time: Duration,
}

/// Why a query found nothing that can be shown.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum QueryError {
    /// It was not asked.
    #[error(transparent)]
    Refused(#[from] QueryRefused),
    /// Nobody has filled tables there.
    #[error("no tables are there")]
    NoTables,
    /// It took too long, and was ended.
    #[error("the query took longer than {} seconds, and was ended", .0.as_secs_f64())]
    TooLong(Duration),
    /// The database refused it, in these words.
    #[error("{0}")]
    Database(String),
    /// The database cannot be read.
    #[error(transparent)]
    Tables(#[from] TablesFailed),
}

/// Tables that are open to queries. Its methods block.
#[derive(Clone, Debug)]
pub struct TableQueries {
    target: Target,
}

impl TableQueries {
    /// Queries over the tables that stand here. On PostgreSQL the role should be one that may read
    /// the tables and nothing else, as `ledger_analyst` of `grants/projections.sql`.
    #[must_use]
    pub const fn new(target: Target) -> Self {
        Self { target }
    }

    /// Up to which record the tables of a ledger are; none where nobody has filled them.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn tables_at(&self, ledger: &str) -> Result<Option<u64>, TablesFailed> {
        let Some(mut backend) = self.target.reading()? else { return Ok(None) };
        let found = Checkpoint::find(Extent::Whole, &mut *backend, ledger)?;
        Ok(found.map(|checkpoint| checkpoint.head.seq))
    }

    /// Returns what a query finds, up to the bounds.
    ///
    /// # Errors
    ///
    /// [`QueryError`] for a query that is refused, fails or takes too long.
    pub fn ask(&self, sql: &str, bounds: QueryBounds) -> Result<QueryRows, QueryError> {
        match self.target {
            #[cfg(feature = "sqlite")]
            Target::Sqlite(ref path) => sqlite::ask(path, sql, bounds),
            #[cfg(feature = "postgres")]
            Target::Postgres(ref server) => postgres::ask(server, sql, bounds),
            Target::Memory(_) => Err(QueryError::NoTables),
        }
    }
}

/// What a failure of the database comes to: in its own words where it has any.
#[cfg(feature = "_sql")]
impl From<sqlx::Error> for QueryError {
    fn from(error: sqlx::Error) -> Self {
        match error.as_database_error() {
            Some(said) => Self::Database(said.message().to_owned()),
            None => Self::Tables(error.into()),
        }
    }
}
