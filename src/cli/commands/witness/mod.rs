//! `witness`: checkpoints cosigned by others, and a witness for them, by `ledger_witness`.

mod ask;
mod serve;
mod status;
mod tiles;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use ledger_core::contract::Environment;
use ledger_core::time::Instant;
use ledger_store::signing::note::Note;
use ledger_witness::{CosignaturesTable, Policy, SignedNote, Tally, TreeHead};

use crate::checkpoints::notes;
use crate::store::{self, Store, StoreFirst};
use crate::{Failure, say, whole_file};

/// The end of the command's help.
pub const HELP: &str = "Examples:\n  \
    custody-ledger witness ask ledger.db --policy witnesses.txt\n  \
    custody-ledger witness status ledger.db --policy witnesses.txt --at-least 2\n  \
    custody-ledger witness verify cosigned.checkpoint --policy witnesses.txt\n  \
    custody-ledger witness tiles ledger.db --to public\n  \
    custody-ledger witness create w1 --name witness.example.com/w1\n  \
    custody-ledger witness serve w1 --policy logs.txt --listen 127.0.0.1:8085";

#[derive(Args)]
pub struct Options {
    #[command(subcommand)]
    part: Part,
}

#[derive(Subcommand)]
enum Part {
    /// Asks the witnesses of a policy to cosign the checkpoints that they have not.
    Ask(ask::Options),
    /// Shows who cosigned the last checkpoint of a ledger; exits with 1 where they are too few.
    Status(status::StatusOptions),
    /// Verifies a cosigned checkpoint by a policy; needs no store.
    Verify(status::VerifyOptions),
    /// Writes the tree over a ledger's records as static files, of hashes alone.
    Tiles(tiles::Options),
    /// Makes a witness: a folder with its key and its memory. Prints the public key.
    Create(serve::CreateOptions),
    /// Serves a witness for the logs of a policy: it cosigns what goes on from what it cosigned.
    Serve(serve::Options),
}

pub fn run(options: &Options) -> Result<(), Failure> {
    match &options.part {
        Part::Ask(options) => ask::run(options),
        Part::Status(options) => status::run(options),
        Part::Verify(options) => status::verify(options),
        Part::Tiles(options) => tiles::run(options),
        Part::Create(options) => serve::create(options),
        Part::Serve(options) => serve::run(options),
    }
}

/// The ledger whose checkpoint is cosigned, and who counts.
#[derive(Args)]
struct CosignedOptions {
    #[command(flatten)]
    store: StoreFirst,
    #[command(flatten)]
    policy: PolicyOptions,
    /// live or sandbox.
    #[arg(long, default_value = "live")]
    environment: String,
    /// Writes the checkpoint with its cosignatures to this file.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl CosignedOptions {
    fn ledger(&self) -> Result<(Store, Environment), Failure> {
        Ok((Store::parse(self.store.name())?, store::environment(&self.environment)?))
    }

    /// Writes a checkpoint where that is asked for, and judges it by the policy.
    fn end(&self, policy: &Policy, note: &SignedNote) -> Result<(), Failure> {
        if let Some(path) = &self.output {
            whole_file::text(Some(path), &note.to_string())?;
        }
        self.policy.judge(policy, note)
    }
}

/// Whose cosignatures count.
#[derive(Args)]
struct PolicyOptions {
    /// The logs, witnesses and quorum, as C2SP tlog-policy writes them.
    #[arg(long, value_name = "FILE")]
    policy: PathBuf,
    /// How many witnesses are enough, instead of the policy's quorum.
    #[arg(long, value_name = "N")]
    at_least: Option<usize>,
}

impl PolicyOptions {
    fn read(&self) -> Result<Policy, Failure> {
        policy(&self.policy)
    }

    /// Prints who cosigned a checkpoint, and fails where they are too few.
    fn judge(&self, policy: &Policy, note: &SignedNote) -> Result<(), Failure> {
        use std::io::Write as _;
        let TreeHead { origin, size, .. } = TreeHead::parse(note.text())?;
        let Tally { cosigned, missing, is_quorum } = policy.tally(note);
        let (count, all) = (cosigned.len(), policy.witnesses().len());
        let mut out = std::io::stdout().lock();
        writeln!(out, "{origin} at {size} records: cosigned by {count} of {all}")?;
        for (name, time) in &cosigned {
            writeln!(out, "  {name}: {}", instant(*time))?;
        }
        for name in &missing {
            writeln!(out, "  {name}: not yet")?;
        }
        match self.at_least {
            Some(least) if count < least => {
                Err(Failure::new(format!("{count} witnesses cosigned, and {least} are asked for")))
            }
            None if !is_quorum => {
                Err(Failure::new("the witnesses that cosigned are not the policy's quorum"))
            }
            _ => Ok(()),
        }
    }
}

/// Reads a policy.
fn policy(path: &Path) -> Result<Policy, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::of_file(path, &error))?;
    text.parse().map_err(|error: ledger_witness::PolicyMalformed| Failure::of_file(path, &error))
}

/// The instant of a cosignature, which its witness says.
fn instant(seconds: u64) -> String {
    let micros = i64::try_from(seconds).ok().and_then(|seconds| seconds.checked_mul(1_000_000));
    let instant = micros.and_then(Instant::from_micros);
    instant.map_or_else(|| format!("second {seconds}"), |instant| instant.to_string())
}

/// The checkpoints of a ledger in order, at least one: those of a file, or of the store.
fn checkpoints(
    store: &Store,
    file: Option<&Path>,
    environment: Environment,
) -> Result<Vec<(TreeHead, SignedNote)>, Failure> {
    let read = |note: Note| -> Result<_, Failure> {
        let note: SignedNote = note.to_string().parse()?;
        Ok((TreeHead::parse(note.text())?, note))
    };
    notes(file, store, environment.name(), None)?.into_iter().map(read).collect()
}

/// Adds the cosignatures that a store has of a checkpoint.
fn add_cosignatures(
    table: Option<&mut CosignaturesTable>,
    (head, note): &mut (TreeHead, SignedNote),
) -> Result<(), Failure> {
    if let Some(table) = table {
        table.lines(&head.origin, head.size)?.into_iter().for_each(|line| note.add(line));
    }
    Ok(())
}

/// The table of cosignatures of a store, to read it; none where there is none.
fn table_to_read(store: &Store) -> Result<Option<CosignaturesTable>, Failure> {
    let Some(target) = store.target() else { return Ok(None) };
    Ok(CosignaturesTable::open_to_read(&target)?)
}

/// Says what went wrong with one of several, and goes on.
fn say_failure(of: &str, error: &(dyn std::error::Error + 'static)) {
    say(&Failure::because(of, error).to_string());
}
