//! What accounts call their subaccounts.

use std::fmt::{self, Write};
use std::hash::BuildHasher;
use std::io::{self, Read};

use hashbrown::{DefaultHashBuilder, HashTable};
use ledger_core::id::{AccountId, SubaccountId};

use super::arena::{Piece, Slot, Texts};
use crate::snapshot::wire::{Take, put};

/// Names by subaccount, and subaccounts by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    hasher: DefaultHashBuilder,
    texts: Texts,
    customers: Vec<Option<Name>>,
    index: HashTable<Slot>,
}

#[derive(Clone, Copy, Debug)]
struct Name {
    account: AccountId,
    text: Piece,
}

impl Names {
    pub(super) fn subaccount(&self, account: AccountId, customer: &str) -> Option<SubaccountId> {
        let sought = Slot::new(self.hasher.hash_one((account, customer)), 0);
        let same = |slot: &Slot| {
            slot.hash == sought.hash
                && self.customers[slot.index as usize].is_some_and(|name| {
                    name.account == account && self.texts.get(name.text) == customer
                })
        };
        let found = self.index.find(Slot::spread(sought.hash), same);
        found.map(|slot| SubaccountId(slot.index))
    }

    /// Step by step for all of them, and the steps short: places in the index, names, texts. So
    /// many waits for memory overlap, where one lookup after the other waits for each in turn.
    pub(super) fn subaccounts(
        &self,
        named: &[(AccountId, &str)],
        each: &mut dyn FnMut(Option<SubaccountId>),
    ) {
        let hash =
            |named: &(AccountId, &str)| Slot::new(self.hasher.hash_one(named), u32::MAX as usize);
        let mut places: Vec<(Slot, Option<Name>)> =
            named.iter().map(|named| (hash(named), None)).collect();
        for (slot, _) in &mut places {
            let alike = |other: &Slot| other.hash == slot.hash;
            if let Some(found) = self.index.find(Slot::spread(slot.hash), alike) {
                slot.index = found.index;
            }
        }
        for (slot, name) in &mut places {
            *name = self.customers.get(slot.index as usize).copied().flatten();
        }
        for (_, name) in &places {
            let text = name.map(|name| self.texts.get(name.text).as_bytes().first().copied());
            std::hint::black_box(text);
        }
        for ((account, customer), (slot, name)) in named.iter().zip(places) {
            let same = name.is_some_and(|name| {
                name.account == *account && self.texts.get(name.text) == *customer
            });
            // Where two names have one hash, the whole lookup tells them apart.
            let whole = || self.subaccount(*account, customer);
            each(if same { Some(SubaccountId(slot.index)) } else { whole() });
        }
    }

    pub(super) fn customer(&self, subaccount: SubaccountId) -> Option<&str> {
        let name = self.customers.get(subaccount.0 as usize).copied().flatten()?;
        Some(self.texts.get(name.text))
    }

    pub(super) fn name(&mut self, subaccount: SubaccountId, account: AccountId, customer: &str) {
        let index = subaccount.0 as usize;
        if self.customers.len() <= index {
            self.customers.resize(index + 1, None);
        }
        self.customers[index] = Some(Name { account, text: self.texts.keep(customer) });
        let slot = Slot::new(self.hasher.hash_one((account, customer)), index);
        let spread = Slot::spread(slot.hash);
        self.index.insert_unique(spread, slot, |slot| Slot::spread(slot.hash));
    }

    /// Every subaccount that has a name, in the order opened.
    pub(super) fn iter(&self) -> impl Iterator<Item = (SubaccountId, AccountId, &str)> {
        let known = (0..).zip(&self.customers).filter_map(|(index, name)| Some((index, (*name)?)));
        known.map(|(index, name)| (SubaccountId(index), name.account, self.texts.get(name.text)))
    }

    pub(super) fn put(&self, into: &mut impl io::Write) -> io::Result<()> {
        put::number(into, self.iter().count() as u64)?;
        self.iter().try_for_each(|(subaccount, account, customer)| {
            put::words(into, [subaccount.0, account.0])?;
            put::bytes(into, customer.as_bytes())
        })
    }

    pub(super) fn take(&mut self, from: &mut impl Read) -> io::Result<()> {
        for _ in 0..from.take_number()? {
            let [subaccount, account] = from.take_words()?;
            let customer = String::from_utf8(from.take_bytes()?);
            let customer = customer.map_err(|_| io::ErrorKind::InvalidData)?;
            self.name(SubaccountId(subaccount), AccountId(account), &customer);
        }
        Ok(())
    }

    pub(super) fn describe(&self, into: &mut impl Write) -> fmt::Result {
        self.iter().try_for_each(|name| write!(into, "{name:?}"))
    }
}
