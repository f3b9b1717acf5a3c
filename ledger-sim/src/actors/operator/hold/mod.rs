//! Blocks that operators place and release, what courts take, and what services reserve.

pub(super) mod reservation;

use std::sync::Arc;

use ledger_core::id::OpId;
use ledger_core::ledger::hold::Fact as HoldFact;
use ledger_core::ledger::suspense::Fact as SuspenseFact;
use ledger_core::machine::hold;
use ledger_core::money::Amount;

use super::cents;
use crate::oracle::{ChargeStatus, Hold, Oracle};
use crate::world::{Client, World};

pub(super) fn place_hold(world: &mut World, oracle: &Oracle) {
    let Some(client) = world.client() else { return };
    let kinds = [
        hold::Kind::Dispute,
        hold::Kind::Precautionary,
        hold::Kind::Judicial,
        hold::Kind::Administrative,
    ];
    let kind = if world.rng.percent(2) {
        hold::Kind::Maturity
    } else {
        *world.rng.pick(&kinds).unwrap_or(&hold::Kind::Dispute)
    };
    let cause = if world.rng.percent(65) { a_cause(world, oracle) } else { None };
    let owner = cause.and_then(|cause| owner(world, oracle, cause));
    let (client, customer) = match owner {
        Some(owner) if !world.rng.percent(6) => owner,
        _ => {
            let customer = world.customer(&client);
            (client, customer)
        }
    };
    // Now and then the money has gone on, and is blocked where it is now (MED 2.0; rulings 81).
    let moved_on = cause.is_some() && world.rng.percent(35);
    let customer = if moved_on { world.customer(&client).or(customer) } else { customer };
    let disputed = cause.and_then(|cause| oracle.charges.get(&cause)).map(|charge| charge.amount);
    let most = disputed.unwrap_or(20_000);
    let amount = if world.rng.percent(50) { most } else { world.rng.within(1, most * 2) };
    let decided_by = world.decided_by();
    let (account, amount) = (client.name.clone(), cents(amount));
    world.report(HoldFact::Placed { account, customer, cause, kind, amount, decided_by });
}

/// Mostly a deposit that is still held or was paid; sometimes anything.
fn a_cause(world: &mut World, oracle: &Oracle) -> Option<OpId> {
    for _ in 0..4 {
        let op = world.rng.pick_late(&world.charges).copied()?;
        let charge = oracle.charges.get(&op)?;
        let usual =
            charge.status == ChargeStatus::Paid && (charge.part > 0 || world.rng.percent(30));
        if usual {
            return Some(op);
        }
    }
    let ops = if world.rng.percent(90) { &world.charges } else { &world.payouts };
    world.rng.pick_late(ops).copied()
}

fn owner(world: &World, oracle: &Oracle, charge: OpId) -> Option<(Arc<Client>, Option<Box<str>>)> {
    let subaccount = oracle.charges.get(&charge)?.subaccount;
    let subaccount = &oracle.subaccounts[subaccount.0 as usize];
    let client = world.client_of(subaccount.account)?;
    Some((client.clone(), subaccount.customer.clone()))
}

pub(super) fn release_hold(world: &mut World, oracle: &Oracle) {
    let open: Vec<OpId> = world
        .holds
        .iter()
        .filter(|op| oracle.holds.get(op).is_some_and(|hold| !hold.closed))
        .copied()
        .collect();
    let hold = if world.rng.percent(85) {
        world.rng.pick(&open).copied()
    } else {
        world.rng.pick(&world.holds).or(world.rng.pick(&world.charges)).copied()
    };
    let blocked = hold.and_then(|op| oracle.holds.get(&op)).map_or(1_000, Hold::blocked_cents);
    let amount = match world.rng.below(3) {
        0 => None,
        1 => Amount::new(blocked),
        _ => Amount::new(world.rng.within(1, blocked + 10)),
    };
    let decided_by = world.decided_by();
    world.report(HoldFact::Released { hold, amount, decided_by });
}

/// A court takes money, now and then through the block that was placed for it.
pub(super) fn court(world: &mut World, oracle: &Oracle) {
    let Some(client) = world.client() else { return };
    let customer = world.customer(&client);
    let open = |op: &&OpId| oracle.holds.get(op).is_some_and(|hold| !hold.closed);
    let open: Vec<OpId> = world.holds.iter().filter(open).copied().collect();
    let hold = world.rng.pick(&open).copied().filter(|_| world.rng.percent(40));
    // Mostly the holder's own subaccount; sometimes one that the block is not on.
    let subaccount =
        hold.and_then(|op| oracle.subaccounts.get(oracle.holds[&op].subaccount.0 as usize));
    let owner = subaccount.filter(|_| world.rng.percent(85)).and_then(|subaccount| {
        let account = world.client_of(subaccount.account)?.name.clone();
        Some((account, subaccount.customer.clone()))
    });
    let (account, customer) = owner.unwrap_or((client.name.clone(), customer));
    let amount = cents(world.rng.within(1, 20_000));
    let decided_by = world.decided_by();
    world.report(SuspenseFact::CourtOrdered { account, customer, hold, amount, decided_by });
}
