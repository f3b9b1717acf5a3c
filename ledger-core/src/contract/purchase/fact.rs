//! Facts about catalogue, prices, payers and deliveries, read by their shapes.

use crate::contract::error::{Problem, wrong};
use crate::contract::fact::parts::{end_to_end, judgement, receipt};
use crate::contract::input::fields::Fields;
use crate::ledger::{Fact, GiveUpTo};
use crate::machine::delivery::{Command, News};
use crate::machine::stray;
use crate::time::Instant;

/// `delivery.started`, `.accepted`, `.sent`, `.failed` and `.unknown`.
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn delivery(fields: &Fields<'_>, news: News, at: Instant) -> Result<Fact, Problem> {
    let attempt = match fields.whole_if("attempt", u16::MAX)? {
        Some(0) => return Err(wrong("attempt", "counts from 1")),
        other => other.map(u32::from),
    };
    let receipt = match fields.value("e2e") {
        Some(_) => Some(receipt(fields, at)?),
        None => None,
    };
    let op = fields.operation("cashin_id")?;
    Ok(Fact::Delivery { op, command: Command { attempt, news }, receipt })
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
    Ok(Fact::DeliveryEvidence { op, sent, judgement: judgement(fields)? })
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
    Ok(Fact::DeliveryGivenUp { op, to, judgement: judgement(fields)? })
}

/// `stray.settled`.
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn stray(fields: &mut Fields<'_>) -> Result<Fact, Problem> {
    let end = match fields.needed("outcome", 16)? {
        "recovered" => stray::End::Recovered,
        "lost" => stray::End::Lost,
        _ => return Err(wrong("outcome", "must be recovered or lost")),
    };
    let stray = fields.operation("stray_id")?;
    Ok(Fact::StraySettled { stray, end, judgement: judgement(fields)? })
}
