//! Bodies of conversions, and of withdrawals of commission.

use serde_json::Value;

use crate::contract::error::{Code, Problem};
use crate::contract::input::fields::Fields;
use crate::contract::payout::body::key_owner;
use crate::contract::purchase::target::{MEMO, memo, target};
use crate::contract::schema::field::FieldType::{Centavos, Text};
use crate::contract::schema::field::{Field, joined, optional, required};
use crate::contract::schema::shared::{AMOUNT, CUSTOMER, EXTERNAL_ID, OWNER, owner};
use crate::ledger::{ConversionRequest, FundingRequest, Ownership};
use crate::money::Amount;
use crate::terms::Policy;

const WHERE_TO: &[Field] = &[
    optional("asset", Text(32), "the asset; absent: usdt"),
    optional("chain", Text(32), "the network; absent: polygon"),
    required("payout_address", Text(128), "the wallet"),
    EXTERNAL_ID,
];

const OF_CUSTODY: &[Field] = &[
    AMOUNT,
    CUSTOMER,
    OWNER,
    optional("max_debited_cents", Centavos, "the most that may be debited"),
];

/// The body of `POST /saldo/sacar-cripto`.
pub(in crate::contract) const CONVERSION: &[Field] = &joined::<
    Field,
    { OF_CUSTODY.len() + WHERE_TO.len() + MEMO.len() },
>(&[OF_CUSTODY, WHERE_TO, MEMO]);

/// The body of `commission.withdraw`.
pub(in crate::contract) const COMMISSION: &[Field] =
    &joined::<Field, { 1 + WHERE_TO.len() + MEMO.len() }>(&[&[AMOUNT], WHERE_TO, MEMO]);

/// `POST /saldo/sacar-cripto` (CUS-34).
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn conversion(
    fields: &mut Fields<'_>,
    supplied: &Value,
    policy: &Policy,
) -> Result<ConversionRequest, Problem> {
    let amount = fields.amount("amount_cents")?;
    let customer = fields.customer("customer_ref")?;
    let tax_number = owner(fields, policy)?;
    let ownership = match key_owner(supplied, policy)? {
        Some(found) if found == tax_number => Ownership::Proven,
        Some(_) => Ownership::Refuted,
        None => Ownership::Unknown,
    };
    let tax_number = fields.keep(fields.tokens().document(&tax_number));
    let source = FundingRequest::Custody { customer, tax_number, ownership };
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
