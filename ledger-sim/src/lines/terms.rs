//! Policies and terms, every field of them named: a line says what holds, whatever held before.

use ledger_core::money::{Amount, Cents};
use ledger_core::terms::{Policy, Rate, Release, Route, Switch, Tariff, Terms};
use ledger_core::time::Span;
use serde_json::{Value, json};

use super::{Unrepresentable, Written, body};

const SECOND: u64 = 1_000_000;
const HOUR: u64 = 3_600 * SECOND;

/// What a sale keeps in reserve where nothing was agreed, in centavos.
const RESERVE: i64 = 100;

/// The fields of `policy.adopted`, but its id.
pub(super) fn policy(policy: &Policy, current: &Policy) -> Written<Value> {
    let kept = [
        (policy.rate_age, current.rate_age),
        (policy.precaution, current.precaution),
        (policy.commission_interval, current.commission_interval),
    ];
    if kept.iter().any(|(next, now)| next.is_none() && now.is_some()) {
        return Err(Unrepresentable("a policy that takes a span away"));
    }
    if policy.wallet != current.wallet {
        return Err(Unrepresentable("a policy that changes the wallet"));
    }
    let (ladder, sales) = (policy.ladder, policy.sale_limits());
    let cents = |amount: Option<Amount>| amount.map(Amount::cents);
    Ok(body(json!({
        "largest_jump_hours": whole(Some(policy.largest_jump), HOUR)?,
        "min_net_cents": policy.least_net.cents(),
        "house_covers_negatives": policy.house_covers_negatives.is_on(),
        "payout_return_refunds_fee": policy.returned_payout_refunds_fee.is_on(),
        "divergent_charge_is_refused": policy.divergent_charge_is_refused.is_on(),
        "cnpj_with_letters": policy.cnpj_with_letters.is_on(),
        "shortfall_watch_days": whole(Some(policy.shortfall_watch), 24 * HOUR)?,
        "payer_ladder": ladder.is_some(),
        "ladder_first_qr_cents": cents(ladder.map(|it| it.first_qr)),
        "ladder_first_transaction_cents": cents(ladder.map(|it| it.first_transaction)),
        "ladder_first_24h_cents": cents(ladder.map(|it| it.first_day)),
        "ladder_mature_day_cents": cents(ladder.map(|it| it.mature_day)),
        "ladder_held_max_cents": cents(ladder.map(|it| it.held)),
        "ladder_hold_hours": ladder.map(|it| it.hours),
        "rate_max_age_seconds": whole(policy.rate_age, SECOND)?,
        "precautionary_hours": whole(policy.precaution, HOUR)?,
        "commission_interval_hours": whole(policy.commission_interval, HOUR)?,
        "commission_interval_first": policy.interval_before_reference.is_on(),
        "cashin_paused": policy.cash_in_paused.is_on(),
        "conversions_paused": policy.conversions_paused.is_on(),
        "cashout_min_cents": sales.least.cents(),
        "cashout_max_cents": sales.most.cents(),
        "depix_min_cents": sales.liquid_least.cents(),
        "depix_max_cents": sales.liquid_most.cents(),
        "recipient_daily_max_cents": sales.recipient_daily.cents(),
        "auto_refund_max_usdt": sales.refund_alone,
        "revival_hours": whole(Some(sales.revival), HOUR)?,
        "retry_every_seconds": whole(Some(sales.retry_every), SECOND)?,
        "retry_for_seconds": whole(Some(sales.retry_for), SECOND)?,
        "cashouts_paused": sales.paused.is_on(),
        "br_codes_paused": sales.codes_paused.is_on(),
        "unknown_pix_answered": policy.unknown_pix_is_answered.is_some_and(Switch::is_on),
        "test_keys_per_ip": policy.test_keys(),
        "panel_links_per_hour": policy.panel_links(),
        "key_lookups_per_minute": policy.key_lookups(),
        "unproven_keys_refused": policy.unproven_keys_refused.is_some_and(Switch::is_on),
    })))
}

/// The fields of terms, on `account.opened` and `terms.adopted` alike.
pub(super) fn terms(terms: &Terms, current: &Terms) -> Written<Value> {
    if terms.sale.is_none() && current.sale.is_some() {
        return Err(Unrepresentable("terms that take sales away"));
    }
    // What is not named stays, so what nobody agreed on is named as what it means.
    let partner = terms.sale_partner.unwrap_or_default();
    let reserve = terms.sale_reserve.map_or(RESERVE, Cents::cents);
    let liquid = Some(terms.sale_rates(Route::Liquid).house);
    let (tariff, estimated) = match terms.payout_tariff {
        Tariff::Fixed(cents) => ("fixo", Some(cents.cents())),
        Tariff::Unknown => ("desconhecido", None),
    };
    let Rate { bps: deposit, fixed: deposit_fixed } = terms.deposit;
    let Rate { bps: conversion, fixed: conversion_fixed } = terms.conversion;
    let Rate { bps: purchase, fixed: purchase_fixed } = terms.purchase;
    let ceiling = |amount: Option<Amount>| amount.map_or(0, Amount::cents);
    Ok(body(json!({
        "custodia_ativa": terms.custody.is_on(),
        "payout_enabled": terms.payouts.is_on(),
        "deposito_fee_bps": deposit.get(),
        "deposito_fee_fixed_cents": deposit_fixed.cents(),
        "saque_fee_bps": terms.payout_house.get(),
        "partner_saque_fee_bps": terms.payout_partner.get(),
        "saque_taxa_provedor_tipo": tariff,
        "saque_taxa_estimada_cents": estimated,
        "saque_cripto_fee_bps": terms.crypto_withdrawal.get(),
        "saque_cripto_conversao_fee_bps": conversion.get(),
        "saque_cripto_conversao_fee_fixed_cents": conversion_fixed.cents(),
        "cashin_min_cents": terms.charge_least.cents(),
        "cashin_max_cents": terms.charge_most.cents(),
        "payout_min_cents": terms.payout_least.cents(),
        "payout_max_cents": terms.payout_most.cents(),
        "retencao_acima_cents": terms.retention_above.map(Amount::cents),
        "sem_retencao": terms.retention_above.is_none().then_some(true),
        "retencao_horas": terms.retention_hours,
        "liberacao": match terms.release {
            Release::Immediate => "imediata",
            Release::NextDay => "proximo_dia",
        },
        "carencia_horas": terms.waiting_hours,
        "admin_fee_bps": purchase.get(),
        "admin_fee_fixed_cents": purchase_fixed.cents(),
        "partner_fee_bps": terms.purchase_partner.get(),
        "liquid_provider_fee_cents": terms.liquid.cents(),
        "cashout_fee_bps": terms.sale.map(|sale| sale.bps.get()),
        "cashout_fee_fixed_cents": terms.sale.map(|sale| sale.fixed.cents()),
        "partner_cashout_fee_bps": partner.get(),
        "depix_fee_bps": liquid.map(|house| house.bps.get()),
        "depix_fee_fixed_cents": liquid.map(|house| house.fixed.cents()),
        "cashout_reserve_cents": reserve,
        "carteira_usdt": terms.has_wallet(),
        "cashin_daily_max_cents": ceiling(terms.charged_daily),
        "payout_daily_max_cents": ceiling(terms.paid_out_daily),
    })))
}

/// A span in whole units of it.
fn whole(span: Option<Span>, unit: u64) -> Written<Option<u64>> {
    match span.map(Span::micros) {
        Some(micros) if !micros.is_multiple_of(unit) => {
            Err(Unrepresentable("a policy whose span is no whole number of its unit"))
        }
        micros => Ok(micros.map(|micros| micros / unit)),
    }
}
