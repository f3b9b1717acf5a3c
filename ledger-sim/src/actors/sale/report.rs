//! What the exchange, the PIX provider and operators report of a sale, and the amounts they name.

use ledger_core::coin::Units;
use ledger_core::id::{AssetId, ChainId, Kind, OpId, Seq, Token};
use ledger_core::ledger::{Fact, SaleReport};
use ledger_core::machine::cash_out::{Command, CorrectedKey, KeyOwner, Pix, Proceeds};
use ledger_core::machine::refund::Coins;
use ledger_core::money::Amount;
use ledger_core::terms::Route;
use ledger_core::time::Instant;

use crate::oracle::{Got, Liquidation, Sale};
use crate::world::World;

pub(crate) fn report_move(world: &mut World, op: OpId, command: Command) {
    world.report(Fact::Sale { order: Some(op), report: SaleReport::Moved(command) });
}

/// A PIX was paid: mostly of the very net, seldom of another amount.
pub(crate) fn pay(world: &mut World, op: OpId, sale: &Sale, paid_at: Instant) {
    let e2e = world.fresh("o");
    let pix = Pix { e2e, paid_at, receipt_url: None, receipt_pdf_url: None, verify_url: None };
    let net = sale.sold.map_or(sale.split.net, |(_, split)| split.net);
    let cents = match world.rng.below(20) {
        0 => Some(net + 1),
        1..8 => Some(net),
        _ => None,
    };
    let amount = cents.and_then(Amount::new);
    world.report(Fact::Sale { order: Some(op), report: SaleReport::Paid { pix, amount } });
}

pub(super) fn reverse(world: &mut World, op: OpId, sale: &Sale) {
    let net = sale.sold.map_or(1_000, |(_, split)| split.net);
    let left = (net - sale.reversed).max(1);
    let cents = match world.rng.below(6) {
        0 | 1 => left,
        2 => left + 1,
        _ => world.rng.within(1, left),
    };
    let return_id = world.fresh("b");
    let amount = Amount::new(cents).unwrap_or(Amount::CENTAVO);
    world
        .report(Fact::Sale { order: Some(op), report: SaleReport::Reversed { return_id, amount } });
}

pub(crate) fn stop(world: &mut World, op: OpId) {
    let decided_by = world.decided_by();
    world.report(Fact::Sale { order: Some(op), report: SaleReport::Stopped(decided_by) });
}

pub(super) fn clear(world: &mut World, op: OpId) {
    let key = Token([u8::try_from(world.rng.below(14)).unwrap_or(0) + 100; 16]);
    let pix_key = world.rng.percent(50).then_some(CorrectedKey {
        token: key,
        kind: None,
        counted_as: key,
        owner: KeyOwner::Unproven,
    });
    let decided_by = world.decided_by();
    world.report(Fact::Sale {
        order: Some(op),
        report: SaleReport::Cleared { pix_key, decided_by },
    });
}

/// The provider returns the token: mostly all of it, sometimes less, seldom more.
pub(crate) fn token_back(world: &mut World, op: OpId, sale: &Sale) {
    let has = sale.handed.unwrap_or(sale.coin.units);
    let units = match world.rng.below(6) {
        0 => has + 1,
        1 | 2 => (has * 9 / 10).max(1),
        _ => has,
    };
    let units = Units::new(units).expect("at least one");
    world.report(Fact::Sale { order: Some(op), report: SaleReport::TokenReturned(units) });
}

/// Returns what the provider gives back of a refused key: all of the net, most of it, or too much.
pub(super) fn given_back(world: &mut World, sale: &Sale) -> Amount {
    let net = sale.sold.map_or(sale.split.net, |(_, split)| split.net);
    let cents = match world.rng.below(8) {
        0 => net + 1,
        1 => world.rng.within(1, net),
        2..5 => net - net / 100,
        _ => net,
    };
    Amount::new(cents).unwrap_or(Amount::CENTAVO)
}

/// A report of the liquidation where it stands.
pub(super) fn liquidation(world: &mut World, sale: &Sale) -> Command {
    match sale.liquidation {
        Liquidation::None => match world.rng.below(3) {
            0 => Command::Fill(proceeds(world, sale)),
            _ => Command::StartSale,
        },
        Liquidation::Selling(_) | Liquidation::Lost(_) => match world.rng.below(4) {
            0 => Command::FailSale,
            1 => Command::LoseSale,
            _ => Command::Fill(proceeds(world, sale)),
        },
        Liquidation::Sold(_) if world.rng.percent(50) => Command::Forward,
        _ => Command::Arrive(reais(world, sale)),
    }
}

/// Returns what a swap or an exchange gave: what is known of it, or about its worth in USDT or
/// reais.
pub(crate) fn proceeds(world: &mut World, sale: &Sale) -> Proceeds {
    if let Liquidation::Sold(got) | Liquidation::Forwarding(got) = sale.liquidation
        && world.rng.percent(70)
    {
        return match got {
            Got::Coins(coin) => Proceeds::Coins(Coins {
                asset: AssetId(coin.asset),
                chain: ChainId(coin.chain),
                units: Units::new(coin.units).expect("something was got"),
            }),
            Got::Reais(cents) => Proceeds::Reais(Amount::new(cents).unwrap_or(Amount::CENTAVO)),
        };
    }
    if sale.route == Route::Convert && world.rng.percent(40) || world.rng.percent(5) {
        return Proceeds::Reais(reais(world, sale));
    }
    let cents = u128::from(reais(world, sale).cents().unsigned_abs());
    let units = Units::new(cents * 10_000 / 5).expect("at least one centavo");
    Proceeds::Coins(Coins { asset: AssetId(0), chain: ChainId(sale.coin.chain), units })
}

/// About what the sale is worth, a little more or less.
pub(crate) fn reais(world: &mut World, sale: &Sale) -> Amount {
    let gross = sale.sold.map_or(sale.split.gross(), |(_, split)| split.gross());
    let cents = gross * world.rng.within(97, 102) / 100;
    Amount::new(cents).unwrap_or(Amount::CENTAVO)
}

/// A report of an order that is none, or is not named.
pub(super) fn about_nothing(world: &mut World) {
    let none = OpId::new(Kind::CashOut, Seq(world.rng.below(9) + 900_000_000));
    let order = match world.rng.below(3) {
        0 => Some(none),
        1 => world.rng.pick(&world.charges).copied(),
        _ => None,
    };
    let e2e = world.fresh("o");
    let paid_at = world.now;
    let pix = Pix { e2e, paid_at, receipt_url: None, receipt_pdf_url: None, verify_url: None };
    let amount = Amount::new(world.rng.within(1, 9_000));
    let return_id = world.fresh("b");
    let decided_by = world.decided_by();
    let report = match world.rng.below(6) {
        0 => SaleReport::Paid { pix, amount },
        1 => SaleReport::Paid { pix, amount: None },
        2 => SaleReport::Reversed { return_id, amount: Amount::CENTAVO },
        3 => SaleReport::Stopped(decided_by),
        4 => SaleReport::Cleared { pix_key: None, decided_by },
        _ => SaleReport::Moved(Command::FailSend),
    };
    world.report(Fact::Sale { order, report });
}
