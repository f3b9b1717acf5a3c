//! Who acts: customers and buyers, the PIX provider with the payers and beneficiaries behind it,
//! whoever delivers crypto, the market, operators, and the clock.

mod beneficiary;
mod buyer;
mod clock;
mod customer;
mod deliverer;
mod market;
mod operator;
mod payer;

pub(crate) use beneficiary::expect_outcome;
pub(crate) use buyer::learn_minimum;
pub(crate) use clock::step;
pub(crate) use customer::{learn_limit, learn_wait};
pub(crate) use deliverer::expect_delivery;
pub(crate) use operator::open_accounts;
pub(crate) use payer::expect_payment;

use crate::oracle::Oracle;
use crate::world::World;

/// Somebody does something.
pub(crate) fn act(world: &mut World, oracle: &Oracle) {
    match world.rng.weighted(&[32, 16, 15, 10, 14, 2, 10, 1]) {
        0 => customer::act(world, oracle),
        1 => buyer::act(world, oracle),
        2 => payer::act(world, oracle),
        3 => beneficiary::act(world, oracle),
        4 => deliverer::act(world, oracle),
        5 => market::act(world, oracle),
        6 => operator::act(world, oracle),
        _ => clock::act(world),
    }
}
