//! A subaccount as the legs of entries name it.

use crate::contract::error::Problem;
use crate::contract::fact::parts::{ACCOUNT, CUSTOMER, account};
use crate::contract::input::fields::Fields;
use crate::contract::schema::bounds::{Customer, checked};
use crate::contract::schema::field::Field;
use crate::ledger::product::Holder;

/// The fields of a holder.
pub(super) const OF: &[Field] = &[ACCOUNT, CUSTOMER];

checked!(Holder { account: ACCOUNT, customer: Customer(CUSTOMER) });

/// Reads whose an account is, where the body says it.
pub(super) fn holder_if(fields: &Fields<'_>) -> Result<Option<Holder>, Problem> {
    let Some(of) = fields.value("of") else { return Ok(None) };
    let of = Fields::new(of, fields.tokens(), fields.ledger())?;
    of.only(OF)?;
    holder(&of).map(Some)
}

/// Reads a holder.
pub(super) fn holder(fields: &Fields<'_>) -> Result<Holder, Problem> {
    Ok(Holder { account: account(fields)?, customer: fields.customer("customer_ref")? })
}
