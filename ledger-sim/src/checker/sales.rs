//! Comparison of sales, unmatched deposits, and what recipients were promised.

use ledger_core::accounting::Account;
use ledger_core::coin::Units;
use ledger_core::id::OpId;
use ledger_core::ledger::{Operation, State};
use ledger_core::machine::cash_out::{
    Liquidation as CoreLiquidation, Proceeds, Progress, ReviewReason, Sale as Sold, Stage,
};
use ledger_core::machine::refund::{Coins, Refund, RefundStatus};
use ledger_core::machine::unmatched_deposit;
use ledger_core::money::Amount;
use ledger_core::terms::Deal;
use ledger_core::time::Instant;

use super::{equal, equal_named};
use crate::failure::wrong::Mismatch;
use crate::oracle::{
    Coin, Due, Got, Liquidation, Oracle, Phase, Reason, Sale, Split, UnmatchedDepositStatus, Way,
};
use crate::spelling::canonical;

/// A deposit: transaction, what, whether it is confirmed, how often.
type HeldView = (Box<str>, Coin, bool, Option<u16>);

/// Sends: how many, the first failure, the next one, whether the last is lost.
type TriesView = (u32, Option<Instant>, Option<Instant>, bool);

/// How far it is: phase, whether late, its deposits, its promises in all, the sends.
type ProgressView = (Phase, bool, Vec<HeldView>, i64, TriesView);

/// Its money: what is agreed, what is sold, the liquidation, at the provider, reversed, given back,
/// in flight.
type MoneyView =
    ((Coin, Split), Option<(Coin, Split)>, Liquidation, [Option<u128>; 2], i64, Option<i64>, i64);

pub(super) fn compare_sale(
    oracle: &Oracle,
    state: &State,
    op: OpId,
    operation: &Operation,
) -> Result<(), Mismatch> {
    let sale = &oracle.sales[&op];
    let found = operation.cash_out().and_then(|order| order.progress());
    let progress = found.ok_or_else(|| format!("{op:?} is no order"))?;
    equal_named(|| format!("{op:?}"), progress_of(sale), progress_found(progress))?;
    equal_named(|| format!("{op:?}"), money_of(sale), money_found(state, op, progress))?;
    let found = progress.refund.as_ref().map(refund_found);
    equal_named(|| format!("{op:?}, its refund"), sale.refund.clone(), found)
}

/// What each recipient was promised and each agent's account sent, on every day that still matters.
pub(super) fn compare_days(oracle: &Oracle, state: &State) -> Result<(), Mismatch> {
    for (recipient, ends, sum) in state.promised_sums() {
        let expected = oracle.promised.get(&(recipient, ends)).copied().unwrap_or(0);
        equal("what a recipient was promised", expected, sum.cents())?;
    }
    for (account, ends, sum) in state.sent_by_day() {
        let (expected, _) = oracle.sent_on(account, ends, None);
        equal("what an agent's account sends", expected, sum.cents())?;
    }
    Ok(())
}

fn progress_of(sale: &Sale) -> ProgressView {
    let held = sale.deposits.iter();
    let held = held.map(|it| (it.hash.clone(), it.coin, it.confirmed, it.confirmations));
    let attempts = sale.attempts;
    let attempts = (attempts.count, attempts.first, attempts.again_at, attempts.lost);
    (sale.phase, sale.delayed, held.collect(), sale.promised, attempts)
}

fn progress_found(progress: &Progress) -> ProgressView {
    let held = progress.deposits.iter().map(|held| {
        let (deposit, confirmed) = (&held.deposit, held.confirmed.is_on());
        (canonical(&deposit.hash), coin(deposit.coins), confirmed, held.confirmations)
    });
    let promised = progress.counted.cents();
    let attempts = progress.attempts;
    let attempts = (attempts.count, attempts.first, attempts.retry_at, attempts.lost.is_on());
    let delayed = progress.delayed.is_on();
    (phase(progress.stage), delayed, held.collect(), promised, attempts)
}

fn money_of(sale: &Sale) -> MoneyView {
    let agreed = (sale.coin, sale.split);
    let bounds = [sale.handed, sale.alone];
    let (back, flight) = (sale.given_back, sale.in_flight());
    (agreed, sale.sold, sale.liquidation, bounds, sale.reversed, back, flight)
}

fn money_found(state: &State, op: OpId, progress: &Progress) -> MoneyView {
    let order = &progress.order;
    let agreed = (coin(order.coins), split(order.deal));
    let sold = progress.sale.map(|Sold { coins, deal }| (coin(coins), split(deal)));
    let handed = progress.handed.map(|coins| coins.units.get());
    let bounds = [handed, order.refund_alone.map(Units::get)];
    let back = progress.given_back.map(Amount::cents);
    let flight = state.books.flight(Account::SaleInFlight(op));
    (
        agreed,
        sold,
        liquidation(progress.liquidation),
        bounds,
        progress.reversed.cents(),
        back,
        flight,
    )
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
        Stage::Review(reason) => Phase::Review(match reason {
            ReviewReason::Strange => Reason::Strange,
            ReviewReason::Short => Reason::Short,
            ReviewReason::TooMuch => Reason::TooMuch,
            ReviewReason::Unpriced => Reason::Unpriced,
            ReviewReason::KeyRefused => Reason::KeyRefused,
            ReviewReason::Stopped => Reason::Stopped,
            ReviewReason::SaleLost => Reason::SaleLost,
            ReviewReason::ReturnAwaited => Reason::ReturnAwaited,
            ReviewReason::RecipientDay => Reason::RecipientDay,
            ReviewReason::RecipientOrder => Reason::RecipientOrder,
            ReviewReason::MandateOperation => Reason::MandateOperation,
            ReviewReason::MandateDay => Reason::MandateDay,
            ReviewReason::MandateRecipient => Reason::MandateRecipient,
        }),
    }
}

fn liquidation(liquidation: CoreLiquidation) -> Liquidation {
    let got = |proceeds| match proceeds {
        Proceeds::Coins(coins) => Got::Coins(coin(coins)),
        Proceeds::Reais(amount) => Got::Reais(amount.cents()),
    };
    match liquidation {
        CoreLiquidation::None => Liquidation::None,
        CoreLiquidation::Selling(coins) => Liquidation::Selling(coin(coins)),
        CoreLiquidation::Lost(coins) => Liquidation::Lost(coin(coins)),
        CoreLiquidation::Sold(proceeds) => Liquidation::Sold(got(proceeds)),
        CoreLiquidation::Forwarding(proceeds) => Liquidation::Forwarding(got(proceeds)),
        CoreLiquidation::Done => Liquidation::Done,
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
    let way = match &refund.status {
        RefundStatus::Due => Way::Due,
        RefundStatus::Lost => Way::Lost,
        RefundStatus::Sent(hash) => Way::Sent(canonical(hash)),
    };
    let (to, allowed) = (refund.to.clone(), refund.allowed.is_on());
    Due { coin: coin(refund.coins), to, allowed, way, attempt: refund.attempt }
}

/// What it is of, for which order, to which wallet, how far it is, and its refund.
pub(super) type UnmatchedDepositView =
    (Coin, Option<OpId>, Option<Box<str>>, UnmatchedDepositStatus, Option<Due>);

pub(super) fn unmatched_of(oracle: &Oracle, op: OpId) -> UnmatchedDepositView {
    let unmatched = &oracle.unmatched[&op];
    let wallet = unmatched.wallet.clone();
    (unmatched.coin, unmatched.about, wallet, unmatched.phase, unmatched.refund.clone())
}

pub(super) fn unmatched_found(operation: &Operation) -> Option<UnmatchedDepositView> {
    let state = operation.unmatched_deposit()?;
    let order = state.order()?;
    let phase = match state {
        unmatched_deposit::State::Absent => return None,
        unmatched_deposit::State::Waiting(_, confirmed) if confirmed.is_on() => {
            UnmatchedDepositStatus::Confirmed
        }
        unmatched_deposit::State::Waiting(..) => UnmatchedDepositStatus::Unconfirmed,
        unmatched_deposit::State::Vanished(_) => UnmatchedDepositStatus::Vanished,
        unmatched_deposit::State::Refunding(..) => UnmatchedDepositStatus::Refunding,
    };
    let refund = state.refund().map(refund_found);
    Some((coin(order.deposit.coins), order.about, order.to.clone(), phase, refund))
}
