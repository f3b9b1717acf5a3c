//! The limits on sales, and what an account's sales cost, as facts of policy and terms bring them.

use crate::contract::error::{Problem, wrong};
use crate::contract::input::fields::Fields;
use crate::money::{Amount, Cents};
use crate::terms::{Rate, Route, SaleLimits, Terms};
use crate::time::Span;

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
