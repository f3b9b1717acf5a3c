//! Receipts of an order that add up, and deposits that are told late (rulings 67 and 75).

use serde_json::json;

use crate::day::{Day, judged};
use crate::market::WALLET;
use crate::selling::{STANDARD, VOLUME, arrival};

const NOON: &str = "2026-11-20T12:00:00Z";
const POLYGON: (&str, &str) = ("usdt", "polygon");
const CODE: &str = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426614174000520400005303986540510.005802BR5913FULANO DE TAL6008BRASILIA62070503***630436D9";

/// An order of 20 USDT that was accepted.
fn awaiting() -> Day {
    let mut day = Day::selling(NOON, STANDARD);
    let body = json!({
        "amount": "20", "pix_key": "bia@exemplo.com.br", "refund_address": WALLET,
    });
    assert_eq!(day.sell("v", NOON, POLYGON, body).status, 200);
    assert_eq!(day.accept("v", NOON).status, 200);
    day
}

/// A receipt that is confirmed, in a transaction of its own.
fn arrives(day: &mut Day, at: &str, hash: &str, pair: (&str, &str), amount: &str) -> String {
    day.sale_reports("v", at, "deposit.confirmed", arrival(hash, pair, amount))
}

/// Time goes on to this instant, by itself.
fn passes(day: &mut Day, at: &str) {
    let line = json!({ "at": at, "fact": "time.passed" });
    assert_eq!(day.line(&line.to_string()).status, 200);
}

#[test]
fn a_trial_does_not_lock_an_order_out_of_its_deposit() {
    let mut day = awaiting();
    assert_eq!(arrives(&mut day, NOON, "0xt1", POLYGON, "1"), "applied");
    assert_eq!(day.state("v", NOON), "MANUAL_REVIEW");
    assert_eq!(arrives(&mut day, NOON, "0xt2", POLYGON, "19"), "applied");
    let order = day.order("v", NOON);
    assert_eq!((&order["state"], &order["brl_amount"]), (&json!("PROCESSING"), &json!("102.95")));
    assert_eq!(order["amount_received"], "20.000000");
    assert_eq!((order["surplus_refunds"].clone(), day.coins("usdt", "refund")), (json!([]), 0));
    // What comes once the PIX is submitted is a refund of its own.
    assert_eq!(arrives(&mut day, NOON, "0xt3", POLYGON, "5"), "set_aside");
    assert_eq!(day.coins("usdt", "refund"), 5_000_000);
}

#[test]
fn outputs_of_one_transaction_add_up() {
    let mut day = awaiting();
    for (output, amount) in [(0, "1"), (1, "19")] {
        let mut body = arrival("0xt1", POLYGON, amount);
        body["output"] = json!(output);
        assert_eq!(day.sale_reports("v", NOON, "deposit.confirmed", body), "applied");
    }
    assert_eq!(day.order("v", NOON)["brl_amount"], "102.95");
}

#[test]
fn a_code_is_paid_in_parts() {
    let mut day = Day::selling(NOON, VOLUME);
    let body = json!({ "br_code": CODE, "refund_address": WALLET });
    assert_eq!(day.sell("v", NOON, POLYGON, body).body["amount"], "2.042593");
    assert_eq!(day.accept("v", NOON).status, 200);
    assert_eq!(arrives(&mut day, NOON, "0xt1", POLYGON, "2"), "applied");
    assert_eq!(day.state("v", NOON), "MANUAL_REVIEW");
    assert_eq!(arrives(&mut day, NOON, "0xt2", POLYGON, "1"), "applied");
    let order = day.order("v", NOON);
    assert_eq!((&order["state"], &order["brl_amount"]), (&json!("PROCESSING"), &json!("10.00")));
    assert_eq!(day.coins("usdt", "refund"), 957_407, "the surplus alone goes back");
}

#[test]
fn a_foreign_token_keeps_a_review_of_its_own() {
    let mut day = awaiting();
    assert_eq!(arrives(&mut day, NOON, "0xf1", ("usdc", "polygon"), "20"), "applied");
    assert_eq!(day.state("v", NOON), "MANUAL_REVIEW");
    assert_eq!(arrives(&mut day, NOON, "0xt1", POLYGON, "20"), "applied");
    let order = day.order("v", NOON);
    assert_eq!((&order["state"], &order["brl_amount"]), (&json!("PROCESSING"), &json!("102.95")));
    let odd = &order["surplus_refunds"][0];
    assert_eq!((&odd["state"], &odd["asset"]), (&json!("MANUAL_REVIEW"), &json!("usdc")));
    assert_eq!(day.coins("usdc", "susp.crypto"), 20_000_000);
    let receipt = odd["receipt_id"].clone();
    let id = day.outside_id();
    let body = json!({
        "id": id, "receipt_id": receipt, "actor": "bia", "reason": "asked",
        "refund_address": WALLET,
    });
    assert_eq!(day.report(NOON, "refund.decided", &body), "applied");
    assert_eq!(day.coins("usdc", "refund"), 20_000_000);
}

#[test]
fn dust_after_expiry_keeps_no_rate_and_takes_no_deposit() {
    let mut day = awaiting();
    let late = "2026-11-20T13:00:00Z";
    day.prices(late);
    assert_eq!(arrives(&mut day, late, "0xd1", POLYGON, "0.01"), "applied");
    assert_eq!(day.state("v", late), "MANUAL_REVIEW");
    let later = "2026-11-22T12:00:00Z";
    passes(&mut day, later);
    assert_eq!(day.price(later, "usdt", "6.00"), "applied");
    assert_eq!(arrives(&mut day, later, "0xt1", POLYGON, "20"), "applied");
    let order = day.order("v", later);
    assert_eq!((&order["state"], &order["rate"]), (&json!("PROCESSING"), &json!("6.00")));
    assert_eq!(order["amount_received"], "20.010000");
}

/// The state of an order whose deposit was seen then and told then.
fn told(seen_at: &str, at: &str) -> String {
    let mut day = awaiting();
    passes(&mut day, at);
    day.prices(at);
    let mut body = arrival("0xt1", POLYGON, "20");
    body["seen_at"] = json!(seen_at);
    assert_eq!(day.sale_reports("v", at, "deposit.seen", body), "applied");
    let confirmed = json!({ "tx_hash": "0xt1" });
    assert_eq!(day.sale_reports("v", at, "deposit.confirmed", confirmed), "applied");
    day.state("v", at)
}

#[test]
fn what_was_in_time_is_paid_however_late_it_is_told() {
    let last = "2026-11-27T12:15:00Z";
    assert_eq!(told(last, "2026-11-27T12:16:00Z"), "PROCESSING", "a revival at its last instant");
    assert_eq!(told("2026-11-20T12:10:00Z", "2026-11-28T12:00:00Z"), "PROCESSING");
    assert_eq!(told("2026-11-25T12:10:00Z", "2027-02-28T12:00:00Z"), "PROCESSING");
    assert_eq!(told("2026-11-27T12:15:00.000001Z", "2026-11-27T12:16:00Z"), "MANUAL_REVIEW");
}

#[test]
fn cout_52_what_a_decision_splits_off_counts_with_the_refund_that_it_makes_due() {
    for (amount, refunds) in [("20", 2), ("50", 0)] {
        let mut day = Day::selling(NOON, VOLUME);
        assert_eq!(day.adopt(NOON, json!({ "auto_refund_max_usdt": 20 })), "applied");
        let body = json!({ "br_code": CODE, "refund_address": WALLET });
        assert_eq!(day.sell("v", NOON, POLYGON, body).status, 200);
        assert_eq!(day.accept("v", NOON).status, 200);
        // Its PIX went and came back before its coins were told of: they are due back, all at once.
        let [e2e, back] = [day.outside_id(), day.outside_id()];
        let returned = json!({ "return_id": back, "amount_cents": 1_000 });
        assert_eq!(day.sale_reports("v", NOON, "cashout.pix_reversed", returned), "set_aside");
        assert_eq!(day.sale_reports("v", NOON, "cashout.paid", json!({ "e2e": e2e })), "set_aside");
        assert_eq!(arrives(&mut day, NOON, "0xt1", POLYGON, amount), "applied");
        assert_eq!(day.state("v", NOON), "REFUNDING_CRYPTO", "{amount}");
        let mut asked = day.instructions().to_vec();
        asked.retain(|it| it["instruction"] == "crypto.refund");
        assert_eq!(asked.len(), refunds, "{amount}");
    }
}

#[test]
fn coins_that_an_order_went_on_without_and_that_are_lost_are_known_to_be_gone() {
    for parted_first in [true, false] {
        let mut day = awaiting();
        assert_eq!(arrives(&mut day, NOON, "0xf1", ("usdc", "polygon"), "20"), "applied");
        let gone = json!({ "tx_hash": "0xf1", "cashout_id": "$v.cashout_id" });
        let vanished = |day: &mut Day| day.report_as("", NOON, "deposit.vanished", &gone);
        let claim = if parted_first {
            assert_eq!(arrives(&mut day, NOON, "0xt1", POLYGON, "20"), "applied");
            vanished(&mut day)
        } else {
            let claim = vanished(&mut day);
            assert_eq!(arrives(&mut day, NOON, "0xt1", POLYGON, "20"), "applied");
            claim
        };
        assert_eq!(claim["outcome"], "set_aside", "{claim}");
        let body = judged(json!({
            "id": day.outside_id(), "stray_id": claim["stray_id"], "outcome": "lost",
        }));
        assert_eq!(day.report(NOON, "stray.settled", &body), "applied", "{claim}");
        assert_eq!(vanished(&mut day)["outcome"], "known", "parted first: {parted_first}");
        assert_eq!(day.coins("usdc", "susp.crypto"), 0);
    }
}
