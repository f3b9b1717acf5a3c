//! Events that nobody decided: a machine lets none of them follow, so a journal that holds one is
//! found out.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Debug;

use ledger_core::machine::Verdict;
use minicbor::{Decode, Encode};

use crate::golden::golden;
use crate::numbers::{numbers, titled, with};

/// An event that was decided, between the places that it stands between.
#[derive(Clone, Debug)]
pub struct Step<State, Event> {
    pub before: State,
    pub event: Event,
    pub after: State,
}

/// The steps that `events` are from `state` on.
pub fn steps<State: Clone, Event>(
    state: &State,
    events: Vec<Event>,
    evolve: impl Fn(&State, &Event) -> State,
) -> Vec<Step<State, Event>> {
    let mut before = state.clone();
    let step = |event| {
        let after = evolve(&before, &event);
        let step = Step { before: before.clone(), event, after: after.clone() };
        before = after;
        step
    };
    events.into_iter().map(step).collect()
}

/// Returns what was decided, of verdicts that decided anything.
pub fn applied<Decided>(verdicts: impl Iterator<Item = Verdict<Decided>>) -> Vec<Decided> {
    let decided = verdicts.filter_map(|verdict| match verdict {
        Verdict::Applied(decided) => Some(decided),
        Verdict::Known | Verdict::SetAside => None,
    });
    decided.collect()
}

/// The same where each decides one event.
pub fn single<Event>(verdicts: impl Iterator<Item = Verdict<Event>>) -> Vec<Vec<Event>> {
    applied(verdicts).into_iter().map(|event| vec![event]).collect()
}

/// Every step on every path from `start` on.
pub fn every_step<State: Clone + Debug, Event>(
    start: State,
    decided: impl Fn(&State) -> Vec<Vec<Event>>,
    evolve: impl Fn(&State, &Event) -> State,
) -> Vec<Step<State, Event>> {
    let mut seen = HashSet::from([format!("{start:?}")]);
    let (mut places, mut made) = (vec![start], Vec::new());
    while let Some(state) = places.pop() {
        for events in decided(&state) {
            let steps = steps(&state, events, &evolve);
            let after = steps.last().map(|step| &step.after);
            places.extend(after.filter(|after| seen.insert(format!("{after:?}"))).cloned());
            made.extend(steps);
        }
        assert!(seen.len() < 10_000, "the places do not end");
    }
    made
}

/// Holds what follows somewhere, although nothing was decided so there, against the list of this
/// machine: the event of every step in every place, as it is and with each of its numbers one more
/// and one less. Places of one `key` are one. A line has the event, the field that was changed, and
/// where it follows.
pub fn only_listed<State, Event>(
    list: &str,
    made: &[Step<State, Event>],
    follows: impl Fn(&State, &Event) -> bool,
    key: impl Fn(&State) -> String,
    place: impl Fn(&State) -> String,
    name: impl Fn(&Event) -> String,
) where
    Event: Clone + Debug + Encode<()> + for<'bytes> Decode<'bytes, ()>,
{
    let (mut places, mut events) = (BTreeMap::new(), BTreeMap::new());
    let mut decided = HashSet::new();
    for Step { before, event, after } in made {
        let shown = format!("{event:?}");
        decided.insert((key(before), shown.clone()));
        places.insert(key(before), before);
        places.insert(key(after), after);
        events.insert(shown, (event.clone(), name(event)));
    }
    let changed: Vec<_> = events.values().flat_map(|(event, _)| changed(event, &name)).collect();
    for (event, title) in changed {
        events.entry(format!("{event:?}")).or_insert((event, title));
    }
    let mut found: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (at, state) in places {
        for (shown, (event, title)) in &events {
            if follows(state, event) && !decided.contains(&(at.clone(), shown.clone())) {
                found.entry(title).or_default().insert(place(state));
            }
        }
    }
    let lines = found.into_iter().map(|(title, places)| {
        format!("{title} after {}", places.into_iter().collect::<Vec<_>>().join("; "))
    });
    let path = format!("{}/tests/machines/forged/{list}.txt", env!("CARGO_MANIFEST_DIR"));
    golden(&path, &lines.collect());
}

/// The event with each of its numbers changed, and its name with the fields where it was.
fn changed<Event>(event: &Event, name: impl Fn(&Event) -> String) -> Vec<(Event, String)>
where
    Event: Debug + Encode<()> + for<'bytes> Decode<'bytes, ()>,
{
    let encoded = minicbor::to_vec(event).unwrap();
    let values = numbers(&encoded).into_iter().flat_map(|number| {
        let other = |value| with::<Event>(&encoded, &number, value);
        [other(number.value + 1), other(number.value - 1)]
    });
    let titled = |other: Event| {
        let title = titled(&name(&other), event, &other);
        (other, title)
    };
    values.flatten().map(titled).collect()
}
