//! What a recipient may have in a day (COUT-79, COUT-86; W50, W51; rulings 14).

use ledger_core::id::OpId;
use ledger_core::ledger::account::Fact as AccountFact;
use ledger_core::ledger::{Fact, Outcome, Refusal, SaleReport};
use ledger_core::machine::cash_out::{Command, Deposit, ReviewReason, Stage};
use ledger_core::terms::{Policy, SaleLimits};
use ledger_core::time::Span;

use super::counter::decided_by;
use super::sales::{W44, person, sale, usdt};
use super::{Harness, created, unlimited};
use crate::samples::{amount, at};

#[test]
fn a_quote_that_no_longer_fits_is_refused_when_it_is_accepted() {
    // COUT-86: checked at create, binding at accept.
    let mut harness = Harness::buying();
    let first = created(harness.ask_to_sell(sale(6_000_000, person(1))).unwrap());
    let second = created(harness.ask_to_sell(sale(6_000_000, person(1))).unwrap());
    assert_eq!(harness.accept(first), Ok(Outcome::Done));
    assert_eq!(harness.accept(first), Ok(Outcome::Done));
    assert_eq!(harness.used(person(1)), 6_000_000, "accepting twice counts once");
    let records = harness.records.len();
    assert!(matches!(harness.accept(second), Err(Refusal::RecipientCeiling { .. })));
    assert_eq!((harness.records.len(), harness.used(person(1))), (records, 6_000_000));
}

#[test]
fn what_a_deposit_counts_is_in_use_when_its_own_surplus_is_counted() {
    // Reported in full of an order that expired meanwhile: what was ordered counts again, then the
    // rest.
    let revived = |others| {
        let mut harness = Harness::buying();
        let order = harness.sell(sale(10_000, person(1)));
        let deposit = harness.deposit_of(usdt(30_000_000), "0xa1");
        harness.pass("2026-10-20T12:30:00Z");
        assert_eq!((harness.stage(order), harness.used(person(1))), (Stage::Expired, 0));
        harness.sell(sale(others, person(1)));
        let report = SaleReport::Confirmed { hash: deposit.hash.clone(), deposit: Some(deposit) };
        assert_eq!(harness.report(order, report), Outcome::Applied(None));
        (harness.stage(order), harness.used(person(1)) - others)
    };
    // 30 USDT are 155.89 of 100.00: 55.89 more.
    assert_eq!(revived(10_000_000 - 15_589), (Stage::Paying, 15_589));
    assert_eq!(revived(10_000_000 - 15_588), (Stage::Review(ReviewReason::RecipientDay), 10_000));
}

#[test]
fn expiry_failure_and_refund_give_back_what_was_promised_the_same_day() {
    // COUT-86, rulings 14.
    let mut harness = Harness::buying();
    let expired = harness.sell(sale(10_000, person(1)));
    let failed = harness.sell(sale(20_000, person(1)));
    assert_eq!(harness.used(person(1)), 30_000);
    assert_eq!(harness.report(failed, SaleReport::Moved(Command::Cancel)), Outcome::Applied(None));
    assert_eq!(harness.used(person(1)), 10_000);
    harness.pass("2026-10-20T12:30:00Z");
    assert_eq!((harness.stage(expired), harness.used(person(1))), (Stage::Expired, 0));
    let refunded = harness.funded_sale(person(1), "0xa1");
    harness.report(refunded, SaleReport::Moved(Command::GiveUpPayment));
    assert_eq!(harness.used(person(1)), 10_000, "until the refund is sent it counts");
    assert_eq!(harness.refund(refunded, "0xb1"), Outcome::Applied(None));
    assert_eq!(harness.used(person(1)), 0);
    let paid = harness.funded_sale(person(1), "0xa2");
    harness.pay_sale(paid, "E1");
    assert_eq!(harness.used(person(1)), 10_000);
    let (return_id, amount) = ("D1".into(), amount(10_000));
    harness.report(paid, SaleReport::Reversed { return_id, amount });
    harness.refund(paid, "0xb2");
    assert_eq!(harness.used(person(1)), 0);
}

#[test]
fn what_was_promised_on_one_day_is_not_given_back_to_another() {
    let mut harness = Harness::buying();
    let order = harness.funded_sale(person(1), "0xa1");
    harness.pass("2026-10-21T12:00:00Z");
    harness.sell(sale(30_000, person(1)));
    harness.report(order, SaleReport::Moved(Command::GiveUpPayment));
    harness.refund(order, "0xb1");
    assert_eq!(harness.used(person(1)), 30_000);
}

#[test]
fn an_over_deposit_counts_what_it_pays_more_on_the_day_of_acceptance() {
    let mut harness = Harness::buying();
    let order = harness.sell(sale(10_000, person(1)));
    harness.see(order, usdt(30_000_000), "0xa1");
    harness.confirm(order, "0xa1");
    assert_eq!(harness.used(person(1)), 15_589);
    // One that would pass the ceiling waits (rulings 14).
    let full = harness.sell(sale(10_000_000 - 15_589, person(1)));
    harness.see(full, usdt(18_880_000_000), "0xa2");
    harness.confirm(full, "0xa2");
    assert_eq!(harness.stage(full), Stage::Review(ReviewReason::RecipientDay));
}

#[test]
fn w57_a_late_deposit_counts_on_the_day_its_order_was_accepted() {
    // Rulings 44.
    let mut harness = Harness::buying();
    let order = harness.sell(sale(10_000, person(1)));
    let accepted_at = harness.now;
    harness.pass("2026-10-22T12:00:00Z");
    assert_eq!(
        (harness.stage(order), harness.used_on(person(1), accepted_at)),
        (Stage::Expired, 0)
    );
    harness.quote("usdt", "6.00");
    // Confirmed before it was seen, and reported in full: the same, and counted once (rulings 8).
    let deposit = Some(harness.deposit_of(usdt(W44), "0xa1"));
    let report = SaleReport::Confirmed { hash: "0xa1".into(), deposit };
    assert_eq!(harness.report(order, report), Outcome::Applied(None));
    assert_eq!(
        (harness.stage(order), harness.used_on(person(1), accepted_at)),
        (Stage::Paying, 11_144)
    );
    assert_eq!(harness.used(person(1)), 0, "the day of the deposit is not used");
    assert_eq!(harness.see(order, usdt(W44), "0xa1"), Outcome::Known);
    assert_eq!(harness.confirm(order, "0xa1"), Outcome::Known);
}

/// A sale of so much, accepted a second before midnight, twice of it confirmed five seconds after.
fn doubled_after_midnight(harness: &mut Harness, cents: i64) -> OpId {
    harness.now = at("2026-10-21T02:59:58Z");
    let order = created(harness.ask_to_sell(sale(cents, person(1))).unwrap());
    assert_eq!(harness.accept(order), Ok(Outcome::Done));
    let units = harness.order_of(order).order.coins.units.get();
    harness.now = at("2026-10-21T03:00:04Z");
    harness.see(order, usdt(units * 2), "0xa1");
    harness.confirm(order, "0xa1");
    order
}

#[test]
fn no_deposit_takes_an_order_past_what_one_recipient_may_have_in_a_day() {
    // Rulings 44: accepted at 02:59:59Z, twice the quote confirmed on the next day of Brasília.
    let mut harness = Harness::buying();
    let order = doubled_after_midnight(&mut harness, 10_000_000);
    assert_eq!(harness.stage(order), Stage::Review(ReviewReason::RecipientOrder));
    assert!(harness.instruction_keys(order).is_empty(), "no instruction is given");
    // What one order may never pay, no operator lets go; it is refunded.
    assert_eq!(harness.clear(order), Outcome::SetAside(None));
    let decided_by = Some(decided_by());
    let refunds = SaleReport::RefundDecided { to: None, decided_by };
    assert_eq!(harness.report(order, refunds), Outcome::Applied(None));
    assert_eq!(harness.stage(order), Stage::Refunding);
}

#[test]
fn the_whole_of_an_order_counts_on_its_day_of_acceptance_whenever_its_deposit_is_seen() {
    // 40,000.00 are promised besides: 30,000.00 fit, and some 60,000.00 do not.
    let mut harness = Harness::buying();
    harness.now = at("2026-10-21T02:59:50Z");
    let other = harness.sell(sale(4_000_100, person(1)));
    let order = doubled_after_midnight(&mut harness, 3_000_000);
    assert_eq!(harness.stage(order), Stage::Review(ReviewReason::RecipientDay));
    assert_eq!(harness.clear(order), Outcome::SetAside(None));
    // The other comes to nothing: there is room on that day, though it is over.
    assert_eq!(harness.report(other, SaleReport::Moved(Command::Cancel)), Outcome::Applied(None));
    assert_eq!(harness.clear(order), Outcome::Applied(None));
    assert_eq!(harness.stage(order), Stage::Paying);
    assert_eq!(harness.used(person(1)), 0, "the next day is not used");
}

#[test]
fn what_was_in_time_is_judged_by_the_count_of_its_day_however_late_it_is_told() {
    // Rulings 75.
    let told = |others: i64| {
        let mut harness = Harness::buying();
        let order = harness.sell(sale(10_000, person(1)));
        let deposit = harness.deposit_of(usdt(W44), "0xa1");
        harness.pass("2026-10-20T12:30:00Z");
        let other = harness.sell(sale(others, person(1)));
        let units = harness.order_of(other).order.coins.units.get();
        harness.see(other, usdt(units), "0xb1");
        harness.confirm(other, "0xb1");
        // A month later other days have begun, and the day of the order is long over.
        harness.pass("2026-11-20T12:00:00Z");
        harness.quote("usdt", "5.40");
        harness.sell(sale(10_000, person(2)));
        let report = SaleReport::Confirmed { hash: deposit.hash.clone(), deposit: Some(deposit) };
        assert_eq!(harness.report(order, report), Outcome::Applied(None));
        harness.stage(order)
    };
    assert_eq!(told(9_990_000), Stage::Paying, "there was room for it on that day");
    assert_eq!(told(9_990_001), Stage::Review(ReviewReason::RecipientDay));
}

#[test]
fn what_was_reserved_when_an_order_was_accepted_needs_no_further_room() {
    // Rulings 75.
    let mut harness = Harness::buying();
    let order = harness.sell(sale(10_000, person(1)));
    let limits = SaleLimits { recipient_daily: amount(9_999), ..SaleLimits::default() };
    let policy = Policy { sales: Some(limits), ..unlimited() };
    harness.fact(Fact::Account(AccountFact::PolicyAdopted(policy)));
    harness.see(order, usdt(W44), "0xa1");
    harness.confirm(order, "0xa1");
    assert_eq!(harness.stage(order), Stage::Paying);
}

#[test]
fn a_deposit_later_than_the_ledger_knows_counts_what_it_pays_once() {
    // Rulings 14 and 69: the network's clock runs ahead; what is reported now was seen by now.
    let mut harness = Harness::buying();
    let order = harness.sell(sale(10_000, person(1)));
    assert_eq!(harness.used(person(1)), 10_000);
    harness.quote("usdt", "6.00");
    let seen_at = harness.order_of(order).order.expires_at.after(Span::seconds(1));
    assert!(harness.now < seen_at);
    let deposit = Deposit { seen_at, ..harness.deposit_of(usdt(W44), "0xa1") };
    assert_eq!(harness.report(order, SaleReport::Seen(deposit)), Outcome::Applied(None));
    assert_eq!((harness.stage(order), harness.used(person(1))), (Stage::Detected, 10_000));
}
