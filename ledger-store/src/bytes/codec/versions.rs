//! Every version a record was ever written in, and how each is read today.
//!
//! A journal is never rewritten, so an older version is lifted when it is read:
//!
//! ```text
//! bytes of version n  --its own decoder-->  form n  --lift-->  form n+1  --lift--> ... -->  Record
//! ```
//!
//! A change that the frozen numbers admit (a field or an event more) is no new version. For any
//! other: keep the old type here as the form of its version, write the `From` that lifts it to the
//! form of the next, add a line to [`KNOWN`], and keep golden files of both.

use ledger_core::id::Seq;
use ledger_core::ledger::Record;

use super::{CodecError, DIRECTORY_VERSION, decode_current, encode_current};

/// One version, and how its records are read as what is known today.
#[derive(Clone, Copy, Debug)]
pub struct Version {
    /// The first byte of its records.
    pub number: u8,
    /// Reads what follows that byte: its own form, lifted version by version.
    pub read: fn(&[u8]) -> Result<Record, CodecError>,
    /// Writes what followed that byte once more: the record, or its own form read from the bytes.
    pub again: Again,
}

/// Appends the body of a record, read from these bytes, as its version writes it.
pub type Again = fn(&Record, &[u8], &mut Vec<u8>) -> Result<(), CodecError>;

/// The versions a reader knows.
#[derive(Clone, Copy, Debug)]
pub struct Versions<'a>(pub &'a [Version]);

/// Every version of this store, the one it writes first: it is the one most often read.
pub const KNOWN: Versions<'static> = Versions(&[Version {
    number: super::VERSION,
    read: decode_current,
    again: |record, _, into| {
        encode_current(record, into);
        Ok(())
    },
}]);

impl<'a> Versions<'a> {
    /// Reads record number `seq` from its bytes.
    ///
    /// # Errors
    ///
    /// [`CodecError`] when the bytes are not exactly one record of a version known here.
    #[inline]
    pub fn decode(self, seq: Seq, bytes: &[u8]) -> Result<Record, CodecError> {
        let (version, body) = self.split_version(bytes)?;
        let mut record = (version.read)(body)?;
        record.seq = seq;
        Ok(record)
    }

    /// Appends the body that a ledger of the record's version writes for it.
    ///
    /// # Errors
    ///
    /// [`CodecError`] when the bytes are not of a version known here.
    pub fn encode_again(
        self,
        record: &Record,
        bytes: &[u8],
        into: &mut Vec<u8>,
    ) -> Result<(), CodecError> {
        let (version, body) = self.split_version(bytes)?;
        (version.again)(record, body, into)
    }

    #[inline]
    fn split_version(self, bytes: &[u8]) -> Result<(&'a Version, &[u8]), CodecError> {
        let (number, body) = bytes.split_first().ok_or(CodecError::Empty)?;
        let version = self.0.iter().find(|version| version.number == *number);
        let unknown = || match *number {
            DIRECTORY_VERSION => CodecError::OfADirectory,
            number => CodecError::Version(number),
        };
        Ok((version.ok_or_else(unknown)?, body))
    }
}
