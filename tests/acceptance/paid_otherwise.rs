//! A PIX that was told paid with another amount than is owed, or whose coins were told sent back:
//! nobody is handed another one while that waits for a person (rulings 45 and 70).

use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, judged};
use crate::selling::{VOLUME, arrival, markets};
use crate::wallet_payments::{paid, reserved, resolve, sent, stands, step};

const NOON: &str = "2026-11-20T12:00:00Z";
const LATER: &str = "2026-11-20T13:30:00Z";

/// Hands out the PIX of an operation: the outcome.
fn hand_out(day: &mut Day, operation: &Value, step: &str) -> String {
    let operation = operation.as_str().unwrap();
    let body = json!({ "operation": operation, "idempotency_key": format!("{operation}:{step}") });
    day.report(NOON, "instruction.handed_out", &body)
}

/// Reports the PIX of an operation paid, with a centavo less than is owed.
fn paid_short(day: &mut Day, fact: &str, named: &str, id: &Value) -> Value {
    let mut body = json!({ "e2e": day.outside_id(), "amount_cents": 9_999 });
    body[named] = id.clone();
    day.report_as("told", NOON, fact, &body)["suspense_id"].clone()
}

#[test]
fn a_payout_told_paid_with_another_amount_is_handed_to_nobody() {
    for stopped in [false, true] {
        let mut day = Day::with_terms(NOON, AT_ONCE);
        day.deposit("d", NOON, "a", 20_000);
        let payout = day.payout("o", NOON, "a", 10_000).body["payout_id"].clone();
        let judge = |day: &mut Day, fact: &str| {
            let id = day.outside_id();
            day.report(NOON, fact, &judged(json!({ "id": id, "payout_id": payout })))
        };
        if stopped {
            assert_eq!(judge(&mut day, "payout.stopped"), "applied");
        }
        assert_ne!(paid_short(&mut day, "payout.paid", "payout_id", &payout), Value::Null);
        if stopped {
            assert_eq!(judge(&mut day, "payout.cleared"), "applied");
        }
        let shown = day.get(NOON, "/payouts?external_id=o")["payouts"][0].clone();
        assert_eq!(shown["status"], "uncertain", "stopped before: {stopped}");
        assert_eq!(hand_out(&mut day, &payout, "send"), "set_aside");
        // Evidence ends it.
        let id = day.outside_id();
        let body = judged(json!({ "id": id, "payout_id": payout, "outcome": "not_paid" }));
        assert_eq!(day.report(NOON, "payout.evidence", &body), "applied");
    }
}

/// The state of a sale, and what handing out its first PIX comes to.
fn sale_after(mut day: Day) -> (String, String) {
    let order = day.order("v", NOON)["cashout_id"].clone();
    (day.state("v", NOON), hand_out(&mut day, &order, "send:1"))
}

#[test]
fn the_pix_of_a_sale_told_paid_with_another_amount_is_handed_to_nobody() {
    let review = || ("MANUAL_REVIEW".to_owned(), "set_aside".to_owned());
    let short = |day: &mut Day| {
        let order = day.order("v", NOON)["cashout_id"].clone();
        paid_short(day, "cashout.paid", "cashout_id", &order)
    };
    let mut day = Day::selling(NOON, VOLUME);
    day.selling_now("v", NOON, "100.00");
    short(&mut day);
    assert_eq!(sale_after(day), review());
    // Told before its coins were confirmed.
    let mut day = Day::selling(NOON, VOLUME);
    day.sold("v", NOON, "100.00");
    day.accept("v", NOON);
    let amount = day.order("v", NOON)["amount"].as_str().unwrap().to_owned();
    let deposit = arrival("0xd", ("usdt", "polygon"), &amount);
    assert_eq!(day.sale_reports("v", NOON, "deposit.seen", deposit), "applied");
    short(&mut day);
    let confirmed = json!({ "tx_hash": "0xd" });
    assert_eq!(day.sale_reports("v", NOON, "deposit.confirmed", confirmed), "applied");
    assert_eq!(sale_after(day), review());
}

#[test]
fn the_pix_of_a_sale_told_paid_with_another_amount_is_not_tried_again_until_it_came_back() {
    let mut day = Day::selling(NOON, VOLUME);
    day.selling_now("v", NOON, "100.00");
    let order = day.order("v", NOON)["cashout_id"].clone();
    assert_eq!(hand_out(&mut day, &order, "send:1"), "applied");
    paid_short(&mut day, "cashout.paid", "cashout_id", &order);
    assert_eq!(day.state("v", NOON), "PROCESSING", "it may have been paid");
    assert_eq!(day.sale_reports("v", NOON, "cashout.send_failed", json!({})), "applied");
    assert_eq!(day.state("v", NOON), "MANUAL_REVIEW");
    let asked = day.instructions().len();
    // The bank gave that PIX back: another one is asked for.
    let back = json!({ "return_id": day.outside_id(), "amount_cents": 9_999 });
    assert_eq!(day.sale_reports("v", NOON, "cashout.pix_reversed", back), "set_aside");
    assert_eq!(day.sale_reports("v", NOON, "cashout.send_failed", json!({})), "applied");
    assert_eq!(day.state("v", LATER), "PROCESSING");
    assert_eq!(day.instructions().len(), asked + 1);
}

#[test]
fn a_refund_held_back_for_a_pix_told_paid_goes_on_once_that_came_back() {
    let mut day = Day::selling(NOON, VOLUME);
    day.selling_now("v", NOON, "100.00");
    assert_eq!(day.sale_reports("v", NOON, "cashout.pix_impossible", json!({})), "applied");
    assert_eq!(day.sale_paid("v", NOON), "set_aside");
    assert_eq!(day.state("v", NOON), "MANUAL_REVIEW");
    let back = json!({ "return_id": day.outside_id(), "amount_cents": 10_000 });
    assert_eq!(day.sale_reports("v", NOON, "cashout.pix_reversed", back), "set_aside");
    assert_eq!(day.sale_reports("v", NOON, "refund.failed", json!({})), "applied");
    assert_eq!(day.state("v", NOON), "REFUNDING_CRYPTO");
}

#[test]
fn the_pix_of_a_wallets_payment_told_paid_with_another_amount_is_handed_to_nobody() {
    for early in [true, false] {
        let mut day = if early { reserved() } else { sent() };
        if early {
            assert_eq!(step(&mut day, "order_created"), "applied");
            assert_eq!(step(&mut day, "accepted"), "applied");
        }
        let order = day.payment("p", NOON)["cashout_id"].clone();
        if !early {
            assert_eq!(day.payment_reports("p", NOON, "confirmed", json!({})), "applied");
        }
        paid_short(&mut day, "cashout.paid", "cashout_id", &order);
        if early {
            let sent = json!({ "tx_hash": "0xf1" });
            assert_eq!(day.payment_reports("p", NOON, "sent", sent), "applied");
            assert_eq!(day.payment_reports("p", NOON, "confirmed", json!({})), "applied");
        }
        assert_eq!(stands(&mut day), "revisao", "told early: {early}");
        assert_eq!(hand_out(&mut day, &order, "send:1"), "set_aside");
        // A person finds that its own PIX was paid.
        assert_eq!(resolve(&mut day, "paid", paid("4110")), "applied");
        assert_eq!(stands(&mut day), "concluido");
    }
}

/// An accepted order of `v` whose coins are sold before its PIX is sent.
fn selling_on_arbitrum() -> Day {
    let mut day = Day::selling(NOON, VOLUME);
    let id = day.outside_id();
    let body = json!({ "id": id, "items": markets() });
    assert_eq!(day.report(NOON, "markets.updated", &body), "applied");
    let body = json!({ "brl_amount": "100.00", "pix_key": "ana@exemplo.com.br" });
    assert_eq!(day.sell("v", NOON, ("usdt", "arbitrum"), body).status, 200);
    day.accept("v", NOON);
    day
}

#[test]
fn nothing_is_sold_for_coins_that_vanished_and_a_seller_lets_no_refund_of_them_go() {
    let mut day = selling_on_arbitrum();
    let amount = day.order("v", NOON)["amount"].as_str().unwrap().to_owned();
    day.deposited_of("v", NOON, ("usdt", "arbitrum"), &amount);
    let hash = json!({ "tx_hash": "0xv" });
    assert_eq!(day.sale_reports("v", NOON, "deposit.vanished", hash), "set_aside");
    assert_eq!(day.state("v", NOON), "AWAITING_REFUND_ADDRESS");
}

/// A refund of an order, told sent by the world: its outcome.
fn told_sent_back(day: &mut Day) -> String {
    day.sale_reports("v", NOON, "refund.sent", json!({ "tx_hash": "0xback" }))
}

#[test]
fn the_pix_of_a_sale_whose_refund_was_told_sent_is_handed_to_nobody() {
    let mut day = Day::selling(NOON, VOLUME);
    day.sold("v", NOON, "100.00");
    day.accept("v", NOON);
    let amount = day.order("v", NOON)["amount"].as_str().unwrap().to_owned();
    let deposit = arrival("0xd", ("usdt", "polygon"), &amount);
    assert_eq!(day.sale_reports("v", NOON, "deposit.seen", deposit), "applied");
    assert_eq!(told_sent_back(&mut day), "set_aside");
    let confirmed = json!({ "tx_hash": "0xd" });
    assert_eq!(day.sale_reports("v", NOON, "deposit.confirmed", confirmed), "applied");
    assert_eq!(day.state("v", NOON), "MANUAL_REVIEW");
    let order = day.order("v", NOON)["cashout_id"].clone();
    assert_eq!(hand_out(&mut day, &order, "send:1"), "set_aside");
    // Rulings 46: the decision that makes the refund due books it, and nobody sends it again.
    assert_eq!(day.sale_reports("v", NOON, "cashout.pix_impossible", json!({})), "applied");
    assert_eq!(day.state("v", NOON), "REFUNDED");
    assert_eq!(day.coins("usdt", "recv.prov"), 0);
}

#[test]
fn nothing_is_sold_for_coins_that_were_told_sent_back() {
    let mut day = selling_on_arbitrum();
    let amount = day.order("v", NOON)["amount"].as_str().unwrap().to_owned();
    let deposit = arrival("0xd", ("usdt", "arbitrum"), &amount);
    assert_eq!(day.sale_reports("v", NOON, "deposit.seen", deposit), "applied");
    assert_eq!(told_sent_back(&mut day), "set_aside");
    let confirmed = json!({ "tx_hash": "0xd" });
    assert_eq!(day.sale_reports("v", NOON, "deposit.confirmed", confirmed), "applied");
    assert_eq!(day.state("v", NOON), "AWAITING_REFUND_ADDRESS");
    assert_eq!(day.sale_reports("v", NOON, "sale.started", json!({})), "set_aside");
}

#[test]
fn a_refund_told_sent_once_the_payment_began_is_a_claim_that_its_refund_ends() {
    for handed_out in [false, true] {
        let mut day = Day::selling(NOON, VOLUME);
        day.selling_now("v", NOON, "100.00");
        let order = day.order("v", NOON)["cashout_id"].clone();
        if handed_out {
            assert_eq!(hand_out(&mut day, &order, "send:1"), "applied");
        }
        assert_eq!(told_sent_back(&mut day), "set_aside");
        assert_ne!(day.coins("usdt", "recv.prov"), 0, "ruling 1: what was sent is booked");
        let asked = day.instructions().len();
        if handed_out {
            // Another try is not asked for.
            assert_eq!(day.sale_reports("v", NOON, "cashout.send_failed", json!({})), "applied");
        }
        assert_eq!(day.state("v", LATER), "MANUAL_REVIEW");
        assert_eq!(day.sale_reports("v", LATER, "cashout.pix_impossible", json!({})), "applied");
        assert_eq!(day.state("v", LATER), "REFUNDED");
        assert_eq!((day.coins("usdt", "recv.prov"), day.instructions().len()), (0, asked));
    }
}

#[test]
fn a_refund_told_sent_before_any_deposit_is_a_claim_and_holds_the_pix_back() {
    let mut day = Day::selling(NOON, VOLUME);
    day.sold("v", NOON, "100.00");
    day.accept("v", NOON);
    assert_eq!(told_sent_back(&mut day), "set_aside");
    assert_ne!(day.coins("usdt", "recv.prov"), 0, "ruling 1: what was sent is booked");
    let amount = day.order("v", NOON)["amount"].as_str().unwrap().to_owned();
    day.deposited("v", NOON, &amount);
    assert_eq!(day.state("v", NOON), "MANUAL_REVIEW");
}
