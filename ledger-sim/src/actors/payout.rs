//! The PIX provider on the way out: what becomes of payouts.

use ledger_core::id::{Kind, OpId, Seq};
use ledger_core::ledger::payout::Fact as PayoutFact;
use ledger_core::ledger::{InstructionKey, TaskKind};
use ledger_core::money::Amount;
use ledger_core::time::{Instant, Span};

use crate::oracle::{Oracle, Payout, PayoutStatus};
use crate::world::World;

/// What mostly becomes of a payout, planned when it is accepted.
pub(crate) fn expect_outcome(world: &mut World, oracle: &Oracle, op: OpId) {
    let known = oracle.payouts.get(&op);
    if known.is_none_or(|payout| payout.status != PayoutStatus::Requested) || world.rng.percent(30)
    {
        return;
    }
    let submitted = soon(world, 120);
    world.report_at(submitted, PayoutFact::Submitted { payout: Some(op) });
    let then = soon(world, 1_200).max(submitted);
    match world.rng.by_weight(&[60, 20, 20]) {
        0 => pay(world, op, then),
        1 => world.report_at(then, PayoutFact::Refused { payout: Some(op) }),
        _ => world.report_at(then, PayoutFact::Unknown { payout: Some(op) }),
    }
}

pub(super) fn act(world: &mut World, oracle: &Oracle) {
    if world.rng.percent(4) {
        return about_nothing(world);
    }
    let Some(op) = world.rng.pick_late(&world.payouts).copied() else { return };
    let Some(payout) = oracle.payouts.get(&op).cloned() else { return };
    match payout.status {
        PayoutStatus::Requested if world.rng.percent(25) => judge(world, op, true),
        _ if world.rng.percent(16) => hand_out(world, op),
        PayoutStatus::UnderReview
            if oracle.agent_of(payout.account).is_some() && world.rng.percent(30) =>
        {
            super::agent::binds(world, payout.account, true);
            judge(world, op, false);
            super::agent::binds(world, payout.account, false);
        }
        PayoutStatus::UnderReview if world.rng.percent(60) => judge(world, op, false),
        PayoutStatus::Requested | PayoutStatus::UnderReview | PayoutStatus::Submitted => {
            under_way(world, op, &payout);
        }
        PayoutStatus::Uncertain => uncertain(world, oracle, op, &payout),
        PayoutStatus::Completed => report_on_completed(world, op, &payout),
        PayoutStatus::Failed | PayoutStatus::Returned => report_on_ended(world, op, &payout),
    }
}

/// A sender asks for what it is to send: of payouts that were stopped or paid, too, and often
/// twice.
fn hand_out(world: &mut World, op: OpId) {
    let key = InstructionKey { op, kind: TaskKind::SendPix, attempt: 1 };
    world.hand_out(key);
}

/// A sender sends whatever it was handed, whatever has become of it meanwhile.
pub(super) fn send(world: &mut World, op: OpId) {
    let at = soon(world, 900);
    match world.rng.by_weight(&[70, 15, 15]) {
        0 => pay(world, op, at),
        1 => world.report_at(at, PayoutFact::Refused { payout: Some(op) }),
        _ => world.report_at(at, PayoutFact::Unknown { payout: Some(op) }),
    }
    // Operators judge it while it is under way, by their word alone or by evidence.
    if world.rng.percent(30) {
        judge(world, op, true);
    }
    if world.rng.percent(15) {
        evidence(world, op, false);
    }
}

fn under_way(world: &mut World, op: OpId, payout: &Payout) {
    let now = world.now;
    match world.rng.by_weight(&[20, 30, 15, 20, 5, 10]) {
        0 => world.report(PayoutFact::Submitted { payout: Some(op) }),
        1 => pay(world, op, now),
        2 => world.report(PayoutFact::Refused { payout: Some(op) }),
        3 => world.report(PayoutFact::Unknown { payout: Some(op) }),
        4 => evidence(world, op, true),
        _ => come_back(world, op, payout.amount),
    }
}

/// Compliance stops it, or lets it go on; sometimes when it is too late.
fn judge(world: &mut World, op: OpId, stops: bool) {
    let decided_by = world.decided_by();
    let payout = Some(op);
    world.report(if stops {
        PayoutFact::Stopped { payout, decided_by }
    } else {
        PayoutFact::Cleared { payout, decided_by }
    });
}

fn uncertain(world: &mut World, oracle: &Oracle, op: OpId, payout: &Payout) {
    match world.rng.by_weight(&[26, 26, 14, 10, 10, 8, 6]) {
        0 => evidence(world, op, true),
        1 => evidence(world, op, false),
        2 => pay(world, op, world.now),
        3 => world.report(PayoutFact::Refused { payout: Some(op) }),
        4 => come_back(world, op, payout.amount),
        5 => world.report(PayoutFact::Submitted { payout: Some(op) }),
        // Evidence that is another payout's.
        _ => {
            let others = world.payouts.iter().filter_map(|op| oracle.payouts.get(op)?.e2e.clone());
            let others: Vec<Box<str>> = others.collect();
            if let Some(e2e) = world.rng.pick(&others).cloned() {
                let decided_by = world.decided_by();
                world.report(PayoutFact::Evidence {
                    payout: Some(op),
                    paid: Some(e2e),
                    decided_by,
                });
            }
        }
    }
}

fn report_on_completed(world: &mut World, op: OpId, payout: &Payout) {
    let left = payout.amount - payout.returned;
    match world.rng.by_weight(&[24, 24, 10, 14, 10, 8, 10, 2]) {
        7 => judge(world, op, true),
        0 => {
            let part = world.rng.within(1, left);
            come_back(world, op, part);
        }
        1 => come_back(world, op, left),
        2 => come_back(world, op, left + 1),
        3 => pay(world, op, world.now),
        4 => world.report(PayoutFact::Refused { payout: Some(op) }),
        5 => world.report(PayoutFact::Unknown { payout: Some(op) }),
        _ => {
            let (paid, decided_by) = (payout.e2e.clone(), world.decided_by());
            world.report(PayoutFact::Evidence { payout: Some(op), paid, decided_by });
        }
    }
}

fn report_on_ended(world: &mut World, op: OpId, payout: &Payout) {
    match world.rng.by_weight(&[16, 14, 14, 14, 14]) {
        0 => pay(world, op, world.now),
        1 => world.report(PayoutFact::Refused { payout: Some(op) }),
        2 => world.report(PayoutFact::Submitted { payout: Some(op) }),
        3 => come_back(world, op, payout.amount),
        _ => {
            let paid = world.rng.percent(50);
            evidence(world, op, paid);
        }
    }
}

/// A report of a payout that is none, or is not named.
fn about_nothing(world: &mut World) {
    let other = OpId::new(Kind::Payout, Seq(world.rng.below(9) + 900_000_000));
    let payout = match world.rng.below(3) {
        0 => Some(other),
        1 => world.rng.pick(&world.charges).copied(),
        _ => None,
    };
    let amount = Amount::new(world.rng.within(1, 9_000));
    let fact = match world.rng.below(4) {
        0 => PayoutFact::Paid { payout, e2e: world.fresh("o"), amount },
        1 => PayoutFact::Paid { payout, e2e: world.fresh("o"), amount: None },
        2 => PayoutFact::Submitted { payout },
        _ => {
            let (return_id, amount) = (world.fresh("b"), amount.unwrap_or(Amount::CENTAVO));
            PayoutFact::Returned { payout, return_id, amount }
        }
    };
    world.report(fact);
}

fn pay(world: &mut World, op: OpId, at: Instant) {
    let e2e = world.fresh("o");
    // A few are reported with another amount than was ordered.
    let reported = world.rng.percent(3).then(|| world.rng.within(1, 9_000));
    let amount = reported.and_then(Amount::new);
    world.report_at(at, PayoutFact::Paid { payout: Some(op), e2e, amount });
}

/// An operator found out; when it was paid, the provider may report the same PIX afterwards.
fn evidence(world: &mut World, op: OpId, paid: bool) {
    let e2e = paid.then(|| world.fresh("o"));
    let decided_by = world.decided_by();
    world.report(PayoutFact::Evidence { payout: Some(op), paid: e2e.clone(), decided_by });
    if let Some(e2e) = e2e.filter(|_| world.rng.percent(40)) {
        let later = soon(world, 7_200);
        world.report_at(later, PayoutFact::Paid { payout: Some(op), e2e, amount: None });
    }
}

fn come_back(world: &mut World, op: OpId, cents: i64) {
    let return_id = world.fresh("b");
    let amount = Amount::new(cents).unwrap_or(Amount::CENTAVO);
    world.report(PayoutFact::Returned { payout: Some(op), return_id, amount });
}

fn soon(world: &mut World, seconds: i64) -> Instant {
    let wait = u32::try_from(world.rng.within(0, seconds)).unwrap_or(0);
    world.now.after(Span::seconds(wait))
}
