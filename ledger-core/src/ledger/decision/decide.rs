//! Judging a command: one decision, all of its events or none.

use super::Decision;
use super::lookup::Lookup;
use super::refusal::Refusal;
use crate::accounting::{Account, CoinMove};
use crate::ledger::account::keys;
use crate::ledger::agent::{registry, reward};
use crate::ledger::command::{Intent, Public};
use crate::ledger::hold::shortfall;
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
