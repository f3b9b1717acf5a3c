//! Where a ledger is kept: by its name, or by options handed in.

#[cfg(feature = "http")]
use ledger_http::{CommitSource, RemoteJournal};
use ledger_store::projection::{MemoryOutboxes, Target};
use ledger_store::{Journal, MemoryDisk, MemoryJournal, OpenMode};
#[cfg(feature = "object")]
use ledger_store::{ObjectJournal, ObjectStorage};
#[cfg(feature = "postgres")]
use ledger_store::{PostgresJournal, PostgresServer};

use super::OpenError;

/// What a store may be called.
const NAMES: &str = "sqlite:PATH, postgres://USER@HOST/DATABASE, s3://BUCKET/PREFIX, \
    gs://BUCKET/PREFIX, az://CONTAINER/PREFIX, file:///FOLDER or memory:";

/// Where a ledger is kept: `sqlite:PATH`, `postgres://USER@HOST/DATABASE`, `s3://...` and
/// its likes `gs://`, `az://` and `file:///`, or `memory:`, as a text; or a `PostgresServer` or an
/// `ObjectStorage` made of options; or, for a replica alone, an `http::CommitSource`.
///
/// ```
/// # #[cfg(feature = "postgres")] {
/// use custody_ledger::{Ledger, PgConnectOptions, PostgresServer};
///
/// let options = PgConnectOptions::new_without_pgpass().host("127.0.0.1").port(1);
/// let server = PostgresServer::try_from(options.database("books"))?;
/// assert!(Ledger::builder(server).open().wait().is_err()); // Nobody listens there.
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Store(StoreSource);

#[derive(Clone)]
enum StoreSource {
    Name(String),
    #[cfg(feature = "postgres")]
    Postgres(PostgresServer),
    #[cfg(feature = "object")]
    Objects(ObjectStorage),
    #[cfg(feature = "http")]
    Stream(CommitSource),
}

/// What a store turned out to be.
#[derive(Clone)]
pub(super) enum Medium {
    #[cfg(feature = "sqlite")]
    Sqlite(std::path::PathBuf),
    #[cfg(feature = "postgres")]
    Postgres(PostgresServer),
    #[cfg(feature = "object")]
    Objects(ObjectStorage),
    #[cfg(feature = "http")]
    Stream(CommitSource),
    Memory(MemoryDisk, MemoryOutboxes),
}

impl Store {
    pub(super) fn medium(self) -> Result<Medium, OpenError> {
        match self.0 {
            StoreSource::Name(name) => Medium::parse(&name),
            #[cfg(feature = "postgres")]
            StoreSource::Postgres(server) => Ok(Medium::Postgres(server)),
            #[cfg(feature = "object")]
            StoreSource::Objects(storage) => Ok(Medium::Objects(storage)),
            #[cfg(feature = "http")]
            StoreSource::Stream(source) => Ok(Medium::Stream(source)),
        }
    }
}

impl From<&str> for Store {
    fn from(name: &str) -> Self {
        Self(StoreSource::Name(name.to_owned()))
    }
}

impl From<&String> for Store {
    fn from(name: &String) -> Self {
        name.as_str().into()
    }
}

impl From<String> for Store {
    fn from(name: String) -> Self {
        Self(StoreSource::Name(name))
    }
}

#[cfg(feature = "postgres")]
impl From<PostgresServer> for Store {
    fn from(server: PostgresServer) -> Self {
        Self(StoreSource::Postgres(server))
    }
}

#[cfg(feature = "object")]
impl From<ObjectStorage> for Store {
    fn from(storage: ObjectStorage) -> Self {
        Self(StoreSource::Objects(storage))
    }
}

/// The service that writes the ledger: it can be followed, and neither opened nor taken over.
#[cfg(feature = "http")]
impl From<CommitSource> for Store {
    fn from(source: CommitSource) -> Self {
        Self(StoreSource::Stream(source))
    }
}

/// A name may hold a password.
impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store").finish_non_exhaustive()
    }
}

impl Medium {
    fn parse(name: &str) -> Result<Self, OpenError> {
        match name.split_once(':') {
            Some(("memory", "")) => Ok(Self::Memory(MemoryDisk::new(), MemoryOutboxes::new())),
            #[cfg(feature = "sqlite")]
            Some(("sqlite", path)) if !path.is_empty() => Ok(Self::Sqlite(path.into())),
            #[cfg(feature = "postgres")]
            Some(("postgres" | "postgresql", _)) => {
                let server = name.parse().map_err(|error| OpenError::Name(format!("{error}")))?;
                Ok(Self::Postgres(server))
            }
            #[cfg(feature = "object")]
            Some(("s3" | "gs" | "az" | "file", _)) => {
                let storage = name.parse().map_err(|error| OpenError::Name(format!("{error}")))?;
                Ok(Self::Objects(storage))
            }
            #[cfg(not(feature = "object"))]
            Some(("s3" | "gs" | "az" | "file", _)) => Err(OpenError::FeatureOff("object")),
            #[cfg(not(feature = "sqlite"))]
            Some(("sqlite", _)) => Err(OpenError::FeatureOff("sqlite")),
            #[cfg(not(feature = "postgres"))]
            Some(("postgres" | "postgresql", _)) => Err(OpenError::FeatureOff("postgres")),
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
            #[cfg(feature = "sqlite")]
            Self::Sqlite(path) => Box::new(ledger_store::SqliteJournal::open(path, name, mode)?),
            #[cfg(feature = "postgres")]
            Self::Postgres(server) => Box::new(PostgresJournal::open(server, name, mode)?),
            #[cfg(feature = "object")]
            Self::Objects(storage) => Box::new(ObjectJournal::open(storage, name, mode)?),
            #[cfg(feature = "http")]
            Self::Stream(source) if mode == OpenMode::ReadOnly => {
                Box::new(RemoteJournal::open(source, name)?)
            }
            #[cfg(feature = "http")]
            Self::Stream(source) => return Err(OpenError::StreamOnly(source.to_string())),
            Self::Memory(disk, _) => Box::new(MemoryJournal::open(disk, name, mode)?),
        })
    }

    /// Where its outbox is.
    ///
    /// # Errors
    ///
    /// [`OpenError::NoTables`] where it can have none.
    #[cfg_attr(not(any(feature = "object", feature = "http")), allow(clippy::unnecessary_wraps))]
    pub(super) fn target(&self) -> Result<Target, OpenError> {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(path) => Ok(Target::Sqlite(path.clone())),
            #[cfg(feature = "postgres")]
            Self::Postgres(server) => Ok(Target::Postgres(server.clone())),
            #[cfg(feature = "object")]
            Self::Objects(storage) => Err(OpenError::NoTables(storage.to_string())),
            #[cfg(feature = "http")]
            Self::Stream(source) => Err(OpenError::StreamOnly(source.to_string())),
            Self::Memory(_, outboxes) => Ok(Target::Memory(outboxes.clone())),
        }
    }
}
