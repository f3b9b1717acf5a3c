//! The same courier over tables on a PostgreSQL server.

use ledger_core::time::Span;
use ledger_store::projection::Target;
use serde_json::json;

use crate::receiver::Reply;
use crate::server;
use crate::station::{KEY, Station};

#[test]
fn deliveries_are_kept_on_a_server_as_in_a_file() {
    let target = Target::Postgres(server::database().parse().unwrap());
    let mut station = Station::over(target, |settings| settings);
    station.listen(KEY, "/loja");
    // A failure, a restart, and the next attempt in its time.
    station.receiver.next("/loja", Reply { body: "nul \0".to_owned(), ..Reply::with_status(500) });
    station.deposit(KEY, "d");
    let first = station.arrived("/loja", 1)[0].id();
    station.stands(KEY, &first, "retrying");
    station.end();
    station.begin();
    station.nothing_more("/loja", 1);
    station.advance(Span::seconds(7));
    station.arrived("/loja", 3);
    station.acknowledged();
    let (_, shown) = station.ask("GET", &format!("/webhooks/deliveries/{first}"), KEY, None);
    let history = shown["history"].as_array().unwrap();
    let of = |field: &str| history.iter().map(|it| it[field].clone()).collect::<Vec<_>>();
    assert_eq!(of("outcome"), ["refused", "delivered"]);
    assert_eq!(of("answer"), ["nul \u{fffd}", ""]);
    // Sent again, and given to a listener.
    let (_, before) = station.ask("GET", "/webhooks/events", KEY, None);
    let path = format!("/webhooks/deliveries/{first}/resend");
    assert_eq!(station.ask("POST", &path, KEY, None).0, 200);
    let (_, given) =
        station.ask("GET", &format!("/webhooks/events?after={}", before["next"]), KEY, None);
    assert_eq!(given["items"][0]["id"], first, "{given}");
    // Given up, seen, recovered.
    station.receiver.next("/loja", Reply::with_status(410));
    station.deposit(KEY, "e");
    station.acknowledged();
    assert_eq!(station.deliveries(KEY)["webhook_desligado_motivo"], "gone");
    // Operators see it so, too.
    let [status, .., list] = station.console("/live/webhooks", "", None);
    assert_eq!(status, "200", "{list}");
    for said in ["switched off since", "50% (2 / 4)", "HTTP 410"] {
        assert!(list.contains(said), "{said} in {list}");
    }
    let path = "/webhooks/deliveries/recover?since=2026-11-20T12:00:00Z";
    let (_, recovered) = station.ask("POST", path, KEY, None);
    assert!(recovered["enfileirados"].as_u64().unwrap() > 0, "{recovered}");
    station.until("all to be delivered", || {
        let listed = station.deliveries(KEY);
        let items = listed["items"].as_array().unwrap().clone();
        items.iter().all(|item| item["status"] == "delivered").then_some(())
    });
    // Forgotten after 30 days.
    station.advance(Span::days(31));
    station.until("old deliveries to be forgotten", || {
        (station.deliveries(KEY)["items"] == json!([])).then_some(())
    });
}
