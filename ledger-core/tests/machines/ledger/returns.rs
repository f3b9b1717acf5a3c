//! What goes back to the payer of a purchase: rulings 27 and 28.

use ledger_core::accounting::{CoinAccount, Control};
use ledger_core::ledger::charge::Fact as ChargeFact;
use ledger_core::ledger::hold::Fact as HoldFact;
use ledger_core::ledger::{GiveUpTo, Outcome, Refusal};
use ledger_core::machine::charge;
use ledger_core::machine::delivery::DeliveryReport;
use ledger_core::machine::purchase::End;

use super::counter::partnered;
use super::{HOUSE, Harness};
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
fn the_house_bears_what_was_delivered_and_the_rest_reverses_fee_and_commission() {
    // Net 94.70, house 4.30, partner 1.00 (W08).
    assert_eq!(after(&[]), (0, 430, 100));
    assert_eq!(after(&[6_000]), (-6_000, 430, 100));
    assert_eq!(after(&[9_470]), (-9_470, 430, 100));
    assert_eq!(after(&[9_600]), (-9_470, 324, 76));
    assert_eq!(after(&[10_000]), (-9_470, 0, 0));
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
fn a_return_is_two_rows_of_the_house_and_one_of_the_commission() {
    // Rulings 19.
    let mut harness = Harness::trading(partnered());
    let op = harness.bought(10_000);
    harness.give_back(op, 9_600);
    harness.give_back(op, 400);
    let subaccount = HOUSE;
    let rows = (1..=harness.ledger.state.books.subaccount(subaccount).rows).map(|number| {
        let row =
            ledger_core::ledger::Archive::row(&harness.ledger.archive, subaccount, number).unwrap();
        format!("{:?} {:+}, {}", row.kind, row.value.cents(), row.balance_after.cents())
    });
    assert_eq!(
        rows.collect::<Vec<_>>(),
        [
            "Reversal -9600, -9600",
            "Reversal +130, -9470",
            "Reversal -400, -9870",
            "Reversal +400, -9470",
        ]
    );
    assert_eq!(
        harness.commission_rows(),
        "CommissionEarned +100, 100\nCommissionReversed -24, 76\nCommissionReversed -76, 0\n"
    );
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
fn commission_withdrawn_and_reversed_afterwards_is_owed() {
    // INV-23: below zero only after a reversal; accruals less withdrawals less reversals.
    let mut harness = Harness::trading(partnered());
    let op = harness.bought(10_000);
    super::created(harness.convert(super::counter::conversion(None, 100)).unwrap());
    assert_eq!(harness.commission(), 0);
    harness.give_back(op, 10_000);
    assert_eq!(harness.commission(), -100);
    assert_eq!(
        harness.commission_rows(),
        "CommissionEarned +100, 100\nCommissionWithdrawn -100, 0\nCommissionReversed -100, -100\n"
    );
}

#[test]
fn a_charge_is_refunded_when_the_whole_went_back() {
    // Rulings 27; rulings 2: more than was paid is set aside, its money a claim.
    let mut harness = Harness::trading(partnered());
    let op = harness.bought(10_000);
    harness.give_back(op, 9_999);
    assert!(!harness.purchase(op).is_refunded());
    harness.give_back(op, 1);
    assert!(harness.purchase(op).is_refunded());
    assert!(matches!(harness.give_back(op, 1), Outcome::SetAside(Some(_))));
    assert_eq!(harness.total(Control::ProviderClaim), 1);
}

#[test]
fn a_return_while_the_delivery_is_under_way_or_unknown_is_a_claim() {
    // Rulings 28: `sending` and `entregando` count as unknown.
    for report in [DeliveryReport::Begin, DeliveryReport::Accept, DeliveryReport::Lose] {
        let mut harness = Harness::trading(partnered());
        let op = harness.buy(10_000);
        harness.deliver(op, report);
        let aside = harness.give_back(op, 10_000);
        assert!(matches!(aside, Outcome::SetAside(Some(_))), "{aside:?}");
        assert_eq!(
            (harness.total(Control::ProviderClaim), harness.total(Control::PixInFlight)),
            (10_000, 530)
        );
        assert!(!harness.purchase(op).is_refunded());
        assert_eq!(
            harness.deliver(op, DeliveryReport::Confirm("0xa1".into())),
            Outcome::Applied(None)
        );
    }
}

#[test]
fn a_partial_return_before_delivery_stops_the_send_until_somebody_gives_up() {
    let mut harness = Harness::trading(partnered());
    let op = harness.buy(10_000);
    harness.deliver(op, DeliveryReport::Begin);
    harness.deliver(op, DeliveryReport::Fail);
    let asked = harness.instructions.len();
    harness.give_back(op, 4_000);
    assert_eq!(harness.purchase(op).end, Some(End::Halted));
    assert_eq!((harness.total(Control::PixInFlight), harness.total(Control::Fx)), (6_000, 0));
    assert_eq!(harness.coin(CoinAccount::DeliveryInFlight(op)), 0);
    assert_eq!(harness.deliver(op, DeliveryReport::Begin), Outcome::SetAside(None));
    assert_eq!(harness.instructions.len(), asked, "nothing more is asked");
    harness.give_up(op, GiveUpTo::Payer("D-rest".into()));
    assert_eq!((harness.total(Control::PixInFlight), harness.total(Control::ProviderPix)), (0, 0));
    assert!(harness.purchase(op).is_refunded());
    assert_eq!((harness.total(Control::PurchaseIncome), harness.commission()), (0, 0));
}

#[test]
fn the_whole_returned_before_delivery_ends_the_purchase() {
    // A1: also while it is under review or held at the provider.
    let mut harness = Harness::trading(partnered());
    let paid = harness.buy(10_000);
    harness.give_back(paid, 10_000);
    assert_eq!(harness.purchase(paid).end, Some(End::Returned));
    let seen = harness.order(None, 10_000);
    let payment = harness.payment(10_000);
    harness.fact(ledger_core::ledger::Fact::Charge(ChargeFact::PixSeen {
        charge: Some(seen),
        payment,
    }));
    harness.give_back(seen, 10_000);
    assert!(matches!(harness.operation(seen).charge(), Some(charge::State::Refunded(_))));
    assert_eq!((harness.total(Control::PixInFlight), harness.total(Control::ProviderPix)), (0, 0));
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
