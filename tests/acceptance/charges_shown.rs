//! What the status of a charge tells of the PIX that paid it, and of a hold of ours (CIN-26,
//! CIN-30).

use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, PAYER};

const NOON: &str = "2026-10-20T12:00:00Z";
const LATER: &str = "2026-10-20T13:00:00Z";

/// Returns what only a charge that was paid shows.
fn pix(charge: &Value) -> [Value; 3] {
    ["e2e", "depix_received_cents", "paid_at"].map(|name| charge[name].clone())
}

#[test]
fn cin_30_a_charge_that_was_refunded_still_shows_the_pix_that_had_paid_it() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 10_000);
    let paid = day.status(NOON, "d");
    assert_eq!(pix(&paid)[1..], [json!(10_000), json!(NOON)]);
    assert_eq!(paid["settled_at"], NOON);
    assert_eq!(day.give_back("d", LATER, 10_000), "applied");
    let refunded = day.status(LATER, "d");
    assert_eq!(refunded["status"], "refunded");
    assert_eq!(pix(&refunded), pix(&paid));
    assert_eq!(refunded["settled_at"], NOON, "when it was credited");
}

#[test]
fn cin_30_a_charge_that_the_provider_holds_shows_its_pix_and_is_not_settled() {
    let mut day = Day::opened(NOON);
    day.deposit("d", NOON, "a", 10_000);
    let held = day.status(NOON, "d");
    assert_eq!(held["status"], "delayed");
    assert!(held["e2e"].as_str().is_some_and(|id| id.len() == 32), "{held}");
    assert_eq!(pix(&held)[1..], [json!(10_000), json!(NOON)]);
    assert_eq!(held["settled_at"], Value::Null);
}

#[test]
fn cin_30_what_went_back_of_a_charge_under_way_is_shown() {
    let mut day = Day::opened(NOON);
    day.deposit("d", NOON, "a", 10_000);
    assert_eq!(day.status(NOON, "d").get("returned_cents"), None);
    assert_eq!(day.give_back("d", NOON, 4_000), "applied");
    let held = day.status(NOON, "d");
    assert_eq!((&held["status"], &held["returned_cents"]), (&json!("delayed"), &json!(4_000)));
    assert_eq!(held["depix_received_cents"], 10_000, "what the provider received");
}

#[test]
fn cin_26_a_hold_of_ours_tells_when_it_ends_and_how_many_hours_have_begun_by_then() {
    // Available the next day, which begins in Brasília at three o'clock UTC.
    for (paid_at, hours) in [
        ("2026-10-20T11:59:59.999999Z", 16),
        (NOON, 15),
        ("2026-10-20T12:00:00.000001Z", 15),
        ("2026-10-20T12:30:00Z", 15),
        (LATER, 14),
    ] {
        let mut day = Day::opened("2026-10-20T11:00:00Z");
        day.deposit("d", paid_at, "a", 6_000);
        let charge = day.status(paid_at, "d");
        assert_eq!((&charge["status"], &charge["held"]), (&json!("paid"), &json!(false)));
        assert_eq!(charge["liberar_em"], "2026-10-21T03:00:00Z");
        assert_eq!(charge["hold_hours"], hours, "{paid_at}");
        assert_eq!(charge["held_hours"], Value::Null, "no alias of the other");
    }
}

#[test]
fn cin_26_what_is_available_at_once_has_no_hold_of_ours() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 6_000);
    let charge = day.status(NOON, "d");
    assert_eq!((&charge["liberar_em"], &charge["hold_hours"]), (&Value::Null, &Value::Null));
}

#[test]
fn cin_27_the_hours_of_our_hold_are_a_number_or_null_and_either_is_tolerated_when_sent() {
    let mut day = Day::opened(NOON);
    let sent = [json!(24), Value::Null, json!("2026-10-21T12:00:00Z"), json!("24")];
    for (number, hours) in sent.into_iter().enumerate() {
        let id = format!("d{number}");
        let body = json!({
            "destino": "saldo", "amount_cents": 5_000, "payer_tax_number": PAYER,
            "hold_hours": hours,
        });
        let made = day.ask_as(&id, NOON, "POST /cashin/charge", body);
        assert_eq!(made.status, 200, "{hours}: {}", made.body);
        assert_eq!(made.body["campos_ignorados"], json!(["hold_hours"]), "{hours}");
        assert_eq!(made.body["hold_hours"], Value::Null, "what was sent is not echoed");
        assert_eq!(day.pix(&id, NOON, 5_000), "applied");
        let shown = &day.status(NOON, &id)["hold_hours"];
        assert!(shown.is_u64(), "an integer, not an instant: {shown}");
    }
}

#[test]
fn who_paid_is_kept_and_shown_where_the_provider_tells_and_another_is_named_as_such() {
    for (told, shown, differs) in [
        (json!(PAYER), json!("***.533.447-**"), json!(false)),
        (json!("52998224725"), json!("***.982.247-**"), json!(true)),
        (json!("***.533.447-**"), json!("***.533.447-**"), json!(false)),
        (json!("***.982.247-**"), json!("***.982.247-**"), json!(true)),
        (Value::Null, Value::Null, Value::Null),
    ] {
        let mut day = Day::with_terms(NOON, AT_ONCE);
        assert_eq!(day.charge("c", NOON, "ana", 5_000).status, 200);
        let id = day.outside_id();
        let paid = json!({
            "cashin_id": "$c.cashin_id", "e2e": id, "amount_cents": 5_000,
            "payer_tax_number": told,
        });
        assert_eq!(day.report(NOON, "pix.received", &paid), "applied", "the charge is paid");
        let view = day.get(NOON, "/cashin/$c.cashin_id/status");
        assert_eq!(view["payer_tax_number"], "***.533.447-**");
        assert_eq!((&view["paid_by_tax_number"], &view["payer_differs"]), (&shown, &differs));
        assert!(!view.to_string().contains("52998224725"), "{view}");
    }
    let mut day = Day::with_terms(NOON, AT_ONCE);
    let paid = json!({ "e2e": day.outside_id(), "amount_cents": 1, "payer_tax_number": "1" });
    let line = json!({ "at": NOON, "fact": "pix.received", "environment": "live", "body": paid });
    assert_eq!(day.line(&line.to_string()).status, 400);
}
