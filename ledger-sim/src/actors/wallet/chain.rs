//! The networks on which coins come to wallets, and the operators who look after what is in doubt.

use ledger_core::coin::Units;
use ledger_core::id::{AssetId, ChainId, OpId};
use ledger_core::ledger::wallet::{DepositFinding, Fact as WalletFact};
use ledger_core::machine::wallet::deposit::{Doubt, Mark, Rejection, Transfer};
use ledger_core::time::{Instant, Span};

use super::{PLACES, ours, units};
use crate::oracle::{DepositStatus, Network, Oracle, WalletDeposit};
use crate::world::World;

/// Worth no USDT.
const OTHER: &str = "eth";

/// The number of an asset, once it was listed.
fn asset(oracle: &Oracle, name: &str) -> AssetId {
    oracle.market.asset_named(name).map_or(AssetId(0), |(asset, _)| asset)
}

/// The number of a network, once it was listed.
fn network(oracle: &Oracle, name: &str) -> ChainId {
    oracle.market.chain_named(name).unwrap_or(ChainId(0))
}

/// What mostly comes of a request: the coins, seen and then confirmed.
pub(crate) fn expect_coins(world: &mut World, oracle: &Oracle, op: OpId) {
    let Some(deposit) = oracle.wallet_deposits.get(&op) else { return };
    let Some(wanted) = deposit.wanted.clone() else { return };
    if deposit.status != DepositStatus::Waiting || world.rng.percent(18) {
        return;
    }
    let ends = wanted.expires_at;
    let over = ends.after(Span::days(7));
    let at = match world.rng.by_weight(&[72, 9, 6, 9, 2, 2]) {
        0 => plus(world.now, world.rng.within(0, 3_000)),
        1 => Instant::from_micros(ends.micros() - 1).unwrap_or(ends),
        2 => ends,
        3 => plus(ends, world.rng.within(0, 90_000)),
        4 => Instant::from_micros(over.micros() - 1).unwrap_or(over),
        _ => over,
    };
    let mut transfer = coins(world, oracle, wanted.chain, wanted.amount);
    if world.rng.percent(24) {
        transfer = otherwise(world, oracle, transfer, wanted.requested);
    }
    let (named, address) = match world.rng.by_weight(&[45, 45, 10]) {
        0 => (Some(op), None),
        1 => (None, Some(wanted.address.clone())),
        _ => (Some(op), Some(wanted.address.clone())),
    };
    come(world, at, (named, address.clone()), &transfer);
    if world.rng.percent(12) {
        let more = coins(world, oracle, wanted.chain, wanted.amount);
        let later = plus(at, world.rng.within(0, 4_000));
        come(world, later, (named, address), &more);
    }
    let confirmed = plus(at, world.rng.within(10, 1_500));
    if world.rng.percent(55) {
        confirm(world, confirmed, Some(op), transfer);
    }
}

/// Coins that are not those asked for.
fn otherwise(world: &mut World, oracle: &Oracle, transfer: Transfer, requested: u128) -> Transfer {
    let amount = transfer.units.get();
    match world.rng.below(8) {
        7 => Transfer { units: units(1), ..transfer },
        0 => Transfer { units: units(amount + 1), ..transfer },
        1 => Transfer { units: units(amount - 1), ..transfer },
        2 => Transfer { units: units(requested), ..transfer },
        3 => Transfer { units: units(amount / 2), ..transfer },
        4 => Transfer { asset: asset(oracle, OTHER), ..transfer },
        5 => {
            let (asset, chain) = (asset(oracle, "usdc"), network(oracle, "tron"));
            Transfer { asset, chain, mark: mark(world, oracle, chain), ..transfer }
        }
        _ => {
            let chain = network(oracle, "polygon");
            Transfer { chain, mark: mark(world, oracle, chain), ..transfer }
        }
    }
}

fn coins(world: &mut World, oracle: &Oracle, chain: ChainId, amount: u128) -> Transfer {
    let name = if world.rng.percent(30) { "usdc" } else { "usdt" };
    let (asset, units, mark) = (asset(oracle, name), units(amount), mark(world, oracle, chain));
    // Whether it is taken one to one, its line is read with.
    Transfer { asset, chain, units, mark, usdt: None }
}

/// Coins on a network that no catalogue names yet come by a transaction with one spelling.
fn mark(world: &mut World, oracle: &Oracle, chain: ChainId) -> Mark {
    let index = u32::try_from(world.rng.below(3)).unwrap_or(0);
    let hash = match oracle.market.chain_numbered(chain.0) {
        Some(_) => world.transaction(Some(chain.0)),
        None => world.fresh("0xt"),
    };
    Mark { hash, index }
}

fn come(
    world: &mut World,
    at: Instant,
    (deposit, address): (Option<OpId>, Option<Box<str>>),
    transfer: &Transfer,
) {
    let transfer = transfer.clone();
    report(world, at, WalletFact::DepositSeen { deposit, address, transfer });
}

/// Confirmed, reported with all of it or not.
fn confirm(world: &mut World, at: Instant, deposit: Option<OpId>, transfer: Transfer) {
    let mark = transfer.mark.clone();
    let transfer = world.rng.percent(50).then_some(transfer);
    report(world, at, WalletFact::DepositConfirmed { deposit, mark, transfer });
}

pub(in crate::actors) fn act(world: &mut World, oracle: &Oracle) {
    if world.rng.percent(7) {
        return send_unawaited(world, oracle);
    }
    let recent: Vec<OpId> = world.wallet_deposits.iter().rev().take(30).copied().collect();
    let Some(op) = world.rng.pick(&recent).copied() else { return };
    let Some(deposit) = oracle.wallet_deposits.get(&op) else { return };
    let Some(transfer) = deposit.transfer.clone() else {
        return while_nothing_came(world, oracle, op, deposit);
    };
    // begin: confirm, doubt, clear, reject, reverse, come again
    let weights: [u32; 6] = match (deposit.status, deposit.network) {
        (DepositStatus::Confirming, _) => [60, 22, 4, 4, 4, 6],
        (DepositStatus::UnderReview, Network::Seen) => [45, 5, 10, 32, 3, 5],
        (DepositStatus::UnderReview, _) => [5, 4, 50, 30, 4, 7],
        (DepositStatus::Available, _) => [8, 5, 7, 6, 66, 8],
        (DepositStatus::Reversed, Network::Vanished) => [46, 6, 6, 8, 4, 30],
        (DepositStatus::Reversed, _) => [14, 10, 10, 16, 18, 32],
        (_, _) => [20, 15, 15, 20, 22, 8],
    };
    let mark = transfer.mark.clone();
    match world.rng.by_weight(&weights) {
        0 => {
            // Coins that nobody awaited are known by themselves.
            let named = deposit.wanted.is_some() || world.rng.percent(50);
            let mark =
                if world.rng.percent(3) { self::mark(world, oracle, transfer.chain) } else { mark };
            let transfer = (!named || world.rng.percent(30)).then_some(transfer);
            let mark = transfer.as_ref().map_or(mark, |transfer| transfer.mark.clone());
            // Reported in full it finds whoever has the coins, whatever it names.
            let wrong = transfer.is_some() && world.rng.percent(15);
            let other = world.rng.pick(&recent).copied();
            let deposit = if wrong { other } else { named.then_some(op) };
            report(world, world.now, WalletFact::DepositConfirmed { deposit, mark, transfer });
        }
        1 => {
            let reorganised = world.rng.percent(50);
            let doubt = if reorganised { Doubt::Reorganisation } else { Doubt::Compliance };
            report(world, world.now, WalletFact::DepositDoubted { deposit: Some(op), mark, doubt });
        }
        2 => clear(world, oracle, op, transfer.units),
        3 => {
            let gone = (deposit.network == Network::Seen) != world.rng.percent(10);
            let how = if gone { Rejection::Vanished } else { Rejection::Returned };
            judge(world, op, DepositFinding::Rejected(how));
        }
        4 => {
            let decided_by = world.decided_by();
            report(world, world.now, WalletFact::DepositReversed { deposit: Some(op), decided_by });
        }
        _ => {
            let usual = world.rng.percent(50);
            let again =
                if usual { transfer } else { coins(world, oracle, transfer.chain, 5_000_000) };
            // Reported of the right deposit, of another one, or of an address alone.
            let other = world.rng.pick(&recent).copied();
            let address = deposit.wanted.as_ref().map(|wanted| wanted.address.clone());
            let (named, address) = match world.rng.by_weight(&[60, 20, 20]) {
                0 => (Some(op), None),
                1 => (other, None),
                _ => (None, address),
            };
            come(world, world.now, (named, address), &again);
        }
    }
}

/// An operator lets coins in: all of them, or so much, for whoever they are.
fn clear(world: &mut World, oracle: &Oracle, op: OpId, whole: Units) {
    let owner = oracle.wallet_deposits[&op].wanted.as_ref().map(|wanted| wanted.account);
    let owner = owner.and_then(|account| world.client_of(account)).map(|it| it.name.clone());
    let somebody = world.client().map(|client| client.name.clone());
    let account = match world.rng.by_weight(&[30, 60, 6, 4]) {
        0 => owner,
        1 => owner.or(somebody),
        2 => somebody,
        _ => Some("nobody".into()),
    };
    let credited = match world.rng.by_weight(&[55, 30, 10, 5]) {
        0 => None,
        1 => Some(units(whole.get() / 2)),
        2 => Some(whole),
        _ => Some(units(whole.get() + 1)),
    };
    judge(world, op, DepositFinding::Cleared { account, credited });
}

fn judge(world: &mut World, op: OpId, finding: DepositFinding) {
    let decided_by = world.decided_by();
    report(world, world.now, WalletFact::DepositJudged { deposit: Some(op), finding, decided_by });
}

/// A report of a request for which nothing came: mostly that its coins are confirmed.
fn while_nothing_came(world: &mut World, oracle: &Oracle, op: OpId, deposit: &WalletDeposit) {
    let Some(wanted) = deposit.wanted.clone() else { return };
    let mark = mark(world, oracle, wanted.chain);
    match world.rng.by_weight(&[60, 15, 10, 15]) {
        0 => {
            let transfer = coins(world, oracle, wanted.chain, wanted.amount);
            let mark = transfer.mark.clone();
            let transfer = world.rng.percent(85).then_some(transfer);
            report(
                world,
                world.now,
                WalletFact::DepositConfirmed { deposit: Some(op), mark, transfer },
            );
        }
        1 => {
            let doubt = Doubt::Reorganisation;
            report(world, world.now, WalletFact::DepositDoubted { deposit: Some(op), mark, doubt });
        }
        2 => judge(world, op, DepositFinding::Cleared { account: None, credited: None }),
        _ => {
            // Of another amount, by the address alone.
            let transfer = coins(world, oracle, wanted.chain, wanted.amount / 3);
            come(world, world.now, (None, Some(wanted.address)), &transfer);
        }
    }
}

/// Coins that nobody awaits, at an address of ours or by no word at all.
fn send_unawaited(world: &mut World, oracle: &Oracle) {
    let (name, ..) = PLACES[world.rng.index(PLACES.len())];
    let amount = u128::from(world.rng.below(90_000_000)) + 1;
    let mut transfer = coins(world, oracle, network(oracle, name), amount);
    if world.rng.percent(20) {
        transfer.asset = asset(oracle, OTHER);
    }
    let address = world.rng.percent(40).then(|| ours(world, name));
    let payout = world.rng.pick(&world.payouts).copied().filter(|_| world.rng.percent(20));
    if world.rng.percent(25) {
        let mark = transfer.mark.clone();
        let reported =
            WalletFact::DepositConfirmed { deposit: None, mark, transfer: Some(transfer) };
        return report(world, world.now, reported);
    }
    come(world, world.now, (payout, address), &transfer);
}

fn report(world: &mut World, at: Instant, reported: WalletFact) {
    world.report_at(at, reported);
}

fn plus(at: Instant, seconds: i64) -> Instant {
    at.after(Span::seconds(u32::try_from(seconds).unwrap_or(0)))
}
