//! Purchases from their issue to their delivery: W04, W08, W14, W16, W68, W70; rulings 36.

use ledger_core::accounting::{CoinAccount, Control};
use ledger_core::ledger::account::Fact as AccountFact;
use ledger_core::ledger::charge::Fact as ChargeFact;
use ledger_core::ledger::purchase::Fact as PurchaseFact;
use ledger_core::ledger::suspense::Fact as SuspenseFact;
use ledger_core::ledger::{Fact, GiveUpTo, Outcome, Refusal};
use ledger_core::machine::charge;
use ledger_core::machine::delivery::{self, DeliveryReport};
use ledger_core::machine::erroneous_delivery;
use ledger_core::machine::purchase::End;
use ledger_core::terms::{Rate, Terms};

use super::counter::{decided_by, minimum, partnered, purchase};
use super::{HOUSE, Harness, created, instant};
use crate::samples::{POLYGON, amount, as_cents, at, bps, listing, price, units};

#[test]
fn a_purchase_stands_in_flight_until_it_is_delivered_and_is_earned_then() {
    // W08, W70; the partner's part is never our income (rulings 18).
    let mut harness = Harness::trading(partnered());
    let op = harness.buy(10_000);
    assert_eq!(
        (harness.total(Control::PixInFlight), harness.total(Control::ProviderPix)),
        (10_000, 10_000)
    );
    harness.deliver(op, DeliveryReport::Begin);
    let owed = CoinAccount::DeliveryInFlight(op);
    assert_eq!((harness.total(Control::PixInFlight), harness.total(Control::Fx)), (530, 9_470));
    assert_eq!((harness.coin(owed), harness.coin(CoinAccount::Fx)), (17_537_037, -17_537_037));
    assert_eq!((harness.total(Control::PurchaseIncome), harness.commission()), (0, 0));
    harness.deliver(op, DeliveryReport::Confirm("0xa1".into()));
    assert_eq!((harness.total(Control::PixInFlight), harness.coin(owed)), (0, 0));
    assert_eq!((harness.total(Control::PurchaseIncome), harness.commission()), (430, 100));
    let taken = (harness.coin(CoinAccount::Treasury(POLYGON)), harness.coin(CoinAccount::Gas));
    assert_eq!(taken, (17_437_037, 100_000));
    assert_eq!(harness.commission_rows(), "CommissionEarned +100, 100\n");
    assert_eq!(harness.buckets(HOUSE), [0, 0, 0], "a purchase posts to no custody");
}

#[test]
fn the_price_and_the_fees_are_those_of_the_issue() {
    // INV-21, rulings 40: neither a later price nor later terms touch it.
    let mut harness = Harness::trading(partnered());
    let op = harness.order(None, 10_000);
    harness.quote("usdt", "10.00");
    let terms = Terms { purchase: Rate { bps: bps(1_000), fixed: as_cents(0) }, ..instant() };
    harness.fact(Fact::Account(AccountFact::TermsAdopted {
        account: "shop".into(),
        from: None,
        terms,
    }));
    harness.list(listing(1, 5_000_000));
    harness.receive(op, 10_000);
    harness.deliver(op, DeliveryReport::Begin);
    harness.deliver(op, DeliveryReport::Confirm("0xa1".into()));
    let terms = harness.purchase(op).terms().clone();
    assert_eq!((terms.quote.price, terms.delivery_terms.units), (price("5.40"), units(17_537_037)));
    assert_eq!(terms.delivery_terms.network_fee, Some(units(100_000)));
    assert_eq!((harness.total(Control::PurchaseIncome), harness.commission()), (430, 100));
}

#[test]
fn fees_change_at_midnight_of_brasilia() {
    // W68, P:EffectiveZone.
    let earlier = Terms { purchase: Rate { bps: bps(250), fixed: as_cents(100) }, ..instant() };
    let mut harness = Harness::trading(earlier);
    harness.pass("2027-10-15T02:00:00Z");
    let from = Some(at("2027-10-15T03:00:00Z"));
    harness.fact(Fact::Account(AccountFact::TermsAdopted {
        account: "shop".into(),
        from,
        terms: instant(),
    }));
    let mut fee = |now| {
        harness.now = at(now);
        let op = harness.buy(10_000);
        harness.purchase(op).terms().fees.total().unwrap().cents()
    };
    assert_eq!([fee("2027-10-15T02:59:59Z"), fee("2027-10-15T03:00:01Z")], [350, 430]);
}

#[test]
fn the_minimum_that_is_stated_passes_and_one_centavo_less_does_not() {
    // W14, W16, INV-43: the network's minimum and the account's.
    for (least, expected) in [(1, 104), (1_011_000, 668), (5_006_500, 2_899)] {
        let mut harness = Harness::open(instant());
        harness.list(listing(least, 0));
        harness.quote("usdt", "5.40");
        let below = harness.request(purchase(None, 100));
        assert_eq!(minimum(below), Some(expected));
        assert_eq!(minimum(harness.request(purchase(None, expected - 1))), Some(expected));
        assert!(harness.request(purchase(None, expected)).is_ok());
    }
    let mut harness = Harness::open(instant());
    harness.list(listing(10_u128.pow(12), 0));
    harness.quote("usdt", "5.40");
    assert_eq!(minimum(harness.request(purchase(None, 600_000))), None, "nothing in range passes");
    let above = harness.request(purchase(None, 600_001));
    assert!(matches!(above, Err(Refusal::BelowMinimum { .. } | Refusal::AboveMaximum { .. })));
}

#[test]
fn a_failed_attempt_is_followed_by_another_and_an_unknown_one_by_evidence() {
    // A2, W72.
    let mut harness = Harness::trading(instant());
    let op = harness.buy(10_000);
    harness.deliver(op, DeliveryReport::Begin);
    harness.deliver(op, DeliveryReport::Fail);
    harness.attempt(op, Some(2), DeliveryReport::Begin);
    harness.deliver(op, DeliveryReport::Lose);
    assert_eq!(harness.attempt(op, Some(4), DeliveryReport::Begin), Outcome::SetAside(None));
    assert_eq!(harness.give_up(op, GiveUpTo::Custody), Outcome::SetAside(None));
    let found = |sent: Option<&str>| {
        Fact::Purchase(PurchaseFact::DeliveryEvidence {
            op: Some(op),
            sent: sent.map(Into::into),
            decided_by: decided_by(),
        })
    };
    assert_eq!(harness.fact(found(None)), Outcome::Applied(None));
    assert_eq!(harness.purchase(op).delivery, delivery::State::Retrying(2));
    harness.deliver(op, DeliveryReport::Begin);
    harness.deliver(op, DeliveryReport::Lose);
    assert_eq!(harness.fact(found(Some("0xa1"))), Outcome::Applied(None));
    assert_eq!(harness.fact(found(Some("0xa1"))), Outcome::Known);
    assert_eq!(
        harness.coin(CoinAccount::Treasury(POLYGON)),
        harness.purchase(op).terms().delivery_terms.delivered_units().unwrap().to_i128()
    );
}

#[test]
fn a_delivery_given_up_to_the_payer_goes_back_once() {
    // Rulings 36; the provider's own news of that return is known.
    let mut harness = Harness::trading(instant());
    let op = harness.buy(10_000);
    harness.deliver(op, DeliveryReport::Begin);
    harness.deliver(op, DeliveryReport::Fail);
    let to_payer = || GiveUpTo::Payer("D-1".into());
    assert_eq!(harness.give_up(op, to_payer()), Outcome::Applied(None));
    assert!(harness.purchase(op).is_refunded());
    let back = Fact::Charge(ChargeFact::PixReturned {
        charge: Some(op),
        return_id: "D-1".into(),
        amount: amount(10_000),
    });
    assert_eq!(harness.fact(back), Outcome::Known);
    assert_eq!((harness.total(Control::ProviderPix), harness.total(Control::Fx)), (0, 0));
    // One return is one return: it gives up no other purchase.
    let other = harness.buy(5_000);
    assert_eq!(harness.give_up(other, to_payer()), Outcome::SetAside(None));
}

#[test]
fn a_delivery_given_up_to_custody_is_credited_to_the_customer_it_names() {
    let mut harness = Harness::trading(instant());
    let named = harness.order(Some("ana"), 10_000);
    harness.receive(named, 10_000);
    assert_eq!(harness.give_up(named, GiveUpTo::Custody), Outcome::Applied(None));
    assert_eq!(harness.balances("ana"), [10_000, 0, 0]);
    assert_eq!(harness.rows("ana"), "Deposit +10000 principal, 10000\n");
    let ana = harness.named("ana");
    assert_eq!(harness.purchase(named).end, Some(End::Credited(ana, amount(10_000))));
    let plain = harness.buy(5_000);
    harness.give_up(plain, GiveUpTo::Custody);
    assert_eq!(harness.buckets(HOUSE), [5_000, 0, 0]);
    assert_eq!(harness.give_up(plain, GiveUpTo::Custody), Outcome::Known);
    // What is returned of it afterwards is Ana's to bear.
    harness.give_back(named, 10_000);
    assert_eq!((harness.balances("ana"), harness.buckets(HOUSE)), ([0, 0, 0], [5_000, 0, 0]));
    assert!(harness.purchase(named).is_refunded());
}

#[test]
fn crypto_sent_although_its_money_went_elsewhere_is_a_claim_until_somebody_settles_it() {
    // Rulings 1 and 2.
    for (end, lost) in
        [(erroneous_delivery::End::Recovered, 0), (erroneous_delivery::End::Lost, -17_622_222)]
    {
        let mut harness = Harness::trading(instant());
        let op = harness.buy(10_000);
        harness.give_up(op, GiveUpTo::Custody);
        let claim = match harness.deliver(op, DeliveryReport::Confirm("0xa1".into())) {
            Outcome::SetAside(Some(claim)) => claim,
            other => panic!("{other:?}"),
        };
        assert_eq!(harness.coin(CoinAccount::ProviderClaim), -17_622_222);
        assert_eq!(harness.buckets(HOUSE), [10_000, 0, 0]);
        let settled = Fact::Purchase(PurchaseFact::ErroneousDeliverySettled {
            erroneous_delivery: Some(claim),
            end,
            decided_by: decided_by(),
        });
        assert_eq!(harness.fact(settled.clone()), Outcome::Applied(None));
        assert_eq!(harness.fact(settled), Outcome::Known);
        let left = (harness.coin(CoinAccount::ProviderClaim), harness.coin(CoinAccount::Loss));
        assert_eq!(left, (0, lost));
    }
}

#[test]
fn a_second_transaction_for_one_purchase_is_a_claim() {
    let mut harness = Harness::trading(instant());
    let op = harness.bought(10_000);
    let before = harness.coin(CoinAccount::Treasury(POLYGON));
    let again = harness.deliver(op, DeliveryReport::Confirm("0xb2".into()));
    assert!(matches!(again, Outcome::SetAside(Some(_))), "{again:?}");
    assert_eq!(harness.coin(CoinAccount::Treasury(POLYGON)), 2 * before);
    assert_eq!(harness.coin(CoinAccount::ProviderClaim), -before);
    assert!(harness.purchase(op).delivery.sent_delivery().is_some());
}

#[test]
fn a_pix_of_another_amount_is_not_attached_to_a_purchase() {
    let mut harness = Harness::trading(instant());
    let op = harness.order(None, 10_000);
    let Outcome::SetAside(Some(suspense)) = harness.receive(op, 9_999) else { panic!() };
    let decided_by = decided_by();
    let attached = Fact::Suspense(SuspenseFact::Attached {
        suspense: Some(suspense),
        charge: Some(op),
        decided_by,
    });
    assert_eq!(harness.fact(attached), Outcome::SetAside(None));
    // The right one, late: the operator gives it.
    harness.pass("2026-10-20T13:00:00Z");
    let Outcome::SetAside(Some(suspense)) = harness.receive(op, 10_000) else { panic!() };
    let attached = Fact::Suspense(SuspenseFact::Attached {
        suspense: Some(suspense),
        charge: Some(op),
        decided_by,
    });
    assert_eq!(harness.fact(attached), Outcome::Applied(None));
    assert!(matches!(harness.operation(op).charge(), Some(charge::State::Bought(_))));
    assert_eq!(
        (harness.total(Control::PixInFlight), harness.total(Control::SuspensePix)),
        (10_000, 9_999)
    );
}

#[test]
fn a_purchase_repeated_answers_with_the_original_whatever_was_switched_off_since() {
    // Rulings 7, INV-27.
    let mut harness = Harness::trading(instant());
    let mut asked = purchase(None, 10_000);
    asked.external_id = Some("order-1".into());
    let op = created(harness.request(asked.clone()).unwrap());
    let policy = ledger_core::terms::Policy {
        cash_in_paused: ledger_core::terms::Switch::On,
        ..super::unlimited()
    };
    harness.fact(Fact::Account(AccountFact::PolicyAdopted(policy)));
    assert_eq!(harness.request(asked.clone()), Ok(Outcome::Repeated(op)));
    assert_eq!(harness.request(purchase(None, 10_000)), Err(Refusal::CashInPaused));
    let other = ledger_core::ledger::ChargeRequest { amount: amount(10_001), ..asked };
    assert!(matches!(harness.request(other), Err(Refusal::IdentityDiverges { .. })));
}
