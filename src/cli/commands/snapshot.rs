//! `snapshot`: the ledgers of a store, saved as they stand.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use ledger_core::contract::Environment;
use ledger_store::journal::Identity;
use ledger_store::snapshot::{Began, EARLIER, Snapshots, Unused};
use ledger_store::{OpenError, OpenMode};

use crate::Failure;
use crate::store::{Store, StoreFirst};

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    store: StoreFirst,
    /// The folder of the snapshots; for a file: beside it, where `balance` and `statement` look.
    #[arg(long)]
    folder: Option<PathBuf>,
    /// At most so many earlier snapshots are kept of each ledger, evenly over its records, so that
    /// a moment is replayed from near it; 0 for the newest alone.
    #[arg(long, value_name = "SNAPSHOTS", default_value_t = EARLIER)]
    #[arg(value_parser = clap::value_parser!(u64).range(..=1_024))]
    earlier: u64,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let store = Store::parse(options.store.name())?;
    let snapshots = store.snapshots_in(options.folder.as_deref()).ok_or_else(|| {
        Failure::new(format!("{store}: say with --folder where its snapshots are to stand"))
    })?;
    let snapshots = snapshots.keeping(options.earlier);
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
        let earlier = earlier(&snapshots, name, journal.identity())?;
        writeln!(
            std::io::stdout(),
            "{name}: record {seq} put away, {bytes} bytes, {from}: {path}{earlier}"
        )?;
    }
    Ok(())
}

/// How many earlier snapshots stand beside the newest, and their bytes.
fn earlier(snapshots: &Snapshots, name: &str, identity: Identity) -> Result<String, Failure> {
    let mut bytes = 0;
    let earlier = snapshots.earlier(name, identity);
    for (_, path) in &earlier {
        bytes += fs::metadata(path)?.len();
    }
    Ok(match earlier.len() {
        0 => String::new(),
        many => format!(", beside {many} of earlier records, {bytes} bytes"),
    })
}
