//! Reports of sales that contradict what was reported before, or name another order: no money
//! leaves twice, and none of it is lost from the books (rulings 1, 8, 31 and 45).

use ledger_core::accounting::Control;
use serde_json::{Value, json};

use crate::day::Day;
use crate::selling::{LIQUID_WALLET, VOLUME, deposited, merge, of_depix, to_mail};

const NOON: &str = "2026-10-20T12:00:00Z";
const DEPIX: (&str, &str) = ("depix", "liquid");

#[test]
fn a_part_of_a_token_that_came_back_makes_no_refund_due_of_a_pix_that_may_be_paid() {
    for stopped in [false, true] {
        let mut body = of_depix("100.00");
        body["refund_address"] = LIQUID_WALLET.into();
        let mut day = deposited("{}", DEPIX, body);
        day.sale_reports("v", NOON, "cashout.token_sent", json!({}));
        assert_eq!(day.sale_reports("v", NOON, "cashout.unknown", json!({})), "applied");
        if stopped {
            assert_eq!(day.judge("v", NOON, "cashout.stopped", json!({})), "applied");
        }
        let part = json!({ "amount": "2.53" });
        assert_eq!(day.sale_reports("v", NOON, "cashout.token_returned", part), "set_aside");
        assert_eq!((day.coins("depix", "susp.crypto"), day.coins("depix", "refund")), (PART, 0));
        assert_eq!(day.sale_paid("v", NOON), "applied", "stopped: {stopped}");
        assert_eq!(day.state("v", NOON), "COMPLETED");
    }
}

const PART: i128 = 253_000_000;

/// An order of `v` whose coins an exchange, or a swap, is selling.
fn being_sold(network: &str) -> Day {
    let mut day = deposited(VOLUME, ("usdt", network), to_wallet(network));
    assert_eq!(day.sale_reports("v", NOON, "sale.started", json!({})), "applied");
    day
}

fn to_wallet(network: &str) -> Value {
    let mut body = to_mail("100.00");
    if network == "tron" {
        body["refund_address"] = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8".into();
    }
    body
}

#[test]
fn a_sale_that_was_filled_after_it_was_said_to_have_failed_is_booked_and_pays_nobody() {
    for (network, refunded) in [("tron", false), ("tron", true), ("arbitrum", false)] {
        let mut day = being_sold(network);
        assert_eq!(day.sale_reports("v", NOON, "sale.failed", json!({})), "applied");
        assert_eq!(day.state("v", NOON), "REFUNDING_CRYPTO");
        if refunded {
            let sent = json!({ "tx_hash": "0xr" });
            assert_eq!(day.sale_reports("v", NOON, "refund.sent", sent), "applied");
        }
        let (state, sold) = (day.state("v", NOON), day.coins("usdt", "treas"));
        let asked = day.instructions().len();
        let proceeds = match network {
            "tron" => json!({ "amount_cents": 10_100 }),
            _ => json!({ "asset": "usdc", "network": "polygon", "amount": "18.7" }),
        };
        let filled = |day: &mut Day| day.sale_reports("v", NOON, "sale.filled", proceeds.clone());
        assert_eq!(filled(&mut day), "applied", "{network}");
        assert_ne!(day.coins("usdt", "treas"), sold, "the own stock was sold");
        assert_ne!(filled(&mut day), "applied", "once");
        assert_eq!((day.state("v", NOON), day.instructions().len()), (state, asked));
        if network == "tron" {
            assert_eq!(day.money(Control::Exchange), 10_100);
            let arrived = json!({ "amount_cents": 10_100 });
            assert_eq!(day.sale_reports("v", NOON, "sale.forwarded", arrived), "applied");
            assert_eq!(
                (day.money(Control::Exchange), day.money(Control::ProviderPay)),
                (0, 10_100)
            );
        }
    }
}

/// Two sales of R$ 100.00, `v` and `w`, whose PIX are being sent.
fn two_sales() -> Day {
    let mut day = Day::selling(NOON, VOLUME);
    day.selling_now("v", NOON, "100.00");
    day.selling_now("w", NOON, "100.00");
    day
}

fn paid_by(day: &mut Day, order: &str, e2e: &str) -> String {
    let mut body = json!({ "cashout_id": order });
    merge(&mut body, json!({ "e2e": e2e, "amount_cents": 10_000 }));
    day.report(NOON, "cashout.paid", &body)
}

fn came_back(day: &mut Day, order: &str, return_id: &str, cents: i64) -> String {
    let body = json!({ "cashout_id": order, "return_id": return_id, "amount_cents": cents });
    day.report(NOON, "cashout.pix_reversed", &body)
}

#[test]
fn a_pix_told_of_an_order_that_cannot_take_it_pays_the_right_one_and_is_sent_once() {
    let mut day = two_sales();
    assert_eq!(day.sale_paid("v", NOON), "applied");
    let e2e = day.outside_id();
    assert_eq!(paid_by(&mut day, "$v.cashout_id", &e2e), "set_aside");
    assert_eq!(paid_by(&mut day, "$w.cashout_id", &e2e), "applied");
    assert_eq!(paid_by(&mut day, "$w.cashout_id", &e2e), "known");
    assert_eq!(paid_by(&mut day, "$v.cashout_id", &e2e), "known");
    assert_eq!((day.state("w", NOON), day.order("w", NOON)["pix_e2e"].clone()), done(&e2e));
    assert_eq!((day.money(Control::ProviderClaim), day.money(Control::ProviderPay)), (0, -20_000));
}

fn done(e2e: &str) -> (String, Value) {
    ("COMPLETED".to_owned(), e2e.into())
}

#[test]
fn a_pix_that_paid_one_order_pays_no_other() {
    let mut day = two_sales();
    let e2e = day.outside_id();
    assert_eq!(paid_by(&mut day, "$v.cashout_id", &e2e), "applied");
    assert_eq!(paid_by(&mut day, "$w.cashout_id", &e2e), "known");
    assert_eq!(day.state("w", NOON), "PROCESSING");
    assert_eq!(day.money(Control::ProviderPay), -10_000);
}

#[test]
fn a_reversal_told_of_an_order_that_cannot_take_it_comes_back_to_the_right_one() {
    let mut day = two_sales();
    assert_eq!(day.sale_paid("w", NOON), "applied");
    let back = day.outside_id();
    assert_eq!(came_back(&mut day, "nobody's", &back, 10_000), "set_aside");
    assert_eq!(came_back(&mut day, "$w.cashout_id", &back, 10_000), "applied");
    assert_eq!(came_back(&mut day, "$w.cashout_id", &back, 10_000), "known");
    assert_eq!(day.state("w", NOON), "REFUNDING_CRYPTO");
    assert_eq!((day.money(Control::SuspensePix), day.money(Control::ProviderPay)), (0, 0));
}

#[test]
fn a_second_reversal_after_the_refund_was_sent_waits_for_a_person() {
    let mut day = two_sales();
    assert_eq!(day.sale_paid("v", NOON), "applied");
    let returns = [day.outside_id(), day.outside_id()];
    assert_eq!(came_back(&mut day, "$v.cashout_id", &returns[0], 4_000), "applied");
    let sent = json!({ "tx_hash": "0xr" });
    assert_eq!(day.sale_reports("v", NOON, "refund.sent", sent), "applied");
    let asked = day.instructions().len();
    assert_eq!(came_back(&mut day, "$v.cashout_id", &returns[1], 6_000), "set_aside");
    assert_eq!(came_back(&mut day, "$v.cashout_id", &returns[1], 6_000), "known");
    assert_eq!((day.money(Control::SuspensePix), day.coins("usdt", "refund")), (6_000, 0));
    assert_eq!((day.state("v", NOON), day.instructions().len()), ("REFUNDED".to_owned(), asked));
}
