//! `export`: a store's ledgers as a file, proved on the way.

use std::fs::OpenOptions;
use std::io::{BufWriter, IsTerminal, Write};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use ledger_core::contract::Environment;
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
    /// Only this ledger: live or sandbox.
    #[arg(long)]
    environment: Option<String>,
    /// Personal data and the key of their tokens go along: the file is then as secret as they are.
    #[arg(long)]
    with_vault: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// The journal's own records, for `import`.
    Records,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let store = Store::parse(&options.store)?;
    let only = options.environment.as_deref().map(store::environment).transpose()?;
    let mut ledgers: Vec<(&str, Box<dyn Journal>)> = Vec::new();
    for environment in Environment::ALL {
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
    let Format::Records = options.format;
    let written = match &options.output {
        Some(path) => to_file(path, &mut ledgers, persons)?,
        None if std::io::stdout().is_terminal() => {
            return Err(Failure::new("records are bytes: name a file with --output, or redirect"));
        }
        None => records::export(&mut ledgers, persons, BufWriter::new(std::io::stdout().lock()))?,
    };
    for ledger in written {
        let head = ledger.head();
        eprintln!("{}: {} records, head {}", ledger.name, head.seq, head.link);
    }
    Ok(())
}

/// Writes a file that only its owner can read; what is there already stays until it is whole.
fn to_file(
    path: &Path,
    ledgers: &mut [(&str, Box<dyn Journal>)],
    persons: Persons,
) -> Result<Vec<Contents>, Failure> {
    let unfinished = store::beside(path, ".exporting");
    let mut open = OpenOptions::new();
    open.write(true).create(true).truncate(true).mode(0o600);
    let named = |error: std::io::Error| Failure::because(&path.display().to_string(), &error);
    let file = open.open(&unfinished).map_err(named)?;
    let finish = || -> Result<_, Failure> {
        let mut file = BufWriter::new(file);
        let written = records::export(ledgers, persons, &mut file)?;
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
