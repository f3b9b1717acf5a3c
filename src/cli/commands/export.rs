//! `export`: a store's ledgers as a file, proved on the way: as records for `import`, or as entries
//! for other people's tools.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, IsTerminal, Write};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use ledger_core::contract::Environment;
use ledger_store::export as entries;
use ledger_store::records::{self, Contents, Persons};
use ledger_store::{Journal, OpenError, OpenMode};

use crate::Failure;
use crate::store::{self, Store};

#[derive(Args)]
pub struct Options {
    /// Where the ledgers are kept: PATH, sqlite:PATH or postgres://...
    store: String,
    /// What is written.
    #[arg(long)]
    format: Format,
    /// The file to write; absent: standard output.
    #[arg(long)]
    output: Option<PathBuf>,
    /// Only this ledger: live or sandbox. Entries are of one ledger: live, where none is named.
    #[arg(long)]
    environment: Option<String>,
    /// Only the ledger of this name: one that a library or a simulation keeps in the store.
    #[arg(long, value_name = "NAME", conflicts_with = "environment")]
    ledger: Option<String>,
    /// Personal data and the key of their tokens go along: the file is then as secret as they are.
    #[arg(long)]
    with_vault: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// The journal's own records, for `import`.
    Records,
    /// Every entry as a journal of hledger, with our balances as assertions.
    Hledger,
    /// Every entry as a journal of beancount, with our balances as directives.
    Beancount,
    /// Every leg as a row.
    Csv,
    /// Every event with its legs as a JSON object a line.
    Jsonl,
}

impl Format {
    /// What entries are written as; none for records.
    const fn of_entries(self) -> Option<entries::Format> {
        match self {
            Self::Records => None,
            Self::Hledger => Some(entries::Format::Hledger),
            Self::Beancount => Some(entries::Format::Beancount),
            Self::Csv => Some(entries::Format::Csv),
            Self::Jsonl => Some(entries::Format::JsonLines),
        }
    }
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let store = Store::parse(&options.store)?;
    let only = options.environment.as_deref().map(store::environment).transpose()?;
    if let Some(format) = options.format.of_entries() {
        return entries(options, &store, only.unwrap_or(Environment::Live), format);
    }
    let mut ledgers: Vec<(&str, Box<dyn Journal>)> = Vec::new();
    if let Some(name) = &options.ledger {
        ledgers.push((name, store.open_named(name, OpenMode::ReadOnly)?));
    }
    for environment in Environment::ALL.into_iter().filter(|_| options.ledger.is_none()) {
        if only.is_some_and(|only| only != environment) {
            continue;
        }
        match store.open(environment, OpenMode::ReadOnly) {
            Ok(journal) => ledgers.push((environment.name(), journal)),
            Err(OpenError::LedgerUnknown { .. }) if only.is_none() => {}
            Err(error) => return Err(error.into()),
        }
    }
    if ledgers.is_empty() {
        return Err(Failure::new(format!("{} holds no ledger", options.store)));
    }
    let persons = if options.with_vault { Persons::Included } else { Persons::Left };
    let written = match &options.output {
        Some(path) => to_file(path, &mut ledgers, persons)?,
        None if std::io::stdout().is_terminal() => {
            return Err(Failure::new("records are bytes: name a file with --output, or redirect"));
        }
        None => records::export(&mut ledgers, persons, BufWriter::new(std::io::stdout().lock()))?,
    };
    for ledger in written {
        let head = ledger.head();
        crate::say(&format!("{}: {} records, head {}", ledger.name, head.seq, head.link));
    }
    Ok(())
}

/// The entries of one ledger, for other people's tools.
fn entries(
    options: &Options,
    store: &Store,
    environment: Environment,
    format: entries::Format,
) -> Result<(), Failure> {
    if options.with_vault {
        return Err(Failure::new("--with-vault is for records: entries name nobody"));
    }
    let name = options.ledger.as_deref().unwrap_or(environment.name());
    let mut journal = match &options.ledger {
        Some(name) => store.open_named(name, OpenMode::ReadOnly)?,
        None => store.open(environment, OpenMode::ReadOnly)?,
    };
    match &options.output {
        Some(path) => whole(path, |file| Ok(entries::export(&mut *journal, name, format, file)?)),
        None => {
            let mut out = BufWriter::new(std::io::stdout().lock());
            Ok(entries::export(&mut *journal, name, format, &mut out)?)
        }
    }
}

/// Writes a file that only its owner can read; what is there already stays until it is whole.
fn to_file(
    path: &Path,
    ledgers: &mut [(&str, Box<dyn Journal>)],
    persons: Persons,
) -> Result<Vec<Contents>, Failure> {
    whole(path, |file| Ok(records::export(ledgers, persons, file)?))
}

fn whole<T>(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let path = &replaceable(path)?;
    let unfinished = store::beside(path, ".exporting");
    // What an export that was killed has left is of nobody's use; what else it may be is not ours.
    if unfinished.symlink_metadata().is_ok_and(|there| there.is_file()) {
        std::fs::remove_file(&unfinished)?;
    }
    let mut open = OpenOptions::new();
    open.write(true).create_new(true).mode(0o600);
    let named = |error: std::io::Error| Failure::of_file(path, &error);
    let file = open.open(&unfinished).map_err(named)?;
    let finish = || -> Result<_, Failure> {
        let mut file = BufWriter::new(file);
        let written = write(&mut file)?;
        file.flush().map_err(named)?;
        file.get_ref().sync_all().map_err(named)?;
        std::fs::rename(&unfinished, path).map_err(named)?;
        Ok(written)
    };
    finish().inspect_err(|_| {
        // What could not be written is not left half; if it cannot be removed either, it is named
        // for what it is.
        let _ = std::fs::remove_file(&unfinished);
    })
}

/// Where a file is written: nothing is there yet, or a regular file that may be replaced. A link
/// stays a link, and what it leads to is replaced.
fn replaceable(path: &Path) -> Result<PathBuf, Failure> {
    let named = |error: std::io::Error| Failure::of_file(path, &error);
    let refused = |reason: &str| {
        let path = path.display();
        Failure::new(format!("{path} {reason}: name a file, or leave out --output and redirect"))
    };
    match path.metadata() {
        Ok(there) if !there.is_file() => Err(refused("is no regular file")),
        Ok(there) if there.permissions().readonly() => Err(refused("may not be written")),
        Ok(_) => path.canonicalize().map_err(named),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            // A link that leads nowhere is not followed: it would be replaced by the file.
            if path.symlink_metadata().is_ok() {
                return Err(refused("is a link that leads nowhere"));
            }
            Ok(path.to_owned())
        }
        Err(error) => Err(named(error)),
    }
}
