//! Request bodies: shapes checked, personal data replaced by tokens.

use serde_json::Value;

use super::error::{Code, Problem};
use super::fields::{Fields, missing, wrong};
use crate::ledger::{ChargeRequest, Ownership, PayoutRequest, TransferRequest};
use crate::machine::charge::{Delivery, Qr};
use crate::pix::{Document, KeyError, KeyType, Letters, PixKey};
use crate::terms::{Policy, Switch};

/// What a well-formed request asks for that is not offered here.
pub struct Unoffered {
    /// The refusal, once it is clear who asks and that nothing was created under the same id.
    pub problem: Problem,
    /// The field in which a custody charge under the same id differs from it.
    pub differs: Option<&'static str>,
}

/// `POST /cashin/charge` (CIN-01 to CIN-20), for custody.
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn charge(
    fields: &mut Fields<'_>,
    supplied: &Value,
    policy: &Policy,
) -> Result<(ChargeRequest, Option<Unoffered>), Problem> {
    let unoffered = unoffered(fields)?;
    let amount = fields.amount("amount_cents")?;
    let payer = fields.needed("payer_tax_number", 32)?;
    let payer = Document::parse(payer, letters(policy)).ok_or_else(|| {
        let detail = "payer_tax_number must be a CPF or CNPJ, digits only, with valid check digits";
        Problem::new(Code::PayerTaxNumberInvalid, detail)
    })?;
    let payer = fields.keep(fields.tokens().document(&payer));
    let payer_name = fields.text("payer_name", 255)?.map(|name| fields.tokens().name(name));
    let request = ChargeRequest {
        customer: fields.customer("customer_ref")?,
        amount,
        payer,
        payer_name: payer_name.map(|name| fields.keep(name)),
        allow_hold: fields.switch_if("allow_hold")?.unwrap_or(Switch::On),
        delivery: Delivery {
            asset: fields.text("asset", 32)?.unwrap_or("usdt").into(),
            chain: fields.text("chain", 32)?.unwrap_or("polygon").into(),
            address: fields.text("payout_address", 128)?.map(Into::into),
        },
        qr: qr(supplied)?,
        external_id: fields.external_id()?,
    };
    Ok((request, unoffered))
}

fn unoffered(fields: &Fields<'_>) -> Result<Option<Unoffered>, Problem> {
    let scenario = fields.text("sandbox_scenario", 64)?;
    let problem = match fields.text("destino", 16)? {
        Some("saldo") => None,
        Some("cripto") | None => {
            let detail = "destino: cripto is not offered here yet; send destino: saldo";
            Some(Unoffered {
                problem: Problem::new(Code::Paused, detail),
                differs: Some("destino"),
            })
        }
        Some(_) => {
            let detail = "destino must be saldo or cripto";
            return Err(Problem::new(Code::DestinationInvalid, detail));
        }
    };
    Ok(problem.or(scenario.map(|_| {
        let problem = match fields.ledger() {
            "live" => Problem::new(Code::NotPermitted, "sandbox_scenario is for test keys"),
            _ => Problem::new(Code::Paused, "sandbox_scenario is not offered here yet"),
        };
        Unoffered { problem, differs: None }
    })))
}

/// What the provider supplied for a charge: a code, and perhaps its picture (rulings 39).
fn qr(supplied: &Value) -> Result<Option<Qr>, Problem> {
    let text = |name: &str| match supplied.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if !text.is_empty() && text.len() <= 1024 => {
            Ok(Some(text.as_str().into()))
        }
        Some(_) => Err(wrong(&format!("supplied.{name}"), "must be a string of 1 to 1024 bytes")),
    };
    let image_url = text("qr_image_url")?;
    Ok(text("qr_copypaste")?.map(|copypaste| Qr { copypaste, image_url }))
}

/// `POST /saldo/transferir` (CUS-28).
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn transfer(fields: &mut Fields<'_>) -> Result<TransferRequest, Problem> {
    let note = fields.text("descricao", 255)?.map(|note| fields.tokens().text(note));
    Ok(TransferRequest {
        from: fields.party("from_customer_ref")?,
        to: fields.party("to_customer_ref")?,
        amount: fields.amount("amount_cents")?,
        note: note.map(|note| fields.keep(note)),
        external_id: fields.external_id()?,
    })
}

/// `POST /payouts` (PAY-01 to PAY-03, PAY-16).
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn payout(fields: &mut Fields<'_>, policy: &Policy) -> Result<PayoutRequest, Problem> {
    let amount = fields.amount("amount_cents")?;
    let customer = fields.customer("customer_ref")?;
    let tax_number = fields
        .text("tax_number", 32)?
        .ok_or_else(|| Problem::new(Code::TaxNumberRequired, "tax_number is required"))?;
    let owner = Document::parse(tax_number, letters(policy)).ok_or_else(|| {
        let detail = "tax_number must be a CPF or CNPJ, digits only, with valid check digits";
        Problem::new(Code::DocumentInvalid, detail)
    })?;
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
        None => Ownership::Unknown,
    };
    let external_id = fields.external_id()?;
    let pix_key = fields.keep(fields.tokens().pix_key(&key));
    let tax_number = fields.keep(fields.tokens().document(&owner));
    Ok(PayoutRequest { customer, amount, pix_key, tax_number, ownership, external_id })
}

/// Whether a CNPJ may contain letters under this policy.
fn letters(policy: &Policy) -> Letters {
    if policy.cnpj_with_letters.is_on() { Letters::Accepted } else { Letters::Refused }
}

/// The account a fact names, which must be given.
///
/// # Errors
///
/// A [`Problem`] when it is missing.
pub fn account(fields: &Fields<'_>) -> Result<Box<str>, Problem> {
    fields.text("account", 80)?.map(Into::into).ok_or_else(|| missing("account"))
}
