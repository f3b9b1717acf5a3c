//! What becomes of a client whose events come twice, late and in any order (EVT-04, EVT-10).

use std::collections::BTreeMap;

use serde_json::Value;

use crate::day::{Day, KEY};
use crate::killed::Dice;
use crate::settlement_day::LINES;

/// After the last line of the day.
const AFTERWARDS: &str = "2026-11-21T12:40:00Z";

/// A client that reads the operation an event names, and one that believes the event itself.
#[derive(Default)]
struct Clients {
    reading: BTreeMap<String, Value>,
    believing: BTreeMap<String, Value>,
}

/// The charge that an event is about, as the client may read it.
fn charge_of(event: &Value) -> Option<String> {
    Some(event["data"]["cashin_id"].as_str()?.to_owned())
}

fn read(day: &mut Day, at: &str, id: &str) -> Value {
    day.get_with(KEY, at, &format!("/cashin/{id}/status"))
}

impl Clients {
    fn receive(&mut self, day: &mut Day, at: &str, event: &Value) {
        let Some(id) = charge_of(event) else { return };
        self.reading.insert(id.clone(), read(day, at, &id));
        self.believing.insert(id, event["data"].clone());
    }
}

/// One day whose events reach the clients as this seed of dice has it.
fn lived_through(seed: u64) -> (Day, Clients) {
    let (mut day, mut clients) = (Day::new(), Clients::default());
    let mut dice = Dice(seed);
    let (mut sent, mut waiting) = (0, Vec::new());
    for line in LINES.lines() {
        day.line(line);
        waiting.extend(day.events()[sent..].iter().cloned());
        sent = day.events().len();
        let at: Value = serde_json::from_str(line).unwrap();
        let at = at["at"].as_str().unwrap().to_owned();
        // One of those that wait arrives, if any; one in three stays and arrives again.
        if !waiting.is_empty() && dice.below(2) == 0 {
            let place = dice.below(waiting.len());
            let event = waiting[place].clone();
            if dice.below(3) > 0 {
                waiting.swap_remove(place);
            }
            clients.receive(&mut day, &at, &event);
        }
    }
    while !waiting.is_empty() {
        let place = dice.below(waiting.len());
        let event = waiting.swap_remove(place);
        clients.receive(&mut day, AFTERWARDS, &event);
    }
    (day, clients)
}

#[test]
fn evt_10_a_consumer_of_doubled_reordered_and_late_events_converges_by_reading() {
    let mut misled = 0;
    for seed in 1..=8 {
        let (mut day, clients) = lived_through(seed);
        assert!(clients.reading.len() > 10, "the day has charges");
        for (id, last) in &clients.reading {
            let now = read(&mut day, AFTERWARDS, id);
            // How an attempt gets on has no event of its own; what it comes to has.
            for field in ["status", "settlement_tx_hash", "paid_at", "settled_at"] {
                assert_eq!(last[field], now[field], "seed {seed}, charge {id}: {field}");
            }
            misled += u32::from(clients.believing[id]["status"] != now["status"]);
        }
    }
    // Otherwise the order of arrival was never hostile, and the test proves nothing.
    assert!(misled > 0, "whoever believes the last event it got is misled somewhere");
}
