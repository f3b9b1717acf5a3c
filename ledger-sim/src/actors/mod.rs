//! Who acts: customers and buyers, the PIX provider with the payers and beneficiaries behind it,
//! whoever delivers crypto, sellers with the networks, the exchange and the provider behind them, the
//! market, operators, and the clock; those who have wallets and keys, and agents.

mod agent;
mod beneficiary;
mod bourse;
mod buyer;
mod clock;
mod closer;
mod customer;
mod deliverer;
mod depositor;
mod holder;
mod market;
mod operator;
mod payer;
mod refunder;
mod seller;
mod settler;
mod wallet;
mod wallet_chain;
mod wallet_payer;
mod wallet_sender;
mod wallet_settler;

pub(crate) use agent::learn_mandate;
pub(crate) use beneficiary::expect_outcome;
pub(crate) use buyer::learn_minimum;
pub(crate) use clock::step;
pub(crate) use closer::{end_leg, end_sale};
pub(crate) use customer::{learn_limit, learn_wait};
pub(crate) use deliverer::expect_delivery;
pub(crate) use depositor::expect_deposit;
pub(crate) use holder::learn_day;
pub(crate) use operator::open_accounts;
pub(crate) use payer::expect_payment;
pub(crate) use seller::{expect_acceptance, learn_refusal};
pub(crate) use wallet::{offer, use_quote};
pub(crate) use wallet_chain::expect_coins;
pub(crate) use wallet_sender::expect_withdrawal;
pub(crate) use wallet_settler::{end_payment, expect_payment_from_wallet};

use crate::oracle::Oracle;
use crate::world::World;

/// Somebody does something.
pub(crate) fn act(world: &mut World, oracle: &Oracle) {
    match world.rng.weighted(&[32, 16, 15, 10, 14, 2, 10, 1, 9, 9, 7, 4, 4, 9, 7, 15, 4, 6, 8]) {
        0 => customer::act(world, oracle),
        1 => buyer::act(world, oracle),
        2 => payer::act(world, oracle),
        3 => beneficiary::act(world, oracle),
        4 => deliverer::act(world, oracle),
        5 => market::act(world, oracle),
        6 => operator::act(world, oracle),
        7 => clock::act(world),
        8 => wallet::act(world, oracle),
        9 => wallet_chain::act(world, oracle),
        10 => wallet_sender::act(world, oracle),
        11 => holder::act(world, oracle),
        12 => agent::act(world, oracle),
        13 => seller::act(world, oracle),
        14 => depositor::act(world, oracle),
        15 => settler::act(world, oracle),
        16 => refunder::receipts(world, oracle),
        17 => wallet_payer::act(world, oracle),
        _ => wallet_settler::act(world, oracle),
    }
}
