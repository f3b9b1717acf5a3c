//! What goes back to the payer of a purchase: rulings 27 and 28.

use ledger_core::accounting::{CoinAccount, Control};
use ledger_core::ledger::{GiveUpTo, Outcome, Refusal};
use ledger_core::machine::charge;
use ledger_core::machine::delivery::DeliveryReport;
use ledger_core::machine::purchase::End;

use super::counter::partnered;
use super::{Desk, HOUSE};
use crate::samples::balance;

/// House, income, commission after these returns of a purchase of 100.00 that was delivered.
fn after(parts: &[i64]) -> (i64, i128, i64) {
    let mut desk = Desk::trading(partnered());
    let op = desk.bought(10_000);
    for part in parts {
        assert_eq!(desk.give_back(op, *part), Outcome::Applied(None));
    }
    assert_eq!(desk.total(Control::ProviderPix), i128::from(10_000 - parts.iter().sum::<i64>()));
    (desk.buckets(HOUSE)[0], desk.total(Control::PurchaseIncome), desk.commission())
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
    let mut desk = Desk::trading(partnered());
    let op = desk.bought(10_000);
    desk.give_back(op, 9_600);
    desk.give_back(op, 400);
    let subaccount = HOUSE;
    let rows = (1..=desk.ledger.state.books.subaccount(subaccount).rows).map(|number| {
        let row =
            ledger_core::ledger::Archive::row(&desk.ledger.archive, subaccount, number).unwrap();
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
        desk.commission_rows(),
        "CommissionEarned +100, 100\nCommissionReversed -24, 76\nCommissionReversed -76, 0\n"
    );
}

#[test]
fn the_house_owes_and_spends_nothing_until_it_is_cured() {
    // Rulings 24.
    let mut desk = Desk::trading(partnered());
    desk.deposit(None, 2_100);
    let op = desk.bought(10_000);
    desk.give_back(op, 5_000);
    assert_eq!(desk.buckets(HOUSE), [-3_000, 0, 0]);
    let available = balance(-3_000);
    assert_eq!(desk.pay(None, 1), Err(Refusal::FundsInsufficient { available }));
    desk.deposit(None, 3_101);
    assert_eq!(desk.buckets(HOUSE), [1, 0, 0]);
}

#[test]
fn commission_withdrawn_and_reversed_afterwards_is_owed() {
    // INV-23: below zero only after a reversal; accruals less withdrawals less reversals.
    let mut desk = Desk::trading(partnered());
    let op = desk.bought(10_000);
    super::created(desk.convert(super::counter::conversion(None, 100)).unwrap());
    assert_eq!(desk.commission(), 0);
    desk.give_back(op, 10_000);
    assert_eq!(desk.commission(), -100);
    assert_eq!(
        desk.commission_rows(),
        "CommissionEarned +100, 100\nCommissionWithdrawn -100, 0\nCommissionReversed -100, -100\n"
    );
}

#[test]
fn a_charge_is_refunded_when_the_whole_went_back() {
    // Rulings 27; rulings 2: more than was paid is set aside, its money a claim.
    let mut desk = Desk::trading(partnered());
    let op = desk.bought(10_000);
    desk.give_back(op, 9_999);
    assert!(!desk.purchase(op).is_refunded());
    desk.give_back(op, 1);
    assert!(desk.purchase(op).is_refunded());
    assert!(matches!(desk.give_back(op, 1), Outcome::SetAside(Some(_))));
    assert_eq!(desk.total(Control::ProviderClaim), 1);
}

#[test]
fn a_return_while_the_delivery_is_under_way_or_unknown_is_a_claim() {
    // Rulings 28: `sending` and `entregando` count as unknown.
    for report in [DeliveryReport::Begin, DeliveryReport::Accept, DeliveryReport::Lose] {
        let mut desk = Desk::trading(partnered());
        let op = desk.buy(10_000);
        desk.deliver(op, report);
        let aside = desk.give_back(op, 10_000);
        assert!(matches!(aside, Outcome::SetAside(Some(_))), "{aside:?}");
        assert_eq!(
            (desk.total(Control::ProviderClaim), desk.total(Control::PixInFlight)),
            (10_000, 530)
        );
        assert!(!desk.purchase(op).is_refunded());
        assert_eq!(
            desk.deliver(op, DeliveryReport::Confirm("0xa1".into())),
            Outcome::Applied(None)
        );
    }
}

#[test]
fn a_partial_return_before_delivery_stops_the_send_until_somebody_gives_up() {
    let mut desk = Desk::trading(partnered());
    let op = desk.buy(10_000);
    desk.deliver(op, DeliveryReport::Begin);
    desk.deliver(op, DeliveryReport::Fail);
    let asked = desk.instructions.len();
    desk.give_back(op, 4_000);
    assert_eq!(desk.purchase(op).end, Some(End::Halted));
    assert_eq!((desk.total(Control::PixInFlight), desk.total(Control::Fx)), (6_000, 0));
    assert_eq!(desk.coin(CoinAccount::DeliveryInFlight(op)), 0);
    assert_eq!(desk.deliver(op, DeliveryReport::Begin), Outcome::SetAside(None));
    assert_eq!(desk.instructions.len(), asked, "nothing more is asked");
    desk.give_up(op, GiveUpTo::Payer("D-rest".into()));
    assert_eq!((desk.total(Control::PixInFlight), desk.total(Control::ProviderPix)), (0, 0));
    assert!(desk.purchase(op).is_refunded());
    assert_eq!((desk.total(Control::PurchaseIncome), desk.commission()), (0, 0));
}

#[test]
fn the_whole_returned_before_delivery_ends_the_purchase() {
    // A1: also while it is under review or held at the provider.
    let mut desk = Desk::trading(partnered());
    let paid = desk.buy(10_000);
    desk.give_back(paid, 10_000);
    assert_eq!(desk.purchase(paid).end, Some(End::Returned));
    let seen = desk.order(None, 10_000);
    let payment = desk.payment(10_000);
    desk.fact(ledger_core::ledger::Fact::PixSeen { charge: Some(seen), payment });
    desk.give_back(seen, 10_000);
    assert!(matches!(desk.operation(seen).charge(), Some(charge::State::Refunded(_))));
    assert_eq!((desk.total(Control::PixInFlight), desk.total(Control::ProviderPix)), (0, 0));
}

#[test]
fn a_return_takes_the_houses_block_for_it_first() {
    // Rulings 23 and 28.
    let mut desk = Desk::trading(partnered());
    desk.deposit(None, 20_100);
    let op = desk.bought(10_000);
    let placed = ledger_core::ledger::Fact::HoldPlaced {
        account: "shop".into(),
        customer: None,
        cause: Some(op),
        kind: ledger_core::machine::hold::Kind::Dispute,
        amount: crate::samples::amount(10_000),
        decided_by: super::counter::decided_by(),
    };
    super::created(desk.fact(placed));
    assert_eq!(desk.buckets(HOUSE), [10_000, 0, 10_000]);
    desk.give_back(op, 10_000);
    assert_eq!(desk.buckets(HOUSE), [10_530, 0, 0]);
}
