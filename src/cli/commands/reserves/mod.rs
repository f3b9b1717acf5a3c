//! `reserves`: what is owed and what is held at one record, by `ledger_reserves`.

mod proof;
mod statement;
pub mod verify;
mod write;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use ledger_core::contract::Environment;
use ledger_reserves::{ReservesFile, VERIFY_PAGE};
use ledger_store::OpenMode;
use ledger_store::moment::Moment;
use ledger_store::sequencer::Sequencer;

use crate::store::Store;
use crate::{Failure, whole_file};

/// The end of the command's help.
pub const HELP: &str = "Examples:\n  \
    custody-ledger reserves --at 63 --statements held --checkpoint-key house.key --out day.reserves\n  \
    custody-ledger reserves proof day.reserves --account loja --customer ana --out ana.proof\n  \
    custody-ledger reserves statement held/float.json --ledger ledger.example.com/live/live";

/// The end of the help of `verify-reserves`.
pub const VERIFY_HELP: &str = "Example:\n  custody-ledger verify-reserves day.reserves \
    --proof ana.proof --key ledger.example.com/live/live+1f2e3d4c+AQ...";

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Options {
    #[command(subcommand)]
    part: Option<Part>,
    #[command(flatten)]
    write: write::FileOptions,
}

#[derive(Subcommand)]
enum Part {
    /// Writes one holder's proof that what it is owed is in the sums of a file.
    Proof(proof::Options),
    /// Prints the text of a statement that a wallet signs, or signs it by a key of Ed25519.
    Statement(statement::Options),
    /// Writes the page by which a holder checks a proof in a browser, without a network.
    Page(Page),
}

#[derive(Args)]
struct Page {
    /// The file to write; absent: standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    match &options.part {
        Some(Part::Proof(options)) => proof::run(options),
        Some(Part::Statement(options)) => statement::run(options),
        Some(Part::Page(page)) => whole_file::text(page.out.as_deref(), VERIFY_PAGE),
        None => write::run(&options.write),
    }
}

/// A ledger as it stood after so many records, and its vault key.
fn ledger_at(
    store: &Store,
    environment: Environment,
    record: u64,
) -> Result<(Sequencer, [u8; 32]), Failure> {
    let mut journal = store.open(environment, OpenMode::ReadOnly)?;
    let (name, snapshots) = (environment.name(), store.snapshots());
    let moment = Moment::Records(record);
    let then = Sequencer::open_at(&mut *journal, name, snapshots.as_ref(), moment, |_, _| ())?;
    Ok((then, journal.identity().vault_key))
}

fn read(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|error| Failure::of_file(path, &error))
}

fn file(path: &Path) -> Result<ReservesFile, Failure> {
    ReservesFile::parse(&read(path)?).map_err(|error| Failure::of_file(path, &error))
}
