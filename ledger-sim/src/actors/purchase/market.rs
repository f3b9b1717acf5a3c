//! The market: which pairs are listed, at what price, and what stock there is of them.

use ledger_core::coin::{Scale, Units};
use ledger_core::id::{AssetId, ChainId};
use ledger_core::ledger::OwnCoins;
use ledger_core::ledger::purchase::Fact as PurchaseFact;
use ledger_core::ledger::treasury::Fact as TreasuryFact;
use ledger_core::terms::{Listing, Price, Quote, Rail, Switch};
use ledger_core::time::{Instant, Span};

use crate::domains::IntoFact;
use crate::oracle::Oracle;
use crate::world::World;

/// Asset, network, decimals, rail, network minimum, network fee, whether it needs a memo.
type Pair = (&'static str, &'static str, u8, Rail, u128, u128, bool);

/// What may be listed.
const PAIRS: [Pair; 8] = [
    ("usdt", "polygon", 6, Rail::Instant, 5_006_500, 0, false),
    ("usdc", "polygon", 6, Rail::Instant, 101_100, 0, false),
    ("usdt", "tron", 6, Rail::Convert, 2_000_000, 1_000_000, false),
    ("usdt", "ton", 6, Rail::Convert, 3_000_000, 500_001, true),
    ("eth", "eth", 18, Rail::Convert, 1_000_000_000_000_000, 300_000_000_000_007, false),
    ("depix", "liquid", 8, Rail::Liquid, 101_000_000, 0, false),
    ("usdt", "near", 6, Rail::Convert, 1_000_000, 0, false),
    ("usdt", "solana", 6, Rail::Convert, 1_000_000, 0, false),
];

/// The first catalogue and the first stock.
pub(in crate::actors) fn open(world: &mut World) {
    let late = if world.rng.percent(8) { Span::seconds(5_400) } else { Span::default() };
    let at = world.now.after(late);
    let listed = PAIRS.iter().map(|pair| listing(*pair)).collect();
    say(world, at, PurchaseFact::CatalogueUpdated { listed, dropped: Vec::new() });
    for (asset, chain) in [(0, 0), (1, 0), (0, 1), (2, 3)] {
        let to = OwnCoins::Treasury(ChainId(chain));
        let units = Units::new(1_000_000_000_000).expect("positive");
        let asset = AssetId(asset);
        say(world, at, TreasuryFact::CoinsMoved { asset, from: OwnCoins::Funding, to, units });
    }
}

pub(in crate::actors) fn act(world: &mut World, oracle: &Oracle) {
    match world.rng.by_weight(&[40, 35, 25]) {
        0 => {
            let asset = *world.rng.pick(&["usdt", "usdc", "eth", "paxg"]).unwrap_or(&"usdt");
            quote(world, asset);
        }
        1 => change(world),
        _ => move_coins(world, oracle),
    }
}

/// Tells an asset's price anew when it is about to be too old.
pub(in crate::actors) fn refresh(world: &mut World, oracle: &Oracle, asset: &str) {
    let old = |reported: Instant| reported.after(Span::seconds(600)) < world.now;
    if asset != "depix" && oracle.market.reported_at(asset).is_none_or(old) {
        let (at, fact) = (world.now, quote_rate(world, asset));
        let id = world.fresh("q");
        world.plan_fact(at, id, fact);
    }
}

fn quote(world: &mut World, asset: &str) {
    let fact = quote_rate(world, asset);
    world.report(fact);
}

fn quote_rate(world: &mut World, asset: &str) -> PurchaseFact {
    let text = match asset {
        "paxg" => format!("{}.{}", world.rng.within(12_000, 14_000), world.rng.below(10)),
        "eth" => format!("{}.{}", world.rng.within(14_000, 16_000), world.rng.below(10)),
        _ => format!("5.{:04}", world.rng.within(3_000, 5_000)),
    };
    let price = Price::parse(&text).expect("digits and a dot");
    let early = if world.rng.percent(12) { world.rng.within(0, 3_000_000_000) } else { 0 };
    let at = Instant::from_micros(world.now.micros() - early).unwrap_or(world.now);
    PurchaseFact::RateQuoted {
        asset: asset.into(),
        quote: Quote { price, source: "exchange".into(), at },
    }
}

/// A pair changes, goes, or comes back; now and then one contradicts what is known.
fn change(world: &mut World) {
    let Some(pair) = world.rng.pick(&PAIRS).copied() else { return };
    let mut changed = listing(pair);
    let mut dropped = Vec::new();
    match world.rng.below(7) {
        0 => changed.deliverable = Switch::Off,
        1 => changed.network_fee = Units::new(pair.5 * 2 + 1),
        2 => changed.least = Units::new(pair.4 * 3).unwrap_or(changed.least),
        3 => changed.scale = Scale::new(7).unwrap_or(changed.scale),
        4 => dropped.push((pair.0.into(), pair.1.into())),
        _ => {}
    }
    let listed = if dropped.is_empty() { vec![changed] } else { Vec::new() };
    world.report(PurchaseFact::CatalogueUpdated { listed, dropped });
    if world.rng.percent(80) {
        let later = world.now.after(Span::seconds(3_600));
        let listed = vec![listing(pair)];
        world.report_at(later, PurchaseFact::CatalogueUpdated { listed, dropped: Vec::new() });
    }
}

fn move_coins(world: &mut World, oracle: &Oracle) {
    let chain = ChainId(u16::try_from(world.rng.below(4)).unwrap_or(0));
    let all = [
        OwnCoins::Funding,
        OwnCoins::Treasury(chain),
        OwnCoins::Gas,
        OwnCoins::Fx,
        OwnCoins::ProviderClaim,
        OwnCoins::Loss,
    ];
    let from = *world.rng.pick(&all).unwrap_or(&OwnCoins::Funding);
    let to = *world.rng.pick(&all).unwrap_or(&OwnCoins::Gas);
    let asset = world.rng.pick(&oracle.market.asset_numbers()).copied();
    let asset = AssetId(asset.unwrap_or(0));
    let units = Units::new(u128::from(world.rng.below(9_000_000_000)) + 1).expect("positive");
    world.report(TreasuryFact::CoinsMoved { asset, from, to, units });
}

fn listing((asset, chain, decimals, rail, least, fee, memo): Pair) -> Listing {
    let on = |yes| if yes { Switch::On } else { Switch::Off };
    Listing {
        asset: AssetId(0),
        chain: ChainId(0),
        asset_name: asset.into(),
        chain_name: chain.into(),
        scale: Scale::new(decimals).expect("at most 18"),
        rail,
        least: Units::new(least).expect("positive"),
        network_fee: Units::new(fee),
        deliverable: Switch::On,
        memo: on(memo),
        eta: "1 min".into(),
        eta_seconds: 60,
    }
}

/// Said without the wire's whims.
fn say(world: &mut World, at: Instant, fact: impl IntoFact) {
    let id = world.fresh("m");
    world.plan_fact(at, id, fact);
}
