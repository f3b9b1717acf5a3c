//! Deposits that name no order: each waits as an unmatched deposit of its own.

use serde_json::json;

use crate::day::Day;
use crate::selling::{STANDARD, arrival};

const NOON: &str = "2026-11-20T12:00:00Z";

#[test]
fn a_deposit_of_nobody_is_a_receipt_whenever_it_was_seen() {
    let mut day = Day::selling(NOON, STANDARD);
    let mut seen = |hash: &str, at: &str| {
        let mut body = arrival(hash, ("usdt", "polygon"), "7");
        body["seen_at"] = at.into();
        day.report_as("", NOON, "deposit.seen", &body)
    };
    let ahead = "2026-11-20T12:00:00.000001Z";
    for (hash, at) in [("0xa", ahead), ("0xb", NOON), ("0xc", "2026-11-20T11:59:59Z")] {
        assert_eq!(seen(hash, at)["outcome"], "set_aside", "it is a receipt of its own");
    }
}

#[test]
fn a_deposit_of_nobody_that_vanishes_leaves_nothing_behind() {
    let mut day = Day::selling(NOON, STANDARD);
    let erroneous_delivery = arrival("0xq", ("usdt", "polygon"), "7");
    assert_eq!(day.report(NOON, "deposit.seen", &erroneous_delivery), "set_aside");
    assert_eq!(day.coins("usdt", "susp.crypto"), 7_000_000);
    assert_eq!(day.report(NOON, "deposit.vanished", &json!({ "tx_hash": "0xq" })), "applied");
    assert_eq!((day.coins("usdt", "susp.crypto"), day.coins("usdt", "transit")), (0, 0));
}

#[test]
fn coins_that_no_catalogue_named_are_set_aside_and_nothing_is_booked_of_them() {
    let mut day = Day::selling(NOON, STANDARD);
    for (asset, network) in [("shib", "polygon"), ("usdt", "moonbeam")] {
        let mut told = arrival("0xu", (asset, network), "7");
        for fact in ["deposit.seen", "deposit.confirmed"] {
            let aside = day.report_as("", NOON, fact, &told);
            assert_eq!(aside["outcome"], "set_aside", "{fact}: {aside}");
            assert_eq!(aside["reason"], "not_awaited", "{fact}: {aside}");
        }
        told["amount"] = 7.into();
        let wrong = day.report_as("", NOON, "deposit.seen", &told);
        assert!(wrong["outcome"].is_null(), "{wrong}");
    }
    // The transaction is still nobody's: listed, it is told as any other.
    let listed = arrival("0xu", ("usdt", "polygon"), "7");
    assert_eq!(day.report(NOON, "deposit.seen", &listed), "set_aside");
    assert_eq!(day.coins("usdt", "susp.crypto"), 7_000_000);
}

#[test]
fn news_of_a_sale_that_names_no_order_is_refused() {
    let mut day = Day::selling(NOON, STANDARD);
    let id = day.outside_id();
    for (fact, body) in [
        ("cashout.paid", json!({ "e2e": id })),
        ("cashout.pix_reversed", json!({ "return_id": id, "amount_cents": 1 })),
        ("sale.started", json!({ "id": "s-1" })),
        ("cashout.unknown", json!({ "id": "s-2" })),
        ("refund.failed", json!({ "id": "s-3" })),
    ] {
        let answer = day.report_as("", NOON, fact, &body);
        assert_eq!(answer["erro"], "campos_obrigatorios", "{fact}: {answer}");
        assert!(answer["detail"].as_str().unwrap().contains("cashout_id"), "{answer}");
    }
}
