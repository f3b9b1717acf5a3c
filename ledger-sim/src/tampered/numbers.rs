//! Records with one number of one event changed: replay refuses each, but where the number is somebody's
//! word that the ledger cannot know better.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use ledger_core::ledger::{Event, Record};
use minicbor::data::Type;
use minicbor::{Decoder, Encoder};

use super::{every_record, golden, name};

/// Where a number stands in an event, and what it is.
struct Number {
    place: Vec<u64>,
    bytes: Range<usize>,
    value: i128,
}

fn numbers(event: &[u8]) -> Vec<Number> {
    let mut found = Vec::new();
    let mut decoder = Decoder::new(event);
    look(&mut decoder, &mut Vec::new(), &mut found);
    assert_eq!(decoder.position(), event.len());
    found
}

fn look(decoder: &mut Decoder<'_>, place: &mut Vec<u64>, found: &mut Vec<Number>) {
    let start = decoder.position();
    match decoder.datatype().expect("an event was encoded") {
        Type::Array | Type::Map => {
            let is_map = matches!(decoder.datatype(), Ok(Type::Map));
            let length = if is_map { decoder.map() } else { decoder.array() };
            for index in 0..length.expect("an event was encoded").expect("of known length") {
                let key = if is_map { decoder.u64().expect("fields are numbered") } else { index };
                place.push(key);
                look(decoder, place, found);
                place.pop();
            }
        }
        Type::U8
        | Type::U16
        | Type::U32
        | Type::U64
        | Type::I8
        | Type::I16
        | Type::I32
        | Type::I64 => {
            let value = i128::from(decoder.int().expect("a number"));
            found.push(Number { place: place.clone(), bytes: start..decoder.position(), value });
        }
        _ => decoder.skip().expect("an event was encoded"),
    }
}

/// The event with another number in this place, where that is an event at all.
fn with(event: &[u8], number: &Number, value: i128) -> Option<Event> {
    let mut changed = event[..number.bytes.start].to_vec();
    let value = minicbor::data::Int::try_from(value).ok()?;
    Encoder::new(&mut changed).int(value).expect("memory");
    changed.extend(&event[number.bytes.end..]);
    minicbor::decode(&changed).ok()
}

/// The names of the fields that lead to where two events differ.
fn field(one: &Event, other: &Event) -> String {
    let (one, other) = (format!("{one:#?}"), format!("{other:#?}"));
    let mut above: BTreeMap<usize, &str> = BTreeMap::new();
    for (line, differs) in one.lines().zip(other.lines()) {
        let depth = line.len() - line.trim_start().len();
        above.split_off(&depth);
        above.insert(depth, line.trim());
        if line != differs {
            break;
        }
    }
    let named = above.values().filter_map(|line| Some(line.split_once(": ")?.0));
    named.filter(|name| *name != "event").collect::<Vec<_>>().join(".")
}

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
                        let field = field(event, &tampered.events[index]);
                        let place = if field.is_empty() {
                            name(event)
                        } else {
                            format!("{}: {field}", name(event))
                        };
                        listed.insert(place);
                        free.insert(key.clone());
                        break;
                    }
                }
            }
        }
    });
    assert!(tried.len() > free.len() * 3 / 2, "{} of {}", free.len(), tried.len());
    golden("numbers.txt", &listed);
}
