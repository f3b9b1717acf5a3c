//! What the bodies of many facts have: a PIX, an id, an account, an operator's decision.

use crate::contract::error::{Problem, wrong};
use crate::contract::input::fields::{Fields, missing};
use crate::ledger::OperatorDecision;
use crate::machine::charge::PixPayment;
use crate::pix::EndToEnd;
use crate::time::Instant;

/// The account a fact names, which must be given.
///
/// # Errors
///
/// A [`Problem`] when it is missing.
pub fn account(fields: &Fields<'_>) -> Result<Box<str>, Problem> {
    fields.text("account", 80)?.map(Into::into).ok_or_else(|| missing("account"))
}

pub(in crate::contract) fn payment(
    fields: &Fields<'_>,
    at: Instant,
) -> Result<PixPayment, Problem> {
    Ok(PixPayment {
        e2e: end_to_end(fields, "e2e")?,
        amount: fields.amount("amount_cents")?,
        paid_at: fields.instant_if("paid_at")?.unwrap_or(at),
    })
}

pub(in crate::contract) fn end_to_end(
    fields: &Fields<'_>,
    name: &str,
) -> Result<Box<str>, Problem> {
    let id = fields.text(name, 64)?.ok_or_else(|| missing(name))?;
    let id = EndToEnd::parse(id).ok_or_else(|| wrong(name, "must be 32 letters and digits"))?;
    Ok(id.into())
}

pub(in crate::contract) fn decided_by(
    fields: &mut Fields<'_>,
) -> Result<OperatorDecision, Problem> {
    let actor = fields.tokens().text(fields.needed("actor", 255)?);
    let reason = fields.tokens().text(fields.needed("reason", 255)?);
    let evidence = fields.text("evidence", 255)?.map(|text| fields.tokens().text(text));
    Ok(OperatorDecision {
        actor: fields.keep(actor),
        reason: fields.keep(reason),
        evidence: evidence.map(|evidence| fields.keep(evidence)),
    })
}
