//! Bodies of conversions, and of withdrawals of commission.

use crate::contract::charge::body::owner;
use crate::contract::error::{Code, Problem};
use crate::contract::input::fields::Fields;
use crate::contract::purchase::target::{memo, target};
use crate::ledger::{ConversionRequest, FundingRequest};
use crate::money::Amount;
use crate::terms::Policy;

/// `POST /saldo/sacar-cripto` (CUS-34).
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn conversion(fields: &mut Fields<'_>, policy: &Policy) -> Result<ConversionRequest, Problem> {
    let amount = fields.amount("amount_cents")?;
    let customer = fields.customer("customer_ref")?;
    let tax_number = owner(fields, policy)?;
    let tax_number = fields.keep(fields.tokens().document(&tax_number));
    let source = FundingRequest::Custody { customer, tax_number };
    let cap = fields.amount_if("max_debited_cents")?;
    outgoing(fields, source, amount, cap)
}

/// `commission.withdraw`: a command, because the contract shows no route (COM-05).
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn commission(fields: &Fields<'_>) -> Result<ConversionRequest, Problem> {
    let amount = fields.amount("amount_cents")?;
    outgoing(fields, FundingRequest::Commission, amount, None)
}

pub(in crate::contract) fn outgoing(
    fields: &Fields<'_>,
    source: FundingRequest,
    amount: Amount,
    cap: Option<Amount>,
) -> Result<ConversionRequest, Problem> {
    let target = target(fields)?;
    if target.address.is_none() {
        return Err(Problem::new(Code::AddressRequired, "payout_address is required"));
    }
    let (memo, external_id) = (memo(fields)?, fields.external_id()?);
    Ok(ConversionRequest { source, amount, target, memo, cap, external_id })
}
