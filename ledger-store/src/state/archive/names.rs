//! What accounts call their subaccounts: a name is found by two waits for memory, a line of the
//! index and the name itself.

use std::hash::BuildHasher;
use std::hint::black_box;
use std::io::{self, Read, Write};

use foldhash::quality::FixedState;
use hashbrown::DefaultHashBuilder;
use ledger_core::id::{AccountId, SubaccountId};

use super::arena::{Arena, Piece, Texts};
use super::index_entry::IndexEntry;
use super::key_table::KeyTable;
use crate::state::snapshot::wire::{Take, encode};

/// Names by subaccount, and subaccounts by name.
#[derive(Clone, Debug)]
pub(super) struct Names {
    /// By a seed of its own, so that nobody outside chooses names that collide.
    hasher: FixedState,
    /// Every subaccount that has a name, by its number from 1.
    index: KeyTable,
    by_subaccount: Arena<Name>,
    long: Texts,
}

/// What a subaccount is called, and by whom: half a line of memory, so that none lies in two.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Name {
    account: AccountId,
    text: Text,
}

#[derive(Clone, Copy, Debug)]
enum Text {
    /// A house balance has no name.
    None,
    /// As nearly all are.
    Short { length: u8, bytes: [u8; SHORT] },
    /// What is longer stands among its like.
    Long(Piece),
}

/// How many bytes of a name fit beside what else is known of it.
const SHORT: usize = 26;

/// No names. Where they will stand is each process's own affair, as nothing of it is kept.
impl Default for Names {
    fn default() -> Self {
        Self {
            hasher: FixedState::with_seed(DefaultHashBuilder::default().hash_one(())),
            index: KeyTable::default(),
            by_subaccount: Arena::default(),
            long: Texts::default(),
        }
    }
}

impl Names {
    pub(super) fn subaccount(&self, account: AccountId, customer: &str) -> Option<SubaccountId> {
        self.find(self.hash(account, customer), account, customer)
    }

    /// Step by step for all of them, and the steps short: lines of the index, then names. So many
    /// waits for memory overlap, where one lookup after the other waits for each in turn.
    pub(super) fn subaccounts(
        &self,
        named: &[(AccountId, &str)],
        each: &mut dyn FnMut(Option<SubaccountId>),
    ) {
        let hashes = named.iter().map(|(account, customer)| self.hash(*account, customer));
        let hashes: Vec<u64> = hashes.collect();
        for hash in &hashes {
            black_box(self.index.first(*hash));
        }
        // Where two names have one hash, the whole lookup tells them apart.
        let likely = hashes.iter().map(|hash| self.index.find(*hash, |_| true));
        let likely: Vec<_> = likely.collect();
        for place in likely.iter().flatten() {
            black_box(self.at(*place).map(|name| name.account));
        }
        for ((account, customer), (hash, place)) in named.iter().zip(hashes.iter().zip(likely)) {
            each(place.and_then(|place| {
                if self.is_called(place, *account, customer) {
                    Some(subaccount_at(place))
                } else {
                    self.find(*hash, *account, customer)
                }
            }));
        }
    }

    pub(super) fn customer(&self, subaccount: SubaccountId) -> Option<&str> {
        self.text(self.by_subaccount.get(subaccount.0 as usize)?)
    }

    pub(super) fn name(&mut self, subaccount: SubaccountId, account: AccountId, customer: &str) {
        let index = subaccount.0 as usize;
        while self.by_subaccount.len() < index {
            self.by_subaccount.push(Name { account, text: Text::None });
        }
        let text = self.keep(customer);
        assert_eq!(self.by_subaccount.push(Name { account, text }), index, "names come in order");
        let hash = self.hash(account, customer);
        self.index.insert(IndexEntry::new(hash, u64::from(subaccount.0) + 1));
    }

    /// Every subaccount that has a name, in the order opened.
    pub(super) fn iter(&self) -> impl Iterator<Item = (SubaccountId, AccountId, &str)> {
        let all = (0..).map(SubaccountId).zip(self.by_subaccount.iter());
        all.filter_map(|(subaccount, name)| Some((subaccount, name.account, self.text(name)?)))
    }

    pub(super) fn write_to(&self, into: &mut impl Write) -> io::Result<()> {
        encode::number(into, self.iter().count() as u64)?;
        self.iter().try_for_each(|(subaccount, account, customer)| {
            encode::words(into, [subaccount.0, account.0])?;
            encode::bytes(into, customer.as_bytes())
        })
    }

    pub(super) fn take(&mut self, from: &mut impl Read) -> io::Result<()> {
        let count = from.take_length()?;
        self.index = KeyTable::with_room(count);
        for _ in 0..count {
            let [subaccount, account] = from.take_words()?;
            let customer = String::from_utf8(from.take_bytes()?);
            let customer = customer.map_err(|_| io::ErrorKind::InvalidData)?;
            if (subaccount as usize) < self.by_subaccount.len() {
                return Err(io::ErrorKind::InvalidData.into());
            }
            self.name(SubaccountId(subaccount), AccountId(account), &customer);
        }
        Ok(())
    }

    fn hash(&self, account: AccountId, customer: &str) -> u64 {
        IndexEntry::hash_of(self.hasher.hash_one((account, customer)))
    }

    fn find(&self, hash: u64, account: AccountId, customer: &str) -> Option<SubaccountId> {
        let found = self.index.find(hash, |place| self.is_called(place, account, customer));
        found.map(subaccount_at)
    }

    /// The name that a place of the index leads to.
    fn at(&self, place: IndexEntry) -> Option<&Name> {
        self.by_subaccount.get(usize::try_from(place.number() - 1).ok()?)
    }

    fn keep(&mut self, text: &str) -> Text {
        let mut bytes = [0; SHORT];
        match (u8::try_from(text.len()), bytes.get_mut(..text.len())) {
            (Ok(length), Some(room)) => {
                room.copy_from_slice(text.as_bytes());
                Text::Short { length, bytes }
            }
            _ => Text::Long(self.long.keep(text)),
        }
    }

    /// Tells whether a place of the index leads to this name of this account.
    #[inline]
    fn is_called(&self, place: IndexEntry, account: AccountId, customer: &str) -> bool {
        self.at(place).is_some_and(|name| {
            name.account == account
                && match &name.text {
                    Text::None => false,
                    Text::Short { length, bytes } => {
                        bytes[..usize::from(*length)] == *customer.as_bytes()
                    }
                    Text::Long(piece) => self.long.get(*piece) == customer,
                }
        })
    }

    fn text<'a>(&'a self, name: &'a Name) -> Option<&'a str> {
        match &name.text {
            Text::None => None,
            Text::Short { length, bytes } => {
                let text = std::str::from_utf8(&bytes[..usize::from(*length)]);
                Some(text.expect("it was text when it was kept"))
            }
            Text::Long(piece) => Some(self.long.get(*piece)),
        }
    }
}

/// The subaccount that a place of the index is of.
#[allow(clippy::cast_possible_truncation)] // It was a number of 32 bits when it was put there.
const fn subaccount_at(place: IndexEntry) -> SubaccountId {
    SubaccountId((place.number() - 1) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_takes_half_a_line_of_memory() {
        assert_eq!((size_of::<Name>(), align_of::<Name>()), (32, 32));
    }

    #[test]
    fn names_of_every_length_are_found_and_given_back_and_no_others() {
        let mut names = Names::default();
        let called = |index: u32| "é".repeat(index as usize / 2) + &index.to_string();
        // Every tenth is a house balance.
        let has_one = |index: &u32| !index.is_multiple_of(10);
        for index in (0..1_000).filter(has_one) {
            names.name(SubaccountId(index), AccountId(index % 2), &called(index));
        }
        let mut whole = Names::default();
        let mut bytes = Vec::new();
        names.write_to(&mut bytes).expect("memory is written");
        whole.take(&mut &bytes[..]).expect("it is what was put");
        for names in [names, whole] {
            for index in 0..1_000 {
                let (subaccount, text) = (SubaccountId(index), called(index));
                let its = has_one(&index).then_some(subaccount);
                assert_eq!(names.customer(subaccount), its.map(|_| &*text));
                assert_eq!(names.subaccount(AccountId(index % 2), &text), its);
                assert_eq!(names.subaccount(AccountId(1 - index % 2), &text), None);
            }
            let texts: Vec<_> = (0..1_100).map(called).collect();
            let sought: Vec<_> =
                (0..).zip(&texts).map(|(index, text)| (AccountId(index % 2), &**text)).collect();
            let mut found = Vec::new();
            names.subaccounts(&sought, &mut |each| found.push(each));
            let wanted =
                (0..1_100).map(|n| Some(SubaccountId(n)).filter(|_| n < 1_000 && has_one(&n)));
            assert!(found.into_iter().eq(wanted));
        }
    }
}
