//! Statement rows and what gates a withdrawal: W29 to W38; rulings 19.

use ledger_core::id::OpId;
use ledger_core::ledger::account::Fact as AccountFact;
use ledger_core::ledger::charge::Fact as ChargeFact;
use ledger_core::ledger::payout::Fact as PayoutFact;
use ledger_core::ledger::suspense::Fact as SuspenseFact;
use ledger_core::ledger::{Archive, Fact, OperatorDecision, Outcome, Refusal};
use ledger_core::machine::charge;
use ledger_core::money::Bps;
use ledger_core::terms::{Tariff, Terms};
use ledger_core::time::Instant;

use super::{HOUSE, Harness, created, instant};
use crate::samples::{SOMEBODY, amount, as_cents, at, balance, bps};

#[test]
fn principal_and_fee_are_rows_of_their_own() {
    // W34: deposit, transfer out, payout; then W31 refunds it as separate rows.
    let mut harness = Harness::open(instant());
    harness.deposit(Some("ana"), 10_000);
    harness.transfer(Some("ana"), None, 2_500).unwrap();
    let payout = created(harness.pay(Some("ana"), 5_000).unwrap());
    harness.fact(Fact::Payout(PayoutFact::Submitted { payout: Some(payout) }));
    harness.fact(Fact::Payout(PayoutFact::Refused { payout: Some(payout) }));
    assert_eq!(
        harness.rows("ana"),
        "\
Deposit +10000 principal, 10000
Deposit -100 fee, 9900
TransferOut -2500 principal, 7400
Payout -5000 principal, 2400
Payout -75 fee, 2325
Reversal +5000 principal, 7325
Reversal +75 fee, 7400
"
    );
    assert_eq!(harness.buckets(HOUSE), [2_500, 0, 0]);
}

#[test]
fn a_returned_deposit_is_two_rows_and_nothing_is_netted() {
    // W32.
    let mut harness = Harness::open(instant());
    let charge = harness.deposit(Some("ana"), 10_000);
    harness.give_back(charge, 10_000);
    assert_eq!(
        harness.rows("ana"),
        "\
Deposit +10000 principal, 10000
Deposit -100 fee, 9900
Reversal -10000 principal, -100
Reversal +100 fee, 0
"
    );
}

#[test]
fn a_release_makes_no_row() {
    // W38, rulings 19: 59.00 net becomes available at midnight of Brasília.
    let mut harness = Harness::open(Terms { waiting_hours: 0, ..Terms::latest() });
    harness.deposit(Some("ana"), 6_000);
    assert_eq!(harness.balances("ana"), [0, 5_900, 0]);
    harness.pass("2026-10-21T02:59:59.999999Z");
    assert_eq!(harness.balances("ana"), [0, 5_900, 0]);
    harness.pass("2026-10-21T03:00:00Z");
    assert_eq!(harness.balances("ana"), [5_900, 0, 0]);
    let rows = harness.rows("ana");
    assert_eq!(rows, "Deposit +6000 principal, 6000\nDeposit -100 fee, 5900\n");
}

#[test]
fn a_deposit_above_the_threshold_is_held_at_the_provider_and_then_available_at_once() {
    // W38: 60.01.
    let mut harness = Harness::open(Terms { waiting_hours: 0, ..Terms::latest() });
    let charge = harness.deposit(Some("ana"), 6_001);
    assert_eq!(harness.balances("ana"), [0, 0, 0]);
    let released =
        Fact::Charge(ChargeFact::ProviderReleased { charge: Some(charge), payment: None });
    assert_eq!(harness.fact(released.clone()), Outcome::Applied(None));
    assert_eq!(harness.balances("ana"), [5_901, 0, 0]);
    assert_eq!(harness.fact(released), Outcome::Known);
}

/// The waiting period that the credit of a settled charge says it starts.
fn starts(harness: &Harness, charge: OpId) -> Option<Instant> {
    let known = harness.ledger.archive.ended_operation(charge).unwrap();
    match known.charge() {
        Some(charge::State::Paid(paid)) => paid.credit.waiting_until,
        other => panic!("{other:?} was never credited"),
    }
}

#[test]
fn the_first_deposit_blocks_withdrawals_to_the_microsecond() {
    // W37: until the very instant, inclusive; the second deposit does not begin anew.
    let mut harness = Harness::open(Terms { waiting_hours: 24, ..instant() });
    harness.now = at("2026-10-20T14:59:59Z");
    let first = harness.charge(Some("ana"), 10_000);
    assert_eq!(harness.now, at("2026-10-20T15:00:00Z"));
    harness.receive(first, 10_000);
    let second = harness.deposit(Some("ana"), 10_000);
    let until = at("2026-10-21T15:00:00Z");
    assert_eq!([first, second].map(|charge| starts(&harness, charge)), [Some(until), None]);
    harness.now = at("2026-10-21T14:59:59.999999Z");
    assert_eq!(harness.pay(Some("ana"), 1_000), Err(Refusal::Waiting { until }));
    harness.now = at("2026-10-21T14:59:59.999999Z");
    assert_eq!(harness.transfer(Some("ana"), None, 1_000), Err(Refusal::Waiting { until }));
    harness.now = until;
    assert!(harness.pay(Some("ana"), 1_000).is_ok());
}

#[test]
fn neither_the_house_nor_a_transfer_received_waits() {
    // P:CarenciaScope.
    let mut harness = Harness::open(Terms { waiting_hours: 24, ..instant() });
    harness.deposit(None, 10_000);
    harness.transfer(None, Some("bia"), 5_000).unwrap();
    assert!(harness.pay(None, 1_000).is_ok());
    assert!(harness.pay(Some("bia"), 1_000).is_ok());
    // Bia's first deposit starts her waiting period all the same.
    harness.deposit(Some("bia"), 10_000);
    assert!(matches!(harness.pay(Some("bia"), 1_000), Err(Refusal::Waiting { .. })));
}

#[test]
fn fees_are_those_of_the_day_a_payout_was_requested() {
    // W24, W67, FEE-32.
    let rates = |partner: Bps| Terms {
        payout_partner: partner,
        payout_tariff: Tariff::Fixed(as_cents(100)),
        ..instant()
    };
    let mut harness = Harness::open(rates(bps(100)));
    harness.deposit(Some("ana"), 100_000);
    let first = created(harness.pay(Some("ana"), 10_000).unwrap());
    let terms = rates(bps(50));
    harness.fact(Fact::Account(AccountFact::TermsAdopted {
        account: "shop".into(),
        from: None,
        terms,
    }));
    let second = created(harness.pay(Some("ana"), 10_000).unwrap());
    for (payout, e2e) in [(first, "E-1"), (second, "E-2")] {
        let (payout, e2e) = (Some(payout), e2e.into());
        harness.fact(Fact::Payout(PayoutFact::Paid { payout, e2e, amount: None }));
    }
    let books = &harness.ledger.state.books;
    let commissions: Vec<_> = books.commissions().map(|(_, known)| known.balance.cents()).collect();
    assert_eq!(commissions, [150]);
    assert_eq!(harness.balances("ana"), [99_900 - 10_350 - 10_300, 0, 0]);
}

#[test]
fn an_exact_payment_pays_and_another_waits_in_suspense_until_it_is_attached() {
    // W43, A16.
    let mut harness = Harness::open(instant());
    let charge = harness.charge(Some("ana"), 10_000);
    let Outcome::SetAside(Some(suspense)) = harness.receive(charge, 9_999) else { panic!() };
    assert_eq!(harness.balances("ana"), [0, 0, 0]);
    harness.pass("2026-10-20T13:00:00Z");
    let decided_by = OperatorDecision { actor: SOMEBODY, reason: SOMEBODY, evidence: None };
    let (suspense, charge) = (Some(suspense), Some(charge));
    let attached = Fact::Suspense(SuspenseFact::Attached { suspense, charge, decided_by });
    assert_eq!(harness.fact(attached), Outcome::Applied(None));
    assert_eq!(harness.balances("ana"), [9_899, 0, 0]);
}

#[test]
fn a_transfer_takes_all_that_is_available_and_no_more() {
    // W35.
    let mut harness = Harness::open(instant());
    harness.deposit(Some("ana"), 2_425);
    let available = balance(2_325);
    let more = harness.transfer(Some("ana"), None, 2_326);
    assert_eq!(more, Err(Refusal::FundsInsufficient { available }));
    assert!(harness.transfer(Some("ana"), None, amount(2_325).cents()).is_ok());
    assert_eq!((harness.balances("ana"), harness.buckets(HOUSE)), ([0, 0, 0], [2_325, 0, 0]));
}
