//! Time goes on although nobody calls.

use std::time::{Duration, Instant};

use custody_ledger::Ledger;
use custody_ledger::request::charge::GetCharge;
use custody_ledger::value::Span;
use custody_ledger::view::ChargeStatus;

use super::shop::{Shop, ana};

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
