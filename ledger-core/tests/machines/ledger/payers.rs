//! The payer ladder and daily ceilings through the ledger: W39 to W42; rulings 12; LIM-16.

use ledger_core::id::{OpId, Token};
use ledger_core::ledger::charge::Fact as ChargeFact;
use ledger_core::ledger::{ChargeRequest, Destination, Fact, Outcome, Refusal};
use ledger_core::machine::charge::PixPayment;
use ledger_core::money::Cents;
use ledger_core::terms::{Ladder, Policy, Review, Terms};

use super::counter::{decided_by, purchase};
use super::{Harness, created, instant, unlimited};
use crate::samples::{SOMEBODY, amount, as_cents, at};

fn laddered() -> Harness {
    let policy = Policy { ladder: Some(Ladder::default()), ..unlimited() };
    let mut harness = Harness::under(policy, instant());
    review(&mut harness, Review::Identified);
    harness
}

fn review(harness: &mut Harness, review: Review) {
    harness.fact(Fact::Charge(ChargeFact::PayerReviewed {
        payer: SOMEBODY,
        review,
        decided_by: decided_by(),
    }));
}

/// A deposit asked for by this document.
fn charge_request(payer: Token, cents: i64) -> ChargeRequest {
    ChargeRequest { payer, destination: Destination::Custody, ..purchase(Some("ana"), cents) }
}

fn held(harness: &Harness, op: OpId) -> Option<u16> {
    let known = harness.operation(op);
    known.charge().unwrap().order().unwrap().retention_hours
}

/// Tells whether a charge of so much is held, at once, or refused with what may still be held.
fn hours(harness: &mut Harness, cents: i64) -> Result<Option<u16>, i64> {
    match harness.request(charge_request(SOMEBODY, cents)) {
        Ok(outcome) => Ok(held(harness, created(outcome))),
        Err(Refusal::PayerLimit { allowance }) => Err(allowance.held.cents()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_late_payment_of_an_expired_charge_counts_when_it_is_reported() {
    let mut harness = laddered();
    let op = created(harness.request(charge_request(SOMEBODY, 15_000)).unwrap());
    let payment = harness.payment(15_000);
    harness.pass("2026-10-20T12:30:00Z");
    assert_eq!(harness.ledger.state.payer(&SOMEBODY).pending, Cents::ZERO);
    harness.fact(Fact::Charge(ChargeFact::PixReceived { charge: Some(op), payment }));
    assert_eq!(harness.ledger.state.payer(&SOMEBODY).amount_used(harness.now), as_cents(15_000));
    assert_eq!(
        harness.ledger.state.payer(&SOMEBODY).first_paid_at,
        Some(at("2026-10-20T12:30:01Z"))
    );
}

#[test]
fn a_charge_is_held_for_the_longer_of_ladder_and_custody() {
    let policy = Policy { ladder: Some(Ladder { hours: 48, ..Ladder::default() }), ..unlimited() };
    let terms = Terms { retention_above: Some(amount(6_000)), retention_hours: 24, ..instant() };
    let mut harness = Harness::under(policy, terms);
    review(&mut harness, Review::Identified);
    assert_eq!(hours(&mut harness, 6_000), Ok(None));
    assert_eq!(hours(&mut harness, 6_001), Ok(Some(24)));
    assert_eq!(hours(&mut harness, 20_000), Ok(Some(48)));
}

#[test]
fn what_expires_on_another_day_gives_nothing_to_that_day() {
    let terms = Terms { charged_daily: Some(amount(25_000)), ..instant() };
    let mut harness = Harness::under(unlimited(), terms);
    harness.pass("2026-10-21T02:50:00Z");
    harness.charge(Some("ana"), 20_000);
    harness.pass("2026-10-21T03:01:00Z");
    harness.charge(Some("ana"), 20_000);
    harness.pass("2026-10-21T03:06:00Z");
    assert!(matches!(harness.ask(Some("ana"), 5_001), Err(Refusal::DailyCeiling { .. })));
}

#[test]
fn what_is_paid_after_all_on_another_day_counts_on_its_own() {
    let terms = Terms { charged_daily: Some(amount(25_000)), ..instant() };
    let mut harness = Harness::under(unlimited(), terms);
    harness.pass("2026-10-21T02:50:00Z");
    let late = harness.charge(Some("ana"), 20_000);
    harness.pass("2026-10-21T03:01:00Z");
    harness.charge(Some("ana"), 20_000);
    harness.pass("2026-10-21T03:06:00Z");
    let paid_at = at("2026-10-21T02:55:00Z");
    let payment = PixPayment { e2e: "E-late".into(), amount: amount(20_000), paid_at };
    let seen = Fact::Charge(ChargeFact::PixSeen { charge: Some(late), payment });
    assert_eq!(harness.fact(seen), Outcome::Applied(None));
    assert!(harness.ask(Some("ana"), 5_000).is_ok());
}
