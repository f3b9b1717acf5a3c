//! A state that somebody keeps stays as it was, whatever happens to the ledger it was taken from.

use ledger_core::ledger::Fact;
use ledger_core::ledger::payout::Fact as PayoutFact;

use super::{Harness, created, instant};

#[test]
fn an_operation_that_moves_on_stays_as_it_was_for_whoever_kept_the_state() {
    let mut harness = Harness::open(instant());
    harness.deposit(None, 10_000);
    let payout = created(harness.pay(None, 1_000).unwrap());
    let kept = harness.ledger.state.clone();
    let asked = kept.open(payout).cloned();
    harness.fact(Fact::Payout(PayoutFact::Submitted { payout: Some(payout) }));
    let submitted = harness.ledger.state.open(payout).cloned();
    assert!(asked.is_some() && submitted.is_some() && asked != submitted);
    assert_eq!(kept.open(payout), asked.as_ref());
    let e2e = "E1".into();
    harness.fact(Fact::Payout(PayoutFact::Paid { payout: Some(payout), e2e, amount: None }));
    assert_eq!(harness.ledger.state.open(payout), None);
    assert_eq!(kept.open(payout), asked.as_ref());
}
