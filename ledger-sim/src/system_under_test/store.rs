//! Where a simulated ledger is kept: in memory, in an SQLite file of its own, in PostgreSQL, or as
//! objects.
//!
//! The same seed gives the same chain wherever it is kept.

#[cfg(feature = "sqlite")]
mod temporary;

use std::fmt;
#[cfg(feature = "sqlite")]
use std::path::PathBuf;

use ledger_core::id::Designation;
use ledger_store::OpenError;
#[cfg(feature = "sqlite")]
use ledger_store::SqliteJournal;
use ledger_store::journal::{Journal, MemoryDisk, MemoryJournal, OpenMode};
#[cfg(feature = "object")]
use ledger_store::{ObjectJournal, ObjectStorage};
#[cfg(feature = "postgres")]
use ledger_store::{PostgresJournal, PostgresServer};

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
/// let store = Store::parse("memory").expect("it is a store's name");
/// assert_eq!(store.to_string(), "memory");
/// assert!(Store::parse("a file").is_none());
/// ```
#[derive(Clone, Debug, Default)]
pub enum Store {
    /// Memory that outlives its writers.
    #[default]
    Memory,
    /// An SQLite file made for the run, removed at its end.
    #[cfg(feature = "sqlite")]
    Sqlite,
    /// An SQLite file that holds no simulated ledger yet; it stays there.
    #[cfg(feature = "sqlite")]
    SqliteFile(PathBuf),
    /// A database of a PostgreSQL server that holds no simulated ledger yet; it stays there.
    #[cfg(feature = "postgres")]
    Postgres(PostgresServer),
    /// A store of objects that holds no simulated ledger yet; it stays there.
    #[cfg(feature = "object")]
    Objects(ObjectStorage),
}

/// A medium that outlives its writers, as long as the run.
pub(crate) struct Medium {
    open: Box<Open>,
    name: String,
}

/// Opens the ledger of this name, as a process that starts does.
type Open = dyn Fn(&str, OpenMode) -> Result<Box<dyn Journal>, OpenError> + Send + Sync;

impl Store {
    /// Reads a store's name: `memory`, `sqlite`, `sqlite:PATH`, `postgres://...`, `s3://...` or its
    /// likes; none when it is none of them, or of a store whose feature is off.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "memory" | "memory:" => Some(Self::Memory),
            #[cfg(feature = "sqlite")]
            "sqlite" => Some(Self::Sqlite),
            #[cfg(feature = "sqlite")]
            file if file.starts_with("sqlite:") => {
                let path = &file["sqlite:".len()..];
                (!path.is_empty()).then(|| Self::SqliteFile(path.into()))
            }
            #[cfg(feature = "postgres")]
            url if url.starts_with("postgres") => url.parse().ok().map(Self::Postgres),
            #[cfg(feature = "object")]
            url => url.parse().ok().map(Self::Objects),
            #[cfg(not(feature = "object"))]
            _ => None,
        }
    }
}

/// As `--store` names it; never with a password.
impl fmt::Display for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory => f.write_str("memory"),
            #[cfg(feature = "sqlite")]
            Self::Sqlite => f.write_str("sqlite"),
            #[cfg(feature = "sqlite")]
            Self::SqliteFile(path) => write!(f, "sqlite:{}", path.display()),
            #[cfg(feature = "postgres")]
            Self::Postgres(server) => server.fmt(f),
            #[cfg(feature = "object")]
            Self::Objects(storage) => storage.fmt(f),
        }
    }
}

impl Medium {
    /// An empty medium for a ledger of this name.
    pub(crate) fn new(store: &Store, name: &str) -> Self {
        let open: Box<Open> = match store {
            Store::Memory => {
                let disk = MemoryDisk::new();
                Box::new(move |name, mode| Ok(Box::new(MemoryJournal::open(&disk, name, mode)?)))
            }
            #[cfg(feature = "sqlite")]
            Store::Sqlite => temporary::sqlite(),
            #[cfg(feature = "sqlite")]
            Store::SqliteFile(path) => {
                let path = path.clone();
                Box::new(move |name, mode| Ok(Box::new(SqliteJournal::open(&path, name, mode)?)))
            }
            #[cfg(feature = "postgres")]
            Store::Postgres(server) => {
                let server = server.clone();
                Box::new(move |name, mode| {
                    Ok(Box::new(PostgresJournal::open(&server, name, mode)?))
                })
            }
            #[cfg(feature = "object")]
            Store::Objects(storage) => {
                let storage = storage.clone();
                Box::new(move |name, mode| Ok(Box::new(ObjectJournal::open(&storage, name, mode)?)))
            }
        };
        Self { open, name: name.to_owned() }
    }

    /// The ledger's name.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Another hand on the medium, as a process that starts takes it.
    pub(crate) fn open(&self) -> Result<Box<dyn Journal>, Mismatch> {
        // Its keys are test keys, whose number a policy bounds, and nothing in it is scripted.
        let designation = Some(Designation::ByName);
        let mode = OpenMode::Create { vault_key: Some(VAULT_KEY), algorithm: None, designation };
        let opened = (self.open)(&self.name, mode);
        opened.map_err(|error| format!("the journal cannot be opened: {}", describe_error(&error)))
    }
}

/// An error with what caused it.
pub(crate) fn describe_error(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
