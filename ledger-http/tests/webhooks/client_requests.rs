//! What clients ask of the courier: tests, deliveries, one of them whole, sent again, recovered,
//! and what listeners get.

use std::time::Duration;

use ledger_core::time::Span;
use serde_json::{Value, json};

use crate::receiver::Reply;
use crate::station::{KEY, Station};

const FEIRA: &str = "svc_live_feira";

/// EVT-12: the test event.
#[test]
fn a_test_is_really_sent_and_answered_with_status_and_latency() {
    let station = Station::start();
    station.receiver.next("/loja", Reply::with_status(503));
    let (status, tested) = station.ask("POST", "/webhooks/test", KEY, None);
    assert_eq!(status, 200, "{tested}");
    assert_eq!((&tested["status"], &tested["entregue"]), (&json!(503), &json!(false)));
    assert!(tested["latency_ms"].is_u64());
    let seen = &station.arrived("/loja", 1)[0];
    assert_eq!(seen.topic(), "webhook.test");
    assert_eq!(seen.id(), tested["event"]["id"]);
    assert_eq!(station.deliveries(KEY)["items"], json!([]), "a test is no delivery");
    station.nothing_more("/loja", 1);
}

#[test]
fn a_test_that_nobody_answers_says_so() {
    let station = Station::start();
    let slow = Reply { after: std::time::Duration::from_secs(3), ..Reply::with_status(200) };
    station.receiver.next("/loja", slow);
    let (status, tested) = station.ask("POST", "/webhooks/test", KEY, None);
    assert_eq!((status, &tested["erro"]), (502, &json!("endpoint_nao_respondeu")), "{tested}");
    let quiet = Station::with(|settings| settings);
    let (status, tested) = quiet.ask("POST", "/webhooks/test", KEY, None);
    assert_eq!((status, &tested["erro"]), (409, &json!("webhook_nao_configurado")), "{tested}");
}

/// EVT-12: the list of deliveries.
#[test]
fn an_account_sees_its_own_deliveries_and_no_others() {
    let station = Station::start();
    station.open_account("feira", FEIRA);
    station.deposit(KEY, "d");
    let seen = station.arrived("/loja", 2);
    station.acknowledged();
    assert_eq!(station.deliveries(KEY)["items"].as_array().unwrap().len(), 2);
    assert_eq!(station.deliveries(FEIRA)["items"], json!([]));
    let path = format!("/webhooks/deliveries/{}", seen[0].id());
    for (method, path) in [("GET", path.clone()), ("POST", format!("{path}/resend"))] {
        let (status, answer) = station.ask(method, &path, FEIRA, None);
        assert_eq!((status, &answer["erro"]), (404, &json!("nao_encontrado")), "{answer}");
    }
    station.nothing_more("/loja", 2);
}

#[test]
fn a_delivery_shows_its_payload_every_attempt_and_what_was_answered() {
    let station = Station::start();
    station.receiver.next("/loja", Reply { body: "broken".to_owned(), ..Reply::with_status(500) });
    station.deposit(KEY, "d");
    let seen = &station.arrived("/loja", 1)[0];
    station.stands(KEY, &seen.id(), "retrying");
    let path = format!("/webhooks/deliveries/{}", seen.id());
    let (status, shown) = station.ask("GET", &path, KEY, None);
    assert_eq!(status, 200, "{shown}");
    assert_eq!(shown["payload"], seen.event());
    assert!(shown["next_attempt_at"].is_string());
    let history = shown["history"].as_array().unwrap();
    assert_eq!(history.len(), 1);
    assert_eq!((&history[0]["number"], &history[0]["kind"]), (&json!(1), &json!("scheduled")));
    assert_eq!(
        (&history[0]["http_status"], &history[0]["answer"]),
        (&json!(500), &json!("broken"))
    );
}

#[test]
fn an_event_is_sent_again_although_it_was_delivered() {
    let station = Station::start();
    station.deposit(KEY, "d");
    let seen = station.arrived("/loja", 2);
    station.acknowledged();
    let path = format!("/webhooks/deliveries/{}/resend", seen[0].id());
    let (status, resent) = station.ask("POST", &path, KEY, None);
    assert_eq!((status, &resent["entregue"]), (200, &json!(true)), "{resent}");
    let again = &station.arrived("/loja", 3)[2];
    assert_eq!((again.id(), &again.body), (seen[0].id(), &seen[0].body), "the same bytes");
    let item = station.stands(KEY, &seen[0].id(), "delivered");
    assert_eq!(item["attempts"], 2);
    station.nothing_more("/loja", 3);
}

#[test]
fn a_resend_that_is_taken_ends_the_schedule_and_one_that_fails_leaves_it() {
    let station = Station::start();
    station.receiver.next("/loja", Reply::with_status(500));
    station.receiver.next("/loja", Reply::with_status(502));
    station.deposit(KEY, "d");
    let first = station.arrived("/loja", 1)[0].id();
    let due = station.stands(KEY, &first, "retrying")["next_attempt_at"].clone();
    let path = format!("/webhooks/deliveries/{first}/resend");
    let (status, resent) = station.ask("POST", &path, KEY, None);
    assert_eq!((status, &resent["status"]), (200, &json!(502)), "{resent}");
    let item = station.stands(KEY, &first, "retrying");
    assert_eq!((&item["next_attempt_at"], &item["attempts"]), (&due, &json!(2)));
    station.ask("POST", &path, KEY, None);
    station.stands(KEY, &first, "delivered");
    let seen = station.arrived("/loja", 4);
    assert_eq!(seen[3].topic(), "cashin.settled", "its line goes on");
    station.acknowledged();
}

#[test]
fn what_was_given_up_is_recovered_from_an_instant_on() {
    let station = Station::start();
    station.receiver.next("/loja", Reply::with_status(410));
    station.deposit(KEY, "d");
    station.acknowledged();
    for (query, wrong) in [("", "since"), ("?since=soon", "since"), ("?until=1", "since")] {
        let path = format!("/webhooks/deliveries/recover{query}");
        let (status, answer) = station.ask("POST", &path, KEY, None);
        assert_eq!((status, &answer["erro"]), (400, &json!("requisicao_invalida")), "{answer}");
        assert!(answer["detail"].as_str().unwrap().contains(wrong), "{answer}");
    }
    let recover = |since: &str| {
        let path = format!("/webhooks/deliveries/recover?since={since}");
        let (status, answer) = station.ask("POST", &path, KEY, None);
        assert_eq!(status, 200, "{answer}");
        answer["enfileirados"].clone()
    };
    assert_eq!(recover("2026-11-20T12:00:01Z"), 0);
    assert_eq!(recover("2026-11-20T12:00:00Z"), 2);
    let seen = station.arrived("/loja", 3);
    for seen in &seen {
        station.stands(KEY, &seen.id(), "delivered");
    }
    assert_eq!(recover("2026-11-20T12:00:00Z"), 0, "nothing is left");
    station.nothing_more("/loja", 3);
}

#[test]
fn recovering_one_account_sends_nothing_of_another() {
    let station = Station::start();
    station.open_account("feira", FEIRA);
    station.listen(FEIRA, "/feira");
    for (path, key) in [("/loja", KEY), ("/feira", FEIRA)] {
        station.receiver.next(path, Reply::with_status(410));
        station.deposit(key, path);
        station.arrived(path, 1);
    }
    station.acknowledged();
    let path = "/webhooks/deliveries/recover?since=2026-11-20T12:00:00Z";
    let (status, answer) = station.ask("POST", path, KEY, None);
    assert_eq!((status, &answer["enfileirados"]), (200, &json!(2)), "{answer}");
    station.arrived("/loja", 3);
    station.nothing_more("/feira", 1);
    for item in station.deliveries(FEIRA)["items"].as_array().unwrap() {
        assert_eq!(item["status"], "abandoned");
    }
}

#[test]
fn a_recovery_that_fails_is_not_attempted_again_by_itself() {
    let station = Station::start();
    station.receiver.next("/loja", Reply::with_status(410));
    station.deposit(KEY, "d");
    station.acknowledged();
    station.receiver.always("/loja", Reply::with_status(500));
    let path = "/webhooks/deliveries/recover?since=2026-11-20T12:00:00Z";
    let (_, answer) = station.ask("POST", path, KEY, None);
    assert_eq!(answer["enfileirados"], 2, "{answer}");
    let seen = station.arrived("/loja", 3);
    for seen in &seen[1..] {
        station.until("the recovery to be written down", || {
            let path = format!("/webhooks/deliveries/{}", seen.id());
            let (_, shown) = station.ask("GET", &path, KEY, None);
            (shown["history"].as_array()?.last()?["kind"] == "recover").then_some(())
        });
        assert_eq!(station.stands(KEY, &seen.id(), "abandoned")["next_attempt_at"], Value::Null);
    }
    station.advance(Span::days(2));
    station.nothing_more("/loja", 3);
}

#[test]
fn what_is_recovered_and_finds_nobody_listening_waits_until_it_is_asked_for_again() {
    let mut station = Station::start();
    station.receiver.next("/loja", Reply::with_status(410));
    station.deposit(KEY, "d");
    station.acknowledged();
    let id = station.arrived("/loja", 1)[0].id();
    station.listen(KEY, "/loja");
    station.rest();
    let path = "/webhooks/deliveries/recover?since=2026-11-20T12:00:00Z";
    let (status, answer) = station.ask("POST", path, KEY, None);
    assert_eq!((status, &answer["enfileirados"]), (200, &json!(2)), "{answer}");
    station.forget("/loja");
    station.begin();
    let due = |station: &Station| {
        let (_, shown) = station.ask("GET", &format!("/webhooks/deliveries/{id}"), KEY, None);
        !shown["next_attempt_at"].is_null()
    };
    station.until("nothing to be due", || (!due(&station)).then_some(()));
    station.listen(KEY, "/loja");
    station.nothing_more("/loja", 1);
}

#[test]
fn a_late_scheduled_attempt_leaves_delivered_what_a_resend_delivered() {
    let station = Station::start();
    let late = Reply { after: Duration::from_millis(400), ..Reply::with_status(500) };
    station.receiver.next("/loja", late);
    station.deposit(KEY, "d");
    let first = station.arrived("/loja", 1)[0].id();
    let path = format!("/webhooks/deliveries/{first}");
    let (_, resent) = station.ask("POST", &format!("{path}/resend"), KEY, None);
    assert_eq!(resent["entregue"], true, "{resent}");
    let history = station.until("both attempts to be written down", || {
        let (_, shown) = station.ask("GET", &path, KEY, None);
        shown["history"].as_array().filter(|history| history.len() == 2).cloned()
    });
    assert_eq!((&history[0]["kind"], &history[1]["kind"]), (&json!("resend"), &json!("scheduled")));
    let item = station.stands(KEY, &first, "delivered");
    assert_eq!(item["next_attempt_at"], Value::Null, "{item}");
    station.advance(Span::hours(1));
    station.nothing_more("/loja", 3);
    station.acknowledged();
}

#[test]
fn a_listener_gets_what_comes_and_what_is_resent_without_an_address() {
    let station = Station::with(|settings| settings);
    let events = |query: &str| -> Value {
        let (status, answer) = station.ask("GET", &format!("/webhooks/events{query}"), KEY, None);
        assert_eq!(status, 200, "{answer}");
        answer
    };
    assert_eq!(events(""), json!({ "items": [], "next": 0 }));
    station.deposit(KEY, "d");
    station.acknowledged();
    let given = events("?after=0&wait=5");
    let names: Vec<_> = given["items"].as_array().unwrap().iter().map(|it| &it["event"]).collect();
    assert_eq!(names, ["cashin.paid", "cashin.settled"], "{given}");
    let next = given["next"].as_u64().unwrap();
    assert_eq!(events(&format!("?after={next}")), json!({ "items": [], "next": next }));
    // Resent, it is given once more.
    station.listen(KEY, "/loja");
    let id = given["items"][0]["id"].as_str().unwrap().to_owned();
    station.ask("POST", &format!("/webhooks/deliveries/{id}/resend"), KEY, None);
    let again = events(&format!("?after={next}&wait=5"));
    assert_eq!(again["items"], json!([given["items"][0]]), "{again}");
    for wrong in ["?after=x", "?wait=26", "?wait=x", "?before=1"] {
        let (status, answer) = station.ask("GET", &format!("/webhooks/events{wrong}"), KEY, None);
        assert_eq!((status, &answer["erro"]), (400, &json!("requisicao_invalida")), "{wrong}");
    }
}

#[test]
fn a_listener_gets_nothing_of_another_account() {
    let station = Station::start();
    station.open_account("feira", FEIRA);
    station.deposit(KEY, "d");
    station.acknowledged();
    let (status, given) = station.ask("GET", "/webhooks/events?after=0", FEIRA, None);
    assert_eq!((status, given), (200, json!({ "items": [], "next": 0 })));
    let (_, given) = station.ask("GET", "/webhooks/events", FEIRA, None);
    assert_eq!(given["next"], 0, "{given}");
    let (_, given) = station.ask("GET", "/webhooks/events?after=0", KEY, None);
    assert_eq!(given["items"].as_array().unwrap().len(), 2, "{given}");
}

#[test]
fn these_routes_ask_for_a_key_and_for_their_method_as_the_contracts_do() {
    let station = Station::start();
    let paths = [
        ("GET", "/webhooks/deliveries/ev_1"),
        ("POST", "/webhooks/deliveries/ev_1/resend"),
        ("POST", "/webhooks/deliveries/recover?since=2026-11-20T12:00:00Z"),
        ("GET", "/webhooks/events"),
    ];
    for (method, path) in paths {
        for (key, erro) in [
            ("", "chave_obrigatoria"),
            ("svc_live_nobody", "chave_desconhecida"),
            ("nonsense", "chave_incorreta"),
        ] {
            let (status, answer) = station.ask(method, path, key, None);
            assert_eq!((status, &answer["erro"]), (401, &json!(erro)), "{path} {key}");
        }
        let (status, answer) = station.ask("PATCH", path, KEY, None);
        assert_eq!((status, &answer["erro"]), (405, &json!("metodo_nao_permitido")), "{path}");
        assert_eq!(station.ask("OPTIONS", path, KEY, None).0, 204);
    }
}
