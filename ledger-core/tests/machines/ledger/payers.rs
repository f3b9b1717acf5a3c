//! The payer ladder and daily ceilings through the ledger: W39 to W42; rulings 12; LIM-16.

use ledger_core::id::{KeyHash, OpId, Token};
use ledger_core::ledger::{ChargeRequest, Destination, Fact, Intent, Outcome, Refusal, Request};
use ledger_core::machine::charge::{PixPayment, State};
use ledger_core::money::Cents;
use ledger_core::terms::{Ladder, Policy, Review, Stage, Switch, Terms};

use super::counter::{decided_by, purchase};
use super::{Desk, created, instant, unlimited};
use crate::samples::{SOMEBODY, amount, as_cents, at};

fn laddered() -> Desk {
    let policy = Policy { ladder: Some(Ladder::default()), ..unlimited() };
    let mut desk = Desk::under(policy, instant());
    review(&mut desk, Review::Identified);
    desk
}

fn review(desk: &mut Desk, review: Review) {
    desk.fact(Fact::PayerReviewed { payer: SOMEBODY, review, decided_by: decided_by() });
}

/// A deposit asked for by this document.
fn asked(payer: Token, cents: i64) -> ChargeRequest {
    ChargeRequest { payer, destination: Destination::Custody, ..purchase(Some("ana"), cents) }
}

fn held(desk: &Desk, op: OpId) -> Option<u16> {
    let known = desk.operation(op);
    known.charge().unwrap().order().unwrap().retention_hours
}

/// Whether a charge of so much is held, at once, or refused with what may still be held.
fn hours(desk: &mut Desk, cents: i64) -> Result<Option<u16>, i64> {
    match desk.request(asked(SOMEBODY, cents)) {
        Ok(outcome) => Ok(held(desk, created(outcome))),
        Err(Refusal::PayerLimit { allowance }) => Err(allowance.held.cents()),
        other => panic!("{other:?}"),
    }
}

fn pay(desk: &mut Desk, cents: i64) -> OpId {
    let op = created(desk.request(asked(SOMEBODY, cents)).unwrap());
    desk.receive(op, cents);
    op
}

#[test]
fn the_band_is_instant_and_what_passes_it_is_held_whole_or_refused() {
    // W39.
    let mut desk = laddered();
    pay(&mut desk, 15_000);
    let strict = ChargeRequest { allow_hold: Switch::Off, ..asked(SOMEBODY, 5_001) };
    let answer = desk.request(strict);
    let Err(Refusal::HoldNotAllowed { allowance: Some(allowance) }) = answer else {
        panic!("{answer:?}")
    };
    assert_eq!((allowance.at_once, allowance.stage), (as_cents(5_000), Stage::FirstDay));
    assert_eq!(hours(&mut desk, 5_001), Ok(Some(24)));
    let mut desk = laddered();
    pay(&mut desk, 15_000);
    assert_eq!(hours(&mut desk, 5_000), Ok(None));
}

#[test]
fn a_pending_charge_counts_until_it_expires_or_fails() {
    // W40.
    let mut desk = laddered();
    let pending = created(desk.request(asked(SOMEBODY, 10_000)).unwrap());
    assert_eq!(hours(&mut desk, 10_001), Ok(Some(24)));
    desk.pass("2026-10-20T12:30:00Z");
    assert!(matches!(desk.operation(pending).charge(), Some(State::Expired(_))));
    assert_eq!(hours(&mut desk, 10_001), Ok(None));
    let mut desk = laddered();
    let pending = created(desk.request(asked(SOMEBODY, 10_000)).unwrap());
    desk.fact(Fact::ProviderCancelled { charge: Some(pending) });
    assert_eq!(hours(&mut desk, 10_001), Ok(None));
}

#[test]
fn the_top_of_the_ladder_is_inclusive_and_says_what_is_left() {
    // W41.
    let mut desk = laddered();
    pay(&mut desk, 580_000);
    assert_eq!(hours(&mut desk, 20_001), Err(20_000));
    assert_eq!(hours(&mut desk, 20_000), Ok(Some(24)));
    assert_eq!(hours(&mut desk, 1_000), Err(0));
}

#[test]
fn the_first_qr_of_a_stranger_is_capped_until_it_is_identified() {
    // W42, LIM-14.
    let stranger = Token([9; 16]);
    let mut desk = laddered();
    let answer = desk.request(asked(stranger, 20_001));
    let Err(Refusal::PayerLimit { allowance }) = answer else { panic!("{answer:?}") };
    assert_eq!(allowance.stage, Stage::FirstQr);
    assert!(desk.request(asked(stranger, 20_000)).is_ok());
    let (payer, review) = (Token([10; 16]), Review::Identified);
    desk.fact(Fact::PayerReviewed { payer, review, decided_by: decided_by() });
    let op = created(desk.request(asked(payer, 20_001)).unwrap());
    assert_eq!(held(&desk, op), Some(24));
}

#[test]
fn what_was_refunded_still_counts_in_its_window() {
    // Rulings 12.
    let mut desk = laddered();
    let paid = pay(&mut desk, 15_000);
    desk.give_back(paid, 15_000);
    assert!(matches!(desk.operation(paid).charge(), Some(State::Refunded(_))));
    assert_eq!(hours(&mut desk, 5_001), Ok(Some(24)));
}

#[test]
fn a_late_payment_of_an_expired_charge_counts_when_it_is_told() {
    let mut desk = laddered();
    let op = created(desk.request(asked(SOMEBODY, 15_000)).unwrap());
    let payment = desk.payment(15_000);
    desk.pass("2026-10-20T12:30:00Z");
    assert_eq!(desk.ledger.state.payer(&SOMEBODY).pending, Cents::ZERO);
    desk.fact(Fact::PixReceived { charge: Some(op), payment });
    assert_eq!(desk.ledger.state.payer(&SOMEBODY).used(desk.now), as_cents(15_000));
    assert_eq!(desk.ledger.state.payer(&SOMEBODY).first_paid_at, Some(at("2026-10-20T12:30:01Z")));
}

#[test]
fn the_window_rolls_for_a_day_and_is_the_day_of_brasilia_afterwards() {
    let mut desk = laddered();
    desk.now = at("2026-10-20T15:00:00Z");
    let first = created(desk.request(asked(SOMEBODY, 20_000)).unwrap());
    desk.receive(first, 20_000);
    let ends = at("2026-10-21T15:00:01Z");
    desk.now = at("2026-10-21T15:00:00.999999Z");
    assert_eq!(hours(&mut desk, 101), Ok(Some(24)));
    desk.now = ends;
    desk.pass("2026-10-21T16:00:00Z");
    assert_eq!(hours(&mut desk, 20_000), Ok(None));
}

#[test]
fn a_ladder_is_the_documents_and_not_the_accounts() {
    // P:PayerScope: across all accounts of one ledger.
    let mut desk = laddered();
    let (name, key) = ("fair".into(), KeyHash([2; 32]));
    desk.fact(Fact::AccountOpened { name, key, terms: Some(instant()) });
    pay(&mut desk, 15_000);
    let fair = ledger_core::id::AccountId(1);
    let asked = |cents| Intent::Request(fair, Request::Charge(asked(SOMEBODY, cents)));
    let Ok(Outcome::Created(op)) = desk.execute(asked(5_001)) else { panic!() };
    assert_eq!(held(&desk, op), Some(24));
}

#[test]
fn a_blocked_payer_pays_nothing() {
    let mut desk = laddered();
    review(&mut desk, Review::Blocked);
    assert_eq!(desk.request(asked(SOMEBODY, 1_000)), Err(Refusal::PayerBlocked));
    review(&mut desk, Review::Identified);
    assert!(desk.request(asked(SOMEBODY, 1_000)).is_ok());
}

#[test]
fn a_charge_is_held_for_the_longer_of_ladder_and_custody() {
    let policy = Policy { ladder: Some(Ladder { hours: 48, ..Ladder::default() }), ..unlimited() };
    let terms = Terms { retention_above: Some(amount(6_000)), retention_hours: 24, ..instant() };
    let mut desk = Desk::under(policy, terms);
    review(&mut desk, Review::Identified);
    assert_eq!(hours(&mut desk, 6_000), Ok(None));
    assert_eq!(hours(&mut desk, 6_001), Ok(Some(24)));
    assert_eq!(hours(&mut desk, 20_000), Ok(Some(48)));
}

#[test]
fn a_refused_charge_leaves_nothing_behind() {
    // INV-06.
    let mut desk = laddered();
    let before = desk.ledger.state.payer(&SOMEBODY);
    assert_eq!(hours(&mut desk, 600_000), Ok(Some(24)));
    let pending = desk.ledger.state.payer(&SOMEBODY);
    assert_eq!((before.pending, pending.pending), (Cents::ZERO, as_cents(600_000)));
    assert_eq!(hours(&mut desk, 101), Err(0));
    assert_eq!(desk.ledger.state.payer(&SOMEBODY), pending);
}

#[test]
fn a_daily_ceiling_counts_the_day_of_brasilia_and_is_inclusive() {
    // LIM-16: charges by the day of their creation.
    let terms = Terms { charged_daily: Some(amount(25_000)), ..instant() };
    let mut desk = Desk::under(unlimited(), terms);
    desk.pass("2026-10-21T02:00:00Z");
    let until = at("2026-10-21T03:00:00Z");
    desk.deposit(Some("ana"), 20_000);
    assert_eq!(desk.ask(Some("ana"), 5_001), Err(Refusal::DailyCeiling { until }));
    let pending = desk.charge(Some("ana"), 5_000);
    assert_eq!(desk.ask(Some("ana"), 500), Err(Refusal::DailyCeiling { until }));
    // What fails the same day is released.
    desk.fact(Fact::ProviderCancelled { charge: Some(pending) });
    assert!(desk.ask(Some("ana"), 5_000).is_ok());
    desk.now = until;
    assert!(desk.ask(Some("ana"), 25_000).is_ok());
}

#[test]
fn what_expires_on_another_day_gives_nothing_to_that_day() {
    let terms = Terms { charged_daily: Some(amount(25_000)), ..instant() };
    let mut desk = Desk::under(unlimited(), terms);
    desk.pass("2026-10-21T02:50:00Z");
    desk.charge(Some("ana"), 20_000);
    desk.pass("2026-10-21T03:01:00Z");
    desk.charge(Some("ana"), 20_000);
    desk.pass("2026-10-21T03:06:00Z");
    assert!(matches!(desk.ask(Some("ana"), 5_001), Err(Refusal::DailyCeiling { .. })));
}

#[test]
fn what_is_paid_after_all_on_another_day_counts_on_its_own() {
    let terms = Terms { charged_daily: Some(amount(25_000)), ..instant() };
    let mut desk = Desk::under(unlimited(), terms);
    desk.pass("2026-10-21T02:50:00Z");
    let late = desk.charge(Some("ana"), 20_000);
    desk.pass("2026-10-21T03:01:00Z");
    desk.charge(Some("ana"), 20_000);
    desk.pass("2026-10-21T03:06:00Z");
    let paid_at = at("2026-10-21T02:55:00Z");
    let payment = PixPayment { e2e: "E-late".into(), amount: amount(20_000), paid_at };
    let seen = Fact::PixSeen { charge: Some(late), payment };
    assert_eq!(desk.fact(seen), Outcome::Applied(None));
    assert!(desk.ask(Some("ana"), 5_000).is_ok());
}

#[test]
fn a_payout_ceiling_counts_payouts_and_gives_failed_ones_back() {
    let terms = Terms { paid_out_daily: Some(amount(10_000)), ..instant() };
    let mut desk = Desk::under(unlimited(), terms);
    desk.deposit(Some("ana"), 50_000);
    let first = created(desk.pay(Some("ana"), 6_000).unwrap());
    let until = at("2026-10-21T03:00:00Z");
    assert_eq!(desk.pay(Some("ana"), 4_001), Err(Refusal::DailyCeiling { until }));
    assert!(desk.pay(Some("ana"), 4_000).is_ok());
    desk.fact(Fact::PayoutRefused { payout: Some(first) });
    assert!(desk.pay(Some("ana"), 6_000).is_ok());
    assert_eq!(desk.pay(Some("ana"), 1), Err(Refusal::DailyCeiling { until }));
}
