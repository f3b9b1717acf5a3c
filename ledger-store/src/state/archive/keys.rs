//! Keys seen: which record brought each. The key itself stays in that record.
//!
//! A place holds 56 bits of a hash and 40 bits of a number, so that a key costs twelve bytes; where
//! a hash is met again, the record decides. The hash is keyed by the ledger's own secret, so that
//! nobody outside chooses ids that collide, and the same in every process, so that snapshots hold.

use std::hash::BuildHasher;
use std::io::{self, Read, Write};

use foldhash::quality::FixedState;
use ledger_core::id::{AccountId, Kind, Seq};
use ledger_core::ledger::ExternalId;

use super::index_entry::IndexEntry;
use super::key_table::KeyTable;
use crate::state::snapshot::wire::{Take, encode};

/// Which record brought each key.
#[derive(Clone, Debug)]
pub(super) struct Keys {
    hasher: FixedState,
    table: KeyTable,
}

impl Keys {
    pub(super) fn new(secret: &[u8; 32]) -> Self {
        let derived = blake3::derive_key("custody-ledger archive keys v1", secret);
        let seed = u64::from_le_bytes(std::array::from_fn(|i| derived[i]));
        Self { hasher: FixedState::with_seed(seed), table: KeyTable::default() }
    }

    /// The same hashes, and no key.
    pub(super) fn without_keys(&self) -> Self {
        Self { hasher: self.hasher.clone(), table: KeyTable::default() }
    }

    pub(super) fn hash_of_identity(&self, whose: AccountId, kind: Kind, id: &str) -> u64 {
        IndexEntry::hash_of(self.hasher.hash_one((whose, kind, id)))
    }

    pub(super) fn hash_of_outside(&self, outside: &ExternalId) -> u64 {
        IndexEntry::hash_of(self.hasher.hash_one(outside))
    }

    /// The record that brought a key of this hash, where `is_it` says that it did.
    pub(super) fn find(&self, hash: u64, mut is_it: impl FnMut(Seq) -> bool) -> Option<Seq> {
        let seq = |place: IndexEntry| Seq(place.number());
        self.table.find(hash, |place| is_it(seq(place))).map(seq)
    }

    /// All records that brought a key of this hash.
    pub(super) fn records(&self, hash: u64) -> Vec<Seq> {
        let mut records = Vec::new();
        self.find(hash, |seq| {
            records.push(seq);
            false
        });
        records
    }

    /// Reads what searches for these hashes read, without a look at it.
    pub(super) fn look_ahead(&self, hashes: &[u64]) {
        for hash in hashes {
            std::hint::black_box(self.table.first(*hash));
        }
    }

    /// Keeps a key that [`Keys::find`] does not find.
    pub(super) fn insert(&mut self, hash: u64, seq: Seq) {
        self.table.insert(IndexEntry::new(hash, seq.0));
    }

    pub(super) fn write_to(&self, into: &mut impl Write) -> io::Result<()> {
        encode::number(into, self.table.len() as u64)?;
        self.table.iter().try_for_each(|place| encode::words(into, place.0))
    }

    pub(super) fn take(&mut self, from: &mut impl Read) -> io::Result<()> {
        let count = from.take_length()?;
        self.table = KeyTable::with_room(count);
        for _ in 0..count {
            self.table.insert(IndexEntry(from.take_words()?));
        }
        Ok(())
    }

    /// How many keys are of each record, up to record `last`; a hash says nothing to others.
    pub(super) fn describe(&self, last: Seq, into: &mut impl Write) -> io::Result<()> {
        let mut counts = vec![0_u8; usize::try_from(last.0).unwrap_or(0)];
        let mut elsewhere = Vec::new();
        for seq in self.table.iter().map(IndexEntry::number) {
            let place = usize::try_from(seq.wrapping_sub(1)).ok();
            match place.and_then(|place| counts.get_mut(place)) {
                Some(count) if *count < u8::MAX => *count += 1,
                _ => elsewhere.push(seq),
            }
        }
        elsewhere.sort_unstable();
        encode::bytes(into, &counts)?;
        encode::number(into, elsewhere.len() as u64)?;
        elsewhere.iter().try_for_each(|seq| encode::number(into, *seq))
    }
}

/// An identity that no operation has, from when it was sought until one is created under it:
/// whoever creates that seeks it no second time.
#[derive(Clone, Debug, Default)]
pub(super) struct Absent {
    hash: Option<u64>,
    whose: Option<(AccountId, Kind)>,
    id: String,
}

impl Absent {
    /// Keeps it instead of the one before.
    pub(super) fn keep(&mut self, hash: u64, (account, kind, id): (AccountId, Kind, &str)) {
        (self.hash, self.whose) = (Some(hash), Some((account, kind)));
        self.id.clear();
        self.id.push_str(id);
    }

    /// The hash of this identity, where it is the one kept; from then on it is not, as an operation
    /// is created under it.
    pub(super) fn take(&mut self, (account, kind, id): (AccountId, Kind, &str)) -> Option<u64> {
        let is_it = self.whose == Some((account, kind)) && self.id == id;
        if is_it { self.hash.take() } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn what_was_sought_in_vain_is_known_by_its_hash_once_and_nothing_else_is() {
        let mut absent = Absent::default();
        let one = |id| (AccountId(0), Kind::Charge, id);
        assert_eq!(absent.take(one("")), None);
        absent.keep(5, one("a"));
        absent.keep(6, one("b"));
        let others =
            [one("a"), (AccountId(1), Kind::Charge, "b"), (AccountId(0), Kind::Payout, "b")];
        assert!(others.into_iter().all(|other| absent.take(other).is_none()));
        assert_eq!((absent.take(one("b")), absent.take(one("b"))), (Some(6), None));
    }
}
