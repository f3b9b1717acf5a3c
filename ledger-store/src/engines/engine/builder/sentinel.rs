//! What an engine with a sentinel does where the program is mistaken: a test plants the mistake.

use ledger_core::accounting::{Account, Entry};
use ledger_core::contract::Line;
use ledger_core::id::SubaccountId;
use ledger_core::ledger::Origin;
use ledger_core::money::Amount;

use super::super::{Engine, EngineError};
use crate::journal::{Journal, MemoryDisk, MemoryJournal, OpenMode};

const OPENED: &str = r#"{"at": "2026-11-20T12:00:00Z", "fact": "account.opened",
    "body": {"id": "acc-1", "account": "loja"}, "supplied": {"key": "svc_live_loja"}}"#;

const GIFT: &str = r#"{"at": "2026-11-20T12:00:01Z", "fact": "fee.adjusted", "body": {"id": "gift-1",
    "account": "loja", "effect_cents": 5000, "income": "payout",
    "actor": "bia", "reason": "a gift"}}"#;

const TRANSFER: &str = r#"{"at": "2026-11-20T12:00:02Z", "key": "svc_live_loja",
    "request": "POST /saldo/transferir", "body": {"to_customer_ref": "ana", "amount_cents": 100, "external_id": "t-1"}}"#;

fn call(engine: &Engine, line: &str) -> Result<u16, EngineError> {
    let line = Line::parse(line, |_| Ok(String::new())).expect("it is well formed");
    engine.call(line.call(Origin::Call)).wait().map(|answer| answer.status)
}

/// Holds a centavo of the house's that no hold is kept for, as a mistake of this program would.
fn err(engine: &Engine) {
    let planted = engine.decide(|sequencer| {
        let house = SubaccountId(0);
        let centavo = Amount::CENTAVO;
        let shifted = Entry::NONE.shift(Account::Available(house), Account::Held(house), centavo);
        sequencer.books_in_error().books.post(&shifted).expect("it has a centavo");
    });
    planted.wait().expect("nothing is written by it");
}

fn open_engine(disk: &MemoryDisk, has_sentinel: bool) -> Engine {
    let journal = MemoryJournal::open(disk, "live", OpenMode::create()).unwrap();
    let builder = Engine::builder("live");
    let builder = if has_sentinel { builder.sentinel() } else { builder };
    let engine = builder.start(Box::new(journal)).unwrap();
    for line in [OPENED, GIFT] {
        assert_eq!(call(&engine, line), Ok(200), "{line}");
    }
    engine
}

fn head(disk: &MemoryDisk) -> u64 {
    MemoryJournal::open(disk, "live", OpenMode::ReadOnly).unwrap().head().unwrap().seq
}

#[test]
fn what_would_break_an_invariant_is_not_written_and_the_engine_goes_on_from_what_is() {
    let disk = MemoryDisk::new();
    let engine = open_engine(&disk, true);
    let before = head(&disk);
    err(&engine);
    let refused = call(&engine, TRANSFER).unwrap_err();
    let EngineError::NotWritten(why) = &refused else { panic!("{refused:?}") };
    assert!(why.starts_with(&format!("record {} would break INV-14", before + 1)), "{why}");
    assert_eq!(head(&disk), before);
    // Read back from the journal, the books are without the mistake, and watched still.
    assert_eq!(call(&engine, TRANSFER), Ok(200));
    assert_eq!(head(&disk), before + 1);
    err(&engine);
    let again = TRANSFER.replace("t-1", "t-2");
    assert!(matches!(call(&engine, &again), Err(EngineError::NotWritten(_))));
    assert_eq!(call(&engine, &again), Ok(200));
}

#[test]
fn without_a_sentinel_the_same_mistake_is_found_by_nobody_before_the_audit() {
    let disk = MemoryDisk::new();
    let engine = open_engine(&disk, false);
    err(&engine);
    assert_eq!(call(&engine, TRANSFER), Ok(200));
}
