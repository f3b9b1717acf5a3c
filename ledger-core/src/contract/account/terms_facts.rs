//! What is adopted by facts: accounts, policies, terms. A change names only what changes.

use serde_json::Value;

use crate::contract::error::{Problem, wrong};
use crate::contract::fact::parts::account as account_of;
use crate::contract::fact::shapes::TERMS_FIELDS;
use crate::contract::input::fields::Fields;
use crate::contract::input::secret::Secret;
use crate::contract::sale::market;
use crate::ledger::{Fact, State};
use crate::money::{Amount, Cents};
use crate::terms::{Ladder, Policy, Release, ServiceRates, Switch, Tariff, Terms};
use crate::time::{Instant, Span};

/// `account.opened`.
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn account(fields: &Fields<'_>, supplied: &Value, at: Instant) -> Result<Fact, Problem> {
    let name = account_of(fields)?;
    let terms = match fields.value("terms") {
        Some(body) => {
            let inner = Fields::of(body, fields.tokens(), fields.ledger())?;
            let known: Vec<_> = TERMS_FIELDS.iter().skip(3).map(|(name, _, _)| *name).collect();
            inner.only(&known)?;
            // What names nothing of its own has what is published.
            let published = Terms::published_at(at);
            Some(merged(&inner, published)?).filter(|terms| *terms != published)
        }
        None => None,
    };
    let key = api_key(supplied, fields.ledger())?;
    Ok(Fact::AccountOpened { name, key: fields.tokens().api_key(key.expose()), terms })
}

/// The API key a supply brings, or makes of its entropy (rulings 10).
///
/// # Errors
///
/// A [`Problem`] when it brings neither, or not as it must be.
pub fn api_key(supplied: &Value, ledger: &str) -> Result<Secret, Problem> {
    let text = |name: &str| supplied.get(name).and_then(Value::as_str);
    if let Some(key) = text("key") {
        // A key says which ledger it is of, and opens no other (KEY-15).
        let foreign = if ledger == "live" { "svc_test_" } else { "svc_live_" };
        if key.starts_with(foreign) {
            let what = format!("begins with {foreign} and opens nothing in the ledger {ledger}");
            return Err(wrong("supplied.key", &what));
        }
        let plain = key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
        let sound = key.starts_with("svc_") && (8..=128).contains(&key.len()) && plain;
        return sound
            .then(|| Secret::new(key))
            .ok_or_else(|| wrong("supplied.key", "must be svc_ and letters, digits, _ and -"));
    }
    Secret::api_key(supplied, ledger)
        .map_err(|_| wrong("supplied", "must bring key, or entropy of 64 hex digits"))
}

/// `policy.adopted`.
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn policy(fields: &Fields<'_>, current: &Policy) -> Result<Fact, Problem> {
    let hours = fields.whole_if("largest_jump_hours", u16::MAX)?;
    let days = fields.whole_if("shortfall_watch_days", u16::MAX)?;
    Ok(Fact::PolicyAdopted(Policy {
        largest_jump: hours.map_or(current.largest_jump, |hours| Span::hours(hours.into())),
        least_net: fields.share_if("min_net_cents")?.unwrap_or(current.least_net),
        shortfall_watch: days.map_or(current.shortfall_watch, |days| Span::days(days.into())),
        house_covers_negatives: fields
            .switch_if("house_covers_negatives")?
            .unwrap_or(current.house_covers_negatives),
        returned_payout_refunds_fee: fields
            .switch_if("payout_return_refunds_fee")?
            .unwrap_or(current.returned_payout_refunds_fee),
        divergent_charge_is_refused: fields
            .switch_if("divergent_charge_is_refused")?
            .unwrap_or(current.divergent_charge_is_refused),
        cnpj_with_letters: fields
            .switch_if("cnpj_with_letters")?
            .unwrap_or(current.cnpj_with_letters),
        ladder: ladder(fields, current.ladder)?,
        rate_age: seconds_if(fields, "rate_max_age_seconds")?.or(current.rate_age),
        precaution: hours_if(fields, "precautionary_hours")?.or(current.precaution),
        commission_interval: hours_if(fields, "commission_interval_hours")?
            .or(current.commission_interval),
        interval_before_reference: fields
            .switch_if("commission_interval_first")?
            .unwrap_or(current.interval_before_reference),
        cash_in_paused: fields.switch_if("cashin_paused")?.unwrap_or(current.cash_in_paused),
        conversions_paused: fields
            .switch_if("conversions_paused")?
            .unwrap_or(current.conversions_paused),
        sales: market::limits(fields, current.sales)?,
        wallet: current.wallet.clone(),
        unknown_pix_is_answered: fields
            .switch_if("unknown_pix_answered")?
            .or(current.unknown_pix_is_answered),
        test_keys: fields.whole_if("test_keys_per_ip", u16::MAX)?.or(current.test_keys),
        panel_links: fields.whole_if("panel_links_per_hour", u16::MAX)?.or(current.panel_links),
        key_lookups: fields.whole_if("key_lookups_per_minute", u16::MAX)?.or(current.key_lookups),
        unproven_keys_refused: fields
            .switch_if("unproven_keys_refused")?
            .or(current.unproven_keys_refused),
    }))
}

fn hours_if(fields: &Fields<'_>, name: &str) -> Result<Option<Span>, Problem> {
    Ok(fields.whole_if(name, u16::MAX)?.map(|hours| Span::hours(hours.into())))
}

fn seconds_if(fields: &Fields<'_>, name: &str) -> Result<Option<Span>, Problem> {
    Ok(fields.whole_if(name, u16::MAX)?.map(|seconds| Span::seconds(seconds.into())))
}

/// The payer ladder: `payer_ladder: false` ends it, `true` or a number of it begins it with the
/// published numbers.
fn ladder(fields: &Fields<'_>, current: Option<Ladder>) -> Result<Option<Ladder>, Problem> {
    const NAMES: [&str; 6] = [
        "ladder_first_qr_cents",
        "ladder_first_transaction_cents",
        "ladder_first_24h_cents",
        "ladder_mature_day_cents",
        "ladder_held_max_cents",
        "ladder_hold_hours",
    ];
    let named = NAMES.iter().any(|name| fields.value(name).is_some());
    match (fields.switch_if("payer_ladder")?, current) {
        (Some(Switch::Off), _) if named => {
            return Err(wrong("payer_ladder", "is false beside numbers of the ladder"));
        }
        (Some(Switch::Off), _) => return Ok(None),
        (None, None) if !named => return Ok(None),
        _ => {}
    }
    let now = current.unwrap_or_default();
    let amount = |name: &str, now: Amount| Ok::<_, Problem>(fields.amount_if(name)?.unwrap_or(now));
    let next = Ladder {
        first_qr: amount(NAMES[0], now.first_qr)?,
        first_transaction: amount(NAMES[1], now.first_transaction)?,
        first_day: amount(NAMES[2], now.first_day)?,
        mature_day: amount(NAMES[3], now.mature_day)?,
        held: amount(NAMES[4], now.held)?,
        hours: fields.whole_if(NAMES[5], 8_784)?.unwrap_or(now.hours),
    };
    let bands = [next.first_qr, next.first_transaction, next.first_day, next.mature_day];
    match bands.into_iter().find(|band| next.held < *band) {
        Some(_) => Err(wrong(NAMES[4], "must not be below a band of the ladder")),
        None => Ok(Some(next)),
    }
}

/// `terms.adopted`: a change of the terms in force at its first instant.
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn terms(fields: &Fields<'_>, state: &State, at: Instant) -> Result<Fact, Problem> {
    let account = account_of(fields)?;
    let from = fields.instant_if("effective_from")?;
    let known = state.account_named(&account);
    let begins = from.unwrap_or(at);
    let current =
        known.map_or_else(|| Terms::published_at(begins), |known| state.terms(known, begins));
    Ok(Fact::TermsAdopted { account, from, terms: merged(fields, current)? })
}

fn merged(fields: &Fields<'_>, current: Terms) -> Result<Terms, Problem> {
    let mut terms = current;
    let amount = |name: &str, now: Amount| Ok::<_, Problem>(fields.amount_if(name)?.unwrap_or(now));
    terms.custody = fields.switch_if("custodia_ativa")?.unwrap_or(terms.custody);
    terms.payouts = fields.switch_if("payout_enabled")?.unwrap_or(terms.payouts);
    terms.deposit.bps = fields.bps_if("deposito_fee_bps")?.unwrap_or(terms.deposit.bps);
    terms.deposit.fixed = as_cents(fields, "deposito_fee_fixed_cents", terms.deposit.fixed)?;
    terms.payout_house = fields.bps_if("saque_fee_bps")?.unwrap_or(terms.payout_house);
    terms.payout_partner = fields.bps_if("partner_saque_fee_bps")?.unwrap_or(terms.payout_partner);
    terms.payout_tariff = tariff(fields, terms.payout_tariff)?;
    terms.crypto_withdrawal =
        fields.bps_if("saque_cripto_fee_bps")?.unwrap_or(terms.crypto_withdrawal);
    terms.conversion.bps =
        fields.bps_if("saque_cripto_conversao_fee_bps")?.unwrap_or(terms.conversion.bps);
    terms.conversion.fixed =
        as_cents(fields, "saque_cripto_conversao_fee_fixed_cents", terms.conversion.fixed)?;
    terms.charge_least = amount("cashin_min_cents", terms.charge_least)?;
    terms.charge_most = amount("cashin_max_cents", terms.charge_most)?;
    terms.payout_least = amount("payout_min_cents", terms.payout_least)?;
    terms.payout_most = amount("payout_max_cents", terms.payout_most)?;
    terms.retention_above = fields.amount_if("retencao_acima_cents")?.or(terms.retention_above);
    if fields.switch_if("sem_retencao")?.is_some_and(Switch::is_on) {
        terms.retention_above = None;
    }
    terms.retention_hours =
        fields.whole_if("retencao_horas", 8_784)?.unwrap_or(terms.retention_hours);
    terms.release = match fields.text("liberacao", 16)? {
        None => terms.release,
        Some("imediata") => Release::Immediate,
        Some("proximo_dia") => Release::NextDay,
        Some(_) => return Err(wrong("liberacao", "must be imediata or proximo_dia")),
    };
    terms.waiting_hours = fields.whole_if("carencia_horas", 8_784)?.unwrap_or(terms.waiting_hours);
    terms.purchase.bps = fields.bps_if("admin_fee_bps")?.unwrap_or(terms.purchase.bps);
    terms.purchase.fixed = as_cents(fields, "admin_fee_fixed_cents", terms.purchase.fixed)?;
    terms.purchase_partner = fields.bps_if("partner_fee_bps")?.unwrap_or(terms.purchase_partner);
    terms.liquid = as_cents(fields, "liquid_provider_fee_cents", terms.liquid)?;
    terms.charged_daily = ceiling(fields, "cashin_daily_max_cents", terms.charged_daily)?;
    terms.paid_out_daily = ceiling(fields, "payout_daily_max_cents", terms.paid_out_daily)?;
    market::terms(fields, &mut terms)?;
    terms.wallet = fields.switch_if("carteira_usdt")?.or(terms.wallet);
    check(&terms)?;
    Ok(terms)
}

/// A ceiling for a day; zero takes it away.
fn ceiling(
    fields: &Fields<'_>,
    name: &str,
    now: Option<Amount>,
) -> Result<Option<Amount>, Problem> {
    Ok(fields.share_if(name)?.map_or(now, Cents::amount))
}

fn as_cents(fields: &Fields<'_>, name: &str, now: Cents) -> Result<Cents, Problem> {
    Ok(fields.share_if(name)?.unwrap_or(now))
}

fn tariff(fields: &Fields<'_>, current: Tariff) -> Result<Tariff, Problem> {
    let fixed = fields.share_if("saque_taxa_estimada_cents")?;
    match (fields.text("saque_taxa_provedor_tipo", 16)?, fixed, current) {
        (Some("desconhecido"), None, _) => Ok(Tariff::Unknown),
        (Some("desconhecido"), Some(_), _) => {
            Err(wrong("saque_taxa_estimada_cents", "has no meaning beside desconhecido"))
        }
        (Some("fixo") | None, Some(fixed), _) => Ok(Tariff::Fixed(fixed)),
        (Some("fixo"), None, Tariff::Unknown) => Ok(Tariff::Fixed(Cents::ZERO)),
        (Some("fixo") | None, None, current) => Ok(current),
        (Some(_), _, _) => Err(wrong("saque_taxa_provedor_tipo", "must be fixo or desconhecido")),
    }
}

/// Terms under which something can be done at all.
fn check(terms: &Terms) -> Result<(), Problem> {
    if terms.charge_most < terms.charge_least {
        return Err(wrong("cashin_max_cents", "must not be below cashin_min_cents"));
    }
    if terms.payout_most < terms.payout_least {
        return Err(wrong("payout_max_cents", "must not be below payout_min_cents"));
    }
    if terms.payout_house.plus(terms.payout_partner).is_none() {
        return Err(wrong(
            "partner_saque_fee_bps",
            "and saque_fee_bps must not pass 10,000 together",
        ));
    }
    if terms.purchase.bps.plus(terms.purchase_partner).is_none() {
        return Err(wrong("partner_fee_bps", "and admin_fee_bps must not pass 10,000 together"));
    }
    let conversion = terms.conversion_rates().map(ServiceRates::total_bps);
    if conversion.flatten().is_none() {
        return Err(wrong(
            "saque_cripto_conversao_fee_bps",
            "and what else a conversion costs must not pass 10,000 together",
        ));
    }
    Ok(())
}
