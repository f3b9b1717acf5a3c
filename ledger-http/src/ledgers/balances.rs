//! Balances that are read beside the deciding thread, where a lease allows it.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use ledger_core::contract::{BalanceAsked, Call, CallOutcome, Tokens, balance_now};
use ledger_core::id::{AccountId, SubaccountId};
use ledger_store::engine::Engine;
use ledger_store::sequencer::Sequencer;

/// The most customers whose subaccounts are remembered: some 10 MiB.
const MOST: usize = 65_536;

/// The subaccounts of customers whose balances were asked for. A customer's subaccount never
/// changes, so what is remembered is never wrong; it is forgotten when there is too much of it.
#[derive(Debug, Default)]
pub(super) struct Balances(RwLock<HashMap<(AccountId, Box<str>), SubaccountId>>);

/// The subaccount that a customer of an account has.
type OwnedSubaccount = (AccountId, SubaccountId);

impl Balances {
    /// The answer to a call for a balance, of the committed state: the same that the deciding
    /// thread gives. None where that has to be asked: without a lease in force, for a customer who
    /// was not asked for before, and where time has to advance first.
    pub(super) fn read_balance(
        &self,
        engine: &Engine,
        tokens: &Tokens,
        asked: &BalanceAsked,
        call: &Call,
    ) -> Option<CallOutcome> {
        let state = engine.committed_by_lease()?;
        let account = asked.account(&state, tokens)?;
        let subaccount = match &asked.customer {
            None => state.account(account)?.house,
            Some(customer) => self.lookup(account, customer)?,
        };
        let response = balance_now(&state, (account, subaccount), call)?;
        let (records, notifications, instructions) = (Vec::new(), Vec::new(), Vec::new());
        Some(CallOutcome { response, records, notifications, instructions, onward: None })
    }

    fn lookup(&self, account: AccountId, customer: &str) -> Option<SubaccountId> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        known.get(&(account, Box::from(customer))).copied()
    }

    /// Remembers the subaccount of the customer who was asked for.
    pub(super) fn remember(&self, customer: Option<Box<str>>, found: Option<OwnedSubaccount>) {
        let Some((customer, (account, subaccount))) = customer.zip(found) else { return };
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if MOST <= known.len() {
            known.clear();
        }
        known.insert((account, customer), subaccount);
    }
}

/// The subaccount that is asked for, as the deciding thread knows it.
pub(super) fn find_subaccount(
    sequencer: &Sequencer,
    asked: &BalanceAsked,
) -> Option<OwnedSubaccount> {
    let (views, tokens) = (sequencer.views(), sequencer.tokens());
    let account = asked.account(views.state, tokens)?;
    asked.customer.as_deref()?;
    Some((account, views.party(account, asked.customer.as_deref())?))
}
