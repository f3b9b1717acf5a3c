//! The pages of `GET /sandbox/events`: nothing left out and nothing shown twice, wherever a page
//! ends (SBX-11, EVT-15).

use serde_json::{Value, json};

use crate::day::{Day, PAYER};

const NOON: &str = "2026-11-20T12:00:00Z";
const TEST_KEY: &str = "svc_test_loja";

/// A test account whose deposits can be spent at once, with one that was paid: it sent two
/// events.
fn paid() -> Day {
    let mut day = Day::new();
    let terms = json!({ "sem_retencao": true, "liberacao": "imediata", "carencia_horas": 0 });
    day.line(
        &json!({
            "at": NOON, "fact": "account.opened", "environment": "sandbox",
            "body": { "id": "acc-1", "account": "loja", "terms": terms },
            "supplied": { "key": TEST_KEY },
        })
        .to_string(),
    );
    let charge = json!({
        "at": NOON, "as": "d", "key": TEST_KEY, "request": "POST /cashin/charge",
        "body": { "destino": "saldo", "amount_cents": 5_000, "payer_tax_number": PAYER },
    });
    assert_eq!(day.line(&charge.to_string()).status, 200);
    assert_eq!(day.pix("d", NOON, 5_000), "applied");
    day
}

fn page(day: &mut Day, query: &str) -> Value {
    day.get_with(TEST_KEY, NOON, &format!("/sandbox/events?{query}"))
}

fn names(page: &Value) -> Vec<&str> {
    let items = page["items"].as_array().unwrap();
    items.iter().map(|item| item["event"].as_str().unwrap()).collect()
}

/// The query of the page after this one.
fn next(page: &Value) -> String {
    format!("limit=1&before={}", page["proxima_pagina"].as_str().unwrap())
}

#[test]
fn evt_15_a_page_may_end_between_two_events_of_one_moment() {
    let mut day = paid();
    let first = page(&mut day, "limit=1");
    assert_eq!((names(&first), &first["has_more"]), (vec!["cashin.settled"], &json!(true)));
    let second = page(&mut day, &next(&first));
    assert_eq!(names(&second), ["cashin.paid"]);
    let both = page(&mut day, "limit=2");
    assert_eq!(names(&both), ["cashin.settled", "cashin.paid"]);
}

#[test]
fn evt_15_events_that_lie_behind_very_many_records_are_pages_away_and_not_lost() {
    let mut day = paid();
    day.in_haste(|day| {
        for number in 0..10_000 {
            let line = json!({
                "at": NOON, "fact": "pix.received", "environment": "sandbox",
                "body": { "e2e": format!("E{number:031}"), "amount_cents": 1 },
            });
            assert_eq!(day.line(&line.to_string()).body["outcome"], "set_aside");
        }
    });
    let first = page(&mut day, "limit=1");
    assert_eq!((names(&first), &first["has_more"]), (vec![], &json!(true)), "a short page");
    let second = page(&mut day, &next(&first));
    assert_eq!((names(&second), &second["has_more"]), (vec!["cashin.settled"], &json!(true)));
}
