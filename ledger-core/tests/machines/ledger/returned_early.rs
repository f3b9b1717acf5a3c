//! Money that went back before its time: while a delivery was under way, or before the payment
//! itself was told (rulings 28, 45 and 46).

use ledger_core::accounting::{CoinAccount, Control};
use ledger_core::id::OpId;
use ledger_core::ledger::{Fact, GiveUpTo, Machine, Outcome, Topic};
use ledger_core::machine::charge;
use ledger_core::machine::delivery::{self, DeliveryReport};
use ledger_core::machine::purchase::End;
use ledger_core::machine::{erroneous_delivery, payout, suspense};
use ledger_core::terms::{Release, Switch, Terms};

use super::counter::{decided_by, partnered};
use super::{Desk, HOUSE, created, instant};
use crate::samples::{POLYGON, amount, bps};

/// What was put aside.
fn waits(outcome: Outcome) -> OpId {
    match outcome {
        Outcome::SetAside(Some(op)) => op,
        other => panic!("{other:?} put nothing aside"),
    }
}

/// Evidence of what became of a delivery.
fn found(op: OpId, sent: Option<&str>) -> Fact {
    let sent = sent.map(Into::into);
    Fact::DeliveryEvidence { op: Some(op), sent, decided_by: decided_by() }
}

fn resume(op: OpId) -> Fact {
    Fact::DeliveryResumed { op: Some(op), decided_by: decided_by() }
}

impl Desk {
    /// A purchase whose first attempt has this outcome.
    fn attempted(&mut self, report: Option<DeliveryReport>) -> OpId {
        let op = self.buy(10_000);
        self.deliver(op, DeliveryReport::Begin);
        if let Some(report) = report {
            self.deliver(op, report);
        }
        op
    }

    fn charge_of(&self, op: OpId) -> charge::State {
        match self.operation(op).machine {
            Machine::Charge(state) => state,
            other => panic!("{other:?} is no charge"),
        }
    }

    /// Whether what was put aside has found its reason.
    fn is_taken_over(&self, op: OpId, by: OpId) -> bool {
        match self.operation(op).machine {
            Machine::Suspense(suspense::State::Attached(_, found)) => found == by,
            _ => false,
        }
    }

    /// What stands with the provider, is claimed of it, waits in suspense, and is in flight.
    fn progress(&self) -> [i128; 4] {
        [Control::ProviderPix, Control::ProviderClaim, Control::SuspensePix, Control::PixInFlight]
            .map(|control| self.total(control))
    }
}

#[test]
fn no_money_is_delivered_after_its_pix_went_back() {
    let mut desk = Desk::trading(instant());
    let op = desk.attempted(Some(DeliveryReport::Lose));
    let back = waits(desk.give_back(op, 10_000));
    assert_eq!(desk.progress(), [0, 10_000, 0, 430]);
    assert_eq!(desk.fact(found(op, None)), Outcome::Applied(None));
    assert_eq!(desk.asked(op), [":deliver:1"], "the payer has his money");
    assert!(desk.purchase(op).is_refunded() && desk.is_taken_over(back, op));
    assert_eq!(desk.progress(), [0; 4], "suspense has found its reason");
    let owed = desk.coin(CoinAccount::DeliveryInFlight(op));
    assert_eq!((desk.total(Control::Fx), desk.coin(CoinAccount::Fx), owed), (0, 0, 0));
    assert_eq!(desk.total(Control::PurchaseIncome), 0);
    let told = [Topic::ChargePaid, Topic::SettlementFailed, Topic::ChargeRefunded];
    assert_eq!(desk.topics(op), told);
}

#[test]
fn a_part_that_went_back_during_an_attempt_stops_the_next_one() {
    for report in [None, Some(DeliveryReport::Accept), Some(DeliveryReport::Lose)] {
        let mut desk = Desk::trading(instant());
        let op = desk.attempted(report);
        let back = waits(desk.give_back(op, 4_000));
        desk.deliver(op, DeliveryReport::Fail);
        assert_eq!(desk.asked(op), [":deliver:1"]);
        assert_eq!(desk.purchase(op).end, Some(End::Halted));
        assert!(desk.is_taken_over(back, op));
        assert_eq!(desk.progress(), [6_000, 0, 0, 6_000]);
        // The rest is a person's: given up, as rulings 36 say.
        assert_eq!(desk.give_up(op, GiveUpTo::Payer("D-9".into())), Outcome::Applied(None));
        assert_eq!(desk.progress(), [0; 4]);
    }
}

#[test]
fn several_returns_during_an_attempt_are_settled_together() {
    let mut desk = Desk::trading(instant());
    let op = desk.attempted(None);
    let first = waits(desk.give_back(op, 4_000));
    let second = waits(desk.give_back(op, 6_000));
    desk.deliver(op, DeliveryReport::Fail);
    assert!(desk.is_taken_over(first, op) && desk.is_taken_over(second, op));
    assert!(desk.purchase(op).is_refunded());
    assert_eq!((desk.progress(), desk.asked(op).len()), ([0; 4], 1));
}

#[test]
fn what_is_left_is_delivered_by_a_persons_decision() {
    // Of 100.00 with fees of 5.30, 60.00 are left: fees of 3.18, and 56.82 buy 10.522222.
    let mut desk = Desk::trading(partnered());
    let op = desk.attempted(None);
    desk.give_back(op, 4_000);
    desk.deliver(op, DeliveryReport::Fail);
    assert_eq!(
        desk.deliver(op, DeliveryReport::Begin),
        Outcome::SetAside(None),
        "nothing begins by itself"
    );
    assert_eq!(desk.fact(resume(op)), Outcome::Applied(None));
    assert_eq!(desk.fact(resume(op)), Outcome::Known);
    assert_eq!(desk.asked(op), [":deliver:1", ":deliver:2"]);
    let delivery_terms = desk.purchase(op).delivery_terms();
    assert_eq!((delivery_terms.cost, delivery_terms.units.get()), (amount(5_682), 10_522_222));
    let owed = CoinAccount::DeliveryInFlight(op);
    assert_eq!((desk.progress(), desk.coin(owed)), ([6_000, 0, 0, 318], 10_522_222));
    desk.deliver(op, DeliveryReport::Begin);
    desk.deliver(op, DeliveryReport::Confirm("0xb2".into()));
    assert_eq!((desk.total(Control::PurchaseIncome), desk.commission()), (258, 60));
    let taken = (desk.coin(CoinAccount::Treasury(POLYGON)), desk.coin(CoinAccount::Gas));
    assert_eq!(taken, (10_422_222, 100_000));
    assert_eq!((desk.progress(), desk.coin(owed)), ([6_000, 0, 0, 0], 0));
    // What is returned now is borne up to the net delivered, and the rest reverses the fees of it.
    desk.give_back(op, 5_700);
    assert_eq!((desk.buckets(HOUSE)[0], desk.total(Control::PurchaseIncome)), (-5_682, 243));
    assert_eq!(desk.commission(), 57, "a part of 18 in 318 is 3 of 60");
    desk.give_back(op, 300);
    assert_eq!((desk.total(Control::PurchaseIncome), desk.commission()), (0, 0));
    assert_eq!((desk.buckets(HOUSE)[0], desk.purchase(op).is_refunded()), (-5_682, true));
}

#[test]
fn what_is_left_may_fail_and_lose_another_part_and_go_on() {
    let mut desk = Desk::trading(instant());
    let op = desk.buy(10_000);
    assert_eq!(desk.give_back(op, 2_000), Outcome::Applied(None));
    // The first attempt was asked for when it was paid: what follows is another.
    assert_eq!(desk.fact(resume(op)), Outcome::Applied(None));
    assert_eq!(desk.asked(op), [":deliver:1", ":deliver:2"]);
    desk.attempt(op, Some(2), DeliveryReport::Begin);
    desk.give_back(op, 3_000);
    desk.deliver(op, DeliveryReport::Fail);
    assert_eq!(desk.purchase(op).end, Some(End::Halted));
    assert_eq!((desk.progress(), desk.total(Control::Fx)), ([5_000, 0, 0, 5_000], 0));
    desk.fact(resume(op));
    assert_eq!(desk.asked(op).last().unwrap(), ":deliver:3");
    desk.attempt(op, Some(3), DeliveryReport::Confirm("0xc3".into()));
    // 430 on 10,000 are 215 on 5,000.
    assert_eq!((desk.total(Control::PurchaseIncome), desk.total(Control::Fx)), (215, 4_785));
    assert_eq!(desk.progress(), [5_000, 0, 0, 0]);
}

#[test]
fn an_attempt_of_before_sends_what_is_not_owed_any_more() {
    let mut desk = Desk::trading(instant());
    let op = desk.attempted(None);
    desk.give_back(op, 4_000);
    desk.deliver(op, DeliveryReport::Fail);
    desk.fact(resume(op));
    let stock = CoinAccount::Treasury(POLYGON);
    let claim = waits(desk.attempt(op, Some(1), DeliveryReport::Confirm("0xa1".into())));
    let whole = desk.purchase(op).terms().delivery_terms.delivered().unwrap().signed();
    assert_eq!((desk.coin(stock), desk.coin(CoinAccount::ProviderClaim)), (whole, -whole));
    assert_eq!(
        desk.operation(claim).erroneous_delivery().map(erroneous_delivery::State::has_ended),
        Some(false)
    );
    assert_eq!(desk.purchase(op).end, Some(End::Halted), "a person settles the claim first");
    assert_eq!(desk.fact(resume(op)), Outcome::SetAside(None));
    let end = erroneous_delivery::End::Recovered;
    desk.fact(Fact::ErroneousDeliverySettled {
        erroneous_delivery: Some(claim),
        end,
        decided_by: decided_by(),
    });
    desk.fact(resume(op));
    desk.attempt(op, Some(2), DeliveryReport::Confirm("0xb2".into()));
    assert!(desk.purchase(op).delivery.sent().is_some());
}

#[test]
fn evidence_that_it_was_sent_makes_returns_what_they_are_of_purchases_delivered() {
    let mut desk = Desk::trading(partnered());
    let op = desk.attempted(Some(DeliveryReport::Lose));
    let returns = [4_000, 5_500, 500].map(|cents| waits(desk.give_back(op, cents)));
    assert_eq!(desk.fact(found(op, Some("0xa1"))), Outcome::Applied(None));
    assert!(returns.into_iter().all(|back| desk.is_taken_over(back, op)));
    assert_eq!(desk.buckets(HOUSE)[0], -9_470, "up to the net delivered");
    assert_eq!((desk.total(Control::PurchaseIncome), desk.commission()), (0, 0));
    assert_eq!((desk.progress(), desk.purchase(op).is_refunded()), ([0; 4], true));
    assert_eq!(desk.topics(op).last(), Some(&Topic::ChargeRefunded));
}

#[test]
fn a_return_that_contradicts_the_books_stops_the_delivery_all_the_same() {
    for begun in [false, true] {
        let mut desk = Desk::trading(instant());
        let op = if begun { desk.attempted(None) } else { desk.buy(10_000) };
        let back = waits(desk.give_back(op, 10_001));
        if begun {
            desk.deliver(op, DeliveryReport::Fail);
        }
        assert_eq!(desk.purchase(op).end, Some(End::Halted));
        assert_eq!((desk.asked(op).len(), desk.total(Control::Fx)), (1, 0));
        assert_eq!(desk.fact(resume(op)), Outcome::SetAside(None), "it may be gone");
        let returned = Fact::SuspenseReturned { suspense: Some(back), decided_by: decided_by() };
        assert_eq!(desk.fact(returned), Outcome::Applied(None));
        assert_eq!(desk.fact(resume(op)), Outcome::Applied(None));
        assert_eq!(
            desk.purchase(op).delivery_terms(),
            desk.purchase(op).terms().delivery_terms,
            "all of it"
        );
        assert_eq!(desk.asked(op), [":deliver:1", ":deliver:2"]);
    }
}

#[test]
fn a_delivery_goes_not_on_while_crypto_sent_for_it_is_a_claim() {
    let mut desk = Desk::trading(instant());
    let op = desk.buy(10_000);
    desk.give_back(op, 4_000);
    let claim = waits(desk.deliver(op, DeliveryReport::Confirm("0xa1".into())));
    assert_eq!(desk.fact(resume(op)), Outcome::SetAside(None));
    let end = erroneous_delivery::End::Recovered;
    desk.fact(Fact::ErroneousDeliverySettled {
        erroneous_delivery: Some(claim),
        end,
        decided_by: decided_by(),
    });
    assert_eq!(desk.fact(resume(op)), Outcome::Applied(None));
}

#[test]
fn what_buys_no_more_than_the_network_takes_cannot_go_on() {
    let mut desk = Desk::trading(instant());
    let op = desk.buy(10_000);
    desk.give_back(op, 9_990);
    assert_eq!(desk.fact(resume(op)), Outcome::SetAside(None));
    assert_eq!(desk.give_up(op, GiveUpTo::Custody), Outcome::Applied(None));
    assert_eq!(desk.fact(resume(op)), Outcome::SetAside(None), "it has ended");
    let conversion = {
        desk.deposit(Some("ana"), 10_000);
        created(desk.convert(super::counter::conversion(Some("ana"), 5_000)).unwrap())
    };
    assert_eq!(desk.fact(resume(conversion)), Outcome::SetAside(None));
}

#[test]
fn a_pix_returned_before_it_was_paid_is_never_spendable() {
    let mut desk = Desk::open(instant());
    let op = desk.charge(Some("ana"), 10_000);
    let back = waits(desk.give_back(op, 10_000));
    assert_eq!(desk.progress(), [-10_000, 10_000, 0, 0]);
    assert_eq!(desk.receive(op, 10_000), Outcome::Applied(None));
    assert!(matches!(desk.charge_of(op), charge::State::Refunded(_)));
    assert!(desk.is_taken_over(back, op));
    assert_eq!((desk.of("ana"), desk.progress()), ([0, 0, 0], [0; 4]));
    assert_eq!(desk.total(Control::DepositIncome), 0);
    assert_eq!(desk.topics(op), [Topic::ChargeRefunded]);
    assert!(desk.transfer(Some("ana"), Some("bia"), 1).is_err());
}

#[test]
fn a_part_returned_before_it_was_paid_is_not_credited() {
    // Rulings 22: the credit is what is left, and the fee at most that.
    for (parts, credited, fee) in
        [(&[4_000][..], 6_000, 100), (&[4_000, 3_000][..], 3_000, 100), (&[9_950][..], 50, 50)]
    {
        let mut desk = Desk::open(instant());
        let op = desk.charge(Some("ana"), 10_000);
        for part in parts {
            waits(desk.give_back(op, *part));
        }
        desk.receive(op, 10_000);
        assert_eq!(desk.of("ana"), [credited - fee, 0, 0]);
        assert_eq!(desk.total(Control::DepositIncome), i128::from(fee));
        assert_eq!(desk.progress(), [i128::from(credited), 0, 0, 0]);
        let rows = format!(
            "Deposit +{credited} principal, {credited}\nDeposit -{fee} fee, {}\n",
            credited - fee
        );
        assert_eq!(desk.rows("ana"), rows);
    }
}

#[test]
fn returns_above_the_payment_stay_in_suspense() {
    let mut desk = Desk::open(instant());
    let op = desk.charge(Some("ana"), 10_000);
    let [first, more, last] = [7_000, 4_000, 3_000].map(|cents| waits(desk.give_back(op, cents)));
    desk.receive(op, 10_000);
    assert!(desk.is_taken_over(first, op) && desk.is_taken_over(last, op));
    assert!(!desk.is_taken_over(more, op));
    assert!(matches!(desk.charge_of(op), charge::State::Refunded(_)));
    assert_eq!((desk.of("ana"), desk.progress()), ([0, 0, 0], [-4_000, 4_000, 0, 0]));
}

#[test]
fn a_return_is_booked_by_whatever_tells_of_the_payment() {
    let retention = Terms { retention_above: Some(amount(5_000)), ..instant() };
    let payment = |desk: &mut Desk| desk.payment(10_000);
    // Held at the provider, then released; with and without the PIX.
    let mut desk = Desk::open(retention);
    let op = desk.charge(Some("ana"), 10_000);
    desk.give_back(op, 4_000);
    desk.receive(op, 10_000);
    assert_eq!(desk.progress(), [6_000, 0, 0, 6_000]);
    desk.fact(Fact::ProviderReleased { charge: Some(op), payment: None });
    assert_eq!(desk.of("ana"), [5_900, 0, 0]);
    let op = desk.charge(Some("bia"), 10_000);
    desk.give_back(op, 10_000);
    let pix = payment(&mut desk);
    desk.fact(Fact::ProviderReleased { charge: Some(op), payment: Some(pix) });
    assert!(matches!(desk.charge_of(op), charge::State::Refunded(_)));
    // Seen first.
    let mut desk = Desk::open(instant());
    let op = desk.charge(Some("ana"), 10_000);
    desk.give_back(op, 4_000);
    let pix = payment(&mut desk);
    desk.fact(Fact::PixSeen { charge: Some(op), payment: pix });
    assert_eq!(desk.progress(), [6_000, 0, 0, 6_000]);
    desk.fact(Fact::ProviderSettled { charge: Some(op) });
    assert_eq!(desk.of("ana"), [5_900, 0, 0]);
    // Paid late, and attached by a person from suspense.
    let op = desk.charge(Some("bia"), 10_000);
    desk.pass("2026-10-21T12:00:00Z");
    let late = waits(desk.receive(op, 10_000));
    let back = waits(desk.give_back(op, 10_000));
    assert_eq!(desk.fact(attach(late, op)), Outcome::Applied(None));
    assert!(desk.is_taken_over(back, op));
    assert!(matches!(desk.charge_of(op), charge::State::Refunded(_)));
    assert_eq!((desk.of("bia"), desk.progress()), ([0, 0, 0], [6_000, 0, 0, 0]));
}

fn attach(suspense: OpId, charge: OpId) -> Fact {
    Fact::SuspenseAttached {
        suspense: Some(suspense),
        charge: Some(charge),
        decided_by: decided_by(),
    }
}

#[test]
fn a_credit_of_what_is_left_waits_for_its_day_like_any_other() {
    let terms = Terms { release: Release::NextDay, ..instant() };
    let mut desk = Desk::open(terms);
    let op = desk.charge(Some("ana"), 10_000);
    desk.give_back(op, 4_000);
    desk.receive(op, 10_000);
    assert_eq!(desk.of("ana"), [0, 5_900, 0]);
}

#[test]
fn a_purchase_whose_pix_went_back_before_it_was_paid_is_never_delivered() {
    let mut desk = Desk::trading(instant());
    let op = desk.order(None, 10_000);
    desk.give_back(op, 10_000);
    desk.receive(op, 10_000);
    assert!(matches!(desk.charge_of(op), charge::State::Refunded(_)));
    assert_eq!((desk.asked(op).len(), desk.progress()), (0, [0; 4]));
    let op = desk.order(None, 10_000);
    desk.give_back(op, 4_000);
    desk.receive(op, 10_000);
    assert_eq!((desk.asked(op).len(), desk.purchase(op).end), (0, Some(End::Halted)));
    let op = desk.order(None, 10_000);
    waits(desk.give_back(op, 10_001));
    desk.receive(op, 10_000);
    assert_eq!((desk.asked(op).len(), desk.purchase(op).end), (0, Some(End::Halted)));
}

#[test]
fn a_delivery_that_tells_of_its_payment_was_made_whatever_went_back() {
    let mut desk = Desk::trading(partnered());
    let op = desk.order(None, 10_000);
    let back = waits(desk.give_back(op, 10_000));
    let payment = Some(desk.payment(10_000));
    let command =
        delivery::Command { attempt: None, report: DeliveryReport::Confirm("0xa1".into()) };
    let sent = desk.fact(Fact::Delivery { op: Some(op), command, payment });
    assert_eq!(sent, Outcome::Applied(None));
    assert!(desk.is_taken_over(back, op) && desk.purchase(op).delivery.sent().is_some());
    assert_eq!((desk.buckets(HOUSE)[0], desk.progress()), (-9_470, [0; 4]));
}

#[test]
fn a_return_booked_before_is_known_when_it_is_told_again() {
    let mut desk = Desk::open(instant());
    let op = desk.charge(Some("ana"), 10_000);
    let told =
        |charge| Fact::PixReturned { charge, return_id: "D-1".into(), amount: amount(4_000) };
    waits(desk.fact(told(Some(op))));
    desk.receive(op, 10_000);
    assert_eq!(desk.fact(told(Some(op))), Outcome::Known);
    assert_eq!(desk.fact(told(None)), Outcome::Known);
    assert_eq!(desk.of("ana"), [5_900, 0, 0]);
}

#[test]
fn a_person_gives_a_return_in_suspense_to_its_charge() {
    let mut desk = Desk::open(instant());
    let op = desk.deposit(Some("ana"), 10_000);
    let back = waits(desk.fact(Fact::PixReturned {
        charge: None,
        return_id: "D-1".into(),
        amount: amount(4_000),
    }));
    assert_eq!(desk.fact(attach(back, op)), Outcome::Applied(None));
    assert_eq!(desk.fact(attach(back, op)), Outcome::Known);
    assert!(desk.is_taken_over(back, op));
    assert_eq!((desk.of("ana"), desk.progress()), ([5_900, 0, 0], [6_000, 0, 0, 0]));
    let more = waits(desk.give_back(op, 6_001));
    assert_eq!(desk.fact(attach(more, op)), Outcome::SetAside(None), "more than is left");
}

#[test]
fn a_payout_that_came_back_before_it_was_told_paid_is_booked_with_its_payment() {
    for (parts, fee_back) in [(&[5_000][..], true), (&[2_000, 3_000][..], false)] {
        let terms = Terms { payout_partner: bps(50), ..instant() };
        let mut desk = Desk::open(terms);
        let mut policy = (*desk.ledger.state.policy).clone();
        policy.returned_payout_refunds_fee = if fee_back { Switch::On } else { Switch::Off };
        desk.fact(Fact::PolicyAdopted(policy));
        desk.deposit(Some("ana"), 10_000);
        let op = created(desk.pay(Some("ana"), 5_000).unwrap());
        let before = desk.of("ana");
        let back: Vec<OpId> =
            parts.iter().map(|cents| waits(desk.payout_back(op, *cents))).collect();
        assert_eq!(desk.total(Control::SuspensePix), 5_000);
        assert_eq!(desk.of("ana"), before, "nothing of it is the customer's yet");
        let paid = Fact::PayoutPaid { payout: Some(op), e2e: "E-9".into(), amount: None };
        assert_eq!(desk.fact(paid), Outcome::Applied(None));
        assert!(back.into_iter().all(|back| desk.is_taken_over(back, op)));
        assert_eq!((desk.total(Control::SuspensePix), desk.total(Control::ProviderPay)), (0, 0));
        let Machine::Payout(state) = desk.operation(op).machine else { panic!("a payout") };
        assert!(matches!(state, payout::State::Returned(_)));
        let fee = if fee_back { 75 + 25 } else { 0 };
        assert_eq!(desk.of("ana")[0], before[0] + 5_000 + fee);
    }
}

#[test]
fn more_than_was_paid_comes_back_to_nobody() {
    let mut desk = Desk::open(instant());
    desk.deposit(Some("ana"), 10_000);
    let op = created(desk.pay(Some("ana"), 5_000).unwrap());
    let [fits, more] = [4_000, 2_000].map(|cents| waits(desk.payout_back(op, cents)));
    desk.fact(Fact::PayoutPaid { payout: Some(op), e2e: "E-9".into(), amount: None });
    assert!(desk.is_taken_over(fits, op) && !desk.is_taken_over(more, op));
    assert_eq!(desk.total(Control::SuspensePix), 2_000);
}

#[test]
fn what_came_back_of_a_payout_that_failed_waits_for_a_person() {
    let mut desk = Desk::open(instant());
    desk.deposit(Some("ana"), 10_000);
    let op = created(desk.pay(Some("ana"), 5_000).unwrap());
    let back = waits(desk.payout_back(op, 5_000));
    desk.fact(Fact::PayoutRefused { payout: Some(op) });
    assert!(!desk.is_taken_over(back, op));
    assert_eq!((desk.of("ana")[0], desk.total(Control::SuspensePix)), (9_900, 5_000));
}

impl Desk {
    fn payout_back(&mut self, payout: OpId, cents: i64) -> Outcome {
        self.told += 1;
        let return_id = format!("D{}", self.told).into();
        self.fact(Fact::PayoutReturned { payout: Some(payout), return_id, amount: amount(cents) })
    }
}
