//! The ledger's policy, as a fact. A change names only what changes.

use crate::contract::error::{Problem, wrong};
use crate::contract::fact::parts::ID;
use crate::contract::fact::shape::{FactShape, Subject};
use crate::contract::input::fields::Fields;
use crate::contract::sale::market;
use crate::contract::schema::field::FieldType::{Centavos, CentavosOrZero, Flag, Whole};
use crate::contract::schema::field::{Field, optional};
use crate::ledger::account::Fact as AccountFact;
use crate::ledger::{Fact, FactKind};
use crate::money::Amount;
use crate::terms::{Ladder, Policy, Switch};
use crate::time::Span;

/// The fact that changes the policy.
pub const FACTS: &[FactShape] = &[FactShape {
    kind: FactKind::PolicyAdopted,
    name: "policy.adopted",
    subject: Subject::Ledger,
    meaning: "The ledger's policy changed; what is not named stays.",
    fields: POLICY,
    example: r#"{"at":"2026-11-20T12:00:00Z","fact":"policy.adopted","environment":"live","body":{"id":"pol-1","shortfall_watch_days":90}}"#,
    read: |fields, context| {
        let policy = merge_policy(fields, &context.state.policy)?;
        Ok(Fact::Account(AccountFact::PolicyAdopted(policy)))
    },
}];

/// A policy's fields; what is not named stays.
pub(in crate::contract) const POLICY: &[Field] = &[
    ID,
    optional(
        "largest_jump_hours",
        Whole(0, 65_535),
        "how far a request or fact may jump ahead; default 48",
    ),
    optional("min_net_cents", CentavosOrZero, "the least a deposit leaves net; default 1"),
    optional(
        "shortfall_watch_days",
        Whole(0, 65_535),
        "how long a block watches for what is short; default 90",
    ),
    optional("house_covers_negatives", Flag, "default true (rulings 25)"),
    optional("payout_return_refunds_fee", Flag, "default false"),
    optional("divergent_charge_is_refused", Flag, "default true"),
    optional("cnpj_with_letters", Flag, "default true"),
    optional("payer_ladder", Flag, "whether the payer ladder is in force; default true"),
    optional(
        "ladder_first_qr_cents",
        Centavos,
        "the first QR of an unknown document; default 20,000",
    ),
    optional(
        "ladder_first_transaction_cents",
        Centavos,
        "at once before a first payment; default 20,000",
    ),
    optional("ladder_first_24h_cents", Centavos, "at once within 24 h of it; default 20,000"),
    optional("ladder_mature_day_cents", Centavos, "at once on any later day; default 20,000"),
    optional("ladder_held_max_cents", Centavos, "in one window, held or not; default 600,000"),
    optional("ladder_hold_hours", Whole(0, 8_784), "how long the provider holds; default 24"),
    optional(
        "rate_max_age_seconds",
        Whole(0, 65_535),
        "how old a price may be to be quoted; default 900",
    ),
    optional(
        "precautionary_hours",
        Whole(0, 65_535),
        "how long a precautionary block lasts; default 72",
    ),
    optional(
        "commission_interval_hours",
        Whole(0, 65_535),
        "between two commission withdrawals; default 24",
    ),
    optional("commission_interval_first", Flag, "check it before the id; default false"),
    optional("cashin_paused", Flag, "no new charges; default false"),
    optional("conversions_paused", Flag, "no new withdrawals in crypto; default false"),
    optional("cashout_min_cents", Centavos, "the least a sale pays; default 600"),
    optional("cashout_max_cents", Centavos, "the most; default 25,000,000"),
    optional("depix_min_cents", Centavos, "the least a sale of DePix pays; default 102"),
    optional("depix_max_cents", Centavos, "the most; default 600,000"),
    optional("recipient_daily_max_cents", Centavos, "to one recipient a day; default 10,000,000"),
    optional(
        "auto_refund_max_usdt",
        Whole(0, 65_535),
        "the largest refund without an operator; default 5,000",
    ),
    optional(
        "revival_hours",
        Whole(0, 65_535),
        "how long an expired order takes a late deposit; default 168",
    ),
    optional(
        "retry_every_seconds",
        Whole(1, 65_535),
        "how often a failed send is tried again; default 300",
    ),
    optional("retry_for_seconds", Whole(0, 65_535), "for how long; default 2,700"),
    optional("cashouts_paused", Flag, "no new sales; default false"),
    optional("br_codes_paused", Flag, "no new sales to a Copia e Cola; default false"),
    optional("unknown_pix_answered", Flag, "an unknown PIX is 200, not 404; default false"),
    optional("test_keys_per_ip", Whole(0, 65_535), "test keys for one address a day; default 20"),
    optional(
        "panel_links_per_hour",
        Whole(0, 65_535),
        "panel links by address and by e-mail; default 5",
    ),
    optional(
        "key_lookups_per_minute",
        Whole(0, 65_535),
        "PIX keys an account may look up; default 5",
    ),
    optional("unproven_keys_refused", Flag, "no payout to a key without a proven owner"),
];

/// Reads the changes of a policy.
pub(in crate::contract) fn merge_policy(
    fields: &Fields<'_>,
    current: &Policy,
) -> Result<Policy, Problem> {
    let hours = fields.whole_if("largest_jump_hours", u16::MAX)?;
    let days = fields.whole_if("shortfall_watch_days", u16::MAX)?;
    Ok(Policy {
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
    })
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
