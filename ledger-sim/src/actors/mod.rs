//! Who acts: customers and buyers, the PIX provider with the payers and beneficiaries behind it,
//! whoever delivers crypto, sellers with the networks, the exchange and the provider behind them,
//! whoever carries out what they are asked, the market, operators, and the clock; those who have
//! wallets and keys, agents, banks that contest a PIX, and callers without keys.

mod account;
mod agent;
mod carrier;
mod charge;
mod customer;
pub(super) mod drive;
mod operator;
mod payout;
mod purchase;
mod recovery;
mod repeat;
mod sale;
mod stranger;
pub(super) mod values;
mod wallet;

use ledger_core::time::Span;

use crate::oracle::Oracle;
use crate::rng::Rng;
use crate::world::{World, nothing_but_time};
pub(crate) use account::learn_day;
pub(crate) use agent::learn_mandate;
pub(crate) use carrier::carry_out;
pub(crate) use charge::expect_payment;
pub(crate) use operator::open_accounts;
pub(crate) use payout::expect_outcome;
pub(crate) use purchase::deliverer::{expect_conversion, expect_delivery};
pub(crate) use purchase::learn_minimum;
pub(crate) use recovery::end_recovery;
pub(crate) use repeat::{learn_limit, learn_wait};
pub(crate) use sale::closer::{end_leg, end_sale};
pub(crate) use sale::depositor::expect_deposit;
pub(crate) use sale::seller::{expect_acceptance, learn_refusal};
pub(crate) use stranger::is_strangers;
pub(crate) use wallet::chain::expect_coins;
pub(crate) use wallet::sender::expect_withdrawal;
pub(crate) use wallet::settler::{end_payment, expect_payment_from_wallet};
pub(crate) use wallet::{offer, use_quote};

/// Somebody does something.
pub(crate) fn act(world: &mut World, oracle: &Oracle) {
    stranger::act(world);
    match world
        .rng
        .by_weight(&[32, 16, 15, 10, 14, 2, 10, 1, 9, 9, 7, 4, 4, 9, 7, 15, 4, 6, 8, 5, 4])
    {
        0 => customer::act(world, oracle),
        1 => purchase::act(world, oracle),
        2 => charge::act(world, oracle),
        3 => payout::act(world, oracle),
        4 => purchase::deliverer::act(world, oracle),
        5 => purchase::market::act(world, oracle),
        6 => operator::act(world, oracle),
        7 => pass_time(world),
        8 => wallet::act(world, oracle),
        9 => wallet::chain::act(world, oracle),
        10 => wallet::sender::act(world, oracle),
        11 => account::act(world, oracle),
        12 => agent::act(world, oracle),
        13 => sale::seller::act(world, oracle),
        14 => sale::depositor::act(world, oracle),
        15 => sale::settler::act(world, oracle),
        16 => sale::refunder::refund_unmatched(world, oracle),
        17 => wallet::payer::act(world, oracle),
        18 => wallet::settler::act(world, oracle),
        19 => recovery::act(world, oracle),
        _ => carrier::act(world, oracle),
    }
}

/// How long nothing happens: from nothing at all to days.
pub(crate) fn step(rng: &mut Rng) -> Span {
    match rng.by_weight(&[25, 35, 25, 12, 2, 1]) {
        0 => Span::seconds(0),
        1 => seconds(rng, 0, 30),
        2 => seconds(rng, 30, 900),
        3 => seconds(rng, 900, 7_200),
        4 => seconds(rng, 7_200, 86_400),
        _ => seconds(rng, 86_400, 260_000),
    }
}

/// Time is made to pass: a moment, over the next midnights, or past every bound.
fn pass_time(world: &mut World) {
    let leap = match world.rng.by_weight(&[40, 40, 15, 5]) {
        0 => Span::seconds(0),
        1 => seconds(&mut world.rng, 1, 90_000),
        2 => Span::hours(60),
        _ => Span::days(95),
    };
    world.now = world.now.after(leap);
    world.plan(world.now, nothing_but_time());
}

fn seconds(rng: &mut Rng, least: i64, most: i64) -> Span {
    Span::seconds(u32::try_from(rng.within(least, most)).unwrap_or(0))
}
