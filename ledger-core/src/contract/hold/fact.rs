//! Facts about holds.

use crate::contract::error::{Problem, wrong};
use crate::contract::fact::parts::{account as account_of, decided_by};
use crate::contract::input::fields::Fields;
use crate::contract::wire_names;
use crate::ledger::Fact;

pub(in crate::contract) fn hold(fields: &mut Fields<'_>) -> Result<Fact, Problem> {
    let kind = wire_names::hold_kind(fields.needed("kind", 32)?);
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
        account: account_of(fields)?,
        customer: fields.customer("customer_ref")?,
        cause,
        kind,
        amount: fields.amount("amount_cents")?,
        decided_by: decided_by(fields)?,
    })
}
