//! Frames: how many records sit in one row, and how damage there is pinned to one of them.
//!
//! ```text
//! payload = frame*      frame = length ‖ check ‖ record
//! length: LEB128, shortest form, at most 5 bytes     check: first 8 bytes of the record's link
//! ```
//!
//! The check says nothing the chain does not say; it says it per record.
//! Whatever byte of a frame is flipped, following the chain through the row stops at that record,
//! and not at the end of the row. A check is repeated by the chain, so it is not itself chained.

use crate::bytes::chain::{Chain, Link};

/// The most records a row may hold: damage stays local and a point read stays cheap.
pub const MAX_ROW_RECORDS: u32 = 1000;

/// Bytes of a record's link kept beside the record.
pub const CHECK_BYTES: usize = 8;

/// Bytes a length may take.
const MAX_LENGTH_BYTES: usize = 5;

/// A stretch of consecutive records, framed: the unit a journal stores and reads.
///
/// ```
/// use ledger_store::{Algorithm, Chain, FrameWriter};
///
/// let mut chain = Chain::genesis(Algorithm::Blake3, "live");
/// let mut writer = FrameWriter::new(chain);
/// writer.push(b"first");
/// writer.push(b"second");
/// let mut row = writer.cut().expect("it holds two records");
/// assert_eq!((row.first, row.last()), (1, 2));
///
/// // A byte that was flipped is found, and the record that it is in.
/// let last = row.payload.len() - 1;
/// row.payload[last] ^= 1;
/// let broken = row.verify(&mut chain, |_, _| ()).expect_err("the second record was changed");
/// assert!(broken.to_string().starts_with("record 2"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Sequence number of the first record.
    pub first: u64,
    /// Number of records: 1 to [`MAX_ROW_RECORDS`].
    pub count: u32,
    /// The framed records.
    pub payload: Vec<u8>,
    /// The chain's link after the last record.
    pub link: Link,
}

/// One record as it was found in a row; not yet verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// The record's sequence number.
    pub seq: u64,
    /// The check stored beside it.
    pub check: [u8; CHECK_BYTES],
    /// The record's bytes.
    pub record: &'a [u8],
}

/// Why a payload does not hold the records its row promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// The payload ends before the record's length and check do.
    #[error("record {seq}: the row ends within its header")]
    Truncated {
        /// The record at fault.
        seq: u64,
    },
    /// The length is not in shortest form, or larger than any record.
    #[error("record {seq}: its length is malformed")]
    LengthMalformed {
        /// The record at fault.
        seq: u64,
    },
    /// The length says more than is left of the payload.
    #[error("record {seq}: its length says {length} bytes where {left} are left")]
    LengthOverrun {
        /// The record at fault.
        seq: u64,
        /// What its length says.
        length: u32,
        /// Bytes left in the payload.
        left: usize,
    },
    /// Bytes follow the last record.
    #[error("record {seq}: {left} bytes follow it, the last of its row")]
    TrailingBytes {
        /// The last record of the row.
        seq: u64,
        /// How many bytes follow it.
        left: usize,
    },
}

/// Where following the chain through a row stopped, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RowBroken {
    /// The row does not continue the chain.
    #[error("record {expected}: the row begins at {found}")]
    OutOfSequence {
        /// The record the chain waits for.
        expected: u64,
        /// The record the row begins with.
        found: u64,
    },
    /// A row holds at least one record and at most a thousand.
    #[error("record {seq}: its row says that it holds {count} records")]
    CountImpossible {
        /// The record the row begins with.
        seq: u64,
        /// What the row says.
        count: u32,
    },
    /// The payload is not well framed.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// The record is not the one that was chained.
    #[error("record {seq}: its bytes do not give the link they were written under")]
    CheckDiffers {
        /// The record at fault.
        seq: u64,
    },
    /// Every record is right, yet the row's own link is not the last record's.
    #[error("record {seq}: it is sound, but the link stored with its row is not its link")]
    LinkDiffers {
        /// The last record of the row.
        seq: u64,
    },
}

/// Frames records into one growing buffer while it follows the chain.
#[derive(Clone, Debug)]
pub struct FrameWriter {
    chain: Chain,
    first: u64,
    count: u32,
    payload: Vec<u8>,
}

/// The records of a payload, in order; stops after the first error.
#[derive(Clone, Debug)]
pub struct Frames<'a> {
    seq: u64,
    left: u32,
    payload: &'a [u8],
    ended: bool,
}

impl FrameWriter {
    /// A writer that goes on where `chain` stands.
    #[must_use]
    pub fn new(chain: Chain) -> Self {
        Self { chain, first: chain.seq() + 1, count: 0, payload: Vec::new() }
    }

    /// Appends the next record and returns its link.
    ///
    /// # Panics
    ///
    /// When the row is full: the caller cuts it first. When the record is 4 GiB or larger.
    #[inline]
    pub fn push(&mut self, record: &[u8]) -> Link {
        assert!(!self.is_full(), "a full row was not cut before record {}", self.chain.seq() + 1);
        let length = u32::try_from(record.len()).expect("a record is smaller than 4 GiB");
        let link = self.chain.push(record);
        push_length(&mut self.payload, length);
        self.payload.extend_from_slice(&link.0[..CHECK_BYTES]);
        self.payload.extend_from_slice(record);
        self.count += 1;
        link
    }

    /// Takes the records since the last cut as a row; `None` when there are none.
    pub fn cut(&mut self) -> Option<Row> {
        if self.count == 0 {
            return None;
        }
        // Rows of one writer tend to be alike, and one that is a little longer shall not be copied.
        let next = Vec::with_capacity(self.payload.len() + self.payload.len() / 16);
        let row = Row {
            first: self.first,
            count: self.count,
            payload: std::mem::replace(&mut self.payload, next),
            link: self.chain.link(),
        };
        self.first = self.chain.seq() + 1;
        self.count = 0;
        Some(row)
    }

    /// Tells whether the row holds [`MAX_ROW_RECORDS`] and must be cut before the next record.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.count == MAX_ROW_RECORDS
    }

    /// Records since the last cut.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Framed bytes since the last cut.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.payload.len()
    }

    /// The chain after the last record pushed.
    #[must_use]
    pub fn chain(&self) -> Chain {
        self.chain
    }
}

impl Row {
    /// Sequence number of the last record.
    #[must_use]
    pub fn last(&self) -> u64 {
        self.first.saturating_add(u64::from(self.count).saturating_sub(1))
    }

    /// The records, in order.
    #[must_use]
    pub fn frames(&self) -> Frames<'_> {
        Frames::new(self.first, self.count, &self.payload)
    }

    /// Follows `chain` through this row, record by record, and hands each sound record with its
    /// link to `each`.
    ///
    /// # Errors
    ///
    /// The first record at fault. `chain` then stands at or just after that record, and `each` has
    /// seen only the records before it.
    pub fn verify<'a>(
        &'a self,
        chain: &mut Chain,
        each: impl FnMut(Frame<'a>, Link),
    ) -> Result<(), RowBroken> {
        let expected = chain.seq() + 1;
        if self.first != expected {
            return Err(RowBroken::OutOfSequence { expected, found: self.first });
        }
        self.verify_rest(chain, each)
    }

    /// The same for a chain that may stand within the row: what it has followed is passed over.
    ///
    /// # Errors
    ///
    /// As of [`Row::verify`].
    pub fn verify_rest<'a>(
        &'a self,
        chain: &mut Chain,
        mut each: impl FnMut(Frame<'a>, Link),
    ) -> Result<(), RowBroken> {
        let expected = chain.seq() + 1;
        if self.first > expected {
            return Err(RowBroken::OutOfSequence { expected, found: self.first });
        }
        if !(1..=MAX_ROW_RECORDS).contains(&self.count) {
            return Err(RowBroken::CountImpossible { seq: expected, count: self.count });
        }
        for frame in self.frames() {
            let frame = frame?;
            if frame.seq < expected {
                continue;
            }
            let link = chain.push(frame.record);
            if link.0[..CHECK_BYTES] != frame.check {
                return Err(RowBroken::CheckDiffers { seq: frame.seq });
            }
            each(frame, link);
        }
        if chain.link() != self.link {
            return Err(RowBroken::LinkDiffers { seq: chain.seq() });
        }
        Ok(())
    }
}

impl<'a> Frames<'a> {
    /// Reads `count` records, the first numbered `first`, from `payload`.
    #[must_use]
    pub fn new(first: u64, count: u32, payload: &'a [u8]) -> Self {
        Self { seq: first, left: count, payload, ended: false }
    }

    fn frame(&mut self) -> Result<Frame<'a>, FrameError> {
        let seq = self.seq;
        let (length, rest) = split_length(self.payload, seq)?;
        let (check, rest) =
            rest.split_first_chunk::<CHECK_BYTES>().ok_or(FrameError::Truncated { seq })?;
        let overrun = FrameError::LengthOverrun { seq, length, left: rest.len() };
        let bytes = usize::try_from(length).map_err(|_| overrun)?;
        let (record, rest) = rest.split_at_checked(bytes).ok_or(overrun)?;
        self.payload = rest;
        // A tampered row may claim a first record near the end of the numbers.
        self.seq = seq.saturating_add(1);
        self.left -= 1;
        Ok(Frame { seq, check: *check, record })
    }
}

impl<'a> Iterator for Frames<'a> {
    type Item = Result<Frame<'a>, FrameError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        if self.left == 0 {
            self.ended = true;
            let left = self.payload.len();
            let seq = self.seq.saturating_sub(1);
            return (left > 0).then_some(Err(FrameError::TrailingBytes { seq, left }));
        }
        let frame = self.frame();
        self.ended = frame.is_err();
        Some(frame)
    }
}

impl std::iter::FusedIterator for Frames<'_> {}

impl RowBroken {
    /// The first record at fault.
    #[must_use]
    pub fn seq(&self) -> u64 {
        match *self {
            Self::OutOfSequence { expected, .. } => expected,
            Self::Frame(error) => error.seq(),
            Self::CountImpossible { seq, .. }
            | Self::CheckDiffers { seq }
            | Self::LinkDiffers { seq } => seq,
        }
    }
}

impl FrameError {
    /// The record at fault.
    #[must_use]
    pub fn seq(&self) -> u64 {
        match *self {
            Self::Truncated { seq }
            | Self::LengthMalformed { seq }
            | Self::LengthOverrun { seq, .. }
            | Self::TrailingBytes { seq, .. } => seq,
        }
    }
}

fn push_length(payload: &mut Vec<u8>, mut length: u32) {
    while length > 0x7f {
        payload.push(length.to_le_bytes()[0] | 0x80);
        length >>= 7;
    }
    payload.push(length.to_le_bytes()[0]);
}

fn split_length(payload: &[u8], seq: u64) -> Result<(u32, &[u8]), FrameError> {
    let mut length = 0_u64;
    for (place, &byte) in payload.iter().take(MAX_LENGTH_BYTES).enumerate() {
        length |= u64::from(byte & 0x7f) << (7 * place);
        if byte & 0x80 == 0 {
            let shortest = place == 0 || byte != 0;
            return match u32::try_from(length) {
                Ok(length) if shortest => Ok((length, &payload[place + 1..])),
                _ => Err(FrameError::LengthMalformed { seq }),
            };
        }
    }
    if payload.len() < MAX_LENGTH_BYTES {
        Err(FrameError::Truncated { seq })
    } else {
        Err(FrameError::LengthMalformed { seq })
    }
}
