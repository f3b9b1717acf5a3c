//! One thing has one spelling: whoever tells of a transaction, or names a wallet, in another one
//! tells of the same (rulings 64).

use ledger_core::accounting::CoinAccount;
use ledger_core::id::OpId;
use ledger_core::ledger::{
    Cause, Command, Event, ExternalId, Fact, Intent, Outcome, Reported, SaleReport,
};
use ledger_core::machine::cash_out::{self};
use ledger_core::machine::unmatched_deposit;

use super::Harness;
use super::sales::{W44, person, sale, usdt};
use crate::samples::POLYGON;

const APPLIED: Outcome = Outcome::Applied(None);
const HASH: &str = "0xab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12";

/// Every other way to write the hash, and to say that it is of the first output.
fn spellings() -> [String; 5] {
    let digits = &HASH[2..];
    let upper = digits.to_uppercase();
    let first = format!("0x{upper}#0");
    [format!("0x{upper}"), format!("0X{digits}"), digits.to_owned(), upper, first]
}

#[test]
fn crypto_that_no_order_took_is_told_once_and_vanishes_in_any_spelling() {
    for spelled in spellings() {
        let mut harness = Harness::buying();
        let told = |harness: &mut Harness, report| harness.fact(Fact::Sale { order: None, report });
        let seen =
            |harness: &Harness, hash: &str| SaleReport::Seen(harness.deposit_of(usdt(W44), hash));
        let first = seen(&harness, &spelled);
        assert!(matches!(told(&mut harness, first), Outcome::SetAside(Some(_))));
        let again = seen(&harness, HASH);
        assert_eq!(told(&mut harness, again), Outcome::Known, "{spelled}");
        let gone = SaleReport::Vanished(HASH.into());
        assert_eq!(told(&mut harness, gone), APPLIED, "{spelled}");
        assert_eq!(harness.coin(CoinAccount::Transit(POLYGON)), 0);
    }
}

#[test]
fn a_record_of_before_is_found_by_the_spelling_of_now() {
    let mut harness = Harness::buying();
    let order = harness.sell(sale(10_000, person(1)));
    let mut before = harness.ledger.clone();
    assert_eq!(harness.see(order, usdt(W44), HASH), APPLIED);
    let old = format!("0x{}", HASH[2..].to_uppercase());
    let mut record = harness.records.last().unwrap().clone();
    for event in &mut record.events {
        if let Event::CashOut { event: cash_out::Event::DepositSeen { deposit, .. }, .. } = event {
            deposit.hash = old.clone().into();
        }
    }
    record.outside = Some(ExternalId::deposit(&old, None));
    before.replay(&record).unwrap();
    let mut told = |order: Option<OpId>, report: SaleReport| {
        let what = Intent::Fact(Reported { id: None, fact: Fact::Sale { order, report } });
        let command = Command { at: harness.now, cause: Cause::default(), what };
        before.execute(command).answer
    };
    let seen = harness.deposit_of(usdt(W44), HASH);
    assert_eq!(told(Some(order), SaleReport::Seen(seen.clone())), Ok(Outcome::Known));
    assert_ne!(told(None, SaleReport::Seen(seen)), Ok(APPLIED));
    let confirmed = SaleReport::Confirmed { hash: HASH.into(), deposit: None };
    assert_eq!(told(Some(order), confirmed.clone()), Ok(APPLIED));
    assert_eq!(told(Some(order), confirmed), Ok(Outcome::Known));
}

#[test]
fn two_records_of_before_that_tell_of_one_transaction_are_named_as_a_pair() {
    let mut harness = Harness::buying();
    let order = harness.sell(sale(10_000, person(1)));
    assert_eq!(harness.see(order, usdt(W44), HASH), APPLIED);
    let first = harness.records.last().unwrap().clone();
    assert_eq!(harness.ledger.told_before(&first), []);
    // One of before brought it once more, in capitals, as crypto that no order took.
    let other = format!("0x{}", "ab".repeat(32));
    let stray = harness.deposit_of(usdt(W44), &other);
    harness.fact(Fact::Sale { order: None, report: SaleReport::Seen(stray) });
    let mut record = harness.records.last().unwrap().clone();
    assert_eq!(harness.ledger.told_before(&record), []);
    let old = format!("0x{}", HASH[2..].to_uppercase());
    for event in &mut record.events {
        if let Event::UnmatchedDeposit {
            event: unmatched_deposit::Event::Received(order), ..
        } = event
        {
            order.deposit.hash = old.clone().into();
        }
    }
    let pair = (ExternalId::deposit(&old, None), first.seq);
    assert_eq!(harness.ledger.told_before(&record), [pair]);
}
