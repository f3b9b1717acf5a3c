//! Sums that could not be counted are refused before they are booked (LED-08, COUNTABLE).

use ledger_core::coin::Units;
use ledger_core::id::{AssetId, ChainId, OpId};
use ledger_core::ledger::charge::Fact as ChargeFact;
use ledger_core::ledger::treasury::Fact as TreasuryFact;
use ledger_core::ledger::{Fact, Intent, Outcome, OwnCoins, Refusal, Reported, invariants};
use ledger_core::machine::charge::PixPayment;
use ledger_core::terms::{Rate, Tariff, Terms};

use super::client::poor;
use super::counter::conversion;
use super::{Harness, instant};
use crate::samples::{amount, as_cents, bps};

/// The largest sum of reais that is counted, in centavos: a quarter of what fits, so that no sum of
/// a few of them overflows.
const MOST: i64 = i64::MAX / 4;

fn rich(terms: Terms) -> Harness {
    Harness::open(Terms { charge_most: amount(MOST), ..terms })
}

/// A PIX of so much for a charge of it; nothing is left behind where it is refused.
fn received(harness: &mut Harness, customer: Option<&str>, cents: i64) -> Result<Outcome, Refusal> {
    let charge: OpId = harness.charge(customer, cents);
    harness.reported += 1;
    let e2e = format!("E{}", harness.reported).into();
    let payment = PixPayment { e2e, amount: amount(cents), paid_at: harness.now };
    let fact = Fact::Charge(ChargeFact::PixReceived { charge: Some(charge), payment });
    let records = harness.records.len();
    let answer = harness.execute(Intent::Fact(Reported { id: None, fact }));
    if answer.is_err() {
        assert_eq!(harness.records.len(), records);
    }
    invariants::check_all(&harness.ledger.state, &harness.ledger.archive).unwrap();
    answer
}

#[test]
fn a_subaccount_holds_what_can_be_counted_and_no_centavo_more() {
    for (cents, passes) in [(10_100, true), (10_101, false)] {
        let mut harness = rich(instant());
        assert_eq!(received(&mut harness, Some("ana"), MOST - 10_000), Ok(Outcome::Applied(None)));
        assert_eq!(harness.balances("ana")[0], MOST - 10_100, "less a fee of 1.00");
        let answer = received(&mut harness, Some("ana"), cents);
        let expected = if passes { Ok(Outcome::Applied(None)) } else { Err(Refusal::Uncountable) };
        assert_eq!(answer, expected, "{cents}");
        // Another's is another sum.
        assert!(received(&mut harness, Some("bia"), 10_101).is_ok());
    }
}

#[test]
fn what_is_in_flight_for_everybody_is_one_sum() {
    let mut harness = rich(Terms::latest());
    assert!(received(&mut harness, Some("ana"), MOST / 2).is_ok());
    assert_eq!(received(&mut harness, Some("bia"), MOST / 2 + 2), Err(Refusal::Uncountable));
    assert!(received(&mut harness, Some("bia"), MOST / 2).is_ok());
}

#[test]
fn crypto_is_counted_as_far_as_its_sums_can_be() {
    let mut harness = Harness::trading(instant());
    let (most, largest) = (u128::try_from(i128::MAX / 4).unwrap(), 10_u128.pow(36));
    let mut moved = |number| {
        let (from, to) = (OwnCoins::Funding, OwnCoins::Treasury(ChainId(0)));
        let units = Units::new(number).unwrap();
        let fact = Fact::Treasury(TreasuryFact::CoinsMoved { asset: AssetId(0), from, to, units });
        harness.execute(Intent::Fact(Reported { id: None, fact }))
    };
    for _ in 0..most / largest {
        assert_eq!(moved(largest), Ok(Outcome::Applied(None)));
    }
    assert_eq!(moved(most % largest + 1), Err(Refusal::Uncountable));
    assert_eq!(moved(most % largest), Ok(Outcome::Applied(None)));
    assert_eq!(moved(1), Err(Refusal::Uncountable));
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
