//! `scrub`: writes a store anew where copies of erased values may stand, and says what is left.

use clap::Args;
use ledger_core::contract::Environment;
use ledger_store::journal::Scrub;
use ledger_store::{OpenError, OpenMode};

use super::erase::scrubbed;
use crate::Failure;
use crate::store::Store;

#[derive(Args)]
pub struct Options {
    /// Where the ledgers are kept: PATH, sqlite:PATH or postgres://...
    store: String,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let store = Store::parse(&options.store)?;
    for environment in Environment::ALL {
        // Opened for reading first, since opening for writing makes what is missing.
        match store.open(environment, OpenMode::ReadOnly) {
            Ok(_) => {}
            Err(OpenError::LedgerUnknown { .. }) => continue,
            Err(error) => return Err(error.into()),
        }
        let mut journal = store.open(environment, OpenMode::create())?;
        let left = scrubbed(&mut *journal, Scrub::Whole)?;
        return match left.len() {
            0 => Ok(()),
            _ => Err(Failure::new("copies of what was erased may be left")),
        };
    }
    Err(Failure::new(format!("{store} holds no ledger")))
}
