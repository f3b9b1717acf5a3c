//! How fast webhooks leave: many at once to one endpoint, in order within an operation, and without
//! waiting for the next look.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use crate::station::{KEY, Station};

/// How many deposits are told of, two events each.
const DEPOSITS: u32 = 400;

/// A courier that asks its ledger for each webhook, or connects anew for it, or writes down each by
/// itself, is slower by far where nothing else is.
#[test]
fn webhooks_that_wait_leave_together_and_in_order_within_an_operation() {
    let mut station = Station::start();
    station.rest();
    for id in 1..=DEPOSITS {
        station.deposit_of(id, KEY, &format!("d-{id}"));
    }
    let (asked, began) = (station.counters().jobs, Instant::now());
    station.begin();
    let all = 2 * DEPOSITS as usize;
    station.until(&format!("{all} webhooks"), || {
        (all <= station.receiver.count_on("/loja")).then_some(())
    });
    let (asked, took) = (station.counters().jobs - asked, began.elapsed());
    println!("{all} webhooks in {took:?}, the ledger was asked {asked} times");
    let mut steps: HashMap<String, Vec<String>> = HashMap::new();
    let mut connections = HashSet::new();
    for seen in station.receiver.seen() {
        let operation = seen.event()["data"]["cashin_id"].as_str().unwrap().to_owned();
        steps.entry(operation).or_default().push(seen.topic());
        connections.insert(seen.peer);
    }
    assert_eq!(steps.len(), DEPOSITS as usize);
    assert!(steps.values().all(|topics| topics == &["cashin.paid", "cashin.settled"]));
    assert!(connections.len() < all / 4, "{} connections", connections.len());
    assert!(asked < all as u64 / 2, "the ledger was asked {asked} times");
    station.acknowledged();
}

#[test]
fn what_is_committed_leaves_without_waiting_for_the_next_look() {
    let station = Station::with(|settings| ledger_http::courier::WebhookSettings {
        look: Duration::from_hours(1),
        ..settings
    });
    station.listen(KEY, "/loja");
    for id in ["first", "second"] {
        station.deposit(KEY, id);
    }
    station.arrived("/loja", 4);
}
