//! The test kit says what is wrong: a test that uses it can fail.

use std::panic::{AssertUnwindSafe, catch_unwind};

use custody_ledger::fact::account::AccountOpened;
use custody_ledger::fact::charge::PixReceived;
use custody_ledger::prelude::*;
use custody_ledger::provider::OrderKind;
use custody_ledger::request::transfer::CreateTransfer;
use custody_ledger::testkit::{TestLedger, given};
use custody_ledger::{Code, Topic};

use super::shop::{amount, ana, e2e};

const AT: &str = "2026-11-20T12:00:00Z";

fn shop() -> (TestLedger, ApiKey) {
    let opened = AccountOpened::new("acc-1".try_into().unwrap(), "loja".try_into().unwrap());
    let shop = given(AT).fact(&opened.key("svc_live_loja".try_into().unwrap()));
    (shop, ApiKey::new("svc_live_loja").unwrap())
}

#[test]
fn what_did_not_happen_is_not_given() {
    let (shop, key) = shop();
    // A PIX that no charge asked for waits for a person.
    let said = failing(|| drop(shop.clone().fact(&PixReceived::new(e2e(1), amount(5_000)))));
    assert!(said.contains("pix.received is set aside"), "{said}");
    let said = failing(|| drop(shop.clone().with_request(&key, &transfer())));
    assert!(said.contains("saldo_insuficiente"), "{said}");
    assert!(failing(|| drop(given("yesterday"))).contains("no RFC 3339 instant"));
}

#[test]
fn what_came_of_it_is_held_against_what_was_said() {
    let (shop, key) = shop();
    let when = || shop.when(&key, &transfer());
    when().then_refused(Code::FundsInsufficient);
    assert!(failing(|| drop(when().then_answered())).contains("should have been answered"));
    let said = failing(|| drop(when().then_refused(Code::AmountInvalid)));
    assert!(said.contains("should have been refused for amount_invalido"), "{said}");
    let said = failing(|| drop(when().then_notifies(&[Topic::ChargePaid])));
    assert!(said.contains("should have been answered"), "{said}");
    shop.holds();
}

#[test]
fn what_follows_from_an_answer_is_held_against_what_was_said() {
    let (shop, key) = shop();
    let opened = |id: &str| {
        let opened = AccountOpened::new(id.try_into().unwrap(), id.try_into().unwrap());
        opened.key(format!("svc_live_{id}").as_str().try_into().unwrap())
    };
    shop.when_reported(&opened("feira-1")).then_instructs(&[]).ensure_applied().unwrap();
    shop.when_reported(&opened("feira-2")).then_notifies(&[]).ensure_applied().unwrap();
    let pix = || shop.when_reported(&PixReceived::new(e2e(1), amount(5_000)));
    let said = failing(|| drop(pix().then_instructs(&[OrderKind::SendPix])));
    assert!(said.contains("what the world is asked to do"), "{said}");
    let said = failing(|| drop(pix().then_notifies(&[Topic::ChargePaid])));
    assert!(said.contains("what clients are notified of"), "{said}");
    let when = || shop.when(&key, &transfer());
    let said = failing(|| drop(when().then_instructs(&[])));
    assert!(said.contains("should have been answered"), "{said}");
}

fn transfer() -> CreateTransfer {
    CreateTransfer::new(Party::House, ana(), amount(1_000), "t-1".try_into().unwrap())
}

/// Returns what is said by something that panics.
fn failing(work: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(work)).expect_err("it should have failed");
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default()
}
