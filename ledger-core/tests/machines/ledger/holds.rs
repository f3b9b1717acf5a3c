//! Blocks on custody money as the ledger composes them: rulings 23, 26; INV-14.

use ledger_core::ledger::cell::{Fact as CellFact, Step};
use ledger_core::ledger::{Fact, Outcome};
use ledger_core::machine::hold::Kind;
use ledger_core::money::Balance;
use ledger_core::terms::{Release, Terms};

use super::{Harness, created, instant};

impl Harness {
    /// An account takes a step of its way to another ledger.
    pub(super) fn step(&mut self, account: &str, step: Step) {
        let (account, ledger) = (account.into(), "other".into());
        self.fact(Fact::Cell(CellFact::Moved { account, step, ledger }));
    }

    /// Centavos of a customer are carried to the other ledger, or from there.
    pub(super) fn carry(&mut self, customer: &str, cents: i64) {
        self.fact(Fact::Cell(CellFact::BalanceCarried {
            account: "shop".into(),
            customer: Some(customer.into()),
            commission: false,
            effect: Balance::new(cents),
            deposited: true,
            waiting_until: None,
        }));
    }
}

fn next_day() -> Terms {
    Terms { release: Release::NextDay, ..instant() }
}

#[test]
fn a_block_takes_the_held_part_of_its_deposit_first_and_gives_it_back_there() {
    let mut harness = Harness::open(next_day());
    harness.deposit(Some("ana"), 5_100);
    harness.pass("2026-10-21T03:00:00Z");
    let charge = harness.deposit(Some("ana"), 2_100);
    assert_eq!(harness.balances("ana"), [5_000, 2_000, 0]);
    let hold = created(harness.block("ana", Some(charge), Kind::Dispute, 3_000));
    assert_eq!(harness.balances("ana"), [4_000, 0, 3_000]);
    // Partly let go: what came from available first.
    harness.unblock(hold, Some(1_500));
    assert_eq!(harness.balances("ana"), [5_000, 500, 1_500]);
    harness.unblock(hold, None);
    assert_eq!(harness.balances("ana"), [5_000, 2_000, 0]);
    harness.pass("2026-10-22T03:00:00Z");
    assert_eq!(harness.balances("ana"), [7_000, 0, 0]);
    assert_eq!(harness.unblock(hold, None), Outcome::Known);
}

#[test]
fn a_debt_is_cured_before_a_block_takes_more() {
    // At most max(0, available).
    let mut harness = Harness::open(instant());
    let charge = harness.deposit(Some("ana"), 1_100);
    harness.pay(Some("ana"), 900).unwrap();
    created(harness.block("ana", None, Kind::Judicial, 1_000));
    assert_eq!(harness.balances("ana"), [0, 0, 87]);
    harness.give_back(charge, 1_100);
    assert_eq!(harness.balances("ana"), [-1_000, 0, 87]);
    harness.deposit(Some("ana"), 1_200);
    assert_eq!(harness.balances("ana"), [0, 0, 187]);
}

#[test]
fn a_charge_that_ends_leaves_nothing_in_its_held_part() {
    // Rulings 23: the first return is borne by a block on available, so the held part is more than
    // the last return needs; what is over becomes available.
    let mut harness = Harness::open(next_day());
    harness.deposit(Some("ana"), 1_100);
    harness.pass("2026-10-21T03:00:00Z");
    let charge = harness.deposit(Some("ana"), 2_100);
    let on_held = created(harness.block("ana", Some(charge), Kind::Dispute, 2_000));
    created(harness.block("ana", Some(charge), Kind::Judicial, 1_000));
    assert_eq!(harness.balances("ana"), [0, 0, 3_000]);
    harness.unblock(on_held, None);
    assert_eq!(harness.balances("ana"), [0, 2_000, 1_000]);
    harness.give_back(charge, 1_000);
    assert_eq!(harness.balances("ana"), [0, 2_000, 0]);
    harness.give_back(charge, 1_100);
    assert_eq!(harness.balances("ana"), [1_000, 0, 0]);
}

#[test]
fn a_hold_of_kind_maturity_waits_for_a_person() {
    // Rulings 1: a fact is never refused, and never a panic.
    let mut harness = Harness::open(instant());
    harness.deposit(Some("ana"), 1_100);
    let outcome = harness.block("ana", None, Kind::Maturity, 700);
    assert_eq!(outcome, Outcome::SetAside(None));
    assert_eq!(harness.balances("ana"), [1_000, 0, 0]);
}

#[test]
fn a_precautionary_block_gives_the_held_part_back_when_it_ends() {
    let mut harness = Harness::open(next_day());
    harness.pass("2026-10-20T03:30:00Z");
    let charge = harness.deposit(Some("ana"), 2_100);
    created(harness.block("ana", Some(charge), Kind::Precautionary, 1_500));
    let policy = ledger_core::terms::Policy {
        precaution: Some(ledger_core::time::Span::hours(2)),
        ..super::unlimited()
    };
    let mut short = Harness::under(policy, next_day());
    let its_charge = short.deposit(Some("ana"), 2_100);
    created(short.block("ana", Some(its_charge), Kind::Precautionary, 1_500));
    assert_eq!(
        (harness.balances("ana"), short.balances("ana")),
        ([0, 500, 1_500], [0, 500, 1_500])
    );
    short.pass("2026-10-20T14:30:00Z");
    assert_eq!(short.balances("ana"), [0, 2_000, 0]);
    harness.pass("2026-10-21T14:30:00Z");
    assert_eq!(harness.balances("ana"), [500, 0, 1_500], "it matured, and the block stands");
}

#[test]
fn a_precautionary_block_without_a_limit_stands_until_it_is_released() {
    let policy = ledger_core::terms::Policy { precaution: None, ..super::unlimited() };
    let mut harness = Harness::under(policy, instant());
    harness.deposit(Some("ana"), 1_100);
    created(harness.block("ana", None, Kind::Precautionary, 700));
    harness.pass("2027-10-23T12:00:03Z");
    assert_eq!(harness.balances("ana"), [300, 0, 700]);
}

#[test]
fn nothing_is_blocked_where_its_money_was_carried_away_from() {
    let mut harness = Harness::open(instant());
    harness.deposit(Some("ana"), 600);
    harness.step("shop", Step::Leaving);
    // Nothing of it is gone: what is blocked now is waited for.
    let hold = created(harness.block("ana", None, Kind::Judicial, 100));
    harness.unblock(hold, None);
    harness.carry("ana", -500);
    assert_eq!(harness.balances("ana"), [0, 0, 0]);
    let outcome = harness.block("ana", None, Kind::Judicial, 100);
    assert!(matches!(outcome, Outcome::SetAside(_)), "{outcome:?}");
    harness.step("shop", Step::Departed);
    let outcome = harness.block("ana", None, Kind::Judicial, 100);
    assert!(matches!(outcome, Outcome::SetAside(_)), "{outcome:?}");
}
