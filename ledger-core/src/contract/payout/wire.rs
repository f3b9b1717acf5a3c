//! Payouts on the wire: what `POST /payouts` takes, and how a payout is answered.

use serde_json::Value;

use crate::contract::error::{Code, Problem, wrong};
use crate::contract::input::fields::{Fields, letters};
use crate::contract::schema::answer::AnswerType::Objects;
use crate::contract::schema::answer::{AnswerField, E2E, cents, field, moment, text, word};
use crate::contract::schema::bounds::{Customer, checked};
use crate::contract::schema::field::FieldType::Text;
use crate::contract::schema::field::{Field, required};
use crate::contract::schema::metadata::{self, METADATA};
use crate::contract::schema::record::record;
use crate::contract::schema::shared::{AMOUNT, CUSTOMER, EXTERNAL_ID, OWNER, PIX_KEY_TYPE, owner};
use crate::contract::wire_names::payout_status;
use crate::id::OpId;
use crate::ledger::{Operation, Ownership, PayoutRequest};
use crate::machine::payout;
use crate::money::{Amount, Cents};
use crate::pix::{Document, KeyError, KeyType, PixKey};
use crate::terms::Policy;

/// The body of `POST /payouts`.
pub const CREATE: &[Field] =
    &[AMOUNT, CUSTOMER, OWNER, PIX_KEY, PIX_KEY_TYPE, EXTERNAL_ID, METADATA];

const PIX_KEY: Field = required("pix_key", Text(128), "the key that is paid");

checked!(body PayoutRequest {
    customer: Customer(CUSTOMER),
    amount: AMOUNT,
    external_id: EXTERNAL_ID,
});

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
    let key = fields.declared_text(&PIX_KEY)?;
    let key = key.ok_or_else(|| Problem::new(Code::PixKeyRequired, "pix_key is required"))?;
    let declared =
        match fields.declared_text(&PIX_KEY_TYPE)? {
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

/// The states of a payout (P:PayoutStates).
const PAYOUT_STATUS: &[&str] =
    &["requested", "submitted", "completed", "returned", "failed", "uncertain", "under_review"];

record! {
    /// The fields of a payout in answers.
    pub const PAYOUT, fn payout_record |
        views, op: OpId, operation: &Operation, state: &'v payout::State,
        order: &'v payout::Order, paid: Option<&'v payout::Completed>
    | {
        text("payout_id", "the id of the payout", "po_00000000003fd30e1a9d19d00795")
            => op.text(&views.state.name);
        word("status", "how it stands; uncertain is no failure", PAYOUT_STATUS)
            => payout_status(state);
        cents("amount_cents", "what the recipient receives", 5_000) => order.amount.cents();
        text("customer_ref", "the subaccount; null is the house", "ana").or_null()
            => views.archive.customer_of(order.subaccount);
        text("external_id", "the account's own id of it", "saque-1").or_null()
            => &order.external_id;
        text("pix_key", "the key that is paid, masked", "a***@exemplo.com.br")
            => views.mask(order.pix_key);
        cents("fee_service_total_cents", "the service fee, the partner's part included", 100)
            .or_null() => order.fees.service_total().cents();
        cents("fee_provider_cents", "the PIX tariff", 0).or_null() => order.fees.tariff.cents();
        cents("fee_cents", "both together", 100).or_null() => order.fees.total().map(Cents::cents);
        cents("fee_partner_cents", "of the service fee, the partner's part", 25).or_null()
            => order.fees.partner.cents();
        cents("fee_service_cents", "of the service fee, the service's part", 75).or_null()
            => order.fees.house.cents();
        cents("debited_cents", "what the balance was debited", 5_100).or_null()
            => order.total_debit().map(Amount::cents);
        cents("returned_cents", "what came back", 0).or_null()
            => paid.map_or(0, |paid| paid.returned.cents());
        text("e2e", "the end-to-end id of the PIX", E2E).or_null() => paid.map(|paid| &paid.e2e);
        moment("created_at", "when it was asked for") => order.created_at.to_string();
        moment("updated_at", "when it last changed") => operation.updated_at.to_string();
        text("recipient_name", "the recipient's name", "Ana Souza").sometimes();
        text("recipient_document", "the recipient's CPF or CNPJ, masked", "***.982.247-**")
            .sometimes();
        text("institution", "the recipient's institution", "Banco de Teste").sometimes();
        text("settled_by", "who settled the PIX", "SPI").sometimes();
        text("receipt_url", "where its receipt is", "https://example.com/r/1").sometimes();
        .. metadata::SHOWN;
    }
}

/// Payouts under one external id.
pub const PAYOUTS: &[AnswerField] =
    &[field("payouts", Objects("Payout", PAYOUT), "the payouts of this external id")];
