//! Facts about what is offered, and at which rate.

use serde_json::Value;

use crate::coin::Scale;
use crate::contract::error::{Problem, wrong};
use crate::contract::fact::parts::ID;
use crate::contract::fact::payment_details::{PAGE, of_networks};
use crate::contract::fact::shape::{FactShape, Subject};
use crate::contract::input::fields::{Fields, inside, missing};
use crate::contract::input::units::{units, units_or_nothing};
use crate::contract::schema::bounds::{OrEmpty, checked};
use crate::contract::schema::field::FieldType::{
    Decimal, Flag, Moment, Objects, Text, Whole, Word,
};
use crate::contract::schema::field::{Field, optional, required};
use crate::contract::schema::shared::{ASSET, CHAIN};
use crate::id::{AssetId, ChainId};
use crate::ledger::purchase::Fact as PurchaseFact;
use crate::ledger::{Fact, FactKind, State};
use crate::terms::{Listing, Price, Quote, Rail, Switch};
use crate::time::Instant;

/// The most pairs one fact may list or drop.
const MOST_PAIRS: usize = 5_000;

/// The facts of the catalogue.
pub const FACTS: &[FactShape] = &[
    FactShape {
        kind: FactKind::CatalogueUpdated,
        name: "catalog.updated",
        subject: Subject::Ledger,
        meaning: "Pairs of asset and network were listed, changed or dropped.",
        fields: &[
            ID,
            optional("items", Objects(ITEM), "the pairs listed or changed, at most 5,000"),
            optional("dropped", Objects(PAIR), "the pairs no longer listed, at most 5,000"),
            optional("networks", Objects(PAGE), "where networks show their transactions"),
        ],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"catalog.updated","body":{"id":"cat-1","items":[{"asset":"usdt","chain":"polygon","rail":"instant","minBuyAmount":"5.0065","eta":"1 min","etaSeconds":60}]}}"#,
        read: |fields, context| catalogue(fields, context.state),
    },
    FactShape {
        kind: FactKind::RateQuoted,
        name: "rate.quoted",
        subject: Subject::Ledger,
        meaning: "An asset has a price: the ask of an exchange, unmodified.",
        fields: &[
            ID,
            ASSET,
            required("brl_per_unit", Decimal(40), "reais for one whole"),
            SOURCE,
            optional("quoted_at", Moment, "when it was told; absent: now"),
        ],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"rate.quoted","body":{"id":"rate-1","asset":"usdt","brl_per_unit":"5.40","source":"exchange"}}"#,
        read: |fields, context| rate(fields, context.effective_at()),
    },
];

/// A pair of asset and network that is offered.
const ITEM: &[Field] = &[
    ASSET,
    CHAIN,
    optional("rail", Word(16), "instant, convert or liquid"),
    optional("decimals", Whole(0, 18), "of the asset"),
    required("minBuyAmount", Decimal(40), "the least that is sold"),
    optional("withdrawFee", Decimal(40), "what the network takes"),
    optional("entregavel", Flag, "whether it is delivered"),
    optional("memoRequired", Flag, "whether a wallet needs a memo"),
    ETA,
    optional(
        "etaSeconds",
        Whole(0, 65_535),
        "how long it takes; required above zero outside polygon",
    ),
];

/// A pair that is no longer listed.
const PAIR: &[Field] = &[ASSET, CHAIN];

const SOURCE: Field = optional("source", Text(64), "whose price it is");
const ETA: Field = optional("eta", Text(64), "how long it takes, in words");

checked!(Listing { asset_name: ASSET, chain_name: CHAIN, eta: OrEmpty(ETA) });
checked!(Quote { source: OrEmpty(SOURCE) });

fn catalogue(fields: &Fields<'_>, state: &State) -> Result<Fact, Problem> {
    let pairs = |name: &str| -> Result<&[Value], Problem> {
        match fields.value(name) {
            None => Ok(&[]),
            Some(Value::Array(items)) if items.len() <= MOST_PAIRS => Ok(items),
            Some(_) => Err(wrong(name, "must be an array of at most 5,000 objects")),
        }
    };
    let read = |name: &'static str, index: usize, item| {
        let inner = Fields::new(item, fields.tokens(), fields.ledger());
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
        let named = |name| item.required_text(name, 32).map_err(|p| inside("dropped", index, p));
        dropped.push((named("asset")?.into(), named("chain")?.into()));
    }
    of_networks(fields, Fact::Purchase(PurchaseFact::CatalogueUpdated { listed, dropped }))
}

fn listing(item: &Fields<'_>, state: &State) -> Result<Listing, Problem> {
    item.only(ITEM)?;
    let (asset, chain) = (item.required_text("asset", 32)?, item.required_text("chain", 32)?);
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

fn rate(fields: &Fields<'_>, at: Instant) -> Result<Fact, Problem> {
    let price = fields.required_text("brl_per_unit", 40)?;
    let price = Price::parse(price).ok_or_else(|| {
        wrong("brl_per_unit", "must be a decimal string above zero, of at most 12 decimals")
    })?;
    let quoted_at = fields.instant_if("quoted_at")?.unwrap_or(at);
    let source = fields.text("source", 64)?.unwrap_or("").into();
    let asset = fields.required_text("asset", 32)?.into();
    Ok(Fact::Purchase(PurchaseFact::RateQuoted {
        asset,
        quote: Quote { price, source, at: quoted_at },
    }))
}
