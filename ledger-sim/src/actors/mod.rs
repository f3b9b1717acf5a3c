//! Who acts: customers, the PIX provider with the payers and beneficiaries behind it, operators,
//! and the clock.

mod beneficiary;
mod clock;
mod customer;
mod operator;
mod payer;

pub(crate) use beneficiary::expect_outcome;
pub(crate) use clock::step;
pub(crate) use customer::learn_wait;
pub(crate) use operator::open_accounts;
pub(crate) use payer::expect_payment;

use crate::oracle::Oracle;
use crate::world::World;

/// Somebody does something.
pub(crate) fn act(world: &mut World, oracle: &Oracle) {
    match world.rng.weighted(&[52, 21, 13, 13, 1]) {
        0 => customer::act(world, oracle),
        1 => payer::act(world, oracle),
        2 => beneficiary::act(world, oracle),
        3 => operator::act(world, oracle),
        _ => clock::act(world),
    }
}
