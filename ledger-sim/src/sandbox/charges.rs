//! What a provider reports of charges, and what their scenarios ask for (CIN-19, CIN-67).

use ledger_core::contract::Scenario;
use ledger_core::machine::charge::{Arrived, State};
use ledger_core::money::Cents;
use ledger_core::time::Span;
use serde_json::json;

use super::Step;
use super::played::{Played, ScriptedFault, deliver};

/// How long a provider holds what a scenario asks it to hold.
const HOLD: Span = Span::seconds(60);

/// Returns what is reported next of a charge; nobody pays it but `POST
/// /sandbox/cashin/{cashin_id}/pay`.
pub fn next(played: Played<'_>, charge: &State) -> Option<Step> {
    match charge {
        State::UnderReview(arrived) => Some(settle(played, arrived)),
        State::Delayed(arrived) => Some(release(played, arrived)),
        State::Paid(paid) => {
            let goes_back = Scenario::from_order(&paid.order) == Some(Scenario::Refund);
            let whole = goes_back && paid.returned == Cents::ZERO;
            whole.then(|| go_back(played, paid.credit.gross.cents()))
        }
        State::Bought(bought) => {
            if bought.end.is_some() {
                return None;
            }
            let mishap = match Scenario::from_order(&bought.order) {
                Some(Scenario::Refund) => {
                    return Some(go_back(played, bought.payment.amount.cents()));
                }
                Some(Scenario::SettlementFailed) => Some(ScriptedFault::Fails),
                Some(Scenario::SettlementUncertain) => Some(ScriptedFault::GetsLost),
                Some(Scenario::Hold) | None => None,
            };
            deliver(played, &bought.delivery, mishap)
        }
        State::Absent
        | State::Pending(_)
        | State::Expired(_)
        | State::Failed(_)
        | State::Refunded(_) => None,
    }
}

/// A PIX that was seen: held, sent back, or settled sooner or later.
fn settle(played: Played<'_>, arrived: &Arrived) -> Step {
    let settled = |seconds| played.fact(seconds, "provider.settled", "settled", json!({}));
    match Scenario::from_order(&arrived.order) {
        Some(Scenario::Hold) => {
            let until = played.since.after(HOLD).to_string();
            played.fact(3, "provider.held", "held", json!({ "until": until }))
        }
        Some(Scenario::Refund | Scenario::SettlementFailed) => {
            go_back(played, arrived.remaining_balance().cents())
        }
        Some(Scenario::SettlementUncertain) => settled(120),
        None => settled(12),
    }
}

/// Returns what a provider holds is released: when a scenario has it, else as soon as any other
/// flow walks on, however long a provider outside would hold it.
fn release(played: Played<'_>, arrived: &Arrived) -> Step {
    let body = json!({ "id": played.id("released") });
    match (Scenario::from_order(&arrived.order), arrived.until) {
        (Some(Scenario::Hold), Some(until)) => played.at(until, "provider.released", body),
        (Some(Scenario::Hold), None) => {
            played.at(played.since.after(HOLD), "provider.released", body)
        }
        (_, _) => played.step(12, "provider.released", body),
    }
}

/// The whole goes back to the payer.
fn go_back(played: Played<'_>, cents: i64) -> Step {
    let body = json!({ "return_id": played.pix('D', 12), "amount_cents": cents });
    played.step(12, "pix.returned", body)
}
