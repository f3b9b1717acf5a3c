//! The routes of ours about webhooks have the bounds that the contract's routes have.

use std::time::{Duration, Instant as Clock};

use axum::http::response::Parts as Head;
use ledger_http::{Limits, Rate};
use serde_json::{Value, json};

use crate::receiver::Reply;
use crate::station::{KEY, Station};

/// Each route of ours, and what it answers where nothing is asked that there is.
const ROUTES: [(&str, &str, u16); 6] = [
    ("GET", "/webhooks/deliveries/ev_0", 404),
    ("POST", "/webhooks/deliveries/ev_0/resend", 404),
    ("POST", "/webhooks/deliveries/recover?since=2026-11-20T12:00:00Z", 200),
    ("GET", "/webhooks/events", 200),
    ("OPTIONS", "/webhooks/events", 204),
    ("PUT", "/webhooks/deliveries/ev_0", 405),
];

fn header<'a>(head: &'a Head, name: &str) -> &'a str {
    head.headers.get(name).map_or("", |value| value.to_str().unwrap())
}

/// LIM-30, for routes beside the contract's.
#[test]
fn these_routes_count_requests_and_say_what_is_left() {
    let mut station = Station::with(|settings| settings);
    station.listen(KEY, "/loja");
    station.limited(Limits { per_key: Rate::per_minute(6), ..Limits::default() });
    for (left, (method, path, status)) in (0..6).rev().zip(ROUTES) {
        let (head, body) = station.answer(method, path, KEY, None);
        assert_eq!(head.status.as_u16(), status, "{method} {path}: {body}");
        assert_eq!(header(&head, "ratelimit-policy"), "\"default\";q=6;w=60", "{method} {path}");
        let limit = header(&head, "ratelimit");
        assert!(limit.starts_with(&format!("\"default\";r={left};t=")), "{method} {path}: {limit}");
    }
    for (method, path, _) in ROUTES {
        let (head, body) = station.answer(method, path, KEY, None);
        assert_eq!((head.status.as_u16(), &body["erro"]), (429, &json!("rate_limit")), "{path}");
        assert_eq!(header(&head, "retry-after"), body["retry_after_seconds"].to_string());
        assert!(header(&head, "ratelimit").starts_with("\"default\";r=0;t="));
    }
}

#[test]
fn a_resend_that_takes_too_long_is_answered_with_504_and_written_down_all_the_same() {
    let mut station = Station::start();
    station.deposit(KEY, "d");
    let first = station.arrived("/loja", 2)[0].id();
    station.acknowledged();
    station.limited(Limits { handling: Duration::from_millis(100), ..Limits::default() });
    let slow = Reply { after: Duration::from_millis(300), ..Reply::with_status(202) };
    station.receiver.next("/loja", slow);
    let path = format!("/webhooks/deliveries/{first}");
    let (status, late) = station.ask("POST", &format!("{path}/resend"), KEY, None);
    assert_eq!((status, &late["erro"]), (504, &json!("tempo_esgotado")), "{late}");
    let written = station.until("the attempt to be written down", || {
        let (_, shown) = station.ask("GET", &path, KEY, None);
        let history = shown["history"].as_array()?;
        history.iter().find(|attempt| attempt["kind"] == "resend").cloned()
    });
    assert_eq!((&written["outcome"], &written["http_status"]), (&json!("delivered"), &json!(202)));
}

#[test]
fn a_listener_is_answered_before_its_time_is_up() {
    let mut station = Station::start();
    station.limited(Limits { handling: Duration::from_secs(2), ..Limits::default() });
    let began = Clock::now();
    let (status, heard) = station.ask("GET", "/webhooks/events?after=0&wait=25", KEY, None);
    assert_eq!((status, &heard["items"]), (200, &json!([])), "{heard}");
    assert!(Duration::from_millis(900) < began.elapsed(), "it waited");
    assert_eq!(heard["next"], 0);
}

#[test]
fn an_id_that_is_no_text_names_no_event() {
    let station = Station::start();
    for (method, path) in
        [("GET", "/webhooks/deliveries/%FF"), ("POST", "/webhooks/deliveries/%FF/resend")]
    {
        let (status, answer) = station.ask(method, path, KEY, None);
        assert_eq!((status, &answer["erro"]), (404, &Value::from("nao_encontrado")), "{answer}");
    }
}
