//! Facts are applied, known or set aside, never refused; time passes by its own rule (rulings 1 to
//! 4, 8, 13, 37).

use ledger_core::accounting::Control;
use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, judged};

const NOON: &str = "2026-10-20T12:00:00Z";

fn charge(day: &mut Day, at: &str, id: &str) -> Value {
    day.get(at, &format!("/cashin/charges?external_id={id}"))["charges"][0].clone()
}

fn payout(day: &mut Day, id: &str) -> Value {
    day.get(NOON, &format!("/payouts?external_id={id}"))["payouts"][0].clone()
}

fn about(id: &str, label: &str) -> Value {
    json!({ "id": id, "payout_id": format!("${label}.payout_id") })
}

fn came_back(day: &mut Day, label: &str, cents: i64) -> String {
    let body = json!({
        "payout_id": format!("${label}.payout_id"), "return_id": day.outside_id(),
        "amount_cents": cents,
    });
    day.report(NOON, "payout.returned", &body)
}

/// A payout of 10,000 at 1.5 %, out of 19,900.
fn with_payout() -> Day {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 20_000);
    assert_eq!(day.payout("p", NOON, "a", 10_000).status, 200);
    day
}

#[test]
fn rulings_13_the_payment_time_counts_inclusive_of_the_last_instant() {
    for (paid_at, outcome) in
        [("2026-10-20T12:15:00Z", "applied"), ("2026-10-20T12:15:00.000001Z", "set_aside")]
    {
        let mut day = Day::with_terms(NOON, AT_ONCE);
        assert_eq!(day.charge("d", NOON, "a", 5_000).status, 200);
        let late = "2026-10-20T13:00:00Z";
        assert_eq!(charge(&mut day, late, "d")["status"], "expired");
        let body = json!({
            "cashin_id": "$d.cashin_id", "e2e": day.outside_id(), "amount_cents": 5_000,
            "paid_at": paid_at,
        });
        assert_eq!(day.report(late, "pix.received", &body), outcome, "{paid_at}");
        let (status, suspended) =
            if outcome == "applied" { ("paid", 0) } else { ("expired", 5_000) };
        assert_eq!(charge(&mut day, late, "d")["status"], status);
        assert_eq!(day.money(Control::SuspensePix), suspended);
    }
}

#[test]
fn cin_73_a_second_pix_on_a_paid_charge_goes_to_suspense() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 5_000);
    assert_eq!(day.pix("d", NOON, 5_000), "set_aside");
    assert_eq!(day.balance(NOON, "a"), (4_900, 0));
    assert_eq!(day.money(Control::SuspensePix), 5_000);
}

#[test]
fn rulings_2_a_pix_on_a_failed_charge_and_one_for_no_charge_go_to_suspense() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    assert_eq!(day.charge("d", NOON, "a", 5_000).status, 200);
    let body = json!({ "id": "can-1", "cashin_id": "$d.cashin_id" });
    assert_eq!(day.report(NOON, "provider.cancelled", &body), "applied");
    assert_eq!(day.pix("d", NOON, 5_000), "set_aside");
    let body = json!({ "e2e": day.outside_id(), "amount_cents": 700 });
    assert_eq!(day.report(NOON, "pix.received", &body), "set_aside");
    assert_eq!(day.money(Control::SuspensePix), 5_700);
    assert_eq!(charge(&mut day, NOON, "d")["status"], "failed");
}

#[test]
fn cin_29_suspense_is_attached_or_returned_by_a_person() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    for (id, cents) in [("d1", 5_001), ("d2", 4_999)] {
        assert_eq!(day.charge(id, NOON, "a", 5_000).status, 200);
        let body = json!({
            "cashin_id": format!("${id}.cashin_id"), "e2e": day.outside_id(), "amount_cents": cents,
        });
        let suspended = format!("{id}-suspended");
        assert_eq!(day.report_as(&suspended, NOON, "pix.received", &body)["outcome"], "set_aside");
    }
    let body = judged(json!({ "id": "back-1", "suspense_id": "$d1-suspended.suspense_id" }));
    assert_eq!(day.report(NOON, "suspense.returned", &body), "applied");
    let body = judged(json!({
        "id": "att-1", "suspense_id": "$d2-suspended.suspense_id", "cashin_id": "$d2.cashin_id",
    }));
    assert_eq!(day.report(NOON, "suspense.attached", &body), "applied");
    assert_eq!(day.money(Control::SuspensePix), 0);
    assert_eq!(day.balance(NOON, "a"), (4_899, 0));
    assert_eq!(charge(&mut day, NOON, "d1")["status"], "pending");
    assert_eq!(charge(&mut day, NOON, "d2")["depix_received_cents"], 4_999);
}

#[test]
fn rulings_8_a_release_that_names_the_pix_implies_its_payment_and_the_late_news_is_known() {
    let mut day = Day::opened(NOON);
    assert_eq!(day.charge("d", NOON, "a", 10_000).status, 200);
    let e2e = day.outside_id();
    let body = json!({
        "id": "rel-1", "cashin_id": "$d.cashin_id", "e2e": e2e, "amount_cents": 10_000,
        "paid_at": "2026-10-20T12:05:00Z",
    });
    assert_eq!(day.report("2026-10-21T12:05:00Z", "provider.released", &body), "applied");
    assert_eq!(day.balance("2026-10-21T12:05:00Z", "a"), (9_900, 0));
    let report = json!({ "cashin_id": "$d.cashin_id", "e2e": e2e, "amount_cents": 10_000 });
    assert_eq!(day.report("2026-10-21T12:06:00Z", "pix.received", &report), "known");
    assert_eq!(day.balance("2026-10-21T12:06:00Z", "a"), (9_900, 0));
    assert_eq!(day.money(Control::ProviderPix), 10_000);
}

#[test]
fn rulings_8_paid_implies_submitted_and_the_late_news_is_known() {
    let mut day = with_payout();
    assert_eq!(day.paid("p", NOON), "applied");
    assert_eq!(day.report(NOON, "payout.submitted", &about("sub-1", "p")), "known");
    assert_eq!(day.report(NOON, "payout.unknown", &about("unk-1", "p")), "known");
    assert_eq!(payout(&mut day, "p")["status"], "completed");
}

#[test]
fn gen_10_an_unknown_outcome_moves_no_money_until_evidence_comes() {
    for (outcome, status, balance) in [("paid", "completed", 9_750), ("not_paid", "failed", 19_900)]
    {
        let mut day = with_payout();
        assert_eq!(day.report(NOON, "payout.unknown", &about("unk-1", "p")), "applied");
        assert_eq!(payout(&mut day, "p")["status"], "uncertain");
        assert_eq!(day.balance(NOON, "a"), (9_750, 0));
        assert_eq!(day.money(Control::PayoutInFlight), 10_150);
        let mut body = judged(about("ev-1", "p"));
        body["outcome"] = outcome.into();
        if outcome == "paid" {
            body["e2e"] = day.outside_id().into();
        }
        assert_eq!(day.report(NOON, "payout.evidence", &body), "applied");
        assert_eq!(payout(&mut day, "p")["status"], status);
        assert_eq!(day.balance(NOON, "a"), (balance, 0));
        assert_eq!(day.money(Control::PayoutInFlight), 0);
    }
}

#[test]
fn rulings_2_a_pix_paid_for_a_failed_payout_is_a_claim_on_the_provider() {
    let mut day = with_payout();
    assert_eq!(day.report(NOON, "payout.refused", &about("ref-1", "p")), "applied");
    assert_eq!(day.paid("p", NOON), "set_aside");
    assert_eq!(payout(&mut day, "p")["status"], "failed");
    assert_eq!(day.balance(NOON, "a"), (19_900, 0));
    assert_eq!(day.money(Control::ProviderClaim), 10_000);
}

#[test]
fn rulings_2_a_second_end_to_end_id_for_one_payout_is_set_aside() {
    let mut day = with_payout();
    assert_eq!(day.paid("p", NOON), "applied");
    let first = payout(&mut day, "p");
    assert_eq!(day.paid("p", NOON), "set_aside");
    assert_eq!(payout(&mut day, "p"), first);
    assert_eq!(day.money(Control::ProviderClaim), 10_000);
    assert_eq!(day.money(Control::PayoutIncome), 150);
}

#[test]
fn rulings_1_a_payment_of_another_amount_than_was_ordered_contradicts_the_books() {
    let mut day = with_payout();
    let body =
        json!({ "payout_id": "$p.payout_id", "e2e": day.outside_id(), "amount_cents": 9_999 });
    assert_eq!(day.report(NOON, "payout.paid", &body), "set_aside");
    assert_ne!(payout(&mut day, "p")["status"], "completed");
    assert_eq!(day.money(Control::ProviderClaim), 9_999, "what left the float");
}

#[test]
fn rulings_37_returns_of_a_payout_accumulate_and_the_fee_is_kept() {
    let mut day = with_payout();
    assert_eq!(day.paid("p", NOON), "applied");
    assert_eq!(came_back(&mut day, "p", 2_500), "applied");
    let part = payout(&mut day, "p");
    assert_eq!((&part["status"], &part["returned_cents"]), (&json!("completed"), &json!(2_500)));
    assert_eq!(came_back(&mut day, "p", 7_501), "set_aside", "more than was sent");
    assert_eq!(came_back(&mut day, "p", 7_500), "applied");
    let whole = payout(&mut day, "p");
    assert_eq!((&whole["status"], &whole["returned_cents"]), (&json!("returned"), &json!(10_000)));
    assert_eq!(day.balance(NOON, "a"), (19_750, 0));
    assert_eq!(day.money(Control::PayoutIncome), 150);
    assert_eq!(day.values(NOON, "a")[2..], [-10_000, -150, 2_500, 7_500]);
    assert_eq!(day.money(Control::SuspensePix), 7_501);
}

#[test]
fn rulings_37_the_switch_gives_the_fee_back_with_the_whole() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    let body = json!({ "id": "pol-1", "payout_return_refunds_fee": true });
    assert_eq!(day.report(NOON, "policy.adopted", &body), "applied");
    day.deposit("d", NOON, "a", 20_000);
    assert_eq!(day.payout("p", NOON, "a", 10_000).status, 200);
    assert_eq!(day.paid("p", NOON), "applied");
    assert_eq!(came_back(&mut day, "p", 10_000), "applied");
    assert_eq!(day.balance(NOON, "a"), (19_900, 0));
    assert_eq!(day.money(Control::PayoutIncome), 0);
}

#[test]
fn rulings_3_deadlines_are_dated_at_their_own_instant_and_stay_though_the_request_is_refused() {
    let mut day = Day::opened(NOON);
    assert_eq!(day.charge("d", NOON, "a", 5_000).status, 200);
    assert_eq!(day.payout("p", "2026-10-20T18:00:00Z", "a", 1).status, 402);
    let now = day.sequencer().ledger().state.now;
    assert_eq!(now.to_string(), "2026-10-20T12:15:00Z", "the instant of the last record");
    assert_eq!(charge(&mut day, "2026-10-20T12:01:00Z", "d")["status"], "expired");
}

#[test]
fn rulings_3_an_earlier_instant_is_taken_as_the_ledgers() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    let early = day.charge("d", "2026-10-20T11:00:00Z", "a", 5_000).body;
    assert_eq!(early["created_at"], NOON);
}

#[test]
fn rulings_3_only_time_passed_may_jump_more_than_48_hours() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    let before = day.digest();
    let far = "2026-10-22T12:00:00.000001Z";
    let refused = day.charge("d", far, "a", 5_000);
    assert_eq!((refused.status, &refused.body["erro"]), (400, &json!("requisicao_invalida")));
    let fact = day.report_as(
        "",
        far,
        "pix.received",
        &json!({ "e2e": "E".repeat(32), "amount_cents": 1 }),
    );
    assert_eq!(fact["erro"], "requisicao_invalida");
    let read = json!({ "at": far, "key": crate::day::KEY, "request": "GET /saldo" });
    assert_eq!(day.line(&read.to_string()).status, 400);
    assert_eq!(day.digest(), before);
    assert_eq!(day.charge("d", "2026-10-22T12:00:00Z", "a", 5_000).status, 200, "inclusive");
    assert_eq!(day.report("2027-10-22T12:00:00Z", "time.passed", &json!({})), "applied");
    assert_eq!(day.sequencer().ledger().state.now.to_string(), "2027-10-22T12:00:00Z");
}

#[test]
fn rulings_4_a_provider_hold_ends_by_the_providers_fact_alone_however_early_or_late() {
    for at in ["2026-10-20T12:00:01Z", "2026-10-22T11:00:00Z"] {
        let mut day = Day::opened(NOON);
        day.deposit("d", NOON, "a", 10_000);
        assert_eq!(charge(&mut day, at, "d")["status"], "delayed");
        assert_eq!(charge(&mut day, at, "d")["delay_until"], "2026-10-21T12:00:00Z");
        let body = json!({ "id": "rel-1", "cashin_id": "$d.cashin_id" });
        assert_eq!(day.report(at, "provider.released", &body), "applied");
        assert_eq!(charge(&mut day, at, "d")["status"], "paid");
    }
}
