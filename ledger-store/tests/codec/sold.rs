//! A record of every kind of event about sales, the same every time.

use ledger_core::coin::{Scale, Units};
use ledger_core::id::{AssetId, ChainId};
use ledger_core::ledger::{Cause, Event, Record};
use ledger_core::terms::{Market, Rate, Route, SaleLimits, Switch, Terms};

use super::catalogue::{
    ACCOUNT, Absent, Given, Options, amount, at, bps, name, policy, record, share, terms,
};

pub(super) const ASSET: AssetId = AssetId(2_001);
pub(super) const CHAIN: ChainId = ChainId(2_002);

pub(super) fn units(units: u128) -> Units {
    Units::new(units).unwrap()
}

fn markets(options: Options) -> Event {
    let market = Market {
        asset: ASSET,
        chain: CHAIN,
        asset_name: "usdt".into(),
        chain_name: "polygon".into(),
        scale: Scale::new(18).unwrap(),
        route: Route::Liquid,
        least: options.of(units(6_000_000)),
        most: options.of(units(10_u128.pow(30))),
        offered: Switch::On,
        valid_minutes: 300,
        confirmations: 64,
        eta_minutes: 25,
    };
    let closed = vec![("usdc".into(), "stark".into())];
    Event::MarketsUpdated { opened: vec![market], closed }
}

/// Policy and terms with what sales brought to them.
fn grown() -> [Event; 2] {
    let sales = SaleLimits { least: amount(601), refund_alone: 4_999, ..SaleLimits::default() };
    let policy = ledger_core::terms::Policy { sales: Some(sales), ..policy() };
    let rate = Rate { bps: bps(135), fixed: share(200) };
    let terms = Terms {
        sale: Some(rate),
        sale_partner: Some(bps(150)),
        liquid_sale: Some(rate),
        sale_reserve: Some(share(101)),
        ..terms(Given)
    };
    [
        Event::PolicyAdopted(Box::new(policy)),
        Event::TermsAdopted { account: ACCOUNT, from: at(16), terms: Box::new(terms) },
    ]
}

/// One record for each event, and one more where something may be missing.
pub fn samples() -> Vec<(String, Record)> {
    let alone = |event: Event| record(vec![event], Cause::default());
    let mut samples = vec![
        ("markets-updated".to_owned(), alone(markets(Given))),
        ("markets-updated-bare".to_owned(), alone(markets(Absent))),
    ];
    samples.extend(grown().map(|event| (format!("{}-sales", name(&event)), alone(event))));
    samples
}
