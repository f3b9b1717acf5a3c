//! The state hash: one number for everything a ledger knows, equal on every machine of one version.

use std::fmt::{self, Write};

use ledger_core::ledger::Ledger;

use crate::archive::JournalArchive;
use crate::chain::Link;

struct Hashing(blake3::Hasher);

impl Write for Hashing {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text.as_bytes());
        Ok(())
    }
}

/// Hashes state and archive in an order of their own, never in that of a hash table.
///
/// # Panics
///
/// Never: hashing cannot fail.
#[must_use]
pub fn digest(ledger: &Ledger<JournalArchive>) -> Link {
    let mut hashing = Hashing(blake3::Hasher::new_derive_key("custody-ledger state hash v1"));
    describe(&mut hashing, ledger).expect("hashing cannot fail");
    Link(*hashing.0.finalize().as_bytes())
}

fn describe(into: &mut Hashing, ledger: &Ledger<JournalArchive>) -> fmt::Result {
    write!(into, "{:?}", ledger.state)?;
    ledger.archive.describe(into)
}
