//! Wallet deposits at an address that many requests share (contract 2.5; rulings 68).

use serde_json::{Value, json};

use crate::day::Day;
use crate::market::WALLET;

const NOON: &str = "2026-11-20T12:00:00Z";
const SOON: &str = "2026-11-20T12:10:00Z";
const EXPIRED: &str = "2026-11-20T13:00:00Z";
const LAST: &str = "2026-11-27T12:59:59.999999Z";
const OVER: &str = "2026-11-27T13:00:00Z";

/// A request `w` for 100 USDT, and the amount to send.
fn requested() -> (Day, String) {
    let mut day = Day::walleted(NOON);
    let made = day.deposit_usdt("w", NOON, &json!({ "amount": "100" }));
    assert_eq!(made.status, 201, "{}", made.body);
    (day, made.body["amount_to_send"].as_str().unwrap().to_owned())
}

/// Coins seen at the shared address, in a transaction of their own.
fn seen(day: &mut Day, at: &str, asset: &str, amount: &str, hash: &str) -> Value {
    let report = json!({
        "address": WALLET, "tx_hash": hash, "asset": asset, "network": "polygon", "amount": amount,
    });
    day.report_as("", at, "wallet.deposit.seen", &report)
}

fn status(day: &mut Day, at: &str) -> Value {
    day.wallet_deposit("w", at)["status"].clone()
}

#[test]
fn dust_at_a_shared_address_leaves_its_only_request_waiting() {
    let (mut day, amount) = requested();
    for (asset, sent, hash) in [
        ("USDT", "0.000001", "0xa1"),
        ("USDT", "100", "0xa2"),
        ("USDT", "250", "0xa3"),
        ("USDC", "0.000001", "0xa4"),
    ] {
        let dust = seen(&mut day, SOON, asset, sent, hash);
        assert_eq!(dust["outcome"], "set_aside", "{asset} {sent}");
        assert_eq!(status(&mut day, SOON), "waiting", "{asset} {sent}");
    }
    let own = seen(&mut day, SOON, "USDT", &amount, "0xb1");
    assert_eq!(own["outcome"], "applied");
    let report = json!({ "id": "c", "deposit_id": "$w.deposit_id", "tx_hash": "0xb1" });
    assert_eq!(day.report(SOON, "wallet.deposit.confirmed", &report), "applied");
    assert_eq!(status(&mut day, SOON), "available");
    assert_eq!(day.purse(SOON)[0], amount);
}

#[test]
fn a_foreign_token_of_the_exact_amount_is_nobodys() {
    let (mut day, amount) = requested();
    let foreign = seen(&mut day, SOON, "WETH", &amount, "0xa1");
    assert_ne!(foreign["outcome"], "applied", "{foreign}");
    assert_eq!(status(&mut day, SOON), "waiting");
    assert_eq!(seen(&mut day, SOON, "USDC", &amount, "0xb1")["outcome"], "applied");
    assert_eq!(status(&mut day, SOON), "confirming");
}

#[test]
fn the_late_amount_of_an_expired_request_is_its_own_under_review_for_seven_days() {
    for at in [EXPIRED, LAST] {
        let (mut day, amount) = requested();
        assert_eq!(status(&mut day, EXPIRED), "expired");
        assert_eq!(day.report(at, "time.passed", &json!({})), "applied");
        assert_eq!(seen(&mut day, at, "USDT", "99", "0xa1")["outcome"], "set_aside");
        assert_eq!(status(&mut day, at), "expired", "another amount is not its own");
        assert_eq!(seen(&mut day, at, "USDT", &amount, "0xb1")["outcome"], "applied", "{at}");
        assert_eq!(status(&mut day, at), "under_review");
        let again = seen(&mut day, at, "USDT", &amount, "0xb2");
        assert_eq!(again["outcome"], "set_aside", "one request has one deposit");
    }
    let (mut day, amount) = requested();
    assert_eq!(day.report(OVER, "time.passed", &json!({})), "applied");
    assert_eq!(seen(&mut day, OVER, "USDT", &amount, "0xb1")["outcome"], "set_aside");
    assert_eq!(status(&mut day, OVER), "expired");
}

#[test]
fn an_amount_that_was_credited_finds_no_request_a_second_time() {
    let (mut day, amount) = requested();
    assert_eq!(seen(&mut day, SOON, "USDT", &amount, "0xb1")["outcome"], "applied");
    let report = json!({ "id": "c", "deposit_id": "$w.deposit_id", "tx_hash": "0xb1" });
    assert_eq!(day.report(SOON, "wallet.deposit.confirmed", &report), "applied");
    assert_eq!(day.report(LAST, "time.passed", &json!({})), "applied");
    assert_eq!(seen(&mut day, LAST, "USDT", &amount, "0xb2")["outcome"], "set_aside");
    assert_eq!(day.purse(LAST)[0], amount);
}
