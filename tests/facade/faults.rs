//! What a service sees when its ledger's journal goes wrong, and what the ledger is after it.

use std::time::{Duration, Instant};

use custody_ledger::fact::account::AccountOpened;
use custody_ledger::fact::adjustment::FeeAdjusted;
use custody_ledger::prelude::*;
use custody_ledger::request::balance::GetBalance;
use custody_ledger::request::transfer::CreateTransfer;
use custody_ledger::testkit::{AppendFault, TestLedger, given};
use custody_ledger::value::DecidedBy;
use custody_ledger::{EngineError, EngineStatus};
use proptest::prelude::*;

use super::shop::{amount, ana};

const MOVES: u32 = 6;

/// A shop whose house has R$ 50.00.
pub fn shop() -> (TestLedger, ApiKey) {
    let account = AccountName::new("loja").unwrap();
    let opened = AccountOpened::new("acc-1".try_into().unwrap(), account.clone());
    let by = DecidedBy::new("bia", "a gift").unwrap().evidence("case-1").unwrap();
    let gift = FeeAdjusted::new("gift-1".try_into().unwrap(), account, Party::House, 5_000, by);
    let shop = given("2026-11-20T12:00:00Z")
        .fact(&opened.key("svc_live_loja".try_into().unwrap()))
        .fact(&gift);
    (shop, ApiKey::new("svc_live_loja").unwrap())
}

pub fn transfer(number: u32) -> CreateTransfer {
    let id = ExternalId::new(&format!("t-{number}")).unwrap();
    CreateTransfer::new(Party::House, ana(), amount(100), id)
}

pub fn of_house(shop: &TestLedger, key: &ApiKey) -> i64 {
    shop.when(key, &GetBalance::new(Party::House)).then_answered().answer.available.cents()
}

#[test]
fn what_the_medium_refuses_is_not_done_and_is_done_when_asked_again() {
    let (shop, key) = shop();
    let head = shop.ledger().head().unwrap();
    shop.faults().at_next(AppendFault::Refused);
    shop.when(&key, &transfer(1)).then_not_written();
    assert_eq!((shop.ledger().head().unwrap(), of_house(&shop, &key)), (head, 5_000));
    let done = shop.when(&key, &transfer(1)).then_answered();
    assert!(!done.is_repeated());
    assert_eq!(of_house(&shop, &key), 4_900);
}

#[test]
fn what_was_written_although_its_answer_was_lost_is_answered_as_done() {
    let (shop, key) = shop();
    shop.faults().at_next(AppendFault::UnknownLanded);
    assert!(!shop.when(&key, &transfer(1)).then_answered().is_repeated());
    assert!(shop.when(&key, &transfer(1)).then_answered().is_repeated());
    assert_eq!(of_house(&shop, &key), 4_900);
}

#[test]
fn what_was_lost_with_its_answer_is_answered_as_not_written() {
    let (shop, key) = shop();
    shop.faults().at_next(AppendFault::UnknownLost);
    shop.when(&key, &transfer(1)).then_not_written();
    assert_eq!(of_house(&shop, &key), 5_000);
    assert!(!shop.when(&key, &transfer(1)).then_answered().is_repeated());
}

#[test]
fn what_is_written_slowly_is_answered_once_it_is_written() {
    let (shop, key) = shop();
    let delay = Duration::from_millis(80);
    shop.faults().at_next(AppendFault::Slow(delay));
    let clock = Instant::now();
    shop.when(&key, &transfer(1)).then_answered();
    assert!(clock.elapsed() >= delay);
}

#[test]
fn whoever_was_taken_over_from_answers_nothing_more() {
    let (shop, key) = shop();
    shop.faults().at_next(AppendFault::Fenced);
    shop.when(&key, &transfer(1)).then_fenced();
    shop.when(&key, &GetBalance::new(Party::House)).then_fenced();
    assert!(matches!(shop.ledger().status(), EngineStatus::Fenced { .. }));
    assert_eq!(shop.ledger().head(), Err(EngineError::Fenced));
}

#[test]
fn a_fault_happens_at_the_append_it_was_planned_for_and_once() {
    let (shop, key) = shop();
    let faults = shop.faults();
    let made = faults.appends();
    faults.at(made + 2, AppendFault::Refused);
    shop.when(&key, &transfer(1)).then_answered();
    assert_eq!(faults.remaining(), 1);
    shop.when(&key, &transfer(2)).then_not_written();
    shop.when(&key, &transfer(2)).then_answered();
    assert_eq!((faults.remaining(), faults.appends()), (0, made + 3));
    let late = std::panic::catch_unwind(|| faults.at(made, AppendFault::Refused));
    assert!(late.is_err(), "a fault that would never happen is none");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) })]

    /// Whoever asks again with the same id, until there is an answer, ends at the same records.
    #[test]
    fn whatever_goes_wrong_meanwhile_the_journal_ends_the_same(
        planned in prop::collection::btree_map(1..12_u64, 0..3_usize, 0..8)
    ) {
        let fates = [AppendFault::Refused, AppendFault::UnknownLanded, AppendFault::UnknownLost];
        let ((calm, key), (shaken, _)) = (shop(), shop());
        let faults = shaken.faults();
        let made = faults.appends();
        for (append, fate) in &planned {
            faults.at(made + append, fates[*fate]);
        }
        for number in 0..MOVES {
            calm.when(&key, &transfer(number)).then_answered();
            let client = shaken.ledger().client(key.clone());
            let done = (0..=planned.len()).find_map(|_| client.ask(&transfer(number)).wait().ok());
            prop_assert!(done.is_some(), "each fault happens once");
        }
        shaken.holds();
        prop_assert_eq!(calm.ledger().head().unwrap(), shaken.ledger().head().unwrap());
    }
}
