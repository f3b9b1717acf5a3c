//! Writing a file of records.

use std::io::Write;

use super::{Contents, ExportError, Item, MAGIC, Persons, key_check};
use crate::bytes::chain::Chain;
use crate::engines::sequencer::ReplayError;
use crate::journal::environment::tag;
use crate::journal::{Head, Journal};
use crate::state::vault::proved_rows;

/// How many rows are read from a journal at once.
const ROWS_AT_ONCE: usize = 16;

/// Writes these ledgers as they stand, each by its name, and gives what was written.
///
/// Their chains are followed on the way, so that nothing broken leaves a store unseen; a writer may
/// go on meanwhile.
///
/// # Errors
///
/// When a journal cannot be read or is broken, or the file cannot be written.
pub fn export(
    ledgers: &mut [(&str, Box<dyn Journal>)],
    persons: Persons,
    into: impl Write,
) -> Result<Vec<Contents>, ExportError> {
    let mut vaults = Vec::new();
    let mut contents = Vec::new();
    for (name, journal) in &mut *ledgers {
        let failed = |source| ledger_error(name, source);
        let head = journal.head().map_err(ReplayError::from).map_err(failed)?;
        let vault = match persons {
            Persons::Left => Vec::new(),
            // Read after the head: whatever the records before it name is there.
            Persons::Included => {
                proved_rows(&mut **journal).map_err(ReplayError::from).map_err(failed)?
            }
        };
        let identity = journal.identity();
        contents.push(Contents {
            name: (*name).to_owned(),
            algorithm: identity.algorithm.tag(),
            seq: head.seq,
            link: head.link.0,
            key_check: key_check(&identity.vault_key),
            vault_key: Some(identity.vault_key).filter(|_| persons == Persons::Included),
            values: vault.len() as u64,
            environment: tag(identity.designation),
        });
        vaults.push(vault);
    }
    let mut file = Hashed { into, hasher: blake3::Hasher::new() };
    file.bytes(MAGIC)?;
    file.item(&Item::Contents(contents.clone()))?;
    for (((name, journal), contents), vault) in ledgers.iter_mut().zip(&contents).zip(vaults) {
        rows(&mut **journal, contents.head(), &mut file, name)?;
        for value in vault {
            file.item(&value.into())?;
        }
    }
    let check = *file.hasher.finalize().as_bytes();
    file.item(&Item::End { check })?;
    file.into.flush()?;
    Ok(contents)
}

/// Writes the rows up to `head`.
fn rows(
    journal: &mut dyn Journal,
    head: Head,
    file: &mut Hashed<impl Write>,
    name: &str,
) -> Result<(), ExportError> {
    let mut chain = Chain::genesis(journal.identity().algorithm, name);
    while chain.seq() < head.seq {
        let read = journal.read(chain.seq() + 1, ROWS_AT_ONCE);
        let rows = read.map_err(ReplayError::from).map_err(|source| ledger_error(name, source))?;
        if rows.is_empty() {
            break;
        }
        for row in rows.into_iter().take_while(|row| row.first <= head.seq) {
            let verified = row.verify(&mut chain, |_, _| ());
            verified.map_err(ReplayError::from).map_err(|source| ledger_error(name, source))?;
            file.item(&row.into())?;
        }
    }
    if Head::from_chain(&chain) == head {
        return Ok(());
    }
    let expected = chain.seq() + 1;
    let gap = crate::journal::JournalError::Gap { expected, found: head.seq };
    Err(ledger_error(name, gap.into()))
}

fn ledger_error(name: &str, source: ReplayError) -> ExportError {
    ExportError::Ledger { name: name.to_owned(), source }
}

/// What is written, and the hash of it.
struct Hashed<W> {
    into: W,
    hasher: blake3::Hasher,
}

impl<W: Write> Hashed<W> {
    fn bytes(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.hasher.update(bytes);
        self.into.write_all(bytes)
    }

    fn item(&mut self, item: &Item) -> std::io::Result<()> {
        let bytes = minicbor::to_vec(item).expect("writing to memory cannot fail");
        let length = u32::try_from(bytes.len()).expect("an item is smaller than 4 GiB");
        self.bytes(&length.to_le_bytes())?;
        self.bytes(&bytes)
    }
}
