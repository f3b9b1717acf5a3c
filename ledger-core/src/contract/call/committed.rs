//! A balance that is read of a committed state, beside whoever decides.

use super::context::account_of;
use super::{Call, CallKind, Response};
use crate::contract::account::balance_routes::BALANCE;
use crate::contract::balance::show_balance;
use crate::contract::input::query::Target;
use crate::contract::input::tokens::Tokens;
use crate::contract::route::shape::Invocation;
use crate::id::{AccountId, SubaccountId};
use crate::ledger::State;

/// Whose balance a call asks for, with the key of an account: the target's path and query, read.
///
/// None for any other call, for one that is refused for what it says, and for one that asks for the
/// balance of an instant, which the statement's rows say and the state does not.
#[must_use]
pub fn balance_asked(call: &Call) -> Option<BalanceAsked> {
    let CallKind::Request { method, target, key: Some(key) } = &call.ask else { return None };
    let Invocation::Route(get, path) = BALANCE.ask else { return None };
    let begins = target.get(..path.len()) == Some(path);
    if method != get.name() || !begins || !call.body.is_null() {
        return None;
    }
    let target = Target::parse(target).ok().filter(|target| target.path() == path)?;
    BALANCE.query.admits(&target).ok()?;
    if target.get("em").is_some() {
        return None;
    }
    let customer = target.customer().ok()?.map(Into::into);
    Some(BalanceAsked { key: key.clone(), customer })
}

/// Whose balance is asked for.
///
/// It has no `Debug`, since it holds a key.
#[derive(Clone)]
pub struct BalanceAsked {
    key: String,
    /// The customer; none for the house.
    pub customer: Option<Box<str>>,
}

impl BalanceAsked {
    /// The account that the key opens.
    #[must_use]
    pub fn account(&self, state: &State, tokens: &Tokens) -> Option<AccountId> {
        account_of(state, tokens, Some(&self.key)).ok()
    }
}

/// The answer to a call for the balance of a subaccount, as [`super::handle::handle`] gives it.
///
/// None where time has to advance first, which only whoever decides may have it do.
#[must_use]
pub fn balance_now(
    state: &State,
    (account, subaccount): (AccountId, SubaccountId),
    call: &Call,
) -> Option<Response> {
    let at = call.at.max(state.now);
    let due = state.deadlines().next().is_some_and(|(due, ..)| due <= at);
    if due || !state.has_balances_of(account) || state.admits(call.at).is_err() {
        return None;
    }
    Some(Response::ok(show_balance(state, account, Some(subaccount), at)))
}
