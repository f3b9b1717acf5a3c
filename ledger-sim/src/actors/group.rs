//! Groups of transfers that customers ask for: a sale split among sellers, several who pay one, and
//! whatever else moves together.

use ledger_core::ledger::{GroupRequest, LegRequest};

use super::values::{amount, available, external_id, spender, submit};
use crate::oracle::Oracle;
use crate::world::{Client, World};

/// One payer and several who receive; sometimes a leg passes on what another brought, or pays a
/// centavo too much, or goes back to who pays.
pub(super) fn group(world: &mut World, oracle: &Oracle, client: &Client) {
    let payer = spender(world, oracle, client);
    let left = available(oracle, client.id, payer.as_deref()).max(1);
    let mut legs = Vec::new();
    for _ in 0..world.rng.within(1, 5) {
        let to =
            if world.rng.percent(30) { Some(world.fresh("c")) } else { world.customer(client) };
        let from =
            if world.rng.percent(85) { payer.clone() } else { spender(world, oracle, client) };
        if from == to && world.rng.percent(95) {
            continue;
        }
        let amount = amount(world.rng.within(1, (left / 3).max(1)));
        legs.push(LegRequest { from, to, amount });
    }
    if world.rng.percent(10)
        && let Some(first) = legs.first().cloned()
    {
        let to = world.customer(client);
        legs.push(LegRequest { from: first.to, to, amount: first.amount });
    }
    legs.retain(|leg| leg.from != leg.to || world.rng.percent(50));
    if legs.is_empty() {
        return;
    }
    let request = GroupRequest {
        legs,
        note: world.rng.percent(30).then(|| world.token(6)),
        external_id: external_id(world),
    };
    submit(world, client.id, request);
}
