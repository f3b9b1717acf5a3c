//! The transfer: Part A5; CUS-28 to CUS-33; INV-12; W35. Nothing is decided of one here: what may
//! be asked is judged by the whole ledger.

use ledger_core::id::SubaccountId;
use ledger_core::machine::transfer::{Event, Group, Leg, Order, State, entry, evolve, follows};

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

const ZOE: SubaccountId = SubaccountId(3);

fn leg(from: SubaccountId, to: SubaccountId, cents: i64) -> Leg {
    Leg { from, to, amount: amount(cents) }
}

fn group(legs: Vec<Leg>) -> Event {
    let (external_id, note) = (Some("g-1".into()), Some(SOMEBODY));
    Event::Grouped(Group { account: PARTNER, legs, external_id, note })
}

fn grouped() -> Event {
    group(vec![leg(ANA, BIA, 2_000), leg(ANA, ZOE, 300), leg(ANA, BIA, 25)])
}

/// Between two, and from one to itself; the same of groups.
fn events() -> [Event; 4] {
    let itself = group(vec![leg(ANA, BIA, 1), leg(ZOE, ZOE, 1)]);
    [Event::Done(order()), Event::Done(Order { to: ANA, ..order() }), grouped(), itself]
}

#[test]
fn every_event_in_every_state() {
    let may = |state: &State| events().map(|event| follows(state, &event));
    assert_eq!(may(&State::Absent), [true, false, true, false]);
    assert_eq!(may(&done()), [false; 4]);
    assert_eq!(may(&evolve(&State::Absent, &grouped())), [false; 4]);
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
    assert_eq!(
        line("Grouped", &entry(&grouped())),
        "\
Grouped
  Dr cust.avail[1] 2325 / Cr cust.avail[2] 2025, cust.avail[3] 300
  -2000 principal, +2000 principal, -300 principal, +300 principal, -25 principal, +25 principal
"
    );
}

#[test]
fn a_group_has_1_to_100_legs_that_can_be_counted() {
    let legs = |count: usize, cents| group(vec![leg(ANA, BIA, cents); count]);
    let may = |event: Event| follows(&State::Absent, &event);
    assert!(may(legs(1, 1)) && may(legs(100, 1)));
    assert!(!may(legs(0, 1)) && !may(legs(101, 1)) && !may(legs(2, i64::MAX)));
    let whole = entry(&legs(100, 7));
    assert_eq!((whole.moves().count(), whole.postings().len()), (100, 2));
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
    assert_eq!(places.len(), 3);
    let (state, tally) = &places[1];
    assert_eq!(state, &done());
    let on = |subaccount| tally.balance(ledger_core::accounting::Account::Available(subaccount));
    assert_eq!((on(ANA), on(BIA), tally.subaccount()), (-2_325, 2_325, 0));
    let (_, tally) = &places[2];
    let on = |subaccount| tally.balance(ledger_core::accounting::Account::Available(subaccount));
    assert_eq!((on(ANA), on(BIA), on(ZOE), tally.subaccount()), (-2_325, 2_025, 300, 0));
}
