//! Payments under review that an operator finds to have failed (WAL-32, WAL-33, WAL-35).

use serde_json::json;

use crate::wallet_payments::{purse, resolve, sending, sent, stands};

const NOON: &str = "2026-11-20T12:00:00Z";

#[test]
fn wal_32_found_failed_before_it_was_sent_the_reserve_goes_back() {
    let mut day = sending();
    assert_eq!(day.payment_reports("p", NOON, "unknown", json!({})), "applied");
    assert_eq!(resolve(&mut day, "failed", json!({})), "applied");
    assert_eq!(stands(&mut day), "falhou");
    assert_eq!(purse(&mut day), ["100.000000", "0.000000"]);
}

#[test]
fn wal_35_found_failed_after_it_was_sent_the_reserve_is_kept() {
    let mut day = sent();
    assert_eq!(day.payment_reports("p", NOON, "unknown", json!({})), "applied");
    assert_eq!(resolve(&mut day, "failed", json!({})), "applied");
    assert_eq!(stands(&mut day), "falhou_apos_envio");
    assert_eq!(purse(&mut day), ["80.942796", "19.057204"]);
}
