//! Money that went on from where it was credited, and is blocked there: rulings 81.

use ledger_core::id::OpId;
use ledger_core::ledger::{Archive, Event, Outcome};
use ledger_core::machine::charge::{self, State};
use ledger_core::machine::hold::Kind;
use ledger_core::terms::{Rate, Release, Terms};

use super::{HOUSE, Harness, created, instant};
use crate::samples::as_cents;

/// A deposit of 10,000 to Ana, of which so much went on to each of the others.
fn moved_on(to: &[(&str, i64)]) -> (Harness, OpId) {
    let mut harness = Harness::open(instant());
    let charge = harness.deposit(Some("ana"), 10_000);
    for (customer, cents) in to {
        harness.transfer(Some("ana"), Some(customer), *cents).unwrap();
    }
    (harness, charge)
}

fn blocked(harness: &mut Harness, customer: &str, charge: OpId, cents: i64) -> OpId {
    created(harness.block(customer, Some(charge), Kind::Dispute, cents))
}

fn is_refunded(harness: &Harness, charge: OpId) -> bool {
    let known = harness.ledger.archive.ended_operation(charge);
    known.is_some_and(|known| matches!(known.charge(), Some(State::Refunded(_))))
}

#[test]
fn a_block_stands_where_the_money_went_on_to_and_its_return_takes_it_there() {
    let (mut harness, charge) = moved_on(&[("beto", 9_900)]);
    blocked(&mut harness, "beto", charge, 9_900);
    assert_eq!(harness.balances("beto"), [0, 0, 9_900]);
    assert_eq!(harness.give_back(charge, 10_000), Outcome::Applied(None));
    assert_eq!((harness.balances("ana"), harness.balances("beto")), ([0, 0, 0], [0, 0, 0]));
    assert!(is_refunded(&harness, charge));
    let rows = harness.rows("beto");
    assert!(rows.ends_with("Reversal -9900 principal, 0\n"), "{rows}");
    // The fee's part stays with the deposit (rulings 22).
    let rows = harness.rows("ana");
    assert!(rows.ends_with("Reversal -100 principal, -100\nReversal +100 fee, 0\n"), "{rows}");
}

#[test]
fn a_traced_block_takes_what_is_there_and_what_comes_up_to_its_amount() {
    let (mut harness, charge) = moved_on(&[("beto", 9_900)]);
    harness.transfer(Some("beto"), Some("caio"), 9_000).unwrap();
    blocked(&mut harness, "beto", charge, 9_900);
    assert_eq!(harness.balances("beto"), [0, 0, 900]);
    harness.deposit(Some("beto"), 5_100);
    assert_eq!(harness.balances("beto"), [0, 0, 5_900]);
    harness.deposit(Some("beto"), 5_100);
    assert_eq!(harness.balances("beto"), [1_000, 0, 9_900]);
}

#[test]
fn what_traced_blocks_do_not_hold_falls_on_the_subaccount_that_was_credited() {
    let (mut harness, charge) = moved_on(&[("beto", 9_000)]);
    blocked(&mut harness, "beto", charge, 4_000);
    assert_eq!(harness.balances("beto"), [5_000, 0, 4_000]);
    assert_eq!(harness.give_back(charge, 10_000), Outcome::Applied(None));
    // 9,900 are principal: 4,000 of Beto's block and never more of his, 5,900 of Ana's 900.
    assert_eq!(
        (harness.balances("beto"), harness.balances("ana")),
        ([5_000, 0, 0], [-5_000, 0, 0])
    );
}

#[test]
fn several_blocks_give_in_the_order_placed_after_the_own_one() {
    let (mut harness, charge) = moved_on(&[("beto", 3_000), ("caio", 2_000)]);
    let caio = blocked(&mut harness, "caio", charge, 2_000);
    blocked(&mut harness, "beto", charge, 3_000);
    blocked(&mut harness, "ana", charge, 1_000);
    let seen = |harness: &Harness| ["ana", "beto", "caio"].map(|name| harness.balances(name));
    assert_eq!(seen(&harness), [[3_900, 0, 1_000], [0, 0, 3_000], [0, 0, 2_000]]);
    // 1,000 of the own block, then of the first placed.
    harness.give_back(charge, 2_500);
    assert_eq!(seen(&harness), [[3_900, 0, 0], [0, 0, 3_000], [0, 0, 500]]);
    harness.give_back(charge, 1_000);
    assert_eq!(seen(&harness), [[3_900, 0, 0], [0, 0, 2_500], [0, 0, 0]]);
    assert_eq!(harness.unblock(caio, None), Outcome::Known, "it gave all it was for");
    // What is left of the principal: 2,500 of Beto's, the rest of Ana's available.
    harness.give_back(charge, 6_500);
    assert_eq!(seen(&harness), [[0, 0, 0], [0, 0, 0], [0, 0, 0]]);
    assert!(is_refunded(&harness, charge));
}

#[test]
fn a_traced_block_that_was_released_or_ended_gives_nothing() {
    let (mut harness, charge) = moved_on(&[("beto", 9_900)]);
    let hold = blocked(&mut harness, "beto", charge, 9_900);
    harness.unblock(hold, None);
    created(harness.block("beto", Some(charge), Kind::Precautionary, 9_900));
    harness.pass("2026-10-24T12:00:00Z");
    assert_eq!(harness.balances("beto"), [9_900, 0, 0]);
    harness.give_back(charge, 10_000);
    assert_eq!(
        (harness.balances("beto"), harness.balances("ana")),
        ([9_900, 0, 0], [-9_900, 0, 0])
    );
}

#[test]
fn the_end_of_a_charge_frees_what_its_traced_blocks_still_hold() {
    let (mut harness, charge) = moved_on(&[("beto", 9_900)]);
    harness.deposit(Some("beto"), 5_100);
    let hold = blocked(&mut harness, "beto", charge, 12_000);
    assert_eq!(harness.balances("beto"), [2_900, 0, 12_000]);
    harness.give_back(charge, 10_000);
    assert_eq!(harness.balances("beto"), [5_000, 0, 0]);
    assert_eq!(harness.unblock(hold, None), Outcome::Known);
}

#[test]
fn a_traced_return_leaves_a_debt_where_it_was() {
    // Beto owes for another PIX; the block's money is the payer's, and his debt grows by nothing.
    let (mut harness, charge) = moved_on(&[("beto", 4_000)]);
    let other = harness.deposit(Some("beto"), 3_100);
    blocked(&mut harness, "beto", charge, 4_000);
    assert_eq!(harness.balances("beto"), [3_000, 0, 4_000]);
    harness.transfer(Some("beto"), Some("ana"), 3_000).unwrap();
    harness.give_back(other, 3_100);
    assert_eq!(harness.balances("beto"), [-3_000, 0, 4_000]);
    harness.give_back(charge, 4_000);
    assert_eq!(
        (harness.balances("beto"), harness.balances("ana")),
        ([-3_000, 0, 0], [8_900, 0, 0])
    );
}

#[test]
fn a_charge_whose_return_is_all_traced_leaves_nothing_in_its_held_part() {
    let no_fee = Rate { fixed: as_cents(0), ..instant().deposit };
    let next_day = Terms { release: Release::NextDay, deposit: no_fee, ..instant() };
    let mut harness = Harness::open(next_day);
    harness.deposit(Some("ana"), 4_000);
    harness.pass("2026-10-21T03:00:00Z");
    let charge = harness.deposit(Some("ana"), 2_000);
    harness.transfer(Some("ana"), Some("beto"), 2_000).unwrap();
    blocked(&mut harness, "beto", charge, 2_000);
    assert_eq!(harness.balances("ana"), [2_000, 2_000, 0]);
    harness.give_back(charge, 2_000);
    assert_eq!((harness.balances("ana"), harness.balances("beto")), ([4_000, 0, 0], [0, 0, 0]));
    assert!(is_refunded(&harness, charge));
    harness.pass("2026-10-23T03:00:00Z");
}

#[test]
fn a_traced_block_names_a_cause_that_was_credited_on_the_same_account() {
    let (mut harness, charge) = moved_on(&[("beto", 900)]);
    let aside = Outcome::SetAside(None);
    assert_eq!(harness.block("beto", Some(charge), Kind::Administrative, 900), aside);
    assert_eq!(harness.block("nobody", Some(charge), Kind::Dispute, 900), aside);
    let pending = harness.charge(Some("ana"), 5_000);
    assert_eq!(harness.block("beto", Some(pending), Kind::Judicial, 900), aside);
    assert_eq!(harness.balances("beto"), [900, 0, 0]);
    assert!(matches!(
        harness.block("beto", Some(charge), Kind::Judicial, 900),
        Outcome::Applied(Some(_))
    ));
}

#[test]
fn only_the_block_pays_and_the_house_never() {
    let mut harness = Harness::open(instant());
    harness.deposit(None, 50_100);
    let charge = harness.deposit(None, 10_000);
    harness.transfer(None, Some("beto"), 9_900).unwrap();
    blocked(&mut harness, "beto", charge, 6_000);
    harness.give_back(charge, 6_000);
    assert_eq!((harness.buckets(HOUSE)[0], harness.balances("beto")), (50_000, [3_900, 0, 0]));
    let traced = harness.records.iter().flat_map(|record| &record.events).filter(|event| {
        matches!(event, Event::Charge { event: charge::Event::ReturnedTraced { .. }, .. })
    });
    assert_eq!(traced.count(), 1);
}
