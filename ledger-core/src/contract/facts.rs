//! Facts on the wire, read by their shapes.

use serde_json::Value;

use super::adopted;
use super::deliveries;
use super::described;
use super::error::Problem;
use super::fields::{Fields, missing, wrong};
use super::markets;
use super::mesh;
use super::names;
use super::requests;
use super::sales;
use super::shapes::FactShape;
use super::wallet;
use crate::ledger::{Fact, FactKind, Income, Judgement, Newcomer, OwnAccount, Reported, State};
use crate::machine::charge::Receipt;
use crate::machine::delivery::News;
use crate::pix::EndToEnd;
use crate::terms::is_address;
use crate::time::Instant;

/// Reads the body of a fact.
///
/// # Errors
///
/// A [`Problem`] naming the field that is missing, unknown or malformed.
#[allow(clippy::too_many_lines)] // The table of facts, one arm each.
pub fn read(
    shape: &FactShape,
    fields: &mut Fields<'_>,
    supplied: &Value,
    state: &State,
    at: Instant,
) -> Result<Reported, Problem> {
    let known: Vec<_> = shape.fields.iter().map(|(name, _, _)| *name).collect();
    fields.only(&known)?;
    let has_id = known.contains(&"id");
    let id = if has_id { Some(fields.needed("id", 80)?.into()) } else { None };
    let fact = match shape.kind {
        FactKind::AccountOpened => adopted::account(fields, supplied, at)?,
        FactKind::PolicyAdopted => adopted::policy(fields, &state.policy)?,
        FactKind::TermsAdopted => adopted::terms(fields, state, at)?,
        FactKind::TreasuryMoved if fields.value("asset").is_some() => {
            deliveries::coins(fields, state)?
        }
        FactKind::TreasuryMoved => treasury(fields)?,
        FactKind::PixReceived => {
            let charge = match fields.value("cashin_id") {
                Some(_) => fields.operation("cashin_id")?,
                None => None,
            };
            Fact::PixReceived { charge, receipt: receipt(fields, at)? }
        }
        FactKind::PixReturned => Fact::PixReturned {
            charge: fields.operation("cashin_id")?,
            return_id: end_to_end(fields, "return_id")?,
            amount: fields.amount("amount_cents")?,
        },
        FactKind::ProviderReleased => Fact::ProviderReleased {
            charge: fields.operation("cashin_id")?,
            receipt: match fields.value("e2e") {
                Some(_) => Some(receipt(fields, at)?),
                None => None,
            },
        },
        FactKind::ProviderCancelled => {
            Fact::ProviderCancelled { charge: fields.operation("cashin_id")? }
        }
        FactKind::PayoutSubmitted => {
            Fact::PayoutSubmitted { payout: fields.operation("payout_id")? }
        }
        FactKind::PayoutPaid => Fact::PayoutPaid {
            payout: fields.operation("payout_id")?,
            e2e: end_to_end(fields, "e2e")?,
            amount: fields.amount_if("amount_cents")?,
        },
        FactKind::PayoutRefused => Fact::PayoutRefused { payout: fields.operation("payout_id")? },
        FactKind::PayoutUnknown => Fact::PayoutUnknown { payout: fields.operation("payout_id")? },
        FactKind::PayoutReturned => Fact::PayoutReturned {
            payout: fields.operation("payout_id")?,
            return_id: end_to_end(fields, "return_id")?,
            amount: fields.amount("amount_cents")?,
        },
        FactKind::PayoutEvidence => Fact::PayoutEvidence {
            payout: fields.operation("payout_id")?,
            paid: match fields.needed("outcome", 16)? {
                "paid" => Some(end_to_end(fields, "e2e")?),
                "not_paid" => None,
                _ => return Err(wrong("outcome", "must be paid or not_paid")),
            },
            judgement: judgement(fields)?,
        },
        FactKind::HoldPlaced => hold(fields)?,
        FactKind::HoldReleased => Fact::HoldReleased {
            hold: fields.operation("hold_id")?,
            amount: fields.amount_if("amount_cents")?,
            judgement: judgement(fields)?,
        },
        FactKind::SuspenseAttached => Fact::SuspenseAttached {
            suspense: fields.operation("suspense_id")?,
            charge: fields.operation("cashin_id")?,
            judgement: judgement(fields)?,
        },
        FactKind::SuspenseReturned => Fact::SuspenseReturned {
            suspense: fields.operation("suspense_id")?,
            judgement: judgement(fields)?,
        },
        FactKind::FeeAdjusted => fee_adjusted(fields)?,
        FactKind::BalanceWrittenOff => {
            fields.needed("evidence", 255)?;
            Fact::BalanceWrittenOff {
                account: requests::account(fields)?,
                customer: fields.customer("customer_ref")?,
                amount: fields.amount("amount_cents")?,
                judgement: judgement(fields)?,
            }
        }
        FactKind::CatalogueUpdated => deliveries::catalogue(fields, state)?,
        FactKind::RateQuoted => deliveries::rate(fields, at)?,
        FactKind::MarketsUpdated => markets::updated(fields, state)?,
        FactKind::PayerReviewed => deliveries::payer(fields, state)?,
        FactKind::PixSeen => {
            Fact::PixSeen { charge: fields.operation("cashin_id")?, receipt: receipt(fields, at)? }
        }
        FactKind::ProviderSettled => {
            Fact::ProviderSettled { charge: fields.operation("cashin_id")? }
        }
        FactKind::ProviderHeld => Fact::ProviderHeld {
            charge: fields.operation("cashin_id")?,
            until: fields.instant_if("until")?,
        },
        FactKind::DeliveryStarted => deliveries::delivery(fields, News::Begin, at)?,
        FactKind::DeliveryAccepted => deliveries::delivery(fields, News::Accept, at)?,
        FactKind::DeliverySent => {
            let hash = deliveries::hash(fields)?;
            deliveries::delivery(fields, News::Confirm(hash), at)?
        }
        FactKind::DeliveryFailed => deliveries::delivery(fields, News::Fail, at)?,
        FactKind::DeliveryUnknown => deliveries::delivery(fields, News::Lose, at)?,
        FactKind::DeliveryEvidence => deliveries::evidence(fields)?,
        FactKind::DeliveryGivenUp => deliveries::given_up(fields)?,
        FactKind::DeliveryResumed => Fact::DeliveryResumed {
            op: fields.operation("cashin_id")?,
            judgement: judgement(fields)?,
        },
        FactKind::PayoutStopped => Fact::PayoutStopped {
            payout: fields.operation("payout_id")?,
            judgement: judgement(fields)?,
        },
        FactKind::PayoutCleared => Fact::PayoutCleared {
            payout: fields.operation("payout_id")?,
            judgement: judgement(fields)?,
        },
        FactKind::StraySettled => deliveries::stray(fields)?,
        FactKind::CourtOrdered => {
            fields.needed("evidence", 255)?;
            Fact::CourtOrdered {
                account: requests::account(fields)?,
                customer: fields.customer("customer_ref")?,
                hold: match fields.value("hold_id") {
                    Some(_) => {
                        let hold = fields.operation("hold_id")?;
                        Some(hold.ok_or_else(|| wrong("hold_id", "is no hold of this ledger"))?)
                    }
                    None => None,
                },
                amount: fields.amount("amount_cents")?,
                judgement: judgement(fields)?,
            }
        }
        FactKind::AgentActivated => {
            Fact::AgentActivated(Box::new(newcomer(fields, supplied, state)?))
        }
        FactKind::AgentSuspended => {
            Fact::AgentSuspended { agent: agent(fields)?, judgement: judgement(fields)? }
        }
        FactKind::AgentReinstated => {
            Fact::AgentReinstated { agent: agent(fields)?, judgement: judgement(fields)? }
        }
        FactKind::KeyReplaced => {
            let key = adopted::api_key(supplied, fields.ledger())?;
            Fact::KeyReplaced {
                account: requests::account(fields)?,
                key: fields.tokens().api_key(key.expose()),
                judgement: judgement(fields)?,
            }
        }
        FactKind::KeyRevoked => {
            Fact::KeyRevoked { account: requests::account(fields)?, judgement: judgement(fields)? }
        }
        FactKind::TimePassed => Fact::TimePassed,
        kind => match wallet::read(kind, fields, state, at)? {
            Some(fact) => fact,
            None => sales::read(kind, fields, state, at)?,
        },
    };
    let beside = described::read(fields, &known)?;
    Ok(Reported { id, fact: fact.with(beside) })
}

fn agent(fields: &Fields<'_>) -> Result<Box<str>, Problem> {
    let id = fields.needed("agent_id", 80)?;
    if mesh::is_agent_id(id) {
        Ok(id.into())
    } else {
        Err(wrong("agent_id", "must be the permanent id of an agent"))
    }
}

fn newcomer(fields: &mut Fields<'_>, supplied: &Value, state: &State) -> Result<Newcomer, Problem> {
    let id = agent(fields)?;
    let key = adopted::api_key(supplied, fields.ledger())?;
    let (name, contact) = mesh::named(fields)?;
    let settlement = fields.needed("settlement_address", 128)?;
    if !is_address("polygon", settlement) {
        return Err(wrong("settlement_address", "must be a wallet on Polygon"));
    }
    Ok(Newcomer {
        id,
        key: fields.tokens().api_key(key.expose()),
        name,
        contact,
        capabilities: mesh::capabilities(fields)?,
        referral: fields.text("referral", 64)?.map(Into::into),
        settlement: settlement.into(),
        mandate: mesh::mandate(fields, &state.policy)?,
    })
}

pub(super) fn receipt(fields: &Fields<'_>, at: Instant) -> Result<Receipt, Problem> {
    Ok(Receipt {
        e2e: end_to_end(fields, "e2e")?,
        amount: fields.amount("amount_cents")?,
        paid_at: fields.instant_if("paid_at")?.unwrap_or(at),
    })
}

pub(super) fn end_to_end(fields: &Fields<'_>, name: &str) -> Result<Box<str>, Problem> {
    let id = fields.text(name, 64)?.ok_or_else(|| missing(name))?;
    let id = EndToEnd::parse(id).ok_or_else(|| wrong(name, "must be 32 letters and digits"))?;
    Ok(id.into())
}

pub(super) fn judgement(fields: &mut Fields<'_>) -> Result<Judgement, Problem> {
    let actor = fields.tokens().text(fields.needed("actor", 255)?);
    let reason = fields.tokens().text(fields.needed("reason", 255)?);
    let evidence = fields.text("evidence", 255)?.map(|text| fields.tokens().text(text));
    Ok(Judgement {
        actor: fields.keep(actor),
        reason: fields.keep(reason),
        evidence: evidence.map(|evidence| fields.keep(evidence)),
    })
}

fn treasury(fields: &Fields<'_>) -> Result<Fact, Problem> {
    let own = |name: &str| {
        OwnAccount::parse(fields.needed(name, 32)?).ok_or_else(|| {
            wrong(name, "must be equity.funding, prov.pix, prov.pay, recv.prov, tariff.due or fx")
        })
    };
    let (from, to) = (own("from")?, own("to")?);
    if from == to {
        return Err(wrong("to", "must differ from from"));
    }
    Ok(Fact::TreasuryMoved { from, to, amount: fields.amount("amount_cents")? })
}

fn hold(fields: &mut Fields<'_>) -> Result<Fact, Problem> {
    let kind = names::hold_kind(fields.needed("kind", 32)?);
    let kind = kind.ok_or_else(|| {
        wrong("kind", "must be dispute, precautionary, judicial or administrative")
    })?;
    let cause = match fields.value("cashin_id") {
        Some(_) => {
            let cause = fields.operation("cashin_id")?;
            Some(cause.ok_or_else(|| wrong("cashin_id", "is no charge of this ledger"))?)
        }
        None => None,
    };
    Ok(Fact::HoldPlaced {
        account: requests::account(fields)?,
        customer: fields.customer("customer_ref")?,
        cause,
        kind,
        amount: fields.amount("amount_cents")?,
        judgement: judgement(fields)?,
    })
}

fn fee_adjusted(fields: &mut Fields<'_>) -> Result<Fact, Problem> {
    let effect = fields.signed("effect_cents")?;
    let share = |cents: i64| crate::money::Share::new(cents.max(0)).unwrap_or_default();
    let income = match fields.text("income", 16)? {
        None | Some("deposit") => Income::Deposit,
        Some("payout") => Income::Payout,
        Some("purchase") => Income::Purchase,
        Some("conversion") => Income::Conversion,
        Some(_) => {
            return Err(wrong("income", "must be deposit, payout, purchase or conversion"));
        }
    };
    Ok(Fact::FeeAdjusted {
        account: requests::account(fields)?,
        customer: fields.customer("customer_ref")?,
        given: share(effect),
        charged: share(-effect),
        income,
        judgement: judgement(fields)?,
    })
}
