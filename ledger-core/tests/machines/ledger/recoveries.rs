//! Recoveries of contested PIX: opened, blocked where the money went, decided, and refunded
//! (P:Recoveries).

mod at_random;

use ledger_core::id::OpId;
use ledger_core::ledger::cell::Step;
use ledger_core::ledger::outcome::Outcomes;
use ledger_core::ledger::recovery::{Fact as RecoveryFact, Recovery, Ruling};
use ledger_core::ledger::{
    Archive, Event, Fact, Machine, Outcome, Record, SetAsideReason as Reason, State,
};
use ledger_core::machine::charge::State as ChargeState;
use ledger_core::machine::hold::Kind;
use ledger_core::machine::purchase::End;
use ledger_core::money::Amount;
use ledger_core::terms::{Release, Terms};
use ledger_core::time::Span;

use super::counter::decided_by;
use super::entries::Became;
use super::{Harness, created, instant};
use crate::samples::{amount, as_cents, at};

const APPLIED: Became = Ok(Outcome::Applied(None));
const NAME: &str = "rec-1";

impl Harness {
    fn open_recovery(&mut self, name: &str, charge: OpId, cents: i64) -> Became {
        self.came_to(Fact::Recovery(RecoveryFact::Opened {
            recovery: name.into(),
            charge: Some(charge),
            amount: amount(cents),
            blocks_until: None,
            decides_until: None,
            decided_by: decided_by(),
        }))
    }

    fn block_for(&mut self, name: &str, charge: OpId, customer: Option<&str>) -> Became {
        self.came_to(Fact::Recovery(RecoveryFact::Blocked {
            recovery: name.into(),
            charge: Some(charge),
            account: "shop".into(),
            customer: customer.map(Into::into),
            decided_by: decided_by(),
        }))
    }

    fn rule(&mut self, name: &str, charge: OpId, ruling: Ruling) -> Became {
        let (recovery, charge, decided_by) = (name.into(), Some(charge), decided_by());
        self.came_to(Fact::Recovery(RecoveryFact::Decided { recovery, charge, ruling, decided_by }))
    }

    fn accept_recovery(&mut self, name: &str, charge: OpId, cents: i64) -> Became {
        self.rule(name, charge, Ruling::Accepted(Some(amount(cents))))
    }

    fn refund_recovery(&mut self, name: &str, charge: OpId, return_id: &str, cents: i64) -> Became {
        let (recovery, charge, return_id) = (name.into(), Some(charge), return_id.into());
        let amount = amount(cents);
        self.came_to(Fact::Recovery(RecoveryFact::Refunded { recovery, charge, return_id, amount }))
    }

    fn known(&self, name: &str) -> &Recovery {
        self.ledger.state.recovery(name).unwrap()
    }

    /// Available, held and frozen of each.
    fn all(&self, names: [&str; 3]) -> [[i64; 3]; 3] {
        names.map(|name| self.balances(name))
    }

    fn violations(&self) -> Vec<&'static str> {
        violations(&self.records)
    }
}

fn violations(records: &[Record]) -> Vec<&'static str> {
    let mut outcomes = Outcomes::new();
    let found = records.iter().flat_map(|record| outcomes.check(record, &[]));
    found.map(|violation| violation.invariant).filter(|id| *id == "OUT-22").collect()
}

/// A deposit of 10,000 to Ana (9,900 after the fee), of which Beto and Caio have so much, contested
/// whole.
fn contested(beto: i64, caio: i64) -> (Harness, OpId) {
    let mut harness = Harness::open(instant());
    let charge = harness.deposit(Some("ana"), 10_000);
    for (customer, cents) in [("beto", beto), ("caio", caio)] {
        if cents > 0 {
            harness.transfer(Some("ana"), Some(customer), cents).unwrap();
        }
    }
    assert_eq!(harness.open_recovery(NAME, charge, 10_000), APPLIED);
    (harness, charge)
}

#[test]
fn a_recovery_blocks_where_the_money_went_and_what_comes_up_to_its_amount() {
    let (mut harness, charge) = contested(6_000, 3_900);
    harness.transfer(Some("caio"), None, 1_900).unwrap();
    created(harness.block_for(NAME, charge, Some("beto")).unwrap());
    created(harness.block_for(NAME, charge, Some("caio")).unwrap());
    created(harness.block_for(NAME, charge, None).unwrap());
    let names = ["ana", "beto", "caio"];
    assert_eq!(harness.all(names), [[0, 0, 0], [0, 0, 6_000], [0, 0, 2_000]]);
    // 2,000 are missing: whoever of the three gets money gives of it, and all together no more.
    harness.transfer(None, Some("caio"), 500).unwrap();
    harness.deposit(Some("ana"), 1_100);
    assert_eq!(harness.all(names), [[0, 0, 1_000], [0, 0, 6_000], [0, 0, 2_500]]);
    harness.deposit(Some("beto"), 5_100);
    assert_eq!(harness.all(names), [[0, 0, 1_000], [4_500, 0, 6_500], [0, 0, 2_500]]);
    harness.deposit(Some("caio"), 5_100);
    assert_eq!(harness.balances("caio"), [5_000, 0, 2_500]);
    assert_eq!(harness.known(NAME).room(), as_cents(0));
    assert_eq!(harness.violations(), [""; 0]);
}

#[test]
fn what_was_accepted_goes_back_out_of_its_holds_and_the_rest_is_free() {
    let (mut harness, charge) = contested(6_000, 3_900);
    harness.block_for(NAME, charge, Some("beto")).unwrap();
    harness.block_for(NAME, charge, Some("caio")).unwrap();
    assert_eq!(harness.accept_recovery(NAME, charge, 7_000), APPLIED);
    // The last placed is let go first.
    let names = ["ana", "beto", "caio"];
    assert_eq!(harness.all(names), [[0, 0, 0], [0, 0, 6_000], [2_900, 0, 1_000]]);
    assert_eq!(harness.refund_recovery(NAME, charge, "D1", 5_000), APPLIED);
    assert_eq!(harness.all(names), [[0, 0, 0], [0, 0, 1_000], [2_900, 0, 1_000]]);
    assert_eq!(harness.refund_recovery(NAME, charge, "D1", 5_000), Ok(Outcome::Known));
    assert_eq!(harness.refund_recovery(NAME, charge, "D2", 2_000), APPLIED);
    assert_eq!(harness.all(names), [[0, 0, 0], [0, 0, 0], [2_900, 0, 0]]);
    assert!(harness.known(NAME).is_over());
    assert_eq!(harness.ledger.state.holds_for(charge).count(), 0);
    harness.deposit(Some("beto"), 1_100);
    assert_eq!(harness.balances("beto"), [1_000, 0, 0], "it watches no more");
    assert_eq!(harness.violations(), [""; 0]);
}

#[test]
fn the_whole_goes_back_with_the_fee_that_it_reverses() {
    let (mut harness, charge) = contested(9_000, 900);
    harness.block_for(NAME, charge, Some("beto")).unwrap();
    harness.block_for(NAME, charge, Some("caio")).unwrap();
    assert_eq!(harness.rule(NAME, charge, Ruling::Accepted(None)), APPLIED);
    assert_eq!(harness.refund_recovery(NAME, charge, "D1", 10_000), APPLIED);
    assert_eq!(harness.all(["ana", "beto", "caio"]), [[0; 3]; 3]);
    let ended = harness.ledger.archive.ended_operation(charge).unwrap();
    assert!(matches!(ended.machine, Machine::Charge(ChargeState::Refunded(_))));
    assert_eq!(harness.violations(), [""; 0]);
}

#[test]
fn a_refund_leaves_other_blocks_alone() {
    let (mut harness, charge) = contested(6_000, 3_900);
    created(harness.block("caio", Some(charge), Kind::Judicial, 3_900));
    harness.block_for(NAME, charge, Some("beto")).unwrap();
    harness.accept_recovery(NAME, charge, 10_000).unwrap();
    assert_eq!(harness.refund_recovery(NAME, charge, "D1", 6_001), Err(Reason::AmountExceeds));
    assert_eq!(harness.refund_recovery(NAME, charge, "D2", 6_000), APPLIED);
    assert_eq!(harness.balances("caio"), [0, 0, 3_900]);
    assert_eq!(harness.violations(), [""; 0]);
}

#[test]
fn a_block_takes_the_held_part_of_its_own_pix_and_gives_it_back() {
    let terms = Terms { release: Release::NextDay, ..instant() };
    let mut harness = Harness::open(terms);
    let charge = harness.deposit(Some("ana"), 10_000);
    assert_eq!(harness.balances("ana"), [0, 9_900, 0]);
    harness.open_recovery(NAME, charge, 4_000).unwrap();
    harness.block_for(NAME, charge, None).unwrap();
    assert_eq!(harness.balances("ana"), [0, 5_900, 4_000]);
    assert_eq!(harness.accept_recovery(NAME, charge, 1_000), APPLIED);
    assert_eq!(harness.balances("ana"), [0, 8_900, 1_000]);
    assert_eq!(harness.refund_recovery(NAME, charge, "D1", 1_000), APPLIED);
    assert_eq!(harness.balances("ana"), [0, 8_900, 0]);
    assert_eq!(harness.violations(), [""; 0]);
}

#[test]
fn a_rejected_recovery_lets_go_of_everything() {
    let (mut harness, charge) = contested(6_000, 3_900);
    harness.block_for(NAME, charge, Some("beto")).unwrap();
    harness.block_for(NAME, charge, None).unwrap();
    assert_eq!(harness.rule(NAME, charge, Ruling::Rejected), APPLIED);
    assert_eq!(harness.all(["ana", "beto", "caio"]), [[0; 3], [6_000, 0, 0], [3_900, 0, 0]]);
    assert_eq!(harness.ledger.state.holds_for(charge).count(), 0);
    // What it claimed may be contested again, under another name.
    assert_eq!(harness.open_recovery("rec-2", charge, 10_000), APPLIED);
}

#[test]
fn recoveries_of_one_pix_claim_at_most_what_may_go_back_of_it() {
    let (mut harness, charge) = contested(6_000, 3_900);
    assert_eq!(harness.open_recovery("rec-2", charge, 1), Err(Reason::AmountExceeds));
    harness.block_for(NAME, charge, Some("beto")).unwrap();
    harness.accept_recovery(NAME, charge, 6_000).unwrap();
    harness.refund_recovery(NAME, charge, "D1", 6_000).unwrap();
    assert_eq!(harness.open_recovery("rec-2", charge, 4_001), Err(Reason::AmountExceeds));
    assert_eq!(harness.open_recovery("rec-2", charge, 4_000), APPLIED);
    let other = harness.deposit(Some("dora"), 1_000);
    assert_eq!(harness.open_recovery("rec-3", other, 1_001), Err(Reason::AmountExceeds));
}

#[test]
fn a_recovery_is_opened_once_of_a_pix_that_was_credited() {
    let (mut harness, charge) = contested(6_000, 3_900);
    assert_eq!(harness.open_recovery(NAME, charge, 10_000), Ok(Outcome::Known));
    assert_eq!(harness.open_recovery(NAME, charge, 9_000), Err(Reason::IdTaken));
    let pending = harness.charge(Some("ana"), 5_000);
    assert_eq!(harness.open_recovery("rec-2", pending, 5_000), Err(Reason::TooEarly));
    let returned = harness.deposit(Some("ana"), 5_000);
    harness.give_back(returned, 5_000);
    assert_eq!(harness.open_recovery("rec-2", returned, 5_000), Err(Reason::AmountExceeds));
    let nobody = Fact::Recovery(RecoveryFact::Opened {
        recovery: "rec-2".into(),
        charge: None,
        amount: amount(1),
        blocks_until: None,
        decides_until: None,
        decided_by: decided_by(),
    });
    assert_eq!(harness.came_to(nobody), Err(Reason::Unmatched));
    for [blocks, decides] in [
        ["2026-10-20T12:00:00Z", "2026-10-30T12:00:00Z"],
        ["2026-10-30T12:00:00Z", "2026-10-20T12:00:00Z"],
        ["2027-10-30T12:00:00Z", "2026-10-30T12:00:00Z"],
    ] {
        let late = Fact::Recovery(RecoveryFact::Opened {
            recovery: "rec-2".into(),
            charge: Some(harness.deposit(Some("ana"), 5_000)),
            amount: amount(1),
            blocks_until: Some(at(blocks)),
            decides_until: Some(at(decides)),
            decided_by: decided_by(),
        });
        assert_eq!(harness.came_to(late), Err(Reason::OutOfTurn), "{blocks} {decides}");
    }
}

#[test]
fn a_recovery_opened_again_until_another_instant_is_another() {
    let (mut harness, charge) = contested(6_000, 3_900);
    let (blocks, decides) = (harness.known(NAME).blocks_until, harness.known(NAME).decides_until);
    let later = decides.after(Span::days(1));
    for (blocks_until, decides_until, came) in [
        (Some(blocks), Some(decides), Ok(Outcome::Known)),
        (Some(later), None, Err(Reason::IdTaken)),
        (None, Some(later), Err(Reason::IdTaken)),
    ] {
        let again = Fact::Recovery(RecoveryFact::Opened {
            recovery: NAME.into(),
            charge: Some(charge),
            amount: amount(10_000),
            blocks_until,
            decides_until,
            decided_by: decided_by(),
        });
        assert_eq!(harness.came_to(again), came);
    }
}

#[test]
fn a_block_is_set_aside_where_nothing_is_left_to_block() {
    let (mut harness, charge) = contested(6_000, 3_900);
    assert_eq!(harness.block_for("rec-9", charge, Some("beto")), Err(Reason::Unmatched));
    let other = harness.deposit(Some("dora"), 1_000);
    assert_eq!(harness.block_for(NAME, other, Some("beto")), Err(Reason::Unmatched));
    assert_eq!(harness.block_for(NAME, charge, Some("nobody")), Err(Reason::Unmatched));
    harness.block_for(NAME, charge, Some("beto")).unwrap();
    assert_eq!(harness.block_for(NAME, charge, Some("beto")), Ok(Outcome::Known));
    harness.accept_recovery(NAME, charge, 6_000).unwrap();
    assert_eq!(harness.block_for(NAME, charge, Some("caio")), Err(Reason::AmountExceeds));
    harness.refund_recovery(NAME, charge, "D1", 6_000).unwrap();
    assert_eq!(harness.block_for(NAME, charge, Some("caio")), Err(Reason::OutOfTurn));
}

#[test]
fn a_recovery_is_decided_once_for_at_most_its_amount() {
    let (mut harness, charge) = contested(6_000, 3_900);
    assert_eq!(harness.accept_recovery("rec-9", charge, 1), Err(Reason::Unmatched));
    assert_eq!(harness.accept_recovery(NAME, charge, 10_001), Err(Reason::AmountExceeds));
    assert_eq!(harness.refund_recovery(NAME, charge, "D1", 1), Err(Reason::TooEarly));
    assert_eq!(harness.accept_recovery(NAME, charge, 5_000), APPLIED);
    assert_eq!(harness.accept_recovery(NAME, charge, 5_000), Ok(Outcome::Known));
    assert_eq!(harness.accept_recovery(NAME, charge, 4_000), Err(Reason::OutOfTurn));
    assert_eq!(harness.rule(NAME, charge, Ruling::Rejected), Err(Reason::OutOfTurn));
}

#[test]
fn a_recovery_frees_nothing_that_went_back_already() {
    let (mut harness, charge) = contested(6_000, 3_900);
    harness.block_for(NAME, charge, Some("beto")).unwrap();
    assert_eq!(harness.refund_recovery(NAME, charge, "D1", 1_000), Err(Reason::TooEarly));
    assert_eq!(harness.rule(NAME, charge, Ruling::Rejected), Err(Reason::OutcomeUnknown));
    assert_eq!(harness.accept_recovery(NAME, charge, 999), Err(Reason::OutcomeUnknown));
    assert_eq!(harness.balances("beto"), [0, 0, 6_000]);
    assert_eq!(harness.accept_recovery(NAME, charge, 3_000), APPLIED);
    assert_eq!(harness.balances("beto"), [3_000, 0, 2_000], "what went back is taken");
    assert_eq!(harness.known(NAME).outstanding(), as_cents(2_000));
    assert_eq!(harness.violations(), [""; 0]);
}

#[test]
fn refunds_that_were_told_before_the_decision_are_booked_with_it() {
    let (mut harness, charge) = contested(6_000, 3_900);
    harness.block_for(NAME, charge, Some("beto")).unwrap();
    harness.block_for(NAME, charge, Some("caio")).unwrap();
    for (return_id, cents) in [("D1", 4_000), ("D2", 6_000)] {
        let early = harness.refund_recovery(NAME, charge, return_id, cents);
        assert_eq!(early, Err(Reason::TooEarly));
    }
    assert_eq!(harness.rule(NAME, charge, Ruling::Accepted(None)), APPLIED);
    assert_eq!(harness.all(["ana", "beto", "caio"]), [[0; 3]; 3]);
    assert_eq!(harness.refund_recovery(NAME, charge, "D1", 4_000), Ok(Outcome::Known));
    let waits = harness.ledger.state.open_operations();
    let waits = waits.filter(|(_, known)| matches!(known.machine, Machine::Suspense(_)));
    assert_eq!(waits.count(), 0);
    assert!(harness.known(NAME).is_over());
    assert_eq!(harness.violations(), [""; 0]);
}

#[test]
fn a_return_beyond_the_claim_keeps_no_recovery_from_its_decision() {
    let mut harness = Harness::open(instant());
    let charge = harness.deposit(Some("ana"), 10_000);
    harness.give_back(charge, 9_000);
    assert!(matches!(harness.give_back(charge, 5_000), Outcome::SetAside(Some(_))));
    harness.open_recovery(NAME, charge, 1_000).unwrap();
    assert_eq!(harness.rule(NAME, charge, Ruling::Rejected), APPLIED);
}

#[test]
fn a_recovery_blocks_at_most_what_may_still_go_back() {
    let (mut harness, charge) = contested(6_000, 900);
    harness.give_back(charge, 3_000);
    harness.deposit(Some("beto"), 20_000);
    harness.block_for(NAME, charge, Some("beto")).unwrap();
    assert_eq!(harness.balances("beto")[2], 7_000);
    assert_eq!(harness.block_for(NAME, charge, Some("caio")), Err(Reason::AmountExceeds));
    assert_eq!(harness.accept_recovery(NAME, charge, 7_000), APPLIED);
    // Of the last centavos the fee's share gives a part: what is blocked for it is free.
    assert_eq!(harness.refund_recovery(NAME, charge, "D1", 6_950), APPLIED);
    assert_eq!(harness.balances("beto")[2], 50);
    assert_eq!(harness.refund_recovery(NAME, charge, "D2", 50), APPLIED);
    assert_eq!(harness.balances("beto")[2], 0);
    assert_eq!(harness.violations(), [""; 0]);
}

#[test]
fn after_its_deadlines_it_blocks_nothing_more_and_waits_for_a_person() {
    let (mut harness, charge) = contested(6_000, 3_900);
    harness.block_for(NAME, charge, Some("beto")).unwrap();
    let last = harness.known(NAME).blocks_until;
    assert!(last > harness.known(NAME).decides_until);
    harness.now = last;
    harness.fact(Fact::TimePassed);
    harness.deposit(Some("beto"), 1_100);
    assert_eq!(harness.balances("beto"), [1_000, 0, 6_000]);
    assert_eq!(harness.block_for(NAME, charge, Some("caio")), Err(Reason::OutOfTurn));
    assert_eq!(harness.accept_recovery(NAME, charge, 6_000), APPLIED);
    assert_eq!(harness.refund_recovery(NAME, charge, "D1", 6_000), APPLIED);
}

#[test]
fn a_return_is_booked_once_by_whichever_fact_tells_of_it_first() {
    let (mut harness, charge) = contested(6_000, 3_900);
    harness.block_for(NAME, charge, Some("beto")).unwrap();
    harness.accept_recovery(NAME, charge, 6_000).unwrap();
    assert_eq!(harness.give_back(charge, 2_000), Outcome::Applied(None));
    let told = format!("D{}", harness.reported - 1);
    assert_eq!(harness.refund_recovery(NAME, charge, &told, 2_000), Ok(Outcome::Known));
    assert_eq!(harness.balances("beto"), [0, 0, 4_000]);
    assert_eq!(harness.known(NAME).taken, as_cents(2_000));
    assert_eq!(harness.refund_recovery(NAME, charge, "D-more", 4_001), Err(Reason::AmountExceeds));
    assert_eq!(harness.refund_recovery(NAME, charge, "D-rest", 4_000), APPLIED);
    assert!(harness.known(NAME).is_over());
    assert_eq!(harness.violations(), [""; 0]);
}

#[test]
fn a_return_that_fits_nothing_waits_in_suspense() {
    let (mut harness, charge) = contested(6_000, 3_900);
    assert_eq!(harness.refund_recovery(NAME, charge, "D1", 1_000), Err(Reason::TooEarly));
    let waits = harness.ledger.state.open_operations();
    let waits = waits.filter(|(_, known)| matches!(known.machine, Machine::Suspense(_)));
    assert_eq!(waits.count(), 1);
    let booked = &harness.records.last().unwrap().events;
    assert!(booked.iter().any(|event| !event.entry().is_empty()), "it left the provider");
}

/// It waits as any return does: nothing is delivered for money that may have gone back (rulings 45).
#[test]
fn a_refund_that_names_a_purchase_stops_its_delivery() {
    let mut harness = Harness::trading(instant());
    let bought = harness.buy(10_000);
    assert_eq!(harness.refund_recovery(NAME, bought, "D1", 4_000), Err(Reason::Unmatched));
    assert_eq!(harness.purchase(bought).end, Some(End::Halted));
}

#[test]
fn an_account_whose_pix_is_contested_leaves_once_that_is_decided() {
    let (mut harness, charge) = contested(9_900, 0);
    harness.step("shop", Step::Leaving);
    harness.carry("beto", -9_900);
    assert_eq!(harness.balances("beto"), [9_900, 0, 0], "it may be blocked");
    created(harness.block_for(NAME, charge, Some("beto")).unwrap());
    assert_eq!(harness.rule(NAME, charge, Ruling::Rejected), APPLIED);
    harness.carry("beto", -9_900);
    assert_eq!(harness.balances("beto"), [0; 3]);
}

#[test]
fn a_state_that_is_restored_goes_on_with_its_recoveries() {
    let (mut harness, charge) = contested(6_000, 3_900);
    harness.block_for(NAME, charge, Some("beto")).unwrap();
    let state = &harness.ledger.state;
    let open = state.open_operations().map(|(op, known)| (op, known.clone()));
    let restored = State::restore("live", state.snapshot(), open).unwrap();
    harness.ledger.state = restored;
    harness.deposit(Some("beto"), 5_100);
    assert_eq!(harness.balances("beto"), [1_000, 0, 10_000]);
    assert_eq!(harness.accept_recovery(NAME, charge, 1_000), APPLIED);
    assert_eq!(harness.balances("beto"), [10_000, 0, 1_000]);
}

/// A record that nobody decided is corrupt.
#[test]
fn a_record_that_a_recovery_may_not_have_is_corrupt() {
    let (mut harness, charge) = contested(6_000, 3_900);
    let hold = created(harness.block("beto", Some(charge), Kind::Judicial, 100));
    let recovery = || NAME.into();
    let (blocks_until, decides_until) = (harness.now, harness.now);
    let opened = |recovery: &str, cents| Event::RecoveryOpened {
        recovery: recovery.into(),
        cause: charge,
        amount: amount(cents),
        blocks_until,
        decides_until,
    };
    let refunded = |amount: Amount| Event::RecoveryRefunded {
        recovery: recovery(),
        return_id: "D1".into(),
        amount,
    };
    for forged in [
        opened(NAME, 1),
        opened("rec-2", 1),
        Event::RecoveryBlocked { recovery: recovery(), hold },
        Event::RecoveryBlocked { recovery: "rec-9".into(), hold },
        Event::RecoveryDecided { recovery: recovery(), accepted: as_cents(10_001) },
        refunded(amount(1)),
    ] {
        assert!(harness.replayed(forged.clone()).is_err(), "{forged:?}");
    }
}

/// The invariant keeps books of its own, so it needs no state.
#[test]
fn out_22_finds_a_block_above_the_amount_and_a_refund_of_other_money() {
    let (mut harness, charge) = contested(6_000, 3_900);
    harness.block_for(NAME, charge, Some("beto")).unwrap();
    harness.accept_recovery(NAME, charge, 6_000).unwrap();
    harness.refund_recovery(NAME, charge, "D1", 6_000).unwrap();
    assert_eq!(harness.violations(), [""; 0]);
    let forged = |change: fn(&mut Event)| {
        let mut records = harness.records.clone();
        records.iter_mut().flat_map(|record| &mut record.events).for_each(change);
        violations(&records)
    };
    let less = |event: &mut Event| match event {
        Event::RecoveryOpened { amount: claimed, .. } => *claimed = amount(5_999),
        Event::RecoveryDecided { accepted, .. } => *accepted = as_cents(5_999),
        _ => {}
    };
    assert_eq!(forged(less), ["OUT-22"; 3]);
    let other = |event: &mut Event| {
        if let Event::RecoveryBlocked { recovery, .. } = event {
            *recovery = "rec-9".into();
        }
    };
    assert_eq!(forged(other), ["OUT-22"; 2]);
    let more = |event: &mut Event| {
        if let Event::RecoveryRefunded { amount: sent, .. } = event {
            *sent = amount(6_001);
        }
    };
    assert_eq!(forged(more), ["OUT-22"]);
}
