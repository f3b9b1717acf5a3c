//! An account's terms, as a fact. A change names only what changes.

use crate::contract::error::{Problem, wrong};
use crate::contract::fact::parts::{ACCOUNT, ID, account as account_of};
use crate::contract::fact::shape::{FactShape, Subject};
use crate::contract::input::fields::Fields;
use crate::contract::sale::market;
use crate::contract::schema::field::FieldType::{
    BasisPoints, Centavos, CentavosOrZero, Flag, Moment, Whole, Word,
};
use crate::contract::schema::field::{Field, concat, optional};
use crate::ledger::account::Fact as AccountFact;
use crate::ledger::{Fact, FactKind, State};
use crate::money::{Amount, Cents};
use crate::terms::{Release, ServiceRates, Switch, Tariff, Terms};
use crate::time::Instant;

/// The fact that changes terms.
pub const FACTS: &[FactShape] = &[FactShape {
    kind: FactKind::TermsAdopted,
    name: "terms.adopted",
    subject: Subject::Account,
    meaning: "An account's terms change from an instant on; what is not named stays.",
    fields: &ADOPTED,
    example: r#"{"at":"2026-11-20T12:00:00Z","fact":"terms.adopted","body":{"id":"terms-1","account":"loja","saque_fee_bps":180,"saque_taxa_provedor_tipo":"fixo","saque_taxa_estimada_cents":100}}"#,
    read: |fields, context| read_adoption(fields, context.state, context.at),
}];

/// Whose terms change, and from when on.
const WHOSE: &[Field] = &[
    ID,
    ACCOUNT,
    optional("effective_from", Moment, "the first instant they are in force; absent: at once"),
];

const ADOPTED: [Field; WHOSE.len() + TERMS.len()] = concat(&[WHOSE, TERMS]);

/// What terms say; what is not named stays.
pub const TERMS: &[Field] = &[
    optional("custodia_ativa", Flag, "whether it has balances of its own"),
    optional("payout_enabled", Flag, "whether it may pay out"),
    optional("deposito_fee_bps", BasisPoints, "the percentage of a deposit"),
    optional("deposito_fee_fixed_cents", CentavosOrZero, "and its fixed part"),
    optional("saque_fee_bps", BasisPoints, "the house's part of a payout's fee"),
    optional("partner_saque_fee_bps", BasisPoints, "the partner's part, on top"),
    optional(
        "saque_taxa_provedor_tipo",
        Word(16),
        "fixo or desconhecido; of the latter new payouts are refused",
    ),
    optional("saque_taxa_estimada_cents", CentavosOrZero, "the provider's fixed tariff"),
    optional("saque_cripto_fee_bps", BasisPoints, "of a conversion, beside the conversion's own"),
    optional(
        "saque_cripto_conversao_fee_bps",
        BasisPoints,
        "the house's percentage of a conversion",
    ),
    optional("saque_cripto_conversao_fee_fixed_cents", CentavosOrZero, "and its fixed part"),
    optional("admin_fee_bps", BasisPoints, "the house's percentage of a purchase"),
    optional("admin_fee_fixed_cents", CentavosOrZero, "and its fixed part"),
    optional("partner_fee_bps", BasisPoints, "the partner's percentage of a purchase, on top"),
    optional(
        "liquid_provider_fee_cents",
        CentavosOrZero,
        "what the provider takes of a purchase on Liquid",
    ),
    optional("cashout_fee_bps", BasisPoints, "the house's percentage of a sale; absent: no sales"),
    optional("cashout_fee_fixed_cents", CentavosOrZero, "and its fixed part"),
    optional("partner_cashout_fee_bps", BasisPoints, "the partner's percentage of a sale, on top"),
    optional("depix_fee_bps", BasisPoints, "the house's percentage of a sale of DePix"),
    optional("depix_fee_fixed_cents", CentavosOrZero, "and its fixed part"),
    optional(
        "cashout_reserve_cents",
        CentavosOrZero,
        "the operational reserve of a sale; default 100",
    ),
    optional("cashin_daily_max_cents", CentavosOrZero, "a ceiling for charges a day; 0: none"),
    optional("payout_daily_max_cents", CentavosOrZero, "a ceiling for payouts a day; 0: none"),
    optional("cashin_min_cents", Centavos, "the smallest charge"),
    optional("cashin_max_cents", Centavos, "the largest charge"),
    optional("payout_min_cents", Centavos, "the smallest payout"),
    optional("payout_max_cents", Centavos, "the largest payout"),
    optional(
        "sem_retencao",
        Flag,
        "true: these terms hold no deposit at the provider; the payer's ladder \
         (`GET /cashin/limits`) may",
    ),
    optional("retencao_acima_cents", Centavos, "deposits above this are held at the provider"),
    optional("retencao_horas", Whole(0, 8_784), "for so many hours"),
    optional(
        "liberacao",
        Word(16),
        "imediata or proximo_dia: when other deposits become available",
    ),
    optional("carencia_horas", Whole(0, 8_784), "how long a first deposit blocks withdrawals"),
    optional("carteira_usdt", Flag, "whether the USDT wallet is granted"),
];

fn read_adoption(fields: &Fields<'_>, state: &State, at: Instant) -> Result<Fact, Problem> {
    let account = account_of(fields)?;
    let from = fields.instant_if("effective_from")?;
    let known = state.account_named(&account);
    let begins = from.unwrap_or(at);
    let current =
        known.map_or_else(|| Terms::published_at(begins), |known| state.terms(known, begins));
    Ok(Fact::Account(AccountFact::TermsAdopted {
        account,
        from,
        terms: merge_terms(fields, current)?,
    }))
}

/// Terms, with what the body names changed.
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn merge_terms(fields: &Fields<'_>, current: Terms) -> Result<Terms, Problem> {
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
