//! `reserves statement`: the text that a wallet signs, or a statement signed by a key of Ed25519.

use std::path::PathBuf;

use clap::Args;
use ledger_reserves::{Kind, Statement};

use super::read;
use crate::checkpoints::signer;
use crate::{Failure, whole_file};

#[derive(Args)]
pub struct Options {
    /// The statement, JSON; its signature may be missing.
    file: PathBuf,
    /// The ledger that it is stated for: the first line of its checkpoints.
    #[arg(long, value_name = "ORIGIN")]
    ledger: String,
    /// The signer's secret key, as `checkpoint-key` makes it: signs a statement of an account, and
    /// prints it whole.
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// The file to write; absent: standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let statement = Statement::parse(&read(&options.file)?);
    let statement = statement.map_err(|error| Failure::of_file(&options.file, &error))?;
    let text = match &options.key {
        // A wallet signs the text without its last line feed.
        None => statement.text(&options.ledger).trim_end().to_owned(),
        Some(_) if statement.kind != Kind::File => {
            return Err(Failure::new("a wallet signs by its own key: leave --key out"));
        }
        Some(key) => statement.sign(&options.ledger, &signer(key)?).json(),
    };
    whole_file::text(options.out.as_deref(), &text)
}
