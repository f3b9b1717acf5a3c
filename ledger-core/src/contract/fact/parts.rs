//! What the bodies of many facts have: a PIX, an id, an account, an operator's decision.

use crate::contract::error::{Problem, malformed_field};
use crate::contract::input::fields::{Fields, missing};
use crate::contract::schema::bounds::checked;
use crate::contract::schema::field::FieldType::{Centavos, Operation, Text};
use crate::contract::schema::field::{Field, optional, required};
use crate::contract::schema::shared::E2E;
use crate::id::{OpId, Token};
use crate::ledger::{Malformed, OperatorDecision};
use crate::machine::charge::PixPayment;
use crate::time::Instant;

pub(in crate::contract) const ID: Field = required(
    "id",
    Text(80),
    "the fact's own id, unique over all facts, which makes it known for ever",
);
pub(in crate::contract) const ACCOUNT: Field =
    required("account", Text(80), "the API account's name");
pub(in crate::contract) const CUSTOMER: Field =
    optional("customer_ref", Text(80), "the subaccount; absent: the house");
pub(in crate::contract) const CASHIN: Field = required("cashin_id", Operation, "the charge");
pub(in crate::contract) const AMOUNT: Field = required("amount_cents", Centavos, "centavos");
pub(in crate::contract) const ACTOR: Field = required("actor", Text(255), "who decided");
pub(in crate::contract) const REASON: Field = required("reason", Text(255), "why");
pub(in crate::contract) const EVIDENCE: Field =
    optional("evidence", Text(255), "a reference to what was seen");

checked!(PixPayment { e2e: E2E, amount: AMOUNT });

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

/// The payment of a charge, where the body names its PIX.
pub(in crate::contract) fn payment_if(
    fields: &Fields<'_>,
    at: Instant,
) -> Result<Option<PixPayment>, Problem> {
    match fields.value("e2e") {
        Some(_) => payment(fields, at).map(Some),
        None => Ok(None),
    }
}

/// An operation's id, where the body names one.
pub(in crate::contract) fn operation_if(
    fields: &Fields<'_>,
    name: &str,
) -> Result<Option<OpId>, Problem> {
    match fields.value(name) {
        Some(_) => fields.operation(name),
        None => Ok(None),
    }
}

pub(in crate::contract) fn end_to_end(
    fields: &Fields<'_>,
    name: &str,
) -> Result<Box<str>, Problem> {
    let id = fields.text(name, 64)?.ok_or_else(|| missing(name))?;
    Malformed::end_to_end(id).map_err(|why| malformed_field(name, why))?;
    Ok(id.into())
}

/// The token of a service's own description, where the body brings one.
pub(in crate::contract) fn description(fields: &mut Fields<'_>) -> Result<Option<Token>, Problem> {
    let note = fields.text("description", 255)?.map(|text| fields.tokens().text(text));
    Ok(note.map(|note| fields.keep(note)))
}

pub(in crate::contract) fn decided_by(
    fields: &mut Fields<'_>,
) -> Result<OperatorDecision, Problem> {
    let actor = fields.tokens().text(fields.required_text("actor", 255)?);
    let reason = fields.tokens().text(fields.required_text("reason", 255)?);
    let evidence = fields.text("evidence", 255)?.map(|text| fields.tokens().text(text));
    Ok(OperatorDecision {
        actor: fields.keep(actor),
        reason: fields.keep(reason),
        evidence: evidence.map(|evidence| fields.keep(evidence)),
    })
}
