//! A PIX reported of the wrong payout, or before its payout: it pays once, and nobody is handed
//! another one meanwhile (rulings 1, 45 and 46).

use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, judged};

const NOON: &str = "2026-11-20T12:00:00Z";

/// A day with a payout of R$ 50.00, labelled `o`.
fn paying() -> Day {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 20_000);
    assert_eq!(day.payout("o", NOON, "a", 5_000).status, 200);
    day
}

fn told_paid(day: &mut Day, payout: &str, e2e: &str, cents: Option<i64>) -> Value {
    let mut body = json!({ "payout_id": payout, "e2e": e2e });
    if let Some(cents) = cents {
        body["amount_cents"] = cents.into();
    }
    day.report_as("", NOON, "payout.paid", &body)
}

fn judge(day: &mut Day, fact: &str, mut body: Value) -> String {
    body["id"] = day.outside_id().into();
    body["payout_id"] = "$o.payout_id".into();
    day.report(NOON, fact, &judged(body))
}

fn came_back(day: &mut Day, payout: &str, return_id: &str) -> Value {
    let body = json!({ "payout_id": payout, "return_id": return_id, "amount_cents": 5_000 });
    day.report_as("", NOON, "payout.returned", &body)
}

fn hand_out(day: &mut Day) -> String {
    let body = json!({ "operation": "$o.payout_id", "idempotency_key": "$o.payout_id:send" });
    day.report(NOON, "instruction.handed_out", &body)
}

fn shown(day: &mut Day) -> Value {
    day.get(NOON, "/payouts?external_id=o")["payouts"][0].clone()
}

#[test]
fn a_pix_told_of_a_wrong_payout_pays_the_right_one_and_is_sent_once() {
    let mut day = paying();
    let e2e = day.outside_id();
    assert_eq!(told_paid(&mut day, "nobody's", &e2e, Some(5_000))["outcome"], "set_aside");
    let otherwise = told_paid(&mut day, "$o.payout_id", &e2e, Some(4_999));
    assert_eq!(otherwise["outcome"], "known", "the claim says another amount");
    assert_eq!(told_paid(&mut day, "$o.payout_id", &e2e, None)["outcome"], "applied");
    assert_eq!(told_paid(&mut day, "$o.payout_id", &e2e, None)["outcome"], "known");
    let paid = shown(&mut day);
    assert_eq!((&paid["status"], &paid["e2e"]), (&json!("completed"), &json!(e2e)));
    assert_eq!(hand_out(&mut day), "set_aside");
    assert_eq!(day.money(ledger_core::accounting::Control::ProviderClaim), 0);
}

#[test]
fn evidence_that_a_claimed_pix_paid_its_payout_ends_the_claim_whatever_its_amount() {
    for (payout, cents) in [("nobody's", 5_000), ("$o.payout_id", 4_000)] {
        let mut day = paying();
        let e2e = day.outside_id();
        assert_eq!(told_paid(&mut day, payout, &e2e, Some(cents))["outcome"], "set_aside");
        let paid = json!({ "outcome": "paid", "e2e": e2e });
        assert_eq!(judge(&mut day, "payout.evidence", paid), "applied");
        assert_eq!(shown(&mut day)["status"], "completed");
        assert_eq!(day.money(ledger_core::accounting::Control::ProviderClaim), 0);
    }
}

#[test]
fn a_return_told_of_a_wrong_payout_comes_back_to_the_right_one() {
    let mut day = paying();
    assert_eq!(day.paid("o", NOON), "applied");
    let back = day.outside_id();
    assert_eq!(came_back(&mut day, "nobody's", &back)["outcome"], "set_aside");
    assert_eq!(came_back(&mut day, "$o.payout_id", &back)["outcome"], "applied");
    assert_eq!(came_back(&mut day, "$o.payout_id", &back)["outcome"], "known");
    let paid = shown(&mut day);
    assert_eq!((&paid["status"], &paid["returned_cents"]), (&json!("returned"), &json!(5_000)));
    assert_eq!(day.money(ledger_core::accounting::Control::SuspensePix), 0);
}

#[test]
fn a_payout_of_which_something_came_back_is_handed_to_nobody() {
    for stopped in [false, true] {
        let mut day = paying();
        if stopped {
            assert_eq!(judge(&mut day, "payout.stopped", json!({})), "applied");
        }
        let back = day.outside_id();
        assert_eq!(came_back(&mut day, "$o.payout_id", &back)["outcome"], "set_aside");
        if stopped {
            assert_eq!(judge(&mut day, "payout.cleared", json!({})), "applied");
        }
        assert_eq!(shown(&mut day)["status"], "uncertain", "stopped before: {stopped}");
        assert_eq!(hand_out(&mut day), "set_aside");
        assert_eq!(day.paid("o", NOON), "applied");
        assert_eq!(shown(&mut day)["status"], "returned");
    }
}

#[test]
fn a_pix_told_without_its_amount_is_booked_once_that_is_told() {
    let mut day = paying();
    let e2e = day.outside_id();
    assert_eq!(told_paid(&mut day, "nobody's", &e2e, None)["outcome"], "set_aside");
    let told = told_paid(&mut day, "nobody's", &e2e, Some(700));
    assert_eq!((&told["outcome"], &told["booked_to"]), (&json!("set_aside"), &json!("recv.prov")));
    let other = day.outside_id();
    assert_eq!(told_paid(&mut day, "nobody's", &other, None)["outcome"], "set_aside");
    assert_eq!(told_paid(&mut day, "$o.payout_id", &other, None)["outcome"], "applied");
}
