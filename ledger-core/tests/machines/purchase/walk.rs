//! Every path of a purchase: reais and crypto are conserved, and `follows` and `decide` agree.

use ledger_core::accounting::{Account, CoinAccount, Control};
use ledger_core::machine::charge::{self, Command, Event, Order, State, entry, evolve, follows};
use ledger_core::machine::delivery::{self, DeliveryReport};
use ledger_core::machine::purchase::{self, Bought, End};

use super::{
    PurchaseCommand, attach, confirm, deliver, first, give_back, give_up, judge, now, order,
    receive, retained, see, this, to_payer, to_subaccount,
};
use crate::forged::applied;
use crate::samples::{ANA, HOUSE, PARTNER, POLYGON, USDT};
use crate::walk::{Tally, follows_as_decided, walk};

fn alphabet() -> Vec<PurchaseCommand> {
    let mut commands = vec![
        receive(),
        see(),
        attach(10_000),
        attach(9_999),
        give_up(to_payer()),
        give_up(to_subaccount()),
        PurchaseCommand::Purchase(purchase::Command::Halt),
        PurchaseCommand::Purchase(purchase::Command::Resume),
    ];
    commands.extend(
        [
            Command::Settle,
            Command::Withhold(None),
            Command::Release,
            Command::Cancel,
            Command::Expire,
            Command::Mature,
        ]
        .map(PurchaseCommand::Charge),
    );
    let report = [
        DeliveryReport::Begin,
        DeliveryReport::Accept,
        confirm("0xa1"),
        DeliveryReport::Fail,
        DeliveryReport::Lose,
    ];
    commands.extend(report.map(deliver));
    commands.extend([400, 6_000, 9_600, 10_000].map(give_back));
    commands
}

fn decided(order: &Order, state: &State) -> Vec<Vec<Event>> {
    let begun = matches!(state, State::Absent).then(|| vec![first(order.clone())]);
    let reported = applied(alphabet().into_iter().map(|command| judge(state, command)));
    begun.into_iter().chain(reported).collect()
}

fn places(order: &Order) -> Vec<(State, Tally)> {
    walk(State::Absent, 7, |state, _| {
        let firsts = decided(order, state).into_iter().map(|events| events[0].clone());
        let step = |event: Event| {
            assert!(follows(state, &event), "{event:?} was decided and may not follow {state:?}");
            (evolve(state, &event, now().at), entry(this(), &event))
        };
        firsts.map(step).collect()
    })
}

/// In flight, with the exchange, bought and owed, delivered; in the house's, in Ana's custody;
/// earned.
type Sums = [i128; 8];

/// Returns what stands on the accounts, said from the state alone: gross 10,000, net 9,470, fees
/// 430 and
/// 100.
fn expected(state: &State) -> Sums {
    match state {
        State::Absent | State::Pending(_) | State::Expired(_) | State::Failed(_) => [0; 8],
        State::UnderReview(arrived) | State::Delayed(arrived) => {
            [10_000 - i128::from(arrived.returned.cents()), 0, 0, 0, 0, 0, 0, 0]
        }
        State::Refunded(_) => [0; 8],
        State::Bought(bought) => of_bought(bought),
        State::Paid(_) => panic!("a purchase is never credited: {state:?}"),
    }
}

fn of_bought(bought: &Bought) -> Sums {
    let back = i128::from(bought.returned.cents());
    // Of a purchase that goes on after a part went back, what is left is delivered.
    let gross = bought.rest.map_or(10_000, |rest| i128::from(rest.gross.cents()));
    let since = back - (10_000 - gross);
    let fee = 530 * gross / 10_000;
    let (cost, commission) = (gross - fee, fee * 100 / 530);
    let units = cost * 1_000_000 / 540;
    let bare = |flight, ana| [flight, 0, 0, 0, 0, ana, 0, 0];
    match (bought.end, &bought.delivery) {
        (Some(End::Returned), _) => bare(0, 0),
        (Some(End::Halted), _) => bare(10_000 - back, 0),
        (Some(End::Credited(..)), _) => bare(0, 10_000 - back),
        (None, delivery::State::Waiting) => bare(10_000, 0),
        (None, delivery::State::Sent(_)) => {
            let reversed = (since - cost).max(0);
            let partner = if fee == 0 { 0 } else { reversed * commission / fee };
            let (house, earned) = (-since.min(cost), fee - commission);
            let left = [earned - (reversed - partner), commission - partner];
            [0, cost, 0, units - 100_000, house, 0, left[0], left[1]]
        }
        (None, _) => [fee, cost, units, 0, 0, 0, 0, 0],
    }
}

fn seen(tally: &Tally) -> Sums {
    let of = |account| tally.balance(account);
    [
        of(Account::PixInFlight(this())),
        of(Account::Fx),
        tally.coin(USDT, CoinAccount::DeliveryInFlight(this())),
        tally.coin(USDT, CoinAccount::Treasury(POLYGON)),
        of(Account::Available(HOUSE)),
        of(Account::Available(ANA)),
        of(Account::PurchaseIncome),
        of(Account::Commission(PARTNER)),
    ]
}

fn conserved(state: &State, tally: &Tally) {
    assert_eq!(seen(tally), expected(state), "{state:?}: {tally:?}");
    let inside = -tally.balance(Account::ProviderPix) - tally.balance(Account::SuspensePix);
    let [flight, fx, .., house, ana, income, commission] = seen(tally);
    assert_eq!(inside, flight + fx + house + ana + income + commission, "{state:?}");
    let bought = tally.coin(USDT, CoinAccount::Fx);
    assert_eq!(bought, -(fx * 1_000_000 / 540), "{state:?}");
    assert_eq!(tally.under(Control::Loss), 0);
    if state.has_ended() {
        let [flight, _, owed, ..] = seen(tally);
        assert_eq!((flight, owed), (0, 0), "INV-33: {state:?}");
    }
    if let State::Bought(bought) = state {
        assert_eq!(i128::from(bought.in_flight().cents()), flight);
    }
}

fn walked(order: &Order) -> Vec<(State, Tally)> {
    let places = places(order);
    for (state, tally) in &places {
        conserved(state, tally);
    }
    follows_as_decided(&places, |state| decided(order, state), follows);
    places
}

fn reached(places: &[(State, Tally)], wanted: fn(&Bought) -> bool) -> bool {
    places.iter().any(|(state, _)| matches!(state, State::Bought(bought) if wanted(bought)))
}

#[test]
fn a_purchase_conserves_reais_and_crypto_on_every_path() {
    let places = walked(&order());
    for wanted in [
        |bought: &Bought| bought.end == Some(End::Halted),
        |bought: &Bought| bought.end == Some(End::Returned),
        |bought: &Bought| matches!(bought.end, Some(End::Credited(..))) && bought.is_refunded(),
        |bought: &Bought| matches!(bought.delivery, delivery::State::Accepted(1)),
        |bought: &Bought| matches!(bought.delivery, delivery::State::Unknown(1)),
        |bought: &Bought| matches!(bought.delivery, delivery::State::Sending(2)),
        |bought: &Bought| bought.rest.is_some() && bought.delivery.sent_delivery().is_some(),
        |bought: &Bought| bought.rest.is_some() && bought.end == Some(End::Halted),
        |bought: &Bought| bought.delivery.sent_delivery().is_some() && bought.is_refunded(),
        |bought: &Bought| {
            bought.delivery.sent_delivery().is_some() && bought.returned.cents() == 9_600
        },
    ] {
        assert!(reached(&places, wanted));
    }
    for wanted in [
        |state: &State| matches!(state, State::UnderReview(_)),
        |state: &State| matches!(state, State::Delayed(_)),
        |state: &State| matches!(state, State::Refunded(_)),
        |state: &State| matches!(state, State::Failed(_)),
        |state: &State| matches!(state, State::Expired(_)),
    ] {
        assert!(places.iter().any(|(state, _)| wanted(state)));
    }
}

#[test]
fn a_purchase_held_at_the_provider_conserves_reais_and_crypto_on_every_path() {
    let places = walked(&retained());
    assert!(reached(&places, |bought| bought.delivery.sent_delivery().is_some()));
    assert!(reached(&places, |bought| bought.end == Some(End::Halted)));
    assert!(charge::State::Absent.order().is_none());
}
