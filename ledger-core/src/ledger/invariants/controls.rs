//! Sub-ledgers equal their control accounts (CONTROL).

use super::{Holds, equal};
use crate::accounting::{Account, Control, ProductClass};
use crate::id::ProductAccount;
use crate::ledger::archive::Archive;
use crate::ledger::registry::Machine;
use crate::ledger::state::State;
use crate::machine::entry;
use crate::machine::suspense::{self, Direction};

/// The buckets of all subaccounts are what customers are owed.
pub(super) fn buckets(state: &State, _: &dyn Archive) -> Holds {
    let mut buckets = [0_i128; 3];
    for (_, known) in state.books.subaccounts() {
        buckets[0] += i128::from(known.available.cents());
        buckets[1] += i128::from(known.held.cents());
        buckets[2] += i128::from(known.frozen.cents());
    }
    let controls = [Control::Available, Control::Held, Control::Frozen];
    for (control, sum) in controls.into_iter().zip(buckets) {
        equal(control.name(), state.books.balance(control), sum)?;
    }
    Ok(())
}

/// What each partner is owed is what its last row says, and all of it together what is owed.
pub(super) fn commissions(state: &State, archive: &dyn Archive) -> Holds {
    let mut owed = 0_i128;
    for (account, known) in state.books.commissions() {
        let last = known.rows.checked_sub(1);
        let last = last.and_then(|_| archive.commission_row(account, known.rows));
        let reported = last.map_or(0, |row| row.balance_after.cents());
        equal("comm", i128::from(known.balance.cents()), i128::from(reported))?;
        owed += i128::from(known.balance.cents());
    }
    equal("comm", state.books.balance(Control::Commission), owed)
}

/// What is in flight is what the accounts of all operations come to; INV-33 says whose each is.
pub(super) fn flights(state: &State, _: &dyn Archive) -> Holds {
    let controls = [
        Control::PixInFlight,
        Control::PayoutInFlight,
        Control::ConversionInFlight,
        Control::SaleInFlight,
    ];
    for control in controls {
        let own = state.books.flights().filter(|(account, _)| account.control() == control);
        let sum = own.map(|(_, cents)| i128::from(cents)).sum();
        equal(control.name(), state.books.balance(control), sum)?;
    }
    Ok(())
}

/// The rewards of all agents are what is owed for them, and what they cost.
pub(super) fn rewards(state: &State, _: &dyn Archive) -> Holds {
    let rewards = state.books.flights().filter_map(|(account, cents)| match account {
        Account::Reward(agent) if state.member(agent).is_some() => Some(i128::from(cents)),
        _ => None,
    });
    let (owed, sum) = (state.books.balance(Control::Reward), rewards.sum());
    equal(Control::Reward.name(), owed, sum)?;
    equal("exp.reward", state.books.balance(Control::RewardExpense), sum)
}

/// The accounts of products add up to their controls, each was declared as what it is, and none
/// stands below zero that may not.
pub(super) fn products(state: &State, _: &dyn Archive) -> Holds {
    let mut sums = ProductClass::ALL.map(|_| 0_i128);
    let flights = state.books.flights().filter_map(|(account, cents)| {
        Some((account.product()?, None, account.coins()?, i128::from(cents)))
    });
    let coins = state.books.coins();
    let units = coins.filter_map(|(asset, account, units)| {
        Some((account.product()?, Some(asset), account, units))
    });
    for (of, asset, account, net) in flights.chain(units) {
        let declared = state.product_account(of.number).filter(|known| known.asset() == asset);
        let known = declared.and_then(|known| Some((known, known.account(of.number, of.holder)?)));
        let known = known.filter(|(_, known)| known.coins() == Some(account));
        let Some((declared, own)) = known else {
            return Err(format!("{account} was not declared"));
        };
        if state.is_overdrawn(own, net) {
            return Err(format!("{} has {net}", declared.name));
        }
        if asset.is_none() {
            sums[declared.class as usize] += net;
        }
    }
    for (class, sum) in ProductClass::ALL.into_iter().zip(sums) {
        let control = class.account(ProductAccount { number: 0, holder: None }).control();
        equal(control.name(), state.books.net_credit(control), sum)?;
    }
    let half = |machine: &Machine| {
        matches!(machine, Machine::Entry(entry::State::Posting(_) | entry::State::Reversing(_)))
    };
    match state.open_operations().find(|(_, known)| half(&known.machine)) {
        Some((op, _)) => Err(format!("{op:?} is posted in part")),
        None => Ok(()),
    }
}

/// Checks suspense against the operations that wait in it.
pub(super) fn suspense(state: &State, _: &dyn Archive) -> Holds {
    let waiting = state.open_operations().filter_map(|(_, known)| match known.suspense()? {
        suspense::State::Waiting(order) if order.direction == Direction::In => {
            Some(i128::from(order.amount.cents()))
        }
        _ => None,
    });
    equal("susp.pix", state.books.balance(Control::SuspensePix), waiting.sum())
}
