//! Returns to the payer of a purchase or a deposit: rulings 23, 27 and 28.

use ledger_core::accounting::Control;
use ledger_core::ledger::hold::Fact as HoldFact;
use ledger_core::ledger::{Outcome, Refusal};
use ledger_core::terms::{Release, Terms};

use super::counter::partnered;
use super::{HOUSE, Harness, instant};
use crate::samples::balance;

/// House, income, commission after these returns of a purchase of 100.00 that was delivered.
fn after(parts: &[i64]) -> (i64, i128, i64) {
    let mut harness = Harness::trading(partnered());
    let op = harness.bought(10_000);
    for part in parts {
        assert_eq!(harness.give_back(op, *part), Outcome::Applied(None));
    }
    assert_eq!(harness.total(Control::ProviderPix), i128::from(10_000 - parts.iter().sum::<i64>()));
    (harness.buckets(HOUSE)[0], harness.total(Control::PurchaseIncome), harness.commission())
}

#[test]
fn neither_the_order_nor_the_number_of_returns_matters_for_the_totals() {
    for parts in [
        &[10_000][..],
        &[9_600, 400],
        &[400, 9_600],
        &[1, 9_999],
        &[9_999, 1],
        &[5_000, 4_470, 265, 265],
        &[265, 5_000, 265, 4_470],
        &[9_470, 100, 100, 100, 100, 130],
    ] {
        assert_eq!(after(parts), (-9_470, 0, 0), "{parts:?}");
    }
    assert_eq!(after(&[9_000, 600]), after(&[600, 9_000]));
}

#[test]
fn the_house_owes_and_spends_nothing_until_it_is_cured() {
    // Rulings 24.
    let mut harness = Harness::trading(partnered());
    harness.deposit(None, 2_100);
    let op = harness.bought(10_000);
    harness.give_back(op, 5_000);
    assert_eq!(harness.buckets(HOUSE), [-3_000, 0, 0]);
    let available = balance(-3_000);
    assert_eq!(harness.pay(None, 1), Err(Refusal::FundsInsufficient { available }));
    harness.deposit(None, 3_101);
    assert_eq!(harness.buckets(HOUSE), [1, 0, 0]);
}

#[test]
fn a_return_takes_the_houses_block_for_it_first() {
    // Rulings 23 and 28.
    let mut harness = Harness::trading(partnered());
    harness.deposit(None, 20_100);
    let op = harness.bought(10_000);
    let placed = ledger_core::ledger::Fact::Hold(HoldFact::Placed {
        account: "shop".into(),
        customer: None,
        cause: Some(op),
        kind: ledger_core::machine::hold::Kind::Dispute,
        amount: crate::samples::amount(10_000),
        decided_by: super::counter::decided_by(),
    });
    super::created(harness.fact(placed));
    assert_eq!(harness.buckets(HOUSE), [10_000, 0, 10_000]);
    harness.give_back(op, 10_000);
    assert_eq!(harness.buckets(HOUSE), [10_530, 0, 0]);
}

#[test]
fn of_two_held_parts_the_later_release_goes_first() {
    let mut harness = Harness::open(Terms { release: Release::NextDay, ..instant() });
    let spent = harness.deposit(Some("ana"), 1_100);
    harness.pass("2026-10-21T03:00:00Z");
    let first = harness.deposit(Some("ana"), 1_100);
    let second = harness.deposit(Some("ana"), 1_100);
    assert!(harness.pay(Some("ana"), 900).is_ok());
    assert_eq!(harness.balances("ana"), [87, 2_000, 0]);
    // Same day: the later of the two is the later release.
    harness.give_back(spent, 400);
    let subaccount = harness.named("ana");
    let left: Vec<_> =
        harness.ledger.state.releases(subaccount).map(|(_, op, s)| (op, s.cents())).collect();
    assert_eq!(left, [(first, 1_000), (second, 600)]);
    assert_eq!(harness.balances("ana"), [87, 1_600, 0]);
}
