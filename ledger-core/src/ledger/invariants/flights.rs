//! What is in flight, in reais and in crypto: it belongs to an operation that is open (INV-33), and
//! is never below zero (INV-07).

use std::collections::BTreeMap;

use super::Holds;
use crate::accounting::{Account, CoinAccount, Control};
use crate::coin::Units;
use crate::id::{AssetId, OpId};
use crate::ledger::archive::Archive;
use crate::ledger::state::State;
use crate::ledger::state::operation::Machine;
use crate::machine::delivery::{self, DeliveryTerms};
use crate::machine::refund::Coins;
use crate::machine::wallet::{deposit, withdrawal};
use crate::machine::{cash_out, charge, conversion, payout};
use crate::money::Amount;

/// Nothing in flight and nothing in suspense is below zero (INV-07).
pub(super) fn are_not_negative(state: &State, _: &dyn Archive) -> Holds {
    if let Some((account, cents)) = state.books.flights().find(|(_, cents)| *cents < 0) {
        return Err(format!("{account} has {cents}"));
    }
    let suspense = state.books.balance(Control::SuspensePix);
    if suspense < 0 {
        return Err(format!("{} has {suspense}", Control::SuspensePix.name()));
    }
    let below = |(_, account, units): &(AssetId, CoinAccount, i128)| flies(*account) && *units < 0;
    match state.books.coins().find(below) {
        Some((asset, account, units)) => {
            Err(format!("{} of {asset:?} has {units} units", account.name()))
        }
        None => Ok(()),
    }
}

/// Every flight is exactly what its open operation has under way (INV-33).
pub(super) fn belong_to_open_operations(state: &State, _: &dyn Archive) -> Holds {
    let mut owed: Vec<(Account, i64)> = Vec::new();
    let mut coins: BTreeMap<(AssetId, CoinAccount), i128> = BTreeMap::new();
    for (op, operation) in state.open_operations() {
        if let Some((account, cents)) = under_way(op, &operation.machine)
            && cents != 0
        {
            owed.push((account, cents));
        }
        if let Some((asset, account, units)) = of_wallets(op, &operation.machine) {
            *coins.entry((asset, account)).or_default() += units.signed();
        }
        if let Some(delivery_terms) = bought(&operation.machine) {
            let account = CoinAccount::DeliveryInFlight(op);
            coins.insert((delivery_terms.asset, account), delivery_terms.units.signed());
        }
        for (account, held) in received(op, &operation.machine) {
            *coins.entry((held.asset, account)).or_default() += held.units.signed();
        }
    }
    let flying = |account: &Account| !matches!(account, Account::Reward(_));
    let mut found: Vec<(Account, i64)> =
        state.books.flights().filter(|(account, _)| flying(account)).collect();
    owed.sort_unstable();
    found.sort_unstable();
    if found != owed {
        let what = format!("{} flights for {} open operations", found.len(), owed.len());
        let differing = owed.iter().find(|flight| found.binary_search(flight).is_err());
        return Err(format!("{what}; expected {differing:?}"));
    }
    let found = state.books.coins().filter(|(_, account, _)| flies(*account));
    let found: BTreeMap<_, _> =
        found.map(|(asset, account, units)| ((asset, account), units)).collect();
    if found == coins {
        return Ok(());
    }
    let what = format!("{} amounts of crypto for {} under way", found.len(), coins.len());
    let differing = coins.iter().find(|(key, units)| found.get(key) != Some(units));
    Err(format!("{what}; expected {differing:?}"))
}

/// Whether crypto in this account is under way, or in suspense.
fn flies(account: CoinAccount) -> bool {
    account.op().is_some() || account == CoinAccount::Suspense
}

fn under_way(op: OpId, machine: &Machine) -> Option<(Account, i64)> {
    match machine {
        Machine::Charge(charge::State::Delayed(arrived) | charge::State::UnderReview(arrived)) => {
            Some((Account::PixInFlight(op), arrived.left().cents()))
        }
        Machine::Charge(charge::State::Bought(bought)) => {
            Some((Account::PixInFlight(op), bought.in_flight().cents()))
        }
        Machine::Payout(
            payout::State::Requested(order)
            | payout::State::UnderReview(order)
            | payout::State::Submitted(order)
            | payout::State::Uncertain(order),
        ) => Some((Account::PayoutInFlight(op), order.debited().map_or(0, Amount::cents))),
        Machine::Conversion(conversion::State::Paid(progress)) => {
            Some((Account::ConversionInFlight(op), progress.in_flight()))
        }
        Machine::CashOut(cash_out::State::Known(progress)) => {
            Some((Account::SaleInFlight(op), progress.in_flight().cents()))
        }
        _ => None,
    }
}

/// What was received and neither sold nor sent back, with the account it stands in.
fn received(op: OpId, machine: &Machine) -> Vec<(CoinAccount, Coins)> {
    let (deposit, suspense, refund) = match machine {
        Machine::CashOut(cash_out::State::Known(progress)) => {
            (progress.in_deposit(), progress.in_suspense(), progress.to_refund())
        }
        Machine::UnmatchedDeposit(state) => (None, state.in_suspense(), state.to_refund()),
        _ => return Vec::new(),
    };
    let places = [CoinAccount::Deposited(op), CoinAccount::Suspense, CoinAccount::RefundDue(op)];
    let held = places.into_iter().zip([deposit, suspense, refund]);
    held.filter_map(|(account, coins)| Some((account, coins?))).collect()
}

/// What left a wallet and did not arrive yet, and what was sent to one and waits for a person.
fn of_wallets(op: OpId, machine: &Machine) -> Option<(AssetId, CoinAccount, Units)> {
    match machine {
        Machine::CryptoWithdrawal(
            withdrawal::State::UnderWay(progress) | withdrawal::State::UnderReview(progress),
        ) => {
            let (asset, account) =
                (progress.order.terms.asset, CoinAccount::WithdrawalInFlight(op));
            progress.flight.map(|flight| (asset, account, flight))
        }
        Machine::WalletDeposit(deposit::State::UnderReview(progress)) => {
            let transfer = &progress.transfer;
            Some((transfer.asset, CoinAccount::Suspense, transfer.units))
        }
        _ => None,
    }
}

/// What was bought and is not delivered yet.
fn bought(machine: &Machine) -> Option<DeliveryTerms> {
    let open = |delivery: &delivery::State, delivery_terms: DeliveryTerms| {
        delivery.bought(delivery_terms).filter(|_| delivery.sent().is_none())
    };
    match machine {
        Machine::Charge(charge::State::Bought(bought)) if bought.end.is_none() => {
            open(&bought.delivery, bought.delivery_terms())
        }
        Machine::Conversion(conversion::State::Paid(progress)) => {
            open(&progress.delivery, progress.order.delivery_terms)
        }
        _ => None,
    }
}
