//! What clients are notified of and what the world is asked to do: once each, by the record that
//! did it (EVT-08, EVT-09, INV-35, INV-44).

use std::collections::BTreeSet;

use ledger_core::ledger::charge::Fact as ChargeFact;
use ledger_core::ledger::payout::Fact as PayoutFact;
use ledger_core::ledger::{Fact, GiveUpTo, Outcome, Topic};

use super::counter::partnered;
use super::{Harness, created};
use crate::samples::amount;

use Topic::{ChargePaid, ChargeRefunded};

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
