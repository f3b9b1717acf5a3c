//! What sellers are offered: the deposit catalogue, the limits on sales, and what an account's
//! sales cost, as facts bring them.

use serde_json::Value;

use crate::coin::Scale;
use crate::contract::error::{Problem, wrong};
use crate::contract::input::fields::Fields;
use crate::contract::input::units::units_or_nothing;
use crate::id::{AssetId, ChainId};
use crate::ledger::{Fact, State};
use crate::money::{Amount, Cents};
use crate::terms::{Market, Rate, Route, SaleLimits, Switch, Terms};
use crate::time::Span;

const ITEM: &[&str] = &[
    "asset",
    "network",
    "path",
    "decimals",
    "min",
    "max",
    "available",
    "valid_minutes",
    "confirmations",
    "eta_minutes",
];

/// `markets.updated`.
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn updated(fields: &Fields<'_>, state: &State) -> Result<Fact, Problem> {
    let opened = match fields.value("items") {
        None => Vec::new(),
        Some(Value::Array(items)) => {
            let read =
                |item: &Value| market(&Fields::of(item, fields.tokens(), fields.ledger())?, state);
            items.iter().map(read).collect::<Result<_, _>>()?
        }
        Some(_) => return Err(wrong("items", "must be a list of pairs")),
    };
    let closed = match fields.value("dropped") {
        None => Vec::new(),
        Some(Value::Array(items)) => items
            .iter()
            .map(|item| {
                let item = Fields::of(item, fields.tokens(), fields.ledger())?;
                item.only(&["asset", "network"])?;
                Ok((item.needed("asset", 32)?.into(), item.needed("network", 32)?.into()))
            })
            .collect::<Result<_, Problem>>()?,
        Some(_) => return Err(wrong("dropped", "must be a list of pairs")),
    };
    if opened.is_empty() && closed.is_empty() {
        return Err(wrong("items", "or dropped must name a pair"));
    }
    Ok(Fact::MarketsUpdated { opened, closed })
}

fn market(item: &Fields<'_>, state: &State) -> Result<Market, Problem> {
    item.only(ITEM)?;
    let asset_name = item.needed("asset", 32)?;
    let chain_name = item.needed("network", 32)?;
    let route = match item.needed("path", 16)? {
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

/// The sales part of `policy.adopted`.
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn limits(
    fields: &Fields<'_>,
    current: Option<SaleLimits>,
) -> Result<Option<SaleLimits>, Problem> {
    let now = current.unwrap_or_default();
    let amount = |name: &str, now: Amount| Ok::<_, Problem>(fields.amount_if(name)?.unwrap_or(now));
    let span = |name: &str, now: Span, unit: fn(u32) -> Span| {
        Ok::<_, Problem>(fields.whole_if(name, u16::MAX)?.map_or(now, |n| unit(n.into())))
    };
    let next = SaleLimits {
        least: amount("cashout_min_cents", now.least)?,
        most: amount("cashout_max_cents", now.most)?,
        liquid_least: amount("depix_min_cents", now.liquid_least)?,
        liquid_most: amount("depix_max_cents", now.liquid_most)?,
        recipient_daily: amount("recipient_daily_max_cents", now.recipient_daily)?,
        refund_alone: fields
            .whole_if("auto_refund_max_usdt", u16::MAX)?
            .map_or(now.refund_alone, u32::from),
        revival: span("revival_hours", now.revival, Span::hours)?,
        retry_every: span("retry_every_seconds", now.retry_every, Span::seconds)?,
        retry_for: span("retry_for_seconds", now.retry_for, Span::seconds)?,
        paused: fields.switch_if("cashouts_paused")?.unwrap_or(now.paused),
        codes_paused: fields.switch_if("br_codes_paused")?.unwrap_or(now.codes_paused),
    };
    if next.most < next.least {
        return Err(wrong("cashout_max_cents", "must not be below cashout_min_cents"));
    }
    if next.liquid_most < next.liquid_least {
        return Err(wrong("depix_max_cents", "must not be below depix_min_cents"));
    }
    if next.retry_every.micros() == 0 {
        return Err(wrong("retry_every_seconds", "must not be 0"));
    }
    Ok(if next == now { current } else { Some(next) })
}

/// The sales part of `terms.adopted`: naming either part of a fee begins it.
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn terms(fields: &Fields<'_>, terms: &mut Terms) -> Result<(), Problem> {
    let rate = |percentage: &str, fixed: &str, now: Option<Rate>| {
        let (bps, cents) = (fields.bps_if(percentage)?, fields.share_if(fixed)?);
        let named = bps.is_some() || cents.is_some();
        let current = now.unwrap_or_default();
        let next = Rate { bps: bps.unwrap_or(current.bps), fixed: cents.unwrap_or(current.fixed) };
        Ok::<_, Problem>(if named { Some(next) } else { now })
    };
    terms.sale = rate("cashout_fee_bps", "cashout_fee_fixed_cents", terms.sale)?;
    let published = Some(terms.sale_rates(Route::Liquid).house);
    let liquid = rate("depix_fee_bps", "depix_fee_fixed_cents", published)?;
    if liquid != published {
        terms.liquid_sale = liquid;
    }
    let partner = fields.bps_if("partner_cashout_fee_bps")?;
    terms.sale_partner = partner.or(terms.sale_partner);
    let reserve: Option<Cents> = fields.share_if("cashout_reserve_cents")?;
    terms.sale_reserve = reserve.or(terms.sale_reserve);
    let mut rates = [Route::Fast, Route::Liquid].map(|route| terms.sale_rates(route)).into_iter();
    let whole = rates.all(|rates| rates.house.bps.plus(rates.partner).is_some());
    if whole {
        Ok(())
    } else {
        Err(wrong("partner_cashout_fee_bps", "and the house's fee must not pass 10,000 together"))
    }
}
