//! Blocks that operators place and release, what courts take, and what services reserve.

use std::sync::Arc;

use ledger_core::id::OpId;
use ledger_core::ledger::hold::{Destination, Fact as HoldFact};
use ledger_core::ledger::suspense::Fact as SuspenseFact;
use ledger_core::machine::hold;
use ledger_core::money::Amount;
use ledger_core::terms::Switch;
use ledger_core::time::Span;

use super::cents;
use super::product::book;
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

pub(super) fn reserve_or_capture(world: &mut World, oracle: &Oracle) {
    if world.rng.percent(45) { reserve(world, oracle) } else { capture(world, oracle) }
}

/// Mostly of somebody who has something; now and then of one centavo too much, or too late.
fn reserve(world: &mut World, oracle: &Oracle) {
    let rich: Vec<_> = oracle.subaccounts.iter().filter(|it| it.available > 0).collect();
    let owner = world.rng.pick(&rich).copied().filter(|_| world.rng.percent(90)).and_then(|it| {
        let account = world.client_of(it.account)?.name.clone();
        Some((account, it.customer.clone(), it.available))
    });
    let (account, customer, available) = match owner {
        Some(owner) => owner,
        None => {
            let Some(client) = world.client() else { return };
            (client.name.clone(), world.customer(&client), 1_000)
        }
    };
    let amount = match world.rng.below(8) {
        0 => cents(available + 1),
        1 => cents(available),
        _ => cents(world.rng.within(1, available)),
    };
    let ends_at = world.rng.percent(70).then(|| {
        let after = if world.rng.percent(4) { 0 } else { world.rng.within(1, 72 * 3_600) };
        world.now.after(Span::seconds(u32::try_from(after).unwrap_or(1)))
    });
    let words = ["card", "escrow", "booking"];
    let label = world.rng.pick(&words).copied().filter(|_| world.rng.percent(80)).map(Into::into);
    let note = world.rng.percent(50).then(|| world.token(6));
    let decided_by = world.decided_by();
    world.report(HoldFact::Reserved {
        account,
        customer,
        amount,
        ends_at,
        label,
        note,
        decided_by,
    });
}

/// A part of what is left, now and then more than that, or of a block that nobody reserved.
fn capture(world: &mut World, oracle: &Oracle) {
    let open = |op: &&OpId| oracle.holds.get(op).is_some_and(|it| it.reserved && !it.closed);
    let open: Vec<OpId> = world.holds.iter().filter(open).copied().collect();
    let hold = if world.rng.percent(92) {
        world.rng.pick(&open).copied()
    } else {
        world.rng.pick(&world.holds).copied()
    };
    let Some((account, holder)) = book(world, oracle) else { return };
    let left = hold.and_then(|op| oracle.holds.get(&op)).map_or(0, Hold::blocked_cents);
    let amount = match world.rng.below(8) {
        0 => cents(left + 1),
        1 | 2 => cents(left),
        _ => cents(world.rng.within(1, left.max(1))),
    };
    let last = if world.rng.percent(20) { Switch::On } else { Switch::Off };
    let note = world.rng.percent(30).then(|| world.token(6));
    let decided_by = world.decided_by();
    let to = Destination { account, holder };
    world.report(HoldFact::Captured { hold, amount, to, last, note, decided_by });
}
