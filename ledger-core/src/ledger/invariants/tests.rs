//! Invariants over what no entry can break: each is broken here once, and says so.

use std::iter::empty;

use super::{
    check_agenda, check_due, check_ladder, check_set_aside, check_signs, check_trial,
    check_watchers, flights,
};
use crate::accounting::{Books, Buckets, CoinAccount, Control};
use crate::id::{AccountId, AssetId, Kind, OpId, Seq, SubaccountId, Token};
use crate::ledger::state::due::Due;
use crate::ledger::state::{State, Subaccount};
use crate::money::{Balance, Cents};
use crate::terms::Payer;
use crate::time::Span;

fn begun() -> State {
    State::new("live")
}

#[test]
fn an_empty_state_keeps_every_law() {
    let state = begun();
    check_ladder(&state).unwrap();
    check_agenda(&state).unwrap();
    check_due(&state).unwrap();
    check_trial(&state).unwrap();
}

#[test]
fn a_payer_with_more_pending_than_its_charges_is_told() {
    let mut state = begun();
    let pending = Cents::new(1).unwrap();
    state.payers.insert(Token([1; 16]), Payer { pending, ..Payer::default() });
    assert_eq!(check_ladder(&state).unwrap_err().invariant, "INV-40");
}

#[test]
fn a_bucket_below_zero_is_told() {
    let of = |held, frozen| {
        let (held, frozen) = (Balance::new(held), Balance::new(frozen));
        let known = Buckets { held, frozen, ..Buckets::default() };
        let mut state = begun();
        let controls = [0; Control::ALL.len()];
        state.books = Books::taken_up(&controls, [known].into_iter(), empty(), empty(), empty());
        check_signs(&state, SubaccountId(0)).map_err(|reported| reported.invariant)
    };
    assert_eq!(of(0, 0), Ok(()));
    assert_eq!((of(-1, 0), of(0, -1)), (Err("INV-07"), Err("INV-07")));
}

#[test]
fn a_subaccount_that_counts_a_watching_hold_there_is_not_is_told() {
    let mut state = begun();
    let account = AccountId(0);
    let of = |watchers| Subaccount { account, waiting_until: None, deposited: false, watchers };
    state.subaccounts.push(of(0));
    check_watchers(&state).unwrap();
    state.subaccounts.push(of(1));
    assert_eq!(check_watchers(&state).unwrap_err().invariant, "INV-14");
}

#[test]
fn a_deadline_of_nobody_and_one_that_was_passed_over_are_told() {
    let mut state = begun();
    let charge = OpId::new(Kind::Charge, Seq(1));
    state.agenda.insert((state.now, charge, Due::Expiry));
    assert_eq!(check_agenda(&state).unwrap_err().invariant, "AGENDA");
    check_due(&state).unwrap();
    state.now = state.now.after(Span::seconds(1));
    assert_eq!(check_due(&state).unwrap_err().invariant, "TIME");
}

#[test]
fn something_found_that_does_not_wait_is_told() {
    let mut state = begun();
    check_set_aside(&state).unwrap();
    let [charge, claim] = [Kind::Charge, Kind::Suspense].map(|kind| OpId::new(kind, Seq(1)));
    state.set_aside.insert((charge, claim));
    assert_eq!(check_set_aside(&state).unwrap_err().invariant, "ASIDE");
}

#[test]
fn a_control_that_no_flight_stands_behind_is_told() {
    let flying = [
        Control::PixInFlight,
        Control::PayoutInFlight,
        Control::ConversionInFlight,
        Control::SaleInFlight,
    ];
    for control in flying {
        let mut state = begun();
        let controls = Control::ALL.map(|known| i128::from(known == control));
        state.books = Books::taken_up(&controls, empty(), empty(), empty(), empty());
        let reported = flights::check(&state).unwrap_err();
        assert_eq!(
            (reported.invariant, reported.what.contains(control.name())),
            ("CONTROL", true),
            "{reported}"
        );
    }
}

#[test]
fn books_that_do_not_sum_to_nothing_are_told() {
    let mut state = begun();
    let controls = |first| {
        let mut controls = [0; Control::ALL.len()];
        controls[0] = first;
        controls
    };
    state.books = Books::taken_up(&controls(1), empty(), empty(), empty(), empty());
    assert_eq!(check_trial(&state).unwrap_err().invariant, "INV-02");
    let coins = [((AssetId(0), CoinAccount::Fx), 1)];
    state.books = Books::taken_up(&controls(0), empty(), empty(), empty(), coins.into_iter());
    assert_eq!(check_trial(&state).unwrap_err().invariant, "INV-02");
}
