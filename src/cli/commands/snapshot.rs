//! `snapshot`: the ledgers of a store, saved as they stand.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use ledger_core::contract::Environment;
use ledger_store::snapshot::{Began, Snapshots, Unused};
use ledger_store::{OpenError, OpenMode};

use crate::Failure;
use crate::store::Store;

#[derive(Args)]
pub struct Options {
    /// Where the ledgers are kept: PATH, sqlite:PATH, postgres://... or s3://...
    store: String,
    /// The folder of the snapshots; for a file: beside it, where `balance` and `statement` look.
    #[arg(long)]
    folder: Option<PathBuf>,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let store = Store::parse(&options.store)?;
    let folder = options.folder.clone().map(Snapshots::in_folder).or_else(|| store.snapshots());
    let snapshots = folder.ok_or_else(|| {
        Failure::new(format!("{store}: say with --folder where its snapshots are to stand"))
    })?;
    for environment in Environment::ALL {
        let name = environment.name();
        let mut journal = match store.open(environment, OpenMode::ReadOnly) {
            // A store made for one ledger has no other.
            Err(OpenError::LedgerUnknown { .. }) => continue,
            journal => journal?,
        };
        let (path, head, began) = snapshots.refresh(&mut *journal, name)?;
        let bytes = fs::metadata(&path)?.len();
        let from = match began {
            Began::After(head) => format!("begun after record {}", head.seq),
            Began::First(Unused::None) => "begun with the first record".to_owned(),
            Began::First(reason) => format!("begun with the first record, since {reason}"),
        };
        let (seq, path) = (head.seq, path.display());
        writeln!(
            std::io::stdout(),
            "{name}: record {seq} put away, {bytes} bytes, {from}: {path}"
        )?;
    }
    Ok(())
}
