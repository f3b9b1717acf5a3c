//! The wallet's deposits, withdrawals, payments and quotes as rows of a table.

use crate::coin::Scale;
use crate::ledger::ledger_machine::operation_row::{OperationRow, text};
use crate::machine::wallet::{deposit, payment, quote, withdrawal};
use crate::terms::Catalogue;

/// A deposit of crypto, by what arrived or, until then, by what was announced.
pub(super) fn deposit<'a>(state: &'a deposit::State, catalogue: &Catalogue) -> OperationRow<'a> {
    let name = match state {
        deposit::State::Absent => return OperationRow::default(),
        deposit::State::Waiting(_) => "waiting",
        deposit::State::Expired(_) => "expired",
        deposit::State::Confirming(_) => "confirming",
        deposit::State::UnderReview(_) => "under_review",
        deposit::State::Available(_) => "available",
        deposit::State::Reversed(_) => "reversed",
    };
    let arrived = state.arrival().map(|progress| &progress.transfer);
    let chain = arrived.map(|arrived| arrived.chain);
    let asked = state.order().map(|order| order.amount.text(Scale::SIX));
    let known = arrived.map(|arrived| (catalogue.asset_or_number(arrived.asset), arrived.units));
    let (name_of_asset, coins) = match known {
        Some(((name, scale), units)) => (Some(name), text(Some(units), scale)),
        None => (Some("usdt".to_owned()), asked),
    };
    OperationRow {
        state: name,
        asset: name_of_asset,
        network: chain
            .and_then(|chain| catalogue.chain_of(chain).map(str::to_owned))
            .or_else(|| state.order().map(|order| order.network.to_string())),
        coins,
        transaction: arrived.map(|arrived| &*arrived.mark.hash),
        ..OperationRow::default()
    }
}

/// A withdrawal of crypto, by what was sent or, until then, by what was estimated.
pub(super) fn withdrawal(state: &withdrawal::State) -> OperationRow<'_> {
    use withdrawal::{Stage, State as S};
    let Some(progress) = state.progress() else { return OperationRow::default() };
    let (order, terms) = (&progress.order, &progress.order.terms);
    let sent = progress.sent.as_ref();
    OperationRow {
        state: match (state, progress.stage) {
            (S::Absent, _) => "absent",
            (S::UnderWay(_), Stage::Reserved) => "reserved",
            (S::UnderWay(_), Stage::Funding) => "funding",
            (S::UnderWay(_), Stage::Converting) => "converting",
            (S::UnderWay(_), Stage::Processing) => "processing",
            (S::UnderReview(_), _) => "under_review",
            (S::Completed(_), _) => "completed",
            (S::Failed(_), _) => "failed",
        },
        external_id: Some(&order.external_id),
        asset: Some(terms.coin.name().to_lowercase()),
        network: Some(terms.network.to_string()),
        coins: text(Some(sent.map_or(terms.estimated, |sent| sent.received)), Scale::SIX),
        transaction: sent.map(|sent| &*sent.hash),
        ..OperationRow::default()
    }
}

/// A payment from the wallet: its PIX in reais, its cost in crypto.
pub(super) fn payment(state: &payment::State) -> OperationRow<'_> {
    use payment::Stage;
    let Some(progress) = state.progress() else { return OperationRow::default() };
    let order = &progress.order;
    let cost = progress.cashout.map_or(order.estimate, |(_, cost)| cost.units);
    OperationRow {
        state: match progress.stage {
            Stage::Reserved => "reserved",
            Stage::Ordered => "ordered",
            Stage::Accepted => "accepted",
            Stage::Sending => "sending",
            Stage::Sent => "sent",
            Stage::UnderReview => "under_review",
            Stage::Completed => "completed",
            Stage::Failed => "failed",
            Stage::FailedAfterSend => "failed_after_send",
        },
        external_id: order.external_id.as_deref(),
        amount: Some(order.net.cents()),
        asset: Some("usdt".to_owned()),
        coins: text(Some(cost), Scale::SIX),
        end_to_end: progress.pix.as_ref().map(|pix| &*pix.e2e),
        transaction: progress.sent.as_deref(),
        ..OperationRow::default()
    }
}

/// A quote, by what it offers.
pub(super) fn quote(state: &quote::State) -> OperationRow<'_> {
    let name = match state {
        quote::State::Absent => return OperationRow::default(),
        quote::State::Open(_) => "open",
        quote::State::Used(..) => "used",
        quote::State::Lapsed(_) => "lapsed",
    };
    let offer = state.order().map(|order| &order.offer);
    let terms = match offer {
        Some(quote::Offer::Withdrawal(terms)) => terms,
        Some(quote::Offer::Payment(offer)) => {
            return OperationRow {
                state: name,
                amount: Some(offer.net.cents()),
                asset: Some("usdt".to_owned()),
                coins: text(Some(offer.units), Scale::SIX),
                ..OperationRow::default()
            };
        }
        None => return OperationRow::default(),
    };
    OperationRow {
        state: name,
        asset: Some(terms.coin.name().to_lowercase()),
        network: Some(terms.network.to_string()),
        coins: text(Some(terms.estimated), Scale::SIX),
        ..OperationRow::default()
    }
}
