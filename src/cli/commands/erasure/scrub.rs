//! `scrub`: writes a store anew where copies of erased values may stand, and says what is left.

use clap::Args;
use ledger_core::contract::Environment;
use ledger_store::OpenMode;
use ledger_store::journal::Scrub;

use super::erase::scrub_files;
use crate::Failure;
use crate::store::{Store, StoreFirst};

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    store: StoreFirst,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let store = Store::parse(options.store.name())?;
    // All ledgers of a store stand in the same tables.
    let any = super::existing(&store, &Environment::ALL, false)?[0];
    let left = scrub_files(&mut *store.open(any, OpenMode::create())?, Scrub::Whole)?;
    if left.is_empty() {
        Ok(())
    } else {
        Err(Failure::new("copies of what was erased may be left"))
    }
}
