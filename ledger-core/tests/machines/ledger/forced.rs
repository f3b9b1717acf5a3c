//! Money that leaves after it was spent: rulings 21 to 25.

use ledger_core::accounting::Control;
use ledger_core::ledger::{Outcome, Refusal};
use ledger_core::machine::charge::State;
use ledger_core::machine::hold::{self, Kind};
use ledger_core::terms::{Release, Terms};

use super::{Desk, HOUSE, created, instant};
use crate::samples::balance;

fn next_day() -> Terms {
    Terms { release: Release::NextDay, ..instant() }
}

#[test]
fn a_deposit_returned_after_it_was_spent_leaves_a_debt_that_later_credits_cure() {
    // The worked example under rulings 29.
    let mut desk = Desk::open(instant());
    let charge = desk.deposit(Some("ana"), 10_000);
    assert!(desk.pay(Some("ana"), 9_000).is_ok());
    assert_eq!(desk.of("ana"), [765, 0, 0]);
    assert_eq!(desk.give_back(charge, 10_000), Outcome::Applied(None));
    assert_eq!(desk.of("ana"), [-9_135, 0, 0]);
    assert_eq!(desk.ledger.state.books.balance(Control::DepositIncome), 0);
    desk.deposit(Some("ana"), 5_000);
    assert_eq!(desk.of("ana"), [-4_235, 0, 0]);
    let available = balance(-4_235);
    let answer = desk.pay(Some("ana"), 1);
    assert_eq!(answer, Err(Refusal::FundsInsufficient { available }));
    let answer = desk.transfer(Some("ana"), None, 1);
    assert_eq!(answer, Err(Refusal::FundsInsufficient { available }));
}

#[test]
fn the_house_spends_only_what_its_subaccounts_do_not_owe() {
    // Rulings 25: house 12,000, one subaccount -9,135, another 4,950: 2,865.
    let mut desk = Desk::open(instant());
    desk.deposit(None, 12_100);
    let charge = desk.deposit(Some("ana"), 10_000);
    desk.pay(Some("ana"), 9_000).unwrap();
    desk.give_back(charge, 10_000);
    desk.deposit(Some("bia"), 5_050);
    assert_eq!(desk.buckets(HOUSE), [12_000, 0, 0]);
    assert_eq!((desk.of("ana"), desk.of("bia")), ([-9_135, 0, 0], [4_950, 0, 0]));
    assert_eq!(desk.ledger.state.spendable(HOUSE), balance(2_865));
    let available = balance(2_865);
    let answer = desk.transfer(None, Some("bia"), 2_866);
    assert_eq!(answer, Err(Refusal::FundsInsufficient { available }));
    assert!(desk.transfer(None, Some("bia"), 2_865).is_ok());
    // Bia is not Ana: she spends all she has.
    assert_eq!(desk.ledger.state.spendable(desk.named("bia")), balance(7_815));
    // A debt cured frees the house again.
    desk.deposit(Some("ana"), 10_000);
    assert_eq!(desk.ledger.state.spendable(HOUSE), balance(9_135));
}

#[test]
fn a_return_takes_its_own_held_part_then_others_latest_release_first_then_available() {
    // Rulings 23: two credits that have matured, one that is still held.
    let mut desk = Desk::open(next_day());
    let old = desk.deposit(Some("ana"), 2_100);
    desk.pass("2026-10-21T02:59:00Z");
    let soon = desk.deposit(Some("ana"), 1_100);
    desk.pass("2026-10-21T03:00:00Z");
    let late = desk.deposit(Some("ana"), 1_600);
    assert_eq!(desk.of("ana"), [3_000, 1_500, 0]);
    // Its own part first: nothing else moves.
    desk.give_back(late, 500);
    assert_eq!(desk.of("ana"), [3_000, 1_000, 0]);
    let subaccount = desk.named("ana");
    let left: Vec<_> =
        desk.ledger.state.releases(subaccount).map(|(_, op, s)| (op, s.cents())).collect();
    assert_eq!(left, [(late, 1_000)]);
    // Old and soon have matured; other held parts go before what is available.
    desk.give_back(soon, 700);
    assert_eq!(desk.of("ana"), [3_000, 300, 0]);
    desk.give_back(old, 800);
    assert_eq!(desk.of("ana"), [2_500, 0, 0]);
    // What is left of it matures with nothing.
    desk.pass("2026-10-22T03:00:00Z");
    assert_eq!(desk.of("ana"), [2_500, 0, 0]);
}

#[test]
fn of_two_held_parts_the_later_release_goes_first() {
    let mut desk = Desk::open(next_day());
    let spent = desk.deposit(Some("ana"), 1_100);
    desk.pass("2026-10-21T03:00:00Z");
    let first = desk.deposit(Some("ana"), 1_100);
    let second = desk.deposit(Some("ana"), 1_100);
    assert!(desk.pay(Some("ana"), 900).is_ok());
    assert_eq!(desk.of("ana"), [87, 2_000, 0]);
    // Same day: the later of the two is the later release.
    desk.give_back(spent, 400);
    let subaccount = desk.named("ana");
    let left: Vec<_> =
        desk.ledger.state.releases(subaccount).map(|(_, op, s)| (op, s.cents())).collect();
    assert_eq!(left, [(first, 1_000), (second, 600)]);
    assert_eq!(desk.of("ana"), [87, 1_600, 0]);
}

#[test]
fn a_return_takes_the_block_placed_for_it_and_no_other() {
    // Rulings 23: never money frozen for another cause.
    let mut desk = Desk::open(instant());
    let contested = desk.deposit(Some("ana"), 10_000);
    let other = desk.deposit(Some("ana"), 5_100);
    let mine = created(desk.block("ana", Some(contested), Kind::Dispute, 10_000));
    created(desk.block("ana", Some(other), Kind::Judicial, 4_000));
    assert_eq!(desk.of("ana"), [900, 0, 14_000]);
    desk.give_back(contested, 10_000);
    // 9,900 from its own block, and the 100 over is let go.
    assert_eq!(desk.of("ana"), [1_000, 0, 4_000]);
    let ended = ledger_core::ledger::Archive::ended(&desk.ledger.archive, mine);
    assert!(ended.is_some_and(|known| known.hold().is_some_and(hold::State::has_ended)));
}

#[test]
fn a_return_in_parts_bears_principal_first_and_then_the_fee() {
    // Rulings 22 and 23: rows of 9,950 then 50.
    let mut desk = Desk::open(instant());
    let charge = desk.deposit(Some("ana"), 10_000);
    desk.give_back(charge, 9_950);
    assert_eq!(desk.of("ana"), [0, 0, 0]);
    let open = desk.ledger.archive.clone();
    let known = ledger_core::ledger::Archive::ended(&open, charge).unwrap();
    assert!(matches!(known.charge(), Some(State::Paid(_))), "paid until the whole went back");
    desk.give_back(charge, 50);
    assert_eq!(
        desk.rows("ana"),
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
    assert!(matches!(desk.give_back(charge, 1), Outcome::SetAside(Some(_))));
}

#[test]
fn a_return_before_the_credit_is_nobodys_debt() {
    // Rulings 22: the credit is what is left, and the fee at most that.
    let mut desk = Desk::open(Terms { waiting_hours: 0, ..Terms::published() });
    let charge = desk.deposit(Some("ana"), 10_000);
    desk.give_back(charge, 9_950);
    assert_eq!(desk.rows("ana"), "");
    let released = |charge| ledger_core::ledger::Fact::ProviderReleased {
        charge: Some(charge),
        payment: None,
    };
    desk.fact(released(charge));
    assert_eq!(desk.rows("ana"), "Deposit +50 principal, 50\nDeposit -50 fee, 0\n");
    desk.give_back(charge, 50);
    assert_eq!(desk.of("ana"), [0, 0, 0]);
    assert_eq!(desk.ledger.state.books.balance(Control::DepositIncome), 0);
}

#[test]
fn where_the_switch_says_so_the_house_spends_what_it_has() {
    // Rulings 25: a switch, default on.
    use ledger_core::terms::{Policy, Switch};
    let policy = Policy { house_covers_negatives: Switch::Off, ..super::unlimited() };
    let mut desk = Desk::under(policy, instant());
    desk.deposit(None, 12_100);
    let charge = desk.deposit(Some("ana"), 10_000);
    desk.pay(Some("ana"), 9_000).unwrap();
    desk.give_back(charge, 10_000);
    assert_eq!((desk.buckets(HOUSE)[0], desk.of("ana")[0]), (12_000, -9_135));
    assert!(desk.transfer(None, Some("bia"), 12_000).is_ok());
}

#[test]
fn a_debt_is_written_off_by_a_person_and_no_more_than_is_owed() {
    // Rulings 29: an operator's fact with actor, reason and evidence.
    use ledger_core::ledger::{Event, Fact, OperatorDecision};
    let mut desk = Desk::open(instant());
    let charge = desk.deposit(Some("ana"), 10_000);
    desk.pay(Some("ana"), 9_000).unwrap();
    desk.give_back(charge, 10_000);
    assert_eq!(desk.of("ana"), [-9_135, 0, 0]);
    let judged = crate::samples::SOMEBODY;
    let decided_by = OperatorDecision { actor: judged, reason: judged, evidence: Some(judged) };
    let off = |cents| Fact::BalanceWrittenOff {
        account: "shop".into(),
        customer: Some("ana".into()),
        amount: crate::samples::amount(cents),
        decided_by,
    };
    assert_eq!(desk.fact(off(9_136)), Outcome::SetAside(None));
    assert_eq!(desk.of("ana"), [-9_135, 0, 0]);
    created(desk.fact(off(9_000)));
    assert_eq!(desk.records.last().unwrap().events.last(), Some(&Event::Judged(decided_by)));
    created(desk.fact(off(135)));
    assert_eq!((desk.of("ana"), desk.total(Control::Loss)), ([0, 0, 0], 9_135));
    assert_eq!(desk.fact(off(1)), Outcome::SetAside(None), "nothing is owed");
    assert!(
        desk.rows("ana").ends_with("WriteOff +9000 principal, -135\nWriteOff +135 principal, 0\n")
    );
}

#[test]
fn credits_cure_a_debt_by_plain_addition_whatever_brings_them() {
    // Rulings 24.
    let mut desk = Desk::open(instant());
    let charge = desk.deposit(Some("ana"), 1_100);
    desk.pay(Some("ana"), 900).unwrap();
    desk.give_back(charge, 1_100);
    assert_eq!(desk.of("ana"), [-913, 0, 0]);
    desk.deposit(None, 5_100);
    desk.transfer(None, Some("ana"), 913).unwrap();
    assert_eq!(desk.of("ana"), [0, 0, 0]);
    desk.transfer(None, Some("ana"), 100).unwrap();
    assert!(desk.transfer(Some("ana"), None, 100).is_ok());
}
