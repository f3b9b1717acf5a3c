//! What clients are notified of and what the world is asked to do: once each, by the record that
//! did it (EVT-08, EVT-09, INV-35, INV-44).

use std::collections::BTreeSet;

use ledger_core::accounting::Control;
use ledger_core::ledger::charge::Fact as ChargeFact;
use ledger_core::ledger::payout::Fact as PayoutFact;
use ledger_core::ledger::{Fact, GiveUpTo, Outcome, Task, Topic};
use ledger_core::machine::delivery::DeliveryReport;
use ledger_core::terms::{Release, Terms};

use super::counter::{conversion, decided_by, partnered};
use super::{Harness, created, instant};
use crate::samples::{WALLET, amount};

use Topic::{
    ChargeDelayed, ChargeExpired, ChargeFailed, ChargeHeld, ChargePaid, ChargeRefunded,
    ChargeSettled, PayoutCompleted, PayoutCreated, PayoutFailed, PayoutProcessing, PayoutReturned,
    SettlementFailed,
};

#[test]
fn a_deposit_available_at_once_is_paid_and_settled_in_one_record() {
    let mut harness = Harness::open(instant());
    let op = harness.deposit(Some("ana"), 10_000);
    assert_eq!(harness.topics(op), [ChargePaid, ChargeSettled]);
    let places: Vec<_> = harness
        .notifications
        .iter()
        .map(|notification| (notification.seq, notification.index))
        .collect();
    assert_eq!(places[0].0, places[1].0);
    assert_eq!((places[0].1, places[1].1), (0, 1));
    harness.give_back(op, 4_000);
    assert_eq!(harness.topics(op).len(), 2, "the whole has not gone back");
    harness.give_back(op, 6_000);
    assert_eq!(harness.topics(op), [ChargePaid, ChargeSettled, ChargeRefunded]);
}

#[test]
fn a_deposit_held_by_us_says_so_and_settles_when_its_day_comes() {
    let mut harness = Harness::open(Terms { release: Release::NextDay, ..instant() });
    let op = harness.deposit(Some("ana"), 10_000);
    assert_eq!(harness.topics(op), [ChargeHeld, ChargePaid]);
    harness.pass("2026-10-21T03:00:00Z");
    assert_eq!(harness.topics(op), [ChargeHeld, ChargePaid, ChargeSettled]);
    let settled = harness.notifications.last().unwrap();
    assert_eq!(settled.at, crate::samples::at("2026-10-21T03:00:00Z"));
    harness.pass("2026-10-22T03:00:00Z");
    assert_eq!(harness.topics(op).len(), 3);
}

#[test]
fn a_deposit_held_at_the_provider_is_delayed_and_then_paid_and_settled() {
    let mut harness = Harness::open(Terms { retention_above: Some(amount(6_000)), ..instant() });
    let op = harness.deposit(Some("ana"), 10_000);
    assert_eq!(harness.topics(op), [ChargeDelayed]);
    let released = Fact::Charge(ChargeFact::ProviderReleased { charge: Some(op), payment: None });
    harness.fact(released.clone());
    assert_eq!(harness.topics(op), [ChargeDelayed, ChargePaid, ChargeSettled]);
    assert_eq!(harness.fact(released), Outcome::Known);
    assert_eq!(harness.topics(op).len(), 3);
    let gone = harness.deposit(Some("ana"), 10_000);
    harness.give_back(gone, 9_999);
    assert_eq!(harness.topics(gone), [ChargeDelayed]);
    harness.give_back(gone, 1);
    assert_eq!(harness.topics(gone), [ChargeDelayed, ChargeRefunded]);
}

#[test]
fn a_charge_that_nobody_paid_expires_or_fails_once() {
    let mut harness = Harness::open(instant());
    let late = harness.charge(Some("ana"), 10_000);
    let gone = harness.charge(Some("ana"), 10_000);
    let cancelled = Fact::Charge(ChargeFact::ProviderCancelled { charge: Some(gone) });
    harness.fact(cancelled.clone());
    harness.pass("2026-10-20T13:00:00Z");
    assert_eq!(harness.fact(cancelled.clone()), Outcome::Known);
    let of_late = Fact::Charge(ChargeFact::ProviderCancelled { charge: Some(late) });
    assert_eq!(harness.fact(of_late), Outcome::Known);
    assert_eq!(
        (harness.topics(late), harness.topics(gone)),
        (vec![ChargeExpired], vec![ChargeFailed])
    );
}

#[test]
fn a_purchase_tells_of_every_failed_send_and_settles_exactly_once() {
    // INV-35; each attempt is asked for under its own key.
    let mut harness = Harness::trading(partnered());
    let op = harness.order(None, 10_000);
    assert_eq!((harness.topics(op), harness.instruction_keys(op)), (vec![], vec![]));
    harness.receive(op, 10_000);
    assert_eq!(
        (harness.topics(op), harness.instruction_keys(op)),
        (vec![ChargePaid], vec![":deliver:1".to_owned()])
    );
    harness.deliver(op, DeliveryReport::Begin);
    harness.deliver(op, DeliveryReport::Accept);
    harness.deliver(op, DeliveryReport::Fail);
    assert_eq!(harness.topics(op), [ChargePaid, SettlementFailed]);
    assert_eq!(harness.instruction_keys(op), [":deliver:1", ":deliver:2"]);
    assert_eq!(harness.attempt(op, Some(1), DeliveryReport::Fail), Outcome::Known);
    harness.attempt(op, Some(2), DeliveryReport::Fail);
    assert_eq!(harness.topics(op), [ChargePaid, SettlementFailed, SettlementFailed]);
    assert_eq!(harness.instruction_keys(op), [":deliver:1", ":deliver:2", ":deliver:3"]);
    harness.deliver(op, DeliveryReport::Begin);
    harness.deliver(op, DeliveryReport::Lose);
    assert_eq!(
        harness.instruction_keys(op).len(),
        3,
        "nothing is asked while the outcome is unknown"
    );
    harness.deliver(op, DeliveryReport::Confirm("0xa1".into()));
    harness.deliver(op, DeliveryReport::Confirm("0xa1".into()));
    let again = harness.deliver(op, DeliveryReport::Confirm("0xb2".into()));
    assert!(matches!(again, Outcome::SetAside(Some(_))));
    let settled = harness.topics(op).into_iter().filter(|topic| *topic == ChargeSettled).count();
    assert_eq!(settled, 1);
    harness.give_back(op, 9_999);
    harness.give_back(op, 1);
    let refunded = harness.topics(op).into_iter().filter(|topic| *topic == ChargeRefunded).count();
    assert_eq!((refunded, harness.topics(op).len()), (1, 5));
    assert_eq!(harness.instruction_keys(op).len(), 3);
}

#[test]
fn the_instruction_says_what_to_deliver_and_where() {
    let mut harness = Harness::trading(partnered());
    let op = harness.buy(10_000);
    let terms = harness.purchase(op).terms().clone();
    let [asked] = &harness.instructions[..] else { panic!("{:?}", harness.instructions) };
    let Task::Deliver(delivery) = &asked.task else { panic!("{asked:?}") };
    assert_eq!((delivery.attempt, delivery.delivery_terms), (1, terms.delivery_terms));
    assert_eq!(delivery.target.address.as_deref(), Some(WALLET));
    assert_eq!((delivery.scale, &delivery.memo), (terms.scale, &None));
    assert_eq!(asked.key(&"live".into()), format!("{}:deliver:1", op.text(&"live".into())));
    assert_ne!(asked.key(&"live".into()), asked.key(&"sandbox".into()));
}

#[test]
fn a_purchase_given_up_is_refunded_only_where_the_money_goes_back() {
    let mut harness = Harness::trading(partnered());
    let kept = harness.buy(10_000);
    harness.give_up(kept, GiveUpTo::Custody);
    assert_eq!(harness.topics(kept), [ChargePaid]);
    harness.give_back(kept, 10_000);
    assert_eq!(harness.topics(kept), [ChargePaid, ChargeRefunded]);
    let back = harness.buy(10_000);
    harness.give_back(back, 4_000);
    assert_eq!(harness.topics(back), [ChargePaid]);
    harness.give_up(back, GiveUpTo::Payer("D-1".into()));
    assert_eq!(harness.topics(back), [ChargePaid, ChargeRefunded]);
    let again = Fact::Charge(ChargeFact::PixReturned {
        charge: Some(back),
        return_id: "D-1".into(),
        amount: amount(6_000),
    });
    assert_eq!(harness.fact(again), Outcome::Known);
    assert_eq!(harness.topics(back).len(), 2);
}

#[test]
fn a_conversion_is_paid_when_it_is_debited_and_commission_tells_nothing() {
    // A3; P:CommissionEvents.
    let mut harness = Harness::trading(partnered());
    harness.deposit(Some("ana"), 40_100);
    let sent = created(harness.convert(conversion(Some("ana"), 20_000)).unwrap());
    harness.deliver(sent, DeliveryReport::Fail);
    harness.deliver(sent, DeliveryReport::Begin);
    harness.deliver(sent, DeliveryReport::Confirm("0xa1".into()));
    assert_eq!(harness.topics(sent), [ChargePaid, SettlementFailed, ChargeSettled]);
    assert_eq!(harness.instruction_keys(sent), [":deliver:1", ":deliver:2"]);
    let back = created(harness.convert(conversion(Some("ana"), 10_000)).unwrap());
    harness.give_up(back, GiveUpTo::Custody);
    assert_eq!(harness.topics(back), [ChargePaid, ChargeRefunded]);
    let withdrawn = created(harness.convert(conversion(None, 60)).unwrap());
    assert_eq!(harness.instruction_keys(withdrawn), [":deliver:1"]);
    harness.deliver(withdrawn, DeliveryReport::Confirm("0xc3".into()));
    assert_eq!(
        (harness.topics(withdrawn), harness.total(Control::ConversionInFlight)),
        (vec![], 0)
    );
}

#[test]
fn a_payout_tells_of_every_step_and_is_asked_for_until_it_is_stopped() {
    let mut harness = Harness::open(instant());
    harness.deposit(Some("ana"), 100_000);
    let payout = created(harness.pay(Some("ana"), 10_000).unwrap());
    assert_eq!(
        (harness.topics(payout), harness.instruction_keys(payout)),
        (vec![PayoutCreated], vec![":send".into()])
    );
    harness.fact(Fact::Payout(PayoutFact::Submitted { payout: Some(payout) }));
    harness.fact(Fact::Payout(PayoutFact::Unknown { payout: Some(payout) }));
    let paid =
        Fact::Payout(PayoutFact::Paid { payout: Some(payout), e2e: "E-1".into(), amount: None });
    harness.fact(paid.clone());
    harness.fact(paid);
    let back = |id: &str, cents| {
        Fact::Payout(PayoutFact::Returned {
            payout: Some(payout),
            return_id: id.into(),
            amount: amount(cents),
        })
    };
    harness.fact(back("D-1", 4_000));
    harness.fact(back("D-1", 4_000));
    harness.fact(back("D-2", 6_000));
    let expected =
        [PayoutCreated, PayoutProcessing, PayoutCompleted, PayoutReturned, PayoutReturned];
    assert_eq!(harness.topics(payout), expected);
    assert_eq!(harness.instruction_keys(payout).len(), 1);
}

#[test]
fn a_payout_stopped_is_asked_for_again_once_it_is_cleared() {
    // Rulings 36.
    let mut harness = Harness::open(instant());
    harness.deposit(Some("ana"), 100_000);
    let payout = created(harness.pay(Some("ana"), 10_000).unwrap());
    let stopped =
        Fact::Payout(PayoutFact::Stopped { payout: Some(payout), decided_by: decided_by() });
    let cleared =
        Fact::Payout(PayoutFact::Cleared { payout: Some(payout), decided_by: decided_by() });
    assert_eq!(harness.fact(stopped.clone()), Outcome::Applied(None));
    assert_eq!(harness.fact(stopped.clone()), Outcome::Known);
    assert_eq!(
        (harness.balances("ana")[0], harness.total(Control::PayoutInFlight)),
        (89_750, 10_150)
    );
    assert_eq!(harness.fact(cleared.clone()), Outcome::Applied(None));
    assert_eq!(harness.fact(cleared), Outcome::Known);
    // The same key for ever: whoever was asked before does it once.
    assert_eq!(
        (harness.topics(payout), harness.instruction_keys(payout)),
        (vec![PayoutCreated], vec![":send".into(); 2])
    );
    harness.fact(stopped.clone());
    harness.fact(Fact::Payout(PayoutFact::Refused { payout: Some(payout) }));
    assert_eq!(
        (harness.topics(payout), harness.balances("ana")),
        (vec![PayoutCreated, PayoutFailed], [99_900, 0, 0])
    );
    let sent = created(harness.pay(Some("ana"), 10_000).unwrap());
    harness.fact(Fact::Payout(PayoutFact::Submitted { payout: Some(sent) }));
    let late = Fact::Payout(PayoutFact::Stopped { payout: Some(sent), decided_by: decided_by() });
    assert_eq!(harness.fact(late), Outcome::SetAside(None));
}

#[test]
fn every_notice_has_a_place_of_its_own() {
    // P:EventOrder: the record, then the place within it.
    let mut harness = Harness::trading(partnered());
    harness.deposit(Some("ana"), 10_000);
    harness.bought(10_000);
    let payout = created(harness.pay(Some("ana"), 1_000).unwrap());
    harness.fact(Fact::Payout(PayoutFact::Refused { payout: Some(payout) }));
    let places: Vec<_> = harness
        .notifications
        .iter()
        .map(|notification| (notification.seq, notification.index))
        .collect();
    let distinct: BTreeSet<_> = places.iter().copied().collect();
    assert_eq!(distinct.len(), places.len());
    assert!(places.is_sorted());
    assert!(harness.notifications.iter().all(|notification| {
        harness
            .records
            .iter()
            .any(|record| record.seq == notification.seq && record.at == notification.at)
    }));
}
