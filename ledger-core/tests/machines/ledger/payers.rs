//! The payer ladder and daily ceilings through the ledger: W39 to W42; rulings 12; LIM-16.

use ledger_core::id::{KeyHash, OpId, Token};
use ledger_core::ledger::account::Fact as AccountFact;
use ledger_core::ledger::charge::Fact as ChargeFact;
use ledger_core::ledger::payout::Fact as PayoutFact;
use ledger_core::ledger::{ChargeRequest, Destination, Fact, Intent, Outcome, Refusal, Request};
use ledger_core::machine::charge::{PixPayment, State};
use ledger_core::money::Cents;
use ledger_core::terms::{Ladder, Policy, Review, Stage, Switch, Terms};

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

fn pay(harness: &mut Harness, cents: i64) -> OpId {
    let op = created(harness.request(charge_request(SOMEBODY, cents)).unwrap());
    harness.receive(op, cents);
    op
}

#[test]
fn the_band_is_instant_and_what_passes_it_is_held_whole_or_refused() {
    // W39.
    let mut harness = laddered();
    pay(&mut harness, 15_000);
    let strict = ChargeRequest { allow_hold: Switch::Off, ..charge_request(SOMEBODY, 5_001) };
    let answer = harness.request(strict);
    let Err(Refusal::HoldNotAllowed { allowance: Some(allowance) }) = answer else {
        panic!("{answer:?}")
    };
    assert_eq!((allowance.at_once, allowance.stage), (as_cents(5_000), Stage::FirstDay));
    assert_eq!(hours(&mut harness, 5_001), Ok(Some(24)));
    let mut harness = laddered();
    pay(&mut harness, 15_000);
    assert_eq!(hours(&mut harness, 5_000), Ok(None));
}

#[test]
fn a_pending_charge_counts_until_it_expires_or_fails() {
    // W40.
    let mut harness = laddered();
    let pending = created(harness.request(charge_request(SOMEBODY, 10_000)).unwrap());
    assert_eq!(hours(&mut harness, 10_001), Ok(Some(24)));
    harness.pass("2026-10-20T12:30:00Z");
    assert!(matches!(harness.operation(pending).charge(), Some(State::Expired(_))));
    assert_eq!(hours(&mut harness, 10_001), Ok(None));
    let mut harness = laddered();
    let pending = created(harness.request(charge_request(SOMEBODY, 10_000)).unwrap());
    harness.fact(Fact::Charge(ChargeFact::ProviderCancelled { charge: Some(pending) }));
    assert_eq!(hours(&mut harness, 10_001), Ok(None));
}

#[test]
fn the_top_of_the_ladder_is_inclusive_and_says_what_is_left() {
    // W41.
    let mut harness = laddered();
    pay(&mut harness, 580_000);
    assert_eq!(hours(&mut harness, 20_001), Err(20_000));
    assert_eq!(hours(&mut harness, 20_000), Ok(Some(24)));
    assert_eq!(hours(&mut harness, 1_000), Err(0));
}

#[test]
fn the_first_qr_of_a_stranger_is_capped_until_it_is_identified() {
    // W42, LIM-14.
    let stranger = Token([9; 16]);
    let mut harness = laddered();
    let answer = harness.request(charge_request(stranger, 20_001));
    let Err(Refusal::PayerLimit { allowance }) = answer else { panic!("{answer:?}") };
    assert_eq!(allowance.stage, Stage::FirstQr);
    assert!(harness.request(charge_request(stranger, 20_000)).is_ok());
    let (payer, review) = (Token([10; 16]), Review::Identified);
    harness.fact(Fact::Charge(ChargeFact::PayerReviewed {
        payer,
        review,
        decided_by: decided_by(),
    }));
    let op = created(harness.request(charge_request(payer, 20_001)).unwrap());
    assert_eq!(held(&harness, op), Some(24));
}

#[test]
fn what_was_refunded_still_counts_in_its_window() {
    // Rulings 12.
    let mut harness = laddered();
    let paid = pay(&mut harness, 15_000);
    harness.give_back(paid, 15_000);
    assert!(matches!(harness.operation(paid).charge(), Some(State::Refunded(_))));
    assert_eq!(hours(&mut harness, 5_001), Ok(Some(24)));
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
fn the_window_rolls_for_a_day_and_is_the_day_of_brasilia_afterwards() {
    let mut harness = laddered();
    harness.now = at("2026-10-20T15:00:00Z");
    let first = created(harness.request(charge_request(SOMEBODY, 20_000)).unwrap());
    harness.receive(first, 20_000);
    let ends = at("2026-10-21T15:00:01Z");
    harness.now = at("2026-10-21T15:00:00.999999Z");
    assert_eq!(hours(&mut harness, 101), Ok(Some(24)));
    harness.now = ends;
    harness.pass("2026-10-21T16:00:00Z");
    assert_eq!(hours(&mut harness, 20_000), Ok(None));
}

#[test]
fn a_ladder_is_the_documents_and_not_the_accounts() {
    // P:PayerScope: across all accounts of one ledger.
    let mut harness = laddered();
    let (name, key) = ("fair".into(), KeyHash([2; 32]));
    harness.fact(Fact::Account(AccountFact::Opened { name, key, terms: Some(instant()) }));
    pay(&mut harness, 15_000);
    let fair = ledger_core::id::AccountId(1);
    let asked = |cents| Intent::Request(fair, Request::Charge(charge_request(SOMEBODY, cents)));
    let Ok(Outcome::Created(op)) = harness.execute(asked(5_001)) else { panic!() };
    assert_eq!(held(&harness, op), Some(24));
}

#[test]
fn a_blocked_payer_pays_nothing() {
    let mut harness = laddered();
    review(&mut harness, Review::Blocked);
    assert_eq!(harness.request(charge_request(SOMEBODY, 1_000)), Err(Refusal::PayerBlocked));
    review(&mut harness, Review::Identified);
    assert!(harness.request(charge_request(SOMEBODY, 1_000)).is_ok());
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
fn a_refused_charge_leaves_nothing_behind() {
    // INV-06.
    let mut harness = laddered();
    let before = harness.ledger.state.payer(&SOMEBODY);
    assert_eq!(hours(&mut harness, 600_000), Ok(Some(24)));
    let pending = harness.ledger.state.payer(&SOMEBODY);
    assert_eq!((before.pending, pending.pending), (Cents::ZERO, as_cents(600_000)));
    assert_eq!(hours(&mut harness, 101), Err(0));
    assert_eq!(harness.ledger.state.payer(&SOMEBODY), pending);
}

#[test]
fn a_daily_ceiling_counts_the_day_of_brasilia_and_is_inclusive() {
    // LIM-16: charges by the day of their creation.
    let terms = Terms { charged_daily: Some(amount(25_000)), ..instant() };
    let mut harness = Harness::under(unlimited(), terms);
    harness.pass("2026-10-21T02:00:00Z");
    let until = at("2026-10-21T03:00:00Z");
    harness.deposit(Some("ana"), 20_000);
    assert_eq!(harness.ask(Some("ana"), 5_001), Err(Refusal::DailyCeiling { until }));
    let pending = harness.charge(Some("ana"), 5_000);
    assert_eq!(harness.ask(Some("ana"), 500), Err(Refusal::DailyCeiling { until }));
    // What fails the same day is released.
    harness.fact(Fact::Charge(ChargeFact::ProviderCancelled { charge: Some(pending) }));
    assert!(harness.ask(Some("ana"), 5_000).is_ok());
    harness.now = until;
    assert!(harness.ask(Some("ana"), 25_000).is_ok());
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

#[test]
fn a_payout_ceiling_counts_payouts_and_gives_failed_ones_back() {
    let terms = Terms { paid_out_daily: Some(amount(10_000)), ..instant() };
    let mut harness = Harness::under(unlimited(), terms);
    harness.deposit(Some("ana"), 50_000);
    let first = created(harness.pay(Some("ana"), 6_000).unwrap());
    let until = at("2026-10-21T03:00:00Z");
    assert_eq!(harness.pay(Some("ana"), 4_001), Err(Refusal::DailyCeiling { until }));
    assert!(harness.pay(Some("ana"), 4_000).is_ok());
    harness.fact(Fact::Payout(PayoutFact::Refused { payout: Some(first) }));
    assert!(harness.pay(Some("ana"), 6_000).is_ok());
    assert_eq!(harness.pay(Some("ana"), 1), Err(Refusal::DailyCeiling { until }));
}
