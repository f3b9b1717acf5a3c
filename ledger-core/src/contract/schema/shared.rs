//! Fields that requests of several domains have.

use super::field::FieldType::{Centavos, Pix, Reference, Text, Word};
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

/// An asset by its name.
pub(in crate::contract) const ASSET: Field = required("asset", Text(32), "the asset");

/// A network by its name, in the catalogue and its purchases.
pub(in crate::contract) const CHAIN: Field = required("chain", Text(32), "the network");

/// A network by its name, elsewhere.
pub(in crate::contract) const NETWORK: Field = required("network", Text(32), "the network");

/// The PIX that a fact reports, and is known by.
pub(in crate::contract) const E2E: Field =
    required("e2e", Pix, "the end-to-end id, which makes it known for ever");

/// The return of a PIX, by its own id.
pub(in crate::contract) const RETURN_ID: Field = required("return_id", Pix, "the return id");

/// A transaction as the ledger names it: its hash, and the number of an output if it has several.
pub(in crate::contract) const TRANSACTION: Field =
    required("tx_hash", Reference(128 + "#65535".len()), "the transaction, and its output");

/// The kind of a PIX key.
pub(in crate::contract) const PIX_KEY_TYPE: Field =
    optional("pix_key_type", Word(16), "cpf, cnpj, phone, email or random").like("email");

/// Who owns what is paid to.
pub(in crate::contract) const OWNER: Field =
    required("tax_number", Text(32), "the owner's CPF or CNPJ, digits only").like("52998224725");

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
        .declared_text(&OWNER)?
        .ok_or_else(|| Problem::new(Code::TaxNumberRequired, "tax_number is required"))?;
    Document::parse(tax_number, letters(policy)).ok_or_else(|| {
        let detail = "tax_number must be a CPF or CNPJ, digits only, with valid check digits";
        Problem::new(Code::DocumentInvalid, detail)
    })
}
