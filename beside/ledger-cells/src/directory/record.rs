//! Records of a directory to bytes and back: a version byte, then CBOR with numbered fields.

use ledger_core::directory::Event;
use ledger_core::time::Instant;
use minicbor::{Decode, Encode};

use ledger_store::codec::{CodecError, DIRECTORY_VERSION, VERSION, exactly};

/// What a directory recorded, and when. Its number is not encoded: its place says it.
///
/// ```
/// use ledger_core::directory::Event;
/// use ledger_core::time::Instant;
/// use ledger_cells::directory::Record;
///
/// let at = Instant::parse("2026-11-20T12:00:00Z").expect("it is RFC 3339");
/// let event = Event::AccountPlaced { account: "loja".into(), cell: "cell-a".into() };
/// let record = Record { at, event };
/// assert_eq!(Record::decode(&record.encode())?, record);
/// # Ok::<(), ledger_store::codec::CodecError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Record {
    /// When it was recorded; never before the record that it follows.
    #[n(0)]
    pub at: Instant,
    /// The change of the directory that was recorded.
    #[n(1)]
    pub event: Event,
}

impl Record {
    /// The bytes that are chained and framed.
    ///
    /// # Panics
    ///
    /// Never: writing to memory cannot fail.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![DIRECTORY_VERSION];
        minicbor::encode(self, &mut bytes).expect("writing to memory cannot fail");
        bytes
    }

    /// Reads a record from its bytes, which must be those that it is written in.
    ///
    /// # Errors
    ///
    /// [`CodecError`] when the bytes are not exactly one record of a directory.
    pub fn decode(bytes: &[u8]) -> Result<Self, CodecError> {
        let (version, body) = bytes.split_first().ok_or(CodecError::Empty)?;
        match *version {
            DIRECTORY_VERSION => {}
            VERSION => return Err(CodecError::OfALedger),
            version => return Err(CodecError::Version(version)),
        }
        let record: Self = exactly(body)?;
        if record.encode() == bytes { Ok(record) } else { Err(CodecError::NotAsWritten) }
    }
}
