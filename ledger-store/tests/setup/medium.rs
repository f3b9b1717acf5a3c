//! What keeps ledgers and outlives the journals opened on it.

use ledger_store::journal::{
    Journal, MemoryDisk, MemoryJournal, OpenError, OpenMode, PostgresJournal, PostgresServer,
    SqliteJournal,
};
use tempfile::TempDir;

use super::server;

/// A medium of its own for every test.
pub trait Medium: Default + Sync {
    fn open(&self, ledger: &str, mode: OpenMode) -> Result<Box<dyn Journal>, OpenError>;

    fn writer(&self) -> Box<dyn Journal> {
        self.open("live", OpenMode::create()).unwrap()
    }

    fn reader(&self) -> Box<dyn Journal> {
        self.open("live", OpenMode::ReadOnly).unwrap()
    }
}

/// In memory.
#[derive(Default)]
pub struct Memory(MemoryDisk);

/// In an SQLite file.
pub struct Sqlite(TempDir);

/// In a database of the test process's PostgreSQL server.
pub struct Postgres(PostgresServer);

/// The same, by a single connection that all journals share.
pub struct Pooled(PostgresServer);

impl Medium for Memory {
    fn open(&self, ledger: &str, mode: OpenMode) -> Result<Box<dyn Journal>, OpenError> {
        Ok(Box::new(MemoryJournal::open(&self.0, ledger, mode)?))
    }
}

impl Medium for Sqlite {
    fn open(&self, ledger: &str, mode: OpenMode) -> Result<Box<dyn Journal>, OpenError> {
        Ok(Box::new(SqliteJournal::open(self.0.path().join("ledger.db"), ledger, mode)?))
    }
}

impl Medium for Postgres {
    fn open(&self, ledger: &str, mode: OpenMode) -> Result<Box<dyn Journal>, OpenError> {
        Ok(Box::new(PostgresJournal::open(&self.0, ledger, mode)?))
    }
}

impl Medium for Pooled {
    fn open(&self, ledger: &str, mode: OpenMode) -> Result<Box<dyn Journal>, OpenError> {
        Ok(Box::new(PostgresJournal::open(&self.0, ledger, mode)?))
    }
}

impl Default for Sqlite {
    fn default() -> Self {
        // Reading never creates a file, so that one is there for the facts about missing ledgers.
        with_another_ledger(Self(tempfile::tempdir().unwrap()))
    }
}

impl Default for Postgres {
    fn default() -> Self {
        with_another_ledger(Self(server::database().parse().unwrap()))
    }
}

impl Default for Pooled {
    fn default() -> Self {
        let server: PostgresServer = server::database().parse().unwrap();
        with_another_ledger(Self(server.pooled(1)))
    }
}

fn with_another_ledger<M: Medium>(medium: M) -> M {
    medium.open("another", OpenMode::create()).unwrap();
    medium
}

/// The tests of these names, each on every medium.
#[allow(unused_macros)] // Each test binary uses its own part of the stage.
macro_rules! on_every_medium {
    ($($fact:ident,)*) => {
        mod memory {
            $(#[test] fn $fact() { super::$fact::<crate::setup::medium::Memory>(); })*
        }
        mod sqlite {
            $(#[test] fn $fact() { super::$fact::<crate::setup::medium::Sqlite>(); })*
        }
        mod postgres {
            $(#[test] fn $fact() { super::$fact::<crate::setup::medium::Postgres>(); })*
        }
        mod pooled {
            $(#[test] fn $fact() { super::$fact::<crate::setup::medium::Pooled>(); })*
        }
    };
}
#[allow(unused_imports)]
pub(crate) use on_every_medium;
