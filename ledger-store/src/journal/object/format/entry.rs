//! An entry of the log: one object, whose number and epoch its name says.
//!
//! ```text
//! object = "CLE1" ‖ length of the head (4 bytes, big endian) ‖ head ‖ check ‖ payload
//! head: CBOR, what happened     check: first 16 bytes of the head's BLAKE3
//! payload: the payloads of its rows, one after another, exactly as every other journal keeps them
//! ```
//!
//! The check is of the head alone: the payload is proved by the chain, record by record.

use minicbor::bytes::ByteArray;
use minicbor::{Decode, Encode};

use super::wire::{Hold, Note};
use crate::bytes::chain::{LINK_BYTES, Link};
use crate::journal::{Commit, Row};
use crate::state::vault::row::Token;

const MAGIC: &[u8; 4] = b"CLE1";

/// Bytes of a check.
pub(in crate::journal::object) const CHECK_BYTES: usize = 16;

/// Bytes before the head.
const PREFIX: usize = 8;

/// What an object of the log says, beside its payload.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub(in crate::journal::object) struct Entry {
    /// The epoch of whoever wrote it; of a hold, the one in force.
    #[n(0)]
    pub(in crate::journal::object) epoch: u64,
    /// Random, so that no two writers' objects are the same bytes.
    #[n(1)]
    pub(in crate::journal::object) nonce: ByteArray<16>,
    /// The event that the object records.
    #[n(2)]
    pub(in crate::journal::object) content: Content,
}

/// What an entry is about. Numbers are frozen.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub(in crate::journal::object) enum Content {
    /// A writer has taken over, with a lease of so many microseconds or none.
    #[n(0)]
    TakenOver {
        #[n(0)]
        lease: Option<u64>,
        /// Who it is, as JSON.
        #[n(1)]
        holder: Option<String>,
    },
    /// A commit was appended.
    #[n(1)]
    Committed {
        /// Its rows, in order.
        #[n(0)]
        rows: Vec<RowHead>,
        /// The tokens of the values that were written for it.
        #[n(1)]
        tokens: Vec<ByteArray<16>>,
        /// The number that those values are kept under.
        #[n(2)]
        values_at: u64,
    },
    /// The writer's lease lasts so many microseconds from now.
    #[n(2)]
    LeaseRenewed {
        #[n(0)]
        lease: u64,
    },
    /// The writer has ended its lease.
    #[n(3)]
    LeaseReleased,
    /// The value of a token is to be erased, and is not to be read from here on.
    #[n(4)]
    Erased {
        #[n(0)]
        token: ByteArray<16>,
        /// The epoch in the name of its object.
        #[n(1)]
        epoch: u64,
        /// The number in it.
        #[n(2)]
        values_at: u64,
    },
    /// A legal hold was placed, by whomever.
    #[n(5)]
    HoldPlaced {
        #[n(0)]
        hold: Hold,
    },
    /// A legal hold was released, by whomever.
    #[n(6)]
    HoldReleased {
        #[n(0)]
        id: String,
        #[n(1)]
        note: Note,
    },
}

/// A row without its payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub(in crate::journal::object) struct RowHead {
    #[n(0)]
    pub(in crate::journal::object) first: u64,
    #[n(1)]
    pub(in crate::journal::object) count: u32,
    #[n(2)]
    pub(in crate::journal::object) link: ByteArray<LINK_BYTES>,
    /// Bytes of its payload.
    #[n(3)]
    pub(in crate::journal::object) bytes: u64,
}

impl Entry {
    /// The object: of a commit, with the payloads of its rows.
    pub(in crate::journal::object) fn encode(&self, rows: &[Row]) -> Vec<u8> {
        let head = to_cbor(self);
        let payload = rows.iter().map(|row| row.payload.len()).sum::<usize>();
        let mut bytes = Vec::with_capacity(PREFIX + head.len() + CHECK_BYTES + payload);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&length(&head));
        bytes.extend_from_slice(&head);
        bytes.extend_from_slice(&check(&head));
        for row in rows {
            bytes.extend_from_slice(&row.payload);
        }
        bytes
    }

    /// Returns what an object says, and where its payload begins.
    pub(in crate::journal::object) fn decode(bytes: &[u8]) -> Result<(Self, usize), String> {
        let rest = bytes.strip_prefix(MAGIC).ok_or("the object is no entry of a log")?;
        let (length, rest) = rest.split_first_chunk().ok_or("the object is cut off")?;
        let length = u32::from_be_bytes(*length) as usize;
        let (head, rest) = rest.split_at_checked(length).ok_or("the object is cut off")?;
        let (found, payload) = rest.split_first_chunk().ok_or("the object is cut off")?;
        if *found != check(head) {
            return Err("the object's head is not what was written".to_owned());
        }
        let entry: Self = minicbor::decode(head).map_err(|error| error.to_string())?;
        let expected: u64 = entry.rows().iter().map(|row| row.bytes).sum();
        if payload.len() as u64 != expected {
            let found = payload.len();
            return Err(format!("the object holds {found} bytes of records, not {expected}"));
        }
        Ok((entry, PREFIX + length + CHECK_BYTES))
    }

    /// The rows of a commit; none of anything else.
    pub(in crate::journal::object) fn rows(&self) -> &[RowHead] {
        match &self.content {
            Content::Committed { rows, .. } => rows,
            _ => &[],
        }
    }

    /// Tells whether it may be of somebody who is not the writer of the epoch that it follows on:
    /// such an object stays for ever, since a writer that was held up may still come to its name.
    pub(in crate::journal::object) fn is_foreign(&self) -> bool {
        matches!(
            self.content,
            Content::TakenOver { .. } | Content::HoldPlaced { .. } | Content::HoldReleased { .. }
        )
    }
}

impl Content {
    /// A commit whose values of these tokens are kept under a number.
    pub(in crate::journal::object) fn from_commit(
        commit: &Commit,
        tokens: &[Token],
        values_at: u64,
    ) -> Self {
        let rows = commit.rows.iter().map(|row| RowHead {
            first: row.first,
            count: row.count,
            link: row.link.0.into(),
            bytes: row.payload.len() as u64,
        });
        let tokens = tokens.iter().map(|token| ByteArray::from(*token)).collect();
        Self::Committed { rows: rows.collect(), tokens, values_at }
    }
}

impl RowHead {
    /// The last record of the row.
    pub(in crate::journal::object) fn last(&self) -> u64 {
        self.first + u64::from(self.count) - 1
    }

    /// The row with its payload.
    pub(in crate::journal::object) fn with(&self, payload: &[u8]) -> Row {
        let Self { first, count, link, .. } = *self;
        Row { first, count, link: Link(*link), payload: payload.to_vec() }
    }
}

/// The CBOR of a value: writing into memory cannot fail.
pub(in crate::journal::object) fn to_cbor<T: Encode<()>>(value: &T) -> Vec<u8> {
    minicbor::to_vec(value).expect("memory takes what is written to it")
}

/// A length as objects write it.
pub(in crate::journal::object) fn length(bytes: &[u8]) -> [u8; 4] {
    u32::try_from(bytes.len()).expect("a head is far below four gigabytes").to_be_bytes()
}

/// Tells these bytes from any others.
pub(in crate::journal::object) fn check(bytes: &[u8]) -> [u8; CHECK_BYTES] {
    let hash = blake3::hash(bytes);
    *hash.as_bytes().first_chunk().expect("a hash is longer than a check")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::Head;

    fn entry() -> (Entry, Vec<Row>) {
        let row = |first, count, payload: &[u8]| Row {
            first,
            count,
            payload: payload.to_vec(),
            link: Link([9; LINK_BYTES]),
        };
        let rows = vec![row(4, 2, b"two"), row(6, 1, b"one")];
        let previous = Head { seq: 3, link: Link([8; LINK_BYTES]) };
        let commit = Commit { previous, rows: rows.clone(), vault: Vec::new() };
        let content = Content::from_commit(&commit, &[[5; 16]], 17);
        (Entry { epoch: 2, nonce: [1; 16].into(), content }, rows)
    }

    #[test]
    fn an_entry_is_read_as_it_was_written() {
        let (entry, rows) = entry();
        let bytes = entry.encode(&rows);
        let (read, payload) = Entry::decode(&bytes).unwrap();
        assert_eq!(read, entry);
        assert_eq!(&bytes[payload..], b"twoone");
    }

    #[test]
    fn a_flipped_byte_of_a_head_and_a_cut_object_are_found() {
        let (entry, rows) = entry();
        let bytes = entry.encode(&rows);
        let (_, payload) = Entry::decode(&bytes).unwrap();
        for place in 0..payload {
            let mut flipped = bytes.clone();
            flipped[place] ^= 1;
            assert!(Entry::decode(&flipped).is_err(), "byte {place}");
        }
        for end in 0..bytes.len() {
            assert!(Entry::decode(&bytes[..end]).is_err(), "cut at {end}");
        }
    }
}
