//! Events of an operation in another order: what may come after what, as replay allows it.

use std::collections::{BTreeMap, BTreeSet};

use ledger_core::id::OpId;
use ledger_core::ledger::{Event, Record};

use super::golden::golden;
use super::{every_record, name, operation};

#[test]
fn an_event_of_an_operation_comes_only_where_it_may() {
    let mut histories: BTreeMap<(u64, OpId), Vec<Event>> = BTreeMap::new();
    let mut seed = 0;
    let whose = |event: &Event| operation(&mut event.clone()).copied();
    every_record(|before, record| {
        seed += u64::from(before.state.seq.0 == 0);
        for event in &record.events {
            let Some(op) = whose(event) else { continue };
            histories.entry((seed, op)).or_default().push(event.clone());
        }
    });
    let (mut seed, mut allowed) = (0, BTreeMap::<String, BTreeSet<String>>::new());
    every_record(|before, record| {
        seed += u64::from(before.state.seq.0 == 0);
        let mut after = before.clone();
        after.replay(record).unwrap();
        let moved: BTreeSet<OpId> = record.events.iter().filter_map(whose).collect();
        for op in moved {
            let of_it = |event: &&Event| whose(event) == Some(op);
            let came = record.events.iter().rfind(of_it).expect("it moved");
            for event in &histories[&(seed, op)] {
                let allowed = allowed.entry(name(event)).or_default();
                if allowed.contains(&name(came)) {
                    continue;
                }
                let events = vec![event.clone()];
                let tampered =
                    Record { seq: record.seq.next(), events, outside: None, ..record.clone() };
                if after.clone().replay(&tampered).is_ok() {
                    allowed.insert(name(came));
                }
            }
        }
    });
    let listed = allowed.into_iter().map(|(event, after)| {
        let after: Vec<_> = after.iter().map(|came| came.split_once(' ').unwrap().1).collect();
        format!("{event} after {}", if after.is_empty() { "none".into() } else { after.join(", ") })
    });
    golden(concat!(env!("CARGO_MANIFEST_DIR"), "/src/mutated/order.txt"), &listed.collect());
}
