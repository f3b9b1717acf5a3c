//! Fields that requests of several domains have.

use super::field::FieldType::{Centavos, Text};
use super::field::{Field, optional, required};
use crate::contract::error::{Code, Problem};
use crate::contract::input::fields::{Fields, letters};
use crate::pix::Document;
use crate::terms::Policy;

/// The account's own id of what it asks for (LIM-19).
pub(in crate::contract) const EXTERNAL_ID: Field =
    optional("external_id", Text(64), "the account's own id: asked again, nothing is done twice");

/// The subaccount of a body.
pub(in crate::contract) const CUSTOMER: Field =
    optional("customer_ref", Text(80), "the subaccount; absent: the house");

/// An amount in centavos, above zero.
pub(in crate::contract) const AMOUNT: Field = required("amount_cents", Centavos, "how much");

/// Who owns what is paid to.
pub(in crate::contract) const OWNER: Field =
    required("tax_number", Text(32), "the owner's CPF or CNPJ, digits only");

/// Reads whose it is that is paid to.
///
/// # Errors
///
/// A [`Problem`] where it is missing, or no CPF or CNPJ.
pub(in crate::contract) fn owner(
    fields: &Fields<'_>,
    policy: &Policy,
) -> Result<Document, Problem> {
    let tax_number = fields
        .text("tax_number", 32)?
        .ok_or_else(|| Problem::new(Code::TaxNumberRequired, "tax_number is required"))?;
    Document::parse(tax_number, letters(policy)).ok_or_else(|| {
        let detail = "tax_number must be a CPF or CNPJ, digits only, with valid check digits";
        Problem::new(Code::DocumentInvalid, detail)
    })
}
