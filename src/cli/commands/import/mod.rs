//! `import`: a file of records into a new store, proved before the first byte is written; and, with
//! `--balances`, opening balances into a ledger that is there.

mod balances;
mod balances_file;

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use clap::Args;
use ledger_core::contract::Environment;
use ledger_store::records::{self, Contents, ImportError, Persons};
use ledger_store::{OpenError, OpenMode};

use crate::Failure;
use crate::store::{self, Store, StoreOption};

#[derive(Args)]
pub struct Options {
    /// The file that `export --format records` wrote.
    #[arg(required_unless_present = "balances")]
    file: Option<PathBuf>,
    #[command(flatten)]
    store: StoreOption,
    /// The vault key of the ledgers, 64 hexadecimal digits, where it is not in the file.
    #[arg(long, value_name = "HEX", conflicts_with = "balances")]
    vault_key: Option<String>,
    #[command(flatten)]
    opening: balances::BalancesOptions,
}

/// Examples of both kinds of files.
pub const HELP: &str = "Examples:\n  custody-ledger import ledger.records --store copy.db\n  \
    custody-ledger import --balances balances.csv --store ledger.db --total 12345600 --dry-run \
    --actor bia --reason migration";

pub fn run(options: &Options) -> Result<(), Failure> {
    if let Some(csv) = &options.opening.balances {
        return balances::run(csv, &options.opening, options.store.name());
    }
    let file = options.file.as_deref().ok_or_else(|| Failure::new("name the file of records"))?;
    import_records(file, options)
}

fn import_records(file: &Path, options: &Options) -> Result<(), Failure> {
    let store = Store::parse(options.store.name())?;
    let key = options.vault_key.as_deref().map(store::vault_key).transpose()?;
    let refused = |error: &ImportError| {
        Failure::because(&format!("{} is not imported", file.display()), error)
    };
    let open = || File::open(file).map(BufReader::new).map_err(ImportError::Read);
    let contents = open().and_then(records::prove).map_err(|error| refused(&error))?;
    let mut environments = Vec::new();
    for ledger in &contents {
        let environment = store::environment(&ledger.name)?;
        let recorded = ledger.environment().map_err(|error| refused(&error))?;
        if recorded != environment {
            let (name, given) = (ledger.name.clone(), environment);
            let differs = OpenError::EnvironmentDiffers { name, recorded, given };
            return Err(refused(&differs.into()));
        }
        environments.push(environment);
    }
    let into = Destination::new(&store, &environments)?;
    let import = |store: &Store| {
        records::import(open()?, key, |name, mode| {
            let environment = Environment::ALL.into_iter().find(|known| known.name() == name);
            let unknown = || OpenError::LedgerUnknown { name: name.to_owned() };
            store.open(environment.ok_or_else(unknown)?, mode)
        })
    };
    match import(&into.store) {
        Ok(_) => into.keep()?,
        Err(error) => {
            into.abandon();
            return Err(refused(&error));
        }
    }
    print(&contents, key.is_some());
    Ok(())
}

fn print(contents: &[Contents], key_given: bool) {
    for ledger in contents {
        let head = ledger.head();
        crate::say(&format!("{}: {} records, head {}", ledger.name, head.seq, head.link));
    }
    let left = contents.iter().any(|ledger| ledger.persons() == Persons::Left);
    if left && !key_given {
        crate::say(
            "the vault's key was left behind: this store can be audited and read, and knows \
             neither the API keys nor the persons of the one it comes from",
        );
    }
}

/// Where a store is made: a file under another name until it is whole.
struct Destination {
    store: Store,
    unfinished: Option<(PathBuf, PathBuf)>,
}

impl Destination {
    /// A place that holds none of these ledgers yet.
    fn new(store: &Store, environments: &[Environment]) -> Result<Self, Failure> {
        match store {
            Store::Memory(_) => Err(Failure::new("memory: keeps nothing: import into a store")),
            Store::Sqlite(path) if path.exists() => {
                let path = path.display();
                Err(Failure::new(format!("{path} exists: records are imported into a new store")))
            }
            Store::Sqlite(path) => {
                let unfinished = store::beside(path, ".importing");
                // What an import that was killed has left.
                remove(&unfinished);
                let store = Store::Sqlite(unfinished.clone());
                Ok(Self { store, unfinished: Some((unfinished, path.clone())) })
            }
            Store::Postgres(_) | Store::Objects(_) => {
                for environment in environments {
                    match store.open(*environment, OpenMode::ReadOnly) {
                        Ok(_) => {
                            let name = environment.name();
                            return Err(Failure::new(format!(
                                "the store holds ledger {name} already: records are imported into \
                                 a new one"
                            )));
                        }
                        // No ledger or no tables yet; what else may be wrong, opening it for
                        // writing says.
                        Err(OpenError::LedgerUnknown { .. } | OpenError::Schema { .. }) => {}
                        Err(error) => return Err(error.into()),
                    }
                }
                Ok(Self { store: store.clone(), unfinished: None })
            }
        }
    }

    /// Gives the store its name.
    fn keep(self) -> Result<(), Failure> {
        if let Some((unfinished, path)) = self.unfinished {
            std::fs::rename(&unfinished, &path)?;
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            File::open(folder.unwrap_or(Path::new(".")))?.sync_all()?;
        }
        Ok(())
    }

    fn abandon(self) {
        if let Some((unfinished, _)) = self.unfinished {
            remove(&unfinished);
        }
    }
}

/// Removes an unfinished store, as far as it is there.
fn remove(path: &Path) {
    for ending in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(store::beside(path, ending));
    }
}
