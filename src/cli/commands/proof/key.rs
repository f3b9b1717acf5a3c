//! `checkpoint-key`: makes the key that checkpoints are signed with, or shows its public texts.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use ledger_core::contract::Environment;
use ledger_store::signing::key::Signer;

use crate::Failure;
use crate::checkpoints::{random, signer};
use crate::whole_file::fresh;

#[derive(Args)]
pub struct Options {
    /// The file of the secret key.
    file: PathBuf,
    /// Makes a new key of this name, which begins the origin of every checkpoint: a name that
    /// nobody else has, such as ledger.example.com. Without it, an existing file is shown.
    #[arg(long)]
    name: Option<String>,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let signer = match &options.name {
        Some(name) => create_key(options, name)?,
        None => signer(&options.file)?,
    };
    let mut out = std::io::stdout();
    for environment in Environment::ALL {
        let name = environment.name();
        writeln!(out, "{name}: {}", signer.of_ledger(name, name).verifier())?;
    }
    Ok(())
}

/// A new key, in a file that its owner alone reads and that is never written over.
fn create_key(options: &Options, name: &str) -> Result<Signer, Failure> {
    let signer = Signer::new(name, random()?)?;
    let named = |error: std::io::Error| Failure::of_file(&options.file, &error);
    fresh(&options.file, "--name", |file| {
        writeln!(file, "{}", signer.secret_text()).map_err(named)
    })?;
    Ok(signer)
}
