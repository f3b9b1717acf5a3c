//! Ids of clients and of the world are compared byte for byte: an id in other letters is another.

use ledger_core::id::OpId;
use ledger_core::ledger::adjustment::Fact as AdjustmentFact;
use ledger_core::ledger::{
    Fact, Income, Intent, OperatorDecision, Outcome, Reported, Request, TransferRequest,
};
use ledger_core::money::Cents;

use super::{Harness, SHOP, created, instant};
use crate::samples::{SOMEBODY, amount};

fn transfer(harness: &mut Harness, id: &str) -> OpId {
    let request = TransferRequest {
        to: Some("ana".into()),
        external_id: Some(id.into()),
        ..TransferRequest::new(amount(100))
    };
    created(harness.execute(Intent::Request(SHOP, Request::Transfer(request))).unwrap())
}

#[test]
fn a_transfer_abc_after_abc_in_capitals_is_another_transfer() {
    let mut harness = Harness::open(instant());
    harness.deposit(None, 10_000);
    let [upper, lower] = ["Abc", "abc"].map(|id| transfer(&mut harness, id));
    assert_ne!(upper, lower);
    assert_eq!(harness.balances("ana"), [200, 0, 0]);
}

#[test]
fn a_fact_of_an_id_in_other_letters_is_another_fact() {
    let mut harness = Harness::open(instant());
    let adjusted = |harness: &mut Harness, id: &str| {
        let decided_by = OperatorDecision { actor: SOMEBODY, reason: SOMEBODY, evidence: None };
        let (account, income) = ("shop".into(), Income::Deposit);
        let (given, charged) = (Cents::new(100).unwrap(), Cents::ZERO);
        let fact = Fact::Adjustment(AdjustmentFact::FeeAdjusted {
            account,
            customer: None,
            given,
            charged,
            income,
            decided_by,
        });
        harness.execute(Intent::Fact(Reported { id: Some(id.into()), fact })).unwrap()
    };
    assert!(matches!(adjusted(&mut harness, "Gift"), Outcome::Applied(_)));
    assert!(matches!(adjusted(&mut harness, "gift"), Outcome::Applied(_)));
    assert!(matches!(adjusted(&mut harness, "gift"), Outcome::Known));
}
