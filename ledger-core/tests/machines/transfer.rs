//! The transfer: Part A5; CUS-28 to CUS-33; INV-12; W35. Nothing is decided of one here: what may
//! be asked is judged by the whole ledger.

use ledger_core::machine::transfer::{Event, Order, State, entry, evolve, follows};

use crate::legs::line;
use crate::samples::{ANA, BIA, PARTNER, SOMEBODY, amount};
use crate::walk::walk;

fn order() -> Order {
    Order {
        account: PARTNER,
        from: ANA,
        to: BIA,
        amount: amount(2_325),
        external_id: None,
        note: Some(SOMEBODY),
    }
}

fn done() -> State {
    evolve(&State::Absent, &Event::Done(order()))
}

/// Between two, and from one to itself.
fn events() -> [Event; 2] {
    [Event::Done(order()), Event::Done(Order { to: ANA, ..order() })]
}

#[test]
fn every_event_in_every_state() {
    let may = |state: &State| events().map(|event| follows(state, &event));
    assert_eq!(may(&State::Absent), [true, false]);
    assert_eq!(may(&done()), [false, false]);
}

#[test]
fn every_event_and_its_legs() {
    assert_eq!(
        line("Done", &entry(&Event::Done(order()))),
        "\
Done
  Dr cust.avail[1] 2325 / Cr cust.avail[2] 2325
  -2325 principal, +2325 principal
"
    );
}

#[test]
fn a_transfer_happens_once_and_between_two() {
    let other = Event::Done(Order { amount: amount(1), ..order() });
    assert!(follows(&State::Absent, &other) && !follows(&done(), &other));
    assert!(!follows(&done(), &Event::Done(order())));
    let same = Event::Done(Order { to: ANA, ..order() });
    assert!(!follows(&State::Absent, &same));
}

#[test]
fn every_path_moves_the_amount_once() {
    // INV-12.
    let places = walk(State::Absent, 6, |state, _| {
        let events = events().into_iter().filter(|event| follows(state, event));
        events.map(|event| (evolve(state, &event), entry(&event))).collect()
    });
    assert_eq!(places.len(), 2);
    let (state, tally) = &places[1];
    assert_eq!(state, &done());
    let on = |subaccount| tally.of(ledger_core::accounting::Account::Available(subaccount));
    assert_eq!((on(ANA), on(BIA), tally.subaccount()), (-2_325, 2_325, 0));
}
