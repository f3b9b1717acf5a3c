//! `scrub`: writes a store anew where copies of erased values may stand, and says what is left.

use clap::Args;
use ledger_core::contract::Environment;
use ledger_store::OpenMode;
use ledger_store::journal::Scrub;

use super::erase::scrubbed;
use crate::Failure;
use crate::store::Store;

#[derive(Args)]
pub struct Options {
    /// Where the ledgers are kept: PATH, sqlite:PATH, postgres://... or s3://...
    store: String,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let store = Store::parse(&options.store)?;
    // All ledgers of a store stand in the same tables.
    let any = super::existing(&store, &Environment::ALL, false)?[0];
    let left = scrubbed(&mut *store.open(any, OpenMode::create())?, Scrub::Whole)?;
    if left.is_empty() {
        Ok(())
    } else {
        Err(Failure::new("copies of what was erased may be left"))
    }
}
