//! Conversions whose outcome depends on the source and on what happened before.

use ledger_core::id::AccountId;
use ledger_core::machine::conversion::{Command, Event, FundingSource, Order, State, follows};
use ledger_core::machine::delivery::{self, DeliveryReport};
use ledger_core::terms::ServiceFees;

use super::{after, confirm, deliver, delivered, order, paid_and, step};
use crate::samples::{ANA, BIA, PARTNER, amount, as_cents, delivery_terms};

#[test]
fn fees_beyond_counting_are_a_corrupt_event_and_no_panic() {
    let fees = ServiceFees { house: as_cents(i64::MAX), partner: as_cents(0) };
    let huge = Order { fees, ..order() };
    assert!(!follows(&State::Absent, &Event::Requested(Box::new(huge))));
    let both = ServiceFees { house: as_cents(i64::MAX), partner: as_cents(1) };
    let huge = Order { fees: both, ..order() };
    assert!(!follows(&State::Absent, &Event::Requested(Box::new(huge))));
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
    let sent = after(order(), [deliver(confirm("0xa1"))]);
    refused(&sent, &back(PARTNER, ana, 10_000, fees, bought));
}
