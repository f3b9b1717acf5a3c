//! Facts of how the wallet is offered.

use serde_json::Value;

use super::fact::{chain, wallet_fact};
use super::requests;
use crate::coin::{Scale, Units};
use crate::contract::error::{Problem, wrong};
use crate::contract::fact::parts::ID;
use crate::contract::fact::shape::{FactShape, Subject};
use crate::contract::input::fields::{Fields, inside, missing};
use crate::contract::schema::bounds::checked;
use crate::contract::schema::field::FieldType::{
    BasisPoints, Decimal, Flag, List, Objects, Text, Whole,
};
use crate::contract::schema::field::{Field, optional};
use crate::contract::schema::shared;
use crate::id::AssetId;
use crate::ledger::wallet::Fact;
use crate::ledger::{FactKind, State};
use crate::money::{Amount, Bps};
use crate::terms::{Stablecoin, Switch, WalletNetwork, WalletSettings};
use crate::time::Span;

/// The most networks one fact may name.
const MOST_NETWORKS: usize = 100;

const TITLE: Field = optional("name", Text(64), "how it is shown");

checked!(WalletSettings { networks });
checked!(WalletNetwork { name: shared::NETWORK, title: TITLE });

/// The facts of the wallet's settings.
pub const FACTS: &[FactShape] = &[FactShape {
    kind: FactKind::WalletConfigured,
    name: "wallet.configured",
    subject: Subject::Ledger,
    meaning: "The USDT wallet is offered as follows; what is not named stays.",
    fields: SETTINGS,
    example: r#"{"at":"2026-11-20T12:00:00Z","fact":"wallet.configured","body":{"id":"wal-1","networks":[{"network":"polygon","name":"Polygon","assets":["USDT"],"eta_minutes":2,"network_fee":"0.1"}],"min_deposit":"5","withdrawal_fee":"0.1"}}"#,
    read: |fields, context| Ok(wallet_fact(Fact::Configured(settings(fields, context.state)?))),
}];

/// The settings' fields; what is not named stays.
pub(in crate::contract) const SETTINGS: &[Field] = &[
    ID,
    optional("networks", Objects(NETWORK), "the networks, required at first, at most 100"),
    optional("enabled", Flag, "whether it operates; at first true"),
    optional("payments_enabled", Flag, "at first true"),
    optional("pix_key", Flag, "payments to a key; at first true"),
    optional("br_code", Flag, "payments of a code; at first true"),
    optional("withdrawals_enabled", Flag, "to external wallets; at first true"),
    optional("recipient_document_required", Flag, "at first false"),
    optional("min_deposit", Decimal(40), "USDT; at first 1.000000"),
    optional("min_payment_brl", Decimal(40), "reais, a decimal string; at first 6.00"),
    optional("withdrawal_fee", Decimal(40), "USDT the network takes of a payment; at first none"),
    optional("deposit_validity_hours", Whole(1, 10_000), "at first 1"),
    optional(
        "open_deposits_max",
        Whole(1, 10_000),
        "open deposit requests of an account; at first 5",
    ),
    optional("quote_seconds", Whole(1, 65_535), "how long a quote is valid; at first 300"),
    optional(
        "tolerance_bps",
        BasisPoints,
        "how far below its estimate a withdrawal may arrive; at first 50",
    ),
    optional("conversion_fee_bps", BasisPoints, "of a withdrawal in USDC; at first 0"),
    optional("strict_buffer", Flag, "a payment needs its whole buffer of 1%; at first false"),
];

/// `wallet.configured`: what is not named stays; at first, what is published.
fn settings(fields: &Fields<'_>, state: &State) -> Result<WalletSettings, Problem> {
    let current = match state.wallet_settings() {
        Some(known) => known.clone(),
        None => default_settings(state)?,
    };
    merge_settings(fields, state, current)
}

/// Reads the changes of settings.
pub(in crate::contract) fn merge_settings(
    fields: &Fields<'_>,
    state: &State,
    current: WalletSettings,
) -> Result<WalletSettings, Problem> {
    let on = |name: &str, now: Switch| Ok::<_, Problem>(fields.switch_if(name)?.unwrap_or(now));
    let whole = |name: &str, now: u16| match fields.whole_if(name, 10_000)? {
        Some(0) => Err(wrong(name, "must be above zero")),
        other => Ok(other.unwrap_or(now)),
    };
    let bps = |name: &str, now: Bps| Ok::<_, Problem>(fields.bps_if(name)?.unwrap_or(now));
    let usdc = usdc(state)?;
    let seconds = match fields.whole_if("quote_seconds", u16::MAX)? {
        Some(0) => return Err(wrong("quote_seconds", "must be above zero")),
        other => other.map(|seconds| Span::seconds(seconds.into())),
    };
    let settings = WalletSettings {
        usdt: current.usdt,
        usdc,
        networks: match fields.value("networks") {
            Some(Value::Array(items)) if items.len() <= MOST_NETWORKS => {
                networks(fields, items, state, usdc)?
            }
            Some(_) => return Err(wrong("networks", "must be an array of at most 100 objects")),
            None => current.networks,
        },
        enabled: on("enabled", current.enabled)?,
        payments: on("payments_enabled", current.payments)?,
        by_key: on("pix_key", current.by_key)?,
        by_code: on("br_code", current.by_code)?,
        withdrawals: on("withdrawals_enabled", current.withdrawals)?,
        document_required: on("recipient_document_required", current.document_required)?,
        least_deposit: requests::usdt(fields, "min_deposit")?.unwrap_or(current.least_deposit),
        least_payment: requests::brl(fields, "min_payment_brl")?.unwrap_or(current.least_payment),
        payment_fee: fee(fields, "withdrawal_fee", current.payment_fee)?,
        deposit_hours: whole("deposit_validity_hours", current.deposit_hours)?,
        open_deposits: whole("open_deposits_max", current.open_deposits)?,
        quote_validity: seconds.unwrap_or(current.quote_validity),
        tolerance: bps("tolerance_bps", current.tolerance)?,
        conversion_fee: bps("conversion_fee_bps", current.conversion_fee)?,
        strict_buffer: on("strict_buffer", current.strict_buffer)?,
    };
    if settings.networks.is_empty() { Err(missing("networks")) } else { Ok(settings) }
}

/// The settings a wallet begins with.
fn default_settings(state: &State) -> Result<WalletSettings, Problem> {
    let usdt = stablecoin(state, Stablecoin::Usdt)?;
    let usdt = usdt.ok_or_else(|| wrong("networks", "need usdt on the catalogue first"))?;
    Ok(WalletSettings {
        usdt,
        usdc: None,
        networks: Vec::new(),
        enabled: Switch::On,
        payments: Switch::On,
        by_key: Switch::On,
        by_code: Switch::On,
        withdrawals: Switch::On,
        document_required: Switch::Off,
        least_deposit: Units::new(1_000_000).expect("one USDT"),
        least_payment: Amount::new(600).expect("six reais"),
        payment_fee: None,
        deposit_hours: 1,
        open_deposits: 5,
        quote_validity: Span::seconds(300),
        tolerance: Bps::new(50).expect("below the whole"),
        conversion_fee: Bps::default(),
        strict_buffer: Switch::Off,
    })
}

fn usdc(state: &State) -> Result<Option<AssetId>, Problem> {
    stablecoin(state, Stablecoin::Usdc)
}

/// A token's number; it is counted in millionths, or it cannot be taken one to one.
fn stablecoin(state: &State, coin: Stablecoin) -> Result<Option<AssetId>, Problem> {
    match state.catalogue.asset(&coin.name().to_lowercase()) {
        None => Ok(None),
        Some((asset, Scale::SIX)) => Ok(Some(asset)),
        Some(_) => Err(wrong("networks", "need usdt and usdc of six decimals on the catalogue")),
    }
}

/// One network of the wallet.
const NETWORK: &[Field] = &[
    shared::NETWORK,
    TITLE,
    optional("assets", List, "USDT and USDC, as far as it carries them; absent: USDT"),
    optional("eta_minutes", Whole(0, 65_535), "how long a transfer takes"),
    optional("withdrawals", Flag, "whether withdrawals go there; absent: they do"),
    optional("network_fee", Decimal(40), "USDT the network takes; absent, or zero: none"),
];

fn networks(
    fields: &Fields<'_>,
    items: &[Value],
    state: &State,
    usdc: Option<AssetId>,
) -> Result<Vec<WalletNetwork>, Problem> {
    let mut networks: Vec<WalletNetwork> = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let read = Fields::new(item, fields.tokens(), fields.ledger())
            .and_then(|item| network(&item, state, usdc));
        let read = read.map_err(|problem| inside("networks", index, problem))?;
        if networks.iter().any(|known| known.chain == read.chain) {
            return Err(wrong(&format!("networks[{index}].network"), "stands twice"));
        }
        networks.push(read);
    }
    Ok(networks)
}

fn network(
    item: &Fields<'_>,
    state: &State,
    usdc: Option<AssetId>,
) -> Result<WalletNetwork, Problem> {
    item.only(NETWORK)?;
    let name = item.required_text("network", 32)?;
    let chain = chain(item, state)?;
    let coins = match item.value("assets") {
        None => vec![Stablecoin::Usdt],
        Some(Value::Array(names)) => coins(names, usdc)?,
        Some(_) => return Err(wrong("assets", "must be an array of USDT and USDC")),
    };
    Ok(WalletNetwork {
        chain,
        name: name.into(),
        title: item.text("name", 64)?.unwrap_or(name).into(),
        coins,
        eta_minutes: item.whole_if("eta_minutes", u16::MAX)?,
        withdrawals: item.switch_if("withdrawals")?.unwrap_or(Switch::On),
        network_fee: fee(item, "network_fee", None)?,
    })
}

fn coins(names: &[Value], usdc: Option<AssetId>) -> Result<Vec<Stablecoin>, Problem> {
    let mut coins = Vec::new();
    for name in names {
        let coin = name.as_str().and_then(Stablecoin::parse);
        let coin = coin.ok_or_else(|| wrong("assets", "must be an array of USDT and USDC"))?;
        if coin == Stablecoin::Usdc && usdc.is_none() {
            return Err(wrong("assets", "name USDC, which was never on the catalogue"));
        }
        if coins.contains(&coin) {
            return Err(wrong("assets", "name a token twice"));
        }
        coins.push(coin);
    }
    if coins.is_empty() { Err(wrong("assets", "must not be empty")) } else { Ok(coins) }
}

/// A fee of a network, where zero takes it away.
fn fee(fields: &Fields<'_>, name: &str, now: Option<Units>) -> Result<Option<Units>, Problem> {
    let Some(text) = fields.text(name, 40)? else { return Ok(now) };
    let zero = text.starts_with('0') && text.bytes().all(|b| matches!(b, b'0' | b'.'));
    if zero { Ok(None) } else { requests::usdt(fields, name) }
}
