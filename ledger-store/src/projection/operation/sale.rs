//! Cash-out orders and unmatched deposits as rows of `operations`.

use ledger_core::coin::Scale;
use ledger_core::ledger::{Archive, Ledger};
use ledger_core::machine::cash_out::{self, Stage, Waits};
use ledger_core::machine::refund::Refund;
use ledger_core::machine::unmatched_deposit;

use super::{Particulars, asset, network, text};

/// A cash-out order: what it pays, in reais; what it sells, in crypto.
pub(in crate::projection) fn cash_out(state: &cash_out::State) -> Particulars<'_> {
    let Some(progress) = state.progress() else { return Particulars::default() };
    let order = &progress.order;
    let deal = progress.sale.map_or(order.deal, |sale| sale.deal);
    let refund = progress.refund.as_ref();
    let deposit = progress.deposits.first().map(|held| &*held.deposit.hash);
    Particulars {
        state: match progress.stage {
            Stage::Quoted => "quoted",
            Stage::Awaiting => "awaiting_deposit",
            Stage::Expired => "expired",
            Stage::Failed => "failed",
            Stage::Detected => "deposit_detected",
            Stage::Secured => "secured",
            Stage::Paying => "paying",
            // What came back of it is refunded, until that is sent.
            Stage::Completed => progress.refund_waits_for().map_or("completed", refund_state),
            Stage::Review(_) => "under_review",
            Stage::Refunding => refunding(progress.refund_waits_for()),
        },
        external_id: order.external_id.as_deref(),
        amount: Some(deal.net.cents()),
        fee: deal.fees.total(),
        returned: Some(progress.reversed).filter(|as_cents| !as_cents.is_zero()),
        asset: Some(order.asset_name.to_string()),
        network: Some(order.chain_name.to_string()),
        coins: text(Some(order.coins.units), order.scale),
        end_to_end: progress.pix.as_ref().map(|pix| &*pix.e2e),
        transaction: refund.and_then(Refund::sent_hash).or(deposit),
        ..Particulars::default()
    }
}

const fn refunding(waits: Option<Waits>) -> &'static str {
    match waits {
        None => "refunded",
        Some(Waits::Address) => "awaiting_refund_address",
        Some(Waits::Operator | Waits::Evidence) => "under_review",
        Some(Waits::Network) => "refunding",
    }
}

const fn refund_state(waits: Waits) -> &'static str {
    match waits {
        Waits::Address => "awaiting_refund_address",
        Waits::Operator | Waits::Evidence | Waits::Network => "refunding",
    }
}

/// Crypto that no order took.
pub(in crate::projection) fn unmatched_deposit<'a, A: Archive>(
    ledger: &Ledger<A>,
    state: &'a unmatched_deposit::State,
) -> Particulars<'a> {
    let Some(order) = state.order() else { return Particulars::default() };
    let coins = order.deposit.coins;
    let (name, scale): (String, Scale) = asset(ledger, coins.asset);
    Particulars {
        state: match state {
            unmatched_deposit::State::Absent => "absent",
            unmatched_deposit::State::Waiting(..) => "waiting",
            unmatched_deposit::State::Vanished(_) => "vanished",
            unmatched_deposit::State::Refunding(_, refund) if refund.sent_hash().is_some() => {
                "refunded"
            }
            unmatched_deposit::State::Refunding(..) => "refunding",
        },
        asset: Some(name),
        network: network(ledger, coins.chain),
        coins: text(Some(coins.units), scale),
        transaction: Some(&order.deposit.hash),
        ..Particulars::default()
    }
}
