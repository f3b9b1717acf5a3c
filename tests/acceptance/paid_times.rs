//! When money was paid, by its own clock, and when that was reported (rulings 69).

use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day};
use crate::selling::{STANDARD, arrival};

const NOON: &str = "2026-10-20T12:00:00Z";

/// Reports that the charge `d` was paid: what the answer says.
fn paid(day: &mut Day, (at, paid_at): (&str, &str), cents: i64) -> Value {
    let body = json!({
        "cashin_id": "$d.cashin_id", "e2e": day.outside_id(), "amount_cents": cents,
        "paid_at": paid_at,
    });
    day.report_as("", at, "pix.received", &body)
}

#[test]
fn a_deposit_paid_before_midnight_is_available_as_one_told_before_midnight() {
    let (eve, told) = ("2026-10-21T02:59:50Z", "2026-10-21T03:00:10Z");
    let mut day = Day::opened("2026-10-21T02:50:00Z");
    day.charge("d", "2026-10-21T02:50:00Z", "a", 6_000);
    assert_eq!(paid(&mut day, (told, eve), 6_000)["outcome"], "applied");
    assert_eq!(day.balance(told, "a"), (5_900, 0));
    let shown = day.get(told, "/cashin/$d.cashin_id/status");
    assert_eq!((&shown["paid_at"], &shown["settlement_status"]), (&json!(eve), &json!("sent")));
}

#[test]
fn a_deposit_seen_before_midnight_and_settled_after_it_is_available_by_the_day_of_its_payment() {
    let (eve, told) = ("2026-10-21T02:59:50Z", "2026-10-21T03:00:10Z");
    let mut day = Day::opened("2026-10-21T02:50:00Z");
    day.charge("d", "2026-10-21T02:50:00Z", "a", 6_000);
    let body = json!({
        "cashin_id": "$d.cashin_id", "e2e": day.outside_id(), "amount_cents": 6_000,
        "paid_at": eve,
    });
    assert_eq!(day.report(told, "pix.seen", &body), "applied");
    let settled = json!({ "id": "s", "cashin_id": "$d.cashin_id" });
    assert_eq!(day.report(told, "provider.settled", &settled), "applied");
    assert_eq!(day.balance(told, "a"), (5_900, 0));
}

#[test]
fn a_deposit_told_just_before_midnight_by_a_clock_that_runs_ahead_waits_for_that_midnight_alone() {
    let (eve, ahead) = ("2026-10-21T02:59:50Z", "2026-10-21T03:00:40Z");
    let mut day = Day::opened("2026-10-21T02:50:00Z");
    day.charge("d", "2026-10-21T02:50:00Z", "a", 6_000);
    assert_eq!(paid(&mut day, (eve, ahead), 6_000)["outcome"], "applied");
    assert_eq!(day.balance("2026-10-21T03:00:00Z", "a"), (5_900, 0));
}

#[test]
fn a_pix_paid_in_time_is_not_late_because_its_providers_clock_runs_ahead() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.charge("d", NOON, "a", 5_000);
    let (told, ahead) = ("2026-10-20T12:14:50Z", "2026-10-20T12:15:40Z");
    assert_eq!(paid(&mut day, (told, ahead), 5_000)["outcome"], "applied");
    assert_eq!(day.get(told, "/cashin/$d.cashin_id/status")["paid_at"], told);
}

#[test]
fn a_pix_told_again_says_nothing_else_although_its_clock_runs_ahead() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.charge("d", NOON, "a", 5_000);
    let body = json!({
        "cashin_id": "$d.cashin_id", "e2e": day.outside_id(), "amount_cents": 5_000,
        "paid_at": "2026-10-20T12:00:50Z",
    });
    assert_eq!(day.report(NOON, "pix.received", &body), "applied");
    let again = day.report_as("", "2026-10-20T12:05:00Z", "pix.received", &body);
    assert_eq!((&again["outcome"], &again["differs"]), (&json!("known"), &Value::Null), "{again}");
}

#[test]
fn a_pix_paid_before_its_charge_existed_waits_in_suspense() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    let created = "2026-10-20T12:00:00.700Z";
    day.charge("d", created, "a", 5_000);
    let answer = paid(&mut day, (created, "2026-10-20T11:59:59Z"), 5_000);
    assert_eq!(
        (&answer["outcome"], &answer["reason"]),
        (&json!("set_aside"), &json!("paid_before"))
    );
    assert_eq!(answer["booked_to"], "susp.pix");
    // Providers report whole seconds.
    assert_eq!(paid(&mut day, (created, NOON), 5_000)["outcome"], "applied");
}

#[test]
fn the_wait_of_a_first_deposit_counts_from_its_credit_however_early_it_was_paid() {
    let (eve, told) = ("2026-10-21T02:59:50Z", "2026-10-21T03:00:10Z");
    let mut day = Day::opened("2026-10-21T02:50:00Z");
    day.charge("d", "2026-10-21T02:50:00Z", "a", 6_000);
    assert_eq!(paid(&mut day, (told, eve), 6_000)["outcome"], "applied");
    let waits = day.get(told, "/saldo?customer_ref=a");
    assert_eq!(waits["carencia_ate"], "2026-10-22T03:00:10Z", "{waits}");
}

#[test]
fn what_a_clock_ahead_saw_or_quoted_was_seen_and_quoted_by_the_time_it_is_reported() {
    let mut day = Day::selling(NOON, STANDARD);
    let ahead = "2026-10-20T12:00:50Z";
    let mut body = arrival("0xa", ("usdt", "polygon"), "7");
    body["seen_at"] = ahead.into();
    assert_eq!(day.report(NOON, "deposit.seen", &body), "set_aside", "it is of no order");
    let rate = json!({
        "id": "r", "asset": "usdt", "brl_per_unit": "5.40", "quoted_at": ahead,
    });
    assert_eq!(day.report(NOON, "rate.quoted", &rate), "applied");
    let later = json!({ "id": "r2", "asset": "usdt", "brl_per_unit": "5.50" });
    assert_eq!(day.report("2026-10-20T12:00:10Z", "rate.quoted", &later), "applied");
}

#[test]
fn rulings_3_a_price_told_by_a_clock_set_back_is_a_new_price() {
    let mut day = Day::selling(NOON, STANDARD);
    let rate = |price: &str| json!({ "id": price, "asset": "usdt", "brl_per_unit": price });
    let early = "2026-10-20T11:00:00Z";
    assert_eq!(day.report(early, "rate.quoted", &rate("6.40")), "applied");
    assert_eq!(day.report(early, "rate.quoted", &rate("6.40")), "known");
    day.sold("s", NOON, "100.00");
    let order = day.get(NOON, "/cash-outs/$s.cashout_id");
    assert_eq!(order["rate"], "6.40", "{order}");
    // A report of an earlier moment says so by itself.
    let mut old = rate("7.40");
    old["quoted_at"] = early.into();
    assert_eq!(day.report(NOON, "rate.quoted", &old), "known");
}
