//! Money that went back before its time: while a delivery was under way, or before the payment
//! itself was reported (rulings 28, 45 and 46).

use ledger_core::accounting::{CoinAccount, Control};
use ledger_core::id::OpId;
use ledger_core::ledger::account::Fact as AccountFact;
use ledger_core::ledger::charge::Fact as ChargeFact;
use ledger_core::ledger::payout::Fact as PayoutFact;
use ledger_core::ledger::purchase::Fact as PurchaseFact;
use ledger_core::ledger::suspense::Fact as SuspenseFact;
use ledger_core::ledger::{Fact, GiveUpTo, Machine, Outcome, Topic};
use ledger_core::machine::charge;
use ledger_core::machine::delivery::{self, DeliveryReport};
use ledger_core::machine::purchase::End;
use ledger_core::machine::{erroneous_delivery, payout, suspense};
use ledger_core::terms::{Release, Switch, Terms};

use super::counter::{decided_by, partnered};
use super::{HOUSE, Harness, created, instant};
use crate::samples::{POLYGON, amount, bps};

/// Returns what was put aside.
fn waits(outcome: Outcome) -> OpId {
    match outcome {
        Outcome::SetAside(Some(op)) => op,
        other => panic!("{other:?} put nothing aside"),
    }
}

/// Evidence of what became of a delivery.
fn found(op: OpId, sent: Option<&str>) -> Fact {
    let sent = sent.map(Into::into);
    Fact::Purchase(PurchaseFact::DeliveryEvidence { op: Some(op), sent, decided_by: decided_by() })
}

fn resume(op: OpId) -> Fact {
    Fact::Purchase(PurchaseFact::DeliveryResumed { op: Some(op), decided_by: decided_by() })
}

impl Harness {
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

    /// Tells whether what was put aside has found its reason.
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
    let mut harness = Harness::trading(instant());
    let op = harness.attempted(Some(DeliveryReport::Lose));
    let back = waits(harness.give_back(op, 10_000));
    assert_eq!(harness.progress(), [0, 10_000, 0, 430]);
    assert_eq!(harness.fact(found(op, None)), Outcome::Applied(None));
    assert_eq!(harness.instruction_keys(op), [":deliver:1"], "the payer has his money");
    assert!(harness.purchase(op).is_refunded() && harness.is_taken_over(back, op));
    assert_eq!(harness.progress(), [0; 4], "suspense has found its reason");
    let owed = harness.coin(CoinAccount::DeliveryInFlight(op));
    assert_eq!((harness.total(Control::Fx), harness.coin(CoinAccount::Fx), owed), (0, 0, 0));
    assert_eq!(harness.total(Control::PurchaseIncome), 0);
    let notified = [Topic::ChargePaid, Topic::SettlementFailed, Topic::ChargeRefunded];
    assert_eq!(harness.topics(op), notified);
}

#[test]
fn a_part_that_went_back_during_an_attempt_stops_the_next_one() {
    for report in [None, Some(DeliveryReport::Accept), Some(DeliveryReport::Lose)] {
        let mut harness = Harness::trading(instant());
        let op = harness.attempted(report);
        let back = waits(harness.give_back(op, 4_000));
        harness.deliver(op, DeliveryReport::Fail);
        assert_eq!(harness.instruction_keys(op), [":deliver:1"]);
        assert_eq!(harness.purchase(op).end, Some(End::Halted));
        assert!(harness.is_taken_over(back, op));
        assert_eq!(harness.progress(), [6_000, 0, 0, 6_000]);
        // The rest is a person's: given up, as rulings 36 say.
        assert_eq!(harness.give_up(op, GiveUpTo::Payer("D-9".into())), Outcome::Applied(None));
        assert_eq!(harness.progress(), [0; 4]);
    }
}

#[test]
fn several_returns_during_an_attempt_are_settled_together() {
    let mut harness = Harness::trading(instant());
    let op = harness.attempted(None);
    let first = waits(harness.give_back(op, 4_000));
    let second = waits(harness.give_back(op, 6_000));
    harness.deliver(op, DeliveryReport::Fail);
    assert!(harness.is_taken_over(first, op) && harness.is_taken_over(second, op));
    assert!(harness.purchase(op).is_refunded());
    assert_eq!((harness.progress(), harness.instruction_keys(op).len()), ([0; 4], 1));
}

#[test]
fn what_is_left_is_delivered_by_a_persons_decision() {
    // Of 100.00 with fees of 5.30, 60.00 are left: fees of 3.18, and 56.82 buy 10.522222.
    let mut harness = Harness::trading(partnered());
    let op = harness.attempted(None);
    harness.give_back(op, 4_000);
    harness.deliver(op, DeliveryReport::Fail);
    assert_eq!(
        harness.deliver(op, DeliveryReport::Begin),
        Outcome::SetAside(None),
        "nothing begins by itself"
    );
    assert_eq!(harness.fact(resume(op)), Outcome::Applied(None));
    assert_eq!(harness.fact(resume(op)), Outcome::Known);
    assert_eq!(harness.instruction_keys(op), [":deliver:1", ":deliver:2"]);
    let delivery_terms = harness.purchase(op).delivery_terms();
    assert_eq!((delivery_terms.cost, delivery_terms.units.get()), (amount(5_682), 10_522_222));
    let owed = CoinAccount::DeliveryInFlight(op);
    assert_eq!((harness.progress(), harness.coin(owed)), ([6_000, 0, 0, 318], 10_522_222));
    harness.deliver(op, DeliveryReport::Begin);
    harness.deliver(op, DeliveryReport::Confirm("0xb2".into()));
    assert_eq!((harness.total(Control::PurchaseIncome), harness.commission()), (258, 60));
    let taken = (harness.coin(CoinAccount::Treasury(POLYGON)), harness.coin(CoinAccount::Gas));
    assert_eq!(taken, (10_422_222, 100_000));
    assert_eq!((harness.progress(), harness.coin(owed)), ([6_000, 0, 0, 0], 0));
    // What is returned now is borne up to the net delivered, and the rest reverses the fees of it.
    harness.give_back(op, 5_700);
    assert_eq!((harness.buckets(HOUSE)[0], harness.total(Control::PurchaseIncome)), (-5_682, 243));
    assert_eq!(harness.commission(), 57, "a part of 18 in 318 is 3 of 60");
    harness.give_back(op, 300);
    assert_eq!((harness.total(Control::PurchaseIncome), harness.commission()), (0, 0));
    assert_eq!((harness.buckets(HOUSE)[0], harness.purchase(op).is_refunded()), (-5_682, true));
}

#[test]
fn what_is_left_is_told_in_usdt_as_it_is_delivered() {
    // Rulings 50: 99.99 less 12.34 cost 83.89 by its fee, and 17994 less 5998 as much anew.
    for (paid, back) in [(9_999, 1_234), (17_994, 5_998), (12_345, 777)] {
        let mut harness = Harness::trading(instant());
        let op = harness.buy(paid);
        harness.give_back(op, back);
        assert_eq!(harness.fact(resume(op)), Outcome::Applied(None));
        let rest = harness.purchase(op).rest.unwrap();
        assert_eq!(rest.usdt, Some(rest.delivery_terms.units), "{paid} less {back}");
    }
}

#[test]
fn what_is_left_may_fail_and_lose_another_part_and_go_on() {
    let mut harness = Harness::trading(instant());
    let op = harness.buy(10_000);
    assert_eq!(harness.give_back(op, 2_000), Outcome::Applied(None));
    // The first attempt was asked for when it was paid: what follows is another.
    assert_eq!(harness.fact(resume(op)), Outcome::Applied(None));
    assert_eq!(harness.instruction_keys(op), [":deliver:1", ":deliver:2"]);
    harness.attempt(op, Some(2), DeliveryReport::Begin);
    harness.give_back(op, 3_000);
    harness.deliver(op, DeliveryReport::Fail);
    assert_eq!(harness.purchase(op).end, Some(End::Halted));
    assert_eq!((harness.progress(), harness.total(Control::Fx)), ([5_000, 0, 0, 5_000], 0));
    harness.fact(resume(op));
    assert_eq!(harness.instruction_keys(op).last().unwrap(), ":deliver:3");
    harness.attempt(op, Some(3), DeliveryReport::Confirm("0xc3".into()));
    // 430 on 10,000 are 215 on 5,000.
    assert_eq!((harness.total(Control::PurchaseIncome), harness.total(Control::Fx)), (215, 4_785));
    assert_eq!(harness.progress(), [5_000, 0, 0, 0]);
}

#[test]
fn an_attempt_of_before_sends_what_is_not_owed_any_more() {
    let mut harness = Harness::trading(instant());
    let op = harness.attempted(None);
    harness.give_back(op, 4_000);
    harness.deliver(op, DeliveryReport::Fail);
    harness.fact(resume(op));
    let stock = CoinAccount::Treasury(POLYGON);
    let claim = waits(harness.attempt(op, Some(1), DeliveryReport::Confirm("0xa1".into())));
    let whole = harness.purchase(op).terms().delivery_terms.delivered_units().unwrap().to_i128();
    assert_eq!((harness.coin(stock), harness.coin(CoinAccount::ProviderClaim)), (whole, -whole));
    assert_eq!(
        harness.operation(claim).erroneous_delivery().map(erroneous_delivery::State::has_ended),
        Some(false)
    );
    assert_eq!(harness.purchase(op).end, Some(End::Halted), "a person settles the claim first");
    assert_eq!(harness.fact(resume(op)), Outcome::SetAside(None));
    let end = erroneous_delivery::End::Recovered;
    harness.fact(Fact::Purchase(PurchaseFact::ErroneousDeliverySettled {
        erroneous_delivery: Some(claim),
        end,
        decided_by: decided_by(),
    }));
    harness.fact(resume(op));
    harness.attempt(op, Some(2), DeliveryReport::Confirm("0xb2".into()));
    assert!(harness.purchase(op).delivery.sent_delivery().is_some());
}

#[test]
fn evidence_that_it_was_sent_makes_returns_what_they_are_of_purchases_delivered() {
    let mut harness = Harness::trading(partnered());
    let op = harness.attempted(Some(DeliveryReport::Lose));
    let returns = [4_000, 5_500, 500].map(|cents| waits(harness.give_back(op, cents)));
    assert_eq!(harness.fact(found(op, Some("0xa1"))), Outcome::Applied(None));
    assert!(returns.into_iter().all(|back| harness.is_taken_over(back, op)));
    assert_eq!(harness.buckets(HOUSE)[0], -9_470, "up to the net delivered");
    assert_eq!((harness.total(Control::PurchaseIncome), harness.commission()), (0, 0));
    assert_eq!((harness.progress(), harness.purchase(op).is_refunded()), ([0; 4], true));
    assert_eq!(harness.topics(op).last(), Some(&Topic::ChargeRefunded));
}

#[test]
fn a_return_that_contradicts_the_books_stops_the_delivery_all_the_same() {
    for begun in [false, true] {
        let mut harness = Harness::trading(instant());
        let op = if begun { harness.attempted(None) } else { harness.buy(10_000) };
        let back = waits(harness.give_back(op, 10_001));
        if begun {
            harness.deliver(op, DeliveryReport::Fail);
        }
        assert_eq!(harness.purchase(op).end, Some(End::Halted));
        assert_eq!((harness.instruction_keys(op).len(), harness.total(Control::Fx)), (1, 0));
        assert_eq!(harness.fact(resume(op)), Outcome::SetAside(None), "it may be gone");
        let returned = Fact::Suspense(SuspenseFact::Returned {
            suspense: Some(back),
            return_id: None,
            decided_by: decided_by(),
        });
        assert_eq!(harness.fact(returned), Outcome::Applied(None));
        assert_eq!(harness.fact(resume(op)), Outcome::Applied(None));
        assert_eq!(
            harness.purchase(op).delivery_terms(),
            harness.purchase(op).terms().delivery_terms,
            "all of it"
        );
        assert_eq!(harness.instruction_keys(op), [":deliver:1", ":deliver:2"]);
    }
}

#[test]
fn a_delivery_goes_not_on_while_crypto_sent_for_it_is_a_claim() {
    let mut harness = Harness::trading(instant());
    let op = harness.buy(10_000);
    harness.give_back(op, 4_000);
    let claim = waits(harness.deliver(op, DeliveryReport::Confirm("0xa1".into())));
    assert_eq!(harness.fact(resume(op)), Outcome::SetAside(None));
    let end = erroneous_delivery::End::Recovered;
    harness.fact(Fact::Purchase(PurchaseFact::ErroneousDeliverySettled {
        erroneous_delivery: Some(claim),
        end,
        decided_by: decided_by(),
    }));
    assert_eq!(harness.fact(resume(op)), Outcome::Applied(None));
}

#[test]
fn what_buys_no_more_than_the_network_takes_cannot_go_on() {
    let mut harness = Harness::trading(instant());
    let op = harness.buy(10_000);
    harness.give_back(op, 9_990);
    assert_eq!(harness.fact(resume(op)), Outcome::SetAside(None));
    assert_eq!(harness.give_up(op, GiveUpTo::Custody), Outcome::Applied(None));
    assert_eq!(harness.fact(resume(op)), Outcome::SetAside(None), "it has ended");
    let conversion = {
        harness.deposit(Some("ana"), 10_000);
        created(harness.convert(super::counter::conversion(Some("ana"), 5_000)).unwrap())
    };
    assert_eq!(harness.fact(resume(conversion)), Outcome::SetAside(None));
}

#[test]
fn a_pix_returned_before_it_was_paid_is_never_spendable() {
    let mut harness = Harness::open(instant());
    let op = harness.charge(Some("ana"), 10_000);
    let back = waits(harness.give_back(op, 10_000));
    assert_eq!(harness.progress(), [-10_000, 10_000, 0, 0]);
    assert_eq!(harness.receive(op, 10_000), Outcome::Applied(None));
    assert!(matches!(harness.charge_of(op), charge::State::Refunded(_)));
    assert!(harness.is_taken_over(back, op));
    assert_eq!((harness.balances("ana"), harness.progress()), ([0, 0, 0], [0; 4]));
    assert_eq!(harness.total(Control::DepositIncome), 0);
    assert_eq!(harness.topics(op), [Topic::ChargeRefunded]);
    assert!(harness.transfer(Some("ana"), Some("bia"), 1).is_err());
}

#[test]
fn a_part_returned_before_it_was_paid_is_not_credited() {
    // Rulings 22: the credit is what is left, and the fee at most that.
    for (parts, credited, fee) in
        [(&[4_000][..], 6_000, 100), (&[4_000, 3_000][..], 3_000, 100), (&[9_950][..], 50, 50)]
    {
        let mut harness = Harness::open(instant());
        let op = harness.charge(Some("ana"), 10_000);
        for part in parts {
            waits(harness.give_back(op, *part));
        }
        harness.receive(op, 10_000);
        assert_eq!(harness.balances("ana"), [credited - fee, 0, 0]);
        assert_eq!(harness.total(Control::DepositIncome), i128::from(fee));
        assert_eq!(harness.progress(), [i128::from(credited), 0, 0, 0]);
        let rows = format!(
            "Deposit +{credited} principal, {credited}\nDeposit -{fee} fee, {}\n",
            credited - fee
        );
        assert_eq!(harness.rows("ana"), rows);
    }
}

#[test]
fn returns_above_the_payment_stay_in_suspense() {
    let mut harness = Harness::open(instant());
    let op = harness.charge(Some("ana"), 10_000);
    let [first, more, last] =
        [7_000, 4_000, 3_000].map(|cents| waits(harness.give_back(op, cents)));
    harness.receive(op, 10_000);
    assert!(harness.is_taken_over(first, op) && harness.is_taken_over(last, op));
    assert!(!harness.is_taken_over(more, op));
    assert!(matches!(harness.charge_of(op), charge::State::Refunded(_)));
    assert_eq!((harness.balances("ana"), harness.progress()), ([0, 0, 0], [-4_000, 4_000, 0, 0]));
}

#[test]
fn a_return_is_booked_by_whatever_tells_of_the_payment() {
    let retention = Terms { retention_above: Some(amount(5_000)), ..instant() };
    let payment = |harness: &mut Harness| harness.payment(10_000);
    // Held at the provider, then released; with and without the PIX.
    let mut harness = Harness::open(retention);
    let op = harness.charge(Some("ana"), 10_000);
    harness.give_back(op, 4_000);
    harness.receive(op, 10_000);
    assert_eq!(harness.progress(), [6_000, 0, 0, 6_000]);
    harness.fact(Fact::Charge(ChargeFact::ProviderReleased { charge: Some(op), payment: None }));
    assert_eq!(harness.balances("ana"), [5_900, 0, 0]);
    let op = harness.charge(Some("bia"), 10_000);
    harness.give_back(op, 10_000);
    let pix = payment(&mut harness);
    harness
        .fact(Fact::Charge(ChargeFact::ProviderReleased { charge: Some(op), payment: Some(pix) }));
    assert!(matches!(harness.charge_of(op), charge::State::Refunded(_)));
    // Seen first.
    let mut harness = Harness::open(instant());
    let op = harness.charge(Some("ana"), 10_000);
    harness.give_back(op, 4_000);
    let pix = payment(&mut harness);
    harness.fact(Fact::Charge(ChargeFact::PixSeen { charge: Some(op), payment: pix }));
    assert_eq!(harness.progress(), [6_000, 0, 0, 6_000]);
    harness.fact(Fact::Charge(ChargeFact::ProviderSettled { charge: Some(op) }));
    assert_eq!(harness.balances("ana"), [5_900, 0, 0]);
    // Paid late, and attached by a person from suspense.
    let op = harness.charge(Some("bia"), 10_000);
    harness.pass("2026-10-21T12:00:00Z");
    let late = waits(harness.receive(op, 10_000));
    let back = waits(harness.give_back(op, 10_000));
    assert_eq!(harness.fact(attach(late, op)), Outcome::Applied(None));
    assert!(harness.is_taken_over(back, op));
    assert!(matches!(harness.charge_of(op), charge::State::Refunded(_)));
    assert_eq!((harness.balances("bia"), harness.progress()), ([0, 0, 0], [6_000, 0, 0, 0]));
}

fn attach(suspense: OpId, charge: OpId) -> Fact {
    Fact::Suspense(SuspenseFact::Attached {
        suspense: Some(suspense),
        charge: Some(charge),
        decided_by: decided_by(),
    })
}

#[test]
fn a_credit_of_what_is_left_waits_for_its_day_like_any_other() {
    let terms = Terms { release: Release::NextDay, ..instant() };
    let mut harness = Harness::open(terms);
    let op = harness.charge(Some("ana"), 10_000);
    harness.give_back(op, 4_000);
    harness.receive(op, 10_000);
    assert_eq!(harness.balances("ana"), [0, 5_900, 0]);
}

#[test]
fn a_purchase_whose_pix_went_back_before_it_was_paid_is_never_delivered() {
    let mut harness = Harness::trading(instant());
    let op = harness.order(None, 10_000);
    harness.give_back(op, 10_000);
    harness.receive(op, 10_000);
    assert!(matches!(harness.charge_of(op), charge::State::Refunded(_)));
    assert_eq!((harness.instruction_keys(op).len(), harness.progress()), (0, [0; 4]));
    let op = harness.order(None, 10_000);
    harness.give_back(op, 4_000);
    harness.receive(op, 10_000);
    assert_eq!(
        (harness.instruction_keys(op).len(), harness.purchase(op).end),
        (0, Some(End::Halted))
    );
    let op = harness.order(None, 10_000);
    waits(harness.give_back(op, 10_001));
    harness.receive(op, 10_000);
    assert_eq!(
        (harness.instruction_keys(op).len(), harness.purchase(op).end),
        (0, Some(End::Halted))
    );
}

#[test]
fn a_delivery_that_tells_of_its_payment_was_made_whatever_went_back() {
    let mut harness = Harness::trading(partnered());
    let op = harness.order(None, 10_000);
    let back = waits(harness.give_back(op, 10_000));
    let payment = Some(harness.payment(10_000));
    let command =
        delivery::Command { attempt: None, report: DeliveryReport::Confirm("0xa1".into()) };
    let sent =
        harness.fact(Fact::Purchase(PurchaseFact::Delivery { op: Some(op), command, payment }));
    assert_eq!(sent, Outcome::Applied(None));
    assert!(
        harness.is_taken_over(back, op) && harness.purchase(op).delivery.sent_delivery().is_some()
    );
    assert_eq!((harness.buckets(HOUSE)[0], harness.progress()), (-9_470, [0; 4]));
}

#[test]
fn a_return_booked_before_is_known_when_it_is_reported_again() {
    let mut harness = Harness::open(instant());
    let op = harness.charge(Some("ana"), 10_000);
    let returned = |charge| {
        Fact::Charge(ChargeFact::PixReturned {
            charge,
            return_id: "D-1".into(),
            amount: amount(4_000),
        })
    };
    waits(harness.fact(returned(Some(op))));
    harness.receive(op, 10_000);
    assert_eq!(harness.fact(returned(Some(op))), Outcome::Known);
    assert_eq!(harness.fact(returned(None)), Outcome::Known);
    assert_eq!(harness.balances("ana"), [5_900, 0, 0]);
}

#[test]
fn a_person_gives_a_return_in_suspense_to_its_charge() {
    let mut harness = Harness::open(instant());
    let op = harness.deposit(Some("ana"), 10_000);
    let back = waits(harness.fact(Fact::Charge(ChargeFact::PixReturned {
        charge: None,
        return_id: "D-1".into(),
        amount: amount(4_000),
    })));
    assert_eq!(harness.fact(attach(back, op)), Outcome::Applied(None));
    assert_eq!(harness.fact(attach(back, op)), Outcome::Known);
    assert!(harness.is_taken_over(back, op));
    assert_eq!((harness.balances("ana"), harness.progress()), ([5_900, 0, 0], [6_000, 0, 0, 0]));
    let more = waits(harness.give_back(op, 6_001));
    assert_eq!(harness.fact(attach(more, op)), Outcome::SetAside(None), "more than is left");
}

#[test]
fn a_payout_that_came_back_before_it_was_reported_paid_is_booked_with_its_payment() {
    for (parts, fee_back) in [(&[5_000][..], true), (&[2_000, 3_000][..], false)] {
        let terms = Terms { payout_partner: bps(50), ..instant() };
        let mut harness = Harness::open(terms);
        let mut policy = (*harness.ledger.state.policy).clone();
        policy.returned_payout_refunds_fee = if fee_back { Switch::On } else { Switch::Off };
        harness.fact(Fact::Account(AccountFact::PolicyAdopted(policy)));
        harness.deposit(Some("ana"), 10_000);
        let op = created(harness.pay(Some("ana"), 5_000).unwrap());
        let before = harness.balances("ana");
        let back: Vec<OpId> =
            parts.iter().map(|cents| waits(harness.payout_back(op, *cents))).collect();
        assert_eq!(harness.total(Control::SuspensePix), 5_000);
        assert_eq!(harness.balances("ana"), before, "nothing of it is the customer's yet");
        let paid =
            Fact::Payout(PayoutFact::Paid { payout: Some(op), e2e: "E-9".into(), amount: None });
        assert_eq!(harness.fact(paid), Outcome::Applied(None));
        assert!(back.into_iter().all(|back| harness.is_taken_over(back, op)));
        assert_eq!(
            (harness.total(Control::SuspensePix), harness.total(Control::ProviderPay)),
            (0, 0)
        );
        let Machine::Payout(state) = harness.operation(op).machine else { panic!("a payout") };
        assert!(matches!(state, payout::State::Returned(_)));
        let fee = if fee_back { 75 + 25 } else { 0 };
        assert_eq!(harness.balances("ana")[0], before[0] + 5_000 + fee);
    }
}

#[test]
fn more_than_was_paid_comes_back_to_nobody() {
    let mut harness = Harness::open(instant());
    harness.deposit(Some("ana"), 10_000);
    let op = created(harness.pay(Some("ana"), 5_000).unwrap());
    let [fits, more] = [4_000, 2_000].map(|cents| waits(harness.payout_back(op, cents)));
    harness.fact(Fact::Payout(PayoutFact::Paid {
        payout: Some(op),
        e2e: "E-9".into(),
        amount: None,
    }));
    assert!(harness.is_taken_over(fits, op) && !harness.is_taken_over(more, op));
    assert_eq!(harness.total(Control::SuspensePix), 2_000);
}

#[test]
fn what_came_back_of_a_payout_that_failed_waits_for_a_person() {
    let mut harness = Harness::open(instant());
    harness.deposit(Some("ana"), 10_000);
    let op = created(harness.pay(Some("ana"), 5_000).unwrap());
    let back = waits(harness.payout_back(op, 5_000));
    harness.fact(Fact::Payout(PayoutFact::Refused { payout: Some(op) }));
    assert!(!harness.is_taken_over(back, op));
    assert_eq!((harness.balances("ana")[0], harness.total(Control::SuspensePix)), (9_900, 5_000));
}

impl Harness {
    fn payout_back(&mut self, payout: OpId, cents: i64) -> Outcome {
        self.reported += 1;
        let return_id = format!("D{}", self.reported).into();
        self.fact(Fact::Payout(PayoutFact::Returned {
            payout: Some(payout),
            return_id,
            amount: amount(cents),
        }))
    }
}
