//! Every path of a delivery: reais and crypto are conserved, and `follows` and `decide` agree.

use ledger_core::accounting::{Account, CoinAccount};
use ledger_core::machine::Verdict;
use ledger_core::machine::delivery::{
    Command, DeliveryReport, Event, State, decide, entry, evolve, follows,
};

use super::{confirm, earned, flight, noon, this};
use crate::samples::{PARTNER, POLYGON, USDT, delivery_terms};
use crate::walk::{Tally, walk};

fn commands() -> Vec<Command> {
    let report = [
        DeliveryReport::Begin,
        DeliveryReport::Accept,
        confirm("0xa1"),
        confirm("0xb2"),
        DeliveryReport::Fail,
        DeliveryReport::Lose,
    ];
    let attempts = [None, Some(0), Some(1), Some(2), Some(3), Some(4)];
    attempts
        .into_iter()
        .flat_map(|attempt| report.clone().map(|report| Command { attempt, report }))
        .collect()
}

fn decided(state: &State) -> Vec<Vec<Event>> {
    let verdicts =
        commands().into_iter().map(|command| decide(state, command, delivery_terms(), earned()));
    let steps = verdicts.filter_map(|verdict| match verdict {
        Verdict::Applied(events) => Some(events),
        Verdict::Known | Verdict::SetAside => None,
    });
    steps.collect()
}

fn places() -> Vec<(State, Tally)> {
    walk(State::Waiting, 8, |state, _| {
        // The first of what is decided; the rest is decided from there as well.
        let firsts = decided(state).into_iter().map(|events| events[0].clone());
        let step = |event: Event| {
            assert!(follows(state, &event, (delivery_terms(), earned())), "{event:?} at {state:?}");
            let booked = entry(this(), &event, flight(), Account::PurchaseIncome);
            (evolve(state, &event, noon()), booked)
        };
        firsts.map(step).collect()
    })
}

#[test]
fn a_delivery_conserves_reais_and_crypto_on_every_path() {
    let places = places();
    for (state, tally) in &places {
        let (paid, owed, delivered, earned) = match state {
            State::Waiting => (0, 0, 0, (0, 0)),
            State::Sent(_) => (9_470 + 530, 0, 17_437_037, (430, 100)),
            State::Sending(_) | State::Accepted(_) | State::Unknown(_) | State::Retrying(_) => {
                (9_470, 17_537_037, 0, (0, 0))
            }
        };
        let coin = |account| tally.coin(USDT, account);
        assert_eq!(tally.balance(flight()), -paid, "{state:?}");
        assert_eq!(tally.balance(Account::Fx), if paid == 0 { 0 } else { 9_470 });
        assert_eq!(coin(CoinAccount::Fx), if paid == 0 { 0 } else { -17_537_037 });
        assert_eq!(coin(CoinAccount::DeliveryInFlight(this())), owed, "{state:?}");
        assert_eq!(coin(CoinAccount::Treasury(POLYGON)), delivered, "{state:?}");
        let gas = if delivered == 0 { 0 } else { 100_000 };
        assert_eq!(coin(CoinAccount::Gas), gas, "{state:?}");
        let seen =
            (tally.balance(Account::PurchaseIncome), tally.balance(Account::Commission(PARTNER)));
        assert_eq!(seen, earned, "{state:?}");
    }
    for wanted in [
        |state: &State| matches!(state, State::Accepted(3)),
        |state: &State| matches!(state, State::Unknown(3)),
        |state: &State| matches!(state, State::Retrying(3)),
        |state: &State| matches!(state, State::Sent(sent) if sent.attempt == 3),
    ] {
        assert!(places.iter().any(|(state, _)| wanted(state)));
    }
}

#[test]
fn what_may_follow_is_what_is_decided() {
    let states: Vec<State> = places().into_iter().map(|(state, _)| state).collect();
    let mut events: Vec<Event> = Vec::new();
    for event in states.iter().flat_map(decided).flatten() {
        if !events.contains(&event) {
            events.push(event);
        }
    }
    for state in states.iter().filter(|state| state.attempt() < 4) {
        let firsts: Vec<Event> = decided(state).into_iter().map(|steps| steps[0].clone()).collect();
        for event in &events {
            let possible = follows(state, event, (delivery_terms(), earned()));
            assert_eq!(possible, firsts.contains(event), "{event:?} at {state:?}");
        }
    }
}

#[test]
fn what_is_decided_together_follows_step_by_step() {
    for (state, _) in places() {
        for events in decided(&state) {
            let end = events.iter().fold(state.clone(), |state, event| {
                assert!(
                    follows(&state, event, (delivery_terms(), earned())),
                    "{event:?} at {state:?}"
                );
                evolve(&state, event, noon())
            });
            assert_ne!(end, state);
        }
    }
}
