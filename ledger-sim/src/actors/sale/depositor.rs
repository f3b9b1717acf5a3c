//! The networks on which sellers deposit: what arrives, when, and how often it is reported.

use ledger_core::coin::Units;
use ledger_core::id::{AssetId, ChainId, Kind, OpId, Seq};
use ledger_core::ledger::{Fact, SaleReport};
use ledger_core::machine::cash_out::Deposit;
use ledger_core::machine::refund::Coins;
use ledger_core::time::Instant;

use super::{near, soon};
use crate::oracle::{Coin, Oracle, Phase, Sale, UnmatchedDepositStatus};
use crate::world::World;

/// What mostly comes for an order that was accepted.
pub(crate) fn expect_deposit(world: &mut World, oracle: &Oracle, op: OpId) {
    let Some(sale) = oracle.sales.get(&op).filter(|sale| sale.phase == Phase::Awaiting) else {
        return;
    };
    let (coin, expires_at) = (sale.coin, sale.expires_at);
    let last = expires_at.after(sale.revival);
    let now = soon(world, world.now, 600);
    if let Some(at) = overnight(world, sale) {
        let more = part(world, coin, 100, 300);
        world.inject("deposits of the day after their order was accepted");
        return arrives(world, op, more, at);
    }
    let of_agent = oracle.agents.iter().any(|agent| agent.account == sale.account);
    if of_agent && world.rng.percent(30) {
        let more = part(world, coin, 101, 600);
        world.inject("deposits beyond what an agent asked for");
        return arrives(world, op, more, now);
    }
    match world.rng.by_weight(&[44, 7, 7, 8, 7, 4, 6, 5, 5, 4, 4, 5, 6, 5, 5]) {
        0 => arrives(world, op, coin, now),
        booked_in @ (1 | 2) => {
            let percents = if booked_in == 1 { (30, 99) } else { (101, 300) };
            let other = part(world, coin, percents.0, percents.1);
            arrives(world, op, other, now);
        }
        3 => {
            let first = part(world, coin, 20, 80);
            let rest = Coin { units: (coin.units - first.units).max(1), ..coin };
            arrives(world, op, first, now);
            let then = soon(world, now, 60);
            arrives(world, op, rest, then);
        }
        booked_in @ (4 | 5) => {
            let other = strange(world, oracle, coin, booked_in == 4);
            arrives(world, op, other, now);
        }
        6 => {
            let late = world.rng.within(1, 500_000);
            arrives(world, op, coin, near(expires_at, late * 1_000_000));
        }
        7 => arrives(world, op, coin, last),
        8 => arrives(world, op, coin, near(last, 1)),
        9 => {
            // It came in time, and the report of it late.
            let deposit = deposit(world, coin, expires_at);
            let reported = soon(world, expires_at, 4_000);
            follow(world, op, &deposit, reported);
        }
        10 => {
            arrives(world, op, coin, now);
            let then = soon(world, now, 7_200);
            arrives(world, op, coin, then);
        }
        12 => trial_first(world, op, coin, now),
        13 => {
            world.inject("a foreign token before an order's own");
            let token = world.rng.percent(70);
            let other = strange(world, oracle, coin, token);
            arrives(world, op, other, now);
            let then = soon(world, now, 900);
            arrives(world, op, coin, then);
        }
        14 => {
            world.inject("dust, and the rest of it after the deadline");
            let dust = dust(world, coin);
            let first = if world.rng.percent(50) { now } else { near(expires_at, 1) };
            arrives(world, op, dust, first);
            let late = world.rng.within(1, 400_000);
            arrives(world, op, coin, near(expires_at, late * 1_000_000));
        }
        _ => {}
    }
}

/// A trial of less than may be paid, and then the rest in one part or several, sometimes in outputs
/// of one transaction.
fn trial_first(world: &mut World, op: OpId, coin: Coin, now: Instant) {
    world.inject("a trial before the deposit, and the rest in parts");
    let dust = dust(world, coin);
    let rest = Coin { units: (coin.units - dust.units).max(1), ..coin };
    arrives(world, op, dust, now);
    let then = soon(world, now, 300);
    if world.rng.percent(50) {
        return arrives(world, op, rest, then);
    }
    let first = part(world, rest, 20, 80);
    let last = Coin { units: (rest.units - first.units).max(1), ..rest };
    let one = deposit(world, first, then);
    let other = Deposit { hash: format!("{}#1", one.hash).into(), ..deposit(world, last, then) };
    follow(world, op, &one, then);
    follow(world, op, &other, then);
}

/// Less than any order may pay.
fn dust(world: &mut World, coin: Coin) -> Coin {
    let thousandths = u128::from(world.rng.below(20)) + 1;
    Coin { units: (coin.units * thousandths / 1_000).max(1), ..coin }
}

/// When a deposit comes that was awaited since yesterday: mostly where midnight is near enough.
fn overnight(world: &mut World, sale: &Sale) -> Option<Instant> {
    let midnight = world.now.next_day_in_brasilia();
    let until = sale.expires_at;
    if until <= midnight || !world.rng.percent(70) {
        return None;
    }
    let left = i64::try_from(until.since(midnight).micros()).unwrap_or(0);
    Some(near(midnight, world.rng.within(0, left)))
}

pub(in crate::actors) fn act(world: &mut World, oracle: &Oracle) {
    if world.rng.percent(8) {
        return about_nothing(world, oracle);
    }
    if world.rng.percent(25) {
        return report_on_unmatched(world, oracle);
    }
    let Some(op) = world.rng.pick_late(&world.sales).copied() else { return };
    let Some(sale) = oracle.sales.get(&op) else { return };
    let open = sale.deposits.iter().find(|held| !held.confirmed);
    if let Some(held) = open.cloned().filter(|_| !world.rng.percent(15)) {
        let gone = world.rng.percent(25);
        let deposit = seen_deposit(held.coin, held.hash, held.seen_at);
        return ends(world, op, &deposit, gone, world.now);
    }
    if world.rng.percent(20) {
        return reorganise(world, op, sale);
    }
    if sale.accepted.is_none() && !world.rng.percent(20) {
        return;
    }
    let coin = match world.rng.below(5) {
        0 | 1 => sale.coin,
        2 => part(world, sale.coin, 5, 95),
        3 => part(world, sale.coin, 105, 150),
        _ => strange(world, oracle, sale.coin, true),
    };
    let seen_at = world.now;
    arrives(world, op, coin, seen_at);
}

/// A deposit is seen when it arrives, and what becomes of it is reported later.
fn arrives(world: &mut World, op: OpId, coin: Coin, at: Instant) {
    let deposit = deposit(world, coin, at);
    follow(world, op, &deposit, at.max(world.now));
}

fn follow(world: &mut World, op: OpId, deposit: &Deposit, reported: Instant) {
    let order = Some(op);
    let hash = deposit.hash.clone();
    let whole = world.rng.percent(14);
    if !whole {
        world.report_at(reported, Fact::Sale { order, report: SaleReport::Seen(deposit.clone()) });
        confirms(world, order, deposit, reported);
    }
    let later = soon(world, reported, 500);
    if whole || world.rng.percent(8) {
        let deposit = Some(deposit.clone());
        let report = SaleReport::Confirmed { hash, deposit };
        world.report_at(later, Fact::Sale { order, report });
    } else if world.rng.percent(85) {
        let gone = world.rng.percent(12);
        ends(world, op, deposit, gone, later);
    }
}

/// Of every tenth deposit it is reported how often it is confirmed, and once more is new.
fn confirms(world: &mut World, order: Option<OpId>, deposit: &Deposit, reported: Instant) {
    let counted = deposit.hash.bytes().last().is_some_and(|last| last % 10 == 0);
    for number in [2, 1].into_iter().filter(|_| counted) {
        let deposit = Deposit { confirmations: Some(number), ..deposit.clone() };
        world.report_at(reported, Fact::Sale { order, report: SaleReport::Seen(deposit) });
    }
}

/// It is confirmed, or it vanished; sometimes another order is named first.
fn ends(world: &mut World, op: OpId, deposit: &Deposit, gone: bool, at: Instant) {
    let hash = deposit.hash.clone();
    let report = if gone {
        SaleReport::Vanished(hash)
    } else {
        SaleReport::Confirmed { hash, deposit: None }
    };
    if world.rng.percent(5) {
        let wrong = world.rng.pick_late(&world.sales).copied();
        world.report_at(at, Fact::Sale { order: wrong, report: report.clone() });
        // Nobody takes it back before somebody looks.
        let looked = soon(world, at, 600);
        return world.report_at(looked, Fact::Sale { order: Some(op), report });
    }
    world.report_at(at, Fact::Sale { order: Some(op), report });
    if gone && world.rng.percent(50) {
        let again = soon(world, at, 900);
        mined_again(world, op, deposit, again);
    }
}

/// The network reorganised, and the same transaction is in it again.
fn mined_again(world: &mut World, op: OpId, deposit: &Deposit, at: Instant) {
    let deposit = Deposit { seen_at: at, ..deposit.clone() };
    match world.rng.below(4) {
        // Only its confirmation is reported.
        0 => ends(world, op, &deposit, false, at),
        // It is the right order this time, or another one.
        1 => {
            let other = world.rng.pick_late(&world.sales).copied().unwrap_or(op);
            follow(world, other, &deposit, at);
        }
        _ => follow(world, op, &deposit, at),
    }
}

/// What vanished of an order comes again; seldom what was confirmed is gone.
fn reorganise(world: &mut World, op: OpId, sale: &Sale) {
    let now = world.now;
    if let Some((hash, coin, _)) = sale.gone.last().cloned() {
        let deposit = seen_deposit(coin, hash, now);
        return mined_again(world, op, &deposit, now);
    }
    let lost = sale.deposits.last().map(|held| held.hash.clone());
    if let Some(hash) = lost.filter(|_| world.rng.percent(30)) {
        world.report(Fact::Sale { order: Some(op), report: SaleReport::Vanished(hash) });
    }
}

fn seen_deposit(coin: Coin, hash: Box<str>, seen_at: Instant) -> Deposit {
    Deposit { coins: coin.into(), hash, from: None, seen_at, confirmations: None }
}

/// Crypto that names no order, or one that is none.
fn about_nothing(world: &mut World, oracle: &Oracle) {
    let none = OpId::new(Kind::CashOut, Seq(world.rng.below(9) + 900_000_000));
    let order = match world.rng.below(3) {
        0 => Some(none),
        1 => world.rng.pick(&world.payouts).copied(),
        _ => None,
    };
    let known = oracle.sales.values().next().map(|sale| sale.coin);
    let Some(coin) = known else { return };
    let units = u128::from(world.rng.below(90_000_000)) + 1;
    let deposit = deposit(world, Coin { units, ..coin }, world.now);
    let report = match world.rng.below(3) {
        0 => SaleReport::Vanished(deposit.hash),
        1 => SaleReport::Confirmed { hash: deposit.hash.clone(), deposit: Some(deposit) },
        _ => SaleReport::Seen(deposit),
    };
    world.report(Fact::Sale { order, report });
}

/// A receipt is confirmed or vanishes, named by itself or by its transaction alone.
fn report_on_unmatched(world: &mut World, oracle: &Oracle) {
    let recent: Vec<OpId> = world.unmatched.iter().rev().take(12).copied().collect();
    let Some(op) = world.rng.pick(&recent).copied() else { return };
    let Some(known) = oracle.unmatched.get(&op) else { return };
    let waits = known.phase == UnmatchedDepositStatus::Unconfirmed;
    // What a provider gave back has no transaction that a network could report.
    let gave_back = known.hash.starts_with("returned ");
    if gave_back || !waits && !world.rng.percent(10) {
        return;
    }
    let named = if world.rng.percent(50) { Some(op) } else { known.about };
    let (hash, gone) = (known.hash.clone(), world.rng.percent(20));
    let report = if gone {
        SaleReport::Vanished(hash)
    } else {
        SaleReport::Confirmed { hash, deposit: None }
    };
    world.report(Fact::Sale { order: named, report });
}

fn deposit(world: &mut World, coin: Coin, seen_at: Instant) -> Deposit {
    let units = Units::new(coin.units.max(1)).expect("at least one");
    let coins = Coins { asset: AssetId(coin.asset), chain: ChainId(coin.chain), units };
    let hash = world.transaction(Some(coin.chain));
    let from = world.rng.percent(60).then(|| "0xexchange".into());
    Deposit { coins, hash, from, seen_at, confirmations: None }
}

/// Some percent of it.
fn part(world: &mut World, coin: Coin, least: i64, most: i64) -> Coin {
    let percent = u128::from(world.rng.within(least, most).unsigned_abs());
    Coin { units: (coin.units * percent / 100).max(1), ..coin }
}

/// Another token on the same network, or the same on another network.
fn strange(world: &mut World, oracle: &Oracle, coin: Coin, token: bool) -> Coin {
    let assets = oracle.market.asset_numbers();
    let other = u16::try_from(world.rng.below(3)).unwrap_or(0) + 1;
    if token {
        // As much of it as some other order would have been for.
        let place = assets.iter().position(|asset| *asset == coin.asset).unwrap_or(0);
        let place = place + usize::from(other);
        let asset = assets.get(place % assets.len().max(1)).copied().unwrap_or(0);
        let like = oracle.sales.values().rev().find(|sale| sale.coin.asset == asset);
        let units = like.map_or(coin.units, |sale| sale.coin.units);
        Coin { asset, units, ..coin }
    } else {
        Coin { chain: (coin.chain + other) % 5, ..coin }
    }
}
