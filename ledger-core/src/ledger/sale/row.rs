//! Cash-out orders and unmatched deposits as rows of a table.

use crate::ledger::ledger_machine::operation_row::{OperationRow, text};
use crate::machine::cash_out::{self, Stage, Waits};
use crate::machine::refund::Refund;
use crate::machine::unmatched_deposit;
use crate::terms::Catalogue;

/// A cash-out order: what it pays, in reais; what it sells, in crypto.
pub(super) fn cash_out(state: &cash_out::State) -> OperationRow<'_> {
    let Some(progress) = state.progress() else { return OperationRow::default() };
    let order = &progress.order;
    let deal = progress.sale.map_or(order.deal, |sale| sale.deal);
    let refund = progress.refund.as_ref();
    let deposit = progress.deposits.first().map(|held| &*held.deposit.hash);
    OperationRow {
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
        ..OperationRow::default()
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
pub(super) fn unmatched_deposit<'a>(
    state: &'a unmatched_deposit::State,
    catalogue: &Catalogue,
) -> OperationRow<'a> {
    let Some(order) = state.order() else { return OperationRow::default() };
    let coins = order.deposit.coins;
    let (name, scale) = catalogue.asset_or_number(coins.asset);
    OperationRow {
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
        network: catalogue.chain_of(coins.chain).map(str::to_owned),
        coins: text(Some(coins.units), scale),
        transaction: order.deposit.transaction(),
        ..OperationRow::default()
    }
}
