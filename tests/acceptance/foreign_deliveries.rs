//! Deliveries of webhooks are shown of an account's own events alone (AUTH-02, EVT).

use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, KEY};

const NOON: &str = "2026-11-20T12:00:00Z";

/// Returns what the account is shown of a queue that has one delivery, of an event with this id.
fn shown(day: &mut Day, id: &str) -> Value {
    let queued = json!({
        "id": id, "event": "cashin.paid", "status": "queued", "created_at": NOON,
    });
    let line = json!({
        "at": NOON, "key": KEY, "request": "GET /webhooks/deliveries",
        "supplied": { "deliveries": [queued] },
    });
    let answer = day.line(&line.to_string());
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body["items"].clone()
}

#[test]
fn an_id_that_names_a_record_without_its_operation_is_no_event_of_the_account() {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 5_000);
    let id = day.events()[0]["id"].as_str().unwrap().to_owned();
    assert_eq!(shown(&mut day, &id).as_array().unwrap().len(), 1);
    let (record, tag) = id.rsplit_once('_').unwrap();
    for other in ["0000000000000000", &tag[1..], &tag[15..], "", &format!("0{tag}")] {
        assert_eq!(shown(&mut day, &format!("{record}_{other}")), json!([]), "{other}");
    }
}
