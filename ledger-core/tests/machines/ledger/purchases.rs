//! Purchases from their issue to their delivery: W04, W08, W14, W16, W68, W70; rulings 36.

use ledger_core::accounting::Control;
use ledger_core::ledger::charge::Fact as ChargeFact;
use ledger_core::ledger::suspense::Fact as SuspenseFact;
use ledger_core::ledger::{Fact, GiveUpTo, Outcome};
use ledger_core::machine::charge;
use ledger_core::machine::delivery::DeliveryReport;

use super::counter::decided_by;
use super::{Harness, instant};
use crate::samples::amount;

#[test]
fn a_delivery_given_up_to_the_payer_goes_back_once() {
    // Rulings 36; the provider's own news of that return is known.
    let mut harness = Harness::trading(instant());
    let op = harness.buy(10_000);
    harness.deliver(op, DeliveryReport::Begin);
    harness.deliver(op, DeliveryReport::Fail);
    let to_payer = || GiveUpTo::Payer("D-1".into());
    assert_eq!(harness.give_up(op, to_payer()), Outcome::Applied(None));
    assert!(harness.purchase(op).is_refunded());
    let back = Fact::Charge(ChargeFact::PixReturned {
        charge: Some(op),
        return_id: "D-1".into(),
        amount: amount(10_000),
    });
    assert_eq!(harness.fact(back), Outcome::Known);
    assert_eq!((harness.total(Control::ProviderPix), harness.total(Control::Fx)), (0, 0));
    // One return is one return: it gives up no other purchase.
    let other = harness.buy(5_000);
    assert_eq!(harness.give_up(other, to_payer()), Outcome::SetAside(None));
}

#[test]
fn a_pix_of_another_amount_is_not_attached_to_a_purchase() {
    let mut harness = Harness::trading(instant());
    let op = harness.order(None, 10_000);
    let Outcome::SetAside(Some(suspense)) = harness.receive(op, 9_999) else { panic!() };
    let decided_by = decided_by();
    let attached = Fact::Suspense(SuspenseFact::Attached {
        suspense: Some(suspense),
        charge: Some(op),
        decided_by,
    });
    assert_eq!(harness.fact(attached), Outcome::SetAside(None));
    // The right one, late: the operator gives it.
    harness.pass("2026-10-20T13:00:00Z");
    let Outcome::SetAside(Some(suspense)) = harness.receive(op, 10_000) else { panic!() };
    let attached = Fact::Suspense(SuspenseFact::Attached {
        suspense: Some(suspense),
        charge: Some(op),
        decided_by,
    });
    assert_eq!(harness.fact(attached), Outcome::Applied(None));
    assert!(matches!(harness.operation(op).charge(), Some(charge::State::Bought(_))));
    assert_eq!(
        (harness.total(Control::PixInFlight), harness.total(Control::SuspensePix)),
        (10_000, 9_999)
    );
}
