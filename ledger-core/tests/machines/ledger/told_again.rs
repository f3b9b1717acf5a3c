//! A fact with an id of its own that is known by what it says keeps that id for ever, whatever is
//! decided since (rulings 8).

use ledger_core::accounting::ProductClass;
use ledger_core::id::{KeyHash, OpId};
use ledger_core::ledger::account::Fact as AccountFact;
use ledger_core::ledger::hold::Fact as HoldFact;
use ledger_core::ledger::payout::Fact as PayoutFact;
use ledger_core::ledger::product::Fact as ProductFact;
use ledger_core::ledger::recovery::Fact as RecoveryFact;
use ledger_core::ledger::{Event, ExternalId, Fact, Intent, Outcome, Reported, Scope};
use ledger_core::machine::hold::Kind;

use super::counter::decided_by;
use super::entries::declared;
use super::templates::sale;
use super::{Harness, SHOP, created, instant};
use crate::samples::amount;

impl Harness {
    fn tell(&mut self, id: &str, fact: &Fact) -> Outcome {
        self.execute(Intent::Fact(Reported { id: Some(id.into()), fact: fact.clone() })).unwrap()
    }

    /// Tells a fact under two ids: the second is known, and a record keeps it and nothing else.
    fn tell_twice(&mut self, fact: &Fact) -> Outcome {
        let first = self.tell("first", fact);
        assert!(matches!(first, Outcome::Applied(_)), "{first:?}");
        let told = (self.notifications.len(), self.instructions.len());
        assert_eq!(self.tell("second", fact), Outcome::Known);
        let record = self.records.last().unwrap();
        assert_eq!(record.events, [Event::Repeated { fact: fact.kind(), about: fact.about() }]);
        assert_eq!(record.outside, Some(ExternalId { scope: Scope::Fact, id: "second".into() }));
        assert_eq!((self.notifications.len(), self.instructions.len()), told);
        first
    }

    /// Tells what undoes it; both ids are known after that, and leave no record.
    fn undo(&mut self, opposite: &Fact, fact: &Fact) {
        let undone = self.tell("undone", opposite);
        assert!(matches!(undone, Outcome::Applied(_)), "{undone:?}");
        self.assert_both_are_known(fact);
    }

    fn assert_both_are_known(&mut self, fact: &Fact) {
        let records = self.records.len();
        for id in ["second", "first", "second"] {
            assert_eq!(self.tell(id, fact), Outcome::Known, "{id}: {fact:?}");
        }
        assert_eq!(self.records.len(), records);
    }

    fn ana_withdraws(&mut self) -> OpId {
        created(self.pay(Some("ana"), 1_000).unwrap())
    }
}

/// Ana has 99.00.
fn funded() -> (Harness, OpId) {
    let mut harness = Harness::open(instant());
    let charge = harness.deposit(Some("ana"), 10_000);
    (harness, charge)
}

fn release(hold: OpId) -> Fact {
    Fact::Hold(HoldFact::Released { hold: Some(hold), amount: None, decided_by: decided_by() })
}

#[test]
fn rulings_8_a_revocation_told_again_never_revokes_the_next_key() {
    let (mut harness, _) = funded();
    let revoked = AccountFact::KeyRevoked { account: "shop".into(), decided_by: decided_by() };
    let revoked = Fact::Account(revoked);
    harness.tell_twice(&revoked);
    let key = KeyHash([9; 32]);
    let account = "shop".into();
    let replaced = AccountFact::KeyReplaced { account, key, decided_by: decided_by() };
    harness.undo(&Fact::Account(replaced), &revoked);
    assert_eq!(harness.ledger.state.account_of_key(&key), Some(SHOP));
}

#[test]
fn rulings_8_a_template_told_again_is_no_newer_version() {
    let (mut harness, _) = funded();
    let income = declared("taxas.venda", ProductClass::Income);
    harness.declare(income).unwrap();
    let adopted = |template| {
        let (template, decided_by) = (Box::new(template), decided_by());
        Fact::Product(ProductFact::TemplateAdopted { template, decided_by })
    };
    harness.tell_twice(&adopted(sale()));
    let mut dearer = sale();
    dearer.legs[1].amount = "up(valor * taxa / 10000)".into();
    harness.undo(&adopted(dearer), &adopted(sale()));
    let versions: Vec<_> = harness.ledger.state.templates().map(|(version, _)| version).collect();
    assert_eq!(versions, [1, 2]);
}

#[test]
fn rulings_8_a_stop_told_again_never_stops_a_payout_that_a_person_cleared() {
    let (mut harness, _) = funded();
    let payout = Some(harness.ana_withdraws());
    let stopped = Fact::Payout(PayoutFact::Stopped { payout, decided_by: decided_by() });
    let cleared = Fact::Payout(PayoutFact::Cleared { payout, decided_by: decided_by() });
    harness.tell_twice(&stopped);
    harness.undo(&cleared, &stopped);
}

#[test]
fn rulings_8_a_block_told_again_never_blocks_what_a_person_released() {
    let (mut harness, charge) = funded();
    let (recovery, cause) = (|| "rec-1".into(), Some(charge));
    let opened = RecoveryFact::Opened {
        recovery: recovery(),
        charge: cause,
        amount: amount(10_000),
        blocks_until: None,
        decides_until: None,
        decided_by: decided_by(),
    };
    assert_eq!(harness.fact(Fact::Recovery(opened)), Outcome::Applied(None));
    let blocked = Fact::Recovery(RecoveryFact::Blocked {
        recovery: recovery(),
        charge: cause,
        account: "shop".into(),
        customer: Some("ana".into()),
        decided_by: decided_by(),
    });
    let hold = created(harness.tell_twice(&blocked));
    harness.undo(&release(hold), &blocked);
    assert_eq!(harness.balances("ana"), [9_900, 0, 0]);
}

#[test]
fn rulings_8_the_id_of_a_known_fact_is_no_news_of_another_operation() {
    let reports: [fn(OpId) -> Fact; 3] = [
        |op| Fact::Payout(PayoutFact::Refused { payout: Some(op) }),
        |op| Fact::Payout(PayoutFact::Submitted { payout: Some(op) }),
        |op| Fact::Payout(PayoutFact::Unknown { payout: Some(op) }),
    ];
    for report in reports {
        let (mut harness, _) = funded();
        let [one, other] = [(); 2].map(|()| harness.ana_withdraws());
        harness.tell_twice(&report(one));
        harness.assert_both_are_known(&report(other));
    }
    let (mut harness, _) = funded();
    let [one, other] = [(); 2].map(|()| created(harness.block("ana", None, Kind::Judicial, 500)));
    harness.tell_twice(&release(one));
    harness.assert_both_are_known(&release(other));
    assert_eq!(harness.balances("ana"), [9_400, 0, 500]);
}

#[test]
fn a_pix_that_is_known_leaves_no_record() {
    let (mut harness, _) = funded();
    let payout = Some(harness.ana_withdraws());
    let paid = Fact::Payout(PayoutFact::Paid { payout, e2e: "E9".into(), amount: None });
    assert_eq!(harness.tell("first", &paid), Outcome::Applied(None));
    let records = harness.records.len();
    assert_eq!(harness.tell("second", &paid), Outcome::Known);
    assert_eq!(harness.records.len(), records);
}
