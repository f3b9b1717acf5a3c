//! A merged object: entries in a row, their heads in front and their payloads behind.
//!
//! ```text
//! object = "CLM1" ‖ length of the index (4 bytes, big endian) ‖ check ‖ index ‖ payloads
//! ```
//!
//! The index is read by its range, and so is any row; the fold before and after stands in it, so
//! that whoever opens the ledger begins at the last one.

use std::ops::Range;

use minicbor::{Decode, Encode};

use super::entry::{CHECK_BYTES, Entry, RowHead, check, length, to_cbor};
use super::state::State;

const MAGIC: &[u8; 4] = b"CLM1";

/// Bytes before the index.
const PREFIX: usize = 4 + 4 + CHECK_BYTES;

/// Bytes of a merged object that are read to begin with: most indexes are shorter.
pub(in crate::journal::object) const FIRST_READ: u64 = 64 * 1024;

/// What a merged object holds, without the payloads.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub(in crate::journal::object) struct Index {
    /// The fold before its first entry.
    #[n(0)]
    pub(in crate::journal::object) before: State,
    /// The fold after its last.
    #[n(1)]
    pub(in crate::journal::object) after: State,
    /// The entries, in order.
    #[n(2)]
    pub(in crate::journal::object) entries: Vec<Merged>,
}

/// An entry in a merged object.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub(in crate::journal::object) struct Merged {
    #[n(0)]
    pub(in crate::journal::object) entry: Entry,
    /// When it was written, by the store's clock, in microseconds since 1970.
    #[n(1)]
    pub(in crate::journal::object) at: Option<i64>,
    /// Where its payload begins among the payloads.
    #[n(2)]
    pub(in crate::journal::object) payload: u64,
}

/// An index with the place of the payloads in its object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::journal::object) struct Block {
    pub(in crate::journal::object) index: Index,
    payloads: u64,
}

/// How an object's beginning is to be read on.
pub(in crate::journal::object) enum Opened {
    /// The index is whole.
    Whole(Box<Block>),
    /// It goes on to this byte.
    Longer(u64),
}

/// Makes a merged object.
#[derive(Debug)]
pub(in crate::journal::object) struct Builder {
    index: Index,
    payloads: Vec<u8>,
}

impl Builder {
    pub(in crate::journal::object) fn new(before: State) -> Self {
        let after = before.clone();
        Self { index: Index { before, after, entries: Vec::new() }, payloads: Vec::new() }
    }

    /// Adds the next entry, with its payload.
    pub(in crate::journal::object) fn push(
        &mut self,
        entry: Entry,
        at: Option<i64>,
        payload: &[u8],
    ) -> Result<(), String> {
        self.index.after.apply(&entry, at)?;
        let place = self.payloads.len() as u64;
        self.index.entries.push(Merged { entry, at, payload: place });
        self.payloads.extend_from_slice(payload);
        Ok(())
    }

    /// The object, and what it holds.
    pub(in crate::journal::object) fn finish(self) -> (Vec<u8>, Block) {
        let Self { index, payloads } = self;
        let head = to_cbor(&index);
        let mut bytes = Vec::with_capacity(PREFIX + head.len() + payloads.len());
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&length(&head));
        bytes.extend_from_slice(&check(&head));
        bytes.extend_from_slice(&head);
        let place = bytes.len() as u64;
        bytes.extend_from_slice(&payloads);
        (bytes, Block { index, payloads: place })
    }
}

impl Block {
    /// Reads the beginning of an object.
    pub(in crate::journal::object) fn open(bytes: &[u8]) -> Result<Opened, String> {
        let rest = bytes.strip_prefix(MAGIC).ok_or("the object is no merged one")?;
        let (length, rest) = rest.split_first_chunk().ok_or("the object is cut off")?;
        let length = u32::from_be_bytes(*length) as usize;
        let (found, rest) = rest.split_first_chunk::<CHECK_BYTES>().ok_or("it is cut off")?;
        let Some(head) = rest.get(..length) else {
            return Ok(Opened::Longer((PREFIX + length) as u64));
        };
        if *found != check(head) {
            return Err("the object's index is not what was written".to_owned());
        }
        let index: Index = minicbor::decode(head).map_err(|error| error.to_string())?;
        Ok(Opened::Whole(Box::new(Self { index, payloads: (PREFIX + length) as u64 })))
    }

    /// The number of its first entry.
    pub(in crate::journal::object) fn from(&self) -> u64 {
        self.index.before.next
    }

    /// The number of its last entry.
    pub(in crate::journal::object) fn to(&self) -> u64 {
        self.index.after.next - 1
    }

    /// The entry of this number, if it is here.
    pub(in crate::journal::object) fn entry(&self, number: u64) -> Option<&Merged> {
        let place = usize::try_from(number.checked_sub(self.from())?).ok()?;
        self.index.entries.get(place)
    }

    /// The rows that hold record `seq` or a later one, at most `most`, each with its range of bytes
    /// in the object: they stand there in one stretch.
    pub(in crate::journal::object) fn rows(
        &self,
        seq: u64,
        most: usize,
    ) -> Vec<(RowHead, Range<u64>)> {
        let rows = self.index.entries.iter().flat_map(|merged| {
            let mut at = self.payloads + merged.payload;
            merged.entry.rows().iter().map(move |row| {
                let range = at..at + row.bytes;
                at = range.end;
                (*row, range)
            })
        });
        rows.skip_while(|(row, _)| row.last() < seq).take(most).collect()
    }

    /// Tells whether the folds in the index are those of its entries.
    pub(in crate::journal::object) fn assert_folds(&self) -> Result<(), String> {
        let mut state = self.index.before.clone();
        for Merged { entry, at, .. } in &self.index.entries {
            state.apply(entry, *at)?;
        }
        if state == self.index.after { Ok(()) } else { Err("its fold is another".to_owned()) }
    }
}
