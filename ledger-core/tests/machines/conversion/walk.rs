//! Every path of a conversion, from both sources: reais and crypto are conserved, and `follows` and
//! `decide` agree.

use ledger_core::accounting::{Account, CoinAccount};
use ledger_core::machine::conversion::{
    Command, Event, FundingSource, Order, State, decide, entry, evolve, follows,
};
use ledger_core::machine::delivery::{self, DeliveryReport};

use super::{confirm, deliver, first, noon, of_commission, order, this};
use crate::forged::applied;
use crate::samples::{ANA, PARTNER, POLYGON, USDT};
use crate::walk::{Tally, follows_as_decided, walk};

fn decided(order: &Order, state: &State) -> Vec<Vec<Event>> {
    let mut commands = vec![Command::GiveUp];
    let report = [
        DeliveryReport::Begin,
        DeliveryReport::Accept,
        confirm("0xa1"),
        confirm("0xb2"),
        DeliveryReport::Fail,
        DeliveryReport::Lose,
    ];
    commands.extend(report.map(deliver));
    let begun = matches!(state, State::Absent).then(|| vec![first(order.clone())]);
    let reported = applied(commands.into_iter().map(|command| decide(state, command)));
    begun.into_iter().chain(reported).collect()
}

fn places(order: &Order) -> Vec<(State, Tally)> {
    walk(State::Absent, 7, |state, _| {
        let firsts = decided(order, state).into_iter().map(|events| events[0].clone());
        let step = |event: Event| {
            assert!(follows(state, &event), "{event:?} was decided and may not follow {state:?}");
            (evolve(state, &event, noon()), entry(this(), &event))
        };
        firsts.map(step).collect()
    })
}

/// What stands on the accounts, said from the state alone: amount 10,000; fees 330 and 50, or none.
fn conserved(order: &Order, state: &State, tally: &Tally) {
    let (house, partner, source) = match order.source {
        FundingSource::Custody(_) => (330, 50, Account::Available(ANA)),
        FundingSource::Commission => (0, 0, Account::Commission(PARTNER)),
    };
    let fees = house + partner;
    let of_delivery = |state: &delivery::State| match state {
        delivery::State::Waiting => (10_000 + fees, 0, 0, 0, 0),
        delivery::State::Sent(_) => (0, 10_000, 0, 18_418_518, house),
        _ => (fees, 10_000, 18_518_518, 0, 0),
    };
    let (expected, gone) = match state {
        State::Absent | State::Refunded(_) => ((0, 0, 0, 0, 0), 0),
        State::Paid(progress) => (of_delivery(&progress.delivery), 10_000 + fees),
    };
    let flight = tally.balance(Account::ConversionInFlight(this()));
    let owed = tally.coin(USDT, CoinAccount::DeliveryInFlight(this()));
    let delivered = tally.coin(USDT, CoinAccount::Treasury(POLYGON));
    let income = tally.balance(Account::ConversionIncome);
    let seen = (flight, tally.balance(Account::Fx), owed, delivered, income);
    assert_eq!(seen, expected, "{state:?}: {tally:?}");
    let earned = if delivered > 0 { partner } else { 0 };
    match order.source {
        FundingSource::Custody(_) => {
            assert_eq!(
                (tally.balance(source), tally.balance(Account::Commission(PARTNER))),
                (-gone, earned)
            );
        }
        FundingSource::Commission => {
            assert_eq!((tally.balance(source), tally.subaccount()), (-gone, 0));
        }
    }
    if let State::Paid(progress) = state {
        assert_eq!(i128::from(progress.in_flight()), flight);
    }
    assert!(!state.has_ended() || (flight, owed) == (0, 0), "INV-33: {state:?}");
}

#[test]
fn a_conversion_conserves_reais_and_crypto_on_every_path() {
    for order in [order(), of_commission()] {
        let places = places(&order);
        for (state, tally) in &places {
            conserved(&order, state, tally);
        }
        follows_as_decided(&places, |state| decided(&order, state), follows);
        let delivery = |wanted: fn(&delivery::State) -> bool| {
            places.iter().any(
                |(state, _)| matches!(state, State::Paid(progress) if wanted(&progress.delivery)),
            )
        };
        assert!(delivery(|state| matches!(state, delivery::State::Accepted(1))));
        assert!(delivery(|state| matches!(state, delivery::State::Unknown(2))));
        assert!(delivery(|state| matches!(state, delivery::State::Retrying(2))));
        assert!(delivery(|state| state.sent_delivery().is_some()));
        let bought = |state: &State| matches!(state, State::Refunded(progress) if progress.delivery.attempt() > 0);
        assert!(places.iter().any(|(state, _)| bought(state)));
        assert!(
            places.iter().any(|(state, _)| matches!(state, State::Refunded(_)) && !bought(state))
        );
    }
}
