//! Money of sales that no order awaits: it is booked, and waits for a person (rulings 1 and 2).

use ledger_core::accounting::{CoinAccount, Control};
use ledger_core::ledger::{Fact, Outcome, SaleReport};
use ledger_core::machine::cash_out::{Command, ReviewReason, Stage};

use super::Harness;
use super::sales::{W44, person, sale, unmatched, usdt};
use crate::samples::amount;

#[test]
fn what_a_refused_key_gives_back_beyond_what_it_had_waits_in_suspense() {
    // Rulings 1: no centavo that came back is dropped.
    let mut harness = Harness::buying();
    let order = harness.funded_sale(person(1), "0xa1");
    let refuse = |harness: &mut Harness, cents| {
        harness.report(order, SaleReport::Moved(Command::RefuseKey(amount(cents))))
    };
    assert_eq!(refuse(&mut harness, 10_007), Outcome::Applied(None));
    assert_eq!(harness.stage(order), Stage::Review(ReviewReason::KeyRefused));
    assert_eq!(harness.total(Control::SuspensePix), 7);
    assert_eq!(refuse(&mut harness, 10_000), Outcome::Known);
    // Reported of an order that has nothing to give back for.
    let quoted = harness.sell(sale(10_000, person(2)));
    let report = SaleReport::Moved(Command::RefuseKey(amount(500)));
    assert!(matches!(harness.report(quoted, report), Outcome::SetAside(Some(_))));
    assert_eq!(harness.total(Control::SuspensePix), 507);
}

#[test]
fn proceeds_that_no_order_awaits_wait_in_suspense() {
    let mut harness = Harness::buying();
    let order = harness.funded_sale(person(1), "0xa1");
    for more in [1, 2] {
        let arrived = SaleReport::Moved(Command::Arrive(amount(10_480)));
        assert!(matches!(harness.report(order, arrived), Outcome::SetAside(Some(_))));
        assert_eq!(harness.total(Control::SuspensePix), more * 10_480);
    }
}

#[test]
fn a_refund_sent_before_it_was_decided_is_a_claim() {
    let mut harness = Harness::buying();
    let order = harness.sell(sale(10_000, person(1)));
    harness.see(order, usdt(W44), "0xa1");
    assert!(matches!(harness.refund(order, "0xb1"), Outcome::SetAside(Some(_))));
    assert_eq!(harness.refund(order, "0xb1"), Outcome::Known);
    assert_eq!(harness.coin(CoinAccount::ProviderClaim), -i128::try_from(W44).unwrap());
    // The same of an unmatched deposit.
    let deposit = harness.deposit_of(usdt(9), "0xa2");
    let erroneous_delivery =
        unmatched(harness.fact(Fact::Sale { order: None, report: SaleReport::Seen(deposit) }));
    assert!(matches!(harness.refund(erroneous_delivery, "0xb2"), Outcome::SetAside(Some(_))));
    assert_eq!(harness.coin(CoinAccount::ProviderClaim), -i128::try_from(W44 + 9).unwrap());
}
