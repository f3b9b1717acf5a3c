//! Stores by name: `ledger.db`, `sqlite:PATH`, `postgres://...`, `s3://...`, `memory:`.

use std::fmt;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{ArgMatches, Args};
use ledger_cells::directory::DIRECTORY;
use ledger_core::contract::Environment;
use ledger_store::projection::Target;
use ledger_store::snapshot::Snapshots;
use ledger_store::{
    Journal, MemoryDisk, MemoryJournal, ObjectJournal, ObjectStorage, OpenError, OpenMode,
    PostgresJournal, PostgresServer, SqliteJournal,
};

use crate::{Failure, say};

/// What a store may be called, for messages.
const NAMES: &str = "use PATH, sqlite:PATH, postgres://USER@HOST/DATABASE, s3://BUCKET/PREFIX, \
    gs://BUCKET/PREFIX, az://CONTAINER/PREFIX, file:///FOLDER or memory:";

/// The store of every command that is told none.
pub const DEFAULT: &str = "ledger.db";

/// The variable that names the store of every command.
pub const VARIABLE: &str = "CUSTODY_LEDGER_STORE";

/// What every command says of its store.
pub const HELP: &str = "Where the ledgers are kept: PATH, sqlite:PATH, postgres://USER@HOST/DATABASE, \
    s3://BUCKET/PREFIX, gs://BUCKET/PREFIX, az://CONTAINER/PREFIX, file:///FOLDER or, for `run` and \
    `serve`, memory: [default: ledger.db]";

/// The store of a command.
#[derive(Args)]
pub struct StoreOption {
    #[arg(long = "store", id = "store", value_name = "STORE", help = HELP)]
    #[arg(env = VARIABLE, hide_env_values = true)]
    store: Option<String>,
}

/// The store of a command that takes its name by place too.
#[derive(Args)]
pub struct StoreFirst {
    #[arg(id = "place", value_name = "STORE", help = "The same as --store")]
    place: Option<String>,
    #[command(flatten)]
    option: StoreOption,
}

impl StoreOption {
    /// The store's name.
    pub fn name(&self) -> &str {
        self.store.as_deref().unwrap_or(DEFAULT)
    }

    /// The store's name, and the one word that a command is about: the store may stand before it.
    pub fn before<'a>(&'a self, words: &'a [String]) -> Result<(&'a str, &'a str), Failure> {
        match words {
            [what] => Ok((self.name(), what)),
            [store, what] => Ok((store, what)),
            _ => Err(Failure::new("say one name, and at most the store's before it")),
        }
    }

    /// The same where the word is an account's name.
    pub fn before_account<'a>(
        &'a self,
        words: &'a [String],
    ) -> Result<(&'a str, &'a str), Failure> {
        let (store, account) = self.before(words)?;
        if words.len() == 1 && names_store(account) {
            let what = "is a store: the name of an account stands after it";
            return Err(Failure::new(format!("{account} {what}")));
        }
        Ok((store, account))
    }
}

impl StoreFirst {
    /// The store's name.
    pub fn name(&self) -> &str {
        self.place.as_deref().unwrap_or_else(|| self.option.name())
    }
}

/// Tells whether a command line names two stores, by place and by `--store`.
pub fn is_said_twice(matches: &ArgMatches) -> bool {
    if let Some((_, command)) = matches.subcommand() {
        return is_said_twice(command);
    }
    let number = |id| matches.try_get_many::<String>(id).ok().flatten().map_or(0, Iterator::count);
    let by_place = number("place") > 0 || number("words") > 1;
    let of_ids = matches.try_contains_id("store").is_ok();
    by_place && of_ids && matches.value_source("store") == Some(ValueSource::CommandLine)
}

/// Where ledgers are kept.
#[derive(Clone)]
pub enum Store {
    /// In an SQLite file.
    Sqlite(PathBuf),
    /// In a database of a PostgreSQL server.
    Postgres(PostgresServer),
    /// As objects of a cloud or in a folder.
    Objects(ObjectStorage),
    /// In memory, gone when the program ends.
    Memory(MemoryDisk),
}

impl Store {
    /// Reads a store's name.
    pub fn parse(name: &str) -> Result<Self, Failure> {
        match name.split_once(':') {
            Some(("memory", "")) => Ok(Self::Memory(MemoryDisk::new())),
            Some(("sqlite", path)) if !path.is_empty() => Self::file(path),
            Some(("postgres" | "postgresql", _)) => {
                let wrong = "this is no URL of a PostgreSQL database";
                name.parse().map(Self::Postgres).map_err(|error| Failure::because(wrong, &error))
            }
            Some(("s3" | "gs" | "az" | "file", _)) => {
                let wrong = "this is no URL of a store of objects";
                name.parse().map(Self::Objects).map_err(|error| Failure::because(wrong, &error))
            }
            Some(("sqlite" | "memory", _)) => {
                Err(Failure::new(format!("{name} is no store: {NAMES}")))
            }
            // Whoever names a scheme means a server; a file of that name would be a surprise. What
            // follows it may hold a password.
            Some((scheme, rest)) if rest.starts_with("//") => {
                Err(Failure::new(format!("{scheme}:// is no kind of store: {NAMES}")))
            }
            _ => Self::file(name),
        }
    }

    fn file(path: &str) -> Result<Self, Failure> {
        if Path::new(path).is_dir() {
            return Err(Failure::new(format!("{path} is a folder: name the store's file in it")));
        }
        Ok(Self::Sqlite(path.into()))
    }

    /// The same as a target of projecting; memory is none, and objects are none.
    pub fn target(&self) -> Option<Target> {
        match self {
            Self::Sqlite(path) => Some(Target::Sqlite(path.clone())),
            Self::Postgres(server) => Some(Target::Postgres(server.clone())),
            Self::Objects(_) | Self::Memory(_) => None,
        }
    }

    /// Where snapshots stand unless it is said: beside the file.
    pub fn snapshots(&self) -> Option<Snapshots> {
        match self {
            Self::Sqlite(path) => Some(Snapshots::in_folder(beside(path, ".snapshots"))),
            Self::Postgres(_) | Self::Objects(_) | Self::Memory(_) => None,
        }
    }

    /// Snapshots in this folder, or where they stand unless it is said.
    pub fn snapshots_in(&self, folder: Option<&Path>) -> Option<Snapshots> {
        folder.map(Snapshots::in_folder).or_else(|| self.snapshots())
    }

    /// Where the trees over records stand unless it is said: beside the file.
    pub fn trees(&self) -> Option<PathBuf> {
        match self {
            Self::Sqlite(path) => Some(beside(path, ".trees")),
            Self::Postgres(_) | Self::Objects(_) | Self::Memory(_) => None,
        }
    }

    /// Says so where others than its owner may read the store's file: it holds personal values and
    /// the key of their tokens.
    pub fn say_who_reads(&self) {
        use std::os::unix::fs::PermissionsExt as _;
        let Self::Sqlite(path) = self else { return };
        if path.metadata().is_ok_and(|file| file.permissions().mode() & 0o077 != 0) {
            say(&format!(
                "custody-ledger: others may read {}, with personal values and the key of their \
                 tokens: chmod 600",
                path.display()
            ));
        }
    }

    /// The target of projecting by the store's name.
    pub fn target_of(name: &str) -> Result<Target, Failure> {
        let store = Self::parse(name)?;
        store.target().ok_or_else(|| {
            Failure::new(format!("{store} keeps no tables: use PATH or postgres://..."))
        })
    }

    /// Opens the journal of an environment's ledger, which must have been made for it.
    pub fn open(
        &self,
        environment: Environment,
        mode: OpenMode,
    ) -> Result<Box<dyn Journal>, OpenError> {
        of_environment(self.open_named(environment.name(), mode)?, environment)
    }

    /// Opens the journal of the ledger of this name, whatever it was made for.
    pub fn open_named(&self, name: &str, mode: OpenMode) -> Result<Box<dyn Journal>, OpenError> {
        if name == DIRECTORY { Err(OpenError::NameReserved) } else { self.journal(name, mode) }
    }

    /// Opens the journal of the directory of cells.
    pub fn open_directory(&self, mode: OpenMode) -> Result<Box<dyn Journal>, OpenError> {
        self.journal(DIRECTORY, mode)
    }

    fn journal(&self, name: &str, mode: OpenMode) -> Result<Box<dyn Journal>, OpenError> {
        Ok(match self {
            Self::Sqlite(path) => Box::new(SqliteJournal::open(path, name, mode)?),
            Self::Postgres(server) => Box::new(PostgresJournal::open(server, name, mode)?),
            Self::Objects(storage) => Box::new(ObjectJournal::open(storage, name, mode)?),
            Self::Memory(disk) => Box::new(MemoryJournal::open(disk, name, mode)?),
        })
    }
}

/// As messages name it; never with a password.
impl fmt::Display for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => path.display().fmt(f),
            Self::Postgres(server) => server.fmt(f),
            Self::Objects(storage) => storage.fmt(f),
            Self::Memory(_) => f.write_str("memory:"),
        }
    }
}

/// Tells whether a text names a store for certain: by a scheme, or as a file of SQLite.
fn names_store(text: &str) -> bool {
    let magic = b"SQLite format 3\0";
    let mut head = [0; 16];
    // Opened only where it is a file: a pipe would wait for somebody to write.
    let is_read = Path::new(text).is_file()
        && File::open(text).is_ok_and(|mut file| file.read_exact(&mut head).is_ok());
    text.contains("://") || text.starts_with("sqlite:") || is_read && head == *magic
}

/// A journal of the ledger that is named as an environment, which must have been made for it.
pub fn of_environment(
    journal: Box<dyn Journal>,
    environment: Environment,
) -> Result<Box<dyn Journal>, OpenError> {
    let name = environment.name();
    match journal.identity().environment(name) {
        recorded if recorded == environment => Ok(journal),
        recorded => Err(OpenError::EnvironmentDiffers {
            name: name.to_owned(),
            recorded,
            given: environment,
        }),
    }
}

/// The path of a file beside `path`, of the same name with this ending.
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Reads a vault key: 64 hexadecimal digits.
pub fn vault_key(text: &str) -> Result<[u8; 32], Failure> {
    let wrong = || Failure::new("--vault-key must be 64 hexadecimal digits");
    if text.len() != 64 || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err(wrong());
    }
    let mut key = [0; 32];
    for (byte, pair) in key.iter_mut().zip(text.as_bytes().chunks(2)) {
        let digits = std::str::from_utf8(pair).map_err(|_| wrong())?;
        *byte = u8::from_str_radix(digits, 16).map_err(|_| wrong())?;
    }
    Ok(key)
}

/// Which ledger, by its name on the command line.
pub fn environment(name: &str) -> Result<Environment, Failure> {
    let known = Environment::ALL.into_iter().find(|environment| environment.name() == name);
    known.ok_or_else(|| Failure::new(format!("{name} is no environment: use live or sandbox")))
}
