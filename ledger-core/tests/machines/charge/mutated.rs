//! Events that no charge decided: `follows` refuses them, so a journal that holds one is corrupt.

use ledger_core::machine::charge::{
    Command, Credit, Event, Into, Order, Origin, PixPayment, State, follows,
};
use ledger_core::time::Span;

use super::{
    after, event_after, first, give_back, next_day, noon, now, order, receive, retained, see,
};
use crate::samples::{ANA, BIA, amount, as_cents, at};

/// A credit with one thing changed.
fn changed(event: &Event, change: impl FnOnce(&mut PixPayment, &mut Credit)) -> Event {
    let mut event = event.clone();
    let Event::Credited { payment, credit } = &mut event else { panic!("{event:?}") };
    change(payment, credit);
    event
}

fn refused(state: &State, event: &Event) {
    assert!(!follows(state, event), "{event:?} may follow {state:?}");
}

#[test]
fn a_credit_agrees_with_its_charge() {
    let pending = after(next_day(), []);
    let credited = event_after(next_day(), [], receive(10_000));
    assert!(follows(&pending, &credited));
    refused(&pending, &changed(&credited, |_, credit| credit.subaccount = BIA));
    refused(&pending, &changed(&credited, |_, credit| credit.origin = Origin::Flight));
    refused(&pending, &changed(&credited, |_, credit| credit.gross = amount(9_999)));
    refused(&pending, &changed(&credited, |_, credit| credit.fee = as_cents(99)));
    refused(&pending, &changed(&credited, |payment, _| payment.amount = amount(9_999)));
}

#[test]
fn a_credit_of_another_amount_comes_from_suspense_only() {
    let pending = after(order(), []);
    let credited = event_after(order(), [], receive(10_000));
    let other = |origin| {
        changed(&credited, |payment, credit| {
            payment.amount = amount(9_999);
            credit.gross = amount(9_999);
            credit.origin = origin;
        })
    };
    assert!(follows(&pending, &other(Origin::Suspense)));
    refused(&pending, &other(Origin::Provider));
    refused(&after(order(), [Command::Cancel]), &credited);
}

#[test]
fn a_late_pix_is_credited_from_suspense_only() {
    // Rulings 13: otherwise suspense.
    let late = |event: &Event, origin| {
        changed(event, |payment, credit| {
            payment.paid_at = order().expires_at.after(Span::seconds(1));
            credit.origin = origin;
        })
    };
    let credited = event_after(order(), [], receive(10_000));
    let expired = after(order(), [Command::Expire]);
    assert!(follows(&expired, &late(&credited, Origin::Suspense)));
    refused(&expired, &late(&credited, Origin::Provider));
}

#[test]
fn a_late_pix_is_not_held_at_the_provider() {
    let delayed = event_after(retained(), [], receive(10_000));
    let Event::Delayed { mut payment, until } = delayed else { panic!("{delayed:?}") };
    payment.paid_at = order().expires_at.after(Span::seconds(1));
    let expired = after(retained(), [Command::Expire]);
    refused(&expired, &Event::Delayed { payment, until });
}

#[test]
fn a_charge_is_held_at_the_provider_exactly_when_its_terms_say_so() {
    let delayed = event_after(retained(), [], receive(10_000));
    let credited = event_after(order(), [], receive(10_000));
    refused(&after(order(), []), &delayed);
    refused(&after(retained(), []), &credited);
    let Event::Delayed { mut payment, until } = delayed else { panic!("{delayed:?}") };
    payment.amount = amount(9_999);
    refused(&after(retained(), []), &Event::Delayed { payment, until });
}

#[test]
fn a_credit_is_held_exactly_when_its_terms_say_so() {
    // CUS-19: available the next day, at once, or at once when the provider held it.
    let at_once = event_after(order(), [], receive(10_000));
    let held = event_after(next_day(), [], receive(10_000));
    refused(&after(order(), []), &held);
    refused(&after(next_day(), []), &at_once);
    let released = event_after(retained(), [receive(10_000)], Command::Release);
    let tomorrow = Some(at("2026-10-22T03:00:00Z"));
    let released = changed(&released, |_, credit| credit.available_at = tomorrow);
    refused(&after(retained(), [receive(10_000)]), &released);
}

#[test]
fn a_release_credits_the_pix_that_was_held_and_what_is_left_of_it() {
    let delayed = after(retained(), [receive(10_000), give_back(4_000)]);
    let facts = [receive(10_000), give_back(4_000)];
    let released = event_after(retained(), facts, Command::Release);
    assert!(follows(&delayed, &released));
    refused(&delayed, &changed(&released, |payment, _| payment.e2e = "another".into()));
    refused(&delayed, &changed(&released, |_, credit| credit.gross = amount(10_000)));
    refused(&delayed, &changed(&released, |_, credit| credit.origin = Origin::Provider));
    refused(&delayed, &changed(&released, |_, credit| credit.fee = as_cents(0)));
    refused(&delayed, &Event::ReturnedUncredited { amount: amount(6_001) });
}

#[test]
fn what_matures_or_is_taken_is_what_is_held() {
    let held = after(next_day(), [receive(10_000)]);
    let matured = |subaccount, cents| Event::Matured { subaccount, amount: as_cents(cents) };
    assert!(follows(&held, &matured(ANA, 9_900)));
    refused(&held, &matured(BIA, 9_900));
    refused(&held, &matured(ANA, 9_899));
    refused(&after(order(), [receive(10_000)]), &matured(ANA, 0));
    for into in [Into::Available, Into::Frozen] {
        let taken =
            |subaccount, cents| Event::PartTaken { subaccount, amount: amount(cents), into };
        assert!(follows(&held, &taken(ANA, 9_900)));
        refused(&held, &taken(BIA, 9_900));
        refused(&held, &taken(ANA, 9_901));
    }
}

#[test]
fn no_more_is_restored_than_was_taken() {
    // INV-14: each part is released, blocked or taken exactly once.
    let held = after(next_day(), [receive(10_000)]);
    let taken = Event::PartTaken { subaccount: ANA, amount: amount(2_500), into: Into::Frozen };
    let less = ledger_core::machine::charge::evolve(&held, &taken, now().at);
    let restored = |subaccount, cents| Event::PartRestored { subaccount, amount: amount(cents) };
    assert!(follows(&less, &restored(ANA, 2_500)));
    refused(&less, &restored(BIA, 2_500));
    refused(&less, &restored(ANA, 2_501));
    refused(&less, &restored(ANA, i64::MAX));
    refused(&after(next_day(), [receive(10_000), Command::Mature]), &restored(ANA, 1));
}

#[test]
fn a_traced_return_is_anothers_and_no_part_of_the_fee() {
    // Rulings 81: 9,900 net of 10,000; what passes it is the fee's, which no block gives.
    let paid = after(order(), [receive(10_000)]);
    let traced = |subaccount, cents| Event::ReturnedTraced { subaccount, amount: amount(cents) };
    assert!(follows(&paid, &traced(BIA, 9_900)));
    refused(&paid, &traced(BIA, 9_901));
    refused(&paid, &traced(ANA, 1));
    let part = after(order(), [receive(10_000), give_back(6_000)]);
    assert!(follows(&part, &traced(BIA, 3_900)));
    refused(&part, &traced(BIA, 3_901));
    refused(&after(retained(), [receive(10_000)]), &traced(BIA, 1));
}

#[test]
fn a_return_is_what_was_paid_and_reverses_the_fee_it_must() {
    let paid = after(order(), [receive(10_000)]);
    let returned = |subaccount, cents, fee| Event::Returned {
        subaccount,
        amount: amount(cents),
        fee: as_cents(fee),
    };
    assert!(follows(&paid, &returned(ANA, 9_950, 50)));
    refused(&paid, &returned(BIA, 9_950, 50));
    refused(&paid, &returned(ANA, 9_950, 0));
    refused(&paid, &returned(ANA, 9_950, 51));
    refused(&paid, &returned(ANA, 10_001, 101));
}

#[test]
fn a_charge_does_not_expire_before_it_is_created() {
    let backwards = Order { expires_at: noon(), created_at: now().at, ..order() };
    refused(&State::Absent, &Event::Requested(Box::new(backwards)));
    let requested = first(order());
    assert!(follows(&State::Absent, &requested));
    refused(&after(order(), []), &requested);
}

#[test]
fn only_a_pix_that_pays_is_under_review_and_only_that_is_withheld() {
    let pending = after(order(), []);
    let seen = event_after(order(), [], see(10_000));
    assert!(follows(&pending, &seen));
    let Event::UnderReview { mut payment } = seen.clone() else { panic!("{seen:?}") };
    payment.amount = amount(9_999);
    refused(&pending, &Event::UnderReview { payment });
    refused(&after(order(), [Command::Cancel]), &seen);
    let withheld = Event::Withheld { until: noon() };
    assert!(follows(&after(order(), [see(10_000)]), &withheld));
    refused(&pending, &withheld);
    refused(&after(retained(), [receive(10_000)]), &withheld);
    refused(&after(order(), [receive(10_000)]), &withheld);
}

#[test]
fn a_credit_after_review_is_held_as_the_terms_say_unless_the_provider_held_it() {
    let reviewed = after(next_day(), [see(10_000)]);
    let settled = event_after(next_day(), [see(10_000)], Command::Settle);
    assert!(follows(&reviewed, &settled));
    refused(&reviewed, &changed(&settled, |_, credit| credit.available_at = None));
    let withheld = after(next_day(), [see(10_000), Command::Withhold(None)]);
    refused(&withheld, &settled);
    assert!(follows(&withheld, &changed(&settled, |_, credit| credit.available_at = None)));
}

#[test]
fn custody_buys_nothing() {
    use ledger_core::machine::purchase;
    let cleared = Event::Purchase(purchase::Event::Cleared);
    refused(&after(order(), [see(10_000)]), &cleared);
    refused(&after(retained(), [receive(10_000)]), &cleared);
    let payment = super::payment(10_000);
    let from_suspense = ledger_core::terms::Switch::On;
    let paid = Event::Purchase(purchase::Event::Paid { payment, from_suspense });
    refused(&after(order(), []), &paid);
    refused(&after(order(), [Command::Cancel]), &paid);
}
