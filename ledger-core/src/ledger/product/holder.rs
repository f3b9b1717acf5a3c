//! A subaccount by its names.

use crate::id::SubaccountId;
use crate::ledger::archive::Archive;
use crate::ledger::state::State;

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
