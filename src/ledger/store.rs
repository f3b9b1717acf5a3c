//! Where a ledger is kept, by its name.

use std::path::PathBuf;

use ledger_store::projection::Target;
use ledger_store::{
    Journal, MemoryDisk, MemoryJournal, OpenMode, PostgresJournal, PostgresServer, SqliteJournal,
};

use super::OpenError;

/// What a store may be called.
const NAMES: &str = "sqlite:PATH, postgres://USER@HOST/DATABASE or memory:";

#[derive(Clone)]
pub(super) enum Store {
    Sqlite(PathBuf),
    Postgres(PostgresServer),
    Memory(MemoryDisk),
}

impl Store {
    pub(super) fn parse(name: &str) -> Result<Self, OpenError> {
        match name.split_once(':') {
            Some(("memory", "")) => Ok(Self::Memory(MemoryDisk::new())),
            Some(("sqlite", path)) if !path.is_empty() => Ok(Self::Sqlite(path.into())),
            Some(("postgres" | "postgresql", _)) => {
                let server = name.parse().map_err(|error| OpenError::Name(format!("{error}")))?;
                Ok(Self::Postgres(server))
            }
            // What was given may hold a password.
            _ => Err(OpenError::Name(format!("a store is {NAMES}"))),
        }
    }

    pub(super) fn journal(
        &self,
        name: &str,
        mode: OpenMode,
    ) -> Result<Box<dyn Journal>, OpenError> {
        Ok(match self {
            Self::Sqlite(path) => Box::new(SqliteJournal::open(path, name, mode)?),
            Self::Postgres(server) => Box::new(PostgresJournal::open(server, name, mode)?),
            Self::Memory(disk) => Box::new(MemoryJournal::open(disk, name, mode)?),
        })
    }

    /// Where its tables are; memory keeps none.
    pub(super) fn target(&self) -> Option<Target> {
        match self {
            Self::Sqlite(path) => Some(Target::Sqlite(path.clone())),
            Self::Postgres(server) => Some(Target::Postgres(server.clone())),
            Self::Memory(_) => None,
        }
    }
}
