//! Bodies of requests for charges: shapes checked, personal data replaced by tokens.

use serde_json::Value;

use crate::contract::error::{Code, Problem, wrong};
use crate::contract::input::fields::{Fields, letters};
use crate::contract::purchase::{MEMO, PAYOUT_TAG, TARGET, memo, target};
use crate::contract::sandbox;
use crate::contract::schema::bounds::{Customer, Supplied, checked};
use crate::contract::schema::field::FieldType::{Flag, Text, Word};
use crate::contract::schema::field::{Field, concat, optional, required};
use crate::contract::schema::metadata::METADATA;
use crate::contract::schema::shared::{AMOUNT, CUSTOMER, EXTERNAL_ID};
use crate::ledger::{ChargeRequest, Destination};
use crate::machine::charge::{Delivery, Qr};
use crate::money::Amount;
use crate::pix::Document;
use crate::terms::{Policy, Switch};

const OF_CHARGES: &[Field] = &[
    AMOUNT,
    required("payer_tax_number", Text(32), "the payer's CPF or CNPJ, digits only"),
    optional("payer_name", Text(255), "the payer's name"),
    optional("destino", Word(16), "saldo or cripto; absent: cripto").like("saldo"),
    CUSTOMER,
    optional(
        "allow_hold",
        Flag,
        "whether the provider may hold it, where the payer's ladder or the account's terms say \
         so (`GET /cashin/limits` shows the ladder); absent: it may; false refuses with \
         `limite_do_pagador` what would be held",
    ),
    EXTERNAL_ID,
    optional("sandbox_scenario", Text(64), "what the sandbox plays, for test keys").like("hold"),
    METADATA,
];

/// The body of `POST /cashin/charge`.
pub(in crate::contract) const CHARGE: &[Field] =
    &concat::<Field, { OF_CHARGES.len() + TARGET.len() + MEMO.len() }>(&[OF_CHARGES, TARGET, MEMO]);

/// The body of `POST /cashin/preview`.
pub(in crate::contract) const PREVIEW: &[Field] =
    &concat::<Field, { 1 + TARGET.len() }>(&[&[AMOUNT], TARGET]);

checked!(ChargeRequest {
    customer: Customer(CUSTOMER),
    amount: AMOUNT,
    delivery,
    destination,
    qr,
    payer_refused: Supplied("supplied.provider_reference", 255),
    external_id: EXTERNAL_ID,
});

checked!(enum Destination { Crypto { memo: PAYOUT_TAG } } else Custody);

checked!(Qr {
    copypaste: Supplied("supplied.qr_copypaste", 1_024),
    image_url: Supplied("supplied.qr_image_url", 1_024),
});

/// `POST /cashin/charge` (CIN-01 to CIN-20); beside it, why a sandbox scenario is refused, once it
/// is clear who asks and that nothing was created under the same id.
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn charge(
    fields: &mut Fields<'_>,
    supplied: &Value,
    policy: &Policy,
) -> Result<(ChargeRequest, Option<Problem>), Problem> {
    let (scenario, unoffered) = sandbox::read_scenario(fields)?;
    let destination = match fields.text("destino", 16)? {
        Some("saldo") => Destination::Custody,
        Some("cripto") | None => Destination::Crypto { memo: memo(fields)? },
        Some(_) => {
            let detail = "destino must be saldo or cripto";
            return Err(Problem::new(Code::DestinationInvalid, detail));
        }
    };
    let amount = fields.amount("amount_cents")?;
    let payer = fields.required_text("payer_tax_number", 32)?;
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
        payer_refused: provider_refusal(supplied)?,
        destination,
        external_id: fields.external_id()?,
    };
    Ok((request, unoffered))
}

/// `POST /cashin/preview` (CIN-44): amount, asset and network.
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn preview(fields: &Fields<'_>) -> Result<(Amount, Delivery), Problem> {
    Ok((fields.amount("amount_cents")?, target(fields)?))
}

/// What the provider supplied for a charge: a code, and perhaps its picture (rulings 39).
pub(in crate::contract) fn qr(supplied: &Value) -> Result<Option<Qr>, Problem> {
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

/// The provider's reference, when it refused the payer instead of issuing a code (ERR-15).
pub(in crate::contract) fn provider_refusal(supplied: &Value) -> Result<Option<Box<str>>, Problem> {
    match supplied.get("provider_reference") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if !text.is_empty() && text.len() <= 255 => {
            Ok(Some(text.as_str().into()))
        }
        Some(_) => Err(wrong("supplied.provider_reference", "must be a string of 1 to 255 bytes")),
    }
}
