//! The common ground of small worlds: an account, a catalogue with prices, floats and stock.

use ledger_core::coin::{Scale, Units};
use ledger_core::id::{AccountId, AssetId, ChainId, KeyHash, Token};
use ledger_core::ledger::{Fact, Judgement, OwnAccount, OwnCoins, Reported, Request, What};
use ledger_core::machine::charge::Receipt;
use ledger_core::money::{Amount, Bps, Share};
use ledger_core::terms::{
    Listing, Policy, Price, Quote, Rail, Rate, Release, Switch, Tariff, Terms,
};
use ledger_core::time::Instant;

use super::Say;
use crate::oracle::Oracle;

/// The one integrator.
pub(super) const SHOP: AccountId = AccountId(0);

/// When a small world begins: 2026-11-20T12:00:00Z.
pub(super) fn beginning() -> Instant {
    Instant::from_micros(1_795_176_000_000_000).expect("this century")
}

/// What is said before each world's own beginning.
pub(super) const GROUND: &[Say] = &[
    |_| told("policy", Fact::PolicyAdopted(Policy { ladder: None, ..Policy::default() })),
    |_| {
        let listed = vec![listing()];
        told("catalogue", Fact::CatalogueUpdated { listed, dropped: Vec::new() })
    },
    |_| {
        let (from, to) = (OwnCoins::Funding, OwnCoins::Treasury(ChainId(0)));
        let units = Units::new(1_000_000_000_000)?;
        told("stock", Fact::CoinsMoved { asset: AssetId(0), from, to, units })
    },
    |_| {
        let price = Price::parse("5.4")?;
        let quote = Quote { price, source: "exchange".into(), at: beginning() };
        told("price", Fact::RateQuoted { asset: "usdt".into(), quote })
    },
    |_| {
        let (key, terms) = (KeyHash([1; 32]), Some(terms()));
        told("account", Fact::AccountOpened { name: "loja".into(), key, terms })
    },
    |_| {
        let (from, to) = (OwnAccount::Funding, OwnAccount::ProviderPay);
        told("float", Fact::TreasuryMoved { from, to, amount: cents(50_000_000) })
    },
];

/// Every fee is asked, so that every leg of every entry is there; the provider holds what is above
/// R$ 200.00.
fn terms() -> Terms {
    Terms {
        deposit: rate(200, 200),
        payout_house: bps(150),
        payout_partner: bps(100),
        payout_tariff: Tariff::Fixed(share(100)),
        payout_least: cents(50),
        charge_most: cents(5_000_000),
        retention_above: Some(cents(20_000)),
        waiting_hours: 0,
        purchase: rate(200, 200),
        purchase_partner: bps(100),
        conversion: rate(330, 100),
        release: Release::Immediate,
        ..Terms::published()
    }
}

/// A PIX for the amount, paid now.
pub(super) fn pix(oracle: &Oracle, e2e: &str, amount: i64) -> Receipt {
    Receipt { e2e: e2e.into(), amount: cents(amount), paid_at: oracle.now }
}

/// A fact under an id of its own.
#[allow(clippy::unnecessary_wraps)] // What a world says is optional.
pub(super) fn told(id: &str, fact: Fact) -> Option<What> {
    Some(What::Fact(Reported { id: Some(id.into()), fact }))
}

/// What the shop asks.
#[allow(clippy::unnecessary_wraps)] // What a world says is optional.
pub(super) const fn asked(request: Request) -> Option<What> {
    Some(What::Request(SHOP, request))
}

/// The one customer.
#[allow(clippy::unnecessary_wraps)] // Names of customers are optional, and none is the house.
pub(super) fn ana() -> Option<Box<str>> {
    Some("ana".into())
}

pub(super) const fn judgement() -> Judgement {
    Judgement { actor: Token([1; 16]), reason: Token([2; 16]), evidence: Some(Token([3; 16])) }
}

pub(super) fn cents(cents: i64) -> Amount {
    Amount::new(cents).expect("positive")
}

pub(super) fn share(cents: i64) -> Share {
    Share::new(cents).expect("not negative")
}

fn bps(value: u16) -> Bps {
    Bps::new(value).expect("below the whole")
}

fn rate(percent: u16, fixed: i64) -> Rate {
    Rate { bps: bps(percent), fixed: share(fixed) }
}

fn listing() -> Listing {
    Listing {
        asset: AssetId(0),
        chain: ChainId(0),
        asset_name: "usdt".into(),
        chain_name: "polygon".into(),
        scale: Scale::new(6).expect("at most 18"),
        rail: Rail::Convert,
        least: Units::new(1_000_000).expect("positive"),
        network_fee: Units::new(250_000),
        deliverable: Switch::On,
        memo: Switch::Off,
        eta: "1 min".into(),
        eta_seconds: 60,
    }
}
