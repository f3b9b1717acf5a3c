//! Facts told before the ones they presuppose: attempts before they begin, crypto before its
//! payment, a stopped payout at the provider, the PIX of a sale before its deposit (rulings 46).

use ledger_core::accounting::{CoinAccount, Control};
use ledger_core::id::OpId;
use ledger_core::ledger::{
    AttemptOutcome, EarlyReport, Event, Fact, Machine, Outcome, SaleReport, Topic,
};
use ledger_core::machine::cash_out::{Command, Stage};
use ledger_core::machine::delivery::{self, DeliveryReport};
use ledger_core::machine::{payout, suspense};

use super::counter::{conversion, decided_by, partnered};
use super::sales::{W44, person, sale, usdt};
use super::{Desk, HOUSE, created, instant};
use crate::samples::{POLYGON, amount};

const ASIDE: Outcome = Outcome::SetAside(None);

fn waits(outcome: Outcome) -> OpId {
    match outcome {
        Outcome::SetAside(Some(op)) => op,
        other => panic!("{other:?} put nothing aside"),
    }
}

#[test]
fn an_attempt_lost_before_its_payment_was_told_is_not_asked_for_again() {
    let mut desk = Desk::trading(instant());
    let op = desk.order(None, 10_000);
    assert_eq!(desk.deliver(op, DeliveryReport::Begin), ASIDE);
    assert_eq!(desk.attempt(op, Some(1), DeliveryReport::Lose), ASIDE);
    assert_eq!(desk.ledger.state.early_reports(op).len(), 2);
    desk.receive(op, 10_000);
    assert_eq!(desk.purchase(op).delivery, delivery::State::Unknown(1));
    assert_eq!((desk.asked(op).len(), desk.ledger.state.early_reports(op).len()), (0, 0));
    assert_eq!(desk.total(Control::PixInFlight), 430);
}

#[test]
fn an_attempt_that_failed_before_its_payment_was_told_is_followed_by_the_second() {
    let mut desk = Desk::trading(instant());
    let op = desk.order(None, 10_000);
    assert_eq!(desk.deliver(op, DeliveryReport::Fail), ASIDE);
    desk.receive(op, 10_000);
    assert_eq!(desk.purchase(op).delivery, delivery::State::Retrying(1));
    assert_eq!(desk.asked(op), [":deliver:2"]);
}

#[test]
fn reports_of_attempts_to_come_are_booked_when_the_one_before_has_failed() {
    let mut desk = Desk::trading(instant());
    let bought = desk.buy(10_000);
    desk.deposit(Some("ana"), 10_000);
    let converted = created(desk.convert(conversion(Some("ana"), 5_000)).unwrap());
    for op in [bought, converted] {
        desk.deliver(op, DeliveryReport::Begin);
        assert_eq!(desk.attempt(op, Some(3), DeliveryReport::Lose), ASIDE);
        assert_eq!(desk.attempt(op, Some(2), DeliveryReport::Fail), ASIDE);
        assert_eq!(desk.attempt(op, Some(2), DeliveryReport::Begin), ASIDE);
        desk.deliver(op, DeliveryReport::Fail);
        let delivery = match desk.operation(op).machine {
            Machine::Conversion(state) => state.progress().unwrap().delivery.clone(),
            _ => desk.purchase(op).delivery,
        };
        assert_eq!(delivery, delivery::State::Unknown(3));
        assert_eq!(desk.asked(op), [":deliver:1"], "the third is under way, as was told");
        assert!(desk.ledger.state.early_reports(op).is_empty());
    }
}

#[test]
fn a_report_is_kept_of_what_may_still_begin_only() {
    let mut desk = Desk::trading(instant());
    let op = desk.bought(10_000);
    let outcome = AttemptOutcome::Begun;
    let report = |attempt| EarlyReport::Delivery { attempt, outcome };
    assert!(desk.replayed(Event::ReportKept { op, report: report(2) }).is_err());
    let op = desk.buy(10_000);
    assert!(desk.replayed(Event::ReportKept { op, report: report(0) }).is_err());
    assert!(desk.replayed(Event::ReportKept { op, report: report(1) }).is_ok());
    desk.give_back(op, 4_000);
    assert_eq!(desk.attempt(op, Some(1), DeliveryReport::Begin), ASIDE);
    assert!(desk.ledger.state.early_reports(op).is_empty(), "the first was asked for");
    assert_eq!(desk.attempt(op, Some(2), DeliveryReport::Begin), ASIDE);
    assert_eq!(desk.ledger.state.early_reports(op).len(), 1);
    // Given back whole, nothing of it may begin any more.
    desk.give_back(op, 6_000);
    assert!(desk.ledger.state.early_reports(op).is_empty());
}

#[test]
fn what_is_left_goes_on_with_the_attempt_that_was_reported() {
    let mut desk = Desk::trading(instant());
    let op = desk.buy(10_000);
    desk.give_back(op, 4_000);
    desk.attempt(op, Some(2), DeliveryReport::Begin);
    desk.fact(Fact::DeliveryResumed { op: Some(op), decided_by: decided_by() });
    assert_eq!(desk.purchase(op).delivery, delivery::State::Sending(2));
    assert_eq!(desk.asked(op), [":deliver:1"]);
}

#[test]
fn crypto_told_sent_before_its_payment_is_sent_once() {
    let mut desk = Desk::trading(partnered());
    let op = desk.order(None, 10_000);
    waits(desk.deliver(op, DeliveryReport::Confirm("0xa1".into())));
    let stock = CoinAccount::Treasury(POLYGON);
    assert_eq!(
        (desk.coin(stock), desk.coin(CoinAccount::ProviderClaim)),
        (17_437_037, -17_437_037)
    );
    desk.receive(op, 10_000);
    assert!(desk.purchase(op).delivery.sent().is_some());
    assert_eq!((desk.asked(op).len(), desk.coin(CoinAccount::ProviderClaim)), (0, 0));
    assert_eq!(desk.coin(stock), 17_437_037);
    assert_eq!((desk.total(Control::PurchaseIncome), desk.commission()), (430, 100));
    assert_eq!(desk.deliver(op, DeliveryReport::Confirm("0xa1".into())), Outcome::Known);
    assert_eq!(desk.topics(op), [Topic::ChargePaid, Topic::ChargeSettled]);
}

#[test]
fn crypto_told_sent_and_a_pix_told_returned_before_the_payment_are_a_return_after_delivery() {
    let mut desk = Desk::trading(partnered());
    let op = desk.order(None, 10_000);
    waits(desk.deliver(op, DeliveryReport::Confirm("0xa1".into())));
    waits(desk.give_back(op, 10_000));
    desk.receive(op, 10_000);
    assert!(desk.purchase(op).is_refunded() && desk.purchase(op).delivery.sent().is_some());
    assert_eq!((desk.buckets(HOUSE)[0], desk.asked(op).len()), (-9_470, 0));
    assert_eq!(desk.total(Control::ProviderClaim), 0);
}

#[test]
fn a_stopped_payout_that_is_at_the_provider_is_not_sent_again() {
    for lost in [false, true] {
        let mut desk = Desk::open(instant());
        desk.deposit(Some("ana"), 10_000);
        let op = created(desk.pay(Some("ana"), 5_000).unwrap());
        assert_eq!(desk.asked(op).len(), 1);
        let judged = |cleared| {
            if cleared {
                Fact::PayoutCleared { payout: Some(op), decided_by: decided_by() }
            } else {
                Fact::PayoutStopped { payout: Some(op), decided_by: decided_by() }
            }
        };
        desk.fact(judged(false));
        assert_eq!(desk.fact(Fact::PayoutSubmitted { payout: Some(op) }), ASIDE);
        if lost {
            assert_eq!(desk.fact(Fact::PayoutUnknown { payout: Some(op) }), ASIDE);
        }
        assert_eq!(desk.fact(judged(true)), Outcome::Applied(None));
        let Machine::Payout(state) = desk.operation(op).machine else { panic!("a payout") };
        if lost {
            assert!(matches!(state, payout::State::Uncertain(_)));
        } else {
            assert!(matches!(state, payout::State::Submitted(_)));
        }
        assert_eq!(desk.asked(op).len(), 1);
    }
}

impl Desk {
    fn reverse(&mut self, order: OpId, cents: i64) -> Outcome {
        self.told += 1;
        let return_id = format!("D{}", self.told).into();
        self.tell(order, SaleReport::Reversed { return_id, amount: amount(cents) })
    }

    fn ended_by(&self, waiting: OpId) -> Option<OpId> {
        match self.operation(waiting).machine {
            Machine::Suspense(suspense::State::Attached(_, by)) => Some(by),
            _ => None,
        }
    }
}

#[test]
fn the_pix_of_a_sale_told_paid_before_its_deposit_is_not_sent_again() {
    let mut desk = Desk::buying();
    let order = desk.sell(sale(10_000, person(1)));
    let claim = waits(desk.pay_sale(order, "E1"));
    assert_eq!(desk.total(Control::ProviderClaim), 10_000);
    desk.see(order, usdt(W44), "0xa1");
    desk.confirm(order, "0xa1");
    assert_eq!((desk.stage(order), desk.asked(order).len()), (Stage::Completed, 0));
    assert_eq!(desk.ended_by(claim), Some(order));
    let totals = [Control::ProviderClaim, Control::SaleInFlight].map(|it| desk.total(it));
    assert_eq!((totals, desk.total(Control::ProviderPay)), ([0, 0], -10_000));
    assert_eq!(desk.pay_sale(order, "E1"), Outcome::Known);
}

#[test]
fn a_pix_of_another_amount_than_a_sale_owes_stays_a_claim() {
    let mut desk = Desk::buying();
    let order = desk.sell(sale(10_000, person(1)));
    let claim = waits(desk.pay_sale(order, "E1"));
    desk.see(order, usdt(W44 * 2), "0xa1");
    desk.confirm(order, "0xa1");
    assert_eq!((desk.stage(order), desk.ended_by(claim)), (Stage::Paying, None));
}

#[test]
fn the_pix_of_a_sale_that_came_back_before_it_was_told_paid_is_refunded() {
    let mut desk = Desk::buying();
    let order = desk.funded_sale(person(1), "0xa1");
    let backs = [4_000, 6_000].map(|cents| waits(desk.reverse(order, cents)));
    assert_eq!(desk.total(Control::SuspensePix), 10_000);
    let more = waits(desk.reverse(order, 1));
    desk.pay_sale(order, "E1");
    assert!(backs.into_iter().all(|back| desk.ended_by(back) == Some(order)));
    assert_eq!((desk.ended_by(more), desk.total(Control::SuspensePix)), (None, 1));
    assert!(desk.order_of(order).refund.is_some());
    assert_eq!(desk.asked(order), [":send:1", ":refund:1"]);
}

#[test]
fn reais_without_an_id_are_no_return_of_a_sale() {
    let mut desk = Desk::buying();
    let order = desk.funded_sale(person(1), "0xa1");
    let arrived = SaleReport::Moved(Command::Arrive(amount(500)));
    let proceeds = waits(desk.tell(order, arrived));
    desk.pay_sale(order, "E1");
    assert_eq!((desk.ended_by(proceeds), desk.total(Control::SuspensePix)), (None, 500));
    assert!(desk.order_of(order).refund.is_none());
}
