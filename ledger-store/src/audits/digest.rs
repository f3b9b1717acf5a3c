//! The state hash: one number for everything a ledger knows, equal for one version on every machine
//! that keeps numbers from their lowest byte on, as all do that it is built for.

use std::hash::{Hash as _, Hasher};
use std::io::{self, Write};

use ledger_core::ledger::Ledger;

use crate::bytes::chain::Link;
use crate::state::archive::JournalArchive;

/// How many bytes are hashed at once: a ledger is written a number or a word at a time.
const AT_ONCE: usize = 1 << 16;

/// Hashes state and archive in an order of their own, never in that of a hash table.
///
/// How a field is hashed is the standard library's to say, so two programs compare their hashes
/// where one version of the compiler built both. Prices that are equal, as 5.40 and 5.4 are, hash
/// alike.
///
/// ```
/// use ledger_store::Algorithm;
/// use ledger_store::digest::digest;
/// use ledger_store::journal::Identity;
/// use ledger_store::sequencer::Sequencer;
///
/// let identity = Identity::by_name(Algorithm::Blake3, [7; 32]);
/// let hash = |name| digest(Sequencer::new(name, identity).ledger());
/// assert_eq!(hash("live"), hash("live"));
/// assert_ne!(hash("live"), hash("sandbox"));
/// ```
///
/// # Panics
///
/// Never: hashing cannot fail.
#[must_use]
pub fn digest(ledger: &Ledger<JournalArchive>) -> Link {
    let hasher = blake3::Hasher::new_derive_key("custody-ledger state hash v3");
    let mut into = StateHasher { hasher, waiting: Vec::with_capacity(AT_ONCE) };
    ledger.state.hash(&mut into);
    ledger.archive.describe(&mut into).expect("hashing cannot fail");
    Link(into.hash().into())
}

/// Hashes what the state and the archive write: numbers begin with their lowest byte, and a length
/// takes eight.
struct StateHasher {
    hasher: blake3::Hasher,
    /// What is hashed once it is [`AT_ONCE`] bytes.
    waiting: Vec<u8>,
}

impl StateHasher {
    fn push(&mut self, bytes: &[u8]) {
        if AT_ONCE < self.waiting.len() + bytes.len() {
            self.hasher.update(&self.waiting);
            self.waiting.clear();
        }
        self.waiting.extend_from_slice(bytes);
    }

    fn hash(&self) -> blake3::Hash {
        self.hasher.clone().update(&self.waiting).finalize()
    }
}

macro_rules! numbers {
    ($($write:ident $number:ty),+) => {
        $(fn $write(&mut self, number: $number) {
            self.push(&number.to_le_bytes());
        })+
    };
}

impl Hasher for StateHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.push(bytes);
    }

    numbers!(write_u16 u16, write_u32 u32, write_u64 u64, write_u128 u128);

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn finish(&self) -> u64 {
        let hash = *self.hash().as_bytes();
        u64::from_le_bytes(std::array::from_fn(|index| hash[index]))
    }
}

impl Write for StateHasher {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.push(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ledger_core::accounting::{Account, Entry, Nature, Row, RowKind};
    use ledger_core::id::{AccountId, KeyHash, Kind, OpId, Seq, SubaccountId};
    use ledger_core::ledger::{
        Archive as _, Cause, Command, ExternalId, Fact, Intent, Reported, account,
    };
    use ledger_core::money::{Amount, Balance};
    use ledger_core::terms::{Policy, Switch};
    use ledger_core::time::Instant;

    use super::*;
    use crate::Algorithm;
    use crate::journal::Identity;

    /// The hash of an empty ledger of which something was changed.
    fn digest_of(change: impl FnOnce(&mut Ledger<JournalArchive>)) -> Link {
        let identity = Identity::by_name(Algorithm::Blake3, [7; 32]);
        let mut ledger = Ledger::new("live", JournalArchive::new("live", identity));
        change(&mut ledger);
        digest(&ledger)
    }

    fn digest_after(change: impl FnOnce(&mut JournalArchive)) -> Link {
        digest_of(|ledger| change(&mut ledger.archive))
    }

    fn assert_distinct(hashes: &[Link]) {
        let mut distinct = hashes.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), hashes.len(), "{hashes:?}");
    }

    fn row(op: OpId, cents: i64) -> Row {
        Row {
            seq: op.seq(),
            event: 0,
            at: Instant::default(),
            op,
            kind: RowKind::Deposit,
            nature: Nature::Principal,
            value: Balance::new(cents),
            balance_after: Balance::new(cents),
            note: None,
        }
    }

    #[test]
    fn states_that_differ_in_what_the_archive_holds_have_different_hashes() {
        let op = OpId::new(Kind::Charge, Seq(7));
        let hashes = [
            digest_after(|_| ()),
            digest_after(|archive| archive.name_subaccount(SubaccountId(3), AccountId(0), "ana")),
            digest_after(|archive| archive.name_subaccount(SubaccountId(3), AccountId(0), "bia")),
            digest_after(|archive| {
                assert_eq!(archive.learn_outside(&ExternalId::fact("a"), Seq(7)), Seq(7));
            }),
            digest_after(|archive| {
                assert_eq!(archive.learn_identity(AccountId(0), Kind::Payout, "a", op), op);
                archive.learn_outside(&ExternalId::fact("a"), Seq(8));
            }),
            digest_after(|archive| archive.note(op, Seq(7))),
            digest_after(|archive| archive.note(op, Seq(8))),
            digest_after(|archive| archive.push_row(SubaccountId(0), 1, row(op, 10))),
            digest_after(|archive| archive.push_row(SubaccountId(0), 1, row(op, 11))),
            digest_after(|archive| archive.push_commission_row(AccountId(0), 1, row(op, 12))),
            digest_after(|archive| archive.push_commission_row(AccountId(0), 1, row(op, 13))),
        ];
        assert_distinct(&hashes);
        assert_eq!(digest_after(|_| ()), hashes[0]);
    }

    #[test]
    fn states_that_differ_in_anything_have_different_hashes() {
        let opened = |name: &str, key| {
            let (name, key) = (name.into(), KeyHash([key; 32]));
            let what = Fact::Account(account::Fact::Opened { name, key, terms: None });
            let what = Intent::Fact(Reported { id: None, fact: what });
            Command { at: Instant::default(), cause: Cause::default(), what }
        };
        let amount = Amount::new(10).unwrap();
        let entry = Entry::NONE.principal(Account::ProviderPay, Account::Funding, amount);
        assert_distinct(&[
            digest_of(|_| ()),
            digest_of(|ledger| ledger.state.seq = Seq(1)),
            digest_of(|ledger| ledger.state.now = Instant::from_micros(1).unwrap()),
            digest_of(|ledger| {
                let paused = Policy { cash_in_paused: Switch::On, ..Policy::default() };
                ledger.state.policy = Arc::new(paused);
            }),
            digest_of(|ledger| {
                ledger.state.books.open_subaccount();
            }),
            digest_of(|ledger| {
                ledger.state.books.post(&entry).unwrap();
            }),
            digest_of(|ledger| {
                ledger.state.catalogue.show_pages([("tron", "https://tron/{tx}")].into_iter());
            }),
            digest_of(|ledger| drop(ledger.execute(opened("loja", 1)))),
            digest_of(|ledger| drop(ledger.execute(opened("loja", 2)))),
            digest_of(|ledger| drop(ledger.execute(opened("feira", 1)))),
        ]);
    }

    #[test]
    fn numbers_are_hashed_from_their_lowest_byte_on_however_many_there_are() {
        let hasher = |put: &dyn Fn(&mut StateHasher)| {
            let mut into =
                StateHasher { hasher: blake3::Hasher::new(), waiting: Vec::with_capacity(AT_ONCE) };
            put(&mut into);
            (into.hash(), into.finish())
        };
        let numbers = hasher(&|into| {
            (0x0102_u16, 0x0304_0506_u32, -1_i64, 7_usize).hash(into);
        });
        let bytes = [2, 1, 6, 5, 4, 3]
            .into_iter()
            .chain([255; 8])
            .chain([7, 0, 0, 0, 0, 0, 0, 0])
            .collect::<Vec<u8>>();
        assert_eq!(numbers, hasher(&|into| into.write_all(&bytes).unwrap()));
        assert_eq!(numbers.0, blake3::hash(&bytes));
        let long = vec![9; 3 * AT_ONCE + 1];
        let parts = hasher(&|into| long.chunks(1_000).for_each(|part| into.push(part)));
        assert_eq!(parts.0, blake3::hash(&long));
    }
}
