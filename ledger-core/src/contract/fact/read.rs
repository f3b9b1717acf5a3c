//! Facts on the wire, read by their shapes.

use serde_json::Value;

use super::parts::{account as account_of, decided_by, end_to_end, payment};
use super::shapes::FactShape;
use super::{payment_details, treasury};
use crate::contract::account::terms_facts;
use crate::contract::agent::fact::newcomer;
use crate::contract::charge::payer_fact;
use crate::contract::error::{Problem, wrong};
use crate::contract::input::fields::Fields;
use crate::contract::purchase::catalogue_fact;
use crate::contract::sale::market;
use crate::contract::{adjustment, agent, hold, purchase, sale, wallet};
use crate::ledger::{Fact, FactKind, Reported, State};
use crate::machine::delivery::DeliveryReport;
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
        FactKind::AccountOpened => terms_facts::account(fields, supplied, at)?,
        FactKind::PolicyAdopted => terms_facts::policy(fields, &state.policy)?,
        FactKind::TermsAdopted => terms_facts::terms(fields, state, at)?,
        FactKind::TreasuryMoved if fields.value("asset").is_some() => {
            treasury::coins(fields, state)?
        }
        FactKind::TreasuryMoved => treasury::treasury(fields)?,
        FactKind::PixReceived => {
            let charge = match fields.value("cashin_id") {
                Some(_) => fields.operation("cashin_id")?,
                None => None,
            };
            Fact::PixReceived { charge, payment: payment(fields, at)? }
        }
        FactKind::PixReturned => Fact::PixReturned {
            charge: fields.operation("cashin_id")?,
            return_id: end_to_end(fields, "return_id")?,
            amount: fields.amount("amount_cents")?,
        },
        FactKind::ProviderReleased => Fact::ProviderReleased {
            charge: fields.operation("cashin_id")?,
            payment: match fields.value("e2e") {
                Some(_) => Some(payment(fields, at)?),
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
            decided_by: decided_by(fields)?,
        },
        FactKind::HoldPlaced => hold::fact::hold(fields)?,
        FactKind::HoldReleased => Fact::HoldReleased {
            hold: fields.operation("hold_id")?,
            amount: fields.amount_if("amount_cents")?,
            decided_by: decided_by(fields)?,
        },
        FactKind::SuspenseAttached => Fact::SuspenseAttached {
            suspense: fields.operation("suspense_id")?,
            charge: fields.operation("cashin_id")?,
            decided_by: decided_by(fields)?,
        },
        FactKind::SuspenseReturned => Fact::SuspenseReturned {
            suspense: fields.operation("suspense_id")?,
            decided_by: decided_by(fields)?,
        },
        FactKind::FeeAdjusted => adjustment::fact::fee_adjusted(fields)?,
        FactKind::BalanceWrittenOff => {
            fields.needed("evidence", 255)?;
            Fact::BalanceWrittenOff {
                account: account_of(fields)?,
                customer: fields.customer("customer_ref")?,
                amount: fields.amount("amount_cents")?,
                decided_by: decided_by(fields)?,
            }
        }
        FactKind::CatalogueUpdated => catalogue_fact::catalogue(fields, state)?,
        FactKind::RateQuoted => catalogue_fact::rate(fields, at)?,
        FactKind::MarketsUpdated => market::updated(fields, state)?,
        FactKind::PayerReviewed => payer_fact::payer(fields, state)?,
        FactKind::PixSeen => {
            Fact::PixSeen { charge: fields.operation("cashin_id")?, payment: payment(fields, at)? }
        }
        FactKind::ProviderSettled => {
            Fact::ProviderSettled { charge: fields.operation("cashin_id")? }
        }
        FactKind::ProviderHeld => Fact::ProviderHeld {
            charge: fields.operation("cashin_id")?,
            until: fields.instant_if("until")?,
        },
        FactKind::DeliveryStarted => purchase::fact::delivery(fields, DeliveryReport::Begin, at)?,
        FactKind::DeliveryAccepted => purchase::fact::delivery(fields, DeliveryReport::Accept, at)?,
        FactKind::DeliverySent => {
            let hash = purchase::fact::hash(fields)?;
            purchase::fact::delivery(fields, DeliveryReport::Confirm(hash), at)?
        }
        FactKind::DeliveryFailed => purchase::fact::delivery(fields, DeliveryReport::Fail, at)?,
        FactKind::DeliveryUnknown => purchase::fact::delivery(fields, DeliveryReport::Lose, at)?,
        FactKind::DeliveryEvidence => purchase::fact::evidence(fields)?,
        FactKind::DeliveryGivenUp => purchase::fact::given_up(fields)?,
        FactKind::DeliveryResumed => Fact::DeliveryResumed {
            op: fields.operation("cashin_id")?,
            decided_by: decided_by(fields)?,
        },
        FactKind::PayoutStopped => Fact::PayoutStopped {
            payout: fields.operation("payout_id")?,
            decided_by: decided_by(fields)?,
        },
        FactKind::PayoutCleared => Fact::PayoutCleared {
            payout: fields.operation("payout_id")?,
            decided_by: decided_by(fields)?,
        },
        FactKind::ErroneousDeliverySettled => purchase::fact::erroneous_delivery(fields)?,
        FactKind::CourtOrdered => {
            fields.needed("evidence", 255)?;
            Fact::CourtOrdered {
                account: account_of(fields)?,
                customer: fields.customer("customer_ref")?,
                hold: match fields.value("hold_id") {
                    Some(_) => {
                        let hold = fields.operation("hold_id")?;
                        Some(hold.ok_or_else(|| wrong("hold_id", "is no hold of this ledger"))?)
                    }
                    None => None,
                },
                amount: fields.amount("amount_cents")?,
                decided_by: decided_by(fields)?,
            }
        }
        FactKind::AgentActivated => {
            Fact::AgentActivated(Box::new(newcomer(fields, supplied, state)?))
        }
        FactKind::AgentSuspended => Fact::AgentSuspended {
            agent: agent::fact::agent(fields)?,
            decided_by: decided_by(fields)?,
        },
        FactKind::AgentReinstated => Fact::AgentReinstated {
            agent: agent::fact::agent(fields)?,
            decided_by: decided_by(fields)?,
        },
        FactKind::KeyReplaced => {
            let key = terms_facts::api_key(supplied, fields.ledger())?;
            Fact::KeyReplaced {
                account: account_of(fields)?,
                key: fields.tokens().api_key(key.expose()),
                decided_by: decided_by(fields)?,
            }
        }
        FactKind::KeyRevoked => {
            Fact::KeyRevoked { account: account_of(fields)?, decided_by: decided_by(fields)? }
        }
        FactKind::TimePassed => Fact::TimePassed,
        kind => match wallet::read(kind, fields, state, at)? {
            Some(fact) => fact,
            None => sale::fact::read(kind, fields, state, at)?,
        },
    };
    let beside = payment_details::read(fields, &known)?;
    Ok(Reported { id, fact: fact.with(beside) })
}
