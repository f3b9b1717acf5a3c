//! Records to bytes and back: one version byte, then CBOR (RFC 8949) with numbered fields.
//!
//! The numbers stand on the event types in the core and are frozen; `tests/golden/` holds records
//! of every version, which must decode for ever.

mod exact;
mod memory;
mod transfer;
mod versions;

use ledger_core::id::Seq;
use ledger_core::ledger::Record;
use thiserror::Error;

pub use versions::{KNOWN, Version, Versions};

/// The version this store writes.
pub const VERSION: u8 = 1;

/// The first byte of the records of a directory of cells, which are none of a ledger: no version of
/// a ledger's records has it.
pub const DIRECTORY_VERSION: u8 = 129;

/// Why bytes are no record.
#[derive(Debug, Error)]
pub enum CodecError {
    /// Nothing at all.
    #[error("the record is empty")]
    Empty,
    /// A version this store does not know.
    #[error("the record is of version {0}, which this version of the ledger does not know")]
    Version(u8),
    /// A record of a directory of cells.
    #[error("the record is of a directory of cells, which is no ledger")]
    OfADirectory,
    /// A record of a ledger.
    #[error("the record is of a ledger, and not of a directory of cells")]
    OfALedger,
    /// Not the CBOR of a record.
    #[error("the record does not decode")]
    Malformed(#[source] minicbor::decode::Error),
    /// More than a record.
    #[error("{0} bytes follow the record")]
    Trailing(usize),
    /// The record in other bytes than a ledger writes it in.
    #[error(
        "the record is not in the one encoding that a ledger writes: it was written by another"
    )]
    NotAsWritten,
}

/// Appends the encoded record to `into`. Its number is not encoded: its place says it.
///
/// # Panics
///
/// Never: writing to memory cannot fail.
pub fn encode(record: &Record, into: &mut Vec<u8>) {
    into.push(VERSION);
    encode_current(record, into);
}

/// Reads record number `seq` from its bytes.
///
/// # Errors
///
/// [`CodecError`] when the bytes are not exactly one record of a known version.
pub fn decode(seq: Seq, bytes: &[u8]) -> Result<Record, CodecError> {
    KNOWN.decode(seq, bytes)
}

/// Tells whether `bytes`, which are `record`, are those a ledger writes it in: this one, or an
/// earlier one that knew fewer fields. `spare` is memory for encoding it again.
///
/// # Errors
///
/// [`CodecError::NotAsWritten`] where they are not.
pub fn assert_as_written(
    record: &Record,
    bytes: &[u8],
    spare: &mut Vec<u8>,
) -> Result<(), CodecError> {
    spare.clear();
    KNOWN.encode_again(record, bytes, spare)?;
    if exact::is_as_written(bytes.get(1..).unwrap_or_default(), spare) {
        Ok(())
    } else {
        Err(CodecError::NotAsWritten)
    }
}

/// The body of any record, by the numbers on its types.
fn encode_derived(record: &Record, into: &mut Vec<u8>) {
    memory::encode(record, into);
}

/// The body of any record of the version this store writes.
fn decode_derived(body: &[u8]) -> Result<Record, CodecError> {
    exactly(body)
}

/// One value of any form, and nothing after it: what the decoder of an older version begins with.
///
/// # Errors
///
/// [`CodecError`] when the bytes are not the CBOR of that form, or more than that.
pub fn exactly<'b, T: minicbor::Decode<'b, ()>>(body: &'b [u8]) -> Result<T, CodecError> {
    let mut decoder = minicbor::Decoder::new(body);
    let value = decoder.decode().map_err(CodecError::Malformed)?;
    match body.len() - decoder.position() {
        0 => Ok(value),
        rest => Err(CodecError::Trailing(rest)),
    }
}

/// The commonest record by the shorter way, any other by the numbers on its types.
fn encode_current(record: &Record, into: &mut Vec<u8>) {
    if !transfer::encode(record, into) {
        encode_derived(record, into);
    }
}

/// As it is encoded.
fn decode_current(body: &[u8]) -> Result<Record, CodecError> {
    transfer::decode(body).map_or_else(|| decode_derived(body), Ok)
}
