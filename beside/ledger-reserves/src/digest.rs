//! Bytes that are hashed alike everywhere: SHA-256 of parts, and texts with their lengths.

use ledger_proofs::Hash;
use sha2::{Digest as _, Sha256};

/// SHA-256 of the parts one after another.
pub(crate) fn sha256(parts: &[&[u8]]) -> Hash {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part);
    }
    Hash(hasher.finalize().into())
}

/// The number of texts, and each with its length: 4 bytes, big endian.
pub(crate) fn texts<'a>(all: impl ExactSizeIterator<Item = &'a str>) -> Vec<u8> {
    let length = |count: usize| u32::try_from(count).expect("a text is shorter than 4 GiB");
    let mut bytes = length(all.len()).to_be_bytes().to_vec();
    for text in all {
        bytes.extend(length(text.len()).to_be_bytes());
        bytes.extend(text.as_bytes());
    }
    bytes
}
