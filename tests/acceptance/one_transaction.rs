//! One transaction is counted once, by whatever door it is told: a sale's deposit or a wallet's
//! (rulings 8 and 64; OUT-15).

use serde_json::{Value, json};

use crate::day::Day;
use crate::market::WALLET;
use crate::selling::{arrival, markets};

const NOON: &str = "2026-11-20T12:00:00Z";
const POLYGON: (&str, &str) = ("usdt", "polygon");
const HASH: &str = "0x6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b";

/// A wallet's request `w` and a sale `v`, each of which waits for 100 USDT.
fn awaited() -> Day {
    let mut day = Day::walleted(NOON);
    let markets = json!({ "id": day.outside_id(), "items": markets() });
    assert_eq!(day.report(NOON, "markets.updated", &markets), "applied");
    day.prices(NOON);
    assert_eq!(day.deposit_usdt("w", NOON, &json!({ "amount": "100" })).status, 201);
    let body = json!({
        "amount": "100", "pix_key": "bia@exemplo.com.br", "refund_address": WALLET,
    });
    assert_eq!(day.sell("v", NOON, POLYGON, body).status, 200);
    assert_eq!(day.accept("v", NOON).status, 200);
    day
}

fn seen(day: &mut Day, hash: &str) -> Value {
    day.seen_usdt("w", NOON, json!({ "tx_hash": hash }))
}

fn deposited(day: &mut Day, hash: &str) -> String {
    day.sale_reports("v", NOON, "deposit.confirmed", arrival(hash, POLYGON, "100"))
}

/// Confirmed in full: it implies that it was seen.
fn confirmed(day: &mut Day, hash: &str) -> Value {
    let body = json!({
        "id": day.outside_id(), "deposit_id": "$w.deposit_id", "tx_hash": hash,
        "asset": "USDT", "network": "polygon", "amount": "$w.amount_to_send",
    });
    day.report_as("", NOON, "wallet.deposit.confirmed", &body)
}

fn is_taken(answer: &Value) {
    assert_eq!((&answer["outcome"], &answer["reason"]), (&json!("set_aside"), &json!("id_taken")));
}

#[test]
fn coins_of_a_wallet_pay_no_order() {
    let mut day = awaited();
    assert_eq!(confirmed(&mut day, HASH)["outcome"], "applied");
    let purse = day.purse(NOON);
    for fact in ["deposit.seen", "deposit.confirmed"] {
        let mut body = arrival(&HASH.to_uppercase(), POLYGON, "100");
        is_taken(&day.report_as("", NOON, fact, &body));
        body["cashout_id"] = "$v.cashout_id".into();
        is_taken(&day.report_as("", NOON, fact, &body));
        assert_eq!(day.report(NOON, fact, &body), "known");
    }
    assert_eq!(day.state("v", NOON), "AWAITING_DEPOSIT");
    assert_eq!((day.purse(NOON), day.coins("usdt", "susp.crypto")), (purse, 0));
    // Another output of the transaction is other coins.
    let mut body = arrival(HASH, POLYGON, "100");
    body["output"] = 1.into();
    assert_eq!(day.sale_reports("v", NOON, "deposit.confirmed", body), "applied");
}

#[test]
fn coins_of_an_order_fill_no_wallet() {
    let mut day = awaited();
    assert_eq!(deposited(&mut day, HASH), "applied");
    is_taken(&seen(&mut day, HASH));
    assert_eq!(seen(&mut day, HASH)["outcome"], "known");
    is_taken(&confirmed(&mut day, HASH));
    assert_eq!(confirmed(&mut day, HASH)["outcome"], "known");
    assert_eq!(day.wallet_deposit("w", NOON)["status"], "waiting");
    let other = day.seen_usdt("w", NOON, json!({ "tx_hash": HASH, "output_index": 1 }));
    assert_eq!(other["outcome"], "applied");
}

#[test]
fn coins_of_nobody_fill_no_wallet() {
    let mut day = awaited();
    let told = arrival(HASH, POLYGON, "100");
    assert_eq!(day.report(NOON, "deposit.confirmed", &told), "set_aside");
    is_taken(&seen(&mut day, HASH));
    assert_eq!(day.coins("usdt", "susp.crypto"), 100_000_000);
    assert_eq!(day.purse(NOON), ["0.000000", "0.000000", "0.000000"]);
}

#[test]
fn coins_that_are_gone_by_one_door_come_by_the_other() {
    let mut day = awaited();
    assert_eq!(
        day.sale_reports("v", NOON, "deposit.seen", arrival(HASH, POLYGON, "100")),
        "applied"
    );
    is_taken(&seen(&mut day, HASH));
    assert_eq!(
        day.sale_reports("v", NOON, "deposit.vanished", json!({ "tx_hash": HASH })),
        "applied"
    );
    assert_eq!(seen(&mut day, HASH)["outcome"], "applied");
    assert_eq!(deposited(&mut day, HASH), "set_aside");
    let doubted = json!({
        "id": day.outside_id(), "deposit_id": "$w.deposit_id", "tx_hash": HASH,
        "cause": "reorg",
    });
    assert_eq!(day.report(NOON, "wallet.deposit.doubted", &doubted), "applied");
    let vanished = json!({ "outcome": "vanished" });
    assert_eq!(day.judged_usdt("w", NOON, vanished), "applied");
    assert_eq!(deposited(&mut day, HASH), "applied");
    is_taken(&seen(&mut day, HASH));
    assert_eq!(day.purse(NOON), ["0.000000", "0.000000", "0.000000"]);
}
