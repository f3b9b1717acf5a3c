//! Every path of a charge: money is conserved, and `follows` and `decide` agree.

use ledger_core::accounting::{Account, Control};
use ledger_core::machine::Verdict;
use ledger_core::machine::charge::{
    Command, Context, Event, Into, Order, State, decide, entry, evolve, follows,
};
use ledger_core::terms::Switch;

use super::{first, give_back, next_day, now, order, payment, receive, retained, see, this};
use crate::samples::{ANA, amount};
use crate::walk::{Tally, follows_as_decided, walk};

const PARTS: [i64; 5] = [50, 4_000, 6_000, 9_950, 10_000];

pub fn commands() -> Vec<Command> {
    let mut commands = vec![
        receive(10_000),
        receive(9_999),
        Command::Attach(payment(4_000)),
        Command::Attach(payment(50)),
        see(10_000),
        see(9_999),
        Command::Settle,
        Command::Withhold(None),
        Command::Release,
        Command::Cancel,
        Command::Expire,
        Command::Mature,
    ];
    commands.extend(PARTS.map(give_back));
    commands
}

fn contexts() -> [Context; 2] {
    [Switch::Off, Switch::On].map(|first_deposit| Context { first_deposit, ..now() })
}

/// Returns what the ledger composes beside the charge's own decisions (rulings 23, 26): never more
/// restored than stands frozen.
fn composed(tally: &Tally) -> Vec<Event> {
    let mut events = Vec::new();
    for amount in [2_500, 9_900].map(amount) {
        events.extend([Into::Available, Into::Frozen].map(|into| Event::PartTaken {
            subaccount: ANA,
            amount,
            into,
        }));
        if i128::from(amount.cents()) <= tally.balance(Account::Frozen(ANA)) {
            events.push(Event::PartRestored { subaccount: ANA, amount });
        }
    }
    events
}

fn decided(order: &Order, state: &State) -> Vec<Event> {
    let begun = matches!(state, State::Absent).then(|| first(order.clone()));
    let mut events = Vec::from_iter(begun);
    for now in contexts() {
        for command in commands() {
            if let Verdict::Applied(event) = decide(state, command, now) {
                events.push(event);
            }
        }
    }
    events
}

fn places(order: &Order) -> Vec<(State, Tally)> {
    walk(State::Absent, 6, |state, tally| {
        let own = decided(order, state);
        for event in &own {
            assert!(follows(state, event), "{event:?} was decided and may not follow {state:?}");
        }
        let composed = composed(tally).into_iter().filter(|event| follows(state, event));
        let steps = own.into_iter().chain(composed);
        steps.map(|event| (evolve(state, &event, now().at), entry(this(), &event))).collect()
    })
}

/// What stands on the accounts, said from the state alone and in other words than the machine's.
fn conserved(state: &State, tally: &Tally) {
    let seen = |account| tally.balance(account);
    let flight = seen(Account::PixInFlight(this()));
    let inside = -seen(Account::ProviderPix) - seen(Account::SuspensePix);
    let customer = tally.subaccount();
    let fee = seen(Account::DepositIncome);
    let held = seen(Account::Held(ANA));
    let expected = match state {
        State::Absent | State::Pending(_) | State::Expired(_) | State::Failed(_) => (0, 0, 0, 0),
        State::Delayed(arrived) | State::UnderReview(arrived) => {
            let left = arrived.payment.amount.cents() - arrived.returned.cents();
            assert!(0 < left);
            (i128::from(left), 0, 0, 0)
        }
        State::Paid(paid) => {
            let (gross, fee) = (paid.credit.gross.cents(), paid.credit.fee.cents());
            let (net, back) = (gross - fee, paid.returned.cents());
            assert!(back < gross);
            assert_eq!(i128::from(paid.held.cents()), held, "the held part is the held bucket");
            let borne = back.min(net);
            (0, i128::from(net - borne), i128::from(fee - (back - borne)), held)
        }
        State::Bought(_) => panic!("custody buys nothing: {state:?}"),
        // The ledger empties the held part before the whole goes back; the charge alone does not.
        State::Refunded(_) => (0, 0, 0, held),
    };
    assert_eq!((flight, customer, fee, held), expected, "{state:?}: {tally:?}");
    assert_eq!(inside, flight + customer + fee, "{state:?}: {tally:?}");
    assert_eq!(tally.under(Control::Loss), 0);
}

fn walked(order: &Order) -> Vec<(State, Tally)> {
    let places = places(order);
    for (state, tally) in &places {
        conserved(state, tally);
    }
    // Parts taken and restored are left out: a hold or a forced debit decides them, not the charge.
    let each = |state: &State| decided(order, state).into_iter().map(|event| vec![event]).collect();
    follows_as_decided(&places, each, follows);
    places
}

fn reached(places: &[(State, Tally)], wanted: fn(&State) -> bool) -> bool {
    places.iter().any(|(state, _)| wanted(state))
}

#[test]
fn a_charge_available_at_once_conserves_money_on_every_path() {
    let places = walked(&order());
    assert!(reached(&places, |state| matches!(state, State::Refunded(_))));
    assert!(reached(&places, |state| matches!(state, State::Failed(_))));
    assert!(reached(&places, |state| matches!(state, State::UnderReview(_))));
    assert!(reached(&places, |state| {
        matches!(state, State::Delayed(arrived) if arrived.order.retention_hours.is_none())
    }));
}

#[test]
fn a_charge_available_the_next_day_conserves_money_on_every_path() {
    let places = walked(&next_day());
    assert!(reached(&places, |state| {
        matches!(state, State::Paid(paid) if paid.settled_at.is_some() && !paid.returned.is_zero())
    }));
}

#[test]
fn a_charge_held_at_the_provider_conserves_money_on_every_path() {
    let places = walked(&retained());
    assert!(reached(&places, |state| {
        matches!(state, State::Paid(paid) if paid.credit.gross.cents() == 50)
    }));
    assert!(reached(&places, |state| {
        matches!(state, State::Refunded(refunded) if refunded.credit.is_none())
    }));
}
