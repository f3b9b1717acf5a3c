//! Facts reported before the ones they presuppose: attempts before they begin, crypto before its
//! payment, a stopped payout at the provider, the PIX of a sale before its deposit (rulings 46).

use ledger_core::accounting::{CoinAccount, Control};
use ledger_core::id::OpId;
use ledger_core::ledger::payout::Fact as PayoutFact;
use ledger_core::ledger::purchase::Fact as PurchaseFact;
use ledger_core::ledger::{
    AttemptOutcome, CashOutRequest, EarlyReport, Event, Fact, Machine, Outcome, SaleReport, Topic,
};
use ledger_core::machine::cash_out::{Command, ReviewReason, Stage};
use ledger_core::machine::delivery::{self, DeliveryReport};
use ledger_core::machine::{payout, suspense};

use super::counter::{conversion, decided_by, partnered};
use super::sales::{W44, person, sale, usdt};
use super::{HOUSE, Harness, created, instant};
use crate::samples::{POLYGON, amount};

const ASIDE: Outcome = Outcome::SetAside(None);

fn waits(outcome: Outcome) -> OpId {
    match outcome {
        Outcome::SetAside(Some(op)) => op,
        other => panic!("{other:?} put nothing aside"),
    }
}

#[test]
fn an_attempt_lost_before_its_payment_was_reported_is_not_asked_for_again() {
    let mut harness = Harness::trading(instant());
    let op = harness.order(None, 10_000);
    assert_eq!(harness.deliver(op, DeliveryReport::Begin), ASIDE);
    assert_eq!(harness.attempt(op, Some(1), DeliveryReport::Lose), ASIDE);
    assert_eq!(harness.ledger.state.early_reports(op).len(), 2);
    harness.receive(op, 10_000);
    assert_eq!(harness.purchase(op).delivery, delivery::State::Unknown(1));
    assert_eq!(
        (harness.instruction_keys(op).len(), harness.ledger.state.early_reports(op).len()),
        (0, 0)
    );
    assert_eq!(harness.total(Control::PixInFlight), 430);
}

#[test]
fn an_attempt_that_failed_before_its_payment_was_reported_is_followed_by_the_second() {
    let mut harness = Harness::trading(instant());
    let op = harness.order(None, 10_000);
    assert_eq!(harness.deliver(op, DeliveryReport::Fail), ASIDE);
    harness.receive(op, 10_000);
    assert_eq!(harness.purchase(op).delivery, delivery::State::Retrying(1));
    assert_eq!(harness.instruction_keys(op), [":deliver:2"]);
}

#[test]
fn reports_of_attempts_to_come_are_booked_when_the_one_before_has_failed() {
    let mut harness = Harness::trading(instant());
    let bought = harness.buy(10_000);
    harness.deposit(Some("ana"), 10_000);
    let converted = created(harness.convert(conversion(Some("ana"), 5_000)).unwrap());
    for op in [bought, converted] {
        harness.deliver(op, DeliveryReport::Begin);
        assert_eq!(harness.attempt(op, Some(3), DeliveryReport::Lose), ASIDE);
        assert_eq!(harness.attempt(op, Some(2), DeliveryReport::Fail), ASIDE);
        assert_eq!(harness.attempt(op, Some(2), DeliveryReport::Begin), ASIDE);
        harness.deliver(op, DeliveryReport::Fail);
        let delivery = match harness.operation(op).machine {
            Machine::Conversion(state) => state.progress().unwrap().delivery.clone(),
            _ => harness.purchase(op).delivery,
        };
        assert_eq!(delivery, delivery::State::Unknown(3));
        assert_eq!(
            harness.instruction_keys(op),
            [":deliver:1"],
            "the third is under way, as was reported"
        );
        assert!(harness.ledger.state.early_reports(op).is_empty());
    }
}

#[test]
fn a_report_is_kept_of_what_may_still_begin_only() {
    let mut harness = Harness::trading(instant());
    let op = harness.bought(10_000);
    let outcome = AttemptOutcome::Begun;
    let report = |attempt| EarlyReport::Delivery { attempt, outcome };
    assert!(harness.replayed(Event::ReportKept { op, report: report(2) }).is_err());
    let op = harness.buy(10_000);
    assert!(harness.replayed(Event::ReportKept { op, report: report(0) }).is_err());
    assert!(harness.replayed(Event::ReportKept { op, report: report(1) }).is_ok());
    harness.give_back(op, 4_000);
    assert_eq!(harness.attempt(op, Some(1), DeliveryReport::Begin), ASIDE);
    assert!(harness.ledger.state.early_reports(op).is_empty(), "the first was asked for");
    assert_eq!(harness.attempt(op, Some(2), DeliveryReport::Begin), ASIDE);
    assert_eq!(harness.ledger.state.early_reports(op).len(), 1);
    // Given back whole, nothing of it may begin any more.
    harness.give_back(op, 6_000);
    assert!(harness.ledger.state.early_reports(op).is_empty());
}

#[test]
fn what_is_left_goes_on_with_the_attempt_that_was_reported() {
    let mut harness = Harness::trading(instant());
    let op = harness.buy(10_000);
    harness.give_back(op, 4_000);
    harness.attempt(op, Some(2), DeliveryReport::Begin);
    harness.fact(Fact::Purchase(PurchaseFact::DeliveryResumed {
        op: Some(op),
        decided_by: decided_by(),
    }));
    assert_eq!(harness.purchase(op).delivery, delivery::State::Sending(2));
    assert_eq!(harness.instruction_keys(op), [":deliver:1"]);
}

#[test]
fn crypto_reported_sent_before_its_payment_is_sent_once() {
    let mut harness = Harness::trading(partnered());
    let op = harness.order(None, 10_000);
    waits(harness.deliver(op, DeliveryReport::Confirm("0xa1".into())));
    let stock = CoinAccount::Treasury(POLYGON);
    assert_eq!(
        (harness.coin(stock), harness.coin(CoinAccount::ProviderClaim)),
        (17_437_037, -17_437_037)
    );
    harness.receive(op, 10_000);
    assert!(harness.purchase(op).delivery.sent_delivery().is_some());
    assert_eq!(
        (harness.instruction_keys(op).len(), harness.coin(CoinAccount::ProviderClaim)),
        (0, 0)
    );
    assert_eq!(harness.coin(stock), 17_437_037);
    assert_eq!((harness.total(Control::PurchaseIncome), harness.commission()), (430, 100));
    assert_eq!(harness.deliver(op, DeliveryReport::Confirm("0xa1".into())), Outcome::Known);
    assert_eq!(harness.topics(op), [Topic::ChargePaid, Topic::ChargeSettled]);
}

#[test]
fn crypto_and_a_return_reported_before_the_payment_are_a_return_after_delivery() {
    let mut harness = Harness::trading(partnered());
    let op = harness.order(None, 10_000);
    waits(harness.deliver(op, DeliveryReport::Confirm("0xa1".into())));
    waits(harness.give_back(op, 10_000));
    harness.receive(op, 10_000);
    assert!(
        harness.purchase(op).is_refunded()
            && harness.purchase(op).delivery.sent_delivery().is_some()
    );
    assert_eq!((harness.buckets(HOUSE)[0], harness.instruction_keys(op).len()), (-9_470, 0));
    assert_eq!(harness.total(Control::ProviderClaim), 0);
}

#[test]
fn a_stopped_payout_that_is_at_the_provider_is_not_sent_again() {
    for lost in [false, true] {
        let mut harness = Harness::open(instant());
        harness.deposit(Some("ana"), 10_000);
        let op = created(harness.pay(Some("ana"), 5_000).unwrap());
        assert_eq!(harness.instruction_keys(op).len(), 1);
        let judged = |cleared| {
            if cleared {
                Fact::Payout(PayoutFact::Cleared { payout: Some(op), decided_by: decided_by() })
            } else {
                Fact::Payout(PayoutFact::Stopped { payout: Some(op), decided_by: decided_by() })
            }
        };
        harness.fact(judged(false));
        assert_eq!(harness.fact(Fact::Payout(PayoutFact::Submitted { payout: Some(op) })), ASIDE);
        if lost {
            assert_eq!(harness.fact(Fact::Payout(PayoutFact::Unknown { payout: Some(op) })), ASIDE);
        }
        assert_eq!(harness.fact(judged(true)), Outcome::Applied(None));
        let Machine::Payout(state) = harness.operation(op).machine else { panic!("a payout") };
        if lost {
            assert!(matches!(state, payout::State::Uncertain(_)));
        } else {
            assert!(matches!(state, payout::State::Submitted(_)));
        }
        assert_eq!(harness.instruction_keys(op).len(), 1);
    }
}

impl Harness {
    fn reverse(&mut self, order: OpId, cents: i64) -> Outcome {
        self.reported += 1;
        let return_id = format!("D{}", self.reported).into();
        self.report(order, SaleReport::Reversed { return_id, amount: amount(cents) })
    }

    fn ended_by(&self, waiting: OpId) -> Option<OpId> {
        match self.operation(waiting).machine {
            Machine::Suspense(suspense::State::Attached(_, by)) => Some(by),
            _ => None,
        }
    }
}

#[test]
fn the_pix_of_a_sale_reported_paid_before_its_deposit_is_not_sent_again() {
    let mut harness = Harness::buying();
    let order = harness.sell(sale(10_000, person(1)));
    let claim = waits(harness.pay_sale(order, "E1"));
    assert_eq!(harness.total(Control::ProviderClaim), 10_000);
    harness.see(order, usdt(W44), "0xa1");
    harness.confirm(order, "0xa1");
    assert_eq!(
        (harness.stage(order), harness.instruction_keys(order).len()),
        (Stage::Completed, 0)
    );
    assert_eq!(harness.ended_by(claim), Some(order));
    let totals = [Control::ProviderClaim, Control::SaleInFlight].map(|it| harness.total(it));
    assert_eq!((totals, harness.total(Control::ProviderPay)), ([0, 0], -10_000));
    assert_eq!(harness.pay_sale(order, "E1"), Outcome::Known);
}

#[test]
fn a_pix_of_another_amount_than_a_sale_owes_stays_a_claim() {
    let mut harness = Harness::buying();
    let order = harness.sell(sale(10_000, person(1)));
    let claim = waits(harness.pay_sale(order, "E1"));
    harness.see(order, usdt(W44 * 2), "0xa1");
    harness.confirm(order, "0xa1");
    assert_eq!(
        (harness.stage(order), harness.ended_by(claim)),
        (Stage::Review(ReviewReason::Stopped), None)
    );
}

#[test]
fn the_pix_of_a_sale_that_came_back_before_it_was_reported_paid_is_refunded() {
    let mut harness = Harness::buying();
    let order = harness.funded_sale(person(1), "0xa1");
    let backs = [4_000, 6_000].map(|cents| waits(harness.reverse(order, cents)));
    assert_eq!(harness.total(Control::SuspensePix), 10_000);
    let more = waits(harness.reverse(order, 1));
    harness.pay_sale(order, "E1");
    assert!(backs.into_iter().all(|back| harness.ended_by(back) == Some(order)));
    assert_eq!((harness.ended_by(more), harness.total(Control::SuspensePix)), (None, 1));
    assert!(harness.order_of(order).refund.is_some());
    assert_eq!(harness.instruction_keys(order), [":send:1", ":refund:1"]);
}

#[test]
fn a_refund_asked_for_beside_a_sell_in_one_record_is_read_back_for_an_audit() {
    let mut harness = Harness::buying();
    let request = CashOutRequest { asset: "weth".into(), ..sale(10_000, person(1)) };
    let order = harness.sell(request);
    waits(harness.reverse(order, 4_000));
    waits(harness.pay_sale(order, "E1"));
    let coins = harness.order_of(order).order.coins;
    harness.see(order, coins, "0xa1");
    harness.confirm(order, "0xa1");
    assert_eq!(harness.instruction_keys(order), [":sell", ":refund:1"]);
    let (record, ledger) = (harness.records.last().unwrap(), &harness.ledger);
    assert_eq!(ledger.instructions(record).len(), 2);
}

#[test]
fn reais_without_an_id_are_no_return_of_a_sale() {
    let mut harness = Harness::buying();
    let order = harness.funded_sale(person(1), "0xa1");
    let arrived = SaleReport::Moved(Command::Arrive(amount(500)));
    let proceeds = waits(harness.report(order, arrived));
    harness.pay_sale(order, "E1");
    assert_eq!((harness.ended_by(proceeds), harness.total(Control::SuspensePix)), (None, 500));
    assert!(harness.order_of(order).refund.is_none());
}
