//! What sellers may deposit, as facts bring it.

use serde_json::Value;

use crate::coin::Scale;
use crate::contract::error::{Problem, wrong};
use crate::contract::fact::parts::ID;
use crate::contract::fact::shape::{FactShape, Subject};
use crate::contract::input::fields::Fields;
use crate::contract::input::units::units_or_nothing;
use crate::contract::schema::bounds::checked;
use crate::contract::schema::field::FieldType::{Decimal, Flag, Objects, Whole, Word};
use crate::contract::schema::field::{Field, optional, required};
use crate::contract::schema::shared::{ASSET, NETWORK};
use crate::id::{AssetId, ChainId};
use crate::ledger::purchase::Fact as PurchaseFact;
use crate::ledger::{Fact, FactKind, State};
use crate::terms::{Market, Route, Switch};

/// The facts of what sellers may deposit.
pub const FACTS: &[FactShape] = &[FactShape {
    kind: FactKind::MarketsUpdated,
    name: "markets.updated",
    subject: Subject::Ledger,
    meaning: "Pairs of asset and network that sellers may deposit were listed, changed or dropped.",
    fields: &[
        ID,
        optional("items", Objects(ITEM), "the pairs listed or changed"),
        optional("dropped", Objects(PAIR), "the pairs no longer listed"),
    ],
    example: r#"{"at":"2026-11-20T12:00:00Z","fact":"markets.updated","body":{"id":"mk-1","items":[{"asset":"usdt","network":"polygon","path":"FAST"}]}}"#,
    read: |fields, context| read_update(fields, context.state),
}];

/// A pair that sellers may deposit.
const ITEM: &[Field] = &[
    ASSET,
    NETWORK,
    required("path", Word(16), "FAST, DEX, CONVERT or depix_liquid"),
    optional("decimals", Whole(0, 18), "of the asset"),
    optional("min", Decimal(40), "the least"),
    optional("max", Decimal(40), "the most"),
    optional("available", Flag, "whether it is offered"),
    optional("valid_minutes", Whole(1, 300), "how long a quote is valid"),
    optional("confirmations", Whole(0, 65_535), "how many a deposit needs"),
    optional("eta_minutes", Whole(0, 65_535), "how long it takes"),
];

/// A pair that is no longer listed.
const PAIR: &[Field] = &[ASSET, NETWORK];

checked!(Market { asset_name: ASSET, chain_name: NETWORK });

fn read_update(fields: &Fields<'_>, state: &State) -> Result<Fact, Problem> {
    let opened = match fields.value("items") {
        None => Vec::new(),
        Some(Value::Array(items)) => {
            let read =
                |item: &Value| market(&Fields::new(item, fields.tokens(), fields.ledger())?, state);
            items.iter().map(read).collect::<Result<_, _>>()?
        }
        Some(_) => return Err(wrong("items", "must be a list of pairs")),
    };
    let closed = match fields.value("dropped") {
        None => Vec::new(),
        Some(Value::Array(items)) => items
            .iter()
            .map(|item| {
                let item = Fields::new(item, fields.tokens(), fields.ledger())?;
                item.only(PAIR)?;
                Ok((
                    item.required_text("asset", 32)?.into(),
                    item.required_text("network", 32)?.into(),
                ))
            })
            .collect::<Result<_, Problem>>()?,
        Some(_) => return Err(wrong("dropped", "must be a list of pairs")),
    };
    if opened.is_empty() && closed.is_empty() {
        return Err(wrong("items", "or dropped must name a pair"));
    }
    Ok(Fact::Purchase(PurchaseFact::MarketsUpdated { opened, closed }))
}

fn market(item: &Fields<'_>, state: &State) -> Result<Market, Problem> {
    item.only(ITEM)?;
    let asset_name = item.required_text("asset", 32)?;
    let chain_name = item.required_text("network", 32)?;
    let route = match item.required_text("path", 16)? {
        "FAST" => Route::Fast,
        "DEX" => Route::Dex,
        "CONVERT" => Route::Convert,
        "depix_liquid" => Route::Liquid,
        _ => return Err(wrong("path", "must be FAST, DEX, CONVERT or depix_liquid")),
    };
    let known = state.catalogue.asset(asset_name).map(|(_, scale)| scale);
    let decimals = item.whole_if("decimals", 18)?.and_then(|n| Scale::new(u8::try_from(n).ok()?));
    let published = if route == Route::Liquid { Scale::new(8) } else { Some(Scale::SIX) };
    let scale = decimals.or(known).or(published).unwrap_or(Scale::SIX);
    let whole = |units: u128| crate::coin::Units::new(units * scale.one());
    let exchanged = matches!(route, Route::Dex | Route::Convert);
    // Through the exchange: at least 6 units, at most 200,000 (COUT-83).
    let (least, most) = if exchanged { (whole(6), whole(200_000)) } else { (None, None) };
    let least = units_or_nothing(item, "min", scale)?.or(least);
    let most = units_or_nothing(item, "max", scale)?.or(most);
    if matches!((least, most), (Some(least), Some(most)) if most < least) {
        return Err(wrong("max", "must not be below min"));
    }
    let polygon = chain_name == "polygon";
    let valid_minutes = item.whole_if("valid_minutes", 300)?;
    if valid_minutes == Some(0) {
        return Err(wrong("valid_minutes", "must be 1 to 300"));
    }
    let eta_minutes = item.whole_if("eta_minutes", u16::MAX)?;
    if eta_minutes == Some(0) && !polygon {
        return Err(wrong("eta_minutes", "must not be 0 outside polygon"));
    }
    Ok(Market {
        asset: AssetId(0),
        chain: ChainId(0),
        asset_name: asset_name.into(),
        chain_name: chain_name.into(),
        scale,
        route,
        least,
        most,
        offered: item.switch_if("available")?.unwrap_or(Switch::On),
        valid_minutes: valid_minutes.unwrap_or(if polygon { 15 } else { 300 }),
        confirmations: item.whole_if("confirmations", u16::MAX)?.unwrap_or(1),
        eta_minutes: eta_minutes.unwrap_or(u16::from(!polygon)),
    })
}
