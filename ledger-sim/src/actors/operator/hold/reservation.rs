//! Reservations: money set apart for cards, and captured in parts; the operators who let go of
//! blocks let go of these, too.

use ledger_core::id::OpId;
use ledger_core::ledger::hold::{Destination, Fact as HoldFact};
use ledger_core::terms::Switch;
use ledger_core::time::Span;

use crate::actors::operator::cents;
use crate::actors::operator::product::book;
use crate::oracle::{Hold, Oracle};
use crate::world::World;

pub(in crate::actors::operator) fn act(world: &mut World, oracle: &Oracle) {
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
