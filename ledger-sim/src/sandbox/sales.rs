//! What a network, an exchange and a provider report of sales, as their endings have it (SBX-01).

use ledger_core::machine::cash_out::{Own, Place, Stage, Standing, Waits};
use ledger_core::terms::{Ending, Route};
use serde_json::{Value, json};

use super::Step;
use super::played::Played;

/// How much longer a slow sale takes: two minutes instead of fifteen seconds.
const SLOW: u32 = 8;

/// How long a sale stays late, in seconds.
const LATE: u32 = 45;

/// What is reported next of a seller's order. Steps of a route add up to fifteen seconds.
pub fn next(played: Played<'_>, standing: &Standing) -> Option<Step> {
    let order = &standing.order;
    if !order.is_sellers() {
        return None;
    }
    let ending = order.ending();
    let pace = if ending == Ending::Slow { SLOW } else { 1 };
    let delayed = standing.delayed.is_on();
    match standing.stage {
        Stage::Awaiting => match ending {
            Ending::Lapse => None,
            Ending::Failure => Some(played.fact(5, "cashout.cancelled", "cancelled", json!({}))),
            _ => Some(played.step(3 * pace, "deposit.seen", deposit(played, standing)?)),
        },
        Stage::Detected if standing.deposits.iter().all(|held| held.confirmed.is_on()) => {
            delayed.then(|| played.fact(LATE, "cashout.resumed", "resumed", json!({})))
        }
        Stage::Detected if ending == Ending::Delay && !delayed => {
            Some(played.fact(3, "cashout.delayed", "delayed", json!({})))
        }
        Stage::Detected => {
            let mut waiting = standing.deposits.iter().filter(|held| !held.confirmed.is_on());
            let body = named(&waiting.next()?.deposit.hash);
            Some(played.step(3 * pace, "deposit.confirmed", body))
        }
        Stage::Secured => sell(played, standing, pace),
        Stage::Paying => pay(played, standing, pace),
        Stage::Refunding | Stage::Completed => {
            let refund = standing.refund.as_ref()?;
            let ready = standing.refund_waits_for() == Some(Waits::Network);
            let body = json!({ "tx_hash": format!("sandbox-refund-{}", played.name()) });
            let name = format!("refunded-{}", refund.attempt);
            ready.then(|| played.fact(5, "refund.sent", &name, body))
        }
        Stage::Quoted | Stage::Expired | Stage::Failed | Stage::Review(_) => None,
    }
}

/// The deposit that nobody makes in the sandbox: exactly what the order asks for.
fn deposit(played: Played<'_>, standing: &Standing) -> Option<Value> {
    let order = &standing.order;
    let first = standing.deposited(Place::Order).is_none();
    first.then(|| {
        json!({
            "tx_hash": format!("sandbox-deposit-{}", played.name()),
            "asset": order.asset_name, "network": order.chain_name,
            "amount": order.coins.units.text(order.scale),
        })
    })
}

/// A transaction by its hash, and its output where it has several.
fn named(hash: &str) -> Value {
    match hash.split_once('#') {
        Some((hash, output)) => json!({ "tx_hash": hash, "output": output.parse::<u16>().ok() }),
        None => json!({ "tx_hash": hash }),
    }
}

/// Sold on its network or at the exchange, and forwarded from there: nine seconds.
fn sell(played: Played<'_>, standing: &Standing, pace: u32) -> Option<Step> {
    let order = &standing.order;
    let forwards = order.route == Route::Convert;
    Some(match standing.own {
        Own::None => played.fact(2 * pace, "sale.started", "selling", json!({})),
        Own::Selling(_) => {
            let gross = standing.sale?.deal.gross();
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
        Own::Sold(_) if forwards => played.fact(pace, "sale.forwarding", "forwarding", json!({})),
        Own::Sold(_) | Own::Done => played.fact(2 * pace, "payment.started", "paying", json!({})),
        Own::Forwarding(_) => {
            let body = json!({ "amount_cents": standing.sale?.deal.gross().cents() });
            played.fact(pace, "sale.forwarded", "forwarded", body)
        }
        // What is lost is found by evidence, and nobody here has any.
        Own::Lost(_) => return None,
    })
}

/// The PIX: what of the fifteen seconds is left.
fn pay(played: Played<'_>, standing: &Standing, pace: u32) -> Option<Step> {
    let order = &standing.order;
    if standing.delayed.is_on() {
        return Some(played.fact(LATE, "cashout.resumed", "resumed", json!({})));
    }
    if standing.tries.lost.is_on() || standing.tries.retry_at.is_some() {
        return None;
    }
    let left = match order.route {
        Route::Fast => 9,
        Route::Liquid if standing.handed.is_none() => {
            return Some(played.fact(3 * pace, "cashout.token_sent", "handed-over", json!({})));
        }
        Route::Liquid => 6,
        Route::Dex | Route::Convert => 3,
    };
    let e2e = played.pix('E', left * pace);
    Some(played.step(left * pace, "cashout.paid", json!({ "e2e": e2e })))
}
