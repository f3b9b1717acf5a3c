//! The common ground of small worlds: an account, a catalogue with prices, floats and stock.

use ledger_core::coin::{Scale, Units};
use ledger_core::id::{AccountId, AssetId, ChainId, KeyHash, Token};
use ledger_core::ledger::account::Fact as AccountFact;
use ledger_core::ledger::purchase::Fact as PurchaseFact;
use ledger_core::ledger::treasury::Fact as TreasuryFact;
use ledger_core::ledger::{Intent, OperatorDecision, OwnAccount, OwnCoins, Reported, wallet};
use ledger_core::machine::charge::PixPayment;
use ledger_core::money::{Amount, Bps, Cents};
use ledger_core::terms::{
    Listing, Market, Policy, Price, Quote, Rail, Rate, Release, Route, Stablecoin, Switch, Tariff,
    Terms, WalletNetwork, WalletSettings,
};
use ledger_core::time::{Instant, Span};

use super::Say;
use crate::domains::{IntoFact, IntoRequest};
use crate::oracle::Oracle;

/// The one integrator.
pub(super) const SHOP: AccountId = AccountId(0);

/// When a small world begins: 2026-11-20T12:00:00Z.
pub(super) fn beginning() -> Instant {
    Instant::from_micros(1_795_176_000_000_000).expect("this century")
}

/// What is said before each world's own beginning.
pub(super) const GROUND: &[Say] = &[
    |_| intent("policy", AccountFact::PolicyAdopted(Policy { ladder: None, ..Policy::default() })),
    |_| {
        let listed = vec![listing("usdt"), listing("usdc")];
        intent("catalogue", PurchaseFact::CatalogueUpdated { listed, dropped: Vec::new() })
    },
    |_| {
        let (from, to) = (OwnCoins::Funding, OwnCoins::Treasury(ChainId(0)));
        let units = Units::new(1_000_000_000_000)?;
        intent("stock", TreasuryFact::CoinsMoved { asset: AssetId(0), from, to, units })
    },
    |_| {
        let price = Price::parse("5.4")?;
        let quote = Quote { price, source: "exchange".into(), at: beginning() };
        intent("price", PurchaseFact::RateQuoted { asset: "usdt".into(), quote })
    },
    |_| {
        let (key, terms) = (KeyHash([1; 32]), Some(terms()));
        intent("account", AccountFact::Opened { name: "loja".into(), key, terms })
    },
    |_| {
        let closed = Vec::new();
        intent("markets", PurchaseFact::MarketsUpdated { opened: markets(), closed })
    },
    |_| intent("wallet", wallet::Fact::Configured(settings())),
    |_| {
        let (from, to) = (OwnAccount::Funding, OwnAccount::ProviderPay);
        intent("float", TreasuryFact::Moved { from, to, amount: cents(50_000_000) })
    },
];

/// Every fee is asked, so that every leg of every entry is there; the provider holds what is above
/// R$ 200.00.
fn terms() -> Terms {
    Terms {
        deposit: rate(200, 200),
        payout_house: bps(150),
        payout_partner: bps(100),
        payout_tariff: Tariff::Fixed(as_cents(100)),
        payout_least: cents(50),
        charge_most: cents(5_000_000),
        retention_above: Some(cents(20_000)),
        waiting_hours: 0,
        purchase: rate(200, 200),
        purchase_partner: bps(100),
        conversion: rate(330, 100),
        release: Release::Immediate,
        wallet: Some(Switch::On),
        sale: Some(rate(200, 200)),
        sale_partner: Some(bps(100)),
        ..Terms::latest()
    }
}

/// A PIX for the amount, paid now.
pub(super) fn pix(oracle: &Oracle, e2e: &str, amount: i64) -> PixPayment {
    PixPayment { e2e: e2e.into(), amount: cents(amount), paid_at: oracle.now }
}

/// A fact under an id of its own.
#[allow(clippy::unnecessary_wraps)] // What a world says is optional.
pub(super) fn intent(id: &str, fact: impl IntoFact) -> Option<Intent> {
    Some(Intent::Fact(Reported { id: Some(id.into()), fact: fact.into_fact() }))
}

/// Returns what the shop asks.
#[allow(clippy::unnecessary_wraps)] // What a world says is optional.
pub(super) fn by_client(request: impl IntoRequest) -> Option<Intent> {
    Some(Intent::Request(SHOP, request.into_request()))
}

/// The one customer.
#[allow(clippy::unnecessary_wraps)] // Names of customers are optional, and none is the house.
pub(super) fn ana() -> Option<Box<str>> {
    Some("ana".into())
}

pub(super) const fn decided_by() -> OperatorDecision {
    OperatorDecision {
        actor: Token([1; 16]),
        reason: Token([2; 16]),
        evidence: Some(Token([3; 16])),
    }
}

pub(super) fn cents(cents: i64) -> Amount {
    Amount::new(cents).expect("positive")
}

pub(super) fn as_cents(cents: i64) -> Cents {
    Cents::new(cents).expect("not negative")
}

fn bps(value: u16) -> Bps {
    Bps::new(value).expect("below the whole")
}

fn rate(percent: u16, fixed: i64) -> Rate {
    Rate { bps: bps(percent), fixed: as_cents(fixed) }
}

/// A pair of sellers a route; the ledger numbers assets and networks as they come.
fn markets() -> Vec<Market> {
    let market = |asset: &str, network: &str, route, scale, minutes| Market {
        asset: AssetId(0),
        chain: ChainId(0),
        asset_name: asset.into(),
        chain_name: network.into(),
        scale: Scale::new(scale).expect("at most 18"),
        route,
        least: None,
        most: None,
        offered: Switch::On,
        valid_minutes: 15,
        confirmations: 1,
        eta_minutes: minutes,
    };
    vec![
        market("usdt", "polygon", Route::Fast, 6, 0),
        market("usdt", "arbitrum", Route::Dex, 6, 21),
        market("usdt", "tron", Route::Convert, 6, 3),
        market("depix", "liquid", Route::Liquid, 8, 3),
    ]
}

/// A wallet for both stablecoins on Polygon.
fn settings() -> WalletSettings {
    let polygon = WalletNetwork {
        chain: ChainId(0),
        name: "polygon".into(),
        title: "POLYGON".into(),
        coins: vec![Stablecoin::Usdt, Stablecoin::Usdc],
        eta_minutes: Some(3),
        withdrawals: Switch::On,
        network_fee: Units::new(50_000),
    };
    WalletSettings {
        usdt: AssetId(0),
        usdc: Some(AssetId(1)),
        networks: vec![polygon],
        enabled: Switch::On,
        payments: Switch::On,
        by_key: Switch::On,
        by_code: Switch::On,
        withdrawals: Switch::On,
        document_required: Switch::Off,
        least_deposit: Units::new(1_000_000).expect("positive"),
        least_payment: Amount::CENTAVO,
        payment_fee: None,
        deposit_hours: 1,
        open_deposits: 2,
        quote_validity: Span::seconds(300),
        tolerance: bps(50),
        conversion_fee: bps(20),
        strict_buffer: Switch::Off,
    }
}

fn listing(asset: &str) -> Listing {
    Listing {
        asset: AssetId(0),
        chain: ChainId(0),
        asset_name: asset.into(),
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
