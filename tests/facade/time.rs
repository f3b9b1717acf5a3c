//! Time goes on although nobody calls.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use custody_ledger::Ledger;
use custody_ledger::fact::account::AccountOpened;
use custody_ledger::prelude::*;
use custody_ledger::request::balance::GetBalance;
use custody_ledger::request::charge::GetCharge;
use custody_ledger::value::{Instant as LedgerInstant, Span};
use custody_ledger::view::ChargeStatus;
use ledger_store::machine_clock::{ClockReading, MachineClock, TimeSource};

use super::shop::{Shop, ana};

/// A machine's clocks; its wall clock is so many hours ahead.
#[derive(Clone, Default)]
struct Machine(Arc<AtomicI64>);

impl TimeSource for Machine {
    fn read(&self) -> ClockReading {
        let ahead = self.0.load(Ordering::Relaxed) * 3_600_000_000;
        let wall = LedgerInstant::from_micros(1_800_000_000_000_000 + ahead).unwrap();
        ClockReading { wall, elapsed: Duration::from_secs(100) }
    }
}

impl Machine {
    fn ahead(&self, hours: i64) {
        self.0.store(hours, Ordering::Relaxed);
    }

    fn clock(&self) -> MachineClock {
        MachineClock::over(self.clone(), Span::seconds(120))
    }
}

fn opened(account: &str) -> AccountOpened {
    let id = FactId::new(&format!("o-{account}")).unwrap();
    let key = format!("svc_live_{account}").as_str().try_into().unwrap();
    AccountOpened::new(id, AccountName::new(account).unwrap()).key(key)
}

fn is_paused(refused: &custody_ledger::Error) -> bool {
    refused.refusal().is_some_and(|it| it.erro() == "temporariamente_indisponivel")
}

#[test]
fn a_jump_of_the_machines_clock_dates_nothing_until_it_is_accepted() {
    let machine = Machine::default();
    let ledger = Ledger::builder("memory:").clock(machine.clock()).open().wait().unwrap();
    ledger.report(&opened("loja")).wait().unwrap().ensure_applied().unwrap();
    let before = ledger.head().unwrap();
    machine.ahead(30);
    assert!(is_paused(&ledger.report(&opened("bazar")).wait().unwrap_err()));
    let client = ledger.client(ApiKey::new("svc_live_loja").unwrap());
    client.ask(&GetBalance::new(Party::House)).wait().expect("reads go on");
    assert_eq!(ledger.head().unwrap(), before);
    assert!(ledger.clock_doubt().is_some());
    ledger.accept_clock().expect("it is held against elapsed time");
    ledger.report(&opened("bazar")).wait().unwrap().ensure_applied().unwrap();
}

#[test]
fn a_ledger_that_is_opened_days_after_its_last_record_waits_for_a_person() {
    let folder = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", folder.path().join("ledger.db").display());
    let machine = Machine::default();
    let open = || Ledger::builder(&*store).clock(machine.clock()).open().wait().unwrap();
    let ledger = open();
    ledger.report(&opened("loja")).wait().unwrap().ensure_applied().unwrap();
    ledger.shutdown().unwrap();
    drop(ledger);
    for (hours, believed) in [(48, true), (49, false), (-1, false)] {
        machine.ahead(hours);
        let ledger = open();
        assert_eq!(ledger.clock_doubt().is_none(), believed, "{hours}");
        ledger.shutdown().unwrap();
    }
}

#[test]
fn a_request_after_three_quiet_days_is_answered() {
    let shop = Shop::built(Ledger::builder("memory:").tick(None));
    shop.collect(&ana(), 10_000, 1);
    shop.clock.advance(Span::hours(72));
    assert!(shop.available(&ana()) > 0);
}

#[test]
fn a_deadline_comes_although_nobody_calls() {
    let shop = Shop::built(Ledger::builder("memory:").tick(Some(Duration::from_millis(5))));
    let charge = shop.charge(&ana(), 10_000, "c-1").answer;
    let before = shop.ledger.head().unwrap().seq;
    shop.clock.advance(Span::hours(2));
    let patience = Instant::now() + Duration::from_secs(20);
    while shop.ledger.head().unwrap().seq == before {
        assert!(Instant::now() < patience, "the charge does not expire by itself");
        std::thread::sleep(Duration::from_millis(2));
    }
    let found = shop.loja.ask(&GetCharge::new(charge.id)).wait().unwrap().answer;
    assert_eq!(found.status, ChargeStatus::Expired);
}
