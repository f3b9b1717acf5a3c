//! `export`: a store's ledgers as a file, proved on the way: as records for `import`, or as entries
//! for other people's tools.

use std::io::{BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use ledger_core::contract::Environment;
use ledger_store::export as entries;
use ledger_store::moment::Moment;
use ledger_store::records::{self, Contents, Persons};
use ledger_store::{Journal, OpenError, OpenMode};

use crate::Failure;
use crate::store::{self, Store, StoreFirst};
use crate::whole_file::whole;

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    store: StoreFirst,
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
    /// Entries up to a moment alone, with the balances then: so many records, or an RFC 3339
    /// instant. Records are always written whole.
    #[arg(long, value_name = "RECORD|DAY|INSTANT")]
    at: Option<Moment>,
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
    /// Returns what entries are written as; none for records.
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
    let store = Store::parse(options.store.name())?;
    let only = options.environment.as_deref().map(store::environment).transpose()?;
    if let Some(format) = options.format.of_entries() {
        return entries(options, &store, only.unwrap_or(Environment::Live), format);
    }
    if options.at.is_some() {
        return Err(Failure::new(
            "--at is for entries: records are exported whole, with their head",
        ));
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
        return Err(Failure::new(format!("{} holds no ledger", options.store.name())));
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
    let until = options.at.map(|at| at.records(&mut *journal)).transpose()?.unwrap_or(u64::MAX);
    let mut write = |into: &mut dyn Write| -> Result<(), Failure> {
        Ok(entries::export_until(&mut *journal, name, format, until, into)?)
    };
    match &options.output {
        Some(path) => whole(path, |file| write(file)),
        None => write(&mut BufWriter::new(std::io::stdout().lock())),
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
