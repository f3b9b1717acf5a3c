//! Judging a command: one decision, all of its events or none.

use super::Decision;
use super::lookup::Lookup;
use super::refusal::Refusal;
use crate::accounting::{Account, CoinMove};
use crate::ledger::account::keys;
use crate::ledger::agent::{registry, reward};
use crate::ledger::command::{Intent, Public, Request};
use crate::ledger::conversion::request::FundingRequest;
use crate::ledger::fact::Fact;
use crate::ledger::hold::shortfall;
use crate::ledger::malformed::Malformed;
use crate::ledger::record::event::Event;
use crate::ledger::sale::early_refund;
use crate::ledger::state::State;
use crate::ledger::{fact, request};
use crate::time::Instant;

/// Judges a command that takes effect at `at`. Pure: `state` and `lookup` are all it reads.
///
/// # Errors
///
/// The [`Refusal`] of a request; facts are never refused, unless a sum could not be counted.
pub fn decide(
    state: &State,
    lookup: &Lookup,
    what: Intent,
    at: Instant,
) -> Result<Decision, Refusal> {
    names_are_seen(lookup, &what)?;
    let mut decision = match what {
        Intent::Request(account, asked) => request::decide(state, lookup, account, asked, at)?,
        Intent::Public(Public::Register(asked)) => registry::register(state, *asked, at)?,
        Intent::Enrolment(asked) => keys::enrol(state, *asked, at)?,
        Intent::Fact(reported) => fact::decide(state, lookup, reported.fact, at),
    };
    early_refund::book(state, lookup, &mut decision.events, at);
    shortfall::top_up(state, &mut decision.events);
    reward::accrue(state, &mut decision.events);
    if countable(state, &decision.events) { Ok(decision) } else { Err(Refusal::Uncountable) }
}

/// Refuses a name that passes for another; one that a subaccount has already is looked up by its
/// bytes, and what an account brings from another ledger keeps its own (P:LookAlikes).
fn names_are_seen(lookup: &Lookup, what: &Intent) -> Result<(), Refusal> {
    let [first, second] = lookup.subaccounts.map(|known| known.is_some());
    let new = |field, name: Option<&str>, known: bool| match name.filter(|_| !known) {
        Some(name) => {
            let why = Malformed::look_alike(name);
            why.map_err(|why| Refusal::Malformed { field, why })
        }
        None => Ok(()),
    };
    match what {
        Intent::Request(..) if lookup.original.is_some() => Ok(()),
        Intent::Request(_, Request::Charge(asked)) => {
            new("customer_ref", asked.customer.as_deref(), first)
        }
        Intent::Request(_, Request::Payout(asked)) => {
            new("customer_ref", asked.customer.as_deref(), first)
        }
        Intent::Request(_, Request::Transfer(asked)) => {
            new("from_customer_ref", asked.from.as_deref(), first)?;
            new("to_customer_ref", asked.to.as_deref(), second)
        }
        Intent::Request(_, Request::Conversion(asked)) => match &asked.source {
            FundingRequest::Custody { customer, .. } => {
                new("customer_ref", customer.as_deref(), first)
            }
            FundingRequest::Commission => Ok(()),
        },
        Intent::Fact(reported) if !matches!(reported.fact.bare(), Fact::Cell(_)) => {
            let customer = reported.fact.subaccount().and_then(|(_, customer)| customer);
            new("customer_ref", customer, first)
        }
        Intent::Request(..) | Intent::Fact(_) | Intent::Public(_) | Intent::Enrolment(_) => Ok(()),
    }
}

/// Whether every subaccount can hold what the events credit to it (LED-08).
fn countable(state: &State, events: &[Event]) -> bool {
    let largest = i128::from(i64::MAX / 4);
    events.iter().all(|event| {
        let entry = event.entry();
        let reais = entry.moves().all(|m| {
            let credited = match m.credit {
                Account::Available(id) | Account::Held(id) | Account::Frozen(id) => {
                    i128::from(state.books.subaccount(id).total().cents())
                }
                Account::Commission(_)
                | Account::PixInFlight(_)
                | Account::PayoutInFlight(_)
                | Account::ConversionInFlight(_)
                | Account::SaleInFlight(_)
                | Account::Reward(_) => state.books.net_credit(m.credit.control()).abs(),
                // Sums of the ledger's own, which hold what all of these together do at most.
                Account::ProviderPix
                | Account::ProviderPay
                | Account::ProviderClaim
                | Account::Funding
                | Account::TariffDue
                | Account::SuspensePix
                | Account::DepositIncome
                | Account::PayoutIncome
                | Account::PurchaseIncome
                | Account::ConversionIncome
                | Account::Fx
                | Account::Loss
                | Account::SaleIncome
                | Account::ReserveIncome
                | Account::Rounding
                | Account::Exchange
                | Account::Cells
                | Account::RewardExpense => 0,
            };
            credited.abs() + i128::from(m.amount.cents()) <= largest
        });
        reais && entry.coin_moves().all(|m| countable_coins(state, m))
    })
}

/// Whether both sides of a move of crypto can still be counted.
fn countable_coins(state: &State, m: CoinMove) -> bool {
    let largest = i128::MAX / 4;
    [m.debit, m.credit].iter().all(|account| {
        let balance = state.books.coin(m.asset, *account).abs();
        balance.checked_add(m.units.signed()).is_some_and(|sum| sum <= largest)
    })
}
