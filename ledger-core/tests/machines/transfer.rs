//! The transfer: Part A5; CUS-28 to CUS-33; INV-12; W35.

use ledger_core::machine::Verdict;
use ledger_core::machine::transfer::{
    Command, Event, FundsAvailable, Order, Refusal, State, decide, entry, evolve, follows,
};

use crate::grid::{cell, page};
use crate::legs::line;
use crate::samples::{ANA, BIA, PARTNER, SOMEBODY, amount, at, balance};
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

fn with(cents: i64) -> FundsAvailable {
    FundsAvailable { spendable: balance(cents), waiting_until: None }
}

fn asked(order: Order, source: FundsAvailable) -> Result<Event, Refusal> {
    decide(&State::Absent, Command::Request(order), source)
}

fn done() -> State {
    evolve(&State::Absent, &asked(order(), with(2_325)).unwrap())
}

#[test]
fn every_command_in_every_state() {
    let lines = [("Absent", State::Absent), ("Done", done())].map(|(name, state)| {
        let answer = decide(&state, Command::Request(order()), with(2_325));
        (name, vec![cell(&answer.map(Verdict::Applied))])
    });
    assert_eq!(
        page(&["Request"], lines),
        "\
State     Request
Absent    Done
Done      -
"
    );
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
fn the_whole_of_what_is_available_may_go_and_no_more() {
    // W35.
    assert_eq!(asked(order(), with(2_325)), Ok(Event::Done(order())));
    let available = balance(2_324);
    assert_eq!(asked(order(), with(2_324)), Err(Refusal::FundsInsufficient { available }));
    assert!(asked(order(), with(-1)).is_err());
}

#[test]
fn refusals_come_in_the_order_destination_waiting_period_balance() {
    // Rulings 6; CUS-32.
    let until = at("2026-10-21T15:00:00Z");
    let waiting = FundsAvailable { waiting_until: Some(until), ..with(0) };
    let same = Order { to: ANA, ..order() };
    assert_eq!(asked(same, waiting), Err(Refusal::SameParty));
    assert_eq!(asked(order(), waiting), Err(Refusal::Waiting { until }));
    let available = balance(0);
    assert_eq!(asked(order(), with(0)), Err(Refusal::FundsInsufficient { available }));
}

#[test]
fn a_transfer_happens_once_and_between_two() {
    let again = decide(&done(), Command::Request(order()), with(9_999));
    assert_eq!(again, Err(Refusal::OutOfTurn));
    assert!(!follows(&done(), &Event::Done(order())));
    let same = Event::Done(Order { to: ANA, ..order() });
    assert!(!follows(&State::Absent, &same));
}

#[test]
fn every_path_moves_the_amount_once() {
    // INV-12.
    let places = walk(State::Absent, 6, |state, _| {
        let mut steps = Vec::new();
        for order in [order(), Order { to: ANA, ..order() }] {
            for source in [with(0), with(2_325)] {
                let event = decide(state, Command::Request(order.clone()), source);
                let may = follows(state, &Event::Done(order.clone()));
                assert!(may || event.is_err(), "{event:?} was decided at {state:?}");
                steps.extend(event.ok().map(|event| (evolve(state, &event), entry(&event))));
            }
        }
        steps
    });
    assert_eq!(places.len(), 2);
    let (state, tally) = &places[1];
    assert_eq!(state, &done());
    let on = |subaccount| tally.of(ledger_core::accounting::Account::Available(subaccount));
    assert_eq!((on(ANA), on(BIA), tally.subaccount()), (-2_325, 2_325, 0));
}
