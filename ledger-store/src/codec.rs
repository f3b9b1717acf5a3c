//! Records to bytes and back: one version byte, then CBOR (RFC 8949) with numbered fields.
//!
//! The numbers stand on the event types in the core and are frozen; `tests/golden/` holds records
//! of every version, which must decode for ever.

use ledger_core::id::Seq;
use ledger_core::ledger::Record;
use thiserror::Error;

/// The version this store writes.
pub const VERSION: u8 = 1;

/// Why bytes are no record.
#[derive(Debug, Error)]
pub enum CodecError {
    /// Nothing at all.
    #[error("the record is empty")]
    Empty,
    /// A version this store does not know.
    #[error("the record is of version {0}, which this version of the ledger does not know")]
    Version(u8),
    /// Not the CBOR of a record.
    #[error("the record does not decode")]
    Malformed(#[source] minicbor::decode::Error),
    /// More than a record.
    #[error("{0} bytes follow the record")]
    Trailing(usize),
}

/// Appends the encoded record to `into`. Its number is not encoded: its place says it.
///
/// # Panics
///
/// Never: writing to memory cannot fail.
pub fn encode(record: &Record, into: &mut Vec<u8>) {
    into.push(VERSION);
    minicbor::encode(record, into).expect("writing to memory cannot fail");
}

/// Reads record number `seq` from its bytes.
///
/// # Errors
///
/// [`CodecError`] when the bytes are not exactly one record of a known version.
pub fn decode(seq: Seq, bytes: &[u8]) -> Result<Record, CodecError> {
    let (version, body) = bytes.split_first().ok_or(CodecError::Empty)?;
    if *version != VERSION {
        return Err(CodecError::Version(*version));
    }
    let mut decoder = minicbor::Decoder::new(body);
    let mut record: Record = decoder.decode().map_err(CodecError::Malformed)?;
    let rest = body.len() - decoder.position();
    if rest > 0 {
        return Err(CodecError::Trailing(rest));
    }
    record.seq = seq;
    Ok(record)
}
