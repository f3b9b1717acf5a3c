//! Instructions are handed out while they stand, once, and from then on they may have been carried
//! out (rulings 70).

use ledger_core::id::OpId;
use ledger_core::ledger::payout::Fact as PayoutFact;
use ledger_core::ledger::purchase::Fact as PurchaseFact;
use ledger_core::ledger::{
    Event, Fact, GiveUpTo, InstructionKey, OperatorDecision, Outcome, SaleReport, SetAsideReason,
    Standing, TaskKind,
};
use ledger_core::machine::cash_out::{Command, Stage};
use ledger_core::machine::delivery::{self, DeliveryReport};
use ledger_core::machine::refund::RefundReport;

use super::counter::{conversion, decided_by, partnered};
use super::sales::person;
use super::{Harness, created, instant};

const APPLIED: Outcome = Outcome::Applied(None);
const ASIDE: Outcome = Outcome::SetAside(None);

fn by_word() -> OperatorDecision {
    OperatorDecision { evidence: None, ..decided_by() }
}

impl Harness {
    pub fn hand_out(&mut self, op: OpId, kind: TaskKind, attempt: u32) -> Outcome {
        self.fact(Fact::HandedOut(Some(InstructionKey { op, kind, attempt })))
    }

    pub fn standing(&self, op: OpId, kind: TaskKind, attempt: u32) -> Standing {
        let key = InstructionKey { op, kind, attempt };
        self.ledger.state.standing(&self.ledger.archive, key)
    }

    fn payout_of_ana(&mut self) -> OpId {
        self.deposit(Some("ana"), 10_000);
        created(self.pay(Some("ana"), 5_000).unwrap())
    }

    fn judge(&mut self, op: OpId, decided_by: OperatorDecision, stops: bool) -> Outcome {
        let payout = Some(op);
        self.fact(Fact::Payout(if stops {
            PayoutFact::Stopped { payout, decided_by }
        } else {
            PayoutFact::Evidence { payout, paid: None, decided_by }
        }))
    }

    pub fn says_why(&self) -> Option<SetAsideReason> {
        let last = self.records.last()?.events.iter();
        last.rev().find_map(|event| match event {
            Event::SetAside { reason, .. } => *reason,
            _ => None,
        })
    }
}

#[test]
fn an_instruction_is_handed_out_once_and_only_while_it_stands() {
    let mut harness = Harness::open(instant());
    let op = harness.payout_of_ana();
    assert_eq!(harness.standing(op, TaskKind::SendPix, 1), Standing::Due);
    assert_eq!(harness.hand_out(op, TaskKind::SendPix, 1), APPLIED);
    let events = &harness.records.last().unwrap().events;
    let handed = Event::HandedOut { op, kind: TaskKind::SendPix, attempt: 1 };
    assert_eq!(events, std::slice::from_ref(&handed));
    let records = harness.records.len();
    assert_eq!(harness.hand_out(op, TaskKind::SendPix, 1), Outcome::Known);
    assert_eq!(
        (harness.records.len(), harness.standing(op, TaskKind::SendPix, 1)),
        (records, Standing::HandedOut)
    );
    assert!(harness.replayed(handed).is_err(), "no journal says it twice");
    // It moves nothing that clients are shown.
    assert_eq!(harness.operation(op).updated_at, harness.operation(op).created_at);
    for wrong in [TaskKind::PaySale, TaskKind::Deliver, TaskKind::Sell, TaskKind::Refund] {
        assert_eq!(harness.hand_out(op, wrong, 1), ASIDE);
    }
    assert_eq!(harness.fact(Fact::HandedOut(None)), ASIDE);
    assert_eq!(harness.says_why(), Some(SetAsideReason::Unmatched));
}

#[test]
fn what_was_stopped_refused_or_found_not_paid_is_not_handed_out() {
    let refused = |op| Fact::Payout(PayoutFact::Refused { payout: Some(op) });
    let stopped =
        |payout| Fact::Payout(PayoutFact::Stopped { payout: Some(payout), decided_by: by_word() });
    let not_paid = |payout| {
        let payout = Some(payout);
        Fact::Payout(PayoutFact::Evidence { payout, paid: None, decided_by: by_word() })
    };
    for call_off in [refused, stopped, not_paid] as [fn(OpId) -> Fact; 3] {
        let mut harness = Harness::open(instant());
        let op = harness.payout_of_ana();
        assert_eq!(harness.fact(call_off(op)), APPLIED, "nobody was handed it");
        assert_eq!(harness.standing(op, TaskKind::SendPix, 1), Standing::Over);
        assert_eq!(harness.hand_out(op, TaskKind::SendPix, 1), ASIDE);
        assert_eq!(harness.says_why(), Some(SetAsideReason::OutOfTurn));
    }
}

#[test]
fn a_person_calls_off_what_was_handed_out_by_evidence_alone() {
    for stops in [true, false] {
        let mut harness = Harness::open(instant());
        let op = harness.payout_of_ana();
        harness.hand_out(op, TaskKind::SendPix, 1);
        assert_eq!(harness.judge(op, by_word(), stops), ASIDE);
        assert_eq!(harness.says_why(), Some(SetAsideReason::OutcomeUnknown));
        assert_eq!(harness.standing(op, TaskKind::SendPix, 1), Standing::HandedOut);
        assert_eq!(harness.judge(op, decided_by(), stops), APPLIED);
        assert_eq!(harness.standing(op, TaskKind::SendPix, 1), Standing::Over);
        assert!(!harness.ledger.state.has_handed_out(op));
    }
    // The provider's own definite answer is evidence.
    let mut harness = Harness::open(instant());
    let op = harness.payout_of_ana();
    harness.hand_out(op, TaskKind::SendPix, 1);
    assert_eq!(harness.fact(Fact::Payout(PayoutFact::Refused { payout: Some(op) })), APPLIED);
}

#[test]
fn what_is_at_the_provider_or_lost_is_found_not_paid_by_evidence_alone() {
    for lost in [false, true] {
        let mut harness = Harness::open(instant());
        let op = harness.payout_of_ana();
        let payout = Some(op);
        harness.fact(Fact::Payout(if lost {
            PayoutFact::Unknown { payout }
        } else {
            PayoutFact::Submitted { payout }
        }));
        assert_eq!(harness.standing(op, TaskKind::SendPix, 1), Standing::Over, "somebody has it");
        assert_eq!(harness.judge(op, by_word(), false), ASIDE);
        assert_eq!(harness.judge(op, decided_by(), false), APPLIED);
    }
}

#[test]
fn a_payout_that_goes_on_after_it_was_stopped_is_handed_out_anew() {
    let mut harness = Harness::open(instant());
    let op = harness.payout_of_ana();
    harness.hand_out(op, TaskKind::SendPix, 1);
    harness.judge(op, decided_by(), true);
    let cleared = PayoutFact::Cleared { payout: Some(op), decided_by: by_word() };
    assert_eq!(harness.fact(Fact::Payout(cleared)), APPLIED);
    assert_eq!(harness.standing(op, TaskKind::SendPix, 1), Standing::Due);
    assert_eq!(harness.hand_out(op, TaskKind::SendPix, 1), APPLIED);
    assert_eq!(harness.judge(op, by_word(), true), ASIDE);
}

#[test]
fn that_a_delivery_is_handed_out_is_that_its_attempt_begins() {
    let mut harness = Harness::trading(partnered());
    let bought = harness.buy(10_000);
    harness.deposit(Some("ana"), 10_000);
    let converted = created(harness.convert(conversion(Some("ana"), 5_000)).unwrap());
    for op in [bought, converted] {
        assert_eq!(harness.hand_out(op, TaskKind::Deliver, 2), ASIDE, "nobody asked for it yet");
        assert_eq!(harness.hand_out(op, TaskKind::Deliver, 1), APPLIED);
        let events = &harness.records.last().unwrap().events;
        assert_eq!(events[0].hands_out().map(|key| (key.op, key.attempt)), Some((op, 1)));
        assert!(!events.iter().any(|event| matches!(event, Event::HandedOut { .. })));
        assert_eq!(harness.hand_out(op, TaskKind::Deliver, 1), Outcome::Known);
        // The sender says so itself, too.
        assert_eq!(harness.attempt(op, Some(1), DeliveryReport::Begin), Outcome::Known);
        harness.deliver(op, DeliveryReport::Fail);
        assert_eq!(harness.standing(op, TaskKind::Deliver, 1), Standing::Over);
        assert_eq!(harness.hand_out(op, TaskKind::Deliver, 2), APPLIED);
    }
}

#[test]
fn an_attempt_to_deliver_is_found_not_sent_by_evidence_alone() {
    let mut harness = Harness::trading(partnered());
    let op = harness.buy(10_000);
    harness.hand_out(op, TaskKind::Deliver, 1);
    let found = |decided_by| {
        Fact::Purchase(PurchaseFact::DeliveryEvidence { op: Some(op), sent: None, decided_by })
    };
    let given_up = |decided_by| {
        let (op, to) = (Some(op), GiveUpTo::Custody);
        Fact::Purchase(PurchaseFact::DeliveryGivenUp { op, to, decided_by })
    };
    for lost in [false, true] {
        if lost {
            harness.deliver(op, DeliveryReport::Lose);
        }
        assert_eq!(harness.fact(found(by_word())), ASIDE);
        assert_eq!(harness.says_why(), Some(SetAsideReason::OutcomeUnknown));
        assert_eq!(
            harness.fact(given_up(decided_by())),
            ASIDE,
            "never from an unknown outcome (36)"
        );
    }
    assert_eq!(harness.fact(found(decided_by())), APPLIED);
    assert_eq!(harness.purchase(op).delivery, delivery::State::Retrying(1));
    assert_eq!(harness.fact(given_up(by_word())), APPLIED, "the next was not handed out");
    assert_eq!(harness.hand_out(op, TaskKind::Deliver, 2), ASIDE);
}

#[test]
fn a_purchase_whose_money_went_back_is_not_handed_out() {
    let mut harness = Harness::trading(partnered());
    let op = harness.buy(10_000);
    harness.give_back(op, 4_000);
    assert_eq!(harness.standing(op, TaskKind::Deliver, 1), Standing::Over);
    assert_eq!(harness.hand_out(op, TaskKind::Deliver, 1), ASIDE);
}

#[test]
fn the_pix_of_a_sale_is_handed_out_by_attempt() {
    let mut harness = Harness::buying();
    let order = harness.funded_sale(person(1), "0xa1");
    assert_eq!(harness.hand_out(order, TaskKind::PaySale, 1), APPLIED);
    assert_eq!(harness.hand_out(order, TaskKind::PaySale, 1), Outcome::Known);
    harness.report(order, SaleReport::Moved(Command::FailSend));
    assert_eq!(harness.standing(order, TaskKind::PaySale, 1), Standing::Over);
    assert_eq!(harness.hand_out(order, TaskKind::PaySale, 2), ASIDE, "it waits to be tried again");
    harness.pay_sale(order, "E1");
    assert_eq!(harness.stage(order), Stage::Completed);
    assert!(!harness.ledger.state.has_handed_out(order));
}

#[test]
fn a_send_that_failed_and_is_told_to_be_unknown_after_that_is_not_handed_out_again() {
    let mut harness = Harness::buying();
    let order = harness.funded_sale(person(1), "0xa1");
    let first = |harness: &Harness| harness.standing(order, TaskKind::PaySale, 1);
    assert_eq!(harness.hand_out(order, TaskKind::PaySale, 1), APPLIED);
    harness.report(order, SaleReport::Moved(Command::LosePayment));
    assert_eq!(first(&harness), Standing::HandedOut, "who has it is asked what came of it");
    harness.report(order, SaleReport::Moved(Command::FailSend));
    assert_eq!(first(&harness), Standing::Over);
    harness.report(order, SaleReport::Moved(Command::LosePayment));
    assert_eq!(harness.stage(order), Stage::Paying);
    assert_eq!(first(&harness), Standing::Over, "nobody begins what failed before");
    assert_eq!(harness.hand_out(order, TaskKind::PaySale, 1), ASIDE);
}

#[test]
fn an_old_attempt_of_a_refund_stands_no_more_once_another_follows() {
    let mut harness = Harness::buying();
    let order = harness.funded_sale(person(1), "0xa1");
    harness.report(order, SaleReport::Moved(Command::GiveUpPayment));
    assert_eq!(harness.standing(order, TaskKind::Refund, 1), Standing::Due);
    harness.report(order, SaleReport::Refund(RefundReport::Failed));
    assert_eq!(harness.standing(order, TaskKind::Refund, 1), Standing::Over);
    assert_eq!(harness.standing(order, TaskKind::Refund, 2), Standing::Due);
    assert_eq!(harness.standing(order, TaskKind::Refund, 3), Standing::Over, "nobody asked for it");
}

#[test]
fn a_refund_is_handed_out_by_attempt_until_nobody_knows_of_it() {
    let mut harness = Harness::buying();
    let order = harness.funded_sale(person(1), "0xa1");
    harness.report(order, SaleReport::Moved(Command::GiveUpPayment));
    assert_eq!(harness.instruction_keys(order).last().map(String::as_str), Some(":refund:1"));
    assert_eq!(harness.hand_out(order, TaskKind::Refund, 1), APPLIED);
    harness.report(order, SaleReport::Refund(RefundReport::Failed));
    assert_eq!(harness.hand_out(order, TaskKind::Refund, 1), ASIDE);
    assert_eq!(harness.hand_out(order, TaskKind::Refund, 2), APPLIED);
    harness.report(order, SaleReport::Refund(RefundReport::Lost));
    assert_eq!(harness.standing(order, TaskKind::Refund, 2), Standing::Over, "it is a person's");
}
