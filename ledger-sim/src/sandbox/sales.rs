//! What a network, an exchange and a provider report of sales, as their endings have it (SBX-01).

use ledger_core::machine::cash_out::{DepositAccount, Liquidation, Progress, Stage, Waits};
use ledger_core::terms::{Ending, Route};
use serde_json::{Value, json};

use super::Step;
use super::played::Played;

/// How much longer a slow sale takes: two minutes instead of fifteen seconds.
const SLOW: u32 = 8;

/// How long a sale stays late, in seconds.
const LATE: u32 = 45;

/// Returns what is reported next of a seller's order. Steps of a route add up to fifteen seconds.
pub fn next(played: Played<'_>, progress: &Progress) -> Option<Step> {
    let order = &progress.order;
    if !order.is_sellers() {
        return None;
    }
    let ending = order.ending();
    let pace = if ending == Ending::Slow { SLOW } else { 1 };
    let delayed = progress.delayed.is_on();
    match progress.stage {
        Stage::Awaiting => match ending {
            Ending::Lapse => None,
            Ending::Failure => Some(played.fact(5, "cashout.cancelled", "cancelled", json!({}))),
            _ => Some(played.step(3 * pace, "deposit.seen", deposit(played, progress)?)),
        },
        Stage::Detected if progress.deposits.iter().all(|held| held.confirmed.is_on()) => {
            delayed.then(|| played.fact(LATE, "cashout.resumed", "resumed", json!({})))
        }
        Stage::Detected if ending == Ending::Delay && !delayed => {
            Some(played.fact(3, "cashout.delayed", "delayed", json!({})))
        }
        Stage::Detected => {
            let mut waiting = progress.deposits.iter().filter(|held| !held.confirmed.is_on());
            let body = transaction_fields(&waiting.next()?.deposit.hash);
            Some(played.step(3 * pace, "deposit.confirmed", body))
        }
        Stage::Secured => sell(played, progress, pace),
        Stage::Paying => pay(played, progress, pace),
        Stage::Refunding | Stage::Completed => {
            let refund = progress.refund.as_ref()?;
            let ready = progress.refund_waits_for() == Some(Waits::Network);
            let body = json!({ "tx_hash": format!("sandbox-refund-{}", played.name()) });
            let name = format!("refunded-{}", refund.attempt);
            ready.then(|| played.fact(5, "refund.sent", &name, body))
        }
        Stage::Quoted | Stage::Expired | Stage::Failed | Stage::Review(_) => None,
    }
}

/// The deposit that nobody makes in the sandbox: exactly what the order asks for.
fn deposit(played: Played<'_>, progress: &Progress) -> Option<Value> {
    let order = &progress.order;
    let first = progress.deposit_sum(DepositAccount::Order).is_none();
    first.then(|| {
        json!({
            "tx_hash": format!("sandbox-deposit-{}", played.name()),
            "asset": order.asset_name, "network": order.chain_name,
            "amount": order.coins.units.text(order.scale),
        })
    })
}

/// A transaction by its hash, and its output where it has several.
fn transaction_fields(hash: &str) -> Value {
    match hash.split_once('#') {
        Some((hash, output)) => json!({ "tx_hash": hash, "output": output.parse::<u16>().ok() }),
        None => json!({ "tx_hash": hash }),
    }
}

/// Sold on its network or at the exchange, and forwarded from there: nine seconds.
fn sell(played: Played<'_>, progress: &Progress, pace: u32) -> Option<Step> {
    let order = &progress.order;
    let forwards = order.route == Route::Convert;
    Some(match progress.liquidation {
        Liquidation::None => played.fact(2 * pace, "sale.started", "selling", json!({})),
        Liquidation::Selling(_) => {
            let gross = progress.sale?.deal.gross();
            let body = if forwards {
                json!({ "amount_cents": gross.cents() })
            } else {
                let (_, scale) = played.state.catalogue.asset("usdt")?;
                let units = played.state.rate("usdt")?.price.units(gross, scale)?;
                let amount = units.text(scale);
                json!({ "asset": "usdt", "network": "polygon", "amount": amount })
            };
            played.fact(2 * pace, "sale.filled", "sold", body)
        }
        Liquidation::Sold(_) if forwards => {
            played.fact(pace, "sale.forwarding", "forwarding", json!({}))
        }
        Liquidation::Sold(_) | Liquidation::Done => {
            played.fact(2 * pace, "payment.started", "paying", json!({}))
        }
        Liquidation::Forwarding(_) => {
            let body = json!({ "amount_cents": progress.sale?.deal.gross().cents() });
            played.fact(pace, "sale.forwarded", "forwarded", body)
        }
        // What is lost is found by evidence, and nobody here has any.
        Liquidation::Lost(_) => return None,
    })
}

/// The PIX: what of the fifteen seconds is left.
fn pay(played: Played<'_>, progress: &Progress, pace: u32) -> Option<Step> {
    let order = &progress.order;
    if progress.delayed.is_on() {
        return Some(played.fact(LATE, "cashout.resumed", "resumed", json!({})));
    }
    if progress.attempts.lost.is_on() || progress.attempts.retry_at.is_some() {
        return None;
    }
    let left = match order.route {
        Route::Fast => 9,
        Route::Liquid if progress.handed.is_none() => {
            return Some(played.fact(3 * pace, "cashout.token_sent", "handed-over", json!({})));
        }
        Route::Liquid => 6,
        Route::Dex | Route::Convert => 3,
    };
    let e2e = played.pix('E', left * pace);
    let link = |page: &str| format!("https://sandbox.invalid/{page}/{e2e}");
    let body = json!({
        "e2e": e2e, "receipt_url": link("receipts"), "receipt_pdf_url": link("receipts/pdf"),
        "verify_url": link("verify"),
    });
    Some(played.step(left * pace, "cashout.paid", body))
}
