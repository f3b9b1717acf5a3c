//! An entry to be posted by a template, with the values and subaccounts that it names.

use super::index::Adopted;
use crate::accounting::Side;
use crate::id::SubaccountId;
use crate::ledger::archive::Archive;
use crate::ledger::state::State;
use crate::template::Template;

/// A subaccount, as a leg names it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Holder {
    /// The API account's name.
    pub account: Box<str>,
    /// The customer's name; none for the house.
    pub customer: Option<Box<str>>,
}

impl Holder {
    /// The subaccount, where it is known.
    pub(in crate::ledger) fn find(
        &self,
        state: &State,
        archive: &impl Archive,
    ) -> Option<SubaccountId> {
        let account = state.account_named(&self.account)?;
        match &self.customer {
            Some(customer) => archive.subaccount(account, customer),
            None => state.account(account).map(|account| account.house),
        }
    }
}

/// An entry to be posted by a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplatePosting {
    /// The template's name.
    pub template: Box<str>,
    /// Its version; the latest where none is given.
    pub version: Option<u32>,
    /// A value for each of its amounts.
    pub amounts: Box<[NamedAmount]>,
    /// A subaccount for each of its holders.
    pub holders: Box<[NamedHolder]>,
}

/// A value for an amount of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedAmount {
    /// The amount's name.
    pub name: Box<str>,
    /// Its value, zero or more.
    pub value: i64,
}

/// A subaccount for a holder of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedHolder {
    /// The holder's name.
    pub name: Box<str>,
    /// The subaccount that stands for it.
    pub holder: Holder,
}

/// The account of a leg, its holder with the place among those given, and its units: below zero
/// where they are debited.
pub(crate) type PostedLeg<'a> = (&'a str, Option<(usize, &'a Holder)>, i128);

impl TemplatePosting {
    /// Returns the legs above zero that it comes to by a template; none where it does not fit.
    pub(super) fn legs<'a>(&'a self, adopted: &'a Adopted) -> Option<Vec<PostedLeg<'a>>> {
        let Adopted { template, program, .. } = adopted;
        let amounts = program.amounts(&self.arguments(template)?).ok()?;
        let holders = self.by_place(template)?;
        let legs = template.legs.iter().zip(amounts).filter(|(_, units)| *units > 0);
        let posted = legs.map(|(leg, units)| {
            let holder = template.holder_of(leg).map(|place| holders[place]);
            let units = i128::from(units);
            (&*leg.account, holder, if leg.side == Side::Credit { units } else { -units })
        });
        Some(posted.collect())
    }

    /// The values in the order of the template's amounts; none where one is missing, stands twice
    /// or is none of them.
    fn arguments(&self, template: &Template) -> Option<Vec<i64>> {
        let value = |name: &str| {
            let mut given = self.amounts.iter().filter(|given| *given.name == *name);
            given.next().filter(|_| given.next().is_none()).map(|given| given.value)
        };
        let values: Option<Vec<i64>> =
            template.amounts.iter().map(|amount| value(&amount.name)).collect();
        values.filter(|values| values.len() == self.amounts.len())
    }

    /// The subaccount of each of the template's holders, with its place among those given; none
    /// where others are given.
    fn by_place(&self, template: &Template) -> Option<Vec<(usize, &Holder)>> {
        let given = |name: &str| {
            let mut numbered = self.holders.iter().enumerate();
            let (place, named) = numbered.find(|(_, given)| *given.name == *name)?;
            Some((place, &named.holder))
        };
        let holders: Option<Vec<_>> = template.holders.iter().map(|name| given(name)).collect();
        holders.filter(|holders| holders.len() == self.holders.len())
    }
}
