//! Reservations: captured + released + left = reserved, on every path.

use ledger_core::accounting::Account;
use ledger_core::id::Token;
use ledger_core::machine::Verdict;
use ledger_core::machine::hold::{Capture, Command, Event, Kind, Order, State, entry};

use super::{
    after, amounts_of, capture, decide, evolve, follows, release, reservation, reserve, step, take,
    with,
};
use crate::samples::{ANA, BIA, SOMEBODY, amount, as_cents};
use crate::walk::walk;

fn reserved() -> State {
    after([(reserve(), with(1_000, 0))])
}

#[test]
fn all_of_it_is_reserved_or_nothing() {
    for short in [with(999, 0), with(0, 1_000), with(-1, 0)] {
        assert_eq!(decide(&State::Absent, reserve(), short), Verdict::SetAside);
    }
    assert_eq!(amounts_of(&reserved()), [1_000, 0, 1_000, 0, 0, 0]);
    let other = Order { kind: Kind::Dispute, ..reservation() };
    let rich = with(5_000, 0);
    assert_eq!(decide(&State::Absent, Command::Reserve(other), rich), Verdict::SetAside);
    let blocked = Command::Place(reservation());
    assert_eq!(decide(&State::Absent, blocked, rich), Verdict::SetAside);
}

#[test]
fn captures_in_parts_and_a_release_end_it() {
    let nothing = with(0, 0);
    let state = after([(reserve(), with(1_000, 0)), (capture(300), nothing)]);
    assert_eq!(amounts_of(&state), [1_000, 0, 700, 0, 300, 0]);
    assert_eq!(decide(&state, capture(701), nothing), Verdict::SetAside);
    let (rest, _) = step(&state, release(100), nothing);
    assert_eq!(amounts_of(&rest), [1_000, 0, 600, 100, 300, 0]);
    assert!(step(&rest, capture(600), nothing).0.has_ended());
    assert!(step(&rest, Command::Release(None), nothing).0.has_ended());
}

#[test]
fn no_forced_debit_takes_what_is_reserved() {
    let taken = Event::Taken { subaccount: ANA, amount: amount(1) };
    assert_eq!(decide(&reserved(), take(1), with(0, 0)), Verdict::SetAside);
    assert!(!follows(&reserved(), &taken));
    let returned = Event::Returned { subaccount: ANA, amount: amount(1) };
    assert!(!follows(&reserved(), &returned));
}

#[test]
fn a_capture_says_what_it_is_for_or_what_the_reservation_was() {
    let note = |note| {
        let to = Account::ProviderPix;
        let capture = Command::Capture(Capture { amount: amount(1), to, note });
        let (_, Event::Captured { note, .. }) = step(&reserved(), capture, with(0, 0)) else {
            panic!("it captures")
        };
        note
    };
    assert_eq!(note(None), Some(SOMEBODY));
    assert_eq!(note(Some(Token([9; 16]))), Some(Token([9; 16])));
}

#[test]
fn events_that_no_reservation_decided_are_refused() {
    let placed = |order: Order, from_held, from_available| {
        let (from_held, from_available) = (as_cents(from_held), as_cents(from_available));
        follows(&State::Absent, &Event::Placed { order, from_held, from_available })
    };
    assert!(placed(reservation(), 0, 1_000));
    assert!(!placed(reservation(), 0, 999));
    assert!(!placed(reservation(), 1_000, 0));
    let caused = Order { cause: super::order().cause, ..reservation() };
    assert!(!placed(caused, 0, 1_000));
    let captured = |subaccount, to, cents| Event::Captured {
        subaccount,
        amount: amount(cents),
        to,
        note: None,
    };
    let to = Account::Available(BIA);
    assert!(follows(&reserved(), &captured(ANA, to, 1_000)));
    assert!(!follows(&reserved(), &captured(ANA, to, 1_001)));
    assert!(!follows(&reserved(), &captured(BIA, Account::Fx, 1_000)));
    assert!(!follows(&reserved(), &captured(ANA, Account::Available(ANA), 1_000)));
    let blocked = after([(super::place(), with(5_000, 0))]);
    assert!(!follows(&blocked, &captured(ANA, to, 1_000)));
}

#[test]
fn what_is_captured_let_go_and_left_is_what_was_reserved() {
    let commands = [reserve(), capture(100), capture(350), release(150), Command::Release(None)];
    let places = walk(State::Absent, 6, |state, _| {
        let decided = commands.iter().filter_map(|command| {
            match decide(state, command.clone(), with(1_000, 0)) {
                Verdict::Applied(event) => Some((evolve(state, &event), entry(&event))),
                Verdict::Known | Verdict::SetAside => None,
            }
        });
        decided.collect()
    });
    for (state, tally) in &places {
        if *state == State::Absent {
            continue;
        }
        let [requested, from_held, left, released, captured, short] = amounts_of(state);
        assert_eq!((requested, from_held, short), (left + released + captured, 0, 0), "{state:?}");
        let found = [Account::Available(ANA), Account::Frozen(ANA), Account::Available(BIA)];
        let expected = [released - 1_000, left, captured].map(i128::from);
        assert_eq!(found.map(|account| tally.balance(account)), expected, "{state:?}");
        assert_eq!(state.has_ended(), left == 0, "{state:?}");
    }
    assert!(places.len() > 20, "{} places", places.len());
}
