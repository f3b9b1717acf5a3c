//! What reports of sales bring is booked, whatever they are of and whenever they come: rulings 1, 2
//! and 8.

use ledger_core::accounting::Control;
use serde_json::json;

use crate::day::Day;
use crate::selling::{VOLUME, arrival};
use crate::wallet_payments::{paid, sent};

const NOON: &str = "2026-10-20T12:00:00Z";
const SOON: &str = "2026-10-20T12:05:00Z";
const PAID: &str = "2026-11-20T12:00:00Z";

/// An order whose deposit is seen.
fn seen() -> Day {
    let mut day = Day::selling(NOON, VOLUME);
    for order in ["v", "w"] {
        day.sold(order, NOON, "100.00");
        day.accept(order, NOON);
    }
    assert_eq!(day.sale_reports("v", NOON, "deposit.seen", deposit()), "applied");
    day
}

fn deposit() -> serde_json::Value {
    arrival("0xd", ("usdt", "polygon"), "18.768519")
}

#[test]
fn a_deposit_that_vanished_and_is_mined_again_is_paid() {
    let mut day = seen();
    let hash = || json!({ "tx_hash": "0xd" });
    assert_eq!(day.sale_reports("v", NOON, "deposit.vanished", hash()), "applied");
    let again = || {
        let mut again = deposit();
        again["seen_at"] = SOON.into();
        again
    };
    assert_eq!(day.sale_reports("v", SOON, "deposit.seen", again()), "applied");
    assert_eq!(day.sale_reports("v", SOON, "deposit.seen", again()), "known");
    assert_eq!(day.state("v", SOON), "DEPOSIT_DETECTED");
    assert_eq!(day.sale_reports("v", SOON, "deposit.confirmed", hash()), "applied");
    assert_eq!(day.state("v", SOON), "PROCESSING");
    assert_eq!(day.coins("usdt", "transit"), 0);
    // Gone once more, after its confirmation: rulings 45 and 70.
    assert_eq!(day.sale_reports("v", SOON, "deposit.vanished", hash()), "set_aside");
    assert_eq!(day.sale_reports("v", SOON, "deposit.vanished", hash()), "known");
    assert_eq!(day.coins("usdt", "recv.prov"), -18_768_519);
    assert_eq!(day.state("v", SOON), "MANUAL_REVIEW");
}

#[test]
fn news_of_a_deposit_that_names_the_wrong_order_does_not_keep_the_right_one_waiting() {
    let mut day = seen();
    let hash = || json!({ "tx_hash": "0xd" });
    assert_eq!(day.sale_reports("w", NOON, "deposit.confirmed", hash()), "set_aside");
    assert_eq!(day.sale_reports("v", NOON, "deposit.confirmed", hash()), "applied");
    assert_eq!(day.state("v", NOON), "PROCESSING");
    assert_eq!(day.state("w", NOON), "AWAITING_DEPOSIT");
}

#[test]
fn a_pix_that_came_back_of_a_payment_from_the_wallet_waits_in_suspense() {
    let mut day = sent();
    assert_eq!(day.payment_reports("p", PAID, "paid", paid("4101")), "applied");
    let order = day.payment("p", PAID)["cashout_id"].clone();
    for (number, cents) in [(1_u8, 4_000_i128), (2, 9_000)] {
        let before = day.money(Control::SuspensePix);
        let body = json!({
            "cashout_id": order, "amount_cents": i64::try_from(cents).unwrap(),
            "return_id": format!("D904008882026112112030012387317{number}"),
        });
        assert_eq!(day.report(PAID, "cashout.pix_reversed", &body), "set_aside");
        assert_eq!(day.report(PAID, "cashout.pix_reversed", &body), "known");
        assert_eq!(day.money(Control::SuspensePix) - before, cents);
    }
}
