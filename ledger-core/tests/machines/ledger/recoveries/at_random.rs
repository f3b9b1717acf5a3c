//! Histories of recoveries at random: no block above its amount, no balance below zero by them, and
//! no hold left after their end.

use ledger_core::id::OpId;
use ledger_core::ledger::recovery::Ruling;
use ledger_core::ledger::{Fact, Machine, Outcome, State};
use ledger_core::machine::charge::State as ChargeState;
use ledger_core::machine::hold::{self, Kind};
use ledger_core::terms::{Release, Terms};
use ledger_core::time::Span;
use proptest::prelude::*;

use super::super::{Harness, created, instant};
use crate::samples::amount;

const CUSTOMERS: [&str; 4] = ["ana", "beto", "caio", "dora"];
const RECOVERIES: [&str; 3] = ["rec-1", "rec-2", "rec-3"];

#[derive(Clone, Debug)]
struct Draw {
    step: u8,
    recovery: usize,
    customer: usize,
    other: usize,
    cents: i64,
}

fn draw() -> impl Strategy<Value = Draw> {
    (0..13_u8, 0..3_usize, 0..4_usize, 0..4_usize, 1..8_000_i64).prop_map(
        |(step, recovery, customer, other, cents)| Draw { step, recovery, customer, other, cents },
    )
}

/// Adds up what the recovery's open holds block, from the holds themselves.
fn blocked(state: &State, name: &str) -> i64 {
    let Some(recovery) = state.recovery(name) else { return 0 };
    let open = recovery.holds.iter().filter_map(|op| state.open(*op)?.hold());
    let amounts = open.filter_map(hold::State::amounts);
    amounts.map(|amounts| amounts.blocked_cents().cents()).sum()
}

/// Returns what may still go back of a charge of 10,000.
fn left(state: &State, charge: OpId) -> i64 {
    match state.open(charge).map(|known| &known.machine) {
        Some(Machine::Charge(ChargeState::Paid(paid))) => 10_000 - paid.returned_in_all().cents(),
        _ => 0,
    }
}

impl Harness {
    fn follow_draw(&mut self, draw: &Draw, charges: [OpId; 2]) {
        let name = RECOVERIES[draw.recovery];
        let charge = charges[draw.recovery % 2];
        let (customer, other) = (CUSTOMERS[draw.customer], CUSTOMERS[draw.other]);
        let return_id = format!("D{}-{}", self.reported, draw.cents);
        match draw.step {
            0 => {
                let _ = self.open_recovery(name, charge, draw.cents);
            }
            1..=3 => {
                let _ = self.block_for(name, charge, Some(customer));
            }
            4 => {
                let _ = self.rule(name, charge, Ruling::Accepted(Some(amount(draw.cents))));
            }
            5 => {
                let _ = self.rule(name, charge, Ruling::Rejected);
            }
            6 | 7 => {
                let _ = self.refund_recovery(name, charge, &return_id, draw.cents);
            }
            8 => {
                let _ = self.give_back(charge, draw.cents);
            }
            9 => {
                let _ = self.transfer(Some(customer), Some(other), draw.cents);
            }
            10 => {
                let _ = self.deposit(Some(customer), draw.cents.max(1_000));
            }
            11 => {
                created(self.block(customer, Some(charge), Kind::Judicial, draw.cents));
            }
            _ => {
                let holds = self.ledger.state.recovery(name).map(|it| it.holds.clone());
                if let Some(hold) = holds.and_then(|holds| holds.last().copied()) {
                    self.unblock(hold, Some(draw.cents));
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn recoveries_block_at_most_their_amounts_and_end_with_nothing_held(
        held_first in any::<bool>(),
        story in prop::collection::vec(draw(), 1..40),
    ) {
        let release = if held_first { Release::NextDay } else { Release::Immediate };
        let mut harness = Harness::open(Terms { release, ..instant() });
        let charges = ["ana", "beto"].map(|name| harness.deposit(Some(name), 10_000));
        for name in ["caio", "dora"] {
            harness.deposit(Some(name), 1_000);
        }
        for draw in &story {
            let before = CUSTOMERS.map(|customer| harness.balances(customer));
            harness.follow_draw(draw, charges);
            let after = CUSTOMERS.map(|customer| harness.balances(customer));
            for ([available, ..], [left, held, frozen]) in before.into_iter().zip(after) {
                let spends = draw.step == 8 || draw.step == 9;
                prop_assert!(spends || left >= available.min(0), "{:?}", draw);
                prop_assert!(held >= 0 && frozen >= 0, "{:?}", draw);
            }
            for name in RECOVERIES {
                let limit = harness.ledger.state.recovery(name).map(|it| it.limit().cents());
                let blocked = blocked(&harness.ledger.state, name);
                prop_assert!(blocked <= limit.unwrap_or(0), "{} blocks {}", name, blocked);
            }
        }
        // What was accepted goes back as far as it is blocked and not gone; the others are rejected.
        for (index, name) in RECOVERIES.into_iter().enumerate() {
            let charge = charges[index % 2];
            let _ = harness.rule(name, charge, Ruling::Rejected);
            let going = blocked(&harness.ledger.state, name).min(left(&harness.ledger.state, charge));
            let accepted = harness.ledger.state.recovery(name).is_some_and(|it| it.accepted.is_some());
            if accepted && going > 0 {
                let came = harness.refund_recovery(name, charge, &format!("D-last-{index}"), going);
                prop_assert_eq!(came, Ok(Outcome::Applied(None)), "{} of {}", going, name);
            }
        }
        harness.now = harness.now.after(Span::days(91));
        harness.fact(Fact::TimePassed);
        for name in RECOVERIES {
            let Some(known) = harness.ledger.state.recovery(name) else { continue };
            if known.is_over() {
                prop_assert_eq!(blocked(&harness.ledger.state, name), 0, "{}", name);
                let open = known.holds.iter().filter(|op| harness.ledger.state.open(**op).is_some());
                prop_assert_eq!(open.count(), 0, "{}", name);
            }
        }
        prop_assert_eq!(harness.violations(), [""; 0]);
    }
}
