//! Order and room: a failure delays its own operation, and a slow endpoint its own account.

use std::time::Duration;

use ledger_core::time::Span;

use crate::receiver::Reply;
use crate::station::{KEY, Station};

#[test]
fn a_failure_delays_its_own_operation_only() {
    let station = Station::start();
    station.receiver.next("/loja", Reply::with_status(500));
    station.deposit(KEY, "first");
    let failed = station.arrived("/loja", 1)[0].id();
    station.stands(KEY, &failed, "retrying");
    station.deposit(KEY, "second");
    let seen = station.arrived("/loja", 3);
    let topics: Vec<_> = seen.iter().map(crate::receiver::Seen::topic).collect();
    assert_eq!(topics, ["cashin.paid", "cashin.paid", "cashin.settled"]);
    station.nothing_more("/loja", 3);
    station.advance(Span::seconds(7));
    let seen = station.arrived("/loja", 5);
    assert_eq!((seen[3].id(), seen[4].topic()), (failed, "cashin.settled".to_owned()));
}

#[test]
fn a_slow_endpoint_keeps_no_other_account_waiting() {
    let station = Station::with(|settings| ledger_http::courier::WebhookSettings {
        at_once: 3,
        per_account: 2,
        patience: ledger_http::courier::Patience::default(),
        ..settings
    });
    station.listen(KEY, "/slow");
    let slow = Reply { after: Duration::from_secs(4), ..Reply::with_status(200) };
    station.receiver.always("/slow", slow);
    for id in 0..8 {
        station.deposit(KEY, &format!("s-{id}"));
    }
    station.arrived("/slow", 2);
    station.open_account("feira", "svc_live_feira");
    station.listen("svc_live_feira", "/feira");
    let began = std::time::Instant::now();
    for id in 0..3 {
        station.deposit("svc_live_feira", &format!("f-{id}"));
    }
    station.arrived("/feira", 3);
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
    assert_eq!(station.receiver.seen_on("/slow").len(), 2, "two of one account at once");
}

#[test]
fn an_account_without_an_address_keeps_nothing_waiting_and_its_events_can_be_recovered() {
    let station = Station::with(|settings| settings);
    station.deposit(KEY, "d");
    station.acknowledged();
    assert_eq!(station.deliveries(KEY)["items"].as_array().unwrap().len(), 0);
    let (status, answer) =
        station.ask("POST", "/webhooks/deliveries/recover?since=2026-11-20T00:00:00Z", KEY, None);
    assert_eq!((status, &answer["erro"]), (409, &"webhook_nao_configurado".into()), "{answer}");
    station.listen(KEY, "/loja");
    let (status, answer) =
        station.ask("POST", "/webhooks/deliveries/recover?since=2026-11-20T00:00:00Z", KEY, None);
    assert_eq!((status, &answer["enfileirados"]), (200, &2.into()), "{answer}");
    let seen = station.arrived("/loja", 2);
    for seen in seen {
        station.stands(KEY, &seen.id(), "delivered");
    }
    station.nothing_more("/loja", 2);
}

/// Each look costs the same, however much waits: a dead endpoint's events are read a few at a time.
#[test]
fn many_events_for_a_dead_endpoint_keep_no_other_account_waiting() {
    let station = Station::with(|settings| settings);
    station.listen(KEY, "/dead");
    station
        .receiver
        .always("/dead", Reply { after: Duration::from_secs(5), ..Reply::with_status(200) });
    for id in 1..300 {
        station.deposit_of(id, KEY, &format!("d-{id}"));
    }
    station.arrived("/dead", 4);
    station.open_account("feira", "svc_live_feira");
    station.listen("svc_live_feira", "/feira");
    for id in 1_000..1_050 {
        station.deposit_of(id, "svc_live_feira", &format!("f-{id}"));
    }
    station.arrived("/feira", 100);
    assert!(station.receiver.seen_on("/dead").len() < 300, "its events still wait");
}
