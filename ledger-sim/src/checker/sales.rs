//! Comparison of sales, receipts, and what recipients were promised.

use ledger_core::accounting::Account;
use ledger_core::coin::Units;
use ledger_core::id::OpId;
use ledger_core::ledger::{Operation, State};
use ledger_core::machine::cash_out::{Own, Proceeds, Sale as Sold, Stage, Standing, Why};
use ledger_core::machine::receipt;
use ledger_core::machine::refund::{Coins, Course, Refund};
use ledger_core::money::Amount;
use ledger_core::terms::Deal;
use ledger_core::time::Instant;

use super::{equal, equal_named};
use crate::failure::wrong::Mismatch;
use crate::oracle::{
    Coin, Due, Got, Leg, Oracle, Phase, Reason, Receipt, ReceiptPhase, Sale, Split, Way,
};

/// A deposit: transaction, what, whether it is confirmed, how often.
type HeldTold = (Box<str>, Coin, bool, Option<u16>);

/// Sends: how many, the first failure, the next one, whether the last is lost.
type TriesTold = (u32, Option<Instant>, Option<Instant>, bool);

/// How far it is: phase, whether late, its deposits, its promises in all, the sends.
type ProgressTold = (Phase, bool, Vec<HeldTold>, i64, TriesTold);

/// Its money: what is agreed, what is sold, the own leg, at the provider, reversed, given back, in
/// flight.
type MoneyTold =
    ((Coin, Split), Option<(Coin, Split)>, Leg, [Option<u128>; 2], i64, Option<i64>, i64);

pub(super) fn compare_sale(
    oracle: &Oracle,
    state: &State,
    op: OpId,
    operation: &Operation,
) -> Result<(), Mismatch> {
    let sale = &oracle.sales[&op];
    let found = operation.cash_out().and_then(|order| order.standing());
    let standing = found.ok_or_else(|| format!("{op:?} is no order"))?;
    equal_named(|| format!("{op:?}"), progress_of(sale), progress_found(standing))?;
    equal_named(|| format!("{op:?}"), money_of(sale), money_found(state, op, standing))?;
    let found = standing.refund.as_ref().map(refund_found);
    equal_named(|| format!("{op:?}, its refund"), sale.refund.clone(), found)
}

pub(super) fn compare_receipt(
    oracle: &Oracle,
    op: OpId,
    operation: &Operation,
) -> Result<(), Mismatch> {
    let found = operation.receipt().ok_or_else(|| format!("{op:?} is no receipt"))?;
    let expected = &oracle.receipts[&op];
    equal_named(|| format!("{op:?}"), Some(receipt_of(expected)), receipt_found(found))
}

/// What each recipient was promised and each agent's account sent, on every day that still matters.
pub(super) fn compare_days(oracle: &Oracle, state: &State) -> Result<(), Mismatch> {
    for (recipient, ends, sum) in state.promised() {
        let expected = oracle.promised.get(&(recipient, ends)).copied().unwrap_or(0);
        equal("what a recipient was promised", expected, sum.cents())?;
    }
    for (account, ends, sum) in state.sent_by_day() {
        let (expected, _) = oracle.sent_on(account, ends, None);
        equal("what an agent's account sends", expected, sum.cents())?;
    }
    Ok(())
}

fn progress_of(sale: &Sale) -> ProgressTold {
    let held = sale.deposits.iter();
    let held = held.map(|it| (it.hash.clone(), it.coin, it.confirmed, it.confirmations));
    let tries = sale.tries;
    let tries = (tries.count, tries.first, tries.again_at, tries.lost);
    (sale.phase, sale.delayed, held.collect(), sale.promised, tries)
}

fn progress_found(standing: &Standing) -> ProgressTold {
    let held = standing.deposits.iter().map(|held| {
        let (deposit, confirmed) = (&held.deposit, held.confirmed.is_on());
        (deposit.hash.clone(), coin(deposit.coins), confirmed, held.confirmations)
    });
    let promised = standing.counted.cents();
    let tries = standing.tries;
    let tries = (tries.count, tries.first, tries.retry_at, tries.lost.is_on());
    let delayed = standing.delayed.is_on();
    (phase(standing.stage), delayed, held.collect(), promised, tries)
}

fn money_of(sale: &Sale) -> MoneyTold {
    let agreed = (sale.coin, sale.split);
    let bounds = [sale.handed, sale.alone];
    let (back, flight) = (sale.given_back, sale.in_flight());
    (agreed, sale.sold, sale.leg, bounds, sale.reversed, back, flight)
}

fn money_found(state: &State, op: OpId, standing: &Standing) -> MoneyTold {
    let order = &standing.order;
    let agreed = (coin(order.coins), split(order.deal));
    let sold = standing.sale.map(|Sold { coins, deal }| (coin(coins), split(deal)));
    let handed = standing.handed.map(|coins| coins.units.get());
    let bounds = [handed, order.refund_alone.map(Units::get)];
    let back = standing.given_back.map(Amount::cents);
    let flight = state.books.flight(Account::SaleInFlight(op));
    (agreed, sold, leg(standing.own), bounds, standing.reversed.cents(), back, flight)
}

const fn phase(stage: Stage) -> Phase {
    match stage {
        Stage::Quoted => Phase::Quoted,
        Stage::Awaiting => Phase::Awaiting,
        Stage::Expired => Phase::Expired,
        Stage::Failed => Phase::Failed,
        Stage::Detected => Phase::Detected,
        Stage::Secured => Phase::Secured,
        Stage::Paying => Phase::Paying,
        Stage::Completed => Phase::Completed,
        Stage::Refunding => Phase::Refunding,
        Stage::Review(why) => Phase::Review(match why {
            Why::Strange => Reason::Strange,
            Why::Short => Reason::Short,
            Why::TooMuch => Reason::TooMuch,
            Why::Unpriced => Reason::Unpriced,
            Why::KeyRefused => Reason::KeyRefused,
            Why::Stopped => Reason::Stopped,
            Why::SaleLost => Reason::SaleLost,
            Why::ReturnAwaited => Reason::ReturnAwaited,
            Why::RecipientDay => Reason::RecipientDay,
            Why::RecipientOrder => Reason::RecipientOrder,
            Why::MandateOperation => Reason::MandateOperation,
            Why::MandateDay => Reason::MandateDay,
            Why::MandateRecipient => Reason::MandateRecipient,
        }),
    }
}

fn leg(own: Own) -> Leg {
    let got = |proceeds| match proceeds {
        Proceeds::Coins(coins) => Got::Coins(coin(coins)),
        Proceeds::Reais(amount) => Got::Reais(amount.cents()),
    };
    match own {
        Own::None => Leg::None,
        Own::Selling(coins) => Leg::Selling(coin(coins)),
        Own::Lost(coins) => Leg::Lost(coin(coins)),
        Own::Sold(proceeds) => Leg::Sold(got(proceeds)),
        Own::Forwarding(proceeds) => Leg::Forwarding(got(proceeds)),
        Own::Done => Leg::Done,
    }
}

fn coin(coins: Coins) -> Coin {
    Coin { asset: coins.asset.0, chain: coins.chain.0, units: coins.units.get() }
}

pub(super) fn split(deal: Deal) -> Split {
    Split {
        net: deal.net.cents(),
        house: deal.fees.house.cents(),
        partner: deal.fees.partner.cents(),
        reserve: deal.reserve.cents(),
        residue: deal.residue.cents(),
    }
}

fn refund_found(refund: &Refund) -> Due {
    let way = match &refund.course {
        Course::Due => Way::Due,
        Course::Lost => Way::Lost,
        Course::Sent(hash) => Way::Sent(hash.clone()),
    };
    let (to, allowed) = (refund.to.clone(), refund.allowed.is_on());
    Due { coin: coin(refund.coins), to, allowed, way, attempt: refund.attempt }
}

/// What it is of, for which order, to which wallet, how far it is, and its refund.
type ReceiptTold = (Coin, Option<OpId>, Option<Box<str>>, ReceiptPhase, Option<Due>);

fn receipt_of(receipt: &Receipt) -> ReceiptTold {
    let wallet = receipt.wallet.clone();
    (receipt.coin, receipt.about, wallet, receipt.phase, receipt.refund.clone())
}

fn receipt_found(state: &receipt::State) -> Option<ReceiptTold> {
    let order = state.order()?;
    let phase = match state {
        receipt::State::Absent => return None,
        receipt::State::Waiting(_, confirmed) if confirmed.is_on() => ReceiptPhase::Confirmed,
        receipt::State::Waiting(..) => ReceiptPhase::Unconfirmed,
        receipt::State::Vanished(_) => ReceiptPhase::Vanished,
        receipt::State::Refunding(..) => ReceiptPhase::Refunding,
    };
    let refund = state.refund().map(refund_found);
    Some((coin(order.deposit.coins), order.about, order.to.clone(), phase, refund))
}
