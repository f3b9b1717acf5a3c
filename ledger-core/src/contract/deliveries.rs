//! Facts about catalogue, prices, payers and deliveries, read by their shapes.

use serde_json::Value;

use super::error::Problem;
use super::facts::{end_to_end, judgement, receipt};
use super::fields::{Fields, missing, wrong};
use super::requests;
use crate::coin::{Scale, Units};
use crate::id::{AssetId, ChainId};
use crate::ledger::{Fact, GiveUpTo, OwnCoins, State};
use crate::machine::delivery::{Command, News};
use crate::machine::stray;
use crate::terms::{Listing, Price, Quote, Rail, Review, Switch};
use crate::time::Instant;

/// The most pairs one fact may list or drop.
const MOST_PAIRS: usize = 5_000;

/// `catalog.updated`.
///
/// # Errors
///
/// A [`Problem`] naming the item and its field.
pub fn catalogue(fields: &Fields<'_>, state: &State) -> Result<Fact, Problem> {
    let pairs = |name: &str| -> Result<&[Value], Problem> {
        match fields.value(name) {
            None => Ok(&[]),
            Some(Value::Array(items)) if items.len() <= MOST_PAIRS => Ok(items),
            Some(_) => Err(wrong(name, "must be an array of at most 5,000 objects")),
        }
    };
    let read = |name: &'static str, index: usize, item| {
        let inner = Fields::of(item, fields.tokens(), fields.ledger());
        inner.map_err(|problem| inside(name, index, problem))
    };
    let (items, gone) = (pairs("items")?, pairs("dropped")?);
    if items.is_empty() && gone.is_empty() && fields.value("networks").is_none() {
        return Err(missing("items"));
    }
    let mut listed = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let item = read("items", index, item)?;
        let listing = listing(&item, state).map_err(|problem| inside("items", index, problem))?;
        let twice = |known: &Listing| {
            known.asset_name == listing.asset_name && known.chain_name == listing.chain_name
        };
        if listed.iter().any(twice) {
            return Err(inside("items", index, wrong("asset and chain", "stand twice")));
        }
        listed.push(listing);
    }
    let mut dropped = Vec::with_capacity(gone.len());
    for (index, item) in gone.iter().enumerate() {
        let item = read("dropped", index, item)?;
        let named = |name| item.needed(name, 32).map_err(|p| inside("dropped", index, p));
        dropped.push((named("asset")?.into(), named("chain")?.into()));
    }
    Ok(Fact::CatalogueUpdated { listed, dropped })
}

fn inside(name: &str, index: usize, problem: Problem) -> Problem {
    Problem { detail: format!("{name}[{index}]: {}", problem.detail), ..problem }
}

/// The fields of one item of a catalogue.
const ITEM: [&str; 10] = [
    "asset",
    "chain",
    "rail",
    "decimals",
    "minBuyAmount",
    "withdrawFee",
    "entregavel",
    "memoRequired",
    "eta",
    "etaSeconds",
];

fn listing(item: &Fields<'_>, state: &State) -> Result<Listing, Problem> {
    item.only(&ITEM)?;
    let (asset, chain) = (item.needed("asset", 32)?, item.needed("chain", 32)?);
    let rail = match item.text("rail", 16)? {
        Some("instant") => Rail::Instant,
        Some("convert") | None => Rail::Convert,
        Some("liquid") => Rail::Liquid,
        Some(_) => return Err(wrong("rail", "must be instant, convert or liquid")),
    };
    let known = state.catalogue.asset(asset).map(|(_, scale)| scale);
    let scale = match item.whole_if("decimals", 18)? {
        Some(decimals) => u8::try_from(decimals).ok().and_then(Scale::new).unwrap_or(Scale::SIX),
        None => known.unwrap_or(Scale::SIX),
    };
    let eta_seconds = item.whole_if("etaSeconds", u16::MAX)?.unwrap_or(0);
    if eta_seconds == 0 && chain != "polygon" {
        return Err(wrong("etaSeconds", "must be above zero: only Polygon settles at once"));
    }
    let on = |name: &str, default| Ok::<_, Problem>(item.switch_if(name)?.unwrap_or(default));
    Ok(Listing {
        asset: AssetId(0),
        chain: ChainId(0),
        asset_name: asset.into(),
        chain_name: chain.into(),
        scale,
        rail,
        least: units(item, "minBuyAmount", scale)?,
        network_fee: units_or_nothing(item, "withdrawFee", scale)?,
        deliverable: on("entregavel", Switch::On)?,
        memo: on("memoRequired", Switch::Off)?,
        eta: item.text("eta", 64)?.unwrap_or("").into(),
        eta_seconds: eta_seconds.into(),
    })
}

pub(super) fn units(fields: &Fields<'_>, name: &str, scale: Scale) -> Result<Units, Problem> {
    Units::parse(fields.needed(name, 40)?, scale).ok_or_else(|| no_units(name, scale))
}

pub(super) fn units_or_nothing(
    fields: &Fields<'_>,
    name: &str,
    scale: Scale,
) -> Result<Option<Units>, Problem> {
    let Some(text) = fields.text(name, 40)? else { return Ok(None) };
    let nothing = text.bytes().all(|b| matches!(b, b'0' | b'.')) && text.starts_with('0');
    if nothing {
        return Ok(None);
    }
    Units::parse(text, scale).map(Some).ok_or_else(|| no_units(name, scale))
}

fn no_units(name: &str, scale: Scale) -> Problem {
    let most = scale.decimals();
    wrong(name, &format!("must be a decimal string above zero, of at most {most} decimals"))
}

/// `rate.quoted`.
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn rate(fields: &Fields<'_>, at: Instant) -> Result<Fact, Problem> {
    let price = fields.needed("brl_per_unit", 40)?;
    let price = Price::parse(price).ok_or_else(|| {
        wrong("brl_per_unit", "must be a decimal string above zero, of at most 12 decimals")
    })?;
    let quoted_at = fields.instant_if("quoted_at")?.unwrap_or(at);
    if at < quoted_at {
        return Err(wrong("quoted_at", "must not lie ahead of at"));
    }
    let source = fields.text("source", 64)?.unwrap_or("").into();
    let asset = fields.needed("asset", 32)?.into();
    Ok(Fact::RateQuoted { asset, quote: Quote { price, source, at: quoted_at } })
}

/// `payer.reviewed`.
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn payer(fields: &mut Fields<'_>, state: &State) -> Result<Fact, Problem> {
    let number = fields.needed("payer_tax_number", 32)?;
    let document = crate::pix::Document::parse(number, requests::letters(&state.policy));
    let document = document.ok_or_else(|| wrong("payer_tax_number", "must be a CPF or CNPJ"))?;
    let payer = fields.keep(fields.tokens().document(&document));
    let review = match fields.needed("finding", 16)? {
        "identified" => Review::Identified,
        "blocked" => Review::Blocked,
        "unknown" => Review::Unknown,
        _ => return Err(wrong("finding", "must be identified, blocked or unknown")),
    };
    Ok(Fact::PayerReviewed { payer, review, judgement: judgement(fields)? })
}

/// `treasury.moved` of crypto: with an asset beside the amount.
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn coins(fields: &Fields<'_>, state: &State) -> Result<Fact, Problem> {
    let asset = fields.needed("asset", 32)?;
    let known = state.catalogue.asset(asset);
    let (asset, scale) = known.ok_or_else(|| wrong("asset", "was never on the catalogue"))?;
    let chain = match fields.text("chain", 32)? {
        Some(name) => {
            let known = state.catalogue.chain(name);
            Some(known.ok_or_else(|| wrong("chain", "was never on the catalogue"))?)
        }
        None => None,
    };
    let own = |name: &str| match (fields.needed(name, 32)?, chain) {
        ("equity.funding", _) => Ok(OwnCoins::Funding),
        ("treas", Some(chain)) => Ok(OwnCoins::Treasury(chain)),
        ("treas", None) => Err(missing("chain")),
        ("exp.gas", _) => Ok(OwnCoins::Gas),
        ("exp.loss", _) => Ok(OwnCoins::Loss),
        ("recv.prov", _) => Ok(OwnCoins::ProviderClaim),
        ("fx", _) => Ok(OwnCoins::Fx),
        _ => Err(wrong(name, "must be equity.funding, treas, exp.gas, exp.loss, recv.prov or fx")),
    };
    let (from, to) = (own("from")?, own("to")?);
    if from == to {
        return Err(wrong("to", "must differ from from"));
    }
    Ok(Fact::CoinsMoved { asset, from, to, units: units(fields, "amount", scale)? })
}

/// `delivery.started`, `.accepted`, `.sent`, `.failed` and `.unknown`.
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn delivery(fields: &Fields<'_>, news: News, at: Instant) -> Result<Fact, Problem> {
    let attempt = match fields.whole_if("attempt", u16::MAX)? {
        Some(0) => return Err(wrong("attempt", "counts from 1")),
        other => other.map(u32::from),
    };
    let receipt = match fields.value("e2e") {
        Some(_) => Some(receipt(fields, at)?),
        None => None,
    };
    let op = fields.operation("cashin_id")?;
    Ok(Fact::Delivery { op, command: Command { attempt, news }, receipt })
}

/// The transaction that delivered.
///
/// # Errors
///
/// A [`Problem`] when it is missing or longer than 128 characters.
pub fn hash(fields: &Fields<'_>) -> Result<Box<str>, Problem> {
    Ok(fields.needed("tx_hash", 128)?.into())
}

/// `delivery.evidence`.
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn evidence(fields: &mut Fields<'_>) -> Result<Fact, Problem> {
    let sent = match fields.needed("outcome", 16)? {
        "sent" => Some(hash(fields)?),
        "not_sent" => None,
        _ => return Err(wrong("outcome", "must be sent or not_sent")),
    };
    let op = fields.operation("cashin_id")?;
    Ok(Fact::DeliveryEvidence { op, sent, judgement: judgement(fields)? })
}

/// `delivery.given_up`.
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn given_up(fields: &mut Fields<'_>) -> Result<Fact, Problem> {
    let to = match fields.needed("to", 16)? {
        "pagador" => GiveUpTo::Payer(end_to_end(fields, "return_id")?),
        "saldo" => GiveUpTo::Custody,
        _ => return Err(wrong("to", "must be pagador or saldo")),
    };
    let op = fields.operation("cashin_id")?;
    Ok(Fact::DeliveryGivenUp { op, to, judgement: judgement(fields)? })
}

/// `stray.settled`.
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn stray(fields: &mut Fields<'_>) -> Result<Fact, Problem> {
    let end = match fields.needed("outcome", 16)? {
        "recovered" => stray::End::Recovered,
        "lost" => stray::End::Lost,
        _ => return Err(wrong("outcome", "must be recovered or lost")),
    };
    let stray = fields.operation("stray_id")?;
    Ok(Fact::StraySettled { stray, end, judgement: judgement(fields)? })
}
