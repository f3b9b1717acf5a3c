//! Charges whose outcome depends on amounts, instants and what happened before.

use ledger_core::machine::Verdict;
use ledger_core::machine::charge::{
    Command, Credit, Event, Order, Origin, PixPayment, State, decide,
};
use ledger_core::terms::Rate;

use super::{after, event_after, give_back, next_day, now, order, payment, receive, retained, see};
use crate::samples::{ANA, as_cents, at, bps};

fn credit_of(event: &Event) -> &Credit {
    match event {
        Event::Credited { credit, .. } => credit,
        other => panic!("{other:?} is no credit"),
    }
}

/// Principal and fee share of the returns of `parts`, one after the other.
fn borne(paid: State, parts: &[i64]) -> Vec<(i64, i64)> {
    let mut state = paid;
    let mut borne = Vec::new();
    for part in parts {
        let (next, event) = super::step(&state, give_back(*part));
        let Event::Returned { amount, fee, subaccount: ANA } = event else { panic!("{event:?}") };
        borne.push((amount.cents() - fee.cents(), fee.cents()));
        state = next;
    }
    borne
}

#[test]
fn what_the_provider_held_is_available_when_it_is_released() {
    // CUS-19: above the threshold the QR is held, and on release the balance is available at once.
    let delayed = event_after(retained(), [], receive(10_000));
    let Event::Delayed { until, .. } = delayed else { panic!("{delayed:?}") };
    assert_eq!(until, at("2026-10-21T12:10:01Z"));
    let released = event_after(retained(), [receive(10_000)], Command::Release);
    let credit = credit_of(&released);
    assert_eq!((credit.available_at, credit.origin), (None, Origin::Flight));
    let attached = event_after(retained(), [], Command::Attach(payment(10_000)));
    assert_eq!(credit_of(&attached).available_at, None);
}

#[test]
fn the_credit_matures_with_all_that_is_left_of_it() {
    let held = after(next_day(), [receive(10_000)]);
    let State::Paid(paid) = &held else { panic!("{held:?}") };
    assert_eq!((paid.held, paid.settled_at), (as_cents(9_900), None));
    let (matured, event) = super::step(&held, Command::Mature);
    assert_eq!(event, Event::Matured { subaccount: ANA, amount: as_cents(9_900) });
    let State::Paid(paid) = &matured else { panic!("{matured:?}") };
    assert_eq!((paid.held, paid.settled_at), (as_cents(0), Some(now().at)));
    assert_eq!((held.has_ended(), matured.has_ended()), (false, true));
}

#[test]
fn the_customer_bears_returns_up_to_the_net_and_the_rest_reverses_the_fee() {
    // Rulings 22, both examples; cumulatively, whatever the parts.
    let paid = || after(order(), [receive(10_000)]);
    assert_eq!(borne(paid(), &[6_000, 4_000]), [(6_000, 0), (3_900, 100)]);
    assert_eq!(borne(paid(), &[9_950, 50]), [(9_900, 50), (0, 50)]);
    assert_eq!(borne(paid(), &[9_900, 60, 40]), [(9_900, 0), (0, 60), (0, 40)]);
    assert_eq!(borne(paid(), &[10_000]), [(9_900, 100)]);
}

#[test]
fn returns_before_and_after_the_credit_add_up() {
    let before = [receive(10_000), give_back(4_000), Command::Release];
    let paid = after(retained(), before);
    let State::Paid(known) = &paid else { panic!("{paid:?}") };
    assert_eq!(
        (known.returnable_balance(), known.returned_in_all()),
        (as_cents(6_000).into(), as_cents(4_000))
    );
    assert_eq!(decide(&paid, give_back(6_001), now()), Verdict::SetAside);
    assert_eq!(borne(paid, &[5_950, 50]), [(5_900, 50), (0, 50)]);
}

#[test]
fn a_percentage_fee_is_taken_on_all_that_was_received() {
    // INV-13: floor(received * bps), also when part went back before the credit.
    let fee = Rate { bps: bps(250), fixed: as_cents(100) };
    let facts = [receive(10_000), give_back(4_000)];
    let event = event_after(Order { fee, ..retained() }, facts, Command::Release);
    assert_eq!(credit_of(&event).fee, as_cents(350));
}

#[test]
fn a_release_of_what_went_back_whole_contradicts_the_books() {
    let gone = after(retained(), [receive(10_000), give_back(10_000)]);
    assert!(matches!(gone, State::Refunded(_)));
    assert_eq!(decide(&gone, Command::Release, now()), Verdict::SetAside);
}

#[test]
fn a_pix_under_review_is_credited_as_it_would_have_been_at_once() {
    // A1: settled, it is booked by the terms; held, it is available on its release.
    let booked = |order, then: &[Command]| {
        let (last, before) = then.split_last().unwrap();
        let facts = [see(10_000)].into_iter().chain(before.iter().cloned());
        credit_of(&event_after(order, facts, last.clone())).available_at
    };
    let midnight = Some(at("2026-10-21T03:00:00Z"));
    assert_eq!(booked(order(), &[Command::Settle]), None);
    assert_eq!(booked(next_day(), &[Command::Settle]), midnight);
    assert_eq!(booked(next_day(), &[Command::Withhold(None), Command::Release]), None);
}

#[test]
fn a_hold_is_for_as_long_as_the_provider_says_or_the_terms_or_a_day() {
    let until = |order, said: Option<&str>| {
        let command = Command::Withhold(said.map(at));
        let event = event_after(order, [see(10_000)], command);
        let Event::Withheld { until } = event else { panic!("{event:?}") };
        until
    };
    assert_eq!(until(order(), None), at("2026-10-21T12:10:01Z"));
    let long = Order { retention_hours: Some(72), ..order() };
    assert_eq!(until(long.clone(), None), at("2026-10-23T12:10:01Z"));
    assert_eq!(until(long, Some("2026-10-20T13:00:00Z")), at("2026-10-20T13:00:00Z"));
}

#[test]
fn a_pix_is_seen_for_a_charge_only_if_it_pays_it() {
    // CIN-28, rulings 13.
    for state in [after(order(), []), after(order(), [Command::Expire])] {
        assert_eq!(decide(&state, see(9_999), now()), Verdict::SetAside);
        let late = PixPayment { paid_at: at("2026-10-20T12:15:00.000001Z"), ..payment(10_000) };
        assert_eq!(decide(&state, Command::See(late), now()), Verdict::SetAside);
    }
}
