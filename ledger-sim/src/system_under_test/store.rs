//! Where a simulated ledger is kept: in memory, in an SQLite file of its own, or in PostgreSQL.
//!
//! The same seed gives the same chain wherever it is kept.

use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use ledger_store::journal::{
    Journal, MemoryDisk, MemoryJournal, OpenMode, PostgresJournal, PostgresServer, SqliteJournal,
};

use crate::failure::wrong::Mismatch;

/// The ledger's name: one name, so that the same seed gives the same chain.
pub(crate) const NAME: &str = "simulated";
/// A key of no worth, given so that nothing is drawn from the system.
pub(crate) const VAULT_KEY: [u8; 32] = [7; 32];

/// What keeps a simulated ledger.
///
/// ```
/// use ledger_sim::Store;
///
/// let store = Store::parse("sqlite").expect("it is a store's name");
/// assert_eq!(store.to_string(), "sqlite");
/// assert!(Store::parse("a file").is_none());
/// ```
#[derive(Clone, Debug, Default)]
pub enum Store {
    /// Memory that outlives its writers.
    #[default]
    Memory,
    /// An SQLite file made for the run, removed at its end.
    Sqlite,
    /// A database of a PostgreSQL server that holds no simulated ledger yet; it stays there.
    Postgres(PostgresServer),
}

/// A medium that outlives its writers, as long as the run.
pub(crate) struct Medium {
    kept: Kept,
    name: String,
}

enum Kept {
    Memory(MemoryDisk),
    Sqlite(TemporaryFile),
    Postgres(PostgresServer),
}

/// A file that is gone when the run is.
struct TemporaryFile(PathBuf);

impl Store {
    /// Reads a store's name: `memory`, `sqlite` or `postgres://...`; none when it is neither.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "memory" | "memory:" => Some(Self::Memory),
            "sqlite" => Some(Self::Sqlite),
            url if url.starts_with("postgres") => url.parse().ok().map(Self::Postgres),
            _ => None,
        }
    }
}

/// As `--store` names it; never with a password.
impl fmt::Display for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory => f.write_str("memory"),
            Self::Sqlite => f.write_str("sqlite"),
            Self::Postgres(server) => server.fmt(f),
        }
    }
}

impl Medium {
    /// An empty medium for a ledger of this name.
    pub(crate) fn new(store: &Store, name: &str) -> Self {
        let kept = match store {
            Store::Memory => Kept::Memory(MemoryDisk::new()),
            Store::Sqlite => Kept::Sqlite(TemporaryFile::new()),
            Store::Postgres(server) => Kept::Postgres(server.clone()),
        };
        Self { kept, name: name.to_owned() }
    }

    /// The ledger's name.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Another hand on the medium, as a process that starts takes it.
    pub(crate) fn open(&self) -> Result<Box<dyn Journal>, Mismatch> {
        let mode = OpenMode::Create { vault_key: Some(VAULT_KEY), algorithm: None };
        let name = &self.name;
        let opened: Result<Box<dyn Journal>, _> = match &self.kept {
            Kept::Memory(disk) => MemoryJournal::open(disk, name, mode).map(|it| Box::new(it) as _),
            Kept::Sqlite(file) => {
                SqliteJournal::open(&file.0, name, mode).map(|it| Box::new(it) as _)
            }
            Kept::Postgres(server) => {
                PostgresJournal::open(server, name, mode).map(|it| Box::new(it) as _)
            }
        };
        opened.map_err(|error| format!("the journal cannot be opened: {}", reported(&error)))
    }
}

/// An error with what caused it.
pub(crate) fn reported(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

impl TemporaryFile {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let (process, count) = (std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let name = format!("ledger-sim-{process}-{count}.db");
        let file = Self(std::env::temp_dir().join(name));
        // What a process of the same number left behind is no part of this run.
        file.remove();
        file
    }

    fn remove(&self) {
        for ending in ["", "-wal", "-shm"] {
            let mut path = self.0.clone().into_os_string();
            path.push(ending);
            // There is nobody left to tell, and a file that is not there is as good as removed.
            let _ = std::fs::remove_file(path);
        }
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        self.remove();
    }
}
