//! Request bodies: shapes checked, personal data replaced by tokens.

use serde_json::Value;

use super::error::{Code, Problem};
use super::fields::{Fields, missing, wrong};
use super::sandbox;
use crate::ledger::{
    ChargeRequest, ConversionRequest, Destination, Ownership, PayoutRequest, PurseRequest,
    TransferRequest,
};
use crate::machine::charge::{Delivery, Qr};
use crate::money::Amount;
use crate::pix::{Document, KeyError, KeyType, Letters, PixKey};
use crate::terms::{Policy, Switch};

/// `POST /cashin/charge` (CIN-01 to CIN-20); beside it, why a sandbox scenario is refused, once it is
/// clear who asks and that nothing was created under the same id.
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn charge(
    fields: &mut Fields<'_>,
    supplied: &Value,
    policy: &Policy,
) -> Result<(ChargeRequest, Option<Problem>), Problem> {
    let (scenario, unoffered) = sandbox::asked(fields)?;
    let destination = match fields.text("destino", 16)? {
        Some("saldo") => Destination::Custody,
        Some("cripto") | None => Destination::Crypto { memo: memo(fields)? },
        Some(_) => {
            let detail = "destino must be saldo or cripto";
            return Err(Problem::new(Code::DestinationInvalid, detail));
        }
    };
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
        delivery: target(fields)?,
        qr: match scenario {
            Some(scenario) => qr(supplied)?.map(|qr| scenario.mark(qr)),
            None => qr(supplied)?,
        },
        payer_refused: refused(supplied)?,
        destination,
        external_id: fields.external_id()?,
    };
    Ok((request, unoffered))
}

/// Asset, network and wallet, the first two with their defaults (CIN-05, CIN-06).
fn target(fields: &Fields<'_>) -> Result<Delivery, Problem> {
    Ok(Delivery {
        asset: fields.text("asset", 32)?.unwrap_or("usdt").into(),
        chain: fields.text("chain", 32)?.unwrap_or("polygon").into(),
        address: fields.text("payout_address", 128)?.map(Into::into),
    })
}

/// The wallet's memo, by any of its names; two that differ contradict each other (P:MemoRequired).
fn memo(fields: &Fields<'_>) -> Result<Option<Box<str>>, Problem> {
    let mut memo: Option<&str> = None;
    for name in ["payout_tag", "memo", "tag", "destination_tag"] {
        let given = fields.text(name, 120)?;
        if let (Some(known), Some(given)) = (memo, given)
            && known != given
        {
            let detail = format!("{name} contradicts another name of payout_tag");
            return Err(Problem::new(Code::FieldsConflict, detail));
        }
        memo = memo.or(given);
    }
    Ok(memo.map(Into::into))
}

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
    let purse = PurseRequest::Custody { customer, tax_number };
    let cap = fields.amount_if("max_debited_cents")?;
    outgoing(fields, purse, amount, cap)
}

/// `commission.withdraw`: a command, because the contract shows no route (COM-05).
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn commission(fields: &Fields<'_>) -> Result<ConversionRequest, Problem> {
    let amount = fields.amount("amount_cents")?;
    outgoing(fields, PurseRequest::Commission, amount, None)
}

fn outgoing(
    fields: &Fields<'_>,
    purse: PurseRequest,
    amount: Amount,
    cap: Option<Amount>,
) -> Result<ConversionRequest, Problem> {
    let target = target(fields)?;
    if target.address.is_none() {
        return Err(Problem::new(Code::AddressRequired, "payout_address is required"));
    }
    let (memo, external_id) = (memo(fields)?, fields.external_id()?);
    Ok(ConversionRequest { purse, amount, target, memo, cap, external_id })
}

/// `POST /cashin/preview` (CIN-44): amount, asset and network.
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn preview(fields: &Fields<'_>) -> Result<(Amount, Delivery), Problem> {
    Ok((fields.amount("amount_cents")?, target(fields)?))
}

/// The provider's reference, when it refused the payer instead of issuing a code (ERR-15).
fn refused(supplied: &Value) -> Result<Option<Box<str>>, Problem> {
    match supplied.get("provider_reference") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if !text.is_empty() && text.len() <= 255 => {
            Ok(Some(text.as_str().into()))
        }
        Some(_) => Err(wrong("supplied.provider_reference", "must be a string of 1 to 255 bytes")),
    }
}

fn owner(fields: &Fields<'_>, policy: &Policy) -> Result<Document, Problem> {
    let tax_number = fields
        .text("tax_number", 32)?
        .ok_or_else(|| Problem::new(Code::TaxNumberRequired, "tax_number is required"))?;
    Document::parse(tax_number, letters(policy)).ok_or_else(|| {
        let detail = "tax_number must be a CPF or CNPJ, digits only, with valid check digits";
        Problem::new(Code::DocumentInvalid, detail)
    })
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
fn key_owner(supplied: &Value, policy: &Policy) -> Result<Option<Document>, Problem> {
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

/// Whether a CNPJ may contain letters under this policy.
pub fn letters(policy: &Policy) -> Letters {
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
