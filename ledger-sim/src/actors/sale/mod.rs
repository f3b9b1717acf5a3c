//! Those who sell crypto for a PIX, and those who settle it; and where sellers' crypto is bought:
//! which pairs are open, by which route, within which bounds.

pub(super) mod closer;
pub(super) mod depositor;
pub(super) mod refunder;
pub(super) mod report;
pub(super) mod seller;
pub(super) mod settler;

use ledger_core::coin::{Scale, Units};
use ledger_core::id::{AssetId, ChainId};
use ledger_core::ledger::purchase::Fact as PurchaseFact;
use ledger_core::money::Amount;
use ledger_core::terms::{Market, Route, SaleLimits, Switch};
use ledger_core::time::{Instant, Span};

use crate::world::World;

/// Asset, network, decimals, route, least and most of a deposit in whole units, minutes a quote is
/// good.
pub(in crate::actors) type Pair = (&'static str, &'static str, u8, Route, u128, u128, u16);

/// The pairs that are sold. One unit of `paxg`, as counted here, is worth more than a centavo, so
/// that rounding leaves something.
pub(in crate::actors) const PAIRS: [Pair; 8] = [
    ("usdt", "polygon", 6, Route::Fast, 0, 0, 15),
    ("usdc", "polygon", 6, Route::Fast, 0, 0, 15),
    ("usdc", "eth", 6, Route::Dex, 6, 200_000, 30),
    ("eth", "eth", 18, Route::Dex, 0, 0, 60),
    ("usdt", "tron", 6, Route::Convert, 6, 200_000, 300),
    ("paxg", "eth", 4, Route::Convert, 0, 0, 120),
    ("usdt", "near", 6, Route::Convert, 6, 200_000, 300),
    ("depix", "liquid", 8, Route::Liquid, 0, 0, 60),
];

/// The first list, about when the first catalogue comes.
pub(in crate::actors) fn open(world: &mut World) {
    let late = if world.rng.percent(6) { Span::seconds(5_400) } else { Span::default() };
    let at = world.now.after(late);
    let opened = PAIRS.iter().map(|pair| market(*pair)).collect();
    let id = world.fresh("m");
    world.plan_fact(at, id, PurchaseFact::MarketsUpdated { opened, closed: Vec::new() });
}

/// A pair is closed for a while, dropped, or bounded otherwise; now and then one contradicts what
/// is known.
pub(in crate::actors) fn change(world: &mut World) {
    let Some(pair) = world.rng.pick(&PAIRS).copied() else { return };
    let mut changed = market(pair);
    let mut closed = Vec::new();
    match world.rng.below(6) {
        0 | 1 => changed.offered = Switch::Off,
        2 => changed.most = Units::new(40 * changed.scale.one()),
        3 => changed.scale = Scale::new(7).unwrap_or(changed.scale),
        4 => closed.push((pair.0.into(), pair.1.into())),
        _ => changed.valid_minutes = 15,
    }
    let opened = if closed.is_empty() { vec![changed] } else { Vec::new() };
    world.report(PurchaseFact::MarketsUpdated { opened, closed });
    let again = PurchaseFact::MarketsUpdated { opened: vec![market(pair)], closed: Vec::new() };
    let later = soon(world, world.now, 3_600);
    world.report_at(later, again);
}

/// Limits on sales: mostly as published, sometimes so low that a few sales reach them.
pub(in crate::actors) fn limits(world: &mut World) -> Option<SaleLimits> {
    let published = SaleLimits::default();
    let cents = |cents| Amount::new(cents).unwrap_or(Amount::CENTAVO);
    let on = |yes| if yes { Switch::On } else { Switch::Off };
    let rng = &mut world.rng;
    let limits =
        SaleLimits { paused: on(rng.percent(3)), codes_paused: on(rng.percent(5)), ..published };
    match rng.below(5) {
        0 | 1 => Some(limits),
        2 => Some(SaleLimits { recipient_daily: cents(30_000), refund_alone: 20, ..limits }),
        3 => Some(SaleLimits { recipient_daily: cents(300_000), refund_alone: 200, ..limits }),
        _ => None,
    }
}

fn market((asset, chain, decimals, route, least, most, valid_minutes): Pair) -> Market {
    let scale = Scale::new(decimals).expect("at most 18");
    // Whoever names no bounds of the exchange has those published: wide ones are named.
    let exchanged = matches!(route, Route::Dex | Route::Convert);
    let wide = |units| Units::new(units).filter(|_| exchanged);
    Market {
        asset: AssetId(0),
        chain: ChainId(0),
        asset_name: asset.into(),
        chain_name: chain.into(),
        scale,
        route,
        least: Units::new(least * scale.one()).or(wide(1)),
        most: Units::new(most * scale.one()).or(wide(200_000 * scale.one())),
        offered: Switch::On,
        valid_minutes,
        confirmations: 12,
        eta_minutes: 5,
    }
}

/// Within so many seconds.
pub(in crate::actors) fn soon(world: &mut World, from: Instant, seconds: i64) -> Instant {
    from.after(Span::seconds(u32::try_from(world.rng.within(0, seconds)).unwrap_or(0)))
}

/// Later or earlier by so many microseconds.
pub(in crate::actors) fn near(at: Instant, micros: i64) -> Instant {
    Instant::from_micros(at.micros() + micros).unwrap_or(at)
}
