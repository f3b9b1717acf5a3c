//! `witness status` and `witness verify`: who cosigned a checkpoint, and whether they are enough.

use std::path::PathBuf;

use clap::Args;
use ledger_witness::{Signed, SignedNote};

use super::{CosignedOptions, PolicyOptions};
use crate::Failure;

#[derive(Args)]
pub struct StatusOptions {
    #[command(flatten)]
    of: CosignedOptions,
    /// The checkpoint of so many records, instead of the last one.
    #[arg(long, value_name = "RECORDS")]
    at: Option<u64>,
}

#[derive(Args)]
pub struct VerifyOptions {
    /// The file of the cosigned checkpoint.
    file: PathBuf,
    #[command(flatten)]
    policy: PolicyOptions,
}

pub fn run(options: &StatusOptions) -> Result<(), Failure> {
    let (store, environment) = options.of.ledger()?;
    let policy = options.of.policy.read()?;
    let mut checkpoints = super::checkpoints(&store, None, environment)?;
    let is_wanted = |size: u64| options.at.is_none_or(|at| at == size);
    let wanted = checkpoints.iter_mut().rev().find(|(head, _)| is_wanted(head.size));
    let wanted = wanted.ok_or_else(|| Failure::new("no checkpoint has so many records"))?;
    super::add_cosignatures(super::table_to_read(&store)?.as_mut(), wanted)?;
    options.of.end(&policy, &wanted.1)
}

pub fn verify(options: &VerifyOptions) -> Result<(), Failure> {
    let path = &options.file;
    let text = std::fs::read_to_string(path).map_err(|error| Failure::of_file(path, &error))?;
    let note: SignedNote = text
        .parse()
        .map_err(|error: ledger_witness::NoteMalformed| Failure::of_file(path, &error))?;
    let policy = options.policy.read()?;
    let is_signed = policy.logs().iter().any(|key| {
        let is_own = note.text().lines().next() == Some(key.name());
        is_own && matches!(note.verify(key), Signed::Yes(_))
    });
    if !is_signed {
        return Err(Failure::new(format!("{}: no log of the policy signed it", path.display())));
    }
    options.policy.judge(&policy, &note)
}
