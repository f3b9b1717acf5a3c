//! A block that follows the money of its cause to another subaccount (rulings 81).

use ledger_core::accounting::Control;
use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, judged};

const NOON: &str = "2026-10-20T12:00:00Z";

/// A block of so much on `customer` for the labelled charge.
fn block(day: &mut Day, label: &str, customer: &str, kind: &str, cents: i64) -> Value {
    let body = judged(json!({
        "id": label, "account": "loja", "customer_ref": customer, "kind": kind,
        "amount_cents": cents, "cashin_id": "$d.cashin_id",
    }));
    day.report_as(label, NOON, "hold.placed", &body)
}

/// R$ 100.00 came in for `a`, a fee of R$ 1.00 was taken, and R$ 60.00 went on to `b`.
fn gone_on() -> Day {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 10_000);
    assert_eq!(day.transfer("t", NOON, "a", "b", 6_000).status, 200);
    assert_eq!((day.balance(NOON, "a"), day.balance(NOON, "b")), ((3_900, 0), (6_000, 0)));
    day
}

#[test]
fn a_block_takes_what_went_on_and_what_comes_up_to_its_amount() {
    for kind in ["dispute", "precautionary", "judicial"] {
        let mut day = gone_on();
        assert_eq!(block(&mut day, "h", "b", kind, 8_000)["outcome"], "applied", "{kind}");
        assert_eq!(day.balance(NOON, "b"), (0, 6_000));
        assert_eq!(day.transfer("t2", NOON, "b", "c", 1).status, 409, "it is not spendable");
        day.deposit("d2", NOON, "b", 1_100);
        assert_eq!(day.balance(NOON, "b"), (0, 7_000));
        day.deposit("d3", NOON, "b", 3_100);
        assert_eq!(day.balance(NOON, "b"), (2_000, 8_000));
        assert_eq!(day.balance(NOON, "a"), (3_900, 0), "where it came from nothing is blocked");
    }
}

#[test]
fn the_return_of_the_cause_takes_at_most_what_the_block_holds_and_the_rest_where_it_was_credited() {
    let mut day = gone_on();
    assert_eq!(block(&mut day, "h", "b", "dispute", 4_000)["outcome"], "applied");
    assert_eq!(day.give_back("d", NOON, 10_000), "applied");
    // 10,000 less the fee of 100 went back: 4,000 of the block, 5,900 of whom it was credited to.
    assert_eq!((day.balance(NOON, "a"), day.balance(NOON, "b")), ((-2_000, 0), (2_000, 0)));
    assert_eq!(day.values(NOON, "b"), [6_000, -4_000]);
    assert_eq!(day.values(NOON, "a"), [10_000, -100, -6_000, -6_000, 100]);
    assert_eq!(day.money(Control::DepositIncome), 0);
    // What waited for more is over: what comes is the customer's.
    day.deposit("d2", NOON, "b", 1_100);
    assert_eq!(day.balance(NOON, "b"), (3_000, 0));
}

#[test]
fn returns_in_parts_take_the_block_first_and_never_what_is_available_beside_it() {
    let mut day = gone_on();
    assert_eq!(block(&mut day, "h", "b", "dispute", 4_000)["outcome"], "applied");
    assert_eq!(day.give_back("d", NOON, 3_000), "applied");
    assert_eq!((day.balance(NOON, "a"), day.balance(NOON, "b")), ((3_900, 0), (2_000, 1_000)));
    assert_eq!(day.give_back("d", NOON, 7_000), "applied");
    assert_eq!((day.balance(NOON, "a"), day.balance(NOON, "b")), ((-2_000, 0), (2_000, 0)));
}

#[test]
fn blocks_where_it_was_credited_give_first_and_then_the_others_by_age() {
    let mut day = gone_on();
    assert_eq!(day.transfer("t2", NOON, "b", "c", 2_500).status, 200);
    for (label, customer, cents) in [("hc", "c", 2_000), ("hb", "b", 3_000), ("ha", "a", 1_000)] {
        assert_eq!(block(&mut day, label, customer, "dispute", cents)["outcome"], "applied");
    }
    let blocked = |day: &mut Day| ["a", "b", "c"].map(|customer| day.balance(NOON, customer));
    assert_eq!(blocked(&mut day), [(2_900, 1_000), (500, 3_000), (500, 2_000)]);
    assert_eq!(day.give_back("d", NOON, 1_500), "applied");
    assert_eq!(blocked(&mut day), [(2_900, 0), (500, 3_000), (500, 1_500)]);
    assert_eq!(day.give_back("d", NOON, 2_500), "applied");
    assert_eq!(blocked(&mut day), [(2_900, 0), (500, 2_000), (500, 0)]);
}

#[test]
fn a_block_that_holds_more_than_went_back_is_freed_once_all_of_the_cause_did() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 1_000);
    assert_eq!(day.transfer("t", NOON, "a", "b", 900).status, 200);
    day.deposit("d2", NOON, "b", 5_100);
    assert_eq!(block(&mut day, "h", "b", "dispute", 5_000)["outcome"], "applied");
    assert_eq!(day.balance(NOON, "b"), (900, 5_000));
    assert_eq!(day.give_back("d", NOON, 1_000), "applied");
    assert_eq!((day.balance(NOON, "a"), day.balance(NOON, "b")), ((0, 0), (5_000, 0)));
}

#[test]
fn a_block_follows_no_money_to_another_account_nor_for_a_decision_of_ours() {
    let mut day = gone_on();
    assert_eq!(block(&mut day, "h1", "b", "administrative", 1_000)["outcome"], "set_aside");
    let other = json!({
        "at": NOON, "fact": "account.opened", "body": { "id": "acc-2", "account": "bazar" },
        "supplied": { "key": "svc_live_bazar" },
    });
    assert_eq!(day.line(&other.to_string()).body["outcome"], "applied");
    let body = judged(json!({
        "id": "h2", "account": "bazar", "customer_ref": "b", "kind": "dispute",
        "amount_cents": 1_000, "cashin_id": "$d.cashin_id",
    }));
    assert_eq!(day.report(NOON, "hold.placed", &body), "set_aside");
    assert_eq!((day.balance(NOON, "a"), day.balance(NOON, "b")), ((3_900, 0), (6_000, 0)));
}
