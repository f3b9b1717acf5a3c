//! Blocks by kind: a precautionary one ends by itself, the others by a person; a block may stand
//! for a deposit, a purchase, or nothing (CUS-45, GEN-09; rulings 4 and 26).

use serde_json::json;

use crate::day::{AT_ONCE, Day, PAYER, judged};

const NOON: &str = "2026-10-20T12:00:00Z";

/// A block of 1,000 on a subaccount with 19,900.
fn blocked(kind: &str) -> Day {
    let mut day = Day::trading(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 20_000);
    assert_eq!(place(&mut day, NOON, kind), "applied");
    assert_eq!(day.balance(NOON, "a"), (18_900, 1_000));
    day
}

fn place(day: &mut Day, at: &str, kind: &str) -> String {
    let body = json!({
        "id": day.outside_id(), "account": "loja", "customer_ref": "a", "kind": kind,
        "amount_cents": 1_000,
    });
    day.report(at, "hold.placed", &judged(body))
}

#[test]
fn rulings_26_a_precautionary_block_ends_after_72_hours() {
    let mut day = blocked("precautionary");
    assert_eq!(day.report("2026-10-23T11:59:59.999999Z", "time.passed", &json!({})), "applied");
    assert_eq!(day.balance("2026-10-23T11:59:59.999999Z", "a"), (18_900, 1_000));
    assert_eq!(day.balance("2026-10-23T12:00:00Z", "a"), (19_900, 0));
    assert_eq!(day.values("2026-10-23T12:00:00Z", "a"), [20_000, -100], "blocks are no rows");
}

#[test]
fn rulings_26_its_length_is_a_number() {
    let mut day = Day::trading(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 20_000);
    assert_eq!(day.adopt(NOON, json!({ "precautionary_hours": 2 })), "applied");
    assert_eq!(place(&mut day, NOON, "precautionary"), "applied");
    assert_eq!(day.adopt(NOON, json!({ "precautionary_hours": 90 })), "applied");
    assert_eq!(day.balance("2026-10-20T13:59:59.999999Z", "a").1, 1_000);
    assert_eq!(day.balance("2026-10-20T14:00:00Z", "a").1, 0, "as it was when it was placed");
}

#[test]
fn rulings_26_other_blocks_end_by_a_person_only() {
    for kind in ["dispute", "judicial", "administrative"] {
        let mut day = blocked(kind);
        assert_eq!(day.report("2027-10-20T12:00:00Z", "time.passed", &json!({})), "applied");
        assert_eq!(day.balance("2027-10-20T12:00:00Z", "a"), (18_900, 1_000), "{kind}");
    }
}

#[test]
fn a_release_of_more_than_is_blocked_takes_more_than_is_left() {
    let mut day = Day::trading(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 20_000);
    let body = json!({
        "id": day.outside_id(), "account": "loja", "customer_ref": "a", "kind": "judicial",
        "amount_cents": 1_000,
    });
    let hold = day.report_as("h", NOON, "hold.placed", &judged(body));
    assert_eq!(hold["outcome"], "applied");
    for (cents, outcome, left) in
        [(1_001, "set_aside", 1_000), (400, "applied", 600), (601, "set_aside", 600)]
    {
        let id = day.outside_id();
        let body = json!({ "id": id, "hold_id": "$h.hold_id", "amount_cents": cents });
        let told = day.report_as("", NOON, "hold.released", &judged(body));
        assert_eq!(told["outcome"], outcome, "{cents}");
        assert_eq!(told["reason"] == "amount_exceeds", outcome == "set_aside", "{told}");
        assert_eq!(day.balance(NOON, "a"), (19_900 - left, left));
    }
}

#[test]
fn cus_45_blocked_money_is_neither_paid_out_nor_converted() {
    let mut day = blocked("judicial");
    assert_eq!(day.transfer("t", NOON, "a", "b", 9_000).status, 200);
    assert_eq!(day.convert("c", NOON, "a", 9_900).status, 402, "10,226 of the 9,900 left");
    assert_eq!(day.payout("p", NOON, "a", 9_900).status, 402);
    assert_eq!(day.convert("c", NOON, "a", 9_580).status, 200, "9,896 debited");
}

#[test]
fn lim_08_a_charge_that_may_not_be_held_by_the_provider_is_still_held_by_us() {
    let mut day = Day::opened(NOON);
    let body = |cents: i64| {
        json!({
            "destino": "saldo", "amount_cents": cents, "payer_tax_number": PAYER,
            "customer_ref": "a", "allow_hold": false,
        })
    };
    assert_eq!(day.ask(NOON, "POST /cashin/charge", &body(6_001)).status, 403);
    let charge = day.ask_as("d", NOON, "POST /cashin/charge", body(6_000));
    assert_eq!((charge.status, &charge.body["held"]), (200, &json!(false)));
    assert_eq!(day.pix("d", NOON, 6_000), "applied");
    assert_eq!(day.balance(NOON, "a"), (0, 5_900), "until the next day, by the account's terms");
    assert_eq!(place(&mut day, NOON, "judicial"), "applied");
    assert_eq!(day.balance("2026-10-21T03:00:00Z", "a"), (4_900, 1_000), "and frozen besides");
}
