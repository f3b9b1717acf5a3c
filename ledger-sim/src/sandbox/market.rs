//! The sandbox's own market: what it offers, at prices that come from the seed (SBX-12).
//!
//! It opens when somebody asks for it, and stands back where a catalogue or a price was reported by
//! hand.

use ledger_core::contract::{Call, CallKind};
use ledger_core::id::AccountId;
use ledger_core::ledger::State;
use ledger_core::time::Instant;
use ledger_store::sequencer::Sequencer;
use serde_json::{Value, json};

use super::Step;
use crate::rng::Rng;

/// Whose prices they are.
const SOURCE: &str = "sandbox";

/// How long a price stands, in microseconds: five minutes.
const STANDS: i64 = 300_000_000;

/// What a call asks of the market.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    /// Nothing of it.
    Nothing,
    /// To be shown what is offered, and on which terms.
    Offers,
    /// To be shown offers with their prices.
    Prices,
}

/// Returns what is reported before a call, because it asks for it and nobody reported before.
pub fn needed_steps(seed: u64, sequencer: &Sequencer, call: &Call) -> Vec<Step> {
    let state = &sequencer.ledger().state;
    let (key, need) = match &call.ask {
        CallKind::Request { method, target, key } => (key, of_route(method, target, &call.body)),
        CallKind::Command { name, key } => {
            let trades = name.starts_with("wallet.") || name == "commission.withdraw";
            (key, if trades { Need::Prices } else { Need::Nothing })
        }
        CallKind::Fact(_) => return Vec::new(),
    };
    let account =
        key.as_ref().and_then(|key| state.account_of_key(&sequencer.tokens().api_key(key)));
    let Some(account) = account.filter(|_| need != Need::Nothing) else { return Vec::new() };
    let at = call.at.max(state.now);
    let mut steps = offers(state, account, at);
    if need == Need::Prices {
        steps.extend(prices(seed, state, at));
    }
    steps
}

fn of_route(method: &str, target: &str, body: &Value) -> Need {
    let path = target.split('?').next().unwrap_or_default();
    match (method, path) {
        ("POST", "/cashin/charge") if body["destino"] == "saldo" => Need::Nothing,
        ("POST", "/cashin/charge" | "/cashin/preview" | "/saldo/sacar-cripto") => Need::Prices,
        ("POST", "/cash-outs" | "/cash-outs/preview") => Need::Prices,
        ("POST", path) if path.starts_with("/carteira-usdt") => Need::Prices,
        ("GET", "/cashin/catalog" | "/catalog" | "/keys/me") => Need::Offers,
        ("GET", path) if path.starts_with("/carteira-usdt") => Need::Offers,
        _ => Need::Nothing,
    }
}

/// Catalogues, the wallet and the account's terms, each where there are none.
fn offers(state: &State, account: AccountId, at: Instant) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut report = |fact, id: &str, mut body: Value| {
        body["id"] = format!("sandbox:{id}").into();
        steps.push(Step { at, fact, body });
    };
    if state.catalogue.listings().next().is_none() {
        report("catalog.updated", "catalogue", json!({ "items": catalogue_items() }));
    }
    if state.catalogue.markets().next().is_none() {
        report("markets.updated", "markets", json!({ "items": markets() }));
    }
    if state.wallet_settings().is_none() {
        let body = json!({ "networks": networks(), "min_deposit": "5", "withdrawal_fee": "0.1" });
        report("wallet.configured", "wallet", body);
    }
    let terms = state.terms(account, at);
    let name = state.account(account).map(|known| &*known.name).unwrap_or_default();
    let mut body = json!({ "account": name });
    if terms.sale.is_none() {
        // A standard integration is stated as 2% and R$ 2.00 (contract, section 1).
        body["cashout_fee_bps"] = 200.into();
        body["cashout_fee_fixed_cents"] = 200.into();
    }
    if terms.wallet.is_none() {
        body["carteira_usdt"] = true.into();
    }
    if terms.sale.is_none() || terms.wallet.is_none() {
        report("terms.adopted", &format!("terms:{name}"), body);
    }
    steps
}

/// The dollar's price, in both its tokens, unless one reported by hand stands.
fn prices(seed: u64, state: &State, at: Instant) -> Vec<Step> {
    let span = at.micros() / STANDS;
    let old = |asset: &&str| match state.rate(asset) {
        None => true,
        Some(quote) => &*quote.source == SOURCE && quote.at.micros() / STANDS < span,
    };
    let reported = ["usdt", "usdc"].into_iter().filter(old).map(|asset| {
        let body = json!({
            "id": format!("sandbox:rate:{asset}:{span}"),
            "asset": asset, "brl_per_unit": price(seed, asset, span), "source": SOURCE,
        });
        Step { at, fact: "rate.quoted", body }
    });
    reported.collect()
}

/// Around R$ 5.40, two centavos up or down: by seed, asset and the five minutes it stands for.
fn price(seed: u64, asset: &str, span: i64) -> String {
    let salt = asset
        .bytes()
        .fold(span.unsigned_abs(), |salt, byte| salt.wrapping_mul(31).wrapping_add(byte.into()));
    let mut rng = Rng::new(seed ^ salt.rotate_left(17));
    let tenths = 5_380 + rng.below(41);
    format!("{}.{:03}", tenths / 1_000, tenths % 1_000)
}

fn catalogue_items() -> Value {
    json!([
        { "asset": "usdt", "chain": "polygon", "rail": "instant", "minBuyAmount": "5.0065",
          "eta": "1 min", "etaSeconds": 60 },
        { "asset": "usdc", "chain": "polygon", "rail": "instant", "minBuyAmount": "1.011",
          "eta": "1 min", "etaSeconds": 60 },
        { "asset": "usdt", "chain": "tron", "rail": "convert", "minBuyAmount": "10",
          "withdrawFee": "1", "eta": "3 min", "etaSeconds": 180 },
        { "asset": "depix", "chain": "liquid", "rail": "liquid", "decimals": 8,
          "minBuyAmount": "1", "eta": "2 min", "etaSeconds": 120 },
    ])
}

fn markets() -> Value {
    json!([
        { "asset": "usdt", "network": "polygon", "path": "FAST" },
        { "asset": "usdc", "network": "polygon", "path": "FAST" },
        { "asset": "usdt", "network": "arbitrum", "path": "DEX", "eta_minutes": 21 },
        { "asset": "usdt", "network": "tron", "path": "CONVERT", "eta_minutes": 1 },
        { "asset": "depix", "network": "liquid", "path": "depix_liquid", "decimals": 8,
          "eta_minutes": 2 },
    ])
}

fn networks() -> Value {
    json!([
        { "network": "polygon", "name": "Polygon", "assets": ["USDT", "USDC"], "eta_minutes": 2,
          "network_fee": "0.1" },
    ])
}
