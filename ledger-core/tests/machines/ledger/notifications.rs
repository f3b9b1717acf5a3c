//! What clients are told and what the world is asked to do: once each, by the record that did it
//! (EVT-08, EVT-09, INV-35, INV-44).

use std::collections::BTreeSet;

use ledger_core::accounting::Control;
use ledger_core::ledger::{Fact, GiveUpTo, Outcome, Task, Topic};
use ledger_core::machine::delivery::DeliveryReport;
use ledger_core::terms::{Release, Terms};

use super::counter::{conversion, decided_by, partnered};
use super::{Desk, created, instant};
use crate::samples::{WALLET, amount};

use Topic::{
    ChargeDelayed, ChargeExpired, ChargeFailed, ChargeHeld, ChargePaid, ChargeRefunded,
    ChargeSettled, PayoutCompleted, PayoutCreated, PayoutFailed, PayoutProcessing, PayoutReturned,
    SettlementFailed,
};

#[test]
fn a_deposit_available_at_once_is_paid_and_settled_in_one_record() {
    let mut desk = Desk::open(instant());
    let op = desk.deposit(Some("ana"), 10_000);
    assert_eq!(desk.topics(op), [ChargePaid, ChargeSettled]);
    let places: Vec<_> = desk
        .notifications
        .iter()
        .map(|notification| (notification.seq, notification.index))
        .collect();
    assert_eq!(places[0].0, places[1].0);
    assert_eq!((places[0].1, places[1].1), (0, 1));
    desk.give_back(op, 4_000);
    assert_eq!(desk.topics(op).len(), 2, "the whole has not gone back");
    desk.give_back(op, 6_000);
    assert_eq!(desk.topics(op), [ChargePaid, ChargeSettled, ChargeRefunded]);
}

#[test]
fn a_deposit_held_by_us_says_so_and_settles_when_its_day_comes() {
    let mut desk = Desk::open(Terms { release: Release::NextDay, ..instant() });
    let op = desk.deposit(Some("ana"), 10_000);
    assert_eq!(desk.topics(op), [ChargeHeld, ChargePaid]);
    desk.pass("2026-10-21T03:00:00Z");
    assert_eq!(desk.topics(op), [ChargeHeld, ChargePaid, ChargeSettled]);
    let settled = desk.notifications.last().unwrap();
    assert_eq!(settled.at, crate::samples::at("2026-10-21T03:00:00Z"));
    desk.pass("2026-10-22T03:00:00Z");
    assert_eq!(desk.topics(op).len(), 3);
}

#[test]
fn a_deposit_held_at_the_provider_is_delayed_and_then_paid_and_settled() {
    let mut desk = Desk::open(Terms { retention_above: Some(amount(6_000)), ..instant() });
    let op = desk.deposit(Some("ana"), 10_000);
    assert_eq!(desk.topics(op), [ChargeDelayed]);
    let released = Fact::ProviderReleased { charge: Some(op), payment: None };
    desk.fact(released.clone());
    assert_eq!(desk.topics(op), [ChargeDelayed, ChargePaid, ChargeSettled]);
    assert_eq!(desk.fact(released), Outcome::Known);
    assert_eq!(desk.topics(op).len(), 3);
    let gone = desk.deposit(Some("ana"), 10_000);
    desk.give_back(gone, 9_999);
    assert_eq!(desk.topics(gone), [ChargeDelayed]);
    desk.give_back(gone, 1);
    assert_eq!(desk.topics(gone), [ChargeDelayed, ChargeRefunded]);
}

#[test]
fn a_charge_that_nobody_paid_expires_or_fails_once() {
    let mut desk = Desk::open(instant());
    let late = desk.charge(Some("ana"), 10_000);
    let gone = desk.charge(Some("ana"), 10_000);
    let cancelled = Fact::ProviderCancelled { charge: Some(gone) };
    desk.fact(cancelled.clone());
    desk.pass("2026-10-20T13:00:00Z");
    assert_eq!(desk.fact(cancelled.clone()), Outcome::Known);
    let of_late = Fact::ProviderCancelled { charge: Some(late) };
    assert_eq!(desk.fact(of_late), Outcome::Known);
    assert_eq!((desk.topics(late), desk.topics(gone)), (vec![ChargeExpired], vec![ChargeFailed]));
}

#[test]
fn a_purchase_tells_of_every_failed_send_and_settles_exactly_once() {
    // INV-35; each attempt is asked for under its own key.
    let mut desk = Desk::trading(partnered());
    let op = desk.order(None, 10_000);
    assert_eq!((desk.topics(op), desk.asked(op)), (vec![], vec![]));
    desk.receive(op, 10_000);
    assert_eq!(
        (desk.topics(op), desk.asked(op)),
        (vec![ChargePaid], vec![":deliver:1".to_owned()])
    );
    desk.deliver(op, DeliveryReport::Begin);
    desk.deliver(op, DeliveryReport::Accept);
    desk.deliver(op, DeliveryReport::Fail);
    assert_eq!(desk.topics(op), [ChargePaid, SettlementFailed]);
    assert_eq!(desk.asked(op), [":deliver:1", ":deliver:2"]);
    assert_eq!(desk.attempt(op, Some(1), DeliveryReport::Fail), Outcome::Known);
    desk.attempt(op, Some(2), DeliveryReport::Fail);
    assert_eq!(desk.topics(op), [ChargePaid, SettlementFailed, SettlementFailed]);
    assert_eq!(desk.asked(op), [":deliver:1", ":deliver:2", ":deliver:3"]);
    desk.deliver(op, DeliveryReport::Begin);
    desk.deliver(op, DeliveryReport::Lose);
    assert_eq!(desk.asked(op).len(), 3, "nothing is asked while the outcome is unknown");
    desk.deliver(op, DeliveryReport::Confirm("0xa1".into()));
    desk.deliver(op, DeliveryReport::Confirm("0xa1".into()));
    let again = desk.deliver(op, DeliveryReport::Confirm("0xb2".into()));
    assert!(matches!(again, Outcome::SetAside(Some(_))));
    let settled = desk.topics(op).into_iter().filter(|topic| *topic == ChargeSettled).count();
    assert_eq!(settled, 1);
    desk.give_back(op, 9_999);
    desk.give_back(op, 1);
    let refunded = desk.topics(op).into_iter().filter(|topic| *topic == ChargeRefunded).count();
    assert_eq!((refunded, desk.topics(op).len()), (1, 5));
    assert_eq!(desk.asked(op).len(), 3);
}

#[test]
fn the_instruction_says_what_to_deliver_and_where() {
    let mut desk = Desk::trading(partnered());
    let op = desk.buy(10_000);
    let terms = desk.purchase(op).terms().clone();
    let [asked] = &desk.instructions[..] else { panic!("{:?}", desk.instructions) };
    let Task::Deliver(delivery) = &asked.task else { panic!("{asked:?}") };
    assert_eq!((delivery.attempt, delivery.delivery_terms), (1, terms.delivery_terms));
    assert_eq!(delivery.target.address.as_deref(), Some(WALLET));
    assert_eq!((delivery.scale, &delivery.memo), (terms.scale, &None));
    assert_eq!(asked.key("live"), format!("{}:deliver:1", op.text("live")));
    assert_ne!(asked.key("live"), asked.key("sandbox"));
}

#[test]
fn a_purchase_given_up_is_refunded_only_where_the_money_goes_back() {
    let mut desk = Desk::trading(partnered());
    let kept = desk.buy(10_000);
    desk.give_up(kept, GiveUpTo::Custody);
    assert_eq!(desk.topics(kept), [ChargePaid]);
    desk.give_back(kept, 10_000);
    assert_eq!(desk.topics(kept), [ChargePaid, ChargeRefunded]);
    let back = desk.buy(10_000);
    desk.give_back(back, 4_000);
    assert_eq!(desk.topics(back), [ChargePaid]);
    desk.give_up(back, GiveUpTo::Payer("D-1".into()));
    assert_eq!(desk.topics(back), [ChargePaid, ChargeRefunded]);
    let again =
        Fact::PixReturned { charge: Some(back), return_id: "D-1".into(), amount: amount(6_000) };
    assert_eq!(desk.fact(again), Outcome::Known);
    assert_eq!(desk.topics(back).len(), 2);
}

#[test]
fn a_conversion_is_paid_when_it_is_debited_and_commission_tells_nothing() {
    // A3; P:CommissionEvents.
    let mut desk = Desk::trading(partnered());
    desk.deposit(Some("ana"), 40_100);
    let sent = created(desk.convert(conversion(Some("ana"), 20_000)).unwrap());
    desk.deliver(sent, DeliveryReport::Fail);
    desk.deliver(sent, DeliveryReport::Begin);
    desk.deliver(sent, DeliveryReport::Confirm("0xa1".into()));
    assert_eq!(desk.topics(sent), [ChargePaid, SettlementFailed, ChargeSettled]);
    assert_eq!(desk.asked(sent), [":deliver:1", ":deliver:2"]);
    let back = created(desk.convert(conversion(Some("ana"), 10_000)).unwrap());
    desk.give_up(back, GiveUpTo::Custody);
    assert_eq!(desk.topics(back), [ChargePaid, ChargeRefunded]);
    let withdrawn = created(desk.convert(conversion(None, 60)).unwrap());
    assert_eq!(desk.asked(withdrawn), [":deliver:1"]);
    desk.deliver(withdrawn, DeliveryReport::Confirm("0xc3".into()));
    assert_eq!((desk.topics(withdrawn), desk.total(Control::ConversionInFlight)), (vec![], 0));
}

#[test]
fn a_payout_tells_of_every_step_and_is_asked_for_until_it_is_stopped() {
    let mut desk = Desk::open(instant());
    desk.deposit(Some("ana"), 100_000);
    let payout = created(desk.pay(Some("ana"), 10_000).unwrap());
    assert_eq!(
        (desk.topics(payout), desk.asked(payout)),
        (vec![PayoutCreated], vec![":send".into()])
    );
    desk.fact(Fact::PayoutSubmitted { payout: Some(payout) });
    desk.fact(Fact::PayoutUnknown { payout: Some(payout) });
    let paid = Fact::PayoutPaid { payout: Some(payout), e2e: "E-1".into(), amount: None };
    desk.fact(paid.clone());
    desk.fact(paid);
    let back = |id: &str, cents| Fact::PayoutReturned {
        payout: Some(payout),
        return_id: id.into(),
        amount: amount(cents),
    };
    desk.fact(back("D-1", 4_000));
    desk.fact(back("D-1", 4_000));
    desk.fact(back("D-2", 6_000));
    let expected =
        [PayoutCreated, PayoutProcessing, PayoutCompleted, PayoutReturned, PayoutReturned];
    assert_eq!(desk.topics(payout), expected);
    assert_eq!(desk.asked(payout).len(), 1);
}

#[test]
fn a_payout_stopped_is_asked_for_again_once_it_is_cleared() {
    // Rulings 36.
    let mut desk = Desk::open(instant());
    desk.deposit(Some("ana"), 100_000);
    let payout = created(desk.pay(Some("ana"), 10_000).unwrap());
    let stopped = Fact::PayoutStopped { payout: Some(payout), decided_by: decided_by() };
    let cleared = Fact::PayoutCleared { payout: Some(payout), decided_by: decided_by() };
    assert_eq!(desk.fact(stopped.clone()), Outcome::Applied(None));
    assert_eq!(desk.fact(stopped.clone()), Outcome::Known);
    assert_eq!((desk.of("ana")[0], desk.total(Control::PayoutInFlight)), (89_750, 10_150));
    assert_eq!(desk.fact(cleared.clone()), Outcome::Applied(None));
    assert_eq!(desk.fact(cleared), Outcome::Known);
    // The same key for ever: whoever was asked before does it once.
    assert_eq!(
        (desk.topics(payout), desk.asked(payout)),
        (vec![PayoutCreated], vec![":send".into(); 2])
    );
    desk.fact(stopped.clone());
    desk.fact(Fact::PayoutRefused { payout: Some(payout) });
    assert_eq!(
        (desk.topics(payout), desk.of("ana")),
        (vec![PayoutCreated, PayoutFailed], [99_900, 0, 0])
    );
    let sent = created(desk.pay(Some("ana"), 10_000).unwrap());
    desk.fact(Fact::PayoutSubmitted { payout: Some(sent) });
    let late = Fact::PayoutStopped { payout: Some(sent), decided_by: decided_by() };
    assert_eq!(desk.fact(late), Outcome::SetAside(None));
}

#[test]
fn every_notice_has_a_place_of_its_own() {
    // P:EventOrder: the record, then the place within it.
    let mut desk = Desk::trading(partnered());
    desk.deposit(Some("ana"), 10_000);
    desk.bought(10_000);
    let payout = created(desk.pay(Some("ana"), 1_000).unwrap());
    desk.fact(Fact::PayoutRefused { payout: Some(payout) });
    let places: Vec<_> = desk
        .notifications
        .iter()
        .map(|notification| (notification.seq, notification.index))
        .collect();
    let distinct: BTreeSet<_> = places.iter().copied().collect();
    assert_eq!(distinct.len(), places.len());
    assert!(places.is_sorted());
    assert!(desk.notifications.iter().all(|notification| {
        desk.records
            .iter()
            .any(|record| record.seq == notification.seq && record.at == notification.at)
    }));
}
