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

use super::{CodecError, decode_current};

/// One version, and how its records are read as what is known today.
#[derive(Clone, Copy, Debug)]
pub struct Version {
    /// The first byte of its records.
    pub number: u8,
    /// Reads what follows that byte: its own form, lifted version by version.
    pub read: fn(&[u8]) -> Result<Record, CodecError>,
}

/// The versions a reader knows.
#[derive(Clone, Copy, Debug)]
pub struct Versions<'a>(pub &'a [Version]);

/// Every version of this store, the one it writes first: it is the one most often read.
pub const KNOWN: Versions<'static> =
    Versions(&[Version { number: super::VERSION, read: decode_current }]);

impl Versions<'_> {
    /// Reads record number `seq` from its bytes.
    ///
    /// # Errors
    ///
    /// [`CodecError`] when the bytes are not exactly one record of a version known here.
    #[inline]
    pub fn decode(self, seq: Seq, bytes: &[u8]) -> Result<Record, CodecError> {
        let (number, body) = bytes.split_first().ok_or(CodecError::Empty)?;
        let version = self.0.iter().find(|version| version.number == *number);
        let version = version.ok_or(CodecError::Version(*number))?;
        let mut record = (version.read)(body)?;
        record.seq = seq;
        Ok(record)
    }
}
