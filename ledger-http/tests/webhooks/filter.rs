//! Which events an account is sent: those that it has chosen (P:WebhookFilter).

use ledger_store::ServiceTables;
use ledger_store::projection::schema::table::Cell;
use serde_json::{Value, json};

use crate::station::{KEY, Station};

const PATH: &str = "/webhooks/filter";

const FEIRA: &str = "svc_live_feira";

fn choose(station: &Station, events: &Value) {
    let (status, answer) = station.ask("PUT", PATH, KEY, Some(&json!({ "events": events })));
    assert_eq!((status, &answer["events"]), (200, events), "{answer}");
}

/// The id of the event that is kept in this state.
fn kept(station: &Station, state: &str) -> String {
    let mut tables = ServiceTables::open(station.target(), "webhook_deliveries", &[]).unwrap();
    let sql = "SELECT event FROM webhook_deliveries WHERE state = $1";
    let rows = tables.read(sql, &[state.into()]).unwrap();
    let [row] = &rows[..] else { panic!("{rows:?}") };
    let Cell::Text(id) = &row[0] else { panic!("{row:?}") };
    id.clone()
}

#[test]
fn an_account_is_sent_the_events_that_it_chose_and_its_lines_go_on() {
    let station = Station::start();
    station.open_account("feira", FEIRA);
    station.listen(FEIRA, "/feira");
    assert_eq!(station.ask("GET", PATH, KEY, None), (200, json!({ "events": null })));
    choose(&station, &json!(["cashin.settled"]));
    station.deposit(KEY, "d");
    station.deposit(FEIRA, "d");
    // The paid charge is told before the settled one: what is not sent holds nothing up.
    assert_eq!(station.arrived("/loja", 1)[0].topic(), "cashin.settled");
    station.arrived("/feira", 2);
    station.acknowledged();
    station.nothing_more("/loja", 1);
    let listed = station.deliveries(KEY);
    assert_eq!(listed["items"].as_array().unwrap().len(), 1, "{listed}");
    assert_eq!(listed["items"][0]["event"], "cashin.settled");
    let (_, heard) = station.ask("GET", "/webhooks/events?after=0", KEY, None);
    assert_eq!(heard["items"].as_array().unwrap().len(), 1, "{heard}");
    // A test is always sent.
    assert_eq!(station.ask("POST", "/webhooks/test", KEY, None).0, 200);
    assert_eq!(station.arrived("/loja", 2)[1].topic(), "webhook.test");
}

#[test]
fn what_was_not_chosen_is_shown_and_sent_by_its_id_and_by_no_recovery() {
    let station = Station::start();
    choose(&station, &json!(["cashin.settled"]));
    station.deposit(KEY, "d");
    station.arrived("/loja", 1);
    station.acknowledged();
    let id = kept(&station, "filtered");
    let path = "/webhooks/deliveries/recover?since=2026-11-20T00:00:00Z";
    assert_eq!(station.ask("POST", path, KEY, None), (200, json!({ "enfileirados": 0 })));
    station.nothing_more("/loja", 1);
    let path = format!("/webhooks/deliveries/{id}");
    let (status, shown) = station.ask("GET", &path, KEY, None);
    assert_eq!((status, &shown["status"]), (200, &json!("filtered")), "{shown}");
    assert_eq!(shown["payload"]["event"], "cashin.paid");
    let (status, resent) = station.ask("POST", &format!("{path}/resend"), KEY, None);
    assert_eq!((status, &resent["entregue"]), (200, &json!(true)), "{resent}");
    assert_eq!(station.arrived("/loja", 2)[1].id(), id);
    station.stands(KEY, &id, "delivered");
}

#[test]
fn a_choice_holds_for_what_comes_after_it_and_over_a_restart() {
    let mut station = Station::start();
    station.deposit(KEY, "d");
    station.arrived("/loja", 2);
    choose(&station, &json!(["payout.failed"]));
    assert_eq!(station.deliveries(KEY)["items"].as_array().unwrap().len(), 2);
    station.end();
    station.begin();
    station.deposit(KEY, "e");
    station.acknowledged();
    station.nothing_more("/loja", 2);
    choose(&station, &Value::Null);
    station.deposit(KEY, "f");
    station.arrived("/loja", 4);
}

#[test]
fn a_name_that_no_event_has_is_refused_and_the_choice_stays() {
    let station = Station::start();
    choose(&station, &json!(["cashin.paid"]));
    let body = json!({ "events": ["cashin.paid", "cashin.payed"] });
    let (status, refused) = station.ask("PUT", PATH, KEY, Some(&body));
    assert_eq!((status, &refused["erro"]), (400, &json!("formato_invalido")), "{refused}");
    assert_eq!(refused["detail"], "events[1] is no event");
    assert_eq!(station.ask("GET", PATH, KEY, None), (200, json!({ "events": ["cashin.paid"] })));
    let (status, nobody) = station.ask("PUT", PATH, "svc_live_unknown", Some(&body));
    assert_eq!((status, &nobody["erro"]), (401, &json!("chave_desconhecida")));
    let (status, other) = station.ask("DELETE", PATH, KEY, None);
    assert_eq!((status, &other["erro"]), (405, &json!("metodo_nao_permitido")));
}
