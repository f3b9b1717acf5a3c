//! Keys seen: which record brought each. The key itself stays in that record.
//!
//! A place holds 56 bits of a hash and 40 bits of a number, so that a key costs twelve bytes; where
//! a hash is met again, the record decides. The hash is keyed by the ledger's own secret, so that
//! nobody outside chooses ids that collide, and the same in every process, so that snapshots hold.

use std::fmt::{self, Write};
use std::hash::BuildHasher;
use std::io::{self, Read};

use foldhash::quality::FixedState;
use hashbrown::HashTable;
use ledger_core::id::{AccountId, Kind, Seq};
use ledger_core::ledger::ExternalId;

use crate::snapshot::wire::{Take, put};

/// Which record brought each key.
#[derive(Clone, Debug)]
pub(super) struct Keys {
    hasher: FixedState,
    table: HashTable<Place>,
}

/// The hash's lower 56 bits and the record's number, in three words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place([u32; 3]);

const HASH_BITS: u32 = 56;

/// What a ledger's numbers stay below: a million records a second for twelve days, or a thousand
/// for 34 years.
const SEQ_BITS: u32 = 40;

impl Keys {
    pub(super) fn new(secret: &[u8; 32]) -> Self {
        let derived = blake3::derive_key("custody-ledger archive keys v1", secret);
        let seed = u64::from_le_bytes(std::array::from_fn(|i| derived[i]));
        Self { hasher: FixedState::with_seed(seed), table: HashTable::new() }
    }

    pub(super) fn hash_of_identity(&self, whose: AccountId, kind: Kind, id: &str) -> u64 {
        self.hasher.hash_one((whose, kind, id)) >> (u64::BITS - HASH_BITS)
    }

    pub(super) fn hash_of_outside(&self, outside: &ExternalId) -> u64 {
        self.hasher.hash_one(outside) >> (u64::BITS - HASH_BITS)
    }

    /// The record that brought a key of this hash, where `is_it` says that it did.
    pub(super) fn find(&self, hash: u64, mut is_it: impl FnMut(Seq) -> bool) -> Option<Seq> {
        let same = |place: &Place| place.hash() == hash && is_it(place.seq());
        self.table.find(spread(hash), same).map(|place| place.seq())
    }

    /// Keeps a key that [`Keys::find`] does not find.
    pub(super) fn insert(&mut self, hash: u64, seq: Seq) {
        self.table.insert_unique(spread(hash), Place::new(hash, seq), |place| spread(place.hash()));
    }

    pub(super) fn put(&self, into: &mut impl io::Write) -> io::Result<()> {
        put::number(into, self.table.len() as u64)?;
        self.table.iter().try_for_each(|place| put::words(into, place.0))
    }

    pub(super) fn take(&mut self, from: &mut impl Read) -> io::Result<()> {
        let count = from.take_length()?;
        self.table.reserve(count, |place| spread(place.hash()));
        for _ in 0..count {
            let place = Place(from.take_words()?);
            self.insert(place.hash(), place.seq());
        }
        Ok(())
    }

    /// The records that brought keys, as often as they brought one; a hash says nothing to others.
    pub(super) fn describe(&self, into: &mut impl Write) -> fmt::Result {
        let mut all: Vec<u64> = self.table.iter().map(|place| place.seq().0).collect();
        all.sort_unstable();
        all.iter().try_for_each(|seq| write!(into, "{seq},"))
    }
}

impl Place {
    #[allow(clippy::cast_possible_truncation)] // The words are cut on purpose.
    fn new(hash: u64, Seq(seq): Seq) -> Self {
        assert!(seq >> SEQ_BITS == 0, "a ledger holds fewer than a million million records");
        Self([hash as u32, (hash >> 32) as u32 | ((seq >> 32) as u32) << 24, seq as u32])
    }

    fn hash(self) -> u64 {
        u64::from(self.0[0]) | u64::from(self.0[1] & 0x00FF_FFFF) << 32
    }

    fn seq(self) -> Seq {
        Seq(u64::from(self.0[2]) | u64::from(self.0[1] >> 24) << 32)
    }
}

/// The hash over all 64 bits, as the table wants it.
const fn spread(hash: u64) -> u64 {
    hash.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_gives_back_what_it_was_made_of() {
        let (hash, seq) = ((1 << HASH_BITS) - 1, (1 << SEQ_BITS) - 1);
        for (hash, seq) in [(0, 1), (hash, 1), (0, seq), (hash, seq), (0x00AB_CDEF_0123_4567, 77)] {
            let place = Place::new(hash, Seq(seq));
            assert_eq!((place.hash(), place.seq()), (hash, Seq(seq)));
        }
    }

    #[test]
    fn keys_of_one_hash_are_distinguished_by_their_records() {
        let mut keys = Keys::new(&[7; 32]);
        (1..=50_000).for_each(|seq| keys.insert(seq % 3, Seq(seq)));
        assert_eq!(keys.find(2, |seq| seq == Seq(29_999)), Some(Seq(29_999)));
        assert_eq!(keys.find(1, |seq| seq == Seq(29_999)), None);
        assert_eq!(keys.find(7, |_| true), None);
    }

    #[test]
    fn an_identity_and_a_fact_of_the_same_text_are_two_keys() {
        let keys = Keys::new(&[7; 32]);
        let identity = keys.hash_of_identity(AccountId(0), Kind::Charge, "a");
        assert_ne!(identity, keys.hash_of_identity(AccountId(1), Kind::Charge, "a"));
        assert_ne!(identity, keys.hash_of_identity(AccountId(0), Kind::Payout, "a"));
        assert_ne!(identity, keys.hash_of_outside(&ExternalId::fact("a")));
        assert_ne!(identity, Keys::new(&[8; 32]).hash_of_identity(AccountId(0), Kind::Charge, "a"));
    }
}
