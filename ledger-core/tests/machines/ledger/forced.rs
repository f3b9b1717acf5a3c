//! Money that leaves after it was spent: rulings 21 to 25.

use ledger_core::accounting::Control;
use ledger_core::ledger::adjustment::Fact as AdjustmentFact;
use ledger_core::ledger::charge::Fact as ChargeFact;
use ledger_core::ledger::{Outcome, Refusal};
use ledger_core::machine::charge::State;
use ledger_core::machine::hold::{self, Kind};
use ledger_core::terms::{Release, Terms};

use super::{HOUSE, Harness, created, instant};
use crate::samples::balance;

fn next_day() -> Terms {
    Terms { release: Release::NextDay, ..instant() }
}

#[test]
fn a_deposit_returned_after_it_was_spent_leaves_a_debt_that_later_credits_cure() {
    // The worked example under rulings 29.
    let mut harness = Harness::open(instant());
    let charge = harness.deposit(Some("ana"), 10_000);
    assert!(harness.pay(Some("ana"), 9_000).is_ok());
    assert_eq!(harness.balances("ana"), [765, 0, 0]);
    assert_eq!(harness.give_back(charge, 10_000), Outcome::Applied(None));
    assert_eq!(harness.balances("ana"), [-9_135, 0, 0]);
    assert_eq!(harness.ledger.state.books.balance(Control::DepositIncome), 0);
    harness.deposit(Some("ana"), 5_000);
    assert_eq!(harness.balances("ana"), [-4_235, 0, 0]);
    let available = balance(-4_235);
    let answer = harness.pay(Some("ana"), 1);
    assert_eq!(answer, Err(Refusal::FundsInsufficient { available }));
    let answer = harness.transfer(Some("ana"), None, 1);
    assert_eq!(answer, Err(Refusal::FundsInsufficient { available }));
}

#[test]
fn the_house_spends_only_what_its_subaccounts_do_not_owe() {
    // Rulings 25: house 12,000, one subaccount -9,135, another 4,950: 2,865.
    let mut harness = Harness::open(instant());
    harness.deposit(None, 12_100);
    let charge = harness.deposit(Some("ana"), 10_000);
    harness.pay(Some("ana"), 9_000).unwrap();
    harness.give_back(charge, 10_000);
    harness.deposit(Some("bia"), 5_050);
    assert_eq!(harness.buckets(HOUSE), [12_000, 0, 0]);
    assert_eq!((harness.balances("ana"), harness.balances("bia")), ([-9_135, 0, 0], [4_950, 0, 0]));
    assert_eq!(harness.ledger.state.spendable(HOUSE), balance(2_865));
    let available = balance(2_865);
    let answer = harness.transfer(None, Some("bia"), 2_866);
    assert_eq!(answer, Err(Refusal::FundsInsufficient { available }));
    assert!(harness.transfer(None, Some("bia"), 2_865).is_ok());
    // Bia is not Ana: she spends all she has.
    assert_eq!(harness.ledger.state.spendable(harness.named("bia")), balance(7_815));
    // A debt cured frees the house again.
    harness.deposit(Some("ana"), 10_000);
    assert_eq!(harness.ledger.state.spendable(HOUSE), balance(9_135));
}

#[test]
fn a_return_takes_its_own_held_part_then_others_latest_release_first_then_available() {
    // Rulings 23: two credits that have matured, one that is still held.
    let mut harness = Harness::open(next_day());
    let old = harness.deposit(Some("ana"), 2_100);
    harness.pass("2026-10-21T02:59:00Z");
    let soon = harness.deposit(Some("ana"), 1_100);
    harness.pass("2026-10-21T03:00:00Z");
    let late = harness.deposit(Some("ana"), 1_600);
    assert_eq!(harness.balances("ana"), [3_000, 1_500, 0]);
    // Its own part first: nothing else moves.
    harness.give_back(late, 500);
    assert_eq!(harness.balances("ana"), [3_000, 1_000, 0]);
    let subaccount = harness.named("ana");
    let left: Vec<_> =
        harness.ledger.state.releases(subaccount).map(|(_, op, s)| (op, s.cents())).collect();
    assert_eq!(left, [(late, 1_000)]);
    // Old and soon have matured; other held parts go before what is available.
    harness.give_back(soon, 700);
    assert_eq!(harness.balances("ana"), [3_000, 300, 0]);
    harness.give_back(old, 800);
    assert_eq!(harness.balances("ana"), [2_500, 0, 0]);
    // What is left of it matures with nothing.
    harness.pass("2026-10-22T03:00:00Z");
    assert_eq!(harness.balances("ana"), [2_500, 0, 0]);
}

#[test]
fn of_two_held_parts_the_later_release_goes_first() {
    let mut harness = Harness::open(next_day());
    let spent = harness.deposit(Some("ana"), 1_100);
    harness.pass("2026-10-21T03:00:00Z");
    let first = harness.deposit(Some("ana"), 1_100);
    let second = harness.deposit(Some("ana"), 1_100);
    assert!(harness.pay(Some("ana"), 900).is_ok());
    assert_eq!(harness.balances("ana"), [87, 2_000, 0]);
    // Same day: the later of the two is the later release.
    harness.give_back(spent, 400);
    let subaccount = harness.named("ana");
    let left: Vec<_> =
        harness.ledger.state.releases(subaccount).map(|(_, op, s)| (op, s.cents())).collect();
    assert_eq!(left, [(first, 1_000), (second, 600)]);
    assert_eq!(harness.balances("ana"), [87, 1_600, 0]);
}

#[test]
fn a_return_takes_the_block_placed_for_it_and_no_other() {
    // Rulings 23: never money frozen for another cause.
    let mut harness = Harness::open(instant());
    let contested = harness.deposit(Some("ana"), 10_000);
    let other = harness.deposit(Some("ana"), 5_100);
    let mine = created(harness.block("ana", Some(contested), Kind::Dispute, 10_000));
    created(harness.block("ana", Some(other), Kind::Judicial, 4_000));
    assert_eq!(harness.balances("ana"), [900, 0, 14_000]);
    harness.give_back(contested, 10_000);
    // 9,900 from its own block, and the 100 over is let go.
    assert_eq!(harness.balances("ana"), [1_000, 0, 4_000]);
    let ended = ledger_core::ledger::Archive::ended_operation(&harness.ledger.archive, mine);
    assert!(ended.is_some_and(|known| known.hold().is_some_and(hold::State::has_ended)));
}

#[test]
fn a_return_in_parts_bears_principal_first_and_then_the_fee() {
    // Rulings 22 and 23: rows of 9,950 then 50.
    let mut harness = Harness::open(instant());
    let charge = harness.deposit(Some("ana"), 10_000);
    harness.give_back(charge, 9_950);
    assert_eq!(harness.balances("ana"), [0, 0, 0]);
    let open = harness.ledger.archive.clone();
    let known = ledger_core::ledger::Archive::ended_operation(&open, charge).unwrap();
    assert!(matches!(known.charge(), Some(State::Paid(_))), "paid until the whole went back");
    harness.give_back(charge, 50);
    assert_eq!(
        harness.rows("ana"),
        "\
Deposit +10000 principal, 10000
Deposit -100 fee, 9900
Reversal -9950 principal, -50
Reversal +50 fee, 0
Reversal -50 principal, -50
Reversal +50 fee, 0
"
    );
    // Rulings 2: more than was paid is set aside.
    assert!(matches!(harness.give_back(charge, 1), Outcome::SetAside(Some(_))));
}

#[test]
fn a_return_before_the_credit_is_nobodys_debt() {
    // Rulings 22: the credit is what is left, and the fee at most that.
    let mut harness = Harness::open(Terms { waiting_hours: 0, ..Terms::latest() });
    let charge = harness.deposit(Some("ana"), 10_000);
    harness.give_back(charge, 9_950);
    assert_eq!(harness.rows("ana"), "");
    let released = |charge| {
        ledger_core::ledger::Fact::Charge(ChargeFact::ProviderReleased {
            charge: Some(charge),
            payment: None,
        })
    };
    harness.fact(released(charge));
    assert_eq!(harness.rows("ana"), "Deposit +50 principal, 50\nDeposit -50 fee, 0\n");
    harness.give_back(charge, 50);
    assert_eq!(harness.balances("ana"), [0, 0, 0]);
    assert_eq!(harness.ledger.state.books.balance(Control::DepositIncome), 0);
}

#[test]
fn where_the_switch_says_so_the_house_spends_what_it_has() {
    // Rulings 25: a switch, default on.
    use ledger_core::terms::{Policy, Switch};
    let policy = Policy { house_covers_negatives: Switch::Off, ..super::unlimited() };
    let mut harness = Harness::under(policy, instant());
    harness.deposit(None, 12_100);
    let charge = harness.deposit(Some("ana"), 10_000);
    harness.pay(Some("ana"), 9_000).unwrap();
    harness.give_back(charge, 10_000);
    assert_eq!((harness.buckets(HOUSE)[0], harness.balances("ana")[0]), (12_000, -9_135));
    assert!(harness.transfer(None, Some("bia"), 12_000).is_ok());
}

#[test]
fn a_debt_is_written_off_by_a_person_and_no_more_than_is_owed() {
    // Rulings 29: an operator's fact with actor, reason and evidence.
    use ledger_core::ledger::{Event, Fact, OperatorDecision};
    let mut harness = Harness::open(instant());
    let charge = harness.deposit(Some("ana"), 10_000);
    harness.pay(Some("ana"), 9_000).unwrap();
    harness.give_back(charge, 10_000);
    assert_eq!(harness.balances("ana"), [-9_135, 0, 0]);
    let judged = crate::samples::SOMEBODY;
    let decided_by = OperatorDecision { actor: judged, reason: judged, evidence: Some(judged) };
    let off = |cents| {
        Fact::Adjustment(AdjustmentFact::BalanceWrittenOff {
            account: "shop".into(),
            customer: Some("ana".into()),
            amount: crate::samples::amount(cents),
            decided_by,
        })
    };
    assert_eq!(harness.fact(off(9_136)), Outcome::SetAside(None));
    assert_eq!(harness.balances("ana"), [-9_135, 0, 0]);
    created(harness.fact(off(9_000)));
    assert_eq!(harness.records.last().unwrap().events.last(), Some(&Event::Judged(decided_by)));
    created(harness.fact(off(135)));
    assert_eq!((harness.balances("ana"), harness.total(Control::Loss)), ([0, 0, 0], 9_135));
    assert_eq!(harness.fact(off(1)), Outcome::SetAside(None), "nothing is owed");
    assert!(
        harness
            .rows("ana")
            .ends_with("WriteOff +9000 principal, -135\nWriteOff +135 principal, 0\n")
    );
}

#[test]
fn credits_cure_a_debt_by_plain_addition_whatever_brings_them() {
    // Rulings 24.
    let mut harness = Harness::open(instant());
    let charge = harness.deposit(Some("ana"), 1_100);
    harness.pay(Some("ana"), 900).unwrap();
    harness.give_back(charge, 1_100);
    assert_eq!(harness.balances("ana"), [-913, 0, 0]);
    harness.deposit(None, 5_100);
    harness.transfer(None, Some("ana"), 913).unwrap();
    assert_eq!(harness.balances("ana"), [0, 0, 0]);
    harness.transfer(None, Some("ana"), 100).unwrap();
    assert!(harness.transfer(Some("ana"), None, 100).is_ok());
}
