//! Transactions that vanish and are mined again, and news that names the wrong order: whatever is
//! told, what arrived is booked, and once (rulings 1, 2 and 8).

use ledger_core::accounting::CoinAccount;
use ledger_core::id::{AssetId, Kind, OpId};
use ledger_core::ledger::{CashOutRequest, Fact, Outcome, SaleReport, Topic};
use ledger_core::machine::cash_out::{AmountBasis, Deposit, Stage};
use ledger_core::machine::refund::Coins;
use ledger_core::machine::unmatched_deposit;

use super::Harness;
use super::sales::{W44, person, sale, unmatched as unmatched_of, usdt};
use crate::samples::{POLYGON, amount};

const APPLIED: Outcome = Outcome::Applied(None);
const ASIDE: Outcome = Outcome::SetAside(None);

fn seen(deposit: &Deposit) -> SaleReport {
    SaleReport::Seen(deposit.clone())
}

/// Reported in full: that implies that it was seen.
fn confirmed(deposit: &Deposit) -> SaleReport {
    SaleReport::Confirmed { hash: deposit.hash.clone(), deposit: Some(deposit.clone()) }
}

fn later(harness: &mut Harness, seconds: u32) {
    harness.now = harness.now.after(ledger_core::time::Span::seconds(seconds));
}

fn stock(harness: &Harness) -> (i128, i128) {
    let of = |account| harness.coin(account);
    (of(CoinAccount::Transit(POLYGON)), of(CoinAccount::Treasury(POLYGON)))
}

/// A ledger with an order that was accepted.
fn harness() -> (Harness, OpId) {
    let mut harness = Harness::buying();
    let order = harness.sell(sale(10_000, person(1)));
    (harness, order)
}

#[test]
fn what_vanished_and_is_mined_again_is_a_deposit_again() {
    let (mut harness, order) = harness();
    let first = harness.deposit_of(usdt(W44), "0xa1");
    assert_eq!(harness.report(order, seen(&first)), APPLIED);
    assert_eq!(harness.vanish(order, "0xa1"), APPLIED);
    assert_eq!((harness.stage(order), stock(&harness)), (Stage::Awaiting, (0, 0)));
    later(&mut harness, 30);
    let again = harness.deposit_of(usdt(W44), "0xa1");
    assert_eq!(harness.report(order, seen(&again)), APPLIED);
    assert_eq!(harness.stage(order), Stage::Detected);
    // Each of the two is reported twice, and known.
    assert_eq!(harness.report(order, seen(&first)), Outcome::Known);
    assert_eq!(harness.report(order, seen(&again)), Outcome::Known);
    // It vanishes and comes a third time, and is confirmed and paid as any other.
    assert_eq!(harness.vanish(order, "0xa1"), APPLIED);
    assert_eq!(harness.vanish(order, "0xa1"), Outcome::Known);
    assert_eq!(harness.report(order, seen(&again)), Outcome::Known);
    later(&mut harness, 30);
    assert_eq!(harness.see(order, usdt(W44), "0xa1"), APPLIED);
    assert_eq!(harness.confirm(order, "0xa1"), APPLIED);
    assert_eq!(harness.confirm(order, "0xa1"), Outcome::Known);
    assert_eq!(harness.pay_sale(order, "E1"), APPLIED);
    assert_eq!(harness.stage(order), Stage::Completed);
    assert_eq!(stock(&harness), (0, -i128::try_from(W44).unwrap()));
}

#[test]
fn a_confirmation_of_what_vanished_says_that_it_was_mined_again() {
    // What it brought is known from before: nothing needs to be reported twice.
    let (mut harness, order) = harness();
    harness.see(order, usdt(W44), "0xa1");
    harness.vanish(order, "0xa1");
    later(&mut harness, 30);
    assert_eq!(harness.confirm(order, "0xa1"), APPLIED);
    assert_eq!(harness.stage(order), Stage::Paying);
    assert_eq!(harness.confirm(order, "0xa1"), Outcome::Known);
    assert_eq!(harness.see(order, usdt(W44), "0xa1"), Outcome::Known);
    assert_eq!(stock(&harness), (0, -i128::try_from(W44).unwrap()));
    // A vanishing of what was confirmed is a claim, and known when it is told again.
    assert!(matches!(harness.vanish(order, "0xa1"), Outcome::SetAside(Some(_))));
    assert_eq!(harness.vanish(order, "0xa1"), Outcome::Known);
}

#[test]
fn what_is_mined_again_too_late_for_its_order_is_what_any_late_deposit_is() {
    let (mut harness, order) = harness();
    harness.see(order, usdt(W44), "0xa1");
    harness.vanish(order, "0xa1");
    // Another deposit was paid meanwhile.
    harness.see(order, usdt(W44), "0xa2");
    harness.confirm(order, "0xa2");
    later(&mut harness, 30);
    let late = unmatched_of(harness.confirm(order, "0xa1"));
    let back = harness.receipt_of(late).to_refund();
    assert_eq!((back, harness.stage(order)), (Some(usdt(W44)), Stage::Paying));
    assert_eq!(stock(&harness), (0, -2 * i128::try_from(W44).unwrap()));
}

#[test]
fn a_receipt_that_vanished_is_a_receipt_again() {
    let (mut harness, order) = harness();
    harness.see(order, usdt(W44), "0xa1");
    harness.confirm(order, "0xa1");
    let first = unmatched_of(harness.see(order, usdt(7), "0xa2"));
    assert_eq!(harness.vanish(order, "0xa2"), APPLIED);
    assert!(matches!(harness.receipt_of(first), unmatched_deposit::State::Vanished(_)));
    later(&mut harness, 30);
    // Reported by its transaction alone, it is of the order that it was of.
    let report = SaleReport::Confirmed { hash: "0xa2".into(), deposit: None };
    let again = unmatched_of(harness.fact(Fact::Sale { order: None, report }));
    let known = harness.receipt_of(again);
    assert_eq!(known.order().unwrap().about, Some(order));
    assert_eq!(known.to_refund(), Some(usdt(7)));
    assert_eq!(harness.coin(CoinAccount::Suspense), 0);
}

#[test]
fn what_vanished_unmatched_is_reported_again_of_it_and_may_be_anothers_deposit() {
    let vanished = || {
        let (mut harness, order) = harness();
        harness.see(order, usdt(W44), "0xa1");
        harness.confirm(order, "0xa1");
        let deposit = harness.deposit_of(usdt(W44), "0xa2");
        let unmatched = unmatched_of(harness.report(order, seen(&deposit)));
        assert_eq!(harness.vanish(unmatched, "0xa2"), APPLIED);
        (harness, unmatched, deposit)
    };
    // The same sighting, of the unmatched deposit that it was.
    let (mut harness, unmatched, deposit) = vanished();
    assert_eq!(harness.report(unmatched, seen(&deposit)), Outcome::Known);
    // It was another order's all along.
    let (mut harness, _, deposit) = vanished();
    let other = harness.sell(sale(10_000, person(2)));
    assert_eq!(harness.report(other, seen(&deposit)), APPLIED);
    assert_eq!(harness.stage(other), Stage::Detected);
    // Reported later, it is what was seen last.
    let (mut harness, _, _) = vanished();
    later(&mut harness, 30);
    let again = harness.deposit_of(usdt(W44 + 1), "0xa2");
    let again = unmatched_of(harness.fact(Fact::Sale { order: None, report: seen(&again) }));
    let known = harness.receipt_of(again);
    let deposit = &known.order().unwrap().deposit;
    assert_eq!((deposit.coins, known.order().unwrap().about.is_some()), (usdt(W44 + 1), true));
}

#[test]
fn what_is_mined_again_after_nobody_reported_it_is_booked() {
    let (mut harness, order) = harness();
    assert_eq!(harness.vanish(order, "0xa1"), ASIDE);
    assert_eq!(harness.see(order, usdt(W44), "0xa1"), APPLIED);
    assert_eq!(harness.stage(order), Stage::Awaiting);
    later(&mut harness, 30);
    assert_eq!(harness.see(order, usdt(W44), "0xa1"), APPLIED);
    assert_eq!(
        (harness.stage(order), stock(&harness).0),
        (Stage::Detected, -i128::try_from(W44).unwrap())
    );
}

#[test]
fn what_vanishes_after_it_was_confirmed_is_a_claim() {
    let (mut harness, order) = harness();
    harness.see(order, usdt(W44), "0xa1");
    harness.confirm(order, "0xa1");
    let claim = unmatched_of(harness.vanish(order, "0xa1"));
    assert!(harness.operation(claim).erroneous_delivery().is_some());
    assert_eq!(harness.vanish(order, "0xa1"), Outcome::Known);
    assert_eq!(harness.coin(CoinAccount::ProviderClaim), -i128::try_from(W44).unwrap());
    assert_eq!(stock(&harness), (0, 0));
    // It is the same coins when they are reported again: the claim is on them, and nothing is paid
    // twice.
    later(&mut harness, 30);
    assert_eq!(harness.see(order, usdt(W44), "0xa1"), Outcome::Known);
    assert_eq!(harness.confirm(order, "0xa1"), Outcome::Known);
    // The same of an unmatched deposit.
    let late = unmatched_of(harness.see(order, usdt(7), "0xa2"));
    harness.confirm(order, "0xa2");
    let claim = unmatched_of(harness.vanish(late, "0xa2"));
    assert!(harness.operation(claim).erroneous_delivery().is_some());
}

#[test]
fn a_report_that_names_the_wrong_order_leaves_the_right_one_to_be_applied() {
    let (mut harness, order) = harness();
    let other = harness.sell(sale(10_000, person(2)));
    harness.see(order, usdt(W44), "0xa1");
    for wrong in [other, order] {
        let right = wrong == order;
        let confirmed = harness.confirm(wrong, "0xa1");
        assert_eq!(confirmed, if right { APPLIED } else { ASIDE });
        assert_eq!(harness.confirm(wrong, "0xa1"), Outcome::Known);
    }
    assert_eq!((harness.stage(order), harness.stage(other)), (Stage::Paying, Stage::Awaiting));
    // The same of what vanishes, and of an order that is none.
    harness.see(other, usdt(W44), "0xb1");
    assert_eq!(harness.vanish(order, "0xb1"), ASIDE);
    let none = Fact::Sale { order: None, report: SaleReport::Vanished("0xb1".into()) };
    assert_eq!(harness.fact(none), ASIDE);
    assert_eq!(harness.stage(other), Stage::Detected);
    assert_eq!(harness.vanish(other, "0xb1"), APPLIED);
    assert_eq!((harness.stage(other), stock(&harness).0), (Stage::Awaiting, 0));
}

#[test]
fn idem_12_news_is_known_though_all_that_its_transaction_brought_was_split_off() {
    let mut harness = Harness::buying();
    let asked = AmountBasis::Code(person(1));
    let order = harness.sell(CashOutRequest {
        asked,
        code_amount: Some(amount(10_000)),
        ..sale(1, person(1))
    });
    let first = harness.deposit_of(usdt(W44), "0xa1");
    let second = harness.deposit_of(usdt(W44), "0xa2");
    for deposit in [&first, &second] {
        assert_eq!(harness.report(order, seen(deposit)), APPLIED);
    }
    for deposit in [&first, &second] {
        assert_eq!(harness.confirm(order, &deposit.hash), APPLIED);
    }
    assert_eq!(harness.stage(order), Stage::Paying);
    let records = harness.records.len();
    for deposit in [&first, &second] {
        assert_eq!(harness.confirm(order, &deposit.hash), Outcome::Known);
        assert_eq!(harness.report(order, seen(deposit)), Outcome::Known);
        assert_eq!(harness.report(order, confirmed(deposit)), Outcome::Known);
    }
    assert_eq!(harness.records.len(), records);
    // Confirmed, it does not end by vanishing: that is a claim on all it brought.
    let claim = unmatched_of(harness.vanish(order, "0xa2"));
    assert!(harness.operation(claim).erroneous_delivery().is_some());
    assert_eq!(harness.vanish(order, "0xa2"), Outcome::Known);
    assert_eq!(harness.coin(CoinAccount::ProviderClaim), -i128::try_from(W44).unwrap());
}

#[test]
fn what_vanishes_once_it_is_confirmed_is_a_claim_on_all_it_brought_whatever_was_split_off() {
    for (brought, names_surplus) in [([W44 / 2, 4 * W44], true), ([W44 / 2, W44], false)] {
        let mut harness = Harness::buying();
        let asked = AmountBasis::Code(person(1));
        let order = harness.sell(CashOutRequest {
            asked,
            code_amount: Some(amount(10_000)),
            ..sale(1, person(1))
        });
        let first = harness.deposit_of(usdt(brought[0]), "0xa1");
        let second = harness.deposit_of(usdt(brought[1]), "0xa2");
        assert_eq!(harness.report(order, confirmed(&first)), APPLIED);
        // Reported in full, it is brought and split by one record.
        assert_eq!(harness.report(order, confirmed(&second)), APPLIED);
        let surplus = OpId::new(Kind::UnmatchedDeposit, harness.ledger.state.seq);
        assert!(harness.operation(surplus).unmatched_deposit().is_some());
        let named = [order, surplus];
        let named = if names_surplus { [named[1], named[0]] } else { named };
        let claim = unmatched_of(harness.vanish(named[0], "0xa2"));
        assert!(harness.operation(claim).erroneous_delivery().is_some());
        assert_eq!(harness.vanish(named[1], "0xa2"), Outcome::Known);
        assert_eq!(harness.coin(CoinAccount::ProviderClaim), -i128::try_from(brought[1]).unwrap());
        unmatched_of(harness.vanish(order, "0xa1"));
        let all = brought.iter().sum::<u128>();
        assert_eq!(harness.coin(CoinAccount::ProviderClaim), -i128::try_from(all).unwrap());
    }
}

#[test]
fn what_vanished_while_an_order_had_it_is_claimed_once_though_the_order_goes_on_without_it() {
    let (mut harness, order) = harness();
    let foreign = Coins { asset: AssetId(1), ..usdt(5_000_000) };
    let odd = harness.deposit_of(foreign, "0xa1");
    assert_eq!(harness.report(order, confirmed(&odd)), APPLIED);
    let claim = unmatched_of(harness.vanish(order, "0xa1"));
    assert!(harness.operation(claim).erroneous_delivery().is_some());
    let right = harness.deposit_of(usdt(W44), "0xa2");
    assert_eq!(harness.report(order, confirmed(&right)), APPLIED);
    assert_eq!(harness.stage(order), Stage::Paying);
    assert_eq!(harness.vanish(order, "0xa1"), Outcome::Known, "it is claimed already");
}

#[test]
fn a_confirmation_of_nothing_known_is_reported_again_in_full() {
    let (mut harness, order) = harness();
    let deposit = harness.deposit_of(usdt(W44), "0xa1");
    assert_eq!(harness.confirm(order, "0xa1"), ASIDE);
    assert_eq!(harness.confirm(order, "0xa1"), Outcome::Known);
    assert_eq!(harness.report(order, confirmed(&deposit)), APPLIED);
    assert_eq!(harness.stage(order), Stage::Paying);
}

#[test]
fn what_was_booked_for_the_wrong_order_is_the_right_ones_once_that_is_taken_back() {
    let (mut harness, order) = harness();
    let other = harness.sell(sale(10_000, person(2)));
    let deposit = harness.deposit_of(usdt(W44), "0xa1");
    assert_eq!(harness.report(other, seen(&deposit)), APPLIED);
    // Two orders cannot both have it: a person looks.
    assert_eq!(harness.report(order, seen(&deposit)), ASIDE);
    assert_eq!(harness.vanish(other, "0xa1"), APPLIED);
    assert_eq!(harness.report(order, seen(&deposit)), APPLIED);
    assert_eq!((harness.stage(order), harness.stage(other)), (Stage::Detected, Stage::Awaiting));
}

#[test]
fn an_order_whose_deposit_vanished_too_late_for_another_is_notified_as_expired() {
    // Section 6: whatever makes it `EXPIRED`, its client learns of it.
    let (mut harness, order) = harness();
    harness.see(order, usdt(W44), "0xa1");
    harness.vanish(order, "0xa1");
    assert_eq!(harness.topics(order).last(), Some(&Topic::DepositDetected));
    harness.see(order, usdt(W44), "0xa2");
    harness.now = harness.order_of(order).order.expires_at;
    harness.vanish(order, "0xa2");
    assert_eq!(harness.stage(order), Stage::Expired);
    assert_eq!(harness.topics(order).last(), Some(&Topic::CashOutExpired));
}
