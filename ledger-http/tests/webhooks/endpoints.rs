//! Endpoints that are switched off, that their owners see, and that come back.

use ledger_core::time::Span;

use crate::receiver::Reply;
use crate::station::{KEY, NOON, Station};

#[test]
fn a_410_switches_the_endpoint_off_and_its_owner_sees_it() {
    let station = Station::start();
    station.receiver.next("/loja", Reply::with_status(410));
    station.deposit(KEY, "d");
    let first = station.arrived("/loja", 1)[0].id();
    station.stands(KEY, &first, "abandoned");
    // What comes then is given up without being sent, and nothing waits.
    station.deposit(KEY, "e");
    station.acknowledged();
    station.nothing_more("/loja", 1);
    let listed = station.deliveries(KEY);
    assert_eq!(listed["webhook_desligado_em"], NOON, "{listed}");
    assert_eq!(listed["webhook_desligado_motivo"], "gone");
    let items = listed["items"].as_array().unwrap();
    assert_eq!(items.len(), 4);
    assert!(items.iter().all(|item| item["status"] == "abandoned"), "{listed}");
    // A test that is taken switches it on.
    let (status, tested) = station.ask("POST", "/webhooks/test", KEY, None);
    assert_eq!((status, &tested["entregue"]), (200, &true.into()), "{tested}");
    assert_eq!(station.deliveries(KEY).get("webhook_desligado_em"), None);
    station.deposit(KEY, "f");
    station.arrived("/loja", 4);
}

#[test]
fn another_address_switches_it_on_again() {
    let station = Station::start();
    station.receiver.always("/loja", Reply::with_status(410));
    station.deposit(KEY, "d");
    station.acknowledged();
    assert_eq!(station.deliveries(KEY)["webhook_desligado_motivo"], "gone");
    station.listen(KEY, "/other");
    assert_eq!(station.deliveries(KEY).get("webhook_desligado_motivo"), None);
    station.deposit(KEY, "e");
    station.arrived("/other", 2);
    station.nothing_more("/loja", 1);
}

#[test]
fn an_endpoint_that_only_fails_for_120_hours_is_switched_off() {
    let station = Station::start();
    station.receiver.always("/loja", Reply::with_status(500));
    station.deposit(KEY, "d");
    let first = station.arrived("/loja", 1)[0].id();
    let mut made = 1;
    while station.deliveries(KEY).get("webhook_desligado_em").is_none() {
        station.until("the attempt to be written down", || {
            let item = station.stands(KEY, &first, "retrying");
            (item["attempts"] == made).then_some(())
        });
        station.advance(Span::hours(29));
        made += 1;
        station.arrived("/loja", made);
        station.until("the attempt to be counted", || {
            let item = &station.deliveries(KEY)["items"][0];
            (item["attempts"] == made).then_some(())
        });
    }
    assert_eq!(made, 6, "the first attempt that is 120 hours after the first failure");
    assert_eq!(station.deliveries(KEY)["webhook_desligado_motivo"], "failing");
}
