//! A template as a product declares it.

use std::collections::BTreeSet;

use minicbor::{Decode, Encode};

use super::unproven::Unproven;
use crate::accounting::Side;
use crate::money::LARGEST_AMOUNT;

/// The amount of the leg that takes what the others leave.
pub(super) const REST: &str = "rest";

/// Words of the language, which no parameter bears.
const WORDS: [&str; 6] = [REST, "min", "max", "down", "up", "half_even"];

/// A number that a posting gives: centavos, a rate, a count.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
#[cbor(array)]
pub struct AmountParameter {
    /// Its name in the expressions.
    #[n(0)]
    pub name: Box<str>,
    /// The least it may be, zero or more.
    #[n(1)]
    pub from: u64,
    /// The most it may be.
    #[n(2)]
    pub to: u64,
}

impl AmountParameter {
    /// The least and the most it may be; both fit once it was checked.
    pub(super) const fn range(&self) -> (i64, i64) {
        (self.from.cast_signed(), self.to.cast_signed())
    }
}

/// One leg: whose account, and how much as an expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
#[cbor(array)]
pub struct TemplateLeg {
    /// The account's name, as legs of entries have it.
    #[n(0)]
    pub account: Box<str>,
    /// The holder, by name, where customers have one each.
    #[n(1)]
    pub holder: Option<Box<str>>,
    /// Debited or credited.
    #[n(2)]
    pub side: Side,
    /// How much: an expression over the amounts, or `rest`.
    #[n(3)]
    pub amount: Box<str>,
}

/// An entry with parameters.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
#[cbor(array)]
pub struct Template {
    /// Its name; a later version bears the same.
    #[n(0)]
    pub name: Box<str>,
    /// Numbers that a posting gives.
    #[n(1)]
    pub amounts: Vec<AmountParameter>,
    /// Customers or houses that a posting names.
    #[n(2)]
    pub holders: Vec<Box<str>>,
    /// The legs, in the order in which debits give to credits.
    #[n(3)]
    pub legs: Vec<TemplateLeg>,
    /// Comparisons that must hold, or nothing is posted.
    #[n(4)]
    pub conditions: Vec<Box<str>>,
}

impl Template {
    /// The place of a leg's holder among the template's.
    pub(crate) fn holder_of(&self, leg: &TemplateLeg) -> Option<usize> {
        let name = leg.holder.as_ref()?;
        self.holders.iter().position(|known| known == name)
    }

    /// Checks everything that is no expression.
    pub(super) fn check(&self) -> Result<(), Unproven> {
        let count = |list, length: usize, (least, most)| {
            let fits = (least..=most).contains(&length);
            if fits { Ok(()) } else { Err(Unproven::Count { list, least, most }) }
        };
        count("amounts", self.amounts.len(), (1, 16))?;
        count("holders", self.holders.len(), (0, 16))?;
        count("legs", self.legs.len(), (2, 100))?;
        count("conditions", self.conditions.len(), (0, 16))?;
        let mut names = BTreeSet::new();
        let amounts = self.amounts.iter().map(|amount| &amount.name).enumerate();
        let amounts = amounts.map(|name| ("amounts", name));
        let holders = self.holders.iter().enumerate().map(|name| ("holders", name));
        for (list, (at, name)) in amounts.chain(holders) {
            if !is_name(name) || !names.insert(name) {
                return Err(Unproven::Name { list, at });
            }
        }
        for (at, amount) in self.amounts.iter().enumerate() {
            if amount.from > amount.to || amount.to > LARGEST_AMOUNT.unsigned_abs() {
                return Err(Unproven::Range { at });
            }
        }
        let mut accounts = BTreeSet::new();
        for (leg, declared) in self.legs.iter().enumerate() {
            if declared.holder.as_ref().is_some_and(|holder| !self.holders.contains(holder)) {
                return Err(Unproven::Holder { leg });
            }
            if !accounts.insert((&declared.account, &declared.holder)) {
                return Err(Unproven::LegTwice { leg });
            }
        }
        Ok(())
    }
}

fn is_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let fits = (1..=32).contains(&name.len()) && name.chars().all(plain);
    fits && name.starts_with(|c: char| c.is_ascii_lowercase()) && !WORDS.contains(&name)
}
