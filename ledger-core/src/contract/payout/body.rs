//! Bodies of payouts.

use serde_json::Value;

use crate::contract::error::{Code, Problem, wrong};
use crate::contract::input::fields::{Fields, letters};
use crate::contract::schema::field::FieldType::{Text, Word};
use crate::contract::schema::field::{Field, optional, required};
use crate::contract::schema::shared::{AMOUNT, CUSTOMER, EXTERNAL_ID, OWNER, owner};
use crate::ledger::{Ownership, PayoutRequest};
use crate::pix::{Document, KeyError, KeyType, PixKey};
use crate::terms::Policy;

/// The body of `POST /payouts`.
pub(in crate::contract) const PAYOUT: &[Field] = &[
    AMOUNT,
    CUSTOMER,
    OWNER,
    required("pix_key", Text(128), "the key that is paid"),
    optional("pix_key_type", Word(16), "cpf, cnpj, phone, email or random"),
    EXTERNAL_ID,
];

/// `POST /payouts` (PAY-01 to PAY-03, PAY-16).
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn payout(
    fields: &mut Fields<'_>,
    supplied: &Value,
    policy: &Policy,
) -> Result<PayoutRequest, Problem> {
    let amount = fields.amount("amount_cents")?;
    let customer = fields.customer("customer_ref")?;
    let owner = owner(fields, policy)?;
    let key = fields.text("pix_key", 128)?;
    let key = key.ok_or_else(|| Problem::new(Code::PixKeyRequired, "pix_key is required"))?;
    let declared =
        match fields.text("pix_key_type", 16)? {
            Some(name) => Some(KeyType::parse(name).ok_or_else(|| {
                wrong("pix_key_type", "must be cpf, cnpj, phone, email or random")
            })?),
            // Eleven bare digits are a CPF when they are the owner's own.
            None if key == owner.as_str() && key.len() == 11 => Some(KeyType::Cpf),
            None => None,
        };
    let key = PixKey::parse(key, declared, letters(policy)).map_err(|error| match error {
        KeyError::Ambiguous => Problem::new(
            Code::KeyTypeAmbiguous,
            "pix_key is eleven bare digits, a CPF or a phone: send pix_key_type",
        ),
        KeyError::Invalid => Problem::new(Code::PixKeyInvalid, "pix_key is no valid PIX key"),
    })?;
    let ownership = match key.document() {
        Some(document) if document == owner.as_str() => Ownership::Proven,
        Some(_) => Ownership::Refuted,
        None => match key_owner(supplied, policy)? {
            Some(found) if found == owner => Ownership::Proven,
            Some(_) => Ownership::Refuted,
            None => Ownership::Unknown,
        },
    };
    let external_id = fields.external_id()?;
    let pix_key = fields.keep(fields.tokens().pix_key(&key));
    let tax_number = fields.keep(fields.tokens().document(&owner));
    Ok(PayoutRequest { customer, amount, pix_key, tax_number, ownership, external_id })
}

/// Whose a PIX key is that is no document, where a lookup supplied it (rulings 39).
///
/// # Errors
///
/// A [`Problem`] where `supplied.owner` is no CPF or CNPJ.
pub(in crate::contract) fn key_owner(
    supplied: &Value,
    policy: &Policy,
) -> Result<Option<Document>, Problem> {
    let wrong =
        || wrong("supplied.owner", "must be the CPF or CNPJ that the lookup of the key told");
    match supplied.get("owner") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => {
            Document::parse(text, letters(policy)).map(Some).ok_or_else(wrong)
        }
        Some(_) => Err(wrong()),
    }
}
