//! A page of commits: rows as the journal stores them, and where the journal ends.
//!
//! ```text
//! page = "custody-ledger commits 1" LF ‖ ledger (32 bytes) ‖ head: number (8) ‖ link (32) ‖ row*
//! row  = first (8) ‖ count (4) ‖ link (32) ‖ length (4) ‖ payload
//! ```
//!
//! Numbers are little endian. What names the ledger is a hash of its name, its hash function and
//! its vault key, so that a page of another ledger is known before a row of it is followed. Nothing
//! else is hashed here: the chain proves every row.

use ledger_store::journal::Identity;
use ledger_store::{Head, Link, Row};
use thiserror::Error;

/// How every page begins, its version included.
const MAGIC: &[u8] = b"custody-ledger commits 1\n";

/// Bytes of a row before its payload.
const ROW_BYTES: usize = 8 + 4 + 32 + 4;

/// The rows after some record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Page {
    /// Which ledger they are of.
    pub(super) ledger: LedgerPrint,
    /// Where the journal ended when it was read.
    pub(super) head: Head,
    pub(super) rows: Vec<Row>,
}

/// Tells ledgers apart, and nothing about their vault keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LedgerPrint([u8; 32]);

/// Why bytes are no page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(super) enum PageMalformed {
    #[error("it does not begin as a page of commits of this version does")]
    Magic,
    #[error("it ends within its head")]
    Head,
    #[error("it ends within the row that begins at record {first}")]
    Row { first: u64 },
    #[error("it ends within the head of a row")]
    RowHead,
}

impl LedgerPrint {
    pub(super) fn new(name: &str, identity: &Identity) -> Self {
        let mut hasher = blake3::Hasher::new_derive_key("custody-ledger commits ledger v1");
        hasher.update(&identity.vault_key);
        hasher.update(&[identity.algorithm.tag()]);
        hasher.update(name.as_bytes());
        Self(hasher.finalize().into())
    }
}

impl Page {
    pub(super) fn encode(&self) -> Vec<u8> {
        let payloads: usize = self.rows.iter().map(|row| ROW_BYTES + row.payload.len()).sum();
        let mut bytes = Vec::with_capacity(MAGIC.len() + 72 + payloads);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&self.ledger.0);
        bytes.extend_from_slice(&self.head.seq.to_le_bytes());
        bytes.extend_from_slice(&self.head.link.0);
        for row in &self.rows {
            let length = u32::try_from(row.payload.len()).expect("a row is smaller than 4 GiB");
            bytes.extend_from_slice(&row.first.to_le_bytes());
            bytes.extend_from_slice(&row.count.to_le_bytes());
            bytes.extend_from_slice(&row.link.0);
            bytes.extend_from_slice(&length.to_le_bytes());
            bytes.extend_from_slice(&row.payload);
        }
        bytes
    }

    /// Reads a page; whether its rows are what the ledger wrote, the chain says.
    pub(super) fn decode(bytes: &[u8]) -> Result<Self, PageMalformed> {
        let mut left = bytes.strip_prefix(MAGIC).ok_or(PageMalformed::Magic)?;
        let ledger = LedgerPrint(take_bytes(&mut left).ok_or(PageMalformed::Head)?);
        let seq = take_bytes(&mut left).map(u64::from_le_bytes).ok_or(PageMalformed::Head)?;
        let link = take_bytes(&mut left).map(Link).ok_or(PageMalformed::Head)?;
        let mut rows = Vec::new();
        while !left.is_empty() {
            rows.push(row(&mut left)?);
        }
        Ok(Self { ledger, head: Head { seq, link }, rows })
    }
}

fn row(left: &mut &[u8]) -> Result<Row, PageMalformed> {
    let first = take_bytes(left).map(u64::from_le_bytes).ok_or(PageMalformed::RowHead)?;
    let within = PageMalformed::Row { first };
    let count = take_bytes(left).map(u32::from_le_bytes).ok_or(within)?;
    let link = take_bytes(left).map(Link).ok_or(within)?;
    let length = take_bytes(left).map(u32::from_le_bytes).ok_or(within)?;
    let length = usize::try_from(length).map_err(|_| within)?;
    let (payload, rest) = left.split_at_checked(length).ok_or(within)?;
    *left = rest;
    Ok(Row { first, count, payload: payload.to_vec(), link })
}

/// The next bytes, if so many are left.
fn take_bytes<const N: usize>(left: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, rest) = left.split_first_chunk()?;
    *left = rest;
    Some(*taken)
}

#[cfg(test)]
mod tests {
    use ledger_core::id::Designation;
    use ledger_store::{Algorithm, Chain, FrameWriter};

    use super::*;

    fn page() -> Page {
        let vault_key = [7; 32];
        let (algorithm, designation) = (Algorithm::Blake3, Designation::ByName);
        let identity = Identity { algorithm, vault_key, designation };
        let mut writer = FrameWriter::new(Chain::genesis(algorithm, "live"));
        let mut rows = Vec::new();
        for record in [&b"first"[..], b"second", b"third"] {
            writer.push(record);
            rows.extend(writer.cut());
        }
        let ledger = LedgerPrint::new("live", &identity);
        Page { ledger, head: Head::from_chain(&writer.chain()), rows }
    }

    #[test]
    fn a_page_reads_back_as_what_was_written() {
        let page = page();
        assert_eq!(Page::decode(&page.encode()), Ok(page.clone()));
        let empty = Page { rows: Vec::new(), ..page };
        assert_eq!(Page::decode(&empty.encode()), Ok(empty));
    }

    #[test]
    fn a_page_that_is_cut_off_is_no_page_unless_it_ends_after_a_row() {
        let page = page();
        let bytes = page.encode();
        let whole: Vec<usize> = (0..=page.rows.len())
            .map(|rows| Page { rows: page.rows[..rows].to_vec(), ..page.clone() }.encode().len())
            .collect();
        for length in 0..bytes.len() {
            let read = Page::decode(&bytes[..length]);
            assert_eq!(read.is_ok(), whole.contains(&length), "{length}: {read:?}");
        }
    }

    #[test]
    fn ledgers_are_told_apart_by_name_hash_and_key() {
        let one = |name, algorithm, key| {
            let designation = Designation::ByName;
            LedgerPrint::new(name, &Identity { algorithm, vault_key: [key; 32], designation })
        };
        let first = one("live", Algorithm::Blake3, 1);
        assert_eq!(first, one("live", Algorithm::Blake3, 1));
        for other in [
            one("sandbox", Algorithm::Blake3, 1),
            one("live", Algorithm::Sha256, 1),
            one("live", Algorithm::Blake3, 2),
        ] {
            assert_ne!(first, other);
        }
    }
}
