//! Records with one number of one event changed: replay refuses each, but where the number is
//! somebody's word that the ledger cannot know better.

use std::collections::BTreeSet;

use ledger_core::ledger::Record;

use super::golden::golden;
use super::{every_record, name};

#[path = "../../../ledger-core/tests/machines/numbers.rs"]
mod found;

use found::{numbers, titled, with};

#[test]
fn no_number_of_an_event_may_be_another_but_what_only_the_world_can_know() {
    let (mut tried, mut free) = (BTreeSet::new(), BTreeSet::new());
    let mut listed = BTreeSet::new();
    every_record(|before, record| {
        for (index, event) in record.events.iter().enumerate() {
            let encoded = minicbor::to_vec(event).expect("memory");
            for number in numbers(&encoded) {
                let key = (name(event), number.place.clone());
                tried.insert(key.clone());
                if free.contains(&key) {
                    continue;
                }
                for value in [number.value + 1, number.value - 1] {
                    let Some(changed) = with(&encoded, &number, value) else { continue };
                    if changed == *event || name(&changed) != name(event) {
                        continue;
                    }
                    let mut tampered: Record = record.clone();
                    tampered.events[index] = changed;
                    if before.clone().replay(&tampered).is_ok() {
                        listed.insert(titled(&name(event), event, &tampered.events[index]));
                        free.insert(key.clone());
                        break;
                    }
                }
            }
        }
    });
    assert!(tried.len() > free.len() * 3 / 2, "{} of {}", free.len(), tried.len());
    golden(concat!(env!("CARGO_MANIFEST_DIR"), "/src/mutated/numbers.txt"), &listed);
}
