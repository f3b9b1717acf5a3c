//! Every path of a payout: money is conserved, and `follows` and `decide` agree.

use ledger_core::accounting::{Account, Control};
use ledger_core::machine::Verdict;
use ledger_core::machine::payout::{Command, Event, Order, State, decide, entry, evolve, follows};

use super::{first, generous, give_back, noon, order, pay, this};
use crate::samples::{ANA, PARTNER};
use crate::walk::{Tally, follows_as_decided, walk};

fn decided(order: &Order, state: &State) -> Vec<Event> {
    let mut commands = vec![
        Command::Submit,
        pay(),
        Command::Pay("E2".into()),
        Command::Refuse,
        Command::Lose,
        Command::Stop,
        Command::Clear,
    ];
    commands.extend([1, 4_000, 6_000, 9_999, 10_000, 10_001].map(give_back));
    let begun = matches!(state, State::Absent).then(|| first(order.clone()));
    let decided = commands.into_iter().filter_map(|command| match decide(state, command) {
        Verdict::Applied(event) => Some(event),
        Verdict::Known | Verdict::SetAside => None,
    });
    begun.into_iter().chain(decided).collect()
}

fn places(order: &Order) -> Vec<(State, Tally)> {
    walk(State::Absent, 7, |state, _| {
        let step = |event: &Event| {
            assert!(follows(state, event), "{event:?} was decided and may not follow {state:?}");
            (evolve(state, event, noon()), entry(this(), event))
        };
        decided(order, state).iter().map(step).collect()
    })
}

/// What stands on the accounts, said from the state alone: amount 10,000, fees 150, 100 and 100.
fn conserved(order: &Order, state: &State, tally: &Tally) {
    let fees = |given_back: bool| if given_back { (0, 0, 100) } else { (150, 100, 100) };
    let kept = !order.return_refunds_fee.is_on();
    // Customer, in flight, paid out, then who earned what.
    let (customer, flight, paid, earned) = match state {
        State::Absent | State::Failed(_) => (0, 0, 0, (0, 0, 0)),
        State::Requested(_) | State::UnderReview(_) | State::Submitted(_) | State::Uncertain(_) => {
            (-10_350, 10_350, 0, (0, 0, 0))
        }
        State::Completed(paid) => {
            let back = i128::from(paid.returned.cents());
            assert!(back < 10_000);
            (-10_350 + back, 0, 10_000 - back, fees(false))
        }
        State::Returned(_) if kept => (-350, 0, 0, fees(false)),
        State::Returned(_) => (-100, 0, 0, fees(true)),
    };
    let of = |account| tally.balance(account);
    assert_eq!(of(Account::Available(ANA)), customer, "{state:?}");
    assert_eq!(tally.subaccount(), customer, "{state:?}");
    assert_eq!(of(Account::PayoutInFlight(this())), flight, "{state:?}");
    assert_eq!(of(Account::ProviderPay), paid, "{state:?}");
    let seen = (
        of(Account::PayoutIncome),
        of(Account::Commission(PARTNER)),
        tally.under(Control::TariffDue),
    );
    assert_eq!(seen, earned, "{state:?}");
}

#[test]
fn a_payout_conserves_money_on_every_path() {
    for order in [order(), generous()] {
        let places = places(&order);
        for (state, tally) in &places {
            conserved(&order, state, tally);
            let flight = tally.balance(Account::PayoutInFlight(this()));
            assert!(!state.has_ended() || flight == 0, "INV-33: {state:?}");
        }
        let each = |state: &State| -> Vec<Vec<Event>> {
            decided(&order, state).into_iter().map(|event| vec![event]).collect()
        };
        follows_as_decided(&places, each, follows);
        for wanted in [
            |state: &State| matches!(state, State::UnderReview(_)),
            |state: &State| matches!(state, State::Uncertain(_)),
            |state: &State| matches!(state, State::Returned(_)),
        ] {
            assert!(places.iter().any(|(state, _)| wanted(state)));
        }
    }
}
