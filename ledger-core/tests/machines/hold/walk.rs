//! Every path of a hold: requested = blocked + released + settled + short, and what stands frozen
//! is what is blocked.

use ledger_core::accounting::{Account, Entry};
use ledger_core::machine::Verdict;
use ledger_core::machine::hold::{
    Capture, Command, Context, Event, State, decide, entry, evolve, follows,
};

use super::{place, release, sums, take, with};
use crate::samples::{ANA, amount};
use crate::walk::{Tally, walk};

fn contexts() -> [Context; 5] {
    [with(0, 0), with(150, 0), with(150, 300), with(5_000, 0), with(-50, 300)]
}

fn decided(state: &State) -> Vec<Event> {
    let commands = [
        place(),
        Command::TopUp,
        Command::Lapse,
        release(150),
        release(300),
        Command::Release(None),
        take(150),
        take(450),
        Command::Return(amount(150)),
    ];
    let mut events = Vec::new();
    for now in contexts() {
        for command in commands.clone() {
            if let Verdict::Applied(event) = decide(state, command, now) {
                events.push(event);
            }
        }
    }
    events
}

/// Returns what the charge's own event moves beside the hold's: its held part, into and out of
/// frozen.
fn beside(event: &Event) -> Entry {
    let (held, frozen) = (Account::Held(ANA), Account::Frozen(ANA));
    match event {
        Event::Placed { from_held, .. } => Entry::NONE.shift(held, frozen, *from_held),
        Event::Released { to_held, .. } => Entry::NONE.shift(frozen, held, *to_held),
        Event::Returned { amount, .. } => {
            Entry::NONE.principal(frozen, Account::ProviderPix, *amount)
        }
        Event::ToppedUp { .. } | Event::Lapsed | Event::Taken { .. } | Event::Captured { .. } => {
            Entry::NONE
        }
    }
}

fn places() -> Vec<(State, Tally)> {
    walk(State::Absent, 6, |state, _| {
        let events = decided(state);
        for event in &events {
            assert!(follows(state, event), "{event:?} was decided and may not follow {state:?}");
        }
        let step = |event: &Event| {
            if matches!(event, Event::Returned { .. }) {
                return (evolve(state, event), beside(event));
            }
            let both = entry(event)
                .moves()
                .chain(beside(event).moves())
                .fold(Entry::NONE, |entry, m| entry.shift(m.debit, m.credit, m.amount));
            (evolve(state, event), both)
        };
        events.iter().map(step).collect()
    })
}

#[test]
fn the_amounts_of_a_hold_add_up_on_every_path() {
    let places = places();
    for (state, tally) in &places {
        let frozen = tally.balance(Account::Frozen(ANA));
        let Some(amounts) = state.amounts() else {
            assert_eq!(frozen, 0);
            continue;
        };
        let [requested, from_held, from_available, released, settled, short] = sums(amounts);
        let blocked = from_held + from_available;
        assert_eq!(requested, blocked + released + settled + short, "{state:?}");
        assert_eq!(i128::from(blocked), frozen, "{state:?}: {tally:?}");
        let gone = tally.balance(Account::ProviderPix);
        assert_eq!(tally.subaccount(), -gone, "all else only moves money between buckets");
        if state.has_ended() {
            assert_eq!(blocked, 0, "{state:?}");
        }
    }
    assert!(places.len() > 100, "{} places", places.len());
    assert!(places.iter().any(|(state, _)| state.has_ended()));
}

#[test]
fn what_may_follow_is_what_is_decided() {
    let mut states: Vec<State> = Vec::new();
    let mut events: Vec<Event> = Vec::new();
    for (state, _) in places() {
        if !states.contains(&state) {
            for event in decided(&state) {
                if !events.contains(&event) {
                    events.push(event);
                }
            }
            states.push(state);
        }
    }
    for state in &states {
        let here = decided(state);
        for event in &events {
            let possible = here.contains(event) || decided_elsewhere(state, event);
            assert_eq!(follows(state, event), possible, "{event:?} at {state:?}");
        }
    }
}

/// With other sums than the alphabet's: judged by the very amounts of the event.
fn decided_elsewhere(state: &State, event: &Event) -> bool {
    let (command, now) = match event {
        Event::Placed { order, from_held, from_available } => {
            let now = with(from_available.cents(), from_held.cents());
            (Command::Place(order.clone()), now)
        }
        Event::ToppedUp { amount, .. } => (Command::TopUp, with(amount.cents(), 0)),
        Event::Lapsed => (Command::Lapse, with(0, 0)),
        Event::Released { to_held, to_available, end, .. } => {
            let sum = to_held.plus(*to_available).unwrap();
            let wanted = match end {
                ledger_core::machine::hold::End::Yes => None,
                ledger_core::machine::hold::End::No => sum.amount(),
            };
            (Command::Release(wanted), with(0, to_held.cents()))
        }
        Event::Taken { amount, .. } => (Command::Take(*amount), with(0, 0)),
        Event::Returned { amount, .. } => (Command::Return(*amount), with(0, 0)),
        Event::Captured { amount, to, note, .. } => {
            let capture = Capture { amount: *amount, to: *to, note: *note };
            (Command::Capture(capture), with(0, 0))
        }
    };
    decide(state, command, now) == Verdict::Applied(event.clone())
}
