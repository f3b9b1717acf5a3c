//! Conversions whose outcome depends on the purse and on what happened before.

use ledger_core::id::AccountId;
use ledger_core::machine::Verdict;
use ledger_core::machine::conversion::{
    Command, Event, FundingSource, FundsAvailable, Order, Refusal, State, follows,
};
use ledger_core::machine::delivery::{self, DeliveryReport};
use ledger_core::terms::ServiceFees;

use super::{
    after, confirm, deliver, delivered, judged, of_commission, order, paid_and, refusal, request,
    rich, step,
};
use crate::samples::{ANA, BIA, PARTNER, amount, as_cents, at, balance, delivery_terms};

#[test]
fn the_balance_covers_amount_and_fees() {
    // W18, FEE-33: 103.80 with the partner's part.
    let with = |cents| refusal(order(), FundsAvailable { spendable: balance(cents), ..rich() });
    assert_eq!(with(10_380), None);
    let available = balance(10_379);
    assert_eq!(with(10_379), Some(Refusal::FundsInsufficient { available }));
    let commission =
        |cents| refusal(of_commission(), FundsAvailable { spendable: balance(cents), ..rich() });
    assert_eq!(commission(10_000), None);
    assert!(commission(9_999).is_some() && commission(-1).is_some());
}

#[test]
fn a_cap_is_the_most_that_may_be_debited() {
    // W20, INV-18: inclusive.
    let capped = |cents| refusal(order(), FundsAvailable { cap: Some(amount(cents)), ..rich() });
    assert_eq!(capped(10_380), None);
    assert_eq!(capped(10_379), Some(Refusal::AboveCap { debited: amount(10_380) }));
    assert_eq!(order().debited(), Some(amount(10_380)));
}

#[test]
fn refusals_come_in_the_order_limits_cap_waiting_period_balance() {
    // Rulings 6.
    let until = at("2026-10-21T15:00:00Z");
    let mut funds = FundsAvailable {
        spendable: balance(0),
        waiting_until: Some(until),
        minimum: Some(amount(10_001)),
        cap: Some(amount(1)),
    };
    let minimum = Some(amount(10_001));
    assert_eq!(refusal(order(), funds), Some(Refusal::BelowMinimum { minimum }));
    funds.minimum = None;
    assert_eq!(refusal(order(), funds), Some(Refusal::BelowMinimum { minimum: None }));
    funds.minimum = Some(amount(10_000));
    assert_eq!(refusal(order(), funds), Some(Refusal::AboveCap { debited: amount(10_380) }));
    funds.cap = None;
    assert_eq!(refusal(order(), funds), Some(Refusal::Waiting { until }));
    funds.waiting_until = None;
    let available = balance(0);
    assert_eq!(refusal(order(), funds), Some(Refusal::FundsInsufficient { available }));
}

#[test]
fn a_sum_of_amount_and_fees_beyond_counting_is_refused() {
    let fees = ServiceFees { house: as_cents(i64::MAX), partner: as_cents(0) };
    let huge = Order { fees, ..order() };
    let answer = refusal(huge.clone(), FundsAvailable { spendable: balance(i64::MAX), ..rich() });
    assert!(matches!(answer, Some(Refusal::FundsInsufficient { .. })), "{answer:?}");
    assert!(!follows(&State::Absent, &Event::Requested(Box::new(huge))));
    let both = ServiceFees { house: as_cents(i64::MAX), partner: as_cents(1) };
    let huge = Order { fees: both, ..order() };
    assert!(!follows(&State::Absent, &Event::Requested(Box::new(huge))));
}

#[test]
fn a_definite_failure_gives_everything_back_and_an_unknown_outcome_nothing() {
    // A3, W72, rulings 36.
    for report in [DeliveryReport::Begin, DeliveryReport::Accept, DeliveryReport::Lose] {
        let under_way = paid_and([deliver(report)]);
        assert_eq!(judged(&under_way, Command::GiveUp), Verdict::SetAside);
    }
    let failed = paid_and([
        deliver(DeliveryReport::Begin),
        deliver(DeliveryReport::Lose),
        deliver(DeliveryReport::Fail),
    ]);
    let (refunded, events) = step(&failed, Command::GiveUp);
    let back = Event::Refunded {
        account: PARTNER,
        source: FundingSource::Custody(ANA),
        amount: amount(10_000),
        fees: order().fees,
        undone: Some(delivered()),
    };
    assert_eq!(events, [back]);
    assert!(matches!(refunded, State::Refunded(_)) && refunded.has_ended());
    assert_eq!(judged(&refunded, deliver(confirm("0xa1"))), Verdict::SetAside);
}

#[test]
fn a_conversion_ends_when_it_is_sent() {
    let sending = paid_and([deliver(DeliveryReport::Begin)]);
    assert!(!sending.has_ended() && sending.progress().unwrap().in_flight() == 380);
    let (sent, _) = step(&sending, deliver(confirm("0xa1")));
    assert!(sent.has_ended() && sent.progress().unwrap().in_flight() == 0);
    assert_eq!(paid_and([]).progress().unwrap().in_flight(), 10_380);
}

#[test]
fn events_that_no_conversion_decided_are_refused() {
    let refused = |state: &State, event: &Event| {
        assert!(!follows(state, event), "{event:?} may follow {state:?}");
    };
    let requested = |order| Event::Requested(Box::new(order));
    assert!(follows(&State::Absent, &requested(order())));
    refused(&State::Absent, &requested(Order { amount: amount(9_999), ..order() }));
    refused(&State::Absent, &requested(Order { delivery_terms: delivery_terms(), ..order() }));
    refused(&paid_and([]), &requested(order()));
    let begun = |source| Event::Delivery { source, event: delivery::Event::Begun(delivered()) };
    assert!(follows(&paid_and([]), &begun(FundingSource::Custody(ANA))));
    refused(&paid_and([]), &begun(FundingSource::Custody(BIA)));
    refused(&paid_and([]), &begun(FundingSource::Commission));
    refused(&paid_and([Command::GiveUp]), &begun(FundingSource::Custody(ANA)));
    let back = |account, source, cents, fees, undone| Event::Refunded {
        account,
        source,
        amount: amount(cents),
        fees,
        undone,
    };
    let (ana, fees) = (FundingSource::Custody(ANA), order().fees);
    let failed = paid_and([deliver(DeliveryReport::Begin), deliver(DeliveryReport::Fail)]);
    let bought = Some(delivered());
    assert!(follows(&failed, &back(PARTNER, ana, 10_000, fees, bought)));
    refused(&failed, &back(AccountId(4), ana, 10_000, fees, bought));
    refused(&failed, &back(PARTNER, FundingSource::Custody(BIA), 10_000, fees, bought));
    refused(&failed, &back(PARTNER, FundingSource::Commission, 10_000, fees, bought));
    refused(&failed, &back(PARTNER, ana, 9_999, fees, bought));
    refused(&failed, &back(PARTNER, ana, 10_000, ServiceFees::default(), bought));
    refused(&failed, &back(PARTNER, ana, 10_000, fees, None));
    assert!(follows(&paid_and([]), &back(PARTNER, ana, 10_000, fees, None)));
    refused(&paid_and([]), &back(PARTNER, ana, 10_000, fees, bought));
    let lost = paid_and([deliver(DeliveryReport::Begin), deliver(DeliveryReport::Lose)]);
    refused(&lost, &back(PARTNER, ana, 10_000, fees, bought));
    let sent = after([request(order()), deliver(confirm("0xa1"))]);
    refused(&sent, &back(PARTNER, ana, 10_000, fees, bought));
}
