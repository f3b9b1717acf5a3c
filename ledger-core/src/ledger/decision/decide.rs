//! Judging a command: one decision, all of its events or none.

use super::lookup::Lookup;
use super::named::NamedBalance;
use super::refusal::Refusal;
use super::{Decision, Outcome};
use crate::accounting::{Account, CoinMove};
use crate::id::SubaccountId;
use crate::ledger::command::{Intent, Reported};
use crate::ledger::malformed::Malformed;
use crate::ledger::record::event::Event;
use crate::ledger::state::State;
use crate::ledger::{consequences, fact, request};
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
        Intent::Public(asked) => request::decide_public(state, asked, at)?,
        Intent::Enrolment(asked) => request::decide_enrolment(state, *asked, at)?,
        Intent::Fact(reported) => of_fact(state, lookup, reported, at),
    };
    consequences::of_command(state, lookup, &mut decision.events, at);
    if countable(state, &decision.events) { Ok(decision) } else { Err(Refusal::Uncountable) }
}

/// Judges a fact; where what it says is known, an id of its own that is new is kept (rulings 8).
fn of_fact(state: &State, lookup: &Lookup, reported: Reported, at: Instant) -> Decision {
    let (kind, about) = (reported.fact.kind(), reported.fact.about());
    let brings_id = lookup.seen.is_none() && reported.has_own_id();
    let mut decision = fact::decide(state, lookup, reported.fact, at);
    if decision.outcome == Outcome::Known && brings_id {
        decision.events.push(Event::Repeated { fact: kind, about });
    }
    decision
}

/// Refuses a name that passes for another; one that a subaccount has already is looked up by its
/// bytes, and what an account brings from another ledger keeps its own (P:LookAlikes).
fn names_are_seen(lookup: &Lookup, what: &Intent) -> Result<(), Refusal> {
    let balances = match what {
        Intent::Request(..) if lookup.original.is_some() => return Ok(()),
        Intent::Request(_, request) => {
            let named = request.references();
            for (place, (leg, known)) in named.legs.iter().zip(&lookup.legs).enumerate() {
                let seen = leg.iter().zip(known).try_for_each(|(one, known)| is_seen(*one, *known));
                seen.map_err(|refusal| refusal.of_leg(place))?;
            }
            named.balances
        }
        Intent::Fact(reported) => [reported.fact.bare().named_balance(), None],
        Intent::Public(_) | Intent::Enrolment(_) => return Ok(()),
    };
    let mut balances = balances.into_iter().zip(lookup.subaccounts);
    balances.try_for_each(|(balance, known)| balance.map_or(Ok(()), |one| is_seen(one, known)))
}

fn is_seen(
    NamedBalance { field, customer }: NamedBalance<'_>,
    known: Option<SubaccountId>,
) -> Result<(), Refusal> {
    match customer {
        Some(name) if known.is_none() => {
            Malformed::look_alike(name).map_err(|why| Refusal::Malformed { field, why })
        }
        _ => Ok(()),
    }
}

/// Tells whether every subaccount can hold what the events credit to it (LED-08).
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
                Account::ProductAsset(_)
                | Account::ProductLiability(_)
                | Account::ProductEquity(_)
                | Account::ProductIncome(_)
                | Account::ProductExpense(_) => i128::from(state.books.flight(m.credit)),
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

/// Tells whether both sides of a move of crypto can still be counted.
fn countable_coins(state: &State, m: CoinMove) -> bool {
    let largest = i128::MAX / 4;
    [m.debit, m.credit].iter().all(|account| {
        let balance = state.books.coin(m.asset, *account).abs();
        balance.checked_add(m.units.to_i128()).is_some_and(|sum| sum <= largest)
    })
}
