//! News that comes late, twice or out of order: rulings 8.

use ledger_core::accounting::Control;
use ledger_core::ledger::charge::Fact as ChargeFact;
use ledger_core::ledger::purchase::Fact as PurchaseFact;
use ledger_core::ledger::{Archive, Fact, Outcome, Topic};
use ledger_core::machine::charge::State;
use ledger_core::machine::delivery::{Command, DeliveryReport};
use ledger_core::terms::{Ladder, Policy, Review, Terms};

use super::counter::decided_by;
use super::{Harness, instant, unlimited};
use crate::samples::{SOMEBODY, amount, listing};

/// A purchase that the provider will hold: a known payer above its band.
fn held() -> (Harness, ledger_core::id::OpId) {
    let policy = Policy { ladder: Some(Ladder::default()), ..unlimited() };
    let mut harness = Harness::under(policy, instant());
    harness.list(listing(1, 100_000));
    harness.quote("usdt", "5.40");
    let (payer, review) = (SOMEBODY, Review::Identified);
    harness.fact(Fact::Charge(ChargeFact::PayerReviewed {
        payer,
        review,
        decided_by: decided_by(),
    }));
    let op = harness.order(None, 30_000);
    (harness, op)
}

fn sent(
    op: ledger_core::id::OpId,
    payment: Option<ledger_core::machine::charge::PixPayment>,
) -> Fact {
    let command = Command { attempt: None, report: DeliveryReport::Confirm("0xa1".into()) };
    Fact::Purchase(PurchaseFact::Delivery { op: Some(op), command, payment })
}

#[test]
fn that_it_was_sent_implies_that_it_was_paid_in_one_record() {
    let mut harness = Harness::trading(instant());
    let op = harness.order(None, 10_000);
    let payment = harness.payment(10_000);
    assert_eq!(harness.fact(sent(op, Some(payment.clone()))), Outcome::Applied(None));
    assert_eq!(harness.last_events(), 3, "paid, begun, sent");
    assert_eq!(harness.topics(op), [Topic::ChargePaid, Topic::ChargeSettled]);
    assert_eq!(harness.instruction_keys(op), [""; 0], "there is nothing left to send");
    assert_eq!(harness.total(Control::PixInFlight), 0);
    // The skipped news, when it comes, is known.
    let count = harness.records.len();
    assert_eq!(
        harness.fact(Fact::Charge(ChargeFact::PixReceived { charge: Some(op), payment })),
        Outcome::Known
    );
    assert_eq!(harness.records.len(), count);
    assert_eq!(harness.deliver(op, DeliveryReport::Begin), Outcome::Known);
    assert_eq!(harness.deliver(op, DeliveryReport::Accept), Outcome::Known);
    assert_eq!(harness.fact(sent(op, None)), Outcome::Known);
    assert_eq!(harness.records.len(), count + 3, "each id is kept");
}

#[test]
fn that_it_was_sent_implies_that_it_was_released() {
    let (mut harness, op) = held();
    assert_eq!(harness.receive(op, 30_000), Outcome::Applied(None));
    assert!(matches!(harness.operation(op).charge(), Some(State::Delayed(_))));
    assert_eq!(harness.fact(sent(op, None)), Outcome::Applied(None));
    assert_eq!(harness.last_events(), 3, "cleared, begun, sent");
    let topics = [Topic::ChargeDelayed, Topic::ChargePaid, Topic::ChargeSettled];
    assert_eq!(harness.topics(op), topics);
    let released = Fact::Charge(ChargeFact::ProviderReleased { charge: Some(op), payment: None });
    assert_eq!(harness.fact(released), Outcome::Known);
    assert_eq!(harness.topics(op), topics);
}

#[test]
fn that_it_was_sent_implies_all_of_it_at_once() {
    let (mut harness, op) = held();
    let payment = harness.payment(30_000);
    assert_eq!(harness.fact(sent(op, Some(payment))), Outcome::Applied(None));
    assert_eq!(harness.last_events(), 4, "delayed, cleared, begun, sent");
    let topics = [Topic::ChargeDelayed, Topic::ChargePaid, Topic::ChargeSettled];
    assert_eq!(harness.topics(op), topics);
}

#[test]
fn that_it_was_sent_implies_that_what_was_seen_was_settled() {
    let mut harness = Harness::trading(instant());
    let op = harness.order(None, 10_000);
    let payment = harness.payment(10_000);
    harness.fact(Fact::Charge(ChargeFact::PixSeen { charge: Some(op), payment }));
    assert_eq!(harness.fact(sent(op, None)), Outcome::Applied(None));
    assert_eq!(harness.last_events(), 3, "cleared, begun, sent");
    assert_eq!(harness.total(Control::PixInFlight), 0);
}

#[test]
fn crypto_sent_for_a_purchase_that_nobody_paid_is_a_claim() {
    let mut harness = Harness::trading(instant());
    let op = harness.order(None, 10_000);
    assert!(matches!(harness.fact(sent(op, None)), Outcome::SetAside(Some(_))));
    assert!(matches!(harness.operation(op).charge(), Some(State::Pending(_))));
    // A PIX that does not pay it waits in suspense beside the claim, once.
    let payment = harness.payment(9_999);
    assert!(matches!(harness.fact(sent(op, Some(payment.clone()))), Outcome::SetAside(Some(_))));
    assert_eq!(harness.total(Control::SuspensePix), 9_999);
    harness.fact(sent(op, Some(payment)));
    assert_eq!(harness.total(Control::SuspensePix), 9_999);
}

#[test]
fn what_was_seen_is_received_once() {
    // The PIX is known; that it was received is its settlement.
    let mut harness = Harness::trading(instant());
    let op = harness.order(None, 10_000);
    let payment = harness.payment(10_000);
    let seen = Fact::Charge(ChargeFact::PixSeen { charge: Some(op), payment: payment.clone() });
    assert_eq!(harness.fact(seen.clone()), Outcome::Applied(None));
    assert_eq!(harness.fact(seen.clone()), Outcome::Known);
    assert_eq!(harness.topics(op), [], "`under_review` has no event");
    let received = Fact::Charge(ChargeFact::PixReceived { charge: Some(op), payment });
    assert_eq!(harness.fact(received.clone()), Outcome::Applied(None));
    assert!(matches!(harness.operation(op).charge(), Some(State::Bought(_))));
    assert_eq!((harness.fact(received), harness.fact(seen)), (Outcome::Known, Outcome::Known));
    assert_eq!(harness.total(Control::ProviderPix), 10_000);
    assert_eq!(
        harness.fact(Fact::Charge(ChargeFact::ProviderSettled { charge: Some(op) })),
        Outcome::Known
    );
    assert_eq!(harness.topics(op), [Topic::ChargePaid]);
}

#[test]
fn what_was_seen_for_a_charge_to_be_held_is_held_when_it_is_received() {
    let (mut harness, op) = held();
    let payment = harness.payment(30_000);
    harness.fact(Fact::Charge(ChargeFact::PixSeen { charge: Some(op), payment: payment.clone() }));
    harness.fact(Fact::Charge(ChargeFact::PixReceived { charge: Some(op), payment }));
    assert!(matches!(harness.operation(op).charge(), Some(State::Delayed(_))));
    assert_eq!(harness.topics(op), [Topic::ChargeDelayed]);
    assert_eq!(
        harness.fact(Fact::Charge(ChargeFact::ProviderHeld { charge: Some(op), until: None })),
        Outcome::Known
    );
}

#[test]
fn a_deposit_under_review_is_credited_when_it_is_settled() {
    let mut harness = Harness::open(Terms { retention_above: None, ..instant() });
    let op = harness.charge(Some("ana"), 10_000);
    let payment = harness.payment(10_000);
    harness.fact(Fact::Charge(ChargeFact::PixSeen { charge: Some(op), payment }));
    assert_eq!((harness.balances("ana"), harness.total(Control::PixInFlight)), ([0, 0, 0], 10_000));
    assert_eq!(
        harness.fact(Fact::Charge(ChargeFact::ProviderSettled { charge: Some(op) })),
        Outcome::Applied(None)
    );
    assert_eq!(harness.balances("ana"), [9_900, 0, 0]);
    assert_eq!(harness.topics(op), [Topic::ChargePaid, Topic::ChargeSettled]);
}

#[test]
fn a_pix_seen_that_pays_nothing_waits_in_suspense_and_is_not_booked_again() {
    let mut harness = Harness::trading(instant());
    let op = harness.order(None, 10_000);
    let payment = harness.payment(9_999);
    let seen = Fact::Charge(ChargeFact::PixSeen { charge: Some(op), payment: payment.clone() });
    assert!(matches!(harness.fact(seen), Outcome::SetAside(Some(_))));
    let received =
        Fact::Charge(ChargeFact::PixReceived { charge: Some(op), payment: payment.clone() });
    assert_eq!(harness.fact(received), Outcome::Known);
    assert_eq!(harness.total(Control::SuspensePix), 9_999);
    let outside = ledger_core::ledger::ExternalId {
        scope: ledger_core::ledger::Scope::ReceivedPix,
        id: payment.e2e,
    };
    assert!(harness.ledger.archive.fact_seq(&outside).is_some());
    assert_eq!(amount(9_999).cents(), 9_999);
}

#[test]
fn what_was_only_seen_counts_as_pending_and_starts_no_day() {
    // LIM-06: the clock starts at the first confirmed payment.
    let (mut harness, op) = held();
    let payment = harness.payment(30_000);
    harness.fact(Fact::Charge(ChargeFact::PixSeen { charge: Some(op), payment }));
    let payer = harness.ledger.state.payer(&SOMEBODY);
    assert_eq!((payer.first_paid_at, payer.pending.cents()), (None, 30_000));
    // It no longer expires, and still counts.
    harness.pass("2026-10-20T13:00:00Z");
    assert_eq!(harness.ledger.state.payer(&SOMEBODY), payer);
    let settled_at = harness.now;
    harness.fact(Fact::Charge(ChargeFact::ProviderSettled { charge: Some(op) }));
    let payer = harness.ledger.state.payer(&SOMEBODY);
    assert_eq!((payer.first_paid_at, payer.pending.cents()), (Some(settled_at), 0));
    assert_eq!(payer.amount_used(harness.now).cents(), 30_000);
}

#[test]
fn what_was_seen_and_went_back_whole_is_pending_no_more_and_still_counts() {
    let (mut harness, op) = held();
    let payment = harness.payment(30_000);
    harness.fact(Fact::Charge(ChargeFact::PixSeen { charge: Some(op), payment }));
    harness.give_back(op, 30_000);
    // Rulings 12: what was refunded does not release its share of the window.
    let payer = harness.ledger.state.payer(&SOMEBODY);
    assert_eq!((payer.pending.cents(), payer.amount_used(harness.now).cents()), (0, 30_000));
}

#[test]
fn a_release_of_what_was_seen_implies_that_it_was_held() {
    let (mut harness, op) = held();
    let payment = harness.payment(30_000);
    harness.fact(Fact::Charge(ChargeFact::PixSeen { charge: Some(op), payment }));
    let released = Fact::Charge(ChargeFact::ProviderReleased { charge: Some(op), payment: None });
    assert_eq!(harness.fact(released.clone()), Outcome::Applied(None));
    assert!(matches!(harness.operation(op).charge(), Some(State::Bought(_))));
    assert_eq!(harness.fact(released), Outcome::Known);
    let paid = harness.topics(op).into_iter().filter(|topic| *topic == Topic::ChargePaid).count();
    assert_eq!(paid, 1);
}

#[test]
fn what_was_seen_and_is_received_with_another_amount_is_set_aside() {
    let mut harness = Harness::trading(instant());
    let op = harness.order(None, 10_000);
    let payment = harness.payment(10_000);
    harness.fact(Fact::Charge(ChargeFact::PixSeen { charge: Some(op), payment: payment.clone() }));
    let other = ledger_core::machine::charge::PixPayment { amount: amount(9_999), ..payment };
    let outcome =
        harness.fact(Fact::Charge(ChargeFact::PixReceived { charge: Some(op), payment: other }));
    assert!(matches!(outcome, Outcome::SetAside(_)), "{outcome:?}");
    assert!(matches!(harness.operation(op).charge(), Some(State::Delayed(_))));
}

#[test]
fn a_release_of_what_nobody_expected_to_be_held_implies_that_it_was_paid() {
    // Rulings 8 and 54: it is not late, and its payer is not left waiting.
    let mut harness = Harness::trading(instant());
    let charge = harness.charge(Some("ana"), 1_000);
    let bought = harness.order(None, 10_000);
    for (op, cents) in [(charge, 1_000), (bought, 10_000)] {
        let payment = harness.payment(cents);
        let released = ChargeFact::ProviderReleased { charge: Some(op), payment: Some(payment) };
        assert_eq!(harness.fact(Fact::Charge(released.clone())), Outcome::Applied(None));
        assert_eq!(harness.fact(Fact::Charge(released)), Outcome::Known);
    }
    assert_eq!(harness.balances("ana"), [900, 0, 0]);
    assert!(matches!(harness.operation(bought).charge(), Some(State::Bought(_))));
    assert_eq!(harness.total(ledger_core::accounting::Control::SuspensePix), 0);
}

#[test]
fn what_went_back_before_a_release_nobody_expected_is_not_credited() {
    let mut harness = Harness::open(instant());
    for (back, left) in [(400, 500), (1_000, 500)] {
        let op = harness.charge(Some("ana"), 1_000);
        assert!(matches!(harness.give_back(op, back), Outcome::SetAside(Some(_))));
        let payment = Some(harness.payment(1_000));
        let released = ChargeFact::ProviderReleased { charge: Some(op), payment };
        assert_eq!(harness.fact(Fact::Charge(released)), Outcome::Applied(None));
        assert_eq!(harness.balances("ana"), [left, 0, 0]);
    }
}
