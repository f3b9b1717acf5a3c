//! What an operator corrects is remembered as what it moved: from the living ledger, and from the
//! record alone, as a journal answers for it.

use ledger_core::id::{Kind, OpId, SubaccountId};
use ledger_core::ledger::adjustment::Fact as AdjustmentFact;
use ledger_core::ledger::{Adjustment, Archive, Fact, Income, Machine, Operation};
use ledger_core::money::Cents;

use super::counter::decided_by;
use super::{HOUSE, Harness, instant};
use crate::samples::{amount, balance};

/// Returns what the last record's correction moved, as it is remembered and as its record tells.
fn remembered(harness: &Harness) -> [Machine; 2] {
    let record = harness.records.last().unwrap();
    let op = OpId::new(Kind::Adjustment, record.seq);
    let kept = harness.ledger.archive.ended_operation(op).unwrap();
    [kept.machine, Operation::after(op, [record]).unwrap().machine]
}

fn moved(subaccount: SubaccountId, cents: i64) -> [Machine; 2] {
    let moved = Machine::Adjustment(Adjustment { subaccount, value: balance(cents) });
    [moved.clone(), moved]
}

#[test]
fn a_fee_charged_takes_and_a_fee_given_gives() {
    let mut harness = Harness::open(instant());
    harness.deposit(None, 10_000);
    let as_cents = |cents| Cents::new(cents).unwrap();
    for (given, charged, cents) in [(0, 25, -25), (40, 0, 40)] {
        let (given, charged) = (as_cents(given), as_cents(charged));
        let (account, customer) = ("shop".into(), None);
        let (income, decided_by) = (Income::Deposit, decided_by());
        harness.fact(Fact::Adjustment(AdjustmentFact::FeeAdjusted {
            account,
            customer,
            given,
            charged,
            income,
            decided_by,
        }));
        assert_eq!(remembered(&harness), moved(HOUSE, cents));
    }
}

#[test]
fn a_debt_written_off_gives() {
    let mut harness = Harness::open(instant());
    let charge = harness.deposit(Some("ana"), 10_000);
    harness.pay(Some("ana"), 9_000).unwrap();
    harness.give_back(charge, 10_000);
    let (account, customer) = ("shop".into(), Some("ana".into()));
    let (amount, decided_by) = (amount(35), decided_by());
    harness.fact(Fact::Adjustment(AdjustmentFact::BalanceWrittenOff {
        account,
        customer,
        amount,
        decided_by,
    }));
    assert_eq!(remembered(&harness), moved(harness.named("ana"), 35));
}
