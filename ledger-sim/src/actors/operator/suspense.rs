//! What operators decide about money in suspense: attached to a charge, or returned.

use ledger_core::id::OpId;
use ledger_core::ledger::suspense::Fact as SuspenseFact;

use crate::oracle::{Oracle, WaitingStatus};
use crate::world::World;

pub(super) fn attach(world: &mut World, oracle: &Oracle) {
    let suspense = waiting(world, oracle);
    let unpaid = world
        .charges
        .iter()
        .rev()
        .filter(|op| oracle.charges.get(op).is_some_and(|charge| charge.received == 0));
    let unpaid: Vec<OpId> = unpaid.take(9).copied().collect();
    let charges = if world.rng.percent(70) { &unpaid } else { &world.charges };
    let charge = world.rng.pick_late(charges).copied();
    // Mostly the one it was meant for: paid too late, or in another's name.
    let waits = suspense.and_then(|op| oracle.suspense.get(&op)).map(|it| it.amount);
    let meant = oracle
        .charges
        .iter()
        .rev()
        .find(|(_, charge)| charge.received == 0 && Some(charge.amount) == waits);
    let meant = meant.map(|(op, _)| *op).filter(|_| world.rng.percent(50));
    // A return is mostly of a charge of which so much is left.
    let back = suspense.and_then(|op| oracle.suspense.get(&op)).filter(|it| it.is_deposit_back());
    let of = back.and_then(|back| {
        oracle.charges.iter().rev().find(|(_, charge)| charge.returnable() >= back.amount)
    });
    let of = of.map(|(op, _)| *op).filter(|_| world.rng.percent(70));
    let charge = of.or(meant).or(charge);
    let decided_by = world.decided_by();
    world.report(SuspenseFact::Attached { suspense, charge, decided_by });
}

/// Something put aside: mostly what still waits.
fn waiting(world: &mut World, oracle: &Oracle) -> Option<OpId> {
    if world.rng.percent(20) {
        return world.rng.pick_late(&world.suspense).copied();
    }
    let waiting =
        world.suspense.iter().rev().filter(|op| {
            oracle.suspense.get(op).is_some_and(|it| it.status == WaitingStatus::Waiting)
        });
    let waiting: Vec<OpId> = waiting.take(9).copied().collect();
    world.rng.pick(&waiting).copied()
}

pub(super) fn return_suspense(world: &mut World, oracle: &Oracle) {
    let suspense = waiting(world, oracle);
    // Mostly by a return that has an id of its own; now and then by one that was told before.
    let return_id = match world.rng.below(10) {
        0..=5 => Some(world.fresh("d")),
        6 => world.rng.pick(&world.returned).cloned(),
        _ => None,
    };
    world.returned.extend(return_id.clone());
    let decided_by = world.decided_by();
    world.report(SuspenseFact::Returned { suspense, return_id, decided_by });
}
