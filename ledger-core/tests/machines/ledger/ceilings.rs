//! Ceilings bind what is paid, not only what was asked: an agent's mandate is judged again in every
//! decision that lets a PIX go (rulings 44, INV-42).

use ledger_core::id::{AccountId, OpId};
use ledger_core::ledger::account::Fact as AccountFact;
use ledger_core::ledger::payout::Fact as PayoutFact;
use ledger_core::ledger::{
    AgentRequest, CashOutRequest, Fact, Intent, Outcome, Refusal, Request, SaleReport,
};
use ledger_core::machine::cash_out::{Command, ReviewReason, Stage};
use ledger_core::money::Cents;
use ledger_core::terms::Mandate;

use super::counter::decided_by;
use super::sales::{person, sale, selling, usdt};
use super::{Harness, created};
use crate::samples::{SOMEBODY, as_cents, at};

fn bounded(per_operation: Option<i64>, daily: Option<i64>) -> Mandate {
    Mandate::new(per_operation.map(as_cents), daily.map(as_cents), Vec::new())
}

impl Harness {
    /// An agent that sells under this mandate.
    fn seller(mandate: Mandate) -> (Self, AccountId) {
        let mut harness = Self::buying();
        let account = harness.come(1, None, mandate);
        harness.fact(Fact::Account(AccountFact::TermsAdopted {
            account: "ag-1".into(),
            from: None,
            terms: selling(),
        }));
        (harness, account)
    }

    fn binds(&mut self, account: AccountId, mandate: Mandate) {
        let asked = Request::Agent(AgentRequest::Mandate(Box::new(mandate)));
        assert_eq!(self.execute(Intent::Request(account, asked)), Ok(Outcome::Done));
    }

    fn quoted(&mut self, account: AccountId, request: CashOutRequest) -> OpId {
        created(self.ask_to_sell_as(account, request).unwrap())
    }

    fn accepted(&mut self, account: AccountId, request: CashOutRequest) -> OpId {
        let order = self.quoted(account, request);
        assert_eq!(self.accept_as(account, order), Ok(Outcome::Done));
        order
    }

    /// So many times what was quoted arrives, and is confirmed.
    fn funds(&mut self, order: OpId, times: u128) -> Stage {
        let coins = self.order_of(order).order.coins;
        let coins = ledger_core::machine::refund::Coins {
            units: crate::samples::units(coins.units.get() * times),
            ..coins
        };
        let hash = format!("0x{order:?}");
        self.see(order, coins, &hash);
        self.confirm(order, &hash);
        self.stage(order)
    }

    fn moved(&mut self, order: OpId, command: Command) -> Outcome {
        self.report(order, SaleReport::Moved(command))
    }
}

#[test]
fn no_over_deposit_takes_an_agent_past_what_is_left_of_its_day() {
    let (mut harness, account) = Harness::seller(bounded(None, Some(50_000)));
    harness.settle(account, 20_000);
    let order = harness.accepted(account, sale(10_000, person(1)));
    assert_eq!(harness.ledger.state.sent_on(account, harness.now), as_cents(30_000));
    // 320.88 of the 300.00 that are left.
    assert_eq!(harness.funds(order, 3), Stage::Review(ReviewReason::MandateDay));
    assert_eq!(harness.ledger.state.sent_on(account, harness.now), as_cents(30_000));
    let other = harness.accepted(account, sale(10_000, person(1)));
    assert!(matches!(harness.funds(other, 1), Stage::Paying), "what was counted already fits");
}

#[test]
fn an_order_counts_for_its_mandate_on_the_day_of_its_acceptance() {
    let (mut harness, account) = Harness::seller(bounded(None, Some(10_000)));
    harness.now = at("2026-10-21T02:59:50Z");
    let first = harness.quoted(account, sale(10_000, person(1)));
    harness.now = at("2026-10-21T03:00:00Z");
    // Another fills the new day, on which the first would be accepted.
    let second = harness.accepted(account, sale(10_000, person(1)));
    let refused = harness.accept_as(account, first);
    assert!(matches!(refused, Err(Refusal::MandateExceeded { most: Cents::ZERO, until: Some(_) })));
    assert_eq!(harness.moved(second, Command::Cancel), Outcome::Applied(None));
    assert_eq!(harness.accept_as(account, first), Ok(Outcome::Done));
    assert_eq!(harness.ledger.state.sent_on(account, harness.now), as_cents(10_000));
    // On the day after that its deposit still counts on the day of acceptance.
    harness.pass("2026-10-22T12:00:00Z");
    let third = harness.accepted(account, sale(10_000, person(1)));
    assert_eq!(harness.funds(first, 1), Stage::Paying);
    assert_eq!(harness.funds(third, 1), Stage::Paying);
}

#[test]
fn a_send_that_failed_is_not_tried_again_against_the_mandate() {
    let (mut harness, account) = Harness::seller(bounded(None, None));
    let order = harness.accepted(account, sale(10_000, person(1)));
    assert_eq!(harness.funds(order, 1), Stage::Paying);
    assert_eq!(harness.moved(order, Command::FailSend), Outcome::Applied(None));
    harness.binds(account, bounded(Some(9_999), None));
    harness.pass("2026-10-20T12:10:00Z");
    assert_eq!(harness.stage(order), Stage::Review(ReviewReason::MandateOperation));
    assert_eq!(harness.instruction_keys(order), [":send:1"], "nothing more is asked");
    assert_eq!(harness.clear(order), Outcome::SetAside(None));
    harness.binds(account, bounded(Some(10_000), None));
    assert_eq!(harness.clear(order), Outcome::Applied(None));
    assert_eq!((harness.stage(order), harness.instruction_keys(order).len()), (Stage::Paying, 2));
    // What the world says of the first try counts, whatever waits.
    assert_eq!(harness.pay_sale(order, "E1"), Outcome::Applied(None));
}

#[test]
fn what_a_ceiling_keeps_from_being_tried_again_is_refunded_whole() {
    let (mut harness, account) = Harness::seller(bounded(None, None));
    let order = harness.accepted(account, sale(10_000, person(1)));
    harness.funds(order, 1);
    harness.moved(order, Command::FailSend);
    harness.binds(account, bounded(Some(0), None));
    harness.pass("2026-10-20T12:10:00Z");
    let decided_by = Some(decided_by());
    let refunds = SaleReport::RefundDecided { to: None, decided_by };
    assert_eq!(harness.report(order, refunds), Outcome::Applied(None));
    assert_eq!(harness.refund(order, "0xb1"), Outcome::Applied(None));
    let known = harness.order_of(order);
    assert_eq!(known.refund.unwrap().coins, usdt(super::sales::W44));
}

#[test]
fn a_refund_sent_before_an_operator_decides_on_what_a_ceiling_stopped_is_not_sent_again() {
    let (mut harness, account) = Harness::seller(bounded(None, None));
    let order = harness.accepted(account, sale(10_000, person(1)));
    harness.funds(order, 1);
    harness.moved(order, Command::FailSend);
    harness.binds(account, bounded(Some(0), None));
    harness.pass("2026-10-20T12:10:00Z");
    assert!(
        matches!(harness.refund(order, "0xb1"), Outcome::SetAside(Some(_))),
        "a claim until then"
    );
    let asked = harness.instruction_keys(order).len();
    let refunds = SaleReport::RefundDecided { to: None, decided_by: Some(decided_by()) };
    assert_eq!(harness.report(order, refunds), Outcome::Applied(None));
    assert_eq!(harness.instruction_keys(order).len(), asked, "nobody is asked to send it again");
    assert_eq!(harness.order_of(order).refund.unwrap().sent_hash(), Some("0xb1"));
    assert_eq!(harness.refund(order, "0xb1"), Outcome::Known);
}

#[test]
fn what_was_sold_first_is_not_paid_against_the_mandate() {
    let (mut harness, account) = Harness::seller(bounded(None, None));
    let request = CashOutRequest { network: "tron".into(), ..sale(10_000, person(1)) };
    let order = harness.accepted(account, CashOutRequest { refund_address: None, ..request });
    assert_eq!(harness.funds(order, 1), Stage::Secured);
    harness.moved(order, Command::StartSale);
    let reais = crate::samples::amount(10_480);
    let sold = ledger_core::machine::cash_out::Proceeds::Reais(reais);
    harness.moved(order, Command::Fill(sold));
    let named = Mandate::new(None, None, vec![person(9)]);
    harness.binds(account, named);
    assert_eq!(harness.moved(order, Command::Arrive(reais)), Outcome::Applied(None));
    assert_eq!(harness.stage(order), Stage::Review(ReviewReason::MandateRecipient));
    assert!(!harness.instruction_keys(order).iter().any(|asked| asked.starts_with(":send")));
    harness.binds(account, bounded(None, None));
    assert_eq!(harness.clear(order), Outcome::Applied(None));
    assert_eq!(harness.stage(order), Stage::Paying);
}

#[test]
fn a_payout_that_was_stopped_goes_on_within_the_mandate_of_that_moment() {
    let (mut harness, account) = Harness::seller(bounded(None, Some(30_000)));
    let payout = created(harness.send(account, 20_000, SOMEBODY).unwrap());
    let clear = |harness: &mut Harness| {
        harness.fact(Fact::Payout(PayoutFact::Cleared {
            payout: Some(payout),
            decided_by: decided_by(),
        }))
    };
    let stopped =
        Fact::Payout(PayoutFact::Stopped { payout: Some(payout), decided_by: decided_by() });
    assert_eq!(harness.fact(stopped), Outcome::Applied(None));
    harness.binds(account, bounded(None, Some(19_999)));
    harness.pass("2026-10-21T12:00:00Z");
    assert_eq!(clear(&mut harness), Outcome::SetAside(None));
    assert_eq!(harness.instruction_keys(payout), [":send"]);
    harness.binds(account, bounded(None, Some(20_000)));
    assert_eq!(clear(&mut harness), Outcome::Applied(None));
    assert_eq!(clear(&mut harness), Outcome::Known);
}
