//! Payments and refunds whose coins vanished, or whose PIX was paid, are handed to nobody: a person
//! looks first (rulings 45 and 70).

use ledger_core::accounting::CoinAccount;
use ledger_core::id::{Kind, OpId};
use ledger_core::ledger::purchase::Fact as PurchaseFact;
use ledger_core::ledger::suspense::Fact as SuspenseFact;
use ledger_core::ledger::{
    CashOutRequest, Fact, Outcome, SaleReport, SetAsideReason, Standing, TaskKind, Topic,
};
use ledger_core::machine::cash_out::{AmountBasis, Command, Pix, ReviewReason, Stage, Waits};
use ledger_core::machine::erroneous_delivery::End;
use ledger_core::machine::refund::{RefundReport, RefundStatus};
use ledger_core::terms::Route;

use super::Harness;
use super::counter::decided_by;
use super::sales::{W44, person, sale, unmatched, usdt};
use crate::samples::{WALLET, amount};

const APPLIED: Outcome = Outcome::Applied(None);
const ASIDE: Outcome = Outcome::SetAside(None);
const STOPPED: Stage = Stage::Review(ReviewReason::Stopped);

impl Harness {
    fn moves(&mut self, order: OpId, command: Command) -> Outcome {
        self.report(order, SaleReport::Moved(command))
    }

    fn claim_settled(&mut self, claim: OpId, end: End) -> Outcome {
        let erroneous_delivery = Some(claim);
        self.fact(Fact::Purchase(PurchaseFact::ErroneousDeliverySettled {
            erroneous_delivery,
            end,
            decided_by: decided_by(),
        }))
    }

    fn refund_fails(&mut self, op: OpId) -> Outcome {
        self.report(op, SaleReport::Refund(RefundReport::Failed))
    }

    fn waits_for(&self, order: OpId) -> Option<Waits> {
        self.order_of(order).refund_waits_for()
    }
}

#[test]
fn no_pix_is_handed_out_for_coins_that_vanished() {
    let mut harness = Harness::buying();
    let order = harness.funded_sale(person(1), "0xa1");
    let claim = unmatched(harness.vanish(order, "0xa1"));
    assert_eq!(harness.stage(order), STOPPED);
    assert_eq!(harness.topics(order).last(), Some(&Topic::CashOutUnderReview));
    assert_eq!(harness.standing(order, TaskKind::PaySale, 1), Standing::Over);
    assert_eq!(harness.hand_out(order, TaskKind::PaySale, 1), ASIDE);
    // Nothing is tried again while they are gone.
    assert_eq!(harness.moves(order, Command::FailSend), APPLIED);
    assert_eq!(harness.stage(order), STOPPED);
    assert_eq!(harness.instruction_keys(order).len(), 1);
    // A PIX that was paid after all is the order's.
    let mut paid = Harness::buying();
    let other = paid.funded_sale(person(1), "0xa1");
    paid.vanish(other, "0xa1");
    assert_eq!(paid.pay_sale(other, "E1"), APPLIED);
    assert_eq!(paid.stage(other), Stage::Completed);
    // They are there again: it goes on.
    assert_eq!(harness.claim_settled(claim, End::Recovered), APPLIED);
    assert_eq!(harness.moves(order, Command::FailSend), APPLIED);
    harness.pass("2026-10-20T12:30:00Z");
    assert_eq!(harness.instruction_keys(order).len(), 2);
    assert_eq!(harness.hand_out(order, TaskKind::PaySale, 2), APPLIED);
}

#[test]
fn a_pix_that_was_handed_out_is_not_tried_again_for_coins_that_vanished() {
    let mut harness = Harness::buying();
    let order = harness.funded_sale(person(1), "0xa1");
    assert_eq!(harness.hand_out(order, TaskKind::PaySale, 1), APPLIED);
    unmatched(harness.vanish(order, "0xa1"));
    assert_eq!(harness.stage(order), Stage::Paying, "it may have been paid");
    assert_eq!(harness.moves(order, Command::FailSend), APPLIED);
    assert_eq!(harness.stage(order), STOPPED);
    // Between two tries, nobody has been handed the next.
    let mut harness = Harness::buying();
    let order = harness.funded_sale(person(1), "0xa1");
    harness.hand_out(order, TaskKind::PaySale, 1);
    harness.moves(order, Command::FailSend);
    unmatched(harness.vanish(order, "0xa1"));
    assert_eq!(harness.stage(order), STOPPED);
    harness.pass("2026-10-20T13:30:00Z");
    assert_eq!(harness.instruction_keys(order).len(), 1);
}

#[test]
fn no_coins_are_sold_that_vanished() {
    for (network, asset) in [("tron", "usdt"), ("polygon", "weth")] {
        let mut harness = Harness::buying();
        let request = sale(10_000, person(1));
        let request = CashOutRequest {
            network: network.into(),
            asset: asset.into(),
            refund_address: Some(WALLET.into()).filter(|_| network == "polygon"),
            ..request
        };
        assert!(matches!(request.asked, AmountBasis::Net(_)));
        let order = harness.sell(request);
        let coins = harness.order_of(order).order.coins;
        assert_ne!(harness.order_of(order).order.route, Route::Fast);
        harness.see(order, coins, "0xa1");
        harness.confirm(order, "0xa1");
        assert_eq!(harness.stage(order), Stage::Secured);
        unmatched(harness.vanish(order, "0xa1"));
        assert_eq!(harness.standing(order, TaskKind::Sell, 1), Standing::Over);
        assert_eq!(harness.moves(order, Command::StartSale), ASIDE);
        assert_eq!(harness.standing(order, TaskKind::Refund, 1), Standing::Over);
    }
}

#[test]
fn no_refund_is_handed_out_of_coins_that_vanished() {
    let mut harness = Harness::buying();
    let order = harness.funded_sale(person(1), "0xa1");
    harness.moves(order, Command::GiveUpPayment);
    assert_eq!(harness.standing(order, TaskKind::Refund, 1), Standing::Due);
    let claim = unmatched(harness.vanish(order, "0xa1"));
    assert_eq!(harness.waits_for(order), Some(Waits::Evidence));
    assert_eq!(harness.standing(order, TaskKind::Refund, 1), Standing::Over);
    assert_eq!(harness.refund_fails(order), APPLIED);
    assert_eq!(harness.waits_for(order), Some(Waits::Evidence));
    assert_eq!(harness.standing(order, TaskKind::Refund, 2), Standing::Over);
    assert_eq!(harness.claim_settled(claim, End::Recovered), APPLIED);
    assert_eq!(harness.refund_fails(order), APPLIED);
    assert_eq!(harness.standing(order, TaskKind::Refund, 3), Standing::Due);
    // Decided only after they vanished, it is held back at once, and its client is told once.
    let mut harness = Harness::buying();
    let order = harness.funded_sale(person(1), "0xa1");
    harness.vanish(order, "0xa1");
    let told = harness.topics(order).len();
    assert_eq!(harness.moves(order, Command::GiveUpPayment), APPLIED);
    assert_eq!(harness.topics(order)[told..], [Topic::CashOutUnderReview]);
    assert_eq!(harness.standing(order, TaskKind::Refund, 1), Standing::Over);
}

#[test]
fn an_order_of_coins_that_are_lost_pays_and_refunds_nothing_and_ends() {
    let mut harness = Harness::buying();
    let order = harness.funded_sale(person(1), "0xa1");
    let claim = unmatched(harness.vanish(order, "0xa1"));
    // What may have been paid or sent is found out first.
    assert_eq!(harness.claim_settled(claim, End::Lost), ASIDE);
    assert_eq!(harness.says_why(), Some(SetAsideReason::OutcomeUnknown));
    assert_eq!(harness.moves(order, Command::GiveUpPayment), APPLIED);
    let told = harness.topics(order).len();
    assert_eq!(harness.claim_settled(claim, End::Lost), APPLIED);
    assert_eq!(harness.stage(order), Stage::Failed);
    assert_eq!(harness.topics(order)[told..], [Topic::CashOutFailed]);
    assert_eq!(harness.standing(order, TaskKind::Refund, 1), Standing::Over);
    assert_eq!(harness.refund_fails(order), ASIDE);
    assert_eq!(harness.claim_settled(claim, End::Lost), Outcome::Known);
    let owed = [CoinAccount::RefundDue(order), CoinAccount::Loss, CoinAccount::ProviderClaim];
    assert_eq!(owed.map(|account| harness.coin(account)), [0; 3]);
    assert_eq!(harness.used(person(1)), 0);
    // A refund that was handed out may have been sent.
    let mut harness = Harness::buying();
    let order = harness.funded_sale(person(1), "0xa1");
    harness.moves(order, Command::GiveUpPayment);
    harness.hand_out(order, TaskKind::Refund, 1);
    let claim = unmatched(harness.vanish(order, "0xa1"));
    assert_eq!(harness.claim_settled(claim, End::Lost), ASIDE);
    assert_eq!(harness.refund_fails(order), APPLIED);
    assert_eq!(harness.claim_settled(claim, End::Lost), APPLIED);
    assert_eq!(harness.stage(order), Stage::Failed);
}

#[test]
fn coins_that_were_there_again_and_vanish_anew_are_a_new_claim() {
    let mut harness = Harness::buying();
    let order = harness.funded_sale(person(1), "0xa1");
    let first = unmatched(harness.vanish(order, "0xa1"));
    assert_eq!(harness.vanish(order, "0xa1"), Outcome::Known);
    let mut claim = first;
    for _ in 0..2 {
        assert_eq!(harness.claim_settled(claim, End::Recovered), APPLIED);
        let next = unmatched(harness.vanish(order, "0xa1"));
        assert_ne!(next, claim);
        assert_eq!(harness.vanish(order, "0xa1"), Outcome::Known, "it is claimed once");
        claim = next;
    }
    assert_eq!(harness.coin(CoinAccount::ProviderClaim), -i128::try_from(W44).unwrap());
    assert_eq!(harness.moves(order, Command::GiveUpPayment), APPLIED);
    assert_eq!(harness.standing(order, TaskKind::Refund, 1), Standing::Over);
    // What is lost for good does not vanish again.
    assert_eq!(harness.claim_settled(claim, End::Lost), APPLIED);
    assert_eq!(harness.vanish(order, "0xa1"), Outcome::Known);
}

#[test]
fn a_part_of_a_refund_that_is_lost_is_not_sent() {
    let mut harness = Harness::buying();
    let order = harness.sell(sale(10_000, person(1)));
    harness.see(order, usdt(9_000_000), "0xa1");
    harness.see(order, usdt(10_444_445), "0xa2");
    harness.confirm(order, "0xa1");
    harness.confirm(order, "0xa2");
    let claim = unmatched(harness.vanish(order, "0xa1"));
    harness.moves(order, Command::GiveUpPayment);
    assert_eq!(harness.claim_settled(claim, End::Lost), APPLIED);
    assert_eq!(harness.order_of(order).to_refund(), Some(usdt(10_444_445)));
    assert_eq!(harness.refund_fails(order), APPLIED);
    assert_eq!(harness.hand_out(order, TaskKind::Refund, 2), APPLIED);
}

#[test]
fn a_receipt_of_coins_that_are_lost_ends() {
    for decided in [false, true] {
        let mut harness = Harness::buying();
        let deposit = harness.deposit_of(usdt(9_000_000), "0xa3");
        let (hash, deposit) = (deposit.hash.clone(), Some(deposit));
        let report = SaleReport::Confirmed { hash, deposit };
        let receipt = unmatched(harness.fact(Fact::Sale { order: None, report }));
        let claim = unmatched(harness.vanish(receipt, "0xa3"));
        let decide =
            SaleReport::RefundDecided { to: Some(WALLET.into()), decided_by: Some(decided_by()) };
        if decided {
            assert_eq!(harness.report(receipt, decide.clone()), APPLIED);
        }
        assert_eq!(harness.claim_settled(claim, End::Lost), APPLIED);
        assert!(harness.operation(receipt).machine.has_ended());
        assert_eq!(harness.report(receipt, decide), ASIDE);
        let held = [CoinAccount::RefundDue(receipt), CoinAccount::Suspense, CoinAccount::Loss];
        assert_eq!(held.map(|account| harness.coin(account)), [0; 3]);
    }
}

#[test]
fn no_refund_of_a_receipt_is_handed_out_whose_coins_vanished() {
    let mut harness = Harness::buying();
    let order = harness.funded_sale(person(1), "0xa1");
    let receipt = unmatched(harness.see(order, usdt(7_000_000), "0xa2"));
    harness.confirm(order, "0xa2");
    assert_eq!(harness.standing(receipt, TaskKind::Refund, 1), Standing::Due);
    unmatched(harness.vanish(order, "0xa2"));
    assert_eq!(harness.standing(receipt, TaskKind::Refund, 1), Standing::Over);
    assert_eq!(harness.refund_fails(receipt), APPLIED);
    assert_eq!(harness.standing(receipt, TaskKind::Refund, 2), Standing::Over);
    let lost = harness.receipt_of(receipt).refund().map(|due| due.status.clone());
    assert_eq!(lost, Some(RefundStatus::Lost));
    // Its order has its own coins, and is paid.
    assert_eq!(harness.standing(order, TaskKind::PaySale, 1), Standing::Due);
    // One that names no order, and that a person decided on.
    let deposit = harness.deposit_of(usdt(9_000_000), "0xa3");
    let (hash, deposit) = (deposit.hash.clone(), Some(deposit));
    let report = SaleReport::Confirmed { hash, deposit };
    let receipt = unmatched(harness.fact(Fact::Sale { order: None, report }));
    let (to, by) = (Some(WALLET.into()), Some(decided_by()));
    harness.report(receipt, SaleReport::RefundDecided { to, decided_by: by });
    assert_eq!(harness.standing(receipt, TaskKind::Refund, 1), Standing::Due);
    unmatched(harness.vanish(receipt, "0xa3"));
    assert_eq!(harness.hand_out(receipt, TaskKind::Refund, 1), ASIDE);
}

#[test]
fn no_refund_is_handed_out_once_its_pix_is_told_paid() {
    let mut harness = Harness::buying();
    let order = harness.funded_sale(person(1), "0xa1");
    harness.hand_out(order, TaskKind::PaySale, 1);
    harness.moves(order, Command::GiveUpPayment);
    assert_eq!(harness.standing(order, TaskKind::Refund, 1), Standing::Due);
    let claim = unmatched(harness.pay_sale(order, "E1"));
    assert_eq!(claim.kind(), Kind::Suspense);
    assert_eq!(harness.waits_for(order), Some(Waits::Evidence));
    assert_eq!(harness.standing(order, TaskKind::Refund, 1), Standing::Over);
    assert_eq!(harness.hand_out(order, TaskKind::Refund, 1), ASIDE);
    assert_eq!(harness.says_why(), Some(SetAsideReason::OutOfTurn));
    // Nor is another try of it, until the provider gave the PIX back.
    assert_eq!(harness.refund_fails(order), APPLIED);
    assert_eq!(harness.standing(order, TaskKind::Refund, 2), Standing::Over);
    let returned =
        SuspenseFact::Returned { suspense: Some(claim), return_id: None, decided_by: decided_by() };
    assert!(matches!(harness.fact(Fact::Suspense(returned)), Outcome::Applied(_)));
    assert_eq!(harness.refund_fails(order), APPLIED);
    assert_eq!(harness.hand_out(order, TaskKind::Refund, 3), APPLIED);
}

#[test]
fn a_pix_of_any_amount_told_paid_holds_a_refund_back_and_none_that_was_handed_out() {
    let pix = |harness: &Harness| Pix {
        e2e: "E9".into(),
        paid_at: harness.now,
        receipt_url: None,
        receipt_pdf_url: None,
        verify_url: None,
    };
    let mut harness = Harness::buying();
    let order = harness.funded_sale(person(1), "0xa1");
    harness.moves(order, Command::GiveUpPayment);
    let paid = SaleReport::Paid { pix: pix(&harness), amount: Some(amount(1)) };
    unmatched(harness.report(order, paid));
    assert_eq!(harness.standing(order, TaskKind::Refund, 1), Standing::Over);
    // What is on its way already is a person's to get back.
    let mut harness = Harness::buying();
    let order = harness.funded_sale(person(1), "0xa1");
    harness.moves(order, Command::GiveUpPayment);
    assert_eq!(harness.hand_out(order, TaskKind::Refund, 1), APPLIED);
    unmatched(harness.pay_sale(order, "E1"));
    assert_eq!(harness.standing(order, TaskKind::Refund, 1), Standing::HandedOut);
    assert_eq!(harness.refund_fails(order), APPLIED);
    assert_eq!(harness.standing(order, TaskKind::Refund, 2), Standing::Over);
}
