//! What networks and providers report of the USDT wallet.

use ledger_core::coin::Scale;
use ledger_core::machine::wallet::{deposit, payment, withdrawal};
use serde_json::json;

use super::Step;
use super::played::Played;

/// A deposit: seen, and confirmed.
pub fn deposit(played: Played<'_>, state: &deposit::State) -> Option<Step> {
    use deposit::State as At;
    let hash = format!("sandbox-{}", played.name());
    match state {
        At::Waiting(order) => {
            let (coin, _) = order.accepted.first()?;
            let body = json!({
                "tx_hash": hash, "asset": coin.name(), "network": order.network,
                "amount": order.amount.text(Scale::SIX),
            });
            Some(played.step(5, "wallet.deposit.seen", body))
        }
        At::Confirming(progress) => {
            let mark = &progress.transfer.mark;
            let body = json!({ "tx_hash": mark.hash, "output_index": mark.index });
            Some(played.fact(10, "wallet.deposit.confirmed", "confirmed", body))
        }
        At::Absent | At::Expired(_) | At::UnderReview(_) | At::Available(_) | At::Reversed(_) => {
            None
        }
    }
}

/// A payment: its order, its acceptance, the sending, the network, the PIX.
pub fn payment(played: Played<'_>, progress: &payment::Progress) -> Option<Step> {
    use payment::Stage as At;
    let started = |step: &str| {
        let mut body = json!({ "step": step });
        if step == "accepted" {
            body["address"] = format!("sandbox-receives-nothing-{}", played.name()).into();
        }
        played.fact(2, "wallet.payment.started", step, body)
    };
    Some(match progress.stage {
        At::Reserved => started("order_created"),
        At::Ordered => started("accepted"),
        At::Accepted => started("started"),
        At::Sending => {
            let body = json!({ "tx_hash": format!("sandbox-{}", played.name()) });
            played.fact(2, "wallet.payment.sent", "sent", body)
        }
        At::Sent if !progress.confirmed.is_on() => {
            played.fact(3, "wallet.payment.confirmed", "confirmed", json!({}))
        }
        At::Sent => played.step(4, "wallet.payment.paid", json!({ "e2e": played.pix('E', 4) })),
        At::UnderReview | At::Completed | At::Failed | At::FailedAfterSend => return None,
    })
}

/// A withdrawal: funded, converted where that is asked, and sent.
pub fn withdrawal(played: Played<'_>, state: &withdrawal::State) -> Option<Step> {
    use withdrawal::Stage as At;
    let withdrawal::State::UnderWay(progress) = state else { return None };
    let terms = &progress.order.terms;
    Some(match progress.stage {
        At::Reserved => played.fact(3, "wallet.withdrawal.started", "started", json!({})),
        At::Funding => played.fact(3, "wallet.withdrawal.funded", "funded", json!({})),
        At::Converting => {
            let obtained = progress.flight?.text(Scale::SIX);
            let body = json!({ "obtained": obtained });
            played.fact(3, "wallet.withdrawal.converted", "converted", body)
        }
        At::Processing => {
            let body = json!({
                "tx_hash": format!("sandbox-{}", played.name()),
                "received": terms.estimated.text(Scale::SIX),
            });
            played.fact(6, "wallet.withdrawal.sent", "sent", body)
        }
    })
}
