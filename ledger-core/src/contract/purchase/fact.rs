//! Facts about catalogue, prices, payers and deliveries, read by their shapes.

use crate::contract::error::{Problem, wrong};
use crate::contract::fact::parts::{decided_by, end_to_end, payment};
use crate::contract::input::fields::Fields;
use crate::ledger::{Fact, GiveUpTo};
use crate::machine::delivery::{Command, DeliveryReport};
use crate::machine::erroneous_delivery;
use crate::time::Instant;

/// `delivery.started`, `.accepted`, `.sent`, `.failed` and `.unknown`.
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn delivery(fields: &Fields<'_>, report: DeliveryReport, at: Instant) -> Result<Fact, Problem> {
    let attempt = match fields.whole_if("attempt", u16::MAX)? {
        Some(0) => return Err(wrong("attempt", "counts from 1")),
        other => other.map(u32::from),
    };
    let payment = match fields.value("e2e") {
        Some(_) => Some(payment(fields, at)?),
        None => None,
    };
    let op = fields.operation("cashin_id")?;
    Ok(Fact::Delivery { op, command: Command { attempt, report }, payment })
}

/// The transaction that delivered.
///
/// # Errors
///
/// A [`Problem`] when it is missing or longer than 128 characters.
pub fn hash(fields: &Fields<'_>) -> Result<Box<str>, Problem> {
    Ok(fields.needed("tx_hash", 128)?.into())
}

/// `delivery.evidence`.
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn evidence(fields: &mut Fields<'_>) -> Result<Fact, Problem> {
    let sent = match fields.needed("outcome", 16)? {
        "sent" => Some(hash(fields)?),
        "not_sent" => None,
        _ => return Err(wrong("outcome", "must be sent or not_sent")),
    };
    let op = fields.operation("cashin_id")?;
    Ok(Fact::DeliveryEvidence { op, sent, decided_by: decided_by(fields)? })
}

/// `delivery.given_up`.
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn given_up(fields: &mut Fields<'_>) -> Result<Fact, Problem> {
    let to = match fields.needed("to", 16)? {
        "pagador" => GiveUpTo::Payer(end_to_end(fields, "return_id")?),
        "saldo" => GiveUpTo::Custody,
        _ => return Err(wrong("to", "must be pagador or saldo")),
    };
    let op = fields.operation("cashin_id")?;
    Ok(Fact::DeliveryGivenUp { op, to, decided_by: decided_by(fields)? })
}

/// `erroneous_delivery.settled`.
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn erroneous_delivery(fields: &mut Fields<'_>) -> Result<Fact, Problem> {
    let end = match fields.needed("outcome", 16)? {
        "recovered" => erroneous_delivery::End::Recovered,
        "lost" => erroneous_delivery::End::Lost,
        _ => return Err(wrong("outcome", "must be recovered or lost")),
    };
    let erroneous_delivery = fields.operation("stray_id")?;
    Ok(Fact::ErroneousDeliverySettled { erroneous_delivery, end, decided_by: decided_by(fields)? })
}
