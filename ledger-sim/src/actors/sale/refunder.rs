//! What goes back to sellers: decided and allowed by operators, sent or lost on its network.

use ledger_core::id::OpId;
use ledger_core::ledger::{Fact, SaleReport};
use ledger_core::machine::refund::RefundReport;

use crate::actors::values::wallet;
use crate::oracle::{Due, Oracle, Sale, UnmatchedDepositStatus, Way};
use crate::world::World;

/// What may happen to a refund where it stands; none is due of an order that was not refunded.
pub(in crate::actors) fn act(world: &mut World, op: OpId, due: Option<&Due>, sale: Option<&Sale>) {
    let Some(due) = due else {
        if world.rng.percent(10) {
            // It was sent before anybody decided so.
            let hash = world.transaction(None);
            return submit(world, op, RefundReport::Sent(hash));
        }
        return decide(world, op, sale);
    };
    // sent, failed, lost, decided
    let weights = match &due.way {
        Way::Due if due.is_under_way() => [56, 12, 18, 6],
        Way::Due => [8, 4, 4, 60],
        Way::Lost => [40, 36, 6, 6],
        Way::Sent(_) => [30, 8, 8, 8],
    };
    let report = match world.rng.by_weight(&weights) {
        0 => RefundReport::Sent(transaction(world, op, due)),
        1 => RefundReport::Failed,
        2 => RefundReport::Lost,
        _ => return decide(world, op, sale),
    };
    let hash = if let RefundReport::Sent(hash) = &report { Some(hash.clone()) } else { None };
    submit(world, op, report);
    // What was sent too early is often allowed afterwards, and reported again with its reason.
    if let Some(hash) = hash.filter(|_| !due.is_under_way() && due.way == Way::Due)
        && world.rng.percent(60)
    {
        decide(world, op, sale);
        submit(world, op, RefundReport::Sent(hash));
    }
}

/// A refund of crypto that no order took.
pub(in crate::actors) fn refund_unmatched(world: &mut World, oracle: &Oracle) {
    let open = |op: &&OpId| oracle.unmatched.get(op).is_some_and(|unmatched| !unmatched.is_over());
    let open: Vec<OpId> = oracle.unmatched.keys().rev().filter(open).take(12).copied().collect();
    let some = world.rng.pick(&open).copied().filter(|_| world.rng.percent(90));
    let Some(op) = some.or_else(|| world.rng.pick_late(&world.unmatched).copied()) else { return };
    let Some(unmatched) = oracle.unmatched.get(&op) else { return };
    if unmatched.phase == UnmatchedDepositStatus::Unconfirmed && world.rng.percent(85) {
        return;
    }
    act(world, op, unmatched.refund.as_ref(), None);
}

/// An operator, or seldom the service itself, decides that it goes back: to the wallet known, or to
/// one that is named.
pub(in crate::actors) fn decide(world: &mut World, op: OpId, sale: Option<&Sale>) {
    let chain = sale.map_or("polygon", |sale| &*sale.pair.1);
    let to = world.rng.percent(45).then(|| wallet(world, chain));
    let decided_by = (!world.rng.percent(12)).then(|| world.decided_by());
    // Who names a wallet says who he is.
    let to = to.filter(|_| decided_by.is_some());
    world.report(Fact::Sale {
        order: Some(op),
        report: SaleReport::RefundDecided { to, decided_by },
    });
}

/// Mostly a new transaction; sometimes the one we know.
fn transaction(world: &mut World, op: OpId, due: &Due) -> Box<str> {
    let known = if let Way::Sent(hash) = &due.way { Some(hash.clone()) } else { None };
    let erroneous_delivery = world.rng.percent(30).then(|| format!("0xr-{op:?}").into());
    let known = known.filter(|_| world.rng.percent(50));
    known.or(erroneous_delivery).unwrap_or_else(|| world.transaction(None))
}

fn submit(world: &mut World, op: OpId, report: RefundReport) {
    world.report(Fact::Sale { order: Some(op), report: SaleReport::Refund(report) });
}
