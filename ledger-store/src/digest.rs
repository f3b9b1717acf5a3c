//! The state hash: one number for everything a ledger knows, equal on every machine of one version.

use std::fmt::{self, Write};

use ledger_core::ledger::Ledger;

use crate::archive::MemoryArchive;
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
pub fn digest(ledger: &Ledger<MemoryArchive>) -> Link {
    let mut hashing = Hashing(blake3::Hasher::new_derive_key("custody-ledger state hash v1"));
    describe(&mut hashing, ledger).expect("hashing cannot fail");
    Link(*hashing.0.finalize().as_bytes())
}

fn describe(into: &mut Hashing, ledger: &Ledger<MemoryArchive>) -> fmt::Result {
    write!(into, "{:?}", ledger.state)?;
    for identity in ledger.archive.identities() {
        write!(into, "{identity:?}")?;
    }
    for seen in ledger.archive.outside_in_order() {
        write!(into, "{seen:?}")?;
    }
    for ended in ledger.archive.ended_in_order() {
        write!(into, "{ended:?}")?;
    }
    for (custody, buckets) in ledger.state.books.custodies() {
        for number in 1..=buckets.rows {
            write!(
                into,
                "{:?}",
                ledger_core::ledger::Archive::row(&ledger.archive, custody, number)
            )?;
        }
    }
    Ok(())
}
