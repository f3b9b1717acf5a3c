//! What keeps ledgers and outlives the journals opened on it.

use std::sync::Arc;
use std::time::Duration;

use ledger_store::journal::{
    Journal, MemoryDisk, MemoryJournal, Merging, ObjectJournal, ObjectStorage, OpenError, OpenMode,
    PostgresJournal, PostgresServer, SqliteJournal,
};
use object_store::memory::InMemory;
use tempfile::TempDir;

use super::{bucket, server};

/// A medium of its own for every test.
pub trait Medium: Default + Sync {
    /// How much later than it lapses a lease may seem to be in force: what the medium's clock is
    /// rounded to.
    const ROUNDED: Duration = Duration::from_millis(20);

    /// Tells whether it has locks that the death of a process releases.
    const LOCKS: bool = true;

    fn open(&self, ledger: &str, mode: OpenMode) -> Result<Box<dyn Journal>, OpenError>;

    fn writer(&self) -> Box<dyn Journal> {
        self.open("live", OpenMode::create()).unwrap()
    }

    fn reader(&self) -> Box<dyn Journal> {
        self.open("live", OpenMode::ReadOnly).unwrap()
    }
}

/// Ledgers on a disk in memory.
#[derive(Default)]
pub struct Memory(MemoryDisk);

/// In an SQLite file.
pub struct Sqlite(TempDir);

/// In a database of the test process's PostgreSQL server.
pub struct Postgres(PostgresServer);

/// The same, by a single connection that all journals share.
pub struct Pooled(PostgresServer);

/// As objects in memory, merged as often as can be.
pub struct Objects(ObjectStorage);

/// As objects in a folder.
pub struct Folder(ObjectStorage, #[allow(dead_code)] TempDir);

/// As objects on an S3 server.
pub struct Bucket(ObjectStorage);

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

impl Medium for Objects {
    const LOCKS: bool = false;

    fn open(&self, ledger: &str, mode: OpenMode) -> Result<Box<dyn Journal>, OpenError> {
        Ok(Box::new(ObjectJournal::open(&self.0, ledger, mode)?))
    }
}

impl Medium for Folder {
    fn open(&self, ledger: &str, mode: OpenMode) -> Result<Box<dyn Journal>, OpenError> {
        Ok(Box::new(ObjectJournal::open(&self.0, ledger, mode)?))
    }
}

impl Medium for Bucket {
    // The header that says when an object was written has whole seconds, and two of them are
    // compared.
    const ROUNDED: Duration = Duration::from_millis(2_050);
    const LOCKS: bool = false;

    fn open(&self, ledger: &str, mode: OpenMode) -> Result<Box<dyn Journal>, OpenError> {
        Ok(Box::new(ObjectJournal::open(&self.0, ledger, mode)?))
    }
}

impl Default for Objects {
    fn default() -> Self {
        let storage =
            ObjectStorage::from_store(Arc::new(InMemory::new()), "books", "memory").unwrap();
        let merging = Merging { entries: 2, keep: 1, inline: true, ..Merging::default() };
        with_another_ledger(Self(storage.merging(merging)))
    }
}

impl Default for Folder {
    fn default() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let storage = format!("file://{}", folder.path().display()).parse().unwrap();
        with_another_ledger(Self(storage, folder))
    }
}

impl Default for Bucket {
    fn default() -> Self {
        let storage = ObjectStorage::with_settings(&bucket::url(), &bucket::SETTINGS).unwrap();
        let merging = Merging { entries: 8, keep: 4, ..Merging::default() };
        with_another_ledger(Self(storage.merging(merging)))
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
        with_another_ledger(Self(server.with_pool(1)))
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
        mod objects {
            $(#[test] fn $fact() { super::$fact::<crate::setup::medium::Objects>(); })*
        }
        mod folder {
            $(#[test] fn $fact() { super::$fact::<crate::setup::medium::Folder>(); })*
        }
        mod bucket {
            $(#[test] fn $fact() { super::$fact::<crate::setup::medium::Bucket>(); })*
        }
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
