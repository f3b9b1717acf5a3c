//! What the ledger admits to the centavo, and what it says of the next: bounds, balances, caps,
//! holds.

use ledger_core::ledger::{ChargeRequest, ConversionRequest, Destination, Refusal};
use ledger_core::terms::{Ladder, Policy, Rate, Switch, Tariff, Terms};

use super::client::{above, below, poor};
use super::counter::{conversion, partnered, purchase};

use super::{Harness, instant, unlimited};
use crate::samples::{amount, as_cents, bps};

#[test]
fn bounds_of_the_range_are_inclusive() {
    // Rulings 15.
    let terms = Terms { payout_least: amount(600), charge_most: amount(100_000_000), ..instant() };
    let mut harness = Harness::open(terms);
    harness.deposit(Some("ana"), 100_000_000);
    let mut asked = |cents| harness.pay(Some("ana"), cents);
    assert_eq!(asked(599), Err(below(600)));
    assert!(asked(600).is_ok());
    assert!(asked(25_000_000).is_ok());
    assert_eq!(asked(25_000_001), Err(above(25_000_000)));
}

#[test]
fn bounds_of_the_range_of_a_charge_are_inclusive() {
    // W02, W03, rulings 15: 1.01 leaves a centavo.
    let mut harness = Harness::open(instant());
    let mut asked = |cents| harness.ask(Some("ana"), cents);
    assert_eq!(asked(100), Err(below(101)));
    assert!(asked(101).is_ok());
    assert!(asked(600_000).is_ok());
    assert_eq!(asked(600_001), Err(above(600_000)));
}

#[test]
fn the_balance_covers_amount_and_all_fees() {
    // FEE-30, PAY-07: W24 debits 103.50.
    let payout_tariff = Tariff::Fixed(as_cents(100));
    let mut harness = Harness::open(Terms { payout_partner: bps(100), payout_tariff, ..instant() });
    let first = harness.deposit(Some("ana"), 10_449);
    assert_eq!(harness.pay(Some("ana"), 10_000), Err(poor(10_349)));
    harness.deposit(Some("ana"), 101);
    assert!(harness.pay(Some("ana"), 10_000).is_ok());
    assert_eq!(harness.pay(Some("ana"), 1), Err(poor(0)));
    // Rulings 24: what was spent before it was taken back.
    harness.give_back(first, 1);
    assert_eq!(harness.pay(Some("ana"), 1), Err(poor(-1)));
}

#[test]
fn the_balance_covers_amount_and_fees_of_a_conversion() {
    // W18, FEE-33: 103.80 with the partner's part.
    let mut harness = Harness::trading(partnered());
    harness.deposit(Some("ana"), 10_479);
    assert_eq!(harness.convert(conversion(Some("ana"), 10_000)), Err(poor(10_379)));
    harness.deposit(Some("ana"), 101);
    assert!(harness.convert(conversion(Some("ana"), 10_000)).is_ok());
    assert_eq!(harness.balances("ana"), [0, 0, 0]);
}

#[test]
fn a_cap_is_the_most_that_may_be_debited() {
    // W20, INV-18: inclusive; to have nothing is the first refusal.
    let mut harness = Harness::trading(partnered());
    harness.deposit(Some("ana"), 20_100);
    let capped = |name, cents| ConversionRequest {
        cap: Some(amount(cents)),
        ..conversion(Some(name), 10_000)
    };
    let debited = amount(10_380);
    for name in ["ana", "zoe"] {
        assert_eq!(harness.convert(capped(name, 10_379)), Err(Refusal::AboveCap { debited }));
    }
    assert_eq!(harness.convert(capped("zoe", 10_380)), Err(poor(0)));
    assert!(harness.convert(capped("ana", 10_380)).is_ok());
}

#[test]
fn the_whole_of_what_is_available_may_go_and_no_more() {
    // W35.
    let mut harness = Harness::open(instant());
    harness.deposit(Some("ana"), 2_424);
    let sent = |harness: &mut Harness| harness.transfer(Some("ana"), Some("bia"), 2_325);
    assert_eq!(sent(&mut harness), Err(poor(2_324)));
    harness.deposit(Some("ana"), 101);
    assert!(sent(&mut harness).is_ok());
    assert_eq!((harness.balances("ana"), harness.balances("bia")), ([0, 0, 0], [2_325, 0, 0]));
    assert_eq!(sent(&mut harness), Err(poor(0)));
}

#[test]
fn a_sum_of_amount_and_fees_beyond_counting_is_refused() {
    let payout_tariff = Tariff::Fixed(as_cents(i64::MAX));
    let mut harness = Harness::open(Terms { payout_tariff, ..instant() });
    harness.deposit(Some("ana"), 10_100);
    // Of one centavo the fees alone can still be counted, of more not even they.
    assert_eq!(harness.pay(Some("ana"), 1), Err(poor(10_000)));
    assert_eq!(harness.pay(Some("ana"), 10_000), Err(poor(10_000)));
    let conversion_fee = Rate { bps: bps(0), fixed: as_cents(i64::MAX) };
    let mut harness = Harness::trading(Terms { conversion: conversion_fee, ..instant() });
    harness.deposit(Some("ana"), 10_100);
    assert_eq!(harness.convert(conversion(Some("ana"), 10_000)), Err(poor(10_000)));
}

#[test]
fn a_charge_that_would_be_held_is_refused_where_holds_are_not_allowed() {
    // LIM-08; the limits come first (rulings 6).
    let strict = |cents| ChargeRequest {
        allow_hold: Switch::Off,
        destination: Destination::Custody,
        ..purchase(Some("ana"), cents)
    };
    let retained = Terms { retention_above: Some(amount(6_000)), ..instant() };
    for ladder in [None, Some(Ladder::default())] {
        // What the ladder lets pass at once, the account's own terms hold.
        let mut harness = Harness::under(Policy { ladder, ..unlimited() }, retained);
        let held = Err(Refusal::HoldNotAllowed { allowance: None });
        assert_eq!(harness.request(strict(6_001)), held);
        // Above the payer's whole day, the payer's limit is the one to name (rulings 74).
        match harness.request(strict(600_001)) {
            Err(Refusal::PayerLimit { .. }) => assert!(ladder.is_some()),
            refused => assert_eq!((refused, ladder), (Err(above(600_000)), None)),
        }
        assert!(harness.request(strict(6_000)).is_ok());
        let allowed = ChargeRequest { allow_hold: Switch::On, ..strict(6_001) };
        assert!(harness.request(allowed).is_ok());
    }
}
