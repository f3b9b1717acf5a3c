//! Companies that bring their customers' balances, and close their accounts for more.

use ledger_core::ledger::product::{Fact as ProductFact, Holder};

use super::cents;
use crate::world::World;

/// A balance of a customer or the house, or the end of them; now and then of an unknown account.
pub(super) fn act(world: &mut World) {
    let Some(client) = world.client() else { return };
    let odd = world.rng.percent(4);
    let account = if odd { "ninguem".into() } else { client.name.clone() };
    let decided_by = world.decided_by();
    if world.rng.percent(20) {
        world.report(ProductFact::OpeningBalancesClosed { account, decided_by });
        return;
    }
    let customer = world.customer(&client);
    let amount = cents(world.rng.within(1, 5_000));
    let note = world.rng.percent(50).then(|| world.token(6));
    let holder = Holder { account, customer };
    let brought = ProductFact::BalanceOpened { holder, amount, note, decided_by };
    world.report(brought);
}
