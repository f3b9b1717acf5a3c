//! `verify-proof`: checks a proof against a checkpoint and a public key, without any store.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use ledger_proofs::checkpoint::Checkpoint;
use ledger_proofs::document::Proof;
use ledger_store::signing::key::Verifier;

use crate::Failure;

#[derive(Args)]
pub struct Options {
    /// The file of the proof.
    file: PathBuf,
    /// The file of the checkpoint, or of several: the one of the proof's size counts.
    #[arg(long, value_name = "FILE")]
    checkpoint: PathBuf,
    /// The public key of the ledger, NAME+HASH+BASE64, from a place that you trust.
    #[arg(long, value_name = "PUBKEY")]
    key: String,
    /// For a proof of what came since: the checkpoint that you kept, which it must begin with.
    #[arg(long, value_name = "FILE")]
    since: Option<PathBuf>,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let key: Verifier =
        options.key.parse().map_err(|error| verification_failure(Path::new("--key"), &error))?;
    let proof = Proof::parse(&read(&options.file)?)
        .map_err(|error| verification_failure(&options.file, &error))?;
    let checkpoint = Checkpoint::find(&read(&options.checkpoint)?, &key, Some(proof.size()))
        .map_err(|error| verification_failure(&options.checkpoint, &error))?;
    let kept = options.since.as_deref().map(|path| read_checkpoint(path, &key)).transpose()?;
    if kept.is_some() && !matches!(proof, Proof::Since(_)) {
        return Err(Failure::new("--since is for a proof of what came since a checkpoint"));
    }
    let proved = proof
        .check(&checkpoint, &key, kept.as_ref())
        .map_err(|error| verification_failure(&options.file, &error))?;
    let Checkpoint { origin, size, time, .. } = &checkpoint;
    writeln!(std::io::stdout(), "{origin} at {size} records, {time}: {proved}")?;
    Ok(())
}

fn read_checkpoint(path: &Path, key: &Verifier) -> Result<Checkpoint, Failure> {
    Checkpoint::find(&read(path)?, key, None).map_err(|error| verification_failure(path, &error))
}

fn read(path: &Path) -> Result<String, Failure> {
    let bytes = std::fs::read(path).map_err(|error| verification_failure(path, &error))?;
    String::from_utf8(bytes).map_err(|error| verification_failure(path, &error))
}

/// The failure of a file, or of an argument, that does not verify.
pub fn verification_failure(path: &Path, error: &(dyn std::error::Error + 'static)) -> Failure {
    Failure::because(&format!("{}: not verified", path.display()), error)
}
