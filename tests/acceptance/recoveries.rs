//! Recoveries of contested PIX, as MED 2.0 names them: opened, blocked where the money went,
//! decided and refunded (P:Recoveries).

use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, judged};

const NOON: &str = "2026-10-20T12:00:00Z";

/// A fact of recovery `rec-1` about the charge `d`, by an operator.
fn told(day: &mut Day, fact: &str, body: Value) -> Value {
    told_of(day, "rec-1", fact, body)
}

/// A fact of this recovery about the charge `d`, by an operator.
fn told_of(day: &mut Day, recovery: &str, fact: &str, mut body: Value) -> Value {
    body["recovery_id"] = recovery.into();
    body["cashin_id"] = "$d.cashin_id".into();
    if fact != "recovery.refunded" {
        body["id"] = day.outside_id().into();
        body = judged(body);
    }
    day.report_as("", NOON, fact, &body)
}

fn opened(day: &mut Day, cents: i64) -> Value {
    told(day, "recovery.opened", json!({ "amount_cents": cents }))
}

fn blocked(day: &mut Day, customer: &str) -> Value {
    told(day, "recovery.blocked", json!({ "account": "loja", "customer_ref": customer }))
}

fn accepted(day: &mut Day, cents: i64) -> Value {
    told(day, "recovery.decided", json!({ "outcome": "accepted", "amount_cents": cents }))
}

fn refunded(day: &mut Day, return_id: &str, cents: i64) -> Value {
    told(day, "recovery.refunded", json!({ "return_id": return_id, "amount_cents": cents }))
}

/// R$ 100.00 came in for `a`, a fee of R$ 1.00 was taken; R$ 60.00 went on to `b`, R$ 30.00 to `c`.
fn gone_on() -> Day {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 10_000);
    assert_eq!(day.transfer("t1", NOON, "a", "b", 6_000).status, 200);
    assert_eq!(day.transfer("t2", NOON, "a", "c", 3_000).status, 200);
    assert_eq!(opened(&mut day, 10_000)["outcome"], "applied");
    day
}

fn balances(day: &mut Day) -> [(i64, i64); 3] {
    ["a", "b", "c"].map(|customer| day.balance(NOON, customer))
}

const FIRST: &str = "D9999999920261020120500000000001";
const SECOND: &str = "D9999999920261020120500000000002";
const THIRD: &str = "D9999999920261020120500000000003";

#[test]
fn rcv_01_a_recovery_blocks_several_subaccounts_and_what_comes_and_gives_back_what_was_accepted() {
    let mut day = gone_on();
    let hold = blocked(&mut day, "b");
    assert!(hold["hold_id"].as_str().is_some_and(|id| id.starts_with("ho_")), "{hold}");
    assert_eq!(blocked(&mut day, "c")["outcome"], "applied");
    assert_eq!(balances(&mut day), [(900, 0), (0, 6_000), (0, 3_000)]);
    assert_eq!(day.transfer("t3", NOON, "b", "c", 1).status, 409, "it is not spendable");
    // R$ 10.00 are missing: the next R$ 11.00 less the fee give them, and no more.
    day.deposit("d2", NOON, "b", 1_100);
    day.deposit("d3", NOON, "c", 1_100);
    assert_eq!(balances(&mut day), [(900, 0), (0, 7_000), (1_000, 3_000)]);
    assert_eq!(accepted(&mut day, 8_000)["outcome"], "applied");
    assert_eq!(balances(&mut day), [(900, 0), (0, 7_000), (3_000, 1_000)]);
    assert_eq!(refunded(&mut day, FIRST, 5_000)["outcome"], "applied");
    assert_eq!(balances(&mut day), [(900, 0), (0, 2_000), (3_000, 1_000)]);
    assert_eq!(refunded(&mut day, SECOND, 3_000)["outcome"], "applied");
    assert_eq!(balances(&mut day), [(900, 0), (0, 0), (3_000, 0)]);
    assert_eq!(day.values(NOON, "b"), [6_000, 1_100, -100, -5_000, -2_000]);
}

#[test]
fn rcv_02_a_rejected_recovery_frees_everything() {
    let mut day = gone_on();
    for customer in ["a", "b", "c"] {
        assert_eq!(blocked(&mut day, customer)["outcome"], "applied");
    }
    assert_eq!(balances(&mut day), [(0, 900), (0, 6_000), (0, 3_000)]);
    let rejected = told(&mut day, "recovery.decided", json!({ "outcome": "rejected" }));
    assert_eq!(rejected["outcome"], "applied");
    assert_eq!(balances(&mut day), [(900, 0), (6_000, 0), (3_000, 0)]);
}

#[test]
fn rcv_03_what_does_not_fit_is_set_aside_with_its_reason() {
    let mut day = gone_on();
    let aside = |answer: Value, why: &str| {
        assert_eq!((&answer["outcome"], &answer["reason"]), (&"set_aside".into(), &why.into()));
    };
    assert_eq!(opened(&mut day, 10_000)["outcome"], "known");
    aside(opened(&mut day, 9_999), "id_taken");
    aside(blocked(&mut day, "nobody"), "unmatched");
    assert_eq!(blocked(&mut day, "b")["outcome"], "applied");
    assert_eq!(blocked(&mut day, "b")["outcome"], "known");
    aside(accepted(&mut day, 10_001), "amount_exceeds");
    aside(refunded(&mut day, FIRST, 1_000), "too_early");
    assert_eq!(accepted(&mut day, 6_000)["outcome"], "applied");
    aside(accepted(&mut day, 5_000), "out_of_turn");
    aside(blocked(&mut day, "c"), "amount_exceeds");
    aside(refunded(&mut day, SECOND, 6_001), "amount_exceeds");
    assert_eq!(balances(&mut day), [(900, 0), (0, 5_000), (3_000, 0)], "the early one is booked");
}

#[test]
fn rcv_04_one_return_is_booked_once_by_whichever_fact_tells_of_it() {
    let mut day = gone_on();
    blocked(&mut day, "b");
    accepted(&mut day, 6_000);
    assert_eq!(refunded(&mut day, FIRST, 2_000)["outcome"], "applied");
    let again = json!({ "cashin_id": "$d.cashin_id", "return_id": FIRST, "amount_cents": 2_000 });
    assert_eq!(day.report(NOON, "pix.returned", &again), "known");
    assert_eq!(refunded(&mut day, FIRST, 2_000)["outcome"], "known");
    assert_eq!(balances(&mut day), [(900, 0), (0, 4_000), (3_000, 0)]);
}

#[test]
fn rcv_05_an_outcome_other_than_the_two_is_refused() {
    let mut day = gone_on();
    let wrong = |day: &mut Day, body: Value| {
        let answer = told(day, "recovery.decided", body);
        assert!(answer["outcome"].is_null(), "{answer}");
    };
    wrong(&mut day, json!({ "outcome": "perhaps" }));
    wrong(&mut day, json!({ "outcome": "rejected", "amount_cents": 1 }));
    wrong(&mut day, json!({ "outcome": "accepted", "amount_cents": 0 }));
}

#[test]
fn rcv_01_what_was_carried_to_another_ledger_is_not_contested_here() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 10_000);
    for (fact, mut body) in [
        ("account.moved", json!({ "ledger": "other", "step": "leaving" })),
        (
            "balance.carried",
            json!({ "customer_ref": "a", "effect_cents": -9_900, "deposited": true }),
        ),
        ("account.moved", json!({ "ledger": "other", "step": "departed" })),
    ] {
        body["id"] = day.outside_id().into();
        body["account"] = "loja".into();
        assert_eq!(day.report(NOON, fact, &body), "applied", "{fact}");
        if body["step"] != "leaving" {
            let answer = opened(&mut day, 1_000);
            assert_eq!(
                (&answer["outcome"], &answer["reason"]),
                (&json!("set_aside"), &json!("out_of_turn"))
            );
        }
    }
}

fn refund_of(day: &mut Day, recovery: &str, return_id: &str, cents: i64) -> Value {
    let body = json!({ "return_id": return_id, "amount_cents": cents });
    told_of(day, recovery, "recovery.refunded", body)
}

/// Recovery `rec-1` of R$ 60.00 that block `b` and `rec-2` of R$ 30.00 that block `c`.
fn beside_another() -> Day {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 10_000);
    for (recovery, customer, cents) in [("rec-1", "b", 6_000), ("rec-2", "c", 3_000)] {
        assert_eq!(day.transfer(recovery, NOON, "a", customer, cents).status, 200);
        let opened = json!({ "amount_cents": cents });
        assert_eq!(told_of(&mut day, recovery, "recovery.opened", opened)["outcome"], "applied");
        let on = json!({ "account": "loja", "customer_ref": customer });
        assert_eq!(told_of(&mut day, recovery, "recovery.blocked", on)["outcome"], "applied");
    }
    day
}

#[test]
fn rcv_06_a_refund_told_early_waits_for_the_recovery_that_it_names() {
    let mut day = beside_another();
    for (recovery, return_id, cents) in [("rec-2", FIRST, 3_000), ("rec-9", SECOND, 500)] {
        assert_eq!(refund_of(&mut day, recovery, return_id, cents)["outcome"], "set_aside");
    }
    assert_eq!(accepted(&mut day, 2_000)["outcome"], "applied", "nothing went back of it");
    assert_eq!(balances(&mut day), [(900, 0), (4_000, 2_000), (0, 3_000)]);
    let accepts = |cents| json!({ "outcome": "accepted", "amount_cents": cents });
    let less = told_of(&mut day, "rec-2", "recovery.decided", accepts(2_999));
    assert_eq!(less["reason"], "outcome_unknown");
    let whole = told_of(&mut day, "rec-2", "recovery.decided", accepts(3_000));
    assert_eq!(whole["outcome"], "applied");
    assert_eq!(balances(&mut day), [(900, 0), (4_000, 2_000), (0, 0)]);
    // The third is opened at last, and finds what went back of it.
    let opened = told_of(&mut day, "rec-9", "recovery.opened", json!({ "amount_cents": 500 }));
    assert_eq!(opened["outcome"], "applied");
    let on = json!({ "account": "loja", "customer_ref": "b" });
    assert_eq!(told_of(&mut day, "rec-9", "recovery.blocked", on)["outcome"], "applied");
    let decided = told_of(&mut day, "rec-9", "recovery.decided", accepts(500));
    assert_eq!(decided["outcome"], "applied");
    assert_eq!(balances(&mut day), [(900, 0), (3_500, 2_000), (0, 0)]);
}

#[test]
fn rcv_02_refunds_told_early_are_booked_one_by_one_as_far_as_the_holds_can_give() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 10_000);
    assert_eq!(day.transfer("t1", NOON, "a", "b", 3_000).status, 200);
    assert_eq!(opened(&mut day, 6_000)["outcome"], "applied");
    assert_eq!(blocked(&mut day, "b")["outcome"], "applied");
    for (return_id, cents) in [(FIRST, 2_500), (SECOND, 3_000), (THIRD, 500)] {
        assert_eq!(refunded(&mut day, return_id, cents)["reason"], "too_early");
    }
    assert_eq!(accepted(&mut day, 6_000)["outcome"], "applied");
    assert_eq!(day.balance(NOON, "b"), (0, 0), "the first and the last went back");
    // What comes is blocked, and the next decision about the PIX takes it.
    day.deposit("d2", NOON, "b", 3_100);
    assert_eq!(day.balance(NOON, "b"), (0, 3_000));
    for (fact, body) in [
        ("recovery.opened", json!({ "amount_cents": 1 })),
        ("recovery.decided", json!({ "outcome": "rejected" })),
    ] {
        assert_eq!(told_of(&mut day, "rec-2", fact, body)["outcome"], "applied");
    }
    assert_eq!(day.balance(NOON, "b"), (0, 0));
    assert_eq!(refunded(&mut day, SECOND, 3_000)["outcome"], "known");
}

#[test]
fn rcv_01_what_comes_later_is_blocked_up_to_what_may_still_go_back_of_the_pix() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 10_000);
    assert_eq!(opened(&mut day, 10_000)["outcome"], "applied");
    // Nothing is there: all of it stays watched for.
    assert_eq!(day.transfer("t1", NOON, "a", "b", 9_900).status, 200);
    assert_eq!(day.transfer("t2", NOON, "b", "c", 9_900).status, 200);
    assert_eq!(blocked(&mut day, "b")["outcome"], "applied");
    let back = json!({ "cashin_id": "$d.cashin_id", "return_id": FIRST, "amount_cents": 4_000 });
    assert_eq!(day.report(NOON, "pix.returned", &back), "applied");
    day.deposit("d2", NOON, "b", 10_100);
    assert_eq!(day.balance(NOON, "b"), (4_000, 6_000));
}
